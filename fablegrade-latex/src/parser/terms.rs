//! Sums, products and the meaning of juxtaposition.

use super::{Parsed, Parser};
use crate::ast::{Constant, Delimiter, Node, NodeId, Span};
use crate::commands::{Fence, Token};
use crate::error::NoteKind;
use crate::lexer::Lexeme;
use smallvec::SmallVec;

impl Parser<'_, '_, '_> {
    pub(super) fn sum(&mut self) -> Parsed {
        let start = self.token.start;
        let first = self.signed_term()?;
        if !self.token.token.is_sign() {
            return Ok(first);
        }
        let base = self.stack.len();
        self.stack.push(first);
        while self.token.token.is_sign() && !self.bare_side_follows() {
            let sign = self.token;
            self.advance();
            let term = if self.token.token.is_sign() {
                let inner = self.signed_term()?;
                self.with_sign(sign, inner)?
            } else {
                let (term, taken) = self.term((sign.token == Token::Minus).then_some(sign.start))?;
                match sign.token {
                    Token::Plus => term,
                    _ if taken => term,
                    _ => self.with_sign(sign, term)?,
                }
            };
            self.stack.push(term);
        }
        if let &[set, removed] = &self.stack[base..]
            && let (Node::Constant(Constant::Numbers(_)), Node::Negate(removed)) =
                (self.tree.node(set), self.tree.node(removed))
            && matches!(self.tree.node(removed), Node::Items { open: Delimiter::Brace, .. })
        {
            // `\mathbb{R}-\{2\}`
            self.stack.truncate(base);
            return self.binary(Node::SetMinus, set, removed, start);
        }
        if self.stack.len() == base + 1 {
            return self.product(base, start);
        }
        self.collect(Node::Sum, base, start)
    }

    fn with_sign(&mut self, sign: Lexeme, term: NodeId) -> Parsed {
        match sign.token {
            Token::Minus => self.unary(Node::Negate, term, sign.start),
            Token::PlusMinus => self.unary(Node::PlusMinus, term, sign.start),
            Token::MinusPlus => self.unary(Node::MinusPlus, term, sign.start),
            _ => self.unary(Node::Plus, term, sign.start),
        }
    }

    /// Parses a term with any signs before it.
    pub(super) fn signed_term(&mut self) -> Parsed {
        if !self.token.token.is_sign() {
            return Ok(self.term(None)?.0);
        }
        let mut signs: SmallVec<[Lexeme; 4]> = SmallVec::new();
        while self.token.token.is_sign() {
            signs.push(self.token);
            if signs.len() > usize::from(crate::ast::MAX_DEPTH) {
                return Err(self.too_deep(self.token.span()));
            }
            self.advance();
        }
        let minus = signs.last().filter(|sign| sign.token == Token::Minus).map(|sign| sign.start);
        let (mut node, taken) = self.term(minus)?;
        if taken {
            signs.pop();
        }
        while let Some(sign) = signs.pop() {
            node = self.with_sign(sign, node)?;
        }
        Ok(node)
    }

    /// Parses factors. `minus` is the position of a minus sign before the term. `\mod` includes this sign in
    /// its left operand; the second result is `true` in that case.
    pub(super) fn term(&mut self, minus: Option<u32>) -> Parsed<(NodeId, bool)> {
        let start = self.token.start;
        let first = self.factor()?;
        let base = self.stack.len();
        self.stack.push(first);
        let mut taken = false;
        let mut divided = false;
        loop {
            let token = self.token.token;
            match token {
                Token::Times => {
                    let sign = self.lexer.source().get(self.token.start as usize..).unwrap_or_default();
                    self.tree.has_times_sign |= sign.starts_with("\\times") || sign.starts_with('×');
                    self.advance();
                    let right = self.signed_factor()?;
                    self.stack.push(right);
                    divided = false;
                }
                Token::Divide => {
                    self.advance();
                    let right = self.signed_factor()?;
                    self.divide(base, right, start)?;
                    divided = true;
                }
                Token::Mod | Token::PMod => {
                    let mut left = self.product(base, start)?;
                    if let Some(minus) = minus.filter(|_| !taken) {
                        left = self.unary(Node::Negate, left, minus)?;
                        taken = true;
                    }
                    self.advance();
                    let right = self.juxtaposed()?;
                    let node = self.binary(Node::Modulo, left, right, start)?;
                    self.stack.push(node);
                    divided = false;
                }
                Token::OpenBrace if self.skip_empty_braces() => {}
                _ if self.at_differential() => {
                    if !self.take_differential()? {
                        break;
                    }
                }
                _ if self.starts_factor() => {
                    if divided {
                        self.note(NoteKind::LeftToRight, Span { start, end: self.token.end });
                        divided = false;
                    }
                    let right = self.factor()?;
                    self.stack.push(right);
                    self.mixed_number(base, Self::goes_on)?;
                }
                _ => break,
            }
        }
        Ok((self.product(base, start)?, taken))
    }

    /// Replaces the stack above `base` with one node and returns it.
    pub(super) fn product(&mut self, base: usize, start: u32) -> Parsed {
        if self.stack.len() == base + 1
            && let Some(only) = self.stack.pop()
        {
            return Ok(only);
        }
        self.collect(Node::Product, base, start)
    }

    fn divide(&mut self, base: usize, denominator: NodeId, start: u32) -> Parsed<()> {
        let end = self.used;
        let numerator = self.product(base, start)?;
        self.used = end;
        let node = self.slash_quotient(numerator, denominator, start)?;
        self.stack.push(node);
        Ok(())
    }

    /// Creates the quotient `a/b`.
    #[inline(never)]
    pub(super) fn slash_quotient(
        &mut self,
        numerator: NodeId,
        denominator: NodeId,
        start: u32,
    ) -> Parsed<NodeId> {
        self.binary(
            |numerator, denominator| Node::Quotient { numerator, denominator, slash: true },
            numerator,
            denominator,
            start,
        )
    }

    /// Parses adjacent factors, which bind tighter than `\mod`.
    fn juxtaposed(&mut self) -> Parsed {
        let start = self.token.start;
        let first = self.signed_factor()?;
        let base = self.stack.len();
        self.stack.push(first);
        while self.goes_on() {
            let next = self.factor()?;
            self.stack.push(next);
            self.mixed_number(base, Self::goes_on)?;
        }
        self.product(base, start)
    }

    /// Parses a factor after an operator, with any signs before it.
    pub(super) fn signed_factor(&mut self) -> Parsed {
        let mut signs: SmallVec<[Lexeme; 4]> = SmallVec::new();
        while matches!(self.token.token, Token::Plus | Token::Minus) {
            signs.push(self.token);
            if signs.len() > usize::from(crate::ast::MAX_DEPTH) {
                return Err(self.too_deep(self.token.span()));
            }
            self.advance();
        }
        let mut node = self.factor()?;
        while let Some(sign) = signs.pop() {
            node = self.with_sign(sign, node)?;
        }
        Ok(node)
    }

    /// Returns whether another factor follows without an operator.
    fn goes_on(&mut self) -> bool {
        self.starts_factor() && !self.at_differential()
    }

    /// Converts `2\frac12` to a mixed number, two and a half, unless a factor follows.
    pub(super) fn mixed_number(&mut self, base: usize, goes_on: fn(&mut Self) -> bool) -> Parsed<()> {
        let [.., whole, fraction] = self.stack[base..] else { return Ok(()) };
        let (Node::Number(integer), Node::Quotient { numerator, denominator, slash }) =
            (self.tree.node(whole), self.tree.node(fraction))
        else {
            return Ok(());
        };
        let (Node::Number(above), Node::Number(below)) =
            (self.tree.node(numerator), self.tree.node(denominator))
        else {
            return Ok(());
        };
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let [integer, above, below] = [integer, above, below].map(|text| self.tree.text(text));
        let proper = plain(integer) && plain(above) && plain(below) && integer != "0" && {
            let (above, below) = (above.trim_start_matches('0'), below.trim_start_matches('0'));
            !above.is_empty() && (above.len(), above) < (below.len(), below)
        };
        if !proper || slash {
            return Ok(());
        }
        let span = self.tree.span(whole).to(self.tree.span(fraction));
        if goes_on(self) {
            self.note(NoteKind::NotMixed, span);
            return Ok(());
        }
        self.note(NoteKind::MixedNumber, span);
        let length = self.stack.len();
        self.stack.truncate(length - 2);
        let list = self.tree.push_list(&[whole, numerator, denominator]);
        let mixed = self.make(Node::Mixed(list), span, 1)?;
        self.stack.push(mixed);
        Ok(())
    }

    /// Returns whether the current token can begin a factor, which is then multiplied.
    #[inline]
    pub(super) fn starts_factor(&mut self) -> bool {
        if self.gap_ends_term() {
            return false;
        }
        let is_bracket =
            matches!(self.token.token, Token::Open(Fence::Paren) | Token::Left(Fence::Paren, false));
        if is_bracket && self.fences == 0 && self.condition_follows() {
            return false;
        }
        match self.token.token {
            Token::Open(Fence::Bracket) => !self.bracket_ends_interval(),
            Token::Number
            | Token::Letter(_)
            | Token::Name(_)
            | Token::Constant(_)
            | Token::Function(_)
            | Token::OpenBrace
            | Token::Open(_)
            | Token::Left(..)
            | Token::Frac
            | Token::Sqrt
            | Token::NthRoot
            | Token::Binom
            | Token::Sum
            | Token::BigCup
            | Token::BigCap
            | Token::Product
            | Token::Integral
            | Token::Limit
            | Token::Vulgar(..)
            | Token::Blackboard
            | Token::Face
            | Token::Decoration(_)
            | Token::Overline
            | Token::Tilde
            | Token::Boxed
            | Token::Variable
            | Token::Char
            | Token::BracedNumber
            | Token::Angle
            | Token::Begin
            | Token::Partial
            | Token::Currency
            | Token::Differential => true,
            Token::Words => self.condition_word().is_none(),
            Token::Bar(fence) => self.bar_opens(fence),
            _ => false,
        }
    }

    /// Returns whether the opening bracket ends an open interval, as in `]a,b[`.
    fn bracket_ends_interval(&self) -> bool {
        self.fences > 0
            && matches!(
                self.lexer.token_after(self.token.end as usize),
                Token::End
                    | Token::Comma
                    | Token::Semicolon
                    | Token::Close(_)
                    | Token::Right(..)
                    | Token::CloseBrace
                    | Token::Cup
                    | Token::Cap
                    | Token::SetMinus
                    | Token::And
                    | Token::Or
                    | Token::Implies
                    | Token::Iff
                    | Token::Relation(_)
                    | Token::Words
            )
    }

    /// Returns whether a bar after an operand opens a new pair. If a pair is open, this is a choice that
    /// another attempt can revise.
    fn bar_opens(&mut self, fence: Fence) -> bool {
        let open = if fence == Fence::Bar { self.inside.bars } else { self.inside.double_bars };
        if open == 0 && self.inside.point {
            return false;
        }
        if open == 0 && !self.inside.such_that {
            return true;
        }
        if self.bar_decided.0 != self.token.start {
            self.bar_decided = (self.token.start, self.bar_choices.choose());
        }
        self.bar_decided.1
    }

    /// Skips `{}` between factors, which is not displayed, unless it carries scripts, as in `{}^5C_2`.
    fn skip_empty_braces(&mut self) -> bool {
        let mut at = self.token.end as usize;
        while self.lexer.byte(at) == b' ' {
            at += 1;
        }
        if self.lexer.byte(at) != b'}'
            || matches!(self.lexer.token_after(at + 1), Token::Caret | Token::Underscore)
        {
            return false;
        }
        self.advance();
        self.advance();
        true
    }
}
