//! Converts questions from other formats to Fablegrade questions and back, with a report of everything that is lost.
//!
//! - A reader per [`Format`] creates an [`Item`], the common intermediate form, and records each [`Loss`].
//! - [`compile`] turns items into specs, uses the standard validators where necessary, and determines the exactness of
//!   each [`Question`].
//!
//! The crate converts bytes to documents and does not access files; [`read_zip`] reads an archive incrementally from
//! any seekable reader. XML is read without external entities, within limits of size, depth and number of nodes.
#![forbid(unsafe_code)]

mod aiken;
pub mod compile;
mod csv;
mod format;
mod gift;
pub mod ids;
pub mod item;
mod loss;
mod mathml;
mod moodle;
mod openedx;
mod perseus;
mod plain_formula;
mod prairielearn;
mod qti;
mod read;
pub mod report;
pub mod responses;
pub mod rich;
pub mod text;
pub mod write;
pub mod xml;

pub use compile::Question;
pub use format::{Format, Sink, Source, detect};
pub use item::Item;
pub use loss::{Effect, Exactness, Loss, Place, ReadError};
pub use read::{read, read_archive, read_files, read_zip};
