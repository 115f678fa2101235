//! Replaces symbolic links inside a tree with copies of their targets.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use fablegrade_public::finding::Error;

use crate::path::path_beside;
use crate::tree::{Builder, Entry};

/// Replaces links with copies of their targets. A link stays unresolved if it leaves the tree, if its target is an
/// invalid path, too long or too deep, does not exist, or contains an unresolved link, or if it leads to itself,
/// to an enclosing folder, or through a link without a target. Copies count towards the limits.
///
/// A target is copied after all links below it have been replaced, so every link is visited once.
pub(crate) fn resolve(builder: &mut Builder, links: &BTreeMap<String, String>) -> Result<(), Error> {
    let targets: BTreeMap<&str, String> =
        links.iter().filter_map(|(link, target)| Some((link.as_str(), path_beside(link, target)?))).collect();
    let targets = real_targets(&targets, builder.limits().depth);
    // The number of links below each folder that have not been replaced. An unresolved link keeps the
    // numbers of all folders above it from reaching zero.
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    for link in links.keys() {
        for folder in folders_above(link) {
            *waiting.entry(folder).or_default() += 1;
        }
    }
    let mut links_to: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (link, target) in &targets {
        if let Some(target) = target.as_deref().filter(|target| !target.is_empty()) {
            links_to.entry(target).or_default().push(link);
        }
    }
    let mut ready: VecDeque<(&str, &str)> = VecDeque::new();
    let mut make_ready = |ready: &mut VecDeque<_>, target| {
        ready.extend(links_to.remove(target).into_iter().flatten().map(|link| (link, target)));
    };
    for target in targets.values().flatten() {
        if !waiting.contains_key(target.as_str()) {
            make_ready(&mut ready, target.as_str());
        }
    }
    let mut copied: BTreeSet<&str> = BTreeSet::new();
    while let Some((link, target)) = ready.pop_front() {
        if !builder.copy(target, link)? {
            continue;
        }
        copied.insert(link);
        for folder in folders_above(link) {
            let Some(count) = waiting.get_mut(folder) else { continue };
            *count -= 1;
            if *count == 0 {
                make_ready(&mut ready, folder);
            }
        }
    }
    for link in links.keys().filter(|link| !copied.contains(link.as_str())) {
        builder.unresolved(link);
    }
    Ok(())
}

/// Returns the folders above a path, without the root.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

/// Returns the target of each link after replacing the links in it. The target is `None` if it has more than
/// `depth` components, or if the link leads to itself or through a link without a target.
fn real_targets<'l>(links: &BTreeMap<&'l str, String>, depth: usize) -> BTreeMap<&'l str, Option<String>> {
    let mut real: BTreeMap<&'l str, Option<String>> = BTreeMap::new();
    let mut started: BTreeSet<&'l str> = BTreeSet::new();
    for &first in links.keys() {
        // An explicit stack instead of recursion, because one chain can contain all links.
        let mut pending = vec![first];
        while let Some(&link) = pending.last() {
            if real.contains_key(link) {
                pending.pop();
                continue;
            }
            started.insert(link);
            match replaced(&links[link], links, &real) {
                Ok(path) => {
                    let path = path.filter(|path| path.split('/').count() <= depth);
                    real.insert(link, path);
                }
                Err(next) if started.contains(next) => {
                    real.insert(link, None);
                }
                Err(next) => pending.push(next),
            }
        }
    }
    real
}

/// Returns the path after replacing the links in it, or `None` if a link has no real target. The error is
/// the first link whose real target is not known yet.
fn replaced<'l>(
    path: &str,
    links: &BTreeMap<&'l str, String>,
    real: &BTreeMap<&'l str, Option<String>>,
) -> Result<Option<String>, &'l str> {
    let mut done = String::new();
    for step in path.split('/') {
        if !done.is_empty() {
            done.push('/');
        }
        done.push_str(step);
        let Some((&link, _)) = links.get_key_value(done.as_str()) else { continue };
        match real.get(link) {
            Some(Some(target)) => done.clone_from(target),
            Some(None) => return Ok(None),
            None => return Err(link),
        }
    }
    Ok(Some(done))
}

impl Builder {
    /// Adds copies of the entries at a path: a file, or a folder with everything below it. Returns whether there
    /// is anything at the path.
    ///
    /// Each copy is added before the next one is made, so no more is copied than the limits allow.
    fn copy(&mut self, from: &str, to: &str) -> Result<bool, Error> {
        if let Some(file) = self.files().get(from) {
            let copy = Entry::File(file.clone());
            self.add(to, copy)?;
            return Ok(true);
        }
        if !self.files().has_folder(from) {
            return Ok(false);
        }
        self.add(to, Entry::Folder)?;
        let (folders, files) = self.files().names_below(from);
        for below in folders {
            self.add(&format!("{to}/{below}"), Entry::Folder)?;
        }
        for below in files {
            if let Some(file) = self.files().get(&format!("{from}/{below}")) {
                let copy = Entry::File(file.clone());
                self.add(&format!("{to}/{below}"), copy)?;
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Entry, File, FileLimits, Files};

    fn tree(entries: &[(&str, Entry)]) -> Files {
        let limits = FileLimits { follow_links: true, ..FileLimits::default() };
        Files::from_entries(entries.iter().map(|(path, entry)| ((*path).to_owned(), entry.clone())), limits)
            .unwrap()
    }

    fn file(text: &str) -> Entry {
        Entry::File(File { bytes: text.into(), executable: None })
    }

    fn link(target: &str) -> Entry {
        Entry::SymbolicLink(target.to_owned())
    }

    #[test]
    fn links_become_copies() {
        let files = tree(&[
            ("data/g1/1.in", file("one")),
            ("data/g2/1.in", link("../g1/1.in")),
            ("data/g3", link("g2")),
            ("data/g4/1.in", link("../g3/1.in")),
        ]);
        for path in ["data/g2/1.in", "data/g3/1.in", "data/g4/1.in"] {
            assert_eq!(files.get(path).unwrap().bytes, b"one", "{path}");
        }
        assert_eq!(files.unresolved().count(), 0);
    }

    #[test]
    fn links_that_lead_out_or_nowhere_are_named() {
        let files = tree(&[
            ("a/out", link("../../etc/passwd")),
            ("a/absolute", link("/etc/passwd")),
            ("a/nowhere", link("b")),
            ("a/self", link("self")),
            ("a/around", link("..")),
            ("a/one", link("two")),
            ("a/two", link("one")),
            ("a/file", file("")),
        ]);
        let unresolved: Vec<&str> = files.unresolved().collect();
        assert_eq!(unresolved, ["a/absolute", "a/around", "a/nowhere", "a/one", "a/out", "a/self", "a/two"]);
        assert_eq!(files.iter().count(), 1);
    }

    #[test]
    fn copies_count() {
        let mut entries = vec![("f0/x".to_owned(), file("0123456789"))];
        for level in 1..40 {
            for twin in ["a", "b"] {
                entries.push((format!("f{level}/{twin}"), link(&format!("../f{}", level - 1))));
            }
        }
        let limits = FileLimits { follow_links: true, bytes: 10_000, ..FileLimits::default() };
        assert_eq!(Files::from_entries(entries.clone(), limits).unwrap_err().rule(), "too-large");
        assert_eq!(Files::from_entries(entries, FileLimits::default()).unwrap_err().rule(), "link");
    }

    #[test]
    fn no_more_is_copied_than_the_limits_allow() {
        let mut entries = vec![("zeros".to_owned(), file(&"0".repeat(1 << 20)))];
        for at in 0..19_000 {
            entries.push((format!("link{at}"), link("zeros")));
        }
        let limits = FileLimits { follow_links: true, bytes: 4 << 20, ..FileLimits::default() };
        let error = Files::from_entries(entries, limits).unwrap_err();
        // The file and three copies fit, so the fourth copy is refused.
        assert_eq!((error.rule(), error.findings()[0].pointer.as_str()), ("too-large", "/link100"));
    }

    #[test]
    fn long_chains_take_linear_time() {
        // Quadratic work would take many minutes.
        const LINKS: usize = 39_999;
        for reversed in [false, true] {
            let name = |at: usize| format!("link{:06}", if reversed { LINKS - at } else { at });
            let mut entries = vec![(name(LINKS), file("end"))];
            entries.extend((0..LINKS).map(|at| (name(at), link(&name(at + 1)))));
            let limits = FileLimits { follow_links: true, entries: 2 * LINKS + 1, ..FileLimits::default() };
            let files = Files::from_entries(entries, limits).unwrap();
            assert_eq!(files.iter().filter(|(_, file)| file.bytes == b"end").count(), LINKS + 1);
        }
    }

    #[test]
    fn links_lead_through_links_that_have_no_copies() {
        let files = tree(&[
            ("a/around", link("..")),
            ("a/file", file("content")),
            ("b", link("a/around/a/file")),
            ("c/broken", link("nowhere")),
            ("c/file", file("content")),
            ("d", link("c")),
            ("e", link("d/file")),
        ]);
        assert_eq!(files.unresolved().collect::<Vec<_>>(), ["a/around", "c/broken", "d"]);
        for path in ["b", "e"] {
            assert_eq!(files.get(path).unwrap().bytes, b"content", "{path}");
        }
    }
}
