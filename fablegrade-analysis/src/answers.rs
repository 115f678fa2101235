//! Wrong written answers, grouped by meaning.

use std::collections::HashMap;

use fablegrade_core::answer::expression::ExpressionSpec;
use fablegrade_core::json::write_json_string;
use fablegrade_core::{AnswerSpec, Decimal, Grader, Secret, Submission, Verdict};
use fablegrade_public::view::expression::Equivalence;
use fablegrade_public::view::rules::normal_unit;
use serde::Serialize;

use crate::accumulator::{ItemSums, TextSums};
use crate::exact::{round, whole};
use crate::items::Item;
use crate::report::{points, ratio};
use crate::statistic::{Statistic, Undefined};

/// Maximum number of distinct wrong answers per item that are grouped, starting with the most frequent.
pub const MAX_GROUPED: usize = 256;
/// Maximum number of comparisons to group the wrong answers to an expression item.
pub const MAX_COMPARISONS: usize = 1_000;
/// Maximum number of groups in a report. Findings point to groups of the report, so no other groups are examined.
pub(crate) const MAX_GROUPS: usize = 20;
/// Maximum number of spellings that a group shows.
const MAX_SPELLINGS: usize = 5;

/// Wrong answers with the same meaning.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AnswerGroup {
    /// The most frequent spelling.
    pub answer: String,
    /// The most frequent spellings, at most 5.
    pub spellings: Vec<String>,
    /// The number of times that the answer was given, in any spelling.
    pub count: u64,
    /// The number of these that were refused.
    pub refused: u64,
    /// The share among the answers to the item.
    pub share: Statistic,
    /// Mean rest score of the learners who gave this answer, in points.
    pub mean_rest: Statistic,
}

/// Answers with the same meaning, and their sums.
pub(crate) struct Group<'a> {
    pub(crate) texts: Vec<&'a str>,
    pub(crate) sums: TextSums,
}

impl Group<'_> {
    pub(crate) fn mean_rest(&self) -> Statistic {
        mean_rest(&self.sums)
    }
}

pub(crate) fn mean_rest(sums: &TextSums) -> Statistic {
    Statistic(match sums.count {
        0 => Err(Undefined::TooFew),
        count => Ok(round(&points(whole(sums.rest_sum) / whole(count)))),
    })
}

/// Groups the wrong answers to an item (those with no points or negative points), the most frequent first. Empty if the
/// answers to the item are not written.
pub(crate) fn groups<'a>(sums: &'a ItemSums, item: &Item) -> Result<Vec<Group<'a>>, Undefined> {
    let kept = sums.texts.kept.as_ref().ok_or(Undefined::TooManyAnswers)?;
    let mut wrong: Vec<_> = kept.sorted().into_iter().filter(|(_, sums)| sums.score_sum <= 0).collect();
    // The sort is stable, so equally frequent answers remain in the order of their bytes.
    wrong.sort_by_key(|(_, sums)| std::cmp::Reverse(sums.count));
    wrong.truncate(MAX_GROUPED);
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut grouping = Grouping::of(item);
    for (text, sums) in wrong {
        let index = grouping.find(text);
        match groups.get_mut(index) {
            Some(group) => {
                group.texts.push(text);
                group.sums.count += sums.count;
                group.sums.refused += sums.refused;
                group.sums.rest_sum += sums.rest_sum;
            }
            None => groups.push(Group { texts: vec![text], sums: sums.clone() }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.sums.count));
    Ok(groups)
}

/// Returns the groups that a report shows.
pub(crate) fn reported(groups: &[Group<'_>], attempts: u64) -> Vec<AnswerGroup> {
    let group = |group: &Group<'_>| AnswerGroup {
        answer: group.texts.first().copied().unwrap_or_default().to_owned(),
        spellings: group.texts.iter().take(MAX_SPELLINGS).map(|text| (*text).to_owned()).collect(),
        count: group.sums.count,
        refused: group.sums.refused,
        share: ratio(group.sums.count, attempts),
        mean_rest: group.mean_rest(),
    };
    groups.iter().take(MAX_GROUPS).map(group).collect()
}

/// The groups found so far, with the first answer of each.
enum Grouping {
    /// Groups by spelling.
    Spelled(usize),
    /// Groups by number and unit.
    Numeric { known: HashMap<String, usize>, accepted: Vec<String> },
    /// Groups by comparison of expressions.
    Expression { spec: Box<ExpressionSpec>, first: Vec<Option<Grader>>, comparisons: usize },
}

impl Grouping {
    fn of(item: &Item) -> Self {
        match &item.spec {
            Some(AnswerSpec::Numeric(spec)) => {
                let unit = spec.unit.iter();
                let accepted = unit
                    .flat_map(|unit| std::iter::once(&unit.expected).chain(unit.accepted.iter().flatten()))
                    .map(|unit| normal_unit(unit))
                    .collect();
                Self::Numeric { known: HashMap::new(), accepted }
            }
            Some(AnswerSpec::Expression(spec)) => {
                Self::Expression { spec: Box::new(by_value(spec)), first: Vec::new(), comparisons: 0 }
            }
            _ => Self::Spelled(0),
        }
    }

    /// Returns the index of an answer's group, or the number of groups if the answer starts a new one.
    fn find(&mut self, text: &str) -> usize {
        match self {
            Self::Spelled(count) => {
                *count += 1;
                *count - 1
            }
            Self::Numeric { known, accepted } => {
                let (number, unit) = number_and_unit(text);
                let unit = unit
                    .map(normal_unit)
                    .map(|unit| if accepted.contains(&unit) { String::new() } else { unit });
                let number = Decimal::from_text(number)
                    .map_or_else(|_| number.to_owned(), |number| number.to_string());
                let next = known.len();
                *known.entry(unit.map_or(number.clone(), |unit| format!("{number} {unit}"))).or_insert(next)
            }
            Self::Expression { spec, first, comparisons } => {
                let answer = submission(&AnswerSpec::Expression((**spec).clone()), text);
                for (index, key) in first.iter().enumerate() {
                    let (Some(key), Some(answer)) = (key, &answer) else { continue };
                    if *comparisons == MAX_COMPARISONS {
                        break;
                    }
                    *comparisons += 1;
                    if key.grade(answer).verdict == Verdict::Correct {
                        return index;
                    }
                }
                let mut key = (**spec).clone();
                key.canonical = Secret::new(text.to_owned());
                first.push(Grader::new(AnswerSpec::Expression(key)).ok());
                first.len() - 1
            }
        }
    }
}

/// Returns the question with its answers compared by value, whatever their form.
pub(crate) fn by_value(spec: &ExpressionSpec) -> ExpressionSpec {
    let mut spec = spec.clone();
    if spec.public.equivalence == Equivalence::Literal {
        spec.public.equivalence = Equivalence::Symbolic;
    }
    spec.public.allowed_functions = None;
    spec.public.forbid_constant_answer = false;
    spec
}

/// Splits a text into a number and the unit after a space, as [`crate::lines`] writes them.
pub(crate) fn number_and_unit(text: &str) -> (&str, Option<&str>) {
    match text.split_once(' ') {
        Some((number, unit)) => (number, Some(unit.trim())),
        None => (text, None),
    }
}

/// Returns a numeric or expression submission. `None` for other types, and for a numeric answer without a
/// number.
pub(crate) fn submission(spec: &AnswerSpec, text: &str) -> Option<Submission> {
    let mut json = String::new();
    match spec {
        AnswerSpec::Numeric(_) => {
            let (number, unit) = number_and_unit(text);
            Decimal::from_text(number).ok()?;
            json.push_str("{\"type\":\"numeric\",\"value\":");
            json.push_str(number);
            if let Some(unit) = unit {
                json.push_str(",\"unit\":");
                write_json_string(unit, &mut json);
            }
        }
        AnswerSpec::Expression(_) => {
            json.push_str("{\"type\":\"expression\",\"latex\":");
            write_json_string(text, &mut json);
        }
        _ => return None,
    }
    json.push('}');
    Submission::from_json(json).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_grouped_as_they_are_graded() {
        let spec = r#"{"type":"numeric","answer":{"value":4},"unit":{"expected":"m²"}}"#;
        let mut grouping = Grouping::of(&Item::of_spec(&AnswerSpec::from_json(spec).unwrap()));
        let found = ["5 m²", "5 m2", "5 cm²", "5.0 cm2", "5"].map(|text| grouping.find(text));
        assert_eq!(found, [0, 0, 1, 1, 2]);
    }
}
