//! Joint scoring of several responses: how their scores combine, and whether the result grades like the source.

use std::collections::BTreeMap;

use fablegrade_public::Ratio;

use super::body::Found;
use super::candidates::Draw;
use super::evaluate::Unsupported;
use super::model::ResponseVariable;
use super::operators::typed;
use super::scoring::{Given, Scorer};
use super::value::{Atom, Value};
use crate::compile::{Question, Response, ResponseGrader, Responses};
use crate::format::Format;
use crate::item::{Combine, Interaction, Item};
use crate::loss::Loss;

/// The number of combinations of responses after which no more candidates are added, except the pseudorandom sample.
const MAX_COMBINATIONS: usize = 1_200;

pub(super) fn with(given: &Given, id: &str, value: &Value) -> Given {
    let mut changed = given.clone();
    changed.insert(id.to_owned(), value.clone());
    changed
}

pub(super) fn without(given: &Given, id: &str) -> Given {
    with(given, id, &Value::Null)
}

/// The maximum number of runs that look for responses which count only with other responses.
const MAX_PROBES: usize = 1_500;

/// Returns the responses that count with others than the best ones, although no change of them alone changes the best
/// score: with "one of several is right" or "two of three", every response can be wrong without a loss.
pub(super) fn counts_elsewhere(
    scorer: &Scorer<'_>,
    answered: &[(&Found, &ResponseVariable)],
    candidates: &[Vec<Value>],
    best: &Given,
    scored: &[usize],
) -> Result<Vec<usize>, Unsupported> {
    let others: Vec<usize> = (0..answered.len()).filter(|index| !scored.contains(index)).collect();
    if answered.len() < 2 || others.is_empty() {
        return Ok(Vec::new());
    }
    // Besides no response at all, these are first responses, all others being best, and mixtures.
    let mut bases = vec![Given::new()];
    let key = |index: usize| answered[index].1.id.clone();
    let wrong = |index: usize| {
        let list = &candidates[index];
        list.iter()
            .rev()
            .find(|one| !one.is_null() && !one.same(&best[&key(index)]))
            .cloned()
            .unwrap_or(Value::Null)
    };
    bases.push((0..answered.len()).map(|index| (key(index), wrong(index))).collect());
    for &index in others.iter().take(12) {
        bases.push(with(best, &key(index), &Value::Null));
        bases.push(with(&Given::new(), &key(index), &best[&key(index)]));
    }
    let mut draw = Draw::new(13);
    for _ in 0..8 {
        let some = (0..answered.len()).filter(|_| draw.below(2) == 0).collect::<Vec<_>>();
        bases.push(some.into_iter().map(|index| (key(index), best[&key(index)].clone())).collect());
    }
    let mut counting = Vec::new();
    let mut runs = 0;
    for index in others {
        let tests = [Value::Null, wrong(index), best[&key(index)].clone()];
        'bases: for base in &bases {
            let mut first = None;
            for test in &tests {
                runs += 1;
                if runs > MAX_PROBES {
                    return Ok(counting);
                }
                let score = scorer.score(&with(base, &key(index), test))?;
                if *first.get_or_insert_with(|| score.clone()) != score {
                    counting.push(index);
                    break 'bases;
                }
            }
        }
    }
    Ok(counting)
}

/// Returns combinations of responses to test, first the empty one.
///
/// The others are the best responses, and each candidate with the best other responses. With several scored responses,
/// there are also each candidate alone and a pseudorandom sample.
pub(super) fn combinations(
    answered: &[(&Found, &ResponseVariable)],
    candidates: &[Vec<Value>],
    best: &Given,
    scored: &[usize],
) -> Vec<Given> {
    let mut all = vec![Given::new(), best.clone()];
    for &index in scored {
        let id = &answered[index].1.id;
        for candidate in &candidates[index] {
            if all.len() >= MAX_COMBINATIONS {
                break;
            }
            all.push(with(best, id, candidate));
            if scored.len() > 1 {
                all.push(with(&Given::new(), id, candidate));
            }
        }
    }
    if scored.len() > 1 {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        for _ in 0..96 {
            let mut given = Given::new();
            for &index in scored {
                let list = &candidates[index];
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let draw = (state >> 33) as usize;
                let id = answered[index].1.id.clone();
                if draw.is_multiple_of(3) {
                    given.insert(id.clone(), best[&id].clone());
                } else if !list.is_empty() {
                    given.insert(id, list[draw / 3 % list.len()].clone());
                }
            }
            all.push(given);
        }
    }
    all
}

/// Returns whether the score of the combinations is a sum over the responses, or all or nothing; `None` if it is
/// neither.
pub(super) fn combine(
    scorer: &Scorer<'_>,
    answered: &[(&Found, &ResponseVariable)],
    scored: &[usize],
    best: &Given,
    most: &Ratio,
    combos: &[Given],
    expected: &[Ratio],
) -> Result<Option<Combine>, Unsupported> {
    let mut known: BTreeMap<(usize, String), Ratio> = BTreeMap::new();
    let mut alone = |index: usize, value: &Value| -> Result<Ratio, Unsupported> {
        let key = (index, format!("{value:?}"));
        if let Some(score) = known.get(&key) {
            return Ok(score.clone());
        }
        let score = scorer.score(&with(best, &answered[index].1.id, value))?;
        known.insert(key, score.clone());
        Ok(score)
    };
    let null = Value::Null;
    let nothing = scorer.score(&Given::new())?;
    let (mut sum_holds, mut all_holds) = (true, true);
    for (combo, score) in combos.iter().zip(expected) {
        let mut sum = nothing.clone();
        let mut all = true;
        for &index in scored {
            let value = combo.get(&answered[index].1.id).unwrap_or(&null);
            let here = alone(index, value)?;
            all &= here == *most;
            sum = sum.plus(&here.minus(&alone(index, &null)?));
        }
        sum_holds &= sum == *score;
        all_holds &= if all { score == most } else { *score <= Ratio::zero() };
        if !sum_holds && !all_holds {
            return Ok(None);
        }
    }
    Ok(Some(if sum_holds { Combine::Sum } else { Combine::All }))
}

/// Converts a QTI value to a response.
fn response(value: &Value) -> Response {
    let text = |atom: &Atom| match atom {
        Atom::Text(text) => text.clone(),
        Atom::Number(ratio) => typed(ratio).unwrap_or_else(|| ratio.to_fraction_text()),
        Atom::Bool(value) => value.to_string(),
        Atom::Pair(_, left, right) => format!("{left} {right}"),
        Atom::Point(x, y) => format!("{} {}", x.to_f64(), y.to_f64()),
    };
    match value {
        Value::Null => Response::None,
        Value::One(Atom::Pair(_, left, right)) => Response::Pairs(vec![(left.clone(), right.clone())]),
        Value::One(atom) => Response::One(text(atom)),
        value => {
            let items = value.items();
            if items.is_empty() {
                return Response::None;
            }
            let pairs: Vec<(String, String)> = items
                .iter()
                .filter_map(|atom| match atom {
                    Atom::Pair(_, left, right) => Some((left.clone(), right.clone())),
                    _ => None,
                })
                .collect();
            if pairs.len() == items.len() {
                Response::Pairs(pairs)
            } else {
                Response::Many(items.iter().map(text).collect())
            }
        }
    }
}

/// Converts an order to pairs of places and items if the part is a matching.
fn in_places(item: &Item, id: &str, response: Response) -> Response {
    let part = item.parts.iter().find(|part| part.id == id).map(|part| &part.interaction);
    match (part, response) {
        (Some(Interaction::Match(places)), Response::Many(ids)) => {
            Response::Pairs(places.left.iter().map(|one| one.id.clone()).zip(ids).collect())
        }
        (_, response) => response,
    }
}

/// Grades the tested combinations with the compiled question, and reports scores that differ from the source. Items
/// with prose are not checked.
pub(super) fn check(item: &mut Item, combos: &[Given], expected: &[Ratio], most: &Ratio) {
    if item.parts.is_empty()
        || item.parts.iter().any(|part| matches!(part.interaction, Interaction::Prose(_)))
    {
        return;
    }
    let (question, graders) = Question::compile_graded(Format::Qti3, "", item.clone());
    if question.specs.is_empty() {
        return;
    }
    let grader = ResponseGrader::new(&question, graders);
    let mut differing = 0;
    let mut example = None;
    for (index, (combo, score)) in combos.iter().zip(expected).enumerate() {
        let wanted = score.over(most).unwrap_or_else(Ratio::zero).clamped().to_f64();
        let responses: Responses = combo
            .iter()
            .map(|(id, value)| (id.clone(), in_places(&question.item, id, response(value))))
            .collect();
        let found = grader.score(&responses).unwrap_or(0.0);
        if (found - wanted).abs() <= 1e-9 {
            continue;
        }
        if index == 0 {
            item.losses.push(Loss::score(
                item.place.clone(),
                "points-for-nothing",
                "an empty answer earns points in the source system and nothing in Fablegrade",
                "check the response processing",
            ));
        } else {
            differing += 1;
            example.get_or_insert((wanted, found));
        }
    }
    if let Some((wanted, found)) = example {
        let message = format!(
            "{differing} of {} candidate responses have another score; one has {found:.4} instead of {wanted:.4}",
            combos.len()
        );
        item.losses.push(Loss::score(
            item.place.clone(),
            "score-differs",
            message,
            "check the response processing",
        ));
    }
}
