//! Explanations of aggregates and rollups, as text and as JSON.
#![allow(clippy::unwrap_used)]

mod documents;

use documents::{answer, autonomous, entry};
use fablegrade_flowmcp::aggregate::GRADING_SYSTEM_1_0_0;
use fablegrade_flowmcp::explain::IndexExplanation;
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::rollup::{RollupOptions, rollup};
use serde_json::{Value, json};

fn mixed() -> Value {
    let mut document = autonomous();
    let mut ignored = answer("Q-c", json!("n/a"), 1.0, "2026-05-01T00:00:00Z");
    ignored["naReason"] = json!("out-of-scope-prompt");
    document["gradings"] = json!([
        answer("Q-a", json!(1), 1.0, "2026-05-01T00:00:00Z"),
        answer("Q-a", json!(5), 2.0, "2026-05-02T00:00:00Z"),
        answer("Q-b", json!("pass"), 0.0, "2026-05-01T00:00:00Z"),
        ignored,
        answer("Q-d", json!("stale"), 1.0, "2026-05-01T00:00:00Z"),
        answer("Q-e", json!(4.5), 1.0, "2026-05-01T00:00:00Z"),
    ]);
    document["aggregateGrade"] = json!("B");
    document
}

#[test]
fn each_answer_has_its_use() {
    let explanation = GRADING_SYSTEM_1_0_0.explain_entry(&entry(&mixed()));
    assert_eq!(
        explanation.to_string().lines().collect::<Vec<_>>(),
        [
            "Q-a  1  left out: /gradings/1 is the latest answer",
            "Q-a  5  counts 5 x 2 = 10",
            "Q-b  pass  counts 5 x 0 = 0 (weight 0 changes nothing)",
            "Q-c  n/a  left out: the question does not apply",
            "Q-d  stale  left out: too old",
            "Q-e  4.5  counts 4.5 x 1 = 4.5",
            "mean 14.5 / 3 = 4.8333",
            "A: the mean reaches 4.5; trimmed to B, the best of the tier",
        ]
    );
    let json: Value = serde_json::from_str(&explanation.to_json().to_canonical()).unwrap();
    assert_eq!(json["mean"], "29/6");
    assert_eq!(json["parts"][0]["by"], "/gradings/1");
    let used: Vec<_> = json["parts"].as_array().unwrap().iter().map(|part| part["used"].clone()).collect();
    assert_eq!(used, ["replaced", "counted", "weight-0", "not-applicable", "stale", "counted"]);
}

#[test]
fn files_and_lines_give_the_same_grade() {
    let document = mixed();
    let from_entry = GRADING_SYSTEM_1_0_0.aggregate_entry(&entry(&document)).grade().unwrap();
    let line = json!({"id": 1, "gradings": document["gradings"], "gradingTier": document["gradingTier"], "veto": false});
    let answer = line::answer(line::aggregate, line.to_string().as_bytes());
    assert_eq!(answer.get("aggregateGrade").unwrap().as_str(), Some(from_entry.as_str()));
    assert_eq!(answer.get("normalizedScore").unwrap().to_canonical(), "4.833333333333333");
    // The findings mention the weight of 0.
    let findings = answer.get("findings").unwrap().to_canonical();
    assert!(findings.contains("/gradings/2/weight") && findings.contains("SCO-004"), "{findings}");
}

#[test]
fn a_line_says_where_no_answer_is_the_latest() {
    let gradings = |first: Value, second: Value| json!([{"questionId": "Q-a", "score": 5, "weight": 1, "timestamp": first}, {"questionId": "Q-a", "score": 2, "weight": 1, "timestamp": second}]);
    let graded = |mut gradings: Value| {
        for answer in gradings.as_array_mut().unwrap() {
            if answer["timestamp"].is_null() {
                answer.as_object_mut().unwrap().remove("timestamp");
            }
        }
        let line = json!({"id": 1, "gradings": gradings, "gradingTier": "group-bound"});
        let answer = line::answer(line::aggregate, line.to_string().as_bytes());
        (answer.get("aggregateGrade").unwrap().to_canonical(), answer.get("findings").unwrap().to_canonical())
    };
    let (early, late) = (json!("2026-05-01T00:00:00Z"), json!("2026-05-02T00:00:00Z"));
    assert_eq!(graded(gradings(early.clone(), late.clone())), ("\"D\"".into(), "[]".into()));
    assert_eq!(graded(gradings(late, early.clone())), ("\"A\"".into(), "[]".into()));
    // An answer with a time takes precedence. Two answers without times are a tie, in which the lower score
    // counts.
    assert_eq!(graded(gradings(early, Value::Null)), ("\"A\"".into(), "[]".into()));
    let (grade, findings) = graded(gradings(Value::Null, Value::Null));
    assert_eq!(grade, "\"D\"");
    assert!(findings.contains("latest-answer-tie"), "{findings}");
}

#[test]
fn a_rollup_names_the_node_that_decides() {
    let mut tool = mixed();
    tool["gradingId"] = json!(format!("{}--2026-05-29T15-34-00Z", tool["schemaHash"].as_str().unwrap()));
    let entry = entry(&tool);
    let path = "prices/tools/quote/_gradings/a.json";
    let indexes = rollup(&[(path, &entry)], &RollupOptions::default());
    let text = IndexExplanation(&indexes[0]).to_string();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "prices.tools.quote  stable  B",
            "prices  pending  -  not graded yet",
            "about  pending  -  not graded yet",
            "description  pending  -  not graded yet",
            "aggregate  pending  -  not graded yet",
            "status partial: some nodes are graded, not all are stable",
            "no grade: no aggregate, description or skill is graded",
        ]
    );
}

#[test]
fn a_mean_below_a_threshold_is_shown_below_it() {
    for (score, shown, letter) in [
        (json!(4.49999), "4.4999", "B: the mean reaches 3.5"),
        (json!(4.5), "4.5000", "A: the mean reaches 4.5; trimmed to B, the best of the tier"),
        (json!(4.999999), "4.9999", "A: the mean reaches 4.5; trimmed to B, the best of the tier"),
        (json!(1), "1.0000", "F: the mean reaches no better letter"),
    ] {
        let mut document = autonomous();
        document["gradings"] = json!([answer("Q-a", score.clone(), 1.0, "2026-05-01T00:00:00Z")]);
        let text = GRADING_SYSTEM_1_0_0.explain_entry(&entry(&document)).to_string();
        let lines: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(lines, [format!("mean {score} / 1 = {shown}"), letter.into()]);
    }
}
