//! Calculated questions: the answer for the first set of values in the file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fablegrade_public::{Decimal, Ratio};

use super::super::value::{decimal, number};
use crate::item::{Interaction, Item, NumberAnswer, NumberEntry, NumberRange, Part};
use crate::loss::Loss;
use crate::text::{Filling, TooLong};
use crate::xml::Element;

/// Adds a part for a typed number, and substitutes the first set of values into the prompt.
pub(super) fn fill(item: &mut Item, calculated: Element<'_>, response: Option<&str>) {
    let mut sets = calculated.descendants().filter(|one| one.name() == "var_set");
    let Some(set) = sets.next() else {
        item.losses.push(Loss::score(
            calculated.place(),
            "no-dataset",
            "the values of its variables are not in the file",
            "generate its solutions before you export it",
        ));
        return;
    };
    let Some(value) = set.child("answer").and_then(|one| scientific(&one.trimmed())) else {
        item.losses.push(Loss::score(
            set.place(),
            "formula",
            "the answer of the first set of values is not a number",
            "generate its solutions before you export it",
        ));
        return;
    };
    // The first value of each name.
    let mut values: BTreeMap<&str, Cow<'_, str>> = BTreeMap::new();
    for variable in set.named("var") {
        values.entry(variable.attribute("name").unwrap_or_default()).or_insert_with(|| variable.trimmed());
    }
    match filled(&item.prompt, &values) {
        Ok(prompt) => item.prompt = prompt,
        Err(too_long) => {
            item.losses.push(too_long.loss(set.place()));
            return;
        }
    }
    let sets = 1 + sets.count();
    if sets > 1 {
        item.losses.push(Loss::display(
            set.place(),
            "one-variant",
            format!("only the first of {sets} sets of values is used"),
            "create one question per set of values",
        ));
    }
    let tolerance = calculated.child("answer_tolerance");
    let range = match tolerance.map(|one| one.trimmed().into_owned()).as_deref().map(amount) {
        None | Some(Some((_, None))) => NumberRange::Exact(value),
        Some(Some((percent, Some(amount)))) => {
            let kind = tolerance.and_then(|one| one.attribute("margin_type")).unwrap_or_default();
            if percent || kind.starts_with("percent") {
                NumberRange::Relative(value, amount.multiply(&Decimal::new(1, -2)))
            } else {
                NumberRange::Absolute(value, amount)
            }
        }
        Some(None) => {
            item.losses.push(Loss::score(
                tolerance.map_or_else(|| calculated.place(), |one| one.place()),
                "tolerance",
                "the tolerance is not a number",
                "write a number, or a percentage",
            ));
            NumberRange::Exact(value)
        }
    };
    let answers = vec![NumberAnswer { range, weight: Ratio::one(), feedback: None }];
    let entry = NumberEntry { answers, integer: false, unit: None, writing: None };
    item.parts.push(Part::new(
        response.unwrap_or("response1"),
        Interaction::Number(entry),
        calculated.place(),
    ));
}

/// Replaces each `[name]` in a text with its value. Names in values are not replaced.
fn filled(text: &str, values: &BTreeMap<&str, Cow<'_, str>>) -> Result<String, TooLong> {
    let mut filling = Filling::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let end = rest[1..].find(['[', ']']).map_or(rest.len(), |end| end + 1);
        match values.get(&rest[1..end]).filter(|_| rest[end..].starts_with(']')) {
            Some(value) => {
                filling.push(&mut out, value)?;
                rest = &rest[end + 1..];
            }
            None => {
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Reads a tolerance: whether it is a percentage, and its amount if it is not 0.
fn amount(text: &str) -> Option<(bool, Option<Decimal>)> {
    if text.is_empty() {
        return Some((false, None));
    }
    let (digits, percent) = match text.strip_suffix('%') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let amount = decimal(&number(digits)?)?;
    Some((percent, (!amount.is_zero()).then_some(amount)))
}

/// Reads a number, possibly in the form `1.5*10^3`.
fn scientific(text: &str) -> Option<Decimal> {
    let Some((digits, exponent)) = text.split_once("*10^") else { return decimal(&number(text)?) };
    let exponent: i32 =
        exponent.trim().parse().ok().filter(|exponent: &i32| (-300..=300).contains(exponent))?;
    Some(decimal(&number(digits)?)?.multiply(&Decimal::new(1, exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_may_be_in_scientific_notation() {
        let read = |text| scientific(text).map(|value| value.to_string());
        assert_eq!(read("1.5*10^3"), read("1500"));
        assert_eq!(read("7*10^-1"), read("0.7"));
        assert_eq!(read("7*10^x"), None);
        assert_eq!(read("7*10^999999999"), None);
    }

    #[test]
    fn names_are_replaced_once() {
        let values = BTreeMap::from([("a", "[b][b]".into()), ("b", "2".into())]);
        let text = "[[a] [b], [c], [a";
        assert_eq!(filled(text, &values).as_deref(), Ok("[[b][b] 2, [c], [a"));
        let values = BTreeMap::from([("a", "x".repeat(1 << 20).into())]);
        assert!(filled(&"[a]".repeat(5), &values).is_err());
    }

    #[test]
    fn tolerances_are_amounts_or_percentages() {
        assert_eq!(amount("5%"), Some((true, Some(Decimal::from(5)))));
        assert_eq!(amount("0"), Some((false, None)));
        assert_eq!(amount(""), Some((false, None)));
        assert_eq!(amount("few"), None);
    }
}
