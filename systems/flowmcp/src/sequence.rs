//! The history of one node: full and partial entries in chronological order, and the resulting status.

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::Json;

use crate::area::Grade;
use crate::entry::{AggregateGrade, Entry, GradingMode};
use crate::word::words;

words! {
    /// The status of a graded node.
    NodeStatus {
        /// Not yet graded, or changed since.
        Pending = "pending",
        /// Cannot be graded at present, for a reason that can be corrected.
        Blocked = "blocked",
        /// A grade exists.
        Graded = "graded",
        /// Fully graded and good enough to be used.
        Stable = "stable",
        /// A veto was raised; only a new full evaluation lifts it.
        Rejected = "rejected",
    }
}

/// The lowest grade at which a fully graded node is stable: A and B are.
pub const STABLE_FROM: Grade = Grade::B;

/// The parts of one entry that a history needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The mode; `None` for a word that is not a mode.
    pub mode: Option<GradingMode>,
    /// The grade.
    pub grade: AggregateGrade,
    /// The hash of the graded schema, if it is known.
    pub schema_hash: Option<&'a str>,
}

impl<'a> Step<'a> {
    /// Creates a step of a history.
    pub fn new(mode: Option<GradingMode>, grade: AggregateGrade) -> Self {
        Self { mode, grade, schema_hash: None }
    }

    /// Returns the step for an entry.
    pub fn of(entry: &'a Entry) -> Self {
        let (mode, grade) = (Some(entry.grading_mode), entry.aggregate_grade);
        Self { mode, grade, schema_hash: Some(entry.schema_hash.as_str()) }
    }
}

/// A status with its grade and, if there is one, its reason.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Node {
    /// The status.
    pub status: NodeStatus,
    /// The grade of the last full entry.
    pub grade: Option<AggregateGrade>,
    /// The reason why it is pending or blocked.
    pub reason: Option<String>,
}

impl Node {
    /// Creates a node that is not graded yet.
    pub fn pending() -> Self {
        Self { status: NodeStatus::Pending, grade: None, reason: None }
    }

    /// Creates a node that cannot be graded, with the reason.
    pub fn blocked(reason: impl Into<String>) -> Self {
        Self { status: NodeStatus::Blocked, grade: None, reason: Some(reason.into()) }
    }

    /// Returns the node as in an index.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("status", self.status)
            .with_some("grade", self.grade)
            .with_some("reason", self.reason.as_ref())
            .build()
    }
}

/// Reports violations of the rules for full and partial entries; pointers are indices into `steps`.
///
/// The first entry is full (`PRT-003`), a mode is `full` or `partial` (`PRT-002`), and a partial entry keeps the grade
/// of the last full one (`PRT-004`), unless it carries a veto.
pub fn check_sequence(steps: &[Step<'_>], findings: &mut Findings) {
    let mut last_full = None;
    for (index, step) in steps.iter().enumerate() {
        match step.mode {
            None => findings.push(Finding::error(
                "PRT-002",
                format!("/{index}/gradingMode"),
                "a mode is full or partial",
                "write full or partial",
            )),
            Some(GradingMode::Full) => last_full = Some(step.grade),
            Some(GradingMode::Partial) => match last_full {
                _ if step.grade == AggregateGrade::Rejected => {}
                Some(grade) if grade == step.grade => {}
                Some(grade) => findings.push(Finding::error(
                    "PRT-004",
                    format!("/{index}/aggregateGrade"),
                    format!("a partial entry keeps the grade {grade} of the last full one"),
                    "keep the grade, or grade the whole area",
                )),
                None => findings.push(Finding::error(
                    "PRT-003",
                    format!("/{index}/gradingMode"),
                    "a partial entry has no full one before it, so its grade has no source",
                    "grade the whole area first",
                )),
            },
        }
    }
}

/// Returns the status after a history in chronological order. `live_hash` is the current hash of the schema.
///
/// A veto rejects until the next full entry; a full entry is stable from the grade `stable_from` on, and graded below
/// it; a partial entry changes nothing; without a full entry, or if the schema has changed since, the node is pending.
pub fn node_of(steps: &[Step<'_>], stable_from: Grade, live_hash: Option<&str>) -> Node {
    let mut node = Node::pending();
    let mut graded_hash = None;
    for step in steps {
        match (step.mode, step.grade) {
            (None, _) => {}
            (Some(_), AggregateGrade::Rejected) => {
                node = Node { status: NodeStatus::Rejected, grade: Some(step.grade), reason: None };
            }
            (Some(GradingMode::Full), AggregateGrade::Letter(grade)) => {
                let status = if grade >= stable_from { NodeStatus::Stable } else { NodeStatus::Graded };
                node = Node { status, grade: Some(step.grade), reason: None };
                graded_hash = step.schema_hash;
            }
            (Some(GradingMode::Partial), AggregateGrade::Letter(_)) => {}
        }
    }
    let changed = matches!((graded_hash, live_hash), (Some(graded), Some(live)) if graded != live);
    if changed && matches!(node.status, NodeStatus::Stable | NodeStatus::Graded) {
        return Node { reason: Some("schema changed, regrade required".into()), ..Node::pending() };
    }
    node
}
