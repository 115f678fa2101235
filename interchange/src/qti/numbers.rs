//! Typed numbers: the score is constant between the numbers at which the rules can change it.

use std::collections::BTreeSet;

use fablegrade_public::{Decimal, Ratio};

use super::breaks::{Break, FIGURES, Table, decimals, integers};
use super::evaluate::Unsupported;
use super::operators::{absolute, rounded_both_ways};
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
    all
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

/// Returns the numbers to test: the breaks or the decimals next to them, a number between any two neighbours, and some
/// beyond each end, also very far ones. If `integer`, these are integers.
pub(super) fn candidates(breaks: &BTreeSet<Ratio>, integer: bool) -> Vec<Ratio> {
    let mut all: BTreeSet<Ratio> = BTreeSet::new();
    let list: Vec<&Ratio> = breaks.iter().collect();
    let one = Ratio::one();
    if let (Some(first), Some(last)) = (list.first(), list.last()) {
        all.insert(first.minus(&one));
        all.insert(last.plus(&one));
        let size = absolute(last).max(absolute(first)).max(one.clone());
        for factor in [1_000, 1_000_000_000] {
            let far = size.times(&Ratio::new(factor, 1));
            all.insert(Ratio::zero().minus(&far));
            all.insert(far);
        }
    }
    for pair in list.windows(2) {
        all.insert(pair[0].plus(pair[1]).times(&Ratio::new(1, 2)));
    }
    all.extend(breaks.iter().cloned());
    if integer {
        let whole = |at: &Ratio| floor(at).map(|whole| Ratio::new(whole, 1));
        let near = |at: &Ratio| {
            let steps = if breaks.contains(at) { -1..=2 } else { 0..=0 };
            whole(at)
                .into_iter()
                .flat_map(move |at| steps.clone().map(move |step| at.plus(&Ratio::new(step, 1))))
        };
        return all.iter().flat_map(near).collect::<BTreeSet<_>>().into_iter().collect();
    }
    let typed = |at: Ratio| match decimal(&at) {
        Some(_) => vec![at],
        None => rounded_both_ways(&at, FIGURES).map_or_else(Vec::new, |(below, above)| vec![below, above]),
    };
    all.into_iter().flat_map(typed).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Derives accepted numbers and their weights from the scores that `share` returns; `None` if no number earns anything.
pub(super) fn fit(
    breaks: &BTreeSet<Ratio>,
    integer: bool,
    share: &dyn Fn(&Value) -> Result<Ratio, Unsupported>,
) -> Result<Option<NumberEntry>, Unsupported> {
    let earned = |number: &Ratio| share(&Value::number(number.clone())).map(Ratio::clamped);
    let answers = if integer {
        whole_answers(&integers(breaks, &earned)?)
    } else {
        let (breaks, table) = decimals(breaks, &earned)?;
        answers(&breaks, &table)
    };
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

/// Returns the answers for integers: one range per run of equal weight above 0. The first and the last numbers are so
/// far that the weight is taken to be the same beyond them.
fn whole_answers(table: &Table) -> Option<Vec<NumberAnswer>> {
    let table: Vec<(&Ratio, &Ratio)> = table.iter().collect();
    let mut out: Vec<NumberAnswer> = Vec::new();
    let mut at = 0;
    while at < table.len() {
        let weight = table[at].1;
        let mut end = at;
        while end + 1 < table.len() && table[end + 1].1 == weight {
            end += 1;
        }
        if !weight.is_zero() {
            let low = if at == 0 { far(true) } else { decimal(table[at].0)? };
            let high = if end + 1 == table.len() { far(false) } else { decimal(table[end].0)? };
            let range = if low == high { NumberRange::Exact(low) } else { NumberRange::Between(low, high) };
            out.push(answer(range, weight));
        }
        at = end + 1;
    }
    Some(out)
}

/// Returns single numbers first, then closed intervals, because the first answer that fits decides.
fn answers(breaks: &[Break], table: &Table) -> Option<Vec<NumberAnswer>> {
    let zero = Ratio::zero();
    let sides: Vec<(Ratio, Ratio)> = breaks.iter().map(Break::sides).collect();
    // The weight of each open interval: before the first, between neighbours, after the last.
    let mut between = vec![table.get(&sides.first()?.0)?];
    for (_, above) in &sides {
        between.push(table.get(above)?);
    }
    // The weight of each break; those that are not decimals have none.
    let points: Vec<Option<&Ratio>> =
        breaks.iter().map(|one| one.is_decimal().then(|| table.get(&one.below)).flatten()).collect();
    let mut intervals: Vec<(Option<usize>, Option<usize>, &Ratio)> = Vec::new();
    for (at, weight) in between.into_iter().enumerate() {
        let low = at.checked_sub(1);
        let high = (at < breaks.len()).then_some(at);
        match intervals.last_mut() {
            // Extend the interval if the point in between has the same weight.
            Some((_, end, before))
                if *before == weight
                    && low.is_some_and(|low| !breaks[low].is_decimal() || points[low] == Some(weight)) =>
            {
                *end = high
            }
            _ => intervals.push((low, high, weight)),
        }
    }
    intervals.retain(|(_, _, weight)| **weight != zero);
    let mut out = Vec::new();
    for (at, weight) in points.iter().enumerate() {
        let Some(weight) = *weight else { continue };
        let inside = intervals.iter().any(|(low, high, of)| {
            *of == weight && low.is_none_or(|low| low <= at) && high.is_none_or(|high| at <= high)
        });
        // An interval with another weight that ends here would include the point, so the point precedes it.
        let touching =
            intervals.iter().any(|(low, high, of)| *of != weight && (*low == Some(at) || *high == Some(at)));
        if touching || (!inside && *weight != zero) {
            out.push(answer(NumberRange::Exact(decimal(&breaks[at].below)?), weight));
        }
    }
    for (low, high, weight) in intervals {
        let low = low.map_or_else(|| Some(far(true)), |at| decimal(&breaks[at].above))?;
        let high = high.map_or_else(|| Some(far(false)), |at| decimal(&breaks[at].below))?;
        out.push(answer(NumberRange::Between(low, high), weight));
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
