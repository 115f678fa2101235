//! Errors, each with its location, its rule and help.

use std::ffi::c_char;

use fablegrade_core::json::Json;
use fablegrade_core::{Error, Finding, Severity};

use crate::arguments::Out;
use crate::boundary::{Failure, or_default};
use crate::handle::{self, Handle, Unique};
use crate::status::fg_status;
use crate::text::{fg_string, fg_text};

/// The reason for a failed call: status, pointer, rule, message and help of the first error, and the findings as JSON.
///
/// Every function that can fail takes a `fg_error **error` as its last argument. Pass NULL if you do not need
/// the error, otherwise the address of a pointer. The pointer is set to NULL on success and to an error that
/// you own on failure. (Its previous value is overwritten, not freed.)
///
/// Ownership: it is yours; free it once with fg_error_free. Threads: it is immutable, so any number of
/// threads may read it concurrently; free it only after all of them have finished.
pub struct fg_error {
    status: fg_status,
    pointer: fg_text,
    rule: fg_text,
    message: fg_text,
    help: fg_text,
    json: fg_text,
    findings: Vec<Found>,
}

/// A finding whose strings can be passed to C.
struct Found {
    pointer: fg_text,
    rule: fg_text,
    message: fg_text,
    help: fg_text,
    severity: fg_severity,
}

impl Found {
    fn new(finding: &Finding) -> Self {
        Self {
            pointer: fg_text::new(finding.pointer.clone()),
            rule: fg_text::new(finding.rule.to_owned()),
            message: fg_text::new(finding.message.clone()),
            help: fg_text::new(finding.help.clone()),
            severity: finding.severity.into(),
        }
    }
}

impl Handle for fg_error {
    type Ownership = Unique;
    const TAG: u64 = u64::from_le_bytes(*b"fg_error");
    const NAME: &'static str = "fg_error";
}

impl fg_error {
    pub(crate) fn new(failure: Failure) -> Self {
        let status = failure.status();
        match failure {
            Failure::Document(error) => Self::of_document(status, &error),
            Failure::Argument(_, finding) => Self::of_finding(status, "argument", &finding),
            Failure::TooSmall => {
                let finding = Finding::error(
                    "buffer-too-small",
                    "/buffer",
                    "the result is longer than the buffer",
                    "give a buffer of the length that was written, and one byte more",
                );
                Self::of_finding(status, "argument", &finding)
            }
            Failure::Panic => {
                // The panic's message is omitted, because it could quote the key.
                let finding = Finding::error(
                    "panic",
                    "",
                    "internal error",
                    "please report it with the arguments; all handles stay usable",
                );
                Self::of_finding(status, "internal", &finding)
            }
        }
    }

    fn of_document(status: fg_status, error: &Error) -> Self {
        let findings = error.findings();
        let first = findings
            .iter()
            .find(|finding| finding.pointer == error.pointer() && finding.rule == error.rule());
        Self {
            status,
            findings: findings.iter().map(Found::new).collect(),
            pointer: fg_text::new(error.pointer().to_owned()),
            rule: fg_text::new(error.rule().to_owned()),
            message: fg_text::new(first.map_or_else(String::new, |finding| finding.message.clone())),
            help: fg_text::new(error.help().to_owned()),
            json: fg_text::new(error.to_json()),
        }
    }

    fn of_finding(status: fg_status, kind: &str, finding: &Finding) -> Self {
        let json =
            Json::build().with("findings", Json::array([finding.to_json()])).with("kind", kind).build();
        Self {
            status,
            findings: vec![Found::new(finding)],
            pointer: fg_text::new(finding.pointer.clone()),
            rule: fg_text::new(finding.rule.to_owned()),
            message: fg_text::new(finding.message.clone()),
            help: fg_text::new(finding.help.clone()),
            json: fg_text::new(json.to_canonical()),
        }
    }

    #[cfg(test)]
    pub(crate) fn rule(&self) -> &str {
        self.rule.as_str()
    }
}

/// Returns a string of an error; the empty string if there is no error.
///
/// # Safety
/// `error` is NULL or live; `length` is NULL or writable.
unsafe fn part(
    error: *const fg_error,
    length: *mut usize,
    part: impl FnOnce(&fg_error) -> &fg_text,
) -> *const c_char {
    or_default(c"".as_ptr(), || {
        // SAFETY: the caller guarantees it.
        let (error, length) = unsafe { (handle::maybe(error), Out::new("length", length, 0)) };
        let text = error.map(part);
        length.set(text.map_or(0, |text| text.as_str().len()));
        text.map_or(c"".as_ptr(), fg_text::as_ptr)
    })
}

/// Returns the status that the failed call returned; FG_OK for NULL.
///
/// Ownership: none.
/// NULL: error may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_status(error: *const fg_error) -> fg_status {
    or_default(fg_status::FG_PANIC, || {
        // SAFETY: the header requires valid pointers.
        let error = unsafe { handle::maybe(error) };
        error.map_or(fg_status::FG_OK, |error| error.status)
    })
}

/// Returns the pointer of the first error: a JSON pointer (RFC 6901) relative to the arguments, such as
/// "/spec/answer" for the field `answer` of the argument `spec`. If the name of a field contains a NUL, so does the
/// pointer; *length is the full length.
///
/// Ownership: the returned string belongs to the library and is valid until the error is freed.
/// NULL: error may be NULL, which gives the empty string; length may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_pointer(error: *const fg_error, length: *mut usize) -> *const c_char {
    // SAFETY: the header requires valid pointers.
    unsafe { part(error, length, |error| &error.pointer) }
}

/// Returns the violated rule: a stable name such as "missing-field". The names are listed in docs/lint.md,
/// docs/c.md and docs/validators.md.
///
/// Ownership: the returned string belongs to the library and is valid until the error is freed.
/// NULL: error may be NULL, which gives the empty string; length may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_rule(error: *const fg_error, length: *mut usize) -> *const c_char {
    // SAFETY: the header requires valid pointers.
    unsafe { part(error, length, |error| &error.rule) }
}

/// Returns the message: the defect, in one sentence. It never quotes a value from a document, so it reveals no key;
/// only the messages of fg_equivalent can quote the expressions.
///
/// Ownership: the returned string belongs to the library and is valid until the error is freed.
/// NULL: error may be NULL, which gives the empty string; length may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_message(error: *const fg_error, length: *mut usize) -> *const c_char {
    // SAFETY: the header requires valid pointers.
    unsafe { part(error, length, |error| &error.message) }
}

/// Returns the help: how to correct the defect, in one sentence.
///
/// Ownership: the returned string belongs to the library and is valid until the error is freed.
/// NULL: error may be NULL, which gives the empty string; length may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_help(error: *const fg_error, length: *mut usize) -> *const c_char {
    // SAFETY: the header requires valid pointers.
    unsafe { part(error, length, |error| &error.help) }
}

/// Returns the findings, at most 200, as canonical JSON:
/// `{dropped?, findings: [{help, message, pointer, rule, severity}], kind}`, where `kind` is "argument", "json",
/// "schema", "spec", "mismatch" or "internal", and `dropped` is the number of further findings.
///
/// Ownership: the returned string belongs to the library and is valid until the error is freed.
/// NULL: error may be NULL, which gives the empty string; length may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_json(error: *const fg_error, length: *mut usize) -> *const c_char {
    // SAFETY: the header requires valid pointers.
    unsafe { part(error, length, |error| &error.json) }
}

/// The severity of a finding.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_severity {
    /// A remark.
    FG_SEVERITY_INFO = 1,
    /// A probable defect.
    FG_SEVERITY_WARNING = 2,
    /// A defect.
    FG_SEVERITY_ERROR = 3,
}

impl From<Severity> for fg_severity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::FG_SEVERITY_INFO,
            Severity::Warning => Self::FG_SEVERITY_WARNING,
            Severity::Error => Self::FG_SEVERITY_ERROR,
        }
    }
}

/// One finding of an fg_error. Initialise with `fg_finding finding = {0};`.
///
/// Ownership: its strings belong to the library and are valid until the error is freed.
/// Threads: the rules of the error apply.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fg_finding {
    /// A JSON pointer that starts with the name of the argument, such as "/spec/answer", or of a field of
    /// fg_documents. It is empty if the finding is not about one of them, such as an internal error.
    pub pointer: fg_string,
    /// A stable name, such as "missing-field".
    pub rule: fg_string,
    /// The defect.
    pub message: fg_string,
    /// The remedy.
    pub help: fg_string,
    /// One of fg_severity; 0 if the finding does not exist.
    pub severity: i32,
}

/// Returns the number of findings of an error; 0 for NULL.
///
/// Ownership: none.
/// NULL: error may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_count(error: *const fg_error) -> usize {
    // SAFETY: the header requires valid pointers.
    or_default(0, || unsafe { handle::maybe(error) }.map_or(0, |error| error.findings.len()))
}

/// Gets a finding of an error by its index, from 0. If the index is out of range, returns false and sets
/// *finding to an empty value.
///
/// Ownership: the strings belong to the library and are valid until the error is freed.
/// NULL: error and finding may be NULL.
/// Threads: any number of threads may read an error concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_finding(
    error: *const fg_error,
    index: usize,
    finding: *mut fg_finding,
) -> bool {
    const NONE: fg_finding = fg_finding {
        pointer: fg_string::NONE,
        rule: fg_string::NONE,
        message: fg_string::NONE,
        help: fg_string::NONE,
        severity: 0,
    };
    or_default(false, || {
        // SAFETY: the header requires valid pointers.
        let (error, finding) = unsafe { (handle::maybe(error), Out::new("finding", finding, NONE)) };
        let Some(found) = error.and_then(|error| error.findings.get(index)) else { return false };
        finding.set(fg_finding {
            pointer: fg_string::of(Some(&found.pointer)),
            rule: fg_string::of(Some(&found.rule)),
            message: fg_string::of(Some(&found.message)),
            help: fg_string::of(Some(&found.help)),
            severity: found.severity as i32,
        });
        true
    })
}

/// Frees an error.
///
/// Ownership: takes the error; neither it nor its strings may be used again.
/// NULL: error may be NULL; then nothing happens.
/// Threads: no other thread may use the error during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_error_free(error: *mut fg_error) {
    or_default((), || {
        // SAFETY: the header requires valid pointers.
        unsafe { handle::free(error) }
    });
}
