//! Outcomes of program runs, which a host reports and the core grades.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::finding::{Error, Finding, Findings};
use crate::json::{self, Document, Json, Object, Path, Read, Value};

/// The outcome of one test case, as measured by the host that ran it.
///
/// As JSON: `{suite, caseIndex, end, exitCode?, signal?, stdout?, stderr?, returned?, timeMs?, memoryKb?, message?,
/// isolation?}`; `stdoutBase64`, `stderrBase64` and `returnedBase64` replace `stdout`, `stderr` and `returned` for bytes
/// that are not UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseOutcome {
    /// Name of the suite.
    pub suite: String,
    /// Index of the case within its suite, from 0.
    pub case_index: u32,
    /// The end of the run. If several things happened at once, the host reports the first in this order:
    /// [`End::SandboxError`], [`End::CompileError`], [`End::MemoryExceeded`] (measured), [`End::Timeout`],
    /// [`End::OutputLimit`], [`End::Signalled`], [`End::Exited`].
    pub end: End,
    /// The part of standard output that was kept.
    pub stdout: Vec<u8>,
    /// The part of standard error that was kept.
    pub stderr: Vec<u8>,
    /// The value returned in function mode as compact JSON, from a separate channel.
    pub returned: Option<Vec<u8>>,
    /// CPU time in milliseconds.
    pub time_ms: Option<u64>,
    /// Peak memory in KiB.
    pub memory_kb: Option<u64>,
    /// The isolation of the program, as the host describes it; `None` if the host does not.
    pub isolation: Option<String>,
}

/// The way in which a case ended. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The program exited with this code.
    Exited(i32),
    /// The program was terminated by this signal.
    Signalled(i32),
    /// The program exceeded its CPU or wall time.
    Timeout,
    /// The program exceeded its memory, as measured.
    MemoryExceeded,
    /// The program wrote more than its output limit.
    OutputLimit,
    /// The program did not compile; the compiler's message, free of the host's paths.
    CompileError(String),
    /// The sandbox failed, for this reason. This does not show anything about the program.
    SandboxError(String),
    /// The case was skipped deliberately, after an earlier case of its suite had failed. It earns nothing.
    Skipped,
}

impl CaseOutcome {
    /// Creates an outcome with only its end.
    pub fn new(suite: impl Into<String>, case_index: u32, end: End) -> Self {
        Self {
            suite: suite.into(),
            case_index,
            end,
            stdout: Vec::new(),
            stderr: Vec::new(),
            returned: None,
            time_ms: None,
            memory_kb: None,
            isolation: None,
        }
    }

    /// Reads a JSON array of outcomes.
    ///
    /// # Errors
    /// Every finding at once.
    pub fn list_from_json(text: impl AsRef<[u8]>) -> Result<Vec<Self>, Error> {
        let document = Document::parse(text.as_ref())?;
        document.read::<OutcomeList>().map(|list| list.0)
    }

    /// Returns the outcome as JSON.
    pub fn to_document(&self) -> Json {
        let (end, code, signal, message) = match &self.end {
            End::Exited(code) => ("exited", Some(*code), None, None),
            End::Signalled(signal) => ("signalled", None, Some(*signal), None),
            End::Timeout => ("timeout", None, None, None),
            End::MemoryExceeded => ("memory_exceeded", None, None, None),
            End::OutputLimit => ("output_limit", None, None, None),
            End::CompileError(message) => ("compile_error", None, None, Some(message)),
            End::SandboxError(message) => ("sandbox_error", None, None, Some(message)),
            End::Skipped => ("skipped", None, None, None),
        };
        let object = Json::build()
            .with("suite", &self.suite)
            .with("caseIndex", self.case_index)
            .with("end", end)
            .with_some("exitCode", code)
            .with_some("signal", signal)
            .with_some("message", message)
            .with_some("timeMs", self.time_ms)
            .with_some("memoryKb", self.memory_kb)
            .with_some("isolation", self.isolation.as_ref());
        let object = bytes_field(object, "stdout", "stdoutBase64", &self.stdout);
        let object = bytes_field(object, "stderr", "stderrBase64", &self.stderr);
        match self.returned.as_deref() {
            Some(b"") => object.with("returned", "").build(),
            Some(returned) => bytes_field(object, "returned", "returnedBase64", returned).build(),
            None => object.build(),
        }
    }
}

fn bytes_field(
    object: json::ObjectBuilder,
    plain: &'static str,
    encoded: &'static str,
    bytes: &[u8],
) -> json::ObjectBuilder {
    match std::str::from_utf8(bytes) {
        Ok("") => object,
        Ok(text) => object.with(plain, text),
        Err(_) => object.with(encoded, STANDARD.encode(bytes)),
    }
}

/// A JSON array of outcomes.
pub struct OutcomeList(pub Vec<CaseOutcome>);

impl Read for OutcomeList {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        json::list(0, 500, CaseOutcome::read)(value, at, findings).map(Self)
    }
}

#[derive(Clone, Copy)]
enum EndWord {
    Exited,
    Signalled,
    Timeout,
    MemoryExceeded,
    OutputLimit,
    CompileError,
    SandboxError,
    Skipped,
}

impl EndWord {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("exited", Self::Exited),
        ("signalled", Self::Signalled),
        ("timeout", Self::Timeout),
        ("memory_exceeded", Self::MemoryExceeded),
        ("output_limit", Self::OutputLimit),
        ("compile_error", Self::CompileError),
        ("sandbox_error", Self::SandboxError),
        ("skipped", Self::Skipped),
    ];
}

const MAX_OUTPUT_CHARS: usize = 4 << 20;

impl Read for CaseOutcome {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open_as(
            value,
            at,
            findings,
            r#"{"suite": "Examples", "caseIndex": 0, "end": "exited", "stdout": "3"}"#,
        )?;
        let suite = object.required("suite", json::string(0, 100));
        let case_index = object.required("caseIndex", json::integer(0, i64::from(u32::MAX)));
        let end = object.required("end", json::word(EndWord::WORDS));
        let exit_code =
            object.defaulted("exitCode", 0, json::integer(i64::from(i32::MIN), i64::from(i32::MAX)));
        let signal = object.defaulted("signal", 0, json::integer(0, 1_000));
        let message = object.defaulted("message", String::new(), json::string(0, MAX_OUTPUT_CHARS));
        let stdout = read_bytes(&mut object, "stdout", "stdoutBase64");
        let stderr = read_bytes(&mut object, "stderr", "stderrBase64");
        let returned = read_bytes(&mut object, "returned", "returnedBase64");
        let time_ms = object.optional("timeMs", json::integer(0, i64::MAX));
        let memory_kb = object.optional("memoryKb", json::integer(0, i64::MAX));
        let isolation = object.optional("isolation", json::string(0, 200));
        object.close();
        let exit_code = i32::try_from(exit_code?).ok()?;
        let signal = i32::try_from(signal?).ok()?;
        let message = message?;
        Some(Self {
            suite: suite?,
            case_index: u32::try_from(case_index?).ok()?,
            end: match end? {
                EndWord::Exited => End::Exited(exit_code),
                EndWord::Signalled => End::Signalled(signal),
                EndWord::Timeout => End::Timeout,
                EndWord::MemoryExceeded => End::MemoryExceeded,
                EndWord::OutputLimit => End::OutputLimit,
                EndWord::CompileError => End::CompileError(message),
                EndWord::SandboxError => End::SandboxError(message),
                EndWord::Skipped => End::Skipped,
            },
            stdout: stdout?.unwrap_or_default(),
            stderr: stderr?.unwrap_or_default(),
            returned: returned?,
            time_ms: time_ms?.map(i64::unsigned_abs),
            memory_kb: memory_kb?.map(i64::unsigned_abs),
            isolation: isolation?,
        })
    }
}

#[allow(clippy::option_option, reason = "the outer `None` is a finding, the inner one an absent field")]
fn read_bytes(
    object: &mut Object<'_, '_, '_>,
    plain: &'static str,
    encoded: &'static str,
) -> Option<Option<Vec<u8>>> {
    let text = object.optional(plain, json::string(0, MAX_OUTPUT_CHARS));
    let base64 = object.optional(encoded, |value, at, findings| {
        let text = json::string(0, 2 * MAX_OUTPUT_CHARS)(value, at, findings)?;
        let bytes = STANDARD.decode(text).ok();
        if bytes.is_none() {
            findings.push(Finding::error(
                "base64-form",
                at.pointer(),
                "not base64 (RFC 4648, with padding)",
                "encode the bytes as base64",
            ));
        }
        bytes
    });
    let (text, base64) = (text?, base64?);
    // Some hosts write the empty text beside the bytes.
    if text.as_ref().is_some_and(|text| !text.is_empty()) && base64.is_some() {
        object.report(Finding::error(
            "text-and-base64",
            Path::Field(object.path(), encoded).pointer(),
            format!("`{plain}` and `{encoded}` are both given"),
            "keep one of them",
        ));
        return None;
    }
    Some(base64.or(text.map(String::into_bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_back() {
        let mut outcome = CaseOutcome::new("s", 3, End::Exited(1));
        outcome.stdout = b"\xff".to_vec();
        outcome.stderr = b"oops".to_vec();
        outcome.time_ms = Some(12);
        for returned in [None, Some(b"[1]".to_vec()), Some(Vec::new()), Some(b"\"\xff\"".to_vec())] {
            outcome.returned = returned;
            let text = Json::array([outcome.to_document()]).to_canonical();
            assert_eq!(CaseOutcome::list_from_json(text).unwrap(), std::slice::from_ref(&outcome));
        }
        for (plain, encoded) in [("stdout", "stdoutBase64"), ("returned", "returnedBase64")] {
            let text =
                format!(r#"[{{"suite":"s","caseIndex":0,"end":"exited","{plain}":"1","{encoded}":""}}]"#);
            let error = CaseOutcome::list_from_json(text).unwrap_err();
            assert_eq!(
                (error.rule(), error.pointer()),
                ("text-and-base64", format!("/0/{encoded}").as_str())
            );
        }
        let error = CaseOutcome::list_from_json(r#"[{"suite":"s","caseIndex":-1,"end":"odd"}]"#).unwrap_err();
        assert_eq!(error.findings().len(), 2);
    }
}
