//! Properties of all texts: nothing panics, verdicts are repeatable, and a number matches only itself.

use fablegrade_verify::{Extraction, Gold, Profile, Verdict, extract, verify};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    r"\boxed{",
    r"\boxed",
    "oxed{",
    r"\fbox",
    r"\colorbox{a}",
    "<|begin_of_box|>",
    "<|end_of_box|>",
    "}",
    "{",
    "$",
    r"\(",
    r"\)",
    r"\[",
    r"\]",
    "42",
    "-1.5",
    "1,000",
    r"\frac{1}{2}",
    r"\sqrt",
    "x",
    "=",
    " = ",
    ",",
    ";",
    r"\text{ cm}",
    r"\text{",
    "and",
    " or ",
    "(",
    ")",
    "[",
    "]",
    r"\{",
    r"\}",
    "%",
    r"\%",
    "^",
    "_",
    r"^\circ",
    "π",
    "√",
    "²",
    "½",
    "−",
    "The answer is ",
    "Answer:",
    "####",
    "<think>",
    "</think>",
    "<answer>",
    "</answer>",
    "**",
    "\n",
    "\n\n",
    ". ",
    "is",
    r"\approx ",
    r"\pm ",
    r"\le ",
    "<",
    ">",
    r"\in ",
    r"\cup ",
    r"\infty ",
    r"\begin{pmatrix}",
    r"\end{pmatrix}",
    "&",
    r"\\",
    "|",
    "C",
    "(B)",
    "three",
    "no solution",
    "p.m.",
    "4:30",
    "March 5",
    "_7",
    "e5",
    "\u{200b}",
    "答案",
    "是",
    "。",
    "\\",
    "'",
    "\"",
    "`",
    "```",
    r"\left",
    r"\right",
    "é",
    "𝟒",
    "…",
    "!",
    "?",
    ":",
    "€",
    "km/h",
    "per",
    " ",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat()),
        any::<String>(),
        proptest::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn nothing_panics_and_everything_is_repeatable(gold in text(), response in text()) {
        let first = verify(&gold, &response, &Profile::model());
        prop_assert_eq!(&first, &verify(&gold, &response, &Profile::model()));
        let _ = verify(&gold, &response, &Profile::exact());
        if let Some((start, end)) = first.span {
            prop_assert!(response.get(start..end).is_some());
        }
    }

    #[test]
    fn an_extraction_is_a_part_of_the_response(response in text()) {
        if let Ok(found) = extract(&response, &Extraction::new()) {
            prop_assert!(found.span.end <= response.len());
            prop_assert!(!found.text.is_empty());
        }
    }

    #[test]
    fn a_number_is_its_own_answer_and_no_other(a in -100_000_i64..100_000, b in -100_000_i64..100_000) {
        let gold = Gold::new(&a.to_string(), &Profile::model());
        for response in [format!(r"\boxed{{{b}}}"), format!("The answer is {b}."), format!("#### {b}"), format!("**{b}**")] {
            let found = gold.verify(&response);
            prop_assert_eq!(found.verdict == Verdict::Correct, a == b, "{} {}", response, found.verdict);
        }
    }
}
