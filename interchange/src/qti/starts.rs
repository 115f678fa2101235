//! Responses that satisfy the conditions of single rules: the search for the best responses starts from them if no key is
//! declared.

use std::rc::Rc;

use fablegrade_public::Ratio;

use super::body::{Found, Kind};
use super::candidates::{self, MAX_KEY};
use super::evaluate::{Machine, Unsupported};
use super::joint::with;
use super::literals::Literals;
use super::model::{Expression, Model, ResponseVariable, Rule};
use super::scoring::{Given, Scorer, walk};
use super::solve::{is_comparison, reads, solutions};
use super::value::{Atom, BaseType, Cardinality, Value};

/// How long a text is that becomes a part of a response, in bytes. Nobody types a longer one.
const MOST_TEXT: usize = 4_000;

/// The maximum number of rules whose conditions become responses.
const MAX_STARTS: usize = 60;

/// Returns, for each branch that sets `outcome` or another variable, responses under which its conditions probably hold.
pub(super) fn starts<'m>(model: &'m Model, machine: &Machine<'m>) -> Vec<Given> {
    let mut all: Vec<Given> = Vec::new();
    // Rules with the responses that the conditions around them ask for, the first rules last.
    let none = Rc::new(Given::new());
    let mut open: Vec<(&Rule, Rc<Given>)> =
        model.rules.iter().flatten().rev().map(|rule| (rule, Rc::clone(&none))).collect();
    while let Some((rule, outer)) = open.pop() {
        if all.len() >= MAX_STARTS {
            break;
        }
        match rule {
            Rule::If(branches) => {
                for (condition, inside) in branches.iter().rev() {
                    let mut given = Given::clone(&outer);
                    if let Some(condition) = condition {
                        satisfy(condition, model, machine, &mut given);
                    }
                    let given = Rc::new(given);
                    open.extend(inside.iter().rev().map(|rule| (rule, Rc::clone(&given))));
                }
            }
            Rule::Group(inside) => open.extend(inside.iter().rev().map(|rule| (rule, Rc::clone(&outer)))),
            Rule::Set(..) | Rule::Lookup(..) if !outer.is_empty() && !all.contains(&outer) => {
                all.push(Given::clone(&outer));
            }
            _ => {}
        }
    }
    // The conditions of several rules can hold together.
    let mut together = Given::new();
    for given in &all {
        for (id, value) in given {
            let before = together.entry(id.clone()).or_insert_with(|| value.clone());
            if let (Value::Many(false, items), Value::Many(false, more)) = (before, value) {
                for item in more {
                    if !items.iter().any(|one| one.same(item)) {
                        items.push(item.clone());
                    }
                }
            }
        }
    }
    if !together.is_empty() && !all.contains(&together) {
        all.push(together);
    }
    all
}

/// Adds options to the key of a selection, or removes them, as long as the score increases.
pub(super) fn climb(
    scorer: &Scorer<'_>,
    answered: &[(&Found, &ResponseVariable)],
    keys: &mut Given,
) -> Result<(), Unsupported> {
    let mut top = scorer.score(keys)?;
    for (found, variable) in answered {
        let Kind::Choices { most, .. } = &found.kind else { continue };
        if variable.cardinality != Cardinality::Multiple {
            continue;
        }
        let universe = candidates::universe(found, variable);
        for one in universe.iter().take(MAX_KEY).chain(universe.iter().take(MAX_KEY)) {
            let mut items = keys.get(&variable.id).map(Value::items).unwrap_or_default();
            match items.iter().position(|other| other.same(one)) {
                Some(at) => {
                    items.remove(at);
                }
                None => items.push(one.clone()),
            }
            if most.is_some_and(|most| items.len() > most) {
                continue;
            }
            let changed = with(keys, &variable.id, &candidates::set(variable, items));
            let score = scorer.score(&changed)?;
            if score > top {
                (top, *keys) = (score, changed);
            }
        }
    }
    Ok(())
}

/// Returns whether a rule compares a response with a value to set a variable, so that some response can count.
pub(super) fn rewards<'m>(model: &'m Model, machine: &Machine<'m>) -> bool {
    let mut found = false;
    walk(model.rules.as_deref().unwrap_or(&[]), &mut |expression| {
        let compares = !matches!(
            expression.name.as_str(),
            "isNull" | "isNotNull" | "not" | "and" | "or" | "anyN" | "variable" | "mapResponse"
        );
        let asked = |response: &ResponseVariable| {
            let mut others = expression.arguments.iter().filter(|one| !reads(one, &response.id)).peekable();
            expression.arguments.iter().any(|one| reads(one, &response.id))
                && others.peek().is_some()
                && others
                    .all(|one| machine.expression(one, &Given::new()).map_or(true, |value| !value.is_null()))
        };
        found = found || (compares && model.responses.iter().any(asked));
    });
    found
}

/// Adds responses under which an expression is probably true.
fn satisfy<'m>(condition: &'m Expression, model: &'m Model, machine: &Machine<'m>, given: &mut Given) {
    let mut open = vec![(condition, true)];
    while let Some((expression, wanted)) = open.pop() {
        match expression.name.as_str() {
            "not" => open.extend(expression.arguments.iter().map(|one| (one, !wanted))),
            "and" | "anyN" | "or" if (expression.name == "or") != wanted || expression.name == "anyN" => {
                open.extend(expression.arguments.iter().rev().map(|one| (one, wanted)));
            }
            // One of several is enough.
            "and" | "or" => open.extend(expression.arguments.first().map(|one| (one, wanted))),
            _ if wanted => hold(expression, model, machine, given),
            _ => {}
        }
    }
}

/// Adds the response under which a comparison holds.
fn hold<'m>(comparison: &'m Expression, model: &'m Model, machine: &Machine<'m>, given: &mut Given) {
    let responses = model.responses.iter().filter(|one| reads(comparison, &one.id));
    for response in responses {
        if response.base.is_number() && is_comparison(comparison) {
            // Other responses of the same comparison need a value.
            let mut others = given.clone();
            let unset = model.responses.iter().filter(|one| one.base.is_number() && one.id != response.id);
            for other in unset.filter(|one| reads(comparison, &one.id)) {
                let value = others.entry(other.id.clone()).or_insert_with(|| Value::number(Ratio::one()));
                given.entry(other.id.clone()).or_insert_with(|| value.clone());
            }
            let found = solutions(machine, comparison, &response.id, &others);
            let step = match comparison.name.as_str() {
                "lt" => -1,
                "gt" => 1,
                _ => 0,
            };
            let first_operand = comparison.arguments.first().is_some_and(|one| reads(one, &response.id));
            let step = Ratio::new(if first_operand { step } else { -step }, 1);
            if let Some(found) = found.first() {
                given.entry(response.id.clone()).or_insert_with(|| Value::number(found.plus(&step)));
            }
            return;
        }
        let literals = comparison.arguments.iter().filter(|one| !reads(one, &response.id));
        let items: Vec<Atom> = literals
            .filter_map(|one| machine.expression(one, given).ok())
            .flat_map(|value| value.items())
            .filter(|item| !matches!(item, Atom::Text(text) if text.len() > MOST_TEXT))
            .collect();
        if items.is_empty() {
            continue;
        }
        let before = given.get(&response.id).map(Value::items).unwrap_or_default();
        let value = match (response.cardinality, response.base) {
            (Cardinality::Single, BaseType::Text) => {
                // Several texts that a response must contain can be in one response.
                let texts = before.iter().chain(&items).filter_map(|atom| match atom {
                    Atom::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                let mut joined: Vec<&str> = Vec::new();
                texts.for_each(|text| {
                    let length = joined.iter().map(|text| text.len()).sum::<usize>();
                    if !joined.contains(&text) && length < MOST_TEXT {
                        joined.push(text);
                    }
                });
                Value::One(Atom::Text(joined.join(" ")))
            }
            (Cardinality::Single, _) => Value::One(before.first().unwrap_or(&items[0]).clone()),
            (cardinality, _) => {
                let mut all = before;
                for item in items {
                    if cardinality == Cardinality::Ordered || !all.iter().any(|one| one.same(&item)) {
                        all.push(item);
                    }
                }
                Value::Many(cardinality == Cardinality::Ordered, all)
            }
        };
        given.insert(response.id.clone(), value);
    }
}

/// Adds the numbers at which the comparisons of an item change, for each response.
pub(super) fn solve<'m>(model: &'m Model, machine: &Machine<'m>, literals: &mut Literals) {
    let numeric: Vec<&ResponseVariable> = model.responses.iter().filter(|one| one.base.is_number()).collect();
    let keys: Given =
        model.responses.iter().map(|one| (one.id.clone(), machine.correct(&one.id).clone())).collect();
    walk(model.rules.as_deref().unwrap_or(&[]), &mut |expression| {
        if is_comparison(expression) {
            for response in &numeric {
                let found = solutions(machine, expression, &response.id, &keys);
                literals.solved(&response.id, found);
            }
        }
    });
}
