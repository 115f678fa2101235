//! Derivation of an item model's interaction from the scores of candidate responses.

use fablegrade_public::Ratio;

use super::body::{Found, Kind};
use super::candidates::{MAX_PAIRS, same_set, set, universe};
use super::evaluate::Unsupported;
use super::literals::Literals;
use super::model::{ResponseVariable, mapped};
use super::orders::MAX_ORDERED;
use super::value::{Atom, BaseType, Cardinality, Value};
use super::{numbers, orders, texts};
use crate::item::{Choice, ChoiceOption, ChoiceRule, Choosable, Interaction, Match, MatchRule};
use crate::loss::Loss;

pub(super) type Share<'s> = dyn Fn(&Value) -> Result<Ratio, Unsupported> + 's;

/// Finds an interaction under which each candidate earns the share that `share` returns (1 is full marks).
///
/// The inner error is a loss if there is no such interaction; the outer error means that processing cannot be run.
pub(super) fn interaction(
    found: &Found,
    variable: &ResponseVariable,
    candidates: &[Value],
    best: &Value,
    literals: &Literals,
    share: &Share<'_>,
) -> Result<Result<Interaction, Loss>, Unsupported> {
    let refuse = |rule: &'static str, message: &str| {
        Loss::score(found.place.clone(), rule, message, "make a widget with a validator of your own")
    };
    Ok(match &found.kind {
        Kind::Choices { options, most, shuffle } => {
            let universe = universe(found, variable);
            let most = if variable.cardinality == Cardinality::Single { Some(1) } else { *most };
            if variable.cardinality == Cardinality::Ordered || universe.len() != options.len() {
                return Ok(Err(refuse(
                    "response-type",
                    "the type of the response does not fit the interaction",
                )));
            }
            match fit_set(&universe, variable, candidates, best, most, share)? {
                Some((rule, weights)) => {
                    Ok(Interaction::Choice(choice(options, rule, weights, most, *shuffle)))
                }
                None => Err(refuse(
                    "joint-scoring",
                    "the options are scored together in a way that weights cannot express",
                )),
            }
        }
        Kind::Associations { items, .. } if items.len() * items.len() > MAX_PAIRS => {
            Err(refuse("too-many-options", "there are too many possible pairs"))
        }
        Kind::Associations { items, most } => {
            let universe = universe(found, variable);
            let options: Vec<Choosable> = items
                .iter()
                .enumerate()
                .flat_map(|(at, a)| items[at + 1..].iter().map(move |b| (a, b)))
                .map(|(a, b)| Choosable {
                    id: format!("{} {}", a.id, b.id),
                    content: format!("{} \u{2014} {}", a.content, b.content),
                })
                .collect();
            match fit_set(&universe, variable, candidates, best, *most, share)? {
                Some((rule, weights)) => {
                    Ok(Interaction::Choice(choice(&options, rule, weights, *most, false)))
                }
                None => Err(refuse(
                    "joint-scoring",
                    "the pairs are scored together in a way that weights cannot express",
                )),
            }
        }
        Kind::Pairs { left, right, left_most, right_most, reversed } => {
            let universe = universe(found, variable);
            match fit_set(&universe, variable, candidates, best, None, share)? {
                Some((rule, weights)) if matches!(rule, ChoiceRule::Sum | ChoiceRule::AllOrNothing) => {
                    let pairs = universe.iter().zip(weights).filter(|(_, weight)| !weight.is_zero());
                    let pairs = pairs.filter_map(|(atom, weight)| match atom {
                        Atom::Pair(_, a, b) if *reversed => Some((b.clone(), a.clone(), weight)),
                        Atom::Pair(_, a, b) => Some((a.clone(), b.clone(), weight)),
                        _ => None,
                    });
                    Ok(Interaction::Match(Match {
                        left: left.clone(),
                        right: right.clone(),
                        pairs: pairs.collect(),
                        rule: if rule == ChoiceRule::AllOrNothing {
                            MatchRule::AllOrNothing
                        } else {
                            MatchRule::Sum
                        },
                        many_to_one: *right_most != Some(1),
                        most_each: *left_most,
                    }))
                }
                _ => Err(refuse(
                    "joint-scoring",
                    "the pairs are scored together in a way that weights cannot express",
                )),
            }
        }
        Kind::Order { items, .. } if items.len() > MAX_ORDERED => {
            Err(refuse("too-many-options", "there are too many items to order"))
        }
        Kind::Order { items, .. } => match orders::fit(items, candidates, best, share)? {
            Some(order) => Ok(Interaction::Order(order)),
            None => match orders::places(items, candidates, best, share)? {
                Some(places) => Ok(Interaction::Match(places)),
                None => Err(refuse(
                    "order-scoring",
                    "partly right orders are scored in a way that has no counterpart",
                )),
            },
        },
        Kind::Entry if variable.cardinality != Cardinality::Single => {
            Err(refuse("response-type", "a typed response of several values has no counterpart"))
        }
        Kind::Entry if variable.base.is_number() => {
            let breaks = literals.breaks_for(variable, best);
            match numbers::fit(&breaks, variable.base == BaseType::Integer, share)? {
                Some(entry) => {
                    Ok(Interaction::Number(numbers::around(entry, best.as_number(), &literals.percents)))
                }
                None => Err(refuse("no-key", "no number that the rules mention earns anything")),
            }
        }
        Kind::Entry => match texts::fit(&literals.texts_for(variable, best), share)? {
            Some(entry) => Ok(Interaction::Text(entry)),
            None => Err(refuse("no-key", "no text that the rules mention earns anything")),
        },
        Kind::Scoreless | Kind::Unknown => {
            Err(refuse("interaction", "Fablegrade cannot grade an answer to this"))
        }
    })
}

fn choice(
    options: &[Choosable],
    rule: ChoiceRule,
    weights: Vec<Ratio>,
    most: Option<usize>,
    shuffle: bool,
) -> Choice {
    let options = options.iter().zip(weights).map(|(option, weight)| ChoiceOption {
        id: option.id.clone(),
        content: option.content.clone(),
        weight,
        feedback: None,
    });
    Choice { options: options.collect(), most, shuffle, rule }
}

/// Fits a scoring rule to the values of a set: all or nothing, contains, or a sum of weights; `None` if no rule fits.
fn fit_set(
    universe: &[Atom],
    variable: &ResponseVariable,
    candidates: &[Value],
    best: &Value,
    most: Option<usize>,
    share: &Share<'_>,
) -> Result<Option<(ChoiceRule, Vec<Ratio>)>, Unsupported> {
    let zero = Ratio::zero();
    let shares: Vec<Ratio> = candidates.iter().map(share).collect::<Result<_, _>>()?;
    let key = best.items();
    let inside = |set: &[Atom], one: &Atom| set.iter().any(|other| other.same(one));
    let weight_bound = Ratio::one();
    let holds = |weights: &[Ratio]| {
        weights.iter().all(|weight| *weight <= weight_bound && *weight >= Ratio::new(-1, 1))
            && candidates.iter().zip(&shares).all(|(candidate, share)| {
                let items = candidate.items();
                let sum = universe.iter().zip(weights).filter(|(one, _)| inside(&items, one));
                let sum = sum.fold(zero.clone(), |sum, (_, weight)| sum.plus(weight));
                sum.clamped() == share.clone().clamped()
            })
    };
    let single = most == Some(1);
    if !single && !key.is_empty() {
        let whole = candidates.iter().zip(&shares).all(|(candidate, share)| {
            let right = same_set(&candidate.items(), &key);
            if right { share.is_one() } else { *share <= zero }
        });
        if whole {
            let weights =
                universe.iter().map(|one| if inside(&key, one) { Ratio::one() } else { zero.clone() });
            return Ok(Some((ChoiceRule::AllOrNothing, weights.collect())));
        }
        // A minimal subset of the key that still earns full marks, found by removing one value after another.
        let mut least = key.clone();
        for one in &key {
            let fewer: Vec<Atom> = least.iter().filter(|other| !other.same(one)).cloned().collect();
            if !fewer.is_empty() && share(&set(variable, fewer.clone()))?.is_one() {
                least = fewer;
            }
        }
        let contained = candidates.iter().zip(&shares).all(|(candidate, share)| {
            let items = candidate.items();
            if least.iter().all(|one| inside(&items, one)) { share.is_one() } else { *share <= zero }
        });
        if contained {
            let weights =
                universe.iter().map(|one| if inside(&least, one) { Ratio::one() } else { zero.clone() });
            return Ok(Some((ChoiceRule::Contains, weights.collect())));
        }
    }
    let alone: Vec<Ratio> =
        universe.iter().map(|one| share(&set(variable, vec![one.clone()]))).collect::<Result<_, _>>()?;
    if holds(&alone) {
        return Ok(Some((ChoiceRule::Sum, alone)));
    }
    if single {
        return Ok(None);
    }
    // The change of the score when a value is added to the key or removed from it.
    let full = share(best)?;
    let mut changes = Vec::with_capacity(universe.len());
    for (one, alone) in universe.iter().zip(&alone) {
        let mut changed = key.clone();
        let without = changed.iter().position(|other| other.same(one));
        match without {
            Some(at) => {
                changed.remove(at);
            }
            None => changed.push(one.clone()),
        }
        let other = share(&set(variable, changed))?;
        let by_change = if without.is_some() { full.minus(&other) } else { other.minus(&full) };
        changes.push((alone.clone(), by_change, without.is_some()));
    }
    let mixed: Vec<Ratio> = changes
        .iter()
        .map(|(alone, change, _)| if *alone > zero { alone.clone() } else { change.clone() })
        .collect();
    let changed: Vec<Ratio> = changes.iter().map(|(_, change, _)| change.clone()).collect();
    let mut tries = vec![mixed, changed];
    if let Some(mapping) = &variable.mapping {
        let point = |atom: &Atom| {
            let entry = mapping.entries.iter().find(|(key, ..)| key.same(atom));
            entry.map_or_else(|| mapping.default.clone(), |(_, points, _)| points.clone())
        };
        let total = mapped(variable.cardinality, mapping, best);
        if let Some(scale) = full.over(&total) {
            tries.push(universe.iter().map(|one| point(one).times(&scale)).collect());
        }
    }
    // Each option earns a share if it is rightly selected or rightly not selected.
    let decisions = candidates.iter().zip(&shares).all(|(candidate, share)| {
        let items = candidate.items();
        let right = universe.iter().filter(|one| inside(&items, one) == inside(&key, one)).count();
        items.is_empty() || *share == Ratio::new(right as i64, universe.len().max(1) as u64)
    });
    if decisions && most.is_none_or(|most| most >= universe.len()) {
        let weights = universe.iter().map(|one| if inside(&key, one) { Ratio::one() } else { zero.clone() });
        return Ok(Some((ChoiceRule::EachDecision, weights.collect())));
    }
    Ok(tries.into_iter().find(|weights| holds(weights)).map(|weights| (ChoiceRule::Sum, weights)))
}
