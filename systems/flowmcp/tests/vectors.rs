//! Test vectors for hashes, names, rollups and histories. Vectors of the same form from other sources can be
//! used too.
#![allow(clippy::unwrap_used, clippy::panic)]

use fablegrade_flowmcp::canonical::{canonical, hash8};
use fablegrade_flowmcp::entry::{AggregateGrade, GradingMode};
use fablegrade_flowmcp::naming::{GradingFile, resolve_latest};
use fablegrade_flowmcp::rollup::{RollupStatus, rollup_grade, rollup_status, schema_status};
use fablegrade_flowmcp::sequence::{NodeStatus, STABLE_FROM, Step, check_sequence, node_of};
use fablegrade_public::finding::Findings;
use fablegrade_public::json::{Document, Json};

fn vectors(kind: &str) -> Vec<Json> {
    let all = Json::parse(include_bytes!("vectors.json")).unwrap();
    all.get(kind).unwrap().as_array().unwrap().to_vec()
}

fn text<'j>(vector: &'j Json, key: &str) -> Option<&'j str> {
    vector.get(key).and_then(Json::as_str)
}

fn texts<'j>(vector: &'j Json, key: &str) -> Vec<&'j str> {
    vector.get(key).unwrap().as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

fn grade(word: &str) -> AggregateGrade {
    Document::parse(format!("{word:?}").as_bytes()).unwrap().read().unwrap()
}

fn statuses(vector: &Json, key: &str) -> Vec<NodeStatus> {
    texts(vector, key).into_iter().map(|word| NodeStatus::from_word(word).unwrap()).collect()
}

#[test]
fn hashes() {
    for vector in vectors("hashes") {
        let omit: Vec<_> = text(&vector, "omit").into_iter().collect();
        let written = canonical(vector.get("value").unwrap(), &omit);
        assert_eq!(Some(written.as_str()), text(&vector, "canonical"));
        if let Some(hash) = text(&vector, "sha256") {
            assert_eq!(hash8(written.as_bytes()).as_str(), hash);
        }
    }
}

#[test]
fn names() {
    for vector in vectors("names") {
        let (base, lens) = (text(&vector, "base"), text(&vector, "lens"));
        let file =
            GradingFile::new(text(&vector, "area").unwrap(), base, lens, text(&vector, "stamp").unwrap());
        match (file, text(&vector, "name")) {
            (Ok(file), Some(name)) => {
                assert_eq!(file.to_string(), name);
                assert_eq!(GradingFile::parse(name).unwrap(), file);
            }
            (Err(error), None) => {
                let rules: Vec<_> = error.findings().iter().map(|finding| finding.rule).collect();
                assert_eq!(rules, texts(&vector, "errors"));
            }
            other => panic!("{vector}: {other:?}"),
        }
    }
}

#[test]
fn the_latest_file_is_the_latest_by_time() {
    for vector in vectors("latest") {
        let files = texts(&vector, "files");
        let latest = resolve_latest(files.iter().copied(), text(&vector, "name").unwrap());
        assert_eq!(latest, text(&vector, "latest"), "{vector}");
    }
}

#[test]
fn rollups() {
    for vector in vectors("rollup_status") {
        let expected = RollupStatus::from_word(text(&vector, "status").unwrap()).unwrap();
        assert_eq!(rollup_status(&statuses(&vector, "nodes")), expected, "{vector}");
    }
    for vector in vectors("rollup_grade") {
        let grades = texts(&vector, "grades").into_iter().map(grade);
        assert_eq!(rollup_grade(grades).map(AggregateGrade::as_str), text(&vector, "grade"), "{vector}");
    }
    for vector in vectors("schema_node") {
        let aggregate = NodeStatus::from_word(text(&vector, "aggregate").unwrap()).unwrap();
        let expected = NodeStatus::from_word(text(&vector, "status").unwrap()).unwrap();
        assert_eq!(schema_status(&statuses(&vector, "tools"), aggregate), expected, "{vector}");
    }
}

#[test]
fn histories() {
    for vector in vectors("sequences") {
        let steps: Vec<Step<'_>> = texts(&vector, "steps")
            .into_iter()
            .map(|step| {
                let (mode, letter) = step.split_once(' ').unwrap();
                Step::new(GradingMode::from_word(mode), grade(letter))
            })
            .collect();
        let mut findings = Findings::new();
        check_sequence(&steps, &mut findings);
        let rules: Vec<_> = findings.as_slice().iter().map(|finding| finding.rule).collect();
        assert_eq!(rules, texts(&vector, "violations"), "{vector}");
        let status = node_of(&steps, STABLE_FROM, None).status;
        assert_eq!(Some(status.as_str()), text(&vector, "status"), "{vector}");
    }
}
