//! `expression` questions with their key: validation, view and marking. `fablegrade-math` compares
//! expressions.

use fablegrade_latex::free_names::{Names, admits};
use fablegrade_latex::printer::print;
use fablegrade_latex::{KEEP_BACKSLASHES, Problem, lost_backslash};
use fablegrade_math::number::Rational;
use fablegrade_math::sampling::{Outcome, Sampling};
use fablegrade_math::{
    Decision, Dependence, Equivalence as Verdict, Evidence as Basis, Expression, Kind, Note, NoteKind,
    Options, ParseError, Reference, Sampled,
};
use fablegrade_public::document::{flattened, required};
use fablegrade_public::json::Json;
use fablegrade_public::view::expression::{
    Domain, Equivalence, ExpressionSubmission, ExpressionView, FORMULA, Variable, function_not_allowed,
    symbol_not_listed,
};
use fablegrade_public::view::rules;
use fablegrade_public::{Decimal, FeedbackSeverity, Finding, Findings, GradedBy, Ratio, Refusal};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// An expression question.
    pub struct ExpressionSpec {
        /// The correct answer in LaTeX.
        pub canonical: Secret<String> = required("canonical", secret(FORMULA));
        /// The public fields.
        pub public: ExpressionView = flattened();
    }
}

/// The compiled reference and the settings for marking.
pub(crate) struct Ready {
    pub(crate) reference: Reference,
    pub(crate) sampling: Sampling,
    /// The names of the declared variables in normal form; `None` if the question does not declare its
    /// variables.
    declared: Option<Vec<String>>,
    /// Whether an answer must depend on a variable.
    pub(crate) forbid_constant: bool,
}

fn rational(decimal: &Decimal) -> Option<Rational> {
    Rational::from_decimal_text(&decimal.to_string())
}

fn domain(domain: &Domain) -> Option<fablegrade_math::Domain> {
    Some(fablegrade_math::Domain {
        min: Some(rational(&domain.min)?),
        max: Some(rational(&domain.max)?),
        integer: domain.integer,
        exclude: domain.exclude.iter().flatten().map(rational).collect::<Option<_>>()?,
    })
}

impl ExpressionSpec {
    fn options(&self, findings: &mut Findings) -> Options {
        let mut options = Options::new();
        let variables = self.public.variables.as_deref().unwrap_or_default();
        rules::variables(variables, findings);
        for (at, Variable { name, domain: given }) in variables.iter().enumerate() {
            let Some(given) = given else {
                options = options.with_variable(name);
                continue;
            };
            match domain(given) {
                Some(domain) => options = options.with_domain(name, domain),
                None => findings.push(Finding::error(
                    "domain-too-precise",
                    format!("/variables/{at}/domain"),
                    "a number of the domain has too many digits to compute with",
                    "round the bounds",
                )),
            }
        }
        options
    }

    pub(crate) fn allows(&self, function: &str) -> bool {
        self.public.allowed_functions.as_ref().is_none_or(|allowed| admits(allowed, function))
    }
}

/// Returns the refusal of an unreadable formula, with a message for the learner.
fn unreadable(error: &ParseError, latex: &str) -> Refusal {
    Refusal::new("unreadable-formula", error.for_learner(latex)).at("/latex")
}

impl Question for ExpressionSpec {
    type Submission = ExpressionSubmission;
    type View = ExpressionView;
    type Ready = Ready;

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
        let options = self.options(findings);
        let reference = match Reference::new(self.canonical.expose(), &options) {
            Ok(reference) => reference,
            Err(error) => {
                // The parser's message can quote the key, so report only the position and the kind of
                // problem.
                findings.push(Finding::error(
                    "unreadable-canonical",
                    "/canonical",
                    format!(
                        "the LaTeX cannot be read at character {}: {}",
                        error.character(self.canonical.expose()),
                        error.problem
                    ),
                    match error.problem {
                        Problem::LostBackslash => KEEP_BACKSLASHES,
                        _ => "correct the place; `fablegrade equiv` shows it",
                    },
                ));
                return None;
            }
        };
        if let Some(lost) = lost_backslash(self.canonical.expose()) {
            let message =
                format!("at character {}: {}", lost.character(self.canonical.expose()), lost.message);
            findings.push(Finding::warning("lost-backslash", "/canonical", message, KEEP_BACKSLASHES));
        }
        let names = reference.expression().names();
        let declared = self.public.variables.as_ref().map(|variables| {
            variables
                .iter()
                .map(|variable| fablegrade_latex::names::normal_name(&variable.name))
                .collect::<Vec<_>>()
        });
        if let Some(declared) = &declared
            && names.symbols.iter().any(|symbol| !declared.contains(symbol))
        {
            findings.push(Finding::error(
                "unlisted-variable",
                "/variables",
                "the canonical expression uses a symbol that is not listed, so its author could not answer",
                "list every variable of the canonical expression",
            ));
        }
        let tolerance = rational(&self.public.tolerance);
        if tolerance.is_none() {
            findings.push(Finding::error(
                "tolerance-too-precise",
                "/tolerance",
                "the tolerance has too many digits to compute with",
                "round it",
            ));
        }
        let sampling = Sampling { points: self.public.sample_points as usize, tolerance: tolerance? };
        // Only values must depend on variables; intervals, sets and points can be solutions without
        // variables.
        let forbid_constant = self.public.forbid_constant_answer
            && !names.symbols.is_empty()
            && reference.expression().kind() == Kind::Value;
        (findings.errors() == 0).then_some(Ready { reference, sampling, declared, forbid_constant })
    }

    fn view(&self, _order: &Order<'_>) -> ExpressionView {
        let Self { canonical: _, public } = self;
        let ExpressionView {
            equivalence,
            variables,
            sample_points,
            tolerance,
            allowed_functions,
            forbid_constant_answer,
        } = public;
        ExpressionView {
            equivalence: *equivalence,
            variables: variables.clone(),
            sample_points: *sample_points,
            tolerance: tolerance.clone(),
            allowed_functions: allowed_functions.clone(),
            forbid_constant_answer: *forbid_constant_answer,
        }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &ExpressionSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        let latex = &submission.latex;
        // Read the answer once, for the rules and for every comparison.
        let answer = match ready.reference.parse(latex) {
            Ok(answer) => answer,
            Err(error) => return Mark::Refused(unreadable(&error, latex)),
        };
        sheet.trace.step("formula-read", || {
            let notes = answer.notes().iter().map(|note| Json::from(format!("{:?}", note.kind)));
            vec![("as", print(answer.syntax()).into()), ("notes", Json::array(notes))]
        });
        if let Some(lost) = lost_backslash(latex) {
            let message = format!("At character {}, {}.", lost.character(latex), lost.message);
            sheet.tell(FeedbackSeverity::Hint, message);
        }
        if let Some(message) = self.breaks_a_rule(ready, &answer.names(), sheet) {
            sheet.tell(FeedbackSeverity::Hint, message);
            return Mark::Scored(Ratio::zero());
        }
        let same = match self.public.equivalence {
            Equivalence::Literal => Ok(literal(ready, &answer, sheet)),
            Equivalence::Symbolic => symbolic(ready, &answer, sheet),
            Equivalence::NumericSampling => sampled(ready, &answer, sheet),
        };
        let same = match same {
            Ok(same) => same,
            Err(Stop::Unreadable(error)) => return Mark::Refused(unreadable(&error, latex)),
            Err(Stop::Undecided) => {
                return Mark::Undecided(
                    "Your formula could not be compared for certain. Try to write it in a simpler form."
                        .to_owned(),
                );
            }
        };
        // An answer that contains variables but is constant, such as `x-x+5`, is incorrect even if it equals
        // the key.
        if same
            && ready.forbid_constant
            && self.public.equivalence != Equivalence::Literal
            && matches!(ready.reference.dependence_of(&answer), Ok(Dependence::Constant { .. }))
        {
            sheet.trace.step("answer-constant", Vec::new);
            sheet.tell(FeedbackSeverity::Hint, CONSTANT);
            return Mark::Scored(Ratio::zero());
        }
        let lists = |note: &Note| note.kind == NoteKind::CommaList;
        if !same && ready.reference.expression().kind() == Kind::Value && answer.notes().iter().any(lists) {
            sheet.tell(FeedbackSeverity::Hint, COMMA);
        } else if !same && answer.notes().iter().any(|note| note.kind == NoteKind::LetterProduct) {
            // The reading looks exactly like the input, so quoting it would not help.
            sheet.tell(FeedbackSeverity::Info, LETTERS);
        } else if !same && !answer.notes().is_empty() {
            sheet.tell(
                FeedbackSeverity::Info,
                format!(
                    "Your formula was read as {}; check that this is what you meant.",
                    print(answer.syntax())
                ),
            );
        }
        Mark::Scored(if same { Ratio::one() } else { Ratio::zero() })
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}

const LETTERS: &str = "Letters without spaces were read as a product of variables.";
const COMMA: &str = "The comma was read as separating several values. Write decimals with a point.";
const CONSTANT: &str = "The answer must depend on the variables.";

impl ExpressionSpec {
    /// Returns a message for the learner if the answer breaks a rule that can be checked without comparing it
    /// with the key.
    fn breaks_a_rule(&self, ready: &Ready, names: &Names, sheet: &mut Sheet) -> Option<String> {
        if let Some(declared) = &ready.declared
            && let Some(symbol) = names.symbols.iter().find(|symbol| !declared.contains(symbol))
        {
            sheet.trace.step("symbol-not-listed", || vec![("symbol", symbol.as_str().into())]);
            return Some(symbol_not_listed(symbol));
        }
        if let Some(function) = names.functions.iter().find(|function| !self.allows(function)) {
            sheet.trace.step("function-not-allowed", || vec![("function", (*function).into())]);
            return Some(function_not_allowed(function));
        }
        if ready.forbid_constant && names.symbols.is_empty() {
            sheet.trace.step("answer-constant", Vec::new);
            return Some(CONSTANT.to_owned());
        }
        None
    }
}

/// The reason why a comparison has no result.
enum Stop {
    Unreadable(ParseError),
    Undecided,
}

impl From<ParseError> for Stop {
    fn from(error: ParseError) -> Self {
        Self::Unreadable(error)
    }
}

fn literal(ready: &Ready, answer: &Expression, sheet: &mut Sheet) -> bool {
    let same = ready.reference.has_same_form(answer);
    sheet.trace.step("forms-compared", || vec![("same", same.into())]);
    same
}

fn symbolic(ready: &Ready, answer: &Expression, sheet: &mut Sheet) -> Result<bool, Stop> {
    let decision = ready.reference.compare(answer)?;
    sheet.trace.step("compared", || facts(&decision));
    decided(decision.verdict())
}

fn decided(verdict: Verdict) -> Result<bool, Stop> {
    verdict.as_bool().ok_or(Stop::Undecided)
}

fn sampled(ready: &Ready, answer: &Expression, sheet: &mut Sheet) -> Result<bool, Stop> {
    let sampled = ready.reference.sample(answer, &ready.sampling)?;
    let verdict = sampled.verdict();
    let Sampled::Value(report) = sampled else {
        let same = verdict.as_bool().map_or(Json::Null, Json::Bool);
        sheet.trace.step("parts-sampled", || vec![("same", same)]);
        return decided(verdict);
    };
    sheet.trace.step("sampled", || {
        let mut facts: Vec<(&'static str, Json)> = vec![
            ("valid", report.valid.into()),
            ("undefined", report.undefined.into()),
            ("skipped", report.skipped.into()),
        ];
        let word = match &report.outcome {
            Outcome::Close => "close",
            Outcome::Apart { point, canonical, submission } => {
                facts.push(("point", Json::array(point.iter().map(|value| number(*value)))));
                facts.push(("canonical", number(canonical.0)));
                facts.push(("submission", number(submission.0)));
                "apart"
            }
            Outcome::OftenUndefined => "often-undefined",
            Outcome::TooFewPoints => "too-few-points",
            _ => "undecided",
        };
        facts.push(("outcome", word.into()));
        facts
    });
    decided(verdict)
}

/// Converts a float to JSON; infinities and NaN become strings.
fn number(value: f64) -> Json {
    Decimal::from_f64(value).map_or_else(|| Json::from(value.to_string()), Json::from)
}

/// Returns the evidence for a decision. It can contain witness points, so it is only for the author.
fn facts(decision: &Decision) -> Vec<(&'static str, Json)> {
    let mut facts = vec![("how", Json::from(decision.evidence.kind().as_str()))];
    match &decision.evidence {
        Basis::Proven(proof) => facts.push(("proof", format!("{proof:?}").into())),
        Basis::Identity { error_bits } => facts.push(("errorBits", (*error_bits).into())),
        Basis::Agreed { points, bits } => {
            facts.push(("points", (*points).into()));
            facts.push(("bits", (*bits).into()));
        }
        Basis::Refuted(Some(witness)) => {
            let point = witness
                .point
                .iter()
                .fold(Json::build(), |point, (name, value)| point.with(name, number(*value)));
            facts.push(("point", point.build()));
            facts.push(("canonical", number(witness.left.0)));
            facts.push(("submission", number(witness.right.0)));
            facts.push(("bound", number(witness.bound)));
        }
        Basis::Refuted(None) => {
            if let Some(difference) = &decision.difference {
                facts.push(("difference", difference.to_string().into()));
            }
        }
        Basis::Undecided(why) => facts.push(("why", why.to_string().into())),
        _ => {}
    }
    if decision.reference_undefined {
        facts.push(("canonicalOftenUndefined", true.into()));
    }
    if decision.submission_undefined {
        facts.push(("submissionOftenUndefined", true.into()));
    }
    facts
}
