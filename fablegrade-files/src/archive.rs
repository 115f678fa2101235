//! Archives: `.tar.gz` and `.zip`, distinguished by their first bytes.

use std::io::{self, Cursor, Read};

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

/// The contents of all members of a gzip stream. Zeros behind the last one are padding.
struct Members<'b>(flate2::bufread::GzDecoder<&'b [u8]>);

impl<'b> Members<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        Self(flate2::bufread::GzDecoder::new(bytes))
    }
}

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.0.read(buffer)?;
            let rest = *self.0.get_ref();
            if count > 0 || buffer.is_empty() || rest.iter().all(|byte| *byte == 0) {
                return Ok(count);
            }
            self.0 = flate2::bufread::GzDecoder::new(rest);
        }
    }
}

fn unpack_tar(bytes: &[u8], limits: FileLimits) -> Result<Files, Error> {
    // Headers and padding are unpacked in addition to the files; 8 KiB per entry are allowed for them.
    let headers = (limits.entries as u64).saturating_add(2).saturating_mul(8_192);
    let most = limits.bytes.saturating_add(headers);
    let mut archive = tar::Archive::new(Members::new(bytes).take(most.saturating_add(1)));
    let mut builder = Builder::new(limits);
    let mut added = add_tar_entries(&mut archive, &mut builder);
    let mut stream = archive.into_inner();
    if added.is_ok() {
        // The archive ends before the gzip stream, but the checksum is at the end of the stream.
        added = io::copy(&mut stream, &mut io::sink()).map(|_| ()).map_err(|error| damaged("", &error));
    }
    if stream.limit() == 0 {
        let message = format!("the archive has more than {most} bytes when it is unpacked");
        return Err(refused("too-large", "", message, "send a smaller one"));
    }
    added?;
    builder.finish()
}

fn add_tar_entries(archive: &mut tar::Archive<impl Read>, builder: &mut Builder) -> Result<(), Error> {
    for entry in archive.entries().map_err(|error| damaged("", &error))? {
        let mut entry = entry.map_err(|error| damaged("", &error))?;
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() {
            builder.count()?;
            continue;
        }
        let path = entry.path_bytes().into_owned();
        let Ok(path) = String::from_utf8(path) else {
            return Err(refused("path-form", "", "the path of an entry is not UTF-8", "rename the file"));
        };
        let found = match kind {
            // The old format v7 has no entry type for folders; their paths end with a slash.
            tar::EntryType::Regular if entry.size() == 0 && path.ends_with('/') => Entry::Folder,
            tar::EntryType::Regular | tar::EntryType::Continuous => {
                let executable = entry.header().mode().ok().map(|mode| mode & 0o111 != 0);
                let size = entry.size();
                Entry::File(File { bytes: content(builder, &path, size, &mut entry)?, executable })
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
    Ok(())
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

    fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn tar(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, kind, bytes) in entries {
            let mut header = tar::Header::new_old();
            header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            header.set_entry_type(*kind);
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn unpack(bytes: &[u8]) -> Result<Files, Error> {
        Files::from_archive(bytes, FileLimits::default())
    }

    const FILE: tar::EntryType = tar::EntryType::Regular;

    #[test]
    fn limits_can_be_as_large_as_their_types() {
        let limits = FileLimits {
            archive_bytes: u64::MAX,
            bytes: u64::MAX,
            file_bytes: u64::MAX,
            entries: usize::MAX,
            ..FileLimits::default()
        };
        let no_files = *b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        for archive in [gzip(&[0; 1_024], 1).as_slice(), &no_files] {
            assert_eq!(Files::from_archive(archive, limits).unwrap().iter().count(), 0);
        }
    }

    #[test]
    fn a_wrong_checksum_is_found() {
        let packed = gzip(&tar(&[("a", FILE, b"contents")]), 0);
        let padded = [packed.as_slice(), &[0; 512]].concat();
        assert_eq!(unpack(&padded).unwrap().get("a").unwrap().bytes, b"contents");
        let at = packed.windows(8).position(|bytes| bytes == b"contents").unwrap();
        let mut changed = packed.clone();
        changed[at] ^= 1;
        for damaged in [changed.as_slice(), &packed[..packed.len() - 1], &[packed.as_slice(), b"x"].concat()]
        {
            assert_eq!(unpack(damaged).unwrap_err().rule(), "archive-damaged");
        }
    }

    #[test]
    fn a_stream_of_several_members_is_one_archive() {
        let bytes = tar(&[("a", FILE, b"contents")]);
        let packed = [gzip(&bytes[..700], 9), gzip(b"", 9), gzip(&bytes[700..], 9)].concat();
        assert_eq!(unpack(&packed).unwrap().get("a").unwrap().bytes, b"contents");
    }

    #[test]
    fn a_stream_over_the_limit_is_not_cut() {
        // The limit is (2 entries + 2) x 8 KiB. The global header fills it, so the file behind it lies beyond the limit.
        let limits = FileLimits { bytes: 0, entries: 2, ..FileLimits::default() };
        let most = vec![0; 4 * 8_192 - 512];
        let entries = [("g", tar::EntryType::XGlobalHeader, most.as_slice()), ("a", FILE, b"")];
        assert_eq!(Files::from_archive(&gzip(&tar(&entries), 9), limits).unwrap_err().rule(), "too-large");
        let limits = FileLimits { entries: 0, ..limits };
        let zeros = [tar(&[]).as_slice(), &[0; 16_384]].concat();
        assert_eq!(Files::from_archive(&gzip(&zeros, 9), limits).unwrap_err().rule(), "too-large");
    }

    #[test]
    fn global_headers_count_as_entries() {
        let limits = FileLimits { entries: 2, ..FileLimits::default() };
        let header = ("g", tar::EntryType::XGlobalHeader, b"".as_slice());
        let unpack = |entries: &[_]| Files::from_archive(&gzip(&tar(entries), 9), limits);
        assert!(unpack(&[header, ("a", FILE, b"")]).is_ok());
        assert_eq!(unpack(&[header, header, ("a", FILE, b"")]).unwrap_err().rule(), "too-many-files");
    }

    #[test]
    fn old_archives_have_folders() {
        let old = tar::EntryType::new(0);
        let files = unpack(&gzip(&tar(&[("data/", old, b""), ("data/1.in", old, b"1")]), 9)).unwrap();
        assert!(files.has_folder("data"));
        assert_eq!(files.iter().map(|(path, _)| path).collect::<Vec<_>>(), ["data/1.in"]);
    }
}
