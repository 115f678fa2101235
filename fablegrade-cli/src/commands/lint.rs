//! `fablegrade lint`: finds defects of questions.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use fablegrade_core::json::Json;
use fablegrade_core::{Finding, Severity, has_errors, lint_json_with};

use fablegrade_validators::registry::host;

use crate::console::{Console, GOOD, NAME, write_findings};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::validators::Validators;

/// Find defects of questions
///
/// The exit code is 1 when there are errors, and 0 with warnings alone.
#[derive(Args)]
pub(crate) struct Command {
    /// Questions with their keys (`-` for standard input)
    #[arg(required = true, value_name = "SPEC")]
    files: Vec<PathBuf>,
    /// Print one JSON object for each file: {file, errors, warnings, findings}
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    validators: Validators,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        self.validators.register()?;
        input::at_most_one_stdin(self.files.iter().map(PathBuf::as_path))?;
        let mut exit = Exit::Done;
        let mut unread = None;
        for (at, file) in self.files.iter().enumerate() {
            let source = match input::read(file) {
                Ok(source) => source,
                // The other files are still looked at.
                Err(failure) => {
                    console.fail(&failure);
                    unread = Some(failure.exit());
                    continue;
                }
            };
            let findings = lint_json_with(&source.bytes, &host());
            if has_errors(&findings) {
                exit = Exit::Refused;
            }
            let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
            let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
            if self.json {
                let json = Json::build()
                    .with("file", source.name)
                    .with("errors", errors as i64)
                    .with("warnings", warnings as i64)
                    .with("findings", Finding::list_to_json(&findings))
                    .build();
                writeln!(console.out, "{json}")?;
                continue;
            }
            if self.files.len() > 1 {
                if at > 0 {
                    writeln!(console.out)?;
                }
                writeln!(console.out, "{NAME}{}{NAME:#}", source.name)?;
            }
            report(console, &findings, errors, warnings)?;
        }
        Ok(unread.unwrap_or(exit))
    }
}

fn report(
    console: &mut Console,
    findings: &[Finding],
    errors: usize,
    warnings: usize,
) -> Result<(), Failure> {
    write_findings(&mut console.out, findings)?;
    if errors + warnings == 0 {
        writeln!(console.out, "{GOOD}ok{GOOD:#}")?;
        return Ok(());
    }
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    };
    let counts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| plural(count, word))
        .collect();
    writeln!(console.out, "{}", counts.join(", "))?;
    Ok(())
}
