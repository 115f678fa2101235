//! Opens files and standard input, and reads them within size limits.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use fablegrade_core::json::Limits;

use crate::exit::Failure;
use crate::lines::MARK;

/// A document that was read, with its name for messages.
pub(crate) struct Source {
    /// The file's name, or `standard input`.
    pub(crate) name: String,
    /// The bytes: at most one more than a document may have, so the reader refuses an oversized document.
    pub(crate) bytes: Vec<u8>,
}

/// Returns whether a path denotes standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// An open input.
pub(crate) struct Stream {
    /// A reader of its bytes.
    pub(crate) reader: Box<dyn Read + Send>,
    /// Its name for messages.
    pub(crate) name: String,
    /// Its length, if it is a regular file.
    pub(crate) length: Option<u64>,
}

impl Stream {
    /// Reads the rest: at most one byte more than `most`, so the caller can detect a longer input.
    pub(crate) fn read_up_to(self, most: u64) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self.reader.take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| Failure::Io(format!("cannot read {}", self.name), error))?;
        Ok(bytes)
    }

    /// Returns the next bytes, at most `most`, and the stream, which still has them.
    #[cfg(feature = "interchange")]
    pub(crate) fn peek(self, most: u64) -> Result<(Vec<u8>, Self), Failure> {
        let Self { mut reader, name, length } = self;
        let mut head = Vec::new();
        let read = reader.by_ref().take(most).read_to_end(&mut head);
        read.map_err(|error| Failure::Io(format!("cannot read {name}"), error))?;
        let reader = Box::new(io::Cursor::new(head.clone()).chain(reader));
        Ok((head, Self { reader, name, length }))
    }
}

/// Opens a file for streaming; `-` is standard input.
pub(crate) fn open(path: &Path) -> Result<Stream, Failure> {
    if is_stdin(path) {
        return Ok(Stream { reader: Box::new(io::stdin()), name: "standard input".into(), length: None });
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::Io(format!("cannot open {name}"), error))?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
    Ok(Stream { reader: Box::new(file), name, length })
}

/// Reads a whole document; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
    let Stream { reader, name, .. } = open(path)?;
    let bytes = read_document(reader).map_err(|error| Failure::Io(format!("cannot read {name}"), error))?;
    Ok(Source { name, bytes })
}

/// Reads a document: at most one byte more than it may have, not counting a byte order mark at its start, which is
/// skipped. Some editors write such a mark, and JSON readers may ignore it.
fn read_document(reader: impl Read) -> io::Result<Vec<u8>> {
    let most = Limits::default().bytes + 1;
    let mut bytes = Vec::new();
    reader.take((most + MARK.len()) as u64).read_to_end(&mut bytes)?;
    Ok(document(bytes))
}

/// Converts unchanged bytes of a document to those that [`read`] would return.
pub(crate) fn document(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(MARK) {
        bytes.drain(..MARK.len());
    }
    bytes.truncate(Limits::default().bytes + 1);
    bytes
}

/// Reads the bytes of a file unchanged; `-` is standard input.
///
/// At most one byte more than `most` is read, so the caller can detect a longer file.
pub(crate) fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    open(path)?.read_up_to(most)
}

/// Maximum size, in bytes, of a file that is read unchanged.
const RAW_LIMIT: u64 = 256 << 20;

/// Reads all bytes of an output or a program unchanged; `-` is standard input.
///
/// A file of more than 256 MiB is an error, so no file is judged by its beginning.
pub(crate) fn read_raw(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read_up_to(path, RAW_LIMIT)?;
    if bytes.len() as u64 > RAW_LIMIT {
        let message = format!("it has more than {} MiB", RAW_LIMIT >> 20);
        return Err(Failure::Io(format!("cannot read {}", path.display()), io::Error::other(message)));
    }
    Ok(bytes)
}

/// Rejects a command line that reads several documents from standard input.
pub(crate) fn at_most_one_stdin<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Failure::Usage("only one document can come from standard input (`-`)".into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_does_not_count() {
        let most = Limits::default().bytes;
        for (length, kept) in
            [(0, 0), (most - 1, most - 1), (most, most), (most + 1, most + 1), (most + 9, most + 1)]
        {
            let document = vec![b' '; length];
            assert_eq!(read_document(document.as_slice()).expect("reads").len(), kept);
            assert_eq!(read_document(MARK.chain(document.as_slice())).expect("reads").len(), kept);
        }
    }
}
