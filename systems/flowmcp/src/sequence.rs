//! The history of one node: full and partial entries in chronological order, and the resulting status.

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::Json;

use crate::area::Grade;
use crate::entry::{AggregateGrade, Entry, GradingMode};
use crate::word::words;

words! {
    /// The status of a graded node.
    NodeStatus {
        /// The node is not yet graded, or its schema has changed since it was graded.
        Pending = "pending",
        /// The node cannot be graded at present, for a reason that can be corrected.
        Blocked = "blocked",
        /// The node is fully graded, but its grade is below the limit for `stable`.
        Graded = "graded",
        /// The node is fully graded, with a grade that is good enough for use.
        Stable = "stable",
        /// The node has a veto, which only a new full entry can lift.
        Rejected = "rejected",
    }
}

/// The lowest grade at which a fully graded node is stable.
pub const STABLE_FROM: Grade = Grade::B;

/// The parts of one entry that a history needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The mode, or `None` for a word that is not a mode.
    pub mode: Option<GradingMode>,
    /// The grade.
    pub grade: AggregateGrade,
    /// The hash of the graded schema, if it is known.
    pub schema_hash: Option<&'a str>,
}

impl<'a> Step<'a> {
    /// Creates a step without a schema hash.
    pub fn new(mode: Option<GradingMode>, grade: AggregateGrade) -> Self {
        Self { mode, grade, schema_hash: None }
    }

    /// Returns the step for an entry.
    pub fn of(entry: &'a Entry) -> Self {
        let (mode, grade) = (Some(entry.grading_mode), entry.aggregate_grade);
        Self { mode, grade, schema_hash: Some(entry.schema_hash.as_str()) }
    }
}

/// The status of a node, with its grade and reason if there are any.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Node {
    /// The status.
    pub status: NodeStatus,
    /// The grade of the last full entry, or `REJECTED` after a veto.
    pub grade: Option<AggregateGrade>,
    /// The reason for the status `pending` or `blocked`.
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

    /// Returns the JSON of the node, as in an index.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("status", self.status)
            .with_some("grade", self.grade)
            .with_some("reason", self.reason.as_ref())
            .build()
    }
}

/// Reports violations of the rules for full and partial entries. Pointers begin with indices into `steps`.
///
/// A mode must be `full` or `partial` (`PRT-002`). Unless it has a veto, a partial entry must follow a full
/// one (`PRT-003`) and keep the grade of the last full one (`PRT-004`).
pub fn check_sequence(steps: &[Step<'_>], findings: &mut Findings) {
    let mut last_full = None;
    for (index, step) in steps.iter().enumerate() {
        match step.mode {
            None => findings.push(Finding::error(
                "PRT-002",
                format!("/{index}/gradingMode"),
                "not a grading mode",
                "write `full` or `partial`",
            )),
            Some(GradingMode::Full) => last_full = Some(step.grade),
            Some(GradingMode::Partial) => match last_full {
                _ if step.grade == AggregateGrade::Rejected => {}
                Some(grade) if grade == step.grade => {}
                Some(grade) => findings.push(Finding::error(
                    "PRT-004",
                    format!("/{index}/aggregateGrade"),
                    format!("the grade differs from {grade}, the grade of the last full entry"),
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

/// Returns the last full step without a veto, which gives a node its grade.
pub(crate) fn graded_step<'s, 'a>(steps: &'s [Step<'a>]) -> Option<&'s Step<'a>> {
    steps
        .iter()
        .rev()
        .find(|step| step.mode == Some(GradingMode::Full) && matches!(step.grade, AggregateGrade::Letter(_)))
}

/// Returns the node after a history in chronological order. `live_hash` is the current hash of the schema.
///
/// An entry with a veto makes the node rejected until the next full entry without a veto. A full entry without
/// a veto makes the node stable if its grade is at least `stable_from`, and otherwise graded. A partial entry
/// without a veto does not change the node. A node that is not rejected is pending if it has no full entry, or
/// if its schema has changed since the last full entry. Steps without a mode are ignored.
pub fn node_of(steps: &[Step<'_>], stable_from: Grade, live_hash: Option<&str>) -> Node {
    let mut node = Node::pending();
    for step in steps {
        match (step.mode, step.grade) {
            (None, _) => {}
            (Some(_), AggregateGrade::Rejected) => {
                node = Node { status: NodeStatus::Rejected, grade: Some(step.grade), reason: None };
            }
            (Some(GradingMode::Full), AggregateGrade::Letter(grade)) => {
                let status = if grade >= stable_from { NodeStatus::Stable } else { NodeStatus::Graded };
                node = Node { status, grade: Some(step.grade), reason: None };
            }
            (Some(GradingMode::Partial), AggregateGrade::Letter(_)) => {}
        }
    }
    let graded_hash = graded_step(steps).and_then(|step| step.schema_hash);
    let changed = matches!((graded_hash, live_hash), (Some(graded), Some(live)) if graded != live);
    if changed && matches!(node.status, NodeStatus::Stable | NodeStatus::Graded) {
        return Node { reason: Some("schema changed, regrade required".into()), ..Node::pending() };
    }
    node
}
