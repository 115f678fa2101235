//! Findings about documents: rule, pointer, message and help.

use std::fmt;

use crate::json::{Json, write_json_string};

/// Severity of a [`Finding`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; no change is needed.
    Info,
    /// The document can be used but probably does not do what its author meant.
    Warning,
    /// The document cannot be used.
    Error,
}

impl Severity {
    /// Returns the lower-case word used in JSON and on a terminal.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One defect in a document.
///
/// `pointer` is an RFC 6901 JSON pointer (`""` is the whole document), shortened in two ways. A key of more than 255
/// code points becomes its first 254 and `…`. A pointer that has reached 2,000 bytes ends with `/…` in place of
/// further keys.
///
/// `rule` is a stable code in kebab case that is listed in the documentation. When a document cannot be read,
/// neither `message` nor `help` repeats its secret *values*. Findings of lint are for authors and can reveal parts
/// of the key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding {
    /// The severity of the finding.
    pub severity: Severity,
    /// The violated rule, for example `unknown-field`.
    pub rule: &'static str,
    /// The location, as a JSON pointer.
    pub pointer: String,
    /// The defect: one sentence without a full stop.
    pub message: String,
    /// The remedy: one sentence without a full stop.
    pub help: String,
}

impl Finding {
    /// Creates an error at `pointer`.
    pub fn error(
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Error,
            rule,
            pointer: pointer.into(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// Creates a warning at `pointer`.
    pub fn warning(
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Warning, ..Self::error(rule, pointer, message, help) }
    }

    /// Creates an informational finding at `pointer`.
    pub fn info(
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { severity: Severity::Info, ..Self::error(rule, pointer, message, help) }
    }

    /// Returns the finding with `prefix` before its pointer, for a document inside another.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }

    /// Returns `{help, message, pointer, rule, severity}`, all of them strings.
    pub fn to_json(&self) -> Json {
        Json::build()
            .with("pointer", &self.pointer)
            .with("rule", self.rule)
            .with("message", &self.message)
            .with("help", &self.help)
            .with("severity", self.severity.as_str())
            .build()
    }

    /// Returns findings as a JSON array.
    pub fn list_to_json(findings: &[Self]) -> Json {
        Json::array(findings.iter().map(Self::to_json))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "(the document)" } else { &self.pointer };
        write!(f, "{}: {place}: {} [{}]; {}", self.severity, self.message, self.rule, self.help)
    }
}

/// A collection of a bounded number of findings; a hostile document cannot cause an endless list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Findings {
    list: Vec<Finding>,
    errors: usize,
    dropped: usize,
}

impl Findings {
    /// Maximum number of findings that are kept; further ones are only counted, except that an error
    /// replaces the last finding that is not an error.
    pub const CAP: usize = 200;

    /// Creates an empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one finding; past [`Self::CAP`] it is only counted, unless it is an error that replaces another finding.
    pub fn push(&mut self, finding: Finding) {
        self.push_with(finding.severity, || finding);
    }

    /// Works like [`Self::push`] for a finding of this severity, but does not build it if it is not kept. For
    /// readers that can find many defects below long keys.
    pub fn push_with(&mut self, severity: Severity, finding: impl FnOnce() -> Finding) {
        let error = severity == Severity::Error;
        if self.list.len() == Self::CAP {
            self.dropped += 1;
            // In a full list, an error replaces the last finding that is not one: without errors, the list would look
            // harmless.
            let replaced = (error && self.errors < Self::CAP)
                .then(|| self.list.iter().rposition(|kept| kept.severity != Severity::Error))
                .flatten();
            if let Some(at) = replaced {
                self.list.remove(at);
            }
        }
        self.errors += usize::from(error);
        if self.list.len() < Self::CAP {
            self.list.push(finding());
        }
    }

    /// Adds the findings of another collection, and the numbers of those that it did not keep.
    pub fn absorb(&mut self, other: Self) {
        let kept = other.list.iter().filter(|finding| finding.severity == Severity::Error).count();
        other.list.into_iter().for_each(|finding| self.push(finding));
        self.errors += other.errors - kept;
        self.dropped += other.dropped;
    }

    /// Returns the findings with `prefix` before their pointers, for a document inside another.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        for finding in &mut self.list {
            finding.pointer.insert_str(0, prefix);
        }
        self
    }

    /// Returns the number of errors that were pushed, kept or not.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// Returns the number of findings that were not kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Returns the findings that were kept, in the order they were found.
    pub fn as_slice(&self) -> &[Finding] {
        &self.list
    }

    /// Returns the findings that were kept, in the order they were found.
    pub fn into_vec(self) -> Vec<Finding> {
        self.list
    }
}

/// The kind of an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text is not JSON (syntax, UTF-8, duplicate keys) or exceeds a limit for size, depth or numbers.
    Json,
    /// The document is JSON but violates its schema.
    Schema,
    /// The document conforms to its schema but has errors that prevent grading, such as an unknown validator or a key
    /// that no answer can match.
    Spec,
    /// Two documents do not match (for example an attempt at another version of the question).
    Mismatch,
}

impl ErrorKind {
    /// Returns the lower-case word used in JSON and on a terminal.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Schema => "schema",
            Self::Spec => "spec",
            Self::Mismatch => "mismatch",
        }
    }
}

/// The findings that make a document invalid.
///
/// `Display` shows the first error and the number of further findings; [`Error::findings`] returns all that
/// were kept.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.summary())]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    findings: Findings,
}

impl Error {
    /// Creates an error of `kind` with the collected findings, warnings included.
    pub fn new(kind: ErrorKind, findings: Findings) -> Self {
        Self { inner: Box::new(Inner { kind, findings }) }
    }

    /// Creates an error with a single finding.
    pub fn single(kind: ErrorKind, finding: Finding) -> Self {
        let mut findings = Findings::new();
        findings.push(finding);
        Self::new(kind, findings)
    }

    /// Returns the error with `prefix` before its pointers, for a document inside another.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        self.inner.findings = self.inner.findings.within(prefix);
        self
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.inner.kind
    }

    /// Returns the findings in the order in which they were found, at most [`Findings::CAP`].
    pub fn findings(&self) -> &[Finding] {
        self.inner.findings.as_slice()
    }

    /// Returns the findings with the number of those that were not kept.
    pub fn into_findings(self) -> Findings {
        self.inner.findings
    }

    /// Returns the number of findings beyond [`Findings::CAP`], which were not kept.
    pub fn dropped(&self) -> usize {
        self.inner.findings.dropped()
    }

    fn first(&self) -> Option<&Finding> {
        let list = self.findings();
        list.iter().find(|finding| finding.severity == Severity::Error).or_else(|| list.first())
    }

    /// Returns the error as canonical JSON: `{dropped?, findings: [{help, message, pointer, rule, severity}], kind}`,
    /// where `dropped` counts the findings that were not kept.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text);
        text
    }

    /// Appends the text of [`Error::to_json`].
    pub fn write_json(&self, out: &mut String) {
        out.push('{');
        if self.dropped() > 0 {
            out.push_str("\"dropped\":");
            out.push_str(&self.dropped().to_string());
            out.push(',');
        }
        out.push_str("\"findings\":");
        Finding::list_to_json(self.findings()).write(out);
        out.push_str(",\"kind\":");
        write_json_string(self.kind().as_str(), out);
        out.push('}');
    }

    /// Returns the JSON pointer of the first error.
    pub fn pointer(&self) -> &str {
        self.first().map_or("", |finding| &finding.pointer)
    }

    /// Returns the rule of the first error.
    pub fn rule(&self) -> &'static str {
        self.first().map_or("", |finding| finding.rule)
    }

    /// Returns the help of the first error.
    pub fn help(&self) -> &str {
        self.first().map_or("", |finding| &finding.help)
    }

    fn summary(&self) -> String {
        let more = self.findings().len() + self.dropped();
        match self.first() {
            None => format!("{} error", self.inner.kind.as_str()),
            Some(first) if more <= 1 => first.to_string(),
            Some(first) => format!("{first} (and {} more)", more - 1),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.inner.kind)
            .field("findings", &self.findings())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(count: usize) -> Findings {
        let mut findings = Findings::new();
        (0..count).for_each(|at| findings.push(Finding::warning("w", format!("/{at}"), "m", "h")));
        findings
    }

    fn error(pointer: &str) -> Finding {
        Finding::error("e", pointer, "m", "h")
    }

    #[test]
    fn an_error_takes_the_place_of_a_warning_in_a_full_list() {
        let mut findings = warnings(250);
        findings.push(error("/first"));
        findings.push(error("/second"));
        let pointers: Vec<&str> =
            findings.as_slice().iter().map(|finding| finding.pointer.as_str()).collect();
        assert_eq!((pointers.len(), findings.dropped(), findings.errors()), (Findings::CAP, 52, 2));
        assert_eq!(pointers[197..], ["/197", "/first", "/second"]);
        // A list of errors stays as it is.
        (0..300).for_each(|at| findings.push(error(&format!("/{at}"))));
        assert_eq!((findings.as_slice().len(), findings.dropped(), findings.errors()), (200, 352, 302));
        assert!(findings.as_slice().iter().all(|finding| finding.severity == Severity::Error));
        assert_eq!(findings.as_slice()[199].pointer, "/197");
    }

    #[test]
    fn collections_are_absorbed_with_their_counts() {
        let mut inner = warnings(250);
        (0..210).for_each(|_| inner.push(error("")));
        let mut outer = warnings(10);
        outer.absorb(Error::new(ErrorKind::Spec, inner).within("/spec").into_findings());
        assert_eq!((outer.as_slice().len(), outer.dropped(), outer.errors()), (200, 270, 210));
        assert!(outer.as_slice().iter().all(|finding| finding.pointer == "/spec"));
    }
}
