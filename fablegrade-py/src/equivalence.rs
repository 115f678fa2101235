//! Equality of expressions: two expressions, many pairs, or many expressions and one reference.

use std::sync::OnceLock;

use fablegrade_core::Error;
use fablegrade_core::equivalence::{Comparison, ReferenceExpression, Unreadable, read_options};
use fablegrade_math::Options;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyType};

use crate::documents::{Text, type_name, utf8};
use crate::errors::{NoResult, exception};
use crate::interrupts::Watch;
use crate::parallel::{parallel, threads};

/// Reads the declarations from a document. `None` declares nothing.
fn options(given: Option<&Bound<'_, PyAny>>) -> Result<Options, NoResult> {
    match given {
        Some(given) => Ok(read_options(Text::of(given)?.bytes())?),
        None => Ok(read_options(b"{}")?),
    }
}

fn to_json(found: Comparison) -> String {
    found.to_json().to_canonical()
}

/// Returns `Equivalence(text)`.
fn wrapped<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "fablegrade.results", "Equivalence")?.call1((text,))
}

/// `fablegrade.equivalent`; `options` is an object of declarations.
#[pyfunction]
#[pyo3(signature = (a, b, options=None))]
pub(crate) fn equivalent<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyString>,
    b: &Bound<'py, PyString>,
    options: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (utf8("/a", a)?, utf8("/b", b)?);
    let options = self::options(options)?;
    let found =
        py.detach(|| Ok::<_, Unreadable>(to_json(ReferenceExpression::new(&a, &options)?.compare(&b)?)));
    wrapped(py, &found.map_err(|error| NoResult::from(Error::from(error)))?)
}

/// `fablegrade.equivalent_many`; for a pair that cannot be read, the list has its exception.
#[pyfunction]
#[pyo3(signature = (pairs, options=None, workers=0, progress=None))]
pub(crate) fn equivalent_many<'py>(
    pairs: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyAny>>,
    workers: isize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let py = pairs.py();
    let options = self::options(options)?;
    let threads = threads(workers)?;
    let mut texts: Vec<Result<(String, String), Error>> = Vec::new();
    for pair in pairs.try_iter()? {
        let pair = pair?;
        // A string of two characters would be read as a pair.
        let both = if pair.is_instance_of::<PyString>() { None } else { pair.extract().ok() };
        let (a, b): (Bound<'py, PyString>, Bound<'py, PyString>) = both.ok_or_else(|| {
            PyTypeError::new_err(format!(
                "pair {} is not a pair of texts but {}: pass `[(a, b), ...]`",
                texts.len(),
                type_name(&pair)
            ))
        })?;
        texts.push(match utf8("/a", &a).and_then(|a| Ok((a, utf8("/b", &b)?))) {
            Ok(both) => Ok(both),
            Err(NoResult::Document(error)) => Err(error),
            Err(NoResult::Python(error)) => return Err(error),
        });
    }
    let mut watch = Watch::reporting(py, progress, Some(texts.len()))?;
    let found = py.detach(|| {
        // Consecutive pairs often have the same first side.
        let mut groups: Vec<usize> = Vec::with_capacity(texts.len());
        for at in 0..texts.len() {
            let side = |at: usize| texts[at].as_ref().ok().map(|(a, _)| a);
            let same = at > 0 && side(at - 1) == side(at);
            groups.push(if same { groups[at - 1] } else { at });
        }
        let first: Vec<OnceLock<Result<ReferenceExpression, Unreadable>>> =
            texts.iter().map(|_| OnceLock::new()).collect();
        parallel(texts.len(), threads, &mut watch, |at| {
            let (a, b) = texts[at].as_ref().map_err(Clone::clone)?;
            let reference = first[groups[at]].get_or_init(|| ReferenceExpression::new(a, &options));
            let compare = || reference.as_ref().map_err(Clone::clone)?.compare(b);
            compare().map(to_json).map_err(Error::from)
        })
    })?;
    let list = PyList::empty(py);
    watch.finish(py, found.len())?;
    for found in found {
        match found {
            Ok(text) => list.append(wrapped(py, &text)?)?,
            Err(error) => list.append(exception(py, &error)?)?,
        }
    }
    Ok(list)
}

/// The native half of `fablegrade.Reference`.
#[pyclass(frozen, module = "fablegrade._fablegrade", name = "Reference")]
pub(crate) struct Reference(ReferenceExpression);

#[pymethods]
impl Reference {
    #[new]
    #[pyo3(signature = (latex, options=None))]
    fn new(
        py: Python<'_>,
        latex: &Bound<'_, PyString>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let latex = utf8("/a", latex)?;
        let options = self::options(options)?;
        let compiled = py.detach(|| ReferenceExpression::new(&latex, &options));
        Ok(Self(compiled.map_err(|error| NoResult::from(Error::from(error)))?))
    }

    /// The expression as it was read, in LaTeX.
    #[getter]
    fn understood(&self) -> &str {
        self.0.understood()
    }

    /// Compares another expression with this one.
    fn equivalent<'py>(&self, py: Python<'py>, other: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let other = utf8("/b", other)?;
        let found = py.detach(|| self.0.compare(&other).map(to_json));
        wrapped(py, &found.map_err(|error| NoResult::from(Error::from(error)))?)
    }
}
