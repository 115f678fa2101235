//! The numbers at which a comparison of a typed number changes, found by solving it for the response.

use fablegrade_public::Ratio;

use super::evaluate::Machine;
use super::model::Expression;
use super::scoring::Given;
use super::value::number;

/// The maximum number of solutions of a comparison.
const MAX_SOLUTIONS: usize = 32;

/// Returns whether an expression is a comparison, whose value can change at a number.
pub(super) fn is_comparison(expression: &Expression) -> bool {
    matches!(
        expression.name.as_str(),
        "equal" | "equalRounded" | "match" | "member" | "contains" | "lt" | "gt" | "lte" | "gte"
    )
}

/// Returns whether an expression or one inside it reads a variable.
pub(super) fn reads(expression: &Expression, id: &str) -> bool {
    let mut open = vec![expression];
    while let Some(one) = open.pop() {
        let names = matches!(one.name.as_str(), "variable" | "mapResponse");
        if names && one.attribute("identifier").is_some_and(|found| found.trim() == id) {
            return true;
        }
        open.extend(&one.arguments);
    }
    false
}

/// Returns the numbers at which a comparison changes with one response, if the others are `given` and the response
/// occurs once. There are none if an operator cannot be inverted.
pub(super) fn solutions<'m>(
    machine: &Machine<'m>,
    comparison: &'m Expression,
    id: &str,
    given: &Given,
) -> Vec<Ratio> {
    let value = |expression| machine.expression(expression, given).ok()?.as_number();
    let [first, second] = &comparison.arguments[..] else { return Vec::new() };
    let (side, other) = match (reads(first, id), reads(second, id)) {
        (true, false) => (first, second),
        (false, true) => (second, first),
        _ => return Vec::new(),
    };
    let Some(other) = value(other) else { return Vec::new() };
    let mut wanted = vec![other.clone()];
    if comparison.name == "equal" {
        wanted.extend(tolerated(comparison, &other, std::ptr::eq(side, first), machine, given));
    }
    let mut at = side;
    while at.name != "variable" {
        let mut holders = at.arguments.iter().enumerate().filter(|(_, one)| reads(one, id));
        let (Some((index, inside)), None) = (holders.next(), holders.next()) else { return Vec::new() };
        let others: Option<Vec<Ratio>> = at
            .arguments
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index)
            .map(|(_, one)| value(one))
            .collect();
        let Some(others) = others else { return Vec::new() };
        wanted = match wanted.iter().map(|one| inverse(at, index, &others, one)).collect::<Option<Vec<_>>>() {
            Some(found) => found.into_iter().flatten().take(MAX_SOLUTIONS).collect(),
            None => return Vec::new(),
        };
        at = inside;
    }
    wanted
}

/// Returns the bounds of the numbers that are equal to `other` within the tolerance. A relative tolerance is a share of
/// the first operand, which can be the response.
fn tolerated(
    comparison: &Expression,
    other: &Ratio,
    response_first: bool,
    machine: &Machine<'_>,
    given: &Given,
) -> Vec<Ratio> {
    let mode = comparison.attribute("toleranceMode").unwrap_or("exact");
    let amounts = comparison.attribute("tolerance").unwrap_or_default().split_ascii_whitespace();
    let amounts = amounts.filter_map(|word| {
        number(word).or_else(|| given.get(word).or_else(|| machine.variable(word))?.as_number())
    });
    let mut out = Vec::new();
    for amount in amounts.take(2) {
        let share = amount.over(&Ratio::new(100, 1)).unwrap_or_else(Ratio::zero);
        for factor in [Ratio::one().minus(&share), Ratio::one().plus(&share)] {
            match mode {
                "relative" if response_first => out.extend(other.over(&factor)),
                "relative" => out.push(other.times(&factor)),
                _ => {}
            }
        }
        if mode == "absolute" {
            out.extend([other.minus(&amount), other.plus(&amount)]);
        }
    }
    out
}

/// Returns the values of the operand at `index` for which an operator has the value `wanted`; `None` if the operator
/// cannot be inverted.
fn inverse(operator: &Expression, index: usize, others: &[Ratio], wanted: &Ratio) -> Option<Vec<Ratio>> {
    let zero = Ratio::zero();
    let other = || others.first();
    let name = operator.name.as_str();
    Some(match name {
        "sum" => vec![others.iter().fold(wanted.clone(), |left, one| left.minus(one))],
        "product" => vec![others.iter().try_fold(wanted.clone(), |left, one| left.over(one))?],
        "subtract" if index == 0 => vec![wanted.plus(other()?)],
        "subtract" => vec![other()?.minus(wanted)],
        "divide" if index == 0 => vec![wanted.times(other()?)],
        "divide" => other()?.over(wanted).into_iter().collect(),
        "integerToFloat" | "max" | "min" => vec![wanted.clone()],
        "round" | "roundTo" | "truncate" => {
            let near = [Ratio::new(-1, 1), Ratio::new(-1, 2), zero, Ratio::new(1, 2), Ratio::one()];
            near.iter().map(|step| wanted.plus(step)).collect()
        }
        "mathOperator" if operator.attribute("name") == Some("abs") => {
            vec![wanted.clone(), zero.minus(wanted)]
        }
        _ => return None,
    })
}
