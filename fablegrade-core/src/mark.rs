//! Marks, from which the grader makes results.

use fablegrade_public::json::Json;
use fablegrade_public::{CodeResult, Feedback, FeedbackSeverity, Locale, Ratio, Refusal, messages};

/// The mark of a submission; the grader derives the verdict and the score from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The submission is returned without marking, for example because it cannot be read.
    Refused(Refusal),
    /// A refusal like [`Mark::Refused`] whose message is not translated: it is already in the learner's language, or it
    /// is an author's text.
    RefusedTranslated(Refusal),
    /// Not graded yet.
    Pending,
    /// The answer could not be decided, which does not count against the learner. The message is for the
    /// learner.
    Undecided(String),
    /// The score before penalties, in `[0, 1]`.
    Scored(Ratio),
}

/// A record of marking: messages for the learner, test results, and steps for the author.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    pub(crate) feedback: Vec<Feedback>,
    pub(crate) code_results: Vec<CodeResult>,
    pub(crate) trace: Trace,
    /// The language of the messages.
    pub(crate) locale: Locale,
}

impl Sheet {
    /// Adds a message of the grader for the learner, in the learner's language.
    pub(crate) fn tell(&mut self, severity: FeedbackSeverity, message: impl AsRef<str>) {
        let message = self.message(severity, message.as_ref());
        self.feedback.push(message);
    }

    /// Adds an author's message for the learner. It is not translated, even if it equals a message of the grader.
    pub(crate) fn tell_for_author(&mut self, severity: FeedbackSeverity, message: impl Into<String>) {
        self.feedback.push(Feedback::new(severity, message));
    }

    /// Returns a message of the grader in the learner's language.
    pub(crate) fn message(&self, severity: FeedbackSeverity, message: &str) -> Feedback {
        Feedback::new(severity, messages::translate(message, self.locale))
    }
}

/// One step in the computation of a score, for the author.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// A stable code in kebab case, for example `choice-right`.
    pub code: &'static str,
    /// Facts of the step, by name.
    pub facts: Vec<(&'static str, Json)>,
}

impl Step {
    /// Returns `{code, ...facts}`. Facts can quote the key.
    pub fn to_json_for_author(&self) -> Json {
        let object = Json::build().with("code", self.code);
        self.facts.iter().fold(object, |object, (name, value)| object.with(name, value)).build()
    }
}

/// The recorded steps; `None` unless an explanation was requested.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    steps: Option<Vec<Step>>,
}

impl Trace {
    pub(crate) fn recording() -> Self {
        Self { steps: Some(Vec::new()) }
    }

    pub(crate) fn is_recording(&self) -> bool {
        self.steps.is_some()
    }

    /// Records a step; `facts` is called only when recording.
    pub(crate) fn step(&mut self, code: &'static str, facts: impl FnOnce() -> Vec<(&'static str, Json)>) {
        if let Some(steps) = &mut self.steps {
            steps.push(Step { code, facts: facts() });
        }
    }

    pub(crate) fn into_steps(self) -> Vec<Step> {
        self.steps.unwrap_or_default()
    }
}

/// Converts a ratio to exact text, such as `2/3`.
pub(crate) fn fraction(ratio: &Ratio) -> Json {
    ratio.to_fraction_text().into()
}
