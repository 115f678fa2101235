//! Grammars of Checktestdata (`.ctd`): what an input must look like, token by token. The language is the one of its
//! specification, with `FLOATP` and `STRLEN`, which the tool has besides.
//!
//! Numbers are exact, whatever their size. A grammar is as little trusted as any validator: its steps, its variables and the
//! size of its numbers are bounded.

mod parse;
mod run;
mod value;

use value::Value;

/// A grammar that was read.
#[derive(Debug, Clone)]
pub struct Grammar {
    commands: Vec<Command>,
}

/// Why a text is not a grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrammarError {
    /// Line of the grammar, from 1.
    pub line: usize,
    /// What is wrong, for people.
    pub message: String,
}

/// Why an input is not what a grammar describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The input is another one.
    Input {
        /// Line of the input, from 1.
        line: usize,
        /// Byte within the line, from 1.
        column: usize,
        /// What was expected there, for people.
        message: String,
    },
    /// The grammar cannot be carried out for this input.
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
    /// The first place that is not of the language.
    pub fn parse(text: &[u8]) -> Result<Self, GrammarError> {
        parse::grammar(text).map(|commands| Self { commands })
    }

    /// Whether an input is as described, to its last byte.
    ///
    /// # Errors
    /// The first place where it is not, or what cannot be worked out.
    pub fn check(&self, input: &[u8]) -> Result<(), Mismatch> {
        run::run(&self.commands, input)
    }
}

/// A variable, with indices where it is an array's element.
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
    /// From left to right.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    Power(Box<Expr>, Box<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Rest,
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
        often: Often,
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
enum Often {
    Times(Expr),
    While(Test),
}
