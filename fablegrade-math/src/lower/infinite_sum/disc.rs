//! Convergence of power series whose ratio contains bound variables.
//!
//! A ratio is replaced by its values where it is largest in the range of the innermost variable, until it
//! contains no bound variables.

use crate::evaluate::constant_sign;
use crate::expr::{Arena, Constant, Direction, Function, Id, Node, Symbol};
use crate::limits::INDEX_VALUES;
use crate::lower::indexed::{Bound, BoundRange};
use crate::lower::{infinity, limit_of, limits};

/// A ratio whose absolute value must be less than 1, or at most 1 if it is approached and not reached.
#[derive(Clone, Copy, PartialEq)]
struct Condition {
    ratio: Id,
    is_approached: bool,
}

/// Checks that `|ratio| < 1` in the ranges of the bound variables. If there are other variables, records the
/// conditions for them ([`Arena::note_disc`]).
pub(super) fn shrinks(arena: &mut Arena, scope: &[Bound], ratio: Id) -> Option<()> {
    let mut conditions = vec![Condition { ratio, is_approached: false }];
    for bound in scope.iter().rev() {
        let symbol = arena.symbol(&bound.written);
        let mut outside = Vec::new();
        for condition in conditions {
            if arena.free(condition.ratio).contains(symbol) {
                leave(arena, symbol, &bound.range, condition, &mut outside)?;
            } else {
                outside.push(condition);
            }
            if outside.len() as i64 > INDEX_VALUES {
                return None;
            }
        }
        conditions = outside;
    }
    for Condition { ratio, is_approached } in conditions {
        if arena.is_constant(ratio) {
            let sign = room(arena, ratio)?;
            if sign < 0 || sign == 0 && !is_approached {
                return None;
            }
        } else {
            arena.note_disc(ratio);
        }
    }
    Some(())
}

/// Returns the sign of `1 - |ratio|`.
fn room(arena: &mut Arena, ratio: Id) -> Option<i32> {
    let room = distance(arena, ratio);
    constant_sign(arena, room)
}

/// Returns `1 - |ratio|`.
fn distance(arena: &mut Arena, ratio: Id) -> Id {
    let size = arena.apply(Function::Abs, &[ratio]);
    arena.sub(Arena::ONE, size)
}

/// Replaces a condition with conditions that do not contain the variable.
fn leave(
    arena: &mut Arena,
    symbol: Symbol,
    range: &BoundRange,
    Condition { ratio, is_approached }: Condition,
    outside: &mut Vec<Condition>,
) -> Option<()> {
    let mut at = |arena: &mut Arena, value: Id, is_approached: bool| {
        let ratio = arena.substitute(ratio, symbol, value);
        let next = Condition { ratio, is_approached };
        if !outside.contains(&next) {
            outside.push(next);
        }
    };
    match *range {
        BoundRange::Unknown => None,
        BoundRange::One(value) => {
            let value = arena.integer(value);
            at(arena, value, is_approached);
            Some(())
        }
        BoundRange::Between(from, to) => {
            for end in ends(arena, symbol, ratio, [from, to], false)? {
                at(arena, end, true);
            }
            Some(())
        }
        BoundRange::Steps(from, to) => {
            if let Some(found) = ends(arena, symbol, ratio, [from, to], true) {
                for end in found {
                    at(arena, end, is_approached);
                }
                return Some(());
            }
            let (first, last) = (arena.as_integer(from)?, arena.as_integer(to)?);
            if last.checked_sub(first)? >= INDEX_VALUES {
                return None;
            }
            for value in first..=last {
                let value = arena.integer(value);
                at(arena, value, is_approached);
            }
            Some(())
        }
        BoundRange::Near(point, side) => {
            if arena.free(point).contains(symbol) {
                return None;
            }
            near(arena, symbol, (point, side), ratio, outside)
        }
    }
}

/// Replaces a condition near a point with one for the limit of the ratio.
fn near(
    arena: &mut Arena,
    symbol: Symbol,
    (point, side): (Id, Direction),
    ratio: Id,
    outside: &mut Vec<Condition>,
) -> Option<()> {
    let ratio_there = limit_of(arena, symbol, point, side, ratio)?;
    if arena.any(ratio_there, |node| matches!(node, Node::Constant(Constant::Infinity))) {
        return None;
    }
    if !arena.is_constant(ratio_there) {
        outside.push(Condition { ratio: ratio_there, is_approached: false });
        return Some(());
    }
    match room(arena, ratio_there)? {
        1 => Some(()),
        0 => {
            let distance = distance(arena, ratio);
            limits::is_positive_near(arena, symbol, (point, side), distance).then_some(())
        }
        _ => None,
    }
}

/// Returns the ends of a range at which the absolute value of the ratio can be largest.
///
/// The ratio must be a constant times a power of a linear term, or times an exponential.
fn ends(arena: &mut Arena, symbol: Symbol, ratio: Id, [from, to]: [Id; 2], is_sum: bool) -> Option<Vec<Id>> {
    let factors = match arena.node(ratio) {
        Node::Product(parts) => parts.to_vec(),
        _ => vec![ratio],
    };
    let mut varying = factors.into_iter().filter(|&factor| arena.free(factor).contains(symbol));
    let (Some(factor), None) = (varying.next(), varying.next()) else { return None };
    let (term, power) = match arena.node(factor) {
        Node::Power(base, exponent) if arena.free(exponent).contains(symbol) => {
            let grows = growth(arena, base)? * slope(arena, symbol, exponent)?;
            return match (infinity(arena, from), infinity(arena, to)) {
                (None, None) if !is_sum => Some(vec![from, to]),
                (None, Some(true) | None) if grows < 0 => Some(vec![from]),
                (Some(false), None) if !is_sum && grows > 0 => Some(vec![to]),
                (None, None) => Some(vec![to]),
                _ => None,
            };
        }
        Node::Power(base, exponent) => (base, arena.as_integer(exponent)?),
        _ => (factor, 1),
    };
    let slope = slope(arena, symbol, term)?;
    if power > 0 {
        let is_finite = [from, to].iter().all(|&end| infinity(arena, end).is_none());
        return is_finite.then(|| vec![from, to]);
    }
    // The linear term must not change its sign.
    let sign_at = |arena: &mut Arena, end: Id| {
        let value = arena.substitute(term, symbol, end);
        constant_sign(arena, value)
    };
    match (infinity(arena, from), infinity(arena, to)) {
        (None, Some(true)) => (sign_at(arena, from)? == slope).then(|| vec![from]),
        (Some(false), None) => (sign_at(arena, to)? == -slope).then(|| vec![to]),
        (None, None) => {
            let first = sign_at(arena, from)?;
            // The upper bound of a sum is not below the lower one.
            if is_sum && first == slope {
                return Some(vec![from]);
            }
            (first != 0 && first == sign_at(arena, to)?).then(|| vec![from, to])
        }
        _ => None,
    }
}

/// Returns the sign of the slope of a linear term.
fn slope(arena: &Arena, symbol: Symbol, id: Id) -> Option<i32> {
    let is_symbol = |id: Id| matches!(arena.node(id), Node::Symbol(name) if name == symbol);
    let of_term = |id: Id| match arena.node(id) {
        Node::Product(&([factor, other] | [other, factor])) if is_symbol(other) => {
            constant_sign(arena, factor).filter(|&sign| sign != 0)
        }
        _ => is_symbol(id).then_some(1),
    };
    let Node::Sum(parts) = arena.node(id) else { return of_term(id) };
    let mut varying = parts.iter().filter(|&&part| arena.free(part).contains(symbol));
    let (Some(&part), None) = (varying.next(), varying.next()) else { return None };
    of_term(part)
}

/// Returns 1 if the powers of a positive base grow with the exponent, -1 if they shrink.
fn growth(arena: &mut Arena, base: Id) -> Option<i32> {
    if constant_sign(arena, base)? <= 0 {
        return None;
    }
    let excess = arena.sub(base, Arena::ONE);
    constant_sign(arena, excess).filter(|&sign| sign != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_largest_at_the_finite_end_of_a_half_line() {
        let mut arena = Arena::default();
        let (x, infinity) = (arena.variable("x"), arena.constant(Constant::Infinity));
        let (minus_x, minus_infinity) = (arena.neg(x), arena.neg(infinity));
        let [rising, falling] = [x, minus_x].map(|exponent| arena.exp(exponent));
        for (ratio, ends, expected) in [
            (rising, [minus_infinity, Arena::MINUS_ONE], true),
            (rising, [minus_infinity, Arena::ONE], false),
            (rising, [Arena::ONE, infinity], false),
            (falling, [Arena::ONE, infinity], true),
            (falling, [minus_infinity, Arena::MINUS_ONE], false),
        ] {
            let range = BoundRange::Between(ends[0], ends[1]);
            let bound = Bound { written: "x".to_owned(), range };
            assert_eq!(shrinks(&mut arena, &[bound], ratio).is_some(), expected, "{ratio:?} {ends:?}");
        }
    }
}
