//! Polynomials in many unknowns with integer coefficients.

use crate::limits::{COEFFICIENT_BITS, POLYNOMIAL_DEGREE, SPARSE_PRODUCTS, SPARSE_TERMS};
use std::collections::BTreeMap;

use dashu_base::{BitTest, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use smallvec::SmallVec;

use super::univariate::Polynomial;

/// Unknowns with their exponents, sorted by unknown.
pub type Monomial = SmallVec<[(u16, u16); 4]>;

/// A polynomial; no coefficient is 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Sparse(BTreeMap<Monomial, IBig>);

impl Sparse {
    /// Creates a constant.
    pub fn constant(value: IBig) -> Self {
        if value.is_zero() { Self::default() } else { Self(BTreeMap::from([(Monomial::new(), value)])) }
    }

    /// Returns 1.
    pub fn one() -> Self {
        Self::constant(IBig::ONE)
    }

    /// Creates the polynomial that is a single unknown.
    pub fn unknown(index: u16) -> Self {
        Self(BTreeMap::from([(Monomial::from_slice(&[(index, 1)]), IBig::ONE)]))
    }

    /// Returns whether the polynomial is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of a constant polynomial; `None` for others.
    pub fn as_constant(&self) -> Option<IBig> {
        match self.0.len() {
            0 => Some(IBig::ZERO),
            1 => self.0.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    /// Returns the terms.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &IBig)> {
        self.0.iter()
    }

    /// Returns the unknowns that occur, each once, in increasing order.
    pub fn unknowns(&self) -> SmallVec<[u16; 4]> {
        let mut found: SmallVec<[u16; 4]> = SmallVec::new();
        for (unknown, _) in self.0.keys().flatten() {
            if let Err(at) = found.binary_search(unknown) {
                found.insert(at, *unknown);
            }
        }
        found
    }

    /// Returns whether an unknown occurs.
    pub fn has(&self, unknown: u16) -> bool {
        self.0.keys().flatten().any(|(known, _)| *known == unknown)
    }

    /// Returns `self + factor * other`; `None` if the result is too large.
    pub fn plus(&self, other: &Self, factor: &IBig) -> Option<Self> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient * factor);
        }
        sum.fits()
    }

    fn fits(self) -> Option<Self> {
        let fits = self.0.len() <= SPARSE_TERMS
            && self.0.values().all(|coefficient| coefficient.bit_len() <= COEFFICIENT_BITS);
        fits.then_some(self)
    }

    fn add_term(&mut self, monomial: Monomial, value: IBig) {
        if value.is_zero() {
            return;
        }
        match self.0.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(value);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                *place.get_mut() += value;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    /// Returns `self * other`; `None` if the result is too large.
    pub fn times(&self, other: &Self) -> Option<Self> {
        if let Some(factor) = other.as_constant() {
            return self.scaled(&factor);
        }
        if let Some(factor) = self.as_constant() {
            return other.scaled(&factor);
        }
        if self.0.len() * other.0.len() > SPARSE_PRODUCTS {
            return None;
        }
        let mut product = Self::default();
        for (left, x) in &self.0 {
            for (right, y) in &other.0 {
                product.add_term(merged(left, right)?, x * y);
            }
        }
        product.fits()
    }

    /// Returns `self * factor`; `None` if the result is too large.
    pub fn scaled(&self, factor: &IBig) -> Option<Self> {
        if factor.is_zero() {
            return Some(Self::default());
        }
        if factor.is_one() {
            return Some(self.clone());
        }
        Self(self.0.iter().map(|(monomial, value)| (monomial.clone(), value * factor)).collect()).fits()
    }

    /// Divides by an integer that divides every coefficient.
    #[must_use]
    pub fn divided(mut self, divisor: &IBig) -> Self {
        for coefficient in self.0.values_mut() {
            *coefficient /= divisor;
        }
        self
    }

    /// Returns the unknowns that divide the polynomial, and the quotient by their highest common powers.
    pub fn split_monomial(&self) -> (Vec<u16>, Self) {
        let mut shared: Option<Monomial> = None;
        for monomial in self.0.keys() {
            shared = Some(match shared {
                None => monomial.clone(),
                Some(mut known) => {
                    for (unknown, exponent) in &mut known {
                        let here = monomial.iter().find(|(other, _)| other == unknown);
                        *exponent = here.map_or(0, |(_, power)| (*exponent).min(*power));
                    }
                    known.retain(|(_, exponent)| *exponent > 0);
                    known
                }
            });
        }
        let shared = shared.unwrap_or_default();
        if shared.is_empty() {
            return (Vec::new(), self.clone());
        }
        let mut rest = Self::default();
        for (monomial, value) in &self.0 {
            let mut monomial = monomial.clone();
            for (unknown, exponent) in &mut monomial {
                if let Some((_, less)) = shared.iter().find(|(other, _)| other == unknown) {
                    *exponent -= less;
                }
            }
            monomial.retain(|(_, exponent)| *exponent > 0);
            rest.0.insert(monomial, value.clone());
        }
        (shared.iter().map(|(unknown, _)| *unknown).collect(), rest)
    }

    /// Returns the least total degree of the terms.
    pub fn least_degree(&self) -> usize {
        let total = |monomial: &Monomial| monomial.iter().map(|(_, exponent)| usize::from(*exponent)).sum();
        self.0.keys().map(total).min().unwrap_or(0)
    }

    /// Returns `self ^ exponent`; `None` if the result is too large.
    pub fn power(&self, exponent: u32) -> Option<Self> {
        if exponent == 0 {
            return Some(Self::one());
        }
        if let (1, Some((monomial, value))) = (self.0.len(), self.0.first_key_value())
            && value.is_one()
        {
            let mut monomial = monomial.clone();
            for (_, power) in &mut monomial {
                *power = power.checked_mul(u16::try_from(exponent).ok()?)?;
            }
            return Some(Self(BTreeMap::from([(monomial, IBig::ONE)])));
        }
        let mut power = Self::one();
        for _ in 0..exponent {
            power = power.times(self)?;
        }
        Some(power)
    }

    /// Divides by the greatest common divisor of the coefficients and makes the first coefficient positive.
    #[must_use]
    pub fn normal(mut self) -> Self {
        let mut content = UBig::ZERO;
        for coefficient in self.0.values() {
            let size = coefficient.clone().unsigned_abs();
            content = if content.is_zero() { size } else { content.gcd(size) };
            if content.is_one() {
                break;
            }
        }
        let negative = self.0.values().next().is_some_and(Signed::is_negative);
        if content > UBig::ONE || negative {
            let divisor = if negative { -IBig::from(content) } else { IBig::from(content) };
            for coefficient in self.0.values_mut() {
                *coefficient /= &divisor;
            }
        }
        self
    }

    /// Regards the polynomial as one in `unknown` and returns its coefficients, lowest first.
    pub fn coefficients(&self, unknown: u16) -> Vec<Self> {
        let mut parts: Vec<Self> = Vec::new();
        for (monomial, value) in &self.0 {
            let mut rest = monomial.clone();
            let mut exponent = 0;
            rest.retain(|(known, power)| {
                if *known == unknown {
                    exponent = usize::from(*power);
                }
                *known != unknown
            });
            if parts.len() <= exponent {
                parts.resize(exponent + 1, Self::default());
            }
            parts[exponent].0.insert(rest, value.clone());
        }
        parts
    }

    /// Returns the polynomial in one unknown; `None` if another unknown occurs or it is too large.
    pub fn univariate(&self, unknown: u16) -> Option<Polynomial> {
        let mut coefficients = Vec::new();
        for (monomial, value) in &self.0 {
            let exponent = match monomial.as_slice() {
                [] => 0,
                [(known, exponent)] if *known == unknown => usize::from(*exponent),
                _ => return None,
            };
            if exponent > POLYNOMIAL_DEGREE {
                return None;
            }
            if coefficients.len() <= exponent {
                coefficients.resize(exponent + 1, IBig::ZERO);
            }
            coefficients[exponent].clone_from(value);
        }
        Polynomial::new(coefficients)
    }

    /// Returns, up to sign, the product of the values over all `t` with `t^degree = law`. This product does not contain
    /// `t`, and is zero wherever the polynomial is. `None` if `degree` is above 6 or the product is too large.
    pub fn norm(&self, t: u16, degree: usize, law: &Self) -> Option<Self> {
        let mut parts = self.coefficients(t);
        // `t^degree` is replaced by `law`.
        for at in (degree..parts.len()).rev() {
            let top = parts.pop()?;
            parts[at - degree] = parts[at - degree].plus(&top.times(law)?, &IBig::ONE)?;
        }
        parts.resize(degree, Self::default());
        match parts.as_slice() {
            [a, b] => a.times(a)?.plus(&b.times(b)?.times(law)?, &IBig::NEG_ONE),
            _ => {
                // The norm is the determinant of multiplication by the polynomial.
                let mut rows = vec![parts];
                for row in 1..degree {
                    let mut next = rows[row - 1].clone();
                    next.rotate_right(1);
                    next[0] = next[0].times(law)?;
                    rows.push(next);
                }
                determinant(&rows)
            }
        }
    }

    /// Returns the resultant with respect to an unknown, which vanishes where both have a common root in it.
    ///
    /// `None` if a polynomial is 0, if the sum of both degrees in the unknown is 0 or above 6, or if the
    /// resultant is too large.
    pub fn resultant(&self, other: &Self, unknown: u16) -> Option<Self> {
        let (first, second) = (self.coefficients(unknown), other.coefficients(unknown));
        let (m, n) = (first.len().checked_sub(1)?, second.len().checked_sub(1)?);
        if m + n == 0 {
            return None;
        }
        let mut rows = Vec::with_capacity(m + n);
        for (from, shifts) in [(&first, n), (&second, m)] {
            for shift in 0..shifts {
                let mut row = vec![Self::default(); m + n];
                for (at, part) in from.iter().rev().enumerate() {
                    row[shift + at] = part.clone();
                }
                rows.push(row);
            }
        }
        determinant(&rows)
    }

    /// Substitutes a polynomial for an unknown; `None` if the result is too large.
    pub fn substituted(&self, unknown: u16, value: &Self) -> Option<Self> {
        let parts = self.coefficients(unknown);
        let mut result = Self::default();
        for part in parts.iter().rev() {
            result = result.times(value)?.plus(part, &IBig::ONE)?;
        }
        Some(result)
    }
}

/// Returns the determinant by expansion over subsets of columns, without division; `None` for more than six
/// rows, or if it is too large.
fn determinant(rows: &[Vec<Sparse>]) -> Option<Sparse> {
    let size = rows.len();
    if size > 6 {
        return None;
    }
    let mut minors = vec![Sparse::default(); 1 << size];
    minors[0] = Sparse::one();
    for set in 1usize..1 << size {
        let row = set.count_ones() as usize - 1;
        let mut sum = Sparse::default();
        let mut sign = if row.is_multiple_of(2) { IBig::ONE } else { IBig::NEG_ONE };
        for column in (0..size).filter(|column| set >> column & 1 == 1) {
            let minor = rows[row][column].times(&minors[set & !(1 << column)])?;
            sum = sum.plus(&minor, &sign)?;
            sign = -sign;
        }
        minors[set] = sum;
    }
    minors.pop()
}

/// Returns the product of two monomials; `None` if an exponent overflows.
#[inline]
pub(crate) fn merged(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut result = Monomial::with_capacity(a.len() + b.len());
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match (left.peek(), right.peek()) {
            (None, None) => return Some(result),
            (Some(&&x), None) => {
                result.push(x);
                left.next();
            }
            (None, Some(&&y)) => {
                result.push(y);
                right.next();
            }
            (Some(&&x), Some(&&y)) => {
                if x.0 <= y.0 {
                    left.next();
                }
                if y.0 <= x.0 {
                    right.next();
                }
                result.push(match x.0.cmp(&y.0) {
                    std::cmp::Ordering::Less => x,
                    std::cmp::Ordering::Greater => y,
                    std::cmp::Ordering::Equal => (x.0, x.1.checked_add(y.1)?),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_remove_a_root() {
        // x - t with t^2 = 2 has the norm x^2 - 2; with t^3 = 2 it is x^3 - 2
        let (x, t) = (Sparse::unknown(0), Sparse::unknown(1));
        let difference = x.plus(&t, &IBig::NEG_ONE).unwrap();
        let two = Sparse::constant(IBig::from(2));
        for degree in [2, 3, 4, 5] {
            let norm = difference.norm(1, degree, &two).unwrap().normal();
            let expected = x.power(degree as u32).unwrap().plus(&two, &IBig::NEG_ONE).unwrap().normal();
            assert_eq!(norm, expected);
        }
    }

    #[test]
    fn products_sums_and_substitution() {
        let (x, y) = (Sparse::unknown(0), Sparse::unknown(1));
        let sum = x.plus(&y, &IBig::ONE).unwrap();
        let difference = x.plus(&y, &IBig::NEG_ONE).unwrap();
        let product = sum.times(&difference).unwrap();
        assert!(product.substituted(1, &x).unwrap().is_zero());
        assert_eq!(product.coefficients(1).len(), 3);
        assert_eq!(product.univariate(0), None);
        assert!(product.substituted(1, &Sparse::one()).unwrap().univariate(0).is_some());
    }
}
