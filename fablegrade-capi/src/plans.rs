//! Plans of code questions, field by field, for hosts without a JSON parser.

use std::ffi::c_char;
use std::ptr::null_mut;

use fablegrade_core::request::Given;
use fablegrade_core::view::code::{HarnessMode, Visibility};

use crate::arguments::{Out, bytes};
use crate::boundary::{call, or_default};
use crate::error::fg_error;
use crate::grading::{fg_grader, submission_alone};
use crate::handle::{self, Handle, Unique};
use crate::status::fg_status;
use crate::text::{fg_string, fg_text};

/// The cases to run for a submission of a code question, including hidden inputs. Never show a plan to a learner.
///
/// Ownership: it is yours; free it once with fg_plan_free. It can outlive its grader. Threads: it is
/// immutable, so any number of threads may read it concurrently; free it only after all of them have
/// finished.
pub struct fg_plan {
    language: fg_text,
    source: fg_text,
    harness_mode: fg_text,
    function_name: Option<fg_text>,
    memory_mb: u32,
    output_kb: u32,
    cases: Vec<Case>,
}

struct Case {
    suite: fg_text,
    index: u32,
    hidden: bool,
    input: fg_text,
    time_ms: u32,
}

impl Handle for fg_plan {
    type Ownership = Unique;
    const TAG: u64 = u64::from_le_bytes(*b"fg_plan!");
    const NAME: &'static str = "fg_plan";
}

/// A case of a plan. Initialise with `fg_case test_case = {0};`.
///
/// Ownership: its strings belong to the library and are valid until the plan is freed.
/// Threads: the rules of the plan apply.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct fg_case {
    /// Name of the suite, to be repeated in the outcome.
    pub suite: fg_string,
    /// Index within the suite, from 0, to be repeated in the outcome.
    pub case_index: u32,
    /// True if the case is hidden from learners.
    pub hidden: bool,
    /// Standard input; if the mode of the plan's harness is "function", the JSON array of arguments.
    pub input: fg_string,
    /// Limit of the case's CPU time, in milliseconds.
    pub time_ms: u32,
}

/// Plans the cases to run for a submission and returns the plan as a handle; fg_grader_plan returns it as JSON. If
/// there is nothing to run, because the question is of another type or the submission is refused, the call returns
/// FG_OK and *plan is NULL.
///
/// Ownership: *plan is yours; free it with fg_plan_free.
/// NULL: grader, submission and plan must not be NULL; error may be NULL.
/// Threads: any number of threads may use one grader concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_new(
    grader: *const fg_grader,
    submission: *const c_char,
    submission_length: usize,
    plan: *mut *mut fg_plan,
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
                let cases = planned.cases.into_iter().map(|case| Case {
                    suite: fg_text::new(case.suite),
                    index: case.case_index,
                    hidden: case.visibility == Visibility::Hidden,
                    input: fg_text::new(case.input.expose().clone()),
                    time_ms: case.time_ms,
                });
                // The harness can name a function even if programs read standard input; the name is then unused.
                let function_name = match planned.harness.mode {
                    HarnessMode::Function => planned.harness.function_name,
                    HarnessMode::StdinStdout => None,
                };
                plan.set(handle::give(fg_plan {
                    language: fg_text::new(planned.language.as_str().to_owned()),
                    source: fg_text::new(planned.source),
                    harness_mode: fg_text::new(planned.harness.mode.as_str().to_owned()),
                    function_name: function_name.map(fg_text::new),
                    memory_mb: planned.limits.memory_mb,
                    output_kb: planned.limits.output_kb,
                    cases: cases.collect(),
                }));
            }
            Ok(())
        })
    }
}

/// Returns the language of the program, such as "python".
///
/// Ownership: the returned string belongs to the library and is valid until the plan is freed.
/// NULL: plan may be NULL, which returns no string.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_language(plan: *const fg_plan) -> fg_string {
    // SAFETY: the header requires valid pointers.
    or_default(fg_string::NONE, || fg_string::of(unsafe { handle::maybe(plan) }.map(|plan| &plan.language)))
}

/// Returns the source of the program.
///
/// Ownership: the returned string belongs to the library and is valid until the plan is freed.
/// NULL: plan may be NULL, which returns no string.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_source(plan: *const fg_plan) -> fg_string {
    // SAFETY: the header requires valid pointers.
    or_default(fg_string::NONE, || fg_string::of(unsafe { handle::maybe(plan) }.map(|plan| &plan.source)))
}

/// Returns the way in which the program is called: "stdin_stdout", or "function" if it has to define a function.
///
/// Ownership: the returned string belongs to the library and is valid until the plan is freed.
/// NULL: plan may be NULL, which returns no string.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_harness_mode(plan: *const fg_plan) -> fg_string {
    or_default(fg_string::NONE, || {
        // SAFETY: the header requires valid pointers.
        let plan = unsafe { handle::maybe(plan) };
        fg_string::of(plan.map(|plan| &plan.harness_mode))
    })
}

/// Returns the name of the function that is called with the arguments of each case; no string if the program reads
/// standard input.
///
/// Ownership: the returned string belongs to the library and is valid until the plan is freed.
/// NULL: plan may be NULL, which returns no string.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_function_name(plan: *const fg_plan) -> fg_string {
    or_default(fg_string::NONE, || {
        // SAFETY: the header requires valid pointers.
        let plan = unsafe { handle::maybe(plan) };
        fg_string::of(plan.and_then(|plan| plan.function_name.as_ref()))
    })
}

/// Returns the memory limit of the program, in MiB.
///
/// Ownership: none.
/// NULL: plan may be NULL, which returns 0.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_memory_mb(plan: *const fg_plan) -> u32 {
    // SAFETY: the header requires valid pointers.
    or_default(0, || unsafe { handle::maybe(plan) }.map_or(0, |plan| plan.memory_mb))
}

/// Returns the maximum size of the program's standard output per case, in KiB.
///
/// Ownership: none.
/// NULL: plan may be NULL, which returns 0.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_output_kb(plan: *const fg_plan) -> u32 {
    // SAFETY: the header requires valid pointers.
    or_default(0, || unsafe { handle::maybe(plan) }.map_or(0, |plan| plan.output_kb))
}

/// Returns the number of cases.
///
/// Ownership: none.
/// NULL: plan may be NULL, which returns 0.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_case_count(plan: *const fg_plan) -> usize {
    // SAFETY: the header requires valid pointers.
    or_default(0, || unsafe { handle::maybe(plan) }.map_or(0, |plan| plan.cases.len()))
}

/// Gets a case by its index in the plan, from 0. If the index is out of range, returns false and sets
/// *test_case to an empty value.
///
/// Ownership: the strings belong to the library and are valid until the plan is freed.
/// NULL: plan and test_case may be NULL.
/// Threads: any number of threads may read a plan concurrently.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_case(plan: *const fg_plan, index: usize, test_case: *mut fg_case) -> bool {
    const NONE: fg_case =
        fg_case { suite: fg_string::NONE, case_index: 0, hidden: false, input: fg_string::NONE, time_ms: 0 };
    or_default(false, || {
        // SAFETY: the header requires valid pointers.
        let (plan, test_case) = unsafe { (handle::maybe(plan), Out::new("test_case", test_case, NONE)) };
        let Some(case) = plan.and_then(|plan| plan.cases.get(index)) else { return false };
        test_case.set(fg_case {
            suite: fg_string::of(Some(&case.suite)),
            case_index: case.index,
            hidden: case.hidden,
            input: fg_string::of(Some(&case.input)),
            time_ms: case.time_ms,
        });
        true
    })
}

/// Frees a plan.
///
/// Ownership: takes the plan; neither it nor its strings may be used again.
/// NULL: plan may be NULL; then nothing happens.
/// Threads: no other thread may use the plan during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fg_plan_free(plan: *mut fg_plan) {
    or_default((), || {
        // SAFETY: the header requires valid pointers.
        unsafe { handle::free(plan) }
    });
}
