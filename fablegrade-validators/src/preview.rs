//! Checks of a state's form without the key, for messages while the learner types.

use fablegrade_core::host::Sentence;
use fablegrade_core::json::Json;

use crate::{blanks, choice_weights, form, number_text, order_graph, short_text};

/// A defect in the form of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// The code of the sentence.
    pub code: &'static str,
    /// The sentence for the learner, the same as from grading.
    pub text: &'static str,
    /// The id of the defective blank; `None` outside of `blanks`.
    pub blank: Option<String>,
}

/// Checks that a state of a standard validator is readable, using only public data.
///
/// `params` are the public parameters of the widget: `decimal` and `grouping` determine how numbers are typed. For
/// `blanks`, `params.blanks` maps the id of each blank to its `validator` and `params`.
///
/// # Errors
/// The first defect that the learner should correct. Unknown validators and empty blanks have none.
pub fn check_state(validator: &str, params: Option<&Json>, state: &Json) -> Result<(), Preview> {
    let said = |sentences: &'static [Sentence], code: &'static str| {
        let sentence = sentences.iter().find(|sentence| sentence.code == code);
        let text = sentence.map_or("", |sentence| match &sentence.text {
            std::borrow::Cow::Borrowed(text) => *text,
            std::borrow::Cow::Owned(_) => "",
        });
        Preview { code, text, blank: None }
    };
    let text = |field: &str, sentences: &'static [Sentence]| match state.get(field).and_then(Json::as_str) {
        None => Err(said(sentences, "no-text")),
        Some(text) if text.chars().count() > crate::fields::MAX_TEXT => Err(said(sentences, "text-too-long")),
        Some(text) => Ok(text),
    };
    match validator {
        "short_text" => text("text", short_text::SENTENCES).map(drop),
        "number_text" => number_text::check_form(text("text", number_text::SENTENCES)?, params)
            .map_err(|code| said(number_text::SENTENCES, code)),
        "form" => {
            form::check_form(text("latex", form::SENTENCES)?).map_err(|code| said(form::SENTENCES, code))
        }
        "choice_weights" => match crate::fields::chosen(state, "selected") {
            Some(_) => Ok(()),
            None => Err(said(choice_weights::SENTENCES, "unknown-option")),
        },
        "order_graph" => match crate::fields::chosen(state, "order") {
            Some(_) => Ok(()),
            None => Err(said(order_graph::SENTENCES, "unknown-item")),
        },
        "blanks" => {
            let wanted = params.and_then(|params| params.get("blanks")).and_then(Json::as_object);
            for (id, blank) in wanted.unwrap_or_default() {
                let inner = blank.get("validator").and_then(Json::as_str).filter(|inner| *inner != "blanks");
                let (Some(inner), Some(given)) = (inner, state.get("blanks").and_then(|given| given.get(id)))
                else {
                    continue;
                };
                let field = if inner == "form" { "latex" } else { "text" };
                let Some(given) = blanks::state(field, Some(given)) else { continue };
                check_state(inner, blank.get("params"), &given)
                    .map_err(|preview| Preview { blank: Some(id.to_string()), ..preview })?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
