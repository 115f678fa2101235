//! High precision, the last resort.

use super::{Evidence, Judge, LANES, Undecided};
use crate::evaluate::ComplexValue;
use crate::expr::{Arena, Id};
use crate::limits::CONFIRMATION;
use crate::limits::Fuel;
use crate::points::Points;
use crate::precise::{Agreement, Field, Limits, Reason};
use smallvec::SmallVec;

impl Judge {
    /// Raises the precision at the points that are drawn until the sides differ or agree beyond chance.
    pub(super) fn confirm(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        field: Field,
        fuel: &mut Fuel,
    ) -> Evidence {
        if self.program.is_incomplete() {
            return Evidence::Undecided(Undecided::NotEvaluated);
        }
        self.keep_distinct_points();
        let agreement = match self.escalate(arena, field, CONFIRMATION, Limits::default(), fuel) {
            Err(witness) => return Evidence::Refuted(Some(witness)),
            Ok(agreement) => agreement,
        };
        match agreement {
            Agreement::Refuted { .. } => Evidence::Refuted(None),
            Agreement::Agreed { points, bits } => Evidence::Agreed { points: points as u32, bits },
            Agreement::Undecided(Reason::Fuel) => Evidence::Undecided(Undecided::OutOfFuel),
            Agreement::Undecided(Reason::Precision) => Evidence::Undecided(Undecided::TooClose),
            Agreement::Undecided(Reason::NoPoint) => {
                if self.is_valueless(arena, sides[0]) != self.is_valueless(arena, sides[1]) {
                    return Evidence::Refuted(None);
                }
                Evidence::Undecided(Undecided::NoPoints)
            }
        }
    }

    /// Where integers are wanted a point can be drawn several times; it is evidence once.
    fn keep_distinct_points(&mut self) {
        let columns = self.points.columns();
        if columns == 0 {
            return;
        }
        let mut rows: Vec<SmallVec<[f64; 8]>> = Vec::with_capacity(self.points.len());
        for point in 0..self.points.len() {
            let row: SmallVec<[f64; 8]> = self.points.row(point).collect();
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        self.points = Points::from_rows(columns, rows.iter().map(SmallVec::as_slice));
    }

    /// Whether a side certainly has no value, real or complex, at any of the first points.
    fn is_valueless(&mut self, arena: &Arena, side: Id) -> bool {
        self.side.compile(arena, &[side], &self.symbols);
        if self.side.is_incomplete() {
            return false;
        }
        let count = if self.variables.is_empty() { 1 } else { self.points.len().min(LANES) };
        (0..count).all(|point| {
            let row: SmallVec<[f64; 8]> = self.points.row(point).collect();
            self.complex.run(&self.side, &row);
            self.complex.value(&self.side, 0) == ComplexValue::Undefined
        })
    }
}
