//! The boundary between C and Rust. Every call from C passes through it, so no panic leaves the library and
//! every failure has a status.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fablegrade_core::{Error, ErrorKind, Finding};

use crate::arguments::Out;
use crate::error::fg_error;
use crate::handle;
use crate::status::fg_status;

/// The reason for a failed call.
pub(crate) enum Failure {
    /// An argument is invalid.
    Argument(fg_status, Box<Finding>),
    /// A document is invalid.
    Document(Error),
    /// The result does not fit into the buffer; its length has already been written.
    TooSmall,
    /// A panic was caught.
    Panic,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Document(error)
    }
}

impl Failure {
    pub(crate) fn status(&self) -> fg_status {
        match self {
            Self::Argument(status, _) => *status,
            Self::TooSmall => fg_status::FG_BUFFER_TOO_SMALL,
            Self::Panic => fg_status::FG_PANIC,
            Self::Document(error) => match (error.rule(), error.kind()) {
                ("invalid-utf8", _) => fg_status::FG_BAD_UTF8,
                ("unreadable-expression" | "lost-backslash", ErrorKind::Schema) => {
                    fg_status::FG_BAD_EXPRESSION
                }
                (_, ErrorKind::Json) => fg_status::FG_BAD_JSON,
                (_, ErrorKind::Schema) => fg_status::FG_BAD_SCHEMA,
                (_, ErrorKind::Spec) => fg_status::FG_BAD_SPEC,
                (_, ErrorKind::Mismatch) => fg_status::FG_MISMATCH,
            },
        }
    }
}

/// Runs the body of a call. A failure becomes a status and, if C passed a pointer for it, an [`fg_error`].
///
/// A panic in the body leaves no handle in an inconsistent state, because all handles are immutable.
pub(crate) fn call(error: &Out<*mut fg_error>, body: impl FnOnce() -> Result<(), Failure>) -> fg_status {
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Failure::Panic));
    match outcome {
        Ok(()) => fg_status::FG_OK,
        Err(failure) => {
            let status = failure.status();
            if error.is_given() {
                error.set(handle::give(fg_error::new(failure)));
            }
            status
        }
    }
}

/// Works like [`call`] for functions that cannot fail. Returns `default` after a panic.
pub(crate) fn or_default<T>(default: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(default)
}

/// Panics on purpose, to test this boundary. It is neither in the header nor in the installed library.
#[cfg(feature = "test-panic")]
#[allow(clippy::panic)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_test_panic(
    grader: *const crate::grading::fg_grader,
    result: *mut *mut crate::text::fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the test passes a live grader and pointers to its own variables.
    unsafe {
        let result = Out::new("result", result, std::ptr::null_mut());
        call(&Out::new("error", error, std::ptr::null_mut()), || {
            result.required()?;
            let _held = handle::live("grader", grader)?;
            panic!("a secret")
        })
    }
}

#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used)]
mod tests {
    use super::*;
    use fablegrade_core::{Grader, Submission};

    #[test]
    fn a_panic_is_a_status_and_what_it_met_stays_usable() {
        let grader = Grader::from_json(r#"{"type":"numeric","answer":{"value":4}}"#).unwrap();
        let mut error: *mut fg_error = std::ptr::null_mut();
        // SAFETY: `error` is a local variable.
        let place = unsafe { Out::new("error", &raw mut error, std::ptr::null_mut()) };
        let status = call(&place, || {
            let held = &grader;
            panic!("on purpose, while holding {held:?}")
        });
        assert_eq!(status, fg_status::FG_PANIC);
        // SAFETY: `call` has just set it.
        assert_eq!(unsafe { handle::maybe(error) }.map(fg_error::rule), Some("panic"));
        // SAFETY: `call` has just set it, and it is freed once.
        unsafe { handle::free(error) };
        assert_eq!(or_default(7, || panic!("on purpose")), 7);
        let submission = Submission::from_json(r#"{"type":"numeric","value":4}"#).unwrap();
        assert_eq!(grader.grade(&submission).score, Some(1.0));
    }
}
