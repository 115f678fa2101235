//! Hostile input causes no panic, and all work is bounded.

use fablegrade_judgehost::{Config, FileLimits, Files, Manner, Outcome, RubricOutput, evaluate};
use proptest::prelude::*;

use super::Draft;

#[test]
fn nesting_and_size_are_bounded() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    assert!(RubricOutput::parse(deep.as_bytes(), &config.rubrics[0]).is_err());
    assert!(Config::parse(deep.as_bytes(), Manner::Lenient).is_err());
    let large = format!(r#"{{"rubric_id":"correctness","score":1,"details":"{}"}}"#, "x".repeat(1 << 20));
    assert_eq!(RubricOutput::parse(large.as_bytes(), &config.rubrics[0]).unwrap_err().rule(), "too-large");
    let many: Vec<String> =
        (0..101).map(|at| format!(r#"{{"container_id": "c{at}", "dockerfile_path": "c/D"}}"#)).collect();
    let text = format!(r#"{{"problem_id": "abc", "problem_name": "A", "containers": [{}]}}"#, many.join(","));
    assert_eq!(Config::parse(text.as_bytes(), Manner::Strict).unwrap_err().rule(), "list-length");
}

#[test]
fn a_circle_of_a_hundred_is_found() {
    let containers: Vec<String> = (0..100)
        .map(|at| {
            let next = (at + 1) % 100;
            format!(r#"{{"container_id": "c{at}", "dockerfile_path": "c/D", "depends_on": [{{"container_id": "c{next}"}}], "terminates": ["c{next}"]}}"#)
        })
        .collect();
    let text =
        format!(r#"{{"problem_id": "abc", "problem_name": "A", "containers": [{}]}}"#, containers.join(","));
    assert_eq!(Config::parse(text.as_bytes(), Manner::Strict).unwrap_err().rule(), "dependency-cycle");
}

/// Returns JSON values of every kind, for fields that expect another kind.
fn odd() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("-1".to_owned()),
        Just("1e300".to_owned()),
        Just("0.5".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned()),
        Just("[[{}]]".to_owned()),
        Just("\"\"".to_owned()),
        Just("\"\\u0000\"".to_owned()),
        Just("\"../..\"".to_owned()),
        Just(r#"{"container_id": "submission"}"#.to_owned()),
    ]
}

proptest! {
    #[test]
    fn no_field_of_an_odd_kind_makes_it_panic(
        field in prop::sample::select(vec![
            "container_id", "dockerfile_path", "accepts_submission", "environment", "resource_limits", "ports", "depends_on",
            "terminates", "health_check", "mounts", "capabilities", "name", "terminate_on_finish",
        ]),
        value in odd(),
        lenient in any::<bool>(),
    ) {
        let text = format!(
            r#"{{"problem_id": "abc", "problem_name": "A", "containers": [{{"{field}": {value}}}], "rubrics": [{{"{field}": {value}}}], "network": {value}}}"#
        );
        let manner = if lenient { Manner::Lenient } else { Manner::Strict };
        let error = Config::parse(text.as_bytes(), manner).unwrap_err();
        prop_assert!(!error.findings().is_empty());
    }

    #[test]
    fn no_archive_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), kind in 0..3usize) {
        let mut archive = [&b"PK\x03\x04"[..], &b"\x1f\x8b\x08\x00"[..], &b""[..]][kind].to_vec();
        archive.extend(bytes);
        let _ = Files::from_archive(&archive, FileLimits::default());
    }

    #[test]
    fn no_result_earns_more_than_there_is(text in "\\PC{0,60}", score in any::<f64>()) {
        let config = Draft::default().read(Manner::Strict).unwrap().config;
        for text in [text, format!(r#"{{"rubric_id":"correctness","score":{score:?}}}"#)] {
            let outcome = Outcome::new().with_result("tester", "rubric_correctness.json", text);
            let scores = evaluate(&config, "s", &outcome).scores.unwrap();
            prop_assert!(!scores.total.is_negative() && scores.total <= scores.max_total);
        }
    }
}
