//! Recorded cases of the reference implementation, if the shared folder is next to the workspace.

#![allow(clippy::unwrap_used)]

use fablegrade_formspec::{
    Answers, DeterminationRecord, Evaluator, Fel, Options, Screener, check_record, verify,
};
use fablegrade_public::json::Json;

fn cases() -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/formspec/cases.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    text.lines().map(|line| Json::parse(line.as_bytes()).unwrap()).collect()
}

fn text<'a>(json: &'a Json, pointer: &str) -> &'a str {
    json.pointer(pointer).and_then(Json::as_str).unwrap_or_default()
}

#[test]
fn evaluations_are_the_recorded_ones() {
    for case in cases().iter().filter(|case| text(case, "/kind") == "evaluate") {
        let id = text(case, "/id");
        let screener =
            Screener::parse(case.pointer("/case/screener").unwrap().to_string().as_bytes()).unwrap();
        let answers = Answers::parse(case.pointer("/case/answers").unwrap().to_string().as_bytes()).unwrap();
        let now = text(case, "/case/now");
        let expected = case.pointer("/case/expected_reference").unwrap();

        let reference = Options::new().reference_compatible();
        let record =
            Evaluator::new(&screener, Fel, reference).unwrap().determine(&answers, now).unwrap().record;
        assert_eq!(record.to_json(), *expected, "{id}");

        let made = Evaluator::new(&screener, Fel, Options::new()).unwrap().determine(&answers, now);
        let settled = case.get("divergences").and_then(Json::as_array).is_some_and(<[Json]>::is_empty);
        let Ok(made) = made else {
            assert!(!settled && now.is_empty(), "{id}");
            continue;
        };
        let ours = made.record.to_json();
        assert_eq!(check_record(&made.record), [], "{id}");
        assert_eq!(verify(&made.record, &screener, Fel, Options::new()).unwrap(), [], "{id}");
        for member in ["status", "overrides", "phases"] {
            if settled {
                assert_eq!(ours.get(member), expected.get(member), "{id}");
            }
        }
    }
}

#[test]
fn documents_are_judged_as_recorded() {
    for case in cases().iter().filter(|case| text(case, "/kind") == "validate") {
        let document = case.get("case").unwrap();
        let read = DeterminationRecord::parse(document.to_string().as_bytes());
        assert_eq!(read.is_ok(), text(case, "/expect") == "valid", "{}", text(case, "/id"));
        let Ok(record) = read else { continue };
        // The structure is valid, but rules that a schema cannot express are broken.
        let rules: Vec<_> = check_record(&record).iter().map(|finding| finding.rule).collect();
        let expected: &[&str] = match text(case, "/id").rsplit('/').next().unwrap_or_default() {
            "unavailable_with_phases.json" => &["unavailable", "unavailable"],
            "validity_wrong_sum.json" => &["validity"],
            "reason_in_matched.json" => &["reason"],
            _ => &[],
        };
        assert_eq!(rules, expected, "{}", text(case, "/id"));
    }
}
