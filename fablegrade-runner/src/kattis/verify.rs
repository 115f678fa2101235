//! Verifies packages and judges submissions by running plans of `fablegrade-kattis` to their end.

use super::{RunOptions, run};
use crate::cancel::Cancel;
use crate::runner::Runner;
use fablegrade_core::Finding;
use fablegrade_kattis::Package;
use fablegrade_kattis::expectation::Submission;
use fablegrade_kattis::job::{JobId, Outcome, Outcomes};
use fablegrade_kattis::judge::{JudgeOptions, Judgement, Judging};
use fablegrade_kattis::limit::{Measured, TimeLimit, time_limit};
use fablegrade_kattis::validation::ValidatorChecks;
use fablegrade_kattis::verify::{Checked, check};
use std::time::Duration;

/// The CPU time after which a submission is stopped while the time limit is unknown.
const LONGEST: Duration = Duration::from_secs(60);

/// Options for verifying a package.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Options for running jobs. Submissions that bound the time limit from below are always run one job
    /// after another.
    pub run: RunOptions,
    /// The CPU time after which a submission is stopped while the time limit is unknown; 60 s by default.
    pub longest: Duration,
    /// True to test the validators too.
    pub validators: bool,
    /// The time limit; if absent, the package or its submissions determine it.
    pub time_limit: Option<Duration>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self { run: RunOptions::default(), longest: LONGEST, validators: true, time_limit: None }
    }
}

/// An event while a package is verified.
#[derive(Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A job of the validator tests has ended; the last field is the number of checks.
    Validators(JobId, &'a Outcome, usize),
    /// A job of a submission has ended; the first field is the submission's index in the package.
    Submission(usize, JobId, &'a Outcome),
    /// The time limit was determined: first from the submissions that bound it from below, then from all.
    TimeLimit(&'a TimeLimit),
    /// A submission is judged; the first field is its index in the package.
    Judged(usize, &'a VerifiedSubmission),
}

/// A submission of the jury with its results.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct VerifiedSubmission {
    /// The judgement at the time limit.
    pub at_limit: Judgement,
    /// The judgement with the safety margin.
    pub at_safety: Judgement,
    /// The comparison of the result with what the jury expects.
    pub checked: Checked,
}

/// The result of verifying a package.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Verified {
    /// Findings about the validators.
    pub findings: Vec<Finding>,
    /// The time limit and its origin.
    pub limit: TimeLimit,
    /// The submissions, in the order of the package. After a cancellation, judgements can be incomplete.
    pub submissions: Vec<VerifiedSubmission>,
    /// True if the token was cancelled, so the result is incomplete.
    pub cancelled: bool,
}

/// Tests the validators, runs all submissions of the jury, and compares their results with what the jury
/// expects; blocks.
pub fn verify<'p>(
    runner: &Runner,
    package: &'p Package,
    options: &VerifyOptions,
    cancel: &Cancel,
    mut on_progress: impl FnMut(Progress<'_>),
) -> Verified {
    let findings = if options.validators {
        let checks = ValidatorChecks::new(package);
        let count = checks.len();
        let outcomes = run(runner, &checks, &options.run, cancel, |id, outcome| {
            on_progress(Progress::Validators(id, outcome, count));
        });
        checks.conclude(&outcomes)
    } else {
        Vec::new()
    };
    let all: Vec<(usize, &'p Submission)> = package.submissions.iter().enumerate().collect();
    let (bounds, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(_, submission)| submission.time_use().lower);
    let mut judged: Vec<(usize, Judging<'p>, Outcomes)> = Vec::new();
    // With an author's fixed limit, a submission can be stopped once it exceeds the limit with its safety
    // margin.
    let fixed = package.problem.limits.time_limit.is_some();
    let given = options.time_limit.map(|limit| limit * 2);
    let first = given.or_else(|| fixed.then(|| time_limit(package, &[]).safety)).unwrap_or(options.longest);
    let mut stage = |submissions: Vec<(usize, &'p Submission)>, stop_after, run_options: &RunOptions| {
        for (number, submission) in submissions {
            let judging = Judging::new(package, submission, JudgeOptions::new(stop_after).all_cases());
            let outcomes = run(runner, &judging, run_options, cancel, |id, outcome| {
                on_progress(Progress::Submission(number, id, outcome));
            });
            judged.push((number, judging, outcomes));
        }
        let limit = limit_of(package, &judged, stop_after, options.time_limit);
        on_progress(Progress::TimeLimit(&limit));
        limit
    };
    let limit = stage(bounds, first, &RunOptions::one_by_one());
    // The limit is determined again, now with the submissions that bound it from above.
    let limit = stage(others, limit.safety, &options.run);
    let mut submissions = Vec::new();
    for (number, judging, outcomes) in &judged {
        let verified = verified(package, judging, outcomes, &limit);
        on_progress(Progress::Judged(*number, &verified));
        submissions.push((*number, verified));
    }
    submissions.sort_by_key(|(number, _)| *number);
    let submissions = submissions.into_iter().map(|(_, verified)| verified).collect();
    Verified { findings, limit, submissions, cancelled: cancel.is_cancelled() }
}

fn verified(
    package: &Package,
    judging: &Judging<'_>,
    outcomes: &Outcomes,
    limit: &TimeLimit,
) -> VerifiedSubmission {
    let at_limit = judging.conclude(outcomes, limit.limit);
    let at_safety = judging.conclude(outcomes, limit.safety);
    let checked = check(package, judging.submission(), &at_limit, &at_safety, limit);
    VerifiedSubmission { at_limit, at_safety, checked }
}

/// Returns the time limit as determined by the submissions so far.
fn limit_of(
    package: &Package,
    judged: &[(usize, Judging<'_>, Outcomes)],
    stopped_after: Duration,
    given: Option<Duration>,
) -> TimeLimit {
    let judgements: Vec<_> = judged
        .iter()
        .map(|(_, judging, outcomes)| (judging.submission(), judging.conclude(outcomes, stopped_after)))
        .collect();
    let measured: Vec<_> =
        judgements.iter().map(|(submission, judgement)| Measured { submission, judgement }).collect();
    let mut limit = time_limit(package, &measured);
    if let Some(given) = given {
        let share = limit.safety.as_secs_f64() / limit.limit.as_secs_f64().max(f64::MIN_POSITIVE);
        limit.limit = given;
        limit.safety = given.mul_f64(share.clamp(1.0, 100.0));
    }
    limit
}

/// Judges a submission at a time limit; blocks. Cases that cannot change the result are skipped.
pub fn judge(
    runner: &Runner,
    package: &Package,
    submission: &Submission,
    time_limit: Duration,
    options: &RunOptions,
    cancel: &Cancel,
    on_outcome: impl FnMut(JobId, &Outcome),
) -> Judgement {
    let judging = Judging::new(package, submission, JudgeOptions::new(time_limit));
    let outcomes = run(runner, &judging, options, cancel, on_outcome);
    judging.conclude(&outcomes, time_limit)
}
