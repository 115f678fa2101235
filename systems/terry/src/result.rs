//! Reads the output of a checker strictly, and splits it into what a contestant may see before and after confirming.

use std::collections::BTreeSet;
use std::fmt;

use fablegrade_public::json::{self, Document, Json, Object, Path, Read, Value};
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Findings};

use crate::task::{Noted, absent_or};

/// The maximum number of cases, alerts or subtasks in one list.
const ENTRIES: usize = 100_000;
/// The maximum length of a message, in characters.
const MESSAGE: usize = 1 << 20;

/// A checker's result that conforms to the format. `Debug` hides what a contestant may not see before confirming.
#[derive(Clone, PartialEq)]
pub struct CheckerResult {
    score: Decimal,
    validation: Validation,
    feedback: Feedback,
    subtasks: Vec<Subtask>,
    document: Json,
}

/// The result of reading the output file, which a contestant may see before confirming.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Validation {
    /// One entry per case.
    pub cases: Vec<ValidationCase>,
    /// General messages, not about a particular case.
    pub alerts: Vec<Alert>,
}

/// The result of reading one case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidationCase {
    /// Whether the case was found and could be read.
    pub status: Status,
    /// A message.
    pub message: Option<String>,
}

/// The status of a case in the output file. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The case is not in the file.
    Missing,
    /// The case was read.
    Parsed,
    /// The case cannot be read.
    Invalid,
}

/// The evaluation of the cases, which a contestant may see only after confirming.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Feedback {
    /// One entry per case.
    pub cases: Vec<FeedbackCase>,
    /// General messages, not about a particular case.
    pub alerts: Vec<Alert>,
}

/// The evaluation of one case.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedbackCase {
    /// Whether the case is completely correct.
    pub correct: bool,
    /// A message.
    pub message: Option<String>,
}

/// A general message, not about a particular case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alert {
    /// The severity.
    pub severity: AlertSeverity,
    /// The text.
    pub message: String,
    /// Whether the alert prevents the contestant from confirming (an extension of the Rust server).
    pub blocking: bool,
}

/// The severity of an alert. The specification has only `warning`; the servers accept all three. Not
/// `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlertSeverity {
    /// A warning.
    Warning,
    /// Something is wrong.
    Danger,
    /// Something went well.
    Success,
}

/// A group of cases with its own points.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Subtask {
    /// The points earned, not a share.
    pub score: Decimal,
    /// The points of a correct solution.
    pub max_score: Decimal,
    /// Indices of its cases, from 0; each of these cases exists in the result.
    pub testcases: Vec<usize>,
    /// The names of the subtask.
    pub labels: Vec<String>,
}

/// Facts that are known before the checker runs.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Expected {
    /// The number of cases in the input, if the host knows it.
    pub cases: Option<usize>,
    /// The task's `max_score`, to compare subtasks with.
    pub max_score: Option<Decimal>,
}

impl Expected {
    /// Creates the expectations for a task with this maximum score.
    pub fn of(max_score: &Decimal) -> Self {
        Self { cases: None, max_score: Some(max_score.clone()) }
    }

    /// Sets the number of cases in the input.
    #[must_use]
    pub fn cases(mut self, cases: usize) -> Self {
        self.cases = Some(cases);
        self
    }
}

impl Status {
    const WORDS: &'static [(&'static str, Self)] =
        &[("missing", Self::Missing), ("parsed", Self::Parsed), ("invalid", Self::Invalid)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Parsed => "parsed",
            Self::Invalid => "invalid",
        }
    }
}

impl AlertSeverity {
    const WORDS: &'static [(&'static str, Self)] =
        &[("warning", Self::Warning), ("danger", Self::Danger), ("success", Self::Success)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Danger => "danger",
            Self::Success => "success",
        }
    }
}

impl CheckerResult {
    /// Reads the output of a checker: one JSON value, optionally with blanks around it, at most 8 MiB. The findings are
    /// warnings and remarks for the author and do not change the result.
    ///
    /// # Errors
    /// All findings. [`ErrorKind::Json`] for invalid JSON, including text after the value, `NaN`, duplicate keys and
    /// invalid UTF-8; [`ErrorKind::Schema`] for an invalid structure; [`ErrorKind::Spec`] for lengths and indices that
    /// contradict each other.
    pub fn read(printed: &[u8], expected: &Expected) -> Result<(Self, Vec<Finding>), Error> {
        if printed.iter().all(u8::is_ascii_whitespace) {
            return Err(Error::single(
                ErrorKind::Json,
                Finding::error(
                    "nothing-printed",
                    "",
                    "the checker printed nothing",
                    "print the result on standard output",
                ),
            ));
        }
        let document = Document::parse(printed).map_err(|error| explain_json_error(printed, error))?;
        let Noted(mut result, mut findings) = document.read::<Noted<Self>>()?;
        result.document = Json::from(document.root());
        result.check(expected, &mut findings);
        if findings.errors() > 0 {
            return Err(Error::new(ErrorKind::Spec, findings));
        }
        Ok((result, findings.into_vec()))
    }

    /// Returns the share of the task's points, from 0 to 1, as an exact decimal. A printed score outside that range by
    /// at most 1e-9 becomes 0 or 1.
    pub fn score(&self) -> &Decimal {
        &self.score
    }

    /// Returns the exact points: `score * max_score`.
    pub fn points(&self, max_score: &Decimal) -> Decimal {
        self.score.multiply(max_score)
    }

    /// Returns the result of reading the output file.
    pub fn validation(&self) -> &Validation {
        &self.validation
    }

    /// Returns the evaluation of the cases. Show it only after the contestant has confirmed the output.
    pub fn feedback(&self) -> &Feedback {
        &self.feedback
    }

    /// Returns the subtasks; empty for a task without subtasks.
    pub fn subtasks(&self) -> &[Subtask] {
        &self.subtasks
    }

    /// Returns the whole output, including unknown fields, for storage.
    pub fn document(&self) -> &Json {
        &self.document
    }

    /// Returns what a contestant may see before confirming: only the `validation`, as it was printed.
    pub fn before_confirming(&self) -> Json {
        self.document.get("validation").cloned().unwrap_or(Json::Null)
    }

    /// Returns what a contestant may see after confirming: `{score, points, maxScore, validation, feedback,
    /// subtasks?}`. The score is a share from 0 to 1, as in every report; `points` is `score * maxScore`.
    pub fn after_confirming(&self, max_score: &Decimal) -> Json {
        let part = |name: &str| self.document.get(name).cloned();
        Json::build()
            .with("score", &self.score)
            .with("points", self.points(max_score))
            .with("maxScore", max_score)
            .with_some("validation", part("validation"))
            .with_some("feedback", part("feedback"))
            .with_some("subtasks", part("subtasks"))
            .build()
    }

    /// Checks rules that relate several fields.
    fn check(&mut self, expected: &Expected, findings: &mut Findings) {
        let (read, judged) = (self.validation.cases.len(), self.feedback.cases.len());
        if read != judged {
            findings.push(Finding::error(
                "case-counts-differ",
                "/feedback/cases",
                format!("there are {judged} cases in the feedback and {read} in the validation"),
                "give one entry per case of the input in both, in the same order",
            ));
        }
        if let Some(cases) = expected.cases.filter(|cases| *cases != read || *cases != judged) {
            findings.push(Finding::error(
                "case-counts-differ",
                "/validation/cases",
                format!("the input has {cases} cases, the validation {read} and the feedback {judged}"),
                "give one entry per case of the input",
            ));
        }
        let cases = read.min(judged);
        self.check_subtasks(cases, expected, findings);
        let all_correct = self.feedback.cases.iter().all(|case| case.correct);
        let full = self.score == Decimal::one();
        if cases > 0 && full && !all_correct {
            findings.push(Finding::warning(
                "full-score-with-wrong-cases",
                "/score",
                "the score is 1, although not every case is correct",
                "change `correct` of the cases, or the score",
            ));
        }
        if cases > 0 && !full && all_correct {
            findings.push(Finding::warning(
                "all-correct-without-full-score",
                "/score",
                "every case is correct, although the score is below 1",
                "change `correct` of the cases, or the score",
            ));
        }
        let contradicts = |(read, judged): (&ValidationCase, &FeedbackCase)| {
            judged.correct && read.status != Status::Parsed
        };
        if let Some(at) = self.validation.cases.iter().zip(&self.feedback.cases).position(contradicts) {
            findings.push(Finding::warning(
                "correct-but-not-parsed",
                format!("/feedback/cases/{at}/correct"),
                "the case is correct, although its status is missing or invalid",
                "change the status, or `correct`",
            ));
        }
    }

    fn check_subtasks(&self, cases: usize, expected: &Expected, findings: &mut Findings) {
        let mut covered = BTreeSet::new();
        for (at, subtask) in self.subtasks.iter().enumerate() {
            let mut own = BTreeSet::new();
            for (place, case) in subtask.testcases.iter().enumerate() {
                if *case >= cases {
                    findings.push(Finding::error(
                        "no-such-case",
                        format!("/subtasks/{at}/testcases/{place}"),
                        format!("there is no case with this index; there are {cases}, counted from 0"),
                        "use indices from 0 to the number of cases minus 1",
                    ));
                } else if !own.insert(*case) {
                    findings.push(Finding::warning(
                        "case-twice",
                        format!("/subtasks/{at}/testcases/{place}"),
                        "the case is in this subtask already",
                        "name each case once",
                    ));
                }
            }
            covered.extend(own);
            let zero = Decimal::zero();
            if subtask.score < zero || subtask.max_score < zero || exceeds(&subtask.score, &subtask.max_score)
            {
                findings.push(Finding::warning(
                    "subtask-score-range",
                    format!("/subtasks/{at}/score"),
                    "the points of the subtask are not between 0 and its `max_score`",
                    "print points, not a share, and no more than `max_score`",
                ));
            }
        }
        if self.subtasks.is_empty() || findings.errors() > 0 {
            return;
        }
        if let Some(case) = (0..cases).find(|case| !covered.contains(case)) {
            findings.push(Finding::info(
                "case-without-subtask",
                "/subtasks",
                format!("case {case} (counted from 0) belongs to no subtask"),
                "add it to one unless it only illustrates the task",
            ));
        }
        let Some(max_score) = &expected.max_score else { return };
        let sum = |of: fn(&Subtask) -> &Decimal| {
            self.subtasks.iter().fold(Decimal::zero(), |sum, subtask| sum.add(of(subtask)))
        };
        let mut compare = |rule, sum: Decimal, wanted: Decimal, what: &str, help: &str| {
            if exceeds(&sum, &wanted) || exceeds(&wanted, &sum) {
                let message = format!("{what} of the subtasks add up to {sum}, not {wanted}");
                findings.push(Finding::warning(rule, "/subtasks", message, help));
            }
        };
        compare(
            "subtask-maximum-sum",
            sum(|subtask| &subtask.max_score),
            max_score.clone(),
            "the maximum scores",
            "make them add up to `max_score` of the task",
        );
        compare(
            "subtask-score-sum",
            sum(|subtask| &subtask.score),
            self.points(max_score),
            "the points",
            "make them add up to `score` times `max_score` of the task",
        );
    }
}

/// Returns whether `a` exceeds `b` by more than a millionth.
fn exceeds(a: &Decimal, b: &Decimal) -> bool {
    a.subtract(b) > Decimal::new(1, -6)
}

/// Adds a finding to a JSON error if the output contains `NaN` or `Infinity`, the most common mistakes of checkers.
fn explain_json_error(printed: &[u8], error: Error) -> Error {
    let mut in_string = false;
    let mut escaped = false;
    let word = printed.iter().enumerate().find_map(|(at, byte)| {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'N' | b'I') => {
                let rest = printed.get(at..).unwrap_or_default();
                return ["NaN", "Infinity"].into_iter().find(|word| rest.starts_with(word.as_bytes()));
            }
            _ => {}
        }
        None
    });
    let Some(word) = word else { return error };
    let mut findings = Findings::new();
    findings.push(Finding::error(
        "not-a-number",
        "",
        format!("{word} is not JSON"),
        "print a number; Python's json.dumps(..., allow_nan=False) finds such values before they are printed",
    ));
    error.findings().iter().for_each(|finding| findings.push(finding.clone()));
    Error::new(ErrorKind::Json, findings)
}

fn share(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Decimal> {
    let number = json::decimal(value, at, findings)?;
    let (zero, one, slack) = (Decimal::zero(), Decimal::one(), Decimal::new(1, -9));
    if number < zero.subtract(&slack) || number > one.add(&slack) {
        findings.push(Finding::error(
            "score-range",
            at.pointer(),
            "the score is not between 0 and 1",
            "print the share of the points, not the points",
        ));
        return None;
    }
    Some(number.clamp(zero, one))
}

fn message(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    json::string(0, MESSAGE)(value, at, findings)
}

fn index(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<usize> {
    json::integer(0, i64::from(u32::MAX))(value, at, findings).and_then(|index| usize::try_from(index).ok())
}

impl Read for CheckerResult {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let score = object.required("score", share);
        let validation = object.required("validation", Validation::read);
        let feedback = object.required("feedback", Feedback::read);
        let subtasks = object.defaulted("subtasks", Vec::new(), json::list(0, ENTRIES, Subtask::read));
        Some(Self {
            score: score?,
            validation: validation?,
            feedback: feedback?,
            subtasks: subtasks?,
            document: Json::Null,
        })
    }
}

impl Read for Validation {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let cases = object.required("cases", json::list(0, ENTRIES, ValidationCase::read));
        let alerts = object.required("alerts", json::list(0, ENTRIES, Alert::read));
        Some(Self { cases: cases?, alerts: alerts? })
    }
}

impl Read for ValidationCase {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let status = object.required("status", json::word(Status::WORDS));
        let message = absent_or(&mut object, "message", message);
        Some(Self { status: status?, message: message? })
    }
}

impl Read for Feedback {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let cases = object.required("cases", json::list(0, ENTRIES, FeedbackCase::read));
        let alerts = object.required("alerts", json::list(0, ENTRIES, Alert::read));
        Some(Self { cases: cases?, alerts: alerts? })
    }
}

impl Read for FeedbackCase {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let correct = object.required("correct", json::boolean);
        let message = absent_or(&mut object, "message", message);
        Some(Self { correct: correct?, message: message? })
    }
}

impl Read for Alert {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let severity = object.required("severity", json::word(AlertSeverity::WORDS));
        let message = object.required("message", message);
        let blocking = absent_or(&mut object, "blocking", json::boolean);
        Some(Self { severity: severity?, message: message?, blocking: blocking?.unwrap_or(false) })
    }
}

impl Read for Subtask {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let score = object.required("score", json::decimal);
        let max_score = object.required("max_score", json::decimal);
        let testcases = object.required("testcases", json::list(0, ENTRIES, index));
        let labels = absent_or(&mut object, "labels", json::list(0, 100, message));
        Some(Self {
            score: score?,
            max_score: max_score?,
            testcases: testcases?,
            labels: labels?.unwrap_or_default(),
        })
    }
}

impl fmt::Debug for CheckerResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CheckerResult").field("validation", &self.validation).finish_non_exhaustive()
    }
}

impl fmt::Debug for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feedback").field("cases", &self.cases.len()).finish_non_exhaustive()
    }
}
