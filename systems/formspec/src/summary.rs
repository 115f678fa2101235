//! A determination in words, for people at a terminal.

use std::fmt;

use crate::record::{AnswerState, DeterminationRecord, PhaseStatus, RouteResult, Status, reason};

/// A record in words: its status, the overrides that matched, and the routes of each phase with the reasons
/// why they were eliminated. The numbers of answered and other items and the end of the validity follow. No
/// line repeats the respondent's answers, except in messages that the screener interpolates.
///
/// ```
/// # use fablegrade_formspec::{DeterminationRecord, Summary};
/// # let record = DeterminationRecord::parse(br#"{"$formspecDetermination":"1.0","screener":{"url":"urn:s","version":"1.0.0"},
/// #     "timestamp":"2026-01-01T00:00:00Z","evaluationVersion":"1.0.0","status":"completed",
/// #     "overrides":{"matched":[],"halted":false},"inputs":{"a":{"state":"answered","value":2}},
/// #     "phases":[{"id":"aid","status":"evaluated","strategy":"fan-out","warnings":[],
/// #        "matched":[{"target":"urn:a","label":"Food"}],"eliminated":[{"target":"urn:b","reason":"condition-false"}]}]}"#).unwrap();
/// assert_eq!(Summary(&record).to_string(), "\
/// completed  urn:s 1.0.0 at 2026-01-01T00:00:00Z
/// phase aid (fan-out): 1 matched, 1 not
///   + urn:a  Food
///   - urn:b  its condition does not hold
/// items: 1 answered
/// valid: without end
/// ");
/// ```
pub struct Summary<'a>(pub &'a DeterminationRecord);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.0;
        writeln!(
            f,
            "{}  {} {} at {}",
            record.status.as_str(),
            record.screener.url,
            record.evaluation_version,
            record.timestamp
        )?;
        if record.status == Status::Unavailable {
            writeln!(f, "the screener was not available: nothing was evaluated")?;
        }
        for route in &record.overrides.matched {
            write!(f, "override ")?;
            matched(f, route)?;
        }
        if record.overrides.halted {
            writeln!(f, "a terminal override matched: no phase was evaluated")?;
        }
        for phase in &record.phases {
            write!(f, "phase {} ({}): ", phase.id, phase.strategy.as_str())?;
            match phase.status {
                PhaseStatus::Evaluated => {
                    writeln!(f, "{} matched, {} not", phase.matched.len(), phase.eliminated.len())?;
                }
                PhaseStatus::Skipped => writeln!(f, "skipped, `activeWhen` does not hold or failed")?,
                PhaseStatus::UnsupportedStrategy => writeln!(f, "its strategy is not supported")?,
            }
            for route in &phase.matched {
                write!(f, "  + ")?;
                matched(f, route)?;
            }
            for route in &phase.eliminated {
                write!(f, "  - {}  {}", route.target, why(route))?;
                score(f, route)?;
            }
            for warning in phase.warnings.iter().flatten() {
                writeln!(f, "  warning: {warning}")?;
            }
        }
        write!(f, "items: ")?;
        let count = |state| record.inputs.values().filter(|input| input.state == state).count();
        let unanswered =
            |input: &&crate::record::Input| input.state == AnswerState::NotPresented && input.value.is_none();
        let unanswered = record.inputs.values().filter(unanswered).count();
        let counts = [
            (count(AnswerState::Answered), "answered"),
            (count(AnswerState::Declined), "declined"),
            (unanswered, "without an answer"),
            (count(AnswerState::NotPresented) - unanswered, "not presented"),
        ];
        let said: Vec<_> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        writeln!(f, "{}", if said.is_empty() { "none".to_owned() } else { said.join(", ") })?;
        match record.validity.as_ref().and_then(|validity| validity.valid_until.as_deref()) {
            Some(until) => writeln!(f, "valid: until {until}"),
            None if record.status == Status::Unavailable => Ok(()),
            None => writeln!(f, "valid: without end"),
        }
    }
}

fn matched(f: &mut fmt::Formatter<'_>, route: &RouteResult) -> fmt::Result {
    write!(f, "{}", route.target)?;
    if let Some(label) = &route.label {
        write!(f, "  {label}")?;
    }
    score(f, route)?;
    if let Some(message) = &route.message {
        writeln!(f, "    {}", message.replace('\n', "\n    "))?;
    }
    Ok(())
}

/// Writes the score, if there is one, and ends the line.
fn score(f: &mut fmt::Formatter<'_>, route: &RouteResult) -> fmt::Result {
    match &route.score {
        Some(score) => writeln!(f, "  score {score}"),
        None => writeln!(f),
    }
}

fn why(route: &RouteResult) -> &str {
    match route.reason.as_deref() {
        Some(reason::CONDITION_FALSE) => "its condition does not hold",
        Some(reason::BELOW_THRESHOLD) => "its score is below the threshold",
        Some(reason::MAX_EXCEEDED) => "the phase keeps no more routes",
        Some(reason::NULL_SCORE) => "its score is not a number",
        Some(reason::EXPRESSION_ERROR) => "its expression is missing, broken or fails",
        Some(other) => other,
        None => "no reason is recorded",
    }
}
