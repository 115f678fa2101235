//! `fablegrade flowmcp`: checks, aggregates, builds, verifies, rolls up and ages FlowMCP grading entries.

use std::io::Write as _;
use std::path::{Path as FilePath, PathBuf};

use clap::{Args, Subcommand};
use fablegrade_core::json::{Document, Json};
use fablegrade_core::{Error, ErrorKind, Finding};
use fablegrade_flowmcp::age::{AgingPlan, age};
use fablegrade_flowmcp::aggregate::{Aggregation, Policy};
use fablegrade_flowmcp::area::Grade;
use fablegrade_flowmcp::entry::Entry;
use fablegrade_flowmcp::explain::IndexExplanation;
use fablegrade_flowmcp::line;
use fablegrade_flowmcp::lock::stored_lock;
use fablegrade_flowmcp::produce::Draft;
use fablegrade_flowmcp::rollup::{Index, RollupOptions, rollup};
use fablegrade_flowmcp::sequence::STABLE_FROM;
use fablegrade_flowmcp::verify::verify;
use fablegrade_public::identifier::Instant;

use crate::console::{BAD, Console, GOOD, MIXED, NAME, QUIET, plain, write_findings};
use crate::exit::{Exit, Failure};
use crate::folder::read_json_files;
use crate::input;
use crate::lines::{LineOptions, serve};
use crate::report::{Report, unreadable};

/// Check, aggregate, build, verify and roll up FlowMCP grading entries, and mark answers stale
#[derive(Args)]
pub(crate) struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Check(Check),
    Aggregate(Aggregate),
    Build(Build),
    Verify(Verify),
    Rollup(Rollup),
    Age(Age),
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        match self.task {
            Task::Check(command) => command.run(console),
            Task::Aggregate(command) => command.run(console),
            Task::Build(command) => command.run(console),
            Task::Verify(command) => command.run(console),
            Task::Rollup(command) => command.run(console),
            Task::Age(command) => command.run(console),
        }
    }
}

/// Check grading entries or evaluators' envelopes against their schemas and further rules
///
/// A document with `answers` or `blocker` and without `gradings` is checked as an envelope. JSON Lines: reads
/// `{id, document}` and writes `{id, valid, findings}`. In JSON, `valid` tells only whether the document conforms to
/// its schema; violations of further rules are in `findings`.
///
/// With files, the exit code is 1 if a document has an error, 0 if none has, and 3 if a file cannot be read. With JSON
/// Lines, it is 1 if a line cannot be processed, and 0 otherwise, even if a document is invalid.
#[derive(Args)]
struct Check {
    /// Entries or envelopes (`-` for standard input)
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long, requires = "files")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

impl Check {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        if self.lines.reads_lines(!self.files.is_empty(), "files")? {
            return serve(&self.lines, line::check);
        }
        input::at_most_one_stdin(self.files.iter().map(PathBuf::as_path))?;
        let mut report = Report::new(console, "file", self.json);
        for path in &self.files {
            let input::Source { name, bytes } = input::read(path)?;
            let checked = Document::parse(&bytes).map(|document| line::check_document(document.root()));
            report.add(&name, checked.unwrap_or_else(|error| unreadable(&error)))?;
        }
        Ok(report.exit())
    }
}

fn read_entry(path: &FilePath) -> Result<(String, Entry), Failure> {
    let source = input::read(path)?;
    match Entry::from_json(&source.bytes) {
        Ok(entry) => Ok((source.name, entry)),
        Err(error) => Err(Failure::invalid(source.name, error)),
    }
}

/// Compute the aggregate grade of each entry
///
/// JSON Lines: reads `{id, gradings, gradingTier, veto?}` and writes `{id, aggregateGrade, rawGrade, normalizedScore,
/// maxAttainableGrade, findings}`.
#[derive(Args)]
struct Aggregate {
    /// Entries (`-` for standard input)
    files: Vec<PathBuf>,
    /// Show how each answer counted
    #[arg(long, requires = "files")]
    explain: bool,
    /// Print one JSON object per file
    #[arg(long, requires = "files")]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

impl Aggregate {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        if self.lines.reads_lines(!self.files.is_empty(), "files")? {
            return serve(&self.lines, line::aggregate);
        }
        input::at_most_one_stdin(self.files.iter().map(PathBuf::as_path))?;
        let mut exit = Exit::Done;
        for path in &self.files {
            let (name, entry) = read_entry(path)?;
            let Some(policy) = Policy::of(&entry.grading_system) else {
                let finding = Finding::error(
                    "grading-system-unknown",
                    "/gradingSystem",
                    "the thresholds of this version are unknown",
                    "use gradingSystem/1.0.0, or a program of that version",
                );
                return Err(Failure::invalid(name, Error::single(ErrorKind::Spec, finding)));
            };
            let aggregation = policy.aggregate_entry(&entry);
            if aggregation.grade().is_none() {
                exit = Exit::Undecided;
            }
            if self.json {
                let Json::Object(mut fields) = line::aggregation_json(&aggregation, entry.grading_tier)
                else {
                    continue;
                };
                fields.push(("file".into(), name.into()));
                if self.explain {
                    fields.push(("explanation".into(), policy.explain_entry(&entry).to_json()));
                }
                writeln!(console.out, "{}", Json::object(fields))?;
                continue;
            }
            let name = plain(&name);
            match &aggregation {
                Aggregation::Rejected => writeln!(console.out, "{BAD}REJECTED{BAD:#}  {NAME}{name}{NAME:#}")?,
                Aggregation::NothingScorable(_) => {
                    writeln!(
                        console.out,
                        "{MIXED}none{MIXED:#}      {NAME}{name}{NAME:#}  no answer can be scored"
                    )?;
                }
                Aggregation::Graded(graded) => {
                    let (grade, mean) = (graded.grade, graded.mean_text());
                    write!(
                        console.out,
                        "{GOOD}{:8}{GOOD:#}  {NAME}{name}{NAME:#}  mean {mean}",
                        grade.as_str()
                    )?;
                    if graded.raw != grade {
                        write!(console.out, "  {QUIET}{} before the tier trim{QUIET:#}", graded.raw)?;
                    }
                    writeln!(console.out)?;
                }
            }
            if self.explain {
                write_lines(console, &policy.explain_entry(&entry).to_string())?;
            }
        }
        Ok(exit)
    }
}

/// Writes an explanation, indented below its heading.
fn write_lines(console: &mut Console, text: &str) -> Result<(), Failure> {
    for line in text.lines() {
        writeln!(console.out, "  {}", plain(line))?;
    }
    Ok(())
}

/// Build entries from drafts
///
/// JSON Lines: reads `{id, draft}` and writes `{id, entry}` or `{id, error}`. With files, each entry is printed as one
/// line of canonical JSON; if any draft is invalid, no entry is printed.
#[derive(Args)]
struct Build {
    /// Drafts (`-` for standard input)
    files: Vec<PathBuf>,
    #[command(flatten)]
    lines: LineOptions,
}

impl Build {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        if self.lines.reads_lines(!self.files.is_empty(), "files")? {
            return serve(&self.lines, line::build);
        }
        input::at_most_one_stdin(self.files.iter().map(PathBuf::as_path))?;
        // All or nothing: no entry is printed before every draft is built.
        let mut entries = Vec::new();
        for path in &self.files {
            let source = input::read(path)?;
            let built = Draft::from_json(&source.bytes).and_then(|draft| draft.build().map_err(Error::from));
            entries.push(built.map_err(|error| Failure::invalid(source.name, error))?);
        }
        for entry in entries {
            writeln!(console.out, "{}", entry.to_json())?;
        }
        Ok(Exit::Done)
    }
}

/// Show entries as of a later time, with outdated answers marked stale
///
/// JSON Lines: reads `{id, document, plan, now}` and writes `{id, gradings, becameStale, pastRetention, aggregation,
/// findings}`. The entries themselves are not changed.
#[derive(Args)]
struct Age {
    /// Entries (`-` for standard input)
    #[arg(requires = "plan", requires = "now")]
    files: Vec<PathBuf>,
    /// Aging plan: `{"classes": {"Q-...": "API_DAYS" | "TOS_DAYS" | "time-independent" | days}, "retentionDays"?}`
    #[arg(long, value_name = "FILE", requires = "files")]
    plan: Option<PathBuf>,
    /// Time in RFC 3339 format
    #[arg(long, value_name = "TIME", requires = "files", value_parser = instant)]
    now: Option<Instant>,
    #[command(flatten)]
    lines: LineOptions,
}

fn instant(text: &str) -> Result<Instant, String> {
    Instant::new(text).ok_or_else(|| "expected a time like 2026-03-01T09:30:00Z".into())
}

impl Age {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(!self.files.is_empty(), "files, --plan and --now")?;
        let (false, Some(plan), Some(now)) = (lines, &self.plan, &self.now) else {
            return serve(&self.lines, line::age);
        };
        input::at_most_one_stdin(self.files.iter().chain([plan]).map(PathBuf::as_path))?;
        let source = input::read(plan)?;
        let plan: AgingPlan = Document::parse(&source.bytes)
            .and_then(|document| document.read())
            .map_err(|error| Failure::invalid(source.name, error))?;
        for path in &self.files {
            let (_, entry) = read_entry(path)?;
            writeln!(console.out, "{}", age(&entry, &plan, now).to_json(&entry))?;
        }
        Ok(Exit::Done)
    }
}

/// Options of the rollup of a folder.
#[derive(Args)]
struct FolderOptions {
    /// Lowest grade at which a fully graded node is stable [default: B]
    #[arg(long, value_name = "GRADE", requires = "folder", value_parser = grade)]
    stable_from: Option<Grade>,
    /// Value of `updatedAt` in the computed indexes
    #[arg(long, value_name = "TIME", requires = "folder", value_parser = instant)]
    updated_at: Option<Instant>,
    /// Current hash of a schema in NAMESPACE; without NAMESPACE, in every namespace that has no `--live-hash` for this
    /// schema. Nodes graded under another hash are pending; repeatable
    #[arg(long, value_name = "[NAMESPACE/]SCHEMA=HASH", requires = "folder", value_parser = live_hash)]
    live_hash: Vec<(String, fablegrade_flowmcp::entry::Hash8)>,
    /// Grade that the index of a namespace or selection without grades gets [default: none]
    #[arg(long, value_name = "GRADE", requires = "folder", value_parser = grade)]
    grade_of_nothing: Option<Grade>,
}

fn grade(text: &str) -> Result<Grade, String> {
    Grade::from_word(text).ok_or_else(|| "a grade is A, B, C, D or F".into())
}

fn live_hash(text: &str) -> Result<(String, fablegrade_flowmcp::entry::Hash8), String> {
    let hash = text
        .split_once('=')
        .and_then(|(schema, hash)| Some((schema.to_owned(), fablegrade_flowmcp::entry::Hash8::new(hash)?)));
    hash.ok_or_else(|| "expected a schema and eight hexadecimal digits, like prices=a1b2c3d4".into())
}

impl FolderOptions {
    fn rollup(self) -> RollupOptions {
        let mut options = RollupOptions::default();
        options.stable_from = self.stable_from.unwrap_or(STABLE_FROM);
        options.updated_at = self.updated_at;
        options.live_hashes = self.live_hash.into_iter().collect();
        options.grade_of_nothing = self.grade_of_nothing;
        options
    }
}

/// Verify a folder of entries: files, lineage and stored rollups
///
/// Stored rollups are compared with recomputed ones. JSON Lines: reads `{id, files: {path: document}, options?}` and
/// writes `{id, valid, files, skipped, indexes}`. The exit code is 1 if a document has an error, 0 if none has, and 3
/// if a file cannot be read.
#[derive(Args)]
struct Verify {
    /// Folder; if it has `_gradings` folders, only files in them are entries
    folder: Option<PathBuf>,
    /// Print JSON
    #[arg(long, requires = "folder")]
    json: bool,
    #[command(flatten)]
    options: FolderOptions,
    #[command(flatten)]
    lines: LineOptions,
}

impl Verify {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(self.folder.is_some(), "a folder")?;
        let (false, Some(folder)) = (lines, &self.folder) else {
            return serve(&self.lines, line::verify);
        };
        let verification = verify(&read_json_files(folder)?, &self.options.rollup());
        let valid = verification.is_valid();
        if self.json {
            writeln!(console.out, "{}", verification.to_json())?;
        } else {
            for file in verification.files.iter().filter(|file| !file.findings.is_empty()) {
                writeln!(console.out, "{NAME}{}{NAME:#}", plain(&file.path))?;
                write_findings(&mut console.out, &file.findings)?;
            }
            for index in &verification.indexes {
                write_index(console, index)?;
            }
            let (files, skipped) = (verification.files.len(), verification.skipped.len());
            let (style, word) = if valid { (GOOD, "valid") } else { (BAD, "invalid") };
            writeln!(console.out, "{style}{word}{style:#}  {files} files, {skipped} skipped")?;
        }
        Ok(if valid { Exit::Done } else { Exit::Negative })
    }
}

fn write_index(console: &mut Console, index: &Index) -> Result<(), Failure> {
    use fablegrade_flowmcp::rollup::Scope;
    let (kind, name) = match &index.scope {
        Scope::Namespace(name) => ("namespace", name),
        Scope::Selection(name) => ("selection", name),
    };
    let grade = index.grade().map_or("-", fablegrade_flowmcp::entry::AggregateGrade::as_str);
    writeln!(console.out, "{kind:9}  {NAME}{}{NAME:#}  {}  {grade}", plain(name), index.status())?;
    Ok(())
}

/// Roll up a folder into one index for each namespace and one for each selection
///
/// JSON Lines: reads `{id, entries: [{path?, entry}], options?}` and writes `{id, indexes}`. With a folder, each index
/// is printed as one line of canonical JSON; an invalid entry is an error.
#[derive(Args)]
struct Rollup {
    /// Folder; if it has `_gradings` folders, only files in them are entries
    folder: Option<PathBuf>,
    /// Explain in words why each index has its status and grade
    #[arg(long, requires = "folder")]
    explain: bool,
    #[command(flatten)]
    options: FolderOptions,
    #[command(flatten)]
    lines: LineOptions,
}

impl Rollup {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let lines = self.lines.reads_lines(self.folder.is_some(), "a folder")?;
        let (false, Some(folder)) = (lines, &self.folder) else {
            return serve(&self.lines, line::rollup);
        };
        let files = read_json_files(folder)?;
        let in_gradings = |path: &str| path.split('/').any(|part| part == "_gradings");
        let laid_out = files.iter().any(|(path, _)| in_gradings(path));
        let mut options = self.options.rollup();
        let mut filed = Vec::new();
        for (path, text) in files {
            if path.rsplit('/').next() == Some("index.json") {
                // A stored index passes its selection's lock on to the new index; the first one counts, as in `verify`.
                let read = Json::parse(&text).and_then(|index| Ok((stored_lock(&index)?, index)));
                let (lock, index) = read.map_err(|error| Failure::invalid(path.clone(), error))?;
                if let Some(lock) = lock.filter(|lock| lock.belongs_to(&index)) {
                    options.locks.entry(lock.selection_id.clone()).or_insert(lock);
                }
                continue;
            }
            if laid_out && !in_gradings(&path) {
                continue;
            }
            let entry = Entry::from_json(&text).map_err(|error| Failure::invalid(path.clone(), error))?;
            filed.push((path, entry));
        }
        let filed: Vec<(&str, &Entry)> = filed.iter().map(|(path, entry)| (path.as_str(), entry)).collect();
        for index in rollup(&filed, &options) {
            if self.explain {
                write_index(console, &index)?;
                write_lines(console, &IndexExplanation(&index).to_string())?;
            } else {
                writeln!(console.out, "{}", index.to_json())?;
            }
        }
        Ok(Exit::Done)
    }
}
