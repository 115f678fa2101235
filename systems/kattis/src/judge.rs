//! Judging a submission: which jobs are needed, and what their outcomes say. Pure and repeatable.
//!
//! Verdicts of time are made here, not in the sandbox: the same outcomes are judged at any time limit up to the one at
//! which the submission was stopped.

use std::borrow::Cow;
use std::time::Duration;

use fablegrade_public::Ratio;

use crate::Package;
use crate::case_result::{CaseResult, GivenScore, Terms, judge};
use crate::data::{Aggregation, Case, Child, FlatRules, GraderRules, Rules};
use crate::default_validator::Comparison;
use crate::expectation::Submission;
use crate::grader::{Grade, default_grade, grader_input, read_grade};
use crate::job::{
    BuildFailure, BuildJob, GradeJob, Job, JobId, Outcome, Outcomes, OutputJob, ProcessLimits, RunJob,
    Source, StaticJob, Validation, ValidatorCall,
};
use crate::program::Program;
use crate::verdict::Verdict;

/// How a submission is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgeOptions {
    /// Processor time after which a submission is stopped; verdicts can be made for every limit up to it.
    pub stop_after: Duration,
    /// Whether to run cases that can no longer change the result.
    pub all_cases: bool,
}

impl JudgeOptions {
    /// Stops after this time; leaves out what cannot change the result.
    pub fn new(stop_after: Duration) -> Self {
        Self { stop_after, all_cases: false }
    }

    /// The same with all cases.
    #[must_use]
    pub fn all_cases(mut self) -> Self {
        self.all_cases = true;
        self
    }
}

/// A submission on its way through a package.
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

/// Result of a submission, as far as it is certain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Judgement {
    /// The verdict; `None` while outcomes that decide it are missing. Of a 2025-09 scoring problem: accepted if every
    /// case is, else the first other verdict.
    pub verdict: Option<Verdict>,
    /// The score of a scoring problem, once it is certain.
    pub score: Option<Ratio>,
    /// What the score is at least and at most (`None`: unbounded), as far as outcomes tell. 2025-09 only.
    pub bounds: Option<(Ratio, Option<Ratio>)>,
    /// Results of the cases, by index in the package; `None`: not run.
    pub cases: Vec<Option<CaseResult>>,
    /// Results of the groups, by index in the package.
    pub groups: Vec<GroupResult>,
    /// Processor time of the slowest case that was run.
    pub time: Duration,
    /// Why the verdict is a judge error or a compile error.
    pub problem: Option<String>,
}

/// Result of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct GroupResult {
    /// Verdict, once it is certain.
    pub verdict: Option<Verdict>,
    /// Score, once it is certain; of scoring problems.
    pub score: Option<Ratio>,
    /// Not run since a required group was not accepted.
    pub skipped: bool,
    /// Why, in one sentence.
    pub reason: String,
}

/// What is known of a part, and what is needed to know more.
struct Known {
    grade: Option<Grade>,
    needs: Vec<JobId>,
}

impl<'p> Judging<'p> {
    /// Prepares to judge a submission.
    pub fn new(package: &'p Package, submission: &'p Submission, options: JudgeOptions) -> Self {
        let mut programs = vec![submission.program.clone()];
        let mut add = |program: &Program| {
            programs.push(program.clone());
            programs.len() - 1
        };
        let custom = !package.problem.version.is_legacy() || package.problem.custom_validation;
        let validators = package.output_validators.iter().filter(|_| custom).map(&mut add).collect();
        let static_validator = package.static_validator.as_ref().map(&mut add);
        let grader = package.grader.as_ref().map(&mut add);
        Self { package, submission, programs, validators, static_validator, grader, options }
    }

    /// The package.
    pub fn package(&self) -> &'p Package {
        self.package
    }

    /// The submission.
    pub fn submission(&self) -> &'p Submission {
        self.submission
    }

    fn terms(&self, time_limit: Duration) -> Terms {
        let problem = &self.package.problem;
        Terms {
            version: problem.version,
            time_limit,
            interactive: problem.kind.interactive,
            passes: problem.kind.multi_pass.then_some(problem.limits.validation_passes),
        }
    }

    /// Why nothing can be run: the verdict, and the reason.
    fn obstacle(&self, outcomes: &Outcomes) -> Option<(Verdict, String)> {
        let limits = &self.package.problem.limits;
        if self.submission.code_bytes > limits.code << 10 {
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

    /// The result, as far as the outcomes tell. Verdicts are made for `time_limit`, at most
    /// [`JudgeOptions::stop_after`].
    pub fn conclude(&self, outcomes: &Outcomes, time_limit: Duration) -> Judgement {
        self.look(outcomes, time_limit).0
    }

    /// The judgement, and the jobs that it lacks.
    fn look(&self, outcomes: &Outcomes, time_limit: Duration) -> (Judgement, Vec<JobId>) {
        let count = self.package.groups.len();
        let mut judgement = Judgement {
            verdict: None,
            score: None,
            bounds: None,
            cases: vec![None; self.package.cases.len()],
            groups: vec![GroupResult::default(); count],
            time: Duration::ZERO,
            problem: None,
        };
        if let Some((verdict, reason)) = self.obstacle(outcomes) {
            judgement.verdict = Some(verdict);
            judgement.score = self.package.problem.kind.scoring.then(Ratio::zero);
            judgement.problem = Some(reason);
            return (judgement, Vec::new());
        }
        let missing: Vec<JobId> =
            self.builds().map(JobId::Build).filter(|id| !outcomes.contains_key(id)).collect();
        if !missing.is_empty() {
            return (judgement, missing);
        }
        let terms = self.terms(time_limit);
        for (at, place) in judgement.cases.iter_mut().enumerate() {
            *place = match outcomes.get(&JobId::Case(at)) {
                Some(Outcome::Ran(passes)) => Some(judge(passes, terms)),
                Some(Outcome::Failed(text)) => Some(CaseResult::new(Verdict::JudgeError, text.clone())),
                Some(_) => {
                    Some(CaseResult::new(Verdict::JudgeError, "the host answered with something else"))
                }
                None if self.no_answer_file(at) => {
                    Some(CaseResult::new(Verdict::WrongAnswer, "nothing was handed in for this case"))
                }
                None => None,
            };
        }
        judgement.time = judgement.cases.iter().flatten().map(|case| case.time).max().unwrap_or_default();
        let mut needs = match self.package.problem.version.is_legacy() {
            true => self.legacy(outcomes, &mut judgement),
            false => self.flat(outcomes, terms, &mut judgement),
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

    /// The file that was handed in for a case of a submit-answer problem.
    fn submitted(&self, case: &Case) -> Option<&[u8]> {
        let base = case.name.rsplit('/').next().unwrap_or(&case.name);
        let names =
            [&*case.name, base].map(|name| [format!("{name}.out"), format!("{name}.ans"), name.to_owned()]);
        let files = &self.programs.first()?.files;
        names.iter().flatten().find_map(|name| {
            files.iter().find(|(path, _)| path == name).map(|(_, file)| file.bytes.as_slice())
        })
    }

    // ---- legacy ----

    fn legacy(&self, outcomes: &Outcomes, judgement: &mut Judgement) -> Vec<JobId> {
        let known = self.legacy_group(0, outcomes, judgement);
        if let Some(grade) = known.grade {
            judgement.verdict = Some(grade.verdict);
            let accepted = grade.verdict == Verdict::Accepted;
            judgement.score = Some(if accepted { grade.score } else { Ratio::zero() });
        }
        known.needs
    }

    /// The depth of groups is that of folders, which is bounded when files are read.
    fn legacy_group(&self, at: usize, outcomes: &Outcomes, judgement: &mut Judgement) -> Known {
        let Some(group) = self.package.groups.get(at) else {
            return Known { grade: None, needs: Vec::new() };
        };
        let Rules::Grader(rules) = &group.rules else { return Known { grade: None, needs: Vec::new() } };
        let (mut grades, mut needs, mut complete, mut over) = (Vec::new(), Vec::new(), true, false);
        for child in &group.children {
            let known = match child {
                Child::Group(below) => self.legacy_group(*below, outcomes, judgement),
                Child::Case(case) => {
                    let result = judgement.cases.get(*case).and_then(Option::as_ref);
                    let grade = result.map(|result| legacy_case(result, rules));
                    let need = if grade.is_none() { vec![JobId::Case(*case)] } else { Vec::new() };
                    Known { grade, needs: need }
                }
            };
            needs.extend(known.needs);
            match known.grade {
                None => complete &= over,
                Some(grade) if complete && !over => {
                    over = rules.breaks && grade.verdict != Verdict::Accepted;
                    grades.push(grade);
                }
                Some(_) => {}
            }
            if over && !self.options.all_cases {
                break;
            }
        }
        if !complete {
            return Known { grade: None, needs };
        }
        let root = at == 0;
        let mut flags = rules.grader_flags.clone();
        if !root {
            flags.retain(|flag| flag != "ignore_sample");
        }
        let (grade, reason) = match (rules.custom, self.grader) {
            (false, _) => (default_grade(&flags, &grades), format!("default grader {}", flags.join(" "))),
            (true, None) => {
                let missing = "grading is custom, but the package has no grader".to_owned();
                (Grade::new(Verdict::JudgeError, Ratio::zero()), missing)
            }
            (true, Some(_)) => match outcomes.get(&JobId::Grade(at)) {
                None => {
                    needs.push(JobId::Grade(at));
                    return Known { grade: None, needs };
                }
                Some(outcome) => graded(outcome),
            },
        };
        let outside = self.package.problem.kind.scoring
            && grade.verdict == Verdict::Accepted
            && (rules.range.0.as_ref().is_some_and(|least| grade.score < *least)
                || rules.range.1.as_ref().is_some_and(|most| *most < grade.score));
        let (grade, reason) = match outside {
            true => {
                let reason = format!("the score {} is outside of `range`", grade.score);
                (Grade::new(Verdict::JudgeError, grade.score), reason)
            }
            false => (grade, reason),
        };
        if let Some(result) = judgement.groups.get_mut(at) {
            result.verdict = Some(grade.verdict);
            result.score = Some(grade.score.clone());
            result.reason = reason;
        }
        Known { grade: Some(grade), needs }
    }

    fn grade_job(&self, at: usize, judgement: &Judgement) -> Option<Job<'_>> {
        let group = self.package.groups.get(at)?;
        let Rules::Grader(rules) = &group.rules else { return None };
        let mut grades = Vec::new();
        for child in &group.children {
            let grade = match child {
                Child::Group(below) => {
                    let result = judgement.groups.get(*below)?;
                    Grade::new(result.verdict?, result.score.clone().unwrap_or_else(Ratio::zero))
                }
                Child::Case(case) => legacy_case(judgement.cases.get(*case)?.as_ref()?, rules),
            };
            let over = rules.breaks && grade.verdict != Verdict::Accepted;
            grades.push(grade);
            if over {
                break;
            }
        }
        Some(Job::Grade(GradeJob {
            program: self.grader?,
            args: rules.grader_flags.clone(),
            stdin: grader_input(&grades),
            limits: self.validator_limits(),
        }))
    }

    // ---- 2025-09 ----

    fn flat(&self, outcomes: &Outcomes, terms: Terms, judgement: &mut Judgement) -> Vec<JobId> {
        let scoring = self.package.problem.kind.scoring;
        let mut needs = Vec::new();
        let mut parts: Vec<(Option<Ratio>, (Ratio, Option<Ratio>))> = Vec::new();
        let mut first_failure: Option<Verdict> = None;
        let (mut complete, mut broken) = (true, false);
        let mut secret = None;
        for (at, group) in self.package.groups.iter().enumerate() {
            let Rules::Flat(rules) = &group.rules else { continue };
            if group.path.is_empty() {
                continue;
            }
            let container = group.children.iter().any(|child| matches!(child, Child::Group(_)));
            if group.path == "secret" {
                secret = Some((at, rules, container));
            }
            // What `secret` requires counts for all of its groups.
            let mut required: Vec<usize> = rules.require_pass.clone();
            if let Some(Rules::Flat(above)) =
                group.parent.and_then(|above| self.package.groups.get(above)).map(|above| &above.rules)
            {
                required.extend(&above.require_pass);
            }
            let verdicts: Vec<Option<Verdict>> =
                required.iter().map(|at| judgement.groups.get(*at).and_then(|group| group.verdict)).collect();
            let skipped = verdicts.iter().flatten().any(|verdict| *verdict != Verdict::Accepted);
            if !skipped && verdicts.iter().any(Option::is_none) {
                complete = false;
                if scoring && group.path != "sample" && !(container && rules.static_case.is_none()) {
                    parts.push((None, (Ratio::zero(), rules.max_score.clone())));
                }
                continue;
            }
            if skipped {
                if let Some(result) = judgement.groups.get_mut(at) {
                    result.skipped = true;
                    result.verdict = Some(Verdict::WrongAnswer);
                    result.score = Some(Ratio::zero());
                    result.reason = "a required group was not accepted".into();
                }
                first_failure = first_failure.or(Some(Verdict::WrongAnswer));
                if scoring && !container {
                    parts.push((Some(Ratio::zero()), (Ratio::zero(), Some(Ratio::zero()))));
                }
                continue;
            }
            let looked = self.flat_group(at, rules, outcomes, terms, judgement);
            needs.extend(looked.needs);
            match looked.verdict {
                None => complete = false,
                Some(Verdict::JudgeError) => broken = true,
                Some(_) => {}
            }
            first_failure = first_failure.or(looked.first_failure);
            if scoring && group.path != "sample" && !(container && rules.static_case.is_none()) {
                parts.push((looked.score.clone(), looked.bounds));
            }
            if let Some(result) = judgement.groups.get_mut(at) {
                result.verdict = looked.verdict;
                result.score = looked.score.filter(|_| scoring && group.path != "sample");
                result.reason = looked.reason;
            }
            if !scoring && first_failure.is_some() && !self.options.all_cases {
                break;
            }
        }
        if broken {
            judgement.verdict = Some(Verdict::JudgeError);
            judgement.score = scoring.then(Ratio::zero);
            return Vec::new();
        }
        // What is not needed any more: pass-fail problems are decided by the first failure in order.
        let decided = !scoring
            && !self.options.all_cases
            && first_failure.is_some()
            && needs_after_failure(&needs, judgement);
        if decided {
            judgement.verdict = first_failure;
            return Vec::new();
        }
        if complete {
            judgement.verdict = Some(first_failure.unwrap_or(Verdict::Accepted));
        }
        if scoring && let Some((at, rules, container)) = secret {
            self.secret_score(at, rules, container, &parts, complete, judgement);
        }
        needs
    }

    fn secret_score(
        &self,
        at: usize,
        rules: &FlatRules,
        container: bool,
        parts: &[(Option<Ratio>, (Ratio, Option<Ratio>))],
        complete: bool,
        judgement: &mut Judgement,
    ) {
        let zero = Ratio::zero();
        let least = |values: &mut dyn Iterator<Item = Ratio>| values.min();
        let (score, low, high) = match rules.aggregation {
            Aggregation::PassFail => {
                let groups = self
                    .package
                    .groups
                    .iter()
                    .zip(&judgement.groups)
                    .filter(|(group, _)| group.path.starts_with("secret"));
                let leaves = groups.filter(|(group, _)| {
                    !group.children.iter().any(|child| matches!(child, Child::Group(_)))
                });
                let verdicts: Vec<Option<Verdict>> = leaves.map(|(_, result)| result.verdict).collect();
                let failed = verdicts.iter().flatten().any(|verdict| *verdict != Verdict::Accepted);
                let max = rules.max_score.clone().unwrap_or_else(Ratio::zero);
                let done = verdicts.iter().all(Option::is_some);
                let high = if failed { zero.clone() } else { max };
                let low = if done { high.clone() } else { zero.clone() };
                ((done || failed).then(|| high.clone()), low, Some(high))
            }
            Aggregation::Sum => {
                let sum =
                    |values: Vec<Ratio>| values.iter().fold(Ratio::zero(), |sum, value| sum.plus(value));
                let scores: Option<Vec<Ratio>> = parts.iter().map(|(score, _)| score.clone()).collect();
                let low = sum(parts.iter().map(|(_, (low, _))| low.clone()).collect());
                let high: Option<Vec<Ratio>> = parts.iter().map(|(_, (_, high))| high.clone()).collect();
                (scores.map(sum), low, high.map(sum))
            }
            Aggregation::Min => {
                let scores: Option<Vec<Ratio>> = parts.iter().map(|(score, _)| score.clone()).collect();
                let low =
                    least(&mut parts.iter().map(|(_, (low, _))| low.clone())).unwrap_or_else(Ratio::zero);
                let high = least(&mut parts.iter().filter_map(|(_, (_, high))| high.clone()));
                (scores.and_then(|scores| least(&mut scores.into_iter())), low, high)
            }
        };
        let high = match (high, rules.max_score.clone()) {
            (Some(high), Some(max)) => Some(high.min(max)),
            (high, max) => high.or(max),
        };
        judgement.bounds = Some((low, high));
        let Some(score) =
            score.filter(|_| complete || rules.aggregation != Aggregation::Sum || !parts.is_empty())
        else {
            return;
        };
        if rules.max_score.as_ref().is_some_and(|max| score > *max) {
            judgement.verdict = Some(Verdict::JudgeError);
            judgement.problem = Some(format!("the score {score} is more than the `max_score` of `secret`"));
            judgement.score = Some(zero);
            return;
        }
        if container && let Some(result) = judgement.groups.get_mut(at) {
            result.score = Some(score.clone());
            result.reason = format!("{} of the groups", rules.aggregation.as_str());
        }
        judgement.bounds = Some((score.clone(), Some(score.clone())));
        judgement.score = Some(score);
    }

    fn flat_group(
        &self,
        at: usize,
        rules: &FlatRules,
        outcomes: &Outcomes,
        terms: Terms,
        judgement: &mut Judgement,
    ) -> FlatGroup {
        let scoring = self.package.problem.kind.scoring;
        let Some(group) = self.package.groups.get(at) else { return FlatGroup::default() };
        let sample = group.path == "sample";
        let scored = scoring && !sample && rules.aggregation != Aggregation::PassFail;
        let cases: Vec<usize> = group
            .children
            .iter()
            .filter_map(|child| match child {
                Child::Case(case) => Some(*case),
                Child::Group(_) => None,
            })
            .collect();
        let static_max = rules.static_case.as_ref().and_then(|case| case.max_score.clone());
        let case_max = rules.max_score.as_ref().and_then(|max| match rules.aggregation {
            Aggregation::Sum => {
                let rest = max.minus(&static_max.clone().unwrap_or_else(Ratio::zero));
                rest.over(&Ratio::new(cases.len() as i64, 1))
            }
            _ => Some(max.clone()),
        });
        let mut this = FlatGroup::default();
        // Verdict, score and greatest score of each part.
        let mut parts: Vec<(Option<Verdict>, Option<Ratio>, Option<Ratio>)> = Vec::new();
        if rules.static_case.is_some() {
            let (verdict, score) = match outcomes.get(&JobId::Static(at)) {
                None => {
                    this.needs.push(JobId::Static(at));
                    (None, None)
                }
                Some(Outcome::Validated(validated)) => {
                    let pass = crate::job::Pass::new(None, vec![validated.clone()]);
                    let mut result = judge(&[pass], Terms { interactive: false, passes: None, ..terms });
                    let score = scored.then(|| flat_case(&mut result, static_max.as_ref(), rules, sample));
                    if result.verdict == Verdict::JudgeError {
                        this.reason = format!("static validation: {}", result.reason);
                    }
                    (Some(result.verdict), score)
                }
                Some(_) => {
                    this.reason = "the static validator could not be run".into();
                    (Some(Verdict::JudgeError), None)
                }
            };
            parts.push((verdict, score, static_max.clone()));
        }
        for case in cases {
            let result = judgement.cases.get_mut(case).and_then(Option::as_mut);
            let Some(result) = result else {
                this.needs.push(JobId::Case(case));
                parts.push((None, None, case_max.clone()));
                continue;
            };
            let score = match scoring {
                true => Some(flat_case(result, case_max.as_ref(), rules, sample)),
                false => None,
            };
            if result.verdict == Verdict::JudgeError {
                this.reason = result.reason.clone();
            }
            parts.push((Some(result.verdict), score.filter(|_| scored), case_max.clone()));
        }
        let verdicts = || parts.iter().filter_map(|(verdict, ..)| *verdict);
        this.first_failure = verdicts().find(|verdict| *verdict != Verdict::Accepted);
        let complete = parts.iter().all(|(verdict, ..)| verdict.is_some());
        let failure = verdicts().find(|verdict| *verdict == Verdict::JudgeError).or(this.first_failure);
        this.verdict = match (failure, complete) {
            (Some(verdict), true) | (Some(verdict @ Verdict::JudgeError), false) => Some(verdict),
            (Some(verdict), false) => Some(verdict),
            (None, true) => Some(Verdict::Accepted),
            (None, false) => None,
        };
        if !scoring || sample {
            // Without scores the group is known once a case failed; all its cases are run all the same.
            this.verdict = this.verdict.filter(|verdict| complete || *verdict != Verdict::Accepted);
            return this;
        }
        let zero = Ratio::zero;
        let low =
            |part: &(Option<Verdict>, Option<Ratio>, Option<Ratio>)| part.1.clone().unwrap_or_else(zero);
        let high = |part: &(Option<Verdict>, Option<Ratio>, Option<Ratio>)| match part.0 {
            Some(_) => part.1.clone(),
            None => part.2.clone(),
        };
        match rules.aggregation {
            Aggregation::PassFail => {
                let max = rules.max_score.clone().unwrap_or_else(zero);
                let most = if failure.is_some() { zero() } else { max };
                let least = if complete { most.clone() } else { zero() };
                this.score = (complete || failure.is_some()).then(|| most.clone());
                this.bounds = (least, Some(most));
            }
            Aggregation::Sum => {
                let least = parts.iter().fold(zero(), |sum, part| sum.plus(&low(part)));
                let most = parts.iter().try_fold(zero(), |sum, part| Some(sum.plus(&high(part)?)));
                this.score = complete.then(|| least.clone());
                this.bounds = (least, most);
            }
            Aggregation::Min => {
                let least = parts.iter().map(&low).min().unwrap_or_else(zero);
                let most = parts.iter().filter_map(&high).min();
                this.score = complete.then(|| least.clone());
                this.bounds = (least, most);
            }
        }
        this.reason = match this.reason.is_empty() {
            true => format!("{} of the cases", rules.aggregation.as_str()),
            false => this.reason,
        };
        let exceeds =
            this.score.as_ref().zip(rules.max_score.as_ref()).is_some_and(|(score, max)| score > max);
        if exceeds {
            this.verdict = Some(Verdict::JudgeError);
            this.reason = "the score is more than `max_score`".into();
        }
        this
    }

    // ---- jobs ----

    fn validator_limits(&self) -> ProcessLimits {
        let limits = &self.package.problem.limits;
        let cpu = Duration::from_secs(limits.validation_time);
        ProcessLimits::new(cpu, limits.validation_memory, limits.validation_output << 20)
    }

    fn validation(&self, case: &Case) -> Validation {
        if self.validators.is_empty() {
            // Arguments that cannot be read are findings; a comparison without them is made all the same.
            let read = Comparison::from_args(&case.output_validator_args, self.package.problem.version);
            return Validation::Default(read.unwrap_or_default());
        }
        let group = self.package.groups.get(case.group).map(|group| &group.rules);
        let only = match group {
            Some(Rules::Grader(rules)) => rules.output_validator.as_deref(),
            _ => None,
        };
        let named = |at: &usize| {
            only.is_none_or(|only| self.programs.get(*at).is_some_and(|program| program.name() == only))
        };
        let call = |program: usize| ValidatorCall { program, args: case.output_validator_args.clone() };
        Validation::Custom(self.validators.iter().copied().filter(named).map(call).collect())
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
        let (judgement, needs) = self.look(outcomes, self.options.stop_after);
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
        needs.into_iter().filter_map(|id| Some((id, job(id)?))).collect()
    }
}

/// What is known of a 2025-09 group.
struct FlatGroup {
    verdict: Option<Verdict>,
    first_failure: Option<Verdict>,
    score: Option<Ratio>,
    bounds: (Ratio, Option<Ratio>),
    needs: Vec<JobId>,
    reason: String,
}

impl Default for FlatGroup {
    fn default() -> Self {
        let bounds = (Ratio::zero(), Some(Ratio::zero()));
        Self {
            verdict: None,
            first_failure: None,
            score: None,
            bounds,
            needs: Vec::new(),
            reason: String::new(),
        }
    }
}

/// Whether all that is needed comes after the first failure in the order of judging.
fn needs_after_failure(needs: &[JobId], judgement: &Judgement) -> bool {
    let failed = judgement
        .cases
        .iter()
        .position(|case| case.as_ref().is_some_and(|case| case.verdict != Verdict::Accepted));
    let first = needs.iter().filter_map(|id| if let JobId::Case(at) = id { Some(*at) } else { None }).min();
    let static_missing = needs.iter().any(|id| matches!(id, JobId::Static(_)));
    !static_missing && failed.zip(first).is_none_or(|(failed, first)| failed < first)
}

fn legacy_case(result: &CaseResult, rules: &GraderRules) -> Grade {
    let default = if result.verdict == Verdict::Accepted { &rules.accept_score } else { &rules.reject_score };
    match &result.given {
        GivenScore::Score(score) if matches!(result.verdict, Verdict::Accepted | Verdict::WrongAnswer) => {
            Grade::new(result.verdict, score.clone())
        }
        GivenScore::Invalid(_) => Grade::new(Verdict::JudgeError, Ratio::zero()),
        _ => Grade::new(result.verdict, default.clone()),
    }
}

fn graded(outcome: &Outcome) -> (Grade, String) {
    let broken = |reason: String| (Grade::new(Verdict::JudgeError, Ratio::zero()), reason);
    match outcome {
        Outcome::Graded(ran, stdout) if ran.end == fablegrade_public::End::Exited(0) => {
            match read_grade(stdout) {
                Ok(grade) => (grade, "custom grader".into()),
                Err(_) => broken("the grader did not print one line `VERDICT SCORE`".into()),
            }
        }
        Outcome::Graded(ran, _) => broken(format!("the grader {}", crate::case_result::end_text(&ran.end))),
        Outcome::Failed(text) => broken(text.clone()),
        _ => broken("the host answered with something else".into()),
    }
}

/// The score of a case by 2025-09; what breaks the rules of score files becomes a judge error.
fn flat_case(result: &mut CaseResult, max: Option<&Ratio>, rules: &FlatRules, sample: bool) -> Ratio {
    if sample {
        return Ratio::zero();
    }
    let accepted = result.verdict == Verdict::Accepted;
    let pass_fail = rules.aggregation == Aggregation::PassFail;
    let broken = match (&result.given, max) {
        (GivenScore::None, None) if accepted && !pass_fail => {
            Some("the validator must write `score.txt`: the group is unbounded")
        }
        (GivenScore::None, _) => None,
        (GivenScore::Invalid(why), _) => Some(*why),
        _ if !accepted => Some("the validator wrote a score without accepting"),
        _ if pass_fail => Some("the validator wrote a score in a pass-fail group"),
        (GivenScore::Multiplier(_), None) => {
            Some("the validator wrote `score_multiplier.txt`, but the group is unbounded")
        }
        (GivenScore::Score(score), _) if *score < Ratio::zero() => {
            Some("`score.txt` holds a negative number")
        }
        (GivenScore::Score(score), Some(max)) if score > max => {
            Some("`score.txt` holds more than the greatest score of the case")
        }
        _ => None,
    };
    if let Some(why) = broken
        && result.verdict != Verdict::JudgeError
    {
        result.verdict = Verdict::JudgeError;
        result.reason = why.to_owned();
        return Ratio::zero();
    }
    match (accepted, &result.given, max) {
        (false, ..) => Ratio::zero(),
        (true, GivenScore::Score(score), _) => score.clone(),
        (true, GivenScore::Multiplier(factor), Some(max)) => factor.times(max),
        (true, _, Some(max)) => max.clone(),
        (true, _, None) => Ratio::zero(),
    }
}
