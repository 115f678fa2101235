//! Metadata from untrusted sources: no text causes a panic, and accepted metadata obeys the rules.
#![allow(clippy::unwrap_used)]

use fablegrade_public::Decimal;
use fablegrade_terry::contest::{Contest, PublicMetadata};
use fablegrade_terry::task::Task;
use fablegrade_terry::yaml::Yaml;
use proptest::prelude::*;

/// Returns pieces of YAML in random order, which reach deeper into a parser than random characters.
fn pieces() -> impl Strategy<Value = String> {
    let words = [
        "name: ",
        "description: ",
        "max_score: ",
        "users:\n",
        "tasks: ",
        "- ",
        "  ",
        "\n",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        "? ",
        "&a ",
        "*a",
        "!!str ",
        "!x ",
        "|\n",
        ">-\n",
        "'",
        "\"",
        "\\x41",
        "#",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "%TAG ! a\n",
        "<<: ",
        "\t",
        "é",
        "1e9",
        "-5",
        "0x1F",
        "~",
        "true",
        "poldo",
        "\u{feff}",
        "\u{85}",
        "\r\n",
        "\0",
    ];
    proptest::collection::vec(prop::sample::select(words.to_vec()), 0..40).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_makes_a_panic(text in pieces()) {
        let bytes = text.as_bytes();
        if let Ok(yaml) = Yaml::parse(bytes) {
            let again = yaml.to_json().to_canonical();
            prop_assert!(yaml.line("/name") >= 1);
            prop_assert!(!again.is_empty());
        }
        if let Ok((task, _)) = Task::from_yaml(bytes) {
            prop_assert!(task.max_score > Decimal::zero() && !task.name.contains('/'));
        }
        if let Ok((contest, _)) = Contest::from_yaml(bytes) {
            prop_assert!(contest.duration > 0);
        }
        let _ = PublicMetadata::from_yaml(bytes);
    }

    #[test]
    fn no_bytes_make_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        let _ = Task::from_yaml(&bytes);
        let _ = Contest::from_yaml(&bytes);
    }

    /// A document written as JSON is read with the same values, since JSON is YAML.
    #[test]
    fn json_is_yaml(name in "[a-z]{1,8}", score in 1i64..10_000, text in "[ -~é\u{1f600}]{1,40}") {
        let description = serde_json::to_string(&text).unwrap();
        let document = format!(r#"{{"name": "{name}", "description": {description}, "max_score": {score}}}"#);
        match Task::from_yaml(document.as_bytes()) {
            Ok((task, _)) => {
                prop_assert_eq!(task.description, text);
                prop_assert_eq!(task.max_score, Decimal::from(score));
            }
            Err(error) => prop_assert!(text.trim().is_empty(), "{error}"),
        }
    }
}

#[test]
fn hostile_documents_are_refused_in_time_that_grows_with_their_length() {
    let long = 200_000;
    let anchors = (0..50_000).map(|at| format!("k{at}: &a{at} v\n")).collect::<Vec<_>>().concat();
    for text in [
        "[".repeat(long),
        "{".repeat(long),
        "- ".repeat(long),
        "? ".repeat(long),
        "a: ".repeat(long),
        "&a ".repeat(long),
        "!!str ".repeat(long),
        "%TAG ".repeat(long),
        "\"".repeat(long),
        "|\n ".repeat(long),
        "#".repeat(long),
        "a".repeat(long),
        anchors,
        format!("a: &a {}\nb: [{}]\n", "x".repeat(1000), "*a,".repeat(long)),
    ] {
        assert!(Task::from_yaml(text.as_bytes()).is_err());
    }
}
