//! The part of the host's file system that a sandbox sees: single files and folders at their paths on the
//! host, with the links that lead to them and the libraries that they load. Nothing is visible merely because
//! it is next to a needed file.

use super::copies::{self, Copied};
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links that are followed to reach one file, as in the kernel.
const HOPS: usize = 40;
/// The maximum number of entries of a folder that are searched for libraries and for links out of the folder.
const ENTRIES: usize = 100_000;
/// The folders in which libraries are found without an index. `{machine}` is the name of the architecture.
const LIBRARIES: &[&str] =
    &["/lib/{machine}-linux-gnu", "/usr/lib/{machine}-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"];
/// The paths that are visible anyway if the whole system is shown.
const SYSTEM: &[&str] = &["/usr", "/etc/alternatives", INDEX];
/// The index of libraries in other folders, and the folder of the files that list those folders.
const INDEX: &str = "/etc/ld.so.cache";
const INDEXED: &str = "/etc/ld.so.conf.d";

/// Files and folders of the host, each at its own path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Real paths of files and folders.
    shown: BTreeSet<PathBuf>,
    /// Links that lead to them: their paths and targets.
    links: BTreeMap<PathBuf, PathBuf>,
    /// Programs and libraries whose libraries are also shown.
    loaded: BTreeSet<PathBuf>,
    /// Folders that are shown as copies.
    copies: BTreeMap<PathBuf, Copied>,
    /// The reasons why other folders are not copied.
    uncopied: Vec<String>,
}

impl Places {
    /// Shows a file or folder, with the links that lead to it and the libraries that it loads, and returns
    /// its real path. For a folder, these are the libraries that its own libraries load; the single files
    /// that its links lead to are shown too.
    pub fn show(&mut self, path: &Path) -> io::Result<PathBuf> {
        let real = self.place(path)?;
        if fs::metadata(&real)?.is_dir() {
            self.show_what_a_folder_needs(&real)?;
        } else {
            self.show_libraries_of(&real)?;
        }
        Ok(real)
    }

    /// Shows a library by its name; an error if no library folder contains it.
    pub fn show_library(&mut self, name: &str) -> io::Result<PathBuf> {
        let found = library(name, &[]);
        let (path, _) = found.ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, format!("the library {name} is not installed"))
        })?;
        self.show(&path)
    }

    /// Shows what the other places show.
    #[cfg(feature = "terry")]
    pub(crate) fn add(&mut self, other: &Self) {
        self.shown.extend(other.shown.iter().cloned());
        self.links.extend(other.links.iter().map(|(path, target)| (path.clone(), target.clone())));
        self.loaded.extend(other.loaded.iter().cloned());
        self.copies.extend(other.copies.iter().map(|(path, copied)| (path.clone(), copied.clone())));
        self.uncopied.extend(other.uncopied.iter().cloned());
    }

    /// Appends the arguments for bubblewrap: links first, then files and folders, parents before their
    /// contents.
    pub(crate) fn arguments(&self, system: bool, to: &mut Vec<OsString>) {
        let covered = |path: &Path| system && SYSTEM.iter().any(|place| path.starts_with(place));
        for (path, target) in self.links.iter().filter(|(path, _)| !covered(path)) {
            // The links in the root folder are part of the system.
            if system && path.parent() == Some(Path::new("/")) {
                continue;
            }
            to.extend(["--symlink".into(), target.into(), path.into()]);
        }
        for path in self.shown.iter().filter(|path| !covered(path)) {
            let mut show = |from: &Path, at: &Path| to.extend(["--ro-bind".into(), from.into(), at.into()]);
            match self.copies.get(path) {
                None => show(path, path),
                Some(copied) => {
                    show(&copied.place, path);
                    copied.large.iter().map(|file| path.join(file)).for_each(|file| show(&file, &file));
                }
            }
        }
    }

    /// Shows the folders as copies in memory, in which failed look-ups of names leave no trace. A folder that
    /// cannot be copied is shown as it is; [`Places::uncopied`] gives the reason.
    pub(crate) fn copy_folders(&mut self, group: Option<u32>) {
        for folder in self.shown.iter().filter(|path| path.is_dir()) {
            match copies::copy(folder, group) {
                Ok(copied) => {
                    self.copies.insert(folder.clone(), copied);
                }
                Err(why) => self.uncopied.push(why.to_string()),
            }
        }
    }

    /// Returns the reasons why folders could not be copied and are shared with other programs, one sentence
    /// each.
    pub fn uncopied(&self) -> &[String] {
        &self.uncopied
    }

    /// Returns the real paths of the shown files and folders that other programs share.
    pub(crate) fn shared(&self) -> impl Iterator<Item = PathBuf> {
        let large =
            self.copies.iter().flat_map(|(folder, copied)| copied.large.iter().map(|file| folder.join(file)));
        self.shown.iter().filter(|path| !self.copies.contains_key(*path)).cloned().chain(large)
    }

    fn has(&self, real: &Path) -> bool {
        real.ancestors().any(|part| self.shown.contains(part))
    }

    /// Shows a file or folder and every link that leads to it.
    fn place(&mut self, path: &Path) -> io::Result<PathBuf> {
        let mut links = BTreeMap::new();
        let mut hops = 0;
        let mut real = PathBuf::from("/");
        let mut left: Vec<OsString> = Vec::new();
        let push = |left: &mut Vec<OsString>, path: &Path| {
            for part in path.components().rev() {
                match part {
                    Component::Normal(name) => left.push(name.to_owned()),
                    Component::ParentDir => left.push("..".into()),
                    _ => {}
                }
            }
        };
        push(&mut left, path);
        while let Some(part) = left.pop() {
            if part == ".." {
                real.pop();
                continue;
            }
            let next = real.join(&part);
            if !fs::symlink_metadata(&next)?.is_symlink() {
                real = next;
                continue;
            }
            let target = fs::read_link(&next)?;
            if target.is_absolute() {
                real = PathBuf::from("/");
            }
            push(&mut left, &target);
            links.insert(next, target);
            // Links that lead to each other would be followed forever.
            hops += 1;
            if hops > HOPS {
                return Err(io::Error::other(format!("{}: too many links", path.display())));
            }
        }
        // A shown folder already contains its links.
        links.retain(|place, _| !self.has(place));
        self.links.extend(links);
        if !self.has(&real) {
            let within: Vec<PathBuf> = self
                .shown
                .range(real.clone()..)
                .take_while(|path| path.starts_with(&real))
                .cloned()
                .collect();
            for path in within {
                self.shown.remove(&path);
            }
            self.links.retain(|place, _| !place.starts_with(&real));
            self.shown.insert(real.clone());
        }
        Ok(real)
    }

    /// Shows the libraries that libraries in the folder load, and the single files that its links lead to. A
    /// link to a folder elsewhere is ignored, unless that folder is in `/etc`.
    fn show_what_a_folder_needs(&mut self, folder: &Path) -> io::Result<()> {
        let mut left = vec![folder.to_owned()];
        let mut entries = 0;
        while let Some(folder_here) = left.pop() {
            for entry in fs::read_dir(&folder_here)?.flatten() {
                entries += 1;
                if entries > ENTRIES {
                    return Err(io::Error::other(format!(
                        "{}: too many files to be shown",
                        folder.display()
                    )));
                }
                let path = entry.path();
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_dir() {
                    left.push(path);
                } else if kind.is_symlink() {
                    let Ok(real) = path.canonicalize() else { continue };
                    if !self.has(&real) && (real.is_file() || real.starts_with("/etc")) {
                        self.place(&real)?;
                    }
                } else if is_library(&path) {
                    self.show_libraries_of(&path)?;
                }
            }
        }
        Ok(())
    }

    fn show_libraries_of(&mut self, program: &Path) -> io::Result<()> {
        let mut left = VecDeque::from([program.to_owned()]);
        while let Some(path) = left.pop_front() {
            if !self.loaded.insert(path.clone()) {
                continue;
            }
            let Some(needs) = needs(&path) else { continue };
            if let Some(loader) = &needs.loader {
                left.push_back(self.place(loader)?);
            }
            for name in &needs.libraries {
                // A library that is missing on the host is missing in the sandbox too.
                let Some((found, indexed)) = library(name, &needs.folders) else { continue };
                if indexed {
                    self.place(Path::new(INDEX))?;
                }
                left.push_back(self.place(&found)?);
            }
        }
        Ok(())
    }
}

fn is_library(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| name.ends_with(".so") || name.contains(".so."))
}

/// The loader, libraries and search folders that a program or library names.
struct Needs {
    loader: Option<PathBuf>,
    libraries: Vec<String>,
    folders: Vec<PathBuf>,
}

/// Returns what a program needs; `None` if the file is not a valid 64-bit ELF file, for example a script.
fn needs(path: &Path) -> Option<Needs> {
    let file = ReadCache::new(fs::File::open(path).ok()?);
    let header = FileHeader64::<Endianness>::parse(&file).ok()?;
    let endian = header.endian().ok()?;
    let mut needs = Needs { loader: None, libraries: Vec::new(), folders: Vec::new() };
    for segment in header.program_headers(endian, &file).ok()? {
        if let Ok(Some(loader)) = segment.interpreter(endian, &file) {
            needs.loader = Some(PathBuf::from(String::from_utf8_lossy(loader).into_owned()));
        }
    }
    let sections = header.sections(endian, &file).ok()?;
    let Some((entries, strings)) = sections.dynamic(endian, &file).ok()? else { return Some(needs) };
    let strings = sections.strings(endian, &file, strings).ok()?;
    let origin = path.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    for entry in entries {
        let text = || {
            let offset = u32::try_from(entry.d_val(endian)).ok()?;
            strings.get(offset).ok().and_then(|text| std::str::from_utf8(text).ok())
        };
        match u32::try_from(entry.d_tag(endian)) {
            Ok(elf::DT_NEEDED) => needs.libraries.extend(text().map(str::to_owned)),
            Ok(elf::DT_RUNPATH | elf::DT_RPATH) => {
                let all =
                    text().unwrap_or_default().replace("$ORIGIN", &origin).replace("${ORIGIN}", &origin);
                needs.folders.extend(all.split(':').map(PathBuf::from).filter(|folder| folder.is_absolute()));
            }
            _ => {}
        }
    }
    Some(needs)
}

/// Returns the path of a library, and whether the loader needs the index to find it. The folders `first` are
/// searched before all others.
fn library(name: &str, first: &[PathBuf]) -> Option<(PathBuf, bool)> {
    if name.starts_with('/') {
        return Some((PathBuf::from(name), false)).filter(|(path, _)| path.is_file());
    }
    let usual =
        LIBRARIES.iter().map(|folder| PathBuf::from(folder.replace("{machine}", std::env::consts::ARCH)));
    let known = first.iter().cloned().chain(usual).map(|folder| (folder, false));
    let indexed = indexed_folders().into_iter().map(|folder| (folder, true));
    known
        .chain(indexed)
        .map(|(folder, indexed)| (folder.join(name), indexed))
        .find(|(path, _)| path.is_file())
}

/// Returns the folders that are listed in the files of [`INDEXED`].
fn indexed_folders() -> Vec<PathBuf> {
    let mut lists: Vec<PathBuf> =
        fs::read_dir(INDEXED).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    lists.sort();
    lists
        .iter()
        .flat_map(|list| {
            fs::read_to_string(list).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .map(|line| PathBuf::from(line.trim()))
        .filter(|folder| folder.is_absolute())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Places;
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_program_is_shown_with_its_loader_and_libraries_and_nothing_beside_it() {
        let mut places = Places::default();
        let real = places.show(Path::new("/bin/sh")).unwrap();
        assert!(places.shown.contains(&real));
        let names: Vec<String> =
            places.shown.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        assert!(names.iter().any(|name| name.contains("libc.so")), "{names:?}");
        assert!(names.iter().all(|name| Path::new(name).is_file()), "no folder: {names:?}");
        assert!(names.len() < 8, "{names:?}");
    }

    #[test]
    fn links_on_the_way_are_shown_and_those_out_of_a_folder_followed_to_single_files() {
        let root = std::env::temp_dir().join(format!("fablegrade-test-places-{}", std::process::id()));
        fs::create_dir_all(root.join("real/lib")).unwrap();
        fs::create_dir_all(root.join("elsewhere/secrets")).unwrap();
        fs::write(root.join("elsewhere/setting"), "x").unwrap();
        fs::write(root.join("elsewhere/other"), "x").unwrap();
        std::os::unix::fs::symlink(root.join("elsewhere/setting"), root.join("real/lib/setting")).unwrap();
        std::os::unix::fs::symlink(root.join("elsewhere/secrets"), root.join("real/lib/secrets")).unwrap();
        std::os::unix::fs::symlink("real", root.join("link")).unwrap();
        let mut places = Places::default();
        let real = places.show(&root.join("link/lib")).unwrap();
        assert_eq!(real, root.join("real/lib"));
        assert_eq!(
            places.links.get(&root.join("link")).map(|target| target.as_path()),
            Some(Path::new("real"))
        );
        let shown: Vec<&Path> = places.shown.iter().map(PathBuf::as_path).collect();
        assert_eq!(shown, [root.join("elsewhere/setting").as_path(), root.join("real/lib").as_path()]);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn links_that_lead_to_each_other_are_an_error() {
        let root = std::env::temp_dir().join(format!("fablegrade-test-cycle-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        for (link, target) in [("x", "x"), ("a", "b"), ("b", "a"), ("up", "../{root}/up/file")] {
            let own = root.file_name().unwrap().to_string_lossy();
            std::os::unix::fs::symlink(target.replace("{root}", &own), root.join(link)).unwrap();
        }
        for link in ["x", "a", "up"] {
            let told = Places::default().show(&root.join(link)).unwrap_err().to_string();
            assert!(told.contains("too many links"), "{told}");
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_does_not_exist_is_an_error() {
        assert!(Places::default().show(Path::new("/nonexistent/program")).is_err());
        assert!(Places::default().show_library("libnonexistent.so.1").is_err());
    }
}
