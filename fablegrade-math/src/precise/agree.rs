//! Raising the precision until two expressions differ for certain or agree beyond chance.

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
    /// Precision of the first try.
    pub min_bits: usize,
    /// Precision of the last one.
    pub max_bits: usize,
    /// Bits of agreement that are beyond chance.
    pub agree_bits: u32,
    /// The number of points that must agree; all points, if there are fewer.
    pub points: usize,
    /// The units of work.
    pub fuel: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { min_bits: 160, max_bits: 1024, agree_bits: 120, points: 12, fuel: BALLS }
    }
}

/// Bits by which two values must agree beyond the smallest value that took part in them.
const SPARE: u32 = 64;

/// The reason why a comparison did not come to a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There is no point at which both sides have a value.
    NoPoint,
    /// Values were found, but they neither differ certainly nor agree closely enough.
    Precision,
    /// The budget was used up.
    Fuel,
}

/// The result of comparing two expressions in high precision.
#[derive(Clone, PartialEq, Debug)]
pub enum Agreement {
    /// Certainly different at a point.
    Refuted {
        /// Index of the point.
        point: usize,
        /// Precision that was needed.
        bits: usize,
        /// Value of the first expression.
        left: Number,
        /// Value of the second one.
        right: Number,
    },
    /// The same at several points as far as was computed.
    Agreed {
        /// The number of points.
        points: usize,
        /// Bits of agreement at each of them, relative to the larger value (or to 1 where both may be 0).
        bits: u32,
    },
    /// There is no decision.
    Undecided(Reason),
}

/// High-precision evaluation of programs; keeps buffers and constants.
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

    /// Returns all outputs at a point with `bits` bits of working precision, paid from `fuel`.
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

    /// Returns the real value of the first output at a point of balls.
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
            // exact, so that the difference is as narrow as the two balls
            a.minus(b, BALL_BITS + 128)
                .is_ok_and(|difference| difference.is_zero() || difference.upper_magnitude().exponent < limit)
        })
    }

    /// Returns the binary places after the point at which the smallest value of the last run begins; values that may
    /// be 0 do not count.
    fn smallest(&self) -> u32 {
        let parts = self.slots.iter().flatten().flat_map(|number| [&number.re, &number.im]);
        let least = parts.filter_map(Ball::lower_magnitude).map(|low| low.exponent).min().unwrap_or(0);
        u32::try_from(least.saturating_neg().max(0)).unwrap_or(u32::MAX)
    }

    /// Returns the binary places after the point at which what a step of the last run swallows may show: the smaller
    /// of two terms beside the larger, the cube of a small argument, what a saturating function lacks to its limit.
    fn hidden(&self, program: &Program) -> u32 {
        let size = |slot: u32| -> Option<i64> {
            let number = self.slots.get(slot as usize)?.as_ref()?;
            let parts = [&number.re, &number.im].into_iter().filter_map(Ball::lower_magnitude);
            parts.map(|low| low.exponent).max()
        };
        let step = |instruction: &Instruction| -> Option<i64> {
            match *instruction {
                Instruction::Add(a, b) => Some((size(a)? - size(b)?).abs()),
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

    /// Compares the first two outputs of a program. See [`refute_or_agree`].
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

    /// The units that the last comparison left over.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// The same, paid from `fuel`.
    ///
    /// Long: one loop over precisions whose counts belong together.
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
        // Long numbers can cancel down to small differences: ask for more than their length.
        let agree_bits = limits.agree_bits.max((number_bits as u32).saturating_mul(2).saturating_add(64));
        let mut max_bits = limits.max_bits.max(agree_bits as usize + 64).min(BALL_BITS);
        let is_constant = program.columns() == 0;
        let count = if is_constant { 1 } else { points.len() };
        for point in 0..count {
            let row: SmallVec<[f64; 8]> = points.row(point).collect();
            let mut bits = limits.min_bits.max(agree_bits as usize + 40).min(max_bits);
            loop {
                // No point may eat more than a third of what is left, so that a hard one does not hide the others.
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
                                // A term as small as the smallest value found must show in a
                                // difference.
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
        if agreed > 0 && (agreed >= limits.points.min(3) || is_constant) {
            Agreement::Agreed { points: agreed, bits: least }
        } else if fuel_failed {
            Agreement::Undecided(Reason::Fuel)
        } else if precision_failed {
            Agreement::Undecided(Reason::Precision)
        } else {
            Agreement::Undecided(Reason::NoPoint)
        }
    }
}

/// Compares the first two outputs of a program at points: certainly different at one, or the same at several to
/// `limits.agree_bits` bits. Points where a part of either side has no value are skipped.
///
/// Refutation is a proof; agreement is evidence. A program without variables is evaluated once.
pub fn refute_or_agree(program: &Program, points: &Points, field: Field, limits: &Limits) -> Agreement {
    Precise::new().compare(program, points, field, limits)
}

/// Returns the longest number of a program; what is added to agreement so that its digits cannot cancel unnoticed.
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
    /// They are certainly different.
    Apart,
    /// Bits to which they agree, relative to the larger one (1 at most), and after the point.
    Within { relative: u32, absolute: u32 },
}

fn agreement(left: &Number, right: &Number, bits: usize) -> Distance {
    let (mut least, mut places) = (bits as u32, u32::MAX);
    // The larger part is the scale of both, but 1 at most: beside a large value a small term must show too.
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
