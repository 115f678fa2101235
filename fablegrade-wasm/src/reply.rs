//! What every function answers: a value, or errors as values.

use fablegrade_latex::{ParseError, Span};
use fablegrade_public::json::{Json, ObjectBuilder};
use fablegrade_public::{Error, Finding, Refusal, Severity};

/// The fields of an answer, or what was wrong.
pub(crate) struct Reply(Result<Vec<(Box<str>, Json)>, Vec<Json>>);

/// Which of the texts that were handed over is meant.
#[derive(Clone, Copy)]
pub(crate) enum Given {
    View,
    Submission,
    Result,
    Outcomes,
    Content,
    Latex,
    Options,
    Arguments,
}

impl Given {
    const fn as_str(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Submission => "submission",
            Self::Result => "result",
            Self::Outcomes => "outcomes",
            Self::Content => "content",
            Self::Latex => "latex",
            Self::Options => "options",
            Self::Arguments => "arguments",
        }
    }
}

impl Reply {
    pub(crate) fn into_text(self) -> String {
        match self.0 {
            Ok(mut fields) => {
                fields.push(("ok".into(), true.into()));
                Json::object(fields).to_canonical()
            }
            Err(errors) => {
                Json::build().with("ok", false).with("errors", Json::array(errors)).build().to_canonical()
            }
        }
    }

    pub(crate) fn ok(fields: ObjectBuilder) -> Self {
        Self::ok_document(fields.build())
    }

    /// A document that already has a form of its own, with `ok` beside its fields.
    pub(crate) fn ok_document(document: Json) -> Self {
        let Json::Object(fields) = document else { return Self(Ok(Vec::new())) };
        Self(Ok(fields))
    }

    /// A document that cannot be read. Findings below an error are left out.
    pub(crate) fn unreadable(given: Given, error: &Error) -> Self {
        let errors = error.findings().iter().filter(|finding| finding.severity == Severity::Error);
        Self(Err(errors.map(|finding| document_error(given, finding)).collect()))
    }

    /// Findings as errors.
    pub(crate) fn findings(given: Given, findings: &[Finding]) -> Self {
        Self(Err(findings.iter().map(|finding| document_error(given, finding)).collect()))
    }

    /// A submission that cannot be graded.
    pub(crate) fn refused(refusal: &Refusal) -> Self {
        Self(Err(vec![entry(Given::Submission, refusal.rule, "", &refusal.message).build()]))
    }

    /// A formula of a submission that cannot be read.
    pub(crate) fn refused_formula(refusal: &Refusal, error: &ParseError, latex: &str) -> Self {
        let entry = entry(Given::Submission, refusal.rule, "/latex", &refusal.message);
        Self(Err(vec![entry.with("span", span(error.span, latex)).build()]))
    }

    /// A formula that cannot be read.
    pub(crate) fn unreadable_formula(error: &ParseError, latex: &str) -> Self {
        let entry = entry(Given::Latex, error.problem.as_str(), "", &error.message)
            .with("span", span(error.span, latex))
            .with_some("expected", (!error.expected.is_empty()).then_some(error.expected))
            .with_some("help", error.suggestion.as_ref());
        Self(Err(vec![entry.build()]))
    }
}

fn entry(given: Given, rule: &str, pointer: &str, message: &str) -> ObjectBuilder {
    Json::build()
        .with("rule", rule)
        .with("document", given.as_str())
        .with("pointer", pointer)
        .with("message", message)
}

fn document_error(given: Given, finding: &Finding) -> Json {
    entry(given, finding.rule, &finding.pointer, &finding.message).with("help", finding.help.as_str()).build()
}

/// A finding of the linter, with its severity.
pub(crate) fn finding(finding: &Finding) -> Json {
    Json::build()
        .with("severity", finding.severity.as_str())
        .with("rule", finding.rule)
        .with("pointer", finding.pointer.as_str())
        .with("message", finding.message.as_str())
        .with("help", finding.help.as_str())
        .build()
}

/// `{"start","end"}` in UTF-16 code units of `source`.
pub(crate) fn span(span: Span, source: &str) -> Json {
    let (start, end) = span.utf16(source);
    Json::build().with("start", start).with("end", end).build()
}
