//! Fuzzing of model answers, and of widget states for the standard validators.

use fablegrade_core::json::Json;
use fablegrade_core::request::Documents;
use fablegrade_core::{AttemptResult, Verdict};
use fablegrade_validators::{check_state, standard};
use fablegrade_verify::{Extraction, Gold, Profile, extract};
use serde_json::{Value, json};

/// Verifies a response; a zero byte separates the reference from it. The verdict is the same each time, a
/// correct response has an answer, and the answer's span is within the response.
pub fn verify(data: &[u8]) {
    let (gold, response) = match data.iter().position(|&byte| byte == 0) {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (&b"42"[..], data),
    };
    let (gold, response) = (String::from_utf8_lossy(gold), String::from_utf8_lossy(response));
    let extracted = extract(&response, &Extraction::new());
    for profile in [Profile::model(), Profile::exact()] {
        let found = Gold::new(&gold, &profile).verify(&response);
        assert_eq!(found, Gold::new(&gold, &profile).verify(&response));
        assert!(!found.is_correct() || extracted.is_ok(), "{gold} | {response}: {found:?}");
        if let Some((start, end)) = found.span {
            assert!(response.get(start..end).is_some(), "{gold} | {response}: {found:?}");
        }
    }
}

/// A word in each configuration that must not be shown to learners.
const CANARY: &str = "kumquat";

/// A family of validators: its name, configurations that use its options, and the state for a typed text.
struct Family {
    name: &'static str,
    configs: &'static [&'static str],
    state: fn(&str) -> Value,
    /// `true` if grading under the first configuration refuses every state that the check without a key
    /// refuses.
    previews: bool,
}

/// Grades a state of a family. A zero byte separates a configuration from a state. Without one, the typed
/// text is graded under every configuration of the family.
fn family(family: &Family, data: &[u8]) {
    if let Some(at) = data.iter().position(|&byte| byte == 0) {
        let Ok(config) = serde_json::from_slice::<Value>(&data[..at]) else { return };
        let state = match serde_json::from_slice::<Value>(&data[at + 1..]) {
            Ok(state @ Value::Object(_)) => state,
            _ => (family.state)(&String::from_utf8_lossy(&data[at + 1..])),
        };
        let _ = graded(family.name, &config, &state);
        return;
    }
    let state = (family.state)(&String::from_utf8_lossy(data));
    for (index, config) in family.configs.iter().enumerate() {
        let config = serde_json::from_str(config).expect("a configuration");
        let result = graded(family.name, &config, &state).unwrap_or_else(|findings| panic!("{findings}"));
        let told = result.to_json();
        assert!(!told.contains(CANARY), "{told}");
        if index == 0 && family.previews {
            let given = Json::parse(state.to_string().as_bytes()).expect("JSON");
            let refused = check_state(family.name, None, &given).is_err();
            assert!(!refused || result.verdict == Verdict::Error, "{state}: {told}");
        }
    }
}

/// Returns the result under a configuration, or its error. The result is the same each time, and has a score
/// exactly if its verdict is scored.
fn graded(name: &str, config: &Value, state: &Value) -> Result<AttemptResult, String> {
    let validator = json!({"kind": "builtin", "name": name, "config": config});
    let spec =
        json!({"type": "widget", "widgetName": "answer", "widgetVersion": "1.0.0", "validator": validator})
            .to_string();
    let submission = json!({"type": "widget", "state": state}).to_string();
    let documents = Documents { submission: Some(submission.as_bytes()), ..Documents::default() };
    let host = standard();
    let result = match documents.grade(&spec, &host) {
        Ok(result) => result,
        Err(error) => {
            assert!(!error.findings().is_empty());
            return Err(format!("{:?}", error.findings()));
        }
    };
    assert_eq!(documents.grade(&spec, &host).as_ref().ok(), Some(&result));
    assert_eq!(result.score.is_some(), result.verdict.is_scored());
    let score = serde_json::from_str::<Value>(&result.to_json()).expect("JSON")["score"].as_f64();
    assert!(score.is_none_or(|score| (0.0..=1.0).contains(&score)));
    Ok(result)
}

fn typed(text: &str) -> Value {
    json!({"text": text})
}

/// Splits ids at whitespace.
fn ids(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// Grades short texts.
pub fn short_text(data: &[u8]) {
    family(
        &Family {
            name: "short_text",
            configs: &[
                r#"{"alternatives":[{"text":"kumquat"},{"text":"photo synthesis","weight":"1/2"}]}"#,
                r#"{"alternatives":[{"wildcard":"ku*quat*"},{"pattern":"(kumquat)+s?"},{"pattern":"k.*t","search":true}],"reject":[{"text":"apple"}],"forbidden":["or"]}"#,
                r#"{"alternatives":[{"text":"kumquat tree"}],"edits":{"limits":[{"from":1,"edits":2},{"from":6,"edits":3}],"weight":0.5},"wordOrder":"free"}"#,
                r#"{"alternatives":[{"text":"Kumquat-é 21"}],"edits":{"similarity":0.8},"ignoreCase":false,"ignoreAccents":true,"ignorePunctuation":true,"blanks":"remove","unicode":"nfkc","numberWords":"en"}"#,
            ],
            state: typed,
            previews: true,
        },
        data,
    );
}

/// Grades typed numbers.
pub fn number_text(data: &[u8]) {
    family(
        &Family {
            name: "number_text",
            configs: &[
                r#"{"answers":[{"value":"12.5"}]}"#,
                r#"{"answers":[{"value":"9.81 m/s^2","tolerance":{"relative":0.01}}],"significantFigures":{"exact":3},"units":{"mode":"convert","names":true},"partial":{"unit":0.5,"digits":0.9}}"#,
                r#"{"answers":[{"value":"1234.5"},{"value":"1234.5","slip":{"powerOfTen":3},"weight":0.1}],"decimal":",","grouping":".","decimalPlaces":{"exact":1}}"#,
                r#"{"answers":[{"min":1,"max":2}],"fractions":"reduced","notation":"fraction"}"#,
                r#"{"answers":[{"unit":"m/s"}],"units":{"mode":"only"}}"#,
                r#"{"answers":[{"value":"300 K"}],"significantFigures":{"min":1,"max":5,"counting":"strict"},"units":{"mode":"same"}}"#,
            ],
            state: typed,
            previews: true,
        },
        data,
    );
}

/// Grades forms of expressions.
pub fn form(data: &[u8]) {
    family(
        &Family {
            name: "form",
            configs: &[
                r#"{"expression":"x^2-5x+6","form":"factored","variable":"x","weight":"1/2"}"#,
                r#"{"expression":"x^2-5x+6","form":"expanded"}"#,
                r#"{"expression":"\\frac{1}{x}+\\frac{1}{x+1}","form":"single_fraction"}"#,
                r#"{"expression":"\\frac{1}{x}+\\frac{1}{x+1}","form":"partial_fractions","variable":"x"}"#,
                r#"{"expression":"\\frac{\\sqrt{8}}{3}","form":"simplest_radical"}"#,
                r#"{"expression":"x^2+4x+1","form":"completed_square","variable":"x"}"#,
                r#"{"expression":"\\frac{6}{4}","form":"lowest_terms"}"#,
                r#"{"expression":"2x+y=3","form":"line_standard"}"#,
            ],
            state: |text| json!({"latex": text}),
            previews: true,
        },
        data,
    );
}

/// Grades weighted choices.
pub fn choice_weights(data: &[u8]) {
    family(
        &Family {
            name: "choice_weights",
            configs: &[
                r#"{"options":[{"id":"a","weight":"1/3"},{"id":"b","weight":"2/3"},{"id":"c","weight":-0.5}]}"#,
                r#"{"options":[{"id":"a","weight":1},{"id":"b","weight":-1}],"floor":0,"most":2}"#,
            ],
            state: |text| json!({"selected": ids(text)}),
            previews: false,
        },
        data,
    );
}

/// Grades partial orders.
pub fn order_graph(data: &[u8]) {
    family(
        &Family {
            name: "order_graph",
            configs: &[
                r#"{"items":["a","b","c","d"],"before":[["a","b"],["a","c"]],"distractors":["x"],"credit":"edits"}"#,
                r#"{"items":["a","b","c","d"],"before":[["a","b"],["b","d"]],"credit":"longest_run"}"#,
            ],
            state: |text| json!({"order": ids(text)}),
            previews: false,
        },
        data,
    );
}

/// Grades several answers together, one per line.
pub fn blanks(data: &[u8]) {
    family(
        &Family {
            name: "blanks",
            configs: &[
                r#"{"blanks":[{"id":"a","validator":"short_text","config":{"alternatives":[{"text":"kumquat"}]}},{"id":"b","validator":"number_text","config":{"answers":[{"value":"2"}]},"weight":2},{"id":"c","validator":"form","config":{"expression":"x^2-1","form":"factored","variable":"x"}}],"credit":"sum"}"#,
                r#"{"blanks":[{"id":"a","validator":"short_text","config":{"alternatives":[{"text":"kumquat"}]}},{"id":"b","validator":"short_text","config":{"alternatives":[{"text":"apple"}]}}],"credit":"all","order":"free"}"#,
            ],
            state: |text| {
                let lines: serde_json::Map<String, Value> = ["a", "b", "c"]
                    .iter()
                    .zip(text.lines())
                    .map(|(id, line)| ((*id).to_owned(), json!(line)))
                    .collect();
                json!({"blanks": lines})
            },
            previews: false,
        },
        data,
    );
}
