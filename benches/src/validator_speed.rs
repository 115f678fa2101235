//! Compares the standard validators with the built-in types: `validator-speed [FILE]`.
//!
//! Prints a table, and writes it to FILE if that is given. A grade goes from a submission to a result, both as JSON; the
//! question is compiled in advance. The fastest of many short alternating rounds counts, because other load
//! on the machine can only slow a round down. Exits with 1 if a short text or a typed number costs over 3
//! microseconds more than the built-in widget.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use fablegrade_benches::{Run, scenarios};

const ROUNDS: usize = 1_000;
const GRADES: u32 = 100;
/// The maximum additional cost of a grade over the built-in widget, in microseconds.
const MOST: f64 = 3.0;

fn main() -> ExitCode {
    let mut measured: Vec<(String, Run, f64)> = scenarios()
        .into_iter()
        .filter(|scenario| scenario.name.starts_with("grade/") || scenario.name.starts_with("validate/"))
        .map(|scenario| (scenario.name.clone(), scenario.prepare(), f64::INFINITY))
        .collect();
    for _ in 0..ROUNDS {
        for (_, run, best) in &mut measured {
            let start = Instant::now();
            for _ in 0..GRADES {
                run();
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(GRADES));
        }
    }
    let cost =
        |name: &str| measured.iter().find(|(known, ..)| known == name).map_or(f64::NAN, |(.., best)| *best);
    let widget = cost("grade/widget");
    let mut table = String::from(
        "# Standard validators and the built-in types\n\nA grade with a compiled question: submission as JSON in, result as JSON out; one core, the quickest of 1,000 rounds of 100 grades.\n\n| question | microseconds | over the built-in widget |\n|---|---|---|\n",
    );
    for (name, _, best) in &measured {
        let _ = writeln!(table, "| {name} | {best:.2} | {:+.2} |", best - widget);
    }
    print!("{table}");
    if let Some(file) = std::env::args().nth(1)
        && let Err(error) = std::fs::write(&file, &table)
    {
        eprintln!("{file}: {error}");
        return ExitCode::FAILURE;
    }
    let within =
        ["validate/short_text", "validate/number_text"].iter().all(|name| cost(name) - widget <= MOST);
    if within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
