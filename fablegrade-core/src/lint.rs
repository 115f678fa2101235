//! Finds bad questions before learners do.

use fablegrade_public::json::{Document, Path, Read};
use fablegrade_public::{Finding, Findings, Severity};

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

/// As [`lint`], for the text of a spec. Schema errors come first; a text that can be no spec has no others.
pub fn lint_json(text: impl AsRef<[u8]>) -> Vec<Finding> {
    lint_json_with(text, &Host::new())
}

/// As [`lint_json`], for a host that registers validators.
pub fn lint_json_with(text: impl AsRef<[u8]>, host: &Host) -> Vec<Finding> {
    let document = match Document::parse(text.as_ref()) {
        Ok(document) => document,
        Err(error) => return error.findings().to_vec(),
    };
    let mut findings = Findings::new();
    let spec = AnswerSpec::read(document.root(), &Path::Root, &mut findings);
    let mut found = findings.into_vec();
    // what a field too many does not keep from being understood is looked at as well
    if let Some(spec) = spec {
        found.extend(lint_with(&spec, host));
    }
    found
}

/// Whether any finding is an error.
pub fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::lint_json;

    #[test]
    fn messages_lead_to_the_form() {
        for (text, pointer, help) in [
            (r#"{"spec":{},"submission":{}}"#, "", "give what is under `spec` alone"),
            (
                r#"{"type":"numeric","answer":{"value":1},"units":"m"}"#,
                "/units",
                "perhaps `unit` is meant; else remove it",
            ),
            (
                r#"{"type":"numeric","answer":{"value":1},"unit":"m"}"#,
                "/unit",
                r#"give an object such as `{"expected": "m"}`"#,
            ),
            (
                r#"{"type":"multiple_choice","choices":["a","b"]}"#,
                "/choices/0",
                r#"give an object such as `{"id": "a", "content": "Paris", "correct": true}`"#,
            ),
            (
                r#"{"type":"ordering","prompt":"p","items":[{"id":"a","content":1},{"id":"b","content":2}],"correctOrder":["a","b"],"partialCredit":true}"#,
                "/partialCredit",
                "use one of `none`, `adjacent_pairs`, `longest_subsequence`",
            ),
        ] {
            let found = lint_json(text);
            assert_eq!((found[0].pointer.as_str(), found[0].help.as_str()), (pointer, help), "{text}");
        }
    }
}
