//! `fablegrade terry`: checks, tests and grades tasks, and fuzzes their checkers.

#[cfg(target_os = "linux")]
mod host;
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "most of it shows what was run"))]
mod packs;
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "most of it shows what was run"))]
mod report;
#[cfg(target_os = "linux")]
mod test_report;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use fablegrade_core::json::Json;
use fablegrade_terry::contest::{Contest, PublicMetadata};
use fablegrade_terry::task::{FileFinding, Task, read_document};

use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::lines::{LineOptions, job_count};
use report::write_check;

/// Check and test terry tasks, grade outputs, check contests
#[derive(Args)]
#[command(after_help = EXITS)]
pub(crate) struct Command {
    #[command(subcommand)]
    action: Action,
}

const EXITS: &str = "\
Exit codes:
  0  success
  1  a defect: an error in a document or folder; a generator, validator or checker that fails;
     an official solution without full marks; a solution that does not build; a checker that
     fails on an invalid output or gives points for it
  2  invalid usage
  3  a file could not be read or written
  4  the sandbox could not run the programs";

#[derive(Subcommand)]
enum Action {
    Check(Check),
    #[command(visible_alias = "verify")]
    Test(Test),
    Grade(Grade),
    FuzzChecker(FuzzChecker),
    #[command(subcommand)]
    Contest(ContestTask),
}

/// Check contests
#[derive(Subcommand)]
enum ContestTask {
    Check(ContestCheck),
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        match self.action {
            Action::Check(command) => command.run(console),
            Action::Test(command) => command.run(console),
            Action::Grade(command) => command.run(console),
            Action::FuzzChecker(command) => command.run(console),
            Action::Contest(ContestTask::Check(command)) => command.run(console),
        }
    }
}

/// Options for running programs.
#[derive(Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no runner to report on"))]
struct How {
    /// Build the managers (the task's programs, such as the checker) from source even if there are executables
    #[arg(long)]
    from_source: bool,
    /// CPU time limit per run of a manager, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = limit_seconds)]
    manager_time: f64,
    /// Run WITHOUT a sandbox: the programs can do whatever you can do
    #[arg(long)]
    unsandboxed: bool,
}

/// Options for running programs, with the number that run at a time.
#[derive(Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no runner to report on"))]
struct Running {
    /// Run at most N programs at a time [default: one per core]
    #[arg(long, alias = "parallel", value_name = "N", value_parser = job_count())]
    jobs: Option<u16>,
    #[command(flatten)]
    how: How,
}

fn limit_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds from 0.01 to 3600".to_owned())
}

/// Check a task: metadata, folder and programs
///
/// The programs run in the sandbox. The generator runs with four seeds (one of them twice), the validator on valid and
/// invalid inputs, the checker on an empty output, and every solution with one seed.
#[derive(Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no runner to report on"))]
struct Check {
    /// Folder of the task
    dir: PathBuf,
    /// Do not run the programs
    #[arg(long)]
    no_run: bool,
    #[command(flatten)]
    running: Running,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Test solutions on generated inputs
///
/// Runs generator, validator, solution and checker for each seed, and prints one line per solution. Without --seed
/// and --runs, one random seed is used.
#[derive(Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no runner to report on"))]
struct Test {
    /// Folder of the task
    dir: PathBuf,
    /// Test this solution only; repeatable [default: all in solutions/, and the official one]
    #[arg(long, value_name = "FILE")]
    solution: Vec<PathBuf>,
    /// Use this seed; repeatable
    #[arg(long, value_name = "N", conflicts_with = "runs")]
    seed: Vec<u32>,
    /// Draw N seeds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: Option<u32>,
    /// CPU time limit per run of a solution, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = limit_seconds)]
    time_limit: f64,
    /// Memory limit per run of a solution, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(8..=1 << 20))]
    memory_limit: u64,
    #[command(flatten)]
    running: Running,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Grade an output file with the checker of a task
///
/// The exit code is 0 if there is a result, whatever the score.
///
/// JSON Lines: reads `{id, input, output, enc?}` and writes `{id, result, points?, failure?}`. With
/// `--before-confirming`, writes `{id, validation}` unless there is a failure. `input` and `output` are the texts of
/// the files or, with "enc":"base64", their bytes in base64. The checker is prepared once for all lines.
#[derive(Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no runner to report on"))]
struct Grade {
    /// Folder of the task
    dir: PathBuf,
    /// Input file
    #[arg(long, value_name = "FILE", requires = "output")]
    input: Option<PathBuf>,
    /// Output file
    #[arg(long, value_name = "FILE", requires = "input")]
    output: Option<PathBuf>,
    /// Print only what the contestant sees before confirming
    #[arg(long)]
    before_confirming: bool,
    /// Print an AttemptResult
    #[arg(long, conflicts_with = "before_confirming")]
    attempt_result: bool,
    #[command(flatten)]
    how: How,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    lines: LineOptions,
}

/// Fuzz a checker with invalid outputs
///
/// The checker must give a result for every output, and no points for an invalid one.
#[derive(Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no runner to report on"))]
struct FuzzChecker {
    /// Folder of the task
    dir: PathBuf,
    /// Seed for the input and the invalid outputs
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u32,
    /// Solution whose output is mutated too [default: the first with full points, or else the first with a result; the
    /// official solution is tried first]
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Check a contest: document, users, folders of its tasks, and public metadata
///
/// With `--run`, every task is checked as by `terry check`, programs included.
#[derive(Args)]
struct ContestCheck {
    /// The contest.yaml, or the contest as a .zip or as a pack of the server
    file: PathBuf,
    /// Folder with the tasks [default: the folder of FILE, or the one above `__users__`]
    #[arg(long, value_name = "DIR")]
    tasks: Option<PathBuf>,
    /// Public metadata of the pack [default: the metadata in the pack]
    #[arg(long, value_name = "FILE")]
    metadata: Option<PathBuf>,
    /// File with the password of an encrypted pack (- for standard input)
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Run the programs of every task, as `terry check` does
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    running: Running,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Reads the `task.yaml` of a folder. If the file is missing, the check of the folder reports it.
fn read_task(dir: &Path) -> Result<(Option<Task>, Vec<FileFinding>), Failure> {
    let path = dir.join("task.yaml");
    if !path.is_file() {
        return Ok((None, Vec::new()));
    }
    let source = input::read(&path)?;
    let (task, mut findings) = read_document("task.yaml", &source.bytes, Task::read_yaml);
    let folder = std::fs::canonicalize(dir).ok();
    let folder = folder.as_ref().and_then(|dir| dir.file_name()).and_then(|name| name.to_str());
    if let (Some(task), Some(folder)) = (&task, folder)
        && task.name != folder
    {
        let finding = fablegrade_core::Finding::warning(
            "folder-name-differs",
            "/name",
            "the folder and the task have different names, but a contest names a task by its folder",
            "give both the same name",
        );
        findings.push(FileFinding::new("task.yaml", finding));
    }
    Ok((task, findings))
}

impl ContestCheck {
    fn run(self, console: &mut Console) -> Result<Exit, Failure> {
        let (unpacked, source) = match packs::open(&self.file, self.password_file.as_deref())? {
            packs::Opened::Unpacked(unpacked) => {
                let source = input::read(&unpacked.contest)?;
                (Some(unpacked), source)
            }
            packs::Opened::Document(source) => (None, source),
        };
        let file = unpacked.as_ref().map_or(&self.file, |unpacked| &unpacked.contest);
        let name = |path: &Path| {
            path.file_name().map_or_else(|| "-".to_owned(), |name| name.to_string_lossy().into_owned())
        };
        let (contest, mut findings) = read_document(&name(file), &source.bytes, Contest::read_yaml);
        let metadata = match &self.metadata {
            Some(path) => Some((name(path), input::read(path)?.bytes)),
            None => unpacked
                .as_ref()
                .and_then(|unpacked| unpacked.metadata.clone())
                .map(|bytes| (format!("metadata of {}", name(&self.file)), bytes)),
        };
        if let Some((name, text)) = metadata {
            let (metadata, found) =
                read_document(&name, &text, |yaml| PublicMetadata::read_yaml(yaml, text.len()));
            findings.extend(found);
            if let (Some(contest), Some(metadata)) = (&contest, &metadata) {
                let compared = contest.compare(metadata);
                findings.extend(compared.into_iter().map(|finding| FileFinding::new(name.clone(), finding)));
            }
        }
        let above = file.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf);
        let above =
            if above.file_name().is_some_and(|name| name == "__users__") { above.join("..") } else { above };
        let tasks = self.tasks.clone().unwrap_or(above);
        if let Some(contest) =
            contest.as_ref().filter(|_| !input::is_stdin(&self.file) || self.tasks.is_some())
        {
            for (at, task) in contest.tasks.iter().enumerate() {
                findings.extend(check_task_of_contest(&tasks, task, at)?);
            }
        }
        #[cfg(target_os = "linux")]
        let trouble = match contest.as_ref().filter(|_| self.run) {
            Some(contest) => {
                let (found, trouble) =
                    host::examine_contest(&self.running, &tasks, &contest.tasks, console.is_quiet())?;
                findings.extend(found);
                trouble
            }
            None => None,
        };
        #[cfg(not(target_os = "linux"))]
        if self.run {
            return elsewhere::nothing();
        }
        let summary = contest.map(|contest| {
            let counts = [count(contest.tasks.len(), "task"), count(contest.users.len(), "user")];
            (counts.join(", "), contest.summary())
        });
        let (text, json) = summary.unwrap_or((String::new(), Json::Null));
        let exit = write_check(console, &source.name, &findings, &text, ("contest", json), self.json)?;
        #[cfg(target_os = "linux")]
        let exit = host::exit_of(console, exit, trouble)?;
        Ok(exit)
    }
}

/// Formats `1 task`, `2 tasks`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Checks a task that a contest names: its folder exists, its `task.yaml` is readable, and both names agree.
fn check_task_of_contest(tasks: &Path, task: &str, at: usize) -> Result<Vec<FileFinding>, Failure> {
    use fablegrade_core::Finding;
    let place = format!("{task}/task.yaml");
    let dir = tasks.join(task);
    let pointer = format!("/tasks/{at}");
    if !dir.is_dir() {
        let help =
            "add it next to the contest, correct the name, or name the folder of the tasks with --tasks";
        let finding =
            Finding::error("task-folder-missing", pointer, format!("there is no folder `{task}`"), help);
        return Ok(vec![FileFinding::new("", finding)]);
    }
    if !dir.join("task.yaml").is_file() {
        let finding = Finding::error(
            "metadata-missing",
            "",
            "there is no task.yaml",
            "add it with the fields `name`, `description` and `max_score`",
        );
        return Ok(vec![FileFinding::new(place, finding)]);
    }
    let (read, found) = read_task(&dir)?;
    let inside = |mut finding: FileFinding| {
        finding.file = format!("{task}/{}", finding.file);
        finding
    };
    let mut findings: Vec<FileFinding> =
        found.into_iter().filter(|found| found.finding.rule != "folder-name-differs").map(inside).collect();
    if let Some(read) = read.filter(|read| read.name != task) {
        let message = format!(
            "the folder is called `{task}` and the task `{}`; the Python server, which reads contest.yaml, requires the same name; the Rust server does not",
            read.name
        );
        findings.push(FileFinding::new(
            place,
            Finding::warning("task-names-differ", "/name", message, "give both the same name"),
        ));
    }
    Ok(findings)
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::*;

    pub(super) fn nothing() -> Result<Exit, Failure> {
        let unsupported = std::io::Error::from(std::io::ErrorKind::Unsupported);
        Err(Failure::Io("programs run on Linux only".to_owned(), unsupported))
    }

    impl Check {
        pub(super) fn run(self, _console: &mut Console) -> Result<Exit, Failure> {
            nothing()
        }
    }
    impl Test {
        pub(super) fn run(self, _console: &mut Console) -> Result<Exit, Failure> {
            nothing()
        }
    }
    impl Grade {
        pub(super) fn run(self, _console: &mut Console) -> Result<Exit, Failure> {
            nothing()
        }
    }
    impl FuzzChecker {
        pub(super) fn run(self, _console: &mut Console) -> Result<Exit, Failure> {
            nothing()
        }
    }
}
