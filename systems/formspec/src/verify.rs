//! Replays and expires records.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};

use crate::answers::Answers;
use crate::evaluate::{Evaluator, Options};
use crate::language::Language;
use crate::record::{AnswerState, DeterminationRecord, PhaseResult, RouteResult, Status, Validity};
use crate::rules::check_record;
use crate::screener::Screener;
use crate::time::{Date, Moment};

/// Replays `record` against `screener` and reports the differences. If there are no findings, the record agrees with
/// the screener.
///
/// The result contains the findings of [`check_record`] about the record, except those that the replayed record has, too.
/// Differences from the replay are `replay` findings with pointers into the record; extensions are not compared.
/// A record of another screener is not replayed, and gives an `other-screener` finding. Ends of validity are
/// compared as instants and scores as their nearest `f64`. An expired record is replayed like any other.
///
/// # Errors
/// The same as for [`Evaluator::new`] and [`Evaluator::determine`], about the screener and the record's inputs.
pub fn verify<L: Language>(
    record: &DeterminationRecord,
    screener: &Screener,
    language: L,
    options: Options,
) -> Result<Vec<Finding>, Error> {
    let mut replay = Replay { findings: Findings::new() };
    if record.screener.url != screener.url || record.screener.version != screener.version {
        check_record(record).into_iter().for_each(|finding| replay.findings.push(finding));
        replay.findings.push(Finding::error(
            "other-screener",
            "/screener",
            "the record was made by another screener or by another version of this screener",
            "verify with the screener that the record names",
        ));
        return Ok(replay.findings.into_vec());
    }
    let answers = Answers::of_record(&record.inputs);
    let again = Evaluator::new(screener, language, options)?.determine(&answers, &record.timestamp)?.record;
    // Findings that the replayed record has, too, come from defects of the screener (no phases, duplicate ids). The
    // screener's own check reports these.
    let own = check_record(&again);
    for finding in check_record(record).into_iter().filter(|finding| !own.contains(finding)) {
        replay.findings.push(finding);
    }
    replay.compare(record, &again);
    Ok(replay.findings.into_vec())
}

struct Replay {
    findings: Findings,
}

impl Replay {
    fn differs(&mut self, pointer: impl Into<String>, what: &str) {
        self.findings.push(Finding::error(
            "replay",
            pointer,
            format!("the replay gives {what}"),
            "evaluate the screener again; do not edit the record",
        ));
    }

    fn compare(&mut self, record: &DeterminationRecord, again: &DeterminationRecord) {
        if record.evaluation_version != again.evaluation_version {
            self.differs("/evaluationVersion", "another version");
        }
        self.status(record, again);
        for path in again.inputs.keys() {
            if !record.inputs.contains_key(path) {
                self.differs(format!("/inputs{}", crate::answers::pointer(path)), "an entry for this item");
            }
        }
        if record.overrides.halted != again.overrides.halted {
            self.differs("/overrides/halted", &format!("{}", again.overrides.halted));
        }
        self.routes(&record.overrides.matched, &again.overrides.matched, "/overrides/matched");
        if record.phases.len() != again.phases.len() {
            self.differs("/phases", &format!("another number of phases: {}", again.phases.len()));
        }
        for (at, (phase, again)) in record.phases.iter().zip(&again.phases).enumerate() {
            self.phase(phase, again, &format!("/phases/{at}"));
        }
        let moment = |validity: &Option<Validity>| {
            validity.as_ref().map(|validity| {
                (validity.valid_until.as_deref().and_then(Moment::parse), validity.result_validity.clone())
            })
        };
        if moment(&record.validity) != moment(&again.validity) {
            self.differs(
                "/validity",
                if again.validity.is_some() { "another validity" } else { "no validity" },
            );
        }
    }

    fn status(&mut self, record: &DeterminationRecord, again: &DeterminationRecord) {
        use Status::{Completed, Expired, Partial};
        let agrees = match (record.status, again.status) {
            // Only the status changes when a record expires.
            (Expired, Completed | Partial) => true,
            // Other programs write null for unanswered items, too, so their records do not distinguish these from
            // items that were not presented.
            (Partial, Completed) => {
                record.inputs.values().any(|input| input.state == AnswerState::NotPresented)
            }
            (recorded, replayed) => recorded == replayed,
        };
        if !agrees {
            self.differs("/status", &format!("`{}`", again.status.as_str()));
        }
    }

    fn phase(&mut self, phase: &PhaseResult, again: &PhaseResult, place: &str) {
        if phase.id != again.id {
            self.differs(format!("{place}/id"), "another phase");
            return;
        }
        if phase.status != again.status {
            self.differs(format!("{place}/status"), &format!("`{}`", again.status.as_str()));
        }
        if phase.strategy != again.strategy {
            self.differs(format!("{place}/strategy"), "another strategy");
        }
        self.routes(&phase.matched, &again.matched, &format!("{place}/matched"));
        self.routes(&phase.eliminated, &again.eliminated, &format!("{place}/eliminated"));
        let none = Vec::new();
        if phase.warnings.as_ref().unwrap_or(&none) != again.warnings.as_ref().unwrap_or(&none) {
            self.differs(format!("{place}/warnings"), "other warnings");
        }
    }

    fn routes(&mut self, routes: &[RouteResult], again: &[RouteResult], place: &str) {
        if routes.len() != again.len() {
            self.differs(place, &format!("another number of routes: {}", again.len()));
        }
        for (at, (route, again)) in routes.iter().zip(again).enumerate() {
            let score = |route: &RouteResult| route.score.as_ref().map(Decimal::to_f64);
            let differences = [
                ("target", route.target != again.target),
                ("label", route.label != again.label),
                ("message", route.message != again.message),
                ("score", score(route) != score(again)),
                ("reason", route.reason != again.reason),
                ("metadata", route.metadata != again.metadata),
            ];
            for (member, differs) in differences {
                if differs {
                    self.differs(format!("{place}/{at}/{member}"), &format!("another {member}"));
                }
            }
        }
    }
}

/// Returns the record as of `now`: `expired` if it was `completed` or `partial` and `now` is after `validUntil` (that
/// moment itself is still valid). Only the status changes.
///
/// # Errors
/// [`ErrorKind::Mismatch`] when `now` is neither an RFC 3339 date-time nor a date; [`ErrorKind::Spec`] when a
/// `completed` or `partial` record has a validity whose end is missing or cannot be read.
pub fn expire(record: &DeterminationRecord, now: &str) -> Result<DeterminationRecord, Error> {
    let now = Moment::parse(now).or_else(|| Date::parse(now).map(Moment::midnight)).ok_or_else(|| {
        Error::single(
            ErrorKind::Mismatch,
            Finding::error(
                "date-time-form",
                "/now",
                "`now` is neither an RFC 3339 date-time nor a date",
                "pass a time such as 2026-03-01T09:30:00Z or a date such as 2026-03-01",
            ),
        )
    })?;
    let mut record = record.clone();
    if let (Status::Completed | Status::Partial, Some(validity)) = (record.status, &record.validity) {
        let until = validity.valid_until.as_deref().and_then(Moment::parse).ok_or_else(|| {
            Error::single(
                ErrorKind::Spec,
                Finding::error(
                    "validity",
                    "/validity/validUntil",
                    "`validUntil` is missing or is not an RFC 3339 date-time (E1506)",
                    "evaluate the screener again",
                ),
            )
        })?;
        if now > until {
            record.status = Status::Expired;
        }
    }
    Ok(record)
}
