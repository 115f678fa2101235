//! Exact parsing of decimal text, and formatting.

use crate::limits::DIGITS;
use core::fmt;

use dashu_int::{IBig, UBig};

use super::{MAX_BITS, Rational};

impl Rational {
    /// Returns the exact value of decimal text: `-12`, `.5`, `3.`, `1.50`, `2e-3`, `+6.02E23`.
    ///
    /// Returns `None` if the text has another form (no digits, blanks, separators) or the number is too long.
    pub fn from_decimal_text(text: &str) -> Option<Rational> {
        let (negative, rest) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let mut digits: u64 = 0;
        let mut long = Vec::new();
        let (mut seen, mut fraction_digits, mut in_fraction) = (0usize, 0i64, false);
        let mut position = 0;
        while let Some(&byte) = rest.get(position) {
            match byte {
                b'0'..=b'9' => {
                    seen += 1;
                    fraction_digits += i64::from(in_fraction);
                    if seen > DIGITS {
                        return None;
                    }
                    if seen <= 18 {
                        digits = digits * 10 + u64::from(byte - b'0');
                    } else {
                        if long.is_empty() {
                            long.extend(rest.iter().take(position).filter(|digit| digit.is_ascii_digit()));
                        }
                        long.push(byte);
                    }
                }
                b'.' if !in_fraction => in_fraction = true,
                b'e' | b'E' => break,
                _ => return None,
            }
            position += 1;
        }
        if seen == 0 {
            return None;
        }
        let mut exponent = 0i64;
        if position < rest.len() {
            exponent = read_exponent(rest.get(position + 1..)?)?;
        }
        exponent -= fraction_digits;
        if long.is_empty() && (-18..=0).contains(&exponent) {
            let top = i128::from(digits);
            let bottom = 10i128.pow((-exponent) as u32);
            return Some(Rational::from_wide(if negative { -top } else { top }, bottom));
        }
        let magnitude = if long.is_empty() {
            UBig::from(digits)
        } else {
            UBig::from_str_radix(core::str::from_utf8(&long).ok()?, 10).ok()?
        };
        let numerator = if negative { -IBig::from(magnitude) } else { IBig::from(magnitude) };
        if numerator.is_zero() {
            return Some(Rational::ZERO);
        }
        // 10^k has more than 3 k bits.
        let places = usize::try_from(exponent.unsigned_abs()).ok()?;
        if places > MAX_BITS / 3 {
            return None;
        }
        let power = UBig::from(10u8).pow(places);
        if exponent >= 0 {
            Rational::from_integers(numerator * IBig::from(power), UBig::ONE)
        } else {
            Rational::from_integers(numerator, power)
        }
    }
}

fn read_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        // The value saturates far above every limit.
        value = (value * 10 + i64::from(digit - b'0')).min(1_000_000_000);
    }
    Some(if negative { -value } else { value })
}

impl fmt::Display for Rational {
    /// Writes `p` or `p/q`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_small() {
            Some((numerator, 1)) => write!(formatter, "{numerator}"),
            Some((numerator, denominator)) => write!(formatter, "{numerator}/{denominator}"),
            None if self.is_integer() => write!(formatter, "{}", self.numerator()),
            None => write!(formatter, "{}/{}", self.numerator(), self.denominator()),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
