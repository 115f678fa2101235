//! Evaluation in doubles at many points at once, with a running error bound.
//!
//! A [`Program`] is straight-line code for one or several expressions of an [`Arena`]; an [`Evaluator`] runs it on
//! blocks of [`LANES`] points. Every result is a [`Value`]: a float with a bound on its distance from the real value of
//! the expression, *certainly undefined*, or unknown. Two values that [`Value::certainly_differ`] are
//! a counterexample, not an impression.
//!
//! # The error bound
//! Each slot holds a float `v` and a bound `e` with `|v - exact| <= e`. An operation adds up what its operands'
//! errors can do to the result (mean value theorem on the interval `[v-e, v+e]`) and its own rounding, `2^-52 |result|`
//! (twice the IEEE bound), 2 to 64 times that for the functions of the `libm` crate (FreeBSD and musl ports, errors
//! below 1 ulp, hyperbolic ones below 3, gamma below 20), and the smallest normal number where the result can underflow.
//! The arithmetic on the bounds is rounded too: a factor `1 + 2^-20` covers 10^8 operations in a row and is applied
//! wherever a bound decides something.
//! An infinite or NaN bound means *unknown*: overflow, a denominator or logarithm that may be zero, a rounding function next
//! to its step.
//!
//! # Which values
//! Variables are real. Odd roots of negative numbers are real; a negative base with an exponent that
//! is not an integer has no value (fractions with an odd denominator excepted), neither have `0^0`, `1/0`, `ln 0`,
//! `arcsin 2`. A point where any part of an expression has no real value gives [`Value::Undefined`].
//! `n!` and `binom` of numbers that are not integers mean their gamma extension. A sum or product needs integer bounds
//! with `to >= from - 1`. An unknown function `f(x)` is replaced by one fixed smooth function chosen by its name: a
//! difference found with it refutes the identity for functions in general.
//!
//! Complexity: linear in the distinct nodes, times the terms of sums and products, within a budget of steps.

mod compile;
mod complex;
mod constants;
mod discrete;
mod elementary;
mod lanes;
mod run;
#[cfg(test)]
mod tests;
pub(crate) mod unknown;

#[cfg(test)]
pub(crate) use run::probe;

pub(crate) use complex::{ComplexEvaluator, ComplexValue};
pub(crate) use constants::{constant_bounds, constant_sign};
pub(crate) use run::Evaluator;

use crate::expr::{Arena, Constant, Function, Id, SeriesKind, Symbol};
use crate::number::Rational;
use smallvec::SmallVec;

/// Points that are evaluated together.
pub(crate) const LANES: usize = 8;

/// Covers the rounding of the bounds themselves.
const INFLATE: f64 = 1.0 + 1.0 / 1048576.0;

/// The knowledge about an expression at a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value {
    /// The exact value is within `error` of `value`.
    Real {
        /// The computed value, finite.
        value: f64,
        /// Bound of the absolute error, finite; 0 means the value is exact.
        error: f64,
    },
    /// Some part certainly has no real value at this point.
    Undefined,
    /// There is no evidence: overflow, a possible pole, an operation that is not evaluated.
    Unknown,
}

impl Value {
    /// Returns whether the exact values are certainly different real numbers.
    #[inline]
    pub(crate) fn certainly_differ(self, other: Value) -> bool {
        match (self, other) {
            (Value::Real { value: a, error: e }, Value::Real { value: b, error: f }) => {
                (a - b).abs() > (e + f) * INFLATE + f64::EPSILON * f64::EPSILON * (a - b).abs()
            }
            _ => false,
        }
    }

    /// Returns the value and its bound, if there is a real value.
    #[inline]
    pub(crate) fn real(self) -> Option<(f64, f64)> {
        match self {
            Value::Real { value, error } => Some((value, error)),
            _ => None,
        }
    }
}

/// A slot: results are numbered by the instruction that makes them.
type Slot = u32;

/// One step. Operands are earlier slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Instruction {
    /// Column of the points.
    Variable(u32),
    /// Set by the loop it belongs to.
    Index,
    /// Entry of the table of numbers.
    Number(u32),
    Constant(Constant),
    Add(Slot, Slot),
    Multiply(Slot, Slot),
    Divide(Slot, Slot),
    Negate(Slot),
    Square(Slot),
    Reciprocal(Slot),
    SquareRoot(Slot),
    CubeRoot(Slot),
    /// `e^x`
    Exp(Slot),
    /// Integer power, at least 2.
    IntegerPower(Slot, u32),
    /// Exponent from the table of numbers, positive.
    RationalPower(Slot, u32),
    Power(Slot, Slot),
    Unary(Function, Slot),
    Binary(Function, Slot, Slot),
    /// Name (entry of the table of coefficients), first operand and count in the table of operands.
    Call(u32, u32, u32),
    /// A loop: kind, first and last value, number of instructions of the body that follow. The first of them is
    /// the index, the last one the body's value. The loop's value is in this slot.
    Series(Repetition, Slot, Slot, u32),
    /// The expression has no value anywhere.
    Undefined,
    /// The expression is not evaluated: limits, integrals, infinities, too deep nesting.
    Unknown,
}

/// The operation of a loop on its terms, and how many there must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Repetition {
    pub(crate) kind: SeriesKind,
    /// 1 where a bound is a variable, else 0: `\sum_{k=0}^n` is asked about where its range is not empty, since the usual
    /// closed forms hold there alone; between constants, and inside another sum, an empty sum is 0.
    pub(crate) fewest: u8,
}

/// Straight-line code for some expressions of one arena. It keeps its buffers when it is compiled again.
#[derive(Clone, Debug, Default)]
pub struct Program {
    code: Vec<Instruction>,
    numbers: Vec<Constancy>,
    operands: Vec<Slot>,
    calls: Vec<unknown::Coefficients>,
    outputs: SmallVec<[Slot; 2]>,
    columns: usize,
    exact: bool,
    imaginary: bool,
    incomplete: bool,
    scratch: compile::Scratch,
}

/// A number of the program in both forms.
#[derive(Clone, Debug)]
pub(crate) struct Constancy {
    pub(crate) exact: Rational,
    value: f64,
    error: f64,
}

impl Program {
    /// Compiles `roots`. Variables are read from the columns of the points in the order of `variables`; a variable
    /// that is not listed is unknown.
    pub fn new(arena: &Arena, roots: &[Id], variables: &[Symbol]) -> Program {
        let mut program = Program::default();
        program.compile(arena, roots, variables);
        program
    }

    /// Returns whether the imaginary unit or another complex operation occurs; real evaluation then gives
    /// `Unknown`.
    pub fn is_complex(&self) -> bool {
        self.imaginary
    }

    /// Returns whether some part is never evaluated (limits, integrals, infinities): results are then unknown.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// Returns the number of instructions.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Returns whether there is nothing to evaluate.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// Returns the number of expressions.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    pub(crate) fn code(&self) -> &[Instruction] {
        &self.code
    }

    pub(crate) fn number(&self, at: u32) -> &Rational {
        &self.numbers[at as usize].exact
    }

    pub(crate) fn operands(&self, start: u32, count: u32) -> &[Slot] {
        &self.operands[start as usize..(start + count) as usize]
    }

    pub(crate) fn coefficients(&self, at: u32) -> &unknown::Coefficients {
        &self.calls[at as usize]
    }

    pub(crate) fn output(&self, at: usize) -> Option<Slot> {
        self.outputs.get(at).copied()
    }

    /// Passes the slots that a slot's value is made of.
    fn for_each_operand(&self, slot: Slot, mut pass: impl FnMut(Slot)) {
        match self.code[slot as usize] {
            Instruction::Variable(_)
            | Instruction::Index
            | Instruction::Number(_)
            | Instruction::Constant(_)
            | Instruction::Undefined
            | Instruction::Unknown => {}
            Instruction::Negate(a)
            | Instruction::Square(a)
            | Instruction::Reciprocal(a)
            | Instruction::SquareRoot(a)
            | Instruction::CubeRoot(a)
            | Instruction::Exp(a)
            | Instruction::IntegerPower(a, _)
            | Instruction::RationalPower(a, _)
            | Instruction::Unary(_, a) => pass(a),
            Instruction::Add(a, b)
            | Instruction::Multiply(a, b)
            | Instruction::Divide(a, b)
            | Instruction::Power(a, b)
            | Instruction::Binary(_, a, b) => {
                pass(a);
                pass(b);
            }
            Instruction::Call(_, start, count) => {
                self.operands(start, count).iter().for_each(|&operand| pass(operand));
            }
            Instruction::Series(_, from, to, length) => {
                pass(from);
                pass(to);
                (slot + 1..=slot + length).for_each(pass);
            }
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }
}
