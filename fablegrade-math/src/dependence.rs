//! Detection of expressions whose value does not depend on any variable, such as `x - x + 5`.

use crate::limits::{CONSTANCY, DEPENDENCE_BITS};
use smallvec::SmallVec;

use crate::evaluate::{Evaluator, LANES, Program, Value};
use crate::expr::{Arena, Id};
use crate::points::{Points, SamplingHints, Variable};
use crate::precise::{Ball, Field, Gap, Number, Precise};

/// The known dependence of an expression on its variables.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Dependence {
    /// No variable occurs, or the values at three or more points agree to at least 60 bits.
    Constant {
        /// The number of points whose values agree; 0 if no variable occurs.
        points: usize,
        /// The number of bits to which the values agree, or `u32::MAX` if they are exactly equal. Meaningless
        /// if no variable occurs.
        bits: u32,
    },
    /// The values at two points certainly differ, or a structured answer contains a variable.
    Varies,
    /// Fewer than three points have known values that agree closely.
    Unknown,
}

/// Compares the values of an expression at several points with each other.
///
/// The answer holds on the domains of the variables. If a symbol is not among them, the dependence is
/// unknown. A piecewise constant expression is found to vary if the points lie in different pieces.
pub(crate) fn dependence(arena: &Arena, id: Id, variables: &[Variable], seed: u64) -> Dependence {
    if arena.is_constant(id) {
        return Dependence::Constant { points: 0, bits: DEPENDENCE_BITS as u32 };
    }
    let symbols: SmallVec<[_; 8]> = variables.iter().map(|variable| variable.symbol).collect();
    let program = Program::new(arena, &[id], &symbols);
    let points = Points::new(variables, &SamplingHints::new(arena, &[id]), seed, 24);
    if !program.is_complex() {
        let mut evaluator = Evaluator::new();
        let mut extremes: Option<(Value, Value)> = None;
        for block in 0..points.block_count() {
            evaluator.run(&program, points.block(block));
            for lane in 0..LANES {
                let value = evaluator.value(&program, 0, lane);
                let Some((at, error)) = value.real() else { continue };
                // The lowest upper end and the highest lower end decide for all pairs.
                let (low, high) = extremes.get_or_insert((value, value));
                if low.real().is_some_and(|(other, bound)| at + error < other + bound) {
                    *low = value;
                }
                if high.real().is_some_and(|(other, bound)| at - error > other - bound) {
                    *high = value;
                }
            }
        }
        if let Some((low, high)) = extremes
            && low.certainly_differ(high)
        {
            return Dependence::Varies;
        }
    }
    decide_with_balls(&program, &points)
}

/// Decides the dependence by ball arithmetic at the points.
fn decide_with_balls(program: &Program, points: &Points) -> Dependence {
    let field = if program.is_complex() { Field::Complex } else { Field::Real };
    let mut precise = Precise::new();
    let mut fuel = CONSTANCY;
    let mut first: Option<Number> = None;
    let (mut agreeing, mut bits) = (0, u32::MAX);
    for point in 0..points.len() {
        let row: SmallVec<[f64; 8]> = points.row(point).collect();
        match precise.evaluate(program, &row, field, DEPENDENCE_BITS, &mut fuel) {
            Ok(values) => {
                let Some(value) = values.into_iter().next() else { continue };
                match &first {
                    None => {
                        first = Some(value);
                        agreeing = 1;
                    }
                    Some(known) => match common_bits(known, &value) {
                        None => return Dependence::Varies,
                        Some(common) if common < 60 => {}
                        Some(common) => {
                            agreeing += 1;
                            bits = bits.min(common);
                        }
                    },
                }
            }
            Err(Gap::Undefined | Gap::Unknown) => {}
            Err(Gap::Fuel) => break,
        }
    }
    if agreeing >= 3 { Dependence::Constant { points: agreeing, bits } } else { Dependence::Unknown }
}

/// Returns the number of bits to which two numbers agree, or `None` if they certainly differ.
///
/// The difference is relative to the size of `a`, if that is larger than 1.
fn common_bits(a: &Number, b: &Number) -> Option<u32> {
    let mut least = u32::MAX;
    for (x, y) in [(&a.re, &b.re), (&a.im, &b.im)] {
        let Ok(difference) = x.minus(y, 2 * DEPENDENCE_BITS) else { return Some(0) };
        match difference.sign() {
            Some(core::cmp::Ordering::Equal) => {}
            Some(_) => return None,
            None => {
                let size = x.to_f64().abs().max(1.0);
                let relative = difference.over(&Ball::float(size).unwrap_or_else(|_| Ball::integer(1)), 64);
                let error = relative.map_or(1.0, |ball| ball.error());
                least = least.min((-libm::log2(error.max(1e-300))).max(0.0) as u32);
            }
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Constant, Function};

    #[test]
    fn constants_in_disguise() {
        let mut arena = Arena::default();
        let symbol = arena.symbol("x");
        let x = arena.variable_of(symbol);
        let variables = [Variable::real(symbol)];
        let five = arena.integer(5);
        let gone = arena.sub(x, x);
        let plain = arena.add(gone, five);
        let (sin, cos) = (arena.apply(Function::Sin, &[x]), arena.apply(Function::Cos, &[x]));
        let (a, b) = (arena.power(sin, Arena::TWO), arena.power(cos, Arena::TWO));
        let circle = arena.add(a, b);
        let ratio = arena.div(x, x);
        let (asin, acos) = (arena.apply(Function::Asin, &[x]), arena.apply(Function::Acos, &[x]));
        let quarter = arena.add(asin, acos);
        let i = arena.constant(Constant::I);
        let turned = arena.mul(i, ratio);
        for (name, id) in
            [("x-x+5", plain), ("circle", circle), ("x/x", ratio), ("quarter", quarter), ("i x/x", turned)]
        {
            let found = dependence(&arena, id, &variables, 1);
            assert!(matches!(found, Dependence::Constant { points: 3.., bits: 100.. }), "{name}: {found:?}");
        }
        assert!(matches!(dependence(&arena, five, &variables, 1), Dependence::Constant { points: 0, .. }));
    }

    #[test]
    fn what_varies() {
        let mut arena = Arena::default();
        let (symbol, other) = (arena.symbol("x"), arena.symbol("y"));
        let (x, y) = (arena.variable_of(symbol), arena.variable_of(other));
        let variables = [Variable::real(symbol), Variable::real(other)];
        let sign = arena.apply(Function::Sign, &[x]);
        let thousand = arena.integer(1000);
        let far = arena.add(x, thousand);
        let far = arena.apply(Function::Sign, &[far]);
        let floor = arena.apply(Function::Floor, &[y]);
        // 1 + 10^-30 x is constant in doubles.
        let tiny = arena.number(crate::number::Rational::from_decimal_text("1e-30").unwrap());
        let part = arena.mul(tiny, x);
        let nearly = arena.add(Arena::ONE, part);
        for (name, id) in [("x", x), ("sign", sign), ("far", far), ("floor", floor), ("nearly", nearly)] {
            assert_eq!(dependence(&arena, id, &variables, 1), Dependence::Varies, "{name}");
        }
        let square = arena.mul(x, x);
        let negative = arena.neg(square);
        let nowhere = arena.sqrt(negative);
        assert_eq!(dependence(&arena, nowhere, &variables, 1), Dependence::Unknown);
    }
}
