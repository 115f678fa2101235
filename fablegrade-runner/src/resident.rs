//! Keeps in memory the files that running programs share: interpreters and libraries. Otherwise a program
//! could choose whether to read a page of such a file, and a later program could detect that by timing. Bits
//! of a hidden input would leak. If every page is in memory before the first program starts, reading one
//! changes nothing.

use crate::sandbox::{self, Places};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time after which files are read again, because the kernel may have evicted some of their pages. Pages
/// that are still in memory cost little, because they are mapped, not copied.
const AGAIN: Duration = Duration::from_secs(10);
/// The maximum number of bytes, and of files, that are read for one language.
const BYTES: u64 = 2 << 30;
const FILES: usize = 100_000;

/// The times at which the files of each language were last read.
#[derive(Debug)]
pub(crate) struct Resident {
    /// The folder in which all processes of this user record these times.
    notes: Option<PathBuf>,
    read: Mutex<BTreeMap<String, Instant>>,
}

impl Resident {
    pub(crate) fn new(notes: Option<&Path>) -> Self {
        Self { notes: notes.map(Path::to_owned), read: Mutex::default() }
    }

    /// Reads the files of a language, unless that was done a short while ago.
    pub(crate) fn keep(&self, language: &str, places: &Places) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.get(language).is_some_and(|at| at.elapsed() < AGAIN) {
            return;
        }
        let note = self.notes.as_ref().map(|folder| folder.join(format!(".{language}-{}", sandbox::boot())));
        let fresh = note.as_ref().and_then(|note| fs::metadata(note).ok()?.modified().ok()?.elapsed().ok());
        if fresh.is_none_or(|age| age >= AGAIN) {
            read_all(places);
            // Without a record, the next process reads the files once more.
            let _ = note.map(|note| fs::write(note, []));
        }
        read.insert(language.to_owned(), Instant::now());
    }
}

fn read_all(places: &Places) {
    let mut left: Vec<PathBuf> = places.shared().collect();
    let (mut bytes, mut files) = (0, 0);
    while let Some(path) = left.pop() {
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        if about.is_dir() {
            left.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        } else if about.is_file() {
            bytes += about.len();
            files += 1;
            if bytes > BYTES || files > FILES {
                return;
            }
            // A file that this process cannot open cannot be read in a sandbox either.
            let _ = fs::File::open(&path).and_then(|file| sandbox::read_whole(&file));
        }
    }
}
