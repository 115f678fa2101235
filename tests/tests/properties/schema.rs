//! The readers accept exactly the documents of the given JSON Schema.

use std::fs;

use fablegrade_core::{AnswerSpec, Attempt, AttemptResult, Submission};
use fablegrade_tests::repository;
use jsonschema::{Draft, Validator};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::dice::dice;
use crate::documents::{attempt, result, spec, submission};
use crate::mutations::mutate;

/// Removes the schema of content. A host's content is opaque to the readers, so every value is valid content.
fn open_content(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields
                .get("$ref")
                .and_then(Value::as_str)
                .is_some_and(|to| to.starts_with("problem.schema.json"))
            {
                fields.remove("$ref");
            }
            fields.values_mut().for_each(open_content);
        }
        Value::Array(items) => items.iter_mut().for_each(open_content),
        _ => {}
    }
}

fn validator(definition: &str) -> Option<Validator> {
    let text = fs::read_to_string(repository().join("../shared/spec/attempt-answer.schema.json")).ok()?;
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    open_content(&mut schema);
    let root = json!({"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": format!("#/$defs/{definition}")});
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
    Some(options.build(&root).unwrap())
}

fn accepts(definition: &str, text: &str) -> (bool, String) {
    let error = match definition {
        "AnswerSpec" => AnswerSpec::from_json(text).err(),
        "Submission" => Submission::from_json(text).err(),
        "Attempt" => Attempt::from_json(text).err(),
        _ => AttemptResult::from_json(text).err(),
    };
    (error.is_none(), error.map(|error| format!("{error:?}")).unwrap_or_default())
}

/// Returns whether a counter is so large that the readers refuse it, although the schema has no such bound.
fn beyond_machine_words(document: &Value) -> bool {
    document["codeResults"].as_array().into_iter().flatten().any(|case| {
        ["caseIndex", "timeMs", "memoryKb"]
            .iter()
            .any(|key| case[key].as_f64().is_some_and(|number| number > 1e9))
    })
}

fn compare(definition: &'static str) {
    let Some(validator) = validator(definition) else { return };
    let config = ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() };
    let (mut accepted, mut refused) = (0u32, 0u32);
    TestRunner::new(config)
        .run(&dice(200), |mut dice| {
            let spec = spec(&mut dice);
            let given = submission(&mut dice, &spec);
            let mut document = match definition {
                "AnswerSpec" => spec,
                "Submission" => given,
                "Attempt" => attempt(&mut dice, &given),
                _ => result(&mut dice),
            };
            for _ in 0..dice.below(4) {
                mutate(&mut dice, &mut document);
            }
            if beyond_machine_words(&document) {
                return Ok(());
            }
            let expected = validator.is_valid(&document);
            let (found, error) = accepts(definition, &document.to_string());
            prop_assert_eq!(expected, found, "{} {}", document, error);
            Ok(())
        })
        .unwrap();
    // The mutations must produce both accepted and refused documents.
    let mut runner = TestRunner::deterministic();
    for _ in 0..200 {
        let mut dice = dice(200).new_tree(&mut runner).unwrap().current();
        let spec = spec(&mut dice);
        let given = submission(&mut dice, &spec);
        let mut document = match definition {
            "AnswerSpec" => spec,
            "Submission" => given,
            "Attempt" => attempt(&mut dice, &given),
            _ => result(&mut dice),
        };
        if dice.coin() {
            mutate(&mut dice, &mut document);
        }
        if validator.is_valid(&document) { accepted += 1 } else { refused += 1 }
    }
    assert!(accepted > 20 && refused > 20, "{accepted} accepted, {refused} refused");
}

#[test]
fn specs_are_those_of_the_schema() {
    compare("AnswerSpec");
}

#[test]
fn submissions_are_those_of_the_schema() {
    compare("Submission");
}

#[test]
fn attempts_are_those_of_the_schema() {
    compare("Attempt");
}

#[test]
fn results_are_those_of_the_schema() {
    compare("AttemptResult");
}
