use crate::{Folder, RIGHT, SPEC, answers, code, command, run, text};

#[test]
fn grade_prints_one_line_for_people_and_the_result_for_machines() {
    let folder = Folder::new("grade");
    let spec = folder.file("spec.json", SPEC);
    let submission = folder.file("submission.json", RIGHT);
    let human = run(&["grade", "--spec", &spec, "--submission", &submission], "");
    assert_eq!((code(&human), text(&human.stdout)), (0, "correct  1.00   auto\n"));
    let machine = run(&["grade", "--spec", &spec, "--submission", "-", "--json"], RIGHT);
    let line = text(&machine.stdout);
    assert!(line.starts_with("{\"attemptId\":\"") && line.ends_with("\"verdict\":\"correct\"}\n"), "{line}");
    assert_eq!(answers(&machine)[0]["score"], 1);
    let wrong = run(&["grade", "--spec", &spec, "--submission", "-"], r#"{"type":"numeric","value":7}"#);
    assert_eq!(code(&wrong), 0, "a wrong answer is graded all the same");
    assert!(text(&wrong.stdout).starts_with("incorrect  0.00   auto\n"));
}

#[test]
fn a_refused_document_is_named_with_everything_that_is_wrong() {
    let folder = Folder::new("refused");
    let spec = folder.file("spec.json", r#"{"type":"numeric","answer":{"value":"x"},"zzz":1}"#);
    let output = run(&["grade", "--spec", &spec, "--submission", "-"], r#"{"type":"nonsense"}"#);
    assert_eq!((code(&output), output.stdout.len()), (1, 0));
    let errors = text(&output.stderr);
    for word in [&spec, "/zzz", "unknown-field", "wrong-type", "standard input", "/type", "unknown-word"] {
        assert!(errors.contains(word), "{word}: {errors}");
    }
}

#[test]
fn exit_codes_are_the_documented_ones() {
    let folder = Folder::new("codes");
    let spec = folder.file("spec.json", SPEC);
    let unsolvable = folder.file("unsolvable.json", r#"{"type":"numeric","answer":{"min":5,"max":3}}"#);
    let one = folder.file("one", "1 2\n");
    let two = folder.file("two", "1\t2");
    for (expected, arguments) in [
        (0, vec!["--help"]),
        (0, vec!["--version"]),
        (2, vec![]),
        (2, vec!["nonsense"]),
        (2, vec!["grade"]),
        (2, vec!["grade", "--spec", "-", "--submission", "-"]),
        (2, vec!["batch", "--jobs", "0"]),
        (0, vec!["batch", "--parallel", "2"]),
        (2, vec!["batch", "--parallel", "0"]),
        (2, vec!["batch", "--resume"]),
        (3, vec!["grade", "/no/such/file"]),
        (3, vec!["batch", "/no/such/file"]),
        (3, vec!["lint", "/no/such/file", &spec]),
        (0, vec!["lint", &spec]),
        (1, vec!["lint", &unsolvable]),
        (0, vec!["deliver", &spec, "--seed", "1"]),
        (0, vec!["check", "--schema", "AnswerSpec", &unsolvable]),
        (1, vec!["check", "--schema", "Submission", &spec]),
        (0, vec!["match", "--matcher", "tokens", &one, &two]),
        (1, vec!["match", "--matcher", "exact", &one, &two]),
        (0, vec!["equiv", "x+x", "2x"]),
        (1, vec!["equiv", "x+x", "x"]),
        (1, vec!["equiv", r"\frac{x", "x"]),
        (0, vec!["verify", "5", "The answer is 5."]),
        (1, vec!["verify", "5", "The answer is 6."]),
        (2, vec!["verify", "5"]),
        (2, vec!["schema", "nonsense"]),
        (0, vec!["doctor"]),
    ] {
        let output = run(&arguments, "");
        assert_eq!(code(&output), expected, "{arguments:?}: {}", text(&output.stderr));
    }
}

#[test]
fn lint_takes_out_what_was_acknowledged_with_a_reason() {
    let folder = Folder::new("lint-accept");
    let spec = folder.file("twice.json", r#"{"type":"multiple_choice","choices":[{"id":"c1","content":"a","correct":true},{"id":"c2","content":"b","correct":false},{"id":"c3","content":"b","correct":false}]}"#);
    let entry = |pointer: &str| {
        format!(
            r#"[{{"file":"twice.json","rule":"same-choice-twice","pointer":"{pointer}","reason":"meant"}}]"#
        )
    };
    let right = folder.file("right.json", entry("/choices/2/content"));
    let stale = folder.file("stale.json", entry("/choices/1/content"));
    let without_reason = folder.file("bad.json", r#"[{"file":"twice.json","rule":"x","pointer":""}]"#);
    let plain = run(&["lint", "--json", &spec], "");
    assert_eq!(
        (answers(&plain)[0]["warnings"].clone(), answers(&plain)[0].get("accepted")),
        (1.into(), None)
    );
    let accepted = answers(&run(&["lint", "--json", "--accept", &right, &spec], ""));
    assert_eq!(accepted[0]["warnings"], 0);
    assert_eq!(accepted[0]["accepted"][0]["reason"], "meant");
    let output = run(&["lint", "--json", "--accept", &stale, &spec], "");
    assert_eq!(answers(&output)[0]["warnings"], 1);
    assert!(text(&output.stderr).contains("remove the entry"), "{}", text(&output.stderr));
    let output = run(&["lint", "--accept", &without_reason, &spec], "");
    assert!(code(&output) == 1 && text(&output.stderr).contains("/0"), "{}", text(&output.stderr));
}

#[test]
fn lint_knows_the_validators_that_are_named() {
    let spec = r#"{"type":"widget","widgetName":"circuit","widgetVersion":"1.0.0","validator":{"kind":"builtin","name":"circuit_check"}}"#;
    let severities = |arguments: &[&str]| {
        let found = answers(&run(&[&["lint", "-", "--json"], arguments].concat(), spec));
        (found[0]["errors"].clone(), found[0]["findings"].as_array().unwrap().len())
    };
    assert_eq!(severities(&[]), (0.into(), 1));
    assert_eq!(severities(&["--known-validators", "other,circuit_check"]), (0.into(), 0));
    assert_eq!(severities(&["--known-validators", "other"]), (1.into(), 1));
    assert_eq!(code(&run(&["lint", "-", "--known-validators", "No Name"], spec)), 2);
}

#[test]
fn lint_reads_banks_that_are_larger_than_a_document() {
    let folder = Folder::new("lint-large-bank");
    let line = |item: usize, key: usize| {
        let prompt = "x".repeat(1 << 20);
        format!(
            r#"{{"item":"q{item}","prompt":"{prompt}","spec":{{"type":"numeric","answer":{{"value":{key},"tolerance":{{"mode":"absolute","amount":5}}}}}}}}"#
        )
    };
    let lines: Vec<String> = (0..12).map(|item| line(item, if item == 11 { 5 } else { 500 })).collect();
    let bank = folder.file("bank.jsonl", lines.join("\n"));
    let output = run(&["lint", "--json", &bank], "");
    let found = answers(&output);
    assert_eq!((code(&output), found.len()), (0, 12));
    assert!(found[..11].iter().all(|line| line["findings"].as_array().unwrap().is_empty()));
    assert_eq!(found[11]["findings"][0]["rule"], "absolute-tolerance-huge");
    // A line that is too long is refused, and the others are checked.
    let long =
        folder.file("long.jsonl", format!("{}\n\"{}\"\n{}\n", lines[0], "x".repeat(9 << 20), lines[11]));
    let output = run(&["lint", "--json", &long], "");
    assert_eq!((code(&output), answers(&output).len()), (1, 2));
    assert!(text(&output.stderr).contains("long.jsonl:2"), "{}", text(&output.stderr));
}

#[test]
fn lint_tells_which_changes_of_a_key_go_unnoticed() {
    let folder = Folder::new("lint-mutate");
    let spec = r#"{"type":"numeric","answer":{"value":4,"tolerance":{"mode":"absolute","amount":0.5}}}"#;
    let bank = folder.file(
        "bank.jsonl",
        format!("{{\"item\":\"q1\",\"spec\":{spec}}}\n\n{{\"item\":\"q2\",\"spec\":{spec}}}\n"),
    );
    let sample = |item: &str, value: &str| {
        format!(r#"{{"item":"{item}","submission":{{"type":"numeric","value":{value}}}}}"#)
    };
    let samples =
        folder.file("samples.jsonl", ["4", "4.4", "4.6"].map(|value| sample("q1", value)).join("\n"));
    let output = answers(&run(&["lint", "--json", "--mutate", "--answers", &samples, &bank], ""));
    let rules = |at: usize| -> Vec<String> {
        let findings = output[at]["findings"].as_array().unwrap();
        findings
            .iter()
            .map(|finding| {
                format!("{} {}", finding["rule"].as_str().unwrap(), finding["pointer"].as_str().unwrap())
            })
            .collect()
    };
    assert!(output[0]["file"].as_str().unwrap().ends_with("bank.jsonl:1"));
    assert!(output[1]["file"].as_str().unwrap().ends_with("bank.jsonl:3"));
    // Samples on both sides of the upper bound detect every change.
    assert_eq!(rules(0), Vec::<String>::new());
    assert_eq!(rules(1), ["no-sample-answers /spec"]);
    let own = format!(r#"{{"spec":{spec},"submission":{{"type":"numeric","value":4}}}}"#);
    let output = answers(&run(&["lint", "-", "--json", "--mutate"], &own));
    let found = output[0]["findings"].as_array().unwrap();
    assert!(found.iter().any(|finding| finding["pointer"] == "/spec/answer/tolerance/amount"), "{found:?}");
    assert!(found.iter().all(|finding| finding["rule"] == "key-change-unnoticed"));
}

#[test]
fn samples_that_are_too_many_are_named() {
    let folder = Folder::new("lint-samples");
    let spec = r#"{"type":"numeric","answer":{"value":4}}"#;
    let bank = folder.file("bank.jsonl", format!("{{\"item\":\"q1\",\"spec\":{spec}}}\n"));
    let sample = "{\"item\":\"q2\",\"submission\":{\"type\":\"numeric\",\"value\":4}}\n";
    for (number, note) in [
        (100_000, None),
        (100_001, Some("1 sample answer was ignored after the first 100000")),
        (100_003, Some("3 sample answers were ignored after the first 100000")),
    ] {
        let samples = folder.file("samples.jsonl", sample.repeat(number) + "\n");
        let output = run(&["lint", "--mutate", "--answers", &samples, &bank], "");
        let said = text(&output.stderr);
        assert_eq!(note, note.filter(|note| said.contains(note)), "{number}: {said}");
        assert!(note.is_some() || !said.contains("ignored"), "{number}: {said}");
    }
}

#[test]
fn lint_reports_for_people_and_machines() {
    let spec = r#"{"type":"numeric","answer":{"min":5,"max":3}}"#;
    let human = run(&["lint", "-"], spec);
    let report = text(&human.stdout);
    assert!(
        report.contains("error") && report.lines().last().is_some_and(|line| line.contains("1 error")),
        "{report}"
    );
    let machine = answers(&run(&["lint", "-", "--json"], spec));
    assert_eq!(machine[0]["errors"], 1);
    assert_eq!(machine[0]["findings"][0]["severity"], "error");
    assert_eq!(text(&run(&["lint", "-"], SPEC).stdout).lines().last(), Some("ok"));
}

#[test]
fn deliver_shows_no_key() {
    let output = run(&["deliver", "-", "--seed", "learner"], SPEC);
    assert_eq!(text(&output.stdout), "{\"integerOnly\":false,\"type\":\"numeric\"}\n");
}

#[test]
fn explain_tells_the_author_how() {
    let request = format!(r#"{{"spec":{SPEC},"submission":{RIGHT}}}"#);
    let human = run(&["explain", "-"], &request);
    assert!(text(&human.stdout).starts_with("correct  1.00   auto\n"));
    assert!(text(&human.stdout).contains("score 1"), "{}", text(&human.stdout));
    let machine = answers(&run(&["explain", "-", "--json"], &request));
    assert_eq!(machine[0]["raw"], "1");
    assert!(machine[0]["steps"].is_array());
}

#[test]
fn match_answers_lines_of_text_and_of_bytes() {
    let input = r#"{"id":"a","matcher":"tokens","expected":"1 2","actual":"1\n2\n"}
{"id":"b","matcher":"exact","expected":"/w==","actual":"/g==","enc":"base64"}
{"id":"c","matcher":"float_tolerance","expected":"0.3","actual":"0.4","floatTolerance":0.1}
{"id":"d","matcher":"magic","expected":"","actual":""}
{"id":"e","matcher":"exact","expected":"*","actual":"*","enc":"base64"}
"#;
    let output = run(&["match"], input);
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(
        lines[..3],
        [r#"{"id":"a","accept":true}"#, r#"{"id":"b","accept":false}"#, r#"{"id":"c","accept":true}"#]
    );
    let found = answers(&output);
    assert_eq!(found[3]["error"]["findings"][0]["rule"], "unknown-word");
    assert_eq!(found[4]["error"]["findings"][0]["rule"], "base64");
}

#[test]
fn check_tells_form_from_meaning() {
    let input = r#"{"id":1,"schema":"AnswerSpec","instance":{"type":"numeric","answer":{"value":1}}}
{"id":2,"schema":"AnswerSpec","instance":{"type":"numeric","answer":{"min":5,"max":3}}}
{"id":3,"schema":"Submission","instance":{"type":"numeric"}}
{"id":4,"schema":"Nonsense","instance":1}
{"id":5,"schema":"Submission","instance":{"type":"numeric","value":1e400}}
"#;
    let found = answers(&run(&["check"], input));
    let valid: Vec<_> = found.iter().map(|answer| answer["valid"].as_bool()).collect();
    assert_eq!(valid, [Some(true), Some(true), Some(false), None, Some(false)]);
    assert_eq!(found[1]["findings"][0]["severity"], "error");
    assert_eq!(found[4]["id"], 5);
}

#[test]
fn equiv_answers_lines_with_evidence_and_readings() {
    let input = r#"{"id":1,"a":"\\frac{x^2-1}{x-1}","b":"x+1"}
{"id":2,"a":"x","b":"x+1"}
{"id":3,"a":"\\frac{x","b":"x"}
"#;
    let found = answers(&run(&["equiv"], input));
    assert_eq!(found[0]["equal"], true);
    assert_eq!(found[0]["b"]["understood"], "x+1");
    assert_eq!(found[1]["equal"], false);
    assert_eq!(found[1]["how"], "refuted");
    assert_eq!(found[2]["error"]["findings"][0]["pointer"], "/a");
}

#[test]
fn verify_answers_lines_with_evidence_and_audits_old_verdicts() {
    let input = r#"{"id":1,"gold":"10","response":"So \\boxed{10\\text{ cm}}."}
{"id":2,"gold":"10","response":"<think>10"}
{"id":3,"gold":"10"}
"#;
    let found = answers(&run(&["verify"], input));
    assert_eq!(
        (found[0]["verdict"].as_str(), found[0]["extracted"].as_str()),
        (Some("correct"), Some(r"10\text{ cm}"))
    );
    assert_eq!(found[0]["conventions"], serde_json::json!(["units"]));
    assert_eq!(found[1]["verdict"], "no-answer");
    assert_eq!(found[2]["error"]["findings"][0]["rule"], "missing-field");
    let exact = answers(&run(&["verify", "--profile", "exact"], input));
    assert_eq!(exact[0]["verdict"], "incorrect");

    let input = r#"{"id":1,"gold":"5","response":"\\boxed{5}","old":0.0}
{"id":2,"gold":"5","response":"\\boxed{5}","old":true}
{"id":3,"gold":"5","response":"\\boxed{5}","old":"perhaps"}
"#;
    let found = answers(&run(&["verify", "--audit"], input));
    assert_eq!((&found[0]["agrees"], &found[0]["evidence"]), (&false.into(), &"the same text".into()));
    assert_eq!(found[1], serde_json::json!({"id": 2, "agrees": true, "old": true, "verdict": "correct"}));
    assert_eq!(found[2]["error"]["findings"][0]["rule"], "old-verdict");
}

#[test]
fn there_is_no_colour_where_there_is_no_terminal() {
    for arguments in [&["lint", "-"][..], &["doctor"], &["check", "-", "--schema", "Submission"]] {
        let output = run(arguments, "{}");
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{arguments:?}");
    }
    let forced = command(&["doctor"]).env("CLICOLOR_FORCE", "1").output().expect("runs");
    assert!(forced.stdout.contains(&0x1b), "colour exists at all");
}

#[test]
fn completions_and_manual_know_every_sub_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell], "");
        for word in ["grade", "batch", "completions"] {
            assert!(text(&script.stdout).contains(word), "{shell}: {word}");
        }
    }
    let page = run(&["man"], "");
    assert!(text(&page.stdout).contains(".TH fablegrade 1"));
    let folder = Folder::new("man");
    assert_eq!(code(&run(&["man", "--dir", &folder.path("pages")], "")), 0);
    for page in ["fablegrade.1", "fablegrade-batch.1"] {
        assert!(folder.0.join("pages").join(page).exists(), "{page}");
    }
}

#[test]
fn every_schema_that_is_listed_is_printed() {
    let names = run(&["schema"], "");
    let names: Vec<_> = text(&names.stdout).lines().collect();
    assert!(names.contains(&"AnswerSpec") && names.contains(&"AttemptResult"), "{names:?}");
    for name in names {
        let schema: serde_json::Value =
            serde_json::from_slice(&run(&["schema", name], "").stdout).expect("JSON");
        assert!(schema["$schema"].is_string(), "{name}");
    }
}

#[test]
fn lint_names_file_and_line_of_a_bank() {
    let folder = Folder::new("lint-lines");
    let bad = r#"{"item":"b","spec":{"type":"numeric","answer":{"min":5,"max":3}}}"#;
    let bank = folder.file("my bank%.jsonl", format!("{{\"item\":\"a\",\"spec\":{SPEC}}}\n{bad}\n"));
    let github = run(&["lint", &bank, "--format", "github"], "");
    let named = bank.replace('%', "%25");
    assert!(text(&github.stdout).contains(&format!("file={named},line=2,col=")), "{}", text(&github.stdout));
    let sarif = answers(&run(&["lint", &bank, "--format", "sarif"], ""));
    let place = &sarif[0]["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(uri.ends_with("/my%20bank%25.jsonl"), "{uri}");
    assert_eq!(place["region"]["startLine"], 2);
    // Other formats name the line with the file.
    let json = answers(&run(&["lint", &bank, "--json"], ""));
    assert_eq!(json[1]["file"], format!("{bank}:2"));
}

#[test]
fn lint_for_github_cannot_steer_the_terminal() {
    let folder = Folder::new("lint-github-escapes");
    let spec = r#"{"type":"numeric","answer":{"value":1},"\u001b[2Jx\r%":1}"#;
    let github = run(&["lint", &folder.file("q.json", spec), "--format", "github"], "");
    let shown = text(&github.stdout);
    assert!(!shown.contains('\u{1b}') && shown.contains("\\u{1b}[2Jx%0D%25"), "{shown}");
}

#[test]
fn lint_names_lines_and_counts_files_and_lines_as_text() {
    let folder = Folder::new("lint-text-lines");
    let bad = r#"{"item":"b","spec":{"type":"numeric","answer":{"min":5,"max":3}}}"#;
    let good = |id: &str| format!("{{\"item\":\"{id}\",\"spec\":{SPEC}}}\n");
    let bank = folder.file("bank.jsonl", format!("{}{bad}\n\n{}", good("a"), good("c")));
    let valid = folder.file("valid.jsonl", good("a") + &good("c"));
    let question = folder.file("question.json", SPEC);
    let shown = |paths: &[&str]| {
        let output = run(&[&["lint"][..], paths].concat(), "");
        text(&output.stdout).replace(folder.path("").trim_end_matches('/'), "FOLDER")
    };
    let of_bank = shown(&[&bank]);
    assert!(of_bank.starts_with("FOLDER/bank.jsonl:2\nitem b\n"), "{of_bank}");
    assert!(of_bank.ends_with("\n\n1 file, 3 lines: 1 error\n"), "{of_bank}");
    assert_eq!(shown(&[&valid]), "1 file, 2 lines: ok\n");
    assert_eq!(shown(&[&valid, &valid, &question]), "3 files, 4 lines: ok\n");
    assert_eq!(shown(&[&question, &question]), "2 files: ok\n");
    assert_eq!(shown(&[&question]), "ok\n");
}

#[test]
fn samples_belong_to_keys_with_any_characters() {
    let folder = Folder::new("lint-keys");
    let bank = folder.file("bank.json", format!("{{\"b/c~d\":{SPEC}}}"));
    let samples = folder.file("samples.jsonl", format!("{{\"item\":\"b/c~d\",\"submission\":{RIGHT}}}\n"));
    let output = run(&["lint", &bank, "--json", "--mutate", "--answers", &samples], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    // The only sample is right, so some changes of the key go unnoticed.
    let findings = answers(&output)[0]["findings"].as_array().expect("findings").clone();
    let unnoticed = |finding: &serde_json::Value| finding["rule"] == "key-change-unnoticed";
    assert!(!findings.is_empty() && findings.iter().all(unnoticed), "{findings:?}");
}

#[test]
fn samples_are_never_cut() {
    let folder = Folder::new("lint-long-samples");
    let question = folder.file("question.json", SPEC);
    let line = format!("{{\"submission\":{RIGHT}}}\n");
    let samples = folder.file("samples.jsonl", line.repeat((8 << 20) / line.len() + 1));
    let output = run(&["lint", &question, "--mutate", "--answers", &samples], "");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("more than 8 MiB"), "{}", text(&output.stderr));
}

#[test]
fn only_one_input_is_standard_input() {
    let folder = Folder::new("one-stdin");
    let (bank, question) = (folder.file("bank.jsonl", ""), folder.file("question.json", SPEC));
    for arguments in [
        &["batch", "--bank", "-"][..],
        &["batch", "-", "--bank", "-"],
        &["regrade", "--old", "-", "--new", &bank],
        &["regrade", &bank, "--old", "-", "--new", "-"],
        &["lint", "-", "--accept", "-"],
        &["lint", &question, "--mutate", "--answers", "-", "--accept", "-"],
    ] {
        let output = run(arguments, format!("{{\"item\":\"a\",\"spec\":{SPEC}}}\n"));
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(text(&output.stderr).contains("only one document"), "{}", text(&output.stderr));
    }
}
