//! Evaluation of a program over the complex numbers, one point at a time, with principal values.
//!
//! The real and imaginary parts have separate error bounds, and an imaginary part that is exactly 0 stays
//! exact. Thus real subexpressions keep their real values, including odd roots, and a real number lies on a
//! known side of the logarithm's branch cut.

use super::elementary::{self, Outcome};
use super::lanes::{TINY, UNIT};
use super::{INFLATE, Instruction, Program, Repetition, discrete};
use crate::expr::{Constant, Function, SeriesKind};
use crate::functions::RealDomain;
use crate::limits::{EVALUATION_STEPS, SERIES_TERMS};

/// The result of evaluating an expression at a point over the complex numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum ComplexValue {
    /// A number whose parts have bounds on their absolute errors.
    Number {
        /// The real part.
        re: f64,
        /// A bound on the error of the real part.
        re_error: f64,
        /// The imaginary part.
        im: f64,
        /// A bound on the error of the imaginary part.
        im_error: f64,
    },
    /// A part of the expression certainly has no value.
    Undefined,
    /// Nothing is known.
    Unknown,
}

impl ComplexValue {
    /// The exact number 0.
    pub(crate) const ZERO: ComplexValue =
        ComplexValue::Number { re: 0.0, re_error: 0.0, im: 0.0, im_error: 0.0 };

    /// Returns whether the exact values are certainly different numbers.
    pub(crate) fn certainly_differ(self, other: ComplexValue) -> bool {
        match (self, other) {
            (
                ComplexValue::Number { re: a, re_error: e, im: b, im_error: f },
                ComplexValue::Number { re: c, re_error: g, im: d, im_error: h },
            ) => {
                (a - c).abs() > (e + g) * INFLATE + f64::EPSILON * f64::EPSILON * (a - c).abs()
                    || (b - d).abs() > (f + h) * INFLATE + f64::EPSILON * f64::EPSILON * (b - d).abs()
            }
            _ => false,
        }
    }
}

/// A real or imaginary part with its error bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    value: f64,
    error: f64,
}

impl Part {
    const ZERO: Part = Part { value: 0.0, error: 0.0 };
    const UNKNOWN: Part = Part { value: 0.0, error: f64::NAN };

    fn exact(value: f64) -> Part {
        Part { value, error: if value.is_finite() { 0.0 } else { f64::NAN } }
    }

    fn is_zero(self) -> bool {
        self.value == 0.0 && self.error == 0.0
    }

    fn plus(self, other: Part) -> Part {
        let (x, y) = (self.value, other.value);
        let value = x + y;
        let part = value - x;
        let residue = (x - (value - part)) + (y - part);
        Part { value, error: self.error + other.error + residue.abs() }
    }

    fn negated(self) -> Part {
        Part { value: -self.value, error: self.error }
    }

    fn minus(self, other: Part) -> Part {
        self.plus(other.negated())
    }

    fn times(self, other: Part) -> Part {
        if (self.is_zero() && other.error.is_finite()) || (other.is_zero() && self.error.is_finite()) {
            return Part::ZERO;
        }
        let value = self.value * other.value;
        let whole = self.error == 0.0
            && other.error == 0.0
            && self.value == libm::rint(self.value)
            && other.value == libm::rint(other.value)
            && value.abs() < 9_007_199_254_740_992.0;
        let error = if whole {
            0.0
        } else {
            self.value.abs() * other.error
                + (other.value.abs() + other.error) * self.error
                + UNIT * value.abs()
                + TINY
        };
        Part { value, error }
    }

    fn over(self, other: Part) -> Part {
        let margin = other.value.abs() - other.error * INFLATE;
        if margin.is_nan() || margin <= 0.0 {
            return Part::UNKNOWN;
        }
        if self.is_zero() {
            return Part::ZERO;
        }
        let value = self.value / other.value;
        let whole = self.error == 0.0
            && other.error == 0.0
            && value == libm::rint(value)
            && other.value == libm::rint(other.value)
            && self.value.abs() < 9_007_199_254_740_992.0
            && value * other.value == self.value;
        let error = if whole {
            0.0
        } else {
            (self.error + value.abs() * other.error) / margin + UNIT * value.abs() + TINY
        };
        Part { value, error }
    }

    fn known(self) -> bool {
        self.value.is_finite() && self.error.is_finite()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Number {
    re: Part,
    im: Part,
}

/// The error type of the evaluation: the reason why there is no value.
#[derive(Clone, Copy, Debug)]
enum Gap {
    Undefined,
    Unknown,
}

type Checked = Result<Number, Gap>;

impl Number {
    const ZERO: Number = Number { re: Part::ZERO, im: Part::ZERO };
    const ONE: Number = Number { re: Part { value: 1.0, error: 0.0 }, im: Part::ZERO };
    const I: Number = Number { re: Part::ZERO, im: Part { value: 1.0, error: 0.0 } };

    fn real(re: Part) -> Number {
        Number { re, im: Part::ZERO }
    }

    fn is_real(self) -> bool {
        self.im.is_zero()
    }

    fn is_zero(self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    fn checked(self) -> Checked {
        if self.re.known() && self.im.known() { Ok(self) } else { Err(Gap::Unknown) }
    }

    fn plus(self, other: Number) -> Number {
        Number { re: self.re.plus(other.re), im: self.im.plus(other.im) }
    }

    fn minus(self, other: Number) -> Number {
        Number { re: self.re.minus(other.re), im: self.im.minus(other.im) }
    }

    fn negated(self) -> Number {
        Number { re: self.re.negated(), im: self.im.negated() }
    }

    fn times(self, other: Number) -> Number {
        Number {
            re: self.re.times(other.re).minus(self.im.times(other.im)),
            im: self.re.times(other.im).plus(self.im.times(other.re)),
        }
    }

    /// Multiplies by the imaginary unit.
    fn turned(self) -> Number {
        Number { re: self.im.negated(), im: self.re }
    }

    fn halved(self) -> Number {
        // Halving is exact unless it underflows.
        let half = |part: Part| Part {
            value: part.value / 2.0,
            error: part.error / 2.0 + if part.value.abs() < 1e-300 && part.value != 0.0 { TINY } else { 0.0 },
        };
        Number { re: half(self.re), im: half(self.im) }
    }

    fn over(self, other: Number) -> Checked {
        if other.is_zero() {
            return Err(Gap::Undefined);
        }
        if other.is_real() {
            return Number { re: self.re.over(other.re), im: self.im.over(other.re) }.checked();
        }
        let conjugate = Number { re: other.re, im: other.im.negated() };
        let above = self.times(conjugate);
        let below = other.re.times(other.re).plus(other.im.times(other.im));
        Number { re: above.re.over(below), im: above.im.over(below) }.checked()
    }

    fn modulus(self) -> Part {
        if self.im.is_zero() {
            return Part { value: self.re.value.abs(), error: self.re.error };
        }
        if self.re.is_zero() {
            return Part { value: self.im.value.abs(), error: self.im.error };
        }
        let value = libm::hypot(self.re.value, self.im.value);
        Part { value, error: self.re.error + self.im.error + 2.0 * UNIT * value + TINY }
    }

    fn argument(self) -> Result<Part, Gap> {
        if self.is_real() && self.re.value > self.re.error * INFLATE {
            return Ok(Part::ZERO);
        }
        let arc = discrete::known(discrete::arc_tangent);
        part(arc(self.im.value, self.im.error, self.re.value, self.re.error))
    }

    fn ln(self) -> Checked {
        let modulus = self.modulus();
        let re = part(elementary::ln(modulus.value, modulus.error))?;
        Number { re, im: self.argument()? }.checked()
    }

    fn exp(self) -> Checked {
        let scale = part(elementary::exp(self.re.value, self.re.error))?;
        if self.is_real() {
            return Ok(Number::real(scale));
        }
        let cos = part(elementary::cos(self.im.value, self.im.error))?;
        let sin = part(elementary::sin(self.im.value, self.im.error))?;
        Number { re: scale.times(cos), im: scale.times(sin) }.checked()
    }

    fn square_root(self) -> Checked {
        if self.is_zero() {
            return Ok(Number::ZERO);
        }
        if self.is_real() {
            if self.re.value < 0.0 {
                let root = part(elementary::square_root(-self.re.value, self.re.error))?;
                return Ok(Number { re: Part::ZERO, im: root });
            }
            return Ok(Number::real(part(elementary::square_root(self.re.value, self.re.error))?));
        }
        self.ln()?.halved().exp()
    }

    fn integer_power(self, power: u32) -> Checked {
        let (mut rest, mut square, mut result) = (power, self, Number::ONE);
        while rest != 0 {
            if rest & 1 == 1 {
                result = result.times(square);
            }
            rest >>= 1;
            if rest != 0 {
                square = square.times(square);
            }
        }
        result.checked()
    }

    fn power(self, exponent: Number) -> Checked {
        if exponent.is_real() && self.is_real() {
            let (x, y) = (self.re, exponent.re);
            if let Outcome::Value(value, error) = elementary::power(x.value, x.error, y.value, y.error)
                && error.is_finite()
            {
                return Ok(Number::real(Part { value, error }));
            }
        }
        if self.is_zero() {
            return if exponent.re.value > exponent.re.error * INFLATE {
                Ok(Number::ZERO)
            } else if exponent.re.value < -exponent.re.error * INFLATE || exponent.is_zero() {
                Err(Gap::Undefined)
            } else {
                Err(Gap::Unknown)
            };
        }
        if exponent.is_real()
            && exponent.re.error == 0.0
            && exponent.re.value == libm::rint(exponent.re.value)
        {
            let count = exponent.re.value;
            if count.abs() <= 1000.0 {
                let power = self.integer_power(count.abs() as u32)?;
                return if count < 0.0 { Number::ONE.over(power) } else { Ok(power) };
            }
        }
        self.ln()?.times(exponent).exp()
    }

    fn sin(self) -> Checked {
        let (sin, cos) = (self.of_re(elementary::sin)?, self.of_re(elementary::cos)?);
        if self.is_real() {
            return Ok(Number::real(sin));
        }
        let (sinh, cosh) = (self.of_im(elementary::sinh)?, self.of_im(elementary::cosh)?);
        Number { re: sin.times(cosh), im: cos.times(sinh) }.checked()
    }

    fn cos(self) -> Checked {
        let (sin, cos) = (self.of_re(elementary::sin)?, self.of_re(elementary::cos)?);
        if self.is_real() {
            return Ok(Number::real(cos));
        }
        let (sinh, cosh) = (self.of_im(elementary::sinh)?, self.of_im(elementary::cosh)?);
        Number { re: cos.times(cosh), im: sin.times(sinh).negated() }.checked()
    }

    fn of_re(self, function: fn(f64, f64) -> Outcome) -> Result<Part, Gap> {
        part(function(self.re.value, self.re.error))
    }

    fn of_im(self, function: fn(f64, f64) -> Outcome) -> Result<Part, Gap> {
        part(function(self.im.value, self.im.error))
    }

    fn tan(self) -> Checked {
        self.sin()?.over(self.cos()?)
    }

    /// Returns `-i sin(i z)`
    fn sinh(self) -> Checked {
        Ok(self.turned().sin()?.turned().negated())
    }

    /// Returns `cos(i z)`
    fn cosh(self) -> Checked {
        self.turned().cos()
    }

    fn tanh(self) -> Checked {
        Ok(self.turned().tan()?.turned().negated())
    }

    /// Returns `-i atanh(i z)`
    fn atan(self) -> Checked {
        Ok(self.turned().atanh()?.turned().negated())
    }

    fn conjugate(self) -> Number {
        Number { re: self.re, im: self.im.negated() }
    }

    /// Returns `Unknown`, for functions that are evaluated only at real numbers.
    fn unknown(_: Number) -> Checked {
        Err(Gap::Unknown)
    }

    /// Returns `-i asinh(i z)`
    fn asin(self) -> Checked {
        Ok(self.turned().asinh()?.turned().negated())
    }

    fn acos(self) -> Checked {
        let quarter = Number::real(Part { value: core::f64::consts::FRAC_PI_2, error: UNIT });
        Ok(quarter.minus(self.asin()?))
    }

    /// Returns `ln(z + sqrt(z^2 + 1))`
    fn asinh(self) -> Checked {
        self.plus(self.times(self).plus(Number::ONE).square_root()?).ln()
    }

    /// Returns `ln(z + sqrt(z + 1) sqrt(z - 1))`
    fn acosh(self) -> Checked {
        let root = self.plus(Number::ONE).square_root()?.times(self.minus(Number::ONE).square_root()?);
        self.plus(root).ln()
    }

    /// Returns `(ln(1 + z) - ln(1 - z)) / 2`
    fn atanh(self) -> Checked {
        let (above, below) = (Number::ONE.plus(self), Number::ONE.minus(self));
        if above.is_zero() || below.is_zero() {
            return Err(Gap::Undefined);
        }
        Ok(above.ln()?.minus(below.ln()?).halved())
    }
}

macro_rules! of_numbers {
    (
        all $all:tt
        unary { $($unary:ident { facts $facts:tt range $range:tt derivative $rule:tt doubles { $real:expr, $complex:expr } $($row:tt)* })* }
        binary { $($binary:ident { facts $more:tt range $ranges:tt doubles { $of_pair:expr } $($other:tt)* })* }
    ) => {
        impl Number {
            /// Applies a function of one argument. At a real argument the real value is used if there is one,
            /// otherwise the complex value.
            fn unary(self, function: Function) -> Checked {
                fn at(z: Number, rule: impl FnOnce(Number) -> Checked) -> Checked {
                    rule(z)
                }
                if self.is_real() && !matches!(function, Function::Arg | Function::Abs) {
                    let (x, e) = (self.re.value, self.re.error);
                    let outcome = match function {
                        $(Function::$unary => $real(x, e),)*
                        _ => Outcome::Value(0.0, f64::NAN),
                    };
                    match outcome {
                        Outcome::Value(value, error) if error.is_finite() => {
                            return Ok(Number::real(Part { value, error }));
                        }
                        Outcome::Undefined if function.domain() == RealDomain::Holes => {
                            return Err(Gap::Undefined);
                        }
                        _ => {}
                    }
                }
                match function {
                    $(Function::$unary => at(self, $complex),)*
                    _ => Err(Gap::Unknown),
                }
            }
        }

        /// Applies a function of two arguments to real numbers.
        fn binary(function: Function, a: Part, b: Part) -> Outcome {
            match function {
                $(Function::$binary => discrete::known($of_pair)(a.value, a.error, b.value, b.error),)*
                _ => Outcome::Value(0.0, f64::NAN),
            }
        }
    };
}

functions!(of_numbers);

fn part(outcome: Outcome) -> Result<Part, Gap> {
    match outcome {
        Outcome::Value(value, error) if value.is_finite() && error.is_finite() => Ok(Part { value, error }),
        Outcome::Value(..) => Err(Gap::Unknown),
        Outcome::Undefined => Err(Gap::Undefined),
    }
}

/// An evaluator over the complex numbers, with reusable buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ComplexEvaluator {
    slots: Vec<Option<Number>>,
    /// For each slot, whether its operation certainly has no value, real or complex.
    gaps: Vec<bool>,
    steps: u32,
}

impl ComplexEvaluator {
    /// Evaluates all outputs at one point; `point[k]` is the real, exact value of the k-th variable.
    pub(crate) fn run(&mut self, program: &Program, point: &[f64]) {
        self.steps = EVALUATION_STEPS;
        self.gaps.clear();
        self.gaps.resize(program.code.len(), false);
        self.slots.clear();
        self.slots.resize(program.code.len(), None);
        self.execute(program, point, 0, program.code.len());
    }

    /// Returns the value of an output at the point of the last run.
    ///
    /// The value is undefined if a part of any output is undefined.
    pub(crate) fn value(&self, program: &Program, output: usize) -> ComplexValue {
        if self.gaps.contains(&true) {
            return ComplexValue::Undefined;
        }
        let number = program.output(output).and_then(|slot| self.slots.get(slot as usize).copied().flatten());
        match number {
            Some(number) if number.re.known() && number.im.known() => ComplexValue::Number {
                re: number.re.value,
                re_error: number.re.error * INFLATE,
                im: number.im.value,
                im_error: number.im.error * INFLATE,
            },
            _ => ComplexValue::Unknown,
        }
    }

    /// Returns whether a part of this output certainly has no value at the point of the last run.
    pub(crate) fn is_undefined_in(&self, program: &Program, output: usize) -> bool {
        program.parts(output).iter().any(|&slot| self.gaps[slot as usize])
    }

    /// Returns whether this output certainly has a value at the point of the last run.
    pub(crate) fn has_value_in(&self, program: &Program, output: usize) -> bool {
        let number = program.output(output).and_then(|slot| self.slots.get(slot as usize).copied().flatten());
        !self.is_undefined_in(program, output)
            && number.is_some_and(|number| number.re.known() && number.im.known())
    }

    fn execute(&mut self, program: &Program, point: &[f64], start: usize, end: usize) {
        let mut at = start;
        while at < end {
            if self.steps == 0 {
                self.slots[at..end].fill(None);
                return;
            }
            self.steps -= 1;
            let (value, next) = match program.code[at] {
                Instruction::Series(repetition, from, to, length) => {
                    let body = at + 1..at + 1 + length as usize;
                    (self.series(program, point, repetition, (from, to), body.clone()), body.end)
                }
                _ => (self.step(program, point, at), at + 1),
            };
            // A part inside a sum counts as undefined if it has no value in one of the terms.
            self.gaps[at] |= matches!(value, Err(Gap::Undefined));
            self.slots[at] = value.ok();
            at = next;
        }
    }

    /// Returns the value of one instruction.
    ///
    /// This function is long because it has one arm per kind of instruction.
    fn step(&self, program: &Program, point: &[f64], at: usize) -> Checked {
        let of = |slot: u32| self.slots[slot as usize].ok_or(Gap::Unknown);
        match program.code[at] {
            Instruction::Variable(column) => {
                let value = *point.get(column as usize).ok_or(Gap::Unknown)?;
                Number::real(Part::exact(value)).checked()
            }
            Instruction::Index => of(at as u32),
            Instruction::Number(number) => {
                let number = &program.numbers[number as usize];
                Number::real(Part { value: number.value, error: number.error }).checked()
            }
            Instruction::Constant(constant) => {
                let value = match constant {
                    Constant::Pi => core::f64::consts::PI,
                    Constant::E => core::f64::consts::E,
                    Constant::Phi => 1.618_033_988_749_895,
                    Constant::EulerGamma => 0.577_215_664_901_532_9,
                    Constant::I => return Ok(Number::I),
                    _ => return Err(Gap::Unknown),
                };
                Ok(Number::real(Part { value, error: UNIT * value }))
            }
            Instruction::Add(a, b) => of(a)?.plus(of(b)?).checked(),
            Instruction::Multiply(a, b) => of(a)?.times(of(b)?).checked(),
            Instruction::Divide(a, b) => of(a)?.over(of(b)?),
            Instruction::Negate(a) => Ok(of(a)?.negated()),
            Instruction::Square(a) => {
                let base = of(a)?;
                base.times(base).checked()
            }
            Instruction::Reciprocal(a) => Number::ONE.over(of(a)?),
            Instruction::SquareRoot(a) => of(a)?.square_root(),
            Instruction::CubeRoot(a) => {
                let base = of(a)?;
                if base.is_real() {
                    return Ok(Number::real(part(elementary::cube_root(base.re.value, base.re.error))?));
                }
                let third = Part { value: 1.0 / 3.0, error: UNIT };
                base.ln()?.times(Number::real(third)).exp()
            }
            Instruction::Exp(a) => of(a)?.exp(),
            Instruction::IntegerPower(a, power) => {
                let base = of(a)?;
                if base.is_real() {
                    let (x, e) = (base.re.value, base.re.error);
                    return Ok(Number::real(part(elementary::integer_power(x, e, power))?));
                }
                base.integer_power(power)
            }
            Instruction::RationalPower(a, number) => {
                let base = of(a)?;
                let exponent = &program.numbers[number as usize];
                let odd_root = !exponent.exact.has_even_denominator();
                if base.is_real() && (odd_root || base.re.value > 0.0) {
                    let odd_power = !exponent.exact.has_even_numerator();
                    let (x, e) = (base.re.value, base.re.error);
                    let root = elementary::rational_power(x, e, exponent.value, odd_root, odd_power);
                    return Ok(Number::real(part(root)?));
                }
                if base.is_zero() {
                    return Ok(Number::ZERO);
                }
                let exponent = Part { value: exponent.value, error: exponent.error };
                base.ln()?.times(Number::real(exponent)).exp()
            }
            Instruction::Power(a, b) => of(a)?.power(of(b)?),
            Instruction::Unary(function, a) => of(a)?.unary(function),
            Instruction::Binary(function, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                if !(a.is_real() && b.is_real()) {
                    return Err(Gap::Unknown);
                }
                Ok(Number::real(part(binary(function, a.re, b.re))?))
            }
            Instruction::Call(coefficients, start, count) => {
                let coefficients = program.coefficients(coefficients);
                let mut sine = Number::real(Part::exact(coefficients.sine_phase));
                let mut arc = Number::real(Part::exact(coefficients.arc_phase));
                for (place, &slot) in program.operands(start, count).iter().enumerate() {
                    let argument = of(slot)?;
                    sine = sine
                        .plus(argument.times(Number::real(Part::exact(coefficients.sine_weights[place]))));
                    arc =
                        arc.plus(argument.times(Number::real(Part::exact(coefficients.arc_weights[place]))));
                }
                let sine = sine.sin()?.times(Number::real(Part::exact(coefficients.sine)));
                let arc = arc.unary(Function::Atan)?.times(Number::real(Part::exact(coefficients.arc)));
                Number::real(Part::exact(coefficients.offset)).plus(sine).plus(arc).checked()
            }
            Instruction::Undefined => Err(Gap::Undefined),
            Instruction::Unknown | Instruction::Series(..) => Err(Gap::Unknown),
        }
    }

    fn series(
        &mut self,
        program: &Program,
        point: &[f64],
        Repetition { kind, fewest }: Repetition,
        (from, to): (u32, u32),
        body: core::ops::Range<usize>,
    ) -> Checked {
        let bound = |slot: u32| {
            let number =
                self.slots[slot as usize].filter(|number| number.is_real() && number.re.error == 0.0);
            Ok(number.ok_or(Gap::Unknown)?.re.value)
        };
        let (from, to) = (bound(from)?, bound(to)?);
        let count = to - from + 1.0;
        if from != libm::rint(from) || to != libm::rint(to) || count < f64::from(fewest) {
            return Err(Gap::Undefined);
        }
        if count.is_nan() || count > SERIES_TERMS as f64 || from.abs() > 1e15 {
            return Err(Gap::Unknown);
        }
        let mut total = if kind == SeriesKind::Sum { Number::ZERO } else { Number::ONE };
        let mut term = 0.0;
        while term < count {
            self.slots[body.start] = Some(Number::real(Part::exact(from + term)));
            self.execute(program, point, body.start, body.end);
            let value = self.slots[body.end - 1].ok_or(Gap::Unknown)?;
            total = if kind == SeriesKind::Sum { total.plus(value) } else { total.times(value) };
            term += 1.0;
        }
        Ok(total)
    }
}
