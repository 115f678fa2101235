//! Properties of the core, tested with random documents.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod dice;
mod documents;
mod laws;
mod mutations;
mod schema;
mod secrets;
