//! Comparison of piecewise values.
//!
//! The real line is cut where a condition may change its truth, and at the bounds of the domain. On an open
//! piece between two cuts, each side is one formula. The piece is the image of the real line under a map of a
//! parameter `t` (`a + t²`, `b - t²` or `(a + b t²)/(1 + t²)`, which may include one end), and the formulas are
//! compared as functions of `t`. The values at the cuts are compared separately. Points at which a formula
//! has no value do not count, and neither do cuts at which one side has no piece. Where only one side has an
//! open piece with values, the sides differ.

use super::coordinate::{Coordinate, Value as At};
use super::domains::{has_no_value_where, is_never_real};
use super::line::visit_line;
use super::single_points::{FIXED, truth_at};
use super::statement::{self, symbols};
use super::{BoundedOracle, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Symbol, Symbols};
use crate::syntax::Relation;
use std::cmp::Ordering;

/// The name of the parameter along a piece; no name in a text begins with this character.
const ALONG: &str = "\u{2022}t";
/// The values of the parameter, as numerator and denominator, at which the formula of a piece is evaluated.
const PROBES: [(i64, i64); 6] = [(1, 1), (1, 4), (4, 1), (-2, 1), (30, 1), (1, 30)];

/// Compares two values, at least one of which is piecewise.
pub(super) fn compare(arena: &mut Arena, sides: [&Value; 2], oracle: &mut BoundedOracle<'_>) -> Verdict {
    let [Some(first), Some(second)] = sides.map(pieces_of) else { return Verdict::Unknown };
    if let Some(verdict) = on_line(arena, [&first, &second], oracle) {
        return verdict;
    }
    // With several variables in the conditions, for example, the pieces are compared in the order in which
    // they are written.
    if first.len() != second.len() {
        return Verdict::Unknown;
    }
    for ((value, condition), (other, other_condition)) in first.iter().zip(&second) {
        if statement::compare(arena, condition, other_condition, oracle) != Verdict::Same
            || oracle.same(arena, *value, *other) != Verdict::Same
        {
            return Verdict::Unknown;
        }
    }
    Verdict::Same
}

fn pieces_of(value: &Value) -> Option<Vec<(Id, Statement)>> {
    match value {
        Value::Pieces(pieces) => Some(pieces.clone()),
        Value::Scalar(id) => Some(vec![(*id, Statement::Constant(true))]),
        _ => None,
    }
}

/// Compares values whose conditions contain only one variable; `None` if this is not possible.
fn on_line(
    arena: &mut Arena,
    sides: [&[(Id, Statement)]; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let conditions: Vec<Statement> =
        sides.iter().flat_map(|side| side.iter().map(|(_, condition)| condition.clone())).collect();
    let all = Statement::Or(conditions);
    let mut names = Vec::new();
    symbols(arena, &all, &mut names);
    let &[variable] = names.as_slice() else { return None };
    let domain = oracle.domain(arena, variable);
    if domain.integer {
        return None;
    }
    let mut places: Vec<(Coordinate, bool)> = Vec::new();
    let normal = statement::normal(arena, all, false, oracle);
    visit_line(arena, [&normal, &normal], variable, &domain, oracle, &mut |at, is_cut, _| {
        places.push((at, is_cut));
        true
    })?;
    let (mut seen, mut unclear) = (false, false);
    for (at, (place, is_cut)) in places.iter().enumerate() {
        let here = place.expression(arena)?;
        let mut pieces = [None; 2];
        for (piece, side) in pieces.iter_mut().zip(sides) {
            for (id, condition) in side {
                if truth_at(arena, condition, &[(variable, here)], oracle)? {
                    *piece = Some((*id, condition));
                    break;
                }
            }
        }
        let along = if *is_cut {
            here
        } else {
            let mut ends = [None; 2];
            for (end, neighbour) in ends.iter_mut().zip([at.checked_sub(1), at.checked_add(1)]) {
                if let Some((place, is_cut)) = neighbour.and_then(|at| places.get(at)) {
                    // Otherwise the domain excludes the cut between two pieces.
                    is_cut.then_some(())?;
                    *end = Some(place.expression(arena)?);
                }
            }
            image(arena, ends)
        };
        let (first, second) = match pieces {
            [Some((first, _)), Some((second, _))] => (first, second),
            [Some(piece), None] | [None, Some(piece)] if !is_cut => {
                let without = sides[usize::from(pieces[0].is_some())];
                if has_value_along(arena, piece.0, (variable, along), oracle) {
                    return Some(Verdict::Different);
                }
                unclear |= !has_no_value_beside(arena, piece, without, oracle);
                continue;
            }
            _ => continue,
        };
        let (first, second) =
            (arena.substitute(first, variable, along), arena.substitute(second, variable, along));
        if arena.overflowed() {
            return None;
        }
        match oracle.same(arena, first, second) {
            Verdict::Same => seen |= !is_cut,
            _ if *is_cut && [first, second].into_iter().any(|side| has_no_value(arena, side, oracle)) => {}
            Verdict::Different if !is_cut || differ_somewhere(arena, [first, second], oracle) => {
                return Some(Verdict::Different);
            }
            _ => unclear = true,
        }
    }
    Some(if unclear || !seen { Verdict::Unknown } else { Verdict::Same })
}

/// Returns whether a formula certainly has a real value at a point of an open piece, onto which `along` maps
/// the line. Other variables have fixed values there.
fn has_value_along(
    arena: &mut Arena,
    formula: Id,
    (variable, along): (Symbol, Id),
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let formula = arena.substitute(formula, variable, along);
    at_probes(arena, [formula], oracle, |arena, [here], oracle| has_value(arena, here, oracle))
}

/// Returns whether two formulas certainly have different real values for some values of their variables.
fn differ_somewhere(arena: &mut Arena, sides: [Id; 2], oracle: &mut BoundedOracle<'_>) -> bool {
    at_probes(arena, sides, oracle, |arena, [first, second], oracle| {
        let difference = arena.sub(first, second);
        has_value(arena, first, oracle)
            && has_value(arena, second, oracle)
            && matches!(oracle.value(arena, difference), At::Sign(Ordering::Less | Ordering::Greater))
    })
}

/// Returns whether a test of constants succeeds for some fixed values of the variables.
fn at_probes<const N: usize>(
    arena: &mut Arena,
    formulas: [Id; N],
    oracle: &mut BoundedOracle<'_>,
    test: impl Fn(&mut Arena, [Id; N], &mut BoundedOracle<'_>) -> bool,
) -> bool {
    let parameter = arena.symbol(ALONG);
    for (at, (numerator, denominator)) in PROBES.into_iter().enumerate() {
        if !oracle.spend_on_parts(arena, &formulas, 2) {
            return false;
        }
        let mark = arena.mark();
        let value = arena.fraction(numerator, denominator);
        let mut here = formulas.map(|formula| arena.substitute(formula, parameter, value));
        let free = here.iter().fold(Symbols::NONE, |all, &formula| all.union(arena.free(formula)));
        for (place, name) in free.iter().enumerate() {
            let fixed = FIXED[(at + 2 * place) % FIXED.len()];
            let value = arena.fraction(fixed.0, fixed.1);
            if !oracle.admits(arena, &[(name, value)]) {
                break;
            }
            here = here.map(|formula| arena.substitute(formula, name, value));
        }
        if arena.overflowed() {
            return false;
        }
        if here.iter().all(|formula| arena.is_constant(*formula)) && test(arena, here, oracle) {
            return true;
        }
        if !arena.overflowed() {
            arena.truncate(&mark);
        }
    }
    false
}

/// Returns whether the formula of a piece certainly has no real value where the other side has no piece.
fn has_no_value_beside(
    arena: &mut Arena,
    (formula, condition): (Id, &Statement),
    without: &[(Id, Statement)],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let elsewhere = without.iter().map(|(_, condition)| condition.clone()).collect();
    let beside = vec![condition.clone(), Statement::Not(Box::new(Statement::Or(elsewhere)))];
    has_no_value_where(arena, formula, beside, oracle)
}

fn has_value(arena: &mut Arena, constant: Id, oracle: &mut BoundedOracle<'_>) -> bool {
    matches!(oracle.value(arena, constant), At::Sign(_))
}

/// Returns whether an expression certainly has no real value: a constant part has none, or the argument of a
/// partial function is never in its domain.
fn has_no_value(arena: &mut Arena, expression: Id, oracle: &mut BoundedOracle<'_>) -> bool {
    let equation =
        Statement::Compare { left: expression, relation: Relation::Equal, right: Arena::ZERO, named: false };
    if !oracle.spend_on_parts(arena, &[expression], 1) {
        return false;
    }
    let constants: Vec<Id> = if arena.is_constant(expression) {
        vec![expression]
    } else {
        let parts = arena.reachable(&[expression]).into_iter();
        parts.filter(|part| arena.is_constant(*part) && arena.as_number(*part).is_none()).collect()
    };
    constants.into_iter().any(|part| matches!(oracle.value(arena, part), At::Undefined))
        || is_never_real(arena, &equation, oracle)
}

/// Returns a map from the whole line onto an open piece and at most one of its ends, which is the value at 0.
fn image(arena: &mut Arena, ends: [Option<Id>; 2]) -> Id {
    let t = arena.variable(ALONG);
    let square = arena.mul(t, t);
    match ends {
        [None, None] => t,
        [Some(low), None] => arena.add(low, square),
        [None, Some(high)] => arena.sub(high, square),
        [Some(low), Some(high)] => {
            let far = arena.mul(high, square);
            let (numerator, denominator) = (arena.add(low, far), arena.add(Arena::ONE, square));
            arena.div(numerator, denominator)
        }
    }
}
