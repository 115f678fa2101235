//! Patterns match what the crate `regex` matches, and their work is what they take.

#![allow(clippy::unwrap_used)]

use std::convert::Infallible;

use fablegrade_public::pattern::{BytePattern, Kept, Refused, TextPattern};
use proptest::prelude::*;

/// Returns whether a pattern matches, and the work.
fn found(pattern: &str, text: &str) -> (bool, u64) {
    let mut total = 0;
    let mut charge = |work| {
        total += work;
        Ok::<(), Infallible>(())
    };
    let found = TextPattern::new(pattern, &mut charge).unwrap().is_match(text, &mut charge).unwrap();
    (found, total)
}

fn prefix(pattern: &str, text: &[u8]) -> (Option<usize>, u64) {
    let mut total = 0;
    let mut charge = |work| {
        total += work;
        Ok::<(), Infallible>(())
    };
    let found = BytePattern::new(pattern, &mut charge).unwrap().prefix(text, &mut charge).unwrap();
    (found, total)
}

/// Patterns of all kinds of states, assertions and priorities.
fn patterns() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "é",
        "\\n",
        ".",
        "[ab]",
        "[^a]",
        "\\w",
        "\\d",
        "\\s",
        "\\pL",
        "^",
        "$",
        "\\A",
        "\\z",
        "(?m:^)",
        "(?m:$)",
        "(?Rm:^)",
        "(?Rm:$)",
        "\\b",
        "\\B",
        "\\b{start}",
        "\\b{end}",
        "\\b{start-half}",
        "\\b{end-half}",
        "(?-u:\\b)",
        "(?-u:\\B)",
        "(?i:É)",
        "(?s:.)",
        "",
        "x*",
    ]);
    piece.prop_map(str::to_owned).prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("{left}{right}")),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("(?:{left}|{right})")),
            (
                inner.clone(),
                prop::sample::select(vec!["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}?"])
            )
                .prop_map(|(inner, how)| format!("(?:{inner}){how}")),
            inner.prop_map(|inner| format!("({inner})")),
        ]
    })
}

fn texts() -> impl Strategy<Value = String> {
    let letter =
        prop::sample::select(vec!["a", "b", "é", "É", "\n", "\r", " ", "x", "1", "_", "漢", "\u{301}"]);
    prop::collection::vec(letter, 0..8).prop_map(|letters| letters.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn text_patterns_match_as_those_of_regex(pattern in patterns(), text in texts(), more in texts()) {
        let regex = regex::Regex::new(&pattern).unwrap();
        let charge = |_| Ok::<(), Infallible>(());
        let mut ours = TextPattern::new(&pattern, charge).unwrap();
        for text in [&text, &more, &text] {
            // `Regex::is_match` stops at an empty match inside a character and then misses the longer match that
            // began before it.
            let expected = regex.find(text).is_some();
            prop_assert_eq!(ours.is_match(text, charge).unwrap(), expected, "{} in {:?}", pattern, text);
        }
    }

    #[test]
    fn byte_patterns_match_as_those_of_regex(pattern in patterns(), text in texts(), more in texts()) {
        let bytes = format!("(?-u)\\A(?:{pattern})");
        let Ok(regex) = regex::bytes::Regex::new(&bytes) else { return Ok(()) };
        let charge = |_| Ok::<(), Infallible>(());
        let Ok(mut ours) = BytePattern::new(&pattern, charge) else {
            return Err(TestCaseError::fail(pattern));
        };
        for text in [&text, &more, &text] {
            let expected = regex.find(text.as_bytes()).map(|found| found.end());
            prop_assert_eq!(ours.prefix(text.as_bytes(), charge).unwrap(), expected, "{} in {:?}", pattern, text);
        }
    }
}

#[test]
fn empty_matches_do_not_split_characters() {
    assert!(!found("(?-u:\\B)", "aéa").0);
    assert!(found("(?-u:\\B)", "aé").0);
    assert!(!found("\\B", "é").0);
}

#[test]
fn ordinary_patterns_take_little_work() {
    let words = |letter: &str| format!("{letter}{letter} {letter}").repeat(250);
    for (pattern, text, most) in [
        ("^\\w+( \\w+)*$", words("a"), 200_000),
        ("^\\w+( \\w+)*$", words("ж"), 200_000),
        ("^\\w+( \\w+)*$", words("漢"), 200_000),
        ("^(\\w{1,50} ?)+$", words("ж"), 1_000_000),
        ("\\ba+\\b", words("a"), 100_000),
        ("\\bж+\\b", words("ж"), 500_000),
        ("^[\\w@.+-]+$", "a.b+c@d-".repeat(100), 100_000),
        ("(?i)straße", words("s"), 20_000),
    ] {
        let (_, work) = found(pattern, &text);
        assert!(work < most, "{pattern} in {text:.9}: {work}");
    }
    // A counted repetition has many states, but only a few at a time.
    let line = "abcdefghij".repeat(500);
    let (length, work) = prefix("[a-z]{1,5000}", line.as_bytes());
    assert_eq!(length, Some(5_000));
    assert!(work < 1_500_000, "{work}");
}

#[test]
fn work_is_counted() {
    // Each byte meets new states.
    assert!(found("(?:x?){3000}y", &"x".repeat(3_000)).1 > 20_000_000);
    // Few states, of which each visits thousands of others for every class of bytes.
    let pattern = format!("^(?:{}(?:aa|bb|cc|dd|ee|ff|gg|hh))*$", "(?:|)".repeat(1_000));
    let (_, once) = found(&pattern, "aabbccddeeffgghh");
    let (_, often) = found(&pattern, &"aabbccddeeffgghh".repeat(1_000));
    let (_, never) = found(&pattern, "");
    assert!(once - never > 8 * 16_000 && often - once < 40_000, "{once} {often} {never}");
    // Boundaries of words are not remembered beside letters that are not ASCII.
    let (_, few) = found("\\bb", &"a".repeat(10_000));
    let (_, many) = found("\\bb", &"ж".repeat(5_000));
    assert!(few < 100_000 && many > 200_000, "{few} {many}");
    // A match leaves many alternatives unvisited, and nothing is remembered because of a boundary.
    let pattern = format!("(?:(?u:\\b)y|x*(?:{}))", "|".repeat(10_000));
    let (length, work) = prefix(&pattern, &[b'x'; 1_000]);
    assert!(length == Some(1_000) && work > 10_000_000, "{length:?} {work}");
    // A pattern may be too large before it is compiled, and while it is.
    let refused = |pattern: &str| TextPattern::new(pattern, |_| Ok::<(), Infallible>(())).unwrap_err();
    assert_eq!(refused(&"\\w".repeat(10_000)), Refused::TooLarge);
    assert_eq!(refused("(a{1000}){1000}"), Refused::TooLarge);
    assert_eq!(refused("(a"), Refused::Invalid);
    let mut total = 0;
    let charge = |work| {
        total += work;
        Ok::<(), Infallible>(())
    };
    TextPattern::new("(a{1000}){1000}", charge).unwrap_err();
    assert!(total > 1 << 20);
    // Where cases are ignored, each character of a class is looked up.
    let compiled = |pattern: &str| found(pattern, "").1;
    for (class, characters) in [
        ("[\\x{0}-\\x{10ffff}]", 1_100_000),
        ("\\pL", 130_000),
        ("[\\w--\\d]", 130_000),
        ("[b[^a]]", 1_100_000),
        ("\\p{any}", 1_100_000),
        ("[a\\p{any}]", 2_200_000),
        ("[a\\P{Greek}]", 1_100_000),
    ] {
        let more = compiled(&format!("(?i){class}")) - compiled(class);
        assert!(more >= characters, "{class} {more}");
        assert!(compiled(&format!("(?i:{class})")) >= characters, "{class}");
    }
    assert!(compiled("(?i)^[a-z\\d._%+-]+@[a-z\\d.-]+$") < 500_000);
    assert_eq!(TextPattern::new("a", Err::<(), _>).unwrap_err(), Refused::Work(128));
}

#[test]
fn states_that_are_forgotten_are_found_again() {
    // The state holds where the last letters `a` were, so that there are a million different ones.
    let mut seed = 1_u32;
    let letters: Vec<u8> = (0..100_000)
        .map(|_| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            b'a' + (seed >> 31) as u8
        })
        .collect();
    let text = String::from_utf8(letters).unwrap();
    for last in [5, 20] {
        let pattern = format!("^[ab]*a[ab]{{{last}}}$");
        let regex = regex::Regex::new(&pattern).unwrap();
        for end in [100, 50_000, 99_999, 100_000] {
            assert_eq!(found(&pattern, &text[..end]).0, regex.is_match(&text[..end]), "{pattern} {end}");
        }
    }
}

#[test]
fn kept_patterns_are_limited() {
    let mut kept = Kept::<BytePattern>::default();
    let mut compiled = 0;
    for at in 0..1_000 {
        let pattern = if at % 3 == 0 { "same".to_owned() } else { format!("x{{{}}}", at % 300) };
        let mut work = 0;
        let charge = |more| {
            work += more;
            Ok::<_, Infallible>(())
        };
        kept.get(&pattern, charge, BytePattern::new).unwrap();
        assert!(work >= pattern.len() as u64);
        // A pattern that is kept is only looked up.
        compiled += u32::from(work > pattern.len() as u64);
    }
    assert!((400..700).contains(&compiled), "{compiled}");
    assert!(format!("{kept:?}").matches("BytePattern").count() <= 64);
    let none = kept.get(&"x".repeat(20_000), Err::<(), u64>, BytePattern::new);
    assert_eq!(none.unwrap_err(), Refused::TooLarge);
}
