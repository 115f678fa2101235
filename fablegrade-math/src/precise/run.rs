//! Evaluation of a program in ball arithmetic, one point at a time.

use crate::limits::SERIES_TERMS;
use smallvec::SmallVec;

use super::ball::Ball;
use super::complex::Number;
use super::{Context, Gap};
use crate::evaluate::{Instruction, Program, Repetition};
use crate::expr::{Constant, Function, SeriesKind};

/// The choice between real and complex values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Real values; a part without a real value makes the point undefined.
    Real,
    /// Principal complex values.
    Complex,
}

/// Evaluates the outputs of a program at a point.
///
/// # Errors
/// An undefined part or exhausted fuel ends the evaluation. [`Gap::Unknown`] is returned if neither occurs,
/// but a part is unknown.
pub(super) fn outputs(
    context: &mut Context<'_>,
    program: &Program,
    point: &[Ball],
    field: Field,
    slots: &mut Vec<Option<Number>>,
) -> Result<SmallVec<[Number; 2]>, Gap> {
    slots.clear();
    slots.resize(program.code().len(), None);
    let mut unknown = false;
    execute(context, program, point, field, slots, 0, program.code().len(), &mut unknown)?;
    let mut values = SmallVec::new();
    for output in 0..program.outputs() {
        let slot = program.output(output).ok_or(Gap::Unknown)?;
        match slots.get_mut(slot as usize).and_then(|slot| slot.clone()) {
            Some(number) => values.push(number),
            None => return Err(Gap::Unknown),
        }
    }
    if unknown { Err(Gap::Unknown) } else { Ok(values) }
}

/// Executes the instructions in `start..end`.
///
/// Undefined parts and exhausted fuel end the run. An unknown part only leaves its slot empty, because a
/// later part may be certainly undefined.
#[allow(clippy::too_many_arguments)]
fn execute(
    context: &mut Context<'_>,
    program: &Program,
    point: &[Ball],
    field: Field,
    slots: &mut Vec<Option<Number>>,
    start: usize,
    end: usize,
    unknown: &mut bool,
) -> Result<(), Gap> {
    let mut at = start;
    while at < end {
        let instruction = program.code()[at];
        let result = if let Instruction::Series(repetition, from, to, length) = instruction {
            let body = at + 1..at + 1 + length as usize;
            let total =
                series(context, program, point, field, slots, (repetition, from, to), body.clone(), unknown);
            at = body.end - 1;
            (total, body.start - 1)
        } else {
            (step(context, program, point, field, slots, at), at)
        };
        let (value, place) = result;
        slots[place] = match value {
            Ok(number) => Some(number),
            Err(Gap::Unknown) => {
                *unknown = true;
                None
            }
            Err(gap) => return Err(gap),
        };
        at += 1;
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn series(
    context: &mut Context<'_>,
    program: &Program,
    point: &[Ball],
    field: Field,
    slots: &mut Vec<Option<Number>>,
    (Repetition { kind, fewest }, from, to): (Repetition, u32, u32),
    body: core::ops::Range<usize>,
    unknown: &mut bool,
) -> Result<Number, Gap> {
    let bound = |slot: u32| {
        let number = slots[slot as usize].as_ref().ok_or(Gap::Unknown)?;
        if !number.is_real() || !number.re.is_exact() {
            return Err(Gap::Unknown);
        }
        match number.re.to_integer() {
            Some(value) if value.unsigned_abs() < 1 << 50 => Ok(value),
            Some(_) => Err(Gap::Unknown),
            None if number.re.top() > 60 => Err(Gap::Unknown),
            None => Err(Gap::Undefined),
        }
    };
    let (from, to) = (bound(from)?, bound(to)?);
    let count = to - from + 1;
    if count < i64::from(fewest) {
        return Err(Gap::Undefined);
    }
    if count as u64 > SERIES_TERMS {
        return Err(Gap::Unknown);
    }
    let mut total = Number::real(Ball::integer(i64::from(kind == SeriesKind::Product)));
    for index in from..=to {
        slots[body.start] = Some(Number::real(Ball::integer(index)));
        execute(context, program, point, field, slots, body.start + 1, body.end, unknown)?;
        let value = slots[body.end - 1].take().ok_or(Gap::Unknown)?;
        total = match kind {
            SeriesKind::Sum => context.complex_add(&total, &value)?,
            SeriesKind::Product => context.complex_multiply(&total, &value)?,
        };
    }
    Ok(total)
}

/// Returns the value of one instruction.
///
/// This function is long because it has one arm per kind of instruction.
fn step(
    context: &mut Context<'_>,
    program: &Program,
    point: &[Ball],
    field: Field,
    slots: &[Option<Number>],
    at: usize,
) -> Result<Number, Gap> {
    let of = |slot: u32| slots[slot as usize].as_ref().ok_or(Gap::Unknown);
    let real_only = field == Field::Real;
    context.charge(1)?;
    match program.code()[at] {
        Instruction::Variable(column) => {
            Ok(Number::real(point.get(column as usize).ok_or(Gap::Unknown)?.clone()))
        }
        Instruction::Index => of(at as u32).cloned(),
        Instruction::Number(number) => {
            Ok(Number::real(Ball::rational(program.number(number), context.bits)?))
        }
        Instruction::Constant(constant) => Ok(match constant {
            Constant::Pi => Number::real(context.pi()?),
            Constant::E => Number::real(context.euler_number()?),
            Constant::Phi => {
                let root = context.square_root(&Ball::integer(5))?;
                Number::real(context.add(&Ball::integer(1), &root)?.shifted(-1))
            }
            Constant::EulerGamma => Number::real(context.euler_gamma()?),
            Constant::I if !real_only => Number::imaginary_unit(),
            _ => return Err(Gap::Unknown),
        }),
        Instruction::Add(a, b) => context.complex_add(of(a)?, of(b)?),
        Instruction::Multiply(a, b) => context.complex_multiply(of(a)?, of(b)?),
        Instruction::Divide(a, b) => context.complex_divide(of(a)?, of(b)?),
        Instruction::Negate(a) => Ok(Context::complex_negate(of(a)?)),
        Instruction::Square(a) => {
            let base = of(a)?;
            context.complex_multiply(base, base)
        }
        Instruction::Reciprocal(a) => context.complex_divide(&Number::real(Ball::integer(1)), of(a)?),
        Instruction::SquareRoot(a) if real_only => Ok(Number::real(context.square_root(&of(a)?.re)?)),
        Instruction::SquareRoot(a) => context.complex_square_root(of(a)?),
        Instruction::CubeRoot(a) => {
            let third = crate::number::Rational::new(1, 3).ok_or(Gap::Unknown)?;
            if real_only {
                return Ok(Number::real(context.rational_power(&of(a)?.re, &third)?));
            }
            context.complex_rational_power(of(a)?, &third)
        }
        Instruction::Exp(a) => context.complex_exp(of(a)?),
        Instruction::IntegerPower(a, power) => context.complex_integer_power(of(a)?, u64::from(power)),
        Instruction::RationalPower(a, number) if real_only => {
            Ok(Number::real(context.rational_power(&of(a)?.re, program.number(number))?))
        }
        Instruction::RationalPower(a, number) => {
            context.complex_rational_power(of(a)?, program.number(number))
        }
        Instruction::Power(a, b) if real_only => Ok(Number::real(context.power(&of(a)?.re, &of(b)?.re)?)),
        Instruction::Power(a, b) => context.complex_power(of(a)?, of(b)?),
        Instruction::Unary(function, a) if real_only => {
            Ok(Number::real(context.unary(function, &of(a)?.re)?))
        }
        Instruction::Unary(function, a) => context.complex_unary(function, of(a)?),
        Instruction::Binary(function, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            if !(a.is_real() && b.is_real()) {
                return Err(Gap::Unknown);
            }
            Ok(Number::real(context.binary(function, &a.re, &b.re)?))
        }
        Instruction::Call(at, start, count) => {
            let coefficients = *program.coefficients(at);
            let exact = |value: f64| Ok::<Number, Gap>(Number::real(Ball::float(value)?));
            let (mut sine, mut arc) = (exact(coefficients.sine_phase)?, exact(coefficients.arc_phase)?);
            for (place, &slot) in program.operands(start, count).iter().enumerate() {
                let argument = of(slot)?;
                let part = context.complex_multiply(argument, &exact(coefficients.sine_weights[place])?)?;
                sine = context.complex_add(&sine, &part)?;
                let part = context.complex_multiply(argument, &exact(coefficients.arc_weights[place])?)?;
                arc = context.complex_add(&arc, &part)?;
            }
            let sine = context.complex_unary(Function::Sin, &sine)?;
            let sine = context.complex_multiply(&sine, &exact(coefficients.sine)?)?;
            let arc = context.complex_unary(Function::Atan, &arc)?;
            let arc = context.complex_multiply(&arc, &exact(coefficients.arc)?)?;
            let sum = context.complex_add(&sine, &arc)?;
            context.complex_add(&sum, &exact(coefficients.offset)?)
        }
        Instruction::Undefined => Err(Gap::Undefined),
        Instruction::Unknown | Instruction::Series(..) => Err(Gap::Unknown),
    }
}
