//! Status codes.

use std::ffi::c_char;

use crate::boundary::or_default;

/// The status of a call. Each kind of failure has a range, in which later versions may add codes: 1 to 99 for the
/// arguments of the call, 100 to 199 for the documents in them, 200 to 299 for expressions, and 900 to 999
/// for internal errors. A code never changes its meaning; handle an unknown code by its range.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_status {
    /// Success.
    FG_OK = 0,
    /// A required argument is NULL.
    FG_NULL_ARGUMENT = 1,
    /// A length exceeds the maximum size of an object (PTRDIFF_MAX), or an optional string is NULL with
    /// a length other than 0.
    FG_BAD_LENGTH = 2,
    /// A string is not UTF-8.
    FG_BAD_UTF8 = 3,
    /// The value of a number, word or name is not allowed.
    FG_UNKNOWN_VALUE = 4,
    /// The buffer is too small for the result. Only the length of the result was written; it excludes the NUL at the
    /// end, so the buffer needs one byte more.
    FG_BUFFER_TOO_SMALL = 5,
    /// A handle was already freed, or is of the wrong type. The library detects this by a tag at the start of each
    /// handle, provided that the memory can still be read; do not rely on it.
    FG_BAD_HANDLE = 6,
    /// A string is not JSON, contains a field twice, or is too long or too deeply nested.
    FG_BAD_JSON = 100,
    /// A document is JSON but violates its schema.
    FG_BAD_SCHEMA = 110,
    /// A question conforms to its schema but has errors that prevent grading, such as an unknown validator or a key
    /// that no answer can match.
    FG_BAD_SPEC = 120,
    /// Two documents do not match, such as an attempt at another version of the question.
    FG_MISMATCH = 130,
    /// fg_equivalent cannot read an expression. An unreadable key is FG_BAD_SPEC; an unreadable submission gets the
    /// verdict "error".
    FG_BAD_EXPRESSION = 200,
    /// Internal error; please report it. All handles stay usable.
    FG_PANIC = 900,
}

/// Returns the name of a status, such as "FG_BAD_SPEC"; "FG_UNKNOWN" for any other number.
///
/// Ownership: the string is static.
/// NULL: never returned.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub extern "C" fn fg_status_name(status: i32) -> *const c_char {
    use fg_status as s;
    or_default(c"FG_UNKNOWN".as_ptr(), || {
        let known = [
            (s::FG_OK, c"FG_OK"),
            (s::FG_NULL_ARGUMENT, c"FG_NULL_ARGUMENT"),
            (s::FG_BAD_LENGTH, c"FG_BAD_LENGTH"),
            (s::FG_BAD_UTF8, c"FG_BAD_UTF8"),
            (s::FG_UNKNOWN_VALUE, c"FG_UNKNOWN_VALUE"),
            (s::FG_BUFFER_TOO_SMALL, c"FG_BUFFER_TOO_SMALL"),
            (s::FG_BAD_HANDLE, c"FG_BAD_HANDLE"),
            (s::FG_BAD_JSON, c"FG_BAD_JSON"),
            (s::FG_BAD_SCHEMA, c"FG_BAD_SCHEMA"),
            (s::FG_BAD_SPEC, c"FG_BAD_SPEC"),
            (s::FG_MISMATCH, c"FG_MISMATCH"),
            (s::FG_BAD_EXPRESSION, c"FG_BAD_EXPRESSION"),
            (s::FG_PANIC, c"FG_PANIC"),
        ];
        known
            .iter()
            .find(|(known, _)| *known as i32 == status)
            .map_or(c"FG_UNKNOWN".as_ptr(), |(_, name)| name.as_ptr())
    })
}
