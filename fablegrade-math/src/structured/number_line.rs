//! Sets of real numbers with constant ends: finitely many points cut the line, and each piece is in or out.

use super::statement::{infinite, solutions};
use super::{Asking, Combination, Statement, Value, Verdict};
use crate::expr::{Arena, Id, Symbol};
use crate::syntax::{Delimiter, Relation};
use std::cmp::Ordering;

/// Sets cut by more points than this are not worked out.
const MAX_POINTS: usize = 40;

/// A set of real numbers.
#[derive(Clone, Debug)]
pub(super) struct RealSet {
    /// Where the line is cut, ascending.
    points: Vec<Id>,
    /// Left of the first point, the first point, between, ...: one more than twice the points.
    pieces: Vec<bool>,
}

impl RealSet {
    fn all(inside: bool) -> Self {
        Self { points: Vec::new(), pieces: vec![inside] }
    }

    /// In or out below, at and above one point.
    fn at(point: Id, pieces: [bool; 3]) -> Self {
        Self { points: vec![point], pieces: pieces.to_vec() }
    }

    fn complement(mut self) -> Self {
        for piece in &mut self.pieces {
            *piece = !*piece;
        }
        self
    }

    /// Both sets cut at the points of both; `None` when two points cannot be ordered.
    fn together(
        &self,
        arena: &mut Arena,
        other: &Self,
        asking: &mut Asking<'_>,
        pick: impl Fn(bool, bool) -> bool,
    ) -> Option<Self> {
        let (mut i, mut j) = (0, 0);
        let mut points = Vec::with_capacity(self.points.len() + other.points.len());
        let mut pieces = vec![pick(self.pieces[0], other.pieces[0])];
        while i < self.points.len() || j < other.points.len() {
            let order = match (self.points.get(i), other.points.get(j)) {
                (Some(a), Some(b)) => {
                    let difference = arena.sub(*a, *b);
                    if a == b { Ordering::Equal } else { asking.sign(arena, difference)? }
                }
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            points.push(if order == Ordering::Greater { other.points[j] } else { self.points[i] });
            let mine = if order == Ordering::Greater { 2 * i } else { 2 * i + 1 };
            let theirs = if order == Ordering::Less { 2 * j } else { 2 * j + 1 };
            pieces.push(pick(self.pieces[mine], other.pieces[theirs]));
            if order != Ordering::Greater {
                i += 1;
            }
            if order != Ordering::Less {
                j += 1;
            }
            pieces.push(pick(self.pieces[2 * i], other.pieces[2 * j]));
        }
        (points.len() <= MAX_POINTS).then_some(Self { points, pieces })
    }

    /// Whether both hold the same numbers.
    pub(super) fn equals(&self, arena: &mut Arena, other: &Self, asking: &mut Asking<'_>) -> Option<bool> {
        let difference = self.together(arena, other, asking, |a, b| a != b)?;
        Some(!difference.pieces.contains(&true))
    }

    /// A rational number that only one of the two holds, and whether it is the first.
    pub(super) fn number_between(
        &self,
        arena: &mut Arena,
        other: &Self,
        asking: &mut Asking<'_>,
    ) -> Option<(Id, bool)> {
        let differs = self.together(arena, other, asking, |a, b| a != b)?;
        let mine = self.together(arena, other, asking, |a, _| a)?;
        let half = arena.fraction(1, 2);
        for (at, _) in differs.pieces.iter().enumerate().filter(|(_, differs)| **differs) {
            let right = differs.points.get(at / 2).copied();
            let left = (at / 2).checked_sub(1).and_then(|left| differs.points.get(left).copied());
            let number = match (left, right) {
                // points and the pieces before them take turns
                (_, Some(point)) if at % 2 == 1 => point,
                (Some(left), Some(right)) => {
                    let sum = arena.add(left, right);
                    arena.mul(half, sum)
                }
                (Some(left), None) => arena.add(left, Arena::ONE),
                (None, Some(right)) => arena.sub(right, Arena::ONE),
                (None, None) => Arena::ZERO,
            };
            if arena.as_number(number).is_some() {
                return Some((number, *mine.pieces.get(at)?));
            }
        }
        None
    }

    // ---- from sets ----------------------------------------------------------------------------------------

    /// A listed set, an interval, what a condition says, or a combination of them, if all ends are constants.
    pub(super) fn of_value(arena: &mut Arena, value: &Value, asking: &mut Asking<'_>) -> Option<Self> {
        match value {
            Value::Builder(name, condition) => solutions(arena, *name, condition, asking),
            Value::Set(items) => {
                let mut set = Self::all(false);
                for item in items {
                    let Value::Scalar(id) = item else { return None };
                    if !arena.is_constant(*id) || infinite(arena, *id).is_some() {
                        return None;
                    }
                    // a complex number lies on no line
                    let zero = arena.sub(*id, Arena::ZERO);
                    asking.sign(arena, zero)?;
                    let point = Self::at(*id, [false, true, false]);
                    set = set.together(arena, &point, asking, |a, b| a || b)?;
                }
                Some(set)
            }
            Value::Sequence { open, close, items } => {
                let [Value::Scalar(from), Value::Scalar(to)] = items.as_slice() else { return None };
                let closed = |side: Delimiter| match side {
                    Delimiter::Bracket => Some(true),
                    Delimiter::Paren | Delimiter::Reversed => Some(false),
                    _ => None,
                };
                let (open, close) = (closed(*open)?, closed(*close)?);
                if !arena.is_constant(*from) || !arena.is_constant(*to) {
                    return None;
                }
                if let (None, None) = (infinite(arena, *from), infinite(arena, *to)) {
                    // (3,1) is a point that nobody means as an empty interval
                    let length = arena.sub(*to, *from);
                    match asking.sign(arena, length)? {
                        Ordering::Less => return None,
                        Ordering::Equal if !(open && close) => return None,
                        _ => {}
                    }
                }
                let above = match infinite(arena, *from) {
                    Some(Ordering::Less) if !open => Self::all(true),
                    Some(_) => return None,
                    None => Self::at(*from, [false, open, true]),
                };
                let below = match infinite(arena, *to) {
                    Some(Ordering::Greater) if !close => Self::all(true),
                    Some(_) => return None,
                    None => Self::at(*to, [true, close, false]),
                };
                above.together(arena, &below, asking, |a, b| a && b)
            }
            Value::Combined(kind, parts) => {
                let mut parts = parts.iter();
                let mut set = Self::of_value(arena, parts.next()?, asking)?;
                for part in parts {
                    let next = Self::of_value(arena, part, asking)?;
                    set = match kind {
                        Combination::Union => set.together(arena, &next, asking, |a, b| a || b)?,
                        Combination::Intersection => set.together(arena, &next, asking, |a, b| a && b)?,
                        Combination::Difference => set.together(arena, &next, asking, |a, b| a && !b)?,
                    };
                }
                Some(set)
            }
            _ => None,
        }
    }

    // ---- from statements ----------------------------------------------------------------------------------

    /// The numbers for which a statement about one variable holds, if it can be solved.
    pub(super) fn of_statement(
        arena: &mut Arena,
        statement: &Statement,
        variable: Symbol,
        asking: &mut Asking<'_>,
    ) -> Option<Self> {
        match statement {
            Statement::Constant(truth) => Some(Self::all(*truth)),
            Statement::And(parts) | Statement::Or(parts) => {
                let all = matches!(statement, Statement::And(_));
                let mut set = Self::all(all);
                for part in parts {
                    let next = Self::of_statement(arena, part, variable, asking)?;
                    set = set.together(arena, &next, asking, |a, b| if all { a && b } else { a || b })?;
                }
                Some(set)
            }
            Statement::Not(inner) => Some(Self::of_statement(arena, inner, variable, asking)?.complement()),
            Statement::Compare { left, relation, right, .. } => {
                // an infinite bound says nothing about a real number
                match (infinite(arena, *left), *relation, infinite(arena, *right)) {
                    (None, _, None) => {}
                    (Some(Ordering::Less), Relation::Less, None)
                    | (None, Relation::Less, Some(Ordering::Greater)) => {
                        return Some(Self::all(true));
                    }
                    _ => return None,
                }
                let difference = arena.sub(*left, *right);
                Self::solve(arena, difference, *relation, variable, asking)
            }
            _ => None,
        }
    }

    /// Where a polynomial of degree at most 2 is 0, negative, ...
    fn solve(
        arena: &mut Arena,
        difference: Id,
        relation: Relation,
        variable: Symbol,
        asking: &mut Asking<'_>,
    ) -> Option<Self> {
        let [a, b, c] = quadratic(arena, difference, variable, asking)?;
        let holds = |sign: Ordering| match relation {
            Relation::Equal => Some(sign == Ordering::Equal),
            Relation::NotEqual => Some(sign != Ordering::Equal),
            Relation::Less => Some(sign == Ordering::Less),
            Relation::LessEqual => Some(sign != Ordering::Greater),
            _ => None,
        };
        let (negative, zero, positive) =
            (holds(Ordering::Less)?, holds(Ordering::Equal)?, holds(Ordering::Greater)?);
        let by = |sign| match sign {
            Ordering::Less => negative,
            Ordering::Equal => zero,
            Ordering::Greater => positive,
        };
        let leading = asking.sign(arena, a)?;
        if leading == Ordering::Equal {
            let slope = asking.sign(arena, b)?;
            if slope == Ordering::Equal {
                return Some(Self::all(by(asking.sign(arena, c)?)));
            }
            let ratio = arena.div(c, b);
            let root = arena.neg(ratio);
            return Some(Self::at(root, [by(slope.reverse()), zero, by(slope)]));
        }
        let four = arena.integer(4);
        let (square, product) = (arena.mul(b, b), arena.product(&[four, a, c]));
        let discriminant = arena.sub(square, product);
        let (minus_b, twice) = (arena.neg(b), arena.mul(Arena::TWO, a));
        match asking.sign(arena, discriminant)? {
            Ordering::Less => Some(Self::all(by(leading))),
            Ordering::Equal => {
                let root = arena.div(minus_b, twice);
                Some(Self::at(root, [by(leading), zero, by(leading)]))
            }
            Ordering::Greater => {
                let width = arena.sqrt(discriminant);
                let (low, high) = if leading == Ordering::Greater {
                    (arena.sub(minus_b, width), arena.add(minus_b, width))
                } else {
                    (arena.add(minus_b, width), arena.sub(minus_b, width))
                };
                let points = vec![arena.div(low, twice), arena.div(high, twice)];
                Some(Self {
                    points,
                    pieces: vec![by(leading), zero, by(leading.reverse()), zero, by(leading)],
                })
            }
        }
    }
}

/// The coefficients of a polynomial of degree at most 2, checked against the whole.
fn quadratic(arena: &mut Arena, id: Id, variable: Symbol, asking: &mut Asking<'_>) -> Option<[Id; 3]> {
    let c = arena.substitute(id, variable, Arena::ZERO);
    let at_one = arena.substitute(id, variable, Arena::ONE);
    let at_minus_one = arena.substitute(id, variable, Arena::MINUS_ONE);
    let half = arena.fraction(1, 2);
    let sum = arena.add(at_one, at_minus_one);
    let mean = arena.mul(half, sum);
    let a = arena.sub(mean, c);
    let difference = arena.sub(at_one, at_minus_one);
    let b = arena.mul(half, difference);
    let x = arena.variable_of(variable);
    let (square, linear) = (arena.mul(x, x), arena.mul(b, x));
    let square = arena.mul(a, square);
    let whole = arena.sum(&[square, linear, c]);
    if arena.overflowed() {
        return None;
    }
    (asking.same(arena, id, whole) == Verdict::Same).then_some([a, b, c])
}
