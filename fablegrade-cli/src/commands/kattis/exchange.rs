//! `fablegrade kattis export` and `import`: convert code questions to packages and back.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use fablegrade_core::json::Json;
use fablegrade_core::{AnswerSpec, Grader};
use fablegrade_kattis::exchange::{Label, export, import};
use fablegrade_public::identifier::UuidText;

use super::seconds;
use crate::atomic_file::{builder, failed, parent};
use crate::console::{Console, NAME, plain, write_findings};
use crate::exit::{Exit, Failure};
use crate::input;

/// Write a code question as a 2025-09 package
///
/// Findings on standard error report what is lost.
#[derive(Args)]
pub(super) struct Export {
    /// Code question with its key (JSON)
    spec: PathBuf,
    /// Folder to create; it must not exist
    folder: PathBuf,
    /// Name of the problem [default: that of the folder]
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// UUID of the problem
    #[arg(long, value_name = "UUID", value_parser = uuid)]
    uuid: UuidText,
    /// Statement (Markdown)
    #[arg(long, value_name = "FILE")]
    statement: Option<PathBuf>,
    /// Accepted solution; repeatable
    #[arg(long, value_name = "FILE")]
    solution: Vec<PathBuf>,
}

/// Convert a package to a code question and print it
///
/// Findings on standard error report what is lost.
#[derive(Args)]
pub(super) struct Import {
    /// Package (folder, .zip, .kpp, .tar.gz)
    package: PathBuf,
    /// Time limit in seconds [default: that of the package]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
}

fn uuid(text: &str) -> Result<UuidText, String> {
    UuidText::new(text).ok_or_else(|| "not a UUID".to_owned())
}

impl Export {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let inputs = [&self.spec].into_iter().chain(&self.statement).chain(&self.solution);
        input::at_most_one_stdin(inputs.map(PathBuf::as_path))?;
        let source = input::read(&self.spec)?;
        let refused = |error| Failure::invalid(&source.name, error);
        let spec = AnswerSpec::from_json(&source.bytes).map_err(refused)?;
        let document = Json::parse(spec.to_json_with_key().as_bytes()).map_err(refused)?;
        let text = |path: &Path| -> Result<String, Failure> {
            let bytes = input::read_raw(path)?;
            let no_text = |_| Failure::Usage(format!("{} is not UTF-8", path.display()));
            String::from_utf8(bytes).map_err(no_text)
        };
        let mut solutions = Vec::new();
        for path in &self.solution {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            solutions.push((name, text(path)?));
        }
        let label = Label {
            name: self.name.clone().unwrap_or_else(|| super::name_of(&self.folder)),
            uuid: self.uuid.as_str().to_owned(),
            statement: self.statement.as_deref().map(text).transpose()?,
            solutions,
        };
        let exported = export(&document, &label).map_err(refused)?;
        write_all(&self.folder, &exported.files)?;
        write_findings(&mut console.err, &exported.losses)?;
        let folder = self.folder.display().to_string();
        writeln!(console.out, "{NAME}{}{NAME:#}  {} files", plain(&folder), exported.files.len())?;
        Ok(Exit::Done)
    }
}

/// Writes the files to a temporary folder first, so a failure leaves nothing under the final name.
fn write_all(folder: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    if folder.exists() {
        let there = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        return Err(failed(folder, there));
    }
    let around = parent(folder);
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(around)?;
        let beside = builder().tempdir_in(around)?;
        // Only the owner can open the temporary folder. The package is a folder in it, with the usual permissions.
        let partial = beside.path().join("package");
        for (path, text) in files {
            let path = partial.join(path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(&path, text)?;
        }
        std::fs::rename(&partial, folder)
    };
    write().map_err(|error| failed(folder, error))
}

impl Import {
    pub(super) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let package = super::open(&self.package)?;
        let refused = |error| Failure::invalid(self.package.display().to_string(), error);
        let limit = self.time_limit.map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
        let (spec, losses) = import(&package, limit).map_err(refused)?;
        let text = spec.to_canonical();
        // The printed question must be usable, so it is read and checked like any other.
        let read = AnswerSpec::from_json(&text).map_err(refused)?;
        Grader::new(read).map_err(refused)?;
        writeln!(console.out, "{text}")?;
        write_findings(&mut console.err, &losses)?;
        Ok(Exit::Done)
    }
}
