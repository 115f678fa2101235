//! `libfablegrade`: the C interface.
//!
//! C uses `include/fablegrade.h`, which is generated from the declarations and comments in this crate; a
//! test fails if it is out of date. `fablegrade-core` does the grading; this crate only converts between C
//! and Rust:
//!
//! - [`handle`]: the handles that C owns and frees, with one kind of ownership per type;
//! - [`arguments`]: the arguments that C passes, checked before they are used;
//! - [`boundary`]: converts panics and errors to a status;
//! - [`status`], [`error`], [`text`]: the values that C receives;
//! - [`grading`], [`results`], [`plans`], [`comparison`], [`validators`], [`version`]: the functions.
#![allow(non_camel_case_types)] // C's names

pub mod arguments;
pub mod boundary;
pub mod comparison;
pub mod error;
pub mod grading;
pub mod handle;
pub mod plans;
pub mod results;
pub mod status;
pub mod text;
pub mod validators;
pub mod version;
