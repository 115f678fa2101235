//! The pairs of `decisions/*.tsv` have the expected decisions, in both orders.
#![allow(clippy::expect_used, clippy::panic)]

use fablegrade_latex::ast::Node;
use fablegrade_latex::kind::{Kind, kind_of};
use fablegrade_latex::{Declarations, parse};
use fablegrade_math::internals::{Arena, lower};
use fablegrade_math::{Equivalence, Options, compare};

/// Returns the file and line, the expected decision and both sides of each pair.
fn pairs() -> Vec<(String, String, String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/decisions");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of pairs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsv"))
        .collect();
    files.sort();
    let mut pairs = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file of pairs");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (number, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let place = format!("{name}:{}", number + 1);
            let mut fields = line.split('\t').map(str::to_owned);
            match (fields.next(), fields.next(), fields.next(), fields.next()) {
                (Some(says), Some(a), Some(b), None) => pairs.push((place, says, a, b)),
                _ => panic!("{place}: not three fields"),
            }
        }
    }
    pairs
}

#[test]
fn every_pair_is_decided_as_its_file_says() {
    let pairs = pairs();
    assert!(pairs.len() > 300);
    let options = Options::new();
    let mut wrong = Vec::new();
    for (place, says, left, right) in &pairs {
        for (a, b) in [(left, right), (right, left)] {
            let decision = compare(a, b, &options);
            let said = match &decision {
                Ok(decision) => match decision.verdict() {
                    Equivalence::Equal => "same",
                    Equivalence::Different => "different",
                    Equivalence::Undecided => "open",
                },
                Err(_) => "unread",
            };
            if said != says {
                wrong.push(format!("{place}: {a}  {b}  is {says}, said {said}: {decision:?}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

#[test]
fn the_kind_of_a_text_says_whether_it_is_one_value() {
    let names = Declarations::new();
    for (place, _, a, b) in pairs() {
        for text in [a, b] {
            let Ok(tree) = parse(&text, &names) else { continue };
            let is_value = lower(&tree, &names, &mut Arena::default()).is_ok();
            // A set in braces and a ratio of three parts can also be read as single values in a calculation.
            let by_form =
                matches!(tree.node(tree.root()), Node::Items { .. } | Node::Ratio(..) | Node::Group(_));
            match kind_of(&tree) {
                Kind::Value => assert!(is_value, "{place}: {text}"),
                kind => assert!(!is_value || by_form, "{place}: {text} is {kind:?}"),
            }
        }
    }
}

#[test]
fn declared_variables_are_real_and_not_constants_of_integration() {
    for (name, a, b, verdict) in
        [("z", "|z-i|<2", "|z+i|<2", Equivalence::Equal), ("C", "x^2+C", "x^2+1+C", Equivalence::Different)]
    {
        let decision = compare(a, b, &Options::new().with_variable(name)).expect("both are readable");
        assert_eq!(decision.verdict(), verdict, "{a} | {b}");
    }
}
