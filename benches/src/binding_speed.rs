//! Measures calls in Rust, as a baseline for bindings: `binding-speed SPECS ATTEMPTS`.
//!
//! SPECS is a JSON object `{item: spec}`. ATTEMPTS has one line `ITEM<tab>SUBMISSION` per answer. The output
//! is a JSON object:
//! - `grade` has the nanoseconds per grading of each item, from the text of the submission to the result;
//! - `json` has the same with the canonical JSON of the result;
//! - `batch` is the attempts per second of the whole file, with one bank on one thread.
//!
//! Times are the minimum of many short rounds. Other load on the machine takes the processor away for
//! milliseconds, so it does not count.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a program for a terminal")]
#![forbid(unsafe_code)]

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::time::Instant;

use fablegrade_core::json::{Document, Json};
use fablegrade_core::request::Documents;
use fablegrade_core::{Grader, Submission};

/// The number of attempts that are timed together.
const SLICE: usize = 1_000;
/// The number of times that the whole file is graded.
const PASSES: usize = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let read =
        |at: usize| std::fs::read_to_string(arguments.get(at).expect("SPECS ATTEMPTS")).expect("a file");
    let (specs, attempts) = (read(1), read(2));
    let specs = Document::parse(specs.as_bytes()).expect("JSON");
    let bank: HashMap<String, Grader> = specs
        .root()
        .fields()
        .map(|(item, spec)| (item.to_string(), Grader::from_json(spec.text()).expect("a spec")))
        .collect();
    let attempts: Vec<(&str, &str)> =
        attempts.lines().map(|line| line.split_once('\t').expect("a tab")).collect();

    let mut examples: BTreeMap<&str, &str> = BTreeMap::new();
    for (item, submission) in &attempts {
        examples.entry(item).or_insert(submission);
    }
    let mut grade = Json::build();
    let mut json = Json::build();
    for (item, submission) in examples {
        let grader = &bank[item];
        grade = grade.with(
            item,
            nanoseconds(|| {
                black_box(grader.grade(&Submission::from_json(black_box(submission)).expect("a submission")));
            }),
        );
        json = json.with(
            item,
            nanoseconds(|| {
                let submission = Submission::from_json(black_box(submission)).expect("a submission");
                black_box(grader.grade(&submission).to_json());
            }),
        );
    }

    let mut seconds = vec![f64::INFINITY; attempts.len().div_ceil(SLICE)];
    for _ in 0..PASSES {
        for (slice, least) in attempts.chunks(SLICE).zip(&mut seconds) {
            let start = Instant::now();
            let mut bytes = 0;
            let mut out = String::new();
            for (item, submission) in slice {
                let documents = Documents { submission: Some(submission.as_bytes()), ..Documents::default() };
                let result = documents.read().expect("an answer").grade(&bank[*item]).expect("graded");
                out.clear();
                result.write_json(&mut out);
                bytes += out.len();
            }
            black_box(bytes);
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let rate = (attempts.len() as f64 / seconds.iter().sum::<f64>()) as u64;
    let report = Json::build().with("grade", grade.build()).with("json", json.build()).with("batch", rate);
    println!("{}", report.build());
}

/// Returns the minimum time of a call in nanoseconds, over many short rounds.
fn nanoseconds(mut call: impl FnMut()) -> u64 {
    const CALLS: u32 = 500;
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    (best * 1e9) as u64
}
