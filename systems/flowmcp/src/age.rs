//! Aging: answers that depend on time become `stale`, never `fail`.
//!
//! An entry does not record which questions depend on time, so the caller gives each question its class; by
//! default, answers do not age. The stored entry stays unchanged, because aging returns a new list of
//! answers.

use std::collections::BTreeMap;

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Json, Object, Path, Read, Value, integer};

use crate::aggregate::{Aggregation, Policy};
use crate::answer::{Answer, QuestionId, Score};
use crate::entry::{Entry, GradingMode};
use crate::moment::Moment;

/// The number of days after which an answer about `apiAvailability` is stale.
pub const API_DAYS: u32 = 14;
/// The number of days after which an answer about `tosMatch` or `legalAssessment` is stale.
pub const TOS_DAYS: u32 = 30;
/// The number of days after which a whole entry is due for archiving.
pub const RETENTION_DAYS: u32 = 180;

/// The aging behaviour of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgingClass {
    /// Answers never age.
    TimeIndependent,
    /// Answers are stale when they are older than this number of days.
    Days(u32),
}

impl AgingClass {
    /// The predefined class for the availability of an API.
    pub const API: Self = Self::Days(API_DAYS);
    /// The predefined class for terms of service and legal assessment.
    pub const TOS: Self = Self::Days(TOS_DAYS);
}

/// Reads `"time-independent"`, `"API_DAYS"`, `"TOS_DAYS"`, `"RETENTION_DAYS"` or a whole number of days.
fn class(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<AgingClass> {
    match value.str().as_deref() {
        Some("time-independent") => Some(AgingClass::TimeIndependent),
        Some("API_DAYS") => Some(AgingClass::API),
        Some("TOS_DAYS") => Some(AgingClass::TOS),
        Some("RETENTION_DAYS") => Some(AgingClass::Days(RETENTION_DAYS)),
        Some(_) => {
            findings.push(Finding::error(
                "aging-class",
                at.pointer(),
                "an aging class is a number of days or one of four words",
                "use time-independent, API_DAYS, TOS_DAYS, RETENTION_DAYS or a number of days",
            ));
            None
        }
        None => integer(0, 1_000_000)(value, at, findings)
            .and_then(|days| u32::try_from(days).ok())
            .map(AgingClass::Days),
    }
}

/// The aging classes of questions, and the retention time of entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AgingPlan {
    /// The class of each question. A question without a class does not age, and a finding reports it.
    pub classes: BTreeMap<QuestionId, AgingClass>,
    /// The number of days after which an entry is due for archiving; not checked if absent.
    pub retention_days: Option<u32>,
}

impl AgingPlan {
    /// Creates a plan without classes and without a retention time.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the class of a question.
    #[must_use]
    pub fn with(mut self, question: QuestionId, class: AgingClass) -> Self {
        self.classes.insert(question, class);
        self
    }

    /// Sets the retention time in days.
    #[must_use]
    pub fn with_retention(mut self, days: u32) -> Self {
        self.retention_days = Some(days);
        self
    }
}

impl Read for AgingPlan {
    /// Reads `{ "classes": { "Q-...": class }, "retentionDays": class? }`.
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let classes = object.required("classes", |value, at, findings| {
            Object::open(value, at, findings)?;
            let mut classes = BTreeMap::new();
            let mut sound = true;
            for (name, value) in value.fields() {
                let at = Path::Field(at, &name);
                let Some(question) = QuestionId::new(&name) else {
                    findings.push(Finding::error(
                        "question-id-form",
                        at.pointer(),
                        "a question id begins with Q-",
                        "name the question as the entry does",
                    ));
                    sound = false;
                    continue;
                };
                match class(value, &at, findings) {
                    Some(class) => drop(classes.insert(question, class)),
                    None => sound = false,
                }
            }
            sound.then_some(classes)
        });
        let retention = object.optional("retentionDays", class);
        object.close();
        let retention_days = match retention? {
            Some(AgingClass::Days(days)) => Some(days),
            Some(AgingClass::TimeIndependent) | None => None,
        };
        Some(Self { classes: classes?, retention_days })
    }
}

/// An entry's answers at a later time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Aged {
    /// All answers. Numbers, `pass` and `fail` that are too old are replaced by `stale`.
    pub gradings: Vec<Answer>,
    /// The indices of the answers that became stale.
    pub became_stale: Vec<usize>,
    /// True if the entry is due for archiving.
    pub past_retention: bool,
    /// The grade of the aged answers, if the version of the grading system is known. Absent for a partial entry
    /// without a veto, whose grade does not follow from its answers.
    pub aggregation: Option<Aggregation>,
    /// Findings about answers that became stale, have no class or are in the future, and about the retention.
    pub findings: Vec<Finding>,
}

impl Aged {
    /// Returns the aged answers and their grade, as JSON.
    pub fn to_json(&self, entry: &Entry) -> Json {
        let stale = self.became_stale.iter().filter_map(|&index| entry.gradings.get(index));
        Json::build()
            .with("gradingId", &entry.grading_id)
            .with("gradings", Json::array(&self.gradings))
            .with("becameStale", Json::array(stale.map(|answer| &answer.question_id)))
            .with("pastRetention", self.past_retention)
            .with_some(
                "aggregation",
                self.aggregation
                    .as_ref()
                    .map(|result| crate::line::aggregation_json(result, entry.grading_tier)),
            )
            .with("findings", crate::line::findings(&self.findings))
            .build()
    }
}

/// Ages the answers of `entry` to the time `now`. An age equal to the threshold is not too old.
///
/// ```
/// use fablegrade_flowmcp::age::{AgingClass, AgingPlan, age};
/// use fablegrade_flowmcp::answer::QuestionId;
/// # use fablegrade_flowmcp::entry::Entry;
/// # use fablegrade_public::identifier::Instant;
/// # let entry = Entry::from_json(include_bytes!("../tests/documents/autonomous.json"))?;
/// let plan = AgingPlan::new().with(QuestionId::new("Q-api-availability").unwrap(), AgingClass::API);
/// let aged = age(&entry, &plan, &Instant::new("2026-06-20T00:00:00Z").unwrap());
/// assert_eq!(aged.became_stale, [0]);
/// # Ok::<(), fablegrade_public::finding::Error>(())
/// ```
pub fn age(entry: &Entry, plan: &AgingPlan, now: &Instant) -> Aged {
    let now = Moment::of(now);
    let mut findings = Findings::new();
    let mut became_stale = Vec::new();
    let gradings: Vec<Answer> = entry
        .gradings
        .iter()
        .enumerate()
        .map(|(index, answer)| {
            let at = || format!("/gradings/{index}");
            let scored = Moment::of(&answer.timestamp);
            if scored > now {
                findings.push(Finding::warning(
                    "answer-in-the-future",
                    at() + "/timestamp",
                    "the answer is younger than the time of aging",
                    "check the clock that gave `now`",
                ));
            }
            match plan.classes.get(&answer.question_id) {
                None => findings.push(Finding::info(
                    "aging-class-missing",
                    at() + "/questionId",
                    "no aging class is given for this question, so it does not age",
                    "name its class: time-independent or a number of days",
                )),
                Some(AgingClass::Days(days))
                    if answer.score.is_counted() && now.is_later_by_more_than(*days, scored) =>
                {
                    became_stale.push(index);
                    findings.push(Finding::warning(
                        "SCO-WARN-001",
                        at() + "/score",
                        format!("the answer is older than {days} days and is stale now"),
                        "grade the question again",
                    ));
                    return answer.with_score(Score::Stale);
                }
                Some(_) => {}
            }
            answer.clone()
        })
        .collect();
    let past_retention =
        plan.retention_days.is_some_and(|days| now.is_later_by_more_than(days, entry.newest_answer()));
    if past_retention {
        findings.push(Finding::warning(
            "GRD-WARN-001",
            "",
            "the newest answer is older than the retention",
            "archive the entry; do not delete it",
        ));
    }
    let view = Entry { gradings, ..entry.clone() };
    let keeps_grade = entry.grading_mode == GradingMode::Partial && entry.categorical_veto.is_none();
    let policy = Policy::of(&entry.grading_system).filter(|_| !keeps_grade);
    let aggregation = policy.map(|policy| policy.aggregate_entry(&view));
    Aged { gradings: view.gradings, became_stale, past_retention, aggregation, findings: findings.into_vec() }
}
