//! A search in all variables together for the places where an argument changes its piece.
//!
//! The pieces of `|u|` are `u < 0` and `u ≥ 0`; those of a step function of `u` differ in the integer part of
//! `u`.
//!
//! Lines along one variable miss small regions of the plane: `x⁴ + y⁴ - 4xy + 1.99` is negative only near two
//! points. A pattern search (Hooke and Jeeves 1961) drives the argument from several starts towards its other
//! sign, or downwards and upwards for steps. A round moves along each variable and across pairs of variables,
//! in steps that grow and shrink, then in the direction of the whole round. The sides are compared at the
//! point that is found, around it, and next to the crossing on the way to it.

use super::Judge;
use super::Row;
use crate::evaluate::LANES;
use crate::limits::{DESCENT_HALVINGS, DESCENT_PAIRED, DESCENT_ROUNDS, DESCENT_STARTS, Fuel};
use crate::points::admits;
use crate::precise::Field;
use smallvec::SmallVec;

/// Steps to try along a direction, as multiples of its current step size.
const STEPS: [f64; LANES] = [1.0, -1.0, 8.0, -8.0, 0.125, -0.125, 64.0, -64.0];
/// Slopes of the directions that move two variables.
const SLOPES: [f64; 4] = [1.0, -1.0, 0.5, -2.0];
/// Steps to try after a round, as multiples of its displacement.
const AHEAD: [f64; LANES] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0];

/// An argument and the variables it depends on.
pub(super) struct Descent {
    pub(super) output: usize,
    /// True if the integer part decides between pieces; otherwise the sign does.
    pub(super) step: bool,
    pub(super) field: Field,
    /// The columns of the variables that the argument depends on.
    pub(super) columns: SmallVec<[usize; 8]>,
}

/// A direction: the columns that change, each with its change in a step of size 1.
type Way = SmallVec<[(usize, f64); 2]>;

/// Returns the directions along each variable and, since a valley may be slanted, across pairs of the first
/// variables.
fn ways(columns: &[usize]) -> Vec<Way> {
    let mut ways: Vec<Way> = columns.iter().map(|&column| Way::from_slice(&[(column, 1.0)])).collect();
    let slanted = &columns[..columns.len().min(DESCENT_PAIRED)];
    for (at, &one) in slanted.iter().enumerate() {
        for &other in &slanted[at + 1..] {
            ways.extend(SLOPES.map(|slope| Way::from_slice(&[(one, 1.0), (other, slope)])));
        }
    }
    ways
}

impl Descent {
    /// Returns whether two values lie in different pieces.
    fn differ(&self, a: f64, b: f64) -> bool {
        if self.step { libm::floor(a) != libm::floor(b) } else { (a < 0.0) != (b < 0.0) }
    }
}

impl Judge {
    /// Adds points inside and near other pieces of one argument; returns `false` if the budget ran out.
    pub(super) fn descend(&mut self, descent: &Descent, rows: &mut Vec<Row>, budget: &mut Fuel) -> bool {
        let starts = if descent.field == Field::Real { DESCENT_STARTS } else { 1 };
        let mut starts: SmallVec<[Row; 6]> =
            (0..self.points.len().min(starts)).map(|point| self.points.row(point).collect()).collect();
        let origin: Row = (0..self.symbols.len()).map(|_| 0.0).collect();
        if self.is_admitted(&origin) {
            starts.push(origin);
        }
        for (turn, start) in starts.into_iter().enumerate() {
            // Where a search gets stuck depends on the order of the variables, so every other search reverses
            // it.
            let reversed = turn % 2 == 1;
            let directions: &[f64] = if descent.step { &[1.0, -1.0] } else { &[0.0] };
            for &direction in directions {
                if !self.descend_from(descent, &start, (direction, reversed), rows, budget) {
                    return false;
                }
            }
        }
        true
    }

    fn is_admitted(&self, row: &Row) -> bool {
        row.iter().zip(&self.variables).all(|(&at, variable)| admits(&variable.domain, at))
    }

    /// Returns the values of the argument at up to eight rows.
    fn levels_of(&mut self, descent: &Descent, rows: &[Row], budget: &mut Fuel) -> Option<[f64; LANES]> {
        let columns: SmallVec<[[f64; LANES]; 8]> = (0..self.symbols.len())
            .map(|column| {
                let mut lanes = [f64::NAN; LANES];
                for (lane, slot) in lanes.iter_mut().enumerate() {
                    *slot = rows
                        .get(lane)
                        .or(rows.last())
                        .and_then(|row| row.get(column))
                        .copied()
                        .unwrap_or(f64::NAN);
                }
                lanes
            })
            .collect();
        if !self.evaluate_levels(&columns, rows.len(), descent.field, budget) {
            return None;
        }
        let mut levels = [f64::NAN; LANES];
        for (lane, level) in levels.iter_mut().enumerate() {
            *level = self.argument_at(descent.output, lane);
        }
        Some(levels)
    }

    /// Descends from one start in a direction, or towards the other sign if `direction` is 0; returns `false`
    /// if the budget ran out.
    fn descend_from(
        &mut self,
        descent: &Descent,
        start: &Row,
        (direction, reversed): (f64, bool),
        rows: &mut Vec<Row>,
        budget: &mut Fuel,
    ) -> bool {
        let Some(levels) = self.levels_of(descent, std::slice::from_ref(start), budget) else { return false };
        let first = levels[0];
        if first.is_nan() {
            return true;
        }
        let direction = if direction != 0.0 {
            direction
        } else if first < 0.0 {
            -1.0
        } else {
            1.0
        };
        let (mut here, mut height) = (start.clone(), direction * first);
        let mut columns = descent.columns.clone();
        if reversed {
            columns.reverse();
        }
        let ways = ways(&columns);
        let mut sizes: Vec<f64> = ways.iter().map(|way| 0.25 * here[way[0].0].abs().max(0.5)).collect();
        for _ in 0..DESCENT_ROUNDS {
            let before = here.clone();
            for (size, way) in sizes.iter_mut().zip(&ways) {
                let tried: SmallVec<[Row; LANES]> = STEPS
                    .iter()
                    .map(|step| {
                        let mut row = here.clone();
                        for &(column, share) in way {
                            row[column] = self.rounded(column, here[column] + share * step * *size);
                        }
                        row
                    })
                    .collect();
                match self.best_of(descent, &tried, direction, budget) {
                    None => return false,
                    Some((lane, best)) if best < height => {
                        *size *= STEPS[lane].abs();
                        (here, height) = (tried[lane].clone(), best);
                    }
                    Some(_) => *size *= 0.0625,
                }
            }
            if descent.differ(first, direction * height) && !descent.step {
                break;
            }
            let tried: SmallVec<[Row; LANES]> = AHEAD
                .iter()
                .map(|ahead| {
                    let mut row = here.clone();
                    for &column in &columns {
                        let way = here[column] - before[column];
                        row[column] = self.rounded(column, here[column] + ahead * way);
                    }
                    row
                })
                .collect();
            match self.best_of(descent, &tried, direction, budget) {
                None => return false,
                Some((lane, best)) if best < height => (here, height) = (tried[lane].clone(), best),
                Some(_) => {}
            }
            let tiny = |(size, way): (&f64, &Way)| *size < 1e-13 * here[way[0].0].abs().max(1e-13);
            if sizes.iter().zip(&ways).all(tiny) || height.is_infinite() {
                break;
            }
        }
        self.push_around(descent, &here, rows);
        let other = direction * height;
        !descent.differ(first, other)
            || self.push_crossing(descent, (start, first), (&here, other), rows, budget)
    }

    /// Returns a coordinate, rounded if the variable is an integer.
    fn rounded(&self, column: usize, at: f64) -> f64 {
        if self.variables[column].domain.integer { libm::round(at) } else { at }
    }

    /// Returns the index of the row with the lowest value in this direction, and the value. Only rows in the
    /// domains count.
    fn best_of(
        &mut self,
        descent: &Descent,
        tried: &[Row],
        direction: f64,
        budget: &mut Fuel,
    ) -> Option<(usize, f64)> {
        let levels = self.levels_of(descent, tried, budget)?;
        let mut best = (0, f64::INFINITY);
        for (lane, row) in tried.iter().enumerate() {
            let height = direction * levels[lane];
            if height < best.1 && self.is_admitted(row) {
                best = (lane, height);
            }
        }
        Some(best)
    }

    fn push_around(&self, descent: &Descent, here: &Row, rows: &mut Vec<Row>) {
        rows.push(here.clone());
        for &column in &descent.columns {
            for power in [-4, -12, -24] {
                for side in [-1.0, 1.0] {
                    let mut row = here.clone();
                    let away = side * libm::scalbn(here[column].abs().max(1e-3), power);
                    row[column] = self.rounded(column, here[column] + away);
                    if self.is_admitted(&row) {
                        rows.push(row);
                    }
                }
            }
        }
    }

    /// Adds points on the segment between two points in different pieces: next to the crossing and farther
    /// from it.
    fn push_crossing(
        &mut self,
        descent: &Descent,
        (low, first): (&Row, f64),
        (high, _): (&Row, f64),
        rows: &mut Vec<Row>,
        budget: &mut Fuel,
    ) -> bool {
        let middle =
            |a: &Row, b: &Row| -> Row { a.iter().zip(b).map(|(&a, &b)| f64::midpoint(a, b)).collect() };
        let (mut low, mut high) = (low.clone(), high.clone());
        for halving in 0..DESCENT_HALVINGS {
            let mut between = middle(&low, &high);
            for (column, at) in between.iter_mut().enumerate() {
                *at = self.rounded(column, *at);
            }
            if !self.is_admitted(&between) || between == low || between == high {
                break;
            }
            let Some(levels) = self.levels_of(descent, std::slice::from_ref(&between), budget) else {
                return false;
            };
            if halving % 6 == 0 {
                rows.push(between.clone());
            }
            if descent.differ(first, levels[0]) {
                high = between;
            } else {
                low = between;
            }
        }
        rows.push(low);
        rows.push(high);
        true
    }
}
