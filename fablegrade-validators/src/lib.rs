//! Standard validators for `widget` questions: short text, typed numbers, forms of expressions, weighted choices,
//! partial orders, and several blanks at once.
//!
//! ```
//! use fablegrade_core::{AnswerSpec, Grader, Submission};
//!
//! let spec = AnswerSpec::from_json(r#"{"type": "widget", "widgetName": "short-text", "widgetVersion": "1.0.0",
//!     "validator": {"kind": "builtin", "name": "short_text", "config": {
//!         "alternatives": [{"text": "photosynthesis"}, {"text": "assimilation", "weight": "1/2"}],
//!         "edits": {"limits": [{"from": 8, "edits": 1}]}}}}"#)?;
//! let grader = Grader::with_host(spec, &fablegrade_validators::standard())?;
//! let submission = Submission::from_json(r#"{"type": "widget", "state": {"text": " Fotosynthesis "}}"#)?;
//! assert_eq!(grader.grade(&submission).score, Some(0.0)); // two edits away
//! let submission = Submission::from_json(r#"{"type": "widget", "state": {"text": "Photosyntesis"}}"#)?;
//! assert_eq!(grader.grade(&submission).score, Some(1.0));
//! # Ok::<(), fablegrade_core::Error>(())
//! ```
//!
//! # The validators
//! | name | state | decides |
//! |---|---|---|
//! | [`short_text`] | `{"text": "..."}` | alternatives with weights, wildcards, patterns, misspellings |
//! | [`number_text`] | `{"text": "9.81 m/s^2"}` | the number as typed: digits, notation, unit conversion |
//! | [`form`] | `{"latex": "..."}` | an expression that is equal *and* factored, reduced, ... |
//! | [`choice_weights`] | `{"selected": ["a"]}` | exact fractions per option, negative marks |
//! | [`order_graph`] | `{"order": ["a", "b"]}` | orders that satisfy a partial order |
//! | [`blanks`] | `{"blanks": {"a": {"text": "..."}}}` | several of the above, weighted |
//!
//! Weights are exact: a number, or a fraction as text (`"1/3"`). The sizes of texts, patterns and configurations are
//! limited, and these sizes bound the time of every decision. [`schema`] returns the JSON Schema of each configuration
//! and state.
#![forbid(unsafe_code)]

pub mod blanks;
pub mod choice_weights;
mod fields;
pub mod foreign;
pub mod form;
pub mod number_text;
pub mod order_graph;
mod order_share;
mod preview;
pub mod registry;
mod schemas;
pub mod short_text;

use fablegrade_core::host::Sentence;
use fablegrade_core::json::{Document, Json, Path, Value};
use fablegrade_core::{Finding, Findings, Host, StateJudge, StateValidator};

pub use preview::{Preview, check_state};
pub use schemas::schema;

/// The names of the standard validators, sorted.
pub const NAMES: [&str; 6] = ["blanks", "choice_weights", "form", "number_text", "order_graph", "short_text"];

/// Returns a host with every standard validator.
pub fn standard() -> Host {
    with_standard(Host::new())
}

/// Adds every standard validator to a host, replacing validators with the same names.
#[must_use]
pub fn with_standard(host: Host) -> Host {
    let blanks = Standard { sentences: blanks::sentences(), compile: blanks::compile };
    NAMES.iter().fold(host.with_validator("blanks", blanks), |host, name| match compiler(name) {
        Some((compile, sentences)) => {
            host.with_validator(*name, Standard { sentences: sentences.to_vec(), compile })
        }
        None => host,
    })
}

/// Compiles a configuration, given with its path in the document.
type Compile = fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<Box<dyn StateJudge>>;

struct Standard {
    sentences: Vec<Sentence>,
    compile: Compile,
}

impl StateValidator for Standard {
    fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    fn compile(&self, config: Option<&Json>, findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
        let Some(config) = config else {
            findings.push(Finding::error(
                "missing-config",
                "",
                "this validator needs a configuration",
                "add `config` next to `name`",
            ));
            return None;
        };
        // The readers take text, so every document is read and rejected in the same way.
        let text = config.to_canonical();
        let document = Document::parse(text.as_bytes()).ok()?;
        (self.compile)(document.root(), &Path::Root, findings)
    }
}

/// Returns the compile function and the sentences of a validator that [`blanks`] can contain.
fn compiler(name: &str) -> Option<(Compile, &'static [Sentence])> {
    Some(match name {
        "choice_weights" => (choice_weights::compile, choice_weights::SENTENCES),
        "form" => (form::compile, form::SENTENCES),
        "number_text" => (number_text::compile, number_text::SENTENCES),
        "order_graph" => (order_graph::compile, order_graph::SENTENCES),
        "short_text" => (short_text::compile, short_text::SENTENCES),
        _ => return None,
    })
}
