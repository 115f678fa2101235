//! Detects answers that are taken back: `Answer: 42. Actually no, it's 43.`

use super::values;

/// The maximum length of the text after an answer, in bytes. Longer texts are not searched.
const LONGEST: usize = 4_000;

/// Returns the start of the last sentence in `tail` that takes back the answer before it.
pub(super) fn taken_back(tail: &str) -> Option<usize> {
    if tail.len() > LONGEST || !tail.contains([' ', ',']) {
        return None;
    }
    let mut found = None;
    for (at, sentence) in values::sentences(tail) {
        let lower = sentence.trim_start_matches([' ', '*', '_', '(', '-', '.']).to_ascii_lowercase();
        let lower = lower.replace('\u{2019}', "'");
        let asked = tail[at + sentence.len()..].starts_with('?');
        let turns = ["wait", "actually", "no,", "hmm", "oops", "sorry", "correction", "scratch that"]
            .iter()
            .any(|word| lower.starts_with(word));
        let words = || lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
        let denies = turns
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

/// Returns whether a sentence has "no" as an answer, as in "actually no, it's 43", and not before a noun, as in "there
/// is no other solution".
fn says_no(sentence: &str) -> bool {
    // set as long as all words before are like "wait" and "actually"
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
        leads &= matches!(
            word,
            "" | "no" | "wait" | "actually" | "hmm" | "oops" | "sorry" | "oh" | "ah" | "but" | "correction"
        );
    }
    false
}

/// Returns whether a sentence says that the answer is right: "no, that is right".
fn upholds(sentence: &str) -> bool {
    let words: Vec<&str> = sentence
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !matches!(*word, "" | "indeed" | "actually" | "all" | "is" | "was"))
        .collect();
    words.windows(2).any(|pair| {
        let [subject, state] = pair else { return false };
        matches!(*subject, "that" | "that's" | "this" | "it" | "it's" | "answer" | "result" | "everything")
            && matches!(*state, "right" | "correct" | "fine")
    })
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
