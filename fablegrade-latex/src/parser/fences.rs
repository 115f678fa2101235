//! Brackets, bars, sets, intervals and matrices.

use super::{OPERAND, Parsed, Parser};
use crate::ast::{Delimiter, List, Node, NodeId, Span};
use crate::commands::{Fence, Token};
use crate::error::Problem;
use crate::lexer::delimiter;
use crate::other_cases::is_otherwise;

/// The state inside the innermost pair of delimiters.
#[derive(Clone, Copy, Default)]
pub(crate) struct Inside {
    /// The number of open `|`, and of open `\|`.
    pub(super) bars: u16,
    pub(super) double_bars: u16,
    /// Whether a bar or colon ends the first part of a set builder.
    pub(super) such_that: bool,
    /// Whether such a bar was read as an absolute value between two factors.
    pub(super) bars_between: bool,
    /// Whether bars separate the values of a point.
    pub(super) point: bool,
    /// Whether a limit point can end here in `^+` or `^-`.
    pub(super) one_sided: bool,
}

/// The state outside a pair of delimiters, and whether commas separate items there.
type Outside = (Inside, bool);

impl Parser<'_, '_, '_> {
    pub(super) fn enter(&mut self, commas_separate: bool, such_that: bool) -> Parsed<Outside> {
        let outside = (self.inside, self.lexer.commas_separate);
        self.inside = Inside { such_that, ..Inside::default() };
        self.lexer.commas_separate = commas_separate;
        self.fences += 1;
        self.descend()?;
        self.advance();
        Ok(outside)
    }

    pub(super) fn leave(&mut self, outside: Outside) {
        (self.inside, self.lexer.commas_separate) = outside;
        self.fences -= 1;
        self.ascend();
        self.advance();
    }

    /// Parses `(`, `[`, `\{` and similar delimiters without `\left`; `reversed` if a closing bracket opens.
    pub(super) fn fenced(&mut self, fence: Fence, reversed: bool) -> Parsed {
        let open = self.token.span();
        match fence {
            Fence::Bar | Fence::DoubleBar => {
                let outside = self.enter(false, false)?;
                let inner = self.statement(0)?;
                if self.token.token != Token::Close(fence) && self.token.token != Token::Bar(fence) {
                    return Err(self.unclosed(open, "a closing bar"));
                }
                self.leave(outside);
                return self.between_bars(fence, inner, open.start);
            }
            Fence::Floor | Fence::Ceil => {
                let outside = self.enter(false, false)?;
                let inner = self.statement(0)?;
                if self.token.token != Token::Close(fence) {
                    return Err(
                        self.unclosed(open, if fence == Fence::Floor { "`\\rfloor`" } else { "`\\rceil`" })
                    );
                }
                self.leave(outside);
                return self.unary(
                    if fence == Fence::Floor { Node::Floor } else { Node::Ceil },
                    inner,
                    open.start,
                );
            }
            _ => {}
        }
        let is_point = fence == Fence::Paren && !reversed && self.bars_separate();
        let outside = self.enter(true, fence == Fence::Brace)?;
        self.inside.point = is_point;
        let (items, such_that) = self.fence_items(fence, false)?;
        let close = match self.token.token {
            Token::Close(close) => delimiter(close, false),
            // [a,b[ is open at its end
            Token::Open(Fence::Bracket) => Delimiter::Reversed,
            _ => return Err(self.unclosed(open, closing(fence))),
        };
        self.leave(outside);
        self.enclosed(delimiter(fence, reversed), close, items, such_that, open)
    }

    /// Parses `\left` and a delimiter.
    pub(super) fn sized_fence(&mut self, fence: Fence, reversed: bool) -> Parsed {
        let open = self.token.span();
        match fence {
            Fence::Bar | Fence::DoubleBar | Fence::Floor | Fence::Ceil => {
                let outside = self.enter(false, false)?;
                let inner = self.statement(0)?;
                if self.token.token != Token::Right(fence, false) {
                    return Err(self.unclosed(open, "the matching `\\right`"));
                }
                self.leave(outside);
                return match fence {
                    Fence::Floor => self.unary(Node::Floor, inner, open.start),
                    Fence::Ceil => self.unary(Node::Ceil, inner, open.start),
                    _ => self.between_bars(fence, inner, open.start),
                };
            }
            _ => {}
        }
        let is_point = fence == Fence::Paren && !reversed && self.bars_separate();
        let outside = self.enter(true, fence == Fence::Brace)?;
        self.inside.point = is_point;
        let (items, such_that) = self.fence_items(fence, false)?;
        let close = match self.token.token {
            Token::Right(Fence::Bar, _) if fence == Fence::None => {
                return Err(self.error(
                    self.token.span(),
                    Problem::Unsupported,
                    "an evaluation bar is not read",
                    "",
                ));
            }
            Token::Right(close, reversed) => delimiter(close, reversed),
            _ => return Err(self.unclosed(open, "`\\right` and a bracket")),
        };
        self.leave(outside);
        self.enclosed(delimiter(fence, reversed), close, items, such_that, open)
    }

    /// Parses the items between delimiters; also returns whether they are a set builder. Only the arguments of a
    /// function, as in `f(x;a,b)`, can mix commas and semicolons; elsewhere, such items may be rows of a matrix.
    pub(super) fn fence_items(&mut self, fence: Fence, arguments: bool) -> Parsed<(List, bool)> {
        let base = self.stack.len();
        let mut separator = None;
        if matches!(self.token.token, Token::Close(_) | Token::Right(..)) {
            return match fence {
                Fence::Brace | Fence::Bracket => Ok((self.tree.push_list(&[]), false)),
                _ => Err(self.unexpected(OPERAND)),
            };
        }
        loop {
            let item = self.statement(0)?;
            self.stack.push(item);
            match self.token.token {
                Token::Bar(Fence::Bar) | Token::Middle if self.inside.point => self.advance(),
                sign @ (Token::Comma | Token::Semicolon) => {
                    if !arguments && separator.replace(sign).is_some_and(|other| other != sign) {
                        let mut error = self.error(
                            self.token.span(),
                            Problem::Ambiguous,
                            "commas and semicolons are mixed in these brackets",
                            "",
                        );
                        error.suggestion =
                            Some("write `{,}` for a decimal comma, \\begin{pmatrix} for a matrix".to_owned());
                        return Err(error);
                    }
                    self.advance();
                }
                Token::Bar(Fence::Bar) | Token::Colon | Token::Middle if self.inside.such_that => {
                    self.inside.such_that = false;
                    self.advance();
                    let condition = self.items(Token::Close(Fence::Brace))?;
                    self.stack.push(condition);
                    let list = self.tree.push_list(&self.stack[base..]);
                    self.stack.truncate(base);
                    return Ok((list, true));
                }
                _ => break,
            }
        }
        // `\{n | n|12\}` may be a set builder with a bar for *divides*
        if self.inside.such_that && self.inside.bars_between {
            return Err(self.unexpected("a closing bracket"));
        }
        let list = self.tree.push_list(&self.stack[base..]);
        self.stack.truncate(base);
        Ok((list, false))
    }

    fn enclosed(
        &mut self,
        open: Delimiter,
        close: Delimiter,
        items: List,
        such_that: bool,
        start: Span,
    ) -> Parsed {
        let span = Span { start: start.start, end: self.used };
        let below = self.tree.list(items).iter().map(|id| self.tree.depth(*id)).max().unwrap_or(0);
        if such_that {
            let &[what, condition] = self.tree.list(items) else {
                return Err(self.error(
                    span,
                    Problem::Unsupported,
                    "a set builder names one thing before the bar",
                    "",
                ));
            };
            return self.make(Node::SuchThat(what, condition), span, below);
        }
        if let &[only] = self.tree.list(items) {
            // brackets around a matrix are part of the matrix
            if matches!(self.tree.node(only), Node::Matrix { determinant: false, .. })
                && open == close
                && open != Delimiter::Brace
            {
                self.tree.set_span(only, span);
                return Ok(only);
            }
            if open == Delimiter::Paren && close == Delimiter::Paren {
                return self.make(Node::Group(only), span, below);
            }
            if open != close {
                let text = self.lexer.text(start);
                let message = format!("`{text}` is closed by another kind of bracket");
                if open == Delimiter::Brace && close == Delimiter::None {
                    return Ok(self.system(only));
                }
                if open == Delimiter::Bracket
                    && close == Delimiter::None
                    && let Node::And(rows) = self.tree.node(only)
                    && self.lexer.text(self.tree.span(only)).starts_with("\\begin")
                {
                    // one square bracket: one of its rows holds
                    return self.make(Node::Or(rows), span, below.saturating_sub(1));
                }
                return Err(self.error(span, Problem::Unclosed, message, "the matching bracket"));
            }
        } else if open != close && !matches!((open, close), (Delimiter::Brace, Delimiter::None)) {
            let interval = |side| matches!(side, Delimiter::Paren | Delimiter::Bracket | Delimiter::Reversed);
            if items.len() != 2 || !interval(open) || !interval(close) {
                return Err(self.error(
                    span,
                    Problem::Unclosed,
                    "the brackets do not match",
                    "the matching bracket",
                ));
            }
        }
        self.make(Node::Items { open, close, items }, span, below)
    }

    /// Converts an array after a single brace: rows of one relation all hold, rows of a value and its condition are cases.
    fn system(&mut self, only: NodeId) -> NodeId {
        let Node::Matrix { columns, entries, determinant: false } = self.tree.node(only) else { return only };
        let (span, below) = (self.tree.span(only), self.tree.depth(only).saturating_sub(1));
        if columns == 1
            && entries.len() > 1
            && self.tree.list(entries).iter().all(|row| matches!(self.tree.node(*row), Node::Relation(_)))
        {
            return self.tree.push(Node::And(entries), span, below);
        }
        let are_cases = self.tree.list(entries).chunks(2).all(|row| {
            let is_condition = |id: NodeId| {
                self.is_statement(id)
                    || matches!(self.tree.node(id), Node::Words(text) if is_otherwise(self.tree.text(text)))
            };
            row.len() == 2 && is_condition(row[1]) && !is_condition(row[0])
        });
        if columns != 2 || !are_cases {
            return only;
        }
        self.tree.push(Node::Cases(entries), span, below)
    }

    /// Returns whether the first column of the array that begins here ends before a relation: `x&=&1`.
    fn aligns_relations(&self) -> bool {
        let rest = self.lexer.after(self.lexer.at);
        let bytes = rest.as_bytes();
        let end = (0..bytes.len()).find(|&at| {
            bytes[at] == b'&'
                || bytes[at] == b'\\'
                    && (bytes.get(at + 1) == Some(&b'\\') || rest[at + 1..].starts_with("end"))
        });
        end.is_some_and(|at| {
            bytes[at] == b'&' && matches!(self.lexer.token_after(self.lexer.at + at + 1), Token::Relation(_))
        })
    }

    /// Parses `|...|` or `\|...\|`, whose bars have no direction.
    pub(super) fn neutral_bars(&mut self, fence: Fence) -> Parsed {
        let open = self.token.span();
        let after_operand =
            self.inside.such_that && self.inside.bars == 0 && self.bar_decided == (open.start, true);
        self.descend()?;
        let saved = (self.inside.bars, self.inside.double_bars);
        if fence == Fence::Bar {
            self.inside.bars += 1;
        } else {
            self.inside.double_bars += 1;
        }
        self.advance();
        let inner = self.statement(0)?;
        if self.token.token != Token::Bar(fence) && self.token.token != Token::Close(fence) {
            return Err(self.unclosed(open, "a closing bar"));
        }
        (self.inside.bars, self.inside.double_bars) = saved;
        self.ascend();
        self.advance();
        self.inside.bars_between |= after_operand && self.starts_factor();
        self.between_bars(fence, inner, open.start)
    }

    /// Returns the node for an expression between single or double bars. Single bars around a matrix are its
    /// determinant.
    fn between_bars(&mut self, fence: Fence, inner: NodeId, start: u32) -> Parsed {
        if fence != Fence::Bar {
            return self.unary(Node::DoubleBars, inner, start);
        }
        let Node::Matrix { columns, entries, determinant: false } = self.tree.node(inner) else {
            return self.unary(Node::Bars, inner, start);
        };
        let span = Span { start, end: self.used };
        let below = self.tree.list(entries).iter().map(|id| self.tree.depth(*id)).max().unwrap_or(0);
        self.make(Node::Matrix { columns, entries, determinant: true }, span, below)
    }

    /// Parses `\begin{...} ... \end{...}`.
    ///
    /// The function is long because it has one arm per environment.
    pub(super) fn environment(&mut self) -> Parsed {
        let begin = self.token.span();
        let Some((name, end)) = self.lexer.braced_at(begin.end as usize) else {
            return Err(self.error(begin, Problem::Unsupported, "`\\begin` needs a name in braces", ""));
        };
        let written = self.lexer.text(name);
        let name = written.trim_end_matches('*');
        let (cases, determinant) = match name {
            "matrix" | "pmatrix" | "bmatrix" | "Bmatrix" | "smallmatrix" | "array" => (false, false),
            "vmatrix" => (false, true),
            "cases" | "aligned" | "align" | "gathered" | "split" | "eqnarray" | "equation" | "gather"
            | "multline" => (true, false),
            _ => {
                let span = Span::new(begin.start as usize, end);
                return Err(self.error(
                    span,
                    Problem::Unsupported,
                    format!("the environment `{name}` is not read"),
                    "a matrix or cases",
                ));
            }
        };
        self.lexer.at = end;
        let is_matrix = name != written && name.ends_with("matrix");
        if is_matrix || matches!(name, "array" | "aligned" | "gathered") {
            self.lexer.option(is_matrix);
        }
        if name == "array" {
            self.lexer.braced();
        }
        // the columns of `x&=&1` only align relations
        let is_array = name == "array";
        let cases = cases || is_array && self.aligns_relations();
        self.token.end = self.lexer.at as u32;
        self.lexer.tables += 1;
        // in `aligned` and similar environments, `&` has no meaning; in `cases`, it precedes the condition
        let aligning = std::mem::replace(&mut self.lexer.aligning, cases && name != "cases");
        let outside = self.enter(true, false)?;
        let base = self.stack.len();
        let mut columns = 0usize;
        let mut rows = 0usize;
        let mut row_start = base;
        while self.token.token != Token::Finish {
            let entry = if cases || is_array { self.items(Token::NewRow)? } else { self.statement(0)? };
            self.stack.push(entry);
            if name == "cases" {
                self.split_conditions(entry, self.stack.len() - row_start == 1)?;
            }
            match self.token.token {
                Token::Ampersand => {
                    self.advance();
                    self.skip_condition_word();
                    continue;
                }
                Token::Words if name == "cases" => {
                    self.skip_condition_word();
                    continue;
                }
                Token::NewRow => self.advance(),
                Token::Finish => {}
                _ => return Err(self.unclosed(begin, "`\\end`")),
            }
            let width = self.stack.len() - row_start;
            if rows > 0 && width != columns || cases && width > 2 {
                let (message, expected) = match width {
                    1 => (format!("this row has 1 entry, the first has {columns}"), ""),
                    _ if cases && width > 2 => {
                        (format!("this row has {width} entries"), "a value and its condition")
                    }
                    _ => (format!("this row has {width} entries, the first has {columns}"), ""),
                };
                return Err(self.error(self.token.span(), Problem::Unexpected, message, expected));
            }
            columns = width;
            rows += 1;
            row_start = self.stack.len();
        }
        let Some((close, end)) = self.lexer.braced_at(self.token.end as usize) else {
            return Err(self.unclosed(begin, "`\\end` with its name"));
        };
        if self.lexer.text(close).trim_end_matches('*') != name || rows == 0 {
            return Err(self.unclosed(begin, "`\\end` with the same name"));
        }
        self.lexer.at = end;
        self.token.end = end as u32;
        self.lexer.tables -= 1;
        self.lexer.aligning = aligning;
        self.leave(outside);
        if cases && columns == 1 {
            if rows == 1 {
                return self.product(base, begin.start);
            }
            return self.collect(Node::And, base, begin.start);
        }
        if cases {
            return self.collect(Node::Cases, base, begin.start);
        }
        if is_array
            && columns == 1
            && rows > 1
            && self.stack[base..].iter().all(|row| self.is_statement(*row))
        {
            return self.collect(Node::And, base, begin.start);
        }
        self.collect(
            |entries| Node::Matrix { columns: columns as u32, entries, determinant },
            base,
            begin.start,
        )
    }

    /// Returns whether a node is a relation, or statements that a connective joins.
    pub(super) fn is_statement(&self, mut id: NodeId) -> bool {
        while let Node::Group(inner) = self.tree.node(id) {
            id = inner;
        }
        matches!(
            self.tree.node(id),
            Node::Relation(_) | Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Implies(..) | Node::Iff(..)
        )
    }

    /// Returns whether a word that begins the condition of a case is next, and whether it is skipped, like *if*.
    pub(super) fn condition_word(&self) -> Option<bool> {
        if self.lexer.tables == 0 || self.lexer.aligning || self.token.token != Token::Words {
            return None;
        }
        match self.lexer.upright_text(self.token.span()).trim() {
            "if" | "for" | "when" | "whenever" | "falls" | "wenn" | "si" | "für" | "pour" => Some(true),
            words => is_otherwise(words).then_some(false),
        }
    }

    /// Skips `\text{if }` or a similar word before the condition of a case.
    fn skip_condition_word(&mut self) {
        if self.condition_word() == Some(true) {
            self.advance();
        }
    }

    /// Parses the arguments of a call after its name.
    pub(super) fn call(&mut self, name: crate::ast::Text, start: u32) -> Parsed {
        let (arguments, below) = self.arguments()?;
        self.make(Node::Call(name, arguments), Span { start, end: self.used }, below)
    }

    /// Parses bracketed arguments with commas between them.
    pub(super) fn arguments(&mut self) -> Parsed<(List, u16)> {
        let open = self.token;
        let (Token::Open(fence) | Token::Left(fence, _)) = open.token else {
            return Err(self.unexpected("an argument in brackets"));
        };
        let outside = self.enter(true, false)?;
        let (items, _) = self.fence_items(fence, true)?;
        match (self.token.token, open.token) {
            (Token::Close(close), Token::Open(_)) | (Token::Right(close, _), Token::Left(..))
                if close == fence => {}
            _ => return Err(self.unclosed(open.span(), closing(fence))),
        }
        self.leave(outside);
        if items.is_empty() {
            return Err(self.error(open.span(), Problem::Arguments, "an argument is missing", OPERAND));
        }
        let below = self.tree.list(items).iter().map(|id: &NodeId| self.tree.depth(*id)).max().unwrap_or(0);
        Ok((items, below))
    }
}

fn closing(fence: Fence) -> &'static str {
    match fence {
        Fence::Paren => "`)`",
        Fence::Bracket => "`]`",
        Fence::Brace => "`\\}`",
        Fence::Angle => "`\\rangle`",
        _ => "a closing bracket",
    }
}
