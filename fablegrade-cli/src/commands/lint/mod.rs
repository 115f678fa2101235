//! `fablegrade lint`: finds defects of questions.

mod formats;
mod sources;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fablegrade_core::{Finding, Severity, has_errors};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::validators::Validators;
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
    #[command(flatten)]
    validators: Validators,
}

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// One object for each file: {file, errors, warnings, findings}
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
}

impl Checked {
    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        self.validators.register()?;
        input::at_most_one_stdin(self.paths.iter().map(PathBuf::as_path))?;
        let format = if self.json { Format::Json } else { self.format };
        let (mut exit, mut unread) = (Exit::Done, None);
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
            if has_errors(&findings) {
                exit = Exit::Refused;
            }
            if console.is_quiet() {
                findings.retain(|finding| finding.severity == Severity::Error);
            }
            report.add(console, Checked { file: name, text: bytes, findings })?;
        }
        report.finish(console)?;
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
