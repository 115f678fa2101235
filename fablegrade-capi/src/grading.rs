//! Functions for questions: compile, grade, deliver, lint, plan, conclude.

use std::ffi::c_char;
use std::ptr::null_mut;

use fablegrade_core::request::{Documents, Given};
use fablegrade_core::{
    AnswerSpec, Attempt, AttemptResult, DeliveryView, Finding, Grader, Severity, Submission, deliver,
    lint_json_knowing,
};

use fablegrade_validators::registry::host;

use crate::arguments::{Out, borrow, bytes, optional_bytes, refuse};
use crate::boundary::{Failure, call, or_default};
use crate::error::fg_error;
use crate::handle::{self, Handle, Shared};
use crate::status::fg_status;
use crate::text::{copy_out, fg_text};

/// A question, checked and compiled once for any number of submissions.
///
/// Ownership: reference-counted. fg_grader_new returns the first reference, fg_grader_retain another; release
/// each with fg_grader_free. A grader keeps no pointer to your arguments. Threads: it is immutable, so any
/// number of threads may use one grader concurrently, with or without a reference of their own, as long as
/// one reference is held.
pub struct fg_grader {
    pub(crate) grader: Grader,
}

impl Handle for fg_grader {
    type Ownership = Shared;
    const TAG: u64 = u64::from_le_bytes(*b"fgGrader");
    const NAME: &'static str = "fg_grader";
}

/// The documents of one grading request, each a separate JSON document. An absent document is NULL with length 0; exactly one of
/// submission and attempt must be given. Initialise with `fg_documents documents = {0};`.
///
/// Ownership: the strings are yours and are only read during the call.
/// Threads: any number of threads may pass it concurrently while no thread changes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fg_documents {
    /// The submission that a learner sent.
    pub submission: *const c_char,
    /// Its length in bytes.
    pub submission_length: usize,
    /// The attempt: a submission with its metadata.
    pub attempt: *const c_char,
    /// Its length in bytes.
    pub attempt_length: usize,
    /// For code: an array of the outcomes of the cases that you ran; see fg_grader_conclude.
    pub outcomes: *const c_char,
    /// Its length in bytes.
    pub outcomes_length: usize,
    /// The context: `{gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}`;
    /// locale is the language of messages to the learner, such as "de".
    pub context: *const c_char,
    /// Its length in bytes.
    pub context_length: usize,
}

impl fg_documents {
    /// # Safety
    /// As the documentation of the fields requires, for `'a`.
    unsafe fn read<'a>(&self) -> Result<Documents<'a>, Failure> {
        // SAFETY: the caller guarantees it.
        unsafe {
            Ok(Documents {
                submission: optional_bytes("submission", self.submission, self.submission_length)?,
                attempt: optional_bytes("attempt", self.attempt, self.attempt_length)?,
                outcomes: optional_bytes("outcomes", self.outcomes, self.outcomes_length)?,
                context: optional_bytes("context", self.context, self.context_length)?,
            })
        }
    }
}

pub(crate) fn submission_alone(submission: &[u8]) -> Documents<'_> {
    Documents { submission: Some(submission), ..Documents::default() }
}

fn json(result: &AttemptResult) -> String {
    // Room for a typical result and the final NUL.
    let mut text = String::with_capacity(256);
    result.write_json(&mut text);
    text
}

/// Checks and compiles a question with its key (an AnswerSpec).
///
/// The JSON pointers of findings about the spec start with "/spec". On failure *grader is NULL.
///
/// Ownership: *grader is yours; release it with fg_grader_free. The spec is only read during the call.
/// NULL: spec and grader must not be NULL; error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_new(
    spec: *const c_char,
    spec_length: usize,
    grader: *mut *mut fg_grader,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let grader = Out::new("grader", grader, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            grader.required()?;
            let compiled = Grader::from_json_with(bytes("spec", spec, spec_length)?, &host());
            let compiled = compiled.map_err(|error| error.within("/spec"))?;
            let compiled = fg_grader { grader: compiled };
            grader.set(handle::share(compiled).cast_mut());
            Ok(())
        })
    }
}

/// Adds a reference to a grader, for another owner, and returns the same pointer.
///
/// Ownership: release the returned pointer with fg_grader_free as well.
/// NULL: grader may be NULL; then NULL is returned.
/// Threads: any thread may call it while a reference is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_retain(grader: *const fg_grader) -> *mut fg_grader {
    // SAFETY: the header requires valid pointers.
    or_default(null_mut(), || unsafe { handle::retain(grader) }.cast_mut())
}

/// Releases a reference; the last release frees the grader.
///
/// Ownership: takes one reference, which must not be used again.
/// NULL: grader may be NULL; then nothing happens.
/// Threads: any thread may call it; other threads may continue with references of their own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_free(grader: *mut fg_grader) {
    or_default((), || {
        // SAFETY: the header requires valid pointers.
        unsafe { handle::release(grader.cast_const()) }
    });
}

/// Gets the warnings and remarks about the question of a grader: a JSON array of
/// `{help, message, pointer, rule, severity}`; pointers are relative to the spec. fg_lint makes more checks.
///
/// Ownership: *findings is yours; free it with fg_text_free.
/// NULL: grader and findings must not be NULL; error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_warnings(
    grader: *const fg_grader,
    findings: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let findings = Out::new("findings", findings, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            findings.required()?;
            let grader = handle::live("grader", grader)?;
            findings.give(Finding::list_to_json(grader.grader.warnings()).to_canonical());
            Ok(())
        })
    }
}

/// Grades a submission: *result is an AttemptResult as canonical JSON.
///
/// If the submission conforms to its schema, but a correct user interface could not have sent it for this question,
/// the call succeeds with the verdict "error".
///
/// Ownership: *result is yours; free it with fg_text_free. The submission is only read during the call.
/// NULL: grader, submission and result must not be NULL; error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_grade(
    grader: *const fg_grader,
    submission: *const c_char,
    submission_length: usize,
    result: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let result = Out::new("result", result, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            result.required()?;
            let grader = handle::live("grader", grader)?;
            let documents = submission_alone(bytes("submission", submission, submission_length)?);
            result.give(json(&documents.read()?.grade(&grader.grader)?));
            Ok(())
        })
    }
}

/// Works like fg_grader_grade, but writes into your buffer of `capacity` bytes, with a NUL at the end.
///
/// *length is set on success, and also if the buffer is too small (FG_BUFFER_TOO_SMALL; the buffer stays unchanged): it
/// is the length of the result without the NUL, so a capacity of *length + 1 is enough.
///
/// Ownership: the buffer is yours.
/// NULL: grader and submission must not be NULL; buffer may be NULL if capacity is 0; length and error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_grade_into(
    grader: *const fg_grader,
    submission: *const c_char,
    submission_length: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let length = Out::new("length", length, 0);
        call(&Out::new("error", error, null_mut()), || {
            let grader = handle::live("grader", grader)?;
            let documents = submission_alone(bytes("submission", submission, submission_length)?);
            let text = json(&documents.read()?.grade(&grader.grader)?);
            copy_out(&text, buffer, capacity, &length)
        })
    }
}

/// Grades a submission or an attempt with its context, and explains the score.
///
/// *result is the AttemptResult for the learner. *explanation has the steps behind the score, as JSON; it can
/// contain the key, so never show it to a learner.
///
/// Ownership: *result and *explanation are yours; free them with fg_text_free. The documents are only read during the
/// call.
/// NULL: grader, documents and result must not be NULL; explanation and error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_explain(
    grader: *const fg_grader,
    documents: *const fg_documents,
    result: *mut *mut fg_text,
    explanation: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let result = Out::new("result", result, null_mut());
        let explanation = Out::new("explanation", explanation, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            result.required()?;
            let grader = handle::live("grader", grader)?;
            let answer = borrow("documents", documents)?.read()?.read()?;
            if explanation.is_given() {
                let (graded, explained) = answer.explain(&grader.grader)?;
                explanation.give(explained.to_json_for_author());
                result.give(json(&graded));
            } else {
                result.give(json(&answer.grade(&grader.grader)?));
            }
            Ok(())
        })
    }
}

/// Plans the cases to run for a submission of a code question: *plan is `{language, source, harness, limits, cases:
/// [{suite, caseIndex, visibility, input, timeMs}]}` as JSON, including hidden inputs; never show it to a learner.
///
/// If there is nothing to run, because the question is of another type or the submission is refused, the call returns
/// FG_OK and *plan is NULL.
///
/// Ownership: *plan is yours; free it with fg_text_free.
/// NULL: grader, submission and plan must not be NULL; error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_plan(
    grader: *const fg_grader,
    submission: *const c_char,
    submission_length: usize,
    plan: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let plan = Out::new("plan", plan, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            plan.required()?;
            let grader = handle::live("grader", grader)?;
            let submission = bytes("submission", submission, submission_length)?;
            if let Given::Submission(submission) = submission_alone(submission).read()?.given
                && let Some(planned) = grader.grader.plan(&submission)
            {
                plan.give(planned.to_json_for_host());
            }
            Ok(())
        })
    }
}

/// Grades a code submission from the outcomes of its cases: *result is an AttemptResult as canonical JSON.
///
/// `outcomes` is a JSON array with exactly one entry per case of the plan: `{suite, caseIndex, end, exitCode?, signal?,
/// stdout?, stderr?, returned?, timeMs?, memoryKb?, message?, isolation?}`. `end` is "exited", "signalled", "timeout",
/// "memory_exceeded", "output_limit", "compile_error", "sandbox_error" or "skipped". For bytes that are not UTF-8,
/// `stdoutBase64`, `stderrBase64` and `returnedBase64` replace `stdout`, `stderr` and `returned`.
///
/// Ownership: *result is yours; free it with fg_text_free.
/// NULL: grader, submission, outcomes and result must not be NULL; error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_conclude(
    grader: *const fg_grader,
    submission: *const c_char,
    submission_length: usize,
    outcomes: *const c_char,
    outcomes_length: usize,
    result: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let result = Out::new("result", result, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            result.required()?;
            let grader = handle::live("grader", grader)?;
            let submission = bytes("submission", submission, submission_length)?;
            let outcomes = Some(bytes("outcomes", outcomes, outcomes_length)?);
            let documents = Documents { outcomes, ..submission_alone(submission) };
            result.give(json(&documents.read()?.grade(&grader.grader)?));
            Ok(())
        })
    }
}

/// Gets a question's view for a learner (a DeliveryView), shuffled by a seed. The same seed gives the same
/// view, so derive the seed from the attempt or the learner.
///
/// Ownership: *view is yours; free it with fg_text_free.
/// NULL: grader and view must not be NULL; seed may be NULL with length 0 (the empty seed); error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grader_deliver(
    grader: *const fg_grader,
    seed: *const c_char,
    seed_length: usize,
    view: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let view = Out::new("view", view, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            view.required()?;
            let grader = handle::live("grader", grader)?;
            let seed = optional_bytes("seed", seed, seed_length)?.unwrap_or_default();
            view.give(grader.grader.deliver(seed).to_json());
            Ok(())
        })
    }
}

/// Compiles a question and grades one submission with it; for several submissions, make a grader. If both
/// documents are invalid, the error has the findings about both.
///
/// Ownership: *result is yours; free it with fg_text_free.
/// NULL: spec, submission and result must not be NULL; error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_grade(
    spec: *const c_char,
    spec_length: usize,
    submission: *const c_char,
    submission_length: usize,
    result: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let result = Out::new("result", result, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            result.required()?;
            let spec = bytes("spec", spec, spec_length)?;
            let documents = submission_alone(bytes("submission", submission, submission_length)?);
            result.give(json(&documents.grade(spec, &host())?));
            Ok(())
        })
    }
}

/// Gets a question's view for a learner (a DeliveryView), shuffled by a seed, without making a grader. The
/// spec is checked only against its schema; it is not compiled.
///
/// Ownership: *view is yours; free it with fg_text_free.
/// NULL: spec and view must not be NULL; seed may be NULL with length 0 (the empty seed); error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_deliver(
    spec: *const c_char,
    spec_length: usize,
    seed: *const c_char,
    seed_length: usize,
    view: *mut *mut fg_text,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let view = Out::new("view", view, null_mut());
        call(&Out::new("error", error, null_mut()), || {
            view.required()?;
            let spec = AnswerSpec::from_json(bytes("spec", spec, spec_length)?);
            let seed = optional_bytes("seed", seed, seed_length)?.unwrap_or_default();
            view.give(deliver(&spec.map_err(|error| error.within("/spec"))?, seed).to_json());
            Ok(())
        })
    }
}

/// Lints a question: *findings is a JSON array of all findings, `{help, message, pointer, rule, severity}`, the most
/// severe first; *errors is the number of errors among them. The call succeeds even if the string is not a valid
/// spec: the findings are then its errors and, if the rest of the spec can be read, also its warnings. Pointers are
/// relative to the spec.
///
/// Ownership: *findings is yours; free it with fg_text_free.
/// NULL: spec and findings must not be NULL; errors and error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_lint(
    spec: *const c_char,
    spec_length: usize,
    findings: *mut *mut fg_text,
    errors: *mut usize,
    error: *mut *mut fg_error,
) -> fg_status {
    // SAFETY: the header requires valid pointers.
    unsafe {
        let findings = Out::new("findings", findings, null_mut());
        let errors = Out::new("errors", errors, 0);
        call(&Out::new("error", error, null_mut()), || {
            findings.required()?;
            let found = lint_json_knowing(bytes("spec", spec, spec_length)?, &host());
            errors.set(found.iter().filter(|finding| finding.severity == Severity::Error).count());
            findings.give(Finding::list_to_json(&found).to_canonical());
            Ok(())
        })
    }
}

/// The kinds of documents that fg_check can check.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum fg_schema {
    /// A question with its key.
    FG_SCHEMA_ANSWER_SPEC = 1,
    /// A submission.
    FG_SCHEMA_SUBMISSION = 2,
    /// A submission with its metadata.
    FG_SCHEMA_ATTEMPT = 3,
    /// A result.
    FG_SCHEMA_ATTEMPT_RESULT = 4,
    /// A delivery view.
    FG_SCHEMA_DELIVERY_VIEW = 5,
}

/// Checks a document against its schema, one of fg_schema. Returns FG_OK, or an error with the findings.
/// If the document is invalid, their JSON pointers start with "/document".
///
/// Ownership: an error is yours; free it with fg_error_free.
/// NULL: document must not be NULL; error may be NULL.
/// Threads: any thread may call it at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_check(
    schema: i32,
    document: *const c_char,
    document_length: usize,
    error: *mut *mut fg_error,
) -> fg_status {
    use fg_schema as s;
    // SAFETY: the header requires valid pointers.
    unsafe {
        call(&Out::new("error", error, null_mut()), || {
            let document = bytes("document", document, document_length)?;
            let read = match schema {
                schema if schema == s::FG_SCHEMA_ANSWER_SPEC as i32 => {
                    AnswerSpec::from_json(document).map(drop)
                }
                schema if schema == s::FG_SCHEMA_SUBMISSION as i32 => {
                    Submission::from_json(document).map(drop)
                }
                schema if schema == s::FG_SCHEMA_ATTEMPT as i32 => Attempt::from_json(document).map(drop),
                schema if schema == s::FG_SCHEMA_ATTEMPT_RESULT as i32 => {
                    AttemptResult::from_json(document).map(drop)
                }
                schema if schema == s::FG_SCHEMA_DELIVERY_VIEW as i32 => {
                    DeliveryView::from_json(document).map(drop)
                }
                unknown => {
                    let message = format!("there is no kind of document with the number {unknown}");
                    let help = "pass one of fg_schema";
                    return Err(refuse(
                        fg_status::FG_UNKNOWN_VALUE,
                        "unknown-value",
                        "schema",
                        message,
                        help,
                    ));
                }
            };
            Ok(read.map_err(|error| error.within("/document"))?)
        })
    }
}
