//! Normal forms of `short_text`.
#![allow(clippy::unwrap_used)] // a test may fail

use fablegrade_core::{AnswerSpec, Grader, Submission};
use fablegrade_validators::standard;

/// Returns the score of a text.
fn score(config: &str, text: &str) -> Option<f64> {
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"short_text","config":{config}}}}}"#
    );
    let grader = Grader::with_host(AnswerSpec::from_json(spec).unwrap(), &standard()).unwrap();
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
