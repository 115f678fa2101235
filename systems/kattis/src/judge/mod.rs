//! Judges a submission: plans the jobs that are needed, and computes the result from their outcomes.
//!
//! This module, not the sandbox, decides verdicts about time. The same outcomes can therefore be judged at any time
//! limit up to the time after which the submission was stopped.

mod flat;
mod json;
mod legacy;

use std::borrow::Cow;
use std::time::Duration;

use fablegrade_public::Ratio;

use crate::Package;
use crate::case_result::{CaseResult, Terms, judge};
use crate::data::{Case, Rules};
use crate::expectation::Submission;
use crate::job::{
    BuildFailure, BuildJob, JOBS_AT_ONCE, Job, JobId, Outcome, Outcomes, OutputJob, ProcessLimits, RunJob,
    Source, StaticJob, Validation,
};
use crate::program::Program;
use crate::verdict::Verdict;

/// Options for judging a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgeOptions {
    /// CPU time after which a submission is stopped. Verdicts can be computed for every time limit up to it.
    pub stop_after: Duration,
    /// Whether to run cases that can no longer change the result.
    pub all_cases: bool,
}

impl JudgeOptions {
    /// Creates options that stop a submission after this time and skip cases that cannot change the result.
    pub fn new(stop_after: Duration) -> Self {
        Self { stop_after, all_cases: false }
    }

    /// Requests all cases, including those that cannot change the result.
    #[must_use]
    pub fn all_cases(mut self) -> Self {
        self.all_cases = true;
        self
    }
}

/// The judging of one submission.
#[derive(Debug, Clone)]
pub struct Judging<'p> {
    package: &'p Package,
    submission: &'p Submission,
    programs: Vec<Program>,
    validators: Vec<usize>,
    static_validator: Option<usize>,
    grader: Option<usize>,
    options: JudgeOptions,
}

/// The result of a submission, with the parts that are certain so far.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// The verdict; `None` while outcomes that decide it are missing. In a 2025-09 scoring problem, it is a judge error
    /// if there is one, or else the first verdict other than accepted, or else accepted.
    pub verdict: Option<Verdict>,
    /// The score of a scoring problem, once it is certain.
    pub score: Option<Ratio>,
    /// 2025-09: the lower and upper bounds of the score that follow from the outcomes; `None` as the upper
    /// bound means unbounded. If a program of the package fails later, the score is 0 despite the lower
    /// bound.
    pub bounds: Option<(Ratio, Option<Ratio>)>,
    /// Results of the cases, by index in the package; `None` if a case was not run.
    pub cases: Vec<Option<CaseResult>>,
    /// Results of the groups, by index in the package.
    pub groups: Vec<GroupResult>,
    /// CPU time of the slowest case that was run.
    pub time: Duration,
    /// The reason why the verdict is a judge error or a compile error.
    pub problem: Option<String>,
    /// Whether this host has no tools for the submission's language, which does not count against the submission.
    pub unsupported: bool,
}

/// The result of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct GroupResult {
    /// The verdict, once it is certain.
    pub verdict: Option<Verdict>,
    /// The score in a scoring problem, once it is certain.
    pub score: Option<Ratio>,
    /// Whether it was skipped because a required group was not accepted.
    pub skipped: bool,
    /// A short reason for the verdict or score; can be empty.
    pub reason: String,
}

impl<'p> Judging<'p> {
    /// Prepares to judge a submission.
    pub fn new(package: &'p Package, submission: &'p Submission, options: JudgeOptions) -> Self {
        let mut programs = vec![submission.program.clone()];
        let mut add = |program: &Program| {
            programs.push(program.clone());
            programs.len() - 1
        };
        let custom = package.problem.runs_validators();
        let validators = package.output_validators.iter().filter(|_| custom).map(&mut add).collect();
        let static_validator = package.static_validator.as_ref().map(&mut add);
        let grader = package.grader.as_ref().map(&mut add);
        Self { package, submission, programs, validators, static_validator, grader, options }
    }

    /// Returns the package.
    pub fn package(&self) -> &'p Package {
        self.package
    }

    /// Returns the submission.
    pub fn submission(&self) -> &'p Submission {
        self.submission
    }

    fn terms(&self, time_limit: Duration) -> Terms {
        let problem = &self.package.problem;
        Terms {
            version: problem.version,
            time_limit,
            output_limit: problem.limits.output << 20,
            interactive: problem.kind.interactive,
            passes: problem.kind.multi_pass.then_some(problem.limits.validation_passes),
            validator: "output validator",
            messages: true,
        }
    }

    /// Returns the verdict and its reason if nothing can be run.
    fn obstacle(&self, outcomes: &Outcomes) -> Option<(Verdict, String)> {
        let limits = &self.package.problem.limits;
        // Submitted answers are not code.
        if !self.package.problem.kind.submit_answer && self.submission.code_bytes > limits.code << 10 {
            return Some((Verdict::CompileError, format!("the code has more than {} KiB", limits.code)));
        }
        for (at, program) in self.programs.iter().enumerate() {
            let of_submission = at == 0;
            match outcomes.get(&JobId::Build(at)) {
                Some(Outcome::Built(Err(BuildFailure::Compile(text)))) => {
                    let verdict = if of_submission { Verdict::CompileError } else { Verdict::JudgeError };
                    return Some((verdict, format!("{} does not compile: {text}", program.path)));
                }
                Some(Outcome::Built(Err(BuildFailure::Unsupported(text)))) => {
                    return Some((
                        Verdict::JudgeError,
                        format!("{} cannot be built on this host: {text}", program.path),
                    ));
                }
                Some(Outcome::Failed(text)) => return Some((Verdict::JudgeError, text.clone())),
                _ => {}
            }
        }
        None
    }

    fn builds(&self) -> impl Iterator<Item = usize> {
        let skip = usize::from(self.package.problem.kind.submit_answer);
        let used_grader = self
            .package
            .groups
            .iter()
            .any(|group| matches!(&group.rules, Rules::Grader(rules) if rules.custom));
        let unused = self.grader.filter(|_| !used_grader);
        (skip..self.programs.len()).filter(move |at| Some(*at) != unused)
    }

    /// Returns the result, with the parts that follow from the outcomes. Verdicts are those for `time_limit`, which
    /// must be at most [`JudgeOptions::stop_after`].
    pub fn conclude(&self, outcomes: &Outcomes, time_limit: Duration) -> Judgement {
        self.look(outcomes, time_limit, true).0
    }

    /// Returns the judgement, and the jobs whose outcomes it lacks. `messages` includes the messages of validators.
    fn look(&self, outcomes: &Outcomes, time_limit: Duration, messages: bool) -> (Judgement, Vec<JobId>) {
        let count = self.package.groups.len();
        let mut judgement = Judgement {
            verdict: None,
            score: None,
            bounds: None,
            cases: vec![None; self.package.cases.len()],
            groups: vec![GroupResult::default(); count],
            time: Duration::ZERO,
            problem: None,
            unsupported: false,
        };
        if let Some((verdict, reason)) = self.obstacle(outcomes) {
            judgement.verdict = Some(verdict);
            judgement.score = self.package.problem.kind.scoring.then(Ratio::zero);
            judgement.problem = Some(reason);
            let own = outcomes.get(&JobId::Build(0));
            judgement.unsupported = matches!(own, Some(Outcome::Built(Err(BuildFailure::Unsupported(_)))));
            return (judgement, Vec::new());
        }
        let missing: Vec<JobId> =
            self.builds().map(JobId::Build).filter(|id| !outcomes.contains_key(id)).collect();
        if !missing.is_empty() {
            return (judgement, missing);
        }
        let terms = Terms { messages, ..self.terms(time_limit) };
        for (at, place) in judgement.cases.iter_mut().enumerate() {
            *place = match outcomes.get(&JobId::Case(at)) {
                Some(Outcome::Ran(passes)) => Some(judge(passes, terms)),
                Some(Outcome::Failed(text)) => Some(CaseResult::new(Verdict::JudgeError, text.clone())),
                Some(_) => {
                    Some(CaseResult::new(Verdict::JudgeError, "the host returned an outcome of another kind"))
                }
                None if self.no_answer_file(at) => {
                    Some(CaseResult::new(Verdict::WrongAnswer, "nothing was submitted for this case"))
                }
                None => None,
            };
        }
        judgement.time = judgement.cases.iter().flatten().map(|case| case.time).max().unwrap_or_default();
        let mut needs = if self.package.problem.version.is_legacy() {
            self.legacy(outcomes, &mut judgement)
        } else {
            self.flat(outcomes, terms, &mut judgement)
        };
        if judgement.problem.is_none() && judgement.verdict == Some(Verdict::JudgeError) {
            let broken = judgement.cases.iter().zip(&self.package.cases).find_map(|(result, case)| {
                let result = result.as_ref().filter(|result| result.verdict == Verdict::JudgeError)?;
                Some(format!("{}: {}", case.name, result.reason))
            });
            let group = || {
                judgement
                    .groups
                    .iter()
                    .find(|group| group.verdict == Some(Verdict::JudgeError))
                    .map(|group| group.reason.clone())
            };
            judgement.problem = broken.or_else(group);
        }
        if !self.package.problem.kind.scoring {
            judgement.score = None;
            for group in &mut judgement.groups {
                group.score = None;
            }
        }
        needs.retain(|id| !outcomes.contains_key(id));
        (judgement, needs)
    }

    fn no_answer_file(&self, case: usize) -> bool {
        let submitted = |case: &Case| self.submitted(case).is_none();
        self.package.problem.kind.submit_answer && self.package.cases.get(case).is_some_and(submitted)
    }

    /// Returns the submitted file for a case of a submit-answer problem.
    fn submitted(&self, case: &Case) -> Option<&[u8]> {
        let base = case.name.rsplit('/').next().unwrap_or(&case.name);
        let names =
            [&*case.name, base].map(|name| [format!("{name}.out"), format!("{name}.ans"), name.to_owned()]);
        // They are sorted.
        let files = &self.programs.first()?.files;
        names.iter().flatten().find_map(|name| {
            let at = files.binary_search_by(|(path, _)| path.cmp(name)).ok()?;
            files.get(at).map(|(_, file)| file.bytes.as_slice())
        })
    }

    fn validator_limits(&self) -> ProcessLimits {
        let limits = &self.package.problem.limits;
        let cpu = Duration::from_secs(limits.validation_time);
        ProcessLimits::new(cpu, limits.validation_memory, limits.validation_output << 20)
    }

    fn validation(&self, case: &Case) -> Validation {
        Validation::new(
            self.package.problem.version,
            &self.programs,
            &self.validators,
            self.package.output_validator_of(case),
            &case.output_validator_args,
        )
    }

    /// Returns the validation of a case's output; `case` is the index in the package.
    pub fn validation_of(&self, case: usize) -> Option<Validation> {
        self.package.cases.get(case).map(|case| self.validation(case))
    }

    fn case_job(&self, at: usize) -> Option<Job<'_>> {
        let case = self.package.cases.get(at)?;
        let (problem, limits) = (&self.package.problem, &self.package.problem.limits);
        let (input, answer) =
            (Cow::Borrowed(self.package.bytes(&case.input)), Cow::Borrowed(self.package.bytes(&case.answer)));
        let validation = self.validation(case);
        if problem.kind.submit_answer {
            let output = Cow::Borrowed(self.submitted(case)?);
            return Some(Job::ValidateOutput(OutputJob {
                validation,
                input,
                answer,
                output,
                limits: self.validator_limits(),
            }));
        }
        let files = case.files.iter().filter_map(|path| {
            let (_, below) = path.split_once(".files/")?;
            Some((below, self.package.files().get(path)?))
        });
        Some(Job::Run(RunJob {
            submission: 0,
            args: case.args.clone(),
            input,
            answer,
            files: files.collect(),
            may_write: problem.allow_file_writing,
            validation,
            interactive: problem.kind.interactive,
            passes: if problem.kind.multi_pass { limits.validation_passes } else { 1 },
            limits: ProcessLimits::new(self.options.stop_after, limits.memory, limits.output << 20),
            validator_limits: self.validator_limits(),
        }))
    }

    fn static_job(&self, at: usize) -> Option<Job<'_>> {
        let Rules::Flat(rules) = &self.package.groups.get(at)?.rules else { return None };
        let program = self.programs.first()?;
        Some(Job::ValidateStatic(StaticJob {
            program: self.static_validator?,
            submission: 0,
            language: program.language().unwrap_or_default().to_owned(),
            entry_point: program.entry_point(),
            args: rules.static_case.as_ref()?.args.clone(),
            limits: self.validator_limits(),
        }))
    }
}

impl Source for Judging<'_> {
    fn programs(&self) -> &[Program] {
        &self.programs
    }

    fn next(&self, outcomes: &Outcomes) -> Vec<(JobId, Job<'_>)> {
        let (judgement, needs) = self.look(outcomes, self.options.stop_after, false);
        let limits = &self.package.problem.limits;
        let job = |id: JobId| match id {
            JobId::Build(program) => Some(Job::Build(BuildJob {
                program,
                source: self.programs.get(program)?,
                limits: ProcessLimits::new(
                    Duration::from_secs(limits.compilation_time),
                    limits.compilation_memory,
                    256 << 20,
                ),
            })),
            JobId::Case(at) => self.case_job(at),
            JobId::Static(at) => self.static_job(at),
            JobId::Grade(at) => self.grade_job(at, &judgement),
            JobId::Check(_) => None,
        };
        needs.into_iter().filter_map(|id| Some((id, job(id)?))).take(JOBS_AT_ONCE).collect()
    }
}
