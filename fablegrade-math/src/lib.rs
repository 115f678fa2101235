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
//! Both texts are read ([`fablegrade_latex`]) and built into one expression DAG ([`expr`]). Then come the numbered stages of
//! the pipeline, cheapest first: the same node ([`Evidence::Proven`]), counterexamples in doubles with error bounds
//! ([`Evidence::Refuted`]), identity testing in a finite field ([`Evidence::Identity`]), more points, points beside the
//! places where pieces and branches meet, high precision ([`Evidence::Agreed`]), separation bounds, and every point of a small
//! domain. `docs/expressions.md` has the list; the module that runs it has it too.
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
