//! Every row in the decision tables of the integrations' pages names a test that exists.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use fablegrade_tests::repository;

const PAGES: [&str; 5] = ["flowmcp", "formspec", "judgehost", "kattis", "terry"];
/// The words in place of a test, in rows for which there is nothing to run.
const NO_NAME: [&str; 1] = ["documented"];

/// Collects the names of all functions below a folder.
fn functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            functions(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let heads = text.lines().filter_map(|line| line.trim_start().strip_prefix("fn "));
            names.extend(heads.map(|head| head.split(['(', '<']).next().unwrap_or_default().to_owned()));
        }
    }
}

/// Returns the first and the last cell of each row, for tables whose last column is headed `test`.
fn rows(page: &str) -> Vec<(&str, &str)> {
    let mut rows = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
        let table = line.starts_with('|') && cells.len() >= 3;
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { continue };
        if !table {
            inside = inside && line.starts_with('|');
        } else if *last == "test" {
            inside = true;
        } else if inside && !line.starts_with("|---") {
            rows.push((*first, *last));
        }
    }
    rows
}

#[test]
fn every_decision_of_an_integration_names_a_test_that_exists() {
    let root = repository();
    let mut known = BTreeSet::new();
    for folder in ["systems", "fablegrade-runner", "fablegrade-cli/tests"] {
        functions(&root.join(folder), &mut known);
    }
    let mut wrong = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(root.join(format!("docs/{page}.md"))).unwrap();
        let rows = rows(&text);
        assert!(rows.len() >= 5, "{page}.md has {} rows with tests", rows.len());
        for (first, last) in rows {
            let named: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
            if NO_NAME.contains(&last) {
                continue;
            }
            if named.is_empty() {
                wrong.push(format!("{page}.md: no test for: {first}"));
            }
            let missing = named.iter().filter(|name| !name.ends_with(".rs") && !known.contains(**name));
            wrong.extend(missing.map(|name| format!("{page}.md: there is no test `{name}`")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
