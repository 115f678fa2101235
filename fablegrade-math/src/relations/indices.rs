//! Relations with an index: `x\ne k\pi,k\in\mathbb{Z}`. Such a relation holds for all values of its index or for some,
//! so values of the index do not tell two relations apart.

use super::coordinate::{Coordinate, settled};
use super::critical::critical;
use super::progressions::{has_index_name, is_indexed_by, is_usual_index};
use super::single_points::differences_of;
use super::solve::is_constant;
use super::statement::{self, mentions, rename, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Constant, Id, Node, Symbol, Symbols};
use crate::subscripts::split;
use crate::syntax::{NumberSet, Relation};
use std::cmp::Ordering;

/// A letter that takes all values in a set of integers.
#[derive(Clone, Copy)]
pub(super) struct Index {
    name: Symbol,
    /// `None` if the letter is an integer only by convention.
    declared: Option<NumberSet>,
    /// `true` if another letter would mean the same.
    is_running: bool,
}

impl Index {
    /// Returns whether the letter is declared as a natural number.
    fn is_natural(&self) -> bool {
        self.declared.is_some_and(|set| set != NumberSet::Integers)
    }
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
    // A declaration of the index of a sequence, as in `a_n=3n-1,n\in\mathbb{N}`, may be omitted.
    let has_member = [first, second].map(|side| member(arena, side).is_some());
    if has_member != [false; 2] && differ_only_by_declaration(arena, first, second, oracle) {
        oracle.counterexample = None;
        return Verdict::Unknown;
    }
    if found.iter().all(Vec::is_empty) {
        oracle.counterexample = kept;
        return verdict;
    }
    // A formula that does not declare the letter must contain it. Otherwise, the formula may be about a quantity.
    let natural = match [found[0].as_slice(), found[1].as_slice()] {
        [[one], [other]] if one.name == other.name && one.declared == other.declared => Some(one),
        [[one], []] if mentions(arena, second, one.name) => Some(one),
        [[], [other]] if mentions(arena, first, other.name) => Some(other),
        _ => None,
    };
    if let Some(natural) = natural
        && natural.is_natural()
        && [first, second].into_iter().all(|side| is_sequence(arena, side, natural.name, oracle))
    {
        let is_unknown = differ_only_by_declaration(arena, first, second, oracle);
        oracle.counterexample = if is_unknown { None } else { kept };
        return if is_unknown { Verdict::Unknown } else { verdict };
    }
    if let [[one], [other]] = [found[0].as_slice(), found[1].as_slice()]
        && (one.declared.is_some() || other.declared.is_some())
        && one.is_running
        && other.is_running
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

/// Returns whether exactly one of two relations declares integers, and they are the same without the declaration.
fn differ_only_by_declaration(
    arena: &mut Arena,
    first: &Statement,
    second: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    match (without_declarations(first), without_declarations(second)) {
        (Some(bare), None) => statement::compare(arena, &bare, second, oracle) == Verdict::Same,
        (None, Some(bare)) => statement::compare(arena, first, &bare, oracle) == Verdict::Same,
        _ => false,
    }
}

/// Returns the only part of a relation that does not declare a letter as an integer; `None` if there are no
/// declarations.
fn without_declarations(relation: &Statement) -> Option<Statement> {
    let Statement::And(parts) = relation else { return None };
    let is_declaration = |part: &&Statement| {
        matches!(part, Statement::Belongs { relation: Relation::In, right, .. }
            if matches!(**right, Value::Numbers(set) if is_of_integers(set)))
    };
    let mut others = parts.iter().filter(|part| !is_declaration(part));
    let only = others.next().filter(|_| parts.len() > 1 && others.next().is_none());
    only.cloned()
}

/// Returns whether a set contains only integers.
fn is_of_integers(set: NumberSet) -> bool {
    matches!(
        set,
        NumberSet::Integers | NumberSet::Naturals | NumberSet::NaturalsAndZero | NumberSet::PositiveIntegers
    )
}

/// Returns the indices of a relation. Of a relation whose names are all integers, any but the name that is given a value
/// may be one: `n=2k+1` for integers `n` and `k`.
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
            let Some(named) = named_by_only_equation(arena, relation) else { return Vec::new() };
            declared.retain(|(name, _)| *name != named);
            return declared
                .into_iter()
                .map(|(name, set)| Index { name, declared: Some(set), is_running: false })
                .collect();
        }
        let others: Vec<Symbol> = names.iter().copied().filter(is_free).collect();
        declared.retain(|(name, _)| !is_subscript(name));
        return declared
            .into_iter()
            .filter_map(|(name, set)| {
                let is_running = is_running(arena, relation, (name, set), &others)?;
                Some(Index { name, declared: Some(set), is_running })
            })
            .collect();
    }
    let mut usual: Vec<Symbol> = names.iter().copied().filter(|name| !is_subscript(name)).collect();
    usual.retain(|name| is_usual_index(arena, *name, oracle));
    usual.retain(|name| counts_turns(arena, relation, *name, oracle));
    // Beside other names, a letter may be a length: `A=\pi lr`.
    if names.len() != 2 {
        usual.retain(|name| is_added(arena, relation, *name, oracle));
    }
    match usual.as_slice() {
        [name] => vec![Index { name: *name, declared: None, is_running: true }],
        _ => Vec::new(),
    }
}

/// Returns whether a step of a name adds a constant to a side of each comparison that has the name: `k` in
/// `x=\alpha+2k\pi`. Two steps are taken, because of signs such as `(-1)^k`.
fn is_added(arena: &mut Arena, relation: &Statement, name: Symbol, oracle: &mut BoundedOracle<'_>) -> bool {
    let mut differences = Vec::new();
    differences_of(arena, relation, &mut differences);
    differences.retain(|difference| arena.free(*difference).contains(name));
    let (here, two) = (arena.variable_of(name), arena.integer(2));
    let next = arena.add(here, two);
    !differences.is_empty()
        && differences.into_iter().all(|difference| {
            let there = arena.substitute(difference, name, next);
            let step = arena.sub(there, difference);
            is_constant(arena, step, oracle)
        })
}

/// Returns the name to which the only equation of a conjunction gives a value: `n` in `n=2k+1,n\in\mathbb{Z}`.
fn named_by_only_equation(arena: &Arena, relation: &Statement) -> Option<Symbol> {
    let parts = match relation {
        Statement::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut equations = parts.iter().filter_map(|part| match part {
        Statement::Compare { left, relation: Relation::Equal, right, .. } => Some((*left, *right)),
        _ => None,
    });
    let ((left, right), None) = (equations.next()?, equations.next()) else { return None };
    match arena.node(left) {
        Node::Symbol(name) if !arena.free(right).contains(name) => Some(name),
        _ => None,
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

/// Returns whether a letter that a relation declares certainly runs through its set, so that its name does not matter;
/// `None` if it is an unknown instead.
///
/// Unknowns may be integers: `x` in `x>a,x\in\mathbb{Z}`. If a letter alone is a side, the other letters decide. It
/// runs beside a usual unknown, as in `x\ne k`; beside parameters only, as in `n>a`, it is an unknown. A letter that is
/// not usual for an index may be a quantity. With `\mathbb{Z}`, the letters `i` and `p` to `t` may be quantities only
/// beside letters that are not unknowns.
fn is_running(
    arena: &Arena,
    relation: &Statement,
    (letter, set): (Symbol, NumberSet),
    others: &[Symbol],
) -> Option<bool> {
    let is_unknown = |name: Symbol| {
        let name = split(arena.name(name)).map_or_else(|| arena.name(name).to_owned(), |(base, _)| base);
        matches!(name.as_str(), "x" | "y" | "z" | "alpha" | "beta" | "gamma" | "theta" | "phi")
    };
    let has_index_name = has_index_name(arena, letter);
    let is_side = is_side(arena, relation, letter);
    let has_unknown = others.iter().any(|name| is_unknown(*name));
    let is_small = |name: &Symbol| arena.name(*name).starts_with(|c: char| c.is_ascii_lowercase());
    let is_named_unknown = is_unknown(letter) && (is_side || !has_index_name);
    if is_named_unknown || is_side && !has_unknown && others.iter().all(is_small) {
        return None;
    }
    let is_index = has_index_name && (has_unknown || !is_side);
    // Beside letters that are not unknowns, these letters are quantities: `x=vt`.
    let is_parameter = set == NumberSet::Integers
        && matches!(arena.name(letter), "i" | "p" | "q" | "r" | "s" | "t")
        && others.iter().all(|name| is_unknown(*name));
    Some(is_index || is_parameter)
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

/// Returns whether a relation only defines a sequence in the letter. It gives the values of a function of the letter,
/// or it gives a name a formula that increases or decreases with the letter. Two such formulas have the same values
/// only if they are the same.
fn is_sequence(
    arena: &mut Arena,
    statement: &Statement,
    letter: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let parts = if let Statement::And(parts) = statement {
        parts.as_slice()
    } else {
        std::slice::from_ref(statement)
    };
    let is_letter = |arena: &Arena, id: Id| matches!(arena.node(id), Node::Symbol(name) if name == letter);
    let is_value = |arena: &Arena, name: Id, value: Id| matches!(arena.node(name), Node::Symbol(name) if name != letter && !arena.free(value).contains(name));
    let mut formula = None;
    for part in parts {
        match part {
            // The letter is the argument of a function: `f(n)=2n` and `P(X=n)=2^{-n}`.
            &Statement::Compare { left, relation: Relation::Equal, named: true, .. }
                if parts.len() <= 2 && is_argument(arena, left, letter) =>
            {
                return true;
            }
            &Statement::Compare { left, relation: Relation::Equal, right, .. } if formula.is_none() => {
                if is_value(arena, left, right) {
                    formula = Some(right);
                } else if is_value(arena, right, left) {
                    formula = Some(left);
                } else {
                    return false;
                }
            }
            Statement::Belongs { left, relation: Relation::In, .. } => match left.as_ref() {
                Value::Scalar(id) if is_letter(arena, *id) => {}
                _ => return false,
            },
            _ => return false,
        }
    }
    formula.is_some_and(|formula| is_monotone(arena, formula, letter, oracle) == Some(true))
}

/// Returns whether a side that is a name has a letter as its argument.
fn is_argument(arena: &Arena, side: Id, letter: Symbol) -> bool {
    match arena.node(side) {
        Node::Symbol(name) => arena.name(name).split_once('(').is_some_and(|(_, arguments)| {
            arguments.split(|c: char| !c.is_alphabetic()).any(|run| run == arena.name(letter))
        }),
        _ => arena.free(side).contains(letter),
    }
}

/// Returns whether a formula increases or decreases from 0 on: it is linear, or a polynomial whose coefficients, apart
/// from the constant one, have the same sign. Other letters have fixed values.
fn is_monotone(
    arena: &mut Arena,
    formula: Id,
    letter: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    let mut formula = formula;
    for (at, other) in (2..).zip(arena.free(formula).without(Symbols::one(letter)).iter()) {
        let value = arena.integer(at);
        formula = arena.substitute(formula, other, value);
    }
    let [start, next] = [Arena::ZERO, Arena::ONE].map(|at| arena.substitute(formula, letter, at));
    let step = arena.sub(next, start);
    let index = arena.variable_of(letter);
    let along = arena.mul(index, step);
    let line = arena.add(start, along);
    if oracle.same(arena, formula, line) == Verdict::Same {
        return Some(matches!(oracle.sign(arena, step), Some(Ordering::Less | Ordering::Greater)));
    }
    let plain = critical(arena, formula, &[letter])?.plain?;
    let signs =
        plain.numerator.terms().filter(|(power, _)| !power.is_empty()).map(|(_, factor)| factor.sign());
    let mut signs = signs.peekable();
    let first = *signs.peek()?;
    Some(
        plain.poles.is_empty()
            && plain.denominator.as_constant().is_some()
            && signs.all(|sign| sign == first),
    )
}

/// Collects the letters that a relation declares as integers, with their sets.
fn integers(arena: &Arena, statement: &Statement, found: &mut Vec<(Symbol, NumberSet)>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().for_each(|part| integers(arena, part, found));
        }
        Statement::Belongs { left, relation: Relation::In, right } => {
            let Value::Numbers(set) = **right else { return };
            if !is_of_integers(set) {
                return;
            }
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
