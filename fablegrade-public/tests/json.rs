//! Compares the JSON reader with `serde_json`, and tests the limits that `serde_json` lacks.

#![allow(clippy::unwrap_used)]

use fablegrade_public::json::{Document, Json, Limits};
use proptest::prelude::*;

fn refuse(text: &[u8]) -> (String, String) {
    let error = Document::parse(text).err().unwrap();
    (error.rule().to_owned(), error.pointer().to_owned())
}

#[test]
fn broken_texts_are_refused_with_a_place() {
    for text in [
        "",
        " ",
        "{",
        "[1,",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "[1,]",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        "nul",
        "\"",
        "\"\u{1}\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "1 2",
        "{\"a\":1}}",
        "[}",
        "{]",
        "NaN",
        "Infinity",
        "'a'",
        "{a:1}",
        "[1]x",
        "\u{feff}1",
    ] {
        assert_eq!(refuse(text.as_bytes()).0, "json-syntax", "{text}");
    }
    assert_eq!(refuse(b"\"\xff\"").0, "invalid-utf8");
    assert_eq!(refuse(br#"{"a":[1,{"b":}]}"#), ("json-syntax".into(), "/a/1/b".into()));
}

#[test]
fn all_duplicate_keys_and_wild_numbers_are_reported_at_once() {
    let error =
        Document::parse(br#"{"a":1,"b":{"c":1,"\u0063":2},"a":3,"n":[0,1e400,1e-400]}"#).err().unwrap();
    let found: Vec<_> = error.findings().iter().map(|f| (f.rule, f.pointer.as_str())).collect();
    assert_eq!(
        found,
        [
            ("duplicate-key", "/b/c"),
            ("number-range", "/n/1"),
            ("number-range", "/n/2"),
            ("duplicate-key", "/a")
        ]
    );
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(Document::parse(nested(128).as_bytes()).is_ok());
    assert_eq!(refuse(nested(129).as_bytes()).0, "too-deep");
    assert_eq!(refuse("[".repeat(1_000_000).as_bytes()).0, "too-deep");
    let limits = Limits { bytes: 10, ..Limits::default() };
    let error = Document::parse_within(b"[1,2,3,4,5]", limits).err().unwrap();
    assert_eq!(error.rule(), "too-large");
    // The text can be the beginning of a longer document, so its length is not named.
    assert_eq!(error.findings()[0].message, "the document has more than 10 bytes");
    let digits = "1".repeat(1_200);
    assert_eq!(refuse(digits.as_bytes()).0, "number-too-long");
}

#[test]
fn equality_is_equality_of_content() {
    let json = |text: &str| Json::parse(text.as_bytes()).unwrap();
    assert_eq!(json(r#"{"a":1.0,"b":[1e1]}"#), json(r#"{ "b" : [10], "a" : 1 }"#));
    assert_ne!(json("[1,2]"), json("[2,1]"));
    assert_ne!(json("1"), json("true"));
    assert_ne!(json("9007199254740993"), json("9007199254740992"));
    assert_eq!(json(r#"{"\ud83d\ude00":"\u00e9\n"}"#).to_canonical(), "{\"😀\":\"é\\n\"}");
    // By UTF-16 code units the emoji (surrogates) sorts before U+FB01.
    assert_eq!(json("{\"\u{fb01}\":1,\"\u{1f600}\":2}").to_canonical(), "{\"\u{1f600}\":2,\"\u{fb01}\":1}");
}

#[test]
fn errors_below_long_keys_are_small() {
    let key = "k".repeat(200_000);
    let escaped = "\\ud83d\\ude00".repeat(20_000);
    let deep = (0..120).fold("1e999".to_owned(), |inner, _| format!("{{\"{}\":{inner}}}", "é".repeat(300)));
    let numbers = format!("[{}0]", "1e999,".repeat(5_000));
    let long_numbers = format!("[{}0]", format!("{},", "1".repeat(1_200)).repeat(500));
    let twice = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(20_000));
    for (text, rule, pointer, count) in [
        (format!("{{\"{key}\":{numbers}}}"), "number-range", format!("/{}…/0", "k".repeat(254)), 5_000),
        (format!("{{\"{key}\":{long_numbers}}}"), "number-too-long", format!("/{}…/0", "k".repeat(254)), 500),
        (format!("{{\"{key}\":{twice}}}"), "duplicate-key", format!("/{}…/a", "k".repeat(254)), 20_000),
        (format!("{{\"{escaped}\":{twice}}}"), "duplicate-key", format!("/{}…/a", "😀".repeat(254)), 20_000),
        (format!("{{\"{key}\":1,\"{key}\":1}}"), "duplicate-key", format!("/{}…", "k".repeat(254)), 1),
        (deep, "number-range", format!("{}/…", format!("/{}…", "é".repeat(254)).repeat(4)), 1),
    ] {
        let error = Document::parse(text.as_bytes()).err().unwrap();
        assert_eq!((error.rule(), error.pointer()), (rule, pointer.as_str()));
        assert!(error.findings().iter().all(|finding| finding.pointer.len() < 3_500));
        assert_eq!((error.findings().len(), error.dropped()), (count.min(200), count.max(200) - 200));
    }
}

#[test]
fn unknown_fields_below_long_keys_have_small_errors() {
    let key = "k".repeat(200_000);
    let fields: Vec<String> = (0..20_000).map(|at| format!("\"{at}\":1")).collect();
    let text = format!("{{\"type\":\"multiple_choice\",\"{key}\":1,{}}}", fields.join(","));
    let error = fablegrade_public::Submission::from_json(&text).unwrap_err();
    assert_eq!((error.findings().len(), error.findings().len() + error.dropped()), (200, 20_002));
    assert!(error.to_json().len() < 100_000);
}

fn value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        // By default serde_json may round long decimals wrongly; dyadic fractions are exact.
        any::<i32>().prop_map(|n| (f64::from(n) / 1024.0).into()),
        ".{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(".{0,4}", inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_and_writes_what_serde_json_does(value in value()) {
        let text = value.to_string();
        let json = Json::parse(text.as_bytes()).unwrap();
        let back: serde_json::Value = serde_json::from_str(&json.to_canonical()).unwrap();
        prop_assert_eq!(&Json::parse(serde_json::to_string_pretty(&value).unwrap().as_bytes()).unwrap(), &json);
        prop_assert_eq!(Json::parse(back.to_string().as_bytes()).unwrap(), json.clone());
        // The serde path reads the same value.
        let through: Json = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(through, json);
    }

    #[test]
    fn accepts_what_serde_json_accepts(text in r#"[\[\]{}":,0-9eE.\-+\\a-c tfnu]{0,24}"#) {
        let ours = Document::parse(text.as_bytes());
        let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        match ours {
            Ok(_) => prop_assert!(theirs, "{}", text),
            Err(error) if error.rule() == "json-syntax" => prop_assert!(!theirs, "{}", text),
            Err(_) => {} // duplicate keys and underflow, which serde_json accepts
        }
    }

    #[test]
    fn never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Document::parse(&bytes);
    }
}

#[test]
fn pointers_address_elements_only_by_their_plain_index() {
    let json = Json::parse(br#"{"a": [10, 11], "01": {"+1": 12}, "": {"~1": 13}}"#).unwrap();
    let at = |pointer: &str| json.pointer(pointer).map(ToString::to_string);
    assert_eq!(at("/a/0").as_deref(), Some("10"));
    assert_eq!(at("/a/1").as_deref(), Some("11"));
    assert_eq!(at("/01/+1").as_deref(), Some("12"));
    assert_eq!(at("//~01").as_deref(), Some("13"));
    for pointer in ["/a/+1", "/a/01", "/a/00", "/a/-0", "/a/", "/a/2", "/a/-", "/a/ 1", "/a/1/", "a/1"] {
        assert_eq!(at(pointer), None, "{pointer}");
    }
}
