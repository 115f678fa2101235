//! Typed answers: texts with wildcards, numbers with tolerances.

use fablegrade_public::Decimal;

use super::question::normal_number;
use crate::item::{NumberRange, TextForm};

pub(super) fn is_one(multiplier: &str) -> bool {
    multiplier.trim().is_empty()
        || normal_number(multiplier)
            .and_then(|number| Decimal::from_text(&number).ok())
            .is_some_and(|number| number == Decimal::one())
}

/// Returns a text, or a wildcard text if it has an unescaped `*`.
///
/// Moodle does not escape backslashes, but Fablegrade does.
pub(super) fn text_form(text: &str) -> TextForm {
    let mut wildcard = String::with_capacity(text.len());
    let mut literal = String::with_capacity(text.len());
    let mut any = false;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some('*')) => {
                chars.next();
                wildcard.push_str("\\*");
                literal.push('*');
            }
            ('\\', _) => {
                wildcard.push_str("\\\\");
                literal.push('\\');
            }
            ('*', _) => {
                any = true;
                wildcard.push('*');
            }
            _ => {
                wildcard.push(char);
                literal.push(char);
            }
        }
    }
    if any { TextForm::Wildcard(wildcard) } else { TextForm::Text(literal) }
}

fn decimal(text: &str) -> Option<Decimal> {
    Decimal::from_text(&normal_number(text)?).ok()
}

pub(super) fn number_range(value: &str, tolerance: &str) -> Option<NumberRange> {
    if tolerance == ".." {
        let (least, most) = value.split_once("..")?;
        return Some(NumberRange::Between(decimal(least)?, decimal(most)?));
    }
    if value == "*" {
        return Some(NumberRange::Any);
    }
    let value = decimal(value)?;
    let tolerance = if tolerance.is_empty() { Decimal::zero() } else { decimal(tolerance)?.abs() };
    Some(if tolerance.is_zero() {
        NumberRange::Exact(value)
    } else {
        NumberRange::Absolute(value, tolerance)
    })
}

#[cfg(test)]
mod tests {
    use super::text_form;
    use crate::item::TextForm;

    #[test]
    fn stars_are_wildcards_unless_escaped() {
        assert_eq!(text_form(r"a\*b"), TextForm::Text("a*b".into()));
        assert_eq!(text_form(r"a*\b"), TextForm::Wildcard(r"a*\\b".into()));
        assert_eq!(text_form(r"*\*"), TextForm::Wildcard(r"*\*".into()));
    }
}
