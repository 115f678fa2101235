//! `fablegrade import`: imports questions from other formats.

mod bank_file;
mod page;
mod stored;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal as _, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Severity};
use fablegrade_files::{FileLimits, Lookup, is_archive, is_zip};
use fablegrade_interchange::ids::UniqueIds;
use fablegrade_interchange::report::Summary;
use fablegrade_interchange::{Format, Place, Question, ReadError, Source, read_archive, read_zip};

use crate::atomic_file::AtomicFile;
use crate::console::{
    BAD, Console, GOOD, MIXED, NAME, QUIET, counted, losses_that_change_scores, plain, write_findings,
};
use crate::exit::{Exit, Failure};
use crate::folder::files_below;
use crate::input;
use crate::lines::Tally;
use crate::progress::Progress;
use crate::same_file::keep_inputs;
use bank_file::{BankFile, Resumed, unit_name, unit_path, with_unit};
use stored::{Stored, is_report};

/// Import questions from other formats: QTI, Moodle XML, GIFT, Aiken, Perseus, Open edX, PrairieLearn, CSV
///
/// Reads files, folders and archives (`.zip`, `.tar.gz`), and recognises the format of each file. Prints a table of
/// counts, unless it prints JSON Lines (`--jsonl`, or the results of `--responses`). `--report`, `--jsonl` and
/// `--verbose` list everything that a question loses, with its location. The exit code is 1 if a file, a question or a
/// stored response is invalid or, with `--strict`, if a loss changes scores; 2 if neither a question nor an item
/// without one (such as a text between questions) is found; 3 if a file cannot be read or written; and 0 otherwise, even if `--lint` finds errors.
#[derive(Args)]
pub(crate) struct Command {
    /// Files, folders or archives
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Format of the named files; in folders and archives, read only files of this format
    #[arg(long, value_name = "FORMAT", value_parser = format_name)]
    from: Option<Format>,
    /// Write an item bank: JSON Lines of `{item, spec, ...}`, one line per part of a question; an existing bank needs
    /// --resume or --overwrite
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// Continue a bank: skip files that are already in it (not with --responses)
    // Stored responses to questions of skipped files would have no question.
    #[arg(long, requires = "bank", conflicts_with_all = ["overwrite", "responses"])]
    resume: bool,
    /// Replace the bank
    #[arg(long, requires = "bank")]
    overwrite: bool,
    /// Print one JSON object per question, and one per file or question that cannot be read
    #[arg(long, conflicts_with = "responses")]
    jsonl: bool,
    /// Write a report: `.html` for people, `.json` for programs
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Fail on a loss that changes scores
    #[arg(long)]
    strict: bool,
    /// Convert learners' stored responses to submissions and grade them: QTI result reports, the responses report of a
    /// Moodle quiz, the student analysis of a Canvas quiz (CSV), or JSON Lines of `{item, question?, responses: {ID:
    /// VALUE}}`
    #[arg(long, value_name = "FILE|DIR")]
    responses: Option<PathBuf>,
    /// Write the submissions as attempts that `batch --bank` and `regrade` read, instead of grading them
    #[arg(long, value_name = "FILE", requires = "responses")]
    attempts: Option<PathBuf>,
    /// Run lint on every question and print its findings
    #[arg(long)]
    lint: bool,
}

fn format_name(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
        format!("not a format; one of: {}", names.join(", "))
    })
}

/// The outputs of an import.
struct Sinks<'c> {
    console: &'c mut Console,
    bank: Option<BankFile>,
    html: Option<AtomicFile>,
    json_report: Option<JsonReport>,
    jsonl: bool,
    /// Whether standard output is for programs: no table there, and findings as text on standard error.
    quiet_output: bool,
    lint: bool,
    lint_errors: u64,
    ids: UniqueIds,
    /// The file or archive that is read, as [`unit_name`] names it.
    unit: String,
    summary: Summary,
    stored: Option<Stored>,
    progress: Option<Progress>,
    tally: Tally,
    /// The total size of the files opened so far, in bytes.
    bytes: u64,
    failure: Option<Failure>,
}

/// A JSON report that is written question by question: an object of `questions` and `summary`.
struct JsonReport {
    file: AtomicFile,
    empty: bool,
}

impl JsonReport {
    /// Writes a question or an error.
    fn put(&mut self, line: &Json) -> Result<(), Failure> {
        let before = if std::mem::take(&mut self.empty) { "{\"questions\":[" } else { "," };
        self.file.put(&(before.to_owned() + &line.to_canonical()))
    }

    fn finish(mut self, summary: &Summary) -> Result<(), Failure> {
        let before = if self.empty { "{\"questions\":[" } else { "" };
        self.file.put(&format!("{before}],\"summary\":{}}}\n", summary.to_json().to_canonical()))?;
        self.file.finish()
    }
}

impl Sinks<'_> {
    fn take(&mut self, found: Result<Question, ReadError>) {
        if self.failure.is_none() {
            let outcome = match found {
                Ok(question) => self.question(question),
                Err(error) => self.error(&error),
            };
            self.failure = outcome.err();
            self.tally.lines += 1;
            if let Some(progress) = &mut self.progress {
                progress.tell(&self.tally, self.bytes);
            }
        }
    }

    fn question(&mut self, mut question: Question) -> Result<(), Failure> {
        self.summary.add(&question);
        let original = question.item.id.clone();
        question.item.id = self.ids.enter(&original);
        if let Some(bank) = &mut self.bank {
            for line in question.bank_lines() {
                bank.put(&with_unit(line, &self.unit).to_canonical())?;
            }
        }
        if let Some(html) = &mut self.html {
            html.put(&page::question(&question))?;
        }
        let findings = if self.lint { question.lint() } else { Vec::new() };
        if self.jsonl || self.json_report.is_some() {
            let mut line = question.to_json();
            if let Json::Object(fields) = &mut line
                && self.lint
            {
                fields.push(("lint".into(), Finding::list_to_json(&findings)));
                line = Json::object(std::mem::take(fields));
            }
            if self.jsonl {
                writeln!(self.console.out, "{}", line.to_canonical())?;
            }
            if let Some(report) = &mut self.json_report {
                report.put(&without_specs(line))?;
            }
        }
        if !self.jsonl && !findings.is_empty() {
            let name = format!("{}: {}", question.file, question.item.id);
            let out: &mut dyn io::Write =
                if self.quiet_output { &mut self.console.err } else { &mut self.console.out };
            writeln!(out, "{NAME}{}{NAME:#}", plain(&name))?;
            write_findings(out, &findings)?;
        }
        self.lint_errors += findings.iter().filter(|one| one.severity == Severity::Error).count() as u64;
        if let Some(stored) = &mut self.stored {
            stored.question(&original, &question, self.console)?;
        }
        if self.console.is_verbose() {
            for loss in &question.losses {
                let text = format!("{} {}: {} [{}]", question.file, loss.place, loss.message, loss.rule);
                self.console.detail(&text);
            }
        }
        Ok(())
    }

    fn error(&mut self, error: &ReadError) -> Result<(), Failure> {
        self.summary.unreadable += 1;
        self.tally.refused += 1;
        let err = &mut self.console.err;
        let mut tell = || writeln!(err, "{BAD}error{BAD:#}: {}", plain(&error.to_string()));
        let _ = match &self.progress {
            Some(progress) => progress.aside(tell),
            None => tell(),
        };
        if let Some(html) = &mut self.html {
            html.put(&page::unreadable(error))?;
        }
        let line = Json::build().with("error", error.to_json()).build();
        if self.jsonl {
            writeln!(self.console.out, "{}", line.to_canonical())?;
        }
        if let Some(report) = &mut self.json_report {
            report.put(&line)?;
        }
        Ok(())
    }
}

/// Returns a question as reports show it: with its losses, but without keys.
fn without_specs(line: Json) -> Json {
    match line {
        Json::Object(fields) => Json::Object(
            fields.into_iter().filter(|(name, _)| !matches!(&**name, "spec" | "parts")).collect(),
        ),
        other => other,
    }
}

/// Returns the limits of an archive. Banks are large, so it can have more entries than a package for grading.
fn limits() -> FileLimits {
    let mut limits = FileLimits::default();
    limits.entries = 200_000;
    limits.file_bytes = LONGEST;
    limits
}

/// The maximum size, in bytes, of a file in an archive, or of a file in a folder if another file refers to it.
const LONGEST: u64 = 64 << 20;

/// The maximum unpacked size of a `.zip`, in bytes. It is not unpacked all at once, so its limit is higher
/// than that of other archives.
const ZIP_BYTES: u64 = 8 << 30;

enum Opened {
    Zip(File),
    Other(Vec<u8>),
}

fn open(path: &Path) -> Result<Opened, Failure> {
    let failed = |error| Failure::Io(format!("cannot read {}", path.display()), error);
    let mut file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    (&mut file).take(4).read_to_end(&mut start).map_err(failed)?;
    // All other input is read into memory, including input that cannot be rewound, such as a pipe.
    if is_zip(&start) && file.rewind().is_ok() {
        return Ok(Opened::Zip(file));
    }
    file.take(limits().archive_bytes).read_to_end(&mut start).map_err(failed)?;
    Ok(Opened::Other(start))
}

/// Returns whether an existing file below a folder is imported.
fn has_questions(path: &Path, from: Option<Format>) -> bool {
    match open(path) {
        Ok(Opened::Zip(_)) => true,
        Ok(Opened::Other(bytes)) => {
            let detected = fablegrade_interchange::detect(&Source::new(&path.to_string_lossy(), &bytes));
            is_archive(&bytes) || detected.is_some_and(|format| from.is_none_or(|from| from == format))
        }
        Err(_) => false,
    }
}

/// Adds the name of an archive to the file of a question or error found in it.
fn inside(name: &str, found: Result<Question, ReadError>) -> Result<Question, ReadError> {
    match found {
        Ok(mut question) => {
            question.file = format!("{name}!{}", question.file);
            Ok(question)
        }
        Err(mut error) => {
            error.file = format!("{name}!{}", error.file);
            Err(error)
        }
    }
}

/// The files below a folder, by their names relative to it. Each is read when a question refers to it.
///
/// Different names that are not Unicode can have the same text here, so some files can be missing.
#[derive(Debug)]
struct Folder<'f> {
    files: BTreeMap<&'f str, &'f Path>,
}

impl Lookup for Folder<'_> {
    fn bytes(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let bytes = input::read_up_to(self.files.get(path)?, LONGEST).ok()?;
        (bytes.len() as u64 <= LONGEST).then_some(Cow::Owned(bytes))
    }

    fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        // All paths are checked before any output is started.
        for path in &self.paths {
            let failed = |error| Failure::Io(format!("cannot read {}", path.display()), error);
            fs::metadata(path).map_err(failed)?;
        }
        let outputs =
            [&self.bank, &self.report, &self.attempts].into_iter().filter_map(|path| path.as_deref());
        let is_read = |path: &Path| has_questions(path, self.from);
        keep_inputs(outputs.clone(), self.paths.iter().map(PathBuf::as_path), is_read)?;
        keep_inputs(outputs, self.responses.as_deref(), is_report)?;
        let (mut html, mut json_report) = (None, None);
        if let Some(path) = &self.report {
            match path.extension().and_then(|kind| kind.to_str()) {
                Some("html" | "htm") => {
                    let mut file = AtomicFile::create(path)?;
                    file.put(&page::head())?;
                    html = Some(file);
                }
                Some("json") => {
                    json_report = Some(JsonReport { file: AtomicFile::create(path)?, empty: true });
                }
                _ => return Err(Failure::Usage("a report is a `.html` or a `.json` file".into())),
            }
        }
        let attempts = self.attempts.as_deref();
        let stored = match self.responses.as_deref() {
            Some(path) => Some(Stored::read(path, attempts, console)?),
            None => None,
        };
        // The bank is opened last, because it leaves a partial file if the command fails later.
        let (mut bank, mut resumed) = (None, Resumed::default());
        if let Some(path) = &self.bank {
            let (file, before) = BankFile::open(path, self.resume, self.overwrite)?;
            (bank, resumed) = (Some(file), before);
        }
        let Resumed { files: done, ids, .. } = resumed;
        let (from, strict, jsonl) = (self.from, self.strict, self.jsonl);
        let quiet_output = jsonl || (stored.is_some() && attempts.is_none());
        let mut sinks = Sinks {
            console,
            bank,
            html,
            json_report,
            jsonl,
            quiet_output,
            lint: self.lint,
            lint_errors: 0,
            ids,
            unit: String::new(),
            summary: Summary::default(),
            stored,
            progress: None,
            tally: Tally::default(),
            bytes: 0,
            failure: None,
        };
        // Other output on the same terminal would disturb a progress bar.
        let printed = jsonl || self.lint || sinks.stored.is_some() || sinks.console.is_verbose();
        let terminal = io::stderr().is_terminal() && !(printed && io::stdout().is_terminal());
        if terminal && !sinks.console.is_quiet() {
            sinks.progress = Some(Progress::new("importing", length(&self.paths)?, 0, 0));
        }
        let read = self.paths.iter().try_for_each(|path| read_path(path, from, &done, &mut sinks));
        if let Some(progress) = sinks.progress.take() {
            progress.finish();
        }
        read?;
        let Sinks { console, bank, html, json_report, summary, lint_errors, stored, .. } = sinks;
        if summary.questions() + summary.texts() + summary.unreadable == 0 && done.is_empty() {
            if let Some(bank) = bank {
                bank.discard();
            }
            let message = match from {
                Some(format) => format!("no file in the format {format} found; name another format, or none"),
                None => "no question found; name the format with `--from`".into(),
            };
            return Err(Failure::Usage(message));
        }
        if let Some(bank) = bank {
            bank.finish()?;
        }
        if let Some(mut html) = html {
            html.put(&page::end(&summary))?;
            html.finish()?;
        }
        if let Some(report) = json_report {
            report.finish(&summary)?;
        }
        if !quiet_output {
            write_table(console, &summary)?;
        }
        let unconverted = stored.map_or(Ok(0), |stored| stored.finish(console))?;
        let lost = strict && summary.changed_scores() > 0;
        if lost {
            console.note(&losses_that_change_scores(summary.changed_scores()));
        }
        if lint_errors > 0 {
            console.note(&counted(lint_errors, "lint error"));
        }
        Ok(if summary.unreadable > 0 || unconverted > 0 || lost { Exit::Negative } else { Exit::Done })
    }
}

/// Returns the total size of all files in bytes, or `None` for a single file, because the progress within a file is
/// unknown.
fn length(paths: &[PathBuf]) -> Result<Option<u64>, Failure> {
    let (mut files, mut bytes) = (0u64, 0);
    for path in paths {
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        if path.is_dir() {
            for file in files_below(path, |_| true)? {
                files += 1;
                bytes += size(&file.path);
            }
        } else {
            files += 1;
            bytes += size(path);
        }
    }
    Ok((files > 1).then_some(bytes))
}

/// Reads a file, an archive, or all files below a folder.
fn read_path(
    path: &Path,
    from: Option<Format>,
    done: &BTreeSet<PathBuf>,
    sinks: &mut Sinks<'_>,
) -> Result<(), Failure> {
    let failed = |error| Failure::Io(format!("cannot read {}", path.display()), error);
    if !fs::metadata(path).map_err(failed)?.is_dir() {
        return read_one(path, &path.display().to_string(), from, true, None, done, sinks);
    }
    let files = files_below(path, |_| true)?;
    let folder =
        Folder { files: files.iter().map(|file| (file.name.as_str(), file.path.as_path())).collect() };
    for file in &files {
        read_one(&file.path, &file.name, from, false, Some(&folder), done, sinks)?;
        if let Some(failure) = sinks.failure.take() {
            return Err(failure);
        }
    }
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn read_one(
    path: &Path,
    name: &str,
    from: Option<Format>,
    named: bool,
    folder: Option<&Folder<'_>>,
    done: &BTreeSet<PathBuf>,
    sinks: &mut Sinks<'_>,
) -> Result<(), Failure> {
    sinks.bytes += fs::metadata(path).map_or(0, |data| data.len());
    let unit = unit_name(path, folder.is_some());
    if !done.is_empty() && done.contains(&unit_path(&unit)) {
        return Ok(());
    }
    sinks.unit = unit;
    let bytes = match open(path)? {
        Opened::Zip(file) => {
            let (mut limits, file) = (limits(), BufReader::new(file));
            limits.bytes = ZIP_BYTES;
            let mut take = |found| sinks.take(inside(name, found));
            if let Err(error) = read_zip(file, limits, from, &mut take) {
                sinks.take(Err(ReadError::from_public(&error).in_file(name)));
            }
            return sinks.failure.take().map_or(Ok(()), Err);
        }
        Opened::Other(bytes) => bytes,
    };
    if is_archive(&bytes) {
        let mut take = |found| sinks.take(inside(name, found));
        if let Err(error) = read_archive(&bytes, limits(), from, &mut take) {
            sinks.take(Err(ReadError::from_public(&error).in_file(name)));
        }
    } else {
        let files = folder.map(|folder| folder as &dyn Lookup);
        let source = Source { path: name, bytes: &bytes, files };
        let detected = fablegrade_interchange::detect(&source);
        let format = match (from, named) {
            // The user's format applies to a file that was named on the command line.
            (Some(format), true) => Some(format),
            (Some(format), false) if detected == Some(format) => Some(format),
            (None, _) => detected,
            _ => None,
        };
        if format.is_none() && !named {
            sinks.console.detail(&format!(
                "{name}: not in {}, skipped",
                from.map_or_else(|| "a known format".to_owned(), |from| format!("the format {from}"))
            ));
            return Ok(());
        }
        // A longer file was read only in part, and part of a bank must not be imported as the whole.
        let most = limits().archive_bytes;
        if bytes.len() as u64 > most {
            let message = format!("the file has more than {} MiB", most >> 20);
            let error = ReadError::new(Place::default(), "too-large", message, "split it into several files");
            sinks.take(Err(error.in_file(name)));
        } else if let Err(error) =
            fablegrade_interchange::read(&source, format, &mut |found| sinks.take(found))
        {
            sinks.take(Err(error));
        }
    }
    sinks.failure.take().map_or(Ok(()), Err)
}

fn write_table(console: &mut Console, summary: &Summary) -> Result<(), Failure> {
    let out = &mut console.out;
    writeln!(
        out,
        "{NAME}{:<14}{:>9}{:>9}{:>14}{:>13}{:>17}{NAME:#}{}",
        "format",
        "questions",
        "exact",
        "scores-exact",
        "approximate",
        "not-expressible",
        if summary.texts() > 0 { "  texts" } else { "" }
    )?;
    for (format, counts) in summary.rows() {
        let total: u64 = counts.questions.iter().sum();
        let [exact, scores, approximate, lost] = counts.questions;
        let texts = if summary.texts() > 0 { format!("{:>7}", counts.texts) } else { String::new() };
        writeln!(
            out,
            "{:<14}{total:>9}{GOOD}{exact:>9}{scores:>14}{GOOD:#}{MIXED}{approximate:>13}{MIXED:#}{BAD}{lost:>17}{BAD:#}{texts}",
            format.as_str()
        )?;
    }
    if summary.unreadable > 0 {
        writeln!(out, "{BAD}{} unreadable{BAD:#}", summary.unreadable)?;
    }
    if summary.changed_scores() > 0 {
        writeln!(
            out,
            "{QUIET}--report FILE.html lists every loss; {}{QUIET:#}",
            losses_that_change_scores(summary.changed_scores())
        )?;
    }
    Ok(())
}
