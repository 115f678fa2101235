//! The committed schema is the generated one, and reports are valid against it.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::path::Path;

use fablegrade_analysis::schema::report_schema;
use fablegrade_analysis::{Accumulator, Answer, Items, Score};
use serde_json::Value;

#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/AnalysisReport.json");
    let text = serde_json::to_string_pretty(&report_schema()).unwrap() + "\n";
    if std::env::var("SNAPSHOTS").as_deref() == Ok("overwrite") {
        std::fs::write(&path, &text).unwrap();
    }
    // The values are compared, because another crate of the workspace can make serde_json keep the order of
    // members.
    let committed: Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap_or_default()).unwrap_or_default();
    let generated: Value = serde_json::from_str(&text).unwrap();
    assert!(
        committed == generated,
        "run `SNAPSHOTS=overwrite cargo test -p fablegrade-analysis --test schema`"
    );
}

#[test]
fn reports_are_valid_by_the_schema() {
    let schema = serde_json::to_value(report_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut all = Accumulator::new();
    for sitting in 0..40 {
        let report: Value = serde_json::from_str(&all.finish(&Items::new()).to_json()).unwrap();
        assert!(validator.is_valid(&report), "{report}");
        let points = |points| Score::from_points(i32::from(sitting % 3 == points));
        let options = if sitting % 2 == 0 { &["a", "b"][..] } else { &["b"] };
        all.add(&[
            Answer::scored("a", points(0)).options(options).millis(3),
            Answer::scored("b", points(1)).text("x"),
            Answer::blank("c"),
            Answer::pending("d"),
        ])
        .unwrap();
    }
    let mut report: Value = serde_json::from_str(&all.finish(&Items::new()).to_json()).unwrap();
    assert!(!report["findings"].as_array().unwrap().is_empty());
    report["items"][0]["facility"] = 0.5.into();
    assert!(!validator.is_valid(&report), "a bare number is not a statistic");
}
