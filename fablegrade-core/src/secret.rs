//! A value that belongs to the answer key.

use std::fmt;

/// A part of the answer key: it can be compared and cloned, but not serialised, and its `Debug` hides it.
///
/// ```compile_fail
/// fn to_learner<T: serde::Serialize>(_: &T) {}
/// to_learner(&fablegrade_core::Secret::new(true)); // a key cannot be serialised
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Marks a value as secret.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, for those who may see the key.
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
