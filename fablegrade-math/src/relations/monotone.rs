//! Removal of increasing functions from both sides of a comparison: `e^{x^3+x}\le e^x` is `x^3+x\le x`.
//!
//! An increasing function preserves every order and every equality of its arguments. So it can be removed
//! from both sides if the conditions under which the sides have values stay the same.

use super::domains::have_one_domain;
use super::{BoundedOracle, Statement};
use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::limits::MONOTONE_LAYERS;
use crate::number::Rational;
use crate::syntax::Relation;
use std::cmp::Ordering;

/// Returns the statement without increasing functions on both sides; `None` if there are none to remove.
pub(super) fn without_increasing(
    arena: &mut Arena,
    statement: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    let mut best = None;
    for _ in 0..MONOTONE_LAYERS {
        match one_layer(arena, best.as_ref().unwrap_or(statement), oracle) {
            Some(inner) => best = Some(inner),
            None => break,
        }
    }
    best
}

fn one_layer(arena: &mut Arena, statement: &Statement, oracle: &mut BoundedOracle<'_>) -> Option<Statement> {
    match statement {
        Statement::Compare { left, relation, right, .. } => {
            if arena.is_complex(*left) || arena.is_complex(*right) {
                return None;
            }
            within_logarithms(arena, [*left, *right], *relation)
                .or_else(|| within_powers(arena, [*left, *right], *relation, oracle))
                .or_else(|| {
                    let sides = [*left, *right];
                    if sides.iter().all(|side| arena.is_constant(*side)) {
                        return None;
                    }
                    let first = logarithm(arena, *left, oracle)?;
                    let second = logarithm(arena, *right, oracle)?;
                    let inner = compare(first, *relation, second);
                    have_one_domain(arena, [statement, &inner], oracle).then_some(inner)
                })
                .or_else(|| {
                    let [left, right] = two_terms(arena, [*left, *right])?;
                    let moved = compare(left, *relation, right);
                    if moved == *statement || !have_one_domain(arena, [statement, &moved], oracle) {
                        return None;
                    }
                    one_layer(arena, &moved, oracle)
                })
        }
        Statement::Not(inner) => Some(Statement::Not(Box::new(one_layer(arena, inner, oracle)?))),
        Statement::And(parts) | Statement::Or(parts) => {
            let inner: Vec<Option<Statement>> =
                parts.iter().map(|part| one_layer(arena, part, oracle)).collect();
            if inner.iter().all(Option::is_none) {
                return None;
            }
            let parts = parts.iter().zip(inner).map(|(part, inner)| inner.unwrap_or_else(|| part.clone()));
            let parts = parts.collect();
            Some(match statement {
                Statement::And(_) => Statement::And(parts),
                _ => Statement::Or(parts),
            })
        }
        _ => None,
    }
}

/// Reduces a comparison of `u+w-v-w` with 0 to one of `u` with `v`. Terms that cancel are omitted, and the
/// two remaining terms, of different signs, become the sides.
fn two_terms(arena: &mut Arena, [left, right]: [Id; 2]) -> Option<[Id; 2]> {
    let mut terms = Vec::new();
    for (side, turned) in [(left, false), (right, true)] {
        let parts = match arena.node(side) {
            Node::Sum(parts) => parts.to_vec(),
            _ => vec![side],
        };
        for part in parts {
            let term = if turned { arena.neg(part) } else { part };
            let minus = arena.neg(term);
            match terms.iter().position(|known| *known == minus) {
                Some(at) => {
                    terms.remove(at);
                }
                None if term != Arena::ZERO => terms.push(term),
                None => {}
            }
        }
    }
    let &[first, second] = terms.as_slice() else { return None };
    let is_negative = |arena: &Arena, id: Id| match arena.node(id) {
        Node::Number(value) => value.is_negative(),
        Node::Product(factors) => {
            factors.iter().filter_map(|factor| arena.as_number(*factor)).any(Rational::is_negative)
        }
        _ => false,
    };
    match [first, second].map(|term| is_negative(arena, term)) {
        [false, true] => Some([first, arena.neg(second)]),
        [true, false] => Some([second, arena.neg(first)]),
        _ => None,
    }
}

fn compare(left: Id, relation: Relation, right: Id) -> Statement {
    Statement::Compare { left, relation, right, named: false }
}

/// Removes logarithms from both sides: `\ln u<\ln v` is `u<v` with positive `u` and `v`.
fn within_logarithms(arena: &mut Arena, sides: [Id; 2], relation: Relation) -> Option<Statement> {
    let [left, right] = sides.map(|side| match arena.node(side) {
        Node::Apply(Function::Ln, &[argument]) => Some(argument),
        _ => None,
    });
    let (left, right) = (left?, right?);
    let positive = |argument| compare(Arena::ZERO, Relation::Less, argument);
    Some(Statement::And(vec![compare(left, relation, right), positive(left), positive(right)]))
}

/// Removes powers from both sides: `u^{n/m}<v^{n/m}` with a positive odd `n` is `u<v`, with `0\le u` and
/// `0\le v` if `m` is even. The exponents must be the same, or one side must be 0 or 1.
fn within_powers(
    arena: &mut Arena,
    sides: [Id; 2],
    relation: Relation,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    let power = |arena: &Arena, id: Id| match arena.node(id) {
        Node::Power(base, exponent) => arena.as_number(exponent).cloned().map(|exponent| (base, exponent)),
        _ => None,
    };
    let powers = sides.map(|side| power(arena, side));
    let exponent = powers.iter().flatten().next()?.1.clone();
    let is_odd = exponent.numerator_part().to_string().ends_with(['1', '3', '5', '7', '9']);
    if !is_odd || exponent.is_negative() {
        return None;
    }
    let mut bases = [Arena::ZERO; 2];
    for (at, (side, power)) in sides.into_iter().zip(powers).enumerate() {
        bases[at] = match power {
            Some((base, other)) if other == exponent => base,
            None if side == Arena::ZERO || side == Arena::ONE => side,
            _ => return None,
        };
    }
    let [left, right] = bases;
    let mut parts = vec![compare(left, relation, right)];
    if exponent.has_even_denominator() {
        parts.extend(bases.map(|base| compare(Arena::ZERO, Relation::LessEqual, base)));
    } else if !have_one_domain(arena, [&compare(sides[0], relation, sides[1]), &parts[0]], oracle) {
        return None;
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Statement::And(parts) })
}

/// Returns the natural logarithm of an expression whose form shows that it is positive: powers of positive
/// constants, positive constants, and their products.
fn logarithm(arena: &mut Arena, id: Id, oracle: &mut BoundedOracle<'_>) -> Option<Id> {
    let above_zero = |arena: &mut Arena, id: Id, oracle: &mut BoundedOracle<'_>| {
        arena.is_constant(id) && oracle.sign(arena, id) == Some(Ordering::Greater)
    };
    if id == Arena::ONE {
        return Some(Arena::ZERO);
    }
    let is_e = |arena: &Arena, id: Id| matches!(arena.node(id), Node::Constant(Constant::E));
    if let Node::Power(base, exponent) = arena.node(id) {
        if is_e(arena, base) {
            return Some(exponent);
        }
        if !arena.is_constant(exponent) {
            let positive = above_zero(arena, base, oracle);
            let rate = arena.apply(Function::Ln, &[base]);
            return positive.then(|| arena.mul(exponent, rate));
        }
        // For example `\frac1{e^x}`.
        if arena.as_number(exponent).is_some()
            && let Node::Power(inner, power) = arena.node(base)
            && is_e(arena, inner)
        {
            return Some(arena.mul(power, exponent));
        }
    }
    if let Node::Product(factors) = arena.node(id) {
        let factors = factors.to_vec();
        // Products in products are not supported.
        let flat = !factors.iter().any(|factor| matches!(arena.node(*factor), Node::Product(_)));
        let parts: Option<Vec<Id>> =
            factors.iter().map(|factor| flat.then(|| logarithm(arena, *factor, oracle))?).collect();
        return parts.map(|parts| arena.sum(&parts));
    }
    above_zero(arena, id, oracle).then(|| arena.apply(Function::Ln, &[id]))
}
