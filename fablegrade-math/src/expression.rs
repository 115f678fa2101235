//! A parsed expression: its syntax tree and its kind.

use crate::options::Options;
use fablegrade_latex::free_names::{Names, names_of};
use fablegrade_latex::kind::{Kind, kind_of};
use fablegrade_latex::same_form::same_form;
use fablegrade_latex::{Note, ParseError, Syntax, Understanding, parse_into};

/// A parsed text, which can be compared, sampled and inspected many times.
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
    /// Creates an empty expression, whose buffers `parse_again` fills.
    fn default() -> Self {
        Self { source: String::new(), tree: Syntax::default(), kind: Kind::Value }
    }
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// Returns an error if the LaTeX cannot be parsed. The error has the position and, if known, what was
    /// expected and a correction.
    pub fn parse(latex: &str, options: &Options) -> Result<Self, ParseError> {
        let mut read = Self::default();
        read.parse_again(latex, options)?;
        Ok(read)
    }

    /// Works like [`Expression::parse`], but reuses the buffers of this expression.
    pub(crate) fn parse_again(&mut self, latex: &str, options: &Options) -> Result<(), ParseError> {
        self.source.clear();
        parse_into(&mut self.tree, latex, options.names())?;
        self.source.push_str(latex);
        self.kind = kind_of(&self.tree);
        Ok(())
    }

    /// Returns the kind: a value, a relation, a set or several values.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the source text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the syntax tree.
    pub fn syntax(&self) -> &Syntax {
        &self.tree
    }

    /// Returns notes on the places where one of several readings was chosen, at most 32.
    pub fn notes(&self) -> &[Note] {
        self.tree.notes()
    }

    /// Returns the variables and functions that occur in the expression.
    pub fn names(&self) -> Names {
        names_of(&self.tree)
    }

    /// Returns whether two texts are read as the same LaTeX, with the same kinds of product signs.
    pub(crate) fn is_written_as(&self, other: &Self) -> bool {
        self.tree.has_times_sign() == other.tree.has_times_sign()
            && self.understanding().latex == other.understanding().latex
    }

    /// Returns the interpretation of the text as LaTeX, with notes and names.
    pub fn understanding(&self) -> Understanding {
        Understanding::of(&self.tree)
    }

    /// Returns whether two expressions have the same form; see [`fablegrade_latex::same_form`].
    pub fn has_same_form(&self, other: &Self) -> bool {
        same_form(&self.tree, &other.tree)
    }
}
