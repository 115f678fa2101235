//! Reads `data/` of legacy packages: a tree of groups, with `testdata.yaml` at any level.

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use super::{Inherited, Reader};
use crate::Version;
use crate::data::{Case, Child, GraderRules, Rules, ValidatorArgs};
use crate::package::document::{Entry, Report};

impl Reader<'_, '_> {
    pub(super) fn tree_of_groups(&mut self, report: &mut Report) {
        let rules = self.grader_rules("data", &GraderRules::default(), report);
        let root = self.group("", None, Rules::Grader(rules.clone()), Inherited::default());
        for (name, folder) in self.tree.names("data") {
            match name {
                "sample" | "secret" if folder => {}
                "testdata.yaml" => {}
                _ => report.warning(
                    "unused-file",
                    &format!("data/{name}"),
                    "`data` may only have the folders `sample` and `secret`, and `testdata.yaml`",
                    "move it away",
                ),
            }
        }
        // Folders to visit: parent group, path below `data/`, inherited rules.
        let mut waiting = Vec::new();
        for name in ["secret", "sample"] {
            if self.tree.has_folder(&format!("data/{name}")) {
                waiting.push((root, name.to_owned(), rules.clone()));
            }
        }
        while let Some((parent, path, above)) = waiting.pop() {
            let folder = format!("data/{path}");
            let rules = self.grader_rules(&folder, &above, report);
            if rules.ignores_sample() {
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
            if path.starts_with("secret/") && children.is_empty() {
                let message = "the group has neither test cases nor groups";
                report.warning("empty-group", &folder, message, "add a test case, or remove the folder");
            }
            // Subgroups are numbered when they are visited, after this loop.
            let mut groups = Vec::new();
            for (name, is_group) in children {
                let below = format!("{path}/{name}");
                if is_group {
                    if self.problem.version == Version::LegacyIcpc {
                        report.warning(
                            "not-in-icpc",
                            &format!("data/{below}"),
                            "the legacy-icpc format has no groups",
                            "declare `legacy`, or move the cases up",
                        );
                    }
                    groups.push((group, below, rules.clone()));
                } else if let Some(case) = self.legacy_case(&below, group, &rules, report) {
                    self.push_case(case, group);
                }
            }
            waiting.extend(groups.into_iter().rev());
        }
        // Sorts children by name, cases and groups mixed.
        let names: Vec<String> = self.data.groups.iter().map(|group| group.path.clone()).collect();
        let cases: Vec<String> = self.data.cases.iter().map(|case| case.name.clone()).collect();
        for group in &mut self.data.groups {
            group.children.sort_by_key(|child| match child {
                Child::Group(at) => names.get(*at).cloned(),
                Child::Case(at) => cases.get(*at).cloned(),
            });
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
            origin: rules.origin.clone(),
            full_feedback: name.starts_with("sample/"),
            hint: text(".hint"),
            description: text(".desc"),
        })
    }

    fn grader_rules(&self, folder: &str, above: &GraderRules, report: &mut Report) -> GraderRules {
        let mut rules = above.clone();
        let icpc = self.problem.version == Version::LegacyIcpc;
        let path = format!("{folder}/testdata.yaml");
        if icpc && self.tree.file(&path).is_some() {
            report.error(
                "not-in-icpc",
                &path,
                "the legacy-icpc format has no groups",
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
            rules.origin.input = entry.label();
            rules.input_validator_flags = match named_flags(&entry, report) {
                (Some(name), flags) => ValidatorArgs::ByName(vec![(name, flags)]),
                (None, flags) => ValidatorArgs::All(flags),
            };
        }
        if let Some(entry) = keys.take("output_validator_flags") {
            let (name, flags) = named_flags(&entry, report);
            rules.origin.output = entry.label();
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
        let args = "the legacy format has `input_validator_flags` and `output_validator_flags`";
        keys.close(&[("input_validator_args", args), ("output_validator_args", args)], report);
        rules
    }
}

/// Reads flags: text, or a map with the name of the validator that gets them.
fn named_flags(entry: &Entry<'_>, report: &mut Report) -> (Option<String>, Vec<String>) {
    if let Json::Object(_) = entry.value
        && let Some(mut keys) = entry.keys(report)
    {
        let name = keys.take("name").and_then(|entry| entry.text(report));
        if name.is_none() {
            let message = "a map of flags needs the `name` of the validator that gets them";
            entry.error("missing-key", message, "add it, or write the flags as text", report);
        }
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
