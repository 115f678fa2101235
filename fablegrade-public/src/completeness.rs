//! Remarks on a submission before it is sent. They use only the delivery view and never prevent sending.

use crate::view::expression::{ExpressionView, function_not_allowed, symbol_not_listed};
use crate::view::free_text::GradingMode;
use crate::view::{DeliveryView, Submission};

/// A remark about a submission, which can still be sent unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The code of the message, in kebab case.
    pub code: &'static str,
    /// A JSON pointer into the submission.
    pub pointer: &'static str,
    /// A sentence for the learner.
    pub message: String,
    /// The ids of the items that the remark is about.
    pub ids: Vec<String>,
}

impl Remark {
    fn new(code: &'static str, pointer: &'static str, message: impl Into<String>) -> Self {
        Self { code, pointer, message: message.into(), ids: Vec::new() }
    }
}

/// Returns remarks about omissions and likely mistakes in a submission.
///
/// The key is not available here, so the absence of remarks does not mean that the answer is correct.
/// [`of_formula`] returns further remarks about a parsed formula.
///
/// ```
/// use fablegrade_public::{DeliveryView, Submission, completeness};
///
/// let view = DeliveryView::from_json(r#"{"type":"numeric","unit":{"expected":"m","required":true}}"#)?;
/// let submission = Submission::from_json(r#"{"type":"numeric","value":5}"#)?;
/// assert_eq!(completeness::of(&view, &submission)[0].code, "unit-missing");
/// # Ok::<(), fablegrade_public::Error>(())
/// ```
pub fn of(view: &DeliveryView, submission: &Submission) -> Vec<Remark> {
    let mut remarks = Vec::new();
    match (view, submission) {
        (DeliveryView::Numeric(view), Submission::Numeric(sent)) => {
            let given = sent.unit.as_deref().is_some_and(|unit| !unit.trim().is_empty());
            match &view.unit {
                Some(unit) if unit.required && !given => {
                    let message = "Give the unit together with the number.";
                    remarks.push(Remark::new("unit-missing", "/unit", message));
                }
                None if given => {
                    remarks.push(Remark::new("unit-not-asked", "/unit", "No unit is asked for."))
                }
                _ => {}
            }
            if view.integer_only && !sent.value.is_integer() {
                remarks.push(Remark::new("not-an-integer", "/value", "The answer must be an integer."));
            }
        }
        (DeliveryView::Matching(view), Submission::Matching(sent)) => {
            let alone = view.left.iter().filter(|item| sent.pairs.iter().all(|pair| pair.left != item.id));
            let ids: Vec<String> = alone.map(|item| item.id.as_str().to_owned()).collect();
            if !ids.is_empty() {
                let message = format!("Items without a partner: {}.", ids.len());
                remarks.push(Remark { ids, ..Remark::new("items-unmatched", "/pairs", message) });
            }
        }
        (DeliveryView::FreeText(view), Submission::FreeText(sent)) => {
            if sent.content.count_words() == 0 && !sent.content.has_math() {
                remarks.push(Remark::new("text-empty", "/content", "There is no text yet."));
            }
            let lines = view.self_assess_checklist.as_ref().map_or(0, Vec::len);
            let answered = sent.self_assessment.as_ref().map_or(0, Vec::len);
            if view.grading_mode == GradingMode::SelfAssess && answered < lines {
                let message = format!("Lines of the checklist without an answer: {}.", lines - answered);
                remarks.push(Remark::new("checks-missing", "/selfAssessment", message));
            }
        }
        (DeliveryView::Code(view), Submission::Code(sent)) => {
            let mut starters = view.starter_code.iter().flatten();
            let starter = starters.find(|(language, _)| *language == sent.language).map(|(_, source)| source);
            if sent.source.trim().is_empty() {
                remarks.push(Remark::new("source-empty", "/source", "There is no program yet."));
            } else if starter.is_some_and(|starter| starter.trim() == sent.source.trim()) {
                let message = "The program is still the one that was given.";
                remarks.push(Remark::new("starter-unchanged", "/source", message));
            }
        }
        _ => {}
    }
    remarks
}

/// Returns remarks about a parsed formula.
///
/// `symbols` are those that the question does not list, and `functions` those that it does not allow. A
/// formula without variables gets a remark if the question lists variables and forbids constant answers.
pub fn of_formula<'a>(
    view: &ExpressionView,
    symbols: impl Iterator<Item = &'a str>,
    functions: impl Iterator<Item = &'a str>,
    has_variable: bool,
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    remarks
        .extend(symbols.map(|symbol| Remark::new("symbol-not-listed", "/latex", symbol_not_listed(symbol))));
    remarks.extend(
        functions.map(|name| Remark::new("function-not-allowed", "/latex", function_not_allowed(name))),
    );
    let listed = view.variables.as_ref().is_some_and(|variables| !variables.is_empty());
    if view.forbid_constant_answer && listed && !has_variable {
        remarks.push(Remark::new("constant-answer", "/latex", "The answer has no variable."));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::{Locale, recognise, translate};

    fn codes(view: &str, submission: &str) -> Vec<&'static str> {
        let (view, submission) =
            (DeliveryView::from_json(view).unwrap(), Submission::from_json(submission).unwrap());
        let remarks = of(&view, &submission);
        for remark in &remarks {
            assert_eq!(recognise(&remark.message).unwrap().code, remark.code);
            assert_ne!(translate(&remark.message, Locale::De), remark.message);
        }
        remarks.into_iter().map(|remark| remark.code).collect()
    }

    #[test]
    fn what_is_left_out_is_remarked() {
        let metres = r#"{"type":"numeric","integerOnly":true,"unit":{"expected":"m","required":true}}"#;
        assert_eq!(codes(metres, r#"{"type":"numeric","value":1.5}"#), ["unit-missing", "not-an-integer"]);
        assert!(codes(metres, r#"{"type":"numeric","value":2.0,"unit":"km"}"#).is_empty());
        assert_eq!(
            codes(r#"{"type":"numeric"}"#, r#"{"type":"numeric","value":2,"unit":"m"}"#),
            ["unit-not-asked"]
        );
        let text = r#"{"type":"free_text","gradingMode":"self_assess","selfAssessChecklist":["a","b"]}"#;
        assert_eq!(
            codes(text, r#"{"type":"free_text","content":" ","selfAssessment":[true]}"#),
            ["text-empty", "checks-missing"]
        );
        assert!(
            codes(text, r#"{"type":"free_text","content":"a b","selfAssessment":[false,true]}"#).is_empty()
        );
        let code = r#"{"type":"code","languages":["c"],"limits":{},"starterCode":{"c":"int main;"},"testSuites":[{"name":"s","visibility":"hidden"}]}"#;
        assert_eq!(
            codes(code, r#"{"type":"code","language":"c","source":" int main; "}"#),
            ["starter-unchanged"]
        );
    }

    #[test]
    fn items_without_a_partner_are_named() {
        let view = DeliveryView::from_json(
            r#"{"type":"matching","left":[{"id":"a","content":"1"},{"id":"b","content":"2"}],
                "right":[{"id":"x","content":"1"},{"id":"y","content":"2"}]}"#,
        )
        .unwrap();
        let sent =
            Submission::from_json(r#"{"type":"matching","pairs":[{"left":"b","right":"x"}]}"#).unwrap();
        assert_eq!(of(&view, &sent)[0].ids, ["a"]);
    }
}
