//! Jobs without isolation. Paths inside the sandbox are replaced by paths of the host. `/tmp` and the given
//! files are below a folder that is removed after the job.

use super::job::Job;
use super::{private_folder, shared_parents, show_file};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A job whose sandbox paths were replaced by paths of the host.
pub(super) struct Moved {
    pub(super) job: Job,
    work: PathBuf,
}

impl Drop for Moved {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.work);
    }
}

impl Moved {
    pub(super) fn new(job: &Job) -> io::Result<Self> {
        let mut moved = Self { job: job.clone(), work: private_folder("work", None)? };
        let folder = |name: &str| -> io::Result<PathBuf> {
            let folder = moved.work.join(name);
            fs::create_dir(&folder)?;
            Ok(folder)
        };
        let mut shown = job.shown.clone().unwrap_or_else(|| moved.work.clone());
        let mut places = vec![("/tmp".to_owned(), folder("tmp")?)];
        if job.files.iter().any(|file| file.path.starts_with("/box/")) {
            let own = folder("box")?;
            if let Some(shown) = &job.shown {
                copy(shown, &own)?;
            }
            shown = own;
        }
        places.push(("/box".to_owned(), shown));
        let mut tops = BTreeSet::new();
        for file in &job.files {
            let top = file.checked_path()?.iter().nth(1).unwrap_or_default().to_string_lossy().into_owned();
            if !matches!(top.as_str(), "tmp" | "box") && tops.insert(top.clone()) {
                places.push((format!("/{top}"), folder(&format!("at-{top}"))?));
            }
        }
        for file in &job.files {
            let place = places
                .iter()
                .find_map(|(from, to)| Some((file.path.strip_prefix(from.as_str())?.strip_prefix('/')?, to)));
            let Some((path, place)) = place else { continue };
            shared_parents(place, path, None)?;
            let target = place.join(path);
            let _ = fs::remove_file(&target);
            show_file(&target, &file.content, file.executable, None)?;
        }
        let here = |text: &str| {
            // Two steps with markers that no path contains, so an inserted path is not replaced again.
            let marked = |text: String, (at, (from, _)): (usize, &(String, PathBuf))| {
                text.replace(from.as_str(), &format!("\0{at}\0"))
            };
            let text = places.iter().enumerate().fold(text.to_owned(), marked);
            let filled = |text: String, (at, (_, to)): (usize, &(String, PathBuf))| {
                text.replace(&format!("\0{at}\0"), &to.to_string_lossy())
            };
            places.iter().enumerate().fold(text, filled)
        };
        let job = &mut moved.job;
        job.command.iter_mut().for_each(|word| *word = here(word));
        job.environment.iter_mut().for_each(|(_, value)| *value = here(value));
        job.directory = here(&job.directory);
        if let Some(collect) = &mut job.collect {
            collect.directory = here(&collect.directory);
        }
        job.files.clear();
        Ok(moved)
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut left = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = left.pop() {
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                fs::create_dir(&target)?;
                left.push((entry.path(), target));
            } else {
                fs::copy(entry.path(), target)?;
            }
        }
    }
    Ok(())
}
