//! Real numbers known as the only zero of a function in an interval, which can be narrowed.
//!
//! The function certainly has different signs at the ends. Between them it is continuous and has one zero.
//! The interval is narrowed by quadratic refinement (Abbott, *Quadratic interval refinement for real roots*):
//! a secant proposes a part of the interval, and signs by ball arithmetic prove that the zero is in it.

use super::coordinate::{Coordinate, simplest_within};
use super::{BoundedOracle, Verdict};
use crate::evaluate::Program;
use crate::expr::{Arena, Id, Symbol};
use crate::limits::{REFINEMENT_BITS, REFINEMENT_STEPS, ROOT_BITS};
use crate::number::Rational;
use crate::precise::{Ball, Gap};
use dashu_base::UnsignedAbs;
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// The only zero of a function between two numbers.
#[derive(Clone, Debug)]
pub(crate) struct Enclosed {
    function: Id,
    unknown: Symbol,
    low: Rational,
    high: Rational,
    /// `true` if the function is positive at the upper end.
    rising: bool,
}

impl Enclosed {
    /// Returns the zero between two numbers at which the function has different signs. A zero with a small
    /// denominator is recognised as a rational number.
    pub(super) fn between(
        arena: &mut Arena,
        (function, unknown): (Id, Symbol),
        (low, high): (Rational, Rational),
        rising: bool,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<Coordinate> {
        let mut root = Self { function, unknown, low, high, rising };
        for (bits, longest) in [(20, 8), (40, 13)] {
            let ball = root.ball(arena, bits, oracle).ok()?;
            if let Some(guess) = simplest_within(&ball)
                && guess.denominator_part().bits() <= longest
            {
                let value = arena.number(guess.clone());
                let value = arena.substitute(function, unknown, value);
                if oracle.vanishes(arena, value) == Verdict::Same {
                    return Some(Coordinate::Rational(guess));
                }
            }
        }
        Some(Coordinate::Enclosed(root))
    }

    /// Returns the function that vanishes.
    pub(super) fn function(&self) -> Id {
        self.function
    }

    /// Returns whether both are certainly the same zero of the same function, because one interval lies in
    /// the other.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        let inside = |a: &Self, b: &Self| a.low >= b.low && a.high <= b.high;
        self.function == other.function && (inside(self, other) || inside(other, self))
    }

    /// Returns whether a number that ball arithmetic cannot separate from this one is equal to it. The
    /// function must vanish at that number, or the numbers must agree to [`AGREED_BITS`](super::AGREED_BITS)
    /// bits.
    pub(super) fn coincides(
        &mut self,
        arena: &mut Arena,
        other: &mut Coordinate,
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<bool> {
        if let Some(id) = other.expression(arena) {
            let value = arena.substitute(self.function, self.unknown, id);
            return Some(oracle.vanishes(arena, value) == Verdict::Same);
        }
        if let Coordinate::Enclosed(other) = other
            && self.is_same_as(other)
        {
            return Some(true);
        }
        let (a, b) = (self.ball(arena, ROOT_BITS, oracle).ok()?, other.ball(arena, ROOT_BITS, oracle).ok()?);
        let close = a.minus(&b, 2 * ROOT_BITS).ok()?.is_below(-i64::from(super::AGREED_BITS));
        if close {
            oracle.note_agreement(1, super::AGREED_BITS);
        }
        Some(close)
    }

    /// Returns a ball around the number with about the given number of bits after the binary point.
    pub(super) fn ball(
        &mut self,
        arena: &Arena,
        bits: usize,
        oracle: &mut BoundedOracle<'_>,
    ) -> Result<Ball, Gap> {
        self.refine_to(arena, bits, oracle)?;
        enclosing(&self.low, &self.high, bits + 16).ok_or(Gap::Unknown)
    }

    fn refine_to(&mut self, arena: &Arena, bits: usize, oracle: &mut BoundedOracle<'_>) -> Result<(), Gap> {
        let target = Rational::from_integers(IBig::ONE, UBig::ONE << bits).ok_or(Gap::Unknown)?;
        let mut width = self.high.checked_sub(&self.low).ok_or(Gap::Unknown)?;
        if width <= target {
            return Ok(());
        }
        let program = Program::new(arena, &[self.function], &[self.unknown]);
        let (mut parts, mut steps) = (2u32, 0);
        while width > target {
            steps += 1;
            if steps > REFINEMENT_STEPS {
                return Err(Gap::Fuel);
            }
            match self.part(&program, parts, bits + 64, oracle)? {
                Some((low, high)) => {
                    (self.low, self.high) = (low, high);
                    parts = (2 * parts).min(REFINEMENT_BITS);
                }
                None => {
                    self.halve(&program, bits + 64, oracle)?;
                    parts = (parts / 2).max(2);
                }
            }
            width = self.high.checked_sub(&self.low).ok_or(Gap::Unknown)?;
        }
        Ok(())
    }

    /// Divides the interval into `2^parts` equal parts. Returns the part that a secant proposes, if the zero
    /// is certainly in it.
    fn part(
        &self,
        program: &Program,
        parts: u32,
        bits: usize,
        oracle: &mut BoundedOracle<'_>,
    ) -> Result<Option<(Rational, Rational)>, Gap> {
        let value = |at: &Rational, oracle: &mut BoundedOracle<'_>| {
            let point = [Ball::rational(at, bits)?];
            oracle.precise.evaluate_at(program, &point, bits, &mut oracle.precise_fuel)
        };
        let (below, above) = (value(&self.low, oracle)?, value(&self.high, oracle)?);
        let rise = above.minus(&below, bits)?;
        let Ok(share) = below.negated().over(&rise, bits) else { return Ok(None) };
        let Some(share) = share.center_rational() else { return Ok(None) };
        let index = (share.numerator() << parts as usize) / IBig::from(share.denominator());
        let last = (IBig::ONE << parts as usize) - IBig::ONE;
        let index = index.clamp(IBig::ZERO, last);
        let place = |index: IBig| {
            let share = Rational::from_integers(index, UBig::ONE << parts as usize)?;
            let width = self.high.checked_sub(&self.low)?;
            self.low.checked_add(&width.checked_mul(&share)?)
        };
        let (Some(low), Some(high)) = (place(index.clone()), place(index + IBig::ONE)) else {
            return Ok(None);
        };
        let upper = if self.rising { Ordering::Greater } else { Ordering::Less };
        let low_fits = low == self.low || value(&low, oracle)?.sign() == Some(upper.reverse());
        let high_fits = low_fits && (high == self.high || value(&high, oracle)?.sign() == Some(upper));
        Ok((low_fits && high_fits).then_some((low, high)))
    }

    /// Cuts the interval in the middle, or near it if the zero is too close to the middle.
    fn halve(&mut self, program: &Program, bits: usize, oracle: &mut BoundedOracle<'_>) -> Result<(), Gap> {
        for (numerator, denominator) in [(1, 2), (3, 8), (11, 16)] {
            let share = Rational::new(numerator, denominator).ok_or(Gap::Unknown)?;
            let middle = self
                .high
                .checked_sub(&self.low)
                .and_then(|width| width.checked_mul(&share))
                .and_then(|part| self.low.checked_add(&part))
                .ok_or(Gap::Unknown)?;
            let point = [Ball::rational(&middle, bits)?];
            let value = oracle.precise.evaluate_at(program, &point, bits, &mut oracle.precise_fuel)?;
            match value.sign() {
                None => {}
                Some(Ordering::Equal) => {
                    (self.low, self.high) = (middle.clone(), middle);
                    return Ok(());
                }
                Some(sign) => {
                    if (sign == Ordering::Greater) == self.rising {
                        self.high = middle;
                    } else {
                        self.low = middle;
                    }
                    return Ok(());
                }
            }
        }
        Err(Gap::Unknown)
    }
}

/// Returns a ball that contains an interval, with its ends rounded outwards to the given number of binary
/// places; `None` if the interval is too wide for them.
pub(super) fn enclosing(low: &Rational, high: &Rational, places: usize) -> Option<Ball> {
    let scaled = |value: &Rational| {
        let floor = Rational::from_integers(value.numerator() << places, value.denominator());
        floor.map(|value| value.floor().numerator())
    };
    let (low, high) = (scaled(low)?, scaled(high)? + IBig::ONE);
    let width = &high - &low;
    let radius = f64::from(u32::try_from(width.clone().unsigned_abs()).unwrap_or(u32::MAX));
    if radius >= f64::from(u32::MAX) {
        // The interval is too wide for this number of places.
        return None;
    }
    Ball::dyadic(low + high, -(i64::try_from(places).ok()?) - 1, radius).ok()
}
