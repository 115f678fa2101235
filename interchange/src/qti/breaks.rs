//! The search for the numbers at which the score of a typed number changes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::{Decimal, Ratio};

use super::evaluate::Unsupported;
use super::numbers;
use super::operators::{absolute, rounded_both_ways};
use super::value::{decimal, floor};

/// The number of significant figures of bounds that are not decimals. Each is rounded to the side of the accepted
/// numbers, so numbers with at most as many figures have the right score.
pub(super) const FIGURES: i32 = 15;

/// The maximum number of evaluations that look for further breaks.
const MAX_SEARCH: usize = 1_200;

/// The scores of numbers.
pub(super) type Table = BTreeMap<Ratio, Ratio>;

/// A number at which the score can change, with the decimals next to it; they are equal if it is a decimal.
pub(super) struct Break {
    pub below: Ratio,
    pub above: Ratio,
}

impl Break {
    fn of(at: &Ratio) -> Option<Self> {
        if decimal(at).is_some() {
            return Some(Self { below: at.clone(), above: at.clone() });
        }
        rounded_both_ways(at, FIGURES).map(|(below, above)| Self { below, above })
    }

    pub(super) fn is_decimal(&self) -> bool {
        self.below == self.above
    }

    /// Returns numbers so near on both sides that no other break is expected between.
    pub(super) fn sides(&self) -> (Ratio, Ratio) {
        if !self.is_decimal() {
            return (self.below.clone(), self.above.clone());
        }
        let step = absolute(&self.below).max(Ratio::new(1, 1_000_000)).times(&Ratio::new(1, 10_000_000_000));
        (self.below.minus(&step), self.above.plus(&step))
    }
}

type Earned<'e> = dyn Fn(&Ratio) -> Result<Ratio, Unsupported> + 'e;

/// Evaluates numbers around the breaks and far from them, and finds further breaks between numbers with different scores.
pub(super) fn decimals(
    breaks: &BTreeSet<Ratio>,
    earned: &Earned<'_>,
) -> Result<(Vec<Break>, Table), Unsupported> {
    let mut found: Vec<Break> = breaks.iter().filter_map(Break::of).collect();
    found.sort_by(|a, b| a.below.cmp(&b.below));
    found.dedup_by(|b, a| b.below <= a.above);
    let mut table = Table::new();
    let look = |table: &mut Table, number: Ratio| -> Result<(), Unsupported> {
        if let Entry::Vacant(entry) = table.entry(number) {
            let weight = earned(entry.key())?;
            entry.insert(weight);
        }
        Ok(())
    };
    for number in numbers::candidates(breaks, false) {
        look(&mut table, number)?;
    }
    // Breaks at which nothing changes are left out, except that one is kept.
    let changes = |one: &Break| {
        let weights = table.range(..&one.below).next_back().into_iter();
        let mut weights = weights.chain(table.range(&one.below..).take(3)).map(|(_, weight)| weight);
        let first = weights.next();
        weights.any(|weight| Some(weight) != first)
    };
    if found.iter().any(changes) {
        found.retain(changes);
    } else {
        found.truncate(1);
    }
    for (low, high) in found.iter().map(Break::sides).collect::<Vec<_>>() {
        look(&mut table, low)?;
        look(&mut table, high)?;
    }
    let mut left = MAX_SEARCH;
    while left > 0
        && let Some((mut low, mut high)) = unexplained(&table, &found)
    {
        let weight = table[&low].clone();
        while !close(&low, &high) && left > 0 {
            left -= 1;
            let middle = middle(&low, &high);
            look(&mut table, middle.clone())?;
            if table[&middle] == weight {
                low = middle;
            } else {
                high = middle;
            }
        }
        let next = match short(&low, &high) {
            Some(at) => Break { below: at.clone(), above: at },
            None => Break { below: low, above: high },
        };
        let (low, high) = next.sides();
        for number in [next.below.clone(), low, high] {
            look(&mut table, number)?;
        }
        left = left.saturating_sub(1);
        found.push(next);
        found.sort_by(|a, b| a.below.cmp(&b.below));
    }
    Ok((found, table))
}

/// Returns the first neighbours with different scores between which no break is known.
fn unexplained(table: &Table, breaks: &[Break]) -> Option<(Ratio, Ratio)> {
    table
        .iter()
        .zip(table.iter().skip(1))
        .find(|((low, before), (high, after))| {
            let at = breaks.partition_point(|one| one.below < **low);
            before != after && breaks.get(at).is_none_or(|one| one.above > **high)
        })
        .map(|((low, _), (high, _))| (low.clone(), high.clone()))
}

fn close(low: &Ratio, high: &Ratio) -> bool {
    let (size, width) = (absolute(low).max(absolute(high)), high.minus(low));
    let small = Ratio::from_decimal(&Decimal::new(1, -14));
    width <= size.times(&small) || width <= small.times(&Ratio::from_decimal(&Decimal::new(1, -6)))
}

/// Returns a short decimal about half-way between two numbers.
fn middle(low: &Ratio, high: &Ratio) -> Ratio {
    if *low < Ratio::zero() && *high > Ratio::zero() {
        return Ratio::zero();
    }
    let exact = low.plus(high).times(&Ratio::new(1, 2));
    let rounded = rounded_both_ways(&exact, 17).map(|(below, _)| below);
    rounded.filter(|one| one > low && one < high).unwrap_or(exact)
}

/// Returns the decimal with the fewest places between two numbers, if it has at most ten figures.
fn short(low: &Ratio, high: &Ratio) -> Option<Ratio> {
    (-12..=12).find_map(|places| {
        let unit = Ratio::from_decimal(&Decimal::new(1, -places));
        let count = -floor(&Ratio::zero().minus(low).over(&unit)?)?;
        let at = Ratio::new(count, 1).times(&unit);
        (at <= *high && count.unsigned_abs() < 10_000_000_000).then_some(at)
    })
}

/// Evaluates integers near the breaks and far from them, and those between neighbours with different scores.
pub(super) fn integers(breaks: &BTreeSet<Ratio>, earned: &Earned<'_>) -> Result<Table, Unsupported> {
    let mut table = Table::new();
    for number in numbers::candidates(breaks, true) {
        let weight = earned(&number)?;
        table.insert(number, weight);
    }
    let one = Ratio::one();
    for _ in 0..MAX_SEARCH {
        let pair = table.iter().zip(table.iter().skip(1));
        let mut apart =
            pair.filter(|((low, before), (high, after))| before != after && low.plus(&one) < **high);
        let Some(((low, _), (high, _))) = apart.next() else { break };
        let Some(middle) = floor(&low.plus(high).times(&Ratio::new(1, 2))) else { break };
        let middle = Ratio::new(middle, 1);
        let weight = earned(&middle)?;
        table.insert(middle, weight);
    }
    Ok(table)
}
