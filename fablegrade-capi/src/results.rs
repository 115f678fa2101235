//! Results field by field, for hosts without a JSON parser.

use std::ffi::c_char;
use std::ptr::null_mut;

use fablegrade_core::json::Json;
use fablegrade_core::{AttemptResult, FeedbackSeverity, Verdict};

use crate::arguments::{Out, bytes};
use crate::boundary::{call, or_default};
use crate::error::fg_error;
use crate::handle::{self, Handle, Unique};
use crate::status::fg_status;
use crate::text::{fg_string, fg_text};

/// A result (an AttemptResult) that can be read field by field.
///
/// Ownership: it is yours; free it once with fg_result_free. It keeps no pointer to your arguments. Threads:
/// it is immutable, so any number of threads may read it concurrently; free it only after all of them have
/// finished.
pub struct fg_result {
    verdict: fg_verdict,
    score: Option<Number>,
    penalty: Option<Number>,
    feedback: Vec<(fg_text, fg_feedback)>,
    cases: Vec<(fg_text, u32, fg_text)>,
}

/// A number as a double and as text.
struct Number {
    value: f64,
    text: fg_text,
}

impl Number {
    fn new(value: f64) -> Self {
        let text = fablegrade_core::Decimal::from_f64(value).map_or(Json::Null, Json::from).to_canonical();
        Self { value, text: fg_text::new(text) }
    }
}

impl Handle for fg_result {
    type Ownership = Unique;
    const TAG: u64 = u64::from_le_bytes(*b"fgResult");
    const NAME: &'static str = "fg_result";
}

/// The verdict of a result.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_verdict {
    /// There is no result.
    FG_VERDICT_NONE = 0,
    /// Full marks before hint penalties.
    FG_VERDICT_CORRECT = 1,
    /// Some marks, but not full marks, before hint penalties.
    FG_VERDICT_PARTIAL = 2,
    /// No marks, although the submission could be graded.
    FG_VERDICT_INCORRECT = 3,
    /// Not graded yet.
    FG_VERDICT_PENDING = 4,
    /// The submission could not be graded.
    FG_VERDICT_ERROR = 5,
}

/// The kind of a message for the learner.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_feedback {
    /// A remark.
    FG_FEEDBACK_INFO = 1,
    /// Advice for the next attempt.
    FG_FEEDBACK_HINT = 2,
    /// The reason why the submission could not be graded or why its program does not compile, or a validator's
    /// message of this severity.
    FG_FEEDBACK_ERROR = 3,
}

/// Reads a result, as fg_grader_grade returns it. The JSON pointers of findings about it start with "/result".
///
/// Ownership: *read is yours; free it with fg_result_free. The string is only read during the call.
/// NULL: result and read must not be NULL; error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_read(
    result: *const c_char,
    result_length: usize,
    read: *mut *mut fg_result,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let read = Out::new("read", read, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            read.required()?;
            let result = AttemptResult::from_json(bytes("result", result, result_length)?);
            let result = result.map_err(|error| error.within("/result"))?;
            let feedback = result.feedback.iter().map(|said| {
                let severity = match said.severity() {
                    FeedbackSeverity::Info => fg_feedback::FG_FEEDBACK_INFO,
                    FeedbackSeverity::Hint => fg_feedback::FG_FEEDBACK_HINT,
                    FeedbackSeverity::Error => fg_feedback::FG_FEEDBACK_ERROR,
                };
                (fg_text::new(said.message().to_owned()), severity)
            });
            read.set(handle::give(fg_result {
                verdict: match result.verdict {
                    Verdict::Correct => fg_verdict::FG_VERDICT_CORRECT,
                    Verdict::Partial => fg_verdict::FG_VERDICT_PARTIAL,
                    Verdict::Incorrect => fg_verdict::FG_VERDICT_INCORRECT,
                    Verdict::Pending => fg_verdict::FG_VERDICT_PENDING,
                    Verdict::Error => fg_verdict::FG_VERDICT_ERROR,
                },
                score: result.score.map(Number::new),
                penalty: result.score_penalty_applied.map(Number::new),
                feedback: feedback.collect(),
                cases: (result.code_results.iter())
                    .map(|case| {
                        let verdict = fg_text::new(case.verdict.as_str().to_owned());
                        (fg_text::new(case.suite.clone()), case.case_index, verdict)
                    })
                    .collect(),
            }));
            Ok(())
        })
    }
}

/// Returns the verdict, one of fg_verdict; FG_VERDICT_NONE for NULL.
///
/// Ownership: none.
/// NULL: result may be NULL.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_verdict(result: *const fg_result) -> i32 {
    let none = fg_verdict::FG_VERDICT_NONE as i32;
    // SAFETY: the header requires valid pointers.
    or_default(none, || unsafe { handle::maybe(result) }.map_or(none, |result| result.verdict as i32))
}

/// Returns whether the submission still has to be graded. This is the case for code that was not run, and for free
/// text. Exception: if a free-text question has `gradingMode` "self_assess" and a checklist, a self-assessment gives a
/// score.
///
/// Ownership: none.
/// NULL: result may be NULL, which returns false.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_is_pending(result: *const fg_result) -> bool {
    or_default(false, || {
        // SAFETY: the header requires valid pointers.
        unsafe { handle::maybe(result) }
            .is_some_and(|result| result.verdict == fg_verdict::FG_VERDICT_PENDING)
    })
}

/// # Safety
/// `result` is NULL or readable; `value` is NULL or writable.
unsafe fn number(
    result: *const fg_result,
    value: *mut f64,
    part: impl FnOnce(&fg_result) -> Option<&Number>,
) -> fg_string {
    or_default(fg_string::NONE, || {
        // SAFETY: the caller guarantees it.
        let (result, value) = unsafe { (handle::maybe(result), Out::new("value", value, 0.0)) };
        let Some(number) = result.and_then(part) else { return fg_string::NONE };
        value.set(number.value);
        fg_string::of(Some(&number.text))
    })
}

/// Returns the score, from 0 to 1, as canonical JSON, and sets *score to its value. If there is no score (the
/// verdict is pending or error), returns no string and sets *score to 0.
///
/// Ownership: the returned string belongs to the library and is valid until the result is freed.
/// NULL: result and score may be NULL.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_score(result: *const fg_result, score: *mut f64) -> fg_string {
    // SAFETY: the header requires valid pointers.
    unsafe { number(result, score, |result| result.score.as_ref()) }
}

/// Returns the penalty for hints as canonical JSON, and sets *penalty to its value. If there is no penalty,
/// returns no string and sets *penalty to 0.
///
/// Ownership: the returned string belongs to the library and is valid until the result is freed.
/// NULL: result and penalty may be NULL.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_penalty(result: *const fg_result, penalty: *mut f64) -> fg_string {
    // SAFETY: the header requires valid pointers.
    unsafe { number(result, penalty, |result| result.penalty.as_ref()) }
}

/// Returns the number of messages for the learner.
///
/// Ownership: none.
/// NULL: result may be NULL, which returns 0.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_feedback_count(result: *const fg_result) -> usize {
    // SAFETY: the header requires valid pointers.
    or_default(0, || unsafe { handle::maybe(result) }.map_or(0, |result| result.feedback.len()))
}

/// Returns a message for the learner by its index, from 0, and sets *kind to its kind (one of fg_feedback).
/// If the index is out of range, returns no string and sets *kind to 0.
///
/// Ownership: the returned string belongs to the library and is valid until the result is freed.
/// NULL: result and kind may be NULL.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_feedback(
    result: *const fg_result,
    index: usize,
    kind: *mut i32,
) -> fg_string {
    or_default(fg_string::NONE, || {
        // SAFETY: the header requires valid pointers.
        let (result, kind) = unsafe { (handle::maybe(result), Out::new("kind", kind, 0)) };
        let Some((message, severity)) = result.and_then(|result| result.feedback.get(index)) else {
            return fg_string::NONE;
        };
        kind.set(*severity as i32);
        fg_string::of(Some(message))
    })
}

/// A test case of a result. Initialise with `fg_case_result case_result = {0};`.
///
/// Ownership: its strings belong to the library and are valid until the result is freed.
/// Threads: the rules of the result apply.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fg_case_result {
    /// Name of the suite.
    pub suite: fg_string,
    /// Index within the suite, from 0.
    pub case_index: u32,
    /// "passed", "failed", "timeout", "memory_exceeded", "output_limit", "runtime_error", "compile_error" or
    /// "sandbox_error".
    pub verdict: fg_string,
}

/// Returns the number of test cases of a result; 0 if no code was graded.
///
/// Ownership: none.
/// NULL: result may be NULL, which returns 0.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_case_count(result: *const fg_result) -> usize {
    // SAFETY: the header requires valid pointers.
    or_default(0, || unsafe { handle::maybe(result) }.map_or(0, |result| result.cases.len()))
}

/// Gets a test case by its index, from 0. If the index is out of range, returns false and sets *case_result to an
/// empty value.
///
/// Ownership: the strings belong to the library and are valid until the result is freed.
/// NULL: result and case_result may be NULL.
/// Threads: any number of threads may read a result concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_case(
    result: *const fg_result,
    index: usize,
    case_result: *mut fg_case_result,
) -> bool {
    const NONE: fg_case_result =
        fg_case_result { suite: fg_string::NONE, case_index: 0, verdict: fg_string::NONE };
    or_default(false, || {
        // SAFETY: the header requires valid pointers.
        let (result, case_result) =
            unsafe { (handle::maybe(result), Out::new("case_result", case_result, NONE)) };
        let Some((suite, case_index, verdict)) = result.and_then(|result| result.cases.get(index)) else {
            return false;
        };
        case_result.set(fg_case_result {
            suite: fg_string::of(Some(suite)),
            case_index: *case_index,
            verdict: fg_string::of(Some(verdict)),
        });
        true
    })
}

/// Frees a result.
///
/// Ownership: takes the result; neither it nor its strings may be used again.
/// NULL: result may be NULL; then nothing happens.
/// Threads: no other thread may use the result during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_result_free(result: *mut fg_result) {
    or_default((), || {
        // SAFETY: the header requires valid pointers.
        unsafe { handle::free(result) }
    });
}
