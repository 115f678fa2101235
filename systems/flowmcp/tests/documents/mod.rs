//! Documents for the tests, and functions that change them.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use fablegrade_flowmcp::check::{Checked, check};
use fablegrade_flowmcp::entry::Entry;
use fablegrade_public::finding::Severity;
use serde_json::{Value, json};

pub fn autonomous() -> Value {
    serde_json::from_str(include_str!("autonomous.json")).unwrap()
}

pub fn rejected() -> Value {
    serde_json::from_str(include_str!("rejected.json")).unwrap()
}

pub fn group_bound() -> Value {
    serde_json::from_str(include_str!("group_bound.json")).unwrap()
}

/// Returns the document with the value at a pointer replaced or added.
pub fn with(mut document: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(items) if key == "-" => items.push(value),
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
        fields => fields[key] = value,
    }
    document
}

/// Returns the document without the field at a pointer.
pub fn without(mut document: Value, pointer: &str) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key).unwrap();
    document
}

pub fn checked(document: &Value) -> Checked {
    check(document.to_string().as_bytes()).unwrap()
}

pub fn entry(document: &Value) -> Entry {
    Entry::from_json(document.to_string().as_bytes()).unwrap()
}

/// Returns the severity and pointer of the findings of one rule.
pub fn found<'c>(checked: &'c Checked, rule: &str) -> Vec<(Severity, &'c str)> {
    let of_rule = checked.findings.iter().filter(|finding| finding.rule == rule);
    of_rule.map(|finding| (finding.severity, finding.pointer.as_str())).collect()
}

/// Returns a deterministic answer by a script.
pub fn answer(question: &str, score: Value, weight: f64, timestamp: &str) -> Value {
    json!({
        "questionId": question, "score": score, "weight": weight, "determinism": "deterministic",
        "graderIdentity": { "kind": "script", "name": "check", "version": "1" }, "timestamp": timestamp,
    })
}

/// Returns a draft of an area in which every question is answered: with `pass` by code, with `score` by the
/// judge.
pub fn draft(area: &str, score: Value) -> Value {
    use fablegrade_flowmcp::answer::Determinism;
    use fablegrade_flowmcp::area::{Area, Tier};
    let known = Area::from_word(area).unwrap();
    let answers = known.questions().iter().enumerate().map(|(place, question)| {
        let id = known.question_id(place);
        if question.determinism == Determinism::Deterministic {
            json!({ "questionId": id, "score": "pass", "evidence": "https://example.org/run",
                    "graderIdentity": { "kind": "script", "name": "check", "version": "1" } })
        } else {
            let mut answer = json!({
                "questionId": id, "score": score, "reasoning": "Seen.", "llmModel": "judge-2",
                "graderIdentity": { "kind": "llm", "name": "judge", "version": "2" },
                "selectionContext": { "groupId": "g", "personaIds": ["neutral"], "domainDocId": "d-1" },
            });
            if score == "n/a" {
                answer["naReason"] = json!("requires-private-data");
            }
            answer
        }
    });
    let mut draft = json!({
        "schemaId": "weather.forecast", "area": area, "version": "flowmcp/4.2.0", "schemaHash": "0badcafe",
        "gradingMode": "full", "harness": "claude-code", "scoringSystem": "scoringSystem/1.0.0",
        "gradingSystem": "gradingSystem/1.0.0", "timestamp": "2026-07-01T12:00:00+02:00",
        "answers": answers.collect::<Vec<_>>(),
    });
    if known.is_persona_bound() {
        draft["persona"] = json!({ "basePersonaId": "ai-engineer", "lensId": "weather" });
    }
    if known.is_per_skill() {
        draft["skillId"] = json!("plan-a-trip");
    }
    if known.tier() == Tier::GroupBound {
        draft["selectionId"] = json!("travel");
    }
    draft
}
