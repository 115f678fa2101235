//! The `fablegrade` command: grades, delivers, lints and explains questions from a terminal or a pipe.
//!
//! The library exports a single function, [`run`], so bindings can include the command.
//!
//! Subcommands are in `commands/`, one module each. They share `lines` (JSON Lines), `documents`, `bank` and
//! `input` (reading), `console` and `report` (writing), `running` (the sandbox), and `exit` (exit codes and
//! failures).
#![forbid(unsafe_code)]

mod atomic_file;
#[cfg(feature = "interchange")]
mod atomic_folder;
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
mod same_file;
mod validators;

use std::ffi::OsString;

use crate::console::Console;

/// Runs a command line and returns its exit code. The first argument is the program's name.
///
/// Help, the version and arguments that clap rejects end the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = commands::parse(arguments);
    let mut console = Console::new(arguments.verbosity());
    match arguments.run(&mut console) {
        Ok(exit) => exit as u8,
        Err(failure) => {
            console.fail(&failure);
            failure.exit() as u8
        }
    }
}
