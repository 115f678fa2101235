//! Membership in a set as a statement about its element.

use super::compare::has_bound;
use super::domains::undefined;
use super::read::BOUND;
use super::statement::{compare_to, infinite, normal, rename};
use super::{BoundedOracle, Combination, Statement, Value};
use crate::expr::{Arena, Id, Symbol};
use crate::syntax::{Delimiter, Relation};
use std::cmp::Ordering;

/// Returns a placeholder for the element of a set. No set contains this name, so it can be used before the
/// names in the sets are known.
pub(super) fn unnamed_element(arena: &mut Arena) -> Symbol {
    arena.symbol(&format!("{BOUND}element"))
}

/// Returns membership in a set as a statement without the set; `None` if there is no such statement.
pub(super) fn membership(
    arena: &mut Arena,
    element: Id,
    set: &Value,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    match set {
        Value::Set(items) if items.is_empty() => Some(Statement::Constant(false)),
        // Names that are bound in a set builder are not unknowns.
        Value::Builder(_, condition) if has_bound(arena, condition) => None,
        Value::Builder(name, condition) => {
            let mut condition = condition.clone();
            rename(arena, &mut condition, *name, element);
            Some(condition)
        }
        Value::Set(items) => items
            .iter()
            .map(|item| match item {
                Value::Scalar(value) => Some(compare_to(element, Relation::Equal, *value)),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(Statement::Or),
        Value::Sequence { open, close, items } => {
            let [Value::Scalar(from), Value::Scalar(to)] = items.as_slice() else { return None };
            let relation = |side| match side {
                Delimiter::Bracket => Some(Relation::LessEqual),
                Delimiter::Paren | Delimiter::Reversed => Some(Relation::Less),
                _ => None,
            };
            let (open, close) = (relation(*open)?, relation(*close)?);
            let is_closed = (open, close) == (Relation::LessEqual, Relation::LessEqual);
            match order_of_constants(arena, [*from, *to], oracle) {
                // `(3,1)` is a point, not an empty interval.
                Some(Ordering::Greater) => return None,
                Some(Ordering::Equal) if !is_closed => return None,
                _ => {}
            }
            let mut parts = Vec::with_capacity(2);
            match (infinite(arena, *from), open, close, infinite(arena, *to)) {
                // Infinity is not an element of an interval of numbers, and the ends of an interval are in
                // order.
                (Some(_), Relation::LessEqual, ..) | (.., Relation::LessEqual, Some(_)) => return None,
                (Some(Ordering::Greater), ..) | (.., Some(Ordering::Less)) => return None,
                _ => {}
            }
            if infinite(arena, *from) != Some(Ordering::Less) {
                parts.push(compare_to(*from, open, element));
            }
            if infinite(arena, *to) != Some(Ordering::Greater) {
                parts.push(compare_to(element, close, *to));
            }
            Some(if parts.is_empty() {
                // This holds for every real number, but is still a statement about the element.
                compare_to(element, Relation::LessEqual, element)
            } else {
                Statement::And(parts)
            })
        }
        Value::Combined(kind, parts) => {
            let parts = parts
                .iter()
                .map(|part| membership(arena, element, part, oracle))
                .collect::<Option<Vec<_>>>()?;
            let within = within(arena, element, *kind, parts, oracle)?;
            Some(if *kind == Combination::Complement {
                // The element is a real number.
                Statement::And(vec![compare_to(element, Relation::LessEqual, element), within])
            } else {
                within
            })
        }
        _ => None,
    }
}

/// Returns the order of the ends of an interval if both are finite constants. Ends that cannot be told apart count as
/// being in order.
fn order_of_constants(
    arena: &mut Arena,
    [from, to]: [Id; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Ordering> {
    if let (Some(low), Some(high)) = (arena.as_number(from), arena.as_number(to)) {
        return Some(low.cmp(high));
    }
    let is_finite = |id: Id| arena.is_constant(id) && infinite(arena, id).is_none();
    if !is_finite(from) || !is_finite(to) {
        return None;
    }
    let length = arena.sub(from, to);
    oracle.sign(arena, length)
}

/// Returns membership in a combination of sets of numbers from membership in each of them.
fn within(
    arena: &mut Arena,
    element: Id,
    kind: Combination,
    mut parts: Vec<Statement>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    Some(match kind {
        Combination::Union | Combination::Intersection => combination(kind, parts),
        // A complement has only the set that is left out.
        Combination::Difference | Combination::Complement => {
            let left_out = parts.pop()?;
            parts.push(complement(arena, element, left_out, oracle)?);
            Statement::And(parts)
        }
    })
}

/// Returns the statement that an element is not in a set, from the statement that it is. Unlike the negation of a
/// comparison, it also holds where a side that depends on the element has no value: what is not in
/// `\{x\mid\sqrt{x}>2\}` includes the negative numbers. A set whose parameters give it no value, such as `\{\frac1a\}` for
/// `a=0`, has no complement. `None` if that is not a statement about numbers.
pub(super) fn complement(
    arena: &mut Arena,
    element: Id,
    statement: Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    fn of_normal(
        arena: &mut Arena,
        element: Id,
        statement: Statement,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<Statement> {
        let all = |arena: &mut Arena, parts: Vec<Statement>, oracle: &mut BoundedOracle<'_>| {
            parts.into_iter().map(|part| of_normal(arena, element, part, oracle)).collect::<Option<Vec<_>>>()
        };
        Some(match statement {
            Statement::And(parts) => Statement::Or(all(arena, parts, oracle)?),
            Statement::Or(parts) => Statement::And(all(arena, parts, oracle)?),
            Statement::Not(inner) => *inner,
            Statement::Constant(truth) => Statement::Constant(!truth),
            Statement::Compare { .. } => {
                let mut cases = undefined(arena, element, &statement, oracle)?;
                let negation = normal(arena, statement, true, oracle);
                if cases.is_empty() {
                    negation
                } else {
                    cases.push(negation);
                    Statement::Or(cases)
                }
            }
            Statement::Atom(_) | Statement::Belongs { .. } => Statement::Not(Box::new(statement)),
        })
    }
    let statement = normal(arena, statement, false, oracle);
    of_normal(arena, element, statement, oracle)
}

/// Returns membership in a combination of sets from membership in each of them.
pub(super) fn combination(kind: Combination, mut parts: Vec<Statement>) -> Statement {
    match kind {
        Combination::Union => Statement::Or(parts),
        Combination::Intersection => Statement::And(parts),
        // A complement has only the set that is left out.
        Combination::Difference | Combination::Complement => {
            if let Some(last) = parts.pop() {
                parts.push(Statement::Not(Box::new(last)));
            }
            Statement::And(parts)
        }
    }
}
