//! `free_text`: prose, graded by people or by the learner against a checklist.

use super::Refusal;
use crate::content::Content;
use crate::document::{count, defaulted, flag, list, of, optional, required, text, with_type, word};

crate::document! {
    /// A free-text question. It has no secret field.
    pub struct FreeTextView {
        /// The person who grades.
        pub grading_mode: GradingMode = required("gradingMode", word(GradingMode::WORDS));
        /// The minimum number of words.
        pub min_words: Option<u32> = optional("minWords", count(1, 5_000));
        /// The maximum number of words.
        pub max_words: Option<u32> = optional("maxWords", count(10, 10_000));
        /// Whether formulas are allowed.
        pub allow_math: bool = defaulted("allowMath", flag(), true);
        /// Criteria for judging, which learners see too.
        pub rubric: Option<Vec<Criterion>> = optional("rubric", list(0, 10, of()));
        /// Lines against which learners check their own texts.
        pub self_assess_checklist: Option<Vec<String>> =
            optional("selfAssessChecklist", list(0, CHECKLIST_LINES, text(0, 300)));
    }
}

/// The maximum number of lines in a checklist.
const CHECKLIST_LINES: usize = 10;

/// The person who grades a free text. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GradingMode {
    /// The learner, against a checklist.
    SelfAssess,
    /// Another learner.
    PeerReview,
    /// A reviewer.
    Reviewer,
}

impl GradingMode {
    /// All values with the words used for them in JSON.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("self_assess", Self::SelfAssess), ("peer_review", Self::PeerReview), ("reviewer", Self::Reviewer)];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SelfAssess => "self_assess",
            Self::PeerReview => "peer_review",
            Self::Reviewer => "reviewer",
        }
    }
}

crate::document! {
    /// One line of a rubric.
    pub struct Criterion, such as r#"{"criterion": "Clear", "points": 3}"# {
        /// The criterion.
        pub criterion: String = required("criterion", text(0, 300));
        /// The maximum points for this criterion.
        pub points: u32 = required("points", count(1, 20));
        /// Advice on judging the criterion, which learners see too.
        pub description: Option<String> = optional("description", text(0, 1_000));
    }
}

crate::document! {
    /// A free text and the learner's self-assessment of it.
    pub struct FreeTextSubmission {
        /// The text.
        pub content: Content = required("content", of());
        /// For each line of the checklist, whether the learner ticked it.
        pub self_assessment: Option<Vec<bool>> = optional("selfAssessment", list(0, CHECKLIST_LINES, flag()));
    }
}

impl FreeTextView {
    pub(crate) const KEYS: &[&str] = &[];

    /// Checks the number of words, the use of formulas and, for self-assessment, that there are no more entries than
    /// lines in the checklist.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &FreeTextSubmission) -> Result<(), Refusal> {
        let words = submission.content.count_words();
        if let Some(min) = self.min_words
            && words < min as usize
        {
            let message = format!("Minimum number of words: {min}; yours: {words}.");
            return Err(Refusal::new("too-few-words", message).at("/content"));
        }
        if let Some(max) = self.max_words
            && words > max as usize
        {
            let message = format!("Maximum number of words: {max}; yours: {words}.");
            return Err(Refusal::new("too-many-words", message).at("/content"));
        }
        if !self.allow_math && submission.content.has_math() {
            return Err(Refusal::new("math-not-allowed", "Write without formulas.").at("/content"));
        }
        let lines = self.self_assess_checklist.as_ref().map_or(0, Vec::len);
        if self.grading_mode == GradingMode::SelfAssess
            && submission.self_assessment.as_ref().is_some_and(|checks| checks.len() > lines)
        {
            let refusal =
                Refusal::new("too-many-checks", "There are more checks than lines in the checklist.");
            return Err(refusal.at("/selfAssessment"));
        }
        Ok(())
    }
}

impl FreeTextSubmission {
    pub(crate) fn write_canonical(&self, out: &mut String) {
        with_type("free_text", self).write(out);
    }
}
