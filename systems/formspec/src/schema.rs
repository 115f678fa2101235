//! The JSON Schema of a Determination Record. Its enums are the words of the types.

use fablegrade_public::json::{Json, ObjectBuilder};

use crate::record::{AnswerState, PhaseStatus, Status};

/// The `$id` of the specification's schema, to which this one is equivalent.
pub const ID: &str = "https://formspec.org/schemas/determination/1.0";

fn string() -> Json {
    Json::build().with("type", "string").build()
}

fn format(format: &str) -> Json {
    Json::build().with("type", "string").with("format", format).build()
}

fn boolean() -> Json {
    Json::build().with("type", "boolean").build()
}

fn words<T>(words: &[(&'static str, T)]) -> Json {
    Json::build()
        .with("type", "string")
        .with("enum", Json::array(words.iter().map(|(word, _)| *word)))
        .build()
}

fn reference(name: &str) -> Json {
    Json::build().with("$ref", format!("#/$defs/{name}")).build()
}

fn array(items: Json) -> Json {
    Json::build().with("type", "array").with("items", items).build()
}

/// Returns the schema of a closed object, in which the first `required` properties are required.
fn object(required: usize, properties: &[(&str, Json)]) -> ObjectBuilder {
    let names: Vec<&str> = properties.iter().take(required).map(|(name, _)| *name).collect();
    let fields = properties.iter().map(|(name, schema)| (Box::from(*name), schema.clone())).collect();
    let object = Json::build()
        .with("type", "object")
        .with("properties", Json::object(fields))
        .with("additionalProperties", false);
    if names.is_empty() { object } else { object.with("required", Json::array(names)) }
}

/// Returns the schema as JSON, draft 2020-12. `schemas/formspec-determination.schema.json` contains this
/// text.
pub fn determination() -> Json {
    let any_object = Json::build().with("type", "object").with("additionalProperties", true).build();
    let extension_names = Json::build().with("pattern", "^x-").build();
    let route = object(
        1,
        &[
            ("target", string()),
            ("label", string()),
            ("message", string()),
            ("score", Json::build().with("type", "number").build()),
            ("reason", string()),
            ("metadata", any_object),
        ],
    );
    let phase = object(
        5,
        &[
            ("id", string()),
            ("status", words(PhaseStatus::WORDS)),
            ("strategy", string()),
            ("matched", array(reference("RouteResult"))),
            ("eliminated", array(reference("RouteResult"))),
            ("warnings", array(string())),
        ],
    );
    let input = object(1, &[("state", words(AnswerState::WORDS)), ("value", Json::object(Vec::new()))]);
    let definitions = Json::build()
        .with("PhaseResult", phase.build())
        .with("RouteResult", route.build())
        .with("InputEntry", input.build());
    let inputs =
        Json::build().with("type", "object").with("additionalProperties", reference("InputEntry")).build();
    let extensions = Json::build().with("type", "object").with("propertyNames", extension_names).build();
    object(
        8,
        &[
            ("$formspecDetermination", Json::build().with("type", "string").with("const", "1.0").build()),
            ("screener", object(2, &[("url", format("uri")), ("version", string())]).build()),
            ("timestamp", format("date-time")),
            ("evaluationVersion", string()),
            ("status", words(Status::WORDS)),
            (
                "overrides",
                object(2, &[("matched", array(reference("RouteResult"))), ("halted", boolean())]).build(),
            ),
            ("phases", array(reference("PhaseResult"))),
            ("inputs", inputs),
            (
                "validity",
                object(0, &[("validUntil", format("date-time")), ("resultValidity", string())]).build(),
            ),
            ("extensions", extensions),
        ],
    )
    .with("$schema", "https://json-schema.org/draft/2020-12/schema")
    .with("$id", ID)
    .with("$defs", definitions.build())
    .build()
}
