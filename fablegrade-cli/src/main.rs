//! The `fablegrade` command: grades, delivers, lints and explains questions from a terminal or a pipe.
//!
//! One module per sub-command. A sub-command is a `clap` argument struct named `Command` with a method
//! `run(self, &mut Console) -> Result<Exit, Failure>`; it is entered in the list below and nowhere else.
#![forbid(unsafe_code)]

mod console;
mod documents;
mod exit;
mod input;
mod lines;
mod output;
mod progress;
mod soundness;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::console::Console;
use crate::exit::{EXIT_CODES, Exit, Failure};

macro_rules! commands {
    ($($variant:ident in $module:ident;)*) => {
        $(mod $module;)*

        #[derive(Subcommand)]
        enum Task {
            $($variant($module::Command),)*
        }

        impl Task {
            fn run(self, console: &mut Console) -> Result<Exit, Failure> {
                match self { $(Self::$variant(command) => command.run(console),)* }
            }
        }
    };
}

// In the order of `--help`. The first line of the doc comment of `Command` is the summary there.
commands! {
    Grade in grade;
    Run in run;
    Batch in batch;
    Deliver in deliver;
    Lint in lint;
    Explain in explain;
    Match in matching;
    Equiv in equiv;
    Check in check;
    Schema in schema;
    Flowmcp in flowmcp;
    Formspec in formspec;
    Terry in terry;
    Judgehost in judgehost;
    Doctor in doctor;
    Completions in completions;
    Man in man;
}

/// Grade answers: correct, partial, incorrect -- fairly, at once, and the same everywhere.
#[derive(Parser)]
#[command(name = "fablegrade", version, after_help = EXIT_CODES, subcommand_required = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// The whole command line, for completions and the manual.
fn command_line() -> clap::Command {
    Arguments::command()
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut console = Console::new();
    match arguments.task.run(&mut console) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            console.fail(&failure);
            failure.exit().into()
        }
    }
}
