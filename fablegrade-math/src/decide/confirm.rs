//! Comparison in high precision, for pairs that no cheaper stage decides.

use super::{Evidence, Judge, LANES, Row, Undecided, Witness};
use crate::evaluate::ComplexValue;
use crate::expr::{Arena, Id, Node};
use crate::limits::{CONFIRMATION, Fuel, ROOTS_CONFIRMATION};
use crate::points::Points;
use crate::precise::{Agreement, Field, Limits, Reason};
use smallvec::SmallVec;

impl Judge {
    /// Raises the precision at the sample points until the sides differ, agree beyond chance, or a limit is
    /// reached.
    pub(super) fn confirm(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        field: Field,
        no_point_agrees: bool,
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
            Agreement::Undecided(Reason::FewPoints) => Evidence::Undecided(Undecided::FewPoints),
            Agreement::Undecided(Reason::NoPoint) => {
                // Where doubles do not show a value, as of `\tan\frac\pi2`, there may be none.
                let differs = |judge: &mut Self, side: usize| {
                    judge.is_valueless(arena, sides, side) && judge.has_value(1 - side)
                };
                if no_point_agrees && (differs(self, 0) || differs(self, 1)) {
                    return Evidence::Refuted(None);
                }
                Evidence::Undecided(Undecided::NoPoints)
            }
        }
    }

    /// Returns whether balls agree at a point at which both sides have values. Returns `true` if the finite
    /// field chose no roots of constants.
    ///
    /// The finite field may choose other roots of constants than the real ones, and doubles may not show the
    /// difference. An example is `\tanh(40+\sinh(-1))` and `\tanh(40+\sqrt{\cosh^21-1})`.
    pub(super) fn confirm_roots(
        &mut self,
        arena: &Arena,
        field: Field,
        fuel: &mut Fuel,
    ) -> Result<bool, Box<Witness>> {
        if !self.field.chose_roots() {
            return Ok(true);
        }
        if self.program.is_incomplete() {
            return Ok(false);
        }
        let limits = Limits { points: 1, ..Limits::default() };
        let agreement = self.escalate(arena, field, ROOTS_CONFIRMATION, limits, fuel)?;
        Ok(matches!(agreement, Agreement::Agreed { .. }))
    }

    /// Removes repeated points, which integer variables can produce; a point counts as evidence only once.
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

    /// Returns whether a side certainly has a value, real or complex, at one of the first points.
    fn has_value(&mut self, side: usize) -> bool {
        let count = if self.variables.is_empty() { 1 } else { self.points.len().min(LANES) };
        (0..count).any(|point| {
            let row: Row = self.points.row(point).collect();
            self.complex.run(&self.program, &row);
            self.complex.has_value_in(&self.program, side)
        })
    }

    /// Returns whether a side certainly has no value, real or complex, at any of the first points at which its
    /// sums and products have terms. Without such a point, nothing is certain.
    fn is_valueless(&mut self, arena: &Arena, sides: [Id; 2], side: usize) -> bool {
        let whole = sides[side];
        let mut bounds: SmallVec<[Id; 8]> = SmallVec::new();
        for part in arena.reachable(&[whole]) {
            if let Node::Series(_, _, from, to, _) = arena.node(part) {
                let names = arena.free(from).union(arena.free(to));
                // An empty sum inside another sum or between constants is 0, so its bounds do not matter.
                if !names.is_empty() && names.without(arena.free(whole)).is_empty() {
                    bounds.extend([from, to]);
                }
            }
        }
        let count = if self.variables.is_empty() { 1 } else { self.points.len().min(LANES) };
        let mut rows: SmallVec<[Row; LANES]> =
            (0..count).map(|point| self.points.row(point).collect()).collect();
        if !bounds.is_empty() {
            self.side.compile(arena, &bounds, &self.symbols);
            let has_terms = |row: &mut Row| {
                self.complex.run(&self.side, row);
                let bound = |at: usize| match self.complex.value(&self.side, at) {
                    ComplexValue::Number { re, .. } => re,
                    _ => f64::NAN,
                };
                (0..bounds.len()).step_by(2).all(|from| bound(from) <= bound(from + 1))
            };
            rows.retain(has_terms);
        }
        !rows.is_empty()
            && rows.iter().all(|row| {
                self.complex.run(&self.program, row);
                self.complex.is_undefined_in(&self.program, side)
            })
    }
}
