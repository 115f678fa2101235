//! Runs the programs of code questions in a sandbox that fails closed.
#![cfg(target_os = "linux")]

mod compile;
mod harness;
pub mod languages;
mod outline;
mod runner;
pub mod sandbox;

pub use harness::inexpressible;
pub use runner::{Runner, RunnerOptions, Step};
