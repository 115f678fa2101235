//! Lists, reads and writes the files of folders, within limits.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fablegrade_core::{Error, ErrorKind, Finding};
#[cfg(any(all(target_os = "linux", feature = "containers"), feature = "terry"))]
use fablegrade_files::Files;

use crate::exit::Failure;
use crate::input;

/// Maximum number of accepted files and of folders below a folder, in total.
const FILE_LIMIT: usize = 100_000;
/// Maximum number of entries in one folder, which are sorted in memory.
const ENTRY_LIMIT: usize = 1_000_000;
/// Maximum total size of the documents that are held in memory at once, in bytes.
const BYTE_LIMIT: usize = 1 << 30;

/// A file of a folder.
pub(crate) struct Found {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The path relative to the folder, with `/` as separator.
    pub(crate) name: String,
}

/// Writes a tree into a folder. Executable files remain executable.
///
/// A [`Files`] has neither links nor paths that leave the folder.
#[cfg(any(all(target_os = "linux", feature = "containers"), feature = "terry"))]
pub(crate) fn write_files(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for path in files.folders() {
        fs::create_dir_all(folder.join(path))?;
    }
    for (path, file) in files.iter() {
        let path = folder.join(path);
        fs::write(&path, &file.bytes)?;
        #[cfg(unix)]
        if file.executable == Some(true) {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Returns whether [`json_files`] lists a file with this path.
pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "json")
}

/// Returns all `.json` files below `folder`, in the order of their relative paths. Links are not followed.
pub(crate) fn json_files(folder: &Path) -> Result<Vec<Found>, Failure> {
    files_below(folder, is_json)
}

/// Returns all files below `folder` that `accept` accepts, in the order of their relative paths.
///
/// Links are not followed.
pub(crate) fn files_below(folder: &Path, accept: impl Fn(&Path) -> bool) -> Result<Vec<Found>, Failure> {
    let (mut files, mut folders) = (Vec::new(), 0);
    let ended = walk(folder, |entry, kind, name| {
        if kind.is_dir() {
            folders += 1;
        } else if kind.is_file() && accept(&entry.path()) {
            files.push(Found { path: entry.path(), name });
        }
        let is_too_much = files.len() + folders > FILE_LIMIT;
        Ok(if is_too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    match ended {
        Ok(ControlFlow::Continue(())) => {}
        Ok(ControlFlow::Break(())) => return Err(too_much(folder, "100,000 files and folders")),
        Err((path, error)) => return Err(Failure::Io(format!("cannot read {}", path.display()), error)),
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Visits everything below a folder until `visit` breaks.
///
/// A folder is visited before its contents, and the entries of a folder in the order of their names. Links
/// are visited but not followed. `visit` gets the path relative to the folder, with `/` as separator.
///
/// # Errors
/// Returns the path that could not be read, or for which `visit` failed, and the error.
pub(crate) fn walk(
    folder: &Path,
    mut visit: impl FnMut(&DirEntry, FileType, String) -> io::Result<ControlFlow<()>>,
) -> Result<ControlFlow<()>, (PathBuf, io::Error)> {
    let mut waiting = vec![(folder.to_path_buf(), String::new())];
    while let Some((path, prefix)) = waiting.pop() {
        let listed = fs::read_dir(&path).and_then(|entries| entries.take(ENTRY_LIMIT + 1).collect());
        let mut entries: Vec<DirEntry> = listed.map_err(|error| (path.clone(), error))?;
        if entries.len() > ENTRY_LIMIT {
            return Err((path, io::Error::other("the folder holds more than 1,000,000 files and folders")));
        }
        entries.sort_by_key(DirEntry::file_name);
        for entry in entries {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let visited = entry.file_type().and_then(|kind| {
                if kind.is_dir() {
                    waiting.push((entry.path(), format!("{name}/")));
                }
                visit(&entry, kind, name)
            });
            if visited.map_err(|error| (entry.path(), error))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Returns the `.json` files below `folder` with their contents, in the order of their relative paths.
pub(crate) fn read_json_files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let (mut files, mut total) = (Vec::new(), 0);
    for Found { path, name } in json_files(folder)? {
        let bytes = input::read(&path)?.bytes;
        total += bytes.len();
        if total > BYTE_LIMIT {
            return Err(too_much(folder, "1 GiB of documents"));
        }
        files.push((name, bytes));
    }
    Ok(files)
}

fn too_much(folder: &Path, what: &str) -> Failure {
    let message = format!("the folder holds more than {what}");
    let finding = Finding::error("too-large", "", message, "check its parts one by one");
    Failure::invalid(folder.display().to_string(), Error::single(ErrorKind::Json, finding))
}
