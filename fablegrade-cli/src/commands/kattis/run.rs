//! `fablegrade kattis verify` and `judge`: run packages in the sandbox.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use fablegrade_files::{File, FileLimits};
use fablegrade_kattis::expectation::Submission;
use fablegrade_kattis::job::Outcomes;
use fablegrade_kattis::judge::{JudgeOptions, Judgement, Judging};
use fablegrade_kattis::limit::{Measured, TimeLimit, time_limit};
use fablegrade_kattis::{Package, Verdict};
use fablegrade_runner::kattis::{self, Progress, VerifyOptions};
use fablegrade_runner::{Cancel, Runner, RunnerOptions};
use indicatif::ProgressBar;

use super::{report, seconds};
use crate::console::{Console, plain};
use crate::exit::{Exit, Failure};
use crate::lines::job_count;
use crate::package_files;
use crate::progress;

/// Verify a package: validators on all data and on junk data, submissions against their expected verdicts
#[derive(Args)]
pub(super) struct Verify {
    /// Package (folder, .zip, .kpp, .tar.gz)
    package: PathBuf,
    /// Do not run the package's validators on its data and on junk data
    #[arg(long)]
    no_validators: bool,
    #[command(flatten)]
    how: How,
}

/// Judge a submission against the test data of a package
///
/// Without a time limit in the package or on the command line, the jury's submissions that determine it are run first.
#[derive(Args)]
pub(super) struct Judge {
    /// Package (folder, .zip, .kpp, .tar.gz)
    package: PathBuf,
    /// Submission: a source file, or a folder or archive of several
    submission: PathBuf,
    /// Run all cases, even those that cannot change the result
    #[arg(long)]
    all_cases: bool,
    #[command(flatten)]
    how: How,
}

/// Options for running programs.
#[derive(Args)]
#[group(skip)]
struct How {
    /// Time limit in seconds; overrides that of the package
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Time limit in seconds for the jury's submissions while they determine the package's time limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    patience: Duration,
    /// Run at most N programs at a time [default: one per core]
    #[arg(long, alias = "parallel", value_name = "N", value_parser = job_count())]
    jobs: Option<u16>,
    /// Run WITHOUT a sandbox: programs can do whatever you can do
    #[arg(long)]
    unsandboxed: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs programs and shows their progress.
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
        options.parallel = self.jobs.map(usize::from);
        let mut run = kattis::RunOptions::default();
        run.parallel = self.jobs.map(usize::from);
        let quiet = console.is_quiet();
        Host { runner: Runner::with_options(&options), options: run, quiet, console }
    }
}

impl Host<'_> {
    fn bar(&self, what: &str) -> ProgressBar {
        let template = "  {spinner:.green}  {pos} runs  ·  {elapsed}  ·  {wide_msg}";
        let bar = progress::bar(None, template, self.quiet);
        bar.set_message(plain(what).into_owned());
        bar
    }

    fn run(&self, judging: &Judging<'_>) -> Outcomes {
        let bar = self.bar(&judging.submission().path);
        let outcomes = kattis::run(&self.runner, judging, &self.options, &Cancel::new(), |_, _| bar.inc(1));
        bar.finish_and_clear();
        outcomes
    }

    /// Runs the submissions that give a lower bound on the time limit, and computes the limit.
    fn limit(&self, package: &Package, patience: Duration) -> TimeLimit {
        let bounds = package.submissions.iter().filter(|submission| submission.time_use().lower);
        let judged: Vec<(&Submission, Judgement)> = bounds
            .map(|submission| {
                let judging = Judging::new(package, submission, JudgeOptions::new(patience).all_cases());
                (submission, judging.conclude(&self.run(&judging), patience))
            })
            .collect();
        let measured: Vec<Measured<'_>> =
            judged.iter().map(|(submission, judgement)| Measured { submission, judgement }).collect();
        time_limit(package, &measured)
    }
}

impl Verify {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let package = super::open(&self.package)?;
        let host = self.how.host(console);
        let mut options = VerifyOptions::default();
        options.run = host.options.clone();
        options.longest = self.how.patience;
        options.validators = !self.no_validators;
        options.time_limit = self.how.time_limit;
        let bar = host.bar("validators");
        let verified =
            kattis::verify(&host.runner, &package, &options, &Cancel::new(), |progress| match progress {
                Progress::Submission(at, ..) => {
                    bar.inc(1);
                    let path = package.submissions.get(at).map_or("", |one| one.path.as_str());
                    bar.set_message(plain(path).into_owned());
                }
                Progress::Validators(..) => bar.inc(1),
                _ => {}
            });
        bar.finish_and_clear();
        let mut findings = package.findings.clone();
        findings.extend(verified.findings.iter().cloned());
        let isolation = host.runner.isolation();
        let report =
            report::Verification { package: &package, findings: &findings, verified: &verified, isolation };
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
            (None, None) => host.limit(&package, self.how.patience).limit,
        };
        let mut options = JudgeOptions::new(limit);
        if self.all_cases {
            options = options.all_cases();
        }
        let judging = Judging::new(&package, &submission, options);
        let outcomes = host.run(&judging);
        let judgement = judging.conclude(&outcomes, limit);
        if self.how.json {
            writeln!(host.console.out, "{}", judgement.to_json(&package))?;
        } else {
            report::write_judgement(host.console, &package, &submission, &judgement, limit)?;
        }
        Ok(match judgement.verdict {
            Some(Verdict::Accepted) => Exit::Done,
            None | Some(Verdict::JudgeError) => Exit::Undecided,
            Some(_) => Exit::Negative,
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
        let bytes = crate::input::read_raw(path)?;
        vec![(name.clone(), File { bytes, executable: None })]
    };
    Ok(package.submission(&name, files))
}
