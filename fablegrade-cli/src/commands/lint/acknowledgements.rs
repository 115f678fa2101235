//! Findings that an author has reviewed and accepts, each with a reason, in a file separate from the
//! questions.

use std::path::Path;

use fablegrade_core::json::{self, Document, Json, Object, Path as Place, Read, Value};
use fablegrade_core::{Error, Finding, Findings, Severity};

use crate::exit::Failure;
use crate::input;

/// An acknowledged finding.
struct Acknowledgement {
    file: String,
    rule: String,
    pointer: String,
    reason: String,
    used: bool,
}

impl Read for Acknowledgement {
    fn read(value: Value<'_>, at: &Place<'_>, findings: &mut Findings) -> Option<Self> {
        const SHAPE: &str =
            r#"{"file": "planets.json", "rule": "telling-id", "pointer": "/items", "reason": "..."}"#;
        let mut object = Object::open_as(value, at, findings, SHAPE)?;
        let file = object.required("file", json::string(1, 4_096));
        let rule = object.required("rule", json::string(1, 100));
        let pointer = object.required("pointer", json::string(0, 4_096));
        let reason = object.required("reason", json::string(1, 2_000));
        object.close();
        Some(Self { file: file?, rule: rule?, pointer: pointer?, reason: reason?, used: false })
    }
}

struct List(Vec<Acknowledgement>);

impl Read for List {
    fn read(value: Value<'_>, at: &Place<'_>, findings: &mut Findings) -> Option<Self> {
        json::list(0, 100_000, Acknowledgement::read)(value, at, findings).map(List)
    }
}

/// The acknowledged findings of all documents.
#[derive(Default)]
pub(super) struct Acknowledgements(Vec<Acknowledgement>);

impl Acknowledgements {
    /// Reads a JSON array of `{file, rule, pointer, reason}`.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let source = input::read(path)?;
        let list: Result<List, Error> =
            Document::parse(&source.bytes).and_then(|document| document.root().read_as());
        list.map(|list| Self(list.0)).map_err(|error| Failure::invalid(source.name, error))
    }

    /// Removes the acknowledged findings of a document from `findings`, and returns them with their reasons.
    ///
    /// `file` is the document's name, which is `FILE:LINE` for a line of a bank. An entry may give just the last
    /// components of the path. Errors are never removed, because a question with an error must be corrected.
    pub(super) fn take(&mut self, file: &str, findings: &mut Vec<Finding>) -> Vec<(Finding, String)> {
        let mut taken = Vec::new();
        findings.retain(|finding| {
            let found = self.0.iter_mut().find(|one| {
                Path::new(file).ends_with(&one.file)
                    && one.rule == finding.rule
                    && one.pointer == finding.pointer
                    && finding.severity != Severity::Error
            });
            let Some(one) = found else { return true };
            one.used = true;
            taken.push((finding.clone(), one.reason.clone()));
            false
        });
        taken
    }

    /// Returns a message per entry that matched no finding: its question was changed, or the entry is
    /// misspelled.
    pub(super) fn unused(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|one| !one.used).map(|one| {
            format!(
                "no warning or remark `{}` at `{}` of {}: remove the entry, or correct it",
                one.rule, one.pointer, one.file
            )
        })
    }
}

/// Returns an acknowledged finding, with its reason, as JSON.
pub(super) fn to_json((finding, reason): &(Finding, String)) -> Json {
    let Json::Object(mut fields) = finding.to_json() else { return Json::Null };
    fields.push(("reason".into(), reason.as_str().into()));
    Json::object(fields)
}
