//! Step functions, functions of integers and functions of two arguments.

use super::INFLATE;
use super::elementary::{Outcome, UNKNOWN, gamma};
use super::lanes::{TINY, UNIT};

/// The bound `2^53`, below which floats represent all integers exactly.
const INTEGERS: f64 = 9_007_199_254_740_992.0;

#[inline]
pub(super) fn absolute(x: f64, e: f64) -> Outcome {
    if e.is_finite() { Outcome::Value(x.abs(), e) } else { UNKNOWN }
}

pub(super) fn sign(x: f64, e: f64) -> Outcome {
    if x.abs() > e * INFLATE {
        Outcome::Value(x.signum(), 0.0)
    } else if x == 0.0 && e == 0.0 {
        Outcome::Value(0.0, 0.0)
    } else {
        UNKNOWN
    }
}

pub(super) fn floor(x: f64, e: f64) -> Outcome {
    step(x, e * INFLATE, libm::floor)
}

pub(super) fn ceil(x: f64, e: f64) -> Outcome {
    step(x, e * INFLATE, libm::ceil)
}

pub(super) fn round(x: f64, e: f64) -> Outcome {
    step(x, e * INFLATE, libm::round)
}

/// Returns the argument, since a real number equals its real part and its conjugate.
pub(super) fn real_part(x: f64, e: f64) -> Outcome {
    if e.is_finite() { Outcome::Value(x, e) } else { UNKNOWN }
}

pub(super) fn imaginary_part(_: f64, e: f64) -> Outcome {
    if e.is_finite() { Outcome::Value(0.0, 0.0) } else { UNKNOWN }
}

/// Returns the angle of a real number in the complex plane: 0 or π.
pub(super) fn argument(x: f64, e: f64) -> Outcome {
    let wide = e * INFLATE;
    if !wide.is_finite() {
        UNKNOWN
    } else if x > wide {
        Outcome::Value(0.0, 0.0)
    } else if x < -wide {
        Outcome::Value(core::f64::consts::PI, UNIT * 4.0)
    } else if e == 0.0 {
        Outcome::Undefined
    } else {
        UNKNOWN
    }
}

pub(super) fn factorial(x: f64, e: f64) -> Outcome {
    let shifted = x + 1.0;
    let rounding =
        if e == 0.0 && shifted - 1.0 == x && x.abs() < INTEGERS { 0.0 } else { UNIT * shifted.abs() };
    gamma(shifted, e + rounding)
}

pub(super) fn double_factorial(x: f64, e: f64) -> Outcome {
    if e != 0.0 || x != libm::rint(x) || x.abs() > 300.0 {
        return UNKNOWN;
    }
    if x < -1.0 {
        // Negative even integers have no double factorial. The recurrence defines it for negative odd ones,
        // but no question intends that.
        return Outcome::Undefined;
    }
    let (mut product, mut factor, mut steps) = (1.0, x, 0.0);
    while factor > 1.0 {
        product *= factor;
        factor -= 2.0;
        steps += 1.0;
    }
    exact_below(product, steps)
}

/// Returns a product of integers, which is exact below 2^53.
fn exact_below(product: f64, steps: f64) -> Outcome {
    if !product.is_finite() {
        UNKNOWN
    } else if product.abs() < INTEGERS {
        Outcome::Value(product, 0.0)
    } else {
        Outcome::Value(product, product.abs() * steps * UNIT)
    }
}

/// Returns the value of a step function if it is constant on the error interval.
fn step(x: f64, wide: f64, function: impl Fn(f64) -> f64) -> Outcome {
    if !wide.is_finite() {
        return UNKNOWN;
    }
    if x.abs() >= INTEGERS {
        return if wide == 0.0 { Outcome::Value(x, 0.0) } else { UNKNOWN };
    }
    if wide == 0.0 {
        return Outcome::Value(function(x), 0.0);
    }
    let slack = wide + UNIT * x.abs();
    let (low, high) = (function(x - slack), function(x + slack));
    if low == high { Outcome::Value(low, 0.0) } else { UNKNOWN }
}

/// Extends a function of two arguments: its value is unknown if an error bound is not finite.
pub(super) fn known(
    function: impl Fn(f64, f64, f64, f64) -> Outcome,
) -> impl Fn(f64, f64, f64, f64) -> Outcome {
    move |x, e, y, f| if e.is_finite() && f.is_finite() { function(x, e, y, f) } else { UNKNOWN }
}

// |max(X, Y) - max(x, y)| <= max(|X - x|, |Y - y|)

pub(super) fn maximum(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    select(x, e, y, f, x >= y)
}

pub(super) fn minimum(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    select(x, e, y, f, x <= y)
}

pub(super) fn common_measure(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    match integers(x, e, y, f) {
        Ok((a, b)) => Outcome::Value(greatest_common_divisor(a, b) as f64, 0.0),
        Err(outcome) => outcome,
    }
}

pub(super) fn common_multiple(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    let (a, b) = match integers(x, e, y, f) {
        Ok(both) => both,
        Err(outcome) => return outcome,
    };
    let shared = greatest_common_divisor(a, b);
    if shared == 0 {
        return Outcome::Value(0.0, 0.0);
    }
    match (a / shared).checked_mul(b) {
        Some(product) if (product as f64) < INTEGERS => Outcome::Value(product as f64, 0.0),
        Some(product) => Outcome::Value(product as f64, UNIT * product as f64),
        None => UNKNOWN,
    }
}

/// Returns the absolute values of two exact integers, or the outcome if an argument is not an exact integer.
fn integers(x: f64, e: f64, y: f64, f: f64) -> Result<(u64, u64), Outcome> {
    match (exact_integer(x, e), exact_integer(y, f)) {
        (Some(a), Some(b)) => Ok((a, b)),
        _ if certainly_fractional(x, e) || certainly_fractional(y, f) => Err(Outcome::Undefined),
        _ => Err(UNKNOWN),
    }
}

fn select(x: f64, e: f64, y: f64, f: f64, first: bool) -> Outcome {
    // If the choice is certain, the chosen argument keeps its bound.
    if (x - y).abs() > (e + f) * INFLATE {
        return if first { Outcome::Value(x, e) } else { Outcome::Value(y, f) };
    }
    Outcome::Value(if first { x } else { y }, e.max(f))
}

fn exact_integer(x: f64, e: f64) -> Option<u64> {
    (e == 0.0 && x == libm::rint(x) && x.abs() < INTEGERS).then_some(x.abs() as u64)
}

fn certainly_fractional(x: f64, e: f64) -> bool {
    x.abs() < INTEGERS && (x - libm::rint(x)).abs() > e * INFLATE + UNIT * x.abs()
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns `x - y floor(x / y)`
pub(super) fn modulo(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    if y == 0.0 && f == 0.0 {
        return Outcome::Undefined;
    }
    if e == 0.0 && f == 0.0 {
        // fmod is exact and has the sign of x.
        let rest = libm::fmod(x, y);
        if !rest.is_finite() {
            return UNKNOWN;
        }
        if rest == 0.0 || (rest < 0.0) == (y < 0.0) {
            return Outcome::Value(rest, 0.0);
        }
        let value = rest + y;
        let part = value - rest;
        return Outcome::Value(value, ((rest - (value - part)) + (y - part)).abs());
    }
    let margin = y.abs() - f * INFLATE;
    if margin.is_nan() || margin <= 0.0 {
        return UNKNOWN;
    }
    let quotient = x / y;
    let error = (e + quotient.abs() * f) / margin + UNIT * quotient.abs() + TINY;
    match step(quotient, error * INFLATE, libm::floor) {
        Outcome::Value(whole, bound) if bound == 0.0 && whole.abs() < INTEGERS => {
            let part = whole * y;
            let value = x - part;
            Outcome::Value(value, e + whole.abs() * f + UNIT * (part.abs() + value.abs()) + TINY)
        }
        _ => UNKNOWN,
    }
}

/// Returns `binom(x, y)`, as a product of up to 200 factors if `y` is an exact integer, otherwise by gamma
/// functions.
pub(super) fn binomial(x: f64, e: f64, y: f64, f: f64) -> Outcome {
    const STEPS: f64 = 200.0;
    let lower_is_integer = f == 0.0 && y == libm::rint(y) && y.abs() < INTEGERS;
    if lower_is_integer {
        let upper_is_integer = e == 0.0 && x == libm::rint(x) && x.abs() < INTEGERS;
        if y < 0.0 {
            // The value is 0 unless the upper number is a negative integer, for which conventions differ.
            let nearest = libm::rint(x).min(-1.0);
            let may_be_negative_integer = (x - nearest).abs() <= e * INFLATE;
            return if may_be_negative_integer { UNKNOWN } else { Outcome::Value(0.0, 0.0) };
        }
        let mut count = y;
        if upper_is_integer && x >= 0.0 {
            if y > x {
                return Outcome::Value(0.0, 0.0);
            }
            count = y.min(x - y);
        }
        if count > STEPS {
            return UNKNOWN;
        }
        return falling_product(x, e, count);
    }
    // Gamma(x+1) / (Gamma(y+1) Gamma(x-y+1)); at a pole of the denominator the value is unknown.
    let factors = [
        gamma(x + 1.0, e + UNIT * (x.abs() + 1.0)),
        gamma(y + 1.0, f + UNIT * (y.abs() + 1.0)),
        gamma(x - y + 1.0, e + f + 2.0 * UNIT * (x.abs() + y.abs() + 1.0)),
    ];
    let [Outcome::Value(a, ea), Outcome::Value(b, eb), Outcome::Value(c, ec)] = factors else {
        return UNKNOWN;
    };
    let value = a / b / c;
    let relative = ea / a.abs() + 1.5 * (eb / b.abs() + ec / c.abs()) + 4.0 * UNIT;
    if value.is_finite() && relative < 0.01 {
        Outcome::Value(value, 1.1 * relative * value.abs() + TINY)
    } else {
        UNKNOWN
    }
}

/// Returns `x (x-1) ... (x-count+1) / count!`, computed from the left so intermediate results are integers if
/// `x` is.
fn falling_product(x: f64, e: f64, count: f64) -> Outcome {
    let (mut value, mut error) = (1.0f64, 0.0f64);
    let mut step = 0.0;
    let exact = e == 0.0 && x == libm::rint(x) && x.abs() < INTEGERS;
    while step < count {
        let factor = x - step;
        let slack = e + UNIT * factor.abs();
        let divisor = step + 1.0;
        let product = value * factor;
        if exact && error == 0.0 && product.abs() < INTEGERS {
            // binom(x, k) (x - k) is divisible by k + 1.
            value = product / divisor;
        } else {
            error = (value.abs() * slack + (factor.abs() + slack) * error) / divisor;
            value = product / divisor;
            error += 2.0 * UNIT * value.abs() + TINY;
        }
        step += 1.0;
    }
    if value.is_finite() { Outcome::Value(value, error) } else { UNKNOWN }
}

/// Returns the angle of the point `(width, height)`, in (-pi, pi].
pub(super) fn arc_tangent(height: f64, height_error: f64, width: f64, width_error: f64) -> Outcome {
    if height_error == 0.0 && width_error == 0.0 && height == 0.0 && width == 0.0 {
        return Outcome::Undefined;
    }
    let reach = libm::hypot(height_error, width_error) * INFLATE * (1.0 + 4.0 * UNIT);
    let radius = libm::hypot(height, width) * (1.0 - 4.0 * UNIT);
    // The error disc must not touch the branch cut along the negative axis.
    let on_axis = height == 0.0 && height_error == 0.0;
    let crosses = width - width_error * INFLATE <= 0.0 && height.abs() <= height_error * INFLATE && !on_axis;
    if crosses || reach * 2.0 >= radius || radius == f64::INFINITY {
        return UNKNOWN;
    }
    // An exact zero becomes +0, because the angle of negative numbers is pi.
    let value = libm::atan2(if on_axis { 0.0 } else { height }, width);
    // asin(s) <= 1.05 s for s <= 1/2
    Outcome::Value(value, 1.06 * reach / radius + 2.0 * UNIT * value.abs())
}
