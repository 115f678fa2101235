//! Documents from callers: JSON as `str` or bytes, or Python values.
//!
//! Values are written as JSON text and read by the core like any other text, so errors in a dict have the
//! same messages. An explicit stack replaces recursion; the size of the text is bounded while it is written.

use std::cell::RefCell;
use std::fmt::Write as _;

use fablegrade_core::json::{Document, write_json_string};
use fablegrade_core::{Error, ErrorKind, Finding};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::dict::BoundDictIterator;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyMapping, PyMemoryView, PyString, PyTuple,
    PyType,
};

use crate::errors::{NoResult, refusal};

/// The maximum number of bytes of a document. The core refuses longer texts, so writing can stop.
const MOST_BYTES: usize = 8 << 20;
const DEEPEST: usize = 128;
/// An integer of more bits than this has more digits than a number can have.
const MOST_INTEGER_BITS: u64 = 4_096;

/// A document as text.
pub(crate) enum Text<'py> {
    /// The caller's `str`.
    Str(Bound<'py, PyString>),
    /// The caller's `bytes`.
    Bytes(Bound<'py, PyBytes>),
    /// Bytes written by the binding.
    Written(Vec<u8>),
}

impl<'py> Text<'py> {
    /// Returns the text of a document.
    ///
    /// # Errors
    /// Python's own errors, and a refusal of a value that is not JSON.
    pub(crate) fn of(value: &Bound<'py, PyAny>) -> Result<Self, NoResult> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        if let Ok(text) = value.cast::<PyString>() {
            // A lone surrogate has no UTF-8 encoding; the core reports it as an error in the bytes.
            return match text.to_str() {
                Ok(_) => Ok(Self::Str(text.clone())),
                Err(_) => Ok(Self::Written(encoded(text, "utf-8")?)),
            };
        }
        if let Ok(bytes) = value.cast::<PyByteArray>() {
            return Ok(Self::Written(bytes.to_vec()));
        }
        if value.is_instance_of::<PyMemoryView>() {
            let bytes = value.call_method0(intern!(value.py(), "tobytes"))?;
            return Ok(Self::Bytes(bytes.cast_into::<PyBytes>().map_err(PyErr::from)?));
        }
        let mut text = String::with_capacity(256);
        // The core refuses a text that is cut off.
        write_value(value, &mut text)?;
        Ok(Self::Written(text.into_bytes()))
    }

    /// Works like [`Text::of`] for an argument that can be absent. A refusal names the argument.
    pub(crate) fn given(name: &str, value: Option<&Bound<'py, PyAny>>) -> Result<Option<Self>, NoResult> {
        value.map(Self::of).transpose().map_err(|refused| refused.within(name))
    }

    /// Returns the bytes of the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            // `of` has checked that the text can be encoded as UTF-8.
            Self::Str(text) => text.to_str().map_or(&[], str::as_bytes),
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::Written(text) => text,
        }
    }
}

/// Returns a Python value as JSON; a `str` becomes a JSON string. Raises `JsonError` for a value that is not JSON, or
/// that is too large or too deep for a document.
#[pyfunction]
pub(crate) fn document_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = String::with_capacity(256);
    if !write_value(value, &mut text)? {
        // The error that grading has for this value.
        Document::parse(text.as_bytes()).map_err(NoResult::from)?;
    }
    Ok(text)
}

/// Returns the bytes of a `str` with lone surrogates. Calls the method of `str`, because a subclass can override it.
fn encoded(text: &Bound<'_, PyString>, encoding: &str) -> PyResult<Vec<u8>> {
    let py = text.py();
    let class = py.get_type::<PyString>();
    class.call_method1(intern!(py, "encode"), (text, encoding, "surrogatepass"))?.extract()
}

/// Returns the text of an argument.
///
/// # Errors
/// A refusal at `pointer` of a lone surrogate, which has no UTF-8 encoding.
pub(crate) fn utf8(pointer: &str, text: &Bound<'_, PyString>) -> Result<String, NoResult> {
    if let Ok(text) = text.to_str() {
        return Ok(text.to_owned());
    }
    String::from_utf8(encoded(text, "utf-8")?).map_err(|error| {
        let message = format!(
            "byte {} is not valid UTF-8: the text has a lone surrogate",
            error.utf8_error().valid_up_to()
        );
        let finding = Finding::error("invalid-utf8", pointer, message, "replace it, or remove it");
        NoResult::Document(Error::single(ErrorKind::Json, finding))
    })
}

/// Returns a text in which U+FFFD replaces each lone surrogate, so both have the same number of characters.
pub(crate) fn replaced(text: &Bound<'_, PyString>) -> PyResult<String> {
    if let Ok(text) = text.to_str() {
        return Ok(text.to_owned());
    }
    let bytes = encoded(text, "utf-32-le")?;
    let (units, _) = bytes.as_chunks::<4>();
    Ok(units.iter().map(|unit| char::from_u32(u32::from_le_bytes(*unit)).unwrap_or('\u{fffd}')).collect())
}

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The fields of a dict that are still to be written.
enum Fields<'py> {
    /// Read directly from the dict, which cannot change before the caller's code runs. Only used with the
    /// interpreter's lock: without it, other threads could change the dict, and the iterator would panic.
    Live(BoundDictIterator<'py>),
    /// Copied from the dict before the caller's code runs.
    Kept(std::vec::IntoIter<Pair<'py>>),
}

impl<'py> Fields<'py> {
    fn of(dict: &Bound<'py, PyDict>) -> Result<Self, Failure> {
        if has_interpreter_lock(dict.py()) {
            return Ok(Self::Live(dict.iter()));
        }
        let fields = RefCell::new(Vec::with_capacity(dict.len()));
        dict.locked_for_each(|key, value| {
            fields.borrow_mut().push((key, value));
            Ok(())
        })?;
        Ok(Self::Kept(fields.into_inner().into_iter()))
    }
}

/// Returns whether only one thread runs Python code at a time. A free-threaded build can enable its lock later,
/// but cannot disable it again.
fn has_interpreter_lock(py: Python<'_>) -> bool {
    static LOCKED: PyOnceLock<bool> = PyOnceLock::new();
    let look = || -> PyResult<bool> {
        let sys = py.import(intern!(py, "sys"))?;
        // Before Python 3.13, every build has the lock.
        match sys.getattr_opt(intern!(py, "_is_gil_enabled"))? {
            Some(is_enabled) => is_enabled.call0()?.is_truthy(),
            None => Ok(true),
        }
    };
    // If this is unknown, `false` is safe: fields are then copied, which is correct with and without the lock.
    LOCKED.get_or_try_init(py, look).copied().unwrap_or(false)
}

impl<'py> Iterator for Fields<'py> {
    type Item = Pair<'py>;

    fn next(&mut self) -> Option<Pair<'py>> {
        match self {
            Self::Live(fields) => fields.next(),
            Self::Kept(fields) => fields.next(),
        }
    }
}

/// Copies the remaining fields of all open dicts, because the caller's code is about to run and can change
/// them.
#[cold]
fn keep_fields(open: &mut [Open<'_>]) {
    for container in open {
        if let Open::Object(fields @ Fields::Live(_), _) = container {
            let rest: Vec<Pair<'_>> = fields.collect();
            *fields = Fields::Kept(rest.into_iter());
        }
    }
}

/// A container that is being written.
enum Open<'py> {
    Object(Fields<'py>, Option<Bound<'py, PyString>>),
    List(Bound<'py, PyList>, usize),
    Tuple(Bound<'py, PyTuple>, usize),
    /// A value that is replaced by its plain form; it adds no segment to a pointer.
    StandIn,
}

/// Writes a value as JSON. Returns `false` if it is too large or too deep; the text can then be cut off.
fn write_value<'py>(value: &Bound<'py, PyAny>, out: &mut String) -> Result<bool, NoResult> {
    let mut open: Vec<Open<'py>> = Vec::new();
    if let Err(failure) = write_one(value, out, &mut open) {
        return Err(failure.at(&open));
    }
    while let Some(container) = open.last_mut() {
        let next = match container {
            // Removed as soon as its plain form is opened.
            Open::StandIn => None,
            Open::Object(fields, at) => match fields.next() {
                None => {
                    out.push('}');
                    None
                }
                Some((key, value)) => {
                    if at.is_some() {
                        out.push(',');
                    }
                    match write_key(key, out) {
                        Ok(key) => *at = Some(key),
                        Err(failure) => {
                            open.pop();
                            return Err(failure.at(&open));
                        }
                    }
                    Some(value)
                }
            },
            Open::List(items, at) => match items.get_item(*at) {
                Err(_) => {
                    out.push(']');
                    None
                }
                Ok(value) => {
                    if *at > 0 {
                        out.push(',');
                    }
                    *at += 1;
                    Some(value)
                }
            },
            Open::Tuple(items, at) => match items.get_item(*at) {
                Err(_) => {
                    out.push(']');
                    None
                }
                Ok(value) => {
                    if *at > 0 {
                        out.push(',');
                    }
                    *at += 1;
                    Some(value)
                }
            },
        };
        match next {
            None => {
                open.pop();
            }
            Some(value) => {
                // The core refuses a text that is too long or too deep, so the rest need not be written.
                if out.len() > MOST_BYTES || open.len() > DEEPEST {
                    return Ok(false);
                }
                if let Err(failure) = write_one(&value, out, &mut open) {
                    return Err(failure.at(&open));
                }
            }
        }
    }
    Ok(out.len() <= MOST_BYTES)
}

/// The reason why a value is not JSON.
enum Failure {
    Python(PyErr),
    NotJson(&'static str, String, &'static str),
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl Failure {
    /// Returns the refusal of the value at the location that `open` describes.
    #[cold]
    fn at(self, open: &[Open<'_>]) -> NoResult {
        match self {
            Self::Python(error) => NoResult::Python(error),
            Self::NotJson(rule, message, help) => {
                let mut pointer = String::new();
                for container in open.iter().filter(|container| !matches!(container, Open::StandIn)) {
                    pointer.push('/');
                    match container {
                        Open::Object(_, Some(key)) => {
                            pointer.push_str(&key.to_string_lossy().replace('~', "~0").replace('/', "~1"));
                        }
                        Open::Object(_, None) | Open::StandIn => {}
                        Open::List(_, at) | Open::Tuple(_, at) => {
                            let _ = write!(pointer, "{}", at.saturating_sub(1));
                        }
                    }
                }
                let finding = Finding::error(rule, pointer, message, help);
                NoResult::Document(Error::single(ErrorKind::Json, finding))
            }
        }
    }
}

fn write_key<'py>(key: Bound<'py, PyAny>, out: &mut String) -> Result<Bound<'py, PyString>, Failure> {
    let text = key.cast_into::<PyString>().map_err(|error| {
        Failure::NotJson(
            "not-json",
            format!("a key of this object is of type `{}`", type_name(&error.into_inner())),
            "use strings as keys",
        )
    })?;
    write_string(&text, out)?;
    out.push(':');
    Ok(text)
}

/// Writes a scalar, or opens a container.
fn write_one<'py>(
    value: &Bound<'py, PyAny>,
    out: &mut String,
    open: &mut Vec<Open<'py>>,
) -> Result<(), Failure> {
    if let Ok(text) = value.cast::<PyString>() {
        return write_string(text, out);
    }
    if let Ok(fields) = value.cast::<PyDict>() {
        out.push('{');
        open.push(Open::Object(Fields::of(fields)?, None));
        return Ok(());
    }
    if let Ok(items) = value.cast::<PyList>() {
        out.push('[');
        open.push(Open::List(items.clone(), 0));
        return Ok(());
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        out.push_str(if truth.is_true() { "true" } else { "false" });
        return Ok(());
    }
    if let Ok(integer) = value.cast::<PyInt>() {
        return write_integer(integer, out);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        let number = number.value();
        if !number.is_finite() {
            return Err(not_finite());
        }
        // The shortest digits that read back as the same number, which are also those of Python's `repr`.
        let _ = write!(out, "{number:?}");
        return Ok(());
    }
    if value.is_none() {
        out.push_str("null");
        return Ok(());
    }
    if let Ok(items) = value.cast::<PyTuple>() {
        out.push('[');
        open.push(Open::Tuple(items.clone(), 0));
        return Ok(());
    }
    keep_fields(open);
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = value.py();
    let class = DECIMAL.import(py, "decimal", "Decimal")?;
    if value.is_instance(class)? {
        // Calls the methods of `Decimal`, because a subclass can override them.
        if !class.call_method1(intern!(py, "is_finite"), (value,))?.is_truthy()? {
            return Err(not_finite());
        }
        // The text of a `Decimal`, such as `1E+3`, is JSON and keeps every digit.
        let text = class.call_method1(intern!(py, "__str__"), (value,))?;
        out.push_str(&text.cast_into::<PyString>().map_err(PyErr::from)?.to_string_lossy());
        return Ok(());
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let fields = PyDict::new(py);
        fields.update(mapping)?;
        out.push('{');
        open.push(Open::Object(Fields::of(&fields)?, None));
        return Ok(());
    }
    match everyday(value)? {
        // Its plain form is written instead. An endless chain of such values is too deep.
        Some(plain) if !plain.is(value) => {
            open.push(Open::StandIn);
            if open.len() > DEEPEST {
                return Err(Failure::NotJson(
                    "too-deep",
                    "the value contains itself".to_owned(),
                    "give its content",
                ));
            }
            let at = open.len();
            write_one(&plain, out, open)?;
            open.remove(at - 1);
            Ok(())
        }
        _ => Err(Failure::NotJson(
            "not-json",
            format!("a value of type `{}` is not JSON", type_name(value)),
            help_for(value),
        )),
    }
}

/// Returns the plain form of a value of a common type: an enumeration, a UUID, a `datetime` or `date`, a
/// dataclass, a pydantic model, a NumPy scalar or array. Returns `None` for other types.
fn everyday<'py>(value: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyAny>>, Failure> {
    static ENUM: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static UUID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = value.py();
    // A class is not such a value, although it can have the attributes of its instances.
    if value.is_instance_of::<PyType>() {
        return Ok(None);
    }
    if value.is_instance(ENUM.import(py, "enum", "Enum")?)? {
        return Ok(Some(value.getattr(intern!(py, "value"))?));
    }
    if value.is_instance(UUID.import(py, "uuid", "UUID")?)? {
        return Ok(Some(value.str()?.into_any()));
    }
    if value.is_instance(DATETIME.import(py, "datetime", "datetime")?)? {
        if value.call_method0(intern!(py, "utcoffset"))?.is_none() {
            return Err(Failure::NotJson(
                "not-json",
                "the time has no time zone".to_owned(),
                "add one, such as `time.replace(tzinfo=timezone.utc)`",
            ));
        }
        return Ok(Some(value.call_method0(intern!(py, "isoformat"))?));
    }
    if value.is_instance(DATE.import(py, "datetime", "date")?)? {
        return Ok(Some(value.call_method0(intern!(py, "isoformat"))?));
    }
    if value.hasattr(intern!(py, "__dataclass_fields__"))? {
        let plain = PyDict::new(py);
        // Leaves out `ClassVar` and `InitVar`, which are not fields.
        let fields = py.import(intern!(py, "dataclasses"))?.call_method1(intern!(py, "fields"), (value,))?;
        for field in fields.try_iter()? {
            let name = field?.getattr(intern!(py, "name"))?;
            let text = name.cast::<PyString>().map_err(PyErr::from)?;
            plain.set_item(text, value.getattr(text)?)?;
        }
        return Ok(Some(plain.into_any()));
    }
    if let Some(dump) = value.getattr_opt(intern!(py, "model_dump"))? {
        let options = PyDict::new(py);
        options.set_item(intern!(py, "by_alias"), true)?;
        options.set_item(intern!(py, "exclude_none"), true)?;
        return Ok(Some(dump.call((), Some(&options))?));
    }
    // Other libraries have values with a `dtype` of their own, without these attributes.
    if let Some(kind) = value.getattr_opt(intern!(py, "dtype"))?
        && let Some(kind) = kind.getattr_opt(intern!(py, "kind"))?
        && let Ok(kind) = kind.extract::<String>()
        && let Some(dimensions) = value.getattr_opt(intern!(py, "ndim"))?
        && let Ok(dimensions) = dimensions.extract::<usize>()
    {
        if dimensions > 0 {
            // Converts the array element by element, because `tolist` would widen short floats.
            return Ok(Some(py.get_type::<PyList>().call1((value,))?));
        }
        return Ok(match kind.as_str() {
            // A NumPy float is read as the decimal that it prints, as Python's own floats are.
            "f" => {
                static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                Some(DECIMAL.import(py, "decimal", "Decimal")?.call1((value.str()?,))?)
            }
            "b" | "i" | "u" | "U" => Some(value.call_method0(intern!(py, "item"))?),
            _ => None,
        });
    }
    Ok(None)
}

/// Returns the help text for a value that is not JSON.
fn help_for(value: &Bound<'_, PyAny>) -> &'static str {
    match type_name(value).as_str() {
        "set" | "frozenset" => "give a list: a set has no order",
        "bytes" | "bytearray" => "decode it: a text in a document is a `str`",
        "datetime.timedelta" => "give its seconds: `value.total_seconds()`",
        "complex" => "give a number, or the formula as LaTeX",
        name if name.starts_with("pathlib.") => "give its text: `str(path)`",
        name if name.starts_with("fractions.") => {
            "give a decimal, or the fraction as a text where one is expected"
        }
        _ => {
            "give a dict, list, tuple, str, int, float, Decimal, bool, None, or a dataclass, model, enumeration, time or UUID"
        }
    }
}

fn not_finite() -> Failure {
    Failure::NotJson("not-json", "this number is not finite".to_owned(), "give a finite number")
}

/// Returns the name of a value's type, with its module unless the type is built in.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    let class = value.get_type();
    let name =
        class.qualname().map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned());
    match class.module() {
        Ok(module) if module != "builtins" => format!("{}.{name}", module.to_string_lossy()),
        _ => name,
    }
}

fn write_string(text: &Bound<'_, PyString>, out: &mut String) -> Result<(), Failure> {
    if let Ok(text) = text.to_str() {
        write_json_string(text, out);
        return Ok(());
    }
    // A lone surrogate is written as an escape, so the core reports it with its location. `str.__str__` returns a plain
    // `str`, without calling a method of a subclass, which could change the containers that are being written.
    let py = text.py();
    let plain = py.get_type::<PyString>().call_method1(intern!(py, "__str__"), (text,))?;
    let written = py.import(intern!(py, "json"))?.call_method1(intern!(py, "dumps"), (plain,))?;
    out.push_str(&written.cast_into::<PyString>().map_err(PyErr::from)?.to_string_lossy());
    Ok(())
}

fn write_integer(integer: &Bound<'_, PyInt>, out: &mut String) -> Result<(), Failure> {
    if let Ok(small) = integer.extract::<i64>() {
        let _ = write!(out, "{small}");
        return Ok(());
    }
    let py = integer.py();
    // Calls the methods of `int`, because a subclass can override them.
    let class = py.get_type::<PyInt>();
    let bits: u64 = class.call_method1(intern!(py, "bit_length"), (integer,))?.extract()?;
    if bits > MOST_INTEGER_BITS {
        return Err(Failure::NotJson(
            "number-too-long",
            "the integer has too many digits".to_owned(),
            "round it",
        ));
    }
    let text = class.call_method1(intern!(py, "__repr__"), (integer,))?;
    out.push_str(&text.str()?.to_string_lossy());
    Ok(())
}

/// Returns the bytes of a program's output: those of a buffer unchanged, `str` as UTF-8.
///
/// # Errors
/// A refusal at `pointer` of a lone surrogate.
pub(crate) fn output_bytes(pointer: &str, value: &Bound<'_, PyAny>) -> Result<Vec<u8>, NoResult> {
    match value.cast::<PyString>() {
        Ok(text) => Ok(utf8(pointer, text)?.into_bytes()),
        Err(_) => Ok(buffer_bytes(value, "expected str or bytes")?),
    }
}

/// Returns the bytes of a buffer, such as `bytes`, `bytearray` or `memoryview`. Other values, including lists of
/// integers, raise a `TypeError` that begins with `message`.
pub(crate) fn buffer_bytes(value: &Bound<'_, PyAny>, message: &str) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let view = PyMemoryView::from(value)
        .map_err(|_| PyTypeError::new_err(format!("{message}, found {}", type_name(value))))?;
    let bytes = view.call_method0(intern!(value.py(), "tobytes"))?;
    Ok(bytes.cast_into::<PyBytes>().map_err(PyErr::from)?.as_bytes().to_vec())
}

/// Returns the bytes of a seed: `bytes` unchanged, `str` as UTF-8, an `int` as its decimal digits, a `UUID`
/// as its usual text.
pub(crate) fn seed_bytes(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    static UUID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = value.py();
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(utf8("/seed", text)?.into_bytes());
    }
    if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        let digits = py.get_type::<PyInt>().call_method1(intern!(py, "__repr__"), (value,))?;
        return Ok(digits.extract::<String>()?.into_bytes());
    }
    if value.is_instance(UUID.import(py, "uuid", "UUID")?)? {
        return Ok(value.str()?.to_string_lossy().into_owned().into_bytes());
    }
    buffer_bytes(value, "").map_err(|_| {
        PyTypeError::new_err(format!("a seed is a str, bytes, an int or a UUID, found {}", type_name(value)))
    })
}

/// Reads a decimal from a Python `int`, `float`, `Decimal` or `str`.
pub(crate) fn decimal(name: &str, value: &Bound<'_, PyAny>) -> Result<fablegrade_core::Decimal, NoResult> {
    let text = match value.cast::<PyString>() {
        Ok(text) => utf8(&format!("/{name}"), text)?,
        Err(_) => String::from_utf8_lossy(Text::of(value).map_err(|refused| refused.within(name))?.bytes())
            .into_owned(),
    };
    fablegrade_core::Decimal::from_text(&text)
        .map_err(|_| refusal("wrong-type", &format!("/{name}"), "expected a number", "give a number"))
}
