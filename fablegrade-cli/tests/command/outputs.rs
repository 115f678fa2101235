//! Tests of what commands leave behind in files and folders.

use std::fs;
use std::path::Path;

use crate::{Folder, RIGHT, SPEC, answers, code, run, text};

fn read(path: &str) -> String {
    fs::read_to_string(path).expect("a file")
}

#[test]
fn a_complete_bank_keeps_its_last_file_when_it_is_continued() {
    let folder = Folder::new("outputs-continued");
    let [a, b, c] = ["a", "b", "c"].map(|name| {
        folder.file(&format!("{name}.gift"), format!("::{name}::What colour is it? {{=blue ~green}}\n"))
    });
    let bank = folder.path("bank.jsonl");
    assert_eq!(code(&run(&["import", &a, &b, "--bank", &bank], "")), 0);
    let before = read(&bank);
    // An import that was interrupted before its first question leaves a copy of the bank.
    for left_over in [None, Some(before.clone()), Some(format!("{before}{{\"item\""))] {
        fs::write(&bank, &before).expect("written");
        if let Some(left_over) = left_over {
            folder.file("bank.jsonl.partial", left_over);
        }
        assert_eq!(code(&run(&["import", &c, "--bank", &bank, "--resume"], "")), 0);
        let after = read(&bank);
        assert!(after.starts_with(&before) && after.lines().count() == 3, "{after}");
    }
}

#[test]
fn a_command_that_fails_early_leaves_outputs_as_they_were() {
    let folder = Folder::new("outputs-early");
    let output = folder.file("old.jsonl", "old\n");
    let lines = format!("{{\"item\":\"a\",\"submission\":{RIGHT}}}\n");
    for bank in [folder.path("missing.jsonl"), folder.file("broken.jsonl", "{\n")] {
        let arguments = ["batch", "-", "--bank", &bank, "--output", &output, "--overwrite"];
        assert_ne!(code(&run(&arguments, &lines)), 0);
        assert_eq!(read(&output), "old\n");
    }
    let quiz = folder.file("a.gift", "::a::What colour is it? {=blue ~green}\n");
    let bank = folder.path("imported.jsonl");
    let partial = folder.path("imported.jsonl.partial");
    for (option, value) in [("--report", "r.txt"), ("--report", "none/r.json"), ("--responses", "none")] {
        let arguments = ["import", &quiz, "--bank", &bank, option, &folder.path(value)];
        assert_ne!(code(&run(&arguments, "")), 0);
        assert!(!Path::new(&partial).exists(), "{value}");
    }
    let bank = folder.file("bank.jsonl", format!("{{\"item\":\"a\",\"spec\":{SPEC}}}\n"));
    let (output, report) = (folder.path("regraded.jsonl"), folder.path("none/report.json"));
    let arguments =
        ["regrade", "-", "--old", &bank, "--new", &bank, "--output", &output, "--report", &report];
    assert_eq!(code(&run(&arguments, &lines)), 3);
    assert!(!Path::new(&output).exists());
}

#[test]
fn two_outputs_have_two_paths() {
    let folder = Folder::new("outputs-twice");
    let bank = folder.file("bank.jsonl", format!("{{\"item\":\"a\",\"spec\":{SPEC}}}\n"));
    let (one, other) = (folder.path("out.json"), folder.path("./out.json"));
    let regrade = ["regrade", "-", "--old", &bank, "--new", &bank, "--output", &one, "--report", &other];
    let export = ["export", &bank, "--to", "gift", "--out", &one, "--report", &other];
    for arguments in [&regrade[..], &export[..]] {
        let output = run(arguments, "");
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains("would be written twice"), "{}", text(&output.stderr));
    }
}

#[test]
fn answers_after_a_byte_order_mark_are_continued() {
    let folder = Folder::new("outputs-mark");
    let line = |id: u8| format!("{{\"id\":{id},\"spec\":{SPEC},\"submission\":{RIGHT}}}\n");
    let input = folder.file("lines.jsonl", line(1) + &line(2));
    let output = folder.path("answers.jsonl");
    run(&["batch", &input, "--output", &output], "");
    let whole = read(&output);
    let first = whole.split_inclusive('\n').next().expect("a line");
    fs::write(&output, format!("\u{feff}{first}")).expect("written");
    assert_eq!(code(&run(&["batch", &input, "--output", &output, "--resume"], "")), 0);
    assert_eq!(read(&output), format!("\u{feff}{whole}"));
}

#[cfg(unix)]
#[test]
fn a_device_can_be_continued() {
    let line = format!("{{\"spec\":{SPEC},\"submission\":{RIGHT}}}\n");
    assert_eq!(code(&run(&["batch", "-", "--output", "/dev/null", "--resume"], line)), 0);
}

#[test]
fn exported_files_differ_in_more_than_case_and_old_ones_are_removed() {
    let folder = Folder::new("outputs-export");
    let line = |id: &str| format!("{{\"item\":\"{id}\",\"prompt\":\"P\",\"spec\":{SPEC}}}\n");
    let items = folder.path("items");
    let export = |ids: &[&str]| {
        let bank = folder.file("bank.jsonl", ids.iter().map(|id| line(id)).collect::<String>());
        let output = run(&["export", &bank, "--to", "qti3", "--out", &items, "--overwrite"], "");
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let names = fs::read_dir(&items).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().expect("UTF-8")).collect();
        names.sort();
        names
    };
    assert_eq!(export(&["a", "A", "b"]), ["A_2.xml", "a.xml", "b.xml", "imsmanifest.xml"]);
    fs::write(Path::new(&items).join("mine.xml"), "mine").expect("written");
    assert_eq!(export(&["b"]), ["b.xml", "imsmanifest.xml", "mine.xml"]);
}

#[test]
fn options_of_an_evaluation_need_a_document() {
    for task in ["determine", "verify"] {
        assert_eq!(code(&run(&["formspec", task, "--jsonl", "--reference-compatible"], "")), 2);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn recorded_outcomes_are_not_run() {
    let document = r#"{"spec":{"type":"code","languages":["python"],"limits":{"timeMsPerCase":4000},"testSuites":[{"name":"s","visibility":"public","cases":[{"input":"1","expected":"1"}]}]},
        "submission":{"type":"code","language":"python","source":"print(1)"},"outcomes":[]}"#;
    let output = run(&["grade", "-", "--run"], document);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("`outcomes`"), "{}", text(&output.stderr));
}

#[test]
fn lint_checks_all_items_of_a_bank_and_their_ids() {
    let bad = r#"{"type":"numeric","answer":{"min":5,"max":3}}"#;
    for bank in [format!(r#"{{"spec":{SPEC},"other":{bad}}}"#), format!(r#"{{"type":{SPEC},"other":{bad}}}"#)]
    {
        let found = answers(&run(&["lint", "-", "--json"], &bank));
        assert_eq!(found[0]["findings"][0]["pointer"], "/other/answer/min", "{bank}");
    }
    let folder = Folder::new("outputs-ids");
    let line = |name: &str| format!("{{\"{name}\":\"a\",\"spec\":{SPEC}}}\n");
    let bank = folder.file("bank.jsonl", line("item") + &line("item") + &line("itme"));
    let found = answers(&run(&["lint", &bank, "--json"], ""));
    assert_eq!(found[1]["findings"][0]["rule"], "duplicate-item");
    assert_eq!(found[2]["findings"][0]["rule"], "missing-field");
}

#[test]
fn lint_for_github_reports_every_item() {
    let bad = r#"{"type":"numeric","answer":{"min":5,"max":3}}"#;
    let items: Vec<String> = (0..20_000).map(|id| format!("\"q{id}\":{bad}")).collect();
    let output = run(&["lint", "-", "--format", "github"], format!("{{{}}}", items.join(",")));
    assert_eq!(text(&output.stdout).lines().count(), 20_000);
}
