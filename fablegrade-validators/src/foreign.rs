//! Validators in another language or process, called with JSON texts.
//!
//! A [`Foreign`] validator is called once to check a configuration, and once per state:
//!
//! | request | answer |
//! |---|---|
//! | `{"config": ...}` | `{"findings": [{"pointer": "/x", "code": "...", "severity"?: "warning"}]}`, or `{}` |
//! | `{"config": ..., "state": ...}` | `{"score": 0.5, "messages"?: [...], "steps"?: [{"code": "...", ...}]}`, or `{"unreadable": "code"}`, or `{"failed": "reason for the author"}` |
//!
//! A score is a number or a fraction as text. A message is the code of a declared sentence, or
//! `{"configured": pointer}` for a field `message` of the configuration. Any other answer about a state gives the
//! verdict `error`; any other answer about a configuration is an error of the configuration.

use std::sync::Arc;

use fablegrade_core::host::{Judgement, Message, Sentence, Steps, Unjudged};
use fablegrade_core::json::{self, Document, Json, Object, Path, Read, Value};
use fablegrade_core::{
    Error, ErrorKind, FeedbackSeverity, Finding, Findings, Ratio, Severity, StateJudge, StateValidator,
};

use crate::fields;

/// A program that answers JSON requests with JSON.
pub trait Foreign: Send + Sync {
    /// Answers a request.
    ///
    /// # Errors
    /// The reason for a missing answer, for the author.
    fn ask(&self, request: &str) -> Result<String, String>;
}

/// A [`Foreign`] validator with its declared sentences.
pub struct ForeignValidator<F> {
    foreign: Arc<F>,
    sentences: Vec<Sentence>,
}

const SEVERITIES: &[(&str, FeedbackSeverity)] =
    &[("info", FeedbackSeverity::Info), ("hint", FeedbackSeverity::Hint), ("error", FeedbackSeverity::Error)];
const FINDING_SEVERITIES: &[(&str, Severity)] =
    &[("error", Severity::Error), ("warning", Severity::Warning), ("info", Severity::Info)];

struct Declared(Vec<Sentence>);

impl Read for Declared {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let sentence = |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            let mut object =
                Object::open_as(value, at, findings, r#"{"code": "too-far", "text": "Too far."}"#)?;
            let code = object.required("code", json::string(1, 64));
            let text = object.required("text", json::string(1, 1_000));
            let severity = object.defaulted("severity", FeedbackSeverity::Hint, json::word(SEVERITIES));
            object.close();
            Some(Sentence { code: code?.into(), text: text?.into(), severity: severity? })
        };
        json::list(0, 200, sentence)(value, at, findings).map(Self)
    }
}

impl<F: Foreign> ForeignValidator<F> {
    /// Creates a validator; `sentences` is a JSON array of `{"code", "text", "severity"?}`.
    ///
    /// # Errors
    /// The defects of `sentences`: invalid JSON, an invalid structure, or two sentences with the same code.
    pub fn new(foreign: F, sentences: &str) -> Result<Self, Error> {
        let declared = Document::parse(sentences.as_bytes())?.read::<Declared>()?.0;
        for (index, sentence) in declared.iter().enumerate() {
            if declared[..index].iter().any(|other| other.code == sentence.code) {
                return Err(Error::single(
                    ErrorKind::Schema,
                    Finding::error(
                        "duplicate-element",
                        format!("/{index}"),
                        "another sentence has this code",
                        "give each sentence a code of its own",
                    ),
                ));
            }
        }
        Ok(Self { foreign: Arc::new(foreign), sentences: declared })
    }
}

/// The findings about a configuration: pointer, code, severity.
struct ConfigFindings(Vec<(String, String, Severity)>);

impl Read for ConfigFindings {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let finding = |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            let mut object = Object::open(value, at, findings)?;
            let pointer = object.defaulted("pointer", String::new(), json::string(0, 500));
            let code = object.required("code", json::string(1, 64));
            let severity = object.defaulted("severity", Severity::Error, json::word(FINDING_SEVERITIES));
            object.close();
            Some((pointer?, code?, severity?))
        };
        let mut object = Object::open(value, at, findings)?;
        let list = object.defaulted("findings", Vec::new(), json::list(0, 200, finding));
        object.close();
        list.map(Self)
    }
}

/// The answer to a request with a state.
enum Answer {
    Judged { score: Ratio, messages: Vec<Message>, steps: Vec<Json> },
    Unreadable(String),
    Failed(String),
}

impl Read for Answer {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let message = |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
            if value.is_object() {
                let mut object = Object::open(value, at, findings)?;
                let pointer = object.required("configured", json::string(1, 500));
                object.close();
                return pointer.map(Message::configured);
            }
            json::string(1, 64)(value, at, findings).map(Message::sentence)
        };
        let step = |value: Value<'_>, _: &Path<'_>, _: &mut Findings| Some(Json::from(value));
        let mut object = Object::open(value, at, findings)?;
        let unreadable = object.optional("unreadable", json::string(1, 64))?;
        let failed = object.optional("failed", json::string(0, 2_000))?;
        let answer = match (unreadable, failed) {
            (Some(code), None) => Some(Self::Unreadable(code)),
            (None, Some(reason)) => Some(Self::Failed(reason)),
            _ => {
                let score = object.required("score", fields::share(0, 1));
                let messages = object.defaulted("messages", Vec::new(), json::list(0, 50, message));
                let steps = object.defaulted("steps", Vec::new(), json::list(0, 200, step));
                Some(Self::Judged { score: score?, messages: messages?, steps: steps? })
            }
        };
        object.close();
        answer
    }
}

struct ForeignJudge<F> {
    foreign: Arc<F>,
    /// The configuration as JSON, `null` without one.
    config: String,
    warnings: Vec<Finding>,
}

impl<F: Foreign> StateValidator for ForeignValidator<F>
where
    F: 'static,
{
    fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    fn compile(&self, config: Option<&Json>, findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
        let config = config.map_or_else(|| "null".to_owned(), Json::to_canonical);
        // The reason could quote the configuration, so it is not reported.
        let Ok(answer) = self.foreign.ask(&format!("{{\"config\":{config}}}")) else {
            findings.push(unchecked("the validator gave no answer about this configuration"));
            return None;
        };
        let found = Document::parse(answer.as_bytes()).and_then(|document| document.read::<ConfigFindings>());
        let Ok(found) = found else {
            findings.push(unchecked("the validator's answer about this configuration cannot be read"));
            return None;
        };
        let mut warnings = Vec::new();
        let mut refused = false;
        for (pointer, code, severity) in found.0 {
            // The sentences were declared before the configuration was known, so they cannot quote it.
            let Some(declared) = self.sentences.iter().find(|sentence| sentence.code == code) else {
                findings.push(unchecked("the validator reported a finding that it had not declared"));
                return None;
            };
            let message = declared.text.to_string();
            let known = Json::parse(config.as_bytes()).is_ok_and(|config| config.pointer(&pointer).is_some());
            let pointer = if known { pointer } else { String::new() };
            let finding =
                Finding::error("validator-config", pointer, message, "see the validator's documentation");
            if severity == Severity::Error {
                refused = true;
                findings.push(finding);
            } else {
                let mut finding = finding;
                finding.severity = severity;
                warnings.push(finding);
            }
        }
        (!refused).then(|| {
            Box::new(ForeignJudge { foreign: Arc::clone(&self.foreign), config, warnings })
                as Box<dyn StateJudge>
        })
    }
}

/// Returns the finding for a configuration that the validator did not check.
fn unchecked(message: &str) -> Finding {
    Finding::error(
        "validator-config",
        "",
        message,
        "run the validator by hand with the request {\"config\": ...}",
    )
}

impl<F: Foreign> StateJudge for ForeignJudge<F> {
    fn judge(&self, state: &Json, steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        let request = format!("{{\"config\":{},\"state\":{}}}", self.config, state.to_canonical());
        let answer = self.foreign.ask(&request).map_err(Unjudged::Failed)?;
        let malformed =
            |error: Error| Unjudged::Failed(format!("the validator's answer cannot be read: {error}"));
        let answer = Document::parse(answer.as_bytes()).and_then(|document| document.read::<Answer>());
        match answer.map_err(malformed)? {
            Answer::Unreadable(code) => Err(Unjudged::Unreadable(Message::sentence(code))),
            Answer::Failed(reason) => Err(Unjudged::Failed(reason)),
            Answer::Judged { score, messages, steps: reported } => {
                for step in reported {
                    steps.step("validator-step", || vec![("step", step)]);
                }
                Ok(Judgement { score, messages })
            }
        }
    }

    fn lint(&self, findings: &mut Findings) {
        self.warnings.iter().for_each(|finding| findings.push(finding.clone()));
    }
}
