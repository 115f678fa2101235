//! Derivatives: `\frac{dy}{dx}`, `\frac{d}{dx}` with the term it applies to, and the same in one line.

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId, Span};
use crate::commands::Token;
use crate::error::Problem;
use crate::lexer::{Lexeme, Lexer};

/// A position of the parser, to which it returns where a text is not a derivative.
pub(super) type Mark<'s> = (Lexer<'s>, Lexeme, u32, usize, usize);

impl<'s> Parser<'s, '_, '_> {
    /// Returns the position, to which [`reset`](Self::reset) can return.
    pub(super) fn mark(&self) -> Mark<'s> {
        (self.lexer, self.token, self.used, self.tree.notes.len(), self.tree.len())
    }

    pub(super) fn reset(&mut self, mark: Mark<'s>) {
        (self.lexer, self.token, self.used) = (mark.0, mark.1, mark.2);
        self.tree.notes.truncate(mark.3);
        self.tree.truncate(mark.4);
    }

    /// Parses `\frac{d}{dx}` with the term it applies to, `\frac{dy}{dx}`, `\frac{d(x^2)}{dx}`, and higher orders.
    pub(super) fn derivative(&mut self) -> Parsed<Option<NodeId>> {
        let start = self.token.start;
        let Some((above, end)) = self.lexer.braced_at(self.token.end as usize) else { return Ok(None) };
        let Some((below, end)) = self.lexer.braced_at(end) else { return Ok(None) };
        let (numerator, denominator) = (self.lexer.text(above), self.lexer.text(below).trim_start());
        // \frac{d^2}{{dz}^2}
        let wrapped = || after_d(denominator.strip_prefix('{')?);
        let (Some(numerator), Some(variable)) = (after_d(numerator), after_d(denominator).or_else(wrapped))
        else {
            return Ok(None);
        };
        let written = self.lexer.text(above).trim_start();
        if self.names.is_variable("d") || self.names.longest_prefix(written).is_some() {
            return Ok(None);
        }
        let mark = self.mark();
        let from = below.end as usize - variable.len();
        self.go_to(from);
        let Ok(variable) = self.differential_name() else {
            self.reset(mark);
            return Ok(None);
        };
        let derived = self.lexer.text(Span::new(from, self.token.start as usize)).trim();
        if self.token.token == Token::CloseBrace && self.token.start < below.end {
            self.advance();
        }
        let order_below = self.order();
        if self.token.start < below.end {
            // \frac{d^2f}{dx\,dy} is not a fraction, \frac{d}{dx+1} may be one
            if self.is_d() {
                return Err(self.no_derivative(start, end));
            }
            self.reset(mark);
            return Ok(None);
        }
        self.go_to(above.end as usize - numerator.len());
        let order = self.order();
        let is_operator = self.token.start >= above.end;
        // \frac{d_1}{dx}, \frac{d+1}{dx}
        if !is_operator && !matches!(self.token.token, Token::Bar(_)) && !self.starts_factor() {
            self.reset(mark);
            return Ok(None);
        }
        if order == 0 {
            let mut error = self.error(
                Span::new(start as usize, end),
                Problem::Unsupported,
                "a derivative of this order is not supported",
                "an order from 1 to 20",
            );
            error.suggestion = Some("declare `d` as a variable if it is one".to_owned());
            return Err(error);
        }
        if order != order_below {
            return Err(self.no_derivative(start, end));
        }
        if is_operator {
            self.go_to(end);
            return self.derivative_of(variable, order, derived, start).map(Some);
        }
        self.numerator(variable, order, derived, start, end).map(Some)
    }

    /// Parses what is after the `d` of a numerator, a named quantity or a term, up to `end` after the fraction.
    fn numerator(
        &mut self,
        variable: NodeId,
        order: u32,
        derived: &'s str,
        start: u32,
        end: usize,
    ) -> Parsed {
        self.lexer.at = self.token.start as usize;
        let outside = self.enter(false, false)?;
        let first = self.tree.len();
        let outer = std::mem::replace(&mut self.derived, derived);
        let body = self.term(None)?.0;
        self.derived = outer;
        // other letters depend on the variable in a way that is not said
        let is_known = {
            let names = self.tree.nodes().skip(first).map(|id| self.name_of(id));
            let mut names = names.filter(|name| !name.is_empty()).peekable();
            names.peek().is_none() || names.any(|name| name == self.name_of(variable))
        };
        let body = self.as_symbol(body);
        let is_symbol = matches!(self.tree.node(body), Node::Symbol(_));
        if self.token.token != Token::CloseBrace || !is_symbol && !is_known {
            return Err(self.no_derivative(start, end));
        }
        self.lexer.at = end;
        self.token.end = end as u32;
        self.leave(outside);
        if is_symbol && self.name_of(body) != self.name_of(variable) {
            return self.derivative_name(body, variable, order, start);
        }
        self.differentiated(variable, body, order, start)
    }

    /// Parses `dy/dx`, `d/dx` with the term it applies to, and higher orders in one line.
    pub(super) fn inline_derivative(&mut self) -> Parsed<Option<NodeId>> {
        let start = self.token.start;
        let joined = self.token.token != Token::Differential
            && start > 0
            && self.lexer.byte(start as usize - 1).is_ascii_alphabetic();
        if joined || self.names.is_variable("d") {
            return Ok(None);
        }
        let mark = self.mark();
        let Some((function, variable, order, derived)) = self.inline_parts() else {
            self.reset(mark);
            return Ok(None);
        };
        match function {
            Some(function) if self.name_of(function) != self.name_of(variable) => {
                self.derivative_name(function, variable, order, start)
            }
            Some(function) => self.differentiated(variable, function, order, start),
            None => self.derivative_of(variable, order, derived, start),
        }
        .map(Some)
    }

    /// Parses `d^2y/dx^2` or `d/dx`: the function, the variable, the order and the written variable.
    fn inline_parts(&mut self) -> Option<(Option<NodeId>, NodeId, u32, &'s str)> {
        self.advance();
        let order = self.order();
        let function = match self.token.token {
            Token::Divide => None,
            _ => Some(self.differential_name().ok()?),
        };
        if self.token.token != Token::Divide {
            return None;
        }
        self.advance();
        if !self.is_d() {
            return None;
        }
        self.advance();
        let from = self.token.start as usize;
        let variable = self.differential_name().ok()?;
        let derived = self.lexer.text(Span::new(from, self.token.start as usize)).trim();
        let order_below = self.order();
        // `dy/dxy` is a product
        let ends = !self
            .lexer
            .after(self.used as usize)
            .starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '^' | '\''));
        (order > 0 && order == order_below && ends).then_some((function, variable, order, derived))
    }

    fn is_d(&self) -> bool {
        matches!(self.token.token, Token::Letter(b'd') | Token::Differential | Token::Partial)
    }

    /// Parses the term after `\frac{d}{dx}` and returns its derivative.
    fn derivative_of(&mut self, variable: NodeId, order: u32, derived: &'s str, start: u32) -> Parsed {
        let outer = std::mem::replace(&mut self.derived, derived);
        let body = self.term(None)?.0;
        self.derived = outer;
        self.differentiated(variable, body, order, start)
    }

    fn differentiated(&mut self, variable: NodeId, body: NodeId, order: u32, start: u32) -> Parsed {
        let base = self.stack.len();
        self.stack.extend([variable, body]);
        self.collect(|list| Node::Derivative(order, list), base, start)
    }

    /// Returns the derivative of a named quantity, which is a symbol.
    fn derivative_name(&mut self, function: NodeId, variable: NodeId, order: u32, start: u32) -> Parsed {
        let span = Span { start, end: self.used };
        let [function, variable] = [function, variable].map(|id| self.name_of(id).to_owned());
        if function.starts_with("\\frac") {
            return Err(self.no_derivative(start, span.end as usize));
        }
        let name = if order == 1 {
            format!("\\frac{{d{function}}}{{d{variable}}}")
        } else {
            format!("\\frac{{d^{order}{function}}}{{d{variable}^{order}}}")
        };
        let text = self.tree.push_text(&name);
        Ok(self.leaf(Node::Symbol(text), span))
    }

    fn name_of(&self, symbol: NodeId) -> &str {
        match self.tree.node(symbol) {
            Node::Symbol(text) => self.tree.text(text),
            _ => "",
        }
    }

    /// Returns whether a bracket with only the variable of the derivative around it follows: `f(x)` in
    /// `\frac{d}{dx}f(x)` is a function.
    pub(super) fn is_derived_call(&self, name: &str) -> bool {
        let rest = self.lexer.after(self.token.end as usize).trim_start();
        !self.derived.is_empty()
            && rest.strip_prefix(self.derived).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.starts_with(')') || rest.starts_with("\\right)")
            })
            && crate::names::normal_name(self.derived) != name
    }

    /// Parses the order `^2` of a derivative; without one it is 1, and 0 if it is not supported.
    fn order(&mut self) -> u32 {
        if self.token.token != Token::Caret {
            return 1;
        }
        let (order, rest) = order_of(self.lexer.after(self.token.end as usize));
        self.go_to(self.lexer.source().len() - rest.len());
        order
    }

    /// Continues with the token at `end`; all before it is used.
    fn go_to(&mut self, end: usize) {
        self.lexer.at = end;
        self.token.end = end as u32;
        self.advance();
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    fn no_derivative(&self, start: u32, end: usize) -> Box<crate::ParseError> {
        let span = Span::new(start as usize, end);
        let mut error = self.error(span, Problem::Unsupported, "this derivative is not read", "");
        error.suggestion =
            Some("write \\frac{d}{dx} before a bracket, or declare `d` if it is a variable".to_owned());
        error
    }
}

/// Returns the text after an upright or italic d or a partial sign.
fn after_d(text: &str) -> Option<&str> {
    let text = text.trim_start();
    ["\\mathrm{d}", "\\text{d}", "\\differentialD", "\\partial", "{d}", "{\\rm d}", "d"]
        .iter()
        .find_map(|sign| text.strip_prefix(sign))
}

/// Reads `2` or `{3}` after a caret; returns the order (0 if it is invalid or above 20) and the remaining text.
fn order_of(text: &str) -> (u32, &str) {
    let text = text.trim_start();
    let (digits, rest) = match text.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        Some((inner, rest)) => (inner, rest),
        None if text.is_char_boundary(1) => text.split_at(1.min(text.len())),
        None => return (0, text),
    };
    (digits.trim().parse().ok().filter(|order| *order <= 20).unwrap_or(0), rest)
}
