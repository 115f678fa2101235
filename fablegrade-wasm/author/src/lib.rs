//! The npm package `fablegrade-author`, for the author's own page, which has the key anyway.
//!
//! It has `deliver`, `lint`, `grade`, `checkState` for the standard validators of widgets, and
//! `registerValidator` for validators that are functions of the page.
//!
//! Each function takes JSON texts and returns a JSON text: `{"ok":true, ...}` or
//! `{"ok":false,"errors":[{"rule","document","pointer","message","help"}]}`.
//!
//! ```
//! let spec = r#"{"type":"numeric","answer":{"value":42},"inputHint":"an integer"}"#;
//! assert_eq!(
//!     fablegrade_wasm_author::deliver(spec, "learner 7"),
//!     r#"{"json":"{\"inputHint\":\"an integer\",\"integerOnly\":false,\"type\":\"numeric\"}","ok":true}"#
//! );
//! ```

mod callbacks;

use fablegrade_core::json::{Json, ObjectBuilder};
use fablegrade_core::request::Documents;
use fablegrade_core::{AnswerSpec, Error, Finding, Locale, Severity, messages};
use fablegrade_validators::registry::host;
use wasm_bindgen::prelude::wasm_bindgen;

pub use callbacks::register_validator;

/// Describes the build: `{"version","gradingSemantics","locales","validators"}`. Store the version of the
/// grading semantics with results; it is raised whenever a verdict or a score can change.
#[wasm_bindgen]
pub fn about() -> String {
    Json::build()
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("gradingSemantics", fablegrade_core::GRADING_SEMANTICS_VERSION)
        .with("locales", Json::array(Locale::WORDS.iter().map(|(word, _)| *word)))
        .with("validators", Json::array(fablegrade_validators::NAMES))
        .build()
        .to_canonical()
}

/// Returns the view that a learner gets, shuffled by `seed`, as canonical JSON: `{"ok":true,"json":"..."}`.
#[wasm_bindgen]
pub fn deliver(spec: &str, seed: &str) -> String {
    match AnswerSpec::from_json(spec) {
        Ok(spec) => {
            let view = fablegrade_core::deliver(&spec, seed);
            Json::build().with("ok", true).with("json", view.to_json()).build().to_canonical()
        }
        Err(error) => refused(&error, "spec"),
    }
}

/// Grades an answer as a server would, to test a question: `{"ok":true,"json":"..."}` with the result as
/// canonical JSON.
///
/// Give either `submission` or `attempt`. The other argument, `outcomes` and `context` can be empty texts.
///
/// ```
/// let spec = r#"{"type":"numeric","answer":{"value":42}}"#;
/// let reply = fablegrade_wasm_author::grade(spec, r#"{"type":"numeric","value":42}"#, "", "", "");
/// assert!(reply.contains(r#"\"verdict\":\"correct\""#), "{reply}");
/// ```
#[wasm_bindgen]
pub fn grade(spec: &str, submission: &str, attempt: &str, outcomes: &str, context: &str) -> String {
    let text = |document| Some(str::as_bytes(document)).filter(|text| !text.is_empty());
    let documents = Documents {
        submission: text(submission),
        attempt: text(attempt),
        outcomes: text(outcomes),
        context: text(context),
    };
    match documents.grade(spec, &host()) {
        Ok(result) => Json::build().with("ok", true).with("json", result.to_json()).build().to_canonical(),
        Err(error) => failed(error.findings().iter().map(|finding| {
            let (document, pointer) = placed(&finding.pointer);
            entry(finding).with("document", document).with("pointer", pointer).build()
        })),
    }
}

/// Returns the document to which a request's pointer belongs, and the pointer into that document.
fn placed(pointer: &str) -> (&'static str, &str) {
    for document in ["spec", "submission", "attempt", "outcomes", "context"] {
        let inside = pointer.strip_prefix('/').and_then(|path| path.strip_prefix(document));
        if let Some(inside) = inside.filter(|inside| inside.is_empty() || inside.starts_with('/')) {
            return (document, inside);
        }
    }
    // The pointer is empty if the finding is about the request as a whole.
    (if pointer.is_empty() { "arguments" } else { "outcomes" }, pointer)
}

fn failed(errors: impl Iterator<Item = Json>) -> String {
    Json::build().with("ok", false).with("errors", Json::array(errors)).build().to_canonical()
}

/// Returns the errors about one document.
fn refused(error: &Error, document: &str) -> String {
    let errors = error.findings().iter().filter(|finding| finding.severity == Severity::Error);
    failed(errors.map(|finding| entry(finding).with("document", document).build()))
}

/// Returns the defects of a spec, the most severe first: `{"ok":true,"findings":[...]}`. If the text is not a spec, the
/// findings are its errors.
#[wasm_bindgen]
pub fn lint(spec: &str) -> String {
    let findings = fablegrade_core::lint_json_knowing(spec, &host());
    let findings =
        findings.iter().map(|finding| entry(finding).with("severity", finding.severity.as_str()).build());
    Json::build().with("ok", true).with("findings", Json::array(findings)).build().to_canonical()
}

/// Checks whether a standard validator can read a state, without its key.
///
/// Returns `{"ok":true}`; if the state cannot be read, its field `said` (`{code, text, blank?}`) is the
/// message to the learner in the language of `locale` (empty for English). `params` are the public parameters
/// of the widget, or empty.
///
/// ```
/// let said = fablegrade_wasm_author::check_state("number_text", r#"{"decimal":","}"#, r#"{"text":"1.5"}"#, "");
/// assert!(said.contains("Check the decimal sign"));
/// assert_eq!(fablegrade_wasm_author::check_state("number_text", "", r#"{"text":"1.5 m"}"#, ""), r#"{"ok":true}"#);
/// ```
#[wasm_bindgen(js_name = checkState)]
pub fn check_state(validator: &str, params: &str, state: &str, locale: &str) -> String {
    let locale = match locale {
        "" => Locale::En,
        tag => match Locale::from_tag(tag) {
            Some(locale) => locale,
            None => {
                let finding = Finding::error(
                    "unknown-locale",
                    "/locale",
                    "there are no messages in this language",
                    "use `en` or `de`, or leave it out and translate by code",
                );
                return failed(std::iter::once(entry(&finding).with("document", "arguments").build()));
            }
        },
    };
    let params = match params {
        "" => None,
        text => match Json::parse(text.as_bytes()) {
            Ok(params) => Some(params),
            Err(error) => return refused(&error, "params"),
        },
    };
    let state = match Json::parse(state.as_bytes()) {
        Ok(state) => state,
        Err(error) => return refused(&error, "state"),
    };
    let said = fablegrade_validators::check_state(validator, params.as_ref(), &state).err().map(|said| {
        let text = messages::translate(said.text, locale);
        Json::build().with("code", said.code).with("text", text).with_some("blank", said.blank).build()
    });
    Json::build().with("ok", true).with_some("said", said).build().to_canonical()
}

fn entry(finding: &Finding) -> ObjectBuilder {
    Json::build()
        .with("rule", finding.rule)
        .with("pointer", finding.pointer.as_str())
        .with("message", finding.message.as_str())
        .with("help", finding.help.as_str())
}
