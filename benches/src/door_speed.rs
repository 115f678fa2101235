//! What a call costs in Rust, for doors to compare themselves with: `door-speed SPECS ATTEMPTS`.
//!
//! SPECS is a JSON object `{item: spec}`, ATTEMPTS has a line `ITEM<tab>SUBMISSION` for each answer. Printed is one JSON
//! object: nanoseconds of one grading by item, from the submission's text to the result (`grade`) and to its canonical
//! JSON (`json`), and attempts per second of the whole file through one bank on one thread (`batch`), the best of three.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a program for a terminal")]
#![forbid(unsafe_code)]

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::time::Instant;

use fablegrade_core::json::{Document, Json};
use fablegrade_core::request::Documents;
use fablegrade_core::{Grader, Submission};

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

    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        let mut bytes = 0;
        let mut out = String::new();
        for (item, submission) in &attempts {
            let documents = Documents { submission: Some(submission.as_bytes()), ..Documents::default() };
            let result = documents.read().expect("an answer").grade(&bank[*item]).expect("graded");
            out.clear();
            result.write_json(&mut out);
            bytes += out.len();
        }
        black_box(bytes);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let rate = (attempts.len() as f64 / best) as u64;
    let report = Json::build().with("grade", grade.build()).with("json", json.build()).with("batch", rate);
    println!("{}", report.build());
}

/// The best of several rounds.
fn nanoseconds(mut call: impl FnMut()) -> u64 {
    const CALLS: u32 = 20_000;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(CALLS));
    }
    (best * 1e9) as u64
}
