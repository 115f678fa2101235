//! QTI 2.x and 3.0.

use crate::format::{Sink, Source};
use crate::loss::ReadError;

/// Whether a file looks like one of version 3.
pub(crate) fn detects_3(_source: &Source<'_>) -> bool {
    false
}

/// Whether a file looks like one of version 2.
pub(crate) fn detects_2(_source: &Source<'_>) -> bool {
    false
}

/// Reads the items of a file.
pub(crate) fn read(_source: &Source<'_>, _items: &mut Sink<'_>) -> Result<(), ReadError> {
    Ok(())
}
