//! For the author's own page, which has the key anyway: the npm package `fablegrade-author`. `deliver`, `lint`, and
//! `checkState` for the standard validators of widgets; it cannot grade.
//!
//! All take JSON texts and give a JSON text: `{"ok":true, ...}` or
//! `{"ok":false,"errors":[{"rule","document","pointer","message","help"}]}`.
//!
//! ```
//! let spec = r#"{"type":"numeric","answer":{"value":42},"inputHint":"an integer"}"#;
//! assert_eq!(
//!     fablegrade_wasm_author::deliver(spec, "learner 7"),
//!     r#"{"json":"{\"inputHint\":\"an integer\",\"integerOnly\":false,\"type\":\"numeric\"}","ok":true}"#
//! );
//! ```

use fablegrade_core::json::{Json, ObjectBuilder};
use fablegrade_core::{AnswerSpec, Finding, Severity};
use wasm_bindgen::prelude::wasm_bindgen;

/// The view that a learner gets, shuffled under `seed`, as canonical JSON: `{"ok":true,"json":"..."}`.
#[wasm_bindgen]
pub fn deliver(spec: &str, seed: &str) -> String {
    match AnswerSpec::from_json(spec) {
        Ok(spec) => {
            let view = fablegrade_core::deliver(&spec, seed);
            Json::build().with("ok", true).with("json", view.to_json()).build().to_canonical()
        }
        Err(error) => {
            let errors = error.findings().iter().filter(|finding| finding.severity == Severity::Error);
            let errors = errors.map(|finding| entry(finding).with("document", "spec").build());
            Json::build().with("ok", false).with("errors", Json::array(errors)).build().to_canonical()
        }
    }
}

/// What is wrong with a spec, the most severe first: `{"ok":true,"findings":[...]}`. A text that is no spec has findings
/// too.
#[wasm_bindgen]
pub fn lint(spec: &str) -> String {
    let findings = fablegrade_core::lint_json_knowing(spec, &fablegrade_validators::standard());
    let findings =
        findings.iter().map(|finding| entry(finding).with("severity", finding.severity.as_str()).build());
    Json::build().with("ok", true).with("findings", Json::array(findings)).build().to_canonical()
}

/// Whether a state of a standard validator can be read, without its key: `{"ok":true}`, or with `said` (`{code, text,
/// blank?}`) what the learner would be told. `params` are the public parameters of the widget, an empty text for none.
///
/// ```
/// let said = fablegrade_wasm_author::check_state("number_text", r#"{"decimal":","}"#, r#"{"text":"1.5"}"#);
/// assert!(said.contains("Check the decimal sign"));
/// assert_eq!(fablegrade_wasm_author::check_state("number_text", "", r#"{"text":"1.5 m"}"#), r#"{"ok":true}"#);
/// ```
#[wasm_bindgen(js_name = checkState)]
pub fn check_state(validator: &str, params: &str, state: &str) -> String {
    let failed = |document: &str, error: &fablegrade_core::Error| {
        let errors = error.findings().iter().map(|finding| entry(finding).with("document", document).build());
        Json::build().with("ok", false).with("errors", Json::array(errors)).build().to_canonical()
    };
    let params = match params {
        "" => None,
        text => match Json::parse(text.as_bytes()) {
            Ok(params) => Some(params),
            Err(error) => return failed("params", &error),
        },
    };
    let state = match Json::parse(state.as_bytes()) {
        Ok(state) => state,
        Err(error) => return failed("state", &error),
    };
    let said = fablegrade_validators::check_state(validator, params.as_ref(), &state).err().map(|said| {
        Json::build().with("code", said.code).with("text", said.text).with_some("blank", said.blank).build()
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
