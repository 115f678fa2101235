//! Evaluation of a screener for answers at a given time, which gives a Determination Record.

use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::Json;

use crate::answers::{Answers, ItemIndex, complete, nest, report_unknown_items};
use crate::language::{Allowance, Data, Language, Problem};
use crate::message::{Piece, split};
use crate::record::{
    AnswerState, DeterminationRecord, Overrides, PhaseResult, PhaseStatus, RouteResult, ScreenerReference,
    Status, Validity, warning,
};
use crate::screener::{MAX_TEXT, Route, Screener, Strategy};
use crate::strategy;
use crate::time::{Date, Duration, Moment};

/// Options for an evaluation.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// `true` to follow the reference implementation where it deviates from the specification. The records are
    /// then not always valid.
    pub reference_compatible: bool,
    /// The start of the session, as a date-time or a date. A session that started while the screener was
    /// available can end later. Ignored in reference-compatible mode.
    pub session_began: Option<String>,
}

impl Options {
    /// Returns the options that follow the specification.
    pub fn new() -> Self {
        Self::default()
    }

    /// Follows the reference implementation where it deviates from the specification.
    #[must_use]
    pub fn reference_compatible(mut self) -> Self {
        self.reference_compatible = true;
        self
    }

    /// Judges availability by the start of the session.
    #[must_use]
    pub fn session_began(mut self, began: impl Into<String>) -> Self {
        self.session_began = Some(began.into());
        self
    }
}

/// A record, and the warnings from its evaluation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Determination {
    /// The record.
    pub record: DeterminationRecord,
    /// Warnings about the screener (broken expressions, validity) and the answers (unknown items, wrong types).
    pub findings: Vec<Finding>,
}

/// A screener whose expressions are parsed, ready for any number of respondents.
pub struct Evaluator<'s, L: Language> {
    screener: &'s Screener,
    language: L,
    options: Options,
    index: ItemIndex<'s>,
    phases: Vec<ReadyPhase<'s, L>>,
    allowance: Allowance,
}

/// A parsed expression, or the reason why it cannot be parsed. `None` if there is no expression.
type Ready<L> = Option<Result<<L as Language>::Expression, Problem>>;

struct ReadyPhase<'s, L: Language> {
    active_when: Ready<L>,
    routes: Vec<ReadyRoute<'s, L>>,
}

pub(crate) struct ReadyRoute<'s, L: Language> {
    pub(crate) route: &'s Route,
    /// The indices of its phase and of the route.
    at: (usize, usize),
    condition: Ready<L>,
    score: Ready<L>,
    message: Vec<ReadyPiece<'s, L>>,
}

enum ReadyPiece<'s, L: Language> {
    Text(&'s str),
    Expression(&'s str, Result<L::Expression, Problem>),
}

/// The steps and bytes that all expressions of a screener share evenly, so the work for a large screener is
/// bounded.
const SHARED: Allowance = Allowance { steps: 4_000_000, bytes: 256 << 20 };
/// The minimum steps and bytes of an expression, however many expressions there are.
const LEAST: Allowance = Allowance { steps: 2_000, bytes: 1 << 20 };
/// The maximum number of bytes of text that expressions can add to the messages of one record.
const MAX_INTERPOLATED: usize = 4 << 20;
/// The maximum number of expressions in the messages of one screener.
const MAX_MESSAGE_EXPRESSIONS: usize = 20_000;

/// The state of one determination while it runs.
pub(crate) struct Run<'r, L: Language> {
    scope: L::Scope,
    findings: &'r mut Findings,
    interpolated: usize,
}

impl<'s, L: Language> Evaluator<'s, L> {
    /// Parses every expression of the phases. A broken expression is not an error yet; it is reported when it is
    /// evaluated.
    ///
    /// # Errors
    /// [`ErrorKind::Spec`] when `availability` has a date that does not exist (not in reference-compatible mode),
    /// or when the messages have more than 20,000 expressions.
    pub fn new(screener: &'s Screener, language: L, options: Options) -> Result<Self, Error> {
        if !options.reference_compatible {
            readable_availability(screener)?;
        }
        let mut count = 0;
        let mut in_messages = 0;
        let mut parse = |source: &Option<String>| {
            count += usize::from(source.is_some());
            source.as_ref().map(|source| language.parse(source))
        };
        let mut phases = Vec::with_capacity(screener.evaluation.len());
        for (phase_at, phase) in screener.evaluation.iter().enumerate() {
            let active_when = parse(&phase.active_when);
            let mut routes = Vec::with_capacity(phase.routes.len());
            for (route_at, route) in phase.routes.iter().enumerate() {
                let mut message = Vec::new();
                for piece in split(route.message.as_deref().unwrap_or_default()) {
                    match piece {
                        Piece::Text(text) => message.push(ReadyPiece::Text(text)),
                        Piece::Unclosed => {}
                        Piece::Expression(source) => {
                            in_messages += 1;
                            if in_messages > MAX_MESSAGE_EXPRESSIONS {
                                return Err(too_many_expressions(phase_at, route_at));
                            }
                            message.push(ReadyPiece::Expression(source, language.parse(source.trim())));
                        }
                    }
                }
                let (condition, score) = (parse(&route.condition), parse(&route.score));
                routes.push(ReadyRoute { route, at: (phase_at, route_at), condition, score, message });
            }
            phases.push(ReadyPhase { active_when, routes });
        }
        let count = (count + in_messages).max(1) as u64;
        let allowance = Allowance {
            steps: (SHARED.steps / count).max(LEAST.steps),
            bytes: (SHARED.bytes / count).max(LEAST.bytes),
        };
        Ok(Self { screener, index: ItemIndex::new(screener), language, options, phases, allowance })
    }

    /// Evaluates the screener for one respondent at `now`: an RFC 3339 date-time, or a date (its first moment in UTC).
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when a time cannot be read; [`ErrorKind::Schema`] when an answer has an invalid
    /// path, when both a group and an item in it have answers, or when the instances of a repeat have a gap;
    /// [`ErrorKind::Spec`] when there are more than [`MAX_INPUTS`](crate::MAX_INPUTS) answers and unanswered
    /// items. There are no errors in reference-compatible mode.
    pub fn determine(&self, answers: &Answers, now: &str) -> Result<Determination, Error> {
        let mut findings = Findings::new();
        let record = if self.options.reference_compatible {
            self.as_reference(answers, now, &mut findings)
        } else {
            self.as_schema(answers, now, &mut findings)?
        };
        Ok(Determination { record, findings: findings.into_vec() })
    }

    fn as_schema(
        &self,
        answers: &Answers,
        now: &str,
        findings: &mut Findings,
    ) -> Result<DeterminationRecord, Error> {
        let now = moment(now, "now")?;
        let began = self.options.session_began.as_deref().map(|began| moment(began, "began"));
        let began = began.transpose()?.unwrap_or_else(|| now.clone());
        let completed = complete(&self.index, answers, findings)?;
        let status = if completed.unanswered { Status::Partial } else { Status::Completed };
        let mut record = self.record(now.to_string(), status);
        if !self.available(Some(began.date())) {
            record.status = Status::Unavailable;
            record.inputs = completed.inputs;
            return Ok(record);
        }
        let scope = self.language.scope(&nest(&self.index, &completed.inputs)?, Some(&now));
        record.inputs = completed.inputs;
        let mut run = Run { scope, findings, interpolated: 0 };
        let warnings = self.evaluate(&mut record, &mut run);
        if !warnings.is_empty() {
            // A halted record has no phase that could contain the warnings.
            let codes = Json::array(warnings.iter().copied());
            record.extensions = Some(Json::build().with("x-fablegrade-warnings", codes).build());
        }
        if let Some(written) = &self.screener.result_validity {
            record.validity = validity(&now, written, run.findings);
        }
        Ok(record)
    }

    fn as_reference(&self, answers: &Answers, now: &str, findings: &mut Findings) -> DeterminationRecord {
        let declined = answers.entries.values().any(|input| input.state == AnswerState::Declined);
        let status = if declined { Status::Partial } else { Status::Completed };
        let mut record = self.record(now.to_owned(), status);
        record.inputs.clone_from(&answers.entries);
        for input in record.inputs.values_mut() {
            input.value.get_or_insert(Json::Null);
        }
        report_unknown_items(&self.index, answers, findings);
        let moment = Moment::parse(now);
        let today = Date::parse(now).or_else(|| moment.as_ref().map(Moment::date));
        if !self.available(today) {
            record.status = Status::Unavailable;
            return record;
        }
        let null = Json::Null;
        let flat = answers.entries.iter().map(|(path, input)| match (input.state, &input.value) {
            (AnswerState::Answered, Some(value)) => (path.as_str(), value),
            _ => (path.as_str(), &null),
        });
        let scope = self.language.scope(&Data::Flat(flat.collect()), None);
        let mut run = Run { scope, findings, interpolated: 0 };
        let warnings = self.evaluate(&mut record, &mut run);
        if !warnings.is_empty() {
            record.phases.push(PhaseResult {
                id: "_evaluation".to_owned(),
                status: PhaseStatus::Evaluated,
                strategy: Strategy::Other(String::new()),
                matched: Vec::new(),
                eliminated: Vec::new(),
                warnings: Some(warnings.into_iter().map(str::to_owned).collect()),
            });
        }
        if let (Some(written), Some(moment)) = (&self.screener.result_validity, &moment) {
            let until = Duration::parse(written).and_then(|duration| moment.plus(&duration));
            record.validity = until.map(|until| Validity {
                valid_until: Some(until.to_reference_text()),
                result_validity: Some(written.clone()),
            });
        }
        record
    }

    fn record(&self, timestamp: String, status: Status) -> DeterminationRecord {
        DeterminationRecord {
            screener: ScreenerReference {
                url: self.screener.url.clone(),
                version: self.screener.version.clone(),
            },
            timestamp,
            evaluation_version: self.screener.version.clone(),
            status,
            overrides: Overrides::default(),
            phases: Vec::new(),
            inputs: std::collections::BTreeMap::new(),
            validity: None,
            extensions: None,
        }
    }

    /// Returns whether the screener is available on `today`; the first and the last day are included. If
    /// `today` is unknown, a screener that declares an availability is not available.
    fn available(&self, today: Option<Date>) -> bool {
        let Some(availability) = &self.screener.availability else { return true };
        let Some(today) = today else { return false };
        let day = |text: &Option<String>| text.as_deref().and_then(Date::parse);
        day(&availability.from).is_none_or(|from| today >= from)
            && day(&availability.until).is_none_or(|until| today <= until)
    }

    /// Evaluates overrides, then phases. Returns the warnings of overrides if no phase could take them.
    fn evaluate(&self, record: &mut DeterminationRecord, run: &mut Run<'_, L>) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        for route in
            self.phases.iter().flat_map(|phase| &phase.routes).filter(|route| route.route.is_override)
        {
            match self.condition(route, run) {
                Ok(true) => {
                    record.overrides.halted |= route.route.is_terminal;
                    record.overrides.matched.push(self.result(route, &mut warnings, run));
                }
                Ok(false) => {}
                Err(()) => warn(&mut warnings, warning::EXPRESSION_ERROR),
            }
        }
        if record.overrides.halted {
            return warnings;
        }
        for (at, (ready, phase)) in self.phases.iter().zip(&self.screener.evaluation).enumerate() {
            let mut result = PhaseResult {
                id: phase.id.clone(),
                status: PhaseStatus::Evaluated,
                strategy: phase.strategy.clone(),
                matched: Vec::new(),
                eliminated: Vec::new(),
                warnings: None,
            };
            let mut own = Vec::new();
            let active = match &ready.active_when {
                None => true,
                Some(expression) => self
                    .holds(expression, run, || format!("/evaluation/{at}/activeWhen"))
                    .unwrap_or_else(|()| {
                        warn(&mut own, warning::EXPRESSION_ERROR);
                        false
                    }),
            };
            if !active {
                result.status = PhaseStatus::Skipped;
            } else {
                strategy::evaluate(self, phase, &ready.routes, &mut result, &mut own, run);
            }
            if at == 0 {
                // Overrides belong to no phase, so the first phase gets their warnings.
                for code in std::mem::take(&mut warnings) {
                    warn(&mut own, code);
                }
            }
            result.warnings = Some(own.into_iter().map(str::to_owned).collect());
            record.phases.push(result);
        }
        warnings
    }

    pub(crate) fn is_reference_compatible(&self) -> bool {
        self.options.reference_compatible
    }

    fn holds(
        &self,
        expression: &Result<L::Expression, Problem>,
        run: &mut Run<'_, L>,
        pointer: impl FnOnce() -> String,
    ) -> Result<bool, ()> {
        let found = expression.as_ref().map_err(Clone::clone);
        let found = found.and_then(|expression| self.language.holds(expression, &run.scope, self.allowance));
        found.map_err(|problem| report(run.findings, pointer(), &problem))
    }

    /// Returns whether the route's condition holds; `Err` if it is missing or broken, or if its evaluation
    /// fails. In reference-compatible mode, a missing condition does not hold.
    pub(crate) fn condition(&self, route: &ReadyRoute<'s, L>, run: &mut Run<'_, L>) -> Result<bool, ()> {
        match &route.condition {
            Some(expression) => self.holds(expression, run, || route.pointer("condition")),
            None if self.options.reference_compatible => Ok(false),
            None => {
                report(run.findings, route.pointer("condition"), &Problem::new("the route has no condition"));
                Err(())
            }
        }
    }

    /// Returns the route's score, `None` if it is not a number; `Err` if the score or the threshold is
    /// missing, or if the score is broken or its evaluation fails. In reference-compatible mode, a missing
    /// score is 0.
    pub(crate) fn score(
        &self,
        route: &ReadyRoute<'s, L>,
        run: &mut Run<'_, L>,
    ) -> Result<Option<fablegrade_public::decimal::Decimal>, ()> {
        let reference = self.options.reference_compatible;
        let found = match &route.score {
            None if reference => Ok(Some(fablegrade_public::decimal::Decimal::zero())),
            None => Err(Problem::new("the route has no score")),
            Some(_) if route.route.threshold.is_none() && !reference => {
                Err(Problem::new("the route has no threshold"))
            }
            Some(Err(problem)) => Err(problem.clone()),
            Some(Ok(expression)) => self.language.score(expression, &run.scope, self.allowance),
        };
        found.map_err(|problem| report(run.findings, route.pointer("score"), &problem))
    }

    /// Returns the record's entry for a route, without score and reason.
    pub(crate) fn result(
        &self,
        route: &ReadyRoute<'s, L>,
        warnings: &mut Vec<&'static str>,
        run: &mut Run<'_, L>,
    ) -> RouteResult {
        let message = route.route.message.as_ref().map(|written| {
            if self.options.reference_compatible {
                written.clone()
            } else {
                self.message(route, warnings, run)
            }
        });
        RouteResult {
            target: route.route.target.clone(),
            label: route.route.label.clone(),
            message,
            score: None,
            reason: None,
            metadata: route.route.metadata.clone(),
        }
    }

    fn message(
        &self,
        route: &ReadyRoute<'s, L>,
        warnings: &mut Vec<&'static str>,
        run: &mut Run<'_, L>,
    ) -> String {
        let mut message = String::new();
        // Lengths are in characters, as in `MAX_TEXT`: a longer message could not be read again.
        let length = |text: &str| text.chars().count();
        let mut room = MAX_TEXT.saturating_sub(route.route.message.as_deref().map_or(0, length));
        for piece in &route.message {
            let (source, expression) = match piece {
                ReadyPiece::Text(text) => {
                    message.push_str(text);
                    continue;
                }
                ReadyPiece::Expression(source, expression) => (source, expression),
            };
            let text = expression.as_ref().map_err(Clone::clone);
            let text = text.and_then(|expression| self.language.text(expression, &run.scope, self.allowance));
            let text = text.and_then(|text| {
                let total = run.interpolated.saturating_add(text.len());
                let left = (room + length(source) + "{{}}".len()).checked_sub(length(&text));
                let Some(left) = left.filter(|_| total <= MAX_INTERPOLATED) else {
                    return Err(Problem::new("the messages of the record grow too long"));
                };
                (room, run.interpolated) = (left, total);
                Ok(text)
            });
            match text {
                Ok(text) => message.push_str(&text),
                Err(problem) => {
                    report(run.findings, route.pointer("message"), &problem);
                    warn(warnings, warning::INTERPOLATION_ERROR);
                    message.push_str("{{");
                    message.push_str(source);
                    message.push_str("}}");
                }
            }
        }
        message
    }
}

impl<L: Language> ReadyRoute<'_, L> {
    fn pointer(&self, member: &str) -> String {
        let (phase, route) = self.at;
        format!("/evaluation/{phase}/routes/{route}/{member}")
    }
}

/// Adds a warning code, unless it is already in the list.
pub(crate) fn warn(warnings: &mut Vec<&'static str>, code: &'static str) {
    if !warnings.contains(&code) {
        warnings.push(code);
    }
}

fn report(findings: &mut Findings, pointer: String, problem: &Problem) {
    findings.push(Finding::warning(
        "expression-error",
        pointer,
        problem.message(),
        "correct the expression, or test for null before using an item that may be unanswered",
    ));
}

fn too_many_expressions(phase: usize, route: usize) -> Error {
    Error::single(
        ErrorKind::Spec,
        Finding::error(
            "too-many-expressions",
            format!("/evaluation/{phase}/routes/{route}/message"),
            format!("the messages have more than {MAX_MESSAGE_EXPRESSIONS} expressions"),
            "use fewer interpolations",
        ),
    )
}

fn moment(text: &str, name: &str) -> Result<Moment, Error> {
    Moment::parse(text).or_else(|| Date::parse(text).map(Moment::midnight)).ok_or_else(|| {
        Error::single(
            ErrorKind::Mismatch,
            Finding::error(
                "date-time-form",
                format!("/{name}"),
                format!("`{name}` is neither a date-time of RFC 3339 nor a day"),
                "pass a time such as 2026-03-01T09:30:00Z",
            ),
        )
    })
}

/// Refuses days that do not exist. Otherwise a screener would stay open because its last day cannot be read.
fn readable_availability(screener: &Screener) -> Result<(), Error> {
    let Some(availability) = &screener.availability else { return Ok(()) };
    for (name, text) in [("from", &availability.from), ("until", &availability.until)] {
        if text.as_deref().is_some_and(|text| Date::parse(text).is_none()) {
            return Err(Error::single(ErrorKind::Spec, unreadable_day(name)));
        }
    }
    Ok(())
}

pub(crate) fn unreadable_day(name: &str) -> Finding {
    Finding::error(
        "availability-date",
        format!("/availability/{name}"),
        "there is no such calendar day (E1505)",
        "write it as YYYY-MM-DD",
    )
}

fn validity(now: &Moment, written: &str, findings: &mut Findings) -> Option<Validity> {
    let (problem, help) = match Duration::parse(written) {
        None => (
            "the duration cannot be read, so the record has no validity (E1505)",
            "write it like P90D or P1Y6M",
        ),
        Some(duration) => match now.plus(&duration) {
            Some(until) => {
                return Some(Validity {
                    valid_until: Some(until.to_string()),
                    result_validity: Some(written.to_owned()),
                });
            }
            None => (
                "the end lies after the year 9999, so the record has no validity",
                "write a shorter duration",
            ),
        },
    };
    findings.push(Finding::warning("result-validity", "/resultValidity", problem, help));
    None
}
