//! The JSON Schemas of a grading entry and of an evaluator's envelope, generated from their types (feature
//! `schema`).

use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

use crate::answer::{Evidence, Score};
use crate::area::{Area, Tier};
use crate::entry::{AggregateGrade, Entry};
use crate::envelope::Envelope;

/// Returns the JSON Schema (2020-12) of a grading entry. Formats must be asserted. The
/// schema cannot express all rules of [`Entry`].
pub fn entry_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(absent_is_not_null));
    let mut schema = settings.into_generator().into_root_schema_for::<Entry>();
    nullable_veto(&mut schema);
    schema.insert("title".into(), json!("FlowMCP grading entry"));
    let mut schema = schema.to_value();
    // Another crate of the build may enable serde_json's `preserve_order`, on which the text must not depend.
    schema.sort_all_objects();
    schema
}

/// Returns the JSON Schema (2020-12) of an evaluator's reply: the answers of one area, or a blocker.
///
/// Complete validation requires that formats are asserted. The schema does not express that the id begins
/// with the hash, or that a timestamp of the form `YYYY-MM-DDTHH-MM-SSZ` is a real date and time.
pub fn envelope_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(absent_is_not_null));
    let mut generator = settings.into_generator();
    let answers = generator.subschema_for::<Envelope>();
    let mut definitions = generator.take_definitions(true);
    if let Some(Value::Object(envelope)) = definitions.get_mut("Envelope") {
        let properties = envelope.get_mut("properties").and_then(Value::as_object_mut);
        if let Some(Value::Object(persona)) = properties.and_then(|properties| properties.get_mut("persona"))
        {
            let reference = persona.remove("$ref").unwrap_or(Value::Bool(true));
            persona.insert("oneOf".into(), json!([{ "type": "null" }, { "$ref": reference }]));
        }
        if let Some(Value::Array(required)) = envelope.get_mut("required") {
            required.push(json!("persona"));
        }
    }
    let text = json!({ "type": "string", "minLength": 1 });
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "FlowMCP evaluation",
        "type": "object",
        "if": { "required": ["blocker"] },
        "then": {
            "properties": { "blocker": text, "reason": text },
            "required": ["blocker", "reason"],
            "additionalProperties": false,
        },
        "else": answers,
        "$defs": definitions,
    });
    schema.sort_all_objects();
    schema
}

/// Removes `null` from the types of optional fields: documents omit such a field instead.
fn absent_is_not_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [single] = types.as_slice() {
            let single = single.clone();
            object.insert("type".into(), single);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.retain(|choice| *choice != json!({ "type": "null" }));
        if let [Value::Object(single)] = choices.as_slice() {
            let single = single.clone();
            object.remove("anyOf");
            object.extend(single);
        }
    }
}

/// Makes the veto a required field that can be `null`; it is the only such field of an entry.
fn nullable_veto(schema: &mut Schema) {
    let Some(veto) = schema.pointer_mut("/properties/categoricalVeto").and_then(Value::as_object_mut) else {
        return;
    };
    let reference = veto.remove("$ref").unwrap_or(Value::Bool(true));
    veto.insert("oneOf".into(), json!([{ "type": "null" }, { "$ref": reference }]));
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.push(json!("categoricalVeto"));
    }
}

fn when(condition: Value, consequence: Value) -> Value {
    json!({ "if": condition, "then": consequence })
}

fn all_of(schema: &mut Schema, conditions: Vec<Value>) {
    schema.insert("allOf".into(), Value::Array(conditions));
}

fn field_is(field: &str, value: &str) -> Value {
    json!({ "properties": { field: { "const": value } }, "required": [field] })
}

fn areas(of: impl Fn(Area) -> bool) -> Value {
    let names: Vec<_> = Area::ALL.iter().filter(|area| of(**area)).map(|area| area.as_str()).collect();
    json!({ "properties": { "area": { "enum": names } }, "required": ["area"] })
}

pub(crate) fn entry_conditions(schema: &mut Schema) {
    let mut conditions = vec![
        when(field_is("gradingTier", Tier::GroupBound.as_str()), json!({ "required": ["selectionId"] })),
        when(
            json!({ "properties": { "categoricalVeto": { "type": "object" } }, "required": ["categoricalVeto"] }),
            json!({ "properties": { "aggregateGrade": { "const": "REJECTED" } } }),
        ),
        when(areas(Area::is_persona_bound), json!({ "required": ["persona"] })),
        when(areas(Area::is_per_skill), json!({ "required": ["skillId"] })),
    ];
    for tier in Tier::ALL {
        conditions.push(when(
            field_is("gradingTier", tier.as_str()),
            json!({ "properties": { "maxAttainableGrade": { "const": tier.cap().as_str() } } }),
        ));
    }
    all_of(schema, conditions);
}

/// Adds the conditions of an envelope.
///
/// Every question of the area is answered once, at least one of them with a score other than `n/a` or
/// `stale`. The area determines whether there is a persona.
pub(crate) fn envelope_conditions(schema: &mut Schema) {
    let mut conditions = vec![json!({
        "properties": { "answers": { "contains": {
            "properties": { "score": { "not": { "enum": ["n/a", "stale"] } } },
            "required": ["score"],
        } } },
    })];
    for area in Area::ALL {
        let questions: Vec<String> =
            (0..area.questions().len()).map(|place| area.question_id(place)).collect();
        let every: Vec<Value> = questions
            .iter()
            .map(|question| json!({ "contains": field_is("questionId", question) }))
            .collect();
        let persona = if area.is_persona_bound() { "object" } else { "null" };
        conditions.push(when(
            field_is("area", area.as_str()),
            json!({
                "properties": {
                    "persona": { "type": persona },
                    "answers": { "minItems": questions.len(), "maxItems": questions.len(), "allOf": every },
                },
            }),
        ));
    }
    all_of(schema, conditions);
}

pub(crate) fn envelope_answer_conditions(schema: &mut Schema) {
    all_of(schema, vec![when(field_is("score", "n/a"), json!({ "required": ["naReason"] }))]);
}

const STAMP: &str = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z";

pub(crate) fn stamped_id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": format!("^[a-f0-9]{{8}}--{STAMP}$") })
}

pub(crate) fn time_or_stamp(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "anyOf": [{ "format": "date-time" }, { "pattern": format!("^{STAMP}$") }],
    })
}

pub(crate) fn iteration(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "minimum": 1, "maximum": 5 })
}

pub(crate) fn answer_conditions(schema: &mut Schema) {
    let llm = json!({
        "properties": { "graderIdentity": field_is("kind", "llm") },
        "required": ["graderIdentity"],
    });
    all_of(
        schema,
        vec![
            when(field_is("determinism", "non-deterministic"), json!({ "required": ["selectionContext"] })),
            when(llm, json!({ "required": ["llmModel"] })),
            when(field_is("score", "n/a"), json!({ "required": ["naReason"] })),
        ],
    );
}

pub(crate) fn veto_conditions(schema: &mut Schema) {
    all_of(
        schema,
        vec![when(field_is("triggeredBy", "ai-security-veto"), json!({ "required": ["reasoning"] }))],
    );
}

pub(crate) fn regrading_conditions(schema: &mut Schema) {
    let needed = json!({ "required": ["reportedIssue", "requestedBy"] });
    all_of(schema, vec![when(field_is("triggeredBy", "user-report"), needed)]);
}

pub(crate) fn weight(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "number", "minimum": 0 })
}

pub(crate) fn date_time(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "format": "date-time" })
}

pub(crate) fn cap(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ["A", "B"] })
}

macro_rules! inline {
    ($name:ident, $schema:expr) => {
        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

inline!(
    Score,
    json_schema!({
        "oneOf": [
            { "type": "number", "minimum": 1, "maximum": 5 },
            { "type": "string", "enum": ["pass", "fail", "stale", "n/a"] },
        ]
    })
);
inline!(Evidence, json_schema!({ "oneOf": [{ "type": "string", "minLength": 1 }, { "type": "object" }] }));
inline!(AggregateGrade, {
    let words: Vec<_> = AggregateGrade::WORDS.iter().map(|(word, _)| *word).collect();
    json_schema!({ "type": "string", "enum": words })
});
