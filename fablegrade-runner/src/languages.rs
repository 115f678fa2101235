//! The language table, and the matching toolchains of this host.

use crate::error::Error;
use crate::sandbox::{Places, Visible};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const BUILT_IN: &str = include_str!("languages.json");

/// A row of the table: how a language is compiled and run. Words in braces are replaced: `{name of a
/// program}`, `{name}` (the function), and `{memory}` (MiB) in commands that run programs. Some words exist
/// only in some languages: `{file}` (the solution, in JavaScript and Java), `{unit}` (the file to compile, in
/// C, C++, Java and Rust), `{main}` (Java's class).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Row {
    /// Programs, by the word that commands use for them, each with the names to search for.
    pub programs: BTreeMap<String, Vec<String>>,
    /// The packages to install on Debian if a program is missing.
    pub packages: String,
    /// Name of the source file.
    pub solution: String,
    /// The command that compiles the files in `/box` into `/tmp/out`, or only checks them if just the sources
    /// are kept.
    pub compile: Vec<String>,
    /// The compile command in function mode, if it differs.
    #[serde(default)]
    pub compile_function: Option<Vec<String>>,
    /// The command that runs the program.
    pub run: Vec<String>,
    /// The command that runs the harness, if it differs.
    #[serde(default)]
    pub run_function: Option<Vec<String>>,
    /// Environment of the program; `PATH`, `HOME`, `LANG` and `TMPDIR` are always set.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Further environment of the compiler.
    #[serde(default)]
    pub compile_environment: BTreeMap<String, String>,
    /// Further host paths that compilers see, and programs too if `runtime` is given. A `*` at the end
    /// matches any rest of the name. Missing paths are ignored, here and in `runtime`.
    #[serde(default)]
    pub read_only: Vec<String>,
    /// The part of the host that a running program sees, in addition to the programs of its command and their
    /// libraries. `{prefix}` is the parent of the `bin` folder of the command's program. If absent, all of
    /// `/usr`.
    #[serde(default)]
    pub runtime: Option<Vec<String>>,
    /// Names of the libraries that compiled programs load; shown to them if `runtime` is given.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// The files of a compilation that are kept.
    #[serde(default)]
    pub keep: Keep,
    /// The commands for programs of several files; if absent, the language does not support them.
    #[serde(default)]
    pub several: Option<Several>,
    /// Memory that the runtime itself needs, in MiB, on top of the question's limit.
    #[serde(default)]
    pub memory_mb: u64,
    /// Address space for data that the runtime reserves, in MiB; used if memory is only measured
    /// approximately.
    #[serde(default)]
    pub reserve_mb: u64,
    /// Stack in MiB; if absent, derived from the memory limit.
    #[serde(default)]
    pub stack_mb: Option<u64>,
    /// The maximum number of processes and threads; 64 if absent.
    #[serde(default)]
    pub processes: Option<u32>,
}

/// The commands for programs of several files, which are all in `/box`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Several {
    /// Endings of source files, without dots.
    pub endings: Vec<String>,
    /// Works like [`Row::compile`]; `{sources}` is replaced by all source files, `{entry}` by the file to
    /// start.
    pub compile: Vec<String>,
    /// Works like [`Row::run`], with `{entry}`; `{main}` is the class to start.
    pub run: Vec<String>,
}

/// The files of a compilation that are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Keep {
    /// The files that the compiler wrote to `/tmp/out`.
    #[default]
    Built,
    /// The sources; the compiler only checked them.
    Sources,
}

/// All rows, by name of the language.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct Languages(pub BTreeMap<String, Row>);

impl Languages {
    /// Returns the built-in table.
    pub fn built_in() -> Self {
        serde_json::from_str(BUILT_IN).unwrap_or_else(|_| Self(BTreeMap::new()))
    }

    /// Replaces or adds the rows of a JSON document, which has the same form as the built-in table.
    pub fn replace_from_json(&mut self, text: &str) -> Result<(), Error> {
        let rows: Self = serde_json::from_str(text)?;
        self.0.extend(rows.0);
        Ok(())
    }
}

/// The reason why a language cannot be used on this host.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ToolchainError {
    /// The language is not in the table.
    #[error("not in the language table")]
    Unlisted,
    /// A program is not installed under any of its names.
    #[error("{} is not installed (Debian: {packages})", names.join(" or "))]
    NotInstalled {
        /// The names that were searched for.
        names: Vec<String>,
        /// The packages to install.
        packages: String,
    },
    /// A program is installed, but the users that cases run as cannot start it.
    #[error("{} cannot be used by other users because {} is closed to them; install {packages} for all users", program.display(), closed.display())]
    Closed {
        /// The program.
        program: PathBuf,
        /// The part of its path that is closed: a folder, or the program's file.
        closed: PathBuf,
        /// The packages to install.
        packages: String,
    },
    /// A program is rustup's proxy, and no toolchain is installed for it.
    #[error("{} is rustup without a toolchain; install {packages} for all users", program.display())]
    RustupWithoutToolchain {
        /// The proxy.
        program: PathBuf,
        /// The packages to install.
        packages: String,
    },
    /// A program or a path that the row names cannot be inspected or shown to the compiler.
    #[error("{}: {source}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        source: Arc<io::Error>,
    },
    /// Solutions are run with a program outside the system's folders, and the row has no `runtime`, so the
    /// sandbox would hide the program.
    #[error("{} is outside /usr, where running programs cannot see it; add `runtime` to the row, for example [\"{{prefix}}/lib\"]", program.display())]
    Hidden {
        /// The program.
        program: PathBuf,
    },
    /// A file that running programs need cannot be made visible to them.
    #[error("{what}: {source}; install {packages}, or change `runtime` and `libraries` of the row")]
    Runtime {
        /// A path or the name of a library.
        what: String,
        /// The cause.
        source: Arc<io::Error>,
        /// The packages to install.
        packages: String,
    },
}

impl ToolchainError {
    fn file(path: &Path, source: io::Error) -> Self {
        Self::File { path: path.to_owned(), source: Arc::new(source) }
    }
}

/// A row of the language table and its programs on this host.
#[derive(Debug, Clone)]
pub struct Toolchain {
    pub(crate) row: Row,
    pub(crate) programs: BTreeMap<String, PathBuf>,
    /// The part of the host that a compiler sees.
    pub(crate) compiling: Visible,
    /// The part of the host that a running program sees.
    pub(crate) running: Visible,
    /// Changes when a program is replaced.
    pub(crate) identity: String,
}

/// Directories that a compiler always sees, and a running program too if its row has no `runtime`.
const SHOWN: &[&str] = &["/usr", "/bin", "/sbin", "/lib", "/lib64"];
/// The folders and files of a toolchain outside `/usr` that are shown. Others next to its `bin` are not.
const PARTS: &[&str] = &[
    "bin", "conf", "etc", "go.env", "include", "jmods", "lib", "lib64", "libexec", "pkg", "release", "share",
    "src", "VERSION",
];
/// The locale data that the C library reads by itself.
const LOCALE: &str = "/usr/lib/locale/C.utf8";

impl Toolchain {
    /// Finds the programs of a row. With `strangers`, users other than their owner must be able to start
    /// them.
    ///
    /// # Errors
    /// A program, or a file that programs need, is missing or cannot be used. Most errors name the packages
    /// to install.
    pub fn find(row: &Row, strangers: bool) -> Result<Self, ToolchainError> {
        let mut found = Self {
            row: row.clone(),
            programs: BTreeMap::new(),
            compiling: Visible::system(),
            running: Visible::system(),
            identity: String::new(),
        };
        let mut compiling = Places::default();
        for (word, names) in &row.programs {
            let mut reason =
                ToolchainError::NotInstalled { names: names.clone(), packages: row.packages.clone() };
            let mut chosen = None;
            for candidate in candidates(names) {
                match usable(&candidate, strangers, &row.packages) {
                    Ok(program) => {
                        chosen = Some(program);
                        break;
                    }
                    Err(why) => reason = why,
                }
            }
            let program = chosen.ok_or(reason)?;
            let cannot = |error| ToolchainError::file(&program, error);
            let about = std::fs::metadata(&program).map_err(cannot)?;
            let (place, size) = (program.display(), about.size());
            let changed = (about.mtime(), about.mtime_nsec());
            found.identity +=
                &[word.as_str(), &place.to_string(), &size.to_string(), &format!("{changed:?}"), ""]
                    .join(";");
            show_tool_chain(&program, &mut compiling).map_err(cannot)?;
            found.programs.insert(word.clone(), program);
        }
        for place in row.read_only.iter().flat_map(|pattern| matching(pattern)) {
            compiling.show(&place).map_err(|error| ToolchainError::file(&place, error))?;
        }
        found.compiling.places = Arc::new(compiling);
        if let Some(runtime) = &row.runtime {
            let places = found.show_runtime(runtime)?;
            found.running = Visible { system: false, places: Arc::new(places) };
        }
        Ok(found)
    }

    /// Collects what a running program needs to see, and nothing else.
    fn show_runtime(&self, runtime: &[String]) -> Result<Places, ToolchainError> {
        let mut places = Places::default();
        let cannot = |what: String, source: io::Error| ToolchainError::Runtime {
            what,
            source: Arc::new(source),
            packages: self.row.packages.clone(),
        };
        let mut show = |path: &Path| {
            places.show(path).map_err(|error| cannot(format!("{} cannot be shown", path.display()), error))
        };
        let mut prefix = PathBuf::from("/usr");
        for program in self.programs_at_run_time() {
            let real = show(program)?;
            real.parent().and_then(Path::parent).unwrap_or(Path::new("/")).clone_into(&mut prefix);
        }
        let prefix = prefix.to_string_lossy();
        let more = runtime.iter().map(|pattern| pattern.replace("{prefix}", &prefix));
        for pattern in more.chain(self.row.read_only.iter().cloned()).chain([LOCALE.to_owned()]) {
            for place in matching(&pattern) {
                show(&place)?;
            }
        }
        for name in &self.row.libraries {
            places.show_library(name).map_err(|error| cannot(format!("{name} is needed"), error))?;
        }
        Ok(places)
    }

    /// Returns the programs that the commands of the row start to run a solution.
    fn programs_at_run_time(&self) -> impl Iterator<Item = &Path> {
        let row = &self.row;
        let several = row.several.as_ref().map(|several| several.run.as_slice());
        let commands = [Some(row.run.as_slice()), row.run_function.as_deref(), several];
        let starts = move |word: &str| {
            let name = format!("{{{word}}}");
            commands.iter().flatten().any(|command| command.iter().any(|text| text.contains(&name)))
        };
        self.programs.iter().filter(move |(word, _)| starts(word)).map(|(_, program)| program.as_path())
    }

    /// Returns an error if a sandbox hides a program that a solution is run with: without `runtime`, running
    /// programs see only the system's folders.
    pub(crate) fn check_runs_in_sandbox(&self) -> Result<(), ToolchainError> {
        if !self.running.system {
            return Ok(());
        }
        match self.programs_at_run_time().find(|program| !is_in_system(program)) {
            Some(program) => Err(ToolchainError::Hidden { program: program.to_owned() }),
            None => Ok(()),
        }
    }

    /// Shows folders to running programs as copies in memory, which the group can read.
    pub(crate) fn copy_folders(&mut self, group: Option<u32>) {
        let mut places = Places::clone(&self.running.places);
        places.copy_folders(group);
        self.running.places = Arc::new(places);
    }

    /// Returns the reasons why running programs share folders with each other, one sentence each; usually
    /// empty.
    pub fn shared_folders(&self) -> &[String] {
        self.running.places.uncopied()
    }

    /// Returns the first program of the toolchain, in the alphabetical order of the words that commands use;
    /// `None` if the row lists no programs.
    pub fn program(&self) -> Option<&Path> {
        self.programs.values().next().map(PathBuf::as_path)
    }
}

fn candidates(names: &[String]) -> Vec<PathBuf> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let folders = ["/usr/bin", "/usr/local/bin"].iter().map(PathBuf::from);
    let folders: Vec<_> =
        folders.chain(std::env::split_paths(&search).filter(|folder| folder.is_absolute())).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .filter(|path| path.is_file())
        .collect()
}

fn is_in_system(path: &Path) -> bool {
    SHOWN.iter().any(|folder| path.starts_with(folder))
}

/// Returns the path by which the program can be started in the sandbox.
fn usable(candidate: &Path, strangers: bool, packages: &str) -> Result<PathBuf, ToolchainError> {
    let real = candidate.canonicalize().map_err(|error| ToolchainError::file(candidate, error))?;
    if is_in_system(candidate) && is_in_system(&real) {
        return Ok(candidate.to_owned());
    }
    let real = if real.file_name().is_some_and(|name| name == "rustup") {
        // rustup's proxy chooses a toolchain by files in the home directory.
        let asked = Command::new(candidate).args(["--print", "sysroot"]).output();
        let sysroot = asked
            .ok()
            .filter(|done| done.status.success())
            .and_then(|done| String::from_utf8(done.stdout).ok());
        match sysroot {
            Some(sysroot) => {
                Path::new(sysroot.trim()).join("bin").join(candidate.file_name().unwrap_or_default())
            }
            None => {
                let (program, packages) = (candidate.to_owned(), packages.to_owned());
                return Err(ToolchainError::RustupWithoutToolchain { program, packages });
            }
        }
    } else {
        real
    };
    if strangers {
        let closed = real.ancestors().find(|part| {
            std::fs::metadata(part).map_or(true, |about| about.permissions().mode() & 0o001 == 0)
        });
        if let Some(closed) = closed {
            let (closed, packages) = (closed.to_owned(), packages.to_owned());
            return Err(ToolchainError::Closed { program: real, closed, packages });
        }
    }
    Ok(real)
}

/// Shows a compiler the toolchain that its program belongs to. Within `/usr`, this is the toolchain's folder
/// with the targets of its links; elsewhere, only the known parts of that folder.
fn show_tool_chain(program: &Path, places: &mut Places) -> std::io::Result<()> {
    let real = program.canonicalize()?;
    let prefix = real.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    if ["/", "/usr", "/usr/local"].iter().any(|folder| prefix == Path::new(folder)) {
        return Ok(());
    }
    places.show(program)?;
    if prefix.starts_with("/usr") {
        places.show(prefix)?;
    } else if !is_home(prefix) {
        for part in PARTS.iter().map(|part| prefix.join(part)).filter(|part| part.exists()) {
            places.show(&part)?;
        }
    }
    Ok(())
}

/// Returns whether the folder is a home directory, whose subfolders do not belong to a toolchain.
fn is_home(folder: &Path) -> bool {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let listed =
        users.lines().filter_map(|line| line.split(':').nth(5)).any(|home| Path::new(home) == folder);
    let own = std::env::var_os("HOME").is_some_and(|home| Path::new(&home) == folder);
    listed || own || folder == Path::new("/root") || folder.parent() == Some(Path::new("/home"))
}

fn matching(pattern: &str) -> Vec<PathBuf> {
    let Some(start) = pattern.strip_suffix('*') else {
        return Some(PathBuf::from(pattern)).filter(|path| path.exists()).into_iter().collect();
    };
    let start = Path::new(start);
    let (Some(folder), Some(prefix)) = (start.parent(), start.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::{Languages, Toolchain, ToolchainError};

    #[test]
    fn the_built_in_table_has_the_seven_languages() {
        let words: Vec<_> = Languages::built_in().0.into_keys().collect();
        assert_eq!(words, ["c", "cpp", "go", "java", "javascript", "python", "rust"]);
    }

    #[test]
    fn a_program_that_the_sandbox_would_hide_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = std::env::temp_dir().join(format!("fablegrade-test-hidden-{}", std::process::id()));
        let program = root.join("bin/interpret");
        std::fs::create_dir_all(root.join("bin")).unwrap();
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let check = |more: &str| {
            let mut table = Languages::built_in();
            let row = format!(
                r#"{{"x":{{"programs":{{"it":[{program:?}]}},"packages":"it","solution":"a","compile":["{{it}}"]{more}}}}}"#
            );
            table.replace_from_json(&row).unwrap();
            Toolchain::find(&table.0["x"], false).unwrap().check_runs_in_sandbox()
        };
        let refused = check(r#","run":["{it}"]"#).unwrap_err();
        assert!(
            matches!(&refused, ToolchainError::Hidden { program: told } if *told == program),
            "{refused}"
        );
        assert!(refused.to_string().contains(r#"["{prefix}/lib"]"#), "{refused}");
        assert!(check(r#","run":["{it}"],"runtime":[]"#).is_ok());
        // Only the compiler needs it.
        assert!(check(r#","run":["/box/program"]"#).is_ok());
        assert!(check(r#","run":["/box/program"],"runFunction":["{it}"]"#).is_err());
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_host_replaces_rows_and_a_misspelt_field_is_refused() {
        let mut table = Languages::built_in();
        let row = r#"{"programs":{"gcc":["clang"]},"packages":"clang","solution":"solution.c",
            "compile":["{gcc}","/box/{unit}"],"run":["/box/a.out"]}"#;
        table.replace_from_json(&format!(r#"{{"c":{row}}}"#)).unwrap();
        assert_eq!(table.0["c"].programs["gcc"], ["clang"]);
        assert_eq!(table.0["cpp"].programs["gxx"], ["g++", "c++"]);
        let error = table.replace_from_json(r#"{"c":{"program":{}}}"#).unwrap_err();
        assert!(error.to_string().contains("program"), "{error}");
    }
}
