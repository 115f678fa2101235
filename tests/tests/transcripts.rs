//! The terminal sessions of the documentation, run again.
//!
//! A block marked `console` is run by `sh` in a folder that contains the files of `docs/examples`. Lines that
//! begin with `$ ` are commands (a trailing `\` continues), and the lines after a command are its expected
//! output. `…` matches any text in a line.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fablegrade_tests::{program, repository};

/// Commands that install, build or start other programs; the tests of the bindings run them.
const ELSEWHERE: [&str; 15] = [
    "./test",
    "./release",
    "bash",
    "c++",
    "cargo",
    "cc",
    "docker",
    "gcc",
    "make",
    "sudo",
    "mdbook",
    "node",
    "npm",
    "pip",
    "python",
];

/// A command and its documented output.
#[derive(Debug, Default)]
struct Step {
    line: usize,
    command: String,
    printed: Vec<String>,
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    let mut continued = false;
    for (number, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = line.trim_end() == "```console";
            continued = false;
        } else if !inside {
        } else if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { line: number + 1, command: command.to_owned(), printed: Vec::new() });
            continued = line.ends_with('\\');
        } else if continued {
            let step = steps.last_mut().unwrap();
            step.command.push('\n');
            step.command.push_str(line);
            continued = line.ends_with('\\');
        } else {
            steps.last_mut().expect("a command comes first").printed.push(line.trim_end().to_owned());
        }
    }
    steps
}

/// Returns whether a line is as documented; `…` matches any text.
fn agrees(said: &str, found: &str) -> bool {
    let mut parts = said.split('…');
    let Some(mut rest) = parts.next().and_then(|first| found.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

#[test]
fn what_the_documentation_shows_is_what_happens() {
    let mut found = vec![repository().join("README.md")];
    pages(&repository().join("docs"), &mut found);
    found.sort();
    let path = {
        let mut folders = vec![program().parent().unwrap().to_owned()];
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        std::env::join_paths(folders).unwrap()
    };
    let (mut count, mut report) = (0, String::new());
    for page in &found {
        let steps = steps(&fs::read_to_string(page).unwrap());
        if steps.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("examples")).unwrap();
        for (from, to) in [("docs/examples", ""), ("examples", "examples")] {
            for entry in fs::read_dir(repository().join(from)).unwrap() {
                let file = entry.unwrap();
                if file.file_type().unwrap().is_file() {
                    fs::copy(file.path(), folder.path().join(to).join(file.file_name())).unwrap();
                }
            }
        }
        for step in steps {
            if step.command.split(' ').next().is_some_and(|word| ELSEWHERE.contains(&word)) {
                continue;
            }
            count += 1;
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{}", step.command)])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("NO_COLOR", "1")
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            let printed: Vec<&str> = text.lines().map(str::trim_end).collect();
            let same = printed.len() == step.printed.len()
                && step.printed.iter().zip(&printed).all(|(said, found)| agrees(said, found));
            if !same {
                let _ = writeln!(
                    report,
                    "\n{}:{}: $ {}\nsaid:\n{}\nfound:\n{}",
                    page.strip_prefix(repository()).unwrap().display(),
                    step.line,
                    step.command,
                    step.printed.join("\n"),
                    printed.join("\n")
                );
            }
        }
    }
    assert!(count >= 15, "only {count} commands were found");
    assert!(report.is_empty(), "{report}");
}
