//! The caller's options: names, domains and budget.

use crate::latex::ast::Doubtful;
use crate::limits::COMPARISON;
use crate::number::Rational;
use crate::points::Domain;
use crate::subscripts::Second;
use crate::symbols::{Declarations, LogBase, normal_name};

/// Options for reading and comparing expressions.
///
/// ```
/// use fablegrade_math::{Domain, Equivalence, Options, compare};
/// let options = Options::new().with_domain("x", Domain { min: Some(0.into()), ..Domain::default() });
/// assert_eq!(compare(r"\sqrt{x^2}", "x", &options)?.verdict(), Equivalence::Equal);
/// assert_eq!(compare(r"\sqrt{x^2}", "x", &Options::new())?.verdict(), Equivalence::Different);
/// # Ok::<(), fablegrade_math::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    names: Declarations,
    domains: Vec<(String, Domain)>,
    budget: u64,
    /// The names whose doubtful subscripts have their second reading.
    subscripts: Vec<Second>,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// The default budget of one comparison, in units of about ten nanoseconds.
    pub const BUDGET: u64 = COMPARISON;

    /// Creates options in which single letters are real variables, `e` and `i` are constants, and `\log` has
    /// base 10.
    pub fn new() -> Self {
        Self { names: Declarations::new(), domains: Vec::new(), budget: Self::BUDGET, subscripts: Vec::new() }
    }

    /// Declares a variable over all reals; its name is LaTeX (`\alpha`, `x_{12}`) or a plain word (`speed`).
    #[must_use]
    pub fn with_variable(mut self, name: &str) -> Self {
        self.names = self.names.with_variable(name);
        self
    }

    /// Declares a variable with a domain.
    #[must_use]
    pub fn with_domain(mut self, name: &str, domain: Domain) -> Self {
        self.names = self.names.with_variable(name);
        self.domains.push((normal_name(name), domain));
        self
    }

    /// Declares a function, so `f(x+1)` is its value and not a product.
    #[must_use]
    pub fn with_function(mut self, name: &str) -> Self {
        self.names = self.names.with_function(name);
        self
    }

    /// Declares a complex variable: `\bar z` is its conjugate, and `|z|^2` is `z\bar z`.
    #[must_use]
    pub fn with_complex_variable(mut self, name: &str) -> Self {
        self.names = self.names.with_complex_variable(name);
        self
    }

    /// Returns options that select the second reading of ambiguous notation.
    pub(crate) fn second_reading(&self, doubtful: &Doubtful) -> Self {
        Self { names: self.names.second_reading(doubtful), ..self.clone() }
    }

    /// Returns options that select the second reading of doubtful subscripts of some names.
    pub(crate) fn with_subscripts(&self, subscripts: Vec<Second>) -> Self {
        Self { subscripts, ..self.clone() }
    }

    /// Returns the names whose doubtful subscripts have their second reading.
    pub(crate) fn subscripts(&self) -> &[Second] {
        &self.subscripts
    }

    /// Sets the base of `\log` without a subscript; the default is 10.
    #[must_use]
    pub fn with_log_base(mut self, base: LogBase) -> Self {
        self.names = self.names.with_log_base(base);
        self
    }

    /// Sets the budget of a comparison, in units of about ten nanoseconds.
    #[must_use]
    pub fn with_budget(mut self, units: u64) -> Self {
        self.budget = units;
        self
    }

    /// Returns the declared names.
    pub fn names(&self) -> &Declarations {
        &self.names
    }

    /// Returns the budget of a comparison.
    pub fn budget(&self) -> u64 {
        self.budget
    }

    /// Returns whether a variable has a domain other than all reals.
    pub fn is_bounded(&self, name: &str) -> bool {
        self.domain_of(name).is_some_and(|domain| *domain != Domain::default())
    }

    /// Returns whether a name is declared as a variable or has a domain.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        self.names.is_variable(name) || self.domain_of(name).is_some()
    }

    /// Returns whether a value lies in the domain of a variable.
    pub fn admits(&self, name: &str, value: &Rational) -> bool {
        self.domain_of(name).is_none_or(|domain| domain.contains(value))
    }

    /// Returns the domain that was last declared for a variable, or `None` if none was.
    pub fn domain_of(&self, name: &str) -> Option<&Domain> {
        if self.domains.is_empty() {
            return None;
        }
        self.domains.iter().rev().find(|(known, _)| known == name).map(|(_, domain)| domain)
    }
}
