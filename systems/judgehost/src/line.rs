//! The commands for JSON Lines as pure functions: from one JSON object to the fields of its result.

use fablegrade_public::finding::{Error, ErrorKind, Finding, Findings};
use fablegrade_public::json::{Json, Object, Path, Value, string, word};

use crate::config::{Config, Manner, read_container};
use crate::outcome::{Failure, Outcome, Stage};
use crate::rubric::RubricOutput;
use crate::score::{Evaluation, evaluate};

/// The fields of a result, or the reason why there is none.
pub type Reply = Result<Json, Error>;

/// Answers `{document, rubric?}` with `{valid, findings}`. The document is a rubric's result, a single container (with
/// a `container_id`), or a configuration. It is a result if there is a `rubric`, in the form that it has in a
/// configuration, or if the document has a `score` but no `containers`.
pub fn checking(fields: &mut Object<'_, '_, '_>, manner: Manner) -> Option<Reply> {
    let rubric = fields.take("rubric");
    let document = fields.required("document", |value, _, _| Some(value))?;
    let (valid, findings) = check_value(document, rubric, manner);
    Some(Ok(Json::build().with("valid", valid).with("findings", Finding::list_to_json(&findings)).build()))
}

/// Checks a document of any of the three kinds. Returns whether it is valid, and all findings.
pub fn check_value(document: Value<'_>, rubric: Option<Value<'_>>, manner: Manner) -> (bool, Vec<Finding>) {
    let mut findings = Findings::new();
    let has = |name| document.get(name).is_some();
    if rubric.is_some() || (has("score") && !has("containers")) {
        check_result(document, rubric, &mut findings);
    } else if has("container_id") && !has("containers") {
        read_container(document, &Path::Root, manner, &mut findings);
    } else {
        Config::read(document, &Path::Root, manner, &mut findings);
    }
    (findings.errors() == 0, findings.into_vec())
}

/// Checks a result against its rubric; without a rubric, against its own `rubric_id` and `max_score`.
///
/// A result need not have a `max_score`. If no maximum is known, only a negative score is out of range.
fn check_result(document: Value<'_>, rubric: Option<Value<'_>>, findings: &mut Findings) {
    let field = |name: &str| rubric.unwrap_or(document).get(name);
    let id = field("rubric_id").map_or_else(|| "\"\"".to_owned(), |id| id.text().to_owned());
    let known = field("max_score").or_else(|| document.get("max_score"));
    let largest = || {
        let score = Json::from(document.get("score")?);
        score.as_number().filter(|score| !score.is_negative() && !score.is_zero())?;
        Some(score.to_string())
    };
    let most =
        known.map_or_else(|| largest().unwrap_or_else(|| "1".to_owned()), |most| most.text().to_owned());
    let properties = field("properties").map_or_else(|| "{}".to_owned(), |value| value.text().to_owned());
    let rubric = format!(
        r#"{{"problem_id":"one","problem_name":"1","containers":[{{"container_id":"c","dockerfile_path":"c/D"}}],
        "rubrics":[{{"rubric_id":{id},"rubric_name":"r","rubric_type":"custom","max_score":{most},"properties":{properties}}}]}}"#
    );
    match Config::parse(rubric.as_bytes(), Manner::Strict) {
        Ok(checked) => {
            if let Some(rubric) = checked.config.rubrics.first() {
                let mut found = Findings::new();
                RubricOutput::read(document, &Path::Root, rubric, &mut found);
                for mut finding in found.into_vec() {
                    if known.is_none() && finding.rule == "score-range" {
                        finding.message = "the score must not be negative".into();
                        finding.help = "give 0 points or more".into();
                    }
                    findings.push(finding);
                }
            }
        }
        Err(error) => {
            for finding in error.findings() {
                let mut finding = finding.clone();
                finding.pointer = finding.pointer.replacen("/rubrics/0", "", 1);
                findings.push(finding);
            }
        }
    }
}

/// Answers `{config, results: {container_id: {file name: document}}, submission_id?, failure?: {stage, container_id?,
/// message}}` with `{evaluation, findings}`. A document that is a string is the text of the file. `failure` is the
/// reason why the evaluation could not be completed.
pub fn scoring(fields: &mut Object<'_, '_, '_>, manner: Manner) -> Option<Reply> {
    let evaluation = match evaluation(fields, manner)? {
        Ok(evaluation) => evaluation,
        Err(error) => return Some(Err(error)),
    };
    let findings = Finding::list_to_json(&evaluation.findings);
    Some(Ok(Json::build().with("evaluation", evaluation.to_json()).with("findings", findings).build()))
}

/// Returns the evaluation of a line that [`scoring`] answers.
pub fn evaluation(fields: &mut Object<'_, '_, '_>, manner: Manner) -> Option<Result<Evaluation, Error>> {
    let config = fields.required("config", |value, _, _| Some(value));
    let results = fields.required("results", |value, at, findings| {
        Object::open(value, at, findings)?;
        Some(value)
    });
    let submission_id = fields.defaulted("submission_id", String::new(), string(0, 64));
    let failure = fields.optional("failure", read_failure);
    let (config, results, submission_id, failure) = (config?, results?, submission_id?, failure?);
    let mut findings = Findings::new();
    let at = Path::Field(&Path::Root, "config");
    let config = match Config::read(config, &at, manner, &mut findings) {
        Some(config) if findings.errors() == 0 => config,
        _ => return Some(Err(Error::new(ErrorKind::Schema, findings))),
    };
    let mut outcome = Outcome::new();
    outcome.failure = failure;
    for (container_id, files) in results.fields() {
        for (name, document) in files.fields() {
            let bytes = document.str().map_or_else(|| document.text().into(), std::borrow::Cow::into_owned);
            outcome = outcome.with_result(&container_id, &name, bytes);
        }
    }
    Some(Ok(evaluate(&config, &submission_id, &outcome)))
}

fn read_failure(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Failure> {
    let mut object = Object::open(value, at, findings)?;
    let stage = object.required("stage", word(Stage::WORDS));
    let container_id = object.optional("container_id", string(0, 64));
    let message = object.required("message", string(0, 10_000));
    object.close();
    Some(Failure { stage: stage?, container_id: container_id?, message: message? })
}
