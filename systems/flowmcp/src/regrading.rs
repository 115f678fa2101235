//! The trigger of a re-grading, by which an entry supersedes an older one; the older entry stays unchanged.

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{Json, Object, Path, Read, Value, string};

use crate::entry::{coded, optional_text, required_or};
use crate::word::words;

words! {
    /// The cause of a re-grading.
    RegradingCause {
        /// A user reported that the tool no longer works.
        UserReport = "user-report",
        /// A scheduled run.
        Scheduled = "scheduled",
        /// A new version of the scoring system.
        ScoringSystemBump = "scoring-system-bump",
        /// A new version of the grading system.
        GradingSystemBump = "grading-system-bump",
    }
}

/// The trigger of a re-grading, which also names the superseded entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::regrading_conditions)
)]
#[non_exhaustive]
pub struct RegradingTrigger {
    /// The cause.
    pub triggered_by: RegradingCause,
    /// The `gradingId` of the superseded entry.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub previous_grading_id: String,
    /// The time.
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::schema::date_time"))]
    pub timestamp: Instant,
    /// The user's report; required for the cause `user-report`.
    pub reported_issue: Option<String>,
    /// The user who requested the re-grading; required for the cause `user-report`.
    pub requested_by: Option<String>,
}

impl Read for RegradingTrigger {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let triggered_by = object.required("triggeredBy", RegradingCause::read);
        let previous_grading_id =
            required_or(&mut object, "previousGradingId", "GRD-006", coded("GRD-006", string(1, usize::MAX)));
        let timestamp = object.required("timestamp", Instant::read);
        let reported_issue = optional_text(&mut object, "reportedIssue", 0);
        let requested_by = optional_text(&mut object, "requestedBy", 0);
        if triggered_by == Some(RegradingCause::UserReport) {
            for (name, field) in [("reportedIssue", &reported_issue), ("requestedBy", &requested_by)] {
                if *field == Some(None) {
                    object.report(Finding::error(
                        "missing-field",
                        at.pointer(),
                        format!("a re-grading after a user's report needs `{name}`"),
                        format!("add `{name}`"),
                    ));
                }
            }
        }
        object.close();
        Some(Self {
            triggered_by: triggered_by?,
            previous_grading_id: previous_grading_id?,
            timestamp: timestamp?,
            reported_issue: reported_issue?,
            requested_by: requested_by?,
        })
    }
}

impl From<&RegradingTrigger> for Json {
    fn from(trigger: &RegradingTrigger) -> Self {
        Json::build()
            .with("triggeredBy", trigger.triggered_by)
            .with("previousGradingId", &trigger.previous_grading_id)
            .with("timestamp", &trigger.timestamp)
            .with_some("reportedIssue", trigger.reported_issue.as_ref())
            .with_some("requestedBy", trigger.requested_by.as_ref())
            .build()
    }
}
