//! Questions about the text around the current position.

use super::Lexer;
use crate::ast::Span;
use crate::commands::Token;
use crate::connectives::connective;
use crate::unit_names::is_unit;

impl<'s> Lexer<'s> {
    /// Returns *and* or *or* for a word in another language between two parts.
    pub(super) fn connective_word(&self, content: Span, word: &str) -> Option<Token> {
        let before = self.source.get(..content.start as usize)?;
        let (before, command) = before.split_at(before.rfind('\\')?);
        let after = self.after(content.end as usize + 1);
        let inner = self.text(content);
        let is_text = ["\\text", "\\mbox", "\\hbox"].iter().any(|start| command.starts_with(start));
        let is_spaced = is_text && inner.starts_with([' ', '~']) && inner.ends_with([' ', '~'])
            || is_text
                && ["quad", "\\", "\\;", "~"]
                    .iter()
                    .any(|space| before.trim_end_matches(' ').ends_with(space))
                && after.starts_with(['\\', '~']);
        connective(word, before, after, is_spaced)
    }

    /// Returns whether the repeating part of a decimal begins at `at`.
    pub(super) fn repeats(&self, at: usize) -> bool {
        let rest = self.after(at);
        if let Some(dotted) = rest.strip_prefix("\\dot") {
            return dotted.trim_start_matches([' ', '{']).starts_with(|c: char| c.is_ascii_digit());
        }
        if let Some(inner) = rest.strip_prefix('(') {
            let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
            return digits > 0 && inner[digits..].starts_with(')');
        }
        ["\\overline", "\\bar"].iter().any(|bar| rest.starts_with(bar))
    }

    /// Returns whether the braces that open here contain `\rm` and a unit of several letters.
    pub(super) fn roman_unit(&self) -> bool {
        let Some(rest) = self.after(self.at + 1).strip_prefix("\\rm") else { return false };
        let unit = rest.trim_start();
        let length = unit.bytes().take_while(u8::is_ascii_alphabetic).count();
        unit.len() < rest.len() && length > 1 && is_unit(&unit[..length])
    }

    /// Returns the length of the word `and` or `or` at the current position, if it is between spaces or
    /// brackets.
    pub(super) fn connective(&self) -> usize {
        let rest = &self.bytes[self.at..];
        let length = match rest {
            [b'a', b'n', b'd', ..] => 3,
            [b'o', b'r', ..] => 2,
            _ => return 0,
        };
        let before = self.at.checked_sub(1).map_or(0, |at| self.byte(at));
        let fits = matches!(before, b' ' | b'\t' | b'\n' | b'\r' | b'~' | b')' | b'}' | b']')
            && matches!(
                self.byte(self.at + length),
                b' ' | b'\t' | b'\n' | b'\r' | b'~' | b'(' | b'[' | b'{' | b'\\' | b'$'
            );
        if fits { length } else { 0 }
    }

    /// Returns the text in the short brackets that open here.
    pub(super) fn bracketed(&self) -> Option<&'s str> {
        const LONGEST: usize = 32;
        let rest = self.bytes.get(self.at..)?.strip_prefix(b"[")?;
        let length = rest.iter().take(LONGEST).position(|b| *b == b']')?;
        self.source.get(self.at + 1..self.at + 1 + length)
    }
}
