//! The reply of every function: a value, or errors as values.

use fablegrade_latex::{ParseError, Span};
use fablegrade_public::completeness::Remark;
use fablegrade_public::json::{Json, ObjectBuilder};
use fablegrade_public::messages::{
    Known, for_learner, recognise, recognise_phrase, translate, translate_phrase,
};
use fablegrade_public::{Error, Finding, Locale, QuestionType, Refusal, Severity};

/// The fields of a successful reply, or the errors.
pub(crate) struct Reply(Result<Vec<(Box<str>, Json)>, Vec<Json>>);

/// The argument that an error is about.
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

    /// Creates a reply from the fields of a document, with `ok` added.
    pub(crate) fn ok_document(document: Json) -> Self {
        let Json::Object(fields) = document else { return Self(Ok(Vec::new())) };
        Self(Ok(fields))
    }

    /// Creates the reply to a document that cannot be read. Findings less severe than an error are omitted.
    pub(crate) fn unreadable(given: Given, error: &Error) -> Self {
        let errors = error.findings().iter().filter(|finding| finding.severity == Severity::Error);
        Self(Err(errors.map(|finding| document_error(given, finding)).collect()))
    }

    /// Creates a reply with the findings as errors.
    pub(crate) fn findings(given: Given, findings: &[Finding]) -> Self {
        Self(Err(findings.iter().map(|finding| document_error(given, finding)).collect()))
    }

    /// Creates the reply to a submission that cannot be read. Errors that the learner can correct have a message for the
    /// learner.
    pub(crate) fn unreadable_submission(question: QuestionType, error: &Error, locale: Locale) -> Self {
        let errors = error.findings().iter().filter(|finding| finding.severity == Severity::Error);
        let errors = errors.map(|finding| match for_learner(question, finding) {
            Some(message) => {
                let entry =
                    entry(Given::Submission, finding.rule, &finding.pointer, &translate(message, locale));
                said(entry, recognise(message)).with("help", finding.help.as_str()).build()
            }
            None => document_error(Given::Submission, finding),
        });
        Self(Err(errors.collect()))
    }

    /// Creates the reply to a submission that cannot be graded.
    pub(crate) fn refused(refusal: &Refusal, locale: Locale) -> Self {
        let message = translate(&refusal.message, locale);
        let entry = entry(Given::Submission, refusal.rule, &refusal.pointer, &message);
        Self(Err(vec![said(entry, recognise(&refusal.message)).build()]))
    }

    /// Creates the reply to a submission whose formula cannot be read; `code` and `params` are those of the
    /// formula's error or, for an empty formula, of the message.
    pub(crate) fn refused_formula(error: &ParseError, latex: &str, locale: Locale) -> Self {
        let empty = latex.trim().is_empty();
        let message = if empty { "Enter a formula.".to_owned() } else { error.for_learner(latex) };
        let entry = entry(Given::Submission, "unreadable-formula", "/latex", &translate(&message, locale));
        let entry = if empty {
            said(entry, recognise(&message))
        } else {
            let mut params = params(recognise_phrase(&error.message));
            params.push(("character".into(), Json::from(error.character(latex).to_string())));
            entry.with("code", error.problem.as_str()).with("params", Json::object(params))
        };
        Self(Err(vec![formula(entry, error, latex, locale)]))
    }

    /// Creates the reply to a formula that cannot be read.
    pub(crate) fn unreadable_formula(error: &ParseError, latex: &str, locale: Locale) -> Self {
        let message = translate_phrase(&error.message, locale);
        let entry = entry(Given::Latex, error.problem.as_str(), "", &message)
            .with("code", error.problem.as_str())
            .with("params", Json::object(params(recognise_phrase(&error.message))));
        Self(Err(vec![formula(entry, error, latex, locale)]))
    }
}

/// Adds the position in a formula, the expected input, and a suggestion.
fn formula(entry: ObjectBuilder, error: &ParseError, latex: &str, locale: Locale) -> Json {
    entry
        .with("span", span(error.span, latex))
        .with_some("expected", (!error.expected.is_empty()).then(|| translate_phrase(error.expected, locale)))
        .with_some("help", error.suggestion.as_deref().map(|text| translate_phrase(text, locale)))
        .build()
}

/// Adds the code and the parameters of a message of the catalogue.
fn said(entry: ObjectBuilder, known: Option<Known<'_>>) -> ObjectBuilder {
    match known {
        Some(known) => entry.with("code", known.code).with("params", Json::object(params(Some(known)))),
        None => entry,
    }
}

/// Returns the parameters of a message as the fields of an object.
pub(crate) fn params(known: Option<Known<'_>>) -> Vec<(Box<str>, Json)> {
    let params = known.into_iter().flat_map(|known| known.params);
    params.map(|(name, value)| (name.into(), Json::from(value))).collect()
}

/// Returns a remark: `{code, pointer, message, params, ids?}`.
pub(crate) fn remark(remark: &Remark, locale: Locale) -> Json {
    let ids = (!remark.ids.is_empty()).then(|| Json::array(remark.ids.iter().map(String::as_str)));
    Json::build()
        .with("code", remark.code)
        .with("pointer", remark.pointer)
        .with("message", translate(&remark.message, locale))
        .with("params", Json::object(params(recognise(&remark.message))))
        .with_some("ids", ids)
        .build()
}

/// Returns the language of a tag; an empty tag means English.
pub(crate) fn language(tag: &str) -> Result<Locale, Reply> {
    if tag.is_empty() {
        return Ok(Locale::En);
    }
    Locale::from_tag(tag).ok_or_else(|| {
        let finding = Finding::error(
            "unknown-locale",
            "/locale",
            "there are no messages in this language",
            "use `en` or `de`, or leave it out and translate by code",
        );
        Reply::findings(Given::Arguments, &[finding])
    })
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

/// Returns a finding of the linter, with its severity.
pub(crate) fn finding(finding: &Finding) -> Json {
    Json::build()
        .with("severity", finding.severity.as_str())
        .with("rule", finding.rule)
        .with("pointer", finding.pointer.as_str())
        .with("message", finding.message.as_str())
        .with("help", finding.help.as_str())
        .build()
}

/// Returns `{"start","end"}` in UTF-16 code units of `source`.
pub(crate) fn span(span: Span, source: &str) -> Json {
    let (start, end) = span.utf16(source);
    Json::build().with("start", start).with("end", end).build()
}
