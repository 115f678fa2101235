//! Properties of scores, bytes, ids and orders that hold for every question.

use fablegrade_core::{
    AnswerSpec, Attempt, AttemptResult, CaseOutcome, Context, DeliveryView, GradeInput, Grader, Marked,
    Ratio, Submission, Verdict, deliver, lint, lint_json,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::dice::{Dice, dice};
use crate::documents::{attempt, outcomes, spec, submission};
use crate::mutations::mutate;

/// Calls all functions that take texts, with any texts; none of them may panic.
fn do_everything(spec: &str, submission: &str, outcomes: &str) {
    let _ = lint_json(spec).iter().map(ToString::to_string).collect::<String>();
    let _ = (DeliveryView::from_json(spec), AttemptResult::from_json(spec), Context::from_json(submission));
    let attempt = Attempt::from_json(submission);
    if let Ok(attempt) = &attempt {
        assert_eq!(Attempt::from_json(attempt.to_json()).as_ref(), Ok(attempt));
    }
    let submission = Submission::from_json(submission);
    if let Ok(submission) = &submission {
        assert_eq!(Submission::from_json(submission.to_json()).as_ref(), Ok(submission));
        assert_eq!(submission.to_json(), submission.to_document().to_canonical());
    }
    let Ok(spec) = AnswerSpec::from_json(spec) else { return };
    assert_eq!(AnswerSpec::from_json(spec.to_json_with_key()).as_ref(), Ok(&spec), "read, written, read");
    let _ = (lint(&spec), format!("{spec:?}"));
    let view = deliver(&spec, "seed");
    assert_eq!(DeliveryView::from_json(view.to_json()).as_ref(), Ok(&view));
    let Ok(grader) = Grader::new(spec) else { return };
    if let Ok(submission) = &submission {
        let _ = grader.plan(submission).map(|plan| plan.to_json_for_host());
        let admitted = view.admit(submission);
        let marked = grader.grade_with(&GradeInput::new(submission).with_explanation()).unwrap();
        check_marked(&marked);
        // A submission that the view refuses is not graded.
        if admitted.is_err() {
            assert_eq!(marked.result().verdict, Verdict::Error);
        }
        if let Ok(outcomes) = CaseOutcome::list_from_json(outcomes)
            && let Ok(marked) =
                grader.grade_with(&GradeInput::new(submission).with_outcomes(&outcomes).with_explanation())
        {
            check_marked(&marked);
        }
    }
    if let Ok(attempt) = &attempt
        && let Ok(marked) = grader.grade_with(&GradeInput::of_attempt(attempt).with_explanation())
    {
        check_marked(&marked);
    }
}

/// Checks that the score is in [0, 1], that score + penalty = raw score exactly, and that the verdict follows
/// from the raw score.
fn check_marked(marked: &Marked) {
    let (result, explanation) = (marked.result(), marked.explanation());
    assert_eq!(result.score.is_some(), result.verdict.is_scored());
    assert_eq!(result.score.is_some(), explanation.raw_score().is_some());
    if let Some(raw) = explanation.raw_score() {
        let score = explanation.score().expect("a raw score gives a score");
        assert!(*raw >= Ratio::zero() && *raw <= Ratio::one());
        assert!(score >= Ratio::zero() && explanation.applied_penalty() <= &Ratio::new(4, 5));
        assert_eq!(score.plus(explanation.applied_penalty()), *raw);
        assert_eq!(result.score, Some(score.to_f64()));
        let verdict = match raw {
            raw if raw.is_one() => Verdict::Correct,
            raw if raw.is_zero() => Verdict::Incorrect,
            _ => Verdict::Partial,
        };
        assert_eq!(result.verdict, verdict);
    }
    assert!(result.feedback.len() <= AttemptResult::MAX_FEEDBACK);
    assert_eq!(AttemptResult::from_json(result.to_json()).map(|read| read.to_json()), Ok(result.to_json()));
    let _ = (explanation.to_json_for_author(), explanation.to_string(), format!("{marked:?}"));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        prop_oneof![Just("numeric"), Just("type"), Just("code"), Just("ordering")].prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("type".to_owned()),
        Just("choices".to_owned()),
        Just("answer".to_owned()),
        "[a-z]{0,6}"
    ];
    leaf.prop_recursive(6, 48, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(key.clone(), inner, 0..6)
                .prop_map(|fields| fields.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// Returns the verdict and the score of a submission, if the spec can be graded.
fn score(spec: &Value, submission: &Value) -> Option<(Verdict, Option<f64>)> {
    let grader = Grader::from_json(spec.to_string()).ok()?;
    let result = grader.grade(&Submission::from_json(submission.to_string()).ok()?);
    Some((result.verdict, result.score))
}

/// Renames every id, everywhere.
fn relabel(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(relabel),
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                let ids = matches!(
                    key.as_str(),
                    "id" | "left" | "right" | "selectedChoiceIds" | "order" | "correctOrder"
                );
                if ids { rename(value) } else { relabel(value) }
            }
        }
        _ => {}
    }
}

fn rename(value: &mut Value) {
    match value {
        // The ids are reversed and get a prefix, which changes their order and keeps them distinct.
        Value::String(id) => *id = format!("z{}", id.chars().rev().collect::<String>()),
        Value::Array(items) if items.iter().all(Value::is_string) => items.iter_mut().for_each(rename),
        other => relabel(other),
    }
}

/// Shuffles every list whose order has no meaning.
fn reorder(dice: &mut Dice, spec: &mut Value, submission: &mut Value) {
    for list in ["choices", "items", "left", "right", "correctPairs"] {
        if let Some(items) = spec.get_mut(list).and_then(Value::as_array_mut) {
            dice.shuffle(items);
        }
    }
    for list in ["selectedChoiceIds", "pairs"] {
        if let Some(items) = submission.get_mut(list).and_then(Value::as_array_mut) {
            dice.shuffle(items);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_json_makes_it_panic(spec in any_json(), submission in any_json()) {
        do_everything(&spec.to_string(), &submission.to_string(), &submission.to_string());
    }

    #[test]
    fn no_text_makes_it_panic(spec in ".{0,200}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        do_everything(&spec, &spec, &spec);
        let _ = (AnswerSpec::from_json(&bytes), Submission::from_json(&bytes), Attempt::from_json(&bytes));
    }

    #[test]
    fn no_mutated_document_makes_it_panic(mut dice in dice(120)) {
        let mut spec = spec(&mut dice);
        let mut given = submission(&mut dice, &spec);
        let mut ran = outcomes(&mut dice, &spec);
        if dice.coin() {
            given = attempt(&mut dice, &given);
        }
        for document in [&mut spec, &mut given, &mut ran] {
            for _ in 0..dice.below(3) {
                mutate(&mut dice, document);
            }
        }
        do_everything(&spec.to_string(), &given.to_string(), &ran.to_string());
    }

    #[test]
    fn the_parts_of_a_score_fit_together(mut dice in dice(120)) {
        let spec = spec(&mut dice);
        let Ok(grader) = Grader::from_json(spec.to_string()) else { return Ok(()) };
        let given = submission(&mut dice, &spec);
        let given = Attempt::from_json(attempt(&mut dice, &given).to_string()).unwrap();
        let costs: Value = (0..4).map(|n| (format!("h{n}"), json!(dice.one_of(&[0.0, 0.1, 0.25, 1.0 / 3.0, 1.0])))).collect::<serde_json::Map<_, _>>().into();
        let context = Context::from_json(json!({"hints": costs}).to_string()).unwrap();
        check_marked(&grader.grade_with(&GradeInput::of_attempt(&given).with_context(&context).with_explanation()).unwrap());
        check_marked(&grader.grade_with(&GradeInput::new(&given.submission).with_context(&context).with_explanation()).unwrap());
        if spec["type"] == "code" {
            let ran = CaseOutcome::list_from_json(outcomes(&mut dice, &spec).to_string()).unwrap();
            check_marked(&grader.grade_with(&GradeInput::of_attempt(&given).with_outcomes(&ran).with_context(&context).with_explanation()).unwrap());
        }
    }

    #[test]
    fn ids_do_not_affect_scores(mut dice in dice(120)) {
        let spec = spec(&mut dice);
        let given = submission(&mut dice, &spec);
        let (mut other_spec, mut other) = (spec.clone(), given.clone());
        relabel(&mut other_spec);
        relabel(&mut other);
        prop_assert_eq!(score(&spec, &given), score(&other_spec, &other));
    }

    #[test]
    fn irrelevant_orders_do_not_affect_scores(mut dice in dice(160)) {
        let spec = spec(&mut dice);
        let given = submission(&mut dice, &spec);
        let (mut other_spec, mut other) = (spec.clone(), given.clone());
        reorder(&mut dice, &mut other_spec, &mut other);
        prop_assert_eq!(score(&spec, &given), score(&other_spec, &other));
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(mut dice in dice(120)) {
        let spec = spec(&mut dice).to_string();
        let given = submission(&mut dice, &serde_json::from_str(&spec).unwrap()).to_string();
        let Ok(given) = Submission::from_json(given) else { return Ok(()) };
        let once = || {
            let grader = Grader::from_json(&spec).ok()?;
            let marked = grader.grade_with(&GradeInput::new(&given).with_explanation()).unwrap();
            let twice = grader.grade(&given).to_json();
            Some((twice, marked.result().to_json(), marked.explanation().to_json_for_author(), grader.deliver("s").to_json()))
        };
        prop_assert_eq!(once(), once());
        if let Some((plain, explained, ..)) = once() {
            prop_assert_eq!(plain, explained);
        }
    }
}
