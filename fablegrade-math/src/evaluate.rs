//! Evaluation in doubles at many points at once, with a running error bound.
//!
//! A [`Program`] is straight-line code for one or several expressions of an [`Arena`]. An [`Evaluator`] runs
//! it on blocks of [`LANES`] points. Every result is a [`Value`]: a float with a bound on its distance from
//! the real value of the expression, *certainly undefined*, or *unknown*. Two values that
//! [`Value::certainly_differ`] are a rigorous counterexample.
//!
//! # The error bound
//! Each slot holds a float `v` and a bound `e` with `|v - exact| <= e`. The bound of an operation is the sum
//! of
//! - the effect of its operands' errors, by the mean value theorem on the interval `[v-e, v+e]`;
//! - its own rounding error, `2^-52 |result|` (twice the IEEE bound), or 2 to 64 times that for functions of
//!   the `libm` crate (FreeBSD and musl ports: errors below 1 ulp, hyperbolic functions below 3, gamma below
//!   20);
//! - the smallest normal number, if the result can underflow.
//!
//! The arithmetic on the bounds is rounded too. A factor of `1 + 2^-20` covers 10^8 successive operations and
//! is applied wherever a decision depends on a bound. An infinite or NaN bound means *unknown*. Causes are
//! overflow, a denominator or an argument of a logarithm that may be zero, and a step function too close to
//! its step.
//!
//! # Values
//! Variables are real. Odd roots of negative numbers are real. A negative base has no value if its exponent
//! is not an integer, unless the exponent is a fraction with an odd denominator. `0^0`, `1/0`, `ln 0` and
//! `arcsin 2` have no value either. A point at which any part of an expression has no real value gives
//! [`Value::Undefined`].
//!
//! `n!` and `binom` of non-integers are defined by the gamma function. A sum or product needs integer bounds
//! with `to >= from - 1`, and usually with `to >= from` if a bound contains a variable. An uninterpreted
//! function `f(x)` is replaced by a fixed smooth function, which depends only on its name and number of
//! arguments. A difference for this function refutes the identity for functions in general.
//!
//! Evaluation is linear in the number of distinct nodes, times the terms of sums and products, within a
//! budget of steps.

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

/// The number of points that are evaluated together.
pub(crate) const LANES: usize = 8;

/// A factor that covers the rounding errors of the bounds.
const INFLATE: f64 = 1.0 + 1.0 / 1048576.0;

/// The result of evaluating an expression at a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value {
    /// The exact value is within `error` of `value`.
    Real {
        /// The computed value, which is finite.
        value: f64,
        /// A finite bound on the absolute error; 0 means that the value is exact.
        error: f64,
    },
    /// A part of the expression certainly has no real value at this point.
    Undefined,
    /// Nothing is known, for example after an overflow, near a possible pole or for an unsupported operation.
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

    /// Returns the value and its error bound, if there is a real value.
    #[inline]
    pub(crate) fn real(self) -> Option<(f64, f64)> {
        match self {
            Value::Real { value, error } => Some((value, error)),
            _ => None,
        }
    }
}

/// The index of a result, which is that of the instruction that computes it.
type Slot = u32;

/// An instruction, whose operands are earlier slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Instruction {
    /// A variable, by its column of the points.
    Variable(u32),
    /// The index of the enclosing loop; the loop sets its value.
    Index,
    /// A number, by its index in the table of numbers.
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
    /// A power with an integer exponent of at least 2.
    IntegerPower(Slot, u32),
    /// A power with a positive exponent, by its index in the table of numbers.
    RationalPower(Slot, u32),
    Power(Slot, Slot),
    Unary(Function, Slot),
    Binary(Function, Slot, Slot),
    /// A call of an uninterpreted function: its index in the table of coefficients, then the start and the
    /// number of its operands in the table of operands.
    Call(u32, u32, u32),
    /// A loop: its operation, the first and last value of the index, and the number of body instructions that
    /// follow. The first of these is the index, and the last one computes the body's value. This slot
    /// receives the loop's value.
    Series(Repetition, Slot, Slot, u32),
    /// An expression that has no value anywhere.
    Undefined,
    /// An expression that is not evaluated, such as a limit, an integral, an infinity or a too deeply nested
    /// loop.
    Unknown,
}

/// The operation of a loop and the smallest allowed number of its terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Repetition {
    pub(crate) kind: SeriesKind,
    /// The smallest number of terms: 1 if a bound contains a variable and none contains the index of an
    /// enclosing loop, otherwise 0.
    ///
    /// `\sum_{k=0}^n` is compared only where its range is not empty, because the usual closed forms hold only
    /// there.
    pub(crate) fewest: u8,
}

/// Straight-line code for some expressions of one arena; compiling again reuses its buffers.
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

/// A number of a program, both exact and as a float with an error bound.
#[derive(Clone, Debug)]
pub(crate) struct Constancy {
    pub(crate) exact: Rational,
    value: f64,
    error: f64,
}

impl Program {
    /// Compiles `roots`. The columns of the points give the values of `variables`, in this order. A variable
    /// that is not listed has an unknown value.
    pub fn new(arena: &Arena, roots: &[Id], variables: &[Symbol]) -> Program {
        let mut program = Program::default();
        program.compile(arena, roots, variables);
        program
    }

    /// Returns whether the imaginary unit occurs; real evaluation then gives `Unknown`.
    pub fn is_complex(&self) -> bool {
        self.imaginary
    }

    /// Returns whether a part is never evaluated, such as a limit, an integral or an infinity; results are
    /// then unknown.
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

    /// Returns the slots of all parts of an output, itself included, each once.
    fn parts(&self, output: usize) -> Vec<Slot> {
        let mut seen = vec![false; self.code.len()];
        let mut parts = Vec::new();
        let mut waiting: Vec<Slot> = self.output(output).into_iter().collect();
        while let Some(slot) = waiting.pop() {
            if !core::mem::replace(&mut seen[slot as usize], true) {
                parts.push(slot);
                self.for_each_operand(slot, |operand| waiting.push(operand));
            }
        }
        parts
    }

    /// Calls `pass` with each slot that the instruction of `slot` uses.
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
