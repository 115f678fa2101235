//! No part of the key reaches a learner: non-interference, and canaries in every secret field.

use std::collections::BTreeSet;

use fablegrade_core::host::{Judgement, Message, Steps, Unjudged};
use fablegrade_core::json::Json;
use fablegrade_core::{
    AnswerSpec, CaseOutcome, Error, Findings, GradeInput, Grader, Host, StateJudge, StateValidator,
    Submission, deliver, lint_with,
};
use fablegrade_tests::repository;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::dice::dice;
use crate::documents::{rekey, spec, submission};
use crate::mutations::{mutate, places};

/// The fields that the given schema marks as secret: definition and property, `/*` for the elements of a list.
const SECRET_FIELDS: [&str; 8] = [
    "CodeSpec/testSuites/*/cases",
    "ExpressionSpec/canonical",
    "MatchingSpec/correctPairs",
    "MultipleChoiceSpec/choices/*/correct",
    "MultipleChoiceSpec/choices/*/feedback",
    "NumericSpec/answer",
    "OrderingSpec/correctOrder",
    "WidgetSpec/validator",
];

fn annotated(schema: &Value, at: &str, found: &mut BTreeSet<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        if field.get("x-fablepool-secret").is_some() {
            found.insert(at.clone());
        }
        annotated(field, &at, found);
    }
    if let Some(items) = schema.get("items") {
        annotated(items, &format!("{at}/*"), found);
    }
}

#[test]
fn the_table_of_secret_fields_is_that_of_the_schema() {
    let path = repository().join("../shared/spec/attempt-answer.schema.json");
    // The schema belongs to another project; it is used if it is present.
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let schema: Value = serde_json::from_str(&text).unwrap();
    let mut found = BTreeSet::new();
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        annotated(definition, name, &mut found);
    }
    assert_eq!(found, SECRET_FIELDS.map(ToOwned::to_owned).into());
}

/// A text that occurs nowhere else, also used as a key.
const WORD: &str = "qCANARYq";
/// A number with so many digits that it occurs nowhere else.
const DIGITS: &str = "918273645546372";

/// A careless validator, which quotes its configuration wherever it can.
struct Registered;

struct Quotes(String);

impl StateValidator for Registered {
    fn compile(&self, config: Option<&Json>, _findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
        Some(Box::new(Quotes(config.map(ToString::to_string).unwrap_or_default())))
    }
}

impl StateJudge for Quotes {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        steps.step("quoted", || vec![("config", self.0.as_str().into())]);
        let zero = Judgement::of(false);
        Ok(match state.as_object().map_or(0, <[_]>::len) {
            0 => return Err(Unjudged::Failed(format!("not judged under {}", self.0))),
            1 => zero.saying(Message::sentence(self.0.clone())),
            _ => zero.saying(Message::configured("/s")),
        })
    }
}

fn host() -> Host {
    fablegrade_validators::standard().with_validator("registered", Registered)
}

/// Returns specs with a canary in every secret field that can contain one. `correct` is a boolean, and
/// the ids in `correctOrder` and `correctPairs` are public; the non-interference tests cover these.
fn canaries() -> Vec<Value> {
    let digits: u64 = DIGITS.parse().unwrap();
    let widget = |validator: Value| json!({"type": "widget", "widgetName": "w", "widgetVersion": "1.0.0", "params": {}, "validator": validator});
    let case = |expected: &str, matcher: &str| json!({"name": WORD, "input": format!("[\"{WORD}\"]"), "expected": expected, "matcher": matcher});
    let code = |harness: &str| {
        json!({"type": "code", "languages": ["c"], "limits": {}, "harness": {"mode": harness, "functionName": "f"},
           "testSuites": [
        {"name": "p", "visibility": "public", "cases": [{"input": "[]", "expected": "1"}]},
        {"name": "h", "visibility": "hidden", "cases": [
            case(WORD, "exact"), case(&format!("\"{WORD}\""), "json"), case(DIGITS, "float_tolerance"), case(WORD, "tokens"),
        ]}]})
    };
    vec![
        json!({"type": "multiple_choice", "multipleSelect": true, "choices": [
            {"id": "a", "content": "A", "correct": true, "feedback": WORD},
            {"id": "b", "content": "B", "correct": false, "feedback": {"text": WORD}},
            {"id": "c", "content": "C", "correct": false}]}),
        json!({"type": "numeric", "answer": {"value": digits}}),
        json!({"type": "numeric", "answer": {"value": digits, "tolerance": {"mode": "absolute", "amount": digits}}}),
        json!({"type": "numeric", "answer": {"min": digits, "max": digits}, "unit": {"expected": "m", "required": true}}),
        json!({"type": "expression", "canonical": format!("{DIGITS}x"), "equivalence": "symbolic"}),
        json!({"type": "expression", "canonical": format!("{DIGITS}x"), "equivalence": "numeric_sampling"}),
        json!({"type": "expression", "canonical": format!("{DIGITS}x+y"), "equivalence": "literal",
               "variables": [{"name": "x"}, {"name": "y"}]}),
        code("stdin_stdout"),
        code("function"),
        widget(json!({"kind": "state_equals", "expectedState": {WORD: WORD, "n": digits}})),
        widget(json!({"kind": "state_schema", "stateSchema": {
            "required": ["x"], "properties": {"x": {"const": WORD}}, "title": WORD, "additionalProperties": {"enum": [WORD]}}})),
        widget(json!({"kind": "builtin", "name": "registered", "config": {"s": WORD}})),
    ]
    .into_iter()
    .chain(standard_configs().into_iter().map(|(name, config)| {
        widget(json!({"kind": "builtin", "name": name, "config": config}))
    }))
    .collect()
}

/// Returns a configuration of each standard validator with canaries in all possible places, including
/// messages. No submission below contains a canary.
fn standard_configs() -> Vec<(&'static str, Value)> {
    let number = json!({"answers": [
        {"value": format!("{DIGITS} m"), "message": WORD, "tolerance": {"absolute": format!("0.{DIGITS} m")}},
        {"value": format!("{DIGITS} km"), "slip": {"sameDigits": 15}, "weight": 0, "message": WORD}],
        "units": {"mode": "convert"}, "significantFigures": {"exact": 3}});
    let text = json!({"alternatives": [{"text": WORD, "message": WORD}, {"wildcard": format!("{WORD}*")}, {"pattern": WORD}],
        "reject": [{"text": format!("{WORD}{WORD}"), "message": WORD}], "forbidden": [WORD],
        "edits": {"similarity": 0.9}});
    let form = json!({"expression": format!("{DIGITS}x^2-{DIGITS}"), "form": "factored", "variable": "x"});
    vec![
        ("short_text", text.clone()),
        ("number_text", number.clone()),
        ("number_text", json!({"answers": [{"min": 0.5, "max": format!("0.{DIGITS}"), "message": WORD}]})),
        ("form", form.clone()),
        ("form", json!({"expression": format!("{DIGITS}x+1"), "form": "same"})),
        (
            "choice_weights",
            json!({"options": [{"id": "a", "weight": "1/918273645546"}, {"id": WORD, "weight": 1, "message": WORD}]}),
        ),
        (
            "order_graph",
            json!({"items": ["a", "b", WORD], "before": [["b", "a"], [WORD, "b"]], "credit": "edits"}),
        ),
        (
            "blanks",
            json!({"blanks": [
            {"id": "a", "validator": "number_text", "config": number}, {"id": "b", "validator": "short_text", "config": text},
            {"id": "c", "validator": "form", "config": form}, {"id": WORD, "validator": "form", "config": {"form": "expanded", "value": "any"}}]}),
        ),
    ]
}

fn submissions(kind: &str) -> Vec<Value> {
    match kind {
        "multiple_choice" => [json!(["c"]), json!(["stray"]), json!(["c", "stray"])]
            .map(|ids| json!({"type": kind, "selectedChoiceIds": ids}))
            .into(),
        "numeric" => [json!(1), json!(1.5), json!(-3e20)]
            .into_iter()
            .flat_map(|value| {
                [json!({"type": kind, "value": value}), json!({"type": kind, "value": value, "unit": "km"})]
            })
            .collect(),
        "expression" => ["x", "7", "z", "\\frac{", "x=1", "\\sin x", "1/2x", "\\sqrt{-1-x^2}"]
            .map(|latex| json!({"type": kind, "latex": latex}))
            .into(),
        "code" => vec![
            json!({"type": kind, "language": "c", "source": "x"}),
            json!({"type": kind, "language": "go", "source": "x"}),
        ],
        _ => [
            json!({}),
            json!({"x": 1}),
            json!({"n": "1", "y": []}),
            json!({"text": "x", "correct": true, "score": 1}),
            json!({"text": "17 m"}),
            json!({"text": "1/0"}),
            json!({"text": "3.14 kg", "latex": "(x-1)(x+1)"}),
            json!({"latex": "\\frac{"}),
            json!({"selected": ["a"], "order": ["a", "b"]}),
            json!({"selected": ["b"], "order": ["b"]}),
            json!({"blanks": {"a": "1", "b": "x", "c": "x"}}),
            json!({"blanks": {"a": "2 m", "b": {"text": "y"}, "c": {"latex": "x^2"}}}),
            json!({"blanks": {}}),
        ]
        .map(|state| json!({"type": kind, "state": state}))
        .into(),
    }
}

#[track_caller]
fn clean(what: &str, text: &str) {
    assert!(!text.contains(WORD) && !text.contains(DIGITS), "a canary in the {what}: {text}");
}

fn clean_error(error: &Error) {
    clean("error's Display", &error.to_string());
    clean("error's Debug", &format!("{error:?}"));
    for finding in error.findings() {
        clean("finding's Display", &finding.to_string());
        clean("finding's Debug", &format!("{finding:?}"));
    }
}

#[test]
fn no_canary_is_revealed() {
    for document in canaries() {
        let spec = AnswerSpec::from_json(document.to_string()).unwrap();
        clean("spec's Debug", &format!("{spec:?}"));
        for seed in ["", "1", WORD.get(1..4).unwrap()] {
            clean("view", &deliver(&spec, seed).to_json());
            clean("view's Debug", &format!("{:?}", deliver(&spec, seed)));
        }
        for finding in lint_with(&spec, &host()) {
            clean("lint", &format!("{finding} {finding:?}"));
        }
        let grader = Grader::with_host(spec, &host()).unwrap();
        clean("grader's Debug", &format!("{grader:?}"));
        for given in submissions(document["type"].as_str().unwrap()) {
            let given = Submission::from_json(given.to_string()).unwrap();
            let marked = grader.grade_with(&GradeInput::new(&given).with_explanation()).unwrap();
            clean("result", &marked.result().to_json());
            clean("result's Debug", &format!("{:?}", marked.result()));
            clean("explanation's Debug", &format!("{:?} {marked:?}", marked.explanation()));
            clean("plan's Debug", &format!("{:?}", grader.plan(&given)));
            conclude(&document, &grader, &given);
        }
    }
}

/// Concludes with a program that echoes its hidden input everywhere, which is also the expected output of
/// some cases.
fn conclude(document: &Value, grader: &Grader, given: &Submission) {
    let mut ends = vec![];
    for end in ["exited", "signalled", "timeout", "memory_exceeded", "output_limit", "sandbox_error"] {
        let mut all = Vec::new();
        for suite in document["testSuites"].as_array().into_iter().flatten() {
            let echo = if suite["visibility"] == "hidden" { WORD } else { "visible" };
            for index in 0..suite["cases"].as_array().map_or(0, Vec::len) {
                all.push(json!({"suite": suite["name"], "caseIndex": index, "end": end, "stdout": echo, "stderr": echo,
                                "returned": format!("\"{echo}\""), "message": echo, "isolation": echo, "timeMs": 1}));
            }
        }
        ends.push(Value::Array(all).to_string());
    }
    for outcomes in ends {
        let outcomes = CaseOutcome::list_from_json(outcomes).unwrap();
        if let Ok(marked) =
            grader.grade_with(&GradeInput::new(given).with_outcomes(&outcomes).with_explanation())
        {
            clean("concluded result", &marked.result().to_json());
            clean("concluded explanation's Debug", &format!("{marked:?}"));
        }
    }
}

#[test]
fn no_error_about_a_spec_quotes_its_key() {
    for document in canaries() {
        for place in places(&document) {
            for odd in [json!(null), json!(WORD), json!([WORD]), json!(-1), json!({"kind": WORD})] {
                let mut broken = document.clone();
                let secret =
                    place.contains("answer") || place.contains("validator") || place.contains("canonical");
                // A stray field in a public place appears in the pointer of the finding; it is not part of
                // the key.
                if odd.is_object() && !secret {
                    continue;
                }
                *broken.pointer_mut(&place).unwrap() = odd;
                match AnswerSpec::from_json(broken.to_string()) {
                    Err(error) => clean_error(&error),
                    Ok(spec) => {
                        if let Err(error) = Grader::with_host(spec, &host()) {
                            clean_error(&error);
                        }
                    }
                }
            }
        }
    }
}

/// Returns a result without the feedback of selected choices.
fn without_choice_feedback(kind: &Value, result: &str) -> Value {
    let mut result: Value = serde_json::from_str(result).unwrap();
    if kind == "multiple_choice" {
        result.as_object_mut().unwrap().remove("feedback");
    }
    result
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_view_does_not_depend_on_the_key(mut dice in dice(160), seed in ".{0,8}") {
        let one = spec(&mut dice);
        let mut other = one.clone();
        rekey(&mut dice, &mut other);
        let (one, other) = (AnswerSpec::from_json(one.to_string()).unwrap(), AnswerSpec::from_json(other.to_string()).unwrap());
        prop_assert_eq!(deliver(&one, &seed).to_json(), deliver(&other, &seed).to_json());
    }

    #[test]
    fn results_of_the_same_verdict_and_score_are_the_same(mut dice in dice(160)) {
        let one = spec(&mut dice);
        let mut other = one.clone();
        rekey(&mut dice, &mut other);
        let given = submission(&mut dice, &one);
        let Ok(given) = Submission::from_json(given.to_string()) else { return Ok(()) };
        let (Ok(a), Ok(b)) = (Grader::from_json(one.to_string()), Grader::from_json(other.to_string())) else { return Ok(()) };
        let (a, b) = (a.grade(&given), b.grade(&given));
        prop_assert_eq!(&a.attempt_id, &b.attempt_id, "no key enters the id");
        if (a.verdict, a.score) == (b.verdict, b.score) {
            let kind = &one["type"];
            prop_assert_eq!(without_choice_feedback(kind, &a.to_json()), without_choice_feedback(kind, &b.to_json()));
        }
    }

    #[test]
    fn standard_validators_tell_no_more_than_the_verdict(
        (one, other) in (0i64..40, 0i64..40),
        given in 0i64..40,
        figures in 1u32..4,
    ) {
        // These configurations differ only in the key.
        let configs = |key: i64| [
            ("number_text", json!({"answers": [{"value": key}], "significantFigures": {"exact": figures}, "partial": {"digits": 0.5}})),
            ("number_text", json!({"answers": [{"value": format!("{key} m")}], "units": {}, "partial": {"unit": 0.5}})),
            ("short_text", json!({"alternatives": [{"text": key.to_string()}], "forbidden": ["7"]})),
            ("form", json!({"expression": format!("{key}(x-1)"), "form": "factored", "variable": "x"})),
            ("choice_weights", json!({"options": [{"id": "a", "weight": key % 2}, {"id": "b", "weight": (key + 1) % 2}]})),
            ("order_graph", json!({"items": ["a", "b", "c"], "before": [if key % 2 == 0 { ["a", "b"] } else { ["b", "a"] }]})),
            ("blanks", json!({"blanks": [
                {"id": "p", "validator": "number_text", "config": {"answers": [{"value": key}], "partial": {"digits": 0.5}}},
                {"id": "q", "validator": "short_text", "config": {"alternatives": [{"text": "x"}]}, "weight": "1/3"}]})),
        ];
        let states = [
            json!({"text": given.to_string(), "latex": format!("{given}x-{given}"), "selected": ["a"], "order": ["a", "b", "c"],
                "blanks": {"p": given.to_string(), "q": "x"}}),
            json!({"text": format!("{given} m"), "latex": format!("{given}(x-1)"), "selected": ["b"], "order": ["b", "a"],
                "blanks": {"p": given.to_string(), "q": "y"}}),
            json!({"text": format!("{given} kg"), "latex": "x", "selected": [], "order": []}),
        ];
        for ((name, a), (_, b)) in configs(one).into_iter().zip(configs(other)) {
            let grader = |config: Value| {
                let spec = json!({"type": "widget", "widgetName": "w", "widgetVersion": "1.0.0",
                    "validator": {"kind": "builtin", "name": name, "config": config}});
                Grader::from_json_with(spec.to_string(), &host()).unwrap()
            };
            let (a, b) = (grader(a), grader(b));
            for state in &states {
                let given = Submission::from_json(json!({"type": "widget", "state": state}).to_string()).unwrap();
                let (a, b) = (a.grade(&given), b.grade(&given));
                prop_assert_eq!(&a.attempt_id, &b.attempt_id);
                if (a.verdict, a.score) == (b.verdict, b.score) {
                    prop_assert_eq!(a.to_json(), b.to_json(), "{} {}", name, state);
                }
            }
        }
    }

    #[test]
    fn a_view_is_not_a_spec(mut dice in dice(160)) {
        let mut spec = spec(&mut dice);
        mutate(&mut dice, &mut spec);
        let kind = spec["type"].clone();
        if let Ok(spec) = AnswerSpec::from_json(spec.to_string())
            && kind != "free_text" && kind != "code"
        {
            prop_assert!(AnswerSpec::from_json(deliver(&spec, "s").to_json()).is_err());
        }
    }
}
