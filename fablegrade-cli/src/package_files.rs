//! Reads packages and submissions from archives and folders into file trees.

use std::fs;
use std::io::{self, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fablegrade_files::{Entry, File, FileLimits, Files};

use crate::exit::Failure;
use crate::folder::walk;
use crate::input;

/// Reads an archive or a folder into memory.
pub(crate) fn read(path: &Path, limits: FileLimits) -> Result<Files, Failure> {
    let name = path.display().to_string();
    let failed = |error| Failure::Io(format!("cannot read {name}"), error);
    let read = if fs::metadata(path).map_err(failed)?.is_dir() {
        let entries = entries(path, &limits).map_err(|(_, error)| failed(error))?;
        Files::from_entries(entries, limits)
    } else {
        Files::from_archive(&input::read_up_to(path, limits.archive_bytes)?, limits)
    };
    read.map_err(|error| Failure::invalid(name, error))
}

/// Returns everything below a folder. Links are read, but not followed.
///
/// Stops once a limit is exceeded; [`Files::from_entries`] then refuses the entries.
fn entries(root: &Path, limits: &FileLimits) -> Result<Vec<(String, Entry)>, (PathBuf, io::Error)> {
    let mut entries = Vec::new();
    let mut bytes = 0u64;
    let _whether_all = walk(root, |entry, kind, path| {
        if entry.file_name().to_str().is_none() {
            return Err(io::Error::other(format!("{} is not UTF-8", entry.path().display())));
        }
        let found = if kind.is_symlink() {
            fs::read_link(entry.path())?
                .into_os_string()
                .into_string()
                .map_or(Entry::Link, Entry::SymbolicLink)
        } else if kind.is_dir() {
            Entry::Folder
        } else if kind.is_file() {
            let mut content = Vec::new();
            let left = (limits.bytes + 1).saturating_sub(bytes);
            fs::File::open(entry.path())?.take(left).read_to_end(&mut content)?;
            bytes += content.len() as u64;
            Entry::File(File { bytes: content, executable: executable(&entry.metadata()?) })
        } else {
            Entry::Other
        };
        entries.push((path, found));
        let is_too_much = entries.len() > limits.entries || bytes > limits.bytes;
        Ok(if is_too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(entries)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems do not have this permission")]
fn executable(metadata: &fs::Metadata) -> Option<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> Option<bool> {
    None
}
