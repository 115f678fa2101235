//! Sittings, added up exactly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::distribution::Distribution;
use crate::exact::{Pairs, Powers};

/// A score in millionths of a point, so that sums are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub(crate) i64);

/// Millionths in a point.
pub(crate) const UNIT: i64 = 1_000_000;
/// Maximum absolute value of one score, in points.
pub const MAX_POINTS: i32 = 1_000;
/// Maximum number of answers in a sitting.
pub const MAX_ANSWERS: usize = 1_000;

impl Score {
    /// Whole points.
    pub fn from_points(points: i32) -> Self {
        Self(i64::from(points) * UNIT)
    }

    /// The nearest millionth of a point, half to even; `None` for a number that is not finite or above [`MAX_POINTS`].
    pub fn from_f64(points: f64) -> Option<Self> {
        let within = points.is_finite() && points.abs() <= f64::from(MAX_POINTS);
        within.then(|| Self(libm::rint(points * UNIT as f64) as i64))
    }

    /// The score in points.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }
}

/// The outcome of one item in a sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Scored(Score),
    Blank,
    Refused,
}

/// The answer of a learner to one item.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    item: &'a str,
    outcome: Outcome,
    options: &'a [&'a str],
    millis: Option<u32>,
}

impl<'a> Answer<'a> {
    /// An answer with a score.
    pub fn scored(item: &'a str, score: Score) -> Self {
        Self { item, outcome: Outcome::Scored(score), options: &[], millis: None }
    }

    /// An item that was left blank; it counts as 0 points.
    pub fn blank(item: &'a str) -> Self {
        Self { outcome: Outcome::Blank, ..Self::scored(item, Score(0)) }
    }

    /// An answer that was refused; it counts as 0 points.
    pub fn refused(item: &'a str) -> Self {
        Self { outcome: Outcome::Refused, ..Self::scored(item, Score(0)) }
    }

    /// With what was chosen: choices, pairs, positions or passed test cases by name.
    #[must_use]
    pub fn options(self, options: &'a [&'a str]) -> Self {
        Self { options, ..self }
    }

    /// With the time it took, in milliseconds.
    #[must_use]
    pub fn millis(self, millis: u32) -> Self {
        Self { millis: Some(millis), ..self }
    }

    fn score(&self) -> i64 {
        match self.outcome {
            Outcome::Scored(Score(score)) => score,
            Outcome::Blank | Outcome::Refused => 0,
        }
    }
}

/// Why a sitting was not added. Nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// Two answers to one item; decide which one counts before.
    Repeated(String),
    /// More than [`MAX_ANSWERS`] answers.
    TooLong,
    /// A score above [`MAX_POINTS`].
    TooLarge(String),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repeated(item) => {
                write!(f, "two answers to the item {item:?} in one sitting; keep the one that counts")
            }
            Self::TooLong => write!(f, "more than {MAX_ANSWERS} answers in one sitting; split the test"),
            Self::TooLarge(item) => {
                write!(f, "more than {MAX_POINTS} points for the item {item:?}; scale the scores")
            }
        }
    }
}

impl std::error::Error for Rejected {}

/// The sums of one option.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OptionSums {
    pub(crate) count: u64,
    pub(crate) rest_sum: i128,
    pub(crate) rest: Distribution,
}

/// The sums of one item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ItemSums {
    /// Scores and rest scores.
    pub(crate) pairs: Pairs,
    pub(crate) scores: Distribution,
    pub(crate) rests: Distribution,
    pub(crate) blank: u64,
    pub(crate) refused: u64,
    pub(crate) timed: u64,
    pub(crate) millis: u128,
    pub(crate) options: BTreeMap<Box<str>, OptionSums>,
}

/// The sums of any number of sittings. [`Accumulator::merge`] is associative and commutative.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accumulator {
    pub(crate) items: BTreeMap<Box<str>, ItemSums>,
    pub(crate) totals: Powers,
}

impl Accumulator {
    /// No sittings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds all answers of one learner to one test. Takes `O(k log m)` for `k` answers and `m` items.
    ///
    /// # Errors
    /// When the sitting is not one; nothing is added then.
    pub fn add(&mut self, sitting: &[Answer<'_>]) -> Result<(), Rejected> {
        if sitting.len() > MAX_ANSWERS {
            return Err(Rejected::TooLong);
        }
        let mut seen = BTreeSet::new();
        let mut total = 0;
        for answer in sitting {
            if !seen.insert(answer.item) {
                return Err(Rejected::Repeated(answer.item.into()));
            }
            if answer.score().abs() > i64::from(MAX_POINTS) * UNIT {
                return Err(Rejected::TooLarge(answer.item.into()));
            }
            total += answer.score();
        }
        self.totals.add(total);
        for answer in sitting {
            let sums = match self.items.get_mut(answer.item) {
                Some(sums) => sums,
                None => self.items.entry(answer.item.into()).or_default(),
            };
            sums.add(answer, total - answer.score());
        }
        Ok(())
    }

    /// Adds all sittings of another accumulator.
    pub fn merge(&mut self, other: &Self) {
        self.totals.merge(&other.totals);
        for (item, more) in &other.items {
            self.items.entry(item.clone()).or_default().merge(more);
        }
    }
}

impl ItemSums {
    fn add(&mut self, answer: &Answer<'_>, rest: i64) {
        self.pairs.add(answer.score(), rest);
        self.scores.add(answer.score(), 1);
        self.rests.add(rest, 1);
        self.blank += u64::from(answer.outcome == Outcome::Blank);
        self.refused += u64::from(answer.outcome == Outcome::Refused);
        if let Some(millis) = answer.millis {
            self.timed += 1;
            self.millis += u128::from(millis);
        }
        for &option in answer.options {
            let sums = match self.options.get_mut(option) {
                Some(sums) => sums,
                None => self.options.entry(option.into()).or_default(),
            };
            sums.count += 1;
            sums.rest_sum += i128::from(rest);
            sums.rest.add(rest, 1);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.pairs.merge(&other.pairs);
        self.scores.merge(&other.scores);
        self.rests.merge(&other.rests);
        self.blank += other.blank;
        self.refused += other.refused;
        self.timed += other.timed;
        self.millis += other.millis;
        for (option, more) in &other.options {
            let sums = self.options.entry(option.clone()).or_default();
            sums.count += more.count;
            sums.rest_sum += more.rest_sum;
            sums.rest.merge(&more.rest);
        }
    }
}
