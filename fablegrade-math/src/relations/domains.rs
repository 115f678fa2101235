//! Where the parts of a statement have real values: the arguments of its partial functions, and what these must be.
//!
//! A relation holds where everything in it has a value and it is true. So `e^{\ln x}=-1` is not `x=-1`, although one is the
//! other times 1 wherever both have values.

use super::{Asking, Statement, Verdict};
use crate::decide::range_of;
use crate::expr::{Arena, Function, Id, Node};
use crate::number::Rational;
use crate::points::Variable;

/// What the argument of a partial function must be.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Needs {
    NotZero,
    NotNegative,
    Positive,
    /// In the domain of this function.
    Of(Function),
    /// Such that this part of an expression has a value.
    Itself,
}

impl Needs {
    /// Whether what meets this meets another as well.
    fn implies(self, other: Self) -> bool {
        self == other || self == Self::Positive && matches!(other, Self::NotZero | Self::NotNegative)
    }
}

/// Whether two statements have real values at the same points, as far as their partial functions show. Asks the oracle once for
/// each pair of arguments at most.
pub(super) fn have_one_domain(arena: &mut Arena, [a, b]: [&Statement; 2], asking: &mut Asking<'_>) -> bool {
    let (first, second) = (needs(arena, a, asking), needs(arena, b, asking));
    [(&first, &second), (&second, &first)].into_iter().all(|(these, those)| {
        these.iter().all(|&(needs, argument)| {
            those.iter().any(|&(other, by)| other.implies(needs) && argument == by)
                || those
                    .iter()
                    .any(|&(other, by)| other.implies(needs) && is_as(arena, needs, [argument, by], asking))
        })
    })
}

/// Whether one argument is the other, for a division up to its sign.
fn is_as(arena: &mut Arena, needs: Needs, [a, b]: [Id; 2], asking: &mut Asking<'_>) -> bool {
    let minus = arena.neg(b);
    asking.same(arena, a, b) == Verdict::Same
        || needs == Needs::NotZero && asking.same(arena, a, minus) == Verdict::Same
}

/// What the partial functions of a statement need, but for what always holds.
fn needs(arena: &Arena, statement: &Statement, asking: &Asking<'_>) -> Vec<(Needs, Id)> {
    let mut sides = Vec::new();
    sides_of(statement, &mut sides);
    let (mut seen, mut order) = (Vec::new(), Vec::new());
    arena.reachable(&sides, &mut seen, &mut order);
    let mut found: Vec<(Needs, Id)> = Vec::new();
    for id in order {
        match arena.node(id) {
            Node::Power(base, exponent) => match arena.as_number(exponent) {
                Some(number) => of_power(arena, base, number, &mut found),
                None if !arena.is_constant(base) => found.push((Needs::Positive, base)),
                None => {}
            },
            Node::Apply(Function::Ln, &[argument]) => found.push((Needs::Positive, argument)),
            Node::Apply(function, arguments) if !is_total(function) => {
                found.extend(arguments.iter().map(|argument| (Needs::Of(function), *argument)));
            }
            Node::Series(..) | Node::Limit(..) | Node::Derivative(..) | Node::Integral(..) => {
                found.push((Needs::Itself, id));
            }
            _ => {}
        }
    }
    found.retain(|(needs, argument)| {
        !arena.is_constant(*argument) && !always_holds(arena, *needs, *argument, asking)
    });
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

fn always_holds(arena: &Arena, needs: Needs, argument: Id, asking: &Asking<'_>) -> bool {
    let variables: Vec<Variable> = arena
        .free(argument)
        .iter()
        .map(|symbol| Variable { symbol, domain: asking.domain(arena, symbol) })
        .collect();
    let (low, high) = range_of(arena, argument, &variables);
    match needs {
        Needs::NotZero => low > 0.0 || high < 0.0,
        Needs::NotNegative => low >= 0.0,
        Needs::Positive => low > 0.0,
        Needs::Of(Function::Asin | Function::Acos) => low >= -1.0 && high <= 1.0,
        Needs::Of(Function::Acosh) => low >= 1.0,
        Needs::Of(_) | Needs::Itself => false,
    }
}

/// Whether a function has a real value at every real argument.
fn is_total(function: Function) -> bool {
    matches!(
        function,
        Function::Sin
            | Function::Cos
            | Function::Atan
            | Function::Sinh
            | Function::Cosh
            | Function::Tanh
            | Function::Asinh
            | Function::Abs
            | Function::Sign
            | Function::Floor
            | Function::Ceil
            | Function::Round
            | Function::Min
            | Function::Max
            | Function::Re
            | Function::Im
            | Function::Conj
            | Function::Erf
    )
}

fn sides_of(statement: &Statement, sides: &mut Vec<Id>) {
    match statement {
        Statement::And(parts) | Statement::Or(parts) => {
            for part in parts {
                sides_of(part, sides);
            }
        }
        Statement::Not(inner) => sides_of(inner, sides),
        Statement::Compare { left, right, .. } => sides.extend([*left, *right]),
        _ => {}
    }
}
