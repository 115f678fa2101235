//! Compares plain numbers, and values with percent signs, degree signs or units.

use super::{Comparison, Outcome};
use crate::profile::Convention;
use crate::reading::number::{Number, Written};
use crate::reading::units::{Quantity, Unit, are_same_unit, fraction_behind, in_last_unit, quantity};

impl Comparison<'_> {
    /// Compares two plain numbers.
    pub(super) fn numbers(&mut self, gold: &Written, answer: &Written) -> Outcome {
        let grouped = gold.grouped || answer.grouped;
        if gold.number == answer.number {
            let outcome =
                if grouped { self.under(Convention::Grouping, |_| Outcome::Same) } else { Outcome::Same };
            return self.decided("number", "the same number", outcome);
        }
        if self.has(Convention::Rounding) {
            let rounds = gold.fraction_digits.is_some_and(|places| {
                let places = i64::from(places) - gold.exponent;
                let finer = answer.fraction_digits.map_or(0, i64::from) - answer.exponent > places;
                places > 0 && finer && answer.number.rounded(places) == gold.number
            });
            let in_full = gold.fraction_digits.is_none() && gold.exponent == 0;
            if rounds || gold.number.is_float_noise(&answer.number, in_full) {
                let outcome = self.under(Convention::Rounding, |_| Outcome::Same);
                return self.decided("number", "the answer rounds to the reference at its digits", outcome);
            }
        }
        self.decided("number", "another number", Outcome::Different)
    }

    /// Compares values with percent signs or words for them. `None` if neither side has one.
    pub(super) fn percents(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if !self.has(Convention::Percent) {
            return None;
        }
        let (a, b) = (percent(gold), percent(answer));
        if a.is_none() && b.is_none() {
            return None;
        }
        if self.in_percent {
            // this also bounds the work, which would double with each further sign
            return Some(self.decided("number", "a second percent sign", Outcome::Different));
        }
        let other = if a.is_some() { answer } else { gold };
        let angle = ["\\circ", "degree", "radian"].iter().any(|sign| other.contains(sign));
        if angle && a.is_some() != b.is_some() {
            return Some(self.decided("number", "a percentage is not an angle", Outcome::Different));
        }
        if let Some(other) = quantity(other).filter(|_| a.is_some() != b.is_some()) {
            if other.unit.noun.is_none() {
                return Some(self.decided("number", "a percentage has no other unit", Outcome::Different));
            }
            // `2.5% per year`
            let (gold, answer) = if a.is_some() { (gold, other.value) } else { (other.value, answer) };
            return Some(self.under(Convention::Remarks, |this| this.compare(gold, answer)));
        }
        self.in_percent = true;
        let outcome = self.under(Convention::Percent, |this| {
            let outcome = this.compare(a.unwrap_or(gold), b.unwrap_or(answer));
            match (a, b) {
                (Some(value), None) => outcome.or_else(|| {
                    let scaled = this.scaled(answer, 2, &format!("100\\cdot({answer})"));
                    this.compare(value, &scaled)
                }),
                (None, Some(value)) => outcome.or_else(|| {
                    let scaled = this.scaled(value, -2, &format!("\\frac{{{value}}}{{100}}"));
                    this.compare(gold, &scaled)
                }),
                _ => outcome,
            }
        });
        self.in_percent = false;
        Some(outcome)
    }

    /// Returns a plain number with its decimal point moved, or `formula` if the text is not a number.
    fn scaled(&self, text: &str, by: i64, formula: &str) -> String {
        let number = self.gold.number_of(text).and_then(|written| written.number.shifted(by).to_latex());
        number.unwrap_or_else(|| formula.to_owned())
    }

    /// Compares angles: in degrees, minutes and seconds, with one sign missing, or with one side in radians.
    pub(super) fn degrees(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        if !self.has(Convention::Degrees) {
            return None;
        }
        let (a, b) = (sexagesimal(gold), sexagesimal(answer));
        if a.is_some() || b.is_some() {
            let a = a.unwrap_or_else(|| gold.to_owned());
            let b = b.unwrap_or_else(|| answer.to_owned());
            return Some(self.under(Convention::Degrees, |this| this.compare(&a, &b)));
        }
        match (without_degrees(gold), without_degrees(answer)) {
            (Some(a), Some(b)) => Some(self.without_sign(a, b)),
            // one side has no sign, or is in radians
            (Some(a), None) => match in_radians(answer) {
                Some(radians) => Some(self.under(Convention::Degrees, |this| this.values(gold, &radians))),
                None if answer.contains("\\pi") => None,
                None => Some(self.without_sign(a, answer)),
            },
            (None, Some(b)) => match in_radians(gold) {
                Some(radians) => Some(self.under(Convention::Degrees, |this| this.values(&radians, answer))),
                None if gold.contains("\\pi") => None,
                None => Some(self.under(Convention::Degrees, |this| this.compare(gold, b))),
            },
            (None, None) => None,
        }
    }

    /// Compares an angle, without its degree sign, with an answer.
    fn without_sign(&mut self, gold: &str, answer: &str) -> Outcome {
        let before = std::mem::replace(&mut self.in_degrees, true);
        let outcome = self.under(Convention::Degrees, |this| this.compare(gold, answer));
        self.in_degrees = before;
        outcome
    }

    /// Compares quantities in several units: `1 hour and 30 minutes`. `None` if neither side is one.
    pub(super) fn several_units(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        let several = [gold, answer].map(in_last_unit);
        if several.iter().all(Option::is_none) {
            return None;
        }
        let [a, b] = several;
        let (a, b) = (a.unwrap_or_else(|| gold.to_owned()), b.unwrap_or_else(|| answer.to_owned()));
        Some(self.under(Convention::Units, |this| this.compare(&a, &b)))
    }

    /// Compares values followed by units, currencies or nouns. `None` if neither side has one.
    pub(super) fn units(&mut self, gold: &str, answer: &str) -> Option<Outcome> {
        let (mut a, mut b) = (quantity(without_ordinal(gold)), quantity(without_ordinal(answer)));
        let measured = |one: &Option<Quantity<'_>>| one.as_ref().is_some_and(|one| one.unit.noun.is_none());
        if measured(&a) && b.is_none() {
            b = fraction_behind(answer, true);
        } else if measured(&b) && a.is_none() {
            a = fraction_behind(gold, true);
        } else if a.is_none() && b.is_none() && self.gold.number_of(gold).is_some() {
            // `9.8 \frac{m}{s^2}` for 9.8
            b = fraction_behind(answer, true);
        }
        let convention = |unit: &Unit| match unit {
            unit if unit.noun.is_some() => Convention::Remarks,
            unit if unit.is_currency() => Convention::Currency,
            _ => Convention::Units,
        };
        match (a, b) {
            (None, None) if are_same_unit(gold, answer) => {
                let outcome = self.under(Convention::Units, |_| Outcome::Same);
                Some(self.decided("text", "the same unit", outcome))
            }
            (None, None) => {
                let (a, b) = (without_ordinal(gold), without_ordinal(answer));
                if (a, b) == (gold, answer) {
                    return None;
                }
                Some(self.under(Convention::Remarks, |this| this.compare(a, b)))
            }
            (Some(a), None) => {
                Some(self.under(convention(&a.unit), |this| this.compare(a.value, without_ordinal(answer))))
            }
            (None, Some(b)) => {
                Some(self.under(convention(&b.unit), |this| this.compare(without_ordinal(gold), b.value)))
            }
            (Some(a), Some(b)) => {
                let convention = convention(&a.unit);
                match (&a.unit.noun, &b.unit.noun) {
                    (Some(first), Some(second)) => {
                        if !nouns_agree(first, second) {
                            return Some(self.decided(
                                "words",
                                "the counted things differ",
                                Outcome::Different,
                            ));
                        }
                        return Some(self.under(convention, |this| this.compare(a.value, b.value)));
                    }
                    (Some(noun), None) | (None, Some(noun)) => {
                        if a.unit.begins(noun) || b.unit.begins(noun) {
                            return Some(self.under(convention, |this| this.compare(a.value, b.value)));
                        }
                        if !is_unit(noun) {
                            return Some(self.decided("number", "another unit", Outcome::Different));
                        }
                        return Some(self.under(Convention::Units, |this| this.compare(a.value, b.value)));
                    }
                    (None, None) => {}
                }
                if !a.unit.has_dimension_of(&b.unit) {
                    return Some(self.decided("number", "a unit of another dimension", Outcome::Different));
                }
                let Some(ratio) = b.unit.in_units_of(&a.unit) else {
                    return Some(Outcome::Undecided);
                };
                if ratio.is_one() {
                    return Some(self.under(convention, |this| this.compare(a.value, b.value)));
                }
                let converted = format!(
                    "\\frac{{{}}}{{{}}}\\cdot({})",
                    ratio.numerator(),
                    ratio.denominator(),
                    self.plain(b.value)
                );
                let value = self.plain(a.value);
                Some(self.under(convention, |this| this.values(&value, &converted)))
            }
        }
    }

    /// Returns a plain number without separators, and any other text unchanged.
    pub(super) fn plain(&self, text: &str) -> String {
        let number: Option<Number> = self.gold.number_of(text).map(|written| written.number);
        number.and_then(|number| number.to_latex()).unwrap_or_else(|| text.to_owned())
    }
}

/// Returns the value before a percent sign or a word for it.
fn percent(text: &str) -> Option<&str> {
    let text = text.trim();
    let value = ["\\%", "%"].iter().find_map(|sign| text.strip_suffix(sign)).or_else(|| {
        let lower = text.to_ascii_lowercase();
        ["percentage", "per cent", "percent", "pct"].iter().find_map(|word| {
            [
                format!("\\text{{{word}}}"),
                format!("\\text{{ {word}}}"),
                format!("\\mathrm{{{word}}}"),
                (*word).to_owned(),
            ]
            .iter()
            .find_map(|ending| lower.ends_with(ending.as_str()).then(|| &text[..text.len() - ending.len()]))
        })
    })?;
    let value = value.trim().trim_end_matches('\\').trim_end();
    let value = value.strip_suffix("\\text{ }").unwrap_or(value).trim();
    // both a sign and the word, as in `8\% percent`
    let value =
        if text.ends_with('%') { value } else { value.trim_end_matches('%').trim_end_matches('\\').trim() };
    (!value.is_empty()).then_some(value)
}

/// Returns the value before the word for radians.
fn in_radians(text: &str) -> Option<String> {
    let inner = text.trim().trim_end_matches('}').trim_end();
    let rest = ["radians", "radian", "rad"].iter().find_map(|word| inner.strip_suffix(word))?;
    let rest = rest.trim_end();
    let rest =
        ["\\text{", "\\mathrm{"].iter().find_map(|open| rest.strip_suffix(open)).unwrap_or(rest).trim_end();
    let value = rest.trim_end_matches(['\\', '~', ' ']);
    (!value.is_empty() && value.matches('{').count() == value.matches('}').count()).then(|| value.to_owned())
}

/// Returns the value before a degree sign or the word for it.
fn without_degrees(text: &str) -> Option<&str> {
    let text = text.trim();
    let value =
        ["^\\circ", "^{\\circ}", "\\text{ degrees}", "\\text{degrees}", " degrees", "\\text{ degree}"]
            .iter()
            .find_map(|sign| text.strip_suffix(sign))?;
    let value = value.trim();
    // the sign belongs to the argument: `\cos 60^\circ`
    let argument =
        ["\\sin", "\\cos", "\\tan", "\\cot", "\\sec", "\\csc"].iter().any(|name| value.contains(name));
    (!value.is_empty() && !argument).then_some(value)
}

/// Writes degrees with minutes and seconds, such as `60^\circ 30' 15''`, as a sum in degrees.
fn sexagesimal(text: &str) -> Option<String> {
    if !text.contains("\\circ") || !(text.contains('\'') || text.contains("\\prime")) {
        return None;
    }
    let plain = text
        .replace("^{\\circ}", "°")
        .replace("^\\circ", "°")
        .replace("^{\\prime \\prime}", "\"")
        .replace("^{\\prime\\prime}", "\"");
    let plain = plain
        .replace("^{\\prime}", "'")
        .replace("^\\prime", "'")
        .replace("\\'", "'")
        .replace("''", "\"")
        .replace(['{', '}'], "");
    let (degrees, rest) = plain.split_once('°')?;
    let (minutes, rest) = rest.split_once('\'').unwrap_or(("0", rest));
    let (seconds, rest) = rest.split_once('"').unwrap_or(("0", rest));
    let digits = |part: &str| {
        let part = part.trim();
        (!part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
            .then(|| part.to_owned())
    };
    if !rest.trim().is_empty() {
        return None;
    }
    let (degrees, minutes, seconds) = (digits(degrees)?, digits(minutes)?, digits(seconds)?);
    Some(format!("({degrees}+\\frac{{{minutes}}}{{60}}+\\frac{{{seconds}}}{{3600}})^\\circ"))
}

/// Returns a text without its ordinal ending: `7^{\text{th}}` and `7th` become `7`.
fn without_ordinal(text: &str) -> &str {
    for ending in ["th", "st", "nd", "rd"] {
        for form in [
            ["^{\\text{", ending, "}}"],
            ["^\\text{", ending, "}"],
            ["\\text{", ending, "}"],
            ["", ending, ""],
        ] {
            let rest = text
                .strip_suffix(form[2])
                .and_then(|rest| rest.strip_suffix(form[1]))
                .and_then(|rest| rest.strip_suffix(form[0]));
            if let Some(rest) = rest.filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit())) {
                return rest;
            }
        }
    }
    text
}

/// Returns whether a noun has the word `unit`.
fn is_unit(noun: &str) -> bool {
    noun.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "unit" | "units"))
}

/// Returns whether two nouns can mean the same: one has all words of the other, or one has the word `unit`.
fn nouns_agree(a: &str, b: &str) -> bool {
    let within = |a: &str, b: &str| a.split(' ').all(|word| b.split(' ').any(|other| other == word));
    within(a, b) || within(b, a) || is_unit(a) || is_unit(b)
}

#[cfg(test)]
mod tests {
    use super::super::{MOST_FORMULAS, Outcome};
    use super::*;
    use crate::gold::Gold;
    use crate::profile::Profile;

    /// Returns the outcome for a pair, and the number of formulas that were compared.
    fn formulas(gold: &str, answer: &str) -> (Outcome, u32) {
        let compiled = Gold::new(gold, &Profile::model());
        let mut comparison = Comparison::new(&compiled);
        let outcome = comparison.compare(gold, answer);
        (outcome, MOST_FORMULAS - comparison.formulas)
    }

    #[test]
    fn further_percent_signs_cost_no_more_work() {
        assert_eq!(formulas("8", "8\\%").0, Outcome::Same);
        assert_eq!(formulas("8\\%", "8\\%\\text{ percent}").0, Outcome::Same);
        for count in [2, 3, 8, 100, 2_000] {
            for sign in ["\\%", "%", "\\text{ percent}"] {
                let (outcome, compared) = formulas("8", &format!("8{}", sign.repeat(count)));
                assert_ne!(outcome, Outcome::Same, "{count} {sign}");
                assert!(compared <= 2, "{count} {sign}: {compared}");
                let (outcome, compared) = formulas(&format!("x{}", sign.repeat(count)), "x+1");
                assert_ne!(outcome, Outcome::Same, "{count} {sign}");
                assert!(compared <= 8, "{count} {sign}: {compared}");
            }
        }
    }
}
