//! Output folders whose files appear only once all of them are written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::atomic_file::{builder, failed, parent, permissions_at};
use crate::exit::Failure;

/// A folder whose files are written to a temporary folder and moved at the end. Files with other names are
/// kept.
pub(crate) struct AtomicFolder {
    path: PathBuf,
    beside: TempDir,
    names: Vec<String>,
    /// The files that are removed at the end.
    removed: Vec<String>,
}

impl AtomicFolder {
    /// Starts to write files that will appear in the folder `path`.
    ///
    /// # Errors
    /// Returns an error if the parent folder cannot be created, or is not writable.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        // A link to an existing folder is kept, and files move only within a file system.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let around = parent(&path);
        let beside = fs::create_dir_all(around)
            .and_then(|()| builder().tempdir_in(around))
            .map_err(|error| failed(&path, error))?;
        Ok(Self { path, beside, names: Vec::new(), removed: Vec::new() })
    }

    /// Writes a file. `name` is a single path component.
    ///
    /// # Errors
    /// Returns an error if the write fails.
    pub(crate) fn put(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        fs::write(self.beside.path().join(name), text)
            .map_err(|error| failed(&self.path.join(name), error))?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Removes a file of the folder at the end, if it is there. `name` is a single path component, and not the
    /// name of a written file.
    pub(crate) fn remove(&mut self, name: &str) {
        self.removed.push(name.to_owned());
    }

    /// Removes the files named by `remove`, then moves the written files to the folder, in the order of writing.
    ///
    /// # Errors
    /// Returns an error if a removal or a move fails. The earlier ones are then undone where possible.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        // Holds the files that are replaced until all moves have succeeded.
        let replaced = builder().tempdir_in(parent(&self.path)).map_err(|error| failed(&self.path, error))?;
        let is_new = !self.path.exists();
        fs::create_dir_all(&self.path).map_err(|error| failed(&self.path, error))?;
        for (at, name) in self.removed.iter().chain(&self.names).enumerate() {
            let (path, before) = (self.path.join(name), replaced.path().join(name));
            let done = if at < self.removed.len() {
                match fs::rename(&path, before) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    other => other,
                }
            } else {
                replace(&self.beside.path().join(name), &path, &before)
            };
            if let Err(error) = done {
                self.undo(at, replaced.path(), is_new);
                return Err(failed(&path, error));
            }
        }
        Ok(())
    }

    /// Undoes the first `done` removals and moves where possible.
    fn undo(&self, done: usize, replaced: &Path, is_new: bool) {
        let names: Vec<&String> = self.removed.iter().chain(&self.names).take(done).collect();
        for name in names.into_iter().rev() {
            let (path, before) = (self.path.join(name), replaced.join(name));
            let _ = if before.symlink_metadata().is_ok() {
                fs::rename(before, path)
            } else {
                fs::remove_file(path)
            };
        }
        if is_new {
            // Fails if another program has put something there; its files are kept.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Moves `file` to `path`. If there is a file at `path`, its permissions are given to `file`, and it is moved to
/// `before`. It is moved back if `file` cannot be moved.
fn replace(file: &Path, path: &Path, before: &Path) -> io::Result<()> {
    let exists = path.symlink_metadata().is_ok_and(|metadata| !metadata.is_dir());
    if exists {
        if let Some(permissions) = permissions_at(path) {
            fs::set_permissions(file, permissions)?;
        }
        fs::rename(path, before)?;
    }
    let moved = fs::rename(file, path);
    if exists && moved.is_err() {
        let _ = fs::rename(before, path);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_folder_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = AtomicFolder::create(&folder.path().join("new")).expect("starts");
        files.put("a.xml", "a").expect("writes");
        drop(files);
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 0);
    }

    #[test]
    fn a_finished_file_is_at_its_path_and_other_files_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        fs::write(&path, "before").expect("writes");
        let mut files = AtomicFolder::create(folder.path()).expect("starts");
        files.put("a.xml", "a").expect("writes");
        files.finish().expect("moves");
        assert_eq!(fs::read_to_string(folder.path().join("a.xml")).expect("reads"), "a");
        assert_eq!(fs::read_to_string(&path).expect("reads"), "before");
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.xml");
        for mode in [0o600, 0o640] {
            fs::write(&path, "before").expect("writes");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("sets");
            let mut files = AtomicFolder::create(folder.path()).expect("starts");
            files.put("a.xml", "after").expect("writes");
            files.finish().expect("moves");
            assert_eq!(fs::read_to_string(&path).expect("reads"), "after");
            assert_eq!(fs::metadata(&path).expect("is there").permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_move_that_fails_leaves_the_folder_as_it_was() {
        let around = tempfile::tempdir().expect("a folder");
        let path = around.path().join("out");
        let put = |names: &[&str]| {
            let mut files = AtomicFolder::create(&path).expect("starts");
            for name in names {
                files.put(name, "after").expect("writes");
            }
            files.finish()
        };
        // A folder cannot be replaced by a file.
        fs::create_dir_all(path.join("c.xml")).expect("makes a folder");
        fs::write(path.join("a.xml"), "before").expect("writes");
        assert!(put(&["a.xml", "b.xml", "c.xml", "d.xml"]).is_err());
        let mut names: Vec<_> =
            fs::read_dir(&path).expect("lists").map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.xml", "c.xml"]);
        assert_eq!(fs::read_to_string(path.join("a.xml")).expect("reads"), "before");
        assert_eq!(fs::read_dir(around.path()).expect("lists").count(), 1, "nothing is left beside it");
        // Without the folder `c.xml`, the files can be moved.
        fs::remove_dir(path.join("c.xml")).expect("removes");
        put(&["a.xml", "b.xml", "c.xml"]).expect("moves");
        assert_eq!(fs::read_to_string(path.join("a.xml")).expect("reads"), "after");
        assert_eq!(fs::read_dir(around.path()).expect("lists").count(), 1);
    }
}
