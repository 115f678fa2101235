//! FlowMCP grading entries.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod age;
pub mod aggregate;
pub mod answer;
pub mod area;
pub mod canonical;
pub mod check;
pub mod entry;
pub mod envelope;
pub mod line;
pub mod lineage;
pub mod moment;
pub mod naming;
pub mod produce;
pub mod regrading;
pub mod rollup;
#[cfg(feature = "schema")]
pub mod schema;
pub mod sequence;
pub mod verify;
pub mod veto;
mod word;
