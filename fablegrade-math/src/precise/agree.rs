//! Comparison of two expressions with increasing precision, until they certainly differ or agree beyond
//! chance.

use crate::limits::{BALL_BITS, BALLS};
use smallvec::SmallVec;

use super::ball::Ball;
use super::complex::Number;
use super::run::{self, Field};
use super::{Constants, Context, Gap};
use crate::evaluate::{Instruction, Program};
use crate::functions::Hidden;
use crate::points::Points;

/// Limits of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The minimum precision of the first attempt, in bits.
    pub min_bits: usize,
    /// The precision of the last attempt, in bits; long numbers and small values can raise it.
    pub max_bits: usize,
    /// The number of bits to which two values must agree so that chance is excluded; long numbers raise it.
    pub agree_bits: u32,
    /// The number of agreeing points after which the comparison stops. If the points or the fuel run out
    /// earlier, three are enough, or six if the precision did not suffice at another point. A constant needs one.
    pub points: usize,
    /// The budget, in units of work.
    pub fuel: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { min_bits: 160, max_bits: 1024, agree_bits: 120, points: 12, fuel: BALLS }
    }
}

/// The number of bits below the leading bit of the smallest intermediate value to which two values must
/// agree.
const SPARE: u32 = 64;

/// The reason why a comparison is undecided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There is no point at which both sides have a value, or the program is incomplete.
    NoPoint,
    /// The values agree, but at fewer points than are needed.
    FewPoints,
    /// At some point, the maximum precision did not suffice to show a difference or agreement.
    Precision,
    /// An evaluation used up its share of the budget.
    Fuel,
}

/// The result of comparing two expressions in high precision.
#[derive(Clone, PartialEq, Debug)]
pub enum Agreement {
    /// The expressions certainly differ at a point.
    Refuted {
        /// The index of the point.
        point: usize,
        /// The precision that was needed.
        bits: usize,
        /// The value of the first expression.
        left: Number,
        /// The value of the second expression.
        right: Number,
    },
    /// The expressions agree at `points` points, at each of them to at least `bits` bits.
    Agreed {
        /// The number of points.
        points: usize,
        /// The smallest number of agreeing bits, relative to the larger value or to 1, whichever is smaller.
        bits: u32,
    },
    /// There is no decision.
    Undecided(Reason),
}

/// A high-precision evaluator of programs, which reuses buffers and constants.
#[derive(Clone, Debug, Default)]
pub struct Precise {
    constants: Constants,
    slots: Vec<Option<Number>>,
    left: u64,
}

impl Precise {
    /// Creates an evaluator without buffers.
    pub fn new() -> Precise {
        Precise::default()
    }

    /// Evaluates all outputs at a point with a working precision of `bits` bits; the cost is subtracted from
    /// `fuel`.
    pub fn evaluate(
        &mut self,
        program: &Program,
        point: &[f64],
        field: Field,
        bits: usize,
        fuel: &mut u64,
    ) -> Result<SmallVec<[Number; 2]>, Gap> {
        let mut context =
            Context { bits: bits.clamp(32, BALL_BITS), fuel: *fuel, constants: &mut self.constants };
        let point: SmallVec<[Ball; 4]> = point.iter().map(|at| Ball::float(*at)).collect::<Result<_, _>>()?;
        let result = run::outputs(&mut context, program, &point, field, &mut self.slots);
        *fuel = context.fuel;
        result
    }

    /// Evaluates the first output at a point whose coordinates are balls; its value must be real.
    pub(crate) fn evaluate_at(
        &mut self,
        program: &Program,
        point: &[Ball],
        bits: usize,
        fuel: &mut u64,
    ) -> Result<Ball, Gap> {
        let mut context =
            Context { bits: bits.clamp(32, BALL_BITS), fuel: *fuel, constants: &mut self.constants };
        let result = run::outputs(&mut context, program, point, Field::Real, &mut self.slots);
        *fuel = context.fuel;
        result?.first().filter(|value| value.is_real()).map(|value| value.re.clone()).ok_or(Gap::Unknown)
    }

    /// Returns whether two numbers are certainly less than `2^-bits` apart.
    pub fn are_closer(&self, left: &Number, right: &Number, bits: usize) -> bool {
        let limit = -(bits as i64) - 1;
        [(&left.re, &right.re), (&left.im, &right.im)].into_iter().all(|(a, b)| {
            // This precision is so high that rounding hardly adds to the radius of the difference.
            a.minus(b, BALL_BITS + 128)
                .is_ok_and(|difference| difference.is_zero() || difference.upper_magnitude().exponent < limit)
        })
    }

    /// Returns the number of binary places between the binary point and the leading bit of the smallest value
    /// in the last run. Values that may be 0 do not count.
    fn smallest(&self) -> u32 {
        let parts = self.slots.iter().flatten().flat_map(|number| [&number.re, &number.im]);
        let least = parts.filter_map(Ball::lower_magnitude).map(|low| low.exponent).min().unwrap_or(0);
        u32::try_from(least.saturating_neg().max(0)).unwrap_or(u32::MAX)
    }

    /// Returns the number of binary places after which the smallest contribution to a step of the last run is
    /// visible.
    ///
    /// Such contributions are the smaller of two summands, the cube of a small argument, and the difference
    /// between a saturating function and its limit.
    fn hidden(&self, program: &Program) -> u32 {
        let size = |slot: u32| -> Option<i64> {
            let number = self.slots.get(slot as usize)?.as_ref()?;
            let parts = [&number.re, &number.im].into_iter().filter_map(Ball::lower_magnitude);
            parts.map(|low| low.exponent).max()
        };
        let step = |instruction: &Instruction| -> Option<i64> {
            match *instruction {
                Instruction::Add(a, b) => i64::try_from(size(a)?.abs_diff(size(b)?)).ok(),
                Instruction::Unary(function, a) => {
                    let exponent = size(a)?;
                    let small = (-3 * exponent).max(0);
                    Some(match function.hidden() {
                        Hidden::Nothing => 0,
                        Hidden::Exponential if exponent > 0 => 3_i64 << exponent.min(40),
                        Hidden::Gaussian if exponent > 0 => 3_i64 << (2 * exponent).min(40),
                        Hidden::SquareFar | Hidden::SquareFarOnly if exponent > 0 => 2 * exponent,
                        Hidden::SquareFarOnly => 0,
                        _ => small,
                    })
                }
                _ => None,
            }
        };
        let most = program.code().iter().filter_map(step).max().unwrap_or(0);
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// Compares the first two outputs of a program; see [`refute_or_agree`].
    pub fn compare(
        &mut self,
        program: &Program,
        points: &Points,
        field: Field,
        limits: &Limits,
    ) -> Agreement {
        let mut fuel = limits.fuel;
        let agreement = self.compare_for(program, points, field, limits, &mut fuel);
        self.left = fuel;
        agreement
    }

    /// Returns the units that the last comparison did not use.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Works like [`Precise::compare`], but subtracts the cost from `fuel`.
    ///
    /// This function is long because it is a loop over points and precisions that share counters.
    fn compare_for(
        &mut self,
        program: &Program,
        points: &Points,
        field: Field,
        limits: &Limits,
        fuel: &mut u64,
    ) -> Agreement {
        if program.outputs() < 2 || program.is_incomplete() {
            return Agreement::Undecided(Reason::NoPoint);
        }
        let (mut agreed, mut least) = (0usize, u32::MAX);
        let (mut precision_failed, mut fuel_failed) = (false, false);
        let number_bits = number_bits(program);
        // The digits of long numbers can cancel, so agreement must exceed their lengths.
        let agree_bits = limits.agree_bits.max((number_bits as u32).saturating_mul(2).saturating_add(64));
        let mut max_bits = limits.max_bits.max(agree_bits as usize + 64).min(BALL_BITS);
        let is_constant = program.columns() == 0;
        let count = if is_constant { 1 } else { points.len() };
        for point in 0..count {
            let row: SmallVec<[f64; 8]> = points.row(point).collect();
            let mut bits = limits.min_bits.max(agree_bits as usize + 40).min(max_bits);
            loop {
                // Unless there is only one point, each attempt may use at most a third of the remaining fuel,
                // so some remains for the other points.
                let mut share = if count == 1 { *fuel } else { *fuel / 3 };
                let before = share;
                let outcome = self.evaluate(program, &row, field, bits, &mut share);
                *fuel -= before - share;
                match outcome {
                    Ok(values) => match (values.first(), values.get(1)) {
                        (Some(left), Some(right)) => match agreement(left, right, bits) {
                            Distance::Apart => {
                                return Agreement::Refuted {
                                    point,
                                    bits,
                                    left: left.clone(),
                                    right: right.clone(),
                                };
                            }
                            Distance::Within { relative, absolute } => {
                                // The precision must reveal a difference as small as the smallest value.
                                let smallest =
                                    self.smallest().max(self.hidden(program)).saturating_add(SPARE);
                                if relative >= agree_bits && absolute >= smallest {
                                    agreed += 1;
                                    least = least.min(relative);
                                    break;
                                }
                                if absolute < smallest {
                                    max_bits =
                                        max_bits.max(smallest.saturating_add(SPARE) as usize).min(BALL_BITS);
                                }
                            }
                        },
                        _ => break,
                    },
                    Err(Gap::Undefined) => break,
                    Err(Gap::Fuel) => {
                        fuel_failed = true;
                        break;
                    }
                    Err(Gap::Unknown) => {}
                }
                if bits >= max_bits {
                    precision_failed = true;
                    break;
                }
                bits = (bits * 2).min(max_bits);
            }
            if agreed >= limits.points || *fuel == 0 {
                break;
            }
        }
        // The points at which the precision did not suffice may be those at which the sides differ.
        let enough = limits.points.min(if precision_failed { 6 } else { 3 });
        if agreed > 0 && (agreed >= enough || is_constant) {
            Agreement::Agreed { points: agreed, bits: least }
        } else if fuel_failed {
            Agreement::Undecided(Reason::Fuel)
        } else if precision_failed {
            Agreement::Undecided(Reason::Precision)
        } else if agreed > 0 {
            Agreement::Undecided(Reason::FewPoints)
        } else {
            Agreement::Undecided(Reason::NoPoint)
        }
    }
}

/// Compares the first two outputs of a program at points.
///
/// The result is a certain difference at one point, which is a proof; agreement to at least
/// `limits.agree_bits` bits at several points, which is evidence; or the reason why there is neither. Points
/// at which a part of either side has no value are skipped. A program without variables is compared at one
/// point.
pub fn refute_or_agree(program: &Program, points: &Points, field: Field, limits: &Limits) -> Agreement {
    Precise::new().compare(program, points, field, limits)
}

/// Returns the length of a program's longest number in bits, at most 1500.
fn number_bits(program: &Program) -> usize {
    program
        .code()
        .iter()
        .map(|instruction| match instruction {
            Instruction::Number(at) | Instruction::RationalPower(_, at) => program.number(*at).bits(),
            _ => 0,
        })
        .max()
        .unwrap_or(0)
        .min(1500)
}

/// The distance between two numbers.
enum Distance {
    /// The numbers are certainly different.
    Apart,
    /// The numbers are not certainly different.
    Within {
        /// The number of agreeing bits, relative to the larger value or to 1, whichever is smaller.
        relative: u32,
        /// The number of agreeing bits after the binary point.
        absolute: u32,
    },
}

fn agreement(left: &Number, right: &Number, bits: usize) -> Distance {
    let (mut least, mut places) = (bits as u32, u32::MAX);
    // The scale is the largest part that is certainly not 0, but at most 1. So next to large values, small
    // terms still show.
    let scale = [&left.re, &left.im, &right.re, &right.im]
        .into_iter()
        .filter_map(Ball::lower_magnitude)
        .map(|low| low.exponent)
        .max();
    for (a, b) in [(&left.re, &right.re), (&left.im, &right.im)] {
        if a.is_zero() && b.is_zero() {
            continue;
        }
        let Ok(difference) = a.minus(b, bits + 64) else {
            return Distance::Within { relative: 0, absolute: 0 };
        };
        match difference.sign() {
            Some(core::cmp::Ordering::Equal) => {}
            Some(_) => return Distance::Apart,
            None => {
                let distance = difference.upper_magnitude();
                let agree = scale.unwrap_or(0).min(0).saturating_sub(distance.exponent).max(0);
                least = least.min(u32::try_from(agree).unwrap_or(u32::MAX));
                let after = distance.exponent.saturating_neg().max(0);
                places = places.min(u32::try_from(after).unwrap_or(u32::MAX));
            }
        }
    }
    Distance::Within { relative: least, absolute: places }
}
