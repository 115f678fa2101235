//! `libfablegrade`: the C interface.
//!
//! C sees `include/fablegrade.h`, which is made from the comments in here; a test fails when the two differ. Grading
//! happens in `fablegrade-core`; this crate only carries bytes over the border:
//!
//! - [`handle`]: what C owns and how it gives it back, one kind of ownership for each type;
//! - [`arguments`]: what C passes, checked before it is touched;
//! - [`boundary`]: no panic and no error gets lost on the way back;
//! - [`status`], [`error`], [`text`]: what C gets;
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
