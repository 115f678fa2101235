//! `widget`: the state of an interactive widget. A widget's own claim that its state is correct is ignored.

use super::Refusal;
use crate::document::{object, optional, required, shaped, with_type};
use crate::finding::{Finding, Findings};
use crate::json::{self, Json, Path, Value};

crate::document! {
    /// A widget question without its validator.
    pub struct WidgetView {
        /// Name of the widget: lower-case words with hyphens, at most 80 characters.
        pub widget_name: String =
            required("widgetName", shaped("^[a-z0-9]+(?:-[a-z0-9]+)*$", widget_name).at_most(80));
        /// Version of the widget, such as `1.2.3`.
        pub widget_version: String = required("widgetVersion", shaped("^\\d+\\.\\d+\\.\\d+$", widget_version));
        /// Parameters of the widget: a JSON object.
        pub params: Option<Json> = optional("params", object());
    }
}

crate::document! {
    /// The widget's state.
    pub struct WidgetSubmission {
        /// The state: a JSON object.
        pub state: Json = required("state", object());
    }
}

/// The maximum size of a state, in bytes of compact JSON.
pub const MAX_STATE_BYTES: usize = 32_768;

fn widget_name(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let text = json::string(0, usize::MAX)(value, at, findings)?;
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    if text.split('-').all(word) {
        return Some(text);
    }
    findings.push(Finding::error(
        "widget-name-form",
        at.pointer(),
        "a widget's name is made of lower-case words and digits joined by single hyphens",
        "choose a name like `number-line`",
    ));
    None
}

fn widget_version(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    let text = json::string(0, usize::MAX)(value, at, findings)?;
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if text.split('.').count() == 3 && text.split('.').all(number) {
        return Some(text);
    }
    findings.push(Finding::error(
        "widget-version-form",
        at.pointer(),
        "a widget's version is three numbers with dots",
        "write it like 1.0.0",
    ));
    None
}

impl WidgetView {
    pub(crate) const KEYS: &[&str] = &["validator"];

    /// Checks that the state is small enough.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &WidgetSubmission) -> Result<(), Refusal> {
        let size = submission.state.to_canonical().len();
        if size > MAX_STATE_BYTES {
            let message =
                format!("The widget's state has {size} bytes; at most {MAX_STATE_BYTES} can be graded.");
            return Err(Refusal::new("state-too-large", message).at("/state"));
        }
        Ok(())
    }
}

impl WidgetSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        with_type("widget", self).write(out);
    }
}
