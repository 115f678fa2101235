//! Removal of absolute values, minima, maxima and sign functions from comparisons by distinguishing cases.
//!
//! `|u|<v` holds where `0\le u` and `u<v`, or `u<0` and `-u<v`. A part without a value makes every case
//! false, and the comparison as well. Logarithms of exponentials, and arguments that are constant where they
//! have values (`e^{x/x}`), are also simplified, with the conditions that they need.

use super::critical::critical;
use super::{BoundedOracle, Statement};
use crate::expr::{Arena, Constant, Function, Id, Node, Symbol};
use crate::limits::CASES;
use crate::number::Rational;
use crate::syntax::Relation;
use dashu_base::UnsignedAbs;
use dashu_int::IBig;

/// The value of a part under some conditions.
struct Case {
    conditions: Vec<Statement>,
    value: Id,
}

/// Returns the statement split into cases; `None` if nothing changes, or if it cannot be split.
pub(super) fn by_cases(
    arena: &mut Arena,
    statement: &Statement,
    unknown: Symbol,
    oracle: &BoundedOracle<'_>,
) -> Option<Statement> {
    if oracle.domain(arena, unknown).integer {
        return None;
    }
    let mut budget = CASES;
    let cases = of_statement(arena, statement, unknown, &mut budget)?;
    (cases != *statement && !arena.overflowed()).then_some(cases)
}

fn of_statement(
    arena: &mut Arena,
    statement: &Statement,
    unknown: Symbol,
    budget: &mut usize,
) -> Option<Statement> {
    let mut all = |parts: &[Statement]| -> Option<Vec<Statement>> {
        parts.iter().map(|part| of_statement(arena, part, unknown, budget)).collect()
    };
    Some(match statement {
        Statement::And(parts) => Statement::And(all(parts)?),
        Statement::Or(parts) => Statement::Or(all(parts)?),
        Statement::Not(inner) => Statement::Not(Box::new(of_statement(arena, inner, unknown, budget)?)),
        Statement::Compare { left, relation, right, .. } => {
            if arena.is_complex(*left) || arena.is_complex(*right) {
                return None;
            }
            of_comparison(arena, [*left, *right], *relation, unknown, budget)?
                .unwrap_or_else(|| statement.clone())
        }
        other => other.clone(),
    })
}

/// Returns the comparison split into cases; the inner `None` means that there are no cases. Recursion is
/// bounded by the budget.
#[allow(clippy::option_option)]
fn of_comparison(
    arena: &mut Arena,
    sides: [Id; 2],
    relation: Relation,
    unknown: Symbol,
    budget: &mut usize,
) -> Option<Option<Statement>> {
    *budget = budget.checked_sub(1)?;
    let order = arena.reachable(&sides);
    // Parts precede the expressions that contain them.
    let mut found = None;
    for part in &order {
        if !arena.is_constant(*part)
            && let Some(cases) = cases(arena, *part, unknown)
        {
            found = Some((*part, cases));
            break;
        }
    }
    let Some((part, cases)) = found else { return Some(None) };
    let mut either = Vec::with_capacity(cases.len());
    for Case { conditions, value } in cases {
        let [left, right] = sides.map(|side| replaced(arena, side, part, value));
        let (left, right) = (left?, right?);
        let inner = of_comparison(arena, [left, right], relation, unknown, budget)?
            .unwrap_or(compare(left, relation, right));
        let mut parts = conditions;
        parts.push(inner);
        either.push(if parts.len() == 1 { parts.remove(0) } else { Statement::And(parts) });
    }
    Some(Some(if either.len() == 1 { either.remove(0) } else { Statement::Or(either) }))
}

fn compare(left: Id, relation: Relation, right: Id) -> Statement {
    Statement::Compare { left, relation, right, named: false }
}

/// Returns the cases of one part; `None` if it has none.
fn cases(arena: &mut Arena, part: Id, unknown: Symbol) -> Option<Vec<Case>> {
    let one = |condition: Statement, value: Id| Case { conditions: vec![condition], value };
    match arena.node(part) {
        Node::Apply(Function::Abs, &[inner]) => {
            let minus = arena.neg(inner);
            Some(vec![
                one(compare(Arena::ZERO, Relation::LessEqual, inner), inner),
                one(compare(inner, Relation::Less, Arena::ZERO), minus),
            ])
        }
        Node::Apply(Function::Sign, &[inner]) => Some(vec![
            one(compare(Arena::ZERO, Relation::Less, inner), Arena::ONE),
            one(compare(inner, Relation::Less, Arena::ZERO), Arena::MINUS_ONE),
            one(compare(inner, Relation::Equal, Arena::ZERO), Arena::ZERO),
        ]),
        Node::Apply(function @ (Function::Min | Function::Max), &[first, second, ref rest @ ..]) => {
            let rest = rest.to_vec();
            let mut with = |chosen: Id| {
                let mut arguments = vec![chosen];
                arguments.extend(&rest);
                if rest.is_empty() { chosen } else { arena.apply(function, &arguments) }
            };
            let (a, b) = (with(first), with(second));
            let (small, large) = if function == Function::Max { (b, a) } else { (a, b) };
            Some(vec![
                one(compare(second, Relation::LessEqual, first), large),
                one(compare(first, Relation::Less, second), small),
            ])
        }
        Node::Apply(Function::Ln, &[argument]) => match arena.node(argument) {
            Node::Power(base, exponent) if is_e(arena, base) => {
                Some(vec![Case { conditions: Vec::new(), value: exponent }])
            }
            _ => constant_argument(arena, part, argument, unknown),
        },
        Node::Power(base, exponent) if is_e(arena, base) => match arena.node(exponent) {
            Node::Apply(Function::Ln, &[argument]) => {
                Some(vec![one(compare(Arena::ZERO, Relation::Less, argument), argument)])
            }
            _ => constant_argument(arena, part, exponent, unknown),
        },
        Node::Power(base, exponent) if arena.as_number(exponent).is_some_and(|power| !power.is_integer()) => {
            constant_argument(arena, part, base, unknown)
        }
        _ => None,
    }
}

fn is_e(arena: &Arena, id: Id) -> bool {
    matches!(arena.node(id), Node::Constant(Constant::E))
}

/// Returns the cases of a part whose argument is a constant rational function: `e^{x/x}` is `e` where `x` is
/// not 0.
fn constant_argument(arena: &mut Arena, part: Id, argument: Id, unknown: Symbol) -> Option<Vec<Case>> {
    let plain = critical(arena, argument, &[unknown])?.plain?;
    let (above, below) = (plain.numerator.univariate(0)?, plain.denominator.univariate(0)?);
    let value = if above.is_zero() {
        Rational::ZERO
    } else {
        let (top, bottom) = (above.leading()?.clone(), below.leading()?.clone());
        let constant = |value: &IBig| crate::polynomial::Polynomial::constant(value.clone());
        if above.times(&constant(&bottom))? != below.times(&constant(&top))? {
            return None;
        }
        let negative = dashu_base::Signed::is_negative(&bottom);
        Rational::from_integers(if negative { -top } else { top }, bottom.unsigned_abs())?
    };
    let value = arena.number(value);
    let mut conditions = Vec::new();
    for pole in &plain.poles {
        let kernels = [super::critical::Kernel::Unknown(unknown)];
        let pole = super::roots::expression(arena, pole, &kernels)?;
        conditions.push(compare(pole, Relation::NotEqual, Arena::ZERO));
    }
    let value = replaced(arena, part, argument, value)?;
    (value != part && value != Arena::UNDEFINED).then(|| vec![Case { conditions, value }])
}

/// Replaces a part of an expression; `None` if a binder or a call encloses the part, or if the result is too
/// large.
pub(super) fn replaced(arena: &mut Arena, id: Id, part: Id, by: Id) -> Option<Id> {
    let order = arena.reachable(&[id]);
    let mut images: Vec<Id> = Vec::with_capacity(order.len());
    for at in &order {
        if *at == part {
            images.push(by);
            continue;
        }
        let image =
            |part: Id| order.binary_search(&part).ok().and_then(|at| images.get(at)).copied().unwrap_or(part);
        let parts: Vec<Id> = arena.parts(*at).to_vec();
        let changed: Vec<Id> = parts.iter().map(|part| image(*part)).collect();
        let next = if changed == parts {
            *at
        } else {
            match arena.node(*at) {
                Node::Sum(_) => arena.sum(&changed),
                Node::Product(_) => arena.product(&changed),
                Node::Power(..) => arena.power(*changed.first()?, *changed.get(1)?),
                Node::Apply(function, _) => arena.apply(function, &changed),
                _ => return None,
            }
        };
        images.push(next);
    }
    if arena.overflowed() {
        return None;
    }
    order.binary_search(&id).map_or(Some(id), |at| images.get(at).copied())
}
