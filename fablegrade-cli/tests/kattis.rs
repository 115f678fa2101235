//! `fablegrade kattis verify` over the example packages: every version and kind, with their submissions in the sandbox.
#![cfg(all(target_os = "linux", feature = "sandbox-tests"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

#[test]
fn every_submission_of_the_examples_meets_its_expectation() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../systems/kattis/examples");
    let mut packages: Vec<_> =
        std::fs::read_dir(examples).unwrap().map(|entry| entry.unwrap().path()).collect();
    packages.sort();
    assert!(packages.len() >= 10, "{packages:?}");
    for package in packages {
        let verified = Command::new(env!("CARGO_BIN_EXE_fablegrade"))
            .args(["kattis", "verify", "--json"])
            .arg(&package)
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            verified.status.success(),
            "{}: {}{}",
            package.display(),
            text(&verified.stdout),
            text(&verified.stderr)
        );
        let report: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
        let submissions = report["submissions"].as_array().unwrap();
        assert!(
            !submissions.is_empty() && submissions.iter().all(|one| one["asExpected"] == true),
            "{report}"
        );
    }
}
