//! Language models' answers: extracts the answer from a free-form response, and gives a verdict on it with evidence.
//!
//! ```
//! use fablegrade_verify::{Profile, Verdict, verify};
//! let found = verify(r"\frac{1}{2}", r"The probability is \(\boxed{0.5}\).", &Profile::model());
//! assert_eq!(found.verdict, Verdict::Correct);
//! assert_eq!(found.answer.as_deref(), Some("0.5"));
//! ```
//!
//! - [`extract`] finds the answer: the last committed statement of the response, with its place. The reference is not
//!   used.
//! - [`Gold`] is a reference that is read once for many responses; `Send` and `Sync`.
//! - [`Profile`] determines which [`Convention`]s apply: [`Profile::exact`] is mathematical equality,
//!   [`Profile::model`] is how models' answers are usually judged.
//! - [`Verification`] has the verdict, the method and the conventions that took part.
//!
//! What is undecided is never correct. No clock, no randomness, no threads, no signals; every loop is bounded by the
//! length of the texts and by a number of comparisons.
#![forbid(unsafe_code)]

mod comparison;
mod extraction;
mod gold;
mod notation;
mod profile;
mod reading;
mod verification;

pub use extraction::{Candidate, Extraction, NoAnswer, Place, extract};
pub use gold::Gold;
pub use profile::{Convention, Conventions, Profile};
pub use verification::{Verdict, Verification};

/// Extracts the answer from a response and compares it with a reference; see [`Gold`] for many responses.
#[must_use]
pub fn verify(gold: &str, response: &str, profile: &Profile) -> Verification {
    Gold::new(gold, profile).verify(response)
}
