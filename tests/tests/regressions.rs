//! Runs the checks of every fuzz target on its inputs in `fuzz/regressions/`, which fuzzing found, and on changed copies of
//! them: other copies for each commit. `fuzz/test` searches further, guided by coverage, in an instrumented build.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use fablegrade_tests::fuzzed::{self, TARGETS, Target};
use fablegrade_tests::repository;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

/// Texts that readers of numbers, texts, markup and archives treat specially.
const TOKENS: &[&str] = &[
    "",
    "0",
    "-1",
    "1e999",
    "1e-999",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "0.1",
    "1/3",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "</",
    "&",
    "&#0;",
    ",",
    ":",
    ";",
    "=",
    "|",
    "~",
    "#",
    "%",
    "$",
    "$$",
    "\\",
    "\\\\",
    "\\frac",
    "\\sqrt",
    "\\text{",
    "\\left(",
    "^",
    "_",
    "!",
    "/",
    "..",
    "../",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{feff}",
    "\u{a0}",
    "\u{e9}",
    "\u{2212}",
    "\u{1f600}",
    "null",
    "true",
    "{}",
    "[]",
    "<!--",
    "<![CDATA[",
    "*",
];

/// The maximum length of an input, enough for an archive of three small files; longer inputs only take longer.
const LONGEST: usize = 5_000;

/// The replacement of a few bytes.
#[derive(Clone, Debug)]
enum Replacement {
    Bytes(Vec<u8>),
    Token(&'static str),
    /// A part of an input of the same target.
    Part {
        input: Index,
        at: Index,
        length: usize,
    },
    /// The bytes themselves, several times.
    Repeated(usize),
}

/// `length` bytes from `at` on are replaced.
#[derive(Clone, Debug)]
struct Edit {
    at: Index,
    length: usize,
    replacement: Replacement,
}

fn edit() -> impl Strategy<Value = Edit> {
    let replacement = prop_oneof![
        vec(any::<u8>(), 0..6).prop_map(Replacement::Bytes),
        proptest::sample::select(TOKENS).prop_map(Replacement::Token),
        (any::<Index>(), any::<Index>(), 1..80_usize).prop_map(|(input, at, length)| Replacement::Part {
            input,
            at,
            length
        }),
        (2..40_usize).prop_map(Replacement::Repeated),
    ];
    (any::<Index>(), 0..12_usize, replacement).prop_map(|(at, length, replacement)| Edit {
        at,
        length,
        replacement,
    })
}

fn changed(inputs: &[Vec<u8>], input: Index, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = input.get(inputs).clone();
    for edit in edits {
        let from = edit.at.index(bytes.len() + 1);
        let to = (from + edit.length).min(bytes.len());
        let new = match &edit.replacement {
            Replacement::Bytes(new) => new.clone(),
            Replacement::Token(token) => token.as_bytes().to_vec(),
            Replacement::Part { input, at, length } => {
                let source = input.get(inputs);
                let at = at.index(source.len() + 1);
                source[at..(at + length).min(source.len())].to_vec()
            }
            Replacement::Repeated(times) => bytes[from..to].repeat(*times),
        };
        bytes.splice(from..to, new);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn check(name: &str, target: Target, cases: u32) {
    let mut files: Vec<_> = std::fs::read_dir(repository().join("fuzz/regressions").join(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{name} has no inputs");
    let inputs: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    for (file, input) in files.iter().zip(&inputs) {
        // If a check fails, the output contains the name of the file.
        println!("{}", file.display());
        target(input);
    }
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&(any::<Index>(), vec(edit(), 1..6)), |(input, edits)| {
        let bytes = changed(&inputs, input, &edits);
        std::panic::catch_unwind(|| target(&bytes)).map_err(|_| {
            TestCaseError::fail(format!(
                "move this input to fuzz/regressions/{name}: {}",
                bytes.escape_ascii()
            ))
        })
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn every_target_has_its_program() {
    for (name, _) in TARGETS {
        let program = repository().join(format!("fuzz/fuzz_targets/{name}.rs"));
        assert!(
            std::fs::read_to_string(program).is_ok_and(|text| text.contains(&format!("fuzzed::{name}(")))
        );
    }
}

/// One test per target, with its number of changed copies: the slower the target, the fewer. `printing` has none;
/// `fuzz/README.md` has the reason.
macro_rules! targets {
    ($($(#[$only:meta])* $name:ident $cases:literal)+) => {
        $($(#[$only])* #[test] fn $name() { check(stringify!($name), fuzzed::$name, $cases); })+

        #[test]
        fn every_target_is_tested() {
            let tested = [$($(#[$only])* stringify!($name)),+];
            assert_eq!(tested.to_vec(), TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        }
    };
}

targets! {
    aiken 2_000
    blanks 2_000
    #[cfg(target_os = "linux")]
    channels 10_000
    choice_weights 3_000
    compare 10_000
    csv 3_000
    delivery 10_000
    documents 10_000
    flowmcp 10_000
    form 2_000
    formspec 10_000
    #[cfg(target_os = "linux")]
    frames 10_000
    gift 1_000
    judgehost 10_000
    kattis 1_000
    lines 1_000
    matchers 10_000
    moodle 5_000
    number_text 2_000
    openedx 3_000
    order_graph 3_000
    parse 10_000
    perseus 5_000
    prairielearn 2_000
    printing 0
    qti 3_000
    qti_1 5_000
    relations 5_000
    short_text 300
    terry 5_000
    verify 3_000
}
