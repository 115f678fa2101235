//! Typed texts: their scores, and whether case and surrounding text count.

use fablegrade_public::Ratio;

use super::evaluate::Unsupported;
use super::fit::Share;
use super::value::{Atom, Value};
use crate::item::{TextAnswer, TextEntry, TextForm, Whitespace};

/// A text that is not an expected answer.
pub(super) const UNEXPECTED: &str = "zqx unexpected";

fn swapped(text: &str) -> String {
    text.chars()
        .flat_map(|c| -> Vec<char> {
            if c.is_lowercase() { c.to_uppercase().collect() } else { c.to_lowercase().collect() }
        })
        .collect()
}

fn surrounded(text: &str) -> String {
    format!("zqx{text}xqz")
}

/// Returns variants of a text that rules can distinguish.
pub(super) fn forms(text: &str) -> [String; 5] {
    let turned = swapped(text);
    [text.to_owned(), format!(" {text} "), surrounded(text), surrounded(&turned), turned]
}

/// The maximum number of literals that are tested together in one text.
const MAX_JOINED: usize = 6;

/// Returns texts that contain two of the literals or all of them, in different orders. Rules can ask for several.
pub(super) fn joined(literals: &[String]) -> Vec<String> {
    let several = &literals[..literals.len().min(MAX_JOINED)];
    let mut out: Vec<String> = pairs(several).map(|(first, second)| both(first, second)).collect();
    if several.len() > 2 {
        out.push(several.join(" zqx "));
        out.push(several.iter().rev().map(String::as_str).collect::<Vec<_>>().join(" zqx "));
    }
    out
}

/// Returns the ordered pairs of different literals of which neither contains the other.
fn pairs(literals: &[String]) -> impl Iterator<Item = (&String, &String)> {
    let all = literals.iter().flat_map(move |first| literals.iter().map(move |second| (first, second)));
    all.filter(|(first, second)| !first.contains(second.as_str()) && !second.contains(first.as_str()))
}

fn both(first: &str, second: &str) -> String {
    format!("zqx{first} zqx {second}xqz")
}

/// The points of a text: as is, with swapped case, inside another text, with swapped case inside another text, and
/// padded with spaces.
struct Earned {
    text: String,
    exact: Ratio,
    turned: Ratio,
    inside: Ratio,
    inside_turned: Ratio,
    padded: Ratio,
    has_case: bool,
}

impl Earned {
    fn is_blind(&self) -> bool {
        self.exact == self.turned && self.inside == self.inside_turned
    }

    fn is_sensitive(&self, other: &Ratio) -> bool {
        self.turned == *other && self.inside_turned == *other
    }
}

/// Derives accepted texts and their weights from the scores that `share` returns; `None` if no text earns anything.
pub(super) fn fit(literals: &[String], share: &Share<'_>) -> Result<Option<TextEntry>, Unsupported> {
    let earns = |text: &str| share(&Value::One(Atom::Text(text.to_owned()))).map(Ratio::clamped);
    let other = earns(UNEXPECTED)?;
    let none = share(&Value::Null)?.clamped();
    let mut all = Vec::new();
    for text in literals {
        let turned = swapped(text);
        let earned = Earned {
            exact: earns(text)?,
            turned: earns(&turned)?,
            inside: earns(&surrounded(text))?,
            inside_turned: earns(&surrounded(&turned))?,
            padded: earns(&format!(" {text} "))?,
            has_case: turned != *text,
            text: text.clone(),
        };
        if [&earned.exact, &earned.turned, &earned.inside, &earned.inside_turned]
            .iter()
            .any(|one| **one != other)
        {
            all.push(earned);
        }
    }
    let mut cased = all.iter().filter(|one| one.has_case).peekable();
    let any_cased = cased.peek().is_some();
    // If texts earn something only together, case is tested for all of them together.
    let together = literals[..literals.len().min(MAX_JOINED)].join(" zqx ");
    let together_blind = earns(&together)? == earns(&swapped(&together))?;
    let blind = if all.is_empty() {
        together_blind && swapped(&together) != together
    } else {
        any_cased && cased.all(Earned::is_blind)
    };
    let sensitive = all.iter().filter(|one| one.has_case).all(|one| one.is_sensitive(&other));
    // The first match decides, so more specific forms come first.
    let mut ranked: Vec<(u8, TextAnswer)> = Vec::new();
    let mut padding_counts = false;
    for one in &all {
        let mut add = |rank, form, weight: &Ratio| {
            ranked.push((rank, TextAnswer { form, weight: weight.clone(), feedback: None }));
        };
        let wildcard = || TextForm::Wildcard(format!("*{}*", literal(&one.text)));
        let mut rest = &other;
        if blind || sensitive || !one.has_case {
            if one.inside != *rest {
                add(3, wildcard(), &one.inside);
                rest = &one.inside;
            }
            if one.exact != *rest {
                add(0, TextForm::Text(one.text.clone()), &one.exact);
            }
        } else {
            let pattern = escape_pattern(&one.text);
            if one.inside_turned != *rest {
                add(4, TextForm::Pattern(format!("(?is).*{pattern}.*")), &one.inside_turned);
                rest = &one.inside_turned;
            }
            let below = rest;
            if one.inside != *rest {
                add(3, wildcard(), &one.inside);
                rest = &one.inside;
            }
            if one.turned != *below {
                add(1, TextForm::Pattern(format!("(?i){pattern}")), &one.turned);
                rest = &one.turned;
            }
            if one.exact != *rest {
                add(0, TextForm::Text(one.text.clone()), &one.exact);
            }
        }
        padding_counts |= one.padded != one.exact;
    }
    // Two texts that a response must contain earn more together than each alone.
    let few = &literals[..literals.len().min(MAX_JOINED)];
    for (first, second) in pairs(few).filter(|_| blind || sensitive) {
        let weight = earns(&both(first, second))?;
        let alone = all.iter().filter(|one| one.text == *first || one.text == *second);
        let alone = alone.map(|one| &one.inside).max().unwrap_or(&other);
        if weight > *alone {
            let form = TextForm::Wildcard(format!("*{}*{}*", literal(first), literal(second)));
            ranked.push((2, TextAnswer { form, weight, feedback: None }));
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut answers: Vec<TextAnswer> = ranked.into_iter().map(|(_, answer)| answer).collect();
    if !other.is_zero() {
        answers.push(TextAnswer {
            form: TextForm::Wildcard("*".into()),
            weight: other.clone(),
            feedback: None,
        });
    }
    if none != other {
        answers.insert(0, TextAnswer { form: TextForm::Text(String::new()), weight: none, feedback: None });
    }
    if answers.iter().all(|answer| answer.weight.is_zero()) {
        return Ok(None);
    }
    let whitespace = if padding_counts { Whitespace::Keep } else { Whitespace::Trim };
    Ok(Some(TextEntry { answers, ignore_case: blind, whitespace }))
}

/// Returns a text in a wildcard that stands for itself.
fn literal(text: &str) -> String {
    text.replace('\\', r"\\").replace('*', r"\*")
}

fn escape_pattern(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if r"\.+*?()|[]{}^$#&-~ ".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
