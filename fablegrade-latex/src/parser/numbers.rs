//! Numbers: digits, grouping, decimal commas, repeating parts, and ambiguous spellings.

use super::{Parsed, Parser};
use crate::ast::{Node, Span};
use crate::commands::{Fence, Token};
use crate::error::{NoteKind, ParseError, Problem};
use std::borrow::Cow;

impl Parser<'_, '_, '_> {
    /// Parses a number without its grouping; a repeating part is put in brackets.
    pub(super) fn number(&mut self) -> Parsed {
        let token = self.token;
        let written = self.lexer.text(token.span());
        let mut clean = Cow::Borrowed(written);
        if !written.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            clean = Cow::Owned(self.clean_number(written, token.span()));
        }
        if self.lexer.group_sign(token.end as usize) > 0 {
            return Err(self.broken_groups(token.span()));
        }
        self.advance();
        if clean.contains('.')
            && let Some((digits, end)) = self.repeating_digits(token.end, written.contains(','))
        {
            let text = self.tree.push_text(&format!("{clean}{digits}"));
            self.lexer.at = end;
            self.token.end = end as u32;
            self.advance();
            // digits that repeat are the last ones
            if self.token.token == Token::Number || clean.contains('E') {
                return Err(self.unexpected("an operator or the end"));
            }
            return Ok(self.leaf(Node::Number(text), Span::new(token.start as usize, end)));
        }
        if let Some(text) = self.dotted_decimal(&clean) {
            let text = self.tree.push_text(&text);
            while self.token.token == Token::Dots || self.lexer.text(self.token.span()) == "." {
                self.advance();
            }
            if self.token.token == Token::Number {
                return Err(self.unexpected("an operator or the end"));
            }
            return Ok(self.leaf(Node::Number(text), Span { start: token.start, end: self.used }));
        }
        // `1.2.3` is a slip, not 1.2 times 0.3
        let another = self.token.token == Token::Number
            && self.token.start == token.end
            && self.lexer.text(self.token.span()).starts_with('.');
        if another || clean.bytes().filter(|b| *b == b'.').nth(1).is_some() {
            let span = Span { start: token.start, end: if another { self.token.end } else { token.end } };
            let mut error = self.error(
                span,
                Problem::Ambiguous,
                "a number has one decimal point",
                "a number with one point",
            );
            error.suggestion = Some("write \\cdot between two numbers that are multiplied".to_owned());
            return Err(error);
        }
        // `1 1/2` is a mixed number or a product
        if self.token.token == Token::Number
            && self.token.start > token.end
            && self.slash_fraction_follows()
            && written.bytes().all(|b| b.is_ascii_digit())
        {
            let span = Span { start: token.start, end: self.token.end };
            let mut error =
                self.error(span, Problem::Ambiguous, "this may be a mixed number or a product", "");
            error.suggestion = Some(format!(
                "write {written}\\frac{{a}}{{b}} for the mixed number, or \\cdot for the product"
            ));
            return Err(error);
        }
        let text = self.tree.push_text(&clean);
        Ok(self.leaf(Node::Number(text), token.span()))
    }

    /// Returns the repeating part after a decimal that ends at `number`, in brackets, and the position after it: digits
    /// under a bar, between dots, as in `0.\dot14285\dot7`, or in brackets, as in `0.(3)`.
    fn repeating_digits(&mut self, number: u32, has_comma: bool) -> Option<(String, usize)> {
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match self.token.token {
            Token::Overline => {
                let at = self.token.end as usize;
                let (digits, end) = match self.lexer.braced_at(at) {
                    Some((inner, end)) => (self.lexer.text(inner).trim(), end),
                    None => {
                        let rest = self.lexer.after(at).trim_start();
                        let end = self.lexer.source().len() - rest.len() + 1;
                        (rest.get(..1).unwrap_or(""), end)
                    }
                };
                all_digits(digits).then(|| (format!("({digits})"), end))
            }
            Token::Decoration("dot") => {
                let (first, at) = self.dotted_digit(self.token.end as usize)?;
                let digits = self.lexer.after(at).bytes().take_while(u8::is_ascii_digit).count();
                let between = &self.lexer.after(at)[..digits];
                match self.lexer.after(at + digits).strip_prefix("\\dot") {
                    Some(_) => {
                        let (last, end) = self.dotted_digit(at + digits + 4)?;
                        Some((format!("({first}{between}{last})"), end))
                    }
                    None => (digits == 0).then(|| (format!("({first})"), at)),
                }
            }
            Token::Open(Fence::Paren) if self.token.start == number => {
                let at = self.token.end as usize;
                let rest = self.lexer.after(at);
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let part = &rest[..digits];
                if digits == 0 || !rest[digits..].starts_with(')') {
                    return None;
                }
                // `0.1(6)` may be a product; nobody writes `0.` for 0 before a factor
                if self.lexer.byte((number as usize).saturating_sub(1)).is_ascii_digit() {
                    if !has_comma && is_certain_factor(part, &rest[digits + 1..]) {
                        return None;
                    }
                    self.tree.doubtful.repeating = true;
                    if !self.names.other_repeating {
                        return None;
                    }
                }
                Some((format!("({part})"), at + digits + 1))
            }
            _ => None,
        }
    }

    /// Returns a decimal before dots with the part that repeats, such as `0.1(6)` for `0.1666\ldots`; `None` if it does
    /// not end with the same digits three times.
    fn dotted_decimal(&self, number: &str) -> Option<String> {
        const LONGEST: usize = 12;
        let has_dots =
            self.token.token == Token::Dots || self.lexer.after(self.token.start as usize).starts_with("...");
        let (_, decimals) = number.split_once('.').filter(|_| has_dots && !number.contains('E'))?;
        let digits = decimals.as_bytes();
        let period = (1..=LONGEST.min(digits.len() / 3)).find(|&period| {
            let last = &digits[digits.len() - 3 * period..];
            last.chunks(period).all(|group| group == &last[..period])
        })?;
        let mut front = digits.len() - 3 * period;
        // all earlier repetitions belong to the part that repeats
        while front >= period && digits[front - period..front] == digits[digits.len() - period..] {
            front -= period;
        }
        let whole = number.len() - decimals.len();
        Some(format!("{}({})", &number[..whole + front], &decimals[decimals.len() - period..]))
    }

    /// Parses the number in the braces of `\num` or `\ang`, in which `e` is a power of ten.
    pub(super) fn braced_number(&mut self, is_angle: bool) -> Parsed {
        let token = self.token;
        let Some((inner, end)) = self.lexer.braced_at(token.end as usize) else {
            return Err(self.error(
                token.span(),
                Problem::Unexpected,
                "a number in braces is missing here",
                "",
            ));
        };
        let written: String = self
            .lexer
            .text(inner)
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| if c == ',' { '.' } else { c })
            .collect();
        let unsigned = written.strip_prefix('-').unwrap_or(&written);
        let (digits, power) = match unsigned.split_once(['e', 'E']) {
            Some((digits, power)) => (digits, Some(power)),
            None => (unsigned, None),
        };
        let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_decimal =
            digits.bytes().filter(|b| *b == b'.').count() < 2 && is_plain(&digits.replacen('.', "", 1));
        let is_power = power.is_none_or(|power| is_plain(power.strip_prefix(['-', '+']).unwrap_or(power)));
        if !is_decimal || !is_power {
            let span = Span { start: token.start, end: end as u32 };
            return Err(self.error(span, Problem::Unsupported, "this is not one number in braces", ""));
        }
        let text = power.map_or_else(|| digits.to_owned(), |power| format!("{digits}E{power}"));
        let text = self.tree.push_text(&text);
        let span = Span { start: token.start, end: end as u32 };
        self.lexer.at = end;
        self.token.end = end as u32;
        self.advance();
        let mut node = self.leaf(Node::Number(text), span);
        if is_angle {
            node = self.unary(Node::Degrees, node, span.start)?;
        }
        if written.starts_with('-') {
            node = self.unary(Node::Negate, node, span.start)?;
            node = self.unary(Node::Group, node, span.start)?;
        }
        Ok(node)
    }

    /// Returns the digit that `\dot` before `at` puts a dot on, and the position after it.
    fn dotted_digit(&self, at: usize) -> Option<(char, usize)> {
        let (text, end) = match self.lexer.braced_at(at) {
            Some((inner, end)) => (self.lexer.text(inner).trim(), end),
            None => {
                let rest = self.lexer.after(at).trim_start();
                (rest.get(..1)?, self.lexer.source().len() - rest.len() + 1)
            }
        };
        match text.as_bytes() {
            [digit @ b'0'..=b'9'] => Some((char::from(*digit), end)),
            _ => None,
        }
    }

    /// Returns the error about separators between digit groups that do not have three digits: `1,\!000,\!00`,
    /// `12\,34`.
    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    fn broken_groups(&self, number: Span) -> Box<ParseError> {
        let mut end = number.end as usize;
        let mut digits: String =
            self.lexer.text(number).chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        loop {
            match self.lexer.group_sign(end) {
                0 => break,
                length => end += length,
            }
            while self.lexer.byte(end).is_ascii_digit() {
                digits.push(char::from(self.lexer.byte(end)));
                end += 1;
            }
        }
        let mut error = self.error(
            Span::new(number.start as usize, end),
            Problem::Ambiguous,
            "these groups of digits are not of three",
            "groups of three digits",
        );
        error.suggestion =
            Some(format!("write {digits} for one number, or \\cdot between two that are multiplied"));
        error
    }

    fn slash_fraction_follows(&self) -> bool {
        let rest = self.lexer.after(self.token.end as usize).trim_start();
        rest.strip_prefix('/').is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
            && self.lexer.text(self.token.span()).bytes().all(|b| b.is_ascii_digit())
    }

    fn clean_number(&mut self, written: &str, span: Span) -> String {
        let decimal_comma = written.find("{,}").filter(|at| {
            let after = &written[at + 3..];
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            digits != 3 || *at > 3 || written.starts_with('0')
        });
        let mut clean = String::with_capacity(written.len());
        for (at, c) in written.char_indices() {
            match c {
                '{' if decimal_comma == Some(at) => clean.push('.'),
                'e' => {
                    clean.push('E');
                    self.tree.doubtful.exponent |= &written[..at] != "1";
                }
                '0'..='9' | '.' | 'E' | '+' | '-' => clean.push(c),
                _ => {}
            }
        }
        if clean.contains('E') {
            self.note(NoteKind::Exponent, span);
        }
        if decimal_comma.is_some() {
            self.note(NoteKind::DecimalComma, span);
        } else if written.contains([',', ' ', '\\', '~']) {
            self.note(NoteKind::Grouping, span);
        }
        clean
    }
}

/// Returns whether digits in brackets after a decimal are certainly a factor: a power, further factors or a letter follow
/// them, as in `0.5(10)(2)^2` and `9.8(2)t`, or they end in 0, as few periods do.
fn is_certain_factor(digits: &str, after: &str) -> bool {
    let next = after.trim_start().trim_start_matches("\\left");
    next.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '^' | '('))
        || digits.len() > 1 && digits.ends_with('0')
}
