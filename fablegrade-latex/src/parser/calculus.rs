//! Sums, products, limits and integrals.

use super::{Parsed, Parser};
use crate::ast::{Constant, Gathered, Node, NodeId, Relation, Repeated, Side};
use crate::commands::{Fence, Token};
use crate::error::Problem;

impl Parser<'_, '_, '_> {
    /// Parses the expressions below and above the sign of a sum or a similar operation.
    fn below_and_above(&mut self) -> Parsed<(Option<NodeId>, Option<NodeId>)> {
        self.advance();
        let mut lower = None;
        let mut upper = None;
        loop {
            match self.token.token {
                Token::Underscore if lower.is_none() => {
                    self.advance();
                    lower = Some(self.argument("the index and its first value, in braces")?);
                }
                Token::Caret if upper.is_none() => {
                    self.advance();
                    upper = Some(self.argument("the last value, in braces")?);
                }
                _ => return Ok((lower, upper)),
            }
        }
    }

    /// Parses the term after the sign of a sum, in which the index is bound.
    fn bound_term(&mut self, index: NodeId) -> Parsed {
        let outside = self.bound;
        if let Node::Symbol(text) = self.tree.node(index)
            && let [letter @ 0..=127] = self.tree.text(text).as_bytes()
        {
            self.bound |= 1 << letter;
        }
        let body = self.signed_term()?;
        self.bound = outside;
        Ok(body)
    }

    /// Parses `\bigcup_{k=1}^{n}`, `\bigcup_{k\in\mathbb{Z}}`, `\bigcup_k` and `\bigcap`, with the set that follows.
    pub(super) fn gathered(&mut self, union: bool) -> Parsed {
        let start = self.token.start;
        let sign = self.token.span();
        let (lower, upper) = self.below_and_above()?;
        let index_of = |parser: &Self, lower: NodeId| match parser.tree.node(lower) {
            Node::Relation(chain) => {
                let mut steps = parser.tree.chain(chain);
                let (index, relation, right) = steps.next()?;
                Some((index, Some((relation, right)), steps.next().is_none()))
            }
            _ => Some((lower, None, true)),
        };
        let parts = lower.and_then(|lower| Some((lower, index_of(self, lower)?)));
        let known = match (parts, upper) {
            (Some((_, (index, None, true))), None) => Some((index, [None, None])),
            (Some((_, (index, Some((Relation::Equal, from)), true))), Some(to)) => {
                Some((index, [Some(from), Some(to)]))
            }
            (Some((lower, (index, Some((relation, _)), true))), None) if relation != Relation::Equal => {
                Some((index, [Some(lower), None]))
            }
            _ => None,
        };
        let is_name =
            |id: NodeId| matches!(self.tree.node(id), Node::Symbol(_) | Node::Constant(Constant::I));
        let Some((index, range)) = known.filter(|(index, _)| is_name(*index)) else {
            let mut error = self.error(
                sign,
                Problem::Unsupported,
                "an index is needed here",
                "an index below, with its first and last value, or a set to which it belongs",
            );
            error.suggestion = Some("write \\bigcup_{k=1}^{n} or \\bigcup_{k\\in A}".to_owned());
            return Err(error);
        };
        let index = self.as_symbol(index);
        let body = self.bound_term(index)?;
        let base = self.stack.len();
        self.stack.push(index);
        self.stack.extend(range.into_iter().flatten());
        self.stack.push(body);
        let kind = if union { Gathered::Union } else { Gathered::Intersection };
        self.collect(|list| Node::Gathered(kind, list), base, start)
    }

    /// Parses `\sum_{k=1}^{n}` and `\prod`, with the term that follows.
    pub(super) fn repeated(&mut self, sum: bool) -> Parsed {
        let start = self.token.start;
        let sign = self.token.span();
        let (lower, upper) = self.below_and_above()?;
        let bounds = lower.zip(upper).and_then(|(lower, upper)| {
            let Node::Relation(chain) = self.tree.node(lower) else { return None };
            let mut steps = self.tree.chain(chain);
            let (index, relation, from) = steps.next()?;
            let index_is_name =
                matches!(self.tree.node(index), Node::Symbol(_) | Node::Constant(Constant::I));
            (steps.next().is_none() && relation == Relation::Equal && index_is_name)
                .then_some((index, from, upper))
        });
        let Some((index, from, to)) = bounds else {
            let mut error = self.error(
                sign,
                Problem::Unsupported,
                "bounds are needed here",
                "an index with its first value below and its last value above",
            );
            error.suggestion = Some("write \\sum_{k=1}^{n}".to_owned());
            return Err(error);
        };
        let index = self.as_symbol(index);
        let body = self.bound_term(index)?;
        let base = self.stack.len();
        self.stack.extend([index, from, to, body]);
        let kind = if sum { Repeated::Sum } else { Repeated::Product };
        self.collect(|list| Node::Repeated(kind, list), base, start)
    }

    /// Returns a letter as a symbol, even if it is called `i` or `e`.
    pub(super) fn as_symbol(&mut self, index: NodeId) -> NodeId {
        match self.tree.node(index) {
            Node::Constant(letter @ (Constant::I | Constant::E)) => {
                let text = self.tree.push_text(if letter == Constant::I { "i" } else { "e" });
                let span = self.tree.span(index);
                self.leaf(Node::Symbol(text), span)
            }
            _ => index,
        }
    }

    /// Parses `\lim_{x \to 0^+}` and the term that follows.
    pub(super) fn limit(&mut self) -> Parsed {
        let start = self.token.start;
        self.advance();
        if self.token.token != Token::Underscore {
            return Err(self.unexpected("`_{x \\to a}`"));
        }
        self.advance();
        if self.token.token != Token::OpenBrace {
            return Err(self.unexpected("`{x \\to a}`"));
        }
        let open = self.token.span();
        self.descend()?;
        self.advance();
        let span = self.token.span();
        let variable = match self.token.token {
            Token::Letter(letter) => {
                let text = self.tree.push_text(char::from(letter).encode_utf8(&mut [0; 4]));
                self.leaf(Node::Symbol(text), span)
            }
            Token::Name(name) => match self.change(name)? {
                Some(change) => change,
                None => {
                    let text = self.tree.push_text(name);
                    self.leaf(Node::Symbol(text), span)
                }
            },
            _ => return Err(self.unexpected("the variable of the limit")),
        };
        if self.token.span() == span {
            self.advance();
        }
        if !matches!(self.token.token, Token::Relation(Relation::Tends) | Token::Implies) {
            return Err(self.unexpected("`\\to`"));
        }
        self.advance();
        let outside = self.inside.one_sided;
        self.inside.one_sided = true;
        let point = self.sum();
        self.inside.one_sided = outside;
        let point = point?;
        let mut side = Side::Both;
        if matches!(self.token.token, Token::Plus | Token::Minus) {
            side = if self.token.token == Token::Minus { Side::Below } else { Side::Above };
            self.advance();
        } else if self.token.token == Token::Caret {
            self.advance();
            let braced = self.token.token == Token::OpenBrace;
            if braced {
                self.advance();
            }
            side = if self.token.token == Token::Minus { Side::Below } else { Side::Above };
            self.advance();
            if braced {
                self.advance();
            }
        }
        if self.token.token != Token::CloseBrace {
            return Err(self.unclosed(open, "`}`"));
        }
        self.ascend();
        self.advance();
        let body = self.signed_term()?;
        let base = self.stack.len();
        self.stack.extend([variable, point, body]);
        self.collect(|list| Node::Limit(side, list), base, start)
    }

    /// Returns whether `+` or `-` is next and ends the limit point: `0+`.
    pub(super) fn bare_side_follows(&self) -> bool {
        self.inside.one_sided
            && matches!(self.token.token, Token::Plus | Token::Minus)
            && self.lexer.token_after(self.token.end as usize) == Token::CloseBrace
    }

    /// Returns whether `^+`, `^-`, `^{+}` or `^{-}` is next and ends the limit point.
    pub(super) fn side_follows(&self) -> bool {
        let rest = self.lexer.after(self.token.end as usize).trim_start();
        let alone =
            |rest: &str| rest.strip_prefix(['+', '-']).is_some_and(|rest| rest.trim_start().starts_with('}'));
        alone(rest) || rest.strip_prefix('{').is_some_and(|rest| alone(rest.trim_start()))
    }

    /// Parses `\int_a^b ... dx`.
    pub(super) fn integral(&mut self) -> Parsed {
        let start = self.token.start;
        let sign = self.token.span();
        self.descend()?;
        self.advance();
        let mut bounds = [None, None];
        loop {
            let which = match self.token.token {
                Token::Underscore if bounds[0].is_none() => 0,
                Token::Caret if bounds[1].is_none() => 1,
                _ => break,
            };
            let script_end = self.token.end as usize;
            if let Some((inner, end)) = self.lexer.braced_at(script_end)
                && self.lexer.text(inner).trim().is_empty()
            {
                self.lexer.at = end;
                self.token.end = end as u32;
                self.advance();
                continue;
            }
            self.advance();
            bounds[which] = Some(self.script()?);
        }
        let outside = (self.integral_fence, self.differential.take());
        self.integral_fence = Some(self.fences);
        let body = if self.at_differential() {
            // \int dx
            let text = self.tree.push_text("1");
            self.leaf(Node::Number(text), self.token.span())
        } else {
            self.sum()?
        };
        let variable = if let Some(variable) = self.differential.take() {
            variable
        } else if self.at_differential() {
            if bounds == [None, None] && self.differential_has_bounds() {
                let (variable, from, to) = self.differential_with_bounds()?;
                bounds = [Some(from), Some(to)];
                variable
            } else {
                self.read_differential()?
            }
        } else {
            let mut error = self.error(
                sign,
                Problem::Unclosed,
                "the integral has no `dx`",
                "the variable of integration",
            );
            error.suggestion = Some("end the integrand with \\,dx".to_owned());
            return Err(error);
        };
        (self.integral_fence, self.differential) = outside;
        self.ascend();
        let base = self.stack.len();
        self.stack.extend([variable, body]);
        match bounds {
            [Some(from), Some(to)] => self.stack.extend([from, to]),
            [None, None] => {}
            _ => {
                return Err(self.error(
                    sign,
                    Problem::Unsupported,
                    "an integral has both bounds or none",
                    "",
                ));
            }
        }
        self.collect(Node::Integral, base, start)
    }

    /// Returns whether `dx` is next, inside an integral.
    #[inline]
    pub(super) fn at_differential(&self) -> bool {
        self.integral_fence.is_some() && self.at_differential_of_integral()
    }

    fn at_differential_of_integral(&self) -> bool {
        let is_sign = match self.token.token {
            Token::Differential => true,
            Token::Letter(b'd') => !self.names.is_variable("d"),
            _ => false,
        };
        if !is_sign {
            return false;
        }
        match self.lexer.token_after(self.token.end as usize) {
            Token::Letter(_) | Token::Name(_) => true,
            Token::Open(Fence::Paren) | Token::Left(Fence::Paren, _) => self.differential_has_bounds(),
            _ => false,
        }
    }

    /// Returns whether a bracket with a letter and two bounds follows the `d`. Some computer algebra systems
    /// write the differential as `d(x,0,2)`.
    fn differential_has_bounds(&self) -> bool {
        let rest = self.lexer.after(self.token.end as usize).trim_start();
        let Some(rest) = rest.strip_prefix("\\left").unwrap_or(rest).trim_start().strip_prefix('(') else {
            return false;
        };
        let name = rest.trim_start();
        let letters = name.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters != 1 || !name[letters..].trim_start().starts_with(',') {
            return false;
        }
        let (mut level, mut commas, mut before) = (0u32, 0, 0);
        for byte in rest.bytes() {
            match byte {
                // `\,` is a space
                b',' if before == b'\\' => {}
                b'(' | b'[' | b'{' => level += 1,
                b')' if level == 0 => return commas == 2,
                b')' | b']' | b'}' => level = level.saturating_sub(1),
                b',' if level == 0 => commas += 1,
                _ => {}
            }
            before = byte;
        }
        false
    }

    /// Parses the variable and the bounds that [`differential_has_bounds`](Self::differential_has_bounds)
    /// found.
    fn differential_with_bounds(&mut self) -> Parsed<(NodeId, NodeId, NodeId)> {
        self.advance();
        let open = self.token.span();
        let (arguments, _) = self.arguments()?;
        match *self.tree.list(arguments) {
            [variable, from, to] if matches!(self.tree.node(variable), Node::Symbol(_)) => {
                Ok((variable, from, to))
            }
            _ => Err(self.error(open, Problem::Arguments, "a variable and two bounds belong here", "")),
        }
    }

    /// Consumes a `dx` inside brackets or a fraction; returns `false` if the `dx` ends the integrand.
    pub(super) fn take_differential(&mut self) -> Parsed<bool> {
        if self.integral_fence == Some(self.fences) || self.differential.is_some() {
            return Ok(false);
        }
        self.differential = Some(self.read_differential()?);
        Ok(true)
    }

    /// Parses a `dx` in the position of a factor, where it counts as 1.
    pub(super) fn differential_atom(&mut self) -> Parsed {
        let span = self.token.span();
        if !self.take_differential()? {
            return Err(self.unexpected("the integrand"));
        }
        let text = self.tree.push_text("1");
        Ok(self.leaf(Node::Number(text), span))
    }

    fn read_differential(&mut self) -> Parsed {
        self.advance();
        self.differential_name()
    }

    /// Parses the letter after a `d`, with its subscript.
    pub(super) fn differential_name(&mut self) -> Parsed {
        let span = self.token.span();
        let node = match self.token.token {
            Token::Letter(letter) => {
                let text = self.tree.push_text(char::from(letter).encode_utf8(&mut [0; 4]));
                self.leaf(Node::Symbol(text), span)
            }
            Token::Name(name) => {
                let text = self.tree.push_text(name);
                self.leaf(Node::Symbol(text), span)
            }
            _ => return Err(self.unexpected("the variable after d")),
        };
        self.advance();
        if matches!(self.token.token, Token::Underscore | Token::Lowered(_))
            && let Node::Symbol(text) = self.tree.node(node)
        {
            let mut name = self.tree.text(text).to_owned();
            match self.token.token {
                Token::Underscore => self.subscript(&mut name)?,
                _ => self.lowered_subscript(&mut name),
            }
            let text = self.tree.push_text(&name);
            return Ok(self.leaf(Node::Symbol(text), span));
        }
        Ok(node)
    }
}
