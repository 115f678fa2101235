//! `import` and `export` as a user drives them.

use crate::{Folder, answers, code, run, text};

const QUIZ: &str = "::Sky::What colour is it? {=blue ~green}\n\n::Sum::1 + 1 {#2:0.5}\n";

#[test]
fn a_bank_goes_out_comes_back_and_continues() {
    let folder = Folder::new("interchange-bank");
    let quiz = folder.file("quiz.gift", QUIZ);
    let bank = folder.path("bank.jsonl");
    let output = run(&["import", &quiz, "--bank", &bank], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let first = std::fs::read_to_string(&bank).expect("a bank");
    assert_eq!(first.lines().count(), 2);
    // Not overwritten unasked, and continued to the same bytes.
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank], "")), 2);
    std::fs::write(&bank, &first[..first.len() - 9]).expect("torn");
    assert_eq!(code(&run(&["import", &quiz, "--bank", &bank, "--resume"], "")), 0);
    assert_eq!(std::fs::read_to_string(&bank).expect("a bank"), first);

    let items = folder.path("items");
    let output = run(&["export", &bank, "--to", "qti3", "--out", &items, "--strict"], "");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let back = run(&["import", &items, "--jsonl"], "");
    let specs = |lines: &[serde_json::Value]| {
        // Identifiers of QTI start with a letter or `_`.
        let plain = |line: &serde_json::Value| line["spec"].to_string().replace("\"_", "\"");
        let mut specs: Vec<String> = lines.iter().map(plain).collect();
        specs.sort();
        specs
    };
    let there: Vec<serde_json::Value> =
        first.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(specs(&answers(&back)), specs(&there));
}

#[test]
fn losses_are_listed_and_fail_where_that_is_wanted() {
    let folder = Folder::new("interchange-strict");
    let item = r#"<assessmentItem identifier="q" title="Q"><responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
        <mapping><mapEntry mapKey="a" mappedValue="1"/><mapEntry mapKey="b" mappedValue="-1"/></mapping></responseDeclaration>
        <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"/>
        <itemBody><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><simpleChoice identifier="a">A</simpleChoice><simpleChoice identifier="b">B</simpleChoice></choiceInteraction></itemBody>
        <responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response"/></assessmentItem>"#;
    let item = folder.file("item.xml", item);
    assert_eq!(code(&run(&["import", &item], "")), 0);
    let report = folder.path("report.json");
    assert_eq!(code(&run(&["import", &item, "--strict", "--report", &report], "")), 1);
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&report).expect("a report")).expect("JSON");
    assert_eq!(report["questions"][0]["loss"][0]["rule"], "negative-score");
    assert!(report["questions"][0].get("spec").is_none(), "a report has no keys");
    let responses = folder.file("responses.jsonl", r#"{"item":"q","responses":{"RESPONSE":"a"}}"#);
    let graded = answers(&run(&["import", &item, "--responses", &responses], ""));
    assert_eq!(graded[0]["score"], 1);
    assert_eq!(graded[0]["submissions"][0]["submission"]["selectedChoiceIds"][0], "a");
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_line() {
    let folder = Folder::new("interchange-broken");
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<assessmentItem identifier=\"q\">\n&b;</assessmentItem>";
    let output = run(&["import", &folder.file("bomb.xml", bomb)], "");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("line 3"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("[unknown-entity]"));
}
