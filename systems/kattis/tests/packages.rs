//! The packages of `examples/` and `tests/wild/`, and defects for the rules.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::expectation::Expected;
use fablegrade_kattis::program::Form;
use fablegrade_kattis::{Package, Version};
use fablegrade_public::Severity;

fn limits() -> FileLimits {
    let mut limits = FileLimits::default();
    limits.follow_links = true;
    limits
}

fn collect(folder: &Path, prefix: &str, entries: &mut Vec<(String, Entry)>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        if kind.is_symlink() {
            let target = std::fs::read_link(entry.path()).unwrap().to_string_lossy().into_owned();
            entries.push((path, Entry::SymbolicLink(target)));
        } else if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), entries);
        } else {
            let bytes = std::fs::read(entry.path()).unwrap();
            entries.push((path, Entry::File(File { bytes, executable: None })));
        }
    }
}

fn entries(name: &str) -> Vec<(String, Entry)> {
    let mut entries = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name), "", &mut entries);
    entries
}

fn read(name: &str, entries: Vec<(String, Entry)>) -> Package {
    Package::read(Files::from_entries(entries, limits()).unwrap(), name).unwrap()
}

/// Returns the rules that a package breaks after `changes`. Each change is a path with its new text, or `None` to
/// remove the file.
fn rules(name: &str, changes: &[(&str, Option<&str>)]) -> BTreeSet<&'static str> {
    let mut files = entries(name);
    for (path, text) in changes {
        let below = format!("{path}/");
        files.retain(|(known, _)| known != path && !known.starts_with(&below));
        if let Some(text) = text {
            let entry = match text.strip_prefix("LINK ") {
                Some(target) => Entry::SymbolicLink(target.to_owned()),
                None => Entry::File(File { bytes: text.as_bytes().to_vec(), executable: Some(false) }),
            };
            files.push(((*path).to_owned(), entry));
        }
    }
    let files = Files::from_entries(files, limits()).unwrap();
    match Package::read(files, name) {
        Ok(package) => package.findings.iter().map(|finding| finding.rule).collect(),
        Err(error) => error.findings().iter().map(|finding| finding.rule).collect(),
    }
}

#[test]
fn examples_of_every_version_and_kind_are_valid() {
    let mut seen = BTreeSet::new();
    for (name, version, cases) in [
        ("sumlegacy", Version::Legacy, 4),
        ("squareslegacy", Version::Legacy, 6),
        ("closelegacy", Version::Legacy, 3),
        ("divisoricpc", Version::LegacyIcpc, 4),
        ("half", Version::V2025_09, 3),
        ("guess", Version::V2025_09, 4),
        ("twice", Version::V2025_09, 3),
        ("golf", Version::V2025_09, 8),
        ("answers", Version::V2025_09, 3),
        ("bits", Version::V2025_09, 3),
    ] {
        let package = read(name, entries(name));
        let errors: Vec<_> = package.findings.iter().filter(|one| one.severity == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert_eq!((package.problem.version, package.cases.len()), (version, cases), "{name}");
        seen.insert(name.to_owned());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let there =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(there.collect::<BTreeSet<_>>(), seen);
}

/// Packages that are written like those in real repositories have exactly the expected errors.
#[test]
fn packages_of_the_wild_have_the_findings_that_they_earn() {
    let expected = |name: &str| -> &[(&str, &str)] {
        match name {
            "crlflegacy" => &[("file-name", "submissions/accepted/zählen.py")],
            _ => &[],
        }
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wild");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 15, "{names:?}");
    for name in names {
        let mut entries = Vec::new();
        collect(&folder.join(&name), "", &mut entries);
        let package = read(&name, entries);
        let errors = package.findings.iter().filter(|one| one.severity == Severity::Error);
        let errors: Vec<_> = errors.map(|one| (one.rule, one.message.as_str())).collect();
        let expected = expected(&name);
        assert_eq!(errors.len(), expected.len(), "{name}: {errors:?}");
        for ((rule, message), (expected, place)) in errors.iter().zip(expected) {
            assert!(rule == expected && message.contains(place), "{name}: {errors:?}");
        }
    }
}

#[test]
fn a_validator_may_be_a_package_with_modules_in_folders() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wild/chatcurrent");
    let mut entries = Vec::new();
    collect(&folder, "", &mut entries);
    let package = read("chatcurrent", entries);
    let validator = package.output_validators.first().unwrap();
    let files: Vec<&str> = validator.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, ["__main__.py", "talk/__init__.py", "talk/rounds.py"]);
    assert!(format!("{:?}", validator.form).contains("__main__.py"), "{:?}", validator.form);
}

#[test]
fn two_input_validators_of_one_name_are_told() {
    let mut files = entries("half");
    let grammar = File { bytes: b"INT(0,9) NEWLINE\n".to_vec(), executable: None };
    files.push(("input_validators/number.ctd".to_owned(), Entry::File(grammar)));
    let package = read("half", files);
    let told: Vec<_> = package.findings.iter().filter(|finding| finding.rule == "name-twice").collect();
    let [told] = told.as_slice() else { unreachable!("{told:?}") };
    assert_eq!(told.severity, Severity::Warning);
    assert!(told.message.contains("`number`"), "{}", told.message);
    assert!(!rules("half", &[]).contains("name-twice"));
}

#[test]
fn folders_beside_cases_are_there_for_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wild/hullscurrent");
    let mut entries = Vec::new();
    collect(&folder, "", &mut entries);
    let package = read("hullscurrent", entries);
    let secret = package.group("secret").unwrap();
    let names: Vec<_> =
        package.cases.iter().filter(|case| case.group == secret).map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["secret/01-line", "secret/02-random", "secret/corner/03-corners"]);
    assert_eq!(package.group("secret/corner"), None);
}

const YAML: &str = "problem_format_version: 2025-09\nname: X\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\n";

#[test]
fn every_rule_finds_its_defect() {
    let yaml = |more: &str| format!("{YAML}{more}\n");
    let cases: Vec<(&str, &str, String, &str)> = vec![
        // Package, path, new text, rule.
        ("half", "problem.yaml", yaml("colour: red"), "unknown-key"),
        ("half", "problem.yaml", yaml("author: me"), "unknown-key"),
        ("half", "problem.yaml", "problem_format_version: 2025-09\nname: X\n".into(), "missing-key"),
        ("half", "problem.yaml", YAML.replace("2e1f6f5c", "2e1f"), "uuid-form"),
        ("half", "problem.yaml", YAML.replace("2025-09", "2023-07-draft"), "unknown-version"),
        ("half", "problem.yaml", yaml("type: [pass-fail, scoring]"), "problem-type"),
        ("half", "problem.yaml", yaml("type: [submit-answer, interactive]"), "problem-type"),
        ("half", "problem.yaml", yaml("type: [scoring, scoring]"), "problem-type"),
        ("half", "problem.yaml", yaml("license: mine"), "license"),
        ("half", "problem.yaml", yaml("license: cc by"), "rights-owner"),
        ("half", "problem.yaml", yaml("license: public domain\nrights_owner: me"), "rights-owner"),
        ("half", "problem.yaml", yaml("limits: {memory: 1.5}"), "fractional-limit"),
        ("half", "problem.yaml", yaml("limits: {time_limit: 0}"), "out-of-range"),
        ("half", "problem.yaml", yaml("limits: {time_multipliers: {ac_to_time_limit: 0.5}}"), "out-of-range"),
        ("half", "problem.yaml", yaml("limits: {validation_passes: 2}"), "not-multi-pass"),
        ("half", "problem.yaml", yaml("embargo_until: 2025-13-01"), "date-form"),
        ("half", "problem.yaml", yaml("languages: [klingon]"), "languages"),
        ("half", "problem.yaml", yaml("constants: {1a: 2}"), "constant-name"),
        ("half", "problem.yaml", yaml("constants: {n: {value: 2, 'a b': 3}}"), "constant-name"),
        ("half", "problem.yaml", yaml("constants: {n: {tex: 2}}"), "missing-key"),
        ("half", "problem.yaml", yaml("constants: {n: {value: 2, variants: {tex: 2}}}"), "wrong-type"),
        ("half", "problem.yaml", yaml("allow_file_writing: perhaps"), "wrong-type"),
        ("half", "problem.yaml", "a: [".into(), "yaml-syntax"),
        ("half", "data/secret/test_group.yaml", "max_score: 10\n".into(), "not-scoring"),
        (
            "half",
            "data/secret/test_group.yaml",
            "output_validator_args: [float_tolerance]\n".into(),
            "validator-flags",
        ),
        (
            "half",
            "data/secret/test_group.yaml",
            "static_validation_score: pass-fail\n".into(),
            "no-static-validator",
        ),
        ("half", "data/secret/test_group.yaml", "static_validator_args: [x]\n".into(), "static-score"),
        (
            "half",
            "data/secret/test_group.yaml",
            "input_validator_args: {nobody: [x]}\n".into(),
            "validator-name",
        ),
        ("half", "data/secret/testdata.yaml", "on_reject: break\n".into(), "old-name"),
        ("half", "data/secret/03.in", "5\n".into(), "no-answer"),
        ("half", "data/secret/03.ans", "5\n".into(), "no-input"),
        ("half", "data/secret/group/test_group.yaml", "full_feedback: true\n".into(), "cases-and-groups"),
        ("half", "data/secret/-03.in", "5\n".into(), "ignored-name"),
        ("half", "data/secret/03.in", "LINK ../../../../etc/passwd".into(), "link"),
        ("half", "data/sample/1.ans.statement", "1.5\n".into(), "sample-files"),
        ("half", "data/sample/1.in.download", "1\n".into(), "sample-files"),
        ("half", "data/secret/02.yaml", "colour: red\n".into(), "unknown-key"),
        ("half", "data/secret/01.in", "\u{feff}1\n".into(), "byte-order-mark"),
        ("half", "data/secret/01.in", "1\r\n".into(), "line-ends"),
        ("half", "statement/problem.sv.md", "Hälften\n".into(), "statement-names"),
        ("half", "statement/problem.en.tex", "Half\n".into(), "statement-twice"),
        ("half", "statement/problem.english.md", "Half\n".into(), "statement-language"),
        ("half", "output_validator/notes.txt", "x".into(), "no-program"),
        ("half", "output_validator/a.rs", "fn main() {}\n".into(), "validator-language"),
        ("half", "output_validators/a.py", "x\n".into(), "old-name"),
        ("half", "submissions/accepted/x.unknown", "x\n".into(), "unknown-language"),
        ("half", "submissions/submissions.yaml", "accepted/x.py: {permitted: [AC]}\n".into(), "glob"),
        ("half", "submissions/submissions.yaml", "accepted/**: {permitted: [AC]}\n".into(), "glob"),
        ("half", "submissions/submissions.yaml", "accepted/*: {permitted: [WA]}\n".into(), "expectations"),
        ("half", "submissions/submissions.yaml", "accepted/*: {permitted: [OK]}\n".into(), "verdict"),
        ("half", "submissions/submissions.yaml", "accepted/*: {score: 5}\n".into(), "not-scoring"),
        (
            "half",
            "submissions/submissions.yaml",
            "accepted/*: {secret/99: {permitted: [AC]}}\n".into(),
            "unknown-key",
        ),
        ("half", "submissions/submissions.yaml", "'*': {use_for_time_limit: soon}\n".into(), "time-use"),
        ("half", "include/cobolt/x.py", "x\n".into(), "include"),
        (
            "half",
            "submissions/submissions.yaml",
            (0..900)
                .map(|at| format!("'{{accepted,x{at},a,b,c,d}}/*': {{permitted: [AC]}}\n"))
                .collect::<Vec<_>>()
                .concat(),
            "glob",
        ),
        ("golf", "data/secret/stray.ans", "5\n".into(), "no-input"),
        ("golf", "data/sample/test_group.yaml", "max_score: 5\n".into(), "not-in-sample"),
        ("golf", "data/secret/group1/test_group.yaml", "output_validator_args: []\n".into(), "no-max-score"),
        ("golf", "data/secret/group1/test_group.yaml", "max_score: 20\n".into(), "unreachable-score"),
        ("golf", "data/secret/group1/test_group.yaml", "max_score: 50\n".into(), "score-exceeds-max"),
        (
            "golf",
            "data/secret/group1/test_group.yaml",
            "max_score: 30\nscore_aggregation: avg\n".into(),
            "aggregation",
        ),
        (
            "golf",
            "data/secret/group1/test_group.yaml",
            "max_score: 30\nrequire_pass: secret/group2\n".into(),
            "require-pass",
        ),
        (
            "golf",
            "data/secret/group1/test_group.yaml",
            "max_score: 30\nscore_aggregation: sum\n".into(),
            "require-pass",
        ),
        ("golf", "data/secret/group1/deeper/test_group.yaml", "max_score: 1\n".into(), "nested-group"),
        ("golf", "data/secret/group4/readme.txt", "nothing\n".into(), "empty-group"),
        ("golf", "data/secret/group1/1/9.in", "1\n".into(), "name-twice"),
        ("golf", "submissions/submissions.yaml", "accepted/*: {score: [5, 1]}\n".into(), "score-range"),
        ("sumlegacy", "problem.yaml", "name: X\ncredits: me\n".into(), "unknown-key"),
        ("sumlegacy", "problem.yaml", "name: X\nvalidation: diff\n".into(), "validation"),
        ("sumlegacy", "problem.yaml", "name: X\nvalidation: custom score\n".into(), "validation"),
        ("sumlegacy", "problem.yaml", "name: X\nvalidation: custom\n".into(), "no-output-validator"),
        ("sumlegacy", "problem.yaml", "name: X\ngrading: {objective: max}\n".into(), "not-scoring"),
        (
            "sumlegacy",
            "problem.yaml",
            "name: X\ntype: scoring\ngrading: {objective: most}\n".into(),
            "objective",
        ),
        ("sumlegacy", "problem.yaml", "name: X\nvalidator_flags: fast\n".into(), "validator-flags"),
        ("sumlegacy", "problem.yaml", "name: X\nlimits: {time_limit: 3}\n".into(), "unknown-key"),
        ("sumlegacy", "data/testdata.yaml", "range: 0 1\n".into(), "not-scoring"),
        ("sumlegacy", "data/testdata.yaml", "on_reject: stop\n".into(), "on-reject"),
        ("sumlegacy", "data/testdata.yaml", "grading: mine\n".into(), "grading"),
        ("sumlegacy", "data/testdata.yaml", "grading: custom\n".into(), "no-grader"),
        ("sumlegacy", "data/testdata.yaml", "grader_flags: best\n".into(), "grader-flag"),
        (
            "sumlegacy",
            "data/testdata.yaml",
            "output_validator_flags: {name: nobody, flags: x}\n".into(),
            "validator-name",
        ),
        ("sumlegacy", "output_validators/a.py", "x\n".into(), "unused-validator"),
        ("sumlegacy", "data/secret/x.in", "LINK /etc/passwd".into(), "link"),
        ("sumlegacy", "data/secret/9-.in", "1 2\n".into(), "no-answer"),
        ("sumlegacy", "data/secret/_9.in", "1 2\n".into(), "file-name"),
        ("sumlegacy", "submissions/slow/x.py", "x\n".into(), "submission-folder"),
        ("sumlegacy", "submissions/partially_accepted/x.py", "x\n".into(), "not-scoring"),
        ("sumlegacy", "statement/problem.en.tex", "x\n".into(), "folder-name"),
        ("squareslegacy", "data/testdata.yaml", "on_reject: continue\nrange: 5 1\n".into(), "score-range"),
        ("squareslegacy", "data/secret/testdata.yaml", "on_reject: continue\n".into(), "ignore-sample"),
        (
            "squareslegacy",
            "data/secret/group1/testdata.yaml",
            "grader_flags: min\naccept_score: 30\nrange: 0 40\n".into(),
            "unreachable-score",
        ),
        (
            "squareslegacy",
            "data/secret/group1/testdata.yaml",
            "grader_flags: min\naccept_score: 50\nrange: 0 40\n".into(),
            "score-outside-range",
        ),
        ("closelegacy", "graders/second.py", "x\n".into(), "graders"),
        ("closelegacy", "output_validators/second.py", "x\n".into(), "validators"),
        (
            "divisoricpc",
            "problem.yaml",
            "problem_format_version: legacy-icpc\ntype: scoring\n".into(),
            "unknown-key",
        ),
        (
            "divisoricpc",
            "problem.yaml",
            "problem_format_version: legacy-icpc\nvalidation: custom score\n".into(),
            "validation",
        ),
        ("divisoricpc", "data/testdata.yaml", "on_reject: break\n".into(), "not-in-icpc"),
        ("divisoricpc", "graders/a.py", "x\n".into(), "not-in-icpc"),
        ("divisoricpc", "include/cpp/a.h", "x\n".into(), "not-in-icpc"),
        ("divisoricpc", "input_validators/number/run", "exit 42\n".into(), "not-executable"),
    ];
    for (package, path, text, rule) in cases {
        let found = rules(package, &[(path, Some(&text))]);
        assert!(found.contains(rule), "{package}: {path}: expected {rule}, found {found:?}");
    }
    for (package, path, rule) in [
        ("half", "problem.yaml", "no-problem-yaml"),
        ("half", "statement", "no-statement"),
        ("half", "data/secret", "no-secret-data"),
        ("half", "input_validators", "no-input-validator"),
        ("half", "submissions/accepted", "no-accepted"),
        ("guess", "output_validator", "no-output-validator"),
        ("golf", "static_validator", "no-static-validator"),
        ("closelegacy", "graders", "no-grader"),
    ] {
        let found = rules(package, &[(path, None)]);
        assert!(found.contains(rule), "{package} without {path}: expected {rule}, found {found:?}");
    }
}

#[test]
fn findings_name_file_line_rule_and_a_way_out() {
    let text = format!("{YAML}\n\ncolour: red\n");
    let mut files = entries("half");
    files.retain(|(path, _)| path != "problem.yaml");
    files.push(("problem.yaml".into(), Entry::File(File { bytes: text.into_bytes(), executable: None })));
    let package = read("half", files);
    let finding = package.findings.iter().find(|finding| finding.rule == "unknown-key").unwrap();
    assert_eq!(finding.pointer, "/colour");
    assert!(finding.message.starts_with("problem.yaml:6: "), "{}", finding.message);
    assert!(finding.help.contains("known keys"), "{}", finding.help);
}

#[test]
fn an_archive_of_one_folder_is_the_package_in_it() {
    let inner = entries("half").into_iter().map(|(path, entry)| (format!("half/{path}"), entry)).collect();
    let package = read("download", inner);
    assert_eq!((package.name.as_str(), package.is_valid()), ("half", true));
}

#[test]
fn hidden_files_are_not_there() {
    let mut files = entries("half");
    let file = || Entry::File(File { bytes: b"1\n".to_vec(), executable: None });
    for path in [".git/config", "data/secret/.03.in", "submissions/accepted/.swp", ".timelimit"] {
        files.push((path.to_owned(), file()));
    }
    let package = read("half", files);
    assert_eq!((package.cases.len(), package.submissions.len(), package.is_valid()), (3, 3, true));
}

#[test]
fn includes_and_constants_reach_submissions() {
    let package = read("bits", entries("bits"));
    let python = package.submissions.iter().find(|one| one.path == "accepted/solution.py").unwrap();
    assert_eq!(python.program.entry_point(), "main.py");
    let names: Vec<&str> = python.program.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(names, ["main.py", "solution.py"]);
    let package = read("half", entries("half"));
    let half = package.submissions.iter().find(|one| one.path == "accepted/half.c").unwrap();
    let source = String::from_utf8(half.program.files[0].1.bytes.clone()).unwrap();
    assert!(source.contains("n > 999999"), "{source}");
    assert_eq!(package.cases[0].output_validator_args, ["float_tolerance", "1e-6"]);
}

/// Returns the package `half` with further files, in place of those of the same path.
fn half_with(more: &[(&str, String)]) -> Package {
    let mut files = entries("half");
    files.retain(|(path, _)| more.iter().all(|(known, _)| known != path));
    files.extend(more.iter().map(|(path, text)| {
        let bytes = text.clone().into_bytes();
        ((*path).to_owned(), Entry::File(File { bytes, executable: None }))
    }));
    read("half", files)
}

#[test]
fn included_files_are_shared_and_constants_are_bounded() {
    let yaml = |constant: &str| {
        let entries = entries("half");
        let (_, Entry::File(file)) = entries.iter().find(|(path, _)| path == "problem.yaml").unwrap() else {
            unreachable!()
        };
        format!("{}\n", String::from_utf8(file.bytes.clone()).unwrap())
            .replace("\nconstants:\n", &format!("\nconstants:\n  long: {constant}\n"))
    };
    let value = "1".repeat(1 << 20);
    for (uses, errors) in [(10, 0), (70, 1)] {
        let source = format!("# {}\n", "{{long}}".repeat(uses));
        let package = half_with(&[
            ("problem.yaml", yaml(&format!("\"{value}\""))),
            ("include/python3/long.py", source),
            ("submissions/wrong_answer/one.py", "import long\n".into()),
            ("submissions/wrong_answer/two.py", "import long\n".into()),
        ]);
        let found = package.findings.iter().filter(|finding| finding.rule == "constants").count();
        assert_eq!(found, errors, "{uses}");
        let shared: Vec<_> = package
            .submissions
            .iter()
            .flat_map(|one| &one.program.files)
            .filter(|(path, _)| path == "long.py")
            .map(|(_, file)| file)
            .collect();
        assert!(shared.len() > 1 && shared.iter().all(|file| std::sync::Arc::ptr_eq(file, shared[0])));
        let bytes = format!("# {}\n", "{{long}}".repeat(uses)).into_bytes();
        let other = package.submission("x.py", vec![("x.py".into(), File { bytes, executable: None })]);
        assert_eq!(other.program.form == Form::Unreplaced, errors > 0, "{uses}");
    }
}

#[test]
fn a_text_beside_a_validator_is_part_of_it() {
    for (name, count) in [("words.txt", 2), ("README.txt", 1), ("notes.md", 1)] {
        let package = half_with(&[
            ("output_validator/check.py", "x\n".into()),
            (&format!("output_validator/{name}"), "a\n".into()),
        ]);
        let validator = &package.output_validators[0];
        let own = validator.files.iter().filter(|(path, _)| *path == "check.py" || path == name).count();
        assert_eq!((own, validator.language()), (count, Some("python3")), "{name}: {:?}", validator.files);
    }
}

#[test]
fn a_pattern_with_a_slash_at_its_end_replaces_the_default_of_its_folder() {
    for slash in ["", "/", "//"] {
        let settings = format!("wrong_answer{slash}: {{permitted: [AC, WA, TLE], required: [TLE]}}\n");
        let package = half_with(&[
            ("submissions/submissions.yaml", settings),
            ("submissions/wrong_answer/one.py", "x\n".into()),
        ]);
        let one = package.submissions.iter().find(|one| one.path == "wrong_answer/one.py").unwrap();
        let Expected::All(all) = &one.expected else { unreachable!() };
        assert_eq!(all.len(), 1, "{slash}");
    }
}

#[test]
fn hostile_packages_are_bounded() {
    let deep = format!("{}problem.yaml", "a/".repeat(60));
    let file = |bytes: Vec<u8>| Entry::File(File { bytes, executable: None });
    for text in
        ["[".repeat(100_000), "a: &a [*a]".into(), format!("name: {}", "x".repeat(9 << 20)), "\0".into()]
    {
        let entries =
            vec![("problem.yaml".to_owned(), file(text.into_bytes())), (deep.clone(), file(Vec::new()))];
        let files = Files::from_entries(entries, limits()).unwrap();
        assert!(Package::read(files, "x").is_err());
    }
    let mut files = entries("half");
    let braces = format!("{}: {{permitted: [AC]}}\n", "'{a,b}'".replace('\'', "").repeat(30));
    files.retain(|(path, _)| path != "submissions/submissions.yaml");
    files.push(("submissions/submissions.yaml".into(), file(format!("'{}'\n", braces.trim()).into_bytes())));
    assert!(!read("half", files).findings.is_empty());
}
