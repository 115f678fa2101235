//! Line mode: one JSON object in, one JSON object out. Pure; the command reads and writes the lines.

use fablegrade_public::decimal::Decimal;
use fablegrade_public::finding::{Error, Finding, Findings};
use fablegrade_public::json::{Document, Json, Object, Path, Read, Value, list};

use crate::aggregate::{Aggregation, GRADING_SYSTEM_1_0_0};
use crate::answer::{Score, weight};
use crate::area::Tier;
use crate::check::check_value;

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
pub fn check(line: &[u8]) -> Json {
    answer(line, |root| {
        let Some(document) = root.get("document") else { return missing("document") };
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
