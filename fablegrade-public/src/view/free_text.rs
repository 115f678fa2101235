//! `free_text`: prose, graded by people or by the learner against a checklist.

use super::Refusal;
use crate::content::Content;
use crate::finding::Findings;
use crate::json::{self, Json, Object, Path, Read, Value};

/// A free-text question. It has no secret field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct FreeTextView {
    /// Who grades.
    pub grading_mode: GradingMode,
    /// The least number of words: 1 to 5,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 5000)))]
    pub min_words: Option<u32>,
    /// The greatest number of words: 10 to 10,000.
    #[cfg_attr(feature = "schema", schemars(range(min = 10, max = 10000)))]
    pub max_words: Option<u32>,
    /// Whether formulas are allowed.
    #[cfg_attr(feature = "schema", schemars(default = "crate::schema::yes"))]
    pub allow_math: bool,
    /// What a reviewer looks at: at most 10 criteria.
    #[cfg_attr(feature = "schema", schemars(length(max = 10)))]
    pub rubric: Option<Vec<Criterion>>,
    /// What a learner checks the own text against: at most 10 lines.
    #[cfg_attr(feature = "schema", schemars(length(max = 10), inner(length(max = 300))))]
    pub self_assess_checklist: Option<Vec<String>>,
}

/// Who grades a free text. Deliberately exhaustive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GradingMode {
    /// The learner, against the model solution and a checklist.
    SelfAssess,
    /// Another learner.
    PeerReview,
    /// A reviewer.
    Reviewer,
}

impl GradingMode {
    /// All with the words used in JSON.
    pub const WORDS: &'static [(&'static str, Self)] =
        &[("self_assess", Self::SelfAssess), ("peer_review", Self::PeerReview), ("reviewer", Self::Reviewer)];

    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SelfAssess => "self_assess",
            Self::PeerReview => "peer_review",
            Self::Reviewer => "reviewer",
        }
    }
}

/// One line of a rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct Criterion {
    /// What is looked at, at most 300 characters.
    #[cfg_attr(feature = "schema", schemars(length(max = 300)))]
    pub criterion: String,
    /// The most it can earn: 1 to 20 points.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 20)))]
    pub points: u32,
    /// How to judge it, at most 1,000 characters; learners see it.
    #[cfg_attr(feature = "schema", schemars(length(max = 1000)))]
    pub description: Option<String>,
}

/// The text, and the learner's own checks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename_all = "camelCase", deny_unknown_fields)
)]
pub struct FreeTextSubmission {
    /// The text.
    pub content: Content,
    /// Which lines of the checklist the learner ticked, at most 10.
    #[cfg_attr(feature = "schema", schemars(length(max = 10)))]
    pub self_assessment: Option<Vec<bool>>,
}

impl FreeTextView {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        Self::read_public(object)
    }

    /// Reads the fields; the spec has the same ones.
    pub fn read_public(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let grading_mode = object.required("gradingMode", json::word(GradingMode::WORDS));
        let min_words = object.optional("minWords", json::integer(1, 5_000));
        let max_words = object.optional("maxWords", json::integer(10, 10_000));
        let allow_math = object.defaulted("allowMath", true, json::boolean);
        let rubric = object.optional("rubric", json::list(0, 10, Criterion::read));
        let checklist = object.optional("selfAssessChecklist", json::list(0, 10, json::string(0, 300)));
        let words = |count: Option<i64>| count.and_then(|count| u32::try_from(count).ok());
        Some(Self {
            grading_mode: grading_mode?,
            min_words: words(min_words?),
            max_words: words(max_words?),
            allow_math: allow_math?,
            rubric: rubric?,
            self_assess_checklist: checklist?,
        })
    }

    /// The view as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "free_text")
            .with("gradingMode", self.grading_mode.as_str())
            .with_some("minWords", self.min_words)
            .with_some("maxWords", self.max_words)
            .with("allowMath", self.allow_math)
            .with_some(
                "rubric",
                self.rubric.as_ref().map(|list| Json::array(list.iter().map(Criterion::to_document))),
            )
            .with_some("selfAssessChecklist", self.self_assess_checklist.as_ref().map(Json::array))
            .build()
    }

    /// Checks the limits: words, formulas, no more checks than lines.
    ///
    /// # Errors
    /// A [`Refusal`] for the learner.
    pub fn admit(&self, submission: &FreeTextSubmission) -> Result<(), Refusal> {
        let words = submission.content.count_words();
        if let Some(min) = self.min_words
            && words < min as usize
        {
            return Err(Refusal::new(
                "too-few-words",
                format!("Write at least {min} words; there are {words}."),
            ));
        }
        if let Some(max) = self.max_words
            && words > max as usize
        {
            return Err(Refusal::new(
                "too-many-words",
                format!("Write at most {max} words; there are {words}."),
            ));
        }
        if !self.allow_math && submission.content.has_math() {
            return Err(Refusal::new("math-not-allowed", "Write without formulas."));
        }
        let lines = self.self_assess_checklist.as_ref().map_or(0, Vec::len);
        if self.grading_mode == GradingMode::SelfAssess
            && submission.self_assessment.as_ref().is_some_and(|checks| checks.len() > lines)
        {
            return Err(Refusal::new(
                "too-many-checks",
                "There are more checks than lines in the checklist.",
            ));
        }
        Ok(())
    }
}

impl Criterion {
    fn to_document(&self) -> Json {
        Json::build()
            .with("criterion", &self.criterion)
            .with("points", self.points)
            .with_some("description", self.description.as_ref())
            .build()
    }
}

impl Read for Criterion {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(value, at, findings, r#"{"criterion": "Clear", "points": 3}"#)?;
        let criterion = object.required("criterion", json::string(0, 300));
        let points = object.required("points", json::integer(1, 20));
        let description = object.optional("description", json::string(0, 1_000));
        object.close();
        Some(Self { criterion: criterion?, points: u32::try_from(points?).ok()?, description: description? })
    }
}

impl FreeTextSubmission {
    pub(crate) fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        let content = object.required("content", Content::read);
        let self_assessment = object.optional("selfAssessment", json::list(0, 10, json::boolean));
        Some(Self { content: content?, self_assessment: self_assessment? })
    }

    /// The submission as JSON.
    pub fn to_document(&self) -> Json {
        Json::build()
            .with("type", "free_text")
            .with("content", &self.content)
            .with_some(
                "selfAssessment",
                self.self_assessment.as_ref().map(|checks| Json::array(checks.iter().copied())),
            )
            .build()
    }

    pub(crate) fn write_canonical(&self, out: &mut String) {
        self.to_document().write(out);
    }
}
