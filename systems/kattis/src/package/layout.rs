//! Checks names, statements and text files, and finds identical cases.

use std::collections::{BTreeMap, BTreeSet};

use fablegrade_files::Files;

use super::data::Data;
use super::document::Report;
use super::tree::Tree;
use crate::Version;
use crate::problem::Problem;

/// Files and folders at the top level that are known in all versions.
const TOP: &[&str] = &["problem.yaml", "attachments", "data", "include", "submissions", "input_validators"];
const TOP_LEGACY: &[&str] =
    &["problem_statement", "output_validators", "input_format_validators", "graders", "generators"];
const TOP_2025: &[&str] = &[
    "statement",
    "solution",
    "generators",
    "output_validator",
    "static_validator",
    "input_visualizer",
    "output_visualizer",
];

/// Wrong folder names, and the correct ones.
const CONFUSED: &[(&str, &str)] = &[
    ("output_validators", "output_validator"),
    ("problem_statement", "statement"),
    ("statement", "problem_statement"),
    ("output_validator", "output_validators"),
    ("input_validator", "input_validators"),
    ("submission", "submissions"),
    ("attachment", "attachments"),
    ("includes", "include"),
    ("grader", "graders"),
];

pub(crate) fn check(tree: &Tree<'_>, files: &Files, name: &str, problem: &Problem, report: &mut Report) {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        let message = "the name of the package has other characters than a-z and 0-9";
        report.warning("package-name", "", message, "rename the folder or archive");
    }
    for path in files.unresolved() {
        let message = "the link leads out of the package, or nowhere";
        report.error("link", path, message, "copy the file to this place, or link to a file of the package");
    }
    let legacy = problem.version.is_legacy();
    let known = |name: &str| {
        TOP.contains(&name) || if legacy { TOP_LEGACY.contains(&name) } else { TOP_2025.contains(&name) }
    };
    for (name, _) in tree.names("") {
        if known(name) {
            continue;
        }
        match CONFUSED.iter().find(|(wrong, right)| *wrong == name && known(right)) {
            Some((_, right)) => {
                let message =
                    format!("the folder is called `{right}` in {}; this one is not read", problem.version);
                report.warning("folder-name", name, &message, "rename it");
            }
            None => report.info(
                "unused-file",
                name,
                "the package format does not define this",
                "move it away if it has no use",
            ),
        }
    }
    statement(tree, problem, report);
    if tree.names("attachments").any(|(_, folder)| folder) {
        report.warning(
            "attachments",
            "attachments",
            "attachments must be files, not folders",
            "pack the folder",
        );
    }
    for (path, file) in tree.all() {
        let text = [".yaml", ".in", ".ans", ".tex", ".md"].iter().any(|ending| path.ends_with(ending));
        if !text || path.starts_with("attachments/") {
            continue;
        }
        let data = path.starts_with("data/");
        if file.bytes.starts_with(b"\xef\xbb\xbf") {
            report.error(
                "byte-order-mark",
                path,
                "the file starts with a byte-order mark",
                "save it as UTF-8 without one",
            );
        }
        if memchr::memchr(b'\r', &file.bytes).is_some() {
            report.warning(
                "line-ends",
                path,
                "the file has carriage returns",
                "convert it: `sed -i 's/\\r$//'`",
            );
        }
        if std::str::from_utf8(&file.bytes).is_err() {
            report.error("invalid-utf8", path, "the file is not UTF-8", "save it as UTF-8");
        }
        if data && !file.bytes.is_empty() && !file.bytes.ends_with(b"\n") {
            report.info("line-ends", path, "the last line does not end", "add a newline");
        }
        if file.bytes.len() > 100 << 20 {
            report.warning("large-file", path, "the file has more than 100 MiB", "make it smaller");
        }
    }
}

fn statement(tree: &Tree<'_>, problem: &Problem, report: &mut Report) {
    let legacy = problem.version.is_legacy();
    let folder = if legacy { "problem_statement" } else { "statement" };
    let mut languages: BTreeMap<String, &str> = BTreeMap::new();
    for (name, is_folder) in tree.names(folder) {
        let Some(rest) = name.strip_prefix("problem.").filter(|_| !is_folder) else { continue };
        let (language, ending) = match rest.rsplit_once('.') {
            Some((language, ending)) => (language, ending),
            None if legacy => ("en", rest),
            None => continue,
        };
        if !["tex", "md", "pdf"].contains(&ending) {
            continue;
        }
        let path = format!("{folder}/{name}");
        if legacy && ending == "md" {
            let message =
                "the specification of this version has statements in LaTeX and PDF; some tools read Markdown";
            report.warning("statement-form", &path, message, "add a `.tex`, or declare `2025-09`");
        }
        if !is_language(language) {
            let message = "not a language code";
            report.error(
                "statement-language",
                &path,
                message,
                "use ISO 639 codes such as `en`, `sv` or `pt-BR`",
            );
        }
        if languages.insert(language.to_owned(), name).is_some() {
            report.error("statement-twice", &path, "a language has two statements", "keep one");
        }
    }
    if languages.is_empty() {
        let help = if legacy { "add `problem.en.tex`" } else { "add `problem.en.md` or `problem.en.tex`" };
        report.error("no-statement", folder, "there is no statement", help);
    } else if !legacy {
        let named: BTreeSet<&String> = problem.names.keys().collect();
        let stated: BTreeSet<&String> = languages.keys().collect();
        if named != stated && !named.is_empty() {
            let message = "statements and the `name`s in `problem.yaml` are in different languages";
            report.error("statement-names", folder, message, "give a name per language that has a statement");
        }
    }
}

fn is_language(code: &str) -> bool {
    let (language, country) =
        code.split_once('-').map_or((code, None), |(code, country)| (code, Some(country)));
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && country
            .is_none_or(|country| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Reports cases with the same input, cases in an unexpected order, and scores that cannot be reached.
pub(crate) fn check_cases(tree: &Tree<'_>, problem: &Problem, data: &Data, report: &mut Report) {
    let mut seen: BTreeMap<(&[u8], &[String], usize), &str> = BTreeMap::new();
    for case in data.cases.iter().filter(|case| case.files.is_empty()) {
        let Some(input) = tree.file(&case.input) else { continue };
        let key = (input.bytes.as_slice(), case.args.as_slice(), case.group);
        if let Some(first) = seen.insert(key, &case.name) {
            let message = format!("the input is the same as that of `{first}`");
            report.info("same-input", &case.input, &message, "remove one of them");
        }
    }
    for group in &data.groups {
        let numbers: Vec<&str> = group
            .children
            .iter()
            .filter_map(|child| match child {
                crate::data::Child::Case(at) => data.cases.get(*at).map(|case| case.name.as_str()),
                crate::data::Child::Group(at) => data.groups.get(*at).map(|group| group.path.as_str()),
            })
            .map(|name| name.rsplit('/').next().unwrap_or(name))
            .collect();
        let digits = |name: &str| name.bytes().take_while(u8::is_ascii_digit).count();
        let leading: Vec<u64> =
            numbers.iter().filter_map(|name| name.get(..digits(name))?.parse().ok()).collect();
        if leading.len() == numbers.len() && leading.windows(2).any(|pair| matches!(pair, [a, b] if a > b)) {
            let place = format!("data/{}", group.path);
            let message = "cases are judged in the order of their names as text: 10 comes before 2";
            report.info("natural-order", &place, message, "pad numbers with zeros");
        }
    }
    if problem.version == Version::Legacy && problem.kind.scoring {
        crate::reachable::check(problem, data.groups.as_slice(), &data.cases, report);
    }
}
