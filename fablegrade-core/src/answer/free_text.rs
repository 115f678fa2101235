//! `free_text` questions: graded by the learner with a checklist or by other people, never by the engine.

use fablegrade_public::document::Declared;
use fablegrade_public::json::{Object, ObjectBuilder};
use fablegrade_public::view::free_text::{FreeTextSubmission, FreeTextView, GradingMode};
use fablegrade_public::view::rules;
use fablegrade_public::{Findings, GradedBy, Ratio};

use super::{Evidence, Question};
use crate::host::Host;
use crate::mark::{Mark, Sheet, fraction};
use crate::shuffle::Order;

/// A free-text question. It has no secret field, so the spec is the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeTextSpec(pub FreeTextView);

/// The reason why rubric points cannot be converted to a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RubricError {
    /// The question has no rubric.
    #[error("the question has no rubric")]
    NoRubric,
    /// The number of entries differs from the number of criteria.
    #[error("the rubric has {expected} criteria, but points were given for {found}")]
    Count {
        /// The number of criteria in the rubric.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// More points than the criterion can earn.
    #[error("criterion {criterion} can earn at most {most} points")]
    TooMany {
        /// Index of the criterion, from 0.
        criterion: usize,
        /// The maximum points for it.
        most: u32,
    },
}

impl FreeTextSpec {
    /// Converts a reviewer's points to a score: the awarded points divided by the total points of the rubric.
    ///
    /// # Errors
    /// When there is no rubric, when the number of entries is wrong, or when a criterion has more points than
    /// its maximum.
    pub fn rubric_score(&self, awarded: &[u32]) -> Result<Ratio, RubricError> {
        let rubric =
            self.0.rubric.as_deref().filter(|rubric| !rubric.is_empty()).ok_or(RubricError::NoRubric)?;
        if rubric.len() != awarded.len() {
            return Err(RubricError::Count { expected: rubric.len(), found: awarded.len() });
        }
        for (criterion, (line, &points)) in rubric.iter().zip(awarded).enumerate() {
            if points > line.points {
                return Err(RubricError::TooMany { criterion, most: line.points });
            }
        }
        let most: u32 = rubric.iter().map(|line| line.points).sum();
        let earned: u32 = awarded.iter().sum();
        Ok(Ratio::new(i64::from(earned), u64::from(most)))
    }
}

impl Declared for FreeTextSpec {
    fn read_fields(object: &mut Object<'_, '_, '_>) -> Option<Self> {
        FreeTextView::read_fields(object).map(Self)
    }

    fn write_fields(&self, object: ObjectBuilder) -> ObjectBuilder {
        self.0.write_fields(object)
    }
}

impl Question for FreeTextSpec {
    type Submission = FreeTextSubmission;
    type View = FreeTextView;
    type Ready = ();

    fn prepare(&self, _host: &Host, findings: &mut Findings) -> Option<()> {
        rules::word_bounds(&self.0, findings);
        (findings.errors() == 0).then_some(())
    }

    fn view(&self, _order: &Order<'_>) -> FreeTextView {
        let FreeTextView { grading_mode, min_words, max_words, allow_math, rubric, self_assess_checklist } =
            &self.0;
        FreeTextView {
            grading_mode: *grading_mode,
            min_words: *min_words,
            max_words: *max_words,
            allow_math: *allow_math,
            rubric: rubric.clone(),
            self_assess_checklist: self_assess_checklist.clone(),
        }
    }

    fn mark(
        &self,
        _ready: &(),
        submission: &FreeTextSubmission,
        _evidence: Evidence<'_>,
        sheet: &mut Sheet,
    ) -> Mark {
        if let Err(refusal) = self.0.admit(submission) {
            return Mark::Refused(refusal);
        }
        let lines = self.0.self_assess_checklist.as_ref().map_or(0, Vec::len);
        let checks = match (self.0.grading_mode, &submission.self_assessment) {
            (GradingMode::SelfAssess, Some(checks)) if lines > 0 => checks,
            _ => {
                sheet
                    .trace
                    .step("waits-for-a-person", || vec![("mode", self.0.grading_mode.as_str().into())]);
                return Mark::Pending;
            }
        };
        let ticked = checks.iter().filter(|&&check| check).count();
        let score = Ratio::new(ticked as i64, lines as u64);
        sheet.trace.step("self-assessed", || {
            vec![("ticked", ticked.into()), ("lines", lines.into()), ("score", fraction(&score))]
        });
        Mark::Scored(score)
    }

    fn graded_by(&self) -> GradedBy {
        match self.0.grading_mode {
            GradingMode::SelfAssess => GradedBy::Self_,
            GradingMode::PeerReview => GradedBy::Peer,
            GradingMode::Reviewer => GradedBy::Reviewer,
        }
    }
}
