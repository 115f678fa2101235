//! Orders: candidate responses, and the credit for partly right orders.

use fablegrade_public::Ratio;

use super::candidates::{Draw, identifiers};
use super::evaluate::Unsupported;
use super::fit::Share;
use super::value::Value;
use crate::item::{Choosable, Match, MatchRule, Order, OrderCredit};

/// The maximum number of items of an order, and of its key. The number of candidate orders grows with it.
pub(super) const MAX_ORDERED: usize = 200;

/// Returns candidate orders; none if there are more than [`MAX_ORDERED`] items.
pub(super) fn orders(items: &[Choosable], key: &[String], whole: bool) -> Vec<Vec<String>> {
    let ids: Vec<String> = items.iter().map(|one| one.id.clone()).collect();
    let mut out: Vec<Vec<String>> = Vec::new();
    if ids.len() > MAX_ORDERED {
        return out;
    }
    if whole && ids.len() <= 5 {
        permutations(&ids, &mut Vec::new(), &mut out);
        return out;
    }
    let mut add = |order: Vec<String>| {
        if !out.contains(&order) {
            out.push(order);
        }
    };
    let start = if key.is_empty() { ids.clone() } else { key.to_vec() };
    add(start.clone());
    add(start.iter().rev().cloned().collect());
    for at in 1..start.len() {
        let mut swapped = start.clone();
        swapped.swap(at - 1, at);
        add(swapped);
        let mut rotated = start.clone();
        rotated.rotate_left(at);
        add(rotated);
    }
    let mut draw = Draw::new(11);
    for _ in 0..40 {
        let mut mixed = start.clone();
        for at in (1..mixed.len()).rev() {
            mixed.swap(at, draw.below(at + 1));
        }
        add(mixed);
    }
    if !whole {
        for other in &ids {
            if !start.contains(other) {
                let mut longer = start.clone();
                longer.push(other.clone());
                add(longer);
            }
        }
        for at in 0..start.len() {
            let mut shorter = start.clone();
            shorter.remove(at);
            add(shorter);
        }
    }
    out
}

fn permutations(left: &[String], begun: &mut Vec<String>, out: &mut Vec<Vec<String>>) {
    if left.is_empty() {
        out.push(begun.clone());
        return;
    }
    for (at, one) in left.iter().enumerate() {
        let mut rest = left.to_vec();
        rest.remove(at);
        begun.push(one.clone());
        permutations(&rest, begun, out);
        begun.pop();
    }
}

pub(super) fn fit(
    items: &[Choosable],
    candidates: &[Value],
    best: &Value,
    share: &Share<'_>,
) -> Result<Option<Order>, Unsupported> {
    let key = identifiers(best);
    let shares: Vec<Ratio> = candidates.iter().map(share).collect::<Result<_, _>>()?;
    let zero = Ratio::zero();
    let holds = |credit: &dyn Fn(&[String]) -> Ratio| {
        candidates.iter().zip(&shares).all(|(candidate, share)| {
            let order = identifiers(candidate);
            order.is_empty() || credit(&order) == share.clone().clamped()
        })
    };
    let made = |credit: OrderCredit, before| {
        Some(Order { items: items.to_vec(), correct: key.clone(), before, credit })
    };
    if key.len() < 2 {
        return Ok(None);
    }
    if holds(&|order| if order == key { Ratio::one() } else { zero.clone() }) {
        return Ok(made(OrderCredit::AllOrNothing, None));
    }
    if key.len() != items.len() {
        return Ok(None);
    }
    let neighbours = |order: &[String]| {
        let pairs = key.windows(2).filter(|pair| order.windows(2).any(|other| other == *pair)).count();
        Ratio::new(pairs as i64, key.len() as u64 - 1)
    };
    if holds(&neighbours) {
        return Ok(made(OrderCredit::AdjacentPairs, None));
    }
    let place = |id: &String| key.iter().position(|other| other == id).unwrap_or(usize::MAX);
    let longest = |order: &[String]| {
        let places: Vec<usize> = order.iter().map(place).collect();
        let mut runs = vec![1usize; places.len()];
        for at in 1..places.len() {
            for before in 0..at {
                if places[before] < places[at] {
                    runs[at] = runs[at].max(runs[before] + 1);
                }
            }
        }
        Ratio::new(runs.into_iter().max().unwrap_or(0) as i64, key.len() as u64)
    };
    if holds(&longest) {
        return Ok(made(OrderCredit::LongestSubsequence, None));
    }
    // If several orders are right, find the pairs that all of them order in the same way.
    let winners: Vec<Vec<String>> = candidates
        .iter()
        .zip(&shares)
        .filter(|(_, share)| share.is_one())
        .map(|(one, _)| identifiers(one))
        .collect();
    let losers_lose = shares.iter().all(|share| share.is_one() || *share <= zero);
    if winners.len() > 1 && losers_lose && items.len() <= 5 {
        let mut before = Vec::new();
        for a in &key {
            for b in &key {
                let first = |order: &Vec<String>| {
                    order.iter().position(|one| one == a) < order.iter().position(|one| one == b)
                };
                if a != b && winners.iter().all(first) {
                    before.push((a.clone(), b.clone()));
                }
            }
        }
        let fits = |order: &[String]| {
            before
                .iter()
                .all(|(a, b)| order.iter().position(|one| one == a) < order.iter().position(|one| one == b))
        };
        if holds(&|order| if fits(order) { Ratio::one() } else { zero.clone() }) {
            return Ok(made(OrderCredit::AllOrNothing, Some(before)));
        }
    }
    Ok(None)
}

/// Returns a matching of places with items if each item earns the same share in its place, and whole orders only are
/// given.
pub(super) fn places(
    items: &[Choosable],
    candidates: &[Value],
    best: &Value,
    share: &Share<'_>,
) -> Result<Option<Match>, Unsupported> {
    let key = identifiers(best);
    if key.len() != items.len() || key.len() < 2 {
        return Ok(None);
    }
    for candidate in candidates.iter().filter(|one| !one.is_null()) {
        let order = identifiers(candidate);
        let right = order.iter().zip(&key).filter(|(one, key)| one == key).count();
        if order.len() != key.len()
            || share(candidate)?.clamped() != Ratio::new(right as i64, key.len() as u64)
        {
            return Ok(None);
        }
    }
    let place = |at: usize| format!("p{}", at + 1);
    let left = (0..key.len()).map(|at| Choosable { id: place(at), content: format!("{}.", at + 1) });
    let pairs = key.iter().enumerate().map(|(at, id)| (place(at), id.clone(), Ratio::one()));
    Ok(Some(Match {
        left: left.collect(),
        right: items.to_vec(),
        pairs: pairs.collect(),
        rule: MatchRule::Share,
        many_to_one: false,
        most_each: Some(1),
    }))
}
