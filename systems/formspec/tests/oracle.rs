//! Comparison with the reference implementation on random screeners and answers, in reference-compatible mode.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use fablegrade_formspec::{Answers, DeterminationRecord, Evaluator, Fel, Options, Screener, Status, verify};
use formspec_eval::{AnswerInput, evaluate_screener_document, parse_answer_state};
use proptest::prelude::*;
use serde_json::{Value, json};

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (-5i32..200).prop_map(|value| value.to_string()),
        (0i32..500, 1u32..4).prop_map(|(value, places)| format!(
            "{:.*}",
            places as usize,
            f64::from(value) / 100.0
        )),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["$a", "$b", "$c", "$g.x", "$missing", "$rows[*].v", "$list", "$money"])
        .prop_map(str::to_owned)
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => name(),
        3 => number(),
        1 => prop::sample::select(vec!["true", "false", "null", "'yes'", "''", "@2026-01-01", "[1, 2]", "$", "today()"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let operator = prop::sample::select(vec![
            "+", "-", "*", "/", "%", "&", "=", "!=", "<", ">", "<=", ">=", "and", "or", "in", "??",
        ]);
        let one = prop::sample::select(vec![
            "not {}", "-{}", "sum({})", "count({})", "length({})", "empty({})", "present({})", "round({}, 1)", "abs({})",
            "string({})", "number({})", "boolean({})", "upper({})", "nosuch({})", "isNull({})", "typeOf({})", "moneyAmount({})",
            "format('<{0}|%s>', {})", "power({}, 3)", "power(4, {})", "replace('banana', 'a', {})", "replace({}, 'a', 'b')",
            "every({}, $ > 1)", "countWhere({}, $ != null)", "{} ==", "({}", "matches({}, '^y')",
        ]);
        prop_oneof![
            3 => (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            2 => (one, inner.clone()).prop_map(|(form, a)| form.replace("{}", &a)),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(c, a, b)| format!("if({c}, {a}, {b})")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("let v = {a} in v = {b}")),
        ]
    })
}

fn route() -> impl Strategy<Value = Value> {
    (
        prop::option::weighted(0.9, expression()),
        prop::option::weighted(0.8, expression()),
        prop::option::weighted(0.8, -3i32..60),
        prop::bool::weighted(0.15),
        prop::bool::weighted(0.3),
        0u8..4,
        "[a-z]{1,3}",
    )
        .prop_map(|(condition, score, threshold, is_override, terminal, texts, name)| {
            let mut route = json!({"target": format!("urn:{name}")});
            let fields = [
                ("condition", condition.map(Value::from)),
                ("score", score.map(Value::from)),
                (
                    "threshold",
                    threshold.map(
                        |value| if value % 2 == 0 { json!(value) } else { json!(f64::from(value) / 4.0) },
                    ),
                ),
                ("override", is_override.then_some(json!(true))),
                ("terminal", terminal.then_some(json!(true))),
                ("label", (texts & 1 == 1).then(|| json!("Label"))),
                ("message", (texts & 2 == 2).then(|| json!("Message {{$a}}"))),
                ("metadata", (texts == 3).then(|| json!({"k": [1, {"z": null}]}))),
            ];
            for (key, value) in fields {
                if let Some(value) = value {
                    route[key] = value;
                }
            }
            route
        })
}

fn phase() -> impl Strategy<Value = Value> {
    (
        prop::sample::select(vec![
            "first-match",
            "fan-out",
            "score-threshold",
            "score-threshold",
            "x-other",
            "unheard",
        ]),
        prop::collection::vec(route(), 0..5),
        prop::option::weighted(0.3, expression()),
        prop::option::of((
            prop::option::of(0u64..4),
            prop::option::of(1u64..3),
            prop::option::of(1u64..3),
            any::<bool>(),
        )),
    )
        .prop_map(|(strategy, routes, active_when, config)| {
            let mut phase = json!({"id": "p", "strategy": strategy, "routes": routes});
            if let Some(active_when) = active_when {
                phase["activeWhen"] = active_when.into();
            }
            if let Some((min, max, top, normalize)) = config {
                let mut config = json!({"normalize": normalize});
                for (key, value) in [("minMatches", min), ("maxMatches", max), ("topN", top)] {
                    if let Some(value) = value {
                        config[key] = value.into();
                    }
                }
                phase["config"] = config;
            }
            phase
        })
}

fn answer() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        (-3i64..100).prop_map(Value::from),
        (0i32..400).prop_map(|value| json!(f64::from(value) / 100.0)),
        prop::sample::select(vec![
            json!(true),
            json!(false),
            json!(null),
            json!("yes"),
            json!(""),
            json!("2026-01-01"),
            json!([1, 2.5, 30]),
            json!([]),
            json!({"amount": 5, "currency": "EUR"}),
            json!({"amount": "2.50", "currency": "usd", "$type": "money"}),
            json!({"x": 1}),
            json!({"$type": "number", "value": "7.25"}),
            json!({"$type": "date", "value": "2026-01-01"}),
        ]),
    ];
    (value, prop::sample::select(vec!["answered", "answered", "answered", "declined", "not-presented"]))
        .prop_map(|(value, state)| json!({"value": value, "state": state}))
}

fn answers() -> impl Strategy<Value = Value> {
    let path = prop::sample::select(vec!["a", "b", "c", "g.x", "rows[0].v", "rows[1].v", "list", "money"]);
    prop::collection::btree_map(path.prop_map(str::to_owned), answer(), 0..6)
        .prop_map(|answers| Value::Object(answers.into_iter().collect()))
}

fn now() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "2026-04-01T10:00:00Z",
        "2024-02-29T23:59:59.5-08:00",
        "2026-01-31T00:30:00+05:30",
        "2026-06-15",
        "",
        "soon",
    ])
}

fn screener() -> impl Strategy<Value = Value> {
    (
        prop::collection::vec(phase(), 0..4),
        prop::option::of(prop::sample::select(vec![
            "P1D",
            "P1M",
            "P1Y2M3DT4H5M6S",
            "P1W",
            "PT1S",
            "P",
            "p1d",
            "P1.5D",
            "P9Y1D1Y",
        ])),
        prop::option::weighted(
            0.3,
            prop::sample::select(vec![
                json!({"from": "2026-01-31"}),
                json!({"until": "2026-04-01"}),
                json!({"from": "2026-02-30", "until": "2027-01-01"}),
                json!({}),
            ]),
        ),
    )
        .prop_map(|(phases, validity, availability)| {
            let mut screener = json!({
                "$formspecScreener": "1.0", "url": "urn:test:screener", "version": "1.0.0", "title": "Test",
                "items": [], "evaluation": phases,
            });
            if let Some(validity) = validity {
                screener["resultValidity"] = validity.into();
            }
            if let Some(availability) = availability {
                screener["availability"] = availability;
            }
            screener
        })
}

/// Returns the result of the reference implementation, with numbers in a comparable form.
fn reference(screener: &Value, answers: &Value, now: &str) -> Value {
    let answers: HashMap<String, AnswerInput> = answers
        .as_object()
        .into_iter()
        .flatten()
        .map(|(path, input)| {
            let state = parse_answer_state(input["state"].as_str().unwrap());
            (path.clone(), AnswerInput { value: input["value"].clone(), state })
        })
        .collect();
    let record = evaluate_screener_document(screener, &answers, Some(now), None);
    plain_numbers(serde_json::to_value(record).unwrap())
}

fn ours(screener: &Value, answers: &Value, now: &str) -> Value {
    let screener = Screener::parse(screener.to_string().as_bytes()).unwrap();
    let answers = Answers::parse(answers.to_string().as_bytes()).unwrap();
    let evaluator = Evaluator::new(&screener, Fel, Options::new().reference_compatible()).unwrap();
    let record = evaluator.determine(&answers, now).unwrap().record;
    plain_numbers(serde_json::from_str(&record.to_string()).unwrap())
}

fn plain_numbers(value: Value) -> Value {
    match value {
        // The reference implementation converts its decimals to an `f64` that can differ from the nearest one
        // in the last place.
        Value::Number(number) => json!(format!("{:.13e}", number.as_f64().unwrap())),
        Value::Array(items) => items.into_iter().map(plain_numbers).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, plain_numbers(value))).collect(),
        other => other,
    }
}

/// Adds items for most of [`answers`] to a screener, and a display item.
fn asking(screener: Value) -> Value {
    let field = |key: &str| json!({"key": key, "type": "field", "label": key});
    let mut screener = screener;
    screener["items"] = json!([
        field("a"), field("b"), field("c"), field("list"),
        {"key": "note", "type": "display", "label": "N"},
        {"key": "g", "type": "group", "label": "G", "children": [field("x")]},
        {"key": "rows", "type": "group", "label": "R", "repeatable": true, "children": [field("v")]},
    ]);
    screener
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1_000), ..ProptestConfig::default() })]
    #[test]
    fn the_reference_program_says_the_same(screener in screener(), answers in answers(), now in now()) {
        prop_assert_eq!(ours(&screener, &answers, now), reference(&screener, &answers, now));
    }

    /// An unchanged record replays to itself. A record whose status was changed from `partial` to `completed`
    /// does not, because its inputs distinguish an item without an answer from one that was not presented.
    #[test]
    fn every_record_verifies_and_no_other_status_does(screener in screener(), items in any::<bool>(), answers in answers(), now in now()) {
        let screener = if items { asking(screener) } else { screener };
        let screener = Screener::parse(screener.to_string().as_bytes()).unwrap();
        let answers = Answers::parse(answers.to_string().as_bytes()).unwrap();
        let Ok(evaluator) = Evaluator::new(&screener, Fel, Options::new()) else { return Ok(()) };
        let Ok(made) = evaluator.determine(&answers, now) else { return Ok(()) };
        let read = |text: String| DeterminationRecord::parse(text.as_bytes()).unwrap();
        let record = read(made.record.to_string());
        prop_assert_eq!(verify(&record, &screener, Fel, Options::new()).unwrap(), []);
        if record.status == Status::Partial {
            let text = record.to_string().replace(r#""status":"partial""#, r#""status":"completed""#);
            let findings = verify(&read(text), &screener, Fel, Options::new()).unwrap();
            prop_assert!(findings.iter().any(|finding| finding.pointer == "/status"), "{}", record);
        }
    }
}
