//! The specs of orders and pairs. Neither the ids nor the displayed order reveals the key.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use super::parts::{MAX_WEIGHTS, Outcome, builtin, containing, refuse, widget};
use super::shape::{Shape, pair_key};
use super::{Compiled, ratio_json, shown};
use crate::ids::{IdMap, natural_order, numbers};
use crate::item::{Choosable, Match, MatchRule, Order, OrderCredit, Part, options_fit};

fn ids_of(items: &[Choosable]) -> IdMap {
    let ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    IdMap::new(ids.iter().copied())
}

/// Sorts items by content, so their order does not reveal the key.
fn by_content(items: &[Choosable]) -> Vec<Choosable> {
    let mut sorted = items.to_vec();
    sorted.sort_by(|a, b| (&a.content, &a.id).cmp(&(&b.content, &b.id)));
    sorted
}

/// Returns whether the natural order of these ids ascends or descends.
fn is_monotone<'i>(ids: impl Iterator<Item = &'i str> + Clone) -> bool {
    let never = |excluded: Ordering| {
        let next = ids.clone().skip(1);
        ids.clone().zip(next).all(|(one, next)| natural_order(one, next) != excluded)
    };
    never(Ordering::Greater) || never(Ordering::Less)
}

/// Returns ids for items to order; they are new if the natural order of the source's ids would reveal the key.
fn ids_of_an_order(items: &[Choosable], correct: &[String]) -> IdMap {
    if is_monotone(correct.iter().map(String::as_str)) {
        let neutral = by_content(items);
        return IdMap::numbered("i", neutral.iter().map(|item| item.id.as_str()));
    }
    ids_of(items)
}

/// Returns ids for the right side of pairs; they are new if the source's ids would reveal the partners, by their
/// numbers or by their order.
fn ids_of_partners(matching: &Match) -> IdMap {
    let zero = Ratio::zero();
    let mut pairs: Vec<(&str, &str)> = (matching.pairs.iter())
        .filter(|pair| pair.2 > zero)
        .map(|pair| (pair.0.as_str(), pair.1.as_str()))
        .collect();
    let same_numbers = pairs.iter().all(|(left, right)| numbers(left).last() == numbers(right).last());
    let places: BTreeMap<&str, usize> =
        matching.left.iter().enumerate().map(|(place, item)| (item.id.as_str(), place)).collect();
    pairs.sort_by_key(|(left, _)| places.get(left));
    let follow_places = is_monotone(pairs.iter().map(|pair| pair.1));
    pairs.sort_by(|a, b| natural_order(a.0, b.0));
    if same_numbers || follow_places || is_monotone(pairs.iter().map(|pair| pair.1)) {
        let neutral = by_content(&matching.right);
        return IdMap::numbered("r", neutral.iter().map(|item| item.id.as_str()));
    }
    ids_of(&matching.right)
}

fn list_shown(items: &[Choosable], ids: &IdMap) -> Json {
    Json::array(items.iter().map(|item| shown(ids.get(&item.id).unwrap_or_default(), &item.content)))
}

// ---- orders

pub(super) fn order_spec(order: &Order, part: &Part) -> Outcome {
    let ids = ids_of_an_order(&order.items, &order.correct);
    let id = |source: &String| ids.get(source).unwrap_or_default().to_owned();
    if order.items.len() < 2 || order.correct.is_empty() {
        return Err(refuse(part, "no-key", "there is no right order of two things", "give one"));
    }
    let all = order.correct.len() == order.items.len();
    let credit = match order.credit {
        OrderCredit::AllOrNothing => Some("none"),
        OrderCredit::AdjacentPairs => Some("adjacent_pairs"),
        OrderCredit::LongestSubsequence => Some("longest_subsequence"),
        _ => None,
    };
    if let Some(credit) = credit
        && order.before.is_none()
        && all
        && order.items.len() <= 12
    {
        let spec = Json::build()
            .with("type", "ordering")
            .with("items", list_shown(&order.items, &ids))
            .with("correctOrder", Json::array(order.correct.iter().map(id)))
            .with("partialCredit", credit)
            .build();
        return Ok(Compiled { spec, shape: Shape::Order(ids.clone()), losses: Vec::new(), ids });
    }
    let mut losses = Vec::new();
    let credit = match order.credit {
        OrderCredit::AllOrNothing => "none",
        OrderCredit::Edits => "edits",
        OrderCredit::Successors => "successors",
        OrderCredit::Neighbours => "neighbours",
        OrderCredit::Pairs => "pairs",
        OrderCredit::LongestSubset => "longest_subset",
        OrderCredit::LongestChain => "longest_chain",
        OrderCredit::AdjacentPairs | OrderCredit::LongestSubsequence => {
            let message = "a partly right order does not earn the same share as in the source system";
            losses.push(refuse(part, "order-credit", message, "use at most 12 items without distractors"));
            "edits"
        }
    };
    let before: Vec<(String, String)> = order
        .before
        .clone()
        .unwrap_or_else(|| order.correct.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect());
    let right: BTreeSet<&String> = order.correct.iter().collect();
    let distractors = order.items.iter().map(|item| &item.id).filter(|id| !right.contains(id)).map(id);
    let config = Json::build()
        .with("items", Json::array(order.correct.iter().map(id)))
        .with("before", Json::array(before.iter().map(|(a, b)| Json::array([id(a), id(b)]))))
        .with("distractors", Json::array(distractors))
        .with("credit", credit)
        .build();
    // Parameters are displayed unchanged, so sort them by content.
    let params = Json::build().with("items", list_shown(&by_content(&order.items), &ids)).build();
    let shape = Shape::OrderState(ids.clone());
    Ok(widget("ordering", Some(params), builtin("order_graph", config), shape, ids, losses))
}

// ---- pairs

pub(super) fn match_spec(matching: &Match, part: &Part) -> Outcome {
    if !options_fit(matching.left.len().saturating_mul(matching.right.len()), 0) {
        return Err(refuse(part, "too-many-options", "there are too many possible pairs", "use fewer"));
    }
    let (left, right) = (ids_of(&matching.left), ids_of_partners(matching));
    let zero = Ratio::zero();
    let right_pairs: Vec<_> = matching.pairs.iter().filter(|(_, _, weight)| *weight > zero).collect();
    if right_pairs.is_empty() {
        return Err(refuse(part, "no-key", "no pair earns anything", "give the right pairs"));
    }
    let every_left_once =
        matching.left.iter().all(|item| right_pairs.iter().filter(|pair| pair.0 == item.id).count() == 1);
    let share = Ratio::new(1, right_pairs.len() as u64);
    let even = matching.pairs.iter().all(|pair| pair.2 == share);
    let partial = match matching.rule {
        MatchRule::AllOrNothing => Some(false),
        MatchRule::Share => Some(true),
        MatchRule::Sum => (even && every_left_once && matching.most_each == Some(1)).then_some(true),
    };
    let fits = (2..=10).contains(&matching.left.len())
        && (2..=14).contains(&matching.right.len())
        && (2..=14).contains(&right_pairs.len())
        && matching.most_each == Some(1)
        && right_pairs.iter().all(|pair| right_pairs.iter().filter(|other| other.0 == pair.0).count() == 1);
    if let Some(partial) = partial.filter(|_| fits) {
        let pairs = right_pairs.iter().map(|pair| {
            Json::build()
                .with("left", left.get(&pair.0).unwrap_or_default())
                .with("right", right.get(&pair.1).unwrap_or_default())
                .build()
        });
        let spec = Json::build()
            .with("type", "matching")
            .with("left", list_shown(&matching.left, &left))
            .with("right", list_shown(&matching.right, &right))
            .with("correctPairs", Json::array(pairs))
            .with("allowManyToOne", matching.many_to_one)
            .with("partialCredit", partial)
            .build();
        let ids = left.joined(&right);
        return Ok(Compiled { spec, shape: Shape::Pairs(left, right), losses: Vec::new(), ids });
    }
    pair_widget(matching, &left, &right, &share, part)
}

/// Creates a widget in which every possible pair is an option.
fn pair_widget(matching: &Match, left: &IdMap, right: &IdMap, share: &Ratio, part: &Part) -> Outcome {
    let zero = Ratio::zero();
    let possible = matching.left.len() * matching.right.len();
    if matching.rule != MatchRule::AllOrNothing && possible > MAX_WEIGHTS {
        let message = format!("there are more than {MAX_WEIGHTS} possible pairs");
        return Err(refuse(part, "too-many-options", message, "use fewer"));
    }
    // Each pair is looked up by the ids of its items.
    let bytes =
        |items: &[Choosable]| items.iter().fold(0, |sum: usize, item| sum.saturating_add(item.id.len()));
    let left_bytes = bytes(&matching.left).saturating_mul(matching.right.len());
    let right_bytes = bytes(&matching.right).saturating_mul(matching.left.len());
    if !options_fit(possible, left_bytes.saturating_add(right_bytes)) {
        return Err(refuse(part, "too-many-options", "there are too many possible pairs", "use fewer"));
    }
    // Parameters are displayed unchanged, so neither their order nor their ids may reveal the key.
    let shown_right = by_content(&matching.right);
    let keys: Vec<String> = (matching.left.iter())
        .flat_map(|l| shown_right.iter().map(move |r| pair_key(&l.id, &r.id)))
        .collect();
    let pairs = IdMap::numbered("p", keys.iter().map(String::as_str));
    let params = Json::build()
        .with("allowManyToOne", matching.many_to_one)
        .with_some("mostEach", matching.most_each)
        .with("left", list_shown(&matching.left, left))
        .with("right", list_shown(&shown_right, right))
        .with(
            "pairs",
            Json::array(matching.left.iter().flat_map(|l| shown_right.iter().map(move |r| (l, r))).map(
                |(l, r)| {
                    Json::build()
                        .with("id", pairs.get(&pair_key(&l.id, &r.id)).unwrap_or_default())
                        .with("left", left.get(&l.id).unwrap_or_default())
                        .with("right", right.get(&r.id).unwrap_or_default())
                        .build()
                },
            )),
        )
        .build();
    let weight_of = |l: &str, r: &str| {
        matching
            .pairs
            .iter()
            .find(|pair| pair.0 == l && pair.1 == r)
            .map_or(zero.clone(), |pair| pair.2.clone())
    };
    let validator = if matching.rule == MatchRule::AllOrNothing {
        let right_pairs: Vec<String> = matching
            .pairs
            .iter()
            .filter(|pair| pair.2 > zero)
            .map(|pair| pair_key(&pair.0, &pair.1))
            .collect();
        let ids: Vec<&str> = right_pairs.iter().filter_map(|key| pairs.get(key)).collect();
        containing(&ids, true)
    } else {
        let mut options = Vec::new();
        for l in &matching.left {
            for r in &matching.right {
                let weight = match (matching.rule, weight_of(&l.id, &r.id)) {
                    (MatchRule::Share, weight) if weight > zero => share.clone(),
                    (MatchRule::Share, _) => zero.clone(),
                    (_, weight) => weight,
                };
                let id = pairs.get(&pair_key(&l.id, &r.id)).unwrap_or_default();
                options.push(Json::build().with("id", id).with("weight", ratio_json(&weight)).build());
            }
        }
        // Without `most`, an answer with all pairs would earn full marks.
        let most =
            matching.most_each.map(|each| each.saturating_mul(matching.left.len()).clamp(1, MAX_WEIGHTS));
        builtin(
            "choice_weights",
            Json::build().with("options", Json::array(options)).with_some("most", most).build(),
        )
    };
    Ok(widget(
        "pairs",
        Some(params),
        validator,
        Shape::PairState(pairs.clone()),
        left.joined(right),
        Vec::new(),
    ))
}

#[cfg(test)]
mod tests {
    use fablegrade_public::Ratio;

    use super::{ids_of_an_order, ids_of_partners, match_spec};
    use crate::item::{Choosable, Interaction, Match, MatchRule, Part};
    use crate::loss::Place;

    fn items(ids: &[&str]) -> Vec<Choosable> {
        // The contents are in the reverse order.
        let one = |(place, id): (usize, &&str)| Choosable {
            id: (*id).to_owned(),
            content: (99 - place).to_string(),
        };
        ids.iter().enumerate().map(one).collect()
    }

    #[test]
    fn ids_of_partners_do_not_follow_the_left_side() {
        let kept = |left: &[&str], right: &[&str], pairs: &[(&str, &str)]| {
            let pair = |(l, r): &(&str, &str)| ((*l).to_owned(), (*r).to_owned(), Ratio::one());
            let matching = Match {
                left: items(left),
                right: items(right),
                pairs: pairs.iter().map(pair).collect(),
                rule: MatchRule::Share,
                many_to_one: true,
                most_each: Some(1),
            };
            ids_of_partners(&matching).changed().next().is_none()
        };
        let (left, right) = (["l1", "l2", "l3"], ["r1", "r2", "r3", "r4"]);
        assert!(!kept(&left, &right, &[("l1", "r1"), ("l2", "r3"), ("l3", "r4")]));
        assert!(!kept(&left, &right, &[("l3", "r4"), ("l1", "r1"), ("l2", "r3")]));
        assert!(!kept(&left, &right, &[("l1", "r4"), ("l2", "r3"), ("l3", "r1")]));
        assert!(!kept(&["l2", "l1", "l3"], &right, &[("l2", "r1"), ("l1", "r2"), ("l3", "r3")]));
        assert!(kept(&left, &right, &[("l1", "r3"), ("l2", "r1"), ("l3", "r4")]));
    }

    #[test]
    fn ids_of_an_order_do_not_ascend() {
        for (ids, kept) in [
            (["step9a", "step10a", "step11a"], false),
            (["n99999999999999999999", "n100000000000000000000", "n100000000000000000001"], false),
            (["s3", "s2", "s1"], false),
            (["s2", "s3", "s1"], true),
        ] {
            let correct = ids.map(str::to_owned);
            let map = ids_of_an_order(&items(&ids), &correct);
            assert_eq!(map.changed().next().is_none(), kept, "{ids:?}");
        }
    }

    #[test]
    fn possible_pairs_are_counted_before_they_are_made() {
        for rule in [MatchRule::AllOrNothing, MatchRule::Share, MatchRule::Sum] {
            // All pairs of these would need more than 100 GB.
            let items = |letter: char| -> Vec<Choosable> {
                let ids = (0..40_000).map(|n| format!("{letter}{n}"));
                ids.map(|id| Choosable { content: id.clone(), id }).collect()
            };
            let (left, right) = (items('l'), items('r'));
            let pairs = left.iter().zip(&right).map(|(l, r)| (l.id.clone(), r.id.clone(), Ratio::one()));
            let pairs = pairs.collect();
            let matching = Match { left, right, pairs, rule, many_to_one: true, most_each: Some(1) };
            let part = Part::new("1", Interaction::Anything, Place::default());
            let loss = match_spec(&matching, &part).map(|_| ()).unwrap_err();
            assert_eq!(loss.rule, "too-many-options");
        }
    }

    #[test]
    fn the_ids_of_pairs_are_measured_before_they_are_made() {
        // The ids of all pairs of these would need 2 GB.
        let items = |letter: &str| -> Vec<Choosable> {
            let ids = (0..100).map(|n| format!("{}{n}", letter.repeat(100_000)));
            ids.map(|id| Choosable { id, content: String::new() }).collect()
        };
        let (left, right) = (items("l"), items("r"));
        let pairs = vec![(left[0].id.clone(), right[0].id.clone(), Ratio::one())];
        let rule = MatchRule::AllOrNothing;
        let matching = Match { left, right, pairs, rule, many_to_one: true, most_each: Some(1) };
        let part = Part::new("1", Interaction::Anything, Place::default());
        let loss = match_spec(&matching, &part).map(|_| ()).unwrap_err();
        assert_eq!(loss.rule, "too-many-options");
    }
}
