//! Attempts (submissions with their metadata) and the context of grading.

use fablegrade_public::document::{
    Whole as _, count, flag, listed, of, optional, required, text, unique, word,
};
use fablegrade_public::identifier::{HintId, Instant, UuidText};
use fablegrade_public::json::{self, Document, Object, Path, Read, Value};
use fablegrade_public::{Decimal, Error, ErrorKind, Finding, Findings, Locale, Ratio, Submission};

fablegrade_public::document! {
    /// A submission with its metadata, as hosts store and receive it.
    pub struct Attempt,
        such as r#"{"problemId": "...", "problemVersionId": "...", "submission": {"type": "numeric", "value": 5}}"#
    {
        /// The attempt's id. Without one, the id is derived from the question and the answer, and is the same for equal
        /// answers: give an id where each attempt needs its own.
        pub attempt_id: Option<UuidText> = optional("attemptId", of());
        /// The problem.
        pub problem_id: UuidText = required("problemId", of());
        /// The version of the problem that was answered.
        pub problem_version_id: UuidText = required("problemVersionId", of());
        /// The learner.
        pub user_id: Option<UuidText> = optional("userId", of());
        /// The time of the submission.
        pub submitted_at: Option<Instant> = optional("submittedAt", of());
        /// Seconds spent.
        pub time_spent_seconds: Option<u32> = optional("timeSpentSeconds", count(0, 86_400));
        /// The hints that were revealed.
        pub hints_used: Vec<HintId> = listed("hintsUsed", unique(0, 8, of()));
        /// Coarse context.
        pub client_context: Option<ClientContext> = optional("clientContext", of());
        /// The answer.
        pub submission: Submission = required("submission", of());
    }
}

fablegrade_public::document! {
    /// Coarse, privacy-respecting context of an attempt.
    pub struct ClientContext, such as r#"{"platform": "web"}"# {
        /// The learner's language.
        pub locale: Option<String> = optional("locale", text(0, 20));
        /// The platform that sent the attempt.
        pub platform: Option<Platform> = optional("platform", word(Platform::WORDS));
        /// Whether the attempt was queued offline.
        pub offline_queued: Option<bool> = optional("offlineQueued", flag());
    }
}

/// The platform that sent an attempt. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Platform {
    /// A browser.
    Web,
    /// An installed web app.
    Pwa,
    /// A program.
    Api,
}

impl Platform {
    pub(crate) const WORDS: &'static [(&'static str, Self)] =
        &[("web", Self::Web), ("pwa", Self::Pwa), ("api", Self::Api)];
}

impl Attempt {
    /// Reads an attempt.
    ///
    /// # Errors
    /// All findings, in one error.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Document::parse(text.as_ref())?.read()
    }

    /// Returns the attempt as canonical JSON.
    pub fn to_json(&self) -> String {
        self.whole().to_canonical()
    }
}

/// Facts that the submission does not contain. The engine has no clock and no memory, so the caller provides
/// them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    pub(crate) attempt_id: Option<UuidText>,
    pub(crate) graded_at: Option<Instant>,
    pub(crate) problem_version_id: Option<UuidText>,
    /// The penalty of each hint; `None` if the caller gave none.
    pub(crate) hints: Option<Vec<(HintId, Decimal)>>,
    pub(crate) shuffle_seed: Option<String>,
    pub(crate) locale: Locale,
}

/// Returns the default penalty of a hint: a tenth of the full score.
pub fn default_hint_penalty() -> Decimal {
    Decimal::new(1, -1)
}

/// Returns the maximum total penalty of hints, as a fraction of the full score.
fn greatest_penalty() -> Ratio {
    Ratio::new(4, 5)
}

impl Context {
    /// Creates an empty context.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the attempt's id. Without it, the result has the id of the [`Attempt`], or else an id derived
    /// from the question's public fields and the submission.
    #[must_use]
    pub fn attempt_id(mut self, id: UuidText) -> Self {
        self.attempt_id = Some(id);
        self
    }

    /// Sets the time of grading that appears in the result.
    #[must_use]
    pub fn graded_at(mut self, instant: Instant) -> Self {
        self.graded_at = Some(instant);
        self
    }

    /// Sets the problem version that the spec belongs to; attempts at other versions are refused.
    #[must_use]
    pub fn problem_version_id(mut self, id: UuidText) -> Self {
        self.problem_version_id = Some(id);
        self
    }

    /// Adds a hint, or replaces the one with the same id. Its penalty is a fraction of the full score; a penalty
    /// outside `[0, 1]` counts as the nearer bound.
    ///
    /// When an [`Attempt`] is graded, only the hints that it used are penalised. A used hint that the context
    /// does not list costs nothing and causes a warning. If no hint is added at all, each used hint
    /// costs [`default_hint_penalty`]. For a submission without metadata, every listed hint counts as used.
    #[must_use]
    pub fn hint(mut self, id: HintId, penalty: Decimal) -> Self {
        let hints = self.hints.get_or_insert_default();
        hints.retain(|(other, _)| *other != id);
        hints.push((id, penalty.clamp(Decimal::zero(), Decimal::one())));
        self
    }

    /// Sets the seed for shuffling views.
    #[must_use]
    pub fn shuffle_seed(mut self, seed: impl Into<String>) -> Self {
        self.shuffle_seed = Some(seed.into());
        self
    }

    /// Sets the language of messages to the learner; the default is English.
    #[must_use]
    pub fn locale(mut self, locale: Locale) -> Self {
        self.locale = locale;
        self
    }

    /// Returns the seed for shuffling; the empty seed if none was set.
    pub fn seed(&self) -> &str {
        self.shuffle_seed.as_deref().unwrap_or_default()
    }

    /// Returns `min(0.8, sum of the penalties of the used hints)`. If the caller listed hints, adds a warning
    /// per used hint that is not among them.
    pub(crate) fn penalty(&self, used: Option<&[HintId]>, warnings: &mut Vec<Finding>) -> Ratio {
        let mut sum = Ratio::zero();
        match (used, &self.hints) {
            (None, None) => return sum,
            (None, Some(hints)) => {
                for (_, penalty) in hints {
                    sum = sum.plus(&Ratio::from_decimal(penalty));
                }
            }
            (Some(used), hints) => {
                for (at, id) in used.iter().enumerate() {
                    // Documents cannot name a hint twice, but an attempt created in Rust can.
                    if used[..at].contains(id) {
                        continue;
                    }
                    let known = hints.as_ref().map(|hints| hints.iter().find(|(other, _)| other == id));
                    match known {
                        // The caller gave no penalties: each used hint costs the default.
                        None => sum = sum.plus(&Ratio::from_decimal(&default_hint_penalty())),
                        Some(Some((_, penalty))) => sum = sum.plus(&Ratio::from_decimal(penalty)),
                        Some(None) => warnings.push(Finding::warning(
                            "unknown-hint",
                            format!("/hintsUsed/{at}"),
                            "this hint is not known, so it costs nothing",
                            "pass its penalty in the context if it exists",
                        )),
                    }
                }
            }
        }
        sum.min(greatest_penalty())
    }
}

impl Read for Context {
    /// Reads `{gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}`.
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let graded_at = object.optional("gradedAt", Instant::read);
        let attempt_id = object.optional("attemptId", UuidText::read);
        let problem_version_id = object.optional("problemVersionId", UuidText::read);
        let hints = object.optional("hints", read_hints);
        let shuffle_seed =
            object.optional("shuffleSeed", |value: Value<'_>, at: &Path<'_>, findings: &mut Findings| {
                // Hosts use both numbers and strings as seeds.
                match value.number() {
                    Some(number) => Some(number.to_string()),
                    None => json::string(0, 1_000)(value, at, findings),
                }
            });
        let locale = object.optional("locale", Locale::read);
        object.close();
        Some(Self {
            attempt_id: attempt_id?,
            graded_at: graded_at?,
            problem_version_id: problem_version_id?,
            hints: hints?,
            shuffle_seed: shuffle_seed?,
            locale: locale?.unwrap_or_default(),
        })
    }
}

impl Context {
    /// Reads a context document:
    /// `{gradedAt?, hints?: {id: penalty}, locale?, shuffleSeed?, attemptId?, problemVersionId?}`.
    ///
    /// # Errors
    /// All findings, in one error.
    pub fn from_json(text: impl AsRef<[u8]>) -> Result<Self, Error> {
        Document::parse(text.as_ref())?.read()
    }
}

fn read_hints(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Vec<(HintId, Decimal)>> {
    if !value.is_object() {
        findings.push(Finding::error(
            "wrong-type",
            at.pointer(),
            format!("expected an object, found {}", value.kind()),
            "give an object of hint ids and their penalties",
        ));
        return None;
    }
    let mut hints = Vec::new();
    for (key, penalty) in value.fields() {
        let place = Path::Field(at, &key);
        let Some(id) = HintId::new(&key) else {
            findings.push(Finding::error(
                "id-form",
                place.pointer(),
                "a hint's id has 1 to 64 letters, digits, `_` or `-` (ASCII)",
                "use the id of the hint",
            ));
            continue;
        };
        let Some(penalty) = json::decimal(penalty, &place, findings) else { continue };
        if penalty.is_negative() || penalty > Decimal::one() {
            findings.push(Finding::error(
                "out-of-range",
                place.pointer(),
                "a hint's penalty must be between 0 and 1",
                "give the penalty as a fraction of the full score",
            ));
            continue;
        }
        hints.push((id, penalty));
    }
    Some(hints)
}

/// Returns the error for an attempt at another version of the problem.
pub(crate) fn other_version() -> Error {
    Error::single(
        ErrorKind::Mismatch,
        Finding::error(
            "other-version",
            "/problemVersionId",
            "the attempt answers another version of the problem than the one given",
            "grade it with the spec of its own version",
        ),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn penalties_are_limited() {
        let id = || HintId::new("h1").unwrap();
        for (given, kept) in [(2, 1), (-1, 0)] {
            let context = Context::new().hint(id(), Decimal::from(given));
            assert_eq!(context.hints, Some(vec![(id(), Decimal::from(kept))]), "{given}");
        }
    }

    #[test]
    fn a_hint_costs_once() {
        let id = |name: &str| HintId::new(name).unwrap();
        let used = [id("h1"), id("h2"), id("h1"), id("h2"), id("h1")];
        let mut warnings = Vec::new();
        let penalty = Context::new().penalty(Some(&used), &mut warnings);
        assert_eq!((penalty, warnings.len()), (Ratio::new(1, 5), 0));
        let listed = Context::new().hint(id("h1"), Decimal::new(3, -1));
        assert_eq!(listed.penalty(Some(&used), &mut warnings), Ratio::new(3, 10));
        let pointers: Vec<&str> = warnings.iter().map(|warning| warning.pointer.as_str()).collect();
        assert_eq!(pointers, ["/hintsUsed/1"]);
    }
}
