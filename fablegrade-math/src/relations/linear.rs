//! Systems of linear equations in any number of unknowns, by exact elimination.

use super::coordinate::Coordinate;
use super::critical::critical;
use super::{BoundedOracle, Counterexample, Statement, Verdict};
use crate::expr::{Arena, Symbol};
use crate::limits::LINEAR_EQUATIONS;
use crate::number::Rational;
use crate::polynomial::Sparse;
use crate::syntax::Relation;
use dashu_int::UBig;

/// A system of linear equations. Each row has the coefficients and then the right side of an equation.
#[derive(Debug)]
struct System {
    rows: Vec<Vec<Rational>>,
    unknowns: usize,
}

/// Compares two systems of linear equations by their solutions; `None` if that is not possible, or if both
/// hold everywhere or nowhere.
pub(super) fn compare_linear(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    unknowns: &[Symbol],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    if unknowns.iter().any(|unknown| oracle.is_bounded(arena, *unknown)) {
        return None;
    }
    let (first, second) = (System::read(arena, a, unknowns)?, System::read(arena, b, unknowns)?);
    let (none, other) = (first.is_impossible(), second.is_impossible());
    if none && other {
        return None;
    }
    // Systems that hold everywhere are not distinguished by their points.
    if first.rows == second.rows && !first.rows.is_empty() {
        return Some(Verdict::Same);
    }
    for (system, against, is_first) in [(&first, &second, true), (&second, &first, false)] {
        if system.is_impossible() {
            continue;
        }
        if let Some(point) = system.solution_outside(against) {
            let point = unknowns.iter().copied().zip(point.into_iter().map(Coordinate::Rational)).collect();
            oracle.counterexample = Some(Counterexample { point, first: is_first });
            return Some(Verdict::Different);
        }
    }
    None
}

impl System {
    fn read(arena: &mut Arena, statement: &Statement, unknowns: &[Symbol]) -> Option<Self> {
        let parts = match statement {
            Statement::And(parts) => parts.as_slice(),
            other => core::slice::from_ref(other),
        };
        if parts.len() > LINEAR_EQUATIONS {
            return None;
        }
        let mut rows = Vec::with_capacity(parts.len());
        for part in parts {
            let Statement::Compare { left, relation: Relation::Equal, right, .. } = part else { return None };
            let difference = arena.sub(*left, *right);
            let plain = critical(arena, difference, unknowns)?.plain?;
            if !plain.poles.is_empty() {
                return None;
            }
            rows.push(row(&plain.numerator, unknowns.len())?);
        }
        Self { rows, unknowns: unknowns.len() }.reduced()
    }

    /// Brings the system into reduced row echelon form (Gauss and Jordan).
    fn reduced(mut self) -> Option<Self> {
        let mut done = 0;
        for column in 0..=self.unknowns {
            let Some(pivot) = (done..self.rows.len()).find(|row| !self.rows[*row][column].is_zero()) else {
                continue;
            };
            self.rows.swap(done, pivot);
            let scale = self.rows[done][column].reciprocal()?;
            for value in &mut self.rows[done] {
                *value = value.checked_mul(&scale)?;
            }
            let pivot_row = self.rows[done].clone();
            for (at, row) in self.rows.iter_mut().enumerate() {
                if at == done || row[column].is_zero() {
                    continue;
                }
                let factor = row[column].clone();
                for (value, less) in row.iter_mut().zip(&pivot_row) {
                    *value = value.checked_sub(&factor.checked_mul(less)?)?;
                }
            }
            done += 1;
        }
        self.rows.truncate(done);
        Some(self)
    }

    /// Returns whether a row is a contradiction such as 0 = 1.
    fn is_impossible(&self) -> bool {
        self.rows.last().is_some_and(|row| row[..self.unknowns].iter().all(Rational::is_zero))
    }

    /// Returns a solution that another system does not have.
    fn solution_outside(&self, other: &Self) -> Option<Vec<Rational>> {
        // Every solution is an affine combination of those with 0 or a unit vector for the free unknowns.
        let pivots: Vec<usize> =
            self.rows.iter().filter_map(|row| row.iter().position(|value| !value.is_zero())).collect();
        let free = (0..self.unknowns).filter(|column| !pivots.contains(column));
        for chosen in core::iter::once(None).chain(free.map(Some)) {
            let mut point = vec![Rational::ZERO; self.unknowns];
            if let Some(chosen) = chosen {
                point[chosen] = Rational::ONE;
            }
            for (row, pivot) in self.rows.iter().zip(&pivots) {
                let mut value = row[self.unknowns].clone();
                if let Some(chosen) = chosen {
                    value = value.checked_sub(&row[chosen])?;
                }
                *point.get_mut(*pivot)? = value;
            }
            if !other.has(&point)? {
                return Some(point);
            }
        }
        None
    }

    fn has(&self, point: &[Rational]) -> Option<bool> {
        for row in &self.rows {
            let mut sum = Rational::ZERO;
            for (factor, value) in row.iter().zip(point) {
                sum = sum.checked_add(&factor.checked_mul(value)?)?;
            }
            if sum != row[self.unknowns] {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Returns the coefficients and the right side of the equation `polynomial = 0`; `None` if it is not linear.
fn row(polynomial: &Sparse, unknowns: usize) -> Option<Vec<Rational>> {
    let mut row = vec![Rational::ZERO; unknowns + 1];
    for (monomial, coefficient) in polynomial.terms() {
        let value = Rational::from_integers(coefficient.clone(), UBig::ONE)?;
        match monomial.as_slice() {
            [] => row[unknowns] = value.negated(),
            [(unknown, 1)] => *row.get_mut(usize::from(*unknown))? = value,
            _ => return None,
        }
    }
    Some(row)
}
