//! The roots of polynomials over kernels.
//!
//! Polynomials in the unknown have exact roots. If the unknown occurs only in one function, the polynomial is
//! solved for the function, which is then inverted. Roots of functions that mix the unknown with
//! exponentials, logarithms or sines are enclosed; see [`mixed`](super::mixed).

use super::BoundedOracle;
use super::coordinate::{Coordinate, Value, settled};
use super::critical::{Critical, Kernel, critical};
use super::mixed::mixed_roots;
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol};
use crate::limits::INVERSIONS;
use crate::number::Rational;
use crate::polynomial::{Sparse, real_roots};
use dashu_int::UBig;
use std::cmp::Ordering;

/// A polynomial over kernels of one unknown.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) polynomial: &'p Sparse,
    pub(super) kernels: &'p [Kernel],
    pub(super) unknown: Symbol,
}

/// Adds the real numbers at which a polynomial over kernels may vanish.
pub(super) fn roots_of(
    arena: &mut Arena,
    place: Place<'_>,
    cuts: &mut Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
    depth: u32,
) -> Option<()> {
    let before = cuts.len();
    if by_inversion(arena, place, cuts, oracle, depth).is_some() {
        return Some(());
    }
    cuts.truncate(before);
    cuts.extend(mixed_roots(arena, place, oracle)?);
    Some(())
}

/// Adds the roots if only one kernel is not constant: the polynomial is solved for it, and the function is
/// inverted.
pub(super) fn by_inversion(
    arena: &mut Arena,
    Place { polynomial: place, kernels, unknown }: Place<'_>,
    cuts: &mut Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
    depth: u32,
) -> Option<()> {
    let mut main = None;
    let mut constants = false;
    for index in place.unknowns() {
        match kernels.get(usize::from(index))? {
            Kernel::Opaque(id) if arena.is_constant(*id) => constants = true,
            _ if main.is_none() => main = Some(index),
            _ => return None,
        }
    }
    // Without an unknown the polynomial has one sign.
    let Some(main) = main else { return Some(()) };
    let mut values: Vec<Coordinate> = Vec::new();
    if constants {
        let parts = place.coefficients(main);
        let parts = parts.iter().map(|part| expression(arena, part, kernels)).collect::<Option<Vec<_>>>()?;
        roots_by_formula(arena, &parts, &mut values, oracle)?;
    } else {
        values.extend(real_roots(&place.univariate(main)?)?.into_iter().map(Coordinate::from));
    }
    let kernel = kernels.get(usize::from(main))?;
    if matches!(kernel, Kernel::Unknown(_)) {
        cuts.extend(values);
        return Some(());
    }
    if depth == INVERSIONS {
        return None;
    }
    for mut value in values {
        invert(arena, kernel, &mut value, unknown, cuts, oracle, depth)?;
    }
    Some(())
}

/// Converts a polynomial over kernels to an expression; `None` for roots and absolute values.
pub(super) fn expression(arena: &mut Arena, part: &Sparse, kernels: &[Kernel]) -> Option<Id> {
    let mut terms = Vec::new();
    for (monomial, coefficient) in part.terms() {
        let mut factors = vec![arena.number(Rational::from_integers(coefficient.clone(), UBig::ONE)?)];
        for (index, exponent) in monomial {
            let kernel = match kernels.get(usize::from(*index))? {
                Kernel::Opaque(id) => *id,
                Kernel::Unknown(name) => arena.variable_of(*name),
                Kernel::Exponential { base, unit, shift, unknown } => {
                    let (name, unit) = (arena.variable_of(*unknown), arena.number(unit.clone()));
                    let (product, shift) = (arena.mul(unit, name), arena.number(shift.clone()));
                    let exponent = arena.add(product, shift);
                    arena.power(*base, exponent)
                }
                Kernel::Root { .. } | Kernel::Absolute { .. } => return None,
            };
            let exponent = arena.integer(i64::from(*exponent));
            factors.push(arena.power(kernel, exponent));
        }
        terms.push(arena.product(&factors));
    }
    Some(arena.sum(&terms))
}

/// Adds the roots of a polynomial with constant coefficients (the lowest first), if a formula gives them.
fn roots_by_formula(
    arena: &mut Arena,
    parts: &[Id],
    roots: &mut Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
) -> Option<()> {
    let sign = |arena: &mut Arena, oracle: &mut BoundedOracle<'_>, id| match oracle.value(arena, id) {
        Value::Sign(sign) => Some(sign),
        _ => None,
    };
    let (leading, lower) = parts.split_last()?;
    if sign(arena, oracle, *leading)? == Ordering::Equal {
        return if lower.is_empty() { Some(()) } else { roots_by_formula(arena, lower, roots, oracle) };
    }
    let mut push = |arena: &mut Arena, oracle: &mut BoundedOracle<'_>, id| {
        roots.push(settled(arena, id, oracle)?);
        Some(())
    };
    match lower {
        [] => Some(()),
        [c] => {
            let ratio = arena.div(*c, *leading);
            let root = arena.neg(ratio);
            push(arena, oracle, root)
        }
        [c, b] => {
            let four = arena.integer(4);
            let (square, product) = (arena.mul(*b, *b), arena.product(&[four, *leading, *c]));
            let discriminant = arena.sub(square, product);
            let (minus_b, twice) = (arena.neg(*b), arena.mul(Arena::TWO, *leading));
            match sign(arena, oracle, discriminant)? {
                Ordering::Less => Some(()),
                Ordering::Equal => {
                    let root = arena.div(minus_b, twice);
                    push(arena, oracle, root)
                }
                Ordering::Greater => {
                    let width = arena.sqrt(discriminant);
                    for numerator in [arena.add(minus_b, width), arena.sub(minus_b, width)] {
                        let root = arena.div(numerator, twice);
                        push(arena, oracle, root)?;
                    }
                    Some(())
                }
            }
        }
        [c, middle @ ..] => {
            // The polynomial is `a x^n + c`.
            if middle.iter().any(|part| *part != Arena::ZERO) {
                return None;
            }
            let degree = lower.len() as i64;
            let ratio = arena.div(*c, *leading);
            let power = arena.neg(ratio);
            let sign = sign(arena, oracle, power)?;
            if sign == Ordering::Less && degree % 2 == 0 {
                return Some(());
            }
            let index = arena.integer(degree);
            let root = arena.root(index, power);
            push(arena, oracle, root)?;
            if degree % 2 == 0 {
                let other = arena.neg(root);
                push(arena, oracle, other)?;
            }
            Some(())
        }
    }
}

/// Adds the numbers at which a kernel has the given value.
///
/// This function is long because it has one arm for each function that it inverts.
fn invert(
    arena: &mut Arena,
    kernel: &Kernel,
    value: &mut Coordinate,
    unknown: Symbol,
    cuts: &mut Vec<Coordinate>,
    oracle: &mut BoundedOracle<'_>,
    depth: u32,
) -> Option<()> {
    let id = value.expression(arena)?;
    let Value::Sign(sign) = oracle.value(arena, id) else { return None };
    match kernel {
        Kernel::Exponential { base, unit, shift, .. } => {
            if sign != Ordering::Greater {
                return Some(());
            }
            let numerator = logarithm(arena, id);
            let base = logarithm(arena, *base);
            let exponent = arena.div(numerator, base);
            let shift = arena.number(shift.clone());
            let along = arena.sub(exponent, shift);
            let unit = arena.number(unit.clone());
            let root = arena.div(along, unit);
            cuts.push(settled(arena, root, oracle)?);
            Some(())
        }
        Kernel::Opaque(function) => {
            let (function, argument) = match arena.node(*function) {
                Node::Apply(function, &[argument]) => (Some(function), argument),
                Node::Power(base, exponent) if matches!(arena.node(base), Node::Constant(Constant::E)) => {
                    (None, exponent)
                }
                _ => return None,
            };
            let half_turn = |arena: &mut Arena| {
                let pi = arena.constant(Constant::Pi);
                let half = arena.fraction(1, 2);
                arena.mul(half, pi)
            };
            let within = |arena: &mut Arena, oracle: &mut BoundedOracle<'_>, bound: Id| {
                let size = arena.apply(Function::Abs, &[id]);
                let difference = arena.sub(bound, size);
                match oracle.value(arena, difference) {
                    Value::Sign(sign) => Some(sign),
                    _ => None,
                }
            };
            let inverse = match function {
                None if sign != Ordering::Greater => return Some(()),
                None => logarithm(arena, id),
                Some(function) => match function {
                    Function::Ln => arena.exp(id),
                    Function::Sinh => arena.apply(Function::Asinh, &[id]),
                    Function::Asinh => arena.apply(Function::Sinh, &[id]),
                    Function::Tanh => match within(arena, oracle, Arena::ONE)? {
                        Ordering::Greater => arena.apply(Function::Atanh, &[id]),
                        _ => return Some(()),
                    },
                    Function::Atanh => arena.apply(Function::Tanh, &[id]),
                    Function::Atan => {
                        let bound = half_turn(arena);
                        match within(arena, oracle, bound)? {
                            Ordering::Greater => arena.apply(Function::Tan, &[id]),
                            _ => return Some(()),
                        }
                    }
                    Function::Asin => {
                        let bound = half_turn(arena);
                        match within(arena, oracle, bound)? {
                            Ordering::Less => return Some(()),
                            _ => arena.apply(Function::Sin, &[id]),
                        }
                    }
                    Function::Acos => {
                        let pi = arena.constant(Constant::Pi);
                        match within(arena, oracle, pi)? {
                            Ordering::Less => return Some(()),
                            _ if sign == Ordering::Less => return Some(()),
                            _ => arena.apply(Function::Cos, &[id]),
                        }
                    }
                    _ => return None,
                },
            };
            let inverse = match settled(arena, inverse, oracle)? {
                Coordinate::Rational(value) => arena.number(value),
                _ => inverse,
            };
            let difference = arena.sub(argument, inverse);
            let Critical { kernels, places, .. } = critical(arena, difference, &[unknown])?;
            places.iter().try_for_each(|polynomial| {
                roots_of(arena, Place { polynomial, kernels: &kernels, unknown }, cuts, oracle, depth + 1)
            })
        }
        _ => None,
    }
}

/// Returns the natural logarithm of a positive constant.
fn logarithm(arena: &mut Arena, id: Id) -> Id {
    match arena.node(id) {
        Node::Number(value) if value.is_one() => Arena::ZERO,
        Node::Constant(Constant::E) => Arena::ONE,
        Node::Power(base, exponent) if matches!(arena.node(base), Node::Constant(Constant::E)) => exponent,
        _ => arena.apply(Function::Ln, &[id]),
    }
}
