//! Rules for the sources of this crate and of `fablegrade-latex`.
#![allow(clippy::unwrap_used)]

use std::path::Path;

/// The number of lines above which a function's documentation must give the reason for its length.
const LONG: usize = 80;

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Returns the number of the first line of each function, its number of lines, and `true` if its
/// documentation gives the reason for its length.
fn functions(text: &str) -> Vec<(usize, usize, bool)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let words = line.trim_start().trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ");
        words.trim_start_matches("pub ").trim_start_matches("const ").starts_with("fn ")
    };
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| begins(line)) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indent}}}");
        let Some(length) = lines[at..].iter().position(|line| *line == end) else { continue };
        let above = lines[..at].iter().rev().take_while(|line| {
            let line = line.trim_start();
            line.starts_with("///") || line.starts_with("#[")
        });
        found.push((
            at + 1,
            length + 1,
            above.into_iter().any(|line| line.contains("function is long because")),
        ));
    }
    found
}

#[test]
fn long_functions_say_why() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    sources(&here.join("src"), &mut all);
    sources(&here.join("../fablegrade-latex/src"), &mut all);
    let (mut seen, mut wrong) = (0, Vec::new());
    for (path, text) in &all {
        for (line, length, reason) in functions(text) {
            seen += 1;
            if reason != (length > LONG) {
                wrong.push(format!("{path}:{line}: {length} lines, reason given: {reason}"));
            }
        }
    }
    assert!(seen > 1_000, "{seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
