//! Marking of code from the outcomes of its cases.

use fablegrade_public::json::Json;
use fablegrade_public::judge::{judge_case, public_result};
use fablegrade_public::view::code::Visibility;
use fablegrade_public::{
    CaseOutcome, CaseVerdict, CodeResult, End, Error, ErrorKind, FeedbackSeverity, Finding, Findings, Ratio,
};

use super::CodeSpec;
use crate::mark::{Mark, Sheet, fraction};

impl CodeSpec {
    /// Checks that there is exactly one outcome per case.
    pub(crate) fn check_outcomes(&self, outcomes: &[CaseOutcome]) -> Result<(), Error> {
        let mut findings = Findings::new();
        for (at, outcome) in outcomes.iter().enumerate() {
            let known = self.cases().any(|(_, suite, case_index, _)| {
                suite.name == outcome.suite && case_index == outcome.case_index as usize
            });
            let again = outcomes[..at]
                .iter()
                .any(|earlier| earlier.suite == outcome.suite && earlier.case_index == outcome.case_index);
            if !known {
                findings.push(Finding::error(
                    "unknown-case",
                    format!("/{at}"),
                    "the spec has no such case",
                    "report the outcomes of the plan's cases",
                ));
            } else if again {
                findings.push(Finding::error(
                    "case-twice",
                    format!("/{at}"),
                    "there is an outcome of this case already",
                    "report each case once",
                ));
            }
        }
        let missing = self
            .cases()
            .filter(|(_, suite, case_index, _)| find(outcomes, &suite.name, *case_index).is_none())
            .count();
        if missing > 0 {
            findings.push(Finding::error(
                "case-missing",
                "",
                format!("{missing} cases have no outcome"),
                "report every case of the plan; cases that were left out deliberately as `skipped`",
            ));
        }
        if findings.errors() > 0 { Err(Error::new(ErrorKind::Mismatch, findings)) } else { Ok(()) }
    }

    /// Judges every case that was not skipped. [`CodeSpec::check_outcomes`] has accepted the outcomes.
    pub(super) fn conclude(&self, all_points: u64, outcomes: &[CaseOutcome], sheet: &mut Sheet) -> Mark {
        let mode = self.harness.mode;
        let mut earned: u64 = 0;
        let mut sandbox_failed = false;
        let mut compile_message: Option<&str> = None;
        let mut unisolated = false;
        for (_, suite, case_index, case) in self.cases() {
            let Some(outcome) = find(outcomes, &suite.name, case_index) else { continue };
            unisolated |= outcome.isolation.as_deref() == Some(UNSANDBOXED);
            if outcome.end == End::Skipped {
                sheet.trace.step("case-skipped", || {
                    vec![("suite", suite.name.as_str().into()), ("case", case_index.into())]
                });
                continue;
            }
            let case_number = case_index as u32;
            let (judgement, result) = match suite.visibility() {
                Visibility::Public => public_result(&suite.name, case_number, case, mode, outcome),
                // Show only the verdict: a program can echo its hidden input or leak it through timing.
                Visibility::Hidden => {
                    let judgement = judge_case(case, mode, outcome);
                    let result = CodeResult {
                        suite: suite.name.clone(),
                        case_index: case_number,
                        case_name: None,
                        verdict: judgement.verdict,
                        time_ms: None,
                        memory_kb: None,
                        stderr_excerpt: None,
                        diff_excerpt: None,
                    };
                    (judgement, result)
                }
            };
            match &outcome.end {
                End::SandboxError(cause) => {
                    sandbox_failed = true;
                    sheet.trace.step("sandbox-failed", || vec![("cause", cause.as_str().into())]);
                }
                End::CompileError(message) => {
                    compile_message.get_or_insert(message);
                }
                _ => {}
            }
            if judgement.verdict == CaseVerdict::Passed {
                earned += u64::from(case.points);
            }
            sheet.trace.step("case-judged", || {
                let mut facts = vec![
                    ("suite", suite.name.as_str().into()),
                    ("case", case_index.into()),
                    ("verdict", judgement.verdict.as_str().into()),
                    ("points", case.points.into()),
                ];
                let error = judgement.comparison.as_ref().and_then(|found| found.largest_error.as_ref());
                facts.extend(error.map(|error| ("largestError", Json::from(error))));
                facts
            });
            sheet.code_results.push(result);
        }
        if unisolated {
            sheet.tell(FeedbackSeverity::Info, "The program was run without a sandbox.");
        }
        if sandbox_failed {
            return Mark::Undecided(
                "The program could not be run safely. This is not your fault; please try again.".to_owned(),
            );
        }
        if let Some(message) = compile_message {
            let message = if message.trim().is_empty() { "no message" } else { message.trim() };
            sheet.tell(FeedbackSeverity::Error, format!("The program does not compile:\n{message}"));
        }
        let score = Ratio::new(earned as i64, all_points);
        sheet.trace.step("points-counted", || {
            vec![("earned", earned.into()), ("points", all_points.into()), ("score", fraction(&score))]
        });
        Mark::Scored(score)
    }
}

/// The isolation that a host reports for a run without a sandbox.
pub const UNSANDBOXED: &str = "unsandboxed";

fn find<'a>(outcomes: &'a [CaseOutcome], suite: &str, case_index: usize) -> Option<&'a CaseOutcome> {
    outcomes.iter().find(|outcome| outcome.case_index as usize == case_index && outcome.suite == suite)
}
