//! Checktestdata grammars (`.ctd`), which describe an input token by token. The language is that of the specification,
//! plus `FLOATP` and `STRLEN` from the tool.
//!
//! Numbers are exact. Like any validator, a grammar is not trusted: its steps, its variables and the size of its
//! numbers are bounded.

mod parse;
mod run;
mod value;

use value::Value;

/// A parsed grammar.
#[derive(Debug, Clone)]
pub struct Grammar {
    commands: Vec<Command>,
}

/// The reason why a text is not a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarError {
    /// Line of the grammar, from 1.
    pub line: usize,
    /// A description of the defect.
    pub message: String,
}

/// The reason why an input does not match a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The input does not match.
    Input {
        /// Line of the input, from 1.
        line: usize,
        /// Byte within the line, from 1.
        column: usize,
        /// A description of the mismatch.
        message: String,
    },
    /// The grammar cannot be evaluated for this input.
    Grammar(String),
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input { line, column, message } => write!(f, "line {line}, byte {column}: {message}"),
            Self::Grammar(message) => f.write_str(message),
        }
    }
}

impl Grammar {
    /// Reads a grammar.
    ///
    /// # Errors
    /// The first defect of the text.
    pub fn parse(text: &[u8]) -> Result<Self, GrammarError> {
        parse::grammar(text).map(|commands| Self { commands })
    }

    /// Checks whether a whole input matches the grammar.
    ///
    /// # Errors
    /// The first position that does not match, or the reason why the grammar cannot be evaluated.
    pub fn check(&self, input: &[u8]) -> Result<(), Mismatch> {
        run::run(&self.commands, input)
    }
}

/// A variable, with indices if it is an element of an array.
#[derive(Debug, Clone)]
struct Place {
    name: String,
    indices: Vec<Expr>,
}

#[derive(Debug, Clone)]
enum Expr {
    Value(Value),
    Variable(Place),
    Length(Box<Expr>),
    Negative(Box<Expr>),
    /// A chain of operations from left to right.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    Power(Box<Expr>, Box<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Divide,
    Remainder,
}

#[derive(Debug, Clone)]
enum Test {
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Compare(Expr, Comparison, Expr),
    Match(Expr),
    Unique(Vec<String>),
    InArray(Expr, String),
    IsEof,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    Greater,
    AtMost,
    AtLeast,
    Equal,
    Different,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Fixed,
    Scientific,
}

#[derive(Debug, Clone)]
enum Command {
    Space,
    Newline,
    Eof,
    Int {
        least: Expr,
        most: Expr,
        to: Option<Place>,
    },
    Float {
        least: Expr,
        most: Expr,
        decimals: Option<(Expr, Expr)>,
        to: Option<Place>,
        notation: Option<Notation>,
    },
    Text(Expr),
    Regex(Expr, Option<Place>),
    Assert(Test),
    Set(Vec<(Place, Expr)>),
    Unset(Vec<String>),
    Repeat {
        repetition: Repetition,
        index: Option<Place>,
        between: Option<Box<Command>>,
        body: Vec<Command>,
    },
    If {
        test: Test,
        then: Vec<Command>,
        otherwise: Vec<Command>,
    },
}

#[derive(Debug, Clone)]
enum Repetition {
    Times(Expr),
    While(Test),
}
