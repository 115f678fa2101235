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
//! 1. Both texts are read ([`latex`]) and built into one expression DAG ([`expr`]); the same node on both sides is
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
//!
//! # Features
//! `prove` (default): comparing. Without it only reading, printing and [`understand`].
#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "prove"), allow(dead_code))]

#[cfg(feature = "prove")]
pub mod canonical;
#[cfg(feature = "prove")]
mod decide;
#[cfg(feature = "prove")]
pub mod dependence;
pub mod evaluate;
pub mod expr;
#[cfg(feature = "prove")]
mod field;
mod fuel;
pub mod inspect;
pub mod latex;
pub mod literal;
pub mod lower;
pub mod number;
mod options;
pub mod points;
#[cfg(feature = "prove")]
pub mod precise;
pub mod print;
#[cfg(test)]
mod random_trees;
#[cfg(feature = "prove")]
mod reference;
#[cfg(feature = "prove")]
pub mod sampling;
#[cfg(feature = "prove")]
pub mod structured;
pub mod symbols;
pub mod syntax;
mod understanding;

#[cfg(feature = "prove")]
pub use decide::{Evidence, Proof, Undecided, Witness};
pub use latex::{Note, NoteKind, ParseError};
pub use options::Options;
pub use points::Domain;
#[cfg(feature = "prove")]
pub use reference::{Decision, Reference, compare};
#[cfg(feature = "prove")]
pub use structured::{Difference, Side};
pub use symbols::LogBase;
pub use understanding::{Understanding, understand};

/// The README's code is run like any other documentation.
#[cfg(all(doctest, feature = "prove"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
