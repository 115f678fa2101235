//! `order_graph`: marks an order of items against a partial order, so several orders can be right.
//!
//! Configuration: `{"items": ["a", "b", "c"], "before": [["a", "b"], ["a", "c"]], "distractors"?: ["x"],
//! "credit"?: "none" | "longest_run" | "edits" | ...}`. The state `{"order": ["a", "c", "b"]}` is right if it has every
//! item once, no distractor, and no item before another that must precede it.
//!
//! - `longest_run`: the length of the longest contiguous part of the answer that occurs in some right order, divided by
//!   the number of items. A part of one item earns nothing.
//! - `edits`: `max(0, 1 - d/n)` for `n` items, where `d` is the minimum number of removals and insertions that make the
//!   answer right. The kept items are a maximum antichain of the conflicts between positions. By Dilworth's theorem its
//!   size is the number of positions minus the size of a maximum matching, found in `O(n³)`.
//! - `successors`, `neighbours`, `pairs`, `longest_subset`, `longest_chain`: shares relative to the order of `items`,
//!   which is the only right order.

use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};

use crate::fields;
use crate::order_share::Share;

pub(crate) const SENTENCES: &[Sentence] = &[
    Sentence::error("unknown-item", "The order has an item that does not exist, or one item twice."),
    Sentence::hint("items-missing", "Some items are not in the order yet."),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Credit {
    None,
    LongestRun,
    Edits,
    Share(Share),
}

const CREDITS: &[(&str, Credit)] = &[
    ("none", Credit::None),
    ("longest_run", Credit::LongestRun),
    ("edits", Credit::Edits),
    ("successors", Credit::Share(Share::Successors)),
    ("neighbours", Credit::Share(Share::Neighbours)),
    ("pairs", Credit::Share(Share::Pairs)),
    ("longest_subset", Credit::Share(Share::LongestSubset)),
    ("longest_chain", Credit::Share(Share::LongestChain)),
];

struct OrderGraph {
    items: Vec<String>,
    distractors: Vec<String>,
    /// `precedes[a][b]` is true if item `a` must be before item `b`; transitively closed.
    precedes: Vec<Vec<bool>>,
    credit: Credit,
}

fn pair(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<[String; 2]> {
    json::list(2, 2, fields::id)(value, at, findings)?.try_into().ok()
}

pub(crate) fn compile(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<Box<dyn StateJudge>> {
    let mut object = Object::open(value, at, findings)?;
    let items = object.required("items", json::unique_list(2, 50, fields::id));
    let before = object.required("before", json::list(0, 500, pair));
    let distractors = object.defaulted("distractors", Vec::new(), json::unique_list(0, 50, fields::id));
    let credit = object.defaulted("credit", Credit::None, json::word(CREDITS));
    let (Some(items), Some(before), Some(distractors), Some(credit)) = (items, before, distractors, credit)
    else {
        object.close();
        return None;
    };
    for (index, distractor) in distractors.iter().enumerate() {
        if items.contains(distractor) {
            object.report(Finding::error(
                "distractor-is-item",
                Path::Element(&Path::Field(at, "distractors"), index).pointer(),
                "this distractor is an item of the order as well",
                "remove it from one of the lists",
            ));
        }
    }
    let mut precedes = vec![vec![false; items.len()]; items.len()];
    for (index, [first, second]) in before.iter().enumerate() {
        let place = |id: &String| items.iter().position(|item| item == id);
        match (place(first), place(second)) {
            (Some(first), Some(second)) => precedes[first][second] = true,
            _ => object.report(Finding::error(
                "unknown-item",
                Path::Element(&Path::Field(at, "before"), index).pointer(),
                "this pair names an item that is not in `items`",
                "use the ids of items",
            )),
        }
    }
    for middle in 0..items.len() {
        for first in 0..items.len() {
            if precedes[first][middle] {
                let after = precedes[middle].clone();
                precedes[first].iter_mut().zip(after).for_each(|(place, after)| *place |= after);
            }
        }
    }
    if (0..items.len()).any(|item| precedes[item][item]) {
        object.report(Finding::error(
            "order-has-cycle",
            Path::Field(at, "before").pointer(),
            "some items must be before themselves, so no order is right",
            "remove a pair of the cycle",
        ));
    }
    if matches!(credit, Credit::Share(_))
        && (0..items.len()).any(|later| (0..later).any(|first| !precedes[first][later]))
    {
        object.report(Finding::error(
            "order-not-total",
            Path::Field(at, "before").pointer(),
            "this credit needs one right order, which is that of `items`",
            "name each item before the next one, or use the credit `edits`",
        ));
    }
    object.close();
    Some(Box::new(OrderGraph { items, distractors, precedes, credit }))
}

impl OrderGraph {
    /// Returns whether the items at positions `i < j` of an answer are in the wrong order.
    fn conflict(&self, order: &[Option<usize>], i: usize, j: usize) -> bool {
        matches!((order[i], order[j]), (Some(first), Some(second)) if self.precedes[second][first])
    }

    fn is_right(&self, order: &[Option<usize>]) -> bool {
        order.len() == self.items.len()
            && order.iter().all(Option::is_some)
            && (0..order.len()).all(|j| (0..j).all(|i| !self.conflict(order, i, j)))
    }

    /// Returns whether the items of a stretch can be consecutive, in this order, in a right order.
    fn can_be_consecutive(&self, stretch: &[Option<usize>]) -> bool {
        let Some(stretch) = stretch.iter().copied().collect::<Option<Vec<usize>>>() else { return false };
        (0..stretch.len()).all(|j| {
            (0..j).all(|i| {
                let (first, second) = (stretch[i], stretch[j]);
                // An item that must be between two items of the stretch must be in the stretch too.
                let between = |item: usize| {
                    !stretch.contains(&item) && self.precedes[first][item] && self.precedes[item][second]
                };
                !self.precedes[second][first] && !(0..self.items.len()).any(between)
            })
        })
    }

    fn longest_run(&self, order: &[Option<usize>]) -> usize {
        let mut longest = 0;
        let mut start = 0;
        for end in 1..=order.len() {
            while start < end && !self.can_be_consecutive(&order[start..end]) {
                start += 1;
            }
            longest = longest.max(end - start);
        }
        longest
    }

    /// Returns the maximum number of items that can be kept without a conflict.
    fn most_kept(&self, order: &[Option<usize>]) -> usize {
        let kept: Vec<Option<usize>> = order.iter().copied().flatten().map(Some).collect();
        let mut partner: Vec<Option<usize>> = vec![None; kept.len()];
        let matched = (0..kept.len())
            .filter(|&left| self.augment(&kept, left, &mut vec![false; kept.len()], &mut partner))
            .count();
        kept.len() - matched
    }

    /// Extends the matching of conflicts by an augmenting path from `left`; recurses at most 50 levels deep.
    fn augment(
        &self,
        order: &[Option<usize>],
        left: usize,
        seen: &mut Vec<bool>,
        partner: &mut Vec<Option<usize>>,
    ) -> bool {
        for right in left + 1..order.len() {
            if !seen[right] && self.conflict(order, left, right) {
                seen[right] = true;
                if partner[right].is_none_or(|other| self.augment(order, other, seen, partner)) {
                    partner[right] = Some(left);
                    return true;
                }
            }
        }
        false
    }
}

impl StateJudge for OrderGraph {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let unknown = || Unjudged::Unreadable(Message::sentence("unknown-item"));
        let ids = fields::chosen(state, "order").ok_or_else(unknown)?;
        let mut order = Vec::with_capacity(ids.len());
        for id in ids {
            let place = self.items.iter().position(|item| item == id);
            if place.is_none() && !self.distractors.iter().any(|distractor| distractor == id) {
                return Err(unknown());
            }
            order.push(place);
        }
        let count = self.items.len();
        let missing = order.iter().flatten().count() < count;
        let score = if self.is_right(&order) {
            Ratio::one()
        } else {
            match self.credit {
                Credit::None => Ratio::zero(),
                Credit::LongestRun => {
                    let run = self.longest_run(&order);
                    steps.step("longest-run", || vec![("items", run.into()), ("of", count.into())]);
                    // A right order with distractors around it does not earn full marks.
                    let run = if run < 2 { 0 } else { run.min(count - 1) };
                    Ratio::new(run as i64, count as u64)
                }
                Credit::Edits => {
                    let kept = self.most_kept(&order);
                    let edits = order.len() - kept + (count - kept);
                    steps.step("nearest-order", || vec![("kept", kept.into()), ("edits", edits.into())]);
                    Ratio::new((count.saturating_sub(edits)) as i64, count as u64)
                }
                Credit::Share(share) => {
                    // Distractors have no position in the right order.
                    let places: Vec<usize> = order.iter().copied().flatten().collect();
                    let (earned, of) = share.of(&places, count);
                    steps.step("right-share", || vec![("earned", earned.into()), ("of", of.into())]);
                    let with_distractors = places.len() < order.len();
                    let earned = if with_distractors { earned.min(of - 1) } else { earned };
                    Ratio::new(earned as i64, of as u64)
                }
            }
        };
        let judgement = Judgement::new(score);
        Ok(if missing { judgement.saying(Message::sentence("items-missing")) } else { judgement })
    }

    fn lint(&self, findings: &mut Findings) {
        if self.precedes.iter().flatten().all(|precedes| !precedes) {
            findings.push(Finding::warning(
                "any-order-wins",
                "/before",
                "no item must be before another, so every order is right",
                "add the pairs whose order matters",
            ));
        }
    }
}
