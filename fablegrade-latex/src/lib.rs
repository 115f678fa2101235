//! Parses LaTeX, as people type it, into a syntax tree: every token is used, or there is an error with its position.
//!
//! ```
//! use fablegrade_latex::{Declarations, parse, printer::print};
//! let tree = parse(r"\frac12x", &Declarations::new())?;
//! assert_eq!(print(&tree), r"\frac{1}{2}x");
//! # Ok::<(), fablegrade_latex::ParseError>(())
//! ```
//!
//! Stages: [`parse`] turns tokens into a [`Syntax`] tree ([`ast`]) with the caller's [`Declarations`]
//! ([`names`]). If a text has two readings, the parser chooses one and usually adds a [`Note`] to the tree,
//! or returns [`Problem::Ambiguous`]. A tree is printed ([`printer`]), searched for names ([`free_names`]),
//! classified by its form ([`kind`]) and compared in form ([`same_form`]). This crate computes no values;
//! `fablegrade-math` does.
#![forbid(unsafe_code)]

pub mod ast;
mod boxes;
mod commands;
mod connectives;
mod derivative_names;
pub mod derivatives;
mod error;
pub mod free_names;
pub mod functions;
pub mod kind;
mod lexer;
mod lost_backslash;
pub mod matrix_letters;
pub mod names;
mod other_cases;
mod parser;
pub mod printer;
pub mod same_form;
mod span;
mod understanding;
mod unit_names;
pub mod vectors;

pub use ast::Syntax;
pub use error::{Note, NoteKind, ParseError, Problem};
pub use kind::Kind;
pub use lost_backslash::{KEEP_BACKSLASHES, lost_backslash};
pub use names::{Declarations, LogBase};
pub use other_cases::is_otherwise;
pub use span::Span;
pub use understanding::{Understanding, understand};

use parser::Parser;

/// The maximum length of a source, in bytes.
pub const MAX_SOURCE: usize = 20_000;

/// The maximum number of attempts to read a text whose bars can pair up in several ways.
const BAR_ATTEMPTS: u32 = 24;

/// Reads LaTeX.
///
/// # Errors
/// If the source cannot be read, for example because a token does not fit, brackets do not match, or the
/// input is empty, too long or too deep. The error has the span, what was expected and, for common slips, a
/// suggestion.
pub fn parse(source: &str, names: &Declarations) -> Result<Syntax, ParseError> {
    let mut tree = Syntax::default();
    parse_into(&mut tree, source, names)?;
    Ok(tree)
}

/// Reads LaTeX into a tree whose buffers are reused. After an error the tree is empty.
///
/// # Errors
/// The same as for [`parse`].
pub fn parse_into(tree: &mut Syntax, source: &str, names: &Declarations) -> Result<(), ParseError> {
    if source.len() > MAX_SOURCE {
        tree.clear(0);
        return Err(ParseError {
            span: Span::new(MAX_SOURCE, source.len()),
            problem: Problem::TooLong,
            message: format!("the expression has {} bytes, at most {MAX_SOURCE} are read", source.len()),
            expected: "",
            suggestion: None,
        });
    }
    let result = read_into(tree, source, names);
    // A lost backslash explains any other error.
    if result.is_err()
        && let Some(lost) = lost_backslash(source)
    {
        return Err(lost);
    }
    match result {
        Err(error) if error.problem == Problem::Unopened && source.contains("\\boxed{") => {
            match boxes::without_braces(source) {
                Some(source) => read_into(tree, &source, names).map_err(|_| error),
                None => Err(error),
            }
        }
        result => result,
    }
}

fn read_into(tree: &mut Syntax, source: &str, names: &Declarations) -> Result<(), ParseError> {
    let mut bars = BarChoices::default();
    let mut first_error = None;
    for _ in 0..BAR_ATTEMPTS {
        tree.clear(source.len());
        let mut parser = Parser::new(source, names, tree, bars);
        match parser.whole() {
            Ok(root) => {
                tree.root = root;
                derivatives::note(tree);
                return Ok(());
            }
            Err(error) => {
                bars = parser.bar_choices();
                if first_error.is_none() {
                    first_error = Some(error);
                }
            }
        }
        if !bars.next() {
            break;
        }
    }
    tree.clear(0);
    Err(match first_error {
        Some(error) => *error,
        None => ParseError {
            span: Span::default(),
            problem: Problem::Empty,
            message: String::new(),
            expected: "",
            suggestion: None,
        },
    })
}

/// The choices made where a bar could open or close, so another attempt can choose differently.
#[derive(Clone, Copy, Default)]
struct BarChoices {
    /// Bit n is set if the n-th ambiguous bar opens.
    opens: u64,
    /// The number of choices that are prescribed for the next attempt.
    fixed: u32,
    /// The number of ambiguous bars found so far.
    met: u32,
}

impl BarChoices {
    fn choose(&mut self) -> bool {
        let at = self.met;
        self.met += 1;
        at < self.fixed.min(64) && self.opens >> at & 1 == 1
    }

    /// Prescribes the next choices: the last bar that closed opens instead. Returns `false` if there are none
    /// left.
    fn next(&mut self) -> bool {
        let met = self.met.min(64);
        self.met = 0;
        for at in (0..met).rev() {
            let bit = 1u64 << at;
            let opened = at < self.fixed && self.opens & bit != 0;
            if !opened {
                self.opens = self.opens & (bit - 1) | bit;
                self.fixed = at + 1;
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;

/// The README's code is run like any other documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
