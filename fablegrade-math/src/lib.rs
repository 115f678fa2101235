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
//! - [`Reference`]: an expression compiled once, to [compare](Reference::compare) or [sample](Reference::sample) many
//!   others with; [`compare`] compares two expressions once.
//! - [`Options`] with a [`Domain`] for each variable; [`Decision`] with its [`Evidence`].
//!
//! # The decision
//! A text becomes a tree ([`fablegrade_latex`]), and both trees become one expression DAG. Then come the numbered
//! stages of the pipeline, cheapest first: the same node ([`Evidence::Proven`]), counterexamples in doubles with error
//! bounds ([`Evidence::Refuted`]), identity testing in a finite field ([`Evidence::Identity`]), more points, points near
//! the boundaries of pieces and branches, high precision ([`Evidence::Agreed`]), separation bounds, and every point of a
//! small domain. `docs/expressions.md` lists the stages.
//!
//! If no stage decides, the result is [`Evidence::Undecided`], with the reason. Variables are real unless
//! [`Options::with_domain`] restricts them; points where a part of either side has no real value do not count. If `i`
//! occurs, or no real point remains, values are complex.
//!
//! # Cost
//! A comparison takes time proportional to the number of distinct parts of both sides, times the number of samples:
//! usually a few microseconds, or a few milliseconds where high precision is needed. Every loop is charged to a budget
//! of work ([`Options::with_budget`]). The decision depends on no clock, randomness, hash order or platform math library.
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

pub use decide::{Evidence, EvidenceKind, Proof, Undecided, Witness};
pub use dependence::Dependence;
pub use expression::Expression;
pub use fablegrade_latex::{Kind, LogBase, Note, NoteKind, ParseError, Understanding};
pub use options::Options;
pub use points::Domain;
pub use reference::{Decision, Equivalence, Reference, Sampled, Truth, compare};
pub use relations::{Difference, Side};

use fablegrade_latex::{self as latex, ast as syntax, names as symbols};

/// The stages behind the entry points, for tests that compare them with each other. Not part of the public interface.
#[doc(hidden)]
pub mod internals {
    pub use crate::evaluate::Program;
    pub use crate::expr::{Arena, Constant, Function, Id, Node, SeriesKind, Symbol};
    pub use crate::limits::{LIMITS, Limit};
    pub use crate::lower::lower;
    pub use crate::points::{Points, SamplingHints, Variable};
    pub use crate::precise::{Agreement, Ball, Field, Limits, Precise, refute_or_agree};
}

/// The README's code is run like any other documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
