//! Factors: atoms with their exponents and factorials.

use super::{OPERAND, Parsed, Parser};
use crate::ast::{Constant, Delimiter, Named, Node, NodeId, NumberSet, Span};
use crate::commands::{Fence, Token};
use crate::error::{NoteKind, Problem};

const NUMERATOR: &str = "the numerator, in braces";

impl Parser<'_, '_, '_> {
    /// Parses an atom with its exponents, factorials and similar signs.
    #[inline]
    pub(super) fn factor(&mut self) -> Parsed {
        let start = self.token.start;
        let atom = self.atom()?;
        match self.token.token {
            Token::Caret
            | Token::Bang
            | Token::Percent
            | Token::Degree
            | Token::Raised(_)
            | Token::Underscore
            | Token::Prime(_)
            | Token::Currency => self.attached(atom, start),
            _ => Ok(atom),
        }
    }

    /// Parses exponents, factorials, percent and degree signs after `node`.
    pub(super) fn attached(&mut self, mut node: NodeId, start: u32) -> Parsed {
        let mut raised = false;
        if let Some(set) = self.number_set(node) {
            node = self.part_of_numbers(set, start)?;
        }
        loop {
            match self.token.token {
                Token::Caret => {
                    if self.inside.one_sided && self.side_follows() {
                        break;
                    }
                    if raised {
                        let mut error =
                            self.error(self.token.span(), Problem::DoubleExponent, "a second exponent", "");
                        error.suggestion =
                            Some("put braces around the power or around both exponents".to_owned());
                        return Err(error);
                    }
                    self.advance();
                    node = self.exponent(node, start)?;
                    raised = matches!(self.tree.node(node), Node::Power(..));
                }
                Token::Raised(_) if !raised => {
                    let exponent = self.raised()?;
                    node = self.binary(Node::Power, node, exponent, start)?;
                    raised = true;
                }
                Token::Bang => {
                    let first = self.token;
                    self.advance();
                    raised = false;
                    if self.token.token == Token::Bang && self.token.start == first.end {
                        self.advance();
                        node = self.unary(Node::DoubleFactorial, node, start)?;
                    } else {
                        node = self.unary(Node::Factorial, node, start)?;
                    }
                }
                Token::Percent => {
                    self.advance();
                    node = self.unary(Node::Percent, node, start)?;
                }
                Token::Degree => {
                    let degree = self.token;
                    self.advance();
                    if self.lexer.text(degree.span()).starts_with("\\circ") && self.starts_factor() {
                        return Err(self.error(
                            degree.span(),
                            Problem::Unsupported,
                            "composition of functions is not read",
                            "",
                        ));
                    }
                    node = self.degrees(node, start)?;
                }
                Token::Currency => {
                    self.currency();
                }
                Token::Underscore => node = self.late_subscript(node)?,
                Token::Prime(count) => {
                    if let Some(derivative) = self.primed_bracket(node, count, start)? {
                        node = derivative;
                        continue;
                    }
                    return Err(self.error(
                        self.token.span(),
                        Problem::Unsupported,
                        "a prime belongs to the name of a function",
                        "",
                    ));
                }
                _ => return Ok(node),
            }
        }
        Ok(node)
    }

    /// Skips a currency sign and records which one it is.
    fn currency(&mut self) {
        let span = self.token.span();
        self.note(NoteKind::Currency, span);
        self.tree.currencies |= match self.lexer.text(span) {
            "€" => 1,
            "£" => 2,
            "¥" => 4,
            _ => 8,
        };
        self.advance();
    }

    /// Parses an exponent after `^`: a complement sign, degrees or a power.
    fn exponent(&mut self, base: NodeId, start: u32) -> Parsed {
        if self.complement_follows(base) {
            let braced = self.token.token == Token::OpenBrace;
            self.advance();
            if braced {
                self.advance();
                self.advance();
            }
            return self.unary(Node::Complement, base, start);
        }
        if self.token.token == Token::Degree {
            self.advance();
            return self.degrees(base, start);
        }
        if self.token.token == Token::OpenBrace && self.lexer.braced_is_degree(self.token.start as usize) {
            self.advance();
            self.advance();
            self.advance();
            return self.degrees(base, start);
        }
        let mut exponent = self.script()?;
        if self.tree.node(exponent) == Node::Constant(Constant::True) {
            // `A^\top` is `A^T`
            let text = self.tree.push_text("T");
            exponent = self.leaf(Node::Symbol(text), self.tree.span(exponent));
        }
        self.binary(Node::Power, base, exponent, start)
    }

    /// Returns whether the next exponent is a complement sign: `A^\complement`, or `A^c` among sets.
    fn complement_follows(&mut self, base: NodeId) -> bool {
        let sign = match self.token.token {
            Token::OpenBrace => match self.lexer.braced_at(self.token.start as usize) {
                Some((inner, _)) => self.lexer.text(inner).trim(),
                None => return false,
            },
            Token::Complement => return true,
            Token::Letter(b'c' | b'C') => self.lexer.text(self.token.span()),
            _ => return false,
        };
        match sign {
            "\\complement" | "∁" => true,
            "c" | "C" => !self.names.is_variable(sign) && self.is_set_letter(base),
            _ => false,
        }
    }

    /// Returns whether a node is a combination of sets, or a capital letter in a text that combines sets.
    pub(super) fn is_set_letter(&mut self, mut id: NodeId) -> bool {
        while let Node::Group(inner) = self.tree.node(id) {
            id = inner;
        }
        match self.tree.node(id) {
            Node::Union(_)
            | Node::Intersection(_)
            | Node::SetMinus(..)
            | Node::Complement(_)
            | Node::Gathered(..) => true,
            Node::Symbol(text) => {
                self.tree.text(text).starts_with(|letter: char| letter.is_ascii_uppercase())
                    && *self.combines_sets.get_or_insert_with(|| {
                        ["\\cup", "\\cap", "\\bigcup", "\\bigcap", "\\setminus", "∪", "∩", "∖"]
                            .iter()
                            .any(|sign| self.lexer.source().contains(sign))
                    })
            }
            _ => false,
        }
    }

    /// Parses a subscript after an exponent or after a letter in braces: `x^2_1` is `x_1^2`, `{x}_1` is `x_1`.
    fn late_subscript(&mut self, node: NodeId) -> Parsed {
        if let Node::Symbol(text) = self.tree.node(node) {
            let name = self.tree.text(text).to_owned();
            if takes_subscript(&name) {
                return self.symbol(&name, self.tree.span(node));
            }
        }
        if let Node::Power(base, exponent) = self.tree.node(node)
            && let Node::Symbol(text) = self.tree.node(base)
        {
            let mut name = self.tree.text(text).to_owned();
            if takes_subscript(&name) {
                let start = self.tree.span(node).start;
                self.subscript(&mut name)?;
                let text = self.tree.push_text(&name);
                let base = self.leaf(Node::Symbol(text), self.tree.span(base));
                return self.binary(Node::Power, base, exponent, start);
            }
        }
        Err(self.error(self.token.span(), Problem::Unsupported, "a subscript belongs to a letter", ""))
    }

    /// Parses an exponent: an argument, possibly with a sign before it, or a function.
    pub(super) fn script(&mut self) -> Parsed {
        let start = self.token.start;
        match self.token.token {
            Token::Minus | Token::Plus => {
                let sign = self.token;
                self.advance();
                if self.token.token == Token::Number && self.token.end - self.token.start > 1 {
                    let span = Span { start: sign.start, end: self.token.end };
                    let text = self.lexer.text(span);
                    let mut error = self.error(
                        span,
                        Problem::Ambiguous,
                        "an exponent of several characters needs braces",
                        "",
                    );
                    error.suggestion = Some(format!("write ^{{{text}}}"));
                    return Err(error);
                }
                let inner = self.argument("an exponent")?;
                match sign.token {
                    Token::Minus => self.unary(Node::Negate, inner, start),
                    _ => Ok(inner),
                }
            }
            Token::Function(function) => {
                self.descend()?;
                self.advance();
                let node = self.function(function, start);
                self.ascend();
                node
            }
            _ => self.argument("an exponent"),
        }
    }

    /// Parses an argument as TeX does, braces or one character; but a bracket is taken as a whole.
    pub(super) fn argument(&mut self, expected: &'static str) -> Parsed {
        match self.token.token {
            Token::OpenBrace => self.braces(),
            Token::Number => {
                let token = self.token;
                let text = self.lexer.text(token.span());
                if text.starts_with('.') {
                    return self.number();
                }
                if text.len() > 2 || text.len() == 2 && expected != NUMERATOR {
                    self.note(NoteKind::OneCharacter, token.span());
                }
                let text = self.tree.push_text(&text[..1]);
                let node = self.leaf(Node::Number(text), Span { start: token.start, end: token.start + 1 });
                self.split(1);
                Ok(node)
            }
            Token::Letter(letter) => {
                let span = self.token.span();
                let name = [letter];
                let name = std::str::from_utf8(&name).unwrap_or("");
                let node = match letter {
                    b'e' if !self.is_variable(letter) => Node::Constant(Constant::E),
                    b'i' if !self.is_variable(letter) => Node::Constant(Constant::I),
                    _ => Node::Symbol(self.tree.push_text(name)),
                };
                self.advance();
                Ok(self.leaf(node, span))
            }
            Token::Name(name) => {
                let span = self.token.span();
                self.advance();
                let text = self.tree.push_text(name);
                Ok(self.leaf(Node::Symbol(text), span))
            }
            Token::Open(_) | Token::Left(..) => {
                self.note(NoteKind::BracketedExponent, self.token.span());
                self.atom()
            }
            Token::Bar(_)
            | Token::Frac
            | Token::Sqrt
            | Token::Binom
            | Token::Constant(_)
            | Token::Vulgar(..)
            | Token::Blackboard
            | Token::Face
            | Token::Boxed
            | Token::Decoration(_)
            | Token::Overline
            | Token::Tilde
            | Token::Variable
            | Token::Words => self.atom(),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Parses `{...}`, which only groups and is not displayed.
    pub(super) fn braces(&mut self) -> Parsed {
        let open = self.token.span();
        let outside = self.enter(false, false)?;
        if self.token.token == Token::CloseBrace {
            if matches!(self.lexer.token_after(self.token.end as usize), Token::Caret | Token::Underscore) {
                self.leave(outside);
                self.descend()?;
                let node = self.choose_before(open.start);
                self.ascend();
                return node;
            }
            return Err(self.error(
                open.to(self.token.span()),
                Problem::Unexpected,
                "these braces are empty",
                "an expression",
            ));
        }
        let node = self.items(Token::CloseBrace)?;
        if self.token.token != Token::CloseBrace {
            return Err(self.unclosed(open, "`}`"));
        }
        self.leave(outside);
        if let Node::Items { open: Delimiter::None, items, .. } = self.tree.node(node) {
            // in {1,2}, TeX hides the braces, but people mean a set; {{1},{2}} is a set of sets
            let span = Span { start: open.start, end: self.used };
            self.note(NoteKind::SetBraces, span);
            let base = self.stack.len();
            for at in 0..items.len() {
                let item = self.tree.list(items)[at];
                let item = self.braced_element(item)?;
                self.stack.push(item);
            }
            let start = open.start;
            return self.collect(
                |items| Node::Items { open: Delimiter::Brace, close: Delimiter::Brace, items },
                base,
                start,
            );
        }
        Ok(node)
    }

    /// Parses `{}^5C_2` or `_5P_2`, in which the upper number is before the letter.
    fn choose_before(&mut self, start: u32) -> Parsed {
        let here = self.unexpected(OPERAND);
        if !matches!(self.token.token, Token::Caret | Token::Underscore) {
            return Err(here);
        }
        self.advance();
        let above = self.argument("a number")?;
        let Token::Letter(letter @ (b'C' | b'P')) = self.token.token else { return Err(here) };
        self.advance();
        if self.token.token != Token::Underscore {
            return Err(here);
        }
        self.advance();
        let below = self.argument("a number")?;
        if letter == b'C' {
            return self.binary(Node::Binomial, above, below, start);
        }
        let depth = self.tree.depth(above).max(self.tree.depth(below));
        let list = self.tree.push_list(&[above, below]);
        self.make(Node::Apply(Named::Permutations, list), Span { start, end: self.used }, depth)
    }

    /// Returns an element of a set; an element in its own braces is a set.
    fn braced_element(&mut self, item: NodeId) -> Parsed {
        let span = self.tree.span(item);
        let before = (span.start as usize).checked_sub(1).map_or(0, |at| self.lexer.byte(at));
        if before != b'{'
            || self.lexer.byte(span.end as usize) != b'}'
            || matches!(self.tree.node(item), Node::Items { .. })
        {
            return Ok(item);
        }
        let ends_item = self.lexer.after(span.end as usize + 1).trim_start().starts_with([',', ';', '}']);
        let starts_item = self.lexer.byte((span.start as usize).saturating_sub(2));
        if !ends_item || !matches!(starts_item, b'{' | b',' | b' ' | b';') {
            return Ok(item);
        }
        let items = self.tree.push_list(&[item]);
        let below = self.tree.depth(item);
        self.make(Node::Items { open: Delimiter::Brace, close: Delimiter::Brace, items }, span, below)
    }

    /// Parses an atom, within the nesting limit.
    pub(super) fn atom(&mut self) -> Parsed {
        self.descend()?;
        let node = self.bare_atom();
        self.ascend();
        node
    }

    /// Parses an atom without the exponents, factorials and similar signs after it.
    ///
    /// The function is long because it has one arm per token that can begin an atom.
    fn bare_atom(&mut self) -> Parsed {
        let token = self.token;
        let start = token.start;
        match token.token {
            Token::Number => self.number(),
            Token::Letter(letter) => {
                if self.at_differential() {
                    return self.differential_atom();
                }
                self.letter(letter)
            }
            Token::Name(name) => {
                if let Some(change) = self.change(name)? {
                    return Ok(change);
                }
                self.advance();
                self.symbol(name, token.span())
            }
            Token::Constant(constant) => {
                self.advance();
                if constant == Constant::Pi && self.names.is_variable("pi") {
                    return self.symbol("pi", token.span());
                }
                if constant == Constant::Pi
                    && matches!(self.token.token, Token::Underscore | Token::Lowered(_))
                {
                    return self.symbol("pi", token.span());
                }
                Ok(self.leaf(Node::Constant(constant), token.span()))
            }
            Token::Caret | Token::Underscore => self.choose_before(start),
            Token::OpenBrace => self.braces(),
            Token::Open(fence) => self.fenced(fence, false),
            Token::Left(fence, reversed) => self.sized_fence(fence, reversed),
            Token::Bar(fence) => self.neutral_bars(fence),
            // ]a,b[ is an open interval
            Token::Close(Fence::Bracket) => self.fenced(Fence::Bracket, true),
            Token::Function(function) => {
                if self.is_unit() {
                    let name = self.lexer.upright_text(token.span());
                    self.advance();
                    return self.symbol(name, token.span());
                }
                self.advance();
                self.function(function, start)
            }
            Token::Frac => self.fraction(),
            Token::Sqrt => self.root(),
            Token::NthRoot => {
                self.advance();
                let index = self.argument("the index of the root, in braces")?;
                let radicand = self.argument("what is under the root, in braces")?;
                self.binary(Node::Root, radicand, index, start)
            }
            Token::Binom => {
                self.advance();
                let above = self.argument("the upper number of the binomial")?;
                let below = self.argument("the lower number of the binomial")?;
                self.binary(Node::Binomial, above, below, start)
            }
            Token::Vulgar(above, below) => {
                self.advance();
                let mut digit = |n: u8| {
                    let text = self.tree.push_text(&char::from(b'0' + n).to_string());
                    self.tree.push(Node::Number(text), token.span(), 0)
                };
                let (above, below) = (digit(above), digit(below));
                self.binary(
                    |numerator, denominator| Node::Quotient { numerator, denominator, slash: false },
                    above,
                    below,
                    start,
                )
            }
            Token::Sum | Token::Product => self.repeated(token.token == Token::Sum),
            Token::BigCup | Token::BigCap => self.gathered(token.token == Token::BigCup),
            Token::Integral => self.integral(),
            Token::Limit => self.limit(),
            Token::Partial => Err(self.error(
                token.span(),
                Problem::Unsupported,
                "a partial derivative is read only as \\frac{\\partial}{\\partial x}",
                "",
            )),
            Token::Differential => {
                if self.at_differential() {
                    return self.differential_atom();
                }
                if let Some(derivative) = self.inline_derivative()? {
                    return Ok(derivative);
                }
                self.advance();
                self.symbol("d", token.span())
            }
            Token::Begin => self.environment(),
            Token::Face => self.other_face(),
            Token::Boxed | Token::Variable => {
                self.advance();
                let inner = self.argument("an argument")?;
                self.tree.set_span(inner, Span { start, end: self.used });
                Ok(inner)
            }
            Token::Blackboard => {
                self.advance();
                let inner = self.argument("a letter")?;
                let span = Span { start, end: self.used };
                let set = match self.tree.node(inner) {
                    Node::Symbol(text) => match self.tree.text(text) {
                        "R" => NumberSet::Reals,
                        "N" => NumberSet::Naturals,
                        "Z" => NumberSet::Integers,
                        "Q" => NumberSet::Rationals,
                        "C" => NumberSet::Complexes,
                        _ => return Ok(inner),
                    },
                    _ => return Ok(inner),
                };
                Ok(self.leaf(Node::Constant(Constant::Numbers(set)), span))
            }
            Token::Decoration(kind) => self.decorated(kind),
            Token::Tilde => self.decorated("tilde"),
            Token::Overline => self.decorated("bar"),
            Token::Words => self.words(),
            Token::Currency => {
                self.currency();
                self.factor()
            }
            Token::Angle => self.braced_number(true),
            Token::BracedNumber => self.braced_number(false),
            Token::Char => {
                Err(self.error(token.span(), Problem::Unsupported, "characters by number are not read", ""))
            }
            Token::Dots => Err(self.error(
                token.span(),
                Problem::Unsupported,
                "dots are ambiguous",
                "every term, or \\sum with bounds",
            )),
            _ => Err(self.unexpected(OPERAND)),
        }
    }

    /// Parses Unicode superscripts: `²`, `⁻¹`.
    pub(super) fn raised(&mut self) -> Parsed {
        let start = self.token.start;
        let mut negative = false;
        let mut text = String::new();
        while let Token::Raised(symbol) = self.token.token {
            match symbol {
                b'-' if text.is_empty() && !negative => negative = true,
                b'+' if text.is_empty() => {}
                b'+' | b'-' => return Err(self.unexpected("a digit in the exponent")),
                _ => text.push(char::from(symbol)),
            }
            self.advance();
        }
        let span = Span { start, end: self.used };
        let node = if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
            Node::Number(self.tree.push_text(&text))
        } else {
            match text.as_str() {
                "n" => Node::Symbol(self.tree.push_text("n")),
                "i" => Node::Constant(Constant::I),
                _ => {
                    return Err(self.error(span, Problem::Unexpected, "this superscript cannot be read", ""));
                }
            }
        };
        let node = self.leaf(node, span);
        if negative { self.unary(Node::Negate, node, start) } else { Ok(node) }
    }

    fn fraction(&mut self) -> Parsed {
        let start = self.token.start;
        if let Some(derivative) = self.derivative()? {
            return Ok(derivative);
        }
        self.advance();
        let numerator = self.argument(NUMERATOR)?;
        if matches!(self.token.token, Token::End | Token::CloseBrace) {
            let mut error = self.unexpected("the denominator, in braces");
            error.suggestion = Some("write \\frac{numerator}{denominator}".to_owned());
            return Err(error);
        }
        let denominator = self.argument("the denominator, in braces")?;
        self.binary(
            |numerator, denominator| Node::Quotient { numerator, denominator, slash: false },
            numerator,
            denominator,
            start,
        )
    }

    fn root(&mut self) -> Parsed {
        let start = self.token.start;
        self.advance();
        if self.token.token != Token::Open(Fence::Bracket) {
            let radicand = self.argument("what is under the root, in braces")?;
            return self.unary(Node::Sqrt, radicand, start);
        }
        let open = self.token.span();
        let saved = (self.inside.bars, self.inside.double_bars);
        (self.inside.bars, self.inside.double_bars) = (0, 0);
        self.fences += 1;
        self.advance();
        let index = self.sum()?;
        if self.token.token != Token::Close(Fence::Bracket) {
            return Err(self.unclosed(open, "`]`"));
        }
        self.fences -= 1;
        (self.inside.bars, self.inside.double_bars) = saved;
        self.advance();
        let radicand = self.argument("what is under the root, in braces")?;
        self.binary(Node::Root, radicand, index, start)
    }
}

/// Returns whether a subscript may follow a name: it has none, and is neither a derivative nor a probability.
fn takes_subscript(name: &str) -> bool {
    !name.contains(['_', '\'', '^', '(']) && !name.starts_with("\\frac")
}
