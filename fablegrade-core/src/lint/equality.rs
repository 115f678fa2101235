//! Numbers and formulas that are the same by proof although they are written in other ways.

use fablegrade_math::number::Rational;
use fablegrade_math::{Evidence, Options, Proof, Reference};
use fablegrade_public::content::{Content, Piece};

/// Work units for one comparison: enough for what stands in a choice, and a bound for the rest.
const FUEL: u64 = 20_000;
/// Longer formulas are not compared.
const LONGEST: usize = 200;

/// What a content says, where it says one number or one formula.
pub(super) enum Quantity {
    Number(Number),
    Formula { latex: String, reference: Box<Reference> },
}

/// A number with what stands behind it.
pub(super) struct Number {
    pub(super) value: Rational,
    /// Unit or noun, with single blanks.
    pub(super) unit: String,
    /// Whether it is written as a decimal: two equal ones differ in zeros only.
    decimal: bool,
}

/// Two entries that say the same.
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) evidence: &'static str,
    /// Whether they differ in zeros at the end only, as `0.5` and `0.50`.
    pub(super) zeros_only: bool,
}

/// The number or formula that a content is, if it is one and nothing else.
pub(super) fn quantity(content: &Content) -> Option<Quantity> {
    let pieces = content.pieces();
    match pieces.as_slice() {
        [Piece::Text(text)] => number(text).map(Quantity::Number),
        [Piece::Formula(latex)] => number(latex).map(Quantity::Number).or_else(|| formula(latex)),
        [Piece::Formula(latex), Piece::Text(rest)] | [Piece::Text(rest), Piece::Formula(latex)]
            if rest.trim().is_empty() =>
        {
            number(latex).map(Quantity::Number).or_else(|| formula(latex))
        }
        _ => None,
    }
}

fn formula(latex: &str) -> Option<Quantity> {
    if latex.len() > LONGEST {
        return None;
    }
    let reference = Reference::new(latex, &Options::new().fuel(FUEL)).ok()?;
    Some(Quantity::Formula { latex: latex.to_owned(), reference: Box::new(reference) })
}

/// The longest number that is read: a comparison of longer ones would say little.
const MOST_DIGITS: usize = 60;

/// A decimal, a fraction or a percentage, with or without a unit. Numbers with zeros before them are codes, and groups
/// of digits with a comma may be anything, so neither is read.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = text.trim().replace('\u{2212}', "-");
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let (digits, mut rest) = decimal_text(unsigned)?;
    let mut value = Rational::from_decimal_text(digits)?;
    let mut decimal = true;
    if let Some(after) = rest.trim_start().strip_prefix('/')
        && let Some((below, after)) = decimal_text(after.trim_start())
    {
        value = value.checked_div(&Rational::from_decimal_text(below)?)?;
        rest = after;
        decimal = false;
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
    let joined = rest.starts_with([',', '.', ':', '-', '\u{2013}', '(', '_', '\'']);
    let plain =
        |c: char| c.is_alphabetic() || matches!(c, ' ' | '/' | '°' | '²' | '³' | '·' | '€' | '$' | '£' | 'Ω');
    if joined || unit.chars().count() > 20 || !unit.chars().all(plain) {
        return None;
    }
    Some(Number { value, unit, decimal })
}

/// A decimal at the beginning of a text, and what follows.
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

/// Every entry that is the same as an earlier one, by proof. Quadratic in the number of entries (at most 14), each
/// comparison within a budget.
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

/// The proof that two quantities are the same, and whether they differ in zeros at the end only.
fn same(a: &Quantity, b: &Quantity) -> Option<(&'static str, bool)> {
    match (a, b) {
        (Quantity::Number(a), Quantity::Number(b)) => {
            (a.unit == b.unit && a.value == b.value).then_some(("the same number", a.decimal && b.decimal))
        }
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

/// What proves that a formula is the same as a reference; agreement at points is none.
pub(super) fn proof(reference: &Reference, latex: &str) -> Option<&'static str> {
    let decision = reference.compare(latex).ok()?;
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
    }

    #[test]
    fn what_only_looks_like_a_number_is_left_alone() {
        for text in
            ["007", "10:30", "2020-01-01", "1,000", "1.2.3", "3 + 4", "x", "", "-", "1. Boil", "$A$ and $B$"]
        {
            assert!(!matches!(quantity(&Content::text(text)), Some(Quantity::Number(_))), "{text}");
        }
    }
}
