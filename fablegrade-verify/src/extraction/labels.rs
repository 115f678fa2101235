//! Reads labelled values, such as `Total cost: $12`, and removes closing sentences such as `Hope this helps!`

use std::ops::Range;

use super::{sentences, values};

/// Words in a label that rule out its value as the answer.
const OTHER_TOPICS: [&str; 36] = [
    "not",
    "no",
    "wrong",
    "incorrect",
    "false",
    "given",
    "question",
    "problem",
    "input",
    "example",
    "hint",
    "reference",
    "expected",
    "gold",
    "target",
    "check",
    "checking",
    "verification",
    "verify",
    "note",
    "step",
    "case",
    "attempt",
    "draft",
    "if",
    "when",
    "let",
    "suppose",
    "assume",
    "assuming",
    "recall",
    "where",
    "remember",
    "confidence",
    "page",
    "points",
];

/// Returns the range of the value in a labelled line: a few words, a colon or a dash, and a value.
pub(super) fn labelled(line: &str) -> Option<Range<usize>> {
    let marks = ['*', '_', '`', ' ', '\t'];
    let lead =
        line.len() - line.trim_start_matches(['*', '_', '`', ' ', '\t', '>', '#', '-', '•', '✅']).len();
    let content = &line[lead..];
    let (at, sign) = content.char_indices().find(|(_, c)| matches!(c, ':' | '：' | '–' | '—'))?;
    let label = content[..at].trim_end_matches(marks);
    let behind = &content[at + sign.len_utf8()..];
    if label.len() > 60
        || behind.len() > values::LONGEST_LINE
        || matches!(sign, ':') && !behind.starts_with([' ', '*', '_'])
    {
        return None;
    }
    let words: Vec<&str> = label.split_whitespace().collect();
    let plain = label
        .chars()
        .all(|c| c.is_alphabetic() || is_mark(c) || matches!(c, ' ' | '-' | '\'' | '(' | ')' | '/'));
    let named =
        words.iter().any(|word| word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || is_mark(c)));
    let other = words.iter().any(|word| OTHER_TOPICS.contains(&word.to_lowercase().as_str()));
    // `the correct choice is B: 42`
    let option = words.len() > 2
        && matches!(words[words.len() - 1].as_bytes(), [b'A'..=b'J'])
        && words[words.len() - 2].eq_ignore_ascii_case("is");
    if !plain || !named || other || option || words.len() > 6 {
        return None;
    }
    let value = behind.trim_matches(marks);
    let about =
        ["approximately ", "about ", "exactly ", "≈ "].iter().find_map(|word| value.strip_prefix(word));
    let value = about.unwrap_or(value);
    let length = values::value_length(value);
    let rest = value[length..].trim_matches(['.', '!', ' ', '*']);
    // A noun for the counted things can follow: `12 apples`.
    let noun = rest.split(' ').count() <= 2 && rest.chars().all(|c| c.is_lowercase() || c == ' ');
    if length == 0 || !noun {
        return None;
    }
    let start = lead + at + sign.len_utf8() + behind.find(value)?;
    Some(start..start + value.trim_end_matches(['.', '!', ' ', '*']).len().max(length))
}

/// Returns whether a character is a combining mark, or belongs to an Indic script or to the vowel signs and
/// tone marks of Thai.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

/// Returns a text without its closing sentences, such as `QED` and `Hope this helps!`.
pub(super) fn without_closing(body: &str) -> &str {
    let mut left = body;
    for _ in 0..4 {
        let trimmed =
            left.trim_end().trim_end_matches(|c: char| c == ' ' || values::is_ornament(c)).trim_end();
        let tail = super::statements::last_paragraphs(trimmed);
        let Some((place, sentence)) = sentences::sentences(tail).pop() else { return body };
        let sentence = sentence.trim_start_matches(['*', '_', ' ']).to_lowercase();
        let closes = CLOSINGS.iter().any(|closing| sentence.starts_with(closing));
        let before = trimmed[..trimmed.len() - tail.len() + place].trim_end_matches(['*', '_', ' ', '\n']);
        if !closes {
            return if trimmed.is_empty() { body } else { trimmed };
        }
        if before.trim().is_empty() {
            return body;
        }
        left = before;
    }
    left
}

const CLOSINGS: [&str; 20] = [
    "qed",
    "q.e.d",
    "$\\blacksquare$",
    "$\\square$",
    "$\\qed$",
    "\\blacksquare",
    "\\square",
    "hope this",
    "i hope",
    "hope that",
    "let me know",
    "please let me know",
    "feel free",
    "would you like",
    "do you want",
    "if you have any",
    "if you need",
    "good luck",
    "happy to help",
    "as desired",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_precede_values() {
        for (line, value) in [
            ("Probability: 2/5", Some("2/5")),
            ("**Probability: 2/5**", Some("2/5")),
            ("- **Total cost:** $12.", Some("$12")),
            ("Number of ways: 12", Some("12")),
            ("Area: 12 cm²", Some("12 cm²")),
            ("Solution: x = 12", Some("x = 12")),
            ("उत्तर: 42", Some("42")),
            ("Đáp án: 42", Some("42")),
            ("Total: 12 apples.", Some("12 apples")),
            ("Wrong answer: 42", None),
            ("Check: 3+4 = 7", None),
            ("Case 1: 12", None),
            ("A: 12", None),
            ("The total: it is 12", None),
            ("Let x: 12", None),
            ("3:30", None),
        ] {
            assert_eq!(labelled(line).map(|range| &line[range]), value, "{line}");
        }
    }

    #[test]
    fn closing_sentences_say_nothing() {
        for (text, left) in [
            ("Hence x=15. QED", "Hence x=15."),
            ("Hence x = 15. $\\blacksquare$", "Hence x = 15."),
            ("So 15.\n\nHope this helps! Let me know if not.", "So 15."),
            ("Hope this helps!", "Hope this helps!"),
            ("It is 15. ∎", "It is 15."),
            ("It is 15.", "It is 15."),
        ] {
            assert_eq!(without_closing(text), left, "{text}");
        }
    }
}
