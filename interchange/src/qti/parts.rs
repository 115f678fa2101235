//! The parts of an item: the best responses, the responses that count, and the interactions with the same scores.

use fablegrade_public::Ratio;

use super::body::{self, Found, Kind};
use super::candidates;
use super::evaluate::Unsupported;
use super::fit;
use super::joint::{check, combinations, combine, counts_elsewhere, with, without};
use super::literals::Literals;
use super::model::ResponseVariable;
use super::scoring::{Given, Scorer};
use super::starts;
use super::value::Value;
use crate::item::{Combine, Interaction, Item, Part, Prose};
use crate::loss::Loss;

/// Finds the parts; an error means that processing cannot be run.
pub(super) fn parts(
    scorer: &Scorer<'_>,
    answered: &[(&Found, &ResponseVariable)],
    item: &mut Item,
) -> Result<(), Unsupported> {
    if scorer.outcome.is_none()
        && answered.iter().all(|(found, variable)| is_essay(found) && variable.mapping.is_none())
    {
        unscored(answered, item);
        return Ok(());
    }
    let mut literals = Literals::of(scorer.model);
    starts::solve(scorer.model, scorer.machine, &mut literals);
    // The search for the responses with the maximum score starts from the declared ones. Without declared ones that earn
    // something, it starts from responses that the conditions of the rules ask for.
    let mut keys: Given = answered
        .iter()
        .map(|(_, variable)| (variable.id.clone(), scorer.machine.correct(&variable.id).clone()))
        .collect();
    let declared = scorer.score(&keys)?;
    if scorer.outcome.is_some() && (declared <= Ratio::zero() || keys.values().any(Value::is_null)) {
        let mut top = declared;
        for start in starts::starts(scorer.model, scorer.machine) {
            let start = keys.iter().map(|(id, key)| {
                let value = if key.is_null() { start.get(id).unwrap_or(key) } else { key };
                (id.clone(), value.clone())
            });
            let start: Given = start.collect();
            let score = scorer.score(&start)?;
            if score > top {
                (top, keys) = (score, start);
            }
        }
    }
    if scorer.outcome.is_some() && keys.values().any(|key| !key.is_null()) {
        starts::climb(scorer, answered, &mut keys)?;
    }
    let candidates: Vec<Vec<Value>> = answered
        .iter()
        .map(|(found, variable)| candidates::candidates(found, variable, &keys[&variable.id], &literals))
        .collect();
    // One variable at a time is changed.
    let mut best: Given = answered
        .iter()
        .zip(&candidates)
        .map(|((_, variable), candidates)| {
            let key = keys[&variable.id].clone();
            let start = if key.is_null() { candidates.last().cloned().unwrap_or(Value::Null) } else { key };
            (variable.id.clone(), start)
        })
        .collect();
    let mut most = scorer.score(&best)?;
    let mut tables: Vec<Vec<Ratio>> = Vec::new();
    for _ in 0..2 {
        let before = most.clone();
        tables.clear();
        for ((_, variable), candidates) in answered.iter().zip(&candidates) {
            let mut table = Vec::with_capacity(candidates.len());
            for candidate in candidates {
                table.push(scorer.score(&with(&best, &variable.id, candidate))?);
            }
            if let Some((at, top)) = table.iter().enumerate().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(&a.0)))
                && *top > most
            {
                most = top.clone();
                best.insert(variable.id.clone(), candidates[at].clone());
            }
            tables.push(table);
        }
        if most == before {
            break;
        }
    }
    if most <= Ratio::zero() {
        if scorer.outcome.is_some() && starts::rewards(scorer.model, scorer.machine) {
            item.losses.push(Loss::score(
                item.place.clone(),
                "no-key",
                "no response that earns points was found, though rules compare responses",
                "declare the correct response",
            ));
        } else {
            unscored(answered, item);
        }
        return Ok(());
    }
    if !most.is_one() {
        item.max_score = Some(most.clone());
    }
    let scored: Vec<usize> =
        (0..answered.len()).filter(|&index| tables[index].iter().any(|score| *score != most)).collect();
    let hidden = counts_elsewhere(scorer, answered, &candidates, &best, &scored)?;
    if scored.is_empty() && hidden.is_empty() && tables.iter().all(|table| table.len() > 1) {
        constant(answered, item);
        return Ok(());
    }
    let mut scored = scored;
    scored.extend(&hidden);
    let combos = combinations(answered, &candidates, &best, &scored);
    let mut negative = false;
    let mut expected = Vec::with_capacity(combos.len());
    for combo in &combos {
        let score = scorer.score(combo)?;
        negative |= score < Ratio::zero();
        expected.push(score);
    }
    negative |= tables.iter().flatten().any(|score| *score < Ratio::zero());
    if negative {
        item.losses.push(Loss::score(
            item.place.clone(),
            "negative-score",
            "some answers have a negative score in the source and 0 here",
            "set a lower bound of 0",
        ));
    }
    let how = if scored.len() < 2 {
        Some(Combine::Sum)
    } else {
        combine(scorer, answered, &scored, &best, &most, &combos, &expected)?
    };
    if how.is_none() {
        item.losses.push(Loss::score(
            item.place.clone(),
            "joint-scoring",
            "the responses are scored together in a way that weighted parts cannot express",
            "check the scores of partly right answers",
        ));
    }
    let all = how == Some(Combine::All);
    item.combine = how.unwrap_or(Combine::Sum);
    for (index, (found, variable)) in answered.iter().enumerate() {
        if !scored.contains(&index) {
            if answered.len() > 1 {
                item.losses.push(Loss::display(
                    found.place.clone(),
                    "unscored-response",
                    "this response earns nothing and is left out",
                    "ask for it in a question of its own",
                ));
            }
            continue;
        }
        let alone = scored.len() < 2;
        let mut none =
            if alone || all { Ratio::zero() } else { scorer.score(&without(&best, &variable.id))? };
        let top = tables[index].iter().max().cloned().unwrap_or_else(|| most.clone());
        let lowest = tables[index].iter().min().cloned().unwrap_or_else(|| none.clone());
        if none == top && !hidden.contains(&index) && lowest < none {
            // A missing response keeps its points, which the check reports; a wrong one loses them.
            none = lowest;
        }
        let weight = if alone || all { most.clone() } else { top.minus(&none) };
        if hidden.contains(&index) && weight <= Ratio::zero() {
            // The loss about joint scoring says it.
            continue;
        }
        if weight <= Ratio::zero() {
            item.losses.push(Loss::score(
                found.place.clone(),
                "only-penalties",
                "this response can only cost points",
                "leave it out",
            ));
            continue;
        }
        let share = |value: &Value| -> Result<Ratio, Unsupported> {
            let score = scorer.score(&with(&best, &variable.id, value))?.minus(&none);
            Ok(score.over(&weight).unwrap_or_else(Ratio::zero))
        };
        match fit::interaction(found, variable, &candidates[index], &best[&variable.id], &literals, &share)? {
            Ok(interaction) => {
                if matches!((&found.kind, &interaction), (Kind::Order { .. }, Interaction::Match(_))) {
                    item.losses.push(Loss::display(
                        found.place.clone(),
                        "ordering-as-matching",
                        "places and items are matched, since each item earns by its place",
                        "show the places in a row",
                    ));
                }
                let mut part = Part::new(&variable.id, interaction, found.place.clone());
                part.prompt.clone_from(&found.prompt);
                part.weight = if alone || all { Ratio::one() } else { weight };
                item.parts.push(part);
            }
            Err(loss) => item.losses.push(loss),
        }
    }
    if item.parts.len() == 1 && answered.len() == 1 {
        // The prompt of the only interaction belongs to the question.
        let prompt = std::mem::take(&mut item.parts[0].prompt);
        item.prompt = body::joined(&item.prompt, &prompt);
    }
    check(item, &combos, &expected, &most);
    Ok(())
}

/// Converts an item in which every response earns full marks.
fn constant(answered: &[(&Found, &ResponseVariable)], item: &mut Item) {
    let Some((found, variable)) = answered.first() else { return };
    let mut part = Part::new(&variable.id, Interaction::Anything, found.place.clone());
    part.prompt.clone_from(&found.prompt);
    item.parts.push(part);
    item.losses.push(Loss::display(
        item.place.clone(),
        "every-response",
        "every response earns full marks, even none; the answer becomes any state of a widget",
        "use any input on your page",
    ));
}

/// Returns whether a response is a longer text, whose declared correct response is only a model answer.
fn is_essay(found: &Found) -> bool {
    found.element == "extendedTextInteraction"
}

/// Converts an item without points: to prose that people grade, or to no question.
fn unscored(answered: &[(&Found, &ResponseVariable)], item: &mut Item) {
    let keyed = |variable: &ResponseVariable| variable.correct != Value::Null || variable.mapping.is_some();
    let is_prose = |found: &Found, variable: &ResponseVariable| {
        matches!(found.kind, Kind::Entry) && (is_essay(found) || !keyed(variable))
    };
    let prose: Vec<_> = answered.iter().filter(|(found, variable)| is_prose(found, variable)).collect();
    if prose.len() == answered.len() {
        for (found, variable) in prose {
            let mut part = Part::new(&variable.id, Interaction::Prose(Prose::default()), found.place.clone());
            part.prompt.clone_from(&found.prompt);
            item.parts.push(part);
        }
        let message = "no program scores this; people do, as in the source";
        item.losses.push(Loss::metadata(item.place.clone(), "scored-by-people", message, "give a rubric"));
        return;
    }
    let message = if answered.iter().any(|(_, variable)| keyed(variable)) {
        "no response earns points, though there is a key"
    } else {
        item.metadata.push(("kind".into(), "survey".into()));
        "no response earns points: it is a survey, or its key is elsewhere"
    };
    item.losses.push(Loss::score(item.place.clone(), "no-key", message, "give the correct response"));
}
