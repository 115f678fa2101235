//! Statistics of items and tests.
//!
//! Sources: F. M. Lord and M. R. Novick, *Statistical Theories of Mental Test Scores* (1968), for item and
//! test statistics; L. J. Cronbach, "Coefficient alpha and the internal structure of tests", *Psychometrika*
//! 16 (1951), 297-334; R. A. Fisher's k-statistics for skewness and kurtosis; the documentation of Moodle's
//! quiz statistics report for the effective weight and the discriminative efficiency.

use std::collections::BTreeSet;

use dashu_ratio::RBig;
use serde::Serialize;

use crate::accumulator::{Accumulator, ItemSums, OptionSums};
use crate::answers::{self, AnswerGroup, Group};
use crate::distribution::Distribution;
use crate::exact::{round, whole};
use crate::findings::{self, Finding};
use crate::items::{Item, Items, OptionKind};
use crate::sitting::{Score, UNIT};
use crate::statistic::{Statistic, Undefined};

/// The statistics of a test and of its items, in the order of the items' ids.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The test as a whole.
    pub test: TestReport,
    /// The reports of the items.
    pub items: Vec<ItemReport>,
    /// Defects of items that the statistics show.
    pub findings: Vec<Finding>,
}

/// The statistics of a test. Scores are in points.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestReport {
    /// The number of sittings.
    pub sittings: u64,
    /// The mean total score.
    pub mean: Statistic,
    /// Sample standard deviation of the total scores (denominator `n - 1`).
    pub standard_deviation: Statistic,
    /// `k₃ / k₂^(3/2)` of the total scores.
    pub skewness: Statistic,
    /// `k₄ / k₂²` of the total scores: 0 for a normal distribution.
    pub kurtosis: Statistic,
    /// Cronbach's alpha: `k/(k-1) · (1 - Σ Var(item) / Var(total))`, when every sitting has every item.
    pub alpha: Statistic,
    /// Standard error of measurement: `SD · √(1 - alpha)`.
    pub standard_error: Statistic,
    /// Lower quartile, median and upper quartile of the total scores.
    pub quartiles: [Statistic; 3],
    /// The number of sittings for each total score, in at most 20 classes of equal width; empty when there are more
    /// distinct scores than are kept.
    pub histogram: Vec<Class>,
}

/// A class of total scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Class {
    /// The inclusive lower bound of the class, in points.
    pub from: f64,
    /// The exclusive upper bound of the class, in points.
    pub to: f64,
    /// The number of sittings.
    pub sittings: u64,
}

/// The statistics of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ItemReport {
    /// The id of the item.
    pub item: String,
    /// Number of answers with a score; blank and refused ones have 0 points.
    pub attempts: u64,
    /// Number of answers that are not graded yet. Of the other statistics, only the time includes them.
    pub pending: u64,
    /// Mean score divided by the maximum score.
    pub facility: Statistic,
    /// Sample standard deviation of the scores, in points.
    pub standard_deviation: Statistic,
    /// Correlation of the score with the rest score (the total without this item). For scores 0 and 1 it is the corrected
    /// point-biserial coefficient.
    pub discrimination: Statistic,
    /// The mean score of a random answer, divided by the maximum score.
    pub random_guess: Statistic,
    /// Covariance with the rest score, divided by the largest covariance that these scores allow.
    pub discriminative_efficiency: Statistic,
    /// `√Cov(item, total)` divided by the sum of this value over all items for which it is defined.
    pub effective_weight: Statistic,
    /// Share of blank answers.
    pub blank: Statistic,
    /// Share of refused answers.
    pub refused: Statistic,
    /// Mean time in seconds of the answers that have one.
    pub seconds: Statistic,
    /// The kind of the options.
    pub option_kind: OptionKind,
    /// The options in the order of their names. A known option that nobody chose is listed with count 0.
    pub options: Vec<OptionReport>,
    /// The common wrong answers of a numeric or expression item, at most 20, the most frequent first.
    pub wrong_answers: Vec<AnswerGroup>,
    /// The reason why the wrong answers are unknown, if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong_answers_absent: Option<&'static str>,
    /// The number of answers that are too long to be counted individually.
    pub long_answers: u64,
}

/// The number of learners who chose an option, and their scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OptionReport {
    /// The name of the option.
    pub option: String,
    /// Whether it belongs to the key, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<bool>,
    /// The number of learners who chose it.
    pub count: u64,
    /// Share of the answers.
    pub share: Statistic,
    /// Mean rest score of those who chose it, in points.
    pub mean_rest: Statistic,
    /// Lower quartile, median and upper quartile of their rest scores, in points.
    pub rest_quartiles: [Statistic; 3],
}

impl Accumulator {
    /// Computes all statistics.
    ///
    /// Takes O(n log n) time in the number of items, options, distinct scores and distinct written answers.
    /// To group the wrong answers to an expression item, at most [`crate::MAX_COMPARISONS`] expressions are
    /// compared.
    pub fn finish(&self, items: &Items) -> Report {
        let listed = self.items.sorted();
        let roots: Vec<_> = listed.iter().map(|(_, sums)| weight_root(sums)).collect();
        let total_root: f64 = roots.iter().filter_map(|root| root.ok()).sum();
        let default = Item::default();
        let (mut reports, mut findings) = (Vec::new(), Vec::new());
        for ((id, sums), root) in listed.into_iter().zip(roots) {
            let known = items.get(id).unwrap_or(&default);
            let weight = root.and_then(|root| share_of(root, total_root));
            let groups = answers::groups(sums, known);
            let report = item_report(id, sums, known, weight, &groups);
            findings::of(&report, sums, known, groups.as_deref().unwrap_or_default(), &mut findings);
            reports.push(report);
        }
        Report { test: self.test_report(), items: reports, findings }
    }

    fn test_report(&self) -> TestReport {
        let variance = self.totals.variance().map(|variance| points(points(variance)));
        let deviation =
            variance.as_ref().map(|variance| libm::sqrt(round(variance))).map_err(|&reason| reason);
        let alpha = self.alpha();
        let error = match (&alpha, deviation) {
            // Only item sums and total sums that do not belong together give an alpha above 1.
            (Ok(alpha), Ok(_)) if *alpha > RBig::ONE => Err(Undefined::Negative),
            (Ok(alpha), Ok(deviation)) => Ok(deviation * libm::sqrt(round(&(RBig::ONE - alpha)))),
            (Err(reason), _) => Err(*reason),
            (_, Err(reason)) => Err(reason),
        };
        TestReport {
            sittings: self.totals.count,
            mean: Statistic(self.totals.mean().map(|mean| round(&points(mean)))),
            standard_deviation: Statistic(deviation),
            skewness: Statistic(self.totals.skewness()),
            kurtosis: Statistic(self.totals.kurtosis()),
            alpha: Statistic(alpha.map(|alpha| round(&alpha))),
            standard_error: Statistic(error),
            quartiles: [1, 2, 3]
                .map(|quarter| Statistic(quantile(&self.total_scores, self.totals.count, quarter))),
            histogram: histogram(&self.total_scores),
        }
    }

    fn alpha(&self) -> Result<RBig, Undefined> {
        // An item whose answers are all pending is in no total.
        let scored = || self.items.iter().map(|(_, sums)| sums).filter(|sums| sums.pairs.count > 0);
        let count = scored().count();
        if count < 2 {
            return Err(Undefined::TooFew);
        }
        if scored().any(|sums| sums.pairs.count != self.totals.count) {
            return Err(Undefined::Incomplete);
        }
        let total = self.totals.variance()?;
        if total == RBig::ZERO {
            return Err(Undefined::NoSpread);
        }
        let mut sum = RBig::ZERO;
        for sums in scored() {
            sum += sums.pairs.variance_x()?;
        }
        Ok(whole(count) / whole(count - 1) * (RBig::ONE - sum / total))
    }
}

/// Returns `√Cov(item, total)`.
fn weight_root(sums: &ItemSums) -> Result<f64, Undefined> {
    let covariance = sums.pairs.with_sum().covariance()?;
    if covariance < RBig::ZERO {
        return Err(Undefined::Negative);
    }
    Ok(libm::sqrt(round(&points(points(covariance)))))
}

/// Converts millionths to points.
pub(crate) fn points(millionths: RBig) -> RBig {
    millionths / whole(UNIT)
}

fn share_of(part: f64, whole: f64) -> Result<f64, Undefined> {
    if whole == 0.0 { Err(Undefined::NoSpread) } else { Ok(part / whole) }
}

/// Returns `part / all`.
pub(crate) fn ratio(part: impl Into<dashu_int::IBig>, all: u64) -> Statistic {
    Statistic(if all == 0 { Err(Undefined::TooFew) } else { Ok(round(&(whole(part) / whole(all)))) })
}

fn item_report(
    id: &str,
    sums: &ItemSums,
    known: &Item,
    weight: Result<f64, Undefined>,
    groups: &Result<Vec<Group<'_>>, Undefined>,
) -> ItemReport {
    let pairs = &sums.pairs;
    let facility = match known.maximum.0 {
        0 => Err(Undefined::NoMaximum),
        maximum => pairs.mean_x().map(|mean| round(&(mean / whole(maximum)))),
    };
    let deviation = pairs.variance_x().map(|variance| libm::sqrt(round(&points(points(variance)))));
    ItemReport {
        item: id.to_owned(),
        attempts: pairs.count,
        pending: sums.pending,
        facility: Statistic(facility),
        standard_deviation: Statistic(deviation),
        discrimination: Statistic(pairs.correlation()),
        random_guess: Statistic(match (known.chance, known.maximum.0) {
            (_, 0) => Err(Undefined::NoMaximum),
            (None, _) => Err(Undefined::NoRandomAnswer),
            (Some(chance), _) => Ok(chance / known.maximum.to_f64()),
        }),
        discriminative_efficiency: Statistic(efficiency(sums)),
        effective_weight: Statistic(weight),
        blank: ratio(sums.blank, pairs.count),
        refused: ratio(sums.refused, pairs.count),
        seconds: Statistic(match sums.timed {
            0 => Err(Undefined::NoTimes),
            timed => Ok(round(&(whole(sums.millis) / whole(timed) / whole(1_000)))),
        }),
        option_kind: known.kind,
        options: option_reports(sums, known),
        wrong_answers: answers::reported(groups.as_deref().unwrap_or_default(), pairs.count),
        wrong_answers_absent: groups.as_ref().err().map(|reason| reason.reason()),
        long_answers: sums.texts.long,
    }
}

/// Returns a quartile of `count` scores, in points.
fn quantile(scores: &Distribution, count: u64, quarter: u64) -> Result<f64, Undefined> {
    if count == 0 {
        return Err(Undefined::TooFew);
    }
    scores.quantile(quarter, 4).map(|score| Score(score).to_f64()).ok_or(Undefined::TooManyValues)
}

/// The maximum number of classes of a histogram.
const MAX_CLASSES: i64 = 20;

fn histogram(scores: &Distribution) -> Vec<Class> {
    let counts = scores.sorted().unwrap_or_default();
    let (Some(&(first, _)), Some(&(last, _))) = (counts.first(), counts.last()) else { return Vec::new() };
    // If all scores are multiples of a whole, half, fifth or tenth of a point, so is the width. Otherwise,
    // the width is the smallest that gives at most 20 classes.
    let span = last - first;
    let steps = [UNIT, UNIT / 2, UNIT / 5, UNIT / 10];
    let width = match steps.into_iter().find(|step| counts.iter().all(|(score, _)| score % step == 0)) {
        Some(step) => step * ((span / step + MAX_CLASSES) / MAX_CLASSES),
        None => (span / MAX_CLASSES + 1).max(1),
    };
    let classes = span / width + 1;
    let mut sittings = vec![0; classes as usize];
    for &(score, times) in &counts {
        sittings[((score - first) / width) as usize] += times;
    }
    let class = |(at, sittings): (usize, u64)| {
        let from = first + width * at as i64;
        Class { from: Score(from).to_f64(), to: Score(from + width).to_f64(), sittings }
    };
    sittings.into_iter().enumerate().map(class).collect()
}

fn efficiency(sums: &ItemSums) -> Result<f64, Undefined> {
    let largest = sums.scores.largest_product(&sums.rests).ok_or(Undefined::TooManyValues)?;
    let largest = sums.pairs.covariance_if(&largest)?;
    if largest == RBig::ZERO {
        return Err(Undefined::NoSpread);
    }
    Ok(round(&(sums.pairs.covariance()? / largest)))
}

fn option_reports(sums: &ItemSums, known: &Item) -> Vec<OptionReport> {
    let names: BTreeSet<&str> =
        sums.options.iter().map(|(name, _)| name).chain(known.options.keys().map(String::as_str)).collect();
    let none = OptionSums::default();
    let reports = names.into_iter().map(|name| {
        let option = sums.options.get(name).unwrap_or(&none);
        let quartile = |quarter| Statistic(quantile(&option.rest, option.count, quarter));
        OptionReport {
            option: name.to_owned(),
            key: known.options.get(name).copied(),
            count: option.count,
            share: ratio(option.count, sums.pairs.count),
            mean_rest: Statistic(match option.count {
                0 => Err(Undefined::TooFew),
                count => Ok(round(&points(whole(option.rest_sum) / whole(count)))),
            }),
            rest_quartiles: [1, 2, 3].map(quartile),
        }
    });
    reports.collect()
}
