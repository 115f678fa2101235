//! Equations, inequalities and statements built from them.

use super::compare::values;
use super::domains::has_value_with;
use super::elements::position;
use super::integers::over_integers;
use super::link::{Link, link};
use super::membership::{combination, complement, membership};
use super::set_models::in_models;
use super::single_points::search;
use super::solve::solve;
use super::truth_table::by_truth_table;
use super::{BoundedOracle, Combination, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Node, Symbol};
use crate::syntax::Relation;
use std::cmp::Ordering;

/// Decides whether two statements hold at the same points. If points cannot decide, compares part by part.
pub(super) fn compare(
    arena: &mut Arena,
    a: &Statement,
    b: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    // `L=\emptyset` and `M=\emptyset` may be two names for the set of solutions.
    if let [Some(first), Some(second)] = [a, b].map(without_solutions) {
        return if first == second { Verdict::Same } else { Verdict::Unknown };
    }
    // Only `-\infty\le x` includes infinity.
    if let [Some(first), Some(second)] = [a, b].map(|side| strictness_at_infinity(arena, side))
        && first != second
    {
        return Verdict::Different;
    }
    let mut a = normal(arena, a.clone(), false, oracle);
    let mut b = normal(arena, b.clone(), false, oracle);
    // Beside a truth value, `L=\emptyset` is a statement about a set.
    let is_relation = |side: &Statement| is_of_numbers(side) && !matches!(side, Statement::Constant(_));
    if is_relation(&b) {
        a = of_solutions(a);
    } else if is_relation(&a) {
        b = of_solutions(b);
    }
    if a == b {
        return Verdict::Same;
    }
    if let Some(verdict) = solve(arena, [&a, &b], oracle) {
        return verdict;
    }
    if let Some(verdict) = over_integers(arena, [&a, &b], oracle) {
        return verdict;
    }
    // Letters for truth values, congruences, sets and infinite bounds are compared part by part.
    let verdict = if let (Statement::Compare { .. }, Statement::Compare { .. }) = (&a, &b) {
        match link(arena, &a, &b, oracle) {
            Link::Same => Verdict::Same,
            Link::Unknown => Verdict::Unknown,
            Link::Opposite | Link::None => Verdict::Different,
        }
    } else if let Some(verdict) = in_models(arena, [&a, &b], oracle) {
        return verdict;
    } else if let Some(verdict) = one_by_one(arena, [&a, &b], oracle) {
        verdict
    } else {
        by_truth_table(arena, &a, &b, oracle)
    };
    if verdict == Verdict::Different
        && [&a, &b].into_iter().any(|side| has_gathered(side) || has_unlike_ends(side))
    {
        return Verdict::Unknown;
    }
    if verdict == Verdict::Same || !(is_of_numbers(&a) && is_of_numbers(&b)) {
        return verdict;
    }
    if has_infinite_bound(arena, &a) || has_infinite_bound(arena, &b) {
        return verdict;
    }
    search(arena, [&a, &b], oracle)
}

/// Returns the name in a statement that there are no solutions: `L=\emptyset` or `x\in\emptyset`.
fn without_solutions(statement: &Statement) -> Option<Id> {
    match statement {
        Statement::Belongs { left, relation: Relation::Equal | Relation::In, right } => match left.as_ref() {
            Value::Scalar(name) if is_empty(right) => Some(*name),
            _ => None,
        },
        _ => None,
    }
}

/// Reads `L=\emptyset` as a statement about solutions instead of sets: there are none.
pub(super) fn of_solutions(statement: Statement) -> Statement {
    match without_solutions(&statement) {
        Some(_) => Statement::Constant(false),
        None => statement,
    }
}

/// Returns whether a value is the empty set.
pub(super) fn is_empty(set: &Value) -> bool {
    matches!(set, Value::Set(items) if items.is_empty())
}

/// Compares two statements that each relate a name to a value: `A=M` and `A=N`, `x\in M` and `x\in N`. `None`
/// for other statements.
fn one_by_one(arena: &mut Arena, [a, b]: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> Option<Verdict> {
    let (
        Statement::Belongs { left, relation, right },
        Statement::Belongs { left: left_b, relation: relation_b, right: right_b },
    ) = (a, b)
    else {
        return None;
    };
    if relation != relation_b {
        return None;
    }
    if let Some(permuted) = in_order_of(arena, left, left_b, right_b) {
        return Some(values(arena, right, &permuted, oracle));
    }
    let is_name = |arena: &Arena, value: &Value| match value {
        Value::Scalar(id) => matches!(arena.node(*id), Node::Symbol(_)),
        Value::Sequence { items, .. } => items
            .iter()
            .all(|item| matches!(item, Value::Scalar(id) if matches!(arena.node(*id), Node::Symbol(_)))),
        _ => false,
    };
    if !is_name(arena, left) || !is_name(arena, left_b) {
        return None;
    }
    let of_names = values(arena, left, left_b, oracle);
    let verdict = of_names.and(values(arena, right, right_b, oracle));
    let unclear = match relation {
        // The elements of an interval whose ends are not in order are not known.
        Relation::In => [right, right_b].into_iter().any(|set| matches!(**set, Value::Sequence { .. })),
        // `A\subset\{1\}` and `A\subset\{2\}` both say that A is empty if equality is excluded.
        Relation::Subset => {
            of_names == Verdict::Same
                && verdict == Verdict::Different
                && ![right, right_b].into_iter().any(|set| has_two_elements(arena, set, oracle))
        }
        _ => false,
    };
    // `(x,y)=M` and `(y,x)=M` are compared entry by entry.
    if *relation == Relation::Equal
        && let Some(permuted) = entries_in_order_of(left, left_b, right_b)
    {
        return Some(values(arena, right, &permuted, oracle));
    }
    // `(x,y)\in M` and `(y,x)\in M` are the same if M is symmetric.
    let unclear = unclear || are_permuted(left, left_b);
    Some(if unclear && verdict == Verdict::Different { Verdict::Unknown } else { verdict })
}

/// Returns whether a set certainly has more than one element. `false` if that is unclear.
fn has_two_elements(arena: &mut Arena, set: &Value, oracle: &mut BoundedOracle<'_>) -> bool {
    match set {
        Value::Numbers(_) => true,
        Value::Sequence { items, .. } => {
            let [Value::Scalar(from), Value::Scalar(to)] = items[..] else { return false };
            match [from, to].map(|end| infinite(arena, end)) {
                [None, None] => {
                    let length = arena.sub(to, from);
                    oracle.sign(arena, length) == Some(Ordering::Greater)
                }
                ends => ends[0] != Some(Ordering::Greater) && ends[1] != Some(Ordering::Less),
            }
        }
        Value::Set(items) => {
            let mut constants = items.iter().filter_map(|item| match item {
                Value::Scalar(id) if arena.is_constant(*id) => Some(*id),
                _ => None,
            });
            let Some(first) = constants.next() else { return false };
            let others: Vec<Id> = constants.collect();
            others.into_iter().any(|other| oracle.same(arena, first, other) == Verdict::Different)
        }
        Value::Combined(Combination::Union, parts) => {
            parts.iter().any(|part| has_two_elements(arena, part, oracle))
        }
        _ => false,
    }
}

/// Returns whether two points have the same coordinates in different orders.
fn are_permuted(a: &Value, b: &Value) -> bool {
    let (Value::Sequence { items: a, .. }, Value::Sequence { items: b, .. }) = (a, b) else { return false };
    let sorted = |items: &[Value]| {
        let mut ids = items
            .iter()
            .map(|item| match item {
                Value::Scalar(id) => Some(*id),
                _ => None,
            })
            .collect::<Option<Vec<Id>>>()?;
        ids.sort_unstable();
        Some(ids)
    };
    a != b && sorted(a).is_some_and(|first| sorted(b) == Some(first))
}

/// Reorders the entries of a column or row, which belong to `others`, in the order of `names`. `None` unless
/// both have the same names in different orders, all distinct, one for each entry.
fn entries_in_order_of(names: &Value, others: &Value, vector: &Value) -> Option<Value> {
    let (Value::Sequence { items: names, .. }, Value::Sequence { items: others, .. }) = (names, others)
    else {
        return None;
    };
    let Value::Matrix { columns, entries } = vector else { return None };
    let is_vector = *columns == 1 || *columns == entries.len();
    if !is_vector || names.len() != others.len() || others.len() != entries.len() || names == others {
        return None;
    }
    let mut permuted = Vec::with_capacity(entries.len());
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return None;
        }
        let from = others.iter().position(|other| other == name)?;
        permuted.push(entries.get(from)?.clone());
    }
    Some(Value::Matrix { columns: *columns, entries: permuted })
}

/// Reorders the parts of a ratio, which belong to `others`, in the order of `names`: with `b:a=2:3` and `a:b`, returns
/// `3:2`. `None` unless all are ratios with the same names.
fn in_order_of(arena: &Arena, names: &Value, others: &Value, ratio: &Value) -> Option<Value> {
    let (Value::Ratio(names), Value::Ratio(others), Value::Ratio(parts)) = (names, others, ratio) else {
        return None;
    };
    let all_named = names.iter().chain(others).all(|name| matches!(arena.node(*name), Node::Symbol(_)));
    if !all_named || names.len() != others.len() || others.len() != parts.len() {
        return None;
    }
    let mut permuted = Vec::with_capacity(parts.len());
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return None;
        }
        let from = others.iter().position(|other| other == name)?;
        permuted.push(*parts.get(from)?);
    }
    Some(Value::Ratio(permuted))
}

/// Returns whether all parts compare numbers, or state membership in a set of numbers.
pub(super) fn is_of_numbers(statement: &Statement) -> bool {
    match statement {
        Statement::Compare { .. } | Statement::Constant(_) => true,
        Statement::And(parts) | Statement::Or(parts) => parts.iter().all(is_of_numbers),
        Statement::Not(inner) => is_of_numbers(inner),
        Statement::Belongs { left, relation, right } => {
            matches!(relation, Relation::In | Relation::NotIn)
                && matches!((left.as_ref(), right.as_ref()), (Value::Scalar(_), Value::Numbers(_)))
        }
        Statement::Atom(_) => false,
    }
}

/// Returns whether a statement contains a union or intersection that is not written out. It is unknown at
/// which points such a statement holds.
fn has_gathered(statement: &Statement) -> bool {
    fn within(value: &Value) -> bool {
        match value {
            Value::Gathered { .. } => true,
            Value::Statement(statement) | Value::Builder(_, statement) | Value::PointsWith(_, statement) => {
                has_gathered(statement)
            }
            Value::Combined(_, parts) | Value::Set(parts) | Value::Sequence { items: parts, .. } => {
                parts.iter().any(within)
            }
            _ => false,
        }
    }
    match statement {
        Statement::Belongs { left, right, .. } => within(left) || within(right),
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(has_gathered),
        Statement::Not(inner) => has_gathered(inner),
        _ => false,
    }
}

/// Returns whether a statement equates brackets of two kinds. `(a,b)=[1,2]` is an equation of intervals, which never
/// holds, or an equation of points in two notations.
fn has_unlike_ends(statement: &Statement) -> bool {
    match statement {
        Statement::Belongs { left, relation: Relation::Equal, right } => {
            match (left.as_ref(), right.as_ref()) {
                (
                    Value::Sequence { open, close, .. },
                    Value::Sequence { open: open_b, close: close_b, .. },
                ) => [open, close] != [open_b, close_b],
                _ => false,
            }
        }
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(has_unlike_ends),
        Statement::Not(inner) => has_unlike_ends(inner),
        _ => false,
    }
}

fn has_infinite_bound(arena: &Arena, statement: &Statement) -> bool {
    match statement {
        Statement::Compare { left, right, .. } => {
            infinite(arena, *left).or(infinite(arena, *right)).is_some()
        }
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().any(|part| has_infinite_bound(arena, part))
        }
        Statement::Not(inner) => has_infinite_bound(arena, inner),
        _ => false,
    }
}

/// Splits an equation of points by components: `(x,y)=(1,2)` is `x=1` and `y=2`.
pub(super) fn by_components(statement: &Statement) -> Option<Vec<Statement>> {
    let Statement::Belongs { left, relation: Relation::Equal, right } = statement else { return None };
    let (
        Value::Sequence { open, close, items: left },
        Value::Sequence { open: open_b, close: close_b, items: right },
    ) = (left.as_ref(), right.as_ref())
    else {
        return None;
    };
    // Intervals with other ends are not equal, whatever the numbers are.
    if left.len() != right.len() || [open, close] != [open_b, close_b] {
        return None;
    }
    left.iter()
        .zip(right)
        .map(|pair| match pair {
            (Value::Scalar(left), Value::Scalar(right)) => Some(compare_to(*left, Relation::Equal, *right)),
            _ => None,
        })
        .collect()
}

pub(super) fn compare_to(left: Id, relation: Relation, right: Id) -> Statement {
    Statement::Compare { left, relation, right, named: false }
}

/// Returns the normal form of a statement, or of its negation if `negated` is set. Negations are pushed
/// inwards, and memberships become comparisons where possible.
pub(super) fn normal(
    arena: &mut Arena,
    statement: Statement,
    negated: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Statement {
    match statement {
        Statement::Not(inner) => normal(arena, *inner, !negated, oracle),
        Statement::And(parts) | Statement::Or(parts) if parts.len() == 1 => {
            let only = parts.into_iter().next().unwrap_or(Statement::Constant(true));
            normal(arena, only, negated, oracle)
        }
        Statement::And(mut parts) => {
            // A part such as `-\infty<x` holds wherever `x` has a value, so it is redundant next to a part that has
            // a value only there.
            let (bounds, others): (Vec<_>, Vec<_>) = std::mem::take(&mut parts)
                .into_iter()
                .partition(|part| bounded_by_infinity(arena, part).is_some());
            parts = others;
            for part in bounds {
                let bounded = bounded_by_infinity(arena, &part).unwrap_or(Arena::ZERO);
                if parts.is_empty() || !has_value_with(arena, bounded, &parts, oracle) {
                    parts.push(part);
                }
            }
            let parts: Vec<Statement> =
                parts.into_iter().map(|part| normal(arena, part, negated, oracle)).collect();
            if negated { flat_or(parts) } else { flat_and(parts) }
        }
        Statement::Or(parts) => {
            let parts = parts.into_iter().map(|part| normal(arena, part, negated, oracle)).collect();
            if negated { flat_and(parts) } else { flat_or(parts) }
        }
        Statement::Constant(truth) => Statement::Constant(truth != negated),
        Statement::Atom(_) if negated => Statement::Not(Box::new(statement)),
        Statement::Atom(_) => statement,
        Statement::Compare { left, relation, right, named } => {
            // `-\infty<u` holds wherever `u` has a value.
            let bounded = bounded_by_infinity(arena, &statement);
            let (left, relation, right) =
                bounded.map_or((left, relation, right), |bounded| (bounded, Relation::LessEqual, bounded));
            let (left, relation, right) = match (relation, negated) {
                (Relation::Equal, true) => (left, Relation::NotEqual, right),
                (Relation::NotEqual, true) => (left, Relation::Equal, right),
                (Relation::Less, true) => (right, Relation::LessEqual, left),
                (Relation::LessEqual, true) => (right, Relation::Less, left),
                (_, true) => return Statement::Not(Box::new(compare_to(left, relation, right))),
                (_, false) => (left, relation, right),
            };
            Statement::Compare { left, relation, right, named: named && !negated }
        }
        Statement::Belongs { left, relation, right } => {
            normal_membership(arena, (left, relation, right), negated, oracle)
        }
    }
}

/// Returns the normal form of a relation with a set or a point.
fn normal_membership(
    arena: &mut Arena,
    (left, relation, right): (Box<Value>, Relation, Box<Value>),
    negated: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Statement {
    let (relation, negated, oracle) = match relation {
        Relation::NotIn => (Relation::In, !negated, oracle),
        Relation::NotEqual => (Relation::Equal, !negated, oracle),
        relation => (relation, negated, oracle),
    };
    if let (Value::Scalar(element), Relation::In) = (left.as_ref(), relation)
        && let Some(member) = membership(arena, *element, &right, oracle)
    {
        if !negated {
            return normal(arena, member, false, oracle);
        }
        if let Some(outside) = complement(arena, *element, member, oracle) {
            return normal(arena, outside, false, oracle);
        }
    }
    // Membership in a combination without such a statement becomes membership in its parts.
    if let (Value::Scalar(_), Relation::In, Value::Combined(kind, parts)) =
        (left.as_ref(), relation, right.as_ref())
    {
        let parts = parts.iter().map(|part| Statement::Belongs {
            left: left.clone(),
            relation: Relation::In,
            right: Box::new(part.clone()),
        });
        let parts = combination(*kind, parts.collect());
        return normal(arena, parts, negated, oracle);
    }
    if let (Relation::In, Some(points)) = (relation, one_of_points(&left, &right)) {
        return normal(arena, points, negated, oracle);
    }
    if let (Value::Set(a), Value::Set(b)) = (left.as_ref(), right.as_ref())
        && let Some(holds) = inclusion(arena, a, relation, b, oracle)
    {
        return Statement::Constant(holds != negated);
    }
    if let Some(parts) = inclusion_of_elements(&left, relation, &right) {
        return normal(arena, parts, negated, oracle);
    }
    let belongs = Statement::Belongs { left, relation, right };
    if let Some(parts) = by_components(&belongs) {
        return normal(arena, Statement::And(parts), negated, oracle);
    }
    if negated { Statement::Not(Box::new(belongs)) } else { belongs }
}

/// Returns whether a comparison with an infinity is strict.
fn strictness_at_infinity(arena: &Arena, statement: &Statement) -> Option<bool> {
    let &Statement::Compare { left, relation, right, .. } = statement else { return None };
    infinite(arena, left).or(infinite(arena, right))?;
    matches!(relation, Relation::Less | Relation::LessEqual).then_some(relation == Relation::Less)
}

/// Returns the finite side of a comparison that holds for every number, such as `-\infty<x` and `x\le x`.
fn bounded_by_infinity(arena: &Arena, statement: &Statement) -> Option<Id> {
    let &Statement::Compare { left, relation, right, .. } = statement else { return None };
    match (infinite(arena, left), relation, infinite(arena, right)) {
        (Some(Ordering::Less), Relation::Less, None) => Some(right),
        (None, Relation::Less, Some(Ordering::Greater)) => Some(left),
        (None, Relation::LessEqual, None) if left == right => Some(left),
        _ => None,
    }
}

/// Decides whether an inclusion or equality of listed sets holds; `None` if that is unclear.
fn inclusion(
    arena: &mut Arena,
    left: &[Value],
    relation: Relation,
    right: &[Value],
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    let (inner, outer, both) = match relation {
        Relation::SubsetEqual => (left, right, false),
        Relation::SupersetEqual => (right, left, false),
        Relation::Equal => (left, right, true),
        _ => return None,
    };
    let mut within = |inner: &[Value], outer: &[Value]| {
        let free = vec![true; outer.len()];
        let mut all = Verdict::Same;
        for item in inner {
            all = all.and(position(arena, item, outer, &free, oracle).0);
        }
        // Different letters may denote the same number, so only constants prove a difference.
        let constants = |items: &[Value], arena: &Arena| {
            items.iter().all(|item| matches!(item, Value::Scalar(id) if arena.is_constant(*id)))
        };
        match all {
            Verdict::Same => Some(true),
            Verdict::Different if constants(inner, arena) && constants(outer, arena) => Some(false),
            Verdict::Different | Verdict::Unknown => None,
        }
    };
    Some(within(inner, outer)? && (!both || within(outer, inner)?))
}

/// Returns an inclusion or equality of two short lists of scalars as equations: `\{x\}=\{1\}` is `x=1`.
fn inclusion_of_elements(left: &Value, relation: Relation, right: &Value) -> Option<Statement> {
    const MOST: usize = 4;
    let (Value::Set(left), Value::Set(right)) = (left, right) else { return None };
    if left.is_empty() || right.is_empty() || left.len().max(right.len()) > MOST {
        return None;
    }
    let scalars = |items: &[Value]| {
        items
            .iter()
            .map(|item| match item {
                Value::Scalar(id) => Some(*id),
                _ => None,
            })
            .collect::<Option<Vec<Id>>>()
    };
    let (left, right) = (scalars(left)?, scalars(right)?);
    let within = |inner: &[Id], outer: &[Id]| {
        let among = |item: &Id| {
            Statement::Or(outer.iter().map(|other| compare_to(*item, Relation::Equal, *other)).collect())
        };
        inner.iter().map(among).collect::<Vec<Statement>>()
    };
    Some(Statement::And(match relation {
        Relation::SubsetEqual => within(&left, &right),
        Relation::SupersetEqual => within(&right, &left),
        Relation::Equal => {
            let mut both = within(&left, &right);
            both.extend(within(&right, &left));
            both
        }
        _ => return None,
    }))
}

/// Joins parts by *and*, without the constant `true`.
fn flat_and(parts: Vec<Statement>) -> Statement {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Statement::And(inner) => flat.extend(inner),
            Statement::Constant(true) => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Statement::Constant(true),
        1 => flat.swap_remove(0),
        _ => Statement::And(flat),
    }
}

/// Joins parts by *or*, without the constant `false`.
fn flat_or(parts: Vec<Statement>) -> Statement {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Statement::Or(inner) => flat.extend(inner),
            Statement::Constant(false) => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Statement::Constant(false),
        1 => flat.swap_remove(0),
        _ => Statement::Or(flat),
    }
}

/// Returns the statement that a point is one of several: `(x,y)\in\{(1,2),(2,1)\}`.
fn one_of_points(point: &Value, set: &Value) -> Option<Statement> {
    let (Value::Sequence { .. }, Value::Set(items)) = (point, set) else { return None };
    let cases = items.iter().map(|item| {
        let equation = Statement::Belongs {
            left: Box::new(point.clone()),
            relation: Relation::Equal,
            right: Box::new(item.clone()),
        };
        by_components(&equation).map(Statement::And)
    });
    cases.collect::<Option<_>>().map(Statement::Or)
}

/// Returns the sign of an infinite scalar; `None` for other scalars.
pub(super) fn infinite(arena: &Arena, id: Id) -> Option<Ordering> {
    use crate::expr::Constant;
    match arena.node(id) {
        Node::Constant(Constant::Infinity) => Some(Ordering::Greater),
        Node::Product(&([sign, infinity] | [infinity, sign]))
            if sign == Arena::MINUS_ONE
                && matches!(arena.node(infinity), Node::Constant(Constant::Infinity)) =>
        {
            Some(Ordering::Less)
        }
        _ => None,
    }
}

/// Returns whether a name may occur in a statement. Structured values other than sets such as `\mathbb{Z}`
/// are not searched; they may contain every name.
pub(super) fn mentions(arena: &Arena, statement: &Statement, name: Symbol) -> bool {
    match statement {
        Statement::Compare { left, right, .. } => {
            arena.free(*left).contains(name) || arena.free(*right).contains(name)
        }
        Statement::Belongs { left, right, .. } => [left, right].into_iter().any(|side| match side.as_ref() {
            Value::Scalar(id) => arena.free(*id).contains(name),
            Value::Numbers(_) => false,
            _ => true,
        }),
        Statement::Atom(id) => arena.free(*id).contains(name),
        Statement::Constant(_) => false,
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(|part| mentions(arena, part, name)),
        Statement::Not(inner) => mentions(arena, inner, name),
    }
}

/// Replaces a name by a value, except inside sets and other structured values.
pub(super) fn rename(arena: &mut Arena, statement: &mut Statement, name: Symbol, value: Id) {
    match statement {
        Statement::Compare { left, right, .. } => {
            *left = arena.substitute(*left, name, value);
            *right = arena.substitute(*right, name, value);
        }
        Statement::Belongs { left, right, .. } => {
            for side in [left, right] {
                if let Value::Scalar(id) = side.as_mut() {
                    *id = arena.substitute(*id, name, value);
                }
            }
        }
        Statement::Atom(id) => *id = arena.substitute(*id, name, value),
        Statement::Constant(_) => {}
        Statement::And(parts) | Statement::Or(parts) => {
            for part in parts {
                rename(arena, part, name, value);
            }
        }
        Statement::Not(inner) => rename(arena, inner, name, value),
    }
}

/// Returns whether a letter denotes a truth value in a statement.
pub(super) fn has_atom(statement: &Statement) -> bool {
    match statement {
        Statement::Atom(_) => true,
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(has_atom),
        Statement::Not(inner) => has_atom(inner),
        _ => false,
    }
}

pub(super) fn symbols(arena: &Arena, statement: &Statement, found: &mut Vec<Symbol>) {
    match statement {
        Statement::Compare { left, right, .. } => {
            for symbol in arena.free(*left).union(arena.free(*right)).iter() {
                if !found.contains(&symbol) {
                    found.push(symbol);
                }
            }
        }
        Statement::And(parts) | Statement::Or(parts) => {
            for part in parts {
                symbols(arena, part, found);
            }
        }
        Statement::Not(inner) => symbols(arena, inner, found),
        Statement::Belongs { left, .. } => {
            if let Value::Scalar(element) = left.as_ref() {
                found.extend(
                    arena.free(*element).iter().filter(|symbol| !found.contains(symbol)).collect::<Vec<_>>(),
                );
            }
        }
        _ => {}
    }
}
