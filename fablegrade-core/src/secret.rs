//! A value that belongs to the answer key.

use std::fmt;

use fablegrade_public::Findings;
use fablegrade_public::document::Form;
use fablegrade_public::json::{Json, Path, Value};

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

    /// Returns the value, for code that may see the key.
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A form whose value is secret.
pub(crate) struct Hidden<F>(F);

/// Wraps the form of a part of the key. `write` exposes the value, so it is used only for authors' documents.
pub(crate) const fn secret<F: Form>(form: F) -> Hidden<F> {
    Hidden(form)
}

impl<F: Form> Form for Hidden<F> {
    type Value = Secret<F::Value>;

    fn read(&self, value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self::Value> {
        self.0.read(value, at, findings).map(Secret::new)
    }

    fn write(&self, value: &Self::Value) -> Json {
        self.0.write(value.expose())
    }
}

#[cfg(feature = "schema")]
impl<F: fablegrade_public::document::schema::FormSchema> fablegrade_public::document::schema::FormSchema
    for Hidden<F>
{
    fn schema(&self, generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = self.0.schema(generator);
        schema.insert("x-fablepool-secret".to_owned(), true.into());
        schema
    }

    fn limits(&self) -> Option<String> {
        self.0.limits()
    }
}
