//! The student analysis of a Canvas quiz: one row per attempt, and two columns per question, `ID: TEXT` and its points.

use fablegrade_public::{Decimal, Ratio};

use super::{Dialect, Given, QuestionReference, Stored, cell_place};
use crate::csv::{Table, column};
use crate::loss::ReadError;

/// Returns the question's text from the header of its column, such as `123: What is red?`.
fn question(header: &str) -> Option<&str> {
    let (id, text) = header.trim().split_once(": ").or_else(|| header.trim().split_once(':'))?;
    (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(text)
}

fn share(points: &str, most: &str) -> Option<Ratio> {
    let [points, most] = [points, most].map(|text| Decimal::from_text(text.trim()).ok());
    Ratio::from_decimal(&points?).over(&Ratio::from_decimal(&most?))
}

pub(super) fn read(bytes: &[u8], take: &mut dyn FnMut(Result<Stored, ReadError>)) -> Result<(), ReadError> {
    let table = Table::read(bytes)?;
    let header = table.header();
    let find = |wanted: &str| header.iter().position(|name| column(name) == wanted);
    let (id, name, attempt) = (find("id"), find("name"), find("attempt"));
    let questions: Vec<(usize, &str)> =
        (header.iter().enumerate()).filter_map(|(at, name)| Some((at, question(name)?))).collect();
    for row in table.rows() {
        let cell = |at: usize| row.cells.get(at).map_or("", |cell| cell.trim());
        if row.cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let text = |at: Option<usize>| at.map(cell).filter(|text| !text.is_empty());
        let learner = text(id).or_else(|| text(name)).unwrap_or_default();
        let attempt = text(attempt).map_or_else(|| format!("row {}", row.line), str::to_owned);
        for (index, (at, question)) in questions.iter().enumerate() {
            take(Ok(Stored {
                file: String::new(),
                place: cell_place(row.line, header[*at].trim()),
                learner: learner.to_owned(),
                attempt: attempt.clone(),
                question: QuestionReference::Column { number: index + 1, text: Some((*question).to_owned()) },
                given: Given::Cell(cell(*at).to_owned(), Dialect::Canvas),
                home_score: header.get(at + 1).and_then(|most| share(cell(at + 1), most)),
                home_is_share: true,
            }));
        }
    }
    Ok(())
}
