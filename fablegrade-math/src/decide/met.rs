//! Pieces that contain a sample point; agreement at points is evidence only for those pieces.
//!
//! A piece is a region in which an argument has one sign, or one integer part for steps.

use super::range::{Range, range_of};
use super::switches::{Switch, is_polynomial};
use super::{Judge, LANES};
use crate::evaluate::Value;
use crate::expr::{Arena, Symbols};
use crate::limits::{Fuel, UNVALUED_POINTS};
use smallvec::SmallVec;

impl Judge {
    /// Determines for which pieces of the arguments the points are evidence.
    ///
    /// An argument of several variables must take both signs (or branches), unless a bound on its range
    /// excludes one. Polynomials outside steps and denominators are exempt. A region that the searches have
    /// missed may be anywhere in the plane.
    pub(super) fn met_pieces(
        &mut self,
        arena: &Arena,
        (switches, variables): (&[Switch], Symbols),
        fuel: &mut Fuel,
    ) -> Met {
        let mut compared = vec![Seen::default(); switches.len()];
        let mut open = compared.clone();
        let signs_of: SmallVec<[usize; 8]> =
            (0..self.symbols.len()).filter(|&at| variables.contains(self.symbols[at])).collect();
        let mut signs = vec![Signs::default(); switches.len() + signs_of.len()];
        let cost = 40 + (self.program.len() + self.side.len()) as u64;
        for block in 0..self.points.block_count() {
            if !fuel.spend(cost) {
                return Met { all: false, open: Vec::new(), unvalued: Vec::new() };
            }
            let columns = self.points.block(block);
            self.evaluator.run(&self.program, columns);
            let lanes = LANES.min(self.points.len() - block * LANES);
            let sides: [_; LANES] = core::array::from_fn(|lane| {
                let value = |side| self.evaluator.value(&self.program, side, lane);
                (!self.evaluator.is_undefined(lane)).then(|| [value(0), value(1)])
            });
            for (&column, signs) in signs_of.iter().zip(&mut signs[switches.len()..]) {
                for (lane, sides) in sides.iter().enumerate().take(lanes) {
                    signs.note(columns[column][lane], are_real(sides.as_ref()), block * LANES + lane);
                }
            }
            self.evaluator.run(&self.side, columns);
            for (output, switch) in switches.iter().enumerate() {
                for (lane, sides) in sides.iter().enumerate().take(lanes) {
                    let argument = self.evaluator.value_of_part(&self.side, output, lane);
                    if let Value::Real { value, error } = argument
                        && !switch.step
                        && value.abs() > error
                    {
                        signs[output].note(value, are_real(sides.as_ref()), block * LANES + lane);
                    }
                    // A value within its error has no known sign.
                    if let (Some(sides), Value::Real { value, error }) = (sides, argument)
                        && (switch.step || value.abs() > error)
                    {
                        let piece = if switch.step { 1.0 } else { value.abs() };
                        let seen = if tells_apart(*sides, piece) { &mut compared } else { &mut open };
                        seen[output].note(value, block * LANES + lane);
                    }
                }
            }
        }
        let mut met = Met { all: true, open: Vec::new(), unvalued: Vec::new() };
        for point in signs.iter().flat_map(Signs::unvalued) {
            if !met.unvalued.contains(&point) && met.unvalued.len() < UNVALUED_POINTS {
                met.unvalued.push(point);
            }
        }
        for ((switch, compared), open) in switches.iter().zip(&compared).zip(&open) {
            let (least, most) = (compared.least.0.min(open.least.0), compared.most.0.max(open.most.0));
            met.all &= self.is_everything(arena, *switch, (least, most));
            for (beyond, rows) in [
                (switch.piece(open.least.0) < switch.piece(compared.least.0), [open.below, open.least]),
                (switch.piece(open.most.0) > switch.piece(compared.most.0), [open.above, open.most]),
            ] {
                // The point with the value closest to 0 and the one with the most extreme value are kept.
                for (value, row) in rows {
                    if beyond && value.is_finite() && !met.open.contains(&row) {
                        met.open.push(row);
                    }
                }
            }
        }
        met
    }

    /// Returns whether an argument with this range of values at the points has no other sign or branch.
    fn is_everything(&self, arena: &Arena, switch: Switch, (least, most): Range) -> bool {
        // Polynomials have few valleys, and the descent finds them. Denominators can have long valleys.
        if arena.free(switch.argument).len() < 2
            || (!switch.step && !switch.pole && is_polynomial(arena, switch.argument))
        {
            return true;
        }
        let (low, high) = range_of(arena, switch.argument, &self.variables);
        if switch.step {
            // A branch of an inverse function is up to two quarter turns wide, so two levels can belong to
            // one piece.
            let (first, last) = (libm::floor(least), libm::floor(most));
            last - first >= 2.0 || (low >= first - 1e-9 && high <= first + 2.0 + 1e-9)
        } else {
            (least < 0.0 && most > 0.0) || low >= 0.0 || high <= 0.0
        }
    }
}

/// The pieces for which points are evidence.
pub(super) struct Met {
    /// True if each piece that is known or suspected contains a point.
    pub(super) all: bool,
    /// Points in pieces where doubles do not decide at any point.
    pub(super) open: Vec<usize>,
    /// Points in pieces where the sides have no value at any point.
    pub(super) unvalued: Vec<usize>,
}

/// The points at which an argument is negative, and those at which it is positive.
#[derive(Clone, Default)]
struct Signs {
    /// For each sign, true if the sides have values at one of its points.
    valued: [bool; 2],
    /// The points at which the sides have no values.
    unvalued: [SmallVec<[usize; 4]>; 2],
}

impl Signs {
    fn note(&mut self, value: f64, is_valued: bool, point: usize) {
        if value == 0.0 || value.is_nan() {
            return;
        }
        let sign = usize::from(value > 0.0);
        self.valued[sign] |= is_valued;
        if !is_valued {
            self.unvalued[sign].push(point);
        }
    }

    /// Returns a few points for each sign, if the sides have no value at any point of this sign.
    fn unvalued(&self) -> impl Iterator<Item = usize> {
        let of_sign = |sign: usize| if self.valued[sign] { &[][..] } else { self.unvalued[sign].as_slice() };
        [0, 1].into_iter().flat_map(move |sign| {
            let points = of_sign(sign);
            points.iter().copied().step_by(points.len().div_ceil(4).max(1))
        })
    }
}

/// The smallest and largest values of an argument and the values closest to 0, each with its point.
#[derive(Clone, Copy)]
struct Seen {
    least: (f64, usize),
    below: (f64, usize),
    above: (f64, usize),
    most: (f64, usize),
}

impl Default for Seen {
    fn default() -> Self {
        let (nothing, all) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
        Seen { least: all, below: nothing, above: all, most: nothing }
    }
}

impl Seen {
    fn note(&mut self, value: f64, point: usize) {
        if value < self.least.0 {
            self.least = (value, point);
        }
        if value > self.most.0 {
            self.most = (value, point);
        }
        if value < 0.0 && value > self.below.0 {
            self.below = (value, point);
        }
        if value > 0.0 && value < self.above.0 {
            self.above = (value, point);
        }
    }
}

fn are_real(sides: Option<&[Value; 2]>) -> bool {
    matches!(sides, Some([Value::Real { .. }, Value::Real { .. }]))
}

/// The magnitude below which a value other than 0 may have underflowed.
const VANISHING: f64 = 1e-290;

/// Returns whether two values are precise enough to show a difference of the size of `piece`.
///
/// Their error bounds must be much smaller, and neither value may have underflowed.
fn tells_apart(sides: [Value; 2], piece: f64) -> bool {
    let [Value::Real { value, error }, Value::Real { value: other, error: also }] = sides else {
        return false;
    };
    let is_seen = |value: f64, error: f64| error == 0.0 || error.max(value.abs()) > VANISHING;
    error + also <= 1e-3 * piece && is_seen(value, error) && is_seen(other, also)
}
