//! Tests of `fablegrade flowmcp` with files, folders and JSON Lines.
#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const AUTONOMOUS: &str = include_str!("../../systems/flowmcp/tests/documents/autonomous.json");
const GROUP_BOUND: &str = include_str!("../../systems/flowmcp/tests/documents/group_bound.json");
const REJECTED: &str = include_str!("../../systems/flowmcp/tests/documents/rejected.json");

fn fablegrade(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fablegrade"))
        .arg("flowmcp")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (path, content) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

/// Joins a document of several lines into one line.
fn line(document: &str) -> String {
    document.lines().map(str::trim).collect()
}

#[test]
fn lines_are_answered_in_order_and_a_broken_one_does_not_stop_the_others() {
    let wrong = line(AUTONOMOUS).replace("single-test", "every-test");
    let input = format!(
        "{{\"id\":1,\"document\":{}}}\n{{\"id\":2,\n{{\"id\":3,\"document\":{wrong}}}\n",
        line(AUTONOMOUS)
    );
    let (code, out, _) = text(&fablegrade(&["check", "--jobs", "1"], &input));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (1, 3));
    assert!(lines[0].starts_with("{\"id\":1,") && lines[0].contains("\"valid\":true"), "{}", lines[0]);
    assert!(lines[1].starts_with("{\"id\":2,\"error\":"), "{}", lines[1]);
    assert!(lines[2].contains("\"valid\":false") && lines[2].contains("GRD-033"), "{}", lines[2]);
    let input = "{\"id\":7,\"gradings\":[{\"score\":4.9,\"weight\":1}],\"gradingTier\":\"autonomous\",\"veto\":null}\n";
    let (code, out, _) = text(&fablegrade(&["aggregate"], input));
    assert_eq!(code, 0);
    assert!(out.contains("\"aggregateGrade\":\"B\"") && out.contains("\"rawGrade\":\"A\""), "{out}");
}

#[test]
fn files_are_checked_and_graded() {
    let folder =
        folder("flowmcp-files", &[("a.json", AUTONOMOUS), ("g.json", GROUP_BOUND), ("r.json", REJECTED)]);
    let path = |name: &str| folder.join(name).display().to_string();
    let (code, out, _) = text(&fablegrade(&["check", &path("a.json"), &path("g.json")], ""));
    assert_eq!((code, out.matches("valid    ").count()), (0, 2), "{out}");
    let (code, out, _) = text(&fablegrade(&["aggregate", &path("a.json"), &path("r.json")], ""));
    assert_eq!(code, 0);
    assert!(
        out.starts_with('B') && out.contains("mean 4.5000") && out.contains("A before the tier trim"),
        "{out}"
    );
    assert!(out.contains("REJECTED"), "{out}");
    let stored = AUTONOMOUS.replace("\"aggregateGrade\": \"B\"", "\"aggregateGrade\": \"C\"");
    std::fs::write(folder.join("a.json"), stored).unwrap();
    let (code, out, _) = text(&fablegrade(&["check", &path("a.json")], ""));
    assert_eq!(code, 1);
    assert!(out.contains("invalid") && out.contains("aggregate-mismatch"), "{out}");
}

#[test]
fn the_reasons_follow_the_grade() {
    let tool = "etherscan/accounts/tools/getBalance/_gradings/single-test--2026-05-29T15-34-00Z.json";
    let folder = folder("flowmcp-explain", &[("a.json", AUTONOMOUS), (tool, AUTONOMOUS)]);
    let path = folder.join("a.json").display().to_string();
    let (code, out, _) = text(&fablegrade(&["aggregate", "--explain", &path], ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(code, 0);
    assert!(lines[0].starts_with('B') && lines.len() > 2, "{out}");
    assert!(lines[1..].iter().all(|line| line.starts_with("  ")), "indented below what it explains: {out}");
    assert!(out.contains("counts") && out.contains("trimmed to B"), "{out}");
    let (_, out, _) = text(&fablegrade(&["aggregate", "--explain", "--json", &path], ""));
    assert!(out.contains("\"explanation\":"), "{out}");
    let (code, out, err) = text(&fablegrade(&["rollup", "--explain", &folder.display().to_string()], ""));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("getBalance"), "{out}");
}

#[test]
fn an_entry_is_built_or_nothing_is_printed() {
    let answer = |number: u32, score: &str| {
        format!(
            "{{\"questionId\":\"Q-namespace-description-{number:02}\",\"score\":{score},\"reasoning\":\"x\",\
             \"naReason\":\"requires-private-data\",\"graderIdentity\":{{\"kind\":\"human\",\"name\":\"Ada\",\"version\":\"1\"}},\
             \"selectionContext\":{{\"groupId\":\"g\",\"personaIds\":[\"neutral\"]}}}}"
        )
    };
    let draft = |score: &str| {
        let answers: Vec<String> = (1..=4).map(|number| answer(number, score)).collect();
        format!(
            "{{\"schemaId\":\"a.b\",\"area\":\"namespace-description\",\"version\":\"flowmcp/4.0.0\",\"schemaHash\":\"0badcafe\",\
             \"gradingMode\":\"full\",\"harness\":\"claude-code\",\"scoringSystem\":\"scoringSystem/1.0.0\",\
             \"gradingSystem\":\"gradingSystem/1.0.0\",\"timestamp\":\"2026-07-01T00:00:00Z\",\"answers\":[{}]}}",
            answers.join(",")
        )
    };
    let folder = folder("flowmcp-build", &[("good.json", &draft("4")), ("empty.json", &draft("\"n/a\""))]);
    let path = |name: &str| folder.join(name).display().to_string();
    let (code, out, _) = text(&fablegrade(&["build", &path("good.json")], ""));
    assert_eq!((code, out.lines().count()), (0, 1));
    assert!(out.contains("\"gradingId\":\"0badcafe--2026-07-01T00-00-00Z\""), "{out}");
    let (code, _, _) = text(&fablegrade(&["check", "-"], &out));
    assert_eq!(code, 0, "what was built is valid");
    let (code, out, err) = text(&fablegrade(&["build", &path("good.json"), &path("empty.json")], ""));
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("nothing-scorable"), "{err}");
}

#[test]
fn a_folder_is_verified_and_rolled_up() {
    let tool = "etherscan/accounts/tools/getBalance/_gradings/single-test--2026-05-29T15-34-00Z.json";
    let folder = folder("flowmcp-folder", &[(tool, AUTONOMOUS), ("etherscan/accounts/notes.json", "[]")]);
    let root = folder.display().to_string();
    let (code, out, _) = text(&fablegrade(&["rollup", &root, "--updated-at", "2026-07-01T00:00:00Z"], ""));
    assert_eq!((code, out.lines().count()), (0, 1));
    assert!(
        out.contains("\"accounts\":{") && out.contains("\"updatedAt\":\"2026-07-01T00:00:00Z\""),
        "{out}"
    );
    assert!(!out.contains("},\"grade\":"), "nothing but a tool has a grade: {out}");
    let named = text(&fablegrade(&["rollup", &root, "--grade-of-nothing", "C"], ""));
    assert!(named.0 == 0 && named.1.contains("},\"grade\":\"C\",\"indexVersion\""), "{named:?}");
    assert_eq!(
        text(&fablegrade(&["rollup", &root, "--grade-of-nothing", "E"], "")).0,
        2,
        "no grade of the letters"
    );
    std::fs::write(folder.join("etherscan/index.json"), &out).unwrap();
    let (code, out, _) = text(&fablegrade(&["verify", &root], ""));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("2 files, 1 skipped"), "{out}");
    // With a stricter option, the stored rollup is wrong. A second copy of an entry is reported.
    let (code, out, _) = text(&fablegrade(&["verify", &root, "--stable-from", "A"], ""));
    assert_eq!(code, 1);
    assert!(out.contains("index-mismatch"), "{out}");
    let copy = tool.replace("15-34-00Z", "15-35-00Z");
    std::fs::write(folder.join(copy), AUTONOMOUS).unwrap();
    let (code, out, _) = text(&fablegrade(&["verify", &root, "--json"], ""));
    assert_eq!(code, 1);
    assert!(out.contains("duplicate-grading-id"), "{out}");
    let (code, _, err) = text(&fablegrade(&["verify", "no-such-folder"], ""));
    assert_eq!(code, 3, "{err}");
}

#[test]
fn aging_needs_a_plan_and_a_time() {
    let plan = r#"{"classes":{"Q-api-availability":"API_DAYS"}}"#;
    let folder = folder("flowmcp-age", &[("a.json", AUTONOMOUS), ("plan.json", plan)]);
    let path = |name: &str| folder.join(name).display().to_string();
    let (code, out, _) = text(&fablegrade(
        &["age", &path("a.json"), "--plan", &path("plan.json"), "--now", "2026-07-01T00:00:00Z"],
        "",
    ));
    assert_eq!(code, 0);
    assert!(out.contains("\"becameStale\":[\"Q-api-availability\"]"), "{out}");
    assert_eq!(text(&fablegrade(&["age", &path("a.json")], "")).0, 2, "nothing ages silently");
}
