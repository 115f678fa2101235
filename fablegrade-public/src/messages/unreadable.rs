//! Messages to learners about documents that cannot be read as submissions.

use crate::finding::Finding;
use crate::view::QuestionType;

/// Returns the message to the learner about a submission that cannot be read.
///
/// Returns `None` for other mistakes, such as an unknown field, which only the host can have made.
///
/// ```
/// use fablegrade_public::messages::for_learner;
/// use fablegrade_public::{QuestionType, Submission};
///
/// let error = Submission::from_json(r#"{"type":"multiple_choice","selectedChoiceIds":[]}"#).unwrap_err();
/// let told = for_learner(QuestionType::MultipleChoice, &error.findings()[0]);
/// assert_eq!(told, Some("Select at least one choice."));
/// ```
pub fn for_learner(question: QuestionType, finding: &Finding) -> Option<&'static str> {
    let (field, below) = match finding.pointer.strip_prefix('/') {
        Some(path) => path.split_once('/').map_or((path, false), |(field, _)| (field, true)),
        None => ("", false),
    };
    let absent = finding.rule == "missing-field";
    // A text with a wrong length is empty or too long.
    let empty = finding.rule == "text-length" && finding.message.starts_with("the text has 0 ");
    // A missing field has no pointer, so its name is taken from the message.
    let field = if absent && field.is_empty() {
        finding.message.split('`').nth(1).unwrap_or_default()
    } else {
        field
    };
    if finding.rule == "too-large" {
        return Some("The answer is too large.");
    }
    match (question, field) {
        (QuestionType::MultipleChoice, "selectedChoiceIds") => match finding.rule {
            "duplicate-element" => Some("Select each choice once only."),
            "list-length" if finding.message.contains("at most") => {
                Some("A selected choice is not part of this question.")
            }
            "list-length" | "missing-field" => Some("Select at least one choice."),
            "wrong-type" if !below => Some("Select at least one choice."),
            _ => None,
        },
        (QuestionType::Numeric, "value") => match finding.rule {
            "number-range" | "number-too-long" => Some("The number is too large or too long."),
            _ => Some("Enter a number, with a point as the decimal sign, such as 3.5."),
        },
        (QuestionType::Numeric, "unit") if finding.rule == "text-length" => {
            Some("A unit has at most 30 characters.")
        }
        (QuestionType::Expression, "latex") => match finding.rule {
            "text-length" if !empty => Some("A formula has at most 2,000 characters."),
            _ => Some("Enter a formula."),
        },
        (QuestionType::FreeText, "content") if matches!(finding.rule, "content-size" | "content-depth") => {
            Some("The answer is too large.")
        }
        (QuestionType::FreeText, "content") if absent || finding.rule == "wrong-type" => {
            Some("Enter a text.")
        }
        (QuestionType::FreeText, "selfAssessment") if finding.rule == "list-length" => {
            Some("There are more checks than lines in the checklist.")
        }
        (QuestionType::Code, "language") => Some("Choose one of the languages on offer."),
        (QuestionType::Code, "source") => match finding.rule {
            "missing-field" => Some("There is no program yet."),
            "text-length" if empty => Some("There is no program yet."),
            "text-length" => Some("The answer is too large."),
            _ => None,
        },
        (QuestionType::Ordering, "order") => match finding.rule {
            "duplicate-element" | "list-length" | "missing-field" => {
                Some("Put every item into the order exactly once.")
            }
            _ => None,
        },
        (QuestionType::Matching, "pairs") if !below => match finding.rule {
            "list-length" if !finding.message.contains("at most") => Some("Match at least one pair."),
            "missing-field" => Some("Match at least one pair."),
            "list-length" => Some("There are more pairs than items."),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{Locale, recognise, translate};
    use crate::view::Submission;

    #[test]
    fn empty_and_too_large_answers_have_messages_in_every_language() {
        let empty = "There is no program yet.";
        let large = "The answer is too large.";
        let program = |source: &str| format!(r#"{{"type":"code","language":"python","source":"{source}"}}"#);
        let text = |content: &str| format!(r#"{{"type":"free_text","content":{content}}}"#);
        for (question, submission, told) in [
            (QuestionType::Code, r#"{"type":"code","language":"python"}"#.to_owned(), empty),
            (QuestionType::Code, program(""), empty),
            (QuestionType::Code, program(&"x".repeat(262_145)), large),
            (QuestionType::FreeText, text(&format!("\"{}\"", "x".repeat(2_000_000))), large),
            (QuestionType::FreeText, text(&format!("{}{}", "[".repeat(100), "]".repeat(100))), large),
        ] {
            let error = Submission::from_json(&submission).unwrap_err();
            let message = for_learner(question, &error.findings()[0]);
            assert_eq!(message, Some(told), "{:?}", error.findings()[0]);
            assert!(recognise(told).is_some() && translate(told, Locale::De) != told);
        }
    }
}
