//! Exact real numbers at which relations are evaluated, and the values of expressions at them.

use super::enclosed::Enclosed;
use super::{BoundedOracle, Verdict};
use crate::evaluate::Program;
use crate::expr::{Arena, Id, Node, Symbol};
use crate::limits::{RECOGNISED_DENOMINATOR, STEEP_BITS};
use crate::number::Rational;
use crate::polynomial::{Algebraic, Root};
use crate::precise::{Ball, Field, Gap};
use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// The precisions of evaluations, in bits.
const PRECISIONS: [usize; 3] = [64, 192, 512];

/// An exact real number.
#[derive(Clone, Debug)]
pub(crate) enum Coordinate {
    Rational(Rational),
    /// A root of a polynomial.
    Algebraic(Algebraic),
    /// The value of a constant expression.
    Closed(Id),
    /// The only zero of a function in an interval.
    Enclosed(Enclosed),
}

/// The sign of an expression at a point, if the expression is defined and its sign is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Undefined,
    Sign(Ordering),
    Unknown,
}

impl From<Root> for Coordinate {
    fn from(root: Root) -> Self {
        match root {
            Root::Rational(value) => Self::Rational(value),
            Root::Algebraic(number) => Self::Algebraic(number),
        }
    }
}

impl Coordinate {
    /// Returns the number as an expression, if it has a short one.
    pub(super) fn expression(&self, arena: &mut Arena) -> Option<Id> {
        match self {
            Self::Rational(value) => Some(arena.number(value.clone())),
            Self::Closed(id) => Some(*id),
            Self::Enclosed(_) => None,
            Self::Algebraic(number) => {
                if let Some((degree, power, negative)) = number.pure_root() {
                    let degree = arena.integer(degree);
                    let power = arena.number(power);
                    let root = arena.root(degree, power);
                    return Some(if negative { arena.neg(root) } else { root });
                }
                let (b, discriminant, twice, upper) = number.radical()?;
                // The square factor of the discriminant is moved in front of the root.
                let (front, inside) = split_square(&discriminant)?;
                let integer = |arena: &mut Arena, value: IBig| {
                    Rational::from_integers(value, UBig::ONE).map(|value| arena.number(value))
                };
                let inside = integer(arena, inside)?;
                let root = arena.sqrt(inside);
                let front = if upper { front } else { -front };
                let root_factor = fraction(front, &twice)?;
                let rest = fraction(-b, &twice)?;
                let root_factor = arena.number(root_factor);
                let term = arena.mul(root_factor, root);
                let rest = arena.number(rest);
                Some(arena.add(rest, term))
            }
        }
    }

    /// Returns a ball around the number with about the given number of bits.
    pub(super) fn ball(
        &mut self,
        arena: &Arena,
        bits: usize,
        oracle: &mut BoundedOracle<'_>,
    ) -> Result<Ball, Gap> {
        match self {
            Self::Rational(value) => Ball::rational(value, bits),
            Self::Algebraic(number) => {
                number.refine_to(bits as i64);
                let (place, shift) = number.interval();
                Ball::dyadic((place << 1) + 1, -shift - 1, 1.0)
            }
            Self::Closed(id) => oracle.ball(arena, *id, bits),
            Self::Enclosed(root) => root.ball(arena, bits, oracle),
        }
    }

    /// Returns a double close to the number, which only guides searches.
    pub(super) fn nearest(&mut self, arena: &Arena, oracle: &mut BoundedOracle<'_>) -> Option<f64> {
        let value = match self {
            Self::Rational(value) => value.to_f64(),
            other => other.ball(arena, 64, oracle).ok()?.to_f64(),
        };
        value.is_finite().then_some(value)
    }

    /// Returns the order of two numbers; `None` if it cannot be decided.
    pub(super) fn compare(
        &mut self,
        arena: &mut Arena,
        other: &mut Self,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<Ordering> {
        match (&mut *self, &mut *other) {
            (Self::Rational(a), Self::Rational(b)) => return Some((*a).cmp(b)),
            (Self::Algebraic(a), Self::Rational(b)) => return Some(a.compare_rational(b)),
            (Self::Rational(a), Self::Algebraic(b)) => return Some(b.compare_rational(a).reverse()),
            (Self::Algebraic(a), Self::Algebraic(b)) => return a.compare(b),
            (Self::Closed(a), Self::Closed(b)) if a == b => return Some(Ordering::Equal),
            (Self::Enclosed(a), Self::Enclosed(b)) if a.is_same_as(b) => return Some(Ordering::Equal),
            _ => {}
        }
        for bits in PRECISIONS {
            let (Ok(a), Ok(b)) = (self.ball(arena, bits, oracle), other.ball(arena, bits, oracle)) else {
                return None;
            };
            if let Some(sign) = a.minus(&b, bits + 64).ok()?.sign() {
                return Some(sign);
            }
            if bits == PRECISIONS[1]
                && let (Some(a), Some(b)) = (self.expression(arena), other.expression(arena))
                && oracle.same(arena, a, b) == Verdict::Same
            {
                return Some(Ordering::Equal);
            }
            if bits == PRECISIONS[1]
                && let (Self::Enclosed(root), other) | (other, Self::Enclosed(root)) =
                    (&mut *self, &mut *other)
                && root.coincides(arena, other, oracle)?
            {
                return Some(Ordering::Equal);
            }
        }
        None
    }
}

/// Splits a positive `value` into `front^2 inside` with an `inside` that has no small square factors.
fn split_square(value: &IBig) -> Option<(IBig, IBig)> {
    let (mut front, mut inside) = (IBig::ONE, value.clone());
    for prime in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37] {
        let square = IBig::from(prime * prime);
        for _ in 0..200 {
            if !(&inside % &square).is_zero() {
                break;
            }
            inside /= &square;
            front *= prime;
        }
    }
    let size = Rational::from_integers(inside.clone(), UBig::ONE)?;
    if let Some(root) = size.exact_root(2) {
        return Some((front * root.numerator(), IBig::ONE));
    }
    Some((front, inside))
}

fn fraction(numerator: IBig, denominator: &IBig) -> Option<Rational> {
    let negative = dashu_base::Signed::is_negative(denominator);
    Rational::from_integers(if negative { -numerator } else { numerator }, denominator.clone().unsigned_abs())
}

/// Returns a constant as a coordinate. Rational numbers with small denominators are recognised.
pub(super) fn settled(arena: &mut Arena, id: Id, oracle: &mut BoundedOracle<'_>) -> Option<Coordinate> {
    if let Some(value) = arena.as_number(id) {
        return Some(Coordinate::Rational(value.clone()));
    }
    let value = oracle.ball(arena, id, 96).ok()?;
    if let Some(guess) = simplest_within(&value)
        && {
            let number = arena.number(guess.clone());
            oracle.same(arena, id, number) == Verdict::Same
        }
    {
        return Some(Coordinate::Rational(guess));
    }
    Some(Coordinate::Closed(id))
}

/// Returns a rational number with a small denominator inside a narrow ball.
pub(super) fn simplest_within(ball: &Ball) -> Option<Rational> {
    let value = ball.to_f64();
    if !value.is_finite() || value.abs() > 1e9 {
        return None;
    }
    // The convergents of the continued fraction are tried.
    let (mut p, mut q) = ((1i64, 0i64), (0i64, 1i64));
    let mut rest = value;
    for _ in 0..20 {
        let whole = libm::floor(rest);
        let digit = whole as i64;
        p = (digit.checked_mul(p.0)?.checked_add(p.1)?, p.0);
        q = (digit.checked_mul(q.0)?.checked_add(q.1)?, q.0);
        if q.0 > RECOGNISED_DENOMINATOR {
            return None;
        }
        let guess = Rational::new(p.0, q.0)?;
        let difference = ball.minus(&Ball::rational(&guess, 160).ok()?, 200).ok()?;
        if difference.sign().is_none_or(|sign| sign == Ordering::Equal) {
            return Some(guess);
        }
        if rest == whole {
            return None;
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

impl BoundedOracle<'_> {
    /// Returns a real constant to the given number of bits.
    pub(super) fn ball(&mut self, arena: &Arena, id: Id, bits: usize) -> Result<Ball, Gap> {
        let program = Program::new(arena, &[id], &[]);
        let values = self.precise.evaluate(&program, &[], Field::Real, bits, &mut self.precise_fuel)?;
        values.first().filter(|value| value.is_real()).map(|value| value.re.clone()).ok_or(Gap::Unknown)
    }

    /// Returns the sign of a constant, or [`Value::Undefined`] if it has no value.
    pub(super) fn value(&mut self, arena: &mut Arena, id: Id) -> Value {
        self.value_within(arena, id, 3)
    }

    fn value_within(&mut self, arena: &mut Arena, id: Id, depth: u32) -> Value {
        if let Some(number) = arena.as_number(id) {
            return Value::Sign(number.cmp(&Rational::ZERO));
        }
        if arena.overflowed() {
            return Value::Unknown;
        }
        let program = Program::new(arena, &[id], &[]);
        let mut defined = false;
        for bits in PRECISIONS {
            match self.precise.evaluate(&program, &[], Field::Real, bits, &mut self.precise_fuel) {
                Ok(values) => {
                    let Some(value) = values.first() else { return Value::Unknown };
                    if let Some(sign) = value.re.sign() {
                        return Value::Sign(sign);
                    }
                    defined = true;
                }
                Err(Gap::Undefined) => return Value::Undefined,
                Err(Gap::Fuel) => return Value::Unknown,
                Err(Gap::Unknown) => defined = false,
            }
            if bits == PRECISIONS[0] && defined && self.vanishes(arena, id) == Verdict::Same {
                return Value::Sign(Ordering::Equal);
            }
        }
        if defined || depth == 0 {
            return Value::Unknown;
        }
        // A part under a root or in a denominator may be 0 in another form.
        match self.with_zeros(arena, id) {
            Some(other) if other != id => self.value_within(arena, other, depth - 1),
            _ => Value::Unknown,
        }
    }

    /// Returns the same constant after replacing by 0 all bases of powers and arguments that are equal to 0.
    fn with_zeros(&mut self, arena: &mut Arena, id: Id) -> Option<Id> {
        let order = arena.reachable(&[id]);
        let mut images: Vec<Id> = Vec::with_capacity(order.len());
        let mut suspects: Vec<Id> = Vec::new();
        for part in &order {
            match arena.node(*part) {
                Node::Power(base, _) => suspects.push(base),
                Node::Apply(_, arguments) => suspects.extend(arguments),
                _ => {}
            }
        }
        for part in &order {
            let image = |part: Id| {
                order.binary_search(&part).ok().and_then(|at| images.get(at)).copied().unwrap_or(part)
            };
            let parts: Vec<Id> = arena.parts(*part).iter().map(|part| image(*part)).collect();
            let mut next = match arena.node(*part) {
                Node::Sum(_) => arena.sum(&parts),
                Node::Product(_) => arena.product(&parts),
                Node::Power(..) => arena.power(*parts.first()?, *parts.get(1)?),
                Node::Apply(function, _) => arena.apply(function, &parts),
                Node::Number(_) | Node::Constant(_) => *part,
                _ => return None,
            };
            if suspects.contains(part)
                && arena.as_number(next).is_none()
                && self.ball(arena, next, 128).is_ok_and(|ball| ball.sign().is_none())
                && self.vanishes(arena, next) == Verdict::Same
            {
                next = Arena::ZERO;
            }
            images.push(next);
        }
        images.last().copied()
    }

    /// Returns the sign of an expression in one unknown at a number, evaluated at balls around the number.
    pub(super) fn value_at(&mut self, arena: &Arena, id: Id, unknown: Symbol, at: &mut Coordinate) -> Value {
        let program = Program::new(arena, &[id], &[unknown]);
        // Each bit of the ends of an interval costs more than the previous one.
        let most = if matches!(at, Coordinate::Enclosed(_)) { 2 } else { PRECISIONS.len() };
        for bits in PRECISIONS.into_iter().take(most) {
            let Ok(ball) = at.ball(arena, bits + 32, self) else { return Value::Unknown };
            match self.precise.evaluate_at(&program, &[ball], bits, &mut self.precise_fuel) {
                Ok(value) => {
                    if let Some(sign) = value.sign() {
                        return Value::Sign(sign);
                    }
                }
                Err(Gap::Undefined) => return Value::Undefined,
                Err(Gap::Fuel) => return Value::Unknown,
                Err(Gap::Unknown) => {}
            }
        }
        Value::Unknown
    }

    /// Returns a ball around the value of an expression in one unknown at a number.
    pub(super) fn ball_at(
        &mut self,
        arena: &Arena,
        id: Id,
        unknown: Symbol,
        at: &mut Coordinate,
    ) -> Option<Ball> {
        let program = Program::new(arena, &[id], &[unknown]);
        let ball = at.ball(arena, PRECISIONS[1], self).ok()?;
        self.precise.evaluate_at(&program, &[ball], PRECISIONS[1], &mut self.precise_fuel).ok()
    }

    /// Returns whether an expression in one unknown certainly has a value at a number.
    pub(super) fn is_defined_at(
        &mut self,
        arena: &Arena,
        id: Id,
        unknown: Symbol,
        at: &mut Coordinate,
    ) -> bool {
        let program = Program::new(arena, &[id], &[unknown]);
        let Ok(ball) = at.ball(arena, PRECISIONS[0], self) else { return false };
        self.precise.evaluate_at(&program, &[ball], PRECISIONS[0], &mut self.precise_fuel).is_ok()
    }

    /// Returns whether an expression is 0 at a number to [`AGREED_BITS`](super::AGREED_BITS) bits.
    pub(super) fn is_tiny(&mut self, arena: &Arena, id: Id, unknown: Symbol, at: &mut Coordinate) -> bool {
        let program = Program::new(arena, &[id], &[unknown]);
        let agreed = super::AGREED_BITS as usize;
        let mut bits = if matches!(at, Coordinate::Enclosed(_)) { agreed + 80 } else { 3 * agreed };
        // If the expression is steep, its ball is much wider than that of the number, so a second try uses
        // more bits.
        for _ in 0..2 {
            let Ok(ball) = at.ball(arena, bits, self) else { return false };
            let Ok(value) = self.precise.evaluate_at(&program, &[ball], bits, &mut self.precise_fuel) else {
                return false;
            };
            let missing = value.bits_above(-i64::from(super::AGREED_BITS)) as usize;
            if missing == 0 {
                return true;
            }
            if value.sign().is_some() || missing > STEEP_BITS {
                return false;
            }
            bits += missing + 16;
        }
        false
    }
}
