//! Quotients of polynomials.

use crate::number::Rational;
use crate::polynomial::Sparse;
use dashu_base::{Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// The quotient of two polynomials.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    pub(super) numerator: Sparse,
    pub(super) denominator: Sparse,
}

pub(super) fn whole(numerator: Sparse) -> Quotient {
    Quotient { numerator, denominator: Sparse::one() }
}

pub(super) fn number(value: &Rational) -> Quotient {
    Quotient {
        numerator: Sparse::constant(value.numerator()),
        denominator: Sparse::constant(IBig::from(value.denominator())),
    }
}

pub(super) fn reciprocal(quotient: Quotient) -> Quotient {
    Quotient { numerator: quotient.denominator, denominator: quotient.numerator }
}

pub(super) fn add(a: &Quotient, b: &Quotient, factor: &IBig) -> Option<Quotient> {
    if a.denominator == b.denominator {
        return Some(Quotient {
            numerator: a.numerator.plus(&b.numerator, factor)?,
            denominator: a.denominator.clone(),
        });
    }
    let left = a.numerator.times(&b.denominator)?;
    let right = b.numerator.times(&a.denominator)?;
    reduced(Quotient {
        numerator: left.plus(&right, factor)?,
        denominator: a.denominator.times(&b.denominator)?,
    })
}

pub(super) fn multiply(a: &Quotient, b: &Quotient) -> Option<Quotient> {
    Some(Quotient {
        numerator: a.numerator.times(&b.numerator)?,
        denominator: a.denominator.times(&b.denominator)?,
    })
}

/// Removes a common integer factor if the denominator is a number.
#[allow(clippy::unnecessary_wraps)]
fn reduced(quotient: Quotient) -> Option<Quotient> {
    use dashu_base::Gcd;
    let Some(below) = quotient.denominator.as_constant() else { return Some(quotient) };
    let mut shared = below.clone().unsigned_abs();
    for (_, value) in quotient.numerator.terms() {
        shared = shared.gcd(value.clone().unsigned_abs());
        if shared.is_one() {
            break;
        }
    }
    if shared.is_one() {
        return Some(quotient);
    }
    if shared == UBig::ZERO {
        return Some(quotient);
    }
    let shared = IBig::from(shared);
    let numerator = quotient.numerator.divided(&shared);
    Some(Quotient { numerator, denominator: Sparse::constant(below / shared) })
}

/// Returns the square root of a polynomial in one unknown that is the square of a square-free polynomial;
/// `None` for others.
pub(super) fn square_root(law: &Sparse) -> Option<Sparse> {
    let unknowns = law.unknowns();
    let &[x] = unknowns.as_slice() else { return None };
    let square = law.univariate(x)?;
    if square.degree() % 2 != 0 || square.leading()?.is_negative() {
        return None;
    }
    let part = square.square_free()?;
    if 2 * part.degree() != square.degree() {
        return None;
    }
    // A square is `c part^2` with a square `c`; the last step checks this.
    let ratio_top = square.leading()?.clone();
    let ratio_bottom = part.leading()? * part.leading()?;
    let ratio = Rational::from_integers(ratio_top, ratio_bottom.unsigned_abs())?;
    let root = ratio.exact_root(2)?;
    let whole = root.is_integer().then(|| root.numerator())?;
    let mut result = Sparse::default();
    for (power, coefficient) in part.coefficients().iter().enumerate() {
        let term = Sparse::unknown(x).power(u32::try_from(power).ok()?)?.scaled(&(coefficient * &whole))?;
        result = result.plus(&term, &IBig::ONE)?;
    }
    let again = result.times(&result)?;
    (again == *law).then_some(result)
}
