//! Tests of `fablegrade judgehost` with files and JSON Lines. `systems/judgehost/test` runs those that need
//! an engine.

use super::{Folder, answers, code, run, text};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../systems/judgehost/example");
const CONFIG: &str = r#"{"problem_id":"two-sum","problem_name":"Two Sum","containers":[
    {"container_id":"submission","dockerfile_path":"submission/Dockerfile","accepts_submission":true},
    {"container_id":"tester","dockerfile_path":"tester/Dockerfile"}],
    "rubrics":[{"rubric_id":"correctness","rubric_type":"test_cases","max_score":100,"container":"tester"}]}"#;

/// Returns the output of the command, and its exit code.
fn judgehost(arguments: &[&str], input: &str) -> (String, i32) {
    let mut all = vec!["judgehost"];
    all.extend(arguments);
    let output = run(&all, input);
    (text(&output.stdout).to_owned(), code(&output))
}

#[test]
fn documents_are_checked_line_by_line() {
    let line = |id: u32| format!("{{\"id\":{id},\"document\":{}}}\n", CONFIG.replace('\n', ""));
    let output = run(&["judgehost", "check", "--strict"], format!("{}nonsense\n", line(1)));
    let lines = answers(&output);
    assert_eq!((lines[0]["id"].as_u64(), lines[0]["valid"].as_bool()), (Some(1), Some(false)));
    assert!(lines[1]["error"].is_object());
    assert_eq!(answers(&run(&["judgehost", "check"], line(2)))[0]["valid"].as_bool(), Some(true));
    let result =
        r#"{"id":3,"document":{"rubric_id":"a","score":11},"rubric":{"rubric_id":"a","max_score":10}}"#;
    let answer = &answers(&run(&["judgehost", "check"], result))[0];
    assert_eq!(answer["findings"][0]["pointer"].as_str(), Some("/score"));
}

#[test]
fn packages_are_checked_where_they_lie() {
    let (shown, exit) = judgehost(&["check", "--strict", &format!("{EXAMPLE}/package")], "");
    assert_eq!(exit, 0, "{shown}");
    assert_eq!(shown.lines().count(), 1, "the example is clean: {shown}");
    let folder = Folder::new("judgehost-check");
    let config = folder.file("config.json", CONFIG);
    assert_eq!(judgehost(&["check", &config], "").1, 0);
    let (shown, exit) = judgehost(&["check", "--strict", &config, "--json"], "");
    assert_eq!(exit, 1);
    assert!(shown.contains(r#""rule":"missing-field""#), "{shown}");
    // As a package, the folder lacks Dockerfiles.
    let (shown, exit) = judgehost(&["check", &folder.path("")], "");
    assert!(exit == 1 && shown.contains("no-dockerfile"), "{shown}");
    let (shown, exit) = judgehost(&["check", &folder.file("x.zip", "PK\x03\x04nonsense")], "");
    assert!(exit == 1 && shown.contains("archive-damaged"), "{shown}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", folder.path("link")).expect("a link");
        let (shown, exit) = judgehost(&["check", &folder.path("")], "");
        assert!(exit == 1 && shown.contains("links are not allowed"), "{shown}");
    }
}

#[test]
fn a_plan_is_shown_and_exported() {
    let package = format!("{EXAMPLE}/package");
    let right = format!("{EXAMPLE}/submissions/right");
    let (shown, exit) = judgehost(&["plan", &package, "--submission", &right], "");
    assert_eq!(exit, 0, "{shown}");
    for words in [
        "1. database",
        "2. submission",
        "3. tester",
        "no internet",
        "waits for database healthy, at most 60 s",
        "gets the package service at /app (1 file)",
        "tester:01_correctness.sh  |  tester:01_unknown.sh",
        "its exit stops submission, database",
        "correctness from tester",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let (json, _) = judgehost(&["plan", &package, "--json", "--submission-id", "one"], "");
    assert!(json.contains(r#""submission_id":"one""#), "{json}");
    let (yaml, exit) = judgehost(&["compose", &package], "");
    assert!(exit == 0 && yaml.contains("condition: \"service_healthy\""), "{yaml}");
    assert_eq!(judgehost(&["plan", &package, "--submission", &package], "").1, 0);
    assert_eq!(judgehost(&["plan", &package, "--submission-id", "a b"], "").1, 1);
    assert_eq!(judgehost(&["run", &package], "").1, 2, "a submission is asked for");
    let nowhere = ["run", &package, "--submission", &right, "--host", "unix:///nonexistent/socket"];
    assert_eq!(judgehost(&nowhere, "").1, 3);
}

#[test]
fn results_are_scored() {
    let folder = Folder::new("judgehost-score");
    let config = folder.file("config.json", CONFIG);
    for container in ["tester", "submission"] {
        std::fs::create_dir_all(folder.path(&format!("out/{container}"))).expect("a folder");
    }
    let result = |score| format!(r#"{{"rubric_id":"correctness","score":{score}}}"#);
    folder.file("out/submission/rubric_correctness.json", result(100));
    let arguments = ["score", &config, "--out", &folder.path("out")];
    let (shown, exit) = judgehost(&arguments, "");
    assert!(exit == 4 && shown.contains("ERROR"), "{shown}");
    folder.file("out/tester/rubric_correctness.json", result(87));
    let (shown, exit) = judgehost(&arguments, "");
    assert!(exit == 0 && shown.contains("87 / 100") && shown.contains("score 0.8700"), "{shown}");
    let uuid = "123e4567-e89b-42d3-a456-426614174000";
    let (attempt, _) = judgehost(&[&arguments[..], &["--attempt-id", uuid]].concat(), "");
    assert!(attempt.contains(r#""score":0.87,"verdict":"partial""#), "{attempt}");

    let line = format!(
        "{{\"id\":1,\"config\":{},\"results\":{{\"tester\":{{\"rubric_correctness.json\":{}}}}}}}\n",
        CONFIG.replace('\n', ""),
        result(50)
    );
    let answer = &answers(&run(&["judgehost", "score"], line))[0];
    assert_eq!(answer["evaluation"]["normalized_score"].as_f64(), Some(50.0));
}
