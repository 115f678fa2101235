//! `fablegrade deliver`: prints the delivery view of a question.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_core::AnswerSpec;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;

/// Print a question without its key, shuffled
///
/// The view can be sent to the learner: it contains nothing secret. The seed is required: it decides the order of
/// choices and items, and the same seed always gives the same view.
#[derive(Args)]
#[command(override_usage = "fablegrade deliver [OPTIONS] --seed <SEED> <SPEC>")]
pub(crate) struct Command {
    /// Question with its key (`-` for standard input)
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    /// Seed for shuffling (required): the attempt's id for one order per attempt, the learner's id for one order per
    /// learner, or a fixed word for the same order for everyone
    #[arg(long)]
    seed: Option<String>,
}

/// The seed decides what a learner sees, so there is no default.
const NO_SEED: &str = "\
no seed: give --seed SEED

The seed determines the order of choices and items. The same seed always gives the same view.
  --seed ATTEMPT_ID   a different order for each attempt (recommended)
  --seed LEARNER_ID   a different order for each learner, the same each time the learner returns
  --seed fixed        the same order for everyone";

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let Some(seed) = &self.seed else { return Err(Failure::Usage(NO_SEED.into())) };
        let source = input::read(&self.spec)?;
        let spec =
            AnswerSpec::from_json(&source.bytes).map_err(|error| Failure::invalid(source.name, error))?;
        writeln!(console.out, "{}", fablegrade_core::deliver(&spec, seed).to_json())?;
        Ok(Exit::Done)
    }
}
