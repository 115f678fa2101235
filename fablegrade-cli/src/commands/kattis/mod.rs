//! `fablegrade kattis`: checks, verifies, judges and converts problem packages of Kattis and the ICPC.

mod compare;
mod exchange;

#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod run;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use fablegrade_core::{Finding, has_errors};
use fablegrade_files::FileLimits;
use fablegrade_kattis::Package;

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::package_files;
use crate::report::Report;

/// Check, verify, export and import Kattis and ICPC packages; judge submissions; compare outputs
#[derive(Args)]
pub(crate) struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Check(Check),
    #[cfg(target_os = "linux")]
    Verify(run::Verify),
    #[cfg(target_os = "linux")]
    #[command(visible_alias = "grade")]
    Judge(run::Judge),
    Compare(compare::Compare),
    Export(exchange::Export),
    Import(exchange::Import),
}

/// Check packages: metadata, data, programs, submissions; nothing is run
#[derive(Args)]
struct Check {
    /// Packages (folder, .zip, .kpp, .tar.gz)
    #[arg(required = true)]
    packages: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        match self.task {
            Task::Check(task) => task.run(console),
            #[cfg(target_os = "linux")]
            Task::Verify(task) => task.run(console),
            #[cfg(target_os = "linux")]
            Task::Judge(task) => task.run(console),
            Task::Compare(task) => task.run(console),
            Task::Export(task) => task.run(console),
            Task::Import(task) => task.run(console),
        }
    }
}

impl Check {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let mut report = Report::new(console, "package", self.json);
        for path in &self.packages {
            let findings = findings_of(path)?;
            report.add(&path.display().to_string(), (!has_errors(&findings), findings))?;
        }
        Ok(report.exit())
    }
}

fn findings_of(path: &Path) -> Result<Vec<Finding>, Failure> {
    match open(path) {
        Ok(package) => Ok(package.findings),
        Err(Failure::Invalid(documents)) => {
            Ok(documents.into_iter().flat_map(|(_, error)| error.findings().to_vec()).collect())
        }
        Err(failure) => Err(failure),
    }
}

/// Opens a package. Defects that do not prevent this are among its findings.
fn open(path: &Path) -> Result<Package, Failure> {
    let files = package_files::read(path, limits())?;
    let refused = |error| Failure::invalid(path.display().to_string(), error);
    Package::read(files, &name_of(path)).map_err(refused)
}

/// Returns the limits of a package, which can have large data and internal links.
fn limits() -> FileLimits {
    let mut limits = FileLimits::default();
    limits.archive_bytes = 1 << 30;
    limits.bytes = 2 << 30;
    limits.entries = 100_000;
    limits.follow_links = true;
    limits
}

/// Returns the name of a folder, or of an archive without its extension.
fn name_of(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let endings = [".tar.gz", ".tgz", ".zip", ".kpp"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).map(str::to_owned).unwrap_or(name)
}

/// Reads a time from the command line.
fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if !(0.001..=3600.0).contains(&value) {
        return Err("expected a number of seconds from 0.001 to 3600".into());
    }
    Ok(Duration::from_secs_f64(value))
}
