//! Normal forms of `short_text`.
#![allow(clippy::unwrap_used)] // a test may fail

use fablegrade_core::{AnswerSpec, Grader, Submission};
use fablegrade_validators::standard;

fn spec(config: &str) -> AnswerSpec {
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"short_text","config":{config}}}}}"#
    );
    AnswerSpec::from_json(spec).unwrap()
}

/// Returns the score of a text.
fn score(config: &str, text: &str) -> Option<f64> {
    let grader = Grader::with_host(spec(config), &standard()).unwrap();
    let submission = format!(r#"{{"type":"widget","state":{{"text":"{text}"}}}}"#);
    grader.grade(&Submission::from_json(submission).unwrap()).score
}

#[test]
fn a_forbidden_phrase_keeps_its_order() {
    let config = r#"{"alternatives":[{"pattern":".*"}],"forbidden":["not good","bad"],"wordOrder":"free"}"#;
    assert_eq!(score(config, "it is not good stuff"), Some(0.0));
    assert_eq!(score(config, "it is Bad"), Some(0.0));
    assert_eq!(score(config, "not very good"), Some(1.0));
    assert_eq!(score(config, "it is good stuff"), Some(1.0));
}

#[test]
fn wildcards_keep_the_order_of_words() {
    let config = r#"{"alternatives":[{"wildcard":"* cat"},{"wildcard":"photo*"}],"wordOrder":"free"}"#;
    assert_eq!(score(config, "a big Cat"), Some(1.0));
    assert_eq!(score(config, "photo of a house"), Some(1.0));
    assert_eq!(score(config, "cat of mine"), Some(0.0));
}

#[test]
fn typographic_signs_are_those_of_a_keyboard() {
    let text = |text: &str| format!(r#"{{"alternatives":[{{"text":"{text}"}}]}}"#);
    for (key, answer) in [
        ("don't stop", "don\u{2019}t stop"),
        ("l\u{2019}eau", "l'eau"),
        ("l\u{2bc}eau", "l\u{2018}eau"),
        ("well-known", "well\u{2010}known"),
        ("well\u{2011}known", "well-known"),
        ("-5", "\u{2212}5"),
        ("\u{201e}ja\u{201c}", "\u{ab}ja\u{bb}"),
    ] {
        assert_eq!(score(&text(key), answer), Some(1.0), "{key} {answer}");
        let rest = text(key).replace("]}", r#"],"unicode":"nfkc"}"#);
        assert_eq!(score(&rest, answer), Some(1.0), "{key} {answer}");
        let rest = text(key).replace("]}", r#"],"unicode":"none"}"#);
        assert_eq!(score(&rest, answer), Some(0.0), "{key} {answer}");
    }
    // A pattern may name the signs of the keyboard, or typographic ones.
    for pattern in ["don't", "don\u{2019}t", "don['\u{2018}-\u{201f}]t"] {
        let config = format!(r#"{{"alternatives":[{{"pattern":"{pattern}"}}]}}"#);
        assert_eq!(score(&config, "don\u{2019}t"), Some(1.0), "{pattern}");
    }
    let config = r#"{"alternatives":[{"text":"can"}],"forbidden":["can't"]}"#;
    assert_eq!(score(config, "can\u{2019}t"), Some(0.0));
}

#[test]
fn both_spellings_of_an_apostrophe_are_no_fault() {
    let findings = |second: &str| {
        let config = format!(r#"{{"alternatives":[{{"text":"don't"}},{second}]}}"#);
        let found = fablegrade_core::lint_with(&spec(&config), &standard());
        found.into_iter().filter(|finding| finding.rule == "alternative-unreachable").count()
    };
    assert_eq!(findings("{\"text\":\"don\u{2019}t\"}"), 0);
    assert_eq!(findings("{\"text\":\"don\u{2019}t\",\"weight\":0.5}"), 1);
    assert_eq!(findings(r#"{"text":"Don't"}"#), 1);
}
