//! The notation of numbers: the decimal sign and the thousands separator.

use fablegrade_core::json::{self, Object};

use super::quantity::Digits;

/// A decimal sign and a thousands separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Notation {
    pub(crate) decimal: char,
    pub(crate) grouping: Grouping,
}

/// The separator between groups of three digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    None,
    Sign(char),
    /// A space, including narrow and non-breaking spaces.
    Blank,
}

impl Default for Notation {
    fn default() -> Self {
        Self { decimal: '.', grouping: Grouping::None }
    }
}

const POINT: Notation = Notation { decimal: '.', grouping: Grouping::Sign(',') };
const COMMA: Notation = Notation { decimal: ',', grouping: Grouping::Sign('.') };
const COMMA_BLANK: Notation = Notation { decimal: ',', grouping: Grouping::Blank };
const SWISS: Notation = Notation { decimal: '.', grouping: Grouping::Sign('\'') };

/// Locales with their usual notation (CLDR).
const LOCALES: &[(&str, Notation)] = &[
    ("en", POINT),
    ("ja", POINT),
    ("zh", POINT),
    ("ko", POINT),
    ("he", POINT),
    ("th", POINT),
    ("de", COMMA),
    ("es", COMMA),
    ("it", COMMA),
    ("nl", COMMA),
    ("pt", COMMA),
    ("da", COMMA),
    ("tr", COMMA),
    ("id", COMMA),
    ("el", COMMA),
    ("de-AT", COMMA_BLANK),
    ("fr", COMMA_BLANK),
    ("ru", COMMA_BLANK),
    ("uk", COMMA_BLANK),
    ("pl", COMMA_BLANK),
    ("cs", COMMA_BLANK),
    ("sk", COMMA_BLANK),
    ("sv", COMMA_BLANK),
    ("nb", COMMA_BLANK),
    ("fi", COMMA_BLANK),
    ("hu", COMMA_BLANK),
    ("bg", COMMA_BLANK),
    ("de-CH", SWISS),
];
const DECIMALS: &[(&str, char)] = &[(".", '.'), (",", ',')];
const GROUPINGS: &[(&str, Grouping)] = &[
    ("", Grouping::None),
    (",", Grouping::Sign(',')),
    (".", Grouping::Sign('.')),
    ("'", Grouping::Sign('\'')),
    (" ", Grouping::Blank),
];

impl Notation {
    /// Reads `locale`, `decimal` and `grouping`; the latter two override the locale.
    pub(crate) fn read(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let locale = object.defaulted("locale", Self::default(), json::word(LOCALES));
        let decimal = object.optional("decimal", json::word(DECIMALS));
        let grouping = object.optional("grouping", json::word(GROUPINGS));
        let locale = locale?;
        let notation = Self {
            decimal: decimal?.unwrap_or(locale.decimal),
            grouping: grouping?.unwrap_or(locale.grouping),
        };
        if notation.grouping == Grouping::Sign(notation.decimal) {
            object.report(fablegrade_core::Finding::error(
                "one-sign-twice",
                object.path().pointer(),
                "the decimal sign is the sign between thousands as well",
                "choose another `grouping`",
            ));
            return None;
        }
        Some(notation)
    }

    /// Returns the digits at the beginning of a text and their length in bytes; `None` if they are not a number in
    /// this notation.
    pub(crate) fn digits(self, text: &str) -> Option<(Digits, usize)> {
        let run = |text: &str| text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
        let mut used = run(text);
        let mut whole = text[..used].to_owned();
        let mut groups = 0;
        while let Some(sign) = text[used..].chars().next().filter(|sign| self.groups(*sign)) {
            let after = &text[used + sign.len_utf8()..];
            let group = run(after);
            if group != 3 || whole.is_empty() || (groups == 0 && whole.len() > 3) {
                // A space can end the number; another separator cannot.
                if self.grouping == Grouping::Blank && group == 0 {
                    break;
                }
                return None;
            }
            whole.push_str(&after[..3]);
            used += sign.len_utf8() + 3;
            groups += 1;
        }
        let mut fraction = None;
        if text[used..].starts_with(self.decimal) {
            let after = &text[used + self.decimal.len_utf8()..];
            let digits = run(after);
            fraction = Some(after[..digits].to_owned());
            used += self.decimal.len_utf8() + digits;
        }
        let count = whole.len() + fraction.as_ref().map_or(0, String::len);
        // The caller rejects a second decimal sign, or one of another notation, when it reads on.
        (1..=200).contains(&count).then_some((Digits { whole, fraction, power: None }, used))
    }

    fn groups(self, sign: char) -> bool {
        match self.grouping {
            Grouping::None => false,
            Grouping::Sign(grouping) => sign == grouping,
            Grouping::Blank => matches!(sign, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_in_their_notation() {
        let read = |notation: Notation, text: &str| {
            notation.digits(text).map(|(digits, used)| {
                (digits.whole, digits.fraction.unwrap_or_else(|| "-".to_owned()), text[used..].to_owned())
            })
        };
        let found =
            |whole: &str, fraction: &str, rest: &str| Some((whole.into(), fraction.into(), rest.into()));
        assert_eq!(read(POINT, "1,234.50 m"), found("1234", "50", " m"));
        assert_eq!(read(COMMA, "1.234,5"), found("1234", "5", ""));
        assert_eq!(read(COMMA_BLANK, "1\u{202f}234 m"), found("1234", "-", " m"));
        assert_eq!(read(COMMA_BLANK, "12 m"), found("12", "-", " m"));
        assert_eq!(read(SWISS, "12'345.6"), found("12345", "6", ""));
        assert_eq!(read(Notation::default(), ".5e3"), found("", "5", "e3"));
        assert_eq!(read(Notation::default(), "12."), found("12", "", ""));
        assert_eq!(read(Notation::default(), "3,14"), found("3", "-", ",14"));
        for wrong in ["1,23", "1234,567", "1,2345", ","] {
            assert_eq!(read(POINT, wrong), None, "{wrong}");
        }
    }
}
