//! Comparison of listed values in order, in any order, or up to a factor.

use super::compare::values;
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Symbol};
use crate::syntax::Relation;

/// Returns the listed values, with or without brackets.
pub(super) fn items(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Set(items) | Value::Several(items) | Value::List(items) | Value::Sequence { items, .. } => {
            Some(items)
        }
        _ => None,
    }
}

pub(super) fn lists_no_statement(value: &Value) -> bool {
    items(value).is_some_and(|items| !items.iter().any(|item| matches!(item, Value::Statement(_))))
}

/// Returns whether values of different names are listed: `x=1, y=2`.
pub(super) fn names_several(value: &Value) -> bool {
    let Some(items) = items(value) else { return false };
    let mut names = items.iter().map(|item| match item {
        Value::Statement(Statement::Compare { left, relation: Relation::Equal, named: true, .. }) => {
            Some(*left)
        }
        _ => None,
    });
    match names.next() {
        Some(Some(first)) => names.any(|name| name.is_some_and(|name| name != first)),
        _ => false,
    }
}

pub(super) fn pairwise(
    arena: &mut Arena,
    a: &[Value],
    b: &[Value],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    if a.len() != b.len() {
        return Verdict::Different;
    }
    let mut all = Verdict::Same;
    for (a, b) in a.iter().zip(b) {
        all = all.and(values(arena, a, b, oracle));
        if all == Verdict::Different {
            break;
        }
    }
    all
}

/// Decides whether `item` is among the elements of `list` that are `free`. The second value is its index if
/// the verdict is [`Verdict::Same`].
pub(super) fn position(
    arena: &mut Arena,
    item: &Value,
    list: &[Value],
    free: &[bool],
    oracle: &mut BoundedOracle<'_>,
) -> (Verdict, usize) {
    let mut found = Verdict::Different;
    // A point at which two elements differ is not a difference between the lists.
    let kept = oracle.counterexample.take();
    // Identical values in brackets, such as intervals of numbers, are found first: there may be many, and
    // comparing them by their parts is slow.
    if is_of_numbers(arena, item)
        && let Some(at) = (0..list.len()).find(|at| free[*at] && list[*at] == *item)
    {
        oracle.counterexample = kept;
        return (Verdict::Same, at);
    }
    let mut place = 0;
    for (at, other) in list.iter().enumerate() {
        if !free[at] {
            continue;
        }
        match values(arena, item, other, oracle) {
            Verdict::Same => {
                (found, place) = (Verdict::Same, at);
                break;
            }
            Verdict::Unknown => found = Verdict::Unknown,
            Verdict::Different => {}
        }
    }
    oracle.counterexample = kept;
    (found, place)
}

/// Returns whether a value in brackets contains only rational numbers.
fn is_of_numbers(arena: &Arena, value: &Value) -> bool {
    let is_number = |item: &Value| matches!(item, Value::Scalar(id) if arena.as_number(*id).is_some());
    matches!(value, Value::Sequence { items, .. } if items.iter().all(is_number))
}

/// Decides whether two lists have the same elements, regardless of repetitions. With letters, they are
/// different only if they differ at a point.
pub(super) fn same_elements(
    arena: &mut Arena,
    a: &[Value],
    b: &[Value],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    match same_one_by_one(arena, a, b, oracle) {
        Verdict::Different if !differ_at_a_point(arena, [a, b], oracle).unwrap_or(true) => Verdict::Unknown,
        verdict => verdict,
    }
}

/// Returns whether lists of scalars with letters differ at one of a few points; `None` if there are no
/// letters, or if an element is not a scalar.
fn differ_at_a_point(
    arena: &mut Arena,
    [a, b]: [&[Value]; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    let scalar = |value: &Value| match value {
        Value::Scalar(id) => Some(*id),
        _ => None,
    };
    let all: Vec<Id> = a.iter().chain(b).map(scalar).collect::<Option<_>>()?;
    let mut names: Vec<Symbol> = Vec::new();
    for id in &all {
        names.extend(arena.free(*id).iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
    }
    if names.is_empty() {
        return None;
    }
    for look in 0..4 {
        let point: Vec<(Symbol, Id)> =
            names.iter().enumerate().map(|(at, name)| (*name, probe(arena, look + 3 * at))).collect();
        if !oracle.admits(arena, &point) {
            continue;
        }
        let values: Vec<Value> = all
            .iter()
            .map(|id| point.iter().fold(*id, |id, (name, value)| arena.substitute(id, *name, *value)))
            .map(Value::Scalar)
            .collect();
        let (first, second) = values.split_at(a.len());
        if same_one_by_one(arena, first, second, oracle) == Verdict::Different {
            return Some(true);
        }
    }
    Some(false)
}

/// Returns a trial value for a letter.
fn probe(arena: &mut Arena, at: usize) -> Id {
    const VALUES: [(i64, i64); 7] = [(2, 1), (-2, 1), (1, 2), (3, 1), (-5, 2), (10, 1), (-1, 3)];
    let (numerator, denominator) = VALUES[at % VALUES.len()];
    arena.fraction(numerator, denominator)
}

fn same_one_by_one(arena: &mut Arena, a: &[Value], b: &[Value], oracle: &mut BoundedOracle<'_>) -> Verdict {
    let mut all = Verdict::Same;
    for (one, other) in [(a, b), (b, a)] {
        let free = vec![true; other.len()];
        for item in one {
            all = all.and(position(arena, item, other, &free, oracle).0);
            if all == Verdict::Different {
                return all;
            }
        }
    }
    all
}

/// Decides whether two lists have the same elements, each the same number of times.
pub(super) fn same_multiset(
    arena: &mut Arena,
    a: &[Value],
    b: &[Value],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    if a.len() != b.len() {
        return Verdict::Different;
    }
    let mut free = vec![true; b.len()];
    let mut all = Verdict::Same;
    for item in a {
        let (verdict, at) = position(arena, item, b, &free, oracle);
        if verdict == Verdict::Same {
            free[at] = false;
        }
        all = all.and(verdict);
        if all == Verdict::Different {
            break;
        }
    }
    all
}

/// Decides whether two ratios are the same up to a factor that is not 0.
pub(super) fn same_proportions(
    arena: &mut Arena,
    a: &[Id],
    b: &[Id],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    if a.len() != b.len() {
        return Verdict::Different;
    }
    let mut all = Verdict::Same;
    for (at, (first, second)) in a.iter().zip(b).enumerate() {
        // A part must be 0 on both sides or on neither. Otherwise 0:0:0 would equal every ratio.
        let zeros = [*first, *second].map(|part| oracle.same(arena, part, Arena::ZERO));
        all = all.and(match zeros {
            [Verdict::Unknown, _] | [_, Verdict::Unknown] => Verdict::Unknown,
            [one, other] if one == other => Verdict::Same,
            _ => Verdict::Different,
        });
        for (later, other) in a.iter().zip(b).skip(at + 1) {
            if all == Verdict::Different {
                return all;
            }
            let (left, right) = (arena.mul(*first, *other), arena.mul(*second, *later));
            all = all.and(oracle.same(arena, left, right));
        }
    }
    all
}
