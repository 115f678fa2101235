//! Runs code submissions in the runner's sandbox.

#[cfg(all(feature = "runner", target_os = "linux"))]
pub(crate) use here::Runner;
#[cfg(not(all(feature = "runner", target_os = "linux")))]
pub(crate) use nowhere::Runner;

#[cfg(all(feature = "runner", target_os = "linux"))]
mod here {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use fablegrade_core::Error;
    use fablegrade_runner::{Cancel, Runner as Sandboxed, RunnerOptions};
    use pyo3::prelude::*;
    use pyo3::sync::PyOnceLock;
    use pyo3::types::PyType;

    use crate::documents::Text;
    use crate::errors::NoResult;
    use crate::grader::{Grader, Texts};
    use crate::interrupts::interruptible;
    use crate::result::AttemptResult;

    /// Runs the programs of code questions in a sandbox that fails closed.
    ///
    /// Make it once: it tests its sandbox and finds the toolchains. `parallel` limits how many cases run at once;
    /// `stop_suite` skips the rest of a suite after a case that did not exit with code 0; `languages` replaces rows
    /// of the language table (a dict or JSON). `bubblewrap` is the path of bubblewrap if it is not found automatically,
    /// `cache` a folder for compiled programs; as root, all users must be able to enter its parents. `memory_mb` (at
    /// least 4) and `output_kb` (at least 1) replace the questions' limits. `unsandboxed=True` lets programs do
    /// whatever you can do.
    #[pyclass(frozen, module = "fablegrade", name = "Runner")]
    pub(crate) struct Runner(Sandboxed);

    #[pymethods]
    impl Runner {
        #[new]
        #[pyo3(signature = (
            *, parallel=None, stop_suite=false, languages=None, bubblewrap=None, cache=None, unsandboxed=false,
            memory_mb=None, output_kb=None
        ))]
        #[allow(clippy::too_many_arguments, reason = "each is an argument of Python with its name")]
        fn new(
            py: Python<'_>,
            parallel: Option<usize>,
            stop_suite: bool,
            languages: Option<&Bound<'_, PyAny>>,
            bubblewrap: Option<PathBuf>,
            cache: Option<PathBuf>,
            unsandboxed: bool,
            memory_mb: Option<u32>,
            output_kb: Option<u32>,
        ) -> PyResult<Self> {
            let mut options = RunnerOptions::default();
            options.sandbox.unsandboxed = unsandboxed;
            options.sandbox.bubblewrap = bubblewrap;
            options.cache = cache;
            options.parallel = parallel;
            options.stop_suite = stop_suite;
            for (name, given, least) in [("memory_mb", memory_mb, 4), ("output_kb", output_kb, 1)] {
                if let Some(given) = given.filter(|given| *given < least) {
                    let message = format!("{name} is {given}; give at least {least}, or leave it out");
                    return Err(pyo3::exceptions::PyValueError::new_err(message));
                }
            }
            (options.memory_mb, options.output_kb) = (memory_mb, output_kb);
            if let Some(languages) = Text::given("languages", languages)? {
                let text = String::from_utf8_lossy(languages.bytes()).into_owned();
                options
                    .languages
                    .replace_from_json(&text)
                    .map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
            }
            Ok(Self(py.detach(|| Sandboxed::with_options(&options))))
        }

        /// The reason why no program can be run on this host; `None` if programs can be run.
        #[getter]
        fn trouble(&self) -> Option<&str> {
            self.0.trouble()
        }

        /// The isolation of programs, such as `bubblewrap 0.8.0, ...`.
        #[getter]
        fn isolation(&self) -> String {
            self.0.isolation()
        }

        /// Runs the programs of an answer and grades it by their outcomes; other answers are graded as by
        /// `Grader.grade`. The interpreter's lock is released. `progress(done, total)` counts finished test cases.
        ///
        /// Raises `SandboxError`, which has the result, if programs could not be run safely.
        #[pyo3(signature = (grader, submission=None, *, attempt=None, context=None, progress=None))]
        fn grade<'py>(
            &self,
            py: Python<'py>,
            grader: &Bound<'py, Grader>,
            submission: Option<&Bound<'py, PyAny>>,
            attempt: Option<&Bound<'py, PyAny>>,
            context: Option<&Bound<'py, PyAny>>,
            progress: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<AttemptResult> {
            let texts = Texts::of(submission, attempt, None, context)?;
            let documents = texts.documents();
            let (engine, runner) = (&grader.get().engine, &self.0);
            let cancel = Cancel::new();
            // The number of cases that have ended, and the number of all cases.
            let (ended, all) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let mut told = 0;
            let graded: Result<_, Error> = interruptible(
                py,
                || {
                    let now = ended.load(Ordering::Acquire);
                    let Some(progress) = progress.filter(|_| told != now) else { return Ok(()) };
                    told = now;
                    progress.call1((now, all.load(Ordering::Acquire))).map(drop)
                },
                || cancel.cancel(),
                || {
                    let answer = documents.read()?;
                    if let Some(plan) = engine.plan(answer.given.submission()) {
                        all.store(plan.cases.len(), Ordering::Release);
                    }
                    runner.grade_until(engine, &answer.given, &answer.context, &cancel, |_| {
                        ended.fetch_add(1, Ordering::AcqRel);
                    })
                },
            )?;
            let graded = graded.map_err(NoResult::from)?;
            let (result, trouble) = (graded.marked.into_result(), graded.trouble);
            match trouble {
                None => Ok(result.into()),
                Some(cause) => {
                    static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                    let class = ERROR.import(py, "fablegrade.errors", "SandboxError")?;
                    Err(PyErr::from_value(class.call1((cause, AttemptResult::from(result)))?))
                }
            }
        }
    }
}

#[cfg(not(all(feature = "runner", target_os = "linux")))]
mod nowhere {
    use pyo3::exceptions::PyNotImplementedError;
    use pyo3::prelude::*;
    use pyo3::types::{PyDict, PyTuple};

    /// This build of the package cannot run programs; pass their outcomes to `Grader.grade`.
    #[pyclass(frozen, module = "fablegrade", name = "Runner")]
    pub(crate) struct Runner;

    #[pymethods]
    impl Runner {
        #[new]
        #[pyo3(signature = (*_arguments, **_options))]
        fn new(_arguments: &Bound<'_, PyTuple>, _options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
            Err(PyNotImplementedError::new_err(
                "this build cannot run programs; run them elsewhere and give their outcomes to `Grader.grade`",
            ))
        }
    }
}
