//! The scores of an item: its processing is evaluated on candidate responses, and told in terms of our interactions.

use std::cell::Cell;
use std::collections::BTreeMap;

use fablegrade_public::Ratio;

use super::body::{self, Body, Found, Kind};
use super::evaluate::{Machine, Unsupported, mapped, typed};
use super::fit::{self, Literals};
use super::model::{Model, ResponseVariable, Rule};
use super::names::flag;
use super::value::{Atom, Value};
use crate::compile::{Question, Response, Responses};
use crate::format::Format;
use crate::item::{Combine, Interaction, Item, Part, Prose};
use crate::loss::{Loss, Place};
use crate::xml::Element;

/// The most evaluations of processing for one item.
const MAX_RUNS: usize = 6_000;

/// The most steps of all evaluations of one item.
const MAX_STEPS: usize = 5_000_000;

/// The most responses of an item that are looked at.
const MAX_RESPONSES: usize = 60;

/// The most combinations of responses that are looked at.
const MAX_COMBINATIONS: usize = 1_200;

type Given = BTreeMap<String, Value>;

/// How responses earn points.
struct Scorer<'m> {
    machine: &'m Machine<'m>,
    model: &'m Model,
    /// The outcome that is the score; `None`: what the declarations alone say.
    outcome: Option<String>,
    runs: Cell<usize>,
    steps: Cell<usize>,
}

impl Scorer<'_> {
    fn score(&self, given: &Given) -> Result<Ratio, Unsupported> {
        self.runs.set(self.runs.get() + 1);
        if self.runs.get() > MAX_RUNS {
            return Err(Unsupported {
                what: "too many combinations of responses".into(),
                place: Place::default(),
            });
        }
        match &self.outcome {
            Some(outcome) => {
                let (outcomes, cost) = self.machine.outcomes(given)?;
                self.steps.set(self.steps.get() + cost);
                if self.steps.get() > MAX_STEPS {
                    return Err(Unsupported { what: "too many rules".into(), place: Place::default() });
                }
                Ok(outcomes.get(outcome.as_str()).and_then(Value::as_number).unwrap_or_else(Ratio::zero))
            }
            None => Ok(self.declared(given)),
        }
    }

    /// Mappings where there are some, else one point for the correct response.
    fn declared(&self, given: &Given) -> Ratio {
        let mut sum = Ratio::zero();
        let mut wrong = false;
        let mut matched = false;
        for response in &self.model.responses {
            let value = given.get(&response.id).unwrap_or(&Value::Null);
            let correct = self.machine.correct(&response.id);
            if let Some(mapping) = &response.mapping {
                sum = sum.plus(&mapped(response, mapping, value));
            } else if *correct != Value::Null {
                matched |= value.same(correct);
                wrong |= !value.same(correct);
            }
        }
        if matched && !wrong { sum.plus(&Ratio::one()) } else { sum }
    }
}

/// The outcome that is the score.
fn score_outcome(model: &Model) -> Option<String> {
    let numeric = |id: &str| {
        model.outcomes.iter().any(|one| {
            one.id == id && one.cardinality == super::value::Cardinality::Single && one.base.is_number()
        })
    };
    let exact = model.outcomes.iter().map(|one| one.id.as_str()).find(|id| id.eq_ignore_ascii_case("score"));
    if let Some(id) = exact.filter(|id| numeric(id)) {
        return Some(id.to_owned());
    }
    let mut others = model.outcomes.iter().filter(|one| {
        one.base.is_number()
            && one.cardinality == super::value::Cardinality::Single
            && one.id.to_ascii_lowercase().contains("score")
            && !one.id.to_ascii_lowercase().contains("max")
    });
    match (others.next(), others.next()) {
        (Some(only), None) => Some(only.id.clone()),
        _ => None,
    }
}

/// Fills an item from its element.
pub(super) fn fill(root: Element<'_>, item: &mut Item) {
    let model = Model::read(root);
    let machine = Machine::new(&model);
    let body = body::read(root, machine.as_ref().ok());
    let Body { prompt, media, interactions, feedback, rubric, losses } = body;
    item.prompt = if item.prompt.is_empty() {
        prompt
    } else {
        format!("{}\n\n{prompt}", item.prompt).trim().to_owned()
    };
    item.media = media;
    item.feedback = feedback;
    item.losses.extend(losses);
    item.metadata.extend(rubric.into_iter().map(|text| ("rubric".to_owned(), text)));
    if flag(root, "adaptive") == Some(true) {
        item.losses.push(Loss::score(
            item.place.clone(),
            "adaptive",
            "the item changes with each attempt; here an attempt is graded once",
            "make a question of each step",
        ));
    }
    let machine = match &machine {
        Ok(machine) => machine,
        Err(problem) => {
            let (rule, message) =
                if problem.what.starts_with("random") || problem.what == "templateConstraint" {
                    ("randomised", format!("the item draws its values at random (`{}`)", problem.what))
                } else {
                    (
                        "template-processing",
                        format!("`{}` in template processing is not understood", problem.what),
                    )
                };
            let place = if problem.place.line > 0 { problem.place.clone() } else { item.place.clone() };
            item.losses.push(Loss::score(place, rule, message, "write one variant of the item"));
            return;
        }
    };
    if !model.template_rules.is_empty() {
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "template-processing",
            "template variables have the values that the item computes",
            "check that there is only one variant",
        ));
    }
    outcomes_lost(&model, item);
    score(&model, machine, &interactions, item);
}

/// Finds the parts of an item: its interactions with what they earn.
pub(super) fn score(model: &Model, machine: &Machine<'_>, interactions: &[Found], item: &mut Item) {
    let mut answered = Vec::new();
    for found in interactions {
        match (&found.kind, model.responses.iter().find(|one| one.id == found.response)) {
            (Kind::Scoreless, _) => {}
            (Kind::Unknown, _) => item.losses.push(Loss::score(
                found.place.clone(),
                "interaction",
                format!("`{}` has no counterpart", found.element),
                "make a widget with a validator of your own",
            )),
            (_, None) => item.losses.push(Loss::score(
                found.place.clone(),
                "undeclared-response",
                "the response of this interaction is not declared",
                "declare it",
            )),
            (_, Some(variable)) => answered.push((found, variable)),
        }
    }
    let unknown = interactions.iter().any(|found| matches!(found.kind, Kind::Unknown));
    let mut ids: Vec<&str> = answered.iter().map(|(_, variable)| variable.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() < answered.len() {
        item.losses.push(Loss::score(
            item.place.clone(),
            "shared-response",
            "several interactions have the same response",
            "declare a response for each",
        ));
        return;
    }
    if answered.len() > MAX_RESPONSES || model.responses.len() > MAX_RESPONSES * 4 {
        let message = format!("the item has more than {MAX_RESPONSES} responses");
        item.losses.push(Loss::score(item.place.clone(), "too-many-responses", message, "split it"));
        return;
    }
    let assumed = if interactions.is_empty() { fit::assumed(model, machine) } else { Vec::new() };
    for found in &assumed {
        if let Some(variable) = model.responses.iter().find(|one| one.id == found.response) {
            answered.push((found, variable));
        }
    }
    if !assumed.is_empty() {
        item.losses.push(Loss::display(
            item.place.clone(),
            "no-interaction",
            "nothing in the item asks for its responses; they are asked for by their names",
            "write a prompt",
        ));
    }
    if answered.is_empty() {
        if !unknown {
            item.losses.push(Loss::score(
                item.place.clone(),
                "no-interaction",
                "nothing in the item can be answered",
                "use it as text",
            ));
        }
        return;
    }
    let outcome = score_outcome(model);
    let scorer = Scorer {
        machine,
        model,
        outcome: outcome.filter(|_| model.rules.is_some()),
        runs: Cell::new(0),
        steps: Cell::new(0),
    };
    if scorer.outcome.is_none() {
        let message = if model.rules.is_some() {
            "response processing sets no score; the declared correct responses are the key"
        } else {
            "the item has no response processing; the declared correct responses are the key"
        };
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "no-response-processing",
            message,
            "check the key",
        ));
    }
    match parts(&scorer, &answered, item) {
        Ok(()) => {}
        Err(problem) if scorer.outcome.is_some() => {
            let place = if problem.place.line > 0 { problem.place } else { item.place.clone() };
            item.losses.push(Loss::score(
                place,
                "response-processing",
                format!(
                    "`{}` in response processing is not understood; the declared responses are the key",
                    problem.what
                ),
                "check the scores",
            ));
            let declared = Scorer { machine, model, outcome: None, runs: Cell::new(0), steps: Cell::new(0) };
            item.parts.clear();
            if parts(&declared, &answered, item).is_err() {
                item.parts.clear();
            }
        }
        Err(_) => item.parts.clear(),
    }
    if unknown
        && !item.parts.is_empty()
        && item.parts.iter().all(|part| matches!(part.interaction, Interaction::Prose(_)))
    {
        item.parts.clear();
    }
}

/// Outcomes beyond the score are lost.
fn outcomes_lost(model: &Model, item: &mut Item) {
    let others: Vec<&str> = model
        .outcomes
        .iter()
        .map(|one| one.id.as_str())
        .filter(|id| {
            !matches!(
                id.to_ascii_uppercase().as_str(),
                "SCORE" | "MAXSCORE" | "COMPLETIONSTATUS" | "FEEDBACK" | "FEEDBACKBASIC"
            )
        })
        .collect();
    if !others.is_empty() {
        let message = format!("outcomes beside the score are not computed: {}", others.join(", "));
        item.losses.push(Loss::metadata(
            item.place.clone(),
            "outcomes",
            message,
            "compute them from the score",
        ));
    }
    let unsaid =
        model.responses.iter().find(|one| one.mapping.as_ref().is_some_and(|mapping| mapping.case_unsaid));
    if let Some(response) = unsaid {
        item.losses.push(Loss::metadata(
            response.place.clone(),
            "case-assumed",
            "the mapping does not say whether case counts; it does here",
            "write `caseSensitive`",
        ));
    }
}

/// Finds the parts; an error is processing that cannot be run.
fn parts(
    scorer: &Scorer<'_>,
    answered: &[(&Found, &ResponseVariable)],
    item: &mut Item,
) -> Result<(), Unsupported> {
    let literals = Literals::of(scorer.model);
    let candidates: Vec<Vec<Value>> = answered
        .iter()
        .map(|(found, variable)| {
            fit::candidates(found, variable, scorer.machine.correct(&variable.id), &literals)
        })
        .collect();
    // From the declared responses to those that earn most, one variable after the other.
    let mut best: Given = answered
        .iter()
        .zip(&candidates)
        .map(|((_, variable), candidates)| {
            let correct = scorer.machine.correct(&variable.id).clone();
            let start =
                if correct.is_null() { candidates.last().cloned().unwrap_or(Value::Null) } else { correct };
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
    if scorer.runs.get() > 0 && most <= Ratio::zero() {
        unscored(answered, item);
        return Ok(());
    }
    if !most.is_one() {
        item.max_score = Some(most.clone());
    }
    let nothing: Given = Given::new();
    let floor = scorer.score(&nothing)?;
    if floor > Ratio::zero() {
        item.losses.push(Loss::score(
            item.place.clone(),
            "points-for-nothing",
            "who answers nothing earns points there and nothing here",
            "check the response processing",
        ));
    }
    let scored: Vec<usize> =
        (0..answered.len()).filter(|&index| tables[index].iter().any(|score| *score != most)).collect();
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
            "some answers earn less than nothing there and nothing here",
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
        let none = if alone || all { Ratio::zero() } else { scorer.score(&without(&best, &variable.id))? };
        let top = tables[index].iter().max().cloned().unwrap_or_else(|| most.clone());
        let weight = if alone || all { most.clone() } else { top.minus(&none) };
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

/// Nothing earns points: prose for people, or no question.
fn unscored(answered: &[(&Found, &ResponseVariable)], item: &mut Item) {
    let prose: Vec<_> = answered.iter().filter(|(found, _)| matches!(found.kind, Kind::Entry)).collect();
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
    item.losses.push(Loss::score(
        item.place.clone(),
        "no-key",
        "no response earns points: it is a survey, or its key is elsewhere",
        "give the correct response",
    ));
}

fn with(given: &Given, id: &str, value: &Value) -> Given {
    let mut changed = given.clone();
    changed.insert(id.to_owned(), value.clone());
    changed
}

fn without(given: &Given, id: &str) -> Given {
    with(given, id, &Value::Null)
}

/// Combinations of responses that are looked at: each candidate with the best others, with no others, and some drawn
/// by a fixed rule.
fn combinations(
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

/// Whether the score is a sum over the responses, or full marks for all of them.
fn combine(
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

/// A value as a response of the source.
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

/// Grades the candidate responses with the result, and says where the scores differ.
fn check(item: &mut Item, combos: &[Given], expected: &[Ratio], most: &Ratio) {
    if item.parts.is_empty()
        || item.parts.iter().any(|part| matches!(part.interaction, Interaction::Prose(_)))
    {
        return;
    }
    let question = Question::compile(Format::Qti3, "", item.clone());
    let Ok(grader) = question.grader() else { return };
    if question.specs.is_empty() {
        return;
    }
    let mut differing = 0;
    let mut example = None;
    for (combo, score) in combos.iter().zip(expected) {
        let wanted = score.over(most).unwrap_or_else(Ratio::zero).clamped().to_f64();
        let responses: Responses = combo.iter().map(|(id, value)| (id.clone(), response(value))).collect();
        let found = grader.score(&responses).unwrap_or(0.0);
        if (found - wanted).abs() > 1e-9 {
            differing += 1;
            example.get_or_insert((wanted, found));
        }
    }
    if let Some((wanted, found)) = example {
        let message = format!(
            "{differing} of {} candidate responses have another score; one has {wanted:.4} there and {found:.4} here",
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

/// Whether rules mention something; for readers of rules.
pub(super) fn walk<'r>(rules: &'r [Rule], visit: &mut dyn FnMut(&'r super::model::Expression)) {
    for rule in rules {
        match rule {
            Rule::If(branches) => {
                for (condition, inside) in branches {
                    if let Some(condition) = condition {
                        walk_expression(condition, visit);
                    }
                    walk(inside, visit);
                }
            }
            Rule::Set(_, value) | Rule::Lookup(_, value) | Rule::SetCorrect(_, value) => {
                walk_expression(value, visit)
            }
            Rule::Group(inside) => walk(inside, visit),
            Rule::Exit | Rule::Unknown(..) => {}
        }
    }
}

fn walk_expression<'r>(
    expression: &'r super::model::Expression,
    visit: &mut dyn FnMut(&'r super::model::Expression),
) {
    visit(expression);
    for argument in &expression.arguments {
        walk_expression(argument, visit);
    }
}
