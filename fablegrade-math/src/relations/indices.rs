//! Relations with an index: `x\ne k\pi,k\in\mathbb{Z}`. Such a relation holds for all values of its index or for some,
//! so values of the index do not tell two relations apart.

use super::coordinate::{Coordinate, settled};
use super::progressions::{has_index_name, is_indexed_by, is_usual_index};
use super::statement::{self, mentions, rename, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Constant, Id, Node, Symbol};
use crate::subscripts::split;
use crate::syntax::{NumberSet, Relation};

/// A letter that takes all values in a set of integers.
#[derive(Clone, Copy)]
pub(super) struct Index {
    name: Symbol,
    /// `None` if the letter is an integer only by convention.
    declared: Option<NumberSet>,
}

/// Corrects a difference of two relations with indices: they may be the same under another name of the index, and
/// otherwise the verdict is unknown.
pub(super) fn with_indices(
    arena: &mut Arena,
    [first, second]: [&Statement; 2],
    verdict: Verdict,
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    if verdict != Verdict::Different {
        return verdict;
    }
    let kept = oracle.counterexample.take();
    if let Some(renamed) = with_subscript_of(arena, first, second) {
        let is_same = statement::compare(arena, first, &renamed, oracle) == Verdict::Same;
        oracle.counterexample = None;
        return if is_same { Verdict::Same } else { Verdict::Unknown };
    }
    let found = [first, second].map(|side| indices(arena, side, oracle));
    if found.iter().all(Vec::is_empty) {
        oracle.counterexample = kept;
        return verdict;
    }
    if let [[one], [other]] = [found[0].as_slice(), found[1].as_slice()]
        && one.name == other.name
        && one.declared == other.declared
        && one.declared.is_some_and(|set| set != NumberSet::Integers)
        && [first, second].into_iter().all(|side| is_sequence(arena, side, one.name, oracle))
    {
        oracle.counterexample = kept;
        return verdict;
    }
    if let [[one], [other]] = [found[0].as_slice(), found[1].as_slice()]
        && (one.declared.is_some() || other.declared.is_some())
        && !mentions(arena, first, other.name)
        && !mentions(arena, second, one.name)
    {
        let mut renamed = second.clone();
        let name = arena.variable_of(one.name);
        rename(arena, &mut renamed, other.name, name);
        if statement::compare(arena, first, &renamed, oracle) == Verdict::Same {
            return Verdict::Same;
        }
    }
    oracle.counterexample = None;
    Verdict::Unknown
}

/// Returns the indices of a relation. A relation whose names are all integers has none.
pub(super) fn indices(arena: &mut Arena, relation: &Statement, oracle: &mut BoundedOracle<'_>) -> Vec<Index> {
    let mut names = Vec::new();
    symbols(arena, relation, &mut names);
    let mut declared = Vec::new();
    integers(arena, relation, &mut declared);
    declared.retain(|(name, _)| names.contains(name));
    // `a_n=n\pi` is a sequence.
    let is_subscript = |index: &Symbol| names.iter().any(|name| is_indexed_by(arena, *name, *index));
    if !declared.is_empty() {
        let is_free = |name: &Symbol| declared.iter().all(|(other, _)| other != name);
        if !names.iter().any(is_free) {
            return Vec::new();
        }
        // Unknowns are integers too: `x>a,x\in\mathbb{Z}`.
        declared.retain(|(name, _)| {
            has_index_name(arena, *name) && !is_subscript(name) && !is_side(arena, relation, *name)
        });
        return declared.into_iter().map(|(name, set)| Index { name, declared: Some(set) }).collect();
    }
    if names.len() != 2 {
        return Vec::new();
    }
    let mut usual: Vec<Symbol> = names.iter().copied().filter(|name| !is_subscript(name)).collect();
    usual.retain(|name| is_usual_index(arena, *name, oracle));
    usual.retain(|name| counts_turns(arena, relation, *name, oracle));
    match usual.as_slice() {
        [name] => vec![Index { name: *name, declared: None }],
        _ => Vec::new(),
    }
}

/// Returns the second relation with the names of the first, if both are about the members of one sequence:
/// `x_k=2k\pi,k\in\mathbb{Z}` and `x_n=2n\pi,n\in\mathbb{Z}`.
fn with_subscript_of(arena: &mut Arena, first: &Statement, second: &Statement) -> Option<Statement> {
    let ((member, base, index), (other_member, other_base, other_index)) =
        (member(arena, first)?, member(arena, second)?);
    if base != other_base || mentions(arena, second, index) || mentions(arena, first, other_index) {
        return None;
    }
    let mut renamed = second.clone();
    for (old, new) in [(other_member, member), (other_index, index)] {
        let new = arena.variable_of(new);
        rename(arena, &mut renamed, old, new);
    }
    Some(renamed)
}

/// Returns the only name whose subscript is a letter that the relation declares as an integer, its base and the letter.
fn member(arena: &Arena, relation: &Statement) -> Option<(Symbol, String, Symbol)> {
    let mut names = Vec::new();
    symbols(arena, relation, &mut names);
    let mut declared = Vec::new();
    integers(arena, relation, &mut declared);
    let mut members = names.iter().filter_map(|name| {
        let (base, subscript) = split(arena.name(*name))?;
        let (index, _) = declared.iter().find(|(index, _)| arena.name(*index) == subscript)?;
        Some((*name, base, *index))
    });
    members.next().filter(|_| members.next().is_none())
}

/// Returns whether a letter alone is a side of a comparison.
fn is_side(arena: &Arena, statement: &Statement, letter: Symbol) -> bool {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(|part| is_side(arena, part, letter)),
        Statement::Not(inner) => is_side(arena, inner, letter),
        Statement::Compare { left, right, .. } => [*left, *right]
            .into_iter()
            .any(|side| matches!(arena.node(side), Node::Symbol(name) if name == letter)),
        _ => false,
    }
}

/// Returns whether a relation gives a value for each value of a letter, and does not repeat it. If values were
/// repeated as those of `x=(-1)^n` are, another formula could have the same ones.
fn is_sequence(
    arena: &mut Arena,
    statement: &Statement,
    letter: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    match statement {
        Statement::And(parts) => parts.iter().all(|part| is_sequence(arena, part, letter, oracle)),
        Statement::Compare { left, relation: Relation::Equal, right, .. } => {
            let difference = arena.sub(*left, *right);
            if !arena.free(difference).contains(letter) {
                return true;
            }
            let [start, later @ ..] = [1, 3, 5, 7, 13].map(|at| {
                let value = arena.integer(at);
                arena.substitute(difference, letter, value)
            });
            later.into_iter().all(|later| oracle.same(arena, start, later) == Verdict::Different)
        }
        Statement::Belongs { .. } => true,
        _ => false,
    }
}

/// Collects the letters that a relation declares as integers, with their sets.
fn integers(arena: &Arena, statement: &Statement, found: &mut Vec<(Symbol, NumberSet)>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().for_each(|part| integers(arena, part, found));
        }
        Statement::Belongs { left, relation: Relation::In, right } => {
            let Value::Numbers(
                set @ (NumberSet::Integers
                | NumberSet::Naturals
                | NumberSet::NaturalsAndZero
                | NumberSet::PositiveIntegers),
            ) = **right
            else {
                return;
            };
            let letters = match left.as_ref() {
                Value::List(items) => items.as_slice(),
                other => std::slice::from_ref(other),
            };
            for letter in letters {
                if let Value::Scalar(id) = letter
                    && let Node::Symbol(name) = arena.node(*id)
                    && found.iter().all(|(other, _)| *other != name)
                {
                    found.push((name, set));
                }
            }
        }
        _ => {}
    }
}

/// Returns whether a letter counts multiples of π in a comparison: two steps of the letter always move the
/// difference of the sides by the same multiple. Two steps leave `(-1)^n` as it is.
fn counts_turns(
    arena: &mut Arena,
    statement: &Statement,
    letter: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().any(|part| counts_turns(arena, part, letter, oracle))
        }
        Statement::Not(inner) => counts_turns(arena, inner, letter, oracle),
        Statement::Compare { left, right, .. } => {
            let difference = arena.sub(*left, *right);
            let has_pi = arena.any(difference, |node| matches!(node, Node::Constant(Constant::Pi)));
            if !has_pi || !arena.free(difference).contains(letter) {
                return false;
            }
            let [start, middle, end] = [0, 2, 4].map(|at| {
                let value = arena.integer(at);
                arena.substitute(difference, letter, value)
            });
            let steps: [Id; 2] = [arena.sub(middle, start), arena.sub(end, middle)];
            let others = arena.free(steps[0]);
            let step = others.iter().fold(steps[0], |step, name| arena.substitute(step, name, Arena::ONE));
            let pi = arena.constant(Constant::Pi);
            let turns = arena.div(step, pi);
            matches!(settled(arena, turns, oracle), Some(Coordinate::Rational(turns)) if !turns.is_zero())
                && oracle.same(arena, steps[0], steps[1]) == Verdict::Same
        }
        _ => false,
    }
}
