//! Projection for polynomials in two unknowns: the values of the first unknown at which the number or the order of
//! the roots in the second can change.
//!
//! It is the projection of cylindrical algebraic decomposition in the plane (Collins 1975; Basu, Pollack,
//! Roy, chapter 5). Polynomials are made primitive, square-free and coprime. Then the roots change only at
//! values at which a removed factor, a leading coefficient, a discriminant or a resultant of two polynomials
//! vanishes. Over each open interval between these values, the roots in the second unknown are continuous and
//! distinct and keep their order.

use crate::limits::{PLANE_BASIS, PLANE_PRODUCTS, POLYNOMIAL_DEGREE};
use dashu_int::IBig;

use super::sparse::Sparse;
use super::univariate::{Exact, Polynomial, determinant};

/// A polynomial in `y` with coefficients in `x`, lowest first; the last is not 0.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bivariate(Vec<Polynomial>);

impl Bivariate {
    fn new(mut coefficients: Vec<Polynomial>) -> Self {
        while coefficients.last().is_some_and(Polynomial::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Returns the common divisor of all coefficients, and the quotient.
    fn split(self) -> Option<(Polynomial, Self)> {
        let mut content = Polynomial::default();
        for coefficient in &self.0 {
            content = content.gcd(coefficient)?;
            if content.degree() == 0 && !content.is_zero() {
                return Some((content, self.reduced()));
            }
        }
        let parts = self.0.iter().map(|part| divided(part, &content)).collect::<Option<Vec<_>>>()?;
        Some((content, Self(parts).reduced()))
    }

    /// Divides by the common integer factor, which gives one form for all constant multiples.
    fn reduced(self) -> Self {
        // The common factor is the gcd of all integer coefficients.
        let all: Vec<IBig> = self.0.iter().flat_map(|part| part.coefficients().iter().cloned()).collect();
        let Some(content) = integer_content(&all) else { return self };
        let negative =
            self.0.last().and_then(Polynomial::leading).is_some_and(dashu_base::Signed::is_negative);
        let divisor = if negative { -content } else { content };
        let scale = |part: Polynomial| {
            let scaled = part.coefficients().iter().map(|c| c / &divisor).collect();
            Polynomial::new(scaled).unwrap_or(part)
        };
        Self(self.0.into_iter().map(scale).collect())
    }

    /// Returns the pseudo-remainder.
    fn remainder(&self, divisor: &Self) -> Option<Self> {
        let leading = divisor.0.last()?;
        let mut rest = self.0.clone();
        while rest.len() >= divisor.0.len() {
            let top = rest.pop()?;
            let shift = rest.len() + 1 - divisor.0.len();
            if !top.is_zero() {
                for (at, place) in rest.iter_mut().enumerate() {
                    *place = place.times(leading)?;
                    if at >= shift
                        && let Some(coefficient) = divisor.0.get(at - shift)
                    {
                        *place = place.minus(&top.times(coefficient)?)?;
                    }
                }
            }
            while rest.last().is_some_and(Polynomial::is_zero) {
                rest.pop();
            }
        }
        Some(Self::new(rest))
    }

    /// Returns the primitive greatest common divisor of two primitive polynomials.
    fn gcd(&self, other: &Self) -> Option<Self> {
        let (mut a, mut b) = if self.degree() >= other.degree() {
            (self.clone(), other.clone())
        } else {
            (other.clone(), self.clone())
        };
        while !b.0.is_empty() {
            if b.degree() == 0 {
                return Some(Self(vec![Polynomial::constant(IBig::ONE)]));
            }
            let next = a.remainder(&b)?;
            a = b;
            b = if next.0.is_empty() { next } else { next.split()?.1 };
        }
        Some(a)
    }

    /// Divides primitive polynomials exactly.
    fn quotient(&self, divisor: &Self) -> Option<Self> {
        let leading = divisor.0.last()?;
        let mut rest = self.0.clone();
        let mut quotient = vec![Polynomial::default(); (rest.len() + 1).saturating_sub(divisor.0.len())];
        while rest.len() >= divisor.0.len() {
            let shift = rest.len() - divisor.0.len();
            let top = rest.pop()?;
            for part in rest.iter_mut().chain(quotient.iter_mut()) {
                *part = part.times(leading)?;
            }
            for (place, coefficient) in rest[shift..].iter_mut().zip(&divisor.0) {
                *place = place.minus(&top.times(coefficient)?)?;
            }
            quotient[shift] = quotient[shift].plus(&top)?;
        }
        rest.iter().all(Polynomial::is_zero).then(|| Self::new(quotient))?.split().map(|(_, part)| part)
    }

    fn derivative(&self) -> Option<Self> {
        let parts = self.0.iter().enumerate().skip(1);
        let parts = parts.map(|(power, part)| part.times(&Polynomial::constant(IBig::from(power))));
        Some(Self::new(parts.collect::<Option<Vec<_>>>()?))
    }

    /// Returns the resultant in `y`, which is 0 exactly where both have a common complex root or both leading
    /// coefficients vanish.
    fn resultant(&self, other: &Self, products: &mut usize) -> Option<Polynomial> {
        let (m, n) = (self.degree(), other.degree());
        let wide = self.0.iter().chain(&other.0).map(Polynomial::degree).max().unwrap_or(0);
        let size = m + n;
        // This estimates the number of products of coefficients.
        let cost = if size > 16 { return None } else { size.pow(3) * (size * wide + 1).pow(2) };
        *products = products.checked_sub(cost)?;
        let exact = |part: &Polynomial| Exact(part.coefficients().to_vec());
        let mut rows = Vec::with_capacity(m + n);
        for (from, shifts) in [(self, n), (other, m)] {
            for shift in 0..shifts {
                let mut row = vec![Exact::default(); m + n];
                for (at, part) in from.0.iter().rev().enumerate() {
                    row[shift + at] = exact(part);
                }
                rows.push(row);
            }
        }
        Polynomial::new(determinant(rows)?.0)
    }
}

fn divided(part: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    if divisor.degree() == 0 || part.is_zero() {
        return Some(part.clone());
    }
    // The division is exact over the rationals, and over the integers by Gauss' lemma: the divisor is
    // primitive.
    let mut rest = part.coefficients().to_vec();
    let leading = divisor.leading()?;
    let mut quotient = vec![IBig::ZERO; (rest.len() + 1).saturating_sub(divisor.coefficients().len())];
    while rest.len() >= divisor.coefficients().len() {
        let shift = rest.len() - divisor.coefficients().len();
        let top = rest.last()? / leading;
        for (place, coefficient) in rest[shift..].iter_mut().zip(divisor.coefficients()) {
            *place -= &top * coefficient;
        }
        quotient[shift] = top;
        rest.pop();
    }
    rest.iter().all(IBig::is_zero).then(|| Polynomial::new(quotient))?
}

fn integer_content(all: &[IBig]) -> Option<IBig> {
    let whole =
        Polynomial::new(all.iter().filter(|c| !c.is_zero()).take(POLYNOMIAL_DEGREE).cloned().collect())?;
    let first = whole.coefficients().first()?.clone();
    let primitive = whole.primitive();
    let mut content = first / primitive.coefficients().first()?;
    if dashu_base::Signed::is_negative(&content) {
        content = -content;
    }
    all.iter().all(|c| (c % &content).is_zero()).then_some(content)
}

/// Returns the polynomials in `x` at whose roots the roots in `y` may change in number or order; `None` if
/// the computation is too large.
///
/// Every polynomial may contain only `x` and `y`.
pub fn projection(polynomials: &[Sparse], x: u16, y: u16) -> Option<Vec<Polynomial>> {
    let mut places: Vec<Polynomial> = Vec::new();
    let mut basis: Vec<Bivariate> = Vec::new();
    for polynomial in polynomials {
        let parts: Option<Vec<Polynomial>> =
            polynomial.coefficients(y).iter().map(|part| part.univariate(x)).collect();
        let (content, part) = Bivariate::new(parts?).split()?;
        places.push(content);
        if part.degree() == 0 {
            continue;
        }
        // Repeated factors are removed.
        let shared = part.gcd(&part.derivative()?)?;
        let part = if shared.degree() == 0 { part } else { part.quotient(&shared)? };
        insert(&mut basis, part)?;
    }
    for (at, part) in basis.iter().enumerate() {
        places.push(part.0.last()?.clone());
        if part.degree() > 1 {
            places.push(part.resultant(&part.derivative()?, &mut { PLANE_PRODUCTS })?);
        }
        for other in &basis[at + 1..] {
            places.push(part.resultant(other, &mut { PLANE_PRODUCTS })?);
        }
    }
    places.retain(|place| place.degree() > 0);
    for place in &mut places {
        *place = place.square_free()?;
    }
    places.sort();
    places.dedup();
    Some(places)
}

/// Returns the resultant of two polynomials with respect to `y`. It is a polynomial in `x` that vanishes
/// where both have a common root over `x`. `None` if the resultant is too large, or if `y` is in neither of them.
/// The products of coefficients are charged to `products`.
pub fn resultant(
    first: &Sparse,
    second: &Sparse,
    [x, y]: [u16; 2],
    products: &mut usize,
) -> Option<Polynomial> {
    let read = |polynomial: &Sparse| {
        let parts: Option<Vec<Polynomial>> =
            polynomial.coefficients(y).iter().map(|part| part.univariate(x)).collect();
        Some(Bivariate::new(parts?))
    };
    let (first, second) = (read(first)?, read(second)?);
    (first.degree() + second.degree() > 0).then(|| first.resultant(&second, products))?
}

/// Adds a square-free primitive polynomial and keeps the basis pairwise coprime.
fn insert(basis: &mut Vec<Bivariate>, part: Bivariate) -> Option<()> {
    let mut open = vec![part];
    while let Some(mut part) = open.pop() {
        let mut at = 0;
        while at < basis.len() && part.degree() > 0 {
            if basis[at] == part {
                part = Bivariate(vec![Polynomial::constant(IBig::ONE)]);
                break;
            }
            let shared = basis[at].gcd(&part)?;
            if shared.degree() > 0 {
                let known = basis.remove(at);
                let rest = known.quotient(&shared)?;
                part = part.quotient(&shared)?;
                // Both parts of the known polynomial are coprime to all others.
                for piece in [rest, shared] {
                    if piece.degree() > 0 {
                        basis.insert(at, piece);
                        at += 1;
                    }
                }
            } else {
                at += 1;
            }
        }
        if part.degree() > 0 {
            basis.push(part.reduced());
        }
        if basis.len() > PLANE_BASIS {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(radius: i64) -> Sparse {
        let (x, y) = (Sparse::unknown(0), Sparse::unknown(1));
        let squares = x.times(&x).unwrap().plus(&y.times(&y).unwrap(), &IBig::ONE).unwrap();
        squares.plus(&Sparse::constant(IBig::from(radius * radius)), &IBig::NEG_ONE).unwrap()
    }

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|c| IBig::from(*c)).collect()).unwrap()
    }

    #[test]
    fn a_circle_turns_at_its_sides() {
        assert_eq!(projection(&[circle(2)], 0, 1), Some(vec![polynomial(&[-4, 0, 1])]));
    }

    #[test]
    fn repeated_and_shared_factors_do_not_hide_a_place() {
        // (y - x)^2 and (y - x)(y - 1): they meet at x = 1
        let (x, y) = (Sparse::unknown(0), Sparse::unknown(1));
        let line = y.plus(&x, &IBig::NEG_ONE).unwrap();
        let level = y.plus(&Sparse::one(), &IBig::NEG_ONE).unwrap();
        let square = line.times(&line).unwrap();
        let product = line.times(&level).unwrap();
        assert_eq!(projection(&[square, product], 0, 1), Some(vec![polynomial(&[-1, 1])]));
    }

    #[test]
    fn lines_and_circles_meet_where_they_do() {
        let (x, y) = (Sparse::unknown(0), Sparse::unknown(1));
        let line = y.plus(&x, &IBig::NEG_ONE).unwrap();
        let places = projection(&[circle(1), line], 0, 1).unwrap();
        assert!(places.contains(&polynomial(&[-1, 0, 2])));
    }
}
