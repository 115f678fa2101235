//! High precision, the last resort.

use super::{Evidence, Judge, LANES, Look, Undecided, Witness};
use crate::evaluate::ComplexValue;
use crate::expr::{Arena, Id};
use crate::fuel::Fuel;
use crate::points::Points;
use crate::precise::{Agreement, Field, Limits, Number, Reason};
use smallvec::SmallVec;

/// Units of our fuel (10 ns) in one unit of high precision (20 ns).
const EXCHANGE: u64 = 2;

impl Judge {
    /// Raises the precision at the points that are drawn until the sides differ or agree beyond chance.
    pub(super) fn confirm(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        field: Field,
        look: &Look,
        fuel: &mut Fuel,
    ) -> Evidence {
        if self.program.is_incomplete() {
            return Evidence::Undecided(Undecided::NotEvaluated);
        }
        let budget = fuel.left() / EXCHANGE;
        let limits = Limits { fuel: budget.min(Limits::default().fuel), ..Limits::default() };
        fuel.spend(limits.fuel * EXCHANGE);
        let none = Points::default();
        let points = if self.variables.is_empty() { &none } else { &self.points };
        match self.precise.compare(&self.program, points, field, &limits) {
            Agreement::Refuted { point, left, right, .. } => {
                let approximate = |number: &Number| (number.re.to_f64(), number.im.to_f64());
                Evidence::Refuted(Some(Box::new(Witness {
                    point: self.place(arena, point),
                    left: approximate(&left),
                    right: approximate(&right),
                    bound: 0.0,
                })))
            }
            Agreement::Agreed { points, bits } => Evidence::Agreed { points: points as u32, bits },
            Agreement::Undecided(Reason::Fuel) => Evidence::Undecided(Undecided::OutOfFuel),
            Agreement::Undecided(Reason::Precision) => Evidence::Undecided(Undecided::TooClose),
            Agreement::Undecided(Reason::NoPoint) => {
                if look.agreeing == 0
                    && self.is_valueless(arena, sides[0]) != self.is_valueless(arena, sides[1])
                {
                    return Evidence::Refuted(None);
                }
                Evidence::Undecided(Undecided::NoPoints)
            }
        }
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
