//! Kattis and ICPC problem packages: read, checked, planned, judged and scored. Nothing is run here.
//!
//! Pure: no files, no clock, no randomness.
#![forbid(unsafe_code)]

mod case_result;
pub mod data;
pub mod default_validator;
pub mod expectation;
pub mod glob;
pub mod grader;
pub mod job;
pub mod judge;
pub mod language;
pub mod limit;
mod package;
pub mod problem;
pub mod program;
mod reachable;
pub mod validation;
mod verdict;
pub mod verify;
mod version;

pub use case_result::{CaseResult, GivenScore};
pub use package::Package;
pub use verdict::Verdict;
pub use version::Version;
