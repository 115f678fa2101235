//! Tolerances of `number_text`.
#![allow(clippy::unwrap_used)] // a test may fail

use fablegrade_core::{AnswerSpec, Grader, Submission};
use fablegrade_validators::standard;

fn spec(config: &str) -> AnswerSpec {
    let spec = format!(
        r#"{{"type":"widget","widgetName":"w","widgetVersion":"1.0.0","validator":{{"kind":"builtin","name":"number_text","config":{config}}}}}"#
    );
    AnswerSpec::from_json(spec).unwrap()
}

/// Returns the rules and pointers of the findings in a configuration.
fn findings(config: &str) -> Vec<(String, String)> {
    match Grader::with_host(spec(config), &standard()) {
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

#[test]
fn a_relative_tolerance_is_a_share_of_the_key_whatever_the_unit_of_the_answer() {
    let units = r#""units":{}"#;
    let percent = r#""percent":true"#;
    // Of two answers, the first is just within the tolerance and the second is not.
    for (key, relative, rest, answers) in [
        ("5 km", "0.1", units, ["5.5 km", "5.51 km"]),
        ("5 km", "0.1", units, ["4.5 km", "4.49 km"]),
        ("5 km", "0.1", units, ["5500 m", "5501 m"]),
        ("5 km", "0.1", units, ["4500 m", "4499 m"]),
        ("5 km", "\"1/10\"", units, ["5.5e6 mm", "5.501e6 mm"]),
        // The share is of the number in the key's unit, also if the scale has another zero.
        ("20 °C", "0.1", units, ["22 °C", "22.1 °C"]),
        ("20 °C", "0.1", units, ["71.6 °F", "71.7 °F"]),
        ("20 °C", "0.1", units, ["295.15 K", "295.16 K"]),
        ("50 %", "0.1", units, ["55 %", "55.1 %"]),
        ("50 %", "0.1", percent, ["55 %", "55.1 %"]),
        ("50 %", "0.1", percent, ["0.55", "0.551"]),
        ("50 %", "0.1", percent, ["0.45", "0.449"]),
        ("0.5", "0.1", percent, ["45 %", "44.9 %"]),
        ("-50", "0.1", percent, ["-55", "-55.1"]),
    ] {
        for relative in
            [format!(r#"{{"relative":{relative}}}"#), format!(r#"{{"relative":{relative},"absolute":0}}"#)]
        {
            let config = format!(r#"{{"answers":[{{"value":"{key}"}}],"tolerance":{relative},{rest}}}"#);
            let grader = Grader::with_host(spec(&config), &standard()).unwrap();
            let scores = answers.map(|answer| {
                let submission = format!(r#"{{"type":"widget","state":{{"text":"{answer}"}}}}"#);
                grader.grade(&Submission::from_json(submission).unwrap()).score
            });
            assert_eq!(scores, [Some(1.0), Some(0.0)], "{config} {answers:?}");
        }
    }
    let share = r#"{"answers":[{"value":"5 km"}],"tolerance":{"relative":"10 %"},"units":{}}"#;
    assert_eq!(
        findings(share),
        [("unit-here".to_owned(), "/validator/config/tolerance/relative".to_owned())]
    );
}

/// Returns the score of a text.
fn score(config: &str, text: &str) -> Option<f64> {
    let grader = Grader::with_host(spec(config), &standard()).unwrap();
    let submission = format!(r#"{{"type":"widget","state":{{"text":"{text}"}}}}"#);
    grader.grade(&Submission::from_json(submission).unwrap()).score
}

#[test]
fn a_product_of_fractions_is_not_a_fraction() {
    for rest in [r#""fractions":"reduced""#, r#""notation":"fraction""#] {
        let config = format!(r#"{{"answers":[{{"value":"3/8"}}],{rest}}}"#);
        assert_eq!(score(&config, "3/8"), Some(1.0), "{rest}");
        assert_eq!(score(&config, "(3/8)"), Some(1.0), "{rest}");
        for text in [
            "(3/4)*(4/8)",
            "(3/4)(2/4)",
            "(3/4)/2",
            "3/4/2",
            "(1/8)*3",
            "1/8*3",
            "3*1/8",
            "3/(4*2)",
            "0.75/2",
        ] {
            assert_ne!(score(&config, text), Some(1.0), "{rest}: {text}");
        }
    }
}

#[test]
fn a_reduced_answer_is_one_fraction_of_coprime_integers() {
    let of = |value: &str| {
        let units = if value.contains(' ') { r#","units":{}"# } else { "" };
        format!(r#"{{"answers":[{{"value":"{value}"}}],"fractions":"reduced"{units}}}"#)
    };
    for (value, accepted, refused) in [
        (
            "3/2",
            &["3/2", "(3)/(2)", "(3/2)", "1.5", "-(-3/2)"][..],
            &["(3/4)*2", "3/4*2", "2*3/4", "2*(3/4)", "6/4", "(6)/(4)", "3/4/(1/2)", "(3/4)/(1/2)"][..],
        ),
        ("9/16", &["9/16", "3^2/16"], &["(3/4)^2", "(3/4)(3/4)", "6^2/64"]),
        ("300", &["300", "3*100", "3*10^2", "(3/1)*10^2"], &["(6/2)*10^2", "6/2*10^2"]),
        ("1.5 m/s", &["3/2 m/s", "3 m/2 s^-1"], &["6/4 m/s", "6 m/4 s^-1"]),
    ] {
        for (texts, score_of) in [(accepted, 1.0), (refused, 0.0)] {
            for text in texts {
                assert_eq!(score(&of(value), text), Some(score_of), "{value}: {text}");
            }
        }
    }
    let constants = r#"{"answers":[{"value":2.0943951}],"tolerance":{"absolute":0.001},"constants":true,"fractions":"reduced"}"#;
    for (text, expected) in [
        ("2*pi/3", 1.0),
        ("(2/3)*pi", 1.0),
        ("2/3*pi", 1.0),
        ("2*(pi/3)", 1.0),
        ("4*pi/6", 0.0),
        ("(4/6)*pi", 0.0),
    ] {
        assert_eq!(score(constants, text), Some(expected), "{text}");
    }
}

#[test]
fn nested_powers_of_units_are_bounded() {
    let config = r#"{"answers":[{"value":"5 rad"}],"units":{}}"#;
    let text = format!("5{}rad{}", "(".repeat(16), "^20)".repeat(16));
    assert_ne!(score(config, &text), Some(1.0));
}

#[test]
fn roots_count_in_the_depth_of_brackets() {
    let config = r#"{"answers":[{"value":2}],"constants":true}"#;
    for text in ["sqrt(4)", "sqrt((4))", "√4", "sqrt(sqrt(16))", "(sqrt(4))"] {
        assert_eq!(score(config, text), Some(1.0), "{text}");
    }
    for text in ["√", "√-4"] {
        assert_ne!(score(config, text), Some(1.0), "{text}");
    }
    // roots of 1 and a root that ignores its sign would be right
    let one = r#"{"answers":[{"value":1}],"constants":true}"#;
    assert_eq!(score(one, "sqrt(sqrt(1))"), Some(1.0));
    assert_ne!(score(one, &format!("{}1{}", "sqrt(".repeat(30), ")".repeat(30))), Some(1.0));
    let four = r#"{"answers":[{"value":4}],"constants":true}"#;
    assert_eq!(score(four, "√16"), Some(1.0));
    assert_ne!(score(four, "√-16"), Some(1.0));
}

#[test]
fn questions_that_nobody_can_answer_fully_are_told() {
    let warned = |config: &str| {
        let found = fablegrade_core::lint_with(&spec(config), &standard());
        found.iter().any(|finding| finding.rule == "no-full-marks")
    };
    for config in [
        r#"{"answers":[{"value":"1/3"}],"notation":"decimal"}"#,
        r#"{"answers":[{"value":"1/3"}],"fractions":"no"}"#,
        r#"{"answers":[{"value":"0"}],"notation":"scientific"}"#,
        r#"{"answers":[{"value":"5","weight":"1/2"},{"value":"5"}]}"#,
        r#"{"answers":[{"min":4,"max":6,"weight":"1/2"},{"value":"5"}]}"#,
        r#"{"answers":[{"value":"1.5"}],"notation":"fraction","fractions":"no"}"#,
        r#"{"answers":[{"value":"1.234","tolerance":{"absolute":0.001}}],"decimalPlaces":{"exact":2}}"#,
        r#"{"answers":[{"value":"1/3 m"}],"units":{"mode":"same"},"notation":"decimal"}"#,
    ] {
        assert!(warned(config), "{config}");
    }
    for config in [
        r#"{"answers":[{"value":"1/3"}]}"#,
        r#"{"answers":[{"value":"4/6"}],"fractions":"reduced"}"#,
        r#"{"answers":[{"value":"1/3"}],"notation":"fraction"}"#,
        r#"{"answers":[{"value":"0.75"}],"notation":"fraction"}"#,
        r#"{"answers":[{"value":"1/3"}],"notation":"decimal","tolerance":{"absolute":0.01}}"#,
        r#"{"answers":[{"value":"1/3"}],"notation":"decimal","decimalPlaces":{"exact":2}}"#,
        r#"{"answers":[{"value":"1/3"}],"notation":"scientific","significantFigures":{"exact":3}}"#,
        r#"{"answers":[{"value":"100"}],"significantFigures":{"exact":3,"counting":"strict"}}"#,
        r#"{"answers":[{"value":"299792458"}],"significantFigures":{"min":2,"max":4},"notation":"scientific"}"#,
        r#"{"answers":[{"value":"99.96"}],"significantFigures":{"exact":3}}"#,
        r#"{"answers":[{"value":"-0.005"}],"decimalPlaces":{"max":3}}"#,
        r#"{"answers":[{"value":"0"}],"decimalPlaces":{"exact":2}}"#,
        r#"{"answers":[{"value":"0"}],"significantFigures":{"exact":2}}"#,
        r#"{"answers":[{"value":"5"},{"value":"5","weight":"1/2"}]}"#,
        r#"{"answers":[{"min":0.5,"max":6}],"notation":"scientific"}"#,
        r#"{"answers":[{"min":-1,"max":1}],"notation":"decimal"}"#,
        r#"{"answers":[{"value":"25%"}],"percent":true,"decimalPlaces":{"exact":0}}"#,
        r#"{"answers":[{"value":"5 EUR"}],"units":{"mode":"same","position":"before"},"decimalPlaces":{"exact":2}}"#,
        r#"{"answers":[{"value":"9.81 m/s^2"}],"units":{"mode":"same"},"significantFigures":{"exact":3}}"#,
        r#"{"answers":[{"value":"1/3 h"}],"units":{},"notation":"decimal"}"#,
        r#"{"answers":[{"unit":"m/s"}],"units":{"mode":"only"}}"#,
        r#"{"answers":[{"value":"2*pi"}],"constants":true}"#,
        r#"{"answers":[{"value":"6.02e23"}],"notation":"decimal"}"#,
        r#"{"answers":[{"value":"5","slip":{"powerOfTen":3}}]}"#,
    ] {
        assert!(!warned(config), "{config}");
    }
}
