//! Points as schools write them: `A(1|2)`, `P(3;4)`, `(2|-3)`.

use super::{Parsed, Parser};
use crate::ast::{Constant, Node, NodeId, Relation, Span};
use crate::commands::{Fence, Token};

/// How far ahead the end of a point is looked for, in tokens.
const FAR: usize = 60;

/// A bracket with two or three values, by its tokens.
pub(super) struct Point {
    /// The separator: a comma, a semicolon or a bar.
    separator: Token,
    /// Whether the items are two whole numbers, the first of which is not smaller.
    may_choose: bool,
    /// The token after the bracket, and its position.
    next: Token,
}

impl Parser<'_, '_, '_> {
    /// Returns the point in the bracket at the current token, if it contains only values: no letters.
    pub(super) fn point_ahead(&self) -> Option<Point> {
        let mut ahead = self.lexer;
        ahead.at = self.token.end as usize;
        ahead.commas_separate = true;
        let mut found = None;
        let (mut depth, mut items, mut tokens_in_item) = (0usize, 1usize, 0usize);
        let mut whole: [Option<u32>; 2] = [None; 2];
        let mut is_last_joined = false;
        for _ in 0..FAR {
            let next = ahead.next();
            match next.token {
                Token::Close(Fence::Paren) | Token::Right(Fence::Paren, false) if depth == 0 => {
                    let may_choose = items == 2
                        && tokens_in_item == 1
                        && matches!(whole, [Some(from), Some(some)] if from >= some);
                    let separator = found?;
                    return (tokens_in_item > 0 && !is_last_joined).then(|| Point {
                        separator,
                        may_choose,
                        next: ahead.next().token,
                    });
                }
                sign @ (Token::Comma | Token::Semicolon | Token::Bar(Fence::Bar) | Token::Middle)
                    if depth == 0 =>
                {
                    let sign = if sign == Token::Middle { Token::Bar(Fence::Bar) } else { sign };
                    if tokens_in_item == 0 || items == 3 || found.is_some_and(|other| other != sign) {
                        return None;
                    }
                    if tokens_in_item > 1 {
                        whole = [None; 2];
                    }
                    (found, items, tokens_in_item) = (Some(sign), items + 1, 0);
                    continue;
                }
                Token::Number => {
                    if tokens_in_item == 0 && depth == 0 && items < 3 {
                        whole[items - 1] = ahead.text(next.span()).parse().ok();
                    }
                }
                Token::Open(Fence::Paren) | Token::Left(Fence::Paren, false) | Token::OpenBrace => depth += 1,
                Token::Close(Fence::Paren) | Token::Right(Fence::Paren, false) | Token::CloseBrace => {
                    depth = depth.checked_sub(1)?;
                }
                // `(2|x|+1)` would be a product
                Token::Plus | Token::Times | Token::Divide | Token::Caret if tokens_in_item == 0 => {
                    is_last_joined = true
                }
                Token::Minus
                | Token::Plus
                | Token::Times
                | Token::Divide
                | Token::Caret
                | Token::Frac
                | Token::Sqrt
                | Token::Vulgar(..)
                | Token::Constant(Constant::Pi | Constant::E) => {}
                _ => return None,
            }
            tokens_in_item += 1;
        }
        None
    }

    /// Returns whether bars separate the values in the round bracket at the current token.
    pub(super) fn bars_separate(&self) -> bool {
        // most brackets have no bar
        let rest = self.lexer.after(self.token.end as usize).as_bytes();
        let near = rest.get(..FAR).unwrap_or(rest).split(|b| *b == b'=').next().unwrap_or_default();
        (near.contains(&b'|') || near.windows(4).any(|word| word == b"\\mid"))
            && self.point_ahead().is_some_and(|point| point.separator == Token::Bar(Fence::Bar))
    }

    /// Parses `A(1|2)` as `A=(1,2)`, if it is a whole answer; `None` for other brackets after a name.
    pub(super) fn named_point(&mut self, name: &str, span: Span) -> Parsed<Option<NodeId>> {
        if self.fences > 0
            || self.lexer.tables > 0
            || self.part_start != span.start
            || !name.starts_with(|c: char| c.is_ascii_uppercase())
        {
            return Ok(None);
        }
        let Some(point) = self.point_ahead() else { return Ok(None) };
        // C(5,2) is a number of choices
        let may_choose = point.may_choose && point.separator == Token::Comma && matches!(name, "C" | "P");
        if may_choose || !matches!(point.next, Token::End | Token::Comma | Token::Semicolon) {
            return Ok(None);
        }
        let text = self.tree.push_text(name);
        let left = self.leaf(Node::Symbol(text), span);
        let right = self.atom()?;
        let below = self.tree.depth(left).max(self.tree.depth(right));
        let chain = self.tree.push_list(&[left, Relation::Equal.as_link(), right]);
        self.make(Node::Relation(chain), Span { start: span.start, end: self.used }, below).map(Some)
    }
}
