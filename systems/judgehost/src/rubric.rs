//! Rubrics: their ten types, and the files to which containers write results.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::{Document, Json, Limits, Object, Path, Value, decimal, string, word};

use crate::config::Rubric;

/// The type of a rubric. All types are scored the same way, from the container's result file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RubricType {
    /// A count of passed test cases.
    TestCases,
    /// Time, throughput, latency.
    PerformanceBenchmark,
    /// Memory, processor, disk.
    ResourceUsage,
    /// Style and complexity.
    CodeQuality,
    /// Routes and their responses.
    ApiEndpoints,
    /// A page in a browser.
    UiTest,
    /// Several parts together.
    IntegrationTest,
    /// Known weaknesses.
    SecurityScan,
    /// Accuracy, precision, recall.
    MlMetrics,
    /// Anything else.
    Custom,
}

impl RubricType {
    /// All ten types, with their words in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("test_cases", Self::TestCases),
        ("performance_benchmark", Self::PerformanceBenchmark),
        ("resource_usage", Self::ResourceUsage),
        ("code_quality", Self::CodeQuality),
        ("api_endpoints", Self::ApiEndpoints),
        ("ui_test", Self::UiTest),
        ("integration_test", Self::IntegrationTest),
        ("security_scan", Self::SecurityScan),
        ("ml_metrics", Self::MlMetrics),
        ("custom", Self::Custom),
    ];

    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("custom", |(word, _)| word)
    }
}

/// The verdict on a rubric, or on all rubrics together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The result is acceptable.
    Pass,
    /// The result is not acceptable.
    Fail,
    /// The result is partly acceptable.
    Partial,
    /// The rubric was not evaluated and does not count.
    Skip,
    /// The rubric could not be evaluated. It counts, without points.
    Error,
}

impl Verdict {
    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Partial => "PARTIAL",
            Self::Skip => "SKIP",
            Self::Error => "ERROR",
        }
    }

    const WORDS: &'static [(&'static str, Self)] = &[
        ("PASS", Self::Pass),
        ("FAIL", Self::Fail),
        ("PARTIAL", Self::Partial),
        ("SKIP", Self::Skip),
        ("ERROR", Self::Error),
    ];
}

/// The status that older hooks write instead of a verdict.
#[derive(Clone, Copy)]
enum Status {
    Done,
    Skipped,
    Error,
}

const STATUS: &[(&str, Status)] =
    &[("DONE", Status::Done), ("SKIPPED", Status::Skipped), ("ERROR", Status::Error)];

/// The content of a result file, `/out/rubric_<rubric_id>.json`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RubricOutput {
    /// The exact score, from 0 to the rubric's `max_score`.
    pub score: Decimal,
    /// The verdict as written, or derived from the score.
    pub verdict: Verdict,
    /// A human-readable message.
    pub message: Option<String>,
    /// The whole file, including fields that the format does not define.
    pub document: Json,
}

/// Maximum size of a result file in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Returns the name of a rubric's result file in `/out`.
pub fn file_name(rubric_id: &str) -> String {
    format!("rubric_{rubric_id}.json")
}

impl RubricOutput {
    /// Reads a result file. Its `rubric_id` must be the rubric's, and its score must be between 0 and the
    /// configuration's `max_score`. Its own `max_score`, if any, must be the same number. Other fields are kept.
    ///
    /// # Errors
    /// All findings. A file with errors counts as `ERROR` with no points.
    pub fn parse(text: &[u8], rubric: &Rubric) -> Result<Self, Error> {
        let limits = Limits { bytes: MAX_BYTES, ..Limits::default() };
        let document = Document::parse_within(text, limits)?;
        let mut findings = Findings::new();
        match Self::read(document.root(), &Path::Root, rubric, &mut findings) {
            Some(output) if findings.errors() == 0 => Ok(output),
            _ => Err(Error::new(ErrorKind::Schema, findings)),
        }
    }

    /// Reads a result whose path is `at`.
    pub fn read(value: Value<'_>, at: &Path<'_>, rubric: &Rubric, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let rubric_id = object.required("rubric_id", string(0, 1_000));
        let score = object.optional("score", decimal);
        let max_score = object.optional("max_score", decimal);
        let verdict = object.optional("verdict", word(Verdict::WORDS));
        let status = object.optional("status", word(STATUS));
        let message = object.take("message").and_then(Value::str).map(std::borrow::Cow::into_owned);
        let mut refuse = |field, rule, message: String, help| {
            object.report(Finding::error(rule, Path::Field(at, field).pointer(), message, help));
        };
        if rubric_id? != rubric.rubric_id {
            let message = format!("the file is not about the rubric `{}`", rubric.rubric_id);
            refuse("rubric_id", "other-rubric", message, "write the rubric's own id");
        }
        if max_score?.is_some_and(|theirs| theirs != rubric.max_score) {
            let message = format!("the maximum in the configuration is {}", rubric.max_score);
            refuse("max_score", "other-max-score", message, "leave `max_score` out, or write the same");
        }
        let (score, verdict, status) = (score?, verdict?, status?);
        let said = verdict.or(match status {
            Some(Status::Skipped) => Some(Verdict::Skip),
            Some(Status::Error) => Some(Verdict::Error),
            Some(Status::Done) | None => None,
        });
        let score = match (score, said) {
            (Some(score), _) => score,
            // A rubric that was not evaluated need not have a score.
            (None, Some(Verdict::Skip | Verdict::Error)) => Decimal::zero(),
            (None, _) => {
                refuse("score", "missing-field", "the field `score` is missing".into(), "add `score`");
                return None;
            }
        };
        if score.is_negative() || score > rubric.max_score {
            let message = format!("the score must be between 0 and {}", rubric.max_score);
            refuse("score", "score-range", message, "give no more points than there are");
        }
        let verdict = said.unwrap_or_else(|| derived(&score, rubric));
        Some(Self { score, verdict, message, document: Json::from(value) })
    }
}

/// Returns the verdict that follows from a score: `PASS` from the pass threshold on, if there is one, and at the
/// maximum; otherwise `FAIL` at zero and `PARTIAL` above.
fn derived(score: &Decimal, rubric: &Rubric) -> Verdict {
    let passed =
        rubric.pass_threshold.as_ref().is_some_and(|share| *score >= share.multiply(&rubric.max_score));
    if passed || *score == rubric.max_score {
        Verdict::Pass
    } else if score.is_zero() {
        Verdict::Fail
    } else {
        Verdict::Partial
    }
}
