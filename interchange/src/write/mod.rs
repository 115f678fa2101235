//! Writes questions of an item bank as QTI 3.0, Moodle XML or GIFT, and reports losses.
//!
//! Every written question is read back. If its scores differ and no loss covers the difference, that is reported as a
//! loss too. So a writer cannot change scores silently.

mod gift;
mod html;
mod moodle;
mod qti3;
mod round_trip;

use fablegrade_public::content::Content;
use fablegrade_public::json::Json;
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Ratio};

use crate::format::Format;
use crate::loss::{Loss, Place};

/// A question of an item bank.
#[derive(Debug, Clone, PartialEq)]
pub struct BankItem {
    /// Its id.
    pub id: String,
    /// Its title, or its id if it has no title.
    pub title: String,
    /// The question text, from the line or else from the spec.
    pub prompt: String,
    /// The spec with its key.
    pub spec: Json,
}

/// A written question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The question in the target format: a whole file for QTI, otherwise a part of a file.
    pub text: String,
    /// The features of the spec that are not carried over.
    pub losses: Vec<Loss>,
}

impl BankItem {
    /// Reads a line of a bank: `{item, spec, title?, prompt?}`.
    ///
    /// # Errors
    /// A line without `item` or `spec`.
    pub fn from_json(line: &Json) -> Result<Self, Error> {
        let text = |name: &str| line.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let missing = |name: &str| {
            let message = format!("the field `{name}` is missing");
            Error::single(
                ErrorKind::Schema,
                Finding::error("missing-field", "", message, format!("add `{name}`")),
            )
        };
        let spec = line.get("spec").cloned().ok_or_else(|| missing("spec"))?;
        let id = text("item");
        if id.is_empty() {
            return Err(missing("item"));
        }
        let title = text("title");
        let own = spec.get("prompt").and_then(Json::as_str).unwrap_or_default().to_owned();
        let prompt = text("prompt");
        Ok(Self {
            title: if title.is_empty() { id.clone() } else { title },
            prompt: if prompt.is_empty() { own } else { prompt },
            id,
            spec,
        })
    }
}

/// The formats that can be written.
pub const TARGETS: [Format; 3] = [Format::Qti3, Format::MoodleXml, Format::Gift];

/// Writes a question in a format.
///
/// # Errors
/// The loss that explains why the format cannot express the question.
pub fn write(item: &BankItem, format: Format) -> Result<Written, Loss> {
    let mut losses = Vec::new();
    let text = match format {
        Format::Qti3 => qti3::write(item, &mut losses),
        Format::MoodleXml => moodle::write(item, &mut losses),
        Format::Gift => gift::write(item, &mut losses),
        _ => Err(score_loss("", "format", "not an export format", "use qti3, moodle-xml or gift")),
    }?;
    round_trip::read_back(item, format, &text, &mut losses);
    Ok(Written { text, losses })
}

/// Returns the texts before and after the questions of a file.
pub fn frame(format: Format) -> (&'static str, &'static str) {
    match format {
        Format::MoodleXml => ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n", "</quiz>\n"),
        _ => ("", ""),
    }
}

fn score_loss(pointer: &str, rule: &'static str, message: &str, suggestion: &str) -> Loss {
    Loss::score(Place::new(pointer, 0), rule, message, suggestion)
}

fn display_loss(pointer: &str, rule: &'static str, message: &str) -> Loss {
    Loss::display(Place::new(pointer, 0), rule, message, "keep the bank")
}

/// Reports a loss if the spec treats whitespace in short answers differently from Moodle, and so from GIFT.
fn blanks_lost(trim: bool, losses: &mut Vec<Loss>) {
    if !trim {
        losses.push(score_loss(
            "/spec/validator/config/blanks",
            "blanks",
            "in the exported question, whitespace at the ends is ignored, and all other whitespace counts",
            "set `blanks` to `trim`",
        ));
    }
}

/// Reports a loss if the spec forbids the same partner for several items, which Moodle and GIFT allow.
fn many_lost(many: bool, losses: &mut Vec<Loss>) {
    if !many {
        losses.push(score_loss(
            "/spec/allowManyToOne",
            "many-to-one",
            "in the exported question, several items can have the same partner",
            "set `allowManyToOne` to `true`",
        ));
    }
}

/// Returns the text of content; the markup of rich content is lost.
fn content(value: Option<&Json>, pointer: &str, losses: &mut Vec<Loss>) -> String {
    match value {
        Some(Json::String(text)) => text.to_string(),
        Some(other) => {
            losses.push(display_loss(pointer, "rich-content", "rich content is written as its text"));
            Json::parse(other.to_canonical().as_bytes())
                .ok()
                .and_then(|json| {
                    fablegrade_public::json::Document::parse(json.to_canonical().as_bytes())
                        .ok()
                        .and_then(|document| document.read::<Content>().ok())
                })
                .map(|content| content.visible_text())
                .unwrap_or_default()
        }
        None => String::new(),
    }
}

/// A choice of a `multiple_choice`.
struct Choice {
    id: String,
    content: String,
    correct: bool,
    feedback: Option<String>,
}

/// An accepted text.
struct Accepted {
    text: String,
    weight: String,
    /// Whether `*` in the text matches any characters, and `\*` is a star.
    wildcard: bool,
    /// Its place in the spec.
    pointer: String,
}

/// The parts of a spec that the writers need, independent of the format.
enum Shape {
    Choice {
        options: Vec<Choice>,
        multiple: bool,
        partial: bool,
        shuffle: bool,
    },
    Number {
        key: Key,
        integer: bool,
    },
    Texts {
        answers: Vec<Accepted>,
        ignore_case: bool,
        /// Whether whitespace counts except at the ends, as in Moodle.
        trim: bool,
    },
    Order {
        items: Vec<(String, String)>,
        correct: Vec<String>,
        credit: String,
    },
    Pairs {
        left: Vec<(String, String)>,
        right: Vec<(String, String)>,
        pairs: Vec<(String, String)>,
        partial: bool,
        many: bool,
    },
    /// Options as id, content and share.
    Weighted {
        options: Vec<(String, String, Ratio)>,
        most: Option<u64>,
        shuffle: bool,
    },
    Prose,
}

/// The key of a number.
enum Key {
    Value(Decimal),
    Absolute(Decimal, Decimal),
    Relative(Decimal, Decimal),
    Range(Decimal, Decimal),
}

fn list(spec: &Json, name: &str, losses: &mut Vec<Loss>) -> Vec<(String, String)> {
    let items = spec.get(name).and_then(Json::as_array).unwrap_or_default();
    let mut all = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let id = item.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        all.push((id, content(item.get("content"), &format!("/spec/{name}/{index}/content"), losses)));
    }
    all
}

fn flag(spec: &Json, name: &str, default: bool) -> bool {
    match spec.get(name) {
        Some(Json::Bool(value)) => *value,
        _ => default,
    }
}

/// Reads a spec; the error is the loss if no format has a counterpart.
fn shape(spec: &Json, losses: &mut Vec<Loss>) -> Result<Shape, Loss> {
    let text =
        |value: &Json, name: &str| value.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let kind = text(spec, "type");
    Ok(match kind.as_str() {
        "multiple_choice" => {
            let shown = list(spec, "choices", losses);
            let choices = spec.get("choices").and_then(Json::as_array).unwrap_or_default();
            let options = shown.into_iter().zip(choices).map(|((id, content_text), choice)| Choice {
                id,
                content: content_text,
                correct: flag(choice, "correct", false),
                feedback: choice.get("feedback").map(|value| match value {
                    Json::String(text) => text.to_string(),
                    other => other.to_canonical(),
                }),
            });
            Shape::Choice {
                options: options.collect(),
                multiple: flag(spec, "multipleSelect", false),
                partial: flag(spec, "partialCredit", false),
                shuffle: flag(spec, "shuffleChoices", true),
            }
        }
        "numeric" => {
            if spec.get("unit").is_some() {
                losses.push(score_loss(
                    "/spec/unit",
                    "unit",
                    "the unit is not asked for",
                    "ask for it in the prompt",
                ));
            }
            if spec.get("inputHint").is_some() {
                losses.push(display_loss("/spec/inputHint", "input-hint", "the placeholder is left out"));
            }
            let answer = spec.get("answer");
            let number =
                |name: &str| answer.and_then(|answer| answer.get(name)).and_then(Json::as_number).cloned();
            let tolerance = answer.and_then(|answer| answer.get("tolerance"));
            let amount = tolerance.and_then(|one| one.get("amount")).and_then(Json::as_number).cloned();
            let relative = tolerance.is_some_and(|one| text(one, "mode") == "relative");
            let key = match (number("value"), number("min"), number("max"), amount) {
                (Some(value), _, _, Some(amount)) if relative => Key::Relative(value, amount),
                (Some(value), _, _, Some(amount)) => Key::Absolute(value, amount),
                (Some(value), ..) => Key::Value(value),
                (None, Some(min), Some(max), _) => Key::Range(min, max),
                _ => {
                    return Err(score_loss(
                        "/spec/answer",
                        "no-key",
                        "the answer cannot be read",
                        "check the spec",
                    ));
                }
            };
            Shape::Number { key, integer: flag(spec, "integerOnly", false) }
        }
        "ordering" => Shape::Order {
            items: list(spec, "items", losses),
            correct: spec
                .get("correctOrder")
                .and_then(Json::as_array)
                .unwrap_or_default()
                .iter()
                .filter_map(Json::as_str)
                .map(str::to_owned)
                .collect(),
            credit: spec.get("partialCredit").and_then(Json::as_str).unwrap_or("none").to_owned(),
        },
        "matching" => Shape::Pairs {
            left: list(spec, "left", losses),
            right: list(spec, "right", losses),
            pairs: spec
                .get("correctPairs")
                .and_then(Json::as_array)
                .unwrap_or_default()
                .iter()
                .map(|pair| (text(pair, "left"), text(pair, "right")))
                .collect(),
            partial: flag(spec, "partialCredit", true),
            many: flag(spec, "allowManyToOne", false),
        },
        "free_text" => {
            for name in ["rubric", "selfAssessChecklist", "minWords", "maxWords"] {
                if spec.get(name).is_some() {
                    losses.push(display_loss(
                        &format!("/spec/{name}"),
                        "prose-settings",
                        "this setting of free text is left out",
                    ));
                }
            }
            if text(spec, "gradingMode") != "reviewer" {
                losses.push(display_loss(
                    "/spec/gradingMode",
                    "grading-mode",
                    "in the exported question, a person grades the answer",
                ));
            }
            Shape::Prose
        }
        "widget" if spec.pointer("/validator/name").and_then(Json::as_str) == Some("short_text") => {
            let config = spec.pointer("/validator/config").cloned().unwrap_or(Json::Null);
            for (name, _) in config.as_object().unwrap_or_default() {
                if !matches!(&**name, "alternatives" | "ignoreCase" | "blanks") {
                    losses.push(score_loss(
                        &format!("/spec/validator/config/{name}"),
                        "text-rule",
                        "this rule for texts is left out",
                        "keep the bank",
                    ));
                }
            }
            let mut answers = Vec::new();
            for (index, one) in
                config.get("alternatives").and_then(Json::as_array).unwrap_or_default().iter().enumerate()
            {
                let weight = match one.get("weight") {
                    None => "1".to_owned(),
                    Some(Json::String(text)) => text.to_string(),
                    Some(other) => other.to_canonical(),
                };
                let pointer = format!("/spec/validator/config/alternatives/{index}");
                let text = |name: &str| one.get(name).and_then(Json::as_str).map(str::to_owned);
                // A backslash before another sign has no counterpart.
                let wildcard = text("wildcard").filter(|text| !text.replace("\\*", "").contains('\\'));
                match (text("text"), wildcard) {
                    (Some(text), _) => answers.push(Accepted { text, weight, wildcard: false, pointer }),
                    (None, Some(text)) => answers.push(Accepted { text, weight, wildcard: true, pointer }),
                    (None, None) => losses.push(pattern_lost(&pointer)),
                }
                if one.get("message").is_some() {
                    losses.push(display_loss(
                        &format!("/spec/validator/config/alternatives/{index}/message"),
                        "feedback",
                        "feedback is left out",
                    ));
                }
            }
            if answers.is_empty() {
                return Err(score_loss(
                    "/spec/validator/config",
                    "no-key",
                    "no text is left",
                    "list the texts",
                ));
            }
            let trim = config.get("blanks").and_then(Json::as_str) == Some("trim");
            Shape::Texts { answers, ignore_case: flag(&config, "ignoreCase", true), trim }
        }
        "widget" if spec.pointer("/validator/name").and_then(Json::as_str) == Some("choice_weights") => {
            weighted(spec, losses)?
        }
        "widget" => {
            let validator = spec.pointer("/validator/name").or(spec.pointer("/validator/kind"));
            let name = validator.and_then(Json::as_str).unwrap_or_default();
            let message = format!("a widget with the validator `{name}` has no counterpart");
            return Err(score_loss("/spec/validator", "validator", &message, "keep the bank"));
        }
        _ => {
            let message = format!("questions of type `{kind}` have no counterpart");
            return Err(score_loss("/spec", "question-type", &message, "keep the bank"));
        }
    })
}

fn pattern_lost(pointer: &str) -> Loss {
    score_loss(pointer, "pattern", "a pattern is left out", "list the texts")
}

/// Removes the texts with wildcards, which are reported as losses.
fn without_wildcards(answers: Vec<Accepted>, losses: &mut Vec<Loss>) -> Result<Vec<Accepted>, Loss> {
    let (wild, plain): (Vec<_>, Vec<_>) = answers.into_iter().partition(|one| one.wildcard);
    losses.extend(wild.iter().map(|one| pattern_lost(&one.pointer)));
    if plain.is_empty() {
        return Err(score_loss("/spec/validator/config", "no-key", "no text is left", "list the texts"));
    }
    Ok(plain)
}

/// Returns the options of a `choice_weights` widget, with their content from its parameters.
fn weighted(spec: &Json, losses: &mut Vec<Loss>) -> Result<Shape, Loss> {
    let params = spec.get("params").cloned().unwrap_or(Json::Null);
    let shown_options = list(&params, "options", losses);
    let config = spec.pointer("/validator/config").cloned().unwrap_or(Json::Null);
    let weights = config.get("options").and_then(Json::as_array).unwrap_or_default();
    let mut options = Vec::with_capacity(weights.len());
    for (index, one) in weights.iter().enumerate() {
        let at = format!("/spec/validator/config/options/{index}");
        let id = one.get("id").and_then(Json::as_str).unwrap_or_default().to_owned();
        let Some((_, content)) = shown_options.iter().find(|(other, _)| *other == id) else {
            let message = format!("`params.options` has no option `{id}`");
            return Err(score_loss(&at, "option-content", &message, "add the option to `params.options`"));
        };
        let Some(weight) = one.get("weight").and_then(weight) else {
            return Err(score_loss(&at, "weight", "the weight is not a number", "check the spec"));
        };
        if one.get("message").is_some() {
            losses.push(display_loss(&format!("{at}/message"), "feedback", "feedback is left out"));
        }
        options.push((id, content.clone(), weight));
    }
    // A rule without a value, or with the value 0, has no effect.
    let rule =
        |name: &str| config.get(name).is_some_and(|share| weight(share).is_none_or(|share| !share.is_zero()));
    if rule("floor") {
        losses.push(score_loss(
            "/spec/validator/config/floor",
            "floor",
            "the lowest score is 0 in the exported question",
            "keep the bank",
        ));
    }
    for (name, message) in [
        ("beyond", "selecting more options than allowed does not cost points in the exported question"),
        ("base", "a selection earns only what its options earn in the exported question"),
    ] {
        if rule(name) {
            losses.push(score_loss(
                &format!("/spec/validator/config/{name}"),
                name,
                message,
                "keep the bank",
            ));
        }
    }
    // With `beyond`, more options can be selected.
    let most = config.get("most").filter(|_| config.get("beyond").is_none());
    let most = most.and_then(Json::as_number).and_then(|most| most.to_string().parse().ok());
    Ok(Shape::Weighted { options, most, shuffle: flag(&params, "shuffle", false) })
}

/// Reads a weight of a configuration.
fn weight(json: &Json) -> Option<Ratio> {
    match json {
        Json::String(text) => fraction(text),
        Json::Number(number) => Some(Ratio::from_decimal(number)),
        _ => None,
    }
}

/// Reads a weight that is a text: a fraction such as `-1/3`, or a decimal such as `0.5`.
fn fraction(text: &str) -> Option<Ratio> {
    match text.split_once('/') {
        Some((above, below)) => {
            let below = below.parse().ok().filter(|below: &u64| *below > 0)?;
            Some(Ratio::new(above.parse().ok()?, below))
        }
        None => Decimal::from_text(text).ok().map(|value| Ratio::from_decimal(&value)),
    }
}

/// Returns a weight with at most ten decimal places. Rounding is reported as a loss.
fn decimal_weight(weight: &Ratio, losses: &mut Vec<Loss>) -> String {
    decimal_share(&weight.to_fraction_text(), losses)
}

/// Works like [`decimal_weight`] for a weight as text; a decimal remains unchanged.
fn decimal_share(weight: &str, losses: &mut Vec<Loss>) -> String {
    let (value, exact) = share(weight);
    if !exact {
        losses.push(score_loss(
            "/spec/validator/config",
            "rounded-share",
            "a weight is rounded to ten decimal places",
            "use weights with at most ten decimal places",
        ));
    }
    value
}

/// Returns a share in percent as a decimal. Rounding is reported as a loss.
fn weight_percent(weight: &str, suggestion: &str, losses: &mut Vec<Loss>) -> String {
    let (value, exact) = share(weight);
    if !exact {
        losses.push(score_loss(
            "/spec/validator/config",
            "rounded-share",
            "a weight is rounded to ten decimal places",
            suggestion,
        ));
    }
    Decimal::from_text(&value)
        .map_or_else(|_| "0".into(), |value| value.multiply(&Decimal::from(100)).to_string())
}

/// Rounds a fraction to at most ten decimal places, and returns whether the result is exact. A text without `/` is
/// returned unchanged.
fn share(text: &str) -> (String, bool) {
    match text.split_once('/') {
        None => (text.to_owned(), true),
        Some((above, below)) => match (above.parse::<i64>(), below.parse::<i64>()) {
            (Ok(above), Ok(below)) if below > 0 => {
                let size = u128::from(above.unsigned_abs()) * 10_000_000_000;
                let below = u128::from(below.unsigned_abs());
                // Half of the divisor is added, so the quotient is rounded to the nearest place.
                let scaled = (size * 2 + below) / (below * 2);
                let exact = scaled * below == size;
                let sign = if above < 0 && scaled > 0 { "-" } else { "" };
                let digits = format!("{scaled:011}");
                let (whole, rest) = digits.split_at(digits.len() - 10);
                let rest = rest.trim_end_matches('0');
                (
                    if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") },
                    exact,
                )
            }
            _ => ("0".into(), false),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_rounded_to_the_nearest_place() {
        for (fraction, decimal, exact) in [
            ("1/3", "0.3333333333", false),
            ("2/3", "0.6666666667", false),
            ("-2/3", "-0.6666666667", false),
            ("-1/8", "-0.125", true),
            ("-1/30000000000", "0", false),
            ("0.5", "0.5", true),
        ] {
            assert_eq!(share(fraction), (decimal.to_owned(), exact), "{fraction}");
        }
    }
}
