//! The bank that an import writes, with its continuation after an interrupted import.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};

use fablegrade_core::json::Json;
use fablegrade_interchange::ids::UniqueIds;

use crate::atomic_file::permissions_at;
use crate::exit::Failure;
use crate::same_file::in_real_folder;

/// The contents that an import keeps of a bank that it continues.
#[derive(Default)]
pub(super) struct Resumed {
    /// The files and archives whose questions it contains, as [`unit_path`] returns them.
    pub(super) files: BTreeSet<PathBuf>,
    /// The ids of its items.
    pub(super) ids: UniqueIds,
    /// The number of bytes that are kept.
    length: u64,
}

/// The field of a line that names the file or archive with its question, if `file` does not.
const UNIT: &str = "source";

/// Returns the name by which a file or archive is found again when an import is continued.
///
/// The name of a file in a folder includes the folder, as the command line names it, since two folders can have files
/// of the same name. Different names that are not Unicode remain different.
pub(super) fn unit_name(path: &Path, is_in_folder: bool) -> String {
    let path: PathBuf = if is_in_folder {
        path.components().skip_while(|part| *part == Component::CurDir).collect()
    } else {
        path.to_path_buf()
    };
    match path.to_str() {
        Some(name) => name.to_owned(),
        None => path.as_os_str().as_encoded_bytes().escape_ascii().to_string(),
    }
}

/// Returns the path by which units are compared, so that the spelling of their folder does not matter. Relative names
/// start at the current folder.
pub(super) fn unit_path(unit: &str) -> PathBuf {
    in_real_folder(Path::new(unit)).unwrap_or_else(|| unit.into())
}

/// Adds the name of the file or archive (`unit`) to a line of the bank, unless the line's `file` already gives it.
pub(super) fn with_unit(line: Json, unit: &str) -> Json {
    if unit_of(&line) == unit {
        return line;
    }
    match line {
        Json::Object(mut fields) => {
            fields.push((UNIT.into(), Json::from(unit)));
            Json::object(fields)
        }
        other => other,
    }
}

/// Returns the name of the file or archive with the question of a line.
fn unit_of(line: &Json) -> String {
    let text = |name: &str| line.get(name).and_then(Json::as_str);
    let file = text("file").unwrap_or_default();
    // In an archive, `file` is `ARCHIVE!FILE`.
    text(UNIT).unwrap_or_else(|| file.split_once('!').map_or(file, |(archive, _)| archive)).to_owned()
}

/// Reads the bank at `path`.
///
/// Its first `complete` bytes are a complete bank. After them, the questions of the last file may be incomplete, so its
/// lines are not kept. A malformed line and everything after it are not kept either.
fn resume(path: &Path, complete: u64) -> Result<Resumed, Failure> {
    let failed = |error| Failure::Io(format!("cannot read {}", path.display()), error);
    if !path.exists() {
        return Ok(Resumed::default());
    }
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let (mut files, mut ids) = (BTreeSet::new(), UniqueIds::default());
    let mut last = (String::new(), 0u64, BTreeSet::new());
    let (mut position, mut line) = (0u64, Vec::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(failed)?;
        if length == 0 || !line.ends_with(b"\n") {
            break;
        }
        let Ok(read) = Json::parse(&line) else { break };
        let text = |name: &str| read.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        let unit = unit_of(&read);
        if unit != last.0 {
            std::mem::take(&mut last.2).iter().for_each(|id: &String| ids.reserve(id));
            files.insert(unit_path(&std::mem::replace(&mut last.0, unit)));
            last.1 = position;
        }
        last.2.insert(read.get("of").and_then(Json::as_str).map_or_else(|| text("item"), str::to_owned));
        position += length as u64;
    }
    if position > 0 && position == complete {
        last.2.iter().for_each(|id| ids.reserve(id));
        files.insert(unit_path(&last.0));
        last.1 = position;
    }
    Ok(Resumed { files, ids, length: last.1 })
}

/// Returns the length of the bank at `path` if the partial file continues it, otherwise 0.
fn continued(path: &Path, partial: &Path) -> io::Result<u64> {
    if !path.exists() {
        return Ok(0);
    }
    let (mut bank, mut copy) = (BufReader::new(File::open(path)?), BufReader::new(File::open(partial)?));
    let mut length = 0;
    loop {
        let (left, right) = (bank.fill_buf()?, copy.fill_buf()?);
        let count = left.len().min(right.len());
        if left.is_empty() {
            return Ok(length);
        }
        if count == 0 || left[..count] != right[..count] {
            return Ok(0);
        }
        bank.consume(count);
        copy.consume(count);
        length += count as u64;
    }
}

/// A bank that is written as `BANK.partial` and renamed once it is complete.
///
/// `--resume` continues the partial file of an interrupted import, or a copy of a complete bank.
pub(super) struct BankFile {
    path: PathBuf,
    /// The partial file; `None` if the bank is a device or a pipe.
    partial: Option<PathBuf>,
    writer: BufWriter<File>,
}

fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

impl BankFile {
    /// Creates a bank at `path`, or continues an existing one. Also returns the contents that are kept.
    ///
    /// # Errors
    /// Returns an error if a bank exists and is neither continued nor replaced, or if a file cannot be read
    /// or written.
    pub(super) fn open(path: &Path, resumes: bool, overwrite: bool) -> Result<(Self, Resumed), Failure> {
        let failed = |error| Failure::Io(format!("cannot write {}", path.display()), error);
        // A link to an existing file is kept, and the file is replaced.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            let file = fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
            let this = Self { path: path.clone(), partial: None, writer: BufWriter::new(file) };
            return Ok((this, Resumed::default()));
        }
        if there.is_some_and(|there| there.len() > 0) && !resumes && !overwrite {
            let name = path.display();
            let message = format!("{name} exists; continue it with --resume or replace it with --overwrite");
            return Err(Failure::Usage(message));
        }
        let beside = partial(path);
        if beside.exists() && !resumes && !overwrite {
            let name = beside.display();
            let message = format!(
                "{name} is left over from an interrupted import; continue it with --resume or replace it with --overwrite"
            );
            return Err(Failure::Usage(message));
        }
        let mut resumed = Resumed::default();
        if resumes {
            if !beside.exists() && path.exists() {
                fs::copy(path, &beside).map_err(failed)?;
            }
            // Only a finished import renames its bank, so a bank that the partial file continues is complete.
            resumed = resume(&beside, continued(path, &beside).map_err(failed)?)?;
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(!resumes);
        let permissions = permissions_at(path);
        #[cfg(unix)]
        if permissions.is_some() {
            use std::os::unix::fs::OpenOptionsExt as _;
            // Only the owner can open the new file until it has the permissions of the bank that it replaces.
            options.mode(0o600);
        }
        let mut file = options.open(&beside).map_err(failed)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions).map_err(failed)?;
        }
        file.set_len(resumed.length).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let this = Self { path: path.clone(), partial: Some(beside), writer: BufWriter::new(file) };
        Ok((this, resumed))
    }

    /// Appends a line.
    pub(super) fn put(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.writer, "{line}")
            .map_err(|error| Failure::Io(format!("cannot write {}", self.path.display()), error))
    }

    /// Removes the partial file. An existing bank is kept.
    pub(super) fn discard(self) {
        if let Some(partial) = self.partial {
            let _ = fs::remove_file(partial);
        }
    }

    /// Renames the partial file to the bank's path.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        let moved = self.writer.flush().and_then(|()| match &self.partial {
            Some(partial) => fs::rename(partial, &self.path),
            None => Ok(()),
        });
        moved.map_err(|error| Failure::Io(format!("cannot write {}", self.path.display()), error))
    }
}
