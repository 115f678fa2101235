//! Verifies language models' answers: extracts an answer from a free-form response and decides whether it is
//! correct.
//!
//! ```
//! use fablegrade_verify::{Profile, Verdict, verify};
//! let found = verify(r"\frac{1}{2}", r"The probability is \(\boxed{0.5}\).", &Profile::model());
//! assert_eq!(found.verdict, Verdict::Correct);
//! assert_eq!(found.answer.as_deref(), Some("0.5"));
//! ```
//!
//! - [`extract`] finds the answer: the last value that the response commits to, with its place. The reference
//!   is not used.
//! - [`Gold`] is a reference that is compiled once for many responses. It is `Send` and `Sync`.
//! - [`Profile`] determines which [`Convention`]s apply. [`Profile::exact`] is mathematical equality;
//!   [`Profile::model`] is how models' answers are usually judged.
//! - [`Verification`] has the verdict, its evidence, and the conventions that were needed.
//!
//! An undecided comparison is never correct. The crate uses no clock, randomness, threads or signals. The work
//! is bounded by the length of the texts and by fixed limits.
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

/// Extracts the answer from a response and compares it with a reference. For many responses, use [`Gold`].
#[must_use]
pub fn verify(gold: &str, response: &str, profile: &Profile) -> Verification {
    Gold::new(gold, profile).verify(response)
}
