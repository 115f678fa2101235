//! The page on security names only tests and programs that exist.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fablegrade_tests::repository;
use std::fs;
use std::path::PathBuf;

/// Returns all files of the runner's tests and sources.
fn files() -> Vec<PathBuf> {
    let mut left =
        vec![repository().join("fablegrade-runner/tests"), repository().join("fablegrade-runner/src")];
    let mut files = Vec::new();
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { left.push(path) } else { files.push(path) }
        }
    }
    files
}

#[test]
fn each_test_that_the_page_on_security_names_is_there() {
    let page = fs::read_to_string(repository().join("docs/security.md")).unwrap();
    let (files, mut sources) = (files(), String::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "rs")) {
        sources += &fs::read_to_string(file).unwrap();
    }
    let page = page.split_once("{#programs}").expect("the part on programs").1;
    let (mut column, mut named, mut rows) = (None, 0, 0);
    for line in page.lines() {
        let Some(cells) = line.strip_prefix("| ") else {
            column = None;
            continue;
        };
        let cells: Vec<&str> = cells.trim_end_matches('|').split(" | ").map(str::trim).collect();
        let Some(column) = column else {
            column = cells.iter().position(|cell| *cell == "test");
            assert!(column.is_some(), "a table without tests: {line}");
            continue;
        };
        if cells[0].starts_with("---") {
            continue;
        }
        rows += 1;
        let cell = cells.get(column).unwrap_or_else(|| panic!("no test: {line}"));
        if ["none", "the same"].contains(cell) {
            continue;
        }
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {line}");
        for name in names {
            named += 1;
            let begins = name.strip_suffix("...");
            let found = if cell.contains(&format!("probe `{name}`")) {
                sources.contains(&format!("\"{name}\""))
            } else if name.contains('.') && begins.is_none() {
                files.iter().any(|file| file.file_name().is_some_and(|file| file == name))
                    && sources.contains(&format!("\"{name}\""))
            } else {
                sources.contains(&match begins {
                    Some(begins) => format!("fn {begins}"),
                    None => format!("fn {name}("),
                })
            };
            assert!(found, "`{name}` is not there: {line}");
        }
    }
    assert!(rows > 30 && named > 50, "{rows} rows, {named} tests");
}
