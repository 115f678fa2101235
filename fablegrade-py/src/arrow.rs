//! The Arrow PyCapsule interface: reads tables of any engine and returns record batches, without copying
//! data.
//!
//! This is the only file of the crate with `unsafe`. It assumes that every capsule contains what the interface
//! guarantees for the capsule's name.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::documents::type_name;

const STREAM: &std::ffi::CStr = c"arrow_array_stream";
const SCHEMA: &std::ffi::CStr = c"arrow_schema";
const ARRAY: &std::ffi::CStr = c"arrow_array";

/// A stream of record batches.
pub(crate) type Reader = Box<dyn RecordBatchReader + Send>;

pub(crate) fn arrow_failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(format!("Arrow: {error}"))
}

/// Returns the error that ends a stream after an exception, such as that of Ctrl-C. A stream has no way to raise it,
/// so Python raises it on the main thread as soon as it continues.
pub(crate) fn interrupted_stream(error: PyErr) -> ArrowError {
    extern "C" fn raise(error: *mut c_void) -> c_int {
        // SAFETY: the pointer is that of the box below, and the interpreter makes the call only once.
        let error = unsafe { Box::from_raw(error.cast::<PyErr>()) };
        Python::attach(|py| error.restore(py));
        -1
    }
    let error = Box::into_raw(Box::new(error));
    // SAFETY: any thread may add a call. The call gets the only pointer to the box.
    if unsafe { pyo3::ffi::Py_AddPendingCall(Some(raise), error.cast()) } != 0 {
        // SAFETY: too many calls are pending, so this one was not added, and the box still belongs to this function.
        let error = unsafe { Box::from_raw(error) };
        Python::attach(|py| error.write_unraisable(py, None));
    }
    ArrowError::ComputeError("interrupted".to_owned())
}

/// Returns a schema as a capsule of an Arrow C schema.
pub(crate) fn schema_capsule<'py>(
    py: Python<'py>,
    schema: &arrow_schema::Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(arrow_failed)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// Moves the content of a capsule out. Without the interpreter's lock, two threads that got the same capsule
/// could move its content at the same time, and both would release it. `take` only copies and runs no code of
/// others, so it cannot wait for this lock again.
fn moved_out<T>(take: impl FnOnce() -> T) -> T {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    take()
}

/// Returns the record batches of a table, a stream of batches or a single batch.
pub(crate) fn read(data: &Bound<'_, PyAny>) -> PyResult<Reader> {
    let py = data.py();
    if data.hasattr(intern!(py, "__arrow_c_stream__"))? {
        let capsule = data.call_method0(intern!(py, "__arrow_c_stream__"))?.cast_into::<PyCapsule>()?;
        let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        let stream = moved_out(|| {
            // SAFETY: the interface guarantees a stream under this name. It is moved out and replaced by a
            // released stream, which the capsule does not release again. No other thread moves it at the same
            // time, and the capsule outlives the call.
            unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) }
        });
        // A column also provides a stream; only the stream's schema shows that it is not a table.
        let stream = RecordBatchStreamReader::try_new(stream).map_err(|_| {
            PyTypeError::new_err(format!(
                "expected a table or a stream of record batches, found {}: pass the whole table, and name its columns \
                 in `columns`",
                type_name(data)
            ))
        })?;
        return Ok(Box::new(stream));
    }
    if data.hasattr(intern!(py, "__arrow_c_array__"))? {
        let pair = data.call_method0(intern!(py, "__arrow_c_array__"))?.cast_into::<PyTuple>()?;
        let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
        let schema = schema.cast_into::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?;
        let array = array.cast_into::<PyCapsule>()?.pointer_checked(Some(ARRAY))?;
        let array = moved_out(|| {
            // SAFETY: the interface guarantees an array under this name, and `pair` keeps its capsule alive. It is
            // moved out and replaced by a released array. No other thread moves it at the same time.
            unsafe { FFI_ArrowArray::from_raw(array.cast().as_ptr()) }
        });
        if array.is_released() {
            return Err(PyValueError::new_err("this record batch has been read already"));
        }
        // SAFETY: the interface guarantees a schema that matches the array; `pair` keeps its capsule alive, and it
        // is only read.
        let data = unsafe { from_ffi(array, schema.cast::<FFI_ArrowSchema>().as_ref()) };
        let data = data.map_err(arrow_failed)?;
        if !matches!(data.data_type(), arrow_schema::DataType::Struct(_)) {
            return Err(PyTypeError::new_err(
                "expected a record batch, found an array of another type: pass the whole table, and name its columns in `columns`",
            ));
        }
        if data.null_count() > 0 {
            return Err(PyValueError::new_err(
                "a row of a record batch cannot be null as a whole: fill or drop such rows",
            ));
        }
        let batch = RecordBatch::from(StructArray::from(data));
        let schema = batch.schema();
        return Ok(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    }
    Err(PyTypeError::new_err(
        "expected a table, a stream of record batches or a record batch: an object with `__arrow_c_stream__` or \
         `__arrow_c_array__`",
    ))
}

/// Graded record batches: an object with `__arrow_c_stream__`, which every Arrow library can read once.
///
/// A batch is graded only when it is read; one batch is in memory at a time.
#[pyclass(frozen, module = "fablegrade.arrow", name = "GradedBatches")]
pub(crate) struct GradedBatches {
    schema: SchemaRef,
    reader: Mutex<Option<Reader>>,
}

impl GradedBatches {
    pub(crate) fn new(reader: Reader) -> Self {
        let schema = reader.schema();
        let guarded = Guarded { schema: SchemaRef::clone(&schema), reader: Some(reader) };
        Self { schema, reader: Mutex::new(Some(Box::new(guarded))) }
    }
}

/// A stream that ends with an error after a panic. The functions of an Arrow C stream are called from C, where a panic
/// would abort the process.
struct Guarded {
    schema: SchemaRef,
    reader: Option<Reader>,
}

impl Iterator for Guarded {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut reader = self.reader.take()?;
        // After a panic, the reader is not used again.
        let next = catch_unwind(AssertUnwindSafe(move || (reader.next(), reader)));
        match next {
            Ok((next, reader)) => {
                self.reader = Some(reader);
                next
            }
            Err(_) => Some(Err(ArrowError::ComputeError("internal error; please report it".to_owned()))),
        }
    }
}

impl RecordBatchReader for Guarded {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

#[pymethods]
impl GradedBatches {
    /// Returns the batches as a capsule of an Arrow C stream. A second call raises `ValueError`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore this request.
        let _ = requested_schema;
        let taken = self.reader.lock().ok().and_then(|mut reader| reader.take());
        let reader = taken.ok_or_else(|| PyValueError::new_err("these batches have been read already"))?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
    }

    /// Returns the schema of the batches as a capsule of an Arrow C schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    /// The names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }
}
