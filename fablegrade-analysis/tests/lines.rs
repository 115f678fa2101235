//! The same results give the same bytes, in any pieces and with any readers. Invalid lines are refused with
//! their numbers.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use fablegrade_analysis::lines::{InvalidLines, Joiner, Reader};
use fablegrade_analysis::{Accumulator, Report, items_of};
use fablegrade_core::Host;
use fablegrade_core::bank::Bank;
use proptest::prelude::*;

const BANK: [&str; 4] = [
    r#"{"item":"choice","spec":{"type":"multiple_choice","choices":[{"id":"a","content":"1","correct":true},
    {"id":"b","content":"2","correct":false},{"id":"c","content":"3","correct":false}]}}"#,
    r#"{"item":"number","spec":{"type":"numeric","answer":{"value":3.1416,"tolerance":{"mode":"absolute","amount":0.001}},
    "unit":{"expected":"m","accepted":["metre"]}}}"#,
    r#"{"item":"formula","spec":{"type":"expression","canonical":"x^2+2x+1","equivalence":"literal",
    "variables":[{"name":"x"}]}}"#,
    r#"{"item":"order","spec":{"type":"ordering","items":[{"id":"p","content":"1"},{"id":"q","content":"2"}],
    "correctOrder":["p","q"]}}"#,
];

fn bank() -> Bank {
    let mut bank = Bank::new(&Host::new());
    BANK.iter().for_each(|line| bank.add_line(line).unwrap());
    bank
}

/// Returns an attempt that is still to be graded: variant `answer` of the answers to item `kind`.
fn attempt(sitting: usize, kind: usize, answer: usize) -> String {
    let (item, submission) = match kind {
        0 => (
            "choice",
            format!(
                r#"{{"type":"multiple_choice","selectedChoiceIds":["{}"]}}"#,
                ["a", "b", "c"][answer % 3]
            ),
        ),
        1 => ("number", {
            let (value, unit) = [("3.1416", "m"), ("3.14", "metre"), ("3.140", "m"), ("3", "km")][answer % 4];
            format!(r#"{{"type":"numeric","value":{value},"unit":"{unit}"}}"#)
        }),
        2 => ("formula", {
            let latex = ["x^2+2x+1", "(x+1)^2", "x^2+1", "1+x^2"][answer % 4];
            format!(r#"{{"type":"expression","latex":"{latex}"}}"#)
        }),
        _ => ("order", {
            let order = [r#"["p","q"]"#, r#"["q","p"]"#][answer % 2];
            format!(r#"{{"type":"ordering","order":{order}}}"#)
        }),
    };
    format!(r#"{{"id":{sitting},"item":"{item}","sitting":"s{sitting}","submission":{submission}}}"#) + "\n"
}

/// Works like [`attempt`], but gives some of the lines a result.
fn line(sitting: usize, kind: usize, answer: usize) -> String {
    let result = match answer % 7 {
        0 => r#","result":null"#,
        1 => r#","result":{"verdict":"partial","score":0.25}"#,
        2 => r#","result":{"verdict":"error"},"seconds":12.5"#,
        3 => r#","result":{"verdict":"pending"}"#,
        _ => "",
    };
    attempt(sitting, kind, answer).replace("}\n", &format!("{result}}}\n"))
}

/// Reads the lines with `readers` readers in turn. A piece ends after each line that `cuts` marks.
fn read(lines: &[String], cuts: &[bool], readers: usize) -> Result<Accumulator, InvalidLines> {
    let bank = bank();
    let mut all: Vec<_> = (0..readers).map(|_| Reader::new(&bank)).collect();
    let mut joiner = Joiner::new();
    let (mut piece, mut first, mut turn) = (String::new(), 1, 0);
    for (at, line) in lines.iter().enumerate() {
        piece.push_str(line);
        if at + 1 == lines.len() || cuts.get(at) == Some(&true) {
            joiner.add(all[turn % readers].read(piece.as_bytes(), first));
            (first, turn) = (at as u64 + 2, turn + 1);
            piece.clear();
        }
    }
    joiner.finish(all.into_iter().map(Reader::into_accumulator))
}

fn report(accumulator: &Accumulator) -> Report {
    accumulator.finish(&items_of(&bank()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_pieces_and_readers_give_the_same_bytes(
        answers in proptest::collection::vec(proptest::array::uniform4(0..20usize), 1..30),
        cuts in proptest::collection::vec(any::<bool>(), 120),
        readers in 1..4usize,
    ) {
        let lines: Vec<String> = answers
            .iter()
            .enumerate()
            .flat_map(|(sitting, kinds)| {
                kinds.iter().enumerate().filter(|(_, answer)| **answer < 16).map(move |(kind, &answer)| line(sitting, kind, answer))
            })
            .collect();
        let whole = read(&lines, &[], 1).unwrap();
        let pieces = read(&lines, &cuts, readers).unwrap();
        prop_assert_eq!(whole.to_bytes(), pieces.to_bytes());
        prop_assert_eq!(&Accumulator::from_bytes(&whole.to_bytes()).unwrap(), &pieces);
        prop_assert_eq!(report(&whole).to_json(), report(&pieces).to_json());
        // Sums that two machines pass on as bytes are merged like others.
        let (left, right) = answers.split_at(answers.len() / 2);
        let part = |answers: &[[usize; 4]], from: usize| {
            let lines: Vec<_> = answers.iter().enumerate().flat_map(|(at, kinds)| {
                kinds.iter().enumerate().filter(|(_, answer)| **answer < 16).map(move |(kind, &answer)| line(from + at, kind, answer))
            }).collect();
            read(&lines, &[], 1).unwrap().to_bytes()
        };
        let mut merged = Accumulator::from_bytes(&part(right, left.len())).unwrap();
        merged.merge(&Accumulator::from_bytes(&part(left, 0)).unwrap()).unwrap();
        prop_assert_eq!(merged.to_bytes(), whole.to_bytes());
    }

    #[test]
    fn other_bytes_are_refused_or_canonical(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let lines: Vec<_> = (0..20).flat_map(|sitting| (0..4).map(move |kind| line(sitting, kind, sitting + kind))).collect();
        let mut bytes = read(&lines, &[], 1).unwrap().to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if cut {
            bytes.truncate(at);
        }
        if let Ok(read) = Accumulator::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
            report(&read).to_json();
        }
    }
}

#[test]
fn a_line_that_repeats_another_is_read_as_if_it_were_the_first() {
    // With the id at the end, no line counts as a repetition.
    let last = |line: &str, at: usize| {
        let (_, rest) = line.split_once(',').unwrap();
        format!("{{{},\"id\":{at}}}\n", rest.trim_end().strip_suffix('}').unwrap())
    };
    let seconds =
        |line: &str, at: usize| line.replacen(",\"sub", &format!(",\"seconds\":{}.25,\"sub", at % 90), 1);
    let lines: Vec<String> = (0..200)
        .flat_map(|sitting| (0..4).map(move |kind| line(sitting, kind, (sitting * 7 + kind) % 11)))
        .enumerate()
        .map(|(at, line)| {
            if at % 3 == 0 && line.contains("result") && !line.contains("seconds") {
                seconds(&line, at)
            } else {
                line
            }
        })
        .collect();
    let unlike: Vec<String> = lines.iter().enumerate().map(|(at, line)| last(line, at)).collect();
    let (repeated, read_each) = (read(&lines, &[], 1).unwrap(), read(&unlike, &[], 1).unwrap());
    assert_eq!(repeated.to_bytes(), read_each.to_bytes());
    assert_eq!(report(&repeated).test.sittings, 200);
    // Repeated invalid lines are refused again, with their own numbers.
    let bad = r#"{"id":1,"item":"choice","sitting":1,"result":7}"#.to_owned() + "\n";
    let refused = read(&[bad.clone(), lines[0].clone(), bad], &[], 1).unwrap_err();
    assert_eq!(refused.first.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 3]);
    let result = line(0, 0, 1);
    let late = result.replacen(",\"sub", ",\"seconds\":86401,\"sub", 1);
    let refused = read(&[seconds(&result, 1), late], &[], 1).unwrap_err();
    assert_eq!(refused.first[0].0, 2);
}

#[test]
fn more_answers_and_rest_scores_than_are_held_back_add_up_all_the_same() {
    let line = |id: usize, item: &str, rest: &str| {
        format!("{{\"id\":{id},\"item\":\"{item}\",\"sitting\":{id},{rest}}}\n")
    };
    let mut lines = Vec::new();
    for number in 0..8_500_usize {
        let result = format!("\"result\":{{\"verdict\":\"partial\",\"score\":0.{:03}}}", number % 1_000);
        for time in 0..3 {
            let id = number * 3 + time;
            lines.push(line(
                id,
                "number",
                &format!("\"submission\":{{\"type\":\"numeric\",\"value\":{number}}},{result}"),
            ));
            lines.push(line(
                id,
                "choice",
                r#""submission":{"type":"multiple_choice","selectedChoiceIds":["b"]}"#,
            ));
        }
    }
    // With the id at the end, no line counts as a repetition.
    let unlike: Vec<String> = lines
        .iter()
        .map(|line| {
            let (id, rest) = line.trim_end().split_once(',').unwrap();
            format!("{{{},{}}}\n", rest.strip_suffix('}').unwrap(), id.strip_prefix('{').unwrap())
        })
        .collect();
    let (repeated, read_each) = (read(&lines, &[], 1).unwrap(), read(&unlike, &[], 1).unwrap());
    assert_eq!(repeated.sittings(), 25_500);
    assert!(repeated.to_bytes() == read_each.to_bytes());
}

#[test]
fn lines_without_results_are_refused_with_their_numbers() {
    let good = |sitting| line(sitting, 0, 4);
    let refusals = |lines: &[String]| {
        let refused = read(lines, &[], 1).unwrap_err();
        let first = refused
            .first
            .iter()
            .map(|(line, error)| (*line, error.findings()[0].rule, error.pointer().to_owned()));
        first.collect::<Vec<_>>()
    };
    let one = |line: &str| {
        refusals(&[good(0), line.to_owned() + "\n"])
            .pop()
            .map(|(line, rule, pointer)| {
                assert_eq!(line, 2);
                (rule, pointer)
            })
            .unwrap()
    };
    for (line, rule, pointer) in [
        ("[]", "wrong-type", ""),
        (r#"{"item":"choice","result":null}"#, "missing-field", ""),
        (r#"{"item":"other","sitting":1,"result":null}"#, "unknown-item", "/item"),
        (r#"{"item":"choice","sitting":[],"result":null}"#, "wrong-type", "/sitting"),
        (r#"{"item":"choice","sitting":1,"result":7}"#, "wrong-type", "/result"),
        (r#"{"item":"choice","sitting":1,"result":{"verdict":"correct"}}"#, "missing-field", "/result"),
        (
            r#"{"item":"choice","sitting":1,"result":{"verdict":"correct","score":2}}"#,
            "out-of-range",
            "/result/score",
        ),
        (
            r#"{"item":"choice","sitting":1,"result":{"verdict":"good","score":1}}"#,
            "unknown-word",
            "/result/verdict",
        ),
        (r#"{"item":"choice","sitting":1,"result":null,"seconds":-1}"#, "out-of-range", "/seconds"),
        (r#"{"item":"choice","sitting":1,"result":null,"learner":"Ada"}"#, "unknown-field", "/learner"),
        (r#"{"item":"choice","sitting":1,"error":{}}"#, "not-graded", "/error"),
        (r#"{"item":"choice","sitting":1}"#, "missing-field", ""),
    ] {
        assert_eq!(one(line), (rule, pointer.to_owned()), "{line}");
    }
    // A sitting that recurs, in one piece and across pieces; and two answers to one item.
    let split = [good(0), good(1), good(2), line(0, 1, 4)];
    assert_eq!(refusals(&split), [(4, "sitting-split", "/sitting".to_owned())]);
    let cut = read(&split, &[true, true, true, true], 2).unwrap_err();
    assert_eq!((cut.count, cut.first[0].0), (1, 4));
    assert_eq!(refusals(&[good(0), good(0)])[0].1, "sitting-rejected");
}

#[test]
fn a_sitting_has_one_name_in_every_spelling() {
    let lines = |names: [&str; 2]| {
        let line = |name: &str, kind| line(0, kind, 4).replacen("\"s0\"", name, 1);
        [line(names[0], 0), line(names[1], 1)]
    };
    let one = read(&lines(["\"a\"", "\"a\""]), &[], 1).unwrap();
    assert_eq!(one.sittings(), 1);
    for (names, sittings) in [
        (["\"a\"", "\"\\u0061\""], 1),
        (["\"/\"", "\"\\/\""], 1),
        (["1", "1.0"], 1),
        (["10", "1e1"], 1),
        (["0", "-0"], 1),
        (["1e-7", "0.0000001"], 1),
        (["-1", "1"], 2),
        (["1", "\"1\""], 2),
        (["\"a\"", "\"A\""], 2),
        (["123456789012345678", "123456789012345679"], 2),
    ] {
        for cuts in [&[][..], &[true, true]] {
            let all = read(&lines(names), cuts, 1).unwrap();
            assert_eq!(all.sittings(), sittings, "{names:?}");
            if sittings == 1 {
                assert_eq!(all.to_bytes(), one.to_bytes());
            }
        }
    }
    // A line that repeats an earlier one is read in the same way.
    let good = |name: &str| line(0, 0, 4).replacen("\"s0\"", name, 1);
    let split = [good("1"), good("2"), good("3"), good("4"), good("1.0")];
    assert_eq!(read(&split, &[], 1).unwrap_err().first[0].1.findings()[0].rule, "sitting-split");
}

#[test]
fn common_wrong_answers_are_grouped_by_what_they_mean_and_findings_have_fixes() {
    // The better learners round to 3.14, or factor the expression; no learner selects the choice c.
    let lines: Vec<String> = (0..80)
        .flat_map(|sitting| {
            let (good, other) = (sitting >= 40, sitting % 2);
            let of = |kind, answer| attempt(sitting, kind, answer);
            if good {
                [of(0, 0), of(1, 1 + other), of(2, 1), of(3, 0)]
            } else {
                [of(0, 1), of(1, 0), of(2, 2 + other), of(3, 1)]
            }
        })
        .collect();
    let report = report(&read(&lines, &[], 1).unwrap());
    let of = |item: &str| report.items.iter().find(|report| report.item == item).unwrap();
    let groups = |item: &str| -> Vec<(String, u64, usize)> {
        of(item)
            .wrong_answers
            .iter()
            .map(|group| (group.answer.clone(), group.count, group.spellings.len()))
            .collect()
    };
    assert_eq!(groups("formula"), [("(x+1)^2".to_owned(), 40, 1), ("1+x^2".to_owned(), 40, 2)]);
    assert_eq!(groups("number"), [("3.14 metre".to_owned(), 40, 2)]);
    let found = |item: &str, rule: &str| {
        report.findings.iter().find(|finding| finding.item == item && finding.rule == rule).unwrap()
    };
    assert!(found("formula", "equivalent-answer-refused").fixed.is_some());
    assert!(found("number", "tolerance-splits").fixed.is_some());
    assert!(found("choice", "distractor-unused").fixed.is_none());
    assert_eq!(of("order").random_guess.value(), Some(0.5));
    assert!(of("number").random_guess.absent().is_some());
    assert!(report.to_csv().starts_with("item,attempts,pending,facility,"));
}

#[test]
fn refused_answers_do_not_add_options() {
    let lines: Vec<String> = (0..4_200)
        .map(|at| {
            format!(
                r#"{{"item":"choice","sitting":{at},"submission":{{"type":"multiple_choice","selectedChoiceIds":["x{at}"]}}}}"#
            ) + "\n"
        })
        .collect();
    let report = read(&lines, &[], 1).unwrap().finish(&items_of(&bank()));
    assert_eq!((report.items[0].attempts, report.items[0].options.len()), (4_200, 3));
}

#[test]
fn passed_cases_count_if_the_answer_is_graded_here() {
    let mut bank = Bank::new(&Host::new());
    let spec = r#"{"item":"code","spec":{"type":"code","languages":["python"],
        "testSuites":[{"name":"small","visibility":"public","cases":[{"input":"1","expected":"1"},{"input":"2","expected":"4"}]}],"limits":{}}}"#;
    bank.add_line(spec.replace('\n', "")).unwrap();
    let line = r#"{"item":"code","sitting":1,"submission":{"type":"code","language":"python","source":"x"},"outcomes":[
        {"suite":"small","caseIndex":0,"end":"exited","exitCode":0,"stdout":"1"},
        {"suite":"small","caseIndex":1,"end":"exited","exitCode":0,"stdout":"5"}]}"#;
    let mut reader = Reader::new(&bank);
    let mut joiner = Joiner::new();
    joiner.add(reader.read(line.replace('\n', "").as_bytes(), 1));
    let all = joiner.finish([reader.into_accumulator()]).unwrap();
    let report = all.finish(&items_of(&bank));
    let counts: Vec<_> =
        report.items[0].options.iter().map(|option| (option.option.as_str(), option.count)).collect();
    assert_eq!(counts, [("small/0", 1), ("small/1", 0)]);
}

#[test]
fn options_are_unused_only_among_answers_whose_options_are_known() {
    let unused = |fields: &str| {
        let lines: Vec<String> =
            (0..40).map(|at| format!(r#"{{"item":"choice","sitting":{at},{fields}}}"#) + "\n").collect();
        let findings = read(&lines, &[], 1).unwrap().finish(&items_of(&bank())).findings;
        findings.iter().filter(|finding| finding.rule == "distractor-unused").count()
    };
    assert_eq!(unused(r#""result":{"verdict":"correct","score":1}"#), 0);
    assert_eq!(unused(r#""result":null"#), 0);
    let chosen = r#""submission":{"type":"multiple_choice","selectedChoiceIds":["a"]}"#;
    assert_eq!(unused(chosen), 2);
    assert_eq!(unused(&format!(r#"{chosen},"result":{{"verdict":"correct","score":1}}"#)), 2);
}

#[test]
fn incorrect_answers_with_points_are_refused() {
    let of = |result: &str| {
        let line = format!(r#"{{"item":"choice","sitting":1,"result":{result}}}"#) + "\n";
        read(&[line], &[], 1).is_ok()
    };
    assert!(!of(r#"{"verdict":"incorrect","score":1}"#));
    assert!(of(r#"{"verdict":"incorrect","score":0}"#));
    // Hints cost points.
    assert!(of(r#"{"verdict":"correct","score":0}"#));
}
