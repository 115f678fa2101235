//! Exact decimals: numbers as written in JSON documents, never rounded to binary.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use dashu_int::{IBig, UBig};

use crate::nearest::nearest;

/// A decimal number `coefficient * 10^exponent`, kept exactly.
///
/// Two decimals are equal when their values are: `1`, `1.0` and `1e0` are the same. Numbers read from JSON
/// documents are in the range of IEEE double precision. Their sums and products are exact and can leave this
/// range.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Decimal {
    /// The coefficient; not divisible by ten unless zero.
    coefficient: IBig,
    /// The exponent; zero if the coefficient is zero.
    exponent: i32,
}

/// The reason why a text is not a [`Decimal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a decimal number in the range of IEEE double precision")]
pub struct NotADecimal;

impl Decimal {
    /// Returns zero.
    pub fn zero() -> Self {
        Self { coefficient: IBig::ZERO, exponent: 0 }
    }

    /// Returns one.
    pub fn one() -> Self {
        Self::from(1)
    }

    /// Returns `coefficient * 10^exponent`.
    pub fn new(coefficient: i64, exponent: i32) -> Self {
        Self::normalised(IBig::from(coefficient), exponent)
    }

    fn normalised(mut coefficient: IBig, mut exponent: i32) -> Self {
        if coefficient == IBig::ZERO {
            return Self::zero();
        }
        // Most numbers are short, so machine division is enough.
        if let Ok(mut small) = i128::try_from(&coefficient) {
            let before = small;
            while small % 10 == 0 {
                small /= 10;
                exponent = exponent.saturating_add(1);
            }
            if small != before {
                coefficient = IBig::from(small);
            }
            return Self { coefficient, exponent };
        }
        let ten = IBig::from(10);
        loop {
            let (quotient, rest) = dashu_div(&coefficient, &ten);
            if rest != IBig::ZERO {
                return Self { coefficient, exponent };
            }
            coefficient = quotient;
            exponent = exponent.saturating_add(1);
        }
    }

    /// Reads a number exactly: JSON's syntax, and also a leading `+`, leading zeros, `.5` and `5.`.
    ///
    /// # Errors
    /// [`NotADecimal`] if the text has another form, is longer than 70,000 characters, or overflows or
    /// underflows IEEE double precision.
    pub fn from_text(text: &str) -> Result<Self, NotADecimal> {
        let decimal = Self::from_text_unbounded(text).ok_or(NotADecimal)?;
        let value: f64 = decimal.to_f64();
        if value.is_infinite() || (value == 0.0 && !decimal.is_zero()) {
            return Err(NotADecimal);
        }
        Ok(decimal)
    }

    /// Works like [`Decimal::from_text`], but is not limited to the range of `f64`; the exponent must be
    /// within ±1,000,000.
    pub(crate) fn from_text_unbounded(text: &str) -> Option<Self> {
        if text.len() > 70_000 {
            return None;
        }
        let bytes = text.as_bytes();
        let (negative, rest) = match bytes.first()? {
            b'-' => (true, &bytes[1..]),
            b'+' => (false, &bytes[1..]),
            _ => (false, bytes),
        };
        let (mantissa, power) = match rest.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            None => (rest, 0i64),
            Some(at) => (&rest[..at], exponent(&rest[at + 1..])?),
        };
        let mut small: u128 = 0;
        let mut digits = 0usize;
        let mut significant = 0usize;
        let mut fraction = 0i64;
        let mut point = false;
        for &byte in mantissa {
            match byte {
                b'.' if !point => point = true,
                b'0'..=b'9' => {
                    digits += 1;
                    if significant > 0 || byte != b'0' {
                        significant += 1;
                    }
                    if significant <= 38 {
                        small = small * 10 + u128::from(byte - b'0');
                    }
                    fraction += i64::from(point);
                }
                _ => return None,
            }
        }
        if digits == 0 {
            return None;
        }
        let magnitude = if significant <= 38 {
            UBig::from(small)
        } else {
            let mut text: Vec<u8> = mantissa.iter().copied().filter(|&byte| byte != b'.').collect();
            while text.len() > 1 && text.last() == Some(&b'0') {
                text.pop();
                fraction -= 1;
            }
            UBig::from_str_radix(std::str::from_utf8(&text).ok()?, 10).ok()?
        };
        let coefficient = if negative { -IBig::from(magnitude) } else { IBig::from(magnitude) };
        if coefficient == IBig::ZERO {
            return Some(Self::zero());
        }
        let exponent = power.checked_sub(fraction)?;
        if exponent.unsigned_abs() > 1_000_000 {
            return None;
        }
        Some(Self::normalised(coefficient, i32::try_from(exponent).ok()?))
    }

    /// Returns the shortest decimal that rounds to `value`; `None` for infinities and NaN.
    ///
    /// A binary float of a host language is read this way: `0.1` becomes one tenth.
    pub fn from_f64(value: f64) -> Option<Self> {
        if !value.is_finite() {
            return None;
        }
        Self::from_text_unbounded(&format!("{value:e}"))
    }

    /// Returns the nearest `f64`, ties to even; infinite or zero if out of range.
    pub fn to_f64(&self) -> f64 {
        nearest(&self.coefficient, self.exponent)
    }

    /// Returns whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.coefficient == IBig::ZERO
    }

    /// Returns whether this is below zero.
    pub fn is_negative(&self) -> bool {
        self.coefficient < IBig::ZERO
    }

    /// Returns whether this is an integer (`3.0` is).
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Returns the value as `i64`, if it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        if !(0..=19).contains(&self.exponent) {
            return None;
        }
        let small = i64::try_from(&self.coefficient).ok()?;
        small.checked_mul(10i64.checked_pow(self.exponent.unsigned_abs())?)
    }

    /// Returns whether exact arithmetic on this number is cheap (an exponent within ±4,096).
    pub(crate) fn is_moderate(&self) -> bool {
        self.exponent.unsigned_abs() <= 4_096
    }

    /// Returns the absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    /// Returns the value with the opposite sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { coefficient: -self.coefficient.clone(), exponent: self.exponent }
    }

    /// Returns the exact sum.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        Self::normalised(self.scaled(exponent) + other.scaled(exponent), exponent)
    }

    /// Returns the exact difference.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        self.add(&other.negate())
    }

    /// Returns the exact product.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Self {
        Self::normalised(&self.coefficient * &other.coefficient, self.exponent.saturating_add(other.exponent))
    }

    /// Returns the largest integer that is not above this value.
    #[must_use]
    pub fn floor(&self) -> Self {
        if self.is_integer() {
            return self.clone();
        }
        let power = IBig::from(UBig::from(10u8).pow(self.exponent.unsigned_abs() as usize));
        let (quotient, rest) = dashu_div(&self.coefficient, &power);
        // Division truncates towards zero.
        let floor = if rest < IBig::ZERO { quotient - IBig::ONE } else { quotient };
        Self::normalised(floor, 0)
    }

    /// Returns the smallest integer that is not below this value.
    #[must_use]
    pub fn ceil(&self) -> Self {
        self.negate().floor().negate()
    }

    /// Returns the fraction `numerator / denominator` with the same value.
    pub fn to_fraction(&self) -> (IBig, UBig) {
        let power = UBig::from(10u8).pow(self.exponent.unsigned_abs() as usize);
        if self.exponent >= 0 {
            (&self.coefficient * IBig::from(power), UBig::ONE)
        } else {
            (self.coefficient.clone(), power)
        }
    }

    /// Returns the coefficient that represents the same value with the smaller `exponent`.
    fn scaled(&self, exponent: i32) -> IBig {
        let shift = self.exponent.saturating_sub(exponent).unsigned_abs() as usize;
        if shift == 0 {
            return self.coefficient.clone();
        }
        &self.coefficient * IBig::from(UBig::from(10u8).pow(shift))
    }

    /// Returns the number of digits before the decimal point; for values below 1, minus the number of zeros
    /// directly after it.
    fn magnitude(&self) -> i64 {
        let digits = self.coefficient.to_string();
        digits.trim_start_matches('-').len() as i64 + i64::from(self.exponent)
    }

    /// Writes the number as ECMAScript prints it, but with all digits (as in RFC 8785 for up to 15 digits).
    pub(crate) fn write(&self, out: &mut String) {
        use std::fmt::Write as _;
        if let Ok(small) = i64::try_from(&self.coefficient)
            && self.exponent == 0
        {
            let _ = write!(out, "{small}");
            return;
        }
        let text = self.coefficient.to_string();
        let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
        let count = digits.len() as i64;
        let point = count + i64::from(self.exponent);
        out.push_str(sign);
        if (count..=21).contains(&point) {
            out.push_str(digits);
            out.extend(std::iter::repeat_n('0', (point - count) as usize));
        } else if (1..=21).contains(&point) {
            out.push_str(&digits[..point as usize]);
            out.push('.');
            out.push_str(&digits[point as usize..]);
        } else if (-5..=0).contains(&point) {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', -point as usize));
            out.push_str(digits);
        } else {
            out.push_str(&digits[..1]);
            if count > 1 {
                out.push('.');
                out.push_str(&digits[1..]);
            }
            let _ = write!(out, "e{}{}", if point > 0 { "+" } else { "-" }, (point - 1).unsigned_abs());
        }
    }
}

fn exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().try_fold(0i64, |value, &byte| {
        byte.is_ascii_digit().then(|| value.saturating_mul(10).saturating_add(i64::from(byte - b'0')))
    })?;
    Some(if negative { -value } else { value })
}

fn dashu_div(dividend: &IBig, divisor: &IBig) -> (IBig, IBig) {
    (dividend / divisor, dividend % divisor)
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::new(value, 0)
    }
}

impl FromStr for Decimal {
    type Err = NotADecimal;

    fn from_str(text: &str) -> Result<Self, NotADecimal> {
        Self::from_text(text)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.coefficient.cmp(&other.coefficient);
        }
        let signs = self.coefficient.cmp(&IBig::ZERO).cmp(&other.coefficient.cmp(&IBig::ZERO));
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        // If the exponents are far apart, the magnitudes usually decide without writing out the zeros.
        if self.exponent.abs_diff(other.exponent) > 64 {
            let magnitudes = self.magnitude().cmp(&other.magnitude());
            if magnitudes != Ordering::Equal {
                return if self.is_negative() { magnitudes.reverse() } else { magnitudes };
            }
        }
        let exponent = self.exponent.min(other.exponent);
        self.scaled(exponent).cmp(&other.scaled(exponent))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_text(text).unwrap()
    }

    #[test]
    fn equal_values_are_equal_however_they_are_written() {
        for group in
            [["1", "1.0", "1e0", "10e-1"], ["0", "-0", "0.000", "0e5"], ["1200", "1.2e3", "12e2", "1200.0"]]
        {
            for text in group {
                assert_eq!(decimal(text), decimal(group[0]), "{text}");
            }
        }
    }

    #[test]
    fn numbers_beyond_double_precision_keep_their_digits() {
        assert_ne!(decimal("2432902008176640001"), decimal("2432902008176640000"));
        assert_ne!(decimal("0.1"), decimal("0.1000000000000000055511151231257827"));
        let long = "1".repeat(60);
        assert_eq!(decimal(&long).to_string(), format!("1.{}e+59", "1".repeat(59)));
    }

    #[test]
    fn sums_and_products_are_exact() {
        assert_eq!(decimal("0.1").add(&decimal("0.2")), decimal("0.3"));
        assert_eq!(decimal("0.3").add(&decimal("0.1")), decimal("0.4"));
        assert_eq!(decimal("7").multiply(&decimal("0.1")), decimal("0.7"));
        assert_eq!(
            decimal("1e308").multiply(&decimal("10")).subtract(&decimal("1e308")).multiply(&decimal("0.1")),
            { decimal("9e307").multiply(&decimal("1")) }
        );
    }

    #[test]
    fn the_range_of_double_precision_is_the_range() {
        for text in [
            "1e400",
            "-1e309",
            "1e-400",
            "1.7976931348623159e308",
            "4e-325",
            "",
            "-",
            ".",
            "1e",
            "0x1",
            "١",
            "NaN",
        ] {
            assert_eq!(Decimal::from_text(text), Err(NotADecimal), "{text}");
        }
        for text in ["1.7976931348623157e308", "5e-324", "0e999999", "-0.0"] {
            assert!(Decimal::from_text(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn printed_like_ecmascript() {
        for (text, printed) in [
            ("1.0", "1"),
            ("-0", "0"),
            ("0.5", "0.5"),
            ("1e21", "1e+21"),
            ("1e20", "100000000000000000000"),
            ("0.000001", "0.000001"),
            ("0.0000001", "1e-7"),
            ("123456.789", "123456.789"),
            ("-1.5e-9", "-1.5e-9"),
        ] {
            assert_eq!(decimal(text).to_string(), printed);
        }
    }

    #[test]
    fn order_follows_the_value() {
        let sorted = [
            "-1e300",
            "-2",
            "-1.5",
            "-1e-300",
            "0",
            "1e-300",
            "0.3",
            "0.30000000000000001",
            "1e2",
            "101",
            "1e300",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                assert_eq!(decimal(a).cmp(&decimal(b)), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn floor_and_ceiling() {
        for (text, floor, ceil) in [
            ("2.5", "2", "3"),
            ("-2.5", "-3", "-2"),
            ("4", "4", "4"),
            ("1e-9", "0", "1"),
            ("-1e-9", "-1", "0"),
        ] {
            assert_eq!(decimal(text).floor(), decimal(floor));
            assert_eq!(decimal(text).ceil(), decimal(ceil));
        }
    }

    proptest::proptest! {
        #[test]
        fn a_float_enters_by_its_shortest_text_and_comes_back(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL | proptest::num::f64::ZERO) {
            let decimal = Decimal::from_f64(value).unwrap();
            proptest::prop_assert_eq!(decimal.to_f64(), value);
            proptest::prop_assert_eq!(Decimal::from_text(&decimal.to_string()).unwrap(), decimal);
        }

        #[test]
        fn addition_undoes_subtraction(a in -1_000_000_000i64..1_000_000_000, x in -20i32..20, b in -1_000_000_000i64..1_000_000_000, y in -20i32..20) {
            let (a, b) = (Decimal::new(a, x), Decimal::new(b, y));
            proptest::prop_assert_eq!(a.subtract(&b).add(&b), a.clone());
            proptest::prop_assert_eq!(a.cmp(&b), a.subtract(&b).cmp(&Decimal::zero()));
        }
    }
}
