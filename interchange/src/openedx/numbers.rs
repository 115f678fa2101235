//! Numbers: a value with a tolerance, or a range with inclusive or exclusive bounds, and partial credit for near
//! misses.

use fablegrade_public::{Decimal, Ratio};

use super::answers::{Reading, decimal};
use super::place;
use crate::item::{Interaction, NumberAnswer, NumberEntry, NumberRange};
use crate::loss::Loss;
use crate::moodle::calculated::{Values, evaluate};

fn answer(range: NumberRange, weight: Ratio) -> NumberAnswer {
    NumberAnswer { range, weight, feedback: None }
}

/// Returns the value of a number from the author: a decimal, or a formula without variables.
///
/// A formula is evaluated in doubles, as in Open edX.
fn value(text: &str) -> Option<Decimal> {
    decimal(text).or_else(|| evaluate(&plain_formula(text)?, &Values::new()).and_then(Decimal::from_f64))
}

/// Converts a formula to Moodle's notation: `2*pi^2` becomes `2*pi()**2`. Returns `None` if it has an unknown name or
/// character.
fn plain_formula(text: &str) -> Option<String> {
    const FUNCTIONS: [(&str, &str); 10] = [
        ("sqrt", "sqrt"),
        ("abs", "abs"),
        ("exp", "exp"),
        ("ln", "ln"),
        ("log10", "log10"),
        ("sin", "sin"),
        ("cos", "cos"),
        ("tan", "tan"),
        ("arcsin", "asin"),
        ("arctan", "atan"),
    ];
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'.').count();
        let (word, after) = rest.split_at(length.max(first.len_utf8()));
        rest = after;
        if !first.is_ascii_alphabetic() {
            match first {
                '^' => out.push_str("**"),
                '0'..='9' | '.' | '+' | '-' | '*' | '/' | '(' | ')' | ' ' => out.push_str(word),
                _ => return None,
            }
            continue;
        }
        match word {
            "pi" => out.push_str("pi()"),
            "e" => out.push_str("exp(1)"),
            _ => out.push_str(FUNCTIONS.iter().find(|(name, _)| *name == word)?.1),
        }
    }
    Some(out)
}

/// Returns the range around a value with an absolute tolerance, or a relative one if `is_share` is true.
fn around(value: &Decimal, amount: &Decimal, is_share: bool) -> NumberRange {
    if is_share {
        NumberRange::Relative(value.clone(), amount.clone())
    } else {
        NumberRange::Absolute(value.clone(), amount.clone())
    }
}

/// A range; each bound has a flag that is true if the range includes it.
struct Range {
    least: (Decimal, bool),
    most: (Decimal, bool),
}

/// Reads a range such as `[1, 2)`; `None` if its bounds are not two numbers.
fn range(text: &str) -> Option<Range> {
    let inside = text.get(1..text.len().checked_sub(1)?)?;
    let (least, most) = inside.split_once(',')?;
    Some(Range { least: (value(least)?, text.starts_with('[')), most: (value(most)?, text.ends_with(']')) })
}

impl Reading<'_, '_> {
    /// Returns the tolerance, and whether it is relative to the answer; `None` if none is given.
    pub(super) fn tolerance(&self) -> Result<Option<(Decimal, bool)>, Loss> {
        let param = self.response.descendants().find(|one| {
            one.name() == "responseparam"
                && one.attribute("type").is_some_and(|kind| kind.trim() == "tolerance")
        });
        let Some(written) = param.and_then(|one| one.attribute("default")) else { return Ok(None) };
        let (number, percent) = match written.trim().strip_suffix('%') {
            Some(number) => (number, true),
            None => (written.trim(), false),
        };
        let value = decimal(number).ok_or_else(|| {
            self.lost(
                "tolerance",
                format!("the tolerance `{written}` is not a number"),
                "write a number or a percentage",
            )
        })?;
        if !percent {
            return Ok(Some((value.abs(), false)));
        }
        Ok(Some((value.abs().multiply(&Decimal::new(1, -2)), true)))
    }

    /// Returns the factor by which the tolerance for half the score is wider, 2 by default; `None` if it is not a
    /// number.
    fn partial_range(&self) -> Option<Decimal> {
        let given = self.response.descendants().find_map(|one| one.attribute("partial_range"));
        given.map_or(Some(Decimal::new(2, 0)), decimal)
    }

    /// Returns the numbers that earn part of the score; `None` if one of them is not a number.
    fn partial_answers(&self) -> Option<Vec<Decimal>> {
        let given = self.response.descendants().find_map(|one| one.attribute("partial_answers"));
        given.map_or(Some(Vec::new()), |list| list.split(',').map(value).collect())
    }

    pub(super) fn number(&mut self) -> Result<Interaction, Loss> {
        let text = self.response.attribute("answer").unwrap_or_default().trim();
        let unread = |reading: &Self, text: &str| {
            reading.lost(
                "number-form",
                format!("the answer `{text}` is not a number"),
                "write a number or a range",
            )
        };
        let mut more = Vec::new();
        for text in self.response.named("additional_answer").filter_map(|one| one.attribute("answer")) {
            more.push(value(text).ok_or_else(|| unread(self, text))?);
        }
        let kinds = self.credit();
        let (close, listed) =
            (kinds.iter().any(|kind| kind == "close"), kinds.iter().any(|kind| kind == "list"));
        let partial = self.partial_range().zip(self.partial_answers());
        let Some((wider, others)) = partial.filter(|(_, others)| !listed || !others.is_empty()) else {
            return Err(self.lost(
                "partial-credit",
                "what earns part of the score is not a number",
                "write numbers",
            ));
        };
        let (half, quarter) = (Ratio::new(1, 2), Ratio::new(1, 4));
        let is_range = text.starts_with(['[', '(']) && text.ends_with([']', ')']);
        let mut answers = Vec::new();
        if text.is_empty() {
            return Err(self.lost("no-key", "there is no right number", "name it in `answer`"));
        } else if is_range {
            let Range { least, most } = range(text).ok_or_else(|| unread(self, text))?;
            // The first answer that fits decides, so an excluded bound precedes the range, with weight 0. It is
            // omitted if it is an additional answer.
            for (bound, belongs) in [&least, &most] {
                if !belongs && !more.contains(bound) {
                    answers.push(answer(NumberRange::Exact(bound.clone()), Ratio::zero()));
                }
            }
            let (least, most) = (least.0, most.0);
            answers.push(answer(NumberRange::Between(least.clone(), most.clone()), Ratio::one()));
            if close {
                let width = most.add(&least.negate()).multiply(&wider);
                let (under, over) = (least.add(&width.negate()), most.add(&width));
                for bound in [&under, &over] {
                    if !more.contains(bound) {
                        answers.push(answer(NumberRange::Exact(bound.clone()), Ratio::zero()));
                    }
                }
                answers.push(answer(NumberRange::Between(under, over), half));
            }
        } else {
            let value = value(text).ok_or_else(|| unread(self, text))?;
            // The default tolerance is a hundred-thousandth of the answer.
            let (amount, is_share) = self.tolerance()?.unwrap_or((Decimal::new(1, -5), true));
            let wide = amount.multiply(&wider);
            answers.push(answer(around(&value, &amount, is_share), Ratio::one()));
            for other in others.iter().filter(|_| listed) {
                answers.push(answer(around(other, &amount, is_share), half.clone()));
                if close {
                    answers.push(answer(around(&value, &wide, is_share), half.clone()));
                    answers.push(answer(around(other, &wide, is_share), quarter.clone()));
                }
            }
            if close && !listed {
                answers.push(answer(around(&value, &wide, is_share), half));
            }
        }
        // Additional answers have no tolerance. They are last, so they count only if no other answer fits.
        answers.extend(more.into_iter().map(|value| answer(NumberRange::Exact(value), Ratio::one())));
        self.losses.push(Loss::typed_formula(place(self.response)));
        Ok(Interaction::Number(NumberEntry { answers, integer: false, unit: None, writing: None }))
    }
}
