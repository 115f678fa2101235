//! Ids, lengths and words that reveal the key without any knowledge of the subject.

use fablegrade_public::content::{Content, comparable_text};
use fablegrade_public::view::rules;
use fablegrade_public::{Finding, Findings};

use super::position_words::{self, has_words};

/// Splits an id into a stem and a rank: `step-2` is `step` and 2, `l10` is `l` and 10.
///
/// The rank is a number at the end, a single letter, or a word such as `first`.
pub(super) fn rank(id: &str) -> Option<(String, u64)> {
    const ORDINALS: [&[&str]; 6] = [
        &["first", "one", "erster", "eins", "i"],
        &["second", "two", "zweiter", "zwei", "ii"],
        &["third", "three", "dritter", "drei", "iii"],
        &["fourth", "four", "vierter", "vier", "iv"],
        &["fifth", "five", "fünfter", "fünf", "v"],
        &["sixth", "six", "sechster", "sechs", "vi"],
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

/// Returns whether ids, listed in a hidden order, are numbered upwards or downwards. Words that happen to be
/// sorted reveal nothing.
pub(super) fn numbered_along<'a>(ids: impl Iterator<Item = &'a str>) -> bool {
    let names: Vec<&str> = ids.collect();
    let ranks: Option<Vec<(String, u64)>> = names.iter().map(|id| rank(id)).collect();
    let Some(mut ranks) = ranks else { return false };
    // Next to `ii`, an `i` is a Roman numeral.
    if names.contains(&"ii")
        && let Some(at) = names.iter().position(|id| *id == "i")
    {
        ranks[at].1 = 1;
    }
    let one_stem = ranks.windows(2).all(|pair| pair[0].0 == pair[1].0);
    // Numbers can have gaps; single letters far apart are initials.
    let digits = names.iter().all(|id| id.ends_with(|c: char| c.is_ascii_digit()));
    let step = |low: u64, high: u64| low < high && (digits || high - low == 1);
    let up = ranks.windows(2).all(|pair| step(pair[0].1, pair[1].1));
    let down = ranks.windows(2).all(|pair| step(pair[1].1, pair[0].1));
    one_stem && ranks.len() > 2 && (up || down)
}

/// Reports ids that reveal the right choices.
pub(super) fn choice_ids(choices: &[(&str, bool, &Content)], findings: &mut Findings) {
    // A word that is also in the choice's text reveals nothing.
    let says = |(id, _, content): &(&str, bool, &Content)| {
        let text = comparable_text(&content.visible_text()).to_lowercase();
        rules::telling_word(id).filter(|(word, _)| !has_words(&text, word)).map(|(_, meant)| meant)
    };
    let mut meant: Vec<Option<rules::Meant>> = choices.iter().map(says).collect();
    // Among other words, `right` is a direction; among letters and numbers, it is a verdict.
    let plain = |id: &str| id.len() <= 2 || rank(id).is_some();
    if let &[place] = at(choices, |(id, ..)| id.eq_ignore_ascii_case("right")).as_slice()
        && choices.iter().enumerate().all(|(other, (id, ..))| other == place || plain(id))
        && !has_words(&comparable_text(&choices[place].2.visible_text()).to_lowercase(), "right")
    {
        meant[place] = Some(rules::Meant::Right);
    }
    let told = [(rules::Meant::Right, true), (rules::Meant::Wrong, false)].into_iter().find_map(
        |(word, correct)| {
            let list = at(&meant, |given| *given == Some(word));
            let tells = list.len() < choices.len() && list.iter().all(|&at| choices[at].1 == correct);
            list.first().copied().filter(|_| tells)
        },
    );
    // A word such as `true` can be the content of one choice; if every id is such a word, the ids reveal the
    // key.
    let on_all = || {
        let sides: Option<Vec<bool>> = choices
            .iter()
            .map(|(id, _, content)| {
                let text = comparable_text(&content.visible_text()).to_lowercase();
                let (word, right) = rules::yes_or_no(id)?;
                (!has_words(&text, &word) && !text.starts_with(&word)).then_some(right)
            })
            .collect();
        sides
            .is_some_and(|sides| sides.iter().zip(choices).all(|(side, choice)| *side == choice.1))
            .then_some(0)
    };
    if let Some(place) = told.or_else(on_all) {
        findings.push(Finding::warning(
            "telling-id",
            format!("/choices/{place}/id"),
            "the id sounds like part of the key, and learners can see ids",
            "use neutral ids like `c1`, `c2`",
        ));
        return;
    }
    // All wrong ids are numbered with the same stem, and the right id does not have it.
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
                "the ids of the wrong choices are numbered the same way and that of the right one is not",
                "use neutral ids like `c1`, `c2` for all",
            ));
        }
    }
}

fn at<T>(list: &[T], test: impl Fn(&T) -> bool) -> Vec<usize> {
    list.iter().enumerate().filter(|(_, entry)| test(entry)).map(|(at, _)| at).collect()
}

/// Reports the only right choice if it is far longer than every wrong one: exact answers tend to need more
/// words.
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

/// Reports feedback that reveals or contradicts the key. `feedback` has one entry per choice.
pub(super) fn feedback(
    choices: &[(&str, bool, &Content)],
    feedback: &[Option<&Content>],
    shuffled: bool,
    findings: &mut Findings,
) {
    let texts: Vec<String> =
        choices.iter().map(|(.., content)| comparable_text(&content.visible_text()).to_lowercase()).collect();
    let visible: Vec<String> = choices.iter().map(|(.., content)| content.visible_text()).collect();
    let letters_are_meant = position_words::letters_are_meant(&visible)
        || visible.iter().any(|text| {
            // `A` and `I` are also words.
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.any(|word| matches!(word.as_bytes(), [b'B'..=b'H']))
        });
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
        let contradicts =
            says_verdict(&said).filter(|(right, word)| *right != correct && !texts[at].starts_with(word));
        if contradicts.is_some() {
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
        // A key of few letters occurs in many sentences by chance.
        let named =
            |key: &str| key.chars().count() >= 4 && has_words(&said, key) && !has_words(&texts[at], key);
        let announced = |key: &str| {
            REVEALING.iter().any(|phrase| {
                said.match_indices(phrase).any(|(found, _)| {
                    let rest = said[found + phrase.len()..].trim_start_matches([' ', ':', '"', '\'', '$']);
                    let after = rest.strip_prefix(key).filter(|_| !key.is_empty());
                    after.is_some_and(|after| {
                        // The 12 in `12.5` is part of another number.
                        let decimal = after
                            .strip_prefix(['.', ','])
                            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
                        !decimal && !after.starts_with(char::is_alphanumeric)
                    })
                })
            })
        };
        // `3 squared is 9` reveals a key that is a number.
        let computed = |key: &str| {
            let number = key.len() <= 20 && key.parse::<f64>().is_ok();
            number
                && RESULTS.iter().any(|phrase| {
                    said.match_indices(phrase).any(|(found, _)| {
                        let after = said[found + phrase.len()..].trim_start().strip_prefix(key);
                        after.is_some_and(|after| {
                            let end = after.trim_start_matches(['.', '!', ',', ';', '$']);
                            end.is_empty() || (end.len() < after.len() && end.starts_with(' '))
                        })
                    })
                })
        };
        let letter = |nth: usize| char::from(b'a' + (nth % 26) as u8).to_string();
        if shuffled && !letters_are_meant && (0..choices.len()).any(|nth| announced(&letter(nth))) {
            findings.push(Finding::warning(
                "position-word",
                pointer(),
                "the feedback refers to a choice by its letter, but the choices are shuffled",
                "say what is meant, or set `shuffleChoices` to false",
            ));
            continue;
        }
        let named_by_letter = !shuffled
            && !letters_are_meant
            && keys.len() == 1
            && choices.iter().position(|choice| choice.1).is_some_and(|nth| announced(&letter(nth)));
        let own = texts[at].as_str();
        let told = named_by_letter
            || keys.iter().any(|key| named(key) || ((announced(key) || computed(key)) && *key != own))
            || choices.iter().any(|(id, right, _)| *right && id.len() >= 2 && announced(&id.to_lowercase()));
        if !correct && told {
            findings.push(Finding::warning(
                "feedback-tells-key",
                pointer(),
                "the feedback of a wrong choice names the right one, so a second attempt tests nothing",
                "say why this choice is wrong, or keep it if there is one attempt only",
            ));
        }
    }
}

/// Phrases that precede a result.
const RESULTS: [&str; 6] = [" is ", " equals ", " gives ", "=", " ist ", " ergibt "];

/// Phrases in feedback that precede the right answer.
const REVEALING: [&str; 16] = [
    "should be",
    "answer is",
    "answer was",
    "correct is",
    "right one is",
    "correct one is",
    "solution is",
    "must be",
    "it is",
    "correct choice is",
    "right choice is",
    "richtig ist",
    "antwort ist",
    "richtig wäre",
    "réponse est",
    "respuesta es",
];

/// Returns the verdict at the beginning of feedback: whether it is praise, and its words. A verdict is a
/// complete clause without `but` after it.
fn says_verdict(said: &str) -> Option<(bool, &str)> {
    const PRAISE: [&str; 36] = [
        "correct",
        "right",
        "well done",
        "exactly",
        "exactly right",
        "yes",
        "good job",
        "good",
        "great",
        "perfect",
        "excellent",
        "you got it",
        "got it",
        "very good",
        "true",
        "absolutely",
        "nice work",
        "spot on",
        "you are right",
        "you are correct",
        "richtig",
        "genau",
        "genau richtig",
        "ja",
        "stimmt",
        "sehr gut",
        "super",
        "prima",
        "bravo",
        "exact",
        "juste",
        "oui",
        "correcto",
        "muy bien",
        "\u{2713}",
        "\u{2714}",
    ];
    const BLAME: [&str; 34] = [
        "wrong",
        "incorrect",
        "no",
        "nope",
        "not",
        "not quite",
        "not correct",
        "not right",
        "not true",
        "sorry",
        "unfortunately",
        "try again",
        "false",
        "that's wrong",
        "you are wrong",
        "not really",
        "falsch",
        "leider",
        "leider falsch",
        "leider nein",
        "leider nicht",
        "nein",
        "nicht richtig",
        "nicht ganz",
        "stimmt nicht",
        "faux",
        "non",
        "incorrecto",
        "mal",
        "\u{2717}",
        "\u{2718}",
        "\u{274c}",
        "\u{2715}",
        "\u{2716}",
    ];
    // `that is not correct` means the same as `not correct`.
    const FILLERS: [&str; 14] = [
        "that is ",
        "that's ",
        "this is ",
        "it is ",
        "it's ",
        "that was ",
        "this was ",
        "unfortunately ",
        "sadly ",
        "das ist ",
        "das war ",
        "leider ",
        "c'est ",
        "es ",
    ];
    const HOWEVER: [&str; 9] =
        ["but", "however", "although", "though", "aber", "jedoch", "mais", "pero", "only"];
    let end = said
        .find(['!', '.', ',', ';', ':', '\u{2013}', '\u{2014}', '\u{2026}'])
        .or_else(|| said.find(" - "))
        .or_else(|| said.find(" because"))
        .unwrap_or(said.len());
    let mut clause = said[..end].trim();
    let rest = said[end..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if HOWEVER.contains(&first) {
        return None;
    }
    let is = |list: &[&str], clause: &str| list.contains(&clause);
    for _ in 0..3 {
        let verdict = if is(&PRAISE, clause) {
            Some(true)
        } else if is(&BLAME, clause) {
            Some(false)
        } else {
            None
        };
        if let Some(right) = verdict {
            return Some((right, clause));
        }
        let shorter = FILLERS.iter().find_map(|filler| clause.strip_prefix(filler));
        clause = shorter?.trim();
    }
    None
}

/// Reports pairs whose ids reveal the partners: the same ids, the same distinctive parts, or the same
/// numbers.
pub(super) fn pair_ids(pairs: &[(&str, &str)], findings: &mut Findings) {
    if pairs.len() < 2 {
        return;
    }
    let (left, right): (Vec<&str>, Vec<&str>) = pairs.iter().copied().unzip();
    let message = if left == right {
        "partners have the same id, and learners can see ids"
    } else if pairs.len() >= 3 && own_parts(&left) == own_parts(&right) {
        "apart from what all ids of a side share, partners have the same id, and learners can see ids"
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

/// Returns the ids of a side without the prefix and suffix that all share: `left-cat` and `left-dog` become
/// `cat` and `dog`. `None` if an id has no other part.
fn own_parts(ids: &[&str]) -> Option<Vec<String>> {
    let lower: Vec<String> = ids.iter().map(|id| id.to_lowercase()).collect();
    let first = lower.first()?.as_bytes();
    let shared = |at: &dyn Fn(&[u8], usize) -> Option<u8>| {
        (0..first.len())
            .take_while(|&index| lower.iter().all(|id| at(id.as_bytes(), index) == at(first, index)))
            .count()
    };
    let before = shared(&|id, index| id.get(index).copied());
    let after = shared(&|id, index| id.len().checked_sub(index + 1).map(|at| id[at]));
    let own: Vec<String> = lower
        .iter()
        .map(|id| id.get(before..id.len().saturating_sub(after).max(before)).unwrap_or_default())
        .map(|own| own.trim_matches(['-', '_']).to_owned())
        .collect();
    // Ids without a distinctive part cannot be compared.
    own.iter().all(|own| !own.is_empty()).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_ids_are_told_from_words() {
        let along = |ids: &str| numbered_along(ids.split(' '));
        for ids in ["l1 l2 l10", "d c b a", "first second third", "step-1 step-2 step-3", "i ii iii iv"] {
            assert!(along(ids), "{ids}");
        }
        for ids in ["bronze iron medieval", "l3 l1 l2", "a1 b2 c3", "x 2 y", "q k d"] {
            assert!(!along(ids), "{ids}");
        }
    }

    #[test]
    fn verdicts_are_clauses_of_their_own() {
        for (said, right) in [
            ("correct! well done", true),
            ("this is correct.", true),
            ("yes, helium reacts", true),
            ("you got it!", true),
            ("leider falsch.", false),
            ("that is not correct.", false),
            ("unfortunately not", false),
            ("incorrect: oxygen is a metal", false),
        ] {
            assert_eq!(says_verdict(said).map(|(right, _)| right), Some(right), "{said}");
        }
        for said in [
            "correct for balloons, not here",
            "no other gas does this.",
            "yes and no: it is a gas",
            "great guess, but no",
            "right, but not here",
            "no doubt.",
            "almost right",
        ] {
            assert_eq!(says_verdict(said), None, "{said}");
        }
    }

    #[test]
    fn what_all_ids_share_is_left_out() {
        let own = |ids: &[&str]| own_parts(ids);
        assert_eq!(own(&["la", "lb", "lc"]), own(&["ra", "rb", "rc"]));
        assert_eq!(own(&["fr-l", "it-l", "es-l"]), own(&["fr-r", "it-r", "es-r"]));
        assert_eq!(
            own(&["france", "italy", "spain"]),
            own(&["france_capital", "italy_capital", "spain_capital"])
        );
        assert_ne!(own(&["l1", "l2", "l3"]), own(&["r2", "r3", "r1"]));
        assert_eq!(own(&["a", "a", "a"]), None);
    }
}
