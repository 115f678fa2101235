//! Output folders whose files appear together or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::atomic_file::{builder, failed, parent};
use crate::exit::Failure;

/// A folder whose files are written beside it and moved into it at the end. Files of other names stay.
pub(crate) struct AtomicFolder {
    path: PathBuf,
    beside: TempDir,
    names: Vec<String>,
}

impl AtomicFolder {
    /// Starts files that will be in the folder `path`.
    ///
    /// # Errors
    /// The folder around it cannot be written to.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let around = parent(path);
        let beside = fs::create_dir_all(around)
            .and_then(|()| builder().tempdir_in(around))
            .map_err(|error| failed(path, error))?;
        Ok(Self { path: path.to_path_buf(), beside, names: Vec::new() })
    }

    /// Writes a file; `name` is one step of a path.
    ///
    /// # Errors
    /// A failed write.
    pub(crate) fn put(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        fs::write(self.beside.path().join(name), text)
            .map_err(|error| failed(&self.path.join(name), error))?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Moves the files to their place, in the order in which they were written.
    ///
    /// # Errors
    /// A failed move.
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
