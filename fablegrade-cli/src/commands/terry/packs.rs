//! Contests in one file: an archive or a pack of the server, unpacked to a temporary folder.

use std::path::{Path, PathBuf};

use fablegrade_core::{Error, ErrorKind, Finding};
use fablegrade_files::{FileLimits, Files, is_archive};
use fablegrade_terry::pack::{Pack, is_pack};
use tempfile::TempDir;

use crate::exit::Failure;
use crate::folder::write_files;
use crate::input::{self, Source};

/// An unpacked contest. Its folder is removed when it is dropped.
pub(super) struct Unpacked {
    /// The path of its contest.yaml.
    pub(super) contest: PathBuf,
    /// The public metadata in the pack.
    pub(super) metadata: Option<Vec<u8>>,
    _folder: TempDir,
}

/// A contest that was read.
pub(super) enum Opened {
    /// An archive or a pack.
    Unpacked(Unpacked),
    /// Any other file, and standard input.
    Document(Source),
}

/// Reads `path` once, since it can be a pipe, and unpacks it if it is an archive or a pack.
pub(super) fn open(path: &Path, password_file: Option<&Path>) -> Result<Opened, Failure> {
    if input::is_stdin(path) {
        return input::read(path).map(Opened::Document);
    }
    let source = input::read_up_to(path, FileLimits::default().archive_bytes)?;
    let name = || path.display().to_string();
    let refused = |error: Error| Failure::invalid(name(), error);
    let (archive, metadata) = if is_archive(&source) {
        (source, None)
    } else if is_pack(&source) {
        let pack = Pack::parse(&source).map_err(refused)?;
        let Some(password_file) = password_file else {
            return Err(Failure::Usage(
                "the pack is encrypted: give its password with --password-file FILE".into(),
            ));
        };
        let password = input::read(password_file)?.bytes;
        let archive = pack.decrypt(password.trim_ascii_end()).map_err(refused)?;
        (archive, Some(pack.metadata.to_vec()))
    } else {
        return Ok(Opened::Document(Source { name: name(), bytes: input::document(source) }));
    };
    let files = Files::from_archive(&archive, FileLimits::default()).map_err(refused)?;
    let Some(contest) = contest_file(&files) else {
        let message = "there is no contest.yaml at the root of the archive, nor in the only folder there";
        let finding = Finding::error("no-contest", "", message, "pack the folder that holds contest.yaml");
        return Err(refused(Error::single(ErrorKind::Spec, finding)));
    };
    let failed = |error| Failure::Io(format!("cannot unpack {}", name()), error);
    let folder = TempDir::with_prefix("fablegrade-contest-").map_err(failed)?;
    write_files(folder.path(), &files).map_err(failed)?;
    Ok(Opened::Unpacked(Unpacked { contest: folder.path().join(contest), metadata, _folder: folder }))
}

/// Returns the path of the contest's document.
///
/// It is `contest.yaml` at the root, or else the only document in `__users__`. Either can also be in the only
/// folder at the root.
fn contest_file(files: &Files) -> Option<String> {
    let names = files.names_in("");
    let only = names.first().filter(|_| names.len() == 1).map(|name| format!("{name}/"));
    [Some(String::new()), only].into_iter().flatten().find_map(|root| {
        let at_root = format!("{root}contest.yaml");
        if files.get(&at_root).is_some() {
            return Some(at_root);
        }
        let users = format!("{root}__users__");
        let documents: Vec<&str> =
            files.names_in(&users).into_iter().filter(|name| name.ends_with(".yaml")).collect();
        let [document] = documents[..] else { return None };
        Some(format!("{users}/{document}"))
    })
}
