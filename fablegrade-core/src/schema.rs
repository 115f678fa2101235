//! JSON Schemas of the documents with a key, generated from the types.

mod examples;

use std::borrow::Cow;

use fablegrade_public::json::Json;
use fablegrade_public::schema::{any_object, schema_of};
use fablegrade_public::view::code::{TestCase, Visibility};
use fablegrade_public::view::expression::ExpressionView;
use fablegrade_public::view::free_text::FreeTextView;
use fablegrade_public::view::widget::WidgetView;
use fablegrade_public::{AttemptResult, DeliveryView, Submission};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::answer::AnswerSpec;
use crate::answer::code::SuiteSpec;
use crate::answer::expression::ExpressionSpec;
use crate::answer::free_text::FreeTextSpec;
use crate::answer::numeric::NumericAnswer;
use crate::answer::widget::{WidgetSpec, WidgetValidator};
use crate::attempt::{Attempt, Platform};
use crate::secret::Secret;

/// The names of the documents.
pub const DOCUMENTS: [&str; 5] = ["AnswerSpec", "Attempt", "AttemptResult", "DeliveryView", "Submission"];

/// The JSON Schema (draft 2020-12) of a document of [`DOCUMENTS`]; `None` for other names.
pub fn document_schema(name: &str) -> Option<String> {
    let id = format!("https://fablegrade.dev/schemas/1/{name}.json");
    let schema = match name {
        "AnswerSpec" => schema_of::<AnswerSpec>(&id),
        "Attempt" => schema_of::<Attempt>(&id),
        "AttemptResult" => schema_of::<AttemptResult>(&id),
        "DeliveryView" => schema_of::<DeliveryView>(&id),
        "Submission" => schema_of::<Submission>(&id),
        _ => return None,
    };
    let mut schema = schema.to_value();
    if name == "AnswerSpec" {
        examples::allow_schema_field(&mut schema);
        examples::annotate(&mut schema);
    }
    // Another crate of the build may turn on serde_json's `preserve_order`; the text must not depend on it.
    schema.sort_all_objects();
    // Through our own value, whose keys are sorted: one text, whether or not a build keeps the order of objects.
    let sorted = Json::parse(serde_json::to_string(&schema).ok()?.as_bytes()).ok()?;
    let mut text = serde_json::to_string_pretty(&sorted).ok()?;
    text.push('\n');
    Some(text)
}

impl<T: JsonSchema> JsonSchema for Secret<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Secret{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        schema.insert("x-fablepool-secret".to_owned(), true.into());
        schema
    }
}

impl JsonSchema for Platform {
    fn schema_name() -> Cow<'static, str> {
        "Platform".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<_> = Self::WORDS.iter().map(|(word, _)| *word).collect();
        json_schema!({"type": "string", "enum": words})
    }
}

impl JsonSchema for NumericAnswer {
    fn schema_name() -> Cow<'static, str> {
        "NumericAnswer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [
                {
                    "description": "A number, exactly or within a tolerance.",
                    "type": "object",
                    "required": ["value"],
                    "additionalProperties": false,
                    "properties": {
                        "value": {"description": "The number.", "type": "number"},
                        "tolerance": {
                            "description": "How far an answer may be off, bounds included.",
                            "type": "object",
                            "required": ["mode", "amount"],
                            "additionalProperties": false,
                            "properties": {
                                "mode": {
                                    "description": "Whether the amount is a distance or a share of the number.",
                                    "type": "string",
                                    "enum": ["absolute", "relative"]
                                },
                                "amount": {
                                    "description": "How far, above 0.", "type": "number", "exclusiveMinimum": 0
                                }
                            }
                        }
                    }
                },
                {
                    "description": "Every number of a range.",
                    "type": "object",
                    "required": ["min", "max"],
                    "additionalProperties": false,
                    "properties": {
                        "min": {"description": "The smallest that is right.", "type": "number"},
                        "max": {"description": "The greatest that is right.", "type": "number"}
                    }
                }
            ]
        })
    }
}

impl JsonSchema for WidgetValidator {
    fn schema_name() -> Cow<'static, str> {
        "WidgetValidator".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = any_object(generator);
        let branch = |kind: &str,
                      does: &str,
                      required: &[&str],
                      mut properties: serde_json::Map<String, serde_json::Value>| {
            properties.insert("kind".to_owned(), serde_json::json!({"const": kind, "description": does}));
            let required: Vec<_> = std::iter::once("kind").chain(required.iter().copied()).collect();
            serde_json::json!({
                "type": "object", "required": required, "additionalProperties": false, "properties": properties
            })
        };
        let named = |name: &str, means: &str| -> serde_json::Map<String, serde_json::Value> {
            let mut object = object.clone();
            object.insert("description".to_owned(), means.into());
            [(name.to_owned(), object.to_value())].into_iter().collect()
        };
        let expected = named("expectedState", "The right state, compared as JSON.");
        let accepted = named("stateSchema", "A JSON Schema of the right states.");
        let mut builtin = named("config", "What the validator is told.");
        builtin.insert(
            "name".to_owned(),
            serde_json::json!({
                "description": "Its name: 1 to 64 lower-case letters, digits or `_`.",
                "type": "string",
                "pattern": "^[a-z0-9_]{1,64}$"
            }),
        );
        json_schema!({
            "oneOf": [
                branch("state_equals", "The state is a given one.", &["expectedState"], expected),
                branch("state_schema", "The state fits a JSON Schema.", &["stateSchema"], accepted),
                branch("builtin", "A validator that the host has under a name decides.", &["name"], builtin)
            ]
        })
    }
}

impl JsonSchema for SuiteSpec {
    fn schema_name() -> Cow<'static, str> {
        "SuiteSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let case = generator.subschema_for::<TestCase>();
        let mut visibility = generator.subschema_for::<Visibility>();
        visibility.insert(
            "description".to_owned(),
            "Whether learners see the cases; of hidden ones they learn the verdict.".into(),
        );
        json_schema!({
            "description": "Test cases under a name.",
            "type": "object",
            "required": ["name", "visibility", "cases"],
            "additionalProperties": false,
            "properties": {
                "name": {
                    "description": "Its name, shown to learners: at most 100 characters.",
                    "type": "string",
                    "maxLength": 100
                },
                "visibility": visibility,
                "cases": {
                    "description": "1 to 50 cases.",
                    "type": "array", "minItems": 1, "maxItems": 50, "items": case,
                    "x-fablepool-secret": "when-hidden"
                }
            }
        })
    }
}

/// The schema of a public part with one secret field added.
fn with_secret<P: JsonSchema>(
    question: &str,
    (name, secret): (&str, Schema),
    generator: &mut SchemaGenerator,
) -> Schema {
    let mut schema = P::json_schema(generator);
    let object = schema.ensure_object();
    object.insert("description".to_owned(), question.into());
    if let Some(properties) = object.get_mut("properties").and_then(|value| value.as_object_mut()) {
        properties.insert(name.to_owned(), secret.to_value());
    }
    if let Some(required) = object.get_mut("required").and_then(|value| value.as_array_mut()) {
        required.push(name.into());
    }
    schema
}

impl JsonSchema for ExpressionSpec {
    fn schema_name() -> Cow<'static, str> {
        "ExpressionSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let canonical = json_schema!({
            "description": "The right answer in LaTeX: 1 to 2,000 characters.",
            "type": "string",
            "minLength": 1,
            "maxLength": 2000,
            "x-fablepool-secret": true
        });
        with_secret::<ExpressionView>("An expression question.", ("canonical", canonical), generator)
    }
}

impl JsonSchema for WidgetSpec {
    fn schema_name() -> Cow<'static, str> {
        "WidgetSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut validator = Secret::<WidgetValidator>::json_schema(generator);
        validator.insert("description".to_owned(), "What decides whether a state is right.".into());
        with_secret::<WidgetView>("A widget question.", ("validator", validator), generator)
    }
}

impl JsonSchema for FreeTextSpec {
    fn schema_name() -> Cow<'static, str> {
        "FreeTextSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = FreeTextView::json_schema(generator);
        schema.insert("description".to_owned(), "A free-text question; people grade it.".into());
        schema
    }
}

/// A generated schema, parsed: what the program prints.
pub fn document_schema_json(name: &str) -> Option<Json> {
    Json::parse(document_schema(name)?.as_bytes()).ok()
}
