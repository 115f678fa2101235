//! Item analysis of tables of results.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fablegrade_analysis::lines::{InvalidLines, Joiner, Reader};
use fablegrade_analysis::{Accumulator as Sums, items_of};
use fablegrade_core::bank::Bank as Items;
use fablegrade_core::{Error, Findings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrow::{arrow_failed, read};
use crate::bank::Bank;
use crate::batches::check_roles;
use crate::errors::{NoResult, refusal};
use crate::text_columns::{Texts, is_text};
use crate::validators::detached;

/// The input columns, each with the field of a line of `fablegrade analyse` that it contains.
const ROLES: [(&str, &str); 7] = [
    ("item_id", "item"),
    ("sitting", "sitting"),
    ("result", "result"),
    ("submission", "submission"),
    ("attempt", "attempt"),
    ("outcomes", "outcomes"),
    ("context", "context"),
];
/// The number of columns at the start of [`ROLES`] that contain names, not JSON.
const NAMES: usize = 2;

/// The exact sums over any number of sittings; see `fablegrade.analysis.Accumulator`.
#[pyclass(frozen, module = "fablegrade.analysis", name = "Accumulator")]
pub(crate) struct Accumulator {
    items: Arc<Items>,
    sums: Mutex<Sums>,
}

impl Accumulator {
    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn merge_sums(&self, other: &Sums) -> PyResult<()> {
        self.sums().merge(other).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Accumulator {
    #[new]
    fn new(py: Python<'_>, bank: &Bound<'_, Bank>) -> PyResult<Self> {
        let bank = bank.get();
        let items = detached(py, || bank.to_items())??;
        Ok(Self { items: Arc::new(items), sums: Mutex::default() })
    }

    /// Adds the sittings of a table; the rows of a sitting must be adjacent. If the table has no column
    /// `result`, its rows are graded. Adds nothing if any row is invalid.
    fn add(&self, data: &Bound<'_, PyAny>, columns: HashMap<String, String>) -> PyResult<()> {
        let py = data.py();
        let input = read(data)?;
        let schema = input.schema();
        check_roles(&columns, &ROLES.map(|(role, _)| role))?;
        let mut places = Vec::new();
        for (at, (role, field)) in ROLES.into_iter().enumerate() {
            let name = columns.get(role).map_or(role, String::as_str);
            match schema.fields().iter().position(|field| field.name() == name) {
                Some(place) if is_text(schema.field(place).data_type()) => places.push((place, field)),
                Some(_) => {
                    let pointer = format!("/{name}");
                    return Err(refusal(
                        "column-type",
                        &pointer,
                        "the column is not text",
                        "cast it to a string",
                    )
                    .into());
                }
                None if at < NAMES || columns.contains_key(role) => {
                    let help = format!("add the column `{name}`, or name yours in `columns`");
                    return Err(refusal(
                        "missing-column",
                        &format!("/{name}"),
                        "there is no such column",
                        &help,
                    )
                    .into());
                }
                None => {}
            }
        }
        let sums = detached(py, || -> PyResult<Sums> {
            let (mut reader, mut joiner, mut row) = (Reader::new(&self.items), Joiner::new(), 1);
            for batch in input {
                let batch = batch.map_err(arrow_failed)?;
                let texts: Vec<_> =
                    places.iter().map(|&(place, field)| (field, Texts::of(batch.column(place)))).collect();
                let rows = (0..batch.num_rows()).map(|row| {
                    let field = |(field, texts): &'_ (&'static str, Texts)| {
                        // A null result is a blank answer; any other null field is absent.
                        let text = texts.get(row).map(<[u8]>::to_vec);
                        let text = text.or_else(|| (*field == "result").then(|| b"null".to_vec()))?;
                        Some((*field, text))
                    };
                    texts.iter().filter_map(field).collect::<Vec<_>>()
                });
                joiner.add(reader.read_rows(rows, row));
                row += batch.num_rows() as u64;
            }
            joiner.finish([reader.into_accumulator()]).map_err(|invalid| PyErr::from(invalid_rows(&invalid)))
        })??;
        self.merge_sums(&sums)
    }

    /// Adds all sittings of another accumulator.
    fn merge(&self, other: &Bound<'_, Self>) -> PyResult<()> {
        // Copies first, because both can be the same accumulator.
        let other = other.get().sums().clone();
        self.merge_sums(&other)
    }

    /// Adds the sums that `to_bytes` returned.
    fn merge_bytes(&self, data: &[u8]) -> PyResult<()> {
        let other = Sums::from_bytes(data).map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.merge_sums(&other)
    }

    /// The canonical bytes of the sums.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.sums().to_bytes())
    }

    /// Number of sittings.
    #[getter]
    fn sittings(&self) -> u64 {
        self.sums().sittings()
    }

    /// The report as JSON text.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.sums().finish(&items_of(&self.items)).to_json())
    }

    /// The statistics of the items as CSV text.
    fn to_csv(&self, py: Python<'_>) -> String {
        py.detach(|| self.sums().finish(&items_of(&self.items)).to_csv())
    }
}

/// Returns the error about invalid rows. Pointers start with the row's number, from 0.
fn invalid_rows(invalid: &InvalidLines) -> NoResult {
    let mut findings = Findings::new();
    let mut kind = None;
    for (row, error) in &invalid.first {
        kind = kind.or(Some(error.kind()));
        let at = format!("/{}", row.saturating_sub(1));
        error.findings().iter().for_each(|finding| findings.push(finding.clone().within(&at)));
    }
    NoResult::Document(Error::new(kind.unwrap_or(fablegrade_core::ErrorKind::Schema), findings))
}
