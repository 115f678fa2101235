//! Lint: whether any text earns the full score.

use dashu_ratio::RBig;
use fablegrade_core::{Finding, Findings};

use super::figures::{last_place, magnitude, round_to_place, truncate_to_place};
use super::quantity::{self, Digits, Quantity};
use super::{Extra, NumberText, Position, Target, UnitMode, WantedNumber};

/// The number of significant figures of a value that is not rounded to fewer; it fits every usual tolerance.
const MANY: usize = 40;
/// The maximum number of decimal places, or of zeros of an integer, that are written out.
const PLACES: i64 = 400;

impl NumberText {
    /// Warns if answers have the weight 1, but the validator gives none of their writings the full score.
    pub(super) fn lint_writings(&self, findings: &mut Findings) {
        // In another unit, a value may have another, shorter form.
        if self.units.is_some_and(|units| units.mode == UnitMode::Convert) {
            return;
        }
        let full = || self.answers.iter().filter(|one| one.weight.is_one());
        let reachable = |one: &WantedNumber| {
            one.slip.is_some() || self.writings(one).iter().any(|given| self.assess(given).score.is_one())
        };
        if full().next().is_some() && !full().any(reachable) {
            findings.push(Finding::warning(
                "no-full-marks",
                "/answers",
                "no answer earns the full score: in the notation and with the digits that are demanded none is equal \
                 to an answer with the weight 1, or an earlier answer takes it",
                "add a tolerance, allow another notation, or put the answer with the weight 1 first",
            ));
        }
    }

    /// Returns an answer as the author wrote it and as learners would write it, in every notation.
    fn writings(&self, wanted: &WantedNumber) -> Vec<Quantity> {
        let (own, values) = match &wanted.target {
            Target::Unit(key) => return vec![key.clone()],
            Target::Value(key) => (Some(key), vec![key.number.clone()]),
            Target::Range(least, most) => {
                let middle = (least + most) / RBig::from(2_u8);
                (None, vec![least.clone(), most.clone(), middle])
            }
        };
        let mut all: Vec<Quantity> = own.cloned().into_iter().collect();
        for value in &values {
            all.extend(self.typed(value, false));
            if self.percent {
                all.extend(self.typed(&(value * quantity::hundred()), true));
            }
        }
        let unit = own.and_then(|key| key.unit.clone());
        let first = self.units.is_some_and(|units| units.position == Position::Before);
        for given in &mut all {
            given.unit.clone_from(&unit);
            given.unit_first = first && unit.is_some();
        }
        all
    }

    /// Returns a value as an integer or fraction, as decimals and in scientific notation, with the digits that the
    /// rules ask for.
    fn typed(&self, value: &RBig, percent: bool) -> Vec<Quantity> {
        let (above, below) = value.clone().into_parts();
        let (_, above) = above.into_parts();
        let plain = Quantity {
            number: value.clone(),
            has_number: true,
            digits: None,
            fraction: None,
            is_reduced: true,
            unit: None,
            unit_first: false,
            percent,
        };
        let mut all = Vec::new();
        if !below.is_one() {
            all.push(Quantity { fraction: Some((above, below)), ..plain.clone() });
        }
        let mut places = vec![last_place(value, MANY)];
        if let Some(figures) = &self.figures {
            let most = figures.counts.most.min(figures.counts.least.saturating_add(2));
            places.extend((figures.counts.least.max(1)..=most.max(1)).map(|count| last_place(value, count)));
            // Zero has as many figures as decimals.
            if value.is_zero() {
                places.extend((figures.counts.least..=most).map(|count| -(count as i64)));
            }
            places.extend(magnitude(value).checked_sub(figures.judged as i64 - 1));
        }
        if let Some(counts) = self.decimals {
            let most = counts.most.min(counts.least.saturating_add(2));
            places.extend((counts.least..=most).map(|count| -(count as i64)));
        }
        let truncated = self.figures.as_ref().is_some_and(|figures| figures.extra == Extra::Truncated);
        for place in places {
            let mut rounded = vec![round_to_place(value, place)];
            if truncated {
                rounded.push(truncate_to_place(value, place));
            }
            for number in rounded {
                for digits in written(&number, place) {
                    all.push(Quantity { number: number.clone(), digits: Some(digits), ..plain.clone() });
                }
            }
        }
        all
    }
}

/// Returns the digits of a multiple of `10^place`: in full and without zeros at its end, as decimals and in scientific
/// notation.
fn written(number: &RBig, place: i64) -> Vec<Digits> {
    let (above, _) = (number / super::exact::ten_to(place)).into_parts();
    let (_, above) = above.into_parts();
    let full = above.to_string();
    let short = full.trim_end_matches('0');
    let mut all = Vec::new();
    let zeros = (full.len() - short.len()) as i64;
    for (digits, place) in [(full.as_str(), place), (short, place + zeros)] {
        if digits.is_empty() {
            all.push(Digits { whole: "0".to_owned(), fraction: None, power: None });
            continue;
        }
        let (first, rest) = digits.split_at(1);
        all.push(Digits {
            whole: first.to_owned(),
            fraction: (!rest.is_empty()).then(|| rest.to_owned()),
            power: Some(place + rest.len() as i64),
        });
        if (-PLACES..=PLACES).contains(&place) {
            let count = place.unsigned_abs() as usize;
            if place >= 0 {
                all.push(Digits {
                    whole: format!("{digits}{}", "0".repeat(count)),
                    fraction: None,
                    power: None,
                });
            } else {
                let padded = format!("{digits:0>width$}", width = count + 1);
                let (whole, fraction) = padded.split_at(padded.len() - count);
                all.push(Digits {
                    whole: whole.to_owned(),
                    fraction: Some(fraction.to_owned()),
                    power: None,
                });
            }
        }
    }
    all
}
