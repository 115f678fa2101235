//! Usual wrong answers, graded as if a learner had sent them: what earns points is told with its score.

use fablegrade_math::{Options, Reference};
use fablegrade_public::json::Json;
use fablegrade_public::view::expression::{Equivalence, ExpressionSubmission};
use fablegrade_public::view::multiple_choice::MultipleChoiceSubmission;
use fablegrade_public::view::numeric::NumericSubmission;
use fablegrade_public::view::widget::WidgetSubmission;
use fablegrade_public::{Decimal, Finding, Findings, Ratio};

use crate::answer::expression::{ExpressionSpec, Ready as ExpressionReady};
use crate::answer::multiple_choice::{MultipleChoiceSpec, Ready as ChoiceReady};
use crate::answer::numeric::{NumericAnswer, NumericSpec, Ready as NumericReady};
use crate::answer::widget::{Ready as WidgetReady, WidgetSpec};
use crate::answer::{Question, two_places};
use crate::mark::{Mark, Sheet};

/// What an answer earns from the real grader; nothing if it is refused or undecided.
fn earned<Q: Question>(spec: &Q, ready: &Q::Ready, submission: &Q::Submission) -> Ratio {
    match spec.mark(ready, submission, None, &mut Sheet::default()) {
        Mark::Scored(score) => score,
        _ => Ratio::zero(),
    }
}

/// Wrong answers that earn points, by what was done to the key.
pub(super) type Passing = Vec<(&'static str, Ratio)>;

/// `zero (1.00), the other sign (1.00)`
pub(super) fn list(passing: &Passing) -> String {
    let parts: Vec<String> =
        passing.iter().map(|(what, score)| format!("{what} ({})", two_places(score))).collect();
    parts.join(", ")
}

/// Zero, the other sign, a factor of ten either way, degrees for radians, and the neighbours of an integer.
pub(super) fn numeric(spec: &NumericSpec, ready: &NumericReady) -> Passing {
    let NumericAnswer::Value { value, .. } = spec.answer.expose() else { return Passing::new() };
    if value.is_zero() {
        return Passing::new();
    }
    let mut mutants = vec![
        ("zero", Decimal::zero()),
        ("the other sign", value.negate()),
        ("ten times the value", value.multiply(&Decimal::from(10))),
        ("a tenth of the value", value.multiply(&Decimal::new(1, -1))),
        ("the value in degrees", value.multiply(&Decimal::new(57_295_779_513, -9))),
    ];
    if spec.integer_only {
        mutants.push(("one more", value.add(&Decimal::one())));
        mutants.push(("one less", value.subtract(&Decimal::one())));
    }
    let unit = spec.unit.as_ref().map(|unit| unit.expected.clone());
    let mark = |(what, value): (&'static str, Decimal)| {
        let score = earned(spec, ready, &NumericSubmission { value, unit: unit.clone() });
        (!score.is_zero()).then_some((what, score))
    };
    mutants.into_iter().filter_map(mark).collect()
}

/// Every choice at once, and every wrong choice alone.
pub(super) fn multiple_choice(spec: &MultipleChoiceSpec, ready: &ChoiceReady, findings: &mut Findings) {
    let ids = |keep: &dyn Fn(bool) -> bool| MultipleChoiceSubmission {
        selected_choice_ids: spec
            .choices
            .iter()
            .filter(|choice| keep(*choice.correct.expose()))
            .map(|choice| choice.id.clone())
            .collect(),
    };
    if !spec.multiple_select || !spec.partial_credit {
        return;
    }
    let score = earned(spec, ready, &ids(&|_| true));
    if score.is_zero() {
        return;
    }
    let message = format!("ticking every choice earns {}", two_places(&score));
    let help = "add wrong choices until there are at least as many as right ones, or grade all-or-nothing";
    findings.push(if score >= Ratio::new(1, 2) {
        Finding::warning("ticking-everything-pays", "/partialCredit", message, help)
    } else {
        Finding::info("ticking-everything-pays", "/partialCredit", message, help)
    });
}

/// Functions that are often forgotten.
const FUNCTIONS: [&str; 9] =
    ["\\sin", "\\cos", "\\tan", "\\ln", "\\exp", "\\sqrt", "\\arcsin", "\\arctan", "\\sinh"];
/// Longer keys are not changed.
const LONGEST: usize = 300;

/// The key changed as learners change it, where sampling or a domain could hide the change. A change that makes no
/// difference to the expression as such is none.
pub(super) fn expression(spec: &ExpressionSpec, ready: &ExpressionReady, findings: &mut Findings) {
    let key = spec.canonical.expose();
    let sampled = spec.public.equivalence == Equivalence::NumericSampling;
    let bounded = spec.public.variables.iter().flatten().any(|variable| variable.domain.is_some());
    if ready.reference.is_structured()
        || key.len() > LONGEST
        || spec.public.equivalence == Equivalence::Literal
        || !(sampled || bounded)
    {
        return;
    }
    let mut mutants: Vec<(&'static str, String)> = Vec::new();
    if sampled {
        mutants.push(("zero", "0".to_owned()));
        mutants.push(("the other sign", format!("-({key})")));
        mutants.extend(without_last_number(key).map(|latex| ("without the constant", latex)));
        let function = FUNCTIONS.iter().find(|name| key.contains(**name));
        mutants.extend(function.map(|name| ("without its function", key.replacen(name, "", 1))));
    }
    if bounded {
        mutants.extend(without_bars(key).map(|latex| ("without the absolute value", latex)));
        mutants.extend(other_power(key).map(|latex| ("another power", latex)));
    }
    if mutants.is_empty() {
        return;
    }
    let mut free = Options::new().fuel(50_000);
    for variable in spec.public.variables.iter().flatten() {
        free = free.variable(&variable.name);
    }
    let Ok(reference) = Reference::new(key, &free) else { return };
    let mut passing = Passing::new();
    for (what, latex) in mutants {
        let submission = ExpressionSubmission { latex };
        let score = earned(spec, ready, &submission);
        if !score.is_zero()
            && reference.compare(&submission.latex).is_ok_and(|decision| decision.equal() == Some(false))
        {
            passing.push((what, score));
        }
    }
    if passing.is_empty() {
        return;
    }
    let pointer = if sampled { "/tolerance" } else { "/variables" };
    let help = if sampled {
        "make the tolerance smaller than the values of the key, or widen the domains"
    } else {
        "widen the domains until the wrong answer differs on them"
    };
    let message = format!("wrong answers earn points: {}", list(&passing));
    findings.push(Finding::warning("wrong-answer-passes", pointer, message, help));
}

/// The key without `+ 5` or `- 5` at its end.
fn without_last_number(key: &str) -> Option<String> {
    let key = key.trim_end();
    let rest = key.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = key.len() - rest.len();
    let rest = rest.trim_end();
    let shorter = rest.strip_suffix(['+', '-'])?.trim_end();
    (number > 0 && !shorter.is_empty() && !shorter.ends_with(['^', '_', '{', '(', '=']))
        .then(|| shorter.to_owned())
}

/// The key with brackets in the place of the bars of absolute values.
fn without_bars(key: &str) -> Option<String> {
    let mut plain = key.replace("\\left|", "(").replace("\\right|", ")");
    plain = plain.replace("\\lvert", "(").replace("\\rvert", ")");
    let bars = plain.matches('|').count();
    if bars > 0 && bars.is_multiple_of(2) {
        let mut opens = false;
        plain = plain
            .chars()
            .map(|c| match c {
                '|' => {
                    opens = !opens;
                    if opens { '(' } else { ')' }
                }
                other => other,
            })
            .collect();
    }
    (plain != key).then_some(plain)
}

/// The key with its first square made a cube.
fn other_power(key: &str) -> Option<String> {
    let at = key.find("^2").map(|at| at + 1).or_else(|| key.find("^{2}").map(|at| at + 2))?;
    Some(format!("{}3{}", &key[..at], &key[at + 1..]))
}

/// States that no author means: the ones given, each with what it is called.
pub(super) fn widget(spec: &WidgetSpec, ready: &WidgetReady, state: Json) -> Ratio {
    earned(spec, ready, &WidgetSubmission { state })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_changed_as_learners_change_them() {
        assert_eq!(without_bars("|x|+\\left|y\\right|").as_deref(), Some("(x)+(y)"));
        assert_eq!(without_bars("x").as_deref(), None);
        assert_eq!(other_power("n^{2}+n^2").as_deref(), Some("n^{2}+n^3"));
        assert_eq!(without_last_number("x^2 + 12").as_deref(), Some("x^2"));
        assert_eq!(without_last_number("x^{-1}"), None);
        assert_eq!(without_last_number("-5"), None);
    }
}
