//! Strategies by which a phase picks among its routes: first-match, fan-out, score-threshold.

use std::cmp::Ordering;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::ratio::Ratio;

use crate::evaluate::{Evaluator, ReadyRoute, Run, warn};
use crate::language::Language;
use crate::record::{PhaseResult, PhaseStatus, RouteResult, reason, warning};
use crate::screener::{Phase, Strategy};

/// Picks among the routes of a phase, except overrides, and fills in `result`.
pub(crate) fn evaluate<'s, L: Language>(
    evaluator: &Evaluator<'s, L>,
    phase: &Phase,
    routes: &[ReadyRoute<'s, L>],
    result: &mut PhaseResult,
    warnings: &mut Vec<&'static str>,
    run: &mut Run<'_, L>,
) {
    let mut picking = Picking { evaluator, phase, result, warnings, run };
    let routes = routes.iter().filter(|route| !route.route.is_override);
    match phase.strategy {
        Strategy::FirstMatch => picking.first_match(routes),
        Strategy::FanOut => picking.fan_out(routes),
        Strategy::ScoreThreshold => picking.score_threshold(routes),
        Strategy::Other(_) => picking.result.status = PhaseStatus::UnsupportedStrategy,
    }
}

struct Picking<'p, 's, 'r, L: Language> {
    evaluator: &'p Evaluator<'s, L>,
    phase: &'p Phase,
    result: &'p mut PhaseResult,
    warnings: &'p mut Vec<&'static str>,
    run: &'p mut Run<'r, L>,
}

impl<'p, 's: 'p, L: Language + 'p> Picking<'p, 's, '_, L> {
    fn entry(&mut self, route: &ReadyRoute<'s, L>, reason: Option<&str>) -> RouteResult {
        let entry = self.evaluator.result(route, self.warnings, self.run);
        RouteResult { reason: reason.map(str::to_owned), ..entry }
    }

    /// Returns the reason why the route does not match; `None` if it does.
    fn objection(&mut self, route: &ReadyRoute<'s, L>) -> Option<&'static str> {
        match self.evaluator.condition(route, self.run) {
            Ok(true) => None,
            Ok(false) => Some(reason::CONDITION_FALSE),
            Err(()) => {
                warn(self.warnings, warning::EXPRESSION_ERROR);
                Some(reason::EXPRESSION_ERROR)
            }
        }
    }

    /// Picks the first match. Earlier routes are eliminated, and later routes are not listed.
    fn first_match(&mut self, routes: impl Iterator<Item = &'p ReadyRoute<'s, L>>) {
        for route in routes {
            let objection = self.objection(route);
            let entry = self.entry(route, objection);
            if objection.is_none() {
                self.result.matched.push(entry);
                return;
            }
            self.result.eliminated.push(entry);
        }
    }

    fn fan_out(&mut self, routes: impl Iterator<Item = &'p ReadyRoute<'s, L>>) {
        for route in routes {
            let objection = self.objection(route);
            let entry = self.entry(route, objection);
            let list =
                if objection.is_none() { &mut self.result.matched } else { &mut self.result.eliminated };
            list.push(entry);
        }
        // The specification counts the "routes that must match", and the routes that the cut removes did
        // match.
        let matched = self.result.matched.len();
        self.cut(self.phase.config.max_matches);
        let counted =
            if self.evaluator.is_reference_compatible() { self.result.matched.len() } else { matched };
        if self.phase.config.min_matches.is_some_and(|min| (counted as u64) < min) {
            warn(self.warnings, warning::BELOW_MINIMUM);
        }
    }

    /// Eliminates the matches beyond `most`, in their order (reversed in reference-compatible mode).
    fn cut(&mut self, most: Option<u64>) {
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        let mut excess = self.result.matched.split_off(most.min(self.result.matched.len()));
        if self.evaluator.is_reference_compatible() {
            excess.reverse();
        }
        for mut entry in excess {
            entry.reason = Some(reason::MAX_EXCEEDED.to_owned());
            self.result.eliminated.push(entry);
        }
    }

    fn score_threshold(&mut self, routes: impl Iterator<Item = &'p ReadyRoute<'s, L>>) {
        let reference = self.evaluator.is_reference_compatible();
        let scores: Vec<_> = routes.map(|route| (route, self.evaluator.score(route, self.run))).collect();
        let greatest = scores.iter().filter_map(|(_, score)| score.as_ref().ok()?.as_ref()).max().cloned();
        let scale = if self.phase.config.normalize { greatest } else { None };
        let mut matched = Vec::new();
        for (route, score) in &scores {
            let score = match score {
                Ok(Some(score)) => Scaled { score, scale: scale.as_ref(), reference },
                Ok(None) => {
                    let entry = self.entry(route, Some(reason::NULL_SCORE));
                    self.result.eliminated.push(entry);
                    continue;
                }
                Err(()) => {
                    warn(self.warnings, warning::EXPRESSION_ERROR);
                    let entry = self.entry(route, Some(reason::EXPRESSION_ERROR));
                    self.result.eliminated.push(entry);
                    continue;
                }
            };
            let zero = Decimal::zero();
            let reached = score.reaches(route.route.threshold.as_ref().unwrap_or(&zero));
            let entry = self.entry(route, (!reached).then_some(reason::BELOW_THRESHOLD));
            let entry = RouteResult { score: score.value(), ..entry };
            if reached {
                matched.push((score, entry));
            } else {
                self.result.eliminated.push(entry);
            }
        }
        // Stable: routes with equal scores keep their order.
        matched.sort_by(|(a, _), (b, _)| b.order(a));
        self.result.matched = matched.into_iter().map(|(_, entry)| entry).collect();
        self.cut(self.phase.config.top_n);
    }
}

/// A score and, if the phase normalizes, the greatest score of the phase, by which it is divided. A greatest
/// score of zero or less makes all scores zero.
#[derive(Clone, Copy)]
struct Scaled<'a> {
    score: &'a Decimal,
    scale: Option<&'a Decimal>,
    /// `true` to compare in binary floating point, as the reference implementation does.
    reference: bool,
}

impl Scaled<'_> {
    fn is_zero(&self) -> bool {
        self.scale.is_some_and(|scale| scale.is_negative() || scale.is_zero())
    }

    fn float(&self) -> f64 {
        match self.scale {
            _ if self.is_zero() => 0.0,
            Some(scale) => self.score.to_f64() / scale.to_f64(),
            None => self.score.to_f64(),
        }
    }

    /// Decides `score / scale >= threshold`; without a division, hence without rounding, unless `reference`
    /// is set.
    fn reaches(&self, threshold: &Decimal) -> bool {
        if self.reference {
            return self.float() >= threshold.to_f64();
        }
        match self.scale {
            _ if self.is_zero() => threshold.is_negative() || threshold.is_zero(),
            Some(scale) => *self.score >= threshold.multiply(scale),
            None => self.score >= threshold,
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        if self.reference {
            return self.float().total_cmp(&other.float());
        }
        if self.is_zero() { Ordering::Equal } else { self.score.cmp(other.score) }
    }

    /// Returns the score to write: the exact score, or the `f64` that is nearest to the quotient.
    fn value(&self) -> Option<Decimal> {
        match self.scale {
            Some(scale) if !self.reference && !self.is_zero() => {
                let quotient = Ratio::from_decimal(self.score).over(&Ratio::from_decimal(scale))?;
                Decimal::from_f64(quotient.to_f64())
            }
            None if !self.reference => Some(self.score.clone()),
            _ => Decimal::from_f64(self.float()),
        }
    }
}
