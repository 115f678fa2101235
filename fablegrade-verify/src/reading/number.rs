//! Plain numbers, represented exactly by a sign, digits and a power of ten.

/// A decimal number: `±0.d₁d₂d₃… · 10^scale`, without leading or trailing zeros; zero has no digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    negative: bool,
    digits: Vec<u8>,
    scale: i64,
}

/// A number, with the details of how it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    pub(crate) number: Number,
    /// The number of digits after the decimal point; `None` without a point.
    pub(crate) fraction_digits: Option<u32>,
    /// The exponent of the power of ten after the digits, or 0.
    pub(crate) exponent: i64,
    /// The number of digits from the first nonzero digit on.
    pub(crate) significant: u32,
    /// Whether thousands are separated, or the decimal point is a comma.
    pub(crate) grouped: bool,
    /// Whether the last separator is a comma, which could also separate two numbers of a list.
    pub(crate) comma: bool,
}

/// The maximum length of a plain number, in bytes.
const MOST_DIGITS: usize = 4_096;

impl Number {
    fn new(negative: bool, digits: &[u8], scale: i64) -> Self {
        let leading = digits.iter().take_while(|digit| **digit == 0).count();
        let trailing = digits.iter().rev().take_while(|digit| **digit == 0).count();
        if leading == digits.len() {
            return Self { negative: false, digits: Vec::new(), scale: 0 };
        }
        Self {
            negative,
            digits: digits[leading..digits.len() - trailing].to_vec(),
            scale: scale - leading as i64,
        }
    }

    /// Returns the number with its decimal point moved `by` places to the right.
    pub(crate) fn shifted(&self, by: i64) -> Self {
        let mut shifted = self.clone();
        if !shifted.digits.is_empty() {
            shifted.scale += by;
        }
        shifted
    }

    /// Returns whether the number is below zero.
    pub(crate) fn is_negative(&self) -> bool {
        self.negative
    }

    /// Returns the absolute value.
    pub(crate) fn magnitude(self) -> Self {
        Self { negative: false, ..self }
    }

    /// Returns the number rounded to `places` decimal places, with halves away from zero.
    pub(crate) fn rounded(&self, places: i64) -> Self {
        let kept = self.scale + places;
        if kept >= self.digits.len() as i64 {
            return self.clone();
        }
        if kept < 0 {
            return Self::new(false, &[], 0);
        }
        let kept = kept as usize;
        let up = self.digits[kept] >= 5;
        let mut digits = Vec::with_capacity(kept + 1);
        digits.push(0);
        digits.extend_from_slice(&self.digits[..kept]);
        if up {
            for digit in digits.iter_mut().rev() {
                *digit += 1;
                if *digit < 10 {
                    break;
                }
                *digit = 0;
            }
        }
        Self::new(self.negative, &digits, self.scale + 1)
    }

    /// Returns whether the numbers differ only by the rounding noise of doubles.
    ///
    /// One of them has 15 to 18 digits, and both are equal when rounded to 15 significant digits. If the reference
    /// `self` is written in full as an integer (`in_full`), it must also have at most 15 digits, and the other number
    /// must not be an integer.
    pub(crate) fn is_float_noise(&self, other: &Self, in_full: bool) -> bool {
        if in_full && (other.is_whole() || self.scale > 15) {
            return false;
        }
        let long = |number: &Self| (15..=18).contains(&number.digits.len());
        let round = |number: &Self| number.rounded(15 - number.scale);
        (long(self) || long(other)) && !self.digits.is_empty() && round(self) == round(other)
    }

    /// Returns the number as LaTeX, or `None` if its power of ten is out of bounds.
    pub(crate) fn to_latex(&self) -> Option<String> {
        if self.digits.is_empty() {
            return Some("0".into());
        }
        let mut out = String::new();
        if self.negative {
            out.push('-');
        }
        let count = self.digits.len() as i64;
        if !(-400..=1_000).contains(&self.scale) {
            return None;
        }
        let push =
            |out: &mut String, digits: &[u8]| out.extend(digits.iter().map(|digit| char::from(b'0' + digit)));
        if self.scale <= 0 {
            out.push_str("0.");
            (0..-self.scale).for_each(|_| out.push('0'));
            push(&mut out, &self.digits);
        } else if self.scale >= count {
            push(&mut out, &self.digits);
            (count..self.scale).for_each(|_| out.push('0'));
        } else {
            let (whole, fraction) = self.digits.split_at(self.scale as usize);
            push(&mut out, whole);
            out.push('.');
            push(&mut out, fraction);
        }
        Some(out)
    }

    /// Returns whether the number is an integer.
    pub(crate) fn is_whole(&self) -> bool {
        self.scale >= self.digits.len() as i64
    }
}

/// Reads a text that is a single number. `grouping` allows separated thousands and decimal commas.
pub(crate) fn read(text: &str, grouping: bool) -> Option<Written> {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        if inner.contains(',') {
            // a pair, not a number
            return None;
        }
        text = inner.trim();
    }
    let first = *text.as_bytes().first()?;
    if !first.is_ascii_digit() && !matches!(first, b'-' | b'+' | b'.' | b'{') {
        return None;
    }
    let mut negative = false;
    let mut signs = 0;
    while let Some(rest) = text.strip_prefix(['-', '+']) {
        negative ^= text.starts_with('-');
        text = rest.trim_start();
        signs += 1;
    }
    if signs > 2 {
        return None;
    }
    let text = super::super::notation::strip_outer_braces(text);
    let (mantissa, exponent) = split_exponent(text)?;
    let mantissa = read_mantissa(mantissa, grouping)?;
    let Mantissa { digits, fraction, grouped, comma } = mantissa;
    let scale = digits.len() as i64 - i64::from(fraction.unwrap_or(0)) + exponent;
    let leading = digits.iter().take_while(|digit| **digit == 0).count();
    Some(Written {
        significant: (digits.len() - leading) as u32,
        number: Number::new(negative, &digits, scale),
        fraction_digits: fraction,
        exponent,
        grouped,
        comma,
    })
}

/// Splits `4.5\times10^{33}` into the digits and the exponent.
fn split_exponent(text: &str) -> Option<(&str, i64)> {
    let Some(at) = text.find(['\\', 'e', 'E', '*']) else { return Some((text, 0)) };
    let (mantissa, rest) = text.split_at(at);
    let power = ["\\cdot", "\\times", "*"]
        .iter()
        .find_map(|times| rest.strip_prefix(times))
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix("10^").or_else(|| rest.strip_prefix("{10}^")));
    let exponent = match power {
        Some(power) => {
            let digits = power.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
            let digits = digits.unwrap_or(power);
            if power.len() == digits.len() && digits.trim_start_matches('-').len() > 1 {
                return None;
            }
            digits
        }
        None => rest.strip_prefix(['e', 'E'])?,
    };
    let exponent = exponent.trim();
    if exponent.trim_start_matches(['-', '+']).len() > 6 || !exponent.ends_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let exponent: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    Some((mantissa.trim_end(), exponent))
}

struct Mantissa {
    digits: Vec<u8>,
    fraction: Option<u32>,
    grouped: bool,
    comma: bool,
}

fn read_mantissa(text: &str, grouping: bool) -> Option<Mantissa> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || bytes.len() > MOST_DIGITS {
        return None;
    }
    let mut digits = Vec::with_capacity(bytes.len());
    // for each separator, the number of digits before it and its sign, with `{` for `{,}`
    let mut separators: Vec<(usize, u8)> = Vec::new();
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'0'..=b'9' => digits.push(byte - b'0'),
            b'{' if bytes.get(place + 2) == Some(&b'}')
                && matches!(bytes.get(place + 1), Some(b',' | b'.')) =>
            {
                separators.push((digits.len(), if bytes[place + 1] == b',' { b'{' } else { b'.' }));
                place += 2;
            }
            b',' | b'.' | b'\'' | b'_' => separators.push((digits.len(), byte)),
            b' ' => {
                // the comma and the space in `1, 000` are one separator
                match separators.last_mut() {
                    Some((at, b',')) if *at == digits.len() && bytes.get(place + 1) == Some(&b'0') => {}
                    _ => separators.push((digits.len(), b' ')),
                }
            }
            _ => return None,
        }
        place += 1;
    }
    if digits.is_empty() {
        return None;
    }
    let total = digits.len();
    let mantissa = |fraction: Option<usize>, grouped, comma, digits| {
        Some(Mantissa { digits, fraction: fraction.map(|count| count as u32), grouped, comma })
    };
    match separators.as_slice() {
        [] => mantissa(None, false, false, digits),
        [(at, b'.')] => mantissa(Some(total - at), false, false, digits),
        _ if !grouping => None,
        _ => {
            // the last separator is a decimal point if it occurs once and differs from the others
            let (at, last) = *separators.last()?;
            let others = &separators[..separators.len() - 1];
            let decimal = match last {
                b'.' => others.iter().all(|(_, other)| *other != b'.'),
                b',' | b'{' => {
                    others.iter().all(|(_, other)| matches!(other, b'.' | b' ' | b'\''))
                        && (total - at != 3 || !others.is_empty() || at == 0 || at > 3 || digits[..at] == [0])
                        && total > at
                }
                _ => false,
            };
            let (whole, groups) = if decimal { (at, others) } else { (total, separators.as_slice()) };
            let comma = matches!(last, b',');
            let kind = groups.first().map(|(_, kind)| *kind);
            let regular = groups
                .iter()
                .all(|(_, other)| Some(*other) == kind || (*other == b'{' && kind == Some(b',')))
                && (kind != Some(b'.') || decimal || groups.len() > 1)
                && groups.first().is_none_or(|(first, _)| (1..=3).contains(first))
                && groups.windows(2).all(|pair| pair[1].0 - pair[0].0 == 3)
                && groups.last().is_none_or(|(before, _)| whole.checked_sub(*before) == Some(3));
            let started_by_zero = !groups.is_empty() && digits.first() == Some(&0);
            if !regular || started_by_zero {
                return None;
            }
            mantissa(decimal.then_some(total - whole), true, comma, digits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn same(a: &str, b: &str) -> bool {
        match (read(a, true), read(b, true)) {
            (Some(a), Some(b)) => a.number == b.number,
            _ => false,
        }
    }

    #[test]
    fn numbers_are_read_with_their_separators() {
        for (a, b) in [
            ("1,000,000", "1000000"),
            ("1 000", "1000"),
            ("1{,}234.5", "1234.5"),
            ("1.234,5", "1234.5"),
            ("3,14", "3.14"),
            ("12'345", "12345"),
            ("1.234.567", "1234567"),
            ("12_345", "12345"),
            ("1, 000", "1000"),
            ("007", "7"),
            (".5", "0.50"),
            ("+5", "5"),
            ("--7", "7"),
            ("1.5\\times10^{3}", "1500"),
            ("3\\cdot10^{-5}", "0.00003"),
            ("3\\times 10^8", "300000000"),
            ("(5)", "5"),
        ] {
            assert!(same(a, b), "{a} {b}");
        }
        for (a, b) in [("1.000", "1000"), ("4 2", "42"), ("1,23,4", "1234"), ("-7", "7"), ("1, 234", "1234")]
        {
            assert!(!same(a, b), "{a} {b}");
        }
        assert!(read("x", true).is_none());
        assert!(read("1,2,3", true).is_none());
    }

    #[test]
    fn rounding_is_exact() {
        let number = |text| read(text, false).map(|written| written.number);
        let rounded = |text, places| number(text).map(|number| number.rounded(places));
        assert_eq!(rounded("0.0273", 2), number("0.03"));
        assert_eq!(rounded("99.96", 1), number("100"));
        assert_eq!(rounded("0.4", 0), number("0"));
        assert_eq!(rounded("-16386.166", 2), number("-16386.17"));
        let noise = |a, b| number(a).zip(number(b)).is_some_and(|(a, b)| a.is_float_noise(&b, false));
        assert!(noise("0.30000000000000004", "0.3"));
        assert!(noise("0.09999999999999998", "0.1"));
        assert!(!noise("0.99999999", "1"));
    }
}
