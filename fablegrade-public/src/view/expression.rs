//! `expression`: a formula in LaTeX.

use super::{Refusal, refuse_keys};
use crate::decimal::Decimal;
use crate::finding::{Finding, Findings};
use crate::json::{self, Json, Object, Path, Read, Value};

/// An expression question without its key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct ExpressionView {
    /// How answers are compared with the key: by their values everywhere, by values at sample points, or by their form.
    pub equivalence: Equivalence,
    /// The variables, if the question names them: at most 10.
    #[cfg_attr(feature = "schema", schemars(length(max = 10)))]
    pub variables: Option<Vec<Variable>>,
    /// Number of points under `numeric_sampling`: 5 to 100.
    #[cfg_attr(
        feature = "schema",
        schemars(range(min = 5, max = 100), default = "crate::schema::sample_points")
    )]
    pub sample_points: u32,
    /// Relative tolerance under `numeric_sampling`: above 0, at most 0.001.
    #[cfg_attr(feature = "schema", schemars(extend("exclusiveMinimum" = 0, "maximum" = 0.001, "default" = 1e-6), default = "Decimal::zero"))]
    pub tolerance: Decimal,
    /// The functions an answer may use, if the question names them: at most 40.
    #[cfg_attr(
        feature = "schema",
        schemars(length(max = 40), inner(regex(pattern = "^[a-zA-Z][a-zA-Z0-9_]{0,20}$")))
    )]
    pub allowed_functions: Option<Vec<String>>,
    /// Whether a constant answer is wrong where the key has variables.
    #[cfg_attr(feature = "schema", schemars(default = "crate::schema::yes"))]
    pub forbid_constant_answer: bool,
}

/// When two expressions count as the same. Deliberately exhaustive.
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
    /// All with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("symbolic", Self::Symbolic),
        ("numeric_sampling", Self::NumericSampling),
        ("literal", Self::Literal),
    ];

    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Symbolic => "symbolic",
            Self::NumericSampling => "numeric_sampling",
            Self::Literal => "literal",
        }
    }
}

/// A variable and where it is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Variable {
    /// Its name: a letter, then up to 15 letters, digits or `_`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-zA-Z][a-zA-Z0-9_]{0,15}$")))]
    pub name: String,
    /// Its domain, if the question gives one.
    pub domain: Option<Domain>,
}

/// The values a variable takes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Domain {
    /// The smallest (default -10).
    #[cfg_attr(feature = "schema", schemars(extend("default" = -10), default = "Decimal::zero"))]
    pub min: Decimal,
    /// The greatest (default 10).
    #[cfg_attr(feature = "schema", schemars(extend("default" = 10), default = "Decimal::zero"))]
    pub max: Decimal,
    /// Values it never takes: at most 20.
    #[cfg_attr(feature = "schema", schemars(length(max = 20)))]
    pub exclude: Option<Vec<Decimal>>,
    /// Whether it takes integers only.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub integer: bool,
}

impl Default for Domain {
    fn default() -> Self {
        Self { min: Decimal::from(-10), max: Decimal::from(10), exclude: None, integer: false }
    }
}

/// A formula in LaTeX: 1 to 2,000 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct ExpressionSubmission {
    /// The LaTeX as typed.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 2000)))]
    pub latex: String,
}

/// A name: an ASCII letter, then at most `more` ASCII letters, digits or `_`.
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
    /// The number of sample points and the tolerance of a question that says neither.
    pub fn default_sampling() -> (u32, Decimal) {
        (20, Decimal::new(1, -6))
    }

    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        refuse_keys(object, &["canonical"]);
        Self::read_public(object)
    }

    /// Reads the public fields; for the view and for the spec, which have them in common.
    pub fn read_public(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let equivalence = object.required("equivalence", json::word(Equivalence::WORDS));
        let variables = object.optional("variables", json::list(0, 10, Variable::read));
        let (points, tolerance) = Self::default_sampling();
        let sample_points = object.defaulted("samplePoints", i64::from(points), json::integer(5, 100));
        let tolerance = object.defaulted("tolerance", tolerance, positive_number(Some(Decimal::new(1, -3))));
        let allowed_functions = object.optional("allowedFunctions", json::list(0, 40, name(20)));
        let forbid_constant_answer = object.defaulted("forbidConstantAnswer", true, json::boolean);
        Some(Self {
            equivalence: equivalence?,
            variables: variables?,
            sample_points: u32::try_from(sample_points?).ok()?,
            tolerance: tolerance?,
            allowed_functions: allowed_functions?,
            forbid_constant_answer: forbid_constant_answer?,
        })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "expression")
            .with("equivalence", self.equivalence.as_str())
            .with_some(
                "variables",
                self.variables.as_ref().map(|list| Json::array(list.iter().map(Variable::to_document))),
            )
            .with("samplePoints", self.sample_points)
            .with("tolerance", &self.tolerance)
            .with_some("allowedFunctions", self.allowed_functions.as_ref().map(Json::array))
            .with("forbidConstantAnswer", self.forbid_constant_answer)
            .build()
    }

    /// Whether the formula can be read is decided by `fablegrade-latex`; here every text passes.
    ///
    /// # Errors
    /// None; the signature is that of the other types.
    pub fn admit(&self, _submission: &ExpressionSubmission) -> Result<(), Refusal> {
        Ok(())
    }
}

/// What a learner is told about a symbol that the question does not list.
pub fn symbol_not_listed(symbol: &str) -> String {
    let shown: String = symbol.chars().take(40).collect();
    format!("The symbol {shown} does not occur in this question.")
}

/// What a learner is told about a function that the question does not allow.
pub fn function_not_allowed(function: &str) -> String {
    format!("The function {function} may not be used here.")
}

/// A number above zero, and at most `max` if there is one.
pub fn positive_number(
    max: Option<Decimal>,
) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<Decimal> {
    move |value, at, findings| {
        let number = json::decimal(value, at, findings)?;
        if number > Decimal::zero() && max.as_ref().is_none_or(|max| number <= *max) {
            return Some(number);
        }
        let range =
            max.as_ref().map_or_else(|| "above 0".to_owned(), |max| format!("above 0 and at most {max}"));
        findings.push(Finding::error(
            "out-of-range",
            at.pointer(),
            format!("the number must be {range}"),
            format!("choose one that is {range}"),
        ));
        None
    }
}

impl Variable {
    fn to_document(&self) -> Json {
        Json::build()
            .with("name", &self.name)
            .with_some("domain", self.domain.as_ref().map(Domain::to_document))
            .build()
    }
}

impl Domain {
    fn to_document(&self) -> Json {
        Json::build()
            .with("min", &self.min)
            .with("max", &self.max)
            .with_some("exclude", self.exclude.as_ref().map(Json::array))
            .with("integer", self.integer)
            .build()
    }
}

impl Read for Variable {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"name": "x"}"#)?;
        let name = object.required("name", name(15));
        let domain = object.optional("domain", Domain::read);
        object.close();
        Some(Self { name: name?, domain: domain? })
    }
}

impl Read for Domain {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"min": 0}"#)?;
        let default = Self::default();
        let min = object.defaulted("min", default.min, json::decimal);
        let max = object.defaulted("max", default.max, json::decimal);
        let exclude = object.optional("exclude", json::list(0, 20, json::decimal));
        let integer = object.defaulted("integer", false, json::boolean);
        object.close();
        Some(Self { min: min?, max: max?, exclude: exclude?, integer: integer? })
    }
}

impl ExpressionSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        Some(Self { latex: object.required("latex", json::string(1, 2_000))? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build().with("type", "expression").with("latex", &self.latex).build()
    }

    pub(crate) fn write_canonical(&self, out: &mut String) {
        out.push_str("{\"latex\":");
        json::write_json_string(&self.latex, out);
        out.push_str(",\"type\":\"expression\"}");
    }
}
