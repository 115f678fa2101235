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
    if !legacy {
        solution(tree, report);
    }
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
        check_text(tree, problem, &path, report);
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

/// Checks the commands of a statement that concern the package.
fn check_text(tree: &Tree<'_>, problem: &Problem, path: &str, report: &mut Report) {
    let Some(file) = tree.file(path) else { return };
    let count = |text: &[u8], command: &str| memchr::memmem::find_iter(text, command).count();
    if problem.version.is_legacy() {
        // A statement may take the name from another file.
        let elsewhere = ["\\input", "\\include{"].iter().any(|command| count(&file.bytes, command) > 0);
        if path.ends_with(".tex") && count(&file.bytes, "\\problemname") == 0 && !elsewhere {
            let message = "the statement does not specify the name of the problem";
            report.info("problem-name", path, message, "start it with `\\problemname{NAME}`");
        }
        return;
    }
    let used = if path.ends_with(".tex") {
        let uncommented: Vec<&[u8]> = file.bytes.split(|byte| *byte == b'\n').map(before_comment).collect();
        count(&uncommented.concat(), "\\nextsample")
    } else if path.ends_with(".md") {
        count(&file.bytes, "{{nextsample}}")
    } else {
        0
    };
    let samples = tree.below("data/sample").filter(|(path, _)| path.ends_with(".in")).count();
    if used > samples {
        let message =
            format!("the statement includes {used} samples by `nextsample`, but there are {samples}");
        report.error("samples", path, &message, "remove one, or add a sample to `data/sample/`");
    }
}

/// Returns a line of LaTeX up to its comment.
fn before_comment(line: &[u8]) -> &[u8] {
    let escaped = |at: usize| line.iter().take(at).rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
    let end = memchr::memchr_iter(b'%', line).find(|at| !escaped(*at)).unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Reports a folder for descriptions of the solution without one.
fn solution(tree: &Tree<'_>, report: &mut Report) {
    let described = |name: &str| {
        let rest = name.strip_prefix("solution.").unwrap_or_default();
        let (language, ending) = rest.rsplit_once('.').unwrap_or(("en", rest));
        is_language(language) && ["tex", "md", "pdf"].contains(&ending)
    };
    if tree.has_folder("solution") && !tree.names("solution").any(|(name, folder)| !folder && described(name))
    {
        let message = "there is no description of the solution";
        report.warning("no-solution", "solution", message, "add `solution.en.md`, or remove the folder");
    }
}

/// Returns whether a text is a language code, such as `en` or `pt-BR`.
pub(super) fn is_language(code: &str) -> bool {
    let (language, country) =
        code.split_once('-').map_or((code, None), |(code, country)| (code, Some(country)));
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && country
            .is_none_or(|country| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// Reports cases with the same input, answers that cannot be printed, cases in an unexpected order, and scores that cannot
/// be reached. `own` tells whether the package has an output validator.
pub(crate) fn check_cases(tree: &Tree<'_>, problem: &Problem, data: &Data, own: bool, report: &mut Report) {
    // A validator of the package may need answers that are not outputs.
    let limit = problem.limits.output.saturating_mul(1 << 20);
    for case in data.cases.iter().filter(|_| !own || !problem.runs_validators()) {
        if tree.file(&case.answer).is_some_and(|file| file.bytes.len() as u64 > limit) {
            let message = "the answer exceeds the limit of output, so no submission can print it";
            report.warning("output-limit", &case.answer, message, "raise `output` in `limits`");
        }
    }
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
