//! The native half of the Python package `fablegrade`. It converts documents and results and has no grading
//! logic. Classes that need not be fast are written in Python, in `python/fablegrade/`.

mod analysis;
mod arrow;
mod bank;
mod batches;
#[cfg(feature = "command")]
mod command;
mod documents;
mod equivalence;
mod errors;
mod grader;
mod interchange;
mod interrupts;
mod judgehost;
mod kattis;
mod parallel;
mod result;
mod runner;
mod systems;
mod terry;
mod text_columns;
mod validators;
mod verify;

use pyo3::prelude::*;

/// Native functions and classes; import them from `fablegrade`.
#[pymodule(gil_used = false)]
mod _fablegrade {
    #[pymodule_export]
    use crate::analysis::Accumulator;
    #[pymodule_export]
    use crate::arrow::GradedBatches;
    #[pymodule_export]
    use crate::bank::Bank;
    #[pymodule_export]
    use crate::batches::{TableGrader, grade_batches, written_schema};
    #[cfg(feature = "command")]
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::documents::document_text;
    #[pymodule_export]
    use crate::equivalence::{Reference, equivalent, equivalent_many};
    #[pymodule_export]
    use crate::grader::{Grader, check_attempt, compare_outputs, deliver, explain, grade, grade_many, lint};
    #[pymodule_export]
    use crate::interchange::{
        InterchangeIds, InterchangeResponses, interchange_formats, interchange_read, interchange_write,
    };
    #[pymodule_export]
    use crate::judgehost::{Package, judgehost, judgehost_attempt_result, judgehost_content_id};
    #[pymodule_export]
    use crate::kattis::{KattisPackage, kattis_compare};
    #[pymodule_export]
    use crate::result::AttemptResult;
    #[pymodule_export]
    use crate::runner::Runner;
    #[pymodule_export]
    use crate::systems::{flowmcp, formspec};
    #[pymodule_export]
    use crate::terry::{
        terry_attempt_id, terry_attempt_result, terry_bad_outputs, terry_check_contest, terry_check_folder,
        terry_check_task, terry_conclude, terry_plan,
    };
    #[pymodule_export]
    use crate::validators::{register_foreign, validator_names};

    #[pymodule_export]
    use crate::verify::{verify_batches, verify_extract, verify_many};

    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("GRADING_SEMANTICS_VERSION", fablegrade_core::GRADING_SEMANTICS_VERSION)?;
        let features = [
            (cfg!(feature = "command"), "command"),
            (cfg!(all(feature = "runner", target_os = "linux")), "runner"),
        ];
        let built: Vec<&str> = features.into_iter().filter_map(|(is, name)| is.then_some(name)).collect();
        module.add("BUILD_FEATURES", PyTuple::new(module.py(), built)?)?;
        module.add("HAS_RUNNER", cfg!(all(feature = "runner", target_os = "linux")))
    }
}
