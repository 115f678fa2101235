//! LaTeX in, a decision with evidence out: are two expressions the same?
#![forbid(unsafe_code)]

mod decide;
pub mod dependence;
pub mod evaluate;
pub mod expr;
mod field;
mod fuel;
pub mod inspect;
pub mod latex;
pub mod literal;
pub mod lower;
pub mod number;
pub mod points;
pub mod precise;
pub mod print;
#[cfg(test)]
mod random_trees;
mod reference;
pub mod sampling;
pub mod structured;
pub mod symbols;
pub mod syntax;

pub use decide::{Evidence, Proof, Undecided, Witness};
pub use latex::{Note, NoteKind, ParseError};
pub use points::Domain;
pub use reference::{Decision, Options, Reference, Understanding, compare};
pub use symbols::LogBase;
