//! The comparison of structured values.

use super::definitions::{compare_definitions, defines_graph_of_other};
use super::difference::{Difference, describe, difference};
use super::elements::{
    items, lists_no_statement, names_several, pairwise, same_elements, same_multiset, same_proportions,
};
use super::indices::{indices, with_indices};
use super::line::{Found, compare_on_line};
use super::membership::{membership, unnamed_element};
use super::named::{relation_and_set, statement_and_value};
use super::numbered::compare_numbered;
use super::pieces;
use super::point_sets::{is_point, points, points_and_system, points_with};
use super::progressions::{Family, compare_families, compare_with_equation};
use super::read::BOUND;
use super::sets::{combined, family_and_set};
use super::single_points::truth_at;
use super::solution_sets::{are_of_one_name, beside_joined, compare_listed, compare_solutions};
use super::solve;
use super::statement::{self, infinite, symbols};
use super::{BoundedOracle, Counterexample, Oracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Symbol};
use crate::syntax::{Delimiter, NumberSet, Relation};

/// Names of the elements of sets, in the order in which they are chosen.
const ELEMENTS: [&str; 8] = ["x", "t", "y", "z", "u", "v", "w", "s"];

/// Decides whether two structured values are the same, as defined in [the module](super), and returns a
/// difference if one is known.
///
/// Calls the oracle a bounded number of times.
pub(crate) fn compare(
    arena: &mut Arena,
    a: &Value,
    b: &Value,
    oracle: &mut dyn Oracle,
) -> (Verdict, Option<Difference>) {
    let [first, second] = [a, b].map(|side| match side {
        Value::Readings(readings) => readings.as_slice(),
        other => std::slice::from_ref(other),
    });
    let mut decided: Option<(Verdict, Option<Difference>)> = None;
    // Both sides are read in the same way.
    for at in 0..first.len().max(second.len()) {
        let [a, b] = [(first, a), (second, b)].map(|(readings, whole)| readings.get(at).unwrap_or(whole));
        let found = compare_readings(arena, a, b, oracle);
        match &decided {
            Some((verdict, _)) if *verdict != found.0 => return (Verdict::Unknown, None),
            Some(_) => {}
            None => decided = Some(found),
        }
    }
    decided.unwrap_or((Verdict::Unknown, None))
}

/// Compares two values, each with one reading.
fn compare_readings(
    arena: &mut Arena,
    a: &Value,
    b: &Value,
    oracle: &mut dyn Oracle,
) -> (Verdict, Option<Difference>) {
    let mut oracle = BoundedOracle::new(oracle);
    let of_points = points_and_system(arena, [a, b], &mut oracle);
    let verdict = match of_points {
        Some(verdict) => verdict,
        None => whole(arena, a, b, &mut oracle),
    };
    if verdict != Verdict::Different {
        return (verdict, None);
    }
    // Relations and sets differ at a point, other values in a part.
    let found = oracle.counterexample.take();
    // The points of a system have been compared already.
    if of_points.is_none()
        && let Some(verdict) = compare_solutions(arena, [a, b], &mut oracle)
    {
        return (verdict, None);
    }
    oracle.counterexample = None;
    let shown = match found {
        Some(found) if is_of_points(arena, a) && is_of_points(arena, b) => {
            Some(describe(arena, found, &mut oracle))
        }
        _ => {
            let sets = matches!((a, b), (Value::Set(_), Value::Set(_)));
            if sets || are_intervals(arena, [a, b]) {
                oracle.counterexample = None;
                // They may be the same as sets of numbers, because letters may denote equal numbers.
                if as_numbers(arena, [a, b], &mut oracle) == Some(Verdict::Same) {
                    return (Verdict::Unknown, None);
                }
            }
            match oracle.counterexample.take() {
                Some(found) => Some(describe(arena, found, &mut oracle)),
                None => difference(arena, a, b, &mut oracle),
            }
        }
    };
    (verdict, shown)
}

/// Returns whether a relation holds everywhere (`true`) or nowhere (`false`); `None` if neither is certain or
/// the value is not a relation.
///
/// Calls the oracle a bounded number of times.
pub(crate) fn constant_truth(arena: &mut Arena, value: &Value, oracle: &mut dyn Oracle) -> Option<bool> {
    let Value::Statement(statement) = value else { return None };
    let mut oracle = BoundedOracle::new(oracle);
    let statement = statement::normal(arena, statement.clone(), false, &mut oracle);
    solve::constant_truth(arena, &statement, &mut oracle)
}

/// Returns whether a counterexample of the comparison applies to the whole value: a relation, a list of
/// relations, or a set of numbers or points.
fn is_of_points(arena: &Arena, value: &Value) -> bool {
    match value {
        Value::Statement(_)
        | Value::Builder(..)
        | Value::PointsWith(..)
        | Value::Combined(..)
        | Value::Numbers(_)
        | Value::Sequence { .. } => true,
        Value::Set(items) => {
            items.iter().all(|item| matches!(item, Value::Scalar(_))) || points(arena, value).is_some()
        }
        Value::List(items) => {
            items.iter().all(|item| matches!(item, Value::Statement(_))) || points(arena, value).is_some()
        }
        _ => false,
    }
}

/// Compares two whole answers other than points and a system. A list of relations is read as one relation.
fn whole(arena: &mut Arena, a: &Value, b: &Value, oracle: &mut BoundedOracle<'_>) -> Verdict {
    let by_form =
        compare_definitions(arena, [a, b], oracle).or_else(|| compare_numbered(arena, [a, b], oracle));
    if let Some(verdict) = by_form {
        return verdict;
    }
    let mut families = [Family::read(arena, a, oracle), Family::read(arena, b, oracle)];
    if let Some(verdict) = family_and_set(arena, [a, b], &mut families, oracle) {
        return verdict;
    }
    let relations = [relation_of(a), relation_of(b)];
    let decided = match (&families, &relations) {
        ([None, None], [Some(first), Some(second)]) => {
            let verdict = if matches!(a, Value::List(_)) || matches!(b, Value::List(_)) {
                compare_listed(arena, [a, b], [first, second], oracle)
            } else {
                values(arena, a, b, oracle)
            };
            let verdict = beside_joined(arena, [a, b], [first, second], verdict, oracle);
            if verdict == Verdict::Different && defines_graph_of_other(arena, [a, b], [first, second]) {
                return Verdict::Unknown;
            }
            return with_indices(arena, [first, second], verdict, oracle);
        }
        ([None, None], [Some(relation), None] | [None, Some(relation)]) => {
            let verdict = values(arena, a, b, oracle);
            // A relation with indices is not a list of values, but it may be a set.
            let other = if relations[0].is_some() { b } else { a };
            let is_list = matches!(other, Value::List(_) | Value::Several(_));
            let is_open =
                verdict == Verdict::Different && !is_list && !indices(arena, relation, oracle).is_empty();
            return if is_open { Verdict::Unknown } else { verdict };
        }
        ([None, None], _) => return values(arena, a, b, oracle),
        ([Some(first), Some(second)], _) => compare_families(arena, first, second, oracle)
            .filter(|verdict| *verdict != Verdict::Same || first.is_certain(second, arena, oracle)),
        ([Some(family), None], [_, Some(equation)]) => {
            compare_with_equation(arena, family, equation, true, oracle)
        }
        ([None, Some(family)], [Some(equation), _]) => {
            compare_with_equation(arena, family, equation, false, oracle)
        }
        _ => None,
    };
    if let Some(verdict) = decided {
        return verdict;
    }
    // An undeclared letter was assumed to be an integer, but it may be another quantity. Then equal formulas are the
    // same answer.
    if families.iter().flatten().any(Family::is_assumed) {
        let as_formulas = match &relations {
            [Some(first), Some(second)] => statement::compare(arena, first, second, oracle),
            _ => values(arena, a, b, oracle),
        };
        if as_formulas == Verdict::Same {
            return as_formulas;
        }
    }
    Verdict::Unknown
}

/// Reads a relation or a list of relations as one. Values of one name are joined by *or*, other relations by
/// *and*.
pub(super) fn relation_of(value: &Value) -> Option<Statement> {
    match value {
        Value::Statement(statement) => Some(statement.clone()),
        Value::List(items) if items.len() > 1 => {
            let parts: Vec<Statement> = items
                .iter()
                .map(|item| match item {
                    Value::Statement(statement) => Some(statement.clone()),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            // In `x=\pm1,x=\pm2`, each part is two values.
            let one_by_one: Vec<Statement> = parts
                .iter()
                .flat_map(|part| match part {
                    Statement::Or(values) => values.as_slice(),
                    one => std::slice::from_ref(one),
                })
                .cloned()
                .collect();
            Some(if are_of_one_name(&one_by_one) { Statement::Or(one_by_one) } else { Statement::And(parts) })
        }
        _ => None,
    }
}

pub(super) fn values(arena: &mut Arena, a: &Value, b: &Value, oracle: &mut BoundedOracle<'_>) -> Verdict {
    match shapes(arena, a, b, oracle) {
        // The assignment of the values to the names would be a guess.
        Verdict::Same
            if names_several(a) && lists_no_statement(b) || names_several(b) && lists_no_statement(a) =>
        {
            Verdict::Unknown
        }
        verdict => verdict,
    }
}

/// Compares two values by their outermost forms.
///
/// This function is long because it has one arm for each pair of kinds.
fn shapes(arena: &mut Arena, a: &Value, b: &Value, oracle: &mut BoundedOracle<'_>) -> Verdict {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => oracle.same(arena, *a, *b),
        (Value::Unclear(first), Value::Unclear(second)) if first == second => Verdict::Same,
        (Value::Unclear(_) | Value::Readings(_), _) | (_, Value::Unclear(_) | Value::Readings(_)) => {
            Verdict::Unknown
        }
        (
            Value::Gathered { combination, range, body },
            Value::Gathered { combination: combination_b, range: range_b, body: body_b },
        ) => {
            let same = combination == combination_b
                && pairwise(arena, range, range_b, oracle).and(values(arena, body, body_b, oracle))
                    == Verdict::Same;
            if same { Verdict::Same } else { Verdict::Unknown }
        }
        (Value::Statement(statement), set @ Value::Gathered { .. })
        | (set @ Value::Gathered { .. }, Value::Statement(statement)) => {
            match statement_and_value(arena, statement, set, oracle) {
                Verdict::Same => Verdict::Same,
                _ => Verdict::Unknown,
            }
        }
        (Value::Gathered { .. }, _) | (_, Value::Gathered { .. }) => Verdict::Unknown,
        (Value::Pieces(_), Value::Pieces(_) | Value::Scalar(_)) | (Value::Scalar(_), Value::Pieces(_)) => {
            pieces::compare(arena, [a, b], oracle)
        }
        (Value::PointsWith(..), _) | (_, Value::PointsWith(..)) => {
            points_with(arena, [a, b], oracle).unwrap_or(Verdict::Unknown)
        }
        (Value::Numbers(a), Value::Numbers(b)) => match (a, b) {
            // Conventions differ on whether `\mathbb{N}` contains 0.
            (NumberSet::Naturals, NumberSet::NaturalsAndZero | NumberSet::PositiveIntegers)
            | (NumberSet::NaturalsAndZero | NumberSet::PositiveIntegers, NumberSet::Naturals) => {
                Verdict::Unknown
            }
            _ if a == b => Verdict::Same,
            _ => Verdict::Different,
        },
        (Value::Statement(a), Value::Statement(b)) if is_in_pieces(a) || is_in_pieces(b) => {
            named_pieces(arena, [a, b], oracle)
        }
        (Value::Statement(a), Value::Statement(b)) => statement::compare(arena, a, b, oracle),
        (Value::Statement(statement), set @ Value::Builder(..))
        | (set @ Value::Builder(..), Value::Statement(statement)) => {
            let swapped = matches!(b, Value::Statement(_));
            relation_and_set(arena, statement, set, swapped, oracle).unwrap_or(Verdict::Unknown)
        }
        (Value::Builder(name, first), Value::Builder(other, second)) => {
            if name == other || !statement::mentions(arena, second, *name) {
                let mut second = second.clone();
                let name = arena.variable_of(*name);
                statement::rename(arena, &mut second, *other, name);
                if statement::compare(arena, first, &second, oracle) == Verdict::Same {
                    return Verdict::Same;
                }
            }
            numbers(arena, a, b, oracle).unwrap_or(Verdict::Unknown)
        }
        (Value::Builder(..), other) | (other, Value::Builder(..)) => match other {
            Value::Set(_) | Value::Combined(..) => numbers(arena, a, b, oracle).unwrap_or(Verdict::Unknown),
            Value::Sequence { items, .. } if items.len() == 2 => {
                numbers(arena, a, b, oracle).unwrap_or(Verdict::Unknown)
            }
            Value::Numbers(set) => {
                let ((Value::Builder(name, condition), _) | (_, Value::Builder(name, condition))) = (a, b)
                else {
                    return Verdict::Unknown;
                };
                match condition {
                    Statement::Belongs { left, relation: Relation::In, right }
                        if **left == Value::Scalar(arena.variable_of(*name)) =>
                    {
                        shapes(arena, right, &Value::Numbers(*set), oracle)
                    }
                    _ => Verdict::Unknown,
                }
            }
            Value::Scalar(_) | Value::List(_) | Value::Several(_) => Verdict::Unknown,
            _ => Verdict::Different,
        },
        (Value::Statement(statement), other) | (other, Value::Statement(statement)) => {
            match statement_and_value(arena, statement, other, oracle) {
                Verdict::Different => {
                    let swapped = matches!(b, Value::Statement(_));
                    relation_and_set(arena, statement, other, swapped, oracle).unwrap_or(Verdict::Different)
                }
                verdict => verdict,
            }
        }
        (Value::Sequence { items, open, close }, other @ (Value::Scalar(_) | Value::Numbers(_)))
        | (other @ (Value::Scalar(_) | Value::Numbers(_)), Value::Sequence { items, open, close })
            if items.len() == 1 && open == close =>
        {
            values(arena, &items[0], other, oracle)
        }
        // A set of one point beside the point.
        (Value::Set(items), Value::Sequence { .. })
            if is_point(arena, &items[..]) && is_point(arena, std::slice::from_ref(b)) =>
        {
            values(arena, &items[0], b, oracle)
        }
        (Value::Sequence { .. }, Value::Set(items))
            if is_point(arena, &items[..]) && is_point(arena, std::slice::from_ref(a)) =>
        {
            values(arena, a, &items[0], oracle)
        }
        (Value::List(a), Value::List(b)) => {
            let scalars = |list: &[Value]| list.iter().all(|item| matches!(item, Value::Scalar(_)));
            if scalars(a) && scalars(b) {
                pairwise(arena, a, b, oracle)
            } else {
                same_elements(arena, a, b, oracle)
            }
        }
        (
            Value::Set(a) | Value::Several(a) | Value::List(a),
            Value::Set(b) | Value::Several(b) | Value::List(b),
        ) => same_elements(arena, a, b, oracle),
        (
            Value::Sequence { open, close, items },
            Value::Sequence { open: open_b, close: close_b, items: items_b },
        ) => {
            if side(*open, items.len()) != side(*open_b, items_b.len())
                || side(*close, items.len()) != side(*close_b, items_b.len())
            {
                return Verdict::Different;
            }
            match pairwise(arena, items, items_b, oracle) {
                // One interval may have an infinite end where the other has a finite one.
                Verdict::Unknown if are_intervals(arena, [a, b]) => {
                    numbers(arena, a, b, oracle).unwrap_or(Verdict::Unknown)
                }
                verdict => verdict,
            }
        }
        (
            Value::Combined(..),
            Value::Combined(..)
            | Value::Set(_)
            | Value::Sequence { .. }
            | Value::Scalar(_)
            | Value::Numbers(_),
        )
        | (
            Value::Set(_) | Value::Sequence { .. } | Value::Scalar(_) | Value::Numbers(_),
            Value::Combined(..),
        )
        | (Value::Set(_), Value::Sequence { .. })
        | (Value::Sequence { .. }, Value::Set(_)) => combined(arena, a, b, oracle),
        (Value::Matrix { columns, entries }, Value::Matrix { columns: columns_b, entries: entries_b }) => {
            if columns != columns_b {
                Verdict::Different
            } else {
                pairwise(arena, entries, entries_b, oracle)
            }
        }
        (list @ Value::List(_), point @ Value::Sequence { .. })
        | (point @ Value::Sequence { .. }, list @ Value::List(_))
            if names_several(list) =>
        {
            // For example `x=1, y=2` and `(1,2)`.
            let (named, items) = (items(list).unwrap_or_default(), items(point).unwrap_or_default());
            same_multiset(arena, named, items, oracle)
        }
        (Value::Several(signs), other @ Value::Scalar(_))
        | (other @ Value::Scalar(_), Value::Several(signs)) => {
            same_elements(arena, signs, std::slice::from_ref(other), oracle)
        }
        (Value::Ratio(a), Value::Ratio(b)) => same_proportions(arena, a, b, oracle),
        (Value::Ratio(parts), Value::Scalar(other)) | (Value::Scalar(other), Value::Ratio(parts)) => {
            // `12:3:2` may mean divisions, with the value 2, or a ratio.
            let quotient = parts.iter().copied().reduce(|front, part| arena.div(front, part));
            match quotient.map(|quotient| oracle.same(arena, quotient, *other)) {
                Some(Verdict::Same | Verdict::Unknown) => Verdict::Unknown,
                _ => Verdict::Different,
            }
        }
        _ => Verdict::Different,
    }
}

/// Returns whether two values in brackets are intervals, not points. The brackets or an infinite end of one
/// of them show this.
fn are_intervals(arena: &Arena, sides: [&Value; 2]) -> bool {
    let mut shown = false;
    for side in sides {
        let Value::Sequence { open, close, items } = side else { return false };
        let [Value::Scalar(from), Value::Scalar(to)] = items[..] else { return false };
        shown |= [*open, *close] != [Delimiter::Paren; 2]
            || [from, to].into_iter().any(|end| statement::infinite(arena, end).is_some());
    }
    shown
}

/// Returns whether a statement gives a piecewise value to a name.
fn is_in_pieces(statement: &Statement) -> bool {
    matches!(statement, Statement::Belongs { right, .. } if matches!(**right, Value::Pieces(_)))
}

/// Compares two statements, at least one of which gives a piecewise value to a name. The result is unknown
/// unless the names are the same.
fn named_pieces(arena: &mut Arena, sides: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> Verdict {
    let named = sides.map(|side| match side {
        Statement::Belongs { left, relation: Relation::Equal, right } => {
            Some((left.as_ref().clone(), right.as_ref().clone()))
        }
        Statement::Compare { left, relation: Relation::Equal, right, .. } => {
            Some((Value::Scalar(*left), Value::Scalar(*right)))
        }
        _ => None,
    });
    match named {
        [Some((name, value)), Some((other, second))]
            if values(arena, &name, &other, oracle) == Verdict::Same =>
        {
            values(arena, &value, &second, oracle)
        }
        _ => Verdict::Unknown,
    }
}

/// Returns whether a condition has names that are bound in its set builder.
pub(super) fn has_bound(arena: &Arena, condition: &Statement) -> bool {
    let mut names = Vec::new();
    symbols(arena, condition, &mut names);
    names.iter().any(|name| arena.name(*name).starts_with(BOUND))
}

/// Decides whether two sets contain the same real numbers for all values of the other names; `None` if that
/// cannot be decided.
pub(super) fn numbers(
    arena: &mut Arena,
    a: &Value,
    b: &Value,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    // In `\{a\}\cap\{b\}` the letters may denote one number or two.
    if lists_letters(arena, a) || lists_letters(arena, b) {
        return None;
    }
    as_numbers(arena, [a, b], oracle)
}

/// Returns whether a set is a set builder or is combined from one.
fn has_builder(set: &Value) -> bool {
    match set {
        Value::Builder(..) => true,
        Value::Combined(_, parts) => parts.iter().any(has_builder),
        _ => false,
    }
}

fn lists_letters(arena: &Arena, set: &Value) -> bool {
    match set {
        Value::Set(items) => {
            items.iter().any(|item| matches!(item, Value::Scalar(id) if !arena.is_constant(*id)))
        }
        Value::Combined(_, parts) => parts.iter().any(|part| lists_letters(arena, part)),
        _ => false,
    }
}

/// Makes the same decision as [`numbers`], but reads letters in listed sets as numbers.
fn as_numbers(arena: &mut Arena, [a, b]: [&Value; 2], oracle: &mut BoundedOracle<'_>) -> Option<Verdict> {
    let placeholder = unnamed_element(arena);
    let unnamed = arena.variable_of(placeholder);
    let mut members = [membership(arena, unnamed, a, oracle)?, membership(arena, unnamed, b, oracle)?];
    let [own, other] = members.each_ref().map(|member| {
        let mut names = Vec::new();
        symbols(arena, member, &mut names);
        names.retain(|name| *name != placeholder);
        names
    });
    let is_built = [a, b].map(has_builder);
    // A name that occurs only in a set builder may be bound in it: `\{y\mid y=x+1,x>0\}`.
    let may_be_bound = |name: &Symbol| {
        arena.name(*name).starts_with(BOUND)
            || is_built[0] && !other.contains(name)
            || is_built[1] && !own.contains(name)
    };
    if own.iter().chain(&other).any(may_be_bound) {
        return None;
    }
    let mut about = own;
    about.extend(other);
    let built = [a, b].into_iter().filter_map(|side| match side {
        Value::Builder(name, _) => Some(*name),
        _ => None,
    });
    let usual = ELEMENTS.map(|name| arena.symbol(name));
    let name = built.chain(usual).find(|name| !about.contains(name))?;
    let element = arena.variable_of(name);
    for member in &mut members {
        statement::rename(arena, member, placeholder, element);
    }
    let [first, second] = members.map(|member| statement::normal(arena, member, false, oracle));
    if !about.is_empty() {
        return match solve::solve(arena, [&first, &second], oracle) {
            Some(Verdict::Unknown) => None,
            Some(Verdict::Different) => {
                let orders = orders_of_ends(arena, [a, b]);
                if hold_at_counterexample(arena, &orders, oracle) {
                    return Some(Verdict::Different);
                }
                oracle.counterexample = None;
                let [first, second] = [first, second].map(|member| {
                    let mut parts = orders.clone();
                    parts.push(member);
                    statement::normal(arena, Statement::And(parts), false, oracle)
                });
                match solve::solve(arena, [&first, &second], oracle) {
                    None => Some(Verdict::Unknown),
                    verdict => verdict,
                }
            }
            verdict => verdict,
        };
    }
    match compare_on_line(arena, [&first, &second], name, oracle) {
        Found::Same(_) => Some(Verdict::Same),
        Found::Different(at, first) => {
            oracle.counterexample = Some(Counterexample { point: vec![(name, at)], first });
            Some(Verdict::Different)
        }
        Found::Unknown => None,
    }
}

/// Returns the statements that the ends of all intervals in sets are in order: `(a,b)` is written for `a<b` only.
fn orders_of_ends(arena: &Arena, sets: [&Value; 2]) -> Vec<Statement> {
    let mut orders = Vec::new();
    let mut pending: Vec<&Value> = sets.to_vec();
    while let Some(set) = pending.pop() {
        match set {
            Value::Combined(_, parts) => pending.extend(parts),
            Value::Sequence { items, .. } => {
                let [Value::Scalar(from), Value::Scalar(to)] = items[..] else { continue };
                let is_constant = arena.is_constant(from) && arena.is_constant(to);
                if !is_constant && infinite(arena, from).is_none() && infinite(arena, to).is_none() {
                    orders.push(statement::compare_to(from, Relation::LessEqual, to));
                }
            }
            _ => {}
        }
    }
    orders
}

/// Returns whether all statements hold at the counterexample.
fn hold_at_counterexample(
    arena: &mut Arena,
    statements: &[Statement],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let Some(point) = oracle.counterexample.as_ref().map(|found| found.point.clone()) else { return false };
    let values: Option<Vec<(Symbol, Id)>> =
        point.iter().map(|(name, at)| Some((*name, at.expression(arena)?))).collect();
    let Some(values) = values else { return false };
    statements.iter().all(|statement| truth_at(arena, statement, &values, oracle) == Some(true))
}

/// Returns the delimiter in a single notation: `]1,2[` and `(1,2)` are the same interval.
fn side(delimiter: Delimiter, items: usize) -> Delimiter {
    match delimiter {
        Delimiter::Reversed if items == 2 => Delimiter::Paren,
        other => other,
    }
}
