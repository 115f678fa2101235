//! Reads a typed number with a unit into an exact value, the typed digits, and the unit.
//!
//! ```text
//! quantity := factor (("*" | "/" | nothing) factor)*
//! factor   := base ("^" | "**") exponent | base
//! base     := number | constant | unit | "(" sign? quantity ")"
//! ```
//! A sign can precede the whole text. `×10^k` after a number belongs to the number. Superscript digits are exponents.
//! Anything else is an error, such as sums or two adjacent numbers. Values are exact, except for π and square roots
//! with about 60 digits.

use std::borrow::Cow;

use dashu_base::Signed;
use dashu_int::UBig;
use dashu_ratio::RBig;

use fablegrade_core::units::{self, Found, PI};

use super::exact::{power, scaled};
use super::locale::Notation;
use super::typed_unit::{Spelling, TypedUnit};

/// The maximum length of a text, in bytes.
const MAX_BYTES: usize = 400;
/// The largest exponent.
const MAX_POWER: i64 = 400;
/// The maximum depth of brackets.
const MAX_DEPTH: usize = 20;

/// The digits of a number as they were typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Digits {
    /// The digits before the decimal sign.
    pub(crate) whole: String,
    /// The digits after the decimal sign; `None` without one.
    pub(crate) fraction: Option<String>,
    /// The power of ten; `None` if none was written.
    pub(crate) power: Option<i64>,
}

/// A quantity as it was typed.
#[derive(Debug, Clone)]
pub(crate) struct Quantity {
    /// The number, in the unit `unit`.
    pub(crate) number: RBig,
    /// True if any number was typed.
    pub(crate) has_number: bool,
    /// The digits of the number, without separate powers of ten. `None` if there are several numbers, as in a fraction,
    /// and for constants.
    pub(crate) digits: Option<Digits>,
    /// Numerator and denominator of `a/b`.
    pub(crate) fraction: Option<(UBig, UBig)>,
    /// False if the typed numbers form a quotient other than one of two coprime integers, such as `2/4` and `3/4*2`.
    pub(crate) is_reduced: bool,
    /// The unit, if one was typed.
    pub(crate) unit: Option<TypedUnit>,
    /// True if the unit is before the number.
    pub(crate) unit_first: bool,
    /// True if the number is in percent; see [`Quantity::in_percent`].
    pub(crate) percent: bool,
}

/// The reason why a text is not a quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// The answer is empty.
    Empty,
    /// The answer is not a number with or without a unit.
    Form,
    /// Thousands are not grouped as expected, or the decimal sign is not the expected one.
    Grouping,
    /// The unit is unknown.
    Unit,
}

/// Options for reading texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) notation: Notation,
    /// True if units may be given by name.
    pub(crate) names: bool,
    /// True if spellings that the table lacks count as units.
    pub(crate) unknown_units: bool,
    /// True if constants such as `pi` and `sqrt(2)` are read.
    pub(crate) constants: bool,
}

#[derive(Clone)]
enum Part {
    Number {
        value: RBig,
        digits: Option<Digits>,
    },
    Unit(TypedUnit),
    /// A product in brackets.
    Product(Box<Product>),
}

#[derive(Clone, Default)]
struct Product {
    number: RBig,
    has_number: bool,
    digits: Option<Digits>,
    /// The count of numbers, without powers of ten.
    numbers: usize,
    fraction: Option<(UBig, UBig)>,
    /// The typed numbers that are multiplied.
    above: Typed,
    /// The typed numbers that divide.
    below: Typed,
    unit: Option<TypedUnit>,
    unit_first: bool,
    factors: usize,
}

/// Typed numbers that are factors, without constants and powers of ten.
#[derive(Clone, Default)]
struct Typed {
    count: usize,
    first: Option<RBig>,
}

struct Reader<'t> {
    rest: &'t str,
    reading: Reading,
}

/// Reads a quantity.
pub(crate) fn read(text: &str, reading: Reading) -> Result<Quantity, Unread> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Unread::Empty);
    }
    if text.len() > MAX_BYTES {
        return Err(Unread::Form);
    }
    let plain = plain(text);
    let mut reader = Reader { rest: &plain, reading };
    let negative = reader.sign();
    let product = reader.product(0)?;
    if !reader.rest.is_empty() {
        return Err(Unread::Form);
    }
    let is_reduced = product.is_reduced();
    let number = if negative { -product.number } else { product.number };
    let digits = product.digits.filter(|_| product.numbers == 1);
    Ok(Quantity {
        number,
        has_number: product.has_number,
        digits,
        fraction: product.fraction,
        is_reduced,
        unit: product.unit,
        unit_first: product.unit_first,
        percent: false,
    })
}

impl Quantity {
    /// Turns the unit `%` after the number into the flag `percent`; the number and its digits do not change.
    pub(crate) fn in_percent(self) -> Self {
        let sign = Spelling::Known { prefix: "", symbol: "%" };
        let percent = self.has_number
            && !self.unit_first
            && self
                .unit
                .as_ref()
                .is_some_and(|unit| matches!(&unit.spellings[..], [(only, 1)] if *only == sign));
        if percent { Self { unit: None, percent, ..self } } else { self }
    }

    /// Returns the value in the unit `unit`; a number in percent is divided by 100.
    pub(crate) fn value(&self) -> Cow<'_, RBig> {
        if self.percent { Cow::Owned(&self.number / hundred()) } else { Cow::Borrowed(&self.number) }
    }
}

pub(crate) fn hundred() -> RBig {
    RBig::from(100_u8)
}

/// Replaces variants of a character with one spelling: minus signs, multiplication signs, superscripts, full-width
/// characters.
fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.contains("**") { text.replace("**", "^").into() } else { text.into() };
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut raised = false;
    for char in text.chars() {
        let superscript = match char {
            '⁻' => Some('-'),
            '⁺' => Some('+'),
            '¹' => Some('1'),
            '²' => Some('2'),
            '³' => Some('3'),
            '⁰' => Some('0'),
            '⁴'..='⁹' => char::from_digit(char as u32 - '⁰' as u32, 10),
            _ => None,
        };
        if let Some(plain) = superscript {
            if !raised {
                out.push('^');
            }
            raised = true;
            out.push(plain);
            continue;
        }
        raised = false;
        if let '℃' | '℉' = char {
            out.push_str(if char == '℃' { "°C" } else { "°F" });
            continue;
        }
        out.push(match char {
            '\u{2126}' => 'Ω',
            '\u{212a}' => 'K',
            '\u{212b}' => 'Å',
            '−' | '–' => '-',
            '·' | '⋅' | '∙' => '*',
            '÷' | '∕' | '⁄' => '/',
            '’' => '\'',
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char),
            other => other,
        });
    }
    out.replace("**", "^").replace('π', "pi").replace('√', "sqrt").into()
}

impl Reader<'_> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: char) -> bool {
        self.rest.strip_prefix(sign).map(|rest| self.rest = rest).is_some()
    }

    /// Reads an optional sign and returns whether it is a minus.
    fn sign(&mut self) -> bool {
        let minus = self.take('-');
        if !minus {
            self.take('+');
        }
        self.blanks();
        minus
    }

    /// Returns whether a reciprocal unit such as `1/s` comes next.
    fn is_reciprocal(&self) -> bool {
        let below = self.rest.strip_prefix('1').and_then(|rest| rest.trim_start().strip_prefix('/'));
        below.is_some_and(|below| {
            below.trim_start().starts_with(|char: char| char.is_alphabetic() || char == '(')
        })
    }

    fn product(&mut self, depth: usize) -> Result<Product, Unread> {
        if depth > MAX_DEPTH {
            return Err(Unread::Form);
        }
        let mut product = Product { number: RBig::ONE, ..Product::default() };
        let mut divide = false;
        let mut joined = true;
        loop {
            self.blanks();
            let number_next = self.rest.starts_with(|char: char| char.is_ascii_digit())
                || self.rest.starts_with(['.', ',']);
            // `2 3` is not a product; in `J 1` the unit is first.
            if !joined && number_next && product.numbers > 0 && !self.is_reciprocal() {
                let sign = self.rest.starts_with(['.', ',']);
                return Err(if sign { Unread::Grouping } else { Unread::Form });
            }
            if !joined && number_next && product.unit.is_some() {
                product.unit_first = true;
            }
            let part = self.factor(depth)?;
            product.multiply(part, divide)?;
            self.blanks();
            divide = false;
            joined = true;
            if self.take('*') || self.take('×') {
                continue;
            }
            // `kilowatt-hours`
            let name = self.rest.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphabetic));
            if let Some(rest) = name.filter(|_| self.reading.names && product.unit.is_some()) {
                self.rest = rest;
                continue;
            }
            if self.take('/') || self.word(&[("per", 1)]).is_some() {
                divide = true;
                continue;
            }
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(product);
            }
            joined = false;
        }
    }

    /// Reads one of `words` between the names of units, as in `metres per second squared`, and returns its value.
    fn word(&mut self, words: &[(&str, i64)]) -> Option<i64> {
        if !self.reading.names {
            return None;
        }
        let end = self.rest.find(|char: char| !char.is_alphabetic()).unwrap_or(self.rest.len());
        let (_, number) = words.iter().find(|(word, _)| *word == &self.rest[..end])?;
        self.rest = &self.rest[end..];
        self.blanks();
        Some(*number)
    }

    fn factor(&mut self, depth: usize) -> Result<Part, Unread> {
        let raised = self.word(&[("square", 2), ("sq", 2), ("cubic", 3), ("cu", 3)]);
        let part = self.base(depth)?;
        let before = self.rest;
        self.blanks();
        if let Some(exponent) = raised.or_else(|| self.word(&[("squared", 2), ("cubed", 3)])) {
            return part.power(exponent);
        }
        if self.take('^') {
            let exponent = self.exponent()?;
            return part.power(exponent);
        }
        self.rest = before;
        Ok(part)
    }

    /// Reads an integer, optionally in brackets.
    fn exponent(&mut self) -> Result<i64, Unread> {
        self.blanks();
        let bracket = if self.take('(') {
            Some(')')
        } else if self.take('{') {
            Some('}')
        } else {
            None
        };
        self.blanks();
        let negative = self.sign();
        let end = self.rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(self.rest.len());
        let digits = &self.rest[..end];
        self.rest = &self.rest[end..];
        self.blanks();
        let closed = bracket.is_none_or(|sign| self.take(sign));
        let value = digits.parse::<i64>().ok().filter(|value| closed && *value <= MAX_POWER);
        value.map(|value| if negative { -value } else { value }).ok_or(Unread::Form)
    }

    fn base(&mut self, depth: usize) -> Result<Part, Unread> {
        let first = self.rest.chars().next().ok_or(Unread::Form)?;
        if first == '(' {
            self.rest = &self.rest[1..];
            self.blanks();
            let negative = self.sign();
            let mut inner = self.product(depth + 1)?;
            self.blanks();
            if !self.take(')') {
                return Err(Unread::Form);
            }
            if negative {
                inner.number = -inner.number;
                inner.has_number = true;
            }
            return Ok(Part::Product(Box::new(inner)));
        }
        if first.is_ascii_digit() || first == self.reading.notation.decimal || first == '.' || first == ',' {
            return self.number();
        }
        self.name(depth)
    }

    fn number(&mut self) -> Result<Part, Unread> {
        if self.is_reciprocal() {
            // The 1 of `5 1/s` has no significant digits.
            self.rest = &self.rest[1..];
            return Ok(Part::Number { value: RBig::ONE, digits: Some(Digits::default()) });
        }
        let (digits, used) = self.reading.notation.digits(self.rest).ok_or(Unread::Grouping)?;
        self.rest = &self.rest[used..];
        let mut digits = digits;
        digits.power = self.power_of_ten()?;
        let value = digits.value().ok_or(Unread::Form)?;
        Ok(Part::Number { value, digits: Some(digits) })
    }

    /// Reads `e5`, `×10^5`, `x10^5`, `*10^5` after a number.
    fn power_of_ten(&mut self) -> Result<Option<i64>, Unread> {
        let before = self.rest;
        if let Some(rest) = self.rest.strip_prefix(['e', 'E']) {
            let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
            if unsigned.starts_with(|char: char| char.is_ascii_digit()) {
                self.rest = rest;
                return self.exponent().map(Some);
            }
        }
        self.blanks();
        if let Some(rest) = self.rest.strip_prefix(['x', 'X', '×', '*']) {
            self.rest = rest;
            self.blanks();
            if let Some(rest) = self.rest.strip_prefix("10") {
                self.rest = rest;
                self.blanks();
                if self.take('^') {
                    return self.exponent().map(Some);
                }
            }
        }
        self.rest = before;
        Ok(None)
    }

    /// Reads a constant or a unit.
    fn name(&mut self, depth: usize) -> Result<Part, Unread> {
        let in_name = |char: char| {
            char.is_alphabetic() || matches!(char, '%' | '‰' | '°' | '$' | '€' | '£' | '¥' | '₹' | '¢' | '_')
        };
        let end = self.rest.find(|char| !in_name(char)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.is_empty() {
            return Err(Unread::Form);
        }
        if self.reading.constants && word == "pi" {
            self.rest = &self.rest[end..];
            return Ok(Part::Number { value: PI.clone(), digits: None });
        }
        if self.reading.constants && word == "sqrt" {
            self.rest = &self.rest[end..];
            self.blanks();
            let radicand = if self.take('(') {
                let inner = self.product(depth + 1)?;
                if !self.take(')') || inner.unit.is_some() {
                    return Err(Unread::Form);
                }
                inner.number
            } else {
                // `√4`
                if !self.rest.starts_with(|char: char| char.is_ascii_digit()) {
                    return Err(Unread::Form);
                }
                let (digits, used) = self.reading.notation.digits(self.rest).ok_or(Unread::Grouping)?;
                self.rest = &self.rest[used..];
                digits.value().ok_or(Unread::Form)?
            };
            let value = square_root(&radicand).ok_or(Unread::Form)?;
            return Ok(Part::Number { value, digits: None });
        }
        // A name of two words: `degrees Celsius`, `nautical miles`.
        if self.reading.names
            && let Some(second) = self.rest[end..].strip_prefix(' ')
        {
            let length = second.find(|char| !in_name(char)).unwrap_or(second.len());
            let both = &self.rest[..end + 1 + length];
            if length > 0
                && units::find(both, true).is_some()
                && let Some(unit) = unit_of(both, self.reading)
            {
                self.rest = &self.rest[both.len()..];
                return Ok(Part::Unit(unit));
            }
        }
        let unit = unit_of(word, self.reading).ok_or(Unread::Unit)?;
        let letters = word.ends_with(char::is_alphabetic);
        self.rest = &self.rest[end..];
        // An exponent without `^`: `s2`, `cm3`.
        if let Some(digit) = self.rest.chars().next().and_then(|char| char.to_digit(10))
            && letters
            && (2..=9).contains(&digit)
            && !self.rest[1..].starts_with(|char: char| char.is_ascii_digit() || char == '.' || char == ',')
        {
            self.rest = &self.rest[1..];
            return Part::Unit(unit).power(i64::from(digit));
        }
        Ok(Part::Unit(unit))
    }
}

/// Returns a square root, truncated after at least 60 decimal places; `None` for a negative value.
fn square_root(value: &RBig) -> Option<RBig> {
    if value.is_negative() {
        return None;
    }
    let (above, below) = value.clone().into_parts();
    let scale = UBig::from(10u8).pow(120);
    let (_, above) = above.into_parts();
    // sqrt(a/b) = sqrt(a*b)/b
    let root = dashu_base::SquareRoot::sqrt(&(above * &below * scale));
    Some(RBig::from_parts(root.into(), below * UBig::from(10u8).pow(60)))
}

impl Digits {
    /// Returns the value; `None` if the digits cannot be read.
    pub(crate) fn value(&self) -> Option<RBig> {
        let fraction = self.fraction.as_deref().unwrap_or_default();
        let power = self.power.unwrap_or(0) - fraction.len() as i64;
        // Most numbers are short, so this path avoids copying their digits.
        if self.whole.len() + fraction.len() <= 18 {
            let digits = self.whole.bytes().chain(fraction.bytes());
            let above = digits.fold(0_u64, |value, digit| value * 10 + u64::from(digit - b'0'));
            return Some(scaled(above.into(), power));
        }
        let digits: String = [self.whole.as_str(), fraction].concat();
        Some(scaled(UBig::from_str_radix(&digits, 10).ok()?, power))
    }
}

/// Returns the unit of this name; `None` if it is not known and unknown ones are not accepted.
fn unit_of(text: &str, reading: Reading) -> Option<TypedUnit> {
    if let Some(found) = units::find(text, reading.names) {
        let Found { unit, prefix, .. } = found;
        let prefix_symbol = prefix.map_or("", |prefix| prefix.symbol);
        return Some(TypedUnit {
            spellings: vec![(Spelling::Known { prefix: prefix_symbol, symbol: unit.symbol() }, 1)],
            factor: unit.factor().clone(),
            ten: i64::from(found.power()),
            dimension: *unit.dimension(),
            has_unknown: false,
            zero: unit.zero().cloned(),
        });
    }
    reading.unknown_units.then(|| TypedUnit {
        spellings: vec![(Spelling::Unknown(text.to_owned()), 1)],
        factor: RBig::ONE,
        has_unknown: true,
        ..TypedUnit::default()
    })
}

impl Part {
    fn power(self, exponent: i64) -> Result<Self, Unread> {
        Ok(match self {
            Self::Number { value, digits } => {
                // A power of ten has no significant digits.
                let ten = value == RBig::from(10u8);
                let value = power(&value, exponent).ok_or(Unread::Form)?;
                Self::Number {
                    value,
                    digits: if ten { Some(Digits::default()) } else { digits.filter(|_| exponent == 1) },
                }
            }
            Self::Unit(unit) => Self::Unit(unit.power(exponent).ok_or(Unread::Form)?),
            Self::Product(mut product) => {
                product.number = power(&product.number, exponent).ok_or(Unread::Form)?;
                product.unit = match product.unit {
                    Some(unit) => Some(unit.power(exponent).ok_or(Unread::Form)?),
                    None => None,
                };
                if exponent != 1 {
                    product.digits = None;
                    product.fraction = None;
                }
                if exponent < 0 {
                    std::mem::swap(&mut product.above, &mut product.below);
                }
                for typed in [&mut product.above, &mut product.below] {
                    typed.power(exponent);
                }
                Self::Product(product)
            }
        })
    }
}

impl Typed {
    fn multiply(&mut self, other: Self) {
        if self.count == 0 {
            self.first = other.first;
        }
        self.count = self.count.saturating_add(other.count);
    }

    fn power(&mut self, exponent: i64) {
        let exponent = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        self.count = self.count.saturating_mul(exponent);
    }

    /// Returns the only number if it is an integer; 1 without a number.
    fn integer(&self) -> Option<UBig> {
        match (self.count, &self.first) {
            (0, _) => Some(UBig::ONE),
            (1, Some(value)) if value.denominator().is_one() => {
                Some(value.numerator().clone().into_parts().1)
            }
            _ => None,
        }
    }
}

impl Product {
    /// Returns whether the typed numbers are not a quotient or are a quotient of two coprime integers. Constants,
    /// powers of ten and units do not count.
    fn is_reduced(&self) -> bool {
        use dashu_base::Gcd;
        let coprime = |(above, below): (UBig, UBig)| (&above).gcd(&below).is_one();
        self.below.count == 0 || self.above.integer().zip(self.below.integer()).is_some_and(coprime)
    }

    /// Multiplies with typed numbers, or divides by them.
    fn multiply_typed(&mut self, above: Typed, below: Typed, divide: bool) {
        let (above, below) = if divide { (below, above) } else { (above, below) };
        self.above.multiply(above);
        self.below.multiply(below);
    }

    fn multiply(&mut self, part: Part, divide: bool) -> Result<(), Unread> {
        let one = self.factors == 0;
        self.factors += 1;
        match part {
            Part::Number { value, digits } => {
                if divide && value.is_zero() {
                    return Err(Unread::Form);
                }
                let fraction = match (&self.digits, &digits) {
                    (Some(above), Some(below)) if divide && self.factors == 2 && self.unit.is_none() => {
                        above.integer().zip(below.integer())
                    }
                    _ => None,
                };
                self.number = match (one, divide) {
                    (true, false) => value.clone(),
                    (_, true) => &self.number / &value,
                    (_, false) => &self.number * &value,
                };
                self.has_number = true;
                let power_of_ten = digits.as_ref().is_some_and(|digits| *digits == Digits::default());
                // A power of an integer has no digits either, but unlike a constant it can be reduced.
                if !power_of_ten && (digits.is_some() || value.denominator().is_one()) {
                    let typed = Typed { count: 1, first: Some(value) };
                    self.multiply_typed(typed, Typed::default(), divide);
                }
                if !power_of_ten {
                    self.numbers += 1;
                    if self.numbers == 1 {
                        self.digits = digits;
                    }
                } else if one {
                    // A leading `10^3` is a number without significant digits.
                    self.numbers = 1;
                }
                // Only a product in brackets has a fraction before the second factor.
                self.fraction = fraction.filter(|_| self.fraction.is_none());
            }
            Part::Unit(unit) => self.join(unit, divide)?,
            Part::Product(inner) => {
                if divide && inner.number.is_zero() {
                    return Err(Unread::Form);
                }
                self.number =
                    if divide { &self.number / &inner.number } else { &self.number * &inner.number };
                self.has_number |= inner.has_number;
                if one {
                    self.digits.clone_from(&inner.digits);
                    self.fraction.clone_from(&inner.fraction);
                } else if inner.has_number {
                    // A product with a fraction is not a fraction as typed.
                    self.fraction = None;
                }
                self.multiply_typed(inner.above, inner.below, divide);
                self.numbers += inner.numbers;
                if let Some(unit) = inner.unit {
                    self.join(unit, divide)?;
                }
            }
        }
        Ok(())
    }

    fn join(&mut self, unit: TypedUnit, divide: bool) -> Result<(), Unread> {
        let joined = match self.unit.take() {
            None if !divide => Some(unit),
            None => TypedUnit { factor: RBig::ONE, ..TypedUnit::default() }.times(unit, true),
            Some(mine) => mine.times(unit, divide),
        };
        self.unit = Some(joined.ok_or(Unread::Form)?);
        Ok(())
    }
}

impl Digits {
    /// Returns the integer, if one was typed without a decimal sign or a power of ten.
    fn integer(&self) -> Option<UBig> {
        if self.fraction.is_some() || self.power.is_some() || self.whole.is_empty() {
            return None;
        }
        UBig::from_str_radix(&self.whole, 10).ok()
    }
}
