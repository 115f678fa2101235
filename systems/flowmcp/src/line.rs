//! Functions for JSON Lines, which compute the result of one line without I/O.
//!
//! A [`Mode`] function takes its fields from the line's object. It returns the fields of the result or an
//! error, or `None` after it has reported findings. [`answer`] parses a line and builds the complete result.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::identifier::Instant;
use fablegrade_public::json::{
    Document, Json, Object, ObjectBuilder, Path, Read, Value, boolean, list, string,
};

use crate::age::{AgingPlan, age as age_entry};
use crate::aggregate::{Aggregation, Dated, GRADING_SYSTEM_1_0_0, ties};
use crate::answer::{Score, report_zero_weight, weight};
use crate::area::{Grade, Tier};
use crate::check::{check_value, tie};
use crate::entry::{Entry, Hash8};
use crate::envelope::Evaluation;
use crate::lock::LockSnapshot;
use crate::moment::Moment;
use crate::produce::{Draft, Refusal};
use crate::rollup::{Index, RollupOptions, rollup as rollup_entries};
use crate::verify::verify as verify_files;

/// The fields of a result, or an error.
pub type Reply = Result<Json, Error>;

/// A function from the fields of a line to its result.
pub type Mode = fn(&mut Object<'_, '_, '_>) -> Option<Reply>;

/// Computes the result of one line: `{id, ...}` -> `{id, ...}` or `{id, error}`.
///
/// ```
/// use fablegrade_flowmcp::line::{aggregate, answer};
///
/// let line = br#"{"id":1,"gradingTier":"autonomous","veto":false,"gradings":[{"score":"pass","weight":2},{"score":4,"weight":1}]}"#;
/// let answer = answer(aggregate, line);
/// assert_eq!(answer.get("rawGrade").unwrap().as_str(), Some("A"));
/// assert_eq!(answer.get("aggregateGrade").unwrap().as_str(), Some("B"));
/// ```
pub fn answer(mode: Mode, line: &[u8]) -> Json {
    let mut id = Json::Null;
    let reply = Document::parse(line).and_then(|document| {
        let root = document.root();
        id = root.get("id").map_or(Json::Null, Json::from);
        let mut findings = Findings::new();
        let reply = Object::open(root, &Path::Root, &mut findings).and_then(|mut object| {
            object.take("id");
            let reply = mode(&mut object);
            object.close();
            reply
        });
        match reply {
            Some(reply) if findings.errors() == 0 => reply,
            _ => Err(Error::new(ErrorKind::Schema, findings)),
        }
    });
    let mut fields = match reply {
        Ok(Json::Object(fields)) => fields,
        Ok(other) => vec![("answer".into(), other)],
        Err(problem) => vec![("error".into(), error(&problem))],
    };
    fields.push(("id".into(), id));
    Json::object(fields)
}

/// Returns a finding in the JSON format of the command.
pub fn finding(finding: &Finding) -> Json {
    Json::build()
        .with("severity", finding.severity.as_str())
        .with("rule", finding.rule)
        .with("pointer", &finding.pointer)
        .with("message", &finding.message)
        .with("help", &finding.help)
        .build()
}

/// Returns findings in the JSON format of the command.
pub fn findings(list: &[Finding]) -> Json {
    Json::array(list.iter().map(finding))
}

fn error(error: &Error) -> Json {
    Json::build().with("kind", error.kind().as_str()).with("findings", findings(error.findings())).build()
}

/// Checks a document: `{id, document}` -> `{id, valid, findings}`.
///
/// `valid` is the result of schema validation. A document with `answers` or `blocker` and without `gradings`
/// counts as an evaluator's envelope.
pub fn check(line: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let (valid, found) = line.required("document", |document, _, _| Some(check_document(document)))?;
    Some(Ok(Json::build().with("valid", valid).with("findings", findings(&found)).build()))
}

/// Returns whether a document conforms to its schema, and all findings; see [`check`].
pub fn check_document(document: Value<'_>) -> (bool, Vec<Finding>) {
    if is_evaluation(document) {
        let mut found = Findings::new();
        let valid = Evaluation::read(document, &Path::Root, &mut found).is_some() && found.errors() == 0;
        return (valid, found.into_vec());
    }
    let checked = check_value(document);
    (checked.is_valid(), checked.findings)
}

/// One score with its weight, question and time. An absent weight counts as 1 and is reported.
struct Scored {
    question: Option<String>,
    at: Option<Moment>,
    score: Score,
    weight: Decimal,
}

impl Scored {
    fn dated(&self) -> Dated<'_> {
        let Self { question, at, score, weight } = self;
        Dated { question: question.as_deref(), at: *at, score, weight }
    }
}

impl Read for Scored {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let question = object.optional("questionId", string(1, usize::MAX));
        let timestamp = object.optional("timestamp", Instant::read);
        let score = object.required("score", Score::read);
        let weight = object.optional("weight", weight);
        if weight == Some(None) {
            object.report(Finding::warning(
                "SCO-004",
                at.pointer(),
                "there is no weight; it was counted as 1",
                "give every answer a weight",
            ));
        }
        let weight = weight?.unwrap_or_else(Decimal::one);
        report_zero_weight(&weight, at, findings);
        Some(Self { question: question?, at: timestamp?.as_ref().map(Moment::of), score: score?, weight })
    }
}

/// Computes a grade: `{id, gradings, gradingTier, veto?}` -> `{id, aggregateGrade, rawGrade, normalizedScore,
/// maxAttainableGrade, findings}`.
///
/// As in entries, only the latest valid element of `gradings` with the same `questionId` counts. Elements
/// without a `questionId` count separately. `veto` is a boolean, a veto or `null`. If nothing can be scored,
/// `aggregateGrade` is `null` and `findings` contains the reason. The same is true if a required field is
/// missing or a field is invalid; `rawGrade` and `maxAttainableGrade` are then absent.
pub fn aggregate(line: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let mut found = Findings::new();
    let mut take = |name: &'static str| {
        let value = line.take(name);
        if value.is_none() && name != "veto" {
            found.push(Finding::error(
                "missing-field",
                "",
                format!("the field `{name}` is missing"),
                format!("add `{name}`"),
            ));
        }
        value
    };
    let (tier, gradings, veto) = (take("gradingTier"), take("gradings"), take("veto"));
    let root = Path::Root;
    let at = |name| Path::Field(&root, name);
    let tier = tier.and_then(|value| Tier::read(value, &at("gradingTier"), &mut found));
    let gradings =
        gradings.and_then(|value| list(0, usize::MAX - 1, Scored::read)(value, &at("gradings"), &mut found));
    let veto = match veto {
        None => Some(false),
        Some(value) => match value.kind() {
            "object" => Some(true),
            "null" => Some(false),
            _ => boolean(value, &at("veto"), &mut found),
        },
    };
    let (Some(tier), Some(gradings), Some(veto)) = (tier, gradings, veto) else {
        let nothing = Json::build().with("aggregateGrade", Json::Null).with("normalizedScore", Json::Null);
        return Some(Ok(nothing.with("findings", findings(found.as_slice())).build()));
    };
    let answers: Vec<_> = gradings.iter().map(Scored::dated).collect();
    for place in ties(&answers) {
        found.push(tie(format!("/gradings/{place}/timestamp")));
    }
    let aggregation = GRADING_SYSTEM_1_0_0.aggregate_latest(&answers, tier, veto);
    if let Aggregation::NothingScorable(_) = aggregation {
        found.push(Finding::warning(
            "nothing-scorable",
            "/gradings",
            "no answer carries weight, so there is no grade",
            "answer a question with a number, pass or fail",
        ));
    }
    Some(Ok(aggregation_fields(&aggregation, tier).with("findings", findings(found.as_slice())).build()))
}

/// Returns an aggregation in the JSON format of the command.
pub fn aggregation_json(aggregation: &Aggregation, tier: Tier) -> Json {
    aggregation_fields(aggregation, tier).build()
}

fn aggregation_fields(aggregation: &Aggregation, tier: Tier) -> ObjectBuilder {
    let graded = if let Aggregation::Graded(graded) = aggregation { Some(graded) } else { None };
    let mean = graded.and_then(|graded| Decimal::from_f64(graded.mean()));
    Json::build()
        .with("aggregateGrade", aggregation.grade().map_or(Json::Null, Json::from))
        .with("rawGrade", graded.map_or(Json::Null, |graded| graded.raw.into()))
        .with("normalizedScore", mean.map_or(Json::Null, Json::from))
        .with("maxAttainableGrade", tier.cap())
}

/// Returns whether a document counts as an evaluator's envelope rather than an entry.
fn is_evaluation(document: Value<'_>) -> bool {
    let has = |name| document.get(name).is_some();
    !has("gradings") && (has("answers") || has("blocker"))
}

/// Builds an entry: `{id, draft}` -> `{id, entry}` or `{id, error}`; see [`Draft`].
pub fn build(line: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let draft = line.required("draft", Draft::read)?;
    let built = draft.build().map_err(|refusal| Error::from(refusal).within("/draft"));
    Some(built.map(|entry| Json::build().with("entry", entry.to_json()).build()))
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Draft(error) => error,
            other => {
                let mut findings = Findings::new();
                other.findings().into_iter().for_each(|finding| findings.push(finding));
                Self::new(ErrorKind::Spec, findings)
            }
        }
    }
}

/// Ages an entry: `{id, document, plan, now}` ->
/// `{id, gradingId, gradings, becameStale, pastRetention, aggregation?, findings}` or `{id, error}`.
pub fn age(line: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let entry = line.required("document", Entry::read);
    let plan = line.required("plan", AgingPlan::read);
    let now = line.required("now", Instant::read);
    let (entry, plan, now) = (entry?, plan?, now?);
    Some(Ok(age_entry(&entry, &plan, &now).to_json(&entry)))
}

/// Reads `{stableFrom?, liveHashes?, updatedAt?, locks?, gradeOfNothing?}`.
impl Read for RollupOptions {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let default = Self::default();
        let stable_from = object.defaulted("stableFrom", default.stable_from, Grade::read);
        let live_hashes = object.defaulted("liveHashes", BTreeMap::new(), |value, at, findings| {
            Object::open(value, at, findings)?;
            let read = |(name, value): (Cow<'_, str>, Value<'_>)| {
                Some((name.to_string(), Hash8::read(value, &Path::Field(at, &name), findings)?))
            };
            value.fields().map(read).collect::<Option<BTreeMap<_, _>>>()
        });
        let updated_at = object.optional("updatedAt", Instant::read);
        let locks = object.defaulted("locks", Vec::new(), list(0, usize::MAX - 1, LockSnapshot::read));
        let grade_of_nothing = object.optional("gradeOfNothing", Grade::read);
        object.close();
        Some(Self {
            stable_from: stable_from?,
            live_hashes: live_hashes?,
            updated_at: updated_at?,
            blocked: BTreeMap::new(),
            locks: locks?.into_iter().map(|lock| (lock.selection_id.clone(), lock)).collect(),
            grade_of_nothing: grade_of_nothing?,
        })
    }
}

/// An entry with its path, which can be empty.
struct Filed {
    path: String,
    entry: Entry,
}

impl Read for Filed {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let path = object.defaulted("path", String::new(), string(0, usize::MAX));
        let entry = object.required("entry", Entry::read);
        object.close();
        Some(Self { path: path?, entry: entry? })
    }
}

/// Rolls up entries: `{id, entries: [{path?, entry}], options?}` -> `{id, indexes}` or `{id, error}`.
pub fn rollup(line: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let filed = line.required("entries", list(0, usize::MAX - 1, Filed::read));
    let options = line.defaulted("options", RollupOptions::default(), RollupOptions::read);
    let (filed, options) = (filed?, options?);
    let filed: Vec<(&str, &Entry)> = filed.iter().map(|filed| (filed.path.as_str(), &filed.entry)).collect();
    let indexes = rollup_entries(&filed, &options);
    Some(Ok(Json::build().with("indexes", Json::array(indexes.iter().map(Index::to_json))).build()))
}

/// Verifies an archive: `{id, files: {path: document}, options?}` -> `{id, valid, files, skipped, indexes}`
/// or `{id, error}`.
pub fn verify(line: &mut Object<'_, '_, '_>) -> Option<Reply> {
    let files = line.required("files", |value, at, findings| {
        Object::open(value, at, findings)?;
        let file = |(path, document): (Cow<'_, str>, Value<'_>)| {
            (path.into_owned(), document.text().as_bytes().to_vec())
        };
        Some(value.fields().map(file).collect::<Vec<_>>())
    });
    let options = line.defaulted("options", RollupOptions::default(), RollupOptions::read);
    let (files, options) = (files?, options?);
    Some(Ok(verify_files(&files, &options).to_json()))
}
