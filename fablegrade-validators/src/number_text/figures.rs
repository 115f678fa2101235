//! Significant figures and decimal places of a typed number, and rounding.

use dashu_base::{Abs, Signed};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::exact::ten_to;
use super::quantity::Digits;

impl Digits {
    /// Returns the least and the greatest number of significant figures that the digits can mean.
    ///
    /// Leading zeros never count. Trailing zeros count if a decimal sign or a power of ten was typed; otherwise they
    /// are ambiguous (`100` has 1 to 3 figures). Zero has as many figures as decimal places, but at least 1.
    pub(crate) fn significant(&self) -> (usize, usize) {
        let fraction = self.fraction.as_deref().unwrap_or_default();
        let digits: String = [self.whole.as_str(), fraction].concat();
        let counted = digits.trim_start_matches('0');
        if counted.is_empty() {
            let count = fraction.len().max(1);
            return (count, count);
        }
        if self.fraction.is_some() || self.power.is_some() {
            return (counted.len(), counted.len());
        }
        (counted.trim_end_matches('0').len(), counted.len())
    }

    /// Returns the number of digits after the decimal sign.
    pub(crate) fn decimals(&self) -> usize {
        self.fraction.as_ref().map_or(0, String::len)
    }

    /// Returns whether a single nonzero digit precedes the decimal sign, and a power of ten follows the digits.
    pub(crate) fn is_scientific(&self) -> bool {
        self.power.is_some() && self.whole.len() == 1 && self.whole != "0"
    }

    /// Returns the digits from the first nonzero digit on, without the power of ten.
    pub(crate) fn mantissa(&self) -> String {
        let fraction = self.fraction.as_deref().unwrap_or_default();
        [self.whole.as_str(), fraction].concat().trim_start_matches('0').to_owned()
    }
}

/// Returns the place of the first significant figure, as an exponent of ten; 0 for zero.
pub(crate) fn magnitude(value: &RBig) -> i64 {
    if value.is_zero() {
        return 0;
    }
    let value = value.clone().abs();
    let digits = |number: &UBig| number.to_string().len() as i64;
    let (above, below) = value.clone().into_parts();
    let (_, above) = above.into_parts();
    let guess = digits(&above) - digits(&below);
    if ten_to(guess) <= value { guess } else { guess - 1 }
}

/// Returns the nearest multiple of `10^place`; halves are rounded away from zero.
pub(crate) fn round_to_place(value: &RBig, place: i64) -> RBig {
    let scaled = value / ten_to(place);
    let (above, below) = scaled.abs().into_parts();
    let (_, above) = above.into_parts();
    let rounded = IBig::from((above * UBig::from(2u8) + &below) / (below * UBig::from(2u8)));
    let rounded = RBig::from(rounded) * ten_to(place);
    if value.is_negative() { -rounded } else { rounded }
}

/// Returns the value rounded toward zero to a multiple of `10^place`.
pub(crate) fn truncate_to_place(value: &RBig, place: i64) -> RBig {
    let (above, below) = (value / ten_to(place)).into_parts();
    RBig::from(above / IBig::from(below)) * ten_to(place)
}

/// Returns the place of the last of `figures` significant figures, as an exponent of ten.
pub(crate) fn last_place(value: &RBig, figures: usize) -> i64 {
    magnitude(value) + 1 - figures as i64
}

/// Returns the value rounded to `figures` significant figures, and the place of the last one.
pub(crate) fn round_to_figures(value: &RBig, figures: usize) -> (RBig, i64) {
    let place = last_place(value, figures);
    (round_to_place(value, place), place)
}

#[cfg(test)]
mod tests {
    use super::super::locale::Notation;
    use super::*;

    fn digits(text: &str) -> Digits {
        let (mut digits, used) = Notation::default().digits(text).unwrap();
        digits.power = text[used..].strip_prefix('e').map(|power| power.parse().unwrap());
        digits
    }

    #[test]
    fn figures_are_counted_as_typed() {
        for (text, least, most) in [
            ("0.001", 1, 1),
            ("0.00100", 3, 3),
            ("100", 1, 3),
            ("100.", 3, 3),
            ("1.00e2", 3, 3),
            ("25.00e1", 4, 4),
            ("0", 1, 1),
            ("0.0", 1, 1),
            ("0.00", 2, 2),
            ("00.120", 3, 3),
            ("121000", 3, 6),
            ("12.", 2, 2),
        ] {
            assert_eq!(digits(text).significant(), (least, most), "{text}");
        }
    }

    #[test]
    fn halves_round_away_from_zero() {
        let value = |above: i64, below: u64| RBig::from_parts(above.into(), below.into());
        assert_eq!(round_to_figures(&value(4975, 100_000), 3).0, value(498, 10_000));
        assert_eq!(round_to_figures(&value(-4975, 100_000), 3).0, value(-498, 10_000));
        assert_eq!(round_to_figures(&value(1, 7), 2), (value(14, 100), -2));
        assert_eq!(round_to_figures(&value(9996, 1), 3), (value(10_000, 1), 1));
        assert_eq!(truncate_to_place(&value(31415, 10_000), -3), value(3141, 1000));
        for (above, below, place) in [(1, 1, 0), (999, 1000, -1), (1000, 1, 3), (1, 1000, -3), (9, 10, -1)] {
            assert_eq!(magnitude(&value(above, below)), place, "{above}/{below}");
        }
    }
}
