//! Checks, plans and scores judgehost problem packages. Nothing is run here.

use fablegrade_core::Error;

use fablegrade_judgehost::{
    Entry, File, FileLimits, Files, Manner, Package as Opened, Plan, PlanOptions, Ranking, compose,
    content_id, distribute, line,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString, PyTuple};

use crate::documents::{buffer_bytes, output_bytes, utf8};
use crate::errors::{NoResult, refusal};
use crate::grader::findings;
use crate::result::AttemptResult;
use crate::systems::{answer, no_task, read_task};
use crate::terry::uuid;

const fn manner(strict: bool) -> Manner {
    if strict { Manner::Strict } else { Manner::Lenient }
}

/// Runs a task of judgehost by name; see `fablegrade.judgehost`.
#[pyfunction]
pub(crate) fn judgehost(
    py: Python<'_>,
    task: &str,
    fields: &Bound<'_, PyDict>,
    strict: bool,
) -> PyResult<String> {
    let answer = match task {
        "check" => answer(py, fields, |object| line::checking(object, manner(strict))),
        "score" => answer(py, fields, |object| line::scoring(object, manner(strict))),
        other => return Err(no_task(other)),
    };
    Ok(answer?)
}

/// `fablegrade.judgehost.attempt_result`.
#[pyfunction]
pub(crate) fn judgehost_attempt_result(
    py: Python<'_>,
    fields: &Bound<'_, PyDict>,
    strict: bool,
    attempt_id: &str,
    ranking: &str,
) -> PyResult<AttemptResult> {
    let id = uuid(attempt_id)?;
    let ranking = match ranking {
        "auto" => Ranking::Auto,
        "weighted" => Ranking::Weighted,
        "normalized" => Ranking::Normalized,
        _ => {
            let message = "there is no ranking of this name";
            let help = "use `auto`, `weighted` or `normalized`";
            return Err(refusal("unknown-word", "/ranking", message, help).into());
        }
    };
    let evaluation = read_task(py, fields, |object| line::evaluation(object, manner(strict)))?;
    Ok(evaluation.to_attempt_result(id, ranking).into())
}

/// Reads the files of an archive or of a mapping from paths to contents.
pub(crate) fn files(given: &Bound<'_, PyAny>) -> Result<Files, NoResult> {
    let py = given.py();
    let limits = FileLimits::default();
    let Ok(mapping) = given.cast::<PyMapping>() else {
        let bytes = buffer_bytes(given, "expected an archive as bytes, or a mapping from paths to contents")?;
        return Ok(py.detach(|| Files::from_archive(&bytes, limits))?);
    };
    let mut entries = Vec::new();
    let mut size = 0u64;
    for item in mapping.items()? {
        let (path, content): (Bound<'_, PyString>, Bound<'_, PyAny>) = item.extract()?;
        let path = utf8("", &path)?;
        let bytes = output_bytes(&path, &content)?;
        size += bytes.len() as u64;
        entries.push((path, Entry::File(File { bytes, executable: None })));
        if entries.len() > limits.entries || size > limits.bytes {
            break; // the limits are checked below
        }
    }
    Ok(Files::from_entries(entries, limits)?)
}

/// A valid problem package.
///
/// `files` is a `.tar.gz` or `.zip` as bytes, or `{path: content}`. `strict` treats the missing fields and old names of
/// older packages as errors, not warnings. Immutable and thread-safe. Raises `FablegradeError` with every finding; the
/// pointer of a finding about a file is its path.
#[pyclass(frozen, module = "fablegrade.judgehost", name = "Package")]
pub(crate) struct Package(Opened);

impl Package {
    fn planned(
        &self,
        submission_id: &str,
        allowed_capabilities: Vec<String>,
        internet: bool,
    ) -> Result<Plan, Error> {
        let mut options = PlanOptions::default();
        options.allowed_capabilities = allowed_capabilities;
        options.internet = internet;
        Plan::new(&self.0, submission_id, &options)
    }
}

#[pymethods]
impl Package {
    #[new]
    #[pyo3(signature = (files, *, strict=false))]
    #[pyo3(text_signature = "(files, *, strict=False)")]
    fn new(files: &Bound<'_, PyAny>, strict: bool) -> PyResult<Self> {
        let py = files.py();
        let files = self::files(files)?;
        let opened = py.detach(|| Opened::open(files, manner(strict)));
        Ok(Self(opened.map_err(NoResult::from)?))
    }

    /// Warnings and remarks: a tuple of `Finding`.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, findings(py, &self.0.findings)?)
    }

    /// The paths of the package's files, sorted.
    #[getter]
    fn paths(&self) -> Vec<&str> {
        self.0.files.iter().map(|(path, _)| path).collect()
    }

    /// The content of a file. Raises `KeyError` if the package has no such file.
    fn read<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyBytes>> {
        let file = self.0.files.get(path);
        let file = file.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(path.to_owned()))?;
        Ok(PyBytes::new(py, &file.bytes))
    }

    /// `judgehost.plan` as JSON.
    #[pyo3(signature = (submission_id, allowed_capabilities, internet))]
    fn _plan(
        &self,
        submission_id: &str,
        allowed_capabilities: Vec<String>,
        internet: bool,
    ) -> PyResult<String> {
        let plan = self.planned(submission_id, allowed_capabilities, internet).map_err(NoResult::from)?;
        Ok(plan.to_json().to_canonical())
    }

    /// `judgehost.compose`.
    #[pyo3(signature = (submission, submission_id, allowed_capabilities, internet))]
    fn _compose(
        &self,
        submission: Option<&Bound<'_, PyAny>>,
        submission_id: &str,
        allowed_capabilities: Vec<String>,
        internet: bool,
    ) -> PyResult<String> {
        let plan = self.planned(submission_id, allowed_capabilities, internet).map_err(NoResult::from)?;
        let deliveries = match submission {
            None => Vec::new(),
            Some(given) => distribute(&self.0.config, &files(given)?).map_err(NoResult::from)?,
        };
        Ok(compose::project(&plan, &deliveries))
    }

    /// Returns the files of a submission by package and container, as the fields of `judgehost.Delivery`.
    fn _distribute<'py>(&self, submission: &Bound<'py, PyAny>) -> PyResult<Vec<Delivered<'py>>> {
        let py = submission.py();
        let deliveries = distribute(&self.0.config, &files(submission)?).map_err(NoResult::from)?;
        let delivered = deliveries.into_iter().map(|delivery| {
            let folders = delivery.folder_permissions();
            let files = PyDict::new(py);
            for (path, file) in delivery.files.iter() {
                files.set_item(path, PyBytes::new(py, &file.bytes))?;
            }
            let (package, container) = (delivery.package_id, delivery.container_id);
            Ok((package, container, delivery.extract_path, delivery.permissions, folders, files))
        });
        delivered.collect()
    }

    fn __repr__(&self) -> String {
        format!("<Package {}>", self.0.config.problem_id)
    }
}

/// The fields of `judgehost.Delivery`, in order.
type Delivered<'py> = (String, String, String, u32, u32, Bound<'py, PyDict>);

/// `fablegrade.judgehost.content_id`.
#[pyfunction]
pub(crate) fn judgehost_content_id(submission: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(content_id(&files(submission)?))
}
