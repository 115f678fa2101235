//! Finds the ends of sentences in running text.

use super::groups::end_of;
use super::values::formula;

/// The maximum length of a sentence that is searched for a value, in bytes.
pub(super) const LONGEST_SENTENCE: usize = 2_000;

/// The maximum length of the argument before a factorial sign, in bytes.
const MOST_ARGUMENT: usize = 2_000;

/// Returns the end of a text's first sentence or line, without its final sign. Signs inside formulas do not count.
pub(super) fn sentence_end(text: &str) -> usize {
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'$' | b'\\' => {
                if let Some(length) = formula(&text[at..]) {
                    at += length;
                    continue;
                }
                at += 1;
                if byte == b'\\' {
                    at += text[at..].chars().next().map_or(0, char::len_utf8);
                }
                continue;
            }
            b'\n' => return at,
            b'!' if is_factorial(text, at) => {}
            b'.' | b'!' | b'?' => {
                let next = bytes.get(at + 1);
                let ends =
                    next.is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'"' | b'*' | b'<'));
                if ends && !(byte == b'.' && is_abbreviation(&text[..at], &text[at + 1..])) {
                    // the dots of `0.333...` belong to the number
                    let number = text[..=at].rsplit([' ', '$', '*', '\n']).next().unwrap_or_default();
                    return at + usize::from(crate::notation::is_repeating_decimal(number));
                }
            }
            _ if !byte.is_ascii() => {
                let c = text[at..].chars().next().unwrap_or(' ');
                if matches!(c, '。' | '！' | '？' | '；') {
                    return at;
                }
                at += c.len_utf8();
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

fn is_abbreviation(before: &str, after: &str) -> bool {
    // longer than each abbreviation
    let before = super::groups::end_of(before, 12);
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(before);
    // `No. 5` is a number, but `No.` alone is an answer
    (word == "No" && after.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        || matches!(word, "p" | "p.m" | "a.m" | "approx" | "e.g" | "i.e" | "Dr" | "Mr" | "Mrs" | "vs" | "Fig")
}

/// Returns the sentences of a text with their positions.
pub(super) fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = start + sentence_end(&text[start..]);
        let sentence = &text[start..end];
        if sentence.chars().any(char::is_alphanumeric) {
            let blanks = sentence.len() - sentence.trim_start().len();
            found.push((start + blanks, sentence.trim()));
        }
        start = end + text[end..].chars().next().map_or(1, char::len_utf8);
    }
    found
}

/// Returns whether an exclamation mark is a factorial sign.
///
/// After an argument in brackets, as in `n(n-1)!`, it is. After a digit or a variable, the expression or the
/// sentence must continue: `5! = 120`, `5! ways`.
pub(super) fn is_factorial(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let rest = &text[at + 1..];
    let mut backwards = before.chars().rev();
    let argument = match backwards.next() {
        Some(')') => end_of(before, MOST_ARGUMENT).rsplit_once('(').is_some_and(|(front, argument)| {
            front.ends_with(|c: char| c.is_ascii_alphanumeric()) || argument.contains(['+', '-'])
        }),
        Some(c) if c.is_ascii_digit() => false,
        Some(c) if c.is_alphabetic() && !backwards.next().is_some_and(char::is_alphanumeric) => false,
        _ => return false,
    };
    let behind = rest.trim_start_matches(' ');
    let spaced = behind.len() < rest.len();
    argument
        || match behind.chars().next() {
            Some('.') => !spaced && !behind.starts_with(".."),
            Some(',' | ')' | ']' | '}' | ';') => !spaced,
            Some('*') => !behind.starts_with("**"),
            Some('=' | '+' | '/' | '^' | '-' | '×' | '·' | '÷') => true,
            Some(c) => {
                if spaced {
                    c.is_ascii_lowercase()
                } else {
                    c.is_ascii_alphanumeric()
                }
            }
            None => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_their_signs() {
        let all = |text| sentences(text).into_iter().map(|(_, sentence)| sentence).collect::<Vec<_>>();
        assert_eq!(all("It is 3.5. So $x = 2. 5$ holds!"), ["It is 3.5", "So $x = 2. 5$ holds"]);
    }
}
