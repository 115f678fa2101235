//! Compilation in the sandbox, once per source. The result is cached under the hash of all inputs.

use crate::cancel::Cancel;
use crate::error::Error;
use crate::harness::{self, Prepared, SourceError};
use crate::languages::{Keep, Toolchain};
use crate::sandbox::owner;
use crate::sandbox::{
    COPIED_FILES, Collect, Collected, End, Job, Limits, MemoryLevel, Sandbox, Visible, private_folder,
    shared_parents, show_file,
};
use crate::trace;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Changes when the meaning of a cached folder changes.
const FORMAT: &str = concat!("fablegrade-runner ", env!("CARGO_PKG_VERSION"), " cache 2");
/// Prefix of the names of folders that are still being written.
const ASIDE: &str = "new";
/// An entry that was used within this time is removed only if the cache is larger than [`AT_MOST`] times its
/// size limit.
const KEPT_AT_LEAST: Duration = Duration::from_secs(3600);
const AT_MOST: u64 = 2;
/// The cache size in bytes up to which entries used within that time are always kept, so no program is
/// removed while it runs.
const RECENT_BYTES: u64 = 4 * BUILT_BYTES as u64;
/// The cache is trimmed after [`TRIM_AFTER`] insertions, or when more than one part in [`TRIM_PART`] of its
/// size limit was inserted.
const TRIM_AFTER: u64 = 64;
const TRIM_PART: u64 = 16;
/// The size of the unit in which file systems store files, in bytes. An empty file counts too.
const BLOCK: u64 = 4096;
/// The maximum total size of the files that one compilation keeps, in bytes.
const BUILT_BYTES: usize = 64 << 20;
/// The maximum number of files that the compilation of a submission keeps: few enough to be copied into each
/// sandbox.
const BUILT_FILES: usize = COPIED_FILES;

/// The reason why there is no program to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The source does not compile; contains the compiler's cleaned message.
    Compile(String),
    /// The host could not compile the source; contains the cause.
    Sandbox(String),
    /// The run was cancelled.
    Cancelled,
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Self::Compile(error.to_string())
    }
}

/// The compile commands of a toolchain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CompileCommand {
    /// The command for a program of one file.
    Program,
    /// The command for a function, which is compiled together with files of the runner.
    Function,
    /// The command for a program of several files.
    Several,
}

/// Records whether the smallest program was built, by toolchain identity and command. It is built when the
/// command first fails for a submission. A failure is not remembered, because the host can be mended.
type Proven = Mutex<BTreeMap<(String, CompileCommand), Arc<Mutex<bool>>>>;

/// A program ready to be run any number of times.
#[derive(Debug, Clone)]
pub(crate) struct Ready {
    /// The folder that appears as `/box`.
    pub(crate) folder: PathBuf,
    pub(crate) words: BTreeMap<String, String>,
}

/// Instructions for turning files into a program.
#[derive(Debug)]
pub(crate) struct Recipe<'a> {
    /// Changes when a tool is replaced.
    pub(crate) identity: &'a str,
    /// The compiler with its arguments. It finds the files in `/box` and writes its results to `/tmp/out`.
    pub(crate) command: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    /// The part of the host that the compiler sees.
    pub(crate) visible: Visible,
    pub(crate) keep: Keep,
    /// The maximum number of files that are kept if the compiler wrote them.
    pub(crate) built_files: usize,
    pub(crate) limits: Limits,
}

/// The cache of compiled programs, a folder.
#[derive(Debug)]
pub(crate) struct Cache {
    root: PathBuf,
    most_bytes: u64,
    compile_time: Duration,
    inserted: AtomicU64,
    /// The bytes that were inserted since the last trimming.
    untrimmed: AtomicU64,
    compiled: AtomicU64,
    found: AtomicU64,
    proven: Proven,
}

fn filled(template: &[String], words: &BTreeMap<String, String>) -> Vec<String> {
    template
        .iter()
        .map(|text| {
            words.iter().fold(text.clone(), |text, (word, value)| text.replace(&format!("{{{word}}}"), value))
        })
        .collect()
}

/// Returns the environment that every program has, extended by the given variables.
pub(crate) fn environment(more: &[&BTreeMap<String, String>]) -> Vec<(String, String)> {
    let mut all = BTreeMap::from(
        [("PATH", "/usr/bin:/bin"), ("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("LANG", "C.UTF-8")]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    for map in more {
        all.extend(map.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    all.into_iter().collect()
}

/// Returns the command of a template: its words in braces are replaced by programs of the toolchain and by `words`.
pub(crate) fn command(
    template: &[String],
    toolchain: &Toolchain,
    words: &BTreeMap<String, String>,
) -> Vec<String> {
    let programs =
        toolchain.programs.iter().map(|(word, path)| (word.clone(), path.to_string_lossy().into_owned()));
    let mut all = words.clone();
    all.extend(programs);
    filled(template, &all)
}

impl Cache {
    /// Opens the given folder or the default one: `/var/cache/fablegrade` if cases run as separate users,
    /// otherwise `fablegrade` in the user's cache folder, or below the temporary folder if there is none.
    pub(crate) fn open(
        wanted: Option<&Path>,
        group: Option<u32>,
        most_bytes: u64,
        compile_time: Duration,
    ) -> Result<Self, Error> {
        let root = match wanted {
            Some(root) => root.to_owned(),
            None if group.is_some() => PathBuf::from("/var/cache/fablegrade"),
            None => std::env::var_os("XDG_CACHE_HOME")
                .map(PathBuf::from)
                .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))
                .filter(|folder| folder.is_absolute())
                .unwrap_or_else(|| {
                    std::env::temp_dir().join(format!("fablegrade-cache-{}", crate::sandbox::user()))
                })
                .join("fablegrade"),
        };
        let cannot = |source: io::Error| Error::Cache { folder: root.clone(), source };
        if let Some(parent) = root.parent() {
            fs::create_dir_all(parent).map_err(cannot)?;
        }
        crate::sandbox::shared_folder(&root, group).map_err(cannot)?;
        owner::sweep(&root, ASIDE);
        Ok(Self {
            root,
            most_bytes,
            compile_time,
            inserted: AtomicU64::new(0),
            untrimmed: AtomicU64::new(0),
            compiled: AtomicU64::new(0),
            found: AtomicU64::new(0),
            proven: Mutex::default(),
        })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the compiled program, from the cache or by compiling it.
    pub(crate) fn compile(
        &self,
        sandbox: &Sandbox,
        toolchain: &Toolchain,
        language: &str,
        source: &str,
        function: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Ready, Failure> {
        let prepared = harness::prepare(language, source, function)?;
        let built = self.build(sandbox, toolchain, prepared, function, cancel);
        if let Err(Failure::Compile(_)) = &built {
            self.prove(sandbox, toolchain, language, function.is_some(), cancel)?;
        }
        built
    }

    /// Tests whether a toolchain can build the smallest program, or call its function.
    pub(crate) fn prove(
        &self,
        sandbox: &Sandbox,
        toolchain: &Toolchain,
        language: &str,
        calls: bool,
        cancel: &Cancel,
    ) -> Result<(), Failure> {
        let (command, function) = if calls {
            (CompileCommand::Function, Some(harness::SMALLEST_FUNCTION))
        } else {
            (CompileCommand::Program, None)
        };
        self.prove_command(&toolchain.identity, language, command, |smallest| {
            let prepared = harness::prepare(language, smallest, function)?;
            self.build(sandbox, toolchain, prepared, function, cancel).map(drop)
        })
    }

    /// Tests whether a compile command that has just failed can build the smallest program, which `build`
    /// does. If it cannot, for example for lack of a linker, the host is at fault. The message about a
    /// learner's source proves nothing, because the source can make it contain anything.
    pub(crate) fn prove_command(
        &self,
        identity: &str,
        language: &str,
        command: CompileCommand,
        build: impl FnOnce(&'static str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(smallest) = harness::smallest(language) else { return Ok(()) };
        let proven = {
            let mut all = self.proven.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry((identity.to_owned(), command)).or_default())
        };
        let mut proven = proven.lock().unwrap_or_else(PoisonError::into_inner);
        if *proven {
            return Ok(());
        }
        match build(smallest) {
            Ok(()) => *proven = true,
            Err(Failure::Compile(said)) => {
                return Err(Failure::Sandbox(format!(
                    "{language}: the toolchain of this host cannot build the smallest program: {said}"
                )));
            }
            // This proves nothing about the toolchain, so the learner's compile error is reported.
            Err(Failure::Sandbox(_) | Failure::Cancelled) => {}
        }
        Ok(())
    }

    /// Compiles a prepared program, or takes it from the cache.
    pub(crate) fn build(
        &self,
        sandbox: &Sandbox,
        toolchain: &Toolchain,
        prepared: Prepared,
        function: Option<&str>,
        cancel: &Cancel,
    ) -> Result<Ready, Failure> {
        let words: BTreeMap<String, String> =
            prepared.words.iter().map(|(word, value)| ((*word).to_owned(), value.clone())).collect();
        let row = &toolchain.row;
        let template = function.and(row.compile_function.as_ref()).unwrap_or(&row.compile);
        let recipe = Recipe {
            identity: &toolchain.identity,
            command: command(template, toolchain, &words),
            environment: environment(&[&row.environment, &row.compile_environment]),
            visible: toolchain.compiling.clone(),
            keep: row.keep,
            built_files: BUILT_FILES,
            limits: compiler_limits(self.compile_time, sandbox.memory_level()),
        };
        Ok(Ready { folder: self.make(sandbox, &recipe, &prepared.files, cancel)?, words })
    }

    /// Returns the folder of the program that the recipe makes of the files, from the cache or made now.
    pub(crate) fn make(
        &self,
        sandbox: &Sandbox,
        recipe: &Recipe<'_>,
        files: &[(String, Vec<u8>)],
        cancel: &Cancel,
    ) -> Result<PathBuf, Failure> {
        let folder = self.root.join(key(recipe, files));
        if folder.is_dir() {
            touch(&folder);
            self.found.fetch_add(1, Ordering::Relaxed);
            return Ok(folder);
        }
        let _span = trace::compile(recipe.identity);
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let made = run_compiler(sandbox, recipe, files, cancel)?;
        self.insert(&folder, &made, sandbox.group())
            .map_err(|error| Failure::Sandbox(format!("the compiled program cannot be kept: {error}")))?;
        Ok(folder)
    }

    /// Returns the number of programs that were compiled, and the number that were found in the cache.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.compiled.load(Ordering::Relaxed), self.found.load(Ordering::Relaxed))
    }

    /// Returns the default limits of compilers.
    pub(crate) fn compiler_limits(&self, sandbox: &Sandbox) -> Limits {
        compiler_limits(self.compile_time, sandbox.memory_level())
    }

    /// Inserts the files. They are written to a temporary folder, which is then renamed, so no reader sees an
    /// incomplete entry.
    fn insert(&self, place: &Path, files: &[Collected], group: Option<u32>) -> io::Result<()> {
        let number = self.inserted.fetch_add(1, Ordering::Relaxed);
        let bytes = files.iter().map(|file| stored(file.content.len() as u64)).sum::<u64>() + BLOCK;
        let untrimmed = self.untrimmed.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if number.is_multiple_of(TRIM_AFTER) || untrimmed > self.most_bytes / TRIM_PART {
            self.untrimmed.store(bytes, Ordering::Relaxed);
            let most_recent = self.most_bytes.saturating_mul(AT_MOST).max(RECENT_BYTES);
            trim(&self.root, self.most_bytes, most_recent, SystemTime::now());
        }
        let aside = self.root.join(owner::name(ASIDE, number));
        let _ = fs::remove_dir_all(&aside);
        crate::sandbox::shared_folder(&aside, group)?;
        let written = files.iter().try_for_each(|file| {
            let mut folder = aside.clone();
            let (parents, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            for part in parents.split('/').filter(|part| !part.is_empty()) {
                folder.push(part);
                crate::sandbox::shared_folder(&folder, group)?;
            }
            show_file(&folder.join(name), &file.content, file.executable, group)
        });
        let moved = written.and_then(|()| fs::rename(&aside, place));
        if moved.is_err() {
            let _ = fs::remove_dir_all(&aside);
        }
        // Another process may have written the same content first.
        if place.is_dir() { Ok(()) } else { moved }
    }
}

/// Notes that a program is used, because the least recently used ones are removed first.
pub(crate) fn touch(program: &Path) {
    let _ = fs::File::open(program).and_then(|folder| folder.set_modified(SystemTime::now()));
}

/// Removes the least recently used programs until the rest fits into `most_bytes`. Programs that were used
/// within [`KEPT_AT_LEAST`] are removed only until the rest fits into `most_recent` bytes. Folders with other
/// names do not belong to the cache.
fn trim(root: &Path, most_bytes: u64, most_recent: u64, now: SystemTime) {
    let is_entry = |name: &str| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut all: Vec<(SystemTime, u64, PathBuf)> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(is_entry))
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| {
            Some((entry.metadata().ok()?.modified().ok()?, size(&entry.path()), entry.path()))
        })
        .collect();
    all.sort();
    let mut total: u64 = all.iter().map(|(_, size, _)| size).sum();
    for (used, size, path) in all {
        let old = now.duration_since(used).is_ok_and(|age| age > KEPT_AT_LEAST);
        if total <= if old { most_bytes } else { most_recent } {
            break;
        }
        let _ = fs::remove_dir_all(path);
        total -= size;
    }
}

fn run_compiler(
    sandbox: &Sandbox,
    recipe: &Recipe<'_>,
    files: &[(String, Vec<u8>)],
    cancel: &Cancel,
) -> Result<Vec<Collected>, Failure> {
    let host = |error: io::Error| Failure::Sandbox(format!("no folder for the sources: {error}"));
    let folder = private_folder("compile", sandbox.group()).map_err(host)?;
    let written = files.iter().try_for_each(|(name, content)| {
        shared_parents(&folder, name, sandbox.group())?;
        show_file(&folder.join(name), content, false, sandbox.group())
    });
    let built = recipe.keep == Keep::Built;
    let collect = Collect {
        directory: "/tmp/out".to_owned(),
        bytes: BUILT_BYTES,
        files: recipe.built_files,
        always: false,
    };
    let job = Job {
        command: recipe.command.clone(),
        environment: recipe.environment.clone(),
        shown: Some(folder.clone()),
        visible: recipe.visible.clone(),
        directory: "/tmp".to_owned(),
        input: Vec::new(),
        files: Vec::new(),
        channel: false,
        collect: built.then_some(collect),
        cancel: cancel.clone(),
        limits: recipe.limits.clone(),
    };
    let outcome = written.map(|()| sandbox.run(&job));
    let _ = fs::remove_dir_all(&folder);
    let outcome = outcome.map_err(host)?;
    let limits = &job.limits;
    match outcome.end {
        End::Exited(0) if !built => Ok(files
            .iter()
            .map(|(name, content)| Collected {
                path: name.clone(),
                executable: false,
                content: content.clone(),
            })
            .collect()),
        End::Exited(0) if outcome.collected.is_empty() => {
            Err(Failure::Compile("the compiler wrote no program".to_owned()))
        }
        End::Exited(0) => Ok(outcome.collected),
        End::Exited(_) | End::Signalled(_) => {
            let said = [outcome.errors, outcome.output].concat();
            let message = harness::cleaned(&String::from_utf8_lossy(&said));
            let shown = folder.to_string_lossy();
            let message = message.replace(&format!("{shown}/"), "");
            let silent = match outcome.end {
                End::Signalled(signal) => format!("the compiler crashed (signal {signal})"),
                _ => "the compiler failed without a message; perhaps a file became too large".to_owned(),
            };
            Err(Failure::Compile(if message.is_empty() { silent } else { message }))
        }
        End::Timeout => {
            Err(Failure::Compile(format!("the compiler took more than {} s", limits.cpu.as_secs())))
        }
        End::MemoryExceeded => {
            Err(Failure::Compile(format!("the compiler needed more than {} MiB", limits.memory >> 20)))
        }
        End::OutputLimit => Err(Failure::Compile("the compiler wrote too much".to_owned())),
        End::NotStarted(code) => Err(Failure::Sandbox(format!(
            "{} cannot be started in the sandbox: {}",
            job.command.first().map_or("", String::as_str),
            io::Error::from_raw_os_error(code)
        ))),
        End::Cancelled => Err(Failure::Cancelled),
        End::Trouble(cause) => Err(Failure::Sandbox(cause)),
    }
}

/// Returns the space that a file of this size takes.
fn stored(bytes: u64) -> u64 {
    bytes.max(1).next_multiple_of(BLOCK)
}

fn size(folder: &Path) -> u64 {
    let mut total = 0;
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        total += BLOCK;
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(about) if about.is_dir() => left.push(entry.path()),
                Ok(about) => total += stored(about.len()),
                Err(_) => {}
            }
        }
    }
    total
}

fn compiler_limits(cpu: Duration, level: MemoryLevel) -> Limits {
    Limits {
        cpu,
        wall: Limits::usual_wall(cpu),
        memory: 1 << 30,
        reserve: if level == MemoryLevel::Approximate { 3 << 30 } else { 0 },
        stack: 64 << 20,
        processes: 256,
        files: 768 << 20,
        names: 50_000,
        file: 64 << 20,
        output: 64 << 10,
        errors_kept: 256 << 10,
        errors: 16 << 20,
        channel: 0,
    }
}

fn key(recipe: &Recipe<'_>, files: &[(String, Vec<u8>)]) -> String {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(FORMAT.as_bytes());
    add(recipe.identity.as_bytes());
    for word in &recipe.command {
        add(word.as_bytes());
    }
    for (name, value) in &recipe.environment {
        add(format!("{name}={value}").as_bytes());
    }
    for (name, content) in files {
        add(name.as_bytes());
        add(content);
    }
    hash.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, KEPT_AT_LEAST, trim};
    use std::fs;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_least_recently_used_programs_are_removed_and_recent_ones_beyond_twice_the_size() {
        let root = std::env::temp_dir().join(format!("fablegrade-test-trim-{}", std::process::id()));
        let now = SystemTime::now();
        let old = now - KEPT_AT_LEAST - Duration::from_secs(100);
        let fill = |count: u64, since: SystemTime| {
            let _ = fs::remove_dir_all(&root);
            let names = (0..count).map(|number| format!("{number:064x}")).chain(["mine".to_owned()]);
            for (seconds, name) in (0..).zip(names) {
                let folder = root.join(&name);
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("program"), "x").unwrap();
                let used = since + Duration::from_secs(seconds);
                fs::File::open(&folder).unwrap().set_modified(used).unwrap();
            }
        };
        let left = || {
            let mut all: Vec<String> = fs::read_dir(&root)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            all.sort();
            all.iter().map(|name| name.trim_start_matches('0').to_owned()).collect::<Vec<_>>()
        };
        // Each takes two blocks.
        let most = 4 * BLOCK;
        fill(6, old);
        trim(&root, most, 2 * most, now);
        assert_eq!(left(), ["4", "5", "mine"]);
        fill(6, now - Duration::from_secs(100));
        trim(&root, most, 2 * most, now);
        assert_eq!(left(), ["2", "3", "4", "5", "mine"]);
        fill(4, now - Duration::from_secs(100));
        trim(&root, most, 2 * most, now);
        assert_eq!(left(), ["", "1", "2", "3", "mine"]);
        fs::remove_dir_all(root).unwrap();
    }
}
