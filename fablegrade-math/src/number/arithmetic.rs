//! Checked arithmetic, powers, roots and rounding to integers.

use dashu_base::{BitTest, DivRemEuclid, Sign, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::{Form, MAX_BITS, Rational};

impl Rational {
    /// Returns `self + other`, or `None` if the result is too long.
    pub fn checked_add(&self, other: &Rational) -> Option<Rational> {
        self.sum(other, false)
    }

    /// Returns `self - other`, or `None` if the result is too long.
    pub fn checked_sub(&self, other: &Rational) -> Option<Rational> {
        self.sum(other, true)
    }

    fn sum(&self, other: &Rational, negate: bool) -> Option<Rational> {
        if let (Form::Small { numerator: a, denominator: b }, Form::Small { numerator: c, denominator: d }) =
            (&self.0, &other.0)
        {
            let right = if negate { -i128::from(*c) } else { i128::from(*c) };
            if *b == *d {
                return Some(Rational::from_wide(i128::from(*a) + right, i128::from(*b)));
            }
            // |a d| and |c b| are at most 2^63 (2^63 - 1), so the sum stays below 2^127.
            let top = i128::from(*a) * i128::from(*d) + right * i128::from(*b);
            return Some(Rational::from_wide(top, i128::from(*b) * i128::from(*d)));
        }
        let (left_bottom, right_bottom) = (self.denominator(), other.denominator());
        let right_top = if negate { -other.numerator() } else { other.numerator() };
        if left_bottom == right_bottom {
            return Rational::from_integers(self.numerator() + right_top, left_bottom);
        }
        let top =
            self.numerator() * IBig::from(right_bottom.clone()) + right_top * IBig::from(left_bottom.clone());
        Rational::from_integers(top, left_bottom * right_bottom)
    }

    /// Returns `self * other`, or `None` if the result is too long.
    pub fn checked_mul(&self, other: &Rational) -> Option<Rational> {
        if let (Form::Small { numerator: a, denominator: b }, Form::Small { numerator: c, denominator: d }) =
            (&self.0, &other.0)
        {
            return Some(Rational::from_wide(
                i128::from(*a) * i128::from(*c),
                i128::from(*b) * i128::from(*d),
            ));
        }
        Rational::from_integers(
            self.numerator() * other.numerator(),
            self.denominator() * other.denominator(),
        )
    }

    /// Returns `self / other`, or `None` if `other` is zero or the result is too long.
    pub fn checked_div(&self, other: &Rational) -> Option<Rational> {
        self.checked_mul(&other.reciprocal()?)
    }

    /// Returns `1 / self`, or `None` for zero.
    pub fn reciprocal(&self) -> Option<Rational> {
        match &self.0 {
            Form::Small { numerator: 0, .. } => None,
            Form::Small { numerator, denominator } => {
                let (top, bottom) = (i128::from(*denominator), i128::from(*numerator));
                Some(if bottom < 0 {
                    Rational::coprime(-top, -bottom)
                } else {
                    Rational::coprime(top, bottom)
                })
            }
            Form::Big(parts) => {
                let (sign, top) = parts.0.clone().into_parts();
                Some(Rational::canonical(IBig::from_parts(sign, parts.1.clone()), top))
            }
        }
    }

    /// Returns `-self`.
    #[must_use]
    pub fn negated(&self) -> Rational {
        match &self.0 {
            Form::Small { numerator, denominator } => match numerator.checked_neg() {
                Some(numerator) => Rational(Form::Small { numerator, denominator: *denominator }),
                None => Rational::coprime(-i128::from(*numerator), i128::from(*denominator)),
            },
            Form::Big(parts) => Rational::canonical(-parts.0.clone(), parts.1.clone()),
        }
    }

    /// Returns `|self|`.
    #[must_use]
    pub fn absolute(&self) -> Rational {
        if self.is_negative() { self.negated() } else { self.clone() }
    }

    /// Returns `self^exponent`, or `None` for `0` to a negative power, for `0^0` and for results that are too
    /// long.
    pub fn checked_pow(&self, exponent: i64) -> Option<Rational> {
        if self.is_zero() {
            return (exponent > 0).then_some(Rational::ZERO);
        }
        if exponent == 0 || self.is_one() {
            return Some(Rational::ONE);
        }
        if self.is_minus_one() {
            return Some(if exponent % 2 == 0 { Rational::ONE } else { Rational::MINUS_ONE });
        }
        let base = if exponent < 0 { self.reciprocal()? } else { self.clone() };
        let count = usize::try_from(exponent.unsigned_abs()).ok()?;
        if count == 1 {
            return Some(base);
        }
        if let Form::Small { numerator, denominator } = base.0
            && let Ok(small) = u32::try_from(count)
            && let (Some(numerator), Some(denominator)) =
                (numerator.checked_pow(small), denominator.checked_pow(small))
        {
            return Some(Rational(Form::Small { numerator, denominator }));
        }
        // The power of a part with b > 1 bits has more than (b - 1) * count bits.
        if (base.bits() - 1).checked_mul(count)? > MAX_BITS {
            return None;
        }
        let result = Rational::canonical(base.numerator().pow(count), base.denominator().pow(count));
        (result.bits() <= MAX_BITS).then_some(result)
    }

    /// Returns the real `degree`-th root, if it is rational.
    ///
    /// Odd roots of negative numbers are negative. Even roots of negative numbers and degree 0 give `None`.
    pub fn exact_root(&self, degree: u32) -> Option<Rational> {
        if degree == 0 || (degree.is_multiple_of(2) && self.is_negative()) {
            return None;
        }
        if degree == 1 || self.is_zero() || self.is_one() {
            return Some(self.clone());
        }
        let (sign, top) = self.numerator().into_parts();
        let bottom = exact_integer_root(&self.denominator(), degree)?;
        let top = exact_integer_root(&top, degree)?;
        Some(Rational::canonical(IBig::from_parts(sign, top), bottom))
    }

    /// Returns `(base, exponent)` with `base^exponent == self` and the largest exponent, or `None` for 0, 1
    /// and -1.
    ///
    /// A negative number has an odd exponent. The cost is about one integer root per prime up to the bit
    /// length.
    pub fn perfect_power(&self) -> Option<(Rational, u32)> {
        if self.is_zero() || self.absolute().is_one() {
            return None;
        }
        let (mut base, mut exponent) = (self.clone(), 1u32);
        let mut prime = 2u32;
        while (prime as usize) <= base.bits() {
            if is_small_prime(prime) && !(prime == 2 && base.is_negative()) {
                while let Some(root) = base.exact_root(prime) {
                    base = root;
                    exponent = exponent.saturating_mul(prime);
                }
            }
            prime += 1;
        }
        Some((base, exponent))
    }

    /// Returns the largest integer that is at most the value.
    #[must_use]
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Form::Small { numerator, denominator } => Rational::integer(numerator.div_euclid(*denominator)),
            Form::Big(parts) => {
                let (quotient, _) = (&parts.0).div_rem_euclid(IBig::from(parts.1.clone()));
                Rational::canonical(quotient, UBig::ONE)
            }
        }
    }

    /// Returns the smallest integer that is at least the value.
    #[must_use]
    pub fn ceil(&self) -> Rational {
        self.negated().floor().negated()
    }

    /// Returns the nearest integer, with halves rounded away from zero.
    #[must_use]
    pub fn round(&self) -> Rational {
        let (sign, top, bottom) = self.to_parts();
        let whole = ((top << 1) + &bottom) / (bottom << 1);
        Rational::canonical(IBig::from_parts(sign, whole), UBig::ONE)
    }

    fn coprime(numerator: i128, denominator: i128) -> Rational {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational(Form::Small { numerator, denominator }),
            _ => {
                Rational(Form::Big(Box::new((IBig::from(numerator), UBig::from(denominator.unsigned_abs())))))
            }
        }
    }
}

fn exact_integer_root(value: &UBig, degree: u32) -> Option<UBig> {
    if value.is_zero() || value.is_one() {
        return Some(value.clone());
    }
    let bits = value.bit_len();
    // The root is at least 2, so its power has more than `degree` bits.
    if degree as usize >= bits {
        return None;
    }
    // The multiplicity of the factor 2 must be divisible by the degree.
    if let Some(zeros) = value.trailing_zeros()
        && !zeros.is_multiple_of(degree as usize)
    {
        return None;
    }
    let root = value.nth_root(degree as usize);
    (root.pow(degree as usize) == *value).then_some(root)
}

fn is_small_prime(value: u32) -> bool {
    value >= 2
        && (2..value)
            .take_while(|divisor| divisor * divisor <= value)
            .all(|divisor| !value.is_multiple_of(divisor))
}

impl core::ops::Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        self.negated()
    }
}

impl Rational {
    /// Returns the sign, the numerator's magnitude and the denominator.
    pub fn to_parts(&self) -> (Sign, UBig, UBig) {
        let numerator = self.numerator();
        let sign = if numerator.is_negative() { Sign::Negative } else { Sign::Positive };
        (sign, numerator.unsigned_abs(), self.denominator())
    }
}
