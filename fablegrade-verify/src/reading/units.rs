//! Quantities: a value and what follows it, a unit, a currency or a noun.

use super::words::flatten;

/// What a unit is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Base {
    Metre,
    Gram,
    Second,
    Ampere,
    Kelvin,
    Mole,
    Bit,
    Celsius,
    Fahrenheit,
    Dollar,
    Euro,
    Pound,
    Yuan,
    Yen,
    Rupee,
}

const BASES: usize = Base::Rupee as usize + 1;

/// A unit: its dimension, and its size as a fraction; or the words that stand in its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Unit {
    powers: [i8; BASES],
    numerator: u128,
    denominator: u128,
    /// Words that are no known unit, such as `apples`.
    pub(crate) noun: Option<String>,
}

impl Unit {
    fn none() -> Self {
        Self { powers: [0; BASES], numerator: 1, denominator: 1, noun: None }
    }

    fn noun(words: String) -> Self {
        Self { noun: Some(words), ..Self::none() }
    }

    fn times(&mut self, other: &Self, power: i8) -> Option<()> {
        for (sum, more) in self.powers.iter_mut().zip(other.powers) {
            *sum = sum.checked_add(more.checked_mul(power)?)?;
        }
        let (top, bottom) = if power < 0 {
            (other.denominator, other.numerator)
        } else {
            (other.numerator, other.denominator)
        };
        for _ in 0..power.unsigned_abs() {
            self.numerator = self.numerator.checked_mul(top)?;
            self.denominator = self.denominator.checked_mul(bottom)?;
            let divisor = gcd(self.numerator, self.denominator);
            self.numerator /= divisor;
            self.denominator /= divisor;
        }
        Some(())
    }

    /// Whether it is money.
    pub(crate) fn is_currency(&self) -> bool {
        self.powers[Base::Dollar as usize..].iter().any(|power| *power != 0)
    }

    /// Whether two units measure the same.
    pub(crate) fn has_dimension_of(&self, other: &Self) -> bool {
        self.powers == other.powers
    }

    /// How many of `other` are one of this, as a fraction.
    pub(crate) fn in_units_of(&self, other: &Self) -> Option<(u128, u128)> {
        let top = self.numerator.checked_mul(other.denominator)?;
        let bottom = self.denominator.checked_mul(other.numerator)?;
        let divisor = gcd(top, bottom);
        Some((top / divisor, bottom / divisor))
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// One unit by its name or sign.
fn known(word: &str) -> Option<Unit> {
    let unit = |powers: &[(Base, i8)], numerator: u128, denominator: u128| {
        let mut unit = Unit { numerator, denominator, ..Unit::none() };
        for (base, power) in powers {
            unit.powers[*base as usize] = *power;
        }
        Some(unit)
    };
    use Base::{
        Ampere, Bit, Celsius, Dollar, Euro, Fahrenheit, Gram, Kelvin, Metre, Mole, Pound, Rupee, Second, Yen,
        Yuan,
    };
    let length = |numerator, denominator| unit(&[(Metre, 1)], numerator, denominator);
    let mass = |numerator, denominator| unit(&[(Gram, 1)], numerator, denominator);
    let time = |numerator| unit(&[(Second, 1)], numerator, 1);
    let volume = |numerator, denominator| unit(&[(Metre, 3)], numerator, denominator);
    let energy = [(Gram, 1), (Metre, 2), (Second, -2)];
    match word {
        "m" | "meter" | "metre" => length(1, 1),
        "km" | "kilometer" | "kilometre" => length(1_000, 1),
        "dm" | "decimeter" | "decimetre" => length(1, 10),
        "cm" | "centimeter" | "centimetre" => length(1, 100),
        "mm" | "millimeter" | "millimetre" => length(1, 1_000),
        "nm" | "nanometer" | "nanometre" => length(1, 1_000_000_000),
        "in" | "inch" | "inche" => length(254, 10_000),
        "ft" | "foot" | "feet" => length(3_048, 10_000),
        "yd" | "yard" => length(9_144, 10_000),
        "mi" | "mile" => length(1_609_344, 1_000),
        "g" | "gram" | "gramme" => mass(1, 1),
        "kg" | "kilogram" | "kilo" => mass(1_000, 1),
        "mg" | "milligram" => mass(1, 1_000),
        "t" | "ton" | "tonne" => mass(1_000_000, 1),
        "lb" | "lbs" | "pound" => mass(45_359_237, 100_000),
        "oz" | "ounce" => mass(45_359_237, 1_600_000),
        "s" | "sec" | "second" => time(1),
        "ms" | "millisecond" => unit(&[(Second, 1)], 1, 1_000),
        "min" | "minute" => time(60),
        "h" | "hr" | "hour" => time(3_600),
        "day" => time(86_400),
        "week" => time(604_800),
        "mph" => unit(&[(Metre, 1), (Second, -1)], 1_609_344, 3_600_000),
        "kph" | "kmh" => unit(&[(Metre, 1), (Second, -1)], 1_000, 3_600),
        "l" | "L" | "liter" | "litre" => volume(1, 1_000),
        "ml" | "mL" | "milliliter" | "millilitre" => volume(1, 1_000_000),
        "cc" => volume(1, 1_000_000),
        "a" | "A" | "amp" | "ampere" => unit(&[(Ampere, 1)], 1, 1),
        "C" | "coulomb" => unit(&[(Ampere, 1), (Second, 1)], 1, 1),
        "V" | "volt" => unit(&[(Gram, 1), (Metre, 2), (Second, -3), (Ampere, -1)], 1_000, 1),
        "W" | "watt" => unit(&[(Gram, 1), (Metre, 2), (Second, -3)], 1_000, 1),
        "kW" | "kilowatt" => unit(&[(Gram, 1), (Metre, 2), (Second, -3)], 1_000_000, 1),
        "ohm" | "\\Omega" | "\\ohm" => unit(&[(Gram, 1), (Metre, 2), (Second, -3), (Ampere, -2)], 1_000, 1),
        "N" | "newton" => unit(&[(Gram, 1), (Metre, 1), (Second, -2)], 1_000, 1),
        "kN" => unit(&[(Gram, 1), (Metre, 1), (Second, -2)], 1_000_000, 1),
        "J" | "joule" => unit(&energy, 1_000, 1),
        "kJ" | "kilojoule" => unit(&energy, 1_000_000, 1),
        "Pa" | "pascal" => unit(&[(Gram, 1), (Metre, -1), (Second, -2)], 1_000, 1),
        "kPa" => unit(&[(Gram, 1), (Metre, -1), (Second, -2)], 1_000_000, 1),
        "Hz" | "hertz" => unit(&[(Second, -1)], 1, 1),
        "K" | "kelvin" => unit(&[(Kelvin, 1)], 1, 1),
        "mol" | "mole" => unit(&[(Mole, 1)], 1, 1),
        "bit" => unit(&[(Bit, 1)], 1, 1),
        "byte" => unit(&[(Bit, 1)], 8, 1),
        "rad" | "radian" => unit(&[], 1, 1),
        "celsius" => unit(&[(Celsius, 1)], 1, 1),
        "fahrenheit" => unit(&[(Fahrenheit, 1)], 1, 1),
        "$" | "\\$" | "dollar" | "USD" | "usd" | "buck" => unit(&[(Dollar, 1)], 1, 1),
        "cent" => unit(&[(Dollar, 1)], 1, 100),
        "€" | "euro" | "EUR" => unit(&[(Euro, 1)], 1, 1),
        "£" | "GBP" => unit(&[(Pound, 1)], 1, 1),
        "元" | "yuan" | "CNY" | "RMB" => unit(&[(Yuan, 1)], 1, 1),
        "¥" | "yen" | "円" => unit(&[(Yen, 1)], 1, 1),
        "₹" | "rupee" => unit(&[(Rupee, 1)], 1, 1),
        _ => None,
    }
}

/// The unit of a word, in the singular or the plural.
fn of_word(word: &str) -> Option<Unit> {
    let short = word.len() <= 3;
    known(word)
        .or_else(|| if short { None } else { known(&word.to_ascii_lowercase()) })
        .or_else(|| {
            word.strip_suffix('s')
                .filter(|rest| rest.len() > 2)
                .and_then(|rest| known(&rest.to_ascii_lowercase()))
        })
        .or_else(|| {
            word.strip_suffix('s')
                .filter(|rest| matches!(*rest, "hr" | "lb" | "yd" | "min" | "sec"))
                .and_then(known)
        })
}

/// Whether a word is a unit of more than one letter, or a currency.
pub(crate) fn is_unit_word(word: &str) -> bool {
    (word.len() > 1 || !word.is_ascii()) && of_word(word).is_some()
}

/// Words that make what follows a value more than a remark.
fn is_telling(words: &str) -> bool {
    words.split(|c: char| !c.is_alphanumeric()).any(|word| {
        matches!(
            word.to_ascii_lowercase().as_str(),
            "and"
                | "not"
                | "wrong"
                | "incorrect"
                | "or"
                | "except"
                | "if"
                | "never"
                | "impossible"
                | "percent"
                | "but"
                | "instead"
                | "factorial"
                | "squared"
                | "million"
                | "thousand"
                | "billion"
                | "hundred"
                | "dozen"
        )
    })
}

/// Reads a unit, or any words, from all of a text.
fn unit(text: &str) -> Option<Unit> {
    let flat = flatten(text);
    let flat = flat.trim().trim_end_matches('.');
    if flat.is_empty() || flat.len() > 120 {
        return None;
    }
    if let Some(unit) = unit_expression(flat) {
        Some(unit)
    } else {
        let wordy = flat.chars().any(char::is_alphabetic)
            && flat.chars().all(|c| {
                c.is_alphabetic() || " -'./,()²³:".contains(c) || c.is_ascii_digit() || "^_".contains(c)
            });
        let digits_alone = flat
            .split_whitespace()
            .any(|word| word.bytes().any(|byte| byte.is_ascii_digit()) && !word.contains('^'));
        (wordy && !is_telling(flat) && !digits_alone).then(|| Unit::noun(singular(flat)))
    }
}

fn singular(words: &str) -> String {
    let lower = words.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(word))
        .collect();
    words.join(" ")
}

/// `km/h`, `m s^{-1}`, `square feet`, `miles per hour`.
fn unit_expression(text: &str) -> Option<Unit> {
    let mut unit = Unit::none();
    let (mut sign, mut power, mut some) = (1_i8, 1_i8, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'.' | b'*' | b'(' | b')' | b'-' => at += 1,
            b'/' => {
                sign = -1;
                at += 1;
            }
            b'\\' if text[at..].starts_with("\\cdot") => at += 5,
            b'\\' if text[at..].starts_with("\\times") => at += 6,
            _ => {
                let rest = &text[at..];
                let length = match byte {
                    b'$' => 1,
                    b'\\' => 1 + rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count(),
                    _ if byte.is_ascii() => rest.bytes().take_while(u8::is_ascii_alphabetic).count(),
                    _ => rest.chars().next().map_or(0, char::len_utf8),
                };
                if length == 0 {
                    return None;
                }
                let word = &rest[..length];
                at += length;
                match word.to_ascii_lowercase().as_str() {
                    "per" => {
                        sign = -1;
                        continue;
                    }
                    "square" | "sq" => {
                        power = 2;
                        continue;
                    }
                    "cubic" | "cu" => {
                        power = 3;
                        continue;
                    }
                    _ => {}
                }
                let one = of_word(word)?;
                let rest = &text[at..];
                if let Some(exponent) = rest.strip_prefix('^') {
                    let minus = usize::from(exponent.starts_with('-'));
                    let digits = exponent[minus..].bytes().take_while(u8::is_ascii_digit).count();
                    let value: i8 = exponent.get(..minus + digits)?.parse().ok()?;
                    if !(-6..=6).contains(&value) {
                        return None;
                    }
                    power = value;
                    at += 1 + minus + digits;
                }
                unit.times(&one, sign * power)?;
                (power, some) = (1, true);
            }
        }
    }
    some.then_some(unit)
}

/// A value with what follows or precedes it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Quantity<'t> {
    pub(crate) value: &'t str,
    pub(crate) unit: Unit,
}

/// Parts a tidied text into a value and its unit, if it has one. `glued` reads `3m` as metres, not as a product.
pub(crate) fn quantity(text: &str, glued: bool) -> Option<Quantity<'_>> {
    let text = text.trim();
    for (sign, name) in
        [("\\$", "$"), ("€", "€"), ("£", "£"), ("¥", "¥"), ("₹", "₹"), ("\\text{\\$}", "$"), ("US\\$", "$")]
    {
        if let Some(value) = text.strip_prefix(sign) {
            let value = value.trim();
            let value = quantity_behind(value, glued)
                .filter(|inner| inner.unit.is_currency())
                .map_or(value, |inner| inner.value);
            return (!value.is_empty())
                .then(|| Quantity { value, unit: known(name).unwrap_or_else(Unit::none) });
        }
    }
    quantity_behind(text, glued)
}

fn quantity_behind(text: &str, glued: bool) -> Option<Quantity<'_>> {
    let start = unit_start(text, glued)?;
    let (value, rest) = text.split_at(start);
    let value = value.trim().trim_end_matches(['~', '-']).trim_end();
    if value.is_empty() {
        return None;
    }
    if let Some(degrees) = value.strip_suffix("^\\circ").or_else(|| value.strip_suffix("^{\\circ}")) {
        let scale = match flatten(rest).trim() {
            "C" => known("celsius"),
            "F" => known("fahrenheit"),
            _ => None,
        };
        if let Some(unit) = scale {
            return Some(Quantity { value: degrees.trim(), unit });
        }
    }
    let unit = unit(rest)?;
    Some(Quantity { value, unit })
}

/// Where a unit could start: at the first `\text` or `\mathrm` at the top level, or behind a plain number.
fn unit_start(text: &str, glued: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_i32, 0);
    while let Some(&byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => depth -= 1,
            b'\\' => match crate::notation::command_at(text, at) {
                Some(("text" | "mathrm", end)) => {
                    let inner = crate::notation::group_at(text, end);
                    let constant = inner.is_some_and(|(inner, _)| matches!(inner.trim(), "e" | "i" | "d"));
                    if depth == 0 && at > 0 && !constant && !matches!(bytes[at - 1], b'_' | b'^') {
                        return Some(at);
                    }
                    next = inner.map_or(end, |(_, after)| after);
                }
                Some(("Omega", _)) if depth == 0 && at > 0 && behind_number(&text[..at]) => return Some(at),
                Some((_, end)) => next = end,
                None if bytes.get(at + 1) == Some(&b'$') && depth == 0 && at > 0 => return Some(at),
                None => next = crate::notation::after_escaped(text, at),
            },
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
                next = at + length;
                let word = &text[at..next];
                if depth == 0 && at > 0 && behind_number(&text[..at]) {
                    let spaced = bytes[at - 1] == b' ';
                    let unit = of_word(word).is_some() && (length > 1 || spaced || glued);
                    if unit || length > 2 {
                        return Some(at);
                    }
                } else if depth == 0 && at > 0 && length > 2 && bytes[at - 1] == b' ' {
                    return Some(at);
                }
            }
            _ if byte.is_ascii() => {}
            _ => {
                let c = text[at..].chars().next().unwrap_or(' ');
                if depth == 0 && at > 0 && (c.is_alphabetic() || "€£¥₹".contains(c)) {
                    return Some(at);
                }
                next = at + c.len_utf8();
            }
        }
        at = next;
    }
    None
}

fn behind_number(before: &str) -> bool {
    let before = before.trim_end();
    let number = before.trim_start_matches(['-', '+']);
    !number.is_empty()
        && (number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.' | b' '))
            || before.ends_with('}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, bool)> {
        quantity(text, false).map(|found| (found.value, found.unit.noun.is_none()))
    }

    #[test]
    fn values_come_apart_from_their_units() {
        for (text, value) in [
            (r"10 \text{ cm^2}", "10"),
            ("10 km", "10"),
            ("10 square units", "10"),
            (r"\$18.00", "18.00"),
            ("18 dollars", "18"),
            (r"15\text{ cm}^2", "15"),
            (r"3\cdot 10^8 \mathrm{ m s^{-1}}", r"3\cdot 10^8"),
            (r"3.033 \mathrm{ km} / \mathrm{hr}", "3.033"),
            (r"5\sqrt{2}\text{ units}", r"5\sqrt{2}"),
            ("18元", "18"),
        ] {
            assert_eq!(parts(text).map(|found| found.0), Some(value), "{text}");
        }
        assert_eq!(parts(r"\sin x"), None);
        assert_eq!(parts("2x"), None);
        assert_eq!(parts(r"1+\mathrm{e}"), None);
        assert_eq!(parts(r"42 \text{ is wrong}"), None);
    }

    #[test]
    fn units_convert_in_one_dimension() {
        let convert = |a: &str, b: &str| {
            let (a, b) = (quantity(a, false)?.unit, quantity(b, false)?.unit);
            a.has_dimension_of(&b).then(|| a.in_units_of(&b)).flatten()
        };
        assert_eq!(convert("1 km", "1 m"), Some((1_000, 1)));
        assert_eq!(convert(r"5\text{ m/s}", r"18\text{ km/h}"), Some((18, 5)));
        assert_eq!(convert(r"1\text{ cents}", r"\$1"), Some((1, 100)));
        assert_eq!(convert(r"1\text{ cm}", r"1\text{ kg}"), None);
        assert_eq!(convert(r"1\,\mathrm{N}", r"1\text{ newtons}"), Some((1, 1)));
    }
}
