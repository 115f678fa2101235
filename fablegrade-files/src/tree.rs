//! A tree of files in memory, without links, devices, or paths that leave it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use fablegrade_public::finding::{Error, ErrorKind, Finding};

use crate::links;
use crate::path::relative_path;

/// Limits for a file tree, beyond which it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileLimits {
    /// Maximum size of an archive, in bytes.
    pub archive_bytes: u64,
    /// Maximum size of all files together, unpacked, in bytes.
    pub bytes: u64,
    /// Maximum size of a file, unpacked, in bytes.
    pub file_bytes: u64,
    /// Maximum number of entries: files, folders and links.
    pub entries: usize,
    /// Maximum number of components of a path.
    pub depth: usize,
    /// Whether symbolic links to other files or folders of the tree are replaced with copies; otherwise,
    /// every link is refused.
    pub follow_links: bool,
}

impl Default for FileLimits {
    /// Returns 256 MiB packed, 512 MiB unpacked (in total and per file), 20,000 entries, and 64 path
    /// components.
    fn default() -> Self {
        Self {
            archive_bytes: 256 << 20,
            bytes: 512 << 20,
            file_bytes: 512 << 20,
            entries: 20_000,
            depth: 64,
            follow_links: false,
        }
    }
}

impl FileLimits {
    /// Returns the size limit of a file if `left` bytes remain for all files.
    pub(crate) fn most(&self, left: u64) -> u64 {
        left.min(self.file_bytes)
    }

    /// Returns the error for a file above that limit.
    pub(crate) fn too_large(&self, left: u64, path: &str) -> Error {
        let message = if left < self.file_bytes {
            format!("the files have more than {} bytes together", self.bytes)
        } else {
            format!("the file has more than {} bytes", self.file_bytes)
        };
        refused("too-large", path, message, "send less")
    }
}

/// A file.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    /// The content.
    pub bytes: Vec<u8>,
    /// Whether it is executable, if the archive states it.
    pub executable: Option<bool>,
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "File({} bytes, executable: {:?})", self.bytes.len(), self.executable)
    }
}

/// An entry of an archive or a folder, as a host found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A file.
    File(File),
    /// A folder.
    Folder,
    /// A link whose target is unknown, or a hard link.
    Link,
    /// A symbolic link to this target, as written in the link.
    SymbolicLink(String),
    /// A device, pipe, socket or unknown entry.
    Other,
}

/// Files by their paths. The components of a path are separated by `/` and are neither `.` nor `..`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(clippy::struct_field_names, reason = "a tree of files has files")]
pub struct Files {
    files: BTreeMap<String, File>,
    folders: BTreeSet<String>,
    lost_links: BTreeSet<String>,
}

/// Access to files by path: a tree in memory, a folder or an archive. The components of a path are separated by `/`
/// and are neither `.` nor `..`.
pub trait Lookup: std::fmt::Debug {
    /// Returns the bytes of the file with this path; `None` if there is none, or if it cannot be read.
    fn bytes(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// Returns whether there is a file with this path.
    fn has(&self, path: &str) -> bool;
}

impl Lookup for Files {
    fn bytes(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.get(path).map(|file| Cow::Borrowed(file.bytes.as_slice()))
    }

    fn has(&self, path: &str) -> bool {
        self.get(path).is_some()
    }
}

/// Returns an error about an archive or a folder; the pointer is the path.
pub(crate) fn refused(rule: &'static str, path: &str, message: impl Into<String>, help: &str) -> Error {
    let mut pointer = String::new();
    for step in path.split('/').filter(|step| !step.is_empty()) {
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0"));
    }
    Error::single(ErrorKind::Spec, Finding::error(rule, pointer, message, help))
}

/// Checks the paths of entries, one after the other: their number, their depth, and that none leaves the
/// tree.
pub(crate) struct Paths {
    limits: FileLimits,
    entries: usize,
}

impl Paths {
    pub(crate) fn new(limits: FileLimits) -> Self {
        Self { limits, entries: 0 }
    }

    /// Counts an entry.
    fn count(&mut self) -> Result<(), Error> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            let message = format!("there are more than {} files and folders", self.limits.entries);
            return Err(refused("too-many-files", "", message, "send fewer"));
        }
        Ok(())
    }

    /// Counts an entry and returns the normal form of its path; `None` if the entry is skipped.
    pub(crate) fn plain(&mut self, path: &str) -> Result<Option<String>, Error> {
        self.count()?;
        let clean = relative_path(path).map_err(|problem| {
            refused(
                "path-escape",
                "",
                format!("the path of an entry {}", problem.as_str()),
                "name it relative to the root",
            )
        })?;
        if clean.split('/').count() > self.limits.depth {
            let message = format!("folders nest deeper than {} levels", self.limits.depth);
            return Err(refused("too-deep", "", message, "reduce the nesting"));
        }
        // Entries that macOS adds next to files.
        let is_macos_extra = |step: &str| step == "__MACOSX" || step == ".DS_Store" || step.starts_with("._");
        Ok(if clean.split('/').any(is_macos_extra) { None } else { Some(clean) })
    }
}

/// Builds a tree from entries; refuses special files, links that are not followed, paths that leave the tree,
/// duplicates and anything over the limits.
pub(crate) struct Builder {
    files: Files,
    limits: FileLimits,
    paths: Paths,
    bytes: u64,
    links: BTreeMap<String, String>,
}

impl Builder {
    pub(crate) fn new(limits: FileLimits) -> Self {
        Self { files: Files::default(), limits, paths: Paths::new(limits), bytes: 0, links: BTreeMap::new() }
    }

    /// Returns the number of bytes that can still be added.
    pub(crate) fn left(&self) -> u64 {
        self.limits.bytes - self.bytes
    }

    pub(crate) fn limits(&self) -> &FileLimits {
        &self.limits
    }

    /// Counts an entry that is neither a file nor a folder.
    pub(crate) fn count(&mut self) -> Result<(), Error> {
        self.paths.count()
    }

    /// Returns whether a file, folder or link has this path.
    fn is_taken(&self, path: &str) -> bool {
        path.is_empty() || self.files.folders.contains(path) || self.is_leaf(path)
    }

    /// Returns whether a file or link has this path.
    fn is_leaf(&self, path: &str) -> bool {
        self.files.files.contains_key(path) || self.links.contains_key(path)
    }

    pub(crate) fn add(&mut self, path: &str, entry: Entry) -> Result<(), Error> {
        let Some(clean) = self.paths.plain(path)? else { return Ok(()) };
        match entry {
            Entry::Folder => {
                if !clean.is_empty() {
                    self.folder(&clean)?;
                }
            }
            Entry::File(file) => {
                if self.is_taken(&clean) {
                    return Err(doubled(&clean));
                }
                if let Some((folder, _)) = clean.rsplit_once('/') {
                    self.folder(folder)?;
                }
                let left = self.left();
                if file.bytes.len() as u64 > self.limits.most(left) {
                    return Err(self.limits.too_large(left, &clean));
                }
                self.bytes += file.bytes.len() as u64;
                self.files.files.insert(clean, file);
            }
            Entry::SymbolicLink(target) if self.limits.follow_links => {
                if self.is_taken(&clean) {
                    return Err(doubled(&clean));
                }
                if let Some((folder, _)) = clean.rsplit_once('/') {
                    self.folder(folder)?;
                }
                self.links.insert(clean, target);
            }
            Entry::Link | Entry::SymbolicLink(_) => return Err(link(&clean)),
            Entry::Other => return Err(special(&clean)),
        }
        Ok(())
    }

    /// Adds a folder and the folders above it.
    fn folder(&mut self, path: &str) -> Result<(), Error> {
        let mut at = path;
        loop {
            if self.is_leaf(at) {
                return Err(doubled(at));
            }
            if !self.files.folders.insert(at.to_owned()) {
                return Ok(());
            }
            match at.rsplit_once('/') {
                Some((above, _)) => at = above,
                None => return Ok(()),
            }
        }
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    pub(crate) fn follows_links(&self) -> bool {
        self.limits.follow_links
    }

    /// Records a link that cannot be replaced with a copy.
    pub(crate) fn unresolved(&mut self, path: &str) {
        self.files.lost_links.insert(path.to_owned());
    }

    pub(crate) fn finish(mut self) -> Result<Files, Error> {
        let links = std::mem::take(&mut self.links);
        links::resolve(&mut self, &links)?;
        Ok(self.files)
    }
}

pub(crate) fn link(path: &str) -> Error {
    refused("link", path, "links are not allowed", "put a copy of the file in its place")
}

pub(crate) fn special(path: &str) -> Error {
    refused("special-file", path, "this is neither a file nor a folder", "remove it")
}

pub(crate) fn doubled(path: &str) -> Error {
    refused("repeated-path", path, "two entries have this path", "keep one of them")
}

impl Files {
    /// Builds a tree from the entries that a host found in a folder.
    ///
    /// # Errors
    /// When there are links that are not followed, special files, paths that leave the root, two entries with
    /// one path, or more than `limits` allow.
    pub fn from_entries(
        entries: impl IntoIterator<Item = (String, Entry)>,
        limits: FileLimits,
    ) -> Result<Self, Error> {
        let mut builder = Builder::new(limits);
        for (path, entry) in entries {
            builder.add(&path, entry)?;
        }
        builder.finish()
    }

    /// Returns the file with this path.
    pub fn get(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// Returns whether there is a folder with this path; the root is the empty path.
    pub fn has_folder(&self, path: &str) -> bool {
        path.is_empty() || self.folders.contains(path)
    }

    /// Returns all files, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// Returns all folders, sorted by path; parents precede their children.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(String::as_str)
    }

    /// Returns the symbolic links that could not be replaced with copies, sorted; empty unless links are
    /// followed.
    pub fn unresolved(&self) -> impl Iterator<Item = &str> {
        self.lost_links.iter().map(String::as_str)
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }

    /// Returns the names of the files and folders directly below a folder, sorted.
    pub fn names_in(&self, folder: &str) -> BTreeSet<&str> {
        let below = |path: &str| -> Option<usize> {
            if folder.is_empty() {
                return Some(0);
            }
            path.strip_prefix(folder).filter(|rest| rest.starts_with('/')).map(|_| folder.len() + 1)
        };
        let names = self.files.keys().chain(&self.folders);
        names.filter_map(|path| below(path).and_then(|at| path[at..].split('/').next())).collect()
    }

    /// Returns the paths of the folders and files below a folder, relative to it.
    pub(crate) fn names_below(&self, folder: &str) -> (Vec<String>, Vec<String>) {
        let prefix = format!("{folder}/");
        let relative = |path: &String| path.strip_prefix(&prefix).map(str::to_owned);
        let folders = self.folders.range(prefix.clone()..).map_while(relative).collect();
        let files = self.files.range(prefix.clone()..).map_while(|(path, _)| relative(path)).collect();
        (folders, files)
    }

    /// Replaces the content of a file; does nothing if there is no file with this path.
    #[must_use]
    pub fn with(mut self, path: &str, file: File) -> Self {
        if let Some(found) = self.files.get_mut(path) {
            *found = file;
        }
        self
    }

    /// Returns the files and folders below `folder`, with paths relative to it. If `folder` is a file,
    /// returns only that file, by its name.
    #[must_use]
    pub fn below(&self, folder: &str) -> Self {
        if folder.is_empty() {
            return self.clone();
        }
        let prefix = format!("{folder}/");
        let mut found = Self {
            files: (self.files.range(prefix.clone()..))
                .take_while(|(path, _)| path.starts_with(&prefix))
                .map(|(path, file)| (path[prefix.len()..].to_owned(), file.clone()))
                .collect(),
            folders: (self.folders.range(prefix.clone()..))
                .take_while(|path| path.starts_with(&prefix))
                .map(|path| path[prefix.len()..].to_owned())
                .collect(),
            lost_links: (self.lost_links.range(prefix.clone()..))
                .take_while(|path| path.starts_with(&prefix))
                .map(|path| path[prefix.len()..].to_owned())
                .collect(),
        };
        if let Some(file) = self.files.get(folder) {
            let name = folder.rsplit('/').next().unwrap_or(folder);
            found.files.insert(name.to_owned(), file.clone());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_paths_are_refused_in_every_order() {
        let file = || Entry::File(File { bytes: Vec::new(), executable: None });
        let link = || Entry::SymbolicLink("y".to_owned());
        let limits = FileLimits { follow_links: true, ..FileLimits::default() };
        let pairs = [
            [("x", file()), ("x", file())],
            [("x", file()), ("x", Entry::Folder)],
            [("x", file()), ("x/a", file())],
            [("x", link()), ("x", link())],
            [("x", link()), ("x", file())],
            [("x", link()), ("x", Entry::Folder)],
            [("x", link()), ("x/a", file())],
            [("x", link()), ("x/a", link())],
        ];
        for [first, second] in pairs {
            for pair in [[&first, &second], [&second, &first]] {
                let entries = pair.map(|(path, entry)| ((*path).to_owned(), entry.clone()));
                let error = Files::from_entries(entries, limits).unwrap_err();
                assert_eq!((error.rule(), error.pointer()), ("repeated-path", "/x"), "{pair:?}");
            }
        }
    }
}
