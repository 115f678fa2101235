//! Evaluation of a program over the reals, eight points at a time.

use super::elementary::{self, Outcome};
use super::lanes::{self, Lanes, TINY, UNIT};
use super::{Instruction, LANES, Program, Repetition, Value, discrete};
use crate::expr::{Constant, Function, SeriesKind};
use crate::limits::{EVALUATION_STEPS, SERIES_TERMS};

/// An evaluator over the reals, whose buffers can be reused for many programs.
#[derive(Clone, Debug)]
pub(crate) struct Evaluator {
    slots: Vec<Lanes>,
    /// For each slot, a mask of the points at which its operation certainly has no real value.
    gaps: Vec<u8>,
    /// The union of all `gaps`.
    undefined: u8,
    active: u8,
    steps: u32,
}

impl Default for Evaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator {
    /// Creates an evaluator without buffers.
    pub(crate) fn new() -> Evaluator {
        Evaluator { slots: Vec::new(), gaps: Vec::new(), undefined: 0, active: u8::MAX, steps: 0 }
    }

    /// Evaluates all outputs at eight points; `columns[k][lane]` is the exact value of the k-th variable.
    ///
    /// The results must be read with [`value`](Self::value) before the next run.
    pub(crate) fn run(&mut self, program: &Program, columns: &[[f64; LANES]]) {
        self.gaps.clear();
        self.gaps.resize(program.code.len(), 0);
        self.active = u8::MAX;
        self.steps = EVALUATION_STEPS;
        if self.slots.len() < program.code.len() {
            self.slots.resize(program.code.len(), Lanes::UNKNOWN);
        }
        self.execute(program, columns, 0, program.code.len());
        self.undefined = self.gaps.iter().fold(0, |all, gaps| all | gaps);
    }

    /// Returns the value of an output at a point of the last run, which must have been a run of `program`.
    ///
    /// The value is undefined if a part of any output is undefined.
    #[inline]
    pub(crate) fn value(&self, program: &Program, output: usize, lane: usize) -> Value {
        if self.is_undefined(lane) { Value::Undefined } else { self.value_of_part(program, output, lane) }
    }

    /// Returns the value of an output, even if a part of another output is undefined.
    #[inline]
    pub(crate) fn value_of_part(&self, program: &Program, output: usize, lane: usize) -> Value {
        let Some(slot) = program.output(output) else { return Value::Unknown };
        let Some(lanes) = self.slots.get(slot as usize) else { return Value::Unknown };
        if lane >= LANES {
            return Value::Unknown;
        }
        let (value, error) = (lanes.value[lane], lanes.error[lane] * super::INFLATE);
        if error.is_finite() && value.is_finite() { Value::Real { value, error } } else { Value::Unknown }
    }

    /// Returns whether a part of any output certainly has no real value at a point of the last run.
    pub(crate) fn is_undefined(&self, lane: usize) -> bool {
        lane < LANES && self.undefined >> lane & 1 == 1
    }

    /// Returns a mask of the points of the last run at which a part of this output certainly has no real
    /// value.
    pub(crate) fn undefined_in(&self, program: &Program, output: usize) -> u8 {
        if self.undefined == 0 {
            return 0;
        }
        program.parts(output).iter().fold(0, |undefined, &slot| undefined | self.gaps[slot as usize])
    }

    /// Runs the instructions in `start..end`.
    ///
    /// This function is long because it has one arm per kind of instruction.
    fn execute(&mut self, program: &Program, columns: &[[f64; LANES]], start: usize, end: usize) {
        let exact = program.exact;
        let mut at = start;
        while at < end {
            if self.steps == 0 {
                for slot in &mut self.slots[at..end] {
                    *slot = Lanes::UNKNOWN;
                }
                return;
            }
            self.steps -= 1;
            let slots = &self.slots;
            let of = |slot: u32| &slots[slot as usize];
            let mut undefined = 0u8;
            let result = match program.code[at] {
                Instruction::Variable(column) => match columns.get(column as usize) {
                    Some(values) => Lanes::exact(*values),
                    None => Lanes::UNKNOWN,
                },
                // The loop has already set this slot.
                Instruction::Index => *of(at as u32),
                Instruction::Number(number) => {
                    let number = &program.numbers[number as usize];
                    Lanes::constant(number.value, number.error)
                }
                Instruction::Constant(constant) => named(constant),
                Instruction::Add(a, b) if exact => lanes::add_exact(of(a), of(b)),
                Instruction::Add(a, b) => lanes::add(of(a), of(b)),
                Instruction::Multiply(a, b) if exact => lanes::multiply_exact(of(a), of(b)),
                Instruction::Multiply(a, b) => lanes::multiply(of(a), of(b)),
                Instruction::Divide(a, b) => {
                    let (quotient, poles) = lanes::divide(of(a), of(b), exact);
                    undefined = poles;
                    quotient
                }
                Instruction::Reciprocal(a) => {
                    let (quotient, poles) = lanes::divide(&Lanes::constant(1.0, 0.0), of(a), exact);
                    undefined = poles;
                    quotient
                }
                Instruction::Negate(a) => lanes::negate(of(a)),
                Instruction::Square(a) => lanes::square(of(a), exact),
                Instruction::SquareRoot(a) => each(of(a), &mut undefined, elementary::square_root),
                Instruction::CubeRoot(a) => each(of(a), &mut undefined, elementary::cube_root),
                Instruction::Exp(a) => each(of(a), &mut undefined, elementary::exp),
                Instruction::IntegerPower(a, power) => {
                    each(of(a), &mut undefined, |x, e| elementary::integer_power(x, e, power))
                }
                Instruction::RationalPower(a, number) => {
                    let exponent = &program.numbers[number as usize];
                    let odd_root = !exponent.exact.has_even_denominator();
                    let odd_power = !exponent.exact.has_even_numerator();
                    each(of(a), &mut undefined, |x, e| {
                        elementary::rational_power(x, e, exponent.value, odd_root, odd_power)
                    })
                }
                Instruction::Power(a, b) => pairs(of(a), of(b), &mut undefined, elementary::power),
                Instruction::Unary(function, a) => unary(function, of(a), &mut undefined),
                Instruction::Binary(function, a, b) => binary(function, of(a), of(b), &mut undefined),
                Instruction::Call(at, start, count) => {
                    let mut sine = Lanes::UNKNOWN;
                    for lane in 0..LANES {
                        let coefficients = program.coefficients(at);
                        let arguments = program
                            .operands(start, count)
                            .iter()
                            .map(|&slot| (of(slot).value[lane], of(slot).error[lane]));
                        (sine.value[lane], sine.error[lane]) = call(coefficients, arguments);
                    }
                    sine
                }
                Instruction::Series(repetition, from, to, length) => {
                    let body = at + 1..at + 1 + length as usize;
                    let (from, to) = (*of(from), *of(to));
                    let (total, gaps) = self.series(program, columns, repetition, &from, &to, body.clone());
                    self.gaps[at] |= gaps;
                    self.slots[at] = total;
                    at = body.end;
                    continue;
                }
                Instruction::Undefined => {
                    undefined = u8::MAX;
                    Lanes::UNKNOWN
                }
                Instruction::Unknown => Lanes::UNKNOWN,
            };
            self.gaps[at] |= undefined & self.active;
            self.slots[at] = result;
            at += 1;
        }
    }

    fn series(
        &mut self,
        program: &Program,
        columns: &[[f64; LANES]],
        Repetition { kind, fewest }: Repetition,
        from: &Lanes,
        to: &Lanes,
        body: core::ops::Range<usize>,
    ) -> (Lanes, u8) {
        let mut gaps = 0;
        let neutral = if kind == SeriesKind::Sum { 0.0 } else { 1.0 };
        let mut total = Lanes::constant(neutral, 0.0);
        let mut counts = [0u64; LANES];
        let outer = self.active;
        for (lane, count) in counts.iter_mut().enumerate() {
            match terms(from.value[lane], from.error[lane], to.value[lane], to.error[lane], fewest) {
                Terms::Count(terms) => *count = terms,
                Terms::Undefined => gaps |= 1 << lane & outer,
                Terms::Unknown => total.error[lane] = f64::NAN,
            }
        }
        let longest = counts.iter().copied().max().unwrap_or(0);
        for term in 0..longest {
            let mut active = 0u8;
            let mut index = *from;
            for (lane, &count) in counts.iter().enumerate() {
                if term < count {
                    active |= 1 << lane;
                    index.value[lane] += term as f64;
                }
            }
            self.active = active & outer;
            if self.active == 0 || self.steps == 0 {
                break;
            }
            self.slots[body.start] = index;
            self.execute(program, columns, body.start, body.end);
            let value = self.slots[body.end - 1];
            let next = match kind {
                SeriesKind::Sum => lanes::add_exact(&total, &value),
                SeriesKind::Product => lanes::multiply_exact(&total, &value),
            };
            for lane in 0..LANES {
                if active >> lane & 1 == 1 {
                    total.value[lane] = next.value[lane];
                    total.error[lane] = next.error[lane];
                }
            }
        }
        self.active = outer;
        (if self.steps == 0 { Lanes::UNKNOWN } else { total }, gaps)
    }
}

enum Terms {
    Count(u64),
    Undefined,
    Unknown,
}

/// Returns the number of terms between two bounds.
///
/// A series is undefined if a bound is not an integer or if there are fewer than `fewest` terms.
fn terms(from: f64, from_error: f64, to: f64, to_error: f64, fewest: u8) -> Terms {
    if from_error != 0.0 || to_error != 0.0 || !(from.abs() < 1e15 && to.abs() < 1e15) {
        return Terms::Unknown;
    }
    if from != libm::rint(from) || to != libm::rint(to) {
        return Terms::Undefined;
    }
    let count = to - from + 1.0;
    if count < f64::from(fewest) {
        Terms::Undefined
    } else if count > SERIES_TERMS as f64 {
        Terms::Unknown
    } else {
        Terms::Count(count as u64)
    }
}

#[inline]
fn each(a: &Lanes, undefined: &mut u8, function: impl Fn(f64, f64) -> Outcome) -> Lanes {
    a.map(|lane, value, error| take(function(value, error), lane, undefined))
}

#[inline]
fn pairs(
    a: &Lanes,
    b: &Lanes,
    undefined: &mut u8,
    function: impl Fn(f64, f64, f64, f64) -> Outcome,
) -> Lanes {
    a.map(|lane, value, error| take(function(value, error, b.value[lane], b.error[lane]), lane, undefined))
}

#[inline]
fn take(outcome: Outcome, lane: usize, undefined: &mut u8) -> (f64, f64) {
    match outcome {
        Outcome::Value(value, error) => (value, error),
        Outcome::Undefined => {
            *undefined |= 1 << lane;
            (0.0, f64::NAN)
        }
    }
}

macro_rules! of_lanes {
    (
        all $all:tt
        unary { $($unary:ident { facts $facts:tt range $range:tt derivative $rule:tt doubles { $real:expr, $complex:expr } $($row:tt)* })* }
        binary { $($binary:ident { facts $more:tt range $ranges:tt doubles { $of_pair:expr } $($other:tt)* })* }
    ) => {
        /// Applies a function of one argument. Each arm has its own loop over the points, so a block needs
        /// only one branch.
        #[inline]
        fn unary(function: Function, a: &Lanes, undefined: &mut u8) -> Lanes {
            match function {
                $(Function::$unary => each(a, undefined, $real),)*
                _ => Lanes::UNKNOWN,
            }
        }

        /// Applies a function of two arguments.
        fn binary(function: Function, a: &Lanes, b: &Lanes, undefined: &mut u8) -> Lanes {
            match function {
                $(Function::$binary => pairs(a, b, undefined, discrete::known($of_pair)),)*
                _ => Lanes::UNKNOWN,
            }
        }
    };
}

functions!(of_lanes);

fn named(constant: Constant) -> Lanes {
    let value = match constant {
        Constant::Pi => core::f64::consts::PI,
        Constant::E => core::f64::consts::E,
        Constant::Phi => 1.618_033_988_749_895,
        Constant::EulerGamma => 0.577_215_664_901_532_9,
        Constant::I | Constant::Infinity | Constant::ComplexInfinity | Constant::Undefined => {
            return Lanes::UNKNOWN;
        }
    };
    Lanes::constant(value, UNIT * value)
}

/// Computes the function that replaces an uninterpreted one; see [`super::unknown`].
fn call(
    coefficients: &super::unknown::Coefficients,
    arguments: impl Iterator<Item = (f64, f64)>,
) -> (f64, f64) {
    let (mut sine, mut arc) = (coefficients.sine_phase, coefficients.arc_phase);
    let mut error = 0.0;
    for ((x, e), (s, t)) in arguments.zip(coefficients.sine_weights.iter().zip(&coefficients.arc_weights)) {
        let (p, q) = (s * x, t * x);
        sine += p;
        arc += q;
        // Weights and factors are below 4, and the derivatives of sin and atan are at most 1.
        error += 4.0 * e + 4.0 * UNIT * (p.abs() + q.abs() + sine.abs() + arc.abs());
    }
    let value =
        coefficients.offset + coefficients.sine * libm::sin(sine) + coefficients.arc * libm::atan(arc);
    (value, 8.0 * error + 64.0 * UNIT + TINY)
}

/// Single operations on values with error bounds, for tests of the bounds; `None` means unknown or undefined.
#[cfg(test)]
pub(crate) mod probe {
    use super::*;

    fn take(outcome: Outcome) -> Option<(f64, f64)> {
        match outcome {
            Outcome::Value(value, error) if error.is_finite() && value.is_finite() => Some((value, error)),
            _ => None,
        }
    }

    pub(crate) fn unary(function: Function, x: f64, e: f64) -> Option<(f64, f64)> {
        let mut undefined = 0;
        let lanes = super::unary(function, &Lanes::constant(x, e), &mut undefined);
        (undefined == 0).then(|| take(Outcome::Value(lanes.value[0], lanes.error[0]))).flatten()
    }

    pub(crate) fn exp(x: f64, e: f64) -> Option<(f64, f64)> {
        take(elementary::exp(x, e))
    }

    pub(crate) fn binary(function: Function, x: f64, e: f64, y: f64, f: f64) -> Option<(f64, f64)> {
        let mut undefined = 0;
        let (a, b) = (Lanes::constant(x, e), Lanes::constant(y, f));
        let lanes = super::binary(function, &a, &b, &mut undefined);
        (undefined == 0).then(|| take(Outcome::Value(lanes.value[0], lanes.error[0]))).flatten()
    }

    pub(crate) fn power(x: f64, e: f64, y: f64, f: f64) -> Option<(f64, f64)> {
        take(elementary::power(x, e, y, f))
    }

    /// Computes `x^(p/q)` with a root, an integer power or a general power.
    pub(crate) fn root(x: f64, e: f64, p: u32, q: u32) -> Option<(f64, f64)> {
        match (p, q) {
            (1, 2) => take(elementary::square_root(x, e)),
            (1, 3) => take(elementary::cube_root(x, e)),
            (_, 1) => take(elementary::integer_power(x, e, p)),
            _ => {
                let exponent = f64::from(p) / f64::from(q);
                take(elementary::rational_power(x, e, exponent, q % 2 == 1, p % 2 == 1))
            }
        }
    }

    /// Computes `x + y`, `x - y`, `x * y` or `x / y`. `exact` selects the form with exact rounding errors;
    /// subtraction ignores it.
    pub(crate) fn arithmetic(sign: char, exact: bool, x: f64, e: f64, y: f64, f: f64) -> Option<(f64, f64)> {
        let (a, b) = (Lanes::constant(x, e), Lanes::constant(y, f));
        let result = match (sign, exact) {
            ('+', false) => lanes::add(&a, &b),
            ('+', true) => lanes::add_exact(&a, &b),
            ('-', _) => lanes::add(&a, &lanes::negate(&b)),
            ('*', false) => lanes::multiply(&a, &b),
            ('*', true) => lanes::multiply_exact(&a, &b),
            _ => lanes::divide(&a, &b, exact).0,
        };
        take(Outcome::Value(result.value[0], result.error[0]))
    }
}
