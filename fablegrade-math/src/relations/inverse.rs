//! Equations that give one name as an exponential or a logarithm of another, solved for the other: `y=\ln x` is
//! `x=e^y`.
//!
//! Each step is an equivalence: a side without a value never holds, and the logarithm of a number that is not
//! positive has no value.

use super::statement::compare_to;
use super::{BoundedOracle, Statement};
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::syntax::Relation;
use std::cmp::Ordering;

/// The most steps of an inversion.
const MOST: usize = 16;

/// Returns two equations that each give the same one of two names, at least one of which was solved for it.
pub(super) fn inverted(
    arena: &mut Arena,
    statements: [&Statement; 2],
    names: [Symbol; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<[Statement; 2]> {
    for (target, other) in [(names[0], names[1]), (names[1], names[0])] {
        let [first, second] = statements.map(|statement| value_of(arena, statement, target).is_some());
        // Equations that both give the name are compared as they are.
        if first == second {
            continue;
        }
        let mut solve = |statement: &Statement, is_solved: bool| {
            if is_solved {
                value_of(arena, statement, target)
            } else {
                let value = value_of(arena, statement, other)?;
                solved_for(arena, value, target, other, oracle)
            }
        };
        let values = [solve(statements[0], first), solve(statements[1], second)];
        if let [Some(first), Some(second)] = values {
            let name = arena.variable_of(target);
            return Some([first, second].map(|value| compare_to(name, Relation::Equal, value)));
        }
    }
    None
}

/// Returns the other side of an equation, if one side is only this name and the other does not contain it.
fn value_of(arena: &Arena, statement: &Statement, name: Symbol) -> Option<Id> {
    let &Statement::Compare { left, relation: Relation::Equal, right, .. } = statement else { return None };
    let is_name = |id: Id| matches!(arena.node(id), Node::Symbol(other) if other == name);
    [(left, right), (right, left)]
        .into_iter()
        .find(|(side, value)| is_name(*side) && !arena.free(*value).contains(name))
        .map(|(_, value)| value)
}

/// Solves `lone = value` for the target. `None` unless the value is a chain of exponentials, logarithms, constant
/// terms and constant factors.
fn solved_for(
    arena: &mut Arena,
    value: Id,
    target: Symbol,
    lone: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Id> {
    let (mut rest, mut found, mut is_transcendental) = (value, arena.variable_of(lone), false);
    for _ in 0..MOST {
        match arena.node(rest) {
            Node::Symbol(name) if name == target => return is_transcendental.then_some(found),
            Node::Sum(terms) => {
                let terms = terms.to_vec();
                let inner = only_variable(arena, &terms)?;
                let constants: Vec<Id> = terms.into_iter().filter(|term| *term != inner).collect();
                let constant = arena.sum(&constants);
                (rest, found) = (inner, arena.sub(found, constant));
            }
            Node::Product(factors) => {
                let factors = factors.to_vec();
                let inner = only_variable(arena, &factors)?;
                let constants: Vec<Id> = factors.into_iter().filter(|factor| *factor != inner).collect();
                let constant = arena.product(&constants);
                if !matches!(oracle.sign(arena, constant), Some(Ordering::Less | Ordering::Greater)) {
                    return None;
                }
                (rest, found) = (inner, arena.div(found, constant));
            }
            Node::Power(base, exponent) if arena.is_constant(base) => {
                let above = arena.sub(base, Arena::ONE);
                if oracle.sign(arena, base) != Some(Ordering::Greater)
                    || !matches!(oracle.sign(arena, above), Some(Ordering::Less | Ordering::Greater))
                {
                    return None;
                }
                is_transcendental = true;
                (rest, found) = (exponent, arena.log(base, found));
            }
            Node::Apply(Function::Ln, &[inner]) => {
                is_transcendental = true;
                let base = arena.constant(crate::expr::Constant::E);
                (rest, found) = (inner, arena.power(base, found));
            }
            _ => return None,
        }
    }
    None
}

/// Returns the only part that is not constant.
fn only_variable(arena: &Arena, parts: &[Id]) -> Option<Id> {
    let mut variable = parts.iter().filter(|part| !arena.is_constant(**part));
    match (variable.next(), variable.next()) {
        (Some(only), None) => Some(*only),
        _ => None,
    }
}
