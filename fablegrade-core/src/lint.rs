//! Finds bad questions before learners do.

use fablegrade_public::json::Document;
use fablegrade_public::{Error, Finding, Findings, Severity};

use crate::answer::AnswerSpec;
use crate::host::Host;

/// Everything there is to say about a spec: errors, warnings, remarks, the most severe first.
///
/// Errors are the spec errors of [`Grader::new`](crate::Grader::new). Every rule has an entry in `docs/lint.md`.
pub fn lint(spec: &AnswerSpec) -> Vec<Finding> {
    lint_with(spec, &Host::new())
}

/// As [`lint`], for a host that registers validators.
pub fn lint_with(spec: &AnswerSpec, host: &Host) -> Vec<Finding> {
    let mut findings = Findings::new();
    let ready = spec.prepare(host, &mut findings);
    spec.lint_into(ready.as_ref(), &mut findings);
    let mut list = findings.into_vec();
    list.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    list
}

/// As [`lint`], for the text of a spec: a text that is no spec gives its schema errors.
pub fn lint_json(text: impl AsRef<[u8]>) -> Vec<Finding> {
    let spec: Result<AnswerSpec, Error> =
        Document::parse(text.as_ref()).and_then(|document| document.read::<AnswerSpec>());
    match spec {
        Ok(spec) => lint(&spec),
        Err(error) => error.findings().to_vec(),
    }
}

/// Whether any finding is an error.
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
