//! Several units in one pair of braces: `\mathrm{m/s^2}`, `\text{N·m}`, `\mathrm{H_2O}`.

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId, Span};
use crate::commands::{self, Token};
use crate::error::Problem;
use crate::names::push_subscript;
use crate::unit_names::is_unit;

/// A name with a power.
struct Factor {
    name: String,
    /// The exponent, with its sign; empty if there is none.
    exponent: String,
    is_divided: bool,
}

/// The units in a pair of braces.
#[derive(Default)]
struct Units {
    factors: Vec<Factor>,
    /// Whether blanks alone separate some names.
    has_blanks: bool,
    /// Whether factors follow a divisor without brackets: `J/kg K`.
    goes_on: bool,
}

impl Parser<'_, '_, '_> {
    /// Parses the units inside upright braces, whose token was consumed; `None` if they are words. An exponent behind
    /// the braces belongs to the last unit.
    pub(super) fn units(&mut self, written: &str, span: Span, is_text: bool) -> Parsed<Option<NodeId>> {
        let (Some(open), Some(close)) = (written.find('{'), written.rfind('}')) else { return Ok(None) };
        let Some(units) = written.get(open + 1..close).and_then(read) else { return Ok(None) };
        let is_plain = |factor: &Factor| factor.exponent.is_empty() && !factor.name.contains('_');
        if units.factors.len() == 1 && units.factors.iter().all(is_plain)
            || units.has_blanks && !units.factors.iter().all(|factor| is_unit(&factor.name))
        {
            return Ok(None);
        }
        if units.goes_on {
            return Err(self.error(
                span,
                Problem::Ambiguous,
                "several units after a slash need brackets",
                "",
            ));
        }
        let last = units.factors.len() - 1;
        let base = self.stack.len();
        let mut below: Vec<NodeId> = Vec::new();
        for (at, factor) in units.factors.into_iter().enumerate() {
            let is_word = is_text
                && factor.name.len() > 1
                && !factor.name.contains('_')
                && !self.names.is_variable(&factor.name);
            let text = self.tree.push_text(&factor.name);
            let mut node = self.leaf(if is_word { Node::Words(text) } else { Node::Symbol(text) }, span);
            if !factor.exponent.is_empty() {
                let (negative, digits) = match factor.exponent.strip_prefix('-') {
                    Some(digits) => (true, digits),
                    None => (false, factor.exponent.as_str()),
                };
                let text = self.tree.push_text(digits);
                let mut exponent = self.leaf(Node::Number(text), span);
                if negative {
                    exponent = self.unary(Node::Negate, exponent, span.start)?;
                }
                node = self.binary(Node::Power, node, exponent, span.start)?;
            } else if at == last && matches!(self.token.token, Token::Caret | Token::Raised(_)) {
                node = self.attached(node, span.start)?;
            }
            if factor.is_divided {
                below.push(node);
            } else {
                self.stack.push(node);
            }
        }
        if self.stack.len() == base {
            return Ok(None);
        }
        let above = self.product(base, span.start)?;
        if below.is_empty() {
            return Ok(Some(above));
        }
        self.stack.extend(below);
        let below = self.product(base, span.start)?;
        self.slash_quotient(above, below, span.start).map(Some)
    }
}

/// Reads names with powers, and the signs between them; `None` for anything else.
fn read(text: &str) -> Option<Units> {
    let mut units = Units::default();
    let mut rest = text.trim_start();
    if let Some(roman) =
        rest.strip_prefix("\\rm").filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    {
        rest = roman;
    }
    // the divisor: none, the next factor, a bracket, or over
    let (mut is_divided, mut bracketed, mut divisors) = (false, false, 0);
    let mut separated = true;
    let mut blank = false;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        match first {
            ' ' | '~' | '\t' | '\n' => {
                blank = true;
                rest = after;
                continue;
            }
            '\\' if after.starts_with([',', ';', ':', ' ', '!', '>']) => {
                blank |= after.starts_with(' ');
                separated |= !after.starts_with(' ');
                rest = &after[1..];
                continue;
            }
            '·' | '⋅' | '*' | '×' => {
                separated = true;
                rest = after;
                continue;
            }
            '/' if !is_divided && !units.factors.is_empty() => {
                (is_divided, separated) = (true, true);
                rest = after;
                continue;
            }
            '(' if is_divided && divisors == 0 && !bracketed => {
                (bracketed, separated) = (true, true);
                rest = after;
                continue;
            }
            ')' if bracketed && divisors > 0 => {
                return after.trim_matches([' ', '~']).is_empty().then_some(units);
            }
            _ => {}
        }
        let (mut name, mut after) = name(rest)?;
        if name.is_empty() {
            // a product sign
            separated = true;
            rest = after;
            continue;
        }
        if blank && !separated && !units.factors.is_empty() {
            units.has_blanks = true;
        }
        if let Some(script) = after.strip_prefix('_') {
            let (subscript, behind) = script_of(script)?;
            if subscript.is_empty() || !subscript.chars().all(char::is_alphanumeric) {
                return None;
            }
            push_subscript(&mut name, subscript);
            after = behind;
        }
        let (exponent, behind) = exponent(after)?;
        units.goes_on |= is_divided && divisors > 0 && !bracketed;
        divisors += usize::from(is_divided);
        units.factors.push(Factor { name, exponent, is_divided });
        (separated, blank, rest) = (false, false, behind);
    }
    (!bracketed && !units.factors.is_empty() && (!is_divided || divisors > 0)).then_some(units)
}

/// Splits off a name: a run of letters or a Greek letter. The name is empty for `\cdot`. `None` for constants,
/// functions and other signs.
fn name(text: &str) -> Option<(String, &str)> {
    if let Some(command) = text.strip_prefix('\\') {
        let length = command.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = match commands::command(&command[..length])? {
            Token::Name(name) => name,
            Token::Times => "",
            _ => return None,
        };
        return Some((name.to_owned(), &command[length..]));
    }
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    if length == 0 {
        let first = text.chars().next()?;
        let Token::Name(name) = commands::character(first)? else { return None };
        return Some((name.to_owned(), &text[first.len_utf8()..]));
    }
    let name = &text[..length];
    let is_word = commands::word(name).is_some() && !matches!(name, "min" | "sec" | "lb");
    (!is_word && length <= 4).then(|| (name.to_owned(), &text[length..]))
}

/// Splits off a script: the contents of braces, or one character.
fn script_of(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('{') {
        Some(inner) => inner.split_once('}'),
        None => {
            let first = text.chars().next()?;
            Some(text.split_at(first.len_utf8()))
        }
    }
}

/// Splits off an exponent that is a whole number; the exponent is empty if there is none.
fn exponent(text: &str) -> Option<(String, &str)> {
    if let Some(script) = text.strip_prefix('^') {
        let (written, rest) = script_of(script)?;
        let written = written.trim();
        let digits = written.strip_prefix('-').unwrap_or(written);
        let is_whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        return is_whole.then(|| (written.to_owned(), rest));
    }
    let mut exponent = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next()
        && let Some(Token::Raised(sign @ (b'-' | b'0'..=b'9'))) = commands::character(first)
    {
        exponent.push(char::from(sign));
        rest = &rest[first.len_utf8()..];
    }
    let digits = exponent.strip_prefix('-').unwrap_or(&exponent);
    (exponent.is_empty() || !digits.is_empty() && !digits.contains('-')).then_some((exponent, rest))
}
