//! Fablegrade in a learner's browser: the npm package `fablegrade-preview`.
//!
//! This crate works only on public data: a [`DeliveryView`](fablegrade_public::DeliveryView), a submission,
//! the outcomes of public cases, a formula. It does not depend on `fablegrade-core`, which has the types with
//! keys, and it refuses a document that contains a key.
//!
//! Each function takes JSON texts and returns a JSON text: `{"ok":true, ...}` or
//! `{"ok":false,"errors":[{"rule","document","pointer","message","code"?,"params"?,"help"?,"span"?,"expected"?}]}`.
//! The JavaScript in `package/` converts these to objects. Spans count UTF-16 code units, as JavaScript does.
//!
//! ```
//! let view = r#"{"type":"free_text","gradingMode":"reviewer","minWords":3}"#;
//! let submission = r#"{"type":"free_text","content":"two words"}"#;
//! assert_eq!(
//!     fablegrade_wasm::validate(view, submission, ""),
//!     r#"{"errors":[{"code":"too-few-words","document":"submission","message":"Minimum number of words: 3; yours: 2.","params":{"min":"3","words":"2"},"pointer":"/content","rule":"too-few-words"}],"ok":false}"#
//! );
//! let spec = r#"{"type":"numeric","answer":{"value":42}}"#;
//! assert!(fablegrade_wasm::read("DeliveryView", spec).contains("key-in-view"));
//! ```

mod cases;
mod documents;
mod formula;
mod reply;

use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Describes the build: `{"version","gradingSemantics","locales"}`. The locales are the languages of
/// messages. The version of the grading semantics is raised whenever a verdict or a score can change.
///
/// ```
/// let build = r#"{"gradingSemantics":1,"locales":["en","de"],"version":"0.1.0"}"#;
/// assert_eq!(fablegrade_wasm::about(), build);
/// ```
#[wasm_bindgen]
pub fn about() -> String {
    let locales = fablegrade_public::Locale::WORDS.iter().map(|(word, _)| *word);
    let locales = fablegrade_public::json::Json::array(locales);
    let build = fablegrade_public::json::Json::build()
        .with("version", version())
        .with("gradingSemantics", fablegrade_public::GRADING_SEMANTICS_VERSION)
        .with("locales", locales);
    build.build().to_canonical()
}

/// Reads a document of one kind (`DeliveryView`, `Submission` or `AttemptResult`) and returns it as canonical
/// JSON: `{"ok":true,"json":"..."}`. Linear in the document's size.
#[wasm_bindgen]
pub fn read(kind: &str, document: &str) -> String {
    documents::read(kind, document).into_text()
}

/// Checks whether a submission can be graded for a view: `{"ok":true,"json":"<the submission, canonical>"}`.
/// Messages are in the language of `locale`, a tag such as `de`; an empty tag means English.
#[wasm_bindgen]
pub fn validate(view: &str, submission: &str, locale: &str) -> String {
    documents::validate(view, submission, locale).into_text()
}

/// Returns remarks on a submission before it is sent:
/// `{"ok":true,"remarks":[{"code","pointer","message","params","ids"?}]}`.
///
/// They use only the view and never prevent sending. If the submission cannot be graded, returns the errors
/// of [`validate`].
///
/// ```
/// let view = r#"{"type":"numeric","integerOnly":true}"#;
/// let reply = fablegrade_wasm::completeness(view, r#"{"type":"numeric","value":1.5}"#, "de");
/// assert!(reply.contains("Die Antwort muss eine ganze Zahl sein."), "{reply}");
/// ```
#[wasm_bindgen]
pub fn completeness(view: &str, submission: &str, locale: &str) -> String {
    documents::check_completeness(view, submission, locale).into_text()
}

/// Returns a result with the messages of graders in the language of `locale`: `{"ok":true,"json":"..."}`. An author's
/// texts stay unchanged.
#[wasm_bindgen]
pub fn translate(result: &str, locale: &str) -> String {
    documents::translate(result, locale).into_text()
}

/// Returns the defects of a question that are visible in its view: `{"ok":true,"findings":[...]}`.
#[wasm_bindgen(js_name = lintView)]
pub fn lint_view(view: &str) -> String {
    documents::lint(view).into_text()
}

/// Returns the number of words in content, counted as graders do: `{"ok":true,"words":3,"math":false}`.
#[wasm_bindgen(js_name = countWords)]
pub fn count_words(content: &str) -> String {
    documents::count_words(content).into_text()
}

/// Returns the reading of a formula.
///
/// The reply is `{"ok":true,"latex":"...","notes":[...],"symbols":[...],"functions":[...],"calls":[...],
/// "warnings":[...]}`. `options` is a JSON object, `view` an expression view or empty.
#[wasm_bindgen]
pub fn understand(latex: &str, options: &str, view: &str, locale: &str) -> String {
    formula::understand(latex, options, view, locale).into_text()
}

/// Judges the public cases of a code view by their outcomes:
/// `{"ok":true,"cases":[...],"passed","total","earned","points"}`.
#[wasm_bindgen(js_name = previewCases)]
pub fn preview_cases(view: &str, outcomes: &str) -> String {
    cases::preview(view, outcomes).into_text()
}

/// Compares an output with the expected output: `{"ok":true,"accept":true,...}`. `tolerance` is a number as
/// text, or empty.
#[wasm_bindgen(js_name = matchOutput)]
pub fn match_output(matcher: &str, expected: &[u8], actual: &[u8], tolerance: &str) -> String {
    cases::compare(matcher, expected, actual, tolerance).into_text()
}
