//! Item banks from files: JSON Lines of `{item, spec}`, or a folder with one spec per file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use fablegrade_core::bank::Bank;
use fablegrade_core::json::{Document, Json};
use fablegrade_core::{Error, ErrorKind, Finding};
use fablegrade_validators::registry::host;

use crate::exit::Failure;
use crate::folder::read_json_files;
use crate::input;
use crate::lines::{Block, Blocks, too_long};

/// Maximum size of a bank file in bytes.
const BYTE_LIMIT: u64 = 1 << 30;

/// Loads the bank at `path`; `-` is standard input.
///
/// # Errors
/// Returns an error if the bank is too large or cannot be read, or else all malformed lines or files.
///
/// An invalid spec is not an error; answers to it are refused.
pub(crate) fn load(path: &Path) -> Result<Bank, Failure> {
    load_with(path, &mut |_| Ok(()))
}

/// Loads the bank at `path` with its lines, in the order of the bank.
///
/// # Errors
/// Returns the same errors as [`load`].
pub(crate) fn load_with_lines(path: &Path) -> Result<(Bank, Vec<Line>), Failure> {
    let mut lines = Vec::new();
    let bank = load_with(path, &mut |line| {
        lines.push(Line::read(&line)?);
        Ok(())
    })?;
    Ok((bank, lines))
}

/// Takes a question that was added to a bank, as a line.
type TakeAdded<'t> = dyn FnMut(Cow<'_, [u8]>) -> Result<(), Error> + 't;

/// Loads the bank at `path`, and passes each question that was added to `take`.
fn load_with(path: &Path, take: &mut TakeAdded<'_>) -> Result<Bank, Failure> {
    let mut bank = Bank::new(&host());
    let mut refused = Vec::new();
    if path.is_dir() {
        for (name, bytes) in read_json_files(path)? {
            let item = name.strip_suffix(".json").unwrap_or(&name);
            let added = bank.add(item, &bytes).and_then(|()| take(Cow::Owned(line_of(item, &bytes))));
            if let Err(error) = added {
                refused.push((path.join(&name).display().to_string(), error));
            }
        }
    } else {
        each_line(path, Some(BYTE_LIMIT), &mut refused, &mut |_, line| {
            bank.add_line(line)?;
            take(Cow::Borrowed(line))
        })?;
    }
    if refused.is_empty() { Ok(bank) } else { Err(Failure::Invalid(refused)) }
}

/// Returns a spec that was read from its own file, as a line of a bank.
fn line_of(item: &str, spec: &[u8]) -> Vec<u8> {
    let mut line = Json::build().with("item", item).build().to_canonical().into_bytes();
    line.pop();
    line.extend_from_slice(b",\"spec\":");
    // In valid JSON, line breaks occur only between tokens, where a space is equivalent.
    line.extend(spec.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
    line.push(b'}');
    line
}

/// A line of a bank, with everything that the author wrote.
pub(crate) struct Line {
    /// The id of the question.
    pub(crate) item: String,
    text: String,
    /// The range of the spec in the text.
    spec: Range<usize>,
}

impl Line {
    fn read(line: &[u8]) -> Result<Self, Error> {
        let document = Document::parse(line)?;
        let (text, root) = (document.text(), document.root());
        let spec = root.get("spec").map_or("", |spec| spec.text());
        let start = (spec.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        Ok(Self {
            item: root.get("item").and_then(|item| item.str()).unwrap_or_default().into_owned(),
            text: text.to_owned(),
            spec: start..start + spec.len(),
        })
    }

    /// Returns the line with another spec; all other fields stay as they are.
    pub(crate) fn with_spec(&self, spec: &str) -> String {
        let mut line = self.text.clone();
        line.replace_range(self.spec.clone(), spec);
        line
    }

    /// Returns the text of the line.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// Adds a line with its number (from 1), or returns why the line is invalid.
pub(crate) type TakeLine<'t> = dyn FnMut(u64, &[u8]) -> Result<(), Error> + 't;

/// Passes the lines of a JSON Lines file to `take`, except blank lines.
///
/// Lines over the size limit, and lines that `take` refuses, are added to `refused`.
///
/// # Errors
/// Returns an error if the file cannot be read, or has more than `most` bytes.
pub(crate) fn each_line(
    path: &Path,
    most: Option<u64>,
    refused: &mut Vec<(String, Error)>,
    take: &mut TakeLine<'_>,
) -> Result<(), Failure> {
    each_line_of(input::open(path)?, most, refused, take)
}

/// Works like [`each_line`], for a file that is already open.
pub(crate) fn each_line_of(
    stream: input::Stream,
    most: Option<u64>,
    refused: &mut Vec<(String, Error)>,
    take: &mut TakeLine<'_>,
) -> Result<(), Failure> {
    let input::Stream { reader, name, .. } = stream;
    let failed = |error| Failure::Io(format!("cannot read {name}"), error);
    let (mut blocks, mut block) = (Blocks::new(reader), Block::default());
    while blocks.next(&mut block).map_err(failed)? {
        if let Some(most) = most.filter(|most| block.end > *most) {
            let finding = Finding::error(
                "too-large",
                "",
                format!("the bank has more than {} MiB", most >> 20),
                "split it into several banks",
            );
            return Err(Failure::invalid(name, Error::single(ErrorKind::Json, finding)));
        }
        if let Some(length) = block.too_long {
            refused.push((format!("{name}:{}", block.first_line), too_long(length)));
            continue;
        }
        for (number, line) in (block.first_line..).zip(block.bytes().split(|&byte| byte == b'\n')) {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if let Err(error) = take(number, line) {
                refused.push((format!("{name}:{number}"), error));
            }
        }
    }
    Ok(())
}
