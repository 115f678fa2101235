//! Tests of `fablegrade kattis verify` with packages of every version and kind, whose submissions run in the
//! sandbox.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

fn packages(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../systems/kattis").join(folder);
    let mut packages: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    packages.sort();
    assert!(packages.len() >= 10, "{packages:?}");
    packages
}

/// Returns the report, and whether the command succeeded. Asserts that all submissions are as expected.
fn verify(package: &Path) -> (serde_json::Value, bool) {
    let verified = Command::new(env!("CARGO_BIN_EXE_fablegrade"))
        .args(["kattis", "verify", "--json"])
        .arg(package)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let report: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap_or_else(|error| {
        panic!("{}: {error}: {}{}", package.display(), text(&verified.stdout), text(&verified.stderr))
    });
    let submissions = report["submissions"].as_array().unwrap();
    assert!(
        !submissions.is_empty() && submissions.iter().all(|one| one["asExpected"] == true),
        "{}: {report}",
        package.display()
    );
    (report, verified.status.success())
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn every_submission_of_the_examples_meets_its_expectation() {
    for package in packages("examples") {
        let (report, content) = verify(&package);
        assert!(content, "{}: {report}", package.display());
    }
}

/// The packages have seven languages, validators of several files, shared cases, graders, drivers, CRLF line
/// ends and Unicode names.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn every_submission_of_packages_as_the_wild_has_them_meets_its_expectation() {
    for package in packages("tests/wild") {
        let (report, content) = verify(&package);
        // The format does not allow the name of a file in this package.
        assert_eq!(content, !package.ends_with("crlflegacy"), "{}: {report}", package.display());
        let scores: Vec<_> = report["submissions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["judgement"]["score"]["fraction"])
            .collect();
        let expected: Option<&[&str]> = match package.file_name().and_then(|name| name.to_str()) {
            Some("towersscoring") => Some(&["100", "100", "20", "50", "0"]),
            Some("guessgrader") => Some(&["60", "54", "44", "0"]),
            Some("nearscores") => Some(&["31", "18", "21", "0"]),
            Some("openscores") => Some(&["4143/2", "8353/2", "80", "0"]),
            Some("pointscurrent") => Some(&["90", "90", "75/2", "10"]),
            _ => None,
        };
        if let Some(expected) = expected {
            assert_eq!(scores, *expected, "{}", package.display());
        }
    }
}

/// Runs hostile graders and input validators, each in a separate package. The report blames them, and the
/// command ends.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn hostile_graders_and_input_validators_are_blamed_and_end() {
    const GRADERS: [(&str, &str); 6] = [
        ("computes for ever", "while True: pass"),
        ("floods", "import os\nwhile True: os.write(1, b'AC 1\\n' * 9999)"),
        ("forges an exit code", "print('AC 1')\nraise SystemExit(42)"),
        ("prints two lines", "print('AC 1')\nprint('AC 2')"),
        ("prints an exponent", "print('AC 1e999')"),
        ("kills all", "import os\nos.kill(-1, 9)"),
    ];
    const VALIDATORS: [&str; 2] =
        ["import os\nwhile True: os.write(1, b'x' * 9999)", "import os\nos.kill(-1, 9)"];
    let yaml = |more: &str| {
        format!("name: X\nlicense: cc0\nrights_owner: me\n{more}limits:\n  validation_time: 1\n")
    };
    for (what, grader) in GRADERS {
        let (report, _) = verify_files(&[
            ("problem.yaml", &yaml("type: scoring\n")),
            ("data/testdata.yaml", "grading: custom\n"),
            ("graders/grade.py", grader),
            ("input_validators/any.py", "raise SystemExit(42)"),
        ]);
        assert_eq!(report["submissions"][0]["judgement"]["verdict"], "JE", "{what}: {report}");
    }
    for validator in VALIDATORS {
        let (report, _) =
            verify_files(&[("problem.yaml", &yaml("")), ("input_validators/any.py", validator)]);
        assert_eq!(report["submissions"][0]["judgement"]["verdict"], "AC", "{report}");
        let rejected = |finding: &serde_json::Value| finding["rule"] == "input-rejected";
        assert!(report["findings"].as_array().unwrap().iter().any(rejected), "{report}");
    }
}

/// Verifies a package of these files, two cases and a submission. Returns the report, and whether the command
/// succeeded.
fn verify_files(files: &[(&str, &str)]) -> (serde_json::Value, bool) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("fablegradekattis{}x{number}", std::process::id()));
    let usual = [
        ("problem_statement/problem.en.tex", "X"),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/1.in", "2\n"),
        ("data/secret/1.ans", "2\n"),
        ("submissions/accepted/a.py", "print(input())"),
    ];
    for (path, text) in usual.iter().chain(files) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let verified = Command::new(env!("CARGO_BIN_EXE_fablegrade"))
        .args(["kattis", "verify", "--json"])
        .arg(&folder)
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    (serde_json::from_slice(&verified.stdout).unwrap(), verified.status.success())
}
