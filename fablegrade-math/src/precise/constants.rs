//! Cached constants in fixed point.

use std::collections::VecDeque;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

use super::ball::Ball;
use crate::number::Rational;

/// The number of Bernoulli numbers for the gamma function, `B_2 ... B_60`.
const BERNOULLI: usize = 30;

/// The number of extra places of cached values.
const GUARD: i64 = 24;

/// The number of places of [`PI`] and [`LN2`].
const TABLE: i64 = 640;

/// The fractional part of π in binary, the leading places first.
#[rustfmt::skip]
const PI: [u64; 10] = [
    0x243F_6A88_85A3_08D3,
    0x1319_8A2E_0370_7344,
    0xA409_3822_299F_31D0,
    0x082E_FA98_EC4E_6C89,
    0x4528_21E6_38D0_1377,
    0xBE54_66CF_34E9_0C6C,
    0xC0AC_29B7_C97C_50DD,
    0x3F84_D5B5_B547_0917,
    0x9216_D5D9_8979_FB1B,
    0xD131_0BA6_98DF_B5AC,
];

/// The fractional part of ln 2 in binary, the leading places first.
#[rustfmt::skip]
const LN2: [u64; 10] = [
    0xB172_17F7_D1CF_79AB,
    0xC9E3_B398_03F2_F6AF,
    0x40F3_4326_7298_B62D,
    0x8A0D_175B_8BAA_FA2B,
    0xE7B8_7620_6DEB_AC98,
    0x5595_52FB_4AFA_1B10,
    0xED2E_AE35_C138_2144,
    0x2757_3B29_1169_B825,
    0x3E96_CA16_224A_E8C5,
    0x1ACB_DA11_317C_387E,
];

/// Returns a constant with a tabulated fractional part times `2^TABLE`, with an error below 1.
fn tabulated(whole: u8, fraction: &[u64; 10]) -> IBig {
    let mut bytes = [0; 81];
    bytes[0] = whole;
    for (to, word) in bytes[1..].chunks_exact_mut(8).zip(fraction) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    UBig::from_be_bytes(&bytes).into()
}

#[derive(Clone, Debug, Default)]
struct Cached {
    places: i64,
    value: IBig,
}

impl Cached {
    /// Returns the constant times `2^places`, with an error below 2.
    ///
    /// `table` must be the constant times `2^TABLE` with an error below 1. `compute(w)` must return the
    /// constant times `2^w`, with an error below `2^(GUARD - 2)`.
    fn at(&mut self, places: i64, table: impl Fn() -> IBig, compute: impl Fn(i64) -> IBig) -> IBig {
        if self.places < places + GUARD && places + GUARD <= TABLE {
            self.value = table();
            self.places = TABLE;
        } else if self.places < places + GUARD {
            // Extra places avoid a new computation each time the precision grows.
            let increased = places + places / 4 + GUARD + 64;
            self.value = compute(increased);
            self.places = increased;
        }
        &self.value >> (self.places - places) as usize
    }
}

/// The number of logarithms of integers that are kept.
const LOGARITHMS: usize = 16;

/// A cache of constants. Except for the last place, values do not depend on earlier requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    pi: Cached,
    ln2: Cached,
    euler: Cached,
    bernoulli: Vec<Rational>,
    /// Integers with their logarithms at a precision in bits, the oldest first.
    logarithms: VecDeque<(i64, usize, Ball)>,
}

impl Constants {
    /// Returns `pi * 2^places`, with an error below 2.
    pub(super) fn pi(&mut self, places: i64) -> IBig {
        self.pi.at(places, || tabulated(3, &PI), compute_pi)
    }

    /// Returns `ln 2 * 2^places`, with an error below 2.
    pub(super) fn ln2(&mut self, places: i64) -> IBig {
        self.ln2.at(places, || tabulated(0, &LN2), compute_ln2)
    }

    /// Returns the Euler-Mascheroni constant times `2^places`, with an error below 2.
    pub(super) fn euler(&mut self, places: i64) -> IBig {
        if self.euler.places >= places + GUARD {
            return &self.euler.value >> (self.euler.places - places) as usize;
        }
        // Brent and McMillan 1980: with A = sum H_k (n^k/k!)^2 and B = sum (n^k/k!)^2,
        // 0 < A/B - ln n - gamma < pi exp(-4n). A power of two for n makes ln n a multiple of ln 2.
        let target = places + places / 4 + 2 * GUARD + 64;
        let mut log_n = 3u32;
        while 4.0 * f64::from(1u32 << log_n) < target as f64 * 0.7 + 4.0 {
            log_n += 1;
        }
        let n = 1i64 << log_n;
        // The sums are large (terms reach e^(2n)), so their ratio needs hardly more places than the result.
        let work = target + 16;
        let one = IBig::ONE << work as usize;
        let (mut term, mut harmonic_term) = (one.clone(), IBig::ZERO);
        let (mut total, mut weighted) = (one, IBig::ZERO);
        let mut k = 1i64;
        loop {
            // harmonic_term = term * H_k; H_k = H_(k-1) + 1/k
            term = term * (n * n) / (k * k);
            harmonic_term = (harmonic_term * (n * n) / k + &term) / k;
            if k > n && harmonic_term.is_zero() {
                break;
            }
            total += &term;
            weighted += &harmonic_term;
            k += 1;
        }
        let ratio = (weighted << target as usize) / total;
        let value = ratio - self.ln2(target) * i64::from(log_n);
        self.euler = Cached { places: target, value };
        &self.euler.value >> (target - places) as usize
    }

    /// Returns the logarithm of an integer if it was kept at this precision.
    pub(super) fn logarithm(&self, of: i64, bits: usize) -> Option<&Ball> {
        self.logarithms.iter().find(|(known, at, _)| *known == of && *at == bits).map(|(.., value)| value)
    }

    /// Keeps the logarithm of an integer, which is the base of many powers and logarithms.
    pub(super) fn keep_logarithm(&mut self, of: i64, bits: usize, value: Ball) {
        if self.logarithms.len() == LOGARITHMS {
            self.logarithms.pop_front();
        }
        self.logarithms.push_back((of, bits, value));
    }

    /// Returns `B_(2k)` for `k` from 1 to 30.
    pub(super) fn bernoulli(&mut self, k: usize) -> Option<&Rational> {
        if self.bernoulli.is_empty() {
            self.bernoulli = bernoulli_numbers();
        }
        self.bernoulli.get(k.checked_sub(1)?)
    }
}

/// Returns `pi * 2^places` by Machin's formula of 1706: `pi = 16 atan(1/5) - 4 atan(1/239)`
fn compute_pi(places: i64) -> IBig {
    inverse_arc(5, places, true) * 16 - inverse_arc(239, places, true) * 4
}

/// Returns `ln 2 * 2^places` as `18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749)`
fn compute_ln2(places: i64) -> IBig {
    inverse_arc(26, places, false) * 18 - inverse_arc(4801, places, false) * 2
        + inverse_arc(8749, places, false) * 8
}

/// Returns `atan(1/k)` (if alternating) or `atanh(1/k)` times `2^places`, with an error below `places + 4`.
fn inverse_arc(k: i64, places: i64, alternating: bool) -> IBig {
    let mut power = (IBig::ONE << places as usize) / k;
    let mut total = IBig::ZERO;
    let mut odd = 1i64;
    let mut negative = false;
    while !power.is_zero() {
        let term = &power / odd;
        total = if negative { total - term } else { total + term };
        power /= k * k;
        odd += 2;
        negative = alternating && !negative;
    }
    total
}

/// Computes the Bernoulli numbers from the tangent numbers `T_k` (Brent and Harvey 2011).
///
/// The formula is `B_2k = (-1)^(k-1) 2k T_k / (4^k (4^k - 1))`.
fn bernoulli_numbers() -> Vec<Rational> {
    let count = BERNOULLI;
    let mut tangent = vec![UBig::ONE; count + 1];
    for k in 2..=count {
        tangent[k] = &tangent[k - 1] * UBig::from(k - 1);
    }
    for k in 2..=count {
        for j in k..=count {
            tangent[j] = &tangent[j - 1] * UBig::from(j - k) + &tangent[j] * UBig::from(j - k + 2);
        }
    }
    let mut numbers = Vec::with_capacity(count);
    for (k, number) in tangent.iter().enumerate().skip(1) {
        let four = UBig::ONE << (2 * k);
        let below = &four * (&four - UBig::ONE);
        debug_assert!(below.bit_len() <= 4 * count + 1);
        let above = IBig::from(number * UBig::from(2 * k));
        let signed = if k % 2 == 1 { above } else { -above };
        // The numbers are far below the limit on bits.
        numbers.push(Rational::from_integers(signed, below).unwrap_or_default());
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bernoulli_numbers_of_the_tables() {
        let numbers = bernoulli_numbers();
        let table = ["1/6", "-1/30", "1/42", "-1/30", "5/66", "-691/2730", "7/6", "-3617/510"];
        for (number, expected) in numbers.iter().zip(table) {
            assert_eq!(number.to_string(), expected);
        }
        assert_eq!(numbers.len(), 30);
        assert_eq!(numbers[29].to_string(), "-1215233140483755572040304994079820246041491/56786730");
    }

    #[test]
    fn tables_hold_what_the_formulas_give() {
        let beyond = 64;
        let computed = [compute_pi(TABLE + beyond), compute_ln2(TABLE + beyond)];
        for (table, computed) in [tabulated(3, &PI), tabulated(0, &LN2)].into_iter().zip(computed) {
            assert_eq!(table, computed >> beyond as usize);
        }
    }

    /// Compares the constants with Abramowitz and Stegun, chapter 1, and longer published expansions.
    #[test]
    fn digits_of_the_constants() {
        let mut constants = Constants::default();
        for (value, digits) in [
            (constants.pi(200), "31415926535897932384626433832795028841971693993751"),
            (constants.ln2(200), "6931471805599453094172321214581765680755001343602"),
            (constants.euler(200), "5772156649015328606065120900824024310421593359399"),
        ] {
            let scaled = (value * IBig::from(10).pow(49)) >> 200usize;
            let expected: IBig = digits.parse().unwrap();
            let difference = scaled - expected;
            assert!((IBig::from(-1)..=IBig::from(1)).contains(&difference), "{digits}: {difference}");
        }
        // Values with different numbers of places agree.
        let (short, long) = (constants.pi(100), constants.pi(900));
        let difference: IBig = (long >> 800usize) - short;
        assert!((IBig::from(-2)..=IBig::from(2)).contains(&difference));
        let (short, long) = (constants.euler(100), constants.euler(900));
        let difference: IBig = (long >> 800usize) - short;
        assert!((IBig::from(-2)..=IBig::from(2)).contains(&difference));
    }
}
