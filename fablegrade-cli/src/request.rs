//! A request for grading: a spec, an answer, and what the caller knows; as one object or as several documents.

use fablegrade_core::json::{Path, Read, Value};
use fablegrade_core::outcome::OutcomeList;
use fablegrade_core::{
    Attempt, AttemptResult, CaseOutcome, Context, Error, ErrorKind, Explanation, Finding, Findings, Grader,
    Submission,
};

use crate::findings::within;
use crate::specs::Specs;

/// What was answered.
pub(crate) enum Given {
    Submission(Submission),
    Attempt(Box<Attempt>),
}

/// Everything about a request but its spec.
pub(crate) struct Answer {
    pub(crate) given: Given,
    pub(crate) outcomes: Option<Vec<CaseOutcome>>,
    pub(crate) context: Context,
}

impl Answer {
    /// Grades without an explanation where that is quicker.
    ///
    /// # Errors
    /// When the documents do not belong together.
    pub(crate) fn grade(&self, grader: &Grader) -> Result<AttemptResult, Error> {
        match (&self.given, &self.outcomes) {
            (Given::Submission(submission), None) => Ok(grader.grade_in(submission, &self.context)),
            _ => self.explain(grader).map(|(result, _)| result),
        }
    }

    /// Grades and explains.
    ///
    /// # Errors
    /// As [`Answer::grade`].
    pub(crate) fn explain(&self, grader: &Grader) -> Result<(AttemptResult, Explanation), Error> {
        let context = &self.context;
        let marked = match (&self.given, &self.outcomes) {
            (Given::Submission(submission), None) => grader.mark(submission, context),
            (Given::Submission(submission), Some(outcomes)) => {
                grader.conclude(submission, outcomes, context)?
            }
            (Given::Attempt(attempt), None) => grader.grade_attempt(attempt, context)?,
            (Given::Attempt(attempt), Some(outcomes)) => {
                grader.conclude_attempt(attempt, outcomes, context)?
            }
        };
        let explanation = marked.explanation().clone();
        Ok((marked.into_result(), explanation))
    }
}

/// The fields of a request object: `{id?, spec, submission | attempt, outcomes?, context?}`.
#[derive(Default, Clone, Copy)]
pub(crate) struct Request<'d> {
    pub(crate) id: Option<Value<'d>>,
    spec: Option<Value<'d>>,
    submission: Option<Value<'d>>,
    attempt: Option<Value<'d>>,
    outcomes: Option<Value<'d>>,
    context: Option<Value<'d>>,
}

impl<'d> Request<'d> {
    /// Takes an object apart; what does not belong into a request is reported.
    pub(crate) fn split(value: Value<'d>, findings: &mut Findings) -> Self {
        let mut request = Self::default();
        if !value.is_object() {
            findings.push(Finding::error(
                "wrong-type",
                "",
                format!("expected an object, found {}", value.kind()),
                "give an object with `spec` and `submission`",
            ));
            return request;
        }
        for (key, value) in value.fields() {
            let field = match key.as_ref() {
                "id" => &mut request.id,
                "spec" => &mut request.spec,
                "submission" => &mut request.submission,
                "attempt" => &mut request.attempt,
                "outcomes" => &mut request.outcomes,
                "context" => &mut request.context,
                unknown => {
                    findings.push(Finding::error(
                        "unknown-field",
                        Path::Field(&Path::Root, unknown).pointer(),
                        "this field is not part of a request",
                        "remove it or correct its name",
                    ));
                    continue;
                }
            };
            *field = Some(value);
        }
        if request.spec.is_none() {
            findings.push(missing("spec", "the field `spec` is missing"));
        }
        match (request.submission, request.attempt) {
            (None, None) => findings.push(missing("submission", "there is no `submission` and no `attempt`")),
            (Some(_), Some(_)) => findings.push(Finding::error(
                "two-answers",
                "/attempt",
                "there is a `submission` and an `attempt`",
                "give only one of them",
            )),
            _ => {}
        }
        request
    }

    /// The answer, if all of it can be read.
    fn answer(&self, findings: &mut Findings) -> Option<Answer> {
        let given = match (self.submission, self.attempt) {
            (Some(submission), _) => {
                Submission::read(submission, &Path::Field(&Path::Root, "submission"), findings)
                    .map(Given::Submission)
            }
            (None, Some(attempt)) => Attempt::read(attempt, &Path::Field(&Path::Root, "attempt"), findings)
                .map(|attempt| Given::Attempt(Box::new(attempt))),
            (None, None) => None,
        };
        let outcomes = match self.outcomes {
            None => Some(None),
            Some(outcomes) => OutcomeList::read(outcomes, &Path::Field(&Path::Root, "outcomes"), findings)
                .map(|list| Some(list.0)),
        };
        let context = match self.context {
            None => Some(Context::default()),
            Some(context) => Context::read(context, &Path::Field(&Path::Root, "context"), findings),
        };
        Some(Answer { given: given?, outcomes: outcomes?, context: context? })
    }

    /// Reads and compiles everything and hands it to `grade`. `findings` holds what [`Request::split`] found.
    ///
    /// # Errors
    /// Every finding about the spec, the answer and the rest at once; pointers start at the request.
    pub(crate) fn grade_with<T>(
        &self,
        specs: &mut Specs,
        mut findings: Findings,
        grade: impl FnOnce(&Answer, &Grader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = self.answer(&mut findings);
        let mut kind = ErrorKind::Schema;
        let Some(spec) = self.spec else { return Err(Error::new(kind, findings)) };
        let compiled = specs.get(spec);
        match (compiled.as_ref(), answer) {
            (Ok(grader), Some(answer)) if findings.errors() == 0 => grade(&answer, grader),
            (Ok(_), _) => Err(Error::new(kind, findings)),
            (Err(error), _) => {
                if findings.errors() == 0 {
                    kind = error.kind();
                }
                let mut all = Findings::new();
                within("/spec", error.findings()).into_iter().for_each(|finding| all.push(finding));
                findings.into_vec().into_iter().for_each(|finding| all.push(finding));
                Err(Error::new(kind, all))
            }
        }
    }
}

fn missing(field: &str, message: &str) -> Finding {
    Finding::error("missing-field", "", message, format!("add `{field}`"))
}
