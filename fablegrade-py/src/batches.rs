//! Grades record batches: one output row per input row, with errors in a column. Every row is graded
//! independently, so the division into batches never changes a result.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{ArrayBuilder as _, Float64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use fablegrade_core::graders::Graders;
use fablegrade_core::json::Document;
use fablegrade_core::repeated::{Head, Repeated};
use fablegrade_core::request::Documents;
use fablegrade_core::{AttemptResult, Error, ErrorKind, Finding, Verdict};
use fablegrade_validators::registry::host;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{GradedBatches, Reader, interrupted_stream, read, schema_capsule};
use crate::bank::{Bank, Questions};
use crate::errors::{NoResult, refusal};
use crate::grader::is_lasting;
use crate::interrupts::Watch;
use crate::text_columns::{Texts, is_text};
use crate::validators::has_raised;

/// The roles of the input columns; a table can have other names for them.
const ROLES: [&str; 6] = ["item_id", "spec", "submission", "attempt", "outcomes", "context"];
/// Returns the output columns.
fn written() -> [Field; 4] {
    let text = |name| Field::new(name, DataType::Utf8, true);
    [text("verdict"), Field::new("score", DataType::Float64, true), text("result"), text("error")]
}

/// The columns that `grade_batches` writes after the kept ones, as a capsule of an Arrow C schema.
#[pyfunction]
pub(crate) fn written_schema(py: Python<'_>) -> PyResult<Bound<'_, PyCapsule>> {
    schema_capsule(py, &Schema::new(written().to_vec()))
}

/// An output batch has at most this many rows. It also ends once its results and errors reach `MOST_BYTES`.
pub(crate) const MOST_ROWS: usize = 16_384;
pub(crate) const MOST_BYTES: usize = 64 << 20;

/// Grades record batches; see `fablegrade.arrow.grade_batches`.
#[pyfunction]
#[pyo3(signature = (data, bank, columns, keep))]
pub(crate) fn grade_batches(
    data: &Bound<'_, PyAny>,
    bank: Option<&Bound<'_, Bank>>,
    columns: HashMap<String, String>,
    keep: Option<Vec<String>>,
) -> PyResult<GradedBatches> {
    TableGrader::new(bank, columns, keep).grade(data)
}

/// Grades one table after another, such as the batches that an engine passes one by one. Tables share the
/// caches of compiled questions and of results.
#[pyclass(frozen, module = "fablegrade._fablegrade", name = "TableGrader")]
pub(crate) struct TableGrader {
    bank: Option<Arc<Questions>>,
    columns: HashMap<String, String>,
    keep: Option<Vec<String>>,
    known: Shared,
}

#[pymethods]
impl TableGrader {
    #[new]
    #[pyo3(signature = (bank, columns, keep))]
    fn new(
        bank: Option<&Bound<'_, Bank>>,
        columns: HashMap<String, String>,
        keep: Option<Vec<String>>,
    ) -> Self {
        Self { bank: bank.map(|bank| Arc::clone(&bank.get().0)), columns, keep, known: Shared::default() }
    }

    /// Returns the graded batches of a table, a stream of batches or one batch.
    fn grade(&self, data: &Bound<'_, PyAny>) -> PyResult<GradedBatches> {
        let (reader, watch) = (read(data)?, Watch::new(data.py())?);
        let graded = Graded::new(
            reader,
            self.bank.clone(),
            &self.columns,
            self.keep.as_deref(),
            watch,
            Arc::clone(&self.known),
        )?;
        Ok(GradedBatches::new(Box::new(graded)))
    }
}

/// A cache: compiled questions, and results by the question's id or text and the submission.
struct Known {
    graders: Graders,
    rows: Repeated<Row>,
}

impl Known {
    fn new() -> Self {
        Self { graders: Graders::with_host(1, &host()), rows: Repeated::within(REMEMBERED) }
    }
}

/// The cache that the streams of one grader share. A stream takes the cache out while it grades, so it holds no
/// lock meanwhile. A stream that grades at the same time starts with an empty cache.
type Shared = Arc<Mutex<Option<Known>>>;

/// The output columns of an answer.
struct Row {
    verdict: Verdict,
    score: Option<f64>,
    text: Box<str>,
}

/// The size of a result cache, in bytes.
const REMEMBERED: usize = 4 << 20;

/// A stream of graded batches.
struct Graded {
    input: Reader,
    /// The last input batch, and the first of its rows that is not graded yet.
    rest: Option<(RecordBatch, usize)>,
    bank: Option<Arc<Questions>>,
    known: Shared,
    /// The index of each column of [`ROLES`].
    read: [Option<usize>; 6],
    kept: Vec<usize>,
    watch: Watch,
    schema: SchemaRef,
}

impl Graded {
    fn new(
        input: Reader,
        bank: Option<Arc<Questions>>,
        names: &HashMap<String, String>,
        keep: Option<&[String]>,
        watch: Watch,
        known: Shared,
    ) -> Result<Self, NoResult> {
        check_roles(names, &ROLES)?;
        let schema = input.schema();
        let name = |role: &str| names.get(role).map_or(role, String::as_str).to_owned();
        let mut places = [None; 6];
        for (place, role) in places.iter_mut().zip(ROLES) {
            // Item ids are read only with a bank, specs only without one.
            if (role == "item_id" && bank.is_none()) || (role == "spec" && bank.is_some()) {
                continue;
            }
            let name = name(role);
            let found = schema.fields().iter().position(|field| *field.name() == name);
            if found.is_none() && names.contains_key(role) {
                return Err(missing(&name, "there is no such column"));
            }
            if let Some(at) = found {
                if !is_text(schema.field(at).data_type()) {
                    let message = "the column is not text";
                    return Err(refusal("column-type", &format!("/{name}"), message, "cast it to a string"));
                }
                *place = Some(at);
            }
        }
        let which = usize::from(bank.is_none());
        if places[which].is_none() {
            let column = name(ROLES[which]);
            let help = if bank.is_some() {
                format!("add the column `{column}`, or name yours in `columns`")
            } else {
                format!("pass a bank, as in `grade_batches(table, bank)`, or add the column `{column}`")
            };
            let message = "no column names the question of a row";
            return Err(refusal("missing-column", &format!("/{column}"), message, &help));
        }
        if places[2].is_none() == places[3].is_none() {
            return Err(missing(&name("submission"), "there must be either a submission or an attempt"));
        }
        let used: HashSet<usize> = places.iter().flatten().copied().collect();
        let kept = match keep {
            None => {
                (0..schema.fields().len()).filter(|at| !used.contains(at) || places[0] == Some(*at)).collect()
            }
            Some(names) => {
                let place = |name: &String| {
                    let found = schema.fields().iter().position(|field| field.name() == name);
                    found.ok_or_else(|| missing(name, "there is no such column"))
                };
                names.iter().map(place).collect::<Result<Vec<usize>, NoResult>>()?
            }
        };
        let mut fields: Vec<Field> = kept.iter().map(|at| schema.field(*at).clone()).collect();
        for field in written() {
            let name = field.name();
            if fields.iter().any(|field| field.name() == name) {
                let message = "a column that is kept has the name of one that is written";
                return Err(refusal("column-twice", &format!("/{name}"), message, "leave it out of `keep`"));
            }
            fields.push(field);
        }
        Ok(Self {
            input,
            rest: None,
            bank,
            known,
            read: places,
            kept,
            watch,
            schema: Arc::new(Schema::new(fields)),
        })
    }

    /// Grades the rows from `start` on until a batch is full. Also returns the first row that is not graded.
    fn grade(&mut self, batch: &RecordBatch, start: usize) -> Result<(RecordBatch, usize), ArrowError> {
        let taken = self.known.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut known = taken.unwrap_or_else(Known::new);
        let columns = self.read.map(|at| at.map(|at| Texts::of(batch.column(at))));
        let end = batch.num_rows().min(start + MOST_ROWS);
        let bank = self.bank.as_deref();
        let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || grade_rows(&columns, start..end, bank, &mut known, &stopped);
        let written = self.watch.run(&done, &stopped, work).map_err(interrupted_stream)?;
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        let rows = written.verdicts.len();
        let mut arrays: Vec<ArrayRef> =
            self.kept.iter().map(|at| batch.column(*at).slice(start, rows)).collect();
        arrays.extend(written.finish());
        Ok((RecordBatch::try_new(Arc::clone(&self.schema), arrays)?, start + rows))
    }
}

/// The output columns of the rows that are graded so far.
struct Written {
    verdicts: StringBuilder,
    scores: Float64Builder,
    results: StringBuilder,
    errors: StringBuilder,
    /// The size of the results and errors.
    bytes: usize,
}

impl Written {
    fn with_capacity(rows: usize) -> Self {
        Self {
            verdicts: StringBuilder::with_capacity(rows, rows * 9),
            scores: Float64Builder::with_capacity(rows),
            results: StringBuilder::with_capacity(rows, rows * 128),
            errors: StringBuilder::new(),
            bytes: 0,
        }
    }

    fn append_result(&mut self, verdict: Verdict, score: Option<f64>, text: &str) {
        self.verdicts.append_value(verdict.as_str());
        self.scores.append_option(score);
        self.results.append_value(text);
        self.errors.append_null();
        self.bytes += text.len();
    }

    fn append_error(&mut self, text: &str) {
        self.verdicts.append_null();
        self.scores.append_null();
        self.results.append_null();
        self.errors.append_value(text);
        self.bytes += text.len();
    }

    fn finish(mut self) -> [ArrayRef; 4] {
        [
            Arc::new(self.verdicts.finish()),
            Arc::new(self.scores.finish()),
            Arc::new(self.results.finish()),
            Arc::new(self.errors.finish()),
        ]
    }
}

/// Grades rows until a batch is full or the work is stopped.
fn grade_rows(
    columns: &[Option<Texts>; 6],
    rows: Range<usize>,
    bank: Option<&Questions>,
    known: &mut Known,
    stopped: &AtomicBool,
) -> Written {
    let mut written = Written::with_capacity(rows.len());
    let mut text = String::new();
    for row in rows {
        if written.bytes >= MOST_BYTES || stopped.load(Ordering::Relaxed) || has_raised() {
            break;
        }
        text.clear();
        let key = key(columns, row);
        if let Some(key) = &key
            && let Some(same) = known.rows.get(key)
        {
            written.append_result(same.verdict, same.score, &same.text);
            continue;
        }
        match grade_row(columns, row, bank, &mut known.graders) {
            Ok((result, lasting)) => {
                result.write_json(&mut text);
                if let Some(key) = &key
                    && lasting
                    && known.rows.is_again(key)
                {
                    let row =
                        Row { verdict: result.verdict, score: result.score, text: text.as_str().into() };
                    known.rows.learn(key, row, text.len());
                }
                written.append_result(result.verdict, result.score, &text);
            }
            Err(error) => {
                error.write_json(&mut text);
                written.append_error(&text);
            }
        }
    }
    written
}

impl Iterator for Graded {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (batch, start) = loop {
            match self.rest.take() {
                Some(rest) => break rest,
                None => match self.input.next()? {
                    Ok(batch) if batch.num_rows() == 0 => {}
                    Ok(batch) => self.rest = Some((batch, 0)),
                    Err(error) => return Some(Err(error)),
                },
            }
        };
        Some(self.grade(&batch, start).map(|(graded, end)| {
            if end < batch.num_rows() {
                self.rest = Some((batch, end));
            }
            graded
        }))
    }
}

impl RecordBatchReader for Graded {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Refuses names for columns that are not read.
pub(crate) fn check_roles(names: &HashMap<String, String>, roles: &[&str]) -> Result<(), NoResult> {
    let Some(unknown) = names.keys().filter(|name| !roles.contains(&name.as_str())).min() else {
        return Ok(());
    };
    let pointer = format!("/columns/{unknown}");
    Err(refusal("unknown-column", &pointer, "no such column is read", &format!("use {}", roles.join(", "))))
}

fn missing(name: &str, message: &str) -> NoResult {
    refusal(
        "missing-column",
        &format!("/{name}"),
        message,
        &format!("add the column `{name}`, or name yours in `columns`"),
    )
}

/// Returns the cache key of a row, if its result depends only on its question and its submission.
fn key<'a>(columns: &'a [Option<Texts>; 6], row: usize) -> Option<Head<'a>> {
    let text = |role: usize| columns.get(role)?.as_ref()?.get(row);
    let question = std::str::from_utf8(text(0).or_else(|| text(1))?).ok()?;
    let alone = (3..6).all(|role| text(role).is_none());
    if alone { Head::whole(Some(question), text(2)?) } else { None }
}

/// Grades a row. Also returns whether every identical row has the same result.
fn grade_row(
    columns: &[Option<Texts>; 6],
    row: usize,
    bank: Option<&Questions>,
    graders: &mut Graders,
) -> Result<(AttemptResult, bool), Error> {
    let text = |role: usize| columns.get(role)?.as_ref()?.get(row);
    let documents = Documents { submission: text(2), attempt: text(3), outcomes: text(4), context: text(5) };
    let answer = documents.read();
    let kept;
    let grader = match bank {
        Some(bank) => {
            let id = text(0).and_then(|id| std::str::from_utf8(id).ok());
            id.and_then(|id| bank.grader(id)).ok_or_else(unknown_item)?
        }
        None => {
            let document =
                Document::parse(text(1).unwrap_or(b"null")).map_err(|error| error.within("/spec"))?;
            kept = graders.get(document.root());
            kept.as_ref()
        }
    };
    let grader = grader.as_ref().map_err(|error| error.clone().within("/spec"))?;
    Ok((answer?.grade(grader)?, is_lasting(grader)))
}

fn unknown_item() -> Error {
    let finding =
        Finding::error("unknown-item", "/item_id", "the bank has no such question", "add it to the bank");
    Error::single(ErrorKind::Mismatch, finding)
}
