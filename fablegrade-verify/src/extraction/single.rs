//! Finds the only value of a sentence without a copula: `Tom earned $35 in 7 hours`.

use std::ops::Range;

use super::{bounds, clauses, values};
use crate::reading::words;

/// Returns the only value of a sentence, together with a month before it. Values behind prepositions, as in `$35 in 7
/// hours`, count only if there is no other value.
pub(super) fn only_value(sentence: &str) -> Option<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < sentence.len() && found.len() < 8 {
        let rest = &sentence[at..];
        let starts = at == 0 || sentence[..at].ends_with(|c: char| !c.is_alphanumeric() && c != '_');
        let c = rest.chars().next()?;
        let signed = matches!(c, '-' | '−')
            && sentence[..at].ends_with(' ')
            && rest[c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        let value_start = c.is_ascii_digit()
            || c == '$'
            || c == '('
            || signed
            || rest.starts_with("\\(")
            || values::starts_decimals(sentence, at);
        if value_start && (starts || !sentence[..at].ends_with(|c: char| c.is_ascii())) {
            let length = values::value_length(rest);
            if length > 0 {
                let before = sentence[..at].trim_end_matches([' ', '=', '$']);
                let multiple =
                    ["twice", "double", "triple", "thrice", "half of", "half"].iter().any(|word| {
                        before
                            .to_ascii_lowercase()
                            .strip_suffix(word)
                            .is_some_and(|front| !front.ends_with(char::is_alphabetic))
                    });
                if multiple
                    || before.ends_with(['<', '>', '≤', '≥', '≠'])
                    || bounds::ends(&sentence[..at].to_ascii_lowercase())
                {
                    return None;
                }
                found.push(at..at + length);
                at += length;
                continue;
            }
        }
        let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if starts && word.len() > 1 {
            // `There were three field goals`
            // `half past three` and `one of them` do not count things
            let time = [" past ", " to ", "-"].iter().any(|before| sentence[..at].ends_with(before));
            let number = words::is_number_word(word)
                && !time
                && !rest[word.len()..].starts_with(" past ")
                && !matches!(word, "one" | "One");
            if number {
                found.push(at..at + values::value_length(rest).max(word.len()));
            }
            at += word.len();
            continue;
        }
        at += c.len_utf8();
    }
    if found.len() > 1 {
        found.retain(|range| !is_circumstance(sentence, range));
    }
    if found.len() > 1 && found.iter().filter(|range| !is_purpose(sentence, range)).count() == 1 {
        found.retain(|range| !is_purpose(sentence, range));
    }
    match found.as_slice() {
        // `March 5` is a date, not the number 5
        [only] => {
            let before = sentence[..only.start].trim_end();
            let word = before.rsplit(' ').next().unwrap_or(before);
            let start = if words::is_month(word) { before.len() - word.len() } else { only.start };
            let length = clauses::with_change(&sentence[start..], only.end - start);
            Some(start..start + length)
        }
        _ => None,
    }
}

/// Returns whether a preposition before a value makes it a circumstance: `in 7 hours`, `for the 16 glasses`.
fn is_circumstance(sentence: &str, value: &Range<usize>) -> bool {
    let mut before = sentence[..value.start].rsplit([' ', '*', '(']).filter(|word| !word.is_empty());
    let preposition = |word: &str| {
        matches!(
            word.to_ascii_lowercase().as_str(),
            "in" | "for"
                | "during"
                | "over"
                | "on"
                | "after"
                | "by"
                | "per"
                | "with"
                | "at"
                | "each"
                | "of"
                | "than"
                | "within"
                | "every"
                | "from"
        )
    };
    let describes = |word: &&str| {
        matches!(
            word.to_ascii_lowercase().as_str(),
            "the" | "these" | "those" | "all" | "his" | "her" | "their" | "its"
        ) || word.ends_with("ing")
    };
    before.by_ref().take(3).find(|word| !describes(word)).is_some_and(preposition)
}

/// Returns whether an infinitive before a value makes it a purpose: `to walk 3 miles`, `to finish the 3 jobs`.
fn is_purpose(sentence: &str, value: &Range<usize>) -> bool {
    let before = sentence[..value.start].rsplit(' ').filter(|word| !word.is_empty());
    let mut words = before.skip_while(|word| matches!(*word, "the" | "all" | "these" | "those")).take(2);
    words.next().is_some() && words.next() == Some("to")
}
