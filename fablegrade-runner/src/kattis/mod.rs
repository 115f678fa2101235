//! Kattis and ICPC packages: carries out the jobs that `fablegrade-kattis` plans. Every program of a package
//! runs in a separate sandbox: validators, graders and submissions.
//!
//! ```no_run
//! use fablegrade_kattis::Package;
//! use fablegrade_runner::{Cancel, Runner, RunnerOptions, kattis};
//!
//! # fn verify(files: fablegrade_files::Files) -> Result<(), Box<dyn std::error::Error>> {
//! let package = Package::read(files, "hello")?;
//! let runner = Runner::try_new(&RunnerOptions::default())?;
//! let verified = kattis::verify(&runner, &package, &kattis::VerifyOptions::default(), &Cancel::new(), |_| ());
//! for (submission, verified) in package.submissions.iter().zip(&verified.submissions) {
//!     println!("{} {:?}", submission.path, verified.checked.unmet);
//! }
//! # Ok(())
//! # }
//! ```

mod limits;
mod programs;
mod validators;
mod verify;

pub use verify::{Progress, Verified, VerifiedSubmission, VerifyOptions, judge, verify};

use crate::cancel::Cancel;
use crate::runner::{Runner, told};
use crate::sandbox::{
    self, Conversation, End as SandboxEnd, Ended, GivenFile, Job as SandboxJob, Limits, PairOutcome, Side,
};
use fablegrade_core::End;
use fablegrade_files::File;
use fablegrade_kattis::job::{
    ACCEPT, GradeJob, InputJob, Job, JobId, Outcome, Outcomes, OutputJob, Party, Pass, ProcessLimits, Ran,
    RunJob, Source, StaticJob, Validated, Validation,
};
use programs::Programs;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc;
use validators::{Feedbacks, Verdict};

/// The signal of a submission that was ended because the validator had ended.
const KILLED: i32 = 9;
/// The number of bytes of standard output and of a conversation that reports show.
const SHOWN: usize = 16 << 10;
/// The number of bytes of standard error that reports show.
const ERRORS: usize = 16 << 10;
/// The lower and upper bound of the limit on files in `/tmp`, in bytes.
const FILES: (u64, u64) = (1 << 20, limits::MOST_OUTPUT);

/// Options for running jobs.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// The number of jobs that run at once, at most as many as the runner allows, which is the default. Times
    /// are most accurate with 1.
    pub parallel: Option<usize>,
}

impl RunOptions {
    /// Creates options that run one job after another.
    pub fn one_by_one() -> Self {
        Self { parallel: Some(1) }
    }
}

/// Runs the jobs of a plan until there are no more, or the token is cancelled; blocks. `on_outcome` is called
/// for each job as it ends, on this thread. Cancelled jobs have no outcome.
pub fn run<S: Source + Sync>(
    runner: &Runner,
    source: &S,
    options: &RunOptions,
    cancel: &Cancel,
    mut on_outcome: impl FnMut(JobId, &Outcome),
) -> Outcomes {
    let parallel = options.parallel.unwrap_or_else(|| runner.parallel()).clamp(1, runner.parallel());
    let host = Host { runner, programs: Programs::new(source.programs()), cancel };
    let mut outcomes = Outcomes::new();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let mut running = BTreeSet::new();
        loop {
            if !cancel.is_cancelled() {
                let wanted = source.next(&outcomes);
                let wanted = wanted.into_iter().filter(|(id, _)| !outcomes.contains_key(id));
                for (id, job) in wanted {
                    if running.len() >= parallel {
                        break;
                    }
                    if !running.insert(id) {
                        continue;
                    }
                    let (sender, host) = (sender.clone(), &host);
                    scope.spawn(move || {
                        // The receiver lives as long as this scope.
                        let _ = sender.send((id, host.run(&job)));
                    });
                }
            }
            if running.is_empty() {
                break;
            }
            let Ok((id, outcome)) = receiver.recv() else { break };
            running.remove(&id);
            if let Some(outcome) = outcome {
                on_outcome(id, &outcome);
                outcomes.insert(id, outcome);
            }
        }
    });
    outcomes
}

/// The data that all jobs of a plan share.
struct Host<'a> {
    runner: &'a Runner,
    programs: Programs<'a>,
    cancel: &'a Cancel,
}

/// The reason why a program has no outcome.
enum Stop {
    /// The host could not run the program; contains the cause.
    Host(String),
    /// The token was cancelled.
    Cancelled,
}

impl Host<'_> {
    /// Runs the job; `None` if the token was cancelled in the meantime.
    fn run(&self, job: &Job<'_>) -> Option<Outcome> {
        if let Some(why) = limits::unfulfillable(job) {
            return Some(Outcome::Failed(why));
        }
        let done = match job {
            Job::Build(job) => self.programs.build(self.runner, job, self.cancel).map(Outcome::Built),
            Job::ValidateInput(job) => self.validate_input(job).map(Outcome::Validated),
            Job::ValidateOutput(job) => self.validate_output(job),
            Job::ValidateStatic(job) => self.validate_statically(job).map(Outcome::Validated),
            Job::Run(job) => self.case(job).map(Outcome::Ran),
            Job::Grade(job) => self.grade(job),
            _ => Err(Stop::Host("a kind of job that this host does not support".to_owned())),
        };
        match done {
            _ if self.cancel.is_cancelled() => None,
            Ok(outcome) => Some(outcome),
            Err(Stop::Host(cause)) => Some(Outcome::Failed(cause)),
            Err(Stop::Cancelled) => None,
        }
    }

    /// Returns a sandbox job that runs a program within limits.
    fn job(&self, program: usize, args: Vec<String>, limits: &ProcessLimits) -> Result<SandboxJob, Stop> {
        let program = self.programs.get(self.runner, program, self.cancel)?;
        let mut job = program.job(args, limits.memory_mib);
        job.cancel = self.cancel.clone();
        let bytes = usize::try_from(limits.output_bytes).unwrap_or(usize::MAX);
        let files = limits.output_bytes.clamp(FILES.0, FILES.1);
        job.limits = Limits {
            cpu: limits.cpu,
            wall: limits.wall,
            stack: Limits::UNLIMITED,
            output: bytes,
            errors: bytes.max(ERRORS),
            errors_kept: ERRORS,
            files,
            file: files,
            ..job.limits
        };
        Ok(job)
    }

    fn validate_input(&self, input: &InputJob<'_>) -> Result<Validated, Stop> {
        let mut job = self.job(input.program, input.args.clone(), &input.limits)?;
        job.input = input.input.to_vec();
        put_files(&mut job, "/box", &input.files);
        if !input.files.is_empty() {
            "/box".clone_into(&mut job.directory);
        }
        let done = self.runner.run_job(&job);
        Ok(Validated::new(ran(&job, &done)?, fablegrade_kattis::job::Feedback::default()))
    }

    fn validate_output(&self, job: &OutputJob<'_>) -> Result<Outcome, Stop> {
        let verdict = Verdict { input: &job.input, answer: &job.answer, limits: &job.limits };
        let validators =
            self.validators(&job.validation, &verdict, &job.output, &mut Feedbacks::default())?;
        let mut pass = Pass::new(None, validators);
        pass.validators.iter_mut().for_each(validators::keep_what_counts);
        pass.output = beginning(&job.output);
        Ok(Outcome::Ran(vec![pass]))
    }

    fn validate_statically(&self, static_job: &StaticJob) -> Result<Validated, Stop> {
        const PLACE: &str = "/data/submission";
        let mut args = vec![static_job.language.clone(), static_job.entry_point.clone()];
        args.push(validators::FEEDBACK.to_owned());
        args.extend(static_job.args.iter().cloned());
        let mut job = self.job(static_job.program, args, &static_job.limits)?;
        let submission = self.programs.source(static_job.submission)?;
        let files: Vec<(&str, &File)> =
            submission.files.iter().map(|(path, file)| (path.as_str(), file.as_ref())).collect();
        put_files(&mut job, PLACE, &files);
        PLACE.clone_into(&mut job.directory);
        validators::collect_feedback(&mut job, &static_job.limits, &BTreeMap::new());
        let done = self.runner.run_job(&job);
        Ok(Validated::new(ran(&job, &done)?, validators::feedback(&job, &done)))
    }

    fn grade(&self, grade: &GradeJob) -> Result<Outcome, Stop> {
        let mut job = self.job(grade.program, grade.args.clone(), &grade.limits)?;
        job.input = grade.stdin.clone().into_bytes();
        let done = self.runner.run_job(&job);
        Ok(Outcome::Graded(ran(&job, &done)?, done.output))
    }

    fn case(&self, run: &RunJob<'_>) -> Result<Vec<Pass>, Stop> {
        let mut passes: Vec<Pass> = Vec::new();
        let mut input = run.input.clone();
        let mut feedbacks = Feedbacks::default();
        loop {
            let pass = if run.interactive {
                self.interaction(run, &input, &mut feedbacks)?
            } else {
                self.pass(run, &input, &mut feedbacks)?
            };
            let next = pass.next_input().map(<[u8]>::to_vec);
            passes.push(pass);
            match next {
                Some(next) if passes.len() < run.passes as usize => input = next.into(),
                _ => break,
            }
        }
        passes.iter_mut().flat_map(|pass| &mut pass.validators).for_each(validators::keep_what_counts);
        Ok(passes)
    }

    fn submission(&self, run: &RunJob<'_>) -> Result<SandboxJob, Stop> {
        let mut job = self.job(run.submission, run.args.clone(), &run.limits)?;
        let directory = if run.may_write { "/tmp" } else { "/box" };
        put_files(&mut job, directory, &run.files);
        directory.clone_into(&mut job.directory);
        Ok(job)
    }

    fn pass(&self, run: &RunJob<'_>, input: &[u8], feedbacks: &mut Feedbacks) -> Result<Pass, Stop> {
        let mut job = self.submission(run)?;
        job.input = input.to_vec();
        let done = self.runner.run_job(&job);
        let ran = ran(&job, &done)?;
        let validators = if ran.end == End::Exited(0) {
            let verdict = Verdict { input, answer: &run.answer, limits: &run.validator_limits };
            self.validators(&run.validation, &verdict, &done.output, feedbacks)?
        } else {
            Vec::new()
        };
        let mut pass = Pass::new(Some(ran), validators);
        pass.output = beginning(&done.output);
        Ok(pass)
    }

    fn interaction(&self, run: &RunJob<'_>, input: &[u8], feedbacks: &mut Feedbacks) -> Result<Pass, Stop> {
        let Validation::Custom(calls) = &run.validation else {
            return Err(Stop::Host("an interactive problem needs a custom validator".to_owned()));
        };
        let Some(call) = calls.first() else {
            return Err(Stop::Host("an interactive problem needs a validator".to_owned()));
        };
        let mut submission = self.submission(run)?;
        let verdict = Verdict { input, answer: &run.answer, limits: &run.validator_limits };
        let mut validator = self.validator(call, &verdict, feedbacks.of(0))?;
        // Each program also waits while the other computes, so both wall-clock limits are extended. The
        // submission's limit is reached first.
        let allowed = validator.limits.wall;
        submission.limits.wall = submission.limits.wall.saturating_add(allowed);
        validator.limits.wall = validator.limits.wall.saturating_add(submission.limits.wall);
        // If the validator rejects first, that is final; if it ends without a verdict, nothing else counts.
        let ends_both = |side, how| side == Side::Right && how != Ended::Exited(ACCEPT);
        let conversation = Conversation { transcript: SHOWN, ends_both: &ends_both };
        let done = self.runner.run_pair(&submission, &validator, &conversation);
        let mut right = ran(&validator, &done.right)?;
        let mut left = ran(&submission, &done.left)?;
        // The submission timed out because it waited for the validator, which took longer than its limit.
        let waited = done.first == Some(Side::Left) && done.left_waited >= allowed;
        if left.end == End::Timeout && waited && done.left.cpu <= submission.limits.cpu {
            left.end = End::Signalled(KILLED);
            right.end = End::Timeout;
        }
        let validated =
            Validated::new(right, feedbacks.keep(0, validators::feedback(&validator, &done.right)));
        if left.end == End::Skipped && !self.cancel.is_cancelled() {
            // It was ended because the validator had ended.
            left.end = End::Signalled(KILLED);
        }
        let mut pass = Pass::new(Some(left), vec![validated]);
        pass.first = first(&done);
        pass.deadlock = done.deadlock;
        pass.transcript = transcript(&done);
        Ok(pass)
    }
}

/// Converts the outcome of a program; an error is a failure of the host.
fn ran(job: &SandboxJob, done: &sandbox::Outcome) -> Result<Ran, Stop> {
    let end = told(done.end.clone(), job);
    if let End::SandboxError(cause) = end {
        return Err(Stop::Host(cause));
    }
    let mut ran = Ran::new(end).with_cpu(done.cpu);
    ran.wall = done.wall;
    ran.memory_kib = Some(done.memory >> 10);
    ran.written = done.written;
    ran.stderr.clone_from(&done.errors);
    Ok(ran)
}

/// Returns the program that ended first, if it ended by itself.
fn first(done: &PairOutcome) -> Option<Party> {
    let (end, party) = match done.first? {
        Side::Left => (&done.left.end, Party::Submission),
        Side::Right => (&done.right.end, Party::Validator),
    };
    matches!(end, SandboxEnd::Exited(_) | SandboxEnd::Signalled(_)).then_some(party)
}

/// Returns the conversation with `>` before the submission's lines and `<` before the validator's.
fn transcript(done: &PairOutcome) -> Vec<u8> {
    let mut text = Vec::new();
    for exchange in &done.transcript.exchanges {
        let sign = if exchange.by == Side::Left { b'>' } else { b'<' };
        for line in exchange.bytes.split_inclusive(|byte| *byte == b'\n') {
            text.extend_from_slice(&[sign, b' ']);
            text.extend_from_slice(line);
        }
        if !text.ends_with(b"\n") {
            text.push(b'\n');
        }
    }
    if done.transcript.left_out > 0 {
        text.extend_from_slice(format!("({} more bytes)\n", done.transcript.left_out).as_bytes());
    }
    text
}

fn beginning(output: &[u8]) -> Vec<u8> {
    output.get(..SHOWN).unwrap_or(output).to_vec()
}

/// Copies files into a folder of the sandbox.
fn put_files(job: &mut SandboxJob, folder: &str, files: &[(&str, &File)]) {
    job.files.extend(files.iter().map(|(path, file)| GivenFile {
        path: format!("{folder}/{path}"),
        content: file.bytes.as_slice().into(),
        executable: file.executable == Some(true),
    }));
}
