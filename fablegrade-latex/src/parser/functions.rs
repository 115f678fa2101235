//! Known functions: their exponents, bases and arguments with and without brackets.

use super::{Parsed, Parser};
use crate::ast::{List, Named, Node, NodeId, Span};
use crate::commands::{Fence, Token};
use crate::error::{NoteKind, Problem};

const ARGUMENT: &str = "the argument of the function";

impl Parser<'_, '_, '_> {
    /// Parses a function after its name.
    pub(super) fn function(&mut self, named: Named, start: u32) -> Parsed {
        if named == Named::Sqrt {
            let radicand = self.argument("what is under the root")?;
            return self.unary(Node::Sqrt, radicand, start);
        }
        let name_end = self.used;
        let mut power = None;
        let mut base = None;
        loop {
            match self.token.token {
                Token::Caret if power.is_none() => {
                    self.advance();
                    power = Some(self.script()?);
                }
                Token::Raised(_) if power.is_none() => power = Some(self.raised()?),
                Token::Underscore if base.is_none() && named == Named::Log => {
                    self.advance();
                    base = Some(self.argument("the base of the logarithm")?);
                }
                Token::Lowered(_) if base.is_none() && named == Named::Log => {
                    let mut digits = String::new();
                    let from = self.token.start;
                    while let Token::Lowered(digit) = self.token.token {
                        digits.push(char::from(digit));
                        self.advance();
                    }
                    let text = self.tree.push_text(&digits);
                    base = Some(self.leaf(Node::Number(text), Span { start: from, end: self.used }));
                }
                Token::Underscore => {
                    return Err(self.error(
                        self.token.span(),
                        Problem::Unsupported,
                        "this function takes no subscript",
                        "",
                    ));
                }
                Token::Prime(_) => {
                    return Err(self.error(
                        self.token.span(),
                        Problem::Unsupported,
                        "the derivative of a known function is written out",
                        "",
                    ));
                }
                _ => break,
            }
        }
        let mut named = named;
        if let (Some(exponent), Some(inverse)) = (power, named.inverse())
            && self.is_minus_one(exponent)
        {
            named = inverse;
            power = None;
        }
        let applied = if let Some(base) = base {
            let argument = self.single_argument()?;
            self.binary(Node::Log, argument, base, start)?
        } else {
            if named == Named::Log {
                self.note(NoteKind::LogBase, Span { start, end: name_end });
            }
            self.applied(named, start)?
        };
        match power {
            Some(exponent) => self.binary(Node::Power, applied, exponent, start),
            None => Ok(applied),
        }
    }

    fn is_minus_one(&self, exponent: NodeId) -> bool {
        let Node::Negate(inner) = self.tree.node(exponent) else { return false };
        matches!(self.tree.node(inner), Node::Number(text) if self.tree.text(text) == "1")
    }

    /// Parses the argument or arguments of a function, and returns the application.
    pub(super) fn applied(&mut self, named: Named, start: u32) -> Parsed {
        let (arguments, below) = match self.token.token {
            Token::Open(Fence::Paren | Fence::Bracket | Fence::Brace)
            | Token::Left(Fence::Paren | Fence::Bracket | Fence::Brace, _) => self.arguments()?,
            _ => {
                let argument = self.single_argument()?;
                (self.tree.push_list(&[argument]), self.tree.depth(argument))
            }
        };
        self.check_count(named, arguments, start)?;
        self.make(Node::Apply(named, arguments), Span { start, end: self.used }, below)
    }

    fn check_count(&self, named: Named, arguments: List, start: u32) -> Parsed<()> {
        let arity = named.arity();
        if arity.contains(&arguments.len()) {
            return Ok(());
        }
        let span = Span { start, end: self.used };
        let (least, most) = (*arity.start(), *arity.end());
        let message = match most {
            1 => format!("this function takes 1 argument, not {}", arguments.len()),
            _ if most == least => format!("this function takes {least} arguments, not {}", arguments.len()),
            _ => format!("this function takes {least} or {most} arguments, not {}", arguments.len()),
        };
        let mut error = self.error(span, Problem::Arguments, message, "");
        if most == 1 && arguments.len() == 2 {
            error.suggestion = Some("write a point, not a comma, in a decimal".to_owned());
        }
        Err(error)
    }

    /// Parses one argument: brackets, braces, bars, or the run of factors that follows.
    fn single_argument(&mut self) -> Parsed {
        let start = self.token.start;
        match self.token.token {
            Token::Open(Fence::Paren | Fence::Bracket | Fence::Brace)
            | Token::Left(Fence::Paren | Fence::Bracket | Fence::Brace, _) => {
                let (arguments, _) = self.arguments()?;
                match self.tree.list(arguments) {
                    &[only] => Ok(only),
                    _ => Err(self.error(
                        Span { start, end: self.used },
                        Problem::Arguments,
                        "one argument is needed here",
                        "",
                    )),
                }
            }
            Token::OpenBrace => {
                let node = self.braces()?;
                match self.tree.node(node) {
                    // \sin{\left(x\right)}^2 is the square of the sine
                    Node::Group(inner) => Ok(inner),
                    _ => self.attached(node, start),
                }
            }
            Token::Minus | Token::Plus => {
                let negative = self.token.token == Token::Minus;
                self.advance();
                let inner = self.run()?;
                if negative { self.unary(Node::Negate, inner, start) } else { Ok(inner) }
            }
            _ => self.run(),
        }
    }

    /// Parses adjacent letters, numbers and fractions, up to an operator, a function or a bracket.
    fn run(&mut self) -> Parsed {
        let start = self.token.start;
        if matches!(self.token.token, Token::End | Token::CloseBrace | Token::Close(_) | Token::Right(..))
            || !self.starts_factor()
        {
            return Err(self.unexpected(ARGUMENT));
        }
        let closed =
            matches!(self.token.token, Token::Bar(_) | Token::Open(_) | Token::Left(..) | Token::Function(_));
        let first = self.factor()?;
        if closed {
            return Ok(first);
        }
        if !self.continues_run() {
            self.note_bracket(start);
            return Ok(first);
        }
        let base = self.stack.len();
        self.stack.push(first);
        while self.continues_run() {
            let next = self.factor()?;
            self.stack.push(next);
            self.mixed_number(base, Self::continues_run)?;
        }
        self.note_bracket(start);
        self.product(base, start)
    }

    /// Notes that the bracket in `\sin 2(x+1)` is not part of the argument.
    fn note_bracket(&mut self, start: u32) {
        if matches!(self.token.token, Token::Open(Fence::Paren) | Token::Left(Fence::Paren, false)) {
            self.note(NoteKind::ArgumentEnds, Span { start, end: self.token.end });
        }
    }

    fn continues_run(&mut self) -> bool {
        if self.gap_ends_term() {
            return false;
        }
        match self.token.token {
            Token::Letter(_) | Token::Name(_) => !self.at_differential(),
            Token::Number
            | Token::Constant(_)
            | Token::Frac
            | Token::Vulgar(..)
            | Token::Face
            | Token::Variable => true,
            _ => false,
        }
    }
}
