//! Splits formulas into terms and factors, in enough detail to recognise families of solutions.

use crate::notation::{after_escaped, command_at};

/// A factor of a term.
pub(super) enum Factor<'t> {
    /// A letter without an exponent.
    Letter(char),
    Number(&'t str),
    Pi,
    Degrees,
    /// The content of a bracketed factor, numerator or matrix.
    Group(&'t str),
    /// A denominator.
    Below(&'t str),
    /// The base and exponent of a power. A factorial has no exponent.
    Power(&'t str, &'t str),
    /// The argument of a function, or another part of the term.
    Part(&'t str),
}

pub(super) type Term<'t> = Vec<Factor<'t>>;

/// Returns the terms of a formula, list or relation, at its top level.
pub(super) fn terms(text: &str) -> Vec<Term<'_>> {
    let mut reader = Reader { text, at: 0, last: 0, divides: false, term: Vec::new(), all: Vec::new() };
    while let Some(byte) = text.as_bytes().get(reader.at) {
        reader.take(*byte);
    }
    reader.end_term();
    reader.all
}

/// Reads the terms of a formula.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// The start of the last factor.
    last: usize,
    /// Set after a slash.
    divides: bool,
    term: Term<'t>,
    all: Vec<Term<'t>>,
}

impl<'t> Reader<'t> {
    /// Takes the sign at the current position, with its arguments.
    fn take(&mut self, byte: u8) {
        let (text, start) = (self.text, self.at);
        self.at += 1;
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => self.push(start, Factor::Letter(char::from(byte))),
            b'0'..=b'9' | b'.' => {
                let number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
                self.at = start + text[start..].bytes().take_while(number).count();
                self.push(start, Factor::Number(&text[start..self.at]));
            }
            b'(' | b'[' | b'{' => self.push_or_end(start, enclosed(text, start)),
            b'^' => match argument(text, self.at) {
                Some((exponent, end)) if exponent.trim() == "\\circ" => {
                    self.at = end;
                    self.term.push(Factor::Degrees);
                }
                Some((exponent, end)) => {
                    self.at = end;
                    self.raise(start, exponent);
                }
                None => {}
            },
            b'!' => self.raise(start, ""),
            b'_' => self.at = argument(text, self.at).map_or(self.at, |(_, end)| end),
            b'/' => self.divides = true,
            b'|' => {
                self.at = end_of_term(text, self.at);
                self.push(start, Factor::Part(&text[start + 1..self.at]));
            }
            b'\\' => match command_at(text, start) {
                Some((command, end)) => {
                    self.at = end;
                    self.take_command(start, command);
                }
                None => {
                    self.at = after_escaped(text, start);
                    self.end_term();
                }
            },
            b'+' | b'-' | b'=' | b'<' | b'>' | b',' | b';' | b':' | b'&' | b')' | b']' | b'}' => {
                self.end_term()
            }
            _ => {}
        }
    }

    fn take_command(&mut self, start: usize, command: &str) {
        let (text, at) = (self.text, self.at);
        match command {
            "pi" => self.push(start, Factor::Pi),
            "circ" => self.term.push(Factor::Degrees),
            "cdot" | "times" | "left" | "right" => {}
            "frac" => {
                let Some((above, end)) = argument(text, at) else { return };
                let Some((below, end)) = argument(text, end) else { return };
                self.at = end;
                if self.divides {
                    self.push(start, Factor::Part(&text[start..end]));
                } else {
                    self.push(start, Factor::Group(above));
                    self.term.push(Factor::Below(below));
                }
            }
            "begin" => {
                let inside = argument(text, at).and_then(|(name, inside)| {
                    let length = text[inside..].find(&format!("\\end{{{name}}}"))?;
                    let end = inside + length + name.len() + 6;
                    Some((&text[inside..inside + length], end))
                });
                self.push_or_end(start, inside);
            }
            "langle" => {
                let length = text[at..].find("\\rangle");
                self.push_or_end(start, length.map(|length| (&text[at..at + length], at + length + 7)));
            }
            "text" | "mathrm" => {
                self.at = argument(text, at).map_or(at, |(_, end)| end);
                self.end_term();
            }
            _ if SYMBOLS.contains(&command) => self.end_term(),
            // a function
            _ => {
                self.at = end_of_argument(text, at);
                self.push(start, Factor::Part(&text[at..self.at]));
            }
        }
    }

    fn push(&mut self, start: usize, factor: Factor<'t>) {
        self.last = start;
        self.term.push(if self.divides {
            self.at = end_of_factor(self.text, self.at);
            Factor::Below(&self.text[start..self.at])
        } else {
            factor
        });
        self.divides = false;
    }

    /// Pushes a bracketed factor with its end. A bracket that is not closed ends the term.
    fn push_or_end(&mut self, start: usize, group: Option<(&'t str, usize)>) {
        match group {
            Some((inside, end)) => {
                self.at = end;
                self.push(start, Factor::Group(inside));
            }
            None => self.end_term(),
        }
    }

    /// Makes the last factor, which ends before `end`, the base of a power or factorial.
    fn raise(&mut self, end: usize, exponent: &'t str) {
        match self.term.last_mut() {
            // an exponent of the whole fraction
            None | Some(Factor::Below(_)) => self.term.push(Factor::Part(exponent)),
            Some(factor) => *factor = Factor::Power(&self.text[self.last..end], exponent),
        }
    }

    fn end_term(&mut self) {
        self.all.push(std::mem::take(&mut self.term));
        self.divides = false;
    }
}

/// Commands without an argument: signs between terms, and letters.
const SYMBOLS: &[&str] = &[
    "pm",
    "mp",
    "le",
    "ge",
    "ne",
    "lt",
    "gt",
    "approx",
    "equiv",
    "in",
    "cup",
    "cap",
    "lor",
    "land",
    "vee",
    "wedge",
    "to",
    "quad",
    "iff",
    "Rightarrow",
    "implies",
    "mid",
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "rho",
    "sigma",
    "tau",
    "phi",
    "chi",
    "psi",
    "omega",
    "ell",
    "infty",
];

/// Returns the content of the bracket at `at`, and its end.
fn enclosed(text: &str, at: usize) -> Option<(&str, usize)> {
    let end = end_of_level(text, at + 1, |_| false);
    text.as_bytes().get(end)?;
    Some((&text[at + 1..end], end + 1))
}

/// Returns the end of the term that continues at `at`.
fn end_of_term(text: &str, at: usize) -> usize {
    end_of_level(text, at, |byte| {
        matches!(byte, b'+' | b'-' | b'=' | b'<' | b'>' | b',' | b';' | b':' | b'&')
    })
}

/// Returns the position of the closing bracket, of the first byte outside brackets that satisfies `ends`, or of the
/// text's end.
fn end_of_level(text: &str, mut at: usize, ends: impl Fn(u8) -> bool) -> usize {
    let mut depth = 0_usize;
    while let Some(&byte) = text.as_bytes().get(at) {
        match byte {
            b')' | b']' | b'}' if depth == 0 => break,
            byte if depth == 0 && ends(byte) => break,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'\\' => {
                at = after_escaped(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    at.min(text.len())
}

/// Returns the end of the index, exponents and factorials of the factor before `at`.
fn end_of_factor(text: &str, mut at: usize) -> usize {
    loop {
        let sign = text.len() - text[at..].trim_start().len();
        at = match text.as_bytes().get(sign) {
            Some(b'!') => sign + 1,
            Some(b'_' | b'^') => match argument(text, sign + 1) {
                Some((exponent, end)) if exponent.trim() != "\\circ" => end,
                _ => return at,
            },
            _ => return at,
        };
    }
}

/// Returns the argument of a command, exponent or index at `at` or after blanks, and its end.
fn argument(text: &str, at: usize) -> Option<(&str, usize)> {
    let at = text.len() - text.get(at..)?.trim_start().len();
    let end = match text.as_bytes().get(at)? {
        b'{' => return enclosed(text, at),
        b'\\' => command_at(text, at)?.1,
        _ => at + text[at..].chars().next()?.len_utf8(),
    };
    Some((&text[at..end], end))
}

/// Returns the end of the argument of the function whose name ends at `at`: `^2(x)`, `[3]{x}`, `n\pi x`.
fn end_of_argument(text: &str, mut at: usize) -> usize {
    let next = |at: usize| text[at..].trim_start().bytes().next();
    while let Some(b'^' | b'_') = next(at) {
        let sign = text.len() - text[at..].trim_start().len();
        let Some((_, end)) = argument(text, sign + 1) else { return at };
        at = end;
    }
    let mut bracketed = None;
    while let Some(b'(' | b'[' | b'{') = next(at).filter(|byte| bracketed.is_none() || *byte == b'{') {
        let bracket = text.len() - text[at..].trim_start().len();
        let Some((_, end)) = enclosed(text, bracket) else { break };
        (at, bracketed) = (end, Some(end));
    }
    bracketed.unwrap_or_else(|| end_of_term(text, at))
}
