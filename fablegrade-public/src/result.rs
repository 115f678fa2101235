//! The learner's part of a result: verdict, score, feedback and the results of test cases.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::decimal::Decimal;
use crate::finding::{Error, Finding, Findings};
use crate::identifier::{Instant, UuidText};
use crate::json::{self, Document, Json, Object, Path, Read, Value, write_json_string, write_score};
use crate::messages::{self, Locale};

/// The judgement on one submission. Not `#[non_exhaustive]`: a new verdict must break callers' builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Full marks before hint penalties.
    Correct,
    /// Between no marks and full marks.
    Partial,
    /// No marks, for a well-formed answer.
    Incorrect,
    /// Not graded yet (free text, code that was not run).
    Pending,
    /// The submission could not be graded: it was refused, the comparison was undecided, or the host failed.
    Error,
}

impl Verdict {
    pub(crate) const WORDS: &'static [(&'static str, Self)] = &[
        ("correct", Self::Correct),
        ("partial", Self::Partial),
        ("incorrect", Self::Incorrect),
        ("pending", Self::Pending),
        ("error", Self::Error),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Partial => "partial",
            Self::Incorrect => "incorrect",
            Self::Pending => "pending",
            Self::Error => "error",
        }
    }

    /// Returns whether a result with this verdict has a score.
    pub const fn is_scored(self) -> bool {
        matches!(self, Self::Correct | Self::Partial | Self::Incorrect)
    }
}

/// The person or engine that graded an attempt. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GradedBy {
    /// The engine.
    Auto,
    /// The learner, against a checklist.
    Self_,
    /// Another learner.
    Peer,
    /// A reviewer.
    Reviewer,
}

impl GradedBy {
    pub(crate) const WORDS: &'static [(&'static str, Self)] =
        &[("auto", Self::Auto), ("self", Self::Self_), ("peer", Self::Peer), ("reviewer", Self::Reviewer)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Self_ => "self",
            Self::Peer => "peer",
            Self::Reviewer => "reviewer",
        }
    }
}

/// The severity of a feedback message. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeedbackSeverity {
    /// A remark.
    Info,
    /// Advice for the next attempt.
    Hint,
    /// The reason why the submission could not be graded, or why its program does not compile.
    Error,
}

impl FeedbackSeverity {
    pub(crate) const WORDS: &'static [(&'static str, Self)] =
        &[("info", Self::Info), ("hint", Self::Hint), ("error", Self::Error)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Hint => "hint",
            Self::Error => "error",
        }
    }
}

/// One message to the learner: at most 2,000 code points.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Feedback {
    #[cfg_attr(feature = "schema", schemars(length(max = 2000)))]
    message: String,
    #[cfg_attr(feature = "schema", schemars(default = "crate::schema::info"))]
    severity: FeedbackSeverity,
}

impl Feedback {
    /// The maximum length of a message, in code points.
    pub const MAX_CHARS: usize = 2_000;

    /// Creates a message; a text of more than [`Self::MAX_CHARS`] code points is cut and ends with `…`.
    pub fn new(severity: FeedbackSeverity, message: impl Into<String>) -> Self {
        Self { message: cut(message.into(), Self::MAX_CHARS), severity }
    }

    /// Returns the text.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the severity.
    pub fn severity(&self) -> FeedbackSeverity {
        self.severity
    }
}

/// Cuts `text` to at most `max` code points; a cut is marked with `…`.
pub fn cut(text: String, max: usize) -> String {
    if text.len() <= max {
        return text;
    }
    match text.char_indices().nth(max) {
        None => text,
        Some(_) => {
            let mut short: String = text.chars().take(max.saturating_sub(1)).collect();
            short.push('…');
            short
        }
    }
}

/// The verdict of one test case. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CaseVerdict {
    /// The output was accepted.
    Passed,
    /// The output was not accepted.
    Failed,
    /// The time limit was exceeded.
    Timeout,
    /// The memory limit was exceeded.
    MemoryExceeded,
    /// The output limit was exceeded.
    OutputLimit,
    /// Non-zero exit or a signal.
    RuntimeError,
    /// The program did not compile.
    CompileError,
    /// The sandbox failed; this does not show anything about the program.
    SandboxError,
}

impl CaseVerdict {
    pub(crate) const WORDS: &'static [(&'static str, Self)] = &[
        ("passed", Self::Passed),
        ("failed", Self::Failed),
        ("timeout", Self::Timeout),
        ("memory_exceeded", Self::MemoryExceeded),
        ("output_limit", Self::OutputLimit),
        ("runtime_error", Self::RuntimeError),
        ("compile_error", Self::CompileError),
        ("sandbox_error", Self::SandboxError),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Timeout => "timeout",
            Self::MemoryExceeded => "memory_exceeded",
            Self::OutputLimit => "output_limit",
            Self::RuntimeError => "runtime_error",
            Self::CompileError => "compile_error",
            Self::SandboxError => "sandbox_error",
        }
    }
}

/// One test case as the learner sees it. Of a hidden case only suite, index and verdict are ever filled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct CodeResult {
    /// Name of the suite.
    #[cfg_attr(feature = "schema", schemars(length(max = 100)))]
    pub suite: String,
    /// Index of the case within its suite, from 0.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub case_index: u32,
    /// Name of the case (public cases only).
    #[cfg_attr(feature = "schema", schemars(length(max = 100)))]
    pub case_name: Option<String>,
    /// Its verdict.
    pub verdict: CaseVerdict,
    /// CPU time in milliseconds (public cases only).
    pub time_ms: Option<u64>,
    /// Peak memory in KiB (public cases only).
    pub memory_kb: Option<u64>,
    /// The beginning of standard error (public cases only), at most 4,096 code points.
    #[cfg_attr(feature = "schema", schemars(length(max = 4096)))]
    pub stderr_excerpt: Option<String>,
    /// Lines around the first difference of the output (public cases only), at most 4,096 code points.
    #[cfg_attr(feature = "schema", schemars(length(max = 4096)))]
    pub diff_excerpt: Option<String>,
}

impl CodeResult {
    /// The maximum length of an excerpt, in code points.
    pub const MAX_EXCERPT_CHARS: usize = 4_096;
}

/// The result of one attempt: nothing in it comes from a secret field, except the feedback of choices that the
/// learner selected, and messages that an author wrote into a validator's configuration.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct AttemptResult {
    /// The attempt's id.
    pub attempt_id: UuidText,
    /// The judgement, from the score before penalties.
    pub verdict: Verdict,
    /// Score in `[0, 1]` after penalties; present exactly when the verdict is scored.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub score: Option<f64>,
    /// The penalty for hints that was deducted from the score, in `[0, 0.8]`.
    #[cfg_attr(feature = "schema", schemars(extend("minimum" = 0, "maximum" = 0.8)))]
    pub score_penalty_applied: Option<f64>,
    /// The person or engine that graded the attempt.
    pub graded_by: GradedBy,
    /// The time of grading, if the caller gave it.
    pub graded_at: Option<Instant>,
    /// At most 20 messages.
    #[cfg_attr(feature = "schema", schemars(length(max = 20), default))]
    pub feedback: Vec<Feedback>,
    /// For a code question, one entry per test case that was not skipped.
    #[cfg_attr(feature = "schema", schemars(length(max = 500), default))]
    pub code_results: Vec<CodeResult>,
}

impl AttemptResult {
    /// The maximum number of feedback messages.
    pub const MAX_FEEDBACK: usize = 20;

    /// Reads an `AttemptResult` document.
    ///
    /// # Errors
    /// Every finding at once.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Document::parse(text.as_ref())?.read()
    }

    /// Returns the document as canonical JSON.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(128);
        self.write_json(&mut out);
        out
    }

    /// Appends the document as canonical JSON: keys sorted, absent fields omitted.
    pub fn write_json(&self, out: &mut String) {
        out.push_str("{\"attemptId\":\"");
        out.push_str(self.attempt_id.as_str());
        out.push('"');
        if !self.code_results.is_empty() {
            out.push_str(",\"codeResults\":[");
            for (at, case) in self.code_results.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                case.to_document().write(out);
            }
            out.push(']');
        }
        if !self.feedback.is_empty() {
            out.push_str(",\"feedback\":[");
            for (at, entry) in self.feedback.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str("{\"message\":");
                write_json_string(&entry.message, out);
                out.push_str(",\"severity\":\"");
                out.push_str(entry.severity.as_str());
                out.push_str("\"}");
            }
            out.push(']');
        }
        if let Some(instant) = &self.graded_at {
            out.push_str(",\"gradedAt\":");
            write_json_string(instant.as_str(), out);
        }
        out.push_str(",\"gradedBy\":\"");
        out.push_str(self.graded_by.as_str());
        out.push('"');
        if let Some(score) = self.score {
            out.push_str(",\"score\":");
            write_score(score, out);
        }
        if let Some(penalty) = self.score_penalty_applied {
            out.push_str(",\"scorePenaltyApplied\":");
            write_score(penalty, out);
        }
        out.push_str(",\"verdict\":\"");
        out.push_str(self.verdict.as_str());
        out.push_str("\"}");
    }
}

impl AttemptResult {
    /// Translates the messages of graders into another language. A program's output stays unchanged. So does an
    /// author's text, unless it matches a sentence of the catalogue: a result does not record who wrote a message.
    /// To keep all texts of authors, set the language in the context of grading instead.
    pub fn translate(&mut self, locale: Locale) {
        if locale == Locale::En {
            return;
        }
        for entry in &mut self.feedback {
            *entry = Feedback::new(entry.severity, messages::translate(&entry.message, locale));
        }
        for case in &mut self.code_results {
            case.translate(locale);
        }
    }
}

impl CodeResult {
    /// Translates the description of a difference; the texts of the program stay unchanged.
    pub fn translate(&mut self, locale: Locale) {
        if let Some(excerpt) = self.diff_excerpt.as_mut().filter(|_| locale != Locale::En) {
            *excerpt = cut(messages::translate(excerpt, locale).into_owned(), Self::MAX_EXCERPT_CHARS);
        }
    }

    /// Returns the entry as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("suite", self.suite.as_str())
            .with("caseIndex", self.case_index)
            .with_some("caseName", self.case_name.as_deref())
            .with("verdict", self.verdict.as_str())
            .with_some("timeMs", self.time_ms)
            .with_some("memoryKb", self.memory_kb)
            .with_some("stderrExcerpt", self.stderr_excerpt.as_deref())
            .with_some("diffExcerpt", self.diff_excerpt.as_deref())
            .build()
    }
}

/// Returns a reader of numbers from `min` to `max`, inclusive.
fn number_within(
    min: Decimal,
    max: Decimal,
) -> impl Fn(Value<'_>, &Path<'_>, &mut Findings) -> Option<Decimal> {
    move |value, at, findings| {
        let number = json::decimal(value, at, findings)?;
        if number < min || number > max {
            findings.push(Finding::error(
                "out-of-range",
                at.pointer(),
                format!("the number must be between {min} and {max}"),
                format!("choose one between {min} and {max}"),
            ));
            return None;
        }
        Some(number)
    }
}

impl Read for Feedback {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let message = object.required("message", json::string(0, Self::MAX_CHARS));
        let severity =
            object.defaulted("severity", FeedbackSeverity::Info, json::word(FeedbackSeverity::WORDS));
        object.close();
        Some(Self { message: message?, severity: severity? })
    }
}

impl Read for CodeResult {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let suite = object.required("suite", json::string(0, 100));
        let case_index = object.required("caseIndex", json::integer(0, i64::from(u32::MAX)));
        let case_name = object.optional("caseName", json::string(0, 100));
        let verdict = object.required("verdict", json::word(CaseVerdict::WORDS));
        let time_ms = object.optional("timeMs", json::integer(0, i64::MAX));
        let memory_kb = object.optional("memoryKb", json::integer(0, i64::MAX));
        let stderr_excerpt = object.optional("stderrExcerpt", json::string(0, Self::MAX_EXCERPT_CHARS));
        let diff_excerpt = object.optional("diffExcerpt", json::string(0, Self::MAX_EXCERPT_CHARS));
        object.close();
        Some(Self {
            suite: suite?,
            case_index: u32::try_from(case_index?).ok()?,
            case_name: case_name?,
            verdict: verdict?,
            time_ms: time_ms?.map(i64::unsigned_abs),
            memory_kb: memory_kb?.map(i64::unsigned_abs),
            stderr_excerpt: stderr_excerpt?,
            diff_excerpt: diff_excerpt?,
        })
    }
}

impl Read for AttemptResult {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let attempt_id = object.required("attemptId", UuidText::read);
        let verdict = object.required("verdict", json::word(Verdict::WORDS));
        let score = object.optional("score", number_within(Decimal::zero(), Decimal::one()));
        let penalty =
            object.optional("scorePenaltyApplied", number_within(Decimal::zero(), Decimal::new(8, -1)));
        let graded_by = object.required("gradedBy", json::word(GradedBy::WORDS));
        let graded_at = object.optional("gradedAt", Instant::read);
        let feedback =
            object.defaulted("feedback", Vec::new(), json::list(0, Self::MAX_FEEDBACK, Feedback::read));
        let code_results = object.defaulted("codeResults", Vec::new(), json::list(0, 500, CodeResult::read));
        object.close();
        Some(Self {
            attempt_id: attempt_id?,
            verdict: verdict?,
            score: score?.map(|score| score.to_f64()),
            score_penalty_applied: penalty?.map(|penalty| penalty.to_f64()),
            graded_by: graded_by?,
            graded_at: graded_at?,
            feedback: feedback?,
            code_results: code_results?,
        })
    }
}

impl Serialize for AttemptResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json::parse(self.to_json().as_bytes()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AttemptResult {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::deserialize_document(deserializer)
    }
}
