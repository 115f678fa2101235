//! Functions of integrations: each converts a request's fields to a result, as the command does for JSON
//! Lines.

use fablegrade_core::json::{Document, Json, Object, Path};
use fablegrade_core::{Error, ErrorKind, Findings};
use fablegrade_formspec::{Fel, line as formspec_line};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::documents::Text;
use crate::errors::NoResult;

/// Answers a request object with a function of an integration; the result is canonical JSON.
pub(crate) fn answer(
    py: Python<'_>,
    fields: &Bound<'_, PyDict>,
    mode: impl FnOnce(&mut Object<'_, '_, '_>) -> Option<Result<Json, Error>> + Send,
) -> Result<String, NoResult> {
    Ok(read_task(py, fields, mode)?.to_canonical())
}

/// Puts the fields of a request into one object and passes it to `mode`.
pub(crate) fn read_task<T: Send>(
    py: Python<'_>,
    fields: &Bound<'_, PyDict>,
    mode: impl FnOnce(&mut Object<'_, '_, '_>) -> Option<Result<T, Error>> + Send,
) -> Result<T, NoResult> {
    let mut task = vec![b'{'];
    for (name, value) in fields.iter() {
        let name = name.cast_into::<PyString>().map_err(PyErr::from)?.to_str()?.to_owned();
        let within = |refused: NoResult| refused.within(&name);
        let text = Text::of(&value).map_err(within)?;
        // A text must be a complete document before it becomes a field of the object. That includes a text that the
        // binding wrote: it is cut off if the value is too large or too deep.
        Document::parse(text.bytes()).map_err(|error| within(error.into()))?;
        if task.len() > 1 {
            task.push(b',');
        }
        let mut key = String::new();
        fablegrade_core::json::write_json_string(&name, &mut key);
        task.extend_from_slice(key.as_bytes());
        task.push(b':');
        task.extend_from_slice(text.bytes());
    }
    task.push(b'}');
    py.detach(|| {
        let document = Document::parse(&task)?;
        let mut findings = Findings::new();
        let reply = Object::open(document.root(), &Path::Root, &mut findings).and_then(|mut object| {
            let reply = mode(&mut object);
            object.close();
            reply
        });
        match reply {
            Some(reply) if findings.errors() == 0 => Ok(reply?),
            _ => Err(Error::new(ErrorKind::Schema, findings).into()),
        }
    })
}

pub(crate) fn no_task(name: &str) -> PyErr {
    PyValueError::new_err(format!("there is no task `{name}`"))
}

/// Runs a task of FlowMCP by name; see `fablegrade.flowmcp`.
#[pyfunction]
pub(crate) fn flowmcp(py: Python<'_>, task: &str, fields: &Bound<'_, PyDict>) -> PyResult<String> {
    use fablegrade_flowmcp::line::{Mode, age, aggregate, build, check, rollup, verify};
    let mode: Mode = match task {
        "check" => check,
        "aggregate" => aggregate,
        "build" => build,
        "age" => age,
        "rollup" => rollup,
        "verify" => verify,
        other => return Err(no_task(other)),
    };
    Ok(answer(py, fields, mode)?)
}

/// Runs a task of Formspec by name; see `fablegrade.formspec`.
#[pyfunction]
pub(crate) fn formspec(py: Python<'_>, task: &str, fields: &Bound<'_, PyDict>) -> PyResult<String> {
    let answer = match task {
        "determine" => answer(py, fields, |object| formspec_line::determination(object, Fel)),
        "check" => answer(py, fields, |object| formspec_line::checking(object, Fel)),
        "verify" => answer(py, fields, |object| formspec_line::verification(object, Fel)),
        "expire" => answer(py, fields, formspec_line::expiry),
        other => return Err(no_task(other)),
    };
    Ok(answer?)
}
