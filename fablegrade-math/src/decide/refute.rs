//! The search for a counterexample at the sample points, in doubles with error bounds, then in ball
//! arithmetic where doubles do not decide.

use super::Row;
use super::{Counts, Judge, Witness};
use crate::evaluate::{ComplexValue, LANES, Value};
use crate::expr::Arena;
use crate::limits::Fuel;
use crate::limits::{INSIDE_WORK, OPEN_BITS, OPEN_POINTS};
use crate::points::Points;
use crate::precise::{Agreement, Field, Limits, Number, Reason};
use smallvec::SmallVec;

impl Judge {
    /// Evaluates both sides in doubles and returns the first point at which they differ by more than their
    /// error bounds.
    ///
    /// The points at which doubles do not decide are kept for [`Judge::refute_open`].
    pub(super) fn refute(
        &mut self,
        arena: &Arena,
        field: Field,
        counts: &mut Counts,
        fuel: &mut Fuel,
    ) -> Option<Box<Witness>> {
        self.open.clear();
        let count = if self.points.columns() == 0 { 1 } else { self.points.len() };
        let step = if field == Field::Real { LANES } else { 1 };
        let cost = 20 + self.program.len() as u64 * if field == Field::Real { 1 } else { 8 };
        for first in (0..count).step_by(step) {
            if !fuel.spend(cost) {
                counts.unknown += 1;
                return None;
            }
            let seen = match field {
                Field::Real => {
                    self.evaluator.run(&self.program, self.points.block(first / LANES));
                    self.compare_lanes(first, LANES.min(count - first), counts)
                }
                Field::Complex => {
                    let row: SmallVec<[f64; 8]> = self.points.row(first).collect();
                    self.complex.run(&self.program, &row);
                    self.compare_complex(first, counts)
                }
            };
            if let Some((point, left, right, bound)) = seen {
                return Some(Box::new(Witness { point: self.place(arena, point), left, right, bound }));
            }
        }
        None
    }

    /// Returns the first point of a real block at which the sides differ, with both values and their error
    /// bound.
    fn compare_lanes(&mut self, first: usize, lanes: usize, counts: &mut Counts) -> Option<Difference> {
        for lane in 0..lanes {
            let left = self.evaluator.value(&self.program, 0, lane);
            let right = self.evaluator.value(&self.program, 1, lane);
            match (left, right) {
                (Value::Real { value, error }, Value::Real { value: other, error: also }) => {
                    if left.certainly_differ(right) {
                        return Some((first + lane, (value, 0.0), (other, 0.0), error + also));
                    }
                    counts.agreeing += 1;
                }
                _ if self.evaluator.is_undefined(lane) => counts.undefined += 1,
                _ => {
                    counts.unknown += 1;
                    self.open.push(first + lane);
                }
            }
        }
        None
    }

    fn compare_complex(&mut self, point: usize, counts: &mut Counts) -> Option<Difference> {
        let left = self.complex.value(&self.program, 0);
        let right = self.complex.value(&self.program, 1);
        match (left, right) {
            (
                ComplexValue::Number { re, im, re_error, im_error },
                ComplexValue::Number { re: re2, im: im2, re_error: e2, im_error: f2 },
            ) => {
                if left.certainly_differ(right) {
                    return Some((point, (re, im), (re2, im2), re_error + im_error + e2 + f2));
                }
                counts.agreeing += 1;
            }
            (ComplexValue::Undefined, _) | (_, ComplexValue::Undefined) => counts.undefined += 1,
            _ => {
                counts.unknown += 1;
                self.open.push(point);
            }
        }
        None
    }

    /// Compares the sides in ball arithmetic; returns whether they agree at every row at which they have
    /// values.
    pub(super) fn agree_at(
        &mut self,
        arena: &Arena,
        (rows, field): (&[Row], Field),
        max_bits: usize,
        fuel: &mut Fuel,
    ) -> Result<bool, Box<Witness>> {
        if self.program.is_incomplete() {
            return Ok(rows.is_empty());
        }
        let mut agreed = true;
        let limits = Limits { points: 1, max_bits, ..Limits::default() };
        for row in rows {
            self.points = Points::from_rows(self.symbols.len(), core::iter::once(row.as_slice()));
            let units = INSIDE_WORK / rows.len() as u64;
            let found = self.escalate(arena, field, units, limits, fuel)?;
            agreed &= matches!(found, Agreement::Agreed { .. } | Agreement::Undecided(Reason::NoPoint));
        }
        Ok(agreed)
    }

    /// Compares the sides in ball arithmetic at some of the points that the last [`Judge::refute`] left open.
    /// The sample points are lost.
    pub(super) fn refute_open(
        &mut self,
        arena: &Arena,
        field: Field,
        fuel: &mut Fuel,
    ) -> Option<Box<Witness>> {
        if self.open.is_empty() || self.program.is_incomplete() {
            return None;
        }
        let stride = self.open.len().div_ceil(OPEN_POINTS);
        let rows: Vec<Row> =
            self.open.iter().step_by(stride).map(|&point| self.points.row(point).collect()).collect();
        self.agree_at(arena, (&rows, field), OPEN_BITS, fuel).err()
    }

    /// Raises the precision at the sample points until the sides differ or agree, or a limit is reached.
    ///
    /// # Errors
    /// Returns the counterexample as the error.
    pub(super) fn escalate(
        &mut self,
        arena: &Arena,
        field: Field,
        units: u64,
        limits: Limits,
        fuel: &mut Fuel,
    ) -> Result<Agreement, Box<Witness>> {
        let units = fuel.left().min(units);
        let agreement =
            self.precise.compare(&self.program, &self.points, field, &Limits { fuel: units, ..limits });
        fuel.spend(units - self.precise.left());
        match agreement {
            Agreement::Refuted { point, left, right, .. } => {
                let approximate = |number: &Number| (number.re.to_f64(), number.im.to_f64());
                Err(Box::new(Witness {
                    point: self.place(arena, point),
                    left: approximate(&left),
                    right: approximate(&right),
                    bound: 0.0,
                }))
            }
            agreement => Ok(agreement),
        }
    }

    /// Records for each side whether it alone is undefined at a point of the first block.
    ///
    /// At such a point with positive coordinates, complex values may give a counterexample, which is
    /// returned.
    pub(super) fn compare_domains(
        &mut self,
        arena: &Arena,
        counts: &mut Counts,
        fuel: &mut Fuel,
    ) -> Option<Box<Witness>> {
        if counts.undefined == 0
            || self.points.columns() == 0
            || !fuel.spend(100 + 2 * self.program.len() as u64)
        {
            return None;
        }
        self.evaluator.run(&self.program, self.points.block(0));
        let [left, right] = [0, 1].map(|side| self.evaluator.undefined_in(&self.program, side));
        for lane in (0..LANES).filter(|lane| (left ^ right) >> lane & 1 == 1) {
            let right = right >> lane & 1 == 1;
            counts.one_sided[usize::from(right)] = true;
            if self.points.row(lane).all(|coordinate| coordinate > 0.0)
                && let Some(witness) = self.refute_beyond(arena, lane, fuel)
            {
                return Some(witness);
            }
        }
        None
    }

    /// Returns a counterexample from real values whose parts are not real.
    ///
    /// A side can have a real value although its parts have none (`√(-2)·√(-4)`). Such a value counts if the
    /// variables are positive and the other side is real: `√(x-3)·√(x-5)` is not `√((x-3)(x-5))`.
    fn refute_beyond(&mut self, arena: &Arena, point: usize, fuel: &mut Fuel) -> Option<Box<Witness>> {
        if !fuel.spend(20 + 8 * self.program.len() as u64) {
            return None;
        }
        let row: SmallVec<[f64; 8]> = self.points.row(point).collect();
        self.complex.run(&self.program, &row);
        let left = self.complex.value(&self.program, 0);
        let right = self.complex.value(&self.program, 1);
        match (left, right) {
            (
                ComplexValue::Number { re, im, re_error, im_error },
                ComplexValue::Number { re: re2, im: im2, re_error: e2, im_error: f2 },
            ) if im.abs() <= im_error && im2.abs() <= f2 && (re - re2).abs() > 2.0 * (re_error + e2) => {
                Some(Box::new(Witness {
                    point: self.place(arena, point),
                    left: (re, im),
                    right: (re2, im2),
                    bound: re_error + e2,
                }))
            }
            _ => None,
        }
    }

    pub(super) fn place(&self, arena: &Arena, point: usize) -> Vec<(String, f64)> {
        self.symbols
            .iter()
            .enumerate()
            .map(|(column, &symbol)| (arena.name(symbol).to_owned(), self.points.coordinate(point, column)))
            .collect()
    }
}

/// A point, the two values at it and a bound on the sum of their errors.
type Difference = (usize, (f64, f64), (f64, f64), f64);
