//! Real numbers as balls with an exact binary midpoint and a radius.
//!
//! `Ball { m, e, r }` represents a real number in `[(m - r) 2^e, (m + r) 2^e]`. The radius is a float in
//! units of the midpoint's last place, so very small and very large numbers keep their relative precision. A
//! radius of 0 means that the ball is exact. An operation that rounds the midpoint adds the error to the
//! radius. Computed radii are multiplied by `1 + 2^-40`, which is far more than their rounding errors.

use core::cmp::Ordering;

use dashu_base::{Abs, BitTest, Sign, Signed, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::Gap;
use crate::limits::BALL_EXPONENT;
use crate::number::Rational;

/// A factor that covers the rounding errors of radii.
const UP: f64 = 1.0 + 1.0 / (1u64 << 40) as f64;

/// A real number with a rigorous error bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Ball {
    midpoint: IBig,
    exponent: i64,
    radius: f64,
}

/// A bound on a magnitude, `factor * 2^exponent`. The factor is 0 or of the order of 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Magnitude {
    pub(super) factor: f64,
    pub(super) exponent: i64,
}

impl Magnitude {
    /// Returns the bound as a float, which is infinite above the range.
    pub(super) fn to_f64(self) -> f64 {
        scale(self.factor, self.exponent)
    }
}

/// Returns `value * 2^exponent`; nonzero results are at least the smallest normal number.
pub(super) fn scale(value: f64, exponent: i64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let exponent = exponent.clamp(-5000, 5000) as i32;
    libm::scalbn(value, exponent).max(f64::MIN_POSITIVE)
}

/// Returns up to 64 leading bits of a magnitude as `(top, shift)`, with
/// `top * 2^shift <= |value| < (top + 1) * 2^shift`.
///
/// The result does not depend on the word size.
fn leading(value: &IBig) -> (u64, i64) {
    let (_, words) = value.as_sign_words();
    let width = dashu_int::Word::BITS;
    let (mut collected, mut used) = (0u128, 0usize);
    for &word in words.iter().rev() {
        if used as u32 * width + width > 128 {
            break;
        }
        collected = collected << width | u128::from(word);
        used += 1;
    }
    let below = (words.len() - used) as i64 * i64::from(width);
    let excess = 64 - i64::from(collected.leading_zeros());
    if excess <= 0 { (collected as u64, below) } else { ((collected >> excess) as u64, below + excess) }
}

/// Returns an upper bound on the magnitude of an integer.
pub(super) fn magnitude(value: &IBig) -> Magnitude {
    let (top, shift) = leading(value);
    if top == 0 {
        return Magnitude { factor: 0.0, exponent: 0 };
    }
    let zeros = i64::from(top.leading_zeros());
    let factor = top as f64 * UP;
    Magnitude { factor: libm::scalbn(factor, zeros as i32 - 64), exponent: shift + 64 - zeros }
}

impl Ball {
    /// Returns 0.
    pub fn zero() -> Ball {
        Ball { midpoint: IBig::ZERO, exponent: 0, radius: 0.0 }
    }

    /// Returns an integer as an exact ball.
    pub fn integer(value: i64) -> Ball {
        Ball { midpoint: IBig::from(value), exponent: 0, radius: 0.0 }
    }

    /// Returns a finite float as an exact ball.
    pub fn float(value: f64) -> Result<Ball, Gap> {
        if !value.is_finite() {
            return Err(Gap::Unknown);
        }
        let (fraction, exponent) = libm::frexp(value);
        // The product is an integer of at most 53 bits.
        Ok(Ball {
            midpoint: IBig::from((fraction * 9_007_199_254_740_992.0) as i64),
            exponent: i64::from(exponent) - 53,
            radius: 0.0,
        })
    }

    /// Creates the ball of radius `radius * 2^exponent` around `midpoint * 2^exponent`, rounded to `bits`
    /// bits.
    pub(super) fn new(midpoint: IBig, exponent: i64, radius: f64, bits: usize) -> Result<Ball, Gap> {
        Ball { midpoint, exponent, radius }.rounded(bits)
    }

    /// Creates the ball of radius `radius * 2^exponent` around `midpoint * 2^exponent`, without rounding.
    pub(crate) fn dyadic(midpoint: IBig, exponent: i64, radius: f64) -> Result<Ball, Gap> {
        if exponent.unsigned_abs() > BALL_EXPONENT.unsigned_abs() {
            Err(Gap::Unknown)
        } else {
            Ok(Ball { midpoint, exponent, radius })
        }
    }

    /// Returns the midpoint as a rational number, if it is of moderate size.
    pub(crate) fn center_rational(&self) -> Option<Rational> {
        let size = usize::try_from(self.exponent.unsigned_abs()).ok().filter(|size| *size <= 4096)?;
        if self.exponent >= 0 {
            Rational::from_integers(&self.midpoint << size, UBig::ONE)
        } else {
            Rational::from_integers(self.midpoint.clone(), UBig::ONE << size)
        }
    }

    /// Returns a rational number to `bits` bits; integers that fit in an `i64` and short dyadic numbers are
    /// exact.
    pub fn rational(value: &Rational, bits: usize) -> Result<Ball, Gap> {
        if let Some((numerator, 1)) = value.to_small() {
            return Ok(Ball::integer(numerator));
        }
        let (sign, top, bottom) = value.to_parts();
        if bottom.trailing_zeros().is_some_and(|zeros| zeros + 1 == bottom.bit_len()) {
            let shift = bottom.bit_len() as i64 - 1;
            return Ball::new(IBig::from_parts(sign, top), -shift, 0.0, bits);
        }
        let shift = (bits + 2 + bottom.bit_len()).saturating_sub(top.bit_len());
        let quotient = (top << shift) / bottom;
        Ball::new(IBig::from_parts(sign, quotient), -(shift as i64), 1.0, bits)
    }

    /// Returns `(m, e)` of the midpoint `m * 2^e`.
    pub(super) fn midpoint(&self) -> (&IBig, i64) {
        (&self.midpoint, self.exponent)
    }

    /// Returns the midpoint as an exact ball.
    pub(super) fn center(&self) -> Ball {
        Ball { radius: 0.0, ..self.clone() }
    }

    /// Returns the ball with its radius increased by `by`.
    pub(super) fn widened(mut self, by: Magnitude) -> Result<Ball, Gap> {
        if by.factor != 0.0 {
            // An exact 0 gets an exponent that suits the radius.
            if self.midpoint.is_zero() && self.radius == 0.0 {
                self.exponent = by.exponent - 30;
            }
            self.radius = (self.radius + scale(by.factor, by.exponent.saturating_sub(self.exponent))) * UP;
        }
        if self.radius.is_finite() { Ok(self) } else { Err(Gap::Unknown) }
    }

    /// Returns the radius as a magnitude.
    pub(super) fn radius_magnitude(&self) -> Magnitude {
        if self.radius == 0.0 {
            return Magnitude { factor: 0.0, exponent: 0 };
        }
        let (factor, exponent) = libm::frexp(self.radius);
        Magnitude { factor, exponent: i64::from(exponent) + self.exponent }
    }

    /// Returns an upper bound on the magnitude of every number in the ball.
    pub(super) fn upper_magnitude(&self) -> Magnitude {
        let of = magnitude(&self.midpoint);
        if self.radius == 0.0 {
            return Magnitude { exponent: of.exponent + self.exponent, ..of };
        }
        let (factor, exponent) = libm::frexp(self.radius);
        let (large, small) = if of.factor != 0.0 && of.exponent >= i64::from(exponent) {
            (of, Magnitude { factor, exponent: i64::from(exponent) })
        } else {
            (Magnitude { factor, exponent: i64::from(exponent) }, of)
        };
        let sum = (large.factor + scale(small.factor, small.exponent - large.exponent)) * UP;
        let (factor, more) = libm::frexp(sum);
        Magnitude { factor, exponent: large.exponent + i64::from(more) + self.exponent }
    }

    /// Returns a lower bound on the magnitude of every number in the ball, or `None` if the ball may contain
    /// 0.
    pub(super) fn lower_magnitude(&self) -> Option<Magnitude> {
        let of = magnitude(&self.midpoint);
        if of.factor == 0.0 {
            return None;
        }
        let radius = scale(self.radius, -of.exponent) * UP;
        let radius = if self.radius == 0.0 { 0.0 } else { radius };
        let low = of.factor * (1.0 - 4.0 / (1u64 << 40) as f64) - radius;
        if low <= 1e-9 {
            return None;
        }
        let (factor, more) = libm::frexp(low);
        Some(Magnitude { factor, exponent: of.exponent + i64::from(more) + self.exponent })
    }

    /// Returns whether the radius is 0.
    pub fn is_exact(&self) -> bool {
        self.radius == 0.0
    }

    /// Returns whether the ball is exactly 0.
    pub fn is_zero(&self) -> bool {
        self.radius == 0.0 && self.midpoint.is_zero()
    }

    /// Returns the sign if it is certain.
    pub fn sign(&self) -> Option<Ordering> {
        if self.midpoint.is_zero() {
            return (self.radius == 0.0).then_some(Ordering::Equal);
        }
        let large = self.radius == 0.0 || {
            let (top, shift) = leading(&self.midpoint);
            scale(top as f64 * (1.0 - 1e-12), shift) > self.radius * UP
        };
        large.then(|| if self.midpoint.is_negative() { Ordering::Less } else { Ordering::Greater })
    }

    /// Returns whether the value is certainly greater than 0.
    pub fn is_positive(&self) -> bool {
        self.sign() == Some(Ordering::Greater)
    }

    /// Returns whether the value is certainly less than 0.
    pub fn is_negative(&self) -> bool {
        self.sign() == Some(Ordering::Less)
    }

    /// Returns the value, if it is exact and an integer that fits in an `i64`.
    pub fn to_integer(&self) -> Option<i64> {
        let value = self.exact_integer()?;
        i64::try_from(&value).ok()
    }

    /// Returns the value, if it is exact and an integer of moderate length.
    pub(super) fn exact_integer(&self) -> Option<IBig> {
        if self.radius != 0.0 {
            return None;
        }
        if self.exponent >= 0 {
            return (self.exponent <= 4096).then(|| &self.midpoint << self.exponent as usize);
        }
        let below = self.exponent.unsigned_abs() as usize;
        match self.midpoint.trailing_zeros() {
            None => Some(IBig::ZERO),
            Some(zeros) if zeros >= below => Some(&self.midpoint >> below),
            Some(_) => None,
        }
    }

    /// Returns a float close to the midpoint, for messages and heuristics; it is infinite or 0 out of range.
    pub fn to_f64(&self) -> f64 {
        let (top, shift) = leading(&self.midpoint);
        let size = libm::scalbn(top as f64, shift.saturating_add(self.exponent).clamp(-5000, 5000) as i32);
        if self.midpoint.is_negative() { -size } else { size }
    }

    /// Returns a bound on the absolute error as a float, which is infinite above the range.
    pub fn error(&self) -> f64 {
        self.radius_magnitude().to_f64()
    }

    /// Returns `k` with `2^(k-1) <= |midpoint| < 2^k`, or `-2^50` if the midpoint is 0.
    pub(super) fn top(&self) -> i64 {
        if self.midpoint.is_zero() { -BALL_EXPONENT } else { self.midpoint.bit_len() as i64 + self.exponent }
    }

    /// Returns the number of certain leading bits, `-log2(radius / |value|)`.
    ///
    /// It is 0 if the ball may contain 0, and `u32::MAX` for exact values.
    pub fn certain_bits(&self) -> u32 {
        if self.radius == 0.0 {
            return u32::MAX;
        }
        let Some(low) = self.lower_magnitude() else { return 0 };
        let radius = self.radius_magnitude();
        u32::try_from((low.exponent - radius.exponent).max(0)).unwrap_or(u32::MAX)
    }

    /// Rounds the midpoint to `bits` bits, and to fewer if the radius makes low bits meaningless.
    pub(super) fn rounded(mut self, bits: usize) -> Result<Ball, Gap> {
        let length = self.midpoint.bit_len();
        let mut drop = length.saturating_sub(bits);
        if self.radius > 1e9 {
            if !self.radius.is_finite() {
                return Err(Gap::Unknown);
            }
            // About 20 bits below the radius are kept.
            drop = drop.max((libm::ilogb(self.radius) - 20).max(0) as usize);
        }
        if drop > 0 {
            // The shift rounds towards minus infinity, by less than one unit.
            let exact =
                self.radius == 0.0 && self.midpoint.trailing_zeros().is_some_and(|zeros| zeros >= drop);
            self.midpoint >>= drop;
            self.exponent += drop as i64;
            self.radius = if exact { 0.0 } else { (scale(self.radius, -(drop as i64)) + 1.0) * UP };
        }
        if self.exponent.unsigned_abs() > BALL_EXPONENT.unsigned_abs() { Err(Gap::Unknown) } else { Ok(self) }
    }

    /// Returns `-self`
    #[must_use]
    pub fn negated(mut self) -> Ball {
        self.midpoint = -self.midpoint;
        self
    }

    /// Returns `|self|`
    #[must_use]
    pub fn absolute(mut self) -> Ball {
        self.midpoint = self.midpoint.abs();
        self
    }

    /// Returns `self * 2^by`
    #[must_use]
    pub fn shifted(mut self, by: i64) -> Ball {
        self.exponent += by;
        self
    }

    /// Returns `self + other`
    pub fn plus(&self, other: &Ball, bits: usize) -> Result<Ball, Gap> {
        if self.is_zero() {
            return other.clone().rounded(bits);
        }
        if other.is_zero() {
            return self.clone().rounded(bits);
        }
        let lowest = self.exponent.min(other.exponent);
        let mut unit = lowest;
        // Bits far below the last bit of the result, or far below a radius, do not matter.
        let top = self.top().max(other.top());
        unit = unit.max(top - bits as i64 - 64);
        for ball in [self, other] {
            if ball.radius > 0.0 {
                unit = unit.max(ball.radius_magnitude().exponent - 40);
            }
        }
        let (left, left_radius) = self.in_units(unit);
        let (right, right_radius) = other.in_units(unit);
        Ball { midpoint: left + right, exponent: unit, radius: (left_radius + right_radius) * UP }
            .rounded(bits)
    }

    fn in_units(&self, unit: i64) -> (IBig, f64) {
        let shift = self.exponent - unit;
        if self.midpoint.is_zero() {
            (IBig::ZERO, scale(self.radius, shift))
        } else if shift >= 0 {
            (&self.midpoint << shift as usize, scale(self.radius, shift))
        } else {
            let down = usize::try_from(-shift).unwrap_or(usize::MAX);
            if down > self.midpoint.bit_len() + 1 {
                return (IBig::ZERO, (scale(self.radius, shift) + 1.0) * UP);
            }
            let exact = self.midpoint.trailing_zeros().is_none_or(|zeros| zeros >= down);
            let radius = scale(self.radius, shift);
            (&self.midpoint >> down, if exact { radius } else { (radius + 1.0) * UP })
        }
    }

    /// Returns `self - other`
    pub fn minus(&self, other: &Ball, bits: usize) -> Result<Ball, Gap> {
        self.plus(&other.clone().negated(), bits)
    }

    /// Returns `self * other`
    pub fn times(&self, other: &Ball, bits: usize) -> Result<Ball, Gap> {
        if self.is_zero() || other.is_zero() {
            return Ok(Ball::zero());
        }
        let product = &self.midpoint * &other.midpoint;
        let exponent = self.exponent + other.exponent;
        if self.radius == 0.0 && other.radius == 0.0 {
            return Ball { midpoint: product, exponent, radius: 0.0 }.rounded(bits);
        }
        let drop = product.bit_len().saturating_sub(bits) as i64;
        let (a, b) = (magnitude(&self.midpoint), magnitude(&other.midpoint));
        let radius = scale(a.factor * other.radius, a.exponent - drop)
            + scale(b.factor * self.radius, b.exponent - drop)
            + scale(self.radius * other.radius, -drop)
            + 1.0;
        if !radius.is_finite() {
            return Err(Gap::Unknown);
        }
        Ball { midpoint: product >> drop as usize, exponent: exponent + drop, radius: radius * UP * UP }
            .rounded(bits)
    }

    /// Returns `self / other`, or an error if the denominator is 0 ([`Gap::Undefined`]) or may be 0
    /// ([`Gap::Unknown`]).
    pub fn over(&self, other: &Ball, bits: usize) -> Result<Ball, Gap> {
        if other.is_zero() {
            return Err(Gap::Undefined);
        }
        let low = other.lower_magnitude().ok_or(Gap::Unknown)?;
        if self.is_zero() {
            return Ok(Ball::zero());
        }
        let shift = (bits + 2 + other.midpoint.bit_len()).saturating_sub(self.midpoint.bit_len()) as i64;
        let shifted = &self.midpoint << shift as usize;
        let quotient = &shifted / &other.midpoint;
        let exponent = self.exponent - shift - other.exponent;
        let exact = self.radius == 0.0 && other.radius == 0.0 && &quotient * &other.midpoint == shifted;
        if exact {
            return Ball { midpoint: quotient, exponent, radius: 0.0 }.rounded(bits);
        }
        // (r_a + |q| r_b) / (|b| - r_b), in units of the quotient.
        let below = low.exponent - other.exponent;
        let size = magnitude(&quotient);
        let radius = scale(self.radius / low.factor, shift - below)
            + scale(size.factor * other.radius / low.factor, size.exponent - below)
            // The truncation of the quotient also enters the term above.
            + scale(other.radius / low.factor, -below)
            + 1.0;
        Ball { midpoint: quotient, exponent, radius: radius * UP * UP }.rounded(bits)
    }

    /// Returns the square root of a certainly positive number or of 0; the root of a negative number is
    /// undefined.
    pub fn square_root(&self, bits: usize) -> Result<Ball, Gap> {
        match self.sign() {
            Some(Ordering::Equal) => return Ok(Ball::zero()),
            Some(Ordering::Less) => return Err(Gap::Undefined),
            Some(Ordering::Greater) => {}
            None => return Err(Gap::Unknown),
        }
        let length = self.midpoint.bit_len();
        let mut shift = (2 * bits + 4).saturating_sub(length) as i64;
        if (self.exponent - shift) % 2 != 0 {
            shift += 1;
        }
        let radicand: UBig = self.midpoint.clone().unsigned_abs() << shift as usize;
        let root = radicand.sqrt();
        let exponent = (self.exponent - shift) / 2;
        if self.radius == 0.0 && &root * &root == radicand {
            return Ball { midpoint: IBig::from(root), exponent, radius: 0.0 }.rounded(bits);
        }
        // |sqrt X - sqrt x| <= |X - x| / sqrt x
        let root = IBig::from(root);
        let size = magnitude(&root);
        let error = scale(self.radius / size.factor, shift - size.exponent);
        Ball { midpoint: root, exponent, radius: (error * (1.0 + 1e-9) + 1.0) * UP }.rounded(bits)
    }

    /// Returns the floor of the ball's numbers, if it is the same for all of them.
    pub fn floor(&self) -> Result<Ball, Gap> {
        if self.exponent >= 0 && self.radius == 0.0 {
            return Ok(self.clone());
        }
        if self.top() > 2048 {
            return Err(Gap::Unknown);
        }
        let whole = |value: &IBig| -> IBig {
            if self.exponent >= 0 {
                value << self.exponent as usize
            } else {
                value >> usize::try_from(-self.exponent).unwrap_or(usize::MAX)
            }
        };
        if self.radius == 0.0 {
            return Ok(Ball { midpoint: whole(&self.midpoint), exponent: 0, radius: 0.0 });
        }
        if self.radius > 1e15 || self.exponent >= 0 {
            return Err(Gap::Unknown);
        }
        let reach = IBig::from(libm::ceil(self.radius * UP) as i64);
        let (low, high) = (whole(&(&self.midpoint - &reach)), whole(&(&self.midpoint + &reach)));
        if low == high { Ok(Ball { midpoint: low, exponent: 0, radius: 0.0 }) } else { Err(Gap::Unknown) }
    }

    /// Returns the order of two numbers, if it is certain.
    pub fn compare(&self, other: &Ball, bits: usize) -> Option<Ordering> {
        self.minus(other, bits).ok()?.sign()
    }

    /// Returns whether the midpoint is negative.
    pub(super) fn leans_negative(&self) -> bool {
        self.midpoint.is_negative()
    }

    /// Returns the midpoint in fixed point with `places` binary places, rounded down.
    pub(super) fn fixed(&self, places: i64) -> IBig {
        let shift = self.exponent + places;
        if shift >= 0 {
            &self.midpoint << shift as usize
        } else {
            &self.midpoint >> usize::try_from(-shift).unwrap_or(usize::MAX)
        }
    }

    /// Returns whether `|self|` is certainly at most `2^exponent`.
    pub(crate) fn is_below(&self, exponent: i64) -> bool {
        self.bits_above(exponent) == 0
    }

    /// Returns an `n >= 0` for which `|self|` is certainly at most `2^(exponent + n)`.
    pub(crate) fn bits_above(&self, exponent: i64) -> u64 {
        let upper = self.upper_magnitude();
        if upper.factor == 0.0 {
            return 0;
        }
        u64::try_from(upper.exponent.saturating_sub(exponent)).unwrap_or(0)
    }
}

impl From<Sign> for Ball {
    fn from(sign: Sign) -> Ball {
        Ball::integer(if sign == Sign::Negative { -1 } else { 1 })
    }
}
