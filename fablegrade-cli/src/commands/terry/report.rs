//! Writes terry's findings, runs and results as text and as JSON.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::Style;
use fablegrade_core::Decimal;
use fablegrade_core::json::Json;
use fablegrade_terry::evaluation::{Cause, Failure as Failed, Judged, Role};
use fablegrade_terry::result::{AlertSeverity, Status};
use fablegrade_terry::task::FileFinding;

use crate::console::{BAD, Console, GOOD, MIXED, NAME, QUIET, plain, severity_style};
use crate::exit::{Exit, Failure};

/// Formats `FILE:LINE POINTER`, with the parts that exist.
fn place(found: &FileFinding) -> String {
    let mut place = found.file.clone();
    if let Some(line) = found.line {
        let _ = write!(place, ":{line}");
    }
    if !found.finding.pointer.is_empty() {
        if !place.is_empty() {
            place.push(' ');
        }
        place.push_str(&found.finding.pointer);
    }
    plain(&place).into_owned()
}

/// Writes findings of files as a table.
pub(super) fn write_file_findings(console: &mut Console, findings: &[FileFinding]) -> Result<(), Failure> {
    let places: Vec<String> = findings.iter().map(place).collect();
    let place_width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0).min(44);
    let rule_width = findings.iter().map(|found| found.finding.rule.len()).max().unwrap_or(0);
    for (found, place) in findings.iter().zip(places) {
        let finding = &found.finding;
        let style = severity_style(finding.severity);
        writeln!(
            console.out,
            "{style}{:7}{style:#}  {:rule_width$}  {NAME}{place:place_width$}{NAME:#}  {}; {}",
            finding.severity.as_str(),
            finding.rule,
            plain(&finding.message),
            plain(&finding.help),
        )?;
    }
    Ok(())
}

/// Writes the result of a check: whether the documents are valid, and every finding.
pub(super) fn write_check(
    console: &mut Console,
    name: &str,
    findings: &[FileFinding],
    summary: &str,
    (key, document): (&str, Json),
    json: bool,
) -> Result<Exit, Failure> {
    let valid = !findings.iter().any(FileFinding::is_error);
    let exit = if valid { Exit::Done } else { Exit::Negative };
    if json {
        let answer = Json::build().with("valid", valid).with(key, document);
        writeln!(
            console.out,
            "{}",
            answer.with("findings", Json::array(findings.iter().map(FileFinding::to_json))).build()
        )?;
        return Ok(exit);
    }
    let (style, word) = if valid { (GOOD, "valid") } else { (BAD, "invalid") };
    writeln!(
        console.out,
        "{style}{word:7}{style:#}  {NAME}{}{NAME:#}  {QUIET}{summary}{QUIET:#}",
        plain(name)
    )?;
    write_file_findings(console, findings)?;
    Ok(exit)
}

/// Formats a score or share with two or four decimals, or exactly if rounding would show 0 or 1.
pub(super) fn share(score: &Decimal) -> String {
    let value = score.to_f64();
    let places = |count: usize| format!("{value:.count$}");
    let text = if Decimal::from_text(&places(2)).as_ref() == Ok(score) { places(2) } else { places(4) };
    let rounded_away = (text.starts_with('1') && value < 1.0) || (text == "0.0000" && value > 0.0);
    if rounded_away { value.to_string() } else { text }
}

/// Formats milliseconds as seconds.
pub(super) fn seconds(time_ms: Option<u64>) -> String {
    time_ms.map_or_else(|| "-".to_owned(), |time| format!("{:.2} s", time as f64 / 1000.0))
}

/// Formats KiB as MiB.
pub(super) fn mebibytes(memory_kb: Option<u64>) -> String {
    memory_kb.map_or_else(|| "-".to_owned(), |memory| format!("{:.1} MiB", memory as f64 / 1024.0))
}

/// Describes a failure in one or two words.
pub(super) fn failure_word(failure: &Failed) -> String {
    match failure {
        Failed::Program { role: Role::Solution, cause, .. } => match cause {
            Cause::Exit(code) => format!("exit {code}"),
            Cause::Signal(signal) => format!("signal {signal}"),
            Cause::Time => "time".to_owned(),
            Cause::Memory => "memory".to_owned(),
            Cause::Output => "output".to_owned(),
            Cause::Build(_) => "build".to_owned(),
        },
        Failed::Program { role: Role::Validator, cause: Cause::Exit(_), .. } => "input".to_owned(),
        Failed::Host { .. } => "host".to_owned(),
        other => other.role().as_str().to_owned(),
    }
}

/// Writes the last lines of a failed program's own message, dimmed and indented.
pub(super) fn write_error_output(console: &mut Console, failure: &Failed) -> Result<(), Failure> {
    const LINES: usize = 4;
    let lines: Vec<&str> = failure.said().lines().filter(|line| !line.trim().is_empty()).collect();
    for line in lines.iter().skip(lines.len().saturating_sub(LINES)) {
        let line: String = line.chars().take(160).collect();
        writeln!(console.out, "      {QUIET}{}{QUIET:#}", plain(&line))?;
    }
    Ok(())
}

/// Writes a judged output as text: points, cases, alerts, subtasks.
pub(super) fn write_judged(console: &mut Console, judged: &Judged) -> Result<(), Failure> {
    let score = judged.result.score();
    let style = score_style(score);
    writeln!(
        console.out,
        "{style}{} / {} points{style:#}   {QUIET}{}{QUIET:#}",
        judged.points,
        judged.max_score,
        share(score)
    )?;
    write_cases(console, judged, true)?;
    for (at, subtask) in judged.result.subtasks().iter().enumerate() {
        let labels = plain(&subtask.labels.join(", ")).into_owned();
        writeln!(
            console.out,
            "  subtask {:3}  {:>9}  {}",
            at + 1,
            format!("{} / {}", subtask.score, subtask.max_score),
            labels
        )?;
    }
    Ok(())
}

/// Writes only what a contestant can see before confirming.
pub(super) fn write_validation(console: &mut Console, judged: &Judged) -> Result<(), Failure> {
    write_cases(console, judged, false)
}

fn write_cases(console: &mut Console, judged: &Judged, confirmed: bool) -> Result<(), Failure> {
    let feedback = judged.result.feedback();
    for (at, case) in judged.result.validation().cases.iter().enumerate() {
        let style = match case.status {
            Status::Parsed => QUIET,
            Status::Missing => MIXED,
            Status::Invalid => BAD,
        };
        write!(console.out, "  {:4}  {style}{:7}{style:#}", at + 1, case.status.as_str())?;
        let mut messages = vec![case.message.as_deref()];
        if let Some(judged) = feedback.cases.get(at).filter(|_| confirmed) {
            let (style, word) = if judged.correct { (GOOD, "correct") } else { (BAD, "wrong") };
            write!(console.out, "  {style}{word:7}{style:#}")?;
            messages.push(judged.message.as_deref());
        }
        let messages: Vec<_> = messages.into_iter().flatten().map(one_line).collect();
        writeln!(console.out, "  {}", messages.join("  ·  "))?;
    }
    let after = feedback.alerts.iter().filter(|_| confirmed);
    for alert in judged.result.validation().alerts.iter().chain(after) {
        let style = match alert.severity {
            AlertSeverity::Success => GOOD,
            AlertSeverity::Warning => MIXED,
            AlertSeverity::Danger => BAD,
        };
        writeln!(
            console.out,
            "  {style}{:7}{style:#}  {}",
            alert.severity.as_str(),
            one_line(&alert.message)
        )?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let text = text.trim();
    let short: String = text.chars().take(160).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{}{more}", plain(&short))
}

/// Returns the colour of a score.
pub(super) fn score_style(score: &Decimal) -> Style {
    if *score == Decimal::one() {
        GOOD
    } else if score.is_zero() {
        BAD
    } else {
        MIXED
    }
}

/// A table of styled cells. The first column is left-aligned, and the others are right-aligned.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<(Style, String)>>,
}

impl Table {
    /// Adds the headings.
    pub(super) fn head(&mut self, cells: &[&str]) {
        self.rows.push(cells.iter().map(|cell| (QUIET, (*cell).to_owned())).collect());
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: Vec<(Style, String)>) {
        self.rows.push(cells.into_iter().map(|(style, cell)| (style, plain(&cell).into_owned())).collect());
    }

    /// Writes the table to the console.
    pub(super) fn write(&self, console: &mut Console) -> Result<(), Failure> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|(_, cell)| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (at, ((style, cell), width)) in row.iter().zip(&widths).enumerate() {
                let blanks = " ".repeat(width - cell.chars().count());
                let last = at + 1 == row.len();
                match at {
                    0 => {
                        let _ = write!(line, "{style}{cell}{style:#}{}", if last { "" } else { &blanks });
                    }
                    _ => {
                        let _ = write!(line, "  {blanks}{style}{cell}{style:#}");
                    }
                }
            }
            writeln!(console.out, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::share;
    use fablegrade_core::Decimal;

    #[test]
    fn a_share_never_rounds_to_all_or_nothing() {
        for (text, shown) in [
            ("1", "1.00"),
            ("0.5", "0.50"),
            ("0.333333", "0.3333"),
            ("0.99999", "0.99999"),
            ("0.00001", "0.00001"),
            ("0", "0.00"),
        ] {
            assert_eq!(share(&Decimal::from_text(text).unwrap()), shown);
        }
    }
}
