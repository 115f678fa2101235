//! The command `fablegrade`, as the package's console script runs it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line `arguments`, the program's name first; the exit code. Help and usage errors end the process.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| fablegrade_cli::run(arguments))
}
