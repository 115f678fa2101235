//! Kattis and ICPC problem packages: read, checked, planned, judged and scored. Nothing is run here.
//!
//! Pure: no files, no clock, no randomness.
#![forbid(unsafe_code)]

pub mod data;
pub mod default_validator;
pub mod expectation;
pub mod glob;
pub mod grader;
pub mod job;
pub mod language;
mod package;
pub mod problem;
pub mod program;
mod reachable;
mod verdict;
mod version;

pub use package::Package;
pub use verdict::Verdict;
pub use version::Version;
