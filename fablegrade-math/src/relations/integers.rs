//! Relations about integers: `1\le x\le3,x\in\mathbb{Z}`, and congruences, which repeat after a common period.

use super::coordinate::Coordinate;
use super::line::{Extent, Found, compare_within, visit_line};
use super::listed_numbers::is_polynomial;
use super::single_points::{is_of_integers, truth_at};
use super::statement::{compare_to, symbols};
use super::{BoundedOracle, Counterexample, Statement, Value, Verdict};
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::limits::NODE;
use crate::number::Rational;
use crate::points::Domain;
use crate::syntax::{NumberSet, Relation};

/// The longest common period of congruences.
const LONGEST: i64 = 2520;

/// Compares two normalised statements about one unknown that at least one of them restricts to the integers, or two
/// combinations of congruences. `None` for other statements, or if that does not decide.
pub(super) fn over_integers(
    arena: &mut Arena,
    statements: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let mut names = Vec::new();
    for statement in statements {
        symbols(arena, statement, &mut names);
    }
    let [unknown] = *names.as_slice() else { return None };
    if oracle.is_bounded(arena, unknown) {
        return None;
    }
    if let Some(period) = common_period(arena, statements, unknown) {
        return periodic(arena, statements, unknown, period, oracle);
    }
    let restricted = statements.map(|statement| without_integers(arena, statement, unknown));
    let found = match restricted {
        [Some(first), Some(second)] => on_integers(arena, [&first, &second], unknown, oracle),
        [Some(first), None] => beside_reals(arena, [&first, statements[1]], unknown, true, oracle),
        [None, Some(second)] => beside_reals(arena, [statements[0], &second], unknown, false, oracle),
        [None, None] => None,
    };
    match found? {
        Found::Same(_) => Some(Verdict::Same),
        Found::Different(at, first) => {
            oracle.counterexample = Some(Counterexample { point: vec![(unknown, at)], first });
            Some(Verdict::Different)
        }
        Found::Unknown => None,
    }
}

/// Returns a statement without the condition that the unknown is an integer; `None` if it has no such condition.
fn without_integers(arena: &mut Arena, statement: &Statement, unknown: Symbol) -> Option<Statement> {
    let parts = match statement {
        Statement::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let name = arena.variable_of(unknown);
    let (mut rest, mut is_restricted) = (Vec::new(), false);
    for part in parts {
        match part {
            Statement::Belongs { left, relation: Relation::In, right } if **left == Value::Scalar(name) => {
                let Value::Numbers(set) = **right else { return None };
                is_restricted = true;
                match set {
                    NumberSet::Integers => {}
                    NumberSet::NaturalsAndZero => {
                        rest.push(compare_to(Arena::ZERO, Relation::LessEqual, name));
                    }
                    NumberSet::PositiveIntegers => {
                        rest.push(compare_to(Arena::ONE, Relation::LessEqual, name));
                    }
                    // Conventions differ on whether 0 is a natural number.
                    NumberSet::Naturals | NumberSet::Rationals | NumberSet::Reals | NumberSet::Complexes => {
                        return None;
                    }
                }
            }
            other => rest.push(other.clone()),
        }
    }
    is_restricted.then_some(if rest.len() == 1 { rest.remove(0) } else { Statement::And(rest) })
}

fn on_integers(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    let domain = Domain { integer: true, ..Domain::default() };
    match compare_within(arena, statements, unknown, &domain, oracle) {
        // Two contradictions may have other reasons.
        Found::Same(Extent::Nowhere) | Found::Unknown => None,
        found => Some(found),
    }
}

/// Compares a statement about integers with one about real numbers; `is_first` is `true` if the first one is about
/// integers. They can only be the same if the other one holds at no other numbers.
fn beside_reals(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    is_first: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Found> {
    let other = statements[usize::from(is_first)];
    let mut held = Vec::new();
    visit_line(arena, [other, other], unknown, &Domain::default(), oracle, &mut |at, is_cut, [truth, _]| {
        if truth != Some(false) {
            held.push((at, is_cut, truth));
        }
        true
    })?;
    for (at, is_cut, truth) in held {
        truth?;
        let Coordinate::Rational(number) = at else { return None };
        let tries: &[(i64, i64)] =
            if is_cut { &[(0, 1)] } else { &[(0, 1), (1, 2), (-1, 2), (1, 7), (-1, 7)] };
        for (numerator, denominator) in tries {
            let near = number.checked_add(&Rational::new(*numerator, *denominator)?)?;
            let value = arena.number(near.clone());
            if !near.is_integer() && truth_at(arena, other, &[(unknown, value)], oracle) == Some(true) {
                return Some(Found::Different(Coordinate::Rational(near), !is_first));
            }
        }
        if !is_cut {
            return None;
        }
    }
    on_integers(arena, statements, unknown, oracle)
}

/// Returns a number after which the truth of congruences of integers repeats. `None` if other statements occur.
fn common_period(arena: &Arena, statements: [&Statement; 2], unknown: Symbol) -> Option<i64> {
    let (mut period, mut open) = (1, statements.to_vec());
    while let Some(statement) = open.pop() {
        match statement {
            Statement::Constant(_) => {}
            Statement::And(parts) | Statement::Or(parts) => open.extend(parts),
            Statement::Not(inner) => open.push(inner),
            Statement::Compare { left, relation: Relation::Equal | Relation::NotEqual, right, .. } => {
                let Node::Apply(Function::Mod, &[dividend, modulus]) = arena.node(*left) else { return None };
                let modulus = arena.as_integer(modulus).filter(|modulus| (1..=LONGEST).contains(modulus))?;
                if *right != Arena::ZERO
                    || !is_of_integers(arena, dividend)
                    || !is_polynomial(arena, dividend, unknown)
                {
                    return None;
                }
                period = common_multiple(period, modulus)?;
            }
            // The names in congruences are integers.
            Statement::Belongs { left, relation: Relation::In, right } => {
                let is_unknown =
                    matches!(**left, Value::Scalar(id) if arena.node(id) == Node::Symbol(unknown));
                if !is_unknown || **right != Value::Numbers(NumberSet::Integers) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    (period > 1).then_some(period)
}

fn common_multiple(a: i64, b: i64) -> Option<i64> {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).checked_mul(b).filter(|multiple| *multiple <= LONGEST)
}

fn periodic(
    arena: &mut Arena,
    statements: [&Statement; 2],
    unknown: Symbol,
    period: i64,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let holds = statements.map(|statement| remainders(arena, statement, unknown, period, oracle));
    let [Some(first), Some(second)] = holds else { return None };
    decide([&first, &second], unknown, oracle)
}

/// Compares the remainders at which two statements hold.
fn decide([first, second]: [&[bool]; 2], unknown: Symbol, oracle: &mut BoundedOracle<'_>) -> Option<Verdict> {
    let apart = first.iter().zip(second).position(|(first, second)| first != second);
    let Some(apart) = apart else {
        // Two contradictions may have other reasons.
        return first.contains(&true).then_some(Verdict::Same);
    };
    let at = Coordinate::Rational(Rational::from(i64::try_from(apart).ok()?));
    oracle.counterexample = Some(Counterexample { point: vec![(unknown, at)], first: first[apart] });
    Some(Verdict::Different)
}

/// Returns at which of the first integers a statement holds.
fn remainders(
    arena: &mut Arena,
    statement: &Statement,
    unknown: Symbol,
    period: i64,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<bool>> {
    let mark = arena.mark();
    let mut holds = Vec::new();
    for number in 0..period {
        if !oracle.spend(16 * NODE) {
            return None;
        }
        let at = arena.integer(number);
        let truth = truth_at(arena, statement, &[(unknown, at)], oracle);
        if arena.overflowed() {
            return None;
        }
        arena.truncate(&mark);
        holds.push(truth?);
    }
    Some(holds)
}

/// Compares progressions of integers, as first numbers and steps, with congruences.
pub(super) fn progressions_and_congruences(
    arena: &mut Arena,
    progressions: &[(Id, Id)],
    congruences: &Statement,
    unknown: Symbol,
    first: bool,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Verdict> {
    let mut period = common_period(arena, [congruences, congruences], unknown)?;
    let mut steps = Vec::with_capacity(progressions.len());
    for (base, step) in progressions {
        let step = arena.as_integer(*step)?.checked_abs().filter(|step| *step > 0)?;
        period = common_multiple(period, step)?;
        steps.push((arena.as_integer(*base)?, step));
    }
    let listed: Vec<bool> = (0..period)
        .map(|number| steps.iter().any(|(base, step)| (number - base % step) % step == 0))
        .collect();
    let holds = remainders(arena, congruences, unknown, period, oracle)?;
    let sides: [&[bool]; 2] = if first { [&listed, &holds] } else { [&holds, &listed] };
    decide(sides, unknown, oracle)
}
