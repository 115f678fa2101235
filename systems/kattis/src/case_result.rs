//! Computes the result of a case from its passes.

use std::time::Duration;

use fablegrade_public::outcome::End;
use fablegrade_public::{Decimal, Ratio};

use crate::Version;
use crate::job::{Feedback, Party, Pass, Ran, Validated};
use crate::verdict::Verdict;

/// The result of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseResult {
    /// The verdict.
    pub verdict: Verdict,
    /// CPU time of the slowest pass; at least the time limit if the submission was stopped at a time limit, unless it
    /// was in a deadlock.
    pub time: Duration,
    /// Peak memory in KiB.
    pub memory_kib: Option<u64>,
    /// The reason for the verdict; for judges.
    pub reason: String,
    /// The text of `judgemessage.txt`, unless it is empty.
    pub judge_message: Option<String>,
    /// The text of `teammessage.txt`, unless it is empty.
    pub team_message: Option<String>,
    /// The score that the validator gave in `score.txt` or `score_multiplier.txt`.
    pub given: GivenScore,
}

/// The score that a validator gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenScore {
    /// There is no score.
    None,
    /// The score in `score.txt`.
    Score(Ratio),
    /// The multiplier in `score_multiplier.txt`.
    Multiplier(Ratio),
    /// The files do not contain a valid score; holds the reason.
    Invalid(&'static str),
}

impl CaseResult {
    pub(crate) fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self {
            verdict,
            time: Duration::ZERO,
            memory_kib: None,
            reason: reason.into(),
            judge_message: None,
            team_message: None,
            given: GivenScore::None,
        }
    }
}

/// The settings by which passes are judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) version: Version,
    pub(crate) time_limit: Duration,
    /// The output limit in bytes.
    pub(crate) output_limit: u64,
    pub(crate) interactive: bool,
    /// The maximum number of passes, if the problem is multi-pass.
    pub(crate) passes: Option<u32>,
    /// The kind of validator, in words.
    pub(crate) validator: &'static str,
    /// Whether the messages of validators are kept.
    pub(crate) messages: bool,
}

/// Judges the passes of a case.
pub(crate) fn judge(passes: &[Pass], terms: Terms) -> CaseResult {
    let Some(last) = passes.last() else { return CaseResult::new(Verdict::JudgeError, "nothing was run") };
    let mut result = CaseResult::new(Verdict::Accepted, "");
    for (at, pass) in passes.iter().enumerate() {
        let (verdict, reason) = judge_pass(pass, terms);
        let number = if passes.len() > 1 { format!("pass {}: ", at + 1) } else { String::new() };
        result.verdict = verdict;
        result.reason = format!("{number}{reason}");
        if verdict != Verdict::Accepted {
            break;
        }
    }
    let runs = passes.iter().filter_map(|pass| pass.submission.as_ref());
    result.time = runs.clone().map(|ran| ran.cpu).max().unwrap_or_default();
    // A submission that was stopped at a time limit would have taken longer. In a deadlock, only its CPU time counts.
    let stopped = |pass: &&Pass| pass.submission.as_ref().is_some_and(|ran| ran.end == End::Timeout);
    if passes.iter().filter(stopped).any(|pass| !pass.deadlock) {
        result.time = result.time.max(terms.time_limit);
    }
    result.memory_kib = runs.filter_map(|ran| ran.memory_kib).max();
    let feedback = last.validators.last().map(|validated| &validated.feedback);
    if let Some(feedback) = feedback {
        if terms.messages {
            result.judge_message = feedback.text("judgemessage.txt").filter(|text| !text.is_empty());
            result.team_message = feedback.text("teammessage.txt").filter(|text| !text.is_empty());
        }
        result.given = given(feedback);
    }
    if let Some(most) = terms.passes {
        let nextpass = |validated: &Validated| validated.feedback.get("nextpass.in").is_some();
        let after_rejection =
            last.validators.iter().any(|validated| nextpass(validated) && !validated.accepted());
        if after_rejection {
            result.verdict = Verdict::JudgeError;
            result.reason = "the validator wrote `nextpass.in` without exit code 42".into();
        } else if result.verdict == Verdict::Accepted && last.next_input().is_some() {
            result.verdict = Verdict::JudgeError;
            result.reason = format!("the validator asks for more than {most} passes");
        }
    }
    result
}

fn judge_pass(pass: &Pass, terms: Terms) -> (Verdict, String) {
    if let Some(why) = pass.validators.iter().find_map(|validated| validated.feedback.refused.as_ref()) {
        return (Verdict::JudgeError, format!("feedback folder: {why}"));
    }
    let of_submission = pass.submission.as_ref().and_then(|ran| submission(ran, terms));
    if terms.interactive {
        return interactive(pass, of_submission, terms);
    }
    if let Some(failed) = of_submission {
        return failed;
    }
    validators(&pass.validators, terms.validator)
}

fn validators(validators: &[Validated], kind: &str) -> (Verdict, String) {
    for validated in validators {
        if validated.rejected() {
            return (Verdict::WrongAnswer, format!("the {kind} rejected the output"));
        }
        if !validated.accepted() {
            return (Verdict::JudgeError, format!("the {kind} {}", end_text(&validated.ran.end)));
        }
    }
    match validators {
        [] => (Verdict::JudgeError, format!("no {kind} was run")),
        _ => (Verdict::Accepted, "accepted".into()),
    }
}

/// Returns the verdict for a submission that did not succeed within its limits, or `None` if it did.
fn submission(ran: &Ran, terms: Terms) -> Option<(Verdict, String)> {
    let limit = terms.time_limit;
    if ran.end == End::Timeout || ran.cpu > limit {
        let text =
            format!("{:.3} s of CPU time, the limit is {:.3} s", ran.cpu.as_secs_f64(), limit.as_secs_f64());
        return Some((Verdict::TimeLimitExceeded, text));
    }
    // 2025-09 limits the sum of output, errors and files; legacy limits each separately.
    let too_much = !terms.version.is_legacy() && ran.written > terms.output_limit;
    if too_much && matches!(ran.end, End::Exited(_)) {
        let text =
            format!("{} bytes of output, errors and files, the limit is {}", ran.written, terms.output_limit);
        return Some((Verdict::OutputLimitExceeded, text));
    }
    let verdict = match &ran.end {
        End::Exited(0) => return None,
        End::Exited(_) | End::Signalled(_) => Verdict::RunTimeError,
        End::MemoryExceeded => Verdict::MemoryLimitExceeded,
        End::OutputLimit => Verdict::OutputLimitExceeded,
        End::CompileError(_) => Verdict::CompileError,
        End::SandboxError(_) | End::Skipped => Verdict::JudgeError,
        End::Timeout => Verdict::TimeLimitExceeded,
    };
    Some((verdict, format!("the submission {}", end_text(&ran.end))))
}

/// Judges an interactive pass. The first of these that applies decides: a deadlock; a failed validator (judge error,
/// unless it was stopped because the submission used up its time); a validator that rejected and ended first (wrong
/// answer); the submission's own failure; the validator's verdict.
fn interactive(pass: &Pass, of_submission: Option<(Verdict, String)>, terms: Terms) -> (Verdict, String) {
    let legacy = terms.version.is_legacy();
    let Some(validated) = pass.validators.first() else {
        return (Verdict::JudgeError, "no output validator was run".into());
    };
    let too_slow = matches!(of_submission, Some((Verdict::TimeLimitExceeded, _)));
    if pass.deadlock {
        let verdict = if legacy { Verdict::TimeLimitExceeded } else { Verdict::JudgeError };
        return (verdict, "both sides waited for each other".into());
    }
    if !validated.accepted() && !validated.rejected() {
        // The validator was stopped because the submission used up its time.
        let stopped = matches!(validated.ran.end, End::Timeout | End::Signalled(9)) && too_slow;
        if stopped {
            return of_submission.unwrap_or((Verdict::JudgeError, String::new()));
        }
        return (Verdict::JudgeError, format!("the output validator {}", end_text(&validated.ran.end)));
    }
    if validated.rejected() && pass.first == Some(Party::Validator) {
        return (Verdict::WrongAnswer, "the output validator rejected the interaction".into());
    }
    // A host may report `Skipped` for a submission that it stopped because the validator had ended; the runner
    // reports a signal.
    let stopped = pass.submission.as_ref().is_some_and(|ran| ran.end == End::Skipped);
    match of_submission {
        Some(failed) if !stopped => failed,
        _ => validators(&pass.validators, terms.validator),
    }
}

/// Describes the end of a process, as the predicate of a sentence.
pub(crate) fn end_text(end: &End) -> String {
    match end {
        End::Exited(code) => format!("exited with {code}"),
        End::Signalled(signal) => format!("was ended by signal {signal}"),
        End::Timeout => "exceeded its time limit".into(),
        End::MemoryExceeded => "exceeded its memory limit".into(),
        End::OutputLimit => "exceeded its output limit".into(),
        End::CompileError(_) => "does not compile".into(),
        End::SandboxError(cause) => format!("could not be run: {cause}"),
        End::Skipped => "was left out".into(),
    }
}

fn given(feedback: &Feedback) -> GivenScore {
    let (score, multiplier) = (feedback.get("score.txt"), feedback.get("score_multiplier.txt"));
    match (score, multiplier) {
        (Some(_), Some(_)) => {
            GivenScore::Invalid("the validator wrote both `score.txt` and `score_multiplier.txt`")
        }
        (Some(text), None) => match number(text) {
            Some(score) => GivenScore::Score(score),
            None => GivenScore::Invalid("`score.txt` does not hold a single number"),
        },
        (None, Some(text)) => match number(text) {
            Some(factor) if Ratio::zero() <= factor && factor <= Ratio::one() => {
                GivenScore::Multiplier(factor)
            }
            _ => GivenScore::Invalid("`score_multiplier.txt` does not hold a single number from 0 to 1"),
        },
        (None, None) => GivenScore::None,
    }
}

fn number(text: &[u8]) -> Option<Ratio> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii();
    Decimal::from_text(text).ok().map(|number| Ratio::from_decimal(&number))
}
