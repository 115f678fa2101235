//! LaTeX in, a decision with evidence out: are two expressions the same?
#![forbid(unsafe_code)]

pub mod expr;
pub mod number;
