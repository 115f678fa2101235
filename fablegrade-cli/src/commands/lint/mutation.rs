//! `lint --mutate`: finds changes of a key that the sample answers do not detect.

use std::collections::BTreeMap;
use std::path::Path;

use fablegrade_core::json::{Document, Limits};
use fablegrade_core::mutants::unnoticed;
use fablegrade_core::request::{Answer, Documents};
use fablegrade_core::{AnswerSpec, Error, ErrorKind, Finding, Grader, Host};

use super::sources::{key, questions};
use crate::exit::Failure;
use crate::input;

/// A sample answer with its place: `FILE:LINE`, or empty for that of the document itself.
type Sample = (String, Answer);

/// Sample answers by item. Samples without an item belong to every question.
#[derive(Default)]
pub(super) struct Samples {
    by_item: BTreeMap<String, Vec<Sample>>,
    of_all: Vec<Sample>,
    /// The number of samples after the first [`MOST_SAMPLES`], which are ignored.
    pub(super) ignored: usize,
}

/// Maximum number of sample answers that are read.
pub(super) const MOST_SAMPLES: usize = 100_000;

impl Samples {
    /// Reads JSON Lines of `{item?, submission | attempt, outcomes?}`.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let source = input::read(path)?;
        let most = Limits::default().bytes;
        if source.bytes.len() > most {
            let message = format!("the sample answers have more than {} MiB", most >> 20);
            let help = "give fewer sample answers, or lint the questions one by one with their own samples";
            let finding = Finding::error("too-large", "", message, help);
            return Err(Failure::invalid(source.name, Error::single(ErrorKind::Json, finding)));
        }
        let mut samples = Self::default();
        let lines = source.bytes.split(|byte| *byte == b'\n').enumerate();
        let mut lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
        for (at, line) in lines.by_ref().take(MOST_SAMPLES) {
            let place = || format!("{}:{}", source.name, at + 1);
            let document = Document::parse(line).map_err(|error| Failure::invalid(place(), error))?;
            let root = document.root();
            let part = |name: &str| root.get(name).map(|value| value.text().as_bytes());
            let answer = Documents {
                submission: part("submission"),
                attempt: part("attempt"),
                outcomes: part("outcomes"),
                context: None,
            };
            let answer = answer.read().map_err(|error| Failure::invalid(place(), error))?;
            match root.get("item").and_then(|item| item.str()) {
                Some(item) => samples.by_item.entry(item.into_owned()).or_default().push((place(), answer)),
                None => samples.of_all.push((place(), answer)),
            }
        }
        samples.ignored = lines.count();
        Ok(samples)
    }
}

/// Returns the findings about the keys of a document, with pointers into it.
///
/// Documents that are not questions have none here, because `lint` itself reports them.
pub(super) fn findings(bytes: &[u8], samples: &Samples, host: &Host) -> Vec<Finding> {
    let Ok(document) = Document::parse(bytes) else { return Vec::new() };
    let root = document.root();
    let mut found = Vec::new();
    let questions = questions(root);
    let is_single = questions.len() == 1;
    for (pointer, question) in questions {
        let Ok(spec) = AnswerSpec::from_json(question.text()) else { continue };
        let item = root.get("item").or_else(|| root.get("id")).and_then(|item| item.str());
        let item = item.map_or_else(|| key(&pointer), |item| item.into_owned());
        let of_item = samples.by_item.get(&item).into_iter().flatten();
        let (mut places, mut answers): (Vec<_>, Vec<_>) = of_item.chain(&samples.of_all).cloned().unzip();
        // A question with a submission has its own sample answer.
        if is_single
            && pointer == "/spec"
            && let Some(submission) = root.get("submission")
        {
            let outcomes = root.get("outcomes").map(|value| value.text().as_bytes());
            let own = Documents {
                submission: Some(submission.text().as_bytes()),
                outcomes,
                ..Documents::default()
            };
            match own.read() {
                Ok(answer) => {
                    places.push(String::new());
                    answers.push(answer);
                }
                Err(error) => found.extend(error.findings().iter().cloned()),
            }
        }
        match of_key(&spec, &answers, host) {
            Ok(here) => found.extend(here.into_iter().map(|finding| finding.within(&pointer))),
            Err(error) => {
                let grader = Grader::with_host(spec.clone(), host).ok();
                let fits =
                    |answer: &Answer| grader.as_ref().is_none_or(|grader| answer.grade(grader).is_ok());
                let place = answers.iter().position(|answer| !fits(answer)).and_then(|at| places.get(at));
                found.extend(mismatch(&error).into_iter().map(|mut finding| {
                    // The pointer of such a finding points into the sample, which can be in another file.
                    if let Some(place) = place.filter(|place| !place.is_empty()) {
                        finding.message = format!("{place}{}: {}", finding.pointer, finding.message);
                        finding.pointer.clone_from(&pointer);
                    }
                    finding
                }));
            }
        }
    }
    found
}

fn of_key(spec: &AnswerSpec, answers: &[Answer], host: &Host) -> Result<Vec<Finding>, Error> {
    if matches!(spec, AnswerSpec::FreeText(_)) {
        return Ok(Vec::new());
    }
    if answers.is_empty() {
        return Ok(vec![Finding::info(
            "no-sample-answers",
            "",
            "there is no sample answer, so no change of the key would be noticed",
            "give sample answers, right and wrong ones, with `--answers FILE`",
        )]);
    }
    unnoticed(spec, answers, host).map(|report| report.findings)
}

/// Returns the findings about a sample that does not belong to the question. Errors of the spec are reported
/// by `lint` itself.
fn mismatch(error: &Error) -> Vec<Finding> {
    if error.kind() == ErrorKind::Mismatch { error.findings().to_vec() } else { Vec::new() }
}
