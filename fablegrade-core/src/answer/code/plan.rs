//! Plans: the cases to run for a code submission, as plain data for any host.

use fablegrade_public::document::Whole as _;
use fablegrade_public::json::Json;
use fablegrade_public::view::code::{CodeSubmission, Harness, Language, Limits, Visibility};

use super::CodeSpec;
use crate::secret::Secret;

/// Everything a host needs to run a submission. It contains hidden inputs (but no expected outputs), so it
/// must not reach learners. Its `Debug` hides the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionPlan {
    /// The program's language.
    pub language: Language,
    /// The program.
    pub source: String,
    /// The way the program is called.
    pub harness: Harness,
    /// Limits of the program; the time limit of each case is in the case.
    pub limits: Limits,
    /// The cases: public suites first, otherwise in the order of the spec.
    pub cases: Vec<PlannedCase>,
}

/// One case to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCase {
    /// Name of the suite.
    pub suite: String,
    /// Index within the suite, from 0.
    pub case_index: u32,
    /// Who can see the case.
    pub visibility: Visibility,
    /// Standard input, or the JSON array of arguments in function mode.
    pub input: Secret<String>,
    /// The limit on CPU time, in milliseconds.
    pub time_ms: u32,
}

impl CodeSpec {
    pub(crate) fn plan(&self, submission: &CodeSubmission) -> ExecutionPlan {
        let mut cases: Vec<PlannedCase> = self
            .cases()
            .map(|(_, suite, case_index, case)| PlannedCase {
                suite: suite.name.clone(),
                case_index: case_index as u32,
                visibility: suite.visibility(),
                input: Secret::new(case.input.clone()),
                time_ms: case.timeout_ms.unwrap_or(self.limits.time_ms_per_case),
            })
            .collect();
        cases.sort_by_key(|case| case.visibility);
        ExecutionPlan {
            language: submission.language,
            source: submission.source.clone(),
            harness: self.harness.clone(),
            limits: self.limits,
            cases,
        }
    }
}

impl ExecutionPlan {
    /// Returns the plan as canonical JSON, including hidden inputs, for the host that runs it.
    pub fn to_json_for_host(&self) -> String {
        let cases = self.cases.iter().map(|case| {
            Json::build()
                .with("suite", &case.suite)
                .with("caseIndex", case.case_index)
                .with("visibility", case.visibility.as_str())
                .with("input", case.input.expose())
                .with("timeMs", case.time_ms)
                .build()
        });
        Json::build()
            .with("language", self.language.as_str())
            .with("source", &self.source)
            .with("harness", self.harness.whole())
            .with("limits", self.limits.whole())
            .with("cases", Json::array(cases))
            .build()
            .to_canonical()
    }
}
