//! Arguments from C, checked before they are used. Errors name an argument by a JSON pointer: `/spec` for
//! `spec`.

use std::ffi::c_char;
use std::slice;

use fablegrade_core::Finding;

use crate::boundary::Failure;
use crate::status::fg_status;

/// Returns a failure about the argument `name`.
pub(crate) fn refuse(
    status: fg_status,
    rule: &'static str,
    name: &str,
    message: String,
    help: &str,
) -> Failure {
    Failure::Argument(status, Box::new(Finding::error(rule, format!("/{name}"), message, help)))
}

/// Returns the failure for an argument that is NULL but must not be.
pub(crate) fn null(name: &str) -> Failure {
    let message = format!("the argument `{name}` is NULL");
    refuse(fg_status::FG_NULL_ARGUMENT, "null-argument", name, message, "pass a valid pointer")
}

/// Returns the target of a pointer from C, such as a struct of the caller.
///
/// # Safety
/// `handle` is NULL or points to a live `T` that stays alive and unchanged for `'a`.
pub(crate) unsafe fn borrow<'a, T>(name: &str, handle: *const T) -> Result<&'a T, Failure> {
    // SAFETY: the caller guarantees it.
    unsafe { handle.as_ref() }.ok_or_else(|| null(name))
}

/// Returns the bytes of a required argument. Only the pointer is required; the length can be 0.
///
/// # Safety
/// `data` is NULL or points to `length` bytes that are not written to during `'a`.
pub(crate) unsafe fn bytes<'a>(name: &str, data: *const c_char, length: usize) -> Result<&'a [u8], Failure> {
    if data.is_null() {
        return Err(null(name));
    }
    if isize::try_from(length).is_err() {
        return Err(refuse(
            fg_status::FG_BAD_LENGTH,
            "bad-length",
            name,
            format!("the length of `{name}` is greater than the size of any object"),
            "pass the number of bytes; a negative number becomes a huge one",
        ));
    }
    // SAFETY: not NULL, and readable for `length` bytes, as the caller guarantees.
    Ok(unsafe { slice::from_raw_parts(data.cast::<u8>(), length) })
}

/// Returns the bytes of an optional argument; NULL with length 0 means that it is absent.
///
/// # Safety
/// The same as for [`bytes`].
pub(crate) unsafe fn optional_bytes<'a>(
    name: &str,
    data: *const c_char,
    length: usize,
) -> Result<Option<&'a [u8]>, Failure> {
    if data.is_null() {
        if length == 0 {
            return Ok(None);
        }
        return Err(refuse(
            fg_status::FG_BAD_LENGTH,
            "bad-length",
            name,
            format!("`{name}` is NULL but has a length"),
            "pass length 0 for an absent argument",
        ));
    }
    // SAFETY: the caller guarantees it.
    unsafe { bytes(name, data, length) }.map(Some)
}

/// Returns the string of a required argument.
///
/// # Safety
/// The same as for [`bytes`].
pub(crate) unsafe fn text<'a>(name: &str, data: *const c_char, length: usize) -> Result<&'a str, Failure> {
    // SAFETY: the caller guarantees it.
    let bytes = unsafe { bytes(name, data, length) }?;
    std::str::from_utf8(bytes).map_err(|error| {
        refuse(
            fg_status::FG_BAD_UTF8,
            "invalid-utf8",
            name,
            format!("`{name}` is not valid UTF-8 at byte {}", error.valid_up_to()),
            "encode it as UTF-8",
        )
    })
}

/// An output parameter.
pub(crate) struct Out<T> {
    name: &'static str,
    place: *mut T,
}

impl<T> Out<T> {
    /// Takes an output parameter and writes `empty` to it, so it is always initialised.
    ///
    /// # Safety
    /// `place` is NULL, or can be written to as long as this value lives.
    pub(crate) unsafe fn new(name: &'static str, place: *mut T, empty: T) -> Self {
        let out = Self { name, place };
        if out.is_given() {
            out.set(empty);
        }
        out
    }

    /// Returns whether C passed a pointer.
    pub(crate) fn is_given(&self) -> bool {
        !self.place.is_null()
    }

    /// Fails if C passed NULL.
    pub(crate) fn required(&self) -> Result<(), Failure> {
        if self.is_given() { Ok(()) } else { Err(null(self.name)) }
    }

    /// Writes a value if C passed a pointer.
    pub(crate) fn set(&self, value: T) {
        if self.is_given() {
            // SAFETY: not NULL, and writable as `new` requires. The previous value needs no drop, because C's
            // values have no destructors.
            unsafe { self.place.write(value) };
        }
    }
}
