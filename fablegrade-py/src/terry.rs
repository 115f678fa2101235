//! Checks the documents of terry tasks, makes plans, and reads and judges the output of checkers. Nothing is
//! run here.

use fablegrade_core::json::Json;
use fablegrade_core::{Decimal, End, Finding};
use fablegrade_public::identifier::{Instant, UuidText};
use fablegrade_terry::attempt::{attempt_id, attempt_result};
use fablegrade_terry::bad_outputs::bad_outputs;
use fablegrade_terry::contest::{Contest, PublicMetadata};
use fablegrade_terry::evaluation::{Failure, Judged, Plan, Role, StepOutcome};
use fablegrade_terry::folder::{Entry, Folder};
use fablegrade_terry::platform::Platform;
use fablegrade_terry::result::Expected;
use fablegrade_terry::task::{FileFinding, Task, read_document};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::documents::{decimal, output_bytes};
use crate::errors::{NoResult, refusal};
use crate::result::AttemptResult;

/// Returns `{valid, [key], findings}`, as the command prints it.
fn checked(document: Option<(&'static str, Json)>, findings: &[FileFinding]) -> String {
    let answer = Json::build().with("valid", !findings.iter().any(FileFinding::is_error));
    let answer = match document {
        Some((key, document)) => answer.with(key, document),
        None => answer,
    };
    answer.with("findings", Json::array(findings.iter().map(FileFinding::to_json))).build().to_canonical()
}

/// `fablegrade.terry.check_task` as JSON.
#[pyfunction]
pub(crate) fn terry_check_task(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = output_bytes("/text", text)?;
    Ok(py.detach(|| {
        let (task, findings) = read_document("task.yaml", &text, Task::read_yaml);
        checked(Some(("task", task.as_ref().map_or(Json::Null, Task::to_json))), &findings)
    }))
}

/// `fablegrade.terry.check_contest` as JSON.
#[pyfunction]
#[pyo3(signature = (text, metadata=None))]
pub(crate) fn terry_check_contest(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    metadata: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let text = output_bytes("/text", text)?;
    let metadata = metadata.map(|text| output_bytes("/metadata", text)).transpose()?;
    Ok(py.detach(|| {
        let (contest, mut findings) = read_document("contest.yaml", &text, Contest::read_yaml);
        if let Some(text) = metadata {
            let bytes = text.len();
            let (metadata, found) =
                read_document("metadata.yaml", &text, |yaml| PublicMetadata::read_yaml(yaml, bytes));
            findings.extend(found);
            if let (Some(contest), Some(metadata)) = (&contest, &metadata) {
                let compared = contest.compare(metadata);
                findings
                    .extend(compared.into_iter().map(|finding| FileFinding::new("metadata.yaml", finding)));
            }
        }
        checked(Some(("contest", contest.as_ref().map_or(Json::Null, Contest::summary))), &findings)
    }))
}

/// A file: path, size in bytes, first bytes, whether it is executable, and the time of its last change.
type File = (String, u64, PyBackedBytes, bool, Option<u64>);

/// `fablegrade.terry.check_folder` as JSON.
#[pyfunction]
#[pyo3(signature = (files, platform=None))]
pub(crate) fn terry_check_folder(
    py: Python<'_>,
    files: Vec<File>,
    platform: Option<(String, String)>,
) -> PyResult<String> {
    let platform = match platform {
        None => None,
        Some((os, arch)) => match Platform::new(&os, &arch) {
            None => {
                let message = "terry has no name for this platform";
                return Err(refusal("unknown-word", "/platform", message, "such as `linux.x86_64`").into());
            }
            found => found,
        },
    };
    Ok(py.detach(|| {
        let entries = files.iter().map(|(path, size, head, executable, changed)| {
            let mut entry = Entry::new(path.as_str(), *size, &head[..]);
            entry.executable = *executable;
            entry.changed = *changed;
            entry
        });
        let folder = Folder::new(entries.collect());
        let mut findings = folder.findings().to_vec();
        if let Some(platform) = &platform {
            findings.extend(folder.check_platform(platform));
        }
        checked(None, &findings)
    }))
}

/// The plan `kind`, which is `input`, `test` or `grade`, as JSON.
#[pyfunction]
pub(crate) fn terry_plan(kind: &str, seed: u32, validator: bool) -> PyResult<String> {
    let plan = match kind {
        "input" => Plan::input(seed, validator),
        "test" => Plan::test(seed, validator),
        "grade" => Plan::grade(),
        _ => {
            let message = "there is no plan of this kind";
            return Err(refusal("unknown-word", "/kind", message, "use `input`, `test` or `grade`").into());
        }
    };
    Ok(plan.to_json().to_canonical())
}

/// An outcome: how the program ended, exit code or signal, message, standard output, standard error.
type Outcome = (String, i32, String, PyBackedBytes, PyBackedBytes);

fn step_outcome((end, code, message, stdout, stderr): &Outcome, at: usize) -> Result<StepOutcome, NoResult> {
    let end = match end.as_str() {
        "exited" => End::Exited(*code),
        "signalled" => End::Signalled(*code),
        "timeout" => End::Timeout,
        "memory_exceeded" => End::MemoryExceeded,
        "output_limit" => End::OutputLimit,
        "compile_error" => End::CompileError(message.clone()),
        "sandbox_error" => End::SandboxError(message.clone()),
        "skipped" => End::Skipped,
        _ => {
            let help = "use `exited`, `signalled`, `timeout`, `memory_exceeded`, `output_limit`, \
                        `compile_error`, `sandbox_error` or `skipped`";
            let message = "not a way in which a program ends";
            return Err(refusal("unknown-word", &format!("/outcomes/{at}/end"), message, help));
        }
    };
    let mut outcome = StepOutcome::new(end, &stdout[..]);
    outcome.stderr = stderr.to_vec();
    Ok(outcome)
}

/// Judges the outcomes. Invalid arguments return a [`NoResult`].
fn conclude(
    roles: &[String],
    outcomes: &[Outcome],
    max_score: Decimal,
    cases: Option<usize>,
) -> Result<Result<Judged, Failure>, NoResult> {
    let known = |word: &String| Role::ALL.into_iter().find(|role| role.as_str() == word);
    let roles: Option<Vec<Role>> = roles.iter().map(known).collect();
    let Some(plan) = roles.and_then(|roles| Plan::of_roles(0, &roles)) else {
        let message = "these steps are not a plan";
        return Err(refusal("unknown-word", "/plan/steps", message, "pass what `plan` returned"));
    };
    let Some(task) = Task::new("task", "task", max_score) else {
        let message = "the score of a task must be above 0";
        return Err(refusal("out-of-range", "/max_score", message, "give the task's `max_score`"));
    };
    let outcomes = outcomes.iter().enumerate().map(|(at, outcome)| step_outcome(outcome, at));
    let outcomes: Vec<StepOutcome> = outcomes.collect::<Result<_, _>>()?;
    let mut expected = Expected::of(&task.max_score);
    expected.cases = cases;
    Ok(plan.conclude_expecting(&outcomes, &task, &expected))
}

/// `fablegrade.terry.conclude` as JSON.
#[pyfunction]
#[pyo3(signature = (roles, outcomes, max_score, cases=None))]
pub(crate) fn terry_conclude(
    py: Python<'_>,
    roles: Vec<String>,
    outcomes: Vec<Outcome>,
    max_score: &Bound<'_, PyAny>,
    cases: Option<usize>,
) -> PyResult<String> {
    let max_score = decimal("max_score", max_score)?;
    let concluded = py.detach(|| conclude(&roles, &outcomes, max_score, cases))?;
    let answer = match &concluded {
        Err(failure) => Json::build().with("failure", failure.to_json()),
        Ok(judged) => Json::build()
            .with("score", judged.result.score())
            .with("points", &judged.points)
            .with("maxScore", &judged.max_score)
            .with("beforeConfirming", judged.result.before_confirming())
            .with("afterConfirming", judged.result.after_confirming(&judged.max_score))
            .with("document", judged.result.document().clone())
            .with("findings", Finding::list_to_json(&judged.findings)),
    };
    Ok(answer.build().to_canonical())
}

/// `fablegrade.terry.attempt_result`.
#[pyfunction]
#[pyo3(signature = (roles, outcomes, max_score, cases, attempt_id, graded_at=None))]
pub(crate) fn terry_attempt_result(
    py: Python<'_>,
    roles: Vec<String>,
    outcomes: Vec<Outcome>,
    max_score: &Bound<'_, PyAny>,
    cases: Option<usize>,
    attempt_id: &str,
    graded_at: Option<&str>,
) -> PyResult<AttemptResult> {
    let max_score = decimal("max_score", max_score)?;
    let id = uuid(attempt_id)?;
    let graded_at = match graded_at.map(Instant::new) {
        Some(None) => {
            let help = "such as `2026-03-01T09:30:00Z`";
            return Err(refusal("date-time-form", "/graded_at", "not an RFC 3339 date-time", help).into());
        }
        given => given.flatten(),
    };
    let concluded = py.detach(|| conclude(&roles, &outcomes, max_score, cases))?;
    Ok(attempt_result(concluded.as_ref(), id, graded_at).into())
}

/// Reads the UUID of the caller's `attempt_id`.
pub(crate) fn uuid(text: &str) -> Result<UuidText, NoResult> {
    let help = "8-4-4-4-12 hexadecimal digits";
    UuidText::new(text).ok_or_else(|| refusal("uuid-form", "/attempt_id", "not a UUID", help))
}

/// `fablegrade.terry.attempt_id`.
#[pyfunction]
pub(crate) fn terry_attempt_id(
    task: &str,
    input: &Bound<'_, PyAny>,
    output: &Bound<'_, PyAny>,
) -> PyResult<String> {
    Ok(attempt_id(task, &output_bytes("/input", input)?, &output_bytes("/output", output)?)
        .as_str()
        .to_owned())
}

/// `fablegrade.terry.bad_outputs` as tuples.
#[pyfunction]
#[pyo3(signature = (seed, good=None))]
pub(crate) fn terry_bad_outputs<'py>(
    py: Python<'py>,
    seed: u64,
    good: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<(&'static str, Bound<'py, PyBytes>, bool)>> {
    let good = good.map(|good| output_bytes("/good", good)).transpose()?;
    let all = bad_outputs(seed, good.as_deref());
    Ok(all.into_iter().map(|bad| (bad.name, PyBytes::new(py, &bad.bytes), bad.rubbish)).collect())
}
