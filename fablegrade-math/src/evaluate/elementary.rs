//! Elementary functions of a value with its error bound.
//!
//! Each function returns a value and an error bound; a NaN bound means unknown. [`Outcome::Undefined`] means
//! that there is certainly no real value.

use super::INFLATE;
use super::lanes::{TINY, UNIT};

/// The result of a function at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    /// A value and its error bound.
    Value(f64, f64),
    /// There is certainly no real value.
    Undefined,
}

/// The outcome if nothing is known, not even whether there is a value.
pub(super) const UNKNOWN: Outcome = Outcome::Value(0.0, f64::NAN);

/// The bound on the relative error of `libm` functions whose errors are documented or tested to be below 1
/// ulp.
pub(super) const FUNCTION: f64 = 2.0 * UNIT;
/// The same bound for hyperbolic functions, their inverses and `erf` (below 3 ulp).
const HYPERBOLIC: f64 = 6.0 * UNIT;
/// The same bound for gamma (musl: below 20 ulp).
const GAMMA: f64 = 64.0 * UNIT;

/// Returns the error bound of a function whose values differ by at most `most`; a NaN bound stays NaN.
#[inline]
fn bounded(error: f64, most: f64) -> f64 {
    if error > most { most } else { error }
}

/// Returns an upper bound of `e^t - 1`, where `t >= 0` bounds the error of a logarithm.
#[inline]
pub(super) fn growth(t: f64) -> f64 {
    if t < 0.25 { 1.15 * t } else { libm::expm1(t) * (1.0 + 8.0 * UNIT) }
}

/// The bound `2^51`, below which an integer within one ulp of a float is the nearest integer to the float.
const EXACT: f64 = 2_251_799_813_685_248.0;

#[inline]
pub(super) fn exp(x: f64, e: f64) -> Outcome {
    if x == 0.0 && e == 0.0 {
        return Outcome::Value(1.0, 0.0);
    }
    let value = libm::exp(x);
    if value == f64::INFINITY {
        // The exact value certainly overflows if the exponential of the lower end does.
        return match libm::exp(x - e * INFLATE) {
            f64::INFINITY => Outcome::Value(f64::INFINITY, 0.0),
            _ if e.is_nan() => UNKNOWN,
            _ => Outcome::Value(f64::MAX, f64::INFINITY),
        };
    }
    Outcome::Value(value, (value + TINY) * growth(e * INFLATE) + FUNCTION * value + TINY)
}

#[inline]
pub(super) fn square_root(x: f64, e: f64) -> Outcome {
    if x > e * INFLATE {
        let value = x.sqrt();
        // |sqrt X - sqrt x| = |X - x| / (sqrt X + sqrt x)
        let mut error = e / value + UNIT * value;
        if e == 0.0 && value * value == x && value < f64::INFINITY && (value.to_bits() << 37) == 0 {
            // A root of 26 bits has an exact square.
            error = 0.0;
        }
        return Outcome::Value(value, error);
    }
    near_zero(x, e)
}

/// Returns a root of an argument that is not certainly positive.
#[inline]
fn near_zero(x: f64, e: f64) -> Outcome {
    if x == 0.0 && e == 0.0 {
        Outcome::Value(0.0, 0.0)
    } else if x < -e * INFLATE {
        Outcome::Undefined
    } else {
        UNKNOWN
    }
}

#[inline]
pub(super) fn cube_root(x: f64, e: f64) -> Outcome {
    if x == 0.0 && e == 0.0 {
        return Outcome::Value(0.0, 0.0);
    }
    let value = libm::cbrt(x);
    let margin = x.abs() - e * INFLATE;
    if margin > 0.0 {
        // The derivative is cbrt(t) / (3 t), which is largest at the end of the interval closest to 0.
        let relative = e / margin;
        let exact =
            e == 0.0 && value == libm::round(value) && value.abs() < 200_000.0 && value * value * value == x;
        return Outcome::Value(value, if exact { 0.0 } else { value.abs() * (relative + FUNCTION) });
    }
    // Around zero: |cbrt X - cbrt x| <= 2 cbrt(|X - x|).
    if e.is_finite() { Outcome::Value(value, 2.1 * libm::cbrt(e) + FUNCTION * value.abs()) } else { UNKNOWN }
}

/// Computes `x^p` for a rational exponent `p > 0`. `odd_root` means that its denominator is odd, `odd_power`
/// that its numerator is odd.
#[inline]
pub(super) fn rational_power(x: f64, e: f64, p: f64, odd_root: bool, odd_power: bool) -> Outcome {
    let size = x.abs();
    let margin = size - e * INFLATE;
    if margin > 0.0 {
        if x < 0.0 && !odd_root {
            return Outcome::Undefined;
        }
        let value = libm::pow(size, p);
        if value == f64::INFINITY {
            return UNKNOWN;
        }
        // Rounding p changes the logarithm by UNIT p |ln x|.
        let shift = p * (e / margin) * (1.0 + 4.0 * UNIT) + UNIT * p * libm::log(size).abs();
        let error = (value + TINY) * growth(shift * INFLATE) + FUNCTION * value + TINY;
        return Outcome::Value(if x < 0.0 && odd_power { -value } else { value }, error);
    }
    if x == 0.0 && e == 0.0 {
        return Outcome::Value(0.0, 0.0);
    }
    if !odd_root || !e.is_finite() {
        return UNKNOWN;
    }
    // The largest power on the interval bounds the exact value, which may have either sign.
    let largest = libm::pow(size + e * INFLATE, p) * (1.0 + 1e-6) + TINY;
    Outcome::Value(0.0, largest)
}

/// Returns `x^n`, `n >= 2`.
#[inline]
pub(super) fn integer_power(x: f64, e: f64, n: u32) -> Outcome {
    let degree = f64::from(n);
    let size = libm::pow(x.abs(), degree);
    if size == f64::INFINITY {
        return UNKNOWN;
    }
    let value = if x < 0.0 && n % 2 == 1 { -size } else { size };
    let mut error = FUNCTION * size + TINY;
    if e != 0.0 {
        // By the mean value theorem; `pow` is within FUNCTION of the exact power.
        error += degree * e * libm::pow(x.abs() + e * INFLATE, degree - 1.0) * (1.0 + 1e-9);
    } else if size < 9_007_199_254_740_992.0 && x == libm::rint(x) {
        // A power of an integer is an integer, and below 2^53 `pow` is within 1 of it.
        return Outcome::Value(libm::rint(value), if size < EXACT { 0.0 } else { 2.0 });
    }
    Outcome::Value(value, error)
}

/// Returns `x^y`
#[inline]
pub(super) fn power(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    if !(e.is_finite() && f.is_finite()) {
        return UNKNOWN;
    }
    let size = x.abs();
    let margin = size - e * INFLATE;
    if margin <= 0.0 {
        if x != 0.0 || e != 0.0 {
            return UNKNOWN;
        }
        return if y > f * INFLATE {
            Outcome::Value(0.0, 0.0)
        } else if y < -f * INFLATE || f == 0.0 {
            Outcome::Undefined
        } else {
            UNKNOWN
        };
    }
    if !y.is_finite() {
        // The exponent overflowed, so its parity is not known.
        return UNKNOWN;
    }
    let mut negate = false;
    if x < 0.0 {
        if f != 0.0 {
            return UNKNOWN;
        }
        if y != libm::rint(y) {
            // An exact float that is not an integer has an even denominator.
            return Outcome::Undefined;
        }
        negate = libm::fmod(y, 2.0) != 0.0;
    }
    if e == 0.0 && f == 0.0 && size == 1.0 {
        return Outcome::Value(if negate { -1.0 } else { 1.0 }, 0.0);
    }
    let value = libm::pow(size, y);
    if value == f64::INFINITY {
        return UNKNOWN;
    }
    if e == 0.0 && f == 0.0 && value < EXACT && y >= 0.0 && y == libm::rint(y) && size == libm::rint(size) {
        let whole = libm::rint(value);
        return Outcome::Value(if negate { -whole } else { whole }, 0.0);
    }
    let relative = e / margin * (1.0 + 4.0 * UNIT);
    let shift = (y.abs() + f) * relative + f * libm::log(size).abs();
    let error = (value + TINY) * growth(shift * INFLATE) + FUNCTION * value + TINY;
    Outcome::Value(if negate { -value } else { value }, error)
}

/// Returns a value of a function whose derivative is at most 1 and whose values differ by at most 2.
#[inline]
fn wave(value: f64, e: f64) -> Outcome {
    Outcome::Value(value, bounded(e, 2.0) + FUNCTION * value.abs())
}

#[inline]
pub(super) fn sin(x: f64, e: f64) -> Outcome {
    wave(libm::sin(x), e)
}

#[inline]
pub(super) fn cos(x: f64, e: f64) -> Outcome {
    wave(libm::cos(x), e)
}

pub(super) fn tan(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    let value = libm::tan(x);
    // tan(x + d) - tan x = tan d (1 + t^2) / (1 - t tan d), and tan d <= 1.06 d for d <= 0.4.
    let step = 1.06 * wide;
    let margin = 1.0 - step * value.abs();
    if wide <= 0.4 && margin > 0.1 {
        Outcome::Value(value, step * (1.0 + value * value) / margin + FUNCTION * value.abs())
    } else {
        UNKNOWN
    }
}

pub(super) fn arcsin(x: f64, e: f64) -> Outcome {
    arc(x, e, libm::asin)
}

pub(super) fn arccos(x: f64, e: f64) -> Outcome {
    arc(x, e, libm::acos)
}

/// Computes an inverse sine or cosine.
#[inline]
fn arc(x: f64, e: f64, function: impl Fn(f64) -> f64) -> Outcome {
    let wide = e * INFLATE;
    if x.abs() - wide > 1.0 {
        return Outcome::Undefined;
    }
    let value = function(x);
    let mut error = FUNCTION * value.abs();
    if e != 0.0 {
        let rest = 1.0 - (x.abs() + wide);
        if rest.is_nan() || rest < 1e-9 {
            return UNKNOWN;
        }
        error += wide / (rest * (2.0 - rest)).sqrt();
    } else if x.is_nan() || x.abs() > 1.0 {
        return UNKNOWN;
    }
    Outcome::Value(value, error)
}

pub(super) fn arctan(x: f64, e: f64) -> Outcome {
    let value = libm::atan(x);
    // The derivative is 1/(1 + x²), which is largest at the point of the interval closest to 0.
    let near = (x.abs() - e * INFLATE).max(0.0);
    let error = bounded(e * (1.0 + 8.0 * UNIT) / (1.0 + near * near), core::f64::consts::PI);
    Outcome::Value(value, error + FUNCTION * value.abs())
}

pub(super) fn sinh(x: f64, e: f64) -> Outcome {
    hyperbolic(libm::sinh(x), e)
}

pub(super) fn cosh(x: f64, e: f64) -> Outcome {
    hyperbolic(libm::cosh(x), e)
}

#[inline]
fn hyperbolic(value: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    if !value.is_finite() || wide.is_nan() || wide > 0.5 {
        return UNKNOWN;
    }
    // cosh(|x| + e) <= cosh(x) exp(e), and cosh <= 1 + |sinh|.
    Outcome::Value(value, 1.65 * wide * (1.0 + value.abs()) + HYPERBOLIC * value.abs())
}

pub(super) fn tanh(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    let value = libm::tanh(x);
    // The derivative is 1/cosh² <= 4 exp(-2|x|), and values differ by at most 2.
    let slope = (4.000_1 * libm::exp(-2.0 * (x.abs() - wide))).min(1.0);
    Outcome::Value(value, bounded(wide * slope, 2.0) + HYPERBOLIC * value.abs())
}

pub(super) fn arsinh(x: f64, e: f64) -> Outcome {
    let value = libm::asinh(x);
    Outcome::Value(value, e + HYPERBOLIC * value.abs())
}

pub(super) fn arcosh(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    if x + wide < 1.0 {
        return Outcome::Undefined;
    }
    let value = libm::acosh(x);
    let mut error = HYPERBOLIC * value;
    if e != 0.0 {
        let low = x - wide;
        if low.is_nan() || low <= 1.0 + 1e-9 {
            return UNKNOWN;
        }
        error += wide / ((low - 1.0) * (low + 1.0)).sqrt();
    }
    Outcome::Value(value, error)
}

pub(super) fn artanh(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    if x.abs() - wide >= 1.0 {
        return Outcome::Undefined;
    }
    let rest = 1.0 - (x.abs() + wide);
    if rest.is_nan() || (rest < 1e-9 && e != 0.0) || rest <= 0.0 {
        return UNKNOWN;
    }
    let value = libm::atanh(x);
    Outcome::Value(value, wide / (rest * (2.0 - rest)) + HYPERBOLIC * value.abs())
}

#[inline]
pub(super) fn ln(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    let margin = x - wide;
    if margin > 0.0 {
        let value = libm::log(x);
        if value == f64::INFINITY {
            return UNKNOWN;
        }
        Outcome::Value(value, wide / margin + FUNCTION * value.abs())
    } else if x + wide <= 0.0 && (x < 0.0 || e == 0.0) {
        Outcome::Undefined
    } else {
        UNKNOWN
    }
}

pub(super) fn erf(x: f64, e: f64) -> Outcome {
    let value = libm::erf(x);
    // 2 / sqrt(pi) < 1.13
    Outcome::Value(value, bounded(1.13 * e, 2.0) + HYPERBOLIC * value.abs())
}

/// Computes gamma, whose derivative is gamma times digamma.
pub(super) fn gamma(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    if !wide.is_finite() || x.abs() > 171.0 {
        return UNKNOWN;
    }
    let nearest = libm::rint(x);
    if nearest <= 0.0 && x < 0.5 {
        let distance = (x - nearest).abs();
        if e == 0.0 && distance == 0.0 {
            return Outcome::Undefined;
        }
        if distance <= 1000.0 * wide {
            return UNKNOWN;
        }
    } else if e == 0.0 && x == nearest && x <= 23.0 {
        // 22! is the largest factorial that a float represents exactly.
        return Outcome::Value(libm::rint(libm::tgamma(x)), 0.0);
    }
    let value = libm::tgamma(x);
    if !value.is_finite() {
        return UNKNOWN;
    }
    // On the interval, |digamma| is at most ln(1 + |x|) + 2 away from the poles, plus 2 / distance near a
    // pole.
    let pole = if x < 0.5 { 2.0 / (x - nearest.min(0.0)).abs() } else { 2.0 / x };
    let digamma = libm::log(1.0 + x.abs()) + 2.0 + pole;
    if digamma * wide > 0.1 {
        return UNKNOWN;
    }
    Outcome::Value(value, value.abs() * (2.0 * digamma * wide + GAMMA) + TINY)
}
