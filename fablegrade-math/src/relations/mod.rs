//! Answers that are more than one value: equations, inequalities, intervals, sets, points, lists, matrices,
//! `\pm`, and statements joined by *and* and *or*.
//!
//! Their scalar parts are compared by an [`Oracle`], in the same way as answers that are single values. Two
//! answers are the same if they are:
//!
//! - **Relations** (equations, inequalities, systems, and their combinations by *and*, *or* and *not*) that
//!   hold at the same points of the domains, see `solve`. A comparison does not hold at points at which a
//!   side has no value. Relations that hold everywhere or nowhere are compared by their sides: `3\cdot4=12`
//!   is `12=3\cdot4` and not `5=5`.
//! - **A relation and the set** of the numbers at which it holds, if it has one unknown: `x>1` and
//!   `(1,\infty)`.
//! - **Families** such as `x=\frac\pi6+2k\pi` with an integer `k` that contain the same numbers. They are
//!   also compared with equations of sines. Other relations with an index are the same up to its name, and
//!   otherwise undecided.
//! - **Intervals** with the same ends, open or closed in the same way. Unions, intersections and differences
//!   of sets of numbers are compared by their elements. The real numbers are the interval from `-\infty` to
//!   `\infty`.
//! - **Sets** with the same elements, in any order and with any repetitions. A list without brackets equals
//!   the set of its elements.
//! - **Unions and intersections over an index** with the same sets. If there are too many to write out, the
//!   ranges must be the same, and so must the sets for each value of the index.
//! - **Sets of points under a condition** (`\{(x,y)\mid x+y=1\}`) with the same points. The names of the
//!   coordinates do not matter.
//! - **Points, vectors and matrices** of the same shape with the same entries.
//! - **Lists** of the same numbers without brackets in the same order. Lists of points or statements, and
//!   lists with *and* or *or*, can be in any order.
//! - **Piecewise values** (`cases`) that agree on every interval between the points at which a condition
//!   changes, and at these points.
//! - **Ratios** of three parts or more with the same proportions: `6:4:2` is `3:2:1`. A ratio and its
//!   quotient are undecided, because colons also denote division.
//! - **A value with `\pm`** and the two values that it denotes. Without `\mp`, several signs have two readings:
//!   they belong together, or they are independent.
//! - **Definitions** with the same graph: `f(x)=x^2`, `y=x^2` and `f\colon x\mapsto x^2`.
//! - **Numbered solutions** and sets with a name, and a relation with these solutions: `x_1=2,x_2=3`, `L=\{2,3\}` and
//!   `x^2-5x+6=0`.
//! - `(x,y)=(1,2)` and the statements `x=1` and `y=2`; the rows of a system and statements joined by *and*.
//! - `x=3` and the value 3, or `x\in M` and the set M: an answer may omit the left side if it is only a name.
//!   `2x+z=1` is not the value 1. With several names, the assignment of the values is undecided: `x=1, y=2`
//!   and `1, 2`.

mod axis_lines;
mod by_cases;
mod circle;
mod compare;
mod coordinate;
mod critical;
mod definitions;
mod difference;
mod domains;
mod elements;
mod enclosed;
mod indices;
mod integers;
mod inverse;
mod line;
mod linear;
mod link;
mod listed_numbers;
mod matrices;
mod membership;
mod mixed;
mod monotone;
mod named;
mod numbered;
mod pieces;
mod point_sets;
mod progressions;
mod quotient;
mod read;
mod roots;
mod set_models;
mod sets;
mod single_points;
mod solution_sets;
mod solve;
mod statement;
mod substitution;
mod systems;
mod truth_table;
mod waves;
mod written;

use crate::expr::{Arena, Id, Symbol};
use crate::limits::{Fuel, NODE, RELATION_BALLS, RELATION_QUESTIONS, RELATION_WORK};
use crate::number::Rational;
use crate::points::Domain;
use crate::precise::Precise;
use crate::syntax::{Delimiter, NumberSet, Relation};

pub(crate) use compare::{compare, constant_truth};
pub use difference::{Difference, Side};
pub(crate) use read::read;

/// The result of the comparison of two scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// They are the same.
    Same,
    /// They differ.
    Different,
    /// The comparison could not be decided.
    Unknown,
}

impl Verdict {
    /// Combines two results that must both be the same: different takes precedence over unknown.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Different, _) | (_, Self::Different) => Self::Different,
            (Self::Same, Self::Same) => Self::Same,
            _ => Self::Unknown,
        }
    }
}

/// A procedure that compares scalars.
pub(crate) trait Oracle {
    /// Decides whether two expressions of the arena are the same.
    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict;

    /// Returns whether a variable has a declared domain, which may exclude numbers.
    fn is_bounded(&self, _arena: &Arena, _variable: Symbol) -> bool {
        false
    }

    /// Returns whether the domain of a variable contains this value.
    fn admits(&self, _arena: &Arena, _variable: Symbol, _value: &Rational) -> bool {
        true
    }

    /// Returns whether a name is declared as a variable, so that it is not the index of a family.
    fn is_declared(&self, _arena: &Arena, _variable: Symbol) -> bool {
        false
    }

    /// Returns the domain of a variable.
    fn domain(&self, _arena: &Arena, _variable: Symbol) -> Domain {
        Domain::default()
    }

    /// Returns whether [`Verdict::Same`] means exact equality, without a tolerance.
    fn is_exact(&self) -> bool {
        true
    }

    /// Records that values agreed to `bits` bits at `points` points, without a proof.
    fn note_agreement(&mut self, _points: u32, _bits: u32) {}

    /// Records that both relations hold everywhere, or both nowhere, and that their sides do not show that
    /// they are the same.
    fn note_uninformative(&mut self) {}

    /// Decides whether an expression is exactly 0. Oracles that otherwise accept approximate equality
    /// override this.
    fn vanishes(&mut self, arena: &mut Arena, id: Id) -> Verdict {
        self.same(arena, id, Arena::ZERO)
    }
}

impl<F: FnMut(&mut Arena, Id, Id) -> Verdict> Oracle for F {
    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict {
        self(arena, a, b)
    }
}

/// A structured value; its scalars live in an arena.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// One number or expression.
    Scalar(Id),
    /// A statement, which is true or false.
    Statement(Statement),
    /// A set of listed elements.
    Set(Vec<Value>),
    /// Several values in any order, joined by *and* or *or* or by `\pm`.
    Several(Vec<Value>),
    /// The values of a name for which a condition holds: `\{x\mid x>0\}`.
    Builder(Symbol, Statement),
    /// The points whose coordinates, under these names, satisfy a condition: `\{(x,y)\mid x+y=1\}`.
    PointsWith(Vec<Symbol>, Statement),
    /// A piecewise value: the value and the condition of each piece; at most one condition holds.
    Pieces(Vec<(Id, Statement)>),
    /// A statement that can be read in several ways.
    Unclear(Vec<Statement>),
    /// A whole answer that can be read in several ways; each reading is the value of the whole text.
    Readings(Vec<Value>),
    /// Values without brackets, separated by commas or semicolons.
    List(Vec<Value>),
    /// Values in brackets: a point, a list, or, with two entries, an interval.
    Sequence {
        /// The left bracket.
        open: Delimiter,
        /// The right bracket.
        close: Delimiter,
        /// The values in the brackets.
        items: Vec<Value>,
    },
    /// A set of numbers with its own symbol, such as `\mathbb{Z}`; the reals are an interval.
    Numbers(NumberSet),
    /// A union, intersection or difference of sets.
    Combined(Combination, Vec<Value>),
    /// A union or intersection over an index that is not written out.
    Gathered {
        /// Union or intersection.
        combination: Combination,
        /// The range of the index: empty, a statement, or its first and last value.
        range: Vec<Value>,
        /// The set for each value of the index.
        body: Box<Value>,
    },
    /// Three parts or more with colons between them: `3:2:1`.
    Ratio(Vec<Id>),
    /// A rectangle of values, row by row.
    Matrix {
        /// The number of columns.
        columns: usize,
        /// The entries.
        entries: Vec<Value>,
    },
}

/// Returns whether a value states at which points something holds, so that single points count.
pub(crate) fn is_about_points(value: &Value) -> bool {
    match value {
        Value::Statement(Statement::Compare { relation: Relation::Equal, named: true, .. }) => false,
        Value::Statement(_)
        | Value::Builder(..)
        | Value::PointsWith(..)
        | Value::Pieces(_)
        | Value::Unclear(_)
        | Value::Combined(..) => true,
        Value::Set(parts) | Value::Several(parts) | Value::Readings(parts) | Value::List(parts) => {
            parts.iter().any(is_about_points)
        }
        Value::Sequence { items, .. } => items.iter().any(is_about_points),
        _ => false,
    }
}

/// The combinations of sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combination {
    /// The elements of at least one of them.
    Union,
    /// The elements of all of them.
    Intersection,
    /// The elements of the first that are not in the second.
    Difference,
    /// The elements of the universe that are not in the only set. Among numbers, the universe is the reals.
    Complement,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// A comparison of `left - right` with 0; both sides are kept because one may be infinite.
    Compare {
        /// The left side.
        left: Id,
        /// The relation between the sides. `>` and `>=` are stored as `<` and `<=` with exchanged sides.
        relation: Relation,
        /// The right side.
        right: Id,
        /// `true` if the left side only names the value on the right side.
        named: bool,
    },
    /// A relation with a side that is not a scalar, such as a set or a point.
    Belongs {
        /// The left side, often an element or a name.
        left: Box<Value>,
        /// `=`, `\in`, `\subset` and similar relations.
        relation: Relation,
        /// The right side, often a set or a point.
        right: Box<Value>,
    },
    /// A name that denotes a truth value.
    Atom(Id),
    /// A statement that always holds (`true`) or never holds (`false`).
    Constant(bool),
    /// All of these hold.
    And(Vec<Statement>),
    /// At least one of these holds.
    Or(Vec<Statement>),
    /// The statement does not hold.
    Not(Box<Statement>),
}

/// The number of bits to which values must agree to be treated as the same without a proof.
pub(crate) const AGREED_BITS: u32 = 160;

/// A point at which exactly one of two relations holds.
pub(crate) struct Counterexample {
    /// The values of the unknowns.
    pub(crate) point: Vec<(Symbol, coordinate::Coordinate)>,
    /// `true` if the first relation holds there, `false` if the second does.
    pub(crate) first: bool,
}

/// An oracle with a bounded number of calls and a budget of work.
pub(crate) struct BoundedOracle<'o> {
    oracle: &'o mut dyn Oracle,
    left: u32,
    precise: Precise,
    precise_fuel: u64,
    work: Fuel,
    /// The counterexample of the last pair of relations that differ.
    counterexample: Option<Counterexample>,
}

impl<'o> BoundedOracle<'o> {
    fn new(oracle: &'o mut dyn Oracle) -> Self {
        Self {
            oracle,
            left: RELATION_QUESTIONS,
            precise: Precise::new(),
            precise_fuel: RELATION_BALLS,
            work: Fuel::new(RELATION_WORK),
            counterexample: None,
        }
    }

    /// Charges work; returns `false` if the budget is used up.
    fn spend(&mut self, units: u64) -> bool {
        self.work.spend(units)
    }

    /// Charges the work of replacing a name in expressions `times` times.
    fn spend_on_parts(&mut self, arena: &Arena, expressions: &[Id], times: usize) -> bool {
        let order = arena.reachable(expressions);
        let references: usize = order.iter().map(|part| 1 + arena.parts(*part).len()).sum();
        self.spend(references as u64 * times as u64 * NODE)
    }

    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict {
        if arena.overflowed() {
            return Verdict::Unknown;
        }
        if a == b {
            return Verdict::Same;
        }
        if self.left == 0 {
            return Verdict::Unknown;
        }
        self.left -= 1;
        match (a, b) {
            (id, Arena::ZERO) | (Arena::ZERO, id) => self.oracle.vanishes(arena, id),
            _ => self.oracle.same(arena, a, b),
        }
    }

    fn is_bounded(&self, arena: &Arena, variable: Symbol) -> bool {
        self.oracle.is_bounded(arena, variable)
    }

    fn is_declared(&self, arena: &Arena, variable: Symbol) -> bool {
        self.oracle.is_declared(arena, variable)
    }

    fn domain(&self, arena: &Arena, variable: Symbol) -> Domain {
        self.oracle.domain(arena, variable)
    }

    fn is_exact(&self) -> bool {
        self.oracle.is_exact()
    }

    fn note_agreement(&mut self, points: u32, bits: u32) {
        self.oracle.note_agreement(points, bits);
    }

    fn note_uninformative(&mut self) {
        self.oracle.note_uninformative();
    }

    fn vanishes(&mut self, arena: &mut Arena, id: Id) -> Verdict {
        self.same(arena, id, Arena::ZERO)
    }

    /// Returns whether the domains contain a point. A value that is not a rational number is accepted only
    /// for variables without a domain.
    fn admits(&self, arena: &Arena, point: &[(Symbol, Id)]) -> bool {
        point.iter().all(|(variable, value)| match arena.as_number(*value) {
            Some(number) => self.oracle.admits(arena, *variable, number),
            None => !self.oracle.is_bounded(arena, *variable),
        })
    }

    /// Returns the sign of a constant, if it can be decided.
    fn sign(&mut self, arena: &mut Arena, id: Id) -> Option<std::cmp::Ordering> {
        match self.value(arena, id) {
            coordinate::Value::Sign(sign) => Some(sign),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
