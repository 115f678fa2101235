//! The program `fablegrade`. All of its code is in the library, which the Python package runs as well.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    fablegrade_cli::run(std::env::args_os()).into()
}
