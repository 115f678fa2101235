//! Non-interference: the view of a question does not depend on its key.

use fablegrade_core::{AnswerSpec, deliver};
use serde_json::{Value, json};

/// A spec with another key of the same shape has the same view, byte for byte.
pub fn delivery(data: &[u8]) {
    let Ok(spec) = AnswerSpec::from_json(data) else { return };
    let Ok(mut other) = serde_json::from_slice::<Value>(data) else { return };
    if !rekey(&mut other) {
        return;
    }
    // The new key is not always valid for the question.
    let Ok(other) = AnswerSpec::from_json(other.to_string()) else { return };
    for seed in ["", "seed", "another"] {
        assert_eq!(deliver(&spec, seed).to_json(), deliver(&other, seed).to_json());
    }
}

/// Replaces the key. Returns `false` if questions of this type have no key.
fn rekey(spec: &mut Value) -> bool {
    let kind = spec["type"].as_str().unwrap_or_default().to_owned();
    let Some(fields) = spec.as_object_mut() else { return false };
    match kind.as_str() {
        "multiple_choice" => {
            for choice in fields.get_mut("choices").and_then(Value::as_array_mut).into_iter().flatten() {
                let Some(choice) = choice.as_object_mut() else { return false };
                choice.remove("feedback");
                let correct = choice.get("correct") == Some(&json!(true));
                choice.insert("correct".into(), json!(!correct));
            }
        }
        "numeric" => {
            fields.insert("answer".into(), json!({"value": 48_151_623}));
        }
        "expression" => {
            fields.insert("canonical".into(), json!("4815162342"));
        }
        "ordering" => {
            if let Some(order) = fields.get_mut("correctOrder").and_then(Value::as_array_mut) {
                order.reverse();
            }
        }
        "matching" => {
            if let Some(pairs) = fields.get_mut("correctPairs").and_then(Value::as_array_mut) {
                let rights: Vec<Value> = pairs.iter().map(|pair| pair["right"].clone()).collect();
                for (pair, right) in pairs.iter_mut().zip(rights.into_iter().rev()) {
                    if let Some(pair) = pair.as_object_mut() {
                        pair.insert("right".into(), right);
                    }
                }
            }
        }
        "code" => {
            for suite in fields.get_mut("testSuites").and_then(Value::as_array_mut).into_iter().flatten() {
                if suite["visibility"] == "hidden"
                    && let Some(suite) = suite.as_object_mut()
                {
                    suite.insert("cases".into(), json!([{"input": "4815", "expected": "1623"}]));
                }
            }
        }
        "widget" => {
            fields.insert(
                "validator".into(),
                json!({"kind": "state_equals", "expectedState": {"x": 48_151_623}}),
            );
        }
        _ => return false,
    }
    true
}
