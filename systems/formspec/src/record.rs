//! The Determination Record as types, read from and written to JSON.

use std::collections::BTreeMap;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, Finding, Findings};
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, boolean, decimal, list, word};

use crate::screener::{Strategy, extensions, marker, object, text, uri};

/// A Determination Record, version 1.0: the result of an evaluation, and its answers.
///
/// `Display` writes canonical JSON.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DeterminationRecord {
    /// The revision that was applied.
    pub screener: ScreenerReference,
    /// The time at which the evaluation completed: an RFC 3339 date-time (any text in a record of the reference
    /// implementation).
    pub timestamp: String,
    /// The version whose logic was applied.
    pub evaluation_version: String,
    /// The status of the evaluation.
    pub status: Status,
    /// The results of the override routes.
    pub overrides: Overrides,
    /// The results of the phases; empty if an override halted the evaluation or nothing was evaluated. In
    /// reference-compatible mode, a phase `_evaluation` can hold the warnings of a halted evaluation.
    pub phases: Vec<PhaseResult>,
    /// All answers by item path.
    pub inputs: BTreeMap<String, Input>,
    /// The time for which the record may be used.
    pub validity: Option<Validity>,
    /// `x-` members.
    pub extensions: Option<Json>,
}

/// The screener and its revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenerReference {
    /// Canonical URI.
    pub url: String,
    /// Version.
    pub version: String,
}

/// The status of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// No answer is missing.
    Completed,
    /// An answer is missing; the evaluation used the answers that were given.
    Partial,
    /// The validity of the record has ended.
    Expired,
    /// The screener was not available; nothing was evaluated.
    Unavailable,
}

impl Status {
    pub(crate) const WORDS: &'static [(&'static str, Self)] = &[
        ("completed", Self::Completed),
        ("partial", Self::Partial),
        ("expired", Self::Expired),
        ("unavailable", Self::Unavailable),
    ];

    /// Returns the word that documents use.
    pub fn as_str(self) -> &'static str {
        spelling(Self::WORDS, self)
    }
}

fn spelling<T: PartialEq>(words: &'static [(&'static str, T)], meaning: T) -> &'static str {
    words.iter().find(|(_, known)| *known == meaning).map_or("", |(word, _)| word)
}

/// The results of the override routes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overrides {
    /// The routes that matched.
    pub matched: Vec<RouteResult>,
    /// `true` if a terminal route matched.
    pub halted: bool,
}

/// The status of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PhaseStatus {
    /// The phase was evaluated.
    Evaluated,
    /// Its `activeWhen` did not hold, or failed.
    Skipped,
    /// Its strategy is not supported.
    UnsupportedStrategy,
}

impl PhaseStatus {
    pub(crate) const WORDS: &'static [(&'static str, Self)] = &[
        ("evaluated", Self::Evaluated),
        ("skipped", Self::Skipped),
        ("unsupported-strategy", Self::UnsupportedStrategy),
    ];

    /// Returns the word that documents use.
    pub fn as_str(self) -> &'static str {
        spelling(Self::WORDS, self)
    }
}

/// The result of a phase.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PhaseResult {
    /// The id of the phase.
    pub id: String,
    /// Its status.
    pub status: PhaseStatus,
    /// Its strategy.
    pub strategy: Strategy,
    /// Routes that matched.
    pub matched: Vec<RouteResult>,
    /// Routes that were eliminated, each with its reason.
    pub eliminated: Vec<RouteResult>,
    /// Codes such as `below-minimum`; `None` if the document has no such field.
    pub warnings: Option<Vec<String>>,
}

/// The result of a route.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct RouteResult {
    /// The destination.
    pub target: String,
    /// The label, for people.
    pub label: Option<String>,
    /// The message to the respondent, interpolated except in reference-compatible mode.
    pub message: Option<String>,
    /// The score; only with score-threshold.
    pub score: Option<Decimal>,
    /// The reason; only for eliminated routes. In records from this crate, one of the constants in
    /// [`reason`].
    pub reason: Option<String>,
    /// The metadata, copied from the screener.
    pub metadata: Option<Json>,
}

/// Reasons why routes are eliminated.
pub mod reason {
    /// The condition did not hold.
    pub const CONDITION_FALSE: &str = "condition-false";
    /// The score is below the threshold.
    pub const BELOW_THRESHOLD: &str = "below-threshold";
    /// The route matches, but the phase keeps fewer routes.
    pub const MAX_EXCEEDED: &str = "max-exceeded";
    /// The score is not a number.
    pub const NULL_SCORE: &str = "null-score";
    /// The expression is missing or broken, or its evaluation failed.
    pub const EXPRESSION_ERROR: &str = "expression-error";
}

/// Warnings of phases.
pub mod warning {
    /// Fan-out found fewer routes than `minMatches`.
    pub const BELOW_MINIMUM: &str = "below-minimum";
    /// An expression is missing or broken, or its evaluation failed.
    pub const EXPRESSION_ERROR: &str = "fel-expression-error";
    /// An expression inside a message is broken or failed, and was kept unchanged.
    pub const INTERPOLATION_ERROR: &str = "interpolation-error";
}

/// The state of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnswerState {
    /// There is a value.
    Answered,
    /// The respondent declined to answer.
    Declined,
    /// The question was not shown. An item without an answer also has this state, but no value.
    NotPresented,
}

impl AnswerState {
    pub(crate) const WORDS: &'static [(&'static str, Self)] =
        &[("answered", Self::Answered), ("declined", Self::Declined), ("not-presented", Self::NotPresented)];

    /// Returns the word that documents use.
    pub fn as_str(self) -> &'static str {
        spelling(Self::WORDS, self)
    }
}

/// An answer: a value and its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The value; `None` if the document has no such field.
    pub value: Option<Json>,
    /// The state of the answer.
    pub state: AnswerState,
}

/// The time for which a record may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validity {
    /// The last moment of validity.
    pub valid_until: Option<String>,
    /// The screener's duration, as written.
    pub result_validity: Option<String>,
}

impl DeterminationRecord {
    /// Reads a record from JSON text.
    ///
    /// # Errors
    /// Returns all findings about the text or the structure, according to the record's schema.
    pub fn parse(text: &[u8]) -> Result<Self, Error> {
        Document::parse(text)?.read()
    }

    /// Returns the record as JSON.
    pub fn to_json(&self) -> Json {
        let inputs =
            self.inputs.iter().map(|(path, input)| (path.as_str().into(), Json::from(input))).collect();
        let validity = self.validity.as_ref().map(|validity| {
            Json::build()
                .with_some("validUntil", validity.valid_until.as_ref())
                .with_some("resultValidity", validity.result_validity.as_ref())
                .build()
        });
        Json::build()
            .with("$formspecDetermination", "1.0")
            .with(
                "screener",
                Json::build().with("url", &self.screener.url).with("version", &self.screener.version).build(),
            )
            .with("timestamp", &self.timestamp)
            .with("evaluationVersion", &self.evaluation_version)
            .with("status", self.status.as_str())
            .with(
                "overrides",
                Json::build()
                    .with("matched", Json::array(&self.overrides.matched))
                    .with("halted", self.overrides.halted)
                    .build(),
            )
            .with("phases", Json::array(&self.phases))
            .with("inputs", Json::object(inputs))
            .with_some("validity", validity)
            .with_some("extensions", self.extensions.as_ref())
            .build()
    }
}

impl std::fmt::Display for DeterminationRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_json().fmt(f)
    }
}

impl From<&PhaseResult> for Json {
    fn from(phase: &PhaseResult) -> Self {
        Self::build()
            .with("id", &phase.id)
            .with("status", phase.status.as_str())
            .with("strategy", phase.strategy.as_str())
            .with("matched", Self::array(&phase.matched))
            .with("eliminated", Self::array(&phase.eliminated))
            .with_some("warnings", phase.warnings.as_ref().map(Self::array::<&String>))
            .build()
    }
}

impl From<&RouteResult> for Json {
    fn from(route: &RouteResult) -> Self {
        Self::build()
            .with("target", &route.target)
            .with_some("label", route.label.as_ref())
            .with_some("message", route.message.as_ref())
            .with_some("score", route.score.as_ref())
            .with_some("reason", route.reason.as_ref())
            .with_some("metadata", route.metadata.as_ref())
            .build()
    }
}

impl From<&Input> for Json {
    fn from(input: &Input) -> Self {
        Self::build().with_some("value", input.value.as_ref()).with("state", input.state.as_str()).build()
    }
}

fn date_time(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    fablegrade_public::identifier::Instant::read(value, at, findings)
        .map(|instant| instant.as_str().to_owned())
}

impl Read for DeterminationRecord {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut record = Object::open(value, at, findings)?;
        let marker = record.required("$formspecDetermination", marker);
        let screener = record.required("screener", ScreenerReference::read);
        let timestamp = record.required("timestamp", date_time);
        let evaluation_version = record.required("evaluationVersion", text);
        let status = record.required("status", word(Status::WORDS));
        let overrides = record.required("overrides", Overrides::read);
        let phases = record.required("phases", list(0, usize::MAX - 1, PhaseResult::read));
        let inputs = record.required("inputs", inputs);
        let validity = record.optional("validity", Validity::read);
        let extensions = record.optional("extensions", extensions);
        record.close();
        marker?;
        Some(Self {
            screener: screener?,
            timestamp: timestamp?,
            evaluation_version: evaluation_version?,
            status: status?,
            overrides: overrides?,
            phases: phases?,
            inputs: inputs?,
            validity: validity?,
            extensions: extensions?,
        })
    }
}

/// Reads a map of item paths to values and states.
pub(crate) fn inputs(
    value: Value<'_>,
    at: &Path<'_>,
    findings: &mut Findings,
) -> Option<BTreeMap<String, Input>> {
    if !value.is_object() {
        let message = format!("expected an object, found {}", value.kind());
        findings.push(Finding::error("wrong-type", at.pointer(), message, "give an object of item paths"));
        return None;
    }
    let mut sound = true;
    let mut inputs = BTreeMap::new();
    for (path, input) in value.fields() {
        match Input::read(input, &Path::Field(at, &path), findings) {
            Some(input) => {
                inputs.insert(path.into_owned(), input);
            }
            None => sound = false,
        }
    }
    sound.then_some(inputs)
}

impl Read for ScreenerReference {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let url = object.required("url", uri);
        let version = object.required("version", text);
        object.close();
        Some(Self { url: url?, version: version? })
    }
}

impl Read for Overrides {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let matched = object.required("matched", list(0, usize::MAX - 1, RouteResult::read));
        let halted = object.required("halted", boolean);
        object.close();
        Some(Self { matched: matched?, halted: halted? })
    }
}

impl Read for PhaseResult {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let id = object.required("id", text);
        let status = object.required("status", word(PhaseStatus::WORDS));
        let strategy = object.required("strategy", text);
        let matched = object.required("matched", list(0, usize::MAX - 1, RouteResult::read));
        let eliminated = object.required("eliminated", list(0, usize::MAX - 1, RouteResult::read));
        let warnings = object.optional("warnings", list(0, usize::MAX - 1, text));
        object.close();
        Some(Self {
            id: id?,
            status: status?,
            strategy: Strategy::new(&strategy?),
            matched: matched?,
            eliminated: eliminated?,
            warnings: warnings?,
        })
    }
}

impl Read for RouteResult {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut route = Object::open(value, at, findings)?;
        let target = route.required("target", text);
        let label = route.optional("label", text);
        let message = route.optional("message", text);
        let score = route.optional("score", decimal);
        let reason = route.optional("reason", text);
        let metadata = route.optional("metadata", object);
        route.close();
        Some(Self {
            target: target?,
            label: label?,
            message: message?,
            score: score?,
            reason: reason?,
            metadata: metadata?,
        })
    }
}

impl Read for Input {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let input = object.take("value").map(Json::from);
        let state = object.required("state", word(AnswerState::WORDS));
        object.close();
        Some(Self { value: input, state: state? })
    }
}

impl Read for Validity {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let valid_until = object.optional("validUntil", date_time);
        let result_validity = object.optional("resultValidity", text);
        object.close();
        Some(Self { valid_until: valid_until?, result_validity: result_validity? })
    }
}
