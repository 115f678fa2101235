//! Exact fractions for scores, rounded only when a score is written.

use std::fmt;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::decimal::Decimal;

/// An exact rational number. Scores and penalties stay exact until they are written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(RBig);

impl Ratio {
    /// Returns zero.
    pub fn zero() -> Self {
        Self(RBig::ZERO)
    }

    /// Returns one.
    pub fn one() -> Self {
        Self(RBig::ONE)
    }

    /// Returns `numerator / denominator`, or zero if the denominator is zero.
    pub fn new(numerator: i64, denominator: u64) -> Self {
        if denominator == 0 {
            return Self::zero();
        }
        Self(RBig::from_parts(IBig::from(numerator), UBig::from(denominator)))
    }

    /// Returns the exact value of a decimal.
    pub fn from_decimal(decimal: &Decimal) -> Self {
        let (numerator, denominator) = decimal.to_fraction();
        Self(RBig::from_parts(numerator, denominator))
    }

    /// Returns the exact sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    /// Returns the exact difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    /// Returns the exact product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    /// Returns the exact quotient; `None` when `other` is zero.
    pub fn over(&self, other: &Self) -> Option<Self> {
        (!other.is_zero()).then(|| Self(&self.0 / &other.0))
    }

    /// Returns the value clamped to `[0, 1]`.
    #[must_use]
    pub fn clamped(self) -> Self {
        if self < Self::zero() {
            Self::zero()
        } else if self > Self::one() {
            Self::one()
        } else {
            self
        }
    }

    /// Returns whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == RBig::ZERO
    }

    /// Returns whether this is one.
    pub fn is_one(&self) -> bool {
        self.0 == RBig::ONE
    }

    /// Returns the nearest `f64`, ties to even.
    pub fn to_f64(&self) -> f64 {
        use dashu_base::Approximation::{Exact, Inexact};
        match self.0.to_f64() {
            Exact(value) | Inexact(value, _) => value,
        }
    }

    /// Returns the fraction in lowest terms as text, such as `2/3`; an integer has no denominator.
    pub fn to_fraction_text(&self) -> String {
        self.0.to_string()
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_once_and_to_nearest() {
        for (numerator, denominator, value) in
            [(2, 3, 2.0 / 3.0), (1, 10, 0.1), (7, 9, 7.0 / 9.0), (1, 1, 1.0), (0, 5, 0.0)]
        {
            assert_eq!(Ratio::new(numerator, denominator).to_f64(), value);
        }
        let tenth = Ratio::new(1, 10);
        assert_eq!(tenth.plus(&tenth).plus(&tenth).to_f64(), 0.3);
    }

    #[test]
    fn quotients_are_exact_and_never_by_zero() {
        assert_eq!(Ratio::new(1, 2).over(&Ratio::new(-3, 4)), Some(Ratio::new(-2, 3)));
        assert_eq!(Ratio::one().over(&Ratio::zero()), None);
    }

    proptest::proptest! {
        #[test]
        fn a_quotient_of_integers_rounds_as_the_hardware_does(numerator in 0i64..1 << 50, denominator in 1u64..1 << 50) {
            proptest::prop_assert_eq!(Ratio::new(numerator, denominator).to_f64(), numerator as f64 / denominator as f64);
        }
    }
}
