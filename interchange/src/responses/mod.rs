//! Converts stored responses of other systems to attempts at imported questions.
//!
//! Three kinds are read: QTI result reports, the responses report of a Moodle quiz and the student analysis of a Canvas
//! quiz (both CSV). They name questions by identifier, by number or by text, and choices by identifier or by text. An
//! ambiguous response is refused with its location; none is guessed.

mod canvas;
mod cells;
mod convert;
mod moodle;
mod qti;

use fablegrade_public::Ratio;
use fablegrade_public::json::Json;

use crate::compile::Responses;
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
    /// Returns its name in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::QtiResults => "QTI result report",
            Self::MoodleCsv => "Moodle responses report",
            Self::CanvasCsv => "Canvas student analysis",
        }
    }

    /// Detects the format of a file by its first bytes; `None` if it is none of them.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(8_192)]);
        let head = head.trim_start_matches('\u{feff}').trim_start();
        if head.starts_with('<') {
            return head.contains("assessmentResult").then_some(Self::QtiResults);
        }
        let header = head.lines().next().unwrap_or_default().to_lowercase();
        let has =
            |name: &str| header.split([',', ';', '\t']).any(|cell| cell.trim().trim_matches('"') == name);
        if has("n correct") && has("submitted") {
            return Some(Self::CanvasCsv);
        }
        (1..=2)
            .any(|number| moodle::RESPONSE.iter().any(|word| has(&format!("{word} {number}"))))
            .then_some(Self::MoodleCsv)
    }
}

/// A stored response to a question that is not yet known.
#[derive(Debug, Clone)]
struct Stored {
    file: String,
    place: Place,
    /// The learner.
    learner: String,
    /// The attempt of the learner.
    attempt: String,
    question: Wanted,
    given: Given,
    /// The score from the original system, if it is given.
    home_score: Option<Ratio>,
    /// Whether it is a share of the question's score.
    home_is_share: bool,
}

/// The way a stored response names its question.
#[derive(Debug, Clone)]
enum Wanted {
    /// A question by its identifier.
    Id(String),
    /// A question by its number among the questions, from 1, and by its text.
    Column { number: usize, text: Option<String> },
}

/// The answer.
#[derive(Debug, Clone)]
enum Given {
    /// Values of response variables.
    Variables(Json),
    /// The text of a cell.
    Cell(String, Dialect),
}

/// The way a cell writes its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Moodle,
    Canvas,
}

/// A response to an imported question.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// `LEARNER/ATTEMPT`, the same for all questions of an attempt.
    pub id: String,
    /// The file of the response.
    pub file: String,
    /// The row and column, or the element.
    pub place: Place,
    /// The answers, with the identifiers of the question's source.
    pub responses: Responses,
    /// A submission for each item of the bank, with the item's id; items without an answer are left out.
    pub submissions: Vec<(String, Json)>,
    /// The score from the original system as a share, if it is given.
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

/// Returns a cell of a table: its column by name.
fn cell_place(line: u32, column: &str) -> Place {
    Place::new(format!("column `{column}`"), line)
}
