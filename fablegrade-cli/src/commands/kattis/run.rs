//! `fablegrade kattis verify` and `judge`: runs packages in the sandbox.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use fablegrade_files::{File, FileLimits};
use fablegrade_kattis::expectation::Submission;
use fablegrade_kattis::job::{JobId, Outcome, Outcomes, Source};
use fablegrade_kattis::judge::{JudgeOptions, Judgement, Judging};
use fablegrade_kattis::limit::{Measured, TimeLimit, time_limit};
use fablegrade_kattis::validation::ValidatorChecks;
use fablegrade_kattis::verify::{self, Checked};
use fablegrade_kattis::{Package, Verdict};
use fablegrade_runner::{Cancel, Runner, RunnerOptions, kattis};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::report;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::package_files;

/// Verify a package: validators on all data and on junk, all submissions against what is expected of them
#[derive(Args)]
pub(super) struct Verify {
    /// Package (folder, .zip, .kpp, .tar.gz)
    package: PathBuf,
    /// Run only submissions whose path below `submissions/` contains TEXT; repeatable
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Leave out the checks of validators
    #[arg(long)]
    no_validators: bool,
    #[command(flatten)]
    how: How,
}

/// Judge a submission by a package
///
/// Without a time limit in the package or on the command line, the jury's submissions are run first to find it.
#[derive(Args)]
pub(super) struct Judge {
    /// Package (folder, .zip, .kpp, .tar.gz)
    package: PathBuf,
    /// Submission: a source file, or a folder or archive of several
    submission: PathBuf,
    /// Run all cases, also those that cannot change the result
    #[arg(long)]
    all_cases: bool,
    #[command(flatten)]
    how: How,
}

/// How programs are run.
#[derive(Args)]
#[group(skip)]
struct How {
    /// Time limit in seconds, whatever the package says
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Stop submissions that bound the time limit after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    patience: Duration,
    /// Run at most N programs at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    parallel: Option<usize>,
    /// Run WITHOUT a sandbox: programs can do whatever you can do
    #[arg(long)]
    unsandboxed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if !(0.001..=3600.0).contains(&value) {
        return Err("expected seconds from 0.001 to 3600".into());
    }
    Ok(Duration::from_secs_f64(value))
}

/// A submission that was judged.
pub(super) struct Run<'p> {
    pub(super) submission: &'p Submission,
    pub(super) at_limit: Judgement,
    pub(super) checked: Checked,
}

/// Runs plans and shows how far they are.
struct Host<'c> {
    runner: Runner,
    options: kattis::RunOptions,
    quiet: bool,
    console: &'c mut Console,
}

impl How {
    fn host<'c>(&self, console: &'c mut Console) -> Host<'c> {
        let mut options = RunnerOptions::default();
        options.sandbox.unsandboxed = self.unsandboxed;
        options.parallel = self.parallel;
        let mut run = kattis::RunOptions::default();
        run.parallel = self.parallel;
        let quiet = console.is_quiet();
        Host { runner: Runner::with_options(&options), options: run, quiet, console }
    }
}

impl Host<'_> {
    fn run(&self, what: &str, source: &(impl Source + Sync)) -> Outcomes {
        let total = source.next(&Outcomes::new()).len() as u64;
        let target =
            if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        if let Ok(style) = ProgressStyle::with_template("  {wide_msg}  {pos} runs  ·  {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        let count = |_: JobId, _: &Outcome| bar.inc(1);
        let outcomes = kattis::run(&self.runner, source, &self.options, &Cancel::new(), count);
        bar.finish_and_clear();
        outcomes
    }

    /// Runs the submissions that bound the time limit, and computes it.
    fn limit<'p>(
        &self,
        package: &'p Package,
        how: &How,
        with_upper: bool,
    ) -> (TimeLimit, Vec<(Judging<'p>, Outcomes)>) {
        let explicit = package.problem.limits.time_limit.as_ref().map(|limit| limit.to_f64());
        let margin = package.problem.limits.time_limit_to_tle.to_f64();
        let stop = explicit
            .map_or(how.patience, |limit| Duration::from_secs_f64((limit * margin * 1.1 + 0.2).min(3600.0)));
        let mut judged = Vec::new();
        for submission in &package.submissions {
            let uses = submission.time_use();
            if uses.lower && (with_upper || !uses.upper) {
                let mut options = JudgeOptions::new(stop);
                if !package.problem.version.is_legacy() {
                    options = options.all_cases();
                }
                let judging = Judging::new(package, submission, options);
                let outcomes = self.run(&submission.path, &judging);
                judged.push((judging, outcomes));
            }
        }
        let judgements: Vec<Judgement> =
            judged.iter().map(|(judging, outcomes)| judging.conclude(outcomes, stop)).collect();
        let measured: Vec<Measured<'_>> = judged
            .iter()
            .zip(&judgements)
            .map(|((judging, _), judgement)| Measured { submission: judging.submission(), judgement })
            .collect();
        (time_limit(package, &measured), judged)
    }
}

impl Verify {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let package = super::open(&self.package)?;
        let host = self.how.host(console);
        let mut findings = package.findings.clone();
        if !self.no_validators {
            let checks = ValidatorChecks::new(&package);
            let outcomes = host.run("validators", &checks);
            findings.extend(checks.conclude(&outcomes));
        }
        let (mut limit, judged) = host.limit(&package, &self.how, false);
        if let Some(fixed) = self.how.time_limit {
            limit.safety = limit.safety.mul_f64(fixed.as_secs_f64() / limit.limit.as_secs_f64().max(1e-3));
            limit.limit = fixed;
        }
        let stop = limit.safety.mul_f64(1.05) + Duration::from_millis(200);
        let wanted = |submission: &Submission| {
            self.only.is_empty() || self.only.iter().any(|text| submission.path.contains(text.as_str()))
        };
        let mut all = judged;
        for submission in &package.submissions {
            let known = all.iter().any(|(judging, _)| judging.submission().path == submission.path);
            let runs = submission.program.form != fablegrade_kattis::program::Form::Unknown
                || package.problem.kind.submit_answer;
            if known || !wanted(submission) || !runs {
                continue;
            }
            let mut options = JudgeOptions::new(stop);
            if !package.problem.version.is_legacy() {
                options = options.all_cases();
            }
            let judging = Judging::new(&package, submission, options);
            let outcomes = host.run(&submission.path, &judging);
            all.push((judging, outcomes));
        }
        let order = |path: &str| package.submissions.iter().position(|submission| submission.path == path);
        all.sort_by_key(|(judging, _)| order(&judging.submission().path));
        let late: Vec<Judgement> =
            all.iter().map(|(judging, outcomes)| judging.conclude(outcomes, stop)).collect();
        if self.how.time_limit.is_none() {
            let measured: Vec<Measured<'_>> = all
                .iter()
                .zip(&late)
                .map(|((judging, _), judgement)| Measured { submission: judging.submission(), judgement })
                .collect();
            limit = time_limit(&package, &measured);
        }
        let runs: Vec<Run<'_>> = all
            .iter()
            .filter(|(judging, _)| wanted(judging.submission()))
            .map(|(judging, outcomes)| {
                let at_limit = judging.conclude(outcomes, limit.limit);
                let at_safety = judging.conclude(outcomes, limit.safety);
                let checked = verify::check(&package, judging.submission(), &at_limit, &at_safety, &limit);
                Run { submission: judging.submission(), at_limit, checked }
            })
            .collect();
        let isolation = host.runner.isolation();
        let report = report::Verification {
            package: &package,
            findings: &findings,
            limit: &limit,
            runs: &runs,
            isolation,
        };
        if self.how.json {
            writeln!(host.console.out, "{}", report.to_json())?;
        } else {
            report.write(host.console)?;
        }
        Ok(report.exit())
    }
}

impl Judge {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let package = super::open(&self.package)?;
        let submission = read_submission(&self.submission, &package)?;
        let host = self.how.host(console);
        let explicit = package.problem.limits.time_limit.as_ref().map(|limit| limit.to_f64());
        let limit = match (self.how.time_limit, explicit) {
            (Some(limit), _) => limit,
            (None, Some(limit)) => Duration::from_secs_f64(limit.clamp(0.001, 3600.0)),
            (None, None) => host.limit(&package, &self.how, true).0.limit,
        };
        let mut options = JudgeOptions::new(limit);
        if self.all_cases {
            options = options.all_cases();
        }
        let judging = Judging::new(&package, &submission, options);
        let outcomes = host.run(&submission.path, &judging);
        let judgement = judging.conclude(&outcomes, limit);
        if self.how.json {
            writeln!(host.console.out, "{}", judgement.to_json(&package))?;
        } else {
            report::write_judgement(host.console, &package, &submission, &judgement, limit)?;
        }
        Ok(match judgement.verdict {
            Some(Verdict::Accepted) => Exit::Done,
            None | Some(Verdict::JudgeError) => Exit::Undecided,
            Some(_) => Exit::Refused,
        })
    }
}

fn read_submission(path: &Path, package: &Package) -> Result<Submission, Failure> {
    let failed = |error| Failure::Io(format!("cannot read {}", path.display()), error);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let archive = [".zip", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending));
    let files: Vec<(String, File)> = if archive || std::fs::metadata(path).map_err(failed)?.is_dir() {
        let files = package_files::read(path, FileLimits::default())?;
        files.iter().map(|(path, file)| (path.to_owned(), file.clone())).collect()
    } else {
        let bytes = crate::input::read(path)?.bytes;
        vec![(name.clone(), File { bytes: bytes.to_vec(), executable: None })]
    };
    Ok(package.submission(&name, files))
}
