//! The bank that an import writes, and where an interrupted one continues.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter};
use std::path::Path;

use fablegrade_core::json::Json;
use fablegrade_interchange::ids::UniqueIds;

use crate::exit::Failure;

/// What a bank has already.
#[derive(Default)]
pub(super) struct Resumed {
    /// Files that are in it.
    pub(super) files: BTreeSet<String>,
    /// Its items.
    pub(super) ids: UniqueIds,
    /// How many of its bytes stay.
    pub(super) length: u64,
}

/// The files that a bank has questions of. Lines of the last one, and a torn line, are cut off: it may be incomplete.
pub(super) fn resume(path: &Path) -> Result<Resumed, Failure> {
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
        let file = text("file");
        let unit = file.split_once('!').map_or(file.clone(), |(archive, _)| archive.to_owned());
        if unit != last.0 {
            std::mem::take(&mut last.2).iter().for_each(|id: &String| ids.reserve(id));
            files.insert(std::mem::replace(&mut last.0, unit));
            last.1 = position;
        }
        last.2.insert(read.get("of").and_then(Json::as_str).map_or_else(|| text("item"), str::to_owned));
        position += length as u64;
    }
    Ok(Resumed { files, ids, length: last.1 })
}

pub(super) fn open(path: &Path, keep: Option<u64>, overwrite: bool) -> Result<BufWriter<File>, Failure> {
    let name = path.display().to_string();
    let failed = |error| Failure::Io(format!("cannot write {name}"), error);
    let occupied = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    if occupied && keep.is_none() && !overwrite {
        let message = format!("{name} exists; continue it with --resume or replace it with --overwrite");
        return Err(Failure::Usage(message));
    }
    let file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(keep.is_none())
        .open(path)
        .map_err(failed)?;
    let mut writer = BufWriter::new(file);
    if let Some(length) = keep {
        writer.get_mut().set_len(length).map_err(failed)?;
        std::io::Seek::seek(writer.get_mut(), std::io::SeekFrom::End(0)).map_err(failed)?;
    }
    Ok(writer)
}
