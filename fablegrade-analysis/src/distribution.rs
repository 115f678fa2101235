//! Counts of distinct scores, up to a limit.

use dashu_int::IBig;
use hashbrown::HashMap;

/// Maximum number of distinct scores that a distribution keeps.
pub const MAX_VALUES: usize = 4_096;

/// The number of times that each score occurred.
///
/// All counts are dropped once there are too many distinct scores. This depends only on the set of scores, so
/// it is the same for any split and order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Distribution {
    counts: Option<HashMap<i64, u64>>,
}

impl Default for Distribution {
    fn default() -> Self {
        Self { counts: Some(HashMap::new()) }
    }
}

impl Distribution {
    /// Creates a distribution from distinct scores and their counts; `None` means that there were too many.
    pub(crate) fn of(counts: Option<Vec<(i64, u64)>>) -> Self {
        Self { counts: counts.map(|counts| counts.into_iter().collect()) }
    }

    /// Adds a score `times` times. Takes constant time.
    pub(crate) fn add(&mut self, value: i64, times: u64) {
        let Some(counts) = &mut self.counts else { return };
        if let Some(count) = counts.get_mut(&value) {
            *count += times;
        } else if counts.len() == MAX_VALUES {
            self.counts = None;
        } else {
            counts.insert(value, times);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        match &other.counts {
            None => self.counts = None,
            Some(counts) => counts.iter().for_each(|(&value, &times)| self.add(value, times)),
        }
    }

    /// Returns the scores in ascending order with their counts; `None` if they were dropped.
    pub(crate) fn sorted(&self) -> Option<Vec<(i64, u64)>> {
        let mut sorted: Vec<_> =
            self.counts.as_ref()?.iter().map(|(&value, &times)| (value, times)).collect();
        sorted.sort_unstable();
        Some(sorted)
    }

    /// Returns the number of scores; `None` if they were dropped.
    pub(crate) fn total(&self) -> Option<u128> {
        self.counts.as_ref().map(|counts| counts.values().map(|&times| u128::from(times)).sum())
    }

    /// Returns the smallest score `s` for which at least the share `numerator / denominator` of all
    /// scores are at most `s`.
    ///
    /// This is the inverse of the distribution function.
    pub(crate) fn quantile(&self, numerator: u64, denominator: u64) -> Option<i64> {
        let counts = self.sorted()?;
        let wanted = (self.total()? * u128::from(numerator)).div_ceil(u128::from(denominator)).max(1);
        let mut seen = 0;
        counts.iter().find_map(|&(value, times)| {
            seen += u128::from(times);
            (seen >= wanted).then_some(value)
        })
    }

    /// Returns the largest `Σxy` over all pairings of two distributions' values.
    ///
    /// By the rearrangement inequality, this pairs both in ascending order. `None` if the counts of one were
    /// dropped, or if the numbers of values differ.
    pub(crate) fn largest_product(&self, other: &Self) -> Option<IBig> {
        let (left, right) = (self.sorted()?, other.sorted()?);
        let (mut left, mut right) = (left.iter(), right.iter());
        let (mut x, mut y) = ((0, 0), (0, 0));
        let mut sum = IBig::ZERO;
        loop {
            if x.1 == 0 {
                match left.next() {
                    Some(&next) => x = next,
                    None => break,
                }
            }
            if y.1 == 0 {
                y = *right.next()?;
            }
            let times = x.1.min(y.1);
            sum += IBig::from(times) * IBig::from(x.0) * IBig::from(y.0);
            x.1 -= times;
            y.1 -= times;
        }
        (y.1 == 0 && right.next().is_none()).then_some(sum)
    }
}
