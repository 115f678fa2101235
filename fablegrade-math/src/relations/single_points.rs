//! Search for single points at which only one of two statements holds, and the truth of statements at points.

use super::coordinate::{Coordinate, Value as At, settled};
use super::line::holds_with;
use super::statement::symbols;
use super::{BoundedOracle, Counterexample, Statement, Value, Verdict};
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol};
use crate::number::Rational;
use crate::syntax::{NumberSet, Relation};
use std::cmp::Ordering;

/// The values at which unknowns are held fixed, as numerator and denominator.
pub(super) const FIXED: [(i64, i64); 7] = [(2, 3), (-1, 5), (5, 4), (-7, 6), (5, 2), (-3, 1), (1, 7)];
/// The integers that are tried.
const WHOLE: [i64; 8] = [0, 1, -1, 2, 4, 6, -3, 10];

/// Collects the differences of the sides of all comparisons in a statement.
pub(super) fn differences_of(arena: &mut Arena, statement: &Statement, differences: &mut Vec<Id>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            for part in parts {
                differences_of(arena, part, differences);
            }
        }
        Statement::Not(inner) => differences_of(arena, inner, differences),
        Statement::Compare { left, right, .. } => differences.push(arena.sub(*left, *right)),
        _ => {}
    }
}

/// Collects, for each comparison of a remainder, the dividend minus the other side. A root of this difference solves an
/// equation exactly. At a root of the remainder minus the other side, rounding hides which multiple is subtracted.
fn dividends_of(arena: &mut Arena, statement: &Statement, differences: &mut Vec<Id>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            for part in parts {
                dividends_of(arena, part, differences);
            }
        }
        Statement::Not(inner) => dividends_of(arena, inner, differences),
        Statement::Compare { left, right, .. } => {
            if let Node::Apply(Function::Mod, &[dividend, _]) = arena.node(*left) {
                differences.push(arena.sub(dividend, *right));
            }
        }
        _ => {}
    }
}

/// Returns the differences whose roots are tried, and whether only integers are tried.
fn candidates(arena: &mut Arena, [a, b]: [&Statement; 2]) -> (Vec<Id>, bool) {
    let mut differences = Vec::new();
    differences_of(arena, a, &mut differences);
    differences_of(arena, b, &mut differences);
    differences.dedup();
    // The names in congruences of integers are integers, but those in congruences of angles are not.
    let is_remainder = |node: Node<'_>| matches!(node, Node::Apply(Function::Mod, _));
    let of_integers = differences
        .iter()
        .any(|difference| arena.any(*difference, is_remainder) && is_of_integers(arena, *difference));
    for side in [a, b] {
        dividends_of(arena, side, &mut differences);
    }
    differences.truncate(4);
    (differences, of_integers)
}

/// Searches for a point at which only one statement holds. Tries small numbers, and replaces one of them by
/// the root of a linear interpolation of a difference of sides. If no point is found, the result is unknown.
pub(super) fn search(arena: &mut Arena, [a, b]: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> Verdict {
    let mut unknowns = Vec::new();
    symbols(arena, a, &mut unknowns);
    symbols(arena, b, &mut unknowns);
    let (differences, of_integers) = candidates(arena, [a, b]);
    for round in 0..FIXED.len() + WHOLE.len() {
        if !oracle.spend_on_parts(arena, &differences, 2 * unknowns.len()) {
            break;
        }
        for difference in core::iter::once(None).chain(differences.iter().copied().map(Some)) {
            let mark = arena.mark();
            let mut point: Vec<(Symbol, Id)> = Vec::with_capacity(unknowns.len());
            for (at, unknown) in unknowns.iter().enumerate() {
                let (numerator, denominator) = match round.checked_sub(WHOLE.len()) {
                    None if round == 0 => (0, 1),
                    None => (WHOLE[(round + 3 * at) % WHOLE.len()], 1),
                    Some(round) => FIXED[(round + 2 * at) % FIXED.len()],
                };
                point.push((*unknown, arena.fraction(numerator, denominator)));
            }
            if let Some(difference) = difference {
                let Some(at) = unknowns.iter().position(|unknown| arena.free(difference).contains(*unknown))
                else {
                    continue;
                };
                let mut on_line = difference;
                for (place, (name, value)) in point.iter().enumerate() {
                    if place != at {
                        on_line = arena.substitute(on_line, *name, *value);
                    }
                }
                let (name, _) = point[at];
                let at_zero = arena.substitute(on_line, name, Arena::ZERO);
                let at_one = arena.substitute(on_line, name, Arena::ONE);
                let slope = arena.sub(at_one, at_zero);
                let ratio = arena.div(at_zero, slope);
                let root = arena.neg(ratio);
                if arena.is_complex(slope) {
                    // The values of names are real.
                    continue;
                }
                if !matches!(oracle.value(arena, slope), At::Sign(Ordering::Less | Ordering::Greater)) {
                    continue;
                }
                let Some(root) = settled(arena, root, oracle) else { continue };
                let Some(root) = root.expression(arena) else { continue };
                point[at].1 = root;
            }
            if arena.overflowed() {
                return Verdict::Unknown;
            }
            let is_whole = |id: Id| arena.as_number(id).is_some_and(Rational::is_integer);
            if of_integers && !point.iter().all(|(_, value)| is_whole(*value)) {
                arena.truncate(&mark);
                continue;
            }
            if oracle.admits(arena, &point)
                && let (Some(first), Some(second)) =
                    (truth_at(arena, a, &point, oracle), truth_at(arena, b, &point, oracle))
                && first != second
            {
                let point = point.into_iter().map(|(name, id)| (name, coordinate(arena, id))).collect();
                oracle.counterexample = Some(Counterexample { point, first });
                return Verdict::Different;
            }
            if !arena.overflowed() {
                arena.truncate(&mark);
            }
        }
    }
    with_complex_names(arena, [a, b], oracle)
}

/// Returns whether all numbers in an expression are integers.
pub(super) fn is_of_integers(arena: &Arena, id: Id) -> bool {
    !arena.any(id, |node| match node {
        Node::Number(number) => !number.is_integer(),
        Node::Constant(_) => true,
        _ => false,
    })
}

fn coordinate(arena: &Arena, id: Id) -> Coordinate {
    match arena.as_number(id) {
        Some(number) => Coordinate::Rational(number.clone()),
        None => Coordinate::Closed(id),
    }
}

/// Searches for a point at which only one of two equations holds, if `i` occurs and an equation is linear in
/// a name. Without declarations of the names, such equations are about complex numbers.
fn with_complex_names(arena: &mut Arena, sides: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> Verdict {
    let mut unknowns = Vec::new();
    let mut differences = Vec::new();
    for side in sides {
        let Statement::Compare { left, relation: Relation::Equal, right, .. } = side else {
            return Verdict::Unknown;
        };
        symbols(arena, side, &mut unknowns);
        differences.push(arena.sub(*left, *right));
    }
    if !differences.iter().any(|difference| arena.is_complex(*difference))
        || unknowns.iter().any(|unknown| oracle.is_bounded(arena, *unknown))
    {
        return Verdict::Unknown;
    }
    for (first, difference) in [(true, differences[0]), (false, differences[1])] {
        for (at, unknown) in unknowns.iter().enumerate() {
            let mut point: Vec<(Symbol, Id)> = Vec::with_capacity(unknowns.len());
            let mut on_line = difference;
            for (place, other) in unknowns.iter().enumerate() {
                let value = arena.integer(place as i64 + 1);
                point.push((*other, value));
                if place != at {
                    on_line = arena.substitute(on_line, *other, value);
                }
            }
            // The check below ensures that the difference is `slope x + rest`.
            let rest = arena.substitute(on_line, *unknown, Arena::ZERO);
            let at_one = arena.substitute(on_line, *unknown, Arena::ONE);
            let slope = arena.sub(at_one, rest);
            let name = arena.variable_of(*unknown);
            let along = arena.mul(slope, name);
            let again = arena.add(along, rest);
            if oracle.vanishes(arena, slope) != Verdict::Different
                || oracle.same(arena, on_line, again) != Verdict::Same
            {
                continue;
            }
            let Some((real, imaginary)) = quotient(gaussian(arena, rest, 0), gaussian(arena, slope, 0))
            else {
                continue;
            };
            let (real, imaginary) = (arena.number(real.negated()), arena.number(imaginary.negated()));
            let unit = arena.constant(Constant::I);
            let imaginary = if imaginary == Arena::ZERO { imaginary } else { arena.mul(imaginary, unit) };
            point[at].1 = arena.add(real, imaginary);
            let truths = sides.map(|side| truth_at(arena, side, &point, oracle));
            if truths == [Some(first), Some(!first)] && !arena.overflowed() {
                let point = point.into_iter().map(|(name, id)| (name, Coordinate::Closed(id))).collect();
                oracle.counterexample = Some(Counterexample { point, first });
                return Verdict::Different;
            }
        }
    }
    Verdict::Unknown
}

/// Returns the real and the imaginary part of a number that is built from rational numbers and `i`.
fn gaussian(arena: &Arena, id: Id, depth: u32) -> Option<(Rational, Rational)> {
    let times = |a: &(Rational, Rational), b: &(Rational, Rational)| {
        let real = a.0.checked_mul(&b.0)?.checked_sub(&a.1.checked_mul(&b.1)?)?;
        Some((real, a.0.checked_mul(&b.1)?.checked_add(&a.1.checked_mul(&b.0)?)?))
    };
    if depth > 40 {
        return None;
    }
    match arena.node(id) {
        Node::Number(value) => Some((value.clone(), Rational::ZERO)),
        Node::Constant(Constant::I) => Some((Rational::ZERO, Rational::ONE)),
        Node::Sum(parts) => parts.iter().try_fold((Rational::ZERO, Rational::ZERO), |sum, part| {
            let part = gaussian(arena, *part, depth + 1)?;
            Some((sum.0.checked_add(&part.0)?, sum.1.checked_add(&part.1)?))
        }),
        Node::Product(parts) => parts.iter().try_fold((Rational::ONE, Rational::ZERO), |all, part| {
            times(&all, &gaussian(arena, *part, depth + 1)?)
        }),
        Node::Power(base, exponent) => {
            let power = arena.as_integer(exponent).filter(|power| power.unsigned_abs() <= 12)?;
            let base = gaussian(arena, base, depth + 1)?;
            let one = (Rational::ONE, Rational::ZERO);
            let all = (0..power.unsigned_abs()).try_fold(one.clone(), |all, _| times(&all, &base))?;
            if power < 0 { quotient(Some(one), Some(all)) } else { Some(all) }
        }
        _ => None,
    }
}

fn quotient(
    a: Option<(Rational, Rational)>,
    b: Option<(Rational, Rational)>,
) -> Option<(Rational, Rational)> {
    let (a, b) = (a?, b?);
    let size = b.0.checked_mul(&b.0)?.checked_add(&b.1.checked_mul(&b.1)?)?;
    let real = a.0.checked_mul(&b.0)?.checked_add(&a.1.checked_mul(&b.1)?)?.checked_div(&size)?;
    let imaginary = a.1.checked_mul(&b.0)?.checked_sub(&a.0.checked_mul(&b.1)?)?.checked_div(&size)?;
    Some((real, imaginary))
}

/// Returns whether a statement holds at a point of constants, if that is certain.
pub(super) fn truth_at(
    arena: &mut Arena,
    statement: &Statement,
    point: &[(Symbol, Id)],
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    match statement {
        Statement::Constant(truth) => Some(*truth),
        Statement::Not(inner) => truth_at(arena, inner, point, oracle).map(|truth| !truth),
        Statement::And(parts) | Statement::Or(parts) => {
            let all = matches!(statement, Statement::And(_));
            let mut known = true;
            for part in parts {
                match truth_at(arena, part, point, oracle) {
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
            let value = oracle.value(arena, difference);
            match value {
                At::Sign(sign) => holds_with(*relation, sign),
                // A part without a real value may have a complex one: `\sqrt{-4}` is `2i`.
                At::Undefined | At::Unknown if arena.is_complex(difference) => {
                    let zero = match oracle.vanishes(arena, difference) {
                        Verdict::Same => true,
                        Verdict::Different => false,
                        Verdict::Unknown => return None,
                    };
                    match relation {
                        Relation::Equal => Some(zero),
                        // It may have no complex value either.
                        Relation::NotEqual if value == At::Undefined => None,
                        Relation::NotEqual => Some(!zero),
                        _ => None,
                    }
                }
                At::Undefined => Some(false),
                At::Unknown => None,
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
            match (set, order) {
                (NumberSet::Integers, _) => Some(whole),
                // Conventions differ on whether 0 is a natural number.
                (NumberSet::Naturals, Ordering::Equal) => None,
                (NumberSet::Naturals | NumberSet::PositiveIntegers, order) => {
                    Some(whole && order == Ordering::Greater)
                }
                (NumberSet::NaturalsAndZero, order) => Some(whole && order != Ordering::Less),
                (NumberSet::Rationals | NumberSet::Reals | NumberSet::Complexes, _) => Some(true),
            }
        }
        Statement::Belongs { .. } | Statement::Atom(_) => None,
    }
}

/// Checks the counterexample again with ball arithmetic; returns `false` if that contradicts it.
pub(super) fn is_witness(arena: &mut Arena, [a, b]: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> bool {
    let Some(found) = &oracle.counterexample else { return true };
    let (coordinates, first) = (found.point.clone(), found.first);
    let mark = arena.mark();
    let point: Option<Vec<(Symbol, Id)>> =
        coordinates.iter().map(|(name, at)| Some((*name, at.expression(arena)?))).collect();
    // A root without a formula was already evaluated with ball arithmetic.
    let Some(point) = point else { return true };
    let truths = [truth_at(arena, a, &point, oracle), truth_at(arena, b, &point, oracle)];
    if !arena.overflowed() {
        arena.truncate(&mark);
    }
    truths[0] != Some(!first) && truths[1] != Some(first)
}
