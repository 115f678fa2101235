//! Candidate responses: running response processing on them distinguishes scoring rules.

use fablegrade_public::Ratio;

use super::body::{Found, Kind};
use super::evaluate::Machine;
use super::literals::Literals;
use super::model::{Model, ResponseVariable};
use super::numbers;
use super::orders::orders;
use super::texts;
use super::value::{Atom, BaseType, Cardinality, Value};
use crate::item::Choosable;

/// Half of the maximum number of candidate sets of options or pairs.
const MAX_SETS: usize = 160;

/// The maximum number of values of the key of a set; each candidate set is compared with every other. For an order, it
/// is [`super::orders::MAX_ORDERED`].
pub(super) const MAX_KEY: usize = 100;

/// Returns interactions for the declared responses of an item without interactions, based on their types.
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
            (Cardinality::Ordered, BaseType::Identifier) => {
                let items = literals.texts_for(variable, machine.correct(&variable.id));
                let items = items.into_iter().map(|id| Choosable { content: id.clone(), id });
                Kind::Order { items: items.collect(), whole: false }
            }
            (Cardinality::Single | Cardinality::Multiple, BaseType::DirectedPair | BaseType::Pair) => {
                // The side of each item is unknown, so all items are on both sides.
                let items = paired(variable, machine.correct(&variable.id));
                if variable.base == BaseType::Pair {
                    Kind::Associations { items, most: None }
                } else {
                    let right = items.clone();
                    Kind::Pairs { left: items, right, left_most: None, right_most: None, reversed: false }
                }
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

/// Returns the identifiers in the pairs of a key and a mapping.
fn paired(variable: &ResponseVariable, correct: &Value) -> Vec<Choosable> {
    let mut found: Vec<Choosable> = Vec::new();
    let keys =
        variable.mapping.iter().flat_map(|mapping| mapping.entries.iter().map(|(key, ..)| key.clone()));
    for atom in correct.items().into_iter().chain(keys) {
        if let Atom::Pair(_, a, b) = atom {
            for id in [a, b] {
                let one = Choosable { content: id.clone(), id };
                if !found.contains(&one) {
                    found.push(one);
                }
            }
        }
    }
    found
}

/// The maximum product of the numbers of left and right items; associations have all items on both sides.
pub(super) const MAX_PAIRS: usize = 2_000;

/// Returns the values from which a response to an interaction selects: options, or possible pairs. There are none for
/// other interactions, or if there are too many items for [`MAX_PAIRS`].
pub(super) fn universe(found: &Found, variable: &ResponseVariable) -> Vec<Atom> {
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

pub(super) fn set(variable: &ResponseVariable, items: Vec<Atom>) -> Value {
    match variable.cardinality {
        _ if items.is_empty() => Value::Null,
        Cardinality::Single => items.into_iter().next().map_or(Value::Null, Value::One),
        cardinality => Value::Many(cardinality == Cardinality::Ordered, items),
    }
}

pub(super) struct Draw(u64);

impl Draw {
    /// Creates a pseudorandom generator with a seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(3))
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count.max(1)
    }
}

/// Returns candidate sets, first the empty one. If there are at most 6 values, these are all sets; otherwise they are
/// a sample around the key. Sets that `most` or `allowed` forbids are omitted.
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
    let mut draw = Draw::new(7);
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

pub(super) fn same_set(a: &[Atom], b: &[Atom]) -> bool {
    a.len() == b.len() && a.iter().all(|one| b.iter().any(|other| other.same(one)))
}

/// Returns whether a set of pairs respects the maximum numbers of partners.
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

/// Returns responses that distinguish scoring rules. The first is null.
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
            let key: Vec<String> = identifiers(correct);
            let orders = orders(items, &key, *whole);
            out.extend(
                orders
                    .into_iter()
                    .map(|order| Value::Many(true, order.into_iter().map(Atom::Text).collect())),
            );
        }
        Kind::Entry if variable.cardinality == Cardinality::Record => {
            let fields =
                [("stringValue", Atom::Text("1".into())), ("floatValue", Atom::Number(Ratio::one()))];
            out.push(Value::Record(fields.map(|(name, atom)| (name.to_owned(), atom)).into()));
        }
        Kind::Entry if variable.cardinality != Cardinality::Single => {
            let ordered = variable.cardinality == Cardinality::Ordered;
            let mut texts = literals.texts_for(variable, correct);
            texts.push(texts::UNEXPECTED.to_owned());
            let atoms: Vec<Atom> = texts.iter().filter_map(|text| Atom::read(text, variable.base)).collect();
            out.extend(atoms.iter().map(|one| Value::Many(ordered, vec![one.clone()])));
            if !atoms.is_empty() {
                out.push(Value::Many(ordered, atoms));
            }
        }
        Kind::Entry if variable.base.is_number() => {
            let breaks = literals.breaks_for(variable, correct);
            let looked = numbers::candidates(&breaks, variable.base == BaseType::Integer);
            out.extend(looked.into_iter().map(Value::number));
        }
        Kind::Entry => {
            let all = literals.texts_for(variable, correct);
            for form in all.iter().flat_map(|text| texts::forms(text)).chain(texts::joined(&all)) {
                let value = Value::One(Atom::Text(form));
                if !out.contains(&value) {
                    out.push(value);
                }
            }
            out.push(Value::One(Atom::Text(texts::UNEXPECTED.into())));
        }
        Kind::Scoreless | Kind::Unknown => {}
    }
    out
}

pub(super) fn identifiers(value: &Value) -> Vec<String> {
    value
        .items()
        .into_iter()
        .filter_map(|atom| match atom {
            Atom::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}
