//! Listed numbers beside an equation that is not solved on the line: one whose solutions repeat (`\sin x=0`), or a
//! polynomial with complex roots (`z^2+4=0`).

use super::circle::turn;
use super::coordinate::{Coordinate, settled};
use super::critical::critical;
use super::line::{Extent, Found};
use super::progressions::is_outside;
use super::single_points::truth_at;
use super::solve::is_constant;
use super::{BoundedOracle, Statement, Verdict};
use crate::expr::{Arena, Constant, Id, Node, Symbol};
use crate::number::Rational;
use crate::syntax::Relation;

/// The most listed numbers.
const MOST: usize = 16;

/// Compares two statements about one unknown, one of which lists its values. `None` for other pairs, and if that
/// does not decide.
pub(super) fn beside_listed(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    if oracle.is_bounded(arena, unknown) {
        return None;
    }
    for (at, statement) in statements.into_iter().enumerate() {
        if let Some(numbers) = listed(arena, statement, unknown) {
            let (equation, is_first) = (statements[1 - at], at == 0);
            let found = if numbers.iter().any(|number| arena.is_complex(*number)) {
                roots(arena, &numbers, equation, unknown, is_first, oracle)
            } else {
                periodic(arena, &numbers, equation, unknown, is_first, oracle)
            };
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Returns the numbers of `x=1\lor x=2`.
fn listed(arena: &Arena, statement: &Statement, unknown: Symbol) -> Option<Vec<Id>> {
    let parts = match statement {
        Statement::Or(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let is_unknown = |id: Id| matches!(arena.node(id), Node::Symbol(name) if name == unknown);
    let numbers = parts.iter().map(|part| match *part {
        Statement::Compare { left, relation: Relation::Equal, right, .. } => {
            if is_unknown(left) && arena.is_constant(right) {
                Some(right)
            } else {
                (is_unknown(right) && arena.is_constant(left)).then_some(left)
            }
        }
        _ => None,
    });
    let numbers: Vec<Id> = numbers.collect::<Option<_>>()?;
    (numbers.len() <= MOST).then_some(numbers)
}

/// Compares finitely many numbers with a relation whose solutions repeat after one turn. They differ at a number that is
/// no solution, or else at a solution some turns after one.
fn periodic(
    arena: &mut Arena,
    numbers: &[Id],
    equation: &Statement,
    unknown: Symbol,
    is_first: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    let turned = turn(arena, [equation, equation], unknown, oracle)?;
    let holds = |arena: &mut Arena, at: Id, oracle: &mut BoundedOracle<'_>| {
        truth_at(arena, equation, &[(unknown, at)], oracle)
    };
    let mut solution = None;
    for number in numbers {
        match holds(arena, *number, oracle) {
            Some(true) => solution = Some(*number),
            Some(false) => return Some(Found::Different(settled(arena, *number, oracle)?, is_first)),
            None => {}
        }
    }
    if solution.is_none() {
        let piece = turned.pieces.iter().find(|piece| piece.truths[0] == Some(true))?;
        solution = turned.angle(arena, piece, [equation, equation], oracle);
    }
    let solution = solution?;
    let pi = arena.constant(Constant::Pi);
    for turns in 0..=i64::try_from(numbers.len()).ok()? {
        let period = arena.number(Rational::from(2 * turns).checked_div(&turned.unit)?);
        let along = if turns == 0 { Arena::ZERO } else { arena.mul(period, pi) };
        let at = arena.add(solution, along);
        if holds(arena, at, oracle) == Some(true) && is_outside(arena, at, numbers, oracle) == Some(true) {
            return Some(Found::Different(settled(arena, at, oracle)?, !is_first));
        }
    }
    None
}

/// Compares complex numbers with the roots of a polynomial.
fn roots(
    arena: &mut Arena,
    numbers: &[Id],
    equation: &Statement,
    unknown: Symbol,
    is_first: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    let &Statement::Compare { left, relation: Relation::Equal, right, .. } = equation else { return None };
    let polynomial = arena.sub(left, right);
    let different =
        |at: Id, of_list: bool| Some(Found::Different(Coordinate::Closed(at), of_list == is_first));
    let mut distinct: Vec<Id> = Vec::new();
    for number in numbers {
        let value = arena.substitute(polynomial, unknown, *number);
        match oracle.vanishes(arena, value) {
            Verdict::Same => {}
            Verdict::Different => return different(*number, true),
            Verdict::Unknown => return None,
        }
        if is_outside(arena, *number, &distinct, oracle)? {
            distinct.push(*number);
        }
    }
    // All listed numbers are roots, so they are all roots if there are no more.
    let name = arena.variable_of(unknown);
    let factors: Vec<Id> = distinct.iter().map(|root| arena.sub(name, *root)).collect();
    let product = arena.product(&factors);
    let quotient = arena.div(polynomial, product);
    if is_polynomial(arena, polynomial, unknown) && is_constant(arena, quotient, oracle) {
        return Some(Found::Same(Extent::Somewhere));
    }
    let plain = critical(arena, polynomial, &[unknown])?.plain?;
    let (numerator, denominator, poles) = plain.univariate()?;
    if denominator.degree() > 0 || poles.iter().any(|pole| pole.degree() > 0) {
        return None;
    }
    let free = numerator.square_free()?;
    if free.degree() == distinct.len() {
        return Some(Found::Same(Extent::Somewhere));
    }
    // The sum of all roots shows the only one that is not listed.
    if free.degree() == distinct.len() + 1 {
        let [.., second, leading] = free.coefficients() else { return None };
        let coefficient =
            |value: &dashu_int::IBig| Rational::from_integers(value.clone(), dashu_int::UBig::ONE);
        let sum = coefficient(second)?.checked_div(&coefficient(leading)?)?.negated();
        let sum = arena.number(sum);
        let listed = arena.sum(&distinct);
        let missing = arena.sub(sum, listed);
        let value = arena.substitute(polynomial, unknown, missing);
        if oracle.vanishes(arena, value) == Verdict::Same
            && is_outside(arena, missing, &distinct, oracle) == Some(true)
        {
            return different(missing, false);
        }
    }
    None
}

/// Returns whether an expression is built from the unknown and constants by sums, products and positive powers.
pub(super) fn is_polynomial(arena: &Arena, id: Id, unknown: Symbol) -> bool {
    arena.reachable(&[id]).into_iter().filter(|part| !arena.is_constant(*part)).all(|part| {
        match arena.node(part) {
            Node::Symbol(name) => name == unknown,
            Node::Sum(_) | Node::Product(_) => true,
            Node::Power(_, exponent) => arena.as_integer(exponent).is_some_and(|power| power > 0),
            _ => false,
        }
    })
}
