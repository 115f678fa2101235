//! Common wrong answers, graded as if a learner had sent them: those that earn points are reported with their scores.

use fablegrade_math::{Kind, Options, Reference};
use fablegrade_public::json::Json;
use fablegrade_public::view::expression::{Equivalence, ExpressionSubmission};
use fablegrade_public::view::matching::{MatchingSubmission, Pair};
use fablegrade_public::view::multiple_choice::MultipleChoiceSubmission;
use fablegrade_public::view::numeric::NumericSubmission;
use fablegrade_public::view::ordering::{ItemView, OrderingSubmission};
use fablegrade_public::view::widget::WidgetSubmission;
use fablegrade_public::{Decimal, Finding, Findings, Ratio};

use crate::answer::expression::{ExpressionSpec, Ready as ExpressionReady};
use crate::answer::matching::{MatchingSpec, Ready as MatchingReady};
use crate::answer::multiple_choice::{MultipleChoiceSpec, Ready as ChoiceReady};
use crate::answer::numeric::{NumericAnswer, NumericSpec, Ready as NumericReady};
use crate::answer::ordering::{OrderingSpec, Ready as OrderingReady};
use crate::answer::widget::{Ready as WidgetReady, WidgetSpec};
use crate::answer::{Question, two_places};
use crate::mark::{Mark, Sheet};

/// Returns the score of an answer from the real grader; zero if the answer is refused or undecided.
fn earned<Q: Question>(spec: &Q, ready: &Q::Ready, submission: &Q::Submission) -> Ratio {
    match spec.mark(ready, submission, None, &mut Sheet::default()) {
        Mark::Scored(score) => score,
        _ => Ratio::zero(),
    }
}

/// Wrong answers that earn points: the change to the key, and the score.
pub(super) type Passing = Vec<(&'static str, Ratio)>;

/// Formats answers and scores as `zero (1.00), the other sign (1.00)`.
pub(super) fn list(passing: &Passing) -> String {
    let parts: Vec<String> =
        passing.iter().map(|(what, score)| format!("{what} ({})", two_places(score))).collect();
    parts.join(", ")
}

/// Grades zero, the other sign, ten times and a tenth of the value, the reciprocal, and the value in degrees;
/// if only integers are correct, also the neighbours of the value.
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
        ("the reciprocal", reciprocal(value)),
        ("the value in degrees", value.multiply(&Decimal::new(57_295_779_513, -9))),
    ];
    if spec.integer_only {
        mutants.push(("one more", value.add(&Decimal::one())));
        mutants.push(("one less", value.subtract(&Decimal::one())));
    }
    let unit = spec.unit.as_ref().map(|unit| unit.expected.clone());
    // A reciprocal close to the value would pass only by coincidence.
    mutants.retain(|(what, mutant)| {
        *what != "the reciprocal" || mutant.subtract(value).abs().multiply(&Decimal::from(4)) > value.abs()
    });
    let mark = |(what, value): (&'static str, Decimal)| {
        let score = earned(spec, ready, &NumericSubmission { value, unit: unit.clone() });
        (!score.is_zero()).then_some((what, score))
    };
    mutants.into_iter().filter_map(mark).collect()
}

/// Returns the reciprocal of a value, in double precision.
fn reciprocal(value: &Decimal) -> Decimal {
    let reciprocal = 1.0 / value.to_f64();
    if reciprocal.is_finite() {
        Decimal::from_f64(reciprocal).unwrap_or_else(Decimal::zero)
    } else {
        Decimal::zero()
    }
}

/// Grades the selection of every choice, and selections of neighbours of right choices.
pub(super) fn multiple_choice(spec: &MultipleChoiceSpec, ready: &ChoiceReady, findings: &mut Findings) {
    if !spec.multiple_select || !spec.partial_credit {
        return;
    }
    let correct: Vec<bool> = spec.choices.iter().map(|choice| *choice.correct.expose()).collect();
    let score = |chosen: &dyn Fn(usize) -> bool| {
        let chosen = spec.choices.iter().enumerate().filter(|(at, _)| chosen(*at));
        let selected_choice_ids = chosen.map(|(_, choice)| choice.id.clone()).collect();
        earned(spec, ready, &MultipleChoiceSubmission { selected_choice_ids })
    };
    everything(&score(&|_| true), findings);
    neighbours(spec, &correct, score, findings);
}

fn everything(score: &Ratio, findings: &mut Findings) {
    if score.is_zero() {
        return;
    }
    let message = format!("ticking every choice earns {}", two_places(score));
    let help = "add wrong choices until there are at least as many as right ones, or grade all-or-nothing";
    findings.push(if *score >= Ratio::new(1, 2) {
        Finding::warning("ticking-everything-pays", "/partialCredit", message, help)
    } else {
        Finding::info("ticking-everything-pays", "/partialCredit", message, help)
    });
}

/// Grades marks shifted by one line, if choices are not shuffled, and one right choice exchanged for a wrong
/// neighbour.
fn neighbours(
    spec: &MultipleChoiceSpec,
    correct: &[bool],
    score: impl Fn(&dyn Fn(usize) -> bool) -> Ratio,
    findings: &mut Findings,
) {
    let count = correct.len();
    let half = Ratio::new(1, 2);
    let mut passing = Passing::new();
    if !spec.shuffle_choices && count > 2 {
        passing.push(("the marks one line lower", score(&|at| correct[(at + count - 1) % count])));
        passing.push(("the marks one line higher", score(&|at| correct[(at + 1) % count])));
    }
    // Any boundary between right and wrong choices will do, since all exchanges earn the same.
    let edge = (1..count).rev().find(|&at| correct[at] != correct[at - 1]);
    if let Some(edge) = edge {
        let exchanged = |at: usize| correct[at] != (at == edge || at == edge - 1);
        passing.push(("a wrong neighbour for one right choice", score(&exchanged)));
    }
    passing.retain(|(_, score)| *score >= half);
    if passing.is_empty() {
        return;
    }
    let slipped = passing.len() > 1 || passing[0].0.starts_with("the marks");
    let message = format!("answers other than the key earn points: {}", list(&passing));
    let help = "mix right and wrong choices and have fewer right ones, or grade all-or-nothing";
    findings.push(if slipped {
        Finding::warning("neighbour-choice-pays", "/partialCredit", message, help)
    } else {
        Finding::info("neighbour-choice-pays", "/partialCredit", message, help)
    });
}

/// Functions that learners often forget.
const FUNCTIONS: [&str; 9] =
    ["\\sin", "\\cos", "\\tan", "\\ln", "\\exp", "\\sqrt", "\\arcsin", "\\arctan", "\\sinh"];
/// The maximum length of a key that is changed, in bytes.
const LONGEST: usize = 300;

/// Grades keys with typical mistakes of learners that sampling or a domain could hide. A change counts only
/// if it makes a difference when the domains are ignored.
pub(super) fn expression(spec: &ExpressionSpec, ready: &ExpressionReady, findings: &mut Findings) {
    let key = spec.canonical.expose();
    let sampled = spec.public.equivalence == Equivalence::NumericSampling;
    let bounded = spec.public.variables.iter().flatten().any(|variable| variable.domain.is_some());
    if ready.reference.expression().kind() != Kind::Value
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
        mutants.push(("the reciprocal", format!("\\frac{{1}}{{{key}}}")));
        mutants.push(("one more", format!("{key}+1")));
        mutants.extend(with_swapped_operands(key).map(|latex| ("swapped operands", latex)));
        mutants.extend(without_last_number(key).map(|latex| ("without the constant", latex)));
        let function = FUNCTIONS.iter().find(|name| key.contains(**name));
        mutants.extend(function.map(|name| ("without its function", key.replacen(name, "", 1))));
    }
    if bounded {
        mutants.extend(without_bars(key).map(|latex| ("without the absolute value", latex)));
        mutants.extend(without_root_of_square(key).map(|latex| ("without the root of a square", latex)));
        mutants.extend(without_rounding(key).map(|latex| ("without rounding", latex)));
        mutants.extend(without_choice(key).map(|latex| ("without the maximum or minimum", latex)));
        mutants.extend(other_power(key).map(|latex| ("another power", latex)));
    }
    if mutants.is_empty() {
        return;
    }
    let mut free = Options::new().with_budget(50_000);
    for variable in spec.public.variables.iter().flatten() {
        free = free.with_variable(&variable.name);
    }
    let Ok(reference) = Reference::new(key, &free) else { return };
    let mut passing = Passing::new();
    for (what, latex) in mutants {
        let submission = ExpressionSubmission { latex };
        let score = earned(spec, ready, &submission);
        if !score.is_zero()
            && reference.compare_latex(&submission.latex).is_ok_and(|decision| decision.is_different())
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

/// Returns the key without the number that is added or subtracted at its end, such as `+ 5`.
fn without_last_number(key: &str) -> Option<String> {
    let key = key.trim_end();
    let rest = key.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = key.len() - rest.len();
    let rest = rest.trim_end();
    let shorter = rest.strip_suffix(['+', '-'])?.trim_end();
    (number > 0 && !shorter.is_empty() && !shorter.ends_with(['^', '_', '{', '(', '=']))
        .then(|| shorter.to_owned())
}

/// Returns the key with parentheses instead of the bars of absolute values.
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

/// Returns the key with the operands of its only subtraction or of its first fraction swapped.
fn with_swapped_operands(key: &str) -> Option<String> {
    if let Some((left, right)) = key.split_once('-')
        && !right.contains(['-', '+', '='])
        && !left.contains(['+', '='])
        && balanced(left)
        && !left.trim().is_empty()
    {
        return Some(format!("{right}-({left})"));
    }
    let (before, rest) = key.split_once("\\frac{")?;
    let (above, rest) = group(rest)?;
    let (below, after) = group(rest.strip_prefix('{')?)?;
    Some(format!("{before}\\frac{{{below}}}{{{above}}}{after}"))
}

/// Returns the text before the closing brace of a group, and the text after it.
fn group(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

fn balanced(text: &str) -> bool {
    let count = |open: char, close: char| text.matches(open).count() == text.matches(close).count();
    count('(', ')') && count('{', '}') && count('[', ']') && text.matches('|').count().is_multiple_of(2)
}

/// Returns the key with its first root of a square replaced by the base: `\sqrt{x^2}` is `x` only if `x` is
/// not negative.
fn without_root_of_square(key: &str) -> Option<String> {
    let (before, rest) = key.split_once("\\sqrt{")?;
    let (inner, after) = group(rest)?;
    let base = inner.trim().strip_suffix("^2").or_else(|| inner.trim().strip_suffix("^{2}"))?;
    let single =
        base.chars().count() == 1 || (base.starts_with('(') && base.find(')') == Some(base.len() - 1));
    single.then(|| format!("{before}({base}){after}"))
}

/// Returns the key with parentheses instead of floor and ceiling brackets.
fn without_rounding(key: &str) -> Option<String> {
    let mut plain = key.to_owned();
    for sign in ["\\lfloor", "\\rfloor", "\\lceil", "\\rceil"] {
        plain = plain.replace(sign, if sign.starts_with("\\l") { "(" } else { ")" });
    }
    let plain = plain.replace("\\left(", "(").replace("\\right)", ")");
    (plain != key.replace("\\left(", "(").replace("\\right)", ")")).then_some(plain)
}

/// Returns the key with its first maximum, or else its first minimum, replaced by the first argument.
fn without_choice(key: &str) -> Option<String> {
    let (before, rest) = key.split_once("\\max(").or_else(|| key.split_once("\\min("))?;
    let (arguments, after) = rest.split_once(')')?;
    let (first, _) = arguments.split_once(',').filter(|_| !arguments.contains('('))?;
    Some(format!("{before}({first}){after}"))
}

/// Returns the key with a square replaced by a cube: the first `^2`, or else the first `^{2}`.
fn other_power(key: &str) -> Option<String> {
    let at = key.find("^2").map(|at| at + 1).or_else(|| key.find("^{2}").map(|at| at + 2))?;
    Some(format!("{}3{}", &key[..at], &key[at + 1..]))
}

/// Returns the score of the reversed order.
pub(super) fn reversed_order(spec: &OrderingSpec, ready: &OrderingReady) -> Ratio {
    let order = spec.correct_order.expose().iter().rev().cloned().collect();
    earned(spec, ready, &OrderingSubmission { order })
}

/// Returns the best score of an answer that gives every left item the same partner.
pub(super) fn one_partner(spec: &MatchingSpec, ready: &MatchingReady) -> Ratio {
    let with = |right: &ItemView| {
        let pairs =
            spec.left.iter().map(|left| Pair { left: left.id.clone(), right: right.id.clone() }).collect();
        earned(spec, ready, &MatchingSubmission { pairs })
    };
    spec.right.iter().map(with).max().unwrap_or_else(Ratio::zero)
}

/// Returns the score of a state.
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
        assert_eq!(with_swapped_operands("a-b").as_deref(), Some("b-(a)"));
        assert_eq!(with_swapped_operands("2\\frac{a}{b^{2}}x").as_deref(), Some("2\\frac{b^{2}}{a}x"));
        assert_eq!(with_swapped_operands("a+b"), None);
        assert_eq!(without_root_of_square("\\sqrt{x^2}+1").as_deref(), Some("(x)+1"));
        assert_eq!(without_rounding("\\lfloor x\\rfloor").as_deref(), Some("( x)"));
        assert_eq!(without_choice("\\max(x,0)").as_deref(), Some("(x)"));
    }
}
