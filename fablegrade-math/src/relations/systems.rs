//! Systems of polynomial equations in two or three unknowns with finitely many solutions, compared by these
//! solutions.
//!
//! Resultants eliminate all unknowns but one, so each coordinate of a solution is a root of a polynomial. Of
//! all points with such coordinates, those that solve the system are kept. Interval arithmetic excludes most.
//! Krawczyk's operator (Neumaier, *Interval Methods for Systems of Equations*) certifies that a point is a
//! solution: a small box contains exactly one solution, whose coordinates are roots of the resultants, and
//! the box has no other such root. If neither decides, a point with formulas is checked exactly. So the
//! solutions are algebraic numbers, and the comparison of two systems needs no rounding.

use super::coordinate::Coordinate;
use super::critical::critical;
use super::line::{holds_with, sorted};
use super::mixed::partial;
use super::single_points::truth_at;
use super::substitution::{cases, conjuncts, equation};
use super::{BoundedOracle, Counterexample, Statement, Verdict};
use crate::decide::range::{Range, plus, times};
use crate::expr::{Arena, Id, Symbol};
use crate::limits::{PLANE_PRODUCTS, SYSTEM_DEGREE, SYSTEM_EQUATIONS, SYSTEM_POINTS};
use crate::number::Rational;
use crate::polynomial::plane::resultant;
use crate::polynomial::{Polynomial, Sparse, real_roots};
use dashu_base::Signed;
use dashu_int::UBig;
use std::cmp::Ordering;

/// The radius of a box in which a solution is certified, relative to the coordinates.
const RADIUS: f64 = 1e-6;
/// The relative radius of an interval that contains a coordinate in spite of its rounding.
const ROUNDING: f64 = 1e-14;

/// The coordinates of one point and their nearest doubles.
type Point = Vec<(Coordinate, f64)>;

/// Compares two statements by their solutions, if both are systems with finitely many, or several such
/// systems joined by *or*.
pub(super) fn by_solutions(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if !(2..=3).contains(&unknowns.len()) || unknowns.iter().any(|name| oracle.is_bounded(arena, *name)) {
        return None;
    }
    let [first, second] = statements.map(|statement| solutions(arena, statement, unknowns, oracle));
    let mut sides = [first?, second?];
    if sides.iter().all(Vec::is_empty) {
        return None;
    }
    for (at, is_first) in [(0, true), (1, false)] {
        let mut these = core::mem::take(&mut sides[at]);
        for point in &mut these {
            if !contains(arena, &mut sides[1 - at], point, oracle)? {
                let point = unknowns.iter().copied().zip(point.iter().map(|(at, _)| at.clone())).collect();
                oracle.counterexample = Some(Counterexample { point, first: is_first });
                return Some(Verdict::Different);
            }
        }
        sides[at] = these;
    }
    Some(Verdict::Same)
}

/// Returns whether a point is among others; `None` if that cannot be decided.
fn contains(
    arena: &mut Arena,
    points: &mut [Point],
    point: &mut Point,
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    'points: for other in points {
        for ((at, near), (place, other_near)) in point.iter_mut().zip(other) {
            let size = 1.0 + near.abs() + other_near.abs();
            if (*near - *other_near).abs() > 1e-9 * size
                || at.compare(arena, place, oracle)? != Ordering::Equal
            {
                continue 'points;
            }
        }
        return Some(true);
    }
    Some(false)
}

/// Returns all solutions of a statement.
fn solutions(
    arena: &mut Arena,
    statement: &Statement,
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Point>> {
    let mut all: Vec<Point> = Vec::new();
    for case in cases(statement) {
        for mut point in of_system(arena, &conjuncts(case), unknowns, oracle)? {
            if !contains(arena, &mut all, &mut point, oracle)? {
                all.push(point);
            }
        }
    }
    Some(all)
}

fn of_system(
    arena: &mut Arena,
    parts: &[Statement],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Point>> {
    let count = unknowns.len();
    let mut equations: Vec<Sparse> = Vec::new();
    for part in parts {
        if let Some(polynomial) = equation(arena, part, unknowns)
            && !polynomial.is_zero()
            && !equations.contains(&polynomial)
        {
            equations.push(polynomial);
        }
    }
    if equations.len() < count || equations.len() > SYSTEM_EQUATIONS {
        return None;
    }
    // Some equations may depend on others, so several choices are tried.
    let chosen = choices(equations.len(), count);
    let mut products = PLANE_PRODUCTS;
    for choice in chosen {
        let system: Vec<&Sparse> = choice.iter().filter_map(|at| equations.get(*at)).collect();
        let Some(places) = coordinates(arena, &system, count, &mut products, oracle) else { continue };
        let number = places.iter().map(Vec::len).product::<usize>();
        if number > SYSTEM_POINTS {
            return None;
        }
        let system = Square::new(&system, count)?;
        let mut found = Vec::new();
        for at in 0..number {
            let mut rest = at;
            let mut indices = Vec::with_capacity(count);
            for place in &places {
                indices.push(rest % place.len());
                rest /= place.len();
            }
            if solves(arena, &system, parts, (&places, &indices), unknowns, oracle)? {
                found.push(places.iter().zip(&indices).map(|(place, at)| place[*at].clone()).collect());
            }
        }
        return Some(found);
    }
    None
}

/// Returns all ways to choose `count` of the numbers below `of`, each in increasing order.
fn choices(of: usize, count: usize) -> Vec<Vec<usize>> {
    (0u32..1 << of)
        .filter(|set| set.count_ones() as usize == count)
        .map(|set| (0..of).filter(|at| set >> at & 1 == 1).collect())
        .collect()
}

/// Returns the possible values of each coordinate of a solution; `None` if resultants do not determine them.
fn coordinates(
    arena: &mut Arena,
    system: &[&Sparse],
    count: usize,
    products: &mut usize,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Point>> {
    (0..count)
        .map(|keep| {
            let polynomial = eliminant(system, u16::try_from(keep).ok()?, count, products)?;
            if polynomial.is_zero() || polynomial.degree() > SYSTEM_DEGREE {
                return None;
            }
            if polynomial.degree() == 0 {
                return Some(Vec::new());
            }
            let roots = real_roots(&polynomial.square_free()?)?.into_iter().map(Coordinate::from).collect();
            sorted(arena, roots, oracle)?
                .into_iter()
                .map(|mut root| {
                    let near = root.nearest(arena, oracle)?;
                    Some((root, near))
                })
                .collect()
        })
        .collect()
}

/// Returns a polynomial in the unknown `keep` that vanishes at this coordinate of every solution.
fn eliminant(system: &[&Sparse], keep: u16, count: usize, products: &mut usize) -> Option<Polynomial> {
    let alone = |polynomial: &&&Sparse| polynomial.unknowns().as_slice() == [keep];
    if let Some(alone) = system.iter().find(alone) {
        return alone.univariate(keep);
    }
    let others: Vec<u16> = (0..u16::try_from(count).ok()?).filter(|unknown| *unknown != keep).collect();
    match (system, others.as_slice()) {
        ([first, second], &[y]) => resultant(first, second, [keep, y], products),
        (&[a, b, c], &[y, z]) => {
            for (y, z) in [(y, z), (z, y)] {
                // The equations that contain `z` are replaced by resultants with the first of them.
                let without: Vec<Sparse> =
                    [a, b, c].into_iter().filter(|part| !part.has(z)).cloned().collect();
                let with: Vec<&Sparse> = [a, b, c].into_iter().filter(|part| part.has(z)).collect();
                let mut plane = without;
                if let [first, rest @ ..] = with.as_slice() {
                    for other in rest {
                        let Some(part) = first.resultant(other, z) else { continue };
                        plane.push(part.normal());
                    }
                }
                if let [first, second, ..] = plane.as_slice()
                    && let Some(found) = resultant(first, second, [keep, y], products)
                    && !found.is_zero()
                {
                    return Some(found);
                }
            }
            None
        }
        _ => None,
    }
}

/// Returns whether a point solves a system with all its conditions.
fn solves(
    arena: &mut Arena,
    system: &Square,
    parts: &[Statement],
    (places, indices): (&[Point], &[usize]),
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<bool> {
    let near: Vec<f64> = places.iter().zip(indices).map(|(place, at)| place[*at].1).collect();
    let narrow: Vec<Range> = near.iter().map(|at| around(*at, ROUNDING)).collect();
    if system.equations.iter().any(|equation| excludes_zero(value(equation, &narrow))) {
        return Some(false);
    }
    let apart = places.iter().zip(indices).all(|(place, chosen)| {
        let (low, high) = around(place[*chosen].1, 2.0 * RADIUS);
        place.iter().enumerate().all(|(at, (_, other))| at == *chosen || *other < low || *other > high)
    });
    let certain = if apart { system.has_one_solution(&near) } else { None };
    if certain == Some(false) {
        return Some(false);
    }
    let mut all = true;
    let mut open = Vec::new();
    for part in parts {
        if certain == Some(true)
            && equation(arena, part, unknowns)
                .is_some_and(|polynomial| system.equations.contains(&polynomial))
        {
            continue;
        }
        match by_range(arena, part, &narrow, unknowns) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => open.push(part),
        }
    }
    if !open.is_empty() {
        let point: Option<Vec<(Symbol, Id)>> = unknowns
            .iter()
            .zip(places.iter().zip(indices))
            .map(|(name, (place, at))| Some((*name, place[*at].0.expression(arena)?)))
            .collect();
        let point = point?;
        for part in open {
            all &= truth_at(arena, part, &point, oracle)?;
        }
    }
    Some(all)
}

/// Returns whether a comparison of polynomials holds everywhere in a box (`true`) or nowhere in it.
fn by_range(arena: &mut Arena, part: &Statement, narrow: &[Range], unknowns: &[Symbol]) -> Option<bool> {
    let Statement::Compare { left, relation, right, .. } = part else { return None };
    let difference = arena.sub(*left, *right);
    let plain = critical(arena, difference, unknowns)?.plain?;
    if !plain.poles.is_empty() {
        return None;
    }
    let below = plain.denominator.as_constant()?;
    let (low, high) = value(&plain.numerator, narrow);
    let sign = match (low > 0.0, high < 0.0) {
        (true, _) => Ordering::Greater,
        (_, true) => Ordering::Less,
        _ => return None,
    };
    holds_with(*relation, if below.is_negative() { sign.reverse() } else { sign })
}

fn around(at: f64, share: f64) -> Range {
    let radius = share * (1.0 + at.abs());
    (at - radius, at + radius)
}

fn excludes_zero((low, high): Range) -> bool {
    low > 0.0 || high < 0.0
}

/// Returns bounds for the values of a polynomial on a box.
fn value(polynomial: &Sparse, at: &[Range]) -> Range {
    let mut sum = (0.0, 0.0);
    for (monomial, coefficient) in polynomial.terms() {
        let size =
            Rational::from_integers(coefficient.clone(), UBig::ONE).map_or(f64::NAN, |size| size.to_f64());
        let mut term = (size - size.abs() * 1e-15, size + size.abs() * 1e-15);
        for (index, power) in monomial {
            let Some(range) = at.get(usize::from(*index)) else { return (f64::NEG_INFINITY, f64::INFINITY) };
            for _ in 0..*power {
                term = times(term, *range);
            }
        }
        sum = plus(sum, term);
    }
    if sum.0 <= sum.1 { sum } else { (f64::NEG_INFINITY, f64::INFINITY) }
}

/// A system of as many equations as unknowns.
struct Square {
    equations: Vec<Sparse>,
    /// The derivatives of each equation with respect to each unknown.
    slopes: Vec<Vec<Sparse>>,
}

impl Square {
    fn new(equations: &[&Sparse], count: usize) -> Option<Self> {
        let slopes = equations
            .iter()
            .map(|equation| (0..count).map(|at| partial(equation, u16::try_from(at).ok()?)).collect())
            .collect::<Option<_>>()?;
        Some(Self { equations: equations.iter().map(|equation| (*equation).clone()).collect(), slopes })
    }

    /// Returns whether a small box around a point contains exactly one solution (`true`) or none (`false`);
    /// `None` if neither is certain.
    fn has_one_solution(&self, near: &[f64]) -> Option<bool> {
        let count = near.len();
        let exact: Vec<Range> = near.iter().map(|at| (*at, *at)).collect();
        let wide: Vec<Range> = near.iter().map(|at| around(*at, RADIUS)).collect();
        let middle = |range: Range| f64::midpoint(range.0, range.1);
        let matrix: Vec<Vec<f64>> = self
            .slopes
            .iter()
            .map(|row| row.iter().map(|part| middle(value(part, &exact))).collect())
            .collect();
        let inverse = inverse(matrix)?;
        let here: Vec<Range> = self.equations.iter().map(|equation| value(equation, &exact)).collect();
        let slopes: Vec<Vec<Range>> =
            self.slopes.iter().map(|row| row.iter().map(|part| value(part, &wide)).collect()).collect();
        let mut inside = true;
        for row in 0..count {
            let at = near[row];
            let mut image = (at, at);
            for other in 0..count {
                let factor = -inverse[row][other];
                image = plus(image, times((factor, factor), here[other]));
                // This is `1 - Y J`, which is multiplied by the box around 0.
                let one = if row == other { (1.0, 1.0) } else { (0.0, 0.0) };
                let rest = (0..count).fold(one, |rest, by| {
                    let factor = -inverse[row][by];
                    plus(rest, times((factor, factor), slopes[by][other]))
                });
                let radius = RADIUS * (1.0 + near[other].abs()) * (1.0 + 1e-9);
                image = plus(image, times(rest, (-radius, radius)));
            }
            let (low, high) = wide[row];
            if image.1 < low || image.0 > high {
                return Some(false);
            }
            inside &= low < image.0 && image.1 < high;
        }
        inside.then_some(true)
    }
}

/// Returns the inverse of a small matrix, rounded.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (at, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|other| if other == at { 1.0 } else { 0.0 }));
    }
    for column in 0..size {
        let pivot =
            (column..size).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        if !scale.is_finite() || scale == 0.0 {
            return None;
        }
        for value in &mut matrix[column] {
            *value /= scale;
        }
        let pivot_row = matrix[column].clone();
        for (at, row) in matrix.iter_mut().enumerate() {
            if at != column {
                let factor = row[column];
                for (value, less) in row.iter_mut().zip(&pivot_row) {
                    *value -= factor * less;
                }
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}
