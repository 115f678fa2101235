//! Irreducibility of integer polynomials over the rationals, and common factors.
//!
//! The degrees of factors modulo several primes rule out most factorisations (Zassenhaus). The remaining
//! polynomials are factored modulo the Mersenne prime 2^61-1 (Cantor-Zassenhaus with fixed choices). The
//! factors are recombined, and each candidate is tested by exact division. If coefficients are too large for
//! a factor to be recovered, the polynomial is reported as irreducible.

use crate::limits::FACTORED_DEGREE;
use dashu_base::{Abs, BitTest, Gcd};
use dashu_int::{IBig, UBig};

/// The prime of the last step.
const LARGE: u64 = (1 << 61) - 1;
/// Maximum number of trial divisions. With at most 14 factors, all products are tried.
const TRIAL_DIVISIONS: usize = 1 << 14;
const SMALL: [u64; 10] = [10_007, 10_009, 10_037, 10_039, 10_061, 10_067, 10_069, 10_079, 10_091, 10_093];

/// A polynomial modulo a prime, lowest power first, without leading zeros.
type Residues = Vec<u64>;

fn multiply(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

fn power(mut base: u64, mut exponent: u64, p: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, p);
        }
        base = multiply(base, base, p);
        exponent >>= 1;
    }
    result
}

fn trim(mut f: Residues) -> Residues {
    while f.last() == Some(&0) {
        f.pop();
    }
    f
}

fn reduce(f: &[IBig], p: u64) -> Residues {
    let modulus = IBig::from(p);
    let residue = |value: &IBig| {
        let rest = value % &modulus;
        let rest = if rest < IBig::ZERO { rest + &modulus } else { rest };
        u64::try_from(rest).unwrap_or(0)
    };
    trim(f.iter().map(residue).collect())
}

fn monic(f: Residues, p: u64) -> Residues {
    let Some(&lead) = f.last() else { return f };
    let inverse = power(lead, p - 2, p);
    f.into_iter().map(|value| multiply(value, inverse, p)).collect()
}

/// Returns the quotient and remainder; the divisor is monic.
fn divide(f: &[u64], g: &[u64], p: u64) -> (Residues, Residues) {
    if f.len() < g.len() {
        return (Vec::new(), f.to_vec());
    }
    let mut rest = f.to_vec();
    let mut quotient = vec![0; f.len() - g.len() + 1];
    for at in (0..quotient.len()).rev() {
        let factor = rest[at + g.len() - 1];
        quotient[at] = factor;
        if factor != 0 {
            for (offset, value) in g.iter().enumerate() {
                let product = multiply(factor, *value, p);
                let place = &mut rest[at + offset];
                *place = (*place + p - product) % p;
            }
        }
    }
    rest.truncate(g.len() - 1);
    (quotient, trim(rest))
}

fn product(f: &[u64], g: &[u64], p: u64) -> Residues {
    if f.is_empty() || g.is_empty() {
        return Vec::new();
    }
    let mut result = vec![0; f.len() + g.len() - 1];
    for (i, a) in f.iter().enumerate() {
        for (j, b) in g.iter().enumerate() {
            result[i + j] = (result[i + j] + multiply(*a, *b, p)) % p;
        }
    }
    trim(result)
}

fn common(f: &[u64], g: &[u64], p: u64) -> Residues {
    let (mut f, mut g) = (f.to_vec(), g.to_vec());
    while !g.is_empty() {
        g = monic(g, p);
        let (_, rest) = divide(&f, &g, p);
        f = g;
        g = rest;
    }
    monic(f, p)
}

fn derivative(f: &[u64], p: u64) -> Residues {
    trim(f.iter().enumerate().skip(1).map(|(power, value)| multiply(*value, power as u64 % p, p)).collect())
}

/// Returns `base^exponent` modulo a monic polynomial.
fn power_mod(base: &[u64], exponent: &UBig, f: &[u64], p: u64) -> Residues {
    let mut result = vec![1];
    for bit in (0..exponent.bit_len()).rev() {
        result = divide(&product(&result, &result, p), f, p).1;
        if exponent.bit(bit) {
            result = divide(&product(&result, base, p), f, p).1;
        }
    }
    result
}

fn minus(f: &[u64], g: &[u64], p: u64) -> Residues {
    let mut result = vec![0; f.len().max(g.len())];
    for (at, place) in result.iter_mut().enumerate() {
        let (a, b) = (f.get(at).copied().unwrap_or(0), g.get(at).copied().unwrap_or(0));
        *place = (a + p - b) % p;
    }
    trim(result)
}

/// Splits a monic square-free polynomial into the products of its irreducible factors of each degree.
fn by_degree(f: &[u64], p: u64) -> Vec<(usize, Residues)> {
    let mut found = Vec::new();
    let mut rest = f.to_vec();
    let x = vec![0, 1];
    let mut image = x.clone();
    let mut degree = 0;
    while rest.len() > 2 * (degree + 1) {
        degree += 1;
        image = power_mod(&image, &UBig::from(p), &rest, p);
        let part = common(&rest, &minus(&image, &x, p), p);
        if part.len() > 1 {
            rest = divide(&rest, &part, p).0;
            image = divide(&image, &rest, p).1;
            found.push((degree, part));
        }
    }
    if rest.len() > 1 {
        found.push((rest.len() - 1, rest));
    }
    found
}

/// Splits a product of factors of one degree into its irreducible factors.
fn split(f: Residues, degree: usize, p: u64, out: &mut Vec<Residues>) {
    if f.len() - 1 == degree {
        out.push(f);
        return;
    }
    let exponent = (UBig::from(p).pow(degree) - UBig::ONE) / UBig::from(2u8);
    for shift in 1..200u64 {
        // Powers of `x + shift` replace random polynomials.
        let base = power_mod(&[shift, 1], &UBig::from(1 + shift % 3), &f, p);
        let image = power_mod(&base, &exponent, &f, p);
        let part = common(&f, &minus(&image, &[1], p), p);
        if part.len() > 1 && part.len() < f.len() {
            let other = divide(&f, &part, p).0;
            split(part, degree, p, out);
            split(other, degree, p, out);
            return;
        }
    }
    out.push(f);
}

fn primitive(f: &[IBig]) -> Vec<IBig> {
    let sizes = f.iter().filter(|value| !value.is_zero()).cloned();
    let Some(content) = sizes.reduce(|divisor, value| divisor.gcd(value).into()) else { return Vec::new() };
    let content = content.abs();
    let mut f: Vec<IBig> = f.iter().map(|value| value / &content).collect();
    while f.last() == Some(&IBig::ZERO) {
        f.pop();
    }
    f
}

/// Returns whether an integer polynomial divides another.
fn divides(g: &[IBig], f: &[IBig]) -> bool {
    let mut rest = f.to_vec();
    let Some(lead) = g.last() else { return false };
    while rest.len() >= g.len() {
        let Some(last) = rest.last() else { break };
        if last % lead != IBig::ZERO {
            return false;
        }
        let factor = last / lead;
        let at = rest.len() - g.len();
        for (offset, value) in g.iter().enumerate() {
            rest[at + offset] -= &factor * value;
        }
        while rest.last() == Some(&IBig::ZERO) {
            rest.pop();
        }
    }
    rest.is_empty()
}

/// Returns whether a polynomial of degree at least 1 (coefficients from the lowest power on) is irreducible
/// over the rationals, up to a constant factor.
///
/// `None` if this is not decided, for example because the degree exceeds 40, or because there are so many factors
/// modulo 2^61-1 that 2^14 trial divisions are too few to try all products of them; products of few factors are
/// tried first. A product whose factors have coefficients of 60 bits or more may be reported as irreducible.
///
/// ```
/// use dashu_int::IBig;
/// use fablegrade_math::polynomial::is_irreducible;
/// let known = |f: &[i64]| is_irreducible(&f.iter().map(|value| IBig::from(*value)).collect::<Vec<_>>());
/// assert_eq!((known(&[1, 0, 1]), known(&[-1, 0, 1])), (Some(true), Some(false)));
/// ```
pub fn is_irreducible(f: &[IBig]) -> Option<bool> {
    let f = primitive(f);
    let degree = f.len().checked_sub(1)?;
    if degree <= 1 {
        return Some(degree == 1);
    }
    if f[0] == IBig::ZERO {
        return Some(false);
    }
    if degree > FACTORED_DEGREE {
        return None;
    }
    let lead = f.last()?.clone();
    let square_free = |p: u64| -> Option<Residues> {
        let residues = reduce(&f, p);
        (residues.len() == f.len()).then_some(())?;
        let residues = monic(residues, p);
        (common(&residues, &derivative(&residues, p), p).len() == 1).then_some(residues)
    };
    // Degrees that a factor can have, as bits.
    let mut possible: u64 = !0;
    let mut seen = false;
    for p in SMALL {
        let Some(residues) = square_free(p) else { continue };
        seen = true;
        let mut sums: u64 = 1;
        for (part_degree, part) in by_degree(&residues, p) {
            for _ in 0..(part.len() - 1) / part_degree {
                sums |= sums << part_degree;
            }
        }
        possible &= sums;
        if possible & ((1 << degree) - 2) == 0 {
            return Some(true);
        }
    }
    let Some(residues) = square_free(LARGE) else {
        // A polynomial with repeated factors modulo all of these primes is taken to have repeated factors.
        return if seen { None } else { Some(false) };
    };
    let mut factors = Vec::new();
    for (part_degree, part) in by_degree(&residues, LARGE) {
        split(part, part_degree, LARGE, &mut factors);
    }
    let lead_residue = reduce(std::slice::from_ref(&lead), LARGE).first().copied().unwrap_or(0);
    let mut divisions = 0;
    // The complement of a choice gives the same factorisation.
    for count in 1..=factors.len() / 2 {
        let mut choice: Vec<usize> = (0..count).collect();
        loop {
            divisions += 1;
            if divisions > TRIAL_DIVISIONS {
                return None;
            }
            let candidate = choice
                .iter()
                .fold(vec![lead_residue], |result, &factor| product(&result, &factors[factor], LARGE));
            let lifted: Vec<IBig> = candidate.into_iter().map(centred).collect();
            if divides(&primitive(&lifted), &f) {
                return Some(false);
            }
            if !next_choice(&mut choice, factors.len()) {
                break;
            }
        }
    }
    Some(true)
}

/// Returns the integer of the smallest size with a residue modulo [`LARGE`].
fn centred(residue: u64) -> IBig {
    if residue > LARGE / 2 { IBig::from(residue) - IBig::from(LARGE) } else { IBig::from(residue) }
}

/// Changes an ascending choice of places below `end` to the next one; returns `false` after the last.
fn next_choice(choice: &mut [usize], end: usize) -> bool {
    let count = choice.len();
    let Some(place) = (0..count).rev().find(|&place| choice[place] < end - count + place) else {
        return false;
    };
    let first = choice[place] + 1;
    for (offset, at) in choice[place..].iter_mut().enumerate() {
        *at = first + offset;
    }
    true
}

/// Returns whether two polynomials (coefficients from the lowest power on) have a common factor of degree at
/// least 1. A common factor modulo two primes is considered sufficient.
pub fn have_common_factor(f: &[IBig], g: &[IBig]) -> bool {
    [LARGE, SMALL[0]].iter().all(|&p| {
        let (f, g) = (reduce(f, p), reduce(g, p));
        !f.is_empty() && !g.is_empty() && common(&f, &g, p).len() > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(values: &[i64]) -> Vec<IBig> {
        values.iter().map(|value| IBig::from(*value)).collect()
    }

    #[test]
    fn known_polynomials() {
        for (f, irreducible) in [
            (&[-1, 0, 1][..], false),
            (&[1, 0, 1], true),
            (&[-2, 0, 1], true),
            (&[1, -1, 0, 1], true),
            (&[-1, 0, 0, 1], false),
            // Many factors modulo every prime: x^24-1.
            (&[-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
            // Reducible modulo every prime, irreducible over the rationals.
            (&[1, 0, 0, 0, 1], true),
            (&[1, 0, -10, 0, 1], true),
            // (x^2+1)(x^2+2), (x^2+x+1)^2, (2x+3)(3x^2-x+5)
            (&[2, 0, 3, 0, 1], false),
            (&[1, 2, 3, 2, 1], false),
            (&[15, 7, 7, 6], false),
            (&[4, 0, 0, 0, 1], false),
            (&[-6, 2], true),
            (&[0, 0, 1], false),
        ] {
            assert_eq!(is_irreducible(&integers(f)), Some(irreducible), "{f:?}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]
        #[test]
        fn a_product_is_never_called_irreducible(
            f in proptest::collection::vec(-20i64..20, 2..5),
            g in proptest::collection::vec(-20i64..20, 2..5),
        ) {
            let (mut f, mut g) = (f, g);
            *f.last_mut().unwrap() = 3;
            *g.last_mut().unwrap() = 2;
            let mut h = vec![0; f.len() + g.len() - 1];
            for (i, a) in f.iter().enumerate() {
                for (j, b) in g.iter().enumerate() {
                    h[i + j] += a * b;
                }
            }
            proptest::prop_assert_eq!(is_irreducible(&integers(&h)), Some(false));
            proptest::prop_assert!(have_common_factor(&integers(&h), &integers(&f)));
        }
    }
}
