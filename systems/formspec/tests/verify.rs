//! Records are replayed and expire; every change of a record is detected.

#![allow(clippy::unwrap_used)]

use fablegrade_formspec::{
    Answers, DeterminationRecord, Evaluator, Fel, Options, Screener, Status, expire, line, verify,
};
use fablegrade_public::json::Json;

const SCREENER: &str = r#"{"$formspecScreener":"1.0","url":"urn:test:screener","version":"1.0.0","title":"Test","resultValidity":"P90D",
    "items":[{"key":"income","type":"field","label":"I"},{"key":"name","type":"field","label":"N"}],
    "evaluation":[
        {"id":"look","strategy":"fan-out","routes":[
            {"target":"outcome:look","condition":"$income > 40","override":true,"label":"Look"},
            {"target":"urn:a","condition":"$income < 50","label":"A","message":"Hello {{$name}}","metadata":{"k":1}},
            {"target":"urn:b","condition":"$income < 10"}]},
        {"id":"score","strategy":"score-threshold","config":{"normalize":true},"routes":[
            {"target":"urn:s","score":"$income","threshold":0.1},{"target":"urn:t","score":"$income / 3","threshold":0.1}]}]}"#;

fn screener() -> Screener {
    Screener::parse(SCREENER.as_bytes()).unwrap()
}

fn record() -> DeterminationRecord {
    let answers = Answers::new().answered("income", 45).answered("name", "Ada");
    fablegrade_formspec::determine(&screener(), &answers, "2026-10-15T14:30:00Z").unwrap()
}

fn differences(text: &str) -> Vec<String> {
    let record = DeterminationRecord::parse(text.as_bytes()).unwrap();
    let findings = verify(&record, &screener(), Fel, Options::new()).unwrap();
    findings.into_iter().map(|finding| format!("{} {}", finding.rule, finding.pointer)).collect()
}

#[test]
fn a_record_replays_to_itself() {
    assert_eq!(differences(&record().to_string()), [""; 0]);
}

#[test]
fn deep_items_and_long_messages_replay_too() {
    let head = r#""$formspecScreener":"1.0","url":"urn:t","version":"1","title":"T""#;
    let open = r#"{"key":"g","type":"group","label":"G","children":["#;
    let field = r#"{"key":"a","type":"field","label":"A"}"#;
    let items = format!("{}{field}{}", open.repeat(61), "]}".repeat(61));
    let text = format!(
        r#"{{{head},"items":[{{"key":"t","type":"field","label":"T"}},{items}],"evaluation":[{{"id":"p","strategy":"fan-out","routes":[
            {{"target":"urn:a","condition":"true","message":"<{{{{$t}}}}>"}},
            {{"target":"urn:b","condition":"true","message":"{{{{$t}}}}, {{{{$t}}}}"}}]}}]}}"#
    );
    let screener = Screener::parse(text.as_bytes()).unwrap();
    for (length, kept) in [(10, true), ((1 << 20) - 2, false), (1 << 20, false)] {
        let answers = Answers::new().answered("t", Json::from("x".repeat(length)));
        let made = Evaluator::new(&screener, Fel, Options::new()).unwrap();
        let made = made.determine(&answers, "2026-10-15T14:30:00Z").unwrap().record;
        let record = DeterminationRecord::parse(made.to_string().as_bytes()).unwrap();
        assert_eq!(verify(&record, &screener, Fel, Options::new()).unwrap(), [], "{length}");
        let messages: Vec<&str> =
            record.phases[0].matched.iter().filter_map(|route| route.message.as_deref()).collect();
        assert_eq!(messages[0].len() == length + 2, length < 1 << 20, "{length}");
        assert_eq!(!messages[1].contains("{{$t}}"), kept, "{length}");
    }
    // The limit is one of characters.
    let answers = Answers::new().answered("t", Json::from("\u{436}".repeat(800_000)));
    let made = Evaluator::new(&screener, Fel, Options::new()).unwrap();
    let made = made.determine(&answers, "2026-10-15T14:30:00Z").unwrap().record;
    assert_eq!(made.phases[0].matched[0].message.as_deref().map(str::len), Some(1_600_002));
    let record = DeterminationRecord::parse(made.to_string().as_bytes()).unwrap();
    assert_eq!(verify(&record, &screener, Fel, Options::new()).unwrap(), []);
}

#[test]
fn every_change_is_seen() {
    let text = record().to_string();
    for (from, to, seen) in [
        (r#""status":"completed""#, r#""status":"partial""#, vec!["replay /status"]),
        (r#""halted":false"#, r#""halted":true"#, vec!["halted /phases", "replay /overrides/halted"]),
        (
            r#""evaluationVersion":"1.0.0""#,
            r#""evaluationVersion":"1.1.0""#,
            vec!["replay /evaluationVersion"],
        ),
        ("Hello Ada", "Hello Bob", vec!["replay /phases/0/matched/0/message"]),
        (r#""label":"A""#, r#""label":"B""#, vec!["replay /phases/0/matched/0/label"]),
        (r#"{"k":1}"#, r#"{"k":2}"#, vec!["replay /phases/0/matched/0/metadata"]),
        ("condition-false", "max-exceeded", vec!["replay /phases/0/eliminated/0/reason"]),
        ("0.3333333333333333", "0.3333333333333334", vec!["replay /phases/1/matched/1/score"]),
        (r#""strategy":"fan-out""#, r#""strategy":"first-match""#, vec!["replay /phases/0/strategy"]),
        (r#""id":"look""#, r#""id":"see""#, vec!["replay /phases/0/id"]),
        (
            r#""warnings":[]"#,
            r#""warnings":["w"]"#,
            vec!["replay /phases/0/warnings", "replay /phases/1/warnings"],
        ),
        (
            "2027-01-13T14:30:00Z",
            "2027-01-13T14:30:01Z",
            vec!["validity /validity/validUntil", "replay /validity"],
        ),
        (
            "2026-10-15T14:30:00Z",
            "2026-10-15T14:30:01Z",
            vec!["validity /validity/validUntil", "replay /validity"],
        ),
        (r#""url":"urn:test:screener""#, r#""url":"urn:test:other""#, vec!["other-screener /screener"]),
        (r#""value":45"#, r#""value":46"#, vec![]),
        (r#""value":45"#, r#""value":40"#, vec!["replay /overrides/matched"]),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        assert_eq!(differences(&text.replace(from, to)), seen, "{from} -> {to}");
    }
    // The same instant in another notation is the same.
    assert_eq!(differences(&text.replace("2027-01-13T14:30:00Z", "2027-01-13T15:30:00+01:00")), [""; 0]);
}

#[test]
fn a_missing_input_is_seen() {
    let mut record = record();
    record.inputs.remove("name");
    let findings = verify(&record, &screener(), Fel, Options::new()).unwrap();
    let pointers: Vec<_> = findings.iter().map(|finding| finding.pointer.as_str()).collect();
    assert_eq!(pointers, ["/status", "/inputs/name", "/phases/0/matched/0/message"]);
}

#[test]
fn a_partial_record_replays() {
    let answers = Answers::new().answered("income", 45);
    let record = fablegrade_formspec::determine(&screener(), &answers, "2026-10-15T14:30:00Z").unwrap();
    assert_eq!(record.status, Status::Partial);
    assert_eq!(differences(&record.to_string()), [""; 0]);
}

#[test]
fn an_item_without_an_answer_is_told_from_one_not_presented() {
    let made = |answers: Answers| {
        fablegrade_formspec::determine(&screener(), &answers, "2026-10-15T14:30:00Z").unwrap().to_string()
    };
    let unanswered = made(Answers::new().answered("income", 45));
    assert!(unanswered.contains(r#""name":{"state":"not-presented"}"#) && unanswered.contains("partial"));
    let altered = unanswered.replace(r#""status":"partial""#, r#""status":"completed""#);
    assert_eq!(differences(&altered), ["replay /status"]);
    let hidden = made(Answers::new().answered("income", 45).not_presented("name"));
    assert!(
        hidden.contains(r#""name":{"state":"not-presented","value":null}"#) && hidden.contains("completed")
    );
    assert_eq!(differences(&hidden), [""; 0]);
    // Other programs write null for an item without an answer, so both statuses are accepted.
    assert_eq!(differences(&hidden.replace(r#""status":"completed""#, r#""status":"partial""#)), [""; 0]);
}

#[test]
fn a_screener_without_phases_gives_a_record_that_verifies() {
    let from = SCREENER.find(r#""evaluation""#).unwrap();
    let text = format!(r#"{}"evaluation":[]}}"#, &SCREENER[..from]);
    let screener = Screener::parse(text.as_bytes()).unwrap();
    let answers = Answers::new().answered("income", 45).answered("name", "Ada");
    let record = fablegrade_formspec::determine(&screener, &answers, "2026-10-15T14:30:00Z").unwrap();
    assert_eq!(verify(&record, &screener, Fel, Options::new()).unwrap(), []);
    // Removed phases are still reported as missing.
    let mut emptied = self::record();
    emptied.phases.clear();
    let rules: Vec<_> = differences(&emptied.to_string());
    assert_eq!(rules, ["no-phases /phases", "replay /phases"]);
}

#[test]
fn only_the_status_expires() {
    let record = record();
    for (now, status) in [
        ("2026-10-15T14:30:00Z", Status::Completed),
        ("2027-01-13T14:30:00Z", Status::Completed),
        ("2027-01-13T16:30:00+02:00", Status::Completed),
        ("2027-01-13T14:30:00.001Z", Status::Expired),
        ("2027-01-14", Status::Expired),
    ] {
        let later = expire(&record, now).unwrap();
        assert_eq!(later.status, status, "{now}");
        assert_eq!(differences(&later.to_string()), [""; 0]);
        let mut before = later;
        before.status = record.status;
        assert_eq!(before, record);
    }
    assert_eq!(expire(&record, "later").unwrap_err().rule(), "date-time-form");
}

#[test]
fn a_record_without_validity_never_expires() {
    let mut record = record();
    record.validity = None;
    assert_eq!(expire(&record, "9999-01-01").unwrap().status, Status::Completed);
    record.status = Status::Unavailable;
    assert_eq!(expire(&record, "9999-01-01").unwrap().status, Status::Unavailable);
}

#[test]
fn a_session_may_end_after_the_screener_closed() {
    let text =
        SCREENER.replace(r#""resultValidity""#, r#""availability":{"until":"2026-10-15"},"resultValidity""#);
    let screener = Screener::parse(text.as_bytes()).unwrap();
    let answers = Answers::new().answered("income", 45).answered("name", "Ada");
    let late = "2026-10-16T00:10:00Z";
    let made = |options: Options| {
        Evaluator::new(&screener, Fel, options).unwrap().determine(&answers, late).unwrap().record
    };
    assert_eq!(made(Options::new()).status, Status::Unavailable);
    let record = made(Options::new().session_began("2026-10-15T23:50:00Z"));
    assert_eq!((record.status, record.timestamp.as_str()), (Status::Completed, late));
    assert_eq!(
        verify(&record, &screener, Fel, Options::new().session_began("2026-10-15T23:50:00Z")).unwrap(),
        []
    );
    assert!(!verify(&record, &screener, Fel, Options::new()).unwrap().is_empty());
}

#[test]
fn the_binding_chooses_the_revision() {
    let revision = |version: &str, binding: &str| {
        let text = SCREENER
            .replace("1.0.0", version)
            .replace(r#""resultValidity""#, &format!(r#"{binding}"resultValidity""#));
        Screener::parse(text.as_bytes()).unwrap()
    };
    let newer = revision("2.0.0", "");
    for (binding, version) in [
        ("", "1.0.0"),
        (r#""evaluationBinding":"submission","#, "1.0.0"),
        (r#""evaluationBinding":"completion","#, "2.0.0"),
    ] {
        let started = revision("1.0.0", binding);
        let bound = Screener::bound(&started, &newer);
        let record = fablegrade_formspec::determine(bound, &Answers::new(), "2026-10-15").unwrap();
        assert_eq!(
            (record.evaluation_version.as_str(), record.screener.version.as_str()),
            (version, version),
            "{binding}"
        );
    }
}

#[test]
fn the_line_modes_replay_and_expire() {
    let record = record().to_string();
    let screener = SCREENER.replace('\n', " ");
    let answer =
        line::verify(format!(r#"{{"id":"v","record":{record},"screener":{screener}}}"#).as_bytes(), Fel);
    assert!(answer.ok);
    assert_eq!(answer.text, r#"{"findings":[],"id":"v","verified":true}"#);
    let answer = line::expire(format!(r#"{{"id":7,"record":{record},"now":"2028-01-01"}}"#).as_bytes());
    let answer = Json::parse(answer.text.as_bytes()).unwrap();
    assert_eq!(answer.pointer("/record/status").unwrap().as_str(), Some("expired"));
}
