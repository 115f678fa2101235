use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::{Folder, RIGHT, SPEC, code, command, run, text};

/// Returns lines that are hard to align with answers: blank and malformed lines, and lines whose id is a
/// number, a string or absent.
fn lines(count: usize) -> String {
    let mut input = String::new();
    for id in 0..count {
        let spec = format!(r#"{{"type":"numeric","answer":{{"value":{}}}}}"#, id % 50);
        let submission = format!(r#"{{"type":"numeric","value":{}}}"#, id % 49);
        let _ = match id % 10 {
            3 => writeln!(input, "\n  \n{{\"id\":{id},\"spec\":broken"),
            5 => writeln!(input, r#"{{"spec":{spec},"id":"q{id}","submission":{submission}}}"#),
            7 => writeln!(input, r#"{{"spec":{spec},"submission":{submission}}}"#),
            _ => writeln!(input, r#"{{"id":{id},"spec":{spec},"submission":{submission}}}"#),
        };
    }
    input
}

#[test]
fn a_killed_run_continues_without_loss_or_double() {
    let folder = Folder::new("killed");
    let input = folder.file("lines.jsonl", lines(120_000));
    let whole = folder.path("whole.jsonl");
    assert_eq!(code(&run(&["batch", &input, "--output", &whole], "")), 1);
    let expected = std::fs::read(&whole).expect("answers");
    for jobs in ["1", "2"] {
        let part = folder.path(&format!("part-{jobs}.jsonl"));
        let mut child = command(&["batch", &input, "--output", &part, "--jobs", jobs])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        // The command is killed once it has written 100,000 bytes. If it has ended, there is nothing to
        // resume.
        while std::fs::metadata(&part).map_or(0, |data| data.len()) < 100_000
            && child.try_wait().expect("a child").is_none()
        {
            std::thread::yield_now();
        }
        child.kill().expect("killed");
        child.wait().expect("ends");
        let kept = std::fs::read(&part).expect("answers");
        assert!(expected.starts_with(&kept), "what was written is a beginning of the whole");
        // A kill in the middle of a write leaves a torn line.
        for torn in [kept.len(), kept.len().saturating_sub(7)] {
            std::fs::write(&part, &kept[..torn]).expect("written");
            let resumed = run(&["batch", &input, "--output", &part, "--resume", "--jobs", jobs], "");
            assert_eq!(text(&resumed.stderr), "");
            assert!(std::fs::read(&part).expect("answers") == expected, "{jobs} jobs");
        }
    }
}

#[test]
fn standard_input_can_be_resumed_too() {
    let folder = Folder::new("stdin");
    let input = lines(3_000);
    let whole = run(&["batch"], &input).stdout;
    let cut = whole.len() / 2;
    let part = folder.file("part.jsonl", &whole[..cut]);
    run(&["batch", "--output", &part, "--resume"], &input);
    assert!(std::fs::read(&part).expect("answers") == whole);
}

#[test]
fn a_finished_or_missing_output_resumes_to_the_same() {
    let folder = Folder::new("finished");
    let input = folder.file("lines.jsonl", lines(100));
    let output = folder.path("answers.jsonl");
    run(&["batch", &input, "--output", &output, "--resume"], "");
    let first = std::fs::read(&output).expect("answers");
    assert_eq!(first.iter().filter(|&&byte| byte == b'\n').count(), 100);
    assert_eq!(code(&run(&["batch", &input, "--output", &output, "--resume"], "")), 0);
    assert_eq!(std::fs::read(&output).expect("answers"), first);
}

#[test]
fn answers_to_other_lines_are_never_continued() {
    let folder = Folder::new("other");
    let input = folder.file("lines.jsonl", lines(20));
    for wrong in
        ["{\"id\":1,\"result\":{}}\n", "{\"id\":0,\"result\":{}}\n{\"id\":11,\"result\":{}}\n", "my diary\n"]
    {
        let output = folder.file("answers.jsonl", wrong);
        let refused = run(&["batch", &input, "--output", &output, "--resume"], "");
        assert_eq!(code(&refused), 2);
        assert!(text(&refused.stderr).contains("does not belong"), "{}", text(&refused.stderr));
        assert_eq!(std::fs::read_to_string(&output).expect("kept"), wrong);
    }
    // More answers than lines.
    let input = folder.file("one.jsonl", "{\"id\":0}\n");
    let output = folder.file("answers.jsonl", "{\"id\":0,\"error\":{}}\n{\"id\":1,\"error\":{}}\n");
    assert_eq!(code(&run(&["batch", &input, "--output", &output, "--resume"], "")), 2);
}

#[test]
fn an_existing_output_is_not_overwritten_by_accident() {
    let folder = Folder::new("existing");
    let input = folder.file("lines.jsonl", lines(5));
    let output = folder.file("answers.jsonl", "precious\n");
    let refused = run(&["batch", &input, "--output", &output], "");
    assert_eq!(code(&refused), 2);
    assert!(text(&refused.stderr).contains("--resume"));
    assert_eq!(std::fs::read_to_string(&output).expect("kept"), "precious\n");
    run(&["batch", &input, "--output", &output, "--overwrite"], "");
    assert_eq!(std::fs::read_to_string(&output).expect("answers").lines().count(), 5);
}

#[test]
fn two_runs_never_write_one_file() {
    let folder = Folder::new("locked");
    let output = folder.path("answers.jsonl");
    let mut first = command(&["batch", "--unbuffered", "--output", &output])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = first.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, lines(1).as_bytes()).expect("written");
    while std::fs::metadata(&output).map_or(0, |data| data.len()) == 0 {
        std::thread::yield_now();
    }
    let second = run(&["batch", "--output", &output, "--resume"], lines(1));
    assert_eq!(code(&second), 3);
    assert!(text(&second.stderr).contains("another process"));
    drop(stdin);
    let errors = BufReader::new(first.stderr.take().expect("a pipe")).lines().count();
    assert!(first.wait().expect("ends").success());
    assert_eq!(errors, 0);
}

#[test]
fn no_output_replaces_an_input() {
    let folder = Folder::new("same-file");
    let before = lines(20);
    let input = folder.file("lines.jsonl", &before);
    let mut outputs = vec![input.clone()];
    let hard = folder.path("hard.jsonl");
    std::fs::hard_link(&input, &hard).expect("a link");
    outputs.push(hard);
    #[cfg(unix)]
    {
        let soft = folder.path("soft.jsonl");
        std::os::unix::fs::symlink(&input, &soft).expect("a link");
        outputs.push(soft);
    }
    for output in &outputs {
        for how in ["--overwrite", "--resume"] {
            let refused = run(&["batch", &input, "--output", output, how], "");
            assert_eq!(code(&refused), 2, "{}", text(&refused.stderr));
            assert!(text(&refused.stderr).contains("would be replaced"), "{}", text(&refused.stderr));
            assert!(std::fs::read_to_string(&input).expect("the input") == before);
        }
    }
    let report = ["regrade", "--old", &input, "--new", &input, "-", "--output", &input];
    assert!(text(&run(&report, "").stderr).contains("would be replaced"));
    // Devices are not replaced.
    #[cfg(unix)]
    assert_eq!(code(&run(&["batch", "/dev/null", "--output", "/dev/null"], "")), 0);
}

#[test]
fn no_output_is_a_question_of_a_bank_that_is_read() {
    let folder = Folder::new("same-folder");
    std::fs::create_dir_all(folder.path("specs/sub")).expect("a folder");
    let question = folder.file("specs/q1.json", SPEC);
    let specs = folder.path("specs");
    let line = format!("{{\"item\":\"q1\",\"submission\":{RIGHT}}}\n");
    let new = folder.path("specs/sub/new.json");
    #[cfg_attr(not(unix), allow(unused_mut, reason = "other systems may not allow links"))]
    let mut outputs = vec![question.clone(), new.clone(), folder.path("specs/sub/../q1.json")];
    #[cfg(unix)]
    {
        let link = folder.path("link.json");
        std::os::unix::fs::symlink(&question, &link).expect("a link");
        outputs.push(link);
    }
    for output in &outputs {
        for arguments in [
            vec!["batch", "--bank", &specs, "--output", output, "--overwrite"],
            vec!["regrade", "-", "--old", &specs, "--new", &specs, "--output", output],
            vec!["regrade", "-", "--old", &specs, "--new", &specs, "--report", output],
            vec!["analyse", "-", "--bank", &specs, "--fixes", output],
        ] {
            let refused = run(&arguments, &line);
            assert_eq!(code(&refused), 2, "{arguments:?}: {}", text(&refused.stderr));
            assert!(text(&refused.stderr).contains("whose files are read"), "{}", text(&refused.stderr));
        }
        assert_eq!(std::fs::read_to_string(&question).expect("the question"), SPEC);
        assert!(!std::path::Path::new(&new).exists());
    }
    // Other files of the folder are not read.
    let results = folder.path("specs/results.jsonl");
    assert_eq!(code(&run(&["batch", "--bank", &specs, "--output", &results], &line)), 0);
}
