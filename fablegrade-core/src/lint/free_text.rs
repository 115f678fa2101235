//! Rules for `free_text`.

use std::collections::BTreeSet;

use fablegrade_public::content::comparable_text;
use fablegrade_public::view::rules;
use fablegrade_public::{Finding, Findings};

use super::position_words::has_words;
use crate::answer::free_text::FreeTextSpec;

/// Phrases after which a rubric says what the answer is.
const REVEALING: [&str; 18] = [
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
    "acceptable answers",
    "answer key",
    "die antwort ist",
    "richtige antwort",
    "musterlösung",
    "lösung ist",
    "bonne réponse",
    "respuesta correcta",
];

/// The rules. Linear in the lines.
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
    let reveals = |text: &str| {
        let text = comparable_text(text).to_lowercase();
        REVEALING.iter().any(|phrase| has_words(&text, phrase)) && text.split_whitespace().count() >= 6
    };
    let revealing = view.rubric.iter().flatten().position(|line| {
        reveals(&line.criterion) || line.description.as_ref().is_some_and(|text| reveals(text))
    });
    if let Some(at) = revealing {
        findings.push(Finding::warning(
            "rubric-tells-answer",
            format!("/rubric/{at}"),
            "the rubric says what the answer is, and learners can see the rubric",
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
            "least and greatest number of words leave hardly any length between them",
            "widen the limits",
        ));
    }
}
