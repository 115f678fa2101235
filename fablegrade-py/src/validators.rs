//! Validators for widgets that Python registers.

use std::cell::Cell;
use std::sync::Arc;

use fablegrade_validators::foreign::{Foreign, ForeignValidator};
use fablegrade_validators::registry;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::errors::{NoResult, refusal};

thread_local! {
    /// An exception that is not an `Exception`, such as `KeyboardInterrupt` or `SystemExit`, which a validator has
    /// raised on this thread. It ends the call of the library, and says nothing about the answer.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Takes the exception that the call on this thread must raise, if a validator has raised one.
pub(crate) fn take_raised() -> Option<PyErr> {
    RAISED.take()
}

/// Keeps an exception for the call on this thread. Of several, the first is raised.
pub(crate) fn keep_raised(error: Option<PyErr>) {
    RAISED.set(RAISED.take().or(error));
}

/// Returns whether a validator has raised an exception that ends the call on this thread.
pub(crate) fn has_raised() -> bool {
    let raised = RAISED.take();
    let is = raised.is_some();
    RAISED.set(raised);
    is
}

/// Releases the interpreter's lock while it does the work, and then raises the exception that a validator left in
/// [`RAISED`].
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let done = py.detach(work);
    take_raised().map_or(Ok(done), Err)
}

/// A callable that takes a request and returns an answer, both JSON texts.
struct Callable(Py<PyAny>);

impl Foreign for Callable {
    fn ask(&self, request: &str) -> Result<String, String> {
        Python::attach(|py| {
            let answer = self.0.call1(py, (request,)).and_then(|answer| answer.extract::<String>(py));
            answer.map_err(|error| {
                let reason = format!("the validator raised {error}");
                if !error.is_instance_of::<PyException>(py) {
                    keep_raised(Some(error));
                }
                reason
            })
        })
    }
}

/// Registers a callable from JSON text to JSON text; `fablegrade.validators.register_validator` makes it.
#[pyfunction]
pub(crate) fn register_foreign(
    py: Python<'_>,
    name: &str,
    answer: Py<PyAny>,
    messages: &str,
) -> PyResult<()> {
    let validator = ForeignValidator::new(Callable(answer), messages)
        .map_err(|error| NoResult::from(error.within("/messages")))?;
    // Waits for the registry without the interpreter's lock, so that other Python threads can run.
    py.detach(|| registry::register(name, Arc::new(validator))).map_err(|error| {
        refusal("name-form", "/name", &error.to_string(), "choose a name like `above_axis`").into()
    })
}

/// The names of the registered validators, sorted.
#[pyfunction]
pub(crate) fn validator_names() -> Vec<String> {
    registry::host().validator_names().map(ToOwned::to_owned).collect()
}
