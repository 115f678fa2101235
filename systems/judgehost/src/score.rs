//! Computes points and verdicts from an outcome.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Finding, Findings};
use fablegrade_public::identifier::UuidText;
use fablegrade_public::json::Json;
use fablegrade_public::ratio::Ratio;
use fablegrade_public::result::{self, AttemptResult, Feedback, FeedbackSeverity, GradedBy};

use crate::config::{Config, Rubric};
use crate::hook::Phase;
use crate::outcome::{
    ContainerEnd, ContainerOutcome, Failure, HookEnd, HookOutcome, Outcome, ResultContent, Stage,
};
use crate::rubric::{RubricOutput, Verdict, file_name};

/// The status of an evaluation. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// It was completed; rubrics can still be `ERROR`.
    Completed,
    /// It could not be completed; the reason is a [`Failure`].
    Failed,
}

impl Status {
    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "COMPLETED",
            Self::Failed => "FAILED",
        }
    }
}

/// A scored submission.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Evaluation {
    /// The submission's id.
    pub submission_id: String,
    /// The problem's id.
    pub problem_id: String,
    /// Completed or failed.
    pub status: Status,
    /// The results in the configuration's order.
    pub rubrics: Vec<RubricResult>,
    /// Points and shares; `None` if no rubric is counted.
    pub scores: Option<Scores>,
    /// `ERROR` if any rubric is `ERROR` or the evaluation failed; `PASS` or `FAIL` if all counted rubrics are; `SKIP`
    /// if none is counted; `PARTIAL` otherwise.
    pub verdict: Verdict,
    /// The reason why it was not completed.
    pub failure: Option<Failure>,
    /// True if the submission caused the failure: its container crashed or never became ready, or a pre-hook in it
    /// failed.
    pub by_submission: bool,
    /// Findings for the author and the operator: results that were not trusted, hooks that failed.
    pub findings: Vec<Finding>,
    weighted: bool,
}

/// A scored rubric.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RubricResult {
    /// The rubric's id.
    pub rubric_id: String,
    /// The displayed name.
    pub rubric_name: String,
    /// The word for its type in JSON.
    pub rubric_type: &'static str,
    /// Points; zero for `ERROR`.
    pub score: Decimal,
    /// The maximum score from the configuration.
    pub max_score: Decimal,
    /// The weight; 1 if the configuration has none.
    pub weight: Decimal,
    /// The verdict.
    pub verdict: Verdict,
    /// The container that wrote the result; `None` if there is no result.
    pub container_id: Option<String>,
    /// The reason why there is no valid result, or else the message in the result.
    pub message: Option<String>,
    /// The content of the result file, if it is valid.
    pub document: Option<Json>,
}

/// Exact points and shares of the rubrics that count: all except `SKIP`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scores {
    /// Sum of the points.
    pub total: Decimal,
    /// Sum of the maximum points.
    pub max_total: Decimal,
    /// `total / max_total * 100`.
    pub normalized: Ratio,
    /// Sum of points times weight, divided by the sum of maximum points times weight, from 0 to 1.
    pub weighted: Ratio,
}

/// The share that becomes the score of an [`AttemptResult`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// The weighted share if any rubric has a weight, otherwise the unweighted share.
    #[default]
    Auto,
    /// The weighted share.
    Weighted,
    /// The unweighted share.
    Normalized,
}

/// Returns the containers whose result for `rubric` is trusted, in order of priority. This is only the rubric's
/// container; if it names none, all containers, those without the submission first.
pub(crate) fn believed(config: &Config, rubric: &Rubric) -> Vec<String> {
    if let Some(own) = &rubric.container {
        return vec![own.clone()];
    }
    let of = |accepts: bool| {
        config.containers.iter().filter(move |container| container.accepts_submission == accepts)
    };
    of(false).chain(of(true)).map(|container| container.container_id.clone()).collect()
}

/// Scores an outcome.
pub fn evaluate(config: &Config, submission_id: &str, outcome: &Outcome) -> Evaluation {
    let mut findings = Findings::new();
    for hook in outcome.hooks.iter().filter(|hook| !hook.end.is_good()) {
        findings.push(Finding::warning(
            "hook-failed",
            "",
            format!(
                "{}/hooks/{}/{} {}",
                hook.container_id,
                hook.phase.as_str(),
                hook.name,
                hook.end.describe()
            ),
            "read its part of hooks.error.log",
        ));
    }
    let rubrics: Vec<RubricResult> = (config.rubrics.iter().enumerate())
        .map(|(index, rubric)| score_rubric(config, rubric, index, outcome, &mut findings))
        .collect();
    let status = if outcome.failure.is_some() { Status::Failed } else { Status::Completed };
    let by_submission = outcome.failure.as_ref().is_some_and(|failure| is_submissions(config, failure));
    Evaluation {
        submission_id: submission_id.to_owned(),
        problem_id: config.problem_id.clone(),
        status,
        scores: aggregate(&rubrics),
        verdict: overall(status, &rubrics),
        rubrics,
        failure: outcome.failure.clone(),
        by_submission,
        findings: findings.into_vec(),
        weighted: config.rubrics.iter().any(|rubric| rubric.weight.is_some()),
    }
}

fn is_submissions(config: &Config, failure: &Failure) -> bool {
    let container = failure.container_id.as_deref().and_then(|id| config.container(id));
    matches!(failure.stage, Stage::Dependency | Stage::Startup | Stage::PreHook)
        && container.is_some_and(|container| container.accepts_submission)
}

fn score_rubric(
    config: &Config,
    rubric: &Rubric,
    index: usize,
    outcome: &Outcome,
    findings: &mut Findings,
) -> RubricResult {
    let name = file_name(&rubric.rubric_id);
    let believed = believed(config, rubric);
    let of = |id: &str| outcome.results.iter().find(|file| file.container_id == id && file.name == name);
    let found = believed.iter().find_map(|id| of(id));
    let pointer = format!("/rubrics/{index}");
    for file in outcome.results.iter().filter(|file| file.name == name) {
        if found.is_none_or(|found| found.container_id != file.container_id) {
            findings.push(Finding::warning(
                "result-not-believed",
                pointer.clone(),
                format!(
                    "`{}` wrote `{name}`, but its result does not count for this rubric",
                    file.container_id
                ),
                "find out who wrote it; a submission may have tried to forge it",
            ));
        }
    }
    let mut result = RubricResult {
        rubric_id: rubric.rubric_id.clone(),
        rubric_name: rubric.rubric_name.clone(),
        rubric_type: rubric.rubric_type.as_str(),
        score: Decimal::zero(),
        max_score: rubric.max_score.clone(),
        weight: rubric.weight.clone().unwrap_or_else(Decimal::one),
        verdict: Verdict::Error,
        container_id: found.map(|file| file.container_id.clone()),
        message: None,
        document: None,
    };
    let Some(file) = found else {
        result.message = Some(missing(rubric, &believed, outcome));
        if outcome.failure.is_none() && is_prevented(config, &believed, outcome) {
            result.verdict = Verdict::Fail;
        }
        return result;
    };
    let beside_submission =
        config.container(&file.container_id).is_some_and(|container| container.accepts_submission);
    if rubric.container.is_none() && beside_submission {
        findings.push(Finding::warning(
            "result-beside-submission",
            pointer,
            format!("the result comes from `{}`, in which the submission runs", file.container_id),
            "name a `container` without the submission",
        ));
    }
    let ResultContent::File(bytes) = &file.content else {
        result.message = Some(format!("{name} of `{}` is a link or a folder, not a file", file.container_id));
        // In a container in which the submission runs, the submission is assumed to have created it.
        if beside_submission {
            result.verdict = Verdict::Fail;
        }
        return result;
    };
    match RubricOutput::parse(bytes, rubric) {
        Ok(output) => {
            result.score = if output.verdict == Verdict::Error { Decimal::zero() } else { output.score };
            result.verdict = output.verdict;
            result.message = output.message;
            result.document = Some(output.document);
        }
        Err(error) => {
            result.message = Some(format!("{name} of `{}` is refused: {error}", file.container_id));
            if beside_submission {
                result.verdict = Verdict::Fail;
            }
        }
    }
    result
}

/// Returns whether the submission prevented its own test: its container had no process left for a hook, or exceeded its
/// disk limit.
fn is_prevented(config: &Config, believed: &[String], outcome: &Outcome) -> bool {
    let own = |id: &str| {
        believed.iter().any(|believed| believed == id)
            && config.container(id).is_some_and(|container| container.accepts_submission)
    };
    let starved = |hook: &HookOutcome| hook.end == HookEnd::NoProcessLeft && own(&hook.container_id);
    let full = |end: &ContainerOutcome| end.end == ContainerEnd::OutOfDisk && own(&end.container_id);
    outcome.hooks.iter().any(starved) || outcome.containers.iter().any(full)
}

/// Returns a message that a rubric has no result, with the reason if it is known.
fn missing(rubric: &Rubric, believed: &[String], outcome: &Outcome) -> String {
    let name = file_name(&rubric.rubric_id);
    if let Some(failure) = &outcome.failure {
        return format!("there is no {name}, since the evaluation failed: {}", failure.message);
    }
    let failed = outcome.hooks.iter().find(|hook| {
        hook.phase == Phase::Post && !hook.end.is_good() && believed.contains(&hook.container_id)
    });
    match failed {
        Some(hook) => {
            format!(
                "there is no {name}: {}/hooks/post/{} {}",
                hook.container_id,
                hook.name,
                hook.end.describe()
            )
        }
        None => format!("there is no {name}; nothing wrote it"),
    }
}

fn aggregate(rubrics: &[RubricResult]) -> Option<Scores> {
    let (mut total, mut max_total) = (Decimal::zero(), Decimal::zero());
    let (mut weighted, mut weighted_max) = (Decimal::zero(), Decimal::zero());
    for rubric in rubrics.iter().filter(|rubric| rubric.verdict != Verdict::Skip) {
        total = total.add(&rubric.score);
        max_total = max_total.add(&rubric.max_score);
        weighted = weighted.add(&rubric.score.multiply(&rubric.weight));
        weighted_max = weighted_max.add(&rubric.max_score.multiply(&rubric.weight));
    }
    let share = |part: &Decimal, whole: &Decimal| Ratio::from_decimal(part).over(&Ratio::from_decimal(whole));
    Some(Scores {
        normalized: share(&total, &max_total)?.times(&Ratio::new(100, 1)),
        weighted: share(&weighted, &weighted_max)?,
        total,
        max_total,
    })
}

fn overall(status: Status, rubrics: &[RubricResult]) -> Verdict {
    let counted = || rubrics.iter().map(|rubric| rubric.verdict).filter(|verdict| *verdict != Verdict::Skip);
    if status == Status::Failed || counted().any(|verdict| verdict == Verdict::Error) {
        Verdict::Error
    } else if counted().next().is_none() {
        Verdict::Skip
    } else if counted().all(|verdict| verdict == Verdict::Pass) {
        Verdict::Pass
    } else if counted().all(|verdict| verdict == Verdict::Fail) {
        Verdict::Fail
    } else {
        Verdict::Partial
    }
}

/// Returns a share as a JSON number, rounded to the nearest double.
fn number(ratio: &Ratio) -> Json {
    Decimal::from_f64(ratio.to_f64()).map_or(Json::Null, Json::from)
}

impl Evaluation {
    /// Returns the share that ranks submissions, from 0 to 1; `None` if no rubric is counted.
    pub fn share(&self, ranking: Ranking) -> Option<Ratio> {
        let scores = self.scores.as_ref()?;
        let weighted = match ranking {
            Ranking::Auto => self.weighted,
            Ranking::Weighted => true,
            Ranking::Normalized => false,
        };
        if weighted { Some(scores.weighted.clone()) } else { scores.normalized.over(&Ratio::new(100, 1)) }
    }

    /// Returns the evaluation in judgehost's format: `{submission_id, problem_id, status, rubrics, total_score?,
    /// max_total_score?, normalized_score?, weighted_score?, verdict, failure?}`. The scores are absent if no rubric is
    /// counted.
    pub fn to_json(&self) -> Json {
        let scores = self.scores.as_ref();
        let failure = self.failure.as_ref().map(|failure| {
            Json::build()
                .with("stage", failure.stage.as_str())
                .with_some("container_id", failure.container_id.as_ref())
                .with("message", &failure.message)
                .with("by_submission", self.by_submission)
                .build()
        });
        Json::build()
            .with("submission_id", &self.submission_id)
            .with("problem_id", &self.problem_id)
            .with("status", self.status.as_str())
            .with("rubrics", Json::array(self.rubrics.iter().map(RubricResult::to_json)))
            .with_some("total_score", scores.map(|scores| &scores.total))
            .with_some("max_total_score", scores.map(|scores| &scores.max_total))
            .with_some("normalized_score", scores.map(|scores| number(&scores.normalized)))
            .with_some("weighted_score", scores.map(|scores| number(&scores.weighted)))
            .with("verdict", self.verdict.as_str())
            .with_some("failure", failure)
            .build()
    }

    /// Returns the result for the learner: `correct` for all points, `incorrect` for none, otherwise `partial`. If the
    /// submission caused the evaluation to fail, it is `incorrect`. If the evaluation failed for another reason, a
    /// rubric is `ERROR`, or no rubric is counted, it is `error` without a score.
    ///
    /// The feedback contains the names and points of the rubrics, and nothing else from their results.
    pub fn to_attempt_result(&self, attempt_id: UuidText, ranking: Ranking) -> AttemptResult {
        let mut feedback = Vec::new();
        let mut say = |severity, message: String| {
            if feedback.len() < AttemptResult::MAX_FEEDBACK {
                feedback.push(Feedback::new(severity, message));
            }
        };
        let (verdict, share) = match self.share(ranking) {
            _ if self.by_submission => (result::Verdict::Incorrect, Some(Ratio::zero())),
            Some(share) if self.verdict != Verdict::Error => {
                let verdict = match &share {
                    share if share.is_one() => result::Verdict::Correct,
                    share if share.is_zero() => result::Verdict::Incorrect,
                    _ => result::Verdict::Partial,
                };
                (verdict, Some(share))
            }
            _ => (result::Verdict::Error, None),
        };
        if self.by_submission {
            say(
                FeedbackSeverity::Error,
                "the program did not start, or ended before it could be tested".into(),
            );
        } else if share.is_none() {
            say(
                FeedbackSeverity::Error,
                "the submission could not be evaluated; it was not marked wrong".into(),
            );
        }
        for rubric in self.rubrics.iter().filter(|_| !self.by_submission) {
            let points = match rubric.verdict {
                Verdict::Skip => "not counted".to_owned(),
                Verdict::Error => "could not be evaluated".to_owned(),
                _ => format!("{} of {} points", rubric.score, rubric.max_score),
            };
            say(FeedbackSeverity::Info, format!("{}: {points}", rubric.rubric_name));
        }
        AttemptResult {
            attempt_id,
            verdict,
            score: share.map(|share| share.clamped().to_f64()),
            score_penalty_applied: None,
            graded_by: GradedBy::Auto,
            graded_at: None,
            feedback,
            code_results: Vec::new(),
        }
    }
}

impl RubricResult {
    /// Returns the rubric's entry in [`Evaluation::to_json`].
    pub fn to_json(&self) -> Json {
        let field = |name: &str| self.document.as_ref().and_then(|document| document.get(name));
        Json::build()
            .with("rubric_id", &self.rubric_id)
            .with("rubric_name", &self.rubric_name)
            .with("rubric_type", self.rubric_type)
            .with("score", &self.score)
            .with("max_score", &self.max_score)
            .with("weight", &self.weight)
            .with("verdict", self.verdict.as_str())
            .with_some("container", self.container_id.as_ref())
            .with_some("message", self.message.as_ref())
            .with_some("details", field("details"))
            .with_some("metadata", field("metadata"))
            .build()
    }
}
