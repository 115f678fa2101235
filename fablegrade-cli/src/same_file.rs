//! Outputs that are also inputs.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::atomic_file::parent;
use crate::exit::Failure;
use crate::input::is_stdin;

/// Opens an existing regular file; `None` for folders, devices and pipes. For `-`, the file that is standard input.
///
/// While both are open, the handles of two names of the same file are equal, even if the names are links.
fn open(path: &Path) -> Option<Handle> {
    if is_stdin(path) {
        let stdin = Handle::stdin().ok()?;
        let is_file = stdin.as_file().metadata().is_ok_and(|metadata| metadata.is_file());
        return is_file.then_some(stdin);
    }
    // Opening a pipe would wait for its other end.
    fs::metadata(path).ok().filter(Metadata::is_file)?;
    Handle::from_path(path).ok()
}

/// Returns a path to the same file whose folder has no links, `.` or `..`; `None` if the folder does not exist. The
/// file itself need not exist, and can be a link.
pub(crate) fn in_real_folder(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(parent(path)).ok()?.join(path.file_name()?))
}

/// Rejects a command line whose output would replace one of its inputs, or another of its outputs.
///
/// `is_read` returns whether a file below an input folder is read if it is there.
///
/// # Errors
/// Returns an error if an output is the same regular file as an input that the command line names, or is read below a
/// folder that the command line names. Symbolic links are followed everywhere. Hard links are recognised only to files
/// that the command line names, not to files below a folder. Two outputs are the same if their paths are the same;
/// devices and pipes can be named twice.
pub(crate) fn keep_inputs<'p>(
    outputs: impl IntoIterator<Item = &'p Path>,
    inputs: impl IntoIterator<Item = &'p Path>,
    is_read: impl Fn(&Path) -> bool,
) -> Result<(), Failure> {
    let inputs: Vec<&Path> = inputs.into_iter().collect();
    let folders = inputs.iter().filter(|input| !is_stdin(input) && input.is_dir());
    let folders: Vec<PathBuf> = folders.filter_map(|folder| fs::canonicalize(folder).ok()).collect();
    let mut written = Vec::new();
    for output in outputs.into_iter().filter(|output| !is_stdin(output)) {
        // The inputs are opened one at a time, because there can be more of them than files that may be open.
        let is_input = open(output).is_some_and(|output| {
            inputs.iter().any(|input| open(input).is_some_and(|input| input == output))
        });
        if is_input {
            let message =
                format!("{} is read and would be replaced; name another file to write", output.display());
            return Err(Failure::Usage(message));
        }
        let Some(path) = fs::canonicalize(output).ok().or_else(|| in_real_folder(output)) else { continue };
        let is_special = fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if !is_special && written.contains(&path) {
            let message = format!("{} would be written twice; name another file", output.display());
            return Err(Failure::Usage(message));
        }
        written.push(path.clone());
        if !is_special && folders.iter().any(|folder| path.starts_with(folder)) && is_read(&path) {
            let message = format!(
                "{} is in a folder whose files are read; name a file in another folder to write",
                output.display()
            );
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}
