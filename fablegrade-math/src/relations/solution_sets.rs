//! Values of different forms that may denote the same solutions: `1,3` and `x^2-4x+3=0`.

use super::compare::relation_of;
use super::membership::unnamed_element;
use super::named::{of_one_name, relation_and_set};
use super::point_sets::{has_same_names, one_of, points};
use super::solve::constant_truth;
use super::statement::{self, has_atom, is_of_numbers, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Symbol};
use crate::syntax::Relation;

/// Returns the orders of up to three unknowns; none for more.
pub(super) fn orders(count: usize) -> impl Iterator<Item = &'static [usize]> {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
    ORDERS.iter().filter_map(move |order| {
        let (first, rest) = order.split_at_checked(count)?;
        rest.iter().copied().eq(count..3).then_some(first)
    })
}

/// Compares the solutions that two values of different forms denote. A list of numbers or points is read as
/// a set. Because such a list may also mean something else, equal solutions then give [`Verdict::Unknown`].
/// `None` leaves the values different, as their forms are.
pub(super) fn compare_solutions(
    arena: &mut Arena,
    [a, b]: [&Value; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    // `(x,y)=(1,2),(2,1)` may name one point or all.
    if is_mixed(a) != is_mixed(b) {
        return Some(Verdict::Unknown);
    }
    match [relation_of(a), relation_of(b)] {
        [Some(_), Some(_)] => None,
        [Some(relation), None] => relation_and_solutions(arena, (&relation, a), b, false, oracle),
        [None, Some(relation)] => relation_and_solutions(arena, (&relation, b), a, true, oracle),
        // Two points, and two intervals, are compared by their parts.
        [None, None] if matches!((a, b), (Value::Sequence { .. }, Value::Sequence { .. })) => None,
        [None, None] => {
            if let (Some(first), Some(second)) = (points(arena, a), points(arena, b)) {
                let names: Vec<Symbol> = (0..first.first()?.len().max(second.first()?.len()))
                    .map(|at| arena.symbol(&format!("{}point{at}", super::read::BOUND)))
                    .collect();
                if first.first()?.len() != second.first()?.len() {
                    return None;
                }
                let [first, second] = [first, second].map(|points| one_of(arena, &points, &names));
                let verdict = statement::compare(arena, &first, &second, oracle);
                return (verdict != Verdict::Different).then_some(Verdict::Unknown);
            }
            // Two lists are compared by their elements, and so are two sets.
            let [first, second] = [a, b].map(is_list);
            if first == second {
                return None;
            }
            let placeholder = unnamed_element(arena);
            let element = Value::Scalar(arena.variable_of(placeholder));
            let [first, second] = [a, b].map(|side| {
                let set = as_set(side)?;
                let within = Statement::Belongs {
                    left: Box::new(element.clone()),
                    relation: Relation::In,
                    right: Box::new(set),
                };
                let within = statement::normal(arena, within, false, oracle);
                is_of_numbers(&within).then_some(within)
            });
            let verdict = statement::compare(arena, &first?, &second?, oracle);
            (verdict != Verdict::Different).then_some(Verdict::Unknown)
        }
    }
}

/// Compares a relation with listed numbers or points, or a list of relations with a set. The relation comes
/// with the value from which it was read.
fn relation_and_solutions(
    arena: &mut Arena,
    (relation, read_from): (&Statement, &Value),
    other: &Value,
    swapped: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if has_atom(relation) {
        return None;
    }
    let normal = statement::normal(arena, relation.clone(), false, oracle);
    let mut unknowns = Vec::new();
    symbols(arena, &normal, &mut unknowns);
    // With one unknown, `(2,5)` is an interval.
    if let Some(points) = points(arena, other)
        && unknowns.len() != 1
    {
        let count = points.first()?.len();
        if !has_same_names(arena, &points, &mut unknowns, count) {
            return Some(Verdict::Unknown);
        }
        if unknowns.len() != count {
            return None;
        }
        unknowns.sort_by_key(|name| arena.name(*name).to_owned());
        for order in orders(count) {
            let names: Vec<Symbol> = order.iter().map(|at| unknowns[*at]).collect();
            let listed = one_of(arena, &points, &names);
            if statement::compare(arena, &listed, &normal, oracle) != Verdict::Different {
                return Some(Verdict::Unknown);
            }
        }
        return None;
    }
    // One relation and a set are already compared.
    if !is_list(other) && !is_list(read_from) {
        return None;
    }
    let set = as_set(other)?;
    match relation_and_set(arena, relation, &set, swapped, oracle)? {
        Verdict::Different => {
            let either = distinct_alternatives(arena, read_from, relation, oracle)?;
            (relation_and_set(arena, &either, &set, swapped, oracle)? == Verdict::Same)
                .then_some(Verdict::Unknown)
        }
        Verdict::Same if !is_list(other) && !is_contradiction(arena, read_from, relation, oracle) => {
            Some(Verdict::Same)
        }
        _ => Some(Verdict::Unknown),
    }
}

/// Returns a list of inequalities for one unknown as alternatives: `x<1,x>3` may mean that one of them holds.
fn alternatives(arena: &Arena, value: &Value) -> Option<Statement> {
    fn is_inequality(statement: &Statement) -> bool {
        match statement {
            Statement::Compare { relation: Relation::Less | Relation::LessEqual, .. } => true,
            // A chain such as `0<x<1`.
            Statement::And(steps) => steps.iter().all(is_inequality),
            _ => false,
        }
    }
    let Value::List(items) = value else { return None };
    let parts = items.iter().map(|item| match item {
        Value::Statement(statement) if is_inequality(statement) => Some(statement.clone()),
        _ => None,
    });
    let either = Statement::Or(parts.collect::<Option<_>>()?);
    let mut unknowns = Vec::new();
    symbols(arena, &either, &mut unknowns);
    (unknowns.len() == 1).then_some(either)
}

/// Returns the alternatives of a list of inequalities that is read as a relation. `None` if they hold
/// everywhere, as for `x>1,x\le3`, unless the list contradicts itself.
fn distinct_alternatives(
    arena: &mut Arena,
    list: &Value,
    relation: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    let either = alternatives(arena, list)?;
    let counterexample = oracle.counterexample.take();
    let all = statement::normal(arena, either.clone(), false, oracle);
    let always_holds =
        constant_truth(arena, &all, oracle) == Some(true) && !is_contradiction(arena, list, relation, oracle);
    oracle.counterexample = counterexample;
    (!always_holds).then_some(either)
}

/// Returns whether a list of inequalities, read as a relation, holds nowhere. It then probably lists
/// alternatives.
fn is_contradiction(
    arena: &mut Arena,
    list: &Value,
    relation: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    if alternatives(arena, list).is_none() {
        return false;
    }
    let relation = statement::normal(arena, relation.clone(), false, oracle);
    constant_truth(arena, &relation, oracle) == Some(false)
}

/// Compares two relations, at least one of which is a list.
pub(super) fn compare_listed(
    arena: &mut Arena,
    [a, b]: [&Value; 2],
    [first, second]: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    let verdict = statement::compare(arena, first, second, oracle);
    let verdict = beside_alternatives(arena, ([a, b], [first, second]), verdict, oracle);
    if verdict != Verdict::Different {
        return verdict;
    }
    // A list may mean that all relations hold or that one does, so a difference from *or* may be a guess.
    let either = [(a, b, first), (b, a, second)].into_iter().find_map(|(list, other, relation)| {
        match (list, other, relation) {
            (Value::List(_), Value::Statement(Statement::Or(_)), Statement::And(parts)) => {
                Some(Statement::Or(parts.clone()))
            }
            _ => None,
        }
    });
    let Some(either) = either else { return verdict };
    let kept = oracle.counterexample.take();
    let sides = if matches!(a, Value::List(_)) { [&either, second] } else { [first, &either] };
    if statement::compare(arena, sides[0], sides[1], oracle) != Verdict::Different {
        oracle.counterexample = None;
        return Verdict::Unknown;
    }
    oracle.counterexample = kept;
    verdict
}

/// Corrects the verdict on two relations if lists of inequalities may also be read as alternatives. The verdict becomes
/// unknown if only the alternatives are the same. If a list contradicts itself, the verdict is also unknown if only the
/// relations are the same.
fn beside_alternatives(
    arena: &mut Arena,
    (values, relations): ([&Value; 2], [&Statement; 2]),
    verdict: Verdict,
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    if verdict == Verdict::Unknown {
        return verdict;
    }
    let either = [0, 1].map(|at| distinct_alternatives(arena, values[at], relations[at], oracle));
    if either.iter().all(Option::is_none) {
        return verdict;
    }
    if verdict == Verdict::Same
        && !is_contradiction(arena, values[0], relations[0], oracle)
        && !is_contradiction(arena, values[1], relations[1], oracle)
    {
        return verdict;
    }
    let counterexample = oracle.counterexample.take();
    let [first, second] = [0, 1].map(|at| either[at].as_ref().unwrap_or(relations[at]));
    let is_same = statement::compare(arena, first, second, oracle) == Verdict::Same;
    oracle.counterexample = counterexample;
    if is_same == (verdict == Verdict::Same) { verdict } else { Verdict::Unknown }
}

/// Returns whether relations give values to one name.
pub(super) fn are_of_one_name(parts: &[Statement]) -> bool {
    let is_named =
        |part: &Statement| matches!(part, Statement::Compare { relation: Relation::Equal, named: true, .. });
    parts.iter().all(is_named) && of_one_name(parts)
}

/// Returns relations for one name, joined in the less usual way. The list `y=2x,y=x+1` may be a system, and in
/// "x=2 and x=3" the values are alternatives.
pub(super) fn joined_otherwise(arena: &Arena, value: &Value) -> Option<Statement> {
    let is_constant =
        |part: &Statement| matches!(part, Statement::Compare { right, .. } if arena.is_constant(*right));
    match value {
        // The items are joined, not their values: `y=\pm x,y=1` is a system with two solutions.
        Value::List(items) => match relation_of(value)? {
            Statement::Or(parts) if !parts.iter().all(is_constant) => {
                items.iter().map(relation_of).collect::<Option<_>>().map(Statement::And)
            }
            _ => None,
        },
        Value::Statement(Statement::And(parts))
            if are_of_one_name(parts) && parts.iter().all(is_constant) =>
        {
            Some(Statement::Or(parts.clone()))
        }
        _ => None,
    }
}

/// Corrects the verdict on two relations: it is unknown if they differ, but are the same when joined otherwise.
pub(super) fn beside_joined(
    arena: &mut Arena,
    values: [&Value; 2],
    relations: [&Statement; 2],
    verdict: Verdict,
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    if verdict != Verdict::Different {
        return verdict;
    }
    let others = values.map(|value| joined_otherwise(arena, value));
    let kept = oracle.counterexample.take();
    for choice in 1..4 {
        let side = |at: usize| if choice >> at & 1 == 1 { others[at].as_ref() } else { Some(relations[at]) };
        if let (Some(first), Some(second)) = (side(0), side(1))
            && statement::compare(arena, first, second, oracle) == Verdict::Same
        {
            oracle.counterexample = None;
            return Verdict::Unknown;
        }
    }
    oracle.counterexample = kept;
    verdict
}

/// Returns whether a list has statements and values.
fn is_mixed(value: &Value) -> bool {
    let (Value::List(items) | Value::Several(items)) = value else { return false };
    let statements = items.iter().filter(|item| matches!(item, Value::Statement(_))).count();
    0 < statements && statements < items.len()
}

fn is_list(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Several(_))
}

/// Returns a value as a set of numbers.
fn as_set(value: &Value) -> Option<Value> {
    match value {
        Value::List(items) | Value::Several(items) => {
            items.iter().all(|item| matches!(item, Value::Scalar(_))).then(|| Value::Set(items.clone()))
        }
        Value::Set(_) | Value::Combined(..) | Value::Builder(..) | Value::Numbers(_) => Some(value.clone()),
        Value::Sequence { items, .. } if items.len() == 2 => Some(value.clone()),
        _ => None,
    }
}
