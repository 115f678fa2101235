//! LaTeX in, a decision with evidence out: are two expressions the same?
//!
//! ```
//! use fablegrade_math::{Options, Reference};
//! let reference = Reference::new(r"\frac{x^2-1}{x-1}", &Options::new())?;
//! assert_eq!(reference.compare("x+1")?.equal(), Some(true));
//! assert_eq!(reference.compare("x-1")?.equal(), Some(false));
//! # Ok::<(), fablegrade_math::ParseError>(())
//! ```
//!
//! # The decision
//! 1. Both texts are read ([`fablegrade_latex`]) and built into one expression DAG ([`expr`]); the same node on both sides is
//!    [`Evidence::Proven`].
//! 2. Doubles with error bounds at a few points ([`evaluate`], [`points`]): a difference that the bounds cannot
//!    explain is [`Evidence::Refuted`], with the point.
//! 3. Evaluation in a finite field that models signs, roots, exponents and angles: [`Evidence::Identity`] with the
//!    bits of its error bound.
//! 4. High precision with rigorous bounds ([`precise`]): [`Evidence::Refuted`], or [`Evidence::Agreed`] beyond chance.
//!
//! What remains is [`Evidence::Undecided`], with the reason. Variables are real unless [`Options::domain`] says more;
//! points where a part of either side has no real value do not count. If `i` occurs, or nothing real remains, values are
//! complex.
//!
//! # Cost
//! A comparison is linear in the distinct parts of both sides, times the number of samples: a few microseconds as a
//! rule, a few milliseconds where high precision is needed. Every loop is charged to a budget of work
//! ([`Options::fuel`]); no clock, no randomness, no hash order, no platform's mathematical library takes part.
#![forbid(unsafe_code)]

pub mod canonical;
mod decide;
pub mod dependence;
pub mod evaluate;
pub mod expr;
mod field;
mod fuel;
pub mod lower;
pub mod number;
mod options;
pub mod points;
pub mod polynomial;
pub mod precise;
#[cfg(test)]
mod random_trees;
mod reference;
pub mod relations;
pub mod sampling;

pub use decide::{Evidence, Proof, Undecided, Witness};
pub use fablegrade_latex::{LogBase, Note, NoteKind, ParseError, Understanding};
pub use options::Options;
pub use points::Domain;
pub use reference::{Decision, Reference, compare};
pub use relations::{Difference, Side};

use fablegrade_latex::{self as latex, ast as syntax, names as symbols};

/// Reads an expression without comparing it; see [`fablegrade_latex::understand`].
///
/// # Errors
/// When the LaTeX cannot be read: the place, what was expected, and what may have been meant.
pub fn understand(latex: &str, options: &Options) -> Result<Understanding, ParseError> {
    fablegrade_latex::understand(latex, options.names())
}

/// The README's code is run like any other documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
