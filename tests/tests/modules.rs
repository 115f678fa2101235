//! With few exceptions, the modules of the mathematics crates have no import cycles, so readers of a module need not
//! know the modules above it.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use fablegrade_tests::repository;

/// Modules whose children still refer to each other in cycles.
const EXCEPTIONS: [&str; 1] = ["fablegrade-math: relations"];

/// Collects the code of every module by its path, such as `decide::pieces`, without tests.
fn modules(folder: &Path, prefix: &str, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let name = match (prefix, stem.as_str()) {
            (_, "lib" | "tests") => continue,
            ("", stem) => stem.to_owned(),
            (prefix, "mod") => prefix.to_owned(),
            (prefix, stem) => format!("{prefix}::{stem}"),
        };
        if path.is_dir() {
            modules(&path, &name, all);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            *all.entry(name).or_default() += &code.join("\n");
        }
    }
}

/// Returns the modules that a text names, as paths from the root, in forms such as `use crate::{a::b, c}` and
/// `crate::a::b(...)`.
fn named(code: &str, module: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let above = |levels: usize| {
        let steps: Vec<&str> = module.split("::").collect();
        steps[..steps.len().saturating_sub(levels)].join("::")
    };
    for (at, _) in code.match_indices("crate::") {
        paths(&code[at + "crate::".len()..], "", &mut found);
    }
    for (at, _) in code.match_indices("super::") {
        let (mut levels, mut start) = (1, at);
        while code[..start].ends_with("super::") {
            levels += 1;
            start -= "super::".len();
        }
        let rest = &code[at + "super::".len()..];
        if !rest.starts_with("super::") {
            paths(rest, &above(levels), &mut found);
        }
    }
    found
}

/// Collects the path, or the paths in braces, at the beginning of a text. `base` is their common prefix.
fn paths(text: &str, base: &str, found: &mut BTreeSet<String>) {
    let joined = |step: &str| if base.is_empty() { step.to_owned() } else { format!("{base}::{step}") };
    if let Some(list) = text.strip_prefix('{') {
        let (mut depth, mut start) = (1, 0);
        for (at, letter) in list.char_indices() {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            if (depth == 1 && letter == ',') || depth == 0 {
                paths(list[start..at].trim_start(), base, found);
                start = at + 1;
            }
            if depth == 0 {
                return;
            }
        }
        return;
    }
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    let path = joined(&text[..end]);
    match text[end..].strip_prefix("::") {
        Some(rest) => paths(rest, &path, found),
        None => {
            found.insert(path);
        }
    }
}

/// Returns the import cycles among the children of each module: `(parent, the children in the cycle)`.
fn cycles(source: &Path) -> Vec<(String, BTreeSet<String>)> {
    let mut all = BTreeMap::new();
    modules(source, "", &mut all);
    let mut edges: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, code) in &all {
        for other in named(code, module) {
            // Finds the deepest module to which the path leads.
            let mut target = other.as_str();
            while !all.contains_key(target) {
                let Some((shorter, _)) = target.rsplit_once("::") else { break };
                target = shorter;
            }
            let (from, to): (Vec<&str>, Vec<&str>) =
                (module.split("::").collect(), target.split("::").collect());
            let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            // A module and its children count as one.
            if all.contains_key(target) && shared < from.len() && shared < to.len() {
                let parent = edges.entry(from[..shared].join("::")).or_default();
                parent.entry(from[shared].to_owned()).or_default().insert(to[shared].to_owned());
            }
        }
    }
    let mut found = Vec::new();
    for (parent, edges) in edges {
        let reached = |start: &String| {
            let (mut seen, mut left) = (BTreeSet::new(), vec![start]);
            while let Some(one) = left.pop() {
                for next in edges.get(one).into_iter().flatten() {
                    if seen.insert(next.clone()) {
                        left.push(next);
                    }
                }
            }
            seen
        };
        let reach: BTreeMap<&String, BTreeSet<String>> =
            edges.keys().map(|one| (one, reached(one))).collect();
        let on_cycles: BTreeSet<&String> =
            reach.keys().copied().filter(|one| reach[one].contains(*one)).collect();
        let mut told = BTreeSet::new();
        for one in on_cycles {
            if told.insert(one.clone()) {
                let cycle: BTreeSet<String> = reach[one]
                    .iter()
                    .filter(|other| reach.get(other).is_some_and(|back| back.contains(one)))
                    .cloned()
                    .collect();
                told.extend(cycle.iter().cloned());
                found.push((parent.clone(), cycle));
            }
        }
    }
    found
}

#[test]
fn modules_of_the_mathematics_do_not_import_in_cycles() {
    let mut wrong = String::new();
    for name in ["fablegrade-latex", "fablegrade-math"] {
        for (parent, cycle) in cycles(&repository().join(name).join("src")) {
            if !EXCEPTIONS.contains(&format!("{name}: {parent}").as_str()) {
                wrong += &format!("{name}, in `{parent}`: {cycle:?}\n");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}move what both need into a module of its own");
}

#[test]
fn a_cycle_is_found() {
    let named = named("use crate::{a::{B, c::d}, e};\nfn f() { super::super::g::h() }", "x::y::z");
    let expected = ["a::B", "a::c::d", "e", "x::g::h"].map(str::to_owned);
    assert_eq!(named, BTreeSet::from(expected));
}
