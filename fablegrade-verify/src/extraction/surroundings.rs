//! Reads the clause around a box: a sign or a relation before it, denials, suppositions, bounds and questions.

use std::ops::Range;

use super::boxes::Boxed;
use super::groups::{end_of, start_of};
use super::{bounds, markers, values};

/// The maximum length of the text before and after a box that is read, in bytes.
const NEAR: usize = 300;

/// What the clause around a box makes of its content.
pub(super) enum Standing {
    /// The content is the answer.
    Stated,
    /// The content is denied, supposed or asked.
    Refused,
    /// The content is a part of this answer.
    Part(String),
}

const RELATIONS: &[&str] = &[
    "<",
    ">",
    "≤",
    "≥",
    "≠",
    "\\leqslant",
    "\\geqslant",
    "\\leq",
    "\\geq",
    "\\neq",
    "\\le",
    "\\ge",
    "\\ne",
    "\\lt",
    "\\gt",
];

/// Reads the clause around a box in a window of the response.
pub(super) fn standing(text: &str, window: Range<usize>, boxed: &Boxed) -> Standing {
    let before = end_of(&text[window.start..boxed.range.start], NEAR);
    let after = start_of(&text[boxed.range.end..window.end], NEAR);
    let behind = closed(after);
    let lower_behind = behind.to_ascii_lowercase();
    let denied = [
        "is wrong",
        "is incorrect",
        "is false",
        "is not correct",
        "is not right",
        "is not the answer",
        "is not the correct ",
        "is not the right ",
        "is not the final ",
        "isn't correct",
        "isn't right",
        "isn't the answer",
        "isn't the correct ",
        "isn't the right ",
        "cannot be right",
        "cannot be correct",
        "can't be right",
        "can't be correct",
    ];
    if behind.starts_with(['?', '？']) || denied.iter().any(|words| lower_behind.starts_with(words)) {
        return Standing::Refused;
    }
    if is_operand(before, after) {
        return Standing::Refused;
    }
    let content = text[boxed.content.clone()].trim();
    if let Some(standing) = sign_or_relation(before, content) {
        return standing;
    }
    let words = opened(before);
    let head = markers::head_of_sentence(words).unwrap_or_default().to_ascii_lowercase().replace('’', "'");
    if is_denied(&head) || is_supposed(&head, behind) || is_bound(&head) {
        return Standing::Refused;
    }
    match other_value(&head, words, behind).filter(|other| !is_same_otherwise(content, other)) {
        Some(other) => Standing::Part(format!("{content} ; {other}")),
        None => Standing::Stated,
    }
}

/// Returns whether a box is a part of a formula that is not an equation to fill in: `\frac{\boxed{42}}{2}`, `\boxed{42}^2`.
fn is_operand(before: &str, after: &str) -> bool {
    let rest = after.trim_start_matches(' ');
    let power = rest.strip_prefix('^').is_some_and(|exponent| !is_ordinal_or_degree(exponent));
    let mut letters = after.chars();
    let variable = letters.next().is_some_and(|c| matches!(c, 'i' | 'k' | 'n' | 'x' | 'y' | 'z'))
        && !letters.next().is_some_and(char::is_alphanumeric);
    let argument = ["\\frac{", "\\dfrac{", "\\sqrt{"].iter().any(|command| before.ends_with(command));
    let line = rest.split(['\n', '$']).next().unwrap_or_default();
    (power || variable || argument || rest.starts_with('+')) && !line.contains('=')
}

/// Returns whether an exponent is a degree sign or the ending of an ordinal: `\boxed{7}^{\text{th}}`.
fn is_ordinal_or_degree(exponent: &str) -> bool {
    let mut inner = exponent.trim_start_matches(['{', ' ']);
    for command in ["\\text{", "\\textrm{", "\\mathrm{", "\\rm "] {
        inner = inner.strip_prefix(command).unwrap_or(inner);
    }
    let word: String = inner.chars().take_while(char::is_ascii_alphabetic).collect();
    inner.starts_with("\\circ") || matches!(word.as_str(), "st" | "nd" | "rd" | "th" | "o")
}

/// Returns the text after a box without the marks that close what the box is in.
fn closed(after: &str) -> &str {
    let mut rest = after;
    loop {
        let trimmed = rest.trim_start_matches([' ', '$', '*', '_', '}', '"', '”', ')']);
        let trimmed = ["\\)", "\\]", "\\,", "</b>"]
            .iter()
            .find_map(|mark| trimmed.strip_prefix(mark))
            .unwrap_or(trimmed);
        if trimmed.len() == rest.len() {
            return rest;
        }
        rest = trimmed;
    }
}

/// Returns the text before a box without the marks that open what the box is in.
fn opened(before: &str) -> &str {
    let mut rest = before;
    loop {
        let trimmed = rest.trim_end_matches([' ', '$', '*', '_', '{', '"', '“', '(']);
        let trimmed = ["\\(", "\\[", "\\displaystyle", "<b>", "\\mathbf", "\\text"]
            .iter()
            .find_map(|mark| trimmed.strip_suffix(mark))
            .unwrap_or(trimmed);
        if trimmed.len() == rest.len() {
            return rest;
        }
        rest = trimmed;
    }
}

/// Reads a sign or a relation directly before a box: `x = -\boxed{42}`, `x > \boxed{42}`.
fn sign_or_relation(before: &str, content: &str) -> Option<Standing> {
    let front = before.trim_end_matches(' ');
    let spaced = front.len() < before.len();
    let whole = |sign: &str| {
        let sum = content.trim_start_matches(['-', '+']).contains(['+', '-']);
        Standing::Part(if sum { format!("{sign}({content})") } else { format!("{sign}{content}") })
    };
    for (mark, sign) in [("-", "-"), ("−", "-"), ("\\pm", "\\pm "), ("±", "\\pm ")] {
        let Some(operand) = front.strip_suffix(mark) else { continue };
        let operand = operand.trim_end_matches(' ');
        // an operator or the start of a formula precedes a sign; a dash of a list has a blank behind it
        let starts = operand.ends_with(['=', '<', '>', '(', '[', '{', ',', '$', '&', '≈'])
            || operand.ends_with("\\(")
            || operand.ends_with("\\[");
        let word = operand.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let after_word = !spaced && (word.len() > 1 && !operand.ends_with(&format!("\\{word}")));
        let alone = !spaced && (operand.is_empty() || operand.ends_with(['\n', ':']));
        return (starts || after_word || alone).then(|| whole(sign));
    }
    // a relation that opens a line is a quotation mark, and `=>`, `->`, `<b>` are none
    let relation = RELATIONS.iter().find(|relation| front.ends_with(**relation))?;
    let left = front[..front.len() - relation.len()].trim_end_matches([' ', '&']);
    let tag = *relation == ">"
        && (left.ends_with(['=', '-', '|', '<', '>'])
            || left.rfind('<').is_some_and(|open| {
                let name = left[open + 1..].trim_start_matches('/');
                name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(['\n', '$'])
            }));
    if tag || left.is_empty() || left.ends_with('\n') {
        return None;
    }
    let name_start = left
        .rfind(|c: char| {
            !c.is_ascii_alphanumeric() && !matches!(c, '\\' | '_' | '{' | '}' | '^' | '(' | ')' | '|')
        })
        .map_or(0, |at| at + left[at..].chars().next().map_or(1, char::len_utf8));
    let name = &left[name_start..];
    let further = RELATIONS.iter().any(|relation| left[..name_start].trim_end().ends_with(*relation));
    let is_name = !name.is_empty()
        && (name.len() == 1 || name.contains(['\\', '_', '^', '(']))
        && name.matches('(').count() == name.matches(')').count()
        && name.matches('{').count() == name.matches('}').count();
    Some(if is_name && !further {
        Standing::Part(format!("{name} {relation} {content}"))
    } else {
        Standing::Refused
    })
}

/// Returns whether the words before a box deny its content: "the answer is not", "it cannot be".
fn is_denied(head: &str) -> bool {
    // `3 works and 5 does not, \boxed{3}`
    if head.trim_end_matches([' ', '*']).ends_with(',') {
        return false;
    }
    let mut words = head.rsplit([' ', '*', ',']).filter(|word| !word.is_empty()).peekable();
    while words
        .next_if(|word| matches!(*word, "be" | "equal" | "to" | "just" | "simply" | "necessarily" | "really"))
        .is_some()
    {}
    words.next().is_some_and(|word| matches!(word, "not" | "cannot" | "never") || word.ends_with("n't"))
}

/// Returns whether the sentence around a box only supposes its content.
fn is_supposed(head: &str, behind: &str) -> bool {
    let head = head.trim_start_matches([' ', '*', '_']);
    // a conclusion can follow a supposition in its sentence
    if head.contains([',', ';']) || head.contains(" then ") {
        return false;
    }
    let supposes = ["suppose ", "assume ", "let us suppose ", "let's suppose ", "let us assume "]
        .iter()
        .any(|words| head.starts_with(words));
    supposes || head.starts_with("if ") && (behind.starts_with(',') || behind.starts_with("then "))
}

/// Returns whether the words before a box make its content a bound of the answer: "the answer must be less than".
fn is_bound(head: &str) -> bool {
    if !bounds::ends(head) {
        return false;
    }
    // `we need at least` can precede an answer
    let compares = ["than ", "than"].iter().any(|word| head.trim_end().ends_with(word.trim_end()))
        && [" is ", " be ", " are "].iter().any(|verb| head.contains(verb));
    compares || ["answer", "result"].iter().any(|word| head.contains(word))
}

/// Returns whether a value behind a box is probably the same in another form: a decimal of `\frac13`, the text of an option.
fn is_same_otherwise(content: &str, other: &str) -> bool {
    let is_decimal = other.contains('.') || other.contains('%');
    let is_exact = content.contains("\\frac") || content.contains("\\sqrt") || content.contains("\\pi");
    let is_option = |text: &str| text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    is_exact && is_decimal || is_option(content) && !is_option(other.trim())
}

/// Returns a value that is joined to a box with "or": `42 or \boxed{43}`.
fn other_value(head: &str, words: &str, behind: &str) -> Option<String> {
    if let Some(other) = behind.strip_prefix("or ") {
        let other = other.trim_start_matches(['*', ' ']);
        let length = values::value_length(other);
        let boxed = other[..length].contains("\\boxed") || other[..length].contains("\\fbox");
        return (length > 0 && !boxed && !matches!(other[..length].trim(), "a" | "A" | "I"))
            .then(|| other[..length].to_owned());
    }
    if !head.ends_with(" or") {
        return None;
    }
    let front = words[..words.len() - " or".len()].trim_end_matches([' ', ',', '*']);
    let token = front.rsplit(' ').next().unwrap_or(front);
    let value = values::is_value(token.trim_matches('*')) && !token.contains("box");
    value.then(|| token.trim_matches('*').to_owned())
}
