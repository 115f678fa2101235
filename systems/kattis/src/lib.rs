//! Kattis and ICPC problem packages: read, checked, planned, judged and scored. Nothing is run here.
//!
//! Pure: no files, no clock, no randomness.
#![forbid(unsafe_code)]

pub mod default_validator;
pub mod job;
pub mod language;
pub mod program;
mod version;

pub use version::Version;
