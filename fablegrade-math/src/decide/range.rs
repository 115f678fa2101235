//! Bounds of an expression over its whole domain, by interval arithmetic in doubles.
//!
//! The bounds are simple: a square is not negative, `e^x` is positive, and `|\arctan x|` is at most a quarter
//! turn. Parts without such bounds count as unbounded. Results are widened by more than their rounding
//! errors, but the sum or product of parts with known signs keeps its sign.

use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::number::Rational;
use crate::points::Variable;

/// A closed interval: the lowest and the highest value.
pub(crate) type Range = (f64, f64);

const EVERYWHERE: Range = (f64::NEG_INFINITY, f64::INFINITY);

/// Returns the range of a real expression over the domains of its variables.
pub(crate) fn range_of(arena: &Arena, id: Id, variables: &[Variable]) -> Range {
    let order = arena.reachable(&[id]);
    let mut ranges: Vec<(Id, Range)> = Vec::with_capacity(order.len());
    for part in order {
        let of = |child: Id| {
            // Children precede parents, and both are sorted by index.
            let at = ranges.binary_search_by_key(&child.index(), |(known, _)| known.index());
            at.map_or(EVERYWHERE, |at| ranges[at].1)
        };
        let range = step(arena, part, variables, &of);
        let sound = if range.0 <= range.1 { range } else { EVERYWHERE };
        ranges.push((part, sound));
    }
    ranges.last().map_or(EVERYWHERE, |(_, range)| *range)
}

fn step(arena: &Arena, id: Id, variables: &[Variable], of: &dyn Fn(Id) -> Range) -> Range {
    match arena.node(id) {
        Node::Number(number) => around(number),
        Node::Constant(Constant::Pi) => rounded(core::f64::consts::PI),
        Node::Constant(Constant::E) => rounded(core::f64::consts::E),
        Node::Symbol(symbol) => {
            let Some(variable) = variables.iter().find(|variable| variable.symbol == symbol) else {
                return EVERYWHERE;
            };
            let (min, max) = (&variable.domain.min, &variable.domain.max);
            (
                min.as_ref().map_or(f64::NEG_INFINITY, |min| around(min).0),
                max.as_ref().map_or(f64::INFINITY, |max| around(max).1),
            )
        }
        Node::Sum(parts) => parts.iter().fold((0.0, 0.0), |sum, &part| plus(sum, of(part))),
        Node::Product(parts) => parts.iter().fold((1.0, 1.0), |product, &part| times(product, of(part))),
        Node::Power(base, exponent) => power(arena, base, exponent, of),
        Node::Apply(function, &[argument]) => of_one(function, of(argument)),
        Node::Apply(function, parts) => {
            let ranges = parts.iter().map(|&part| of(part));
            ranges.reduce(|a, b| of_two(function, a, b)).unwrap_or(EVERYWHERE)
        }
        _ => EVERYWHERE,
    }
}

/// Returns an interval that contains the number and only numbers of its sign.
fn around(number: &Rational) -> Range {
    if number.is_zero() { (0.0, 0.0) } else { rounded(number.to_f64()) }
}

/// Returns an interval that contains every number other than 0 that is rounded to `value`, and only numbers of
/// its sign.
fn rounded(value: f64) -> Range {
    let size = value.abs();
    let (low, high) = if size < f64::MIN_POSITIVE {
        (0.0, f64::MIN_POSITIVE)
    } else if size.is_finite() {
        (size - size * 1e-15, size + size * 1e-15)
    } else {
        (f64::MAX, f64::INFINITY)
    };
    if value.is_sign_negative() { (-high, -low) } else { (low, high) }
}

/// Returns a bound of a sum, moved outwards by more than its rounding error.
fn widened(sum: f64, side: f64, (a, b): (f64, f64)) -> f64 {
    if sum.is_nan() {
        return side * f64::INFINITY;
    }
    // If both parts have the same sign, a bound that moves towards 0 does not cross it, since rounding is
    // monotone.
    if (a >= 0.0 && b >= 0.0 && side < 0.0) || (a <= 0.0 && b <= 0.0 && side > 0.0) {
        return if sum.is_finite() { sum * (1.0 - 1e-15) } else { sum };
    }
    if sum.is_finite() { sum + side * 1e-15 * (a.abs() + b.abs()) } else { sum }
}

/// Returns the sum of two ranges, moved outwards.
pub(crate) fn plus(a: Range, b: Range) -> Range {
    (widened(a.0 + b.0, -1.0, (a.0, b.0)), widened(a.1 + b.1, 1.0, (a.1, b.1)))
}

/// Returns the product of two ranges, moved outwards.
pub(crate) fn times(a: Range, b: Range) -> Range {
    // 0 times an infinite bound is 0, because parts never take an infinite value.
    let product = |x: f64, y: f64| if x == 0.0 || y == 0.0 { (0.0, 0.0) } else { rounded(x * y) };
    let all = [product(a.0, b.0), product(a.0, b.1), product(a.1, b.0), product(a.1, b.1)];
    let low = all.iter().fold(f64::INFINITY, |low, product| low.min(product.0));
    let high = all.iter().fold(f64::NEG_INFINITY, |high, product| high.max(product.1));
    (low, high)
}

fn power(arena: &Arena, base: Id, exponent: Id, of: &dyn Fn(Id) -> Range) -> Range {
    let mut below = of(base);
    if let Some(number) = arena.as_number(exponent) {
        let square_root = number.has_even_denominator();
        let even = number.has_even_numerator();
        let number = number.to_f64();
        if even {
            // The power is that of the absolute value, also for an exponent such as 2/3.
            below = size(below);
        }
        if below.0 > 0.0 {
            // The power is monotone; the margin is larger than the rounding of `pow`.
            let (a, b) = (libm::pow(below.0, number), libm::pow(below.1, number));
            let (low, high) = (a.min(b) * (1.0 - 1e-12), a.max(b) * (1.0 + 1e-12));
            let low = if low < f64::MIN_POSITIVE { 0.0 } else { low.min(f64::MAX) };
            return (low, high.max(f64::MIN_POSITIVE));
        }
        if !even && !square_root {
            // An odd power has the sign of its base, and a power of a positive base is positive.
            return match below {
                (low, _) if low >= 0.0 => (0.0, f64::INFINITY),
                (_, high) if high <= 0.0 => (f64::NEG_INFINITY, 0.0),
                _ => EVERYWHERE,
            };
        }
        if number == 2.0 {
            return times(below, below);
        }
        // Even powers and roots of even degree are not negative.
        return (0.0, f64::INFINITY);
    }
    if below.0 >= 0.0 { (0.0, f64::INFINITY) } else { EVERYWHERE }
}

const QUARTER: f64 = core::f64::consts::FRAC_PI_2 * (1.0 + 1e-15);
const HALF: f64 = core::f64::consts::PI * (1.0 + 1e-15);

/// Returns the range of a function that has the sign of its argument and is at most `most` in magnitude.
fn odd(argument: Range, most: f64) -> Range {
    match argument {
        (low, _) if low >= 0.0 => (0.0, most),
        (_, high) if high <= 0.0 => (-most, 0.0),
        _ => (-most, most),
    }
}

/// Returns the range of an absolute value.
fn size(argument: Range) -> Range {
    match argument {
        (low, high) if low >= 0.0 => (low, high),
        (low, high) if high <= 0.0 => (-high, -low),
        (low, high) => (0.0, high.max(-low)),
    }
}

macro_rules! ranges {
    (
        all $all:tt
        unary { $($unary:ident { facts $facts:tt range { $range:expr } $($row:tt)* })* }
        binary { $($binary:ident { facts $more:tt range { $of_pair:expr } $($other:tt)* })* }
    ) => {
        /// Returns the range of a function of one argument.
        fn of_one(function: Function, argument: Range) -> Range {
            fn at(argument: Range, range: impl FnOnce(Range) -> Range) -> Range {
                range(argument)
            }
            match function {
                $(Function::$unary => at(argument, $range),)*
                _ => EVERYWHERE,
            }
        }

        /// Returns the range of a function of two arguments.
        fn of_two(function: Function, a: Range, b: Range) -> Range {
            fn at(a: Range, b: Range, range: impl FnOnce(Range, Range) -> Range) -> Range {
                range(a, b)
            }
            match function {
                $(Function::$binary => at(a, b, $of_pair),)*
                _ => EVERYWHERE,
            }
        }
    };
}

functions!(ranges);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_doubles_are_inside_their_ranges() {
        let mut arena = Arena::default();
        for (exponent, inside) in [(-400, f64::MIN_POSITIVE), (400, f64::MAX)] {
            let number = Rational::from(10).checked_pow(exponent).unwrap();
            let number = arena.number(number);
            let below = arena.neg(number);
            let (low, high) = range_of(&arena, number, &[]);
            assert!(low >= 0.0 && low < high && (low..=high).contains(&inside), "{low} {high}");
            assert_eq!(range_of(&arena, below, &[]), (-high, -low));
        }
        assert_eq!(range_of(&arena, Arena::ZERO, &[]), (0.0, 0.0));
        let tiny = (1e-200, 1e-190);
        assert_eq!(times(tiny, tiny), (0.0, f64::MIN_POSITIVE));
        assert_eq!(times(tiny, (-1e-190, 0.0)), (-f64::MIN_POSITIVE, 0.0));
    }

    #[test]
    fn powers_with_even_numerators_are_not_negative() {
        let mut arena = Arena::default();
        let x = arena.variable("x");
        let square = arena.power(x, Arena::TWO);
        let above = arena.add(square, Arena::ONE);
        let below = arena.neg(above);
        let power = |arena: &mut Arena, numerator, denominator| {
            let exponent = arena.fraction(numerator, denominator);
            let power = arena.power(below, exponent);
            range_of(arena, power, &[])
        };
        let (low, high) = power(&mut arena, 2, 3);
        assert!(low > 0.999 && low <= 1.0 && high == f64::INFINITY, "{low} {high}");
        let (low, high) = power(&mut arena, -2, 3);
        assert!(low == 0.0 && (1.0..1.001).contains(&high), "{low} {high}");
        let (low, high) = power(&mut arena, 1, 3);
        assert!(low == f64::NEG_INFINITY && high == 0.0, "{low} {high}");
    }
}
