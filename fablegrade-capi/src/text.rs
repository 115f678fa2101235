//! Strings that the library makes and C frees.

use std::ffi::c_char;

use crate::arguments::{Out, null};
use crate::boundary::{Failure, call, or_default};
use crate::error::fg_error;
use crate::handle::{self, Handle, Unique};
use crate::status::fg_status;

/// A string that the library made: UTF-8, with a NUL after its last byte.
///
/// Ownership: it is yours; free it once with fg_text_free. It can outlive the grader that made it. Threads:
/// it is immutable, so any number of threads may read it concurrently; free it only after all of them have
/// finished.
pub struct fg_text {
    /// The text, with a NUL at its end.
    text: String,
}

impl Handle for fg_text {
    type Ownership = Unique;
    const TAG: u64 = u64::from_le_bytes(*b"fg_text!");
    const NAME: &'static str = "fg_text";
}

impl fg_text {
    /// Makes a string for C. It can contain a NUL, because the length covers the whole string.
    pub(crate) fn new(mut text: String) -> Self {
        text.push('\0');
        Self { text }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text[..self.text.len() - 1]
    }

    pub(crate) fn as_ptr(&self) -> *const c_char {
        self.text.as_ptr().cast()
    }
}

impl Out<*mut fg_text> {
    /// Writes a string to the output parameter if C passed a pointer.
    pub(crate) fn give(&self, text: String) {
        if self.is_given() {
            self.set(handle::give(fg_text::new(text)));
        }
    }
}

/// A string inside a handle.
///
/// Ownership: it belongs to the library and is valid until the handle from which it was read is freed.
/// Threads: the rules of the handle apply.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fg_string {
    /// UTF-8 with a NUL after its last byte; NULL if there is no string.
    pub data: *const c_char,
    /// Its length in bytes, without the NUL.
    pub length: usize,
}

impl fg_string {
    /// The absence of a string.
    pub(crate) const NONE: Self = Self { data: std::ptr::null(), length: 0 };

    pub(crate) fn of(text: Option<&fg_text>) -> Self {
        text.map_or(Self::NONE, |text| Self { data: text.as_ptr(), length: text.as_str().len() })
    }
}

/// Returns the bytes of a string, and sets *length to their number (without the NUL at the end).
///
/// Ownership: the returned bytes belong to the library and are valid until the string is freed.
/// NULL: text may be NULL, which gives the empty string; length may be NULL.
/// Threads: any number of threads may read a string concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_text_data(text: *const fg_text, length: *mut usize) -> *const c_char {
    or_default(c"".as_ptr(), || {
        // SAFETY: the header requires valid pointers.
        let (text, length) = unsafe { (handle::maybe(text), Out::new("length", length, 0)) };
        length.set(text.map_or(0, |text| text.as_str().len()));
        text.map_or(c"".as_ptr(), fg_text::as_ptr)
    })
}

/// Copies a string, with a NUL at its end, into a buffer of `capacity` bytes.
///
/// *length is set on success, and also if the buffer is too small (FG_BUFFER_TOO_SMALL; the buffer stays unchanged): it
/// is the length of the string without the NUL, so a capacity of *length + 1 is enough.
///
/// Ownership: the buffer is yours.
/// NULL: text must not be NULL; buffer may be NULL if capacity is 0; length and error may be NULL.
/// Threads: any number of threads may read a string concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_text_copy(
    text: *const fg_text,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let length = Out::new("length", length, 0);
        call(&Out::new("error", error, std::ptr::null_mut()), || {
            copy_out(handle::live("text", text)?.as_str(), buffer, capacity, &length)
        })
    }
}

/// Copies a string and a NUL into C's buffer, or nothing if it does not fit.
///
/// # Safety
/// `buffer` is NULL or has room for `capacity` bytes.
pub(crate) unsafe fn copy_out(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: &Out<usize>,
) -> Result<(), Failure> {
    // A capacity without a buffer is a mistake of the caller, not a request for the length.
    if capacity > 0 && buffer.is_null() {
        return Err(null("buffer"));
    }
    length.set(text.len());
    if capacity <= text.len() {
        return Err(Failure::TooSmall);
    }
    // SAFETY: the buffer has room for more than `text.len()` bytes and does not overlap the library's string.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), text.len());
        buffer.add(text.len()).write(0);
    }
    Ok(())
}

/// Frees a string.
///
/// Ownership: takes the string; neither it nor the bytes from fg_text_data may be used again.
/// NULL: text may be NULL; then nothing happens.
/// Threads: no other thread may use the string during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_text_free(text: *mut fg_text) {
    or_default((), || {
        // SAFETY: the header requires valid pointers.
        unsafe { handle::free(text) }
    });
}
