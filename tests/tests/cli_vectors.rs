//! Runs every vector through the command-line program.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use fablegrade_core::json::Json;
use fablegrade_tests::{Expected, Kind, Vector, program, vectors};

fn run(arguments: &[&str], input: &str) -> Vec<Json> {
    let mut child = Command::new(program())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| Json::parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// Runs a JSON Lines command over the vectors of a kind. `request` builds the fields of a line, and `check`
/// judges the answer.
fn lines(
    kind: Kind,
    arguments: &[&str],
    request: impl Fn(&Vector) -> Option<String>,
    check: impl Fn(&Vector, &Json) -> Result<(), String>,
) {
    let all = vectors();
    let mut asked = Vec::new();
    let mut input = String::new();
    for vector in all.iter().filter(|vector| vector.kind == kind) {
        if let Some(fields) = request(vector) {
            let _ = writeln!(input, "{{\"id\":{},{fields}}}", Json::from(vector.name.as_str()));
            asked.push(vector);
        }
    }
    let answers = run(arguments, &input);
    assert_eq!(answers.len(), asked.len(), "one answer per line");
    let mut report = String::new();
    for (vector, answer) in asked.iter().zip(&answers) {
        let named = answer.get("id").and_then(Json::as_str);
        let order = match named {
            // A line that is not JSON may have no name.
            Some(id) if id != vector.name => Err(format!("  answered out of order: {id}")),
            _ => Ok(()),
        };
        if let Err(difference) = order.and_then(|()| check(vector, answer)) {
            let _ = writeln!(report, "\n{}\n  because: {}\n{difference}", vector.name, vector.why);
        }
    }
    assert!(report.is_empty(), "{report}");
}

fn field(vector: &Vector, name: &str) -> Option<String> {
    vector.document(name).map(|text| format!("\"{name}\":{text}"))
}

/// Returns pairs of pointer and rule, sorted; `prefix` is the pointer to the document in the line.
fn rules(findings: Option<&Json>, prefix: &str) -> Vec<Vec<String>> {
    let word =
        |finding: &Json, key: &str| finding.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let mut rows: Vec<Vec<String>> = findings
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .map(|finding| {
            let pointer = word(finding, "pointer");
            vec![pointer.strip_prefix(prefix).unwrap_or(&pointer).to_owned(), word(finding, "rule")]
        })
        .collect();
    rows.sort();
    rows
}

/// Returns whether a pointer into a request leads into one of its documents.
fn is_in_document(pointer: &str) -> bool {
    ["spec", "submission", "attempt", "context", "outcomes"]
        .contains(&pointer.split('/').nth(1).unwrap_or_default())
}

#[test]
fn batch_gives_the_same_bytes() {
    let request = |vector: &Vector| {
        let fields = ["spec", "submission", "attempt", "context", "outcomes"];
        Some(fields.iter().filter_map(|name| field(vector, name)).collect::<Vec<_>>().join(","))
    };
    for jobs in ["1", "3"] {
        lines(Kind::Grade, &["batch", "--jobs", jobs], request, |vector, answer| match vector.expected() {
            Expected::Result(expected) => {
                let found = answer.get("result").map(ToString::to_string).unwrap_or_default();
                if found == expected {
                    Ok(())
                } else {
                    Err(format!("  expected: {expected}\n  found:    {answer}"))
                }
            }
            Expected::Error(kind, expected) => {
                let error = answer.get("error");
                let found = error.and_then(|error| error.get("kind")).and_then(Json::as_str);
                let findings = error.and_then(|error| error.get("findings"));
                let names = |rows: &[Vec<String>]| rows.iter().map(|row| row[1].clone()).collect::<Vec<_>>();
                let mut rows = rules(findings, "");
                // Pointers are relative to the request; those of the vector to the document. Only a missing document
                // is outside of all documents.
                let outside = |row: &&Vec<String>| !is_in_document(&row[0]) && row[1] != "missing-field";
                if let Some(row) = rows.iter().find(outside) {
                    return Err(format!("  the pointer {:?} is in no document of the request", row[0]));
                }
                for row in &mut rows {
                    for prefix in ["/spec", "/attempt", "/outcomes"] {
                        row[0] = row[0].strip_prefix(prefix).unwrap_or(&row[0]).to_owned();
                    }
                }
                rows.sort();
                if found == Some(kind.as_str()) && rows == expected && names(&rows) == names(&expected) {
                    Ok(())
                } else {
                    Err(format!("  expected: {kind} {expected:?}\n  found:    {answer}"))
                }
            }
        });
    }
}

#[test]
fn matchers_decide_the_same() {
    let request = |vector: &Vector| {
        let fields = ["matcher", "expected", "actual", "enc", "floatTolerance"];
        Some(fields.iter().filter_map(|name| field(vector, name)).collect::<Vec<_>>().join(","))
    };
    lines(Kind::Match, &["match"], request, |vector, answer| {
        let expected = vector.flag("accept").map(Json::from);
        if answer.get("accept").cloned() == expected { Ok(()) } else { Err(format!("  found: {answer}")) }
    });
}

#[test]
fn check_says_the_same() {
    // Long or broken instances are checked as files by `check FILE`, because a line would nest them one level
    // deeper.
    let request = |vector: &Vector| {
        let instance = vector.document("instance")?;
        let whole = !vector.folder.contains("/too-") && Json::parse(instance.as_bytes()).is_ok();
        whole.then(|| format!("{},\"instance\":{instance}", field(vector, "schema").unwrap_or_default()))
    };
    lines(Kind::Check, &["check"], request, |vector, answer| {
        let expected = vector.flag("valid").map(Json::from);
        let found = rules(answer.get("findings"), "/instance");
        let same = answer.get("valid").cloned() == expected
            && (vector.flag("valid") == Some(true) || found == vector.rows("rules"));
        if same {
            Ok(())
        } else {
            Err(format!("  expected: {:?}\n  found:    {answer}", vector.rows("rules")))
        }
    });
}

/// A folder for files, which is removed at the end.
struct Files(PathBuf);

impl Files {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fablegrade-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn broken_documents_are_told_as_files_too() {
    let files = Files::new("check");
    for vector in vectors().iter().filter(|vector| vector.kind == Kind::Check) {
        let instance = vector.document("instance").unwrap();
        if !vector.folder.contains("/too-") && !vector.folder.ends_with("json-syntax") {
            continue;
        }
        let file = files.write("instance.json", &instance);
        let schema = vector.word("schema").unwrap();
        let answers = run(&["check", &file, "--schema", schema, "--json"], "");
        let valid = answers.first().and_then(|answer| answer.get("valid").cloned());
        assert_eq!(valid, vector.flag("valid").map(Json::from), "{}: {}", vector.name, vector.why);
        let found = rules(answers.first().and_then(|answer| answer.get("findings")), "");
        assert_eq!(found, vector.rows("rules"), "{}: {}", vector.name, vector.why);
    }
}

#[test]
fn lint_finds_the_same() {
    let files = Files::new("lint");
    let mut expected = BTreeMap::new();
    for (at, vector) in vectors().into_iter().filter(|vector| vector.kind == Kind::Lint).enumerate() {
        let file = files.write(&format!("{at:04}.json"), &vector.document("spec").unwrap());
        expected.insert(file, vector);
    }
    let mut arguments = vec!["lint", "--json"];
    arguments.extend(expected.keys().map(String::as_str));
    let answers = run(&arguments, "");
    assert_eq!(answers.len(), expected.len());
    for (answer, vector) in answers.iter().zip(expected.values()) {
        let word = |finding: &Json, key: &str| {
            finding.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        let mut found: Vec<Vec<String>> = answer
            .get("findings")
            .and_then(Json::as_array)
            .unwrap_or_default()
            .iter()
            .map(|finding| ["severity", "rule", "pointer"].map(|key| word(finding, key)).to_vec())
            .collect();
        found.sort();
        assert_eq!(found, vector.rows("findings"), "{}: {}", vector.name, vector.why);
    }
}
