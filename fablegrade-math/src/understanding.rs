//! How an expression was read: for feedback while typing, and for rules about what an answer may contain.

use crate::inspect::{Names, names_of};
use crate::latex::{self, Note, ParseError};
use crate::options::Options;
use crate::print::print;

/// How a formula was read, and which names it uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Understanding {
    /// The formula in normalised LaTeX: reading it again gives the same.
    pub latex: String,
    /// Where the reader chose between readings.
    pub notes: Vec<Note>,
    /// The variables and functions in it.
    pub names: Names,
}

/// Reads an expression without comparing it. Linear in its length.
///
/// ```
/// use fablegrade_math::{Options, understand};
/// let read = understand(r"\frac12x+\sin y", &Options::new())?;
/// assert_eq!(read.latex, r"\frac{1}{2}x+\sin\left(y\right)");
/// assert_eq!(read.names.symbols, ["x", "y"]);
/// assert_eq!(read.names.functions, ["sin"]);
/// # Ok::<(), fablegrade_math::ParseError>(())
/// ```
///
/// # Errors
/// When the LaTeX cannot be read: the place, what was expected, and what may have been meant.
pub fn understand(latex: &str, options: &Options) -> Result<Understanding, ParseError> {
    let tree = latex::parse(latex, options.names())?;
    Ok(Understanding { latex: print(&tree), notes: tree.notes().to_vec(), names: names_of(&tree) })
}
