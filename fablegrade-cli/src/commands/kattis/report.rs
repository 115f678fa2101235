//! Writes the results of `kattis verify` and `kattis judge` as tables and as JSON.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::Duration;

use anstyle::Style;
use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Severity, has_errors};
use fablegrade_kattis::data::Child;
use fablegrade_kattis::expectation::{Expected, LegacyFolder, Submission};
use fablegrade_kattis::judge::Judgement;
use fablegrade_kattis::{Package, Verdict};
use fablegrade_runner::kattis::{Verified, VerifiedSubmission};

use crate::console::{BAD, Console, GOOD, MIXED, NAME, QUIET, plain, write_findings};
use crate::exit::{Exit, Failure};

const fn style_of(verdict: Option<Verdict>) -> Style {
    match verdict {
        Some(Verdict::Accepted) => GOOD,
        Some(Verdict::JudgeError) | None => MIXED,
        Some(_) => BAD,
    }
}

fn word(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("-", Verdict::as_str)
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Maximum number of warnings per rule that appear above the table.
const WARNINGS: usize = 3;

/// Returns all errors, and the first warnings of each rule. A rule can report every file of a package.
fn to_show(findings: &[Finding]) -> Vec<Finding> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wanted = |finding: &&Finding| match finding.severity {
        Severity::Error => true,
        Severity::Warning => {
            let count = seen.entry(finding.rule.as_ref()).or_default();
            *count += 1;
            *count <= WARNINGS
        }
        Severity::Info => false,
    };
    findings.iter().filter(|finding| wanted(finding)).cloned().collect()
}

/// The results of `kattis verify`.
pub(super) struct Verification<'v> {
    pub(super) package: &'v Package,
    pub(super) findings: &'v [Finding],
    pub(super) verified: &'v Verified,
    pub(super) isolation: String,
}

impl Verification<'_> {
    fn runs(&self) -> impl Iterator<Item = (&Submission, &VerifiedSubmission)> {
        self.package.submissions.iter().zip(&self.verified.submissions)
    }

    pub(super) fn exit(&self) -> Exit {
        let unmet = self.runs().any(|(_, run)| !run.checked.unmet.is_empty());
        if unmet || has_errors(self.findings) || !self.verified.limit.errors.is_empty() {
            Exit::Negative
        } else if self.runs().any(|(_, run)| run.checked.undecided.is_some()) {
            Exit::Undecided
        } else {
            Exit::Done
        }
    }

    pub(super) fn write(&self, console: &mut Console) -> Result<(), Failure> {
        let (package, limit) = (self.package, &self.verified.limit);
        let out = &mut console.out;
        writeln!(
            out,
            "{NAME}{}{NAME:#}  {QUIET}{}  ·  {} cases  ·  {}{QUIET:#}\n",
            plain(&package.name),
            package.problem.version,
            package.cases.len(),
            plain(&self.isolation)
        )?;
        if !self.findings.is_empty() {
            let shown = to_show(self.findings);
            write_findings(out, &shown)?;
            let hidden = self.findings.len() - shown.len();
            if hidden > 0 {
                let findings = if hidden == 1 { "finding" } else { "findings" };
                writeln!(out, "{QUIET}{hidden} more {findings}: `--json` shows them all{QUIET:#}")?;
            }
            writeln!(out)?;
        }
        let width = self
            .runs()
            .map(|(submission, _)| submission.path.chars().count())
            .max()
            .unwrap_or(0)
            .clamp(10, 48);
        writeln!(
            out,
            "{QUIET}{:width$}  verdict  {:>8}  {:>10}  expected{QUIET:#}",
            "submission", "score", "slowest"
        )?;
        for (submission, run) in self.runs() {
            let verdict = run.at_limit.verdict;
            let style = style_of(verdict);
            let score = run.at_limit.score.as_ref().map_or_else(|| "-".to_owned(), score_text);
            let (mark, mark_style) = match &run.checked {
                checked if !checked.unmet.is_empty() => ("no", BAD),
                checked if checked.undecided.is_some() => ("?", MIXED),
                checked if !checked.warnings.is_empty() => ("yes, but", MIXED),
                _ => ("yes", GOOD),
            };
            writeln!(
                out,
                "{NAME}{:width$}{NAME:#}  {style}{:7}{style:#}  {score:>8}  {:>10}  {mark_style}{mark}{mark_style:#}",
                plain(&submission.path),
                word(verdict),
                seconds(run.at_limit.time),
            )?;
            let notes = run.checked.unmet.iter().chain(&run.checked.undecided).chain(&run.checked.warnings);
            for note in notes {
                let note: String = note.lines().next().unwrap_or_default().chars().take(200).collect();
                writeln!(out, "    {QUIET}{}{QUIET:#}", plain(&note))?;
            }
        }
        write!(out, "\ntime limit {NAME}{}{NAME:#}", seconds(limit.limit))?;
        if let Some((path, time)) = &limit.slowest {
            write!(out, "  {QUIET}slowest lower bound {} in {}{QUIET:#}", plain(path), seconds(*time))?;
        }
        if let Some((path, time)) = &limit.fastest {
            write!(out, "  {QUIET}fastest upper bound {} in {}{QUIET:#}", plain(path), seconds(*time))?;
        }
        writeln!(out)?;
        for error in &limit.errors {
            writeln!(out, "{BAD}error{BAD:#}  {}", plain(error))?;
        }
        out.flush()?;
        Ok(())
    }

    pub(super) fn to_json(&self) -> Json {
        let bound = |bound: &Option<(String, Duration)>| {
            bound.as_ref().map(|(path, time)| {
                Json::build().with("submission", path).with("time", millis(*time)).build()
            })
        };
        let limit = Json::build()
            .with("limitMs", millis(self.verified.limit.limit))
            .with("safetyMs", millis(self.verified.limit.safety))
            .with("explicit", self.verified.limit.explicit)
            .with_some("slowest", bound(&self.verified.limit.slowest))
            .with_some("fastest", bound(&self.verified.limit.fastest))
            .with("errors", Json::array(self.verified.limit.errors.iter().map(String::as_str)))
            .build();
        let runs = self.runs().map(|(submission, run)| {
            Json::build()
                .with("submission", &submission.path)
                .with("asExpected", run.checked.unmet.is_empty() && run.checked.undecided.is_none())
                .with("unmet", Json::array(run.checked.unmet.iter().map(String::as_str)))
                .with("warnings", Json::array(run.checked.warnings.iter().map(String::as_str)))
                .with_some("undecided", run.checked.undecided.as_ref())
                .with_some("folder", folder(submission))
                .with("judgement", run.at_limit.to_json(self.package))
                .build()
        });
        Json::build()
            .with("package", &self.package.name)
            .with("version", self.package.problem.version.as_str())
            .with("valid", self.exit() == Exit::Done)
            .with("findings", Finding::list_to_json(self.findings))
            .with("timeLimit", limit)
            .with("submissions", Json::array(runs))
            .with("isolation", &self.isolation)
            .build()
    }
}

fn folder(submission: &Submission) -> Option<&str> {
    match &submission.expected {
        Expected::Folder(Some(folder)) => {
            LegacyFolder::WORDS.iter().find(|(_, known)| known == folder).map(|(word, _)| *word)
        }
        _ => submission.path.split('/').next(),
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Formats a score exactly if that is short, and otherwise with four decimals.
fn score_text(score: &fablegrade_core::Ratio) -> String {
    let exact = score.to_fraction_text();
    if exact.len() <= 8 { exact } else { format!("{:.4}", score.to_f64()) }
}

/// Writes the result of a submission: groups and cases, with their reasons.
pub(super) fn write_judgement(
    console: &mut Console,
    package: &Package,
    submission: &Submission,
    judgement: &Judgement,
    limit: Duration,
) -> Result<(), Failure> {
    let out = &mut console.out;
    let style = style_of(judgement.verdict);
    write!(out, "{style}{}{style:#}", word(judgement.verdict))?;
    if let Some(score) = &judgement.score {
        write!(out, "  {NAME}{}{NAME:#}", score_text(score))?;
        if let Some(max) = package.max_score() {
            write!(out, " of {}", score_text(&max))?;
        }
    }
    writeln!(
        out,
        "  {QUIET}{}  ·  slowest case {}  ·  limit {}{QUIET:#}",
        plain(&submission.path),
        seconds(judgement.time),
        seconds(limit)
    )?;
    if let Some(problem) = &judgement.problem {
        for line in problem.lines().take(12) {
            writeln!(out, "  {}", plain(line))?;
        }
    }
    for (group, result) in package.groups.iter().zip(&judgement.groups) {
        let cases = group.children.iter().filter_map(|child| match child {
            Child::Case(at) => Some((package.cases.get(*at)?, judgement.cases.get(*at)?.as_ref())),
            Child::Group(_) => None,
        });
        let cases: Vec<_> = cases.collect();
        if group.path.is_empty() || (cases.is_empty() && result.verdict.is_none()) {
            continue;
        }
        let style = style_of(result.verdict);
        write!(out, "\n{NAME}{}{NAME:#}  {style}{}{style:#}", plain(&group.path), word(result.verdict))?;
        if let Some(score) = &result.score {
            write!(out, "  {}", score_text(score))?;
        }
        writeln!(out, "  {QUIET}{}{QUIET:#}", plain(&result.reason))?;
        for (case, result) in cases {
            let name = case.name.strip_prefix(&group.path).unwrap_or(&case.name).trim_start_matches('/');
            let Some(result) = result else {
                writeln!(out, "  {:24}  {QUIET}not run{QUIET:#}", plain(name))?;
                continue;
            };
            let style = style_of(Some(result.verdict));
            writeln!(
                out,
                "  {:24}  {style}{:3}{style:#}  {:>9}  {QUIET}{}{QUIET:#}",
                plain(name),
                result.verdict.as_str(),
                seconds(result.time),
                plain(&result.reason)
            )?;
            if result.verdict != Verdict::Accepted
                && let Some(message) = &result.judge_message
            {
                for line in message.lines().take(4) {
                    writeln!(out, "      {QUIET}{}{QUIET:#}", plain(line))?;
                }
            }
        }
    }
    out.flush()?;
    Ok(())
}
