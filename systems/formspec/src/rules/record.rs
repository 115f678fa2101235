//! The semantic rules of a record, without its screener.

use std::collections::BTreeSet;

use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::json::Json;

use crate::answers::pointer;
use crate::record::{
    AnswerState, DeterminationRecord, PhaseResult, PhaseStatus, RouteResult, Status, Validity,
};
use crate::screener::Strategy;
use crate::time::{Duration, Moment};

/// Checks the rules of a record that a schema cannot express and that do not need its screener.
///
/// | rule | what is wrong |
/// |---|---|
/// | `halted` | phases although an override halted the evaluation, or halted without an override (E1506) |
/// | `unavailable` | phases, overrides or a validity although nothing was evaluated (E1506) |
/// | `no-phases` | no phases although nothing stopped the evaluation (E1506) |
/// | `validity` | incomplete or unreadable; missing in an expired record; not timestamp + duration (E1506) |
/// | `version-empty` | an empty version (E1506) |
/// | `phase-duplicate` | two phases with the same id |
/// | `phase-not-evaluated` | routes in a phase that did not run |
/// | `reason` | a matched route with a reason, or an eliminated route without one |
/// | `score` | a score outside score-threshold, or a match of score-threshold without a score |
/// | `input-value` | a value with `declined` or `not-presented` |
/// | `status` | `completed` although an item was declined |
pub fn check_record(record: &DeterminationRecord) -> Vec<Finding> {
    let mut check = Check { findings: Findings::new() };
    check.versions(record);
    check.outcome(record);
    for (at, route) in record.overrides.matched.iter().enumerate() {
        let place = format!("/overrides/matched/{at}");
        check.matched(route, &place);
        check.unscored(route, &place);
    }
    let mut ids = BTreeSet::new();
    for (at, phase) in record.phases.iter().enumerate() {
        if !ids.insert(phase.id.as_str()) {
            check.error("phase-duplicate", format!("/phases/{at}/id"), "an earlier phase has the same id");
        }
        check.phase(phase, &format!("/phases/{at}"));
    }
    check.inputs(record);
    check.validity(record);
    check.findings.into_vec()
}

struct Check {
    findings: Findings,
}

const HELP: &str = "evaluate the screener again instead of editing its record";

impl Check {
    fn error(&mut self, rule: &'static str, pointer: impl Into<String>, message: &str) {
        self.findings.push(Finding::error(rule, pointer, message, HELP));
    }

    fn versions(&mut self, record: &DeterminationRecord) {
        let versions = [
            ("/screener/version", &record.screener.version),
            ("/evaluationVersion", &record.evaluation_version),
        ];
        for (place, version) in versions {
            if version.trim().is_empty() {
                self.error("version-empty", place, "the version is empty (E1506)");
            }
        }
    }

    fn outcome(&mut self, record: &DeterminationRecord) {
        let (overrides, phases) = (&record.overrides, &record.phases);
        if overrides.halted && !phases.is_empty() {
            self.error(
                "halted",
                "/phases",
                "an override halted the evaluation, but there are phases (E1506)",
            );
        }
        if overrides.halted && overrides.matched.is_empty() {
            self.error("halted", "/overrides/halted", "the evaluation was halted, but no override matched");
        }
        if record.status == Status::Unavailable {
            if !phases.is_empty() {
                self.error("unavailable", "/phases", "nothing was evaluated, but there are phases (E1506)");
            }
            if overrides.halted || !overrides.matched.is_empty() {
                self.error(
                    "unavailable",
                    "/overrides",
                    "nothing was evaluated, but overrides matched (E1506)",
                );
            }
            if record.validity.is_some() {
                self.error(
                    "unavailable",
                    "/validity",
                    "nothing was evaluated, but there is a validity (E1506)",
                );
            }
        } else if !overrides.halted && phases.is_empty() {
            self.error(
                "no-phases",
                "/phases",
                "nothing stopped the evaluation, but there are no phases (E1506)",
            );
        }
    }

    fn phase(&mut self, phase: &PhaseResult, place: &str) {
        let empty = phase.matched.is_empty() && phase.eliminated.is_empty();
        if phase.status != PhaseStatus::Evaluated && !empty {
            self.error("phase-not-evaluated", place, "the phase did not run, but routes are listed");
        }
        for (at, route) in phase.matched.iter().enumerate() {
            let place = format!("{place}/matched/{at}");
            self.matched(route, &place);
            match phase.strategy {
                Strategy::ScoreThreshold if route.score.is_none() => {
                    self.error("score", place, "a route that matched by its score has none");
                }
                Strategy::ScoreThreshold | Strategy::Other(_) => {}
                _ => self.unscored(route, &place),
            }
        }
        for (at, route) in phase.eliminated.iter().enumerate() {
            let place = format!("{place}/eliminated/{at}");
            if route.reason.is_none() {
                self.error("reason", &place, "an eliminated route has no reason");
            }
            if !matches!(phase.strategy, Strategy::ScoreThreshold | Strategy::Other(_)) {
                self.unscored(route, &place);
            }
        }
    }

    fn matched(&mut self, route: &RouteResult, place: &str) {
        if route.reason.is_some() {
            self.error("reason", format!("{place}/reason"), "only eliminated routes have a reason");
        }
    }

    fn unscored(&mut self, route: &RouteResult, place: &str) {
        if route.score.is_some() {
            self.error("score", format!("{place}/score"), "only score-threshold gives scores");
        }
    }

    fn inputs(&mut self, record: &DeterminationRecord) {
        for (path, input) in &record.inputs {
            let null = input.value.as_ref().is_none_or(|value| *value == Json::Null);
            if input.state != AnswerState::Answered && !null {
                let place = format!("/inputs{}/value", pointer(path));
                self.error("input-value", place, "an item that was not answered has a value");
            }
        }
        let declined = record.inputs.values().any(|input| input.state == AnswerState::Declined);
        if declined && record.status == Status::Completed {
            self.error("status", "/status", "the record is completed, but an item was declined");
        }
    }

    fn validity(&mut self, record: &DeterminationRecord) {
        let Some(Validity { valid_until, result_validity }) = &record.validity else {
            if record.status == Status::Expired {
                self.error("validity", "/validity", "the record is expired, but it has no validity (E1506)");
            }
            return;
        };
        let until = valid_until.as_deref().and_then(Moment::parse);
        let duration = result_validity.as_deref().and_then(Duration::parse);
        if until.is_none() {
            self.error(
                "validity",
                "/validity/validUntil",
                "there is no date-time until which it is valid (E1506)",
            );
        }
        if duration.is_none() {
            self.error(
                "validity",
                "/validity/resultValidity",
                "there is no duration that can be read (E1506)",
            );
        }
        if let (Some(until), Some(duration), Some(made)) = (until, duration, Moment::parse(&record.timestamp))
            && made.plus(&duration) != Some(until)
        {
            self.error("validity", "/validity/validUntil", "not the timestamp plus the duration");
        }
    }
}
