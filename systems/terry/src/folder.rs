//! The folder of a task as data: managers with their platforms, solutions, statement, and findings about them.

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::Finding;

use crate::evaluation::Role;
use crate::platform::{Fit, Head, Platform};
use crate::task::{FileFinding, distance};

/// A file of a task's folder, as a host found it. Folders are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The path relative to the task's folder, with `/` as the separator.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// Whether the file is executable (false on systems without this flag).
    pub executable: bool,
    /// Its first bytes; 64 are enough.
    pub head: Vec<u8>,
    /// The time of the last change, in seconds since any fixed moment.
    pub changed: Option<u64>,
}

impl Entry {
    /// Creates a file that is not executable.
    pub fn new(path: impl Into<String>, size: u64, head: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), size, executable: false, head: head.into(), changed: None }
    }
}

/// A language in which solutions and managers can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// C
    C,
    /// C++
    Cpp,
    /// Go
    Go,
    /// Java
    Java,
    /// JavaScript (node)
    Javascript,
    /// Python 3
    Python,
    /// Rust
    Rust,
}

impl Language {
    const EXTENSIONS: &'static [(&'static str, Self)] = &[
        ("c", Self::C),
        ("cc", Self::Cpp),
        ("cpp", Self::Cpp),
        ("cxx", Self::Cpp),
        ("go", Self::Go),
        ("java", Self::Java),
        ("js", Self::Javascript),
        ("mjs", Self::Javascript),
        ("py", Self::Python),
        ("rs", Self::Rust),
    ];

    /// Returns the language that the extension of a file name indicates.
    pub fn of(path: &str) -> Option<Self> {
        let (stem, extension) = file_name(path).rsplit_once('.')?;
        let known = Self::EXTENSIONS.iter().find(|(known, _)| *known == extension);
        known.filter(|_| !stem.is_empty()).map(|(_, language)| *language)
    }

    /// Returns the language's name in Fablegrade.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Go => "go",
            Self::Java => "java",
            Self::Javascript => "javascript",
            Self::Python => "python",
            Self::Rust => "rust",
        }
    }
}

/// The way a program is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// The file itself is started.
    Executable,
    /// The source is built or interpreted.
    Source(Language),
}

/// A program of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Program {
    /// The path relative to the task's folder.
    pub path: String,
    /// The way to start it.
    pub start: Start,
}

impl Program {
    /// Returns the program in a file: a source in a known language, or a program or script (by its first bytes) that
    /// is executable or has a platform in its name. `None` if neither.
    pub fn of(entry: &Entry) -> Option<Self> {
        let startable = !matches!(Head::of(&entry.head), Head::NoProgram);
        let named = Platform::split(file_name(&entry.path)).is_some();
        let start = match Language::of(&entry.path) {
            Some(language) => Start::Source(language),
            None if startable && (entry.executable || named) => Start::Executable,
            None => return None,
        };
        Some(Self { path: entry.path.clone(), start })
    }
}

/// The kind of manager files that a host prefers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Preference {
    /// Executables, as on a server; a source if there is no executable for the platform.
    #[default]
    Executables,
    /// Sources, for authors who have not built the managers yet; an executable if there is no source.
    Sources,
}

/// The contents of a task's folder.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    executables: BTreeMap<Role, Vec<(String, String, Entry)>>,
    sources: BTreeMap<Role, Vec<(Language, Entry)>>,
    solutions: Vec<Program>,
    managers: Vec<Entry>,
    findings: Vec<FileFinding>,
}

const ROLES: [Role; 4] = [Role::Generator, Role::Validator, Role::Checker, Role::Solution];

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Folder {
    /// Classifies the files of a folder. The author's mistakes are in [`Folder::findings`].
    pub fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let mut folder = Self::default();
        let mut statement = false;
        let mut metadata = false;
        for entry in entries {
            match entry.path.split_once('/') {
                None if entry.path == "task.yaml" => metadata = true,
                None if entry.path == "task.yml" => folder.warn(
                    &entry.path,
                    "metadata-name",
                    "terry reads task.yaml, not task.yml",
                    "rename the file",
                ),
                // Only files directly in `managers/` can be managers; they may need any file below it.
                Some(("managers", name)) if name.contains('/') => folder.managers.push(entry),
                Some(("managers", _)) => folder.add_manager(entry),
                Some(("solutions", name)) if !name.contains('/') => folder.add_solution(entry),
                Some(("statement", "statement.md")) => {
                    statement = true;
                    if entry.size == 0 {
                        folder.warn(&entry.path, "statement-empty", "the statement is empty", "write it");
                    }
                }
                _ => {}
            }
        }
        if !metadata {
            folder.error(
                "task.yaml",
                "metadata-missing",
                "there is no task.yaml",
                "add it with the fields `name`, `description` and `max_score`",
            );
        }
        if !statement {
            let help = "write the statement there, or make it a link to the statement";
            folder.warn(
                "statement/statement.md",
                "statement-missing",
                "there is no statement/statement.md",
                help,
            );
        }
        if folder.solutions.is_empty() {
            let help = "add a solution, so that the task can be tested";
            folder.warn("solutions", "no-solutions", "there are no solutions", help);
        }
        folder.check_managers();
        folder
    }

    fn push(&mut self, file: &str, finding: Finding) {
        self.findings.push(FileFinding::new(file, finding));
    }

    fn warn(&mut self, file: &str, rule: &'static str, message: impl Into<String>, help: &str) {
        self.push(file, Finding::warning(rule, "", message, help));
    }

    fn error(&mut self, file: &str, rule: &'static str, message: impl Into<String>, help: &str) {
        self.push(file, Finding::error(rule, "", message, help));
    }

    fn add_manager(&mut self, entry: Entry) {
        self.managers.push(entry.clone());
        let name = file_name(&entry.path).to_owned();
        let role = |stem: &str| ROLES.into_iter().find(|role| role.as_str() == stem);
        if let Some((stem, os, arch)) = Platform::split(&name) {
            match role(stem) {
                Some(role) => {
                    self.check_executable(&entry, os, arch);
                    let found = (os.to_owned(), arch.to_owned(), entry);
                    self.executables.entry(role).or_default().push(found);
                }
                None => {
                    let near = ROLES.into_iter().find(|role| distance(stem, role.as_str()) <= 2);
                    let help = near.map_or_else(
                        || "managers are called generator, validator, checker and solution".to_owned(),
                        |role| format!("perhaps it should be `{role}.{os}.{arch}`"),
                    );
                    self.warn(&entry.path, "unknown-manager", "terry runs no manager with this name", &help);
                }
            }
        } else if let (Some(language), Some(role)) =
            (Language::of(&name), name.rsplit_once('.').and_then(|(stem, _)| role(stem)))
        {
            self.sources.entry(role).or_default().push((language, entry));
        } else if let Some(role) = role(name.split('.').next().unwrap_or_default())
            && (entry.executable || !matches!(Head::of(&entry.head), Head::NoProgram))
        {
            let help = format!("name it like `{role}.linux.x86_64`");
            self.warn(&entry.path, "manager-without-platform", "the name does not end in .OS.ARCH", &help);
        }
    }

    fn check_executable(&mut self, entry: &Entry, os: &str, arch: &str) {
        if entry.size == 0 {
            let help = "build it again, or remove it";
            return self.error(&entry.path, "manager-empty", "the file is empty", help);
        }
        let wanted = Platform::new(os, arch);
        match (Head::of(&entry.head), wanted) {
            (Head::Program(found), Some(wanted)) if found != wanted => self.error(
                &entry.path,
                "manager-platform-differs",
                format!("this is a program for {found}"),
                "build it for the platform in its name, or rename it",
            ),
            (Head::NoProgram, Some(wanted)) if wanted.os() != "windows" => self.error(
                &entry.path,
                "manager-not-startable",
                "this is neither a program nor a script that begins with `#!`",
                "build it, or begin the script with a line like `#!/usr/bin/env python3`",
            ),
            _ => {}
        }
    }

    fn add_solution(&mut self, entry: Entry) {
        let Some(program) = Program::of(&entry) else {
            // The folder may also contain notes and headers, which are not reported.
            if entry.executable || !matches!(Head::of(&entry.head), Head::NoProgram) {
                let (message, help) = if entry.executable {
                    (
                        "neither a source file in a supported language nor a program",
                        "use .c .cpp .go .java .js .py or .rs, or begin a script with `#!`",
                    )
                } else {
                    ("the program is not executable", "make the file executable")
                };
                self.warn(&entry.path, "solution-not-run", message, help);
            }
            return;
        };
        if entry.size == 0 {
            self.warn(
                &entry.path,
                "solution-empty",
                "the file is empty",
                "write the solution, or remove the file",
            );
        }
        self.solutions.push(program);
    }

    fn check_managers(&mut self) {
        for role in ROLES {
            let required = matches!(role, Role::Generator | Role::Checker);
            let sources = self.sources.get(&role).map_or(0, Vec::len);
            let built = self.executables.get(&role).map_or(0, Vec::len);
            let place = format!("managers/{role}");
            if built + sources == 0 {
                if required {
                    let help =
                        format!("add managers/{role}.linux.x86_64, or a source such as managers/{role}.py");
                    self.error(&place, "manager-missing", format!("there is no {role}"), &help);
                }
                continue;
            }
            if sources > 1 {
                let help = "keep one source per manager";
                self.error(
                    &place,
                    "several-sources",
                    format!("there are {sources} sources of the {role}"),
                    help,
                );
            }
            if built == 0 {
                let help = "build it before the task is packed: servers start executables only";
                self.warn(&place, "manager-not-built", format!("there is no executable of the {role}"), help);
            }
            self.check_age(role);
        }
        let platforms = |role: &Role| -> Option<BTreeSet<Platform>> {
            let built = self.executables.get(role).filter(|built| !built.is_empty())?;
            Some(built.iter().filter_map(|(os, arch, _)| Platform::new(os, arch)).collect())
        };
        let Some(wanted) = platforms(&Role::Generator) else { return };
        let mut uneven = Vec::new();
        for role in [Role::Validator, Role::Checker, Role::Solution] {
            if platforms(&role).is_some_and(|found| found != wanted) {
                uneven.push(role);
            }
        }
        for role in uneven {
            self.warn(
                &format!("managers/{role}"),
                "platforms-differ",
                format!("the {role} is built for other platforms than the generator"),
                "build all managers for the same platforms",
            );
        }
    }

    fn check_age(&mut self, role: Role) {
        let Some((_, source)) = self.sources.get(&role).and_then(|sources| sources.first()) else { return };
        let older = |entry: &Entry| matches!((entry.changed, source.changed), (Some(built), Some(written)) if built < written);
        let old = self.executables.get(&role).and_then(|built| built.iter().find(|(.., entry)| older(entry)));
        if let Some((.., entry)) = old {
            let path = entry.path.clone();
            let message = format!("it is older than {}", source.path);
            self.warn(&path, "manager-out-of-date", message, "build it again");
        }
    }

    /// Returns the defects of the folder that do not depend on the platform.
    pub fn findings(&self) -> &[FileFinding] {
        &self.findings
    }

    /// Returns all files below `managers/`; a manager may need the others next to it.
    pub fn managers(&self) -> &[Entry] {
        &self.managers
    }

    /// Returns the solutions in `solutions/`, sorted by name.
    pub fn solutions(&self) -> &[Program] {
        &self.solutions
    }

    /// Returns the program for a role on a platform; `None` if the task has neither a source nor an executable that the
    /// platform can start.
    pub fn program(&self, role: Role, platform: &Platform, prefer: Preference) -> Option<Program> {
        let built = || {
            let fitting =
                self.executables.get(&role).into_iter().flatten().filter_map(|(os, arch, entry)| {
                    platform.fit(os, arch).map(|fit| (fit, entry.path.as_str()))
                });
            fitting.min().map(|(_, path)| Program { path: path.to_owned(), start: Start::Executable })
        };
        let source = || {
            let (language, entry) = self.sources.get(&role)?.first()?;
            Some(Program { path: entry.path.clone(), start: Start::Source(*language) })
        };
        match prefer {
            Preference::Executables => built().or_else(source),
            Preference::Sources => source().or_else(built),
        }
    }

    /// Returns whether the task has a source or an executable for this role, on any platform.
    pub fn has(&self, role: Role) -> bool {
        self.executables.contains_key(&role) || self.sources.contains_key(&role)
    }

    /// Returns findings about managers that the platform cannot start, or starts only through a fallback.
    pub fn check_platform(&self, platform: &Platform) -> Vec<FileFinding> {
        let mut findings = Vec::new();
        for role in ROLES.into_iter().filter(|role| self.has(*role)) {
            let place = format!("managers/{role}");
            let best = self.executables.get(&role).into_iter().flatten();
            let best = best
                .filter_map(|(os, arch, entry)| platform.fit(os, arch).map(|fit| (fit, entry)))
                .min_by_key(|(fit, _)| *fit);
            match (best, self.program(role, platform, Preference::Executables)) {
                (Some((fit @ (Fit::OtherName | Fit::Compatible), entry)), _) => {
                    let why = if fit == Fit::OtherName {
                        "another name of the platform"
                    } else {
                        "a compatible platform"
                    };
                    let message =
                        format!("{platform} can start it only as a fallback: it is named for {why}");
                    let help =
                        format!("add managers/{role}.{platform}; not every server supports this fallback");
                    findings.push(FileFinding::new(
                        entry.path.clone(),
                        Finding::info("manager-fallback", "", message, help),
                    ));
                }
                (None, None) => {
                    let message = format!("there is no {role} that {platform} can start");
                    let help = format!("build managers/{role}.{platform}");
                    let finding = if role == Role::Solution { Finding::warning } else { Finding::error };
                    findings.push(FileFinding::new(
                        place,
                        finding("manager-not-for-platform", String::new(), message, help),
                    ));
                }
                _ => {}
            }
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &[u8] = b"#!/bin/sh\n";

    fn entries(paths: &[&str]) -> Vec<Entry> {
        paths.iter().map(|path| Entry { executable: true, ..Entry::new(*path, 10, SCRIPT) }).collect()
    }

    fn rules(folder: &Folder) -> Vec<(&str, &str)> {
        folder.findings().iter().map(|found| (found.finding.rule, found.file.as_str())).collect()
    }

    fn linux() -> Platform {
        Platform::new("linux", "x86_64").unwrap()
    }

    const COMPLETE: &[&str] = &[
        "task.yaml",
        "statement/statement.md",
        "managers/generator.linux.x86_64",
        "managers/checker.linux.x86_64",
        "solutions/a.py",
    ];

    #[test]
    fn a_complete_folder_has_no_findings() {
        let folder = Folder::new(entries(COMPLETE));
        assert_eq!(rules(&folder), []);
        assert!(folder.check_platform(&linux()).is_empty());
        assert!(!folder.has(Role::Validator));
        let generator = folder.program(Role::Generator, &linux(), Preference::Executables).unwrap();
        assert_eq!(
            (generator.path.as_str(), generator.start),
            ("managers/generator.linux.x86_64", Start::Executable)
        );
        assert_eq!(folder.solutions()[0].start, Start::Source(Language::Python));
    }

    #[test]
    fn an_empty_folder_has_a_finding_for_each_missing_file() {
        assert_eq!(
            rules(&Folder::new(Vec::new())),
            [
                ("metadata-missing", "task.yaml"),
                ("statement-missing", "statement/statement.md"),
                ("no-solutions", "solutions"),
                ("manager-missing", "managers/generator"),
                ("manager-missing", "managers/checker"),
            ]
        );
    }

    #[test]
    fn the_best_manager_is_taken_and_fallbacks_are_reported() {
        let mut paths = COMPLETE.to_vec();
        paths.extend(["managers/generator.linux.i686", "managers/generator.py", "managers/checker.py"]);
        let folder = Folder::new(entries(&paths));
        let of = |role, platform: &Platform, prefer| {
            folder.program(role, platform, prefer).map(|program| program.path)
        };
        assert_eq!(
            of(Role::Generator, &linux(), Preference::Executables).unwrap(),
            "managers/generator.linux.x86_64"
        );
        assert_eq!(of(Role::Generator, &linux(), Preference::Sources).unwrap(), "managers/generator.py");
        let arm = Platform::new("linux", "aarch64").unwrap();
        assert_eq!(of(Role::Checker, &arm, Preference::Executables).unwrap(), "managers/checker.py");
        assert_eq!(rules(&folder), [("platforms-differ", "managers/checker")]);

        let old = Folder::new(entries(&["managers/generator.linux.i686", "managers/checker.macos.aarch64"]));
        let found: Vec<_> =
            old.check_platform(&linux()).into_iter().map(|found| found.finding.rule).collect();
        assert_eq!(found, ["manager-fallback", "manager-not-for-platform"]);
    }

    #[test]
    fn defective_managers_are_reported() {
        let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 183, 0];
        elf.resize(64, 0);
        let mut all = entries(&["task.yaml", "statement/statement.md", "solutions/a.py"]);
        all.push(Entry::new("managers/generator.linux.x86_64", 100, elf));
        all.push(Entry::new("managers/checker.linux.x86_64", 0, Vec::new()));
        all.push(Entry::new("managers/validator.linux.x86_64", 20, b"import sys\n".to_vec()));
        all.push(Entry::new("managers/cheker.linux.x86_64", 20, SCRIPT));
        all.push(Entry::new("managers/solution", 20, SCRIPT));
        all.push(Entry::new("managers/checker.cpp", 20, b"int main".to_vec()));
        all.push(Entry::new("managers/checker.py", 20, b"import".to_vec()));
        all.push(Entry::new("managers/parser.py", 20, b"import".to_vec()));
        let folder = Folder::new(all);
        assert_eq!(
            rules(&folder),
            [
                ("manager-empty", "managers/checker.linux.x86_64"),
                ("unknown-manager", "managers/cheker.linux.x86_64"),
                ("manager-platform-differs", "managers/generator.linux.x86_64"),
                ("manager-without-platform", "managers/solution"),
                ("manager-not-startable", "managers/validator.linux.x86_64"),
                ("several-sources", "managers/checker"),
            ]
        );
        assert!(folder.findings()[1].finding.help.contains("checker.linux.x86_64"));
        assert_eq!(folder.managers().len(), 8);
    }

    #[test]
    fn a_manager_older_than_its_source_is_reported() {
        let mut all = entries(COMPLETE);
        all.push(Entry::new("managers/checker.py", 20, b"import".to_vec()));
        for entry in &mut all {
            entry.changed = Some(if Language::of(&entry.path).is_some() { 20 } else { 10 });
        }
        assert_eq!(rules(&Folder::new(all)), [("manager-out-of-date", "managers/checker.linux.x86_64")]);
    }

    #[test]
    fn solutions_are_sources_or_executables() {
        let mut all =
            entries(&["solutions/a.cpp", "solutions/b.rs", "solutions/tool", "solutions/c.linux.x86_64"]);
        all.push(Entry::new("solutions/notes.txt", 5, b"hello".to_vec()));
        all.push(Entry::new("solutions/.hidden", 5, b"hello".to_vec()));
        all.push(Entry::new("solutions/deep/d.py", 5, b"hello".to_vec()));
        let folder = Folder::new(all);
        let found: Vec<_> =
            folder.solutions().iter().map(|one| (one.path.as_str(), one.start.clone())).collect();
        assert_eq!(
            found,
            [
                ("solutions/a.cpp", Start::Source(Language::Cpp)),
                ("solutions/b.rs", Start::Source(Language::Rust)),
                ("solutions/c.linux.x86_64", Start::Executable),
                ("solutions/tool", Start::Executable),
            ]
        );
    }
}
