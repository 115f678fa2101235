//! Readers for states and for the fields that several configurations share.

use fablegrade_core::host::{Message, Unjudged};
use fablegrade_core::json::{self, Json, Object, Path, Value};
use fablegrade_core::{Decimal, Finding, Findings, Ratio};

/// The greatest length of a typed answer, in code points.
pub(crate) const MAX_TEXT: usize = 2_000;

/// Returns a reader for a share of the score within the bounds: a number, or a fraction as text.
pub(crate) fn share(least: i64, most: i64) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<Ratio> {
    move |value, at, findings| {
        let ratio = match (value.number(), value.str()) {
            (Some(number), _) => Some(Ratio::from_decimal(&number)),
            (None, Some(text)) => fraction(&text),
            (None, None) => None,
        };
        match ratio {
            Some(ratio) if ratio >= Ratio::new(least, 1) && ratio <= Ratio::new(most, 1) => Some(ratio),
            _ => {
                findings.push(Finding::error(
                    "share-form",
                    at.pointer(),
                    format!("a share is a number between {least} and {most}, or a fraction as text"),
                    "write it like 0.5 or \"1/3\"",
                ));
                None
            }
        }
    }
}

/// Reads a fraction of integers with at most 12 digits each (`-1/3`), or a decimal (`0.5`).
fn fraction(text: &str) -> Option<Ratio> {
    if let Some((above, below)) = text.split_once('/') {
        let digits = |text: &str| (1..=12).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        let unsigned = above.strip_prefix('-').unwrap_or(above);
        if !digits(unsigned) || !digits(below) {
            return None;
        }
        let below: u64 = below.parse().ok().filter(|below| *below > 0)?;
        return Some(Ratio::new(above.parse().ok()?, below));
    }
    (text.len() <= 20)
        .then(|| Decimal::from_text(text).ok())
        .flatten()
        .map(|number| Ratio::from_decimal(&number))
}

/// Returns whether the object has a `message` for learners. Its text is looked up by its pointer when it is shown.
pub(crate) fn message(object: &mut Object<'_, '_, '_>) -> Option<bool> {
    object.optional("message", json::string(1, 1_000)).map(|text| text.is_some())
}

/// Returns a reader for an integer within the bounds.
pub(crate) fn count(least: u32, most: u32) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<u32> {
    let read = json::integer(i64::from(least), i64::from(most));
    move |value, at, findings| read(value, at, findings).and_then(|number| u32::try_from(number).ok())
}

/// Returns the text that the learner typed: the field `name` of the state.
pub(crate) fn typed<'s>(state: &'s Json, name: &str) -> Result<&'s str, Unjudged> {
    let text = state.get(name).and_then(Json::as_str);
    let text = text.ok_or_else(|| Unjudged::Unreadable(Message::sentence("no-text")))?;
    if text.len() > MAX_TEXT && text.chars().count() > MAX_TEXT {
        return Err(Unjudged::Unreadable(Message::sentence("text-too-long")));
    }
    Ok(text)
}

/// Returns the texts of a state's list; `None` if the field is not a list of at most 200 different texts.
pub(crate) fn chosen<'s>(state: &'s Json, name: &str) -> Option<Vec<&'s str>> {
    let items = state.get(name)?.as_array()?;
    if items.len() > 200 {
        return None;
    }
    let mut found: Vec<&str> = Vec::with_capacity(items.len());
    for item in items {
        let item = item.as_str()?;
        if found.contains(&item) {
            return None;
        }
        found.push(item);
    }
    Some(found)
}

/// Reads an id of 1 to 64 code points.
pub(crate) fn id(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    json::string(1, 64)(value, at, findings)
}

/// Warns when no answer earns full marks.
pub(crate) fn lint_full_marks(best: &Ratio, pointer: &str, findings: &mut Findings) {
    if !best.is_one() {
        findings.push(Finding::warning(
            "no-full-marks",
            pointer,
            "no answer earns the full score",
            "give the best answer the weight 1",
        ));
    }
}
