//! Iterative JSON parser that keeps number texts and spans and reports duplicate keys.
//!
//! `serde_json` is not suitable: it rounds fractions to `f64`, and it loses spans and duplicate keys. Exact
//! numbers would need its feature `arbitrary_precision`, which feature unification enables for the embedder's
//! whole build.

use std::borrow::Cow;
use std::collections::HashSet;

use smallvec::SmallVec;

use super::pointer::{LONGEST_KEY, push_step};
use crate::decimal::Decimal;
use crate::finding::{Error, ErrorKind, Finding, Findings, Severity};

/// Limits for documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of a text, in bytes.
    pub bytes: usize,
    /// The maximum nesting depth of arrays and objects.
    pub depth: usize,
    /// The maximum length of a number, in bytes of text.
    pub number_bytes: usize,
    /// Allows numbers outside the range of IEEE double precision: in outputs of programs, not in documents.
    pub wide_numbers: bool,
}

impl Default for Limits {
    /// Returns 8 MiB of text, 128 levels, and 1,100 characters per number (enough for every finite `f64` in
    /// full).
    fn default() -> Self {
        Self { bytes: 8 << 20, depth: 128, number_bytes: 1_100, wide_numbers: false }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    /// A string with at least one escape.
    Escaped,
    Array,
    Object,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// First byte (for strings: inside the quotes).
    pub(super) start: u32,
    /// One past the last byte (for strings: inside the quotes).
    pub(super) end: u32,
    /// Index of the first node after this node's subtree.
    pub(super) next: u32,
}

/// A parsed JSON text: a flat tape of nodes that borrows the text.
///
/// Stricter than RFC 8259: no duplicate keys, no lone surrogates, nesting and size within [`Limits`]. Unless
/// the limits allow them, no numbers outside the range of `f64` (neither overflow nor underflow to zero).
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node>,
}

impl<'a> Document<'a> {
    /// Parses `text` within the default [`Limits`]. Linear in the length of a valid text.
    ///
    /// # Errors
    /// [`ErrorKind::Json`] with the location of a syntax error, invalid UTF-8 or an exceeded limit, and of
    /// all duplicate keys and out-of-range numbers up to it.
    pub fn parse(text: &'a [u8]) -> Result<Self, Error> {
        Self::parse_within(text, Limits::default())
    }

    /// Parses `text` within the given [`Limits`].
    ///
    /// # Errors
    /// The same as for [`Document::parse`].
    pub fn parse_within(text: &'a [u8], limits: Limits) -> Result<Self, Error> {
        Self::parse_reusing(text, limits, Vec::new())
    }

    pub(super) fn parse_reusing(text: &'a [u8], limits: Limits, mut nodes: Vec<Node>) -> Result<Self, Error> {
        let most = limits.bytes.min(u32::MAX as usize - 1);
        if text.len() > most {
            return Err(Error::single(
                ErrorKind::Json,
                Finding::error(
                    "too-large",
                    "",
                    // Readers stop one byte after the limit, so the length of the text is not that of the document.
                    format!("the document has more than {most} bytes"),
                    "send a smaller document",
                ),
            ));
        }
        let text = match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                return Err(Error::single(
                    ErrorKind::Json,
                    Finding::error(
                        "invalid-utf8",
                        "",
                        format!("byte {} is not valid UTF-8", error.valid_up_to()),
                        "encode the document as UTF-8",
                    ),
                ));
            }
        };
        nodes.clear();
        nodes.reserve(text.len() / 12 + 4);
        let mut parser = Parser {
            text,
            bytes: text.as_bytes(),
            at: 0,
            nodes,
            open: SmallVec::new(),
            findings: Findings::new(),
            limits,
        };
        match parser.run() {
            Err(problem) => {
                let finding = parser.locate(problem);
                parser.findings.push(finding);
                Err(Error::new(ErrorKind::Json, parser.findings))
            }
            Ok(()) if parser.findings.errors() > 0 => Err(Error::new(ErrorKind::Json, parser.findings)),
            Ok(()) => Ok(Document { text, nodes: parser.nodes }),
        }
    }

    /// Returns the source text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the tape, to be reused for the next document.
    pub(super) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }
}

struct Problem {
    rule: &'static str,
    message: String,
    help: &'static str,
    at: usize,
}

struct Open {
    /// The container's node.
    node: u32,
    /// In an object, the node of the newest key; in an array, the index of the newest element.
    child: u32,
    /// In an object, the bits of the keys so far (see [`key_bit`]). Keys with different bits differ.
    keys: u64,
    /// Whether two keys share a bit or a key has an escape. Only then are the keys compared.
    maybe_repeated: bool,
}

/// Returns one of 64 bits, chosen by a key's length, first byte and last byte.
#[inline]
fn key_bit(key: &[u8]) -> u64 {
    let (first, last) = (key.first().copied().unwrap_or(0), key.last().copied().unwrap_or(0));
    let mix = (key.len() as u32).wrapping_mul(7)
        ^ u32::from(first).wrapping_mul(5)
        ^ u32::from(last).wrapping_mul(3);
    1 << (mix & 63)
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The arrays and objects that are still open.
    open: SmallVec<[Open; 8]>,
    findings: Findings,
    limits: Limits,
}

impl Parser<'_> {
    fn syntax<T>(at: usize, message: impl Into<String>) -> Result<T, Problem> {
        Err(Problem { rule: "json-syntax", message: message.into(), help: "write valid JSON (RFC 8259)", at })
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn run(&mut self) -> Result<(), Problem> {
        self.skip_blanks();
        if self.at == self.bytes.len() {
            return Self::syntax(self.at, "the document is empty");
        }
        loop {
            // A value starts here.
            let opened = self.value()?;
            if opened {
                continue;
            }
            // A value has ended: close finished containers or move to the next value.
            loop {
                let Some(top) = self.open.last().map(|open| open.node) else {
                    self.skip_blanks();
                    if self.at < self.bytes.len() {
                        return Self::syntax(self.at, "there is text after the end of the document");
                    }
                    return Ok(());
                };
                let object = self.nodes[top as usize].kind == Kind::Object;
                self.skip_blanks();
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.skip_blanks();
                        if object {
                            self.key()?;
                        } else if let Some(open) = self.open.last_mut() {
                            open.child += 1;
                        }
                        break;
                    }
                    Some(b']') if !object => self.close(top),
                    Some(b'}') if object => self.close(top),
                    Some(_) if object => return Self::syntax(self.at, "expected `,` or `}` in this object"),
                    Some(_) => return Self::syntax(self.at, "expected `,` or `]` in this array"),
                    None => return Self::syntax(self.at, "the document ends too early"),
                }
            }
        }
    }

    fn close(&mut self, top: u32) {
        self.at += 1;
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[top as usize];
        node.next = next;
        node.end = self.at as u32;
        if self.open.pop().is_some_and(|open| open.maybe_repeated) {
            self.check_keys(top);
        }
    }

    /// Reads a value. Returns `true` if it opened an array or object whose first value must be read next.
    fn value(&mut self) -> Result<bool, Problem> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.string()?;
                Ok(false)
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Ok(false)
            }
            Some(b'{') => {
                self.open(Kind::Object)?;
                self.skip_blanks();
                if self.peek() == Some(b'}') {
                    self.close_empty();
                    return Ok(false);
                }
                self.key()?;
                Ok(true)
            }
            Some(b'[') => {
                self.open(Kind::Array)?;
                self.skip_blanks();
                if self.peek() == Some(b']') {
                    self.close_empty();
                    return Ok(false);
                }
                Ok(true)
            }
            Some(b't') => self.word("true", Kind::True),
            Some(b'f') => self.word("false", Kind::False),
            Some(b'n') => self.word("null", Kind::Null),
            Some(0xEF) if start == 0 && self.bytes.starts_with(b"\xEF\xBB\xBF") => Err(Problem {
                rule: "json-syntax",
                message: "a byte order mark is before the document".to_owned(),
                help: "save it as UTF-8 without one; in Python read it with `encoding=\"utf-8-sig\"`",
                at: start,
            }),
            Some(_) => Self::syntax(start, "expected a value"),
            None => Self::syntax(start, "the document ends too early"),
        }
    }

    fn open(&mut self, kind: Kind) -> Result<(), Problem> {
        if self.open.len() >= self.limits.depth {
            return Err(Problem {
                rule: "too-deep",
                message: format!("arrays and objects nest deeper than {} levels", self.limits.depth),
                help: "flatten the document",
                at: self.at,
            });
        }
        self.open.push(Open { node: self.nodes.len() as u32, child: 0, keys: 0, maybe_repeated: false });
        self.nodes.push(Node { kind, start: self.at as u32, end: 0, next: 0 });
        self.at += 1;
        Ok(())
    }

    fn close_empty(&mut self) {
        if let Some(top) = self.open.pop() {
            self.at += 1;
            let next = self.nodes.len() as u32;
            let node = &mut self.nodes[top.node as usize];
            node.next = next;
            node.end = self.at as u32;
        }
    }

    fn word(&mut self, word: &str, kind: Kind) -> Result<bool, Problem> {
        let start = self.at;
        if !self.bytes[start..].starts_with(word.as_bytes()) {
            return Self::syntax(start, "expected a value");
        }
        self.at += word.len();
        self.leaf(kind, start, self.at);
        Ok(false)
    }

    #[inline]
    fn leaf(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, start: start as u32, end: end as u32, next });
    }

    fn key(&mut self) -> Result<(), Problem> {
        // An error before the next key has been read must not point to the previous key.
        let key = self.nodes.len() as u32;
        if let Some(open) = self.open.last_mut() {
            open.child = key;
        }
        if self.peek() != Some(b'"') {
            return Self::syntax(self.at, "expected a key in double quotes");
        }
        self.string()?;
        if let (Some(open), Some(node)) = (self.open.last_mut(), self.nodes.last()) {
            let bit = key_bit(&self.bytes[node.start as usize..node.end as usize]);
            open.maybe_repeated |= open.keys & bit != 0 || node.kind == Kind::Escaped;
            open.keys |= bit;
        }
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Self::syntax(self.at, "expected `:` after this key");
        }
        self.at += 1;
        self.skip_blanks();
        Ok(())
    }

    fn string(&mut self) -> Result<(), Problem> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            at = plain_end(self.bytes, at);
            match self.bytes.get(at) {
                None => return Self::syntax(self.at, "this string does not end"),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at = self.escape(at)?;
                }
                Some(0..=0x1f) => {
                    return Self::syntax(at, "control characters in a string must be escaped");
                }
                Some(_) => at += 1,
            }
        }
        self.leaf(if escaped { Kind::Escaped } else { Kind::String }, start, at);
        self.at = at + 1;
        Ok(())
    }

    /// Checks the escape at `at` and returns the position after it.
    fn escape(&self, at: usize) -> Result<usize, Problem> {
        match self.bytes.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
            Some(b'u') => {
                let Some(unit) = hex4(self.bytes, at + 2) else {
                    return Self::syntax(at, "`\\u` needs four hexadecimal digits");
                };
                match unit {
                    0xdc00..=0xdfff => Self::syntax(at, "a lone surrogate is not a character"),
                    0xd800..=0xdbff => {
                        let low = (self.bytes.get(at + 6) == Some(&b'\\')
                            && self.bytes.get(at + 7) == Some(&b'u'))
                        .then(|| hex4(self.bytes, at + 8))
                        .flatten();
                        match low {
                            Some(0xdc00..=0xdfff) => Ok(at + 12),
                            _ => Self::syntax(at, "a lone surrogate is not a character"),
                        }
                    }
                    _ => Ok(at + 6),
                }
            }
            _ => Self::syntax(at, "unknown escape in this string; double the backslash of LaTeX: `\\\\frac`"),
        }
    }

    fn number(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let mut at = start;
        if self.bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let digits = |mut at: usize| {
            while self.bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let whole = at;
        at = digits(at);
        if at == whole {
            return Self::syntax(start, "expected a digit after `-`");
        }
        if self.bytes[whole] == b'0' && at > whole + 1 {
            return Self::syntax(start, "a number must not start with a zero");
        }
        let mut exponent = false;
        if self.bytes.get(at) == Some(&b'.') {
            let fraction = at + 1;
            at = digits(fraction);
            if at == fraction {
                return Self::syntax(start, "expected a digit after the decimal point");
            }
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            exponent = true;
            at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(at) {
                at += 1;
            }
            let power = at;
            at = digits(power);
            if at == power {
                return Self::syntax(start, "expected a digit in the exponent");
            }
        }
        let text = &self.text[start..at];
        if text.len() > self.limits.number_bytes {
            let message = format!("a number has more than {} characters", self.limits.number_bytes);
            self.report("number-too-long", None, &message, "write the number with fewer digits");
        } else if !self.limits.wide_numbers
            && (exponent || text.len() > 300)
            && Decimal::from_text(text).is_err()
        {
            self.report(
                "number-range",
                None,
                "a number is outside the range of IEEE double precision",
                "use zero, or a number from 5e-324 to 1.7976931348623157e308 in absolute value",
            );
        } else if self.limits.wide_numbers && exponent && Decimal::from_text_unbounded(text).is_none() {
            // Without this error, `Json` would store the number's text as a string, which a real string could
            // equal.
            self.report(
                "number-range",
                None,
                "the exponent of a number is outside the supported range",
                "use an exponent between -1000000 and 1000000",
            );
        }
        self.leaf(Kind::Number, start, at);
        self.at = at;
        Ok(())
    }

    /// Reports duplicate keys of the object at `top`.
    fn check_keys(&mut self, top: u32) {
        let end = self.nodes[top as usize].next;
        let mut index = top + 1;
        let mut count = 0usize;
        let mut escaped = false;
        while index < end {
            escaped |= self.nodes[index as usize].kind == Kind::Escaped;
            count += 1;
            index = self.nodes[index as usize + 1].next;
        }
        let mut repeated: Vec<String> = Vec::new();
        if count <= 12 && !escaped {
            let mut index = top + 1;
            while index < end {
                let key = self.raw(index);
                let mut earlier = top + 1;
                while earlier < index {
                    if self.raw(earlier) == key {
                        repeated.push(key.to_owned());
                        break;
                    }
                    earlier = self.nodes[earlier as usize + 1].next;
                }
                index = self.nodes[index as usize + 1].next;
            }
        } else {
            // The set is only tested for membership, so its order has no effect.
            let mut seen: HashSet<Cow<'_, str>> = HashSet::with_capacity(count);
            let mut index = top + 1;
            while index < end {
                let key = decode(self.text, self.nodes[index as usize]);
                if let Some(key) = seen.replace(key) {
                    repeated.push(key.into_owned());
                }
                index = self.nodes[index as usize + 1].next;
            }
        }
        for key in repeated {
            self.report(
                "duplicate-key",
                Some(&key),
                "this key occurs twice in one object",
                "keep one of them",
            );
        }
    }

    /// Adds an error at the value that is being read or, in the object that has just ended, at a key.
    #[cold]
    fn report(&mut self, rule: &'static str, key: Option<&str>, message: &str, help: &str) {
        let mut findings = std::mem::take(&mut self.findings);
        findings.push_with(Severity::Error, || {
            let mut pointer = self.pointer();
            if let Some(key) = key {
                push_step(&mut pointer, key);
            }
            Finding::error(rule, pointer, message, help)
        });
        self.findings = findings;
    }

    fn raw(&self, index: u32) -> &str {
        let node = self.nodes[index as usize];
        &self.text[node.start as usize..node.end as usize]
    }

    /// Returns the pointer of the value that is being read, with one step per open array or object.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for open in &self.open {
            if self.nodes[open.node as usize].kind == Kind::Array {
                push_step(&mut pointer, &open.child.to_string());
            } else if let Some(&key) = self.nodes.get(open.child as usize)
                && open.child > open.node
            {
                push_step(&mut pointer, &decode(self.text, self.beginning(key)));
            }
        }
        pointer
    }

    /// Returns the part of a key that a pointer can show, and at least one character more if there is one.
    fn beginning(&self, mut key: Node) -> Node {
        // A character has at most twelve bytes, as the escapes of two surrogates.
        let most = 12 * (LONGEST_KEY as u32 + 1);
        key.end = key.end.min(key.start + most);
        while !self.text.is_char_boundary(key.end as usize) {
            key.end -= 1;
        }
        key
    }

    fn locate(&self, problem: Problem) -> Finding {
        let before = &self.text.as_bytes()[..problem.at.min(self.text.len())];
        let line = before.split(|&byte| byte == b'\n').count();
        let is_first = |byte: u8| byte & 0xc0 != 0x80;
        let column =
            before.iter().rev().take_while(|&&byte| byte != b'\n').filter(|&&byte| is_first(byte)).count()
                + 1;
        // The line and the column show the place better than a pointer with many steps.
        let pointer = if self.open.len() <= 32 { self.pointer() } else { String::new() };
        Finding::error(
            problem.rule,
            pointer,
            format!("{} (line {line}, column {column})", problem.message),
            problem.help,
        )
    }
}

/// Skips plain characters of a string from `at` on, eight bytes at a time.
///
/// Returns the position of the next quote, backslash or control character, or a position less than eight
/// bytes before the end of the text.
#[inline]
pub fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    while let Some(Ok(chunk)) = bytes.get(at..at + 8).map(<[u8; 8]>::try_from) {
        let word = u64::from_le_bytes(chunk);
        let (quote, backslash) = (word ^ (ONES * 0x22), word ^ (ONES * 0x5c));
        // Sets the highest bit of each byte that is a quote, a backslash or below 32. A borrow can set wrong
        // bits only above a correct one, so the lowest set bit is correct.
        let found = (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word);
        if found & HIGH != 0 {
            return at + (found & HIGH).trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at
}

fn hex4(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0u32, |unit, &digit| Some(unit * 16 + (digit as char).to_digit(16)?))
}

/// Returns the characters of a string node. The parser has already checked the escapes. Only the last
/// escape of a shortened key can be incomplete.
pub(super) fn decode(text: &str, node: Node) -> Cow<'_, str> {
    let raw = &text[node.start as usize..node.end as usize];
    if node.kind != Kind::Escaped {
        return Cow::Borrowed(raw);
    }
    let bytes = raw.as_bytes();
    let mut out = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(step) = raw[at..].find('\\') {
        out.push_str(&raw[at..at + step]);
        at += step;
        let (c, width) = match bytes.get(at + 1) {
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => {
                let high = hex4(bytes, at + 2).unwrap_or(0xfffd);
                if (0xd800..0xdc00).contains(&high) {
                    let low = hex4(bytes, at + 8).unwrap_or(0xdc00);
                    let point = 0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
                    (char::from_u32(point).unwrap_or('\u{fffd}'), 12)
                } else {
                    (char::from_u32(high).unwrap_or('\u{fffd}'), 6)
                }
            }
            Some(&other) => (other as char, 2),
            None => ('\u{fffd}', 1),
        };
        out.push(c);
        at = (at + width).min(raw.len());
    }
    out.push_str(&raw[at..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_their_place() {
        for (text, pointer, place) in [
            (r#"{"answer":{"a":1},inputHint:"x"}"#, "", "line 1, column 19"),
            (r#"{"a":[{"b":1,c:2}]}"#, "/a/0", "line 1, column 14"),
            (r#"{"a":{"b":1,}}"#, "/a", "line 1, column 13"),
            ("{\"a\":\n[\"äöü\u{1f600}\" 1]}", "/a/0", "line 2, column 9"),
        ] {
            let error = Document::parse(text.as_bytes()).err().unwrap();
            assert_eq!(error.pointer(), pointer, "{text}");
            assert!(error.findings()[0].message.contains(&format!("({place})")), "{error}");
        }
    }
}
