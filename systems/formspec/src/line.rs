//! JSON Lines as pure functions from one JSON object to another.
//!
//! [`determination`], [`checking`], [`verification`] and [`expiry`] read their fields from an object. They
//! return the fields of the result, an error, or `None` after they have reported findings. [`determine`],
//! [`check`], [`verify`] and [`expire`] do the same from text to text. Every result has the `id` of its line,
//! which can be any JSON value, or `null` if the line has no `id` or cannot be read.

use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, boolean};

use crate::answers::Answers;
use crate::evaluate::{Evaluator, Options};
use crate::language::Language;
use crate::record::DeterminationRecord;
use crate::rules::{check_record, check_screener};
use crate::screener::{Screener, text};
use crate::verify::{expire as expire_record, verify as verify_record};

/// The result of a line, and whether it is a success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Canonical JSON without a trailing line break.
    pub text: String,
    /// `false` for an error, an invalid document and a record that does not verify.
    pub ok: bool,
}

/// The fields of a result, or the reason why there is none.
pub type Reply = Result<Json, Error>;

/// Evaluates a screener: `{screener, answers?, now, began?, referenceCompatible?}` -> `{record, findings?}`.
///
/// If `referenceCompatible` is true, `now` can be missing.
pub fn determination<L: Language>(fields: &mut Object<'_, '_, '_>, language: L) -> Option<Reply> {
    let screener = fields.required("screener", Screener::read);
    let answers = fields.defaulted("answers", Answers::new(), Answers::read);
    let options = options(fields);
    let now = fields.defaulted("now", String::new(), text_or_null);
    let (screener, answers, options, now) = (screener?, answers?, options?, now?);
    let made = Evaluator::new(&screener, language, options).and_then(|ready| ready.determine(&answers, &now));
    Some(made.map(|made| {
        let findings = (!made.findings.is_empty()).then(|| findings_json(&made.findings));
        Json::build().with("record", made.record.to_json()).with_some("findings", findings).build()
    }))
}

/// Checks a record or a screener: `{document}` -> `{valid, findings}`; `valid` is only about the structure.
pub fn checking<L: Language>(fields: &mut Object<'_, '_, '_>, language: L) -> Option<Reply> {
    let document = fields.required("document", |value, _, _| Some(value))?;
    let (valid, findings) = check_value(document, &language);
    Some(Ok(Json::build().with("valid", valid).with("findings", findings_json(&findings)).build()))
}

/// Verifies a record: `{record, screener, began?, referenceCompatible?}` -> `{verified, findings}`.
pub fn verification<L: Language>(fields: &mut Object<'_, '_, '_>, language: L) -> Option<Reply> {
    let record = fields.required("record", DeterminationRecord::read);
    let screener = fields.required("screener", Screener::read);
    let options = options(fields);
    let findings = verify_record(&record?, &screener?, language, options?);
    Some(findings.map(|findings| {
        Json::build().with("verified", findings.is_empty()).with("findings", findings_json(&findings)).build()
    }))
}

/// Expires a record: `{record, now}` -> `{record}`.
pub fn expiry(fields: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let record = fields.required("record", DeterminationRecord::read);
    let now = fields.required("now", text);
    let expired = expire_record(&record?, &now?);
    Some(expired.map(|record| Json::build().with("record", record.to_json()).build()))
}

/// Works like [`determination`], from text to text.
pub fn determine<L: Language>(line: &[u8], language: L) -> Answer {
    answer(line, |fields| determination(fields, language))
}

/// Works like [`checking`], from text to text.
pub fn check<L: Language>(line: &[u8], language: L) -> Answer {
    answer(line, |fields| checking(fields, language))
}

/// Works like [`verification`], from text to text.
pub fn verify<L: Language>(line: &[u8], language: L) -> Answer {
    answer(line, |fields| verification(fields, language))
}

/// Works like [`expiry`], from text to text.
pub fn expire(line: &[u8]) -> Answer {
    answer(line, expiry)
}

/// Checks a screener or a record; returns whether its structure is valid, and all findings.
pub fn check_value<L: Language>(document: Value<'_>, language: &L) -> (bool, Vec<Finding>) {
    let checked = if document.get("$formspecScreener").is_some() {
        document.read_as::<Screener>().map(|screener| check_screener(&screener, language))
    } else {
        document.read_as::<DeterminationRecord>().map(|record| check_record(&record))
    };
    match checked {
        Ok(findings) => (true, findings),
        Err(error) => (false, error.findings().to_vec()),
    }
}

/// Returns a finding as JSON.
pub fn finding_json(finding: &Finding) -> Json {
    Json::build()
        .with("severity", finding.severity.as_str())
        .with("rule", finding.rule)
        .with("pointer", &finding.pointer)
        .with("message", &finding.message)
        .with("help", &finding.help)
        .build()
}

fn findings_json(findings: &[Finding]) -> Json {
    Json::array(findings.iter().map(finding_json))
}

fn answer(line: &[u8], respond: impl FnOnce(&mut Object<'_, '_, '_>) -> Option<Reply>) -> Answer {
    let (id, reply) = match Document::parse(line) {
        Err(error) => (Json::Null, Err(error)),
        Ok(document) => {
            let request = document.root();
            let mut findings = Findings::new();
            let reply = Object::open(request, &Path::Root, &mut findings).and_then(|mut fields| {
                fields.take("id");
                let reply = respond(&mut fields);
                fields.close();
                reply
            });
            let reply = match reply {
                Some(reply) if findings.errors() == 0 => reply,
                _ => Err(Error::new(ErrorKind::Schema, findings)),
            };
            (request.get("id").map_or(Json::Null, Json::from), reply)
        }
    };
    let ok = reply.as_ref().is_ok_and(|reply| {
        [reply.get("valid"), reply.get("verified")].iter().all(|said| *said != Some(&Json::Bool(false)))
    });
    let reply = reply.unwrap_or_else(|error| Json::build().with("error", error_json(&error)).build());
    let mut fields = reply.as_object().unwrap_or_default().to_vec();
    fields.push(("id".into(), id));
    Answer { text: Json::object(fields).to_canonical(), ok }
}

fn error_json(error: &Error) -> Json {
    Json::build()
        .with("kind", error.kind().as_str())
        .with("findings", findings_json(error.findings()))
        .build()
}

/// Reads a text; null becomes the empty text, which is not a valid time.
fn text_or_null(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<String> {
    if value.kind() == "null" { Some(String::new()) } else { text(value, at, findings) }
}

fn options(fields: &mut Object<'_, '_, '_>) -> Option<Options> {
    let session_began = fields.optional("began", text);
    let reference_compatible = fields.defaulted("referenceCompatible", false, boolean);
    Some(Options { session_began: session_began?, reference_compatible: reference_compatible? })
}
