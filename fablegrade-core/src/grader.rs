//! Grading: turns the mark of a submission into its result.

use fablegrade_public::identifier::{UuidText, name_based_uuid};
use fablegrade_public::{
    AttemptResult, CaseOutcome, DeliveryView, Error, ErrorKind, Feedback, FeedbackSeverity, Finding,
    Findings, Ratio, Submission, Verdict,
};

use crate::answer::code::ExecutionPlan;
use crate::answer::{AnswerSpec, Ready};
use crate::attempt::{Attempt, Context, other_version};
use crate::explain::Explanation;
use crate::host::Host;
use crate::mark::{Mark, Sheet, Trace};
use crate::shuffle::Order;

/// Grades one submission: `Grader::new(spec)?.grade(submission)`.
///
/// # Errors
/// All findings, when the spec has errors that prevent grading.
pub fn grade(spec: &AnswerSpec, submission: &Submission) -> Result<AttemptResult, Error> {
    Ok(Grader::new(spec.clone())?.grade(submission))
}

/// The input of grading: a submission or an attempt, with its outcomes and context.
///
/// ```
/// use fablegrade_core::{Context, Decimal, GradeInput, Grader, Submission};
/// use fablegrade_core::identifier::HintId;
/// let grader = Grader::from_json(r#"{"type":"ordering","items":[{"id":"a","content":1},{"id":"b","content":2}],
///     "correctOrder":["a","b"]}"#)?;
/// let submission = Submission::from_json(r#"{"type":"ordering","order":["a","b"]}"#)?;
/// let context = Context::new().hint(HintId::new("h1").expect("an id"), Decimal::new(1, -1));
/// let marked = grader.grade_with(&GradeInput::new(&submission).with_context(&context))?;
/// assert_eq!(marked.result().score, Some(0.9));
/// # Ok::<(), fablegrade_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct GradeInput<'a> {
    submission: &'a Submission,
    attempt: Option<&'a Attempt>,
    outcomes: Option<&'a [CaseOutcome]>,
    context: Option<&'a Context>,
    explained: bool,
}

impl<'a> GradeInput<'a> {
    /// Creates the input for a submission without outcomes or context.
    pub fn new(submission: &'a Submission) -> Self {
        Self { submission, attempt: None, outcomes: None, context: None, explained: false }
    }

    /// Creates the input for an attempt: a submission with its id, hints and version.
    pub fn of_attempt(attempt: &'a Attempt) -> Self {
        Self { attempt: Some(attempt), ..Self::new(&attempt.submission) }
    }

    /// Sets the outcomes of the [plan](Grader::plan), one per case.
    #[must_use]
    pub fn with_outcomes(self, outcomes: &'a [CaseOutcome]) -> Self {
        Self { outcomes: Some(outcomes), ..self }
    }

    /// Sets the context, such as the time of grading and the hints' penalties.
    #[must_use]
    pub fn with_context(self, context: &'a Context) -> Self {
        Self { context: Some(context), ..self }
    }

    /// Requests the steps of the explanation; grading is faster without them.
    #[must_use]
    pub fn with_explanation(self) -> Self {
        Self { explained: true, ..self }
    }
}

/// A checked and compiled spec: immutable, `Send + Sync`, for any number of submissions.
pub struct Grader {
    spec: AnswerSpec,
    ready: Ready,
    /// Identifies the question by its public fields; the namespace of derived attempt ids.
    public_id: [u8; 16],
    warnings: Vec<Finding>,
}

/// The namespace of question ids: a fixed UUID that identifies this engine.
const NAMESPACE: [u8; 16] = 0x8c0f_2b5e_6d7a_5f41_9e3b_6a1d_c4f7_0e92_u128.to_be_bytes();

/// A marked submission: the result for the learner and the explanation for the author.
#[derive(Debug, Clone)]
pub struct Marked {
    result: AttemptResult,
    explanation: Explanation,
}

impl Marked {
    /// Returns the result for the learner.
    pub fn result(&self) -> &AttemptResult {
        &self.result
    }

    /// Returns the explanation for the author; its steps are empty without [`GradeInput::with_explanation`].
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// Returns the result without the explanation.
    pub fn into_result(self) -> AttemptResult {
        self.result
    }
}

impl Grader {
    /// Checks and compiles a spec, for a host without widget validators.
    ///
    /// # Errors
    /// [`ErrorKind::Spec`] with all errors and warnings, when the spec has errors that prevent grading.
    /// Examples are an unknown validator and a key that no answer can match.
    pub fn new(spec: AnswerSpec) -> Result<Self, Error> {
        Self::with_host(spec, &Host::new())
    }

    /// Checks and compiles a spec with the validators that the host registers.
    ///
    /// # Errors
    /// The same as for [`Grader::new`].
    pub fn with_host(spec: AnswerSpec, host: &Host) -> Result<Self, Error> {
        let mut findings = Findings::new();
        let ready = spec.prepare(host, &mut findings);
        let Some(ready) = ready.filter(|_| findings.errors() == 0) else {
            return Err(Error::new(ErrorKind::Spec, findings));
        };
        let projection = spec.view(&Order::Sorted).to_json();
        let public_id = name_based_uuid(&NAMESPACE, projection.as_bytes());
        Ok(Self { spec, ready, public_id, warnings: findings.into_vec() })
    }

    /// Reads, checks and compiles the text of a spec.
    ///
    /// # Errors
    /// All findings of the first stage that fails: JSON, schema, spec.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Self::from_json_with(text, &Host::new())
    }

    /// Works like [`Grader::from_json`], with the validators that the host registers.
    ///
    /// # Errors
    /// The same as for [`Grader::from_json`].
    pub fn from_json_with(text: impl AsRef<[u8]>, host: &Host) -> Result<Self, Error> {
        Self::with_host(AnswerSpec::from_json(text)?, host)
    }

    /// Returns the spec.
    pub fn spec(&self) -> &AnswerSpec {
        &self.spec
    }

    /// Returns the findings about the spec that do not prevent grading: warnings and remarks.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// Returns the question as the learner may see it, shuffled by `seed`; see [`deliver`](crate::deliver).
    pub fn deliver(&self, seed: impl AsRef<[u8]>) -> DeliveryView {
        self.spec.view(&Order::Shuffled(seed.as_ref()))
    }

    /// Grades a submission without context and without an explanation.
    pub fn grade(&self, submission: &Submission) -> AttemptResult {
        self.finish(&GradeInput::new(submission), &Context::default()).result
    }

    /// Grades a submission or an attempt with its outcomes and context.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when there are outcomes but not exactly one per case of the spec, or when an
    /// attempt answers another version of the problem than the context names. Submissions without outcomes
    /// and context never fail.
    pub fn grade_with(&self, input: &GradeInput<'_>) -> Result<Marked, Error> {
        if let Some(outcomes) = input.outcomes {
            self.check_outcomes(outcomes)?;
        }
        self.check_version(input)?;
        let none = Context::default();
        let context = input.context.unwrap_or(&none);
        let Some(attempt) = input.attempt else { return Ok(self.finish(input, context)) };
        let mut context = context.clone();
        if context.attempt_id.is_none() {
            context.attempt_id.clone_from(&attempt.attempt_id);
        }
        Ok(self.finish(input, &context))
    }

    /// Checks that an attempt answers the version of the problem that the context names, as [`Grader::grade_with`]
    /// does. A host calls it before it runs the program of an attempt.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] at `/problemVersionId` of the attempt.
    pub fn check_version(&self, input: &GradeInput<'_>) -> Result<(), Error> {
        let wanted = input.context.and_then(|context| context.problem_version_id.as_ref());
        match (wanted, input.attempt) {
            (Some(wanted), Some(attempt))
                if !wanted.as_str().eq_ignore_ascii_case(attempt.problem_version_id.as_str()) =>
            {
                Err(other_version())
            }
            _ => Ok(()),
        }
    }

    /// Returns the cases to run for this submission. Returns `None` for other question types and for
    /// submissions that are refused.
    pub fn plan(&self, submission: &Submission) -> Option<ExecutionPlan> {
        match (&self.spec, &self.ready, submission) {
            (AnswerSpec::Code(spec), Ready::Code(ready), Submission::Code(code)) => {
                ready.admits(code).then(|| spec.plan(code))
            }
            _ => None,
        }
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

    fn finish(&self, input: &GradeInput<'_>, context: &Context) -> Marked {
        let submission = input.submission;
        let trace = if input.explained { Trace::recording() } else { Trace::default() };
        let mut sheet = Sheet { trace, locale: context.locale, ..Sheet::default() };
        let hints_used = input.attempt.map(|attempt| attempt.hints_used.as_slice());
        let mark = self.spec.mark(&self.ready, submission, input.outcomes, &mut sheet);
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
                let told = sheet.message(FeedbackSeverity::Error, &refusal.message);
                refuse(&mut sheet, refusal.rule, told);
                (Verdict::Error, None)
            }
            Mark::RefusedTranslated(refusal) => {
                refuse(&mut sheet, refusal.rule, Feedback::new(FeedbackSeverity::Error, refusal.message));
                (Verdict::Error, None)
            }
            Mark::Undecided(message) => {
                sheet.feedback.insert(0, sheet.message(FeedbackSeverity::Error, &message));
                (Verdict::Error, None)
            }
        };
        let mut feedback = sheet.feedback;
        feedback.truncate(AttemptResult::MAX_FEEDBACK);
        sheet.code_results.iter_mut().for_each(|case| case.translate(context.locale));
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

    /// Returns a name-based UUID (v5) of the question's public fields and the submission. The same pair
    /// always gets the same id, which contains nothing secret.
    fn derive_id(&self, submission: &Submission) -> UuidText {
        let mut name = String::with_capacity(128);
        submission.write_canonical(&mut name);
        UuidText::from_bytes(name_based_uuid(&self.public_id, name.as_bytes()))
    }
}

/// Replaces the feedback and the test results by the message of a refusal.
fn refuse(sheet: &mut Sheet, rule: &'static str, told: Feedback) {
    sheet.trace.step("refused", || vec![("rule", rule.into())]);
    sheet.feedback = vec![told];
    sheet.code_results.clear();
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
    fn the_version_of_an_attempt_is_checked_without_grading() {
        let grader = Grader::from_json(r#"{"type":"numeric","answer":{"value":4}}"#).unwrap();
        let attempt = Attempt::from_json(
            r#"{"problemId":"11111111-1111-4111-8111-111111111111",
                "problemVersionId":"2222222A-2222-4222-8222-222222222222","submission":{"type":"numeric","value":4}}"#,
        )
        .unwrap();
        let input = GradeInput::of_attempt(&attempt);
        assert!(grader.check_version(&input).is_ok());
        for (version, expected) in [("2222222a", None), ("33333333", Some("/problemVersionId"))] {
            let context = format!(r#"{{"problemVersionId":"{version}-2222-4222-8222-222222222222"}}"#);
            let context = Context::from_json(context).unwrap();
            let input = input.with_context(&context);
            for error in [grader.check_version(&input).err(), grader.grade_with(&input).err()] {
                assert_eq!(error.as_ref().map(Error::pointer), expected, "{version}");
            }
            let submission = GradeInput::new(&attempt.submission).with_context(&context);
            assert!(grader.check_version(&submission).is_ok());
        }
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
        // The verdicts and scores are equal, so only the ids differ.
        assert_eq!(
            one.grade(&reversed).to_json(),
            other.grade(&submission).to_json().replace(
                other.grade(&submission).attempt_id.as_str(),
                one.grade(&reversed).attempt_id.as_str(),
            )
        );
    }

    #[test]
    fn messages_of_graders_are_translated_and_those_of_authors_are_not() {
        let told = |spec: &str, submission: &str| {
            let submission = Submission::from_json(submission).unwrap();
            let context = Context::new().locale(fablegrade_public::Locale::De);
            let input = GradeInput::new(&submission).with_context(&context);
            let result = Grader::from_json(spec).unwrap().grade_with(&input).unwrap().into_result();
            result.feedback.iter().map(|told| told.message().to_owned()).collect::<Vec<_>>()
        };
        let text = "Part 2: look again at the sign.";
        let choices = format!(
            r#"{{"type":"multiple_choice","choices":[{{"id":"a","content":1,"correct":true}},
                {{"id":"b","content":2,"correct":false,"feedback":"{text}"}}]}}"#
        );
        assert_eq!(told(&choices, r#"{"type":"multiple_choice","selectedChoiceIds":["b"]}"#), [text]);
        assert_eq!(
            told(&choices, r#"{"type":"multiple_choice","selectedChoiceIds":["c"]}"#),
            ["Eine gewählte Antwort gehört nicht zu dieser Frage."]
        );
        let product = r#"{"type":"expression","canonical":"6","equivalence":"symbolic"}"#;
        let tab = told(product, "{\"type\":\"expression\",\"latex\":\"2\\times 3\"}");
        assert!(
            tab[0].starts_with("Bei Zeichen 2: vor Buchstaben steht ein Tabulator (`\\t`), wo"),
            "{tab:?}"
        );
    }
}
