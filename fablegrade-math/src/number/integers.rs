//! Integer functions with results of at most [`MAX_BITS`] bits: gcd, factorials, binomials and residues.

use dashu_base::{Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::{MAX_BITS, Rational};

/// Returns the non-negative greatest common divisor of two integers, or `None` if an argument is not an
/// integer.
pub fn gcd(left: &Rational, right: &Rational) -> Option<Rational> {
    if !left.is_integer() || !right.is_integer() {
        return None;
    }
    if let (Some(a), Some(b)) = (left.to_i64(), right.to_i64()) {
        return Some(Rational::from(gcd_word(a.unsigned_abs(), b.unsigned_abs())));
    }
    let (a, b) = (left.numerator().unsigned_abs(), right.numerator().unsigned_abs());
    // One operand does not fit in a word, so the operands are not both zero.
    Rational::from_integers(IBig::from(a.gcd(b)), UBig::ONE)
}

/// Returns the non-negative least common multiple of two integers, which is 0 if either is 0.
///
/// Returns `None` if an argument is not an integer, or if the result is too long.
pub fn lcm(left: &Rational, right: &Rational) -> Option<Rational> {
    let shared = gcd(left, right)?;
    if shared.is_zero() {
        return Some(Rational::ZERO);
    }
    Some(left.checked_div(&shared)?.checked_mul(right)?.absolute())
}

/// Returns `left - right * floor(left / right)`, which is 0 or has the sign of `right`.
///
/// Returns `None` if `right` is 0, or if an intermediate result is too long.
pub fn modulo(left: &Rational, right: &Rational) -> Option<Rational> {
    left.checked_sub(&left.checked_div(right)?.floor().checked_mul(right)?)
}

/// Returns `n!` if it has at most [`MAX_BITS`] bits (`n` up to about 960).
pub fn factorial(n: u64) -> Option<Rational> {
    stepped_product(n, 1)
}

/// Returns `n!! = n (n-2) (n-4) ...` if it has at most [`MAX_BITS`] bits.
pub fn double_factorial(n: u64) -> Option<Rational> {
    stepped_product(n, 2)
}

fn stepped_product(n: u64, step: u64) -> Option<Rational> {
    // The largest n/(2 step) factors are at least n/2, which gives a lower bound on the bits of the result.
    if n > 20 && (n / (2 * step)).saturating_mul(u64::from(62 - n.leading_zeros().min(62))) > MAX_BITS as u64
    {
        return None;
    }
    let mut product = UBig::ONE;
    let mut word = 1u64;
    let mut factor = n;
    while factor > 1 {
        match word.checked_mul(factor) {
            Some(next) => word = next,
            None => {
                product *= word;
                word = factor;
            }
        }
        factor = factor.saturating_sub(step);
    }
    Rational::from_integers(IBig::from(product * word), UBig::ONE)
}

/// Returns the binomial coefficient `n(n-1)...(n-k+1)/k!` of integers of any sign.
///
/// It is 0 for `k < 0` and for `k > n >= 0`. Returns `None` if an argument is not an integer, or if the
/// result is too long or would take too many steps.
pub fn binomial(n: &Rational, k: &Rational) -> Option<Rational> {
    if !n.is_integer() || !k.is_integer() {
        return None;
    }
    if k.is_negative() {
        return Some(Rational::ZERO);
    }
    let mut count = k.clone();
    if !n.is_negative() {
        let rest = n.checked_sub(k)?;
        if rest.is_negative() {
            return Some(Rational::ZERO);
        }
        count = count.min(rest);
    }
    let count = count.to_u64()?;
    // binom(n, k) >= 2^k for k <= n/2, so more than MAX_BITS steps give a result with too many bits. For n < -1 the
    // same limit bounds the work, although the result might fit.
    if count > MAX_BITS as u64 {
        return if n.is_minus_one() {
            Some(Rational::from(if k.has_even_numerator() { 1 } else { -1 }))
        } else {
            None
        };
    }
    let mut result = IBig::ONE;
    let mut top = n.numerator();
    for step in 1..=count {
        result = result * &top / IBig::from(step);
        top -= 1;
        if dashu_base::BitTest::bit_len(&result) > MAX_BITS {
            return None;
        }
    }
    Rational::from_integers(result, UBig::ONE)
}

/// Returns the inverse of `value` modulo `modulus`, if the two are coprime.
pub(super) fn inverse_mod(value: u64, modulus: u64) -> Option<u64> {
    let (mut old_rest, mut rest) = (i128::from(modulus), i128::from(value % modulus));
    let (mut old_factor, mut factor) = (0i128, 1i128);
    while rest != 0 {
        let quotient = old_rest / rest;
        (old_rest, rest) = (rest, old_rest - quotient * rest);
        (old_factor, factor) = (factor, old_factor - quotient * factor);
    }
    (old_rest == 1).then(|| old_factor.rem_euclid(i128::from(modulus)) as u64)
}

/// Computes the gcd of words by the binary algorithm; `gcd(0, b) = b`.
pub(super) fn gcd_word(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            core::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}

pub(super) fn gcd_wide(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
        return u128::from(gcd_word(a, b));
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            core::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}
