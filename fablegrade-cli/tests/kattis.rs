//! `fablegrade kattis verify` over whole packages: every version and kind, with their submissions in the sandbox.
#![cfg(all(target_os = "linux", feature = "sandbox-tests"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn packages(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../systems/kattis").join(folder);
    let mut packages: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    packages.sort();
    assert!(packages.len() >= 10, "{packages:?}");
    packages
}

/// The report; whether the command was content; and that all submissions are as expected.
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
fn every_submission_of_the_examples_meets_its_expectation() {
    for package in packages("examples") {
        let (report, content) = verify(&package);
        assert!(content, "{}: {report}", package.display());
    }
}

/// Seven languages, validators of several files, shared cases, graders, drivers, CRLF, names of the world.
#[test]
fn every_submission_of_packages_as_the_wild_has_them_meets_its_expectation() {
    for package in packages("tests/wild") {
        let (report, content) = verify(&package);
        // A name that the format does not allow.
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
            Some("pointscurrent") => Some(&["90", "90", "75/2", "10"]),
            _ => None,
        };
        if let Some(expected) = expected {
            assert_eq!(scores, *expected, "{}", package.display());
        }
    }
}
