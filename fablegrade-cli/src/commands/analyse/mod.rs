//! `fablegrade analyse`: item analysis of graded results.

mod page;
mod plot;
mod text;
mod workers;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_analysis::lines::InvalidLines;
use fablegrade_analysis::{Report, items_of};
use fablegrade_core::{AnswerSpec, Error, ErrorKind, Finding};

use crate::atomic_file::AtomicFile;
use crate::bank::{self, Line};
use crate::console::{Console, counted};
use crate::exit::{Exit, Failure};
use crate::folder::is_json;
use crate::input;
use crate::lines::job_count;
use crate::same_file::keep_inputs;
use crate::validators::Validators;

/// Analyse items and tests after an exam
///
/// Reads `{item, sitting, result, submission?, seconds?}`, as `batch --keep` writes it, and prints the statistics of
/// each item and of the test, with findings about items that are probably defective. A line without `result` is an
/// attempt in the format of `batch --bank`, and is graded first. `result` is null for an item that was left blank.
///
/// A sitting is the set of one learner's answers in one test; its lines must be consecutive. Memory use grows with
/// the number of items, and by about 20 to 40 bytes per sitting. If any line is invalid, nothing is written.
///
/// Reports do not name sittings unless `--sittings` is given. They quote options, common wrong answers and keys, so
/// never show them to learners.
#[derive(Args)]
pub(crate) struct Command {
    /// Results as JSON Lines (`-` for standard input)
    results: PathBuf,
    /// Item bank with the questions: JSON Lines of {item, spec}, or a folder with one spec per file
    #[arg(long, value_name = "FILE|DIR")]
    bank: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the items as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write the report to this file as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// List the sittings by name, with their scores, on the HTML page; only for teachers who may see them
    #[arg(long, requires = "html")]
    sittings: bool,
    /// Write an item bank with the first fix that the findings of each item propose, for `regrade --new`
    #[arg(long, value_name = "FILE")]
    fixes: Option<PathBuf>,
    /// Use N threads [default: one per core]
    #[arg(long, alias = "parallel", value_name = "N", value_parser = job_count())]
    jobs: Option<u16>,
    #[command(flatten)]
    validators: Validators,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let inputs = [self.results.as_path(), self.bank.as_path()];
        input::at_most_one_stdin(inputs)?;
        keep_inputs(self.html.as_deref().into_iter().chain(self.fixes.as_deref()), inputs, is_json)?;
        self.validators.register()?;
        let (bank, lines) = if self.fixes.is_some() {
            bank::load_with_lines(&self.bank)?
        } else {
            (bank::load(&self.bank)?, Vec::new())
        };
        let input::Stream { reader, name, .. } = input::open(&self.results)?;
        let jobs = self
            .jobs
            .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let added = workers::accumulate(reader, &name, &bank, jobs, self.sittings)?
            .map_err(|invalid| failure(&name, invalid))?;
        let report = added.accumulator.finish(&items_of(&bank));
        if let Some(path) = &self.html {
            let mut file = AtomicFile::create(path)?;
            file.put(&page::page(&report, &added.named))?;
            file.finish()?;
        }
        if let Some(path) = &self.fixes {
            let mut file = AtomicFile::create(path)?;
            write_fixes(&lines, &report, &mut file)?;
            file.finish()?;
            let invalid = bank.invalid().len();
            if invalid > 0 {
                let items = counted(invalid as u64, "item");
                console.note(&format!(
                    "--fixes: {items} with an invalid spec copied unchanged; see `fablegrade lint`"
                ));
            }
        }
        if self.json {
            console.out.write_all(report.to_json().as_bytes())?;
        } else if self.csv {
            console.out.write_all(report.to_csv().as_bytes())?;
        } else {
            text::write(&mut console.out, &report)?;
        }
        Ok(Exit::Done)
    }
}

/// Returns the failure for lines that are not results.
fn failure(name: &str, invalid: InvalidLines) -> Failure {
    let shown = invalid.first.len() as u64;
    let mut documents: Vec<(String, Error)> =
        invalid.first.into_iter().map(|(line, error)| (format!("{name}:{line}"), error)).collect();
    if invalid.count > shown {
        let message = match invalid.count - shown {
            1 => "1 more line is not a result".to_owned(),
            more => format!("{more} more lines are not results"),
        };
        let finding = Finding::error("more-lines", "", message, "correct the first ones and try again");
        documents.push((name.to_owned(), Error::single(ErrorKind::Schema, finding)));
    }
    Failure::Invalid(documents)
}

/// Writes the bank with the first fix of each item. Everything else is unchanged: the order, the author's
/// other fields, and the items without a fix, even those with an invalid spec.
fn write_fixes(lines: &[Line], report: &Report, file: &mut AtomicFile) -> Result<(), Failure> {
    let mut fixes: HashMap<&str, &AnswerSpec> = HashMap::new();
    for finding in &report.findings {
        if let Some(fixed) = &finding.fixed {
            fixes.entry(&finding.item).or_insert(fixed);
        }
    }
    for line in lines {
        match fixes.get(line.item.as_str()) {
            Some(spec) => file.put(&line.with_spec(&spec.to_json_with_key()))?,
            None => file.put(line.text())?,
        }
        file.put("\n")?;
    }
    Ok(())
}
