//! `matching` questions with their key: validation, view and marking.

use fablegrade_public::document::required;
use fablegrade_public::identifier::ItemId;
use fablegrade_public::json::Json;
use fablegrade_public::view::matching::{MatchingSubmission, MatchingView, Pair, fields};
use fablegrade_public::view::ordering::ItemView;
use fablegrade_public::view::rules;
use fablegrade_public::{Finding, Findings, GradedBy, Ratio};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet, fraction};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// A matching question.
    pub struct MatchingSpec {
        /// The task, as the learner reads it.
        pub prompt: Option<String> = fields::PROMPT;
        /// The items on the left.
        pub left: Vec<ItemView> = fields::LEFT;
        /// The items on the right; some may have no partner.
        pub right: Vec<ItemView> = fields::RIGHT;
        /// The correct pairs.
        pub correct_pairs: Secret<Vec<Pair>> = required("correctPairs", secret(fields::pairs(2)));
        /// Whether several left items may have the same partner.
        pub allow_many_to_one: bool = fields::ALLOW_MANY_TO_ONE;
        /// Whether a partly correct answer earns part of the score.
        pub partial_credit: bool = fields::PARTIAL_CREDIT;
    }
}

pub(crate) struct Ready {
    view: MatchingView,
}

impl MatchingSpec {
    /// Returns the mean score of a random assignment under partial credit.
    ///
    /// As many left items as possible are submitted, each with a random right item. A submitted item that has
    /// a partner in the key is a hit with probability 1/r (for r right items), with or without replacement.
    /// The score is `hits / max(pairs, submitted)`.
    pub(crate) fn chance_level(&self) -> Ratio {
        let pairs = self.correct_pairs.expose().len() as i64;
        let submitted =
            self.left.len().min(if self.allow_many_to_one { usize::MAX } else { self.right.len() });
        let chance = Ratio::new(1, self.right.len() as u64);
        let answered = Ratio::new(submitted as i64, self.left.len() as u64);
        let hits = Ratio::new(pairs, 1).times(&chance).times(&answered);
        let worth = Ratio::new(1, (pairs as u64).max(submitted as u64));
        hits.times(&worth)
    }
}

impl Question for MatchingSpec {
    type Submission = MatchingSubmission;
    type View = MatchingView;
    type Ready = Ready;

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
        rules::duplicate_ids(self.left.iter().map(|item| &item.id), "/left", findings);
        rules::duplicate_ids(self.right.iter().map(|item| &item.id), "/right", findings);
        let pairs = self.correct_pairs.expose();
        let known = |side: &[ItemView], id: &ItemId| side.iter().any(|item| item.id == *id);
        for (at, pair) in pairs.iter().enumerate() {
            for (side, items, id) in [("left", &self.left, &pair.left), ("right", &self.right, &pair.right)] {
                if !known(items, id) {
                    findings.push(Finding::error(
                        "unknown-item",
                        format!("/correctPairs/{at}/{side}"),
                        format!("there is no item with this id on the {side}"),
                        "use the id of an item",
                    ));
                }
            }
            let earlier = &pairs[..at];
            if earlier.iter().any(|other| other.left == pair.left) {
                findings.push(Finding::error(
                    "left-paired-twice",
                    format!("/correctPairs/{at}/left"),
                    "this item has a partner already, and a learner can give it one only",
                    "give each left item one partner",
                ));
            }
            if !self.allow_many_to_one && earlier.iter().any(|other| other.right == pair.right) {
                findings.push(Finding::error(
                    "right-paired-twice",
                    format!("/correctPairs/{at}/right"),
                    "this item is a partner already, and without `allowManyToOne` it can be one only once",
                    "set `allowManyToOne` or use another item",
                ));
            }
        }
        for (at, item) in self.left.iter().enumerate() {
            if !pairs.iter().any(|pair| pair.left == item.id) {
                findings.push(Finding::warning(
                    "left-without-partner",
                    format!("/left/{at}"),
                    "this item has no partner in the key; learners who pair it lose credit",
                    "give it a partner or remove it; distractors belong on the right",
                ));
            }
        }
        (findings.errors() == 0).then(|| Ready { view: self.view(&Order::Sorted) })
    }

    fn view(&self, order: &Order<'_>) -> MatchingView {
        let Self { prompt, left, right, correct_pairs: _, allow_many_to_one, partial_credit } = self;
        let (mut left, mut right) = (left.clone(), right.clone());
        let public =
            |item: &ItemView| Json::array([Json::from(item.content.as_json()), Json::from(&item.id)]);
        order.apply("left", &mut left, public);
        order.apply("right", &mut right, public);
        MatchingView {
            prompt: prompt.clone(),
            left,
            right,
            allow_many_to_one: *allow_many_to_one,
            partial_credit: *partial_credit,
        }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &MatchingSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        if let Err(refusal) = ready.view.admit(submission) {
            return Mark::Refused(refusal);
        }
        let key = self.correct_pairs.expose();
        let sent = &submission.pairs;
        let (mut hits, mut different) = (0usize, 0usize);
        for (at, pair) in sent.iter().enumerate() {
            if sent[..at].contains(pair) {
                continue;
            }
            different += 1;
            let hit = key.contains(pair);
            hits += usize::from(hit);
            sheet.trace.step(if hit { "pair-right" } else { "pair-wrong" }, || {
                vec![("left", Json::from(&pair.left)), ("right", Json::from(&pair.right))]
            });
        }
        let score = Ratio::new(hits as i64, key.len().max(different) as u64);
        let score = if self.partial_credit || score.is_one() { score } else { Ratio::zero() };
        sheet.trace.step("pairs-counted", || {
            vec![
                ("hits", hits.into()),
                ("submitted", different.into()),
                ("correctPairs", key.len().into()),
                ("score", fraction(&score)),
            ]
        });
        Mark::Scored(score)
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}
