//! Relations with an index: `x\ne k\pi,k\in\mathbb{Z}`. Such a relation holds for all values of its index or for some,
//! so values of the index do not tell two relations apart.

use super::coordinate::{Coordinate, settled};
use super::progressions::{is_indexed_by, is_usual_index};
use super::statement::{self, mentions, rename, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Constant, Id, Node, Symbol};
use crate::syntax::{NumberSet, Relation};

/// A letter that takes all values in a set of integers.
#[derive(Clone, Copy)]
pub(super) struct Index {
    name: Symbol,
    /// `false` if the letter is an integer only by convention.
    is_declared: bool,
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
    let found = [first, second].map(|side| indices(arena, side, oracle));
    if found.iter().all(Vec::is_empty) {
        oracle.counterexample = kept;
        return verdict;
    }
    if let [[one], [other]] = [found[0].as_slice(), found[1].as_slice()]
        && (one.is_declared || other.is_declared)
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
    // `a_n=n\pi` is a sequence.
    let is_subscript = |index: &Symbol| names.iter().any(|name| is_indexed_by(arena, *name, *index));
    declared.retain(|name| names.contains(name) && !is_subscript(name));
    if !declared.is_empty() {
        let is_free = |name: &Symbol| !declared.contains(name);
        if !names.iter().any(is_free) {
            return Vec::new();
        }
        return declared.into_iter().map(|name| Index { name, is_declared: true }).collect();
    }
    if names.len() != 2 {
        return Vec::new();
    }
    let mut usual: Vec<Symbol> = names.iter().copied().filter(|name| !is_subscript(name)).collect();
    usual.retain(|name| is_usual_index(arena, *name, oracle));
    usual.retain(|name| counts_turns(arena, relation, *name, oracle));
    match usual.as_slice() {
        [name] => vec![Index { name: *name, is_declared: false }],
        _ => Vec::new(),
    }
}

/// Collects the letters that a relation declares as integers.
fn integers(arena: &Arena, statement: &Statement, found: &mut Vec<Symbol>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().for_each(|part| integers(arena, part, found));
        }
        Statement::Belongs { left, relation: Relation::In, right } => {
            let Value::Numbers(
                NumberSet::Integers
                | NumberSet::Naturals
                | NumberSet::NaturalsAndZero
                | NumberSet::PositiveIntegers,
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
                    && !found.contains(&name)
                {
                    found.push(name);
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
