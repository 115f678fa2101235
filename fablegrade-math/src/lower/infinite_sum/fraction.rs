//! Rational functions of the index whose denominators are products of linear factors.

use crate::limits::SERIES_DEGREE;
use crate::number::Rational;

/// The coefficients of a polynomial, starting with the constant term, without trailing zeros.
pub(super) type Polynomial = Vec<Rational>;

/// The rational function `numerator / ((k - roots[0]) (k - roots[1]) ...)`.
#[derive(Clone)]
pub(super) struct Fraction {
    pub(super) numerator: Polynomial,
    pub(super) roots: Vec<Rational>,
}

impl Fraction {
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let roots: Vec<Rational> = self.roots.iter().chain(&other.roots).cloned().collect();
        if roots.len() > SERIES_DEGREE {
            return None;
        }
        Some(Self { numerator: multiply(&self.numerator, &other.numerator)?, roots })
    }

    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let linear = |root: &Rational| Some([Rational::ZERO.checked_sub(root)?, Rational::ONE]);
        let mut parts = [self.numerator.clone(), other.numerator.clone()];
        for (part, roots) in parts.iter_mut().zip([&other.roots, &self.roots]) {
            for root in roots {
                *part = multiply(part, &linear(root)?)?;
            }
        }
        let mut sum = Self {
            numerator: add(&parts[0], &parts[1])?,
            roots: self.roots.iter().chain(&other.roots).cloned().collect(),
        };
        if sum.roots.len() > SERIES_DEGREE {
            return None;
        }
        sum.cancel()?;
        Some(sum)
    }

    /// Removes common factors and sorts the roots.
    pub(super) fn cancel(&mut self) -> Option<()> {
        let mut kept = Vec::with_capacity(self.roots.len());
        for root in core::mem::take(&mut self.roots) {
            if !self.numerator.is_empty() && at(&self.numerator, &root)?.is_zero() {
                self.numerator = divided(&self.numerator, &root)?;
            } else {
                kept.push(root);
            }
        }
        kept.sort();
        self.roots = kept;
        Some(())
    }
}

pub(super) fn add(a: &[Rational], b: &[Rational]) -> Option<Polynomial> {
    let mut sum = Vec::with_capacity(a.len().max(b.len()));
    for at in 0..a.len().max(b.len()) {
        let zero = Rational::ZERO;
        sum.push(a.get(at).unwrap_or(&zero).checked_add(b.get(at).unwrap_or(&zero))?);
    }
    while sum.last().is_some_and(Rational::is_zero) {
        sum.pop();
    }
    Some(sum)
}

pub(super) fn multiply(a: &[Rational], b: &[Rational]) -> Option<Polynomial> {
    let mut product = vec![Rational::ZERO; (a.len() + b.len()).saturating_sub(1)];
    if product.len() > SERIES_DEGREE + 1 {
        return None;
    }
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            product[i + j] = product[i + j].checked_add(&x.checked_mul(y)?)?;
        }
    }
    add(&product, &[])
}

pub(super) fn at(polynomial: &[Rational], value: &Rational) -> Option<Rational> {
    polynomial.iter().rev().try_fold(Rational::ZERO, |sum, next| sum.checked_mul(value)?.checked_add(next))
}

/// Returns the quotient by `k - root`, which must divide the polynomial.
pub(super) fn divided(polynomial: &[Rational], root: &Rational) -> Option<Polynomial> {
    let mut quotient = Vec::with_capacity(polynomial.len());
    let mut carry = Rational::ZERO;
    for coefficient in polynomial.iter().rev() {
        carry = carry.checked_mul(root)?.checked_add(coefficient)?;
        quotient.push(carry.clone());
    }
    quotient.pop();
    quotient.reverse();
    Some(quotient)
}
