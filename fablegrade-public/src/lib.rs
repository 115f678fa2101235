//! The part of a graded question that a learner may see, and nothing else.
//!
//! This crate is the public half of Fablegrade: delivery views, submissions, results, the five output
//! matchers, and the JSON reader that all documents share. No view, submission or result can hold an answer
//! key, and the crate does not depend on `fablegrade-core`, whose types can. These documents are therefore
//! safe to send to a browser.
//!
//! ```
//! use fablegrade_public::{DeliveryView, Submission};
//!
//! let view = DeliveryView::from_json(
//!     r#"{"type":"ordering","items":[{"id":"a","content":"one"},{"id":"b","content":"two"}]}"#,
//! )?;
//! let submission = Submission::from_json(r#"{"type":"ordering","order":["b","b2"]}"#)?;
//! let refusal = view.admit(&submission).unwrap_err();
//! assert_eq!(refusal.rule, "not-a-permutation");
//! # Ok::<(), fablegrade_public::Error>(())
//! ```
//!
//! # Main types
//! - [`DeliveryView`]: a question as it is shown. [`DeliveryView::admit`] checks a submission without the
//!   key.
//! - [`Submission`]: the answer that a learner sends.
//! - [`AttemptResult`]: the [`Verdict`], score and feedback of an attempt.
//! - [`Error`] and [`Finding`]: the defects of a document, each with location, rule and help.
//! - [`Matcher`]: compares a program's output with the expected output.
//!
//! Numbers of authors and learners are [`Decimal`]s, with the exact value that is written in the document.
//! Every document that this crate writes as text is canonical JSON: equal values have the same text.
#![forbid(unsafe_code)]

pub mod completeness;
pub mod content;
pub mod decimal;
pub mod document;
pub mod finding;
pub mod identifier;
pub mod json;
pub mod judge;
pub mod matcher;
pub mod messages;
mod nearest;
pub mod number_words;
pub mod outcome;
#[cfg(feature = "pattern")]
pub mod pattern;
pub mod ratio;
pub mod result;
#[cfg(feature = "schema")]
pub mod schema;
pub mod units;
pub mod uri;
pub mod view;

pub use content::Content;
pub use decimal::Decimal;
pub use finding::{Error, ErrorKind, Finding, Findings, Severity};
pub use matcher::Matcher;
pub use messages::Locale;
pub use outcome::{CaseOutcome, End};
pub use ratio::Ratio;
pub use result::{AttemptResult, CaseVerdict, CodeResult, Feedback, FeedbackSeverity, GradedBy, Verdict};
pub use view::{DeliveryView, QuestionType, Refusal, Submission};

/// The version of the grading semantics, raised whenever a verdict or a score can change.
pub const GRADING_SEMANTICS_VERSION: u32 = 1;
