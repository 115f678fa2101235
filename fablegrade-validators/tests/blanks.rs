//! Answers in a free order whose blanks have different validators.
#![allow(clippy::unwrap_used)] // a test may fail

use fablegrade_core::{AnswerSpec, Grader, Submission};
use fablegrade_validators::standard;

const NUMBER: &str = r#"{"id":"a","validator":"number_text","config":{"answers":[{"value":5}]}}"#;
const TEXT: &str = r#"{"id":"b","validator":"short_text","config":{"alternatives":[{"text":"Paris"}]}}"#;
const OTHER_NUMBER: &str = r#"{"id":"b","validator":"number_text","config":{"answers":[{"value":7}]}}"#;
const FORM: &str =
    r#"{"id":"b","validator":"form","config":{"expression":"x^2-1","form":"factored","variable":"x"}}"#;

/// Returns the score of a state, and the text of the first message.
fn graded(blanks: [&str; 2], state: &str) -> (Option<f64>, Option<String>) {
    let config = format!(r#"{{"blanks":[{}],"order":"free"}}"#, blanks.join(","));
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"blanks","config":{config}}}}}"#
    );
    let grader = Grader::with_host(AnswerSpec::from_json(spec).unwrap(), &standard()).unwrap();
    let submission = format!(r#"{{"type":"widget","state":{{"blanks":{state}}}}}"#);
    let result = grader.grade(&Submission::from_json(submission).unwrap());
    (result.score, result.feedback.first().map(|message| message.message().to_string()))
}

#[test]
fn an_answer_earns_nothing_in_a_blank_that_cannot_read_it() {
    for (state, score) in [
        (r#"{"a":"5","b":"Paris"}"#, 1.0),
        (r#"{"a":"Paris","b":"5"}"#, 1.0),
        (r#"{"a":"Rome","b":"5"}"#, 0.5),
        (r#"{"a":"Paris","b":"Paris"}"#, 0.5),
        (r#"{"a":"Rome","b":"Athens"}"#, 0.0),
        (r#"{"b":"5"}"#, 0.5),
        (r#"{"a":{"text":"Paris"},"b":{"text":"5"}}"#, 1.0),
    ] {
        assert_eq!(graded([NUMBER, TEXT], state).0, Some(score), "{state}");
    }
    assert_eq!(graded([NUMBER, FORM], r#"{"a":{"latex":"(x-1)(x+1)"},"b":{"text":"5"}}"#).0, Some(1.0));
}

#[test]
fn an_answer_that_no_blank_can_read_refuses_the_state() {
    assert_eq!(graded([NUMBER, OTHER_NUMBER], r#"{"a":"7","b":"5"}"#).0, Some(1.0));
    for (state, message) in [
        (r#"{"a":"much","b":"5"}"#, "Part 1: This cannot be read as a number."),
        (r#"{"a":"7","b":"much"}"#, "Part 2: This cannot be read as a number."),
    ] {
        assert_eq!(graded([NUMBER, OTHER_NUMBER], state), (None, Some(message.to_owned())), "{state}");
    }
    let (score, _) = graded([NUMBER, TEXT], r#"{"a":{"latex":"x"},"b":"5"}"#);
    assert_eq!(score, None);
}
