use crate::{Folder, RIGHT, SPEC, answers, code, run, text};

fn good(id: usize) -> String {
    format!("{{\"id\":{id},\"spec\":{SPEC},\"submission\":{RIGHT}}}\n")
}

#[test]
fn an_empty_input_gives_an_empty_output() {
    for mode in [&["batch"][..], &["match"], &["check"], &["equiv"], &["verify"], &["batch", "--jobs", "3"]] {
        let output = run(mode, "");
        assert_eq!((code(&output), output.stdout.len(), text(&output.stderr)), (0, 0, ""), "{mode:?}");
        assert!(run(mode, "\n \n\r\n").stdout.is_empty());
    }
}

#[test]
fn a_line_of_100_megabytes_costs_only_itself() {
    let mut input = good(1).into_bytes();
    input.extend(br#"{"id":"huge","spec":""#);
    input.extend(std::iter::repeat_n(b'a', 100 << 20));
    input.extend(b"\"}\n");
    input.extend(good(3).as_bytes());
    for jobs in ["1", "2"] {
        let output = run(&["batch", "--jobs", jobs], &input);
        assert_eq!(code(&output), 1);
        let found = answers(&output);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0]["result"]["verdict"], "correct");
        assert_eq!(found[1]["id"], "huge");
        assert_eq!(found[1]["line"], 2);
        assert_eq!(found[1]["error"]["findings"][0]["rule"], "line-too-long");
        assert_eq!(found[2]["result"]["verdict"], "correct");
    }
}

#[test]
fn deep_nesting_is_refused_and_the_others_go_on() {
    let deep = format!("{{\"id\":2,\"spec\":{}{}}}\n", "[".repeat(10_000), "]".repeat(10_000));
    let output = run(&["batch"], good(1) + &deep + &good(3));
    let found = answers(&output);
    assert_eq!(found[1]["error"]["findings"][0]["rule"], "too-deep");
    assert_eq!(found[1]["id"], 2);
    assert_eq!(found[2]["result"]["verdict"], "correct");
    let folder = Folder::new("deep");
    let file = folder.file("deep.json", "[".repeat(10_000));
    for mode in [&["lint", &file][..], &["deliver", &file, "--seed", "s"], &["grade", &file]] {
        assert_eq!(code(&run(mode, "")), 1, "{mode:?}");
    }
}

#[test]
fn invalid_utf8_is_refused_and_the_others_go_on() {
    let mut input = good(1).into_bytes();
    input.extend(b"{\"id\":2,\"spec\":\"\xff\xfe\"}\n");
    input.extend(good(3).as_bytes());
    let output = run(&["batch"], &input);
    let found = answers(&output);
    assert_eq!(found[1]["id"], 2);
    assert_eq!(found[1]["error"]["findings"][0]["rule"], "invalid-utf8");
    assert_eq!(found[2]["result"]["verdict"], "correct");
}

#[test]
fn wrong_types_are_told_and_never_crash() {
    let values =
        ["null", "true", "0", "1e308", "\"\"", "[]", "{}", "[[]]", "{\"type\":7}", "{\"type\":\"numeric\"}"];
    let mut input = String::new();
    for (id, spec) in values.iter().enumerate() {
        for submission in values {
            input +=
                &format!("{{\"id\":{id},\"spec\":{spec},\"submission\":{submission},\"context\":{spec}}}\n");
        }
    }
    let output = run(&["batch", "--jobs", "2"], &input);
    let found = answers(&output);
    assert_eq!(found.len(), values.len() * values.len());
    for answer in found {
        assert_eq!(answer["error"]["kind"], "schema", "{answer}");
        assert!(!answer["error"]["findings"].as_array().expect("findings").is_empty());
    }
}

#[test]
fn documents_cannot_steer_the_terminal() {
    let output = run(&["grade", "-"], "{\"spec\":{\"type\":\"numeric\",\"\\u001b[2J\":1},\"submission\":{}}");
    assert_eq!(code(&output), 1);
    assert!(!output.stderr.contains(&0x1b), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("\\u{1b}"));
}

#[test]
fn long_outputs_are_compared_to_their_end() {
    let folder = Folder::new("long-outputs");
    // The outputs are longer than a document can be, and differ only in the last token.
    let long = "1 ".repeat(5 << 20);
    let answer = folder.file("answer", format!("{long}2\n"));
    let (same, other) =
        (folder.file("same", format!("{long}2\n")), folder.file("other", format!("{long}3\n")));
    for command in [&["kattis", "compare"][..], &["match"]] {
        let compare = |output: &String| code(&run(&[command, &[&answer, output]].concat(), ""));
        assert_eq!((compare(&same), compare(&other)), (0, 1), "{command:?}");
    }
    // Bytes are compared unchanged, so a byte order mark is part of the first token.
    let (plain, marked) = (folder.file("plain", "1\n"), folder.file("marked", "\u{feff}1\n"));
    assert_eq!(code(&run(&["kattis", "compare", &plain, &marked], "")), 1);
    assert_eq!(code(&run(&["kattis", "compare", &plain, &plain, "no_such_flag"], "")), 2);
}

#[test]
fn ids_of_a_bank_cannot_steer_the_terminal() {
    let folder = Folder::new("bank-terminal");
    let bank = folder.file("bank.jsonl", "{\"item\":\"a\\u001b[2Jb\",\"spec\":{\"type\":\"numeric\"}}\n");
    let checked = run(&["check", "--bank", &bank], "");
    assert_eq!(code(&checked), 1);
    assert!(!checked.stdout.contains(&0x1b), "{}", text(&checked.stdout));
}

#[test]
fn lines_without_results_are_named_the_same_by_any_number_of_jobs() {
    let folder = Folder::new("analyse-hostile");
    let bank = folder.file("bank.jsonl", format!("{{\"item\":\"n\",\"spec\":{SPEC}}}\n"));
    let line = |sitting: &str, item: &str| {
        format!("{{\"item\":\"{item}\",\"sitting\":\"{sitting}\",\"submission\":{RIGHT}}}\n").into_bytes()
    };
    let long = [&b"{\"item\":\"n\",\"sitting\":\""[..], &vec![b'a'; 100 << 20], b"\"}\n"].concat();
    let lines = [
        line("one", "n"),
        b"{\"item\":\"n\",\"sitting\":\n".to_vec(),
        line("two", "unknown"),
        line("three", "n"),
        line("three", "n"),
        b"{\"item\":\"n\",\"sitting\":\"\xff\"}\n".to_vec(),
        long,
        b"[]\n".to_vec(),
        line("last", "n"),
    ];
    let results = folder.path("results.jsonl");
    std::fs::write(&results, lines.concat()).expect("written");
    let told = ["1", "2", "5"].map(|jobs| {
        let output = run(&["analyse", &results, "--bank", &bank, "--jobs", jobs], "");
        assert_eq!((code(&output), output.stdout.len()), (1, 0), "{jobs} jobs");
        text(&output.stderr).to_owned()
    });
    let named: Vec<(&str, &str)> = (told[0].split("invalid  ").skip(1))
        .map(|part| {
            let place = part.lines().next().and_then(|line| line.rsplit_once(':')).expect("a place").1;
            (place, part.split_whitespace().nth(2).expect("a rule"))
        })
        .collect();
    // A rejected sitting is named by its first line.
    let expected = [
        ("2", "json-syntax"),
        ("3", "unknown-item"),
        ("4", "sitting-rejected"),
        ("6", "invalid-utf8"),
        ("7", "line-too-long"),
        ("8", "wrong-type"),
    ];
    assert_eq!(named, expected, "{}", told[0]);
    assert!(told[1] == told[0] && told[2] == told[0], "{} {}", told[1], told[2]);
    // Empty input gives an empty report.
    let empty = run(&["analyse", "-", "--bank", &bank, "--json"], "");
    assert_eq!(code(&empty), 0, "{}", text(&empty.stderr));
    assert!(text(&empty.stdout).contains("\"sittings\":0"), "{}", text(&empty.stdout));
    let one = run(&["analyse", "-", "--bank", &bank], line("one", "n"));
    assert!(text(&one.stdout).starts_with("1 sitting, 1 item\n"), "{}", text(&one.stdout));
    // A regrade answers each invalid line with an error, and continues.
    let found = ["1", "3"].map(|jobs| {
        let output = run(&["regrade", "--old", &bank, "--new", &bank, "--jobs", jobs, &results], "");
        assert_eq!(code(&output), 4, "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    });
    assert_eq!(found[0], found[1]);
    let errors: Vec<u64> = found[0]
        .lines()
        .filter_map(|line| line.rsplit_once("\"line\":")?.1.strip_suffix('}')?.parse().ok())
        .collect();
    assert_eq!(errors, [2, 3, 6, 7, 8]);
}

#[cfg(unix)]
#[test]
fn names_of_files_cannot_steer_the_terminal() {
    let folder = Folder::new("hostile-names");
    folder.file("a\u{1b}[2Jb.json", "{");
    let (attempts, bank) = (folder.file("attempts", ""), folder.path(""));
    for output in [
        run(&["batch", &attempts, "--bank", &bank], ""),
        run(&["batch", "a\u{1b}[2Jb"], ""),
        run(&["regrade", &attempts, "--old", &bank, "--new", &bank, "--report", "a\u{1b}[2Jb"], ""),
    ] {
        let told = text(&output.stderr);
        assert!(told.contains("a\\u{1b}[2Jb") && !told.contains('\u{1b}'), "{told}");
    }
}
