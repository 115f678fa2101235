//! Derivatives: `\frac{dy}{dx}`, `\frac{d}{dx}` with the term it applies to, and the same in one line.

use super::{Parsed, Parser};
use crate::ast::{Delimiter, Node, NodeId, Span};
use crate::commands::Token;
use crate::derivative_names::{Notation, is_derivative, quotient_name, split};
use crate::derivatives::written;
use crate::error::Problem;
use crate::free_names::names_below;
use crate::lexer::{Lexeme, Lexer};
use crate::printer::{is_letter, latex_name, print_derived};
use std::collections::BTreeSet;

/// The maximum order of a derivative.
const MAX_ORDER: u32 = 20;

const DECLARE_D: &str = "declare `d` as a variable if it is one";

/// A saved position of the parser, which can be restored after an attempt to read a text.
pub(super) type Mark<'s> = (Lexer<'s>, Lexeme, u32, usize, usize);

/// A fraction of differentials, without the term in its numerator.
struct Differentials<'s> {
    variable: NodeId,
    order: u32,
    /// The variable as it is written.
    derived: &'s str,
    /// Whether the variable is after `\partial`, so that other letters are constants.
    is_partial: bool,
}

/// The `d` of a differential.
struct DifferentialSign {
    /// Whether it is a letter `d`, which can be a variable, not `\mathrm d` or `\partial`.
    is_italic: bool,
    /// Whether its braces contain only the `d`.
    is_closed: bool,
}

/// The terms of a numerator that begins with `d`.
struct Terms {
    /// Whether a sign is between two terms, outside of all brackets.
    are_several: bool,
    /// Whether another part may be a differential, or the first term contains the variable of the denominator, so that
    /// `d` may not be a factor: `\frac{du+dv}{dx}`, `\frac{dx^2+3x}{dx}`.
    are_differentials: bool,
}

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
        let first = self.lexer.token_after(above.start as usize);
        if first != Token::OpenBrace && !is_d(first) {
            return Ok(None);
        }
        let Some((below, end)) = self.lexer.braced_at(end) else { return Ok(None) };
        let written = self.lexer.text(above).trim_start();
        if self.names.is_variable("d") || self.names.longest_prefix(written).is_some() {
            return Ok(None);
        }
        let mark = self.mark();
        match self.differentials(above, below, Span::new(start as usize, end))? {
            None => {
                self.reset(mark);
                Ok(None)
            }
            Some(Differentials { variable, order, derived, .. }) if self.token.start >= above.end => {
                self.go_to(end);
                self.derivative_of(variable, order, derived, start).map(Some)
            }
            Some(differentials) => self.numerator(&differentials, start, end).map(Some),
        }
    }

    /// Parses the denominator and the `d` of the numerator, with their order, up to the term; `None` if the fraction
    /// is not a derivative.
    fn differentials(&mut self, above: Span, below: Span, whole: Span) -> Parsed<Option<Differentials<'s>>> {
        self.go_to(above.start as usize);
        let Some(DifferentialSign { is_italic, is_closed: true }) = self.take_d() else { return Ok(None) };
        let function = self.token.start as usize;
        self.go_to(below.start as usize);
        let is_partial = self.token.token == Token::Partial;
        let Some(sign_below) = self.take_d() else { return Ok(None) };
        let from = self.token.start as usize;
        let Ok(variable) = self.differential_name() else { return Ok(None) };
        let derived = self.lexer.text(Span::new(from, self.token.start as usize)).trim();
        // \frac{d^2}{{dz}^2}
        if self.token.token == Token::CloseBrace && self.token.start < below.end {
            self.advance();
        }
        let order_below = self.order();
        if self.token.start < below.end {
            // \frac{d^2f}{dx\,dy} is not a fraction, \frac{d}{dx+1} may be one
            let is_factor = is_italic && sign_below.is_italic && !is_d(self.token.token);
            return if is_factor { Ok(None) } else { Err(self.no_derivative(whole)) };
        }
        self.go_to(function);
        let order = self.order();
        let is_operator = self.token.start >= above.end;
        let is_quotient = if is_operator {
            // \frac{d^2}{dc}
            order != order_below
        } else {
            // \frac{d_1}{dx}, \frac{d+1}{dx}, \frac{da-cb}{dc}
            !matches!(self.token.token, Token::Bar(_)) && !self.starts_factor()
                || self.terms(above.end, derived).are_several
        };
        if is_quotient {
            let is_factor = is_italic && sign_below.is_italic && {
                if is_operator {
                    !self.has_operand(whole.end as usize)
                } else {
                    !self.terms(above.end, derived).are_differentials
                }
            };
            return if is_factor { Ok(None) } else { Err(self.no_derivative(whole)) };
        }
        if order == 0 {
            let mut error = self.error(
                whole,
                Problem::Unsupported,
                "a derivative of this order is not supported",
                "an order from 1 to 20",
            );
            error.suggestion = Some(DECLARE_D.to_owned());
            return Err(error);
        }
        if order != order_below {
            return Err(self.no_derivative(whole));
        }
        Ok(Some(Differentials { variable, order, derived, is_partial }))
    }

    /// Takes a `d`, possibly in braces; `None` if there is no `d`.
    fn take_d(&mut self) -> Option<DifferentialSign> {
        let is_braced = self.token.token == Token::OpenBrace;
        if is_braced {
            self.advance();
        }
        if !is_d(self.token.token) {
            return None;
        }
        let is_italic = self.token.token == Token::Letter(b'd') && !self.is_after_command();
        self.advance();
        let is_closed = !is_braced || self.token.token == Token::CloseBrace;
        if is_braced && is_closed {
            self.advance();
        }
        Some(DifferentialSign { is_italic, is_closed })
    }

    /// Returns whether a command such as `\mathrm` is directly before the current token.
    fn is_after_command(&self) -> bool {
        let before = self.lexer.text(Span { start: 0, end: self.token.start }).trim_end();
        let letters = before.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        letters > 0 && before[..before.len() - letters].ends_with('\\')
    }

    /// Finds the terms of a numerator, from after its first `d` up to `end`.
    fn terms(&self, end: u32, derived: &str) -> Terms {
        let mut ahead = self.lexer;
        ahead.at = self.token.start as usize;
        let (mut depth, mut is_in_bars, mut after_operand, mut after_d) = (0usize, false, false, false);
        let mut found = Terms { are_several: false, are_differentials: false };
        loop {
            let next = ahead.next();
            if next.start >= end || next.token == Token::End {
                return found;
            }
            if after_d && next.token == Token::Caret {
                // what follows the exponent decides: `d^2` may end a term, and `d^2v` is a differential
                let at = next.end as usize;
                ahead.at = match self.lexer.braced_at(at) {
                    Some((_, end)) => end,
                    None => self.lexer.source().len() - order_of(self.lexer.after(at)).1.len(),
                };
                continue;
            }
            // a `d` at the end of a term or with a subscript is a name
            found.are_differentials |= after_d
                && !next.token.is_sign()
                && !matches!(
                    next.token,
                    Token::Underscore
                        | Token::Lowered(_)
                        | Token::Prime(_)
                        | Token::Times
                        | Token::Divide
                        | Token::Close(_)
                        | Token::CloseBrace
                        | Token::Right(..)
                );
            after_d = next.token == Token::Letter(b'd');
            match next.token {
                Token::OpenBrace | Token::Open(_) | Token::Left(..) => depth += 1,
                Token::CloseBrace | Token::Close(_) | Token::Right(..) => depth = depth.saturating_sub(1),
                Token::Bar(_) => is_in_bars = !is_in_bars,
                Token::Differential | Token::Partial => found.are_differentials = true,
                sign if sign.is_sign() && depth == 0 && !is_in_bars && after_operand => {
                    found.are_several = true;
                }
                _ => {}
            }
            if !found.are_several && self.lexer.after(next.start as usize).starts_with(derived) {
                found.are_differentials = true;
            }
            after_operand = !matches!(
                next.token,
                Token::Caret | Token::Underscore | Token::Times | Token::Divide | Token::Function(_)
            );
        }
    }

    /// Returns whether the operator that ends at `end` has an operand, possibly after closing brackets or a
    /// multiplication sign.
    fn has_operand(&mut self, end: usize) -> bool {
        self.go_to(end);
        let mut is_argument = false;
        while matches!(self.token.token, Token::Close(_) | Token::Right(..) | Token::CloseBrace) {
            is_argument = self.token.token == Token::CloseBrace;
            self.advance();
        }
        // the braces in \frac{\frac{d^2}{dc}}{2}
        !(is_argument && self.token.token == Token::OpenBrace)
            && (self.token.token == Token::Times || self.starts_factor())
    }

    /// Parses the named quantity or term after the `d` of a numerator, and continues at `end`, after the fraction.
    fn numerator(&mut self, differentials: &Differentials<'s>, start: u32, end: usize) -> Parsed {
        let &Differentials { variable, order, derived, is_partial } = differentials;
        self.lexer.at = self.token.start as usize;
        let outside = self.enter(false, false)?;
        let outer = std::mem::replace(&mut self.derived, derived);
        let body = self.term(None)?.0;
        self.derived = outer;
        if self.token.token != Token::CloseBrace {
            return Err(self.no_derivative(Span::new(start as usize, end)));
        }
        self.lexer.at = end;
        self.token.end = end as u32;
        self.leave(outside);
        let body = self.as_symbol(body);
        let quantity = match self.tree.node(body) {
            Node::Group(inner) => inner,
            _ => body,
        };
        if matches!(self.tree.node(quantity), Node::Symbol(_))
            && !self.name_of(quantity).starts_with("\\frac")
            && self.name_of(quantity) != self.name_of(variable)
        {
            if is_derivative(self.name_of(quantity)) {
                return Ok(self.derivative_of_quantities(variable, body, order, start));
            }
            return Ok(self.derivative_name(quantity, variable, order, start));
        }
        let names = names_below(self.tree, body);
        let outside = self.names_outside_exponents(body, self.name_of(variable));
        let depends = |name: &String| {
            name != self.name_of(variable)
                && (!is_partial
                    && may_depend(name, self.name_of(variable))
                    && (!is_exponent(name) || outside.contains(name.as_str()))
                    || is_derivative(name))
        };
        let is_named = names.symbols.iter().any(|name| name == self.name_of(variable));
        if is_named && !names.symbols.iter().any(depends) || names.symbols.is_empty() {
            return self.differentiated(variable, body, order, start);
        }
        Ok(self.derivative_of_quantities(variable, body, order, start))
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
                Ok(self.derivative_name(function, variable, order, start))
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
        if !is_d(self.token.token) {
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

    /// Parses the term after `\frac{d}{dx}` and returns its derivative.
    fn derivative_of(&mut self, variable: NodeId, order: u32, derived: &'s str, start: u32) -> Parsed {
        let outer = std::mem::replace(&mut self.derived, derived);
        let body = self.term(None)?.0;
        self.derived = outer;
        // a name in the term that is itself a derivative is not a constant
        if names_below(self.tree, body).symbols.iter().any(|name| is_derivative(name)) {
            return Ok(self.derivative_of_quantities(variable, body, order, start));
        }
        self.differentiated(variable, body, order, start)
    }

    fn differentiated(&mut self, variable: NodeId, body: NodeId, order: u32, start: u32) -> Parsed {
        let base = self.stack.len();
        self.stack.extend([variable, body]);
        self.collect(|list| Node::Derivative(order, list), base, start)
    }

    /// Returns the derivative of a named quantity, which is a symbol.
    fn derivative_name(&mut self, function: NodeId, variable: NodeId, order: u32, start: u32) -> NodeId {
        let name = quotient_name(self.name_of(function), self.name_of(variable), order as usize);
        self.named(&name, start)
    }

    fn named(&mut self, name: &str, start: u32) -> NodeId {
        let text = self.tree.push_text(name);
        self.leaf(Node::Symbol(text), Span { start, end: self.used })
    }

    /// Returns the derivative of a term whose letters depend on the variable in an unspecified way. It is a symbol, as
    /// the derivative of a named quantity is.
    fn derivative_of_quantities(&mut self, variable: NodeId, body: NodeId, order: u32, start: u32) -> NodeId {
        if let Some(name) = self.higher_derivative(variable, body, order) {
            return self.named(&name, start);
        }
        let inner = self.without_brackets(body);
        let term = print_derived(self.tree, inner);
        let term = match self.tree.node(inner) {
            Node::Items { .. } => term,
            // in \frac{dPV}{dT} it is not certain what `d` applies to
            Node::Product(_) if inner == body => format!("{{{term}}}"),
            _ => format!("\\left({term}\\right)"),
        };
        let variable = latex_name(self.name_of(variable));
        let raised = if order == 1 { String::new() } else { format!("^{{{order}}}") };
        self.named(&format!("\\frac{{d{raised}{term}}}{{d{variable}{raised}}}"), start)
    }

    /// Returns a term without the brackets around it. Square brackets around one name, such as the concentration `[A]`,
    /// belong to the name.
    fn without_brackets(&self, mut body: NodeId) -> NodeId {
        loop {
            body = match self.tree.node(body) {
                Node::Group(inner) => inner,
                Node::Items { open: Delimiter::Bracket, close: Delimiter::Bracket, items } => {
                    match *self.tree.list(items) {
                        [inner] if !matches!(self.tree.node(inner), Node::Symbol(_)) => inner,
                        _ => return body,
                    }
                }
                _ => return body,
            };
        }
    }

    /// Returns the name of the derivative of a derivative: that of `\frac{dy}{dx}` by x is `\frac{d^2y}{dx^2}`. A prime
    /// is a derivative by x or t, a dot one by t.
    fn higher_derivative(&self, variable: NodeId, body: NodeId, order: u32) -> Option<String> {
        let body = match self.without_brackets(body) {
            bracket if let Node::Items { items, .. } = self.tree.node(bracket) => {
                *self.tree.list(items).first()?
            }
            body => body,
        };
        let variable = self.name_of(variable);
        let (function, lower, notation) = split(self.name_of(body))?;
        let order = lower + order as usize;
        let is_same = match &notation {
            Notation::By(by) => by == variable,
            Notation::Prime => matches!(variable, "x" | "t") && function != variable,
            Notation::Dot => variable == "t",
        };
        (is_same && order <= MAX_ORDER as usize).then(|| written(&function, order, &notation)).flatten()
    }

    /// Returns the names that occur elsewhere than in exponents of the variable.
    fn names_outside_exponents(&self, body: NodeId, variable: &str) -> BTreeSet<&str> {
        let (mut names, mut pending) = (BTreeSet::new(), vec![body]);
        while let Some(part) = pending.pop() {
            match self.tree.node(part) {
                Node::Power(base, _) if self.name_of(base) == variable => {}
                Node::Symbol(_) => {
                    names.insert(self.name_of(part));
                }
                _ => pending.extend(self.tree.children(part)),
            }
        }
        names
    }

    fn name_of(&self, symbol: NodeId) -> &str {
        match self.tree.node(symbol) {
            Node::Symbol(text) => self.tree.text(text),
            _ => "",
        }
    }

    /// Returns whether brackets around only the variable of the derivative follow: `f(x)` in `\frac{d}{dx}f(x)` is a
    /// function.
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
    fn no_derivative(&self, span: Span) -> Box<crate::ParseError> {
        let mut error = self.error(span, Problem::Unsupported, "this derivative is not read", "");
        error.suggestion = Some(DECLARE_D.to_owned());
        error
    }
}

fn is_d(token: Token) -> bool {
    matches!(token, Token::Letter(b'd') | Token::Differential | Token::Partial)
}

/// Returns whether a name beside the variable can denote a quantity that depends on it. Letters from the beginning
/// and the middle of the alphabet, most Greek ones, and values at 0 such as `v_0` are constants by convention. Other
/// subscripts number or describe what the letter denotes: `y_1` depends as `y` does, except beside a variable with the
/// same letter, and `v_1` is usual for a constant velocity.
fn may_depend(name: &str, variable: &str) -> bool {
    if let Some((base, subscript)) = name.split_once('_') {
        let other = variable.split_once('_').map_or(variable, |(other, _)| other);
        // a value at the variable, such as S_t
        return subscript == variable
            || subscript != "0" && base != other && base != "v" && letter_may_depend(base);
    }
    letter_may_depend(name)
}

fn letter_may_depend(name: &str) -> bool {
    match name.as_bytes() {
        [letter] => !matches!(letter, b'a'..=b'e' | b'g'..=b'n' | b't' | b'A'..=b'D' | b'G' | b'K' | b'R'),
        _ => !is_letter(name) || matches!(name, "theta" | "psi" | "rho"),
    }
}

/// Returns whether a name is usual for a constant exponent, as in `x^p`.
fn is_exponent(name: &str) -> bool {
    matches!(name, "p" | "q" | "r" | "s")
}

/// Reads `2` or `{3}` after a caret; returns the order (0 if it is invalid or above 20) and the remaining text.
fn order_of(text: &str) -> (u32, &str) {
    let text = text.trim_start();
    let (digits, rest) = match text.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
        Some((inner, rest)) => (inner, rest),
        None if text.is_char_boundary(1) => text.split_at(1.min(text.len())),
        None => return (0, text),
    };
    (digits.trim().parse().ok().filter(|order| *order <= MAX_ORDER).unwrap_or(0), rest)
}
