//! Relations compared with values: `x=3` and 3, `x>1` and `(1,\infty)`, `x=1,y=2` and a point.

use super::compare::values;
use super::elements::{same_elements, same_multiset};
use super::membership::unnamed_element;
use super::statement::{self, by_components, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node};
use crate::syntax::{NumberSet, Relation};

/// Compares a statement with a value: `x=3` with 3, or `a=1` and `b=2` with `\{a=1, b=2\}`.
///
/// This function is long because it tries several readings of the statement in turn.
pub(super) fn statement_and_value(
    arena: &mut Arena,
    statement: &Statement,
    other: &Value,
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    // A single letter may denote a truth value if other letters do.
    if let Value::Scalar(letter) = other
        && matches!(arena.node(*letter), Node::Symbol(_))
        && statement::has_atom(statement)
    {
        return statement::compare(arena, statement, &Statement::Atom(*letter), oracle);
    }
    // `(x,y)=(1,2)` means `x=1, y=2`.
    if let (Some(parts), Value::List(_)) = (by_components(statement), other) {
        return statement_and_value(arena, &Statement::And(parts), other, oracle);
    }
    if let Value::Set(items) | Value::List(items) | Value::Several(items) = other
        && !items.is_empty()
        && items.iter().all(|item| matches!(item, Value::Statement(_)))
    {
        let (Statement::And(parts) | Statement::Or(parts)) = statement else {
            let either: Option<Vec<Statement>> = items.iter().map(equation_of_a_name).collect();
            return match (items.as_slice(), either) {
                ([only], _) => values(arena, only, &Value::Statement(statement.clone()), oracle),
                // `x=2, x=3` are the two solutions of an equation.
                (_, Some(either)) if of_one_name(&either) => {
                    statement::compare(arena, statement, &Statement::Or(either), oracle)
                }
                _ => Verdict::Different,
            };
        };
        let one_name = items
            .iter()
            .map(equation_of_a_name)
            .collect::<Option<Vec<_>>>()
            .is_some_and(|equations| of_one_name(&equations));
        let parts: Vec<Value> = parts.iter().cloned().map(Value::Statement).collect();
        return match same_elements(arena, &parts, items, oracle) {
            // Listed statements all hold, unless they give the solutions for one name.
            Verdict::Same
                if matches!((statement, other), (Statement::Or(_), Value::List(_))) && !one_name =>
            {
                Verdict::Unknown
            }
            verdict => verdict,
        };
    }
    // `3\cdot4=12` is the computation of 12.
    if let (Some((value, is_true)), Value::Scalar(other)) = (computed(arena, statement, oracle), other) {
        return match oracle.same(arena, value, *other) {
            // It may be a false computation.
            Verdict::Same if !is_true => Verdict::Unknown,
            verdict => verdict,
        };
    }
    if let Some(value) = chain_value(arena, statement, oracle) {
        return match other {
            Value::Scalar(other) => oracle.same(arena, value, *other),
            _ => Verdict::Different,
        };
    }
    match named_values(arena, statement) {
        Some(mut several) if several.len() == 1 => values(arena, &several.remove(0), other, oracle),
        Some(several) => match other {
            Value::Set(_) | Value::Several(_) | Value::List(_) => {
                values(arena, &Value::Several(several), other, oracle)
            }
            // `x=1\pm0` is 1.
            Value::Scalar(_) => {
                values(arena, &Value::Several(several), &Value::Several(vec![other.clone()]), oracle)
            }
            _ => Verdict::Different,
        },
        None => match (several_named(statement), other) {
            // `x=1` and `y=2` may mean 1 and 2, or `(1,2)`, but the order of the names is not known.
            (
                Some(named),
                Value::Set(items)
                | Value::Several(items)
                | Value::List(items)
                | Value::Sequence { items, .. },
            ) => match same_multiset(arena, &named, items, oracle) {
                Verdict::Same => Verdict::Unknown,
                verdict => verdict,
            },
            // `x=2,x>0` is 2 if the condition is a remark.
            _ if gives_value(arena, statement, other, oracle) => Verdict::Unknown,
            _ => Verdict::Different,
        },
    }
}

/// Returns whether one part of a conjunction gives a value to a name.
fn gives_value(
    arena: &mut Arena,
    statement: &Statement,
    value: &Value,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let Statement::And(parts) = statement else { return false };
    parts.iter().any(|part| match named_values(arena, part) {
        Some(mut named) if named.len() == 1 => {
            values(arena, &named.remove(0), value, oracle) == Verdict::Same
        }
        _ => false,
    })
}

/// Compares a relation with a set of numbers: `x>1` and `(1,\infty)`, `x>a` and `(a,\infty)`. The unknown is the
/// only name of the relation that does not occur in the set.
pub(super) fn relation_and_set(
    arena: &mut Arena,
    statement: &Statement,
    set: &Value,
    swapped: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let is_set = match set {
        Value::Set(items) => items.iter().all(|item| matches!(item, Value::Scalar(_))),
        // Relations are solved over the reals.
        Value::Numbers(numbers) => *numbers != NumberSet::Complexes,
        Value::Combined(..) | Value::Builder(..) => true,
        Value::Sequence { items, .. } => items.len() == 2,
        _ => false,
    };
    if !is_set || statement::has_atom(statement) {
        return None;
    }
    let mut about = Vec::new();
    symbols(arena, statement, &mut about);
    let statement = statement::normal(arena, statement.clone(), false, oracle);
    let statement = &statement::of_solutions(statement);
    symbols(arena, statement, &mut about);
    // No value solves a contradiction, whatever its unknowns are.
    if statement::is_empty(set) && about.len() > 1 {
        let nowhere = Statement::Constant(false);
        return Some(statement::compare(arena, statement, &nowhere, oracle));
    }
    let placeholder = unnamed_element(arena);
    let unnamed = arena.variable_of(placeholder);
    let within = Statement::Belongs {
        left: Box::new(Value::Scalar(unnamed)),
        relation: Relation::In,
        right: Box::new(set.clone()),
    };
    let mut within = statement::normal(arena, within, false, oracle);
    if !statement::is_of_numbers(&within) {
        return None;
    }
    let mut names = Vec::new();
    symbols(arena, &within, &mut names);
    names.retain(|name| *name != placeholder);
    let mut unknowns = about.iter().filter(|name| !names.contains(name));
    let unknown = match (set, unknowns.next(), unknowns.next()) {
        (_, Some(only), None) => *only,
        (Value::Builder(name, _), ..) if about.contains(name) && !names.contains(name) => *name,
        (_, None, _) if !about.is_empty() => return Some(Verdict::Unknown),
        // A relation between several unknowns is not a set of numbers.
        (Value::Builder(..), Some(_), Some(_)) => return Some(Verdict::Different),
        _ => return None,
    };
    let element = arena.variable_of(unknown);
    statement::rename(arena, &mut within, placeholder, element);
    let verdict = if swapped {
        statement::compare(arena, &within, statement, oracle)
    } else {
        statement::compare(arena, statement, &within, oracle)
    };
    // The ends of an interval are in order, which restricts the values of letters in them.
    let is_open = verdict == Verdict::Different && has_letter_at_an_end(arena, set);
    Some(if is_open { Verdict::Unknown } else { verdict })
}

/// Returns whether an interval with two finite ends, one of which has a letter, occurs in a set.
fn has_letter_at_an_end(arena: &Arena, set: &Value) -> bool {
    match set {
        Value::Combined(_, parts) => parts.iter().any(|part| has_letter_at_an_end(arena, part)),
        Value::Sequence { items, .. } => {
            let ends = items.iter().map(|item| match item {
                Value::Scalar(end) => Some(*end),
                _ => None,
            });
            let ends: Option<Vec<Id>> = ends.collect();
            ends.is_some_and(|ends| {
                ends.iter().all(|end| statement::infinite(arena, *end).is_none())
                    && ends.iter().any(|end| !arena.is_constant(*end))
            })
        }
        _ => false,
    }
}

/// Returns the values that equations joined by *and* give to their names.
pub(super) fn several_named(statement: &Statement) -> Option<Vec<Value>> {
    let Statement::And(parts) = statement else { return None };
    parts
        .iter()
        .map(|part| match part {
            Statement::Compare { relation: Relation::Equal, right, named: true, .. } => {
                Some(Value::Scalar(*right))
            }
            _ => None,
        })
        .collect()
}

/// Returns whether a relation only gives constants to names: `x=1` and `y=2`, but not `y=2x` and `x=1`.
pub(super) fn is_assignment(arena: &Arena, statement: &Statement) -> bool {
    several_named(statement).is_some_and(|values| {
        values.iter().all(|value| matches!(value, Value::Scalar(value) if arena.is_constant(*value)))
    })
}

fn equation_of_a_name(item: &Value) -> Option<Statement> {
    match item {
        Value::Statement(statement @ Statement::Compare { relation: Relation::Equal, named: true, .. }) => {
            Some(statement.clone())
        }
        _ => None,
    }
}

pub(super) fn of_one_name(equations: &[Statement]) -> bool {
    let name = |statement: &Statement| match statement {
        Statement::Compare { left, .. } => Some(*left),
        _ => None,
    };
    equations.windows(2).all(|pair| name(&pair[0]) == name(&pair[1]))
}

/// Returns the value of `a = b = c` without unknowns, unless two sides certainly differ, and whether all sides are
/// certainly the same.
fn computed(arena: &mut Arena, statement: &Statement, oracle: &mut BoundedOracle<'_>) -> Option<(Id, bool)> {
    let parts = match statement {
        Statement::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (mut value, mut is_true) = (None, true);
    for part in parts {
        let &Statement::Compare { left, relation: Relation::Equal, right, .. } = part else { return None };
        let follows = value.is_none_or(|before| before == left);
        if !follows || !arena.is_constant(left) || !arena.is_constant(right) {
            return None;
        }
        match oracle.same(arena, left, right) {
            Verdict::Same => {}
            Verdict::Different => return None,
            Verdict::Unknown => is_true = false,
        }
        value = Some(right);
    }
    Some((value?, is_true))
}

/// Returns the value of `name = a = b`, if all sides after the name are the same.
fn chain_value(arena: &mut Arena, statement: &Statement, oracle: &mut BoundedOracle<'_>) -> Option<Id> {
    let Statement::And(parts) = statement else { return None };
    let mut value = None;
    for part in parts {
        let Statement::Compare { left, relation: Relation::Equal, right, named } = part else {
            return None;
        };
        match value {
            None if *named => {}
            Some(before) if before == *left => {
                if oracle.same(arena, *left, *right) != Verdict::Same {
                    return None;
                }
            }
            _ => return None,
        }
        value = Some(*right);
    }
    value
}

/// Returns the values that a statement assigns to a name: `x=3`, `x=1` or `x=2`, `x\in M`, `(p,q)=(3,2)`.
pub(super) fn named_values(arena: &Arena, statement: &Statement) -> Option<Vec<Value>> {
    match statement {
        Statement::Compare { relation: Relation::Equal, right, named: true, .. } => {
            Some(vec![Value::Scalar(*right)])
        }
        // "x=1 and x=2" lists two values, although no number equals both.
        Statement::Or(parts) | Statement::And(parts) => {
            let mut name = None;
            let mut values = Vec::with_capacity(parts.len());
            for part in parts {
                let Statement::Compare { left, relation: Relation::Equal, right, named: true } = part else {
                    return None;
                };
                if *name.get_or_insert(*left) != *left {
                    return None;
                }
                values.push(Value::Scalar(*right));
            }
            Some(values)
        }
        // For example `f(x)` with a piecewise value.
        Statement::Belongs { relation: Relation::Equal, right, .. }
            if matches!(**right, Value::Pieces(_)) =>
        {
            Some(vec![right.as_ref().clone()])
        }
        Statement::Belongs { left, relation: Relation::Equal | Relation::In, right } => {
            let is_matrix = matches!(**right, Value::Matrix { .. });
            let name = |value: &Value| match value {
                Value::Scalar(id) => {
                    matches!(arena.node(*id), Node::Symbol(_)) || is_matrix && names_matrix(arena, *id)
                }
                _ => false,
            };
            let names = match left.as_ref() {
                Value::Sequence { items, .. } => items.iter().all(name),
                Value::Ratio(parts) => parts.iter().all(|part| matches!(arena.node(*part), Node::Symbol(_))),
                other => name(other),
            };
            names.then(|| vec![right.as_ref().clone()])
        }
        _ => None,
    }
}

/// Returns whether a side beside a matrix in full only names it: `A^{-1}`, `A^T`, `AB`, `\vec a\times\vec b`.
fn names_matrix(arena: &Arena, id: Id) -> bool {
    let starts_with = |id: Id, is_start: &dyn Fn(&str) -> bool| matches!(arena.node(id), Node::Symbol(name) if is_start(arena.name(name)));
    let is_letter = |id: Id| {
        starts_with(id, &|name| {
            name.starts_with(|c: char| c.is_ascii_uppercase()) || name.starts_with("\\vec{")
        })
    };
    let is_factor = |id: Id| match arena.node(id) {
        Node::Power(base, exponent) => {
            let is_sign = exponent == Arena::MINUS_ONE || starts_with(exponent, &|name| name == "T");
            is_sign && is_letter(base)
        }
        _ => is_letter(id),
    };
    match arena.node(id) {
        Node::Product(factors) => factors.iter().all(|factor| is_factor(*factor)),
        _ => is_factor(id),
    }
}
