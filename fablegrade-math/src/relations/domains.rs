//! The domains of statements: the arguments of their partial functions, and the conditions on these.
//!
//! A comparison holds only where both sides have values. So `e^{\ln x}=-1` is not `x=-1`, although
//! `e^{\ln x}` is `x` wherever it has a value.

use super::solve::constant_truth;
use super::statement::{self, rename};
use super::{BoundedOracle, Statement, Verdict};
use crate::decide::range_of;
use crate::expr::{Arena, Function, Id, Node, Symbol};
use crate::functions::RealDomain;
use crate::number::Rational;
use crate::points::Variable;
use crate::syntax::Relation;
use std::cmp::Ordering;

/// The condition on the argument of a partial function.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Needs {
    NotZero,
    NotNegative,
    Positive,
    /// The argument must be in the domain of this function.
    Of(Function),
    /// This part of an expression must have a value.
    Itself,
}

impl Needs {
    /// Returns whether this condition implies another.
    fn implies(self, other: Self) -> bool {
        self == other || self == Self::Positive && matches!(other, Self::NotZero | Self::NotNegative)
    }
}

/// Returns whether the partial functions of two statements show that both have real values at the same
/// points.
pub(super) fn have_one_domain(
    arena: &mut Arena,
    [a, b]: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let (first, second) = (needs(arena, &sides_of(a), oracle), needs(arena, &sides_of(b), oracle));
    [(&first, &second), (&second, &first)]
        .into_iter()
        .all(|(these, those)| are_among(arena, these, those, oracle))
}

/// Returns whether the partial functions of two statements show that both have complex values at the same
/// points. Over the complex numbers, roots and logarithms of negative numbers have values.
pub(super) fn have_one_complex_domain(
    arena: &mut Arena,
    sides: [&Statement; 2],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let [first, second] = sides.map(|side| {
        let mut found = conditions(arena, &sides_of(side));
        found.retain(|(needs, argument)| {
            *needs != Needs::NotNegative && (!arena.is_constant(*argument) || *argument == Arena::ZERO)
        });
        for (needs, _) in &mut found {
            if *needs == Needs::Positive {
                *needs = Needs::NotZero;
            }
        }
        found
    });
    are_among(arena, &first, &second, oracle) && are_among(arena, &second, &first, oracle)
}

/// Returns whether an expression has a real value wherever statements have values.
pub(super) fn has_value_with(
    arena: &mut Arena,
    expression: Id,
    statements: &[Statement],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    let sides: Vec<Id> = statements.iter().flat_map(sides_of).collect();
    let (these, those) = (needs(arena, &[expression], oracle), needs(arena, &sides, oracle));
    are_among(arena, &these, &those, oracle)
}

/// Returns the statement that a comparison has a side that depends on an element and has no real value there, as
/// alternatives; `None` if such a condition is not a comparison.
pub(super) fn undefined(
    arena: &mut Arena,
    element: Id,
    comparison: &Statement,
    oracle: &BoundedOracle<'_>,
) -> Option<Vec<Statement>> {
    let mut cases = Vec::new();
    let names: Vec<Symbol> = arena.free(element).iter().collect();
    for (needs, argument) in needs(arena, &sides_of(comparison), oracle) {
        let free = arena.free(argument);
        if !free.is_empty() && !names.iter().any(|name| free.contains(*name)) {
            continue;
        }
        let minus_one = arena.neg(Arena::ONE);
        match needs {
            Needs::NotZero => cases.push(statement::compare_to(argument, Relation::Equal, Arena::ZERO)),
            Needs::NotNegative => cases.push(statement::compare_to(argument, Relation::Less, Arena::ZERO)),
            Needs::Positive => cases.push(statement::compare_to(argument, Relation::LessEqual, Arena::ZERO)),
            Needs::Of(Function::Asin | Function::Acos) => {
                cases.push(statement::compare_to(argument, Relation::Less, minus_one));
                cases.push(statement::compare_to(Arena::ONE, Relation::Less, argument));
            }
            Needs::Of(Function::Acosh) => {
                cases.push(statement::compare_to(argument, Relation::Less, Arena::ONE));
            }
            Needs::Of(_) | Needs::Itself => return None,
        }
    }
    Some(cases)
}

/// Returns the arguments that must be nonzero, positive or not negative for statements to have values,
/// without repetitions.
pub(super) fn borders(arena: &Arena, statements: [&Statement; 2], oracle: &BoundedOracle<'_>) -> Vec<Id> {
    let sides: Vec<Id> = statements.into_iter().flat_map(sides_of).collect();
    let mut found = Vec::new();
    for (needs, argument) in needs(arena, &sides, oracle) {
        let ends_at_zero = matches!(needs, Needs::NotZero | Needs::NotNegative | Needs::Positive);
        if ends_at_zero && !arena.is_constant(argument) && !found.contains(&argument) {
            found.push(argument);
        }
    }
    found
}

/// Returns whether all parts of a statement that contain unknowns certainly have real values everywhere.
pub(super) fn is_total(arena: &Arena, statement: &Statement, oracle: &BoundedOracle<'_>) -> bool {
    needs(arena, &sides_of(statement), oracle).is_empty()
}

/// Returns whether an expression certainly has no real value where all conditions hold, except at single
/// points.
pub(super) fn has_no_value_where(
    arena: &mut Arena,
    expression: Id,
    conditions: Vec<Statement>,
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    needs(arena, &[expression], oracle).into_iter().any(|(needs, argument)| {
        if !matches!(needs, Needs::NotNegative | Needs::Positive) {
            return false;
        }
        let is_positive =
            Statement::Compare { left: Arena::ZERO, relation: Relation::Less, right: argument, named: false };
        let mut all = conditions.clone();
        all.push(is_positive);
        let all = statement::normal(arena, Statement::And(all), false, oracle);
        constant_truth(arena, &all, oracle) == Some(false)
    })
}

/// Returns whether a part of a statement certainly has no real value anywhere, by the range of its argument.
pub(super) fn is_never_real(arena: &Arena, statement: &Statement, oracle: &BoundedOracle<'_>) -> bool {
    conditions(arena, &sides_of(statement))
        .into_iter()
        .any(|(needs, argument)| never_holds(arena, needs, argument, oracle))
}

/// Returns a statement with a value for one of its unknowns. If a partial function has no real value there,
/// its comparison holds nowhere: `y<\ln x` at `x=-1`. `None` if that cannot be decided.
pub(super) fn with_value(
    arena: &mut Arena,
    statement: &Statement,
    name: Symbol,
    value: Id,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Statement> {
    match statement {
        Statement::And(parts) => Some(Statement::And(with_values(arena, parts, name, value, oracle)?)),
        Statement::Or(parts) => Some(Statement::Or(with_values(arena, parts, name, value, oracle)?)),
        Statement::Not(inner) => {
            Some(Statement::Not(Box::new(with_value(arena, inner, name, value, oracle)?)))
        }
        Statement::Compare { .. } => {
            for (needs, argument) in needs(arena, &sides_of(statement), oracle) {
                if needs != Needs::Itself {
                    let at = arena.substitute(argument, name, value);
                    if arena.is_constant(at) && !is_met(arena, needs, at, oracle)? {
                        return Some(Statement::Constant(false));
                    }
                }
            }
            let mut fixed = statement.clone();
            rename(arena, &mut fixed, name, value);
            Some(fixed)
        }
        other => {
            let mut fixed = other.clone();
            rename(arena, &mut fixed, name, value);
            Some(fixed)
        }
    }
}

fn with_values(
    arena: &mut Arena,
    parts: &[Statement],
    name: Symbol,
    value: Id,
    oracle: &mut BoundedOracle<'_>,
) -> Option<Vec<Statement>> {
    parts.iter().map(|part| with_value(arena, part, name, value, oracle)).collect()
}

/// Returns whether a constant satisfies the condition of a partial function; `None` if that cannot be
/// decided.
fn is_met(arena: &mut Arena, needs: Needs, constant: Id, oracle: &mut BoundedOracle<'_>) -> Option<bool> {
    let sign = match needs {
        Needs::NotZero | Needs::NotNegative | Needs::Positive => oracle.sign(arena, constant)?,
        Needs::Of(Function::Asin | Function::Acos | Function::Atanh) => {
            let square = arena.mul(constant, constant);
            let room = arena.sub(Arena::ONE, square);
            oracle.sign(arena, room)?
        }
        Needs::Of(Function::Acosh) => {
            let above = arena.sub(constant, Arena::ONE);
            oracle.sign(arena, above)?
        }
        // Other conditions are not checked here.
        Needs::Of(_) | Needs::Itself => return Some(true),
    };
    Some(match needs {
        Needs::NotZero => sign != Ordering::Equal,
        Needs::Positive | Needs::Of(Function::Atanh) => sign == Ordering::Greater,
        _ => sign != Ordering::Less,
    })
}

/// Returns whether each condition is among others, or follows from one of them.
fn are_among(
    arena: &mut Arena,
    these: &[(Needs, Id)],
    those: &[(Needs, Id)],
    oracle: &mut BoundedOracle<'_>,
) -> bool {
    these.iter().all(|&(needs, argument)| {
        those.iter().any(|&(other, by)| other.implies(needs) && argument == by)
            || those
                .iter()
                .any(|&(other, by)| other.implies(needs) && is_as(arena, needs, [argument, by], oracle))
    })
}

/// Returns whether two arguments are the same; for a division, up to the sign.
fn is_as(arena: &mut Arena, needs: Needs, [a, b]: [Id; 2], oracle: &mut BoundedOracle<'_>) -> bool {
    let minus = arena.neg(b);
    oracle.same(arena, a, b) == Verdict::Same
        || needs == Needs::NotZero && oracle.same(arena, a, minus) == Verdict::Same
}

/// Returns the conditions of the partial functions in expressions, without those that always hold. Those on
/// constants are included only if they do not hold.
fn needs(arena: &Arena, expressions: &[Id], oracle: &BoundedOracle<'_>) -> Vec<(Needs, Id)> {
    let mut found = conditions(arena, expressions);
    found.retain(|(needs, argument)| {
        if arena.is_constant(*argument) {
            never_holds(arena, *needs, *argument, oracle)
        } else {
            !always_holds(arena, *needs, *argument, oracle)
        }
    });
    found
}

/// Returns the conditions of the partial functions in expressions.
fn conditions(arena: &Arena, expressions: &[Id]) -> Vec<(Needs, Id)> {
    let order = arena.reachable(expressions);
    let mut found: Vec<(Needs, Id)> = Vec::new();
    for id in order {
        match arena.node(id) {
            Node::Power(base, exponent) => match arena.as_number(exponent) {
                Some(number) => of_power(arena, base, number, &mut found),
                None if !arena.is_constant(base) => found.push((Needs::Positive, base)),
                None => {}
            },
            Node::Apply(Function::Ln, &[argument]) => found.push((Needs::Positive, argument)),
            Node::Apply(Function::Mod, &[_, modulus]) => found.push((Needs::NotZero, modulus)),
            Node::Apply(function, arguments) if function.domain() != RealDomain::Whole => {
                found.extend(arguments.iter().map(|argument| (Needs::Of(function), *argument)));
            }
            Node::Series(..) | Node::Limit(..) | Node::Derivative(..) | Node::Integral(..) => {
                found.push((Needs::Itself, id));
            }
            _ => {}
        }
    }
    found
}

fn of_power(arena: &Arena, base: Id, exponent: &Rational, found: &mut Vec<(Needs, Id)>) {
    match (exponent.has_even_denominator(), exponent.is_negative()) {
        (true, true) => found.push((Needs::Positive, base)),
        (true, false) => found.push((Needs::NotNegative, base)),
        (false, true) => match arena.node(base) {
            Node::Product(factors) => found.extend(factors.iter().map(|factor| (Needs::NotZero, *factor))),
            _ => found.push((Needs::NotZero, base)),
        },
        (false, false) => {}
    }
}

fn always_holds(arena: &Arena, needs: Needs, argument: Id, oracle: &BoundedOracle<'_>) -> bool {
    let (low, high) = range(arena, argument, oracle);
    match needs {
        Needs::NotZero => low > 0.0 || high < 0.0,
        Needs::NotNegative => low >= 0.0,
        Needs::Positive => low > 0.0,
        Needs::Of(Function::Asin | Function::Acos) => low >= -1.0 && high <= 1.0,
        Needs::Of(Function::Acosh) => low >= 1.0,
        Needs::Of(_) | Needs::Itself => false,
    }
}

fn never_holds(arena: &Arena, needs: Needs, argument: Id, oracle: &BoundedOracle<'_>) -> bool {
    let (low, high) = range(arena, argument, oracle);
    match needs {
        Needs::NotNegative => high < 0.0,
        Needs::Positive => high <= 0.0,
        Needs::Of(Function::Asin | Function::Acos) => high < -1.0 || low > 1.0,
        Needs::Of(Function::Acosh) => high < 1.0,
        Needs::NotZero | Needs::Of(_) | Needs::Itself => false,
    }
}

/// Returns the bounds of an argument over the declared domains.
fn range(arena: &Arena, argument: Id, oracle: &BoundedOracle<'_>) -> (f64, f64) {
    let variables: Vec<Variable> = arena
        .free(argument)
        .iter()
        .map(|symbol| Variable { symbol, domain: oracle.domain(arena, symbol) })
        .collect();
    range_of(arena, argument, &variables)
}

/// Returns the sides of all comparisons in a statement, in pairs.
fn sides_of(statement: &Statement) -> Vec<Id> {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => parts.iter().flat_map(sides_of).collect(),
        Statement::Not(inner) => sides_of(inner),
        Statement::Compare { left, right, .. } => vec![*left, *right],
        _ => Vec::new(),
    }
}
