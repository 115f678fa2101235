//! `fablegrade check`: validates documents.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use fablegrade_core::json::{self, Document, Json, Limits, Object, Path as Place, Tape, Value};
use fablegrade_core::{
    AnswerSpec, Attempt, AttemptResult, DeliveryView, Error, ErrorKind, Finding, Findings, Submission,
    lint_with,
};

use fablegrade_validators::registry::host;

use crate::bank;
use crate::console::{BAD, Console, GOOD, NAME, plain, write_findings};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::lines::{Answer, LineOptions, Tally, identify, serve_with, write_answer, write_error};

/// Check documents against their schemas
///
/// JSON Lines: reads `{id, schema, instance}` and writes `{id, valid, findings}`. `valid` is the result of JSON Schema
/// validation; findings also report what a schema cannot express, such as a question without any correct answer.
#[derive(Args)]
pub(crate) struct Command {
    /// Document to check (`-` for standard input)
    #[arg(requires = "schema")]
    file: Option<PathBuf>,
    /// Kind of document
    #[arg(long, value_enum, requires = "file")]
    schema: Option<Schema>,
    /// Check that every question in an item bank conforms to its schema and can be graded; formats as in `batch --bank`
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["file", "schema", "jsonl"])]
    bank: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// The kinds of documents.
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "PascalCase")]
enum Schema {
    AnswerSpec,
    Submission,
    Attempt,
    AttemptResult,
    DeliveryView,
}

const SCHEMAS: &[(&str, Schema)] = &[
    ("AnswerSpec", Schema::AnswerSpec),
    ("Submission", Schema::Submission),
    ("Attempt", Schema::Attempt),
    ("AttemptResult", Schema::AttemptResult),
    ("DeliveryView", Schema::DeliveryView),
];

impl Schema {
    /// Returns whether the document is valid, and all findings about it.
    fn check(self, value: Value<'_>) -> (bool, Vec<Finding>) {
        let only_form = |read: Option<Error>| match read {
            None => (true, Vec::new()),
            Some(error) => (false, error.findings().to_vec()),
        };
        match self {
            Self::AnswerSpec => match value.read_as::<AnswerSpec>() {
                Ok(spec) => (true, lint_with(&spec, &host())),
                Err(error) => only_form(Some(error)),
            },
            Self::Submission => only_form(value.read_as::<Submission>().err()),
            Self::Attempt => only_form(value.read_as::<Attempt>().err()),
            Self::AttemptResult => only_form(value.read_as::<AttemptResult>().err()),
            Self::DeliveryView => only_form(value.read_as::<DeliveryView>().err()),
        }
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        if let Some(path) = &self.bank {
            return self.check_bank(path, console);
        }
        let lines = self.lines.reads_lines(self.file.is_some(), "a document and its --schema")?;
        if lines && self.json {
            return Err(Failure::Usage(
                "`--json` is for a document or a bank; JSON Lines are JSON already".into(),
            ));
        }
        let (false, Some(file), Some(schema)) = (lines, &self.file, self.schema) else {
            return serve_with(&self.lines, Arc::new(|| Checking { tape: Tape::default() }));
        };
        let source = input::read(file)?;
        let (valid, findings) = match Document::parse(&source.bytes) {
            Ok(document) => schema.check(document.root()),
            Err(error) => (false, error.findings().to_vec()),
        };
        if self.json {
            writeln!(console.out, "{}", validity(valid, &findings))?;
        } else {
            write_findings(&mut console.out, &findings)?;
            let (style, word) = if valid { (GOOD, "valid") } else { (BAD, "invalid") };
            writeln!(console.out, "{style}{word}{style:#}")?;
        }
        Ok(if valid { Exit::Done } else { Exit::Negative })
    }
}

impl Command {
    /// Reads and compiles all questions, and lists those that cannot be graded.
    fn check_bank(&self, path: &Path, console: &mut Console) -> Result<Exit, Failure> {
        let bank = bank::load(path)?;
        let invalid = bank.invalid();
        let valid = invalid.is_empty();
        if self.json {
            let invalid = Json::array(invalid.iter().map(|(item, error)| {
                Json::build()
                    .with("item", *item)
                    .with("findings", Finding::list_to_json(error.findings()))
                    .build()
            }));
            let answer =
                Json::build().with("valid", valid).with("items", bank.len()).with("invalid", invalid).build();
            writeln!(console.out, "{answer}")?;
        } else {
            for (item, error) in &invalid {
                writeln!(console.out, "{NAME}{}{NAME:#}", plain(item))?;
                write_findings(&mut console.out, error.findings())?;
            }
            let (style, word) = if valid { (GOOD, "valid") } else { (BAD, "invalid") };
            let (count, bad) = (bank.len(), invalid.len());
            writeln!(console.out, "{style}{word}{style:#}: {count} questions, {bad} invalid")?;
        }
        Ok(if valid { Exit::Done } else { Exit::Negative })
    }
}

/// Checks the lines of one thread.
struct Checking {
    tape: Tape,
}

impl Answer for Checking {
    fn answer(&mut self, number: u64, line: &[u8], out: &mut String, tally: &mut Tally) {
        let read = self.tape.with(line, Limits::default(), |value| {
            let id = value.get("id").map(|id| id.text());
            match split(value) {
                Ok((schema, instance)) => {
                    let (valid, findings) = schema.check(instance);
                    write_answer(id, &validity(valid, &findings), out);
                }
                Err(error) => {
                    tally.refused += 1;
                    write_error(id, number, &error, out);
                }
            }
        });
        if let Err(error) = read {
            // The line is not valid JSON, so the instance in it is invalid too.
            tally.refused += 1;
            write_answer(identify(line), &validity(false, error.findings()), out);
        }
    }
}

/// Returns the fields `valid` and `findings` of an answer.
fn validity(valid: bool, findings: &[Finding]) -> Json {
    Json::build().with("valid", valid).with("findings", Finding::list_to_json(findings)).build()
}

/// Returns the schema and the instance of a line.
fn split<'d>(value: Value<'d>) -> Result<(Schema, Value<'d>), Error> {
    let mut findings = Findings::new();
    let taken = Object::open(value, &Place::Root, &mut findings).and_then(|mut object| {
        object.take("id");
        let schema = object.required("schema", json::word(SCHEMAS));
        let instance = object.required("instance", |value, _: &Place<'_>, _: &mut Findings| Some(value));
        object.close();
        schema.zip(instance)
    });
    match taken {
        Some(taken) if findings.errors() == 0 => Ok(taken),
        _ => Err(Error::new(ErrorKind::Schema, findings)),
    }
}
