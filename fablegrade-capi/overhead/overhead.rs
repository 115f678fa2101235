//! Compares the time of a call from C with that of the same call in Rust, on the same bytes and in one run.
//!
//! `fablegrade-capi/overhead/measure` compiles `calls.c`, which has the loops of calls from C, and links it.
//! Rounds of the three variants alternate: Rust, C with the library's text, and C with its own buffer. The fastest round of each counts, because other load can only
//! make a round slower.
#![allow(clippy::print_stdout, clippy::expect_used, clippy::panic, clippy::cast_precision_loss)]

use std::ffi::c_void;
use std::hint::black_box;
use std::time::Instant;

use fablegrade_capi::grading::{
    fg_grader, fg_grader_free, fg_grader_grade, fg_grader_grade_into, fg_grader_new,
};
use fablegrade_capi::text::{fg_text_data, fg_text_free};
use fablegrade_core::{Grader, Submission};

unsafe extern "C" {
    /// Calls `fg_grader_grade` and `fg_text_free` `calls` times. Returns the total length of the results.
    fn grade_from_c(grader: *const c_void, submission: *const u8, length: usize, calls: usize) -> usize;
    /// Does the same with `fg_grader_grade_into`.
    fn grade_into_from_c(grader: *const c_void, submission: *const u8, length: usize, calls: usize) -> usize;
}

const CASES: [(&str, &str, &str); 4] = [
    (
        "multiple_choice",
        r#"{"type":"multiple_choice","choices":[{"id":"a","content":"2","correct":true},{"id":"b","content":"3","correct":false}]}"#,
        r#"{"type":"multiple_choice","selectedChoiceIds":["a"]}"#,
    ),
    (
        "numeric",
        r#"{"type":"numeric","answer":{"value":0.3,"tolerance":{"mode":"absolute","amount":0.1}}}"#,
        r#"{"type":"numeric","value":0.4}"#,
    ),
    (
        "ordering",
        r#"{"type":"ordering","items":[{"id":"a","content":1},{"id":"b","content":2},{"id":"c","content":3}],"correctOrder":["a","b","c"],"partialCredit":"longest_subsequence"}"#,
        r#"{"type":"ordering","order":["b","a","c"]}"#,
    ),
    (
        "expression",
        r#"{"type":"expression","canonical":"\\frac{x^2-1}{x-1}","equivalence":"symbolic"}"#,
        r#"{"type":"expression","latex":"1+x"}"#,
    ),
];

/// Many short rounds, so some of them run undisturbed.
const ROUNDS: usize = 3_000;

fn main() {
    // Only C calls these functions here; this reference keeps them in the program.
    black_box([
        fg_grader_grade as *const (),
        fg_grader_grade_into as *const (),
        fg_text_data as *const (),
        fg_text_free as *const (),
    ]);
    println!("| question | Rust | C, library's text | over Rust | C, own buffer | over Rust |");
    println!("|---|---|---|---|---|---|");
    for (name, spec, submission) in CASES {
        let rust = Grader::from_json(spec).expect("a spec");
        let mut c: *mut fg_grader = std::ptr::null_mut();
        // SAFETY: the texts are alive and `c` is a local variable.
        unsafe { fg_grader_new(spec.as_ptr().cast(), spec.len(), &raw mut c, std::ptr::null_mut()) };
        assert!(!c.is_null());
        let calls = if name == "expression" { 40 } else { 200 };
        let mut best = [f64::INFINITY; 3];
        for _ in 0..ROUNDS {
            let mut lengths = [0; 3];
            for side in 0..3 {
                let start = Instant::now();
                lengths[side] = match side {
                    0 => grade_in_rust(&rust, submission.as_bytes(), calls),
                    // SAFETY: the grader and the submission are alive.
                    1 => unsafe { grade_from_c(c.cast(), submission.as_ptr(), submission.len(), calls) },
                    // SAFETY: as above.
                    _ => unsafe { grade_into_from_c(c.cast(), submission.as_ptr(), submission.len(), calls) },
                };
                best[side] = best[side].min(start.elapsed().as_secs_f64() / calls as f64);
            }
            assert!(lengths[0] == lengths[1] && lengths[0] == lengths[2], "{lengths:?}");
        }
        let [rust, text, into] = best.map(|seconds| seconds * 1e9);
        println!(
            "| {name} | {rust:.0} ns | {text:.0} ns | {:+.0} ns | {into:.0} ns | {:+.0} ns |",
            text - rust,
            into - rust
        );
        // SAFETY: the handle was created above and is freed only here.
        unsafe { fg_grader_free(c) };
    }
}

/// Grades as a Rust caller does: from the bytes of a submission to the bytes of a result.
fn grade_in_rust(grader: &Grader, submission: &[u8], calls: usize) -> usize {
    let mut sum = 0;
    for _ in 0..calls {
        let submission = Submission::from_json(black_box(submission)).expect("a submission");
        sum += black_box(grader.grade(&submission).to_json()).len();
    }
    sum
}
