//! Grading: the one place where verdict, score and penalty are computed.

use fablegrade_public::identifier::{HintId, UuidText};
use fablegrade_public::{
    AttemptResult, CaseOutcome, DeliveryView, Error, ErrorKind, Feedback, FeedbackSeverity, Finding,
    Findings, Ratio, Submission, Verdict,
};
use uuid::Uuid;

use crate::answer::code::ExecutionPlan;
use crate::answer::{AnswerSpec, Evidence, Ready};
use crate::attempt::{Attempt, Context, other_version};
use crate::explain::Explanation;
use crate::host::Host;
use crate::mark::{Mark, Sheet, Trace};
use crate::shuffle::Order;

/// Grades one submission: `Grader::new(spec)?.grade(submission)`.
///
/// # Errors
/// Only when the spec itself cannot be graded; every finding at once.
pub fn grade(spec: &AnswerSpec, submission: &Submission) -> Result<AttemptResult, Error> {
    Ok(Grader::new(spec)?.grade(submission))
}

/// A checked and compiled spec: immutable, `Send + Sync`, for any number of submissions.
pub struct Grader {
    spec: AnswerSpec,
    ready: Ready,
    /// Names the question by its public fields; namespace of derived attempt ids.
    public_id: Uuid,
    warnings: Vec<Finding>,
}

/// The namespace of the ids of questions: a UUID that stands for this engine.
const NAMESPACE: Uuid = Uuid::from_u128(0x8c0f_2b5e_6d7a_5f41_9e3b_6a1d_c4f7_0e92);

/// A marked submission: the result for the learner and the explanation for the author.
#[derive(Debug, Clone)]
pub struct Marked {
    result: AttemptResult,
    explanation: Explanation,
}

impl Marked {
    /// The result for the learner, without secrets.
    pub fn result(&self) -> &AttemptResult {
        &self.result
    }

    /// The explanation for the author.
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// The result alone.
    pub fn into_result(self) -> AttemptResult {
        self.result
    }
}

impl Grader {
    /// Checks and compiles a spec, for a host without widget validators.
    ///
    /// # Errors
    /// [`ErrorKind::Spec`] with every spec error and warning when no answer could be correct.
    pub fn new(spec: &AnswerSpec) -> Result<Self, Error> {
        Self::with_host(spec, &Host::new())
    }

    /// Checks and compiles a spec with the validators that the host registers.
    ///
    /// # Errors
    /// As [`Grader::new`].
    pub fn with_host(spec: &AnswerSpec, host: &Host) -> Result<Self, Error> {
        let mut findings = Findings::new();
        let ready = spec.prepare(host, &mut findings);
        let Some(ready) = ready.filter(|_| findings.errors() == 0) else {
            return Err(Error::new(ErrorKind::Spec, findings));
        };
        let projection = spec.view(&Order::Sorted).to_json();
        let public_id = Uuid::new_v5(&NAMESPACE, projection.as_bytes());
        Ok(Self { spec: spec.clone(), ready, public_id, warnings: findings.into_vec() })
    }

    /// Reads, checks and compiles the text of a spec.
    ///
    /// # Errors
    /// Every finding of the first layer that has one: JSON, schema, spec.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Self::from_json_with(text, &Host::new())
    }

    /// As [`Grader::from_json`], with the validators that the host registers.
    ///
    /// # Errors
    /// As [`Grader::from_json`].
    pub fn from_json_with(text: impl AsRef<[u8]>, host: &Host) -> Result<Self, Error> {
        Self::with_host(&AnswerSpec::from_json(text)?, host)
    }

    /// The spec.
    pub fn spec(&self) -> &AnswerSpec {
        &self.spec
    }

    /// Warnings about the spec: it can be graded but probably contains a mistake.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The question as the learner may see it, shuffled under `seed`; as [`deliver`](crate::deliver).
    pub fn deliver(&self, seed: impl AsRef<[u8]>) -> DeliveryView {
        self.spec.view(&Order::Shuffled(seed.as_ref()))
    }

    /// Grades a submission without context and without an explanation.
    pub fn grade(&self, submission: &Submission) -> AttemptResult {
        self.grade_in(submission, &Context::default())
    }

    /// Grades a submission without an explanation: the fast path.
    pub fn grade_in(&self, submission: &Submission, context: &Context) -> AttemptResult {
        self.finish(submission, None, None, context, Sheet::default()).result
    }

    /// Grades a submission and explains the score.
    pub fn mark(&self, submission: &Submission, context: &Context) -> Marked {
        self.finish(submission, None, None, context, recording())
    }

    /// Grades an attempt: its id, its hints, its version.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when the context names another version of the problem.
    pub fn grade_attempt(&self, attempt: &Attempt, context: &Context) -> Result<Marked, Error> {
        self.attempt(attempt, None, context)
    }

    /// The cases to run for this submission; `None` when there are none (another type, or a refused submission).
    pub fn plan(&self, submission: &Submission) -> Option<ExecutionPlan> {
        match (&self.spec, submission) {
            (AnswerSpec::Code(spec), Submission::Code(code)) => {
                let refused = self.spec.view(&Order::Sorted).admit(submission).is_err();
                (!refused).then(|| spec.plan(code))
            }
            _ => None,
        }
    }

    /// Grades a submission from the outcomes of its plan, and explains the score.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] unless there is exactly one outcome for each case of the spec.
    pub fn conclude(
        &self,
        submission: &Submission,
        outcomes: &[CaseOutcome],
        context: &Context,
    ) -> Result<Marked, Error> {
        self.check_outcomes(outcomes)?;
        Ok(self.finish(submission, Some(outcomes), None, context, recording()))
    }

    /// As [`Grader::conclude`] for an attempt.
    ///
    /// # Errors
    /// As [`Grader::conclude`] and [`Grader::grade_attempt`].
    pub fn conclude_attempt(
        &self,
        attempt: &Attempt,
        outcomes: &[CaseOutcome],
        context: &Context,
    ) -> Result<Marked, Error> {
        self.check_outcomes(outcomes)?;
        self.attempt(attempt, Some(outcomes), context)
    }

    fn check_outcomes(&self, outcomes: &[CaseOutcome]) -> Result<(), Error> {
        match &self.spec {
            AnswerSpec::Code(spec) => spec.check_outcomes(outcomes),
            _ if outcomes.is_empty() => Ok(()),
            _ => Err(Error::single(
                ErrorKind::Mismatch,
                Finding::error(
                    "outcomes-unused",
                    "",
                    "only code questions are graded from outcomes",
                    "leave the outcomes out",
                ),
            )),
        }
    }

    fn attempt(&self, attempt: &Attempt, evidence: Evidence<'_>, context: &Context) -> Result<Marked, Error> {
        if let Some(version) = &context.problem_version_id
            && !version.as_str().eq_ignore_ascii_case(attempt.problem_version_id.as_str())
        {
            return Err(other_version());
        }
        let mut context = context.clone();
        if context.attempt_id.is_none() {
            context.attempt_id.clone_from(&attempt.attempt_id);
        }
        Ok(self.finish(&attempt.submission, evidence, Some(&attempt.hints_used), &context, recording()))
    }

    fn finish(
        &self,
        submission: &Submission,
        evidence: Evidence<'_>,
        hints_used: Option<&[HintId]>,
        context: &Context,
        mut sheet: Sheet,
    ) -> Marked {
        let mark = self.spec.mark(&self.ready, submission, evidence, &mut sheet);
        let mut warnings = Vec::new();
        let penalty = context.penalty(hints_used, &mut warnings);
        let mut applied = Ratio::zero();
        let mut raw = None;
        let (verdict, score) = match mark {
            Mark::Scored(score) => {
                let verdict = if score.is_one() {
                    Verdict::Correct
                } else if score.is_zero() {
                    Verdict::Incorrect
                } else {
                    Verdict::Partial
                };
                applied = penalty.clone().min(score.clone());
                let rest = score.minus(&applied).to_f64();
                raw = Some(score);
                (verdict, Some(rest))
            }
            Mark::Pending => (Verdict::Pending, None),
            Mark::Refused(refusal) => {
                sheet.trace.step("refused", || vec![("rule", refusal.rule.into())]);
                // One message, and nothing that was found before the refusal.
                sheet.feedback = vec![Feedback::new(FeedbackSeverity::Error, refusal.message)];
                sheet.code_results.clear();
                (Verdict::Error, None)
            }
            Mark::Undecided(message) => {
                sheet.feedback.insert(0, Feedback::new(FeedbackSeverity::Error, message));
                (Verdict::Error, None)
            }
        };
        let mut feedback = sheet.feedback;
        feedback.truncate(AttemptResult::MAX_FEEDBACK);
        let result = AttemptResult {
            attempt_id: context.attempt_id.clone().unwrap_or_else(|| self.derive_id(submission)),
            verdict,
            score,
            score_penalty_applied: (score.is_some() && !penalty.is_zero()).then(|| applied.to_f64()),
            graded_by: self.spec.graded_by(),
            graded_at: context.graded_at.clone(),
            feedback,
            code_results: sheet.code_results,
        };
        let explanation = Explanation { steps: sheet.trace.into_steps(), raw, penalty, applied, warnings };
        Marked { result, explanation }
    }

    /// A name-based UUID (v5) of the question's public fields and the submission: the same pair always gets the same
    /// id, and nothing secret enters it.
    fn derive_id(&self, submission: &Submission) -> UuidText {
        let mut name = String::with_capacity(128);
        submission.write_canonical(&mut name);
        UuidText::from_bytes(Uuid::new_v5(&self.public_id, name.as_bytes()).into_bytes())
    }
}

fn recording() -> Sheet {
    Sheet { trace: Trace::recording(), ..Sheet::default() }
}

impl std::fmt::Debug for Grader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grader").field("spec", &self.spec).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grader_can_be_shared_between_threads() {
        fn shareable<T: Send + Sync>() {}
        shareable::<Grader>();
        shareable::<Error>();
        shareable::<Marked>();
    }

    #[test]
    fn the_pair_names_the_attempt_and_the_key_does_not() {
        let grader = |key: &str| {
            Grader::from_json(format!(
                r#"{{"type":"ordering","items":[{{"id":"a","content":1}},{{"id":"b","content":2}}],"correctOrder":{key}}}"#
            ))
            .unwrap()
        };
        let (one, other) = (grader(r#"["a","b"]"#), grader(r#"["b","a"]"#));
        let submission = Submission::from_json(r#"{"type":"ordering","order":["a","b"]}"#).unwrap();
        let reversed = Submission::from_json(r#"{"type":"ordering","order":["b","a"]}"#).unwrap();
        assert_eq!(one.grade(&submission).attempt_id, other.grade(&submission).attempt_id);
        assert_ne!(one.grade(&submission).attempt_id, one.grade(&reversed).attempt_id);
        // Same verdict, same score: the same bytes apart from the id.
        assert_eq!(
            one.grade(&reversed).to_json(),
            other.grade(&submission).to_json().replace(
                other.grade(&submission).attempt_id.as_str(),
                one.grade(&reversed).attempt_id.as_str(),
            )
        );
    }
}
