//! Decides whether two LaTeX expressions are equal, with evidence.
//!
//! ```
//! use fablegrade_math::{Equivalence, Options, Reference};
//! let reference = Reference::new(r"\frac{x^2-1}{x-1}", &Options::new())?;
//! assert_eq!(reference.compare_latex("x+1")?.verdict(), Equivalence::Equal);
//! assert_eq!(reference.compare_latex("x-1")?.verdict(), Equivalence::Different);
//! # Ok::<(), fablegrade_math::ParseError>(())
//! ```
//!
//! # Entry points
//! - [`Expression`]: a parsed text, which is a value, a relation, a set or several values ([`Kind`]).
//! - [`Reference`]: an expression that is compiled once, then [compared](Reference::compare) with many others
//!   or [sampled](Reference::sample); [`compare`] compares one pair.
//! - [`Options`] with a [`Domain`] for each variable; [`Decision`] with its [`Evidence`].
//!
//! # The decision
//! Each text becomes a tree ([`fablegrade_latex`]), and both trees become one expression DAG. Then several
//! stages follow. The first are equality of nodes ([`Evidence::Proven`]), counterexamples in doubles with
//! error bounds ([`Evidence::Refuted`]) and identity testing in a finite field ([`Evidence::Identity`]). The
//! others are more points, points near the boundaries of pieces and branches, high precision
//! ([`Evidence::Agreed`]), separation bounds, and every point of a small domain. `docs/expressions.md`
//! describes the stages.
//!
//! If no stage decides, the result is [`Evidence::Undecided`], with the reason. Variables range over the
//! reals unless [`Options::with_domain`] restricts them. Points at which a part of either side has no real
//! value usually do not count. If `i` occurs, or no real point remains, values are complex.
//!
//! # Cost
//! A comparison takes time proportional to the number of distinct parts of both sides, times the number of
//! samples. This is usually a few microseconds, or a few milliseconds if high precision is needed. The work
//! is bounded by a budget ([`Options::with_budget`]). The decision does not depend on a clock, randomness,
//! hash order or the platform's math library.
#![forbid(unsafe_code)]

#[macro_use]
mod functions;
mod canonical;
mod decide;
mod dependence;
mod evaluate;
mod expr;
mod expression;
mod field;
mod limits;
mod lower;
pub mod number;
mod options;
mod points;
pub mod polynomial;
mod precise;
mod random;
#[cfg(test)]
mod random_trees;
mod reference;
mod relations;
pub mod sampling;
mod subscripts;

pub use decide::{Ambiguity, Evidence, EvidenceKind, Proof, Undecided, Witness};
pub use dependence::Dependence;
pub use expression::Expression;
pub use fablegrade_latex::{Kind, LogBase, Note, NoteKind, ParseError, Understanding};
pub use options::Options;
pub use points::Domain;
pub use reference::{Decision, Equivalence, Reference, Sampled, Truth, compare};
pub use relations::{Difference, Side};

use fablegrade_latex::{self as latex, ast as syntax, names as symbols};

/// Internals for tests that compare the stages with each other; not part of the public API.
#[doc(hidden)]
pub mod internals {
    pub use crate::evaluate::Program;
    pub use crate::expr::{Arena, Constant, Function, Id, Node, SeriesKind, Symbol};
    pub use crate::limits::{LIMITS, Limit};
    pub use crate::lower::lower;
    pub use crate::points::{Points, SamplingHints, Variable};
    pub use crate::precise::{Agreement, Ball, Field, Limits, Precise, refute_or_agree};
}

/// The README, whose examples run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
