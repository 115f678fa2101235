//! `fablegrade lint`: finds defects in questions.

mod acknowledgements;
mod formats;
mod mutation;
mod sources;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use fablegrade_core::host::{Judgement, Steps, Unjudged};
use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Findings, Host, Severity, StateJudge, StateValidator, has_errors};
use fablegrade_validators::registry::host;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::validators::Validators;
use acknowledgements::Acknowledgements;
use mutation::Samples;

/// Find defects in questions
///
/// A file holds a question with its key, a question with a submission (`{"spec": ..., "submission": ...}`), or an item
/// bank. A bank is `{"ID": SPEC, ...}`, or a `.jsonl` file with one `{"item": ID, "spec": SPEC}` per line. In a folder,
/// every `.json` file that holds questions or is not valid JSON is checked; `.jsonl` files are not. The exit code is 1
/// if there are errors, and 0 otherwise, even if there are warnings.
#[derive(Args)]
pub(crate) struct Command {
    /// Questions with their keys, or folders (`-` for standard input)
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Print one JSON object per file, or per line of a `.jsonl` bank; short for `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Comma-separated names of the validators that the host registers; any other name that is not standard is then an
    /// error. This runs no validator; to run one, use --validator
    #[arg(long = "known-validators", alias = "validators", value_name = "NAME", value_delimiter = ',')]
    names: Option<Vec<String>>,
    /// Known warnings and remarks to suppress (errors cannot be), each with a reason: a JSON array of {file, rule, pointer,
    /// reason}
    #[arg(long, value_name = "FILE")]
    accept: Option<PathBuf>,
    /// Try small changes to each key, without writing them, and report those that no sample answer detects
    #[arg(long)]
    mutate: bool,
    /// Sample answers for --mutate: JSON Lines of {item?, submission | attempt, outcomes?}
    #[arg(long, value_name = "FILE", requires = "mutate")]
    answers: Option<PathBuf>,
    #[command(flatten)]
    validators: Validators,
}

/// An output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Human,
    /// One object per file, or per line of a `.jsonl` bank: {file, errors, warnings, findings, accepted?}
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for GitHub Actions
    Github,
    /// JUnit XML, for test reports
    Junit,
}

/// A checked document with its findings.
struct Checked {
    /// The name of the document: that of the file, or `FILE:LINE` for a line of a bank.
    name: String,
    file: String,
    /// The line of the file on which the text begins, from 1.
    first_line: u64,
    text: Vec<u8>,
    findings: Vec<Finding>,
    /// Acknowledged findings with their reasons; `None` without `--accept`.
    accepted: Option<Vec<(Finding, String)>>,
}

impl Checked {
    /// Returns whether the document is a line of a bank.
    fn is_line(&self) -> bool {
        self.name != self.file
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        self.validators.register()?;
        let paths = self.paths.iter().chain(&self.answers).chain(&self.accept);
        input::at_most_one_stdin(paths.map(PathBuf::as_path))?;
        let format = if self.json { Format::Json } else { self.format };
        let known = Known::new(self.names.as_deref())?;
        let mut acknowledged = self.accept.as_deref().map(Acknowledgements::read).transpose()?;
        let samples = self.answers.as_deref().map(Samples::read).transpose()?.unwrap_or_default();
        if samples.ignored > 0 {
            let (most, ignored) = (mutation::MOST_SAMPLES, samples.ignored);
            let samples =
                if ignored == 1 { "1 sample answer was" } else { &format!("{ignored} sample answers were") };
            console.note(&format!("--answers: {samples} ignored after the first {most}"));
        }
        let (mut exit, mut unread) = (Exit::Done, None);
        let sources = sources::list(&self.paths)?;
        let several = sources.len() > 1 || sources.iter().any(sources::Source::is_lines);
        let mut report = formats::Report::new(format, several);
        for source in sources {
            report.begin_file();
            let (mut unwritten, mut ids) = (None, HashSet::new());
            let mut check = |console: &mut Console, file: &str, line: Option<u64>, text: &[u8]| {
                if unwritten.is_some() {
                    return;
                }
                let mut findings = sources::lint(text, &known);
                if line.is_some() {
                    findings.extend(sources::lint_id(text, &mut ids));
                }
                if self.mutate && !has_errors(&findings) {
                    findings.extend(mutation::findings(text, &samples, known.host()));
                }
                let name = line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
                let accepted = acknowledged.as_mut().map(|list| list.take(&name, &mut findings));
                if has_errors(&findings) {
                    exit = Exit::Negative;
                }
                if console.is_quiet() {
                    findings.retain(|finding| finding.severity == Severity::Error);
                }
                let (file, first_line, text) = (file.to_owned(), line.unwrap_or(1), text.to_vec());
                let checked = Checked { name, file, first_line, text, findings, accepted };
                unwritten = report.add(console, checked).err();
            };
            let read = if source.is_lines() {
                source.each_line(&mut |file, line, text| check(console, file, Some(line), text))
            } else {
                input::read(&source.path).map(|input::Source { name, bytes }| {
                    if source.in_folder && !sources::is_question(&bytes) {
                        console.detail(&format!("skipped {name}: not a question"));
                    } else {
                        check(console, &name, None, &bytes);
                    }
                })
            };
            if let Some(failure) = unwritten {
                return Err(failure);
            }
            // The other files are still checked.
            if let Err(failure) = read {
                console.fail(&failure);
                unread = Some(failure.exit());
            }
        }
        report.finish(console)?;
        for message in acknowledged.iter().flat_map(Acknowledgements::unused) {
            console.note(&message);
        }
        Ok(unread.unwrap_or(exit))
    }
}

/// The validators that questions may name.
struct Known {
    host: Arc<Host>,
    /// Whether the list is complete: other names are errors, not remarks.
    all: bool,
}

impl Known {
    fn new(names: Option<&[String]>) -> Result<Self, Failure> {
        let standard = host();
        let Some(names) = names else { return Ok(Self { host: standard, all: false }) };
        let mut known = Host::clone(&standard);
        for name in names {
            if !Host::is_name(name) {
                let message = "a validator's name has 1 to 64 lower-case letters, digits or `_`";
                return Err(Failure::Usage(message.into()));
            }
            if known.validator_names().all(|standard| standard != name) {
                known = known.with_validator(name.as_str(), Elsewhere);
            }
        }
        Ok(Self { host: Arc::new(known), all: true })
    }

    fn host(&self) -> &Host {
        &self.host
    }
}

/// A stand-in for a validator of another program. Questions can name it, but it cannot judge states.
struct Elsewhere;

impl StateValidator for Elsewhere {
    fn compile(&self, _config: Option<&Json>, _findings: &mut Findings) -> Option<Box<dyn StateJudge>> {
        Some(Box::new(Self))
    }
}

impl StateJudge for Elsewhere {
    fn judge(&self, _state: &Json, _steps: &mut Steps<'_>) -> Result<Judgement, Unjudged> {
        Err(Unjudged::Failed("this validator runs in another program".to_owned()))
    }
}
