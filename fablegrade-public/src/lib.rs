//! placeholder
#![forbid(unsafe_code)]
pub mod content;
pub mod decimal;
pub mod finding;
pub mod identifier;
pub mod json;
pub mod matcher;
pub mod ratio;
pub mod result;
