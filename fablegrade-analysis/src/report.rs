//! The figures of items and tests.
//!
//! Sources: F. M. Lord and M. R. Novick, *Statistical Theories of Mental Test Scores* (1968), for item and test statistics;
//! L. J. Cronbach, "Coefficient alpha and the internal structure of tests", *Psychometrika* 16 (1951), 297-334; R. A. Fisher's
//! k-statistics for skewness and kurtosis; the documentation of Moodle's quiz statistics report for the effective weight and
//! the discriminative efficiency.

use std::collections::{BTreeMap, BTreeSet};

use dashu_ratio::RBig;
use serde::Serialize;

use crate::accumulator::{Accumulator, ItemSums, OptionSums, Score, UNIT};
use crate::exact::{round, whole};
use crate::figure::{Figure, Undefined};
use crate::findings::{self, Finding};

/// What is known about an item beyond its answers.
#[derive(Debug, Clone)]
pub struct Item {
    /// The maximum score.
    pub maximum: Score,
    /// All options of the item, each with whether it belongs to the key. Empty when unknown.
    pub options: BTreeMap<String, bool>,
}

impl Default for Item {
    /// An item with one point and unknown options.
    fn default() -> Self {
        Self { maximum: Score::from_points(1), options: BTreeMap::new() }
    }
}

/// What is known about the items, by id; an item that is not named is [`Item::default`].
pub type Items = BTreeMap<String, Item>;

/// All figures of all items, in the order of their ids.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The test as a whole.
    pub test: TestReport,
    /// Each item.
    pub items: Vec<ItemReport>,
    /// Defects of items that the figures show.
    pub findings: Vec<Finding>,
}

/// The figures of a test. Scores are in points.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TestReport {
    /// Number of sittings.
    pub sittings: u64,
    /// Mean total score.
    pub mean: Figure,
    /// Sample standard deviation of the total scores (denominator `n - 1`).
    pub standard_deviation: Figure,
    /// `k₃ / k₂^(3/2)` of the total scores.
    pub skewness: Figure,
    /// `k₄ / k₂²` of the total scores: 0 for a normal distribution.
    pub kurtosis: Figure,
    /// Cronbach's alpha: `k/(k-1) · (1 - Σ Var(item) / Var(total))`, when every sitting has every item.
    pub alpha: Figure,
    /// Standard error of measurement: `SD · √(1 - alpha)`.
    pub standard_error: Figure,
}

/// The figures of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ItemReport {
    /// The id.
    pub item: String,
    /// Number of answers, with blank and refused ones.
    pub attempts: u64,
    /// Mean score as a share of the maximum.
    pub facility: Figure,
    /// Sample standard deviation of the scores, in points.
    pub standard_deviation: Figure,
    /// Correlation of the score with the rest score (the total without this item). For scores 0 and 1 it is the corrected
    /// point-biserial coefficient.
    pub discrimination: Figure,
    /// Covariance with the rest score as a share of the largest that these scores allow.
    pub discriminative_efficiency: Figure,
    /// `√Cov(item, total)` as a share of the sum over all items where it is defined.
    pub effective_weight: Figure,
    /// Share of blank answers.
    pub blank: Figure,
    /// Share of refused answers.
    pub refused: Figure,
    /// Mean time in seconds of the answers that have one.
    pub seconds: Figure,
    /// What was chosen, in the order of the options' names.
    pub options: Vec<OptionReport>,
}

/// How often an option was chosen, and by whom.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionReport {
    /// The option's name.
    pub option: String,
    /// Whether it belongs to the key, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<bool>,
    /// How often it was chosen.
    pub count: u64,
    /// Share of the answers.
    pub share: Figure,
    /// Mean rest score of those who chose it, in points.
    pub mean_rest: Figure,
    /// Lower quartile, median and upper quartile of their rest scores, in points.
    pub rest_quartiles: [Figure; 3],
}

impl Accumulator {
    /// All figures. Takes time linear in the number of items, options and distinct scores.
    pub fn finish(&self, items: &Items) -> Report {
        let roots = self.weight_roots();
        let total_root: f64 = roots.iter().filter_map(|root| root.ok()).sum();
        let default = Item::default();
        let reports: Vec<_> = self
            .items
            .iter()
            .zip(&roots)
            .map(|((id, sums), root)| {
                let known = items.get(&**id).unwrap_or(&default);
                let weight = root.and_then(|root| share_of(root, total_root));
                item_report(id, sums, known, weight)
            })
            .collect();
        let findings = findings::of(&reports);
        Report { test: self.test_report(), items: reports, findings }
    }

    /// `√Cov(item, total)` of each item.
    fn weight_roots(&self) -> Vec<Result<f64, Undefined>> {
        let root = |sums: &ItemSums| {
            let covariance = sums.pairs.with_sum().covariance()?;
            if covariance < RBig::ZERO {
                return Err(Undefined::Negative);
            }
            Ok(libm::sqrt(round(&points(points(covariance)))))
        };
        self.items.values().map(root).collect()
    }

    fn test_report(&self) -> TestReport {
        let variance = self.totals.variance().map(|variance| points(points(variance)));
        let deviation =
            variance.as_ref().map(|variance| libm::sqrt(round(variance))).map_err(|&reason| reason);
        let alpha = self.alpha();
        let error = match (&alpha, deviation) {
            (Ok(alpha), Ok(deviation)) => Ok(deviation * libm::sqrt(round(&(RBig::ONE - alpha)))),
            (Err(reason), _) => Err(*reason),
            (_, Err(reason)) => Err(reason),
        };
        TestReport {
            sittings: self.totals.count,
            mean: Figure(self.totals.mean().map(|mean| round(&points(mean)))),
            standard_deviation: Figure(deviation),
            skewness: Figure(self.totals.skewness()),
            kurtosis: Figure(self.totals.kurtosis()),
            alpha: Figure(alpha.map(|alpha| round(&alpha))),
            standard_error: Figure(error),
        }
    }

    fn alpha(&self) -> Result<RBig, Undefined> {
        let count = self.items.len();
        if count < 2 {
            return Err(Undefined::TooFew);
        }
        if self.items.values().any(|sums| sums.pairs.count != self.totals.count) {
            return Err(Undefined::Incomplete);
        }
        let total = self.totals.variance()?;
        if total == RBig::ZERO {
            return Err(Undefined::NoSpread);
        }
        let mut sum = RBig::ZERO;
        for sums in self.items.values() {
            sum += sums.pairs.variance_x()?;
        }
        Ok(whole(count) / whole(count - 1) * (RBig::ONE - sum / total))
    }
}

/// Millionths as points.
fn points(millionths: RBig) -> RBig {
    millionths / whole(UNIT)
}

fn share_of(part: f64, whole: f64) -> Result<f64, Undefined> {
    if whole == 0.0 { Err(Undefined::NoSpread) } else { Ok(part / whole) }
}

/// `part / all`.
fn ratio(part: impl Into<dashu_int::IBig>, all: u64) -> Figure {
    Figure(if all == 0 { Err(Undefined::TooFew) } else { Ok(round(&(whole(part) / whole(all)))) })
}

fn item_report(id: &str, sums: &ItemSums, known: &Item, weight: Result<f64, Undefined>) -> ItemReport {
    let pairs = &sums.pairs;
    let facility = match known.maximum.0 {
        0 => Err(Undefined::NoMaximum),
        maximum => pairs.mean_x().map(|mean| round(&(mean / whole(maximum)))),
    };
    let deviation = pairs.variance_x().map(|variance| libm::sqrt(round(&points(points(variance)))));
    ItemReport {
        item: id.to_owned(),
        attempts: pairs.count,
        facility: Figure(facility),
        standard_deviation: Figure(deviation),
        discrimination: Figure(pairs.correlation()),
        discriminative_efficiency: Figure(efficiency(sums)),
        effective_weight: Figure(weight),
        blank: ratio(sums.blank, pairs.count),
        refused: ratio(sums.refused, pairs.count),
        seconds: Figure(match sums.timed {
            0 => Err(Undefined::TooFew),
            timed => Ok(round(&(whole(sums.millis) / whole(timed) / whole(1_000)))),
        }),
        options: option_reports(sums, known),
    }
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
        sums.options.keys().map(AsRef::as_ref).chain(known.options.keys().map(String::as_str)).collect();
    let none = OptionSums::default();
    let reports = names.into_iter().map(|name| {
        let option = sums.options.get(name).unwrap_or(&none);
        let quartile = |quarter| match option.count {
            0 => Figure(Err(Undefined::TooFew)),
            _ => Figure(
                option
                    .rest
                    .quantile(quarter, 4)
                    .map(|rest| Score(rest).to_f64())
                    .ok_or(Undefined::TooManyValues),
            ),
        };
        OptionReport {
            option: name.to_owned(),
            key: known.options.get(name).copied(),
            count: option.count,
            share: ratio(option.count, sums.pairs.count),
            mean_rest: Figure(match option.count {
                0 => Err(Undefined::TooFew),
                count => Ok(round(&points(whole(option.rest_sum) / whole(count)))),
            }),
            rest_quartiles: [1, 2, 3].map(quartile),
        }
    });
    reports.collect()
}
