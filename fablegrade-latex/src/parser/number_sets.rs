//! Sets of numbers with a sign or a zero: `\mathbb{R}_{>0}`, `\mathbb{R}_0^+`, `\mathbb{N}_0`, `\mathbb{Z}^*`.

use super::{Parsed, Parser};
use crate::ast::{Constant, Delimiter, Node, NodeId, NumberSet, Span};
use crate::commands::Token;
use crate::error::{NoteKind, Problem};

/// A part of a set of numbers.
#[derive(Clone, Copy)]
enum Part {
    Positive,
    NotNegative,
    Negative,
    NotPositive,
    NotZero,
}

impl Parser<'_, '_, '_> {
    /// Returns the set of numbers that a node denotes, if scripts follow it; `None` for the complex numbers.
    pub(super) fn number_set(&self, node: NodeId) -> Option<NumberSet> {
        match self.tree.node(node) {
            Node::Constant(Constant::Numbers(set))
                if set != NumberSet::Complexes
                    && matches!(self.token.token, Token::Caret | Token::Underscore) =>
            {
                Some(set)
            }
            _ => None,
        }
    }

    /// Parses the scripts of a set of numbers and returns the part that they denote.
    pub(super) fn part_of_numbers(&mut self, set: NumberSet, start: u32) -> Parsed {
        let (mut below, mut above) = (String::new(), String::new());
        while let script @ (Token::Caret | Token::Underscore) = self.token.token {
            let place = if script == Token::Caret { &mut above } else { &mut below };
            if !place.is_empty() {
                return Err(self.no_such_set(start));
            }
            *place = self.plain_script();
        }
        let part = match (set, below.as_str(), above.as_str()) {
            (NumberSet::Naturals, "0", "") => Part::NotNegative,
            (NumberSet::Naturals, "", "+") | (NumberSet::Naturals | NumberSet::Integers, ">=1", "") => {
                Part::Positive
            }
            (_, ">0", "") | (_, "+", "*") | (_, "*", "+") => Part::Positive,
            (_, "-", "*") | (_, "*", "-") => Part::Negative,
            (_, ">=0", "") | (NumberSet::Reals | NumberSet::Integers, "0", "+") => Part::NotNegative,
            (_, "<0", "") => Part::Negative,
            (_, "<=0", "") | (NumberSet::Reals | NumberSet::Integers, "0", "-") => Part::NotPositive,
            (_, "!=0", "") | (_, "", "*") => Part::NotZero,
            // some authors include 0
            (NumberSet::Reals | NumberSet::Integers, "", sign @ ("+" | "-")) => {
                self.note(NoteKind::WithoutZero, Span { start, end: self.used });
                if sign == "+" { Part::Positive } else { Part::Negative }
            }
            _ => return Err(self.no_such_set(start)),
        };
        let span = Span { start, end: self.used };
        match (set, part) {
            (NumberSet::Reals | NumberSet::Integers, Part::NotZero) => {
                let zero = self.zero(span);
                let items = self.tree.push_list(&[zero]);
                let below = self.tree.depth(zero);
                let only_zero = self.make(
                    Node::Items { open: Delimiter::Brace, close: Delimiter::Brace, items },
                    span,
                    below,
                )?;
                let set = self.leaf(Node::Constant(Constant::Numbers(set)), span);
                self.binary(Node::SetMinus, set, only_zero, start)
            }
            (NumberSet::Reals, part) => self.half_line(part, span),
            (NumberSet::Naturals | NumberSet::Integers, Part::Positive)
            | (NumberSet::Naturals, Part::NotZero) => {
                Ok(self.leaf(Node::Constant(Constant::Numbers(NumberSet::PositiveIntegers)), span))
            }
            (NumberSet::Naturals | NumberSet::Integers, Part::NotNegative) => {
                Ok(self.leaf(Node::Constant(Constant::Numbers(NumberSet::NaturalsAndZero)), span))
            }
            _ => Err(self.no_such_set(start)),
        }
    }

    /// Returns the text of a script without blanks and with relations in ASCII.
    fn plain_script(&mut self) -> String {
        let script = self.token;
        let text = if let Some((inner, end)) = self.lexer.braced_at(script.end as usize) {
            let text = self.lexer.text(inner).to_owned();
            self.lexer.at = end;
            self.token.end = end as u32;
            self.advance();
            text
        } else {
            self.advance();
            let text = self.lexer.text(self.token.span()).to_owned();
            if self.token.token != Token::End {
                self.advance();
            }
            text
        };
        let mut plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        for (written, meant) in [
            ("\\geqslant", ">="),
            ("\\leqslant", "<="),
            ("\\geq", ">="),
            ("\\leq", "<="),
            ("\\ge", ">="),
            ("\\le", "<="),
            ("\\gt", ">"),
            ("\\lt", "<"),
            ("\\neq", "!="),
            ("\\ne", "!="),
            ("\\ast", "*"),
            ("\\times", "*"),
            ("≥", ">="),
            ("≤", "<="),
            ("≠", "!="),
        ] {
            plain = plain.replace(written, meant);
        }
        plain
    }

    fn zero(&mut self, span: Span) -> NodeId {
        let text = self.tree.push_text("0");
        self.leaf(Node::Number(text), span)
    }

    /// Returns the real numbers on one side of 0, as an interval.
    fn half_line(&mut self, part: Part, span: Span) -> Parsed {
        let zero = self.zero(span);
        let infinity = self.leaf(Node::Constant(Constant::Infinity), span);
        let (open, close, ends) = match part {
            Part::Positive => (Delimiter::Paren, Delimiter::Paren, [zero, infinity]),
            Part::NotNegative => (Delimiter::Bracket, Delimiter::Paren, [zero, infinity]),
            _ => {
                let minus = self.unary(Node::Negate, infinity, span.start)?;
                let close =
                    if matches!(part, Part::NotPositive) { Delimiter::Bracket } else { Delimiter::Paren };
                (Delimiter::Paren, close, [minus, zero])
            }
        };
        let items = self.tree.push_list(&ends);
        let below = ends.iter().map(|end| self.tree.depth(*end)).max().unwrap_or(0);
        self.make(Node::Items { open, close, items }, span, below)
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    fn no_such_set(&self, start: u32) -> Box<crate::ParseError> {
        self.error(
            Span { start, end: self.used.max(start) },
            Problem::Unsupported,
            "this set of numbers is not read",
            "\\mathbb{R}_{>0}, \\mathbb{R}_{\\ge 0}, \\mathbb{N}_0 and similar sets, or an interval",
        )
    }
}
