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

/// Returns a schema of `levels` definitions, each of which refers to the next one ten times. `define` returns
/// the members of a definition, and `refer` those of a reference.
fn tenfold(levels: usize, define: impl Fn(usize) -> String, refer: impl Fn(usize) -> String) -> String {
    let mut defs = format!(r#""d{levels}": {{{}"type": "number"}}"#, define(levels));
    for level in 0..levels {
        let next = format!("{{{}}}", refer(level + 1));
        defs += &format!(r#", "d{level}": {{{}"allOf": [{}]}}"#, define(level), vec![next; 10].join(","));
    }
    format!(r#"{{{}, "$defs": {{{defs}}}}}"#, refer(0))
}

#[test]
fn every_kind_of_reference_is_expanded() {
    let anchor = tenfold(6, |n| format!(r#""$anchor": "a{n}", "#), |n| format!(r##""$ref": "#a{n}""##));
    assert_eq!(refused(&anchor), SchemaError::TooLarge);
    let dynamic =
        tenfold(6, |n| format!(r#""$dynamicAnchor": "a{n}", "#), |n| format!(r##""$dynamicRef": "#a{n}""##));
    assert_eq!(refused(&dynamic), SchemaError::TooLarge);
    let encoded = tenfold(6, |_| String::new(), |n| format!(r##""$ref": "#/%24defs/%64{n}""##));
    assert_eq!(refused(&encoded), SchemaError::TooLarge);
    let inner = tenfold(6, |_| String::new(), |n| format!(r##""$ref": "#/$defs/d{n}""##));
    let inner = inner.replacen('{', r#"{"$id": "https://example.org/inner", "#, 1);
    assert_eq!(refused(&format!(r#"{{"properties": {{"x": {inner}}}}}"#)), SchemaError::TooLarge);
    // A reference at the root that is repeated, and not nested.
    let flat = vec![r##"{"$ref": "#/$defs/many"}"##; 500].join(",");
    let many = vec![r#"{"minimum": 1}"#; 500].join(",");
    assert_eq!(
        refused(&format!(r#"{{"allOf": [{flat}], "$defs": {{"many": {{"allOf": [{many}]}}}}}}"#)),
        SchemaError::TooLarge
    );
    // Such references are valid if they are few.
    let few = tenfold(2, |n| format!(r#""$anchor": "a{n}", "#), |n| format!(r##""$ref": "#a{n}""##));
    let few = Schema::new(&json(&few)).unwrap();
    assert!(few.is_valid(&json("1")) && !few.is_valid(&json("{}")));
}

#[test]
fn a_reference_to_the_same_value_is_endless() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"not": {"anyOf": [{"$ref": "#"}, true]}}"##,
        r##"{"if": {"oneOf": [{"$ref": "#/if"}]}}"##,
        r##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##,
        r##"{"dependentSchemas": {"properties": {"not": {"$ref": "#"}}}}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"then": {"$ref": "#/$defs/a"}}}}"##,
        r##"{"$anchor": "here", "else": {"$ref": "#here"}}"##,
        r##"{"$dynamicAnchor": "here", "allOf": [{"$dynamicRef": "#here"}]}"##,
        r##"{"allOf": [{"$id": "https://example.org/b", "$ref": "#/x", "x": {"allOf": [{"$ref": "#"}]}}]}"##,
        r##"{"properties": {"const": {"$ref": "#/properties/const"}}}"##,
    ] {
        assert_eq!(refused(schema), SchemaError::EndlessReference, "{schema}");
    }
    // References for parts of the value end with it, and data is not a schema.
    for schema in [
        r##"{"properties": {"not": {"$ref": "#"}, "allOf": {"$ref": "#"}}}"##,
        r##"{"items": {"anyOf": [{"$ref": "#"}, {"type": "number"}]}}"##,
        r##"{"propertyNames": {"$ref": "#"}}"##,
        r##"{"prefixItems": [{"$ref": "#"}, true], "items": {"$ref": "#"}}"##,
        r##"{"enum": [{"$ref": "#"}, {"$ref": "https://example.org"}]}"##,
        r##"{"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}}"##,
    ] {
        assert!(Schema::new(&json(schema)).is_ok(), "{schema}");
    }
}

#[test]
fn recursion_needs_little_stack() {
    // A chain of references, and chains of schemas between them.
    let mut chain = String::from(r#""d10000": true"#);
    for n in 0..10_000 {
        chain += &format!(r##", "d{n}": {{"$ref": "#/$defs/d{}"}}"##, n + 1);
    }
    let chain = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{chain}}}}}"##);
    assert_eq!(refused(&chain), SchemaError::TooLarge);
    let nested = |levels: usize, inner: &str| {
        format!("{}{inner}{}", r#"{"allOf": ["#.repeat(levels), "]}".repeat(levels))
    };
    let wide = nested(40, r##"{"additionalProperties": {"$ref": "#"}}"##);
    assert_eq!(refused(&wide), SchemaError::TooLarge);
    // The deepest values for the largest schemas that are accepted.
    let deep = r#"{"a":"#.repeat(127) + "1" + &"}".repeat(127);
    let schema = Schema::new(&json(&nested(30, r##"{"additionalProperties": {"$ref": "#"}}"##))).unwrap();
    assert!(schema.is_valid(&json(&deep)));
    assert!(schema.failing(&json(&deep), 10).is_empty());
    let mut chain = String::from(r#""d500": {"type": "number"}"#);
    for n in 0..500 {
        chain += &format!(r##", "d{n}": {{"$ref": "#/$defs/d{}"}}"##, n + 1);
    }
    let schema = Schema::new(&json(&format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{chain}}}}}"##))).unwrap();
    assert_eq!(schema.failing(&json("{}"), 10).len(), 1);
}

#[test]
fn recursive_schemas_are_not_exponential_in_the_depth_of_a_value() {
    let nested = |levels: usize| json(&(r#"{"a":"#.repeat(levels) + "1" + &"}".repeat(levels)));
    for doubling in [
        r##"{"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}"##,
        r##"{"anyOf": [{"additionalProperties": {"$ref": "#"}}, {"properties": {"a": {"$ref": "#"}}}]}"##,
        r##"{"patternProperties": {"a": {"$ref": "#"}, "^a": {"$ref": "#"}}}"##,
        r##"{"dependentSchemas": {"a": {"unevaluatedProperties": {"$ref": "#"}}}, "properties": {"a": {"$ref": "#"}}}"##,
    ] {
        let schema = Schema::new(&json(doubling)).unwrap();
        assert!(schema.is_affordable(&nested(8)), "{doubling}");
        assert!(!schema.is_affordable(&nested(40)), "{doubling}");
    }
    let lists = Schema::new(&json(r##"{"items": {"$ref": "#"}, "contains": {"$ref": "#"}}"##)).unwrap();
    assert!(!lists.is_affordable(&json(&("[".repeat(60) + &"]".repeat(60)))));
    // Each part is visited once, or the parts are different ones.
    for linear in [
        r##"{"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}}"##,
        r##"{"anyOf": [{"type": "number"}, {"additionalProperties": {"$ref": "#"}}]}"##,
        r##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"oneOf": [{"type": "number"}, {"type": "object", "properties": {"a": {"$ref": "#/$defs/tree"}}}]}}}"##,
    ] {
        let schema = Schema::new(&json(linear)).unwrap();
        assert!(schema.is_affordable(&nested(120)), "{linear}");
        assert!(schema.is_valid(&nested(120)), "{linear}");
        let wide = "[".to_owned() + &"{\"a\": 1},".repeat(20_000) + "1]";
        assert!(schema.is_affordable(&json(&wide)), "{linear}");
    }
    // A schema without recursion is bounded by its size.
    assert!(Schema::new(&json(r#"{"type": "object"}"#)).unwrap().is_affordable(&nested(120)));
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
    for error in [
        SchemaError::RemoteReference,
        SchemaError::TooLarge,
        SchemaError::EndlessReference,
        SchemaError::Unusable,
    ] {
        assert!(!error.rule().is_empty() && !error.help().is_empty() && !error.to_string().is_empty());
    }
}
