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
            && words().any(|word| {
                matches!(
                    word,
                    "no" | "wrong" | "mistake" | "error" | "incorrect" | "instead" | "correction" | "scratch"
                )
            })
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
            (" apples", false),
            ("", false),
        ] {
            assert_eq!(taken_back(tail).is_some(), back, "{tail}");
        }
    }
}
