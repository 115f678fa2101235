//! The result of a verification.

use std::fmt;

use fablegrade_public::json::Json;

use crate::profile::Conventions;

/// The verdict on a response. Only [`Verdict::Correct`] earns credit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// The answer agrees with the reference.
    Correct,
    /// The answer differs from the reference, or cannot be read.
    Incorrect,
    /// The comparison reaches no decision within its limits.
    Undecided,
    /// The response has no answer.
    NoAnswer,
    /// The reference cannot be read, and the answer does not match it.
    UnreadableGold,
}

impl Verdict {
    /// Returns the name in JSON and in Python.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::Incorrect => "incorrect",
            Self::Undecided => "undecided",
            Self::NoAnswer => "no-answer",
            Self::UnreadableGold => "unreadable-gold",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A verdict with its evidence.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Verification {
    /// The verdict.
    pub verdict: Verdict,
    /// The extracted answer (see [`crate::Candidate::text`]), or the answer passed to [`crate::Gold::compare`].
    pub answer: Option<String>,
    /// The kind of place where the answer was found; see [`crate::Place::name`].
    pub place: Option<&'static str>,
    /// The byte range of the answer in the response.
    pub span: Option<(usize, usize)>,
    /// The method of the verdict, in one word: `text`, `number`, `words`, `choice`, `proven`, `identity`, `agreed`,
    /// `refuted`, `undecided`, `unreadable`, `none`.
    pub how: &'static str,
    /// The evidence for the verdict, in words.
    pub evidence: String,
    /// The conventions that a correct verdict needed; empty for other verdicts. [`crate::Convention::Notation`] is
    /// not recorded.
    pub conventions: Conventions,
}

impl Verification {
    /// Returns whether the verdict is [`Verdict::Correct`].
    #[must_use]
    pub fn is_correct(&self) -> bool {
        self.verdict == Verdict::Correct
    }

    /// Returns `{verdict, extracted, place, span, how, evidence, conventions}`; `extracted`, `place` and `span` are
    /// null if they are `None`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let text = |text: Option<&str>| text.map_or(Json::Null, Json::from);
        Json::build()
            .with("verdict", self.verdict.as_str())
            .with("extracted", text(self.answer.as_deref()))
            .with("place", text(self.place))
            .with(
                "span",
                self.span.map_or(Json::Null, |(start, end)| Json::array([start as u64, end as u64])),
            )
            .with("how", self.how)
            .with("evidence", self.evidence.as_str())
            .with("conventions", Json::array(self.conventions.iter().map(super::profile::Convention::name)))
            .build()
    }
}
