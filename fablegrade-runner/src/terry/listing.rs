//! A task's folder as it lies on the disk.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use fablegrade_public::Finding;
use fablegrade_terry::folder::Entry;
use fablegrade_terry::task::FileFinding;

/// More files than this are not looked at.
const FILES: usize = 20_000;
/// Folders within folders.
const DEPTH: usize = 16;

/// What was found.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Listing {
    /// The files.
    pub entries: Vec<Entry>,
    /// What cannot be used: links that leave the folder, names that are no text, special files.
    pub findings: Vec<FileFinding>,
}

/// Lists the files of a task's folder with their first bytes. Links are followed as far as they stay inside; hidden
/// files and folders are left out.
///
/// # Errors
/// The folder or something in it cannot be read, or it holds more than 20,000 files.
pub fn read_folder(place: &Path) -> io::Result<Listing> {
    let root = place.canonicalize()?;
    let mut listing = Listing::default();
    let mut left = vec![(root.clone(), String::new(), 0)];
    while let Some((folder, above, depth)) = left.pop() {
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
            let Some(real) = found.path().canonicalize().ok().filter(|real| real.starts_with(&root)) else {
                listing.warn(
                    &path,
                    "link-leaves-folder",
                    "the link leads nowhere or out of the folder",
                    "copy the file",
                );
                continue;
            };
            let about = fs::metadata(&real)?;
            if about.is_dir() {
                // A linked folder could hold itself.
                if !found.file_type()?.is_symlink() && depth < DEPTH {
                    left.push((found.path(), path, depth + 1));
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
