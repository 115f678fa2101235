//! Separation bounds: two algebraic constants are equal if they are closer than distinct ones can be.
//!
//! Write a radical expression as `U/L` with algebraic integers `U` and `L`:
//! `(U/L)^(1/k) = (U L^(k-1))^(1/k) / L`. Let all conjugates of `U` be at most `u` in magnitude, those of `L`
//! at most `l`, and let `U` have at most `D` conjugates. Then either `U = 0`, or the product of its
//! conjugates is a nonzero integer and `|U/L| >= 1 / (l u^(D-1))`. (Burnikel, Funke, Mehlhorn, Schirra,
//! Schmitt: A separation bound for real algebraic expressions, ESA 2001.) `D` is the product of the degrees
//! of the distinct roots.
//!
//! The sine or cosine of a rational multiple of π is half an algebraic integer, whose conjugates are at most
//! 2 in magnitude. All of them lie in the field of one root of unity of order `n`, whose degree is φ(n).

use super::{Judge, Proof};
use crate::evaluate::Value;
use crate::expr::{Arena, Constant, Function, Id, Node};
use crate::limits::Fuel;
use crate::limits::{ROOT_OF_UNITY_ORDER, SEPARATION};
use crate::number::Rational;
use crate::precise::Field;
use smallvec::SmallVec;

/// The largest separation bound, in bits, for which a difference is evaluated.
const MOST_BITS: f64 = 3_900.0;

/// Binary logarithms of the bounds on the conjugates of a numerator (`above`) and a denominator (`below`).
#[derive(Clone, Copy)]
struct Bounds {
    above: f64,
    below: f64,
}

/// The bounds of the parts in increasing order of ids, and bounds on the number field that contains all of
/// them.
struct Tower {
    bounds: SmallVec<[(Id, Option<Bounds>); 16]>,
    /// The product of the degrees of the roots.
    degree: f64,
    /// The order of a root of unity whose field contains `i` and all sines and cosines that occur.
    order: u64,
}

/// Returns the binary logarithm of the sum of two numbers from their logarithms, rounded up.
fn log_of_sum(a: f64, b: f64) -> f64 {
    let (high, low) = (a.max(b), a.min(b));
    up(high + libm::log2(1.0 + libm::exp2(low - high)))
}

/// Adds a margin for the rounding errors of a few operations on logarithms.
fn up(value: f64) -> f64 {
    value + value.abs() * 1e-12 + 1e-12
}

impl Tower {
    /// Returns the bounds of `id` from those of its parts, or `None` if `id` is not known to be algebraic.
    fn describe(&mut self, arena: &Arena, id: Id) -> Option<Bounds> {
        let known = |tower: &Self, id: Id| {
            let at = tower.bounds.binary_search_by_key(&id, |(part, _)| *part).ok()?;
            tower.bounds[at].1
        };
        Some(match arena.node(id) {
            Node::Number(number) => rational(number),
            Node::Constant(Constant::I) => {
                self.turn(4)?;
                Bounds { above: 0.0, below: 0.0 }
            }
            Node::Constant(Constant::Phi) => {
                self.degree *= 2.0;
                Bounds { above: up(0.7), below: 0.0 }
            }
            Node::Sum(terms) => {
                let mut total: Option<Bounds> = None;
                for &term in terms {
                    let term = known(self, term)?;
                    total = Some(match total {
                        None => term,
                        Some(sum) => Bounds {
                            above: log_of_sum(sum.above + term.below, term.above + sum.below),
                            below: up(sum.below + term.below),
                        },
                    });
                }
                total?
            }
            Node::Product(factors) => {
                let mut all = Bounds { above: 0.0, below: 0.0 };
                for &factor in factors {
                    let factor = known(self, factor)?;
                    all = Bounds { above: up(all.above + factor.above), below: up(all.below + factor.below) };
                }
                all
            }
            Node::Power(base, exponent) => {
                let (n, d) = arena.as_number(exponent)?.to_small()?;
                let mut base = known(self, base)?;
                if d != 1 {
                    let degree = d as f64;
                    self.degree *= degree;
                    base = if base.above >= base.below {
                        Bounds { above: up((base.above + (degree - 1.0) * base.below) / degree), ..base }
                    } else {
                        Bounds { below: up(((degree - 1.0) * base.above + base.below) / degree), ..base }
                    };
                }
                let times = n.unsigned_abs() as f64;
                let power = Bounds { above: up(base.above * times), below: up(base.below * times) };
                if n < 0 { Bounds { above: power.below, below: power.above } } else { power }
            }
            Node::Apply(Function::Sin | Function::Cos | Function::Tan, &[angle]) => {
                let turns = part_of_pi(arena, angle)?;
                // The angle is π n/d, a multiple of 1/(2d) of a turn; a sine is a cosine shifted by a quarter
                // turn.
                let parts = turns.denominator_part().to_u64()?.checked_mul(2)?;
                self.turn(parts)?;
                self.turn(4)?;
                Bounds { above: 1.0, below: 1.0 }
            }
            Node::Apply(Function::Abs, &[inner]) => {
                // The magnitude of a real number is the number or its negative.
                if arena.is_complex(inner) {
                    return None;
                }
                known(self, inner)?
            }
            _ => return None,
        })
    }

    fn turn(&mut self, parts: u64) -> Option<()> {
        let (mut a, mut b) = (self.order, parts);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        self.order = (self.order / a).checked_mul(parts)?;
        (self.order <= ROOT_OF_UNITY_ORDER).then_some(())
    }
}

/// Returns the bounds of a rational number as a quotient of integers.
fn rational(number: &Rational) -> Bounds {
    let bits = |part: Rational| {
        let value = part.absolute().to_f64();
        if value <= 1.0 {
            0.0
        } else if value == 2.0 {
            1.0
        } else if value.is_finite() {
            up(libm::log2(value))
        } else {
            part.magnitude() as f64 + 1.0
        }
    };
    Bounds { above: bits(number.numerator_part()), below: bits(number.denominator_part()) }
}

/// Returns `r` for an angle `r π` with rational `r`.
fn part_of_pi(arena: &Arena, angle: Id) -> Option<Rational> {
    let is_pi = |id: Id| matches!(arena.node(id), Node::Constant(Constant::Pi));
    match arena.node(angle) {
        Node::Constant(Constant::Pi) => Some(Rational::ONE),
        Node::Product(&([number, pi] | [pi, number])) if is_pi(pi) => arena.as_number(number).cloned(),
        _ => None,
    }
}

/// Returns Euler's φ(n), the number of positive integers up to `n` that are coprime to `n`.
fn totient(n: u64) -> u64 {
    let (mut rest, mut all, mut factor) = (n, n, 2);
    while factor * factor <= rest {
        if rest.is_multiple_of(factor) {
            all -= all / factor;
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
        }
        factor += 1;
    }
    if rest > 1 { all - all / rest } else { all }
}

/// Returns `k` such that two algebraic constants are equal if they are closer than `2^-k`.
///
/// Returns `None` for other constants, and if the bound needs too many bits.
fn separation_bits(arena: &mut Arena, a: Id, b: Id) -> Option<usize> {
    let difference = arena.sub(a, b);
    if arena.overflowed() {
        return None;
    }
    let mut tower = Tower { bounds: SmallVec::new(), degree: 1.0, order: 1 };
    for &id in &arena.reachable(&[difference]) {
        // An angle such as `π/3` has no bounds and needs none.
        let bounds = tower.describe(arena, id);
        tower.bounds.push((id, bounds));
    }
    let Bounds { above, below } = tower.bounds.last()?.1?;
    let degree = tower.degree * totient(tower.order) as f64;
    let bits = up(below + (degree - 1.0) * above.max(0.0));
    (bits <= MOST_BITS).then_some(bits as usize + 2)
}

impl Judge {
    /// Returns whether two constants are algebraic and closer than their separation bound, according to the
    /// doubles of the last run of `self.program`.
    pub(super) fn are_inseparable_in_doubles(&mut self, arena: &mut Arena, [a, b]: [Id; 2]) -> bool {
        let [Value::Real { value, error }, Value::Real { value: other, error: also }] =
            [0, 1].map(|side| self.evaluator.value(&self.program, side, 0))
        else {
            return false;
        };
        let distance = (value - other).abs() + error + also;
        separation_bits(arena, a, b).is_some_and(|bits| distance < libm::exp2(-(bits as f64)))
    }

    /// Returns a proof if two constants, which `self.program` evaluates, are algebraic and closer than their
    /// separation bound.
    pub(super) fn are_inseparable(
        &mut self,
        arena: &mut Arena,
        [a, b]: [Id; 2],
        field: Field,
        fuel: &mut Fuel,
    ) -> Option<Proof> {
        let bits = separation_bits(arena, a, b)?;
        let mut units = SEPARATION.min(fuel.left());
        fuel.spend(units);
        let values = self.precise.evaluate(&self.program, &[], field, bits + 96, &mut units).ok()?;
        let closer = self.precise.are_closer(values.first()?, values.get(1)?, bits);
        closer.then_some(Proof::Separation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Expression;
    use crate::lower::lower;
    use crate::options::Options;

    #[test]
    fn doubles_of_another_pair_prove_nothing() {
        let constant = |arena: &mut Arena, text: &str| {
            let options = Options::new();
            let expression = Expression::parse(text, &options).unwrap();
            lower(expression.syntax(), options.names(), arena).unwrap()
        };
        let mut judge = Judge::default();
        let mut arena = Arena::default();
        let equal = [r"\sqrt{7+4\sqrt3}", r"2+\sqrt3"].map(|text| constant(&mut arena, text));
        let found = judge.decide(&mut arena, equal[0], equal[1], &(), &mut Fuel::new(1_000_000));
        assert!(found.evidence.is_equal(), "{:?}", found.evidence);
        // The same operations on other numbers, without fuel to evaluate them.
        let mut arena = Arena::default();
        let different = [r"\sqrt{9+5\sqrt7}", r"3+\sqrt7"].map(|text| constant(&mut arena, text));
        let found = judge.decide(&mut arena, different[0], different[1], &(), &mut Fuel::new(0));
        assert!(!found.evidence.is_equal(), "{:?}", found.evidence);
    }
}
