//! Tests every finding with data that cause it, and with similar data that do not.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::collections::BTreeSet;

use fablegrade_analysis::{Accumulator, Answer, Finding, Item, Items, Score};
use fablegrade_core::AnswerSpec;

const NUMBER: &str =
    r#"{"type":"numeric","answer":{"value":3.1416,"tolerance":{"mode":"absolute","amount":0.001}}}"#;
const CHOICE: &str = r#"{"type":"multiple_choice","choices":[{"id":"a","content":"1","correct":true},
    {"id":"b","content":"2","correct":false},{"id":"c","content":"3","correct":false}]}"#;
const PAIRS: &str = r#"{"type":"matching","left":[{"id":"l","content":"1"},{"id":"m","content":"2"}],
    "right":[{"id":"r","content":"1"},{"id":"s","content":"2"}],"correctPairs":[{"left":"l","right":"r"},{"left":"m","right":"s"}]}"#;
const PROGRAM: &str = r#"{"type":"code","languages":["python"],"testSuites":[{"name":"small","visibility":"public","cases":[
    {"input":"1","expected":"1"},{"input":"2","expected":"4"}]}],"limits":{}}"#;
const FORMULA: &str =
    r#"{"type":"expression","canonical":"x^2+2x+1","equivalence":"literal","variables":[{"name":"x"}]}"#;

/// An answer to the item: whether it is right, its choices and its text.
type Given = (bool, &'static [&'static str], Option<&'static str>);

/// Returns the findings about an item with this spec. Every second learner answers two other items correctly.
fn findings(spec: &str, learners: usize, given: impl Fn(usize, bool) -> Given) -> Vec<Finding> {
    let mut all = Accumulator::new();
    for learner in 0..learners {
        let good = learner % 2 == 0;
        let (right, options, text) = given(learner, good);
        let scored = |item, right| Answer::scored(item, Score::from_points(i32::from(right)));
        let answer = scored("item", right).options(options);
        let answer = text.map_or(answer, |text| answer.text(text));
        all.add(&[answer, scored("other", good), scored("third", good)]).unwrap();
    }
    let spec = AnswerSpec::from_json(spec).unwrap();
    let items = Items::from([("item".to_owned(), Item::of_spec(&spec))]);
    all.finish(&items).findings.into_iter().filter(|finding| finding.item == "item").collect()
}

/// Asserts that these answers cause `rule` once, at `pointer`, and cause no finding with fewer than 30
/// learners.
fn fires(rule: &str, pointer: &str, spec: &str, given: fn(usize, bool) -> Given) -> Finding {
    let mut found: Vec<_> =
        findings(spec, 60, given).into_iter().filter(|finding| finding.rule == rule).collect();
    let places: Vec<_> = found.iter().map(|finding| finding.pointer.as_str()).collect();
    assert_eq!(places, [pointer], "{rule}");
    assert!(!found[0].message.is_empty() && !found[0].help.is_empty());
    assert_eq!(findings(spec, 29, given), [], "{rule}: too few learners to say anything");
    found.remove(0)
}

fn is_quiet(rule: &str, spec: &str, given: fn(usize, bool) -> Given) {
    let found = findings(spec, 60, given);
    assert!(found.iter().all(|finding| finding.rule != rule), "{rule}: {found:?}");
}

#[test]
fn items_that_the_good_learners_do_worse_on() {
    let rule = "negative-discrimination";
    fires(rule, "/discrimination", NUMBER, |_, good| (!good, &[], None));
    is_quiet(rule, NUMBER, |_, good| (good, &[], None));
    is_quiet(rule, NUMBER, |learner, _| (learner % 4 < 2, &[], None));
}

#[test]
fn items_that_do_not_tell_the_good_from_the_others() {
    let rule = "low-discrimination";
    fires(rule, "/discrimination", NUMBER, |learner, _| (learner % 4 < 2, &[], None));
    is_quiet(rule, NUMBER, |_, good| (good, &[], None));
    // A negative correlation is a different finding.
    is_quiet(rule, NUMBER, |_, good| (!good, &[], None));
}

#[test]
fn a_wrong_choice_of_the_best_contradicts_the_key() {
    let rule = "key-contradicted";
    let finding =
        fires(rule, "/options/1", CHOICE, |_, good| (!good, if good { &["b"] } else { &["a"] }, None));
    assert!(finding.fix.is_some() && finding.fixed.is_some(), "the fix is a question");
    is_quiet(rule, CHOICE, |_, good| (good, if good { &["a"] } else { &["b"] }, None));
    // Four of the best learners are too few.
    is_quiet(rule, CHOICE, |learner, good| {
        (learner >= 8, if good && learner < 8 { &["b"] } else { &["a"] }, None)
    });
}

#[test]
fn a_wrong_pair_of_the_best_contradicts_the_key() {
    let rule = "key-contradicted";
    // Options by name: l=r, l=s, m=r, m=s.
    fires(rule, "/options/1", PAIRS, |_, good| {
        (!good, if good { &["l=s", "m=s"] } else { &["l=r", "m=s"] }, None)
    });
    is_quiet(rule, PAIRS, |_, good| (good, if good { &["l=r", "m=s"] } else { &["l=s", "m=r"] }, None));
    // Only pairs with the same left side are compared. Here, the good learners leave out m.
    is_quiet(rule, PAIRS, |learner, good| {
        (
            good,
            if good {
                &["l=r"]
            } else if learner % 4 == 1 {
                &["l=s", "m=s"]
            } else {
                &["l=s", "m=r"]
            },
            None,
        )
    });
}

#[test]
fn a_distractor_that_nobody_takes() {
    let rule = "distractor-unused";
    fires(rule, "/options/2", CHOICE, |_, good| (good, if good { &["a"] } else { &["b"] }, None));
    is_quiet(rule, CHOICE, |learner, good| {
        (
            good,
            if good {
                &["a"]
            } else if learner == 1 {
                &["c"]
            } else {
                &["b"]
            },
            None,
        )
    });
}

#[test]
fn a_key_that_nobody_takes() {
    let rule = "key-never-chosen";
    fires(rule, "/options/0", CHOICE, |_, good| (false, if good { &["b"] } else { &["c"] }, None));
    is_quiet(rule, CHOICE, |learner, _| (learner == 0, if learner == 0 { &["a"] } else { &["c"] }, None));
}

#[test]
fn a_test_case_that_no_program_passes() {
    let rule = "case-never-passed";
    fires(rule, "/options/1", PROGRAM, |_, good| (good, if good { &["small/0"] } else { &[] }, None));
    is_quiet(rule, PROGRAM, |learner, good| {
        (
            learner == 0,
            if learner == 0 {
                &["small/0", "small/1"]
            } else if good {
                &["small/0"]
            } else {
                &[]
            },
            None,
        )
    });
}

#[test]
fn a_tolerance_between_answers_of_equally_good_learners() {
    let rule = "tolerance-splits";
    let finding = fires(rule, "/wrongAnswers/0", NUMBER, |_, good| {
        if good { (false, &[], Some("3.14")) } else { (true, &[], Some("3.1416")) }
    });
    assert!(finding.fixed.is_some());
    // It is not a finding if worse learners round, or if the number is far from the key.
    is_quiet(
        rule,
        NUMBER,
        |_, good| {
            if good { (true, &[], Some("3.1416")) } else { (false, &[], Some("3.14")) }
        },
    );
    is_quiet(
        rule,
        NUMBER,
        |_, good| {
            if good { (false, &[], Some("31.4")) } else { (true, &[], Some("3.1416")) }
        },
    );
}

#[test]
fn a_wider_tolerance_is_no_remedy_for_a_wrong_unit() {
    const LENGTH: &str = r#"{"type":"numeric","answer":{"value":100,"tolerance":{"mode":"absolute","amount":0.1}},
        "unit":{"expected":"m","required":true}}"#;
    let rule = "tolerance-splits";
    fires(rule, "/wrongAnswers/0", LENGTH, |_, good| {
        if good { (false, &[], Some("100.5 m")) } else { (true, &[], Some("100 m")) }
    });
    is_quiet(
        rule,
        LENGTH,
        |_, good| {
            if good { (false, &[], Some("100.5 kg")) } else { (true, &[], Some("100 m")) }
        },
    );
}

#[test]
fn a_common_answer_that_is_equivalent_and_refused() {
    let rule = "equivalent-answer-refused";
    let finding = fires(rule, "/wrongAnswers/0", FORMULA, |_, good| {
        if good { (false, &[], Some("(x+1)^2")) } else { (true, &[], Some("x^2+2x+1")) }
    });
    assert!(finding.fixed.is_some());
    is_quiet(
        rule,
        FORMULA,
        |_, good| {
            if good { (true, &[], Some("x^2+2x+1")) } else { (false, &[], Some("(x-1)^2")) }
        },
    );
    // An answer of four learners is not common.
    is_quiet(rule, FORMULA, |learner, _| {
        if learner < 4 { (false, &[], Some("(x+1)^2")) } else { (true, &[], Some("x^2+2x+1")) }
    });
}

#[test]
fn findings_point_to_groups_of_the_report() {
    // Thirteen wrong answers are more frequent than the one that is equivalent to the key.
    let mut all = Accumulator::new();
    for learner in 0..136 {
        let text = if learner < 130 { format!("x+{}", learner % 13 + 5) } else { "(x+1)^2".to_owned() };
        let answer = Answer::scored("item", Score::from_points(0)).text(&text);
        all.add(&[answer, Answer::scored("other", Score::from_points(i32::from(learner % 2 == 0)))]).unwrap();
    }
    let items = Items::from([("item".to_owned(), Item::of_spec(&AnswerSpec::from_json(FORMULA).unwrap()))]);
    let report = all.finish(&items);
    let pointers: Vec<&str> = report
        .findings
        .iter()
        .filter(|finding| finding.rule == "equivalent-answer-refused")
        .map(|finding| finding.pointer.as_str())
        .collect();
    assert_eq!(pointers.len(), 1);
    let json = serde_json::to_value(&report.items[0]).unwrap();
    assert!(json.pointer(pointers[0]).is_some(), "{pointers:?}");
}

/// Checks that every rule of the documentation has a test in this file.
#[test]
fn every_rule_of_the_documentation_is_tested_here() {
    let documented: BTreeSet<&str> = include_str!("../../docs/analysis.md")
        .split("## Findings")
        .nth(1)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let sources = include_str!("../src/findings.rs");
    let here = include_str!("findings.rs");
    assert_eq!(documented.len(), 8);
    for rule in documented {
        assert!(sources.contains(&format!("\"{rule}\"")) && here.contains(&format!("\"{rule}\"")), "{rule}");
    }
}
