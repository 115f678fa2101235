//! Runs a single scenario a number of times, for instruction counts.
//!
//! `repeat` lists the scenarios; `repeat NAME COUNT` runs one.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, count] = arguments.as_slice() else {
        for scenario in fablegrade_benches::scenarios() {
            println!("{}", scenario.name);
        }
        return ExitCode::SUCCESS;
    };
    let scenario = fablegrade_benches::scenarios().into_iter().find(|scenario| scenario.name == *name);
    let (Some(scenario), Ok(count)) = (scenario, count.parse::<u32>()) else {
        eprintln!("usage: repeat [NAME COUNT]");
        return ExitCode::from(2);
    };
    let mut run = scenario.prepare();
    for _ in 0..count {
        run();
    }
    ExitCode::SUCCESS
}
