//! FlowMCP grading entries.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod aggregate;
pub mod answer;
pub mod area;
pub mod canonical;
pub mod check;
pub mod entry;
pub mod line;
pub mod moment;
pub mod regrading;
#[cfg(feature = "schema")]
pub mod schema;
pub mod veto;
mod word;
