//! Statements with *and* or *or* after commas: `x<-1, or x>1`.

use super::{Parsed, Parser, bare};
use crate::ast::{Node, NodeId, Relation, Span};
use crate::commands::Token;
use crate::error::Problem;
use smallvec::SmallVec;

/// The separators between the items of a row: each a comma, or the *and* or *or* after a comma.
pub(super) type Joints = SmallVec<[Token; 8]>;

impl Parser<'_, '_, '_> {
    /// Replaces the items above `base` with one node: a list, or statements that *and* or *or* joins after a comma.
    ///
    /// `x=2, x=3, and x=5` names three solutions, so equations that *and* joins are a list.
    pub(super) fn row(&mut self, joints: &[Token], base: usize, start: u32) -> Parsed {
        let items = &self.stack[base..];
        let first_or = joints.iter().position(|joint| *joint == Token::Or);
        let has_and = joints.contains(&Token::And);
        if first_or.is_none() && !has_and || !items.iter().all(|id| self.is_statement(*id)) {
            return self.collect(bare, base, start);
        }
        let Some(first_or) = first_or else {
            let are_equations = items.iter().all(|id| self.equated(*id).is_some());
            return self.collect(if are_equations { bare } else { Node::And }, base, start);
        };
        if has_and {
            return Err(self.mixed_joints(start));
        }
        if joints[first_or..].iter().all(|joint| *joint == Token::Or) {
            return self.collect(Node::Or, base, start);
        }
        self.mixed_row(joints, base, start)
    }

    /// Replaces statements with commas and an *or* by a list. `x<0, or x>2, x\in\mathbb{R}` is a list of alternatives
    /// and a condition, and so is `x=1, x=2, or x=3, x\in\mathbb{R}`. In `x=1, y=2, or x=2, y=1`, the *or* joins only
    /// the equations beside it, as it does without the comma before it.
    fn mixed_row(&mut self, joints: &[Token], base: usize, start: u32) -> Parsed {
        let items: SmallVec<[NodeId; 8]> = self.stack[base..].into();
        // the alternatives end after the last *or*
        let last = joints.iter().rposition(|joint| *joint == Token::Or).map_or(0, |at| at + 1);
        let alternatives = &items[..=last];
        let name = self.equated(items[0]).filter(|name| !name.is_empty());
        let is_list = joints[..last].iter().all(|joint| *joint == Token::Or)
            || name.is_some() && alternatives.iter().all(|id| self.equated(*id) == name);
        if !is_list && items.iter().any(|id| self.equated(*id).is_none()) {
            return Err(self.mixed_joints(start));
        }
        self.stack.truncate(base);
        let mut at = 0;
        while at < items.len() {
            let together = if is_list && at == 0 {
                last + 1
            } else {
                1 + joints[at..].iter().take_while(|joint| **joint == Token::Or).count()
            };
            let first = self.stack.len();
            self.stack.extend_from_slice(&items[at..at + together]);
            if together > 1 {
                let either = self.collect(Node::Or, first, self.tree.span(items[at]).start)?;
                self.stack.push(either);
            }
            at += together;
        }
        self.collect(bare, base, start)
    }

    /// Returns the name on the left side of an equation, or an empty text for another left side; `None` for
    /// statements that are not equations.
    fn equated(&self, mut id: NodeId) -> Option<&str> {
        while let Node::Group(inner) = self.tree.node(id) {
            id = inner;
        }
        let Node::Relation(chain) = self.tree.node(id) else { return None };
        let mut left = None;
        for (side, relation, _) in self.tree.chain(chain) {
            if relation != Relation::Equal {
                return None;
            }
            left = left.or(Some(side));
        }
        match self.tree.node(left?) {
            Node::Symbol(text) => Some(self.tree.text(text)),
            _ => Some(""),
        }
    }

    /// Checks that no words stand between two statements, such as `x=2\text{ vel }x=3`: they are neither a factor of the
    /// member between two relations nor of the first member after a separator. The members of the chain, with relations
    /// between them, are on the stack above `base`.
    pub(super) fn check_words(&self, base: usize) -> Parsed<()> {
        let members = self.stack.len().saturating_sub(base).div_ceil(2);
        for (at, member) in self.stack[base..].iter().step_by(2).enumerate().take(members - 1) {
            let Node::Product(factors) = self.tree.node(*member) else { continue };
            let factors = self.tree.list(factors);
            for pair in factors.windows(2) {
                let &[words, next] = pair else { continue };
                if !matches!(self.tree.node(words), Node::Words(_))
                    || matches!(self.tree.node(next), Node::Words(_))
                {
                    continue;
                }
                let (words_span, next) = (self.tree.span(words), self.tree.span(next));
                let between =
                    self.lexer.text(Span { start: words_span.end, end: next.start.max(words_span.end) });
                let has_sign = between.contains(['*', '·', '×', '⋅'])
                    || ["\\cdot", "\\times"].iter().any(|sign| between.contains(sign));
                let is_behind = at == 0 && (words != factors[0] || !self.follows_separator(words_span.start));
                if has_sign || is_behind {
                    continue;
                }
                let text = self.lexer.upright_text(words_span);
                let mut error = self.error(
                    words_span,
                    Problem::Unsupported,
                    format!("`{text}` between two statements is not a known word"),
                    "",
                );
                error.suggestion = Some("write \\text{ or } or \\text{ and } between them".to_owned());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns whether a separator is before `at`.
    fn follows_separator(&self, at: u32) -> bool {
        let before = self.lexer.text(Span { start: 0, end: at });
        before.trim_end_matches([' ', '\n', '\t', '~']).ends_with([',', ';'])
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    pub(super) fn mixed_joints(&self, start: u32) -> Box<crate::ParseError> {
        let mut error = self.error(
            Span { start, end: self.used },
            Problem::Ambiguous,
            "commas, `and` and `or` are mixed between these statements",
            "",
        );
        error.suggestion = Some("put each alternative in brackets".to_owned());
        error
    }
}
