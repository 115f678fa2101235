//! `fablegrade explain`: shows an author the steps behind a score.

use std::io::Write as _;

use clap::Args;

use crate::commands::grade::write_result;
use crate::console::{Console, plain};
use crate::documents::Documents;
use crate::exit::{Exit, Failure};

/// Explain a score to the author
///
/// The explanation can quote the key, so never show it to learners.
#[derive(Args)]
#[command(
    override_usage = "fablegrade explain [OPTIONS] <FILE>\n       fablegrade explain [OPTIONS] --spec <FILE> (--submission <FILE> | --attempt <FILE>)"
)]
pub(crate) struct Command {
    #[command(flatten)]
    documents: Documents,
    /// Print the explanation as canonical JSON
    #[arg(long)]
    json: bool,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let (result, explanation) = self.documents.with(|answer, grader| answer.explain(grader))?;
        if self.json {
            writeln!(console.out, "{}", explanation.to_json_for_author())?;
            return Ok(Exit::Done);
        }
        write_result(&mut console.out, &result)?;
        writeln!(console.out)?;
        for line in explanation.to_string().lines() {
            writeln!(console.out, "{}", plain(line))?;
        }
        Ok(Exit::Done)
    }
}
