//! `blanks`: several answers in one widget state.
//!
//! Configuration: `{"blanks": [{"id": "a", "validator": "number_text", "config": {...}, "weight"?: 2}],
//! "credit"?: "sum" | "all", "order"?: "fixed" | "free"}`. The state `{"blanks": {"a": {"text": "1.5"}}}` contains the
//! state of each blank. A plain string is short for `{"text": ...}`, or for `{"latex": ...}` in a blank with `form`.
//!
//! - `sum`: the weighted mean of the blanks' scores.
//! - `all`: full marks if every blank has full marks, otherwise none.
//! - `free`: it does not matter which answer is in which blank, as for the elements of a set. The best assignment of
//!   answers to blanks counts; at most 10 blanks. An answer that a blank cannot read earns nothing in it. If no blank
//!   can read an answer, the state is refused.

use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};

use crate::{compiler, fields};

const OWN: &[Sentence] = &[
    Sentence::error("no-blanks", "The answer has no blanks."),
    Sentence::hint("blank-empty", "This blank is empty."),
];

/// Returns the sentences of this validator and of every validator that a blank can have. Sentences with the same code
/// have the same text.
pub(crate) fn sentences() -> Vec<Sentence> {
    let inside = ["choice_weights", "form", "number_text", "order_graph", "short_text"];
    let inside = inside.into_iter().filter_map(compiler).map(|(_, sentences)| sentences);
    std::iter::once(OWN).chain(inside).flatten().cloned().collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Credit {
    Sum,
    All,
}

const CREDITS: &[(&str, Credit)] = &[("sum", Credit::Sum), ("all", Credit::All)];
const ORDERS: &[(&str, bool)] = &[("fixed", false), ("free", true)];

struct Blank {
    id: String,
    /// The field of the state that a plain string represents: `text` or `latex`.
    field: &'static str,
    judge: Box<dyn StateJudge>,
    weight: Ratio,
}

struct Blanks {
    list: Vec<Blank>,
    credit: Credit,
    free: bool,
}

/// The maximum number of blanks with a free order; finding the best assignment takes `n * 2^n` steps.
const MAX_FREE: usize = 10;

fn blank(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Blank> {
    let mut object = Object::open_as(
        value,
        at,
        findings,
        r#"{"id": "a", "validator": "short_text", "config": {"alternatives": [{"text": "Paris"}]}}"#,
    )?;
    let id = object.required("id", fields::id);
    let name = object.required("validator", |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
        let name = json::string(1, 64)(value, at, findings)?;
        let known = compiler(&name);
        if known.is_none() {
            findings.push(Finding::error(
                "unknown-validator",
                at.pointer(),
                "no standard validator of this name can be in a blank",
                "use one of `choice_weights`, `form`, `number_text`, `order_graph`, `short_text`",
            ));
        }
        known.map(|(compile, _)| (compile, if name == "form" { "latex" } else { "text" }))
    });
    let weight = object.defaulted("weight", Ratio::one(), fields::share(0, 1_000));
    let judge = match name {
        Some((compile, _)) => object.required("config", compile),
        None => {
            object.take("config");
            None
        }
    };
    object.close();
    let (_, field) = name?;
    Some(Blank { id: id?, field, judge: judge?, weight: weight? })
}

pub(crate) fn compile(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Box<dyn StateJudge>> {
    let mut object = Object::open(value, at, findings)?;
    let blanks = object.required("blanks", json::list(1, 50, blank));
    let credit = object.defaulted("credit", Credit::Sum, json::word(CREDITS));
    let free = object.defaulted("order", false, json::word(ORDERS));
    if let (Some(blanks), Some(free)) = (&blanks, free) {
        let place = |index: usize| Path::Element(&Path::Field(at, "blanks"), index).pointer();
        for (index, blank) in blanks.iter().enumerate() {
            if blanks[..index].iter().any(|other| other.id == blank.id) {
                object.report(Finding::error(
                    "duplicate-id",
                    place(index),
                    "another blank has this id",
                    "give each blank an id of its own",
                ));
            }
        }
        if free && blanks.len() > MAX_FREE {
            object.report(Finding::error(
                "too-many-free",
                Path::Field(at, "blanks").pointer(),
                format!("with `order` free there are at most {MAX_FREE} blanks"),
                "use fewer blanks, or a fixed order",
            ));
        }
        if blanks.iter().all(|blank| blank.weight.is_zero()) {
            object.report(Finding::error(
                "no-weight",
                Path::Field(at, "blanks").pointer(),
                "no blank has a weight above 0",
                "give a blank a weight",
            ));
        }
    }
    object.close();
    Some(Box::new(Blanks { list: blanks?, credit: credit?, free: free? }))
}

/// Returns the state of a blank whose plain strings stand for `field`; `None` if it is empty.
pub(crate) fn state(field: &str, given: Option<&Json>) -> Option<Json> {
    match given? {
        Json::Null => None,
        Json::String(text) if text.trim().is_empty() => None,
        Json::String(text) => Some(Json::build().with(field, &**text).build()),
        state => {
            let empty = state.get(field).and_then(Json::as_str).is_some_and(|text| text.trim().is_empty());
            (!empty).then(|| state.clone())
        }
    }
}

impl Blanks {
    fn judge_one(
        &self,
        index: usize,
        given: Option<&Json>,
        steps: &mut Steps<'_>,
    ) -> Result<Judgement, Unjudged> {
        let blank = &self.list[index];
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let place = format!("/blanks/{index}/config");
        steps.step("blank", || vec![("id", blank.id.as_str().into())]);
        let Some(state) = state(blank.field, given) else {
            return Ok(
                Judgement::of(false).saying(Message::sentence("blank-empty").within_part(number, &place))
            );
        };
        match blank.judge.judge(&state, steps) {
            Ok(mut judgement) => {
                for message in &mut judgement.messages {
                    *message = message.clone().within_part(number, &place);
                }
                Ok(judgement)
            }
            Err(Unjudged::Unreadable(message)) => {
                Err(Unjudged::Unreadable(message.within_part(number, &place)))
            }
            Err(failed) => Err(failed),
        }
    }

    fn total(&self, scores: &[Ratio]) -> Ratio {
        if self.credit == Credit::All {
            return if scores.iter().all(Ratio::is_one) { Ratio::one() } else { Ratio::zero() };
        }
        let weights = self.list.iter().fold(Ratio::zero(), |sum, blank| sum.plus(&blank.weight));
        let earned = self
            .list
            .iter()
            .zip(scores)
            .fold(Ratio::zero(), |sum, (blank, score)| sum.plus(&blank.weight.times(score)));
        earned.over(&weights).unwrap_or_else(Ratio::zero)
    }

    /// Returns the scores of each answer in each blank, by blank and answer. An answer that a blank cannot read
    /// earns nothing there. If no blank can read an answer, the state is refused with the message of the
    /// answer's own blank.
    fn table(&self, given: &Json, steps: &mut Steps<'_>) -> Result<Vec<Vec<Ratio>>, Unjudged> {
        let answers: Vec<Option<&Json>> = self.list.iter().map(|blank| given.get(&blank.id)).collect();
        let mut readable = vec![false; answers.len()];
        let mut refusals: Vec<Option<Message>> = vec![None; answers.len()];
        let mut table = Vec::with_capacity(self.list.len());
        for index in 0..self.list.len() {
            let mut row: Vec<Result<Ratio, Message>> = Vec::with_capacity(answers.len());
            for (place, answer) in answers.iter().enumerate() {
                // Equal answers are judged once.
                let result = match answers[..place].iter().position(|other| other == answer) {
                    Some(equal) => row[equal].clone(),
                    None => match self.judge_one(index, *answer, steps) {
                        Ok(judgement) => Ok(judgement.score),
                        Err(Unjudged::Unreadable(message)) => Err(message),
                        Err(failed) => return Err(failed),
                    },
                };
                match &result {
                    Ok(_) => readable[place] = true,
                    Err(message) if place == index => refusals[place] = Some(message.clone()),
                    Err(_) => {}
                }
                row.push(result);
            }
            table.push(row.into_iter().map(|result| result.unwrap_or_else(|_| Ratio::zero())).collect());
        }
        let unread = readable.iter().zip(refusals).find(|(readable, _)| !**readable);
        match unread.and_then(|(_, message)| message) {
            Some(message) => Err(Unjudged::Unreadable(message)),
            None => Ok(table),
        }
    }

    /// Returns the scores of the blanks under the assignment with the greatest weighted sum. Among those, blanks
    /// without weight count equally, because `credit: all` needs full marks in them too.
    fn best_assignment(&self, table: &[Vec<Ratio>]) -> Vec<Ratio> {
        let count = self.list.len();
        // For each set of n answers that are assigned to the first n blanks: the maximum weighted sum, the sum
        // of the blanks without weight, and the answer of the n-th blank.
        let mut best: Vec<Option<((Ratio, Ratio), usize)>> = vec![None; 1 << count];
        best[0] = Some(((Ratio::zero(), Ratio::zero()), 0));
        for set in 1..best.len() {
            let blank = set.count_ones() as usize - 1;
            for answer in (0..count).filter(|answer| set & (1 << answer) != 0) {
                let Some(((weighted, others), _)) = &best[set & !(1 << answer)] else { continue };
                let (weight, score) = (&self.list[blank].weight, &table[blank][answer]);
                let sums = if weight.is_zero() {
                    (weighted.clone(), others.plus(score))
                } else {
                    (weighted.plus(&weight.times(score)), others.clone())
                };
                if best[set].as_ref().is_none_or(|(known, _)| sums > *known) {
                    best[set] = Some((sums, answer));
                }
            }
        }
        let mut set = best.len() - 1;
        let mut scores = vec![Ratio::zero(); count];
        for blank in (0..count).rev() {
            let answer = best[set].as_ref().map_or(0, |(_, answer)| *answer);
            scores[blank] = table[blank][answer].clone();
            set &= !(1 << answer);
        }
        scores
    }
}

impl StateJudge for Blanks {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let given = state.get("blanks").filter(|blanks| blanks.as_object().is_some());
        let given = given.ok_or_else(|| Unjudged::Unreadable(Message::sentence("no-blanks")))?;
        let mut messages = Vec::new();
        let mut scores = Vec::with_capacity(self.list.len());
        if self.free {
            scores = self.best_assignment(&self.table(given, steps)?);
        } else {
            for (index, blank) in self.list.iter().enumerate() {
                let judgement = self.judge_one(index, given.get(&blank.id), steps)?;
                messages.extend(judgement.messages);
                scores.push(judgement.score);
            }
        }
        steps.step("blanks-summed", || {
            vec![("scores", Json::array(scores.iter().map(|score| score.to_fraction_text())))]
        });
        Ok(Judgement { score: self.total(&scores), messages })
    }

    fn lint(&self, findings: &mut Findings) {
        for (index, blank) in self.list.iter().enumerate() {
            let mut inner = Findings::new();
            blank.judge.lint(&mut inner);
            let prefix = format!("/blanks/{index}/config");
            inner.into_vec().into_iter().for_each(|finding| findings.push(finding.within(&prefix)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn one_code_has_one_text() {
        let all = sentences();
        for (index, sentence) in all.iter().enumerate() {
            for other in &all[..index] {
                assert!(other.code != sentence.code || other == sentence, "{}", sentence.code);
            }
        }
    }
}
