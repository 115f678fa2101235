//! Answers that are more than one value: equations, inequalities, intervals, sets, points, lists, matrices, `\pm` and
//! statements joined by *and* and *or*.
//!
//! Their scalar parts are compared by an [`Oracle`], so everything the scalar decision knows holds inside them. What
//! is the same here:
//!
//! - **Relations** (equations, inequalities, systems, what *and*, *or* and *not* make of them) that hold at the same
//!   points of the domains, see `solve`. A relation holds at a point if everything in it has a value there and it is
//!   true. What holds everywhere or nowhere is compared side by side: `3\cdot4=12` is `12=3\cdot4` and not `5=5`.
//! - **A relation and a set** of numbers, where there is one unknown: `x>1` and `(1,\infty)`.
//! - **Families** `x=\frac\pi6+2k\pi` with an integer, as unions of progressions, also beside equations of sines.
//! - **Intervals** with the same ends, of the same kind; unions, intersections and differences of sets of numbers are
//!   worked out where the ends are constants. The real numbers are the interval from `-\infty` to `\infty`.
//! - **Sets** with the same elements, in any order and however often. A list without brackets equals the set of its
//!   elements.
//! - **Unions and intersections over an index** as the sets that are united; where these are not few, with the same set for each
//!   value of the index.
//! - **Sets of points under a condition** (`\{(x,y)\mid x+y=1\}`) as relations between their coordinates, whatever these are called.
//! - **Points and vectors** entry by entry, and **matrices** of the same shape.
//! - **Lists** of numbers without brackets in the same order; lists of points, of statements and lists with *and* or
//!   *or* in any order.
//! - **Pieces** (`cases`) with the same value on every piece of the line between places where a condition changes, and at
//!   these places.
//! - **Ratios** of three parts or more with the same proportions: `6:4:2` is `3:2:1`. Beside their quotient they
//!   are undecided: elsewhere colons divide.
//! - `\pm` is the two values it stands for.
//! - `(x,y)=(1,2)` for `x=1` and `y=2`, and rows of a system for statements joined by *and*.
//! - `x=3` for the value 3, and `x\in M` for the set M: the name in front may be left out on one side, if it is only
//!   a name. `2x+z=1` is not the value 1. With several names it is undecided which value is whose: `x=1, y=2` beside
//!   `1, 2`.

mod by_cases;
mod circle;
mod compare;
mod coordinate;
mod critical;
mod difference;
mod domains;
mod elements;
mod enclosed;
mod line;
mod linear;
mod link;
mod matrices;
mod mixed;
mod monotone;
mod named;
mod pieces;
mod progressions;
mod quotient;
mod read;
mod roots;
mod sets;
mod single_points;
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

pub(crate) use compare::{compare, holds_alike};
pub use difference::{Difference, Side};
pub(crate) use read::read;

/// What is known about two scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// They are the same.
    Same,
    /// They differ.
    Different,
    /// It could not be decided.
    Unknown,
}

impl Verdict {
    /// Both must be the same: different wins over unknown.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Different, _) | (_, Self::Different) => Self::Different,
            (Self::Same, Self::Same) => Self::Same,
            _ => Self::Unknown,
        }
    }
}

/// Decides scalars.
pub(crate) trait Oracle {
    /// Returns whether two expressions of the arena are the same.
    fn same(&mut self, arena: &mut Arena, a: Id, b: Id) -> Verdict;

    /// Returns whether a variable is said to lie somewhere, so that not every number counts.
    fn is_bounded(&self, _arena: &Arena, _variable: Symbol) -> bool {
        false
    }

    /// Returns whether a variable may have this value.
    fn admits(&self, _arena: &Arena, _variable: Symbol, _value: &Rational) -> bool {
        true
    }

    /// Returns the domain of a variable.
    fn domain(&self, _arena: &Arena, _variable: Symbol) -> Domain {
        Domain::default()
    }

    /// Returns whether what it calls the same is the same exactly.
    fn is_exact(&self) -> bool {
        true
    }

    /// Is told that values agreed to so many bits at so many points, without a proof.
    fn note_agreement(&mut self, _points: u32, _bits: u32) {}

    /// Is told that both relations hold everywhere, or nowhere, and are not written the same.
    fn note_says_nothing(&mut self) {}

    /// Returns whether one is 0 exactly, for an oracle that is content with less elsewhere.
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
    /// Something that holds or not.
    Statement(Statement),
    /// A set of its elements.
    Set(Vec<Value>),
    /// Several values in any order, joined by *and* or *or* or by `\pm`.
    Several(Vec<Value>),
    /// The values of a name for which a condition holds: `\{x\mid x>0\}`.
    Builder(Symbol, Statement),
    /// The points for whose coordinates, under these names, a condition holds: `\{(x,y)\mid x+y=1\}`.
    PointsWith(Vec<Symbol>, Statement),
    /// A value that differs from piece to piece, with the condition of each; at most one holds.
    Pieces(Vec<(Id, Statement)>),
    /// What can be read in several ways.
    Unclear(Vec<Statement>),
    /// Values with commas between them and no brackets.
    List(Vec<Value>),
    /// Values in brackets: a point, a list, or, with two entries, an interval.
    Sequence {
        /// The left bracket.
        open: Delimiter,
        /// The right bracket.
        close: Delimiter,
        /// What is between.
        items: Vec<Value>,
    },
    /// A set of numbers with a letter of its own; the reals are an interval.
    Numbers(NumberSet),
    /// A union, intersection or difference of sets.
    Combined(Combination, Vec<Value>),
    /// A union or intersection over an index that is not written out.
    Gathered {
        /// Union or intersection.
        combination: Combination,
        /// What is known of the index: nothing, a statement, or its first and last value.
        range: Vec<Value>,
        /// The set for each.
        body: Box<Value>,
    },
    /// Three parts or more with colons between them: `3:2:1`.
    Ratio(Vec<Id>),
    /// A rectangle of values, row by row.
    Matrix {
        /// How many columns.
        columns: usize,
        /// The entries.
        entries: Vec<Value>,
    },
}

/// How sets are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combination {
    /// In one of them.
    Union,
    /// In all of them.
    Intersection,
    /// In the first and not in the second.
    Difference,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// `left - right` compared with 0; both sides are kept for infinite ones.
    Compare {
        /// The left side.
        left: Id,
        /// How the sides compare; never `>` or `>=`, which are turned round.
        relation: Relation,
        /// The right side.
        right: Id,
        /// Whether the left side only names what the right side says.
        named: bool,
    },
    /// What belongs to a set, or is a point: left, relation, right.
    Belongs {
        /// The element or name.
        left: Box<Value>,
        /// `=`, `\in`, `\subset` and their kin.
        relation: Relation,
        /// The set or point.
        right: Box<Value>,
    },
    /// A name that stands for a truth value.
    Atom(Id),
    /// Truth or falsehood.
    Constant(bool),
    /// All hold.
    And(Vec<Statement>),
    /// One holds at least.
    Or(Vec<Statement>),
    /// It does not hold.
    Not(Box<Statement>),
}

/// Bits to which values agree that are taken for the same without a proof.
pub(crate) const AGREED_BITS: u32 = 160;

/// A point at which exactly one of two relations holds.
pub(crate) struct Counterexample {
    /// The unknowns there.
    pub(crate) point: Vec<(Symbol, coordinate::Coordinate)>,
    /// Whether it is the first that holds.
    pub(crate) first: bool,
}

/// An oracle that is asked a bounded number of times.
pub(crate) struct Asking<'o> {
    oracle: &'o mut dyn Oracle,
    left: u32,
    precise: Precise,
    precise_fuel: u64,
    work: Fuel,
    /// What told the last pair of relations apart.
    counterexample: Option<Counterexample>,
}

impl<'o> Asking<'o> {
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

    /// Charges work; `false` if there is none left.
    fn spend(&mut self, units: u64) -> bool {
        self.work.spend(units)
    }

    /// Charges so many replacements of a name in expressions.
    fn spend_on_parts(&mut self, arena: &Arena, expressions: &[Id], times: usize) -> bool {
        let (mut seen, mut order) = (Vec::new(), Vec::new());
        arena.reachable(expressions, &mut seen, &mut order);
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

    fn domain(&self, arena: &Arena, variable: Symbol) -> Domain {
        self.oracle.domain(arena, variable)
    }

    fn is_exact(&self) -> bool {
        self.oracle.is_exact()
    }

    fn note_agreement(&mut self, points: u32, bits: u32) {
        self.oracle.note_agreement(points, bits);
    }

    fn note_says_nothing(&mut self) {
        self.oracle.note_says_nothing();
    }

    fn vanishes(&mut self, arena: &mut Arena, id: Id) -> Verdict {
        self.same(arena, id, Arena::ZERO)
    }

    /// Returns whether the domains have a point; what is not a plain number counts as a value of every variable without a domain.
    fn admits(&self, arena: &Arena, point: &[(Symbol, Id)]) -> bool {
        point.iter().all(|(variable, value)| match arena.as_number(*value) {
            Some(number) => self.oracle.admits(arena, *variable, number),
            None => !self.oracle.is_bounded(arena, *variable),
        })
    }

    /// Returns the sign of a constant, as far as it can be decided.
    fn sign(&mut self, arena: &mut Arena, id: Id) -> Option<std::cmp::Ordering> {
        match self.value(arena, id) {
            coordinate::Value::Sign(sign) => Some(sign),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
