//! Every phrase of the sources, including messages and help, is in a golden file of its crate, so review
//! shows each change of words. `SNAPSHOTS=overwrite cargo test -p fablegrade-tests --test phrases` rewrites
//! the files.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::fs;

use fablegrade_tests::repository;
use fablegrade_tests::source_texts::phrases_below;

/// The crates whose messages people read.
const CRATES: &[&str] = &[
    "fablegrade-analysis",
    "fablegrade-capi",
    "fablegrade-cli",
    "fablegrade-core",
    "fablegrade-files",
    "fablegrade-latex",
    "fablegrade-math",
    "fablegrade-public",
    "fablegrade-py",
    "fablegrade-runner",
    "fablegrade-schema",
    "fablegrade-validators",
    "fablegrade-verify",
    "fablegrade-wasm",
    "fablegrade-yaml",
    "interchange",
    "systems/flowmcp",
    "systems/formspec",
    "systems/judgehost",
    "systems/kattis",
    "systems/terry",
];

#[test]
fn phrases_are_as_in_the_golden_files() {
    let folder = repository().join("tests/golden/phrases");
    let overwrite = std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite");
    let (mut all, mut found) = (0, String::new());
    for name in CRATES {
        let phrases = phrases_below(&repository().join(name).join("src"));
        all += phrases.len();
        let mut text = String::new();
        for phrase in &phrases {
            let _ = writeln!(text, "{phrase:?}");
        }
        let file = folder.join(format!("{}.txt", name.replace('/', "-")));
        if overwrite {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&file, &text).unwrap();
        }
        let golden = fs::read_to_string(&file).unwrap_or_default();
        let (old, new): (Vec<&str>, Vec<&str>) = (golden.lines().collect(), text.lines().collect());
        for (sign, lines, others) in [('-', &old, &new), ('+', &new, &old)] {
            for line in lines.iter().filter(|line| !others.contains(line)) {
                let _ = writeln!(found, "{name}: {sign} {line}");
            }
        }
    }
    assert!(all > 2_000, "only {all} phrases were read");
    assert!(
        found.is_empty(),
        "{found}if the words are meant: SNAPSHOTS=overwrite cargo test -p fablegrade-tests --test phrases"
    );
}

#[test]
fn messages_say_what_something_is_not_as_others_say_it() {
    for name in CRATES {
        for phrase in phrases_below(&repository().join(name).join("src")) {
            let lower = phrase.to_lowercase();
            for odd in [" is no ", " are no "] {
                for (at, _) in lower.match_indices(odd) {
                    let allowed =
                        lower[..at].ends_with("there") || lower[at + odd.len()..].starts_with("longer");
                    assert!(allowed, "{name}: `{phrase}`; write: is not a");
                }
            }
        }
    }
}
