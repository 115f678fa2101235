//! Editor help in a schema: an example per field and a description per allowed word.

use serde_json::{Map, Value};

/// Examples by field. `Owner.field` takes precedence over `field`; the owner is a definition or a question
/// type.
const EXAMPLES: &[(&str, &str)] = &[
    ("$schema", r#""https://fablegrade.dev/schemas/1/AnswerSpec.json""#),
    ("Criterion.criterion", r#""Induction step""#),
    ("Criterion.description", r#""Uses the assumption for n.""#),
    ("Domain.max", "10"),
    ("Domain.min", "0"),
    ("Harness.mode", r#""function""#),
    ("ItemView.content", r#""Venus""#),
    ("ItemView.id", r#""p2""#),
    ("Pair.left", r#""q1""#),
    ("Pair.right", r#""u3""#),
    ("SuiteSpec.name", r#""Examples""#),
    ("TestCase.expected", r#""3\n""#),
    ("TestCase.name", r#""two numbers""#),
    ("TestCase.points", "2"),
    ("Unit.expected", r#""m/s""#),
    ("Variable.name", r#""x""#),
    ("accepted", r#"["newton"]"#),
    ("allowManyToOne", "true"),
    ("allowMath", "true"),
    ("allowedFunctions", r#"["sin", "ln"]"#),
    ("amount", "0.05"),
    ("answer", r#"{"value": 9.81, "tolerance": {"mode": "absolute", "amount": 0.02}}"#),
    ("canonical", r#""\\frac{x^2}{2}""#),
    ("cases", r#"[{"input": "1 2\n", "expected": "3\n"}]"#),
    (
        "choices",
        r#"[{"id": "c1", "content": "4", "correct": true}, {"id": "c2", "content": "5", "correct": false}]"#,
    ),
    ("code.limits", r#"{"timeMsPerCase": 2000}"#),
    ("config", r#"{"unit": "V"}"#),
    ("content", r#""Oxygen""#),
    ("correct", "true"),
    ("correctOrder", r#"["p4", "p2"]"#),
    ("correctPairs", r#"[{"left": "q1", "right": "u3"}, {"left": "q2", "right": "u1"}]"#),
    ("domain", r#"{"min": 0, "max": 10}"#),
    ("equivalence", r#""symbolic""#),
    ("exclude", "[0]"),
    ("expectedState", r#"{"point": 7}"#),
    ("feedback", r#""Helium takes part in no reaction.""#),
    ("floatTolerance", "0.001"),
    ("forbidConstantAnswer", "false"),
    ("functionName", r#""square""#),
    ("gradingMode", r#""reviewer""#),
    ("harness", r#"{"mode": "function", "functionName": "square"}"#),
    ("id", r#""c1""#),
    ("input", r#""1 2\n""#),
    ("inputHint", r#""two decimals""#),
    ("integer", "true"),
    ("integerOnly", "true"),
    ("languages", r#"["python", "c"]"#),
    ("left", r#"[{"id": "q1", "content": "Force"}, {"id": "q2", "content": "Energy"}]"#),
    ("matcher", r#""tokens""#),
    ("max", "6"),
    ("maxWords", "300"),
    ("memoryMb", "256"),
    ("min", "4"),
    ("minWords", "100"),
    ("mode", r#""absolute""#),
    ("multipleSelect", "true"),
    ("name", r#""circuit_check""#),
    ("ordering.items", r#"[{"id": "p2", "content": "Venus"}, {"id": "p4", "content": "Mercury"}]"#),
    ("ordering.partialCredit", r#""adjacent_pairs""#),
    ("outputKb", "64"),
    ("params", r#"{"from": 0, "to": 10}"#),
    ("partialCredit", "true"),
    ("points", "3"),
    ("prompt", r#""From the Sun outwards""#),
    ("required", "true"),
    ("right", r#"[{"id": "u3", "content": "Newton"}, {"id": "u1", "content": "Joule"}]"#),
    ("rubric", r#"[{"criterion": "Induction step", "points": 3}]"#),
    ("samplePoints", "20"),
    ("selfAssessChecklist", r#"["It mentions osmosis."]"#),
    ("shuffleChoices", "false"),
    ("sourceKb", "64"),
    ("starterCode", r#"{"python": "def square(n):\n    pass\n"}"#),
    (
        "stateSchema",
        r#"{"type": "object", "required": ["country"], "properties": {"country": {"enum": ["FR"]}}}"#,
    ),
    (
        "testSuites",
        r#"[{"name": "Examples", "visibility": "public", "cases": [{"input": "1 2\n", "expected": "3\n"}]}]"#,
    ),
    ("timeMsPerCase", "2000"),
    ("timeoutMs", "5000"),
    ("numeric.tolerance", r#"{"mode": "relative", "amount": 0.05}"#),
    ("tolerance", "0.0001"),
    ("unit", r#"{"expected": "m/s", "required": true}"#),
    ("validator", r#"{"kind": "state_equals", "expectedState": {"point": 7}}"#),
    ("value", "9.81"),
    ("variables", r#"[{"name": "x", "domain": {"min": 0}}]"#),
    ("visibility", r#""hidden""#),
    ("widgetName", r#""number-line""#),
    ("widgetVersion", r#""1.0.0""#),
    ("python", r#""def square(n):\n    pass\n""#),
    ("javascript", r#""function square(n) {\n}\n""#),
    ("c", r#""long square(long n) {\n    return 0;\n}\n""#),
    ("cpp", r#""long square(long n) {\n    return 0;\n}\n""#),
    ("java", r#""class Main {\n}\n""#),
    ("rust", r#""fn main() {\n}\n""#),
    ("go", r#""package main\n""#),
];

/// Descriptions of the words of `enum` fields.
const WORDS: &[(&str, &str)] = &[
    ("absolute", "A distance: |answer - value| is at most the amount."),
    ("adjacent_pairs", "The share of neighbours of the right order that are next to each other."),
    ("c", "C17."),
    ("cpp", "C++20."),
    ("exact", "The same bytes."),
    ("float_tolerance", "The same tokens; numbers within `floatTolerance`."),
    ("function", "A function is called with the JSON array of the input."),
    ("go", "Go."),
    ("hidden", "Only the author sees the cases; learners see verdicts."),
    ("java", "Java."),
    ("javascript", "JavaScript on Node."),
    ("json", "The same JSON value."),
    ("literal", "The same form up to the order of sums and products."),
    ("longest_subsequence", "The share of the longest subsequence in the right order."),
    ("none", "Only the right order earns points."),
    ("numeric_sampling", "Close at random points, within `tolerance`."),
    ("peer_review", "Other learners grade with the rubric."),
    ("public", "Everybody sees the cases."),
    ("python", "Python 3."),
    ("relative", "A share of the value: 0.05 is 5 %."),
    ("reviewer", "A person grades with the rubric."),
    ("rust", "Rust."),
    ("self_assess", "Learners tick the checklist."),
    ("stdin_stdout", "The input is standard input; standard output is compared."),
    ("symbolic", "Equal as expressions, by proof or refutation."),
    ("tokens", "The same words between blanks and line breaks."),
    ("trimmed_lines", "The same lines; blanks at their ends and empty lines at the end do not count."),
];

/// Adds examples, missing descriptions and the meanings of words to a generated schema.
pub(super) fn annotate(schema: &mut Value) {
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        for (name, definition) in definitions {
            annotate_below(definition, &name.clone());
        }
    }
    if let Some(branches) = schema.get_mut("oneOf").and_then(Value::as_array_mut) {
        for branch in branches {
            let owner =
                branch.pointer("/properties/type/const").and_then(Value::as_str).unwrap_or("").to_owned();
            annotate_below(branch, &owner);
        }
    }
}

/// Allows the field `$schema`, by which a question in a separate file can name its schema.
pub(super) fn allow_schema_field(schema: &mut Value) {
    for branch in schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(properties) = branch.get_mut("properties").and_then(Value::as_object_mut) {
            let field = serde_json::json!({
                "description": "The schema, for editors; only if the question is a separate file.",
                "type": "string"
            });
            properties.insert("$schema".to_owned(), field);
        }
    }
}

// The recursion is bounded, because the generated schemas have a known depth.
fn annotate_below(node: &mut Value, owner: &str) {
    match node {
        Value::Array(items) => items.iter_mut().for_each(|item| annotate_below(item, owner)),
        Value::Object(fields) => {
            meanings(fields);
            for (key, value) in fields.iter_mut() {
                if key == "properties" {
                    for (name, field) in value.as_object_mut().into_iter().flatten() {
                        if let Some(field) = field.as_object_mut() {
                            annotate_field(field, name, owner);
                        }
                        annotate_below(field, owner);
                    }
                } else if matches!(key.as_str(), "oneOf" | "anyOf" | "allOf" | "items") {
                    annotate_below(value, owner);
                }
            }
        }
        _ => {}
    }
}

fn annotate_field(field: &mut Map<String, Value>, name: &str, owner: &str) {
    if !field.contains_key("description") {
        let description = match (name, field.get("const")) {
            ("type", Some(_)) => "The question type.".to_owned(),
            _ => format!("Starter code in the language `{name}`."),
        };
        field.insert("description".to_owned(), description.into());
    }
    if field.contains_key("const") || field.contains_key("examples") {
        return;
    }
    let own = format!("{owner}.{name}");
    let find = |name: &str| EXAMPLES.iter().find(|(other, _)| *other == name).map(|(_, example)| *example);
    if let Some(example) = find(&own).or_else(|| find(name))
        && let Ok(example) = serde_json::from_str::<Value>(example)
    {
        field.insert("examples".to_owned(), Value::Array(vec![example]));
    }
}

fn meanings(fields: &mut Map<String, Value>) {
    let Some(words) = fields.get("enum").and_then(Value::as_array) else { return };
    let meaning = |word: &Value| {
        WORDS.iter().find(|(other, _)| word.as_str() == Some(other)).map(|(_, meaning)| Value::from(*meaning))
    };
    let all: Option<Vec<Value>> = words.iter().map(meaning).collect();
    if let Some(all) = all {
        fields.insert("enumDescriptions".to_owned(), Value::Array(all));
    }
}
