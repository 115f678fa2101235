//! Numbers and formulas that are provably equal although they are written differently.

use fablegrade_math::number::Rational;
use fablegrade_math::{Evidence, Kind, Options, Proof, Reference};
use fablegrade_public::content::{Content, Piece};

use super::number_words;
use super::units::{Known, known};

/// The work budget for one comparison, which is enough for typical choices.
const FUEL: u64 = 5_000;
/// The maximum length of a formula that is compared, in bytes.
const LONGEST: usize = 200;

/// The value of content that is a single number or formula.
pub(super) enum Quantity {
    Number(Number),
    Formula { latex: String, reference: Box<Reference> },
}

/// A number with the text after it.
pub(super) struct Number {
    pub(super) value: Rational,
    /// The unit or noun after the number, with single blanks.
    pub(super) unit: String,
    /// Whether it is written as a decimal; equal decimals differ only in zeros.
    decimal: bool,
    /// Whether it is written in words.
    pub(super) in_words: bool,
}

impl Number {
    /// Returns the value in base units, with the dimension; `None` if the unit is unknown.
    pub(super) fn in_base_units(&self) -> Option<(Rational, Known)> {
        let unit = known(&self.unit)?;
        let value = self.value.checked_mul(&unit.size)?;
        Some((value, Known { size: Rational::from(1), ..unit }))
    }
}

/// Two entries that have the same value.
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) evidence: &'static str,
    /// Whether they differ only in trailing zeros, such as `0.5` and `0.50`.
    pub(super) zeros_only: bool,
}

/// Returns the number or formula that makes up the whole content.
pub(super) fn quantity(content: &Content) -> Option<Quantity> {
    let pieces = content.pieces();
    match pieces.as_slice() {
        [Piece::Text(text)] => number(text)
            .or_else(|| words(text))
            .map(Quantity::Number)
            .or_else(|| formula(plain_formula(text)?)),
        [Piece::Formula(latex)] => number_or_formula(latex),
        [Piece::Formula(latex), Piece::Text(rest)] | [Piece::Text(rest), Piece::Formula(latex)]
            if rest.trim().is_empty() =>
        {
            number_or_formula(latex)
        }
        // A number with its unit, such as `$3\times10^8$ m/s`.
        [Piece::Formula(latex), Piece::Text(rest)] if number(latex)?.unit.is_empty() => {
            number(&format!("{latex}{rest}")).map(Quantity::Number)
        }
        _ => None,
    }
}

fn words(text: &str) -> Option<Number> {
    let value = number_words::value(text)?;
    Some(Number { value, unit: String::new(), decimal: false, in_words: true })
}

/// Reads a number or a formula. In a formula, letters after a number are factors, not a unit.
fn number_or_formula(latex: &str) -> Option<Quantity> {
    match number(latex) {
        Some(number) if number.unit.is_empty() => Some(Quantity::Number(number)),
        _ => formula(latex),
    }
}

/// Reads a formula, if it can be compared.
pub(super) fn formula(latex: &str) -> Option<Quantity> {
    if latex.len() > LONGEST || is_of_vectors(latex) {
        return None;
    }
    let reference = Reference::new(latex, &Options::new().with_budget(FUEL)).ok()?;
    // Relations between complex numbers would be compared by a slow search that proves nothing.
    if reference.expression().kind() != Kind::Value && has_imaginary_unit(latex) {
        return None;
    }
    Some(Quantity::Formula { latex: latex.to_owned(), reference: Box::new(reference) })
}

/// Returns whether a formula has vectors. Their products would be read as products of numbers.
fn is_of_vectors(latex: &str) -> bool {
    ["\\vec", "\\overrightarrow", "\\mathbf", "\\boldsymbol", "\\bm", "\\hat", "\\nabla"]
        .iter()
        .any(|command| latex.contains(command))
}

/// Returns whether a value has at least two names, all capital letters. They may be matrices, whose products
/// do not commute.
fn is_of_capitals(reference: &Reference) -> bool {
    let names = reference.expression().names().symbols;
    let capital = |name: &String| name.starts_with(|c: char| c.is_ascii_uppercase());
    reference.expression().kind() == Kind::Value && names.len() >= 2 && names.iter().all(capital)
}

/// Returns whether a formula contains the letter `i` outside commands and indices.
fn has_imaginary_unit(latex: &str) -> bool {
    let bytes = latex.as_bytes();
    let mut command = false;
    bytes.iter().enumerate().any(|(at, byte)| {
        command = *byte == b'\\' || (command && byte.is_ascii_alphabetic());
        let index = at > 0
            && matches!(bytes[at - 1], b'_' | b'{')
            && latex[..at].trim_end_matches('{').ends_with('_');
        *byte == b'i' && !command && !index
    })
}

/// Returns a text that is a formula without `$`: single letters and numbers with operators, such as `2(x+1)`,
/// or a power such as `2^10`. Codes, ranges and scores have no letters or no operators.
fn plain_formula(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.len() > 60 || !text.is_ascii() {
        return None;
    }
    let bytes = text.as_bytes();
    let signs = |c: char| c.is_ascii_alphanumeric() || " +-*/^()=.".contains(c);
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    // Reject words, and letters before a digit: `2x3` is a size, `x1` a name.
    let single = (0..bytes.len()).all(|at| !letter(at) || (!letter(at + 1) && !digit(at + 1)));
    let has_letter = (0..bytes.len()).any(letter);
    let has_digit = (0..bytes.len()).any(digit);
    let operator = text.contains(['+', '-', '*', '/', '^', '(', '=']);
    let power = text.split_once('^').is_some_and(|(base, exponent)| {
        let whole =
            |text: &str| !text.is_empty() && text.len() < 5 && text.bytes().all(|byte| byte.is_ascii_digit());
        whole(base) && whole(exponent)
    });
    // Reject program code, recognised by its operators.
    let program = text.contains("==") || text.contains("+=") || text.contains("**") || text.contains("//");
    (text.chars().all(signs) && single && ((has_letter && has_digit && operator) || power) && !program)
        .then_some(text)
}

/// Returns the value of a calculation with numbers in plain text, such as `2+2`. Alone, it may also be a score or a range, so
/// it counts only beside items whose values are known.
pub(super) fn calculation(content: &Content) -> Option<Quantity> {
    let pieces = content.pieces();
    let [Piece::Text(text)] = pieces.as_slice() else { return None };
    let text = text.trim().replace('\u{2212}', "-").replace(['\u{d7}', '\u{b7}'], "*");
    let signs = |c: char| c.is_ascii_digit() || " +-*.()".contains(c);
    let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|number| !number.is_empty());
    (text.len() <= 60 && text.chars().all(signs) && text.contains(['+', '-', '*']) && numbers.count() >= 2)
        .then(|| formula(&text))
        .flatten()
}

/// The maximum length of a number; equality of longer numbers would prove little.
const MOST_DIGITS: usize = 60;

/// Fractions that are a single character.
const VULGAR: [(char, i64, i64); 11] = [
    ('\u{bd}', 1, 2),
    ('\u{bc}', 1, 4),
    ('\u{be}', 3, 4),
    ('\u{2153}', 1, 3),
    ('\u{2154}', 2, 3),
    ('\u{2155}', 1, 5),
    ('\u{2156}', 2, 5),
    ('\u{2157}', 3, 5),
    ('\u{2158}', 4, 5),
    ('\u{2159}', 1, 6),
    ('\u{215b}', 1, 8),
];
/// The largest exponent that is read.
const GREATEST_POWER: i64 = 60;

/// Reads a decimal, fraction, mixed number or percentage, with an optional power of ten and unit.
///
/// Numbers with leading zeros are codes. A single comma is a decimal comma unless three digits follow it.
/// Groups of three digits are joined if blanks or at least two commas separate them.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = without_groups(&text.trim().replace('\u{2212}', "-"));
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let vulgar = |text: &str| {
        let first = text.chars().next()?;
        let (_, above, below) = VULGAR.iter().find(|(sign, ..)| *sign == first)?;
        Some((Rational::from(*above).checked_div(&Rational::from(*below))?, first.len_utf8()))
    };
    let mut decimal = true;
    let (mut value, mut rest);
    if let Some((fraction, after)) = latex_fraction(unsigned).or_else(|| integer_power(unsigned)) {
        (value, rest, decimal) = (fraction, after, false);
    } else if let Some((fraction, length)) = vulgar(unsigned) {
        (value, rest, decimal) = (fraction, &unsigned[length..], false);
    } else {
        let (digits, after) = decimal_text(unsigned)?;
        value = Rational::from_decimal_text(digits)?;
        rest = after;
        let whole = !digits.contains('.');
        if let Some(places) = rest.strip_prefix(',').filter(|_| whole) {
            let count = places.bytes().take_while(u8::is_ascii_digit).count();
            if count > 0
                && count != 3
                && digits.len() + count < MOST_DIGITS
                && !places[count..].starts_with(',')
            {
                value = Rational::from_decimal_text(&format!("{digits}.{}", &places[..count]))?;
                rest = &places[count..];
            }
        } else if let Some((fraction, length)) = vulgar(rest.trim_start()).filter(|_| whole) {
            value = value.checked_add(&fraction)?;
            rest = &rest.trim_start()[length..];
            decimal = false;
        } else if let Some((fraction, after)) = mixed(rest).filter(|_| whole) {
            value = value.checked_add(&fraction)?;
            rest = after;
            decimal = false;
        }
        if let Some(after) = rest.trim_start().strip_prefix('/')
            && let Some((below, after)) = decimal_text(after.trim_start())
        {
            value = value.checked_div(&Rational::from_decimal_text(below)?)?;
            rest = after;
            decimal = false;
        }
        if let Some((power, after)) = power_of_ten(rest) {
            value = value.checked_mul(&Rational::from(10).checked_pow(power)?)?;
            rest = after;
            decimal = false;
        }
    }
    if let Some(after) = rest.trim_start().strip_prefix("\\%").or_else(|| rest.trim_start().strip_prefix('%'))
    {
        value = value.checked_div(&Rational::from(100))?;
        rest = after;
        decimal = false;
    }
    if negative {
        value = value.negated();
    }
    let unit = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let joined = rest.starts_with([',', '.', ':', '-', '\u{2013}', '(', '_', '\'', '/']);
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '/' | '^' | '°' | '²' | '³' | '·' | '€' | '$' | '£' | 'Ω')
    };
    let counted = unit.starts_with(|c: char| c.is_ascii_digit());
    let powers = !unit.contains(|c: char| c.is_ascii_digit()) || known(&unit).is_some();
    if joined || counted || !powers || unit.chars().count() > 20 || !unit.chars().all(plain) {
        return None;
    }
    Some(Number { value, unit, decimal, in_words: false })
}

/// Returns a number without the separators of its groups of three digits: blanks, or at least two commas. A
/// single comma may be a decimal comma.
fn without_groups(text: &str) -> String {
    let start = usize::from(text.starts_with(['-', '+']));
    let head = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    let mut whole = text[..start + head].to_owned();
    let mut rest = &text[start + head..];
    let separator = rest.chars().next();
    let least = match separator {
        Some(' ' | '\u{a0}' | '\u{2009}' | '\u{202f}') => 1,
        Some(',') => 2,
        _ => return text.to_owned(),
    };
    let mut groups = 0;
    while let Some(after) = rest.strip_prefix(|c| Some(c) == separator)
        && after.bytes().take_while(u8::is_ascii_digit).count() == 3
    {
        whole.push_str(&after[..3]);
        rest = &after[3..];
        groups += 1;
    }
    let grouped = (1..=3).contains(&head) && groups >= least && !rest.starts_with(['/', ',']);
    if grouped { whole + rest } else { text.to_owned() }
}

/// Reads `\frac{1}{2}` or `\dfrac12`; returns the value and the remaining text.
fn latex_fraction(text: &str) -> Option<(Rational, &str)> {
    let rest = ["\\frac", "\\dfrac", "\\tfrac"].iter().find_map(|command| text.strip_prefix(command))?;
    let part = |text| -> Option<(Rational, &str)> {
        let text: &str = text;
        match text.strip_prefix('{') {
            Some(inner) => {
                let (digits, after) = decimal_text(inner)?;
                Some((Rational::from_decimal_text(digits)?, after.strip_prefix('}')?))
            }
            None => {
                let digit = text.chars().next().filter(char::is_ascii_digit)?.to_digit(10)?;
                Some((Rational::from(i64::from(digit)), &text[1..]))
            }
        }
    };
    let (above, rest) = part(rest.trim_start())?;
    let (below, rest) = part(rest)?;
    Some((above.checked_div(&below)?, rest))
}

/// Reads `10^4` or `2^{10}`; returns the value and the remaining text.
fn integer_power(text: &str) -> Option<(Rational, &str)> {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    let base: i64 = text[..count].parse().ok().filter(|base| *base < 1_000)?;
    let rest = text[count..].strip_prefix('^')?;
    let (inner, closed) = match rest.strip_prefix('{') {
        Some(inner) => (inner, true),
        None => (rest, false),
    };
    let (negative, digits) = match inner.strip_prefix('-') {
        Some(digits) if closed => (true, digits),
        _ => (false, inner),
    };
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let power: i64 = digits[..count].parse().ok().filter(|power| *power <= GREATEST_POWER)?;
    let after = if closed { digits[count..].strip_prefix('}')? } else { &digits[count..] };
    Some((Rational::from(base).checked_pow(if negative { -power } else { power })?, after))
}

/// Reads the fraction of a mixed number, after its integer part: ` 1/2`. Returns the value and the remaining
/// text.
fn mixed(rest: &str) -> Option<(Rational, &str)> {
    let (above, after) = decimal_text(rest.strip_prefix(' ')?)?;
    let (below, after) = decimal_text(after.strip_prefix('/')?)?;
    let fraction = Rational::from_decimal_text(above)?.checked_div(&Rational::from_decimal_text(below)?)?;
    (fraction < Rational::from(1)).then_some((fraction, after))
}

/// Reads `e3`, `E-5`, `\cdot 10^{3}` or `× 10^3`; returns the exponent and the remaining text.
fn power_of_ten(rest: &str) -> Option<(i64, &str)> {
    let exponent = |text: &str| {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        let power = digits[..count].parse::<i64>().ok().filter(|power| *power <= GREATEST_POWER)?;
        Some((sign * power, text.len() - digits.len() + count))
    };
    if let Some(text) = rest.strip_prefix(['e', 'E']) {
        return exponent(text).map(|(power, length)| (power, &text[length..]));
    }
    let rest = rest.trim_start();
    let text = ["\\cdot", "\\times", "\u{b7}", "\u{d7}", "*", "x "]
        .iter()
        .find_map(|sign| rest.strip_prefix(sign))?
        .trim_start()
        .strip_prefix("10^")?;
    match text.strip_prefix('{') {
        Some(braced) => {
            let (power, length) = exponent(braced)?;
            Some((power, braced[length..].strip_prefix('}')?))
        }
        None => exponent(text).map(|(power, length)| (power, &text[length..])),
    }
}

/// Splits a text after the decimal at its beginning.
fn decimal_text(text: &str) -> Option<(&str, &str)> {
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = whole;
    if let Some(after) = text[whole..].strip_prefix('.') {
        let places = after.bytes().take_while(u8::is_ascii_digit).count();
        if places > 0 {
            end = whole + 1 + places;
        }
    }
    let code = whole > 1 && text.starts_with('0');
    (whole > 0 && end <= MOST_DIGITS && !code).then(|| text.split_at(end))
}

/// Returns every entry that is provably equal to an earlier entry. Quadratic in the number of entries; each
/// comparison has a budget.
pub(super) fn equal_pairs(entries: &[Option<Quantity>]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (second, entry) in entries.iter().enumerate() {
        let Some(entry) = entry else { continue };
        let twin = entries[..second].iter().enumerate().find_map(|(first, earlier)| {
            let (evidence, zeros_only) = same(earlier.as_ref()?, entry)?;
            Some(Pair { first, second, evidence, zeros_only })
        });
        pairs.extend(twin);
    }
    pairs
}

/// Returns the evidence that two quantities are equal, and whether they differ only in trailing zeros.
pub(super) fn same(a: &Quantity, b: &Quantity) -> Option<(&'static str, bool)> {
    match (a, b) {
        (Quantity::Number(a), Quantity::Number(b)) => {
            // Number words in several languages have equal values but are different answers.
            if a.in_words && b.in_words {
                return None;
            }
            if a.unit == b.unit {
                return (a.value == b.value).then_some(("the same number", a.decimal && b.decimal));
            }
            (a.in_base_units()? == b.in_base_units()?).then_some(("the same in another unit", false))
        }
        (Quantity::Formula { reference, .. }, Quantity::Formula { .. }) if is_of_capitals(reference) => None,
        (Quantity::Formula { reference, .. }, Quantity::Formula { latex, .. }) => {
            Some((proof(reference, latex)?, false))
        }
        (Quantity::Formula { reference, .. }, Quantity::Number(number))
        | (Quantity::Number(number), Quantity::Formula { reference, .. }) => {
            if !number.unit.is_empty() {
                return None;
            }
            let latex = format!("\\frac{{{}}}{{{}}}", number.value.numerator(), number.value.denominator());
            Some((proof(reference, &latex)?, false))
        }
    }
}

/// Returns the evidence that a formula equals a reference; agreement at sample points is not enough.
pub(super) fn proof(reference: &Reference, latex: &str) -> Option<&'static str> {
    let decision = reference.compare_latex(latex).ok()?;
    match decision.evidence {
        Evidence::Proven(Proof::SameForm) => Some("the same expression in another order"),
        Evidence::Proven(_) => Some("proven the same"),
        Evidence::Identity { .. } => Some("the same at random values of the variables"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn twins(texts: &[&str]) -> Vec<(usize, usize, bool)> {
        let entries: Vec<_> = texts.iter().map(|text| quantity(&Content::text(*text))).collect();
        equal_pairs(&entries).iter().map(|pair| (pair.first, pair.second, pair.zeros_only)).collect()
    }

    #[test]
    fn equal_values_are_proven() {
        assert_eq!(twins(&["0.5", "1/2", "2", "50%", "0.50"]), [(0, 1, false), (0, 3, false), (0, 4, true)]);
        assert_eq!(twins(&["$\\frac{x^2-1}{x-1}$", "$x+1$", "$x-1$"]), [(0, 1, false)]);
        assert_eq!(twins(&["$\\frac12$", "0.5", "$\\sin(x)$"]), [(0, 1, false)]);
        assert_eq!(twins(&["5 m", "5 cm", "5", "3 kg", "6/2 kg"]), [(3, 4, false)]);
        assert_eq!(twins(&["1 km", "1000 m", "2 h", "120 min"]), [(0, 1, false), (2, 3, false)]);
        assert_eq!(
            twins(&["1e3", "1000", "$10^3$", "\u{bd}", "0,5", "1 1/2", "1.5"]),
            [(0, 1, false), (0, 2, false), (3, 4, false), (5, 6, false)]
        );
        assert_eq!(
            twins(&["three", "3", "drei", "one half", "0.5"]),
            [(0, 1, false), (1, 2, false), (3, 4, false)]
        );
        assert_eq!(twins(&["$\\vec a\\cdot\\vec b$", "$\\vec a\\times\\vec b$", "$AB$", "$BA$"]), []);
        assert_eq!(
            twins(&["$3\\times10^8$ m/s", "300000000 m/s", "$\\frac12$ kg", "0.5 kg", "500 g"]),
            [(0, 1, false), (2, 3, false), (2, 4, false)]
        );
        assert_eq!(twins(&["$3$ apples", "3", "$3$ pears", "$3x$ m", "$3$-fold", "3"]), [(1, 5, true)]);
        assert_eq!(twins(&["2(x+1)", "2x+2", "2x+1", "2^10", "1024"]), [(0, 1, false), (3, 4, false)]);
    }

    #[test]
    fn what_only_looks_like_a_number_is_left_alone() {
        for text in ["2x3", "4-5", "print(x)", "x1 + 2", "H+", "i += 1", "a - b"] {
            assert!(quantity(&Content::text(text)).is_none(), "{text}");
        }
        for text in
            ["007", "10:30", "2020-01-01", "1,000", "1.2.3", "3 + 4", "x", "", "-", "1. Boil", "$A$ and $B$"]
        {
            assert!(!matches!(quantity(&Content::text(text)), Some(Quantity::Number(_))), "{text}");
        }
    }
}
