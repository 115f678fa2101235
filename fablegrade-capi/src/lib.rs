//! `libfablegrade`: the C interface.
//!
//! C sees `include/fablegrade.h`, which is generated from the comments in this crate; a test fails when the two differ.
//! Grading happens in `fablegrade-core`; this crate only converts between C and Rust:
//!
//! - [`handle`]: what C owns and how it frees it, one kind of ownership per type;
//! - [`arguments`]: the arguments that C passes, checked before they are used;
//! - [`boundary`]: panics and errors become a status;
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
