//! Converts questions from and to other formats.

use fablegrade_core::json::Json;
use fablegrade_files::{FileLimits, is_archive};
use fablegrade_interchange::ids::UniqueIds;
use fablegrade_interchange::responses::Converter;
use fablegrade_interchange::write::{BankItem, write};
use fablegrade_interchange::{Format, Loss, Question, ReadError, Source, detect, read, read_archive};
use pyo3::prelude::*;

use crate::documents::buffer_bytes;
use crate::errors::{NoResult, refusal};

fn format_named(name: Option<&str>) -> Result<Option<Format>, NoResult> {
    let Some(name) = name else { return Ok(None) };
    match Format::from_name(name) {
        Some(format) => Ok(Some(format)),
        None => Err(refusal("unknown-format", "", "not the name of a format", "use one of `FORMATS`")),
    }
}

/// The names of the formats that can be read.
#[pyfunction]
pub(crate) fn interchange_formats() -> Vec<&'static str> {
    Format::ALL.iter().map(|format| format.as_str()).collect()
}

/// Makes the ids of items unique within a bank: the second `q1` is `q1#2`.
#[pyclass(module = "fablegrade._fablegrade")]
#[derive(Default)]
pub(crate) struct InterchangeIds(UniqueIds);

#[pymethods]
impl InterchangeIds {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// Stored responses, and the questions that they answer.
#[pyclass(module = "fablegrade._fablegrade")]
#[derive(Default)]
pub(crate) struct InterchangeResponses {
    converter: Converter,
    ids: UniqueIds,
    refused: Vec<ReadError>,
}

#[pymethods]
impl InterchangeResponses {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Reads a file of responses.
    fn read(&mut self, name: &str, data: Vec<u8>) {
        let refused = &mut self.refused;
        if let Err(error) = self.converter.read(name, &data, &mut |error| refused.push(error)) {
            self.refused.push(error);
        }
    }

    /// Reads the questions in a file or an archive; those that cannot be read become errors in `attempts`.
    #[pyo3(signature = (name, data, format=None, known=false))]
    fn questions(&mut self, name: &str, data: Vec<u8>, format: Option<&str>, known: bool) -> PyResult<()> {
        let format = format_named(format)?;
        each_question(name, &data, format, known, &mut |found| match found {
            Ok(mut question) => {
                let original = question.item.id.clone();
                question.item.id = self.ids.enter(&original);
                self.converter.offer(&original, &question);
            }
            Err(error) => self.refused.push(error),
        });
        Ok(())
    }

    /// The attempts as JSON texts, and `{"error": ...}` for everything that was refused.
    fn attempts(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| {
            let refusal =
                |error: &ReadError| Json::build().with("error", error.to_json()).build().to_canonical();
            let mut out: Vec<String> = self.refused.iter().map(refusal).collect();
            self.converter.attempts(&mut |found| match found {
                Ok((_, attempt)) => out.extend(attempt.lines().map(|line| line.to_canonical())),
                Err(error) => out.push(refusal(&error)),
            });
            out
        })
    }
}

fn each_question(
    name: &str,
    data: &[u8],
    format: Option<Format>,
    known: bool,
    take: &mut dyn FnMut(Result<Question, ReadError>),
) {
    if is_archive(data) {
        if let Err(error) = read_archive(data, FileLimits::default(), format, take) {
            take(Err(ReadError::from_public(&error).in_file(name)));
        }
    } else if (!known || detect(&Source::new(name, data)).is_some())
        && let Err(error) = read(&Source::new(name, data), format, take)
    {
        take(Err(error));
    }
}

/// Reads a file or an archive. Returns a JSON text per question, and `{"error": ...}` for each question or
/// file that cannot be read. With `bank`, returns the lines of an item bank. With `known`, ignores a file that
/// is neither an archive nor of a known format. With `ids`, ids of earlier files are not used again.
#[pyfunction]
#[pyo3(signature = (name, data, format=None, bank=false, known=false, ids=None))]
pub(crate) fn interchange_read(
    py: Python<'_>,
    name: &str,
    data: &Bound<'_, PyAny>,
    format: Option<&str>,
    bank: bool,
    known: bool,
    ids: Option<&mut InterchangeIds>,
) -> PyResult<Vec<String>> {
    let format = format_named(format)?;
    let data = buffer_bytes(data, "expected the file's content as bytes")?;
    let mut ids = ids.map(|ids| &mut ids.0);
    Ok(py.detach(|| {
        let mut out = Vec::new();
        let mut take = |found: Result<Question, ReadError>| match found {
            Ok(mut question) => {
                if let Some(ids) = &mut ids {
                    question.item.id = ids.enter(&question.item.id);
                }
                if bank {
                    out.extend(question.bank_lines().iter().map(Json::to_canonical));
                } else {
                    out.push(question.to_json().to_canonical());
                }
            }
            Err(error) => out.push(Json::build().with("error", error.to_json()).build().to_canonical()),
        };
        each_question(name, &data, format, known, &mut take);
        out
    }))
}

/// Converts a line of a bank. Returns `{"text": ..., "loss": [...]}`, without `text` if the format has no
/// counterpart.
#[pyfunction]
pub(crate) fn interchange_write(line: &str, format: &str) -> PyResult<String> {
    let line = Json::parse(line.as_bytes()).map_err(NoResult::from)?;
    let item = BankItem::from_json(&line).map_err(NoResult::from)?;
    let Some(format) = format_named(Some(format))? else { return Ok(String::new()) };
    let losses = |losses: &[Loss]| Json::array(losses.iter().map(Loss::to_json));
    Ok(match write(&item, format) {
        Ok(written) => Json::build().with("text", written.text).with("loss", losses(&written.losses)).build(),
        Err(loss) => Json::build().with("loss", losses(&[loss])).build(),
    }
    .to_canonical())
}
