//! Polynomials in one unknown with integer coefficients.
//!
//! Polynomials are needed only up to a positive constant factor. So denominators are cleared, and quotients
//! and remainders are divided by their content. Sizes are bounded by `POLYNOMIAL_DEGREE` and
//! `COEFFICIENT_BITS`.

use crate::limits::{COEFFICIENT_BITS, POLYNOMIAL_DEGREE};
use std::cmp::Ordering;

use dashu_base::{BitTest, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

use crate::number::Rational;

/// A polynomial with integer coefficients, lowest first; the last one is not 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Polynomial(Vec<IBig>);

impl Polynomial {
    /// Creates a polynomial from coefficients, lowest first; `None` if the result is too large.
    pub fn new(mut coefficients: Vec<IBig>) -> Option<Self> {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        let fits = coefficients.len() <= POLYNOMIAL_DEGREE + 1
            && coefficients.iter().all(|coefficient| coefficient.bit_len() <= COEFFICIENT_BITS);
        fits.then_some(Self(coefficients))
    }

    /// Creates a constant.
    pub fn constant(value: IBig) -> Self {
        Self(if value.is_zero() { Vec::new() } else { vec![value] })
    }

    /// Returns the polynomial `d x - n` whose root is `n / d`.
    pub fn with_root(root: &Rational) -> Self {
        Self(vec![-root.numerator(), IBig::from(root.denominator())])
    }

    /// Returns whether the polynomial is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the degree; 0 for the zero polynomial.
    pub fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Returns the coefficients, lowest first.
    pub fn coefficients(&self) -> &[IBig] {
        &self.0
    }

    /// Returns the leading coefficient; `None` for the zero polynomial.
    pub fn leading(&self) -> Option<&IBig> {
        self.0.last()
    }

    /// Divides by the greatest common divisor of the coefficients.
    #[must_use]
    pub fn primitive(mut self) -> Self {
        let content = self.content();
        if content > UBig::ONE {
            let content = IBig::from(content);
            for coefficient in &mut self.0 {
                *coefficient /= &content;
            }
        }
        self
    }

    /// Returns the greatest common divisor of the coefficients.
    fn content(&self) -> UBig {
        let mut content = UBig::ZERO;
        for coefficient in self.0.iter().filter(|coefficient| !coefficient.is_zero()) {
            let size = coefficient.clone().unsigned_abs();
            content = if content.is_zero() { size } else { content.gcd(size) };
            if content.is_one() {
                break;
            }
        }
        content
    }

    /// Returns the primitive polynomial with a positive leading coefficient, which is the same for all
    /// constant multiples.
    #[must_use]
    pub fn normal(self) -> Self {
        let primitive = self.primitive();
        if primitive.leading().is_some_and(Signed::is_negative) { primitive.negated() } else { primitive }
    }

    /// Returns `-self`.
    #[must_use]
    pub fn negated(mut self) -> Self {
        for coefficient in &mut self.0 {
            *coefficient = -core::mem::take(coefficient);
        }
        self
    }

    /// Returns `self + other`; `None` if the result is too large.
    pub fn plus(&self, other: &Self) -> Option<Self> {
        let (long, short) = if self.0.len() >= other.0.len() { (self, other) } else { (other, self) };
        let mut sum = long.0.clone();
        for (place, more) in sum.iter_mut().zip(&short.0) {
            *place += more;
        }
        Self::new(sum)
    }

    /// Returns `self - other`; `None` if the result is too large.
    pub fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.clone().negated())
    }

    /// Returns `self * other`; `None` if the result is too large.
    pub fn times(&self, other: &Self) -> Option<Self> {
        if self.is_zero() || other.is_zero() {
            return Some(Self::default());
        }
        if self.degree() + other.degree() > POLYNOMIAL_DEGREE {
            return None;
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(product)
    }

    /// Returns the derivative.
    #[must_use]
    pub fn derivative(&self) -> Self {
        Self(self.0.iter().enumerate().skip(1).map(|(power, coefficient)| coefficient * power).collect())
    }

    /// Returns the sign at a rational number.
    pub fn sign_at(&self, at: &Rational) -> Ordering {
        let (numerator, denominator) = (at.numerator(), IBig::from(at.denominator()));
        let mut value = IBig::ZERO;
        let mut scale = IBig::ONE;
        for coefficient in self.0.iter().rev() {
            value = value * &numerator + coefficient * &scale;
            scale *= &denominator;
        }
        sign(&value)
    }

    /// Returns the sign at `numerator / 2^shift`, where a negative shift multiplies.
    pub fn sign_at_dyadic(&self, numerator: &IBig, shift: i64) -> Ordering {
        let mut value = IBig::ZERO;
        if shift <= 0 {
            let at = numerator << shift.unsigned_abs() as usize;
            for coefficient in self.0.iter().rev() {
                value = value * &at + coefficient;
            }
        } else {
            for (step, coefficient) in self.0.iter().rev().enumerate() {
                value = value * numerator + (coefficient << (shift as usize * step));
            }
        }
        sign(&value)
    }

    /// Returns the primitive remainder of `c * self` by `divisor` for some positive `c`; `None` if it grows
    /// too large or the divisor is 0.
    pub fn remainder(&self, divisor: &Self) -> Option<Self> {
        self.divide(divisor).map(|(_, remainder)| remainder)
    }

    /// Returns the quotient and primitive remainder of a positive multiple of `self`. The quotient is also
    /// made primitive.
    fn divide(&self, divisor: &Self) -> Option<(Self, Self)> {
        let leading = divisor.leading()?;
        let size = IBig::from(leading.clone().unsigned_abs());
        let mut rest = self.0.clone();
        let mut quotient = vec![IBig::ZERO; (self.0.len() + 1).saturating_sub(divisor.0.len())];
        while rest.len() >= divisor.0.len() {
            let top = rest.pop()?;
            let shift = rest.len() + 1 - divisor.0.len();
            if top.is_zero() {
                continue;
            }
            // The multiplier is positive, so signs are preserved.
            let factor = if leading.is_negative() { -top } else { top };
            if !size.is_one() {
                for coefficient in rest.iter_mut().chain(quotient.iter_mut()) {
                    *coefficient *= &size;
                }
            }
            quotient[shift] += &factor;
            for (place, coefficient) in rest[shift..].iter_mut().zip(&divisor.0) {
                *place -= &factor * coefficient;
            }
            if rest.iter().any(|coefficient| coefficient.bit_len() > 4 * COEFFICIENT_BITS) {
                return None;
            }
        }
        let rest = Self::new(Self(rest).primitive().0)?;
        Some((Self::new(Self(trimmed(quotient)).primitive().0)?, rest))
    }

    /// Returns `self / divisor` up to a constant factor, if it leaves no remainder.
    pub fn exact_quotient(&self, divisor: &Self) -> Option<Self> {
        let (quotient, rest) = self.divide(divisor)?;
        rest.is_zero().then_some(quotient)
    }

    /// Returns the greatest common divisor in normal form; `None` if a remainder grows too large.
    pub fn gcd(&self, other: &Self) -> Option<Self> {
        let (mut a, mut b) = (self.clone().primitive(), other.clone().primitive());
        if a.degree() < b.degree() {
            core::mem::swap(&mut a, &mut b);
        }
        while !b.is_zero() {
            if b.degree() == 0 {
                return Some(Self(vec![IBig::ONE]));
            }
            let next = a.remainder(&b)?;
            a = b;
            b = next;
        }
        Some(a.normal())
    }

    /// Returns the product of the distinct irreducible factors, in normal form.
    pub fn square_free(&self) -> Option<Self> {
        if self.degree() <= 1 {
            return Some(self.clone().normal());
        }
        let shared = self.gcd(&self.derivative())?;
        if shared.degree() == 0 {
            Some(self.clone().normal())
        } else {
            Some(self.exact_quotient(&shared)?.normal())
        }
    }

    /// Returns an exponent `k` such that all roots lie strictly between `-2^k` and `2^k` (Cauchy).
    pub fn root_bound(&self) -> i64 {
        let Some(leading) = self.leading() else { return 0 };
        let most = self.0.iter().map(BitTest::bit_len).max().unwrap_or(0) as i64;
        (most - leading.bit_len() as i64 + 2).max(1)
    }
}

fn trimmed(mut coefficients: Vec<IBig>) -> Vec<IBig> {
    while coefficients.last().is_some_and(IBig::is_zero) {
        coefficients.pop();
    }
    coefficients
}

pub(super) fn sign(value: &IBig) -> Ordering {
    if value.is_zero() {
        Ordering::Equal
    } else if value.is_negative() {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// Returns the determinant of a square matrix of polynomials (Bareiss' elimination, in which every division
/// is exact).
///
/// `None` if it grows too large.
pub fn determinant(mut rows: Vec<Vec<Exact>>) -> Option<Exact> {
    let size = rows.len();
    let mut previous = Exact(vec![IBig::ONE]);
    let mut negative = false;
    for k in 0..size {
        let pivot = (k..size).find(|&row| !rows[row][k].0.is_empty());
        let Some(pivot) = pivot else { return Some(Exact::default()) };
        if pivot != k {
            rows.swap(pivot, k);
            negative = !negative;
        }
        let (upper, lower) = rows.split_at_mut(k + 1);
        let first = upper.last()?;
        for row in lower {
            for column in k + 1..size {
                let value = first[k].times(&row[column])?.minus(&row[k].times(&first[column])?);
                row[column] = value.quotient(&previous)?;
            }
        }
        previous = rows[k][k].clone();
    }
    if negative {
        for coefficient in &mut previous.0 {
            *coefficient = -core::mem::take(coefficient);
        }
    }
    Some(previous)
}

/// A polynomial as a ring element, whose content is never divided out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exact(pub Vec<IBig>);

impl Exact {
    fn times(&self, other: &Self) -> Option<Self> {
        if self.0.is_empty() || other.0.is_empty() {
            return Some(Self::default());
        }
        if self.0.len() + other.0.len() > 2 * POLYNOMIAL_DEGREE {
            return None;
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        product
            .iter()
            .all(|coefficient| coefficient.bit_len() <= 2 * COEFFICIENT_BITS)
            .then_some(Self(product))
    }

    fn minus(self, other: &Self) -> Self {
        let mut difference = self.0;
        if difference.len() < other.0.len() {
            difference.resize(other.0.len(), IBig::ZERO);
        }
        for (place, less) in difference.iter_mut().zip(&other.0) {
            *place -= less;
        }
        Self(trimmed(difference))
    }

    /// Divides exactly.
    fn quotient(self, divisor: &Self) -> Option<Self> {
        let leading = divisor.0.last()?;
        let mut rest = self.0;
        let mut quotient = vec![IBig::ZERO; (rest.len() + 1).saturating_sub(divisor.0.len())];
        while rest.len() >= divisor.0.len() {
            let shift = rest.len() - divisor.0.len();
            let top = rest.last()? / leading;
            for (place, coefficient) in rest[shift..].iter_mut().zip(&divisor.0) {
                *place -= &top * coefficient;
            }
            quotient[shift] = top;
            if rest.pop().is_none_or(|remainder| !remainder.is_zero()) {
                return None;
            }
        }
        rest.iter().all(IBig::is_zero).then(|| Self(trimmed(quotient)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|c| IBig::from(*c)).collect()).unwrap()
    }

    #[test]
    fn greatest_common_divisors_and_square_free_parts() {
        // (x-1)^2 (x+2) and (x-1)(x-3)
        let a = polynomial(&[2, -3, 0, 1]);
        let b = polynomial(&[3, -4, 1]);
        assert_eq!(a.gcd(&b), Some(polynomial(&[-1, 1])));
        assert_eq!(a.square_free(), Some(polynomial(&[-2, 1, 1])));
        assert_eq!(polynomial(&[-4, 0, -4]).square_free(), Some(polynomial(&[1, 0, 1])));
        assert_eq!(a.exact_quotient(&polynomial(&[-2, 2])), Some(polynomial(&[-2, 1, 1])));
        assert_eq!(a.exact_quotient(&polynomial(&[5, 2])), None);
    }

    #[test]
    fn signs_at_rational_and_dyadic_points() {
        let a = polynomial(&[-2, 0, 1]);
        assert_eq!(a.sign_at(&Rational::new(7, 5).unwrap()), Ordering::Less);
        assert_eq!(a.sign_at(&Rational::new(-3, 2).unwrap()), Ordering::Greater);
        assert_eq!(a.sign_at_dyadic(&IBig::from(3), 1), Ordering::Greater);
        assert_eq!(a.sign_at_dyadic(&IBig::from(1), -1), Ordering::Greater);
        assert_eq!(polynomial(&[-3, 2]).sign_at_dyadic(&IBig::from(3), 1), Ordering::Equal);
    }

    #[test]
    fn determinants_of_polynomials() {
        // the resultant of y^2 + x and y - x, with rows of coefficients of y
        let e = |c: &[i64]| Exact(c.iter().map(|c| IBig::from(*c)).collect());
        let rows = vec![
            vec![e(&[1]), e(&[]), e(&[0, 1])],
            vec![e(&[1]), e(&[0, -1]), e(&[])],
            vec![e(&[]), e(&[1]), e(&[0, -1])],
        ];
        assert_eq!(determinant(rows), Some(e(&[0, 1, 1])));
    }

    #[test]
    fn quotients_are_exact_or_none() {
        let e = |c: &[i64]| Exact(c.iter().map(|c| IBig::from(*c)).collect());
        assert_eq!(e(&[-1, 0, 4]).quotient(&e(&[-1, 2])), Some(e(&[1, 2])));
        assert_eq!(e(&[0, 3]).quotient(&e(&[0, 2])), None);
        assert_eq!(e(&[2, 3]).quotient(&e(&[2])), None);
        assert_eq!(e(&[1, 2]).quotient(&e(&[2, 2])), None);
    }
}
