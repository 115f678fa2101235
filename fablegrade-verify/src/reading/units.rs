//! Quantities: a value with a unit, a currency or a noun.

use dashu_base::BitTest;
use dashu_ratio::RBig;
use fablegrade_public::units::{self, Dimension};

use super::option::are_different;
use super::remarks::are_telling;
use super::symbols::{COUNTED, MICRO, MICRO_UNITS, SYMBOLS};
use super::words::flatten;

/// The maximum size of a conversion factor's numerator or denominator, in bits.
const LARGEST: usize = 128;

/// The maximum length of a unit's name in parentheses, in bytes.
const LONGEST_WORD: usize = 40;

/// A known unit with its dimension and size, or a noun.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Unit {
    dimension: Dimension,
    size: RBig,
    /// The symbol of a temperature scale with its own zero point. Such temperatures are not converted.
    scale: Option<&'static str>,
    /// Words that are not a known unit, such as `apples`.
    pub(crate) noun: Option<String>,
    /// The words of a known unit, in the singular.
    words: String,
}

impl Unit {
    fn none() -> Self {
        Self {
            dimension: Dimension::default(),
            size: RBig::ONE,
            scale: None,
            noun: None,
            words: String::new(),
        }
    }

    fn noun(words: String) -> Self {
        Self { noun: Some(words), ..Self::none() }
    }

    fn times(&mut self, other: &Self, power: i16) -> Option<()> {
        for (sum, more) in self.dimension.iter_mut().zip(other.dimension) {
            *sum = sum.checked_add(more.checked_mul(power)?)?;
        }
        self.size = fits(&self.size * other.size.pow(isize::from(power)))?;
        self.scale = self.scale.or(other.scale);
        Some(())
    }

    /// Returns whether the unit is a currency.
    pub(crate) fn is_currency(&self) -> bool {
        units::is_money(&self.dimension)
    }

    /// Returns whether two units have the same dimension and temperature scale.
    pub(crate) fn has_dimension_of(&self, other: &Self) -> bool {
        self.dimension == other.dimension && self.scale == other.scale
    }

    /// Returns whether a noun is this unit with a remark, as in `4 days late`.
    ///
    /// A power or `per` in the remark would make it another unit.
    pub(crate) fn begins(&self, noun: &str) -> bool {
        let remark = noun.strip_prefix(self.words.as_str()).and_then(|rest| rest.strip_prefix(' '));
        let other_unit = |word: &str| {
            matches!(
                word,
                "per"
                    | "square"
                    | "squared"
                    | "cubic"
                    | "cubed"
                    | "sq"
                    | "cu"
                    | "a"
                    | "each"
                    | "every"
                    | "force"
            ) || word.bytes().any(|byte| byte.is_ascii_digit())
                || known(word).is_some()
        };
        self.noun.is_none()
            && self.words.len() > 1
            && remark.is_some_and(|remark| !remark.split(' ').any(other_unit))
    }

    /// Returns this unit's size in units of `other`, or `None` if it is out of bounds.
    pub(crate) fn in_units_of(&self, other: &Self) -> Option<RBig> {
        fits(&self.size / &other.size)
    }
}

fn fits(size: RBig) -> Option<RBig> {
    let small = size.numerator().bit_len() <= LARGEST && size.denominator().bit_len() <= LARGEST;
    small.then_some(size)
}

/// Returns the unit with a given name or symbol.
fn known(word: &str) -> Option<Unit> {
    let word = match word {
        "\\Omega" | "\\ohm" => "ohm",
        "\\AA" => "angstrom",
        "\\$" => "$",
        "usd" => "USD",
        // a ton in a word problem is metric
        "ton" | "tons" => "tonne",
        "kilo" | "kilos" => "kg",
        _ => word,
    };
    let found = units::find(word, true)?;
    // `us` is a word, `µs` is a unit
    let micro = word.strip_prefix(MICRO).is_some_and(|rest| MICRO_UNITS.contains(&rest));
    let plain = SYMBOLS.contains(&word) || micro;
    let in_words = found.in_words && word.len() > 2 && !COUNTED.contains(&word);
    if !plain && !in_words {
        return None;
    }
    let unit = found.unit;
    let ten = RBig::from(10_u8).pow(isize::try_from(found.power()).ok()?);
    Some(Unit {
        dimension: *unit.dimension(),
        size: fits(unit.factor() * ten)?,
        scale: unit.zero().map(|_| unit.symbol()),
        noun: None,
        words: String::new(),
    })
}

/// Returns the unit that a word names, in the singular or the plural.
fn of_word(word: &str) -> Option<Unit> {
    let short = word.len() <= 3;
    known(word).or_else(|| if short { None } else { known(&word.to_ascii_lowercase()) }).or_else(|| {
        word.strip_suffix('s')
            .filter(|rest| rest.len() > 2 || matches!(*rest, "hr" | "lb" | "yd"))
            .and_then(|rest| known(&rest.to_ascii_lowercase()))
    })
}

/// Returns whether a word names a unit, or a unit that usually counts things.
pub(super) fn is_any_unit(word: &str) -> bool {
    COUNTED.contains(&word) || of_word(word).is_some()
}

/// Returns whether a word names a unit, other than by a single ASCII letter.
pub(crate) fn is_unit_word(word: &str) -> bool {
    (word.len() > 1 || !word.is_ascii()) && of_word(word).is_some()
}

/// Reads a whole text as a unit or as a noun.
fn unit(text: &str) -> Option<Unit> {
    let flat = flatten(text);
    let flat = flat.trim().trim_end_matches('.');
    if flat.is_empty() || flat.len() > 120 {
        return None;
    }
    let degrees = flat.strip_prefix("degrees ").or_else(|| flat.strip_prefix("degree ")).and_then(of_word);
    if let Some(scale) = degrees.filter(|unit| unit.scale.is_some()) {
        Some(scale)
    } else if let Some(unit) = unit_expression(flat) {
        Some(Unit { words: singular(flat), ..unit })
    } else {
        let wordy = flat.chars().any(char::is_alphabetic)
            && flat.chars().all(|c| {
                c.is_alphabetic() || " -'./,()²³:".contains(c) || c.is_ascii_digit() || "^_".contains(c)
            });
        // `cm^2`, but not `times 10^3`
        let number = |word: &str| {
            word.bytes().any(|byte| byte.is_ascii_digit())
                && (!word.contains('^')
                    || word.trim_start_matches(['(', '-']).starts_with(|c: char| c.is_ascii_digit()))
        };
        (wordy && !are_telling(flat) && !flat.split_whitespace().any(number))
            .then(|| Unit::noun(singular(flat)))
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

/// Reads a compound unit: `km/h`, `m s^{-1}`, `square feet`, `miles per hour`.
fn unit_expression(text: &str) -> Option<Unit> {
    let mut unit = Unit::none();
    let (mut sign, mut power, mut some) = (1_i16, 1_i16, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'.' | b'*' | b'(' | b')' => at += 1,
            b'-' if some && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => at += 1,
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
                let (word, length) = prefixed(rest, length);
                let word = &*word;
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
                    let value: i16 = exponent.get(..minus + digits)?.parse().ok()?;
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

/// Returns the unit at the start of a text, together with a prefix that is a command or a sign: `\mu F`, `µm`, `k\Omega`.
/// `length` is the length of the first word.
fn prefixed(text: &str, length: usize) -> (std::borrow::Cow<'_, str>, usize) {
    let word = &text[..length];
    let next = text[length..].trim_start_matches(' ');
    let letters = next.bytes().take_while(u8::is_ascii_alphabetic).count();
    let end = text.len() - next.len() + letters;
    if let Some(unit) = word.strip_prefix("\\mu") {
        return if unit.is_empty() && letters > 0 {
            (format!("\u{b5}{}", &next[..letters]).into(), end)
        } else {
            (format!("\u{b5}{unit}").into(), length)
        };
    }
    if word.starts_with(MICRO) && letters > 0 {
        return (format!("\u{b5}{}", &next[..letters]).into(), end);
    }
    if matches!(word, "k" | "M") {
        for ohm in ["\\Omega", "\u{3a9}"] {
            if let Some(rest) = next.strip_prefix(ohm) {
                return (format!("{word}ohm").into(), text.len() - rest.len());
            }
        }
    }
    (word.into(), length)
}

/// A value, and the unit that follows or precedes it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Quantity<'t> {
    pub(crate) value: &'t str,
    pub(crate) unit: Unit,
}

/// Splits a tidied text into a value and its unit, if it has one. `3m` is a product; `3 m` and `3cm` are
/// lengths.
pub(crate) fn quantity(text: &str) -> Option<Quantity<'_>> {
    let text = text.trim();
    // `\text{500 nm}`
    let text = text
        .strip_prefix("\\text{")
        .and_then(|rest| rest.strip_suffix('}'))
        .filter(|inner| inner.starts_with(|c: char| c.is_ascii_digit()) && !inner.contains(['{', '}']))
        .unwrap_or(text);
    for (sign, name) in [
        ("USD", "$"),
        ("\\text{USD}", "$"),
        ("EUR", "€"),
        ("GBP", "£"),
        ("\\$", "$"),
        ("€", "€"),
        ("£", "£"),
        ("¥", "¥"),
        ("₹", "₹"),
        ("\\text{\\$}", "$"),
        ("US\\$", "$"),
    ] {
        if let Some(value) = text.strip_prefix(sign) {
            let value = value.trim();
            let value = quantity_behind(value)
                .filter(|inner| inner.unit.is_currency())
                .map_or(value, |inner| inner.value);
            return (!value.is_empty())
                .then(|| Quantity { value, unit: known(name).unwrap_or_else(Unit::none) });
        }
    }
    quantity_behind(text).or_else(|| fraction_behind(text, false))
}

/// Converts a quantity in several units to the last one: `5 \text{ hours } 30 \text{ minutes}` becomes
/// `330 minutes`.
pub(crate) fn in_last_unit(text: &str) -> Option<String> {
    if text.len() > 120 || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let mut flat = flatten(text);
    // `1h 30min`
    let mut at = 1;
    while at < flat.len() {
        if flat.as_bytes()[at].is_ascii_alphabetic() && flat.as_bytes()[at - 1].is_ascii_digit() {
            flat.insert(at, ' ');
        }
        at += 1;
    }
    let words: Vec<&str> = flat
        .split([' ', ',', '~'])
        .filter(|word| !word.is_empty() && !word.eq_ignore_ascii_case("and"))
        .collect();
    if !matches!(words.len(), 4 | 6) {
        return None;
    }
    // money is counted in the first unit: `5 dollars and 50 cents`
    let money = of_word(words[1]).is_some_and(|unit| unit.is_currency());
    let target = if money { words[1] } else { words[words.len() - 1] };
    let last = of_word(target)?;
    let mut sum = RBig::ZERO;
    let mut before: Option<RBig> = None;
    for pair in words.chunks(2) {
        let plain = pair[0].len() <= 9 && pair[0].bytes().all(|byte| byte.is_ascii_digit());
        let number: u32 = if plain { pair[0].parse().ok()? } else { return None };
        let unit = of_word(pair[1]).filter(|unit| unit.has_dimension_of(&last) && unit.scale.is_none())?;
        if before.is_some_and(|size| size <= unit.size) {
            return None;
        }
        sum += RBig::from(number) * unit.in_units_of(&last)?;
        before = Some(unit.size);
    }
    let (value, unit) = (fits(sum)?, target);
    Some(if value.is_int() {
        format!("{value} \\text{{ {unit}}}")
    } else {
        format!("\\frac{{{}}}{{{}}} \\text{{ {unit}}}", value.numerator(), value.denominator())
    })
}

/// Returns a quantity whose unit is a fraction: `20 \frac{\text{m}}{\text{s}}`.
///
/// Single letters outside texts are variables, unless the other side is a quantity (`beside_quantity`).
pub(crate) fn fraction_behind(text: &str, beside_quantity: bool) -> Option<Quantity<'_>> {
    let start = text.find("\\frac{").or_else(|| text.find("\\frac {"))?;
    let value = text[..start].trim_end_matches([' ', '~', '\\']);
    if !behind_number(value) {
        return None;
    }
    let (above, below) = fraction(&text[start..])?;
    let said = |part: &str| {
        part.contains("\\text{")
            || part.contains("\\mathrm{")
            || part.split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 1)
    };
    if !(beside_quantity || said(above) || said(below)) {
        return None;
    }
    Some(Quantity { value, unit: per(above, below)? })
}

/// Returns the numerator and denominator of a text that is a single fraction.
fn fraction(text: &str) -> Option<(&str, &str)> {
    let (above, end) = crate::notation::group_at(text, text.strip_prefix("\\frac").map(|_| 5)?)?;
    let (below, end) = crate::notation::group_at(text, end)?;
    (end == text.len()).then_some((above, below))
}

fn per(above: &str, below: &str) -> Option<Unit> {
    let mut unit = unit_expression(flatten(above).trim())?;
    unit.times(&unit_expression(flatten(below).trim())?, -1)?;
    Some(unit)
}

/// Returns whether two texts are the same unit, without a number.
///
/// For example, `\frac{\mathrm{m}}{\mathrm{s}}` and `\mathrm{m\,s^{-1}}` are.
pub(crate) fn are_same_unit(a: &str, b: &str) -> bool {
    let alone = |text: &str| {
        let said = text.contains("\\mathrm{") || text.contains("\\text{");
        match fraction(text) {
            _ if !said || text.len() > 120 => None,
            Some((above, below)) => per(above, below),
            None => unit_expression(flatten(text).trim()),
        }
    };
    alone(a).zip(alone(b)).is_some_and(|(a, b)| a.has_dimension_of(&b) && a.size == b.size)
}

fn quantity_behind(text: &str) -> Option<Quantity<'_>> {
    for (sign, scale) in [("C", "celsius"), ("F", "fahrenheit")] {
        let degrees = text.strip_suffix(sign).map(str::trim_end);
        let value =
            degrees.and_then(|text| text.strip_suffix("^\\circ").or_else(|| text.strip_suffix("^{\\circ}")));
        if let Some(value) = value.filter(|value| behind_number(value)) {
            return Some(Quantity { value: value.trim(), unit: known(scale)? });
        }
    }
    let start = unit_start(text)?;
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
    let unit = unit(rest).filter(|_| !are_different(value, rest))?;
    Some(Quantity { value, unit })
}

/// Returns the first position at the top level at which a unit can start: `\text` or `\mathrm`, a unit after a number,
/// a longer word after a blank, or a currency sign.
fn unit_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_i32, 0);
    while let Some(&byte) = bytes.get(at) {
        let mut next = at + 1;
        match byte {
            b'(' if depth == 0 && in_brackets(&text[at..]) && behind_number(&text[..at]) => return Some(at),
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
                Some(("mu", end))
                    if depth == 0 && at > 0 && behind_number(&text[..at]) && is_micro(&text[end..]) =>
                {
                    return Some(at);
                }
                Some(("Omega" | "AA", _)) if depth == 0 && at > 0 && behind_number(&text[..at]) => {
                    return Some(at);
                }
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
                    let power = matches!(word, "sq" | "cu") && spaced;
                    let ohm = matches!(word, "k" | "M") && text[next..].trim_start().starts_with("\\Omega");
                    let unit = power || ohm || of_word(word).is_some() && (length > 1 || spaced);
                    if unit || length > 2 || ohm {
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

/// Returns whether the text is a single unit in parentheses: `(units)`.
fn in_brackets(text: &str) -> bool {
    let inside = text.strip_prefix('(').and_then(|text| text.trim_end().strip_suffix(')'));
    let word = inside.filter(|inside| inside.len() <= LONGEST_WORD);
    word.is_some_and(|word| matches!(word, "unit" | "units") || is_unit_word(word))
}

/// Returns whether a text after `\mu` is a unit that takes this prefix.
fn is_micro(behind: &str) -> bool {
    let flat = flatten(behind);
    let word = flat.trim();
    let length = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    MICRO_UNITS.contains(&&word[..length])
}

/// Returns whether a text is a number with a power of ten: `1.5 \times 10^3`.
fn is_scientific(text: &str) -> bool {
    let Some((front, exponent)) = text.rsplit_once("10^") else { return false };
    let exponent = exponent.trim_matches(['{', '}', ' ']);
    let digits = exponent.strip_prefix('-').unwrap_or(exponent);
    let front = front.trim_end();
    let mantissa = ["\\times", "\\cdot"].iter().find_map(|sign| front.strip_suffix(sign)).map(str::trim);
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    !digits.is_empty()
        && number(digits)
        && (front.is_empty() || mantissa.is_some_and(|mantissa| number(mantissa.trim_start_matches('-'))))
}

fn behind_number(before: &str) -> bool {
    let before = before.trim_end();
    let number = before.trim_start_matches(['-', '+']);
    !number.is_empty()
        && (number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.' | b' '))
            || before.ends_with('}')
            || before.ends_with("\\pi")
            || is_scientific(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<(&str, bool)> {
        quantity(text).map(|found| (found.value, found.unit.noun.is_none()))
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
            let (a, b) = (quantity(a)?.unit, quantity(b)?.unit);
            a.has_dimension_of(&b).then(|| a.in_units_of(&b)).flatten().map(|ratio| ratio.to_string())
        };
        assert_eq!(convert("1 km", "1 m").as_deref(), Some("1000"));
        assert_eq!(convert(r"5\text{ m/s}", r"18\text{ km/h}").as_deref(), Some("18/5"));
        assert_eq!(convert(r"1\text{ cents}", r"\$1").as_deref(), Some("1/100"));
        assert_eq!(convert("3 kHz", r"1\,\mathrm{Hz}").as_deref(), Some("1000"));
        assert_eq!(convert("2 gallons", "1 quart").as_deref(), Some("4"));
        assert_eq!(convert(r"1\text{ cm}", r"1\text{ kg}"), None);
        assert_eq!(convert("1 celsius", "1 kelvin"), None);
        assert_eq!(convert(r"1 \mu F", r"1\text{ nF}").as_deref(), Some("1000"));
        assert_eq!(convert(r"1 k\Omega", r"1 \Omega").as_deref(), Some("1000"));
        assert_eq!(convert(r"1.5\times 10^3 J", "1 kJ").as_deref(), Some("1/1000"));
        assert!(quantity(r"12\mu").is_none() && quantity("x^2 m").is_none());
        assert_eq!(in_last_unit("5 dollars and 50 cents").as_deref(), Some(r"\frac{11}{2} \text{ dollars}"));
        for product in ["2cd", "3 pt", "5 am", "2 a", "4 dam", "7 camps", "3 cups", "2 years"] {
            assert!(quantity(product).is_none_or(|found| found.unit.noun.is_some()), "{product}");
        }
        assert_eq!(convert(r"1\,\mathrm{N}", r"1\text{ newtons}").as_deref(), Some("1"));
    }
}
