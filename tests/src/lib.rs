//! Shared code of the vector drivers, which finds the files and reads their lines.
//!
//! `tests/vectors/README.md` describes the format.
#![forbid(unsafe_code)]
// This code runs only in tests, which may panic.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

pub mod field_tables;
pub mod fuzzed;
mod program;
mod rules;
pub mod source_texts;
mod vector;

pub use program::program;
pub use rules::{Rule, rules_of, rules_of_the_source};
pub use vector::{Expected, Kind, Vector, vectors};

use std::path::PathBuf;

/// Returns the root of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository").to_owned()
}

/// The README. Its examples are run like those of other documentation.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// Pages of the book with Rust examples, which are run as well.
#[cfg(doctest)]
mod book {
    macro_rules! pages {
        ($($name:ident $path:literal),* $(,)?) => {
            $(#[doc = include_str!(concat!("../../docs/", $path))] pub struct $name;)*
        };
    }
    pages! {
        Introduction "introduction.md", Concepts "concepts.md", Security "security.md", Semantics "semantics.md",
        Expressions "expressions.md", Command "cli.md", Rust "rust.md", ModelAnswers "recipes/model-answers.md",
        Regrade "recipes/regrade.md", Service "recipes/service.md", Authoring "recipes/authoring.md",
    }
}
