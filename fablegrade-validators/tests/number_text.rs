//! Tolerances of `number_text` whose unit does not fit.
#![allow(clippy::unwrap_used)] // a test may fail

use fablegrade_core::{AnswerSpec, Grader};
use fablegrade_validators::standard;

/// Returns the rules and pointers of the findings in a configuration.
fn findings(config: &str) -> Vec<(String, String)> {
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"number_text","config":{config}}}}}"#
    );
    match Grader::with_host(AnswerSpec::from_json(spec).unwrap(), &standard()) {
        Ok(_) => Vec::new(),
        Err(error) => error
            .findings()
            .iter()
            .map(|finding| (finding.rule.to_owned(), finding.pointer.clone()))
            .collect(),
    }
}

#[test]
fn a_tolerance_has_a_number_and_a_unit_of_the_same_quantity() {
    for (answer, tolerance, rest, rule) in [
        ("9.81 m/s^2", "0.05", r#""units":{}"#, None),
        ("9.81 m/s^2", "5 cm/s^2", r#""units":{}"#, None),
        ("300 K", "1 °C", r#""units":{}"#, None),
        ("9.81 m/s^2", "5 s", r#""units":{}"#, Some("tolerance-unit")),
        ("9.81 m/s^2", "m/s^2", r#""units":{}"#, Some("tolerance-form")),
        ("5 EUR", "1 USD", r#""units":{}"#, Some("tolerance-unit")),
        ("5 widgets", "1 m", r#""units":{"mode":"same"}"#, Some("tolerance-unit")),
        ("9.81", "5 cm", r#""units":{"optional":true}"#, Some("tolerance-unit")),
        ("25%", "1%", r#""percent":true"#, Some("tolerance-unit")),
        ("25%", "0.01", r#""percent":true"#, None),
    ] {
        let expected =
            |at: &str| rule.map(|rule| (rule.to_owned(), format!("/validator/config{at}/absolute")));
        let whole = format!(
            r#"{{"answers":[{{"value":"{answer}"}},{{"value":"{answer}"}}],"tolerance":{{"absolute":"{tolerance}"}},{rest}}}"#
        );
        assert_eq!(findings(&whole), Vec::from_iter(expected("/tolerance")), "{whole}");
        let own = format!(
            r#"{{"answers":[{{"value":"{answer}","tolerance":{{"absolute":"{tolerance}"}}}}],{rest}}}"#
        );
        assert_eq!(findings(&own), Vec::from_iter(expected("/answers/0/tolerance")), "{own}");
    }
}

#[test]
fn a_tolerance_of_the_answer_replaces_that_of_the_question() {
    let config = r#"{"answers":[{"value":"5 m","tolerance":{"absolute":"1 cm"}}],"tolerance":{"absolute":"1 s"},"units":{}}"#;
    assert_eq!(findings(config), []);
}
