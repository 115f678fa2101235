//! Packages and submissions from the disk as trees of files: an archive, or a folder.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use fablegrade_files::{Entry, File, FileLimits, Files};

use crate::exit::Failure;
use crate::input;

/// Reads an archive or a folder into memory.
pub(crate) fn read(path: &Path, limits: FileLimits) -> Result<Files, Failure> {
    let name = path.display().to_string();
    let failed = |error| Failure::Io(format!("cannot read {name}"), error);
    let read = if fs::metadata(path).map_err(failed)?.is_dir() {
        Files::from_entries(folder(path, &limits).map_err(failed)?, limits)
    } else {
        Files::from_archive(&input::read_up_to(path, limits.archive_bytes)?, limits)
    };
    read.map_err(|error| Failure::refused(name, error))
}

/// Everything below a folder; links are read, never followed. Ends early once there is more than the limits allow, so
/// that what is put together from it is refused.
fn folder(root: &Path, limits: &FileLimits) -> io::Result<Vec<(String, Entry)>> {
    let mut entries = Vec::new();
    let mut bytes = 0u64;
    let mut waiting = vec![(root.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        let mut here: Vec<fs::DirEntry> = fs::read_dir(&folder)?.collect::<io::Result<_>>()?;
        here.sort_by_key(fs::DirEntry::file_name);
        for entry in here {
            let Ok(name) = entry.file_name().into_string() else {
                return Err(io::Error::other(format!("{} is not UTF-8", entry.path().display())));
            };
            let path = format!("{prefix}{name}");
            let metadata = entry.metadata()?;
            let kind = metadata.file_type();
            let found = if kind.is_symlink() {
                fs::read_link(entry.path())?
                    .into_os_string()
                    .into_string()
                    .map_or(Entry::Link, Entry::SymbolicLink)
            } else if kind.is_dir() {
                waiting.push((entry.path(), format!("{path}/")));
                Entry::Folder
            } else if kind.is_file() {
                let mut content = Vec::new();
                let left = (limits.bytes + 1).saturating_sub(bytes);
                fs::File::open(entry.path())?.take(left).read_to_end(&mut content)?;
                bytes += content.len() as u64;
                Entry::File(File { bytes: content, executable: executable(&metadata) })
            } else {
                Entry::Other
            };
            entries.push((path, found));
            if entries.len() > limits.entries || bytes > limits.bytes {
                return Ok(entries);
            }
        }
    }
    Ok(entries)
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere nobody knows")]
fn executable(metadata: &fs::Metadata) -> Option<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Some(metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> Option<bool> {
    None
}
