//! The responses report of a Moodle quiz: one row per attempt, with columns `Response 1`, `Response 2`, ...
//!
//! A report that includes the texts of the questions also has columns `Question 1`, `Question 2`, ...

use std::collections::BTreeMap;

use super::{Dialect, Given, QuestionReference, Stored, cell_place};
use crate::csv::{Table, column};
use crate::loss::{Place, ReadError};

/// *Response* in the languages of supported reports.
pub(super) const RESPONSE: &[&str] =
    &["response", "antwort", "réponse", "respuesta", "risposta", "resposta", "antwoord"];
/// *Question* in these languages.
const QUESTION: &[&str] = &["question", "frage", "pregunta", "domanda", "pergunta", "questão", "vraag"];
/// *Started* in most of these languages.
const STARTED: &[&str] = &["started", "begonnen", "commencé", "comenzado", "iniciado", "gestart"];

/// Returns the number in the name of a column such as `response 12`.
fn numbered(column: &str, words: &[&str]) -> Option<usize> {
    let (word, number) = column.rsplit_once(' ')?;
    words.contains(&word).then(|| number.parse().ok()).flatten().filter(|number| *number > 0)
}

pub(super) fn read(bytes: &[u8], take: &mut dyn FnMut(Result<Stored, ReadError>)) -> Result<(), ReadError> {
    let table = Table::read(bytes)?;
    let header: Vec<String> = table.header().iter().map(|cell| column(cell)).collect();
    let find = |wanted: &dyn Fn(&str) -> bool| header.iter().position(|name| wanted(name));
    let who = find(&|name| name.contains("mail"))
        .or_else(|| find(&|name| name == "username"))
        .or_else(|| find(&|name| name.contains("id number")));
    let started = find(&|name| STARTED.iter().any(|word| name.starts_with(word)));
    let responses: Vec<(usize, usize)> =
        (header.iter().enumerate()).filter_map(|(at, name)| Some((at, numbered(name, RESPONSE)?))).collect();
    let questions: BTreeMap<usize, usize> = (header.iter().enumerate().rev())
        .filter_map(|(at, name)| Some((numbered(name, QUESTION)?, at)))
        .collect();
    let texts: Vec<Option<usize>> =
        responses.iter().map(|(_, number)| questions.get(number).copied()).collect();
    if responses.is_empty() {
        return Err(ReadError::new(
            Place::new("", 1),
            "header",
            "the header has no columns `Response 1`, `Response 2`, ...",
            "download the report *Responses* of the quiz",
        ));
    }
    for row in table.rows() {
        let cell = |at: usize| row.cells.get(at).map_or("", |cell| cell.trim());
        let answered = responses.iter().any(|(at, _)| !matches!(cell(*at), "" | "-"));
        let name = match who {
            Some(at) => cell(at).to_owned(),
            None => [cell(0), cell(1)].join(" ").trim().to_owned(),
        };
        // The last row has averages and names no learner.
        if !answered
            && (who.is_some() && name.is_empty() || row.cells.iter().all(|cell| cell.trim().is_empty()))
        {
            continue;
        }
        let attempt = started.map(cell).filter(|text| !text.is_empty());
        let attempt = attempt.map_or_else(|| format!("row {}", row.line), str::to_owned);
        for ((at, number), text) in responses.iter().zip(&texts) {
            let given = cell(*at);
            take(Ok(Stored {
                file: String::new(),
                place: cell_place(row.line, table.header().get(*at).map_or("", |name| name.trim())),
                learner: name.clone(),
                attempt: attempt.clone(),
                question: QuestionReference::Column {
                    number: *number,
                    text: text.map(|at| cell(at).to_owned()),
                },
                given: Given::Cell(
                    if given == "-" { String::new() } else { given.to_owned() },
                    Dialect::Moodle,
                ),
                home_score: None,
                home_is_share: true,
            }));
        }
    }
    Ok(())
}
