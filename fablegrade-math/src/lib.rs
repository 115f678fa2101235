//! LaTeX in, a decision with evidence out: are two expressions the same?
#![forbid(unsafe_code)]

pub mod decide;
pub mod evaluate;
pub mod expr;
pub mod field;
pub mod fuel;
pub mod latex;
pub mod lower;
pub mod number;
pub mod points;
pub mod symbols;
pub mod syntax;
