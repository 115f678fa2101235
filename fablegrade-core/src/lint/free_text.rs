//! Rules for `free_text`.

use std::collections::BTreeSet;

use fablegrade_public::content::comparable_text;
use fablegrade_public::view::rules;
use fablegrade_public::{Finding, Findings};

use super::position_words::has_words;
use crate::answer::free_text::FreeTextSpec;

/// Phrases in a rubric that precede the answer. They count only in a line of at least 5 words.
const REVEALING: [&str; 19] = [
    "answer must say",
    "answer should say",
    "the answer is",
    "correct answer",
    "expected answer",
    "model answer",
    "right answer",
    "must state that",
    "sample answer",
    "the solution is",
    "solution:",
    "acceptable answers",
    "answer key",
    "die antwort ist",
    "richtige antwort",
    "musterlösung",
    "lösung ist",
    "bonne réponse",
    "respuesta correcta",
];

/// Phrases that introduce a clause with the answer. They count only if at least 4 words follow.
const STATING: [&str; 9] = [
    "states that",
    "must state that",
    "should state that",
    "must say that",
    "should say that",
    "says that",
    "concludes that",
    "sagt, dass",
    "schreibt, dass",
];

/// Returns whether a line of a rubric or checklist reveals the answer instead of describing how it is judged.
fn reveals(line: &str) -> bool {
    // Words after such a phrase in criteria that reveal nothing: `the answer is complete`, `the answer must say
    // which source was used`.
    const JUDGING: [&str; 34] = [
        "complete",
        "clear",
        "clearly",
        "correct",
        "well",
        "written",
        "supported",
        "structured",
        "relevant",
        "legible",
        "concise",
        "coherent",
        "logical",
        "in",
        "given",
        "based",
        "justified",
        "explained",
        "accurate",
        "precise",
        "at",
        "not",
        "too",
        "which",
        "what",
        "why",
        "how",
        "whether",
        "where",
        "who",
        "when",
        "readable",
        "original",
        "easy",
    ];
    let text = comparable_text(line).to_lowercase();
    let follows = |phrase: &str| {
        text.match_indices(phrase).find_map(|(at, _)| {
            let bounded = !text[..at].ends_with(char::is_alphanumeric);
            let rest = text[at + phrase.len()..].trim_start_matches([':', ' ', ',']);
            let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            (bounded && !JUDGING.contains(&word)).then(|| rest.split_whitespace().count())
        })
    };
    let told =
        REVEALING.iter().filter(|phrase| has_words(&text, phrase)).any(|phrase| follows(phrase).is_some());
    let long = text.split_whitespace().count() >= 5;
    let stated = STATING.iter().any(|phrase| follows(phrase).is_some_and(|words| words >= 4));
    (told && long) || stated || gives_result(&text)
}

/// Returns whether a line gives a number as the result: `x = 5`, `obtains 0.32`, `9.81 m/s^2 as the result`.
fn gives_result(text: &str) -> bool {
    const GIVING: [&str; 9] =
        ["obtain", "obtains", "result", "results", "gives", "solution", "equals", "ergebnis", "yields"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        !word.is_empty() && word.parse::<f64>().is_ok()
    };
    let equation = words.windows(3).any(|three| {
        three[1] == "="
            && three[0].chars().all(char::is_alphabetic)
            && three[0].chars().count() <= 3
            && number(three[2])
    });
    let decimal = |word: &&str| number(word) && word.trim_end_matches(['.', ',']).contains('.');
    let gives = words.iter().any(|word| GIVING.contains(&word.trim_matches(|c: char| !c.is_alphabetic())));
    equation || (gives && words.iter().any(decimal))
}

/// Applies the rules. Linear in the length of the lines.
pub(super) fn lint(spec: &FreeTextSpec, findings: &mut Findings) {
    let view = &spec.0;
    rules::who_grades(view, findings);
    let rubric: Vec<&str> = view.rubric.iter().flatten().map(|line| line.criterion.as_str()).collect();
    let checklist: Vec<&str> = view.self_assess_checklist.iter().flatten().map(String::as_str).collect();
    for (lines, pointer, field) in
        [(rubric, "/rubric", "/criterion"), (checklist, "/selfAssessChecklist", "")]
    {
        let mut seen = BTreeSet::new();
        let again = lines.iter().position(|line| {
            let text = comparable_text(line).to_lowercase();
            !text.is_empty() && !seen.insert(text)
        });
        if let Some(at) = again {
            findings.push(Finding::warning(
                "same-line-twice",
                format!("{pointer}/{at}{field}"),
                "an earlier line says the same, so it counts twice",
                "remove it",
            ));
        }
    }
    let revealing = view.rubric.iter().flatten().position(|line| {
        reveals(&line.criterion) || line.description.as_ref().is_some_and(|text| reveals(text))
    });
    let checked = view.self_assess_checklist.iter().flatten().position(|line| reveals(line));
    let place = revealing
        .map(|at| format!("/rubric/{at}"))
        .or_else(|| checked.map(|at| format!("/selfAssessChecklist/{at}")));
    if let Some(place) = place {
        findings.push(Finding::warning(
            "rubric-tells-answer",
            place,
            "the line says what the answer is, and learners can see it before they answer",
            "say what is judged, not what is right",
        ));
    }
    if let (Some(min), Some(max)) = (view.min_words, view.max_words)
        && min <= max
        && max > 3
        && max - min < (max / 20).max(2)
    {
        findings.push(Finding::warning(
            "no-room-for-words",
            "/maxWords",
            "the minimum and maximum number of words leave hardly any room between them",
            "widen the limits",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::reveals;

    #[test]
    fn answers_are_told_from_what_is_judged() {
        for line in [
            "The answer is that water expands when it freezes",
            "Must say that the treaty of Versailles humiliated Germany",
            "I wrote that the answer is oxygen and why",
            "States that mitochondria produce ATP by oxidative phosphorylation",
            "x = 5",
            "Gives 9.81 m/s^2 as the result",
            "Solution: use Bayes' rule to obtain 0.32",
        ] {
            assert!(reveals(line), "{line}");
        }
        for line in [
            "The answer is complete and written in full sentences",
            "The answer must say which source was used",
            "Names at least 2 causes",
            "Uses the assumption for n",
            "States the assumption of the induction",
            "Result with unit",
            "3 points if the result is right",
        ] {
            assert!(!reveals(line), "{line}");
        }
    }
}
