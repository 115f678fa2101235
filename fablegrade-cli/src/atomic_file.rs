//! Atomic output files: each appears complete or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::exit::Failure;

/// Returns the failure for an error in writing `path`.
pub(crate) fn failed(path: &Path, error: io::Error) -> Failure {
    Failure::Io(format!("cannot write {}", path.display()), error)
}

/// Returns the folder of a file, or the current folder if the path has none.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns a builder for the names of unfinished files.
pub(crate) fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".fablegrade-").suffix(".partial");
    builder
}

enum Target {
    /// A temporary file in the folder of the target.
    Beside(NamedTempFile),
    /// A device or a pipe, which is written directly.
    Direct(File),
}

/// Returns the permissions that a replacement of the file at `path` should get; `None` if there is no such file, or on
/// systems other than Unix.
pub(crate) fn permissions_at(path: &Path) -> Option<fs::Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let existing = fs::metadata(path).ok()?;
        Some(fs::Permissions::from_mode(existing.permissions().mode() & 0o777))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// Creates the temporary file for `path`. It has the permissions of the file that it will replace, or else those of a
/// new file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "other systems do not have these permissions"))]
    let mut builder = builder();
    if let Some(permissions) = permissions_at(path) {
        // Only the owner can open the temporary file until it has these permissions.
        let file = builder.tempfile_in(parent(path))?;
        file.as_file().set_permissions(permissions)?;
        return Ok(file);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(parent(path))
}

/// A file that is written under a temporary name and renamed at the end. If it is dropped earlier, nothing
/// remains. Devices and pipes are written directly.
pub(crate) struct AtomicFile {
    path: PathBuf,
    writer: BufWriter<Target>,
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.write(bytes),
            Self::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.flush(),
            Self::Direct(file) => file.flush(),
        }
    }
}

impl AtomicFile {
    /// Starts to write a file that will appear at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created, for example because its folder is not writable.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        // A link to an existing file is kept, and the file is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let special = fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file());
        let target = if special {
            File::create(&path).map(Target::Direct)
        } else {
            temporary(&path).map(Target::Beside)
        };
        let target = target.map_err(|error| failed(&path, error))?;
        Ok(Self { path, writer: BufWriter::new(target) })
    }

    /// Appends text.
    ///
    /// # Errors
    /// Returns an error if the write fails.
    pub(crate) fn put(&mut self, text: &str) -> Result<(), Failure> {
        self.writer.write_all(text.as_bytes()).map_err(|error| failed(&self.path, error))
    }

    /// Writes the rest, and renames the file to its final path.
    ///
    /// # Errors
    /// Returns an error if a write or the renaming fails. An existing file is unchanged then.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { path, writer } = self;
        match writer.into_inner().map_err(|error| failed(&path, error.into_error()))? {
            Target::Direct(_) => Ok(()),
            Target::Beside(file) => match file.persist(&path) {
                Ok(_) => Ok(()),
                Err(error) => Err(failed(&path, error.error)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        fs::write(&path, "before").expect("writes");
        let mut file = AtomicFile::create(&path).expect("starts");
        file.put("after").expect("writes");
        drop(file);
        assert_eq!(fs::read_to_string(&path).expect("reads"), "before");
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1);
    }

    #[test]
    fn a_finished_file_is_at_its_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        let mut file = AtomicFile::create(&path).expect("starts");
        file.put("whole").expect("writes");
        file.finish().expect("moves");
        assert_eq!(fs::read_to_string(&path).expect("reads"), "whole");
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        for mode in [0o600, 0o640] {
            fs::write(&path, "before").expect("writes");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("sets");
            AtomicFile::create(&path).expect("starts").finish().expect("moves");
            assert_eq!(fs::metadata(&path).expect("is there").permissions().mode() & 0o777, mode);
        }
    }
}
