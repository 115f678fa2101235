//! All real roots of polynomials in the unknown and in sines and cosines of polynomials in it: `\cos x=x`.
//!
//! Beyond Cauchy's bound the highest power of the unknown outweighs the rest. Inside it, or inside the
//! declared domain, intervals are split until ball arithmetic excludes 0 from the function or from its
//! derivative.

use super::BoundedOracle;
use super::coordinate::{Coordinate, Value};
use super::critical::{Kernel, critical};
use super::enclosed::{Enclosed, enclosing};
use super::mixed::{partial, value_at};
use super::roots::{Place, expression};
use crate::evaluate::Program;
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::limits::SINE_INTERVALS;
use crate::number::Rational;
use crate::polynomial::Sparse;
use dashu_base::UnsignedAbs;
use dashu_int::UBig;
use std::cmp::Ordering;

/// Returns the roots of a polynomial in the unknown and in sines and cosines of polynomials, in the declared
/// domain or between bounds beyond which it has none.
pub(super) fn between_bounds(
    arena: &mut Arena,
    place: Place<'_>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Coordinate>> {
    let Place { polynomial, kernels, unknown } = place;
    let function = expression(arena, polynomial, kernels)?;
    let derivative = wave_derivative(arena, polynomial, kernels, unknown)?;
    let domain = oracle.domain(arena, unknown);
    let (low, high) = match (&domain.min, &domain.max) {
        (Some(min), Some(max)) => (min.clone(), max.clone()),
        _ => {
            let bound = cauchy_bound(polynomial)?;
            (bound.negated(), bound)
        }
    };
    let function = (function, unknown);
    let mut found = Vec::new();
    for end in [&low, &high] {
        match value_at(arena, function, &mut Coordinate::Rational(end.clone()), oracle) {
            Value::Sign(Ordering::Equal) => found.push(Coordinate::Rational(end.clone())),
            Value::Sign(_) => {}
            _ => return None,
        }
    }
    let programs = [function.0, derivative].map(|id| Program::new(arena, &[id], &[unknown]));
    let mut open = vec![(low, high)];
    let mut looked_at = 0;
    while let Some((low, high)) = open.pop() {
        looked_at += 1;
        if looked_at > SINE_INTERVALS {
            return None;
        }
        let ball = [enclosing(&low, &high, 20)?];
        let mut sign = |program: &Program| {
            let value = oracle.precise.evaluate_at(program, &ball, 53, &mut oracle.precise_fuel).ok()?;
            value.sign().filter(|sign| *sign != Ordering::Equal)
        };
        if sign(&programs[0]).is_some() {
            continue;
        }
        if let Some(slope) = sign(&programs[1]) {
            let mut ends = [Ordering::Equal; 2];
            for (at, end) in ends.iter_mut().zip([&low, &high]) {
                let value = value_at(arena, function, &mut Coordinate::Rational(end.clone()), oracle);
                let Value::Sign(sign) = value else { return None };
                *at = sign;
            }
            if ends[0] == ends[1].reverse() && ends[0] != Ordering::Equal {
                let rising = slope == Ordering::Greater;
                found.push(Enclosed::between(arena, function, (low, high), rising, oracle)?);
            }
            continue;
        }
        // The interval is split off-centre, because roots are often in the middle.
        let share = Rational::new(33, 64)?;
        let middle = low.checked_add(&high.checked_sub(&low)?.checked_mul(&share)?)?;
        if high.checked_sub(&low)? < Rational::new(1, 4096)? {
            return None;
        }
        match value_at(arena, function, &mut Coordinate::Rational(middle.clone()), oracle) {
            Value::Sign(Ordering::Equal) => found.push(Coordinate::Rational(middle.clone())),
            Value::Sign(_) => {}
            _ => return None,
        }
        open.push((low, middle.clone()));
        open.push((middle, high));
    }
    Some(found)
}

/// Returns a size of the unknown beyond which its highest power outweighs the rest, because sines are at most
/// 1. `None` if the size is above 1000.
fn cauchy_bound(polynomial: &Sparse) -> Option<Rational> {
    let parts = polynomial.coefficients(0);
    let (leading, rest) = parts.split_last()?;
    let leading = leading.as_constant()?.unsigned_abs();
    if rest.is_empty() {
        return None;
    }
    let largest = rest
        .iter()
        .map(|part| part.terms().map(|(_, value)| value.clone().unsigned_abs()).sum::<UBig>())
        .max()?;
    let bound = Rational::from_integers(largest.into(), leading)?.checked_add(&Rational::ONE)?;
    (bound <= Rational::from(1000)).then_some(bound.ceil())
}

/// Returns the derivative of a polynomial in the unknown and in sines and cosines of polynomials.
fn wave_derivative(
    arena: &mut Arena,
    polynomial: &Sparse,
    kernels: &[Kernel],
    unknown: Symbol,
) -> Option<Id> {
    let mut terms = Vec::new();
    for index in polynomial.unknowns() {
        let part = partial(polynomial, index)?;
        let part = expression(arena, &part, kernels)?;
        let change = match kernels.get(usize::from(index))? {
            Kernel::Unknown(_) => Arena::ONE,
            Kernel::Opaque(id) => {
                let Node::Apply(function, &[argument]) = arena.node(*id) else { return None };
                let (other, negative) = match function {
                    Function::Sin => (Function::Cos, false),
                    Function::Cos => (Function::Sin, true),
                    _ => return None,
                };
                let inside = critical(arena, argument, &[unknown])?.plain?;
                let below = Rational::from_integers(inside.denominator.as_constant()?, UBig::ONE)?;
                let inside = expression(arena, &partial(&inside.numerator, 0)?, kernels)?;
                let below = arena.number(below.reciprocal()?);
                let wave = arena.apply(other, &[argument]);
                let product = arena.product(&[wave, inside, below]);
                if negative { arena.neg(product) } else { product }
            }
            _ => return None,
        };
        terms.push(arena.mul(part, change));
    }
    Some(arena.sum(&terms))
}
