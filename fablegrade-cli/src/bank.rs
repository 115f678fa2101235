//! Item banks from files: JSON Lines of `{item, spec}`, or a folder with one spec per file.

use std::path::Path;

use fablegrade_core::bank::Bank;
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
/// Returns every malformed line or file with its place. An invalid spec is not an error; answers to it are
/// refused.
pub(crate) fn load(path: &Path) -> Result<Bank, Failure> {
    let mut bank = Bank::new(&host());
    let mut refused = Vec::new();
    if path.is_dir() {
        for (name, bytes) in read_json_files(path)? {
            let item = name.strip_suffix(".json").unwrap_or(&name);
            if let Err(error) = bank.add(item, bytes) {
                refused.push((path.join(&name).display().to_string(), error));
            }
        }
    } else {
        read_lines(path, &mut bank, &mut refused)?;
    }
    if refused.is_empty() { Ok(bank) } else { Err(Failure::Refused(refused)) }
}

fn read_lines(path: &Path, bank: &mut Bank, refused: &mut Vec<(String, Error)>) -> Result<(), Failure> {
    each_line(path, Some(BYTE_LIMIT), refused, &mut |_, line| bank.add_line(line))
}

/// Adds a line with its number (from 1), or returns why the line is invalid.
pub(crate) type TakeLine<'t> = dyn FnMut(u64, &[u8]) -> Result<(), Error> + 't;

/// Passes every line of JSON Lines to `take`, one block of lines at a time.
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
    let input::Stream { reader, name, .. } = input::open(path)?;
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
            return Err(Failure::refused(name, Error::single(ErrorKind::Json, finding)));
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
