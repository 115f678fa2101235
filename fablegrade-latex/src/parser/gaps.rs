//! Wide spaces between answers: `x=1\quad y=2` is read as if it had a comma.

use super::Parser;
use crate::ast::Relation;
use crate::commands::{Fence, Token};

/// What a part of a text between wide spaces is, by its tokens.
#[derive(Default)]
struct Part {
    /// Whether it has a relation outside brackets.
    relation: bool,
    /// Whether it has another relation than `=`.
    is_unequal: bool,
    /// Whether it is a bracket with several items, possibly behind a capital letter.
    is_point: bool,
    /// Whether it consists of numbers only.
    is_number: bool,
    /// Whether it begins or ends with words.
    has_words_beside: bool,
}

impl Parser<'_, '_, '_> {
    /// Returns whether a wide space before the current token separates items.
    pub(super) fn at_gap(&self) -> bool {
        self.fences == 0 && self.gap_decided == (self.token.start, true)
    }

    /// Returns whether a wide space before the current token ends a term.
    #[inline]
    pub(super) fn gap_ends_term(&mut self) -> bool {
        // a shorter space is not a wide one
        self.token.start > self.used + 3 && self.fences == 0 && self.gap_separates()
    }

    /// Returns whether a wide space before the current token separates two answers: two parts with relations, two
    /// numbers, or two points. The space is not beside an operator or a comma, since a factor could begin here.
    #[cold]
    fn gap_separates(&mut self) -> bool {
        if self.lexer.tables > 0 {
            return false;
        }
        if self.gap_decided.0 != self.token.start {
            let (used, next) = (self.used as usize, self.token.start as usize);
            let separates = match Gap::of(self.lexer.source().get(used..next).unwrap_or("")) {
                Gap::Narrow => false,
                gap => {
                    let left = self.part(self.part_start as usize, Some(used));
                    let right = self.part(next, None);
                    // `0<2\;\;x<4` is a chain
                    let is_pair = left.relation
                        && right.relation
                        && (gap == Gap::Wide || !left.is_unequal && !right.is_unequal)
                        || gap == Gap::Wide
                            && (left.is_number && right.is_number || left.is_point && right.is_point);
                    is_pair && !left.has_words_beside && !right.has_words_beside
                }
            };
            self.gap_decided = (self.token.start, separates);
        }
        self.gap_decided.1
    }

    /// Returns whether the round bracket at the current token contains a relation and ends the text: the condition of
    /// `x+1\ (x\ne1)`, read as if it had a comma.
    pub(super) fn condition_follows(&mut self) -> bool {
        if self.gap_decided == (self.token.start, true) {
            return true;
        }
        let mut ahead = self.lexer;
        ahead.at = self.token.end as usize;
        let (mut depth, mut relation) = (1usize, false);
        while depth > 0 {
            match ahead.next().token {
                Token::End => return false,
                Token::Open(_) | Token::Left(..) | Token::OpenBrace => depth += 1,
                Token::Close(_) | Token::Right(..) | Token::CloseBrace => depth -= 1,
                Token::Relation(sign) => relation |= depth == 1 && sign != Relation::Tends,
                _ => {}
            }
        }
        let follows = relation && self.lexer.tables == 0 && ahead.next().token == Token::End;
        if follows {
            self.gap_decided = (self.token.start, true);
        }
        follows
    }

    /// Returns what the part from `at` on is. It ends at `end`, or at the next wide space or separator outside brackets.
    fn part(&self, at: usize, end: Option<usize>) -> Part {
        let mut ahead = self.lexer;
        if let Some(end) = end {
            ahead.limit(at, end);
        } else {
            ahead.at = at;
        }
        let mut part = Part { is_number: true, ..Part::default() };
        let (mut depth, mut last, mut first) = (0usize, at, true);
        let (mut opens, mut separated) = (false, false);
        loop {
            let next = ahead.next();
            let ends = match next.token {
                Token::End => true,
                Token::Comma | Token::Semicolon | Token::And | Token::Or => end.is_none() && depth == 0,
                _ => {
                    depth == 0
                        && end.is_none()
                        && !first
                        && Gap::of(ahead.text(crate::ast::Span::new(last, next.start as usize))) == Gap::Wide
                }
            };
            if ends {
                break;
            }
            let is_words = next.token == Token::Words;
            if end.is_some() {
                part.has_words_beside = is_words;
            } else {
                part.has_words_beside |= is_words && first;
            }
            part.is_number &= matches!(
                next.token,
                Token::Number
                    | Token::Minus
                    | Token::Plus
                    | Token::Frac
                    | Token::Sqrt
                    | Token::OpenBrace
                    | Token::CloseBrace
                    | Token::Vulgar(..)
                    | Token::Constant(crate::ast::Constant::Pi)
            );
            if depth == 0 {
                part.relation |= matches!(next.token, Token::Relation(sign) if sign != Relation::Tends);
                part.is_unequal |= matches!(next.token, Token::Relation(sign) if sign != Relation::Equal);
                let is_open =
                    matches!(next.token, Token::Open(Fence::Paren) | Token::Left(Fence::Paren, false));
                let is_name =
                    first && matches!(next.token, Token::Letter(letter) if letter.is_ascii_uppercase());
                opens = is_open && last <= next.start as usize && (first || part.is_point) || is_name;
                part.is_point = opens;
            }
            separated |= depth == 1 && matches!(next.token, Token::Comma | Token::Semicolon | Token::Bar(_));
            match next.token {
                Token::Open(_) | Token::Left(..) | Token::OpenBrace => depth += 1,
                Token::Close(_) | Token::Right(..) | Token::CloseBrace => depth = depth.saturating_sub(1),
                _ => {}
            }
            (last, first) = (next.end as usize, false);
        }
        part.is_point &= opens && separated && depth == 0;
        part.is_number &= !first;
        part
    }
}

/// The width of a space between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// Blanks, or one command for a space.
    Narrow,
    /// Several commands for a space.
    Double,
    /// `\quad` or `\qquad`.
    Wide,
}

impl Gap {
    fn of(between: &str) -> Self {
        if between.contains("\\quad") || between.contains("\\qquad") {
            return Self::Wide;
        }
        let commands = between
            .split('\\')
            .skip(1)
            .filter(|rest| rest.starts_with([' ', ';', ':', '>']) || rest.is_empty());
        if commands.count() > 1 { Self::Double } else { Self::Narrow }
    }
}
