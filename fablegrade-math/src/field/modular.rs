//! Arithmetic modulo an odd number below 2^62, in Montgomery form.

/// An odd modulus with its Montgomery constants. Operands are residues in Montgomery form, unless stated
/// otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modulus {
    pub(crate) m: u64,
    /// `-1/m` modulo 2^64
    negative_inverse: u64,
    /// 2^64 mod m, the form of 1
    pub(crate) one: u64,
    /// 2^128 mod m
    square: u64,
}

impl Modulus {
    pub(crate) const fn new(m: u64) -> Self {
        // Each step of Newton's iteration doubles the number of correct low bits: 3, 6, 12, 24, 48, 96.
        let mut inverse = m;
        let mut round = 0;
        while round < 5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(inverse)));
            round += 1;
        }
        let one = ((1u128 << 64) % m as u128) as u64;
        let square = ((one as u128 * one as u128) % m as u128) as u64;
        Self { m, negative_inverse: inverse.wrapping_neg(), one, square }
    }

    #[inline]
    pub(crate) const fn mul(&self, a: u64, b: u64) -> u64 {
        let wide = a as u128 * b as u128;
        let factor = (wide as u64).wrapping_mul(self.negative_inverse);
        let sum = (wide + factor as u128 * self.m as u128) >> 64;
        let reduced = sum as u64;
        if reduced >= self.m { reduced - self.m } else { reduced }
    }

    #[inline]
    pub(crate) const fn add(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.m { sum - self.m } else { sum }
    }

    #[inline]
    pub(crate) const fn sub(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.m - b }
    }

    #[inline]
    pub(crate) const fn neg(&self, a: u64) -> u64 {
        if a == 0 { 0 } else { self.m - a }
    }

    /// Returns the Montgomery form of an unsigned integer.
    #[inline]
    pub(crate) const fn form(&self, plain: u64) -> u64 {
        self.mul(plain % self.m, self.square)
    }

    /// Returns the Montgomery form of a signed integer.
    #[inline]
    pub(crate) const fn form_signed(&self, plain: i64) -> u64 {
        let magnitude = self.form(plain.unsigned_abs());
        if plain < 0 { self.neg(magnitude) } else { magnitude }
    }

    /// Returns the plain integer of a Montgomery form.
    #[inline]
    pub(crate) const fn plain(&self, form: u64) -> u64 {
        self.mul(form, 1)
    }

    /// Returns `base^exponent`.
    pub(crate) const fn pow(&self, base: u64, exponent: u64) -> u64 {
        let mut result = self.one;
        let mut square = base;
        let mut rest = exponent;
        while rest > 1 {
            if rest & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            rest >>= 1;
        }
        if rest == 1 { self.mul(result, square) } else { result }
    }

    /// Returns the inverse of a value, or `None` if it shares a factor with the modulus.
    pub(crate) fn inverse(&self, form: u64) -> Option<u64> {
        if form == 0 {
            return None;
        }
        // The extended Euclidean algorithm on a·R gives (aR)^-1. Two products with R² turn it into a^-1·R.
        let (mut r0, mut r1) = (self.m, form);
        let (mut t0, mut t1) = (0i64, 1i64);
        while r1 != 0 {
            let quotient = r0 / r1;
            (r0, r1) = (r1, r0 - quotient * r1);
            (t0, t1) = (t1, t0.wrapping_sub((quotient as i64).wrapping_mul(t1)));
        }
        if r0 != 1 {
            return None;
        }
        let inverse = if t0 < 0 { (t0 + self.m as i64) as u64 } else { t0 as u64 };
        Some(self.mul(self.mul(inverse, self.square), self.square))
    }

    /// Returns the Jacobi symbol of a value; for a prime modulus it is 1 for squares, 0 for 0 and -1
    /// otherwise.
    pub(crate) fn character(&self, form: u64) -> i8 {
        // R = 2^64 is a square, so a·R has the symbol of a.
        let (mut a, mut n) = (form, self.m);
        let mut positive = true;
        if a == 0 {
            return 0;
        }
        loop {
            let twos = a.trailing_zeros();
            a >>= twos;
            if twos & 1 == 1 && matches!(n & 7, 3 | 5) {
                positive = !positive;
            }
            if a == 1 {
                break;
            }
            if a < n {
                if a & 3 == 3 && n & 3 == 3 {
                    positive = !positive;
                }
                core::mem::swap(&mut a, &mut n);
            }
            a -= n;
            if a == 0 {
                return 0;
            }
        }
        if positive { 1 } else { -1 }
    }
}

/// Hashes two words into a pseudo-random word, for sample values and for atoms that depend on their
/// arguments.
#[inline]
pub(crate) const fn scramble(state: u64, word: u64) -> u64 {
    // The finaliser of SplitMix64 over the combined words.
    let mut z = state.rotate_left(29) ^ word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_plain_arithmetic() {
        let m = 2161727773380104719u64;
        let field = Modulus::new(m);
        let mut word = 7;
        for _ in 0..2000 {
            word = scramble(word, 1);
            let a = word % m;
            word = scramble(word, 2);
            let b = word % m;
            let (fa, fb) = (field.form(a), field.form(b));
            let product = (u128::from(a) * u128::from(b) % u128::from(m)) as u64;
            assert_eq!(field.plain(field.mul(fa, fb)), product);
            assert_eq!(
                field.plain(field.add(fa, fb)),
                ((u128::from(a) + u128::from(b)) % u128::from(m)) as u64
            );
            assert_eq!(field.add(field.sub(fa, fb), fb), fa);
            if let Some(inverse) = field.inverse(fa) {
                assert_eq!(field.mul(inverse, fa), field.one);
            }
        }
        assert_eq!(field.form_signed(-1), field.neg(field.one));
        assert_eq!(field.pow(field.form(3), 5), field.form(243));
    }

    #[test]
    fn the_character_is_that_of_euler() {
        let prime = Modulus::new(1_000_003);
        for a in 0..500u64 {
            let form = prime.form(a);
            let euler = prime.pow(form, (prime.m - 1) / 2);
            let expected = if a == 0 {
                0
            } else if euler == prime.one {
                1
            } else {
                -1
            };
            assert_eq!(prime.character(form), expected, "{a}");
        }
    }
}
