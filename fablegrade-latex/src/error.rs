//! Messages of the parser: errors with a position and a suggestion, and notes on chosen readings.

use crate::span::Span;
use std::fmt;

/// The reason why an input cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The input is empty.
    Empty,
    /// The input has more bytes than the limit.
    TooLong,
    /// The input is nested deeper than the limit.
    TooDeep,
    /// An unknown command.
    UnknownCommand,
    /// A character that has no meaning in mathematics.
    UnknownCharacter,
    /// Another token is needed at this position.
    Unexpected,
    /// The input ends where another token is needed.
    UnexpectedEnd,
    /// A bracket, brace or bar without its partner.
    Unclosed,
    /// A closing bracket, brace or bar without an opening one.
    Unopened,
    /// A second exponent without braces (`x^2^3`).
    DoubleExponent,
    /// A second subscript.
    DoubleSubscript,
    /// A control character where a command has lost its backslash (`\times` as a tab and `imes`).
    LostBackslash,
    /// A function name typed without its backslash, run together with its argument (`sinx`).
    BareFunction,
    /// Two readings are about equally likely and give different values (`1 1/2`, `x^-12`).
    Ambiguous,
    /// A known construct that is not supported.
    Unsupported,
    /// A function with too few or too many arguments.
    Arguments,
    /// An equation, set or list where one value is needed.
    NotAValue,
}

impl Problem {
    /// Returns a stable word in kebab case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too-long",
            Self::TooDeep => "too-deep",
            Self::UnknownCommand => "unknown-command",
            Self::UnknownCharacter => "unknown-character",
            Self::Unexpected => "unexpected",
            Self::UnexpectedEnd => "unexpected-end",
            Self::Unclosed => "unclosed",
            Self::Unopened => "unopened",
            Self::DoubleExponent => "double-exponent",
            Self::DoubleSubscript => "double-subscript",
            Self::LostBackslash => "lost-backslash",
            Self::BareFunction => "bare-function",
            Self::Ambiguous => "ambiguous",
            Self::Unsupported => "unsupported",
            Self::Arguments => "arguments",
            Self::NotAValue => "not-a-value",
        }
    }
}

impl fmt::Display for Problem {
    /// Writes the problem without quoting the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing is written",
            Self::TooLong => "it is too long",
            Self::TooDeep => "it is nested too deep",
            Self::UnknownCommand => "a command is not known",
            Self::UnknownCharacter => "a character has no meaning in mathematics",
            Self::Unexpected => "something else is needed here",
            Self::UnexpectedEnd => "it ends too early",
            Self::Unclosed => "a bracket, brace or bar is not closed",
            Self::Unopened => "a bracket, brace or bar is closed but was never opened",
            Self::DoubleExponent => "there are two exponents",
            Self::DoubleSubscript => "there are two subscripts",
            Self::LostBackslash => "a command has lost its backslash",
            Self::BareFunction => "the name of a function lacks its backslash",
            Self::Ambiguous => "there are two readings with different values",
            Self::Unsupported => "this notation is not supported",
            Self::Arguments => "a function has too few or too many arguments",
            Self::NotAValue => "a single value is needed here",
        })
    }
}

/// The error for an input that cannot be read: position, reason, expected tokens, suggestion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The byte range in the source; see [`Span::utf16`].
    pub span: Span,
    /// The kind of problem.
    pub problem: Problem,
    /// The message, as one sentence.
    pub message: String,
    /// Tokens that could have been here instead; empty when that would not help.
    pub expected: &'static str,
    /// Advice, such as a spelling that can be read.
    pub suggestion: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}: {}", self.span.start, self.message)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?;
        }
        if let Some(suggestion) = &self.suggestion {
            write!(f, "; {suggestion}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// Returns the position where `source` cannot be read, in characters, counted from 1.
    pub fn character(&self, source: &str) -> usize {
        let start = (self.span.start as usize).min(source.len());
        source.get(..start).map_or(1, |before| before.chars().count() + 1)
    }

    /// Returns the error in sentences for the person who typed `source`; positions are counted in characters, from 1.
    pub fn for_learner(&self, source: &str) -> String {
        let character = self.character(source);
        let mut message = format!("The formula cannot be read at character {character}: {}.", self.message);
        if !self.expected.is_empty() {
            message.push_str(&format!(" Expected: {}.", self.expected));
        }
        if let Some(suggestion) = &self.suggestion {
            message.push_str(&format!(" Suggestion: {suggestion}."));
        }
        message
    }
}

/// A reading that the parser chose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoteKind {
    /// `2\frac12` as two and a half.
    MixedNumber,
    /// `2\frac12x` as a product.
    NotMixed,
    /// `1/2x` as (1/2) x.
    LeftToRight,
    /// `x^23` as x squared times 3, as TeX shows it.
    OneCharacter,
    /// `x(x+1)` as a product.
    ProductNotCall,
    /// `\log` with the base from the caller or the default.
    LogBase,
    /// `1,000` as one thousand.
    Grouping,
    /// `3{,}14` as a decimal.
    DecimalComma,
    /// `1.5E3` as 1500.
    Exponent,
    /// `2e-3` as 2e - 3.
    EulerNotExponent,
    /// `pi`, `alpha`, `sin` typed without a backslash.
    Spelled,
    /// `\vertx` as `\vert x`.
    SplitCommand,
    /// `{1,2}` as a set.
    SetBraces,
    /// A currency sign, left out.
    Currency,
    /// `x^(n+1)` as if it had braces.
    BracketedExponent,
    /// `\sin 2(x+1)` as sin(2) (x+1).
    ArgumentEnds,
    /// `\Gamma(x)` as the gamma function.
    GammaFunction,
    /// `3,14` as a list of two.
    CommaList,
    /// `\varphi` as the golden ratio.
    GoldenRatio,
    /// `velocity` as a product of letters.
    LetterProduct,
    /// `\mathbb{R}^+` without 0.
    WithoutZero,
    /// `x=1\quad y=2` as two answers.
    WideSpace,
}

impl NoteKind {
    /// Returns a stable word in kebab case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MixedNumber => "mixed-number",
            Self::NotMixed => "not-mixed",
            Self::LeftToRight => "left-to-right",
            Self::OneCharacter => "one-character",
            Self::ProductNotCall => "product-not-call",
            Self::LogBase => "log-base",
            Self::Grouping => "grouping",
            Self::DecimalComma => "decimal-comma",
            Self::Exponent => "exponent",
            Self::EulerNotExponent => "euler-not-exponent",
            Self::Spelled => "spelled",
            Self::SplitCommand => "split-command",
            Self::SetBraces => "set-braces",
            Self::Currency => "currency",
            Self::BracketedExponent => "bracketed-exponent",
            Self::ArgumentEnds => "argument-ends",
            Self::GammaFunction => "gamma-function",
            Self::CommaList => "comma-list",
            Self::GoldenRatio => "golden-ratio",
            Self::LetterProduct => "letter-product",
            Self::WithoutZero => "without-zero",
            Self::WideSpace => "wide-space",
        }
    }
}

/// A reading that the parser chose, with its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Note {
    /// The byte range in the source.
    pub span: Span,
    /// The kind of choice.
    pub kind: NoteKind,
}

impl Note {
    /// Returns the note as one sentence.
    pub fn message(&self) -> &'static str {
        match self.kind {
            NoteKind::MixedNumber => {
                "a whole number directly before a proper fraction is read as a mixed number"
            }
            NoteKind::NotMixed => {
                "a number before a fraction that goes on is read as a product, not as a mixed number"
            }
            NoteKind::LeftToRight => {
                "division goes from left to right: 1/2x is read as (1/2)x; write 1/(2x) for the other"
            }
            NoteKind::OneCharacter => "without braces only one character belongs here, as it is displayed",
            NoteKind::ProductNotCall => {
                "a letter before a bracket is read as a factor; declare it as a function otherwise"
            }
            NoteKind::LogBase => "log without a base is read with the base that is agreed here",
            NoteKind::Grouping => "groups of three digits are read as one number",
            NoteKind::DecimalComma => "the comma in braces is read as a decimal comma",
            NoteKind::Exponent => "E before an integer is read as a power of ten",
            NoteKind::EulerNotExponent => {
                "e between digits is read as Euler's number; write \\cdot10^{n} for a power of ten"
            }
            NoteKind::Spelled => "a name typed without its backslash is read as that name",
            NoteKind::SplitCommand => "the letter that ran into a command is read on its own",
            NoteKind::SetBraces => "braces with commas are read as a set",
            NoteKind::Currency => "the currency sign is left out",
            NoteKind::BracketedExponent => "the whole bracket is read as the exponent or argument",
            NoteKind::ArgumentEnds => "the argument of a function without brackets ends before a bracket",
            NoteKind::GammaFunction => "Gamma before a bracket is read as the gamma function",
            NoteKind::CommaList => {
                "numbers with a comma between them are read as a list; write a point for a decimal"
            }
            NoteKind::GoldenRatio => "phi is read as the golden ratio",
            NoteKind::LetterProduct => {
                "letters without spaces are read as a product; declare the name if they are one"
            }
            NoteKind::WideSpace => "a wide space between two answers is read as a comma",
            NoteKind::WithoutZero => {
                "0 is not counted among these numbers; write \\ge 0 or \\le 0 as a subscript where it is"
            }
        }
    }
}
