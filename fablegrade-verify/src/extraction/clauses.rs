//! Decides what the words behind a value in its clause make of it: `3 squared`, `42, possibly 43`, `5 percent of 20`.

use super::values::{is_symbol, value_length};
use crate::reading::remarks;

/// Returns the length of a value in its clause: of the whole text if the words behind the value change it, as in
/// `3 squared`, `3 or more`, `42 if x is even`.
///
/// The text ends where the sentence does.
pub(super) fn with_change(text: &str, length: usize) -> usize {
    if is_changed(text, length) {
        text.trim_end_matches([' ', '*', '$', '.']).len().max(length)
    } else {
        length
    }
}

fn is_changed(text: &str, length: usize) -> bool {
    let behind = &text[length..];
    if behind.starts_with("_{") || behind.starts_with("_(") || behind.starts_with("..") {
        return true;
    }
    let marks = ['$', '*', '_', '`', ')', ']', '}', '"', '”', '’', '\''];
    let closed = behind.trim_start_matches(marks);
    let closed = ["\\)", "\\]"].iter().find_map(|mark| closed.strip_prefix(mark)).unwrap_or(closed);
    let rest = closed.trim_start_matches(' ');
    let glued = rest.len() == behind.len();
    if glued && rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(')
        || rest.starts_with(|c: char| c.is_ascii_digit())
        || rest.starts_with(['+', '&', '~', '^', '±', '×', '÷', '·'])
        || ["<sup>", "<sub>"].iter().any(|tag| rest.starts_with(tag))
    {
        return true;
    }
    if is_alternative(rest)
        || ["以上", "以下", "以内", "多", "余"].iter().any(|bound| rest.starts_with(bound))
    {
        return true;
    }
    let lower = rest.to_lowercase();
    // a share: `5 in 36 rolls`
    let number = text[..length].bytes().all(|byte| byte.is_ascii_digit());
    if number
        && lower.strip_prefix("in ").is_some_and(|whole| whole.starts_with(|c: char| c.is_ascii_digit()))
    {
        return true;
    }
    remarks::are_telling(own_words(&lower)) || is_conditional(&lower)
}

/// Returns whether a text behind a value gives another value for it: `, possibly 43`, `(or 43)`.
fn is_alternative(behind: &str) -> bool {
    let words = behind.trim_start_matches([' ', ',', ';', '(', '—', '–', '-']);
    let lower = words.to_ascii_lowercase();
    let guesses = [
        "possibly ",
        "maybe ",
        "perhaps ",
        "probably ",
        "alternatively ",
        "alternatively, ",
        "otherwise ",
        "or possibly ",
        "or maybe ",
        "or perhaps ",
        "or ",
        "or else ",
        "and also ",
        "and possibly ",
        "as well as ",
        "then ",
        "corrected: ",
        "corrected to ",
        "should be ",
        "actually ",
        "rather ",
        "bis ",
        "à ",
        "до ",
    ];
    let Some(other) =
        guesses.iter().filter_map(|word| lower.strip_prefix(word)).min_by_key(|rest| rest.len())
    else {
        return false;
    };
    let other = words[words.len() - other.len()..].trim_start_matches(['$', '*']);
    let length = value_length(other);
    length > 0 && !matches!(other[..length].trim(), "a" | "A" | "I")
}

/// Returns the words behind a value that describe it: those before a reason, a comma or a clause of its own.
fn own_words(behind: &str) -> &str {
    let stops = [
        ",", ";", "(", " - ", "—", "–", " because", " since ", " as ", " which ", " where ", " so ",
        " when ", " that ", " who ", " after ", " before ", " while ", " is ", " are ", " was ", "\n", "。",
        "，",
    ];
    let mut end = stops.iter().filter_map(|stop| behind.find(stop)).min().unwrap_or(behind.len());
    for (word, at) in [" and ", " not ", "and "].iter().filter_map(|word| Some((*word, behind.find(word)?))) {
        // `42 and this is final`, but `3 and a half`
        let next = &behind[at + word.len()..];
        let fraction = next.starts_with("a ") || next.starts_with("one ");
        let value = value_length(next) > 0 && !next.starts_with("i ") || fraction;
        let starts = word.starts_with(' ') || at == 0;
        if starts && value == (word == " not ") {
            end = end.min(at);
        }
    }
    let first = [
        "because", "or so", "since ", "as ", "which ", "where ", "so ", "when ", "that ", "who ", "is ",
        "are ", "was ",
    ];
    let dash = ["- ", "– ", "— "].iter().any(|dash| behind.starts_with(dash));
    if dash || first.iter().any(|word| behind.starts_with(word)) { "" } else { &behind[..end] }
}

/// Returns whether a value holds only for a value of a name: `for x=1 and 43 for x=2`.
fn is_conditional(behind: &str) -> bool {
    let Some(condition) = behind.strip_prefix("for ") else { return false };
    let several = condition.matches(" for ").count() > 0 && condition.contains(" and ");
    several && condition.contains(['=', '<', '>'])
}

/// Returns whether the value at the start of a text is part of a longer expression: `5 more than x`,
/// `5 percent of 20`.
pub(super) fn is_part(tail: &str) -> bool {
    let length = value_length(tail);
    let behind = tail[length..].trim_start_matches(['$', '*', ' ']);
    let goes_on = [
        "more than ",
        "less than ",
        "fewer than ",
        "times ",
        "to the power",
        "raised to ",
        "vs ",
        "vs. ",
        "versus ",
    ];
    length > 0 && (goes_on.iter().any(|word| behind.starts_with(word)) || is_share_of(behind))
}

/// Returns whether the words after a value make it a share of another number: `5 percent of 20`.
pub(super) fn is_share_of(behind: &str) -> bool {
    behind
        .strip_prefix("of ")
        .is_some_and(|whole| whole.starts_with(|c: char| c.is_ascii_digit() || c == '$'))
}

/// Returns the length of a value without a dash and a variable at its end, if these start a clause. For
/// `5 – n must be odd`, it is the length of `5`.
///
/// A sentence about `5 – n` has no other verb before it.
pub(super) fn without_clause(text: &str, length: usize) -> usize {
    let Some((front, name)) = text[..length].rsplit_once(' ') else { return length };
    let Some(value) = [" –", " -"].iter().find_map(|dash| front.strip_suffix(dash)) else { return length };
    let Some(behind) = text[length..].strip_prefix(' ') else { return length };
    let verb = behind.split(' ').next().unwrap_or_default();
    let mut letters = name.trim_matches('$').chars();
    let variable =
        letters.next().is_some_and(|c| c.is_ascii_alphabetic() || is_symbol(c)) && letters.next().is_none();
    let clause = variable
        && matches!(
            verb,
            "is" | "was"
                | "has"
                | "does"
                | "must"
                | "can"
                | "cannot"
                | "can't"
                | "could"
                | "should"
                | "will"
                | "may"
                | "might"
                | "isn't"
                | "needs"
                | "equals"
                | "cancels"
                | "divides"
                | "takes"
                | "denotes"
                | "stands"
                | "counts"
        );
    if clause { value.trim_end().len() } else { length }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_behind_values_can_change_them() {
        for (text, value) in [
            ("3 squared", "3 squared"),
            ("3 or more.", "3 or more"),
            ("3+", "3+"),
            ("3 & 4", "3 & 4"),
            ("42, possibly 43", "42, possibly 43"),
            ("42; alternatively 43", "42; alternatively 43"),
            ("42 if x is even and 43 if x is odd", "42 if x is even and 43 if x is odd"),
            ("42 for x=1 and 43 for x=2", "42 for x=1 and 43 for x=2"),
            ("42万元", "42万元"),
            ("5 in 36 rolls", "5 in 36 rolls"),
            ("4000千克", "4000"),
            ("42 apples in total", "42"),
            ("42, not 43", "42"),
            ("42 because 40 plus 2 is 42", "42"),
            ("42 and this is final", "42"),
            ("42, which is 6 squared plus 6", "42"),
            ("42 (forty-two)", "42"),
        ] {
            let length = with_change(text, text.bytes().take_while(u8::is_ascii_digit).count());
            assert_eq!(&text[..length], value, "{text}");
        }
    }

    #[test]
    fn clauses_behind_dashes_are_not_values() {
        for (text, value) in [
            ("5 – n must be odd", "5"),
            ("5 - $n$ is odd", "5"),
            ("2x – y", "2x – y"),
            ("2x – y for all x", "2x – y"),
            ("2x – 2y is", "2x – 2y"),
        ] {
            assert_eq!(&text[..without_clause(text, value_length(text))], value, "{text}");
        }
    }
}
