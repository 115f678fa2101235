//! Systems in which an equation determines one unknown in terms of the others. The unknown is substituted
//! everywhere, which leaves a system with one unknown fewer.
//!
//! If `a` implies `x=r(y,z)`, then `a` and `b` hold at the same points if `b` implies it too and both hold at
//! the same points `(y,z)` with `x=r(y,z)`. Such an equation is linear in `x`. The factor of `x` is constant
//! (`x+y^2=3`), or the rest is a constant other than 0 (`xy=2`), so the factor is not 0 where the equation
//! holds.

use super::coordinate::settled;
use super::critical::{Kernel, critical};
use super::roots::expression;
use super::single_points::truth_at;
use super::solve::decide;
use super::statement::{rename, symbols};
use super::{BoundedOracle, Counterexample, Statement, Verdict};
use crate::expr::{Arena, Id, Symbol};
use crate::limits::SYSTEM_UNKNOWNS;
use crate::polynomial::Sparse;
use crate::syntax::Relation;

/// An equation `x=r` with a rational function `r` of the other unknowns.
struct Given {
    equation: Statement,
    /// The difference of the sides as a polynomial, the same for all multiples of the equation.
    polynomial: Sparse,
    unknown: Symbol,
    value: Id,
    /// The divisor, if that is not a constant.
    divisor: Option<Id>,
}

/// Compares two statements, one of which determines an unknown; `None` if that is not possible, for example
/// because the other statement does not imply the same equation.
pub(super) fn by_substitution(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if unknowns.len() > SYSTEM_UNKNOWNS {
        return None;
    }
    for (side, other, is_first) in [(a, b, true), (b, a, false)] {
        for given in equations(arena, side, unknowns, oracle) {
            match follows(arena, &given, other, unknowns) {
                Some(Verdict::Same) => {}
                Some(Verdict::Different) => {
                    // The other statement may list a point at which the equation does not hold.
                    if let Some(point) = point_off(arena, &given, other, unknowns, oracle) {
                        let none = truth_at(arena, side, &point, oracle) == Some(false);
                        if none && truth_at(arena, other, &point, oracle) == Some(true) {
                            let point = coordinates(arena, point, oracle)?;
                            oracle.counterexample = Some(Counterexample { point, first: !is_first });
                            return Some(Verdict::Different);
                        }
                    }
                    continue;
                }
                _ => continue,
            }
            let left = [a, b].map(|statement| {
                let inner = put_in(arena, &given, statement);
                match given.divisor {
                    Some(divisor) => {
                        let divides = compare(divisor, Relation::NotEqual, Arena::ZERO);
                        Statement::And(conjuncts(&inner).into_iter().chain([divides]).collect())
                    }
                    None => inner,
                }
            });
            match decide(arena, [&left[0], &left[1]], oracle) {
                Some(Verdict::Different) => {}
                Some(Verdict::Same) => return Some(Verdict::Same),
                _ => continue,
            }
            let found = oracle.counterexample.take()?;
            let mut value = given.value;
            for (name, at) in &found.point {
                let at = at.expression(arena)?;
                value = arena.substitute(value, *name, at);
            }
            let at = settled(arena, value, oracle)?;
            let mut point = found.point;
            point.push((given.unknown, at));
            let complete = unknowns.iter().all(|unknown| point.iter().any(|(name, _)| name == unknown));
            oracle.counterexample = Some(Counterexample { point, first: found.first });
            return complete.then_some(Verdict::Different);
        }
    }
    None
}

/// Returns the equations of a system that determine an unknown, at most one per unknown.
fn equations(
    arena: &mut Arena,
    side: &Statement,
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Vec<Given> {
    let Statement::And(parts) = side else { return Vec::new() };
    let mut all: Vec<Given> = Vec::new();
    for part in parts {
        let Some(polynomial) = equation(arena, part, unknowns) else { continue };
        for (at, unknown) in unknowns.iter().enumerate() {
            let Ok(index) = u16::try_from(at) else { continue };
            if all.iter().any(|given| given.unknown == *unknown) || oracle.is_bounded(arena, *unknown) {
                continue;
            }
            let coefficients = polynomial.coefficients(index);
            let [rest, slope] = coefficients.as_slice() else { continue };
            let is_constant = slope.as_constant().is_some();
            if !is_constant && (rest.is_zero() || rest.as_constant().is_none()) {
                continue;
            }
            let kernels: Vec<_> = unknowns.iter().map(|name| Kernel::Unknown(*name)).collect();
            let parts = [rest, slope].map(|part| expression(arena, part, &kernels));
            let [Some(rest), Some(slope)] = parts else { continue };
            let ratio = arena.div(rest, slope);
            all.push(Given {
                equation: part.clone(),
                polynomial: polynomial.clone(),
                unknown: *unknown,
                value: arena.neg(ratio),
                divisor: (!is_constant).then_some(slope),
            });
        }
    }
    all
}

/// Converts an equation of polynomials to one polynomial.
pub(super) fn equation(arena: &mut Arena, part: &Statement, unknowns: &[Symbol]) -> Option<Sparse> {
    let Statement::Compare { left, relation: Relation::Equal, right, .. } = part else { return None };
    let difference = arena.sub(*left, *right);
    let plain = critical(arena, difference, unknowns)?.plain?;
    (plain.poles.is_empty() && plain.denominator.as_constant().is_some()).then(|| plain.numerator.normal())
}

/// Decides whether an equation follows from each case of another statement; different if the values of a case
/// contradict it.
fn follows(arena: &mut Arena, given: &Given, other: &Statement, unknowns: &[Symbol]) -> Option<Verdict> {
    let mut all = Verdict::Same;
    for case in cases(other) {
        let parts = conjuncts(case);
        let said =
            parts.iter().any(|part| equation(arena, part, unknowns).as_ref() == Some(&given.polynomial));
        if said {
            continue;
        }
        let values = named_constants(arena, &parts);
        let holds = substituted(arena, given, &values)?;
        if !holds {
            all = Verdict::Different;
        }
    }
    Some(all)
}

pub(super) fn cases(statement: &Statement) -> &[Statement] {
    match statement {
        Statement::Or(cases) => cases,
        only => core::slice::from_ref(only),
    }
}

pub(super) fn conjuncts(statement: &Statement) -> Vec<Statement> {
    match statement {
        Statement::And(parts) => parts.clone(),
        only => vec![only.clone()],
    }
}

/// Returns the names to which equations give rational numbers, with these numbers.
fn named_constants(arena: &Arena, parts: &[Statement]) -> Vec<(Symbol, Id)> {
    let mut values: Vec<(Symbol, Id)> = Vec::new();
    for part in parts {
        let Statement::Compare { left, relation: Relation::Equal, right, .. } = part else { continue };
        for (name, value) in [(*left, *right), (*right, *left)] {
            if let crate::expr::Node::Symbol(name) = arena.node(name)
                && arena.as_number(value).is_some()
                && values.iter().all(|(known, _)| *known != name)
            {
                values.push((name, value));
            }
        }
    }
    values
}

/// Returns whether the equation holds with these values; `None` if they do not determine it.
fn substituted(arena: &mut Arena, given: &Given, values: &[(Symbol, Id)]) -> Option<bool> {
    let Statement::Compare { left, right, .. } = given.equation else { return None };
    let mut difference = arena.sub(left, right);
    for (name, value) in values {
        difference = arena.substitute(difference, *name, *value);
    }
    let polynomial = critical(arena, difference, &[])?.plain?.numerator;
    (arena.is_constant(difference)).then(|| polynomial.is_zero())
}

/// Returns a point of a statement that gives rational values to all unknowns, at which an equation does not
/// hold.
fn point_off(
    arena: &mut Arena,
    given: &Given,
    other: &Statement,
    unknowns: &[Symbol],
    oracle: &BoundedOracle<'_>,
) -> Option<Vec<(Symbol, Id)>> {
    for case in cases(other) {
        let values = named_constants(arena, &conjuncts(case));
        if substituted(arena, given, &values) == Some(false)
            && unknowns.iter().all(|unknown| values.iter().any(|(name, _)| name == unknown))
            && oracle.admits(arena, &values)
        {
            return Some(values);
        }
    }
    None
}

fn coordinates(
    arena: &mut Arena,
    point: Vec<(Symbol, Id)>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<(Symbol, super::coordinate::Coordinate)>> {
    point.into_iter().map(|(name, value)| Some((name, settled(arena, value, oracle)?))).collect()
}

/// Returns a statement with the unknown substituted; parts that become trivially true are omitted.
fn put_in(arena: &mut Arena, given: &Given, statement: &Statement) -> Statement {
    match statement {
        Statement::And(parts) => {
            let parts: Vec<Statement> = parts
                .iter()
                .filter(|part| **part != given.equation)
                .map(|part| put_in(arena, given, part))
                .filter(|part| *part != Statement::Constant(true))
                .collect();
            match parts.len() {
                0 => Statement::Constant(true),
                1 => parts.into_iter().next().unwrap_or(Statement::Constant(true)),
                _ => Statement::And(parts),
            }
        }
        Statement::Or(parts) => Statement::Or(parts.iter().map(|part| put_in(arena, given, part)).collect()),
        Statement::Not(inner) => Statement::Not(Box::new(put_in(arena, given, inner))),
        other => {
            let mut fixed = other.clone();
            rename(arena, &mut fixed, given.unknown, given.value);
            if let Statement::Compare { left, relation, right, named } = &mut fixed {
                *named = false;
                let mut names = Vec::new();
                symbols(arena, &compare(*left, *relation, *right), &mut names);
                // `x-y=-1` with `x=y-1` has the same polynomial on both sides.
                if *relation == Relation::Equal
                    && equation(arena, &compare(*left, *relation, *right), &names)
                        .is_some_and(|polynomial| polynomial.is_zero())
                {
                    return Statement::Constant(true);
                }
            }
            fixed
        }
    }
}

fn compare(left: Id, relation: Relation, right: Id) -> Statement {
    Statement::Compare { left, relation, right, named: false }
}
