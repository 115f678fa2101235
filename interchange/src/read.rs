//! Reads questions from a file or a package.

use std::io::{Cursor, Read, Seek};

use fablegrade_files::{FileLimits, Files, ZipFiles, is_zip};
use fablegrade_public::Error;

use crate::compile::Question;
use crate::format::{Format, HEAD, Source, detect, head_length};
use crate::loss::{Place, ReadError};

/// Reads a file that is not an archive. Calls `found` with each question, or with an error for an unreadable question.
///
/// # Errors
/// The file is empty or not text, its format is unknown, or the whole file is unreadable. It is also an error if the
/// file neither looks like `format` nor contains a gradable question in that format.
pub fn read(
    source: &Source<'_>,
    format: Option<Format>,
    found: &mut dyn FnMut(Result<Question, ReadError>),
) -> Result<Format, ReadError> {
    not_text(source)?;
    let detected = detect(source);
    let Some(format) = format.or(detected) else {
        let help = "name the format with `--from`";
        return Err(refusal(source, "unknown-format", "the format is not recognised", help));
    };
    let mut gradable = 0u64;
    let mut sink = |item: Result<crate::item::Item, ReadError>| {
        found(match item {
            Ok(item) => {
                let question = Question::compile(format, source.path, item);
                gradable += u64::from(!question.specs.is_empty());
                Ok(question)
            }
            Err(error) => Err(error.in_file(source.path)),
        });
    };
    let outcome = (format.reader().read)(source, &mut sink).map_err(|error| error.in_file(source.path));
    // If the file does not look like the named format, it must at least contain a gradable question.
    if gradable == 0 && detected != Some(format) {
        let help = match detected {
            Some(other) => format!("it looks like {other}; use `--from {other}`, or omit `--from`"),
            None => format!("name the format of the file, or repair it if it is {format}"),
        };
        let message = match outcome {
            Err(mut error) => {
                if detected.is_some() {
                    error.help = help;
                }
                return Err(error);
            }
            Ok(()) => format!("no question in the format {format} is in the file"),
        };
        return Err(refusal(source, "wrong-format", &message, &help));
    }
    outcome?;
    Ok(format)
}

fn refusal(source: &Source<'_>, rule: &'static str, message: &str, help: &str) -> ReadError {
    ReadError::new(Place::default(), rule, message, help).in_file(source.path)
}

/// Signatures of files that are often mistaken for question files, with their descriptions.
const OTHER_FILES: [(&[u8], &str); 7] = [
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"\xd0\xcf\x11\xe0", "a document of an old word processor"),
    (b"7z\xbc\xaf", "an archive that is neither .zip nor .tar.gz"),
];

/// Rejects a file that is empty or not text.
///
/// # Errors
/// The file has only whitespace, the signature of another format, or a NUL near its beginning without a byte order mark
/// of UTF-16.
fn not_text(source: &Source<'_>) -> Result<(), ReadError> {
    let bytes = source.bytes;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if text.iter().all(u8::is_ascii_whitespace) {
        let help = "export it again, and check that the export is complete";
        return Err(refusal(source, "empty-file", "the file is empty", help));
    }
    let known = OTHER_FILES.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, what)| *what);
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let head = &bytes[..bytes.len().min(HEAD)];
    if known.is_some() || (!wide && head.contains(&0)) {
        let message = format!("the file is {}, not a text", known.unwrap_or("binary"));
        let help = "export the questions in one of the formats that are read";
        return Err(refusal(source, "binary-file", &message, help));
    }
    Ok(())
}

/// Reads every file of a package or folder that has a known format; the others (manifests, pictures) are skipped.
/// With a `format`, only files of that format are read.
pub fn read_files(files: &Files, format: Option<Format>, found: &mut dyn FnMut(Result<Question, ReadError>)) {
    for (path, file) in files.iter() {
        read_in_package(&Source { path, bytes: &file.bytes, files: Some(files) }, format, found);
    }
}

/// Works like [`read_files`] for a `.zip`, whose files are unpacked one by one. An unreadable file is reported to
/// `found`, and reading continues.
///
/// # Errors
/// Archives that [`ZipFiles::open`] rejects.
pub fn read_zip<R: Read + Seek>(
    archive: R,
    limits: FileLimits,
    format: Option<Format>,
    found: &mut dyn FnMut(Result<Question, ReadError>),
) -> Result<(), Error> {
    let files = ZipFiles::open(archive, limits)?;
    for path in files.paths() {
        if let Err(error) = read_zipped(&files, path, format, found) {
            found(Err(ReadError::from_public(&error).in_file(path)));
        }
    }
    Ok(())
}

fn read_zipped<R: Read + Seek>(
    files: &ZipFiles<R>,
    path: &str,
    format: Option<Format>,
    found: &mut dyn FnMut(Result<Question, ReadError>),
) -> Result<(), Error> {
    // Large pictures and manifests need not be unpacked, if the beginning shows that a file has no known format.
    let beginning = match head_length(path) {
        Some(length) => files.start(path, length as u64)?.map(|start| (start.len() < length, start)),
        None => None,
    };
    let bytes = match beginning {
        Some((true, whole)) => whole,
        Some((false, start)) if detect(&Source { path, bytes: &start, files: Some(files) }).is_none() => {
            return Ok(());
        }
        _ => files.unpack(path)?.unwrap_or_default(),
    };
    read_in_package(&Source { path, bytes: &bytes, files: Some(files) }, format, found);
    Ok(())
}

/// Works like [`read_files`] for the bytes of a `.zip` or `.tar.gz`.
///
/// # Errors
/// Bytes that are neither, and archives that [`read_zip`] or [`Files::from_archive`] rejects.
pub fn read_archive(
    bytes: &[u8],
    limits: FileLimits,
    format: Option<Format>,
    found: &mut dyn FnMut(Result<Question, ReadError>),
) -> Result<(), Error> {
    if is_zip(bytes) {
        return read_zip(Cursor::new(bytes), limits, format, found);
    }
    read_files(&Files::from_archive(bytes, limits)?, format, found);
    Ok(())
}

fn read_in_package(
    source: &Source<'_>,
    format: Option<Format>,
    found: &mut dyn FnMut(Result<Question, ReadError>),
) {
    let detected = detect(source);
    if detected.is_none() || format.is_some_and(|wanted| detected != Some(wanted)) {
        return;
    }
    if let Err(error) = read(source, detected, found) {
        found(Err(error));
    }
}
