//! Explanations of scores for authors.

use std::fmt;

use fablegrade_public::json::Json;
use fablegrade_public::{Finding, Ratio};

use crate::mark::{Step, fraction};

/// The steps behind a score, as codes with facts.
///
/// It can hold parts of the key, so it is not `Serialize` and never part of an `AttemptResult`;
/// [`Explanation::to_json_for_author`] is for authors.
#[derive(Clone, PartialEq, Eq)]
pub struct Explanation {
    pub(crate) steps: Vec<Step>,
    pub(crate) raw: Option<Ratio>,
    pub(crate) penalty: Ratio,
    pub(crate) applied: Ratio,
    pub(crate) warnings: Vec<Finding>,
}

impl Explanation {
    /// Returns the steps in order; empty unless they were requested.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the exact score before penalties; `None` if the submission has no score.
    pub fn raw_score(&self) -> Option<&Ratio> {
        self.raw.as_ref()
    }

    /// Returns the penalty for the used hints, at most 0.8. It can exceed the score.
    pub fn penalty(&self) -> &Ratio {
        &self.penalty
    }

    /// Returns the penalty that was deducted from the score.
    pub fn applied_penalty(&self) -> &Ratio {
        &self.applied
    }

    /// Returns the exact score after penalties; `None` if the submission has no score.
    pub fn score(&self) -> Option<Ratio> {
        self.raw.as_ref().map(|raw| raw.minus(&self.applied))
    }

    /// Returns warnings for the caller, for example about unknown hints.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// Returns the index of the first step in which two explanations differ, with that step of each
    /// explanation (`None` if it has fewer steps).
    ///
    /// When only the final scores differ, the index is the number of steps. Returns `None` when neither the
    /// steps nor the scores differ.
    pub fn first_difference<'e>(
        &'e self,
        other: &'e Self,
    ) -> Option<(usize, Option<&'e Step>, Option<&'e Step>)> {
        let most = self.steps.len().max(other.steps.len());
        let at = (0..most).find(|at| self.steps.get(*at) != other.steps.get(*at));
        match at {
            Some(at) => Some((at, self.steps.get(at), other.steps.get(at))),
            None if self.score() != other.score() => Some((most, None, None)),
            None => None,
        }
    }

    /// Returns the explanation as canonical JSON: `{steps: [{code, ...facts}], raw?, penalty, applied,
    /// score?, warnings?}`. Fractions are exact and written as text.
    pub fn to_json_for_author(&self) -> String {
        let steps = self.steps.iter().map(Step::to_json_for_author);
        let warnings = (!self.warnings.is_empty()).then(|| {
            Json::array(self.warnings.iter().map(|warning| {
                Json::build()
                    .with("rule", warning.rule)
                    .with("pointer", &warning.pointer)
                    .with("message", &warning.message)
                    .with("help", &warning.help)
                    .build()
            }))
        });
        Json::build()
            .with("steps", Json::array(steps))
            .with_some("raw", self.raw.as_ref().map(fraction))
            .with("penalty", fraction(&self.penalty))
            .with("applied", fraction(&self.applied))
            .with_some("score", self.score().as_ref().map(fraction))
            .with_some("warnings", warnings)
            .build()
            .to_canonical()
    }
}

impl fmt::Display for Explanation {
    /// Writes one line per step, then the score, then one line per warning.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            write!(f, "{}", step.code)?;
            for (name, value) in &step.facts {
                write!(f, "  {name} {value}")?;
            }
            writeln!(f)?;
        }
        match &self.raw {
            None => writeln!(f, "no score"),
            Some(raw) if self.penalty.is_zero() => writeln!(f, "score {raw}"),
            Some(raw) => writeln!(
                f,
                "score {raw} - {} for hints (they cost {}) = {}",
                self.applied,
                self.penalty,
                raw.minus(&self.applied)
            ),
        }?;
        for warning in &self.warnings {
            writeln!(f, "{warning}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Explanation {
    /// Shows only the number of steps, because steps can quote the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explanation").field("steps", &self.steps.len()).finish_non_exhaustive()
    }
}
