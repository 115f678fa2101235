//! Conversion of stored responses and imported questions to attempts.

use std::collections::BTreeMap;

use super::{Attempt, Given, QuestionReference, ResponseFormat, Stored, canvas, cells, moodle, qti, refuse};
use crate::compile::Question;
use crate::loss::{Place, ReadError};

/// Converts stored responses to attempts at imported questions.
///
/// Call [`read`](Self::read) for the responses, then [`offer`](Self::offer) for each question in the order of import,
/// then [`attempts`](Self::attempts). The converter keeps the responses and the questions in memory.
#[derive(Debug, Default)]
pub struct Converter {
    stored: Vec<Stored>,
    questions: Vec<Candidate>,
}

#[derive(Debug)]
struct Candidate {
    /// The identifier in the source, before it was made unique.
    original: String,
    /// The number among the questions, not counting mere texts; all variants of a question have the same number.
    number: usize,
    /// The seed of a variant.
    seed: Option<String>,
    question: Question,
}

fn metadata<'q>(question: &'q Question, name: &str) -> Option<&'q str> {
    question.item.metadata.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// The matching question, or the rule and the message of the error.
type Found<'q> = Result<&'q Candidate, (&'static str, String)>;

impl Converter {
    /// Reads a file of responses; `refused` receives an error for each unreadable response.
    ///
    /// # Errors
    /// A file of an unknown kind, or a damaged file.
    pub fn read(
        &mut self,
        name: &str,
        bytes: &[u8],
        refused: &mut dyn FnMut(ReadError),
    ) -> Result<ResponseFormat, ReadError> {
        let Some(format) = ResponseFormat::detect(bytes) else {
            let message = "these are not stored responses in a known format";
            let help = "give a QTI result report, a Moodle responses report or a Canvas student analysis";
            return Err(refuse(Place::default(), "unknown-format", message, help).in_file(name));
        };
        let stored = &mut self.stored;
        let mut take = |found: Result<Stored, ReadError>| match found {
            Ok(mut one) => {
                name.clone_into(&mut one.file);
                stored.push(one);
            }
            Err(error) => refused(error.in_file(name)),
        };
        match format {
            ResponseFormat::QtiResults => qti::read(bytes, &mut take),
            ResponseFormat::MoodleCsv => moodle::read(bytes, &mut take),
            ResponseFormat::CanvasCsv => canvas::read(bytes, &mut take),
        }
        .map_err(|error| error.in_file(name))?;
        Ok(format)
    }

    /// Adds an imported question; `original` is its identifier before it was made unique.
    pub fn offer(&mut self, original: &str, question: &Question) {
        if question.item.is_text() {
            return;
        }
        let of = metadata(question, "variant-of");
        let number = match self.questions.last() {
            Some(last)
                if of.is_some()
                    && metadata(&last.question, "variant-of") == of
                    && last.question.file == question.file =>
            {
                last.number
            }
            last => last.map_or(0, |last| last.number) + 1,
        };
        let seed = metadata(question, "seed").map(str::to_owned);
        self.questions.push(Candidate {
            original: original.to_owned(),
            number,
            seed,
            question: question.clone(),
        });
    }

    /// Calls `take` with the attempt for each response, in order, or with an error at the response's location.
    ///
    /// A response without an answer is usually an attempt without submissions, but an empty text is submitted.
    pub fn attempts<'c>(&'c self, take: &mut dyn FnMut(Result<(&'c Question, Attempt), ReadError>)) {
        let mut by_id: BTreeMap<&str, Vec<&Candidate>> = BTreeMap::new();
        let mut by_text: BTreeMap<String, Vec<&Candidate>> = BTreeMap::new();
        let mut by_number: BTreeMap<usize, Vec<&Candidate>> = BTreeMap::new();
        for candidate in &self.questions {
            by_id.entry(&candidate.original).or_default().push(candidate);
            by_number.entry(candidate.number).or_default().push(candidate);
            let item = &candidate.question.item;
            by_text.entry(cells::key(&item.prompt)).or_default().push(candidate);
        }
        let columns = self.stored.iter().filter_map(|stored| match stored.question {
            QuestionReference::Column { number, .. } => Some(number),
            QuestionReference::Id(_) => None,
        });
        let columns = columns.max().unwrap_or(0);
        for stored in &self.stored {
            let seed = match &stored.given {
                Given::Cell(text, _) => text.strip_prefix("Seed: ").and_then(|rest| rest.split(';').next()),
                Given::Variables(_) => None,
            };
            let found = match &stored.question {
                QuestionReference::Id(id) => {
                    only(by_id.get(id.as_str()), None, None, &format!("identifier `{id}`"))
                }
                QuestionReference::Column { number, text: Some(text) } if !cells::key(text).is_empty() => {
                    only(by_text.get(&cells::key(text)), Some(*number), seed, "text of the column")
                }
                QuestionReference::Column { number, .. } if by_number.len() == columns => {
                    only(by_number.get(number), Some(*number), seed, &format!("number {number}"))
                }
                QuestionReference::Column { .. } => {
                    let count = by_number.len();
                    let message = format!(
                        "the report has {columns} questions without texts, and {count} were imported"
                    );
                    Err(("question-count", message))
                }
            };
            let help = "import the questions that the responses belong to, and only these";
            take(
                found
                    .map_err(|(rule, message)| refuse(stored.place.clone(), rule, message, help))
                    .and_then(|candidate| Ok((&candidate.question, attempt(stored, candidate)?)))
                    .map_err(|error| error.in_file(&stored.file)),
            );
        }
    }
}

/// Returns the only question that matches, or the one with this number if several do.
fn only<'q>(
    found: Option<&Vec<&'q Candidate>>,
    number: Option<usize>,
    seed: Option<&str>,
    by: &str,
) -> Found<'q> {
    let all = found.map_or(&[][..], Vec::as_slice);
    let of_seed = |one: &&'q Candidate| one.seed.is_none() || one.seed.as_deref() == seed;
    let fitting: Vec<&'q Candidate> = all.iter().copied().filter(of_seed).collect();
    let here: Vec<&'q Candidate> = fitting.iter().copied().filter(|one| number == Some(one.number)).collect();
    match (fitting.as_slice(), here.as_slice()) {
        ([one], _) | (_, [one]) => Ok(one),
        ([], _) if all.is_empty() => Err(("unknown-question", format!("no imported question has the {by}"))),
        ([], _) => Err(("unknown-variant", "no imported variant has the seed of this response".to_owned())),
        (several, _) => {
            Err(("ambiguous-question", format!("{} imported questions have the {by}", several.len())))
        }
    }
}

fn attempt(stored: &Stored, candidate: &Candidate) -> Result<Attempt, ReadError> {
    let question = &candidate.question;
    let refused = |rule, message: String, help: &str| refuse(stored.place.clone(), rule, message, help);
    if question.specs.is_empty() {
        let message = format!("the question `{}` is not expressible", question.item.id);
        return Err(refused("not-expressible", message, "see the losses of the import"));
    }
    let responses = match &stored.given {
        Given::Variables(values) => question.responses_from_json(values),
        Given::Cell(text, dialect) => {
            cells::responses(text, *dialect, &question.item).map_err(|message| {
                let help = "check that the questions were not changed after they were answered";
                refused("unknown-answer", message, help)
            })?
        }
    };
    let mut submissions = Vec::new();
    for part in &question.specs {
        let item = question.bank_id(part);
        if part.refuses(&responses) {
            let message = format!("the question `{item}` cannot take this answer");
            return Err(refused("unknown-answer", message, "check the answer and the question"));
        }
        if let Some(submission) = part.submission(&responses) {
            submissions.push((item, submission));
        }
    }
    let home_score = stored.home_score.as_ref().map(|score| match &question.item.max_score {
        Some(most) if !stored.home_is_share => score.over(most).unwrap_or_else(|| score.clone()),
        _ => score.clone(),
    });
    let parts = [stored.learner.as_str(), stored.attempt.as_str()];
    let id: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Ok(Attempt {
        id: id.join("/"),
        file: stored.file.clone(),
        place: stored.place.clone(),
        responses,
        submissions,
        home_score,
    })
}
