//! Changes of quantities: `\Delta x` is one name, not a product.

use super::{Parsed, Parser};
use crate::ast::{Node, NodeId};
use crate::commands::Token;
use crate::printer::latex_name;

/// Whether `\Delta` and `\delta` before letters denote changes in a text.
#[derive(Clone, Copy, Default)]
pub(super) struct Changes {
    large: bool,
    small: bool,
}

impl Parser<'_, '_, '_> {
    /// Parses `\Delta x` as a name, if Δ denotes a change; `None` for another name or another Δ.
    pub(super) fn change(&mut self, sign: &'static str) -> Parsed<Option<NodeId>> {
        if !matches!(sign, "Delta" | "delta") || self.names.is_variable(sign) || self.names.is_function(sign)
        {
            return Ok(None);
        }
        let next = self.lexer.token_after(self.token.end as usize);
        if !may_change(next)
            || matches!(next, Token::Letter(letter) if self.bound & (1 << (letter & 127)) != 0)
        {
            return Ok(None);
        }
        let changes = match self.changes {
            Some(changes) => changes,
            None => self.find_changes(),
        };
        self.changes = Some(changes);
        if !(if sign == "Delta" { changes.large } else { changes.small }) {
            return Ok(None);
        }
        self.tree.doubtful.changes = true;
        if self.names.other_changes {
            return Ok(None);
        }
        let start = self.token.span();
        self.advance();
        let braced = self.letter_in_braces();
        if braced {
            self.advance();
        }
        let what = match self.token.token {
            Token::Letter(letter) => {
                self.advance();
                if braced {
                    self.advance();
                }
                char::from(letter).to_string()
            }
            Token::Name(name) => {
                self.advance();
                name.to_owned()
            }
            _ => {
                let inner = match self.token.token {
                    Token::Decoration(kind) => self.decorated(kind)?,
                    _ => self.braces()?,
                };
                match self.tree.node(inner) {
                    Node::Symbol(text) => self.tree.text(text).to_owned(),
                    _ => {
                        let text = self.tree.push_text(sign);
                        let sign = self.leaf(Node::Symbol(text), start);
                        let base = self.stack.len();
                        self.stack.extend([sign, inner]);
                        return self.product(base, start.start).map(Some);
                    }
                }
            }
        };
        let name = format!("\\{sign}{{{}}}", latex_name(&what));
        self.symbol(&name, start).map(Some)
    }

    /// Returns whether one letter in braces comes next. It is a name there, also *e* and *i*, which are constants
    /// elsewhere.
    fn letter_in_braces(&self) -> bool {
        let mut ahead = self.lexer;
        ahead.at = self.token.end as usize;
        self.token.token == Token::OpenBrace
            && matches!(ahead.next().token, Token::Letter(_))
            && ahead.next().token == Token::CloseBrace
    }

    /// Returns whether Δ and δ denote changes: Δ always stands before a letter, unlike the discriminant in
    /// `\Delta=b^2-4ac`; δ stands before two different letters, unlike a factor such as that in `e^{-\delta t}`.
    fn find_changes(&self) -> Changes {
        let mut ahead = self.lexer;
        ahead.at = 0;
        let mut changes = Changes { large: true, small: true };
        let mut before = None;
        let mut small: Option<Token> = None;
        let mut is_varied = false;
        loop {
            let token = ahead.next().token;
            // `\delta{x}` is `\delta x`
            if token == Token::OpenBrace && before.is_some() {
                continue;
            }
            match before {
                Some("Delta") => changes.large &= may_change(token),
                Some("delta") => {
                    changes.small &= may_change(token);
                    is_varied |= small.is_some_and(|first| first != token);
                    small = small.or(Some(token));
                }
                _ => {}
            }
            before = if let Token::Name(name) = token { Some(name) } else { None };
            if token == Token::End {
                break;
            }
        }
        changes.small &= is_varied;
        changes
    }
}

/// Returns whether a token after Δ can begin the name of what changes.
fn may_change(token: Token) -> bool {
    match token {
        Token::Letter(_) | Token::Decoration(_) | Token::OpenBrace => true,
        Token::Name(name) => !matches!(name, "Delta" | "delta" | "nabla"),
        _ => false,
    }
}
