//! The formats and their detection.

use std::borrow::Cow;
use std::fmt;

use fablegrade_files::{Lookup, path_beside};

use crate::item::Item;
use crate::loss::ReadError;
use crate::{aiken, csv, gift, moodle, openedx, perseus, prairielearn, qti};

/// A question format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// IMS QTI 3.0.
    Qti3,
    /// IMS QTI 2.0, 2.1 and 2.2.
    Qti2,
    /// IMS QTI 1.2, as in Canvas and Common Cartridge.
    Qti12,
    /// Moodle XML, including STACK and CodeRunner questions.
    MoodleXml,
    /// GIFT.
    Gift,
    /// Aiken.
    Aiken,
    /// Perseus items.
    Perseus,
    /// Open edX problems (OLX).
    OpenEdx,
    /// PrairieLearn questions.
    PrairieLearn,
    /// A table of questions: CSV, also with semicolons or tabs as separators.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 10] = [
        Self::Qti3,
        Self::Qti2,
        Self::Qti12,
        Self::MoodleXml,
        Self::Gift,
        Self::Aiken,
        Self::Perseus,
        Self::OpenEdx,
        Self::PrairieLearn,
        Self::Csv,
    ];

    /// Returns the format's name in commands and documents, such as `moodle-xml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Qti3 => "qti3",
            Self::Qti2 => "qti2",
            Self::Qti12 => "qti12",
            Self::MoodleXml => "moodle-xml",
            Self::Gift => "gift",
            Self::Aiken => "aiken",
            Self::Perseus => "perseus",
            Self::OpenEdx => "openedx",
            Self::PrairieLearn => "prairielearn",
            Self::Csv => "csv",
        }
    }

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Returns the reader of this format.
    pub(crate) const fn reader(self) -> Reader {
        match self {
            Self::Qti3 => Reader { detects: qti::detects_3, read: qti::read },
            Self::Qti2 => Reader { detects: qti::detects_2, read: qti::read },
            Self::Qti12 => Reader { detects: qti::version_1::detects, read: qti::version_1::read },
            Self::MoodleXml => Reader { detects: moodle::detects, read: moodle::read },
            Self::Gift => Reader { detects: gift::detects, read: gift::read },
            Self::Aiken => Reader { detects: aiken::detects, read: aiken::read },
            Self::Perseus => Reader { detects: perseus::detects, read: perseus::read },
            Self::OpenEdx => Reader { detects: openedx::detects, read: openedx::read },
            Self::PrairieLearn => Reader { detects: prairielearn::detects, read: prairielearn::read },
            Self::Csv => Reader { detects: csv::detects, read: csv::read },
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The number of bytes at the beginning of a file by which most formats are detected.
pub(crate) const HEAD: usize = 8_192;

/// Returns the number of bytes at the beginning of a file by which its format is detected; `None` if the whole file is
/// needed.
pub(crate) fn head_length(path: &str) -> Option<usize> {
    let path = path.to_ascii_lowercase();
    if path.ends_with(".json") {
        None
    } else if csv::is_table(&path) {
        Some(csv::LONGEST_HEADER)
    } else {
        Some(HEAD)
    }
}

/// A file to read, and the package around it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// The path, within the package if there is one. Some readers derive ids from it if the file contains none.
    pub path: &'s str,
    /// The content.
    pub bytes: &'s [u8],
    /// The package or folder around it, if there is one.
    pub files: Option<&'s dyn Lookup>,
}

impl<'s> Source<'s> {
    /// Creates a source for a single file, without a package.
    pub fn new(path: &'s str, bytes: &'s [u8]) -> Self {
        Self { path, bytes, files: None }
    }

    /// Returns the last component of the path.
    pub fn name(&self) -> &'s str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(self.path)
    }

    /// Returns the part of the name before its first dot.
    pub fn stem(&self) -> &'s str {
        let name = self.name();
        name.split_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns the first 8 KiB of the file as text, decoded by its byte order mark, else as UTF-8. Invalid bytes become
    /// replacement characters.
    pub fn head(&self) -> Cow<'s, str> {
        let head = &self.bytes[..self.bytes.len().min(HEAD)];
        encoding_rs::UTF_8.decode(head).0
    }

    /// Returns the content of another file of the package by its path relative to this file's folder.
    pub fn sibling(&self, relative: &str) -> Option<Cow<'s, [u8]>> {
        self.files?.bytes(&path_beside(self.path, relative)?)
    }

    /// Converts a path relative to this file's folder to a path within the package; `None` if the package has no such
    /// file.
    pub fn sibling_path(&self, relative: &str) -> Option<String> {
        path_beside(self.path, relative).filter(|path| self.files.is_some_and(|files| files.has(path)))
    }
}

/// The maximum number of other files that are read for an item or a test; a file counts each time it is read.
const MAX_SIBLINGS: usize = 1_000;

/// Reads other files of a package for an item or a test, up to [`MAX_SIBLINGS`] files and a total size.
pub(crate) struct Siblings<'s> {
    source: &'s Source<'s>,
    files: usize,
    bytes: usize,
}

/// An item or a test refers to too many files, or to too much content.
pub(crate) struct TooMuch;

impl<'s> Siblings<'s> {
    /// Creates a reader of files of at most `bytes` in total.
    pub(crate) fn new(source: &'s Source<'s>, bytes: usize) -> Self {
        Self { source, files: MAX_SIBLINGS, bytes }
    }

    /// Returns the content of a file by its path within the package; empty if there is no such file.
    ///
    /// # Errors
    /// A limit is reached.
    pub(crate) fn read(&mut self, path: &str) -> Result<Cow<'s, [u8]>, TooMuch> {
        self.files = self.files.checked_sub(1).ok_or(TooMuch)?;
        let bytes = self.source.files.and_then(|files| files.bytes(path)).unwrap_or_default();
        self.bytes = self.bytes.checked_sub(bytes.len()).ok_or(TooMuch)?;
        Ok(bytes)
    }

    /// Works like [`read`](Self::read) with a path relative to the source's folder.
    pub(crate) fn beside(&mut self, relative: &str) -> Result<Cow<'s, [u8]>, TooMuch> {
        self.read(&path_beside(self.source.path, relative).unwrap_or_default())
    }
}

/// Receives the items that a reader reads, one by one, and an error for each item that cannot be read. Reading
/// continues after such an error.
pub type Sink<'k> = dyn FnMut(Result<Item, ReadError>) + 'k;

/// The functions that detect and read a format.
pub(crate) struct Reader {
    /// Returns whether a file looks like this format, usually by its name and its beginning.
    pub detects: fn(&Source<'_>) -> bool,
    /// Reads every item of a file. An error concerns the whole file.
    pub read: fn(&Source<'_>, &mut Sink<'_>) -> Result<(), ReadError>,
}

/// Detects the format of a file; `None` if it is unknown.
pub fn detect(source: &Source<'_>) -> Option<Format> {
    Format::ALL.into_iter().find(|format| (format.reader().detects)(source))
}
