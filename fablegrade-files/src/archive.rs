//! Archives: `.tar.gz` and `.zip`, distinguished by their first bytes.

use std::io::{Cursor, Read};

use fablegrade_public::finding::Error;

use crate::tree::{Builder, Entry, File, FileLimits, Files, refused};
use crate::zip;

/// The maximum length of a link's target that is read from a `.zip`, in bytes.
const LONGEST_TARGET: u64 = 4096;

/// Returns whether bytes start like a `.tar.gz` or a `.zip`.
pub fn is_archive(bytes: &[u8]) -> bool {
    is_zip(bytes) || matches!(bytes, [0x1f, 0x8b, ..])
}

/// Returns whether bytes start like a `.zip`.
pub fn is_zip(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..])
}

impl Files {
    /// Unpacks an archive.
    ///
    /// # Errors
    /// When the bytes are neither `.tar.gz` nor `.zip`, when the archive is too large, damaged or encrypted,
    /// or when [`Files::from_entries`] would refuse its entries. Never unpacks more than `limits` allow,
    /// whatever sizes the archive states.
    pub fn from_archive(bytes: &[u8], limits: FileLimits) -> Result<Self, Error> {
        if bytes.len() as u64 > limits.archive_bytes {
            let message = format!("the archive has more than {} bytes", limits.archive_bytes);
            return Err(refused("too-large", "", message, "send a smaller one"));
        }
        match bytes {
            [0x1f, 0x8b, ..] => unpack_tar(bytes, limits),
            _ if is_zip(bytes) => unpack_zip(bytes, limits),
            _ => Err(refused(
                "archive-form",
                "",
                "this is neither a .tar.gz nor a .zip archive",
                "pack the folder with `tar czf package.tar.gz -C FOLDER .`",
            )),
        }
    }
}

pub(crate) fn damaged(path: &str, cause: &dyn std::fmt::Display) -> Error {
    refused("archive-damaged", path, format!("the archive cannot be read: {cause}"), "pack it again")
}

/// Reads a file within the remaining limits.
fn content(builder: &Builder, path: &str, size: u64, from: impl Read) -> Result<Vec<u8>, Error> {
    let (limits, left) = (builder.limits(), builder.left());
    bounded(path, size, limits.most(left), from)?.ok_or_else(|| limits.too_large(left, path))
}

/// Reads a file of at most `most` bytes; `None` if it has more.
pub(crate) fn bounded(path: &str, size: u64, most: u64, from: impl Read) -> Result<Option<Vec<u8>>, Error> {
    /// The maximum memory that is reserved because of a size that an archive states, in bytes.
    const FIRST_RESERVE: u64 = 1 << 20;
    let mut bytes = Vec::with_capacity(size.min(most).min(FIRST_RESERVE) as usize);
    from.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| damaged(path, &error))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

fn unpack_tar(bytes: &[u8], limits: FileLimits) -> Result<Files, Error> {
    // Headers and padding are unpacked in addition to the files; 8 KiB per entry are allowed for them.
    let headers = (limits.entries as u64).saturating_add(2).saturating_mul(8_192);
    let most = limits.bytes.saturating_add(headers);
    let stream = flate2::read::MultiGzDecoder::new(bytes).take(most);
    let mut archive = tar::Archive::new(stream);
    let mut builder = Builder::new(limits);
    for entry in archive.entries().map_err(|error| damaged("", &error))? {
        let mut entry = entry.map_err(|error| damaged("", &error))?;
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() {
            continue;
        }
        let path = entry.path_bytes().into_owned();
        let Ok(path) = String::from_utf8(path) else {
            return Err(refused("path-form", "", "the path of an entry is not UTF-8", "rename the file"));
        };
        let found = match kind {
            tar::EntryType::Regular | tar::EntryType::Continuous => {
                let executable = entry.header().mode().ok().map(|mode| mode & 0o111 != 0);
                let size = entry.size();
                Entry::File(File { bytes: content(&builder, &path, size, &mut entry)?, executable })
            }
            tar::EntryType::Directory => Entry::Folder,
            tar::EntryType::Symlink if builder.follows_links() => {
                let target = entry.link_name_bytes().map(|target| target.into_owned());
                target
                    .and_then(|target| String::from_utf8(target).ok())
                    .map_or(Entry::Link, Entry::SymbolicLink)
            }
            tar::EntryType::Symlink | tar::EntryType::Link => Entry::Link,
            _ => Entry::Other,
        };
        builder.add(&path, found)?;
    }
    builder.finish()
}

fn unpack_zip(bytes: &[u8], limits: FileLimits) -> Result<Files, Error> {
    let mut archive = zip::open(Cursor::new(bytes), limits)?;
    let mut builder = Builder::new(limits);
    for index in 0..archive.len() {
        let (entry, path) = zip::listed(&archive, index)?;
        let kind = zip::kind_of(&entry);
        let mut entry = archive.by_index(index).map_err(|error| damaged("", &error))?;
        let found = match kind {
            zip::Kind::Link if builder.follows_links() => {
                let target = content(&builder, &path, entry.size(), (&mut entry).take(LONGEST_TARGET))?;
                String::from_utf8(target).map_or(Entry::Link, Entry::SymbolicLink)
            }
            zip::Kind::Link => Entry::Link,
            zip::Kind::Folder => Entry::Folder,
            zip::Kind::File => {
                let size = entry.size();
                let executable = entry.unix_mode().map(|mode| mode & 0o111 != 0);
                Entry::File(File { bytes: content(&builder, &path, size, &mut entry)?, executable })
            }
            zip::Kind::Other => Entry::Other,
        };
        builder.add(&path, found)?;
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn limits_can_be_as_large_as_their_types() {
        let limits = FileLimits {
            archive_bytes: u64::MAX,
            bytes: u64::MAX,
            file_bytes: u64::MAX,
            entries: usize::MAX,
            ..FileLimits::default()
        };
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&[0; 1_024]).unwrap();
        let no_files = *b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        for archive in [packed.finish().unwrap().as_slice(), &no_files] {
            assert_eq!(Files::from_archive(archive, limits).unwrap().iter().count(), 0);
        }
    }
}
