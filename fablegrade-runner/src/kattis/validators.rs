//! Output validators: their arguments and their feedback folders.

use super::{Host, Stop, ran};
use crate::sandbox::{Collect, End as SandboxEnd, GivenFile, Job as SandboxJob, Outcome as SandboxOutcome};
use fablegrade_kattis::job::{Feedback, ProcessLimits, Validated, Validation, ValidatorCall};
use std::collections::BTreeMap;

/// The paths of a validator's files and of its feedback folder.
const INPUT: &str = "/data/input";
const ANSWER: &str = "/data/answer";
pub(super) const FEEDBACK: &str = "/tmp/feedback/";
/// The feedback files that matter after the case, and the number of bytes of each that are kept.
const COUNT: &[&str] =
    &["judgemessage.txt", "teammessage.txt", "score.txt", "score_multiplier.txt", NEXT_PASS];
const KEPT: usize = 64 << 10;
/// The file that requests another pass; it is removed from the folder before that pass.
const NEXT_PASS: &str = "nextpass.in";

/// The data that all validators of a pass share.
pub(super) struct Verdict<'a> {
    /// The input that the submission was given.
    pub(super) input: &'a [u8],
    pub(super) answer: &'a [u8],
    pub(super) limits: &'a ProcessLimits,
}

type Files = BTreeMap<String, Vec<u8>>;

/// The feedback folders of a case's validators, which persist from pass to pass.
#[derive(Default)]
pub(super) struct Feedbacks(Vec<Files>);

impl Feedbacks {
    /// Returns the files that a validator finds in its feedback folder.
    pub(super) fn of(&mut self, number: usize) -> &Files {
        while self.0.len() <= number {
            self.0.push(Files::new());
        }
        self.0.get(number).unwrap_or(const { &Files::new() })
    }

    /// Stores the files that a validator left, for the next pass.
    pub(super) fn keep(&mut self, number: usize, feedback: Feedback) -> Feedback {
        self.of(number);
        if let Some(files) = self.0.get_mut(number) {
            files.clone_from(&feedback.files);
            files.remove(NEXT_PASS);
        }
        feedback
    }
}

impl Host<'_> {
    /// Returns the job of a validator, with empty standard input.
    pub(super) fn validator(
        &self,
        call: &ValidatorCall,
        verdict: &Verdict<'_>,
        before: &Files,
    ) -> Result<SandboxJob, Stop> {
        let args = [INPUT, ANSWER, FEEDBACK].into_iter().map(str::to_owned).chain(call.args.iter().cloned());
        let mut job = self.job(call.program, args.collect(), verdict.limits)?;
        for (path, content) in [(INPUT, verdict.input), (ANSWER, verdict.answer)] {
            job.files.push(GivenFile { path: path.to_owned(), content: content.into(), executable: false });
        }
        collect_feedback(&mut job, verdict.limits, before);
        Ok(job)
    }

    /// Runs all validators on an output until one does not accept it.
    pub(super) fn validators(
        &self,
        validation: &Validation,
        verdict: &Verdict<'_>,
        output: &[u8],
        feedbacks: &mut Feedbacks,
    ) -> Result<Vec<Validated>, Stop> {
        let calls = match validation {
            Validation::Default(comparison) => return Ok(vec![comparison.validate(verdict.answer, output)]),
            Validation::Custom(calls) => calls,
        };
        let mut all = Vec::new();
        for (number, call) in calls.iter().enumerate() {
            let mut job = self.validator(call, verdict, feedbacks.of(number))?;
            job.input = output.to_vec();
            let done = self.runner.run_job(&job);
            let validated = Validated::new(ran(&job, &done)?, feedbacks.keep(number, feedback(&job, &done)));
            let accepted = validated.accepted();
            all.push(validated);
            if !accepted {
                break;
            }
        }
        Ok(all)
    }
}

/// Adds a feedback folder with the files of an earlier pass; its contents are collected at the end.
pub(super) fn collect_feedback(job: &mut SandboxJob, limits: &ProcessLimits, before: &Files) {
    for (path, content) in before {
        job.files.push(GivenFile {
            path: format!("{FEEDBACK}{path}"),
            content: content.as_slice().into(),
            executable: false,
        });
    }
    let bytes = limits.output_bytes.min(Feedback::BYTES);
    job.collect = Some(Collect {
        directory: FEEDBACK.trim_end_matches('/').to_owned(),
        bytes: usize::try_from(bytes).unwrap_or(usize::MAX),
        files: Feedback::FILES,
        always: true,
    });
}

/// Drops the files that no verdict or report shows, so thousands of cases fit into memory.
pub(super) fn keep_what_counts(validated: &mut Validated) {
    let files = &mut validated.feedback.files;
    files.retain(|name, _| COUNT.contains(&name.as_str()));
    for content in files.values_mut() {
        content.truncate(KEPT);
        content.shrink_to_fit();
    }
}

/// Returns the files that a validator left.
pub(super) fn feedback(job: &SandboxJob, done: &SandboxOutcome) -> Feedback {
    let files = done.collected.iter().map(|file| (file.path.clone(), file.content.clone()));
    let feedback = Feedback::new(files);
    let most = job.collect.as_ref().map_or((0, 0), |collect| (collect.files, collect.bytes));
    match (&done.end, done.passed_over) {
        (SandboxEnd::OutputLimit, _) if done.collected.is_empty() => feedback.refused(format!(
            "the validator wrote too much: its feedback folder may hold {} files and {} bytes",
            most.0, most.1
        )),
        (_, 0) => feedback,
        (_, others) => feedback.refused(format!("{others} in the feedback folder are not regular files")),
    }
}
