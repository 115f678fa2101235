//! The files of a package by folder, without ignored files, and the rules for file names.

use std::collections::BTreeMap;

use fablegrade_files::{File, Files};

use super::constants::Constants;
use super::document::Report;
use crate::Version;
use crate::problem::Problem;

/// Files by folder.
pub(crate) struct Tree<'f> {
    files: BTreeMap<&'f str, &'f File>,
    /// Names directly below each folder, and whether these are folders.
    folders: BTreeMap<&'f str, BTreeMap<&'f str, bool>>,
    pub(crate) constants: Constants<'f>,
}

/// Advice on the names of files and folders.
pub(crate) const NAME_HELP: &str = "use letters, digits, `_`, `.` and `-`; start with a letter or digit";

/// Returns whether the package format allows the name of a file or folder.
pub(crate) fn is_allowed_name(name: &str, version: Version, folder: bool) -> bool {
    let bytes = name.as_bytes();
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return false };
    let common = bytes.len() <= 255 && bytes.iter().all(inner);
    match version {
        Version::V2025_09 => common && !matches!(first, b'.' | b'-'),
        // The stricter rule below is for files; folders such as `1` are common.
        _ if folder => common && first.is_ascii_alphanumeric(),
        _ => common && bytes.len() >= 2 && first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric(),
    }
}

impl<'f> Tree<'f> {
    /// Creates a tree without the files and folders whose names start with a dot. In 2025-09, other forbidden names
    /// are left out too.
    pub(crate) fn new(files: &'f Files, problem: &'f Problem, report: &mut Report) -> Self {
        let version = problem.version;
        let constants = Constants::new(problem);
        let mut tree = Self { files: BTreeMap::new(), folders: BTreeMap::new(), constants };
        tree.folders.insert("", BTreeMap::new());
        let folders = files.folders().map(|path| (path, None));
        for (path, file) in folders.chain(files.iter().map(|(path, file)| (path, Some(file)))) {
            if path.split('/').any(|step| step.starts_with('.')) {
                continue;
            }
            let name = path.rsplit('/').next().unwrap_or(path);
            if !is_allowed_name(name, version, file.is_none()) {
                let help = NAME_HELP;
                match version {
                    Version::V2025_09 => {
                        report.warning(
                            "ignored-name",
                            path,
                            "judging systems ignore files with such a name",
                            help,
                        );
                    }
                    // Files of Python packages such as `__init__.py` are common, and other tools accept them.
                    _ if name.starts_with("__") => {}
                    _ => report.error("file-name", path, "the package format does not allow this name", help),
                }
            }
            let hidden = |step: &str| version == Version::V2025_09 && !is_allowed_name(step, version, true);
            if path.split('/').any(hidden) {
                continue;
            }
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            tree.folders.entry(folder).or_default().insert(name, file.is_none());
            match file {
                None => {
                    tree.folders.entry(path).or_default();
                }
                Some(file) => {
                    tree.files.insert(path, file);
                }
            }
        }
        tree
    }

    pub(crate) fn file(&self, path: &str) -> Option<&'f File> {
        self.files.get(path).copied()
    }

    pub(crate) fn has_folder(&self, path: &str) -> bool {
        self.folders.contains_key(path)
    }

    /// Returns the sorted names directly below a folder, and whether each is a folder.
    pub(crate) fn names(&self, folder: &str) -> impl Iterator<Item = (&'f str, bool)> {
        self.folders.get(folder).into_iter().flatten().map(|(name, is_folder)| (*name, *is_folder))
    }

    /// Returns all files below a folder, sorted, with paths relative to it.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = (&'f str, &'f File)> {
        let prefix = format!("{folder}/");
        let length = prefix.len();
        let from = (std::ops::Bound::Included(prefix.as_str()), std::ops::Bound::Unbounded);
        let range = self.files.range::<str, _>(from);
        range
            .take_while(move |(path, _)| path.starts_with(&prefix))
            .map(move |(path, file)| (path.get(length..).unwrap_or_default(), *file))
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&'f str, &'f File)> {
        self.files.iter().map(|(path, file)| (*path, *file))
    }
}
