//! Equivalence of two expressions without a question, with evidence.
//!
//! [`fablegrade_math`] decides; this module describes decisions as JSON, for all bindings.
//!
//! ```
//! use fablegrade_core::equivalence::{equivalent, read_options};
//!
//! let options = read_options(r#"{"domains":{"x":{"min":0}}}"#)?;
//! let found = equivalent(r"\sqrt{x^2}", "x", &options)?;
//! assert!(found.decision().is_equal());
//! assert!(found.to_json().to_canonical().contains(r#""equal":true"#));
//! # Ok::<(), fablegrade_core::Error>(())
//! ```

use std::fmt;

use fablegrade_latex::kind::Kind;
use fablegrade_latex::names::is_name;
use fablegrade_latex::printer::print;
use fablegrade_latex::{Problem, lost_backslash};
use fablegrade_math::number::Rational;
use fablegrade_math::{
    Decision, Difference, Domain, Evidence, Expression, LogBase, Note, Options, ParseError, Reference, Side,
    Witness,
};
use fablegrade_public::json::{self, Document, Json, Object, Path, Read, Value};
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Findings};

/// A decision, with the readings of both sides.
#[derive(Debug, Clone)]
pub struct Comparison {
    decision: Decision,
    understood: [String; 2],
    kinds: [Kind; 2],
}

/// The error when one of two expressions cannot be read.
#[derive(Debug, Clone)]
pub struct Unreadable {
    /// `true` if the second expression cannot be read, `false` if the first cannot.
    pub second: bool,
    /// The position where reading stopped, in characters, counted from 1.
    pub character: usize,
    /// The position and the reason; the span is in bytes.
    pub error: ParseError,
}

impl Unreadable {
    fn new(error: ParseError, text: &str, second: bool) -> Self {
        Self { second, character: error.character(text), error }
    }
}

/// A reference expression, read and compiled once for many comparisons.
pub struct ReferenceExpression {
    reference: Reference,
    understood: String,
}

impl fmt::Debug for ReferenceExpression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReferenceExpression").field(&self.understood).finish()
    }
}

impl ReferenceExpression {
    /// Reads and compiles LaTeX.
    ///
    /// # Errors
    /// When the LaTeX cannot be read, has a part without a meaning, or has a command that lost its backslash.
    pub fn new(latex: &str, options: &Options) -> Result<Self, Unreadable> {
        let unreadable = |error| Unreadable::new(error, latex, false);
        lost_backslash(latex).map_or(Ok(()), Err).map_err(unreadable)?;
        let expression = Expression::parse(latex, options).map_err(unreadable)?;
        let understood = print(expression.syntax());
        // An expression that parses can still contain a part without a meaning.
        let reference = Reference::of(expression, options).map_err(unreadable)?;
        Ok(Self { reference, understood })
    }

    /// Returns the reading, as LaTeX.
    pub fn understood(&self) -> &str {
        &self.understood
    }

    /// Decides whether another expression is equal to the reference.
    ///
    /// # Errors
    /// The same as for [`ReferenceExpression::new`], for the other expression.
    pub fn compare(&self, latex: &str) -> Result<Comparison, Unreadable> {
        let unreadable = |error| Unreadable::new(error, latex, true);
        lost_backslash(latex).map_or(Ok(()), Err).map_err(unreadable)?;
        let other = self.reference.parse(latex).map_err(unreadable)?;
        let understood = [self.understood.clone(), print(other.syntax())];
        let kinds = [self.reference.expression().kind(), other.kind()];
        let decision = self.reference.compare(&other).map_err(unreadable)?;
        Ok(Comparison { decision, understood, kinds })
    }
}

/// Decides whether two LaTeX expressions are equal.
///
/// # Errors
/// The same as for [`ReferenceExpression::new`], for either expression.
pub fn equivalent(a: &str, b: &str, options: &Options) -> Result<Comparison, Unreadable> {
    ReferenceExpression::new(a, options)?.compare(b)
}

impl Comparison {
    /// Returns the decision.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// Returns the readings of both sides, as LaTeX.
    pub fn understood(&self) -> [&str; 2] {
        [&self.understood[0], &self.understood[1]]
    }

    /// Returns the evidence of the decision, in words.
    pub fn evidence(&self) -> String {
        self.decision.describe()
    }

    /// Returns a note for the author, in words.
    ///
    /// The note tells which side is undefined where the other has values. Otherwise, for two equal sides, it
    /// can tell that one is a relation and the other its solution set.
    pub fn remark(&self) -> Option<&'static str> {
        match (self.decision.reference_undefined, self.decision.submission_undefined) {
            (true, true) => Some("each is undefined somewhere where the other has values"),
            (true, false) => Some("the first is undefined somewhere where the second has values"),
            (false, true) => Some("the second is undefined somewhere where the first has values"),
            (false, false) => match self.kinds {
                [Kind::Relation, Kind::Set | Kind::Several] | [Kind::Set | Kind::Several, Kind::Relation]
                    if self.decision.is_equal() =>
                {
                    Some("one side is a relation, the other the set of its solutions")
                }
                _ => None,
            },
        }
    }

    /// Returns `{a: {understood, notes}, b: {...}, bits?, equal, errorBits?, evidence, how, note?, points?,
    /// witness?: {point, a, b}}`; `equal` is null when the comparison is undecided.
    ///
    /// For two relations or sets that differ, the witness is `{point, holds}`, if one was found. `point` has
    /// the exact values of the names (integers, or text such as LaTeX), and `holds` is the only side, `"a"`
    /// or `"b"`, that holds there.
    pub fn to_json(&self) -> Json {
        let decision = &self.decision;
        let side = |text: &String, notes: &[Note]| {
            let notes = Json::array(notes.iter().map(|note| note.message()));
            Json::build().with("understood", text).with("notes", notes).build()
        };
        let object = Json::build()
            .with("equal", decision.verdict().as_bool().map_or(Json::Null, Json::Bool))
            .with("how", decision.evidence.kind().as_str())
            .with("evidence", self.evidence())
            .with_some("note", self.remark())
            .with("a", side(&self.understood[0], &decision.reference_notes))
            .with("b", side(&self.understood[1], &decision.submission_notes));
        match &decision.evidence {
            Evidence::Identity { error_bits } => object.with("errorBits", *error_bits),
            Evidence::Agreed { points, bits } => object.with("points", *points).with("bits", *bits),
            Evidence::Refuted(Some(witness)) => object.with("witness", witness_json(witness)),
            Evidence::Refuted(None) => object.with_some("witness", self.relation_witness()),
            _ => object,
        }
        .build()
    }
}

impl Comparison {
    /// Returns `{point: {name: integer or text}, holds: "a"|"b"}` for two relations or sets that differ.
    fn relation_witness(&self) -> Option<Json> {
        let Some(Difference::Holds { point, only }) = &self.decision.difference else { return None };
        let point = point.iter().fold(Json::build(), |object, (name, at)| match at.parse::<i64>() {
            Ok(number) => object.with(name, number),
            Err(_) => object.with(name, at),
        });
        let holds = if *only == Side::First { "a" } else { "b" };
        Some(Json::build().with("point", point.build()).with("holds", holds).build())
    }
}

fn witness_json(witness: &Witness) -> Json {
    let real =
        |value: f64| Decimal::from_f64(value).map_or_else(|| Json::from(value.to_string()), Json::Number);
    let complex = |(re, im): (f64, f64)| if im == 0.0 { real(re) } else { Json::array([real(re), real(im)]) };
    let point = witness.point.iter().fold(Json::build(), |object, (name, at)| object.with(name, real(*at)));
    Json::build()
        .with("point", point.build())
        .with("a", complex(witness.left))
        .with("b", complex(witness.right))
        .build()
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from character {} on: {}", self.character, self.error.message)
    }
}

impl std::error::Error for Unreadable {}

impl From<Unreadable> for Error {
    /// Converts the error: the rule is `unreadable-expression` or `lost-backslash`, the pointer `/a` or `/b`.
    fn from(unreadable: Unreadable) -> Self {
        let error = &unreadable.error;
        let lost = error.problem == Problem::LostBackslash;
        let mut help = match error.expected {
            "" => "correct the expression".to_owned(),
            expected => format!("expected {expected}"),
        };
        if let Some(suggestion) = &error.suggestion {
            if lost {
                help.clear();
            } else {
                help.push_str("; ");
            }
            help.push_str(suggestion);
        }
        let pointer = if unreadable.second { "/b" } else { "/a" };
        let rule = if lost { "lost-backslash" } else { "unreadable-expression" };
        let finding = Finding::error(rule, pointer, unreadable.to_string(), help);
        Self::single(ErrorKind::Schema, finding)
    }
}

/// The maximum number of names in each field of the options.
const MOST_NAMES: usize = 100;
/// The maximum number of characters of a name.
const LONGEST_NAME: usize = 64;

/// Reads options as JSON: `{variables?: [name], domains?: {name: {min?, max?, integer?, exclude?: [number]}},
/// complexVariables?: [name], functions?: [name], logBase?: "10" | "e"}`. A variable without a domain can be
/// any real number; bounds are inclusive.
///
/// # Errors
/// All findings, in one error.
pub fn read_options(text: impl AsRef<[u8]>) -> Result<Options, Error> {
    Document::parse(text.as_ref())?.read::<Declared>().map(|declared| declared.0)
}

struct Declared(Options);

fn read_name(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let name = json::string(1, LONGEST_NAME)(value, at, findings)?;
    has_form(&name, at, findings).then_some(name)
}

/// Tests whether a text is the name of a variable or function, and reports if not.
fn has_form(name: &str, at: &Path<'_>, findings: &mut Findings) -> bool {
    let good = is_name(name);
    if !good {
        findings.push(Finding::error(
            "name-form",
            at.pointer(),
            "no expression can have this name",
            "choose a letter, with a subscript if need be, or a word: `x`, `x_1`, `\\alpha`, `speed`",
        ));
    }
    good
}

impl Read for Declared {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let variables = object.defaulted("variables", Vec::new(), json::list(0, MOST_NAMES, read_name));
        let domains = object.defaulted("domains", Vec::new(), read_domains);
        let complex = object.defaulted("complexVariables", Vec::new(), json::list(0, MOST_NAMES, read_name));
        let functions = object.defaulted("functions", Vec::new(), json::list(0, MOST_NAMES, read_name));
        let bases = &[("10", LogBase::Ten), ("e", LogBase::Natural)];
        let base = object.defaulted("logBase", LogBase::Ten, json::word(bases));
        object.close();
        let mut options = Options::new().with_log_base(base?);
        for name in variables? {
            options = options.with_variable(&name);
        }
        for (name, domain) in domains? {
            options = options.with_domain(&name, domain);
        }
        for name in complex? {
            options = options.with_complex_variable(&name);
        }
        for name in functions? {
            options = options.with_function(&name);
        }
        Some(Self(options))
    }
}

fn read_domains(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Vec<(String, Domain)>> {
    if !value.is_object() {
        findings.push(Finding::error(
            "wrong-type",
            at.pointer(),
            format!("expected an object of domains, found {}", value.kind()),
            "give an object from names to domains",
        ));
        return None;
    }
    if value.fields().count() > MOST_NAMES {
        findings.push(Finding::error(
            "list-length",
            at.pointer(),
            format!("there are more than {MOST_NAMES} domains"),
            "remove those of variables that do not occur",
        ));
        return None;
    }
    let domains: Vec<Option<(String, Domain)>> = value
        .fields()
        .map(|(name, domain)| {
            let at = Path::Field(at, &name);
            let good =
                json::has_length(&name, 1, LONGEST_NAME, &at, findings) && has_form(&name, &at, findings);
            let domain = read_domain(domain, &at, findings)?;
            good.then(|| (name.to_string(), domain))
        })
        .collect();
    domains.into_iter().collect()
}

fn read_domain(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Domain> {
    let mut object = Object::open(value, at, findings)?;
    let min = object.optional("min", rational);
    let max = object.optional("max", rational);
    let integer = object.defaulted("integer", false, json::boolean);
    let exclude = object.defaulted("exclude", Vec::new(), json::list(0, 20, rational));
    let (min, max) = (min?, max?);
    if let (Some(min), Some(max)) = (&min, &max)
        && min > max
    {
        object.report(Finding::error(
            "min-above-max",
            Path::Field(at, "min").pointer(),
            "the smallest value is above the largest",
            "swap the bounds",
        ));
        return None;
    }
    object.close();
    let domain = Domain { min, max, integer: integer?, exclude: exclude? };
    if domain.is_empty() {
        findings.push(Finding::error(
            "empty-domain",
            at.pointer(),
            "there is no value between the bounds",
            "widen the bounds or exclude less",
        ));
        return None;
    }
    Some(domain)
}

fn rational(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Rational> {
    let number = json::decimal(value, at, findings)?;
    let rational = Rational::from_decimal_text(&number.to_string());
    if rational.is_none() {
        findings.push(Finding::error(
            "number-too-long",
            at.pointer(),
            "the number has too many digits to compute with",
            "round it",
        ));
    }
    rational
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_lost_its_backslash_is_refused_with_its_place() {
        for (a, b, pointer) in
            [("\rho", "x", "/a"), ("2 x", "2\times x", "/b"), ("\u{8}eta", "x", "/a"), ("x\to", "x", "/a")]
        {
            let error = Error::from(equivalent(a, b, &Options::new()).unwrap_err());
            let finding = &error.findings()[0];
            assert_eq!((finding.rule, finding.pointer.as_str()), ("lost-backslash", pointer), "{a:?}");
            assert!(finding.help.contains("r\"\\times\""), "{}", finding.help);
        }
    }

    #[test]
    fn options_change_the_decision() {
        let decide = |a, b, options: &str| {
            equivalent(a, b, &read_options(options).unwrap()).unwrap().decision().verdict().as_bool()
        };
        assert_eq!(decide(r"\sqrt{x^2}", "x", "{}"), Some(false));
        assert_eq!(decide(r"\sqrt{x^2}", "x", r#"{"domains":{"x":{"min":0}}}"#), Some(true));
        assert_eq!(decide(r"\log 100", "2", "{}"), Some(true));
        assert_eq!(decide(r"\log e", "1", r#"{"logBase":"e"}"#), Some(true));
        assert_eq!(decide("f(2x)", "f(x+x)", r#"{"functions":["f"]}"#), Some(true));
        assert_eq!(decide("f(x+1)", "fx+f", r#"{"functions":["f"],"variables":["x"]}"#), Some(false));
        let complex = r#"{"complexVariables":["z"]}"#;
        assert_eq!(decide(r"z\overline z", "|z|^2", "{}"), None);
        assert_eq!(decide(r"z\overline z", "|z|^2", complex), Some(true));
        assert_eq!(decide(r"\operatorname{Re} z", r"\frac{z+\overline z}2", complex), Some(true));
        assert_eq!(decide(r"\operatorname{Im} z", r"\frac{z-\overline z}2", complex), Some(false));
        assert_eq!(decide("|z|^2", "z^2", complex), Some(false));
        let whole = r#"{"domains":{"n":{"min":1,"max":5,"integer":true,"exclude":[2]}}}"#;
        assert_eq!(decide(r"\cos(2\pi n)", "1", whole), Some(true));
    }

    #[test]
    fn a_difference_names_its_place() {
        for (a, b, how, words) in [
            (r"\{1,2\}", r"\{2,3\}", "refuted", "at x = 1 only the first holds"),
            (r"\{1,2\}", r"\{2,1,3\}", "refuted", "at x = 3 only the second holds"),
            ("(1,2)", "(1,3)", "refuted", "part 2 differs"),
            ("(1,2)", "(1,2]", "refuted", "at x = 2 only the second holds"),
            ("(1,a)", "(1,a]", "refuted", "at x = 2, a = 2 only the second holds"),
            (r"\mathbb{R}", r"(0,\infty)", "refuted", "at x = -1 only the first holds"),
            (r"\mathbb{Z}", r"\mathbb{Q}", "refuted", r"at x = \frac{2}{3} only the second holds"),
            (r"\mathbb{Q}", r"\mathbb{R}", "refuted", r"at x = \sqrt{2} only the second holds"),
            (r"\mathbb{C}", r"\mathbb{R}", "refuted", "at x = i only the first holds"),
            ("x>0", r"\mathbb{N}", "refuted", r"at x = \frac{2}{3} only the first holds"),
            (r"\{2k\mid k\in\mathbb{Z}\}", r"\mathbb{Z}", "refuted", "at x = 1 only the second holds"),
            (r"A\cup B", r"A\cap B", "refuted", "at A = true, B = false only the first holds"),
            ("1,2", "1,2,3", "refuted", "2 parts and 3"),
            ("1:2:3", "1:2:3:4", "refuted", "3 parts and 4"),
            (r"\{1\}", "x=3", "refuted", "at x = 1 only the first holds"),
            (r"(0,1)\cup(1,2)", "(0,2)", "refuted", "at x = 1 only the second holds"),
            (r"x^2\le4", "-2<x<2", "refuted", "at x = -2 only the first holds"),
            (r"[0,1]\cup[3,4]", r"[0,1]\cup[3,5]", "refuted", r"at x = \frac{9}{2} only the second holds"),
            ("x^2=1", "x=1", "refuted", "at x = -1 only the first holds"),
            (r"A\land B", r"A\lor B", "refuted", "at A = true, B = false only the second holds"),
            ("x<3", r"x\le 3", "refuted", "at x = 3 only the second holds"),
            (
                "x=1,y=2",
                r"\{1,2\}",
                "undecided",
                "the two sides could not be solved far enough to be compared",
            ),
            (
                r"\{1,2\}",
                r"\{2,1\}",
                "proven",
                "the same by the rules for its kind, every part proven the same",
            ),
        ] {
            let found = equivalent(a, b, &Options::new()).unwrap();
            assert_eq!(
                (found.decision().evidence.kind().as_str(), found.evidence().as_str()),
                (how, words),
                "{a} and {b}"
            );
        }
    }

    #[test]
    fn a_relation_beside_a_set_is_accepted_with_a_note() {
        for (a, b, noted) in [
            ("x>1", r"(1,\infty)", true),
            (r"(1,\infty)", "x>1", true),
            (r"\{2,-2\}", "x^2=4", true),
            ("x^2=4", r"x=\pm2", false),
            ("x>1", r"[1,\infty)", false),
        ] {
            let found = equivalent(a, b, &Options::new()).unwrap();
            let note = found.to_json().to_canonical().contains("the set of its solutions");
            assert_eq!(note, noted, "{a} and {b}");
        }
    }

    #[test]
    fn relations_that_differ_have_an_exact_witness() {
        for (a, b, witness) in [
            ("x^2=1", "x=1", r#""witness":{"holds":"a","point":{"x":-1}}"#),
            (r"x=\sqrt2", r"x^2=2", r#""witness":{"holds":"b","point":{"x":"-\\sqrt{2}"}}"#),
            ("x+y=3,x-y=1", "x=2,y=2", r#""witness":{"holds":"a","point":{"x":2,"y":1}}"#),
        ] {
            let found = equivalent(a, b, &Options::new()).unwrap().to_json().to_canonical();
            assert!(found.contains(witness), "{a} and {b}: {found}");
        }
    }

    #[test]
    fn invalid_names_and_empty_domains_are_refused() {
        for (options, rule, pointer) in [
            (r#"{"variables":["x y"]}"#, "name-form", "/variables/0"),
            (r#"{"functions":["f","2f"]}"#, "name-form", "/functions/1"),
            (r#"{"domains":{"x+1":{"min":0}}}"#, "name-form", "/domains/x+1"),
            (r#"{"domains":{"n":{"min":0.2,"max":0.8,"integer":true}}}"#, "empty-domain", "/domains/n"),
            (
                r#"{"domains":{"n":{"min":1,"max":2,"integer":true,"exclude":[2,1]}}}"#,
                "empty-domain",
                "/domains/n",
            ),
        ] {
            let error = read_options(options).unwrap_err();
            assert_eq!((error.rule(), error.pointer()), (rule, pointer), "{options}");
        }
    }

    #[test]
    fn values_equal_in_double_precision_can_differ() {
        let found = equivalent(r"e^{\pi\sqrt{163}}", "262537412640768744", &Options::new()).unwrap();
        assert!(found.decision().is_different());
        assert!(found.evidence().ends_with("differ beyond these digits"), "{}", found.evidence());
    }

    #[test]
    fn wrong_options_are_refused_with_their_place() {
        for (text, rule, pointer) in [
            (r#"{"logBase":"2"}"#, "unknown-word", "/logBase"),
            (r#"{"domains":{"x":{"min":2,"max":1}}}"#, "min-above-max", "/domains/x/min"),
            (r#"{"domains":[]}"#, "wrong-type", "/domains"),
            (r#"{"variable":[]}"#, "unknown-field", "/variable"),
        ] {
            let error = read_options(text).unwrap_err();
            assert_eq!((error.rule(), error.pointer()), (rule, pointer), "{text}");
        }
    }

    #[test]
    fn names_of_domains_are_as_short_as_other_names() {
        let name = "a".repeat(LONGEST_NAME);
        assert!(read_options(format!(r#"{{"domains":{{"{name}":{{}}}},"variables":["{name}"]}}"#)).is_ok());
        let error =
            read_options(format!(r#"{{"domains":{{"{name}a":{{}}}},"variables":["{name}a"]}}"#)).unwrap_err();
        let [listed, key] = error.findings() else { panic!("{error:?}") };
        assert_eq!((listed.rule, &listed.message, &listed.help), (key.rule, &key.message, &key.help));
        let error = read_options(r#"{"domains":{"":{}},"variables":[""]}"#).unwrap_err();
        let [listed, key] = error.findings() else { panic!("{error:?}") };
        assert_eq!((listed.rule, &listed.message, &listed.help), (key.rule, &key.message, &key.help));
        let many: Vec<String> = (0..=MOST_NAMES).map(|at| format!(r#""x_{at}":{{}}"#)).collect();
        let error = read_options(format!(r#"{{"domains":{{{}}}}}"#, many.join(","))).unwrap_err();
        assert_eq!((error.rule(), error.pointer()), ("list-length", "/domains"));
        assert_eq!(error.findings()[0].message, "there are more than 100 domains");
    }

    #[test]
    fn errors_below_long_names_are_small() {
        let fields: Vec<String> = (0..20_000).map(|at| format!(r#""{at}":1"#)).collect();
        let text = format!(r#"{{"domains":{{"{}":{{{}}}}}}}"#, "x".repeat(200_000), fields.join(","));
        let error = read_options(text).unwrap_err();
        assert_eq!(error.findings().len() + error.dropped(), 20_001);
        assert!(error.to_json().len() < 200_000);
    }

    #[test]
    fn the_side_that_cannot_be_read_is_named() {
        let error: Error = equivalent("x+1", r"\frac{1", &Options::new()).unwrap_err().into();
        assert_eq!((error.rule(), error.pointer()), ("unreadable-expression", "/b"));
        let error: Error = equivalent("(", "x", &Options::new()).unwrap_err().into();
        assert_eq!(error.pointer(), "/a");
    }
}
