//! `expression`: a formula in LaTeX.

use super::Refusal;
use crate::decimal::Decimal;
use crate::document::{
    Text, count, defaulted, flag, list, number, of, optional, positive, required, shaped, text, word,
};
use crate::finding::{Finding, Findings};
use crate::json::{self, Path, Value};

crate::document! {
    /// An expression question without its key.
    pub struct ExpressionView {
        /// The comparison with the key: by values everywhere, by values at sample points, or by form.
        pub equivalence: Equivalence = required("equivalence", word(Equivalence::WORDS));
        /// The variables, if the question declares them.
        pub variables: Option<Vec<Variable>> = optional("variables", list(0, 10, of()));
        /// Number of points under `numeric_sampling`.
        pub sample_points: u32 = defaulted("samplePoints", count(5, 100), Self::default_sampling().0);
        /// Relative tolerance under `numeric_sampling`.
        pub tolerance: Decimal =
            defaulted("tolerance", positive(Some(Decimal::new(1, -3))), Self::default_sampling().1);
        /// The only functions that an answer may use, if they are restricted.
        pub allowed_functions: Option<Vec<String>> =
            optional("allowedFunctions", list(0, 40, shaped("^[a-zA-Z][a-zA-Z0-9_]{0,20}$", name(20))));
        /// Whether a constant answer is incorrect if the key has variables.
        pub forbid_constant_answer: bool = defaulted("forbidConstantAnswer", flag(), true);
    }
}

/// A formula in LaTeX, in a key or in an answer.
pub const FORMULA: Text = text(1, 2_000);

/// The condition under which two expressions count as equal. Not `#[non_exhaustive]`, so matches need no
/// wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// The same value wherever both are defined.
    Symbolic,
    /// The same value at sample points, within a tolerance.
    NumericSampling,
    /// The same form.
    Literal,
}

impl Equivalence {
    /// All values with the words used for them in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("symbolic", Self::Symbolic),
        ("numeric_sampling", Self::NumericSampling),
        ("literal", Self::Literal),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Symbolic => "symbolic",
            Self::NumericSampling => "numeric_sampling",
            Self::Literal => "literal",
        }
    }
}

crate::document! {
    /// A variable and its domain.
    pub struct Variable, such as r#"{"name": "x"}"# {
        /// Its name: a letter, then up to 15 letters, digits or `_`.
        pub name: String = required("name", shaped("^[a-zA-Z][a-zA-Z0-9_]{0,15}$", name(15)));
        /// Its domain, if the question gives one.
        pub domain: Option<Domain> = optional("domain", of());
    }
}

crate::document! {
    /// The values a variable takes.
    pub struct Domain, such as r#"{"min": 0}"# {
        /// The minimum.
        pub min: Decimal = defaulted("min", number(), Self::default().min);
        /// The maximum.
        pub max: Decimal = defaulted("max", number(), Self::default().max);
        /// Values it never takes.
        pub exclude: Option<Vec<Decimal>> = optional("exclude", list(0, 20, number()));
        /// Whether it takes integers only.
        pub integer: bool = defaulted("integer", flag(), Self::default().integer);
    }
}

impl Default for Domain {
    fn default() -> Self {
        Self { min: Decimal::from(-10), max: Decimal::from(10), exclude: None, integer: false }
    }
}

crate::document! {
    /// A formula in LaTeX.
    pub struct ExpressionSubmission {
        /// The LaTeX as typed.
        pub latex: String = required("latex", FORMULA);
    }
}

/// Returns a reader of names: an ASCII letter, then at most `more` ASCII letters, digits or `_`.
pub fn name(more: usize) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<String> {
    move |value, at, findings| {
        let text = json::string(0, usize::MAX)(value, at, findings)?;
        let mut bytes = text.bytes();
        let form = bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
            && text.len() <= more + 1
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if form {
            return Some(text);
        }
        findings.push(Finding::error(
            "name-form",
            at.pointer(),
            format!("a name is a letter followed by at most {more} letters, digits or `_`"),
            "choose a name like `x` or `x_1`",
        ));
        None
    }
}

impl ExpressionView {
    pub(crate) const KEYS: &[&str] = &["canonical"];

    /// Returns the default number of sample points and the default tolerance.
    pub fn default_sampling() -> (u32, Decimal) {
        (20, Decimal::new(1, -6))
    }

    /// Accepts every text; `fablegrade-latex` decides whether the formula can be read.
    ///
    /// # Errors
    /// None; the signature matches that of the other question types.
    pub fn admit(&self, _submission: &ExpressionSubmission) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Returns the message about a symbol that the question does not list.
pub fn symbol_not_listed(symbol: &str) -> String {
    let shown: String = symbol.chars().take(40).collect();
    format!("The symbol {shown} does not occur in this question.")
}

/// Returns the message about a function that the question does not allow.
pub fn function_not_allowed(function: &str) -> String {
    format!("The function {function} may not be used here.")
}

impl ExpressionSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"latex\":");
        json::write_json_string(&self.latex, out);
        out.push_str(",\"type\":\"expression\"}");
    }
}
