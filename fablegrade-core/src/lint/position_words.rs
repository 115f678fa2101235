//! Words that refer to positions, which are wrong once choices are shuffled.

use fablegrade_public::content::comparable_text;

use super::number_words;

/// Phrases that refer to other choices by their place, in lower case.
const PHRASES: [&str; 54] = [
    "of the above",
    "all above",
    "none above",
    "the above",
    "of the below",
    "all below",
    "the following choice",
    "previous choice",
    "previous answer",
    "preceding",
    "previous choices",
    "previous answers",
    "previous option",
    "previous options",
    "following choices",
    "following options",
    "the other answers",
    "the other choices",
    "choices above",
    "options above",
    "answers above",
    "first two",
    "last two",
    "the first choice",
    "the second choice",
    "the last choice",
    "first option",
    "second option",
    "oben genannten",
    "der obigen",
    "der genannten oben",
    "vorherige",
    "ersten beiden",
    "letzten beiden",
    "ci-dessus",
    "ci-dessous",
    "réponses précédentes",
    "las anteriores",
    "los anteriores",
    "de las anteriores",
    "delle precedenti",
    "das anteriores",
    "las precedentes",
    "le precedenti",
    "see above",
    "these above",
    "option above",
    "ones above",
    "one above",
    "statements above",
    "alle obigen",
    "obigen antworten",
    "siehe oben",
    "the other options",
];

/// Returns whether a text refers to other choices by their place or, unless letters are the subject, by a
/// letter.
pub(super) fn refers_to_places(text: &str, letters_are_meant: bool) -> bool {
    let text = comparable_text(text).to_lowercase();
    PHRASES.iter().any(|phrase| has_words(&text, phrase)) || (!letters_are_meant && refers_to_letters(&text))
}

/// Returns whether a text consists of labels, conjunctions and words around them: `both a and b`, `a, b and
/// c`, `neither a nor b`, `only answer b`. Numbers count as labels only with a noun such as `answers`: `2 and
/// 3` is an answer.
fn refers_to_letters(text: &str) -> bool {
    const CONJUNCTIONS: [&str; 10] = ["and", "or", "nor", "und", "oder", "noch", "et", "ou", "&", "als"];
    const NOUNS: [&str; 9] =
        ["answers", "choices", "options", "answer", "choice", "option", "antwort", "antworten", "réponses"];
    const AROUND: [&str; 25] = [
        "both", "neither", "either", "only", "sowohl", "weder", "nur", "beide", "les", "all", "just", "as",
        ",", "but", "not", "are", "is", "correct", "right", "true", "sind", "richtig", "aber", "auch",
        "same",
    ];
    let label = |word: &str| {
        let word = word.trim_matches(['(', ')', '.', '"', '\'']);
        word.len() == 1 && word.bytes().all(|byte| matches!(byte, b'a'..=b'f' | b'1'..=b'6'))
    };
    let spaced = text.replace(',', " , ");
    let words: Vec<&str> = spaced.split_whitespace().take(13).collect();
    let labels: Vec<&&str> = words.iter().filter(|word| label(word)).collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let known = |word: &&str| {
        label(word) || CONJUNCTIONS.contains(word) || NOUNS.contains(word) || AROUND.contains(word)
    };
    let letters = labels.iter().all(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.len() <= 12
        && words.iter().all(known)
        && ((!labels.is_empty() && has(&NOUNS))
            || (labels.len() >= 2 && letters && has(&CONJUNCTIONS))
            || (labels.len() == 1 && letters && words.len() == 2 && has(&["only", "nur", "just"]))
            || matches!(words.as_slice(), ["same", "as", word] if label(word) && letters))
}

/// Returns whether most choices consist of single letters. Letters are then the subject of the question, not
/// positions.
pub(super) fn letters_are_meant(texts: &[String]) -> bool {
    const BETWEEN: [&str; 18] = [
        "and",
        "or",
        "not",
        "nor",
        "xor",
        "both",
        "neither",
        "only",
        "but",
        "und",
        "oder",
        "nicht",
        "nur",
        "choice",
        "option",
        "answer",
        "antwort",
        "statement",
    ];
    let of_letters = |text: &&String| {
        let text = comparable_text(text);
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let letter = |word: &str| matches!(word.as_bytes(), [b'A'..=b'Z' | b'a'..=b'z']);
        !words.is_empty()
            && words.iter().all(|word| letter(word) || BETWEEN.contains(&word.to_lowercase().as_str()))
    };
    2 * texts.iter().filter(of_letters).count() > texts.len()
}

/// Returns whether `text` contains `phrase` as whole words.
pub(super) fn has_words(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Returns the number of a Roman numeral up to 100, in either case.
fn roman(word: &str) -> Option<u32> {
    const TENS: [&str; 11] = ["", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc", "c"];
    const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    let word = word.to_lowercase();
    let number = TENS.iter().enumerate().find_map(|(tens, start)| {
        let rest = word.strip_prefix(start)?;
        ONES.iter().position(|ones| *ones == rest).map(|ones| (10 * tens + ones) as u32)
    });
    number.filter(|number| (1..=100).contains(number))
}

/// Returns the step number at the beginning of a text: `Step 2: pour`, `second: pour`.
fn step(text: &str) -> Option<u32> {
    const STEPS: [&str; 12] =
        ["step", "schritt", "phase", "part", "stage", "étape", "paso", "teil", "day", "week", "tag", "jour"];
    const ORDINALS: [&[&str]; 6] = [
        &["first", "firstly", "zuerst", "erstens"],
        &["second", "secondly", "zweitens"],
        &["third", "thirdly", "drittens"],
        &["fourth", "fourthly", "viertens"],
        &["fifth", "fifthly", "fünftens"],
        &["sixth", "sixthly", "sechstens"],
    ];
    const NEXT: [&str; 6] = ["then", "next", "afterwards", "dann", "danach", "ensuite"];
    const LAST: [&str; 7] =
        ["finally", "lastly", "zuletzt", "schließlich", "abschließend", "enfin", "finalement"];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next()?;
    let second = words.next()?;
    if STEPS.contains(&first) {
        let number = second
            .parse()
            .ok()
            .or_else(|| roman(second))
            .or_else(|| number_words::integer(second).and_then(|number| u32::try_from(number).ok()));
        return number.filter(|number| *number < 100 && words.next().is_some());
    }
    if let Some(number) = ordinal_number(&lower) {
        return Some(number);
    }
    // Whatever their number, these come between the first and the last.
    if NEXT.contains(&first) {
        return Some(7);
    }
    if LAST.contains(&first) {
        return Some(100);
    }
    ORDINALS.iter().position(|words| words.contains(&first)).map(|at| at as u32 + 1)
}

/// Returns the number of an ordinal in digits that is a label: `2nd: pour`, `3rd) stir`.
fn ordinal_number(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let (digits, rest) = text.split_at(end);
    let after = ["st", "nd", "rd", "th"].iter().find_map(|ending| rest.strip_prefix(ending))?;
    after
        .starts_with([':', ')', '.', ','])
        .then(|| digits.parse().ok())
        .flatten()
        .filter(|number| *number < 100)
}

/// Returns the word of the label at the beginning of a text: `a` of `a) x`, `B` of `(B) x`, `iv` of `iv. x`.
fn labelling_word(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let (open, rest) = match text.strip_prefix('(') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (word, after) = rest.split_at(end);
    let mut after = after.chars();
    let mark = after.next()?;
    let marked = mark == ')' || (!open && matches!(mark, '.' | ':'));
    // A text must follow: `(2)` alone is a number in brackets.
    (marked && after.next() == Some(' ') && after.any(|c| !c.is_whitespace())).then_some(word)
}

/// Returns the label at the beginning of a text, as a number from 1: `a)`, `(B)`, `3.`, `iv)`, `Step 3:`.
/// Single letters are places in the alphabet here.
fn label(text: &str) -> Option<u32> {
    if let Some(number) = step(text) {
        return Some(number);
    }
    let word = labelling_word(text)?;
    match word.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(u32::from(letter - b'a') + 1),
        [letter @ b'A'..=b'Z'] => Some(u32::from(letter - b'A') + 1),
        [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] => word.parse().ok(),
        _ => roman(word),
    }
}

/// Returns the labels at the beginning of texts. If all of them are Roman numerals and at least one has several
/// letters, the single letters are Roman numerals too: `v` after `iv`, `x` after `ix`.
pub(super) fn labels(texts: &[String]) -> Vec<Option<u32>> {
    let words: Vec<Option<&str>> = texts.iter().map(|text| labelling_word(text)).collect();
    let romans: Option<Vec<u32>> = words.iter().map(|word| roman((*word)?)).collect();
    match romans {
        Some(romans) if words.iter().flatten().any(|word| word.len() > 1) => {
            romans.into_iter().map(Some).collect()
        }
        _ => texts.iter().map(|text| label(text)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_from_content() {
        for text in [
            "All of the above",
            "none of the above.",
            "Both A and B",
            "A and C",
            "Neither (a) nor (b)",
            "only answer B",
            "Alle oben genannten",
            "Toutes les réponses ci-dessus",
            "a, b and c",
            "Only A",
            "A or B but not C",
            "Answers A and B are correct",
            "see above",
            "Sowohl A als auch B",
            "Same as A",
        ] {
            assert!(refers_to_places(text, false), "{text}");
        }
        for text in [
            "vitamin A and D help",
            "none of these",
            "2 and 3",
            "A",
            "above the line",
            "e and f are both even",
            "all",
            "both",
            "Abend",
            "same as before",
        ] {
            assert!(!refers_to_places(text, false), "{text}");
        }
    }

    #[test]
    fn labels_are_read() {
        let labels = ["A) Oxygen", "(b) Helium", "3. Boil", "4: x", "2.5 m", "a cat", "(2)", "I. Newton"];
        assert_eq!(labels.map(label), [Some(1), Some(2), Some(3), Some(4), None, None, None, Some(9)]);
        let steps = ["Step 2: pour", "First boil", "iii) drink", "Part of it", "stage fright", "Phase 3"];
        assert_eq!(steps.map(label), [Some(2), Some(1), Some(3), None, None, None]);
        let more =
            ["Day 1: land", "2nd: pour", "Step two: stir", "Phase II begins", "Then wait", "Finally eat"];
        assert_eq!(more.map(label), [Some(1), Some(2), Some(2), Some(2), Some(7), Some(100)]);
        let others = ["2nd place", "Day by day it grew", "Weeks 3 to 5", "The first day"];
        assert_eq!(others.map(label), [None; 4]);
    }

    #[test]
    fn letters_are_roman_numerals_among_roman_numerals() {
        let read = |labels: &[&str]| {
            let texts: Vec<String> = labels.iter().map(|label| format!("{label}) x")).collect();
            let numbers: Option<Vec<u32>> = super::labels(&texts).into_iter().collect();
            numbers.unwrap_or_default()
        };
        let long = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];
        for count in 2..=long.len() {
            assert_eq!(read(&long[..count]), (1..=count as u32).collect::<Vec<_>>());
        }
        assert_eq!(read(&["XLIX", "L", "LI", "XCIX", "C"]), [49, 50, 51, 99, 100]);
        assert_eq!(read(&["i", "v", "x"]), [9, 22, 24], "letters alone");
        assert_eq!(read(&["a", "b", "c", "d"]), [1, 2, 3, 4]);
        for word in ["iiii", "vx", "ic", "mix", "di", "lc", "w"] {
            assert_eq!(roman(word), None, "{word}");
        }
    }
}
