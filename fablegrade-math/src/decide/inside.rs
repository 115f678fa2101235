//! Points inside pieces, away from the places where pieces meet.
//!
//! A difference inside a piece may not show near the border of the piece. These points are at twice and at
//! half the coordinate of a place on the border, at places where doubles do not decide, and at places where
//! the sides have values.

use super::lines::{Known, Line, Way, scales};
use super::{Judge, LANES, Row, Witness};
use crate::expr::{Arena, Id, Node};
use crate::limits::{BEYOND_BITS, Fuel, OPEN_BITS, PIECE_SEARCH, PIECES_BEYOND};
use crate::precise::Field;

/// Points inside pieces, grouped by how they were found.
#[derive(Default)]
pub(super) struct Beyond {
    /// Points at twice and at half the first place on a line at which an argument changes its piece.
    pub(super) first: Vec<Row>,
    /// The same for the other places.
    pub(super) others: Vec<Row>,
    /// Points on lines at which doubles do not decide.
    pub(super) open: Vec<Row>,
}

impl Beyond {
    /// Keeps some of the points, without repetitions.
    pub(super) fn keep_some(&mut self) {
        for rows in [&mut self.first, &mut self.others, &mut self.open] {
            let mut distinct: Vec<Row> = Vec::new();
            for row in rows.drain(..) {
                if !distinct.contains(&row) {
                    distinct.push(row);
                }
            }
            let step = distinct.len().div_ceil(PIECES_BEYOND).max(1);
            rows.extend(distinct.into_iter().step_by(step));
        }
    }
}

impl Judge {
    /// Compares the sides inside pieces in ball arithmetic, since another piece may add less than doubles can
    /// resolve. Returns whether the sides agree at the open points.
    pub(super) fn agree_inside(
        &mut self,
        arena: &mut Arena,
        sides: [Id; 2],
        (inside, mut open): (Beyond, Vec<Row>),
        fuel: &mut Fuel,
    ) -> Result<bool, Box<Witness>> {
        let Beyond { first: mut beyond, others, open: along } = inside;
        let bits = if saturates(arena, sides) {
            open.append(&mut beyond);
            OPEN_BITS
        } else {
            BEYOND_BITS
        };
        let beside = core::mem::take(&mut self.points);
        self.agree_at(arena, (&beyond, Field::Real), BEYOND_BITS, fuel)?;
        let agreed = self.agree_at(arena, (&open, Field::Real), OPEN_BITS, fuel)?;
        self.agree_at(arena, (&others, Field::Real), bits, fuel)?;
        self.agree_at(arena, (&along, Field::Real), BEYOND_BITS, fuel)?;
        self.points = beside;
        Ok(agreed)
    }

    /// Returns rows at which the sides may have values, on lines through rows at which they have none.
    ///
    /// A search may find a piece at a row without values, although the sides have values elsewhere in the
    /// piece.
    pub(super) fn rows_with_values(&mut self, unvalued: &[Row], fuel: &mut Fuel) -> Vec<Row> {
        let mut rows = Vec::new();
        if self.symbols.len() < 2 {
            return rows;
        }
        let mut budget = Fuel::new(PIECE_SEARCH.min(fuel.left()));
        let before = budget.left();
        for start in unvalued {
            for column in 0..self.symbols.len() {
                let line = Line { start, way: Way::Along(column) };
                let scale = scales(&self.variables[column].domain);
                let mut known: Vec<Known> = Vec::with_capacity(scale.len());
                if !scale
                    .chunks(LANES)
                    .all(|chunk| self.push_known(line, Field::Real, chunk, &mut known, &mut budget))
                {
                    break;
                }
                let places: Vec<f64> = scale
                    .iter()
                    .zip(&known)
                    .filter(|(_, known)| **known != Known::NoValue)
                    .map(|(place, _)| *place)
                    .collect();
                let step = places.len().div_ceil(4).max(1);
                rows.extend(places.iter().step_by(step).filter_map(|&at| line.row(at, &self.variables)));
            }
        }
        fuel.spend(before - budget.left());
        rows
    }
}

/// Returns some of the places at which doubles do not decide, on both sides of 0.
///
/// Places of moderate size come first, because very large or very small ones can exceed any precision.
pub(super) fn nearest_open(scale: &[f64], known: &[Known]) -> Vec<f64> {
    let is_open = |(at, known): (&f64, &Known)| (*known == Known::Nothing && *at != 0.0).then_some(*at);
    let mut open: Vec<f64> = scale.iter().zip(known).filter_map(is_open).collect();
    let far = |at: f64| libm::log2(at.abs()).abs();
    open.sort_by(|a, b| far(*a).total_cmp(&far(*b)));
    // Every second size is kept, with both signs.
    open.into_iter()
        .enumerate()
        .filter(|(nth, _)| nth % 4 < 2)
        .map(|(_, at)| at)
        .take(PIECES_BEYOND)
        .collect()
}

/// Returns whether some function is nearly constant for large arguments, so doubles do not distinguish its
/// values.
fn saturates(arena: &Arena, sides: [Id; 2]) -> bool {
    sides
        .iter()
        .any(|side| arena.any(*side, |node| matches!(node, Node::Apply(function, _) if function.saturates())))
}
