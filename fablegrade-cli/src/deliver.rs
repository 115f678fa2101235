//! `fablegrade deliver`: what the learner may see.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_core::AnswerSpec;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;

/// Print the question as the learner may see it: without its key, shuffled
#[derive(Args)]
pub(crate) struct Command {
    /// The question with its key (`-` is standard input)
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// Decides the order of items: the same seed gives the same view, so take it from the attempt or the learner
    #[arg(long)]
    seed: String,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let source = input::read(&self.spec)?;
        let spec = AnswerSpec::from_json(&source.bytes).map_err(|error| Failure::refused(source.name, error))?;
        writeln!(console.out, "{}", fablegrade_core::deliver(&spec, &self.seed).to_json())?;
        Ok(Exit::Done)
    }
}
