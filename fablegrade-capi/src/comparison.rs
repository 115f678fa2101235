//! Comparison of outputs and of expressions, for hosts that need no grading.

use std::ffi::c_char;
use std::ptr::null_mut;

use fablegrade_core::equivalence::{equivalent, read_options};
use fablegrade_core::{Decimal, Error, Matcher};

use crate::arguments::{Out, bytes, optional_bytes, refuse, text};
use crate::boundary::{Failure, call};
use crate::error::fg_error;
use crate::status::fg_status;
use crate::text::fg_text;

/// The method of comparing an output with the expected output.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_matcher {
    /// Equal bytes.
    FG_MATCHER_EXACT = 1,
    /// Equal lines; whitespace at line ends and empty lines at the end are ignored.
    FG_MATCHER_TRIMMED_LINES = 2,
    /// Equal tokens, separated by any run of the six ASCII whitespace characters.
    FG_MATCHER_TOKENS = 3,
    /// Equal JSON values. The order of fields does not matter; the order of array elements does. Numbers are
    /// compared exactly or within the tolerance.
    FG_MATCHER_JSON = 4,
    /// Equal tokens; numbers may differ within the tolerance.
    FG_MATCHER_FLOAT_TOLERANCE = 5,
}

const MATCHERS: [(Matcher, fg_matcher); 5] = [
    (Matcher::Exact, fg_matcher::FG_MATCHER_EXACT),
    (Matcher::TrimmedLines, fg_matcher::FG_MATCHER_TRIMMED_LINES),
    (Matcher::Tokens, fg_matcher::FG_MATCHER_TOKENS),
    (Matcher::Json, fg_matcher::FG_MATCHER_JSON),
    (Matcher::FloatTolerance, fg_matcher::FG_MATCHER_FLOAT_TOLERANCE),
];

fn no_such_matcher(message: String) -> Failure {
    let help =
        "pass a value of fg_matcher, or the name of one: exact, trimmed_lines, tokens, json, float_tolerance";
    refuse(fg_status::FG_UNKNOWN_VALUE, "unknown-value", "matcher", message, help)
}

/// Gets the number of a matcher from its name in questions: "exact", "trimmed_lines", "tokens", "json" or
/// "float_tolerance". *matcher is 0 on failure.
///
/// Ownership: an error is yours; free it with fg_error_free.
/// NULL: word and matcher must not be NULL; error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_matcher_from_word(
    word: *const c_char,
    word_length: usize,
    matcher: *mut i32,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let matcher = Out::new("matcher", matcher, 0);
        call(&Out::new("error", error, null_mut()), || {
            matcher.required()?;
            let found = Matcher::from_word(text("word", word, word_length)?);
            let known = MATCHERS.iter().find(|(known, _)| Some(*known) == found);
            let (_, number) = known.ok_or_else(|| no_such_matcher("there is no such matcher".to_owned()))?;
            matcher.set(*number as i32);
            Ok(())
        })
    }
}

/// Compares an actual output with the expected output. `matcher` is one of fg_matcher; the bytes need not be UTF-8.
///
/// `tolerance` is a decimal number as a string, such as "1e-6". It applies to FG_MATCHER_FLOAT_TOLERANCE, where it is
/// 1e-6 if absent, and to FG_MATCHER_JSON, where numbers are compared exactly if it is absent. An expected number e and
/// an actual number a match if |e - a| <= tolerance or |e - a| <= tolerance * |e|, computed exactly.
///
/// *report is `{accept, difference?, largestError?}` as JSON. It quotes neither string, except for field
/// names of the expected value in `difference` (FG_MATCHER_JSON). But `largestError` is exact, so it can reveal an
/// expected number: do not show it to a learner.
///
/// Ownership: *report is yours; free it with fg_text_free.
/// NULL: expected, actual and accepted must not be NULL (an empty output is "" with length 0); tolerance may be NULL
/// with length 0; report and error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_match(
    matcher: i32,
    expected: *const c_char,
    expected_length: usize,
    actual: *const c_char,
    actual_length: usize,
    tolerance: *const c_char,
    tolerance_length: usize,
    accepted: *mut bool,
    report: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let accepted = Out::new("accepted", accepted, false);
        let report = Out::new("report", report, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            accepted.required()?;
            let known = MATCHERS.iter().find(|(_, number)| *number as i32 == matcher);
            let (matcher, _) = known
                .ok_or_else(|| no_such_matcher(format!("there is no matcher with the number {matcher}")))?;
            let expected = bytes("expected", expected, expected_length)?;
            let actual = bytes("actual", actual, actual_length)?;
            let tolerance = match tolerance_text(tolerance, tolerance_length)? {
                Some(tolerance) => Some(read_tolerance(tolerance)?),
                None => None,
            };
            let found = matcher.compare(expected, actual, tolerance.as_ref());
            accepted.set(found.accepted);
            if report.is_given() {
                report.give(found.to_json().to_canonical());
            }
            Ok(())
        })
    }
}

/// # Safety
/// The same as for [`optional_bytes`].
unsafe fn tolerance_text<'a>(data: *const c_char, length: usize) -> Result<Option<&'a str>, Failure> {
    // SAFETY: the caller guarantees it.
    unsafe {
        match optional_bytes("tolerance", data, length)? {
            Some(_) => text("tolerance", data, length).map(Some),
            None => Ok(None),
        }
    }
}

fn read_tolerance(text: &str) -> Result<Decimal, Failure> {
    let tolerance = Decimal::from_text(text).ok().filter(|tolerance| !tolerance.is_negative());
    tolerance.ok_or_else(|| {
        let message = "the tolerance is not a non-negative decimal number".to_owned();
        refuse(
            fg_status::FG_UNKNOWN_VALUE,
            "unknown-value",
            "tolerance",
            message,
            "write it as JSON does: 1e-6",
        )
    })
}

/// The decision of fg_equivalent.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_equality {
    /// Equality could not be decided; treat the expressions as neither equal nor different.
    FG_EQUALITY_UNDECIDED = -1,
    /// The expressions differ.
    FG_EQUALITY_DIFFERENT = 0,
    /// The expressions are equal.
    FG_EQUALITY_EQUAL = 1,
}

/// Decides whether two LaTeX expressions are equal. *decision is JSON with the decision, its evidence and the reading of
/// each expression: `{equal, how, evidence, note?, a: {understood, notes}, b: {understood, notes}, ...}`.
///
/// `options` is JSON, `{variables?: [name], domains?: {name: {min?, max?, integer?, exclude?: [number]}},
/// complexVariables?: [name], functions?: [name], logBase?: "10" | "e"}`; a variable without a domain that
/// is not complex is any real number.
///
/// Ownership: *decision is yours; free it with fg_text_free.
/// NULL: a, b and equality must not be NULL; options may be NULL with length 0; decision and error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_equivalent(
    a: *const c_char,
    a_length: usize,
    b: *const c_char,
    b_length: usize,
    options: *const c_char,
    options_length: usize,
    equality: *mut i32,
    decision: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let equality = Out::new("equality", equality, fg_equality::FG_EQUALITY_UNDECIDED as i32);
        let decision = Out::new("decision", decision, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            equality.required()?;
            let (a, b) = (text("a", a, a_length)?, text("b", b, b_length)?);
            let options = optional_bytes("options", options, options_length)?.unwrap_or(b"{}");
            let options = read_options(options).map_err(|error| error.within("/options"))?;
            let found = equivalent(a, b, &options).map_err(Error::from)?;
            equality.set(match found.decision().verdict().as_bool() {
                Some(true) => fg_equality::FG_EQUALITY_EQUAL,
                Some(false) => fg_equality::FG_EQUALITY_DIFFERENT,
                None => fg_equality::FG_EQUALITY_UNDECIDED,
            } as i32);
            if decision.is_given() {
                decision.give(found.to_json().to_canonical());
            }
            Ok(())
        })
    }
}
