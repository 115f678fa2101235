//! Finds probable defects of items from their statistics.

use fablegrade_core::answer::numeric::{NumericAnswer, Tolerance};
use fablegrade_core::{AnswerSpec, Decimal, Grader, Secret, Verdict};
use serde::Serialize;

use crate::accumulator::{ItemSums, TextSums};
use crate::answers::{Group, MAX_GROUPS, by_value, mean_rest, number_and_unit, submission};
use crate::items::{Item, OptionKind};
use crate::report::{ItemReport, OptionReport};

/// A probable defect of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The id of the item.
    pub item: String,
    /// A stable name of the rule.
    pub rule: &'static str,
    /// A JSON pointer into the item's report.
    pub pointer: String,
    /// The evidence.
    pub message: String,
    /// Advice on correcting the item.
    pub help: &'static str,
    /// The change that the proposed fix makes, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// The fixed question with its key.
    #[serde(skip)]
    pub fixed: Option<AnswerSpec>,
}

/// Minimum number of answers to an item for a finding. With fewer, chance explains too much.
const FEWEST: u64 = 30;
/// Minimum number of learners with the same answer for their mean rest score to be compared.
const FEWEST_CHOICES: u64 = 5;
/// An item whose correlation with the rest score is lower than this does not discriminate.
///
/// Source: R. L. Ebel and D. A. Frisbie, *Essentials of Educational Measurement*, 5th edition, 1991: items
/// below 0.20 are poor.
const DISCRIMINATES: f64 = 0.20;

/// Adds the findings about one item.
pub(crate) fn of(
    report: &ItemReport,
    sums: &ItemSums,
    known: &Item,
    groups: &[Group<'_>],
    found: &mut Vec<Finding>,
) {
    if report.attempts < FEWEST {
        return;
    }
    let mut found = Found { item: &report.item, found };
    discrimination(report, &mut found);
    match known.kind {
        OptionKind::Choice => choices(report, sums, known, &mut found),
        OptionKind::Pair => pairs(report, &mut found),
        OptionKind::Case => cases(report, sums, &mut found),
        OptionKind::Position => {}
    }
    written(sums, known, groups, &mut found);
}

/// The list to which the findings about one item are added.
struct Found<'a> {
    item: &'a str,
    found: &'a mut Vec<Finding>,
}

impl Found<'_> {
    fn push(&mut self, rule: &'static str, pointer: impl Into<String>, message: String, help: &'static str) {
        let (item, pointer) = (self.item.to_owned(), pointer.into());
        self.found.push(Finding { item, rule, pointer, message, help, fix: None, fixed: None });
    }

    /// Adds a fix to the last finding.
    fn fix(&mut self, what: String, fixed: AnswerSpec) {
        if let Some(last) = self.found.last_mut() {
            (last.fix, last.fixed) = (Some(what), Some(fixed));
        }
    }
}

fn discrimination(report: &ItemReport, found: &mut Found<'_>) {
    let Some(value) = report.discrimination.value().filter(|&value| value < DISCRIMINATES) else { return };
    let (rule, help) = if value < 0.0 {
        ("negative-discrimination", "check the key: learners who do well elsewhere do worse here")
    } else {
        ("low-discrimination", "check whether the item is ambiguous, guessed, or about another subject")
    };
    let message =
        format!("the correlation with the rest score is {value:.3} over {} answers", report.attempts);
    found.push(rule, "/discrimination", message, help);
}

/// Returns the mean rest score of those who chose an option, if there are enough of them.
fn mean(option: &OptionReport) -> Option<f64> {
    option.mean_rest.value().filter(|_| option.count >= FEWEST_CHOICES)
}

/// Returns the highest mean rest score of the key's options among `options`.
fn best<'o>(options: impl Iterator<Item = &'o OptionReport>) -> Option<f64> {
    options.filter(|option| option.key == Some(true)).filter_map(mean).max_by(f64::total_cmp)
}

/// Returns whether nobody chose an option, among enough answers whose options are known.
fn is_unused(option: &OptionReport, sums: &ItemSums) -> bool {
    option.count == 0 && sums.with_options >= FEWEST
}

fn contradiction(option: &OptionReport, wrong: f64, right: f64) -> String {
    format!(
        "those who chose {:?} ({} learners) have a mean rest score of {wrong:.3}, those who chose the key {right:.3}",
        option.option, option.count
    )
}

fn choices(report: &ItemReport, sums: &ItemSums, known: &Item, found: &mut Found<'_>) {
    let listed = || report.options.iter().enumerate();
    // With several right options, the key is suspect only if a wrong option has a higher mean than all of
    // them.
    let best = best(report.options.iter());
    for (at, option) in listed().filter(|(_, option)| option.key == Some(false)) {
        let pointer = format!("/options/{at}");
        if is_unused(option, sums) {
            let message = format!("none of {} learners chose {:?}", sums.with_options, option.option);
            let help = "replace the option by a mistake that learners make";
            found.push("distractor-unused", pointer, message, help);
        } else if let (Some(wrong), Some(right)) = (mean(option), best)
            && wrong > right
        {
            let help = "check the key: add this option and compare the scores with `fablegrade regrade`";
            found.push("key-contradicted", pointer, contradiction(option, wrong, right), help);
            if let Some(fixed) = with_choice(known, &option.option) {
                found.fix(format!("accept the choice {:?} too", option.option), fixed);
            }
        }
    }
    for (at, option) in listed().filter(|(_, option)| option.key == Some(true) && is_unused(option, sums)) {
        let message = format!(
            "none of {} learners chose {:?}, which belongs to the key",
            sums.with_options, option.option
        );
        found.push("key-never-chosen", format!("/options/{at}"), message, "check the key and the wording");
    }
}

fn with_choice(known: &Item, id: &str) -> Option<AnswerSpec> {
    let Some(AnswerSpec::MultipleChoice(spec)) = &known.spec else { return None };
    let mut spec = spec.clone();
    spec.choices.iter_mut().find(|choice| choice.id.as_str() == id)?.correct = Secret::new(true);
    Some(AnswerSpec::MultipleChoice(spec))
}

fn pairs(report: &ItemReport, found: &mut Found<'_>) {
    let left = |option: &OptionReport| option.option.split('=').next().unwrap_or_default().to_owned();
    for (at, option) in report.options.iter().enumerate().filter(|(_, option)| option.key != Some(true)) {
        let side = left(option);
        let right = best(report.options.iter().filter(|other| left(other) == side));
        if let (Some(wrong), Some(right)) = (mean(option), right)
            && wrong > right
        {
            let message = contradiction(option, wrong, right);
            let help = "check the key: add this pair and compare the scores with `fablegrade regrade`";
            found.push("key-contradicted", format!("/options/{at}"), message, help);
        }
    }
}

fn cases(report: &ItemReport, sums: &ItemSums, found: &mut Found<'_>) {
    for (at, option) in report.options.iter().enumerate().filter(|(_, option)| is_unused(option, sums)) {
        let message = format!("none of {} programs passed the case {:?}", sums.with_options, option.option);
        let help = "run a reference solution on the case: its expected output or its limits may be wrong";
        found.push("case-never-passed", format!("/options/{at}"), message, help);
    }
}

/// Adds findings about written answers. At most [`MAX_GROUPS`] groups are examined.
fn written(sums: &ItemSums, known: &Item, groups: &[Group<'_>], found: &mut Found<'_>) {
    let attempts = sums.pairs.count;
    // An answer is frequent if at least one learner in a hundred gave it, and at least `FEWEST_CHOICES` learners.
    let frequent =
        |group: &&Group<'_>| group.sums.count >= FEWEST_CHOICES && group.sums.count * 100 >= attempts;
    let groups = groups.iter().take(MAX_GROUPS).enumerate().filter(|(_, group)| frequent(group));
    match &known.spec {
        Some(AnswerSpec::Expression(spec)) => {
            let relaxed = AnswerSpec::Expression(by_value(spec));
            let Ok(grader) = Grader::new(relaxed.clone()) else { return };
            for (at, group) in groups {
                let text = group.texts.first().copied().unwrap_or_default();
                let Some(answer) = submission(&relaxed, text) else { continue };
                if grader.grade(&answer).verdict == Verdict::Correct {
                    let message = format!(
                        "{} learners gave {text:?}, which is equivalent to the key and earns nothing",
                        group.sums.count
                    );
                    let help = "say in the question which form is expected, or compare by value";
                    found.push("equivalent-answer-refused", format!("/wrongAnswers/{at}"), message, help);
                    found.fix("compare answers by value, whatever their form".into(), relaxed.clone());
                }
            }
        }
        Some(AnswerSpec::Numeric(spec)) => {
            let NumericAnswer::Value { value, tolerance } = spec.answer.expose() else { return };
            let right = mean_rest(&right_sums(sums)).value();
            let size = value.abs();
            let margin = match tolerance {
                Some(Tolerance::Absolute(amount)) => amount.clone(),
                Some(Tolerance::Relative(amount)) => amount.multiply(&size),
                None => Decimal::zero(),
            };
            // Near means within ten times the tolerance or within a hundredth of the key.
            let near = margin.multiply(&Decimal::new(10, 0)).max(size.multiply(&Decimal::new(1, -2)));
            for (at, group) in groups {
                let text = group.texts.first().copied().unwrap_or_default();
                let (number, _) = number_and_unit(text);
                let Ok(number) = Decimal::from_text(number) else { continue };
                let distance = number.subtract(value).abs();
                let (Some(wrong), Some(right)) = (group.mean_rest().value(), right) else { continue };
                if distance <= margin || distance > near || wrong < right {
                    continue;
                }
                let mut fixed = spec.clone();
                let tolerance = Some(Tolerance::Absolute(distance.clone()));
                fixed.answer = Secret::new(NumericAnswer::Value { value: value.clone(), tolerance });
                let fixed = AnswerSpec::Numeric(fixed);
                // If the answer is wrong because of its unit, a wider tolerance does not help.
                let answer = submission(&fixed, text);
                let grader = Grader::new(fixed.clone()).ok();
                let is_correct = answer
                    .zip(grader)
                    .is_some_and(|(answer, grader)| grader.grade(&answer).verdict == Verdict::Correct);
                if !is_correct {
                    continue;
                }
                let message = format!(
                    "{} learners gave {text:?}, just outside the tolerance; their mean rest score is {wrong:.3}, that of \
                     the accepted answers {right:.3}",
                    group.sums.count
                );
                let help = "say in the question how to round, or widen the tolerance";
                found.push("tolerance-splits", format!("/wrongAnswers/{at}"), message, help);
                found.fix(format!("accept numbers within {distance}"), fixed);
            }
        }
        _ => {}
    }
}

/// Returns the sums of all written answers that earn points.
fn right_sums(sums: &ItemSums) -> TextSums {
    let mut right = TextSums::default();
    let kept = sums.texts.kept.iter().flat_map(|kept| kept.iter());
    for (_, sums) in kept.filter(|(_, sums)| sums.score_sum > 0) {
        right.count += sums.count;
        right.rest_sum += sums.rest_sum;
    }
    right
}
