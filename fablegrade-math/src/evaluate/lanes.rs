//! Arithmetic on eight values with error bounds at once, without branches so the compiler can vectorise it.

use super::{INFLATE, LANES};

/// The bound on the relative rounding error, which is twice the IEEE bound.
pub(super) const UNIT: f64 = f64::EPSILON;

/// The bound on the absolute rounding error if a result can underflow.
pub(super) const TINY: f64 = f64::MIN_POSITIVE;

/// Values and error bounds at eight points.
///
/// A NaN bound means that the value is unknown, an infinite bound that its size is unknown. An infinite value
/// with bound 0 is a number out of the range of doubles. Bounded functions and comparisons can use such a
/// value; in arithmetic it becomes unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    pub(super) value: [f64; LANES],
    pub(super) error: [f64; LANES],
}

impl Lanes {
    pub(super) const UNKNOWN: Lanes = Lanes { value: [0.0; LANES], error: [f64::NAN; LANES] };

    #[inline]
    pub(super) fn constant(value: f64, error: f64) -> Lanes {
        Lanes { value: [value; LANES], error: [error; LANES] }
    }

    #[inline]
    pub(super) fn exact(value: [f64; LANES]) -> Lanes {
        let mut error = [0.0; LANES];
        for lane in 0..LANES {
            // For an infinite or NaN coordinate the product is NaN, so the value is unknown.
            error[lane] = value[lane] * 0.0;
        }
        Lanes { value, error }
    }

    #[inline]
    pub(super) fn map(&self, mut function: impl FnMut(usize, f64, f64) -> (f64, f64)) -> Lanes {
        let mut result = Lanes::UNKNOWN;
        for lane in 0..LANES {
            (result.value[lane], result.error[lane]) = function(lane, self.value[lane], self.error[lane]);
        }
        result
    }
}

#[inline]
pub(super) fn add(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = Lanes::UNKNOWN;
    for lane in 0..LANES {
        let sum = a.value[lane] + b.value[lane];
        result.value[lane] = sum;
        result.error[lane] = a.error[lane] + b.error[lane] + UNIT * sum.abs();
    }
    result
}

/// Works like [`add`], but adds the exact rounding error (Knuth's two-sum) instead of a bound, so sums of
/// integers stay exact.
#[inline]
pub(super) fn add_exact(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = Lanes::UNKNOWN;
    for lane in 0..LANES {
        let (x, y) = (a.value[lane], b.value[lane]);
        let sum = x + y;
        let part = sum - x;
        let residue = (x - (sum - part)) + (y - part);
        result.value[lane] = sum;
        result.error[lane] = a.error[lane] + b.error[lane] + residue.abs();
    }
    result
}

#[inline]
pub(super) fn multiply(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = Lanes::UNKNOWN;
    for lane in 0..LANES {
        let (x, y) = (a.value[lane], b.value[lane]);
        let (e, f) = (a.error[lane], b.error[lane]);
        let product = x * y;
        result.value[lane] = product;
        result.error[lane] = x.abs() * f + (y.abs() + f) * e + UNIT * product.abs() + TINY;
    }
    result
}

#[inline]
pub(super) fn multiply_exact(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = multiply(a, b);
    for lane in 0..LANES {
        let both = a.error[lane] == 0.0 && b.error[lane] == 0.0;
        if both && is_exact_product(a.value[lane], b.value[lane])
            || is_zero(a, lane) && is_finite(b, lane)
            || is_zero(b, lane) && is_finite(a, lane)
        {
            result.error[lane] = 0.0;
        }
    }
    result
}

/// Returns whether a value is exactly 0, which matters for signs and steps.
fn is_zero(a: &Lanes, lane: usize) -> bool {
    a.value[lane] == 0.0 && a.error[lane] == 0.0
}

fn is_finite(a: &Lanes, lane: usize) -> bool {
    a.value[lane].is_finite() && a.error[lane].is_finite()
}

#[inline]
pub(super) fn square(a: &Lanes, exact: bool) -> Lanes {
    if exact { multiply_exact(a, a) } else { multiply(a, a) }
}

#[inline]
pub(super) fn negate(a: &Lanes) -> Lanes {
    let mut result = *a;
    for value in &mut result.value {
        *value = -*value;
    }
    result
}

/// Computes quotients and a mask of the lanes whose denominator is exactly zero.
#[inline]
pub(super) fn divide(a: &Lanes, b: &Lanes, exact: bool) -> (Lanes, u8) {
    let mut result = Lanes::UNKNOWN;
    let mut poles = 0u8;
    for lane in 0..LANES {
        let (x, y) = (a.value[lane], b.value[lane]);
        let (e, f) = (a.error[lane], b.error[lane]);
        let quotient = x / y;
        let margin = y.abs() - f * INFLATE;
        let error = (e + quotient.abs() * f) / margin + UNIT * quotient.abs() + TINY;
        result.value[lane] = quotient;
        // The condition is false for NaN bounds too.
        result.error[lane] = if margin > 0.0 && margin < f64::INFINITY { error } else { f64::NAN };
        poles |= u8::from(y == 0.0 && f == 0.0) << lane;
    }
    if exact {
        for lane in 0..LANES {
            let quotient = result.value[lane];
            if a.error[lane] == 0.0
                && b.error[lane] == 0.0
                && b.value[lane] != 0.0
                && quotient * b.value[lane] == a.value[lane]
                && is_exact_product(quotient, b.value[lane])
            {
                result.error[lane] = 0.0;
            }
        }
    }
    (result, poles)
}

/// Returns whether a rounded product is certainly exact.
///
/// The significant bits of both factors must fit in 53, and the product must not underflow or overflow. This
/// condition is sufficient but not necessary.
#[inline]
fn is_exact_product(x: f64, y: f64) -> bool {
    if x == 0.0 || y == 0.0 {
        return x * y == 0.0;
    }
    let product = (x * y).abs();
    significant_bits(x) + significant_bits(y) <= 53 && product > 1e-290 && product < 1e300
}

#[inline]
fn significant_bits(x: f64) -> u32 {
    let fraction = x.to_bits() & ((1 << 52) - 1);
    if fraction == 0 { 1 } else { 53 - fraction.trailing_zeros() }
}
