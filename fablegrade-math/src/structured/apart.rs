//! Statements that are not solved, told apart by a point at which one of them holds alone.

use super::statement::{infinite, symbols};
use super::{Asking, Statement, Value};
use crate::expr::{Arena, Id, Node, Symbol};
use crate::number::Rational;
use crate::syntax::{NumberSet, Relation};
use std::cmp::Ordering;

/// Values at which statements are looked at that are not solved, as numerator and denominator.
const LOOKS: [(i64, i64); 16] = [
    (0, 1),
    (1, 1),
    (-1, 1),
    (2, 1),
    (-2, 1),
    (1, 2),
    (-1, 2),
    (3, 1),
    (-3, 1),
    (5, 2),
    (-5, 2),
    (10, 1),
    (-10, 1),
    (1, 10),
    (100, 1),
    (-100, 1),
];

/// Most points on boundaries that are looked at.
const MOST_BOUNDARIES: usize = 8;

/// Most points that equations say.
const MOST_ASSIGNMENTS: usize = 16;

/// What tells two statements apart.
pub(super) enum Apart {
    /// Nothing that was found.
    Nothing,
    /// They are about infinity, or about other names.
    Kind,
    /// A point, and whether it is the first that holds there.
    Point(Vec<(Symbol, Id)>, bool),
}

/// Whether at one of a few points one statement holds and the other does not.
pub(super) fn told_apart(arena: &mut Arena, [a, b]: [&Statement; 2], asking: &mut Asking<'_>) -> Apart {
    // of infinite bounds no number tells
    if has_infinite_bound(arena, a) || has_infinite_bound(arena, b) {
        return Apart::Kind;
    }
    let mut names = Vec::new();
    symbols(arena, a, &mut names);
    let first = names.len();
    symbols(arena, b, &mut names);
    let mut others = Vec::new();
    symbols(arena, b, &mut others);
    if first > 0 && !others.is_empty() && !others.iter().any(|name| names[..first].contains(name)) {
        // about other names altogether
        return Apart::Kind;
    }
    let mut points: Vec<Vec<(Symbol, Id)>> = assignments(arena, a);
    points.extend(assignments(arena, b));
    let mut edges = Vec::new();
    boundaries(arena, a, &mut edges);
    boundaries(arena, b, &mut edges);
    points.append(&mut edges);
    for look in 0..LOOKS.len() {
        // other values for other names
        points.push(
            names.iter().enumerate().map(|(at, name)| (*name, look_at(arena, look + 5 * at))).collect(),
        );
    }
    for mut point in points {
        for (at, name) in names.iter().enumerate() {
            if point.iter().all(|(known, _)| known != name) {
                point.push((*name, look_at(arena, at)));
            }
        }
        if !asking.admits(arena, &point) {
            continue;
        }
        if let (Some(first), Some(second)) =
            (holds_at(arena, a, &point, asking), holds_at(arena, b, &point, asking))
            && first != second
        {
            return Apart::Point(point, first);
        }
    }
    Apart::Nothing
}

pub(super) fn look_at(arena: &mut Arena, look: usize) -> Id {
    let (numerator, denominator) = LOOKS[look % LOOKS.len()];
    arena.fraction(numerator, denominator)
}

/// The points that equations of names with constants say, as far as they do.
fn assignments(arena: &Arena, statement: &Statement) -> Vec<Vec<(Symbol, Id)>> {
    match statement {
        Statement::Compare { left, relation: Relation::Equal, right, .. } => {
            let name = |id| match arena.node(id) {
                Node::Symbol(symbol) => Some(symbol),
                _ => None,
            };
            match (name(*left), name(*right)) {
                (Some(symbol), _) if arena.is_constant(*right) => vec![vec![(symbol, *right)]],
                (_, Some(symbol)) if arena.is_constant(*left) => vec![vec![(symbol, *left)]],
                _ => vec![Vec::new()],
            }
        }
        Statement::Or(parts) => {
            let mut all: Vec<_> = parts.iter().flat_map(|part| assignments(arena, part)).collect();
            all.truncate(MOST_ASSIGNMENTS);
            all
        }
        Statement::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let more = assignments(arena, part);
                all = all
                    .iter()
                    .flat_map(|known: &Vec<(Symbol, Id)>| {
                        more.iter().map(move |next| {
                            let mut point = known.clone();
                            point.extend(
                                next.iter().filter(|(name, _)| known.iter().all(|(other, _)| other != name)),
                            );
                            point
                        })
                    })
                    .take(MOST_ASSIGNMENTS)
                    .collect();
            }
            all
        }
        _ => vec![Vec::new()],
    }
}

/// A point on the boundary of each comparison that is linear in a name: where `<` and `<=` part.
fn boundaries(arena: &mut Arena, statement: &Statement, points: &mut Vec<Vec<(Symbol, Id)>>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            for part in parts {
                boundaries(arena, part, points);
            }
        }
        Statement::Not(inner) => boundaries(arena, inner, points),
        Statement::Compare { left, right, .. } if points.len() < MOST_BOUNDARIES => {
            let mut difference = arena.sub(*left, *right);
            let free: Vec<Symbol> = arena.free(difference).iter().collect();
            let Some((first, others)) = free.split_first() else { return };
            let mut point = Vec::with_capacity(free.len());
            for (at, name) in others.iter().enumerate() {
                let value = look_at(arena, at + 1);
                difference = arena.substitute(difference, *name, value);
                point.push((*name, value));
            }
            let at_zero = arena.substitute(difference, *first, Arena::ZERO);
            let at_one = arena.substitute(difference, *first, Arena::ONE);
            let slope = arena.sub(at_one, at_zero);
            if slope == Arena::ZERO {
                return;
            }
            let ratio = arena.div(at_zero, slope);
            point.push((*first, arena.neg(ratio)));
            points.push(point);
        }
        _ => {}
    }
}

fn has_infinite_bound(arena: &Arena, statement: &Statement) -> bool {
    match statement {
        Statement::Compare { left, right, .. } => {
            infinite(arena, *left).or(infinite(arena, *right)).is_some()
        }
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().any(|part| has_infinite_bound(arena, part))
        }
        Statement::Not(inner) => has_infinite_bound(arena, inner),
        _ => false,
    }
}

/// Whether a statement holds at a point, where that can be told.
fn holds_at(
    arena: &mut Arena,
    statement: &Statement,
    point: &[(Symbol, Id)],
    asking: &mut Asking<'_>,
) -> Option<bool> {
    match statement {
        Statement::Constant(truth) => Some(*truth),
        Statement::Not(inner) => holds_at(arena, inner, point, asking).map(|truth| !truth),
        Statement::And(parts) | Statement::Or(parts) => {
            let all = matches!(statement, Statement::And(_));
            let mut known = true;
            for part in parts {
                match holds_at(arena, part, point, asking) {
                    Some(truth) if truth != all => return Some(truth),
                    Some(_) => {}
                    None => known = false,
                }
            }
            known.then_some(all)
        }
        Statement::Compare { left, relation, right, .. } => {
            let mut difference = arena.sub(*left, *right);
            for (name, value) in point {
                difference = arena.substitute(difference, *name, *value);
            }
            let sign = asking.sign(arena, difference)?;
            match relation {
                Relation::Equal => Some(sign == Ordering::Equal),
                Relation::NotEqual => Some(sign != Ordering::Equal),
                Relation::Less => Some(sign == Ordering::Less),
                Relation::LessEqual => Some(sign != Ordering::Greater),
                _ => None,
            }
        }
        Statement::Belongs { left, relation: Relation::In, right } => {
            let (Value::Scalar(element), Value::Numbers(set)) = (left.as_ref(), right.as_ref()) else {
                return None;
            };
            let mut element = *element;
            for (name, value) in point {
                element = arena.substitute(element, *name, *value);
            }
            let number = arena.as_number(element)?;
            let (whole, order) = (number.is_integer(), number.cmp(&Rational::ZERO));
            match (*set, order) {
                (NumberSet::Integers, _) => Some(whole),
                // 0 is one for some and none for others
                (NumberSet::Naturals, Ordering::Equal) => None,
                (NumberSet::Naturals, order) => Some(whole && order == Ordering::Greater),
                (NumberSet::NaturalsAndZero, order) => Some(whole && order != Ordering::Less),
                (NumberSet::PositiveIntegers, order) => Some(whole && order == Ordering::Greater),
                (NumberSet::Rationals | NumberSet::Reals | NumberSet::Complexes, _) => Some(true),
            }
        }
        Statement::Belongs { .. } | Statement::Atom(_) => None,
    }
}
