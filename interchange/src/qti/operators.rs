//! Numerical operators: rounding, powers, functions, statistics.

use fablegrade_public::{Decimal, Ratio};

use super::value::{Value, decimal, floor};

/// Returns whether a number as a fraction has at most 2,000 characters; larger results become null.
pub(super) fn is_small(ratio: &Ratio) -> bool {
    ratio.to_fraction_text().len() <= 2_000
}

pub(super) fn float(value: f64) -> Value {
    Decimal::from_f64(value).map_or(Value::Null, |value| Value::number(Ratio::from_decimal(&value)))
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn ten_to(exponent: i32) -> Ratio {
    Ratio::from_decimal(&Decimal::new(1, exponent))
}

/// Rounds to `places` decimal places; halves are rounded up. Returns `None` if the number is too large.
pub(super) fn round_at(a: &Ratio, places: i32) -> Option<Ratio> {
    let scaled = a.times(&ten_to(places)).plus(&Ratio::new(1, 2));
    Some(Ratio::new(floor(&scaled)?, 1).times(&ten_to(-places)))
}

/// Returns the exponent of the first significant figure; `None` for 0 and for very large numbers.
pub(super) fn magnitude(a: &Ratio) -> Option<i32> {
    let absolute = if *a < Ratio::zero() { Ratio::zero().minus(a) } else { a.clone() };
    (-300..300).find(|exponent| absolute < ten_to(*exponent + 1)).filter(|_| !a.is_zero())
}

pub(super) fn power(a: &Ratio, b: &Ratio) -> Option<Ratio> {
    match b.to_fraction_text().parse::<i64>() {
        Ok(exponent @ -64..=64) => {
            let mut product = Ratio::one();
            for _ in 0..exponent.unsigned_abs() {
                product = Some(product.times(a)).filter(is_small)?;
            }
            if exponent < 0 { Ratio::one().over(&product) } else { Some(product) }
        }
        _ => decimal_of(libm::pow(a.to_f64(), b.to_f64())),
    }
}

fn decimal_of(value: f64) -> Option<Ratio> {
    Decimal::from_f64(value).map(|value| Ratio::from_decimal(&value))
}

pub(super) fn absolute(a: &Ratio) -> Ratio {
    a.clone().max(Ratio::zero().minus(a))
}

/// Returns the result of a function whose values are fractions; `None` for other functions.
pub(super) fn exact(function: &str, a: &Ratio) -> Option<Ratio> {
    let zero = Ratio::zero();
    let negative = |a: &Ratio| zero.minus(a);
    Some(match function {
        "abs" => absolute(a),
        "signum" => Ratio::new(i64::from(*a > zero) - i64::from(*a < zero), 1),
        "floor" => Ratio::new(floor(a)?, 1),
        "ceil" => Ratio::new(-floor(&negative(a))?, 1),
        _ => return None,
    })
}

/// Returns the multiples of a power of ten on both sides of a number, with `figures` significant figures; they are equal
/// if the number is one. `None` for very large numbers.
pub(super) fn rounded_both_ways(a: &Ratio, figures: i32) -> Option<(Ratio, Ratio)> {
    if a.is_zero() {
        return Some((a.clone(), a.clone()));
    }
    let unit = ten_to(magnitude(a)? - figures + 1);
    let count = floor(&a.over(&unit)?)?;
    let below = Ratio::new(count, 1).times(&unit);
    let above = if below == *a { below.clone() } else { Ratio::new(count.checked_add(1)?, 1).times(&unit) };
    Some((below, above))
}

pub(super) fn math(function: &str, a: f64, b: Option<f64>) -> Option<f64> {
    Some(match function {
        "sin" => libm::sin(a),
        "cos" => libm::cos(a),
        "tan" => libm::tan(a),
        "sec" => 1.0 / libm::cos(a),
        "csc" => 1.0 / libm::sin(a),
        "cot" => 1.0 / libm::tan(a),
        "asin" => libm::asin(a),
        "acos" => libm::acos(a),
        "atan" => libm::atan(a),
        "atan2" => libm::atan2(a, b?),
        "sinh" => libm::sinh(a),
        "cosh" => libm::cosh(a),
        "tanh" => libm::tanh(a),
        "log" => libm::log10(a),
        "ln" => libm::log(a),
        "exp" => libm::exp(a),
        "abs" => a.abs(),
        "signum" => {
            if a == 0.0 {
                0.0
            } else {
                a.signum()
            }
        }
        "floor" => libm::floor(a),
        "ceil" => libm::ceil(a),
        "toDegrees" => a.to_degrees(),
        "toRadians" => a.to_radians(),
        _ => return None,
    })
}

pub(super) fn stats(name: &str, all: &[Ratio]) -> Option<Value> {
    let count = all.len() as i64;
    let sum = all.iter().fold(Ratio::zero(), |sum, one| sum.plus(one));
    let mean = sum.over(&Ratio::new(count, 1))?;
    let squares = all.iter().fold(Ratio::zero(), |sum, one| {
        let off = one.minus(&mean);
        sum.plus(&off.times(&off))
    });
    let over = |below: i64| squares.over(&Ratio::new(below, 1));
    Some(match name {
        "mean" => Value::number(mean),
        "sampleVariance" => over(count - 1).map_or(Value::Null, Value::number),
        "popVariance" => over(count).map_or(Value::Null, Value::number),
        "sampleSD" => over(count - 1).map_or(Value::Null, |variance| float(libm::sqrt(variance.to_f64()))),
        "popSD" => over(count).map_or(Value::Null, |variance| float(libm::sqrt(variance.to_f64()))),
        _ => return None,
    })
}

/// Returns a number as a decimal that a learner could type; `None` if [`decimal`] returns `None`.
pub(super) fn typed(ratio: &Ratio) -> Option<String> {
    decimal(ratio).map(|value| value.to_string())
}
