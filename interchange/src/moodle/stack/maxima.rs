//! A parser for the part of Maxima's language in which question variables are written.

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    /// A number as written, possibly with a point or an exponent.
    Number(String),
    Name(String),
    Text(String),
    Call(String, Vec<Expr>),
    List(Vec<Expr>),
    Set(Vec<Expr>),
    /// `+ - * / ^ = # < > <= >= and or`
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Negative(Box<Expr>),
    Not(Box<Expr>),
    Factorial(Box<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Vec<Expr>),
}

/// The name of the call that represents a quoted expression.
pub(super) const QUOTE: &str = "'";

/// Words that are not names of variables.
const KEYWORDS: &[&str] = &["if", "for", "while", "block", "lambda", "do", "then", "else", "and", "or"];

/// A statement of question variables.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Statement {
    Assign(String, Expr),
    Define(String, Vec<String>, Expr),
    /// Any other statement that can be read.
    Expression(Expr),
    /// A statement that cannot be read.
    Unread {
        /// The names that it may assign.
        assigned: Vec<String>,
        /// All names in the statement.
        names: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(String),
    Name(String),
    Text(String),
    Sign(&'static str),
}

/// Operators and delimiters; longer ones come first, because the first match is taken.
const SIGNS: &[&str] = &[
    ":=", "::", "<=", ">=", "**", "+", "-", "*", "/", "^", "=", "#", "<", ">", "(", ")", "[", "]", "{", "}",
    ",", ";", "$", ":", "!", "'", ".", "@", "~",
];

/// Returns the tokens of a text, at most 50,001, each with a flag that is true if it begins a line.
fn tokens(text: &str) -> Vec<(Token, bool)> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut new_line = true;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            new_line |= first == '\n' || first == '\r';
            rest = &rest[first.len_utf8()..];
            continue;
        }
        if let Some(inside) = rest.strip_prefix("/*") {
            rest = inside.find("*/").map_or("", |end| &inside[end + 2..]);
            continue;
        }
        let length = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        let token = if first.is_ascii_digit()
            || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let mut end = length(|c| c.is_ascii_digit() || c == '.');
            let tail = &rest[end..];
            if tail.starts_with(['e', 'E']) {
                let sign = usize::from(tail[1..].starts_with(['+', '-']));
                let digits = tail[1 + sign..].bytes().take_while(u8::is_ascii_digit).count();
                if digits > 0 {
                    end += 1 + sign + digits;
                }
            }
            let number = rest[..end].to_owned();
            rest = &rest[end..];
            Token::Number(number)
        } else if first.is_alphabetic() || first == '%' || first == '_' {
            let end = length(|c| c.is_alphanumeric() || c == '%' || c == '_');
            let name = rest[..end].to_owned();
            rest = &rest[end..];
            Token::Name(name)
        } else if first == '"' {
            let mut text = String::new();
            let mut chars = rest[1..].char_indices();
            let mut end = rest.len();
            while let Some((at, char)) = chars.next() {
                match char {
                    '\\' => text.extend(chars.next().map(|(_, char)| char)),
                    '"' => {
                        end = at + 2;
                        break;
                    }
                    _ => text.push(char),
                }
            }
            rest = &rest[end.min(rest.len())..];
            Token::Text(text)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            rest = &rest[sign.len()..];
            Token::Sign(sign)
        } else {
            rest = &rest[first.len_utf8()..];
            Token::Sign("?")
        };
        found.push((token, new_line));
        new_line = false;
        if found.len() > 50_000 {
            break;
        }
    }
    found
}

/// Parses a text that is a single expression.
pub(super) fn expression(text: &str) -> Option<Expr> {
    let tokens = tokens(text);
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, height: 0 };
    let expr = parser.binary(0)?;
    while parser.take(";") || parser.take("$") {}
    (parser.at == tokens.len()).then_some(expr)
}

/// Returns the statements of question variables. An unreadable statement extends to the next `;`, `$` or assignment on
/// a new line.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let tokens = tokens(text);
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, height: 0 };
    let mut found = Vec::new();
    while parser.at < tokens.len() {
        if parser.take(";") || parser.take("$") {
            continue;
        }
        let start = parser.at;
        parser.depth = 0;
        match parser.statement() {
            Some(statement) if parser.at > start && parser.at_end_of_statement() => found.push(statement),
            _ => {
                parser.at = start + 1;
                while parser.at < tokens.len()
                    && !matches!(tokens[parser.at].0, Token::Sign(";" | "$"))
                    && !parser.assignment_begins()
                {
                    parser.at += 1;
                }
                found.push(unread(&tokens[start..parser.at]));
            }
        }
    }
    found
}

/// Returns an unreadable statement; names before `:`, `::` and `:=` may be assigned, also with an index.
fn unread(tokens: &[(Token, bool)]) -> Statement {
    let (mut assigned, mut names) = (Vec::new(), Vec::new());
    // The open brackets: the name before an index, and the place of the bracket.
    let mut open: Vec<(Option<&String>, usize)> = Vec::new();
    // The name whose index was closed last.
    let mut indexed: Option<&String> = None;
    // `[a, b]: ...` assigns each name of the list. This is the range of all such lists.
    let mut listed = (tokens.len(), 0);
    for (at, (token, _)) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|(token, _)| token);
        let before = matches!(next, Some(Token::Sign(":" | "::" | ":=")));
        match token {
            Token::Name(name) => {
                names.push(name.clone());
                // A function `f(x)` at the beginning may be assigned too.
                if before || at == 0 && matches!(next, Some(Token::Sign("("))) {
                    assigned.push(name.clone());
                }
            }
            Token::Sign("[") => {
                let name = match at.checked_sub(1).map(|before| &tokens[before].0) {
                    Some(Token::Name(name)) if !KEYWORDS.contains(&name.as_str()) => Some(name),
                    Some(Token::Sign("]")) => indexed,
                    _ => None,
                };
                open.push((name, at));
            }
            Token::Sign("]") => {
                let (name, from) = open.pop().unwrap_or((None, 0));
                indexed = name;
                match name {
                    Some(name) if before => assigned.push(name.clone()),
                    None if before => listed = (listed.0.min(from), at),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let lists = tokens.get(listed.0..listed.1).unwrap_or_default();
    assigned.extend(lists.iter().filter_map(|(token, _)| match token {
        Token::Name(name) => Some(name.clone()),
        _ => None,
    }));
    Statement::Unread { assigned, names }
}

struct Parser<'t> {
    tokens: &'t [(Token, bool)],
    at: usize,
    /// The depth of the recursion.
    depth: usize,
    /// The height of the expression that was parsed last.
    height: usize,
}

/// The maximum depth of the recursion.
const MAX_DEPTH: usize = 80;

/// The maximum height of an expression. Chains such as `1-1-1` and `x!!!` are parsed without recursion, but the
/// functions that process an expression recurse.
const MAX_HEIGHT: usize = 200;

/// Operators by increasing precedence: spelling in the source, operator, level.
const OPERATORS: &[(&str, &str, u8)] = &[
    ("=", "=", 3),
    ("#", "#", 3),
    ("<=", "<=", 3),
    (">=", ">=", 3),
    ("<", "<", 3),
    (">", ">", 3),
    ("+", "+", 4),
    ("-", "-", 4),
    ("*", "*", 5),
    ("/", "/", 5),
];

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(next)) if *next == sign);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.at += usize::from(found);
        found
    }

    /// Returns whether an assignment `name :` begins a line here.
    fn assignment_begins(&self) -> bool {
        matches!(self.tokens.get(self.at), Some((Token::Name(_), true)))
            && matches!(self.tokens.get(self.at + 1), Some((Token::Sign(":"), _)))
    }

    fn at_end_of_statement(&self) -> bool {
        match self.tokens.get(self.at) {
            None | Some((Token::Sign(";" | "$"), _)) => true,
            // A semicolon at the end of a line may be missing.
            Some((_, new_line)) => *new_line,
        }
    }

    fn statement(&mut self) -> Option<Statement> {
        if let Some(Token::Name(name)) = self.peek() {
            let name = name.clone();
            match self.tokens.get(self.at + 1) {
                Some((Token::Sign(":"), _)) => {
                    self.at += 2;
                    return Some(Statement::Assign(name, self.binary(0)?));
                }
                Some((Token::Sign("("), _)) => {
                    if let Some(parameters) = self.parameters() {
                        return Some(Statement::Define(name, parameters, self.binary(0)?));
                    }
                }
                _ => {}
            }
        }
        self.binary(0).map(Statement::Expression)
    }

    /// Parses `(x, y) :=` after a name.
    fn parameters(&mut self) -> Option<Vec<String>> {
        let mut at = self.at + 2;
        let mut names = Vec::new();
        loop {
            match (&self.tokens.get(at)?.0, &self.tokens.get(at + 1)?.0) {
                (Token::Name(name), Token::Sign(",")) => {
                    names.push(name.clone());
                    at += 2;
                }
                (Token::Name(name), Token::Sign(")")) => {
                    names.push(name.clone());
                    at += 2;
                    break;
                }
                _ => return None,
            }
        }
        matches!(self.tokens.get(at)?.0, Token::Sign(":=")).then(|| {
            self.at = at + 1;
            names
        })
    }

    /// Sets the height of an expression whose highest operand has this height; `None` if it is too high.
    fn raise(&mut self, operand: usize) -> Option<()> {
        self.height = operand + 1;
        (self.height <= MAX_HEIGHT).then_some(())
    }

    /// Parses the right operand of an operator, and sets the height of the operation.
    fn right(&mut self, least: u8) -> Option<Expr> {
        let left = self.height;
        let right = self.binary(least)?;
        self.raise(left.max(self.height))?;
        Some(right)
    }

    fn binary(&mut self, least: u8) -> Option<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = if least <= 3 && self.word("not") {
            let inner = self.binary(3)?;
            self.raise(self.height)?;
            Expr::Not(Box::new(inner))
        } else {
            self.signed(least)?
        };
        loop {
            if least <= 1 && self.word("or") {
                let right = self.right(2)?;
                left = Expr::Binary("or", Box::new(left), Box::new(right));
                continue;
            }
            if least <= 2 && self.word("and") {
                let right = self.right(3)?;
                left = Expr::Binary("and", Box::new(left), Box::new(right));
                continue;
            }
            let Some(Token::Sign(sign)) = self.peek() else { break };
            let Some((_, operator, level)) = OPERATORS.iter().find(|(spelling, _, _)| spelling == sign)
            else {
                break;
            };
            if *level < least {
                break;
            }
            self.at += 1;
            let right = self.right(level + 1)?;
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    fn signed(&mut self, least: u8) -> Option<Expr> {
        if self.take("-") {
            // A minus applies to a whole product: `-a*b^2` is `-(a*b^2)`.
            let inner = self.binary(least.max(5))?;
            self.raise(self.height)?;
            return Some(Expr::Negative(Box::new(inner)));
        }
        if self.take("+") {
            return self.binary(least.max(5));
        }
        self.power()
    }

    fn power(&mut self) -> Option<Expr> {
        let mut base = self.atom()?;
        loop {
            let height = self.height;
            if self.take("!") {
                base = Expr::Factorial(Box::new(base));
            } else if self.take("[") {
                base = Expr::Index(Box::new(base), self.items("]")?);
            } else {
                break;
            }
            self.raise(height.max(self.height))?;
        }
        if self.take("^") || self.take("**") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return None;
            }
            let height = self.height;
            let negative = self.take("-");
            let exponent = self.power()?;
            let exponent = if negative { Expr::Negative(Box::new(exponent)) } else { exponent };
            self.raise(height.max(self.height + usize::from(negative)))?;
            self.depth -= 1;
            return Some(Expr::Binary("^", Box::new(base), Box::new(exponent)));
        }
        Some(base)
    }

    /// Parses items up to a closing sign; the height is that of a list of them.
    fn items(&mut self, close: &str) -> Option<Vec<Expr>> {
        let mut items = Vec::new();
        let mut height = 0;
        if self.take(close) {
            self.raise(height)?;
            return Some(items);
        }
        loop {
            items.push(self.binary(0)?);
            height = height.max(self.height);
            if self.take(close) {
                self.raise(height)?;
                return Some(items);
            }
            if !self.take(",") || items.len() > 1_000 {
                return None;
            }
        }
    }

    fn atom(&mut self) -> Option<Expr> {
        if self.take("'") {
            // Two quotes force evaluation. This reader always evaluates, so they are ignored; more quotes are not supported.
            let twice = self.take("'");
            if matches!(self.peek(), Some(Token::Sign("'"))) {
                return None;
            }
            if twice {
                return self.atom();
            }
            let quoted = self.atom()?;
            self.raise(self.height)?;
            return Some(Expr::Call(QUOTE.to_owned(), vec![quoted]));
        }
        let token = self.peek()?.clone();
        self.at += 1;
        self.height = 1;
        match token {
            Token::Number(number) => Some(Expr::Number(number)),
            Token::Text(text) => Some(Expr::Text(text)),
            Token::Name(name) => {
                if KEYWORDS.contains(&name.as_str()) {
                    return None;
                }
                if self.take("(") {
                    return Some(Expr::Call(name, self.items(")")?));
                }
                Some(Expr::Name(name))
            }
            Token::Sign("(") => {
                let inner = self.items(")")?;
                // A sequence `(a, b)`, whose value is that of its last expression, is not supported.
                (inner.len() == 1).then(|| inner.into_iter().next()).flatten()
            }
            Token::Sign("[") => Some(Expr::List(self.items("]")?)),
            Token::Sign("{") => Some(Expr::Set(self.items("}")?)),
            Token::Sign(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Expr, Statement, expression, statements};

    fn shown(expr: &Expr) -> String {
        match expr {
            Expr::Number(text) | Expr::Name(text) => text.clone(),
            Expr::Text(text) => format!("{text:?}"),
            Expr::Call(name, items) => format!("{name}({})", list(items)),
            Expr::List(items) => format!("[{}]", list(items)),
            Expr::Set(items) => format!("{{{}}}", list(items)),
            Expr::Binary(operator, a, b) => format!("({} {operator} {})", shown(a), shown(b)),
            Expr::Negative(inner) => format!("(-{})", shown(inner)),
            Expr::Not(inner) => format!("(not {})", shown(inner)),
            Expr::Factorial(inner) => format!("{}!", shown(inner)),
            Expr::Index(inner, items) => format!("{}[{}]", shown(inner), list(items)),
        }
    }

    fn list(items: &[Expr]) -> String {
        items.iter().map(shown).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn precedence_is_that_of_maxima() {
        for (text, tree) in [
            ("-x^2+1", "((-(x ^ 2)) + 1)"),
            ("2*x^-1/3", "((2 * (x ^ (-1))) / 3)"),
            ("a-b-c", "((a - b) - c)"),
            ("2^3^2", "(2 ^ (3 ^ 2))"),
            ("-a*b", "(-(a * b))"),
            ("x=1 or x=2 and not y", "((x = 1) or ((x = 2) and (not y)))"),
            ("f(x, [1, {2}])!", "f(x, [1, {2}])!"),
            ("l[1][2]", "l[1][2]"),
            ("1.5e-3*%pi /* note */", "(1.5e-3 * %pi)"),
        ] {
            assert_eq!(expression(text).as_ref().map(shown).as_deref(), Some(tree), "{text}");
        }
        for broken in ["", "1+", "(1", "a b", "if x then y", &"(".repeat(9_000)] {
            assert_eq!(expression(broken), None);
        }
        assert_eq!(expression("''f(''x)").as_ref().map(shown).as_deref(), Some("f(x)"));
    }

    #[test]
    fn chains_have_a_limited_height() {
        // Dropping higher expressions would overflow the stack.
        for link in ["!", "[1]", "-1", " and y", " = y", "(y)^2", "^y", "^-y"] {
            let chain = |links: usize| format!("x{}", link.replace('(', "*(").repeat(links));
            assert!(expression(&chain(70)).is_some(), "{link}");
            assert_eq!(expression(&chain(20_000)), None, "{link}");
            // Chains within chains are limited too.
            let inner = format!("[{}]", chain(70));
            let nested = (0..60).fold(inner, |inner, _| format!("[{inner}{}]", "+y".repeat(60)));
            assert_eq!(expression(&nested), None, "{link}");
        }
        for prefix in ["'", "-", "not "] {
            assert_eq!(expression(&format!("{}x", prefix.repeat(40_000))), None, "{prefix}");
        }
        let found = statements(&format!("a:x{};b:1;", "!".repeat(20_000)));
        assert!(matches!(&found[..], [Statement::Unread { .. }, Statement::Assign(..)]));
    }

    #[test]
    fn statements_end_at_semicolons_and_lines() {
        let found =
            statements("v:x\np:3*v+7=4\nf(t,y):=t*y; bad: if a then b;\n[c,d]:[1,a];\nlast:1$ print(1);");
        let told: Vec<String> = found
            .iter()
            .map(|statement| match statement {
                Statement::Assign(name, expr) => format!("{name} is {}", shown(expr)),
                Statement::Define(name, parameters, _) => format!("{name} of {}", parameters.join(" ")),
                Statement::Expression(_) => "expression".to_owned(),
                Statement::Unread { assigned, .. } => format!("unread {}", assigned.join(" ")),
            })
            .collect();
        assert_eq!(
            told,
            [
                "v is x",
                "p is (((3 * v) + 7) = 4)",
                "f of t y",
                "unread bad",
                "unread c d",
                "last is 1",
                "expression"
            ]
        );
    }
}
