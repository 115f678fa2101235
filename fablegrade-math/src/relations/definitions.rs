//! Definitions of functions that differ in the form of the left side: `f(x)=x^2`, `y=x^2`, `f\colon x\mapsto x^2`.
//!
//! The graph of a function is compared, under a name for its values. The argument is bound, so its name does not
//! matter beside another definition.

use super::compare::relation_of;
use super::read::letter;
use super::statement::{self, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node, Symbol};
use crate::syntax::Relation;

/// A function with its formula.
struct Definition {
    /// The name of the function; `None` in `x\mapsto x^2`.
    name: Option<Symbol>,
    parameters: Vec<Symbol>,
    value: Id,
}

/// Compares two answers, at least one of which defines a function. `None` if none does, or if the other answer cannot
/// be read as a graph of the same variables.
pub(super) fn compare_definitions(
    arena: &mut Arena,
    sides: [&Value; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let definitions = sides.map(|side| match side {
        Value::Statement(statement) => definition(arena, statement),
        _ => None,
    });
    match definitions {
        [Some(first), Some(second)] => two_definitions(arena, [&first, &second], oracle),
        [Some(definition), None] => beside_other(arena, &definition, sides[1], false, oracle),
        [None, Some(definition)] => beside_other(arena, &definition, sides[0], true, oracle),
        [None, None] => None,
    }
}

/// Reads a definition. In `f(x)=x^2`, where `f` is not declared, the left side is a product of two names; the argument
/// is the one that occurs on the right side.
fn definition(arena: &mut Arena, statement: &Statement) -> Option<Definition> {
    let &Statement::Compare { left, relation, right, named } = statement else { return None };
    let symbol = |arena: &Arena, id: Id| match arena.node(id) {
        Node::Symbol(name) => Some(name),
        _ => None,
    };
    let free = arena.free(right);
    let (name, parameters) = match (relation, arena.node(left)) {
        (Relation::Equal, Node::Call(name, arguments)) if named => {
            let parameters = arguments.iter().map(|argument| symbol(arena, *argument));
            (Some(name), parameters.collect::<Option<Vec<Symbol>>>()?)
        }
        (Relation::Equal, Node::Product(&[first, second])) if named => {
            let (first, second) = (symbol(arena, first)?, symbol(arena, second)?);
            let (name, parameter) = match [first, second].map(|name| free.contains(name)) {
                [true, false] => (second, first),
                [false, true] => (first, second),
                // A constant function.
                [false, false] if is_constant_function(arena.name(first), arena.name(second)) => {
                    (first, second)
                }
                [false, false] if is_constant_function(arena.name(second), arena.name(first)) => {
                    (second, first)
                }
                _ => return None,
            };
            // In `P(A)=1-P(B)` the function is the name that recurs.
            if is_usual_function(arena.name(parameter)) {
                return None;
            }
            (Some(name), vec![parameter])
        }
        (Relation::Tends, Node::Symbol(parameter)) if free.contains(parameter) => (None, vec![parameter]),
        // In `f\colon x\mapsto x^2` the colon was read as a division.
        (Relation::Tends, Node::Product(&[first, second])) => {
            let below = |id: Id| match arena.node(id) {
                Node::Power(base, Arena::MINUS_ONE) => symbol(arena, base),
                _ => None,
            };
            let (name, parameter) = match (symbol(arena, first), below(second)) {
                (Some(name), Some(parameter)) => (name, parameter),
                _ => (symbol(arena, second)?, below(first)?),
            };
            free.contains(parameter).then_some(())?;
            (Some(name), vec![parameter])
        }
        _ => return None,
    };
    let is_distinct = (1..parameters.len()).all(|at| !parameters[..at].contains(&parameters[at]));
    let is_recursive = name.is_some_and(|name| free.contains(name))
        || arena.any(right, |node| matches!(node, Node::Call(called, _) if Some(called) == name));
    (!parameters.is_empty() && is_distinct && !is_recursive).then_some(Definition {
        name,
        parameters,
        value: right,
    })
}

/// Returns whether names are those of a function and its argument, as in `f(x)=5`.
fn is_constant_function(name: &str, parameter: &str) -> bool {
    matches!(letter(name), "f" | "g" | "h") && matches!(parameter, "x" | "t")
}

fn is_usual_function(name: &str) -> bool {
    matches!(letter(name), "f" | "g" | "h" | "p" | "E" | "F" | "G" | "H" | "P" | "T")
}

/// Returns whether `y` usually denotes the value of a function: of `f(x)`, not of `a(t)` or `f(a)`.
fn is_usual_graph(arena: &Arena, definition: &Definition) -> bool {
    let is_argument = |name: &Symbol| matches!(arena.name(*name), "x" | "y" | "t");
    definition.parameters.iter().all(is_argument)
        && definition.name.is_none_or(|name| {
            let name = primes(arena.name(name)).0;
            is_usual_function(name) || matches!(name, "y" | "z")
        })
}

/// Splits a name into the part before its primes and their number.
fn primes(name: &str) -> (&str, usize) {
    let letter = name.trim_end_matches('\'');
    (letter, name.len() - letter.len())
}

/// Returns the usual name of a function's values: `y`, or `z` for a function of x and y.
fn usual_value(arena: &mut Arena, definition: &Definition) -> Symbol {
    let letter = if definition.parameters.len() == 2 { "z" } else { "y" };
    let count = definition.name.map_or(0, |name| primes(arena.name(name)).1);
    arena.symbol(&format!("{letter}{}", "'".repeat(count)))
}

/// Returns the statement that a name is the value of a function.
fn graph(arena: &mut Arena, value: Id, name: Symbol) -> Statement {
    let left = arena.variable_of(name);
    Statement::Compare { left, relation: Relation::Equal, right: value, named: true }
}

fn two_definitions(
    arena: &mut Arena,
    [first, second]: [&Definition; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if first.parameters.len() != second.parameters.len() {
        return None;
    }
    let value = renamed(arena, second, &first.parameters)?;
    let values = [usual_value(arena, first), usual_value(arena, second)];
    // `y(x)=x^2` gives the usual name to the values of `f(x)=x^2`. Functions with two other names are different.
    let has_one_name = match (first.name, second.name) {
        (Some(name), Some(other)) => {
            name == other || values[0] == values[1] && (name == values[0] || other == values[0])
        }
        _ => true,
    };
    let label = first.name.or(second.name).unwrap_or(values[0]);
    let labels = [label, if has_one_name { label } else { second.name? }];
    if [first.value, value]
        .into_iter()
        .any(|value| labels.iter().any(|label| arena.free(value).contains(*label)))
    {
        return None;
    }
    let sides = [graph(arena, first.value, labels[0]), graph(arena, value, labels[1])];
    Some(statement::compare(arena, &sides[0], &sides[1], oracle))
}

/// Returns whether a list defines a function among other relations, as in `f(x)=x^2,x>0`, and the other answer names
/// its values in the usual way, as in `y=x^2,x>0`.
pub(super) fn defines_graph_of_other(
    arena: &mut Arena,
    sides: [&Value; 2],
    relations: [&Statement; 2],
) -> bool {
    [(sides[0], relations[1]), (sides[1], relations[0])].into_iter().any(|(side, other)| {
        let Value::List(items) = side else { return false };
        let mut names = Vec::new();
        symbols(arena, other, &mut names);
        items.iter().any(|item| match item {
            Value::Statement(part) => definition(arena, part).is_some_and(|definition| {
                let usual = usual_value(arena, &definition);
                is_usual_graph(arena, &definition)
                    && names.contains(&usual)
                    && definition.name.is_none_or(|name| !names.contains(&name))
            }),
            _ => false,
        })
    })
}

/// Returns the formula of a definition with other names for its arguments; `None` if one already has another meaning
/// in it.
fn renamed(arena: &mut Arena, definition: &Definition, to: &[Symbol]) -> Option<Id> {
    let free = arena.free(definition.value);
    let mut others = to.iter().filter(|name| !definition.parameters.contains(name));
    if others.any(|name| free.contains(*name)) {
        return None;
    }
    let mut value = definition.value;
    // The names may be exchanged, so they are first replaced by names that no text contains.
    let between: Vec<Symbol> =
        (0..to.len()).map(|at| arena.symbol(&format!("{}a{at}", super::read::BOUND))).collect();
    for (from, to) in definition.parameters.iter().zip(&between).chain(between.iter().zip(to)) {
        let name = arena.variable_of(*to);
        value = arena.substitute(value, *from, name);
    }
    Some(value)
}

/// Compares a definition with a value or another relation.
fn beside_other(
    arena: &mut Arena,
    definition: &Definition,
    other: &Value,
    swapped: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let &Definition { name, ref parameters, value } = definition;
    if let (None, Value::Scalar(other)) = (name, other) {
        return Some(oracle.same(arena, value, *other));
    }
    let relation = relation_of(other)?;
    let mut names = Vec::new();
    symbols(arena, &relation, &mut names);
    let usual = usual_value(arena, definition);
    let explicit = match relation {
        Statement::Compare { left, relation: Relation::Equal, right, named: true } => {
            match arena.node(left) {
                Node::Symbol(name) => Some((name, right)),
                _ => None,
            }
        }
        _ => None,
    };
    let free = arena.free(value);
    let taken = |name: Symbol| free.contains(name) || parameters.contains(&name);
    // In `f(x)-x^2=0`, `f(x)` was read as a product, so there is no name for its value.
    let is_own = explicit.is_some_and(|(left, _)| Some(left) == name);
    let recurs =
        |name: Symbol| names.iter().any(|other| letter(arena.name(*other)) == letter(arena.name(name)));
    let calls_itself = name.is_some_and(recurs) && !is_own;
    if calls_itself || taken(usual) || statement::has_atom(&relation) {
        return None;
    }
    let (label, is_certain) = match explicit {
        // In `f=2`, f may be a number.
        Some((_, right)) if is_own => {
            (name?, parameters.iter().any(|name| arena.free(right).contains(*name)))
        }
        _ if names.contains(&usual) => (usual, is_usual_graph(arena, definition)),
        // In `s=x^2`, s may be another quantity.
        Some((left, right))
            if !taken(left) && parameters.iter().any(|name| arena.free(right).contains(*name)) =>
        {
            (left, false)
        }
        _ => (usual, false),
    };
    // In `y=t^2` beside `f(x)=x^2`, t may be the argument or another quantity.
    let strange = names.iter().filter(|name| **name != label && !taken(**name)).count();
    let (value, is_certain) = match (explicit, parameters.as_slice()) {
        (Some((left, right)), &[parameter])
            if left == label && strange == 1 && !names.contains(&parameter) =>
        {
            let other = arena.free(right).iter().find(|name| !taken(*name))?;
            let other = arena.variable_of(other);
            (arena.substitute(value, parameter, other), false)
        }
        _ => (value, is_certain),
    };
    let graph = graph(arena, value, label);
    let sides = if swapped { [&relation, &graph] } else { [&graph, &relation] };
    let verdict = statement::compare(arena, sides[0], sides[1], oracle);
    Some(if verdict == Verdict::Same && !is_certain { Verdict::Unknown } else { verdict })
}
