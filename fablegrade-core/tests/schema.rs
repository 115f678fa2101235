//! Checks that the committed schemas are up to date and accept the same documents as the readers.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use fablegrade_core::json::{Document, Read};
use fablegrade_core::schema::{DOCUMENTS, document_schema};
use fablegrade_core::{AnswerSpec, Attempt, AttemptResult, Submission};
use jsonschema::{Draft, Validator};
use serde_json::Value;

fn validator(schema: &Value) -> Validator {
    jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true).build(schema).unwrap()
}

fn generated(name: &str) -> Value {
    serde_json::from_str(&document_schema(name).unwrap()).unwrap()
}

/// Returns the format's reference schema, if it exists next to the project. Content of the host's types can
/// be any value.
fn given(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/spec/attempt-answer.schema.json");
    let text = std::fs::read_to_string(path).ok()?;
    let text = text
        .replace("\"$ref\": \"problem.schema.json#/$defs/InlineContent\"", "\"title\": \"content\"")
        .replace("\"$ref\": \"problem.schema.json#/$defs/RichContent\"", "\"title\": \"content\"");
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    schema["$ref"] = format!("#/$defs/{name}").into();
    schema.as_object_mut().unwrap().remove("$id");
    Some(schema)
}

fn reads<T: Read>(text: &str) -> bool {
    Document::parse(text.as_bytes()).and_then(|document| document.read::<T>()).is_ok()
}

fn reader_accepts(name: &str, text: &str) -> bool {
    match name {
        "AnswerSpec" => reads::<AnswerSpec>(text),
        "Submission" => reads::<Submission>(text),
        "Attempt" => reads::<Attempt>(text),
        _ => reads::<AttemptResult>(text),
    }
}

#[test]
fn the_committed_schemas_are_the_generated_ones() {
    for name in DOCUMENTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../schemas/{name}.json"));
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == document_schema(name).unwrap(),
            "{name}: run `cargo run -p fablegrade-core --features schema --example schemas`"
        );
    }
}

/// Collects every field below a schema, with its pointer.
fn fields<'s>(schema: &'s Value, at: &str, found: &mut Vec<(String, &'s Value)>) {
    match schema {
        Value::Object(object) => {
            for (key, value) in object {
                if key == "examples" {
                    continue;
                }
                if key == "properties" {
                    found.extend(
                        value
                            .as_object()
                            .unwrap()
                            .iter()
                            .map(|(name, field)| (format!("{at}/{name}"), field)),
                    );
                }
                fields(value, &format!("{at}/{key}"), found);
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| fields(item, &format!("{at}/{index}"), found))
        }
        _ => {}
    }
}

#[test]
fn every_field_of_a_question_is_described_with_a_valid_example() {
    let schema = generated("AnswerSpec");
    let mut found = Vec::new();
    fields(&schema, "", &mut found);
    assert!(found.len() > 100);
    for (at, field) in found {
        assert!(field.get("description").is_some(), "{at}: no description");
        if let Some(words) = field.get("enum").and_then(Value::as_array) {
            let meanings =
                field["enumDescriptions"].as_array().unwrap_or_else(|| panic!("{at}: no meanings of words"));
            assert_eq!(words.len(), meanings.len(), "{at}");
        }
        if field.get("const").is_some() {
            continue;
        }
        let examples =
            field.get("examples").and_then(Value::as_array).unwrap_or_else(|| panic!("{at}: no example"));
        let mut alone = field.clone();
        alone["$defs"] = schema["$defs"].clone();
        for example in examples {
            assert!(validator(&alone).is_valid(example), "{at}: the example {example} is not valid");
        }
    }
}

#[test]
fn a_file_may_name_its_schema() {
    let text = r#"{"$schema":"https://fablegrade.dev/schemas/1/AnswerSpec.json","type":"numeric","answer":{"value":4}}"#;
    assert!(validator(&generated("AnswerSpec")).is_valid(&serde_json::from_str(text).unwrap()));
    let spec = AnswerSpec::from_json(text).unwrap();
    assert_eq!(spec, AnswerSpec::from_json(r#"{"type":"numeric","answer":{"value":4}}"#).unwrap());
    assert!(!spec.to_json_with_key().contains("schema"));
    assert!(
        AnswerSpec::from_json(text.replace("\"https://fablegrade.dev/schemas/1/AnswerSpec.json\"", "1"))
            .is_err()
    );
}

const DOCUMENTS_TO_MUTATE: &[(&str, &str)] = &[
    (
        "AnswerSpec",
        r#"{"type":"multiple_choice","multipleSelect":true,"shuffleChoices":false,"partialCredit":true,"choices":[{"id":"a","content":"A","correct":true,"feedback":"yes"},{"id":"b","content":{"x":[1]},"correct":false}]}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"numeric","answer":{"value":1.5,"tolerance":{"mode":"absolute","amount":0.1}},"integerOnly":false,"unit":{"expected":"m","required":true,"accepted":["metre"]},"inputHint":"h"}"#,
    ),
    ("AnswerSpec", r#"{"type":"numeric","answer":{"min":1,"max":2}}"#),
    (
        "AnswerSpec",
        r#"{"type":"expression","canonical":"x","equivalence":"symbolic","variables":[{"name":"x","domain":{"min":-1,"max":20.0,"exclude":[0],"integer":true}}],"samplePoints":20.0,"tolerance":0.001,"allowedFunctions":["sin"],"forbidConstantAnswer":true}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"free_text","gradingMode":"reviewer","minWords":1,"maxWords":10,"allowMath":true,"rubric":[{"criterion":"c","points":20,"description":"d"}],"selfAssessChecklist":["a"]}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"code","languages":["python","c"],"starterCode":{"python":"x"},"harness":{"mode":"function","functionName":"f"},"testSuites":[{"name":"s","visibility":"hidden","cases":[{"name":"n","input":"[]","expected":"1","matcher":"json","floatTolerance":0.01,"points":100,"timeoutMs":100}]}],"limits":{"timeMsPerCase":100,"memoryMb":512,"outputKb":1,"sourceKb":256}}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"ordering","prompt":"p","items":[{"id":"a","content":1},{"id":"b","content":null}],"correctOrder":["a","b"],"partialCredit":"adjacent_pairs"}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"matching","prompt":"p","left":[{"id":"a","content":1},{"id":"b","content":2}],"right":[{"id":"a","content":1},{"id":"b","content":2}],"correctPairs":[{"left":"a","right":"a"},{"left":"b","right":"b"}],"allowManyToOne":true,"partialCredit":false}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"widget","widgetName":"number-line","widgetVersion":"1.0.0","params":{"a":1},"validator":{"kind":"state_equals","expectedState":{"x":1}}}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"widget","widgetName":"n","widgetVersion":"10.20.30","validator":{"kind":"state_schema","stateSchema":{}}}"#,
    ),
    (
        "AnswerSpec",
        r#"{"type":"widget","widgetName":"n","widgetVersion":"1.2.3","validator":{"kind":"builtin","name":"graph_check","config":{}}}"#,
    ),
    ("Submission", r#"{"type":"multiple_choice","selectedChoiceIds":["a","b"]}"#),
    ("Submission", r#"{"type":"numeric","value":1e3,"unit":"m"}"#),
    ("Submission", r#"{"type":"expression","latex":"x"}"#),
    ("Submission", r#"{"type":"free_text","content":{"text":"t"},"selfAssessment":[true,false]}"#),
    ("Submission", r#"{"type":"code","language":"rust","source":"fn main(){}"}"#),
    ("Submission", r#"{"type":"ordering","order":["a","b"]}"#),
    ("Submission", r#"{"type":"matching","pairs":[{"left":"a","right":"b"},{"left":"a","right":"b"}]}"#),
    ("Submission", r#"{"type":"widget","state":{"x":[1,2]}}"#),
    (
        "Attempt",
        r#"{"attemptId":"3f2b8c1e-0d4a-4f6b-9a57-2c1d8e7f6a5b","problemId":"3f2b8c1e-0d4a-4f6b-9a57-2c1d8e7f6a5b","problemVersionId":"3f2b8c1e-0d4a-4f6b-9a57-2c1d8e7f6a5b","userId":"3f2b8c1e-0d4a-4f6b-9a57-2c1d8e7f6a5b","submittedAt":"2026-03-01T09:30:00Z","timeSpentSeconds":86400,"hintsUsed":["h1","h2"],"clientContext":{"locale":"de","platform":"pwa","offlineQueued":false},"submission":{"type":"numeric","value":1}}"#,
    ),
    (
        "AttemptResult",
        r#"{"attemptId":"3f2b8c1e-0d4a-4f6b-9a57-2c1d8e7f6a5b","verdict":"partial","score":0.5,"scorePenaltyApplied":0.8,"gradedBy":"auto","gradedAt":"2026-03-01T09:30:00+01:00","feedback":[{"message":"m","severity":"hint"}],"codeResults":[{"suite":"s","caseIndex":0,"caseName":"n","verdict":"passed","timeMs":1,"memoryKb":2,"stderrExcerpt":"e","diffExcerpt":"d"}]}"#,
    ),
];

/// Collects the pointers of all values of a document.
fn places(value: &Value, at: &str, out: &mut Vec<String>) {
    out.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| places(item, &format!("{at}/{i}"), out))
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), out))
        }
        _ => {}
    }
}

/// Returns replacements for a value, chosen to violate each rule.
fn replacements(value: &Value) -> Vec<Value> {
    let mut list = vec![
        Value::Null,
        true.into(),
        0.into(),
        (-1).into(),
        1.into(),
        0.5.into(),
        0.8000000000000002.into(),
        1.0000000000000002.into(),
        20.0.into(),
        101.into(),
        100_000.into(),
        "".into(),
        "x".into(),
        "é x".into(),
        "2026-02-30T00:00:00Z".into(),
        "x".repeat(31).into(),
        "x".repeat(33).into(),
        "ü".repeat(300).into(),
        "x".repeat(301).into(),
        "x".repeat(2001).into(),
        serde_json::json!({}),
        serde_json::json!([]),
    ];
    if let Value::Array(items) = value
        && let Some(first) = items.first()
    {
        list.push(vec![first.clone(); 1].into());
        list.push(vec![first.clone(); 11].into());
        list.push(vec![first.clone(); 15].into());
    }
    list
}

fn mutants(document: &Value) -> Vec<Value> {
    let mut all = vec![document.clone()];
    let mut at = Vec::new();
    places(document, "", &mut at);
    for place in &at {
        let value = document.pointer(place).unwrap();
        for replacement in replacements(value) {
            let mut mutant = document.clone();
            *mutant.pointer_mut(place).unwrap() = replacement;
            all.push(mutant);
        }
        if let Value::Object(fields) = value {
            for key in fields.keys() {
                let mut removed = document.clone();
                removed.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(key);
                all.push(removed);
            }
            let mut added = document.clone();
            added.pointer_mut(place).unwrap().as_object_mut().unwrap().insert("surplus".into(), 1.into());
            all.push(added);
        }
    }
    all
}

#[test]
fn readers_generated_and_given_schemas_agree_on_every_mutant() {
    let mut accepted = 0;
    let mut refused = 0;
    for (name, document) in DOCUMENTS_TO_MUTATE {
        let document: Value = serde_json::from_str(document).unwrap();
        let ours = validator(&generated(name));
        let theirs = given(name).map(|schema| validator(&schema));
        for mutant in mutants(&document) {
            let text = mutant.to_string();
            let read = reader_accepts(name, &text);
            assert_eq!(read, ours.is_valid(&mutant), "{name}: the generated schema disagrees on {text}");
            if let Some(theirs) = &theirs {
                assert_eq!(read, theirs.is_valid(&mutant), "{name}: the given schema disagrees on {text}");
            }
            if read { accepted += 1 } else { refused += 1 }
        }
        assert!(reader_accepts(name, &document.to_string()), "{name}: {document}");
    }
    assert!(accepted > 200 && refused > 2_000, "{accepted} {refused}");
}
