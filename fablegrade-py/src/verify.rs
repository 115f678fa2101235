//! Verifies language models' answers: one, many in parallel, or tables. The interpreter's lock is released
//! while answers are compared.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use fablegrade_verify::{Convention, Extraction, Gold, NoAnswer, Profile, Verification};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arrow::{GradedBatches, Reader, interrupted_stream, read};
use crate::batches::{MOST_BYTES, MOST_ROWS, check_roles};
use crate::documents::replaced;
use crate::errors::{NoResult, refusal};
use crate::interrupts::Watch;
use crate::parallel::{parallel, threads};
use crate::text_columns::{Texts, is_text};

/// `(verdict, extracted, place, span, how, evidence, conventions)`.
type Row = (
    &'static str,
    Option<String>,
    Option<&'static str>,
    Option<(usize, usize)>,
    &'static str,
    String,
    Vec<&'static str>,
);

fn profile(name: &str, without: &[String]) -> PyResult<Profile> {
    let profile = Profile::from_name(name).ok_or_else(|| {
        PyValueError::new_err(format!("`{name}` is not a profile: expected `model` or `exact`"))
    })?;
    without.iter().try_fold(profile, |profile, name| {
        let convention = Convention::from_name(name).ok_or_else(|| {
            PyValueError::new_err(format!("`{name}` is not a convention; see docs/verify.md"))
        })?;
        Ok(profile.without(convention))
    })
}

/// Returns a row. Its span counts characters, as Python does.
fn row(found: Verification, response: Option<&str>) -> Row {
    let characters =
        |at: usize| response.and_then(|text| text.get(..at)).map(|before| before.chars().count());
    let span = found.span.and_then(|(start, end)| Some((characters(start)?, characters(end)?)));
    let conventions = found.conventions.iter().map(Convention::name).collect();
    (found.verdict.as_str(), found.answer, found.place, span, found.how, found.evidence, conventions)
}

/// An extracted answer: text, place, span in characters.
type Extracted = (String, &'static str, (usize, usize));

/// The answer in a response, as `(text, place, span)`, or the reason why there is none.
#[pyfunction]
#[pyo3(signature = (response, fallback=true))]
pub(crate) fn verify_extract(
    py: Python<'_>,
    response: &Bound<'_, PyString>,
    fallback: bool,
) -> PyResult<(Option<Extracted>, Option<&'static str>)> {
    let response = replaced(response)?;
    Ok(py.detach(|| {
        let found = fablegrade_verify::extract(&response, &Extraction::new().fallback(fallback));
        match found {
            Ok(found) => {
                let at = |place: usize| response.get(..place).map_or(0, |before| before.chars().count());
                let span = (at(found.span.start), at(found.span.end));
                (Some((found.text.into_owned(), found.place.name(), span)), None)
            }
            Err(reason) => (None, Some(NoAnswer::message(reason))),
        }
    }))
}

/// Verifies responses, or compares answers that are already extracted, on several threads.
#[pyfunction]
#[pyo3(signature = (golds, responses, profile_name, without, fallback, extracted, workers, progress=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn verify_many(
    py: Python<'_>,
    golds: Vec<Bound<'_, PyString>>,
    responses: Vec<Bound<'_, PyString>>,
    profile_name: &str,
    without: Vec<String>,
    fallback: bool,
    extracted: bool,
    workers: isize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Row>> {
    if golds.len() != responses.len() {
        let message =
            format!("{} references for {} responses: give one per response", golds.len(), responses.len());
        return Err(PyValueError::new_err(message));
    }
    let profile = profile(profile_name, &without)?;
    let threads = threads(workers)?;
    let golds = golds.iter().map(replaced).collect::<PyResult<Vec<String>>>()?;
    let responses = responses.iter().map(replaced).collect::<PyResult<Vec<String>>>()?;
    let mut watch = Watch::reporting(py, progress, Some(responses.len()))?;
    let rows = py.detach(|| {
        let compiled = References::of(golds.iter().map(String::as_str), profile, fallback);
        parallel(responses.len(), threads, &mut watch, |at| {
            let gold = compiled.at(at);
            if extracted {
                row(gold.compare(&responses[at]), None)
            } else {
                row(gold.verify(&responses[at]), Some(&responses[at]))
            }
        })
    })?;
    watch.finish(py, rows.len())?;
    Ok(rows)
}

/// The references of all rows. Rows with the same text share a reference. The first thread that needs a
/// reference reads it.
struct References<'t> {
    profile: Profile,
    extraction: Extraction,
    /// For each row, the index of its reference in `golds`.
    rows: Vec<usize>,
    golds: Vec<(&'t str, OnceLock<Gold>)>,
}

impl<'t> References<'t> {
    fn of(texts: impl Iterator<Item = &'t str>, profile: Profile, fallback: bool) -> Self {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut golds = Vec::new();
        let rows = texts
            .map(|text| {
                *known.entry(text).or_insert_with(|| {
                    golds.push((text, OnceLock::new()));
                    golds.len() - 1
                })
            })
            .collect();
        Self { profile, extraction: Extraction::new().fallback(fallback), rows, golds }
    }

    fn at(&self, row: usize) -> &Gold {
        let (text, gold) = &self.golds[self.rows[row]];
        gold.get_or_init(|| Gold::new(text, &self.profile).with_extraction(self.extraction))
    }
}

const READ: [&str; 2] = ["gold", "response"];
const WRITTEN: [&str; 6] = ["verdict", "extracted", "place", "how", "evidence", "conventions"];

/// `fablegrade.verify.verify_batches`.
#[pyfunction]
pub(crate) fn verify_batches(
    data: &Bound<'_, PyAny>,
    profile_name: &str,
    without: Vec<String>,
    names: HashMap<String, String>,
    workers: isize,
) -> PyResult<GradedBatches> {
    let input = read(data)?;
    let profile = profile(profile_name, &without)?;
    let verified = Verified::new(input, profile, &names, threads(workers)?, Watch::new(data.py())?)?;
    Ok(GradedBatches::new(Box::new(verified)))
}

/// The rows of an input batch that are not written yet.
struct Rest {
    batch: RecordBatch,
    /// The index of the first of these rows.
    start: usize,
    /// The verifications of the rows from `start` on that are verified already.
    found: VecDeque<Verification>,
}

/// Record batches that are verified while they are read.
struct Verified {
    input: Reader,
    rest: Option<Rest>,
    profile: Profile,
    read: [usize; 2],
    kept: Vec<usize>,
    threads: usize,
    watch: Watch,
    schema: SchemaRef,
}

impl Verified {
    fn new(
        input: Reader,
        profile: Profile,
        names: &HashMap<String, String>,
        threads: usize,
        watch: Watch,
    ) -> Result<Self, NoResult> {
        check_roles(names, &READ)?;
        let schema = input.schema();
        let mut read = [0; 2];
        for (place, role) in read.iter_mut().zip(READ) {
            let name = names.get(role).map_or(role, String::as_str);
            let pointer = format!("/{name}");
            let found = schema.fields().iter().position(|field| field.name() == name);
            let at = found.ok_or_else(|| {
                refusal(
                    "missing-column",
                    &pointer,
                    "there is no such column",
                    "add it, or name yours in `columns`",
                )
            })?;
            if !is_text(schema.field(at).data_type()) {
                return Err(refusal(
                    "column-type",
                    &pointer,
                    "the column is not text",
                    "cast it to a string",
                ));
            }
            *place = at;
        }
        let kept: Vec<usize> = (0..schema.fields().len()).filter(|at| !read.contains(at)).collect();
        let mut fields: Vec<Field> = kept.iter().map(|at| schema.field(*at).clone()).collect();
        for name in WRITTEN {
            if fields.iter().any(|field| field.name() == name) {
                let message = "a column that is kept has the name of one that is written";
                return Err(refusal("column-twice", &format!("/{name}"), message, "rename it"));
            }
            fields.push(Field::new(
                name,
                DataType::Utf8,
                name != "verdict" && name != "how" && name != "evidence",
            ));
        }
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { input, rest: None, profile, read, kept, threads, watch, schema })
    }

    /// Verifies the next rows of a batch, from `start` on.
    fn verify(&mut self, batch: &RecordBatch, start: usize) -> Result<VecDeque<Verification>, ArrowError> {
        let columns = self.read.map(|at| Texts::of(batch.column(at)));
        let text =
            |column: usize, row: usize| String::from_utf8_lossy(columns[column].get(row).unwrap_or_default());
        let rows = MOST_ROWS.min(batch.num_rows() - start);
        let golds: Vec<_> = (start..start + rows).map(|row| text(0, row)).collect();
        let compiled = References::of(golds.iter().map(AsRef::as_ref), self.profile, true);
        let found =
            parallel(rows, self.threads, &mut self.watch, |at| compiled.at(at).verify(&text(1, start + at)));
        Ok(found.map_err(interrupted_stream)?.into())
    }

    /// Writes verified rows, which are removed from `rest`, until a batch is full.
    fn write(&self, rest: &mut Rest) -> Result<RecordBatch, ArrowError> {
        let most = rest.found.len();
        let mut written = WRITTEN.map(|_| StringBuilder::with_capacity(most, most * 12));
        let mut bytes = 0;
        while bytes < MOST_BYTES
            && let Some(found) = rest.found.pop_front()
        {
            bytes += found.evidence.len() + found.answer.as_ref().map_or(0, String::len);
            let conventions: Vec<&str> = found.conventions.iter().map(Convention::name).collect();
            written[0].append_value(found.verdict.as_str());
            written[1].append_option(found.answer);
            written[2].append_option(found.place);
            written[3].append_value(found.how);
            written[4].append_value(found.evidence);
            written[5].append_option((!conventions.is_empty()).then(|| conventions.join(" ")));
        }
        let rows = most - rest.found.len();
        let mut arrays: Vec<ArrayRef> =
            self.kept.iter().map(|at| rest.batch.column(*at).slice(rest.start, rows)).collect();
        rest.start += rows;
        arrays.extend(written.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef));
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

impl Iterator for Verified {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = loop {
            match self.rest.take() {
                Some(rest) if rest.start < rest.batch.num_rows() => break rest,
                _ => match self.input.next()? {
                    Ok(batch) => self.rest = Some(Rest { batch, start: 0, found: VecDeque::new() }),
                    Err(error) => return Some(Err(error)),
                },
            }
        };
        if rest.found.is_empty() {
            match self.verify(&rest.batch, rest.start) {
                Ok(found) => rest.found = found,
                Err(error) => return Some(Err(error)),
            }
        }
        let written = self.write(&mut rest);
        self.rest = Some(rest);
        Some(written)
    }
}

impl RecordBatchReader for Verified {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
