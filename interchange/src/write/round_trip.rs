//! Round-trip check: every written question is read back and compared with the original.

use std::collections::BTreeMap;

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use super::{BankItem, Key, Shape, frame, score_loss, shape};
use crate::compile::Question;
use crate::format::{Format, Source};
use crate::loss::{Effect, Loss};

/// Reads a written question back and reports differences from the original.
///
/// A difference that changes scores is reported unless a loss already covers it. Any other difference is reported only
/// if there is no loss yet.
pub(super) fn read_back(item: &BankItem, format: Format, text: &str, losses: &mut Vec<Loss>) {
    let (head, tail) = frame(format);
    let whole = format!("{head}{text}{tail}");
    let mut found: Vec<Question> = Vec::new();
    let source = Source::new("written", whole.as_bytes());
    let outcome = crate::read::read(&source, Some(format), &mut |question| found.extend(question));
    let back = match (&outcome, found.as_slice()) {
        (Ok(_), [question]) if question.is_single() => Some(&question.specs[0].spec),
        _ => None,
    };
    let Some(back) = back else {
        if !losses.iter().any(changes_scores) {
            losses.push(difference("/spec"));
        }
        return;
    };
    for pointer in differences(&item.spec, back) {
        let told = |loss: &Loss| {
            let path = loss.place.path.as_str();
            changes_scores(loss) && (path.starts_with(&pointer) || pointer.starts_with(path))
        };
        if !losses.iter().any(told) {
            losses.push(difference(&pointer));
        }
    }
    let canonical = |spec: &Json| {
        fablegrade_core::AnswerSpec::from_json(spec.to_canonical()).map(|spec| spec.to_json_with_key()).ok()
    };
    if losses.is_empty() && canonical(&item.spec) != canonical(back) {
        let loss = score_loss(
            "",
            "round-trip",
            "it reads back as a different spec with the same scores",
            "keep the bank",
        );
        losses.push(Loss { effect: Effect::Metadata, ..loss });
    }
}

fn changes_scores(loss: &Loss) -> bool {
    loss.effect == Effect::ChangesScore
}

fn difference(pointer: &str) -> Loss {
    score_loss(pointer, "round-trip", "this reads back as a question with different scores", "keep the bank")
}

/// Returns the pointers into the first spec to facts that determine scores and differ in the second.
fn differences(ours: &Json, theirs: &Json) -> Vec<String> {
    let (Some(ours), Some(theirs)) = (scoring(ours), scoring(theirs)) else {
        return vec!["/spec".to_owned()];
    };
    let mut all: Vec<String> = Vec::new();
    for (fact, (pointer, value)) in &ours {
        if theirs.get(fact).is_none_or(|(_, other)| other != value) {
            all.push(pointer.clone());
        }
    }
    if theirs.keys().any(|fact| !ours.contains_key(fact)) {
        all.push("/spec".to_owned());
    }
    all.dedup();
    all
}

/// The facts that determine scores: each name with its pointer and its value, in which contents replace ids.
type Scoring = BTreeMap<String, (String, String)>;

/// Returns the scoring of a spec; `None` if no format can express the spec.
fn scoring(spec: &Json) -> Option<Scoring> {
    let mut unread = Vec::new();
    let shape = shape(spec, &mut unread).ok()?;
    let mut all = Scoring::new();
    // Rules that no format can express are facts too.
    for loss in unread.iter().filter(|loss| changes_scores(loss)) {
        all.insert(loss.place.path.clone(), (loss.place.path.clone(), String::new()));
    }
    let mut fact = |name: &str, pointer: &str, value: String| {
        all.insert(name.to_owned(), (format!("/spec/{pointer}"), value));
    };
    match shape {
        Shape::Choice { options, multiple, partial, .. } => {
            let right = options.iter().filter(|option| option.correct).count().max(1) as i64;
            let share = |correct: bool| match (correct, multiple) {
                (true, true) => Ratio::new(1, right as u64),
                (true, false) => Ratio::new(1, 1),
                (false, true) => Ratio::new(-1, right as u64),
                (false, false) => Ratio::zero(),
            };
            let shares = options.iter().map(|option| (option.content.as_str(), share(option.correct)));
            fact("shares", "choices", shared(shares));
            fact("most", "multipleSelect", if multiple { "any".into() } else { "1".into() });
            if multiple && !partial {
                fact("all or nothing", "partialCredit", String::new());
            }
        }
        Shape::Weighted { options, most, .. } => {
            let shares = options.iter().map(|(_, content, weight)| (content.as_str(), weight.clone()));
            fact("shares", "validator/config/options", shared(shares));
            fact("most", "validator/config/most", most.map_or("any".into(), |most| most.to_string()));
        }
        Shape::Number { key, integer } => {
            fact("values", "answer", values(&key));
            fact("integer", "integerOnly", integer.to_string());
        }
        Shape::Texts { answers, ignore_case, trim } => {
            let answers = answers.iter().map(|one| {
                let weight = super::fraction(&one.weight).map(|weight| weight.to_fraction_text());
                format!("{:?} {} {weight:?}\n", one.text, one.wildcard)
            });
            fact("texts", "validator/config/alternatives", answers.collect());
            fact("case", "validator/config/ignoreCase", ignore_case.to_string());
            fact("blanks", "validator/config/blanks", trim.to_string());
        }
        Shape::Order { items, correct, credit } => {
            let contents = correct.iter().map(|id| content_of(&items, id) + "\n");
            fact("order", "correctOrder", contents.collect());
            fact("credit", "partialCredit", credit);
        }
        Shape::Pairs { left, right, pairs, partial, many } => {
            let mut pairs: Vec<String> = pairs
                .iter()
                .map(|(a, b)| format!("{:?} {:?}\n", content_of(&left, a), content_of(&right, b)))
                .collect();
            pairs.sort();
            fact("pairs", "correctPairs", pairs.concat());
            for (name, list) in [("left", &left), ("right", &right)] {
                let mut contents: Vec<String> =
                    list.iter().map(|(_, content)| plain(content) + "\n").collect();
                contents.sort();
                fact(name, name, contents.concat());
            }
            fact("partial credit", "partialCredit", partial.to_string());
            fact("many", "allowManyToOne", many.to_string());
        }
        Shape::Prose => fact("prose", "type", String::new()),
    }
    Some(all)
}

/// Returns contents with their shares, sorted.
fn shared<'a>(shares: impl Iterator<Item = (&'a str, Ratio)>) -> String {
    let mut all: Vec<String> = shares
        .map(|(content, share)| format!("{:?} {}\n", plain(content), share.to_fraction_text()))
        .collect();
    all.sort();
    all.concat()
}

/// Returns the least and the greatest correct number as a text.
fn values(key: &Key) -> String {
    let (least, greatest) = match key {
        Key::Value(value) => (value.clone(), value.clone()),
        Key::Absolute(value, amount) => (value.add(&amount.negate()), value.add(amount)),
        Key::Relative(value, amount) => {
            let amount = value.abs().multiply(amount);
            (value.add(&amount.negate()), value.add(&amount))
        }
        Key::Range(least, greatest) => (least.clone(), greatest.clone()),
    };
    let text = |value| Ratio::from_decimal(value).to_fraction_text();
    format!("{} {}", text(&least), text(&greatest))
}

fn content_of(list: &[(String, String)], id: &str) -> String {
    list.iter().find(|(other, _)| other == id).map(|(_, content)| plain(content)).unwrap_or_default()
}

/// Collapses whitespace and escapes of tags, in which formats differ.
fn plain(content: &str) -> String {
    let content = content.replace("\\<", "<");
    // In formulas, a space follows a `<` that would begin a tag.
    content.split_whitespace().collect::<Vec<_>>().join(" ").replace("< ", "<")
}
