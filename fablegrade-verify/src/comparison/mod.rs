//! Decides whether two tidied texts are the same answer.
//!
//! The steps are the same for every pair, until one of them decides: identical text, plain numbers, options and
//! words; then the structure (lists, inequalities, equations, tuples); then percent signs, degrees and units;
//! finally the mathematics. A convention is tried only if the profile has it, and recorded only if it helped.

mod bounds;
mod decimals;
mod equations;
mod families;
mod lists;
mod quantities;
mod renaming;
mod terms;
mod texts;
mod vectors;

use fablegrade_math::{Dependence, Evidence};

use crate::gold::Gold;
use crate::profile::{Convention, Conventions};

/// The result of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Same,
    Different,
    Undecided,
}

impl Outcome {
    /// Returns this outcome if it is `Same`; otherwise the better of this and a second attempt.
    fn or_else(self, second: impl FnOnce() -> Self) -> Self {
        if self == Self::Same { self } else { self.or(second()) }
    }

    /// Returns the better outcome of two attempts at one pair: `Same`, then `Undecided`, then `Different`.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Same, _) | (_, Self::Same) => Self::Same,
            (Self::Undecided, _) | (_, Self::Undecided) => Self::Undecided,
            _ => Self::Different,
        }
    }
}

impl From<bool> for Outcome {
    fn from(same: bool) -> Self {
        if same { Self::Same } else { Self::Different }
    }
}

/// The maximum nesting depth of compared parts.
const DEEPEST: u32 = 8;

/// The maximum number of pairs of formulas that are compared for one answer.
const MOST_FORMULAS: u32 = 300;
/// The maximum number of undecided pairs of formulas.
const MOST_UNDECIDED: u32 = 2;

/// The evidence for identical texts.
const SAME_TEXT: &str = "the same text";

/// The comparison of one answer.
pub(crate) struct Comparison<'g> {
    gold: &'g Gold,
    used: Conventions,
    how: &'static str,
    evidence: String,
    formulas: u32,
    undecided: u32,
    depth: u32,
    /// Set while values are compared after their percent signs were removed.
    in_percent: bool,
    /// Set while values are compared after their degree signs were removed.
    in_degrees: bool,
}

impl<'g> Comparison<'g> {
    pub(crate) fn new(gold: &'g Gold) -> Self {
        Self {
            gold,
            used: Conventions::default(),
            how: "refuted",
            evidence: String::new(),
            formulas: MOST_FORMULAS,
            undecided: 0,
            depth: 0,
            in_percent: false,
            in_degrees: false,
        }
    }

    /// Returns the method in one word, the evidence in words, and the conventions that were needed.
    pub(crate) fn into_evidence(self, outcome: Outcome) -> (&'static str, String, Conventions) {
        let used = if outcome == Outcome::Same { self.used } else { Conventions::default() };
        let how = match outcome {
            Outcome::Undecided => "undecided",
            _ => self.how,
        };
        let evidence = match (self.evidence.is_empty(), outcome) {
            (false, Outcome::Same) if self.evidence == SAME_TEXT && used != Conventions::default() => {
                "the same text after the listed conventions".into()
            }
            (false, _) => self.evidence,
            (true, Outcome::Same) => "the same by its parts".into(),
            (true, Outcome::Different) => "no reading of the answer matches the reference".into(),
            (true, Outcome::Undecided) => "the budget of comparisons ran out".into(),
        };
        (how, evidence, used)
    }

    fn has(&self, convention: Convention) -> bool {
        self.gold.profile().has(convention)
    }

    /// Runs an attempt under a convention, and records the convention if the outcome is `Same`. Returns `Different` if
    /// the profile lacks the convention.
    fn under(&mut self, convention: Convention, attempt: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if !self.has(convention) {
            return Outcome::Different;
        }
        let before = self.used;
        let outcome = attempt(self);
        if outcome == Outcome::Same {
            self.used = self.used.with(convention);
        } else {
            self.used = before;
        }
        outcome
    }

    fn decided(&mut self, how: &'static str, evidence: &str, outcome: Outcome) -> Outcome {
        if self.depth <= 1 || outcome == Outcome::Same {
            self.how = how;
            evidence.clone_into(&mut self.evidence);
        }
        outcome
    }

    /// Compares a part of the reference with a part of the answer, both tidied.
    pub(crate) fn compare(&mut self, gold: &str, answer: &str) -> Outcome {
        if self.depth >= DEEPEST {
            return Outcome::Undecided;
        }
        self.depth += 1;
        let outcome = self.compare_parts(gold.trim(), answer.trim());
        self.depth -= 1;
        outcome
    }

    fn compare_parts(&mut self, gold: &str, answer: &str) -> Outcome {
        if gold.is_empty() || answer.is_empty() {
            return Outcome::Different;
        }
        if texts::same_text(gold, answer) && !gold.contains("\\placeholder") {
            return self.decided("text", SAME_TEXT, Outcome::Same);
        }
        if renaming::ranges_differ(gold, answer) {
            return self.decided("refuted", "the parameter runs through other numbers", Outcome::Different);
        }
        if let (Some(a), Some(b)) = (self.gold.number_of(gold), self.gold.number_of(answer)) {
            // a reference such as `1,5` is a list, unless the answer has a comma too
            let listed = a.comma
                && a.fraction_digits == Some(1)
                && !b.comma
                && !gold.trim_start_matches(['-', '+', ' ']).starts_with("0,");
            let outcome = if listed { Outcome::Different } else { self.numbers(&a, &b) };
            if outcome == Outcome::Same || !(a.comma || b.comma) {
                return outcome;
            }
        }
        // `0,125` is a decimal beside a formula; beside a list, it may be a list of two
        let decimal = self.gold.number_of(answer).filter(|written| {
            written.grouped && written.comma && written.fraction_digits == Some(3) && answer.contains("0,")
        });
        if let Some(latex) = decimal.and_then(|written| written.number.to_latex())
            && self.gold.number_of(gold).is_none()
            && !lists::has_several(gold)
        {
            return self.under(Convention::Grouping, |this| this.compare(gold, &latex));
        }
        if let Some(outcome) = self.choices(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.times(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.bases(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.texts(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.worded_constant(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.several_units(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.lists(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.approximations(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.compare_bounds(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.equations(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.tuples(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.percents(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.degrees(gold, answer) {
            return outcome;
        }
        if let Some(outcome) = self.units(gold, answer) {
            return outcome;
        }
        self.values(gold, answer)
    }

    /// Compares two formulas mathematically, then under the conventions for decimals, logarithms and
    /// constants.
    fn values(&mut self, gold: &str, answer: &str) -> Outcome {
        let mut outcome = self.formulas(gold, answer, false);
        if outcome == Outcome::Same {
            return outcome;
        }
        let (how, evidence) = (self.how, self.evidence.clone());
        outcome = outcome.or(self.decimals(gold, answer));
        if outcome != Outcome::Same && (has_bare_log(gold) || has_bare_log(answer)) {
            outcome =
                outcome.or(self.under(Convention::Logarithms, |this| this.formulas(gold, answer, true)));
        }
        if outcome != Outcome::Same {
            outcome = outcome.or(self.constants(gold, answer));
        }
        if outcome != Outcome::Same {
            outcome = outcome.or(self.parameters(gold, answer));
        }
        if outcome != Outcome::Same {
            self.how = how;
            self.evidence = evidence;
        }
        outcome
    }

    /// Compares two formulas as mathematics.
    fn formulas(&mut self, gold: &str, answer: &str, natural: bool) -> Outcome {
        if self.formulas == 0 || self.undecided >= MOST_UNDECIDED {
            return Outcome::Undecided;
        }
        self.formulas -= 1;
        let (gold, answer) = (formula(gold), formula(answer));
        let Some(reference) = self.gold.reference(&gold, natural) else {
            return self.decided(
                "unreadable",
                "the reference is not a formula that can be read",
                Outcome::Different,
            );
        };
        let Ok(decision) = reference.compare_latex(&answer) else {
            return self.decided(
                "unreadable",
                "the answer is not a formula that can be read",
                Outcome::Different,
            );
        };
        let (how, words) = (decision.evidence.kind().as_str(), decision.describe());
        match &decision.evidence {
            Evidence::Undecided(_) => {
                self.undecided += 1;
                self.decided(how, &words, Outcome::Undecided)
            }
            Evidence::Refuted(_) => self.decided(how, &words, Outcome::Different),
            // an answer such as `\frac{x}{x}` is not accepted for the constant 1
            _ if is_hidden_constant(&gold, &answer) => self.decided(
                "refuted",
                "the answer has a variable and a quotient, but the reference has no variable",
                Outcome::Different,
            ),
            Evidence::Proven(_) | Evidence::Identity { .. } | Evidence::Agreed { .. } => {
                self.decided(how, &words, Outcome::Same)
            }
            _ => self.decided(how, "the evidence is of a kind that is not known here", Outcome::Undecided),
        }
    }

    /// Decides whether the difference of two formulas is a constant.
    fn differ_by_constant(&mut self, gold: &str, answer: &str) -> Outcome {
        if self.formulas == 0 || self.undecided >= MOST_UNDECIDED {
            return Outcome::Undecided;
        }
        self.formulas -= 1;
        let (gold, answer) = (formula(gold), formula(answer));
        let Some(reference) = self.gold.reference(&gold, false) else { return Outcome::Different };
        let difference = reference.parse(&format!("({gold})-({answer})"));
        match difference.and_then(|difference| reference.dependence_of(&difference)) {
            Ok(Dependence::Constant { .. }) => {
                self.decided("agreed", "the difference is a constant", Outcome::Same)
            }
            Ok(Dependence::Varies) | Err(_) => Outcome::Different,
            Ok(_) => Outcome::Undecided,
        }
    }
}

/// Returns a tidied text for the mathematics parser: without `\quad`, and with `\setminus` between sets.
fn formula(text: &str) -> String {
    if ["\\quad", "\\} - \\{", "\\mathbb{R}"].iter().any(|part| text.contains(part)) {
        let mut text = text.replace("\\quad", " ");
        // A minus sign between sets is a set difference.
        for set in ["\\}", "\\mathbb{R}"] {
            for minus in ["-", " - ", "- ", " -"] {
                text = text.replace(&format!("{set}{minus}\\{{"), &format!("{set} \\setminus \\{{"));
            }
        }
        return text;
    }
    text.to_owned()
}

fn has_bare_log(text: &str) -> bool {
    text.match_indices("\\log").any(|(at, found)| {
        let rest = text[at + found.len()..].trim_start();
        !rest.starts_with('_')
    })
}

/// Returns whether the answer has a variable and a quotient or negative exponent, but the reference has no variable.
/// Answers with integrals, sums, products or limits are excluded, because these bind variables.
fn is_hidden_constant(gold: &str, answer: &str) -> bool {
    (answer.contains("\\frac") || answer.contains('/') || answer.contains("\\div") || answer.contains("^{-"))
        && renaming::variables(gold).is_empty()
        && !renaming::variables(answer).is_empty()
        && !answer.contains("\\int")
        && !answer.contains("\\sum")
        && !answer.contains("\\prod")
        && !answer.contains("\\lim")
}
