//! The envelope of an answer line: `{"id":..., FIELDS}` or `{"id":...,"error":{...},"line":...}`.

use fablegrade_core::json::{Json, write_json_string};
use fablegrade_core::{Error, ErrorKind, Finding};

use super::blocks::LINE_LIMIT;

/// Appends `{"id":ID`, where `id` is JSON text, and `null` if there is none. The caller adds fields and the
/// closing brace.
pub(crate) fn open(id: Option<&str>, out: &mut String) {
    out.push_str("{\"id\":");
    out.push_str(id.unwrap_or("null"));
}

/// Appends an answer: the id, then the fields of the object `fields`.
pub(crate) fn write_answer(id: Option<&str>, fields: &Json, out: &mut String) {
    open(id, out);
    for (key, value) in fields.as_object().unwrap_or_default() {
        out.push(',');
        write_json_string(key, out);
        out.push(':');
        value.write(out);
    }
    out.push('}');
}

/// Appends the answer to a line that cannot be processed; `number` counts lines from 1.
pub(crate) fn write_error(id: Option<&str>, number: u64, error: &Error, out: &mut String) {
    open(id, out);
    write_error_fields(number, error, out);
}

/// Appends the rest of an error answer, after [`open`].
pub(crate) fn write_error_fields(number: u64, error: &Error, out: &mut String) {
    out.push_str(",\"error\":");
    error.write_json(out);
    out.push_str(",\"line\":");
    out.push_str(&number.to_string());
    out.push('}');
}

/// Returns the error for a line over the size limit.
pub(crate) fn too_long(length: u64) -> Error {
    Error::single(
        ErrorKind::Json,
        Finding::error(
            "line-too-long",
            "",
            format!("the line has {length} bytes, more than the limit of {LINE_LIMIT}"),
            "split the document or send it by itself",
        ),
    )
}

/// Returns the error for a line that caused a panic.
pub(crate) fn internal_error() -> Error {
    Error::single(
        ErrorKind::Json,
        Finding::error(
            "internal-error",
            "",
            "internal error while processing this line",
            "report the line as a bug of fablegrade",
        ),
    )
}
