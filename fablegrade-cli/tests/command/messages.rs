//! Tests of messages as users see them. A golden file has the arguments, the exit code and both streams.
//!
//! `SNAPSHOTS=overwrite cargo test -p fablegrade-cli` rewrites the files.

use std::fmt::Write as _;
use std::path::Path;

use super::{Folder, RIGHT, SPEC, code, run, text};

/// Compares a run in `folder` with the golden file `name`. The path of the folder is replaced with `FOLDER`.
fn check(name: &str, folder: &Folder, arguments: &[&str], input: &str) {
    let output = run(arguments, input);
    let mut seen = format!("$ fablegrade {}\nexit code {}\n", arguments.join(" "), code(&output));
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !bytes.is_empty() {
            let _ = write!(seen, "--- {stream}\n{}", text(bytes));
        }
    }
    let seen = seen.replace(folder.path("").trim_end_matches('/'), "FOLDER");
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/messages").join(format!("{name}.txt"));
    let expected = snapbox::Data::read_from(&path, Some(snapbox::data::DataFormat::Text)).raw();
    snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).eq(seen, expected);
}

#[test]
fn usage_errors_say_what_to_give() {
    let folder = Folder::new("messages-usage");
    let spec = folder.file("spec.json", SPEC);
    check("no-command", &folder, &["grdae"], "");
    check("deliver-without-seed", &folder, &["deliver", &spec], "");
    check("grade-without-a-submission", &folder, &["grade", "--spec", &spec], "");
    check("grade-without-a-question", &folder, &["grade", "--submission", &spec], "");
    check("explain-without-anything", &folder, &["explain"], "");
    check("equiv-with-one-expression", &folder, &["equiv", "x"], "");
    check("match-with-one-output", &folder, &["match", &spec], "");
    check("jsonl-with-documents", &folder, &["equiv", "--jsonl", "x", "x"], "");
    check("check-without-schema", &folder, &["check", &spec], "");
    check("sandbox-options-without-run", &folder, &["grade", "-", "--cache", "/tmp"], "{}");
    check("two-documents-from-stdin", &folder, &["grade", "--spec", "-", "--submission", "-"], "");
    check("unknown-schema", &folder, &["schema", "Question"], "");
    check("equiv-with-a-bad-domain", &folder, &["equiv", "x", "x", "--domain", "x=2..1"], "");
    check("equiv-with-a-bad-name", &folder, &["equiv", "x", "x", "--variable", "2x"], "");
    check("match-with-a-negative-tolerance", &folder, &["match", &spec, &spec, "--float-tolerance=-1"], "");
    check("flowmcp-with-a-bad-time", &folder, &["flowmcp", "rollup", ".", "--updated-at", "yesterday"], "");
    check(
        "judgehost-with-a-bad-uuid",
        &folder,
        &["judgehost", "score", ".", "--out", ".", "--attempt-id", "7"],
        "",
    );
    check("judgehost-without-a-submission", &folder, &["judgehost", "run", "."], "");
    check("terry-with-a-bad-limit", &folder, &["terry", "test", ".", "--time-limit", "0"], "");
}

#[test]
fn results_are_shown_as_text() {
    let folder = Folder::new("messages-results");
    let spec = folder.file("spec.json", SPEC);
    let right = folder.file("right.json", RIGHT);
    let wrong = folder.file("wrong.json", r#"{"type":"numeric","value":41}"#);
    let choice = folder.file("choice.json", r#"{"type":"mcq_single","choiceId":"a"}"#);
    let empty = folder.file("empty-range.json", r#"{"type":"numeric","answer":{"min":5,"max":3}}"#);
    let broken = folder.file("broken.json", r#"{"type":"numeric","anser":{"value":4"#);
    let misspelled = folder.file("misspelled.json", r#"{"type":"numeric","anser":{"value":4}}"#);
    check("grade-correct", &folder, &["grade", "--spec", &spec, "--submission", &right], "");
    check("grade-incorrect", &folder, &["grade", "--spec", &spec, "--submission", &wrong], "");
    check("grade-another-type", &folder, &["grade", "--spec", &spec, "--submission", &choice], "");
    check("grade-invalid-documents", &folder, &["grade", "--spec", &broken, "--submission", &misspelled], "");
    check("grade-missing-file", &folder, &["grade", "--spec", "/nonexistent", "--submission", &right], "");
    check("lint-ok", &folder, &["lint", &spec], "");
    check("lint-errors", &folder, &["lint", &spec, &empty, &broken, &misspelled], "");
    check("check-valid", &folder, &["check", "--schema", "AnswerSpec", &spec], "");
    check("check-invalid", &folder, &["check", "--schema", "AnswerSpec", &misspelled], "");
    check("match-rejected", &folder, &["match", &right, &wrong], "");
    check("formspec-invalid", &folder, &["formspec", "check", &spec], "");
    check("flowmcp-invalid", &folder, &["flowmcp", "check", &spec], "");
    check("judgehost-invalid", &folder, &["judgehost", "check", &spec], "");
    check("batch-summary", &folder, &["batch", "--summary", "-"], "{\"id\":1}\n[]\nnot JSON\n");
}

#[test]
fn lint_reports_in_every_format() {
    let folder = Folder::new("messages-lint");
    let bank = folder.file(
        "bank.json",
        "{\n  \"good\": {\"type\":\"numeric\",\"answer\":{\"value\":42}},\n  \"empty\": {\"type\":\"numeric\",\"answer\":{\"min\":5,\"max\":3}}\n}\n",
    );
    folder.file("submission.json", RIGHT);
    folder.file("with-answer.json", format!("{{\"spec\":{SPEC},\"submission\":{RIGHT}}}"));
    for format in ["human", "json", "sarif", "github", "junit"] {
        check(&format!("lint-{format}"), &folder, &["lint", "--format", format, &bank], "");
    }
    let all = folder.path("");
    check("lint-folder", &folder, &["lint", all.trim_end_matches('/')], "");
    check("lint-folder-verbose", &folder, &["lint", "--verbose", all.trim_end_matches('/')], "");
    check("lint-folder-quiet", &folder, &["lint", "--quiet", all.trim_end_matches('/')], "");
}

#[test]
fn init_writes_a_question_once() {
    let folder = Folder::new("messages-init");
    let new = folder.path("new");
    check("init", &folder, &["init", "numeric", &new], "");
    check("init-again", &folder, &["init", "numeric", &new], "");
    let path = |name: &str| format!("{new}/{name}");
    check("init-lint", &folder, &["lint", &path("question.json")], "");
    check(
        "init-grade",
        &folder,
        &["grade", "--spec", &path("question.json"), "--submission", &path("submission.json")],
        "",
    );
}

/// On a terminal, which `script` provides, a command without input prints what it needs, and does not wait.
#[test]
#[cfg(target_os = "linux")]
fn json_lines_are_not_waited_for_on_a_terminal() {
    let commands = [
        "batch",
        "check",
        "equiv",
        "match",
        "verify",
        "regrade --old . --new .",
        "flowmcp check",
        "flowmcp age",
        "flowmcp rollup",
        "formspec check",
        "formspec determine",
        "judgehost check",
        "judgehost score",
        "kattis compare",
        "terry grade .",
    ];
    for command in commands {
        let line = format!("'{}' --color never {command}", env!("CARGO_BIN_EXE_fablegrade"));
        let output =
            std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output().expect("script");
        let said = text(&output.stdout);
        assert!(said.starts_with("error: no input: give "), "{command}: {said}");
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
}
