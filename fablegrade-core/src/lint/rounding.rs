//! Decimals that are rounded exact values: a simple fraction, a root, a logarithm, a multiple of π or e.

use fablegrade_math::number::Rational;
use fablegrade_public::Decimal;

/// Returns whether a decimal with `places` decimal places is a rounded simple fraction or common constant.
pub(super) fn is_rounded(value: &Decimal, places: usize) -> bool {
    let Some(exact) = Rational::from_decimal_text(&value.abs().to_string()) else { return false };
    is_rounded_fraction(&exact, places) || is_rounded_constant(exact.to_f64(), places)
}

/// Returns whether a text contains a decimal that has at least six significant digits or is a rounded exact
/// value.
pub(super) fn has_rounded_number(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').take(100).any(|number| {
        let Some((whole, places)) = number.split_once('.') else { return false };
        if whole.is_empty() || places.is_empty() || places.contains('.') || number.len() > 20 {
            return false;
        }
        let significant = number.replace('.', "").trim_start_matches('0').trim_end_matches('0').len();
        let Some(value) = Rational::from_decimal_text(number) else { return false };
        let thirds = places.len() == 2 && matches!(places, "33" | "66" | "67");
        significant >= 6
            || thirds
            || is_rounded_fraction(&value, places.len())
            || is_rounded_constant(value.to_f64(), places.len())
    })
}

/// Returns whether a value is a fraction with a small denominator, rounded or truncated to at least three
/// decimal places: 0.333, 1.6667.
fn is_rounded_fraction(value: &Rational, places: usize) -> bool {
    if !(3..=15).contains(&places) {
        return false;
    }
    let Some(scale) = Rational::from(10).checked_pow(places as i64) else { return false };
    [3i64, 6, 7, 9, 11, 12].iter().any(|&below| {
        let Some(above) = value.checked_mul(&Rational::from(below)) else { return false };
        let Some(fraction) = above.round().checked_div(&Rational::from(below)) else { return false };
        let rounded = fraction.checked_mul(&scale).map(|scaled| scaled.round());
        let cut = fraction.checked_mul(&scale).map(|scaled| scaled.floor());
        let here = value.checked_mul(&scale);
        fraction != *value && !fraction.is_integer() && (here == rounded || here == cut)
    })
}

/// Constants, each with the number of decimal places from which it is recognised.
const CONSTANTS: [(f64, usize); 14] = [
    (std::f64::consts::PI, 2),
    (std::f64::consts::TAU, 3),
    (std::f64::consts::FRAC_PI_2, 3),
    (std::f64::consts::FRAC_PI_3, 3),
    (std::f64::consts::FRAC_PI_4, 3),
    (std::f64::consts::FRAC_PI_6, 3),
    (std::f64::consts::E, 3),
    (7.389_056_098_930_65, 3),
    (0.367_879_441_171_442_33, 3),
    (1.618_033_988_749_895, 3),
    (std::f64::consts::FRAC_1_SQRT_2, 3),
    (0.866_025_403_784_438_6, 3),
    (0.577_350_269_189_625_8, 3),
    (std::f64::consts::LN_2, 3),
];

/// Natural logarithms of 3 to 10.
const LOGARITHMS: [f64; 8] = [
    1.0986122886681098,
    1.3862943611198906,
    1.6094379124341003,
    1.791759469228055,
    1.9459101490553132,
    2.0794415416798357,
    2.1972245773362196,
    std::f64::consts::LN_10,
];

/// The largest integer whose square root is recognised. With more roots, decimals with three places would
/// match by chance.
const LARGEST_ROOT: f64 = 50.0;

fn is_rounded_constant(value: f64, places: usize) -> bool {
    if !(2..=14).contains(&places) {
        return false;
    }
    let scale = (0..places).fold(1.0f64, |scale, _| scale * 10.0);
    let is = |constant: f64| ((constant * scale).round() / scale - value).abs() < 0.1 / scale;
    if CONSTANTS.iter().any(|&(constant, least)| places >= least && is(constant)) {
        return true;
    }
    let below = (value * value).round();
    let root = below.sqrt();
    places >= 3
        && (((2.0..=LARGEST_ROOT).contains(&below) && root.fract() != 0.0 && is(root))
            || LOGARITHMS.iter().any(|&constant| is(constant)))
}

#[cfg(test)]
mod tests {
    use super::has_rounded_number;

    #[test]
    fn roundings_are_told_from_decimals() {
        for rounded in
            ["0.333x", "1.6667", "3.14r^2", "1.414", "5.196x", "1.386", "0.67x", "0.142857", "2.718", "1.618"]
        {
            assert!(has_rounded_number(rounded), "{rounded}");
        }
        for exact in
            ["0.25x", "1.5", "0.125", "3.2", "0.35", "9.81t", "4.9t^2", "1.05^n", "0.02x", "2.50", "1.2.3"]
        {
            assert!(!has_rounded_number(exact), "{exact}");
        }
    }
}
