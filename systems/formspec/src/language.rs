//! The interface to an expression language that an evaluation needs.

use std::collections::BTreeMap;
use std::fmt;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::json::Json;

use crate::time::Moment;

/// The reason why an expression could not be read or evaluated. It contains no value from a respondent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    message: String,
}

impl Problem {
    /// Creates a problem from one sentence without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// Returns the sentence.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Limits for one evaluation of one expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The maximum number of nodes to visit.
    pub steps: u64,
    /// The maximum size of intermediate values, in bytes.
    pub bytes: u64,
}

/// A node of the nested answers: an answer, a group or a repeat.
#[derive(Debug, Clone, PartialEq)]
pub enum Node<'a> {
    /// An answer, or null if there is none.
    Answer {
        /// The value.
        value: &'a Json,
        /// The item's data type, which decides whether a text is read as a date.
        data_type: Option<&'a str>,
    },
    /// The items of a group, by key.
    Group(BTreeMap<&'a str, Node<'a>>),
    /// The instances of a repeat, by number.
    Rows(BTreeMap<usize, Node<'a>>),
}

/// The answers as expressions read them.
#[derive(Debug, Clone, PartialEq)]
pub enum Data<'a> {
    /// Nested, as in Formspec's data model.
    Nested(BTreeMap<&'a str, Node<'a>>),
    /// One value per item path, as in the reference implementation.
    Flat(Vec<(&'a str, &'a Json)>),
}

/// An expression language, which parses once, evaluates often, and reads no clock.
pub trait Language {
    /// A parsed expression.
    type Expression;
    /// The answers and the clock, prepared once for many expressions.
    type Scope;

    /// Parses `source`.
    ///
    /// # Errors
    /// Returns the problem if the syntax is wrong or the size exceeds the implementation's bounds. An unknown
    /// function can be reported here or by the evaluation.
    fn parse(&self, source: &str) -> Result<Self::Expression, Problem>;

    /// Returns the sorted names of the items that an expression reads: `group.field`, with `[*]` for every
    /// instance.
    fn names(&self, expression: &Self::Expression) -> Vec<String>;

    /// Returns why an expression can fail independently of the answers: it calls an unknown function, or one with a
    /// wrong number of arguments. `None` if there is no such call, or if [`Language::parse`] reports it.
    fn flaw(&self, _expression: &Self::Expression) -> Option<Problem> {
        None
    }

    /// Prepares answers. `now` is the value of `today()` and `now()`; without it they are errors.
    fn scope(&self, data: &Data<'_>, now: Option<&Moment>) -> Self::Scope;

    /// Returns whether a condition holds. Null does not; numbers hold unless zero, texts and lists unless empty.
    ///
    /// # Errors
    /// Returns the problem if the language reports an error or the allowance is exhausted.
    fn holds(
        &self,
        expression: &Self::Expression,
        scope: &Self::Scope,
        allowance: Allowance,
    ) -> Result<bool, Problem>;

    /// Returns a score; `None` if the value is null or not a number.
    ///
    /// # Errors
    /// The same as for [`Language::holds`].
    fn score(
        &self,
        expression: &Self::Expression,
        scope: &Self::Scope,
        allowance: Allowance,
    ) -> Result<Option<Decimal>, Problem>;

    /// Returns the text of a value inside a message. Null is empty if the expression reads data or is a literal.
    ///
    /// # Errors
    /// The same as for [`Language::holds`], and an error for a null that neither comes from data nor is a literal.
    fn text(
        &self,
        expression: &Self::Expression,
        scope: &Self::Scope,
        allowance: Allowance,
    ) -> Result<String, Problem>;
}
