//! Computation of a grade from answers: veto, weighted mean, letter, tier trim.
//!
//! Sums and comparisons are exact. So neither the order of the answers nor the binary rounding of a weight
//! such as 0.34 can move a grade across a threshold.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::ratio::Ratio;

use crate::answer::{Answer, Score};
use crate::area::{Grade, Tier};
use crate::entry::{AggregateGrade, Entry, GradingSystem};
use crate::moment::Moment;

/// A letter and the minimum mean for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Band {
    /// The minimum mean, in tenths.
    pub tenths: u8,
    /// The letter.
    pub grade: Grade,
}

/// The thresholds and values of one version of the grading system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// The version, as written in entries.
    pub version: &'static str,
    /// The letters with their minimum means, best first. A mean below all of them is an `F`.
    pub bands: &'static [Band],
    /// The value of `pass`.
    pub pass: u8,
    /// The value of `fail`.
    pub fail: u8,
}

/// The policy of `gradingSystem/1.0.0`: A from 4.5, B from 3.5, C from 2.5, D from 1.5, otherwise F.
///
/// `pass` counts 5 and `fail` counts 1; `stale` and `n/a` do not count.
pub const GRADING_SYSTEM_1_0_0: Policy = Policy {
    version: "gradingSystem/1.0.0",
    bands: &[
        Band { tenths: 45, grade: Grade::A },
        Band { tenths: 35, grade: Grade::B },
        Band { tenths: 25, grade: Grade::C },
        Band { tenths: 15, grade: Grade::D },
    ],
    pass: 5,
    fail: 1,
};

impl Policy {
    /// Returns the policy of a version of the grading system, if this library knows it.
    pub fn of(version: &GradingSystem) -> Option<&'static Self> {
        (version.as_str() == GRADING_SYSTEM_1_0_0.version).then_some(&GRADING_SYSTEM_1_0_0)
    }

    /// Returns the value of a score, or `None` for `stale` and `n/a`, which do not count in the mean.
    pub fn value(&self, score: &Score) -> Option<Decimal> {
        match score {
            Score::Number(number) => Some(number.clone()),
            Score::Pass => Some(Decimal::from(i64::from(self.pass))),
            Score::Fail => Some(Decimal::from(i64::from(self.fail))),
            Score::Stale | Score::NotApplicable => None,
        }
    }

    /// Returns the letter of the mean `sum / weight`, without a division; `weight` must be positive.
    fn letter(&self, sum: &Decimal, weight: &Decimal) -> Grade {
        let reached = |band: &&Band| *sum >= weight.multiply(&Decimal::new(i64::from(band.tenths), -1));
        self.bands.iter().find(reached).map_or(Grade::F, |band| band.grade)
    }

    /// Computes the grade of weighted scores in `tier`, in linear time.
    ///
    /// A veto overrides all scores. Every pair counts separately; for answers of several graders, see
    /// [`Policy::aggregate_latest`].
    ///
    /// ```
    /// use fablegrade_flowmcp::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0};
    /// use fablegrade_flowmcp::answer::Score;
    /// use fablegrade_flowmcp::area::{Grade, Tier};
    /// use fablegrade_public::decimal::Decimal;
    ///
    /// let one = Decimal::one();
    /// let scores = [Score::Pass, Score::number(Decimal::new(45, -1)).unwrap(), Score::NotApplicable];
    /// let answers = scores.iter().map(|score| (score, &one));
    /// let Aggregation::Graded(graded) = GRADING_SYSTEM_1_0_0.aggregate(answers, Tier::Autonomous, false) else { panic!() };
    /// assert_eq!(graded.mean(), 4.75);
    /// assert_eq!((graded.raw, graded.grade), (Grade::A, Grade::B)); // trimmed by the tier
    /// ```
    pub fn aggregate<'a>(
        &self,
        answers: impl IntoIterator<Item = (&'a Score, &'a Decimal)>,
        tier: Tier,
        veto: bool,
    ) -> Aggregation {
        if veto {
            return Aggregation::Rejected;
        }
        let mut tally = Tally::default();
        let (mut sum, mut weights) = (Decimal::zero(), Decimal::zero());
        for (score, weight) in answers {
            match self.value(score) {
                Some(value) => {
                    tally.counted += 1;
                    sum = sum.add(&value.multiply(weight));
                    weights = weights.add(weight);
                }
                None if *score == Score::Stale => tally.stale += 1,
                None => tally.not_applicable += 1,
            }
        }
        if weights <= Decimal::zero() {
            return Aggregation::NothingScorable(tally);
        }
        let raw = self.letter(&sum, &weights);
        Aggregation::Graded(Graded { sum, weights, raw, grade: raw.min(tier.cap()), tally })
    }

    /// Computes the grade of answers by several graders, in O(n log n).
    ///
    /// Only the latest valid answer to each question counts; see [`latest_per_question`].
    pub fn aggregate_latest(&self, answers: &[Dated<'_>], tier: Tier, veto: bool) -> Aggregation {
        let latest = latest_per_question(self, answers);
        let counted = latest.into_iter().filter_map(|place| answers.get(place));
        let mut aggregation = self.aggregate(counted.map(|dated| (dated.score, dated.weight)), tier, veto);
        if let Aggregation::NothingScorable(tally) | Aggregation::Graded(Graded { tally, .. }) =
            &mut aggregation
        {
            let count = |score| answers.iter().filter(|dated| *dated.score == score).count();
            tally.not_applicable = count(Score::NotApplicable);
            tally.stale = count(Score::Stale);
        }
        aggregation
    }

    /// Computes the grade of an entry's answers; see [`Policy::aggregate_latest`].
    pub fn aggregate_entry(&self, entry: &Entry) -> Aggregation {
        let answers: Vec<_> = entry.gradings.iter().map(Dated::of).collect();
        self.aggregate_latest(&answers, entry.grading_tier, entry.categorical_veto.is_some())
    }
}

/// The numbers of counted and omitted answers. A valid answer that another one replaces is in none of these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Tally {
    /// The number of answers in the mean.
    pub counted: usize,
    /// The number of answers that were omitted because the question does not apply.
    pub not_applicable: usize,
    /// The number of answers that were omitted because they are too old.
    pub stale: usize,
}

/// The result of an aggregation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aggregation {
    /// There is a veto, so nothing was computed.
    Rejected,
    /// No counted answer has a positive weight, so there is no grade.
    NothingScorable(Tally),
    /// A grade.
    Graded(Graded),
}

impl Aggregation {
    /// Returns the grade for an entry, or `None` if nothing is scorable.
    pub fn grade(&self) -> Option<AggregateGrade> {
        match self {
            Self::Rejected => Some(AggregateGrade::Rejected),
            Self::NothingScorable(_) => None,
            Self::Graded(graded) => Some(AggregateGrade::Letter(graded.grade)),
        }
    }
}

/// A grade with the sums from which it was computed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Graded {
    /// The exact sum of values times weights.
    pub sum: Decimal,
    /// The exact sum of the weights, which is positive.
    pub weights: Decimal,
    /// The letter of the mean.
    pub raw: Grade,
    /// The letter after the tier trim.
    pub grade: Grade,
    /// The counts.
    pub tally: Tally,
}

impl Graded {
    /// Returns the exact weighted mean.
    pub fn exact_mean(&self) -> Ratio {
        let (sum, weights) = (Ratio::from_decimal(&self.sum), Ratio::from_decimal(&self.weights));
        sum.over(&weights).unwrap_or_else(Ratio::zero)
    }

    /// Returns the weighted mean with four decimals, rounded down. A mean just below a threshold therefore never
    /// looks as if it reached the threshold.
    pub fn mean_text(&self) -> String {
        // The nearest ten-thousandth is at most one too high. The comparison with it is exact.
        let nearest = (self.mean() * 10_000.0).round();
        let reached = |parts: f64| {
            let mean = Decimal::from_f64(parts).map(|parts| parts.multiply(&Decimal::new(1, -4)));
            mean.is_some_and(|mean| mean.multiply(&self.weights) <= self.sum)
        };
        let parts = if reached(nearest) { nearest } else { nearest - 1.0 };
        format!("{:.4}", parts / 10_000.0)
    }

    /// Returns the weighted mean, rounded once to the nearest `f64`.
    pub fn mean(&self) -> f64 {
        self.exact_mean().to_f64()
    }
}

/// The parts of an answer that determine the latest answer and the grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dated<'a> {
    /// The question; an answer without a question counts separately.
    pub question: Option<&'a str>,
    /// The time of the answer; an answer without a time counts as the oldest.
    pub at: Option<Moment>,
    /// The score.
    pub score: &'a Score,
    /// The weight.
    pub weight: &'a Decimal,
}

impl<'a> Dated<'a> {
    /// Returns the parts of an entry's answer.
    pub fn of(answer: &'a Answer) -> Self {
        let at = Some(Moment::of(&answer.timestamp));
        Self { question: Some(answer.question_id.as_str()), at, score: &answer.score, weight: &answer.weight }
    }
}

/// Returns the indices of the answers that count, in increasing order: the latest valid answer to each
/// question, and all valid answers without a question.
///
/// An answer is valid if its score is a number, `pass` or `fail`; a `stale` or `n/a` answer does not replace
/// another. The grading model does not resolve ties. Among valid answers at the same moment, the one with the
/// lowest value counts, and among equal values the one with the highest weight. The time is O(n log n).
pub fn latest_per_question(policy: &Policy, answers: &[Dated<'_>]) -> Vec<usize> {
    let mut latest: BTreeMap<&str, (Option<Moment>, Decimal, usize)> = BTreeMap::new();
    let mut places = Vec::new();
    for (place, answer) in answers.iter().enumerate() {
        let Some(value) = policy.value(answer.score) else { continue };
        let Some(question) = answer.question else {
            places.push(place);
            continue;
        };
        let newer = latest.get(question).is_none_or(|(other_at, other_value, other)| {
            let order = answer.at.cmp(other_at).then_with(|| other_value.cmp(&value));
            let other_weight = answers.get(*other).map(|other| other.weight);
            order.then_with(|| Some(answer.weight).cmp(&other_weight)) == Ordering::Greater
        });
        if newer {
            latest.insert(question, (answer.at, value, place));
        }
    }
    places.extend(latest.into_values().map(|(_, _, place)| place));
    places.sort_unstable();
    places
}

/// Returns the indices of counted answers that tie with their predecessor, in O(n log n).
///
/// The predecessor is the last earlier counted answer to the same question at the same moment. Answers without a
/// time count as answers at the same moment. The two answers tie if their scores differ.
pub fn ties(answers: &[Dated<'_>]) -> Vec<usize> {
    let mut earlier: BTreeMap<(&str, Option<Moment>), &Score> = BTreeMap::new();
    let mut places = Vec::new();
    for (place, answer) in answers.iter().enumerate().filter(|(_, answer)| answer.score.is_counted()) {
        let Some(question) = answer.question else { continue };
        if earlier.insert((question, answer.at), answer.score).is_some_and(|score| score != answer.score) {
            places.push(place);
        }
    }
    places
}
