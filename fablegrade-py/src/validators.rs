//! Validators for widgets that Python registers.

use std::sync::Arc;

use fablegrade_validators::foreign::{Foreign, ForeignValidator};
use fablegrade_validators::registry;
use pyo3::prelude::*;

use crate::errors::{Refused, refusal};

/// A callable that takes a request and returns an answer, both JSON texts.
struct Callable(Py<PyAny>);

impl Foreign for Callable {
    fn ask(&self, request: &str) -> Result<String, String> {
        Python::attach(|py| {
            let answer = self.0.call1(py, (request,)).and_then(|answer| answer.extract::<String>(py));
            answer.map_err(|error| format!("the validator raised {error}"))
        })
    }
}

/// Registers a callable from JSON text to JSON text; `fablegrade.validators.register_validator` makes it.
#[pyfunction]
pub(crate) fn register_foreign(name: &str, answer: Py<PyAny>, sentences: &str) -> PyResult<()> {
    let validator = ForeignValidator::new(Callable(answer), sentences)
        .map_err(|error| Refused::from(error.within("/sentences")))?;
    registry::register(name, Arc::new(validator)).map_err(|error| {
        refusal("name-form", "/name", &error.to_string(), "choose a name like `above_axis`").into()
    })
}

/// The names of the registered validators, sorted.
#[pyfunction]
pub(crate) fn validator_names() -> Vec<String> {
    registry::host().validator_names().map(ToOwned::to_owned).collect()
}
