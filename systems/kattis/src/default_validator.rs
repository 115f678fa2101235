//! The default output validator: a streaming comparison of tokens in linear time, with exact numbers.
//!
//! ```
//! use fablegrade_kattis::{Version, default_validator::Comparison};
//!
//! let flags = ["float_tolerance".to_owned(), "1e-1".to_owned()];
//! let comparison = Comparison::from_args(&flags, Version::V2025_09)?;
//! assert!(comparison.accepts(b"0.3\n", b" 3.3e-1")); // |0.33 - 0.3| <= 0.1 * 0.3, exactly
//! assert!(comparison.accepts(b"0.3\n", b"0.2"));     // |0.2 - 0.3| <= 0.1, exactly
//! # Ok::<(), fablegrade_kattis::default_validator::FlagError>(())
//! ```
//!
//! Tokens are separated by space, `\f`, `\n`, `\r`, `\t` and `\v`. With a tolerance, each token of the answer that is a
//! number is compared as a number, and all others as text. Numbers are exact decimals. Digits after the first 1,000
//! significant ones are cut off. A value far beyond the range of IEEE double precision is infinite or zero.

use fablegrade_public::Decimal;
use fablegrade_public::outcome::End;

use crate::Version;
use crate::job::{ACCEPT, Feedback, REJECT, Ran, Validated};

/// The number of significant digits that are compared.
const DIGITS: usize = 1_000;
/// The maximum length of a token that is compared as a number, in bytes.
const LONGEST: usize = 1 << 20;
/// The maximum length of a token's excerpt in a message, in bytes of the token.
const EXCERPT: usize = 40;

/// The parsed arguments of the default output validator.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Whether letter case matters.
    pub case_sensitive: bool,
    /// Whether all white space is compared, including leading and trailing white space.
    pub space_change_sensitive: bool,
    /// Maximum absolute error of a number.
    pub absolute: Option<Decimal>,
    /// Maximum error of a number, relative to the answer.
    pub relative: Option<Decimal>,
    /// Whether hexadecimal numbers and the words `inf` and `infinity` are numbers, as in the legacy versions.
    pub ieee: bool,
}

/// The reason why the arguments of the default validator cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlagError {
    /// An argument that the default validator does not have.
    Unknown(String),
    /// A tolerance without a number after it.
    NoNumber(&'static str),
    /// The word after a tolerance is not a number that is at least 0.
    BadNumber(&'static str),
    /// The tolerance was already set, by the same or by another argument.
    Repeated(&'static str),
}

impl std::fmt::Display for FlagError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(word) => {
                write!(f, "the default validator has no argument `{}`", excerpt(word.as_bytes()))
            }
            Self::NoNumber(flag) => write!(f, "`{flag}` needs a number after it"),
            Self::BadNumber(flag) => {
                write!(f, "the word after `{flag}` is not a decimal number that is at least 0")
            }
            Self::Repeated(flag) => write!(f, "`{flag}` sets a tolerance that is set already"),
        }
    }
}

impl std::error::Error for FlagError {}

impl FlagError {
    /// Returns advice on correcting the argument.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Unknown(_) => {
                "use case_sensitive, space_change_sensitive, float_tolerance, float_absolute_tolerance or \
                 float_relative_tolerance"
            }
            Self::NoNumber(_) | Self::BadNumber(_) => "write a tolerance such as `float_tolerance 1e-6`",
            Self::Repeated(_) => "keep one of them",
        }
    }
}

impl Comparison {
    /// Reads the arguments. If a tolerance is set twice, the last value counts in legacy versions; in 2025-09, that is
    /// an error.
    ///
    /// # Errors
    /// The first argument that cannot be used.
    pub fn from_args(args: &[String], version: Version) -> Result<Self, FlagError> {
        let ieee = version.is_legacy();
        let mut read = Self { ieee, ..Self::default() };
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let (flag, absolute, relative) = match word.as_str() {
                "case_sensitive" => {
                    read.case_sensitive = true;
                    continue;
                }
                "space_change_sensitive" => {
                    read.space_change_sensitive = true;
                    continue;
                }
                "float_absolute_tolerance" => ("float_absolute_tolerance", true, false),
                "float_relative_tolerance" => ("float_relative_tolerance", false, true),
                "float_tolerance" => ("float_tolerance", true, true),
                other => return Err(FlagError::Unknown(other.to_owned())),
            };
            let number = words.next().ok_or(FlagError::NoNumber(flag))?;
            let number = match number_of(number.as_bytes(), ieee) {
                Some(Number::Finite(number)) if !number.is_negative() => number,
                _ => return Err(FlagError::BadNumber(flag)),
            };
            let again = absolute && read.absolute.is_some() || relative && read.relative.is_some();
            if again && !ieee {
                return Err(FlagError::Repeated(flag));
            }
            if absolute {
                read.absolute = Some(number.clone());
            }
            if relative {
                read.relative = Some(number);
            }
        }
        Ok(read)
    }

    /// Returns whether an output is accepted. Takes time linear in the length of both texts.
    pub fn accepts(&self, answer: &[u8], output: &[u8]) -> bool {
        self.compare(answer, output).is_ok()
    }

    /// Compares an output with the answer. Takes time linear in the length of both texts.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, answer: &[u8], output: &[u8]) -> Result<(), Difference> {
        let mut stream = self.stream(answer);
        stream.feed(output)?;
        stream.finish()
    }

    /// Starts a comparison of an output that arrives in pieces. At most one token, or one run of white space, is
    /// buffered.
    pub fn stream<'a>(&'a self, answer: &'a [u8]) -> Stream<'a> {
        Stream { comparison: self, rest: answer, pending: Vec::new(), line: 1, token: 0 }
    }

    /// Acts like a validator program: returns the exit code and `judgemessage.txt`.
    pub fn validate(&self, answer: &[u8], output: &[u8]) -> Validated {
        match self.compare(answer, output) {
            Ok(()) => Validated::new(Ran::new(End::Exited(ACCEPT)), Feedback::default()),
            Err(difference) => {
                let message = (String::from("judgemessage.txt"), format!("{difference}\n").into_bytes());
                Validated::new(Ran::new(End::Exited(REJECT)), Feedback::new([message]))
            }
        }
    }

    fn same(&self, answer: &[u8], output: &[u8]) -> bool {
        if answer == output {
            return true;
        }
        if (self.absolute.is_some() || self.relative.is_some())
            && let Some(expected) = number_of(answer, self.ieee)
        {
            return match (expected, number_of(output, self.ieee)) {
                (Number::Finite(expected), Some(Number::Finite(found))) => self.near(&expected, &found),
                (Number::Infinite { negative }, Some(Number::Infinite { negative: other })) => {
                    negative == other
                }
                _ => false,
            };
        }
        if self.case_sensitive { false } else { answer.eq_ignore_ascii_case(output) }
    }

    fn near(&self, answer: &Decimal, output: &Decimal) -> bool {
        let error = output.subtract(answer).abs();
        let within = |bound: &Decimal| error <= *bound;
        self.absolute.as_ref().is_some_and(within)
            || self.relative.as_ref().is_some_and(|relative| within(&relative.multiply(&answer.abs())))
    }
}

/// The first difference between an output and the answer. For judges only, since it reveals the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Line of the output, from 1.
    pub line: u64,
    /// Number of the token, from 1; with `space_change_sensitive`, each run of white space is a token.
    pub token: u64,
    /// The kind of difference.
    pub kind: Kind,
}

/// The kind of difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A different token; holds the beginnings of the expected token and of the token found.
    Token(String, String),
    /// The output ends before this token.
    Missing(String),
    /// The output continues with this token.
    Extra(String),
    /// A token of the output is longer than any that could be accepted.
    TooLong,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, token {}: ", self.line, self.token)?;
        match &self.kind {
            Kind::Token(expected, found) => write!(f, "expected `{expected}`, found `{found}`"),
            Kind::Missing(expected) => write!(f, "expected `{expected}`, found the end of the output"),
            Kind::Extra(found) => write!(f, "expected the end of the output, found `{found}`"),
            Kind::TooLong => f.write_str("a token is too long"),
        }
    }
}

fn excerpt(token: &[u8]) -> String {
    let mut text: String = token.iter().take(EXCERPT).map(|byte| byte.escape_ascii().to_string()).collect();
    if token.len() > EXCERPT {
        text.push('…');
    }
    text
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x0c | b'\n' | b'\r' | b'\t' | 0x0b)
}

/// Returns the longest prefix of only blanks or only other bytes, and whether it is blank.
fn run(bytes: &[u8]) -> Option<(&[u8], bool)> {
    let blank = is_blank(*bytes.first()?);
    let end = bytes.iter().position(|byte| is_blank(*byte) != blank).unwrap_or(bytes.len());
    Some((bytes.get(..end).unwrap_or_default(), blank))
}

/// A comparison in progress.
#[derive(Debug)]
pub struct Stream<'a> {
    comparison: &'a Comparison,
    rest: &'a [u8],
    /// The beginning of a run that the next piece may continue.
    pending: Vec<u8>,
    line: u64,
    token: u64,
}

impl<'a> Stream<'a> {
    /// Compares the next piece of the output.
    ///
    /// # Errors
    /// The first difference, as soon as it is certain.
    pub fn feed(&mut self, mut piece: &[u8]) -> Result<(), Difference> {
        while let Some((bytes, blank)) = run(piece) {
            piece = piece.get(bytes.len()..).unwrap_or_default();
            if self.pending.first().is_some_and(|first| is_blank(*first) != blank) {
                self.flush()?;
            }
            if piece.is_empty() {
                // The run may continue in the next piece.
                if blank && !self.comparison.space_change_sensitive {
                    self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
                } else {
                    self.pending.extend_from_slice(bytes);
                    if self.pending.len() > LONGEST.max(self.rest.len()) {
                        return Err(self.difference(Kind::TooLong));
                    }
                }
            } else if self.pending.is_empty() {
                self.take(bytes, blank)?;
            } else {
                self.pending.extend_from_slice(bytes);
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the comparison at the end of the output.
    ///
    /// # Errors
    /// The first difference.
    pub fn finish(mut self) -> Result<(), Difference> {
        self.flush()?;
        match self.expected() {
            None => Ok(()),
            Some(expected) => {
                self.token += 1;
                Err(self.difference(Kind::Missing(excerpt(expected))))
            }
        }
    }

    fn flush(&mut self) -> Result<(), Difference> {
        let pending = std::mem::take(&mut self.pending);
        match pending.first() {
            Some(first) => self.take(&pending, is_blank(*first)),
            None => Ok(()),
        }
    }

    /// Returns the next run of the answer. Blanks are skipped unless they are compared.
    fn expected(&mut self) -> Option<&'a [u8]> {
        loop {
            let (bytes, blank) = run(self.rest)?;
            self.rest = self.rest.get(bytes.len()..).unwrap_or_default();
            if !blank || self.comparison.space_change_sensitive {
                return Some(bytes);
            }
        }
    }

    fn take(&mut self, found: &[u8], blank: bool) -> Result<(), Difference> {
        if !blank || self.comparison.space_change_sensitive {
            let comparison = self.comparison;
            self.token += 1;
            let kind = match self.expected() {
                None => Some(Kind::Extra(excerpt(found))),
                Some(expected) if comparison.same(expected, found) => None,
                Some(expected) => Some(Kind::Token(excerpt(expected), excerpt(found))),
            };
            if let Some(kind) = kind {
                return Err(self.difference(kind));
            }
        }
        if blank {
            self.line += memchr::memchr_iter(b'\n', found).count() as u64;
        }
        Ok(())
    }

    fn difference(&self, kind: Kind) -> Difference {
        Difference { line: self.line, token: self.token, kind }
    }
}

enum Number {
    Finite(Decimal),
    Infinite { negative: bool },
}

/// Reads a token as a number; `ieee` selects the grammar of the legacy versions. NaN is text, not a number: no number is
/// within a tolerance of it, and a tolerance must not reject what is accepted without one.
fn number_of(token: &[u8], ieee: bool) -> Option<Number> {
    if token.len() > LONGEST {
        return None;
    }
    let (negative, unsigned) = match token {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, token),
    };
    if ieee {
        if unsigned.eq_ignore_ascii_case(b"inf") || unsigned.eq_ignore_ascii_case(b"infinity") {
            return Some(Number::Infinite { negative });
        }
        if let [b'0', b'x' | b'X', rest @ ..] = unsigned {
            return hexadecimal(negative, rest);
        }
    }
    let (mantissa, exponent) = match unsigned.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (unsigned.get(..at)?, Some(unsigned.get(at + 1..)?)),
        None => (unsigned, None),
    };
    let exponent = match exponent {
        Some(text) => decimal_exponent(text)?,
        None => 0,
    };
    let (mut digits, mut point, mut seen) = (Vec::new(), None, 0i64);
    let (mut any, mut scale) = (false, 0i64);
    for byte in mantissa {
        match byte {
            b'0'..=b'9' => {
                any = true;
                seen += 1;
                if digits.len() < DIGITS && !(digits.is_empty() && *byte == b'0') {
                    digits.push(*byte);
                    scale = seen;
                }
            }
            b'.' if point.is_none() => point = Some(seen),
            _ => return None,
        }
    }
    if !any {
        return None;
    }
    if digits.is_empty() {
        return Some(Number::Finite(Decimal::zero()));
    }
    // The last kept digit is `scale - point` places after the point.
    let power = exponent.saturating_sub(scale - point.unwrap_or(seen));
    let magnitude = power.saturating_add(digits.len() as i64);
    if magnitude > 309 {
        return Some(Number::Infinite { negative });
    }
    if magnitude < -330 {
        return Some(Number::Finite(Decimal::zero()));
    }
    let mut text = String::with_capacity(digits.len() + 8);
    if negative {
        text.push('-');
    }
    text.push_str(std::str::from_utf8(&digits).ok()?);
    text.push_str(&format!("e{power}"));
    Some(match Decimal::from_text(&text) {
        Ok(number) => Number::Finite(number),
        Err(_) if magnitude > 0 => Number::Infinite { negative },
        Err(_) => Number::Finite(Decimal::zero()),
    })
}

/// Reads the exponent of a number, saturated far beyond any relevant value.
fn decimal_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = (value * 10 + i64::from(byte - b'0')).min(1 << 50);
    }
    Some(if negative { -value } else { value })
}

/// Reads a hexadecimal number of IEEE 754-2008 after its `0x`. The exponent may be absent, as in C. Digits after the
/// first 15 significant ones count as zeros.
fn hexadecimal(negative: bool, text: &[u8]) -> Option<Number> {
    let (mantissa, exponent) = match text.iter().position(|byte| matches!(byte, b'p' | b'P')) {
        Some(at) => (text.get(..at)?, decimal_exponent(text.get(at + 1..)?)?),
        None => (text, 0),
    };
    let (mut value, mut kept, mut power, mut point, mut any) = (0u64, 0u32, exponent, false, false);
    for byte in mantissa {
        match byte {
            b'.' if !point => point = true,
            _ => {
                let digit = (*byte as char).to_digit(16)?;
                any = true;
                if kept < 15 {
                    value = value * 16 + u64::from(digit);
                    kept += u32::from(value > 0);
                    power -= if point { 4 } else { 0 };
                } else {
                    power += if point { 0 } else { 4 };
                }
            }
        }
    }
    if !any {
        return None;
    }
    let exact = power_of_two(value, power);
    Some(match exact {
        None => Number::Infinite { negative },
        Some(number) => Number::Finite(if negative { number.negate() } else { number }),
    })
}

/// Returns `value * 2^power` exactly; `None` far beyond the range of doubles, and zero far below it.
fn power_of_two(value: u64, power: i64) -> Option<Decimal> {
    if value == 0 || power < -1200 {
        return Some(Decimal::zero());
    }
    if power > 1100 {
        return None;
    }
    let (base, times) = if power < 0 { (Decimal::new(5, -1), -power) } else { (Decimal::from(2), power) };
    let mut factor = Decimal::one();
    let (mut square, mut left) = (base, times);
    while left > 0 {
        if left & 1 == 1 {
            factor = factor.multiply(&square);
        }
        square = square.multiply(&square);
        left >>= 1;
    }
    Some(Decimal::from(i64::try_from(value).ok()?).multiply(&factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(flags: &str, version: Version) -> Comparison {
        let words: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        Comparison::from_args(&words, version).unwrap()
    }

    #[test]
    fn decisions() {
        // Flags, answer, output, accepted in 2025-09, accepted in legacy.
        for (flags, answer, output, new, old) in [
            ("", "Hello World\n", "hello   WORLD", true, true),
            ("case_sensitive", "Hello", "hello", false, false),
            ("", "\u{c4}", "\u{e4}", false, false),
            ("", "a b", "a", false, false),
            ("", "a", "a b", false, false),
            ("", "", " \n", true, true),
            ("", "a\u{b}b", "a b", true, true),
            ("", "a\u{a0}b", "a b", false, false),
            ("", "1.0", "1", false, false),
            ("space_change_sensitive", "a b\n", "a b\n", true, true),
            ("space_change_sensitive", "a b\n", "a b", false, false),
            ("space_change_sensitive", "a b\n", "a\tb\n", false, false),
            ("space_change_sensitive", "a", " a", false, false),
            ("space_change_sensitive", "A b", "a B", true, true),
            ("float_tolerance 0", "1", "1.000", true, true),
            ("float_tolerance 1e-6", "10", "10.00001", true, true),
            ("float_tolerance 1e-6", "10", "10.00001000001", false, false),
            ("float_absolute_tolerance 0.1", "0.3", "0.2", true, true),
            ("float_absolute_tolerance 0.1", "0.3", "0.1999999999999999999999", false, false),
            ("float_relative_tolerance 0.1", "0", "0", true, true),
            ("float_relative_tolerance 0.1", "0", "1e-300", false, false),
            ("float_relative_tolerance 0.1", "-10", "-11", true, true),
            ("float_absolute_tolerance 1 float_relative_tolerance 0.1", "1000", "1100", true, true),
            ("float_tolerance 0.1", "5", "five", false, false),
            ("float_tolerance 0.1", "five", "FIVE", true, true),
            ("float_tolerance 0.1", "five", "5", false, false),
            ("float_tolerance 0.1", "100e", "100e", true, true),
            ("float_tolerance 0.1", "100e", "100", false, false),
            ("float_tolerance 0.1", ".5", "+5.e-1", true, true),
            ("float_tolerance 0.1", ".", ".", true, true),
            ("float_tolerance 0.1", ".", "0", false, false),
            ("float_tolerance 0.1", "0x10", "16", false, true),
            ("float_tolerance 0.1", "0x1.8p1", "3.01", false, true),
            ("float_tolerance 0.1", "inf", "INF", true, true),
            ("float_tolerance 0.1", "inf", "+infinity", false, true),
            ("float_tolerance 0.1", "inf", "0", false, false),
            ("float_tolerance 0.1", "nan", "0", false, false),
            ("float_tolerance 0.1", "nan", "NaN", true, true),
            ("float_tolerance 0.1 case_sensitive", "nan", "NaN", false, false),
            ("float_tolerance 0.1", "nan", "-nan", false, false),
            ("float_tolerance 0.1", "1e400", "2e400", true, true),
            ("float_tolerance 0.1", "1e400", "-1e400", false, false),
            ("float_tolerance 0.1", "1", "nan", false, false),
            ("float_tolerance 0.1", "1", "0x1", false, true),
            ("float_tolerance 0.1", "1e400", "1e400", true, true),
            ("float_tolerance 0.1", "1", "1e99999999999999999999", false, false),
            ("float_tolerance 0.1", "0", "1e-99999999999999999999", true, true),
            ("float_tolerance 0.1", "0", "0e99999999999999999999", true, true),
            ("float_tolerance 1e-9", "-0.0", "0", true, true),
            ("float_tolerance 0.1", "1", "1\0", false, false),
            ("float_tolerance 0.1", "1", "1,0", false, false),
        ] {
            for (version, expected) in [(Version::V2025_09, new), (Version::Legacy, old)] {
                let found = comparison(flags, version).accepts(answer.as_bytes(), output.as_bytes());
                assert_eq!(found, expected, "{version}: {flags}: {answer:?} {output:?}");
            }
        }
    }

    #[test]
    fn arguments() {
        let read = |flags: &str, version| {
            let words: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
            Comparison::from_args(&words, version)
        };
        use Version::{Legacy, V2025_09};
        assert!(matches!(read("case", Legacy), Err(FlagError::Unknown(_))));
        assert_eq!(read("float_tolerance", V2025_09), Err(FlagError::NoNumber("float_tolerance")));
        assert_eq!(read("float_tolerance -1", V2025_09), Err(FlagError::BadNumber("float_tolerance")));
        assert_eq!(read("float_tolerance inf", Legacy), Err(FlagError::BadNumber("float_tolerance")));
        for twice in [
            "float_tolerance 1 float_tolerance 1",
            "float_tolerance 1 float_absolute_tolerance 1",
            "float_relative_tolerance 1 float_tolerance 1",
        ] {
            assert!(matches!(read(twice, V2025_09), Err(FlagError::Repeated(_))), "{twice}");
            assert!(read(twice, Legacy).is_ok(), "{twice}");
        }
        assert!(read("float_relative_tolerance 1 float_absolute_tolerance 1", V2025_09).is_ok());
    }

    #[test]
    fn differences_are_told_with_their_place() {
        let plain = Comparison::default();
        let told = |answer: &str, output: &str| {
            plain.compare(answer.as_bytes(), output.as_bytes()).unwrap_err().to_string()
        };
        assert_eq!(told("a\nb c\n", "a\nb d\n"), "line 2, token 3: expected `c`, found `d`");
        assert_eq!(
            told("a\n", "a\nb\x01"),
            "line 2, token 2: expected the end of the output, found `b\\x01`"
        );
        assert_eq!(told("a b", "a\n"), "line 2, token 2: expected `b`, found the end of the output");
    }

    #[test]
    fn a_million_digits_take_linear_time() {
        let long = "1".repeat(1 << 19);
        let tolerant = comparison("float_tolerance 1e-9", Version::V2025_09);
        assert!(!tolerant.accepts(long.as_bytes(), b"1"));
        assert!(tolerant.accepts(format!("0.{long}").as_bytes(), format!("0.{long}2").as_bytes()));
    }

    proptest::proptest! {
        #[test]
        fn pieces_do_not_matter(
            answer in "[ab1. \n]{0,12}", output in "[ab1. \n]{0,12}", cut in 0usize..12, strict: bool, floats: bool,
        ) {
            let mut comparison = Comparison { space_change_sensitive: strict, ..Comparison::default() };
            comparison.absolute = floats.then(|| Decimal::new(1, -1));
            let whole = comparison.compare(answer.as_bytes(), output.as_bytes());
            let (first, second) = output.as_bytes().split_at(cut.min(output.len()));
            let mut stream = comparison.stream(answer.as_bytes());
            let pieces = stream.feed(first).and_then(|()| stream.feed(second)).and_then(|()| stream.finish());
            proptest::prop_assert_eq!(whole, pieces);
        }

        #[test]
        fn an_output_equals_itself(text in ".{0,40}", strict: bool) {
            let comparison = Comparison { space_change_sensitive: strict, ..Comparison::default() };
            proptest::prop_assert!(comparison.accepts(text.as_bytes(), text.as_bytes()));
        }

        #[test]
        fn tolerances_are_exact(a in -1000i64..1000, s in -1000i64..1000, e in 0i64..100, scale in -9i32..9) {
            let comparison = Comparison { absolute: Some(Decimal::new(e, scale)), ..Comparison::default() };
            let (answer, output) = (format!("{a}e{scale}"), format!("{s}e{scale}"));
            let accepted = comparison.accepts(answer.as_bytes(), output.as_bytes());
            let near = (s - a).unsigned_abs() <= e.unsigned_abs();
            proptest::prop_assert_eq!(accepted, near);
        }
    }
}
