//! `fablegrade grade`: grades one submission.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use fablegrade_core::{AttemptResult, CaseVerdict, FeedbackSeverity, Verdict};

use crate::console::{BAD, Console, GOOD, MIXED, QUIET, plain};
use crate::documents::Documents;
use crate::exit::{Exit, Failure};
use crate::running::{RunArgs, run_and_grade, tell_trouble};

/// Grade one submission
///
/// The exit code is 0 if there is a result, whatever the verdict; with `--run`, it is 4 if the program could not be
/// run.
#[derive(Args)]
#[command(
    override_usage = "fablegrade grade [OPTIONS] <FILE>\n       fablegrade grade [OPTIONS] --spec <FILE> (--submission <FILE> | --attempt <FILE>)"
)]
pub(crate) struct Command {
    #[command(flatten)]
    documents: Documents,
    /// Run a code submission in the sandbox first
    #[arg(long, conflicts_with = "outcomes")]
    run: bool,
    /// Print the AttemptResult as canonical JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    run_args: RunArgs,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let (result, trouble) = if self.run {
            run_and_grade(&self.documents, &self.run_args, console.is_quiet())?
        } else {
            self.run_args.only_with_run()?;
            (self.documents.with(|answer, grader| answer.grade(grader))?, None)
        };
        if self.json {
            writeln!(console.out, "{}", result.to_json())?;
        } else {
            write_result(&mut console.out, &result)?;
        }
        tell_trouble(console, trouble)
    }
}

/// Writes a result as text: verdict, score and origin of the grade, then feedback and test cases.
pub(crate) fn write_result(out: &mut impl Write, result: &AttemptResult) -> io::Result<()> {
    let style = verdict_style(result.verdict);
    write!(out, "{style}{}{style:#}", result.verdict.as_str())?;
    if let Some(score) = result.score {
        write!(out, "  {}", two_places(score))?;
    }
    write!(out, "   {QUIET}{}{QUIET:#}", result.graded_by.as_str())?;
    if let Some(penalty) = result.score_penalty_applied {
        write!(out, "   {QUIET}{} deducted for hints{QUIET:#}", two_places(penalty))?;
    }
    writeln!(out)?;
    for feedback in &result.feedback {
        let style = match feedback.severity() {
            FeedbackSeverity::Info => QUIET,
            FeedbackSeverity::Hint => MIXED,
            FeedbackSeverity::Error => BAD,
        };
        let mut lines = feedback.message().lines();
        let first = lines.next().unwrap_or_default();
        writeln!(out, "  {style}{:5}{style:#}  {}", feedback.severity().as_str(), plain(first))?;
        for line in lines {
            writeln!(out, "         {}", plain(line))?;
        }
    }
    let width = |length: fn(&str) -> usize, of: fn(&fablegrade_core::CodeResult) -> &str| {
        result.code_results.iter().map(|case| length(of(case))).max().unwrap_or(0)
    };
    let suite = width(|text| plain(text).chars().count(), |case| &case.suite);
    for case in &result.code_results {
        let style = if case.verdict == CaseVerdict::Passed { GOOD } else { BAD };
        write!(
            out,
            "  {style}{:15}{style:#}  {:suite$}  {:3}",
            case.verdict.as_str(),
            plain(&case.suite),
            case.case_index
        )?;
        if let Some(name) = &case.case_name {
            write!(out, "  {}", plain(name))?;
        }
        if let Some(time) = case.time_ms {
            write!(out, "  {QUIET}{time} ms{QUIET:#}")?;
        }
        if let Some(memory) = case.memory_kb {
            write!(out, "  {QUIET}{memory} KiB{QUIET:#}")?;
        }
        writeln!(out)?;
        for excerpt in [&case.diff_excerpt, &case.stderr_excerpt].into_iter().flatten() {
            for line in excerpt.lines() {
                writeln!(out, "      {QUIET}{}{QUIET:#}", plain(line))?;
            }
        }
    }
    Ok(())
}

/// Returns the colour of a verdict.
pub(crate) const fn verdict_style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Correct => GOOD,
        Verdict::Partial => MIXED,
        Verdict::Incorrect | Verdict::Error => BAD,
        Verdict::Pending => QUIET,
    }
}

/// Formats a score with two decimals, or exactly if rounding would turn it into 0 or 1.
fn two_places(score: f64) -> String {
    let text = format!("{score:.2}");
    let rounded_away = (text == "1.00" && score < 1.0) || (text == "0.00" && score > 0.0);
    if rounded_away { score.to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::two_places;

    #[test]
    fn rounding_never_makes_a_score_full_or_empty() {
        assert_eq!(two_places(1.0), "1.00");
        assert_eq!(two_places(0.999), "0.999");
        assert_eq!(two_places(0.001), "0.001");
        assert_eq!(two_places(2.0 / 3.0), "0.67");
    }
}
