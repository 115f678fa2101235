//! Random documents: specs of any type, submissions that usually fit them, outcomes, attempts and results.

use serde_json::{Map, Value, json};

use crate::dice::Dice;

pub(crate) const TYPES: [&str; 8] =
    ["multiple_choice", "numeric", "expression", "free_text", "code", "ordering", "matching", "widget"];

fn ids(count: usize, prefix: &str) -> Vec<String> {
    (0..count).map(|n| format!("{prefix}{n}")).collect()
}

fn content(dice: &mut Dice, id: &str) -> Value {
    match dice.below(4) {
        0 => json!(format!("content {id}")),
        1 => json!({"type": "text", "text": format!("rich {id}"), "marks": [null, 1.5]}),
        2 => json!([{"latex": "x^2"}, {"text": id}]),
        _ => json!("the same for many"),
    }
}

fn items(dice: &mut Dice, ids: &[String]) -> Vec<Value> {
    ids.iter().map(|id| json!({"id": id, "content": content(dice, id)})).collect()
}

/// Adds a field in half of the cases.
fn maybe(dice: &mut Dice, object: &mut Value, key: &str, value: impl FnOnce(&mut Dice) -> Value) {
    if dice.coin() {
        object[key] = value(dice);
    }
}

fn number(dice: &mut Dice) -> Value {
    dice.one_of(&[
        json!(3),
        json!(0),
        json!(-7),
        json!(0.3),
        json!(2.5),
        json!(1e-7),
        json!(6.5e20),
        json!(4.0),
    ])
}

fn flag(dice: &mut Dice) -> Value {
    Value::Bool(dice.coin())
}

/// Returns a spec that is valid against the schema; most can be graded too.
pub(crate) fn spec(dice: &mut Dice) -> Value {
    let kind = dice.one_of(&TYPES);
    let mut spec = json!({"type": kind});
    for (key, value) in public_fields(dice, kind) {
        spec[key] = value;
    }
    rekey(dice, &mut spec);
    spec
}

fn public_fields(dice: &mut Dice, kind: &str) -> Map<String, Value> {
    let mut spec = json!({});
    match kind {
        "multiple_choice" => {
            let count = dice.between(2, 6);
            spec["choices"] = Value::Array(items(dice, &ids(count, "c")));
            maybe(dice, &mut spec, "multipleSelect", flag);
            maybe(dice, &mut spec, "partialCredit", flag);
            maybe(dice, &mut spec, "shuffleChoices", flag);
        }
        "numeric" => {
            maybe(dice, &mut spec, "integerOnly", |_| json!(false));
            maybe(dice, &mut spec, "unit", |dice| {
                let mut unit = json!({"expected": "m/s"});
                maybe(dice, &mut unit, "required", flag);
                maybe(dice, &mut unit, "accepted", |_| json!(["meters per second", "m s⁻¹"]));
                unit
            });
            maybe(dice, &mut spec, "inputHint", |_| json!("two digits"));
        }
        "expression" => {
            spec["equivalence"] =
                dice.one_of(&[json!("symbolic"), json!("numeric_sampling"), json!("literal")]);
            maybe(dice, &mut spec, "variables", |dice| {
                let mut variable = json!({"name": "x"});
                maybe(dice, &mut variable, "domain", |dice| {
                    let mut domain = json!({});
                    maybe(dice, &mut domain, "min", |_| json!(1));
                    maybe(dice, &mut domain, "max", |_| json!(9.5));
                    maybe(dice, &mut domain, "exclude", |_| json!([2, 3.5]));
                    maybe(dice, &mut domain, "integer", flag);
                    domain
                });
                json!([variable, {"name": "y_1"}])
            });
            maybe(dice, &mut spec, "samplePoints", |_| json!(20.0));
            maybe(dice, &mut spec, "tolerance", |_| json!(1e-4));
            maybe(dice, &mut spec, "allowedFunctions", |_| json!(["sin", "cos", "exp"]));
            maybe(dice, &mut spec, "forbidConstantAnswer", flag);
        }
        "free_text" => {
            spec["gradingMode"] =
                dice.one_of(&[json!("self_assess"), json!("peer_review"), json!("reviewer")]);
            maybe(dice, &mut spec, "minWords", |_| json!(2));
            maybe(dice, &mut spec, "maxWords", |_| json!(10));
            maybe(dice, &mut spec, "allowMath", flag);
            maybe(
                dice,
                &mut spec,
                "rubric",
                |_| json!([{"criterion": "clear", "points": 3, "description": "d"}]),
            );
            maybe(dice, &mut spec, "selfAssessChecklist", |_| json!(["one", "two", "three"]));
        }
        "code" => {
            spec["languages"] = json!(["python", "rust"]);
            spec["limits"] = json!({"timeMsPerCase": 1000, "sourceKb": 1});
            maybe(dice, &mut spec, "starterCode", |_| json!({"rust": "fn main() {}"}));
            maybe(dice, &mut spec, "harness", |_| json!({"mode": "function", "functionName": "solve"}));
            spec["testSuites"] = json!([
                {"name": "samples", "visibility": "public", "cases": [case(dice), case(dice)]},
                {"name": "secret", "visibility": "hidden"},
            ]);
        }
        "ordering" => {
            let count = dice.between(2, 7);
            spec["items"] = Value::Array(items(dice, &ids(count, "i")));
            maybe(dice, &mut spec, "prompt", |_| json!("Sort them"));
            maybe(dice, &mut spec, "partialCredit", |dice| {
                dice.one_of(&[json!("none"), json!("adjacent_pairs"), json!("longest_subsequence")])
            });
        }
        "matching" => {
            let (left, right) = (dice.between(2, 5), dice.between(2, 6));
            spec["left"] = Value::Array(items(dice, &ids(left, "l")));
            spec["right"] = Value::Array(items(dice, &ids(right, "r")));
            maybe(dice, &mut spec, "allowManyToOne", flag);
            maybe(dice, &mut spec, "partialCredit", flag);
            maybe(dice, &mut spec, "prompt", |_| json!("Match them"));
        }
        _ => {
            spec["widgetName"] = json!("number-line");
            spec["widgetVersion"] = json!("1.0.0");
            maybe(dice, &mut spec, "params", |_| json!({"from": 0, "to": 10.5}));
        }
    }
    spec.as_object().cloned().unwrap_or_default()
}

fn case(dice: &mut Dice) -> Value {
    let mut case = json!({"input": "[1, 2]", "expected": dice.one_of(&["1", "2\n", "[1, 2.0]", "0.5 x"])});
    maybe(dice, &mut case, "matcher", |dice| {
        dice.one_of(&[json!("exact"), json!("trimmed_lines"), json!("tokens"), json!("float_tolerance")])
    });
    maybe(dice, &mut case, "floatTolerance", |_| json!(0.001));
    maybe(dice, &mut case, "points", |_| json!(3));
    maybe(dice, &mut case, "timeoutMs", |_| json!(500));
    maybe(dice, &mut case, "name", |_| json!("a case"));
    case
}

/// Replaces the key, and only the key, by another key that is valid against the schema.
pub(crate) fn rekey(dice: &mut Dice, spec: &mut Value) {
    let names = |list: &Value| -> Vec<Value> {
        list.as_array().into_iter().flatten().map(|item| item["id"].clone()).collect()
    };
    match spec["type"].as_str().unwrap_or_default() {
        "multiple_choice" => {
            let right = dice.below(spec["choices"].as_array().map_or(1, Vec::len));
            for (at, choice) in spec["choices"].as_array_mut().into_iter().flatten().enumerate() {
                choice["correct"] = json!(at == right || dice.below(3) == 0);
                if let Some(choice) = choice.as_object_mut() {
                    choice.remove("feedback");
                }
                maybe(dice, choice, "feedback", |dice| {
                    dice.one_of(&[json!("try again"), json!([{"text": "no"}])])
                });
            }
        }
        "numeric" => {
            spec["answer"] = match dice.below(4) {
                0 => json!({"value": number(dice)}),
                1 => json!({"value": number(dice), "tolerance": {"mode": "absolute", "amount": 0.5}}),
                2 => json!({"value": number(dice), "tolerance": {"mode": "relative", "amount": 0.1}}),
                _ => json!({"min": -1, "max": number(dice)}),
            };
        }
        "expression" => {
            spec["canonical"] = dice.one_of(&[json!("x+1"), json!("2x"), json!("3"), json!("\\frac{x^2}{2}")])
        }
        "code" => {
            let cases: Vec<Value> = (0..dice.between(1, 3)).map(|_| case(dice)).collect();
            for suite in spec["testSuites"].as_array_mut().into_iter().flatten() {
                if suite["visibility"] == "hidden" {
                    suite["cases"] = Value::Array(cases.clone());
                }
            }
        }
        "ordering" => {
            let mut order = names(&spec["items"]);
            dice.shuffle(&mut order);
            spec["correctOrder"] = Value::Array(order);
        }
        "matching" => {
            let (mut left, mut right) = (names(&spec["left"]), names(&spec["right"]));
            dice.shuffle(&mut left);
            dice.shuffle(&mut right);
            let count = dice.between(2, left.len().min(right.len()));
            let pairs = left.into_iter().zip(right).take(count);
            spec["correctPairs"] = pairs.map(|(left, right)| json!({"left": left, "right": right})).collect();
        }
        "widget" => {
            spec["validator"] = match dice.below(3) {
                0 => json!({"kind": "state_equals", "expectedState": {"x": number(dice)}}),
                1 => json!({"kind": "state_schema", "stateSchema": {"required": ["x"]}}),
                _ => json!({"kind": "state_schema", "stateSchema": {"properties": {"x": {"maximum": 1}}}}),
            };
        }
        _ => {}
    }
}

/// Returns a submission for `spec`, correct or incorrect. A few are of another type or contain unknown ids.
pub(crate) fn submission(dice: &mut Dice, spec: &Value) -> Value {
    let kind = if dice.below(16) == 15 { dice.one_of(&TYPES).into() } else { spec["type"].clone() };
    let kind = kind.as_str().unwrap_or_default();
    let mut known = |list: &str, stray: &str| -> Vec<Value> {
        let mut ids: Vec<Value> =
            spec[list].as_array().into_iter().flatten().map(|item| item["id"].clone()).collect();
        if ids.is_empty() || dice.below(20) == 19 {
            ids.push(json!(stray));
        }
        if ids.len() < 2 {
            ids.push(json!("another"));
        }
        dice.shuffle(&mut ids);
        ids
    };
    match kind {
        "multiple_choice" => {
            let mut ids = known("choices", "stray");
            ids.truncate(dice.between(1, ids.len()));
            json!({"type": kind, "selectedChoiceIds": ids})
        }
        "numeric" => {
            let mut submission = json!({"type": kind, "value": number(dice)});
            maybe(dice, &mut submission, "unit", |dice| {
                dice.one_of(&[json!("m/s"), json!(" km/h"), json!("")])
            });
            submission
        }
        "expression" => json!({"type": kind, "latex": dice.one_of(&["1+x", "x+x", "\\frac{", "3", "z"])}),
        "free_text" => {
            let text = dice.one_of(&[json!("two words"), json!(""), json!([{"latex": "x"}, "y z"])]);
            let mut submission = json!({"type": kind, "content": text});
            maybe(dice, &mut submission, "selfAssessment", |dice| {
                (0..dice.between(0, 4)).map(|_| flag(dice)).collect()
            });
            submission
        }
        "code" => {
            let language = dice.one_of(&["python", "rust", "go"]);
            json!({"type": kind, "language": language, "source": "x".repeat(dice.one_of(&[1, 1024, 1025]))})
        }
        "ordering" => json!({"type": kind, "order": known("items", "stray")}),
        "matching" => {
            let (left, right) = (known("left", "stray"), known("right", "stray"));
            let count = dice.between(1, left.len());
            let pairs = left.into_iter().zip(right.into_iter().cycle()).take(count);
            json!({"type": kind, "pairs": pairs.map(|(l, r)| json!({"left": l, "right": r})).collect::<Value>()})
        }
        _ => json!({"type": kind, "state": {"x": number(dice)}}),
    }
}

/// Returns an outcome per case of a code spec.
pub(crate) fn outcomes(dice: &mut Dice, spec: &Value) -> Value {
    let mut all = Vec::new();
    for suite in spec["testSuites"].as_array().into_iter().flatten() {
        for index in 0..suite["cases"].as_array().map_or(0, Vec::len) {
            let end = dice.one_of(&[
                "exited",
                "exited",
                "exited",
                "timeout",
                "compile_error",
                "skipped",
                "sandbox_error",
            ]);
            let printed = dice.one_of(&["1\n", "2", "[1,2]", "0.5 x", "else"]);
            all.push(json!({"suite": suite["name"], "caseIndex": index, "end": end, "stdout": printed,
                            "returned": printed, "stderr": "careful", "timeMs": 3}));
        }
    }
    Value::Array(all)
}

/// Returns an attempt that contains `submission`.
pub(crate) fn attempt(dice: &mut Dice, submission: &Value) -> Value {
    let mut attempt = json!({"problemId": "11111111-1111-4111-8111-111111111111", "submission": submission,
                             "problemVersionId": "22222222-2222-4222-8222-222222222222"});
    maybe(dice, &mut attempt, "attemptId", |_| json!("33333333-3333-4333-8333-333333333333"));
    maybe(dice, &mut attempt, "userId", |_| json!("44444444-4444-4444-8444-444444444444"));
    maybe(dice, &mut attempt, "submittedAt", |_| json!("2026-03-01T09:30:00Z"));
    maybe(dice, &mut attempt, "timeSpentSeconds", |_| json!(60));
    maybe(dice, &mut attempt, "hintsUsed", |dice| json!(ids(dice.between(0, 8), "h")));
    maybe(
        dice,
        &mut attempt,
        "clientContext",
        |_| json!({"locale": "de", "platform": "web", "offlineQueued": true}),
    );
    attempt
}

/// Returns a result document.
pub(crate) fn result(dice: &mut Dice) -> Value {
    let mut result = json!({"attemptId": "33333333-3333-4333-8333-333333333333",
                            "verdict": dice.one_of(&["correct", "partial", "incorrect", "pending", "error"]),
                            "gradedBy": dice.one_of(&["auto", "self", "peer", "reviewer"])});
    maybe(dice, &mut result, "score", |_| json!(0.5));
    maybe(dice, &mut result, "scorePenaltyApplied", |_| json!(0.8));
    maybe(dice, &mut result, "gradedAt", |_| json!("2026-03-01T09:30:00Z"));
    maybe(dice, &mut result, "feedback", |_| json!([{"message": "m", "severity": "hint"}, {"message": ""}]));
    maybe(dice, &mut result, "codeResults", |_| {
        json!([{"suite": "s", "caseIndex": 0, "verdict": "passed", "caseName": "n", "timeMs": 1, "memoryKb": 2,
                "stderrExcerpt": "e", "diffExcerpt": "d"}])
    });
    result
}
