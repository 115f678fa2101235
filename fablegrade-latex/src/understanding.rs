//! The reading of a formula: for feedback while typing, and for rules about what an answer may contain.

use crate::ast::Syntax;
use crate::error::{Note, ParseError};
use crate::free_names::{Names, names_of};
use crate::names::Declarations;
use crate::parse;
use crate::printer::print;

/// The reading of a formula, and the names that it uses.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Understanding {
    /// The formula in normalised LaTeX: reading it again gives the same formula.
    pub latex: String,
    /// Notes on the positions where the parser chose between readings, at most 32.
    pub notes: Vec<Note>,
    /// The variables and functions in it.
    pub names: Names,
}

/// Reads a formula without computing anything.
///
/// ```
/// use fablegrade_latex::{Declarations, understand};
/// let read = understand(r"\frac12x+\sin y", &Declarations::new())?;
/// assert_eq!(read.latex, r"\frac{1}{2}x+\sin\left(y\right)");
/// assert_eq!(read.names.symbols, ["x", "y"]);
/// assert_eq!(read.names.functions, ["sin"]);
/// # Ok::<(), fablegrade_latex::ParseError>(())
/// ```
///
/// # Errors
/// When the LaTeX cannot be read: the position, what was expected, and a suggestion.
pub fn understand(latex: &str, names: &Declarations) -> Result<Understanding, ParseError> {
    Ok(Understanding::of(&parse(latex, names)?))
}

impl Understanding {
    /// Returns the reading of a tree.
    pub fn of(tree: &Syntax) -> Self {
        Self { latex: print(tree), notes: tree.notes().to_vec(), names: names_of(tree) }
    }
}
