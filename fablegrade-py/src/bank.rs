//! Banks of compiled questions. The two that were used last are cached, because engines unpickle the same bank
//! again and again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use fablegrade_core::bank::Bank as Items;
use fablegrade_core::graders::Compiled;
use fablegrade_core::{Error, Grader, Host, QuestionType};
use fablegrade_validators::registry::host;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyType};
use sha2::{Digest as _, Sha256};

use crate::documents::{Text, type_name, utf8};
use crate::errors::{NoResult, exception};
use crate::validators::{detached, has_raised};

/// The compiled questions of a bank, by id.
pub(crate) struct Questions {
    compiled: HashMap<Box<str>, Question>,
}

struct Question {
    source: Source,
    grader: Compiled,
}

/// What a question was compiled from.
enum Source {
    /// Its document.
    Text(Box<[u8]>),
    /// A value that is not JSON. Pickles contain it, so an unpickled bank has the same error.
    Value(Py<PyAny>),
}

/// A question's id, and its document, or a value that is not JSON and the error about it.
type Named = (Box<str>, Result<Vec<u8>, (Py<PyAny>, Error)>);
type Digest = [u8; 32];

/// A bank in the cache.
#[derive(Clone)]
struct Kept {
    digest: Digest,
    /// The validators with which it was compiled. After a registration, the bank is compiled again.
    host: Arc<Host>,
    questions: Arc<Questions>,
}

/// The valid banks that this process used last. They are cached because engines such as Spark unpickle the same
/// bank for each task.
static LAST: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
const KEPT: usize = 2;

/// A bank of questions with their keys, compiled once: `{item id: spec}`.
///
/// Immutable, thread-safe, picklable (a pickle contains the keys). A spec that cannot be graded does not
/// affect the others. Its rows get its error, which is also in `errors`.
#[pyclass(frozen, module = "fablegrade.arrow", name = "Bank")]
pub(crate) struct Bank(pub(crate) Arc<Questions>);

impl Questions {
    /// Returns the grader of a question, or the error of its spec; `None` if the bank has no such question.
    pub(crate) fn grader(&self, id: &str) -> Option<&Compiled> {
        self.compiled.get(id).map(|question| &question.grader)
    }
}

impl Bank {
    /// Returns the valid questions as a bank of the core, compiled again.
    pub(crate) fn to_items(&self) -> Result<Items, NoResult> {
        let mut items = Items::new(&host());
        for (id, question) in &self.0.compiled {
            if let (Ok(_), Source::Text(text)) = (&question.grader, &question.source) {
                items.add(id, text)?;
            }
        }
        Ok(items)
    }
}

#[pymethods]
impl Bank {
    #[new]
    fn new(py: Python<'_>, specs: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut texts: Vec<Named> = Vec::new();
        for pair in questions_of(specs)?.items()?.iter() {
            let (id, spec): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            let Ok(id) = id.cast::<PyString>() else {
                return Err(PyTypeError::new_err(format!(
                    "the ids of a bank are str, found {}: pass `{{str(id): spec, ...}}`",
                    type_name(&id)
                )));
            };
            let id = utf8("", id)?;
            let text = match Text::of(&spec) {
                Ok(text) => Ok(text.bytes().to_vec()),
                Err(NoResult::Document(error)) => Err((spec.unbind(), error)),
                Err(NoResult::Python(error)) => return Err(error),
            };
            texts.push((Box::from(id), text));
        }
        texts.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(Self(detached(py, || questions(texts))?))
    }

    /// The specs that cannot be graded: `{item id: FablegradeError}`.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let errors = PyDict::new(py);
        let mut wrong: Vec<_> = self.0.compiled.iter().collect();
        wrong.sort_by_key(|(id, _)| *id);
        for (id, question) in wrong {
            if let Err(error) = &question.grader {
                errors.set_item(&**id, exception(py, error)?)?;
            }
        }
        Ok(errors)
    }

    /// Banks are equal when they have the same ids and equal questions.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        let same = |one: &Question, other: &Question| match (&one.grader, &other.grader) {
            (Ok(one), Ok(other)) => Ok(one.spec() == other.spec()),
            (Err(_), Err(_)) => match (&one.source, &other.source) {
                (Source::Text(one), Source::Text(other)) => Ok(one == other),
                (Source::Value(one), Source::Value(other)) => one.bind(py).eq(other),
                _ => Ok(false),
            },
            _ => Ok(false),
        };
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let (mine, others) = (&self.0.compiled, &other.get().0.compiled);
        if mine.len() != others.len() {
            return Ok(false);
        }
        for (id, one) in mine {
            let Some(other) = others.get(id) else { return Ok(false) };
            if !same(one, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __hash__(&self) -> u64 {
        let mut ids: Vec<&str> = self.0.compiled.keys().map(AsRef::as_ref).collect();
        ids.sort_unstable();
        let mut hasher = DefaultHasher::new();
        ids.hash(&mut hasher);
        hasher.finish()
    }

    fn __len__(&self) -> usize {
        self.0.compiled.len()
    }

    fn __contains__(&self, id: &Bound<'_, PyString>) -> bool {
        id.to_str().is_ok_and(|id| self.0.compiled.contains_key(id))
    }

    fn __repr__(&self) -> String {
        format!("<Bank of {}>", self.0.compiled.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyDict>,))> {
        let specs = PyDict::new(slf.py());
        let mut all: Vec<_> = slf.get().0.compiled.iter().collect();
        all.sort_by_key(|(id, _)| *id);
        for (id, question) in all {
            match &question.source {
                Source::Text(text) => specs.set_item(&**id, PyBytes::new(slf.py(), text))?,
                Source::Value(value) => specs.set_item(&**id, value)?,
            }
        }
        Ok((slf.get_type(), (specs,)))
    }
}

/// Returns the questions of a bank; for a single question, the error explains the mistake.
fn questions_of<'a, 'py>(specs: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyMapping>> {
    let one = || PyTypeError::new_err("this is one question, and a bank has many: pass `{\"q1\": question}`");
    if specs.is_instance_of::<crate::grader::Grader>() || specs.is_instance_of::<PyString>() {
        return Err(one());
    }
    let Ok(mapping) = specs.cast::<PyMapping>() else {
        return Err(PyTypeError::new_err(format!(
            "a bank must be a mapping `{{id: question}}`, found {}",
            type_name(specs)
        )));
    };
    // In a single question, `type` is the name of a question type. In a bank, the id `type` has a question as
    // its value.
    if let Ok(word) = mapping.get_item("type")
        && word
            .cast::<PyString>()
            .is_ok_and(|word| QuestionType::WORDS.iter().any(|(known, _)| word == known))
    {
        return Err(one());
    }
    Ok(mapping)
}

/// Compiles a bank, or takes it from the cache.
fn questions(texts: Vec<Named>) -> Arc<Questions> {
    let host = host();
    let mut hasher = Sha256::new();
    for (id, text) in &texts {
        let text = text.as_deref().unwrap_or_default();
        hasher.update((id.len() as u64).to_le_bytes());
        hasher.update(id.as_bytes());
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    let digest: Digest = hasher.finalize().into();
    let valid = texts.iter().all(|(_, text)| text.is_ok());
    let known = |kept: &mut Vec<Kept>| {
        let at = kept.iter().position(|other| other.digest == digest && Arc::ptr_eq(&other.host, &host))?;
        let entry = kept.remove(at);
        kept.push(entry.clone());
        Some(entry.questions)
    };
    let lock = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if valid && let Some(questions) = known(&mut lock()) {
        return questions;
    }
    let compiled = texts
        .into_iter()
        .map(|(id, text)| {
            let question = match text {
                Ok(text) => {
                    let grader = Grader::from_json_with(&text, &host);
                    Question { source: Source::Text(text.into()), grader }
                }
                Err((value, error)) => Question { source: Source::Value(value), grader: Err(error) },
            };
            (id, question)
        })
        .collect();
    let questions = Arc::new(Questions { compiled });
    // After an exception of a validator, a question can have an error that is not its own, so the bank is not
    // cached.
    if valid && !has_raised() {
        let mut kept = lock();
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(Kept { digest, host, questions: Arc::clone(&questions) });
    }
    questions
}
