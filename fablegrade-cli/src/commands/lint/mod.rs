//! `fablegrade lint`: finds defects of questions.

mod acknowledgements;
mod formats;
mod sources;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fablegrade_core::{Finding, Severity, has_errors};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;
use acknowledgements::Acknowledgements;
use sources::Source;

/// Find defects of questions
///
/// A file holds a question with its key, a question with its answer (`{"spec": ..., "submission": ...}`), or an item bank
/// (`{"ID": SPEC, ...}`). In a folder, every `.json` file that holds a question is checked. The exit code is 1 when there
/// are errors, and 0 with warnings alone.
#[derive(Args)]
pub(crate) struct Command {
    /// Questions with their keys, or folders (`-` for standard input)
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Print one JSON object for each file; short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Validators that the host registers; other names are errors
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    validators: Option<Vec<String>>,
    /// Findings to keep, each with a reason: a JSON array of {file, rule, pointer, reason}
    #[arg(long, value_name = "FILE")]
    accept: Option<PathBuf>,
}

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// One object for each file: {file, errors, warnings, findings, accepted?}
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// JUnit XML, for test reports
    Junit,
}

/// A checked file.
struct Checked {
    file: String,
    text: Vec<u8>,
    findings: Vec<Finding>,
    /// Acknowledged findings with their reasons; `None` without `--accept`.
    accepted: Option<Vec<(Finding, String)>>,
}

impl Checked {
    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        input::at_most_one_stdin(self.paths.iter().map(PathBuf::as_path))?;
        let format = if self.json { Format::Json } else { self.format };
        let (mut exit, mut unread) = (Exit::Done, None);
        let mut acknowledgements = self.accept.as_deref().map(Acknowledgements::read).transpose()?;
        let sources = sources::list(&self.paths)?;
        let mut report = formats::Report::new(format, sources.len() > 1);
        for source in sources {
            let input::Source { name, bytes } = match input::read(&source.path) {
                Ok(source) => source,
                // Check the other files nevertheless.
                Err(failure) => {
                    console.fail(&failure);
                    unread = Some(failure.exit());
                    continue;
                }
            };
            let Some(mut findings) = lint(&source, &bytes) else {
                console.detail(&format!("skipped {name}: not a question"));
                continue;
            };
            if let Some(names) = &self.validators {
                sources::check_validators(&bytes, names, &mut findings);
            }
            let accepted = acknowledgements.as_mut().map(|list| list.take(&name, &mut findings));
            if has_errors(&findings) {
                exit = Exit::Refused;
            }
            if console.is_quiet() {
                findings.retain(|finding| finding.severity == Severity::Error);
            }
            report.add(console, Checked { file: name, text: bytes, findings, accepted })?;
        }
        report.finish(console)?;
        for message in acknowledgements.iter().flat_map(Acknowledgements::unused) {
            console.note(&message);
        }
        Ok(unread.unwrap_or(exit))
    }
}

/// The findings about a file; `None` for a file of a folder that is not a question.
fn lint(source: &Source, bytes: &[u8]) -> Option<Vec<Finding>> {
    if source.in_folder && !sources::is_question(bytes) {
        return None;
    }
    Some(sources::lint(bytes))
}
