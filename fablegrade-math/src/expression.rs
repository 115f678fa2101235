//! An expression, read once: its syntax tree and its kind by form.

use crate::options::Options;
use fablegrade_latex::free_names::{Names, names_of};
use fablegrade_latex::kind::{Kind, kind_of};
use fablegrade_latex::same_form::same_form;
use fablegrade_latex::{Note, ParseError, Syntax, Understanding, parse_into};

/// A text that was read, to be compared, sampled or looked into as often as needed without being read again.
///
/// ```
/// use fablegrade_math::{Expression, Kind, Options, Reference};
/// let options = Options::new();
/// let answer = Expression::parse("x+1", &options)?;
/// assert_eq!((answer.kind(), answer.understanding().names.symbols), (Kind::Value, vec!["x".to_owned()]));
/// let reference = Reference::new(r"\frac{x^2-1}{x-1}", &options)?;
/// assert!(reference.compare(&answer)?.is_equal() && !reference.has_same_form(&answer));
/// # Ok::<(), fablegrade_math::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    source: String,
    tree: Syntax,
    kind: Kind,
}

impl Default for Expression {
    /// Creates a place to read into.
    fn default() -> Self {
        Self { source: String::new(), tree: Syntax::default(), kind: Kind::Value }
    }
}

impl Expression {
    /// Reads an expression. Linear in its length.
    ///
    /// # Errors
    /// When the LaTeX cannot be read: the place, what was expected, and what may have been meant.
    pub fn parse(latex: &str, options: &Options) -> Result<Self, ParseError> {
        let mut read = Self::default();
        read.parse_again(latex, options)?;
        Ok(read)
    }

    /// Works like [`Expression::parse`], into the buffers of this one.
    pub(crate) fn parse_again(&mut self, latex: &str, options: &Options) -> Result<(), ParseError> {
        self.source.clear();
        parse_into(&mut self.tree, latex, options.names())?;
        self.source.push_str(latex);
        self.kind = kind_of(&self.tree);
        Ok(())
    }

    /// Returns whether it is one value, a relation, a set or several values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the text that was read.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the syntax tree.
    pub fn syntax(&self) -> &Syntax {
        &self.tree
    }

    /// Returns the places where one of several readings was chosen.
    pub fn notes(&self) -> &[Note] {
        self.tree.notes()
    }

    /// Returns the variables and functions in it.
    pub fn names(&self) -> Names {
        names_of(&self.tree)
    }

    /// Returns the reading, as LaTeX, with notes and names.
    pub fn understanding(&self) -> Understanding {
        Understanding::of(&self.tree)
    }

    /// Returns whether two expressions are written in the same form; see [`fablegrade_latex::same_form`].
    pub fn has_same_form(&self, other: &Self) -> bool {
        same_form(&self.tree, &other.tree)
    }
}
