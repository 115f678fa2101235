//! Replays vectors with the `Case #N:` parser: the project's own, and those of the case collection if it exists next to
//! the project.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use fablegrade_terry::cases::{Invalid, Options, Parser, Report, Stream, Unusable, Worth};
use fablegrade_terry::result::{CheckerResult, Expected};
use proptest::prelude::*;
use serde_json::Value;

/// Runs the evaluator that a vector names.
fn judge(evaluator: &str, case: usize, stream: &mut Stream<'_>) -> Result<Worth, Invalid> {
    let same = |value: i128| value == case as i128;
    match evaluator {
        "int==case then end" => {
            let value = stream.int()?;
            stream.end()?;
            Ok(same(value).into())
        }
        "int==case (no end)" => Ok(same(stream.int()?).into()),
        "space, int==case then end" => {
            stream.space()?;
            let value = stream.int()?;
            stream.end()?;
            Ok(same(value).into())
        }
        "float~=case then end" => {
            let value = stream.float()?;
            stream.end()?;
            Ok(((value - case as f64).abs() < 1e-6).into())
        }
        "str==\"ok\" then end" => {
            let word = stream.str()?;
            stream.end()?;
            Ok((word == "ok").into())
        }
        "int==case then end, wrong->(0,\"msg\")" => {
            let value = stream.int()?;
            stream.end()?;
            Ok(if same(value) { Worth::score(1.0) } else { Worth::score(0.0).saying("nope") })
        }
        "ints while has_int" => {
            let mut last = 0;
            while stream.has_int() {
                last = stream.int()?;
            }
            Ok(same(last).into())
        }
        "char then end" => {
            let found = stream.char()?;
            stream.end()?;
            Ok((found == 'y').into())
        }
        other => match other.strip_prefix("always ").and_then(|score| score.parse::<f64>().ok()) {
            Some(score) => Ok(score.into()),
            None => panic!("the vector's evaluator `{other}` is not known"),
        },
    }
}

fn options(kwargs: &Value) -> Options {
    let mut options = Options::default();
    let length =
        |name: &str, default: usize| kwargs.get(name).and_then(Value::as_u64).map_or(default, |n| n as usize);
    options.strict_spaces = kwargs.get("strict_spaces").and_then(Value::as_bool).unwrap_or(false);
    options.int_max_len = length("int_max_len", options.int_max_len);
    options.float_max_len = length("float_max_len", options.float_max_len);
    options.str_max_len = length("str_max_len", options.str_max_len);
    options
}

fn replay(vector: &Value) -> Value {
    let cases = vector["num_inputs"].as_u64().unwrap() as usize;
    let text = vector["output_text"].as_str().unwrap();
    let evaluator = vector["evaluator"].as_str().unwrap();
    let parser = Parser::with_options(cases, text, options(&vector["kwargs"])).unwrap();
    let report = parser.run(|case, stream| judge(evaluator, case, stream));
    serde_json::from_str(&report.to_json().to_canonical()).unwrap()
}

/// Returns whether two results are equal; 1 and 1.0 are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn replay_all(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    for (line, vector) in text.lines().enumerate() {
        let vector: Value = serde_json::from_str(vector).unwrap();
        let found = replay(&vector);
        assert!(
            same(&found, &vector["result"]),
            "{}:{}: {}\nexpected {}\nfound    {found}",
            path.display(),
            line + 1,
            vector["output_text"],
            vector["result"]
        );
    }
    text.lines().count()
}

#[test]
fn our_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/cases.jsonl");
    assert!(replay_all(&path) >= 60);
}

#[test]
fn the_collections_vectors() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/terry/parser_vectors.jsonl");
    if path.exists() {
        assert!(replay_all(&path) > 0);
    }
}

fn run(text: &str, cases: usize) -> Report {
    Parser::new(cases, text).unwrap().run(|case, stream| judge("int==case then end", case, stream))
}

#[test]
fn where_the_original_library_fails_this_one_does_not() {
    assert_eq!(Parser::new(0, "").unwrap_err(), Unusable::NoCases);
    let mut options = Options::default();
    options.str_max_len = 3;
    assert_eq!(Parser::with_options(1, "", options).unwrap_err(), Unusable::ShortStrings);
    for score in [f64::NAN, f64::INFINITY, -0.5, 1.5] {
        let report = Parser::new(2, "Case #1: 1\nCase #2: 2\n").unwrap().run(|case, stream| {
            stream.int()?;
            Ok(if case == 1 { score } else { 1.0 }.into())
        });
        assert_eq!(report.score(), 0.5);
        assert!(report.to_json().to_canonical().contains("buggy checker detected!"));
    }
    // Reading a character at the end of the file makes the case invalid instead of ending the checker.
    let report = Parser::new(1, "Case #1:").unwrap().run(|case, stream| judge("char then end", case, stream));
    assert!(report.to_json().to_canonical().contains("\"invalid\""));
}

#[test]
fn numbers_beyond_the_usual_lengths() {
    let mut options = Options::default();
    options.int_max_len = 60;
    let text = format!("Case #1: {}\nCase #{}: 1\n", "9".repeat(50), "9".repeat(50));
    let report =
        Parser::with_options(1, &text, options).unwrap().run(|_, stream| Ok((stream.int()? > 0).into()));
    let printed = report.to_json().to_canonical();
    assert!(printed.contains("number too large") && printed.contains("Skipped testcase 99999"), "{printed}");
}

#[test]
fn alerts_are_bounded() {
    let report = run(&"Case #1: 1\n".repeat(5000), 1);
    let (result, _) =
        CheckerResult::read(report.to_json().to_canonical().as_bytes(), &Expected::default()).unwrap();
    let alerts = &result.validation().alerts;
    assert_eq!(alerts.len(), 1001);
    assert!(alerts[1000].message.starts_with("... and "));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// For every file, the result is valid and the score is between 0 and 1.
    #[test]
    fn any_text_makes_a_sound_result(text in "[Case o#0-9: \\-+.\n\t\rxé\u{feff}]{0,120}", cases in 1usize..5, strict in any::<bool>()) {
        let mut options = Options::default();
        options.strict_spaces = strict;
        let report = Parser::with_options(cases, &text, options).unwrap().run(|case, stream| judge("int==case then end", case, stream));
        let printed = report.to_json().to_canonical();
        let read = CheckerResult::read(printed.as_bytes(), &Expected::default().cases(cases));
        prop_assert!(read.is_ok(), "{printed}");
        prop_assert!((0.0..=1.0).contains(&report.score()));
    }

    /// The order of the cases does not matter.
    #[test]
    fn cases_in_any_order(order in Just((1..=6usize).collect::<Vec<_>>()).prop_shuffle(), wrong in 0usize..7) {
        let line = |case: usize| format!("Case #{case}: {}\n", if case == wrong { 0 } else { case });
        let text: String = order.iter().map(|case| line(*case)).collect();
        let expected = if wrong == 0 { 1.0 } else { 5.0 / 6.0 };
        prop_assert_eq!(run(&text, 6).score(), expected);
    }
}
