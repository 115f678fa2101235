//! Angles with minutes and seconds, and derivatives of brackets: what a prime means behind a number or a bracket.

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::commands::Token;

impl Parser<'_, '_, '_> {
    /// Parses the minutes and seconds after a number of degrees: `45^\circ30'15''`.
    pub(super) fn degrees(&mut self, degrees: NodeId, start: u32) -> Parsed {
        if !matches!(self.tree.node(degrees), Node::Number(_)) || self.token.token != Token::Number {
            return self.unary(Node::Degrees, degrees, start);
        }
        let base = self.stack.len();
        self.stack.push(degrees);
        for (prime, parts) in [(1, "60"), (2, "3600")] {
            let end = self.token.end as usize;
            if self.token.token != Token::Number || self.lexer.token_after(end) != Token::Prime(prime) {
                continue;
            }
            let span = self.token.span();
            let above = self.number()?;
            // the prime
            self.advance();
            let text = self.tree.push_text(parts);
            let below = self.leaf(Node::Number(text), span);
            let part = self.binary(
                |numerator, denominator| Node::Quotient { numerator, denominator, slash: false },
                above,
                below,
                span.start,
            )?;
            self.stack.push(part);
        }
        if self.stack.len() == base + 1 {
            self.stack.truncate(base);
            return self.unary(Node::Degrees, degrees, start);
        }
        let sum = self.collect(Node::Sum, base, start)?;
        let group = self.unary(Node::Group, sum, start)?;
        self.unary(Node::Degrees, group, start)
    }

    /// Parses the primes after a bracket as a derivative, if the bracket contains a single letter: `(x^2)'`.
    pub(super) fn primed_bracket(
        &mut self,
        bracket: NodeId,
        order: u8,
        start: u32,
    ) -> Parsed<Option<NodeId>> {
        if !matches!(self.tree.node(bracket), Node::Group(_)) || order == 0 || order > 8 {
            return Ok(None);
        }
        let mut variable: Option<NodeId> = None;
        let mut pending = vec![bracket];
        while let Some(id) = pending.pop() {
            match self.tree.node(id) {
                Node::Symbol(text) => {
                    let other = variable.is_some_and(|known| match self.tree.node(known) {
                        Node::Symbol(known) => self.tree.text(known) != self.tree.text(text),
                        _ => true,
                    });
                    if other || self.tree.text(text).len() != 1 {
                        return Ok(None);
                    }
                    variable = Some(id);
                }
                Node::Call(..)
                | Node::Words(_)
                | Node::Relation(_)
                | Node::Items { .. }
                | Node::Matrix { .. }
                | Node::Integral(_)
                | Node::Derivative(..)
                | Node::Repeated(..)
                | Node::Limit(..) => return Ok(None),
                _ => {}
            }
            pending.extend(self.tree.children(id));
        }
        let Some(variable) = variable else { return Ok(None) };
        self.advance();
        let base = self.stack.len();
        self.stack.extend([variable, bracket]);
        self.collect(|list| Node::Derivative(u32::from(order), list), base, start).map(Some)
    }
}
