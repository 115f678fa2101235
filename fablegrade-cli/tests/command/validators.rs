//! `--validator NAME=PROGRAM`, and the standard validators.

use serde_json::json;

use super::{answers, code, run, text};

fn request(name: &str, state: &serde_json::Value) -> String {
    let validator = json!({"kind": "builtin", "name": name});
    let spec =
        json!({"type": "widget", "widgetName": "plane", "widgetVersion": "1.0.0", "validator": validator});
    json!({"spec": spec, "submission": {"type": "widget", "state": state}}).to_string()
}

#[test]
fn a_validator_needs_a_name_and_a_program() {
    for given in ["Above=x", "above", "=x"] {
        let output = run(&["grade", "--json", "--validator", given, "-"], request("above", &json!({})));
        assert_eq!(code(&output), 2, "{given}: {}", text(&output.stderr));
    }
    let output =
        run(&["grade", "--json", "--validator", "above=/nowhere/above", "-"], request("above", &json!({})));
    assert_eq!(code(&output), 3, "{}", text(&output.stderr));
}

#[test]
fn standard_validators_need_no_option() {
    let mut request: serde_json::Value =
        serde_json::from_str(&request("number_text", &json!({"text": "981 cm/s^2"}))).unwrap();
    request["spec"]["validator"]["config"] = json!({"answers": [{"value": "9.81 m/s^2"}], "units": {}});
    let output = run(&["grade", "--json", "-"], request.to_string());
    assert_eq!(answers(&output)[0]["verdict"], "correct", "{}", text(&output.stderr));
}

#[cfg(feature = "sandbox-tests")]
#[test]
fn a_program_validates_in_the_sandbox() {
    use std::os::unix::fs::PermissionsExt as _;

    use super::Folder;

    let folder = Folder::new("validator");
    let program = folder.file(
        "above",
        r#"#!/bin/sh
read -r asked
case "$asked" in
  *sentences*) echo '[{"code":"below","text":"Look at the axis."}]' ;;
  *'"y":1'*) echo '{"score":1}' ;;
  *'"y":2'*) echo '{"score":"1/4","messages":["below"]}' ;;
  *'"y":3'*) echo '{"score":2}' ;;
  *'"y":4'*) exit 1 ;;
  *'"limit":0'*) echo '{"findings":[{"pointer":"/limit","code":"below"}]}' ;;
  *) echo '{}' ;;
esac
"#,
    );
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, open.clone()).unwrap();
    std::fs::set_permissions(folder.path(""), open).unwrap();
    let validator = format!("above={program}");
    let lines: String = (1..=5).map(|y| request("above", &json!({"y": y})) + "\n").collect();
    let output = run(&["batch", "--validator", &validator, "-"], lines);
    let results: Vec<_> = answers(&output).into_iter().map(|answer| answer["result"].clone()).collect();
    let verdicts: Vec<_> = results.iter().map(|result| result["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["correct", "partial", "error", "error", "error"], "{}", text(&output.stderr));
    assert_eq!(results[1]["score"], 0.25);
    assert_eq!(results[1]["feedback"][0]["message"], "Look at the axis.");

    let mut spec: serde_json::Value = serde_json::from_str(&request("above", &json!({}))).unwrap();
    let mut spec = spec["spec"].take();
    let lint =
        |spec: &serde_json::Value| run(&["lint", "--json", "--validator", &validator, "-"], spec.to_string());
    let pointers = |output: &std::process::Output| text(&output.stdout).contains("/validator/config/limit");
    spec["validator"]["config"] = json!({"limit": 0});
    let refused = lint(&spec);
    assert!(
        pointers(&refused) && text(&refused.stdout).contains("Look at the axis."),
        "{}",
        text(&refused.stdout)
    );
    assert_eq!(refused.status.code(), Some(1));
    spec["validator"]["config"] = json!({"limit": 1});
    assert!(!pointers(&lint(&spec)));
}
