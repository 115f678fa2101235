//! Pairs of expressions, one JSON object per line: `{id, canonical, latex}` in, `{id, equal, difference, seconds, compiled}` out.
//!
//! `seconds` is the time of one comparison from text to decision, `compiled` the time with a compiled
//! reference. Each is the best of three runs.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use std::hint::black_box;
use std::io::BufRead;
use std::time::Instant;

use fablegrade_math::{Options, Reference, compare};

fn best(mut run: impl FnMut()) -> f64 {
    run();
    (0..3)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    let options = Options::default();
    for line in std::io::stdin().lock().lines() {
        let row: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let (canonical, latex) = (row["canonical"].as_str().unwrap(), row["latex"].as_str().unwrap());
        let decision = compare(canonical, latex, &options).ok();
        let equal = decision.as_ref().and_then(|decision| decision.verdict().as_bool());
        let difference = decision.as_ref().and_then(|decision| decision.difference.as_ref());
        let difference = difference.map(ToString::to_string);
        let seconds = best(|| {
            let _ = black_box(compare(black_box(canonical), black_box(latex), &options));
        });
        let compiled = Reference::new(canonical, &options).map_or(seconds, |reference| {
            best(|| {
                let _ = black_box(reference.compare_latex(black_box(latex)));
            })
        });
        println!(
            "{}",
            serde_json::json!({"id": row["id"], "equal": equal, "difference": difference, "seconds": seconds, "compiled": compiled})
        );
    }
}
