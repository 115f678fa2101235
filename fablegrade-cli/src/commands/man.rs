//! `fablegrade man`: prints or writes manual pages.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::console::Console;
use crate::exit::{Exit, Failure};

/// Print the manual page
#[derive(Args)]
pub(crate) struct Command {
    /// Write one page per subcommand to this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Command {
    pub(crate) fn run(self, _console: &mut Console) -> Result<Exit, Failure> {
        let command = crate::commands::command_line();
        if let Some(dir) = self.dir {
            let failed =
                |error| Failure::Io(format!("cannot write the manual pages to {}", dir.display()), error);
            std::fs::create_dir_all(&dir).map_err(failed)?;
            clap_mangen::generate_to(command, &dir).map_err(failed)?;
            return Ok(Exit::Done);
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        std::io::stdout().write_all(&page)?;
        Ok(Exit::Done)
    }
}
