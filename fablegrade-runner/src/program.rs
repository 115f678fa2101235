//! Programs of several files, in a language of the table or with their own scripts. They are built once and
//! run any number of times.

use crate::cancel::Cancel;
use crate::compile::{self, CompileCommand, Failure, Recipe};
use crate::harness;
use crate::languages::{Keep, Several, Toolchain};
use crate::launch::Launch;
use crate::runner::Runner;
use crate::sandbox::{COPIED_FILES, Job, Limits, MemoryLevel, Visible, mebibytes};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The maximum number of files of one program.
const FILES: usize = 2_000;
/// The maximum number of files of a built program: its own, which scripts can keep, and those that its build
/// adds.
const BUILT_FILES: usize = FILES + COPIED_FILES;
/// The maximum total size of a program's files, in bytes.
const BYTES: usize = 64 << 20;
/// Copies a program's folder and runs its `build` script in the copy, which is kept. A `run` that exists
/// already is made executable too.
const BUILD: &str = "cp -r /box/. /tmp/out && cd /tmp/out && chmod -R u+w . && chmod +x build && \
                     if [ -f run ]; then chmod +x run; fi && ./build";
/// The same for a program without `build`.
const COPY: &str = "cp -r /box/. /tmp/out && cd /tmp/out && chmod -R u+w . && chmod +x run";

/// A program as its author wrote it.
#[derive(Debug, Clone)]
pub struct ProgramSource {
    /// The files of the program. Their paths are below the program's folder, with `/` between their parts,
    /// and without `.` and `..`.
    pub files: Vec<(String, Vec<u8>)>,
    /// The way to build and start it.
    pub form: ProgramForm,
}

/// The way to build and start a program of several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramForm {
    /// A program in a language of the table.
    Language {
        /// The name of the language in the table.
        language: String,
        /// The file to start, by its path or by its name without ending, or for Java the class. If absent,
        /// the first source file.
        entry: Option<String>,
    },
    /// A program with its own scripts: `build`, if it exists, is run in a copy of the folder, then `run` is
    /// started.
    Scripts,
}

/// Limits of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildLimits {
    /// CPU time; the wall-clock limit is twice that plus one second.
    pub cpu: Duration,
    /// Memory in MiB.
    pub memory_mb: u64,
}

impl Default for BuildLimits {
    /// Returns 60 s and 2 GiB.
    fn default() -> Self {
        Self { cpu: Duration::from_secs(60), memory_mb: 2048 }
    }
}

/// The reason why a program cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The program is invalid or does not compile; contains the reason or the compiler's message.
    #[error("{0}")]
    Compile(String),
    /// The program cannot be built on this host; contains what is missing.
    #[error("{0}")]
    Unsupported(String),
    /// The host failed; contains the cause.
    #[error("{0}")]
    Host(String),
    /// The token was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<Failure> for BuildError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Compile(said) => Self::Compile(said),
            Failure::Sandbox(cause) => Self::Host(cause),
            Failure::Cancelled => Self::Cancelled,
        }
    }
}

/// A program that is ready to run.
#[derive(Debug, Clone)]
pub struct Program {
    folder: PathBuf,
    launch: Launch,
    /// True for a program with its own scripts, which starts in its own folder.
    scripts: bool,
}

impl Program {
    /// Returns a job that runs the program with these arguments. Its memory limit is `memory_mb` (MiB) plus
    /// the memory that the language's runtime needs. A program with scripts starts in its own folder, all
    /// others in `/tmp`.
    pub fn job(&self, arguments: Vec<String>, memory_mb: u64) -> Job {
        compile::touch(&self.folder);
        let mut job = self.launch.job(arguments, &self.folder, memory_mb);
        if self.scripts {
            "/box".clone_into(&mut job.directory);
        }
        job
    }
}

fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, ending)| ending)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns whether a path stays below its folder.
fn is_below(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | "..") && !part.contains('\0'))
}

impl Runner {
    /// Builds a program, or takes it from the cache of compiled programs.
    ///
    /// # Errors
    /// The program is invalid or does not compile, this host has no tools for it or cannot run them, or the
    /// token is cancelled.
    pub fn build(
        &self,
        source: &ProgramSource,
        limits: &BuildLimits,
        cancel: &Cancel,
    ) -> Result<Program, BuildError> {
        let bytes: usize = source.files.iter().map(|(_, content)| content.len()).sum();
        if source.files.len() > FILES || bytes > BYTES {
            let most = BYTES >> 20;
            return Err(BuildError::Compile(format!("a program has at most {FILES} files and {most} MiB")));
        }
        if let Some((path, _)) = source.files.iter().find(|(path, _)| !is_below(path)) {
            return Err(BuildError::Compile(format!("{path:?} is not a path of a file in a program")));
        }
        match &source.form {
            ProgramForm::Scripts => self.build_by_script(source, limits, cancel),
            ProgramForm::Language { language, entry } => {
                self.build_by_language(source, language, entry.as_deref(), limits, cancel)
            }
        }
    }

    fn build_by_script(
        &self,
        source: &ProgramSource,
        limits: &BuildLimits,
        cancel: &Cancel,
    ) -> Result<Program, BuildError> {
        let has = |name: &str| source.files.iter().any(|(path, _)| path == name);
        if !has("build") && !has("run") {
            return Err(BuildError::Compile("there is neither `build` nor `run`".to_owned()));
        }
        let script = if has("build") { BUILD } else { COPY };
        let recipe = Recipe {
            identity: "scripts",
            command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
            environment: compile::environment(&[]),
            visible: Visible::system(),
            keep: Keep::Built,
            built_files: BUILT_FILES,
            limits: self.building(limits)?,
        };
        let folder = self.make(&recipe, &source.files, cancel)?;
        if !folder.join("run").is_file() {
            return Err(BuildError::Compile("`build` has made no `run`".to_owned()));
        }
        Ok(Program { folder, launch: Launch::of_executable("/box/run".to_owned()), scripts: true })
    }

    fn build_by_language(
        &self,
        source: &ProgramSource,
        language: &str,
        entry: Option<&str>,
        limits: &BuildLimits,
        cancel: &Cancel,
    ) -> Result<Program, BuildError> {
        let toolchain =
            self.toolchain(language).map_err(|why| BuildError::Unsupported(format!("{language}: {why}")))?;
        let several = toolchain.row.several.as_ref().ok_or_else(|| {
            BuildError::Unsupported(format!("{language}: the language table has no `several`"))
        })?;
        let claims =
            |path: &str| ending(path).is_some_and(|end| several.endings.iter().any(|one| one == end));
        let sources: Vec<&str> =
            source.files.iter().map(|(path, _)| path.as_str()).filter(|path| claims(path)).collect();
        // The file to start, found by its path or by its class.
        let named = entry.and_then(|entry| {
            let has = |path: &str| source.files.iter().any(|(known, _)| known == path);
            let class = entry.rsplit('.').next().unwrap_or(entry);
            if has(entry) { Some(entry) } else { sources.iter().copied().find(|path| stem(path) == class) }
        });
        let started = match (named, entry, sources.first().copied()) {
            (Some(path), ..) | (None, None, Some(path)) => path,
            // A class can be in a file with another name.
            (None, Some(_), Some(path)) if language == "java" => path,
            (None, Some(entry), _) => {
                return Err(BuildError::Compile(format!("there is no {entry} to be started")));
            }
            (None, None, None) => {
                let endings = several.endings.join(", ");
                return Err(BuildError::Compile(format!("there is no source file (.{endings})")));
            }
        };
        let class = (language == "java").then(|| java_class(source, started, entry));
        let words = words(started, class);
        let recipe = recipe(toolchain, several, &words, &sources, self.building(limits)?);
        let folder = match self.make(&recipe, &source.files, cancel) {
            Err(BuildError::Compile(said)) => {
                self.prove_several(toolchain, language, several, cancel)?;
                return Err(BuildError::Compile(said));
            }
            made => made?,
        };
        self.resident.keep(language, &toolchain.running.places);
        let command = compile::command(&several.run, toolchain, &words);
        Ok(Program { folder, launch: Launch::of(toolchain, command), scripts: false })
    }

    /// Tests, after a failed build, whether the toolchain can build the smallest program with its command for
    /// several files.
    fn prove_several(
        &self,
        toolchain: &Toolchain,
        language: &str,
        several: &Several,
        cancel: &Cancel,
    ) -> Result<(), BuildError> {
        let (Some(sandbox), Ok(cache), Some(ending)) =
            (self.sandbox(), self.cache(), several.endings.first())
        else {
            return Ok(());
        };
        let path = format!("Main.{ending}");
        let words = words(&path, (language == "java").then(|| "Main".to_owned()));
        // The default limits, because those of the program can be too low to build anything.
        let limits = self.building(&BuildLimits::default())?;
        let recipe = recipe(toolchain, several, &words, &[&path], limits);
        Ok(cache.prove_command(&toolchain.identity, language, CompileCommand::Several, |smallest| {
            cache.make(sandbox, &recipe, &[(path.clone(), smallest.into())], cancel).map(drop)
        })?)
    }

    fn building(&self, limits: &BuildLimits) -> Result<Limits, BuildError> {
        let sandbox =
            self.sandbox().ok_or_else(|| BuildError::Host(self.trouble().unwrap_or_default().to_owned()))?;
        let usual =
            self.cache().map_err(|error| BuildError::Host(error.to_string()))?.compiler_limits(sandbox);
        let memory = mebibytes(limits.memory_mb);
        Ok(Limits {
            cpu: limits.cpu,
            wall: Limits::usual_wall(limits.cpu),
            memory,
            reserve: if sandbox.memory_level() == MemoryLevel::Approximate { 3 << 30 } else { 0 },
            ..usual
        })
    }

    fn make(
        &self,
        recipe: &Recipe<'_>,
        files: &[(String, Vec<u8>)],
        cancel: &Cancel,
    ) -> Result<PathBuf, BuildError> {
        let sandbox =
            self.sandbox().ok_or_else(|| BuildError::Host(self.trouble().unwrap_or_default().to_owned()))?;
        let cache = self.cache().map_err(|error| BuildError::Host(error.to_string()))?;
        match cache.make(sandbox, recipe, files, cancel) {
            // Once more, if the sandbox still passes its self-test.
            Err(Failure::Sandbox(_)) => {
                sandbox.test().map_err(|error| BuildError::Host(error.to_string()))?;
                Ok(cache.make(sandbox, recipe, files, cancel)?)
            }
            made => Ok(made?),
        }
    }
}

/// Returns the values of the placeholders `{entry}` and, for Java, `{main}`.
fn words(entry: &str, class: Option<String>) -> BTreeMap<String, String> {
    let entry = Some(("entry".to_owned(), entry.to_owned()));
    entry.into_iter().chain(class.map(|class| ("main".to_owned(), class))).collect()
}

/// Returns the instructions for building a program of several files.
fn recipe<'t>(
    toolchain: &'t Toolchain,
    several: &Several,
    words: &BTreeMap<String, String>,
    sources: &[&str],
    limits: Limits,
) -> Recipe<'t> {
    let row = &toolchain.row;
    let mut command = compile::command(&several.compile, toolchain, words);
    if let Some(at) = command.iter().position(|word| word == "{sources}") {
        command.splice(at..=at, sources.iter().map(|path| format!("/box/{path}")));
    }
    Recipe {
        identity: &toolchain.identity,
        command,
        environment: compile::environment(&[&row.environment, &row.compile_environment]),
        visible: toolchain.compiling.clone(),
        keep: row.keep,
        built_files: BUILT_FILES,
        limits,
    }
}

/// Returns the class to start, with its package.
fn java_class(source: &ProgramSource, started: &str, entry: Option<&str>) -> String {
    let text = source.files.iter().find(|(path, _)| path == started).map(|(_, content)| content);
    let found = text.and_then(|text| harness::java_class(&String::from_utf8_lossy(text)));
    match (entry, found) {
        // A class with its full name.
        (Some(entry), _) if entry.contains('.') && !entry.ends_with(".java") => entry.to_owned(),
        (Some(entry), Some(found)) => {
            let package =
                found.rsplit_once('.').map(|(package, _)| format!("{package}.")).unwrap_or_default();
            format!("{package}{}", stem(entry))
        }
        (None, Some(found)) => found,
        (entry, None) => entry.map_or("Main", stem).to_owned(),
    }
}
