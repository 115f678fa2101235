//! Grading: the class `Grader` and the functions that work without one.

use std::ffi::CString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use fablegrade_core::json::Document;
use fablegrade_core::repeated::{Head, Repeated};
use fablegrade_core::request::{Documents, Request};
use fablegrade_core::{
    AnswerSpec, Attempt, AttemptResult as Graded, Context, Error, Finding, Findings, GradeInput,
    Grader as Engine, Marked, Matcher, Submission, lint_json_knowing,
};
use fablegrade_core::{graders::Graders, view::QuestionType};
use fablegrade_validators::registry::host;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple, PyType};

use crate::documents::{Text, decimal, output_bytes, seed_bytes};
use crate::errors::{NoResult, exception, refusal};
use crate::interrupts::Watch;
use crate::parallel::{parallel_with, threads};
use crate::result::AttemptResult;
use crate::validators::detached;

/// An argument that may be absent.
type Maybe<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The documents of one answer, as texts.
pub(crate) struct Texts<'py> {
    submission: Option<Text<'py>>,
    attempt: Option<Text<'py>>,
    outcomes: Option<Text<'py>>,
    context: Option<Text<'py>>,
}

impl<'py> Texts<'py> {
    pub(crate) fn of(
        submission: Maybe<'_, 'py>,
        attempt: Maybe<'_, 'py>,
        outcomes: Maybe<'_, 'py>,
        context: Maybe<'_, 'py>,
    ) -> Result<Self, NoResult> {
        Ok(Self {
            submission: Text::given("submission", submission)?,
            attempt: Text::given("attempt", attempt)?,
            outcomes: Text::given("outcomes", outcomes)?,
            context: Text::given("context", context)?,
        })
    }

    pub(crate) fn documents(&self) -> Documents<'_> {
        Documents {
            submission: self.submission.as_ref().map(Text::bytes),
            attempt: self.attempt.as_ref().map(Text::bytes),
            outcomes: self.outcomes.as_ref().map(Text::bytes),
            context: self.context.as_ref().map(Text::bytes),
        }
    }
}

/// If an answer's documents have more bytes than this together, the interpreter's lock is released while
/// grading.
const SHORT: usize = 4_096;
/// The number of answers that are read at a time.
const CHUNK: usize = 4_096;
/// A chunk gets one thread per this many answers, and needs at least this many for results to be cached.
const MANY: usize = 64;
/// The total size of the result caches of a call's threads, in bytes.
const REMEMBERED: usize = 8 << 20;

/// A question with its key, checked and compiled once.
///
/// `spec` is an AnswerSpec document: JSON as `str` or bytes, or a dict. Immutable, thread-safe, picklable (a
/// pickle contains the key). Raises `FablegradeError` with every finding if the question cannot be graded.
///
/// >>> from fablegrade import Grader
/// >>> grader = Grader({"type": "numeric", "answer": {"value": 4}})
/// >>> grader.grade({"type": "numeric", "value": 4.0}).verdict
/// 'correct'
#[pyclass(frozen, module = "fablegrade", name = "Grader")]
pub(crate) struct Grader {
    pub(crate) engine: Engine,
    text: Box<[u8]>,
}

impl Grader {
    fn compile(spec: &Bound<'_, PyAny>) -> Result<Self, NoResult> {
        let text = Text::of(spec)?;
        let bytes = text.bytes();
        let engine = detached(spec.py(), || Engine::from_json_with(bytes, &host()))??;
        Ok(Self { engine, text: bytes.into() })
    }

    /// Returns whether grading takes longer than releasing the interpreter's lock.
    ///
    /// Only short answers to the discrete question types are faster: they take about a microsecond.
    fn is_long(&self, documents: &Documents<'_>) -> bool {
        let discrete = matches!(
            self.engine.spec().question_type(),
            QuestionType::MultipleChoice
                | QuestionType::Numeric
                | QuestionType::Ordering
                | QuestionType::Matching
        );
        let texts = [documents.submission, documents.attempt, documents.outcomes, documents.context];
        !discrete || texts.iter().flatten().map(|text| text.len()).sum::<usize>() > SHORT
    }

    fn grade_texts(&self, py: Python<'_>, texts: &Texts<'_>) -> Result<AttemptResult, NoResult> {
        let documents = texts.documents();
        let grade = || documents.read()?.grade(&self.engine);
        let graded = if self.is_long(&documents) { detached(py, grade)? } else { grade() };
        Ok(graded?.into())
    }

    fn explain_texts<'py>(&self, py: Python<'py>, texts: &Texts<'_>) -> Result<Bound<'py, PyAny>, NoResult> {
        static EXPLANATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let documents = texts.documents();
        let (result, explanation) = detached(py, || documents.read()?.explain(&self.engine))??;
        let words = explanation.to_string();
        let made = EXPLANATION.import(py, "fablegrade.results", "Explanation")?.call1((
            explanation.to_json_for_author(),
            words,
            AttemptResult::from(result),
        ))?;
        Ok(made)
    }
}

#[pymethods]
impl Grader {
    #[new]
    fn new(spec: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::compile(spec)?)
    }

    /// The question's type, such as `"multiple_choice"`.
    #[getter]
    #[pyo3(name = "type")]
    fn question_type<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.engine.spec().question_type().as_str())
    }

    /// Warnings about the spec: it can be graded but probably contains a mistake. A tuple of `Finding`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, findings(py, self.engine.warnings())?)
    }

    /// Grades one answer: a `submission`, or an `attempt` that contains one.
    ///
    /// Documents are JSON as `str` or bytes, or Python values. `outcomes` has the outcomes of programs that a
    /// host ran; `context` is `{gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}`,
    /// with penalties from 0 to 1. Equal answers get equal attempt ids unless `attemptId` is given.
    /// Raises `FablegradeError` with every finding. A pointer starts with the name of the argument, such as
    /// `/submission/value`.
    #[pyo3(signature = (submission=None, *, attempt=None, outcomes=None, context=None))]
    fn grade<'py>(
        &self,
        py: Python<'py>,
        submission: Maybe<'_, 'py>,
        attempt: Maybe<'_, 'py>,
        outcomes: Maybe<'_, 'py>,
        context: Maybe<'_, 'py>,
    ) -> PyResult<AttemptResult> {
        let texts = Texts::of(submission, attempt, outcomes, context)?;
        Ok(self.grade_texts(py, &texts)?)
    }

    /// Grades one answer and explains the score to the author: an `Explanation`. Arguments and errors are those of
    /// `grade`.
    #[pyo3(signature = (submission=None, *, attempt=None, outcomes=None, context=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        submission: Maybe<'_, 'py>,
        attempt: Maybe<'_, 'py>,
        outcomes: Maybe<'_, 'py>,
        context: Maybe<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let texts = Texts::of(submission, attempt, outcomes, context)?;
        Ok(self.explain_texts(py, &texts)?)
    }

    /// Grades many answers, in order: an iterable of submissions, or of `attempts`.
    ///
    /// The list has an `AttemptResult` for each answer, or a `FablegradeError` if its document is invalid, so
    /// an invalid answer does not stop the others. The interpreter's lock is released, and `workers`
    /// threads grade (0: one per core). `progress(done, total)` is called at most ten times per second and at
    /// the end; until then, `total` is `None` for an iterable without a length.
    #[pyo3(signature = (submissions=None, *, attempts=None, context=None, workers=0, progress=None))]
    fn grade_many<'py>(
        &self,
        submissions: Maybe<'_, 'py>,
        attempts: Maybe<'_, 'py>,
        context: Maybe<'_, 'py>,
        workers: isize,
        progress: Maybe<'_, 'py>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (answers, name) = match (submissions, attempts) {
            (Some(submissions), None) => (submissions, "submission"),
            (None, Some(attempts)) => (attempts, "attempt"),
            _ => return Err(PyTypeError::new_err("give either `submissions` or `attempts`")),
        };
        let context = match Text::given("context", context)? {
            Some(text) => {
                Context::from_json(text.bytes()).map_err(|error| NoResult::from(error).within("context"))?
            }
            None => Context::default(),
        };
        let engine = &self.engine;
        let whole = name == "attempt";
        let lasting = is_lasting(engine);
        let grade = |(): &mut (), text: &[u8]| {
            let graded = if whole {
                Attempt::from_json(text).and_then(|attempt| {
                    engine.grade_with(&GradeInput::of_attempt(&attempt).with_context(&context))
                })
            } else {
                Submission::from_json(text).and_then(|submission| {
                    engine.grade_with(&GradeInput::new(&submission).with_context(&context))
                })
            }
            .map(|marked| (Marked::into_result(marked), lasting));
            graded.map_err(|error| error.within(&format!("/{name}")))
        };
        many(answers, name, workers, progress, |_| (), grade)
    }

    /// Returns the delivery view of the question, shuffled by `seed` (`str`, bytes, `int` or `UUID`): a
    /// `DeliveryView`.
    ///
    /// The same seed gives the same view; derive it from the learner or the attempt.
    #[pyo3(signature = (seed=None))]
    fn deliver<'py>(&self, py: Python<'py>, seed: Maybe<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let seed = seed.map(seed_bytes).transpose()?.unwrap_or_default();
        view(py, &self.engine.deliver(seed).to_json())
    }

    /// Returns the cases to run for this submission, as the JSON of an ExecutionPlan for your own host;
    /// `None` if there are none. It contains hidden inputs, so never show it to a learner.
    fn plan(&self, submission: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let within = |refused: NoResult| refused.within("submission");
        let text = Text::of(submission).map_err(within)?;
        let submission = Submission::from_json(text.bytes()).map_err(|error| within(error.into()))?;
        Ok(self.engine.plan(&submission).map(|plan| plan.to_json_for_host()))
    }

    /// Graders are equal if their specs are equal, regardless of notation and the order of fields.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().engine.spec() == self.engine.spec())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.engine.deliver("").to_json().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<Grader {}>", self.engine.spec().question_type().as_str())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>,)) {
        (slf.get_type(), (PyBytes::new(slf.py(), &slf.get().text),))
    }
}

/// Returns whether equal answers always have equal results. Validators that a program registered can decide
/// differently each time.
pub(crate) fn is_lasting(grader: &Engine) -> bool {
    grader.spec().question_type() != QuestionType::Widget
}

/// A thread's cache of results and its state.
struct Worker<S> {
    known: Option<Repeated<AttemptResult>>,
    state: S,
}

impl<S> Worker<S> {
    /// Grades a text, or returns the cached result of the same text. `grade` also returns whether the result
    /// can be cached.
    fn grade(
        &mut self,
        text: &[u8],
        grade: impl FnOnce(&mut S, &[u8]) -> Result<(Graded, bool), Error>,
    ) -> Result<AttemptResult, Error> {
        let mut kept = self.known.as_mut().zip(Head::whole(None, text));
        if let Some((known, head)) = &mut kept
            && let Some(result) = known.get(head)
        {
            return Ok(result.clone());
        }
        let (result, lasting) = grade(&mut self.state, text)?;
        let result = AttemptResult::from(result);
        if let Some((known, head)) = kept
            && lasting
            && known.is_again(&head)
        {
            known.learn(&head, result.clone(), result.size());
        }
        Ok(result)
    }
}

/// Grades the documents of an iterable in chunks, on several threads and without the interpreter's lock.
///
/// Returns the results in order, with the exception for each document that was refused. `state` makes the
/// state of each thread; its argument is the number of threads.
fn many<'py, S: Send>(
    answers: &Bound<'py, PyAny>,
    name: &str,
    workers: isize,
    progress: Maybe<'_, 'py>,
    state: impl Fn(usize) -> S,
    grade: impl Fn(&mut S, &[u8]) -> Result<(Graded, bool), Error> + Sync,
) -> PyResult<Bound<'py, PyList>> {
    let py = answers.py();
    // These are iterable, but their elements are not documents.
    if answers.is_instance_of::<PyDict>()
        || answers.is_instance_of::<PyString>()
        || answers.is_instance_of::<PyBytes>()
        || answers.is_instance_of::<PyByteArray>()
    {
        return Err(PyTypeError::new_err(
            "this is one document; pass a list, or another iterable, of documents",
        ));
    }
    let list = PyList::empty(py);
    let mut watch = Watch::reporting(py, progress, answers.len().ok())?;
    let threads = threads(workers)?;
    let mut workers: Vec<Worker<S>> = Vec::new();
    let mut answers = answers.try_iter()?;
    loop {
        let mut texts = Vec::new();
        for answer in answers.by_ref().take(CHUNK) {
            texts.push(match Text::of(&answer?).map_err(|refused| refused.within(name)) {
                Ok(text) => Ok(text),
                Err(NoResult::Document(error)) => Err(error),
                Err(NoResult::Python(error)) => return Err(error),
            });
        }
        if texts.is_empty() {
            watch.finish(py, list.len())?;
            return Ok(list);
        }
        while workers.len() < threads.min(texts.len().div_ceil(MANY)) {
            workers.push(Worker { known: None, state: state(threads) });
        }
        if texts.len() >= MANY {
            let limit = REMEMBERED / threads;
            for worker in &mut workers {
                worker.known.get_or_insert_with(|| Repeated::within(limit));
            }
        }
        let slices: Vec<Result<&[u8], &Error>> =
            texts.iter().map(|text| text.as_ref().map(Text::bytes)).collect();
        watch.after(list.len());
        let graded = py.detach(|| {
            parallel_with(slices.len(), &mut workers, &mut watch, |worker, at| match slices[at] {
                Ok(text) => worker.grade(text, &grade),
                Err(error) => Err(error.clone()),
            })
        })?;
        py.check_signals()?;
        for graded in graded {
            match graded {
                Ok(result) => list.append(result)?,
                Err(error) => list.append(exception(py, &error)?)?,
            }
        }
    }
}

/// Returns `DeliveryView(text)`.
fn view<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static VIEW: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    VIEW.import(py, "fablegrade.results", "DeliveryView")?.call1((text,))
}

/// Returns a `Finding(...)` for each finding.
pub(crate) fn findings<'py>(py: Python<'py>, all: &[Finding]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    static FINDING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = FINDING.import(py, "fablegrade.results", "Finding")?;
    all.iter()
        .map(|finding| {
            let severity = PyString::intern(py, finding.severity.as_str());
            class.call1((severity, finding.rule, &finding.pointer, &finding.message, &finding.help))
        })
        .collect()
}

/// Grades one answer to one question; the arguments are those of `Grader.grade`.
///
/// An invalid spec and an invalid answer raise one error, with all findings about both. A pointer starts
/// with the name of the argument, such as `/spec`. Warnings about the spec are issued as `FablegradeWarning`.
/// Equal answers get equal attempt ids; give `attemptId` in the context if each needs a different one.
///
/// >>> import fablegrade
/// >>> fablegrade.grade({"type": "numeric", "answer": {"value": 4}}, {"type": "numeric", "value": 5}).score
/// 0.0
#[pyfunction]
#[pyo3(signature = (spec, submission=None, *, attempt=None, outcomes=None, context=None))]
pub(crate) fn grade<'py>(
    spec: &Bound<'py, PyAny>,
    submission: Maybe<'_, 'py>,
    attempt: Maybe<'_, 'py>,
    outcomes: Maybe<'_, 'py>,
    context: Maybe<'_, 'py>,
) -> PyResult<AttemptResult> {
    let texts = Texts::of(submission, attempt, outcomes, context)?;
    let spec_text = Text::of(spec).map_err(|refused| refused.within("spec"))?;
    let (documents, bytes) = (texts.documents(), spec_text.bytes());
    let graded = detached(spec.py(), || {
        let (grader, answer) = documents.read_with(bytes, &host())?;
        Ok::<_, Error>((answer.grade(&grader)?, grader))
    });
    let (result, grader) = graded?.map_err(NoResult::from)?;
    warn(spec.py(), &grader)?;
    Ok(result.into())
}

/// Grades one answer and explains the score to the author: `Grader(spec).explain(...)`, an `Explanation`.
///
/// >>> import fablegrade
/// >>> explanation = fablegrade.explain(
/// ...     {"type": "numeric", "answer": {"value": 4}},
/// ...     {"type": "numeric", "value": 4},
/// ...     context={"hints": {"h1": 0.25}},
/// ... )
/// >>> explanation.raw_score, explanation.penalty, explanation.score
/// (Fraction(1, 1), Fraction(1, 4), Fraction(3, 4))
#[pyfunction]
#[pyo3(signature = (spec, submission=None, *, attempt=None, outcomes=None, context=None))]
pub(crate) fn explain<'py>(
    spec: &Bound<'py, PyAny>,
    submission: Maybe<'_, 'py>,
    attempt: Maybe<'_, 'py>,
    outcomes: Maybe<'_, 'py>,
    context: Maybe<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let texts = Texts::of(submission, attempt, outcomes, context)?;
    let grader = Grader::compile(spec).map_err(|refused| refused.within("spec"))?;
    let explained = grader.explain_texts(spec.py(), &texts)?;
    warn(spec.py(), &grader.engine)?;
    Ok(explained)
}

/// Issues the warnings about a question as Python warnings.
fn warn(py: Python<'_>, grader: &Engine) -> PyResult<()> {
    static CATEGORY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    for finding in grader.warnings() {
        let category = CATEGORY.import(py, "fablegrade.errors", "FablegradeWarning")?;
        let text = format!("/spec{}: {}; {}", finding.pointer, finding.message, finding.help);
        PyErr::warn(py, category, &CString::new(text).unwrap_or_default(), 1)?;
    }
    Ok(())
}

/// Grades requests `{spec, submission | attempt, outcomes?, context?}`, each JSON or a dict, in order.
///
/// Compiled specs are cached, so requests can repeat the text of a spec. For an invalid request, the list has
/// its `FablegradeError`, which is not raised. The interpreter's lock is released, and `workers` threads
/// grade (0: one per core).
///
/// >>> import fablegrade
/// >>> spec = {"type": "numeric", "answer": {"value": 4}}
/// >>> answers = [{"type": "numeric", "value": 4}, {"type": "numeric", "value": "four"}]
/// >>> good, bad = fablegrade.grade_many({"spec": spec, "submission": answer} for answer in answers)
/// >>> good.verdict, bad.pointer, bad.rule
/// ('correct', '/submission/value', 'wrong-type')
#[pyfunction]
#[pyo3(signature = (requests, *, workers=0, progress=None))]
pub(crate) fn grade_many<'py>(
    requests: &Bound<'py, PyAny>,
    workers: isize,
    progress: Maybe<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let host = host();
    let graders = |threads| Graders::with_host(threads, &host);
    many(requests, "", workers, progress, graders, |graders, text| {
        let document = Document::parse(text)?;
        let mut found = Findings::new();
        let request = Request::split(document.root(), &mut found);
        let mut lasting = false;
        let graded = request.grade_with(graders, found, |answer, grader| {
            lasting = is_lasting(grader);
            answer.grade(grader)
        })?;
        Ok((graded, lasting))
    })
}

/// Checks an Attempt document as a whole; pointers start with `/attempt`.
#[pyfunction]
pub(crate) fn check_attempt(document: &Bound<'_, PyAny>) -> PyResult<()> {
    let within = |refused: NoResult| refused.within("attempt");
    let text = Text::of(document).map_err(within)?;
    Ok(Attempt::from_json(text.bytes()).map(drop).map_err(|error| within(error.into()))?)
}

/// Returns the delivery view of the question: a `DeliveryView` without the key, shuffled by `seed` (`str`, bytes,
/// `int` or `UUID`).
///
/// The same seed gives the same view; derive it from the learner or the attempt.
///
/// >>> import fablegrade
/// >>> fablegrade.deliver({"type": "numeric", "answer": {"value": 42}}, "learner 7").to_json()
/// '{"integerOnly":false,"type":"numeric"}'
#[pyfunction]
#[pyo3(signature = (spec, seed=None))]
pub(crate) fn deliver<'py>(spec: &Bound<'py, PyAny>, seed: Maybe<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let seed = seed.map(seed_bytes).transpose()?.unwrap_or_default();
    let text = Text::of(spec)?;
    let spec_ = AnswerSpec::from_json(text.bytes()).map_err(NoResult::from)?;
    view(spec.py(), &fablegrade_core::deliver(&spec_, seed).to_json())
}

/// Finds defects in a question before a learner does: a list of `Finding`, the most severe first.
///
/// Does not raise for an invalid spec or a text that is not JSON: the list has the errors. `docs/lint.md`
/// explains every rule.
///
/// >>> import fablegrade
/// >>> fablegrade.lint('{"type": "numeric"}')[0].rule
/// 'missing-field'
#[pyfunction]
pub(crate) fn lint<'py>(spec: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = spec.py();
    let text = match Text::of(spec) {
        Ok(text) => text,
        Err(NoResult::Document(error)) => return findings(py, error.findings()),
        Err(NoResult::Python(error)) => return Err(error),
    };
    let bytes = text.bytes();
    let found = detached(py, || lint_json_knowing(bytes, &host()))?;
    findings(py, &found)
}

/// `fablegrade.match_output` as JSON: `{accept, difference?, largestError?}`.
#[pyfunction]
#[pyo3(signature = (matcher, expected, actual, float_tolerance=None))]
pub(crate) fn compare_outputs(
    py: Python<'_>,
    matcher: &str,
    expected: &Bound<'_, PyAny>,
    actual: &Bound<'_, PyAny>,
    float_tolerance: Maybe<'_, '_>,
) -> PyResult<String> {
    let Some(matcher) = Matcher::from_word(matcher) else {
        let words: Vec<String> = Matcher::WORDS.iter().map(|(word, _)| format!("`{word}`")).collect();
        let help = format!("use one of {}", words.join(", "));
        return Err(
            refusal("unknown-word", "/matcher", "this word is not one of the allowed ones", &help).into()
        );
    };
    let tolerance = float_tolerance.map(|given| decimal("float_tolerance", given)).transpose()?;
    if tolerance.as_ref().is_some_and(fablegrade_core::Decimal::is_negative) {
        let message = "a tolerance is not negative";
        return Err(refusal("out-of-range", "/float_tolerance", message, "drop the sign").into());
    }
    let (expected, actual) = (output_bytes("/expected", expected)?, output_bytes("/actual", actual)?);
    Ok(py.detach(|| matcher.compare(&expected, &actual, tolerance.as_ref()).to_json().to_canonical()))
}
