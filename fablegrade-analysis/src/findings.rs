//! Defects of items that the figures show.

use serde::Serialize;

use crate::report::{ItemReport, OptionReport};

/// A probable defect of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The item.
    pub item: String,
    /// A stable name of the rule.
    pub rule: &'static str,
    /// What it is about, as a JSON pointer into the item's report.
    pub pointer: String,
    /// The evidence.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

/// Fewest answers to an item for a finding: below, chance explains too much.
const FEWEST: u64 = 30;
/// Fewest choices of an option for a comparison of means.
const FEWEST_CHOICES: u64 = 5;
/// A correlation with the rest score below this does not discriminate (R. L. Ebel and D. A. Frisbie, *Essentials of
/// Educational Measurement*, 5th edition, 1991: items below 0.20 are poor).
const DISCRIMINATES: f64 = 0.20;

/// All findings, in the order of the items.
pub(crate) fn of(reports: &[ItemReport]) -> Vec<Finding> {
    let mut found = Vec::new();
    for report in reports.iter().filter(|report| report.attempts >= FEWEST) {
        discrimination(report, &mut found);
        options(report, &mut found);
    }
    found
}

fn discrimination(report: &ItemReport, found: &mut Vec<Finding>) {
    let Some(value) = report.discrimination.value().filter(|&value| value < DISCRIMINATES) else { return };
    let (rule, help) = if value < 0.0 {
        ("negative-discrimination", "check the key: learners who do well elsewhere do worse here")
    } else {
        ("low-discrimination", "check whether the item is ambiguous, guessed, or about another subject")
    };
    found.push(Finding {
        item: report.item.clone(),
        rule,
        pointer: "/discrimination".into(),
        message: format!(
            "the correlation with the rest score is {value:.3} over {} answers",
            report.attempts
        ),
        help,
    });
}

fn options(report: &ItemReport, found: &mut Vec<Finding>) {
    let listed = || report.options.iter().enumerate();
    let mean = |option: &OptionReport| option.mean_rest.value().filter(|_| option.count >= FEWEST_CHOICES);
    // The best of the key: a question with several right options is suspect only when a wrong one beats them all.
    let best = listed()
        .filter(|(_, option)| option.key == Some(true))
        .filter_map(|(_, option)| mean(option))
        .max_by(f64::total_cmp);
    for (at, option) in listed().filter(|(_, option)| option.key == Some(false)) {
        let mut push = |rule, message, help| {
            found.push(Finding {
                item: report.item.clone(),
                rule,
                pointer: format!("/options/{at}"),
                message,
                help,
            });
        };
        let name = &option.option;
        if option.count == 0 {
            push(
                "distractor-unused",
                format!("none of {} learners chose {name:?}", report.attempts),
                "replace the option by a mistake that learners make",
            );
        } else if let (Some(wrong), Some(right)) = (mean(option), best)
            && wrong > right
        {
            push(
                "key-contradicted",
                format!(
                    "those who chose {name:?} ({} learners) have a mean rest score of {wrong:.3}, those who chose the \
                     key {right:.3}",
                    option.count
                ),
                "check the key: put this option into it and compare by a regrade",
            );
        }
    }
    for (at, option) in listed().filter(|(_, option)| option.key == Some(true) && option.count == 0) {
        found.push(Finding {
            item: report.item.clone(),
            rule: "key-never-chosen",
            pointer: format!("/options/{at}"),
            message: format!(
                "none of {} learners chose {:?}, which belongs to the key",
                report.attempts, option.option
            ),
            help: "check the key and the wording",
        });
    }
}
