//! The primes and their structures: square roots with signs, a group for exponents and a circle for angles.
//!
//! Let `p = 240h - 1`, where `p`, `q = (p - 1)/2` and `h` are prime. Then -1 is not a square modulo `p`, so
//! exactly one of `a` and `-a` is a square. The quadratic character plays the role of the sign. The squares
//! form a group of prime order `q`. So each square has exactly one root of each degree below `q` in this
//! group, and rational exponents are taken modulo `q`. The elements of norm 1 in `GF(p)(i)` form a group of
//! order `p + 1 = 240h`. A factor of order 240 represents the multiples of π/120 exactly; the factor of order
//! `h` represents all other angles.
//!
//! The primes were chosen so that all primes up to 47 are squares, like positive numbers. In addition, an
//! element of order 240 exists whose sines and cosines at the multiples of π/12, π/8 and π/10 have the
//! characters of their signs.

use super::modular::Modulus;
use std::sync::OnceLock;

/// `re + im·i`, both in Montgomery form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Complex {
    pub(crate) re: u64,
    pub(crate) im: u64,
}

impl Complex {
    #[inline]
    pub(crate) const fn real(re: u64) -> Self {
        Self { re, im: 0 }
    }
}

/// `h`, and the real and imaginary parts of the element that represents the angle π/120.
const PARAMETERS: [(u64, u64, u64); 8] = [
    (9006810859749839, 1011481809479011324, 1359952621448522994),
    (9007162825901803, 789811126018361079, 1376716997590435768),
    (9006760806645983, 504204619488646366, 724531092363173131),
    (9007022449511467, 774093370748291313, 602020665530977465),
    (9007043526112207, 1302690947464047000, 723172865263733495),
    (9006967701348283, 578781464845322619, 1380788077452159122),
    (9006814382625803, 122003901178595315, 1016878546283874776),
    (9006771062571767, 872551437965965396, 1727069094943097789),
];

/// Numbers that are squares modulo all available primes.
pub(crate) const SQUARES: [u64; 15] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];

/// The number of available primes.
pub(crate) const PRIMES: usize = PARAMETERS.len();

/// The width in bits of the windows of the fixed-base tables.
const WINDOW: u32 = 5;

/// A prime with its tables.
pub(crate) struct Prime {
    pub(crate) p: Modulus,
    pub(crate) q: Modulus,
    pub(crate) h: Modulus,
    /// The entry at `32w + d` is `g^(d·32^w)`, where the square `g` represents e.
    powers: Vec<u64>,
    /// The same table for an element of order `h` of the circle.
    circle: Vec<Complex>,
    /// All powers of the element that represents the angle π/120.
    turns: Vec<Complex>,
    /// `sin(kπ/120)` for `k` in `0..=60`, sorted by value.
    sines: Vec<(u64, i64)>,
    /// `tan(kπ/120)` for `k` in `0..60`, sorted by value.
    tangents: Vec<(u64, i64)>,
    pub(crate) half: u64,
}

/// Returns the prime with this index modulo [`PRIMES`]; its tables are built on first use.
pub(crate) fn prime(at: usize) -> &'static Prime {
    static TABLES: [OnceLock<Prime>; PRIMES] = [const { OnceLock::new() }; PRIMES];
    let at = at % PRIMES;
    TABLES[at].get_or_init(|| Prime::new(PARAMETERS[at]))
}

impl Prime {
    fn new((h, re, im): (u64, u64, u64)) -> Self {
        let p = Modulus::new(240 * h - 1);
        let q = Modulus::new(120 * h - 1);
        let h = Modulus::new(h);
        let half = p.form(p.m.div_ceil(2));
        let mut this = Self {
            p,
            q,
            h,
            powers: Vec::new(),
            circle: Vec::new(),
            turns: Vec::new(),
            sines: Vec::new(),
            tangents: Vec::new(),
            half,
        };
        // The squares form a group of prime order, so any square other than 1 generates them. An arbitrary
        // large base avoids simple relations with small numbers.
        let seed = p.form(0x5DEE_CE66_D1CE_4E5B);
        let mut base = p.mul(seed, seed);
        for _ in 0..64u32.div_ceil(WINDOW) {
            let mut power = p.one;
            for _ in 0..1 << WINDOW {
                this.powers.push(power);
                power = p.mul(power, base);
            }
            base = power;
        }
        // (a + i)²/(a² + 1) has norm 1; its 240th power has order h.
        let a = p.form(0x2545_F491_4F6C_DD1D);
        let square = this.mul(Complex { re: a, im: p.one }, Complex { re: a, im: p.one });
        let norm = p.inverse(p.add(p.mul(a, a), p.one)).unwrap_or(p.one);
        let unit = Complex { re: p.mul(square.re, norm), im: p.mul(square.im, norm) };
        let mut base = this.power(unit, 240);
        for _ in 0..56u32.div_ceil(WINDOW) {
            let mut power = Complex::real(p.one);
            for _ in 0..1 << WINDOW {
                this.circle.push(power);
                power = this.mul(power, base);
            }
            base = power;
        }
        let turn = Complex { re: p.form(re), im: p.form(im) };
        let mut power = Complex::real(p.one);
        for _ in 0..240 {
            this.turns.push(power);
            power = this.mul(power, turn);
        }
        for k in 0..=60usize {
            let Complex { re, im } = this.turns[k];
            this.sines.push((im, k as i64));
            if let Some(inverse) = p.inverse(re) {
                this.tangents.push((p.mul(im, inverse), k as i64));
            }
        }
        this.sines.sort_unstable();
        this.tangents.sort_unstable();
        this
    }

    /// Returns the image of `e^x` for an exponent modulo `q`, not in Montgomery form.
    #[inline]
    pub(crate) fn exp(&self, plain: u64) -> u64 {
        let mut result = self.p.one;
        let (mut rest, mut row) = (plain, 0);
        while rest != 0 {
            let digit = (rest & ((1 << WINDOW) - 1)) as usize;
            if digit != 0 {
                result = self.p.mul(result, self.powers.get(row + digit).copied().unwrap_or(self.p.one));
            }
            rest >>= WINDOW;
            row += 1 << WINDOW;
        }
        result
    }

    /// Returns the point of the circle at an angle modulo `h`, not in Montgomery form, plus `turns` multiples
    /// of π/120.
    #[inline]
    pub(crate) fn cis(&self, plain: u64, turns: i64) -> Complex {
        let mut result =
            self.turns.get(turns.rem_euclid(240) as usize).copied().unwrap_or(Complex::real(self.p.one));
        let (mut rest, mut row) = (plain, 0);
        while rest != 0 {
            let digit = (rest & ((1 << WINDOW) - 1)) as usize;
            if digit != 0 {
                result = self.mul(result, self.circle.get(row + digit).copied().unwrap_or_default());
            }
            rest >>= WINDOW;
            row += 1 << WINDOW;
        }
        result
    }

    /// Returns the `k` in `0..=60` with `sin(kπ/120)` equal to the value.
    pub(crate) fn arcsine(&self, value: u64) -> Option<i64> {
        self.sines.binary_search_by_key(&value, |entry| entry.0).ok().map(|at| self.sines[at].1)
    }

    /// Returns the `k` in `0..60` with `tan(kπ/120)` equal to the value.
    pub(crate) fn arctangent(&self, value: u64) -> Option<i64> {
        self.tangents.binary_search_by_key(&value, |entry| entry.0).ok().map(|at| self.tangents[at].1)
    }

    /// Returns the square root that is itself a square. The argument must be a square.
    #[inline]
    pub(crate) fn sqrt(&self, square: u64) -> u64 {
        self.p.pow(square, self.q.m.div_ceil(2))
    }

    #[inline]
    pub(crate) fn add(&self, a: Complex, b: Complex) -> Complex {
        Complex { re: self.p.add(a.re, b.re), im: if a.im | b.im == 0 { 0 } else { self.p.add(a.im, b.im) } }
    }

    #[inline]
    pub(crate) fn mul(&self, a: Complex, b: Complex) -> Complex {
        let p = &self.p;
        if a.im | b.im == 0 {
            return Complex::real(p.mul(a.re, b.re));
        }
        let (re, im) = (p.mul(a.re, b.re), p.mul(a.im, b.im));
        let cross = p.add(p.mul(a.re, b.im), p.mul(a.im, b.re));
        Complex { re: p.sub(re, im), im: cross }
    }

    pub(crate) fn inverse(&self, a: Complex) -> Option<Complex> {
        let p = &self.p;
        if a.im == 0 {
            return p.inverse(a.re).map(Complex::real);
        }
        let norm = p.inverse(p.add(p.mul(a.re, a.re), p.mul(a.im, a.im)))?;
        Some(Complex { re: p.mul(a.re, norm), im: p.mul(p.neg(a.im), norm) })
    }

    pub(crate) fn power(&self, base: Complex, exponent: u64) -> Complex {
        if base.im == 0 {
            return Complex::real(self.p.pow(base.re, exponent));
        }
        let mut result = Complex::real(self.p.one);
        let (mut square, mut rest) = (base, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            rest >>= 1;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies Miller's test with the first twelve primes as bases, which is exact for 64-bit numbers.
    fn is_prime(n: u64) -> bool {
        if n < 2 {
            return false;
        }
        const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        if let Some(divisor) = BASES.iter().find(|&&base| n.is_multiple_of(base)) {
            return n == *divisor;
        }
        let (twos, odd) = ((n - 1).trailing_zeros(), (n - 1) >> (n - 1).trailing_zeros());
        let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
        BASES.iter().all(|&base| {
            let mut power = 1;
            for bit in (0..64).rev() {
                power = mul(power, power);
                if odd >> bit & 1 == 1 {
                    power = mul(power, base);
                }
            }
            if power == 1 || power == n - 1 {
                return true;
            }
            for _ in 1..twos {
                power = mul(power, power);
                if power == n - 1 {
                    return true;
                }
            }
            false
        })
    }

    #[test]
    fn the_three_moduli_are_prime() {
        assert!(is_prime(1_000_003) && !is_prime(1_000_001) && !is_prime(3_215_031_751));
        for at in 0..PRIMES {
            let field = prime(at);
            assert!(is_prime(field.p.m) && is_prime(field.q.m) && is_prime(field.h.m));
            assert_eq!(field.p.m, 2 * field.q.m + 1);
            assert_eq!(field.p.m + 1, 240 * field.h.m);
            assert_eq!((field.q.m % 4, field.h.m % 4), (3, 3));
        }
    }

    /// The sines agree with the chosen square roots. Otherwise, a sine could belong to another angle, because
    /// both angles satisfy the same equations without roots.
    #[test]
    fn sines_belong_to_the_chosen_roots() {
        for at in 0..PRIMES {
            let field = prime(at);
            let p = &field.p;
            let double = |k: i64| p.add(field.cis(0, k).re, field.cis(0, k).re);
            let root = |n: u64| field.sqrt(p.form(n));
            assert_eq!((double(30), double(20)), (root(2), root(3)));
            assert_eq!(p.add(double(24), double(24)), p.add(p.one, root(5)));
        }
    }

    #[test]
    fn signs_are_characters() {
        for at in 0..PRIMES {
            let field = prime(at);
            assert_eq!(field.p.character(field.p.form_signed(-1)), -1);
            for small in SQUARES {
                assert_eq!(field.p.character(field.p.form(small)), 1, "{small}");
            }
            for k in (5..60).filter(|k| k % 10 == 0 || k % 15 == 0 || k % 12 == 0) {
                let Complex { re, im } = field.cis(0, k);
                assert_eq!((field.p.character(re), field.p.character(im)), (1, 1), "{k}");
            }
        }
    }

    #[test]
    fn angles_and_exponents_are_homomorphisms() {
        for at in 0..PRIMES {
            let field = prime(at);
            let (a, b) = (123_456_789_012, 987_654_321_098_765);
            assert_eq!(field.mul(field.cis(a, 7), field.cis(b, 18)), field.cis(a + b, 25));
            assert_eq!(field.cis(field.h.m, 0), Complex::real(field.p.one));
            assert_eq!(field.cis(0, 60), Complex { re: 0, im: field.p.one });
            assert_eq!(field.p.mul(field.exp(a), field.exp(b)), field.exp(a + b));
            assert_eq!(field.exp(field.q.m), field.p.one);
            assert_eq!(field.arcsine(field.half), Some(20));
            assert_eq!(field.arctangent(field.p.one), Some(30));
            let two = field.p.form(2);
            let root = field.sqrt(two);
            assert_eq!((field.p.mul(root, root), field.p.character(root)), (two, 1));
        }
    }
}
