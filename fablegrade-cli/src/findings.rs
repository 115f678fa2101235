//! Findings and errors as JSON, in the form all commands share.

use fablegrade_core::json::{Json, write_json_string};
use fablegrade_core::{Error, Finding};

/// `{"help":..,"message":..,"pointer":..,"rule":..,"severity":..}`
pub(crate) fn finding_json(finding: &Finding) -> Json {
    Json::build()
        .with("pointer", &finding.pointer)
        .with("rule", finding.rule)
        .with("message", &finding.message)
        .with("help", &finding.help)
        .with("severity", finding.severity.as_str())
        .build()
}

/// Findings as a JSON array.
pub(crate) fn findings_json(findings: &[Finding]) -> Json {
    Json::array(findings.iter().map(finding_json))
}

/// Appends `{"kind":..,"findings":[..]}`; `dropped` tells how many findings did not fit.
pub(crate) fn write_error(error: &Error, out: &mut String) {
    out.push_str("{\"kind\":");
    write_json_string(error.kind().as_str(), out);
    out.push_str(",\"findings\":");
    findings_json(error.findings()).write(out);
    if error.dropped() > 0 {
        out.push_str(",\"dropped\":");
        out.push_str(&error.dropped().to_string());
    }
    out.push('}');
}

/// The same error seen from outside: its document stands at `prefix` of a greater one.
pub(crate) fn within(prefix: &str, findings: &[Finding]) -> Vec<Finding> {
    findings
        .iter()
        .map(|finding| {
            let mut finding = finding.clone();
            finding.pointer.insert_str(0, prefix);
            finding
        })
        .collect()
}
