//! Recognises phrases: answers in words, refusals and remarks.

use std::ops::Range;

use crate::reading::words;

/// Phrases that are answers at the end of a sentence.
const ANSWERS: [&str; 12] = [
    "no solution",
    "no solutions",
    "no real solution",
    "no real solutions",
    "infinitely many solutions",
    "does not exist",
    "doesn't exist",
    "all real numbers",
    "all reals",
    "any real number",
    "every real number",
    "none of the above",
];

/// Returns the answer in words at the end of a lower-case sentence: `The limit does not exist`.
pub(super) fn at_end(lower: &str) -> Option<Range<usize>> {
    if let Some(phrase) = ANSWERS.iter().find(|phrase| lower.ends_with(**phrase)) {
        let start = lower.len() - phrase.len();
        let supposed = ["if ", "when ", "unless ", "suppose "].iter().any(|word| lower.starts_with(word));
        let negated = [" not ", " never ", "n't ", " false ", " wrong ", " fails "]
            .iter()
            .any(|word| lower[..start].contains(word));
        return (!supposed && !negated).then_some(start..lower.len());
    }
    // `all real numbers except 2`
    let start = ["all real numbers", "all reals", "any real number", "every real number"]
        .iter()
        .find_map(|all| lower.rfind(&format!("{all} except ")))?;
    Some(start..lower.len())
}

/// Returns whether the text after a list shows that the list continues: `1, 2, 3 and so on`.
pub(super) fn goes_on(behind: &str) -> bool {
    let behind = behind.trim_start_matches([',', ' ']);
    ["so on", "and so on", "and so forth", "etc", "...", "…", "\\ldots", "\\dots"]
        .iter()
        .any(|word| behind.starts_with(word))
}

/// Returns words without the remark after them: `NaCl (sodium chloride)`, `an ellipse, not a hyperbola`.
pub(super) fn without_remark(words: &str) -> &str {
    let other = [", not ", ", rather than ", ", because ", ", since "]
        .iter()
        .filter_map(|joint| words.find(joint))
        .min();
    let words = other.map_or(words, |at| &words[..at]);
    match words.split_once(" (") {
        Some((front, remark)) => {
            let remark = remark.trim_end_matches(['.', '!', '*', ' ']);
            let plain = remark
                .strip_suffix(')')
                .is_some_and(|inner| inner.chars().all(|c| c.is_alphabetic() || c == ' '));
            if plain { front } else { words }
        }
        None => words,
    }
}

/// Returns a weekday, a month, `converges` or `diverges` at the end of a sentence: `It falls on a Thursday`.
pub(super) fn final_keyword(sentence: &str, lower: &str) -> Option<Range<usize>> {
    let end = sentence.trim_end_matches(['.', '!', '*', ' ']).len();
    let start = sentence[..end].rfind([' ', '*']).map_or(0, |at| at + 1);
    let word = &sentence[start..end];
    let verb = matches!(word, "converges" | "diverges");
    let before = lower[..start].trim_end_matches([' ', '*']);
    let several = before.ends_with([',', '-']) || before.ends_with(" or") || before.ends_with(" and");
    let distance =
        ["before", "after", "until", "since", "from", "to"].iter().any(|word| before.ends_with(word));
    let negated = before.contains("n't")
        || before.split(' ').any(|word| matches!(word, "not" | "never" | "neither" | "if"));
    let known = verb || words::is_weekday(word) || words::is_month(word);
    // `5 March`
    let day = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let start = if words::is_month(word) && (1..=2).contains(&day) { before.len() - day } else { start };
    (known && !several && !distance && !negated).then_some(start..end)
}

pub(super) fn is_refusal(lower: &str) -> bool {
    [
        "cannot",
        "can't",
        "could not",
        "do not know",
        "don't know",
        "not enough",
        "i will not",
        "i would need",
        "sorry",
        "there are many",
        "mentions",
        "could try",
        "let me",
        "the question is",
        "mistake is",
        "wrong answer",
        "to the power of ",
        "incorrect answer",
    ]
    .iter()
    .any(|phrase| lower.contains(phrase))
}

/// Returns the denial of a property: `not prime` in `The number is not prime`. Letters of options are
/// excluded.
pub(super) fn denied_property(sentence: &str, lower: &str, place: usize) -> Option<Range<usize>> {
    let start = place + (lower[place..].len() - lower[place..].trim_start().len());
    let word = lower[..place].ends_with(" is ").then(|| lower[start..].strip_prefix("not ")).flatten()?;
    let word = word.trim_end_matches(['.', '!', '*']);
    let known = word.len() > 2
        && sentence[start + 4..].starts_with(char::is_lowercase)
        && word.chars().all(char::is_alphabetic)
        && !super::statements::is_verb_or_pronoun(word)
        && !words::is_number_word(word)
        && !matches!(
            word,
            "correct" | "right" | "true" | "wrong" | "possible" | "clear" | "given" | "known" | "enough"
        );
    known.then(|| start..start + "not ".len() + word.len()).filter(|range| range.end <= sentence.len())
}

/// Returns whether a text consists of two or three capitalised words: `New York`.
pub(super) fn is_proper_name(words: &str) -> bool {
    let count = words.split(' ').count();
    (2..=3).contains(&count)
        && words.split(' ').all(|word| {
            word.starts_with(char::is_uppercase) && word.len() > 1 && word.chars().all(char::is_alphabetic)
        })
}
