//! Calculated questions: the formulas of answers are evaluated with the first row of the dataset.

use std::collections::BTreeMap;

use fablegrade_public::Decimal;

use super::question::{Kind, Question, Text, TextFormat};
use super::xml::{Reading, plain_text};
use crate::loss::Loss;
use crate::text::{Filling, TooLong};

/// Substitutes the first row of the dataset into the text and the general feedback. Returns the values of the row, and
/// the [`Filling`] for further texts.
fn filled_in(reading: &Reading<'_>, question: &mut Question) -> Result<(Values, Filling), Loss> {
    let Some((values, rows)) = first_row(reading) else {
        return Err(Loss::score(
            reading.place.clone(),
            "no-dataset",
            "the values of its variables are not in the file",
            "export the question with its datasets",
        ));
    };
    if rows > 1 {
        question.losses.push(Loss::display(
            reading.place.clone(),
            "one-variant",
            format!("only the first of {rows} sets of values is used"),
            "create one question per set of values",
        ));
    }
    let mut filling = Filling::new();
    for text in [&mut question.text.text, &mut question.general_feedback.text] {
        *text = substituted(text, &values, &mut filling).map_err(|long| long.loss(reading.place.clone()))?;
    }
    Ok((values, filling))
}

/// Reads a calculated multiple-choice question, with the first row of its dataset.
pub(super) fn choice(
    reading: &Reading<'_>,
    question: &mut Question,
    mut answers: Vec<super::question::Answer>,
) -> Result<Kind, Loss> {
    let (values, mut filling) = filled_in(reading, question)?;
    for answer in &mut answers {
        for text in [&mut answer.text.text, &mut answer.feedback.text] {
            *text =
                substituted(text, &values, &mut filling).map_err(|long| long.loss(reading.place.clone()))?;
        }
    }
    let single = reading.flag("single", true);
    Ok(Kind::MultiChoice { single, shuffle: reading.flag("shuffleanswers", false), answers })
}

/// Reads a calculated question as a numerical question, with the first row of its dataset.
pub(super) fn read(reading: &Reading<'_>, question: &mut Question) -> Result<Kind, Loss> {
    let (values, mut filling) = filled_in(reading, question)?;
    let mut answers = Vec::new();
    for element in reading.root.named("answer") {
        let formula = plain_text(element);
        let value = if formula == "*" {
            "*".to_owned()
        } else {
            match evaluate(&formula, &values).and_then(Decimal::from_f64) {
                Some(value) => value.to_string(),
                None => {
                    return Err(Loss::score(
                        reading.at(element),
                        "formula",
                        format!("the formula `{formula}` cannot be evaluated"),
                        "write it with the operators + - * / and Moodle's functions",
                    ));
                }
            }
        };
        let tolerance = element.child("tolerance").map(|one| one.trimmed().into_owned()).unwrap_or_default();
        let kind = element.child("tolerancetype").map(|one| one.trimmed().into_owned()).unwrap_or_default();
        let (value, tolerance) = interval(value, &tolerance, &kind);
        let share =
            element.attribute("fraction").and_then(super::question::Share::percent).unwrap_or_default();
        let mut feedback = element
            .child("feedback")
            .map(|one| Reading::text(one, reading.default_format()))
            .unwrap_or_default();
        feedback.text = substituted(&feedback.text, &values, &mut filling)
            .map_err(|long| long.loss(reading.place.clone()))?;
        answers.push(super::question::Answer {
            text: Text::new(value, TextFormat::Plain),
            share,
            feedback,
            tolerance,
            line: element.line(),
        });
    }
    Ok(Kind::Numerical { answers, units: reading.units() })
}

/// Converts a tolerance of type 1 (relative), 2 (absolute) or 3 (geometric) to an absolute tolerance or a range.
fn interval(value: String, tolerance: &str, kind: &str) -> (String, String) {
    let (Ok(number), Ok(amount)) = (value.parse::<f64>(), tolerance.parse::<f64>()) else {
        return (value, tolerance.to_owned());
    };
    let amount = amount.abs();
    let text = |value: f64| Decimal::from_f64(value).map(|value| value.to_string());
    match kind {
        "1" => {
            let range = number.abs() * amount;
            (value, text(range).unwrap_or_default())
        }
        "3" => {
            let (a, b) = (number / (1.0 + amount), number * (1.0 + amount));
            match (text(a.min(b)), text(a.max(b))) {
                (Some(least), Some(most)) => (format!("{least}..{most}"), "..".to_owned()),
                _ => (value, tolerance.to_owned()),
            }
        }
        _ => (value, tolerance.to_owned()),
    }
}

pub(crate) type Values = BTreeMap<String, f64>;

/// Returns the values of the first row, and the number of rows.
fn first_row(reading: &Reading<'_>) -> Option<(Values, usize)> {
    let mut values = Values::new();
    let mut rows = usize::MAX;
    for definition in reading.root.child("dataset_definitions")?.named("dataset_definition") {
        let name = definition.child("name").map(plain_text)?;
        let items = definition.child("dataset_items")?;
        let first = items.named("dataset_item").min_by_key(|item| {
            item.child("number").and_then(|number| number.trimmed().parse::<u32>().ok()).unwrap_or(u32::MAX)
        })?;
        // The first value of each name.
        values.entry(name).or_insert(first.child("value")?.trimmed().parse().ok()?);
        rows = rows.min(items.named("dataset_item").count());
    }
    (!values.is_empty()).then_some((values, rows))
}

/// Replaces `{x}` and `{={x}+1}` in a text with their values.
fn substituted(text: &str, values: &Values, filling: &mut Filling) -> Result<String, TooLong> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = closing(rest);
        let value = end.and_then(|end| {
            let inside = &rest[1..end];
            match inside.strip_prefix('=') {
                Some(formula) => evaluate(formula, values),
                None => values.get(inside).copied(),
            }
        });
        // Moodle prints at most 14 figures, so that 0.1 + 0.2 is 0.3.
        let shown = value.and_then(|value| format!("{value:.13e}").parse().ok()).and_then(Decimal::from_f64);
        match (shown, end) {
            (Some(value), Some(end)) => {
                filling.push(&mut out, &value.to_string())?;
                rest = &rest[end + 1..];
            }
            _ => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Returns the position of the brace that closes the first brace, if it is within the first 500 bytes. As in Moodle,
/// braces inside these braces contain no others, so each byte is looked at only a few times.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate().take(500) {
        match byte {
            b'{' if depth == 2 => return None,
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Evaluates a formula in doubles, as Moodle does; `None` if the text is not a formula, is longer than 2,000 bytes or
/// nests too deeply, or if its value is not finite.
pub(crate) fn evaluate(formula: &str, values: &Values) -> Option<f64> {
    if formula.len() > 2_000 {
        return None;
    }
    let mut parser = Parser { rest: formula, values, depth: 0 };
    let value = parser.sum()?;
    parser.rest.trim().is_empty().then_some(value).filter(|value| value.is_finite())
}

struct Parser<'f> {
    rest: &'f str,
    values: &'f Values,
    depth: usize,
}

const MAX_DEPTH: usize = 60;

impl Parser<'_> {
    fn take(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Option<f64> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value += self.product()?;
            } else if self.take("-") {
                value -= self.product()?;
            } else {
                self.depth -= 1;
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<f64> {
        let mut value = self.signed()?;
        loop {
            if self.rest.trim_start().starts_with("**") {
                return Some(value);
            }
            if self.take("*") {
                value *= self.signed()?;
            } else if self.take("/") {
                value /= self.signed()?;
            } else if self.take("%") {
                value = libm::fmod(libm::trunc(value), libm::trunc(self.signed()?));
            } else {
                return Some(value);
            }
        }
    }

    fn signed(&mut self) -> Option<f64> {
        let mut negative = false;
        for _ in 0..MAX_DEPTH {
            if self.take("-") {
                negative = !negative;
            } else if !self.take("+") {
                break;
            }
        }
        let base = self.atom()?;
        let value = if self.take("**") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return None;
            }
            let power = self.signed()?;
            self.depth -= 1;
            libm::pow(base, power)
        } else {
            base
        };
        Some(if negative { -value } else { value })
    }

    fn atom(&mut self) -> Option<f64> {
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        if self.take("{") {
            let end = self.rest.find('}')?;
            let name = self.rest[..end].trim();
            self.rest = &self.rest[end + 1..];
            return self.values.get(name).copied();
        }
        self.rest = self.rest.trim_start();
        let letters =
            self.rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if self.rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let name = self.rest[..letters].to_ascii_lowercase();
            self.rest = &self.rest[letters..];
            if !self.take("(") {
                return None;
            }
            let mut arguments = Vec::new();
            if !self.take(")") {
                loop {
                    arguments.push(self.sum()?);
                    if self.take(")") {
                        break;
                    }
                    if !self.take(",") || arguments.len() > 20 {
                        return None;
                    }
                }
            }
            return call(&name, &arguments);
        }
        self.number()
    }

    fn number(&mut self) -> Option<f64> {
        let bytes = self.rest.as_bytes();
        let mut at = bytes.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        if at == 0 {
            return None;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let digits = bytes[at + 1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                at += 1 + sign + digits;
            }
        }
        let value = self.rest[..at].parse().ok()?;
        self.rest = &self.rest[at..];
        Some(value)
    }
}

fn call(name: &str, arguments: &[f64]) -> Option<f64> {
    Some(match (name, arguments) {
        ("pi", []) => std::f64::consts::PI,
        ("abs", [x]) => x.abs(),
        ("sqrt", [x]) => libm::sqrt(*x),
        ("exp", [x]) => libm::exp(*x),
        ("log" | "ln", [x]) => libm::log(*x),
        ("log", [x, base]) => libm::log(*x) / libm::log(*base),
        ("log10", [x]) => libm::log10(*x),
        ("log1p", [x]) => libm::log1p(*x),
        ("expm1", [x]) => libm::expm1(*x),
        ("sin", [x]) => libm::sin(*x),
        ("cos", [x]) => libm::cos(*x),
        ("tan", [x]) => libm::tan(*x),
        ("asin", [x]) => libm::asin(*x),
        ("acos", [x]) => libm::acos(*x),
        ("atan", [x]) => libm::atan(*x),
        ("atan2", [y, x]) => libm::atan2(*y, *x),
        ("sinh", [x]) => libm::sinh(*x),
        ("cosh", [x]) => libm::cosh(*x),
        ("tanh", [x]) => libm::tanh(*x),
        ("asinh", [x]) => libm::asinh(*x),
        ("acosh", [x]) => libm::acosh(*x),
        ("atanh", [x]) => libm::atanh(*x),
        ("pow", [x, y]) => libm::pow(*x, *y),
        ("floor", [x]) => libm::floor(*x),
        ("ceil", [x]) => libm::ceil(*x),
        ("round", [x]) => libm::round(*x),
        ("round", [x, digits]) if digits.abs() <= 15.0 => {
            let scale = libm::pow(10.0, libm::trunc(*digits));
            libm::round(x * scale) / scale
        }
        ("fmod", [x, y]) => libm::fmod(*x, *y),
        ("deg2rad", [x]) => x.to_radians(),
        ("rad2deg", [x]) => x.to_degrees(),
        ("min", [first, rest @ ..]) => rest.iter().fold(*first, |least, x| least.min(*x)),
        ("max", [first, rest @ ..]) => rest.iter().fold(*first, |most, x| most.max(*x)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Filling, Values, evaluate, interval, substituted};

    fn values() -> Values {
        Values::from([("x".into(), 3.0), ("y_1".into(), 0.5)])
    }

    #[test]
    fn formulas_have_the_values_of_doubles() {
        for (formula, value) in [
            ("{x}+{y_1}", 3.5),
            ("2*-{x}**2", -18.0),
            ("pow({x}, 2)/(1 - {y_1})", 18.0),
            ("round(2.345, 1) + max(1, {x}, 2)", 5.3),
            ("sqrt({x}*{x}) - pi()/pi()", 2.0),
            ("1.5e2 % 7", 3.0),
        ] {
            assert_eq!(evaluate(formula, &values()), Some(value), "{formula}");
        }
        for broken in ["", "{z}", "1/0", "system(1)", "2 2", "(1", &"(".repeat(5_000)] {
            assert_eq!(evaluate(broken, &values()), None);
        }
    }

    #[test]
    fn texts_have_values() {
        let filled = |text: &str, values: &Values| substituted(text, values, &mut Filling::new());
        let text = "{x} m, {={x}*2}, {other} {={{x}}} {";
        assert_eq!(filled(text, &values()).as_deref(), Ok("3 m, 6, {other} {={3}} {"));
        assert_eq!(filled("{x}", &Values::from([("x".into(), 0.1 + 0.2)])).as_deref(), Ok("0.3"));
        // Each of these values has 16 characters.
        let long = Values::from([("x".into(), 1.0 / 3.0)]);
        assert!(filled(&"{x}".repeat(300_000), &long).is_err());
    }

    #[test]
    fn tolerances_are_relative_absolute_or_geometric() {
        assert_eq!(interval("-20".into(), "0.01", "1").1, "0.2");
        assert_eq!(interval("20".into(), "0.01", "2").1, "0.01");
        assert_eq!(interval("20".into(), "1", "3").0, "10..40");
    }
}
