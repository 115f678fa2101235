//! exp, ln, sin, cos and atan of balls, computed in fixed point.
//!
//! Each function reduces its argument until a Taylor series converges fast, then undoes the reduction. A
//! truncation is an error of at most one unit in the last working place. The numbers of terms and of
//! reduction steps bound the total error. There are enough guard bits to keep it below the last place of the
//! result. The radius of the argument is multiplied by a bound on the derivative.

use crate::limits::{BALL_ANGLE_BITS, BALL_EXP_BITS};
use dashu_base::{BitTest, SquareRoot, UnsignedAbs};
use dashu_int::IBig;

use super::ball::{Ball, Magnitude};
use super::{Context, Gap};

/// The number of guard bits.
const GUARD: i64 = 32;

/// Returns a number of argument halvings whose cost balances that of the series' terms.
fn halvings(places: i64) -> i64 {
    1 + libm::sqrt(places as f64 / 3.0) as i64
}

/// Returns `(a * b) >> places`
fn multiply(a: &IBig, b: &IBig, places: i64) -> IBig {
    (a * b) >> places as usize
}

impl Context<'_> {
    /// Returns `e^x`
    pub(super) fn exp(&mut self, x: &Ball) -> Result<Ball, Gap> {
        self.charge_function()?;
        if x.is_zero() {
            return Ok(Ball::integer(1));
        }
        let top = x.top().max(0);
        let spread = x.radius_magnitude();
        if top > BALL_EXP_BITS || (spread.factor > 0.0 && spread.exponent > -1) {
            return Err(Gap::Unknown);
        }
        let bits = self.bits as i64;
        if x.top() < -bits - 8 {
            // |e^x - 1| <= 2 |x|
            let wide = x.upper_magnitude();
            // The radius is in units of the midpoint's last place, so 1 needs a midpoint with `bits` places.
            let one = Ball::new(IBig::ONE << self.bits, -bits, 0.0, self.bits)?;
            return one.widened(Magnitude { exponent: wide.exponent + 1, ..wide });
        }
        let steps = halvings(bits);
        let places = bits + GUARD + steps;
        // x = k ln 2 + t, with enough places to keep k times the error of ln 2 below one unit of `places`.
        let reduction = places + top + 8;
        let ln2 = self.constants.ln2(reduction);
        let whole = x.fixed(reduction);
        let k = floor_quotient(&whole, &ln2);
        let shift = i64::try_from(&k).map_err(|_| Gap::Unknown)?;
        let t = (whole - k * ln2) >> (reduction - places) as usize;
        let (value, terms) = exp_fixed(&t, places, steps);
        // The series has an error of 3 units per term. Each squaring about doubles the relative error, and
        // the value stays below 2.
        let error = libm::scalbn(3.0 * terms as f64 + steps as f64 + 8.0, steps as i32 + 2);
        let result = Ball::new(value, shift - places, error, self.bits)?;
        // |e^(x+d) - e^x| <= e^x |d| e^|d| <= 1.7 e^x |d| for |d| <= 1/2
        let size = result.upper_magnitude();
        if spread.factor == 0.0 {
            return Ok(result);
        }
        let factor = spread.factor * size.factor * 1.7;
        result.widened(Magnitude { factor, exponent: spread.exponent + size.exponent })
    }

    /// Returns the natural logarithm, which is undefined for numbers that are certainly not positive.
    pub(super) fn ln(&mut self, x: &Ball) -> Result<Ball, Gap> {
        self.charge_function()?;
        match x.sign() {
            Some(core::cmp::Ordering::Greater) => {}
            Some(_) => return Err(Gap::Undefined),
            None => return Err(Gap::Unknown),
        }
        let Some(integer) = x.to_integer() else { return self.positive_logarithm(x) };
        if let Some(known) = self.constants.logarithm(integer, self.bits) {
            return Ok(known.clone());
        }
        let value = self.positive_logarithm(x)?;
        self.constants.keep_logarithm(integer, self.bits, value.clone());
        Ok(value)
    }

    /// Returns the natural logarithm of a number that is certainly positive.
    fn positive_logarithm(&mut self, x: &Ball) -> Result<Ball, Gap> {
        let bits = self.bits as i64;
        let (midpoint, _) = x.midpoint();
        let length = midpoint.bit_len() as i64;
        // x = f 2^k with f in [0.7, 1.41)
        let mut k = x.top();
        let leading = x.clone().shifted(-k).to_f64();
        if leading < 0.7 {
            k -= 1;
        }
        let f_ball = x.center().shifted(-k);
        // Near 1 the logarithm is small and needs more places.
        let distance = f_ball.minus(&Ball::integer(1), 2 * length.max(64) as usize)?;
        if distance.is_zero() && k == 0 {
            let spread = x.radius_magnitude();
            // |ln(1 + d)| <= 2 |d| for |d| <= 1/2
            if spread.factor > 0.0 && spread.exponent > -1 {
                return Err(Gap::Unknown);
            }
            return Ball::zero().widened(Magnitude { exponent: spread.exponent + 1, ..spread });
        }
        let extra = if k == 0 { (-distance.top()).max(0) } else { 0 };
        let steps = if extra > 8 || distance.is_zero() { 0 } else { 1 + halvings(bits) / 3 };
        let places = bits + GUARD + extra + steps;
        let one = IBig::ONE << places as usize;
        let mut f = f_ball.fixed(places);
        for _ in 0..steps {
            f = IBig::from((f << places as usize).unsigned_abs().sqrt());
        }
        // ln f = 2 atanh z with z = (f - 1)/(f + 1)
        let z = ((&f - &one) << places as usize) / (&f + &one);
        let square = multiply(&z, &z, places);
        let (mut power, mut total, mut odd) = (z.clone(), z, 3i64);
        let mut terms = 1;
        loop {
            power = multiply(&power, &square, places);
            // Shifts round down, so a negative power ends at -1 rather than 0.
            if power.bit_len() <= 1 {
                break;
            }
            total += &power / odd;
            odd += 2;
            terms += 1;
        }
        // 3 units for z, 3 per term and 2 for the rest of the series, times 2^(steps + 1).
        let error = libm::scalbn(3.0 * f64::from(terms) + 8.0, steps as i32 + 1);
        let mut result =
            Ball::new(total << (steps + 1) as usize, -places, error, self.bits + extra as usize)?;
        if k != 0 {
            let log_places = bits + GUARD;
            let ln2 =
                Ball::new(self.constants.ln2(log_places), -log_places, 2.0, self.bits + GUARD as usize)?;
            result = result.plus(&ln2.times(&Ball::integer(k), self.bits + GUARD as usize)?, self.bits)?;
        }
        if x.is_exact() {
            return result.rounded(self.bits);
        }
        // |ln X - ln x| <= |X - x| / min(X, x)
        let (spread, low) = (x.radius_magnitude(), x.lower_magnitude().ok_or(Gap::Unknown)?);
        let by = Magnitude { factor: spread.factor / low.factor, exponent: spread.exponent - low.exponent };
        result.widened(by)?.rounded(self.bits)
    }

    /// Returns the sine and the cosine.
    pub(super) fn sin_cos(&mut self, x: &Ball) -> Result<(Ball, Ball), Gap> {
        self.charge_function()?;
        if x.is_zero() {
            return Ok((Ball::zero(), Ball::integer(1)));
        }
        let bits = self.bits as i64;
        let (top, spread) = (x.top(), x.radius_magnitude());
        if top > BALL_ANGLE_BITS || (spread.factor > 0.0 && spread.exponent > 0) {
            return Err(Gap::Unknown);
        }
        if top < -bits / 2 - 8 {
            // |sin x - x| <= |x|^3 and |cos x - 1| <= |x|^2
            let wide = x.upper_magnitude();
            let sin = x.clone().widened(Magnitude { factor: wide.factor, exponent: 3 * wide.exponent })?;
            let cos =
                Ball::integer(1).widened(Magnitude { factor: wide.factor, exponent: 2 * wide.exponent })?;
            return Ok((sin, cos));
        }
        let steps = halvings(bits) / 2 + 1;
        let places = bits + GUARD + steps + (-top).max(0);
        let reduction = places + top.max(0) + 8;
        let half_pi = self.constants.pi(reduction - 1);
        let whole = x.fixed(reduction);
        // The nearest multiple of pi/2.
        let q = floor_quotient(&(whole.clone() * 2 + &half_pi), &(half_pi.clone() * 2));
        let quadrant = u8::try_from(&(&q - ((&q >> 2usize) << 2usize))).unwrap_or(0);
        let t = (whole - q * half_pi) >> (reduction - places) as usize;
        let (sin, cos, terms) = sin_cos_fixed(&t, places, steps);
        let error = libm::scalbn(4.0 * f64::from(terms) + 16.0, steps as i32 + 1);
        let sin = Ball::new(sin, -places, error, self.bits)?;
        let cos = Ball::new(cos, -places, error, self.bits)?;
        let (sin, cos) = match quadrant {
            0 => (sin, cos),
            1 => (cos, sin.negated()),
            2 => (sin.negated(), cos.negated()),
            _ => (cos.negated(), sin),
        };
        // Both derivatives are at most 1.
        Ok((sin.widened(spread)?.rounded(self.bits)?, cos.widened(spread)?.rounded(self.bits)?))
    }

    /// Returns the arc tangent in (-pi/2, pi/2).
    pub(super) fn atan(&mut self, x: &Ball) -> Result<Ball, Gap> {
        self.charge_function()?;
        if x.is_zero() {
            return Ok(Ball::zero());
        }
        if x.top() > 1 && x.sign().is_some() {
            // atan x = +-pi/2 - atan(1/x)
            let inverse = Ball::integer(1).over(x, self.bits)?;
            let part = self.atan(&inverse)?;
            let quarter = self.pi()?.shifted(-1);
            let quarter = if x.is_negative() { quarter.negated() } else { quarter };
            return quarter.minus(&part, self.bits);
        }
        let bits = self.bits as i64;
        let spread = x.radius_magnitude();
        if x.top() > 1 {
            // This is a wide ball that may contain 0.
            return Err(Gap::Unknown);
        }
        if x.top() < -bits / 2 - 8 {
            // |atan x - x| <= |x|^3
            let wide = x.upper_magnitude();
            return x.clone().widened(Magnitude { factor: wide.factor, exponent: 3 * wide.exponent });
        }
        let steps = halvings(bits) / 2 + 2;
        let places = bits + GUARD + steps + (-x.top()).max(0);
        let one = IBig::ONE << places as usize;
        let mut t = x.fixed(places);
        for _ in 0..steps {
            // tan(a/2) = t / (1 + sqrt(1 + t^2)); the error is halved and grows by at most 2 units.
            let sum = multiply(&t, &t, places) + &one;
            let root = IBig::from((sum << places as usize).unsigned_abs().sqrt());
            t = (t << places as usize) / (&one + root);
        }
        let square = multiply(&t, &t, places);
        let (mut power, mut total, mut odd) = (t.clone(), t, 3i64);
        let mut terms = 1;
        let mut negative = true;
        loop {
            power = multiply(&power, &square, places);
            if power.bit_len() <= 1 {
                break;
            }
            let term = &power / odd;
            total = if negative { total - term } else { total + term };
            negative = !negative;
            odd += 2;
            terms += 1;
        }
        let error = libm::scalbn(3.0 * f64::from(terms) + 12.0, steps as i32);
        Ball::new(total << steps as usize, -places, error, self.bits)?.widened(spread)?.rounded(self.bits)
    }

    /// Returns π.
    pub(super) fn pi(&mut self) -> Result<Ball, Gap> {
        let places = self.bits as i64;
        Ball::new(self.constants.pi(places), -places, 2.0, self.bits)
    }

    /// Returns Euler's number.
    pub(super) fn euler_number(&mut self) -> Result<Ball, Gap> {
        self.exp(&Ball::integer(1))
    }

    /// Returns the Euler-Mascheroni constant.
    pub(super) fn euler_gamma(&mut self) -> Result<Ball, Gap> {
        self.charge(self.bits as u64)?;
        let places = self.bits as i64;
        Ball::new(self.constants.euler(places), -places, 2.0, self.bits)
    }
}

/// Returns the largest integer that is at most the quotient, for a positive divisor.
fn floor_quotient(above: &IBig, below: &IBig) -> IBig {
    use dashu_base::DivRemEuclid;
    above.div_rem_euclid(below).0
}

/// Returns `e^t` for `0 <= t < 1` in fixed point, and the number of terms of the series.
fn exp_fixed(t: &IBig, places: i64, steps: i64) -> (IBig, i64) {
    let small = t >> steps as usize;
    let one = IBig::ONE << places as usize;
    let mut total = &one + &small;
    let mut term = small.clone();
    let mut k = 2i64;
    loop {
        term = multiply(&term, &small, places) / k;
        if term.is_zero() {
            break;
        }
        total += &term;
        k += 1;
    }
    for _ in 0..steps {
        total = multiply(&total, &total, places);
    }
    (total, k)
}

/// Returns the sine and the cosine for `|t| < 0.8` in fixed point, and the number of terms of the series.
fn sin_cos_fixed(t: &IBig, places: i64, steps: i64) -> (IBig, IBig, i32) {
    let small = t >> steps as usize;
    let one = IBig::ONE << places as usize;
    let square = multiply(&small, &small, places);
    let (mut sin, mut cos) = (small.clone(), one);
    let (mut odd, mut even) = (small, IBig::ONE << places as usize);
    let mut k = 1i64;
    loop {
        // even = small^(2k)/(2k)!, odd = small^(2k+1)/(2k+1)!
        even = multiply(&even, &square, places) / ((2 * k - 1) * (2 * k));
        odd = multiply(&odd, &square, places) / ((2 * k) * (2 * k + 1));
        if even.bit_len() <= 1 && odd.bit_len() <= 1 {
            break;
        }
        if k % 2 == 1 {
            sin -= &odd;
            cos -= &even;
        } else {
            sin += &odd;
            cos += &even;
        }
        k += 1;
    }
    for _ in 0..steps {
        let next_cos = ((&cos * &cos) - (&sin * &sin)) >> places as usize;
        sin = (sin * cos) >> (places - 1) as usize;
        cos = next_cos;
    }
    (sin, cos, k as i32)
}
