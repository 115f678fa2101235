//! Equations, inequalities and what is built from them.

use super::apart::{Apart, told_apart};
use super::compare::position;
use super::link::{Link, link};
use super::number_line::RealSet;
use super::truth_table::by_truth_table;
use super::{Asking, Combination, Statement, Value, Verdict};
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::syntax::{Delimiter, Relation};
use std::cmp::Ordering;

/// Whether two statements say the same.
pub(super) fn compare(arena: &mut Arena, a: &Statement, b: &Statement, asking: &mut Asking<'_>) -> Verdict {
    let a = normal(arena, a.clone(), false, asking);
    let b = normal(arena, b.clone(), false, asking);
    if a == b {
        return Verdict::Same;
    }
    let mut verdict = Verdict::Different;
    // equations are compared as equations
    let mut by_form = false;
    if let (
        Statement::Compare { relation: relation_a, .. },
        Statement::Compare { relation: relation_b, .. },
    ) = (&a, &b)
    {
        by_form = ![relation_a, relation_b].into_iter().any(|relation| is_order(*relation));
        match link(arena, &a, &b, asking) {
            Link::Same => return Verdict::Same,
            Link::Unknown => verdict = Verdict::Unknown,
            _ => {}
        }
    } else {
        match by_truth_table(arena, &a, &b, asking) {
            Verdict::Same => return Verdict::Same,
            other => verdict = other,
        }
        // x=2 or x=-2 is x^2=4
        if !has_congruence(arena, &a)
            && !has_congruence(arena, &b)
            && let (Some(a), Some(b)) = (as_equation(arena, &a), as_equation(arena, &b))
        {
            match link(arena, &a, &b, asking) {
                Link::Same => return Verdict::Same,
                Link::Unknown => verdict = Verdict::Unknown,
                _ => {}
            }
        }
    }
    let congruence = has_congruence(arena, &a) || has_congruence(arena, &b);
    let (mut symbols_a, mut symbols_b) = (Vec::new(), Vec::new());
    symbols(arena, &a, &mut symbols_a);
    symbols(arena, &b, &mut symbols_b);
    let bounded = symbols_a.iter().chain(&symbols_b).any(|symbol| asking.is_bounded(arena, *symbol));
    if !congruence
        && (has_inequality(&a) || has_inequality(&b))
        && let ([x], [y]) = (symbols_a.as_slice(), symbols_b.as_slice())
        && x == y
        && let Some(first) = RealSet::of_statement(arena, &a, *x, asking)
        && let Some(second) = RealSet::of_statement(arena, &b, *x, asking)
    {
        match first.equals(arena, &second, asking) {
            Some(true) => return Verdict::Same,
            Some(false) if !bounded => return Verdict::Different,
            Some(false) => verdict = Verdict::Different,
            None => return Verdict::Unknown,
        }
    }
    // what is not solved is different only where a point shows it
    let numeric = is_numeric(&a) && is_numeric(&b);
    let needs_a_point =
        numeric && !by_form || has_inequality(&a) || has_inequality(&b) || congruence || bounded;
    if verdict == Verdict::Different
        && needs_a_point
        && matches!(told_apart(arena, [&a, &b], asking), Apart::Nothing)
    {
        verdict = Verdict::Unknown;
    }
    verdict
}

fn is_order(relation: Relation) -> bool {
    matches!(relation, Relation::Less | Relation::LessEqual)
}

/// Whether all parts compare numbers.
fn is_numeric(statement: &Statement) -> bool {
    match statement {
        Statement::Compare { .. } | Statement::Constant(_) => true,
        Statement::And(parts) | Statement::Or(parts) => parts.iter().all(is_numeric),
        Statement::Not(inner) => is_numeric(inner),
        Statement::Atom(_) | Statement::Belongs { .. } => false,
    }
}

/// A point at which one of two statements holds and the other does not, and which.
pub(super) fn point_between(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    asking: &mut Asking<'_>,
) -> Option<(Vec<(Symbol, Id)>, bool)> {
    let a = normal(arena, a.clone(), false, asking);
    let b = normal(arena, b.clone(), false, asking);
    if let Apart::Point(point, first) = told_apart(arena, [&a, &b], asking) {
        return Some((point, first));
    }
    let mut names = Vec::new();
    symbols(arena, &a, &mut names);
    symbols(arena, &b, &mut names);
    let [name] = *names else { return None };
    if asking.is_bounded(arena, name) {
        return None;
    }
    let first = RealSet::of_statement(arena, &a, name, asking)?;
    let second = RealSet::of_statement(arena, &b, name, asking)?;
    let (number, first) = first.number_between(arena, &second, asking)?;
    Some((vec![(name, number)], first))
}

/// The real values of a name for which a statement about it alone holds, if they can be found.
pub(super) fn solutions(
    arena: &mut Arena,
    name: Symbol,
    statement: &Statement,
    asking: &mut Asking<'_>,
) -> Option<RealSet> {
    if asking.is_bounded(arena, name) {
        return None;
    }
    let statement = normal(arena, statement.clone(), false, asking);
    let mut about = Vec::new();
    symbols(arena, &statement, &mut about);
    if about.iter().any(|symbol| *symbol != name) {
        return None;
    }
    RealSet::of_statement(arena, &statement, name, asking)
}

/// `(x,y)=(1,2)` is `x=1` and `y=2`.
pub(super) fn by_components(statement: &Statement) -> Option<Vec<Statement>> {
    let Statement::Belongs { left, relation: Relation::Equal, right } = statement else { return None };
    let (Value::Sequence { items: left, .. }, Value::Sequence { items: right, .. }) =
        (left.as_ref(), right.as_ref())
    else {
        return None;
    };
    if left.len() != right.len() {
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

fn compare_to(left: Id, relation: Relation, right: Id) -> Statement {
    Statement::Compare { left, relation, right, named: false }
}

/// Negations pushed inwards, memberships written as comparisons, absolute values and even powers resolved.
pub(super) fn normal(
    arena: &mut Arena,
    statement: Statement,
    negated: bool,
    asking: &mut Asking<'_>,
) -> Statement {
    match statement {
        Statement::Not(inner) => normal(arena, *inner, !negated, asking),
        Statement::And(parts) | Statement::Or(parts) if parts.len() == 1 => {
            let only = parts.into_iter().next().unwrap_or(Statement::Constant(true));
            normal(arena, only, negated, asking)
        }
        Statement::And(mut parts) => {
            // every number is above -∞: said beside something else, it says nothing
            if parts.iter().any(|part| !says_nothing(arena, part)) {
                parts.retain(|part| !says_nothing(arena, part));
            }
            let parts: Vec<Statement> =
                parts.into_iter().map(|part| normal(arena, part, negated, asking)).collect();
            if negated { flat_or(parts) } else { flat_and(parts) }
        }
        Statement::Or(parts) => {
            let parts = parts.into_iter().map(|part| normal(arena, part, negated, asking)).collect();
            if negated { flat_and(parts) } else { flat_or(parts) }
        }
        Statement::Constant(truth) => Statement::Constant(truth != negated),
        Statement::Atom(_) if negated => Statement::Not(Box::new(statement)),
        Statement::Atom(_) => statement,
        Statement::Compare { left, relation, right, named } => {
            let (left, relation, right) = match (relation, negated) {
                (Relation::Equal, true) => (left, Relation::NotEqual, right),
                (Relation::NotEqual, true) => (left, Relation::Equal, right),
                (Relation::Less, true) => (right, Relation::LessEqual, left),
                (Relation::LessEqual, true) => (right, Relation::Less, left),
                (_, true) => return Statement::Not(Box::new(compare_to(left, relation, right))),
                (_, false) => (left, relation, right),
            };
            resolve_size(arena, left, relation, right, asking).unwrap_or(Statement::Compare {
                left,
                relation,
                right,
                named: named && !negated,
            })
        }
        Statement::Belongs { left, relation, right } => {
            let (relation, negated) = match relation {
                Relation::NotIn => (Relation::In, !negated),
                Relation::NotEqual => (Relation::Equal, !negated),
                relation => (relation, negated),
            };
            if let (Value::Scalar(element), Relation::In) = (left.as_ref(), relation)
                && let Some(member) = membership(arena, *element, &right)
            {
                return normal(arena, member, negated, asking);
            }
            if let (Value::Set(a), Value::Set(b)) = (left.as_ref(), right.as_ref())
                && let Some(holds) = inclusion(arena, a, relation, b, asking)
            {
                return Statement::Constant(holds != negated);
            }
            let belongs = Statement::Belongs { left, relation, right };
            if let Some(parts) = by_components(&belongs) {
                return normal(arena, Statement::And(parts), negated, asking);
            }
            if negated { Statement::Not(Box::new(belongs)) } else { belongs }
        }
    }
}

fn says_nothing(arena: &Arena, statement: &Statement) -> bool {
    match statement {
        Statement::Compare { left, relation: Relation::Less, right, .. } => {
            let ends = (infinite(arena, *left), infinite(arena, *right));
            matches!(ends, (Some(Ordering::Less), None) | (None, Some(Ordering::Greater)))
        }
        _ => false,
    }
}

/// Whether one listed set is part of another, or equal to it.
fn inclusion(
    arena: &mut Arena,
    left: &[Value],
    relation: Relation,
    right: &[Value],
    asking: &mut Asking<'_>,
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
            all = all.and(position(arena, item, outer, &free, asking).0);
        }
        // letters may stand for the same number
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

fn flat_and(parts: Vec<Statement>) -> Statement {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Statement::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Statement::And(flat)
}

fn flat_or(parts: Vec<Statement>) -> Statement {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Statement::Or(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    Statement::Or(flat)
}

/// Belonging to a listed set or an interval, said with comparisons.
fn membership(arena: &mut Arena, element: Id, set: &Value) -> Option<Statement> {
    match set {
        Value::Set(items) if !items.is_empty() => items
            .iter()
            .map(|item| match item {
                Value::Scalar(value) => Some(compare_to(element, Relation::Equal, *value)),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(Statement::Or),
        Value::Sequence { open, close, items } => {
            let [Value::Scalar(from), Value::Scalar(to)] = items.as_slice() else { return None };
            let relation = |side| match side {
                Delimiter::Bracket => Some(Relation::LessEqual),
                Delimiter::Paren | Delimiter::Reversed => Some(Relation::Less),
                _ => None,
            };
            let (open, close) = (relation(*open)?, relation(*close)?);
            let mut parts = Vec::with_capacity(2);
            if infinite(arena, *from) != Some(Ordering::Less) {
                parts.push(compare_to(*from, open, element));
            }
            if infinite(arena, *to) != Some(Ordering::Greater) {
                parts.push(compare_to(element, close, *to));
            }
            Some(if parts.is_empty() {
                // every real number, still a statement about the element
                compare_to(element, Relation::LessEqual, element)
            } else {
                Statement::And(parts)
            })
        }
        Value::Combined(kind, parts) => {
            let mut parts =
                parts.iter().map(|part| membership(arena, element, part)).collect::<Option<Vec<_>>>()?;
            Some(match kind {
                Combination::Union => Statement::Or(parts),
                Combination::Intersection => Statement::And(parts),
                Combination::Difference => {
                    let last = parts.pop()?;
                    parts.push(Statement::Not(Box::new(last)));
                    Statement::And(parts)
                }
            })
        }
        _ => None,
    }
}

/// Which infinity a scalar is.
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

/// `|u|<c` is `u<c` and `-c<u`; `u^{2n}<c` with positive c likewise.
fn resolve_size(
    arena: &mut Arena,
    left: Id,
    relation: Relation,
    right: Id,
    asking: &mut Asking<'_>,
) -> Option<Statement> {
    if !matches!(relation, Relation::Less | Relation::LessEqual) {
        return None;
    }
    for (size, bound, smaller) in [(left, right, true), (right, left, false)] {
        if !arena.is_constant(bound) {
            continue;
        }
        let (inner, bound) = match arena.node(size) {
            Node::Apply(Function::Abs, &[inner]) => (inner, bound),
            Node::Power(base, exponent) => {
                let degree = arena.as_integer(exponent).filter(|degree| *degree > 0 && degree % 2 == 0)?;
                if asking.sign(arena, bound) != Some(Ordering::Greater) {
                    return None;
                }
                let degree = arena.integer(degree);
                (base, arena.root(degree, bound))
            }
            _ => continue,
        };
        let minus = arena.neg(bound);
        return Some(if smaller {
            Statement::And(vec![compare_to(inner, relation, bound), compare_to(minus, relation, inner)])
        } else {
            Statement::Or(vec![compare_to(bound, relation, inner), compare_to(inner, relation, minus)])
        });
    }
    None
}

/// Equations joined by *or*, as the equation of their product.
fn as_equation(arena: &mut Arena, statement: &Statement) -> Option<Statement> {
    match statement {
        Statement::Compare { relation: Relation::Equal, .. } => Some(statement.clone()),
        Statement::Or(parts) => {
            let mut factors = Vec::with_capacity(parts.len());
            for part in parts {
                let Statement::Compare { left, relation: Relation::Equal, right, .. } = part else {
                    return None;
                };
                let factor = arena.sub(*left, *right);
                if !factors.contains(&factor) {
                    factors.push(factor);
                }
            }
            let product = arena.product(&factors);
            Some(compare_to(product, Relation::Equal, Arena::ZERO))
        }
        _ => None,
    }
}

fn has_inequality(statement: &Statement) -> bool {
    match statement {
        Statement::Compare { relation, .. } => {
            matches!(relation, Relation::Less | Relation::LessEqual | Relation::NotEqual)
        }
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(has_inequality),
        Statement::Not(inner) => has_inequality(inner),
        _ => false,
    }
}

/// Whether a remainder is said to be 0 somewhere.
fn has_congruence(arena: &Arena, statement: &Statement) -> bool {
    match statement {
        Statement::Compare { left, .. } => {
            matches!(arena.node(*left), Node::Apply(Function::Mod, _))
        }
        Statement::And(parts) | Statement::Or(parts) => parts.iter().any(|part| has_congruence(arena, part)),
        Statement::Not(inner) => has_congruence(arena, inner),
        _ => false,
    }
}

/// Whether a name occurs in a statement.
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

/// Puts a value in the place of a name, in comparisons and the elements of memberships.
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

/// Whether a letter stands for a truth value somewhere.
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

// ---- names and values -------------------------------------------------------------------------------------

/// The values a statement gives to a name: `x=3`, `x=1` or `x=2`, `x\in M`, `(p,q)=(3,2)`.
pub(super) fn named_values(arena: &Arena, statement: &Statement) -> Option<Vec<Value>> {
    match statement {
        Statement::Compare { relation: Relation::Equal, right, named: true, .. } => {
            Some(vec![Value::Scalar(*right)])
        }
        // said of different values, "x=1 and x=2" lists them
        Statement::Or(parts) | Statement::And(parts) => {
            let mut name = None;
            let mut values = Vec::with_capacity(parts.len());
            for part in parts {
                let Statement::Compare { left, relation: Relation::Equal, right, named: true } = part else {
                    return None;
                };
                if *name.get_or_insert(*left) != *left {
                    return None;
                }
                values.push(Value::Scalar(*right));
            }
            Some(values)
        }
        Statement::Belongs { left, relation: Relation::Equal | Relation::In, right } => {
            let name = |value: &Value| matches!(value, Value::Scalar(id) if matches!(arena.node(*id), Node::Symbol(_)));
            let names = match left.as_ref() {
                Value::Sequence { items, .. } => items.iter().all(name),
                Value::Ratio(parts) => parts.iter().all(|part| matches!(arena.node(*part), Node::Symbol(_))),
                other => name(other),
            };
            names.then(|| vec![right.as_ref().clone()])
        }
        _ => None,
    }
}
