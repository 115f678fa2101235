//! Words that `docs/words.md` replaces by others are not used.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use fablegrade_tests::repository;

/// Forbidden phrases with their replacements, as whole words in any case.
const REPLACED: &[(&str, &str)] = &[
    ("door", "binding"),
    ("doors", "bindings"),
    ("rooms", "modules"),
    ("a room of", "a module for"),
    ("wings", "modules"),
    ("what became of", "the outcome of"),
    ("where they part", "counterexample, witness"),
    ("line mode", "JSON Lines"),
    ("line modes", "JSON Lines"),
    ("makes no sense", "is invalid"),
    ("whereof", "of which"),
    ("shall", "the present tense"),
    ("unsound", "invalid"),
    ("this is no", "not a"),
    ("what floats say", "running error bound"),
    ("high precision with bounds", "ball arithmetic"),
    ("usual wrong answer", "common wrong answer"),
    ("usual wrong answers", "common wrong answers"),
    ("owns:", "Ownership:"),
    ("another one than", "not the expected"),
    ("the wanted", "the expected"),
    ("is wanted", "is expected"),
    ("object a line", "object per line"),
    ("bytes a line", "bytes per line"),
    ("answer a line", "answer per line"),
    ("spec a file", "spec per file"),
    ("lines a second", "lines per second"),
    ("mb a second", "MB per second"),
    ("times a second", "times per second"),
    ("for each core", "per core"),
    ("once for each", "once per"),
    ("written alike", "written the same"),
    ("graded alike", "graded the same"),
    ("what stands", "what is"),
    ("stands twice", "occurs twice"),
    ("stand twice", "occur twice"),
    ("may stand in", "may be in"),
    ("cannot stand", "cannot be"),
];

/// Verbs after which "no" and a noun are written as "not a": `is no number`.
const NEGATED: &[&str] = &["is", "are", "was", "were"];

/// Words that may follow "is no" and "are no".
const NO_NOUN: &[&str] = &["longer", "more", "less", "fewer", "other", "only"];

/// Exceptions: the word, the beginning of the path, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("*", "docs/words.md", "the list itself"),
    ("*", "tests/tests/words.rs", "the list itself"),
    ("door", "tests/authoring", "the subject of a question"),
    ("this is no", "fablegrade-runner/tests", "the text of a program that does not compile"),
    ("is no", "fablegrade-runner/tests", "the text of a program that does not compile"),
    ("is no", "systems/kattis/tests/wild", "a package as its authors wrote it"),
];

const TEXTS: &[&str] = &[
    "c", "cpp", "css", "d.ts", "h", "hpp", "html", "in", "js", "json", "md", "py", "pyi", "rs", "sh", "toml",
    "ts", "txt", "yaml", "yml",
];

fn is_text(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !name.contains("lock")
        && !name.starts_with("LICENSE")
        && name.split_once('.').is_none_or(|(_, ending)| TEXTS.iter().any(|text| ending.ends_with(text)))
}

/// Returns whether `phrase` occurs in `line` as whole words.
fn contains(line: &str, phrase: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    line.match_indices(phrase).any(|(at, _)| {
        !part(line[..at].chars().next_back()) && !part(line[at + phrase.len()..].chars().next())
    })
}

/// Returns the verb of "is no number" in a line; sentences with "there is no number" are right.
fn negated_noun(line: &str) -> Option<&'static str> {
    let words: Vec<&str> = line.split(' ').collect();
    words.windows(4).find_map(|words| {
        let &[before, verb, "no", noun] = words else { return None };
        let verb = NEGATED.iter().find(|known| **known == verb)?;
        let starts = noun.trim_start_matches('`').starts_with(|c: char| c.is_ascii_alphabetic());
        let fine = before.ends_with("there") || NO_NOUN.iter().any(|allowed| noun.starts_with(allowed));
        (starts && !fine).then_some(*verb)
    })
}

#[test]
fn replaced_words_are_not_used() {
    let listed = Command::new("git").arg("-C").arg(repository()).args(["ls-files", "-z"]).output().unwrap();
    assert!(listed.status.success(), "a checkout of git is needed");
    let (mut files, mut found) = (0, String::new());
    for path in String::from_utf8(listed.stdout).unwrap().split('\0').filter(|path| is_text(path)) {
        let Ok(text) = fs::read_to_string(repository().join(path)) else { continue };
        files += 1;
        for (number, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            let is_no = negated_noun(&line).map(|_| &("is no", "is not a"));
            let replaced = REPLACED.iter().filter(|(word, _)| contains(&line, word));
            for (word, instead) in replaced.chain(is_no) {
                let allowed = |(except, begins, _): &(&str, &str, &str)| {
                    (*except == "*" || except == word) && path.starts_with(begins)
                };
                if !EXCEPTIONS.iter().any(allowed) {
                    let _ = writeln!(found, "{path}:{}: `{word}`; write: {instead}", number + 1);
                }
            }
        }
    }
    assert!(files > 300, "only {files} files were read");
    assert!(found.is_empty(), "see docs/words.md\n{found}");
}

#[test]
fn whole_words_are_found() {
    assert!(contains("a door to it", "door") && contains("c-door", "door") && contains("door", "door"));
    assert!(!contains("indoors", "door") && !contains("shallow", "shall"));
}

#[test]
fn a_negated_noun_is_found() {
    for line in ["// a text that is no number", "/// lines that are no `result`"] {
        assert!(negated_noun(line).is_some(), "{line}");
    }
    for line in ["there is no number", "it is no longer read", "(there are no others)", "where one is no 2"] {
        assert_eq!(negated_noun(line), None, "{line}");
    }
}
