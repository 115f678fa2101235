//! Comparison of sets that are combined from others, and of families with sets.

use super::compare::{numbers, relation_of};
use super::elements::{pairwise, position, same_elements};
use super::integers::over_integers;
use super::membership::{combination, unnamed_element};
use super::progressions::{Family, compare_with_list};
use super::set_models::is_reals;
use super::statement::{self, symbols};
use super::{BoundedOracle, Combination, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node};
use crate::syntax::{Delimiter, NumberSet, Relation};

/// Compares a family with a listed set; `None` if there is no such pair.
///
/// Also prepares the families: `\mathbb{Z}` next to a family becomes a family. The name of a family that was
/// read from a set is bound, so the family takes the name on the other side.
pub(super) fn family_and_set(
    arena: &mut Arena,
    [a, b]: [&Value; 2],
    families: &mut [Option<Family>; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let is_set =
        |value: &Value| matches!(value, Value::Builder(..) | Value::Numbers(_) | Value::Combined(..));
    if families.iter().all(Option::is_none) {
        return None;
    }
    for (at, value) in [a, b].into_iter().enumerate() {
        if matches!(value, Value::Numbers(NumberSet::Integers))
            && let Some(family) = &families[1 - at]
        {
            families[at] = Some(Family::of_integers(family.name()));
        }
    }
    for (at, (value, other)) in [(a, b), (b, a)].into_iter().enumerate() {
        if !is_set(value) {
            continue;
        }
        let name = match &families[1 - at] {
            Some(family) => Some(family.name()),
            None => {
                let mut names = Vec::new();
                if let Some(relation) = relation_of(other) {
                    symbols(arena, &relation, &mut names);
                }
                names.first().copied()
            }
        };
        if let (Some(family), Some(name)) = (&mut families[at], name) {
            family.set_name(name);
        }
    }
    for (at, other) in [b, a].into_iter().enumerate() {
        if let (Some(family), Value::Set(items)) = (&families[at], other) {
            return Some(
                compare_with_list(arena, family, items, at == 0, oracle).unwrap_or(Verdict::Unknown),
            );
        }
    }
    None
}

/// Compares two sets, at least one of which is combined, or a listed set and an interval: by the numbers in
/// them, by their elements, or as a Venn diagram.
pub(super) fn combined(arena: &mut Arena, a: &Value, b: &Value, oracle: &mut BoundedOracle<'_>) -> Verdict {
    let structure = match (a, b) {
        (Value::Combined(kind, a), Value::Combined(kind_b, b)) if kind == kind_b => match kind {
            Combination::Difference | Combination::Complement => pairwise(arena, a, b, oracle),
            Combination::Union | Combination::Intersection => same_elements(arena, a, b, oracle),
        },
        _ => Verdict::Different,
    };
    if structure == Verdict::Same {
        return structure;
    }
    match numbers(arena, a, b, oracle) {
        Some(verdict) => verdict,
        None => {
            // If elements are not constants, a union of listed sets lists them all.
            if let (Some(a), Some(b)) = (listed(arena, a, oracle), listed(arena, b, oracle)) {
                return same_elements(arena, &a, &b, oracle);
            }
            if let Some(verdict) = by_diagrams(arena, [a, b], oracle) {
                return verdict;
            }
            if let Some(verdict) = of_integers(arena, [a, b], oracle) {
                return verdict;
            }
            match (a, b) {
                // An interval that is not closed is empty or infinite.
                (Value::Set(items), Value::Sequence { open, close, .. })
                | (Value::Sequence { open, close, .. }, Value::Set(items))
                    if !items.is_empty() && [*open, *close] != [Delimiter::Bracket; 2] =>
                {
                    Verdict::Different
                }
                // With letters at the ends, or ends in the wrong order, the elements of an interval are not
                // known.
                _ => Verdict::Unknown,
            }
        }
    }
}

/// Compares two sets of numbers, at least one of which is restricted to integers: `[1,3]\cap\mathbb{Z}`.
fn of_integers(arena: &mut Arena, sets: [&Value; 2], oracle: &mut BoundedOracle<'_>) -> Option<Verdict> {
    let placeholder = unnamed_element(arena);
    let unnamed = arena.variable_of(placeholder);
    let element = arena.variable("x");
    let mut names = Vec::new();
    let [first, second] = sets.map(|set| {
        let within = Statement::Belongs {
            left: Box::new(Value::Scalar(unnamed)),
            relation: Relation::In,
            right: Box::new(set.clone()),
        };
        let mut within = statement::normal(arena, within, false, oracle);
        symbols(arena, &within, &mut names);
        statement::rename(arena, &mut within, placeholder, element);
        within
    });
    if names != [placeholder] {
        return None;
    }
    over_integers(arena, [&first, &second], oracle)
}

fn constant(arena: &Arena, value: &Value) -> bool {
    matches!(value, Value::Scalar(id) if arena.is_constant(*id))
}

/// The sets other than letters that occur in combinations of letters for sets.
#[derive(Default)]
struct Occurring {
    /// Sets of numbers other than the reals. One may contain another.
    numbers: bool,
    reals: bool,
    complement: bool,
}

/// Compares two combinations of letters for sets as Venn diagrams. A difference in a universe of real
/// numbers is certain. Without complements, the same verdict is certain only if the letters may also denote
/// sets of other elements.
fn by_diagrams(arena: &mut Arena, sides: [&Value; 2], oracle: &mut BoundedOracle<'_>) -> Option<Verdict> {
    let mut occurring = Occurring::default();
    let [first, second] = diagrams(arena, sides, true, &mut occurring)?;
    match statement::compare(arena, &first, &second, oracle) {
        Verdict::Different if occurring.numbers => Some(Verdict::Unknown),
        Verdict::Same if occurring.reals && !occurring.complement => {
            let [first, second] = diagrams(arena, sides, false, &mut occurring)?;
            match statement::compare(arena, &first, &second, oracle) {
                Verdict::Same => Some(Verdict::Same),
                _ => Some(Verdict::Unknown),
            }
        }
        verdict => Some(verdict),
    }
}

/// Converts two combinations of letters for sets of real numbers to statements about membership.
pub(super) fn as_diagrams(arena: &mut Arena, sides: [&Value; 2]) -> Option<[Statement; 2]> {
    diagrams(arena, sides, true, &mut Occurring::default())
}

fn diagrams(
    arena: &mut Arena,
    sides: [&Value; 2],
    reals_are_universe: bool,
    occurring: &mut Occurring,
) -> Option<[Statement; 2]> {
    let [first, second] = sides.map(|side| as_statement(arena, side, reals_are_universe, occurring));
    Some([first?, second?])
}

/// Converts a combination of letters for sets to a statement about membership, and notes which other sets
/// occur.
fn as_statement(
    arena: &mut Arena,
    value: &Value,
    reals_are_universe: bool,
    occurring: &mut Occurring,
) -> Option<Statement> {
    match value {
        Value::Scalar(id) => matches!(arena.node(*id), Node::Symbol(_)).then_some(Statement::Atom(*id)),
        Value::Numbers(set) => {
            occurring.numbers = true;
            Some(Statement::Atom(membership_atom(arena, *set)))
        }
        set if statement::is_empty(set) => Some(Statement::Constant(false)),
        set if is_reals(arena, set) => {
            occurring.reals = true;
            Some(if reals_are_universe {
                Statement::Constant(true)
            } else {
                Statement::Atom(membership_atom(arena, NumberSet::Reals))
            })
        }
        Value::Combined(kind, parts) => {
            occurring.complement |= *kind == Combination::Complement;
            let parts = parts.iter().map(|part| as_statement(arena, part, reals_are_universe, occurring));
            Some(combination(*kind, parts.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Returns membership in a set of numbers as a letter in a diagram of sets, with a name that no text can
/// contain.
fn membership_atom(arena: &mut Arena, set: NumberSet) -> Id {
    arena.variable(match set {
        NumberSet::Naturals => "in N",
        NumberSet::NaturalsAndZero => "in N with 0",
        NumberSet::PositiveIntegers => "in N without 0",
        NumberSet::Integers => "in Z",
        NumberSet::Rationals => "in Q",
        NumberSet::Reals => "in R",
        NumberSet::Complexes => "in C",
    })
}

/// Returns the elements of a set that can be listed.
fn listed(arena: &mut Arena, value: &Value, oracle: &mut BoundedOracle<'_>) -> Option<Vec<Value>> {
    match value {
        Value::Set(items) => Some(items.clone()),
        Value::Combined(Combination::Complement, _) => None,
        Value::Combined(kind, parts) => {
            let mut parts = parts.iter();
            let mut all = listed(arena, parts.next()?, oracle)?;
            for part in parts {
                let next = listed(arena, part, oracle)?;
                if *kind == Combination::Union {
                    all.extend(next);
                    continue;
                }
                let free = vec![true; next.len()];
                let mut kept = Vec::new();
                for item in all {
                    let certain = constant(arena, &item) && next.iter().all(|other| constant(arena, other));
                    match (position(arena, &item, &next, &free, oracle).0, kind) {
                        (Verdict::Unknown, _) => return None,
                        // Letters may denote the same number.
                        (Verdict::Different, _) if !certain => return None,
                        (Verdict::Same, Combination::Intersection)
                        | (Verdict::Different, Combination::Difference) => {
                            kept.push(item);
                        }
                        _ => {}
                    }
                }
                all = kept;
            }
            Some(all)
        }
        _ => None,
    }
}
