//! Tests of `fablegrade terry`. Those that run programs need a sandbox, and are run by
//! `./test fablegrade-runner`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn fablegrade(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_fablegrade")).arg("terry").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Creates a separate folder for a test, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("terry").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (path, content) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn fixture(task: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fablegrade-runner/tests/terry").join(task)
}

fn rules(findings: &Value) -> Vec<&str> {
    findings.as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_task_that_is_wrong_is_told_with_files_and_lines() {
    let dir = folder(
        "poldo",
        &[
            ("task.yaml", "name: pold\n# a comment\nmax_score: -3\ndescription: La dieta\n"),
            ("managers/generator.py", "print(1)"),
            ("managers/cheker.linux.x86_64", "#!/bin/sh\n"),
        ],
    );
    let (code, out, _) = fablegrade(&["check", "--no-run", text(&dir)]);
    assert_eq!(code, 1, "{out}");
    assert!(out.starts_with("invalid"), "{out}");
    assert!(out.contains("task.yaml:3 /max_score") && out.contains("manager-missing"), "{out}");
    let (code, out, _) = fablegrade(&["check", "--no-run", "--json", text(&dir)]);
    let report = json(&out);
    assert_eq!((code, &report["valid"]), (1, &Value::Bool(false)));
    let expected = [
        "out-of-range",
        "unknown-manager",
        "statement-missing",
        "no-solutions",
        "manager-not-built",
        "manager-missing",
    ];
    assert_eq!(rules(&report["findings"]), expected);
    assert_eq!(
        (&report["findings"][0]["line"], &report["findings"][0]["file"]),
        (&3.into(), &"task.yaml".into())
    );
}

#[test]
fn contests_are_checked_with_their_tasks_and_metadata() {
    let task = |name: &str| format!("name: {name}\ndescription: A task\nmax_score: 10\n");
    let user = "users:\n  - {token: s3cr3t-token, name: Ada, surname: Lovelace}\n";
    let contest = format!("duration: 7200\nname: Finals\ntasks: [one, two, three]\n{user}");
    let dir = folder(
        "contest",
        &[
            ("__users__/ADMIN.yaml", &contest),
            ("good.yaml", &contest.replace(", two, three", "")),
            ("one/task.yaml", &task("one")),
            ("two/task.yaml", &task("deux")),
            (
                "metadata.yaml",
                "name: Finals\ndescription: Welcome\nsections: [{name: Extra, url: a b, page: x}]\n",
            ),
        ],
    );
    let file = dir.join("__users__/ADMIN.yaml");
    let metadata = dir.join("metadata.yaml");
    let (code, out, _) =
        fablegrade(&["contest", "check", text(&file), "--metadata", text(&metadata), "--json"]);
    let report = json(&out);
    assert_eq!(
        (code, rules(&report["findings"])),
        (1, vec!["url-form", "task-names-differ", "task-folder-missing"])
    );
    let differ = &report["findings"][1];
    assert_eq!(differ["severity"], "warning");
    assert!(differ["message"].as_str().unwrap().contains("the Python server"), "{differ}");
    assert!(!out.contains("s3cr3t"));
    let (code, out, _) = fablegrade(&["contest", "check", text(&dir.join("good.yaml"))]);
    assert_eq!(
        (code, out.trim_end()),
        (0, format!("valid    {}  1 task, 1 user", text(&dir.join("good.yaml"))).as_str())
    );
}

/// Returns a contest as a `.zip`. One of its two tasks is absent.
fn zipped_contest() -> Vec<u8> {
    use std::io::Write as _;
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let contest = "name: Final\ndescription: d\nduration: 3600\ntasks: [poldo, absent]\nusers: []\n";
    for (path, text) in [
        ("final/contest.yaml", contest),
        ("final/poldo/task.yaml", "name: poldo\ndescription: d\nmax_score: 3\n"),
    ] {
        writer.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns the same contest as a pack of the original server, in version 1.
fn packed_contest(password: &[u8], metadata: &[u8]) -> Vec<u8> {
    use crypto_secretbox::aead::{Aead as _, KeyInit as _};
    use crypto_secretbox::{Key, Nonce, XSalsa20Poly1305};
    use sha2::Digest as _;
    let salt = [
        0x5b, 0x6a, 0x78, 0xa7, 0x80, 0xea, 0x0e, 0xe5, 0x60, 0x44, 0x2c, 0xf5, 0xa5, 0x28, 0xf0, 0xfb, 0x74,
        0x3d, 0x79, 0xe4, 0x5a, 0x3a, 0x33, 0xaf, 0x68, 0x67, 0x1e, 0xba, 0x9c, 0xde, 0x0e, 0x17,
    ];
    let mut key = Key::default();
    scrypt::scrypt(password, &salt, &scrypt::Params::new(17, 8, 1, 32).unwrap(), &mut key).unwrap();
    let nonce = [9; 24];
    let sealed = XSalsa20Poly1305::new(&key).encrypt(Nonce::from_slice(&nonce), &*zipped_contest()).unwrap();
    let length = u32::try_from(metadata.len()).unwrap().to_be_bytes();
    let content = [&[1][..], &length, metadata, &nonce, &sealed].concat();
    [sha2::Sha256::digest(&content).as_slice(), &content].concat()
}

#[test]
fn contests_are_checked_as_archives_and_as_encrypted_packs() {
    let dir = folder("packs", &[("password", "secret\n"), ("wrong", "guess")]);
    std::fs::write(dir.join("contest.zip"), zipped_contest()).unwrap();
    let pack = packed_contest(b"secret", b"name: Another\ndescription: d\n");
    std::fs::write(dir.join("contest.pack"), &pack).unwrap();
    let check = |file: &str, more: &[&str]| {
        let path = dir.join(file);
        fablegrade(&[&["contest", "check", "--json", text(&path)], more].concat())
    };
    let (code, out, err) = check("contest.zip", &[]);
    assert_eq!(code, 1, "{out}{err}");
    let of_the_zip = json(&out);
    let zipped = rules(&of_the_zip["findings"]);
    assert!(zipped.contains(&"task-folder-missing"), "{zipped:?}");
    let (code, out, err) = check("contest.pack", &["--password-file", text(&dir.join("password"))]);
    assert_eq!(code, 1, "{out}{err}");
    let of_the_pack = json(&out);
    // The pack contains its public metadata, whose name differs.
    let packed = rules(&of_the_pack["findings"]);
    assert!(packed.contains(&"names-differ"), "{packed:?}");
    assert!(zipped.iter().all(|rule| packed.contains(rule)), "{packed:?}");
    let (code, _, err) = check("contest.pack", &[]);
    assert!(code == 2 && err.contains("--password-file"), "{err}");
    let (code, out, err) = check("contest.pack", &["--password-file", text(&dir.join("wrong"))]);
    assert!(code == 1 && format!("{out}{err}").contains("pack-password"), "{out}{err}");
    let changed: Vec<u8> = pack.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 60)).collect();
    std::fs::write(dir.join("changed.pack"), changed).unwrap();
    let (code, _, _) = check("changed.pack", &["--password-file", text(&dir.join("password"))]);
    assert_eq!(code, 1, "no longer a pack, and no contest.yaml either");
}

#[test]
fn what_cannot_be_read_and_what_makes_no_sense() {
    assert_eq!(fablegrade(&["check", "/nonexistent"]).0, 3);
    assert_eq!(fablegrade(&["test", ".", "--runs", "0"]).0, 2);
    assert_eq!(fablegrade(&["test", ".", "--runs", "3", "--seed", "1"]).0, 2);
    let dir = folder("no-metadata", &[("managers/checker.py", "pass")]);
    let (code, _, err) = fablegrade(&["fuzz-checker", text(&dir)]);
    assert!(code == 1 && err.contains("task.yaml") && err.contains("metadata-missing"), "{code} {err}");
}

#[test]
fn a_pipe_that_nobody_writes_to_is_refused() {
    let dir = folder("pipe", &[("task.yaml", "name: pipe\ndescription: x\nmax_score: 1\n"), ("in", "1\n")]);
    let pipe = dir.join("out");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (code, _, err) =
        fablegrade(&["grade", text(&dir), "--input", text(&dir.join("in")), "--output", text(&pipe)]);
    assert!(code == 3 && err.contains("not a regular file"), "{code} {err}");
}

mod running {
    use super::*;

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn many_outputs_are_graded_by_one_process() {
        use std::io::Write as _;
        let mut child = Command::new(env!("CARGO_BIN_EXE_fablegrade"))
            .args(["terry", "grade", text(&fixture("doubling")), "--jsonl"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let lines = [
            r#"{"id":1,"input":"2\n7\n8\n","output":"Case #1: 14\n"}"#,
            r#"{"id":"two","input":"Mgo3CjgK","output":"Q2FzZSAjMTogMTQKQ2FzZSAjMjogMTYK","enc":"base64"}"#,
            r#"{"id":3,"input":"2\n7\n8\n"}"#,
        ];
        child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        let answers: Vec<Value> = String::from_utf8(out.stdout).unwrap().lines().map(json).collect();
        assert_eq!((&answers[0]["id"], &answers[0]["points"]), (&1.into(), &25.into()));
        assert_eq!(
            (&answers[0]["result"]["score"], &answers[0]["result"]["verdict"]),
            (&0.5.into(), &"partial".into())
        );
        assert_eq!((&answers[1]["id"], &answers[1]["result"]["score"]), (&"two".into(), &1.into()));
        assert_eq!(answers[2]["error"]["findings"][0]["pointer"], "");
        assert_eq!(out.status.code(), Some(1));
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn a_contest_is_checked_with_the_programs_of_every_task() {
        let user = "users:\n  - {token: s3cr3t-token, name: Ada, surname: Lovelace}\n";
        let task = |name: &str| format!("name: {name}\ndescription: x\nmax_score: 1\n");
        let dir = folder(
            "contest-run",
            &[
                ("contest.yaml", &format!("duration: 7200\nname: Finals\ntasks: [one, two]\n{user}")),
                ("one/task.yaml", &task("one")),
                ("one/managers/generator.py", "print(1)"),
                ("one/managers/checker.py", "import sys\nsys.exit(9)"),
                ("two/task.yaml", &task("two")),
                ("two/managers/generator.py", "import sys\nsys.exit(3)"),
                ("two/managers/checker.py", "print(1)"),
            ],
        );
        let file = dir.join("contest.yaml");
        let (code, out, err) = fablegrade(&["contest", "check", text(&file), "--run", "--json"]);
        let report = json(&out);
        let failed: Vec<_> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|found| found["rule"] == "checker-failed" || found["rule"] == "generation-failed")
            .map(|found| found["file"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(code, 1, "{out}{err}");
        assert_eq!(failed, ["one/managers/checker (an empty output)", "two/managers/generator (seed 42)"]);
        // Without `--run`, no program is started.
        let (_, out, _) = fablegrade(&["contest", "check", text(&file), "--json"]);
        assert!(!rules(&json(&out)["findings"]).contains(&"checker-failed"), "{out}");
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn solutions_against_seeds() {
        let dir = fixture("palindrome");
        let (code, out, err) = fablegrade(&["test", text(&dir), "--seed", "1", "--seed", "2", "--json"]);
        assert_eq!(code, 0, "{out}{err}");
        let report = json(&out);
        assert_eq!(report["seeds"], serde_json::json!([1, 2]));
        let scores: Vec<_> =
            report["runs"].as_array().unwrap().iter().map(|run| run["score"].as_f64().unwrap()).collect();
        assert_eq!(scores, [0.5, 1.0, 0.5, 1.0]);
        let summary = &report["solutions"][1];
        assert_eq!((&summary["solution"], &summary["full"]), (&"solutions/right.py".into(), &2.into()));
        let (_, table, _) = fablegrade(&["test", text(&dir), "--runs", "8", "--solution", "right.py"]);
        let row = table.lines().find(|line| line.starts_with("right.py")).unwrap();
        assert!(row.contains("8 of 8") && table.contains("worst"), "{table}");
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn failures_are_named_and_decide_the_exit_code() {
        let dir = fixture("doubling");
        let (code, out, _) = fablegrade(&["test", text(&dir), "--seed", "42", "--time-limit", "0.3"]);
        // A solution that crashes or is slow is the author's choice, not a defect.
        assert_eq!(code, 0, "{out}");
        assert!(out.contains("signal 6") && out.contains("the solution failed: time limit"), "{out}");
        let (code, out, _) = fablegrade(&["test", text(&fixture("largest")), "--seed", "42", "--json"]);
        let report = json(&out);
        assert_eq!((code, &report["solutions"][0]["official"]), (0, &Value::Bool(true)));

        let files: Vec<(PathBuf, String)> = [
            "task.yaml",
            "managers/validator.py",
            "managers/answers.py",
            "managers/checker.py",
            "solutions/right.py",
        ]
        .into_iter()
        .map(|path| (PathBuf::from(path), std::fs::read_to_string(dir.join(path)).unwrap()))
        .collect();
        let mut all: Vec<(&str, &str)> =
            files.iter().map(|(path, content)| (text(path), content.as_str())).collect();
        all.push(("managers/generator.py", "print(99)\n"));
        let broken = folder("broken", &all);
        let (code, out, _) = fablegrade(&["test", text(&broken), "--seed", "7"]);
        assert_eq!(code, 1);
        assert!(out.contains("the validator calls the input invalid") && out.contains("seed 7"), "{out}");
        let (code, out, _) = fablegrade(&["check", text(&broken), "--json"]);
        assert_eq!((code, rules(&json(&out)["findings"]).contains(&"input-invalid")), (1, true));
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn one_output_graded_before_and_after_confirming() {
        let dir = fixture("doubling");
        let files = folder("graded", &[("in", "2\n7\n8\n"), ("out", "Case #1: 14\n")]);
        let (input, output) = (files.join("in"), files.join("out"));
        let grade = |more: &[&str]| {
            let mut arguments = vec!["grade", text(&dir), "--input", text(&input), "--output", text(&output)];
            arguments.extend(more);
            fablegrade(&arguments)
        };
        let (code, out, _) = grade(&[]);
        assert_eq!((code, out.lines().next().unwrap()), (0, "25 / 50 points   0.50"));
        let after = json(&grade(&["--json"]).1);
        assert_eq!(
            (
                &after["score"],
                &after["points"],
                &after["maxScore"],
                &after["feedback"]["cases"][0]["correct"]
            ),
            (&0.5.into(), &25.into(), &50.into(), &true.into())
        );
        let before = grade(&["--json", "--before-confirming"]).1;
        assert_eq!(before.trim_end(), r#"{"alerts":[],"cases":[{"status":"parsed"},{"status":"missing"}]}"#);
        let attempt = json(&grade(&["--json", "--attempt-result"]).1);
        assert_eq!((&attempt["verdict"], &attempt["score"]), (&"partial".into(), &0.5.into()));
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn a_checker_under_bad_outputs() {
        let (code, out, err) = fablegrade(&["fuzz-checker", text(&fixture("palindrome"))]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("good-with-crlf") && out.contains("0 of them break the checker"), "{out}");
        let dir = folder(
            "fragile",
            &[
                ("task.yaml", "name: fragile\ndescription: x\nmax_score: 1\n"),
                ("managers/generator.py", "print(1)"),
                ("managers/checker.py", "import sys\nprint(open(sys.argv[2]).read().split()[0])"),
            ],
        );
        let (code, out, _) = fablegrade(&["fuzz-checker", text(&dir), "--json"]);
        let report = json(&out);
        assert_eq!(code, 1);
        assert!(
            report["outputs"]
                .as_array()
                .unwrap()
                .iter()
                .any(|one| one["failure"]["rule"] == "checker-failed")
        );
    }

    #[test]
    #[ignore = "starts sandboxes: ./test fablegrade-runner"]
    fn a_good_task_is_valid() {
        let (code, out, err) = fablegrade(&["check", text(&fixture("executables"))]);
        assert!(code == 0 && out.starts_with("valid    executables"), "{out}{err}");
    }
}
