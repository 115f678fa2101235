//! Formspec determinations: evaluates screeners to Determination Records 1.0, and checks, replays and expires records.
//!
//! - [`Screener`] is the questionnaire with its phases of routes; [`Answers`] are the answers of a respondent.
//! - [`Evaluator`] parses the expressions of a screener once and makes [`DeterminationRecord`]s; [`Options`]
//!   determine whether it follows the specification's text (the default) or the reference implementation
//!   where they differ.
//! - [`check_screener`] and [`check_record`] check the rules that a schema cannot express; [`verify`] replays a record;
//!   [`expire`] returns a record as of a later time.
//! - [`Language`] is the interface to an expression language; `Fel` is Formspec's language.
//!
//! The crate is pure: every time is an argument, nothing is read from outside, and the same input gives the
//! same bytes. It neither shows questions nor evaluates binds (relevance, calculation). The program that does
//! this sets the state of every answer.
//!
//! # Features
//! - `fel` (not a default): `Fel`, the Formspec Expression Language through the crate `fel-core`, and
//!   `determine`. fel-core turns on serde_json's `preserve_order` for every crate of the build; this crate
//!   does not depend on that order.
#![forbid(unsafe_code)]

mod answers;
mod evaluate;
#[cfg(feature = "fel")]
pub mod fel;
mod language;
pub mod line;
mod message;
mod path;
mod record;
mod rules;
pub mod schema;
mod screener;
mod strategy;
mod summary;
mod time;
mod verify;

pub use answers::{Answers, MAX_INPUTS};
pub use evaluate::{Determination, Evaluator, Options};
#[cfg(feature = "fel")]
pub use fel::Fel;
pub use language::{Allowance, Data, Language, Node, Problem};
pub use record::{
    AnswerState, DeterminationRecord, Input, Overrides, PhaseResult, PhaseStatus, RouteResult,
    ScreenerReference, Status, Validity, reason, warning,
};
pub use rules::{check_record, check_screener};
pub use screener::{
    Availability, Bind, Binding, Config, Item, ItemKind, MAX_PHASES, MAX_ROUTES, Phase, Route, Screener,
    Strategy,
};
pub use summary::Summary;
pub use time::{Date, Duration, Moment};
pub use verify::{expire, verify};

/// Evaluates a screener once with the Formspec Expression Language; see [`Evaluator`] for many respondents.
///
/// # Errors
/// The same as for [`Evaluator::new`] and [`Evaluator::determine`].
#[cfg(feature = "fel")]
pub fn determine(
    screener: &Screener,
    answers: &Answers,
    now: &str,
) -> Result<DeterminationRecord, fablegrade_public::finding::Error> {
    Ok(Evaluator::new(screener, Fel, Options::new())?.determine(answers, now)?.record)
}

/// Runs the examples of the README and of the documentation page.
#[cfg(all(doctest, feature = "fel"))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/formspec.md")]
mod documentation {}
