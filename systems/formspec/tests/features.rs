//! The dependencies of this crate: without the feature `fel`, none of them changes the rest of the build.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// Returns the crates and features of a build, one per line.
fn tree(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "-e",
            "no-dev,features",
            "--prefix",
            "none",
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn only_the_feature_fel_keeps_the_order_of_objects() {
    let plain = tree(&[]);
    assert!(
        plain.contains("fablegrade-public") && !plain.contains("fel-core") && !plain.contains("serde_json"),
        "{plain}"
    );
    // fel-core causes this; when it no longer does, the feature can become a default.
    assert!(tree(&["--features", "fel"]).contains(r#"serde_json feature "preserve_order""#));
}
