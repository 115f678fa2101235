//! Reports of the `check` commands: the validity of each document, and its findings.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Severity, has_errors};

use crate::console::{BAD, Console, GOOD, NAME, QUIET, plain, write_findings};
use crate::exit::Exit;

/// Writes the results of documents one by one, and keeps the exit code for all of them.
pub(crate) struct Report<'c> {
    console: &'c mut Console,
    /// The field for a document's name in JSON; `None` for text.
    json: Option<&'static str>,
    grouped: bool,
    exit: Exit,
}

impl<'c> Report<'c> {
    /// Creates an empty report. With `json`, `kind` is the name of the field that contains a document's name.
    pub(crate) fn new(console: &'c mut Console, kind: &'static str, json: bool) -> Self {
        Self { console, json: json.then_some(kind), grouped: false, exit: Exit::Done }
    }

    /// Shows errors first, and for each rule only the first warnings and notes, with a count of the others.
    ///
    /// JSON always has all findings.
    #[cfg(feature = "judgehost")]
    pub(crate) fn grouped(mut self) -> Self {
        self.grouped = true;
        self
    }

    /// Writes the result of a document: whether it conforms to its schema, and its findings.
    ///
    /// A finding that is an error also makes the document invalid, except in the JSON field `valid`.
    pub(crate) fn add(&mut self, name: &str, (conforms, findings): (bool, Vec<Finding>)) -> io::Result<()> {
        let valid = conforms && !has_errors(&findings);
        if !valid {
            self.exit = Exit::Negative;
        }
        if let Some(kind) = self.json {
            let answer = Json::build().with(kind, name).with("valid", conforms);
            return writeln!(
                self.console.out,
                "{}",
                answer.with("findings", Finding::list_to_json(&findings)).build()
            );
        }
        let (style, word) = if valid { (GOOD, "valid") } else { (BAD, "invalid") };
        writeln!(self.console.out, "{style}{word:7}{style:#}  {NAME}{}{NAME:#}", plain(name))?;
        if !self.grouped {
            return write_findings(&mut self.console.out, &findings);
        }
        let (shown, hidden) = group(findings);
        write_findings(&mut self.console.out, &shown)?;
        for (rule, count) in hidden {
            writeln!(self.console.out, "{QUIET}and {count} more of the rule {rule}{QUIET:#}")?;
        }
        Ok(())
    }

    /// Returns the exit code, which is not zero if a document is invalid.
    pub(crate) fn exit(self) -> Exit {
        self.exit
    }
}

/// Maximum number of findings per rule that are shown; errors are always shown.
const SHOWN: usize = 3;

/// Sorts findings by severity, and keeps all errors and the first findings of each rule.
///
/// Also returns the number of omitted findings by rule.
fn group(mut findings: Vec<Finding>) -> (Vec<Finding>, Vec<(String, usize)>) {
    findings.sort_by_key(|finding| match finding.severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Info => 2,
    });
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    findings.retain(|finding| {
        let count = counts.entry(finding.rule.to_string()).or_default();
        *count += 1;
        finding.severity == Severity::Error || *count <= SHOWN
    });
    let shown = |rule: &str| findings.iter().filter(|finding| finding.rule == rule).count();
    let hidden = counts.into_iter().map(|(rule, count)| (shown(&rule), rule, count));
    let hidden =
        hidden.filter(|(shown, _, count)| count > shown).map(|(shown, rule, count)| (rule, count - shown));
    let hidden = hidden.collect();
    (findings, hidden)
}

/// Returns the result for a document that cannot be parsed.
#[cfg(any(feature = "flowmcp", feature = "formspec"))]
pub(crate) fn unreadable(error: &fablegrade_core::Error) -> (bool, Vec<Finding>) {
    (false, error.findings().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_first_and_many_warnings_of_a_rule_are_counted() {
        let warning = |at: usize| Finding::warning("legacy-field", format!("/{at}"), "old", "rename it");
        let mut findings: Vec<Finding> = (0..40).map(warning).collect();
        findings.push(Finding::info("stage-settings", "", "read", "nothing"));
        findings.extend((0..5).map(|at| Finding::error("path-form", format!("/e{at}"), "no", "correct it")));
        let (shown, hidden) = group(findings);
        let rules: Vec<&str> = shown.iter().map(|finding| finding.rule).collect();
        let expected = [["path-form"; 5].as_slice(), &["legacy-field"; 3], &["stage-settings"]].concat();
        assert_eq!(rules, expected, "no error is left out");
        assert_eq!(hidden, [("legacy-field".to_owned(), 37)]);
    }
}
