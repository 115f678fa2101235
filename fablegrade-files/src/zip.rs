//! `.zip` archives whose files are unpacked on demand.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fablegrade_public::finding::Error;
use zip::ZipArchive;
use zip::read::ZipFileEntry;

use crate::archive::{bounded, damaged};
use crate::tree::{FileLimits, Lookup, Paths, doubled, link, refused, special};

/// The maximum size of the cache of unpacked files, in bytes.
const KEPT: usize = 4 << 20;

/// A `.zip` archive. Memory holds only its list of files, the file that is being read, and a cache of at most
/// 4 MiB.
pub struct ZipFiles<R> {
    /// Indices in the archive's list of entries, by path.
    files: BTreeMap<String, usize>,
    unpacking: RefCell<Unpacking<R>>,
}

struct Unpacking<R> {
    archive: ZipArchive<Metered<R>>,
    limits: FileLimits,
    /// The number of bytes that can still be unpacked.
    left: u64,
    kept: BTreeMap<String, Vec<u8>>,
    kept_bytes: usize,
}

impl<R> std::fmt::Debug for ZipFiles<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ZipFiles({} files)", self.files.len())
    }
}

impl<R: Read + Seek> ZipFiles<R> {
    /// Reads the list of files. `limits.bytes` bounds the total size that is unpacked from the archive; the
    /// size of the archive itself is not limited.
    ///
    /// # Errors
    /// When the reader does not contain a `.zip`, or the archive is encrypted, or has more entries or deeper
    /// paths than `limits` allow. Links, special files, paths that leave the root, and two entries with one
    /// path are also refused.
    pub fn open(reader: R, limits: FileLimits) -> Result<Self, Error> {
        let archive = open(reader, limits)?;
        let (mut paths, mut files, mut folders) = (Paths::new(limits), BTreeMap::new(), BTreeSet::new());
        for index in 0..archive.len() {
            let (entry, path) = listed(&archive, index)?;
            let Some(clean) = paths.plain(&path)? else { continue };
            match kind_of(&entry) {
                Kind::File if clean.is_empty() => return Err(doubled(&clean)),
                Kind::File => {
                    if let Some(path) = files.insert(clean.clone(), index).map(|_| clean) {
                        return Err(doubled(&path));
                    }
                }
                Kind::Folder => {
                    folders.insert(clean);
                }
                Kind::Link => return Err(link(&clean)),
                Kind::Other => return Err(special(&clean)),
            }
        }
        for path in files.keys() {
            let below = format!("{path}/");
            let file = files.range(below.clone()..).map(|(next, _)| next).next();
            let folder = folders.range(below.clone()..).next();
            if folders.contains(path) || file.into_iter().chain(folder).any(|next| next.starts_with(&below)) {
                return Err(doubled(path));
            }
        }
        let unpacking =
            Unpacking { archive, limits, left: limits.bytes, kept: BTreeMap::new(), kept_bytes: 0 };
        Ok(Self { files, unpacking: RefCell::new(unpacking) })
    }

    /// Returns the paths of all files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the first `length` bytes of a file, fewer if it is shorter; `None` if there is no file with this path.
    ///
    /// # Errors
    /// When the file is damaged, or these bytes exceed its limit or the size that can still be unpacked.
    pub fn start(&self, path: &str, length: u64) -> Result<Option<Vec<u8>>, Error> {
        self.read(path, length)
    }

    /// Unpacks a file; `None` if there is no file with this path.
    ///
    /// # Errors
    /// When the file is damaged, or larger than its limit or the size that can still be unpacked.
    pub fn unpack(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        self.read(path, u64::MAX)
    }

    fn read(&self, path: &str, length: u64) -> Result<Option<Vec<u8>>, Error> {
        let Some(&index) = self.files.get(path) else { return Ok(None) };
        let mut unpacking = self.unpacking.borrow_mut();
        let Unpacking { archive, limits, left, .. } = &mut *unpacking;
        let entry = archive.by_index(index).map_err(|error| damaged(path, &error))?;
        let (size, most) = (entry.size(), limits.most(*left));
        let mut content = entry.take(length);
        let read = bounded(path, size, most, &mut content);
        let before = *left;
        // What was unpacked counts even if it cannot be used.
        *left = before.saturating_sub(length - content.limit());
        read?.ok_or_else(|| limits.too_large(before, path)).map(Some)
    }
}

impl<R: Read + Seek> Lookup for ZipFiles<R> {
    fn bytes(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        if let Some(kept) = self.unpacking.borrow().kept.get(path) {
            return Some(Cow::Owned(kept.clone()));
        }
        let bytes = self.unpack(path).ok()??;
        let mut unpacking = self.unpacking.borrow_mut();
        if bytes.len() <= KEPT {
            if unpacking.kept_bytes + bytes.len() > KEPT {
                unpacking.kept.clear();
                unpacking.kept_bytes = 0;
            }
            unpacking.kept_bytes += bytes.len();
            unpacking.kept.insert(path.to_owned(), bytes.clone());
        }
        Some(Cow::Owned(bytes))
    }

    fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

/// The kind of an entry.
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Other,
}

pub(crate) fn kind_of(entry: &ZipFileEntry<'_>) -> Kind {
    const FORMAT: u32 = 0o170_000;
    match entry.unix_mode().map(|mode| mode & FORMAT) {
        Some(0o120_000) => Kind::Link,
        Some(0o040_000) => Kind::Folder,
        Some(0 | 0o100_000) | None if entry.name_raw().ends_with(b"/") => Kind::Folder,
        Some(0 | 0o100_000) | None => Kind::File,
        _ => Kind::Other,
    }
}

/// Returns an entry in the list of the archive, and its path; entries that cannot be read are refused.
pub(crate) fn listed<R>(archive: &ZipArchive<R>, index: usize) -> Result<(ZipFileEntry<'_>, String), Error>
where
    R: Read + Seek,
{
    let entry = archive.by_index_data(index).map_err(|error| damaged("", &error))?;
    let Ok(path) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
        return Err(refused("path-form", "", "the path of an entry is not UTF-8", "rename the file"));
    };
    if entry.encrypted() {
        return Err(refused("encrypted", "", "the archive is encrypted", "pack it without a password"));
    }
    Ok((entry, path))
}

/// Opens an archive, if it has no more entries than allowed and no duplicate names.
pub(crate) fn open<R: Read + Seek>(reader: R, limits: FileLimits) -> Result<ZipArchive<Metered<R>>, Error> {
    let too_many = || {
        let message = format!("there are more than {} files and folders", limits.entries);
        refused("too-many-files", "", message, "send fewer")
    };
    let left = Arc::new(AtomicU64::new(
        LIST_START.saturating_add((limits.entries as u64).saturating_mul(LIST_ENTRY)),
    ));
    let archive = ZipArchive::new(Metered { reader, left: Arc::clone(&left) });
    // From here on, bytes are limited when they are unpacked.
    let exhausted = left.swap(u64::MAX, Ordering::Relaxed) == 0;
    let archive = match archive {
        Ok(archive) if archive.len() <= limits.entries => archive,
        Ok(_) => return Err(too_many()),
        Err(_) if exhausted => return Err(too_many()),
        Err(error) => return Err(damaged("", &error)),
    };
    if archive.has_duplicate_names() { Err(doubled(&doubled_name(archive))) } else { Ok(archive) }
}

/// Returns the name that two entries share. The reader of archives keeps only the last of them, so the list
/// is read here. Each entry has 46 bytes, then its name, extra fields and a comment, whose lengths are at
/// offsets 28, 30 and 32.
fn doubled_name<R: Read + Seek>(archive: ZipArchive<Metered<R>>) -> String {
    let (directory, most) = (archive.central_directory_start(), archive.len() as u64 * LIST_ENTRY);
    let (mut reader, mut list) = (archive.into_inner().reader, Vec::new());
    let read = reader.seek(SeekFrom::Start(directory)).and_then(|_| reader.take(most).read_to_end(&mut list));
    let (mut names, mut rest) = (BTreeSet::new(), list.as_slice());
    while let Some(entry) = rest.strip_prefix(b"PK\x01\x02").filter(|_| read.is_ok()).map(|_| rest) {
        let length =
            |at: usize| Some(usize::from(u16::from_le_bytes([*entry.get(at)?, *entry.get(at + 1)?])));
        let (Some(name), Some(more), Some(comment)) = (length(28), length(30), length(32)) else { break };
        let Some(name) = entry.get(46..46 + name) else { break };
        if !names.insert(name) {
            return String::from_utf8_lossy(name).into_owned();
        }
        rest = entry.get(46 + name.len() + more + comment..).unwrap_or_default();
    }
    String::new()
}

/// The number of bytes that can be read to find the list of files, and the number per entry. Names, fields
/// and comments take memory before entries can be counted.
const LIST_START: u64 = 1 << 20;
const LIST_ENTRY: u64 = 512;

/// A reader that fails once its byte limit is used up.
pub(crate) struct Metered<R> {
    reader: R,
    left: Arc<AtomicU64>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if most < buffer.len() && most == 0 {
            return Err(io::Error::other("the list of files is too long"));
        }
        let count = self.reader.read(&mut buffer[..most])?;
        if left < u64::MAX {
            self.left.store(left - count as u64, Ordering::Relaxed);
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for Metered<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use super::*;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let stored =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (path, bytes) in entries {
            writer.start_file(*path, stored).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn a_file_and_a_folder_cannot_share_a_path() {
        for paths in [["a/", "a"], ["a", "a/"], ["a", "a/b/"], ["a/b/", "a"], ["a/b", "a"], ["./a/", "a"]] {
            let bytes = archive(&paths.map(|path| (path, b"".as_slice())));
            let error = ZipFiles::open(Cursor::new(&bytes), FileLimits::default()).unwrap_err();
            assert_eq!((error.rule(), error.pointer()), ("repeated-path", "/a"), "{paths:?}");
            assert_eq!(crate::Files::from_archive(&bytes, FileLimits::default()).unwrap_err(), error);
        }
        let bytes = archive(&[("a/", b""), ("./a/", b""), ("a/b", b""), ("ab", b"")]);
        assert!(ZipFiles::open(Cursor::new(&bytes), FileLimits::default()).is_ok());
    }

    #[test]
    fn damaged_files_count_towards_the_limit() {
        let mut bytes = archive(&[("bad", &[b'x'; 1_000]), ("good", &[b'y'; 1_000])]);
        let at = bytes.iter().position(|byte| *byte == b'x').unwrap();
        bytes[at] = b'z';
        let limits = FileLimits { bytes: 2_500, ..FileLimits::default() };
        let files = ZipFiles::open(Cursor::new(&bytes), limits).unwrap();
        let rules = ["bad", "good", "bad", "good"]
            .map(|path| files.unpack(path).map_err(|error| error.rule().to_owned()));
        assert_eq!(rules[0], Err("archive-damaged".to_owned()));
        assert_eq!(rules[1], Ok(Some(vec![b'y'; 1_000])));
        assert_eq!(rules[2], Err("too-large".to_owned()));
        assert_eq!(rules[3], Err("too-large".to_owned()));
    }
}
