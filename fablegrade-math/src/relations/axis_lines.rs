//! Comparison of relations in several unknowns on lines parallel to the axes: near 0, far from 0, and on the
//! borders of domains.

use super::coordinate::Coordinate;
use super::domains::{borders, with_value};
use super::line::{Extent, Found, by_size, compare_on_line, visit_line};
use super::single_points::{FIXED, differences_of, is_witness, search};
use super::{BoundedOracle, Counterexample, Statement, Verdict};
use crate::expr::{Arena, CanonicalOrder, Symbol};
use crate::limits::{BORDER_LINES, NEAR_LINES};
use crate::number::Rational;
use crate::points::{Variable, sort_variables};
use crate::syntax::Relation;

/// The number of lines on which both sides must hold at the same points to be called the same without a
/// proof.
pub(super) const ENOUGH_LINES: u32 = 4;
/// Values of the other unknowns on lines far from 0.
const FAR_FIXED: [(i64, i64); 4] = [(29, 3), (-47, 2), (203, 4), (-13, 1)];

/// Compares on lines parallel to the axes. A difference is certain; enough lines without a difference count
/// as agreement.
pub(super) fn on_lines(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let (mut same, mut unclear) = (0, false);
    let mut differences = Vec::new();
    for statement in statements {
        differences_of(arena, statement, &mut differences);
    }
    by_size(arena, &mut differences);
    // The lines do not depend on the order of the sides.
    let mut variables: Vec<Variable> =
        unknowns.iter().map(|&symbol| Variable { symbol, domain: oracle.domain(arena, symbol) }).collect();
    sort_variables(
        arena,
        (&differences, &arena.reachable(&differences)),
        &mut variables,
        &mut CanonicalOrder::default(),
    );
    let unknowns: Vec<Symbol> = variables.iter().map(|variable| variable.symbol).collect();
    let all = lines(arena, statements, &unknowns, oracle)?;
    for (unknown, point) in all.iter().cloned() {
        if !oracle.spend_on_parts(arena, &differences, 2 * unknowns.len()) {
            return None;
        }
        match on_line(arena, statements, (point, unknown), oracle)? {
            Found::Different(..) => return Some(Verdict::Different),
            Found::Same(Extent::Somewhere) => same += 1,
            Found::Same(_) => {}
            Found::Unknown => unclear = true,
        }
    }
    if same >= ENOUGH_LINES && !unclear && meet_all_parts(arena, statements, &all, oracle) {
        // Lines can miss single points without a value.
        if search(arena, statements, oracle) == Verdict::Different {
            return Some(Verdict::Different);
        }
        oracle.note_agreement(same, super::AGREED_BITS);
        return Some(Verdict::Same);
    }
    None
}

/// Returns whether the lines are evidence for statements of several parts: each comparison decides its statement on some
/// line, where both change their truth at one place. The lines miss a part such as `(x-9)^2+(y-9)^2<1`, which holds in
/// a small region only.
fn meet_all_parts(
    arena: &mut Arena,
    statements: [&Statement; 2],
    lines: &[PlaneLine],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    statements.into_iter().all(|statement| {
        if matches!(statement, Statement::Compare { .. }) {
            return true;
        }
        let mut parts = Vec::new();
        comparisons_of(statement, &mut parts);
        parts.into_iter().all(|part| {
            lines.iter().any(|line| change_together(arena, [statement, part], line, oracle) == Some(true))
        })
    })
}

/// Collects the comparisons in a statement.
fn comparisons_of<'s>(statement: &'s Statement, found: &mut Vec<&'s Statement>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().for_each(|part| comparisons_of(part, found));
        }
        Statement::Not(inner) => comparisons_of(inner, found),
        Statement::Compare { .. } => found.push(statement),
        _ => {}
    }
}

/// Returns whether two statements change their truth at one place of a line.
fn change_together(
    arena: &mut Arena,
    statements: [&Statement; 2],
    (unknown, point): &PlaneLine,
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    let mark = arena.mark();
    let mut fixed = statements.map(Clone::clone);
    for (name, at) in point {
        let value = at.expression(arena)?;
        for statement in &mut fixed {
            *statement = with_value(arena, statement, *name, value, oracle)?;
        }
    }
    let domain = oracle.domain(arena, *unknown);
    let mut before: Option<[Option<bool>; 2]> = None;
    let mut together = false;
    let visited =
        visit_line(arena, [&fixed[0], &fixed[1]], *unknown, &domain, oracle, &mut |_, _, truths| {
            let changed = |at: usize| {
                before.is_some_and(|before| {
                    before[at].is_some() && truths[at].is_some() && before[at] != truths[at]
                })
            };
            together |= changed(0) && changed(1);
            before = Some(truths);
            !together
        });
    if arena.overflowed() {
        return None;
    }
    arena.truncate(&mark);
    visited.map(|()| together).or(together.then_some(true))
}

/// The unknown that varies along a line, and the values of the others.
type PlaneLine = (Symbol, Vec<(Symbol, Coordinate)>);

/// Returns lines parallel to the axes: near 0, far from 0, and on borders at which a part ceases to have a
/// value. Only borders of a single unknown (`x=c`) are included: a line that is parallel to such a border and
/// does not lie on it never meets the border.
fn lines(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<PlaneLine>> {
    let borders = border_values(arena, statements, unknowns, oracle);
    let (mut on_borders, mut all) = (Vec::new(), Vec::new());
    for (main, unknown) in unknowns.iter().enumerate() {
        let others = |round: usize, border: Option<&(usize, Coordinate)>, arena: &mut Arena| {
            let mut point = Vec::with_capacity(unknowns.len());
            for (at, other) in unknowns.iter().enumerate().filter(|(at, _)| *at != main) {
                if let Some((_, value)) = border.filter(|(place, _)| *place == at) {
                    point.push((*other, value.clone()));
                    continue;
                }
                let values = if round < NEAR_LINES { &FIXED[..] } else { &FAR_FIXED[..] };
                let (numerator, denominator) = values[(at + 3 * round + main) % values.len()];
                let value = Rational::new(numerator + (at / values.len()) as i64, denominator)?;
                let domain = oracle.domain(arena, *other);
                let value = if domain.contains(&value) { value } else { inside(&domain)? };
                point.push((*other, Coordinate::Rational(value)));
            }
            Some(point)
        };
        for border in borders.iter().filter(|(place, _)| *place != main) {
            on_borders.push((*unknown, others(0, Some(border), arena)?));
        }
        for round in 0..NEAR_LINES + FAR_FIXED.len() {
            all.push((*unknown, others(round, None, arena)?));
        }
    }
    // The borders are first, because the sides are most likely to differ there.
    on_borders.append(&mut all);
    Some(on_borders)
}

/// Returns the values of single unknowns at which the argument of a partial function vanishes.
fn border_values(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Vec<(usize, Coordinate)> {
    let mut found = Vec::new();
    for argument in borders(arena, statements, oracle) {
        let names: Vec<Symbol> = arena.free(argument).iter().collect();
        let &[name] = names.as_slice() else { continue };
        let Some(place) = unknowns.iter().position(|unknown| *unknown == name) else { continue };
        let vanishes = Statement::Compare {
            left: argument,
            relation: Relation::Equal,
            right: Arena::ZERO,
            named: false,
        };
        let domain = oracle.domain(arena, name);
        let _ =
            visit_line(arena, [&vanishes, &vanishes], name, &domain, oracle, &mut |at, is_cut, truths| {
                if is_cut && truths[0] == Some(true) {
                    found.push((place, at));
                }
                found.len() < BORDER_LINES
            });
    }
    found.truncate(BORDER_LINES);
    found
}

/// Compares on a line, which fixes all unknowns but one. A difference is checked again and becomes the
/// counterexample. `None` if the expressions become too large.
fn on_line(
    arena: &mut Arena,
    statements: [&Statement; 2],
    (mut point, unknown): (Vec<(Symbol, Coordinate)>, Symbol),
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    let mark = arena.mark();
    let mut fixed = statements.map(|statement| Some(statement.clone()));
    for (name, at) in &point {
        let Some(value) = at.expression(arena) else { return Some(Found::Unknown) };
        fixed = fixed.map(|statement| with_value(arena, &statement?, *name, value, oracle));
    }
    let mut found = match &fixed {
        [Some(a), Some(b)] => compare_on_line(arena, [a, b], unknown, oracle),
        _ => Found::Unknown,
    };
    if let Found::Different(at, first) = &found {
        point.push((unknown, at.clone()));
        oracle.counterexample = Some(Counterexample { point, first: *first });
        // After substitution, `x^x` at -1/5 is a fifth root with a value, although `x^x` has none there.
        if is_witness(arena, statements, oracle) {
            return Some(found);
        }
        oracle.counterexample = None;
        found = Found::Unknown;
    }
    if arena.overflowed() {
        return None;
    }
    arena.truncate(&mark);
    Some(found)
}

/// Returns a number inside a domain.
fn inside(domain: &crate::points::Domain) -> Option<Rational> {
    let start = match (&domain.min, &domain.max) {
        (Some(min), _) => min.ceil(),
        (None, Some(max)) => max.floor(),
        _ => Rational::ZERO,
    };
    let step = if domain.min.is_some() || domain.max.is_none() { Rational::ONE } else { Rational::MINUS_ONE };
    let mut value = start;
    for _ in 0..=domain.exclude.len() + 1 {
        if domain.contains(&value) {
            return Some(value);
        }
        value = value.checked_add(&step)?;
    }
    let middle = domain.min.as_ref()?.checked_add(domain.max.as_ref()?)?.checked_mul(&Rational::HALF)?;
    domain.contains(&middle).then_some(middle)
}
