//! Relations in which the unknown occurs only inside sines, cosines and tangents of one argument and its
//! multiples.
//!
//! With `t = tan(u/2)`, the sine of `u` is `2t/(1+t^2)` and the cosine `(1-t^2)/(1+t^2)`. So a relation in
//! `u` becomes a relation in `t`, except at one point, where `u` is π. The relation repeats after one turn of
//! the circle.

use super::coordinate::{Coordinate, settled, simplest_within};
use super::line::visit_line;
use super::line::{Extent, Found};
use super::single_points::truth_at;
use super::{BoundedOracle, Statement};
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol};
use crate::limits::ANGLE_MULTIPLE;
use crate::number::Rational;
use crate::points::Domain;

/// One turn of the circle, cut into pieces for two relations.
pub(super) struct Turn {
    /// The angle is this number times the unknown.
    pub(super) unit: Rational,
    /// Values of the unknown in one period.
    pub(super) pieces: Vec<Piece>,
    /// The unknown, and the parameter `t`.
    names: [Symbol; 2],
}

/// A value of the unknown in one period.
pub(super) struct Piece {
    /// The tangent of half the angle; `None` for the angle π.
    tangent: Option<Coordinate>,
    /// `true` for a cut, `false` for a value that stands for an arc.
    pub(super) is_cut: bool,
    /// The truth of both relations there.
    pub(super) truths: [Option<bool>; 2],
}

impl Turn {
    /// Returns a formula for the unknown at a piece, at which the statements are certainly true or false as they are
    /// there. Where the tangent has no formula, a rational multiple of π is tried.
    pub(super) fn angle(
        &self,
        arena: &mut Arena,
        piece: &Piece,
        statements: [&Statement; 2],
        oracle: &mut BoundedOracle<'_>,
    ) -> Option<Id> {
        let Some(tangent) = &piece.tangent else { return opposite(arena, &self.unit) };
        let scale = Rational::from(2).checked_div(&self.unit)?;
        if let Some(tangent) = tangent.expression(arena) {
            return Some(if tangent == Arena::ZERO {
                Arena::ZERO
            } else {
                let half = arena.apply(Function::Atan, &[tangent]);
                let factor = arena.number(scale);
                arena.mul(factor, half)
            });
        }
        let [unknown, parameter] = self.names;
        let name = arena.variable_of(parameter);
        let half = arena.apply(Function::Atan, &[name]);
        let pi = arena.constant(Constant::Pi);
        let factor = arena.number(scale);
        let turns = arena.div(half, pi);
        let turns = arena.mul(factor, turns);
        let ratio = simplest_within(&oracle.ball_at(arena, turns, parameter, &mut tangent.clone())?)?;
        let ratio = arena.number(ratio);
        let angle = arena.mul(ratio, pi);
        let holds = statements.map(|statement| truth_at(arena, statement, &[(unknown, angle)], oracle));
        (holds == piece.truths && holds.iter().all(Option::is_some)).then_some(angle)
    }
}

/// Returns the value of the unknown at which the angle is π.
fn opposite(arena: &mut Arena, unit: &Rational) -> Option<Id> {
    let pi = arena.constant(Constant::Pi);
    let factor = arena.number(unit.reciprocal()?);
    Some(arena.mul(factor, pi))
}

/// Compares two statements over one turn; `None` if that is not possible, for example because the unknown
/// also occurs elsewhere.
pub(super) fn compare_on_circle(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    if oracle.is_bounded(arena, unknown) {
        return None;
    }
    let turn = turn(arena, statements, unknown, oracle)?;
    let (mut some, mut all, mut unclear) = (false, true, false);
    for piece in &turn.pieces {
        match piece.truths {
            [Some(a), Some(b)] if a != b => match turn.angle(arena, piece, statements, oracle) {
                Some(at) => return Some(Found::Different(settled(arena, at, oracle)?, a)),
                None => unclear = true,
            },
            [Some(a), Some(_)] => {
                some |= a;
                all &= a;
            }
            _ => unclear = true,
        }
    }
    Some(match (unclear, some, all) {
        (true, ..) => Found::Unknown,
        (_, false, _) => Found::Same(Extent::Nowhere),
        (_, _, true) => Found::Same(Extent::Everywhere),
        _ => Found::Same(Extent::Somewhere),
    })
}

/// Cuts one turn for two statements.
pub(super) fn turn(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Turn> {
    let mut unit: Option<Rational> = None;
    for statement in statements {
        find_unit(arena, statement, unknown, &mut unit)?;
    }
    let unit = unit?;
    let parameter = arena.symbol("tan of half the angle");
    let mut images = Vec::with_capacity(2);
    for statement in statements {
        images.push(image_of(arena, statement, unknown, parameter, &unit, oracle)?);
    }
    let mut pieces = Vec::new();
    let line = Domain::default();
    visit_line(arena, [&images[0], &images[1]], parameter, &line, oracle, &mut |at, is_cut, truths| {
        pieces.push(Piece { tangent: Some(at), is_cut, truths });
        true
    })?;
    // The angle π has no parameter `t`.
    let opposite = opposite(arena, &unit)?;
    let truths = statements.map(|statement| truth_at(arena, statement, &[(unknown, opposite)], oracle));
    pieces.push(Piece { tangent: None, is_cut: true, truths });
    Some(Turn { unit, pieces, names: [unknown, parameter] })
}

fn find_unit(
    arena: &Arena,
    statement: &Statement,
    unknown: Symbol,
    unit: &mut Option<Rational>,
) -> Option<()> {
    match statement {
        Statement::Constant(_) => Some(()),
        Statement::And(parts) | Statement::Or(parts) => {
            parts.iter().try_for_each(|part| find_unit(arena, part, unknown, unit))
        }
        Statement::Not(inner) => find_unit(arena, inner, unknown, unit),
        Statement::Compare { left, right, .. } => {
            let order = arena.reachable(&[*left, *right]);
            for id in order {
                let Node::Apply(Function::Sin | Function::Cos | Function::Tan, &[argument]) = arena.node(id)
                else {
                    continue;
                };
                if arena.is_constant(argument) {
                    continue;
                }
                let (factor, _) = linear(arena, argument, unknown)?;
                *unit = Some(match unit.take() {
                    None => factor.absolute(),
                    Some(known) => super::critical::common_unit(&known, &factor)?,
                });
            }
            Some(())
        }
        Statement::Belongs { .. } | Statement::Atom(_) => None,
    }
}

/// Splits `factor x + rest` into the factor and the terms of the rest.
fn linear(arena: &Arena, id: Id, unknown: Symbol) -> Option<(Rational, Vec<Id>)> {
    let factor_of = |term: Id| match arena.node(term) {
        Node::Symbol(symbol) if symbol == unknown => Some(Rational::ONE),
        Node::Product(&([number, symbol] | [symbol, number])) if matches!(arena.node(symbol), Node::Symbol(known) if known == unknown) => {
            arena.as_number(number).cloned()
        }
        _ => None,
    };
    let terms: Vec<Id> = match arena.node(id) {
        Node::Sum(terms) => terms.to_vec(),
        _ => vec![id],
    };
    let mut factor = Rational::ZERO;
    let mut rest = Vec::new();
    for term in terms {
        match factor_of(term) {
            Some(more) => factor = factor.checked_add(&more)?,
            None if arena.is_constant(term) => rest.push(term),
            None => return None,
        }
    }
    (!factor.is_zero()).then_some((factor, rest))
}

fn image_of(
    arena: &mut Arena,
    statement: &Statement,
    unknown: Symbol,
    parameter: Symbol,
    unit: &Rational,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    let mut parts_of = |parts: &[Statement]| {
        parts
            .iter()
            .map(|part| image_of(arena, part, unknown, parameter, unit, oracle))
            .collect::<Option<Vec<_>>>()
    };
    Some(match statement {
        Statement::Constant(truth) => Statement::Constant(*truth),
        Statement::And(parts) => Statement::And(parts_of(parts)?),
        Statement::Or(parts) => Statement::Or(parts_of(parts)?),
        Statement::Not(inner) => Statement::Not(Box::new(parts_of(core::slice::from_ref(inner))?.pop()?)),
        Statement::Compare { left, relation, right, .. } => Statement::Compare {
            left: image(arena, *left, unknown, parameter, unit, oracle)?,
            relation: *relation,
            right: image(arena, *right, unknown, parameter, unit, oracle)?,
            named: false,
        },
        Statement::Belongs { .. } | Statement::Atom(_) => return None,
    })
}

/// Returns the expression with sines, cosines and tangents as functions of the parameter.
fn image(
    arena: &mut Arena,
    id: Id,
    unknown: Symbol,
    parameter: Symbol,
    unit: &Rational,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Id> {
    let order = arena.reachable(&[id]);
    let mut images: Vec<Option<Id>> = Vec::with_capacity(order.len());
    for part in &order {
        if arena.is_constant(*part) {
            images.push(Some(*part));
            continue;
        }
        let next = match arena.node(*part) {
            Node::Apply(function @ (Function::Sin | Function::Cos | Function::Tan), &[argument]) => {
                let (factor, rest) = linear(arena, argument, unknown)?;
                let multiple = factor.checked_div(unit)?.to_i64()?;
                let shift = arena.sum(&rest);
                let (sine, cosine, below) = circular(arena, parameter, multiple, shift, oracle)?;
                Some(match function {
                    Function::Sin => arena.div(sine, below),
                    Function::Cos => arena.div(cosine, below),
                    _ => arena.div(sine, cosine),
                })
            }
            // The unknown may occur only inside circular functions.
            Node::Symbol(_) => None,
            Node::Sum(_) | Node::Product(_) | Node::Power(..) | Node::Apply(..) => {
                let parts: Option<Vec<Id>> = arena
                    .parts(*part)
                    .iter()
                    .map(|part| {
                        order.binary_search(part).ok().and_then(|at| images.get(at).copied()).flatten()
                    })
                    .collect();
                match (parts, arena.node(*part)) {
                    (Some(parts), Node::Sum(_)) => Some(arena.sum(&parts)),
                    (Some(parts), Node::Product(_)) => Some(arena.product(&parts)),
                    (Some(parts), Node::Power(..)) => Some(arena.power(*parts.first()?, *parts.get(1)?)),
                    (Some(parts), Node::Apply(function, _)) => Some(arena.apply(function, &parts)),
                    _ => None,
                }
            }
            _ => None,
        };
        images.push(next);
    }
    images.pop().flatten()
}

/// Returns the sine and the cosine of `multiple u + shift`, both multiplied by the third value, which is
/// positive.
fn circular(
    arena: &mut Arena,
    parameter: Symbol,
    multiple: i64,
    shift: Id,
    oracle: &mut BoundedOracle<'_>,
) -> Option<(Id, Id, Id)> {
    if multiple.unsigned_abs() > ANGLE_MULTIPLE {
        return None;
    }
    let t = arena.variable_of(parameter);
    let square = arena.mul(t, t);
    let below = arena.add(Arena::ONE, square);
    let twice = arena.mul(Arena::TWO, t);
    let rest = arena.sub(Arena::ONE, square);
    // (cos u + i sin u)^n with u = 2 arctan t is (1 + it)^2n / (1 + t^2)^n
    let (mut sine, mut cosine) = (Arena::ZERO, Arena::ONE);
    for _ in 0..multiple.unsigned_abs() {
        let (a, b) = (arena.mul(sine, rest), arena.mul(cosine, twice));
        let (c, d) = (arena.mul(cosine, rest), arena.mul(sine, twice));
        (sine, cosine) = (arena.add(a, b), arena.sub(c, d));
    }
    let power = arena.integer(if multiple < 0 { -multiple } else { multiple });
    let below = arena.power(below, power);
    if multiple < 0 {
        sine = arena.neg(sine);
    }
    if shift == Arena::ZERO {
        return Some((sine, cosine, below));
    }
    let constant = |arena: &mut Arena, function, oracle: &mut BoundedOracle<'_>| {
        let id = arena.apply(function, &[shift]);
        settled(arena, id, oracle)?.expression(arena)
    };
    let (s, c) = (constant(arena, Function::Sin, oracle)?, constant(arena, Function::Cos, oracle)?);
    let (a, b) = (arena.mul(sine, c), arena.mul(cosine, s));
    let (d, e) = (arena.mul(cosine, c), arena.mul(sine, s));
    Some((arena.add(a, b), arena.sub(d, e), below))
}
