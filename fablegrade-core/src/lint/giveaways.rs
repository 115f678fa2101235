//! Ids, lengths and words that give the key away without any knowledge of the subject.

use fablegrade_public::content::{Content, comparable_text};
use fablegrade_public::{Finding, Findings};

use super::position_words::has_words;

/// The words an id is made of, and the number at the end of each: `step-2` is `step` and 2, `l10` is `l` and 10.
///
/// An id that names a place in a row gives its rank: a number at its end, a single letter, or a word such as `first`.
pub(super) fn rank(id: &str) -> Option<(String, u64)> {
    const ORDINALS: [&[&str]; 6] = [
        &["first", "one", "erster", "eins"],
        &["second", "two", "zweiter", "zwei"],
        &["third", "three", "dritter", "drei"],
        &["fourth", "four", "vierter", "vier"],
        &["fifth", "five", "fünfter", "fünf"],
        &["sixth", "six", "sechster", "sechs"],
    ];
    let id = id.to_lowercase();
    let stem = id.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() < id.len() {
        return Some((stem.trim_end_matches(['-', '_']).to_owned(), id[stem.len()..].parse().ok()?));
    }
    let (before, word) = match id.rfind(['-', '_']) {
        Some(at) => (&id[..at], &id[at + 1..]),
        None => ("", id.as_str()),
    };
    if let [letter @ b'a'..=b'z'] = word.as_bytes() {
        return Some((before.to_owned(), u64::from(letter - b'a') + 1));
    }
    let place = ORDINALS.iter().position(|words| words.contains(&word))?;
    Some((before.to_owned(), place as u64 + 1))
}

/// Whether ids that stand in a hidden order are numbered along it, upwards or downwards. Ids that are words are no
/// numbers: that they happen to be sorted tells nothing.
pub(super) fn numbered_along<'a>(ids: impl Iterator<Item = &'a str>) -> bool {
    let names: Vec<&str> = ids.collect();
    let ranks: Option<Vec<(String, u64)>> = names.iter().map(|id| rank(id)).collect();
    let Some(ranks) = ranks else { return false };
    let one_stem = ranks.windows(2).all(|pair| pair[0].0 == pair[1].0);
    // Numbers may have gaps; single letters far apart are initials.
    let digits = names.iter().all(|id| id.ends_with(|c: char| c.is_ascii_digit()));
    let step = |low: u64, high: u64| low < high && (digits || high - low == 1);
    let up = ranks.windows(2).all(|pair| step(pair[0].1, pair[1].1));
    let down = ranks.windows(2).all(|pair| step(pair[1].1, pair[0].1));
    one_stem && ranks.len() > 2 && (up || down)
}

/// Ids of choices that tell which are right.
pub(super) fn choice_ids(choices: &[(&str, bool, &Content)], findings: &mut Findings) {
    const RIGHT: [&str; 5] = ["correct", "answer", "key", "solution", "goodanswer"];
    const WRONG: [&str; 9] =
        ["incorrect", "wrong", "distractor", "decoy", "bogus", "false-answer", "lure", "dummy", "foil"];
    let words = |id: &str| {
        let id = id.to_ascii_lowercase();
        let word = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        id.split(['-', '_']).map(word).collect::<Vec<_>>()
    };
    // A word that the choice says itself tells nothing.
    let says = |id: &str, content: &Content, list: &[&str]| {
        let text = comparable_text(&content.visible_text()).to_lowercase();
        words(id).iter().any(|word| list.contains(&word.as_str()) && !has_words(&text, word))
    };
    let right: Vec<usize> = at(choices, |(id, _, content)| says(id, content, &RIGHT));
    let wrong: Vec<usize> = at(choices, |(id, _, content)| says(id, content, &WRONG));
    let tells = |list: &[usize], correct: bool| {
        !list.is_empty() && list.len() < choices.len() && list.iter().all(|&at| choices[at].1 == correct)
    };
    let told = if tells(&right, true) {
        right.first()
    } else if tells(&wrong, false) {
        wrong.first()
    } else {
        None
    };
    if let Some(place) = told {
        findings.push(Finding::warning(
            "telling-id",
            format!("/choices/{place}/id"),
            "the id sounds like part of the key, and learners can see ids",
            "use neutral ids like `c1`, `c2`",
        ));
        return;
    }
    // All wrong ids are numbered alike and the right one is not, or the other way round.
    let keys = at(choices, |(_, correct, _)| *correct);
    if let &[key] = keys.as_slice()
        && choices.len() >= 4
    {
        let stems: Option<Vec<(String, u64)>> =
            choices.iter().filter(|(_, correct, _)| !correct).map(|(id, ..)| rank(id)).collect();
        let odd = stems.is_some_and(|stems| {
            !stems[0].0.is_empty()
                && stems.iter().all(|(stem, _)| *stem == stems[0].0)
                && rank(choices[key].0).is_none_or(|(stem, _)| stem != stems[0].0)
        });
        if odd {
            findings.push(Finding::warning(
                "telling-id",
                format!("/choices/{key}/id"),
                "the ids of the wrong choices are numbered alike and that of the right one is not",
                "use neutral ids like `c1`, `c2` for all",
            ));
        }
    }
}

fn at<T>(list: &[T], test: impl Fn(&T) -> bool) -> Vec<usize> {
    list.iter().enumerate().filter(|(_, entry)| test(entry)).map(|(at, _)| at).collect()
}

/// A right choice that is far longer than every wrong one: the exact answer needs more words than a guess.
pub(super) fn longest_choice(choices: &[(&str, bool, &Content)], findings: &mut Findings) {
    let mut key = None;
    let mut longest_wrong = 0;
    for (at, (_, correct, content)) in choices.iter().enumerate() {
        let length = content.visible_text().chars().count();
        match (correct, key) {
            (true, None) => key = Some((at, length)),
            (true, Some(_)) => return,
            (false, _) => longest_wrong = longest_wrong.max(length),
        }
    }
    let Some((at, length)) = key else { return };
    if length >= 40 && longest_wrong > 0 && length >= 2 * longest_wrong && choices.len() > 2 {
        findings.push(Finding::warning(
            "longest-choice-correct",
            format!("/choices/{at}/content"),
            format!(
                "the right choice is {:.1} times as long as the longest wrong one",
                length as f64 / longest_wrong as f64
            ),
            "shorten it, or make the wrong choices as exact",
        ));
    }
}

/// What feedback gives away or has on the wrong side. `feedback` holds the text by choice.
pub(super) fn feedback(
    choices: &[(&str, bool, &Content)],
    feedback: &[Option<&Content>],
    findings: &mut Findings,
) {
    const PRAISE: [&str; 16] = [
        "correct",
        "right",
        "well done",
        "exactly",
        "yes",
        "good job",
        "great",
        "that's right",
        "very good",
        "richtig",
        "genau",
        "ja",
        "sehr gut",
        "bravo",
        "exact",
        "correcto",
    ];
    const BLAME: [&str; 14] = [
        "wrong",
        "incorrect",
        "no",
        "not quite",
        "sorry",
        "try again",
        "not correct",
        "that's wrong",
        "false",
        "falsch",
        "leider",
        "nein",
        "faux",
        "incorrecto",
    ];
    let texts: Vec<String> =
        choices.iter().map(|(.., content)| comparable_text(&content.visible_text()).to_lowercase()).collect();
    let keys: Vec<&str> = choices
        .iter()
        .zip(&texts)
        .filter(|((_, correct, _), _)| *correct)
        .map(|(_, text)| text.as_str())
        .collect();
    for (at, given) in feedback.iter().enumerate() {
        let Some(given) = given else { continue };
        let said = comparable_text(&given.visible_text()).to_lowercase();
        let pointer = || format!("/choices/{at}/feedback");
        let correct = choices[at].1;
        let opens = |words: &[&str]| {
            words.iter().any(|word| {
                said.strip_prefix(word).is_some_and(|rest| {
                    rest.is_empty() || rest.starts_with(['!', '.', ',', ';', '\u{2013}', '-'])
                })
            })
        };
        if opens(if correct { &BLAME } else { &PRAISE }) {
            let message = if correct {
                "the feedback of a right choice says that it is wrong"
            } else {
                "the feedback of a wrong choice says that it is right"
            };
            findings.push(Finding::warning(
                "feedback-contradicts-key",
                pointer(),
                message,
                "swap the feedback or the key",
            ));
            continue;
        }
        // A key of few letters stands in many sentences by chance.
        let named =
            |key: &&&str| key.chars().count() >= 4 && has_words(&said, key) && !has_words(&texts[at], key);
        if !correct && keys.iter().any(|key| named(&key)) {
            findings.push(Finding::warning(
                "feedback-tells-key",
                pointer(),
                "the feedback of a wrong choice names the right one, so a second attempt tests nothing",
                "say why this choice is wrong, or keep it if there is one attempt only",
            ));
        }
    }
}

/// Pairs whose ids say who belongs together: the same ids, the same numbers, or the same places when sorted.
pub(super) fn pair_ids(pairs: &[(&str, &str)], findings: &mut Findings) {
    if pairs.len() < 2 {
        return;
    }
    let message = if pairs.iter().all(|(left, right)| left == right) {
        "partners have the same id, and learners can see ids"
    } else if pairs.len() >= 3 && pairs.iter().all(|(left, right)| same_word(left, right)) {
        "the ids of partners end alike, and learners can see ids"
    } else if pairs.len() >= 3
        && pairs.iter().all(|(left, right)| rank(left).zip(rank(right)).is_some_and(|(l, r)| l.1 == r.1))
    {
        "the ids of partners have the same numbers, and learners can see ids"
    } else {
        return;
    };
    findings.push(Finding::warning(
        "telling-id",
        "/correctPairs",
        message,
        "use ids that do not tell who belongs together",
    ));
}

/// Whether two ids share the word after their first letter or separator: `left-cat` and `right-cat`.
fn same_word(left: &str, right: &str) -> bool {
    let word = |id: &str| {
        id.rsplit(['-', '_'])
            .next()
            .map(str::to_lowercase)
            .filter(|word| word.len() >= 2 && word.len() < id.len())
    };
    word(left).is_some() && word(left) == word(right)
}

#[cfg(test)]
mod tests {
    use super::numbered_along;

    #[test]
    fn numbered_ids_are_told_from_words() {
        let along = |ids: &str| numbered_along(ids.split(' '));
        assert!(
            along("l1 l2 l10")
                && along("d c b a")
                && along("first second third")
                && along("step-1 step-2 step-3")
        );
        assert!(
            !along("bronze iron medieval")
                && !along("l3 l1 l2")
                && !along("a1 b2 c3")
                && !along("x 2 y")
                && !along("q k d")
        );
    }
}
