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
    // Longer than any document may be, and different only in the last token.
    let long = "1 ".repeat(5 << 20);
    let answer = folder.file("answer", format!("{long}2\n"));
    let (same, other) =
        (folder.file("same", format!("{long}2\n")), folder.file("other", format!("{long}3\n")));
    for command in [&["kattis", "compare"][..], &["match"]] {
        let compare = |output: &String| code(&run(&[command, &[&answer, output]].concat(), ""));
        assert_eq!((compare(&same), compare(&other)), (0, 1), "{command:?}");
    }
    // Bytes are compared as they are: a byte order mark is a part of the first token.
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
