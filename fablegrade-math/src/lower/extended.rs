//! Values of constant expressions in the extended real numbers.
//!
//! `2/\infty` is 0, `\infty+10` is infinity and `\tanh(-\infty)` is -1. `\infty-\infty` and `0\cdot\infty`
//! have no value. Signs of finite parts come from floats with error bounds; if these do not determine a sign,
//! or whether a part has a pole, there is no result.

use super::limits::{holds_somewhere, vanishes};
use crate::evaluate::{ComplexValue, constant_bounds, constant_sign};
use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::functions::{AtInfinity, RealDomain};
use crate::limits::EXTENDED_DEPTH;

/// A value of the extended real line, or the unsigned infinity.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Extended {
    /// A finite value, as an expression without infinite parts.
    Finite(Id),
    /// Plus infinity (`true`) or minus infinity (`false`).
    Infinite(bool),
    /// Infinity without a sign, such as `1/0`.
    Unsigned,
    /// There is no value.
    Nothing,
}

/// The result of comparing two expressions, at least one of which has infinite parts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Settled {
    /// Both are the same infinity.
    Same,
    /// One is infinite and the other is not, or they are different infinities.
    Different,
    /// Both are finite; these expressions remain to be compared.
    Finite(Id, Id),
}

/// Compares two expressions with infinite parts; returns `None` if there are none, or if a side has no known
/// value.
pub(crate) fn settle(arena: &mut Arena, a: Id, b: Id) -> Option<Settled> {
    let infinite = |arena: &Arena, id| {
        arena.any(id, |node| matches!(node, Node::Constant(Constant::Infinity | Constant::ComplexInfinity)))
    };
    if !infinite(arena, a) && !infinite(arena, b) {
        return None;
    }
    let (a, b) = (evaluate(arena, a, 0)?, evaluate(arena, b, 0)?);
    Some(match (a, b) {
        (Extended::Nothing, _) | (_, Extended::Nothing) => return None,
        (Extended::Finite(a), Extended::Finite(b)) => Settled::Finite(a, b),
        (a, b) if a == b => Settled::Same,
        _ => Settled::Different,
    })
}

fn evaluate(arena: &mut Arena, id: Id, depth: u32) -> Option<Extended> {
    if depth > EXTENDED_DEPTH {
        return None;
    }
    let depth = depth + 1;
    match arena.node(id) {
        Node::Constant(Constant::Infinity) => return Some(Extended::Infinite(true)),
        Node::Constant(Constant::ComplexInfinity) => return Some(Extended::Unsigned),
        Node::Constant(Constant::Undefined) => return Some(Extended::Nothing),
        Node::Number(_) | Node::Constant(_) | Node::Symbol(_) => return Some(Extended::Finite(id)),
        // These were not computed, so they may be infinite.
        Node::Limit(..) | Node::Integral(..) | Node::Derivative(..) | Node::Series(..) => return None,
        _ => {}
    }
    let parts = arena.parts(id).to_vec();
    let mut values = Vec::with_capacity(parts.len());
    for part in parts {
        values.push(evaluate(arena, part, depth)?);
    }
    if values.contains(&Extended::Nothing) {
        return Some(Extended::Nothing);
    }
    match arena.node(id) {
        Node::Sum(_) => Some(sum(arena, &values)),
        Node::Product(_) => product(arena, &values),
        Node::Power(..) => match values[..] {
            [base, exponent] => power(arena, base, exponent),
            _ => None,
        },
        Node::Apply(function, _) => match values[..] {
            [argument] => apply(arena, function, argument),
            _ => all_finite(&values).then_some(Extended::Finite(id)),
        },
        _ => all_finite(&values).then_some(Extended::Finite(id)),
    }
}

fn all_finite(values: &[Extended]) -> bool {
    values.iter().all(|value| matches!(value, Extended::Finite(_)))
}

fn finite_parts(values: &[Extended]) -> Vec<Id> {
    values
        .iter()
        .filter_map(|value| match value {
            Extended::Finite(id) => Some(*id),
            _ => None,
        })
        .collect()
}

fn sum(arena: &mut Arena, values: &[Extended]) -> Extended {
    let mut total = None;
    for value in values {
        total = match (total, value) {
            (total, Extended::Finite(_)) => total,
            (None, infinite) => Some(*infinite),
            (Some(Extended::Infinite(a)), Extended::Infinite(b)) if a == *b => total,
            _ => return Extended::Nothing,
        };
    }
    total.unwrap_or_else(|| {
        let terms = finite_parts(values);
        Extended::Finite(arena.sum(&terms))
    })
}

fn product(arena: &mut Arena, values: &[Extended]) -> Option<Extended> {
    if all_finite(values) {
        let factors = finite_parts(values);
        return Some(Extended::Finite(arena.product(&factors)));
    }
    let mut positive = true;
    let mut unsigned = false;
    for value in values {
        match value {
            Extended::Finite(id) => match constant_sign(arena, *id)? {
                0 => return Some(Extended::Nothing),
                sign => positive ^= sign < 0,
            },
            Extended::Infinite(plus) => positive ^= !plus,
            _ => unsigned = true,
        }
    }
    Some(if unsigned { Extended::Unsigned } else { Extended::Infinite(positive) })
}

fn power(arena: &mut Arena, base: Extended, exponent: Extended) -> Option<Extended> {
    let zero = Some(Extended::Finite(Arena::ZERO));
    match (base, exponent) {
        (Extended::Finite(base), Extended::Finite(exponent)) => {
            match constant_sign(arena, exponent) {
                Some(1) => {}
                Some(0) if vanishes(arena, base) != Some(false) => return None,
                Some(-1) if vanishes(arena, base)? => return Some(Extended::Unsigned),
                None if vanishes(arena, base)? => return None,
                _ => {}
            }
            Some(Extended::Finite(arena.power(base, exponent)))
        }
        (Extended::Finite(base), Extended::Infinite(plus)) => {
            let (value, error) = constant_bounds(arena, base)?;
            let size = value.abs();
            if size == 1.0 && error == 0.0 {
                return Some(Extended::Nothing);
            }
            if (size - 1.0).abs() <= 2.0 * error {
                return None;
            }
            match (size > 1.0, plus) {
                // The powers tend to 0.
                (false, true) | (true, false) => zero,
                _ if value > 0.0 => Some(Extended::Infinite(true)),
                _ if base == Arena::ZERO => Some(Extended::Unsigned),
                _ => Some(Extended::Nothing),
            }
        }
        (Extended::Infinite(plus), Extended::Finite(exponent)) => match constant_sign(arena, exponent)? {
            0 => Some(Extended::Nothing),
            -1 => zero,
            _ if plus => Some(Extended::Infinite(true)),
            _ => {
                let exponent = arena.as_number(exponent)?;
                if exponent.has_even_denominator() {
                    return None;
                }
                Some(Extended::Infinite(exponent.has_even_numerator()))
            }
        },
        (Extended::Infinite(true), Extended::Infinite(plus)) => {
            if plus {
                Some(Extended::Infinite(true))
            } else {
                zero
            }
        }
        (Extended::Unsigned, Extended::Finite(exponent)) => match constant_sign(arena, exponent)? {
            0 => Some(Extended::Nothing),
            -1 => zero,
            _ => Some(Extended::Unsigned),
        },
        _ => None,
    }
}

/// Returns whether a function may be infinite at a real or complex number.
fn may_have_pole(function: Function) -> bool {
    matches!(function, Function::Atan | Function::Atanh) || function.domain() == RealDomain::Holes
}

/// Returns whether a constant, or an expression at one or more sample points, certainly has a value.
fn has_value(arena: &Arena, id: Id) -> bool {
    holds_somewhere(arena, id, |value| {
        matches!(value, ComplexValue::Number { re_error, im_error, .. }
        if re_error.is_finite() && im_error.is_finite())
    })
}

fn apply(arena: &mut Arena, function: Function, argument: Extended) -> Option<Extended> {
    let plus = match argument {
        Extended::Finite(id) if function == Function::Ln && constant_sign(arena, id) == Some(0) => {
            return Some(Extended::Infinite(false));
        }
        Extended::Finite(id) => {
            let value = arena.apply(function, &[id]);
            let is_finite = match function {
                Function::Ln => vanishes(arena, id) == Some(false),
                _ => !may_have_pole(function) || has_value(arena, value),
            };
            return is_finite.then_some(Extended::Finite(value));
        }
        Extended::Infinite(plus) => plus,
        _ => return None,
    };
    let signed = |arena: &mut Arena, id: Id| if plus { id } else { arena.neg(id) };
    Some(match function.at_infinity() {
        AtInfinity::Unknown => return None,
        AtInfinity::GrowsUpwards if !plus => return None,
        AtInfinity::GrowsUpwards | AtInfinity::GrowsBothWays => Extended::Infinite(true),
        AtInfinity::Grows => Extended::Infinite(plus),
        AtInfinity::One => Extended::Finite(signed(arena, Arena::ONE)),
        AtInfinity::QuarterTurn => {
            let quarter = arena.quarter_turn();
            Extended::Finite(signed(arena, quarter))
        }
        AtInfinity::NoValue => Extended::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latex::parse;
    use crate::lower::lower;
    use crate::symbols::Declarations;

    fn settled(a: &str, b: &str) -> Option<Settled> {
        let names = Declarations::new();
        let mut arena = Arena::default();
        let mut value = |text: &str| lower(&parse(text, &names).unwrap(), &names, &mut arena).unwrap();
        let (a, b) = (value(a), value(b));
        settle(&mut arena, a, b)
    }

    #[test]
    fn infinite_values() {
        for (a, b) in [
            ("\\infty", "\\infty+10"),
            ("-\\infty", "\\pi(-\\infty)"),
            ("\\infty", "(-\\infty)^4"),
            ("-\\infty", "(-\\infty)^{1/3}"),
            ("\\infty", "(1/2)^{-\\infty}"),
            ("-\\infty", "\\log_2(0)"),
            ("\\tilde\\infty", "0^{-2}"),
            ("\\infty", "\\cosh(-\\infty)"),
        ] {
            assert_eq!(settled(a, b), Some(Settled::Same), "{a} and {b}");
        }
        for (a, b) in
            [("\\infty", "-\\infty"), ("\\infty", "5"), ("0", "\\infty"), ("\\tilde\\infty", "\\infty")]
        {
            assert_eq!(settled(a, b), Some(Settled::Different), "{a} and {b}");
        }
        for (a, b) in
            [("0", "2/\\infty"), ("0", "(1/2)^\\infty"), ("1", "\\tanh(\\infty)"), ("0", "\\infty^{-3}")]
        {
            match settled(a, b) {
                Some(Settled::Finite(a_id, b_id)) => assert_eq!(a_id, b_id, "{a} and {b}"),
                other => panic!("{a} and {b}: {other:?}"),
            }
        }
        for nothing in ["\\infty-\\infty", "0\\cdot\\infty", "1^\\infty", "\\sin\\infty"] {
            assert_eq!(settled("0", nothing), None, "{nothing}");
        }
        assert_eq!(settled("1", "2"), None);
    }
}
