//! Lists a task's folder on disk.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use fablegrade_public::Finding;
use fablegrade_terry::folder::Entry;
use fablegrade_terry::task::FileFinding;

/// The maximum number of files, counting folders that are still to be listed; a larger folder is an error.
const FILES: usize = 20_000;
/// The maximum depth of folders.
const DEPTH: usize = 16;

/// The files of a task's folder, and findings about entries that cannot be used.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Listing {
    /// The files.
    pub entries: Vec<Entry>,
    /// Entries that cannot be used, such as links that leave the folder, names that are not UTF-8, or special
    /// files.
    pub findings: Vec<FileFinding>,
}

/// A folder whose files are yet to be listed.
struct Waiting {
    /// The path by which it was found.
    folder: PathBuf,
    /// Its path in the listing.
    path: String,
    /// The real paths of the folder and of the folders above it.
    real: Vec<PathBuf>,
}

/// Returns the folder that links must not leave: the task's, or the contest's above it, whose tasks can share
/// managers.
fn boundary(root: &Path) -> &Path {
    let is_contest = |above: &&Path| {
        above.join("contest.yaml").is_file() || above.join("__users__").join("contest.yaml").is_file()
    };
    root.parent().filter(is_contest).unwrap_or(root)
}

/// Lists the files of a task's folder with their first bytes. Links are followed if they stay inside the
/// task, or inside the folder above it if that is a contest's folder. Hidden files and folders are skipped.
///
/// # Errors
/// The folder or something in it cannot be read, or it holds more than 20,000 files.
pub fn read_folder(place: &Path) -> io::Result<Listing> {
    let root = place.canonicalize()?;
    let boundary = boundary(&root);
    let mut listing = Listing::default();
    let mut left = vec![Waiting { folder: root.clone(), path: String::new(), real: vec![root.clone()] }];
    while let Some(Waiting { folder, path: above, real: around }) = left.pop() {
        for found in fs::read_dir(&folder)? {
            let found = found?;
            let Ok(name) = found.file_name().into_string() else {
                listing.warn(&above, "name-not-text", "a name here is not UTF-8", "rename the file");
                continue;
            };
            if name.starts_with('.') {
                continue;
            }
            let path = if above.is_empty() { name } else { format!("{above}/{name}") };
            let Some(real) = found.path().canonicalize().ok().filter(|real| real.starts_with(boundary))
            else {
                listing.warn(
                    &path,
                    "link-leaves-folder",
                    "the link leads nowhere, or out of the task and of its contest",
                    "copy the file; tasks of a contest may share files next to its contest.yaml",
                );
                continue;
            };
            let about = fs::metadata(&real)?;
            if about.is_dir() {
                if around.iter().any(|above| above.starts_with(&real)) {
                    let message = "the link leads to a folder that holds it";
                    listing.warn(
                        &path,
                        "link-loop",
                        message,
                        "link to a folder beside it, or remove the link",
                    );
                } else if around.len() > DEPTH {
                    let message = format!("folders nest deeper than {DEPTH} levels");
                    listing.warn(&path, "too-deep", &message, "move the files up");
                } else {
                    let real: Vec<PathBuf> = around.iter().cloned().chain([real]).collect();
                    left.push(Waiting { folder: found.path(), path, real });
                }
            } else if about.is_file() {
                listing.entries.push(entry(path, &real, &about)?);
            } else {
                listing.warn(&path, "no-regular-file", "this is neither a file nor a folder", "remove it");
            }
            if listing.entries.len() + left.len() > FILES {
                return Err(io::Error::other(format!("the folder holds more than {FILES} files")));
            }
        }
    }
    listing.entries.sort_by(|a, b| a.path.cmp(&b.path));
    listing.findings.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(listing)
}

fn entry(path: String, real: &Path, about: &fs::Metadata) -> io::Result<Entry> {
    let mut head = Vec::new();
    fs::File::open(real)?.take(64).read_to_end(&mut head)?;
    let mut entry = Entry::new(path, about.len(), head);
    entry.executable = about.permissions().mode() & 0o111 != 0;
    entry.changed = u64::try_from(about.mtime()).ok();
    Ok(entry)
}

impl Listing {
    fn warn(&mut self, file: &str, rule: &'static str, message: &str, help: &str) {
        self.findings.push(FileFinding::new(file, Finding::warning(rule, "", message, help)));
    }
}
