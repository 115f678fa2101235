//! Detects answers that are taken back: `Answer: 42. Actually no, it's 43.`

use std::ops::Range;

use super::{sentences, values};

/// The maximum length of the text after an answer, in bytes. Longer texts are not searched.
const LONGEST: usize = 4_000;

/// Returns the start of the last sentence in `tail` that takes back the answer before it.
pub(super) fn taken_back(tail: &str) -> Option<usize> {
    if tail.len() > LONGEST || !tail.contains([' ', ',']) {
        return None;
    }
    let mut found = None;
    for (at, sentence) in sentences::sentences(tail) {
        let lower = lowercase(sentence);
        let asked = tail[at + sentence.len()..].starts_with('?');
        let words = || lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
        let denies = turns(&lower)
            && !upholds(&lower)
            && (says_no(&lower)
                || words().any(|word| {
                    matches!(
                        word,
                        "wrong" | "mistake" | "error" | "incorrect" | "instead" | "correction" | "scratch"
                    )
                }))
            && !["no mistake", "no error", "not wrong", "nothing wrong"]
                .iter()
                .any(|phrase| lower.contains(phrase));
        let admits =
            ["i made a mistake", "i made an error", "that is wrong", "that's wrong", "this is wrong"]
                .iter()
                .any(|phrase| lower.contains(phrase));
        if (denies || admits) && !asked {
            found = Some(at);
        }
    }
    found
}

/// Returns whether a sentence doubts an answer and then says that it is right: "no, the answer is correct".
///
/// Such a sentence announces no answer.
pub(super) fn confirms(sentence: &str) -> bool {
    let lower = lowercase(sentence);
    turns(&lower) && upholds(&lower)
}

/// Returns a sentence in lower case, without marks before it and with straight apostrophes.
fn lowercase(sentence: &str) -> String {
    let lower = sentence.trim_start_matches([' ', '*', '_', '(', '-', '.']).to_ascii_lowercase();
    lower.replace('\u{2019}', "'")
}

/// Returns whether a sentence in lower case begins like a doubt about what was said before.
fn turns(sentence: &str) -> bool {
    ["wait", "actually", "no,", "hmm", "oops", "sorry", "correction", "scratch that"]
        .iter()
        .any(|word| sentence.starts_with(word))
}

/// Returns the value at the end of a retraction, after "instead": "that holds only for x > 0; instead 43".
pub(super) fn instead(text: &str, retraction: Range<usize>) -> Option<Range<usize>> {
    const WORD: &str = "instead";
    let tail = &text[retraction.clone()];
    let at = tail.rfind(WORD)? + WORD.len();
    let value = tail[at..].trim_start_matches([',', ':', ' ']);
    let length = values::value_length(value);
    let last = value[length..].trim_matches(['.', '!', '*', ' ', '\n']).is_empty();
    let start = retraction.start + tail.len() - value.len();
    (length > 0 && last).then_some(start..start + length)
}

/// Returns whether "no" is an answer in a sentence, as in "actually no, it's 43", and does not negate a noun, as in
/// "there is no other solution".
fn says_no(sentence: &str) -> bool {
    // set while all earlier words are like "wait" and "actually"
    let mut leads = true;
    let mut at = 0;
    for word in sentence.split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'') {
        at += word.len();
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        if word == "no" {
            let sign = sentence[..at].ends_with([',', ';', ':', '!', '.', '\u{2014}', '\u{2013}']);
            let rest = sentence[at..].trim_start();
            let next = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
            let clause = matches!(
                next,
                "it" | "it's" | "its" | "that" | "that's" | "this" | "the" | "wait" | "i" | "we" | "sorry"
            );
            let value = rest.starts_with(|c: char| c.is_ascii_digit() || "$\\-".contains(c));
            if sign || rest.is_empty() || leads && (clause || value) {
                return true;
            }
        }
        leads &= word.is_empty() || is_lead(word);
    }
    false
}

/// Returns whether a word can precede what a sentence says about an answer: "wait, no, it's 43".
fn is_lead(word: &str) -> bool {
    matches!(word, "no" | "wait" | "actually" | "hmm" | "oops" | "sorry" | "oh" | "ah" | "but" | "correction")
}

/// Returns whether a sentence says that the answer is right: "no, that is right".
///
/// Only a main clause without a condition counts, not "I thought that was right" or "that is right provided x > 0". A
/// reason may follow: "that is right, as shown in part 2".
fn upholds(sentence: &str) -> bool {
    // the words, each with the position after it and the character that ends it
    let mut words = sentence
        .split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'')
        .scan(0, |at, word| {
            *at += word.len();
            let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '\'');
            Some((word, *at))
        })
        .filter(|(word, _)| !word.is_empty())
        .peekable();
    if words.clone().any(|(word, _)| matches!(word, "only" | "but" | "if" | "instead")) {
        return false;
    }
    let adverb = |word: &str| matches!(word, "indeed" | "actually" | "all" | "already" | "also");
    while words.next_if(|(word, _)| is_lead(word) || adverb(word)).is_some() {}
    let named = words.next_if(|(word, _)| matches!(*word, "the" | "my" | "our")).is_some();
    let subject = words.next().is_some_and(|(word, _)| match word {
        "that" | "that's" | "this" | "it" | "it's" | "everything" => !named,
        "answer" | "result" => true,
        _ => false,
    });
    while words.next_if(|(word, _)| matches!(*word, "is" | "was") || adverb(word)).is_some() {}
    let Some((_, mut end)) =
        words.next().filter(|(word, _)| subject && matches!(*word, "right" | "correct" | "fine"))
    else {
        return false;
    };
    // the sign after a word, if it has one, is before its position
    const SIGNS: [char; 6] = [',', ';', ':', '(', '\u{2014}', '\u{2013}'];
    // an adverb such as "indeed" is skipped; in "right here for x > 0", the words after it still decide
    while !sentence[..end].ends_with(SIGNS)
        && let Some((_, next)) = words.next_if(|(word, _)| {
            matches!(
                *word,
                "indeed" | "again" | "here" | "already" | "also" | "anyway" | "actually" | "then" | "too"
            )
        })
    {
        end = next;
    }
    let rest = sentence[end..].trim_start_matches([' ', '*', '_']);
    let separate = sentence[..end].ends_with(SIGNS) || rest.starts_with(SIGNS) || rest.starts_with("- ");
    let rest = rest.trim_start_matches(SIGNS).trim_start_matches(['-', ' ', '*', '_']);
    let clause = rest.split(SIGNS).next().unwrap_or_default();
    let clause = clause.split("- ").next().unwrap_or_default();
    if ["as long as", "as far as"].iter().any(|phrase| clause.contains(phrase)) {
        return false;
    }
    let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return true };
    if separate {
        return !is_limit(first);
    }
    match first {
        "because" | "since" | "so" | "and" | "now" => true,
        // not "right as a lower bound"
        "as" => !matches!(words.next(), Some("a" | "an")),
        "after" => words.next() == Some("all"),
        _ => false,
    }
}

/// Returns whether a word after a comma, as in "that is right, provided x > 0", starts a condition or an exception.
fn is_limit(word: &str) -> bool {
    matches!(
        word,
        "for"
            | "when"
            | "where"
            | "in"
            | "on"
            | "at"
            | "under"
            | "unless"
            | "except"
            | "before"
            | "until"
            | "provided"
            | "given"
            | "assuming"
            | "supposing"
            | "with"
            | "without"
            | "within"
            | "up"
            | "although"
            | "though"
            | "apart"
            | "however"
            | "yet"
            | "whenever"
            | "not"
    )
}

#[cfg(test)]
mod tests {
    use super::taken_back;

    #[test]
    fn answers_are_taken_back_in_words() {
        for (tail, back) in [
            (". Actually no, it's 43.", true),
            (". Wait, that is wrong.", true),
            (" Hmm, I made a mistake above.", true),
            (". Wait, let me double-check: 6*7 = 42. Yes.", false),
            (". Wait, is that wrong? It is fine.", false),
            (". Actually, this is a known result from 1998.", false),
            (". No further steps are needed.", false),
            (". Actually, there is no other solution.", false),
            (". Actually no other solution exists.", false),
            (". Sorry, no idea how to simplify it.", false),
            (". No, that is right.", false),
            (". Wait, no, it's indeed correct.", false),
            (". No, wait, **that's right**: 6*7 = 42.", false),
            (". No, the answer is right, as 6*7 = 42.", false),
            (". Actually no \u{2014} it was all correct \u{2014} so 42.", false),
            (". No, I don't think that's right. It's 43.", true),
            (". No, I thought that was right, but it's 43.", true),
            (". No, that was right, but it's 43.", true),
            (". Wait, that is right only for x>0; instead 43.", true),
            (". No, that is right for x>0.", true),
            (". No, that is correct in the first case.", true),
            (". No, that was right under the old assumption, so 43.", true),
            (". No, it is correct except for x=0.", true),
            (". No, that is right provided x>0; it's 43.", true),
            (". No, that is right given x>0; it's 43.", true),
            (". No, that is right assuming x>0; it's 43.", true),
            (". No, that is right with x>0; it's 43.", true),
            (". No, that is right without the constant; it's 43.", true),
            (". No, that is right up to sign; it's 43.", true),
            (". No, that is right although incomplete; it's 43.", true),
            (". No, that is right apart from the sign; it's 43.", true),
            (". No, that is right at x=0; it's 43.", true),
            (". No, that is right on the left; it's 43.", true),
            (". No, that is right after x=0; it's 43.", true),
            (". No, that is right as a lower bound; it's 43.", true),
            (". No, that is right, provided x>0; it's 43.", true),
            (". No, that is right (given x>0), so it's 43.", true),
            (". No, that is right \u{2014} provided x>0.", true),
            (". No, that is right - provided x>0.", true),
            (". No, that is right, up to sign; it's 43.", true),
            (". No, that is right, since 6*7 = 42.", false),
            (". No, that is right, 6*7 is 42.", false),
            (". No, that is right too.", false),
            (". No, that is right indeed.", false),
            (". No, that is correct here.", false),
            (". No, that is correct again, as 6*7 = 42.", false),
            (". No, it was already right then.", false),
            (". No, that is right here for x>0.", true),
            (". No, that is right here, provided x>0; it's 43.", true),
            (". No, that is right too for x>0.", true),
            (". No, that is right as long as x>0.", true),
            (". Wait, no, it was right before; it is 43.", true),
            (". No, that is correct, as I said before.", false),
            (". No, that is correct as I said before.", false),
            (". No, wait, that is correct as shown above.", false),
            (". No, the answer is correct because the sum was checked in the table.", false),
            (". No, that is correct as shown for the general case.", false),
            (". Wait, actually no, that is right after all.", false),
            (". Wait, no, this is fine and agrees with the table.", false),
            (". No, if that's right, it's 43.", true),
            (". No, the correct answer is 43.", true),
            (". No, that is not right.", true),
            (". Actually no it's 43.", true),
            (". Wait no, 43.", true),
            (". Hmm, actually no.", true),
            (" apples", false),
            ("", false),
        ] {
            assert_eq!(taken_back(tail).is_some(), back, "{tail}");
        }
    }
}
