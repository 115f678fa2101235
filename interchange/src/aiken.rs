//! Aiken.

use crate::format::{Sink, Source};
use crate::loss::ReadError;

/// Whether a file looks like one of this format.
pub(crate) fn detects(_source: &Source<'_>) -> bool {
    false
}

/// Reads the items of a file.
pub(crate) fn read(_source: &Source<'_>, _items: &mut Sink<'_>) -> Result<(), ReadError> {
    Ok(())
}
