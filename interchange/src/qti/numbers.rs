//! Typed numbers: the score is constant between the numbers at which the rules can change it.

use std::collections::BTreeSet;

use fablegrade_public::{Decimal, Ratio};

use super::evaluate::Unsupported;
use super::value::{Value, decimal, floor};
use crate::item::{NumberAnswer, NumberEntry, NumberRange};

/// Returns the numbers at which the score can change, from the constants, tolerances and decimal places in the
/// rules.
pub(super) fn breaks(
    constants: &BTreeSet<Ratio>,
    tolerances: &BTreeSet<Ratio>,
    places: &BTreeSet<i64>,
) -> BTreeSet<Ratio> {
    let mut all: BTreeSet<Ratio> = constants.clone();
    for constant in constants {
        for tolerance in tolerances {
            let share = constant.times(tolerance).over(&Ratio::new(100, 1)).unwrap_or_else(Ratio::zero);
            for amount in [tolerance, &share] {
                all.insert(constant.plus(amount));
                all.insert(constant.minus(amount));
            }
        }
        for place in places.iter().filter(|place| (0..=15).contains(*place)) {
            // The bounds of the numbers that round to the same value, at decimal places and at significant figures.
            for exponent in -15..=15i32 {
                let unit = Ratio::from_decimal(&Decimal::new(1, exponent));
                let near = i64::from(-exponent) == *place || significant(constant, *place) == Some(exponent);
                if !near {
                    continue;
                }
                let half = unit.times(&Ratio::new(1, 2));
                if let Some(whole) =
                    constant.over(&unit).and_then(|count| floor(&count.plus(&Ratio::new(1, 2))))
                {
                    let rounded = unit.times(&Ratio::new(whole, 1));
                    all.insert(rounded.plus(&half));
                    all.insert(rounded.minus(&half));
                }
            }
        }
        if all.len() > 400 {
            break;
        }
    }
    all.into_iter().filter(|one| decimal(one).is_some()).collect()
}

/// Returns the exponent of the last of `figures` significant figures; `None` for 0 and for very large numbers.
fn significant(constant: &Ratio, figures: i64) -> Option<i32> {
    let absolute = if *constant < Ratio::zero() { Ratio::zero().minus(constant) } else { constant.clone() };
    if absolute.is_zero() {
        return None;
    }
    let first = (-40..40).find(|exponent| absolute < Ratio::from_decimal(&Decimal::new(1, exponent + 1)))?;
    Some(first + 1 - figures as i32)
}

/// Returns the numbers to test: the breaks, a number between any two neighbours, and one beyond each end. If `integer`,
/// these are the integers near each break.
pub(super) fn candidates(breaks: &BTreeSet<Ratio>, integer: bool) -> Vec<Ratio> {
    let mut all: BTreeSet<Ratio> = BTreeSet::new();
    let list: Vec<&Ratio> = breaks.iter().collect();
    let one = Ratio::one();
    if integer {
        for at in list {
            if let Some(whole) = floor(at) {
                for near in -1..=2 {
                    all.insert(Ratio::new(whole + near, 1));
                }
            }
        }
        return all.into_iter().collect();
    }
    if let (Some(first), Some(last)) = (list.first(), list.last()) {
        all.insert(first.minus(&one));
        all.insert(last.plus(&one));
    }
    for pair in list.windows(2) {
        all.insert(pair[0].plus(pair[1]).times(&Ratio::new(1, 2)));
    }
    all.extend(breaks.iter().cloned());
    all.into_iter().filter(|one| decimal(one).is_some()).collect()
}

/// Derives accepted numbers and their weights from the scores that `share` returns; `None` if no number earns anything.
pub(super) fn fit(
    breaks: &BTreeSet<Ratio>,
    integer: bool,
    share: &dyn Fn(&Value) -> Result<Ratio, Unsupported>,
) -> Result<Option<NumberEntry>, Unsupported> {
    let looked = candidates(breaks, integer);
    let mut table = Vec::with_capacity(looked.len());
    for number in &looked {
        table.push((number.clone(), share(&Value::number(number.clone()))?.clamped()));
    }
    let answers = if integer { whole_answers(&table) } else { answers(breaks, &table) };
    Ok(answers
        .filter(|answers| answers.iter().any(|answer| !answer.weight.is_zero()))
        .map(|answers| NumberEntry { answers, integer, unit: None, writing: None }))
}

fn answer(range: NumberRange, weight: &Ratio) -> NumberAnswer {
    NumberAnswer { range, weight: weight.clone(), feedback: None }
}

fn far(negative: bool) -> Decimal {
    Decimal::new(if negative { -1 } else { 1 }, 200)
}

/// Returns the answers for integers: one range per run of equal weight above 0.
fn whole_answers(table: &[(Ratio, Ratio)]) -> Option<Vec<NumberAnswer>> {
    let mut out: Vec<NumberAnswer> = Vec::new();
    let mut at = 0;
    while at < table.len() {
        let weight = &table[at].1;
        let mut end = at;
        while end + 1 < table.len() && table[end + 1].1 == *weight {
            end += 1;
        }
        if !weight.is_zero() {
            let low = if at == 0 { far(true) } else { decimal(&table[at].0)? };
            let high = if end + 1 == table.len() { far(false) } else { decimal(&table[end].0)? };
            let range = if low == high { NumberRange::Exact(low) } else { NumberRange::Between(low, high) };
            out.push(answer(range, weight));
        }
        at = end + 1;
    }
    Some(out)
}

/// Returns single numbers first, then closed intervals, because the first answer that fits decides.
fn answers(breaks: &BTreeSet<Ratio>, table: &[(Ratio, Ratio)]) -> Option<Vec<NumberAnswer>> {
    let weight_at =
        |number: &Ratio| table.iter().find(|(other, _)| other == number).map(|(_, weight)| weight.clone());
    let list: Vec<&Ratio> = breaks.iter().collect();
    if list.is_empty() {
        return None;
    }
    let zero = Ratio::zero();
    // The weight of each open interval: before the first, between neighbours, after the last.
    let mut between = vec![weight_at(&list[0].minus(&Ratio::one()))?];
    for pair in list.windows(2) {
        between.push(weight_at(&pair[0].plus(pair[1]).times(&Ratio::new(1, 2)))?);
    }
    between.push(weight_at(&list[list.len() - 1].plus(&Ratio::one()))?);
    let points: Vec<Ratio> = list.iter().map(|one| weight_at(one)).collect::<Option<_>>()?;
    let mut intervals: Vec<(Option<usize>, Option<usize>, Ratio)> = Vec::new();
    for (at, weight) in between.iter().enumerate() {
        let low = at.checked_sub(1);
        let high = (at < list.len()).then_some(at);
        match intervals.last_mut() {
            // Extend the interval if the point in between has the same weight.
            Some((_, end, before)) if *before == *weight && low.is_some_and(|low| points[low] == *weight) => {
                *end = high
            }
            _ => intervals.push((low, high, weight.clone())),
        }
    }
    intervals.retain(|(_, _, weight)| *weight != zero);
    let mut out = Vec::new();
    for (at, weight) in points.iter().enumerate() {
        let inside = intervals.iter().any(|(low, high, of)| {
            of == weight && low.is_none_or(|low| low <= at) && high.is_none_or(|high| at <= high)
        });
        // An interval with another weight that ends here would include the point, so the point precedes it.
        let touching =
            intervals.iter().any(|(low, high, of)| of != weight && (*low == Some(at) || *high == Some(at)));
        if touching || (!inside && *weight != zero) {
            out.push(answer(NumberRange::Exact(decimal(list[at])?), weight));
        }
    }
    for (low, high, weight) in intervals {
        let low = low.map_or_else(|| Some(far(true)), |at| decimal(list[at]))?;
        let high = high.map_or_else(|| Some(far(false)), |at| decimal(list[at]))?;
        out.push(answer(NumberRange::Between(low, high), &weight));
    }
    Some(out)
}

/// Replaces a single range with a value and its tolerance if the correct response is its middle.
pub(super) fn around(
    mut entry: NumberEntry,
    correct: Option<Ratio>,
    percents: &BTreeSet<Ratio>,
) -> NumberEntry {
    if let ([NumberAnswer { range, .. }], Some(middle)) = (entry.answers.as_mut_slice(), correct)
        && let NumberRange::Between(low, high) = &range
    {
        let (low, high) = (Ratio::from_decimal(low), Ratio::from_decimal(high));
        let amount = high.minus(&middle);
        if middle.minus(&low) == amount
            && let (Some(value), Some(absolute)) = (decimal(&middle), decimal(&amount))
        {
            let hundred = Ratio::new(100, 1);
            let share = |percent: &Ratio| {
                percent.over(&hundred).filter(|share| {
                    share.times(&middle).times(&share.times(&middle)) == amount.times(&amount)
                })
            };
            *range = match percents.iter().find_map(share).and_then(|share| decimal(&share)) {
                Some(share) => NumberRange::Relative(value, share),
                None => NumberRange::Absolute(value, absolute),
            };
        }
    }
    entry
}
