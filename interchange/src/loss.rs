//! Losses of a conversion, and the exactness of its result.

use std::fmt;

use fablegrade_public::json::Json;

/// A location in a source: path and line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The path of elements (`/quiz/question[3]/answer[2]`), a JSON pointer, a column or the name of an element. It is
    /// empty if there is only a line, or if the whole file is meant.
    pub path: String,
    /// The line, from 1; 0 if it is unknown or has no meaning.
    pub line: u32,
}

impl Place {
    /// Creates a location.
    pub fn new(path: impl Into<String>, line: u32) -> Self {
        Self { path: path.into(), line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.path.as_str(), self.line) {
            (path, 0) => f.write_str(path),
            ("", line) => write!(f, "line {line}"),
            (path, line) => write!(f, "line {line}: {path}"),
        }
    }
}

/// The effect of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Changes only data about the question, such as tags.
    Metadata,
    /// Changes what a learner sees, but no score.
    ChangesDisplay,
    /// Changes the score of some answer.
    ChangesScore,
}

impl Effect {
    /// Returns the word in JSON: `metadata`, `changes-display`, `changes-score`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::ChangesDisplay => "changes-display",
            Self::ChangesScore => "changes-score",
        }
    }
}

/// An element, attribute or rule of the source that the result does not express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The location in the source.
    pub place: Place,
    /// A stable code in kebab case, such as `penalty` or `response-processing`.
    pub rule: &'static str,
    /// The effect.
    pub effect: Effect,
    /// A description of the loss: one sentence without a full stop.
    pub message: String,
    /// A suggested correction: one sentence without a full stop.
    pub suggestion: String,
}

impl Loss {
    /// Creates a loss that changes the score of some answer.
    pub fn score(
        place: Place,
        rule: &'static str,
        message: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Self {
        Self {
            place,
            rule,
            effect: Effect::ChangesScore,
            message: message.into(),
            suggestion: suggestion.into(),
        }
    }

    /// Creates a loss that changes what a learner sees, but no score.
    pub fn display(
        place: Place,
        rule: &'static str,
        message: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Self {
        Self { effect: Effect::ChangesDisplay, ..Self::score(place, rule, message, suggestion) }
    }

    /// Creates the loss of formulas that the source system accepts as numbers.
    pub(crate) fn typed_formula(place: Place) -> Self {
        Self::display(
            place,
            "typed-formula",
            "the source system accepts a formula such as `2*pi`; Fablegrade refuses it, without marking it wrong",
            "ask for a decimal",
        )
    }

    /// Creates a loss of data about the question.
    pub fn metadata(
        place: Place,
        rule: &'static str,
        message: impl Into<String>,
        suggestion: impl Into<String>,
    ) -> Self {
        Self { effect: Effect::Metadata, ..Self::score(place, rule, message, suggestion) }
    }

    /// Returns `{path, line?, rule, severity, message, suggestion}`.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("path", &self.place.path)
            .with_some("line", (self.place.line > 0).then_some(self.place.line))
            .with("rule", self.rule)
            .with("severity", self.effect.as_str())
            .with("message", &self.message)
            .with("suggestion", &self.suggestion)
            .build()
    }
}

/// The exactness with which a result represents its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exactness {
    /// Nothing is lost.
    Exact,
    /// Every answer that is accepted has the same score as in the original system; something else is lost.
    ScoresExact,
    /// Some answers have a different score; the losses state which.
    Approximate,
    /// The question cannot be expressed; the losses give the reason.
    NotExpressible,
}

impl Exactness {
    /// All values, from best to worst.
    pub const ALL: [Self; 4] = [Self::Exact, Self::ScoresExact, Self::Approximate, Self::NotExpressible];

    /// Returns the exactness of a result with these losses; `NotExpressible` unless `expressible` is true.
    pub fn of(expressible: bool, losses: &[Loss]) -> Self {
        match losses.iter().map(|loss| loss.effect).max() {
            _ if !expressible => Self::NotExpressible,
            None => Self::Exact,
            Some(Effect::ChangesScore) => Self::Approximate,
            Some(_) => Self::ScoresExact,
        }
    }

    /// Returns the word in JSON: `exact`, `scores-exact`, `approximate`, `not-expressible`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::ScoresExact => "scores-exact",
            Self::Approximate => "approximate",
            Self::NotExpressible => "not-expressible",
        }
    }
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The reason why a file or a question cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}{place}: {message} [{rule}]; {help}", if place.path.is_empty() && place.line == 0 { "" } else { ": " })]
pub struct ReadError {
    /// The path of the file, as given; empty if it is unknown.
    pub file: String,
    /// The location in the file.
    pub place: Place,
    /// A stable code in kebab case.
    pub rule: &'static str,
    /// A description of the defect: one sentence without a full stop.
    pub message: String,
    /// A suggested correction: one sentence without a full stop.
    pub help: String,
}

impl ReadError {
    /// Creates an error at a location; [`read`](crate::read) fills in the file.
    pub fn new(
        place: Place,
        rule: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { file: String::new(), place, rule, message: message.into(), help: help.into() }
    }

    /// Creates the error for a question that is inside another one. A question is read with everything inside it, so
    /// the innermost text would be read once per level.
    pub(crate) fn nested(place: Place, name: &str) -> Self {
        Self::new(
            place,
            "nested-item",
            format!("this `{name}` is inside another one"),
            "put them next to each other",
        )
    }

    /// Sets the file, unless the error already has one.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }

    /// Converts the first finding of an error about an archive or a JSON document.
    pub fn from_public(error: &fablegrade_public::Error) -> Self {
        match error.findings().first() {
            Some(finding) => {
                Self::new(Place::new(&finding.pointer, 0), finding.rule, &finding.message, &finding.help)
            }
            None => Self::new(Place::default(), "unreadable", "this cannot be read", "check the file"),
        }
    }

    /// Returns `{file, path, line?, rule, message, help}`.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("file", &self.file)
            .with("path", &self.place.path)
            .with_some("line", (self.place.line > 0).then_some(self.place.line))
            .with("rule", self.rule)
            .with("message", &self.message)
            .with("help", &self.help)
            .build()
    }
}
