//! Conversion of an evaluation to the `AttemptResult` that all integrations share.

use fablegrade_public::identifier::{Instant, UuidText, name_based_uuid};
use fablegrade_public::result::cut;
use fablegrade_public::{
    AttemptResult, CaseVerdict, CodeResult, Decimal, Feedback, FeedbackSeverity, GradedBy, Ratio, Verdict,
};

use crate::evaluation::{Cause, Failure, Judged};
use crate::result::AlertSeverity;

/// The UUID v5 namespace for the attempt ids of terry tasks.
const NAMESPACE: [u8; 16] = 0x6d1c_8f64_51a0_4a7e_9d0e_9b63_8a52_7e11_u128.to_be_bytes();
/// The maximum number of cases that an `AttemptResult` lists.
const CASES: usize = 500;

/// Returns the id (UUID v5) of an attempt. The same task, input and output always give the same id.
pub fn attempt_id(task: &str, input: &[u8], output: &[u8]) -> UuidText {
    let input = name_based_uuid(&name_based_uuid(&NAMESPACE, task.as_bytes()), input);
    UuidText::from_bytes(name_based_uuid(&input, output))
}

/// Returns the result of an attempt. Show it only after the contestant has confirmed the output, since it reveals the
/// score.
///
/// A judged output is `correct`, `partial` or `incorrect` by its score. A solution that failed is `incorrect`, as for
/// code questions. Every other failure is the fault of the task or the host: the verdict is `error`, without a score.
pub fn attempt_result(
    concluded: Result<&Judged, &Failure>,
    attempt_id: UuidText,
    graded_at: Option<Instant>,
) -> AttemptResult {
    let mut result = AttemptResult {
        attempt_id,
        verdict: Verdict::Error,
        score: None,
        score_penalty_applied: None,
        graded_by: GradedBy::Auto,
        graded_at,
        feedback: Vec::new(),
        code_results: Vec::new(),
    };
    match concluded {
        Ok(judged) => judge(judged, &mut result),
        Err(failure) if failure.is_solutions() => {
            result.verdict = Verdict::Incorrect;
            result.score = Some(0.0);
            result.code_results = vec![case(0, solution_verdict(failure))];
            result.feedback.push(Feedback::new(FeedbackSeverity::Info, failure.to_string()));
        }
        Err(_) => {
            let message = "The output could not be judged. This is not your fault; nothing was counted.";
            result.feedback.push(Feedback::new(FeedbackSeverity::Error, message));
        }
    }
    result
}

fn judge(judged: &Judged, result: &mut AttemptResult) {
    let score = judged.result.score();
    result.verdict = if *score == Decimal::one() {
        Verdict::Correct
    } else if score.is_zero() {
        Verdict::Incorrect
    } else {
        Verdict::Partial
    };
    result.score = Some(Ratio::from_decimal(score).to_f64());
    let cases = &judged.result.feedback().cases;
    let mut say = |severity, message: String| result.feedback.push(Feedback::new(severity, message));
    for (at, subtask) in judged.result.subtasks().iter().enumerate() {
        let labels = if subtask.labels.is_empty() {
            String::new()
        } else {
            format!(" ({})", subtask.labels.join(", "))
        };
        say(
            FeedbackSeverity::Info,
            format!("Subtask {}{labels}: {} of {} points", at + 1, subtask.score, subtask.max_score),
        );
    }
    if cases.len() > CASES {
        say(FeedbackSeverity::Info, format!("Only the first {CASES} of {} cases are listed.", cases.len()));
    }
    let alerts = judged.result.validation().alerts.iter().chain(&judged.result.feedback().alerts);
    for alert in alerts {
        let severity = match alert.severity {
            AlertSeverity::Success => FeedbackSeverity::Info,
            AlertSeverity::Warning | AlertSeverity::Danger => FeedbackSeverity::Hint,
        };
        say(severity, alert.message.clone());
    }
    let unsaid = result.feedback.len().saturating_sub(AttemptResult::MAX_FEEDBACK);
    if unsaid > 0 {
        result.feedback.truncate(AttemptResult::MAX_FEEDBACK - 1);
        result
            .feedback
            .push(Feedback::new(FeedbackSeverity::Info, format!("... and {} more messages", unsaid + 1)));
    }
    result.code_results = (0..)
        .zip(cases.iter().take(CASES))
        .map(|(at, judged)| {
            let mut case = case(at, if judged.correct { CaseVerdict::Passed } else { CaseVerdict::Failed });
            case.diff_excerpt =
                judged.message.clone().map(|message| cut(message, CodeResult::MAX_EXCERPT_CHARS));
            case
        })
        .collect();
}

fn case(case_index: u32, verdict: CaseVerdict) -> CodeResult {
    CodeResult {
        suite: "cases".to_owned(),
        case_index,
        case_name: None,
        verdict,
        time_ms: None,
        memory_kb: None,
        stderr_excerpt: None,
        diff_excerpt: None,
    }
}

fn solution_verdict(failure: &Failure) -> CaseVerdict {
    match failure {
        Failure::Program { cause: Cause::Time, .. } => CaseVerdict::Timeout,
        Failure::Program { cause: Cause::Memory, .. } => CaseVerdict::MemoryExceeded,
        Failure::Program { cause: Cause::Output, .. } => CaseVerdict::OutputLimit,
        Failure::Program { cause: Cause::Build(_), .. } => CaseVerdict::CompileError,
        _ => CaseVerdict::RuntimeError,
    }
}
