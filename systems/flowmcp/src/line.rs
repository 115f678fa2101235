//! Line mode: one JSON object in, one JSON object out. Pure; the command reads and writes the lines.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, Finding, Findings};
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, list};

use std::collections::BTreeMap;

use fablegrade_public::identifier::Instant;

use crate::age::{AgingPlan, age as age_entry};
use crate::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0};
use crate::answer::{Score, weight};
use crate::area::{Grade, Tier};
use crate::check::check_value;
use crate::entry::{Entry, Hash8};
use crate::envelope::Evaluation;
use crate::produce::{Draft, Refusal};
use crate::rollup::{Index, RollupOptions, rollup as rollup_entries};
use crate::verify::verify as verify_files;

/// A finding as the command prints it.
pub fn finding(finding: &Finding) -> Json {
    Json::build()
        .with("severity", finding.severity.as_str())
        .with("rule", finding.rule)
        .with("pointer", &finding.pointer)
        .with("message", &finding.message)
        .with("help", &finding.help)
        .build()
}

/// Findings as the command prints them.
pub fn findings(list: &[Finding]) -> Json {
    Json::array(list.iter().map(finding))
}

fn error(error: &Error) -> Json {
    Json::build().with("kind", error.kind().as_str()).with("findings", findings(error.findings())).build()
}

/// Parses the line, hands its fields to `answer`, and puts the line's `id` into what comes back.
fn answer(line: &[u8], answer: impl FnOnce(Value<'_>) -> Json) -> Json {
    let document = match Document::parse(line) {
        Ok(document) => document,
        Err(problem) => return Json::build().with("id", Json::Null).with("error", error(&problem)).build(),
    };
    let root = document.root();
    let id = root.get("id").map_or(Json::Null, Json::from);
    let Json::Object(mut fields) = answer(root) else { return Json::Null };
    fields.push(("id".into(), id));
    Json::object(fields)
}

fn missing(field: &'static str) -> Json {
    let finding = Finding::error(
        "missing-field",
        "",
        format!("the line has no `{field}`"),
        format!("give `{field}` beside `id`"),
    );
    Json::build().with("valid", false).with("findings", findings(&[finding])).build()
}

/// `{id, document}` -> `{id, valid, findings}`; `valid` is the layer of the schema.
///
/// A document with `answers` or `blocker` and without `gradings` is taken for an evaluator's envelope.
pub fn check(line: &[u8]) -> Json {
    answer(line, |root| {
        let Some(document) = root.get("document") else { return missing("document") };
        if is_evaluation(document) {
            let mut found = Findings::new();
            let valid = Evaluation::read(document, &Path::Root, &mut found).is_some() && found.errors() == 0;
            return Json::build().with("valid", valid).with("findings", findings(found.as_slice())).build();
        }
        let checked = check_value(document);
        Json::build().with("valid", checked.is_valid()).with("findings", findings(&checked.findings)).build()
    })
}

/// One score with its weight; a weight that is not there counts 1, and the answer says so.
struct Scored {
    score: Score,
    weight: Decimal,
}

impl Read for Scored {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
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
        Some(Self { score: score?, weight: weight?.unwrap_or_else(Decimal::one) })
    }
}

/// `{id, gradings, gradingTier, veto}` -> `{id, aggregateGrade, rawGrade, normalizedScore, maxAttainableGrade, findings}`.
///
/// Every element of `gradings` counts for itself; only `score` and `weight` are looked at. `aggregateGrade` is `null`
/// when nothing can be scored or the line is wrong (then `findings` says why). `veto` is a truth value, a veto or
/// `null`.
pub fn aggregate(line: &[u8]) -> Json {
    answer(line, |root| {
        let mut found = Findings::new();
        let read = Object::open(root, &Path::Root, &mut found).and_then(|mut object| {
            let tier = object.required("gradingTier", Tier::read);
            let gradings = object.required("gradings", list(0, usize::MAX - 1, Scored::read));
            let veto = object.optional("veto", |value, at, findings| match value.kind() {
                "object" => Some(true),
                "null" => Some(false),
                _ => fablegrade_public::json::boolean(value, at, findings),
            });
            Some((tier?, gradings?, veto?.unwrap_or(false)))
        });
        let Some((tier, gradings, veto)) = read else {
            return Json::build()
                .with("aggregateGrade", Json::Null)
                .with("normalizedScore", Json::Null)
                .with("findings", findings(found.as_slice()))
                .build();
        };
        let answers = gradings.iter().map(|scored| (&scored.score, &scored.weight));
        let aggregation = GRADING_SYSTEM_1_0_0.aggregate(answers, tier, veto);
        if let Aggregation::NothingScorable(_) = aggregation {
            found.push(Finding::warning(
                "nothing-scorable",
                "/gradings",
                "no answer carries weight, so there is no grade",
                "answer a question with a number, pass or fail",
            ));
        }
        let aggregated = aggregation_json(&aggregation, tier);
        let Json::Object(mut fields) = aggregated else { return Json::Null };
        fields.push(("findings".into(), findings(found.as_slice())));
        Json::object(fields)
    })
}

/// An aggregation as the command prints it.
pub fn aggregation_json(aggregation: &Aggregation, tier: Tier) -> Json {
    let graded = if let Aggregation::Graded(graded) = aggregation { Some(graded) } else { None };
    let mean = graded.and_then(|graded| Decimal::from_f64(graded.mean()));
    Json::build()
        .with("aggregateGrade", aggregation.grade().map_or(Json::Null, Json::from))
        .with("rawGrade", graded.map_or(Json::Null, |graded| graded.raw.into()))
        .with("normalizedScore", mean.map_or(Json::Null, Json::from))
        .with("maxAttainableGrade", tier.cap())
        .build()
}

/// Whether a document means to be an evaluator's envelope rather than an entry.
pub fn is_evaluation(document: Value<'_>) -> bool {
    let has = |name| document.get(name).is_some();
    !has("gradings") && (has("answers") || has("blocker"))
}

fn refused(found: &Findings) -> Json {
    let error = Json::build().with("kind", "schema").with("findings", findings(found.as_slice())).build();
    Json::build().with("error", error).build()
}

/// `{id, draft}` -> `{id, entry}` or `{id, error}`; see [`Draft`].
pub fn build(line: &[u8]) -> Json {
    answer(line, |root| {
        let mut found = Findings::new();
        let draft = Object::open(root, &Path::Root, &mut found)
            .and_then(|mut object| object.required("draft", Draft::read));
        match draft.filter(|_| found.errors() == 0) {
            None => refused(&found),
            Some(draft) => match draft.build() {
                Ok(entry) => Json::build().with("entry", entry.to_json()).build(),
                Err(refusal) => refusal_json(&refusal),
            },
        }
    })
}

/// A refusal as the command prints it.
pub fn refusal_json(refusal: &Refusal) -> Json {
    let kind = match refusal {
        Refusal::Draft(error) => error.kind().as_str(),
        Refusal::NothingScorable(_) => "nothing-scorable",
        Refusal::Blocked { .. } => "blocked",
    };
    let error = Json::build().with("kind", kind).with("findings", findings(&refusal.findings())).build();
    Json::build().with("error", error).build()
}

/// `{id, document, plan, now}` -> `{id, gradings, becameStale, pastRetention, aggregation, findings}` or `{id, error}`.
pub fn age(line: &[u8]) -> Json {
    answer(line, |root| {
        let mut found = Findings::new();
        let read = Object::open(root, &Path::Root, &mut found).and_then(|mut object| {
            let entry = object.required("document", Entry::read);
            let plan = object.required("plan", AgingPlan::read);
            let now = object.required("now", Instant::read);
            Some((entry?, plan?, now?))
        });
        match read.filter(|_| found.errors() == 0) {
            None => refused(&found),
            Some((entry, plan, now)) => age_entry(&entry, &plan, &now).to_json(&entry),
        }
    })
}

/// What a caller can say beside the entries: `{stableFrom?, liveHashes?, updatedAt?}`.
impl Read for RollupOptions {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let default = Self::default();
        let stable_from = object.defaulted("stableFrom", default.stable_from, Grade::read);
        let live_hashes = object.defaulted("liveHashes", BTreeMap::new(), |value, at, findings| {
            Object::open(value, at, findings)?;
            let read = |(name, value): (std::borrow::Cow<'_, str>, Value<'_>)| {
                Some((name.to_string(), Hash8::read(value, &Path::Field(at, &name), findings)?))
            };
            value.fields().map(read).collect::<Option<BTreeMap<_, _>>>()
        });
        let updated_at = object.optional("updatedAt", Instant::read);
        object.close();
        Some(Self {
            stable_from: stable_from?,
            live_hashes: live_hashes?,
            updated_at: updated_at?,
            blocked: BTreeMap::new(),
        })
    }
}

/// An entry with the path it lies at; the path may be left out.
struct Filed {
    path: String,
    entry: Entry,
}

impl Read for Filed {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let path = object.defaulted("path", String::new(), fablegrade_public::json::string(0, usize::MAX));
        let entry = object.required("entry", Entry::read);
        object.close();
        Some(Self { path: path?, entry: entry? })
    }
}

/// `{id, entries: [{path?, entry}], options?}` -> `{id, indexes}` or `{id, error}`.
pub fn rollup(line: &[u8]) -> Json {
    answer(line, |root| {
        let mut found = Findings::new();
        let read = Object::open(root, &Path::Root, &mut found).and_then(|mut object| {
            let filed = object.required("entries", list(0, usize::MAX - 1, Filed::read));
            let options = object.defaulted("options", RollupOptions::default(), RollupOptions::read);
            Some((filed?, options?))
        });
        let Some((filed, options)) = read.filter(|_| found.errors() == 0) else { return refused(&found) };
        let filed: Vec<(&str, &Entry)> =
            filed.iter().map(|filed| (filed.path.as_str(), &filed.entry)).collect();
        let indexes = rollup_entries(&filed, &options);
        Json::build().with("indexes", Json::array(indexes.iter().map(Index::to_json))).build()
    })
}

/// `{id, files: {path: document}, options?}` -> `{id, sound, files, skipped, indexes}` or `{id, error}`.
pub fn verify(line: &[u8]) -> Json {
    answer(line, |root| {
        let mut found = Findings::new();
        let read = Object::open(root, &Path::Root, &mut found).and_then(|mut object| {
            let files = object.required("files", |value, at, findings| {
                Object::open(value, at, findings)?;
                let file = |(path, document): (std::borrow::Cow<'_, str>, Value<'_>)| {
                    (path.to_string(), document.text().as_bytes().to_vec())
                };
                Some(value.fields().map(file).collect::<Vec<_>>())
            });
            let options = object.defaulted("options", RollupOptions::default(), RollupOptions::read);
            Some((files?, options?))
        });
        let Some((files, options)) = read.filter(|_| found.errors() == 0) else { return refused(&found) };
        verify_files(&files, &options).to_json()
    })
}
