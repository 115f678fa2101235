//! Writes reports as JSON and CSV.

use std::fmt::Write as _;

use crate::report::{ItemReport, Report};
use crate::statistic::Statistic;

/// A CSV column: its name, and the statistic that it contains.
type Column = (&'static str, fn(&ItemReport) -> Statistic);

const COLUMNS: [Column; 9] = [
    ("facility", |item| item.facility),
    ("standardDeviation", |item| item.standard_deviation),
    ("discrimination", |item| item.discrimination),
    ("randomGuess", |item| item.random_guess),
    ("discriminativeEfficiency", |item| item.discriminative_efficiency),
    ("effectiveWeight", |item| item.effective_weight),
    ("blank", |item| item.blank),
    ("refused", |item| item.refused),
    ("seconds", |item| item.seconds),
];

impl Report {
    /// Returns the report as one line of JSON. Equal reports have equal bytes on every platform.
    pub fn to_json(&self) -> String {
        // This cannot fail: no map has keys other than strings.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// Returns the report as CSV (RFC 4180), with one row per item.
    ///
    /// A row has the item's id, its counts and statistics, and the rules of its findings. An undefined
    /// statistic is an empty field.
    pub fn to_csv(&self) -> String {
        let mut out = String::from("item,attempts,pending");
        for (name, _) in COLUMNS {
            out.push(',');
            out.push_str(name);
        }
        out.push_str(",findings\r\n");
        let mut findings = self.findings.iter().peekable();
        for item in &self.items {
            write_field(&item.item, &mut out);
            let _ = write!(out, ",{},{}", item.attempts, item.pending);
            for (_, statistic) in COLUMNS {
                out.push(',');
                if let Some(value) = statistic(item).value() {
                    let _ = write!(out, "{value}");
                }
            }
            let mut rules = Vec::new();
            while let Some(finding) = findings.next_if(|finding| finding.item == item.item) {
                if !rules.contains(&finding.rule) {
                    rules.push(finding.rule);
                }
            }
            out.push(',');
            out.push_str(&rules.join(" "));
            out.push_str("\r\n");
        }
        out
    }
}

fn write_field(text: &str, out: &mut String) {
    if text.contains(['"', ',', '\r', '\n']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}
