//! Output folders whose files appear only once all of them are written.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::atomic_file::{builder, failed, parent};
use crate::exit::Failure;

/// A folder whose files are written to a temporary folder and moved at the end. Files with other names are
/// kept.
pub(crate) struct AtomicFolder {
    path: PathBuf,
    beside: TempDir,
    names: Vec<String>,
}

impl AtomicFolder {
    /// Starts to write files that will appear in the folder `path`.
    ///
    /// # Errors
    /// Returns an error if the parent folder is not writable.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let around = parent(path);
        let beside = fs::create_dir_all(around)
            .and_then(|()| builder().tempdir_in(around))
            .map_err(|error| failed(path, error))?;
        Ok(Self { path: path.to_path_buf(), beside, names: Vec::new() })
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

    /// Moves the files to their folder, in the order in which they were written.
    ///
    /// # Errors
    /// Returns an error if a move fails. Files that were moved before remain.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        fs::create_dir_all(&self.path).map_err(|error| failed(&self.path, error))?;
        for name in &self.names {
            let path = self.path.join(name);
            fs::rename(self.beside.path().join(name), &path).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_what_is_not_finished() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = AtomicFolder::create(&folder.path().join("new")).expect("starts");
        files.put("a.xml", "a").expect("writes");
        drop(files);
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 0);
    }

    #[test]
    fn what_is_finished_is_at_its_place_and_other_files_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        fs::write(&path, "before").expect("writes");
        let mut files = AtomicFolder::create(folder.path()).expect("starts");
        files.put("a.xml", "a").expect("writes");
        files.finish().expect("moves");
        assert_eq!(fs::read_to_string(folder.path().join("a.xml")).expect("reads"), "a");
        assert_eq!(fs::read_to_string(&path).expect("reads"), "before");
    }
}
