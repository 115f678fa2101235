//! Converts the core's errors to the exceptions of `fablegrade.errors`.

use fablegrade_core::{Error, ErrorKind, Finding};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The reason why there is no result.
pub(crate) enum NoResult {
    /// Python raised an exception or was interrupted.
    Python(PyErr),
    /// A document is invalid.
    Document(Error),
}

impl From<PyErr> for NoResult {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Error> for NoResult {
    fn from(error: Error) -> Self {
        Self::Document(error)
    }
}

impl From<NoResult> for PyErr {
    fn from(refused: NoResult) -> Self {
        match refused {
            NoResult::Python(error) => error,
            NoResult::Document(error) => Python::attach(|py| match exception(py, &error) {
                Ok(exception) => PyErr::from_value(exception),
                Err(failure) => failure,
            }),
        }
    }
}

impl NoResult {
    /// Returns the error with pointers that start at the argument `name`.
    pub(crate) fn within(self, name: &str) -> Self {
        match self {
            Self::Document(error) if !name.is_empty() => Self::Document(error.within(&format!("/{name}"))),
            other => other,
        }
    }
}

/// Returns an error with a single finding.
pub(crate) fn refusal(rule: &'static str, pointer: &str, message: &str, help: &str) -> NoResult {
    NoResult::Document(Error::single(ErrorKind::Schema, Finding::error(rule, pointer, message, help)))
}

/// Returns the exception for an error without raising it.
pub(crate) fn exception<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyAny>> {
    static CLASSES: [PyOnceLock<Py<PyType>>; 4] =
        [PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new(), PyOnceLock::new()];
    let (at, name) = match error.kind() {
        ErrorKind::Json => (0, "JsonError"),
        ErrorKind::Schema => (1, "SchemaError"),
        ErrorKind::Spec => (2, "SpecError"),
        ErrorKind::Mismatch => (3, "MismatchError"),
    };
    CLASSES[at].import(py, "fablegrade.errors", name)?.call1((error.to_string(), error.to_json()))
}
