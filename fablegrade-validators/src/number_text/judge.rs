//! Judgement of a typed number: value, digits and unit separately.

use std::borrow::Cow;

use dashu_base::{Abs, Signed};
use dashu_ratio::RBig;
use fablegrade_core::host::{Judgement, Message, Steps, Unjudged};
use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Findings, Ratio, StateJudge};

use super::exact::ten_to;
use super::figures::{last_place, round_to_figures, round_to_place, truncate_to_place};
use super::quantity::{self, Quantity, Unread};
use super::typed_unit::TypedUnit;
use super::{
    Extra, Fractions, NumberText, Position, Slip, Target, Tolerance, UnitMode, WantedNumber, Written,
};
use crate::fields;

/// Returns the code of the sentence that explains why a text cannot be read.
pub(super) fn unread(reason: Unread) -> &'static str {
    match reason {
        Unread::Empty => "no-number",
        Unread::Form => "not-a-number",
        Unread::Grouping => "grouping",
        Unread::Unit => "unit-unknown",
    }
}

/// The agreement of an answer with an expected number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The quantity is right.
    Right,
    /// The number would be right in the expected unit.
    NumberOnly,
    /// The answer is not right.
    Wrong,
}

/// The comparison of a quantity with all answers.
pub(super) struct Assessment {
    /// The index of the first answer that is right.
    right: Option<usize>,
    /// If none is right, the index of the first that has this number in another unit.
    near: Option<usize>,
    /// Codes of sentences: faults of the notation, the digits and the unit.
    faults: Vec<&'static str>,
    pub(super) score: Ratio,
}

impl NumberText {
    fn is_unit_only(&self) -> bool {
        self.units.is_some_and(|units| units.mode == UnitMode::Only)
    }

    /// Compares a quantity with all answers. It has a number, unless units alone are asked for.
    pub(super) fn assess(&self, given: &Quantity) -> Assessment {
        let writing = if self.is_unit_only() { Vec::new() } else { self.faults_of_writing(given) };
        let fits = |wanted: Fit| self.answers.iter().position(|one| self.fit(given, one) == wanted);
        let right = fits(Fit::Right);
        let near = if right.is_none() { fits(Fit::NumberOnly) } else { None };
        let wanted = right.or(near).map(|place| &self.answers[place]);
        let unit = self.fault_of_unit(given, wanted.or(self.answers.first()));
        let mut score = match wanted {
            None if self.answers.is_empty() => Ratio::one(),
            None => Ratio::zero(),
            Some(wanted) => wanted.weight.clone(),
        };
        if near.is_some() || unit.is_some() {
            score = score.times(&self.partial_unit);
        }
        if !writing.is_empty() {
            score = score.times(&self.partial_digits);
        }
        let faults = writing.into_iter().chain(unit).collect();
        Assessment { right, near, faults, score }
    }

    /// Returns the faults of a number's notation and digits, as codes of sentences.
    fn faults_of_writing(&self, given: &Quantity) -> Vec<&'static str> {
        let mut faults = Vec::new();
        match (&given.fraction, self.fractions) {
            (Some(_), Fractions::No) => faults.push("fraction-not-wanted"),
            (_, Fractions::Reduced) if !given.is_reduced => faults.push("not-reduced"),
            _ => {}
        }
        let power = given.digits.as_ref().is_some_and(|digits| digits.power.is_some());
        match self.written {
            Written::Any => {}
            Written::Decimal if given.digits.is_none() => faults.push("not-decimal"),
            Written::Decimal if power => faults.push("scientific-not-wanted"),
            Written::Scientific if !given.digits.as_ref().is_some_and(quantity::Digits::is_scientific) => {
                faults.push("not-scientific");
            }
            Written::Fraction
                if given.fraction.is_none()
                    && given.digits.as_ref().is_none_or(|digits| digits.fraction.is_some() || power) =>
            {
                faults.push("fraction-wanted");
            }
            _ => {}
        }
        if self.figures.is_none() && self.decimals.is_none() {
            return faults;
        }
        let Some(digits) = &given.digits else {
            if !faults.contains(&"not-decimal") {
                faults.push("not-decimal");
            }
            return faults;
        };
        if let Some(figures) = &self.figures {
            let (least, most) = digits.significant();
            let most = if figures.strict { least } else { most };
            if most < figures.counts.least {
                faults.push("too-few-figures");
            } else if least > figures.counts.most {
                faults.push("too-many-figures");
            }
        }
        if let Some(counts) = self.decimals {
            if digits.decimals() < counts.least {
                faults.push("too-few-decimals");
            } else if digits.decimals() > counts.most {
                faults.push("too-many-decimals");
            }
        }
        faults
    }

    /// Returns whether a number fits a key in the same unit.
    fn fits(
        &self,
        number: &RBig,
        key: &RBig,
        unit: Option<&TypedUnit>,
        wanted: &WantedNumber,
        typed: &Quantity,
    ) -> bool {
        if let Some(tolerance) = wanted.tolerance.as_ref().or(self.tolerance.as_ref()) {
            if typed.percent {
                return tolerance.holds(&(number / quantity::hundred()), &(key / quantity::hundred()), unit);
            }
            return tolerance.holds(number, key, unit);
        }
        if let Some(figures) = &self.figures {
            if figures.extra != Extra::Free {
                let typed = typed.digits.as_ref().map_or(0, |digits| digits.significant().1);
                let count =
                    typed.min(figures.counts.least + figures.extra_judged).max(figures.counts.least).max(1);
                let place = last_place(key, count);
                let near = round_to_place(number, place);
                return near == round_to_place(key, place)
                    || (figures.extra == Extra::Truncated && near == truncate_to_place(key, place));
            }
            if key.is_zero() {
                return number.is_zero();
            }
            let (rounded, place) = round_to_figures(key, figures.judged);
            return round_to_place(number, place) == rounded;
        }
        if let Some(counts) = self.decimals {
            let places = if counts.most == usize::MAX { counts.least } else { counts.most };
            let place = -(places as i64);
            return round_to_place(number, place) == round_to_place(key, place);
        }
        number == key
    }

    fn fit(&self, given: &Quantity, wanted: &WantedNumber) -> Fit {
        let key = match &wanted.target {
            Target::Range(least, most) => {
                let inside = (least..=most).contains(&given.value().as_ref());
                return if inside { Fit::Right } else { Fit::Wrong };
            }
            Target::Unit(unit) => {
                let same = same_unit(given.unit.as_ref(), unit.unit.as_ref());
                return if same { Fit::Right } else { Fit::Wrong };
            }
            Target::Value(key) => key,
        };
        // An answer in percent is compared with the key in percent, so figures and places count as typed.
        let in_place;
        let key = if given.percent {
            in_place = Quantity { number: &key.number * quantity::hundred(), ..key.clone() };
            &in_place
        } else {
            key
        };
        let matches = |number: &RBig| match &wanted.slip {
            None => self.fits(number, &key.number, key.unit.as_ref(), wanted, given),
            Some(slip) => self.slipped(slip, number, key, wanted, given),
        };
        let converted = match (self.units.map(|units| units.mode), &given.unit, &key.unit) {
            (Some(UnitMode::Convert), Some(from), Some(to)) => converted(&given.number, from, to),
            (Some(_), Some(_), _) => {
                same_unit(given.unit.as_ref(), key.unit.as_ref()).then(|| Cow::Borrowed(&given.number))
            }
            (Some(_), None, Some(_)) if self.units.is_some_and(|rules| rules.optional) => {
                Some(Cow::Borrowed(&given.number))
            }
            (Some(_), None, Some(_)) => None,
            _ => Some(Cow::Borrowed(&given.number)),
        };
        if converted.is_some_and(|number| matches(&number)) {
            return Fit::Right;
        }
        if key.unit.is_some() && matches(&given.number) { Fit::NumberOnly } else { Fit::Wrong }
    }

    fn slipped(
        &self,
        slip: &Slip,
        number: &RBig,
        key: &Quantity,
        wanted: &WantedNumber,
        given: &Quantity,
    ) -> bool {
        match *slip {
            Slip::SameDigits(count) => {
                let figures = |quantity: &Quantity| {
                    let mut digits = quantity.digits.as_ref()?.mantissa();
                    while digits.len() < count {
                        digits.push('0');
                    }
                    digits.truncate(count);
                    Some(digits)
                };
                let (mine, wanted) = (figures(given), figures(key));
                mine.is_some() && mine == wanted && given.number.is_negative() == key.number.is_negative()
            }
            Slip::PowerOfTen(most) => (1..=i64::from(most)).any(|power| {
                [power, -power].iter().any(|&power| {
                    let shifted = &key.number * ten_to(power);
                    self.fits(number, &shifted, key.unit.as_ref(), wanted, given)
                })
            }),
        }
    }

    /// Returns the code of the unit's fault, regardless of the value.
    fn fault_of_unit(&self, given: &Quantity, wanted: Option<&WantedNumber>) -> Option<&'static str> {
        let Some(rules) = self.units else {
            return given.unit.as_ref().map(|_| "unit-not-wanted");
        };
        let Some(unit) = &given.unit else {
            return (!rules.optional).then_some("unit-missing");
        };
        let wrong_side = match rules.position {
            Position::After => given.unit_first,
            Position::Before => !given.unit_first,
            Position::Either => false,
        };
        if wrong_side && rules.mode != UnitMode::Only {
            return Some("unit-place");
        }
        let key = match &wanted?.target {
            Target::Value(key) | Target::Unit(key) => key.unit.as_ref()?,
            Target::Range(..) => return None,
        };
        let known = !unit.has_unknown && !key.has_unknown;
        if known && unit.dimension != key.dimension {
            return Some("unit-does-not-fit");
        }
        (rules.mode != UnitMode::Convert && !same_unit(Some(unit), Some(key))).then_some("unit-other")
    }
}

impl Tolerance {
    fn holds(&self, number: &RBig, key: &RBig, unit: Option<&TypedUnit>) -> bool {
        let difference = (number - key).abs();
        if difference.is_zero() {
            return true;
        }
        let absolute = self.absolute.as_ref().map_or(RBig::ZERO, |absolute| match (&absolute.unit, unit) {
            // The units have the same dimension. A tolerance is a difference, so the zeros of temperature scales do
            // not matter.
            (Some(from), Some(to)) => &absolute.number * from.over(to),
            _ => absolute.number.clone(),
        });
        difference <= absolute + &self.relative * key.clone().abs()
    }
}

/// Returns the number in another unit; `None` if the units have different dimensions or are unknown.
fn converted<'n>(number: &'n RBig, from: &TypedUnit, to: &TypedUnit) -> Option<Cow<'n, RBig>> {
    if from.dimension != to.dimension || from.has_unknown || to.has_unknown {
        return None;
    }
    if from.zero.is_none() && to.zero.is_none() {
        let same = from.ten == to.ten && from.factor == to.factor;
        return Some(if same { Cow::Borrowed(number) } else { Cow::Owned(number * from.over(to)) });
    }
    if from.factor == to.factor && from.ten == to.ten && from.zero == to.zero {
        return Some(Cow::Borrowed(number));
    }
    let mut value = number * from.size();
    if let Some(zero) = &from.zero {
        value += zero;
    }
    if let Some(zero) = &to.zero {
        value -= zero;
    }
    Some(Cow::Owned(value / to.size()))
}

fn same_unit(one: Option<&TypedUnit>, other: Option<&TypedUnit>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.spellings == other.spellings,
        (None, None) => true,
        _ => false,
    }
}

impl StateJudge for NumberText {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let text = fields::typed(state, "text")?;
        let given = quantity::read(text, self.reading)
            .map_err(|reason| match reason {
                // Without rules for units, an unknown word makes the number malformed; it is not an unknown unit.
                Unread::Unit if self.units.is_none() => Unread::Form,
                other => other,
            })
            .map_err(|reason| Unjudged::Unreadable(Message::sentence(unread(reason))))?;
        let given = if self.percent { given.in_percent() } else { given };
        steps.step("number-read", || {
            let mut facts = vec![("value", given.value().to_string().into())];
            if let Some(digits) = &given.digits {
                let (least, most) = digits.significant();
                facts.push(("figures", Json::array([least, most])));
                facts.push(("decimals", digits.decimals().into()));
            }
            if let Some(unit) = &given.unit {
                let powers = unit.spellings.iter().map(|(name, power)| format!("{name}^{power}"));
                facts.push(("unit", powers.collect::<Vec<_>>().join(" ").into()));
            }
            facts
        });
        let zero = Judgement::of(false);
        match (self.is_unit_only(), given.has_number) {
            (true, true) => return Ok(zero.saying(Message::sentence("number-not-wanted"))),
            (false, false) => return Ok(zero.saying(Message::sentence("number-missing"))),
            _ => {}
        }
        let Assessment { right, near, faults, score } = self.assess(&given);
        steps.step("number-compared", || {
            let mut facts = Vec::new();
            if let Some(place) = right.or(near) {
                facts.push(("answer", place.into()));
            }
            facts.push(("right", right.is_some().into()));
            facts.push(("faults", Json::array(faults.iter().copied())));
            facts
        });
        let mut judgement = faults
            .into_iter()
            .fold(Judgement::new(score), |judgement, code| judgement.saying(Message::sentence(code)));
        if let Some(place) = right.filter(|place| self.answers[*place].has_message) {
            judgement = judgement.saying(Message::configured(format!("/answers/{place}/message")));
        }
        Ok(judgement)
    }

    fn lint(&self, findings: &mut Findings) {
        if let Some(best) = self.answers.iter().map(|one| &one.weight).max() {
            fields::lint_full_marks(best, "/answers", findings);
        }
        self.lint_writings(findings);
        if self.answers.is_empty()
            && self.written == Written::Any
            && self.fractions == Fractions::Yes
            && self.figures.is_none()
            && self.decimals.is_none()
            && self.units.is_none()
        {
            findings.push(Finding::warning(
                "every-number-wins",
                "/answers",
                "there are no answers and no rules for notation, digits or units, so every number earns the full score",
                "add an answer",
            ));
        }
        for (place, one) in self.answers.iter().enumerate() {
            if let Target::Value(key) = &one.target
                && one.slip.is_none()
                && one.weight.is_one()
                && one.tolerance.as_ref().or(self.tolerance.as_ref()).is_none()
                && self.figures.is_none()
                && self.decimals.is_none()
                && !key.number.denominator().is_one()
                && key.fraction.is_none()
            {
                findings.push(Finding::info(
                    "exact-fraction",
                    format!("/answers/{place}"),
                    "the value has decimals and must be hit exactly",
                    "add a tolerance, or say how many digits are expected",
                ));
            }
        }
    }
}
