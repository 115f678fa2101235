//! Rules for `multiple_choice`.

use fablegrade_public::content::{Content, comparable_text};
use fablegrade_public::{Finding, Findings, Ratio};

use super::content::{comparable, is_blank};
use super::equality::{Quantity, equal_pairs, quantity};
use super::{giveaways, key_mutation, position_words};
use crate::answer::multiple_choice::{MultipleChoiceSpec, Ready};
use crate::answer::two_places;
use crate::secret::Secret;

/// Applies the rules; compares each pair of the at most ten choices.
pub(super) fn lint(spec: &MultipleChoiceSpec, ready: Option<&Ready>, findings: &mut Findings) {
    let total = spec.total_correct();
    let count = spec.choices.len();
    if let Some(ready) = ready {
        key_mutation::multiple_choice(spec, ready, findings);
    }
    if total == count && spec.multiple_select && !spec.partial_credit {
        findings.push(Finding::info(
            "everything-correct",
            "/choices",
            "every choice is correct, so ticking everything earns full marks",
            "add a wrong choice",
        ));
    }
    if !spec.multiple_select && total > 0 && total * 2 >= count {
        let chance = Ratio::new(total as i64, count as u64);
        findings.push(Finding::info(
            "guessable-choice",
            "/choices",
            format!("a random choice earns {} on average", two_places(&chance)),
            "add wrong choices",
        ));
    }
    let choices: Vec<(&str, bool, &Content)> = spec
        .choices
        .iter()
        .map(|choice| (choice.id.as_str(), *choice.correct.expose(), &choice.content))
        .collect();
    let feedback: Vec<Option<&Content>> =
        spec.choices.iter().map(|choice| choice.feedback.as_ref().map(Secret::expose)).collect();
    giveaways::choice_ids(&choices, findings);
    giveaways::longest_choice(&choices, findings);
    giveaways::feedback(&choices, &feedback, spec.shuffle_choices, findings);
    same_choices(&choices, spec.multiple_select, findings);
    places(&choices, spec.shuffle_choices, findings);
    wording(&choices, findings);
    if !spec.shuffle_choices
        && !spec.multiple_select
        && choices.first().is_some_and(|choice| choice.1)
        && count > 2
    {
        findings.push(Finding::info(
            "first-choice-correct",
            "/shuffleChoices",
            "the correct choice is the first one and the choices are not shuffled",
            "shuffle the choices",
        ));
    }
}

/// Returns a text as it looks: without invisible characters, with one spelling of signs that look the same.
fn look(text: &str) -> String {
    // Program code can be wrong for its quotation marks alone.
    let prose = text.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && !text.contains(['(', ')', '[', ']', '{', '}', ';', '=', '<', '>', '$', '\\', '_']);
    text.chars()
        .filter(|c| !matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}'))
        .map(|c| match c {
            '\u{2212}' | '\u{2010}' | '\u{2011}' => '-',
            '\u{2018}' | '\u{2019}' | '\u{2bc}' if prose => '\'',
            '\u{201c}' | '\u{201d}' if prose => '"',
            other => other,
        })
        .collect()
}

/// Reports choices with the same text, or with provably equal values.
fn same_choices(choices: &[(&str, bool, &Content)], multiple: bool, findings: &mut Findings) {
    let texts: Vec<String> = choices.iter().map(|(.., content)| look(&comparable(content))).collect();
    let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
    // The text in the document with its blanks: choices that differ only in these and in case are accidental
    // duplicates.
    let raw: Vec<Option<&str>> = choices.iter().map(|(.., content)| content.as_json().as_str()).collect();
    let mut told = vec![false; choices.len()];
    for at in 1..choices.len() {
        let pointer = || format!("/choices/{at}/content");
        // Blank choices have their own finding.
        if is_blank(choices[at].2) {
            continue;
        }
        if let Some(first) = texts[..at].iter().position(|text| *text == texts[at]) {
            told[at] = true;
            let message = if choices[first].1 == choices[at].1 {
                "an earlier choice says the same"
            } else {
                "an earlier choice says the same but is marked differently"
            };
            findings.push(Finding::warning("same-choice-twice", pointer(), message, "change one of the two"));
        } else if choices[..at]
            .iter()
            .zip(&texts)
            .any(|(choice, text)| choice.1 != choices[at].1 && same_but_for_its_end(text, &texts[at]))
        {
            told[at] = true;
            findings.push(Finding::warning(
                "same-choice-twice",
                pointer(),
                "an earlier choice differs only in a full stop at the end, and is marked differently",
                "change one of the two",
            ));
        } else if let Some(first) = lower[..at].iter().position(|text| *text == lower[at]) {
            told[at] = true;
            let blanks = |at: usize| raw[at].is_some_and(|text| text.trim() != text);
            if (blanks(first) || blanks(at)) && choices[first].1 != choices[at].1 {
                findings.push(Finding::warning(
                    "same-choice-twice",
                    pointer(),
                    "an earlier choice differs only in capitals and blanks, and is marked differently",
                    "change one of the two",
                ));
            } else {
                findings.push(Finding::info(
                    "choices-differ-in-case",
                    pointer(),
                    "only capitals distinguish this choice from an earlier one",
                    "keep it if the question is about capitals",
                ));
            }
        }
    }
    let quantities: Vec<Option<Quantity>> = choices.iter().map(|(.., content)| quantity(content)).collect();
    let pairs = equal_pairs(&quantities);
    // If all choices have the same value, the question asks for a form.
    let form = choices.len() > 2 && pairs.len() + 1 == choices.len();
    for pair in pairs.into_iter().filter(|pair| !told[pair.second]) {
        let pointer = format!("/choices/{}/content", pair.second);
        let (first, second) = (choices[pair.first].1, choices[pair.second].1);
        if form || pair.zeros_only || (first && second) {
            let message = format!("this choice has the value of an earlier one ({})", pair.evidence);
            let help = "keep it if the question asks for a form";
            findings.push(Finding::info("equal-forms", pointer, message, help));
        } else if first == second && multiple {
            let message = format!("two wrong choices have the same value ({})", pair.evidence);
            findings.push(Finding::warning("equal-choices", pointer, message, "change one of the two"));
        } else if first == second {
            let message = format!(
                "two wrong choices have the same value ({}), so learners can rule both out",
                pair.evidence
            );
            findings.push(Finding::warning("equal-choices", pointer, message, "change one of the two"));
        } else {
            let message =
                format!("an earlier choice has the same value ({}) but is marked differently", pair.evidence);
            let help = "change one of the two, or mark both right";
            findings.push(Finding::warning("equal-choices", pointer, message, help));
        }
    }
}

/// Returns whether two texts that are not short differ only in a full stop or semicolon at the end.
fn same_but_for_its_end(a: &str, b: &str) -> bool {
    const SHORTEST: usize = 6;
    let (a, b) = (a.trim_end(), b.trim_end());
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.len() >= SHORTEST && long.strip_suffix(['.', ';']).is_some_and(|rest| rest.trim_end() == short)
}

/// Reports problems of the choices' order: words for positions, labels, and numbers out of order.
fn places(choices: &[(&str, bool, &Content)], shuffled: bool, findings: &mut Findings) {
    let texts: Vec<String> = choices.iter().map(|(.., content)| content.visible_text()).collect();
    if shuffled {
        let letters = position_words::letters_are_meant(&texts);
        if let Some(at) = texts.iter().position(|text| position_words::refers_to_places(text, letters)) {
            findings.push(Finding::warning(
                "position-word",
                format!("/choices/{at}/content"),
                "the text refers to other choices by their place or letter, but the choices are shuffled",
                "set `shuffleChoices` to false, or say what is meant (`All of these`)",
            ));
        }
        let labels = position_words::labels(&texts);
        let row = labels.iter().enumerate().filter(|(at, label)| **label == Some(*at as u32 + 1)).count();
        if row >= 2 && row == texts.len() {
            findings.push(Finding::warning(
                "labelled-choices",
                "/choices",
                "the choices carry letters or numbers of their own, but they are shuffled",
                "remove the labels, or set `shuffleChoices` to false",
            ));
        }
        return;
    }
    let numbers: Option<Vec<_>> = choices
        .iter()
        .map(|(.., content)| match quantity(content) {
            Some(Quantity::Number(number)) if !number.in_words => Some((number.value, number.unit)),
            _ => None,
        })
        .collect();
    if let Some(numbers) = numbers.filter(|numbers| numbers.len() >= 3)
        && numbers.iter().all(|(_, unit)| *unit == numbers[0].1)
        && !numbers.windows(2).all(|pair| pair[0].0 <= pair[1].0)
        && !numbers.windows(2).all(|pair| pair[0].0 >= pair[1].0)
    {
        findings.push(Finding::warning(
            "numbers-out-of-order",
            "/choices",
            "the choices are numbers in a fixed order, but neither ascending nor descending",
            "sort them, or shuffle the choices",
        ));
    }
}

/// Reports wording that makes a choice hard to read or stand out.
fn wording(choices: &[(&str, bool, &Content)], findings: &mut Findings) {
    const NEGATIONS: [&str; 13] = [
        "not", "no", "never", "neither", "isn't", "doesn't", "don't", "cannot", "can't", "nicht", "kein",
        "keine", "nie",
    ];
    let texts: Vec<String> =
        choices.iter().map(|(.., content)| comparable_text(&content.visible_text()).to_lowercase()).collect();
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let split: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let negated =
        |words: &Vec<String>| words.iter().filter(|word| NEGATIONS.contains(&word.as_str())).count() >= 2;
    if let Some(at) = split.iter().position(|words| negated(words) && words.len() <= 40) {
        findings.push(Finding::warning(
            "double-negative",
            format!("/choices/{at}/content"),
            "the choice has two negations, which test reading more than the subject",
            "say it without one",
        ));
    }
    if let Some(at) = odd_language(&split) {
        findings.push(Finding::warning(
            "other-language",
            format!("/choices/{at}/content"),
            "the language of this choice differs from that of the others",
            "translate it",
        ));
    }
}

/// Returns the index of the only text in a different language from the others, recognised by common short
/// words.
fn odd_language(texts: &[Vec<String>]) -> Option<usize> {
    const SMALL: [&[&str]; 4] = [
        &[
            "the", "of", "and", "is", "are", "to", "in", "it", "with", "for", "that", "by", "from", "which",
            "an",
        ],
        &[
            "der", "die", "das", "und", "ist", "sind", "ein", "eine", "nicht", "mit", "von", "den", "dem",
            "wird", "zu",
        ],
        &[
            "le", "la", "les", "et", "est", "sont", "un", "une", "des", "du", "dans", "pour", "avec", "qui",
            "aux",
        ],
        &["el", "los", "las", "y", "es", "son", "una", "del", "con", "para", "que", "por", "se", "su", "al"],
    ];
    let language = |words: &Vec<String>| {
        let hits = SMALL.map(|small| words.iter().filter(|word| small.contains(&word.as_str())).count());
        let (best, &most) = hits.iter().enumerate().max_by_key(|(_, hits)| **hits)?;
        let second = hits.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, hits)| *hits).max()?;
        (most > second).then_some((best, most))
    };
    let found: Vec<Option<(usize, usize)>> = texts.iter().map(language).collect();
    let known: Vec<usize> = (0..texts.len()).filter(|&at| found[at].is_some()).collect();
    if known.len() < 3 {
        return None;
    }
    known.iter().copied().find(|&at| {
        let others: Vec<usize> = known
            .iter()
            .filter(|&&other| other != at)
            .filter_map(|&other| found[other])
            .map(|(language, _)| language)
            .collect();
        found[at].is_some_and(|(language, hits)| {
            hits >= 2 && others.iter().all(|&other| other == others[0] && other != language)
        })
    })
}
