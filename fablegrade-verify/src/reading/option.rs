//! Letters of multiple-choice options.

use super::split::{Mark, marks};
use super::words::{is_joining_word, is_number_word};
use crate::notation::{command_at, group_at};

/// An option: its letter, and its text, which can be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice<'t> {
    pub(crate) letter: char,
    pub(crate) text: &'t str,
}

/// Reads `C`, `(C)`, `[C]`, `C.`, `\text{(C)}`, `C: text`, `(C) text`, `C (text)`. A letter before a text without
/// parentheses needs a sign after it.
///
/// `None` for several options: `(A) \text{ or } (B)`, `A: B`.
pub(crate) fn choice(text: &str) -> Option<Choice<'_>> {
    let (letter, rest) = letter_and_rest(text)?;
    let behind = rest.trim_start_matches([' ', ':', '.', '~', '}']);
    let joint = marks(behind)
        .first()
        .is_some_and(|(mark, at, _)| *at == 0 && matches!(mark, Mark::Comma | Mark::Semicolon | Mark::Joint));
    let other = without_spacing(behind);
    let lone = |text: &str| {
        letter_and_rest(text)
            .filter(|(letter, rest)| *letter <= 'H' && rest.trim_matches(['.', ' ', '}']).is_empty())
            .map(|(letter, _)| letter)
    };
    // a second letter up to `E` is an option; without a separator, a later one can be the text, as in `(B) F`
    let head = &text[..text.rfind(behind).unwrap_or(0)];
    let separate = other.len() != behind.len()
        || head.trim_end_matches([' ', '~', '}']).ends_with([':', '.'])
        || unwrapped(other).starts_with(['(', '['])
        || other.starts_with("\\text{(");
    let second = lone(other).is_some_and(|second| second != letter && (separate || second <= 'E'));
    // `(B) |x|<3` has a text
    let beside = behind.strip_prefix('|').is_some_and(|other| lone(other).is_some());
    if joint && other.len() == behind.len()
        || second
        || beside
        || behind.starts_with(['/', '&'])
        || names_other(behind, letter)
        || is_guess(behind, letter)
    {
        return None;
    }
    Some(Choice { letter, text: rest.trim_start_matches(['\\', ' ', ':', '.', '}']).trim() })
}

/// Words between two options that doubt the first.
const DOUBTS: &[&str] = &[
    "actually",
    "alternatively",
    "believe",
    "correction",
    "guess",
    "instead",
    "likely",
    "maybe",
    "meant",
    "might",
    "perhaps",
    "possibly",
    "potentially",
    "probably",
    "rather",
    "sorry",
    "sure",
    "think",
    "unsure",
    "vielleicht",
    "wait",
];

/// Words between two options that refuse the first or add the second. If the text is about other options, these words
/// belong to it: `Statement (A) is true but statement (B) is wrong`.
const CONTRASTS: &[&str] = &["also", "answer", "but", "could", "else", "incorrect", "no", "wrong"];

/// Words that, directly before an option, join it to another option.
const JOINTS: &[&str] = &["nor", "plus", "then", "versus", "vs", "with", "xor"];

/// Joining words of scripts without blanks, which end the word before the second option.
const JOINING_ENDS: &[char] = &['和', '与', '與', '或', '及', '跟', '是', 'と', 'か'];

/// Commands that are blanks or signs between two options, not functions.
const SIGNS: &[&str] = &[
    "quad",
    "qquad",
    "lor",
    "vee",
    "land",
    "wedge",
    "cup",
    "to",
    "rightarrow",
    "Rightarrow",
    "implies",
    "iff",
];

/// Words before a letter in brackets that relate the text to it: `Two of (A), (B), (C)`.
const PREPOSITIONS: &[&str] = &["of", "in", "to", "by", "as", "at", "on"];

/// Verbs whose subject can be an option: `(B) is true`.
const VERBS: &[&str] = &["is", "are", "was", "were", "has", "have"];

/// Returns whether a text behind an option only guesses another one: `(possibly B)`.
fn is_guess(behind: &str, letter: char) -> bool {
    let words = behind.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let words = words.strip_prefix("text{").unwrap_or(words).trim_start_matches([' ', '(', ',']);
    let Some((first, last)) = words.split_once(' ').zip(words.rsplit_once(' ')).map(|(a, b)| (a.0, b.1))
    else {
        return false;
    };
    let other = last.trim_matches(['(', ')', '$']);
    DOUBTS.contains(&first.to_ascii_lowercase().as_str())
        && other.len() == 1
        && other.starts_with(|c: char| ('A'..='H').contains(&c) && c != letter)
}

/// Returns whether the text of an option names another one in brackets: `E (C)`, `42 (C)`, `Paris, (C)`, `maybe (C)`.
///
/// A letter behind other words belongs to the text, as in `Vitamin (C)` or `Points (A) and (B)`, and so does an argument,
/// as in `P(A)`. The letter is another option if a sign or a joining word precedes it, as in `Paris; (B)`, or if a text
/// of its own follows it, as in `Paris (B) London`.
fn names_other(text: &str, letter: char) -> bool {
    // the end of the last letter in brackets, whether the text is about other options, and their letters
    let (mut last, mut about, mut named) = (0, false, [false; 8]);
    for (at, window) in text.as_bytes().windows(3).enumerate() {
        let [b'(', other @ b'A'..=b'H', b')'] = window else { continue };
        let between = &text[last..at];
        last = at + 3;
        if char::from(*other) == letter {
            continue;
        }
        let words: Vec<&str> = words_of(between).collect();
        let word = words.last().copied().unwrap_or_default();
        let known = |list: &[&str], word: &str| list.iter().any(|known| word.eq_ignore_ascii_case(known));
        // `\mathbb{P}(A)`, `\sin^2(A)`
        let bare = between.trim_end_matches('}');
        let name = bare.trim_end_matches(|c: char| c.is_ascii_digit());
        let sign = bare.rsplit_once('\\').is_some_and(|(_, command)| SIGNS.contains(&command));
        let argument = !sign && bare.ends_with(|c: char| c.is_alphabetic() || matches!(c, '\'' | ')'))
            || name.len() < bare.len() && name.ends_with(['^', '_']);
        let relates = PREPOSITIONS.contains(&word);
        let doubted = between.contains('?') || words.iter().any(|word| known(DOUBTS, word));
        // a list has every letter only once
        let repeated = std::mem::replace(&mut named[usize::from(other - b'A')], !argument);
        // `increases (A) decreases` is a list, `Point (A) lies` is not
        let anew = *other == letter as u8 + 1
            || !about && !relates && word.starts_with(|c: char| c.is_alphabetic() && !c.is_uppercase());
        let listed = !argument && !repeated && is_followed(&text[last..], anew);
        let joined = || {
            joins(word)
                || known(JOINTS, word)
                || words.ends_with(&["well", "as"])
                || words.ends_with(&["I", "mean"])
        };
        // joining words of many languages have one or two letters
        let short = || !argument && !relates && word.chars().count() < 3 && !is_number_word(word);
        let contrasted = || words.iter().any(|word| known(CONTRASTS, word));
        let separated = || !argument && (is_separated(between) || !relates && is_value(between, &words));
        if doubted || listed || !about && (joined() || short() || contrasted() || separated()) {
            return true;
        }
        about |= !argument;
    }
    false
}

/// Returns whether the last word before an option joins it to another one.
fn joins(word: &str) -> bool {
    is_joining_word(&word.to_lowercase()) || word.ends_with(JOINING_ENDS)
}

/// Returns whether signs or commands separate the parts of a text: `Paris, I mean`, `Paris \quad`, `Paris (France)`.
fn is_separated(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '~', '{', '}']);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        at = match c {
            '\\' => match command_at(text, at) {
                Some(("text" | "textrm" | "textbf" | "textit" | "mathrm" | "mathbf" | "mbox", end)) => end,
                Some(_) => return true,
                None if matches!(bytes.get(at + 1), None | Some(b' ' | b',' | b':' | b';' | b'!')) => at + 2,
                None => return true,
            },
            // a bracket ends a remark or the text before the other option
            ')' if at + 1 == text.len() => return true,
            '-' => {
                let letter = |byte: Option<&u8>| {
                    byte.is_some_and(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric())
                };
                if !(at > 0 && letter(bytes.get(at - 1)) && letter(bytes.get(at + 1))) {
                    return true;
                }
                at + 1
            }
            ' ' | '~' | '{' | '}' | '(' | ')' | '\'' | '$' | '_' | '^' => at + 1,
            c if c.is_alphanumeric() => at + c.len_utf8(),
            _ => return true,
        };
    }
    false
}

/// Returns the words of a text without its commands.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split('\\').enumerate().flat_map(|(at, piece)| {
        let command = if at > 0 { piece.bytes().take_while(u8::is_ascii_alphabetic).count() } else { 0 };
        piece[command..].split(|c: char| !c.is_alphabetic())
    });
    pieces.filter(|word| !word.is_empty())
}

/// Returns whether a text is a number, a formula, the letter of an option or only signs.
fn is_value(text: &str, words: &[&str]) -> bool {
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    start.starts_with(|c: char| c.is_ascii_digit())
        || words.iter().all(|word| word.is_ascii() && word.len() < 3 || is_number_word(word))
}

/// Returns whether a text of its own follows an option's letter. This text starts with a capital, a digit or a
/// formula. It can start with any word if `anew` is set: for the next letter, as in `(A) Paris (B) London`, or after a
/// text in small letters.
fn is_followed(behind: &str, anew: bool) -> bool {
    let verb = words_of(behind)
        .next()
        .is_some_and(|word| is_joining_word(word) || JOINTS.contains(&word) || VERBS.contains(&word));
    let start = behind.trim_start_matches([' ', ')', '}', '.']);
    let start = start.strip_prefix("\\text{").unwrap_or(start).trim_start();
    let separate = |c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '$' | '\\');
    let joint = start.starts_with(['(', ',', ';', '&', '/']) || start.starts_with("\\&");
    !verb && !joint && start.starts_with(|c| anew || separate(c))
}

/// Returns a text without the spacing commands at its start.
fn without_spacing(text: &str) -> &str {
    let mut rest = text;
    while let Some(behind) = ["\\qquad", "\\quad", "\\ ", "\\,", "\\;", "\\:", " "]
        .iter()
        .find_map(|space| rest.strip_prefix(space))
    {
        rest = behind;
    }
    rest
}

/// Returns whether a text starts with an option's letter and the option's text. In `(B) is too small`, the letter is the
/// subject of a sentence.
pub(crate) fn is_labelled(text: &str) -> bool {
    letter_and_rest(text)
        .and_then(|(_, rest)| words_of(rest).next())
        .is_some_and(|word| !VERBS.contains(&word))
}

/// Returns an option's letter and the text behind it.
fn letter_and_rest(text: &str) -> Option<(char, &str)> {
    let text = text.trim();
    let text = unwrapped(text);
    let text = ["Answer:", "answer:", "Option ", "option ", "Choice ", "choice "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .map_or(text, str::trim);
    let text = unwrapped(text);
    if let Some(rest) = text
        .strip_prefix("\\text{(")
        .and_then(|rest| rest.get(1..)?.strip_prefix(')')?.trim_start_matches([' ', '~']).strip_prefix('}'))
    {
        // `\text{(C)} 42`
        let letter = *text.as_bytes().get(7)?;
        return letter.is_ascii_uppercase().then(|| (char::from(letter), rest));
    }
    if let Some(rest) = text.strip_prefix("\\text{")
        && let Some((letter, rest)) = rest.split_at_checked(1)
        && let Some(rest) = rest.strip_prefix([')', '.']).and_then(|rest| rest.trim_start().strip_prefix('}'))
    {
        // `\text{C) } 42`
        let letter = letter.chars().next().filter(char::is_ascii_uppercase)?;
        return Some((letter, rest));
    }
    let inner = text.strip_prefix(['(', '[']);
    let bytes = inner.unwrap_or(text).as_bytes();
    let letter = *bytes.first()?;
    if !letter.is_ascii_uppercase() {
        return None;
    }
    let rest = inner.unwrap_or(text).get(1..)?;
    let (closed, rest) = match rest.strip_prefix([')', ']']) {
        Some(rest) => (true, rest),
        None if inner.is_some() => return None,
        None => match rest.strip_prefix(['.', ':']) {
            Some(rest) if rest.is_empty() || rest.starts_with([' ', '\\']) => (true, rest),
            _ => (false, rest),
        },
    };
    if inner.is_none() && letter <= b'E' && rest.starts_with(" (") && rest.ends_with(')') {
        // `C (42 cm)`, but not `C (D)`
        let text = rest[2..rest.len() - 1].trim();
        return (text.len() > 1).then_some((char::from(letter), text));
    }
    let alone = rest.trim_start_matches(['\\', ' ', ':', '.', '}']).trim().is_empty();
    (alone || closed).then_some((char::from(letter), rest))
}

/// Returns whether two texts beside each other are different options: `(A) \text{(B)}`, `(A) \text{ maybe }(B)`.
pub(crate) fn are_different(first: &str, second: &str) -> bool {
    choice(first).filter(|first| first.text.is_empty()).is_some_and(|first| {
        choice(second).is_some_and(|second| second.letter != first.letter)
            || names_other(second, first.letter)
    })
}

/// Reads a single small letter from `a` to `e`, with or without brackets, and returns its capital.
pub(crate) fn small_letter(text: &str) -> Option<char> {
    let text = unwrapped(text.trim());
    let word = ["option ", "Option ", "choice ", "Choice "].iter().find_map(|word| text.strip_prefix(word));
    let text = word.unwrap_or(text);
    let text = text.strip_prefix('(').unwrap_or(text);
    let text = text.strip_suffix([')', '.']).unwrap_or(text);
    match text.as_bytes() {
        [letter @ b'a'..=b'e'] => Some(char::from(letter.to_ascii_uppercase())),
        _ => None,
    }
}

/// Returns the letters of an alphabetical list without separators: `BD`.
pub(crate) fn letters(text: &str) -> Option<Vec<char>> {
    let text = unwrapped(text.trim());
    let rising = text.as_bytes().windows(2).all(|pair| pair[0] < pair[1]);
    let capitals = text.bytes().all(|byte| (b'A'..=b'H').contains(&byte));
    ((2..=8).contains(&text.len()) && rising && capitals).then(|| text.chars().collect())
}

/// Returns the content of `\text{...}` if nothing follows it, and any other text unchanged.
fn unwrapped(text: &str) -> &str {
    let Some((command, end)) = command_at(text, 0).filter(|_| text.starts_with('\\')) else { return text };
    if !matches!(command, "text" | "mathrm") {
        return text;
    }
    match group_at(text, end) {
        Some((inner, after)) if after == text.len() => inner.trim(),
        _ => text,
    }
}

/// Returns the answer after an option's small letter: `(b) -\frac12`.
pub(crate) fn after_label(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let label = matches!(bytes, [b'(', b'a'..=b'e', b')', b' ', _, ..]);
    label.then(|| text[3..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_letters_with_or_without_text() {
        for text in ["C", "(C)", "[C]", r"\text{(C)}", r"\text{C}", "C.", r"\text{Answer: C}"] {
            assert_eq!(choice(text), Some(Choice { letter: 'C', text: "" }), "{text}");
        }
        assert_eq!(choice("C. 42"), Some(Choice { letter: 'C', text: "42" }));
        assert_eq!(choice("(C) 42"), Some(Choice { letter: 'C', text: "42" }));
        assert_eq!(choice(r"\text{(C) Plane}").map(|c| c.letter), Some('C'));
        assert_eq!(choice(r"E: \text{A score}").map(|c| c.letter), Some('E'));
        assert_eq!(choice("C (42 cm)"), Some(Choice { letter: 'C', text: "42 cm" }));
        for text in [
            "(B) P(A)",
            r"(B) \mathbb{P}(A)",
            "(C) F",
            "(C) A score",
            "(D) both (A) and (B)",
            "B. Points (A) and (C)",
            "B. Points (A) and (C) are on a line",
            "(A) Statement (B) is true",
            "(D) Point (A) lies on the line",
            "(A) Statement (B), which is true",
            r"\text{(A) Coulomb (C)}",
            r"\text{(C) Boron (B)}",
            r"\text{(B) Vitamin (C)}",
            r"\text{(C) Hepatitis (B)}",
            "D. Carbon (C)",
            r"\text{(D) Two of (A), (B), (C)}",
            r"\text{(E) Not (A)}",
            r"(B) \text{Var}(A)",
            r"(C)\ \sin^2(A)",
            r"(C) \cos^2(A)+\sin^2(B)",
            "(C) P_1(A)",
            "(C) If P(A)>0, P(B)",
            "(D) Both (A) and (C) are true but (C) does not explain (A)",
            "(B) Both (A) and (C) are true but (C) does not explain (A)",
            "(D) Statement (A) is true but statement (B) is false",
            "(D) Statement (A) is incorrect but Statement (B) is correct",
            "(C) Statement (A) is true but (B) is false",
            "(B) x is the inverse of (C)",
            r"(D)\ Both\ (A)\ and\ (B)",
            r"(D) both (A) \& (B)",
            "(D) neither (A) nor (B)",
            "(D) the force on (A) rises",
            "(E) None of the others (neither (A) nor (B))",
        ] {
            assert!(choice(text).is_some(), "{text}");
        }
        assert_eq!(choice("(B) |x|<3").map(|c| c.text), Some("|x|<3"));
        for text in [
            r"\text{(A)} \text{(B)}",
            r"\text{(A) (B)}",
            "(A) | (B)",
            "A: B",
            r"(A)\quad B",
            "(A) B",
            r"(A)\ B",
            "(D) E (C)",
            "(D) 42 (C)",
            "(D) fourteen (C)",
            "(D) 42(C)",
            r"(D) \frac{1}{2} (C)",
            r"(A) \text{ maybe }(B)",
            r"\text{(A) or maybe (B)}",
            r"\text{(A), not sure, (B)}",
            "(A) Paris or (B)",
            "(A) Paris? (C)",
            "(A) as well as (C)",
            "(A) I think (C)",
            "(A) 或(B)",
            "(A)(B)",
            "(A), (B)",
            "(A) and (B)",
            "(A) -> (B)",
            "(A) Paris (B) London (C) Berlin",
            r"(A) \text{Paris} (B) \text{London}",
            "(C) Rome (B) London (A) Paris",
            "(A) Coulomb (C), maybe (B)",
            "(A) Paris, (B)",
            "(A) Paris; (B)",
            "(A) Paris / (B)",
            r"(A) Paris \& (B)",
            r"(A) Paris \to (B)",
            r"(A) Paris\to(B)",
            "(A) Paris - (B)",
            "(A) Paris. (B)",
            "(A) Paris (France) (B)",
            "(A) Paris, I mean (B)",
            "(A) Paris I mean (B)",
            "(A) Paris then (B)",
            "(A) versus (B)",
            "(A) Paris og (B)",
            "(A) París y (B)",
            "(A) Париж или (B)",
            "(A) 巴黎或(B)",
            "(A) is false, (B) is true",
            "(B) increases (A) decreases",
        ] {
            assert_eq!(choice(text), None, "{text}");
        }
        for text in ["ABCD", "C+1", "x", "A triangle", ""] {
            assert_eq!(choice(text), None, "{text}");
        }
        assert_eq!(letters("BD"), Some(vec!['B', 'D']));
        assert_eq!(letters("DAD"), None);
    }
}
