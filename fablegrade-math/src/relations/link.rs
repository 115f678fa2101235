//! Logical relations between atoms of statements: comparisons by a constant factor, memberships part by part.

use super::compare::values;
use super::domains::{have_one_domain, is_total};
use super::{BoundedOracle, Statement, Verdict};
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::syntax::Relation;
use std::cmp::Ordering;

/// The relation between two atoms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Link {
    Same,
    /// Exactly one of them holds.
    Opposite,
    None,
    Unknown,
}

/// Decides the relation between two atoms.
pub(super) fn link(arena: &mut Arena, a: &Statement, b: &Statement, oracle: &mut BoundedOracle<'_>) -> Link {
    match (a, b) {
        (Statement::Not(a), b) | (b, Statement::Not(a)) => match link(arena, a, b, oracle) {
            Link::Same => Link::Opposite,
            Link::Opposite => Link::Same,
            other => other,
        },
        (Statement::Atom(a), Statement::Atom(b)) => {
            if a == b {
                Link::Same
            } else {
                Link::None
            }
        }
        (Statement::Constant(a), Statement::Constant(b)) => {
            if a == b {
                Link::Same
            } else {
                Link::Opposite
            }
        }
        (
            Statement::Belongs { left, relation, right },
            Statement::Belongs { left: left_b, relation: relation_b, right: right_b },
        ) => {
            if relation != relation_b {
                return Link::None;
            }
            let straight = values(arena, left, left_b, oracle).and(values(arena, right, right_b, oracle));
            let symmetric = matches!(relation, Relation::Equal | Relation::NotEqual);
            let turned = if symmetric && straight != Verdict::Same {
                values(arena, left, right_b, oracle).and(values(arena, right, left_b, oracle))
            } else {
                Verdict::Different
            };
            match (straight, turned) {
                (Verdict::Same, _) | (_, Verdict::Same) => Link::Same,
                (Verdict::Different, Verdict::Different) => Link::None,
                _ => Link::Unknown,
            }
        }
        (Statement::Compare { .. }, Statement::Compare { .. }) => {
            let found = link_where_defined(arena, a, b, oracle);
            // Where a side has no value, neither comparison holds.
            let is_certain = match found {
                Link::Same => have_one_domain(arena, [a, b], oracle),
                Link::Opposite => [a, b].into_iter().all(|side| is_total(arena, side, oracle)),
                Link::None | Link::Unknown => true,
            };
            if is_certain { found } else { Link::Unknown }
        }
        _ => Link::None,
    }
}

/// Works like [`link`], but for comparisons decides the relation where all sides have values.
pub(super) fn link_where_defined(
    arena: &mut Arena,
    a: &Statement,
    b: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Link {
    match (a, b) {
        (
            &Statement::Compare { left, relation, right, .. },
            &Statement::Compare { left: left_b, relation: relation_b, right: right_b, .. },
        ) => comparisons(arena, (left, relation, right), (left_b, relation_b, right_b), oracle),
        _ => link(arena, a, b, oracle),
    }
}

/// Returns the relation between two comparisons.
///
/// This function is long because it contains the cases of one table.
fn comparisons(
    arena: &mut Arena,
    a: (Id, Relation, Id),
    b: (Id, Relation, Id),
    oracle: &mut BoundedOracle<'_>,
) -> Link {
    let equation = |relation| matches!(relation, Relation::Equal | Relation::NotEqual);
    let order = |relation| matches!(relation, Relation::Less | Relation::LessEqual);
    if a.0 == b.0 && a.2 == b.2 && a.1 == b.1 {
        return Link::Same;
    }
    let has_infinity = |arena: &Arena, id| {
        arena.any(id, |node| {
            matches!(
                node,
                Node::Constant(crate::expr::Constant::Infinity | crate::expr::Constant::ComplexInfinity)
            )
        })
    };
    if [a.0, a.2, b.0, b.2].into_iter().any(|id| has_infinity(arena, id)) || !equation(a.1) && !order(a.1) {
        // Differences of infinities are not defined, and a factor does not preserve `\approx`. So the sides
        // are compared.
        if a.1 != b.1 {
            return Link::None;
        }
        let straight = oracle.same(arena, a.0, b.0).and(oracle.same(arena, a.2, b.2));
        let symmetric = matches!(
            a.1,
            Relation::Equal | Relation::NotEqual | Relation::Approximate | Relation::Equivalent
        );
        if symmetric
            && straight != Verdict::Same
            && oracle.same(arena, a.0, b.2).and(oracle.same(arena, a.2, b.0)) == Verdict::Same
        {
            return Link::Same;
        }
        return match straight {
            Verdict::Same => Link::Same,
            Verdict::Different => Link::None,
            Verdict::Unknown => Link::Unknown,
        };
    }
    if equation(a.1) != equation(b.1) || order(a.1) != order(b.1) {
        return Link::None;
    }
    if let (Node::Apply(Function::Mod, &[u, n]), Node::Apply(Function::Mod, &[v, m])) =
        (arena.node(a.0), arena.node(b.0))
        && (a.1, b.1) == (Relation::Equal, Relation::Equal)
        && (a.2, b.2) == (Arena::ZERO, Arena::ZERO)
        && oracle.same(arena, n, m) == Verdict::Same
    {
        // `n` divides `u` if it divides `-u`.
        let minus = arena.neg(v);
        if oracle.same(arena, u, v) == Verdict::Same || oracle.same(arena, u, minus) == Verdict::Same {
            return Link::Same;
        }
    }
    let (first, second) = (arena.sub(a.0, a.2), arena.sub(b.0, b.2));
    let factor = proportion(arena, first, second, oracle);
    match factor {
        Proportion::Both(..)
            if order(a.1) && [first, second].into_iter().any(|side| oracle.sign(arena, side).is_none()) =>
        {
            Link::Unknown
        }
        Proportion::Both(first, second) => {
            // Both differences are constants, so each comparison is true or false.
            let holds = |relation, sign| match relation {
                Relation::Equal => sign == Ordering::Equal,
                Relation::NotEqual => sign != Ordering::Equal,
                Relation::Less => sign == Ordering::Less,
                _ => sign != Ordering::Greater,
            };
            if holds(a.1, first) == holds(b.1, second) { Link::Same } else { Link::Opposite }
        }
        Proportion::Factor(_) if equation(a.1) => {
            if a.1 == b.1 {
                Link::Same
            } else {
                Link::Opposite
            }
        }
        Proportion::Factor(Some(true)) if a.1 == b.1 => Link::Same,
        Proportion::Factor(Some(false)) if a.1 != b.1 => Link::Opposite,
        Proportion::Factor(Some(_)) => Link::None,
        Proportion::Factor(None) | Proportion::Unknown => Link::Unknown,
        Proportion::None => Link::None,
    }
}

enum Proportion {
    /// A constant factor that is not 0; `true` if it is positive, `None` if its sign is unknown.
    Factor(Option<bool>),
    /// Both are constants, with these signs.
    Both(Ordering, Ordering),
    None,
    Unknown,
}

/// The values of the variables in the search for a factor.
const PROBES: [[(i64, i64); 4]; 3] = [
    [(2, 3), (7, 5), (11, 13), (17, 19)],
    [(5, 2), (1, 7), (9, 4), (3, 11)],
    [(-3, 5), (13, 8), (-7, 9), (4, 15)],
];

/// Decides whether one difference of sides is a constant multiple of the other.
fn proportion(arena: &mut Arena, a: Id, b: Id, oracle: &mut BoundedOracle<'_>) -> Proportion {
    if arena.is_constant(a) && arena.is_constant(b) {
        let equal = |verdict| match verdict {
            Verdict::Same => Some(Ordering::Equal),
            // For an equation, any sign but 0 is enough.
            Verdict::Different => Some(Ordering::Greater),
            Verdict::Unknown => None,
        };
        let mut sign = |arena: &mut Arena, id| {
            oracle.sign(arena, id).or_else(|| equal(oracle.same(arena, id, Arena::ZERO)))
        };
        return match (sign(arena, a), sign(arena, b)) {
            (Some(a), Some(b)) => Proportion::Both(a, b),
            _ => Proportion::Unknown,
        };
    }
    match oracle.same(arena, a, b) {
        Verdict::Same => return Proportion::Factor(Some(true)),
        _ => {
            let minus = arena.neg(b);
            if oracle.same(arena, a, minus) == Verdict::Same {
                return Proportion::Factor(Some(false));
            }
        }
    }
    match (oracle.same(arena, a, Arena::ZERO), oracle.same(arena, b, Arena::ZERO)) {
        (Verdict::Same, Verdict::Same) => return Proportion::Factor(Some(true)),
        (Verdict::Same, _) | (_, Verdict::Same) => return Proportion::None,
        _ => {}
    }
    let symbols: Vec<Symbol> = arena.free(a).union(arena.free(b)).iter().collect();
    let mut unknown = true;
    for probe in &PROBES {
        let (mut at_a, mut at_b) = (a, b);
        for (n, symbol) in symbols.iter().enumerate() {
            let (numerator, denominator) = probe[n % 4];
            let value = arena.fraction(numerator + (n / 4) as i64, denominator);
            at_a = arena.substitute(at_a, *symbol, value);
            at_b = arena.substitute(at_b, *symbol, value);
        }
        if arena.overflowed() {
            return Proportion::Unknown;
        }
        match (oracle.same(arena, at_a, Arena::ZERO), oracle.same(arena, at_b, Arena::ZERO)) {
            (Verdict::Same, Verdict::Different) | (Verdict::Different, Verdict::Same) => {
                return Proportion::None;
            }
            (Verdict::Different, Verdict::Different) => {
                let factor = arena.div(at_a, at_b);
                let scaled = arena.mul(factor, b);
                match oracle.same(arena, a, scaled) {
                    Verdict::Same => {
                        let positive = oracle.sign(arena, factor).map(|sign| sign == Ordering::Greater);
                        return Proportion::Factor(positive);
                    }
                    Verdict::Different => return Proportion::None,
                    Verdict::Unknown => {}
                }
            }
            (Verdict::Same, Verdict::Same) => unknown = false,
            _ => {}
        }
    }
    if unknown { Proportion::Unknown } else { Proportion::None }
}
