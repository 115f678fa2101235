//! `fablegrade completions`: prints shell completion scripts.

use std::io::Write as _;

use clap::Args;
use clap_complete::Shell;

use crate::console::Console;
use crate::exit::{Exit, Failure};

/// Print a shell completion script
#[derive(Args)]
pub(crate) struct Command {
    /// Shell
    shell: Shell,
}

impl Command {
    pub(crate) fn run(self, _console: &mut Console) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::commands::command_line(), "fablegrade", &mut script);
        std::io::stdout().write_all(&script)?;
        Ok(Exit::Done)
    }
}
