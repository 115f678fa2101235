//! Exact rational numbers, stored in machine words if they fit and otherwise as big integers.
//!
//! Every value has a unique representation (lowest terms, positive denominator, machine words if they fit),
//! so `Eq` and `Hash` can be derived. Operations whose results can grow are *checked*. They return `None` if
//! the numerator or the denominator would need more than [`MAX_BITS`] bits. Powers and factorials estimate
//! the bits before the computation.

mod arithmetic;
mod integers;
mod text;

use core::cmp::Ordering;

use dashu_base::{BitTest, Sign, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

pub use integers::{binomial, double_factorial, factorial, gcd, lcm, modulo};

/// The largest bit length of a numerator or denominator of a result; an integer of 2,400 digits fits.
pub const MAX_BITS: usize = crate::limits::NUMBER_BITS;

/// An exact rational number in lowest terms.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Form);

/// The representation, which is `Small` if both parts fit, so equal numbers have equal forms.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Small { numerator: i64, denominator: i64 },
    Big(Box<(IBig, UBig)>),
}

impl Rational {
    /// 0
    pub const ZERO: Rational = Rational::integer(0);
    /// 1
    pub const ONE: Rational = Rational::integer(1);
    /// -1
    pub const MINUS_ONE: Rational = Rational::integer(-1);
    /// 1/2
    pub const HALF: Rational = Rational(Form::Small { numerator: 1, denominator: 2 });

    /// Returns the integer `value`.
    pub const fn integer(value: i64) -> Rational {
        Rational(Form::Small { numerator: value, denominator: 1 })
    }

    /// Returns `numerator / denominator`, or `None` if the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Option<Rational> {
        (denominator != 0).then(|| Rational::from_wide(i128::from(numerator), i128::from(denominator)))
    }

    /// Returns `numerator / denominator`, or `None` if the denominator is zero or a part in lowest terms
    /// exceeds [`MAX_BITS`].
    pub fn from_integers(numerator: IBig, denominator: UBig) -> Option<Rational> {
        if denominator.is_zero() {
            return None;
        }
        let reduced = Rational::reduce(numerator, denominator);
        (reduced.bits() <= MAX_BITS).then_some(reduced)
    }

    /// Returns the exact value of a finite float, or `None` for NaN and infinities.
    pub fn from_f64(value: f64) -> Option<Rational> {
        if !value.is_finite() {
            return None;
        }
        if value == 0.0 {
            return Some(Rational::ZERO);
        }
        let bits = value.to_bits();
        let raw_exponent = ((bits >> 52) & 0x7ff) as i64;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (mantissa, exponent) =
            if raw_exponent == 0 { (fraction, -1074) } else { (fraction | (1 << 52), raw_exponent - 1075) };
        let mantissa = if value < 0.0 { -mantissa } else { mantissa };
        if exponent >= 0 {
            Rational::from_integers(IBig::from(mantissa) << exponent as usize, UBig::ONE)
        } else {
            Rational::from_integers(IBig::from(mantissa), UBig::ONE << (-exponent) as usize)
        }
    }

    /// Returns the numerator and the positive denominator, if both fit in an `i64`.
    pub const fn to_small(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Form::Small { numerator, denominator } => Some((*numerator, *denominator)),
            Form::Big(_) => None,
        }
    }

    /// Returns the value, if it is an integer that fits in an `i64`.
    pub const fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Form::Small { numerator, denominator: 1 } => Some(*numerator),
            _ => None,
        }
    }

    /// Returns the value, if it is an integer that fits in a `u64`.
    pub fn to_u64(&self) -> Option<u64> {
        if self.is_negative() || !self.is_integer() {
            return None;
        }
        match &self.0 {
            Form::Small { numerator, .. } => u64::try_from(*numerator).ok(),
            Form::Big(parts) => u64::try_from(&parts.0).ok(),
        }
    }

    /// Returns the numerator, which has the sign of the number.
    pub fn numerator(&self) -> IBig {
        match &self.0 {
            Form::Small { numerator, .. } => IBig::from(*numerator),
            Form::Big(parts) => parts.0.clone(),
        }
    }

    /// Returns the denominator, which is positive.
    pub fn denominator(&self) -> UBig {
        match &self.0 {
            Form::Small { denominator, .. } => UBig::from(denominator.unsigned_abs()),
            Form::Big(parts) => parts.1.clone(),
        }
    }

    /// Returns the numerator as a rational number.
    #[must_use]
    pub fn numerator_part(&self) -> Rational {
        match &self.0 {
            Form::Small { numerator, .. } => Rational::integer(*numerator),
            Form::Big(parts) => Rational::canonical(parts.0.clone(), UBig::ONE),
        }
    }

    /// Returns the denominator as a rational number.
    #[must_use]
    pub fn denominator_part(&self) -> Rational {
        match &self.0 {
            Form::Small { denominator, .. } => Rational::integer(*denominator),
            Form::Big(parts) => Rational::canonical(IBig::from(parts.1.clone()), UBig::ONE),
        }
    }

    /// Returns whether the value is 0.
    pub const fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small { numerator: 0, .. })
    }

    /// Returns whether the value is 1.
    pub const fn is_one(&self) -> bool {
        matches!(self.0, Form::Small { numerator: 1, denominator: 1 })
    }

    /// Returns whether the value is -1.
    pub const fn is_minus_one(&self) -> bool {
        matches!(self.0, Form::Small { numerator: -1, denominator: 1 })
    }

    /// Returns whether the value is an integer.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Form::Small { denominator, .. } => *denominator == 1,
            Form::Big(parts) => parts.1.is_one(),
        }
    }

    /// Returns whether the value is less than 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Form::Small { numerator, .. } => *numerator < 0,
            Form::Big(parts) => parts.0.is_negative(),
        }
    }

    /// Returns whether the value is greater than 0.
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// Returns whether the denominator in lowest terms is even.
    pub fn has_even_denominator(&self) -> bool {
        match &self.0 {
            Form::Small { denominator, .. } => denominator.unsigned_abs().is_multiple_of(2),
            Form::Big(parts) => !parts.1.bit(0),
        }
    }

    /// Returns whether the numerator in lowest terms is even.
    pub fn has_even_numerator(&self) -> bool {
        match &self.0 {
            Form::Small { numerator, .. } => numerator.unsigned_abs().is_multiple_of(2),
            Form::Big(parts) => parts.0.as_sign_words().1.first().is_none_or(|word| word.is_multiple_of(2)),
        }
    }

    /// Returns the sign: -1, 0 or 1.
    pub fn signum(&self) -> i64 {
        if self.is_zero() {
            0
        } else if self.is_negative() {
            -1
        } else {
            1
        }
    }

    /// Returns the larger of the bit lengths of the numerator and the denominator.
    pub fn bits(&self) -> usize {
        match &self.0 {
            Form::Small { numerator, denominator } => {
                let longest = numerator.unsigned_abs().max(denominator.unsigned_abs());
                64 - longest.leading_zeros() as usize
            }
            Form::Big(parts) => parts.0.bit_len().max(parts.1.bit_len()),
        }
    }

    /// Returns an integer `k` with `2^(k-1) < |value| < 2^(k+1)`, or 0 for zero; used to estimate the cost of
    /// operations.
    pub fn magnitude(&self) -> i64 {
        match &self.0 {
            Form::Small { numerator: 0, .. } => 0,
            Form::Small { numerator, denominator } => {
                i64::from(denominator.leading_zeros()) - i64::from(numerator.unsigned_abs().leading_zeros())
            }
            Form::Big(parts) => parts.0.bit_len() as i64 - parts.1.bit_len() as i64,
        }
    }

    /// Returns the nearest float, with ties to even. Values out of range become infinite, subnormal or zero.
    pub fn to_f64(&self) -> f64 {
        const EXACT: u64 = 1 << 53;
        match &self.0 {
            Form::Small { numerator, denominator } => {
                let (top, bottom) = (numerator.unsigned_abs(), denominator.unsigned_abs());
                if top <= EXACT && bottom <= EXACT {
                    // Both conversions are exact, and IEEE division rounds only once.
                    return *numerator as f64 / *denominator as f64;
                }
                let shift = u128::from(top).leading_zeros() as i64 - 1;
                let shifted = u128::from(top) << shift;
                let quotient = shifted / u128::from(bottom);
                let sticky = u128::from(!shifted.is_multiple_of(u128::from(bottom)));
                round_to_f64(*numerator < 0, quotient | sticky, -shift)
            }
            Form::Big(parts) => {
                let (numerator, denominator) = &**parts;
                let top = numerator.unsigned_abs();
                let shift = 100 - (top.bit_len() as i64 - denominator.bit_len() as i64);
                let (top, bottom) = if shift >= 0 {
                    (top << shift as usize, denominator.clone())
                } else {
                    (top, denominator << (-shift) as usize)
                };
                let quotient = &top / &bottom;
                let sticky = u128::from(&quotient * &bottom != top);
                // The quotient has 100 or 101 bits by the choice of the shift.
                let quotient = u128::try_from(&quotient).unwrap_or(u128::MAX);
                round_to_f64(numerator.is_negative(), quotient | sticky, -shift)
            }
        }
    }

    /// Returns the image in the integers modulo `modulus`, or `None` if the denominator has no inverse or
    /// `modulus` is less than 2.
    ///
    /// If `modulus` is prime, only its multiples have no inverse.
    pub fn mod_p(&self, modulus: u64) -> Option<u64> {
        if modulus < 2 {
            return None;
        }
        let (top, bottom) = match &self.0 {
            Form::Small { numerator, denominator } => (
                i128::from(*numerator).rem_euclid(i128::from(modulus)) as u64,
                denominator.unsigned_abs() % modulus,
            ),
            Form::Big(parts) => {
                let rest = parts.0.clone().unsigned_abs() % modulus;
                let rest = if parts.0.is_negative() && rest != 0 { modulus - rest } else { rest };
                (rest, &parts.1 % modulus)
            }
        };
        if bottom == 1 {
            return Some(top);
        }
        let inverse = integers::inverse_mod(bottom, modulus)?;
        Some((u128::from(top) * u128::from(inverse) % u128::from(modulus)) as u64)
    }

    /// Reduces a fraction to lowest terms; the denominator must not be zero and neither part may be
    /// `i128::MIN`.
    fn from_wide(numerator: i128, denominator: i128) -> Rational {
        let (mut top, mut bottom) = (numerator, denominator);
        if bottom < 0 {
            top = -top;
            bottom = -bottom;
        }
        if bottom != 1 {
            let shared = integers::gcd_wide(top.unsigned_abs(), bottom.unsigned_abs()) as i128;
            if shared > 1 {
                top /= shared;
                bottom /= shared;
            }
        }
        match (i64::try_from(top), i64::try_from(bottom)) {
            (Ok(numerator), Ok(denominator)) => Rational(Form::Small { numerator, denominator }),
            _ => Rational(Form::Big(Box::new((IBig::from(top), UBig::from(bottom.unsigned_abs()))))),
        }
    }

    /// Reduces a fraction to lowest terms; the denominator must not be zero.
    fn reduce(numerator: IBig, denominator: UBig) -> Rational {
        use dashu_base::Gcd;
        if numerator.is_zero() {
            return Rational::ZERO;
        }
        if denominator.is_one() {
            return Rational::canonical(numerator, denominator);
        }
        let (sign, top) = numerator.into_parts();
        let shared = (&top).gcd(&denominator);
        if shared.is_one() {
            return Rational::canonical(IBig::from_parts(sign, top), denominator);
        }
        Rational::canonical(IBig::from_parts(sign, top / &shared), denominator / &shared)
    }

    /// Returns a fraction in its canonical form; the parts must be coprime.
    fn canonical(numerator: IBig, denominator: UBig) -> Rational {
        match (i64::try_from(&numerator), i64::try_from(&denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational(Form::Small { numerator, denominator }),
            _ => Rational(Form::Big(Box::new((numerator, denominator)))),
        }
    }
}

/// Returns `quotient * 2^exponent` with a sign, rounded once to the nearest float, with ties to even.
///
/// If the quotient is not exact, its lowest bit is sticky, and it must have more than 54 bits.
fn round_to_f64(negative: bool, quotient: u128, exponent: i64) -> f64 {
    let length = 128 - i64::from(quotient.leading_zeros());
    if length == 0 {
        return 0.0;
    }
    let top = length - 1 + exponent;
    let magnitude = if top > 1023 {
        f64::INFINITY
    } else {
        // Subnormal results keep fewer bits.
        let keep = if top >= -1022 { 53 } else { 53 - (-1022 - top) };
        let drop = length - keep;
        if keep < 0 {
            0.0
        } else if drop <= 0 {
            libm::scalbn(quotient as f64, exponent as i32)
        } else {
            let mut kept = if drop >= 128 { 0 } else { quotient >> drop };
            let rest = quotient - if drop >= 128 { 0 } else { kept << drop };
            let half = 1u128 << (drop - 1);
            if rest > half || (rest == half && kept & 1 == 1) {
                kept += 1;
            }
            libm::scalbn(kept as f64, (exponent + drop) as i32)
        }
    };
    if negative { -magnitude } else { magnitude }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small { numerator: a, denominator: b }, Form::Small { numerator: c, denominator: d }) => {
                if b == d {
                    a.cmp(c)
                } else {
                    (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
                }
            }
            _ => {
                let (left, right) = (self.signum(), other.signum());
                if left != right {
                    return left.cmp(&right);
                }
                let left = self.numerator() * IBig::from_parts(Sign::Positive, other.denominator());
                let right = other.numerator() * IBig::from_parts(Sign::Positive, self.denominator());
                left.cmp(&right)
            }
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational::integer(value)
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Rational {
        Rational::integer(i64::from(value))
    }
}

impl From<u32> for Rational {
    fn from(value: u32) -> Rational {
        Rational::integer(i64::from(value))
    }
}

impl From<u64> for Rational {
    fn from(value: u64) -> Rational {
        Rational::from_wide(i128::from(value), 1)
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

#[cfg(test)]
mod tests;
