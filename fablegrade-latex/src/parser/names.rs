//! Symbols: letters with subscripts and primes, runs of letters, calls of declared functions.

use super::orders::Order;
use super::{Parsed, Parser};
use crate::ast::{Constant, Node, NodeId, Span};
use crate::commands::{self, Fence, Token};
use crate::error::{NoteKind, Problem};
use crate::names::{BARE, GREEK, push_subscript, spelled};
use crate::printer::{latex_name, print_node};

/// The number of letters up to which a command is looked for before a letter; all known ones are shorter.
const MOST_COMMAND: usize = 40;

/// Commands that are read as marks in a subscript.
const MARKS: [&str; 7] = ["odot", "perp", "dagger", "star", "ominus", "bot", "oslash"];

/// Letters that are functions more often than factors.
const FUNCTION_LETTERS: [&str; 7] = ["f", "g", "h", "F", "G", "H", "P"];

/// The contents of a bracket after a letter.
enum Bracket {
    /// One item without letters: a factor or the argument of a function.
    Number {
        /// Whether it has no plus or minus sign.
        plain: bool,
    },
    /// Several items without letters: a point, or the arguments of a function.
    Numbers,
    /// Several items, some with letters: the arguments of a function.
    Points,
    /// A relation or an event.
    Statement,
    /// One item with letters, or a long bracket.
    Factor,
}

impl Parser<'_, '_, '_> {
    /// Parses a letter, or the word that its run of letters spells.
    pub(super) fn letter(&mut self, letter: u8) -> Parsed {
        let at = self.token.start as usize;
        if self.lexer.byte(at) == letter
            && self.lexer.byte(at + 1).is_ascii_alphabetic()
            && let Some(node) = self.letter_run(at)?
        {
            return Ok(node);
        }
        if letter == b'd'
            && let Some(derivative) = self.inline_derivative()?
        {
            return Ok(derivative);
        }
        let name = [letter];
        let name = std::str::from_utf8(&name).unwrap_or("");
        if matches!(letter, b'e' | b'i') && !self.is_variable(letter) && !self.names.is_function(name) {
            let span = self.token.span();
            let constant = if letter == b'e' { Constant::E } else { Constant::I };
            let after_digit = at > 0 && self.lexer.byte(at - 1).is_ascii_digit();
            if letter == b'e' && after_digit {
                let signed = usize::from(matches!(self.lexer.byte(at + 1), b'+' | b'-'));
                if self.lexer.byte(at + 1 + signed).is_ascii_digit() {
                    self.tree.doubtful.exponent = true;
                    self.tree.doubtful.as_euler += 1;
                    self.note(NoteKind::EulerNotExponent, span);
                }
            }
            self.advance();
            if matches!(self.token.token, Token::Underscore | Token::Lowered(_)) {
                // e_1 is a name, not Euler's number
                return self.symbol(name, span);
            }
            return Ok(self.leaf(Node::Constant(constant), span));
        }
        let span = self.token.span();
        self.advance();
        self.symbol(name, span)
    }

    /// Parses a name or a word at the beginning of a run of at least two letters; `None` if the letters are a
    /// product.
    fn letter_run(&mut self, at: usize) -> Parsed<Option<NodeId>> {
        let inside_run = at > 0 && self.lexer.byte(at - 1).is_ascii_alphabetic() && !self.after_command(at);
        // inside a run, only a declared name can begin
        if inside_run && !self.names.has_long_names() {
            return Ok(None);
        }
        let mut end = at;
        while self.lexer.byte(end).is_ascii_alphabetic() {
            end += 1;
        }
        let run = self.lexer.text(Span::new(at, end));
        if self.names.has_long_names()
            && let Some(length) = self.names.longest_prefix(run).map(str::len)
        {
            let name = &run[..length];
            let span = Span::new(at, at + length);
            self.lexer.at = at + length;
            self.token.end = span.end;
            self.advance();
            return self.symbol(name, span).map(Some);
        }
        if inside_run || self.names.covers(run) {
            return Ok(None);
        }
        if let Some((token, after)) = self.function_before_sign(run, end) {
            self.note(NoteKind::Spelled, Span::new(at, after));
            self.lexer.at = after;
            self.token.token = token;
            self.token.end = after as u32;
            return self.atom().map(Some);
        }
        let span = Span::new(at, end);
        let spelled = match run {
            "pi" => Some(Token::Constant(Constant::Pi)),
            "infinity" | "infty" => Some(Token::Constant(Constant::Infinity)),
            "True" | "true" => Some(Token::Constant(Constant::True)),
            "False" | "false" => Some(Token::Constant(Constant::False)),
            _ if run.len() == 2 && run != "ln" && run != "lg" => None,
            _ => match commands::word(run) {
                Some(token @ Token::Function(_)) => Some(token),
                _ if run.len() > 2 => GREEK.iter().find(|name| **name == run).map(|name| Token::Name(name)),
                _ => None,
            },
        };
        if let Some(token) = spelled {
            let is_function = matches!(token, Token::Function(_));
            // a function needs an argument; without one the letters are letters
            if !is_function || self.argument_follows(end) {
                self.note(NoteKind::Spelled, span);
                self.lexer.at = end;
                self.token.token = token;
                self.token.end = end as u32;
                return self.atom().map(Some);
            }
        }
        let mut fitting = BARE.iter().filter(|name| name.len() <= run.len());
        let found = fitting.find_map(|name| run.find(name).map(|offset| (offset, *name)));
        let found = found
            .or_else(|| run.find("ln").filter(|offset| offset + 2 < run.len()).map(|offset| (offset, "ln")));
        if let Some((offset, name)) = found {
            let mut error = self.error(
                span,
                Problem::BareFunction,
                format!("`{run}` looks like `{name}` run together with letters"),
                "",
            );
            let rest = &run[offset + name.len()..];
            let before = &run[..offset];
            let written = format!("{before}\\{name} {rest}");
            error.suggestion = Some(format!("write `{}`", written.trim_end()));
            return Err(error);
        }
        if run.len() >= 4 && run.bytes().skip(1).any(|letter| b"aeiou".contains(&letter)) {
            self.note(NoteKind::LetterProduct, span);
        }
        Ok(None)
    }

    /// Returns whether the argument of a function, its exponent or its base follows the word that ends at `end`.
    fn argument_follows(&self, end: usize) -> bool {
        let next = self.lexer.after(end).trim_start_matches(' ');
        next.starts_with(|c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '(' | '\\' | '{' | '^' | '_' | '|')
        }) || matches!(
            self.lexer.token_after(end),
            Token::Name(_)
                | Token::Constant(_)
                | Token::Raised(_)
                | Token::Lowered(_)
                | Token::Letter(_)
                | Token::Sqrt
                | Token::Vulgar(..)
        )
    }

    /// Returns the function in `nPr\cdot(8,3)` or `atan\cdot2(y,x)`, and the position of the bracket.
    ///
    /// Editors put a product sign between letters, digits and brackets. The sign is ignored if the word is a
    /// function that needs several arguments.
    fn function_before_sign(&self, run: &str, end: usize) -> Option<(Token, usize)> {
        let rest = self.lexer.after(end).trim_start().strip_prefix("\\cdot")?;
        if rest.starts_with(|next: char| next.is_ascii_alphabetic()) {
            return None;
        }
        let rest = rest.trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let bracket = rest[digits..].trim_start();
        if !bracket.starts_with('(') && !bracket.starts_with("\\left(") {
            return None;
        }
        let word = format!("{run}{}", &rest[..digits]);
        let token = commands::word(&word)?;
        let Token::Function(named) = token else { return None };
        (*named.arity().start() > 1).then_some((token, self.lexer.source().len() - bracket.len()))
    }

    /// Returns whether the letters before `at` are a command without a space after it.
    fn after_command(&self, at: usize) -> bool {
        let mut start = at;
        while start > 0 && at - start < MOST_COMMAND && self.lexer.byte(start - 1).is_ascii_alphabetic() {
            start -= 1;
        }
        start > 0 && self.lexer.byte(start - 1) == b'\\'
    }

    /// Parses the rest of a symbol after its base name: subscript, primes, and the arguments of a function.
    ///
    /// The function is long because it has one arm per kind of name.
    pub(super) fn symbol(&mut self, base: &str, span: Span) -> Parsed {
        if !matches!(
            self.token.token,
            Token::Underscore
                | Token::Prime(_)
                | Token::Lowered(_)
                | Token::Open(_)
                | Token::Left(..)
                | Token::Caret
        ) && !self.names.golden_ratio
        {
            let text = self.tree.push_text(base);
            return Ok(self.leaf(Node::Symbol(text), span));
        }
        let mut name = String::from(base);
        let mut primes = 0u32;
        let mut subscript = false;
        let mut order = None;
        loop {
            match self.token.token {
                Token::Underscore => {
                    if subscript {
                        let mut error =
                            self.error(self.token.span(), Problem::DoubleSubscript, "a second subscript", "");
                        error.suggestion = Some("put both into one pair of braces".to_owned());
                        return Err(error);
                    }
                    subscript = true;
                    self.subscript(&mut name)?;
                }
                Token::Lowered(_) if !subscript => {
                    subscript = true;
                    self.lowered_subscript(&mut name);
                }
                Token::Prime(count) => {
                    primes += u32::from(count);
                    self.advance();
                }
                Token::Caret if self.prime_exponent() => {
                    // x^{\prime}
                    self.advance();
                    let braced = self.token.token == Token::OpenBrace;
                    if braced {
                        self.advance();
                    }
                    while let Token::Prime(count) = self.token.token {
                        primes += u32::from(count);
                        self.advance();
                    }
                    if braced {
                        if self.token.token != Token::CloseBrace {
                            return Err(self.unexpected("`}`"));
                        }
                        self.advance();
                    }
                }
                Token::Caret if primes == 0 && order.is_none() => match self.order_exponent(&name) {
                    Some(Order::Primes(count)) => {
                        primes = count;
                        order = Some(Order::Primes(count));
                    }
                    found @ Some(Order::Written(_)) => order = found,
                    None => break,
                },
                _ => break,
            }
        }
        let function = self.names.is_function(&name) || order.is_some();
        for _ in 0..primes.min(8) {
            name.push('\'');
        }
        if let Some(Order::Written(written)) = order {
            name.push_str(&format!("^{{({written})}}"));
        }
        let span = Span { start: span.start, end: self.used.max(span.end) };
        if primes > 8 {
            return Err(self.error(span, Problem::Unsupported, "more than eight primes", ""));
        }
        if name == "phi" && self.names.golden_ratio && !self.names.is_variable("phi") {
            self.note(NoteKind::GoldenRatio, span);
            return Ok(self.leaf(Node::Constant(Constant::GoldenRatio), span));
        }
        if function && order.is_none() && self.inverse_exponent() {
            self.skip_inverse_exponent();
            name.push_str("^{-1}");
        }
        if matches!(self.token.token, Token::Open(Fence::Paren) | Token::Left(Fence::Paren, false))
            && !self.names.is_variable(&name)
        {
            if function || primes > 0 {
                let text = self.tree.push_text(&name);
                return self.call(text, span.start);
            }
            if name == "Gamma" {
                self.note(NoteKind::GammaFunction, span);
                return self.applied(crate::ast::Named::Gamma, span.start);
            }
            if self.is_derived_call(&name) {
                self.tree.doubtful.derived.push(name.clone());
                let text = self.tree.push_text(&name);
                return self.call(text, span.start);
            }
            if let Some(point) = self.named_point(&name, span)? {
                return Ok(point);
            }
            // the condition of `x\ (x>0)`
            let is_spaced = self.lexer.text(Span { start: self.used, end: self.token.start }).contains('\\');
            if is_spaced && self.fences == 0 && self.condition_follows() {
                let text = self.tree.push_text(&name);
                return Ok(self.leaf(Node::Symbol(text), span));
            }
            match self.bracket() {
                Bracket::Statement => return self.named_value(&name, span.start),
                Bracket::Points => {
                    let text = self.tree.push_text(&name);
                    return self.call(text, span.start);
                }
                Bracket::Numbers if FUNCTION_LETTERS.contains(&name.as_str()) => {
                    let text = self.tree.push_text(&name);
                    return self.call(text, span.start);
                }
                // a factor `-2` or `1+2` needs brackets, a factor `2` does not: `a(2)` may be a call
                Bracket::Number { plain } if plain || FUNCTION_LETTERS.contains(&name.as_str()) => {
                    self.tree.doubtful.calls.push(name.clone());
                }
                Bracket::Number { .. } | Bracket::Numbers | Bracket::Factor => {}
            }
            self.note(NoteKind::ProductNotCall, span);
        }
        let text = self.tree.push_text(&name);
        Ok(self.leaf(Node::Symbol(text), span))
    }

    /// Classifies the contents of the bracket after an undeclared letter by their characters.
    fn bracket(&self) -> Bracket {
        const FAR: usize = 200;
        let source = self.lexer.after(self.token.end as usize);
        let text = source.as_bytes();
        let (mut depth, mut letters, mut commas, mut bars) = (0usize, false, false, 0);
        let mut at = 0;
        while at < text.len().min(FAR) {
            match text[at] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth == 0 => break,
                b')' | b']' | b'}' => depth -= 1,
                b'=' | b'<' | b'>' if depth == 0 => return Bracket::Statement,
                b',' if depth == 0 => commas = true,
                b'|' if depth == 0 => bars += 1,
                b'\\' | 0x80.. => {
                    let rest = &source[at..];
                    let (token, length) = if let Some(command) = rest.strip_prefix('\\') {
                        let length = command.bytes().take_while(u8::is_ascii_alphabetic).count();
                        if matches!(command.as_bytes().first(), Some(b',' | b'>')) {
                            // `\,` and `\>` are spaces
                            at += 2;
                            continue;
                        }
                        (commands::command(&command[..length]), 1 + length)
                    } else {
                        let c = rest.chars().next().unwrap_or(' ');
                        (commands::character(c), c.len_utf8())
                    };
                    match token {
                        Some(Token::RightCommand) if depth == 0 => break,
                        Some(side @ (Token::LeftCommand | Token::RightCommand)) => {
                            // A bracket is counted next. Other delimiters, such as the bars of `\left|x\right|`, enclose
                            // in the same way.
                            let delimiter = rest[length..].trim_start();
                            let bracket = delimiter.strip_prefix('\\').unwrap_or(delimiter);
                            if !bracket.starts_with(['(', '[', '{', ')', ']', '}']) {
                                depth = if side == Token::LeftCommand { depth + 1 } else { depth - 1 };
                                let word = bracket.bytes().take_while(u8::is_ascii_alphabetic).count();
                                let own = delimiter.len() - bracket.len();
                                let sign = bracket.chars().next().map_or(0, char::len_utf8);
                                at += rest.len() - delimiter.len()
                                    + own
                                    + if own > 0 { word.max(sign) } else { sign };
                                continue;
                            }
                        }
                        Some(
                            Token::Relation(_) | Token::Cup | Token::Cap | Token::SetMinus | Token::Negation,
                        ) if depth == 0 => return Bracket::Statement,
                        Some(Token::Bar(_)) if depth == 0 => bars += 1,
                        Some(
                            Token::Name(_)
                            | Token::Letter(_)
                            | Token::Upright
                            | Token::Face
                            | Token::Decoration(_),
                        ) => letters = true,
                        _ => {}
                    }
                    at += length;
                    continue;
                }
                letter => letters |= letter.is_ascii_alphabetic() && !matches!(letter, b'e' | b'i'),
            }
            at += 1;
        }
        match (commas, letters) {
            _ if at >= FAR => Bracket::Factor,
            // `P(A|B)`; a pair of bars encloses an absolute value
            _ if bars % 2 == 1 => Bracket::Statement,
            (true, true) => Bracket::Points,
            (true, false) => Bracket::Numbers,
            (false, true) => Bracket::Factor,
            (false, false) => Bracket::Number {
                plain: !text[..at.min(text.len())].iter().any(|b| matches!(b, b'+' | b'-')),
            },
        }
    }

    /// Parses `P(X=4)` and `P(A|B)`: a letter with a statement in brackets is the name of a value.
    fn named_value(&mut self, name: &str, start: u32) -> Parsed {
        let open = self.token;
        let outside = self.enter(true, true)?;
        let first = self.tree.len();
        let (items, such_that) = self.fence_items(Fence::Paren, false)?;
        // `P(A\cap B)` is `P(B\cap A)`
        self.tree.order_set_operands(first, print_node);
        if !matches!(
            (open.token, self.token.token),
            (Token::Open(_), Token::Close(Fence::Paren))
                | (Token::Left(..), Token::Right(Fence::Paren, false))
        ) {
            return Err(self.unclosed(open.span(), "`)`"));
        }
        self.leave(outside);
        let mut name = latex_name(name) + "\\left(";
        for (at, item) in self.tree.list(items).iter().enumerate() {
            name.push_str(match at {
                0 => "",
                _ if such_that && at + 1 == items.len() => "\\mid ",
                _ => ", ",
            });
            name.push_str(&print_node(self.tree, *item));
        }
        name.push_str("\\right)");
        let text = self.tree.push_text(&name);
        Ok(self.leaf(Node::Symbol(text), Span { start, end: self.used }))
    }

    /// Returns whether the letter is declared as a variable, or bound as an index.
    pub(super) fn is_variable(&self, letter: u8) -> bool {
        self.bound & (1 << (letter & 127)) != 0 || {
            let name = [letter];
            self.names.is_variable(std::str::from_utf8(&name).unwrap_or(""))
        }
    }

    fn prime_exponent(&self) -> bool {
        let rest = self.lexer.after(self.token.end as usize);
        let rest = rest.trim_start();
        let rest = rest.strip_prefix('{').map_or(rest, str::trim_start);
        rest.starts_with("\\prime")
    }

    /// Returns whether `^{-1}` and an opening bracket follow.
    pub(super) fn inverse_exponent(&self) -> bool {
        if self.token.token != Token::Caret {
            return false;
        }
        let rest = self.lexer.after(self.token.end as usize).trim_start();
        let Some(rest) = rest.strip_prefix("{-1}") else { return false };
        let rest = rest.trim_start();
        rest.starts_with('(') || rest.starts_with("\\left(")
    }

    fn skip_inverse_exponent(&mut self) {
        for _ in 0..5 {
            // ^ { - 1 }
            self.advance();
        }
    }

    /// Parses `_1`, `_{12}` or `_\text{max}` and appends it to the name in its normal spelling.
    ///
    /// The function is long because it has one arm per way of writing a subscript.
    pub(super) fn subscript(&mut self, name: &mut String) -> Parsed<()> {
        let underscore = self.token;
        if let Some(content) = self.lexer.braced_at(underscore.end as usize) {
            let (inner, end) = content;
            let text = self.lexer.text(inner);
            let mut normal = String::with_capacity(text.len());
            let mut rest = text;
            while let Some(c) = rest.chars().next() {
                if c == '\\' {
                    let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
                    let command = &rest[1..=letters];
                    rest = &rest[1 + letters..];
                    let token = commands::command(command);
                    if let Some(name) = token.and_then(spelled) {
                        normal.push_str(name);
                        continue;
                    }
                    match token {
                        Some(Token::Upright | Token::Face | Token::Skip) => {}
                        Some(_) => normal.push_str(command),
                        // marks that are not part of a calculation: R_\odot, v_\perp
                        None if MARKS.contains(&command) => normal.push_str(command),
                        // a space or another sign without a meaning in a name
                        None if letters == 0 && rest.starts_with(|c: char| c.is_ascii()) => rest = &rest[1..],
                        None if letters == 0 && rest.is_empty() => {}
                        None => {
                            let span = Span { start: underscore.start, end: end as u32 };
                            let command = rest
                                .chars()
                                .next()
                                .filter(|_| letters == 0)
                                .map_or_else(|| command.to_owned(), String::from);
                            return Err(self.error(
                                span,
                                Problem::UnknownCommand,
                                format!("the command `\\{command}` is not known"),
                                "",
                            ));
                        }
                    }
                    continue;
                }
                rest = &rest[c.len_utf8()..];
                match c {
                    '{' | '}' | ' ' | '\t' | '\n' | '~' => {}
                    '_' | '^' | '$' | '&' | '#' | '%' => {
                        let span = Span { start: underscore.start, end: end as u32 };
                        return Err(self.error(
                            span,
                            Problem::Unsupported,
                            format!("`{c}` inside a subscript"),
                            "",
                        ));
                    }
                    _ => match commands::character(c).and_then(spelled) {
                        Some(name) => normal.push_str(name),
                        None => normal.push(c),
                    },
                }
            }
            if normal.is_empty() {
                let span = Span { start: underscore.start, end: end as u32 };
                return Err(self.error(
                    span,
                    Problem::Unexpected,
                    "an empty subscript",
                    "a digit, a letter or a word",
                ));
            }
            self.lexer.at = end;
            self.token.end = end as u32;
            self.advance();
            push_subscript(name, &ordered_terms(normal));
            return Ok(());
        }
        self.advance();
        let taken = self.token;
        if let Some(letter) = spelled(taken.token) {
            push_subscript(name, letter);
            self.advance();
            return Ok(());
        }
        match taken.token {
            Token::Number => {
                // one digit, unless the longer name is declared
                let digits = self.lexer.text(taken.span());
                let count = digits.bytes().take_while(u8::is_ascii_digit).count();
                let mut long = name.clone();
                push_subscript(&mut long, &digits[..count]);
                let length = if count > 1 && (self.names.is_variable(&long) || self.names.is_function(&long))
                {
                    count
                } else {
                    1
                };
                if length < count {
                    self.note(NoteKind::OneCharacter, Span { start: underscore.start, end: taken.end });
                }
                push_subscript(name, &digits[..length]);
                self.split(length);
            }
            Token::Letter(letter) => {
                let letter = [letter];
                push_subscript(name, std::str::from_utf8(&letter).unwrap_or(""));
                self.advance();
            }
            Token::Unknown
                if MARKS.iter().any(|mark| self.lexer.text(taken.span()) == format!("\\{mark}")) =>
            {
                push_subscript(name, self.lexer.text(taken.span()).trim_start_matches('\\'));
                self.advance();
            }
            Token::Words | Token::Function(_) => {
                let written = self.lexer.text(taken.span());
                let inner = if written.contains('{') {
                    self.lexer.upright_text(taken.span())
                } else {
                    written.trim_start_matches('\\')
                };
                let text: String =
                    inner.chars().filter(|c| c.is_alphanumeric() || matches!(c, ',' | '+' | '-')).collect();
                if text.is_empty() {
                    return Err(self.unexpected("a digit, a letter or braces after `_`"));
                }
                push_subscript(name, &text);
                self.advance();
            }
            _ => return Err(self.unexpected("a digit, a letter or braces after `_`")),
        }
        Ok(())
    }

    /// Parses a subscript of Unicode digits and appends it to the name.
    pub(super) fn lowered_subscript(&mut self, name: &mut String) {
        let mut digits = String::new();
        while let Token::Lowered(digit) = self.token.token {
            digits.push(char::from(digit));
            self.advance();
        }
        push_subscript(name, &digits);
    }

    /// Consumes the first `length` bytes of the current number token.
    pub(super) fn split(&mut self, length: usize) {
        let at = self.token.start as usize + length;
        self.lexer.at = at;
        self.token.end = at as u32;
        self.advance();
    }
}

/// Returns a subscript with the terms of a sum in one order, letters before numbers: `1+n` is `n+1`.
fn ordered_terms(subscript: String) -> String {
    let text = subscript.strip_prefix(['+', '-']).unwrap_or(&subscript);
    if !text.contains(['+', '-'])
        || !text.split(['+', '-']).all(|term| !term.is_empty() && term.chars().all(char::is_alphanumeric))
    {
        return subscript;
    }
    let mut terms: Vec<(char, &str)> = Vec::new();
    let (mut sign, mut start) = ('+', 0);
    for (at, c) in subscript.char_indices().filter(|(_, c)| matches!(c, '+' | '-')) {
        if at > 0 {
            terms.push((sign, &subscript[start..at]));
        }
        (sign, start) = (c, at + 1);
    }
    terms.push((sign, &subscript[start..]));
    terms.sort_by_key(|(_, term)| (term.starts_with(|c: char| c.is_ascii_digit()), *term));
    let mut ordered = String::with_capacity(subscript.len());
    for (at, (sign, term)) in terms.into_iter().enumerate() {
        if at > 0 || sign == '-' {
            ordered.push(sign);
        }
        ordered.push_str(term);
    }
    ordered
}
