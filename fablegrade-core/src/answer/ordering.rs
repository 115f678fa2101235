//! `ordering` questions with their key: validation, view and marking.

use fablegrade_public::document::required;
use fablegrade_public::identifier::ItemId;
use fablegrade_public::json::Json;
use fablegrade_public::view::ordering::{ItemView, OrderingCredit, OrderingSubmission, OrderingView, fields};
use fablegrade_public::view::rules;
use fablegrade_public::{Finding, Findings, GradedBy, Ratio};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet, fraction};
use crate::secret::{Secret, secret};
use crate::shuffle::Order;

fablegrade_public::document! {
    /// An ordering question.
    pub struct OrderingSpec {
        /// The task, as the learner reads it.
        pub prompt: Option<String> = fields::PROMPT;
        /// The items; authors often list them in the correct order, so their order is never shown.
        pub items: Vec<ItemView> = fields::ITEMS;
        /// The correct order: a permutation of the items' ids.
        pub correct_order: Secret<Vec<ItemId>> = required("correctOrder", secret(fields::ORDER));
        /// The credit for a partly correct order: none, the share of correct neighbours, or the share of the
        /// longest correct subsequence.
        pub partial_credit: OrderingCredit = fields::PARTIAL_CREDIT;
    }
}

pub(crate) struct Ready {
    view: OrderingView,
}

/// Counts the adjacent pairs of the key that are also adjacent, in the same order, in `ranks`.
fn adjacent_pairs(ranks: &[usize]) -> usize {
    ranks.windows(2).filter(|pair| pair[1] == pair[0] + 1).count()
}

/// Returns the length of the longest increasing subsequence, in O(n log n) (patience sorting).
fn longest_increasing(ranks: &[usize]) -> usize {
    let mut tails: Vec<usize> = Vec::with_capacity(ranks.len());
    for &rank in ranks {
        let at = tails.partition_point(|&tail| tail < rank);
        if at == tails.len() {
            tails.push(rank);
        } else {
            tails[at] = rank;
        }
    }
    tails.len()
}

/// Returns the credit for `ranks` (a permutation of `0..n`, n >= 2).
fn credit(scheme: OrderingCredit, ranks: &[usize]) -> Ratio {
    let n = ranks.len() as u64;
    match scheme {
        OrderingCredit::None => {
            if ranks.is_sorted() {
                Ratio::one()
            } else {
                Ratio::zero()
            }
        }
        OrderingCredit::AdjacentPairs => Ratio::new(adjacent_pairs(ranks) as i64, n - 1),
        OrderingCredit::LongestSubsequence => Ratio::new(longest_increasing(ranks) as i64, n),
    }
}

/// Returns the exact mean score of a random order of `n` items; zero unless `n` is 1 to 12.
///
/// - `none`: 1/n!.
/// - `adjacent_pairs`: 1/n, because each of the n - 1 pairs is adjacent with probability 1/n.
/// - `longest_subsequence`: the mean length divided by n. By the Robinson-Schensted correspondence, the mean
///   length is a sum over the partitions of n, divided by n!. Each term is the largest part times the squared
///   number of standard Young tableaux (hook length formula).
pub fn chance_level(scheme: OrderingCredit, n: usize) -> Ratio {
    // Questions have 2 to 12 items; with 20 items or more, the sums below would overflow.
    if !(1..=12).contains(&n) {
        return Ratio::zero();
    }
    let factorial: u64 = (1..=n as u64).product();
    match scheme {
        OrderingCredit::None => Ratio::new(1, factorial),
        OrderingCredit::AdjacentPairs => Ratio::new(1, n as u64),
        OrderingCredit::LongestSubsequence => {
            let mut sum: i64 = 0;
            let mut partition = vec![n];
            loop {
                let tableaux = factorial / hooks(&partition);
                sum += (partition[0] as u64 * tableaux * tableaux) as i64;
                if !next_partition(&mut partition) {
                    break;
                }
            }
            Ratio::new(sum, factorial).times(&Ratio::new(1, n as u64))
        }
    }
}

/// Returns the product of the hook lengths of a partition's diagram.
fn hooks(partition: &[usize]) -> u64 {
    let mut product = 1;
    for (row, &length) in partition.iter().enumerate() {
        for column in 0..length {
            let below = partition[row + 1..].iter().take_while(|&&other| other > column).count();
            product *= (length - column + below) as u64;
        }
    }
    product
}

/// Advances to the next partition in reverse lexicographic order; returns `false` after the last partition.
fn next_partition(partition: &mut Vec<usize>) -> bool {
    let mut ones = 0;
    while partition.last() == Some(&1) {
        partition.pop();
        ones += 1;
    }
    let Some(last) = partition.last_mut() else { return false };
    *last -= 1;
    let part = *last;
    let mut rest = ones + 1;
    while rest > part {
        partition.push(part);
        rest -= part;
    }
    partition.push(rest);
    true
}

impl Question for OrderingSpec {
    type Submission = OrderingSubmission;
    type View = OrderingView;
    type Ready = Ready;

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<Ready> {
        rules::duplicate_ids(self.items.iter().map(|item| &item.id), "/items", findings);
        let order = self.correct_order.expose();
        let permutation = order.len() == self.items.len()
            && order.iter().all(|id| self.items.iter().any(|item| item.id == *id))
            && self.items.iter().all(|item| order.contains(&item.id));
        if !permutation {
            findings.push(Finding::error(
                "order-not-a-permutation",
                "/correctOrder",
                "the correct order does not have every item exactly once",
                "list the id of every item once",
            ));
        }
        (findings.errors() == 0).then(|| Ready { view: self.view(&Order::Sorted) })
    }

    fn view(&self, order: &Order<'_>) -> OrderingView {
        let Self { prompt, items, correct_order: _, partial_credit } = self;
        let mut items = items.clone();
        order.apply("items", &mut items, |item| {
            Json::array([Json::from(item.content.as_json()), Json::from(&item.id)])
        });
        OrderingView { prompt: prompt.clone(), items, partial_credit: *partial_credit }
    }

    fn mark(
        &self,
        ready: &Ready,
        submission: &OrderingSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        if let Err(refusal) = ready.view.admit(submission) {
            return Mark::Refused(refusal);
        }
        let key = self.correct_order.expose();
        let mut ranks = [0usize; 12];
        let mut count = 0;
        for id in &submission.order {
            if let (Some(rank), Some(slot)) = (key.iter().position(|other| other == id), ranks.get_mut(count))
            {
                *slot = rank;
                count += 1;
            }
        }
        let ranks = &ranks[..count];
        let score = credit(self.partial_credit, ranks);
        sheet.trace.step("order-compared", || {
            vec![
                ("scheme", self.partial_credit.as_str().into()),
                ("items", ranks.len().into()),
                ("adjacentPairs", adjacent_pairs(ranks).into()),
                ("longestSubsequence", longest_increasing(ranks).into()),
                ("score", fraction(&score)),
            ]
        });
        Mark::Scored(score)
    }

    fn graded_by(&self) -> GradedBy {
        GradedBy::Auto
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::two_places;

    fn permutations(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![vec![]];
        }
        let mut all = Vec::new();
        for shorter in permutations(n - 1) {
            for at in 0..n {
                let mut longer = shorter.clone();
                longer.insert(at, n - 1);
                all.push(longer);
            }
        }
        all
    }

    #[test]
    fn chance_levels_are_the_mean_over_all_orders() {
        for n in 2..=7 {
            for scheme in
                [OrderingCredit::None, OrderingCredit::AdjacentPairs, OrderingCredit::LongestSubsequence]
            {
                let all = permutations(n);
                let sum = all.iter().fold(Ratio::zero(), |sum, order| sum.plus(&credit(scheme, order)));
                let mean = sum.times(&Ratio::new(1, all.len() as u64));
                assert_eq!(chance_level(scheme, n), mean, "{scheme:?} {n}");
            }
        }
        assert_eq!(two_places(&chance_level(OrderingCredit::LongestSubsequence, 5)), "0.56");
    }

    #[test]
    fn the_largest_question_does_not_overflow() {
        let chance = chance_level(OrderingCredit::LongestSubsequence, 12);
        assert!(chance > Ratio::new(2, 5) && chance < Ratio::new(1, 2), "{chance}");
    }
}
