//! Tests of item banks: `batch --bank` and `regrade`.

use serde_json::{Value, json};

use crate::{Folder, answers, code, run, text};

const NUMBER: &str = r#"{"type":"numeric","answer":{"value":42}}"#;
const CHOICE: &str = r#"{"type":"multiple_choice","choices":[{"id":"a","content":"A","correct":true},{"id":"b","content":"B","correct":false}]}"#;

fn bank() -> String {
    format!(
        "{{\"item\":\"n\",\"title\":\"Forty-two\",\"spec\":{NUMBER}}}\n\n{{\"item\":\"m\",\"spec\":{CHOICE}}}\n\
         {{\"item\":\"bad\",\"spec\":{{\"type\":\"numeric\"}}}}\n"
    )
}

/// Returns answers to both valid items in turn, with ids from 0.
fn attempts(count: usize) -> Vec<(usize, &'static str, String)> {
    (0..count)
        .map(|id| match id % 2 {
            0 => (id, "n", format!(r#"{{"type":"numeric","value":{}}}"#, 40 + id % 4)),
            _ => (
                id,
                "m",
                format!(r#"{{"type":"multiple_choice","selectedChoiceIds":["{}"]}}"#, ["a", "b"][id / 2 % 2]),
            ),
        })
        .collect()
}

fn of_the_bank(attempts: &[(usize, &str, String)]) -> String {
    let line = |(id, item, submission): &(usize, &str, String)| {
        format!("{{\"id\":{id},\"item\":\"{item}\",\"submission\":{submission}}}\n")
    };
    attempts.iter().map(line).collect()
}

#[test]
fn a_bank_gives_the_same_bytes_as_the_questions_in_the_lines() {
    let folder = Folder::new("bank-same");
    let path = folder.file("bank.jsonl", bank());
    let attempts = attempts(2_000);
    let mut inline = String::new();
    for (id, item, submission) in &attempts {
        let spec = if *item == "n" { NUMBER } else { CHOICE };
        inline.push_str(&format!("{{\"id\":{id},\"spec\":{spec},\"submission\":{submission}}}\n"));
    }
    let expected = run(&["batch"], inline);
    assert_eq!(code(&expected), 0);
    for jobs in ["1", "3"] {
        let found = run(&["batch", "--bank", &path, "--jobs", jobs], of_the_bank(&attempts));
        assert_eq!(code(&found), 0, "{}", text(&found.stderr));
        assert!(found.stdout == expected.stdout, "{jobs} jobs");
    }
    // A folder with one file per question is a bank too.
    std::fs::create_dir_all(folder.path("questions/unit")).unwrap();
    folder.file("questions/n.json", NUMBER);
    folder.file("questions/unit/m.json", CHOICE);
    let renamed = of_the_bank(&attempts).replace("\"item\":\"m\"", "\"item\":\"unit/m\"");
    let found = run(&["batch", "--bank", &folder.path("questions")], renamed);
    assert!(found.stdout == expected.stdout);
}

#[test]
fn a_line_that_repeats_another_is_answered_as_if_it_were_the_first() {
    let folder = Folder::new("bank-repeated");
    let path = folder.file("bank.jsonl", bank());
    let wrong = [
        "{}",
        r#"{"type":"numeric","value":"x"}"#,
        r#"{"type":"numeric","value":1,"value":2}"#,
        r#"{"type":"numeric","value":42},"item":"m""#,
        r#"{"type":"numeric","value":42},"context":{"gradedAt":"2026-03-01T09:30:00Z"}"#,
        r#"{"type":"numeric","value":42},"context":{"hints":{"h":0.25}}"#,
        r#"{"type":"numeric","value":42}} {"#,
        "7",
    ];
    let (mut names_first, mut names_last) = (String::new(), String::new());
    for id in 0..600 {
        let attempts = attempts(9);
        let (item, submission) = match id % 17 {
            at @ 0..9 => (attempts[at].1, attempts[at].2.as_str()),
            at => ("n", wrong[at - 9]),
        };
        let sitting = if id % 2 == 0 { format!("\"s{id}\"") } else { "7".to_owned() };
        let id = if id % 3 == 0 { format!("\"späť {id}\"") } else { id.to_string() };
        names_first += &format!(
            "{{\"id\":{id}, \"item\":\"{item}\",\"sitting\":{sitting},\"submission\":{submission}}}\n"
        );
        // With the id at the end, no line counts as a repetition.
        names_last += &format!(
            "{{\"submission\":{submission}, \"item\":\"{item}\",\"sitting\":{sitting},\"id\":{id}}}\n"
        );
    }
    for more in [&["--jobs", "1"][..], &["--jobs", "3"], &["--jobs", "1", "--keep"]] {
        let of = |lines: &str| run(&[&["batch", "--bank", &path], more].concat(), lines);
        let (found, expected) = (of(&names_first), of(&names_last));
        let (found, expected) = (answers(&found), answers(&expected));
        assert_eq!(found.len(), 600);
        for (found, expected) in found.into_iter().zip(expected) {
            // Syntax errors contain columns, which differ.
            if expected["error"]["kind"] == "json" {
                assert_eq!(found["error"]["kind"], "json");
            } else {
                assert!(!expected["id"].is_null());
                assert_eq!(found, expected);
            }
        }
    }
}

#[test]
fn lines_that_do_not_fit_the_bank_are_answered_with_errors() {
    let folder = Folder::new("bank-errors");
    let path = folder.file("bank.jsonl", bank());
    let right = r#"{"type":"numeric","value":42}"#;
    let lines = [
        format!(r#"{{"id":1,"item":"n","submission":{right}}}"#),
        format!(r#"{{"id":2,"item":"absent","submission":{right}}}"#),
        format!(r#"{{"id":3,"item":"bad","submission":{right}}}"#),
        format!(r#"{{"id":4,"submission":{right}}}"#),
        format!(r#"{{"id":5,"item":"n","spec":{NUMBER},"submission":{right}}}"#),
        format!(r#"{{"id":6,"item":7,"submission":{right}}}"#),
    ];
    let output = run(&["batch", "--bank", &path], lines.join("\n"));
    assert_eq!(code(&output), 1);
    let found: Vec<(Value, Value)> = (answers(&output).iter())
        .map(|answer| {
            let first = &answer["error"]["findings"][0];
            (first["rule"].clone(), first["pointer"].clone())
        })
        .collect();
    let expected = [
        (Value::Null, Value::Null),
        (json!("unknown-item"), json!("/item")),
        (json!("missing-field"), json!("/spec")),
        (json!("missing-field"), json!("")),
        (json!("unknown-field"), json!("/spec")),
        (json!("wrong-type"), json!("/item")),
    ];
    assert_eq!(found, expected);
    let twice = folder.file("twice.jsonl", bank() + &bank());
    let output = run(&["batch", "--bank", &twice], "");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("duplicate-item") && text(&output.stderr).contains(":5"));
}

#[test]
fn a_regrade_says_what_changed_and_which_step() {
    let folder = Folder::new("regrade");
    let old = folder.file("old.jsonl", bank());
    let wider = r#"{"type":"numeric","answer":{"min":41,"max":43}}"#;
    let new = folder.file("new.jsonl", bank().replace(NUMBER, wider));
    let mut lines = String::new();
    for value in 40..44 {
        let submission = format!("{{\"type\":\"numeric\",\"value\":{value}}}");
        lines.push_str(&format!("{{\"id\":{value},\"item\":\"n\",\"submission\":{submission}}}\n"));
    }
    let lines = lines.repeat(100) + &of_the_bank(&attempts(2)[1..]);
    let (report, page) = (folder.path("report.json"), folder.path("report.html"));
    let banks = ["regrade", "--old", &old, "--new", &new];
    let output = run(&[&banks[..], &["--report", &report]].concat(), &lines);
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    let found = answers(&output);
    assert_eq!(found.len(), 401);
    let changed: Vec<bool> = found[..4].iter().map(|answer| answer["changed"] == true).collect();
    assert_eq!(changed, [false, true, false, true]);
    assert_eq!(found[1]["before"], json!({"verdict": "incorrect", "score": 0}));
    assert_eq!(found[1]["after"], json!({"verdict": "correct", "score": 1}));
    assert!(found[1]["why"]["before"]["code"].is_string(), "{}", found[1]);
    assert_ne!(found[1]["why"]["before"], found[1]["why"]["after"]);
    assert!(found[0].get("why").is_none() && found[2].get("why").is_none());
    let summary: Value = serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    let expected = json!({"attempts": 401, "changed": 200, "refused": 0, "items": {
        "m": {"attempts": 1, "changed": 0, "gained": 0, "lost": 0, "verdicts": {"correct": {"correct": 1}}},
        "n": {"attempts": 400, "changed": 200, "gained": 200, "lost": 0,
            "verdicts": {"correct": {"correct": 100}, "incorrect": {"correct": 200, "incorrect": 100}}}}});
    assert_eq!(summary, expected);
    assert!(
        text(&output.stderr).contains("200 of 401 results changed, in 1 of 2 items"),
        "{}",
        text(&output.stderr)
    );
    // Any number of threads gives the same lines and the same summary.
    let alone = run(&[&banks[..], &["--jobs", "1", "--report", &page]].concat(), &lines);
    assert!(alone.stdout == output.stdout && alone.stderr == output.stderr);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("200 of 401 results changed") && !html.contains("://"), "{html}");
    // Only changed results are written.
    let only = run(&[&banks[..], &["--changed"]].concat(), &lines);
    assert_eq!(answers(&only).len(), 200);
    // With the banks exchanged, learners lose points; with the same bank, nothing changes.
    let back = run(&["regrade", "--old", &new, "--new", &old], &lines);
    assert!(text(&back.stderr).contains("0 gained, 200 lost"), "{}", text(&back.stderr));
    assert_eq!(code(&run(&["regrade", "--old", &old, "--new", &old], &lines)), 0);
    // A line that cannot be graded with both banks is reported, but is not a change.
    let unknown = lines.replace("\"n\"", "\"x\"");
    assert_eq!(code(&run(&["regrade", "--old", &old, "--new", &old], unknown)), 4);
}

#[test]
fn an_output_of_regrade_that_exists_is_kept() {
    let folder = Folder::new("regrade-output");
    let (bank, attempts) = (folder.file("bank.jsonl", bank()), folder.file("attempts.jsonl", ""));
    let there = folder.file("there.jsonl", "x\n");
    let output = run(&["regrade", &attempts, "--old", &bank, "--new", &bank, "--output", &there], "");
    assert_eq!(code(&output), 2);
    let told = text(&output.stderr);
    assert!(told.contains("name another file") && !told.contains("--resume"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_write_of_regrade_names_the_file() {
    let folder = Folder::new("regrade-full");
    let bank = folder.file("bank.jsonl", bank());
    let attempts = folder.file("attempts.jsonl", of_the_bank(&attempts(2)));
    let output = run(&["regrade", &attempts, "--old", &bank, "--new", &bank, "--output", "/dev/full"], "");
    assert_eq!(code(&output), 3);
    assert!(text(&output.stderr).contains("cannot write /dev/full"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn a_closed_standard_error_changes_neither_results_nor_exit_codes() {
    use std::io::Write as _;
    use std::process::Stdio;

    let folder = Folder::new("regrade-closed");
    let old = folder.file("old.jsonl", bank());
    let new = folder.file("new.jsonl", bank().replace("42", "40"));
    let report = folder.path("report.json");
    let mut child = crate::command(&["regrade", "--old", &old, "--new", &new, "--report", &report])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stderr.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(of_the_bank(&attempts(2)).as_bytes()).expect("writes");
    drop(stdin);
    assert_eq!(child.wait().expect("the command ends").code(), Some(1));
    let report: Value = serde_json::from_slice(&std::fs::read(report).expect("a report")).expect("JSON");
    assert_eq!(report["changed"], 1);
}
