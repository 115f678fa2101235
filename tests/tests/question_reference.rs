//! The tables of `docs/questions.md` are those of the schemas, and its examples get the stated verdicts.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;

use fablegrade_core::request::Documents;
use fablegrade_core::schema::document_schema;
use fablegrade_core::{AnswerSpec, Submission, grade};
use fablegrade_tests::field_tables::table;
use fablegrade_tests::repository;
use serde_json::Value;

fn schema(name: &str) -> Value {
    serde_json::from_str(&document_schema(name).unwrap()).unwrap()
}

/// Returns the page with every table between `<!-- fields DOCUMENT TYPE -->` and `<!-- end -->` regenerated.
fn with_tables(page: &str) -> String {
    let mut written = String::new();
    let mut inside = false;
    for line in page.lines() {
        if line == "<!-- end -->" {
            inside = false;
        }
        if !inside {
            written.push_str(line);
            written.push('\n');
        }
        let words = line.strip_prefix("<!-- fields ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some((document, kind)) = words.and_then(|words| words.split_once(' ')) {
            inside = true;
            written.push('\n');
            written.push_str(
                &table(&schema(document), kind).unwrap_or_else(|| panic!("no {kind} in {document}")),
            );
            written.push('\n');
        }
    }
    written
}

#[test]
fn the_tables_are_those_of_the_schemas() {
    let path = repository().join("docs/questions.md");
    let page = fs::read_to_string(&path).unwrap();
    let made = with_tables(&page);
    if std::env::var_os("FABLEGRADE_WRITE").is_some() {
        fs::write(&path, &made).unwrap();
    } else if page != made {
        panic!("run this test with FABLEGRADE_WRITE=1 and look at what changes in docs/questions.md");
    }
    let schema = schema("AnswerSpec");
    for branch in schema["oneOf"].as_array().unwrap() {
        let kind = branch["properties"]["type"]["const"].as_str().unwrap();
        for document in ["AnswerSpec", "Submission"] {
            assert!(made.contains(&format!("<!-- fields {document} {kind} -->")), "{document} {kind}");
        }
    }
}

#[test]
fn the_examples_get_the_verdicts_they_are_said_to_get() {
    let page = fs::read_to_string(repository().join("docs/questions.md")).unwrap();
    let mut count = 0;
    for part in page.split("```json\n").skip(1) {
        let (block, after) = part.split_once("```").unwrap();
        let both: Value = serde_json::from_str(block).unwrap();
        let spec = AnswerSpec::from_json(both["spec"].to_string()).unwrap();
        let submission = Submission::from_json(both["submission"].to_string()).unwrap();
        let result = match both.get("outcomes") {
            None => grade(&spec, &submission).unwrap(),
            Some(outcomes) => {
                let outcomes = outcomes.to_string();
                let submission = both["submission"].to_string();
                let documents = Documents {
                    submission: Some(submission.as_bytes()),
                    outcomes: Some(outcomes.as_bytes()),
                    ..Documents::default()
                };
                documents.grade(both["spec"].to_string(), &fablegrade_core::Host::new()).unwrap()
            }
        };
        let score = result.score.map(|score| format!(", score {score}")).unwrap_or_default();
        let said = format!("Verdict: `{}`{score}.", result.verdict.as_str());
        assert!(after.trim_start().starts_with(&said), "{said} of\n{block}");
        count += 1;
    }
    assert_eq!(count, 9);
}
