//! Requests for grading: a spec, an answer and a context, as one object or as several documents.
//!
//! All bindings read JSON with this module, so they give the same errors and results.

use fablegrade_public::json::{Document, Path, Read, Value};
use fablegrade_public::outcome::OutcomeList;
use fablegrade_public::{AttemptResult, CaseOutcome, Error, ErrorKind, Finding, Findings, Submission};

use crate::attempt::{Attempt, Context};
use crate::bank::{Bank, item_id};
use crate::explain::Explanation;
use crate::grader::{GradeInput, Grader, Marked};
use crate::graders::{Compiled, Graders};
use crate::host::Host;

/// The answer: a submission or an attempt. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone)]
pub enum Given {
    /// A submission without metadata.
    Submission(Submission),
    /// A submission with its metadata.
    Attempt(Box<Attempt>),
}

impl Given {
    /// Returns the submission without its metadata.
    pub fn submission(&self) -> &Submission {
        match self {
            Self::Submission(submission) => submission,
            Self::Attempt(attempt) => &attempt.submission,
        }
    }

    /// Returns the input of grading, without outcomes or context.
    pub fn input(&self) -> GradeInput<'_> {
        match self {
            Self::Submission(submission) => GradeInput::new(submission),
            Self::Attempt(attempt) => GradeInput::of_attempt(attempt),
        }
    }
}

/// A request without its spec.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The answer.
    pub given: Given,
    /// Outcomes of the executed cases; `None` when nothing was run.
    pub outcomes: Option<Vec<CaseOutcome>>,
    /// The context of the grading.
    pub context: Context,
}

/// The documents of an [`Answer`], each as a separate text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Documents<'a> {
    /// A submission; give either this or `attempt`.
    pub submission: Option<&'a [u8]>,
    /// An attempt.
    pub attempt: Option<&'a [u8]>,
    /// An array of outcomes.
    pub outcomes: Option<&'a [u8]>,
    /// A context: `{gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}`.
    pub context: Option<&'a [u8]>,
}

impl Documents<'_> {
    /// Reads all documents that are present.
    ///
    /// # Errors
    /// All findings about all documents, in one error. Pointers are those of the equivalent [`Request`]
    /// object: `/context/hints` is in the context. The error has the kind of the first invalid document.
    pub fn read(&self) -> Result<Answer, Error> {
        let mut refused = Refusals::default();
        let submission = refused.keep("/submission", self.submission.map(Submission::from_json));
        let attempt = refused.keep("/attempt", self.attempt.map(Attempt::from_json));
        let outcomes = refused.keep(
            "/outcomes",
            self.outcomes.map(|text| Document::parse(text)?.read::<OutcomeList>().map(|list| list.0)),
        );
        let context = refused.keep("/context", self.context.map(Context::from_json));
        let given = match (submission, attempt) {
            _ if self.submission.is_some() && self.attempt.is_some() => {
                refused.add(ErrorKind::Schema, two_answers());
                None
            }
            (Some(submission), _) => Some(Given::Submission(submission)),
            (None, Some(attempt)) => Some(Given::Attempt(Box::new(attempt))),
            (None, None) => {
                if self.submission.is_none() && self.attempt.is_none() {
                    refused.add(ErrorKind::Schema, no_answer());
                }
                None
            }
        };
        match (given, refused.kind) {
            (Some(given), None) => Ok(Answer { given, outcomes, context: context.unwrap_or_default() }),
            (_, kind) => Err(Error::new(kind.unwrap_or(ErrorKind::Schema), refused.findings)),
        }
    }

    /// Compiles a spec and grades one answer with it. For several answers, keep a [`Grader`].
    ///
    /// # Errors
    /// The errors of [`Documents::read_with`], and [`ErrorKind::Mismatch`] as in [`Answer::grade`].
    pub fn grade(&self, spec: impl AsRef<[u8]>, host: &Host) -> Result<AttemptResult, Error> {
        let (grader, answer) = self.read_with(spec, host)?;
        answer.grade(&grader)
    }

    /// Compiles a spec and reads all documents that are present.
    ///
    /// # Errors
    /// All findings about the spec and the other documents, in one error. Pointers are those of the
    /// equivalent [`Request`] object. The error has the kind of the first invalid document.
    pub fn read_with(&self, spec: impl AsRef<[u8]>, host: &Host) -> Result<(Grader, Answer), Error> {
        let mut refused = Refusals::default();
        let grader = refused.keep("/spec", Some(Grader::from_json_with(spec, host)));
        let answer = refused.keep("", Some(self.read()));
        match (grader, answer) {
            (Some(grader), Some(answer)) => Ok((grader, answer)),
            _ => Err(Error::new(refused.kind.unwrap_or(ErrorKind::Schema), refused.findings)),
        }
    }
}

/// The collected errors of several documents.
#[derive(Default)]
struct Refusals {
    kind: Option<ErrorKind>,
    findings: Findings,
}

impl Refusals {
    fn add(&mut self, kind: ErrorKind, finding: Finding) {
        self.kind = self.kind.or(Some(kind));
        self.findings.push(finding);
    }

    fn keep<T>(&mut self, prefix: &str, read: Option<Result<T, Error>>) -> Option<T> {
        match read? {
            Ok(document) => Some(document),
            Err(error) => {
                self.kind = self.kind.or(Some(error.kind()));
                self.findings.absorb(error.into_findings().within(prefix));
                None
            }
        }
    }
}

impl Answer {
    /// Grades without an explanation.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] under the conditions of [`Grader::grade_with`].
    pub fn grade(&self, grader: &Grader) -> Result<AttemptResult, Error> {
        grader.grade_with(&self.input()).map(Marked::into_result).map_err(|error| self.placed(error))
    }

    /// Grades and explains.
    ///
    /// # Errors
    /// The same as for [`Answer::grade`].
    pub fn explain(&self, grader: &Grader) -> Result<(AttemptResult, Explanation), Error> {
        let marked =
            grader.grade_with(&self.input().with_explanation()).map_err(|error| self.placed(error))?;
        let explanation = marked.explanation().clone();
        Ok((marked.into_result(), explanation))
    }

    fn input(&self) -> GradeInput<'_> {
        let input = self.given.input().with_context(&self.context);
        match &self.outcomes {
            Some(outcomes) => input.with_outcomes(outcomes),
            None => input,
        }
    }

    /// Makes the pointers of an error of [`Grader::grade_with`] relative to the request. Such an error is about
    /// the version that an attempt names, or else about the outcomes.
    fn placed(&self, error: Error) -> Error {
        let of_attempt = matches!(self.given, Given::Attempt(_)) && error.pointer() == "/problemVersionId";
        error.within(if of_attempt { "/attempt" } else { "/outcomes" })
    }
}

/// The fields of a request object: `{id?, spec | item, sitting?, submission | attempt, outcomes?, context?}`.
#[derive(Default, Clone, Copy)]
pub struct Request<'d> {
    /// Any value that identifies the request; it is returned unchanged.
    pub id: Option<Value<'d>>,
    /// The name of the sitting, for item analysis; grading ignores it.
    pub sitting: Option<Value<'d>>,
    /// The spec, or the id of the item in a bank.
    question: Option<Value<'d>>,
    submission: Option<Value<'d>>,
    attempt: Option<Value<'d>>,
    outcomes: Option<Value<'d>>,
    context: Option<Value<'d>>,
}

impl<'d> Request<'d> {
    /// Reads the fields of an object with a `spec`; unknown and missing fields are reported.
    pub fn split(value: Value<'d>, findings: &mut Findings) -> Self {
        Self::split_by("spec", value, findings)
    }

    /// Reads the fields of an object whose `item` names a question in a [`Bank`].
    pub fn split_item(value: Value<'d>, findings: &mut Findings) -> Self {
        Self::split_by("item", value, findings)
    }

    fn split_by(question: &str, value: Value<'d>, findings: &mut Findings) -> Self {
        let mut request = Self::default();
        if !value.is_object() {
            findings.push(Finding::error(
                "wrong-type",
                "",
                format!("expected an object, found {}", value.kind()),
                format!("give an object with `{question}` and `submission`"),
            ));
            return request;
        }
        let parts = [question, "submission", "attempt"];
        if value.get("type").is_some() && parts.iter().all(|part| value.get(part).is_none()) {
            findings.push(Finding::error(
                "missing-field",
                "",
                "this is a question or an answer alone",
                format!("give both as `{{\"{question}\": …, \"submission\": …}}`"),
            ));
            return request;
        }
        for (key, value) in value.fields() {
            let field = match key.as_ref() {
                "id" => &mut request.id,
                "sitting" => &mut request.sitting,
                name if name == question => &mut request.question,
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
        if request.question.is_none() {
            findings.push(missing(question, &format!("the field `{question}` is missing")));
        }
        match (request.submission, request.attempt) {
            (None, None) => findings.push(no_answer()),
            (Some(_), Some(_)) => findings.push(two_answers()),
            _ => {}
        }
        request
    }

    /// Returns the item's id, the sitting, the seconds spent and the submission of a request of
    /// [`Request::split_item`], if they are present. The values are unchanged; the names are those of the
    /// fields of a result line.
    pub fn kept(&self) -> impl Iterator<Item = (&'static str, Value<'d>)> {
        let of_attempt = |name| self.attempt.and_then(|attempt| attempt.get(name));
        let fields = [
            ("item", self.question),
            ("sitting", self.sitting),
            ("seconds", of_attempt("timeSpentSeconds")),
            ("submission", self.submission.or_else(|| of_attempt("submission"))),
        ];
        fields.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)))
    }

    /// Returns the answer, if all its parts can be read.
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

    /// Reads the answer, compiles the spec, and passes both to `grade`. `findings` holds the findings of
    /// [`Request::split`].
    ///
    /// # Errors
    /// All findings about the spec, the answer and the other fields, in one error, with pointers relative to
    /// the request; or the error of `grade`.
    pub fn grade_with<T>(
        &self,
        graders: &mut Graders,
        mut findings: Findings,
        grade: impl FnOnce(&Answer, &Grader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = self.answer(&mut findings);
        let Some(spec) = self.question else { return Err(Error::new(ErrorKind::Schema, findings)) };
        grade_compiled(graders.get(spec).as_ref(), answer.as_ref(), findings, grade)
    }

    /// Works like [`Request::grade_with`] for a request of [`Request::split_item`]. The question comes from
    /// `bank`; the result is the same as with the spec in the request.
    ///
    /// # Errors
    /// The same as for [`Request::grade_with`]; [`ErrorKind::Mismatch`] when the only error is that the bank does not have
    /// the item.
    pub fn grade_from<T>(
        &self,
        bank: &Bank,
        mut findings: Findings,
        grade: impl FnOnce(&Answer, &Grader) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let answer = self.answer(&mut findings);
        let item = self.question.and_then(|item| item_id(item, &mut findings));
        let Some(item) = item else { return Err(Error::new(ErrorKind::Schema, findings)) };
        grade_item(bank, &item, answer.as_ref(), findings, grade)
    }

    /// Grades a request of [`Request::split_item`] against two banks, with explanations. The answer is read once.
    ///
    /// # Errors
    /// The same as for [`Request::grade_from`], with either bank. In errors about an unknown item or an invalid spec,
    /// pointers start with `/old` or `/new`.
    pub fn regrade(&self, old: &Bank, new: &Bank, mut findings: Findings) -> Result<Regraded, Error> {
        let answer = self.answer(&mut findings);
        let item = self.question.and_then(|item| item_id(item, &mut findings));
        let (Some(item), Some(answer)) = (item, answer.filter(|_| findings.errors() == 0)) else {
            return Err(Error::new(ErrorKind::Schema, findings));
        };
        let by = |bank: &Bank, name: &str| {
            let graded = grade_item(bank, &item, Some(&answer), findings.clone(), Answer::explain);
            graded.map_err(|error| match error.pointer() {
                pointer if pointer == "/item" || pointer.starts_with("/spec") => error.within(name),
                _ => error,
            })
        };
        let (before, after) = (by(old, "/old")?, by(new, "/new")?);
        Ok(Regraded { item, before, after })
    }
}

/// One answer, graded against two banks.
#[derive(Debug, Clone)]
pub struct Regraded {
    /// The item.
    pub item: String,
    /// The result with the old bank, explained.
    pub before: (AttemptResult, Explanation),
    /// The result with the new bank, explained.
    pub after: (AttemptResult, Explanation),
}

impl Regraded {
    /// Returns whether the verdict or the score differs.
    pub fn is_changed(&self) -> bool {
        self.before.0.verdict != self.after.0.verdict || self.before.0.score != self.after.0.score
    }
}

fn grade_item<T>(
    bank: &Bank,
    item: &str,
    answer: Option<&Answer>,
    mut findings: Findings,
    grade: impl FnOnce(&Answer, &Grader) -> Result<T, Error>,
) -> Result<T, Error> {
    let Some(compiled) = bank.get(item) else {
        let kind = if findings.errors() == 0 { ErrorKind::Mismatch } else { ErrorKind::Schema };
        findings.push(unknown_item(item));
        return Err(Error::new(kind, findings));
    };
    grade_compiled(compiled, answer, findings, grade)
}

fn grade_compiled<T>(
    compiled: &Compiled,
    answer: Option<&Answer>,
    findings: Findings,
    grade: impl FnOnce(&Answer, &Grader) -> Result<T, Error>,
) -> Result<T, Error> {
    match (compiled, answer) {
        (Ok(grader), Some(answer)) if findings.errors() == 0 => grade(answer, grader),
        (Ok(_), _) => Err(Error::new(ErrorKind::Schema, findings)),
        (Err(error), _) => {
            let kind = if findings.errors() == 0 { error.kind() } else { ErrorKind::Schema };
            let mut all = error.clone().into_findings().within("/spec");
            all.absorb(findings);
            Err(Error::new(kind, all))
        }
    }
}

fn unknown_item(item: &str) -> Finding {
    Finding::error(
        "unknown-item",
        "/item",
        format!("the bank has no question with the id {item:?}"),
        "add the question to the bank or correct the id",
    )
}

fn no_answer() -> Finding {
    missing("submission", "there is no `submission` and no `attempt`")
}

fn two_answers() -> Finding {
    Finding::error(
        "two-answers",
        "/attempt",
        "there is a `submission` and an `attempt`",
        "give only one of them",
    )
}

fn missing(field: &str, message: &str) -> Finding {
    Finding::error("missing-field", "", message, format!("add `{field}`"))
}
