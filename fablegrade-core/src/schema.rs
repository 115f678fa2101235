//! JSON Schemas of the documents, generated from the types.

mod examples;

use std::borrow::Cow;

use fablegrade_public::document::object;
use fablegrade_public::document::schema::{FieldSchema as _, Fields, FormSchema as _, of_declared};
use fablegrade_public::json::Json;
use fablegrade_public::schema::schema_of;
use fablegrade_public::view::code::fields as suite_fields;
use fablegrade_public::view::free_text::FreeTextView;
use fablegrade_public::{AttemptResult, DeliveryView, Submission};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::answer::AnswerSpec;
use crate::answer::code::SuiteSpec;
use crate::answer::free_text::FreeTextSpec;
use crate::answer::numeric::NumericAnswer;
use crate::answer::widget::WidgetValidator;
use crate::attempt::{Attempt, Platform};

/// The names that [`document_schema`] accepts.
pub const DOCUMENTS: [&str; 5] = ["AnswerSpec", "Attempt", "AttemptResult", "DeliveryView", "Submission"];

/// Returns the JSON Schema (draft 2020-12) of a document of [`DOCUMENTS`]; `None` for other names.
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
    // Another crate in the build may enable serde_json's `preserve_order`; the text must not depend on it.
    schema.sort_all_objects();
    // `Json` sorts its keys, so the text is the same with and without `preserve_order`.
    let sorted = Json::parse(serde_json::to_string(&schema).ok()?.as_bytes()).ok()?;
    let mut text = serde_json::to_string_pretty(&sorted).ok()?;
    text.push('\n');
    Some(text)
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

    fn inline_schema() -> bool {
        true
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
                            "description": "The accepted distance from the value, bounds included.",
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
                                    "description": "The size of the tolerance, above 0.", "type": "number", "exclusiveMinimum": 0
                                }
                            }
                        }
                    }
                },
                {
                    "description": "Every number in a range.",
                    "type": "object",
                    "required": ["min", "max"],
                    "additionalProperties": false,
                    "properties": {
                        "min": {"description": "The smallest accepted number.", "type": "number"},
                        "max": {"description": "The largest accepted number.", "type": "number"}
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

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let object = object().schema(generator);
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
        let expected = named("expectedState", "The correct state, compared as JSON.");
        let accepted = named("stateSchema", "A JSON Schema for the correct states.");
        let mut builtin = named("config", "The configuration of the validator.");
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
                branch("state_equals", "The state equals a given state.", &["expectedState"], expected),
                branch("state_schema", "The state is valid against a JSON Schema.", &["stateSchema"], accepted),
                branch("builtin", "A validator that the host has registered under a name decides.", &["name"], builtin)
            ]
        })
    }
}

impl JsonSchema for SuiteSpec {
    fn schema_name() -> Cow<'static, str> {
        "SuiteSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut suite = Fields::new(generator);
        suite_fields::SUITE_NAME.describe("Its name, shown to learners.", &mut suite);
        suite_fields::VISIBILITY.describe(
            "Whether learners see the cases; for hidden cases they see only the verdict.",
            &mut suite,
        );
        suite_fields::CASES.describe("The cases.", &mut suite);
        let mut schema = suite.into_schema("A named suite of test cases.");
        if let Some(cases) = schema.pointer_mut("/properties/cases").and_then(|cases| cases.as_object_mut()) {
            cases.insert("x-fablepool-secret".to_owned(), "when-hidden".into());
        }
        schema
    }
}

impl JsonSchema for FreeTextSpec {
    fn schema_name() -> Cow<'static, str> {
        "FreeTextSpec".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        of_declared::<FreeTextView>("A free-text question; people grade it.", generator)
    }
}

/// Returns the JSON Schema of a document of [`DOCUMENTS`] as [`Json`]; `None` for other names.
pub fn document_schema_json(name: &str) -> Option<Json> {
    Json::parse(document_schema(name)?.as_bytes()).ok()
}
