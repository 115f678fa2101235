//! Declarations of JSON documents.
//!
//! One line per field gives its JSON name, form, limits and default. [`document!`](crate::document!)
//! generates the type, its reader, its writer and (with the feature `schema`) its JSON Schema.
//!
//! ```
//! use fablegrade_public::document::{count, defaulted, flag, optional, required, text};
//! use fablegrade_public::json::{Document, Json};
//!
//! fablegrade_public::document! {
//!     /// A line of a rubric.
//!     pub struct Line, such as r#"{"title": "Proof", "points": 3}"# {
//!         /// The title.
//!         pub title: String = required("title", text(1, 300));
//!         /// The maximum points.
//!         pub points: u32 = required("points", count(1, 20));
//!         /// A remark.
//!         pub remark: Option<String> = optional("remark", text(0, 1_000));
//!         /// Whether it counts.
//!         pub counts: bool = defaulted("counts", flag(), true);
//!     }
//! }
//!
//! let line: Line = Document::parse(br#"{"title": "Proof", "points": 3}"#)?.read()?;
//! assert!(line.counts);
//! let error = Document::parse(br#"{"title": "Proof", "points": 30}"#)?.read::<Line>().unwrap_err();
//! assert_eq!(error.findings()[0].pointer, "/points");
//! # Ok::<(), fablegrade_public::Error>(())
//! ```
//!
//! A delivery view is never derived from a type with a key: it is a separate type.

mod form;
#[cfg(feature = "schema")]
pub mod schema;

pub use form::{
    AnyObject, Count, Flag, Form, List, Number, Of, Positive, Shaped, Text, Whole, Word, count, flag, list,
    number, object, of, positive, shaped, text, unique, word,
};

use crate::json::{Json, Object, ObjectBuilder};

/// A type with the fields of a JSON object, usually declared by [`document!`](crate::document!).
pub trait Declared: Sized {
    /// Reads the fields of an object; the caller that opened the object closes it.
    fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self>;

    /// Adds every field, including any key.
    fn write_fields(&self, object: ObjectBuilder) -> ObjectBuilder;
}

/// A field of a declared type: its JSON name, its form, and the rule for its absence.
pub trait Field {
    /// The type of the field's value.
    type Value;

    /// Takes the field from an object that is being read.
    fn take(&self, object: &mut Object<'_, '_, '_>) -> Option<Self::Value>;

    /// Adds the field to an object that is being written.
    fn put(&self, value: &Self::Value, object: ObjectBuilder) -> ObjectBuilder;
}

/// A required field.
pub struct Required<F> {
    name: &'static str,
    form: F,
}

/// Returns a required field.
pub const fn required<F: Form>(name: &'static str, form: F) -> Required<F> {
    Required { name, form }
}

impl<F: Form> Field for Required<F> {
    type Value = F::Value;

    fn take(&self, object: &mut Object<'_, '_, '_>) -> Option<F::Value> {
        object.required(self.name, |value, at, findings| self.form.read(value, at, findings))
    }

    fn put(&self, value: &F::Value, object: ObjectBuilder) -> ObjectBuilder {
        object.with(self.name, self.form.write(value))
    }
}

/// A field that may be absent.
pub struct Optional<F> {
    name: &'static str,
    form: F,
}

/// Returns a field that may be absent.
pub const fn optional<F: Form>(name: &'static str, form: F) -> Optional<F> {
    Optional { name, form }
}

impl<F: Form> Field for Optional<F> {
    type Value = Option<F::Value>;

    fn take(&self, object: &mut Object<'_, '_, '_>) -> Option<Self::Value> {
        object.optional(self.name, |value, at, findings| self.form.read(value, at, findings))
    }

    fn put(&self, value: &Self::Value, object: ObjectBuilder) -> ObjectBuilder {
        object.with_some(self.name, value.as_ref().map(|value| self.form.write(value)))
    }
}

/// A field with a default; it is always written.
pub struct Defaulted<F: Form> {
    name: &'static str,
    form: F,
    default: F::Value,
}

/// Returns a field with a default; it is always written.
pub const fn defaulted<F: Form>(name: &'static str, form: F, default: F::Value) -> Defaulted<F> {
    Defaulted { name, form, default }
}

impl<F: Form<Value: Clone>> Field for Defaulted<F> {
    type Value = F::Value;

    fn take(&self, object: &mut Object<'_, '_, '_>) -> Option<F::Value> {
        let given = object.optional(self.name, |value, at, findings| self.form.read(value, at, findings))?;
        Some(given.unwrap_or_else(|| self.default.clone()))
    }

    fn put(&self, value: &F::Value, object: ObjectBuilder) -> ObjectBuilder {
        object.with(self.name, self.form.write(value))
    }
}

/// An array that is omitted if empty.
pub struct Listed<F> {
    name: &'static str,
    form: List<F>,
}

/// Returns a field for an array that is omitted if empty.
pub const fn listed<F: Form<Value: PartialEq>>(name: &'static str, form: List<F>) -> Listed<F> {
    Listed { name, form }
}

impl<F: Form<Value: PartialEq>> Field for Listed<F> {
    type Value = Vec<F::Value>;

    fn take(&self, object: &mut Object<'_, '_, '_>) -> Option<Self::Value> {
        let given = object.optional(self.name, |value, at, findings| self.form.read(value, at, findings))?;
        Some(given.unwrap_or_default())
    }

    fn put(&self, value: &Self::Value, object: ObjectBuilder) -> ObjectBuilder {
        object.with_some(self.name, (!value.is_empty()).then(|| self.form.write(value)))
    }
}

/// The fields of another declared type, in the same object.
pub struct Flattened<T>(std::marker::PhantomData<T>);

/// Returns the fields of another declared type, in the same object.
pub const fn flattened<T: Declared>() -> Flattened<T> {
    Flattened(std::marker::PhantomData)
}

impl<T: Declared> Field for Flattened<T> {
    type Value = T;

    fn take(&self, object: &mut Object<'_, '_, '_>) -> Option<T> {
        T::read_fields(object)
    }

    fn put(&self, value: &T, object: ObjectBuilder) -> ObjectBuilder {
        value.write_fields(object)
    }
}

/// Returns a declared value as a JSON object whose field `type` is `word`.
pub fn with_type<T: Declared>(word: &str, value: &T) -> Json {
    value.write_fields(Json::build().with("type", word)).build()
}

/// Declares a document type: see [`document`](mod@crate::document).
///
/// A field is declared as `name: Type = rule;`, where the rule is a [`Field`](crate::document::Field). Its
/// doc comment is also its description in the JSON Schema. The type derives `Debug`, `Clone`, `PartialEq` and
/// `Eq`. Further traits are listed after its name: `pub struct Pair: (Hash, Ord)`.
///
/// With `such as EXAMPLE`, the type can be read inside other documents. The error for a value that is not an
/// object shows the example.
#[macro_export]
macro_rules! document {
    (
        $(#[doc = $about:literal])+
        $visibility:vis struct $name:ident $(: ($($derived:ident),+))? $(, such as $example:literal)? {
            $(
                $(#[doc = $says:literal])+
                $seen:vis $field:ident: $kind:ty = $rule:expr;
            )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq $(, $($derived),+)?)]
        $visibility struct $name {
            $(
                $(#[doc = $says])+
                #[doc = concat!("\n\nIn JSON: `", stringify!($rule), "`.")]
                $seen $field: $kind,
            )*
        }

        impl $crate::document::Declared for $name {
            fn read_fields(object: &mut $crate::json::Object<'_, '_, '_>) -> Option<Self> {
                // Reads all fields before a missing one ends the function, to report every finding at once.
                $(let $field: Option<$kind> = $crate::document::Field::take(&$rule, object);)*
                Some(Self { $($field: $field?),* })
            }

            fn write_fields(&self, object: $crate::json::ObjectBuilder) -> $crate::json::ObjectBuilder {
                $(let object = $crate::document::Field::put(&$rule, &self.$field, object);)*
                object
            }
        }

        $(
            impl $crate::json::Read for $name {
                fn read(
                    value: $crate::json::Value<'_>,
                    at: &$crate::json::Path<'_>,
                    findings: &mut $crate::Findings,
                ) -> Option<Self> {
                    let mut object = $crate::json::Object::open_as(value, at, findings, $example)?;
                    let fields = <Self as $crate::document::Declared>::read_fields(&mut object);
                    object.close();
                    fields
                }
            }

            impl $crate::document::Whole for $name {
                fn whole(&self) -> $crate::json::Json {
                    $crate::document::Declared::write_fields(self, $crate::json::Json::build()).build()
                }
            }
        )?

        #[cfg(feature = "schema")]
        impl $crate::document::schema::Described for $name {
            fn describe(fields: &mut $crate::document::schema::Fields<'_>) {
                $($crate::document::schema::field::<$kind, _>(&$rule, concat!($($says),+), fields);)*
            }
        }

        #[cfg(feature = "schema")]
        impl $crate::document::schema::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(
                generator: &mut $crate::document::schema::SchemaGenerator,
            ) -> $crate::document::schema::Schema {
                $crate::document::schema::of_declared::<Self>(concat!($($about),+), generator)
            }
        }
    };
}
