//! The round-trip law: what is written reads back to the same spec, or a loss says why not.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::format_collect)]

use fablegrade_core::AnswerSpec;
use fablegrade_interchange::write::{BankItem, TARGETS, frame, write};
use fablegrade_interchange::{Format, Source, read};
use fablegrade_public::json::Json;
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    // Signs that each format must escape.
    r"[a-zA-Z0-9][a-zA-Z0-9 ~=#{}:<>&'%\\$*-]{0,18}[a-zA-Z0-9]"
}

fn choice() -> impl Strategy<Value = Json> {
    (proptest::collection::vec((text(), any::<bool>()), 2..6), any::<bool>(), any::<bool>(), any::<bool>())
        .prop_map(|(options, multiple, partial, shuffle)| {
            let several = multiple;
            let choices = options.iter().enumerate().map(|(at, (content, right))| {
                Json::build()
                    .with("id", format!("c{at}"))
                    .with("content", content)
                    .with("correct", at == 0 || (several && *right))
                    .build()
            });
            Json::build()
                .with("type", "multiple_choice")
                .with("multipleSelect", multiple)
                .with("partialCredit", multiple && partial)
                .with("shuffleChoices", shuffle)
                .with("choices", Json::array(choices))
                .build()
        })
}

fn number() -> impl Strategy<Value = Json> {
    let answer = prop_oneof![
        (-1000i64..1000).prop_map(|value| format!(r#"{{"value":{value}}}"#)),
        (-1000i64..1000, 1u32..50).prop_map(|(value, amount)| {
            format!(r#"{{"value":{value},"tolerance":{{"mode":"absolute","amount":0.{amount:02}}}}}"#)
        }),
        (1i64..1000, 1u32..50).prop_map(|(value, amount)| {
            format!(r#"{{"value":{value},"tolerance":{{"mode":"relative","amount":0.{amount:02}}}}}"#)
        }),
        (-1000i64..1000, 1i64..50)
            .prop_map(|(min, width)| format!(r#"{{"min":{min},"max":{}}}"#, min + width)),
    ];
    answer.prop_map(|answer| {
        Json::parse(format!(r#"{{"type":"numeric","answer":{answer}}}"#).as_bytes()).expect("JSON")
    })
}

fn pairs() -> impl Strategy<Value = Json> {
    (
        proptest::collection::btree_set(text(), 2..6),
        proptest::collection::btree_set(text(), 6..8),
        any::<bool>(),
    )
        .prop_map(|(left, right, partial)| {
            let list = |name: &str, texts: &std::collections::BTreeSet<String>| {
                Json::array(texts.iter().enumerate().map(|(at, text)| {
                    Json::build().with("id", format!("{name}{at}")).with("content", text).build()
                }))
            };
            let key = (0..left.len()).map(|at| {
                Json::build().with("left", format!("l{at}")).with("right", format!("r{at}")).build()
            });
            Json::build()
                .with("type", "matching")
                .with("left", list("l", &left))
                .with("right", list("r", &right))
                .with("correctPairs", Json::array(key))
                .with("partialCredit", partial)
                .build()
        })
}

fn texts() -> impl Strategy<Value = Json> {
    (proptest::collection::btree_set("[a-z]{2,8}", 1..4), any::<bool>()).prop_map(|(answers, blind)| {
        let all = answers.iter().map(|text| Json::build().with("text", text).build());
        let config = Json::build()
            .with("alternatives", Json::array(all))
            .with("ignoreCase", blind)
            .with("blanks", "keep")
            .build();
        let validator =
            Json::build().with("kind", "builtin").with("name", "short_text").with("config", config).build();
        Json::build()
            .with("type", "widget")
            .with("widgetName", "short-text")
            .with("widgetVersion", "1.0.0")
            .with("validator", validator)
            .build()
    })
}

fn spec() -> impl Strategy<Value = Json> {
    prop_oneof![choice(), number(), pairs(), texts()]
}

fn canonical(spec: &Json) -> String {
    AnswerSpec::from_json(spec.to_canonical()).expect("a spec").to_json_with_key()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_written_reads_back_or_says_why_not(spec in spec(), title in text(), prompt in text()) {
        let item = BankItem { id: "q1".into(), title, prompt, spec };
        for format in TARGETS {
            let Ok(written) = write(&item, format) else { continue };
            let (head, tail) = frame(format);
            let whole = format!("{head}{}{tail}", written.text);
            let mut found = Vec::new();
            let outcome = read(&Source::new("q", whole.as_bytes()), Some(format), &mut |question| found.push(question));
            prop_assert!(outcome.is_ok(), "{format}: {outcome:?}\n{whole}");
            prop_assert_eq!(found.len(), 1, "{}: {}", format, &whole);
            let question = found.remove(0).map_err(|error| TestCaseError::fail(format!("{error}\n{whole}")))?;
            if written.losses.is_empty() {
                prop_assert!(question.is_single(), "{}: {:?}", whole, question.losses);
                prop_assert_eq!(canonical(&question.specs[0].spec), canonical(&item.spec), "{}", whole);
            }
        }
    }

    #[test]
    fn qti_needs_no_excuse_for_choices_and_numbers(spec in prop_oneof![choice(), number()]) {
        let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
        let written = write(&item, Format::Qti3).map_err(|loss| TestCaseError::fail(loss.message))?;
        let changes = written.losses.iter().any(|loss| loss.rule != "round-trip");
        prop_assert!(!changes, "{:?}\n{}", written.losses, written.text);
    }
}

#[test]
fn what_has_no_counterpart_is_not_written() {
    let spec =
        Json::parse(br#"{"type":"expression","canonical":"x","equivalence":"symbolic"}"#).expect("JSON");
    let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
    for format in TARGETS {
        assert_eq!(write(&item, format).expect_err("a loss").rule, "question-type");
    }
}
