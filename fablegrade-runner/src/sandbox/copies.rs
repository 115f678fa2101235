//! Copies of shared folders in a file system in memory.
//!
//! A file system on disk caches failed look-ups of names, so the next look-up takes a fraction of the time. A
//! program could thereby store bits of a hidden input in a folder that all sandboxes see, and a later one
//! could read them by timing. A file system in memory has no such cache. Large files are not copied but
//! mounted individually; looking up such a file by its name leaves no trace.

use super::{owner, shared_folder, syscalls};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The size in bytes from which files are mounted instead of copied.
const LARGE: u64 = 4 << 20;
/// Limits on the copy of one folder: its size in bytes, and its number of entries.
const BYTES: u64 = 512 << 20;
const ENTRIES: usize = 100_000;
/// The beginning of the name of the folder that contains all copies. The user id follows, then the group that
/// can enter the folder, because runners of one user with different groups do not share it.
const NAME: &str = "fablegrade-languages";
/// The beginning of the names of folders that are being written.
const ASIDE: &str = "new";
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A folder's copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Copied {
    pub(crate) place: PathBuf,
    /// The paths of large files below the folder; they are empty in the copy.
    pub(crate) large: Vec<PathBuf>,
}

/// The reason why a folder cannot be copied and is mounted instead.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Uncopied {
    #[error("no file system in memory can be written to (/dev/shm, XDG_RUNTIME_DIR or /run)")]
    NoPlace,
    #[error("{} is too large to be kept in memory ({bytes} bytes, {left} are left)", folder.display())]
    TooLarge { folder: PathBuf, bytes: u64, left: u64 },
    #[error("{} cannot be copied: {source}", folder.display())]
    File { folder: PathBuf, source: io::Error },
}

/// Returns the copy of a folder, and creates it if necessary. Any change in the folder leads to a new copy.
/// Old copies are not removed; they disappear with the file system in memory.
pub(crate) fn copy(folder: &Path, group: Option<u32>) -> Result<Copied, Uncopied> {
    let cannot = |source| Uncopied::File { folder: folder.to_owned(), source };
    let all = walk(folder).map_err(cannot)?;
    let is_large = |about: &Metadata| about.is_file() && about.len() >= LARGE;
    let large = all.iter().filter(|(_, about)| is_large(about)).map(|(path, _)| path.clone()).collect();
    let home = home(group)?;
    let place = home.join(name(folder, &all));
    if !place.is_dir() {
        let copied = all.iter().filter(|(_, about)| about.is_file() && !is_large(about));
        // Each file and folder takes at least one page.
        let bytes = copied.map(|(_, about)| about.len()).sum::<u64>() + (all.len() as u64) * 4096;
        let left = syscalls::memory_left(&home).map_err(cannot)?.unwrap_or_default();
        if bytes > BYTES || bytes > left / 2 {
            return Err(Uncopied::TooLarge { folder: folder.to_owned(), bytes, left });
        }
        write(folder, &all, &home, &place).map_err(cannot)?;
    }
    Ok(Copied { place, large })
}

/// Returns the folder that contains this user's copies for a group.
fn home(group: Option<u32>) -> Result<PathBuf, Uncopied> {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let places = [Some(PathBuf::from("/dev/shm")), own, Some(PathBuf::from("/run"))];
    let group_part = group.map(|group| format!("-{group}")).unwrap_or_default();
    for place in places.into_iter().flatten().filter(|place| place.is_absolute()) {
        if !syscalls::memory_left(&place).is_ok_and(|left| left.is_some()) {
            continue;
        }
        let home = place.join(format!("{NAME}-{}{group_part}", super::user()));
        if shared_folder(&home, group).is_ok() {
            owner::sweep(&home, ASIDE);
            return Ok(home);
        }
    }
    Err(Uncopied::NoPlace)
}

/// Returns everything below a folder by its relative path, each folder before its contents.
fn walk(folder: &Path) -> io::Result<Vec<(PathBuf, Metadata)>> {
    let mut all = vec![(PathBuf::new(), fs::metadata(folder)?)];
    let mut at = 0;
    while let Some((path, about)) = all.get(at) {
        at += 1;
        if !about.is_dir() {
            continue;
        }
        let path = path.clone();
        for entry in fs::read_dir(folder.join(&path))? {
            let entry = entry?;
            all.push((path.join(entry.file_name()), entry.metadata()?));
            if all.len() > ENTRIES {
                return Err(io::Error::other("it has too many files"));
            }
        }
    }
    Ok(all)
}

/// Returns a name that depends on the folder's path and changes whenever anything in the folder changes.
fn name(folder: &Path, all: &[(PathBuf, Metadata)]) -> String {
    let mut hash = Sha256::new();
    hash.update(folder.as_os_str().as_encoded_bytes());
    let mut entries: Vec<&(PathBuf, Metadata)> = all.iter().collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, about) in entries {
        hash.update([0]);
        hash.update(path.as_os_str().as_encoded_bytes());
        for number in [about.size(), about.ctime() as u64, about.ctime_nsec() as u64, about.mode().into()] {
            hash.update(number.to_le_bytes());
        }
    }
    hash.finalize().iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Writes the copy under a temporary name and renames it, so no reader sees an incomplete copy.
fn write(folder: &Path, all: &[(PathBuf, Metadata)], home: &Path, place: &Path) -> io::Result<()> {
    let aside = home.join(owner::name(ASIDE, NEXT.fetch_add(1, Ordering::Relaxed)));
    let written =
        all.iter().try_for_each(|(path, about)| write_one(&folder.join(path), about, &aside.join(path)));
    let moved = written.and_then(|()| fs::rename(&aside, place));
    if moved.is_err() {
        let _ = fs::remove_dir_all(&aside);
    }
    // Another process may have made the same copy first.
    if place.is_dir() { Ok(()) } else { moved }
}

fn write_one(from: &Path, about: &Metadata, to: &Path) -> io::Result<()> {
    if about.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    if about.is_dir() {
        fs::create_dir(to)?;
        return fs::set_permissions(to, fs::Permissions::from_mode(0o755));
    }
    if !about.is_file() {
        return Ok(());
    }
    let mut file = File::create_new(to)?;
    if about.len() < LARGE {
        match File::open(from) {
            Ok(mut from) => io::copy(&mut from, &mut file).map(|_| ())?,
            // A file that this process cannot read cannot be read in a sandbox either.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            Err(error) => return Err(error),
        }
    }
    // Interpreters compare the modification times of sources and of compiled files.
    file.set_modified(about.modified()?)?;
    let mode = about.permissions().mode() & 0o555;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::{LARGE, copy};
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    #[test]
    fn another_group_has_another_folder() {
        let own = fs::metadata("/proc/self").unwrap().gid();
        if let (Ok(alone), Ok(shared)) = (super::home(None), super::home(Some(own))) {
            assert_ne!(alone, shared);
            assert_eq!(fs::metadata(alone).unwrap().permissions().mode() & 0o777, 0o700);
            assert_eq!(fs::metadata(shared).unwrap().permissions().mode() & 0o777, 0o750);
        }
    }

    #[test]
    fn a_copy_has_the_same_files_and_is_another_after_a_change() {
        let folder = std::env::temp_dir().join(format!("fablegrade-test-copied-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        fs::write(folder.join("inner/text"), "words").unwrap();
        fs::set_permissions(folder.join("inner/text"), fs::Permissions::from_mode(0o754)).unwrap();
        fs::write(folder.join("large"), vec![1; LARGE as usize]).unwrap();
        std::os::unix::fs::symlink("inner/text", folder.join("link")).unwrap();
        let Ok(first) = copy(&folder, None) else {
            // Copying fails only if no file system in memory is writable.
            assert!(!std::path::Path::new("/dev/shm").is_dir());
            return;
        };
        assert_eq!(fs::read(first.place.join("link")).unwrap(), b"words");
        let (from, to) = (folder.join("inner/text"), first.place.join("inner/text"));
        let about = fs::metadata(to).unwrap();
        assert_eq!(about.permissions().mode() & 0o777, 0o554);
        assert_eq!(about.modified().unwrap(), fs::metadata(from).unwrap().modified().unwrap());
        assert_eq!(first.large, [std::path::PathBuf::from("large")]);
        assert_eq!(fs::metadata(first.place.join("large")).unwrap().len(), 0);
        assert_eq!(copy(&folder, None).unwrap(), first, "found again");
        fs::write(folder.join("inner/text"), "other").unwrap();
        let second = copy(&folder, None).unwrap();
        assert_ne!(second.place, first.place);
        assert_eq!(fs::read(second.place.join("inner/text")).unwrap(), b"other");
        for made in [folder, first.place, second.place] {
            fs::remove_dir_all(made).unwrap();
        }
    }
}
