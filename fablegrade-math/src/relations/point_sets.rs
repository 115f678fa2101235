//! Points: as the solutions of systems, under conditions, and with names for their coordinates.

use super::compare::relation_of;
use super::named::is_assignment;
use super::read::BOUND;
use super::solution_sets::{joined_otherwise, orders};
use super::statement::{self, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node, Symbol, Symbols};
use crate::syntax::{Delimiter, Relation};

/// Compares a system with points as its solutions: `x+y=3,xy=2` and `\{(1,2),(2,1)\}`. The result is unknown
/// if it depends on the order of the unknowns.
pub(super) fn points_and_system(
    arena: &mut Arena,
    sides: [&Value; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let at = sides.iter().position(|side| points(arena, side).is_some())?;
    let (points, system) = (points(arena, sides[at])?, sides[1 - at]);
    // Compared with points, the list `y=2x,y=x+1` can be read as a system or as two lines.
    let as_system = if matches!(system, Value::List(_)) { joined_otherwise(arena, system) } else { None };
    let may_be_lines = as_system.is_some();
    let relation = as_system.or_else(|| relation_of(system))?;
    let count = points.first()?.len();
    // `(x,y)=(2,3)` names the coordinates in their order.
    if let Some(names) = coordinate_names(arena, &relation, count)
        && points.iter().flatten().all(|coordinate| arena.is_constant(*coordinate))
    {
        let listed = one_of(arena, &points, &names);
        let pair = if at == 0 { [&listed, &relation] } else { [&relation, &listed] };
        return Some(statement::compare(arena, pair[0], pair[1], oracle));
    }
    let mut unknowns = Vec::new();
    symbols(arena, &relation, &mut unknowns);
    let is_one_value = is_assignment(arena, &relation);
    if is_one_value || statement::has_atom(&relation) {
        return None;
    }
    if !has_same_names(arena, &points, &mut unknowns, count) {
        return Some(Verdict::Unknown);
    }
    if unknowns.len() != count {
        return None;
    }
    unknowns.sort_by_key(|name| arena.name(*name).to_owned());
    let (mut verdict, mut counterexample) = (None, None);
    for order in orders(count) {
        let names: Vec<Symbol> = order.iter().map(|at| unknowns[*at]).collect();
        let listed = one_of(arena, &points, &names);
        let found = if at == 0 {
            statement::compare(arena, &listed, &relation, oracle)
        } else {
            statement::compare(arena, &relation, &listed, oracle)
        };
        match verdict {
            None => (verdict, counterexample) = (Some(found), oracle.counterexample.take()),
            Some(known) if known != found => return Some(Verdict::Unknown),
            Some(_) => {}
        }
    }
    oracle.counterexample = counterexample;
    verdict.map(|verdict| if may_be_lines && verdict == Verdict::Same { Verdict::Unknown } else { verdict })
}

/// Returns the names in `(x,y)=(2,3)` or in several such equations joined by *or*, if they are distinct.
fn coordinate_names(arena: &Arena, relation: &Statement, count: usize) -> Option<Vec<Symbol>> {
    let parts = match relation {
        Statement::Or(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut names: Option<Vec<Symbol>> = None;
    for part in parts {
        let Statement::Belongs { left, relation: Relation::Equal, right } = part else { return None };
        points(arena, right)?;
        let own = points(arena, left)?.pop()?;
        let own = own.into_iter().map(|id| match arena.node(id) {
            Node::Symbol(name) => Some(name),
            _ => None,
        });
        let own: Vec<Symbol> = own.collect::<Option<_>>()?;
        if own.len() != count || names.get_or_insert_with(|| own.clone()) != &own {
            return None;
        }
    }
    names.filter(|names| (1..names.len()).all(|at| !names[..at].contains(&names[at])))
}

/// Removes the parameters of points, such as `a` of `(a,2a)`, from the unknowns of a system. `false` if it is then not
/// known which component belongs to which unknown: a point has another name, a parameter or an unknown too many, or more
/// than three components.
pub(super) fn has_same_names(
    arena: &Arena,
    points: &[Vec<Id>],
    unknowns: &mut Vec<Symbol>,
    count: usize,
) -> bool {
    let parameters = points.iter().flatten().fold(Symbols::NONE, |all, &id| all.union(arena.free(id)));
    let is_known = parameters.iter().all(|name| unknowns.contains(&name));
    let all = unknowns.len();
    unknowns.retain(|name| !parameters.contains(*name));
    is_known && count <= 3 && (unknowns.len() == count || unknowns.len() == all && all < count)
}

/// Compares sets of points under conditions with each other, with listed points, or with a relation between
/// the same names.
pub(super) fn points_with(
    arena: &mut Arena,
    sides: [&Value; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let names = sides.iter().find_map(|side| match side {
        Value::PointsWith(names, _) => Some(names.clone()),
        _ => None,
    })?;
    let mut conditions = Vec::with_capacity(2);
    for side in sides {
        conditions.push(match side {
            Value::PointsWith(own, _) if own.len() != names.len() => {
                // Both may be empty.
                let never = Statement::Constant(false);
                let is_inhabited = |side: &&Value| match side {
                    Value::PointsWith(_, condition) => {
                        statement::compare(arena, condition, &never, oracle) == Verdict::Different
                    }
                    _ => false,
                };
                let differ = sides.iter().any(is_inhabited);
                return Some(if differ { Verdict::Different } else { Verdict::Unknown });
            }
            Value::PointsWith(own, condition) => renamed(arena, condition, own, &names)?,
            Value::Statement(statement) => {
                let statement = statement::normal(arena, statement.clone(), false, oracle);
                let statement = statement::of_solutions(statement);
                let mut about = Vec::new();
                symbols(arena, &statement, &mut about);
                if about.iter().any(|name| !names.contains(name)) || statement::has_atom(&statement) {
                    return None;
                }
                statement
            }
            set if statement::is_empty(set) => Statement::Constant(false),
            listed => {
                let points = points(arena, listed)?;
                if points.first()?.len() != names.len() {
                    return Some(Verdict::Different);
                }
                one_of(arena, &points, &names)
            }
        });
    }
    Some(statement::compare(arena, &conditions[0], &conditions[1], oracle))
}

/// Returns a condition with other names for the coordinates; `None` if a new name already has another meaning
/// in it, or if a set may contain such names.
fn renamed(arena: &mut Arena, condition: &Statement, from: &[Symbol], to: &[Symbol]) -> Option<Statement> {
    let mut condition = condition.clone();
    if from == to {
        return Some(condition);
    }
    // The names in a set are not known, so it is treated as if it contained each name.
    let placeholder = arena.symbol(BOUND);
    let mut others = to.iter().filter(|name| !from.contains(name)).chain([&placeholder]);
    if others.any(|name| statement::mentions(arena, &condition, *name)) {
        return None;
    }
    // The names may be exchanged, so they are first replaced by names that no text contains.
    for (at, name) in from.iter().enumerate() {
        let between = arena.variable(&format!("{BOUND}c{at}"));
        statement::rename(arena, &mut condition, *name, between);
    }
    for (at, name) in to.iter().enumerate() {
        let (between, value) = (arena.symbol(&format!("{BOUND}c{at}")), arena.variable_of(*name));
        statement::rename(arena, &mut condition, between, value);
    }
    Some(condition)
}

/// Returns the statement that `names` are the coordinates of one of the points.
pub(super) fn one_of(arena: &mut Arena, points: &[Vec<Id>], names: &[Symbol]) -> Statement {
    let case = |point: &Vec<Id>| {
        let equations = names.iter().zip(point).map(|(name, value)| Statement::Compare {
            left: arena.variable_of(*name),
            relation: Relation::Equal,
            right: *value,
            named: false,
        });
        Statement::And(equations.collect())
    };
    Statement::Or(points.iter().map(case).collect())
}

/// Returns the points of a value that is one point, or a set or a list of points. All have the same number of
/// coordinates, at least two.
pub(super) fn points(arena: &Arena, value: &Value) -> Option<Vec<Vec<Id>>> {
    let point = |value: &Value| match value {
        Value::Sequence { open: Delimiter::Paren, close: Delimiter::Paren, items } if items.len() > 1 => {
            items
                .iter()
                .map(|item| match item {
                    Value::Scalar(id) if statement::infinite(arena, *id).is_none() => Some(*id),
                    _ => None,
                })
                .collect::<Option<Vec<Id>>>()
        }
        _ => None,
    };
    let all = match value {
        Value::Set(items) | Value::List(items) | Value::Several(items) => {
            items.iter().map(point).collect::<Option<Vec<_>>>()?
        }
        one => vec![point(one)?],
    };
    let count = all.first()?.len();
    all.iter().all(|point| point.len() == count).then_some(all)
}

/// Returns whether a value is the only one and may be a point.
pub(super) fn is_point(arena: &Arena, only: &[Value]) -> bool {
    matches!(only, [point @ Value::Sequence { .. }] if points(arena, point).is_some())
}
