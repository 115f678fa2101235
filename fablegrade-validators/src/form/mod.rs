//! `form`: an expression that must be equal to the key *and* written in a required form.
//!
//! Configuration: `{"expression": "(x-2)(x-3)", "form": "factored", "variable"?: "x", "weight"?: "1/2", "value"?:
//! "equal"}`. `weight` is the score of an equal expression in another form. With `"value": "any"` only the form is
//! judged, and `expression` is omitted unless the form is `same`. The state is `{"latex": "..."}`. `variables` and
//! `functions` declare names as in an expression question; `forms` (a list), instead of `form`, requires several
//! forms at once. `factored`, `completed_square` and `partial_fractions` need a `variable`.
//!
//! | form | requires |
//! |---|---|
//! | `same` | the form of the key up to the order and grouping of sums and products |
//! | `factored` | a product of factors in `variable`, irreducible over the rationals, without common factors inside |
//! | `expanded` | no product with a sum, no quotient of a sum, no whole power above 1 of a sum or product |
//! | `lowest_terms` | every quotient of two integers reduced, no root and no `i` in a denominator |
//! | `rational_lowest_terms` | a fraction of polynomials without a common factor |
//! | `single_fraction` | one fraction without other fractions inside, or no fraction |
//! | `rational_denominator` | no root and no `i` in a denominator |
//! | `simplest_radical` | no square (cube, ...) or fraction under a root, no root in a denominator |
//! | `completed_square` | the variable in one term only, `k(...)²` unless the expression is linear |
//! | `partial_fractions` | a sum of polynomials and `p/qⁿ` with `q` irreducible over the rationals, `deg p < deg q` |
//! | `scientific` | `a·10ⁿ` with `1 <= |a| < 10` |
//! | `line_standard` | `ax+by=c` with integers without a common factor |
//! | `line_slope` | `y=mx+b` |
//! | `circle` | `(x-h)²+(y-k)²=r²` |

mod lowest_terms;
mod polynomial;
mod rules;
mod same;
mod terms;

use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};
use fablegrade_latex::Syntax;
use fablegrade_math::{Expression, Options, Reference};

use self::terms::Tree;
use crate::fields;

pub(crate) const SENTENCES: &[Sentence] = &[
    Sentence::error("no-text", "The answer is not a text."),
    Sentence::error("text-too-long", "The answer has more than 2,000 characters."),
    Sentence::error("unreadable-expression", "The expression cannot be read."),
    Sentence::error(
        "not-compared",
        "Your formula could not be compared for certain. Try to write it in a simpler form.",
    ),
    Sentence::hint("not-same-form", "The expression is not in the expected form."),
    Sentence::hint(
        "not-factored",
        "The expression is not a product of factors that cannot be factored further.",
    ),
    Sentence::hint("content-left", "A common factor is left inside a bracket."),
    Sentence::hint("not-expanded", "The expression still has a product or a power of a sum."),
    Sentence::hint("not-lowest-terms", "A fraction is not in lowest terms."),
    Sentence::hint("root-in-denominator", "A root or i is left in a denominator."),
    Sentence::hint("not-single-fraction", "Write the expression as a single fraction."),
    Sentence::hint("nested-fraction", "A fraction has another fraction inside."),
    Sentence::hint("root-not-simplest", "A root can be simplified."),
    Sentence::hint("not-completed-square", "The variable may be in one square only, such as a(x+b)^2+c."),
    Sentence::hint("not-partial-fractions", "The expression is not a sum of partial fractions."),
    Sentence::hint(
        "not-scientific-form",
        "Write the number as a*10^n with one digit before the decimal point.",
    ),
    Sentence::hint(
        "not-line-standard",
        "Write the line as ax+by=c with integers that have no common factor.",
    ),
    Sentence::hint("not-line-slope", "Write the line as y=mx+b."),
    Sentence::hint("not-circle", "Write the circle as (x-h)^2+(y-k)^2=r^2."),
];

/// A required form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Same,
    Factored,
    Expanded,
    LowestTerms,
    RationalLowestTerms,
    SingleFraction,
    RationalDenominator,
    SimplestRadical,
    CompletedSquare,
    PartialFractions,
    Scientific,
    LineStandard,
    LineSlope,
    Circle,
}

const FORMS: &[(&str, Form)] = &[
    ("same", Form::Same),
    ("factored", Form::Factored),
    ("expanded", Form::Expanded),
    ("lowest_terms", Form::LowestTerms),
    ("rational_lowest_terms", Form::RationalLowestTerms),
    ("single_fraction", Form::SingleFraction),
    ("rational_denominator", Form::RationalDenominator),
    ("simplest_radical", Form::SimplestRadical),
    ("completed_square", Form::CompletedSquare),
    ("partial_fractions", Form::PartialFractions),
    ("scientific", Form::Scientific),
    ("line_standard", Form::LineStandard),
    ("line_slope", Form::LineSlope),
    ("circle", Form::Circle),
];
const VALUES: &[(&str, bool)] = &[("equal", true), ("any", false)];

struct ExpressionForm {
    forms: Vec<Form>,
    /// The printed name of the variable.
    variable: Option<String>,
    options: Options,
    /// The reference; `None` if only the form is judged.
    reference: Option<Reference>,
    /// The form of the key, for `same`.
    key: Option<String>,
    /// The weight of an equal expression in another form.
    weight: Ratio,
}

fn readable(options: &Options, latex: &str) -> Option<Expression> {
    Expression::parse(latex, options).ok()
}

pub(crate) fn compile(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Box<dyn StateJudge>> {
    let mut object = Object::open(value, at, findings)?;
    let expression = object.optional("expression", json::string(1, 2_000));
    let form = object.optional("form", json::word(FORMS));
    let forms = object.optional("forms", json::unique_list(1, 5, json::word(FORMS)));
    let variable = object.optional("variable", json::string(1, 100));
    let variables = object.defaulted("variables", Vec::new(), json::list(0, 50, json::string(1, 50)));
    let functions = object.defaulted("functions", Vec::new(), json::list(0, 50, json::string(1, 50)));
    let weight = object.defaulted("weight", Ratio::zero(), fields::share(0, 1));
    let compared = object.defaulted("value", true, json::word(VALUES));
    let (expression, form, forms, variable) = (expression?, form?, forms?, variable?);
    let compared = compared?;
    let mut refuse = |rule: &'static str, field: &'static str, message: &str, help: &str| {
        object.report(Finding::error(rule, Path::Field(at, field).pointer(), message, help));
    };
    let forms = match (form, forms) {
        (Some(form), None) => vec![form],
        (None, Some(forms)) => forms,
        _ => {
            refuse("one-of-two", "form", "give exactly one of `form` and `forms`", "keep the intended one");
            Vec::new()
        }
    };
    let mut options = Options::new();
    for name in variables? {
        options = options.with_variable(&name);
    }
    for name in functions? {
        options = options.with_function(&name);
    }
    let needs_key = compared || forms.contains(&Form::Same);
    if needs_key != expression.is_some() {
        let (message, help) = if needs_key {
            ("the expression to compare with is missing", "add `expression`")
        } else {
            ("only the form is judged, so an expression is never looked at", "remove `expression`")
        };
        refuse("expression-needed", "expression", message, help);
    }
    let mut reference = None;
    let mut key = None;
    if let Some(expression) = &expression {
        match Reference::new(expression, &options) {
            Ok(compiled) => {
                key = Some(same::form(&Tree::new(compiled.expression().syntax(), None)));
                reference = Some(compiled).filter(|_| compared);
            }
            Err(_) => refuse(
                "unreadable-expression",
                "expression",
                "the expression cannot be read",
                "correct the LaTeX",
            ),
        }
    }
    let variable = match variable {
        None => None,
        Some(variable) => {
            let read = readable(&options, &variable);
            if read.is_none() {
                refuse("unreadable-expression", "variable", "the variable cannot be read", "write it like x");
            }
            read.map(|read| fablegrade_latex::printer::print(read.syntax()))
        }
    };
    let needs_variable =
        |form: &Form| matches!(form, Form::Factored | Form::CompletedSquare | Form::PartialFractions);
    if variable.is_none() && forms.iter().any(needs_variable) {
        refuse("variable-needed", "variable", "this form is about a variable", "name it, such as \"x\"");
    }
    object.close();
    Some(Box::new(ExpressionForm { forms, variable, options, reference, key, weight: weight? }))
}

impl ExpressionForm {
    /// Returns the code of the first fault that keeps the expression from the required forms.
    fn fault(&self, tree: &Syntax) -> Option<&'static str> {
        let tree = Tree::new(tree, self.variable.as_deref());
        self.forms.iter().find_map(|form| match form {
            Form::Same => (self.key.as_deref() != Some(&same::form(&tree))).then_some("not-same-form"),
            other => rules::fault(*other, &tree),
        })
    }
}

impl StateJudge for ExpressionForm {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let latex = fields::typed(state, "latex")?;
        let unreadable = || Unjudged::Unreadable(Message::sentence("unreadable-expression"));
        let submission = readable(&self.options, latex).ok_or_else(unreadable)?;
        let fault = self.fault(submission.syntax());
        steps.step("form-checked", || vec![("fault", fault.map_or(Json::Null, Json::from))]);
        let equal = match &self.reference {
            None => true,
            // Expressions of the same form are equal, so they need not be compared.
            Some(_) if fault.is_none() && self.forms.contains(&Form::Same) => true,
            Some(reference) => {
                let decision = reference.compare(&submission).map_err(|_| unreadable())?;
                steps.step("expression-compared", || {
                    vec![("evidence", decision.evidence.kind().as_str().into())]
                });
                // Trying again would not help, so the learner is asked for another form.
                let undecided = || Unjudged::Unreadable(Message::sentence("not-compared"));
                decision.verdict().as_bool().ok_or_else(undecided)?
            }
        };
        let score = match (equal, fault) {
            (true, None) => Ratio::one(),
            (true, Some(_)) => self.weight.clone(),
            (false, _) => Ratio::zero(),
        };
        let judgement = Judgement::new(score);
        Ok(match fault {
            Some(code) => judgement.saying(Message::sentence(code)),
            None => judgement,
        })
    }

    fn lint(&self, findings: &mut Findings) {
        if let Some(reference) = &self.reference
            && self.fault(reference.expression().syntax()).is_some()
            && !self.forms.contains(&Form::Same)
        {
            findings.push(Finding::info(
                "key-in-other-form",
                "/expression",
                "the expression itself does not have the expected form",
                "write it in the form that learners should give",
            ));
        }
    }
}

/// Checks that an expression can be read, for a preview without the key.
pub(crate) fn check_form(latex: &str) -> Result<(), &'static str> {
    readable(&Options::new(), latex).map(drop).ok_or("unreadable-expression")
}
