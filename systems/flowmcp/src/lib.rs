//! Builds, checks, aggregates, ages, rolls up and verifies FlowMCP grading entries. Pure: no I/O, no clock, no
//! randomness.
//!
//! A grading entry records the answers to the questions of one *area* (such as a tool, a skill or a whole
//! selection), an optional veto, and the resulting grade. This crate is the deterministic part of a grader:
//! it computes the grade from the answers of scripts and other graders, and it checks entries from other programs.
//!
//! ```
//! use fablegrade_flowmcp::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0};
//! use fablegrade_flowmcp::area::Grade;
//! use fablegrade_flowmcp::check::check;
//!
//! # let text = include_bytes!("../tests/documents/autonomous.json");
//! let checked = check(text)?;
//! assert!(checked.is_valid()); // obeys the schema
//! assert!(checked.is_error_free()); // breaks no rule of the model either
//! for finding in &checked.findings {
//!     println!("{finding}"); // severity, pointer, what is wrong, the code, a way out
//! }
//! let entry = checked.entry.unwrap();
//! let Aggregation::Graded(graded) = GRADING_SYSTEM_1_0_0.aggregate_entry(&entry) else { panic!() };
//! assert_eq!((graded.mean(), graded.raw, graded.grade), (4.5, Grade::A, Grade::B)); // trimmed by the tier
//! # Ok::<(), fablegrade_public::finding::Error>(())
//! ```
//!
//! # Main types
//! - [`entry::Entry`] with its [`answer::Answer`]s, [`veto::CategoricalVeto`] and [`regrading::RegradingTrigger`]: the
//!   document. [`check`](mod@check) checks the rules that a schema cannot express.
//! - [`area::Area`] with its questions, and [`aggregate::Policy`] with its thresholds: the grading system as
//!   data.
//! - [`produce::Draft`] and [`envelope::Evaluation`]: the inputs from which an entry is built. A draft that
//!   cannot become an entry is refused with a typed reason, a [`produce::Refusal`].
//! - [`explain`](mod@explain): explanations of grades.
//! - [`age`](mod@age), [`sequence`], [`lineage`], [`rollup`](mod@rollup), [`lock`], [`verify`](mod@verify):
//!   entries over time and in an archive. [`naming`] and [`canonical`] compute file names and hashes.
//! - [`mod@line`]: most of these functions for JSON Lines.
//!
//! # Features
//! - `schema`: the JSON Schemas of an entry and of an evaluator's reply, generated from their types
//!   (`schema::entry_schema`, `schema::envelope_schema`).
//!
//! # Not included
//! Running prompts and tools, traversing folders, importing schemas, and judging texts. The caller supplies
//! all times.
#![forbid(unsafe_code)]

pub mod age;
pub mod aggregate;
pub mod answer;
pub mod area;
pub mod canonical;
pub mod check;
pub mod entry;
pub mod envelope;
pub mod explain;
pub mod line;
pub mod lineage;
pub mod lock;
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

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
