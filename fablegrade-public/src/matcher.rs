//! The five output matchers, which compare a program's output with the expected output.
//!
//! They read bytes and never decode lossily. All are linear in the length of the two texts, apart from
//! sorting the keys of JSON objects and the exact arithmetic on single numbers, whose length is bounded.

use std::fmt;

use crate::Error;

use crate::decimal::Decimal;
use crate::json::{Document, Json, Limits};

/// The method of comparing an output. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Matcher {
    /// Equal bytes.
    Exact,
    /// Equal lines; whitespace at line ends and empty lines at the end are ignored.
    #[default]
    TrimmedLines,
    /// Equal tokens, separated by any run of whitespace.
    Tokens,
    /// Equal JSON values. The order of keys does not matter; the order of array elements does. Numbers are
    /// compared exactly unless a tolerance is given.
    Json,
    /// Equal tokens, except that numbers may differ within a tolerance.
    FloatTolerance,
}

/// Returns the default tolerance of [`Matcher::FloatTolerance`]: one millionth.
pub fn default_float_tolerance() -> Decimal {
    Decimal::new(1, -6)
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// True if the output is accepted.
    pub accepted: bool,
    /// The largest absolute error among the compared numbers, if there are any; only for
    /// [`Matcher::FloatTolerance`].
    pub largest_error: Option<Decimal>,
    /// The first difference from the expected output.
    pub difference: Option<Difference>,
}

/// The location of the first difference. It contains no part of either text, except the keys in a JSON
/// pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// The texts differ from this byte offset on.
    Byte(usize),
    /// This line (from 0) differs, is missing or is surplus.
    Line(usize),
    /// This token (from 0) differs, is missing or is surplus.
    Token(usize),
    /// The number at this token (from 0) is off by more than the tolerance.
    Number(usize),
    /// The values differ at this JSON pointer of the expected value.
    Value(String),
    /// The output is not one JSON value.
    NotJson,
    /// The expected text is not one JSON value, so no output can match.
    ExpectedNotJson,
}

impl fmt::Display for Difference {
    /// Describes the difference in words. Lines and tokens are counted from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(at) => write!(f, "from byte {at} on"),
            Self::Line(at) => write!(f, "on line {}", at + 1),
            Self::Token(at) => write!(f, "at token {}", at + 1),
            Self::Number(at) => write!(f, "token {}: the number is off by more than the tolerance", at + 1),
            Self::Value(pointer) if pointer.is_empty() => f.write_str("the values differ"),
            Self::Value(pointer) => write!(f, "the values differ at {pointer}"),
            Self::NotJson => f.write_str("the output is not one JSON value"),
            Self::ExpectedNotJson => f.write_str("the expected text is not one JSON value"),
        }
    }
}

impl Comparison {
    /// Returns `{accept, difference?, largestError?}`: the difference in words, the error as exact decimal text.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("accept", self.accepted)
            .with_some("difference", self.difference.as_ref().map(ToString::to_string))
            .with_some("largestError", self.largest_error.as_ref().map(ToString::to_string))
            .build()
    }
}

impl Matcher {
    /// All matchers with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("exact", Self::Exact),
        ("trimmed_lines", Self::TrimmedLines),
        ("tokens", Self::Tokens),
        ("json", Self::Json),
        ("float_tolerance", Self::FloatTolerance),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::TrimmedLines => "trimmed_lines",
            Self::Tokens => "tokens",
            Self::Json => "json",
            Self::FloatTolerance => "float_tolerance",
        }
    }

    /// Returns whether the matcher uses a `floatTolerance`.
    pub const fn uses_tolerance(self) -> bool {
        matches!(self, Self::Json | Self::FloatTolerance)
    }

    /// Returns the matcher for a word used in JSON.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, matcher)| *matcher)
    }

    /// Compares a program's output with the expected output.
    ///
    /// `tolerance` applies to numbers with [`Matcher::FloatTolerance`] (default [`default_float_tolerance`]) and with
    /// [`Matcher::Json`] (default: exact): accepted if `|e-a| <= tol` or `|e-a| <= tol*|e|`, in exact decimal
    /// arithmetic.
    pub fn compare(self, expected: &[u8], actual: &[u8], tolerance: Option<&Decimal>) -> Comparison {
        let difference = match self {
            Self::Exact => exact(expected, actual),
            Self::TrimmedLines => trimmed_lines(expected, actual),
            Self::Tokens => tokens_equal(expected, actual),
            Self::Json => json(expected, actual, tolerance),
            Self::FloatTolerance => {
                let default = default_float_tolerance();
                let (difference, largest) = float_tolerance(expected, actual, tolerance.unwrap_or(&default));
                return Comparison { accepted: difference.is_none(), largest_error: largest, difference };
            }
        };
        Comparison { accepted: difference.is_none(), largest_error: None, difference }
    }

    /// Returns whether [`Matcher::compare`] accepts the output.
    pub fn accepts(self, expected: &[u8], actual: &[u8], tolerance: Option<&Decimal>) -> bool {
        self.compare(expected, actual, tolerance).accepted
    }
}

fn exact(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    if expected == actual {
        return None;
    }
    let same = expected.iter().zip(actual).take_while(|(e, a)| e == a).count();
    Some(Difference::Byte(same))
}

/// Returns the lines without blanks at their ends and without empty lines at the end.
pub(crate) fn trimmed(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text_without_tail(text).split(|&byte| byte == b'\n').map(trim_end)
}

const fn is_line_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&byte| !is_line_blank(byte)).map_or(0, |at| at + 1);
    &line[..end]
}

/// Removes all blanks and line feeds at the end: empty lines and the trailing blanks of the last other line.
fn text_without_tail(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| byte != b'\n' && !is_line_blank(byte)).map_or(0, |at| at + 1);
    &text[..end]
}

fn trimmed_lines(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    let (mut expected, mut actual) = (trimmed(expected), trimmed(actual));
    for line in 0.. {
        match (expected.next(), actual.next()) {
            (None, None) => return None,
            (e, a) if e == a => {}
            _ => return Some(Difference::Line(line)),
        }
    }
    None
}

/// Returns whether a byte is one of the six ASCII blanks that separate tokens.
pub(crate) const fn is_blank(byte: u8) -> bool {
    byte == b'\n' || is_line_blank(byte)
}

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| is_blank(byte)).filter(|token| !token.is_empty())
}

fn tokens_equal(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    let (mut expected, mut actual) = (tokens(expected), tokens(actual));
    for token in 0.. {
        match (expected.next(), actual.next()) {
            (None, None) => return None,
            (e, a) if e == a => {}
            _ => return Some(Difference::Token(token)),
        }
    }
    None
}

/// Numbers with more characters or a greater exponent than this are compared as text, because their exact
/// difference could take megabytes.
const NUMBER_LIMIT: usize = 4_096;

/// Returns the value of a token of the form `[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?`.
fn number(token: &[u8]) -> Option<Decimal> {
    if token.len() > NUMBER_LIMIT || !token.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let text = std::str::from_utf8(token).ok()?;
    let (mantissa, power) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, "0"),
    };
    let digits = power.strip_prefix(['+', '-']).unwrap_or(power);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = Decimal::from_text_unbounded(mantissa)?;
    // Zero with any exponent is zero.
    if value.is_zero() {
        return Some(value);
    }
    let significant = digits.trim_start_matches('0');
    let exponent: usize = if significant.is_empty() { 0 } else { significant.parse().ok()? };
    if exponent > NUMBER_LIMIT { None } else { Decimal::from_text_unbounded(text) }
}

fn within(expected: &Decimal, actual: &Decimal, tolerance: &Decimal) -> (bool, Decimal) {
    let error = expected.subtract(actual).abs();
    let accepted = error <= *tolerance || error <= tolerance.multiply(&expected.abs());
    (accepted, error)
}

fn float_tolerance(
    expected: &[u8],
    actual: &[u8],
    tolerance: &Decimal,
) -> (Option<Difference>, Option<Decimal>) {
    let mut largest: Option<Decimal> = None;
    let mut first = None;
    let (mut expected, mut actual) = (tokens(expected), tokens(actual));
    for token in 0.. {
        let (e, a) = match (expected.next(), actual.next()) {
            (None, None) => break,
            (Some(e), Some(a)) => (e, a),
            _ => {
                first.get_or_insert(Difference::Token(token));
                break;
            }
        };
        match (number(e), number(a)) {
            (Some(e), Some(a)) => {
                let (accepted, error) = within(&e, &a, tolerance);
                if !accepted {
                    first.get_or_insert(Difference::Number(token));
                }
                if largest.as_ref().is_none_or(|largest| error > *largest) {
                    largest = Some(error);
                }
            }
            (None, _) if e == a => {}
            _ => {
                first.get_or_insert(Difference::Token(token));
            }
        }
    }
    (first, largest)
}

/// Reads a program's output as one JSON value, within the limits of [`Document::parse`] except that numbers
/// can be longer and outside the range of `f64`. Returns `None` for any other text.
pub fn output_json(text: &[u8]) -> Option<Json> {
    read_output(text).ok()
}

/// Works like [`output_json`], but returns the error if the text is not one JSON value.
pub(crate) fn read_output(text: &[u8]) -> Result<Json, Error> {
    let limits = Limits { number_bytes: 1 << 16, wide_numbers: true, ..Limits::default() };
    let document = Document::parse_within(text, limits)?;
    Ok(Json::from(document.root()))
}

fn json(expected: &[u8], actual: &[u8], tolerance: Option<&Decimal>) -> Option<Difference> {
    let Some(expected) = output_json(expected) else { return Some(Difference::ExpectedNotJson) };
    let Some(actual) = output_json(actual) else { return Some(Difference::NotJson) };
    let mut pointer = String::new();
    (!json_equal(&expected, &actual, tolerance, &mut pointer)).then_some(Difference::Value(pointer))
}

/// Compares two JSON values. If they differ, `pointer` then points to the first difference. The reader's
/// depth limit bounds the recursion.
fn json_equal(expected: &Json, actual: &Json, tolerance: Option<&Decimal>, pointer: &mut String) -> bool {
    match (expected, actual) {
        (Json::Number(e), Json::Number(a)) => {
            e == a
                || tolerance
                    .is_some_and(|tolerance| e.is_moderate() && a.is_moderate() && within(e, a, tolerance).0)
        }
        (Json::Array(e), Json::Array(a)) => {
            for (index, (e, a)) in e.iter().zip(a).enumerate() {
                let mark = pointer.len();
                crate::json::push_segment(pointer, &index.to_string());
                if !json_equal(e, a, tolerance, pointer) {
                    return false;
                }
                pointer.truncate(mark);
            }
            e.len() == a.len()
        }
        (Json::Object(e), Json::Object(a)) => {
            // Both are sorted, so equal sets of keys are in the same order.
            if e.len() != a.len() || e.iter().zip(a).any(|((e, _), (a, _))| e != a) {
                return false;
            }
            for ((key, e), (_, a)) in e.iter().zip(a) {
                let mark = pointer.len();
                crate::json::push_segment(pointer, key);
                if !json_equal(e, a, tolerance, pointer) {
                    return false;
                }
                pointer.truncate(mark);
            }
            true
        }
        _ => expected == actual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(matcher: Matcher, expected: &str, actual: &str) -> bool {
        matcher.accepts(expected.as_bytes(), actual.as_bytes(), None)
    }

    #[test]
    fn line_ends_do_not_count_but_line_starts_do() {
        for actual in ["a\nb", "a\nb\n", "a \t\r\nb\r\n\n \n", "a\x0b\nb\x0c"] {
            assert!(accepts(Matcher::TrimmedLines, "a\nb\n", actual), "{actual:?}");
        }
        for actual in [" a\nb", "a\n\nb", "\na\nb", "a b", "a\nB", "a", "a\nb\nc", "a\rb"] {
            assert!(!accepts(Matcher::TrimmedLines, "a\nb\n", actual), "{actual:?}");
        }
        assert!(accepts(Matcher::TrimmedLines, "", " \n\n"));
        assert!(!Matcher::TrimmedLines.accepts(b"\xff", b"\xfe", None));
        assert!(!accepts(Matcher::TrimmedLines, "a", "a\u{a0}"));
    }

    #[test]
    fn tokens_are_split_on_the_six_ascii_blanks() {
        assert!(accepts(Matcher::Tokens, "1 2\n3", "\t1\r\n2\x0b\x0c3 "));
        assert!(!accepts(Matcher::Tokens, "1 2", "1\u{a0}2"));
        assert!(!accepts(Matcher::Tokens, "12", "1 2"));
        assert!(!accepts(Matcher::Tokens, "1 2", "1 2 3"));
    }

    #[test]
    fn tolerances_are_exact_and_inclusive() {
        let tolerance = Decimal::new(1, -1);
        let accepts =
            |e: &str, a: &str| Matcher::FloatTolerance.accepts(e.as_bytes(), a.as_bytes(), Some(&tolerance));
        assert!(accepts("0.3", "0.4"));
        assert!(accepts("7", "7.7"));
        assert!(!accepts("7", "7.70000000000000000001"));
        assert!(accepts("-100", "-110"));
        assert!(!accepts("100", "-100"));
        for word in ["inf", "nan", "0x10", "1e", "--1", "1.2.3", "."] {
            assert!(!accepts("1", word), "{word}");
            assert!(accepts(word, word), "{word}");
        }
        assert!(!accepts("1e", "1"));
        assert!(accepts("1e2 +.5 5.", "100 0.5 5"));
    }

    #[test]
    fn absurd_numbers_are_compared_as_text() {
        assert!(accepts(Matcher::FloatTolerance, "1e999999999", "1e999999999"));
        assert!(!accepts(Matcher::FloatTolerance, "1e999999999", "1e999999998"));
        assert!(accepts(Matcher::FloatTolerance, "0", "0e99999999999999999999"));
        assert!(accepts(Matcher::FloatTolerance, "10", "1e0000000000000000000001"));
        assert!(!accepts(Matcher::FloatTolerance, "10", "1e+-1"));
        let long = "9".repeat(NUMBER_LIMIT + 1);
        assert!(accepts(Matcher::FloatTolerance, &long, &long));
    }

    #[test]
    fn the_largest_error_is_told() {
        let found = Matcher::FloatTolerance.compare(b"1 2 3", b"1 2.5 3.25", None);
        assert_eq!(found.largest_error, Some(Decimal::new(5, -1)));
        assert_eq!(found.difference, Some(Difference::Number(1)));
    }

    #[test]
    fn json_is_compared_by_value() {
        assert!(accepts(Matcher::Json, r#"{"a":1,"b":[1.0,2]}"#, r#" { "b" : [1, 2e0], "a": 1 } "#));
        for (expected, actual) in [
            ("[1,2]", "[2,1]"),
            ("1", "true"),
            ("1", "\"1\""),
            ("{}", "[]"),
            ("9007199254740993", "9007199254740992"),
            ("{\"a\":1}", "{\"a\":1,\"a\":1}"),
            ("1", "1 2"),
            ("1", "NaN"),
            ("\"x\"", "\"\\ud800\""),
            ("\"1e9999999\"", "1e9999999"),
        ] {
            assert!(!accepts(Matcher::Json, expected, actual), "{actual}");
        }
        let big = "7".repeat(400);
        assert!(accepts(Matcher::Json, &big, &big));
        let found = Matcher::Json.compare(br#"{"a":[1,{"b/c":2}]}"#, br#"{"a":[1,{"b/c":3}]}"#, None);
        assert_eq!(found.difference, Some(Difference::Value("/a/1/b~1c".into())));
        assert!(Matcher::Json.accepts(b"[0.3]", b"[0.4]", Some(&Decimal::new(1, -1))));
    }
}
