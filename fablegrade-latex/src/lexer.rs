//! Turns bytes into tokens, one at a time, without allocation.

mod lookahead;

use crate::ast::{Delimiter, Relation, Span};
use crate::commands::{self, Fence, Token};

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Lexeme {
    pub(super) fn span(self) -> Span {
        Span { start: self.start, end: self.end }
    }
}

/// The length below which the contents of `\mathbin` and similar commands can be a sign.
const LONGEST_SIGN: u32 = 32;

/// Reads tokens from a source that is at most [`crate::MAX_SOURCE`] bytes long.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    pub(super) at: usize,
    /// Whether commas always separate items, as inside delimiters; elsewhere, `1,000` is one thousand.
    pub(super) commas_separate: bool,
    /// The number of open tables.
    pub(super) tables: u16,
    /// Whether `&` only aligns and is skipped.
    pub(super) aligning: bool,
    /// Whether `or` and `and` between spaces or brackets are words.
    pub(super) connectives: bool,
    /// Whether dollar signs come in pairs and are skipped.
    pub(super) dollars: bool,
    /// The meaning of an `e` between digits.
    pub(super) exponents: Exponents,
    /// The last command that was split from a letter and is not noted yet; otherwise empty.
    pub(super) split: Span,
}

/// The meaning of an `e` between digits: `2e3`, `2e-3`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exponents {
    /// Always Euler's number or a variable.
    Never,
    /// A power of ten before a digit or after a single 1; Euler's number before a sign.
    Likely,
    /// The second reading: a power of ten before a sign or after a single 1; Euler's number before a digit.
    Unlikely,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            at: 0,
            commas_separate: false,
            tables: 0,
            aligning: false,
            connectives: true,
            dollars: false,
            exponents: Exponents::Likely,
            split: Span::default(),
        }
    }

    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    pub(super) fn source(&self) -> &'s str {
        self.source
    }

    /// Reads only `start..end` of the source.
    pub(super) fn limit(&mut self, start: usize, end: usize) {
        if let Some(source) = self.source.get(..end) {
            self.source = source;
            self.bytes = source.as_bytes();
        }
        self.at = start.min(end);
    }

    pub(super) fn text(&self, span: Span) -> &'s str {
        self.source.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the next token that is not skipped.
    #[inline]
    pub(super) fn next(&mut self) -> Lexeme {
        loop {
            while matches!(self.byte(self.at), b' ' | b'\t' | b'\n' | b'\r' | b'~') {
                self.at += 1;
            }
            let start = self.at;
            let token = self.scan();
            if !matches!(token, Token::Skip) {
                return Lexeme { token, start: start as u32, end: self.at as u32 };
            }
        }
    }

    /// Returns the token at the current position.
    ///
    /// The function is long because it has one arm per first character.
    #[inline]
    fn scan(&mut self) -> Token {
        let Some(&first) = self.bytes.get(self.at) else { return Token::End };
        let wide = |lexer: &mut Self, token| {
            lexer.at += 2;
            token
        };
        let token = match first {
            b'a' | b'o' if self.connectives && self.connective() != 0 => {
                let length = self.connective();
                self.at += length;
                return if length == 3 { Token::And } else { Token::Or };
            }
            b'a'..=b'z' | b'A'..=b'Z' => Token::Letter(first),
            b'0'..=b'9' => return self.number(),
            b'.' if self.byte(self.at + 1).is_ascii_digit() => return self.number(),
            b'\\' => return self.command(),
            // `1{:}2`: the braces only remove the spacing
            b'{' if matches!(self.byte(self.at + 1), b':' | b'=' | b'<' | b'>' | b' ') => {
                if let Some((token, end)) = self.braced_sign() {
                    self.at = end;
                    return token;
                }
                Token::OpenBrace
            }
            b'{' if self.byte(self.at + 1) == b'\\'
                && self.roman_unit()
                && let Some((_, end)) = self.braced_at(self.at) =>
            {
                self.at = end;
                return Token::Words;
            }
            b'{' => Token::OpenBrace,
            b'}' => Token::CloseBrace,
            b'^' => Token::Caret,
            b'_' => Token::Underscore,
            b'+' => Token::Plus,
            b'-' => match self.byte(self.at + 1) {
                b'>' => return wide(self, Token::Relation(Relation::Tends)),
                _ => Token::Minus,
            },
            b'(' => Token::Open(Fence::Paren),
            b')' => Token::Close(Fence::Paren),
            b'[' => Token::Open(Fence::Bracket),
            b']' => Token::Close(Fence::Bracket),
            b'|' => Token::Bar(Fence::Bar),
            b'*' => match self.byte(self.at + 1) {
                b'*' => return wide(self, Token::Caret),
                _ => Token::Times,
            },
            b'/' => Token::Divide,
            b',' => Token::Comma,
            b';' => Token::Semicolon,
            b':' => match self.byte(self.at + 1) {
                b'=' => return wide(self, Token::Relation(Relation::Defines)),
                _ => Token::Colon,
            },
            b'=' => match self.byte(self.at + 1) {
                b'=' => return wide(self, Token::Relation(Relation::Equal)),
                b'<' => return wide(self, Token::Relation(Relation::LessEqual)),
                b'>' => return wide(self, Token::Implies),
                _ => Token::Relation(Relation::Equal),
            },
            b'<' => match (self.byte(self.at + 1), self.byte(self.at + 2)) {
                (b'=', b'>') => {
                    self.at += 3;
                    return Token::Iff;
                }
                (b'=', _) => return wide(self, Token::Relation(Relation::LessEqual)),
                (b'>', _) => return wide(self, Token::Relation(Relation::NotEqual)),
                _ => Token::Relation(Relation::Less),
            },
            b'>' => match self.byte(self.at + 1) {
                b'=' => return wide(self, Token::Relation(Relation::GreaterEqual)),
                _ => Token::Relation(Relation::Greater),
            },
            // `a != b`; without the space `n!=6` is a factorial
            b'!' if self.byte(self.at + 1) == b'='
                && self.at.checked_sub(1).is_some_and(|before| self.byte(before) == b' ') =>
            {
                return wide(self, Token::Relation(Relation::NotEqual));
            }
            b'!' => Token::Bang,
            b'$' if self.dollars => Token::Skip,
            b'\'' => {
                let count = self.bytes[self.at..].iter().take_while(|b| **b == b'\'').take(100).count();
                self.at += count;
                return Token::Prime(count as u8);
            }
            b'%' => Token::Percent,
            b'&' if self.aligning => Token::Skip,
            b'&' => Token::Ampersand,
            0x80.. => {
                let c = self.source.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
                self.at += c.len_utf8();
                return commands::character(c).unwrap_or(Token::Stray);
            }
            _ => Token::Stray,
        };
        self.at += 1;
        token
    }

    fn command(&mut self) -> Token {
        match self.plain_command() {
            Token::LeftCommand => self.sized(true),
            Token::RightCommand => self.sized(false),
            Token::Middle => {
                self.skip_blanks();
                self.delimiter();
                Token::Middle
            }
            Token::SpaceWithArgument => {
                if self.byte(self.at) == b'*' {
                    self.at += 1;
                }
                self.braced();
                Token::Skip
            }
            Token::Upright => self.upright(),
            Token::Spaced => self.spaced(),
            token => token,
        }
    }

    /// Returns the token of a delimiter. A second `\left` after `\left` is not expanded, so there is no recursion.
    fn delimiter(&mut self) -> Token {
        if self.byte(self.at) == b'\\' { self.plain_command() } else { self.scan() }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.byte(self.at), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    /// Returns the meaning of the command at the current position, without what follows it.
    fn plain_command(&mut self) -> Token {
        let name_start = self.at + 1;
        let mut end = name_start;
        while self.byte(end).is_ascii_alphabetic() {
            end += 1;
        }
        if end == name_start {
            let symbol = self.byte(name_start);
            self.at = (name_start + 1).min(self.bytes.len());
            return match symbol {
                b'{' => Token::Open(Fence::Brace),
                b'}' => Token::Close(Fence::Brace),
                b'|' => Token::Bar(Fence::DoubleBar),
                b',' | b';' | b':' | b'!' | b' ' | b'>' | b'\n' | b'/' | b'-' => Token::Skip,
                b'%' => Token::Percent,
                b'$' => Token::Currency,
                // `\\frac`, pasted from a string with escapes: outside a table there are no rows
                b'\\' if self.tables == 0 && self.byte(name_start + 1).is_ascii_alphabetic() => {
                    self.at = name_start;
                    self.plain_command()
                }
                b'\\' => {
                    self.row_spacing();
                    Token::NewRow
                }
                b'&' => Token::And,
                _ => {
                    while !self.source.is_char_boundary(self.at) {
                        self.at += 1;
                    }
                    Token::Unknown
                }
            };
        }
        self.at = end;
        let name = &self.source[name_start..end];
        match commands::command(name) {
            Some(token) => token,
            None => match commands::split_command(name) {
                // `\vertx`: the letter after the command is read separately
                Some((token, length)) => {
                    self.at = name_start + length;
                    self.split = Span::new(name_start - 1, end);
                    token
                }
                None => Token::Unknown,
            },
        }
    }

    /// Skips `*` and a length such as `[2pt]` directly after `\\`. Other brackets are the next entry.
    fn row_spacing(&mut self) {
        if self.byte(self.at) == b'*' {
            self.at += 1;
        }
        if let Some(length) = self.bracketed()
            && is_length(length)
        {
            self.at += length.len() + 2;
        }
    }

    /// Skips an option such as `[t]` before the contents of an environment; `columns` if it can be the alignment
    /// of several columns.
    pub(super) fn option(&mut self, columns: bool) {
        if let Some(option) = self.bracketed()
            && (matches!(option, "t" | "b" | "c")
                || columns
                    && !option.is_empty()
                    && option.bytes().all(|b| matches!(b, b'l' | b'c' | b'r' | b'|')))
        {
            self.at += option.len() + 2;
        }
    }

    /// Returns the single sign inside the braces that open here, and the position after them.
    #[cold]
    fn braced_sign(&self) -> Option<(Token, usize)> {
        let behind_blanks = |mut at: usize| {
            while self.byte(at) == b' ' {
                at += 1;
            }
            at
        };
        let at = behind_blanks(self.at + 1);
        let token = match self.byte(at) {
            b':' => Token::Colon,
            b'=' => Token::Relation(Relation::Equal),
            b'<' => Token::Relation(Relation::Less),
            b'>' => Token::Relation(Relation::Greater),
            _ => return None,
        };
        let close = behind_blanks(at + 1);
        (self.byte(close) == b'}').then_some((token, close + 1))
    }

    /// Returns the single sign inside the braces of `\mathbin` and similar commands; the parser handles any
    /// other contents.
    fn spaced(&mut self) -> Token {
        let before = self.at;
        if let Some(content) = self.braced()
            && content.end - content.start < LONGEST_SIGN
        {
            let mut inside = *self;
            inside.limit(content.start as usize, content.end as usize);
            let sign = inside.next().token;
            let operand =
                matches!(sign, Token::End | Token::Number | Token::Letter(_) | Token::Name(_) | Token::Words);
            if !operand && inside.next().token == Token::End {
                return sign;
            }
        }
        self.at = before;
        Token::Boxed
    }

    /// Returns the delimiter after `\left` or `\right`.
    fn sized(&mut self, left: bool) -> Token {
        self.skip_blanks();
        let (fence, reversed) = match self.byte(self.at) {
            b'.' => {
                self.at += 1;
                (Fence::None, false)
            }
            b'{' => {
                self.at += 1;
                (Fence::Brace, !left)
            }
            b'}' => {
                self.at += 1;
                (Fence::Brace, left)
            }
            b'<' => {
                self.at += 1;
                (Fence::Angle, !left)
            }
            b'>' => {
                self.at += 1;
                (Fence::Angle, left)
            }
            _ => {
                let before = self.at;
                match self.delimiter() {
                    Token::Open(fence) => (fence, !left),
                    Token::Close(fence) => (fence, left),
                    Token::Bar(fence) => (fence, false),
                    _ => {
                        self.at = before;
                        return Token::Unknown;
                    }
                }
            }
        };
        if left { Token::Left(fence, reversed) } else { Token::Right(fence, reversed) }
    }

    /// Reads `\mathrm{...}` and similar commands, and returns the meaning of the letters as a word.
    fn upright(&mut self) -> Token {
        if self.byte(self.at) == b'*' {
            self.at += 1;
        }
        let Some(content) = self.braced() else { return Token::Skip };
        self.word(content)
    }

    /// Returns the meaning of upright letters.
    pub(super) fn word(&self, content: Span) -> Token {
        let text = self.text(content).trim_matches([' ', '\t', '\n', '\r', '~']);
        if matches!(text, "," | ";") {
            return Token::Comma;
        }
        // the full stop of `x=42\text{.}`
        let after = self.after(content.end as usize + 1);
        if matches!(text, "." | "!" | ":") && after.trim_start_matches([' ', '$', '\n']).is_empty() {
            return Token::Skip;
        }
        let text = text.trim_matches([' ', '~', '\\', ',']);
        if let Some(token) = self.connective_word(content, text) {
            return token;
        }
        match text.len() {
            0 => Token::Skip,
            _ => commands::word(text).unwrap_or(match text.as_bytes() {
                [letter] | [b'(', letter, b')'] if letter.is_ascii_alphabetic() => Token::Letter(*letter),
                _ => Token::Words,
            }),
        }
    }

    /// Returns the source from `at` on.
    pub(super) fn after(&self, at: usize) -> &'s str {
        self.source.get(at..).unwrap_or("")
    }

    /// Returns the letters inside `\mathrm{...}`.
    pub(super) fn upright_text(&self, span: Span) -> &'s str {
        let text = self.text(span);
        match (text.find('{'), text.rfind('}')) {
            (Some(open), Some(close)) if open < close => {
                let inside = text[open + 1..close].trim_matches([' ', '~', '\\', ',']);
                // {\rm cm}
                if open == 0 { inside.strip_prefix("rm").unwrap_or(inside).trim_start() } else { inside }
            }
            _ => "",
        }
    }

    /// Returns the span inside the braces that open at `at`, possibly after blanks, and the position after
    /// them.
    pub(super) fn braced_at(&self, at: usize) -> Option<(Span, usize)> {
        let mut ahead = *self;
        ahead.at = at;
        let inner = ahead.braced()?;
        Some((inner, ahead.at))
    }

    /// Returns whether the braces at `at` contain only a degree sign.
    pub(super) fn braced_is_degree(&self, at: usize) -> bool {
        self.braced_at(at)
            .is_some_and(|(inner, _)| matches!(self.text(inner).trim(), "\\circ" | "°" | "\\degree"))
    }

    /// Skips a braced argument and returns the span inside it; `None`, and skips nothing, if there is no such
    /// argument.
    pub(super) fn braced(&mut self) -> Option<Span> {
        let mut open = self.at;
        while self.byte(open) == b' ' {
            open += 1;
        }
        if self.byte(open) != b'{' {
            return None;
        }
        let mut depth = 0usize;
        let mut at = open;
        while at < self.bytes.len() {
            match self.bytes[at] {
                b'\\' => at += 1,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at = at + 1;
                        return Some(Span::new(open + 1, at));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Reads digits with a point, thousands groups and an exponent part.
    fn number(&mut self) -> Token {
        let start = self.at;
        self.digits();
        if self.byte(start) != b'.' {
            self.groups(start);
        }
        if self.byte(self.at) == b'.'
            && (self.byte(start) != b'.' || self.at == start)
            && self.byte(self.at + 1) != b'.'
        {
            self.at += 1;
            let first = self.at;
            self.digits();
            // groups after the point: `0.123\,456`, but not `2.5 100`
            if self.at - first == 3 {
                self.spaced_groups(3);
            }
        }
        if self.byte(self.at) == b'E' {
            let sign = usize::from(matches!(self.byte(self.at + 1), b'+' | b'-'));
            if self.byte(self.at + 1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                self.digits();
            }
        } else if self.byte(self.at) == b'e' {
            self.small_exponent(start);
        }
        Token::Number
    }

    /// Reads `e` and an integer after digits, if they are a power of ten.
    #[cold]
    fn small_exponent(&mut self, start: usize) {
        let signed = usize::from(matches!(self.byte(self.at + 1), b'+' | b'-'));
        let certain = self.bytes.get(start..self.at) == Some(b"1");
        let wanted = match self.exponents {
            Exponents::Never => false,
            Exponents::Likely => certain || signed == 0,
            Exponents::Unlikely => certain || signed == 1,
        };
        if wanted && self.byte(self.at + 1 + signed).is_ascii_digit() {
            self.at += 1 + signed;
            self.digits();
        }
    }

    #[inline]
    fn digits(&mut self) {
        while self.byte(self.at).is_ascii_digit() {
            self.at += 1;
        }
    }

    /// Reads thousands groups of exactly three digits, with `,`, `{,}`, `\,`, a space or similar separators.
    #[inline]
    fn groups(&mut self, start: usize) {
        let length = self.at - start;
        match self.byte(self.at) {
            b',' if !self.commas_separate
                && self.byte(self.at + 1) != b'\\'
                && length <= 3
                && self.byte(start) != b'0' =>
            {
                // the whole run of digits and commas must fit the pattern, else it is a list
                let mut at = self.at;
                while self.byte(at) == b',' && self.three_digits(at + 1) {
                    at += 4;
                }
                if at > self.at
                    && !self.byte(at).is_ascii_digit()
                    && !(self.byte(at) == b',' && self.byte(at + 1).is_ascii_digit())
                {
                    self.at = at;
                }
            }
            // `75,\!075`: a comma without the space after it does not separate items
            b',' if self.bytes[self.at..].starts_with(b",\\!") && length <= 3 && self.byte(start) != b'0' => {
                while self.bytes[self.at..].starts_with(b",\\!") && self.three_digits(self.at + 3) {
                    self.at += 6;
                }
            }
            b'{' if self.byte(self.at + 1) == b',' && self.byte(self.at + 2) == b'}' => {
                let mut at = self.at;
                if length <= 3 && self.byte(start) != b'0' {
                    while self.bytes[at..].starts_with(b"{,}")
                        && self.three_digits(at + 3)
                        && !self.byte(at + 6).is_ascii_digit()
                    {
                        at += 6;
                    }
                }
                if at == self.at && (self.byte(at + 3).is_ascii_digit() || self.repeats(at + 3)) {
                    // `3{,}14`: a comma in braces is a decimal comma, neither a separator nor a group
                    self.at += 3;
                    self.digits();
                } else {
                    self.at = at;
                }
            }
            b'\\' | b' ' | b'~' if length <= 3 && self.byte(start) != b'0' => {
                let before = self.at;
                self.spaced_groups(length);
                // `1\,000{,}5`: groups, then a decimal comma
                if self.at > before
                    && self.bytes[self.at..].starts_with(b"{,}")
                    && self.byte(self.at + 3).is_ascii_digit()
                {
                    self.at += 3;
                    self.digits();
                }
            }
            _ => {}
        }
    }

    fn spaced_groups(&mut self, length: usize) {
        if length > 3 {
            return;
        }
        loop {
            let rest = &self.bytes[self.at..];
            let gap = match rest {
                [b'\\', b',' | b';' | b':' | b' ' | b'!', ..] => 2,
                [b' ' | b'~', ..] => 1,
                _ => return,
            };
            if !self.three_digits(self.at + gap) {
                return;
            }
            self.at += gap + 3;
        }
    }

    /// Returns the length of the group separator at `at` if a digit follows it; otherwise 0.
    pub(super) fn group_sign(&self, at: usize) -> usize {
        let length = match self.bytes.get(at..).unwrap_or_default() {
            [b',', b'\\', b'!', ..] | [b'{', b',', b'}', ..] => 3,
            [b'\\', b',' | b'!', ..] => 2,
            _ => return 0,
        };
        if self.byte(at + length).is_ascii_digit() { length } else { 0 }
    }

    /// Returns the next token from `at` on.
    pub(super) fn token_after(&self, at: usize) -> Token {
        let mut ahead = *self;
        ahead.at = at;
        ahead.next().token
    }

    fn three_digits(&self, at: usize) -> bool {
        (0..3).all(|i| self.byte(at + i).is_ascii_digit()) && !self.byte(at + 3).is_ascii_digit()
    }
}

/// Returns whether a text is a length in TeX: a number and a unit.
fn is_length(text: &str) -> bool {
    const UNITS: [&str; 12] = ["pt", "ex", "em", "mm", "cm", "in", "mu", "bp", "pc", "dd", "cc", "sp"];
    let text = text.trim();
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    let number = UNITS.iter().find_map(|unit| number.strip_suffix(unit)).map(str::trim_end);
    number.is_some_and(|number| {
        number.bytes().any(|b| b.is_ascii_digit())
            && number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
            && number.bytes().filter(|b| !b.is_ascii_digit()).count() < 2
    })
}

/// Returns the tree's delimiter for a fence that can enclose a list.
pub(super) fn delimiter(fence: Fence, reversed: bool) -> Delimiter {
    match fence {
        Fence::Paren => Delimiter::Paren,
        Fence::Bracket if reversed => Delimiter::Reversed,
        Fence::Bracket => Delimiter::Bracket,
        Fence::Brace => Delimiter::Brace,
        Fence::Angle => Delimiter::Angle,
        _ => Delimiter::None,
    }
}
