//! Files of folders, within limits.

use std::path::{Path, PathBuf};

use fablegrade_core::{Error, ErrorKind, Finding};
#[cfg(any(all(target_os = "linux", feature = "containers"), feature = "terry"))]
use fablegrade_files::Files;

use crate::exit::Failure;
use crate::input;

/// Maximum number of files and folders.
const FILE_LIMIT: usize = 100_000;
/// Maximum total size of documents that are held at once.
const BYTE_LIMIT: usize = 1 << 30;

/// A file of a folder.
pub(crate) struct Found {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its path relative to the folder, with `/`.
    pub(crate) name: String,
}

/// Writes a tree into a folder; what is executable in the tree is executable there. Its paths stay below the folder: a
/// [`Files`] has no others, and no links.
#[cfg(any(all(target_os = "linux", feature = "containers"), feature = "terry"))]
pub(crate) fn write_files(folder: &Path, files: &Files) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for path in files.folders() {
        std::fs::create_dir_all(folder.join(path))?;
    }
    for (path, file) in files.iter() {
        let path = folder.join(path);
        std::fs::write(&path, &file.bytes)?;
        #[cfg(unix)]
        if file.executable == Some(true) {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Every `.json` file under `folder`, in the order of the relative paths. Links are not followed.
pub(crate) fn json_files(folder: &Path) -> Result<Vec<Found>, Failure> {
    files_below(folder, |path| path.extension().is_some_and(|kind| kind == "json"))
}

/// Every wanted file under `folder`, in the order of the relative paths. Links are not followed.
pub(crate) fn files_below(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<Found>, Failure> {
    let failed = |path: &Path, error| Failure::Io(format!("cannot read {}", path.display()), error);
    let mut files = Vec::new();
    let mut waiting = vec![(folder.to_path_buf(), String::new())];
    while let Some((path, relative)) = waiting.pop() {
        for found in std::fs::read_dir(&path).map_err(|error| failed(&path, error))? {
            let found = found.map_err(|error| failed(&path, error))?;
            let kind = found.file_type().map_err(|error| failed(&found.path(), error))?;
            let name = found.file_name().to_string_lossy().into_owned();
            let name = if relative.is_empty() { name } else { format!("{relative}/{name}") };
            if kind.is_dir() {
                waiting.push((found.path(), name));
            } else if kind.is_file() && wanted(&found.path()) {
                files.push(Found { path: found.path(), name });
            }
            if files.len() + waiting.len() > FILE_LIMIT {
                return Err(too_much(folder, "100,000 files and folders"));
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// The `.json` files under `folder` with their contents, in the order of the relative paths.
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
    Failure::refused(folder.display().to_string(), Error::single(ErrorKind::Json, finding))
}
