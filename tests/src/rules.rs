//! The rules that the source can report, found by reading it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::repository;

/// The ways in which the source reports a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Reported as a finding: an error, a warning or a remark.
    Finding,
    /// Reported to a learner as the reason why a submission was refused.
    Refusal,
    /// Both.
    Both,
}

/// Returns every rule that `fablegrade-public` and `fablegrade-core` can report.
pub fn rules_of_the_source() -> BTreeMap<String, Rule> {
    rules_of(&["fablegrade-public/src", "fablegrade-core/src"])
}

/// Returns every rule that the sources in these folders can report.
///
/// A rule is found by its form. It is a text in kebab case at one of these places:
/// - the first argument of `Finding::...` or `Refusal::new`
/// - the value of a variable or field `rule`
/// - the beginning of a tuple whose next element is a text
pub fn rules_of(folders: &[&str]) -> BTreeMap<String, Rule> {
    let mut rules = BTreeMap::new();
    for folder in folders {
        read_folder(&repository().join(folder), &mut rules);
    }
    rules
}

fn read_folder(folder: &Path, rules: &mut BTreeMap<String, Rule>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            read_folder(&path, rules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable file");
            read_source(text.split("#[cfg(test)]").next().unwrap_or_default(), rules);
        }
    }
}

fn read_source(text: &str, rules: &mut BTreeMap<String, Rule>) {
    let mut add = |name: &str, rule: Rule| {
        let known = rules.entry(name.to_owned()).or_insert(rule);
        if *known != rule {
            *known = Rule::Both;
        }
    };
    let findings = ["Finding::error(", "Finding::warning(", "Finding::info(", "let rule =", "rule:"];
    for (mark, rule) in
        findings.map(|mark| (mark, Rule::Finding)).into_iter().chain([("Refusal::new(", Rule::Refusal)])
    {
        for (at, _) in text.match_indices(mark) {
            let rest = &text[at + mark.len()..];
            let end = rest.find([',', ';']).unwrap_or(rest.len());
            for name in kebab_texts(&rest[..end]) {
                add(name, rule);
            }
        }
    }
    // Tuples, and reports through functions of the file, such as ("the-rule", "the message" ...
    for (at, _) in text.match_indices('(') {
        let before = text[..at].trim_end();
        if ["step", "Refusal::new", "Remark::new", "say", "Sentence::error", "Sentence::hint"]
            .iter()
            .any(|end| before.ends_with(end))
        {
            continue;
        }
        let rest = text[at + 1..].trim_start();
        let Some(name) = kebab_texts(rest).next().filter(|name| rest[1..].starts_with(*name)) else {
            continue;
        };
        let after = rest[name.len() + 2..].trim_start();
        if after.strip_prefix(',').is_some_and(|after| after.trim_start().starts_with('"')) {
            add(name, Rule::Finding);
        }
    }
}

/// Returns the texts in double quotes that are words joined by hyphens.
fn kebab_texts(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2).filter(|word| {
        word.contains('-')
            && word.split('-').all(|part| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            })
    })
}
