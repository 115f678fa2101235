//! `fablegrade regrade`: grades attempts against two item banks and reports what changed, and why.

mod page;
mod summary;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use fablegrade_core::bank::Bank;
use fablegrade_core::json::{Json, Limits, Tape};
use fablegrade_core::request::{Regraded, Request};
use fablegrade_core::{AttemptResult, Decimal, Findings, Step};

use self::summary::Summary;
use crate::atomic_file::AtomicFile;
use crate::bank;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::folder::is_json;
use crate::input;
use crate::lines::{
    Answer, Blocks, LineOptions, Sink, Tally, identify, open, run, write_answer, write_error,
    write_error_fields,
};
use crate::output::OutputFile;
use crate::same_file::keep_inputs;
use crate::validators::Validators;

/// Grade attempts against two item banks and compare the results
///
/// Reads `{id, item, submission | attempt, outcomes?, context?}` and writes
/// `{id, item, before, after, changed, why?}` in the order of the lines; `before` and `after` are
/// `{verdict, score?}`, and `why` is the first step in which their explanations differ. For a line that cannot be
/// graded, it writes `{id, error, line}`. Steps can quote the key, so never show the output to learners.
///
/// After all lines are read, the exit code is 1 if a result changed, 4 if none changed but a line could not be graded,
/// and 0 otherwise.
#[derive(Args)]
pub(crate) struct Command {
    /// Attempts as JSON Lines (`-` for standard input)
    attempts: Option<PathBuf>,
    /// Item bank used so far: JSON Lines of {item, spec}, or a folder with one spec per file
    #[arg(long, value_name = "FILE|DIR")]
    old: PathBuf,
    /// Item bank to compare with
    #[arg(long, value_name = "FILE|DIR")]
    new: PathBuf,
    /// Write only changed results and errors
    #[arg(long)]
    changed: bool,
    /// Write the results to this new file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the summary per item to this file: .json or .html
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    lines: LineOptions,
    #[command(flatten)]
    validators: Validators,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let from_stdin =
            self.lines.reads_lines(self.attempts.is_some(), "a file (`-` for standard input)")?;
        let form = self.report.as_ref().map(|path| (path, path.extension().and_then(|kind| kind.to_str())));
        if let Some((path, kind)) = form
            && !matches!(kind, Some("json" | "html"))
        {
            return Err(Failure::Usage(format!(
                "`--report {}`: name a file that ends in .json or .html",
                path.display()
            )));
        }
        let stdin = PathBuf::from("-");
        let path = self.attempts.as_ref().filter(|_| !from_stdin).unwrap_or(&stdin);
        let inputs = [path.as_path(), self.old.as_path(), self.new.as_path()];
        input::at_most_one_stdin(inputs)?;
        keep_inputs(self.output.as_deref().into_iter().chain(self.report.as_deref()), inputs, is_json)?;
        self.validators.register()?;
        let banks = Arc::new((bank::load(&self.old)?, bank::load(&self.new)?));
        let input::Stream { reader, name, .. } = input::open(path)?;
        let report = self.report.as_deref().map(AtomicFile::create).transpose()?;
        let create = |path: &PathBuf| OutputFile::create(path, false, "name another file, or remove it");
        let file = self.output.as_ref().map(create).transpose()?;
        let total: Arc<Mutex<Summary>> = Arc::default();
        let (sum, changed) = (Arc::clone(&total), self.changed);
        let make = Arc::new(move || Regrading {
            tape: Tape::default(),
            banks: Arc::clone(&banks),
            only_changed: changed,
            summary: Summary::default(),
            total: Arc::clone(&sum),
        });
        let output: Box<dyn Write + Send> = match &file {
            Some(file) => Box::new(file.writer()?),
            None => Box::new(io::stdout()),
        };
        let sink = Sink { output, unbuffered: self.lines.unbuffered, watch: Box::new(|_, _| {}) };
        let outcome = run(Blocks::new(reader), sink, self.lines.jobs(), make);
        let tally = outcome.map_err(|stopped| OutputFile::stopped(file.as_ref(), stopped, &name))?;
        if let Some(file) = &file {
            file.finish()?;
        }
        let summary = std::mem::take(&mut *total.lock().unwrap_or_else(PoisonError::into_inner));
        if !console.is_quiet() {
            summary.write_text(&mut console.err, tally.refused)?;
        }
        if let (Some(mut file), Some((_, kind))) = (report, form) {
            let text = match kind {
                Some("html") => page::page(&summary, tally.refused),
                _ => summary.to_json(tally.refused).to_canonical() + "\n",
            };
            file.put(&text)?;
            file.finish()?;
        }
        Ok(match (summary.changed(), tally.refused) {
            (0, 0) => Exit::Done,
            (0, _) => Exit::Undecided,
            _ => Exit::Negative,
        })
    }
}

/// Grades the lines of one thread with both banks.
struct Regrading {
    tape: Tape,
    banks: Arc<(Bank, Bank)>,
    only_changed: bool,
    summary: Summary,
    total: Arc<Mutex<Summary>>,
}

impl Drop for Regrading {
    fn drop(&mut self) {
        // The summary has only counts, so the order in which threads end does not matter.
        self.total.lock().unwrap_or_else(PoisonError::into_inner).merge(std::mem::take(&mut self.summary));
    }
}

impl Answer for Regrading {
    fn answer(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        let (banks, summary, only_changed) = (&self.banks, &mut self.summary, self.only_changed);
        let read = self.tape.with(line, Limits::default(), |value| {
            let mut findings = Findings::new();
            let request = Request::split_item(value, &mut findings);
            let id = request.id.map(|id| id.text());
            match request.regrade(&banks.0, &banks.1, findings) {
                Ok(regraded) => {
                    summary.add(&regraded);
                    if regraded.is_changed() || !only_changed {
                        write_answer(id, &fields(&regraded), out);
                    }
                }
                Err(error) => {
                    tally.refused += 1;
                    open(id, out);
                    write_error_fields(number, &error, out);
                }
            }
        });
        if let Err(error) = read {
            tally.refused += 1;
            write_error(identify(line), number, &error, out);
        }
    }
}

/// Returns the fields of an answer, for authors.
fn fields(regraded: &Regraded) -> Json {
    let result = |result: &AttemptResult| {
        let score = result.score.and_then(Decimal::from_f64).map(Json::from);
        Json::build().with("verdict", result.verdict.as_str()).with_some("score", score).build()
    };
    let Regraded { item, before, after } = regraded;
    let step = |step: Option<&Step>| step.map_or(Json::Null, Step::to_json_for_author);
    let difference = before.1.first_difference(&after.1).filter(|_| regraded.is_changed());
    let why = difference.map(|(at, before, after)| {
        Json::build().with("step", at).with("before", step(before)).with("after", step(after)).build()
    });
    Json::build()
        .with("item", item)
        .with("before", result(&before.0))
        .with("after", result(&after.0))
        .with("changed", regraded.is_changed())
        .with_some("why", why)
        .build()
}
