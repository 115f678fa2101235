//! Reads `data/` of 2025-09 packages: `sample`, `secret` and its groups, with `test_group.yaml`.

use fablegrade_public::Ratio;

use super::configuration::case_keys;
use super::{Inherited, Reader};
use crate::data::{Aggregation, Case, FlatRules, Rules, StaticCase};
use crate::package::document::{Entry, Report};

impl Reader<'_, '_> {
    pub(super) fn flat(&mut self, report: &mut Report) {
        let scoring = self.problem.kind.scoring;
        let pass_fail = || FlatRules {
            max_score: None,
            aggregation: Aggregation::PassFail,
            require_pass: Vec::new(),
            static_case: None,
        };
        let root = self.group("", None, Rules::Flat(pass_fail()), Inherited::default());
        for (name, folder) in self.tree.names("data") {
            match (name, folder) {
                ("sample" | "secret" | "invalid_input" | "invalid_output" | "valid_output", true) => {}
                _ => report.warning(
                    "unused-file",
                    &format!("data/{name}"),
                    "`data` may only have the folders sample, secret, invalid_input, invalid_output, valid_output",
                    "move it elsewhere; configuration belongs in the `test_group.yaml` of a group",
                ),
            }
        }
        let base = Inherited { full_feedback: true, ..Inherited::default() };
        if self.tree.has_folder("data/sample") {
            let (rules, inherited, _) = self.flat_rules("sample", pass_fail(), &base, report);
            let sample = self.group("sample", Some(root), Rules::Flat(rules), inherited);
            self.flat_cases(sample, "sample", report);
        }
        let base = Inherited::default();
        let mut secret_rules = pass_fail();
        if scoring {
            secret_rules.max_score = Some(Ratio::new(100, 1));
            secret_rules.aggregation = Aggregation::Sum;
        }
        let (rules, inherited, require) = self.flat_rules("secret", secret_rules, &base, report);
        let secret_bounded = rules.max_score.is_some();
        let secret_aggregation = rules.aggregation;
        let secret_max = rules.max_score.clone();
        let static_of_secret = rules.static_case.as_ref().and_then(|case| case.max_score.clone());
        let secret = self.group("secret", Some(root), Rules::Flat(rules), inherited.clone());
        self.require(secret, require, report);
        let mut groups: Vec<String> = self
            .tree
            .names("data/secret")
            .filter(|(name, folder)| *folder && !name.ends_with(".files"))
            .map(|(name, _)| format!("secret/{name}"))
            .collect();
        let direct = self.tree.names("data/secret").any(|(name, folder)| !folder && name.ends_with(".in"));
        if direct {
            // Next to cases, a folder without configuration only organizes files; it is not a group.
            let configured =
                |path: &&String| self.tree.file(&format!("data/{path}/test_group.yaml")).is_some();
            if let Some(group) = groups.iter().find(configured) {
                report.error(
                    "cases-and-groups",
                    &format!("data/{group}"),
                    "`data/secret` has both cases and groups",
                    "move all cases into groups, or remove `test_group.yaml` here",
                );
            }
            groups.clear();
        }
        if direct || groups.is_empty() {
            self.flat_cases(secret, "secret", report);
        } else {
            // There are no cases beside the groups, so this only reports stray files.
            self.case_files("data/secret", report);
        }
        let mut sum = Some(static_of_secret.clone().unwrap_or_else(Ratio::zero));
        let mut least: Option<Ratio> = static_of_secret;
        for path in &groups {
            let (rules, inherited, require) = self.flat_rules(path, pass_fail(), &inherited, report);
            let folder = format!("data/{path}");
            if scoring {
                match &rules.max_score {
                    None if secret_bounded => report.error(
                        "no-max-score",
                        &folder,
                        "the group has no `max_score`, but `secret` is bounded",
                        "set `max_score` in its `test_group.yaml`, or `max_score: unbounded` in that of `secret`",
                    ),
                    None if rules.aggregation == Aggregation::PassFail => report.error(
                        "no-max-score",
                        &folder,
                        "a group with the aggregation `pass-fail` must have a `max_score`",
                        "set `max_score`, or another `score_aggregation`",
                    ),
                    _ => {}
                }
                if secret_aggregation == Aggregation::PassFail && rules.aggregation != Aggregation::PassFail {
                    let message = "`secret` has the aggregation `pass-fail`, so all its groups must have it";
                    report.error("aggregation", &folder, message, "set `score_aggregation: pass-fail`");
                }
                sum = sum.zip(rules.max_score.clone()).map(|(sum, max)| sum.plus(&max));
                least = match (least, rules.max_score.clone()) {
                    (Some(least), Some(max)) => Some(least.min(max)),
                    (least, max) => least.or(max),
                };
            }
            let static_case = rules.static_case.is_some();
            let group = self.group(path, Some(secret), Rules::Flat(rules), inherited);
            self.require(group, require, report);
            let before = self.data.cases.len();
            self.flat_cases(group, path, report);
            if self.data.cases.len() == before && !static_case {
                report.error(
                    "empty-group",
                    &folder,
                    "the group has no test case",
                    "add one, or remove the folder",
                );
            }
        }
        if scoring && !groups.is_empty() {
            let reachable = match secret_aggregation {
                Aggregation::Sum => sum,
                Aggregation::Min => least,
                Aggregation::PassFail => None,
            };
            if let (Some(reachable), Some(max)) = (reachable, secret_max) {
                if reachable < max {
                    let message = format!("only {reachable} of the {max} points of `secret` can be earned");
                    report.warning(
                        "unreachable-score",
                        "data/secret",
                        &message,
                        "make the `max_score`s add up",
                    );
                } else if reachable > max {
                    let message =
                        format!("{reachable} points can be earned, more than the {max} of `secret`");
                    report.error(
                        "score-exceeds-max",
                        "data/secret",
                        &message,
                        "make the `max_score`s add up",
                    );
                }
            }
        }
        self.validator_cases(report);
    }

    /// Reads the rules of a group, the settings that its cases inherit, and the names in `require_pass`.
    fn flat_rules(
        &self,
        path: &str,
        mut rules: FlatRules,
        above: &Inherited,
        report: &mut Report,
    ) -> (FlatRules, Inherited, Option<(Vec<String>, String)>) {
        let mut inherited = above.clone();
        let mut require = None;
        let (file, old) = (format!("data/{path}/test_group.yaml"), format!("data/{path}/testdata.yaml"));
        if self.tree.file(&old).is_some() {
            super::old_name(&old, report);
        }
        let Some(document) = self.document(&file, report) else { return (rules, inherited, require) };
        let Some(mut keys) = document.keys(report) else { return (rules, inherited, require) };
        let sample = path == "sample";
        let scoring_key = |entry: &Entry<'_>, report: &mut Report| {
            if sample {
                entry.error("not-in-sample", "samples never earn points", "remove the key", report);
            } else if !self.problem.kind.scoring {
                let message = "a pass-fail problem has no scores";
                entry.error(
                    "not-scoring",
                    message,
                    "remove it, or add `type: scoring` to `problem.yaml`",
                    report,
                );
            }
            !sample && self.problem.kind.scoring
        };
        if let Some(entry) = keys.take("max_score")
            && scoring_key(&entry, report)
        {
            rules.max_score = match entry.value.as_str() {
                Some("unbounded") => None,
                _ => entry.whole(0, report).map(|max| Ratio::new(max as i64, 1)),
            };
        }
        if let Some(entry) = keys.take("score_aggregation")
            && scoring_key(&entry, report)
        {
            let word = entry.text(report).unwrap_or_default();
            match Aggregation::WORDS.iter().find(|(known, _)| *known == word) {
                Some((_, aggregation)) => rules.aggregation = *aggregation,
                None => {
                    entry.error("aggregation", "expected `pass-fail`, `sum` or `min`", "write one", report)
                }
            }
        }
        if path == "secret"
            && rules.aggregation == Aggregation::PassFail
            && self.problem.kind.scoring
            && rules.max_score.is_none()
        {
            let message = "`secret` with the aggregation `pass-fail` must have a `max_score`";
            keys.here().error("no-max-score", message, "set `max_score`", report);
        }
        if let Some(entry) = keys.take("require_pass")
            && scoring_key(&entry, report)
            && let Some(names) = entry.text_or_texts(report)
        {
            require = Some((names, file.clone()));
        }
        let static_entry = keys.take("static_validation_score");
        let static_args = keys.take("static_validator_args");
        if let Some(entry) = static_entry {
            let max_score = match entry.value.as_str() {
                Some("pass-fail") => None,
                _ => entry.whole(0, report).map(|max| Ratio::new(max as i64, 1)),
            };
            let scores = self.problem.kind.scoring && rules.aggregation != Aggregation::PassFail && !sample;
            if max_score.is_some() && !scores {
                let message =
                    "a static score needs a scoring problem and an aggregation other than `pass-fail`";
                entry.error("static-score", message, "write `pass-fail`", report);
            }
            if max_score.is_none() && scores {
                let message = "`pass-fail` needs the aggregation `pass-fail`";
                entry.error("static-score", message, "write a score", report);
            }
            // A larger score would leave a negative maximum for the cases.
            let max_score = match (max_score, &rules.max_score) {
                (Some(score), Some(max)) if scores && score > *max => {
                    let message = "the static score is more than the `max_score` of the group";
                    entry.error("static-score", message, "write a smaller score", report);
                    Some(max.clone())
                }
                (max_score, _) => max_score,
            };
            let args = static_args.as_ref().and_then(|entry| entry.texts(report)).unwrap_or_default();
            rules.static_case = Some(StaticCase { max_score, args });
        } else if let Some(entry) = static_args {
            let message = "`static_validator_args` without `static_validation_score`";
            entry.error("static-score", message, "add the score, or remove the arguments", report);
        }
        case_keys(&mut keys, &mut inherited, report);
        keys.close(
            &[
                ("on_reject", "in 2025-09, judging always continues"),
                ("grader_flags", "2025-09 has `score_aggregation`"),
            ],
            report,
        );
        (rules, inherited, require)
    }

    fn require(&mut self, group: usize, names: Option<(Vec<String>, String)>, report: &mut Report) {
        let Some((names, file)) = names else { return };
        let path = self.data.groups.get(group).map(|group| group.path.clone()).unwrap_or_default();
        for name in names {
            let found = self.data.groups.iter().position(|known| known.path == name && name != "secret");
            let earlier = found.filter(|_| name == "sample" || (name < path && path != "secret"));
            let passes = earlier.filter(|at| {
                let rules = self.data.groups.get(*at).map(|group| &group.rules);
                matches!(rules, Some(Rules::Flat(rules)) if rules.aggregation == Aggregation::PassFail)
            });
            match (earlier, passes) {
                (_, Some(at)) => {
                    if let Some(Rules::Flat(rules)) =
                        self.data.groups.get_mut(group).map(|group| &mut group.rules)
                    {
                        rules.require_pass.push(at);
                    }
                }
                (Some(_), None) => {
                    let message = "`require_pass` names a group whose aggregation is not `pass-fail`";
                    report.error("require-pass", &file, message, "name groups with `pass-fail`");
                }
                _ => {
                    let message = "`require_pass` does not name an earlier group";
                    report.error(
                        "require-pass",
                        &file,
                        message,
                        "write `sample`, or an earlier group like `secret/group1`",
                    );
                }
            }
        }
    }

    /// Adds the cases of a group, including those in plain folders below it.
    fn flat_cases(&mut self, group: usize, path: &str, report: &mut Report) {
        let mut waiting = vec![path.to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = waiting.pop() {
            let place = format!("data/{folder}");
            if folder != path {
                for name in ["test_group.yaml", "testdata.yaml"] {
                    if self.tree.file(&format!("{place}/{name}")).is_some() {
                        let message = "groups cannot be nested; this file is not read";
                        report.error(
                            "nested-group",
                            &format!("{place}/{name}"),
                            message,
                            "move the folder up, or remove the file",
                        );
                    }
                }
            }
            let names = self.case_files(&place, report);
            for (name, is_folder) in self.tree.names(&place) {
                if is_folder && !name.ends_with(".files") {
                    if names.contains(name) {
                        let message = "a folder and a case have the same name";
                        report.error("name-twice", &format!("{place}/{name}"), message, "rename one of them");
                    }
                    waiting.push(format!("{folder}/{name}"));
                }
            }
            found.extend(names.into_iter().map(|name| format!("{folder}/{name}")));
        }
        found.sort();
        for name in found {
            if let Some(case) = self.flat_case(&name, group, report) {
                self.push_case(case, group);
            }
        }
    }

    fn flat_case(&self, name: &str, group: usize, report: &mut Report) -> Option<Case> {
        let path = format!("data/{name}");
        let answer = self.answer(&path, report)?;
        let inherited = self.inherited.get(group).cloned().unwrap_or_default();
        let (inherited, hint, description) = self.case_yaml(&path, inherited, report);
        Some(Case {
            name: name.to_owned(),
            group,
            input: format!("{path}.in"),
            answer,
            files: self.files_of(&path),
            args: inherited.args,
            input_validator_args: inherited.input_validator_args,
            output_validator_args: inherited.output_validator_args,
            full_feedback: inherited.full_feedback,
            origin: inherited.origin,
            hint,
            description,
        })
    }
}
