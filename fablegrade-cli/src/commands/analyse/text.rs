//! The report as text for a terminal.

use std::io::{self, Write};

use fablegrade_analysis::{Report, Statistic};

use super::counted;
use crate::console::{MIXED, NAME, QUIET, plain};

/// Maximum width to which item ids are padded. Longer ids are not truncated.
const WIDTH: usize = 32;

/// Formats a statistic with three decimals, or as a dash if it is undefined.
fn number(statistic: Statistic) -> String {
    statistic.value().map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// Writes the statistics of the test, a row per item, and the findings.
pub(super) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let test = &report.test;
    writeln!(out, "{}, {}", counted(test.sittings, "sitting"), counted(report.items.len() as u64, "item"))?;
    writeln!(
        out,
        "mean {}, standard deviation {}, skewness {}, kurtosis {}, alpha {}, standard error {}\n",
        number(test.mean),
        number(test.standard_deviation),
        number(test.skewness),
        number(test.kurtosis),
        number(test.alpha),
        number(test.standard_error)
    )?;
    let names: Vec<_> = report.items.iter().map(|item| plain(&item.item).to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(4, WIDTH);
    writeln!(
        out,
        "{NAME}{:width$}{NAME:#}  {QUIET}attempts  facility  discrimination  guess  blank  refused  seconds{QUIET:#}",
        "item"
    )?;
    for (item, name) in report.items.iter().zip(&names) {
        writeln!(
            out,
            "{NAME}{name:width$}{NAME:#}  {:>8}  {:>8}  {:>14}  {:>5}  {:>5}  {:>7}  {:>7}",
            item.attempts,
            number(item.facility),
            number(item.discrimination),
            number(item.random_guess),
            number(item.blank),
            number(item.refused),
            number(item.seconds)
        )?;
    }
    for finding in &report.findings {
        writeln!(
            out,
            "\n{MIXED}{}{MIXED:#}  {NAME}{}{NAME:#} {QUIET}{}{QUIET:#}\n  {}\n  {QUIET}{}{QUIET:#}",
            finding.rule,
            plain(&finding.item),
            plain(&finding.pointer),
            plain(&finding.message),
            finding.help
        )?;
        if let Some(fix) = &finding.fix {
            writeln!(out, "  {QUIET}fix: {}{QUIET:#}", plain(fix))?;
        }
    }
    Ok(())
}
