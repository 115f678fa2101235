//! Conversion of other systems' stored responses to attempts at imported questions.
//!
//! Three kinds are read: QTI result reports and, as CSV, the responses report of a Moodle quiz and the student analysis
//! of a Canvas quiz. They identify questions by identifier, number or text, and choices by identifier or text. An
//! ambiguous response is rejected with its location.

mod canvas;
mod cells;
mod convert;
mod moodle;
mod qti;

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use crate::compile::Responses;
use crate::csv::{LONGEST_HEADER, header_of};
use crate::loss::{Place, ReadError};

pub use convert::Converter;

/// A format of stored responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponseFormat {
    /// A QTI result report, of version 2 or 3.
    QtiResults,
    /// The responses report of a Moodle quiz, as CSV.
    MoodleCsv,
    /// The student analysis of a Canvas quiz, as CSV.
    CanvasCsv,
}

impl ResponseFormat {
    /// Returns the format's name in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::QtiResults => "QTI result report",
            Self::MoodleCsv => "Moodle responses report",
            Self::CanvasCsv => "Canvas student analysis",
        }
    }

    /// The number of bytes at the beginning of a file by which its format is detected.
    pub const HEAD: usize = LONGEST_HEADER;

    /// Detects the format of a file by its first [`HEAD`](Self::HEAD) bytes; `None` if it is unknown.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let head = encoding_rs::UTF_8.decode(&bytes[..bytes.len().min(8_192)]).0;
        if head.trim_start().starts_with('<') {
            return head.contains("assessmentResult").then_some(Self::QtiResults);
        }
        let header = header_of(bytes);
        let has = |name: &str| header.iter().any(|column| column == name);
        if has("n correct") && has("submitted") {
            return Some(Self::CanvasCsv);
        }
        (1..=2)
            .any(|number| moodle::RESPONSE.iter().any(|word| has(&format!("{word} {number}"))))
            .then_some(Self::MoodleCsv)
    }
}

/// A stored response to a question that has yet to be found.
#[derive(Debug, Clone)]
struct Stored {
    file: String,
    place: Place,
    /// The learner.
    learner: String,
    /// The identifier of the learner's attempt.
    attempt: String,
    question: QuestionReference,
    given: Given,
    /// The score from the original system, if known.
    home_score: Option<Ratio>,
    /// Whether `home_score` is a share of the question's maximum score.
    home_is_share: bool,
}

/// The reference from a stored response to its question.
#[derive(Debug, Clone)]
enum QuestionReference {
    /// The question's identifier.
    Id(String),
    /// The question's number, from 1, and its text.
    Column { number: usize, text: Option<String> },
}

/// The answer of a stored response.
#[derive(Debug, Clone)]
enum Given {
    /// The values of response variables.
    Variables(Json),
    /// The text of a cell.
    Cell(String, Dialect),
}

/// The notation of an answer in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Moodle,
    Canvas,
}

/// A response to an imported question.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// The id `LEARNER/ATTEMPT`, which is the same for all questions of an attempt.
    pub id: String,
    /// The file of the response.
    pub file: String,
    /// The location in the file: row and column, or element.
    pub place: Place,
    /// The answers, with the identifiers of the question's source.
    pub responses: Responses,
    /// The submissions with the ids of their items in the bank. Items without an answer are omitted, except those to
    /// which an empty answer can be submitted.
    pub submissions: Vec<(String, Json)>,
    /// The score from the original system divided by the maximum score, if known.
    pub home_score: Option<Ratio>,
}

impl Attempt {
    /// Returns the lines that `batch --bank` and `regrade` read: `{id, item, submission}`.
    pub fn lines(&self) -> impl Iterator<Item = Json> {
        self.submissions.iter().map(|(item, submission)| {
            Json::build()
                .with("id", format!("{}/{item}", self.id))
                .with("item", item)
                .with("submission", submission)
                .build()
        })
    }
}

fn refuse(place: Place, rule: &'static str, message: impl Into<String>, help: &str) -> ReadError {
    ReadError::new(place, rule, message, help)
}

/// Returns the location of a table cell in a column.
fn cell_place(line: u32, column: &str) -> Place {
    Place::new(format!("column `{column}`"), line)
}
