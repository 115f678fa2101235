//! Checks Kattis and ICPC packages, compares outputs, and judges submissions by their outcomes. Nothing is
//! run here.

use std::time::Duration;

use fablegrade_core::{Error, ErrorKind, Finding};
use fablegrade_files::{File, Files};
use fablegrade_kattis::default_validator::Comparison;
use fablegrade_kattis::judge::{JudgeOptions, Judging};
use fablegrade_kattis::{Package, Version, line};
use pyo3::prelude::*;

use crate::documents::output_bytes;
use crate::errors::{NoResult, refusal};
use crate::judgehost::files;

/// A package. It can be invalid; `kattis.check` returns the findings.
///
/// `files` is a `.zip` or `.tar.gz` as bytes, or `{path: content}`; `name` is the short name of the package.
/// Immutable and thread-safe. Raises `FablegradeError` if the files or `problem.yaml` cannot be read.
#[pyclass(frozen, module = "fablegrade.kattis", name = "KattisPackage")]
pub(crate) struct KattisPackage(Package);

#[pymethods]
impl KattisPackage {
    #[new]
    #[pyo3(signature = (files, name="package"))]
    #[pyo3(text_signature = "(files, name='package')")]
    fn new(files: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let py = files.py();
        let files: Files = self::files(files)?;
        let package = py.detach(|| Package::read(files, name));
        Ok(Self(package.map_err(NoResult::from)?))
    }

    /// `kattis.check` as JSON.
    fn _checked(&self) -> String {
        line::checked(&self.0).to_canonical()
    }

    /// `kattis.conclude` as JSON.
    fn _conclude(
        &self,
        py: Python<'_>,
        path: &str,
        source: &Bound<'_, PyAny>,
        outcomes: &str,
        time_limit: f64,
    ) -> PyResult<String> {
        if !(0.001..=3600.0).contains(&time_limit) {
            return Err(refusal(
                "out-of-range",
                "/time_limit",
                "expected a number of seconds from 0.001 to 3600",
                "give the time limit in seconds",
            )
            .into());
        }
        let bytes = output_bytes("/source", source)?;
        let limit = Duration::from_secs_f64(time_limit);
        let concluded = py.detach(|| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let submission =
                self.0.submission(name, vec![(name.to_owned(), File { bytes, executable: None })]);
            let judging = Judging::new(&self.0, &submission, JudgeOptions::new(limit));
            line::conclude(&judging, outcomes.as_bytes(), limit)
        });
        Ok(concluded.map_err(NoResult::from)?.to_json(&self.0).to_canonical())
    }
}

/// `fablegrade.kattis.compare`: the difference, or `None`.
#[pyfunction]
pub(crate) fn kattis_compare(
    py: Python<'_>,
    answer: &Bound<'_, PyAny>,
    output: &Bound<'_, PyAny>,
    flags: Vec<String>,
    version: &str,
) -> PyResult<Option<String>> {
    let Some((_, version)) = Version::WORDS.iter().find(|(word, _)| *word == version) else {
        let help = "use `2025-09`, `legacy` or `legacy-icpc`";
        return Err(refusal("unknown-word", "/version", "there is no version with this name", help).into());
    };
    let comparison = Comparison::from_args(&flags, *version).map_err(|error| {
        let finding = Finding::error("validator-flags", "/flags", error.to_string(), error.help());
        NoResult::from(Error::single(ErrorKind::Spec, finding))
    })?;
    let (answer, output) = (output_bytes("/answer", answer)?, output_bytes("/output", output)?);
    Ok(py.detach(|| comparison.compare(&answer, &output)).err().map(|difference| difference.to_string()))
}
