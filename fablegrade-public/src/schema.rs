//! JSON Schemas of the documents, generated from the types.
//!
//! They accept the same documents as the readers of this crate, except for rules that a schema cannot express.
//! A test checks both with the same documents.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::content::Content;
use crate::decimal::Decimal;
use crate::document::schema::{FieldSchema as _, Fields};
use crate::identifier::{Identifier, Instant, UuidText};
use crate::json::Json;
use crate::matcher::Matcher;
use crate::result::{CaseVerdict, FeedbackSeverity, GradedBy, Verdict};
use crate::view::code::{HarnessMode, Language, SuiteView, Visibility, fields};
use crate::view::expression::Equivalence;
use crate::view::free_text::GradingMode;
use crate::view::ordering::OrderingCredit;

/// Returns the JSON Schema (draft 2020-12) of a document type. Optional fields are absent, never `null`.
pub fn schema_of<T: JsonSchema>(id: &str) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.transforms.push(Box::new(NoNull));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".to_owned(), id.into());
    schema
}

/// Removes `null` from every type, because optional fields are absent instead.
#[derive(Debug, Clone)]
struct NoNull;

impl Transform for NoNull {
    fn transform(&mut self, schema: &mut Schema) {
        let null = serde_json::Value::from("null");
        if let Some(serde_json::Value::Array(types)) = schema.get_mut("type") {
            types.retain(|kind| *kind != null);
            if let [kind] = types.as_slice() {
                let kind = kind.clone();
                schema.insert("type".to_owned(), kind);
            }
        }
        if let Some(serde_json::Value::Array(branches)) = schema.get_mut("anyOf") {
            branches.retain(|branch| branch.get("type") != Some(&null));
            if let [branch] = branches.as_slice() {
                let branch = branch.clone();
                schema.remove("anyOf");
                if let serde_json::Value::Object(fields) = branch {
                    for (key, value) in fields {
                        schema.insert(key, value);
                    }
                }
            }
        }
        if schema.get("default") == Some(&serde_json::Value::Null) {
            schema.remove("default");
        }
        // Any other `format` only names the Rust type.
        if let Some(format) = schema.get("format").and_then(|format| format.as_str())
            && !matches!(format, "uuid" | "date-time")
        {
            schema.remove("format");
        }
        transform_subschemas(self, schema);
    }
}

/// Returns a document schema with its `type` (or another tag) fixed to one word.
pub fn tagged<T: JsonSchema>(tag: &str, word: &str, generator: &mut SchemaGenerator) -> Schema {
    let mut schema = T::json_schema(generator);
    let object = schema.ensure_object();
    if let Some(properties) =
        object.entry("properties").or_insert_with(|| serde_json::json!({})).as_object_mut()
    {
        properties.insert(tag.to_owned(), serde_json::json!({"const": word}));
    }
    if let Some(required) = object.entry("required").or_insert_with(|| serde_json::json!([])).as_array_mut() {
        required.insert(0, tag.into());
    }
    schema
}

pub(crate) fn info() -> FeedbackSeverity {
    FeedbackSeverity::Info
}

macro_rules! words {
    ($($kind:ident),*) => {$(
        impl JsonSchema for $kind {
            fn schema_name() -> Cow<'static, str> {
                stringify!($kind).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let words: Vec<_> = $kind::WORDS.iter().map(|(word, _)| *word).collect();
                json_schema!({"type": "string", "enum": words})
            }
        }

        impl serde::Serialize for $kind {
            /// Writes the word used in JSON.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    )*};
}
words!(
    Verdict,
    GradedBy,
    FeedbackSeverity,
    CaseVerdict,
    Matcher,
    HarnessMode,
    Language,
    Visibility,
    Equivalence,
    GradingMode,
    OrderingCredit
);

macro_rules! literal {
    ($($kind:ty, $name:literal => $schema:tt;)*) => {$(
        impl JsonSchema for $kind {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )*};
}
literal! {
    Decimal, "Number" => {"type": "number"};
    UuidText, "Uuid" => {"type": "string", "format": "uuid"};
    Instant, "DateTime" => {"type": "string", "format": "date-time"};
    Content, "Content" => {"description": "Inline or rich content of the host: any JSON, at most 32 levels deep."};
    Json, "Json" => {};
}

impl<const MAX: usize> JsonSchema for Identifier<MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Id{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": format!("^[a-zA-Z0-9_-]{{1,{MAX}}}$")})
    }
}

impl serde::Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json::from(self).serialize(serializer)
    }
}

impl JsonSchema for SuiteView {
    fn schema_name() -> Cow<'static, str> {
        "SuiteView".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut branch = |visibility: Visibility, about: &str| {
            let mut suite = Fields::new(generator);
            fields::SUITE_NAME.describe("Its name.", &mut suite);
            fields::VISIBILITY.describe("Whether learners see the cases.", &mut suite);
            if visibility == Visibility::Public {
                fields::CASES.describe("The cases.", &mut suite);
            }
            let mut schema = suite.into_schema(about);
            if let Some(shown) = schema.pointer_mut("/properties/visibility") {
                *shown = serde_json::json!({"const": visibility.as_str()});
            }
            schema
        };
        let branches =
            [branch(Visibility::Public, "A public suite."), branch(Visibility::Hidden, "A hidden suite.")];
        json_schema!({"oneOf": branches})
    }
}
