//! Deterministic grading of assessment answers: *correct*, *partial* or *incorrect*, the same on every platform.
//!
//! ```
//! use fablegrade_core::{AnswerSpec, Submission, Verdict, grade};
//!
//! let spec = AnswerSpec::from_json(
//!     r#"{"type":"numeric","answer":{"value":0.3,"tolerance":{"mode":"absolute","amount":0.1}}}"#,
//! )?;
//! let submission = Submission::from_json(r#"{"type":"numeric","value":0.4}"#)?;
//! let result = grade(&spec, &submission)?;
//! assert_eq!(result.verdict, Verdict::Correct); // exact decimals: 0.3 + 0.1 is 0.4
//! # Ok::<(), fablegrade_core::Error>(())
//! ```
//!
//! # Main types
//! - [`AnswerSpec`]: a question with its key. It is not `Serialize`, so it cannot be sent to a learner by
//!   mistake.
//! - [`Submission`]: a learner's answer.
//! - [`Grader`]: a spec checked and compiled once. [`Grader::grade_with`] returns a [`Marked`]: the [`AttemptResult`]
//!   for the learner and the [`Explanation`] for the author.
//! - [`DeliveryView`]: the public part of a question, made by [`deliver`].
//! - [`lint`]: reports defects in a question.
//!
//! # Scope
//! The engine is pure: no input or output, no clock, no randomness, no threads, no unsafe code. Code questions are
//! *planned* ([`Grader::plan`]), run by any host, and graded from their outcomes ([`GradeInput::with_outcomes`]). All
//! input is bounded, and no input causes a panic.
//!
//! It stores nothing, manages no users, renders no content, and never grades prose by itself.
//!
//! # Example
//! Grade with a context, and read the explanation:
//! ```
//! use fablegrade_core::{Context, Decimal, GradeInput, Grader, Submission};
//! use fablegrade_core::identifier::{HintId, Instant};
//!
//! let grader = Grader::from_json(r#"{"type":"multiple_choice","choices":[
//!     {"id":"a","content":"2","correct":true},{"id":"b","content":"3","correct":false}]}"#)?;
//! let submission = Submission::from_json(r#"{"type":"multiple_choice","selectedChoiceIds":["a"]}"#)?;
//! let context = Context::new()
//!     .graded_at(Instant::new("2026-03-01T09:30:00Z").expect("an instant"))
//!     .hint(HintId::new("h1").expect("an id"), Decimal::new(1, -1));
//! let marked = grader.grade_with(&GradeInput::new(&submission).with_context(&context).with_explanation())?;
//! assert_eq!(marked.result().score, Some(0.9));
//! assert_eq!(marked.explanation().steps()[0].code, "choice-right");
//! # Ok::<(), fablegrade_core::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod answer;
mod attempt;
pub mod bank;
mod delivery;
pub mod equivalence;
mod explain;
mod grader;
pub mod graders;
pub mod host;
mod lint;
mod mark;
pub mod mutants;
pub mod repeated;
pub mod request;
#[cfg(feature = "schema")]
pub mod schema;
mod secret;
mod shuffle;

pub use answer::AnswerSpec;
pub use answer::code::{ExecutionPlan, PlannedCase};
pub use attempt::{Attempt, ClientContext, Context, Platform, default_hint_penalty};
pub use delivery::deliver;
pub use explain::Explanation;
pub use grader::{GradeInput, Grader, Marked, grade};
pub use host::{Host, StateJudge, StateValidator};
pub use lint::{has_errors, lint, lint_json, lint_json_knowing, lint_json_with, lint_with};
pub use mark::Step;
pub use secret::Secret;

pub use fablegrade_public::GRADING_SEMANTICS_VERSION;
pub use fablegrade_public::{
    AttemptResult, CaseOutcome, CaseVerdict, CodeResult, Content, Decimal, DeliveryView, End, Error,
    ErrorKind, Feedback, FeedbackSeverity, Finding, Findings, GradedBy, Locale, Matcher, QuestionType, Ratio,
    Refusal, Severity, Submission, Verdict,
};
pub use fablegrade_public::{
    content, decimal, document, finding, identifier, json, judge, matcher, messages, number_words, outcome,
    ratio, result, units, view,
};
