//! Benchmark scenarios, shared by `cargo bench` (times) and `benches/instructions.py` (instruction counts).
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a benchmark may panic")]

mod scenarios;

pub use scenarios::{Run, Scenario, scenarios};
