//! Tests of `--validator NAME=PROGRAM` and of the standard validators.

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

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_validates_in_the_sandbox() {
    let folder = super::Folder::new("validator");
    let program = executable(
        &folder,
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

/// Commands with which a validator fails to judge a state, each with the expected reason.
const ANSWERS: &[(&str, &str)] = &[
    ("exit 3", "the program ended with exit code 3"),
    ("echo 'no table' >&2; exit 1", "the program ended with exit code 1; its error output: no table"),
    ("kill -9 $$", "the program was ended by signal 9"),
    ("yes garbage", "the program wrote more than 1048576 bytes"),
    ("while :; do sleep 1; done", "the program did not answer in time"),
    ("printf '\\377\\376'", "the program's answer is not UTF-8"),
    ("echo garbage", "expected a value"),
    ("true", "cannot be read"),
    ("echo '[]'", "expected an object"),
    ("echo '{\"score\":1}{\"score\":1}'", "json-syntax"),
    ("echo '{}'", "the field `score` is missing"),
    ("echo '{\"score\":null}'", "/score"),
    ("echo '{\"score\":true}'", "/score"),
    ("echo '{\"score\":-1}'", "a share is a number between 0 and 1"),
    ("echo '{\"score\":\"1/0\"}'", "a share is a number between 0 and 1"),
    ("echo '{\"score\":1e999}'", "/score"),
    ("echo '{\"score\":99999999999999999999999999999999999999}'", "/score"),
    ("echo '{\"score\":\"1e400000000\"}'", "a share is a number between 0 and 1"),
    ("echo '{\"score\":NaN}'", "json-syntax"),
    ("echo '{\"score\":1,\"score\":0}'", "cannot be read"),
    ("echo '{\"score\":1,\"other\":2}'", "cannot be read"),
    ("echo '{\"score\":1,\"unreadable\":\"below\"}'", "cannot be read"),
    ("echo '{\"score\":1,\"messages\":[\"unknown\"]}'", "had not declared"),
    ("echo '{\"failed\":\"the table is missing\"}'", "the table is missing"),
    ("i=0; while [ $i -lt 300 ]; do printf '['; i=$((i+1)); done", "cannot be read"),
];

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_that_fails_gives_verdict_error_and_the_author_is_told_why() {
    use std::fmt::Write as _;

    let folder = super::Folder::new("validator-fails");
    let mut script = String::from("#!/bin/sh\nread -r asked\ncase \"$asked\" in\n");
    script += "*sentences*) echo '[{\"code\":\"below\",\"text\":\"Look at the axis.\"}]' ;;\n";
    for (index, (answer, _)) in ANSWERS.iter().enumerate() {
        writeln!(script, "*'\"y\":{index}}}'*) {answer} ;;").unwrap();
    }
    script += "*) echo '{}' ;;\nesac\n";
    let validator = format!("above={}", executable(&folder, "above", &script));
    let lines: String = (0..ANSWERS.len()).map(|y| request("above", &json!({"y": y})) + "\n").collect();
    let output = run(&["batch", "--validator", &validator, "-"], lines);
    let found = answers(&output);
    assert_eq!(found.len(), ANSWERS.len(), "{}", text(&output.stderr));
    for (index, ((program, reason), answer)) in ANSWERS.iter().zip(found).enumerate() {
        assert_eq!(answer["result"]["verdict"], "error", "{program}: {answer}");
        assert!(answer["result"].get("score").is_none_or(serde_json::Value::is_null), "{program}: {answer}");
        assert!(!answer.to_string().contains(reason), "{program}: {answer}");
        let asked = request("above", &json!({"y": index}));
        let explained =
            answers(&run(&["explain", "--json", "--validator", &validator, "-"], asked)).remove(0);
        let told = explained["steps"][0]["reason"].as_str().unwrap_or_default();
        assert!(told.contains(reason), "{program}: {explained}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_that_cannot_be_asked_is_told_at_once() {
    let folder = super::Folder::new("validator-start");
    for (name, script, status, told) in [
        ("dies", "#!/bin/sh\nexit 7\n", 3, "the program ended with exit code 7"),
        ("interpreter", "#!/nowhere/sh\n", 3, "check the interpreter in its first line"),
        ("floods", "#!/bin/sh\nread a; yes\n", 3, "the program wrote more than 1048576 bytes"),
        ("endless", "#!/bin/sh\nwhile :; do sleep 1; done\n", 3, "the program did not answer in time"),
        ("silent", "#!/bin/sh\nread a\nexit 0\n", 1, "its answer to {\"sentences\":true}"),
        ("garbage", "#!/bin/sh\nread a; echo garbage\n", 1, "expected a value"),
        ("object", "#!/bin/sh\nread a; echo '{}'\n", 1, "expected an array"),
        ("codes", "#!/bin/sh\nread a; echo '[{\"code\":1}]'\n", 1, "/0/code"),
        (
            "twice",
            "#!/bin/sh\nread a; echo '[{\"code\":\"a\",\"text\":\"A\"},{\"code\":\"a\",\"text\":\"B\"}]'\n",
            1,
            "another sentence has this code",
        ),
    ] {
        let program = executable(&folder, name, script);
        let output =
            run(&["batch", "--validator", &format!("above={program}"), "-"], request("above", &json!({})));
        let said = text(&output.stderr);
        assert_eq!(code(&output), status, "{name}: {said}");
        assert!(said.contains(told) && said.contains(&program), "{name}: {said}");
        assert!(output.stdout.is_empty(), "{name}");
    }
    let plain = folder.file("plain", "#!/bin/sh\n");
    let output = run(&["batch", "--validator", &format!("above={plain}"), "-"], request("above", &json!({})));
    assert!(text(&output.stderr).contains("make it executable"), "{}", text(&output.stderr));
    // These validators list their messages, but fail at the configuration.
    for (name, script, told) in [
        ("config-dies", "*) exit 5 ;;", "gave no answer about this configuration"),
        ("config-garbage", "*) echo garbage ;;", "cannot be read"),
        ("config-unknown", "*) echo '{\"findings\":[{\"code\":\"other\"}]}' ;;", "that it had not declared"),
    ] {
        let script = format!(
            "#!/bin/sh\nread -r asked\ncase \"$asked\" in\n*sentences*) echo '[]' ;;\n{script}\nesac\n"
        );
        let program = executable(&folder, name, &script);
        let output =
            run(&["batch", "--validator", &format!("above={program}"), "-"], request("above", &json!({})));
        let answer = answers(&output).remove(0);
        assert!(answer["error"].to_string().contains(told), "{name}: {answer}");
        assert!(answer.get("result").is_none(), "{name}: {answer}");
    }
}

/// Returns a program that every user can start, in a folder that every user can enter.
fn executable(folder: &super::Folder, name: &str, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;

    let program = folder.file(name, script);
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&program, open.clone()).unwrap();
    std::fs::set_permissions(folder.path(""), open).unwrap();
    program
}
