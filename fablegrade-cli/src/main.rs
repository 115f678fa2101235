//! The `fablegrade` command: grades, delivers, lints and explains questions from a terminal or a pipe.
//!
//! Sub-commands live in `commands/`, one module each. What they share: `lines` (JSON Lines), `documents`, `bank` and
//! `input` (reading), `console` and `report` (writing), `running` (the sandbox), `exit` (exit codes and failures).
#![forbid(unsafe_code)]

#[cfg(feature = "interchange")]
mod atomic_file;
mod bank;
mod commands;
mod console;
mod documents;
mod exit;
mod folder;
mod input;
mod lines;
mod markup;
mod output;
#[cfg(any(feature = "judgehost", feature = "kattis"))]
mod package_files;
mod page;
mod progress;
#[cfg(any(feature = "flowmcp", feature = "formspec", feature = "judgehost", feature = "kattis"))]
mod report;
mod running;
mod validators;

use std::process::ExitCode;

use crate::console::Console;

fn main() -> ExitCode {
    let arguments = commands::parse();
    let mut console = Console::new(arguments.verbosity());
    match arguments.run(&mut console) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            console.fail(&failure);
            failure.exit().into()
        }
    }
}
