//! Tests of `fablegrade formspec` with files and with JSON Lines.

use super::{Folder, code, run, text};

const SCREENER: &str = r#"{"$formspecScreener":"1.0","url":"urn:test:screener","version":"1.0.0","title":"Test","resultValidity":"P1M",
    "items":[{"key":"income","type":"field","label":"Income"}],
    "evaluation":[{"id":"p","strategy":"first-match","routes":[{"target":"urn:a","condition":"$income < 10"},{"target":"urn:b","condition":"true"}]}]}"#;
const ANSWERS: &str = r#"{"income":{"value":12,"state":"answered"}}"#;
const RECORD: &str = r#"{"$formspecDetermination":"1.0","evaluationVersion":"1.0.0","inputs":{"income":{"state":"answered","value":12}},"overrides":{"halted":false,"matched":[]},"phases":[{"eliminated":[{"reason":"condition-false","target":"urn:a"}],"id":"p","matched":[{"target":"urn:b"}],"status":"evaluated","strategy":"first-match","warnings":[]}],"screener":{"url":"urn:test:screener","version":"1.0.0"},"status":"completed","timestamp":"2026-01-31T10:00:00Z","validity":{"resultValidity":"P1M","validUntil":"2026-02-28T10:00:00Z"}}"#;

/// Returns the output and the exit code of the command, with this text on standard input.
fn formspec(arguments: &[&str], input: &str) -> (String, i32) {
    let mut all = vec!["formspec"];
    all.extend(arguments);
    let output = run(&all, input);
    (text(&output.stdout).to_owned(), code(&output))
}

#[test]
fn a_record_is_made_verified_and_expires() {
    let folder = Folder::new("formspec-record");
    let (screener, answers) = (folder.file("screener.json", SCREENER), folder.file("answers.json", ANSWERS));
    let made =
        formspec(&["determine", &screener, "--answers", &answers, "--now", "2026-01-31T10:00:00Z"], "");
    assert_eq!((made.0.trim_end(), made.1), (RECORD, 0));

    let verified = formspec(&["verify", "-", "--screener", &screener], RECORD);
    assert_eq!(verified.1, 0, "{}", verified.0);
    let edited = RECORD.replace("condition-false", "max-exceeded");
    let (shown, code) = formspec(&["verify", "-", "--screener", &screener, "--json"], &edited);
    assert_eq!(code, 1);
    assert!(shown.contains(r#""pointer":"/phases/0/eliminated/0/reason""#), "{shown}");

    let later = formspec(&["expire", "-", "--now", "2026-03-01"], RECORD);
    assert_eq!(later.0.trim_end(), RECORD.replace(r#""completed""#, r#""expired""#));
}

/// On a terminal, which `script` provides, the determination is printed in words; `--json` prints the record.
#[test]
#[cfg(target_os = "linux")]
fn a_determination_is_told_in_words_on_a_terminal() {
    let folder = Folder::new("formspec-terminal");
    let (screener, answers) = (folder.file("screener.json", SCREENER), folder.file("answers.json", ANSWERS));
    let on_terminal = |more: &str| {
        let program = env!("CARGO_BIN_EXE_fablegrade");
        let line = format!(
            "'{program}' --color never formspec determine '{screener}' --answers '{answers}' --now 2026-01-31T10:00:00Z {more}"
        );
        let output =
            std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output().expect("script");
        String::from_utf8_lossy(&output.stdout).replace('\r', "")
    };
    let told = on_terminal("");
    assert!(told.starts_with("completed  ") && told.contains("phase ") && told.contains("items: "), "{told}");
    assert!(!told.contains('{'), "{told}");
    assert_eq!(on_terminal("--json").trim_end(), RECORD);
}

#[test]
fn documents_are_checked() {
    let folder = Folder::new("formspec-check");
    let screener = folder.file("screener.json", SCREENER);
    let broken = folder.file("broken.json", RECORD.replace("completed", "done"));
    let (shown, code) = formspec(&["check", &screener, &broken], "");
    assert_eq!(code, 1);
    assert!(
        shown.contains("valid    ") && shown.contains("invalid  ") && shown.contains("/status"),
        "{shown}"
    );
}

#[test]
fn lines_are_answered_in_order() {
    let one = |id: &str, now: &str| {
        let screener = SCREENER.replace('\n', " ");
        format!(r#"{{"id":{id},"screener":{screener},"answers":{ANSWERS},"now":{now}}}"#)
    };
    let input = format!("{}\nnonsense\n{}\n", one("1", r#""2026-01-31T10:00:00Z""#), one(r#""b""#, "null"));
    let (answered, code) = formspec(&["determine"], &input);
    assert_eq!(code, 1);
    let lines: Vec<&str> = answered.lines().collect();
    assert_eq!(lines[0], format!(r#"{{"id":1,"record":{RECORD}}}"#));
    assert!(lines[1].starts_with(r#"{"id":null,"error":"#), "{}", lines[1]);
    assert!(
        lines[2].starts_with(r#"{"id":"b","error":"#) && lines[2].contains("date-time-form"),
        "{}",
        lines[2]
    );

    let (checked, _) = formspec(&["check"], &format!("{{\"id\":7,\"document\":{RECORD}}}\n"));
    assert_eq!(checked, "{\"id\":7,\"findings\":[],\"valid\":true}\n");
}

#[test]
fn a_time_is_asked_for() {
    assert_eq!(formspec(&["determine", "screener.json"], "").1, 2);
    assert_eq!(formspec(&["expire", "record.json"], "").1, 2);
}
