//! Archives: `.tar.gz` and `.zip`, told apart by their first bytes.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use fablegrade_public::finding::Error;

use crate::tree::{Builder, Entry, File, FileLimits, Files, doubled, refused};

/// Largest share of memory that is reserved because of what an archive says of itself.
const FIRST_RESERVE: u64 = 1 << 20;

/// Longest target of a link, in bytes.
const LONGEST_TARGET: u64 = 4096;

/// Whether bytes start as a `.tar.gz` or a `.zip` does.
pub fn is_archive(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, ..] | [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..])
}

impl Files {
    /// Unpacks an archive.
    ///
    /// # Errors
    /// What is neither `.tar.gz` nor `.zip`, what is damaged or encrypted, and all that [`Files::from_entries`] refuses.
    /// Nothing is ever unpacked beyond `limits`, whatever the archive says of its sizes.
    pub fn from_archive(bytes: &[u8], limits: FileLimits) -> Result<Self, Error> {
        if bytes.len() as u64 > limits.archive_bytes {
            let message = format!("the archive has more than {} bytes", limits.archive_bytes);
            return Err(refused("too-large", "", message, "send a smaller one"));
        }
        match bytes {
            [0x1f, 0x8b, ..] => unpack_tar(bytes, limits),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => unpack_zip(bytes, limits),
            _ => Err(refused(
                "archive-form",
                "",
                "this is neither a .tar.gz nor a .zip archive",
                "pack the folder with `tar czf package.tar.gz -C FOLDER .`",
            )),
        }
    }
}

fn damaged(path: &str, cause: &dyn std::fmt::Display) -> Error {
    refused("archive-damaged", path, format!("the archive cannot be read: {cause}"), "pack it again")
}

/// Reads a file of which at most as much is taken as may still come.
fn content(builder: &Builder, path: &str, size: u64, from: impl Read) -> Result<Vec<u8>, Error> {
    let left = builder.left();
    let mut bytes = Vec::with_capacity(size.min(left).min(FIRST_RESERVE) as usize);
    from.take(left + 1).read_to_end(&mut bytes).map_err(|error| damaged(path, &error))?;
    if bytes.len() as u64 > left { Err(builder.too_large(path)) } else { Ok(bytes) }
}

fn unpack_tar(bytes: &[u8], limits: FileLimits) -> Result<Files, Error> {
    // Headers and padding are unpacked beyond the files: at most some KiB for each entry.
    let most = limits.bytes + (limits.entries as u64 + 2) * 8_192;
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
            return Err(refused("path-form", "", "the path of an entry is no UTF-8", "rename the file"));
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
    const FORMAT: u32 = 0o170_000;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged("", &error))?;
    let mut builder = Builder::new(limits);
    if archive.len() > limits.entries {
        let message = format!("there are more than {} files and folders", limits.entries);
        return Err(refused("too-many-files", "", message, "send fewer"));
    }
    let directory = archive.central_directory_start();
    if let Some(path) = doubled_name(bytes, usize::try_from(directory).unwrap_or(usize::MAX)) {
        return Err(doubled(&path));
    }
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| damaged("", &error))?;
        let Ok(path) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
            return Err(refused("path-form", "", "the path of an entry is no UTF-8", "rename the file"));
        };
        if entry.encrypted() {
            return Err(refused("encrypted", "", "the archive is encrypted", "pack it without a password"));
        }
        let mode = entry.unix_mode();
        let found = match mode.map(|mode| mode & FORMAT) {
            Some(0o120_000) if builder.follows_links() => {
                let target = content(&builder, &path, entry.size(), (&mut entry).take(LONGEST_TARGET))?;
                String::from_utf8(target).map_or(Entry::Link, Entry::SymbolicLink)
            }
            Some(0o120_000) => Entry::Link,
            Some(0o040_000) => Entry::Folder,
            Some(0 | 0o100_000) | None if path.ends_with('/') => Entry::Folder,
            Some(0 | 0o100_000) | None => {
                let size = entry.size();
                let executable = mode.map(|mode| mode & 0o111 != 0);
                Entry::File(File { bytes: content(&builder, &path, size, &mut entry)?, executable })
            }
            _ => Entry::Other,
        };
        builder.add(&path, found)?;
    }
    builder.finish()
}

/// A name that two entries of a `.zip` have. The reader of archives keeps only the last of them, so that the list is walked
/// here: each entry has 46 bytes, then its name, more fields and a comment, whose lengths stand at 28, 30 and 32.
fn doubled_name(bytes: &[u8], directory: usize) -> Option<String> {
    let mut names = BTreeSet::new();
    let mut rest = bytes.get(directory..)?;
    while let Some(entry) = rest.strip_prefix(b"PK\x01\x02").map(|_| rest) {
        let length =
            |at: usize| Some(usize::from(u16::from_le_bytes([*entry.get(at)?, *entry.get(at + 1)?])));
        let (name, more, comment) = (length(28)?, length(30)?, length(32)?);
        let name = entry.get(46..46 + name)?;
        if !names.insert(name) {
            return Some(String::from_utf8_lossy(name).into_owned());
        }
        rest = entry.get(46 + name.len() + more + comment..)?;
    }
    None
}
