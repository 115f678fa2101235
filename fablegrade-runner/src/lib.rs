//! Runs the programs of code questions in a sandbox that fails closed.
#![cfg(target_os = "linux")]

pub mod sandbox;
