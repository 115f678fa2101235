//! The tokens of an output file.

use std::fmt;

/// The reason why a case cannot be read. The contestant sees its text before confirming.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid(String);

impl Invalid {
    /// Creates a reason from the checker's text.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }

    /// Returns the text.
    pub fn reason(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

/// Options for tokens: their maximum length, and whether blanks are tokens. Lengths are in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether blanks are tokens, each of which must be read with [`Stream::space`].
    pub strict_spaces: bool,
    /// The maximum length of an integer.
    pub int_max_len: usize,
    /// The maximum length of a float.
    pub float_max_len: usize,
    /// The maximum length of a string; not below the maximum length of an integer or a float.
    pub str_max_len: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { strict_spaces: false, int_max_len: 32, float_max_len: 32, str_max_len: 4096 }
    }
}

/// The output file as tokens. Space, tab and line feed are blanks; a carriage return, a byte order mark and a
/// no-break space are not.
#[derive(Debug)]
pub struct Stream<'t> {
    rest: std::str::Chars<'t>,
    options: Options,
    line: usize,
}

/// An unexpected end of the file.
pub(super) struct End;

/// An integer as Python's `int` reads it: its text without `+` and redundant zeros, and its value if it fits in 128
/// bits.
pub(super) struct Integer {
    pub(super) text: String,
    pub(super) value: Option<i128>,
}

const BLANKS: &[char] = &[' ', '\t', '\n'];
const AFTER_CASE_NUMBER: &[char] = &[' ', '\t', '\n', ':'];

impl<'t> Stream<'t> {
    pub(super) fn new(text: &'t str, options: Options) -> Self {
        Self { rest: text.chars(), options, line: 1 }
    }

    /// Returns the line number of the next character, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        if next == Some('\n') {
            self.line += 1;
        }
        next
    }

    fn at_blank(&self, blanks: &[char]) -> bool {
        self.peek().is_some_and(|next| blanks.contains(&next))
    }

    fn skip_blanks(&mut self, blanks: &[char]) -> Result<(), Invalid> {
        if self.options.strict_spaces && self.at_blank(blanks) {
            return Err(Invalid::new("expecting something not a space"));
        }
        while self.at_blank(blanks) {
            self.next();
        }
        Ok(())
    }

    /// Reads an integer: `+-0-9`, at most [`Options::int_max_len`] characters, ended by a blank or the end of the file.
    ///
    /// # Errors
    /// The next token is not an integer, or does not fit in 128 bits (impossible with the default maximum length).
    pub fn int(&mut self) -> Result<i128, Invalid> {
        let integer = self.integer(BLANKS)?;
        integer.value.ok_or_else(|| Invalid::new("number too large"))
    }

    /// Reads an integer that satisfies a condition.
    ///
    /// # Errors
    /// The errors of [`Stream::int`], or the condition does not hold.
    pub fn int_where(&mut self, holds: impl FnOnce(i128) -> bool) -> Result<i128, Invalid> {
        self.int()
            .and_then(|value| if holds(value) { Ok(value) } else { Err(Invalid::new("validation failed")) })
    }

    /// Reads a float: `+-e0-9.` (no `E`, no words), at most [`Options::float_max_len`] characters.
    ///
    /// # Errors
    /// The next token is not a number.
    pub fn float(&mut self) -> Result<f64, Invalid> {
        let text = self.number(self.options.float_max_len, "+-e.", BLANKS)?;
        text.parse().map_err(|_| Invalid::new(format!("could not convert string to float: '{text}'")))
    }

    /// Reads a float that satisfies a condition.
    ///
    /// # Errors
    /// The errors of [`Stream::float`], or the condition does not hold.
    pub fn float_where(&mut self, holds: impl FnOnce(f64) -> bool) -> Result<f64, Invalid> {
        self.float()
            .and_then(|value| if holds(value) { Ok(value) } else { Err(Invalid::new("validation failed")) })
    }

    /// Reads a string: everything up to the next blank, at most [`Options::str_max_len`] characters. At the end of the
    /// file it is empty.
    ///
    /// # Errors
    /// The string is too long (one character more than the maximum is then consumed), or, with
    /// [`Options::strict_spaces`], the next character is a blank.
    #[allow(clippy::should_implement_trait, reason = "the name of the library that checkers know")]
    pub fn str(&mut self) -> Result<String, Invalid> {
        self.skip_blanks(BLANKS)?;
        let mut text = String::new();
        let mut length = 0;
        while let Some(next) = self.peek().filter(|next| !BLANKS.contains(next)) {
            text.push(next);
            length += 1;
            self.next();
            if length > self.options.str_max_len {
                return Err(Invalid::new("string too long"));
            }
        }
        Ok(text)
    }

    /// Reads a string that satisfies a condition.
    ///
    /// # Errors
    /// The errors of [`Stream::str`], or the condition does not hold.
    pub fn str_where(&mut self, holds: impl FnOnce(&str) -> bool) -> Result<String, Invalid> {
        self.str().and_then(|text| if holds(&text) { Ok(text) } else { Err(Invalid::new("invalid string")) })
    }

    /// Reads one character that is not a blank.
    ///
    /// # Errors
    /// The file ends (in the original library, the whole checker fails), or, with [`Options::strict_spaces`], the next
    /// character is a blank.
    pub fn char(&mut self) -> Result<char, Invalid> {
        self.skip_blanks(BLANKS)?;
        self.next().ok_or_else(|| Invalid::new("expecting a character, not EOF"))
    }

    /// Reads exactly one blank.
    ///
    /// # Errors
    /// The next character is not a blank.
    pub fn space(&mut self) -> Result<char, Invalid> {
        if self.at_blank(BLANKS) { self.next() } else { None }
            .ok_or_else(|| Invalid::new("expecting a space"))
    }

    /// Checks that the next case or the end of the file follows. Reads only blanks, or nothing if blanks are tokens.
    /// The next case must start with `Case #`, in any letter case. `Caso #` is not accepted here, as in the original
    /// library.
    ///
    /// # Errors
    /// Another token follows.
    pub fn end(&mut self) -> Result<(), Invalid> {
        if !self.options.strict_spaces {
            self.skip_blanks(BLANKS)?;
        }
        if self.peek().is_none() {
            return Ok(());
        }
        const PREFIX: &str = "case #";
        // A header has the prefix and at least one character of a number.
        if self.rest.clone().nth(PREFIX.len()).is_none() {
            return Err(Invalid::new("expecting new testcase, not EOF"));
        }
        let same =
            self.rest.clone().zip(PREFIX.chars()).all(|(there, wanted)| there.eq_ignore_ascii_case(&wanted));
        if same { Ok(()) } else { Err(Invalid::new("the testcase has not ended")) }
    }

    /// Returns whether an integer follows. Blanks in front of it are read, unless they are tokens.
    pub fn has_int(&mut self) -> bool {
        self.ahead(|ahead| ahead.integer(BLANKS).is_ok())
    }

    /// Returns whether a float follows. Blanks in front of it are read, unless they are tokens.
    pub fn has_float(&mut self) -> bool {
        self.ahead(|ahead| ahead.float().is_ok())
    }

    /// Returns whether a blank follows; for streams where blanks are tokens.
    pub fn has_space(&self) -> bool {
        self.at_blank(BLANKS)
    }

    fn ahead(&mut self, look: impl FnOnce(&mut Stream<'t>) -> bool) -> bool {
        if !self.options.strict_spaces {
            while self.at_blank(BLANKS) {
                self.next();
            }
        }
        let mut ahead = Stream { rest: self.rest.clone(), options: self.options.clone(), line: self.line };
        look(&mut ahead)
    }

    /// Reads the number after `Case #`, which ends at a blank or a colon.
    pub(super) fn case_number(&mut self) -> Result<Integer, Invalid> {
        self.integer(AFTER_CASE_NUMBER)
    }

    fn integer(&mut self, blanks: &[char]) -> Result<Integer, Invalid> {
        let text = self.number(self.options.int_max_len, "+-", blanks)?;
        let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Invalid::new(format!("invalid literal for int() with base 10: '{text}'")));
        }
        let short = digits.trim_start_matches('0');
        let sign = if text.starts_with('-') && !short.is_empty() { "-" } else { "" };
        let text = format!("{sign}{}", if short.is_empty() { "0" } else { short });
        Ok(Integer { value: text.parse().ok(), text })
    }

    /// Reads the characters of a number. On an error, only blanks are consumed. A text such as `+-` is consumed here,
    /// although the caller then refuses it.
    fn number(&mut self, most: usize, signs: &str, blanks: &[char]) -> Result<String, Invalid> {
        self.skip_blanks(blanks)?;
        let mut ahead = self.rest.clone();
        let mut text = String::new();
        let stop = loop {
            match ahead.clone().next() {
                Some(next) if next.is_ascii_digit() || signs.contains(next) => {
                    text.push(next);
                    ahead.next();
                    // All these characters are one byte long.
                    if text.len() > most {
                        return Err(Invalid::new("number too long"));
                    }
                }
                stop => break stop,
            }
        };
        match stop.filter(|stop| !blanks.contains(stop)) {
            Some(wrong) => Err(Invalid::new(format!("invalid character `{wrong}' in number"))),
            None => {
                self.rest = ahead;
                Ok(text)
            }
        }
    }
}
