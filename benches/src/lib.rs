//! The measured scenarios, shared by the clock (`cargo bench`) and by instruction counts (`benches/instructions.py`).
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "benchmarks may stop at once")]

mod scenarios;

pub use scenarios::{Run, Scenario, scenarios};
