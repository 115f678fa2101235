//! Real roots of polynomials, isolated exactly, and algebraic numbers.
//!
//! Roots are isolated by bisection with Descartes' rule of signs (Vincent, Collins and Akritas; see Basu,
//! Pollack, Roy: Algorithms in Real Algebraic Geometry, chapter 10). Rational roots are recognised unless
//! the leading coefficient is large; with other coefficients, an [`Algebraic`] number is irrational.

use crate::limits::{ROOT_LEADING_BITS, ROOT_SPLITS, ROOT_WORK};
use std::cmp::Ordering;

use dashu_base::{BitTest, Signed, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::univariate::{Polynomial, sign};
use crate::number::Rational;

/// A real root of a square-free polynomial, the only one in the interval from `place / 2^shift` to
/// `(place + 1) / 2^shift`. The lower end is never a root; the upper end can be the root itself after
/// [`Algebraic::refine`].
#[derive(Clone, Debug)]
pub struct Algebraic {
    polynomial: Polynomial,
    place: IBig,
    shift: i64,
    /// The sign of the polynomial at the lower end.
    below: Ordering,
}

/// A real root.
#[derive(Clone, Debug)]
pub enum Root {
    /// A rational number.
    Rational(Rational),
    /// Any other real root.
    Algebraic(Algebraic),
}

impl Algebraic {
    /// Returns the square-free polynomial that has this root.
    pub fn polynomial(&self) -> &Polynomial {
        &self.polynomial
    }

    /// Returns `(place, shift)`: the interval starts at `place / 2^shift` and is `1 / 2^shift` wide.
    pub fn interval(&self) -> (&IBig, i64) {
        (&self.place, self.shift)
    }

    /// Halves the interval.
    pub fn refine(&mut self) {
        let middle: IBig = (&self.place << 1) + 1;
        self.shift += 1;
        let at = self.polynomial.sign_at_dyadic(&middle, self.shift);
        // Recognised rational roots were removed, so the middle is normally not a root. If it is, it becomes
        // the upper end of the interval.
        self.place = if at == self.below { middle } else { middle - 1 };
    }

    /// Refines until the interval is at most `2^-places` wide.
    pub fn refine_to(&mut self, places: i64) {
        while self.shift < places {
            self.refine();
        }
    }

    /// Compares the root with a rational number.
    pub fn compare_rational(&mut self, other: &Rational) -> Ordering {
        if let Some(order) = self.apart_from(other) {
            return order;
        }
        // The number is inside the interval or is its upper end, so the polynomial's sign there decides on
        // which side the root is.
        match self.polynomial.sign_at(other) {
            Ordering::Equal => Ordering::Equal,
            at if at == self.below => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// Returns the order if the number is outside the interval. The upper end is not outside, since it can be
    /// the root.
    fn apart_from(&self, other: &Rational) -> Option<Ordering> {
        let denominator = IBig::from(other.denominator());
        let (mut number, mut unit) = (other.numerator(), denominator);
        if self.shift >= 0 {
            number <<= self.shift as usize;
        } else {
            unit <<= self.shift.unsigned_abs() as usize;
        }
        let low = &self.place * &unit;
        if number <= low {
            return Some(Ordering::Greater);
        }
        (number > low + unit).then_some(Ordering::Less)
    }

    /// Compares two algebraic numbers exactly; equal numbers are recognised. `None` if the GCD grows too
    /// large or `ROOT_SPLITS` is reached.
    pub fn compare(&mut self, other: &mut Self) -> Option<Ordering> {
        if let Some(order) = self.separate(other) {
            return Some(order);
        }
        let shared = self.polynomial.gcd(&other.polynomial)?;
        if shared.degree() > 0 && self.is_root_of_factor(&shared) && other.is_root_of_factor(&shared) {
            // Both are roots of the shared factor, so they are equal once one interval contains the other.
            for _ in 0..ROOT_SPLITS {
                if let Some(order) = self.separate(other) {
                    return Some(order);
                }
                if self.is_nested_with(other) {
                    return Some(Ordering::Equal);
                }
                self.refine();
                other.refine();
            }
            return None;
        }
        for _ in 0..ROOT_SPLITS {
            if let Some(order) = self.separate(other) {
                return Some(order);
            }
            if self.shift <= other.shift {
                self.refine();
            } else {
                other.refine();
            }
        }
        None
    }

    /// Returns whether one interval lies within the other. The wider interval contains one root of its
    /// polynomial, hence at most one root of a shared factor. If both numbers are roots of that factor, they
    /// are equal.
    fn is_nested_with(&self, other: &Self) -> bool {
        let (wide, narrow) = if self.shift <= other.shift { (self, other) } else { (other, self) };
        let by = (narrow.shift - wide.shift) as usize;
        &narrow.place >> by == wide.place
    }

    /// Returns the order if the intervals have no common inner point.
    fn separate(&self, other: &Self) -> Option<Ordering> {
        let shift = self.shift.max(other.shift);
        let scale = |number: &Self| {
            let by = (shift - number.shift) as usize;
            (&number.place << by, (&number.place + 1) << by)
        };
        let ((low, high), (low_b, high_b)) = (scale(self), scale(other));
        if high <= low_b {
            Some(Ordering::Less)
        } else if high_b <= low {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// Returns whether a factor of this number's polynomial vanishes at it. This is the case if and only if the factor's
    /// signs at the ends of the interval differ.
    fn is_root_of_factor(&self, factor: &Polynomial) -> bool {
        let high: IBig = &self.place + 1;
        factor.sign_at_dyadic(&self.place, self.shift) != factor.sign_at_dyadic(&high, self.shift)
    }

    /// Returns the exact sign of another polynomial at this number. `None` if the GCD grows too large or
    /// `ROOT_SPLITS` is reached.
    pub fn sign_of(&mut self, other: &Polynomial) -> Option<Ordering> {
        if other.degree() == 0 {
            return Some(other.leading().map_or(Ordering::Equal, sign));
        }
        let shared = self.polynomial.gcd(other)?;
        if shared.degree() > 0 && self.is_root_of_factor(&shared) {
            return Some(Ordering::Equal);
        }
        let rest = other.square_free()?;
        for _ in 0..ROOT_SPLITS {
            // A polynomial without a root inside the interval has one sign there: that at an end that is not a
            // root.
            let high: IBig = &self.place + 1;
            if variations_between(&rest, &self.place, self.shift) == 0 {
                let low = other.sign_at_dyadic(&self.place, self.shift);
                let above = other.sign_at_dyadic(&high, self.shift);
                match (low, above) {
                    (Ordering::Equal, sign) | (sign, Ordering::Equal) if sign != Ordering::Equal => {
                        return Some(sign);
                    }
                    (low, above) if low == above && low != Ordering::Equal => return Some(low),
                    _ => {}
                }
            }
            self.refine();
        }
        None
    }

    /// Returns `(b, d, 2a, added)` for a root `(-b ± sqrt d) / 2a` of a quadratic polynomial; `added` is
    /// `true` for `+`.
    pub fn radical(&self) -> Option<(IBig, IBig, IBig, bool)> {
        let [c, b, a] = self.polynomial.coefficients() else { return None };
        let discriminant = b * b - a * c * IBig::from(4);
        // Below the smaller root, the sign is that of the leading coefficient.
        let upper = (self.below == sign(a)) == a.is_negative();
        Some((b.clone(), discriminant, a * IBig::from(2), upper))
    }

    /// Returns `(n, p, negated)` for a root of `a x^n + c` with `n > 2`. The root is the `n`-th root of the
    /// positive number `p`, or its negative if `negated` is `true`.
    pub fn pure_root(&self) -> Option<(i64, Rational, bool)> {
        let coefficients = self.polynomial.coefficients();
        let (first, last) = (coefficients.first()?, coefficients.last()?);
        let degree = self.polynomial.degree();
        if degree < 3 || coefficients[1..degree].iter().any(|coefficient| !coefficient.is_zero()) {
            return None;
        }
        let size =
            Rational::from_integers(IBig::from(first.clone().unsigned_abs()), last.clone().unsigned_abs())?;
        Some((degree as i64, size, self.place.is_negative()))
    }

    /// Returns the middle of the current interval as a float, for heuristics; call [`Algebraic::refine_to`]
    /// first for accuracy.
    pub fn to_f64(&self) -> f64 {
        let value =
            Rational::from_integers((&self.place << 1) + 1, UBig::ONE).map_or(f64::NAN, |v| v.to_f64());
        libm::scalbn(value, i32::try_from(-self.shift - 1).unwrap_or(0))
    }
}

/// Returns all distinct real roots in increasing order; `None` if the polynomial is 0 or a limit is exceeded.
pub fn real_roots(polynomial: &Polynomial) -> Option<Vec<Root>> {
    if polynomial.is_zero() {
        return None;
    }
    let mut rest = polynomial.square_free()?;
    let mut roots = Vec::new();
    if rest.coefficients().first().is_some_and(IBig::is_zero) {
        roots.push(Root::Rational(Rational::ZERO));
        rest = Polynomial::new(rest.coefficients()[1..].to_vec())?;
    }
    match rest.degree() {
        0 => {}
        1 => roots.push(Root::Rational(ratio(&-rest.coefficients()[0].clone(), &rest.coefficients()[1])?)),
        2 => quadratic(&rest, &mut roots)?,
        _ => isolate(rest, &mut roots)?,
    }
    let mut failed = false;
    roots.sort_by(|a, b| {
        compare_roots(&mut a.clone(), &mut b.clone()).unwrap_or_else(|| {
            failed = true;
            Ordering::Equal
        })
    });
    (!failed).then_some(roots)
}

/// Returns the order of two roots; `None` if it cannot be decided within the limits.
pub fn compare_roots(a: &mut Root, b: &mut Root) -> Option<Ordering> {
    match (a, b) {
        (Root::Rational(a), Root::Rational(b)) => Some((*a).cmp(b)),
        (Root::Algebraic(a), Root::Rational(b)) => Some(a.compare_rational(b)),
        (Root::Rational(a), Root::Algebraic(b)) => Some(b.compare_rational(a).reverse()),
        (Root::Algebraic(a), Root::Algebraic(b)) => a.compare(b),
    }
}

fn ratio(numerator: &IBig, denominator: &IBig) -> Option<Rational> {
    let numerator = if denominator.is_negative() { -numerator } else { numerator.clone() };
    Rational::from_integers(numerator, denominator.clone().unsigned_abs())
}

fn quadratic(polynomial: &Polynomial, roots: &mut Vec<Root>) -> Option<()> {
    let [c, b, a] = polynomial.coefficients() else { return None };
    let discriminant = b * b - a * c * IBig::from(4);
    if discriminant.is_negative() {
        return Some(());
    }
    let size = discriminant.unsigned_abs();
    let root = IBig::from(size.sqrt());
    let twice = a * IBig::from(2);
    if &root * &root == IBig::from(size) {
        for root in [-&root, root] {
            roots.push(Root::Rational(ratio(&(root - b), &twice)?));
        }
        return Some(());
    }
    // The roots are irrational: isolate them by bisection.
    isolate(polynomial.clone(), roots)
}

/// Bisects until each interval has one root or none.
///
/// This function is long because the steps of one bisection share its state.
fn isolate(mut polynomial: Polynomial, roots: &mut Vec<Root>) -> Option<()> {
    let bound = polynomial.root_bound();
    // An entry is an open interval `(place/2^shift, (place+1)/2^shift)` and its depth.
    let mut open: Vec<(IBig, i64, u32)> = vec![(IBig::ZERO, -bound, 0), (IBig::NEG_ONE, -bound, 0)];
    let mut found: Vec<(IBig, i64)> = Vec::new();
    let mut exact: Vec<Rational> = Vec::new();
    let mut work = 0;
    while let Some((place, shift, depth)) = open.pop() {
        let words = 1 + polynomial.coefficients().iter().map(BitTest::bit_len).max().unwrap_or(0) / 64;
        let deep = 1 + usize::try_from(shift.unsigned_abs()).unwrap_or(0) * polynomial.degree() / 64;
        work += polynomial.degree().pow(2) * (words + deep);
        if work > ROOT_WORK {
            return None;
        }
        match variations_between(&polynomial, &place, shift) {
            0 => {}
            1 => found.push((place, shift)),
            _ => {
                if depth == ROOT_SPLITS {
                    return None;
                }
                let middle: IBig = (&place << 1) + 1;
                if polynomial.sign_at_dyadic(&middle, shift + 1) == Ordering::Equal {
                    let root = dyadic(&middle, shift + 1)?;
                    polynomial = polynomial.exact_quotient(&Polynomial::with_root(&root))?;
                    exact.push(root);
                }
                open.push((&middle - IBig::ONE, shift + 1, depth + 1));
                open.push((middle, shift + 1, depth + 1));
            }
        }
    }
    let mut numbers = Vec::new();
    for (mut place, mut shift) in found {
        // Roots at points of bisection were divided out, so the ends are normally not roots.
        let mut low = polynomial.sign_at_dyadic(&place, shift);
        let high = polynomial.sign_at_dyadic(&(&place + 1), shift);
        if low == Ordering::Equal {
            low = high.reverse();
        }
        // A rational root has a denominator that divides the leading coefficient.
        let leading = polynomial.leading()?.clone().unsigned_abs();
        let mut rational = None;
        if leading.bit_len() <= ROOT_LEADING_BITS {
            while shift <= leading.bit_len() as i64 + 1 {
                let middle: IBig = (&place << 1) + 1;
                shift += 1;
                match polynomial.sign_at_dyadic(&middle, shift) {
                    Ordering::Equal => {
                        rational = Some(dyadic(&middle, shift)?);
                        break;
                    }
                    at if at == low => place = middle,
                    _ => place = middle - 1,
                }
            }
            if rational.is_none() {
                // At most one multiple of `1/leading` lies inside.
                let multiple: IBig = ((&place + 1) * IBig::from(leading.clone())) >> shift as usize;
                let candidate = Rational::from_integers(multiple, leading)?;
                if polynomial.sign_at(&candidate) == Ordering::Equal {
                    rational = Some(candidate);
                }
            }
        }
        match rational {
            Some(root) => exact.push(root),
            None => numbers.push((place, shift, low)),
        }
    }
    for root in &exact {
        if let Some(quotient) = polynomial.exact_quotient(&Polynomial::with_root(root)) {
            polynomial = quotient;
        }
    }
    let polynomial = polynomial.normal();
    for (place, shift, _) in numbers {
        let low = polynomial.sign_at_dyadic(&place, shift);
        let high = polynomial.sign_at_dyadic(&(&place + 1), shift);
        if low == Ordering::Equal || high == Ordering::Equal || low == high {
            return None;
        }
        roots.push(Root::Algebraic(Algebraic { polynomial: polynomial.clone(), place, shift, below: low }));
    }
    exact.sort();
    exact.dedup();
    roots.extend(exact.into_iter().map(Root::Rational));
    Some(())
}

fn dyadic(numerator: &IBig, shift: i64) -> Option<Rational> {
    if shift <= 0 {
        return Rational::from_integers(numerator << shift.unsigned_abs() as usize, UBig::ONE);
    }
    Rational::from_integers(numerator.clone(), UBig::ONE << shift as usize)
}

/// Returns the number of sign variations of Descartes' rule for the open interval from `place / 2^shift`
/// to `(place + 1) / 2^shift`. It is an upper bound on the number of roots inside, with the same parity, and is
/// exact if it is 0 or 1.
fn variations_between(polynomial: &Polynomial, place: &IBig, shift: i64) -> usize {
    let degree = polynomial.degree();
    // `p((place + t) / 2^shift)` as a polynomial in `t`.
    let mut shifted: Vec<IBig> = polynomial.coefficients().to_vec();
    if shift > 0 {
        for (power, coefficient) in shifted.iter_mut().enumerate() {
            *coefficient <<= shift as usize * (degree - power);
        }
    } else {
        for (power, coefficient) in shifted.iter_mut().enumerate() {
            *coefficient <<= shift.unsigned_abs() as usize * power;
        }
    }
    if !place.is_zero() {
        for done in 0..degree {
            for at in (done..degree).rev() {
                let more = &shifted[at + 1] * place;
                shifted[at] += more;
            }
        }
    }
    // `(1 + s)^n q(1 / (1 + s))`, where `q(t)` is the shifted polynomial. Positive `s` correspond to `t` between 0
    // and 1.
    shifted.reverse();
    for done in 0..degree {
        for at in (done..degree).rev() {
            let more = shifted[at + 1].clone();
            shifted[at] += more;
        }
    }
    let mut variations = 0;
    let mut last = Ordering::Equal;
    for coefficient in &shifted {
        let sign = sign(coefficient);
        if sign != Ordering::Equal {
            if last != Ordering::Equal && sign != last {
                variations += 1;
            }
            last = sign;
        }
    }
    variations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|c| IBig::from(*c)).collect()).unwrap()
    }

    fn with_roots(roots: &[(i64, i64)]) -> Polynomial {
        roots.iter().fold(polynomial(&[1]), |product, (n, d)| {
            product.times(&Polynomial::with_root(&Rational::new(*n, *d).unwrap())).unwrap()
        })
    }

    #[test]
    fn rational_roots_are_found_exactly() {
        for roots in [
            vec![(1, 1)],
            vec![(-5, 2), (1, 3)],
            vec![(-5, 3), (0, 1), (1, 7), (3, 1)],
            vec![(-8, 1), (-1, 2), (1, 1000), (2, 1001), (1, 2), (8, 1)],
        ] {
            let found: Vec<Rational> = real_roots(&with_roots(&roots))
                .unwrap()
                .into_iter()
                .map(|root| match root {
                    Root::Rational(root) => root,
                    Root::Algebraic(_) => panic!("{roots:?}"),
                })
                .collect();
            let expected: Vec<Rational> = roots.iter().map(|(n, d)| Rational::new(*n, *d).unwrap()).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn irrational_roots_are_isolated_ordered_and_recognised() {
        // (x^2-2)(x^3-3)(x-1)
        let product = polynomial(&[-2, 0, 1])
            .times(&polynomial(&[-3, 0, 0, 1]))
            .unwrap()
            .times(&polynomial(&[-1, 1]))
            .unwrap();
        let mut roots = real_roots(&product).unwrap();
        assert_eq!(roots.len(), 4);
        let values: Vec<f64> = roots
            .iter_mut()
            .map(|root| match root {
                Root::Rational(root) => root.to_f64(),
                Root::Algebraic(number) => {
                    number.refine_to(60);
                    number.to_f64()
                }
            })
            .collect();
        for (value, expected) in values.iter().zip([-2f64.sqrt(), 1.0, 2f64.sqrt(), 3f64.cbrt()]) {
            assert!((value - expected).abs() < 1e-12, "{values:?}");
        }
        let mut square_root = real_roots(&polynomial(&[-2, 0, 1])).unwrap().pop().unwrap();
        assert_eq!(compare_roots(&mut roots[2], &mut square_root), Some(Ordering::Equal));
        assert_eq!(compare_roots(&mut roots[3], &mut square_root), Some(Ordering::Greater));
        let Root::Algebraic(mut number) = square_root else { panic!() };
        assert_eq!(number.sign_of(&product), Some(Ordering::Equal));
        assert_eq!(number.sign_of(&polynomial(&[-3, 2])), Some(Ordering::Less));
        assert!(real_roots(&polynomial(&[1, 0, 1])).unwrap().is_empty());
        assert!(real_roots(&polynomial(&[])).is_none());
    }

    #[test]
    fn a_rational_root_that_was_not_recognised_equals_its_value_after_refinement() {
        // (8x - 3)(a x^2 - 2): the leading coefficient is too large to search for rational roots
        let large = (IBig::ONE << (ROOT_LEADING_BITS + 44)) + 1;
        let quadratic = Polynomial::new(vec![IBig::from(-2), IBig::ZERO, large]).unwrap();
        let product = quadratic.times(&polynomial(&[-3, 8])).unwrap();
        let mut largest = real_roots(&product).unwrap().pop().unwrap();
        let value = |n, d| Root::Rational(Rational::new(n, d).unwrap());
        for _ in 0..4 {
            for (n, d, expected) in [
                (3, 8, Ordering::Equal),
                (1, 4, Ordering::Greater),
                (1, 2, Ordering::Less),
                (7, 16, Ordering::Less),
                (5, 16, Ordering::Greater),
            ] {
                assert_eq!(compare_roots(&mut largest, &mut value(n, d)), Some(expected), "{n}/{d}");
            }
            let Root::Algebraic(number) = &mut largest else { panic!("recognised after all") };
            number.refine();
        }
    }

    #[test]
    fn radicals_of_quadratics_take_the_right_sign() {
        for coefficients in [[-2, 0, 1], [2, 0, -1], [-1, -3, 5], [1, 3, -5]] {
            for root in real_roots(&polynomial(&coefficients)).unwrap() {
                let Root::Algebraic(mut number) = root else { panic!() };
                number.refine_to(60);
                let (b, d, twice, upper) = number.radical().unwrap();
                let [b, d, twice] =
                    [b, d, twice].map(|n| Rational::from_integers(n, UBig::ONE).unwrap().to_f64());
                let root = if upper { d.sqrt() } else { -d.sqrt() };
                assert!(((-b + root) / twice - number.to_f64()).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn close_roots_are_told_apart() {
        // x^4 - 2 (10^6 x - 1)^2 (Mignotte): two of its four real roots are close together near 10^-6.
        let mut coefficients =
            vec![IBig::from(-2), IBig::from(4_000_000_i64), IBig::from(-2_000_000_000_000_i64)];
        coefficients.push(IBig::ZERO);
        coefficients.push(IBig::ONE);
        let roots = real_roots(&Polynomial::new(coefficients).unwrap()).unwrap();
        assert_eq!(roots.len(), 4);
    }
}
