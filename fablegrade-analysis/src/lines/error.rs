//! Errors for invalid lines.

use crate::Rejected;
use fablegrade_core::{Error, ErrorKind, Finding};

pub(super) fn invalid(
    rule: &'static str,
    pointer: impl Into<String>,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Error {
    Error::single(ErrorKind::Schema, Finding::error(rule, pointer.into(), message.into(), help.into()))
}

/// Returns the error for an object at `pointer` without a field.
pub(super) fn missing(pointer: &str, field: &str) -> Error {
    invalid("missing-field", pointer, format!("the field `{field}` is missing"), format!("add `{field}`"))
}

pub(super) fn wrong_type(pointer: &str, expected: &str) -> Error {
    invalid("wrong-type", pointer, format!("expected {expected}"), "correct the value")
}

pub(super) fn rejected(error: &Rejected) -> Error {
    if matches!(error, Rejected::TooManySittings | Rejected::TooManyItems | Rejected::TooManyOptions(_)) {
        return invalid(
            "too-many",
            "",
            error.to_string(),
            "the limit is for the whole input; split the input",
        );
    }
    invalid("sitting-rejected", "/sitting", error.to_string(), "correct the lines of this sitting")
}
