//! The generated JSON Schemas accept the same documents as the reader, and the files in `/schemas` are up to
//! date.
#![allow(clippy::unwrap_used, clippy::panic)]

use fablegrade_flowmcp::area::Area;
use fablegrade_flowmcp::entry::Entry;
use fablegrade_flowmcp::envelope::Evaluation;
use fablegrade_flowmcp::schema::{entry_schema, envelope_schema};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

const DOCUMENTS: [&str; 3] = [
    include_str!("documents/autonomous.json"),
    include_str!("documents/rejected.json"),
    include_str!("documents/group_bound.json"),
];

fn document(index: usize) -> Value {
    serde_json::from_str(DOCUMENTS[index]).unwrap()
}

fn validator() -> Validator {
    jsonschema::options().should_validate_formats(true).build(&entry_schema()).unwrap()
}

#[test]
fn the_schema_file_is_the_generated_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/flowmcp-grading-entry.schema.json");
    let file = std::fs::read_to_string(path).unwrap();
    assert_eq!(
        file,
        format!("{:#}\n", entry_schema()),
        "the types changed: cargo run -p fablegrade-flowmcp --features schema --example schema"
    );
}

#[test]
fn the_schema_file_of_evaluations_is_the_generated_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/flowmcp-evaluation.schema.json");
    assert_eq!(
        std::fs::read_to_string(path).unwrap_or_default(),
        format!("{:#}\n", envelope_schema()),
        "the types changed: cargo run -p fablegrade-flowmcp --features schema --example schema envelope"
    );
}

/// Returns the reply of an evaluator of `area`, in which every question is answered.
fn evaluation(area: Area) -> Value {
    let answers = (0..area.questions().len())
        .map(|place| json!({ "questionId": area.question_id(place), "score": 4, "reasoning": "Seen." }));
    let persona = json!({ "basePersonaId": "ai-engineer", "lensId": "crypto" });
    json!({
        "gradingId": "a1b2c3d4--2026-05-30T12-00-00Z", "schemaHash": "a1b2c3d4", "area": area.as_str(),
        "iteration": 1, "timestamp": "2026-05-30T12:00:00Z", "harness": "claude-code",
        "persona": if area.is_persona_bound() { persona } else { Value::Null },
        "answers": answers.collect::<Vec<_>>(),
        "improvementHints": [{ "targetField": "name", "suggestion": "Say it.", "priority": "low" }],
    })
}

#[test]
fn the_schema_of_evaluations_says_what_the_reader_says() {
    let validator = jsonschema::options().should_validate_formats(true).build(&envelope_schema()).unwrap();
    let agreed = |document: &Value| {
        let by_reader = Evaluation::from_json(document.to_string().as_bytes());
        assert_eq!(validator.is_valid(document), by_reader.is_ok(), "{document:#}\n{by_reader:?}");
        by_reader.is_ok()
    };
    for area in Area::ALL {
        let whole = evaluation(*area);
        assert!(agreed(&whole));
        for field in whole.as_object().unwrap().keys() {
            let mut broken = whole.clone();
            remove(&mut broken, &format!("/{field}"));
            assert!(!agreed(&broken), "{area} without {field}");
        }
        for (pointer, value) in [
            ("/persona", if area.is_persona_bound() { Value::Null } else { json!({}) }),
            ("/iteration", json!(0)),
            ("/iteration", json!(6)),
            ("/iteration", json!(1.5)),
            ("/harness", json!("other")),
            ("/area", json!("everything")),
            ("/gradingId", json!("a1b2c3d4--2026-05-30T12-00Z")),
            ("/timestamp", json!("yesterday")),
            ("/unknown", json!(1)),
            ("/answers/0/questionId", json!("Q-other-01")),
            ("/answers/0/score", json!("4")),
            ("/answers/0/score", json!(5.5)),
            ("/answers/0/score", json!("n/a")),
            ("/answers/0/reasoning", json!(" \n")),
            ("/answers/0/reasoning", json!("\u{feff}\u{a0}\u{2028}")),
            ("/answers/0/weight", json!(1)),
            ("/answers/1", whole["answers"][0].clone()),
            ("/improvementHints/0/priority", json!("soon")),
            ("/improvementHints/0/suggestion", json!("")),
            ("/blocker", json!("api-down")),
        ] {
            let mut broken = whole.clone();
            set(&mut broken, pointer, value);
            assert!(!agreed(&broken), "{area} {pointer}");
        }
        let mut shorter = whole.clone();
        shorter["answers"].as_array_mut().unwrap().pop();
        assert!(!agreed(&shorter));
        let mut nothing = whole.clone();
        for answer in nothing["answers"].as_array_mut().unwrap() {
            answer["score"] = json!("n/a");
            answer["naReason"] = json!("requires-private-data");
        }
        assert!(!agreed(&nothing), "nothing can be scored");
        set(&mut nothing, "/answers/0/score", json!("fail"));
        assert!(agreed(&nothing));
        let mut control = whole.clone();
        set(&mut control, "/answers/0/reasoning", json!("\u{85}"));
        assert!(agreed(&control), "U+0085 is not a space in ECMAScript");
        let mut stamped = whole;
        set(&mut stamped, "/timestamp", json!("2026-05-30T12-00-00Z"));
        assert!(agreed(&stamped));
    }
    assert!(agreed(&json!({ "blocker": "api-down", "reason": "503 since noon" })));
    for broken in
        [json!({ "blocker": "api-down" }), json!({ "blocker": "", "reason": "x" }), json!([]), json!({})]
    {
        assert!(!agreed(&broken));
    }
}

/// Checks a document with the reader and the schema, which must agree, and returns whether it is valid.
fn agreed(validator: &Validator, document: &Value) -> bool {
    let by_schema = validator.is_valid(document);
    let by_reader = Entry::from_json(document.to_string().as_bytes());
    assert_eq!(by_schema, by_reader.is_ok(), "{document:#}\n{by_reader:?}");
    by_schema
}

fn set(document: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Object(fields) => {
            fields.insert(key.replace("~1", "/").replace("~0", "~"), value);
        }
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        other => panic!("{pointer} leads into {other}"),
    }
}

fn remove(document: &mut Value, pointer: &str) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    assert!(
        document.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).is_some(),
        "{pointer}"
    );
}

#[test]
fn every_field_is_required_or_optional_in_both() {
    let validator = validator();
    // The document, the field, and whether the document without the field is valid.
    let table = [
        (0, "/gradingId", false),
        (0, "/schemaId", false),
        (0, "/area", false),
        (0, "/version", false),
        (0, "/schemaHash", false),
        (0, "/gradingMode", false),
        (0, "/gradingTier", false),
        (0, "/harness", false),
        (0, "/persona", true),
        (0, "/scoringSystem", false),
        (0, "/gradingSystem", false),
        (0, "/gradings", false),
        (0, "/categoricalVeto", false),
        (0, "/aggregateGrade", false),
        (0, "/maxAttainableGrade", false),
        (0, "/gradings/0/questionId", false),
        (0, "/gradings/0/score", false),
        (0, "/gradings/0/weight", false),
        (0, "/gradings/0/determinism", false),
        (0, "/gradings/0/graderIdentity", false),
        (0, "/gradings/0/timestamp", false),
        (0, "/gradings/0/evidence", true),
        (0, "/gradings/2/llmModel", false),
        (0, "/gradings/2/selectionContext", false),
        (0, "/gradings/2/selectionContext/groupId", false),
        (0, "/gradings/2/selectionContext/personaIds", false),
        (0, "/gradings/2/selectionContext/domainDocId", true),
        (0, "/gradings/2/reasoning", true),
        (1, "/categoricalVeto/evidence", false),
        (1, "/categoricalVeto/graderIdentity", false),
        (2, "/persona", false),
        (2, "/persona/lensId", false),
        (2, "/skillId", false),
        (2, "/selectionId", false),
        (2, "/aboutHash", true),
        (2, "/gradings/4/naReason", false),
        (2, "/regradingTrigger", true),
        (2, "/regradingTrigger/reportedIssue", false),
        (2, "/regradingTrigger/requestedBy", false),
        (2, "/regradingTrigger/previousGradingId", false),
    ];
    for (index, pointer, valid) in table {
        let mut document = document(index);
        assert!(agreed(&validator, &document));
        remove(&mut document, pointer);
        assert_eq!(agreed(&validator, &document), valid, "without {pointer}");
    }
}

#[test]
fn the_edges_of_every_form_are_the_same_in_both() {
    let validator = validator();
    let table = [
        (0, "/gradingId", json!("a1b2c3d4--x"), true),
        (0, "/gradingId", json!("a1b2c3d4--"), false),
        (0, "/gradingId", json!("a1b2c3d4-x"), false),
        (0, "/gradingId", json!("A1b2c3d4--x"), false),
        (0, "/gradingId", json!("a1b2c3d4--x\ny"), false),
        (0, "/schemaHash", json!("a1b2c3d"), false),
        (0, "/schemaHash", json!("a1b2c3d4e"), false),
        (0, "/schemaId", json!("a.b"), true),
        (0, "/schemaId", json!("a.b.c"), false),
        (0, "/schemaId", json!(".b"), false),
        (0, "/schemaId", json!("é.b"), false),
        (0, "/version", json!("flowmcp/4.10.0"), true),
        (0, "/version", json!("flowmcp/5.0.0"), false),
        (0, "/version", json!("flowmcp/4.0"), false),
        (0, "/scoringSystem", json!("scoringSystem/2.0.11"), true),
        (0, "/scoringSystem", json!("gradingSystem/1.0.0"), false),
        (0, "/gradingSystem", json!("gradingSystem/1.0.0-rc"), false),
        (0, "/gradings/0/questionId", json!("Q-"), false),
        (0, "/gradings/0/questionId", json!("Q-é"), true),
        (0, "/gradings/1/score", json!(1), true),
        (0, "/gradings/1/score", json!(5.0), true),
        (0, "/gradings/1/score", json!(0.999), false),
        (0, "/gradings/1/score", json!(5.001), false),
        (0, "/gradings/1/score", json!("4.5"), false),
        (0, "/gradings/1/score", json!("stale"), true),
        (0, "/gradings/1/score", json!("n/a"), false),
        (0, "/gradings/1/naReason", json!("requires-private-data"), true),
        (0, "/gradings/1/naReason", json!("because"), false),
        (0, "/gradings/1/weight", json!(0), true),
        (0, "/gradings/1/weight", json!(-0.1), false),
        (0, "/gradings/1/timestamp", json!("2026-05-29T10:00:00.25+02:00"), true),
        (0, "/gradings/1/timestamp", json!("2026-05-29T10:00:00"), false),
        (0, "/gradings/1/timestamp", json!("2026-02-29T10:00:00Z"), false),
        (0, "/gradings/1/evidence", json!({}), true),
        (0, "/gradings/1/evidence", json!(""), false),
        (0, "/gradings/1/evidence", json!([]), false),
        (0, "/gradings/1/reasoning", json!(""), true),
        (0, "/gradings/1/selectionContext", json!({"groupId": "g", "personaIds": []}), false),
        (0, "/gradings/1/selectionContext", json!({"groupId": "g", "personaIds": [""]}), false),
        (0, "/gradings/1/graderIdentity/kind", json!("llm"), false),
        (0, "/gradings/1/graderIdentity/email", json!("x"), false),
        (0, "/gradings", json!([]), false),
        (0, "/harness", json!("other"), false),
        (0, "/aggregateGrade", json!("A"), true),
        (0, "/aggregateGrade", json!("REJECTED"), true),
        (0, "/aggregateGrade", json!("E"), false),
        (0, "/maxAttainableGrade", json!("A"), false),
        (0, "/maxAttainableGrade", json!("C"), false),
        (0, "/area", json!("about-selection"), true),
        (0, "/area", json!("selection-skills-L1"), false),
        (0, "/persona/basePersonaId", json!("technical"), false),
        (0, "/aboutHash", Value::Null, false),
        (0, "/skillId", json!(""), false),
        (0, "/unknown", json!(1), false),
        (1, "/aggregateGrade", json!("F"), false),
        (1, "/categoricalVeto/triggeredBy", json!("ai-security-veto"), false),
        (1, "/categoricalVeto/triggeredBy", json!("bad-mood"), false),
        (1, "/categoricalVeto/evidence", json!({}), false),
        (1, "/categoricalVeto/reasoning", json!(""), true),
        (2, "/maxAttainableGrade", json!("B"), false),
        (2, "/regradingTrigger/triggeredBy", json!("scheduled"), true),
        (2, "/regradingTrigger/triggeredBy", json!("boredom"), false),
        (2, "/regradingTrigger", Value::Null, false),
    ];
    for (index, pointer, value, valid) in table {
        let mut document = document(index);
        set(&mut document, pointer, value.clone());
        assert_eq!(agreed(&validator, &document), valid, "{pointer} = {value}");
    }
}

fn pointers(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                // Names such as `n/a` are escaped as in RFC 6901.
                let key = key.replace('~', "~0").replace('/', "~1");
                pointers(value, format!("{at}/{key}"), out);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                pointers(value, format!("{at}/{index}"), out);
            }
        }
        _ => {}
    }
    if !at.is_empty() {
        out.push(at);
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "A",
        "B",
        "REJECTED",
        "partial",
        "group-bound",
        "autonomous",
        "about-namespace",
        "namespace-skills",
        "single-test",
        "non-deterministic",
        "deterministic",
        "llm",
        "human",
        "pass",
        "n/a",
        "stale",
        "ai-security-veto",
        "user-report",
        "scheduled",
        "2026-05-29T10:00:00Z",
        "2026-05-29",
        "a1b2c3d4",
        "Q-x",
        "",
    ]);
    prop_oneof![
        4 => words.prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => (-2i64..8).prop_map(Value::from),
        1 => (0.0f64..6.0).prop_map(Value::from),
        1 => Just(json!([])),
        1 => Just(json!({})),
        1 => Just(json!({"groupId": "g", "personaIds": ["p"]})),
        1 => Just(json!({"basePersonaId": "ai-engineer", "lensId": "l"})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_documents_are_judged_alike(
        index in 0usize..3,
        steps in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any_value()), 1..4),
    ) {
        thread_local!(static VALIDATOR: Validator = validator());
        let mut document = document(index);
        for (place, kind, value) in steps {
            let mut all = Vec::new();
            pointers(&document, String::new(), &mut all);
            let pointer = all[place.index(all.len())].clone();
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let key = &key.replace("~1", "/").replace("~0", "~");
            match (document.pointer_mut(parent).unwrap(), kind) {
                (Value::Object(fields), 0) => {
                    fields.remove(key);
                }
                (Value::Object(fields), 1) => {
                    let name = value.as_str().unwrap_or("naReason").to_string();
                    fields.insert(name, json!("requires-private-data"));
                }
                (Value::Array(items), 0) => {
                    items.remove(key.parse().unwrap());
                }
                (Value::Array(items), 1) => {
                    let item = items[key.parse::<usize>().unwrap()].clone();
                    items.push(item);
                }
                _ => set(&mut document, &pointer, value),
            }
        }
        VALIDATOR.with(|validator| agreed(validator, &document));
    }
}
