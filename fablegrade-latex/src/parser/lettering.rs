//! Letters in other typefaces, under accents and in words: names, units, unknown operators.

use super::{Parsed, Parser};
use crate::ast::{Constant, Named, Node, Relation, Span};
use crate::commands::{self, Fence, Token};
use crate::error::Problem;
use crate::names::push_subscript;

impl Parser<'_, '_, '_> {
    /// Returns whether upright letters that spell a function are a unit, because what follows cannot be an
    /// argument: `5\,\mathrm{min}`. `min`, `lb` and `sec` are units unless a bracket or a subscript follows.
    pub(super) fn is_unit(&self) -> bool {
        let written = self.lexer.text(self.token.span());
        if !written.contains('{') || written.starts_with("\\operatorname") || written.starts_with("\\mathop")
        {
            return false;
        }
        let mut ahead = self.lexer;
        ahead.at = self.token.end as usize;
        let mut next = ahead.next();
        if next.token == Token::Caret {
            // \frac{\mathrm{ft}}{\mathrm{sec}^2}
            let end = ahead.braced().map_or(next.end as usize + 1, |_| ahead.at);
            ahead.at = end;
            next = ahead.next();
        }
        let unit = matches!(self.lexer.upright_text(self.token.span()), "min" | "lb" | "sec");
        match next.token {
            Token::End
            | Token::CloseBrace
            | Token::Close(_)
            | Token::Right(..)
            | Token::Divide
            | Token::Times
            | Token::Comma
            | Token::Semicolon
            | Token::Relation(_)
            | Token::Plus => true,
            Token::Open(_) | Token::Left(..) | Token::OpenBrace | Token::Underscore => false,
            _ => unit,
        }
    }

    /// Parses `\mathbf{u}`, the same letter in another typeface. A bold e or i is a vector, not the constant.
    pub(super) fn other_face(&mut self) -> Parsed {
        let token = self.token;
        let start = token.start;
        let bold = ["\\mathbf", "\\bm", "\\boldsymbol", "\\pmb"].contains(&self.lexer.text(token.span()));
        if let Some((inner, end)) = self.lexer.braced_at(token.end as usize) {
            let text = self.lexer.text(inner).trim();
            let name = match text.as_bytes() {
                [b'e' | b'i'] if bold => Some(format!("\\mathbf{{{text}}}")),
                [letter] if letter.is_ascii_alphabetic() && !matches!(letter, b'e' | b'i') => {
                    Some(text.to_owned())
                }
                [b'\\', name @ ..] => {
                    std::str::from_utf8(name).ok().and_then(commands::command).and_then(|token| {
                        if let Token::Name(name) = token { Some(name.to_owned()) } else { None }
                    })
                }
                _ => None,
            };
            if let Some(name) = name {
                let span = Span { start, end: end as u32 };
                self.lexer.at = end;
                self.token.end = end as u32;
                self.advance();
                return self.symbol(&name, span);
            }
        }
        self.advance();
        if let Token::Letter(letter @ (b'e' | b'i')) = self.token.token
            && bold
        {
            let span = Span { start, end: self.token.end };
            self.advance();
            return self.symbol(&format!("\\mathbf{{{}}}", char::from(letter)), span);
        }
        let inner = self.argument("an argument")?;
        self.tree.set_span(inner, Span { start, end: self.used });
        Ok(inner)
    }

    /// Parses a letter under an accent, such as `\vec{v}`, as another name; also `\tilde\infty`, and a bar
    /// over a longer expression or a set.
    pub(super) fn decorated(&mut self, kind: &str) -> Parsed {
        let start = self.token.start;
        if kind == "vec"
            && let Some((inner, end)) = self.lexer.braced_at(self.token.end as usize)
            && let [from @ b'A'..=b'Z', to @ b'A'..=b'Z'] = self.lexer.text(inner).trim().as_bytes()
        {
            // the vector from one point to another is the difference of their position vectors
            let span = Span { start, end: end as u32 };
            let ends = [*to, *from].map(|point| {
                let text = self.tree.push_text(&format!("\\vec{{{}}}", char::from(point)));
                self.leaf(Node::Symbol(text), span)
            });
            self.lexer.at = end;
            self.token.end = end as u32;
            self.advance();
            // the only vector of a text has a value, as in `\vec{AB}=(3,-1)`, and is a name
            if self.part_start == start
                && matches!(self.token.token, Token::Relation(relation) if relation != Relation::Tends)
            {
                let source = self.lexer.source();
                let arrows = ["\\vec", "\\overrightarrow"].map(|arrow| source.matches(arrow).take(2).count());
                if arrows.iter().sum::<usize>() < 2 {
                    let text =
                        self.tree.push_text(&format!("\\vec{{{}{}}}", char::from(*from), char::from(*to)));
                    return Ok(self.leaf(Node::Symbol(text), span));
                }
            }
            let from = self.unary(Node::Negate, ends[1], start)?;
            let base = self.stack.len();
            self.stack.extend([ends[0], from]);
            let difference = self.collect(Node::Sum, base, start)?;
            return self.unary(Node::Group, difference, start);
        }
        self.advance();
        let inner = self.argument("a letter")?;
        let span = Span { start, end: self.used };
        if kind == "bar" && self.is_set_letter(inner) {
            return self.unary(Node::Complement, inner, start);
        }
        let name = match self.tree.node(inner) {
            Node::Constant(Constant::Infinity) if kind == "tilde" => {
                return Ok(self.leaf(Node::Constant(Constant::ComplexInfinity), span));
            }
            Node::Symbol(text) => match self.tree.text(text) {
                // the letters are dotless only because of the accent
                "imath" => "i",
                "jmath" => "j",
                name => name,
            },
            Node::Constant(Constant::E) => "e",
            Node::Constant(Constant::I) => "i",
            _ if kind == "bar" => {
                let list = self.tree.push_list(&[inner]);
                let below = self.tree.depth(inner);
                return self.make(Node::Apply(Named::Conj, list), span, below);
            }
            _ => return Err(self.error(span, Problem::Unsupported, "this accent belongs on a letter", "")),
        };
        let name = name.to_owned();
        if kind == "bar" {
            if let Some(complex) = self.complex_name(&name) {
                let span = Span { start, end: self.used };
                let text = self.tree.push_text(&complex);
                let inner = self.leaf(Node::Symbol(text), span);
                let list = self.tree.push_list(&[inner]);
                return self.make(Node::Apply(Named::Conj, list), span, 1);
            }
            let subscript = matches!(self.token.token, Token::Underscore | Token::Lowered(_));
            if name.len() == 1 && !subscript && !self.tree.doubtful.complex.contains(&name) {
                self.tree.doubtful.complex.push(name.clone());
            }
        }
        let name = format!("\\{kind}{{{}}}", crate::printer::latex_name(&name));
        self.symbol(&name, span)
    }

    /// Returns the complex variable whose name begins with `name` and ends with the subscript after it, if there
    /// is one. Skips the subscript: `\bar{z}_1` is the conjugate of `z_1`.
    fn complex_name(&mut self, name: &str) -> Option<String> {
        if !self.names.has_complex() {
            return None;
        }
        let mut name = name.to_owned();
        let mark = self.mark();
        let read = match self.token.token {
            Token::Underscore if !name.contains('_') => self.subscript(&mut name).is_ok(),
            Token::Lowered(_) if !name.contains('_') => {
                self.lowered_subscript(&mut name);
                true
            }
            _ => true,
        };
        if read && self.names.is_complex(&name) {
            return Some(name);
        }
        self.reset(mark);
        None
    }

    #[allow(clippy::unnecessary_box_returns)]
    #[cold]
    fn unknown_operator(&self, name: &str, span: Span) -> Box<crate::ParseError> {
        let mut error = self.error(
            span,
            Problem::UnknownCommand,
            format!("the function `{name}` is not known"),
            "a known function, or a declared name",
        );
        error.suggestion =
            Some(match commands::resembling(name).filter(|known| name.len() > 2 && *known != name) {
                Some(known) => {
                    format!("did you mean `\\{known}`? Declare `{name}` if it is a name of your own")
                }
                None => format!("declare `{name}`, or write \\mathrm{{{name}}} for a variable"),
            });
        error
    }

    /// Parses upright letters that are not a function: a name or a unit.
    pub(super) fn words(&mut self) -> Parsed {
        let token = self.token;
        let written = self.lexer.text(token.span());
        let content = self.lexer.upright_text(token.span());
        let name: String = content.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        self.advance();
        // \text{5} is 5
        if is_name && name.bytes().all(|b| b.is_ascii_digit()) {
            let text = self.tree.push_text(&name);
            return Ok(self.leaf(Node::Number(text), token.span()));
        }
        let is_text = written.starts_with("\\text");
        let (base, subscript) = name.split_once('_').unwrap_or((&name, ""));
        // H_2O has a subscript of one digit
        let is_formula = subscript.starts_with(|c: char| c.is_ascii_digit())
            && subscript.contains(|c: char| c.is_ascii_alphabetic());
        if is_name && !is_formula {
            let mut name = base.to_owned();
            if !subscript.is_empty() {
                push_subscript(&mut name, subscript);
            }
            let operator = written.starts_with("\\operatorname");
            if operator && !self.names.is_variable(&name) && !self.names.is_function(&name) {
                return Err(self.unknown_operator(&name, token.span()));
            }
            if operator
                && matches!(self.token.token, Token::Open(Fence::Paren) | Token::Left(Fence::Paren, false))
            {
                let text = self.tree.push_text(&name);
                return self.call(text, token.start);
            }
            if !is_text || self.names.is_variable(&name) || self.names.is_function(&name) {
                return self.symbol(&name, token.span());
            }
        }
        if let Some(units) = self.units(written, token.span(), is_text)? {
            return Ok(units);
        }
        let text = self.tree.push_text(&name);
        Ok(self.leaf(Node::Words(text), token.span()))
    }
}
