//! Tests the limits of schemas, and the information that validation reveals about a value.
#![allow(clippy::unwrap_used, clippy::panic)] // a test may fail

use fablegrade_public::json::Json;
use fablegrade_schema::{Schema, SchemaError};

fn json(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap()
}

fn refused(schema: &str) -> SchemaError {
    match Schema::new(&json(schema)) {
        Ok(_) => panic!("{schema} was accepted"),
        Err(error) => error,
    }
}

#[test]
fn values_are_judged_with_their_places() {
    let schema = r##"{"type": "object", "required": ["x"], "additionalProperties": false,
        "properties": {"x": {"$ref": "#/$defs/point"}, "y": {"type": "array", "items": {"type": "integer"}}},
        "$defs": {"point": {"type": "number", "minimum": 0}}}"##;
    let schema = Schema::new(&json(schema)).unwrap();
    assert!(schema.is_valid(&json(r#"{"x": 0.5, "y": [1, 2]}"#)));
    let wrong = json(r#"{"x": -1, "y": ["a", 2, "b"]}"#);
    assert!(!schema.is_valid(&wrong));
    assert_eq!(schema.failing(&wrong, 10), ["/x", "/y/0", "/y/2"]);
    assert_eq!(schema.failing(&wrong, 2).len(), 2);
}

#[test]
fn references_stay_inside() {
    assert_eq!(refused(r#"{"$ref": "https://example.org/state.json"}"#), SchemaError::RemoteReference);
    assert_eq!(refused(r#"{"items": [{"$dynamicRef": "other.json#/x"}]}"#), SchemaError::RemoteReference);
}

#[test]
fn expansion_is_bounded_and_cycles_are_not() {
    // Each definition refers to the next one ten times: a million nodes with references expanded.
    let mut defs = String::from(r#""d6": {"type": "number"}"#);
    for i in 0..6 {
        let next = format!(r##"{{"$ref": "#/$defs/d{}"}}"##, i + 1);
        defs += &format!(r#", "d{i}": {{"allOf": [{}]}}"#, vec![next; 10].join(","));
    }
    assert_eq!(
        refused(&format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{defs}}}}}"##)),
        SchemaError::TooLarge
    );

    let tree = r##"{"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}"##;
    let tree = Schema::new(&json(tree)).unwrap();
    assert!(tree.is_valid(&json(r#"{"left": {"right": {}}}"#)));
    assert!(!tree.is_valid(&json(r#"{"left": {"right": 1}}"#)));
}

#[test]
fn patterns_are_regular_and_small() {
    for pattern in ["(?=a)b", r"(a)\\1", "((a{200}){200}){200}"] {
        assert_eq!(refused(&format!(r#"{{"pattern": "{pattern}"}}"#)), SchemaError::Unusable, "{pattern}");
    }
    // This pattern would take exponential time in a backtracking matcher.
    let schema = Schema::new(&json(r#"{"pattern": "^(a+)+$"}"#)).unwrap();
    assert!(!schema.is_valid(&Json::from("a".repeat(50_000) + "b")));
}

#[test]
fn each_error_has_a_way_out() {
    for error in [SchemaError::RemoteReference, SchemaError::TooLarge, SchemaError::Unusable] {
        assert!(!error.rule().is_empty() && !error.help().is_empty() && !error.to_string().is_empty());
    }
}
