//! Differences between two structured values, for people to read.

use super::compare::{has_bound, values};
use super::elements::position;
use super::set_models::is_reals;
use super::sets::as_diagrams;
use super::statement::{self, has_atom, symbols};
use super::truth_table::distinguishing_row;
use super::{BoundedOracle, Combination, Counterexample, Statement, Value, Verdict};
use crate::expr::{Arena, Constant, Id, Symbol};
use crate::syntax::{Delimiter, NumberSet, Relation};
use std::fmt;

/// One side of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The reference.
    First,
    /// The submission.
    Second,
}

/// A difference between two structured values. It may contain parts of the reference: show it to authors,
/// never to learners.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Difference {
    /// The values are of different kinds: `an interval or a pair`, `a set`, ...
    Kind {
        /// The kind of the first value.
        first: &'static str,
        /// The kind of the second value.
        second: &'static str,
    },
    /// The values have different numbers of parts.
    Count {
        /// The number of parts of the first value.
        first: usize,
        /// The number of parts of the second value.
        second: usize,
    },
    /// An end belongs to one interval and not to the other.
    Ends,
    /// The parts with this number, counted from 1, differ.
    Part(usize),
    /// A part, counted from 1, has no counterpart on the other side.
    Missing {
        /// The number of the part.
        number: usize,
        /// The side with the part.
        of: Side,
    },
    /// One statement holds at a point where the other does not, or a number belongs to only one of the sets.
    Holds {
        /// The names with their values at the point as LaTeX, or with their truth values. A value without a
        /// formula is a decimal.
        point: Vec<(String, String)>,
        /// The side whose statement holds or whose set contains the number.
        only: Side,
    },
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind { first, second } => write!(f, "{first} and {second}"),
            Self::Count { first, second } => {
                let parts = if *first == 1 { "part" } else { "parts" };
                write!(f, "{first} {parts} and {second}")
            }
            Self::Ends => f.write_str("an end belongs to one and not to the other"),
            Self::Part(number) => write!(f, "part {number} differs"),
            Self::Missing { number, of } => {
                write!(f, "part {number} of the {of} is not in the {}", of.other())
            }
            Self::Holds { point, only } if point.is_empty() => write!(f, "only the {only} holds"),
            Self::Holds { point, only } => {
                let point: Vec<String> =
                    point.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                write!(f, "at {} only the {only} holds", point.join(", "))
            }
        }
    }
}

/// Returns a difference between two values that are known to be different; `None` if none is found.
pub(super) fn difference(
    arena: &mut Arena,
    a: &Value,
    b: &Value,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Difference> {
    find(arena, a, b, oracle)
}

/// Describes a point at which only one of two relations holds, with coordinates in LaTeX.
pub(super) fn describe(
    arena: &mut Arena,
    found: Counterexample,
    oracle: &mut BoundedOracle<'_>,
) -> Difference {
    let point = found
        .point
        .into_iter()
        .map(|(name, mut at)| (arena.name(name).to_owned(), at.latex(arena, oracle)))
        .collect();
    Difference::Holds { point, only: if found.first { Side::First } else { Side::Second } }
}

fn find(arena: &mut Arena, a: &Value, b: &Value, oracle: &mut BoundedOracle<'_>) -> Option<Difference> {
    match (a, b) {
        (Value::Statement(a), Value::Statement(b)) => statements(arena, [a, b], oracle),
        (Value::List(first), Value::List(second)) if scalars(first) && scalars(second) => {
            in_order(arena, first, second, oracle)
        }
        (
            Value::Set(first) | Value::Several(first) | Value::List(first),
            Value::Set(second) | Value::Several(second) | Value::List(second),
        ) => in_any_order(arena, [first, second], oracle),
        (
            Value::Sequence { open, close, items },
            Value::Sequence { open: open_b, close: close_b, items: items_b },
        ) => {
            let belongs = |side: &Delimiter| *side == Delimiter::Bracket;
            match in_order(arena, items, items_b, oracle) {
                None if belongs(open) != belongs(open_b) || belongs(close) != belongs(close_b) => {
                    Some(Difference::Ends)
                }
                found => found,
            }
        }
        (Value::Matrix { columns, entries }, Value::Matrix { columns: columns_b, entries: entries_b })
            if columns == columns_b =>
        {
            in_order(arena, entries, entries_b, oracle)
        }
        (Value::Ratio(first), Value::Ratio(second)) => counts(first.len(), second.len()),
        (Value::Combined(..), _) | (_, Value::Combined(..)) => element(arena, [a, b], oracle).or_else(|| {
            let [first, second] = as_diagrams(arena, [a, b])?;
            statements(arena, [&first, &second], oracle)
        }),
        _ => {
            let (first, second) = (kind(a), kind(b));
            element(arena, [a, b], oracle)
                .or_else(|| (first != second).then_some(Difference::Kind { first, second }))
        }
    }
}

/// Returns a number that belongs to only one of two sets; a relation with one unknown is the set of its
/// solutions.
fn element(arena: &mut Arena, sides: [&Value; 2], oracle: &mut BoundedOracle<'_>) -> Option<Difference> {
    let mut names = Vec::new();
    for side in sides {
        match side {
            Value::Statement(statement) => symbols(arena, statement, &mut names),
            Value::Set(_) | Value::Builder(..) | Value::Combined(..) | Value::Numbers(_) => {}
            Value::Sequence { items, .. } if items.len() == 2 => {}
            _ => return None,
        }
    }
    if let Some((value, only)) = beyond_the_rationals(arena, sides, oracle) {
        return Some(Difference::Holds { point: vec![("x".to_owned(), value.to_owned())], only });
    }
    if sides.iter().any(|side| matches!(side, Value::Builder(_, condition) if has_bound(arena, condition))) {
        return None;
    }
    let name = match names[..] {
        [] => arena.symbol("x"),
        [name] => name,
        _ => return None,
    };
    let left = Box::new(Value::Scalar(arena.variable_of(name)));
    let [first, second] = sides.map(|side| match side {
        Value::Statement(statement) => statement.clone(),
        set => {
            Statement::Belongs { left: left.clone(), relation: Relation::In, right: Box::new(set.clone()) }
        }
    });
    oracle.counterexample = None;
    if statement::compare(arena, &first, &second, oracle) != Verdict::Different {
        return None;
    }
    let found = oracle.counterexample.take()?;
    Some(describe(arena, found, oracle))
}

/// Returns a number that belongs to only one of two sets: `i`, `2i` or `1+i` if one is the complex numbers,
/// or `\sqrt{2}` for the reals and the rationals.
fn beyond_the_rationals(
    arena: &mut Arena,
    sides: [&Value; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<(&'static str, Side)> {
    let is = |at: usize, set: NumberSet| matches!(sides[at], Value::Numbers(known) if *known == set);
    [(0, Side::First), (1, Side::Second)].into_iter().find_map(|(at, side)| {
        if is(at, NumberSet::Complexes) && !is(1 - at, NumberSet::Complexes) {
            let i = arena.constant(Constant::I);
            let numbers = [("i", i), ("2i", arena.mul(Arena::TWO, i)), ("1+i", arena.add(Arena::ONE, i))];
            let outside = |(_, number): &(&str, Id)| is_outside(arena, *number, sides[1 - at], oracle);
            return numbers.into_iter().find(outside).map(|(text, _)| (text, side));
        }
        (is_reals(arena, sides[at]) && is(1 - at, NumberSet::Rationals)).then_some((r"\sqrt{2}", side))
    })
}

/// Returns whether a number that is not real certainly does not belong to a set or solve a relation.
fn is_outside(arena: &mut Arena, number: Id, side: &Value, oracle: &mut BoundedOracle<'_>) -> bool {
    match side {
        Value::Scalar(id) => oracle.same(arena, *id, number) == Verdict::Different,
        Value::Set(items) => items.iter().all(|item| is_outside(arena, number, item, oracle)),
        Value::Combined(Combination::Union, parts) => {
            parts.iter().all(|part| is_outside(arena, number, part, oracle))
        }
        Value::Combined(Combination::Intersection, parts) => {
            parts.iter().any(|part| is_outside(arena, number, part, oracle))
        }
        Value::Combined(Combination::Difference, parts) => {
            parts.first().is_some_and(|first| is_outside(arena, number, first, oracle))
        }
        Value::Combined(Combination::Complement, _) => true,
        Value::Numbers(set) => *set != NumberSet::Complexes,
        Value::Sequence { .. } => true,
        Value::Statement(statement) | Value::Builder(_, statement) => {
            let mut names = Vec::new();
            symbols(arena, statement, &mut names);
            names.len() == 1 && fails_at(arena, number, names[0], statement, oracle)
        }
        _ => false,
    }
}

/// Returns whether a relation in one name certainly does not hold for a number that is not real.
fn fails_at(
    arena: &mut Arena,
    number: Id,
    name: Symbol,
    statement: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    match statement {
        Statement::And(parts) => parts.iter().any(|part| fails_at(arena, number, name, part, oracle)),
        Statement::Or(parts) => parts.iter().all(|part| fails_at(arena, number, name, part, oracle)),
        Statement::Constant(truth) => !truth,
        Statement::Belongs { left, relation: Relation::In, right } => {
            let is_name = matches!(**left, Value::Scalar(id) if id == arena.variable_of(name));
            is_name && is_outside(arena, number, right, oracle)
        }
        Statement::Compare { left, relation: Relation::Equal, right, .. } => {
            let difference = arena.sub(*left, *right);
            let difference = arena.substitute(difference, name, number);
            oracle.vanishes(arena, difference) == Verdict::Different
        }
        // Only real numbers have an order.
        Statement::Compare { left, relation: Relation::Less | Relation::LessEqual, right, .. } => {
            [*left, *right].contains(&arena.variable_of(name))
        }
        _ => false,
    }
}

fn scalars(items: &[Value]) -> bool {
    items.iter().all(|item| matches!(item, Value::Scalar(_)))
}

fn counts(first: usize, second: usize) -> Option<Difference> {
    (first != second).then_some(Difference::Count { first, second })
}

fn in_order(
    arena: &mut Arena,
    a: &[Value],
    b: &[Value],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Difference> {
    counts(a.len(), b.len()).or_else(|| {
        let differs = |(a, b): (&Value, &Value)| values(arena, a, b, oracle) == Verdict::Different;
        a.iter().zip(b).position(differs).map(|at| Difference::Part(at + 1))
    })
}

fn in_any_order(
    arena: &mut Arena,
    [a, b]: [&[Value]; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Difference> {
    [(Side::First, a, b), (Side::Second, b, a)].into_iter().find_map(|(of, from, list)| {
        let free = vec![true; list.len()];
        let alone = |item: &Value| position(arena, item, list, &free, oracle).0 == Verdict::Different;
        from.iter().position(alone).map(|at| Difference::Missing { number: at + 1, of })
    })
}

fn statements(
    arena: &mut Arena,
    sides: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Difference> {
    let side = |first| if first { Side::First } else { Side::Second };
    if sides.iter().any(|side| has_atom(side)) {
        let (row, first) = distinguishing_row(arena, sides, oracle)?;
        let point: Vec<_> = row.into_iter().map(|(name, truth)| (name, truth.to_string())).collect();
        return (!point.is_empty()).then_some(Difference::Holds { point, only: side(first) });
    }
    None
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Scalar(_) => "a single value",
        Value::Statement(_) => "a statement",
        Value::Set(_)
        | Value::Builder(..)
        | Value::PointsWith(..)
        | Value::Combined(..)
        | Value::Gathered { .. }
        | Value::Numbers(_) => "a set",
        Value::Several(_) | Value::List(_) => "several values",
        Value::Sequence { items, .. } if items.len() == 2 => "an interval or a pair",
        Value::Sequence { .. } => "a list in brackets",
        Value::Ratio(_) => "a ratio",
        Value::Matrix { .. } => "a matrix",
        Value::Pieces(_) => "a piecewise value",
        Value::Unclear(_) => "a statement",
        Value::Readings(readings) => readings.first().map_or("several values", kind),
    }
}
