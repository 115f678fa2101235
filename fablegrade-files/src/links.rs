//! Replaces symbolic links inside a tree with copies of their targets.

use std::collections::BTreeMap;

use fablegrade_public::finding::Error;

use crate::tree::{Builder, Entry};

/// The maximum number of links that are followed for one path.
const HOPS: usize = 40;

/// Returns the target of a link, relative to the root of the tree; `None` if it is outside the tree or not a
/// valid path.
fn lexical(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') || target.contains(['\\', '\0']) || target.len() > 1024 {
        return None;
    }
    let mut steps: Vec<&str> = link.split('/').collect();
    steps.pop();
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop()?;
            }
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// Replaces links with copies of their targets. A link stays unresolved if it leaves the tree, if its target
/// does not exist, or if it leads to itself or to an enclosing folder. Copies count towards the limits.
pub(crate) fn resolve(builder: &mut Builder, links: &BTreeMap<String, String>) -> Result<(), Error> {
    let mut waiting: BTreeMap<&str, String> = BTreeMap::new();
    for (link, target) in links {
        match lexical(link, target) {
            Some(target) => {
                waiting.insert(link, target);
            }
            None => builder.unresolved(link),
        }
    }
    loop {
        let mut done = Vec::new();
        for (link, target) in &waiting {
            let target = through(target, &waiting);
            let around = target.as_ref().is_some_and(|target| {
                target.is_empty() || *link == target.as_str() || link.starts_with(&format!("{target}/"))
            });
            let Some(target) = target.filter(|_| !around) else { continue };
            // Everything below the target must be complete before it is copied.
            let below = format!("{target}/");
            let incomplete =
                waiting.range(below.as_str()..).next().is_some_and(|(path, _)| path.starts_with(&below));
            if incomplete {
                continue;
            }
            let copies = builder.copies(&target);
            if !copies.is_empty() {
                done.push(((*link).to_owned(), copies));
            }
        }
        if done.is_empty() {
            break;
        }
        for (link, copies) in done {
            waiting.remove(link.as_str());
            for (below, entry) in copies {
                let path = if below.is_empty() { link.clone() } else { format!("{link}/{below}") };
                builder.add(&path, entry)?;
            }
        }
    }
    for link in waiting.keys() {
        builder.unresolved(link);
    }
    Ok(())
}

/// Returns the path after replacing the links in it that wait for their copies; `None` if there are too many.
fn through(target: &str, waiting: &BTreeMap<&str, String>) -> Option<String> {
    let mut path = target.to_owned();
    'again: for _ in 0..HOPS {
        let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).chain([path.len()]).collect();
        for at in ends {
            let (above, rest) = path.split_at(at);
            if let Some(next) = waiting.get(above) {
                path = format!("{next}{rest}");
                continue 'again;
            }
        }
        return Some(path);
    }
    None
}

impl Builder {
    /// Returns the entries at a path: a file, or a folder with everything below it.
    fn copies(&self, path: &str) -> Vec<(String, Entry)> {
        let files = self.files();
        if let Some(file) = files.get(path) {
            return vec![(String::new(), Entry::File(file.clone()))];
        }
        if !files.has_folder(path) {
            return Vec::new();
        }
        let below = files.below(path);
        let folders = below.folders().map(|folder| (folder.to_owned(), Entry::Folder));
        let entries = below.iter().map(|(path, file)| (path.to_owned(), Entry::File(file.clone())));
        [(String::new(), Entry::Folder)].into_iter().chain(folders).chain(entries).collect()
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
}
