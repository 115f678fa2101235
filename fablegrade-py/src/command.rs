//! The command `fablegrade`, as the package's console script runs it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line `arguments`, which start with the program's name, and returns the exit code. Help and usage
/// errors end the process.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| fablegrade_cli::run(arguments))
}
