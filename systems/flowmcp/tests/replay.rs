//! Replays recorded cases of FlowMCP, which are not part of this repository.
//!
//! The folder is `FLOWMCP_CASES`, or `../shared/corpus/flowmcp` next to the repository. Without the folder,
//! the tests print a notice and pass.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::path::PathBuf;

use fablegrade_flowmcp::area::Grade;
use fablegrade_flowmcp::canonical::{canonical, hash8};
use fablegrade_flowmcp::entry::{AggregateGrade, GradingMode};
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::naming::{GradingFile, resolve_latest};
use fablegrade_flowmcp::rollup::{RollupStatus, rollup_grade, rollup_status, schema_status};
use fablegrade_flowmcp::sequence::{NodeStatus, STABLE_FROM, Step, check_sequence, node_of};
use fablegrade_public::finding::Findings;
use fablegrade_public::json::{Document, Json};

/// Returns the folder of the cases. The default folder may be missing, but `FLOWMCP_CASES` must exist.
fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("FLOWMCP_CASES") {
        return Some(PathBuf::from(named));
    }
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/flowmcp");
    beside.is_dir().then_some(beside)
}

/// Ends a test if there are no recorded cases.
macro_rules! cases_or_return {
    () => {
        if folder().is_none() {
            eprintln!("no recorded cases beside the repository: nothing was replayed");
            return;
        }
    };
}

/// The files that these tests replay; the folder must not contain others.
const REPLAYED: [&str; 6] = [
    "aggregate_cases.jsonl",
    "documents.jsonl",
    "hash_vectors.json",
    "naming_cases.json",
    "rollup_cases.json",
    "sequence_cases.jsonl",
];

#[test]
fn no_file_is_left_out() {
    cases_or_return!();
    let mut found: Vec<_> = std::fs::read_dir(folder().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, REPLAYED);
}

fn file(name: &str) -> Vec<u8> {
    assert!(REPLAYED.contains(&name));
    std::fs::read(folder().unwrap().join(name)).unwrap()
}

fn lines(name: &str) -> Vec<Json> {
    file(name)
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| Json::parse(line).unwrap())
        .collect()
}

fn text<'j>(value: &'j Json, key: &str) -> Option<&'j str> {
    value.get(key).and_then(Json::as_str)
}

fn list<'j>(value: &'j Json, key: &str) -> &'j [Json] {
    value.get(key).and_then(Json::as_array).unwrap()
}

fn grade(word: &Json) -> AggregateGrade {
    Document::parse(word.to_string().as_bytes()).unwrap().read().unwrap()
}

fn status(word: &Json) -> NodeStatus {
    NodeStatus::from_word(word.as_str().unwrap()).unwrap()
}

#[test]
fn hash_vectors() {
    cases_or_return!();
    for vector in Json::parse(&file("hash_vectors.json")).unwrap().as_array().unwrap() {
        let omit: Vec<_> = text(vector, "omit").into_iter().collect();
        let written = canonical(vector.get("value").unwrap(), &omit);
        assert_eq!(Some(written.as_str()), text(vector, "canonical"), "{vector}");
        assert_eq!(Some(hash8(written.as_bytes()).as_str()), text(vector, "hash"), "{vector}");
    }
}

#[test]
fn naming_cases() {
    cases_or_return!();
    let cases = Json::parse(&file("naming_cases.json")).unwrap();
    for case in list(&cases, "grading_filename") {
        let input = case.get("input").unwrap();
        let (base, lens) = (text(input, "basePersona"), text(input, "lens"));
        let named =
            GradingFile::new(text(input, "area").unwrap(), base, lens, text(input, "timestamp").unwrap());
        match named {
            Ok(named) => assert_eq!(Some(named.to_string().as_str()), text(case, "expected")),
            Err(error) => assert_eq!(Some(error.rule()), text(case, "error"), "{case}"),
        }
    }
    for case in list(&cases, "resolve_latest") {
        let files: Vec<_> = list(case, "files").iter().filter_map(Json::as_str).collect();
        let latest = resolve_latest(files, text(case, "name").unwrap());
        // If sorting by time gives another result than the reference, the case contains both.
        assert_eq!(latest, text(case, "expected_by_time").or(text(case, "expected")), "{case}");
    }
}

#[test]
fn rollup_cases() {
    cases_or_return!();
    let cases = Json::parse(&file("rollup_cases.json")).unwrap();
    for case in list(&cases, "rollup_status") {
        let nodes: Vec<_> = list(case, "nodes").iter().map(status).collect();
        assert_eq!(
            Some(rollup_status(&nodes)),
            RollupStatus::from_word(text(case, "expected").unwrap()),
            "{case}"
        );
    }
    for case in list(&cases, "rollup_grade") {
        // Without grades, the reference gives an F; this library gives no grade unless an option asks for one.
        let grades = || list(case, "grades").iter().map(grade);
        let asked = rollup_grade(grades()).unwrap_or(AggregateGrade::Letter(Grade::F));
        assert_eq!(Some(asked.as_str()), text(case, "expected"), "{case}");
        assert_eq!(rollup_grade(grades()).is_none(), grades().next().is_none(), "{case}");
    }
    for case in list(&cases, "schema_node") {
        let tools: Vec<_> = list(case, "tools").iter().map(status).collect();
        let node = schema_status(&tools, status(case.get("aggregate").unwrap()));
        assert_eq!(Some(node.as_str()), text(case, "expected"), "{case}");
    }
}

#[test]
fn sequence_cases() {
    cases_or_return!();
    for case in lines("sequence_cases.jsonl") {
        let steps: Vec<Step<'_>> = list(&case, "sequence")
            .iter()
            .map(|step| {
                let mode = GradingMode::from_word(text(step, "gradingMode").unwrap());
                Step::new(mode, grade(step.get("aggregateGrade").unwrap()))
            })
            .collect();
        let mut findings = Findings::new();
        check_sequence(&steps, &mut findings);
        let rules: Vec<_> = findings.as_slice().iter().map(|finding| finding.rule).collect();
        let expected: Vec<_> = list(&case, "expected_violations").iter().filter_map(Json::as_str).collect();
        assert_eq!(rules, expected, "{case}");
        let status = node_of(&steps, STABLE_FROM, None).status;
        assert_eq!(Some(status.as_str()), text(&case, "expected_status_chapter21"), "{case}");
    }
}

#[test]
fn documents_and_aggregates() {
    cases_or_return!();
    let documents = lines("documents.jsonl");
    assert!(documents.iter().any(|case| text(case, "kind") == Some("envelopes")));
    for case in documents {
        let line = Json::build().with("document", case.get("document").unwrap()).build();
        let answer = line::answer(line::check, line.to_string().as_bytes());
        assert_eq!(
            answer.get("valid"),
            Some(&Json::from(text(&case, "expect") == Some("valid"))),
            "{case}\n{answer}"
        );
    }
    for case in lines("aggregate_cases.jsonl") {
        let asked =
            ["gradings", "gradingTier", "veto"].map(|key| (key.into(), case.get(key).unwrap().clone()));
        let answer = line::answer(line::aggregate, Json::object(asked.into()).to_string().as_bytes());
        let expected = case.get("expected").unwrap();
        for key in ["aggregateGrade", "rawGrade", "normalizedScore", "maxAttainableGrade"] {
            assert_eq!(answer.get(key), expected.get(key).or(Some(&Json::Null)), "{key} of {case}");
        }
    }
}
