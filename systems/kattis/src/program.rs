//! Programs of a package: sources, language, entry point.

use std::sync::Arc;

use fablegrade_files::File;

use crate::language::{self, Language};

/// The role of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A solution under test.
    Submission,
    /// Decides whether an input is valid.
    InputValidator,
    /// Judges the sources of a submission.
    StaticValidator,
    /// Judges an output.
    OutputValidator,
    /// Aggregates the results of a group (legacy).
    Grader,
}

impl Role {
    /// Returns the displayed name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Submission => "submission",
            Self::InputValidator => "input validator",
            Self::StaticValidator => "static validator",
            Self::OutputValidator => "output validator",
            Self::Grader => "grader",
        }
    }
}

/// Files of programs with their paths. Programs share them: each submission has the files of `include/`.
pub type SourceFiles = Vec<(String, Arc<File>)>;

/// A program: its files, and the way they are built and started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Program {
    /// The role.
    pub role: Role,
    /// Its path in the package, such as `submissions/accepted/fast.cpp`.
    pub path: String,
    /// Its files, sorted, with paths relative to its folder. A single file counts as a folder with that file. Constants
    /// are replaced, and the files of a submission include those of `include/`.
    pub files: SourceFiles,
    /// The way it is built and started.
    pub form: Form,
}

/// The way a program is built and started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// A program with its own scripts. `build`, if there is one, is run in a copy of the folder. The executable `run`,
    /// which `build` can create, starts the program.
    Scripts {
        /// Whether there is a `build` script.
        build: bool,
    },
    /// A program that is built and started by the rules of its language.
    Language {
        /// The language code of the package format, such as `cpp`, `python3`, `java`.
        code: &'static str,
        /// The entry point, a file or a class, if the language needs one.
        entry: Option<String>,
    },
    /// A grammar for Checktestdata (`.ctd`).
    Checktestdata,
    /// A grammar for VIVA (`.viva`).
    Viva,
    /// The language cannot be determined from the files.
    Unknown,
    /// A submission in whose files the constants are not replaced, because they take more than 64 MiB.
    Unreplaced,
}

impl Program {
    /// Returns the name of the file without its ending, or the name of the folder.
    pub fn name(&self) -> &str {
        let last = self.path.rsplit('/').next().unwrap_or(&self.path);
        match self.files.as_slice() {
            [(only, _)] if only == last => last.rsplit_once('.').map_or(last, |(stem, _)| stem),
            _ => last,
        }
    }

    /// Returns the language's code, if the program has a language.
    pub fn language(&self) -> Option<&'static str> {
        match self.form {
            Form::Language { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Returns the entry point for static validators: as specified, or else the default of the language, or else the
    /// first file.
    pub fn entry_point(&self) -> String {
        match &self.form {
            Form::Language { entry: Some(entry), .. } => entry.clone(),
            _ => self.files.first().map(|(path, _)| path.clone()).unwrap_or_default(),
        }
    }

    /// Returns the total size of all files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|(_, file)| file.bytes.len() as u64).sum()
    }

    pub(crate) fn new(
        role: Role,
        path: &str,
        files: SourceFiles,
        forced: Option<&'static Language>,
        entry: Option<&str>,
    ) -> Self {
        let form = form(role, path, &files, forced, entry);
        Self { role, path: path.to_owned(), files, form }
    }
}

fn form(
    role: Role,
    path: &str,
    files: &[(String, Arc<File>)],
    forced: Option<&'static Language>,
    entry: Option<&str>,
) -> Form {
    let has = |name: &str| files.iter().any(|(path, _)| path == name);
    let folder = !files.iter().any(|(only, _)| path.rsplit('/').next() == Some(only) && files.len() == 1);
    if role != Role::Submission && folder && (has("build") || has("run")) {
        return Form::Scripts { build: has("build") };
    }
    if role == Role::InputValidator {
        let ends = |ending: &str| files.len() == 1 && files.iter().all(|(path, _)| path.ends_with(ending));
        if ends(".ctd") {
            return Form::Checktestdata;
        }
        if ends(".viva") {
            return Form::Viva;
        }
    }
    let Some(language) = forced.or_else(|| language::detect(files)) else { return Form::Unknown };
    let entry = entry.map(str::to_owned).or_else(|| language.entry_of(role, files));
    Form::Language { code: language.code, entry }
}
