//! Parses grammars.

use super::value::Value;
use super::{Command, Comparison, Expr, GrammarError, Notation, Operator, Place, Repetition, Test};

/// The maximum nesting depth of loops, conditions and expressions.
const DEPTH: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A word of uppercase letters.
    Word(String),
    Name(String),
    Number(String),
    Text(Vec<u8>),
    Sign(&'static str),
}

/// Operators and punctuation; longer signs precede their prefixes.
const SIGNS: [&str; 21] = [
    "<=", ">=", "==", "!=", "&&", "||", "<", ">", "!", "(", ")", "[", "]", ",", "=", "+", "-", "*", "%", "/",
    "^",
];

struct Reader {
    /// The tokens with their lines.
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
}

type Read<T> = Result<T, GrammarError>;

pub(super) fn grammar(text: &[u8]) -> Read<Vec<Command>> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, depth: 0 };
    let commands = reader.commands()?;
    if reader.at < reader.tokens.len() {
        return Err(reader.wrong("a command"));
    }
    Ok(commands)
}

fn tokens(text: &[u8]) -> Read<Vec<(Token, usize)>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(&first) = rest.first() {
        let run = |good: fn(&u8) -> bool| rest.iter().take_while(|byte| good(byte)).count();
        let taken = match first {
            b'\n' => {
                line += 1;
                1
            }
            b' ' | b'\t' | b'\r' => 1,
            b'#' => run(|byte| *byte != b'\n'),
            b'A'..=b'Z' => {
                let length = run(u8::is_ascii_uppercase);
                tokens.push((Token::Word(written(rest, length)), line));
                length
            }
            b'a'..=b'z' => {
                let length = run(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
                tokens.push((Token::Name(written(rest, length)), line));
                length
            }
            b'0'..=b'9' => {
                let length = number(rest);
                tokens.push((Token::Number(written(rest, length)), line));
                length
            }
            b'"' => {
                let (text, length) = quoted(rest, line)?;
                tokens.push((Token::Text(text), line));
                line += rest.iter().take(length).filter(|byte| **byte == b'\n').count();
                length
            }
            _ => {
                let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) else {
                    let shown = char::from(first).escape_default();
                    return Err(GrammarError { line, message: format!("unexpected character `{shown}`") });
                };
                tokens.push((Token::Sign(sign), line));
                sign.len()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    Ok(tokens)
}

fn written(rest: &[u8], length: usize) -> String {
    String::from_utf8_lossy(rest.get(..length).unwrap_or_default()).into_owned()
}

/// Returns the length of the number at the beginning of a text: digits, an optional fraction, an optional exponent.
pub(super) fn number(text: &[u8]) -> usize {
    let digits = |from: usize| text.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    if length == 0 {
        return 0;
    }
    if text.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(text.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    length
}

/// Returns the bytes of a quoted text, and the length of its source, including the quotation marks.
fn quoted(text: &[u8], line: usize) -> Read<(Vec<u8>, usize)> {
    let mut bytes = Vec::new();
    let mut at = 1;
    loop {
        let Some(&byte) = text.get(at) else {
            return Err(GrammarError { line, message: "unterminated text".to_owned() });
        };
        at += 1;
        if byte == b'"' {
            return Ok((bytes, at));
        }
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let octal: Vec<u8> =
            text.iter().skip(at).take(3).copied().take_while(|byte| (b'0'..=b'7').contains(byte)).collect();
        if !octal.is_empty() {
            at += octal.len();
            let value = octal.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            bytes.push(value as u8);
            continue;
        }
        let known = match text.get(at) {
            Some(b'n') => Some(b'\n'),
            Some(b't') => Some(b'\t'),
            Some(b'r') => Some(b'\r'),
            Some(b'b') => Some(8),
            Some(b'"') => Some(b'"'),
            Some(b'\\') => Some(b'\\'),
            Some(b'\n') => {
                at += 1;
                continue;
            }
            _ => None,
        };
        match known {
            Some(known) => {
                bytes.push(known);
                at += 1;
            }
            None => bytes.push(b'\\'),
        }
    }
}

impl Reader {
    fn next(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn wrong(&self, expected: &str) -> GrammarError {
        let line = self.tokens.get(self.at).or_else(|| self.tokens.last()).map_or(1, |(_, line)| *line);
        let found = match self.next() {
            None => "the end".to_owned(),
            Some(Token::Word(text) | Token::Name(text) | Token::Number(text)) => format!("`{text}`"),
            Some(Token::Text(_)) => "a text".to_owned(),
            Some(Token::Sign(sign)) => format!("`{sign}`"),
        };
        GrammarError { line, message: format!("expected {expected}, found {found}") }
    }

    fn has(&mut self, sign: &'static str) -> bool {
        let here = self.next() == Some(&Token::Sign(sign));
        self.at += usize::from(here);
        here
    }

    fn must(&mut self, sign: &'static str) -> Read<()> {
        if self.has(sign) { Ok(()) } else { Err(self.wrong(&format!("`{sign}`"))) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.next(), Some(Token::Word(known)) if known == word)
    }

    fn has_word(&mut self, word: &str) -> bool {
        let here = self.is_word(word);
        self.at += usize::from(here);
        here
    }

    fn name(&mut self) -> Read<String> {
        match self.next() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.wrong("the name of a variable")),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEPTH {
            return Err(self.wrong(&format!("at most {DEPTH} levels within each other")));
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    fn commands(&mut self) -> Read<Vec<Command>> {
        let mut commands = Vec::new();
        while let Some(token) = self.next() {
            match token {
                Token::Word(word) if word == "END" || word == "ELSE" => break,
                _ => commands.push(self.command()?),
            }
        }
        Ok(commands)
    }

    fn command(&mut self) -> Read<Command> {
        let Some(Token::Word(word)) = self.next().cloned() else { return Err(self.wrong("a command")) };
        self.at += 1;
        Ok(match word.as_str() {
            "SPACE" => Command::Space,
            "NEWLINE" => Command::Newline,
            "EOF" => Command::Eof,
            "REP" | "REPI" | "WHILE" | "WHILEI" => return self.deeper(|this| this.repeat(&word)),
            "IF" => return self.deeper(Self::condition),
            "INT" | "FLOAT" | "FLOATP" | "STRING" | "REGEX" | "ASSERT" | "SET" | "UNSET" => {
                self.must("(")?;
                let command = self.deeper(|this| this.token(&word))?;
                self.must(")")?;
                command
            }
            _ => {
                self.at -= 1;
                return Err(self.wrong("a command"));
            }
        })
    }

    fn token(&mut self, word: &str) -> Read<Command> {
        Ok(match word {
            "INT" => {
                let (least, most) = self.range()?;
                let to = if self.has(",") { Some(self.place()?) } else { None };
                Command::Int { least, most, to }
            }
            "FLOAT" | "FLOATP" => {
                let (least, most) = self.range()?;
                let decimals = if word == "FLOATP" {
                    self.must(",")?;
                    Some(self.range()?)
                } else {
                    None
                };
                let to = if self.has(",") { Some(self.place()?) } else { None };
                let notation = if self.has(",") { Some(self.notation()?) } else { None };
                Command::Float { least, most, decimals, to, notation }
            }
            "STRING" => Command::Text(self.expression()?),
            "REGEX" => {
                let pattern = self.expression()?;
                Command::Regex(pattern, if self.has(",") { Some(self.place()?) } else { None })
            }
            "ASSERT" => Command::Assert(self.test()?),
            "UNSET" => Command::Unset(self.names()?),
            _ => {
                let mut all = Vec::new();
                loop {
                    let place = self.place()?;
                    self.must("=")?;
                    all.push((place, self.expression()?));
                    if !self.has(",") {
                        break Command::Set(all);
                    }
                }
            }
        })
    }

    fn range(&mut self) -> Read<(Expr, Expr)> {
        let least = self.expression()?;
        self.must(",")?;
        Ok((least, self.expression()?))
    }

    fn notation(&mut self) -> Read<Notation> {
        if self.has_word("FIXED") {
            Ok(Notation::Fixed)
        } else if self.has_word("SCIENTIFIC") {
            Ok(Notation::Scientific)
        } else {
            Err(self.wrong("`FIXED` or `SCIENTIFIC`"))
        }
    }

    fn names(&mut self) -> Read<Vec<String>> {
        let mut names = vec![self.name()?];
        while self.has(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    fn repeat(&mut self, word: &str) -> Read<Command> {
        self.must("(")?;
        let index = if word.ends_with('I') {
            let index = self.place()?;
            self.must(",")?;
            Some(index)
        } else {
            None
        };
        let repetition = if word.starts_with("REP") {
            Repetition::Times(self.expression()?)
        } else {
            Repetition::While(self.test()?)
        };
        let between = if self.has(",") { Some(Box::new(self.command()?)) } else { None };
        self.must(")")?;
        let body = self.commands()?;
        self.end()?;
        Ok(Command::Repeat { repetition, index, between, body })
    }

    fn condition(&mut self) -> Read<Command> {
        self.must("(")?;
        let test = self.test()?;
        self.must(")")?;
        let then = self.commands()?;
        let otherwise = if self.has_word("ELSE") { self.commands()? } else { Vec::new() };
        self.end()?;
        Ok(Command::If { test, then, otherwise })
    }

    fn end(&mut self) -> Read<()> {
        if self.has_word("END") { Ok(()) } else { Err(self.wrong("`END`")) }
    }

    fn place(&mut self) -> Read<Place> {
        let name = self.name()?;
        let mut indices = Vec::new();
        if self.has("[") {
            loop {
                indices.push(self.deeper(Self::expression)?);
                if !self.has(",") {
                    break;
                }
            }
            self.must("]")?;
        }
        Ok(Place { name, indices })
    }

    fn expression(&mut self) -> Read<Expr> {
        self.chain(&[("+", Operator::Plus), ("-", Operator::Minus)], Self::term)
    }

    fn term(&mut self) -> Read<Expr> {
        let signs = [("*", Operator::Times), ("/", Operator::Divide), ("%", Operator::Remainder)];
        self.chain(&signs, Self::factor)
    }

    fn chain(&mut self, signs: &[(&'static str, Operator)], part: fn(&mut Self) -> Read<Expr>) -> Read<Expr> {
        let first = part(self)?;
        let mut rest = Vec::new();
        while let Some((_, operator)) = signs.iter().find(|(sign, _)| self.has(sign)) {
            rest.push((*operator, part(self)?));
        }
        Ok(if rest.is_empty() { first } else { Expr::Chain(Box::new(first), rest) })
    }

    fn factor(&mut self) -> Read<Expr> {
        self.deeper(|this| {
            if this.has("-") {
                return Ok(Expr::Negative(Box::new(this.factor()?)));
            }
            let base = this.value()?;
            Ok(if this.has("^") { Expr::Power(Box::new(base), Box::new(this.factor()?)) } else { base })
        })
    }

    fn value(&mut self) -> Read<Expr> {
        if self.has("(") {
            let inner = self.expression()?;
            self.must(")")?;
            return Ok(inner);
        }
        if self.has_word("STRLEN") {
            self.must("(")?;
            let inner = self.expression()?;
            self.must(")")?;
            return Ok(Expr::Length(Box::new(inner)));
        }
        match self.next() {
            Some(Token::Number(text)) => {
                let integer = text.bytes().all(|byte| byte.is_ascii_digit());
                let value = if integer { Value::from_digits(text) } else { Value::from_float(text) };
                let Some(value) = value else { return Err(self.wrong("a number that is not too large")) };
                self.at += 1;
                Ok(Expr::Value(value))
            }
            Some(Token::Text(text)) => {
                let value = Value::Text(text.clone());
                self.at += 1;
                Ok(Expr::Value(value))
            }
            Some(Token::Name(_)) => Ok(Expr::Variable(self.place()?)),
            _ => Err(self.wrong("a value")),
        }
    }

    fn test(&mut self) -> Read<Test> {
        self.deeper(|this| {
            let mut any = vec![this.all()?];
            while this.has("||") {
                any.push(this.all()?);
            }
            Ok(if any.len() == 1 { any.remove(0) } else { Test::Any(any) })
        })
    }

    fn all(&mut self) -> Read<Test> {
        let mut all = vec![self.single()?];
        while self.has("&&") {
            all.push(self.single()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Test::All(all) })
    }

    fn single(&mut self) -> Read<Test> {
        if self.has("!") {
            return Ok(Test::Not(Box::new(self.deeper(Self::single)?)));
        }
        if self.has_word("ISEOF") {
            return Ok(Test::IsEof);
        }
        for word in ["MATCH", "UNIQUE", "INARRAY"] {
            if self.has_word(word) {
                self.must("(")?;
                let test = match word {
                    "MATCH" => Test::Match(self.expression()?),
                    "UNIQUE" => Test::Unique(self.names()?),
                    _ => {
                        let value = self.expression()?;
                        self.must(",")?;
                        Test::InArray(value, self.name()?)
                    }
                };
                self.must(")")?;
                return Ok(test);
            }
        }
        // A parenthesis can begin a value or a test. If no comparison can be read from here, it begins a test.
        let start = self.at;
        match self.comparison() {
            Ok(test) => Ok(test),
            Err(why) => {
                self.at = start;
                if !self.has("(") {
                    return Err(why);
                }
                let test = self.test()?;
                self.must(")")?;
                Ok(test)
            }
        }
    }

    fn comparison(&mut self) -> Read<Test> {
        let left = self.expression()?;
        let how = [
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("==", Comparison::Equal),
            ("!=", Comparison::Different),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        let Some((_, how)) = how.iter().find(|(sign, _)| self.has(sign)) else {
            return Err(self.wrong("a comparison"));
        };
        Ok(Test::Compare(left, *how, self.expression()?))
    }
}
