//! The result of an attempt as a Python object.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use fablegrade_core::AttemptResult as Result_;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::documents::Text;
use crate::errors::NoResult;

/// The result of one attempt: everything in it may be shown to the learner.
///
/// Immutable, hashable, picklable. Made by grading, or by `AttemptResult.from_json`.
#[pyclass(frozen, module = "fablegrade", name = "AttemptResult")]
#[derive(Clone)]
pub(crate) struct AttemptResult(Arc<Result_>);

impl From<Result_> for AttemptResult {
    fn from(result: Result_) -> Self {
        Self(Arc::new(result))
    }
}

impl AttemptResult {
    /// Returns the approximate memory use in bytes.
    pub(crate) fn size(&self) -> usize {
        size_of::<Result_>() + 2 * self.0.to_json().len()
    }
}

/// Returns a class of `fablegrade.results`, which is written in Python.
fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    cell.import(py, "fablegrade.results", name)
}

#[pymethods]
impl AttemptResult {
    /// Reads an AttemptResult document: `str`, bytes or a dict. Raises `FablegradeError` with every finding.
    #[staticmethod]
    fn from_json(document: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text = Text::of(document)?;
        Ok(Result_::from_json(text.bytes()).map_err(NoResult::from)?.into())
    }

    /// The attempt's id, a UUID: the caller's, or one derived from the public question and the submission.
    #[getter]
    fn attempt_id(&self) -> &str {
        self.0.attempt_id.as_str()
    }

    /// `"correct"`, `"partial"`, `"incorrect"`, `"pending"` or `"error"`. Hint penalties do not change it.
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.0.verdict.as_str())
    }

    /// Score in [0, 1] after hint penalties; `None` if nothing was scored (pending, error).
    #[getter]
    fn score(&self) -> Option<f64> {
        self.0.score
    }

    /// The penalty for hints that was deducted from the score, in [0, 0.8]; `None` without a score or a penalty.
    #[getter]
    fn score_penalty_applied(&self) -> Option<f64> {
        self.0.score_penalty_applied
    }

    /// The person or engine that graded: `"auto"`, `"self"`, `"peer"` or `"reviewer"`.
    #[getter]
    fn graded_by<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.0.graded_by.as_str())
    }

    /// The time of grading (RFC 3339), if the caller's context gave it.
    #[getter]
    fn graded_at(&self) -> Option<&str> {
        self.0.graded_at.as_ref().map(|instant| instant.as_str())
    }

    /// At most 20 messages to the learner: a tuple of `Feedback(severity, message)`.
    #[getter]
    fn feedback<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        static FEEDBACK: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = class(py, &FEEDBACK, "Feedback")?;
        let all = self
            .0
            .feedback
            .iter()
            .map(|entry| class.call1((PyString::intern(py, entry.severity().as_str()), entry.message())));
        PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
    }

    /// One `CodeResult` per test case that was not skipped. A hidden case has only suite, index and verdict.
    #[getter]
    fn code_results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        static CODE_RESULT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = class(py, &CODE_RESULT, "CodeResult")?;
        let all = self.0.code_results.iter().map(|case| {
            class.call1((
                &case.suite,
                case.case_index,
                PyString::intern(py, case.verdict.as_str()),
                &case.case_name,
                case.time_ms,
                case.memory_kb,
                &case.stderr_excerpt,
                &case.diff_excerpt,
            ))
        });
        PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
    }

    /// The document as canonical JSON, with the same bytes as from every other binding.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The document as a dict, with the field names of the JSON document.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import(intern!(py, "json"))?.call_method1(intern!(py, "loads"), (self.0.to_json(),))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_json().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        match self.0.score {
            Some(score) => format!("<AttemptResult {} {score}>", self.0.verdict.as_str()),
            None => format!("<AttemptResult {}>", self.0.verdict.as_str()),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr(intern!(slf.py(), "from_json"))?, (slf.get().0.to_json(),)))
    }
}
