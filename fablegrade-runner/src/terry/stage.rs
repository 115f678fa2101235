//! Prepares programs to run: managers in one shared folder, each solution in a separate folder.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fablegrade_core::End;
use fablegrade_terry::evaluation::{Argument, Cause, Failure, File, Role, Step, StepOutcome};
use fablegrade_terry::folder::{Folder, Language, Preference, Program, Start};
use fablegrade_terry::platform::Platform;

use super::ProgramLimits;
use crate::compile::{Failure as BuildFailure, Ready};
use crate::languages::{Keep, Toolchain};
use crate::launch::Launch;
use crate::runner::Runner;
use crate::sandbox::{self, Job, Sandbox, private_folder, show_file};

const MIB: u64 = 1 << 20;
/// Limits on `managers/`: the number of files, and their total size in bytes.
const MANAGER_FILES: usize = 1000;
const MANAGER_BYTES: u64 = 512 * MIB;
/// The maximum size of a source, in bytes.
const SOURCE_BYTES: u64 = 4 * MIB;
/// The maximum size in bytes of a text that a compiler can include from `managers/`.
const BESIDE_BYTES: u64 = MIB;
/// The maximum size of an input or output file, in bytes.
const FILE_BYTES: usize = 32 << 20;
/// The maximum size of a result in bytes, which is also the limit for JSON documents.
const RESULT_BYTES: usize = 8 << 20;

const INPUT: &str = "input.txt";
const OUTPUT: &str = "output.txt";

/// A folder that is removed when it is dropped.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    fn new(purpose: &str, sandbox: &Sandbox) -> io::Result<Self> {
        private_folder(purpose, sandbox.group()).map(Self)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The managers of a task.
#[derive(Debug)]
pub(super) struct Stage {
    folder: Temporary,
    launches: BTreeMap<Role, Launch>,
}

/// A solution that is ready to run.
#[derive(Debug)]
pub struct Solution {
    name: String,
    folder: PathBuf,
    /// Absent if the folder is in the cache.
    _own: Option<Temporary>,
    launch: Launch,
}

fn host(role: Role, cause: impl Into<String>) -> Failure {
    Failure::Host { role, cause: cause.into() }
}

fn unbuildable(role: Role, message: impl Into<String>) -> Failure {
    Failure::Program { role, cause: Cause::Build(message.into()), stderr: String::new() }
}

/// Returns the sandbox, or a failure if there is none.
fn sandbox(runner: &Runner, role: Role) -> Result<&Sandbox, Failure> {
    match (runner.sandbox(), runner.trouble()) {
        (Some(sandbox), None) => Ok(sandbox),
        (_, trouble) => Err(host(role, trouble.unwrap_or("there is no sandbox"))),
    }
}

fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    use io::Read as _;
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {} MiB", most / MIB)));
    }
    Ok(bytes)
}

fn source_text(place: &Path, path: &str, role: Role) -> Result<String, Failure> {
    let bytes = read_bounded(&place.join(path), SOURCE_BYTES)
        .map_err(|error| host(role, format!("{path}: {error}")))?;
    String::from_utf8(bytes).map_err(|_| unbuildable(role, format!("{path} is not UTF-8")))
}

fn build<'r>(
    runner: &'r Runner,
    role: Role,
    language: Language,
    path: &str,
    source: &str,
    beside: &[(String, String)],
) -> Result<(&'r Toolchain, Ready), Failure> {
    runner.build_program(language.as_str(), source, beside).map_err(|failure| match failure {
        // Compilers see most sources under the name `solution.EXTENSION`.
        BuildFailure::Compile(message) => {
            let extension = path.rsplit('.').next().unwrap_or_default();
            unbuildable(role, message.replace(&format!("solution.{extension}"), file_name(path)))
        }
        BuildFailure::Sandbox(cause) => host(role, cause),
        BuildFailure::Cancelled => host(role, "cancelled"),
    })
}

/// Returns the path of a file relative to `managers/`.
fn below_managers(path: &str) -> &str {
    path.strip_prefix("managers/").unwrap_or(path)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Stage {
    pub(super) fn prepare(
        runner: &Runner,
        place: &Path,
        folder: &Folder,
        prefer: Preference,
        platform: &Platform,
        roles: &[Role],
    ) -> Result<Self, Failure> {
        let first = roles.first().copied().unwrap_or(Role::Generator);
        let sandbox = sandbox(runner, first)?;
        let cannot = |error: io::Error| host(first, format!("the managers cannot be copied: {error}"));
        let files = Temporary::new("terry", sandbox).map_err(cannot)?;
        let entries = folder.managers();
        let bytes: u64 = entries.iter().map(|entry| entry.size).sum();
        if entries.len() > MANAGER_FILES || bytes > MANAGER_BYTES {
            let most = MANAGER_BYTES / MIB;
            return Err(host(
                first,
                format!("managers/ holds more than {MANAGER_FILES} files or {most} MiB"),
            ));
        }
        for entry in entries {
            let content = read_bounded(&place.join(&entry.path), entry.size.max(1)).map_err(cannot)?;
            let path = below_managers(&entry.path);
            sandbox::shared_parents(&files.0, path, sandbox.group()).map_err(cannot)?;
            // Servers make every manager executable before they start it.
            let executable = entry.executable || !path.contains('/') && Platform::split(path).is_some();
            show_file(&files.0.join(path), &content, executable, sandbox.group()).map_err(cannot)?;
        }
        let mut stage = Self { folder: files, launches: BTreeMap::new() };
        let beside = beside(place, folder);
        for role in roles.iter().copied().chain([Role::Solution]) {
            match folder.program(role, platform, prefer) {
                Some(program) => stage.add(runner, sandbox, place, role, &program, &beside, platform)?,
                None if folder.has(role) && role != Role::Solution => {
                    return Err(unbuildable(role, format!("there is no {role} that {platform} can start")));
                }
                None if matches!(role, Role::Generator | Role::Checker) => {
                    return Err(unbuildable(role, format!("there is no {role} in managers/")));
                }
                None => {}
            }
        }
        Ok(stage)
    }

    #[allow(clippy::too_many_arguments, reason = "what one manager is made of")]
    fn add(
        &mut self,
        runner: &Runner,
        sandbox: &Sandbox,
        place: &Path,
        role: Role,
        program: &Program,
        beside: &[(String, String)],
        platform: &Platform,
    ) -> Result<(), Failure> {
        let name = file_name(&program.path);
        let language = match program.start {
            Start::Executable => {
                if role != Role::Solution {
                    self.launches.insert(role, Launch::of_executable(format!("/box/{name}")));
                }
                return Ok(());
            }
            Start::Source(language) => language,
        };
        let source = source_text(place, &program.path, role)?;
        let (toolchain, ready) = build(runner, role, language, &program.path, &source, beside)?;
        let cannot = |error: io::Error| host(role, format!("the {role} cannot be put in its place: {error}"));
        let interpreted = toolchain.row.keep == Keep::Sources;
        if role == Role::Solution {
            let target = self.folder.0.join(format!("solution.{platform}"));
            let interpreter = toolchain.programs.values().next().filter(|_| interpreted);
            let content = match interpreter {
                Some(path) => Some(format!("#!{}\n{source}", path.display()).into_bytes()),
                // A program of several files cannot become one executable.
                None => fs::read(ready.folder.join("program")).ok(),
            };
            self.launches.values_mut().for_each(|launch| launch.add_toolchain(toolchain));
            let _ = fs::remove_file(&target);
            return content
                .map_or(Ok(()), |content| show_file(&target, &content, true, sandbox.group()))
                .map_err(cannot);
        }
        let mut launch = Launch::of_source(toolchain, &ready);
        if interpreted {
            // The manager is started in the folder of all managers, so it finds its modules there; `-I` would
            // hide them.
            let main = ready.words.get("file").cloned().unwrap_or_else(|| toolchain.row.solution.clone());
            launch.command.retain(|word| word != "-I");
            for word in launch.command.iter_mut().filter(|word| **word == format!("/box/{main}")) {
                *word = format!("/box/{name}");
            }
        } else {
            let built = format!("{role}.built");
            copy_tree(&ready.folder, &self.folder.0.join(&built), sandbox).map_err(cannot)?;
            for word in &mut launch.command {
                *word = word.replace("/box", &format!("/box/{built}"));
            }
        }
        self.launches.insert(role, launch);
        Ok(())
    }

    pub(super) fn run(
        &self,
        runner: &Runner,
        step: &Step,
        input: &[u8],
        output: &[u8],
        limits: &ProgramLimits,
    ) -> StepOutcome {
        let trouble = |cause: String| StepOutcome::new(End::SandboxError(cause), "");
        let Some(launch) = self.launches.get(&step.role) else {
            return trouble(format!("the {} was not made ready", step.role));
        };
        let sandbox = match sandbox(runner, step.role) {
            Ok(sandbox) => sandbox,
            Err(failure) => return trouble(failure.to_string()),
        };
        let mut own = None;
        if step.arguments.iter().any(|argument| matches!(argument, Argument::Path(_))) {
            match self.with_files(sandbox, input, output) {
                Ok(folder) => own = Some(folder),
                Err(error) => {
                    return trouble(format!("the files of an evaluation cannot be written: {error}"));
                }
            }
        }
        let shown = own.as_ref().map_or(&self.folder.0, |folder| &folder.0);
        let argument = |argument: &Argument| match argument {
            Argument::Text(text) => text.clone(),
            Argument::Path(File::Input) => format!("/box/{INPUT}"),
            Argument::Path(File::Output) => format!("/box/{OUTPUT}"),
        };
        let stdin = match step.stdin {
            Some(File::Input) => input,
            Some(File::Output) => output,
            None => &[],
        };
        let arguments = step.arguments.iter().map(argument).collect();
        let mut job = job(launch, arguments, shown, stdin, limits);
        "/box".clone_into(&mut job.directory);
        if step.role == Role::Checker {
            job.limits.output = RESULT_BYTES;
        }
        outcome(runner, &job)
    }

    /// Returns a folder with all files of the managers, the input and the output.
    fn with_files(&self, sandbox: &Sandbox, input: &[u8], output: &[u8]) -> io::Result<Temporary> {
        let folder = Temporary::new("terry-files", sandbox)?;
        copy_tree_into(&self.folder.0, &folder.0, sandbox)?;
        for (name, content) in [(INPUT, input), (OUTPUT, output)] {
            let path = folder.0.join(name);
            // A manager's file with this name is replaced.
            let _ = fs::remove_file(&path);
            show_file(&path, content, false, sandbox.group())?;
        }
        Ok(folder)
    }
}

/// Returns the texts in `managers/` that a compiler can include.
fn beside(place: &Path, folder: &Folder) -> Vec<(String, String)> {
    folder
        .managers()
        .iter()
        .filter(|entry| entry.size <= BESIDE_BYTES && Platform::split(file_name(&entry.path)).is_none())
        .filter_map(|entry| {
            let text = String::from_utf8(read_bounded(&place.join(&entry.path), BESIDE_BYTES).ok()?).ok()?;
            Some((below_managers(&entry.path).to_owned(), text))
        })
        .collect()
}

fn copy_tree(from: &Path, to: &Path, sandbox: &Sandbox) -> io::Result<()> {
    crate::sandbox::shared_folder(to, sandbox.group())?;
    copy_tree_into(from, to, sandbox)
}

/// Copies a tree. Files are hard-linked if possible, which costs little.
fn copy_tree_into(from: &Path, to: &Path, sandbox: &Sandbox) -> io::Result<()> {
    let mut left = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = left.pop() {
        for found in fs::read_dir(&from)? {
            let found = found?;
            let (source, target) = (found.path(), to.join(found.file_name()));
            let about = found.metadata()?;
            if about.is_dir() {
                crate::sandbox::shared_folder(&target, sandbox.group())?;
                left.push((source, target));
            } else if fs::hard_link(&source, &target).is_err() {
                use std::os::unix::fs::PermissionsExt as _;
                let executable = about.permissions().mode() & 0o100 != 0;
                show_file(&target, &fs::read(&source)?, executable, sandbox.group())?;
            }
        }
    }
    Ok(())
}

impl Solution {
    pub(super) fn prepare(runner: &Runner, place: &Path, program: &Program) -> Result<Self, Failure> {
        let role = Role::Solution;
        let sandbox = sandbox(runner, role)?;
        let name = program.path.clone();
        match program.start {
            Start::Source(language) => {
                let source = source_text(place, &program.path, role)?;
                let (toolchain, ready) = build(runner, role, language, &program.path, &source, &[])?;
                let launch = Launch::of_source(toolchain, &ready);
                Ok(Self { name, folder: ready.folder, _own: None, launch })
            }
            Start::Executable => {
                let cannot = |error: io::Error| host(role, format!("{}: {error}", program.path));
                let content = read_bounded(&place.join(&program.path), MANAGER_BYTES).map_err(cannot)?;
                let own = Temporary::new("terry-solution", sandbox).map_err(cannot)?;
                show_file(&own.0.join("program"), &content, true, sandbox.group()).map_err(cannot)?;
                let launch = Launch::of_executable("/box/program".to_owned());
                Ok(Self { name, folder: own.0.clone(), _own: Some(own), launch })
            }
        }
    }

    /// Returns the path of the solution below the task's folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn run(&self, runner: &Runner, input: &[u8], limits: &ProgramLimits) -> StepOutcome {
        match sandbox(runner, Role::Solution) {
            Ok(_) => outcome(runner, &job(&self.launch, Vec::new(), &self.folder, input, limits)),
            Err(failure) => StepOutcome::new(End::SandboxError(failure.to_string()), ""),
        }
    }
}

fn outcome(runner: &Runner, job: &Job) -> StepOutcome {
    let done = runner.run_job(job);
    let end = match done.end {
        sandbox::End::NotStarted(code) if crate::runner::is_unfit(code) => {
            let error = io::Error::from_raw_os_error(code);
            let program = job.command.first().map_or("", |word| file_name(word));
            End::CompileError(format!("{program} cannot be started here: {error}"))
        }
        end => crate::runner::told(end, job),
    };
    let measured = !matches!(end, End::SandboxError(_) | End::CompileError(_) | End::Skipped);
    let mut outcome = StepOutcome::new(end, done.output);
    outcome.stderr = done.errors;
    outcome.time_ms = measured.then_some(done.cpu.as_millis() as u64);
    outcome.memory_kb = measured.then_some(done.memory >> 10);
    outcome
}

/// Returns the job of one step.
fn job(launch: &Launch, arguments: Vec<String>, shown: &Path, input: &[u8], limits: &ProgramLimits) -> Job {
    let mut job = launch.job(arguments, shown, limits.memory_mb);
    job.input = input.to_vec();
    job.limits.cpu = limits.cpu;
    job.limits.wall = crate::sandbox::Limits::usual_wall(limits.cpu);
    job.limits.output = FILE_BYTES;
    job
}
