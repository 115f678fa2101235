//! `fablegrade formspec`: evaluates screeners; checks, replays and expires determination records.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use fablegrade_core::Finding;
use fablegrade_core::json::{Document, Json, Read};
use fablegrade_formspec::{
    Answers, Date, DeterminationRecord, Evaluator, Fel, Moment, Options, Screener, Summary, expire, line,
    verify,
};

use crate::console::{BAD, Console, GOOD, NAME, QUIET, plain, stdout_is_terminal, write_findings};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::lines::{LineOptions, serve};
use crate::report::{Report, unreadable};

/// Check Formspec screeners and records; determine, verify and expire records
#[derive(Args)]
pub(crate) struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Check(Check),
    Determine(Determine),
    Verify(Verify),
    Expire(Expire),
}

/// Check screeners and determination records
///
/// JSON Lines: reads `{id, document}` and writes `{id, valid, findings}`; `valid` is the result of schema validation.
#[derive(Args)]
struct Check {
    /// Screeners and records (`-` for standard input)
    documents: Vec<PathBuf>,
    /// Print JSON
    #[arg(long, requires = "documents")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// Evaluate a screener and produce a determination record
///
/// On a terminal the determination is shown in words; elsewhere, and with `--json`, the record is printed.
///
/// JSON Lines: reads `{id, screener, answers?, now, began?, referenceCompatible?}` and writes `{id, record,
/// findings?}`.
#[derive(Args)]
struct Determine {
    /// Screener (`-` for standard input)
    #[arg(requires = "now")]
    screener: Option<PathBuf>,
    /// Answers: `{"path": {"value": .., "state": "answered"}}`
    #[arg(long, value_name = "FILE", requires = "screener")]
    answers: Option<PathBuf>,
    /// Time of the evaluation: an RFC 3339 date-time or a date; the system clock is not used
    #[arg(long, value_name = "TIME", requires = "screener", value_parser = time)]
    now: Option<String>,
    /// Print the record, even on a terminal
    #[arg(long, requires = "screener")]
    json: bool,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    lines: LineOptions,
}

/// Replay a record against its screener and report differences
///
/// JSON Lines: reads `{id, record, screener, began?, referenceCompatible?}` and writes `{id, verified, findings}`.
#[derive(Args)]
struct Verify {
    /// Record (`-` for standard input)
    #[arg(requires = "screener")]
    record: Option<PathBuf>,
    /// Screener that the record names
    #[arg(long, value_name = "FILE", requires = "record")]
    screener: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// Print JSON
    #[arg(long, requires = "record")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// Print a record as of a later time, marked as expired if its validity has ended
///
/// JSON Lines: reads `{id, record, now}` and writes `{id, record}`.
#[derive(Args)]
struct Expire {
    /// Record (`-` for standard input)
    #[arg(requires = "now")]
    record: Option<PathBuf>,
    /// Later time: an RFC 3339 date-time or a date
    #[arg(long, value_name = "TIME", requires = "record", value_parser = time)]
    now: Option<String>,
    #[command(flatten)]
    lines: LineOptions,
}

/// Options for a screener given as a file. In JSON Lines, each line has fields for them.
#[derive(Args)]
struct EvaluationArgs {
    /// Start of the session; decides whether the screener was available
    #[arg(long, value_name = "TIME", requires = "screener", value_parser = time)]
    began: Option<String>,
    /// Follow the reference implementation where it deviates from the specification
    #[arg(long, requires = "screener")]
    reference_compatible: bool,
}

/// Returns an argument if it is a time or a date.
fn time(text: &str) -> Result<String, String> {
    let known = Moment::parse(text).is_some() || Date::parse(text).is_some();
    known
        .then(|| text.to_owned())
        .ok_or_else(|| "expected a time like 2026-03-01T09:30:00Z, or a date".to_owned())
}

impl EvaluationArgs {
    fn options(self) -> Options {
        let mut options = Options::new();
        options.session_began = self.began;
        options.reference_compatible = self.reference_compatible;
        options
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        match self.task {
            Task::Check(task) => task.run(console),
            Task::Determine(task) => task.run(console),
            Task::Verify(task) => task.run(console),
            Task::Expire(task) => task.run(console),
        }
    }
}

/// Reads a document as a `T`.
fn read<T: Read>(path: &Path) -> Result<(String, T), Failure> {
    let input::Source { name, bytes } = input::read(path)?;
    match Document::parse(&bytes).and_then(|document| document.read()) {
        Ok(document) => Ok((name, document)),
        Err(error) => Err(Failure::invalid(name, error)),
    }
}

impl Check {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        if self.lines.reads_lines(!self.documents.is_empty(), "documents")? {
            return serve(&self.lines, |fields| line::checking(fields, Fel));
        }
        input::at_most_one_stdin(self.documents.iter().map(PathBuf::as_path))?;
        let mut report = Report::new(console, "document", self.json);
        for path in &self.documents {
            let input::Source { name, bytes } = input::read(path)?;
            let checked = Document::parse(&bytes).map(|document| line::check_value(document.root(), &Fel));
            report.add(&name, checked.unwrap_or_else(|error| unreadable(&error)))?;
        }
        Ok(report.exit())
    }
}

impl Determine {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(self.screener.is_some(), "a screener and --now")?;
        let (false, Some(path), Some(now)) = (lines, &self.screener, &self.now) else {
            return serve(&self.lines, |fields| line::determination(fields, Fel));
        };
        input::at_most_one_stdin(
            [Some(path), self.answers.as_ref()].into_iter().flatten().map(PathBuf::as_path),
        )?;
        let (name, screener): (_, Screener) = read(path)?;
        let (answers_name, answers) = match &self.answers {
            Some(path) => read(path)?,
            None => (name.clone(), Answers::new()),
        };
        let evaluator = Evaluator::new(&screener, Fel, self.evaluation.options())
            .map_err(|error| Failure::invalid(name, error))?;
        let made =
            evaluator.determine(&answers, now).map_err(|error| Failure::invalid(answers_name, error))?;
        if stdout_is_terminal() && !self.json {
            for line in Summary(&made.record).to_string().lines() {
                writeln!(console.out, "{}", plain(line))?;
            }
            writeln!(console.out, "{QUIET}`--json` prints the record{QUIET:#}")?;
        } else {
            writeln!(console.out, "{}", made.record)?;
        }
        write_findings(&mut console.err, &made.findings)?;
        Ok(Exit::Done)
    }
}

impl Verify {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(self.record.is_some(), "a record and --screener")?;
        let (false, Some(record_path), Some(screener_path)) = (lines, &self.record, &self.screener) else {
            return serve(&self.lines, |fields| line::verification(fields, Fel));
        };
        input::at_most_one_stdin([record_path.as_path(), screener_path])?;
        let (name, record): (_, DeterminationRecord) = read(record_path)?;
        let (_, screener): (_, Screener) = read(screener_path)?;
        let findings = verify(&record, &screener, Fel, self.evaluation.options())
            .map_err(|error| Failure::invalid(name.clone(), error))?;
        let verified = findings.is_empty();
        if self.json {
            let json =
                Json::build().with("verified", verified).with("findings", Finding::list_to_json(&findings));
            writeln!(console.out, "{}", json.build())?;
        } else {
            let (style, word) = if verified { (GOOD, "verified") } else { (BAD, "differs") };
            writeln!(console.out, "{style}{word}{style:#}  {NAME}{}{NAME:#}", plain(&name))?;
            write_findings(&mut console.out, &findings)?;
        }
        Ok(if verified { Exit::Done } else { Exit::Negative })
    }
}

impl Expire {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(self.record.is_some(), "a record and --now")?;
        let (false, Some(path), Some(now)) = (lines, &self.record, &self.now) else {
            return serve(&self.lines, line::expiry);
        };
        let (name, record): (_, DeterminationRecord) = read(path)?;
        let record = expire(&record, now).map_err(|error| Failure::invalid(name, error))?;
        writeln!(console.out, "{record}")?;
        Ok(Exit::Done)
    }
}
