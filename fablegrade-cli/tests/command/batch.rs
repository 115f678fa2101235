use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use crate::{Folder, RIGHT, SPEC, answers, code, command, run, text};

fn line(id: usize) -> String {
    let value = 40 + id % 5;
    format!(r#"{{"id":{id},"spec":{SPEC},"submission":{{"type":"numeric","value":{value}}}}}"#)
}

#[test]
fn answers_come_in_the_order_of_the_lines_for_any_number_of_jobs() {
    let input: String = (0..20_000).map(|id| line(id) + "\n").collect();
    let one = run(&["batch", "--jobs", "1"], &input);
    assert_eq!(code(&one), 0, "{}", text(&one.stderr));
    let found = answers(&one);
    assert_eq!(found.len(), 20_000);
    for (at, answer) in found.iter().enumerate() {
        assert_eq!(answer["id"], at);
        let verdict = if at % 5 == 2 { "correct" } else { "incorrect" };
        assert_eq!(answer["result"]["verdict"], verdict);
    }
    for jobs in ["2", "7"] {
        assert!(run(&["batch", "--jobs", jobs], &input).stdout == one.stdout, "{jobs} jobs");
    }
}

#[test]
fn the_id_comes_back_byte_for_byte() {
    for id in [r#""a\u0062""#, "1.50e+1", "null", r#"{ "x" : [1, 2] }"#, "\"ü\"", "true"] {
        let output = run(&["batch"], format!(r#"{{"spec":{SPEC},"id": {id} ,"submission":{RIGHT}}}"#));
        assert!(text(&output.stdout).starts_with(&format!(r#"{{"id":{id},"result":"#)), "{id}");
    }
    let without = run(&["batch"], format!(r#"{{"spec":{SPEC},"submission":{RIGHT}}}"#));
    assert!(text(&without.stdout).starts_with(r#"{"id":null,"result":"#));
}

#[test]
fn the_result_is_the_one_that_grade_prints() {
    let request = format!(r#"{{"spec":{SPEC},"submission":{RIGHT}}}"#);
    let single = run(&["grade", "-", "--json"], &request);
    let batch = run(&["batch"], &request);
    let expected = format!("{{\"id\":null,\"result\":{}}}\n", text(&single.stdout).trim_end());
    assert_eq!(text(&batch.stdout), expected);
}

#[test]
fn a_malformed_line_is_answered_and_the_others_go_on() {
    let good = line(2);
    let input = format!("{good}\n{{\"id\":\"cut\",\"spec\":{{\n\n{good}\nnot json\n[1]\n{good}");
    for jobs in ["1", "3"] {
        let output = run(&["batch", "--jobs", jobs], &input);
        assert_eq!(code(&output), 1);
        let found = answers(&output);
        let ids: Vec<_> = found.iter().map(|answer| answer["id"].to_string()).collect();
        assert_eq!(ids, ["2", "\"cut\"", "2", "null", "null", "2"]);
        let lines: Vec<_> = found.iter().map(|answer| answer["line"].as_u64()).collect();
        assert_eq!(lines, [None, Some(2), None, Some(5), Some(6), None]);
        assert_eq!(found[1]["error"]["kind"], "json");
        assert_eq!(found[1]["error"]["findings"][0]["rule"], "json-syntax");
        assert_eq!(found[4]["error"]["kind"], "schema");
        assert_eq!(found[4]["error"]["findings"][0]["rule"], "wrong-type");
    }
}

#[test]
fn everything_that_is_wrong_with_a_line_is_told_at_once() {
    let input =
        r#"{"id":1,"spec":{"type":"numeric","answer":{}},"submission":{"type":"numeric"},"colour":1}"#;
    let output = run(&["batch"], input);
    let found = &answers(&output)[0]["error"];
    assert_eq!(found["kind"], "schema");
    let places: Vec<_> = found["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| {
            for field in ["message", "help"] {
                assert!(!finding[field].as_str().expect("text").is_empty());
            }
            assert_eq!(finding["severity"], "error");
            (finding["pointer"].as_str().expect("text"), finding["rule"].as_str().expect("text"))
        })
        .collect();
    for place in ["/spec/answer", "/submission", "/colour"] {
        assert!(places.iter().any(|(pointer, _)| *pointer == place), "{place}: {places:?}");
    }
    assert!(places.contains(&("/colour", "unknown-field")));
}

#[test]
fn attempts_and_context_are_understood() {
    let attempt = format!(
        r#"{{"problemId":"11111111-1111-4111-8111-111111111111",
            "problemVersionId":"22222222-2222-4222-8222-222222222222","hintsUsed":["h1"],"submission":{RIGHT}}}"#
    )
    .replace('\n', " ");
    let context = r#"{"gradedAt":"2026-03-01T09:30:00Z","hints":{"h1":0.25,"h2":0.5}}"#;
    let input = format!(
        "{{\"id\":1,\"spec\":{SPEC},\"attempt\":{attempt},\"context\":{context}}}\n\
         {{\"id\":2,\"spec\":{SPEC},\"attempt\":{attempt},\"submission\":{RIGHT}}}\n\
         {{\"id\":3,\"spec\":{SPEC},\"submission\":{RIGHT},\"outcomes\":[{{\"suite\":\"s\",\"caseIndex\":0,\"end\":\"timeout\"}}]}}\n"
    );
    let found = answers(&run(&["batch"], input));
    assert_eq!(found[0]["result"]["score"], 0.75);
    assert_eq!(found[0]["result"]["scorePenaltyApplied"], 0.25);
    assert_eq!(found[0]["result"]["gradedAt"], "2026-03-01T09:30:00Z");
    assert_eq!(found[1]["error"]["findings"][0]["rule"], "two-answers");
    assert_eq!(found[2]["error"]["kind"], "mismatch");
}

#[test]
fn unbuffered_answers_each_line_before_the_next_is_written() {
    let mut child = command(&["batch", "--unbuffered"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    for id in 0..3 {
        stdin.write_all((line(id) + "\n").as_bytes()).expect("written");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("answered");
        assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().expect("ends").success());
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new("closed");
    let input: String = (0..50_000).map(|id| line(id) + "\n").collect();
    let file = folder.file("lines.jsonl", input);
    for jobs in ["1", "2"] {
        let mut child = command(&["batch", &file, "--jobs", jobs])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut first = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut first).expect("a line");
        drop(stdout);
        let output = child.wait_with_output().expect("ends");
        assert_eq!((code(&output), text(&output.stderr)), (0, ""), "{jobs} jobs");
    }
}

#[test]
fn the_summary_counts_verdicts_without_colour_in_a_pipe() {
    let input: String = (0..10).map(|id| line(id) + "\n").collect::<String>() + "nonsense\n";
    let output = run(&["batch", "--summary"], input);
    assert_eq!(text(&output.stderr), "11 lines  ·  2 correct  ·  8 incorrect  ·  1 invalid\n");
}

/// Questions of several types, one of them invalid. The answers in [`GIVEN`] are right, wrong, refused and
/// malformed.
const QUESTIONS: &[(&str, &str)] = &[
    ("number", SPEC),
    (
        "choice",
        r#"{"type":"multiple_choice","choices":[{"id":"a","content":"2","correct":true},{"id":"b","content":"3","correct":false}]}"#,
    ),
    (
        "order/üben",
        r#"{"type":"ordering","items":[{"id":"a","content":1},{"id":"b","content":2}],"correctOrder":["a","b"]}"#,
    ),
    ("invalid", r#"{"type":"numeric","answer":{}}"#),
];
const GIVEN: &[&str] = &[
    RIGHT,
    r#"{"type":"numeric","value":41}"#,
    r#"{"type":"numeric"}"#,
    r#"{"type":"multiple_choice","selectedChoiceIds":["a"]}"#,
    r#"{"type":"multiple_choice","selectedChoiceIds":["none"]}"#,
    r#"{"type":"ordering","order":["b","a"]}"#,
    "7",
];

fn pairs(question: impl Fn(&str, &str) -> String) -> String {
    let both = QUESTIONS.iter().flat_map(|question| GIVEN.iter().map(move |given| (question, given)));
    both.enumerate()
        .map(|(id, ((item, spec), given))| {
            format!("{{\"id\":{id},{},\"submission\":{given}}}", question(item, spec)) + "\n"
        })
        .collect()
}

#[test]
fn a_bank_gives_the_answers_of_inline_specs() {
    let folder = Folder::new("bank");
    let lines: String = QUESTIONS
        .iter()
        .map(|(item, spec)| format!("{{\"topic\":[\"any\"],\"item\":\"{item}\",\"spec\":{spec}}}") + "\n\n")
        .collect();
    let file = folder.file("bank.jsonl", &lines);
    std::fs::create_dir_all(folder.path("bank/order")).expect("a folder");
    for (item, spec) in QUESTIONS {
        folder.file(&format!("bank/{item}.json"), spec);
    }
    let inline = run(&["batch"], pairs(|_, spec| format!("\"spec\":{spec}")));
    let verdicts = |word: &str| text(&inline.stdout).matches(word).count();
    assert!(verdicts("correct") > 2 && verdicts("\"error\":") > 7, "the cases decide different things");
    let by_item = pairs(|item, _| format!("\"item\":\"{item}\""));
    for bank in [file, folder.path("bank")] {
        for jobs in ["1", "3"] {
            let output = run(&["batch", "--bank", &bank, "--jobs", jobs], &by_item);
            assert_eq!(text(&output.stdout), text(&inline.stdout), "{bank}, {jobs} jobs");
        }
    }
}

#[test]
fn a_line_about_an_unknown_item_is_refused_and_a_malformed_bank_is_named_by_line() {
    let folder = Folder::new("bank-unknown");
    let bank = folder.file("bank.jsonl", format!("{{\"item\":\"a\",\"spec\":{SPEC}}}\n"));
    let lines = format!(
        "{{\"id\":1,\"item\":\"b\",\"submission\":{RIGHT}}}\n{{\"id\":2,\"item\":\"a\",\"submission\":{RIGHT}}}\n\
         {{\"id\":3,\"item\":\"a\",\"spec\":{SPEC},\"submission\":{RIGHT}}}\n{{\"id\":4,\"submission\":{RIGHT}}}\n"
    );
    let output = run(&["batch", "--bank", &bank], lines);
    assert_eq!(code(&output), 1);
    let found = answers(&output);
    let rules: Vec<_> = found.iter().map(|line| line["error"]["findings"][0]["rule"].as_str()).collect();
    assert_eq!(rules, [Some("unknown-item"), None, Some("unknown-field"), Some("missing-field")]);
    assert_eq!(found[1]["result"]["verdict"], "correct");

    let line = format!("{{\"item\":\"a\",\"spec\":{SPEC}}}\n");
    let malformed = folder.file("malformed.jsonl", format!("{line}\n{line}nonsense\n"));
    let output = run(&["batch", "--bank", &malformed], "");
    assert_eq!(code(&output), 1);
    let told = text(&output.stderr);
    assert!(told.contains("malformed.jsonl:3") && told.contains("malformed.jsonl:4"), "{told}");

    let half =
        folder.file("half.jsonl", format!("{line}{{\"item\":\"b\",\"spec\":{{\"type\":\"numeric\"}}}}\n"));
    let output = run(&["check", "--bank", &half, "--json"], "");
    assert_eq!(code(&output), 1);
    let found = &answers(&output)[0];
    assert_eq!((&found["valid"], &found["items"]), (&false.into(), &2.into()));
    assert_eq!(found["invalid"][0]["item"], "b");
    assert_eq!(code(&run(&["check", "--bank", &bank], "")), 0);
}
