//! The Pratt parser. This module contains statements and the state of a parse. Its submodules contain sums
//! and products ([`terms`]), factors ([`atoms`]) and their parts.

mod angles;
mod atoms;
mod calculus;
mod changes;
mod complex_letters;
mod conditions;
mod derivative;
mod fences;
mod functions;
mod gaps;
mod joints;
mod lettering;
mod names;
mod number_sets;
mod numbers;
mod orders;
mod points;
mod terms;
mod units;

use crate::BarChoices;
use crate::ast::{Constant, Delimiter, Node, NodeId, Relation, Span, Syntax};
use crate::commands::Token;
use crate::error::{Note, NoteKind, ParseError, Problem};
use crate::lexer::{Exponents, Lexeme, Lexer};
use crate::lost_backslash::visible;
use crate::names::Declarations;
use fences::Inside;
use joints::Joints;
use smallvec::SmallVec;

pub(super) type Parsed<T = NodeId> = Result<T, Box<ParseError>>;

/// The maximum recursion depth of the parser; every bracket takes three levels.
const MAX_NESTING: u16 = 3 * crate::ast::MAX_DEPTH;

pub(super) const OPERAND: &str = "a number, a variable, a function or an opening bracket";

pub(super) struct Parser<'s, 'd, 't> {
    pub(super) lexer: Lexer<'s>,
    pub(super) token: Lexeme,
    pub(super) tree: &'t mut Syntax,
    pub(super) names: &'d Declarations,
    pub(super) stack: SmallVec<[NodeId; 32]>,
    /// The end of the last consumed token.
    pub(super) used: u32,
    nesting: u16,
    pub(super) inside: Inside,
    pub(super) bar_choices: BarChoices,
    pub(super) bar_decided: (u32, bool),
    /// The number of open brackets, and what it was at the start of the innermost integral.
    pub(super) fences: u16,
    pub(super) integral_fence: Option<u16>,
    /// The variable of a `dx` found inside the integrand.
    pub(super) differential: Option<NodeId>,
    /// Bit n is set if the ASCII letter n is the index of an enclosing sum, product, union or intersection.
    pub(super) bound: u128,
    /// The variable of the innermost derivative, as it is written; a letter before brackets around this variable is a
    /// function.
    pub(super) derived: &'s str,
    /// Whether the text combines sets; `None` until it is needed.
    pub(super) combines_sets: Option<bool>,
    /// What Δ and δ mean in the text; `None` until it is needed.
    changes: Option<changes::Changes>,
    /// The start of the current part between separators outside brackets.
    pub(super) part_start: u32,
    /// Whether the wide space before the token at this position separates answers.
    pub(super) gap_decided: (u32, bool),
}

impl<'s, 'd, 't> Parser<'s, 'd, 't> {
    pub(super) fn new(
        source: &'s str,
        names: &'d Declarations,
        tree: &'t mut Syntax,
        bar_choices: BarChoices,
    ) -> Self {
        let mut lexer = Lexer::new(source);
        lexer.connectives = !names.covers("or") && !names.covers("and");
        if names.is_variable("e") {
            lexer.exponents = Exponents::Never;
        } else if names.other_exponents {
            lexer.exponents = Exponents::Unlikely;
        }
        lexer.dollars = source.contains('$') && pairs_of_dollars(source);
        Self {
            lexer,
            token: Lexeme { token: Token::End, start: 0, end: 0 },
            tree,
            names,
            stack: SmallVec::new(),
            used: 0,
            nesting: 0,
            inside: Inside::default(),
            bar_choices,
            bar_decided: (u32::MAX, false),
            fences: 0,
            integral_fence: None,
            differential: None,
            derived: "",
            combines_sets: None,
            changes: None,
            part_start: 0,
            gap_decided: (u32::MAX, false),
            bound: 0,
        }
    }

    pub(super) fn bar_choices(&self) -> BarChoices {
        self.bar_choices
    }

    /// Parses the whole input.
    pub(super) fn whole(&mut self) -> Parsed {
        self.strip_wrappers();
        self.advance();
        if self.token.token == Token::End {
            return Err(self.error(
                self.token.span(),
                Problem::Empty,
                "nothing is written here",
                "an expression",
            ));
        }
        let root = self.items(Token::End)?;
        if self.token.token != Token::End {
            return Err(self.misplaced());
        }
        if !self.tree.doubtful.calls.is_empty() {
            self.settle_calls();
        }
        self.note_complex_letters();
        Ok(root)
    }

    /// Settles doubtful calls: a letter that also occurs without a bracket is a factor before a bracket.
    fn settle_calls(&mut self) {
        let mut calls = std::mem::take(&mut self.tree.doubtful.calls);
        let all = calls.clone();
        calls.sort();
        calls.dedup();
        calls.retain(|name| {
            let times = all.iter().filter(|other| *other == name).count();
            !self.tree.has_symbol_beyond(name, times)
        });
        self.tree.doubtful.calls = calls;
    }

    /// Removes one pair of `$...$`, `$$...$$`, `\(...\)` or `\[...\]` around everything. Also removes a full
    /// stop, a comma or a semicolon at the end, unless it is a delimiter, as in `\right.`, or follows another one.
    fn strip_wrappers(&mut self) {
        let source = self.lexer.source();
        let mut trimmed = source.trim_end_matches([' ', '\n', '\t', '\r']);
        // the space of a trailing `\ ` belongs to its backslash
        let backslashes = trimmed.bytes().rev().take_while(|b| *b == b'\\').count();
        if backslashes % 2 == 1 && trimmed.len() < source.len() {
            trimmed = &trimmed[..trimmed.len() - 1];
        }
        let mut start = source.len() - source.trim_start_matches([' ', '\n', '\t', '\r']).len();
        let without_stop = |start: usize, end: usize| match source[start..end].strip_suffix(['.', ',', ';']) {
            // `\,` and `\;` are spaces
            Some(rest)
                if !rest.is_empty() && !rest.ends_with(['.', ',', ';', '\\']) && !is_delimiter(rest) =>
            {
                end - 1
            }
            _ => end,
        };
        let mut end = without_stop(start, trimmed.len().max(start));
        for (open, close) in [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")] {
            let inside = &source[start..end];
            if inside.len() >= open.len() + close.len()
                && inside.starts_with(open)
                && inside.ends_with(close)
                && !inside.ends_with("\\$")
            {
                start += open.len();
                end -= close.len();
                break;
            }
        }
        self.lexer.limit(start, without_stop(start, end));
    }

    #[inline]
    pub(super) fn advance(&mut self) {
        self.used = self.token.end;
        self.token = self.lexer.next();
        if self.lexer.split.end > 0 {
            self.note_split();
        }
    }

    /// Notes that a command was split from a letter. Text that is read a second time is noted once.
    #[cold]
    fn note_split(&mut self) {
        let span = std::mem::take(&mut self.lexer.split);
        let is_known = |note: &Note| note.span == span && note.kind == NoteKind::SplitCommand;
        if !self.tree.notes.iter().any(is_known) {
            self.note(NoteKind::SplitCommand, span);
        }
    }

    // ---- building -----------------------------------------------------------------------------------------

    #[inline]
    pub(super) fn make(&mut self, node: Node, span: Span, below: u16) -> Parsed {
        let id = self.tree.push(node, span, below);
        if self.tree.too_deep(id) {
            return Err(self.too_deep(span));
        }
        Ok(id)
    }

    #[inline]
    pub(super) fn leaf(&mut self, node: Node, span: Span) -> NodeId {
        self.tree.push(node, span, 0)
    }

    pub(super) fn unary(&mut self, node: impl FnOnce(NodeId) -> Node, child: NodeId, start: u32) -> Parsed {
        let depth = self.tree.depth(child);
        self.make(node(child), Span { start, end: self.used }, depth)
    }

    pub(super) fn binary(
        &mut self,
        node: impl FnOnce(NodeId, NodeId) -> Node,
        left: NodeId,
        right: NodeId,
        start: u32,
    ) -> Parsed {
        let depth = self.tree.depth(left).max(self.tree.depth(right));
        self.make(node(left, right), Span { start, end: self.used }, depth)
    }

    /// Replaces the stack above `base` with a list node.
    pub(super) fn collect(
        &mut self,
        node: impl FnOnce(crate::ast::List) -> Node,
        base: usize,
        start: u32,
    ) -> Parsed {
        let below = self.stack[base..].iter().map(|id| self.tree.depth(*id)).max().unwrap_or(0);
        let list = self.tree.push_list(&self.stack[base..]);
        self.stack.truncate(base);
        self.make(node(list), Span { start, end: self.used }, below)
    }

    pub(super) fn note(&mut self, kind: NoteKind, span: Span) {
        if self.tree.notes.len() < 32 {
            self.tree.notes.push(Note { span, kind });
        }
    }

    // ---- errors -------------------------------------------------------------------------------------------

    // The errors are boxed, so results stay one word wide.
    #[allow(clippy::unnecessary_box_returns, clippy::unused_self)]
    #[cold]
    pub(super) fn error(
        &self,
        span: Span,
        problem: Problem,
        message: impl Into<String>,
        expected: &'static str,
    ) -> Box<ParseError> {
        Box::new(ParseError { span, problem, message: message.into(), expected, suggestion: None })
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    pub(super) fn too_deep(&self, span: Span) -> Box<ParseError> {
        let limit = crate::ast::MAX_DEPTH;
        self.error(span, Problem::TooDeep, format!("nested deeper than {limit} levels"), "")
    }

    /// Returns the error for a token that cannot be at this position.
    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    pub(super) fn unexpected(&self, expected: &'static str) -> Box<ParseError> {
        let span = self.token.span();
        let text = self.lexer.text(span);
        match self.token.token {
            Token::End => self.error(span, Problem::UnexpectedEnd, "the expression ends too early", expected),
            Token::Unknown => self.unknown_command(),
            Token::Stray => {
                let mut error = self.error(
                    span,
                    Problem::UnknownCharacter,
                    format!("`{}` has no meaning here", visible(text)),
                    expected,
                );
                if text == "$" {
                    error.suggestion =
                        Some("leave out the dollar sign, or write \\$ for the currency".to_owned());
                } else if text == "." {
                    error.suggestion = Some("write \\cdot for a product".to_owned());
                }
                error
            }
            Token::Close(_) | Token::Right(..) | Token::CloseBrace => self.error(
                span,
                Problem::Unexpected,
                format!("`{text}` comes too early: something is missing before it"),
                expected,
            ),
            _ => self.error(span, Problem::Unexpected, format!("`{text}` cannot be here"), expected),
        }
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    fn unknown_command(&self) -> Box<ParseError> {
        let span = self.token.span();
        let text = self.lexer.text(span);
        let mut error =
            self.error(span, Problem::UnknownCommand, format!("the command `{text}` is not known"), "");
        let name = text.trim_start_matches('\\');
        if let Some(known) = crate::commands::resembling(name) {
            let rest = name.strip_prefix(known).unwrap_or("");
            error.suggestion = Some(if rest.is_empty() {
                format!("did you mean `\\{known}`?")
            } else {
                format!("did you mean `\\{known} {rest}`?")
            });
        }
        error
    }

    /// Returns the error for a token that remains after everything that could be read.
    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    pub(super) fn misplaced(&self) -> Box<ParseError> {
        let span = self.token.span();
        let text = self.lexer.text(span);
        match self.token.token {
            Token::CloseBrace | Token::Close(_) | Token::Right(..) => {
                let mut error = self.error(
                    span,
                    Problem::Unopened,
                    format!("`{text}` closes something that was never opened"),
                    "",
                );
                error.suggestion = Some(format!("remove `{text}`, or open it earlier"));
                error
            }
            Token::Unknown => self.unknown_command(),
            _ => self.unexpected("an operator or the end"),
        }
    }

    /// Returns the error for a bracket at `open` that is never closed.
    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    pub(super) fn unclosed(&self, open: Span, close: &'static str) -> Box<ParseError> {
        match self.token.token {
            Token::End
            | Token::CloseBrace
            | Token::Close(_)
            | Token::Right(..)
            | Token::Bar(_)
            | Token::Ampersand
            | Token::NewRow
            | Token::Finish => {
                let text = self.lexer.text(open);
                let (found, place) = match self.token.token {
                    Token::End => ("the expression ends".to_owned(), "at the end".to_owned()),
                    _ => {
                        let next = self.lexer.text(self.token.span());
                        (format!("`{next}` comes"), format!("before `{next}`"))
                    }
                };
                let mut error = self.error(
                    open,
                    Problem::Unclosed,
                    format!("`{text}` is opened but {found} before it is closed"),
                    close,
                );
                error.suggestion = Some(format!("add {close} {place}"));
                error
            }
            _ => self.unexpected("an operator or a closing bracket"),
        }
    }

    // ---- lists and statements -----------------------------------------------------------------------------

    #[inline]
    pub(super) fn descend(&mut self) -> Parsed<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep(self.token.span()));
        }
        Ok(())
    }

    #[inline]
    pub(super) fn ascend(&mut self) {
        self.nesting -= 1;
    }

    /// Parses statements separated by commas or semicolons, up to a token that ends them; a single statement
    /// is returned as it is.
    ///
    /// The function is long because it has one arm per separator.
    pub(super) fn items(&mut self, end: Token) -> Parsed {
        let start = self.token.start;
        if self.fences == 0 {
            self.part_start = start;
        }
        let first = self.statement(0)?;
        let first = match self.token.token {
            Token::Choose | Token::Over => self.infix_fraction(first, start)?,
            _ => first,
        };
        if !matches!(self.token.token, Token::Comma | Token::Semicolon) && !self.at_gap() {
            return Ok(first);
        }
        let outer = self.stack.len();
        let mut commas = false;
        let mut semicolons = false;
        let mut wide_spaces = false;
        let mut inner_start = start;
        self.stack.push(first);
        // rows between semicolons are collected from here
        let mut row = outer;
        // the separators between the items of a row: each a comma, or the *and* or *or* after a comma
        let mut joints = Joints::new();
        loop {
            match self.token.token {
                Token::Comma => {
                    self.advance();
                    // in a table, skip the commas of `1, & x>0,\\`
                    if self.condition_word().is_some()
                        || self.lexer.tables > 0
                            && matches!(self.token.token, Token::Ampersand | Token::NewRow | Token::Finish)
                    {
                        break;
                    }
                    commas = true;
                    // "2, 3, and 5"
                    let mut sign = Token::Comma;
                    if matches!(self.token.token, Token::And | Token::Or) {
                        sign = self.token.token;
                        self.advance();
                    }
                    joints.push(sign);
                }
                Token::Semicolon => {
                    if self.stack.len() - row > 1 {
                        let node = self.row(&joints, row, inner_start)?;
                        self.stack.push(node);
                    }
                    joints.clear();
                    semicolons = true;
                    self.advance();
                    row = self.stack.len();
                    inner_start = self.token.start;
                }
                _ if self.at_gap() => {
                    // the condition of `x+1\ (x\ne1)` needs no note
                    if self.token.start > self.used + 3 {
                        self.note(NoteKind::WideSpace, Span { start: self.used, end: self.token.start });
                    }
                    commas = true;
                    wide_spaces = true;
                    joints.push(Token::Comma);
                }
                _ => break,
            }
            if self.token.token == end {
                // an item must follow a separator
                return Err(self.unexpected("another item"));
            }
            if self.fences == 0 {
                self.part_start = self.token.start;
            }
            let item = self.statement(0)?;
            self.stack.push(item);
        }
        let is_joined = |id: &NodeId| matches!(self.tree.node(*id), Node::And(_) | Node::Or(_));
        if wide_spaces && self.stack[outer..].iter().any(is_joined) {
            return Err(self.mixed_joints(start));
        }
        if self.stack.len() == outer + 1 {
            return Ok(self.stack.remove(outer));
        }
        if !semicolons {
            if end == Token::End && self.all_adjacent_numbers(outer) {
                self.note(NoteKind::CommaList, Span { start, end: self.used });
            }
            return self.row(&joints, outer, start);
        }
        if commas && self.stack.len() - row > 1 {
            let node = self.row(&joints, row, inner_start)?;
            self.stack.push(node);
        }
        self.collect(bare, outer, start)
    }

    /// Returns whether the items look like `3,14`: digits, a comma and digits without a space.
    fn all_adjacent_numbers(&self, base: usize) -> bool {
        self.stack.len() - base == 2
            && self.stack[base..].iter().all(|id| matches!(self.tree.node(*id), Node::Number(_)))
            && self.tree.span(self.stack[base]).end + 1 == self.tree.span(self.stack[base + 1]).start
    }

    /// Parses `n \choose k` and `a \over b`, inside braces or alone.
    fn infix_fraction(&mut self, above: NodeId, start: u32) -> Parsed {
        let choose = self.token.token == Token::Choose;
        self.advance();
        let below = self.statement(0)?;
        if choose {
            self.binary(Node::Binomial, above, below, start)
        } else {
            self.binary(
                |numerator, denominator| Node::Quotient { numerator, denominator, slash: false },
                above,
                below,
                start,
            )
        }
    }

    /// Parses relations, set operations and connectives by binding power; their operands are ratios and sums.
    pub(super) fn statement(&mut self, power: u8) -> Parsed {
        self.descend()?;
        let start = self.token.start;
        let mut left = if self.token.token == Token::Not {
            self.advance();
            let inner = self.statement(10)?;
            self.unary(Node::Not, inner, start)?
        } else {
            self.ratio()?
        };
        loop {
            let binding = match self.token.token {
                Token::Relation(Relation::Tends) | Token::Implies => 4,
                Token::Relation(_) | Token::Negation => 12,
                Token::Cup | Token::SetMinus => 14,
                Token::Cap => 16,
                Token::And => 8,
                Token::Or | Token::Xor => 6,
                Token::Iff => 2,
                _ => break,
            };
            if binding < power {
                break;
            }
            left = match self.token.token {
                Token::Relation(Relation::Tends) => self.arrow(left, start)?,
                Token::Xor => {
                    self.advance();
                    let right = self.statement(7)?;
                    let same = self.binary(Node::Iff, left, right, start)?;
                    self.unary(Node::Not, same, start)?
                }
                Token::Relation(_) | Token::Negation => self.relations(left, start)?,
                Token::Cup => self.chained(left, Token::Cup, 15, Node::Union, start)?,
                Token::Cap => self.chained(left, Token::Cap, 17, Node::Intersection, start)?,
                Token::And => self.chained(left, Token::And, 9, Node::And, start)?,
                Token::Or => self.chained(left, Token::Or, 7, Node::Or, start)?,
                token => {
                    self.advance();
                    let right = self.statement(if token == Token::SetMinus { 15 } else { binding })?;
                    let node = match token {
                        Token::SetMinus => Node::SetMinus,
                        Token::Implies => Node::Implies,
                        _ => Node::Iff,
                    };
                    self.binary(node, left, right, start)?
                }
            };
        }
        self.ascend();
        Ok(left)
    }

    /// Parses an arrow: `p\to q` between statements, `x\to0` between other expressions.
    fn arrow(&mut self, left: NodeId, start: u32) -> Parsed {
        self.advance();
        let right = self.statement(4)?;
        if self.may_be_true(left) && self.may_be_true(right) {
            return self.binary(Node::Implies, left, right, start);
        }
        let base = self.stack.len();
        self.stack.extend([left, Relation::Tends.as_link(), right]);
        let below = self.tree.depth(left).max(self.tree.depth(right));
        let list = self.tree.push_list(&self.stack[base..]);
        self.stack.truncate(base);
        self.make(Node::Relation(list), Span { start, end: self.used }, below)
    }

    /// Returns whether a node can denote a truth value: a letter, a statement, or one of these in brackets.
    fn may_be_true(&self, mut id: NodeId) -> bool {
        loop {
            match self.tree.node(id) {
                Node::Group(inner) => id = inner,
                Node::Symbol(_)
                | Node::Not(_)
                | Node::And(_)
                | Node::Or(_)
                | Node::Implies(..)
                | Node::Iff(..)
                | Node::Call(..)
                | Node::Constant(Constant::True | Constant::False) => return true,
                Node::Relation(chain) => {
                    return self.tree.chain(chain).all(|(_, relation, _)| relation != Relation::Tends);
                }
                _ => return false,
            }
        }
    }

    fn chained(
        &mut self,
        left: NodeId,
        sign: Token,
        power: u8,
        node: fn(crate::ast::List) -> Node,
        start: u32,
    ) -> Parsed {
        let base = self.stack.len();
        self.stack.push(left);
        while self.token.token == sign {
            self.advance();
            let right = self.statement(power)?;
            self.stack.push(right);
        }
        self.collect(node, base, start)
    }

    fn relations(&mut self, left: NodeId, start: u32) -> Parsed {
        let base = self.stack.len();
        self.stack.push(left);
        loop {
            let relation = match self.token.token {
                Token::Relation(Relation::Tends) => break,
                Token::Relation(relation) => relation,
                Token::Negation => {
                    self.advance();
                    match self.token.token {
                        Token::Relation(Relation::Equal) => Relation::NotEqual,
                        Token::Relation(Relation::In) => Relation::NotIn,
                        _ => return Err(self.unexpected("`=` or `\\in` after `\\not`")),
                    }
                }
                _ => break,
            };
            self.advance();
            let right = self.statement(13)?;
            self.stack.push(relation.as_link());
            self.stack.push(right);
        }
        self.check_words(base)?;
        let below = self.stack[base..].iter().step_by(2).map(|id| self.tree.depth(*id)).max().unwrap_or(0);
        let list = self.tree.push_list(&self.stack[base..]);
        self.stack.truncate(base);
        self.make(Node::Relation(list), Span { start, end: self.used }, below)
    }

    fn ratio(&mut self) -> Parsed {
        let start = self.token.start;
        let mut left = self.sum()?;
        while self.token.token == Token::Colon && !self.inside.such_that {
            self.advance();
            let right = self.sum()?;
            left = self.binary(Node::Ratio, left, right, start)?;
        }
        Ok(left)
    }
}

/// Returns whether a full stop after this text is the delimiter of `\left` or `\right`.
fn is_delimiter(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t', '\n']);
    before.ends_with("\\left") || before.ends_with("\\right")
}

/// Returns whether unescaped dollar signs come in pairs.
fn pairs_of_dollars(source: &str) -> bool {
    let bytes = source.as_bytes();
    let dollars =
        (0..bytes.len()).filter(|&at| bytes[at] == b'$' && (at == 0 || bytes[at - 1] != b'\\')).count();
    dollars % 2 == 0
}

fn bare(items: crate::ast::List) -> Node {
    Node::Items { open: Delimiter::None, close: Delimiter::None, items }
}

impl Token {
    #[inline]
    pub(super) fn is_sign(self) -> bool {
        matches!(self, Token::Plus | Token::Minus | Token::PlusMinus | Token::MinusPlus)
    }
}
