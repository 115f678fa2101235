//! Round trips: a written spec reads back as the same spec, or a loss states why not.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, clippy::format_collect)]

use fablegrade_core::{AnswerSpec, Grader, Submission};
use fablegrade_interchange::Effect;
use fablegrade_interchange::write::{BankItem, TARGETS, frame, write};
use fablegrade_interchange::{Format, Source, read};
use fablegrade_public::Decimal;
use fablegrade_public::json::Json;
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn text() -> impl Strategy<Value = String> {
    // These include characters that the formats must escape.
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
    let answers = proptest::collection::btree_set("[a-z][a-z*]{0,6}[a-z]", 1..4);
    (answers, any::<bool>(), any::<bool>()).prop_map(|(answers, blind, trim)| {
        let all = answers.iter().map(|text| Json::build().with("text", text).build());
        let config = Json::build()
            .with("alternatives", Json::array(all))
            .with("ignoreCase", blind)
            .with("blanks", if trim { "trim" } else { "keep" })
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

fn order() -> impl Strategy<Value = Json> {
    (proptest::collection::btree_set(text(), 3..6), 0..3usize).prop_map(|(texts, credit)| {
        let items = texts
            .iter()
            .enumerate()
            .map(|(at, content)| Json::build().with("id", format!("i{at}")).with("content", content).build());
        // Any order can be the key.
        let mut correct: Vec<String> = (0..texts.len()).map(|at| format!("i{at}")).collect();
        correct.rotate_left(1);
        Json::build()
            .with("type", "ordering")
            .with("items", Json::array(items))
            .with("correctOrder", Json::array(correct))
            .with("partialCredit", ["none", "adjacent_pairs", "longest_subsequence"][credit])
            .build()
    })
}

fn weights() -> impl Strategy<Value = Json> {
    let share = prop_oneof![Just("1/3"), Just("-1/3"), Just("1/2"), Just("-1/4"), Just("0"), Just("3/10")];
    (
        proptest::collection::btree_set(text(), 3..6),
        proptest::collection::vec(share, 6),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(texts, shares, single, shuffle)| {
            let ids: Vec<String> = (0..texts.len()).map(|at| format!("c{at}")).collect();
            let shown = texts
                .iter()
                .zip(&ids)
                .map(|(content, id)| Json::build().with("id", id).with("content", content).build());
            let number = |share: &str| share.parse::<i64>().map_or_else(|_| Json::from(share), Json::from);
            let weighed = ids.iter().enumerate().map(|(at, id)| {
                let share = if at == 0 { "1" } else { shares[at] };
                Json::build().with("id", id).with("weight", number(share)).build()
            });
            let config = Json::build()
                .with("options", Json::array(weighed))
                .with_some("most", single.then_some(1))
                .build();
            let params = Json::build()
                .with("options", Json::array(shown))
                .with("shuffle", shuffle)
                .with_some("most", single.then_some(1))
                .build();
            let validator = Json::build()
                .with("kind", "builtin")
                .with("name", "choice_weights")
                .with("config", config)
                .build();
            Json::build()
                .with("type", "widget")
                .with("widgetName", "choices")
                .with("widgetVersion", "1.0.0")
                .with("params", params)
                .with("validator", validator)
                .build()
        })
}

fn prose() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(r#"{"type":"free_text","gradingMode":"reviewer"}"#),
        Just(r#"{"type":"free_text","gradingMode":"reviewer","minWords":20}"#)
    ]
    .prop_map(|text| Json::parse(text.as_bytes()).expect("JSON"))
}

fn spec() -> impl Strategy<Value = Json> {
    prop_oneof![choice(), number(), pairs(), texts(), order(), weights(), prose()]
}

fn canonical(spec: &Json) -> String {
    AnswerSpec::from_json(spec.to_canonical()).expect("a spec").to_json_with_key()
}

/// Returns contents with their ids, sorted by content, so specs with different ids are comparable.
fn by_content(list: Option<&Json>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = list
        .and_then(Json::as_array)
        .unwrap_or_default()
        .iter()
        .map(|one| {
            let field = |name| one.get(name).and_then(Json::as_str).unwrap_or_default();
            let content = field("content").replace("\\<", "<");
            let content = content.split_whitespace().collect::<Vec<_>>().join(" ").replace("< ", "<");
            (content, field("id").to_owned())
        })
        .collect();
    all.sort();
    all
}

/// Returns an answer to `spec` that `draw` determines. Texts and numbers are near the key of `asked`.
///
/// Specs that differ only in their ids get the same answer.
fn submission(spec: &Json, asked: &Json, draw: &[u8]) -> Json {
    let drawn = |at: usize| usize::from(draw[at % draw.len()]);
    let chosen = |list: Option<&Json>, one: bool| {
        let all = by_content(list);
        let first = drawn(0) % all.len();
        let ids = all.iter().enumerate().filter(|(at, _)| *at == first || !one && drawn(*at) % 2 == 1);
        Json::array(ids.map(|(_, (_, id))| Json::from(id.as_str())).collect::<Vec<_>>())
    };
    let one = asked.get("multipleSelect") == Some(&Json::from(false))
        || asked.pointer("/validator/config/most").is_some();
    let state = |state: Json| Json::build().with("type", "widget").with("state", state).build();
    match spec.get("type").and_then(Json::as_str).unwrap() {
        "multiple_choice" => Json::build()
            .with("type", "multiple_choice")
            .with("selectedChoiceIds", chosen(spec.get("choices"), one))
            .build(),
        "widget" if spec.pointer("/params/options").is_some() => {
            state(Json::build().with("selected", chosen(spec.pointer("/params/options"), one)).build())
        }
        "widget" => {
            let texts = asked.pointer("/validator/config/alternatives").and_then(Json::as_array).unwrap();
            let text = texts[drawn(0) % texts.len()].get("text").and_then(Json::as_str).unwrap();
            let typed = match drawn(1) % 4 {
                0 => text.to_owned(),
                1 => text.to_uppercase(),
                2 => format!(" {text} "),
                _ => text.replace('*', "x"),
            };
            state(Json::build().with("text", typed).build())
        }
        "numeric" => {
            let of = |pointer: &str| asked.pointer(pointer).and_then(Json::as_number).cloned();
            let value = of("/answer/value").or(of("/answer/min")).unwrap();
            let amount = of("/answer/tolerance/amount").unwrap_or_else(Decimal::zero);
            let near = [amount.clone(), amount.multiply(&value), "0.001".parse().unwrap()];
            let near = &near[drawn(0) % 3];
            let near = if drawn(1) % 2 == 1 { near.negate() } else { near.clone() };
            Json::build().with("type", "numeric").with("value", Json::Number(value.add(&near))).build()
        }
        "ordering" => {
            let mut ids = by_content(spec.get("items")).into_iter().enumerate().collect::<Vec<_>>();
            ids.sort_by_key(|(at, _)| draw[at % draw.len()]);
            let order = ids.iter().map(|(_, (_, id))| Json::from(id.as_str()));
            Json::build().with("type", "ordering").with("order", Json::array(order)).build()
        }
        "matching" => {
            let right = by_content(spec.get("right"));
            let pairs = by_content(spec.get("left")).into_iter().enumerate().map(|(at, (_, left))| {
                let id = right[drawn(at) % right.len()].1.as_str();
                Json::build().with("left", left).with("right", id).build()
            });
            Json::build().with("type", "matching").with("pairs", Json::array(pairs)).build()
        }
        other => panic!("{other}"),
    }
}

fn score(spec: &Json, submission: &Json) -> Option<f64> {
    let spec = AnswerSpec::from_json(spec.to_canonical()).expect("a spec");
    let grader = Grader::with_host(spec, &fablegrade_validators::standard()).expect("a grader");
    let submission = Submission::from_json(submission.to_canonical()).expect("a submission");
    grader.grade(&submission).score
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn where_no_loss_changes_scores_every_answer_scores_as_before(
        spec in prop_oneof![choice(), number(), pairs(), texts(), order(), weights()],
        draws in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 8), 6),
    ) {
        let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
        for format in TARGETS {
            let Ok(written) = write(&item, format) else { continue };
            if written.losses.iter().any(|loss| loss.effect == Effect::ChangesScore) {
                continue;
            }
            let (head, tail) = frame(format);
            let whole = format!("{head}{}{tail}", written.text);
            let mut found = Vec::new();
            read(&Source::new("q", whole.as_bytes()), Some(format), &mut |question| found.extend(question))
                .expect("it is read");
            let back = &found[0].specs[0].spec;
            for draw in &draws {
                let here = submission(&item.spec, &item.spec, draw);
                let there = submission(back, &item.spec, draw);
                let scores = (score(&item.spec, &here), score(back, &there));
                prop_assert_eq!(scores.0, scores.1, "{} {} {}\n{}", format, here.to_canonical(), there.to_canonical(), whole);
            }
        }
    }
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
    fn qti_needs_no_excuse_for_choices_weights_and_numbers(spec in prop_oneof![choice(), weights(), number()]) {
        let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
        let written = write(&item, Format::Qti3).map_err(|loss| TestCaseError::fail(loss.message))?;
        let changes = written.losses.iter().any(|loss| loss.rule != "round-trip");
        prop_assert!(!changes, "{:?}\n{}", written.losses, written.text);
    }
}

/// A question of each type.
const TYPES: [(&str, &str); 8] = [
    (
        "multiple_choice",
        r#"{"type":"multiple_choice","multipleSelect":false,"partialCredit":false,"shuffleChoices":true,"choices":[{"id":"a","content":"A","correct":true},{"id":"b","content":"B","correct":false}]}"#,
    ),
    ("numeric", r#"{"type":"numeric","answer":{"value":2}}"#),
    ("expression", r#"{"type":"expression","canonical":"x","equivalence":"symbolic"}"#),
    ("free_text", r#"{"type":"free_text","gradingMode":"reviewer"}"#),
    (
        "code",
        r#"{"type":"code","languages":["python"],"limits":{},"testSuites":[{"name":"T","visibility":"hidden","cases":[{"input":"1","expected":"1","matcher":"trimmed_lines","points":1}]}]}"#,
    ),
    (
        "ordering",
        r#"{"type":"ordering","items":[{"id":"a","content":"A"},{"id":"b","content":"B"}],"correctOrder":["b","a"],"partialCredit":"none"}"#,
    ),
    (
        "matching",
        r#"{"type":"matching","left":[{"id":"a","content":"A"},{"id":"b","content":"B"}],"right":[{"id":"c","content":"C"},{"id":"d","content":"D"}],"correctPairs":[{"left":"a","right":"d"},{"left":"b","right":"c"}],"partialCredit":true}"#,
    ),
    (
        "widget",
        r#"{"type":"widget","widgetName":"plane","widgetVersion":"1.0.0","validator":{"kind":"state_equals","expectedState":{"x":3}}}"#,
    ),
];

#[test]
fn weights_come_back_byte_for_byte() {
    let text = r#"{"type":"widget","widgetName":"choices","widgetVersion":"1.0.0","params":{"options":[{"id":"a","content":"A"},{"id":"b","content":"B"},{"id":"c","content":"C"}],"shuffle":false},
        "validator":{"kind":"builtin","name":"choice_weights","config":{"options":[{"id":"a","weight":"2/3"},{"id":"b","weight":"1/3"},{"id":"c","weight":"-1/2"}]}}}"#;
    let spec = Json::parse(text.as_bytes()).expect("JSON");
    let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
    let written = write(&item, Format::Qti3).expect("it is written");
    assert!(written.losses.is_empty(), "{:?}\n{}", written.losses, written.text);
    let moodle = write(&item, Format::MoodleXml).expect("it is written");
    assert!(moodle.text.contains("66.66667") && moodle.text.contains("-50"), "{}", moodle.text);
    assert!(
        moodle.losses.iter().all(|loss| matches!(loss.rule, "round-trip" | "fraction-list")),
        "{:?}",
        moodle.losses
    );
}

#[test]
fn each_type_is_written_or_the_loss_names_it() {
    let mut written = Vec::new();
    for (kind, text) in TYPES {
        let spec = Json::parse(text.as_bytes()).expect("JSON");
        AnswerSpec::from_json(text).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
        for format in TARGETS {
            match write(&item, format) {
                Ok(_) => written.push(format!("{kind} {format}")),
                Err(loss) => {
                    assert!(matches!(loss.rule, "question-type" | "validator"), "{kind} {format}: {loss:?}");
                    assert!(
                        loss.message.contains(if kind == "widget" { "state_equals" } else { kind })
                            || format == Format::Gift,
                        "{loss:?}"
                    );
                }
            }
        }
    }
    let expected = [
        "multiple_choice qti3",
        "multiple_choice moodle-xml",
        "multiple_choice gift",
        "numeric qti3",
        "numeric moodle-xml",
        "numeric gift",
        "free_text qti3",
        "free_text moodle-xml",
        "free_text gift",
        "ordering qti3",
        "ordering moodle-xml",
        "matching qti3",
        "matching moodle-xml",
        "matching gift",
    ];
    assert_eq!(written, expected);
}

/// Returns the `schemaLocation`s of a schema.
fn locations(schema: &str) -> impl Iterator<Item = &str> {
    schema.split("schemaLocation").skip(1).filter_map(|rest| {
        let rest = rest.trim_start().strip_prefix('=')?.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        rest[1..].split(quote).next()
    })
}

/// Returns the schema of QTI 3 items in a folder, and a catalogue that maps the imports of schemas to files of the
/// folder.
fn schema_in(folder: &std::path::Path) -> (std::path::PathBuf, String) {
    let mut main = None;
    let mut catalogue = String::from(r#"<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">"#);
    for entry in std::fs::read_dir(folder).expect("a folder of schemas").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "xsd") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a schema");
        for location in locations(&text) {
            let file = folder.join(location.rsplit('/').next().unwrap_or_default());
            if location.contains("://") && file.exists() {
                let file = file.display();
                catalogue += &format!(
                    r#"<uri name="{location}" uri="{file}"/><system systemId="{location}" uri="{file}"/>"#
                );
            }
        }
        if text.contains(r#"targetNamespace="http://www.imsglobal.org/xsd/imsqtiasi_v3p0""#) {
            main = Some(path);
        }
    }
    (main.expect("a schema of the namespace of QTI 3 items"), catalogue + "</catalog>")
}

/// Validates written items against the official schema.
///
/// `FABLEGRADE_QTI_SCHEMAS` names a folder with the schema and its imports, whose licence forbids copies in this
/// repository. Without this variable, nothing is tested. Needs `xmllint`.
#[test]
fn what_is_written_as_qti_validates() {
    let Some(folder) = std::env::var_os("FABLEGRADE_QTI_SCHEMAS") else { return };
    let (schema, catalogue) = schema_in(std::path::Path::new(&folder));
    let place = std::env::temp_dir().join(format!("fablegrade-schemas-{}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a temporary folder");
    std::fs::write(place.join("catalogue.xml"), catalogue).expect("written");
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let drawn = (0..300).map(|_| spec().new_tree(&mut runner).expect("a spec").current());
    let fixed = TYPES.iter().map(|(_, text)| Json::parse(text.as_bytes()).expect("JSON"));
    let mut files = Vec::new();
    for (at, spec) in fixed.chain(drawn).enumerate() {
        let ids = ["q1", "7 & ü/x", "part/1.a"];
        let prompts = ["", "What is $x<y$?", "One.\n\nTwo\nlines & \u{e4}"];
        let item = BankItem {
            id: ids[at % 3].into(),
            title: "A \"title\" <b>".into(),
            prompt: prompts[at % 3].into(),
            spec,
        };
        if let Ok(written) = write(&item, Format::Qti3) {
            let file = place.join(format!("{at}.xml"));
            std::fs::write(&file, written.text).expect("written");
            files.push(file);
        }
    }
    let done = std::process::Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema"])
        .arg(&schema)
        .args(&files)
        .env("XML_CATALOG_FILES", place.join("catalogue.xml"))
        .output()
        .expect("xmllint runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    let wrong =
        said.lines().filter(|line| !line.ends_with(" validates")).take(20).collect::<Vec<_>>().join("\n");
    assert!(done.status.success(), "{wrong}");
    assert!(files.len() > 250, "{} files", files.len());
    std::fs::remove_dir_all(&place).expect("removed");
}

/// In GIFT, texts can contain HTML, and can begin with their format.
#[test]
fn markup_in_texts_of_gift_stays_text() {
    for prompt in
        ["What does `<br>` do?", "[html] is a format", "Is &lt; an entity?", "a < b && c </p>", "<!-- x"]
    {
        let item = BankItem {
            id: "q".into(),
            title: "q".into(),
            prompt: prompt.into(),
            spec: Json::parse(
                br#"{"type":"multiple_choice","choices":[{"id":"a","content":"<b>x</b>","correct":true},{"id":"b","content":"[html]<i>y"}]}"#,
            )
            .expect("JSON"),
        };
        let written = write(&item, Format::Gift).expect("GIFT");
        let mut found = Vec::new();
        read(&Source::new("q.gift", written.text.as_bytes()), Some(Format::Gift), &mut |one| found.push(one))
            .expect("questions");
        let question = found.remove(0).expect("a question");
        // What is read escapes the signs of tags.
        assert_eq!(question.item.prompt.replace("\\<", "<"), prompt, "{}", written.text);
        let fablegrade_interchange::item::Interaction::Choice(choice) = &question.item.parts[0].interaction
        else {
            panic!("a choice")
        };
        let contents: Vec<&str> = choice.options.iter().map(|one| one.content.as_str()).collect();
        assert_eq!(contents, [r"\<b>x\</b>", r"[html]\<i>y"]);
    }
}

#[test]
fn shares_of_zero_are_not_rules() {
    let losses = |config: &str| {
        let text = format!(
            r#"{{"type":"widget","widgetName":"choices","widgetVersion":"1.0.0","params":{{"options":[{{"id":"a","content":"A"}},{{"id":"b","content":"B"}},{{"id":"c","content":"C"}}],"shuffle":false}},
            "validator":{{"kind":"builtin","name":"choice_weights","config":{{"options":[{{"id":"a","weight":"1/2"}},{{"id":"b","weight":"1/2"}},{{"id":"c","weight":0}}]{config}}}}}}}"#
        );
        let spec = Json::parse(text.as_bytes()).expect("JSON");
        let item = BankItem { id: "q1".into(), title: "T".into(), prompt: "P".into(), spec };
        let written = write(&item, Format::Qti3).expect("it is written");
        written
            .losses
            .iter()
            .filter(|loss| loss.effect == Effect::ChangesScore)
            .map(|loss| loss.rule)
            .collect::<Vec<_>>()
    };
    assert!(losses(r#","floor":0,"base":"0""#).is_empty());
    assert!(losses(r#","most":1,"beyond":0"#).is_empty());
    for (config, rule) in [
        (r#","floor":"1/4""#, "floor"),
        (r#","base":0.5"#, "base"),
        (r#","most":1,"beyond":"1/2""#, "beyond"),
    ] {
        assert!(losses(config).contains(&rule), "{config}");
    }
}

#[test]
fn markup_and_wildcards_stay_in_moodle() {
    let spec = r#"{"type":"widget","widgetName":"short-text","widgetVersion":"1.0.0","validator":{"kind":"builtin","name":"short_text",
        "config":{"alternatives":[{"text":"a*"},{"wildcard":"*photo\\**","weight":"1/2"}],"blanks":"trim","ignoreCase":true}}}"#;
    let prompt = "Solve $x^2=4$ for *x*:\n\n- one\n- **two**\n\n![pic](a.png)";
    let spec = Json::parse(spec.as_bytes()).expect("JSON");
    let item = BankItem { id: "q1".into(), title: "T".into(), prompt: prompt.into(), spec };
    for format in [Format::MoodleXml, Format::Gift] {
        let written = write(&item, format).expect("it is written");
        assert!(written.losses.is_empty(), "{format} {:?}\n{}", written.losses, written.text);
        assert!(written.text.contains(r"*photo\**") && written.text.contains(r"a\*"), "{}", written.text);
        let (head, tail) = frame(format);
        let whole = format!("{head}{}{tail}", written.text);
        let mut found = Vec::new();
        read(&Source::new("q", whole.as_bytes()), Some(format), &mut |question| found.extend(question))
            .expect("it is read");
        assert_eq!(found[0].item.prompt, prompt, "{whole}");
    }
    let written = write(&item, Format::Qti3).expect("it is written");
    assert!(written.losses.iter().any(|loss| loss.rule == "pattern"), "{:?}", written.losses);
}
