//! The comparison of relations by the points at which they hold.
//!
//! 1. Linear systems: exact elimination ([`linear`](super::linear)).
//! 2. One unknown: the line is cut ([`line`](super::line)), or the circle for sines and cosines of one
//!    argument.
//! 3. Several unknowns: equations and inequalities that are multiples of each other are the same. Otherwise
//!    the plane of two unknowns is cut by projection. If that does not decide, an unknown that an equation
//!    determines is substituted, the solutions of systems are compared, or the relations are compared on
//!    lines parallel to the axes.
//! 4. Relations that hold everywhere or nowhere are compared by their sides, because their truth does not
//!    distinguish them.

use super::axis_lines::{ENOUGH_LINES, on_lines};
use super::by_cases::by_cases;
use super::circle::compare_on_circle;
use super::coordinate::Coordinate;
use super::critical::critical;
use super::domains::{have_one_complex_domain, have_one_domain, is_never_real, is_total, with_value};
use super::inverse::inverted;
use super::line::{
    Extent, Found, by_size, compare_on_line, compare_within, cut_at_integers, is_order_or_equality,
};
use super::linear::compare_linear;
use super::link::{Link, link, link_where_defined};
use super::listed_numbers::beside_listed;
use super::monotone::without_increasing;
use super::read::BOUND;
use super::single_points::{FIXED, differences_of, is_witness, search, truth_at};
use super::solution_sets::orders;
use super::statement::{infinite, rename, symbols};
use super::substitution::by_substitution;
use super::systems::by_solutions;
use super::{BoundedOracle, Counterexample, Statement, Verdict};
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::limits::PLANE_CUTS;
use crate::number::Rational;
use crate::points::Domain;
use crate::polynomial::plane::projection;
use crate::polynomial::{Sparse, real_roots};
use crate::syntax::Relation;
use dashu_int::IBig;

/// Compares two normalised statements by the points at which they hold; `None` unless both consist of
/// equations and inequalities without infinity and remainders.
pub(super) fn solve(
    arena: &mut Arena,
    statements: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let verdict = decide(arena, statements, oracle)?;
    if verdict == Verdict::Different && !is_witness(arena, statements, oracle) {
        debug_assert!(false, "a point that does not tell two relations apart: {statements:?}");
        oracle.counterexample = None;
        return Some(Verdict::Unknown);
    }
    Some(verdict)
}

/// Compares two statements without checking the counterexample.
pub(super) fn decide(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if !is_solvable(arena, a) || !is_solvable(arena, b) {
        return None;
    }
    let mut unknowns = Vec::new();
    symbols(arena, a, &mut unknowns);
    symbols(arena, b, &mut unknowns);
    // With a tolerance, exact cuts would separate numbers that count as the same, so multiples are tried first.
    if !oracle.is_exact()
        && let Some(verdict) = proportional(arena, [a, b], oracle)
    {
        return Some(verdict);
    }
    match *unknowns.as_slice() {
        [] => Some(closed(arena, [a, b], oracle)),
        [unknown] => {
            let mut found = compare_without_increasing(arena, [a, b], unknown, oracle);
            if matches!(found, Found::Unknown) {
                found = compare_on_line(arena, [a, b], unknown, oracle);
            }
            if matches!(found, Found::Unknown) {
                found = compare_on_circle(arena, [a, b], unknown, oracle).unwrap_or(Found::Unknown);
            }
            if matches!(found, Found::Unknown) {
                found = simplified(arena, [a, b], unknown, oracle);
            }
            if matches!(found, Found::Unknown) {
                found = beside_listed(arena, [a, b], unknown, oracle).unwrap_or(Found::Unknown);
            }
            match found {
                Found::Same(Extent::Somewhere) => Some(Verdict::Same),
                Found::Same(_) => Some(compare_uninformative(arena, [a, b], oracle)),
                Found::Different(at, first) => {
                    oracle.counterexample = Some(Counterexample { point: vec![(unknown, at)], first });
                    Some(Verdict::Different)
                }
                Found::Unknown => {
                    proportional(arena, [a, b], oracle).or_else(|| Some(search(arena, [a, b], oracle)))
                }
            }
        }
        _ => in_several(arena, [a, b], &unknowns, oracle),
    }
}

/// Compares two statements about one unknown after removing an increasing function from both sides:
/// `(2^x)^3\ge(x^2-5)^3` has the same solutions as `2^x\ge x^2-5`, which takes much less work. This is only
/// tried if a function occurs that is not algebraic, and uses at most half of the budget for balls.
fn compare_without_increasing(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Found {
    let mut differences = Vec::new();
    for statement in statements {
        differences_of(arena, statement, &mut differences);
    }
    let is_algebraic = |node: Node<'_>| match node {
        Node::Power(_, exponent) => arena.as_number(exponent).is_some(),
        Node::Apply(function, _) => matches!(function, Function::Abs | Function::Min | Function::Max),
        _ => true,
    };
    if differences.iter().all(|difference| !arena.any(*difference, |node| !is_algebraic(node))) {
        return Found::Unknown;
    }
    let inner = statements.map(|statement| without_increasing(arena, statement, oracle));
    if inner.iter().all(Option::is_none) || arena.overflowed() {
        return Found::Unknown;
    }
    let inner = [inner[0].as_ref().unwrap_or(statements[0]), inner[1].as_ref().unwrap_or(statements[1])];
    let kept = oracle.precise_fuel / 2;
    oracle.precise_fuel -= kept;
    let found = compare_on_line(arena, inner, unknown, oracle);
    oracle.precise_fuel += kept;
    found
}

/// Compares two statements about one unknown after removing increasing functions or writing functions as
/// cases.
fn simplified(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Found {
    let mut now = statements.map(Clone::clone);
    for step in 0..3 {
        let mut changed = false;
        for side in &mut now {
            let next = if step == 1 {
                by_cases(arena, side, unknown, oracle)
            } else {
                without_increasing(arena, side, oracle)
            };
            if let Some(next) = next {
                (*side, changed) = (next, true);
            }
        }
        if arena.overflowed() {
            return Found::Unknown;
        }
        if changed {
            let found = compare_on_line(arena, [&now[0], &now[1]], unknown, oracle);
            if !matches!(found, Found::Unknown) {
                return found;
            }
        }
    }
    Found::Unknown
}

/// Compares two statements with two or more unknowns.
fn in_several(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    match compare_linear(arena, [a, b], unknowns, oracle) {
        // Terms that cancel may have no value at some points: `y+\ln x=\ln x`.
        Some(Verdict::Same) if !have_one_domain(arena, [a, b], oracle) => {}
        Some(verdict) => return Some(verdict),
        None => {}
    }
    if let Some(verdict) = proportional(arena, [a, b], oracle) {
        return Some(verdict);
    }
    // An equation may give the other name: `y=\ln x` and `x=e^y`.
    let solved = match *unknowns {
        [x, y] => inverted(arena, [a, b], [x, y], oracle),
        _ => None,
    };
    if let Some([first, second]) = &solved
        && (first == second || proportional(arena, [first, second], oracle) == Some(Verdict::Same))
    {
        return Some(Verdict::Same);
    }
    let truth = constant_truth(arena, a, oracle);
    if truth.is_some() && truth == constant_truth(arena, b, oracle) {
        return Some(compare_uninformative(arena, [a, b], oracle));
    }
    let found = if let [x, y] = *unknowns { in_plane(arena, [a, b], [x, y], oracle) } else { None };
    match found {
        Some(Found::Same(Extent::Somewhere)) => Some(Verdict::Same),
        Some(Found::Same(_)) => Some(compare_uninformative(arena, [a, b], oracle)),
        Some(Found::Different(..)) => Some(Verdict::Different),
        _ => by_substitution(arena, [a, b], unknowns, oracle)
            .or_else(|| by_solutions(arena, [a, b], unknowns, oracle))
            .or_else(|| on_lines(arena, [a, b], unknowns, oracle))
            .or_else(|| {
                let [first, second] = solved.as_ref()?;
                Some(search(arena, [first, second], oracle)).filter(|found| *found != Verdict::Unknown)
            })
            .or_else(|| Some(search(arena, [a, b], oracle))),
    }
}

/// Returns whether a statement holds everywhere (`true`) or nowhere (`false`), if either is certain.
pub(super) fn constant_truth(
    arena: &mut Arena,
    statement: &Statement,
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    if !is_solvable(arena, statement) {
        return None;
    }
    let mut unknowns = Vec::new();
    symbols(arena, statement, &mut unknowns);
    match *unknowns.as_slice() {
        [] => truth_at(arena, statement, &[], oracle),
        [unknown] => [true, false].into_iter().find(|truth| {
            let constant = Statement::Constant(*truth);
            matches!(compare_on_line(arena, [statement, &constant], unknown, oracle), Found::Same(_))
        }),
        _ => match statement {
            &Statement::Compare { left, relation: Relation::Equal | Relation::LessEqual, right, .. } => {
                (is_total(arena, statement, oracle) && oracle.same(arena, left, right) == Verdict::Same)
                    .then_some(true)
            }
            _ => None,
        },
    }
}

/// Returns whether a statement consists of equations and inequalities without infinity and remainders.
fn is_solvable(arena: &Arena, statement: &Statement) -> bool {
    match statement {
        Statement::Constant(_) => true,
        Statement::And(parts) | Statement::Or(parts) => parts.iter().all(|part| is_solvable(arena, part)),
        Statement::Not(inner) => is_solvable(arena, inner),
        Statement::Compare { left, relation, right, .. } => {
            let plain = |id: Id| {
                infinite(arena, id).is_none()
                    && !arena.any(id, |node| matches!(node, Node::Apply(Function::Mod, _)))
            };
            is_order_or_equality(*relation) && plain(*left) && plain(*right)
        }
        Statement::Belongs { .. } | Statement::Atom(_) => false,
    }
}

/// Returns [`Verdict::Same`] for statements that are multiples of each other, and `None` for others. It also
/// returns `None` if their domains may differ or a difference of sides is constant: `0=0` is a multiple of
/// every true equation.
fn proportional(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if !are_multiples(arena, [a, b], oracle)? {
        return None;
    }
    let mut differences = Vec::new();
    differences_of(arena, a, &mut differences);
    let has_constant_difference =
        differences.iter().any(|difference| is_constant(arena, *difference, oracle));
    differences_of(arena, b, &mut differences);
    // The roots of a complex relation need not be real.
    let same = if differences.iter().any(|difference| arena.is_complex(*difference)) {
        name_one_value([a, b]) || have_one_complex_domain(arena, [a, b], oracle)
    } else {
        name_one_value([a, b]) && is_never_real(arena, a, oracle) == is_never_real(arena, b, oracle)
            || have_one_domain(arena, [a, b], oracle)
    };
    (same && !has_constant_difference).then_some(Verdict::Same)
}

/// Returns whether both give a value to the same name. `y=x` and `y=\frac{x^2}{x}` are compared as values,
/// for which an undefined point is not a difference.
fn name_one_value(statements: [&Statement; 2]) -> bool {
    let name = |statement: &Statement| match statement {
        Statement::Compare { left, relation: Relation::Equal, named: true, .. } => Some(*left),
        _ => None,
    };
    let [first, second] = statements.map(name);
    first.is_some() && first == second
}

/// Returns whether one statement is the other multiplied by a constant, part by part; `None` if their parts
/// do not correspond.
fn are_multiples(arena: &mut Arena, [a, b]: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> Option<bool> {
    match (a, b) {
        (Statement::Compare { .. }, Statement::Compare { .. }) => {
            Some(link_where_defined(arena, a, b, oracle) == Link::Same)
        }
        (Statement::And(first), Statement::And(second)) | (Statement::Or(first), Statement::Or(second))
            if first.len() == second.len() =>
        {
            let mut free = vec![true; second.len()];
            let mut rest = Vec::new();
            for part in first {
                match (0..second.len()).find(|at| free[*at] && *part == second[*at]) {
                    Some(partner) => free[partner] = false,
                    None => rest.push(part),
                }
            }
            if rest.len() > 4 {
                return None;
            }
            // The domain of a conjunction is that of all its parts. A part of a disjunction has its own domain.
            let link = if matches!(a, Statement::And(_)) { link_where_defined } else { link };
            for part in rest {
                let partner = (0..second.len())
                    .find(|at| free[*at] && link(arena, part, &second[*at], oracle) == Link::Same)?;
                free[partner] = false;
            }
            Some(true)
        }
        _ => None,
    }
}

// ---- relations that hold everywhere or nowhere --------------------------------------------------------------

/// Returns whether an expression has one value wherever it is defined, according to the oracle:
/// `\sin^2x+\cos^2x`.
pub(super) fn is_constant(arena: &mut Arena, id: Id, oracle: &mut BoundedOracle<'_>) -> bool {
    let names: Vec<Symbol> = arena.free(id).iter().collect();
    let mut value = id;
    for (name, (numerator, denominator)) in names.into_iter().zip(FIXED.into_iter().cycle()) {
        let at = arena.fraction(numerator, denominator);
        value = arena.substitute(value, name, at);
    }
    oracle.same(arena, id, value) == Verdict::Same
}

/// Compares statements without unknowns: two true statements need not be the same.
fn closed(arena: &mut Arena, [a, b]: [&Statement; 2], oracle: &mut BoundedOracle<'_>) -> Verdict {
    let truths = [truth_at(arena, a, &[], oracle), truth_at(arena, b, &[], oracle)];
    if [a, b].into_iter().any(|side| matches!(side, Statement::Constant(_))) {
        // `\{1\}\subseteq\{1,2\}` has no sides to compare.
        return match truths {
            [Some(first), Some(second)] if first == second => Verdict::Same,
            [Some(first), Some(_)] => {
                oracle.counterexample = Some(Counterexample { point: Vec::new(), first });
                Verdict::Different
            }
            _ => Verdict::Unknown,
        };
    }
    let mut differences = Vec::new();
    differences_of(arena, a, &mut differences);
    differences_of(arena, b, &mut differences);
    if differences.iter().any(|difference| arena.is_complex(*difference)) {
        // Complex numbers have no order.
        return match side_by_side(arena, a, b, oracle) {
            Verdict::Same => Verdict::Same,
            _ => Verdict::Unknown,
        };
    }
    if let [Some(first), Some(second)] = truths
        && first != second
    {
        oracle.counterexample = Some(Counterexample { point: Vec::new(), first });
        return Verdict::Different;
    }
    side_by_side(arena, a, b, oracle)
}

/// Compares two statements that both hold everywhere or both nowhere.
fn compare_uninformative(
    arena: &mut Arena,
    sides: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    let verdict = uninformative_verdict(arena, sides, oracle);
    if verdict == Verdict::Unknown {
        oracle.note_uninformative();
    }
    verdict
}

fn uninformative_verdict(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Verdict {
    let mut names = [Vec::new(), Vec::new()];
    for (statement, names) in [a, b].into_iter().zip(&mut names) {
        symbols(arena, statement, names);
        names.sort();
    }
    if names.iter().all(|names| !names.is_empty()) && names[0] != names[1] {
        return if under_other_names(arena, [a, b], &names, oracle) {
            Verdict::Same
        } else {
            Verdict::Unknown
        };
    }
    // The statement `true` or `false`, or `x\le x`, is a set that contains all numbers or none.
    let is_set = |statement: &Statement| match statement {
        Statement::Constant(_) => true,
        Statement::Compare { left, relation: Relation::LessEqual, right, .. } => left == right,
        _ => false,
    };
    if is_set(a) || is_set(b) {
        return Verdict::Same;
    }
    proportional(arena, [a, b], oracle).unwrap_or_else(|| match side_by_side(arena, a, b, oracle) {
        Verdict::Same => Verdict::Same,
        _ => Verdict::Unknown,
    })
}

/// Returns whether two statements about all numbers have the same sides after the second's unknowns are
/// renamed to the first's, in some order: `a+b=b+a` is the same as `x+y=y+x`.
fn under_other_names(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    [names, others]: &[Vec<Symbol>; 2],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let count = names.len();
    let mut all = names.iter().chain(others);
    if count != others.len() || count > 3 || all.any(|name| oracle.is_bounded(arena, *name)) {
        return false;
    }
    // Separate names are used in between, because the lists may overlap.
    let mut apart = b.clone();
    let between: Vec<Symbol> = (0..count).map(|at| arena.symbol(&format!("{BOUND}renamed{at}"))).collect();
    for (other, between) in others.iter().zip(&between) {
        let value = arena.variable_of(*between);
        rename(arena, &mut apart, *other, value);
    }
    orders(count).any(|order| {
        let mut renamed = apart.clone();
        for (at, between) in order.iter().zip(&between) {
            let value = arena.variable_of(names[*at]);
            rename(arena, &mut renamed, *between, value);
        }
        side_by_side(arena, a, &renamed, oracle) == Verdict::Same
    })
}

/// Decides whether statements are built in the same way from comparisons with the same sides.
fn side_by_side(arena: &mut Arena, a: &Statement, b: &Statement, oracle: &mut BoundedOracle<'_>) -> Verdict {
    match (a, b) {
        (Statement::Constant(first), Statement::Constant(second)) if first == second => Verdict::Same,
        (
            &Statement::Compare { left, relation, right, .. },
            &Statement::Compare { left: left_b, relation: relation_b, right: right_b, .. },
        ) => {
            if relation != relation_b {
                return Verdict::Different;
            }
            let straight = oracle.same(arena, left, left_b).and(oracle.same(arena, right, right_b));
            if straight == Verdict::Same || !matches!(relation, Relation::Equal | Relation::NotEqual) {
                return straight;
            }
            match oracle.same(arena, left, right_b).and(oracle.same(arena, right, left_b)) {
                Verdict::Different => straight,
                turned => turned,
            }
        }
        (Statement::And(first), Statement::And(second)) | (Statement::Or(first), Statement::Or(second)) => {
            let mut all = Verdict::Same;
            for (these, those) in [(first, second), (second, first)] {
                for part in these {
                    let mut best = Verdict::Different;
                    for other in those {
                        match side_by_side(arena, part, other, oracle) {
                            Verdict::Same => {
                                best = Verdict::Same;
                                break;
                            }
                            Verdict::Unknown => best = Verdict::Unknown,
                            Verdict::Different => {}
                        }
                    }
                    all = all.and(best);
                }
            }
            all
        }
        _ => Verdict::Unknown,
    }
}

// ---- two unknowns -------------------------------------------------------------------------------------------

/// Cuts the plane into strips over the first unknown, or over the second, and compares each strip on one
/// line.
fn in_plane(
    arena: &mut Arena,
    statements: [&Statement; 2],
    [x, y]: [Symbol; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    let mut differences = Vec::new();
    for statement in statements {
        differences_of(arena, statement, &mut differences);
    }
    by_size(arena, &mut differences);
    let mut places: Vec<Sparse> = Vec::new();
    for difference in differences {
        for place in critical(arena, difference, &[x, y])?.places {
            if place.unknowns().iter().any(|unknown| *unknown > 1) {
                return None;
            }
            places.push(place);
        }
    }
    // A curve that leaves the domain of an unknown changes what a line of the other unknown meets.
    for (index, unknown) in [x, y].into_iter().enumerate() {
        let domain = oracle.domain(arena, unknown);
        for bound in [&domain.min, &domain.max].into_iter().flatten().chain(&domain.exclude) {
            let scaled = Sparse::unknown(index as u16).scaled(&IBig::from(bound.denominator()))?;
            places.push(scaled.plus(&Sparse::constant(bound.numerator()), &IBig::NEG_ONE)?);
        }
    }
    places.sort();
    places.dedup();
    let mut open = None;
    for (first, second, names) in [(0, 1, [x, y]), (1, 0, [y, x])] {
        match over_first(arena, statements, &places, [first, second], names, oracle) {
            Some((Found::Same(extent), true)) => return Some(Found::Same(extent)),
            Some((Found::Same(extent), false)) => open = Some(extent),
            Some((found @ Found::Different(..), _)) => return Some(found),
            Some((Found::Unknown, _)) | None => {}
        }
    }
    // Lines at numbers without a formula were skipped. Statements of several parts may differ at single points of them.
    let are_single = statements.iter().all(|statement| matches!(statement, Statement::Compare { .. }));
    match open {
        Some(extent @ Extent::Somewhere) if are_single => {
            oracle.note_agreement(ENOUGH_LINES, super::AGREED_BITS);
            Some(Found::Same(extent))
        }
        _ => None,
    }
}

/// Compares in one order of the unknowns; for `Same`, the flag tells whether no line was skipped.
///
/// This function is long because it visits the places of the first unknown and the pieces between them in one walk.
fn over_first(
    arena: &mut Arena,
    statements: [&Statement; 2],
    places: &[Sparse],
    [first, second]: [u16; 2],
    [x, y]: [Symbol; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<(Found, bool)> {
    let domain = oracle.domain(arena, x);
    let mut cuts: Vec<Coordinate> = Vec::new();
    for polynomial in projection(places, first, second)? {
        cuts.extend(real_roots(&polynomial)?.into_iter().map(Coordinate::from));
    }
    if cuts.len() > PLANE_CUTS {
        return None;
    }
    if domain.integer {
        cuts = cut_at_integers(arena, cuts, oracle)?;
    }
    // What holds on one real line between two cuts holds on all of them, but a curve meets other integers on each.
    let between = Domain { integer: false, ..oracle.domain(arena, y) };
    let are_whole = domain.integer || oracle.domain(arena, y).integer;
    let mut fibres = super::line::pieces(arena, cuts, &domain, oracle)?;
    // Differences are most likely where lines and curves meet.
    fibres.sort_by_key(|(_, is_cut)| !is_cut);
    let (mut complete, mut unclear, mut meets_integers) = (true, false, false);
    let mut extents = Vec::new();
    for (at, is_cut) in fibres {
        let mark = arena.mark();
        let Some(value) = at.expression(arena) else {
            complete = false;
            continue;
        };
        let fixed = statements.map(|statement| with_value(arena, statement, x, value, oracle));
        let [Some(a), Some(b)] = fixed else {
            unclear = true;
            continue;
        };
        match compare_on_line(arena, [&a, &b], y, oracle) {
            Found::Different(other, holds) => {
                oracle.counterexample =
                    Some(Counterexample { point: vec![(x, at), (y, other)], first: holds });
                return Some((Found::Different(Coordinate::Rational(Rational::ZERO), holds), true));
            }
            Found::Same(extent) => {
                extents.push((extent, is_cut));
                if are_whole && !is_cut {
                    match compare_within(arena, [&a, &b], y, &between, oracle) {
                        Found::Same(Extent::Somewhere) => meets_integers = true,
                        Found::Same(_) => {}
                        Found::Different(..) | Found::Unknown => unclear = true,
                    }
                }
            }
            Found::Unknown => unclear = true,
        }
        if arena.overflowed() {
            return None;
        }
        arena.truncate(&mark);
    }
    if unclear {
        return Some((Found::Unknown, complete));
    }
    let all = |wanted: Extent| extents.iter().all(|(extent, _)| *extent == wanted);
    let extent = if all(Extent::Everywhere) {
        Extent::Everywhere
    } else if all(Extent::Nowhere) {
        Extent::Nowhere
    } else {
        Extent::Somewhere
    };
    // The sample of a strip need not meet the integers that other lines of it meet.
    if meets_integers && extent != Extent::Somewhere {
        return Some((Found::Unknown, complete));
    }
    // Only cut lines were skipped, so agreement counts only if a line between cuts has solutions.
    let seen = extents.iter().any(|(extent, is_cut)| !is_cut && *extent != Extent::Nowhere);
    if !complete && !seen {
        return Some((Found::Unknown, false));
    }
    Some((Found::Same(extent), complete))
}
