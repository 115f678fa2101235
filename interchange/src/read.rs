//! Reading: from a file or a package to questions.

use fablegrade_files::Files;

use crate::compile::Question;
use crate::format::{Format, Source, detect};
use crate::loss::ReadError;

/// Reads a file that is no archive and calls `found` with every question, or with why one cannot be read.
///
/// # Errors
/// A format that is not recognised; what makes the whole file unreadable.
pub fn read(
    source: &Source<'_>,
    format: Option<Format>,
    found: &mut dyn FnMut(Result<Question, ReadError>),
) -> Result<Format, ReadError> {
    let Some(format) = format.or_else(|| detect(source)) else {
        let place = crate::loss::Place::default();
        let error =
            ReadError::new(place, "unknown-format", "the format is not recognised", "name it with `--from`");
        return Err(error.in_file(source.path));
    };
    let mut sink = |item: Result<crate::item::Item, ReadError>| {
        found(match item {
            Ok(item) => Ok(Question::compile(format, source.path, item)),
            Err(error) => Err(error.in_file(source.path)),
        });
    };
    (format.reader().read)(source, &mut sink).map_err(|error| error.in_file(source.path))?;
    Ok(format)
}

/// Reads every file of a package or folder that is in a known format; the others (manifests, pictures) are passed over.
/// With a `format`, only files that look like it are read.
pub fn read_files(files: &Files, format: Option<Format>, found: &mut dyn FnMut(Result<Question, ReadError>)) {
    for (path, file) in files.iter() {
        let source = Source { path, bytes: &file.bytes, files: Some(files) };
        let detected = detect(&source);
        if detected.is_none() || format.is_some_and(|wanted| detected != Some(wanted)) {
            continue;
        }
        if let Err(error) = read(&source, detected, found) {
            found(Err(error));
        }
    }
}
