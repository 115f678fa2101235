//! Reads `data/`: groups, cases, their configuration.

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use super::document::{Document, Entry, Keys, Report};
use super::replace_constants;
use super::tree::Tree;
use crate::Version;
use crate::data::{
    Aggregation, Case, Child, FlatRules, GraderRules, Group, Rules, StaticCase, ValidatorArgs, ValidatorCase,
    ValidatorCaseKind,
};
use crate::problem::Problem;

/// Endings of the files of a case, longer ones first where one ends like another.
const ENDINGS: &[&str] = &[
    ".in.statement",
    ".ans.statement",
    ".in.download",
    ".ans.download",
    ".interaction",
    ".files",
    ".yaml",
    ".hint",
    ".desc",
    ".png",
    ".jpg",
    ".jpeg",
    ".svg",
    ".in",
    ".ans",
    ".out",
];

/// What a case takes over from its group in 2025-09.
#[derive(Clone, Default)]
struct Inherited {
    args: Vec<String>,
    input_validator_args: ValidatorArgs,
    output_validator_args: Vec<String>,
    full_feedback: bool,
}

pub(crate) struct Data {
    pub(crate) groups: Vec<Group>,
    pub(crate) cases: Vec<Case>,
    pub(crate) validator_cases: Vec<ValidatorCase>,
}

struct Reader<'t, 'f> {
    tree: &'t Tree<'f>,
    problem: &'t Problem,
    data: Data,
    inherited: Vec<Inherited>,
}

pub(crate) fn read(tree: &Tree<'_>, problem: &Problem, report: &mut Report) -> Data {
    let data = Data { groups: Vec::new(), cases: Vec::new(), validator_cases: Vec::new() };
    let mut reader = Reader { tree, problem, data, inherited: Vec::new() };
    if !tree.has_folder("data/secret") {
        report.error("no-secret-data", "data", "there is no `data/secret`", "add secret test cases there");
    }
    match problem.version {
        Version::V2025_09 => reader.flat(report),
        _ => reader.tree_of_groups(report),
    }
    let secret = reader.data.cases.iter().any(|case| case.name.starts_with("secret/"));
    let static_case =
        |group: &Group| matches!(&group.rules, Rules::Flat(rules) if rules.static_case.is_some());
    if tree.has_folder("data/secret") && !secret && !reader.data.groups.iter().any(static_case) {
        report.error(
            "no-secret-data",
            "data/secret",
            "there is no secret test case",
            "add `NAME.in` and `NAME.ans`",
        );
    }
    reader.data
}

impl Reader<'_, '_> {
    fn group(&mut self, path: &str, parent: Option<usize>, rules: Rules, inherited: Inherited) -> usize {
        let index = self.data.groups.len();
        self.data.groups.push(Group { path: path.to_owned(), parent, children: Vec::new(), rules });
        self.inherited.push(inherited);
        if let Some(parent) = parent.and_then(|parent| self.data.groups.get_mut(parent)) {
            parent.children.push(Child::Group(index));
        }
        index
    }

    fn document(&self, path: &str, report: &mut Report) -> Option<Document> {
        let file = self.tree.file(path)?;
        Document::parse(path, &replace_constants(&file.bytes, &self.problem.constants), report)
    }

    // ---- legacy ----

    fn tree_of_groups(&mut self, report: &mut Report) {
        let rules = self.grader_rules("data", &GraderRules::default(), report);
        let root = self.group("", None, Rules::Grader(rules.clone()), Inherited::default());
        for (name, folder) in self.tree.names("data") {
            match name {
                "sample" | "secret" if folder => {}
                "testdata.yaml" => {}
                _ => report.warning(
                    "unused-file",
                    &format!("data/{name}"),
                    "`data` has the folders `sample` and `secret`, and `testdata.yaml`",
                    "move it away",
                ),
            }
        }
        // Folders that wait: group, path below `data/`, rules that are inherited.
        let mut waiting = Vec::new();
        for name in ["secret", "sample"] {
            if self.tree.has_folder(&format!("data/{name}")) {
                waiting.push((root, name.to_owned(), rules.clone()));
            }
        }
        while let Some((parent, path, above)) = waiting.pop() {
            let folder = format!("data/{path}");
            let rules = self.grader_rules(&folder, &above, report);
            let grader_flags = &rules.grader_flags;
            if grader_flags.iter().any(|flag| flag == "ignore_sample") && !rules.custom {
                let message = "`ignore_sample` reaches this group, but is for the root only";
                report.error(
                    "ignore-sample",
                    &folder,
                    message,
                    "set `grader_flags` in a `testdata.yaml` here",
                );
            }
            let group = self.group(&path, Some(parent), Rules::Grader(rules.clone()), Inherited::default());
            let names = self.case_files(&folder, report);
            let mut children: Vec<(String, bool)> = names.into_iter().map(|name| (name, false)).collect();
            let folders =
                self.tree.names(&folder).filter(|(name, is_folder)| *is_folder && !name.ends_with(".files"));
            children.extend(folders.map(|(name, _)| (name.to_owned(), true)));
            children.sort();
            // Groups are numbered when they are visited; a place is kept for each.
            let mut groups = Vec::new();
            for (name, is_group) in children {
                let below = format!("{path}/{name}");
                if is_group {
                    groups.push((group, below, rules.clone()));
                } else if let Some(case) = self.legacy_case(&below, group, &rules, report) {
                    self.push_case(case, group);
                }
            }
            waiting.extend(groups.into_iter().rev());
        }
        // Children in the order of their names: cases and groups mixed.
        let names: Vec<String> = self.data.groups.iter().map(|group| group.path.clone()).collect();
        let cases: Vec<String> = self.data.cases.iter().map(|case| case.name.clone()).collect();
        for group in &mut self.data.groups {
            group.children.sort_by_key(|child| match child {
                Child::Group(at) => names.get(*at).cloned(),
                Child::Case(at) => cases.get(*at).cloned(),
            });
        }
    }

    fn push_case(&mut self, case: Case, group: usize) {
        let index = self.data.cases.len();
        self.data.cases.push(case);
        if let Some(group) = self.data.groups.get_mut(group) {
            group.children.push(Child::Case(index));
        }
    }

    fn legacy_case(
        &self,
        name: &str,
        group: usize,
        rules: &GraderRules,
        report: &mut Report,
    ) -> Option<Case> {
        let path = format!("data/{name}");
        let mut output_validator_args = self.problem.validator_flags.clone();
        output_validator_args.extend(rules.output_validator_flags.iter().cloned());
        let text = |ending: &str| {
            let file = self.tree.file(&format!("{path}{ending}"))?;
            Some(String::from_utf8_lossy(&file.bytes).trim_end().to_owned())
        };
        let answer = self.answer(&path, report)?;
        Some(Case {
            name: name.to_owned(),
            group,
            input: format!("{path}.in"),
            answer,
            files: Vec::new(),
            args: Vec::new(),
            input_validator_args: rules.input_validator_flags.clone(),
            output_validator_args,
            full_feedback: name.starts_with("sample/"),
            hint: text(".hint"),
            description: text(".desc"),
        })
    }

    fn answer(&self, path: &str, report: &mut Report) -> Option<String> {
        let answer = format!("{path}.ans");
        if self.tree.file(&answer).is_none() {
            let message = "there is no answer to this input; the case is left out";
            report.error("no-answer", &format!("{path}.in"), message, "add the file that ends in `.ans`");
            return None;
        }
        Some(answer)
    }

    fn grader_rules(&self, folder: &str, above: &GraderRules, report: &mut Report) -> GraderRules {
        let mut rules = above.clone();
        let icpc = self.problem.version == Version::LegacyIcpc;
        let path = format!("{folder}/testdata.yaml");
        if icpc && self.tree.file(&path).is_some() {
            report.error(
                "not-in-icpc",
                &path,
                "legacy-icpc has no groups",
                "declare `legacy`, or remove the file",
            );
        }
        let Some(document) = self.document(&path, report) else { return rules };
        let Some(mut keys) = document.keys(report) else { return rules };
        if let Some(entry) = keys.take("on_reject") {
            match entry.text(report).as_deref() {
                Some("break") => rules.breaks = true,
                Some("continue") => rules.breaks = false,
                None => {}
                Some(_) => {
                    entry.error("on-reject", "expected `break` or `continue`", "write one of them", report)
                }
            }
        }
        if let Some(entry) = keys.take("grading") {
            match entry.text(report).as_deref() {
                Some("default") => rules.custom = false,
                Some("custom") => rules.custom = true,
                None => {}
                Some(_) => {
                    entry.error("grading", "expected `default` or `custom`", "write one of them", report)
                }
            }
        }
        if let Some(entry) = keys.take("grader_flags") {
            rules.grader_flags = entry.words(report).unwrap_or_default();
            if !rules.custom
                && let Some(bad) = crate::grader::unknown_flag(&rules.grader_flags)
            {
                let known = crate::grader::FLAGS.join(", ");
                let message = format!("the default grader has no argument number {}", bad + 1);
                entry.error("grader-flag", &message, &format!("use {known}"), report);
            }
        }
        if let Some(entry) = keys.take("input_validator_flags") {
            rules.input_validator_flags = match named_flags(&entry, report) {
                (Some(name), flags) => ValidatorArgs::ByName(vec![(name, flags)]),
                (None, flags) => ValidatorArgs::All(flags),
            };
        }
        if let Some(entry) = keys.take("output_validator_flags") {
            let (name, flags) = named_flags(&entry, report);
            rules.output_validator = name;
            rules.output_validator_flags = flags;
        }
        let mut score = |name: &'static str, place: &mut Ratio, report: &mut Report| {
            if let Some(entry) = keys.take(name) {
                self.scoring_only(&entry, report);
                if let Some(number) = entry.number(report) {
                    *place = Ratio::from_decimal(&number);
                }
            }
        };
        score("accept_score", &mut rules.accept_score, report);
        score("reject_score", &mut rules.reject_score, report);
        if let Some(entry) = keys.take("range") {
            self.scoring_only(&entry, report);
            match range(&entry) {
                Some(range) => rules.range = range,
                None => {
                    let help = "write the smallest and the greatest score, such as `0 100` or `-inf +inf`";
                    entry.error("score-range", "expected two numbers, the smaller one first", help, report);
                }
            }
        }
        let args = "legacy has `input_validator_flags` and `output_validator_flags`";
        keys.close(&[("input_validator_args", args), ("output_validator_args", args)], report);
        rules
    }

    fn scoring_only(&self, entry: &Entry<'_>, report: &mut Report) {
        if !self.problem.kind.scoring {
            let message = "scores belong to scoring problems";
            entry.error(
                "not-scoring",
                message,
                "remove it, or add `type: scoring` to `problem.yaml`",
                report,
            );
        }
    }

    // ---- 2025-09 ----

    fn flat(&mut self, report: &mut Report) {
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
                    "`data` has the folders sample, secret, invalid_input, invalid_output, valid_output",
                    "move it away; configuration is in `test_group.yaml` of a group",
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
        let static_of_secret = rules.static_case.is_some();
        let secret = self.group("secret", Some(root), Rules::Flat(rules), inherited.clone());
        self.require(secret, require, report);
        let groups: Vec<String> = self
            .tree
            .names("data/secret")
            .filter(|(name, folder)| *folder && !name.ends_with(".files"))
            .map(|(name, _)| format!("secret/{name}"))
            .collect();
        let direct = self.tree.names("data/secret").any(|(name, folder)| !folder && name.ends_with(".in"));
        if direct && !groups.is_empty() {
            let message = "`data/secret` has both cases and groups";
            report.error(
                "cases-and-groups",
                "data/secret",
                message,
                "move all cases into groups, or all out of them",
            );
        }
        if direct || groups.is_empty() {
            self.flat_cases(secret, "secret", report);
        }
        let mut sum = Some(Ratio::zero());
        let mut least: Option<Ratio> = None;
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
        if scoring && !groups.is_empty() && !static_of_secret {
            let reachable = match secret_aggregation {
                Aggregation::Sum => sum,
                Aggregation::Min => least,
                Aggregation::PassFail => None,
            };
            if let (Some(reachable), Some(max)) = (reachable, secret_max) {
                if reachable < max {
                    let message = format!("the groups reach {reachable} of the {max} that `secret` has");
                    report.warning(
                        "unreachable-score",
                        "data/secret",
                        &message,
                        "make the `max_score`s add up",
                    );
                } else if reachable > max {
                    let message = format!("the groups reach {reachable}, more than the {max} of `secret`");
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

    /// Rules of a group, what its cases inherit, and the names in `require_pass`.
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
            report.error(
                "old-name",
                &old,
                "2025-09 has `test_group.yaml`; this file is not read",
                "rename it",
            );
        }
        let Some(document) = self.document(&file, report) else { return (rules, inherited, require) };
        let Some(mut keys) = document.keys(report) else { return (rules, inherited, require) };
        let sample = path == "sample";
        let scoring_key = |entry: &Entry<'_>, report: &mut Report| {
            if sample {
                entry.error("not-in-sample", "samples never score", "remove the key", report);
            } else if !self.problem.kind.scoring {
                let message = "pass-fail problems have no scores";
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
            let args = static_args.as_ref().and_then(|entry| entry.texts(report)).unwrap_or_default();
            rules.static_case = Some(StaticCase { max_score, args });
        } else if let Some(entry) = static_args {
            let message = "`static_validator_args` without `static_validation_score`";
            entry.error("static-score", message, "add the score, or remove the arguments", report);
        }
        case_keys(&mut keys, &mut inherited, report);
        keys.close(
            &[("on_reject", "2025-09 always goes on"), ("grader_flags", "2025-09 has `score_aggregation`")],
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
                    let message = "`require_pass` names a group with another aggregation than `pass-fail`";
                    report.error("require-pass", &file, message, "name groups with `pass-fail`");
                }
                _ => {
                    let message = "`require_pass` names no earlier group";
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

    /// The cases of a group, also those in plain folders below it.
    fn flat_cases(&mut self, group: usize, path: &str, report: &mut Report) {
        let mut waiting = vec![path.to_owned()];
        let mut found = Vec::new();
        while let Some(folder) = waiting.pop() {
            let place = format!("data/{folder}");
            if folder != path {
                for name in ["test_group.yaml", "testdata.yaml"] {
                    if self.tree.file(&format!("{place}/{name}")).is_some() {
                        let message = "groups do not nest; this file is not read";
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
            hint,
            description,
        })
    }

    fn files_of(&self, path: &str) -> Vec<String> {
        let folder = format!("{path}.files");
        self.tree.below(&folder).map(|(below, _)| format!("{folder}/{below}")).collect()
    }

    fn case_yaml(
        &self,
        path: &str,
        mut inherited: Inherited,
        report: &mut Report,
    ) -> (Inherited, Option<String>, Option<String>) {
        let (mut hint, mut description) = (None, None);
        let file = format!("{path}.yaml");
        if let Some(source) = self.tree.file(&file)
            && let Some(document) = Document::parse(&file, &source.bytes, report)
            && let Some(mut keys) = document.keys(report)
        {
            hint = keys.take("hint").and_then(|entry| entry.text(report));
            description = keys.take("description").and_then(|entry| entry.text(report));
            case_keys(&mut keys, &mut inherited, report);
            keys.close(&[], report);
        }
        (inherited, hint, description)
    }

    fn validator_cases(&mut self, report: &mut Report) {
        for (name, kind) in [
            ("invalid_input", ValidatorCaseKind::InvalidInput),
            ("invalid_output", ValidatorCaseKind::InvalidOutput),
            ("valid_output", ValidatorCaseKind::ValidOutput),
        ] {
            let mut waiting = vec![(name.to_owned(), Inherited::default())];
            while let Some((folder, above)) = waiting.pop() {
                let place = format!("data/{folder}");
                let mut inherited = above;
                if let Some(document) = self.document(&format!("{place}/test_group.yaml"), report)
                    && let Some(mut keys) = document.keys(report)
                {
                    keys.take("description");
                    case_keys(&mut keys, &mut inherited, report);
                    keys.close(&[], report);
                }
                for (below, is_folder) in self.tree.names(&place) {
                    if is_folder && !below.ends_with(".files") {
                        waiting.push((format!("{folder}/{below}"), inherited.clone()));
                    }
                }
                let inputs = self
                    .tree
                    .names(&place)
                    .filter_map(|(name, folder)| name.strip_suffix(".in").filter(|_| !folder));
                for base in inputs.collect::<Vec<_>>() {
                    let path = format!("{place}/{base}");
                    let (inherited, ..) = self.case_yaml(&path, inherited.clone(), report);
                    let answer_and_output = (format!("{path}.ans"), format!("{path}.out"));
                    let complete = self.tree.file(&answer_and_output.0).is_some()
                        && self.tree.file(&answer_and_output.1).is_some();
                    let outputs = kind != ValidatorCaseKind::InvalidInput;
                    if outputs && !complete {
                        let message = "the case needs an answer and an output";
                        report.error(
                            "no-answer",
                            &format!("{path}.in"),
                            message,
                            "add the files that end in `.ans` and `.out`",
                        );
                        continue;
                    }
                    if outputs && self.problem.kind.interactive {
                        let message =
                            "interactive problems have no outputs to validate; the case is left out";
                        report.warning("interactive-output", &path, message, "remove it");
                        continue;
                    }
                    self.data.validator_cases.push(ValidatorCase {
                        name: format!("{folder}/{base}"),
                        kind,
                        input: format!("{path}.in"),
                        answer_and_output: outputs.then_some(answer_and_output),
                        files: self.files_of(&path),
                        args: inherited.args,
                        input_validator_args: inherited.input_validator_args,
                        output_validator_args: inherited.output_validator_args,
                    });
                }
            }
        }
        self.data.validator_cases.sort_by(|a, b| a.name.cmp(&b.name));
    }

    // ---- both ----

    /// Names of the cases of a folder, sorted; reports files that belong to none.
    fn case_files(&self, folder: &str, report: &mut Report) -> BTreeSet<String> {
        let mut endings: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, is_folder) in self.tree.names(folder) {
            if matches!(name, "testdata.yaml" | "test_group.yaml") || (is_folder && !name.ends_with(".files"))
            {
                continue;
            }
            let ending = ENDINGS.iter().find(|ending| name.ends_with(*ending));
            match ending.and_then(|ending| Some((name.strip_suffix(ending)?, *ending))) {
                Some((base, ending)) => {
                    endings.entry(base).or_default().insert(ending);
                }
                None => {
                    let message = "the file belongs to no test case";
                    report.info("unused-file", &format!("{folder}/{name}"), message, "move it away");
                }
            }
        }
        let mut names = BTreeSet::new();
        let current = self.problem.version == Version::V2025_09;
        for (base, endings) in endings {
            let path = format!("{folder}/{base}");
            let has = |ending: &str| endings.contains(ending);
            if base.is_empty() {
                report.error("file-name", &path, "a case without a name", "name it");
                continue;
            }
            if !has(".in") {
                // Samples that are only shown.
                if current || !(has(".interaction") && endings.len() == 1) {
                    let message = "these files belong to no input";
                    let help = "add the file that ends in `.in`, or remove them";
                    report.error("no-input", &path, message, help);
                }
                continue;
            }
            if [".png", ".jpg", ".jpeg", ".svg"].iter().filter(|ending| has(ending)).count() > 1 {
                report.error("illustrations", &path, "a case has at most one illustration", "keep one");
            }
            if current {
                if has(".out") && has(".ans.statement") {
                    let message = "`.out` and `.ans.statement` are both there";
                    report.error("sample-files", &path, message, "keep one of them");
                }
                if has(".interaction")
                    && [".in.statement", ".ans.statement", ".out"].iter().any(|ending| has(ending))
                {
                    let message = "beside `.interaction` nothing else is shown";
                    report.error(
                        "sample-files",
                        &path,
                        message,
                        "remove `.in.statement`, `.ans.statement` and `.out`",
                    );
                }
                for (one, other) in [(".in.download", ".in.statement"), (".ans.download", ".ans.statement")] {
                    if has(one) != has(other) {
                        let message = format!("`{one}` and `{other}` go together");
                        report.error("sample-files", &path, &message, "add the other one, or remove both");
                    }
                }
            } else if self.problem.kind.interactive
                && path.starts_with("data/sample/")
                && !has(".interaction")
            {
                let message = "a sample of an interactive problem needs a `.interaction`";
                report.warning("no-interaction", &path, message, "add one, for the statement");
            }
            names.insert(base.to_owned());
        }
        names
    }
}

fn case_keys(keys: &mut Keys<'_>, inherited: &mut Inherited, report: &mut Report) {
    if let Some(args) = keys.take("args").and_then(|entry| entry.texts(report)) {
        inherited.args = args;
    }
    if let Some(entry) = keys.take("input_validator_args") {
        inherited.input_validator_args = match entry.value {
            Json::Object(_) => {
                let fields = entry.keys(report).map(|keys| keys.all()).unwrap_or_default();
                let args = |(name, entry): (&str, Entry<'_>)| Some((name.to_owned(), entry.texts(report)?));
                ValidatorArgs::ByName(fields.into_iter().filter_map(args).collect())
            }
            _ => ValidatorArgs::All(entry.texts(report).unwrap_or_default()),
        };
    }
    if let Some(args) = keys.take("output_validator_args").and_then(|entry| entry.texts(report)) {
        inherited.output_validator_args = args;
    }
    for name in ["input_visualizer_args", "output_visualizer_args"] {
        if let Some(entry) = keys.take(name) {
            entry.texts(report);
        }
    }
    if let Some(value) = keys.take("full_feedback").and_then(|entry| entry.boolean(report)) {
        inherited.full_feedback = value;
    }
}

/// Flags as text, or with the name of the validator they are for.
fn named_flags(entry: &Entry<'_>, report: &mut Report) -> (Option<String>, Vec<String>) {
    if let Json::Object(_) = entry.value
        && let Some(mut keys) = entry.keys(report)
    {
        let name = keys.take("name").and_then(|entry| entry.text(report));
        let flags = keys.take("flags").and_then(|entry| entry.words(report)).unwrap_or_default();
        keys.close(&[], report);
        return (name, flags);
    }
    (None, entry.words(report).unwrap_or_default())
}

type Range = (Option<Ratio>, Option<Ratio>);

fn range(entry: &Entry<'_>) -> Option<Range> {
    let text = entry.scalar()?;
    let mut words = text.split_whitespace();
    let bound = |word: &str, infinite: &[&str]| {
        if infinite.contains(&word) {
            return Some(None);
        }
        fablegrade_public::Decimal::from_text(word).ok().map(|number| Some(Ratio::from_decimal(&number)))
    };
    let least = bound(words.next()?, &["-inf"])?;
    let most = bound(words.next()?, &["inf", "+inf"])?;
    let ordered = least.as_ref().zip(most.as_ref()).is_none_or(|(least, most)| least <= most);
    (words.next().is_none() && ordered).then_some((least, most))
}
