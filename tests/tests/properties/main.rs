//! Laws of the core, for documents at random.
// A test may stop at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod dice;
mod documents;
mod laws;
mod mutations;
mod schema;
mod secrets;
