//! From the scores of candidate responses to an interaction of ours that earns the same.

use std::collections::BTreeSet;

use fablegrade_public::Ratio;

use super::body::{Found, Kind};
use super::evaluate::{Machine, Unsupported, mapped};
use super::model::{Model, ResponseVariable};
use super::numbers;
use super::scoring::walk;
use super::value::{Atom, BaseType, Cardinality, Value, floor, number};
use crate::item::{
    Blanks, Choice, ChoiceOption, ChoiceRule, Choosable, Interaction, Match, MatchRule, Order, OrderCredit,
    TextAnswer, TextEntry, TextForm,
};
use crate::loss::Loss;

/// What the rules and mappings of an item mention.
pub(super) struct Literals {
    texts: Vec<String>,
    numbers: BTreeSet<Ratio>,
    tolerances: BTreeSet<Ratio>,
    /// Those of them that are percents.
    percents: BTreeSet<Ratio>,
    places: BTreeSet<i64>,
}

/// The most literals that are looked at.
const MAX_LITERALS: usize = 60;

/// The most sets of a choice that are looked at.
const MAX_SETS: usize = 160;

impl Literals {
    pub(super) fn of(model: &Model) -> Self {
        let mut literals = Self {
            texts: Vec::new(),
            numbers: BTreeSet::new(),
            tolerances: BTreeSet::new(),
            percents: BTreeSet::new(),
            places: BTreeSet::new(),
        };
        walk(model.rules.as_deref().unwrap_or(&[]), &mut |expression| {
            if expression.name == "baseValue" {
                let base = BaseType::from_name(expression.attribute("baseType").unwrap_or("string"));
                if base.is_number() {
                    literals.numbers.extend(number(&expression.text));
                } else if base == BaseType::Text {
                    literals.text(&expression.text);
                } else if base == BaseType::Identifier {
                    literals.text(expression.text.trim());
                }
            }
            if let Some(text) = expression.attribute("tolerance") {
                let amounts = text.split_ascii_whitespace().filter_map(number);
                if expression.attribute("toleranceMode") == Some("relative") {
                    literals.percents.extend(amounts.clone());
                }
                literals.tolerances.extend(amounts);
            }
            if let Some(places) = expression.attribute("figures").and_then(number) {
                literals.places.extend(floor(&places));
            }
            if matches!(expression.name.as_str(), "round" | "truncate") {
                literals.places.insert(0);
            }
        });
        for variable in model.templates.iter().chain(&model.outcomes) {
            for atom in variable.default.items() {
                match atom {
                    Atom::Number(ratio) => {
                        literals.numbers.insert(ratio);
                    }
                    Atom::Text(text) if variable.base == BaseType::Text => literals.text(&text),
                    _ => {}
                }
            }
        }
        literals
    }

    fn text(&mut self, text: &str) {
        if self.texts.len() < MAX_LITERALS
            && !self.texts.iter().any(|known| known == text)
            && !text.is_empty()
        {
            self.texts.push(text.to_owned());
        }
    }

    fn texts_for(&self, variable: &ResponseVariable, correct: &Value) -> Vec<String> {
        let mut own = Self {
            texts: Vec::new(),
            numbers: BTreeSet::new(),
            tolerances: BTreeSet::new(),
            percents: BTreeSet::new(),
            places: BTreeSet::new(),
        };
        let keys =
            variable.mapping.iter().flat_map(|mapping| mapping.entries.iter().map(|(key, ..)| key.clone()));
        for atom in correct.items().into_iter().chain(keys) {
            if let Atom::Text(text) = atom {
                own.text(&text);
            }
        }
        self.texts.iter().for_each(|text| own.text(text));
        own.texts
    }

    fn breaks_for(&self, variable: &ResponseVariable, correct: &Value) -> BTreeSet<Ratio> {
        let mut own: BTreeSet<Ratio> = BTreeSet::new();
        let keys =
            variable.mapping.iter().flat_map(|mapping| mapping.entries.iter().map(|(key, ..)| key.clone()));
        for atom in correct.items().into_iter().chain(keys) {
            if let Atom::Number(ratio) = atom {
                own.insert(ratio);
            }
        }
        own.extend(self.numbers.iter().take(MAX_LITERALS).cloned());
        numbers::breaks(&own, &self.tolerances, &self.places)
    }
}

/// Interactions for responses that nothing in the body asks for, by their types.
pub(super) fn assumed(model: &Model, machine: &Machine<'_>) -> Vec<Found> {
    let literals = Literals::of(model);
    let mut all = Vec::new();
    for variable in &model.responses {
        let kind = match (variable.cardinality, variable.base) {
            (Cardinality::Single, BaseType::Boolean) => {
                let options = ["true", "false"].map(|id| Choosable { id: id.into(), content: id.into() });
                Kind::Choices { options: options.into(), most: Some(1), shuffle: false }
            }
            (
                Cardinality::Single,
                BaseType::Identifier | BaseType::Text | BaseType::Integer | BaseType::Float,
            ) => Kind::Entry,
            (Cardinality::Multiple, BaseType::Identifier) => {
                let options = literals.texts_for(variable, machine.correct(&variable.id));
                let options = options.into_iter().map(|id| Choosable { content: id.clone(), id });
                Kind::Choices { options: options.collect(), most: None, shuffle: false }
            }
            _ => continue,
        };
        all.push(Found {
            response: variable.id.clone(),
            element: "responseDeclaration".into(),
            kind,
            prompt: variable.id.clone(),
            place: variable.place.clone(),
        });
    }
    all
}

/// A text that nobody expects.
const UNEXPECTED: &str = "zqx unexpected";

fn swapped(text: &str) -> String {
    text.chars()
        .flat_map(|c| -> Vec<char> {
            if c.is_lowercase() { c.to_uppercase().collect() } else { c.to_lowercase().collect() }
        })
        .collect()
}

/// The most pairs that an interaction can make.
const MAX_PAIRS: usize = 2_000;

/// The values that an interaction can select from; pairs for those that make pairs.
fn universe(found: &Found, variable: &ResponseVariable) -> Vec<Atom> {
    match &found.kind {
        Kind::Choices { options, .. } => {
            options.iter().filter_map(|one| Atom::read(&one.id, variable.base)).collect()
        }
        Kind::Associations { items, .. } if items.len() * items.len() > MAX_PAIRS => Vec::new(),
        Kind::Pairs { left, right, .. } if left.len().saturating_mul(right.len()) > MAX_PAIRS => Vec::new(),
        Kind::Associations { items, .. } => {
            let pairs =
                items.iter().enumerate().flat_map(|(at, a)| items[at + 1..].iter().map(move |b| (a, b)));
            pairs.map(|(a, b)| Atom::Pair(false, a.id.clone(), b.id.clone())).collect()
        }
        Kind::Pairs { left, right, reversed, .. } => left
            .iter()
            .flat_map(|l| right.iter().map(move |r| (l, r)))
            .map(|(l, r)| {
                let (a, b) = if *reversed { (r, l) } else { (l, r) };
                Atom::Pair(variable.base == BaseType::DirectedPair, a.id.clone(), b.id.clone())
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn set(variable: &ResponseVariable, items: Vec<Atom>) -> Value {
    match variable.cardinality {
        _ if items.is_empty() => Value::Null,
        Cardinality::Single => items.into_iter().next().map_or(Value::Null, Value::One),
        cardinality => Value::Many(cardinality == Cardinality::Ordered, items),
    }
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count.max(1)
    }
}

/// Sets of values: all of them where they are few.
fn sets(
    universe: &[Atom],
    most: Option<usize>,
    key: &[Atom],
    allowed: &dyn Fn(&[Atom]) -> bool,
) -> Vec<Vec<Atom>> {
    let fits = |set: &[Atom]| most.is_none_or(|most| set.len() <= most) && allowed(set);
    let mut out: Vec<Vec<Atom>> = vec![Vec::new()];
    let mut add = |set: Vec<Atom>| {
        if fits(&set) && out.len() < MAX_SETS * 2 && !out.iter().any(|other| same_set(other, &set)) {
            out.push(set);
        }
    };
    if universe.len() <= 6 {
        for bits in 1u32..1 << universe.len() {
            add(universe
                .iter()
                .enumerate()
                .filter(|(at, _)| bits & (1 << at) != 0)
                .map(|(_, one)| one.clone())
                .collect());
        }
        return out;
    }
    add(key.to_vec());
    for one in universe.iter().take(100) {
        add(vec![one.clone()]);
        let mut changed: Vec<Atom> = key.to_vec();
        match changed.iter().position(|other| other.same(one)) {
            Some(at) => {
                changed.remove(at);
            }
            None => changed.push(one.clone()),
        }
        add(changed);
    }
    let mut draw = Draw(7);
    for _ in 0..60 {
        let mut some: Vec<Atom> = Vec::new();
        let wanted = 1 + draw.below(most.unwrap_or(universe.len()).min(universe.len()).min(8));
        for _ in 0..wanted {
            let pick = draw.below(universe.len());
            let one = if draw.below(2) == 0 && !key.is_empty() {
                key[pick % key.len()].clone()
            } else {
                universe[pick].clone()
            };
            let mut more = some.clone();
            if !more.iter().any(|other| other.same(&one)) {
                more.push(one);
            }
            if fits(&more) {
                some = more;
            }
        }
        add(some);
    }
    out
}

fn same_set(a: &[Atom], b: &[Atom]) -> bool {
    a.len() == b.len() && a.iter().all(|one| b.iter().any(|other| other.same(one)))
}

/// Whether pairs keep the bounds on partners.
fn pairs_allowed(set: &[Atom], left_most: Option<usize>, right_most: Option<usize>, reversed: bool) -> bool {
    let count = |side: usize, most: Option<usize>| {
        let name = |atom: &Atom| match atom {
            Atom::Pair(_, a, b) => Some(if (side == 0) == reversed { b.clone() } else { a.clone() }),
            _ => None,
        };
        most.is_none_or(|most| {
            set.iter().all(|one| set.iter().filter(|other| name(other) == name(one)).count() <= most)
        })
    };
    count(0, left_most) && count(1, right_most)
}

fn orders(items: &[Choosable], key: &[String], whole: bool) -> Vec<Vec<String>> {
    let ids: Vec<String> = items.iter().map(|one| one.id.clone()).collect();
    let mut out: Vec<Vec<String>> = Vec::new();
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
    let mut draw = Draw(11);
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

/// Responses that tell interactions apart. The first is none at all.
pub(super) fn candidates(
    found: &Found,
    variable: &ResponseVariable,
    correct: &Value,
    literals: &Literals,
) -> Vec<Value> {
    let mut out = vec![Value::Null];
    match &found.kind {
        Kind::Choices { most, .. } | Kind::Associations { most, .. } => {
            let universe = universe(found, variable);
            let most = if variable.cardinality == Cardinality::Single { Some(1) } else { *most };
            out.extend(
                sets(&universe, most, &correct.items(), &|_| true)
                    .into_iter()
                    .skip(1)
                    .map(|one| set(variable, one)),
            );
        }
        Kind::Pairs { left_most, right_most, reversed, .. } => {
            let universe = universe(found, variable);
            let most = if variable.cardinality == Cardinality::Single { Some(1) } else { None };
            let allowed = |set: &[Atom]| pairs_allowed(set, *left_most, *right_most, *reversed);
            out.extend(
                sets(&universe, most, &correct.items(), &allowed)
                    .into_iter()
                    .skip(1)
                    .map(|one| set(variable, one)),
            );
        }
        Kind::Order { items, whole } => {
            let key: Vec<String> = texts(correct);
            let orders = orders(items, &key, *whole);
            out.extend(
                orders
                    .into_iter()
                    .map(|order| Value::Many(true, order.into_iter().map(Atom::Text).collect())),
            );
        }
        Kind::Entry if variable.cardinality != Cardinality::Single => {}
        Kind::Entry if variable.base.is_number() => {
            let breaks = literals.breaks_for(variable, correct);
            let looked = numbers::candidates(&breaks, variable.base == BaseType::Integer);
            out.extend(looked.into_iter().map(Value::number));
        }
        Kind::Entry => {
            for text in literals.texts_for(variable, correct) {
                for form in [text.clone(), swapped(&text), format!(" {text} "), format!("zqx{text}xqz")] {
                    let value = Value::One(Atom::Text(form));
                    if !out.contains(&value) {
                        out.push(value);
                    }
                }
            }
            out.push(Value::One(Atom::Text(UNEXPECTED.into())));
        }
        Kind::Scoreless | Kind::Unknown => {}
    }
    out
}

fn texts(value: &Value) -> Vec<String> {
    value
        .items()
        .into_iter()
        .filter_map(|atom| match atom {
            Atom::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}

type Share<'s> = dyn Fn(&Value) -> Result<Ratio, Unsupported> + 's;

/// Finds an interaction that earns what `share` says, 1 being full marks; a loss if there is none.
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
                Some((rule, weights)) => {
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
                None => Err(refuse(
                    "joint-scoring",
                    "the pairs are scored together in a way that weights cannot express",
                )),
            }
        }
        Kind::Order { items, .. } => match fit_order(items, candidates, best, share)? {
            Some(order) => Ok(Interaction::Order(order)),
            None => Err(refuse(
                "order-scoring",
                "partly right orders are scored in a way that has no counterpart",
            )),
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
        Kind::Entry => match fit_text(&literals.texts_for(variable, best), share)? {
            Some(entry) => Ok(Interaction::Text(entry)),
            None => Err(refuse("no-key", "no text that the rules mention earns anything")),
        },
        Kind::Scoreless | Kind::Unknown => Err(refuse("interaction", "this cannot be answered here")),
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

/// Weights of the values of a set, or all or nothing.
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
    }
    let alone: Vec<Ratio> =
        universe.iter().map(|one| share(&set(variable, vec![one.clone()]))).collect::<Result<_, _>>()?;
    if holds(&alone) {
        return Ok(Some((ChoiceRule::Sum, alone)));
    }
    if single {
        return Ok(None);
    }
    // What taking one in or out changes, beside the others of the key.
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
        let total = mapped(variable, mapping, best);
        if let Some(scale) = full.over(&total) {
            tries.push(universe.iter().map(|one| point(one).times(&scale)).collect());
        }
    }
    Ok(tries.into_iter().find(|weights| holds(weights)).map(|weights| (ChoiceRule::Sum, weights)))
}

fn fit_order(
    items: &[Choosable],
    candidates: &[Value],
    best: &Value,
    share: &Share<'_>,
) -> Result<Option<Order>, Unsupported> {
    let key = texts(best);
    let shares: Vec<Ratio> = candidates.iter().map(share).collect::<Result<_, _>>()?;
    let zero = Ratio::zero();
    let holds = |credit: &dyn Fn(&[String]) -> Ratio| {
        candidates.iter().zip(&shares).all(|(candidate, share)| {
            let order = texts(candidate);
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
    // Several right orders: what they all have in common.
    let winners: Vec<Vec<String>> = candidates
        .iter()
        .zip(&shares)
        .filter(|(_, share)| share.is_one())
        .map(|(one, _)| texts(one))
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

fn fit_text(literals: &[String], share: &Share<'_>) -> Result<Option<TextEntry>, Unsupported> {
    let earns = |text: &str| share(&Value::One(Atom::Text(text.to_owned()))).map(Ratio::clamped);
    let other = earns(UNEXPECTED)?;
    let mut forms = Vec::new();
    let (mut any_sensitive, mut any_blind, mut blanks_free) = (false, false, true);
    for text in literals {
        let weight = earns(text)?;
        if weight == other {
            continue;
        }
        let turned = swapped(text);
        let blind = turned != *text && earns(&turned)? == weight;
        let inside = earns(&format!("zqx{text}xqz"))? == weight;
        if turned != *text {
            any_blind |= blind;
            any_sensitive |= !blind;
        }
        blanks_free &= inside || earns(&format!(" {text} "))? == weight;
        forms.push((text.clone(), weight, blind, inside));
    }
    if forms.is_empty() || forms.iter().all(|(_, weight, ..)| weight.is_zero()) && other.is_zero() {
        return Ok(None);
    }
    let mixed = any_blind && any_sensitive;
    let mut answers: Vec<TextAnswer> = forms
        .into_iter()
        .map(|(text, weight, blind, inside)| {
            let form = if inside {
                TextForm::Wildcard(format!("*{}*", text.replace('*', "\\*")))
            } else if mixed && blind {
                TextForm::Pattern(format!("(?i){}", escape_pattern(&text)))
            } else {
                TextForm::Text(text)
            };
            TextAnswer { form, weight, feedback: None }
        })
        .collect();
    // Exact texts decide before those that stand inside others.
    answers.sort_by_key(|answer| matches!(answer.form, TextForm::Wildcard(_)));
    if !other.is_zero() {
        answers.push(TextAnswer { form: TextForm::Wildcard("*".into()), weight: other, feedback: None });
    }
    let blanks = if blanks_free { Blanks::Trim } else { Blanks::Keep };
    Ok(Some(TextEntry { answers, ignore_case: any_blind && !any_sensitive, blanks }))
}

fn escape_pattern(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if r"\.+*?()|[]{}^$#&-~ ".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
