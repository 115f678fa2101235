//! Numeric sampling: two expressions count as the same if enough random points of a box are valid and the values
//! are close at all of them.
//!
//! A point is *valid* if the canonical expression has a value there. Other points are replaced, up to
//! [`REPLACEMENTS`] draws per requested point. If the box has no more points than requested, all of them are
//! visited instead. At a valid point `|a - b| <= tolerance * max(1, |a|, |b|)` must hold. This is decided in
//! doubles with error bounds and, if those do not decide, with balls of up to 1024 bits. A difference that is
//! still undecided then counts as within the tolerance. A submission without a value at more than 5 % of the
//! valid points is wrong. All points follow from the seed.

use crate::limits::SAMPLING;
use dashu_base::Sign;
use smallvec::SmallVec;

use crate::evaluate::{Evaluator, LANES, Program, Value};
use crate::expr::{Arena, Id, Symbol};
use crate::number::Rational;
use crate::points::{Domain, Variable, admits};
use crate::precise::{Ball, Field, Gap, Number, Precise};
use crate::random::split_mix;

/// Largest number of draws per requested point.
pub const REPLACEMENTS: usize = 20;

/// Fewest valid points for a verdict, unless all points of the box were tried.
pub const FEWEST: usize = 5;

/// The default bound on the size of sampled values.
const BOX: i64 = 10;

/// The author's settings.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampling {
    /// Number of points to compare; fewer than [`FEWEST`] usually give no verdict.
    pub points: usize,
    /// Bound on the difference, relative to the larger of 1 and both values.
    pub tolerance: Rational,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { points: 20, tolerance: Rational::new(1, 1_000_000).unwrap_or(Rational::ZERO) }
    }
}

/// The result of sampling.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// Close at every valid point.
    Close,
    /// Too far apart at a point.
    Apart {
        /// The values of the variables, in their order.
        point: SmallVec<[f64; 4]>,
        /// Approximate value of the canonical expression there: real and imaginary part.
        canonical: (f64, f64),
        /// Approximate value of the submission there.
        submission: (f64, f64),
    },
    /// The submission has no value at more than 5 % of the valid points.
    OftenUndefined,
    /// Too few points at which the canonical expression has a value; see [`FEWEST`].
    TooFewPoints,
    /// Too many points could not be decided.
    Undecided,
}

/// The outcome of sampling and its counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The result.
    pub outcome: Outcome,
    /// Number of points at which the canonical expression has a value.
    pub valid: usize,
    /// Number of these points at which the submission certainly has no value.
    pub undefined: usize,
    /// Number of points that were skipped because the canonical expression has no (known) value there.
    pub skipped: usize,
}

/// Compares `submission` with `canonical` at random points of the variables' domains (-10 to 10 where none is
/// given).
///
/// Cost: a few microseconds for the default of 20 points; bounded by the number of points and a budget of
/// work.
pub fn sample(
    arena: &Arena,
    canonical: Id,
    submission: Id,
    variables: &[Variable],
    seed: u64,
    sampling: &Sampling,
) -> Report {
    let symbols: SmallVec<[_; 8]> = variables.iter().map(|variable| variable.symbol).collect();
    let both = Program::new(arena, &[canonical, submission], &symbols);
    let field = if both.is_complex() { Field::Complex } else { Field::Real };
    let mut run = Run {
        arena,
        sides: [canonical, submission],
        symbols: &symbols,
        alone: None,
        field,
        sampling,
        precise: Precise::new(),
        fuel: SAMPLING,
        report: Report { outcome: Outcome::Close, valid: 0, undefined: 0, skipped: 0 },
        open: 0,
        apart: None,
    };
    let mut sample_points = SamplePoints::new(variables, seed, sampling.points);
    let mut evaluator = Evaluator::new();
    let mut columns: SmallVec<[[f64; LANES]; 8]> = SmallVec::new();
    let mut block: SmallVec<[SmallVec<[f64; 4]>; LANES]> = SmallVec::new();
    let mut exhausted = false;
    while run.report.valid < sampling.points && !exhausted {
        block.clear();
        while block.len() < LANES.min(sampling.points - run.report.valid) {
            match sample_points.next() {
                Some(coordinates) => block.push(coordinates),
                None => {
                    exhausted = true;
                    break;
                }
            }
        }
        columns.clear();
        columns.resize(variables.len(), [f64::NAN; LANES]);
        for (lane, coordinates) in block.iter().enumerate() {
            for (column, value) in columns.iter_mut().zip(coordinates) {
                column[lane] = *value;
            }
        }
        evaluator.run(&both, &columns);
        let undefined = [0, 1].map(|side| evaluator.undefined_in(&both, side));
        for (lane, coordinates) in block.iter().enumerate() {
            let [left, right] = [0, 1].map(|side| match undefined[side] >> lane & 1 {
                0 => evaluator.value_of_part(&both, side, lane),
                _ => Value::Undefined,
            });
            run.point(coordinates, left, right);
        }
    }
    run.conclude(exhausted && sample_points.complete)
}

struct Run<'a> {
    arena: &'a Arena,
    sides: [Id; 2],
    symbols: &'a [Symbol],
    /// A separate program for each side, because the evaluation of a program with balls ends at the first part without
    /// a value, of whichever side.
    alone: Option<[Program; 2]>,
    field: Field,
    sampling: &'a Sampling,
    precise: Precise,
    fuel: u64,
    report: Report,
    open: usize,
    apart: Option<Outcome>,
}

/// The value of a side at a point.
enum SideValue {
    Number(Number),
    Undefined,
    Unknown,
}

impl Run<'_> {
    fn point(&mut self, coordinates: &[f64], canonical: Value, submission: Value) {
        if self.field == Field::Real {
            match (canonical, submission) {
                (Value::Undefined, _) => {
                    self.report.skipped += 1;
                    return;
                }
                (Value::Real { .. }, Value::Undefined) => {
                    self.report.valid += 1;
                    self.report.undefined += 1;
                    return;
                }
                (Value::Real { value: a, error: e }, Value::Real { value: b, error: f }) => {
                    if let Some(close) = self.close(a, e, b, f) {
                        self.report.valid += 1;
                        if !close {
                            self.note_apart(coordinates, (a, 0.0), (b, 0.0));
                        }
                        return;
                    }
                }
                _ => {}
            }
        }
        self.decide_with_balls(coordinates);
    }

    /// Compares two values in doubles; `None` if these do not decide.
    fn close(&self, a: f64, e: f64, b: f64, f: f64) -> Option<bool> {
        let tolerance = self.sampling.tolerance.to_f64();
        let error = e + f;
        let distance = (a - b).abs();
        let scale = a.abs().max(b.abs()).max(1.0);
        // The scale changes by at most the error; 1e-12 covers the rounding of these few operations.
        let slack = (error * (1.0 + tolerance) + (distance + tolerance * scale) * 1e-12) * (1.0 + 1e-12);
        let limit = tolerance * scale;
        if distance + slack < limit {
            Some(true)
        } else if distance - slack > limit {
            Some(false)
        } else {
            None
        }
    }

    /// Decides a point with balls of increasing precision.
    fn decide_with_balls(&mut self, coordinates: &[f64]) {
        let mut bits = 128;
        loop {
            let canonical = self.side(0, coordinates, bits);
            let canonical = match canonical {
                SideValue::Number(number) => Some(number),
                SideValue::Undefined => {
                    self.report.skipped += 1;
                    return;
                }
                SideValue::Unknown => None,
            };
            if let Some(canonical) = canonical {
                match self.side(1, coordinates, bits) {
                    SideValue::Undefined => {
                        self.report.valid += 1;
                        self.report.undefined += 1;
                        return;
                    }
                    SideValue::Number(submission) => {
                        let verdict = within(&canonical, &submission, &self.sampling.tolerance, bits);
                        // If 1024 bits do not decide, the difference counts as within the tolerance.
                        let verdict = verdict.or((bits >= 1024).then_some(true));
                        if let Some(close) = verdict {
                            self.report.valid += 1;
                            if !close {
                                let parts = |number: &Number| (number.re.to_f64(), number.im.to_f64());
                                self.note_apart(coordinates, parts(&canonical), parts(&submission));
                            }
                            return;
                        }
                    }
                    SideValue::Unknown if bits >= 1024 || self.fuel == 0 => {
                        // The canonical value is known, the submission's is not.
                        self.report.valid += 1;
                        self.open += 1;
                        return;
                    }
                    SideValue::Unknown => {}
                }
            } else if bits >= 1024 || self.fuel == 0 {
                self.report.skipped += 1;
                return;
            }
            bits *= 2;
        }
    }

    fn side(&mut self, side: usize, coordinates: &[f64], bits: usize) -> SideValue {
        let (arena, symbols) = (self.arena, self.symbols);
        let alone =
            self.alone.get_or_insert_with(|| self.sides.map(|side| Program::new(arena, &[side], symbols)));
        match self.precise.evaluate(&alone[side], coordinates, self.field, bits, &mut self.fuel) {
            Ok(values) => values.into_iter().next().map_or(SideValue::Unknown, SideValue::Number),
            Err(Gap::Undefined) => SideValue::Undefined,
            Err(Gap::Unknown | Gap::Fuel) => SideValue::Unknown,
        }
    }

    fn note_apart(&mut self, coordinates: &[f64], canonical: (f64, f64), submission: (f64, f64)) {
        if self.apart.is_none() {
            self.apart = Some(Outcome::Apart { point: coordinates.into(), canonical, submission });
        }
    }

    fn conclude(mut self, complete: bool) -> Report {
        let report = &mut self.report;
        report.outcome = if report.valid == 0 || (report.valid < FEWEST && !complete) {
            Outcome::TooFewPoints
        } else if let Some(apart) = self.apart {
            apart
        } else if report.undefined * 20 > report.valid {
            Outcome::OftenUndefined
        } else if self.open * 20 > report.valid {
            Outcome::Undecided
        } else {
            Outcome::Close
        };
        self.report
    }
}

/// Returns whether `|a - b| <= tolerance * max(1, |a|, |b|)`; `None` if the balls do not decide.
fn within(a: &Number, b: &Number, tolerance: &Rational, bits: usize) -> Option<bool> {
    let wide = bits + 64;
    let ball = Ball::rational(tolerance, wide).ok()?;
    // Squares are compared, so complex values need no root: |a - b|^2 <= t^2 max(1, |a|^2, |b|^2).
    let norm = |re: &Ball, im: &Ball| re.times(re, wide).ok()?.plus(&im.times(im, wide).ok()?, wide).ok();
    let distance = norm(&a.re.minus(&b.re, wide).ok()?, &a.im.minus(&b.im, wide).ok()?)?;
    let square = ball.times(&ball, wide).ok()?;
    // A difference below one of the three limits is below the largest; it must be above all three to be
    // outside.
    let mut outside = true;
    for scale in [Ball::integer(1), norm(&a.re, &a.im)?, norm(&b.re, &b.im)?] {
        let limit = square.times(&scale, wide).ok()?;
        match limit.minus(&distance, wide).ok()?.sign() {
            Some(core::cmp::Ordering::Less) => {}
            Some(_) => return Some(true),
            None => outside = false,
        }
    }
    outside.then_some(false)
}

/// Random points of a box, or all its points if there are few.
struct SamplePoints {
    boxes: SmallVec<[Range; 4]>,
    state: u64,
    /// The number of remaining draws.
    draws: usize,
    /// The number of points of a small box, which are all visited in order.
    all: Option<usize>,
    position: usize,
    /// `true` if every point of the box is visited.
    complete: bool,
}

struct Range {
    low: f64,
    high: f64,
    integer: bool,
    domain: Domain,
}

impl SamplePoints {
    fn new(variables: &[Variable], seed: u64, points: usize) -> SamplePoints {
        let boxes: SmallVec<[Range; 4]> =
            variables.iter().map(|variable| Range::of(&variable.domain)).collect();
        // The number of points, if each variable is an integer or has only one value.
        let mut size = Some(1usize);
        for sides in &boxes {
            size = size.and_then(|size| size.checked_mul(sides.count()?));
        }
        let all = size.filter(|&size| size <= points);
        let draws = points.saturating_mul(REPLACEMENTS);
        SamplePoints { boxes, state: seed, draws, all, position: 0, complete: all.is_some() }
    }

    fn next(&mut self) -> Option<SmallVec<[f64; 4]>> {
        if let Some(all) = self.all {
            while self.position < all {
                let mut rest = self.position;
                self.position += 1;
                let mut coordinates: SmallVec<[f64; 4]> = SmallVec::new();
                for sides in &self.boxes {
                    let count = sides.count().unwrap_or(1).max(1);
                    coordinates.push(sides.low + (rest % count) as f64);
                    rest /= count;
                }
                if coordinates.iter().zip(&self.boxes).all(|(&value, sides)| admits(&sides.domain, value)) {
                    return Some(coordinates);
                }
            }
            return None;
        }
        while self.draws > 0 {
            self.draws -= 1;
            let mut coordinates: SmallVec<[f64; 4]> = SmallVec::new();
            for sides in &self.boxes {
                coordinates.push(sides.draw(&mut self.state));
            }
            if coordinates.iter().zip(&self.boxes).all(|(&value, sides)| admits(&sides.domain, value)) {
                return Some(coordinates);
            }
        }
        None
    }
}

impl Range {
    fn of(domain: &Domain) -> Range {
        let min = domain.min.clone();
        let max = domain.max.clone();
        // A lower bound of 10 or more, or an upper bound of -10 or less, moves the box. Other bounds replace one end.
        let span = Rational::integer(2 * BOX);
        let (min, max) = match (min, max) {
            (Some(min), Some(max)) => (min, max),
            (Some(min), None) => {
                let end = min.checked_add(&span).unwrap_or_else(|| min.clone());
                let max = if min < Rational::integer(BOX) { Rational::integer(BOX) } else { end };
                (min, max)
            }
            (None, Some(max)) => {
                let end = max.checked_sub(&span).unwrap_or_else(|| max.clone());
                let min = if max > Rational::integer(-BOX) { Rational::integer(-BOX) } else { end };
                (min, max)
            }
            (None, None) => (Rational::integer(-BOX), Rational::integer(BOX)),
        };
        let (low, high) = if domain.integer {
            (min.ceil().to_f64(), max.floor().to_f64())
        } else {
            (min.to_f64(), max.to_f64())
        };
        let domain = Domain { min: Some(min), max: Some(max), ..domain.clone() };
        Range { low, high, integer: domain.integer, domain }
    }

    /// Returns the number of integers; `None` for reals and for more than a million. A single real point
    /// counts as one.
    fn count(&self) -> Option<usize> {
        if !self.integer && self.low == self.high {
            return Some(1);
        }
        let count = self.high - self.low + 1.0;
        (self.integer && count <= 1e6).then_some(if count > 0.0 { count as usize } else { 0 })
    }

    fn draw(&self, state: &mut u64) -> f64 {
        let word = split_mix(state);
        let unit = ((word >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
        if self.integer {
            return libm::floor(self.low + (self.high - self.low + 1.0) * unit).min(self.high);
        }
        let at = self.low + (self.high - self.low) * unit;
        // Truncated to 30 significant bits if the value then still lies between the bounds.
        let short = f64::from_bits(at.to_bits() & !((1 << 23) - 1));
        if short > self.low && short < self.high { short } else { at }
    }
}

/// Parses a tolerance that an author wrote as decimal text; `None` if it is not a positive number.
pub fn tolerance(text: &str) -> Option<Rational> {
    Rational::from_decimal_text(text).filter(|value| value.to_parts().0 == Sign::Positive && !value.is_zero())
}

#[cfg(test)]
mod tests;
