//! Packages as other people write them, which differ from what a careful reader of the specification would write.
//! None is refused; if one breaks a rule, its test names the rule.
#![allow(clippy::unwrap_used, clippy::panic)]

mod outcomes;

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::data::{Child, Rules};
use fablegrade_kattis::judge::{JudgeOptions, Judging};
use fablegrade_kattis::program::Form;
use fablegrade_kattis::{Package, Version};
use fablegrade_public::Severity;
use outcomes::{LIMIT, run, told};

/// Reads a package from pairs of path and text; the text `-> TARGET` denotes a symbolic link.
fn read(files: &[(&str, &str)]) -> Package {
    let entries = files.iter().map(|(path, text)| {
        let entry = match text.strip_prefix("-> ") {
            Some(target) => Entry::SymbolicLink(target.to_owned()),
            None => Entry::File(File { bytes: text.as_bytes().to_vec(), executable: None }),
        };
        ((*path).to_owned(), entry)
    });
    let mut limits = FileLimits::default();
    limits.follow_links = true;
    Package::read(Files::from_entries(entries, limits).unwrap(), "odd").unwrap()
}

fn errors(package: &Package) -> Vec<&'static str> {
    let errors = package.findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.rule).collect()
}

fn valid(files: &[(&str, &str)]) -> Package {
    let package = read(files);
    assert_eq!(errors(&package), [""; 0], "{:#?}", package.findings);
    package
}

/// Returns the result of a submission whose cases have these outcomes.
fn judged(package: &Package, answers: &[(&str, &str)]) -> String {
    told(&run(&Judging::new(package, &package.submissions[0], JudgeOptions::new(LIMIT)), answers).0)
}

const OLD: [(&str, &str); 3] = [
    ("problem_statement/problem.tex", "\\problemname{Odd}\n"),
    ("input_validators/check.py", "x\n"),
    ("submissions/accepted/solution.py", "x\n"),
];
const CURRENT: [(&str, &str); 3] = [
    ("statement/problem.en.md", "Odd\n"),
    ("input_validators/check.py", "x\n"),
    ("submissions/accepted/solution.py", "x\n"),
];
const CASES: [(&str, &str); 4] = [
    ("data/sample/1.in", "1\n"),
    ("data/sample/1.ans", "1\n"),
    ("data/secret/2.in", "2\n"),
    ("data/secret/2.ans", "2\n"),
];

fn all<'a>(parts: &[&[(&'a str, &'a str)]]) -> Vec<(&'a str, &'a str)> {
    parts.concat()
}

#[test]
fn a_template_whose_comments_nobody_removed() {
    let yaml = "## At least one of author, source or rights_owner is needed\n# author:\nauthor: Somebody and Somebody Else\n\
        source:   A Contest 2019\nsource_url: https://example.com/contest\nlicense: cc by-sa\n# rights_owner:\n\
        keywords: graphs, shortest paths\n\nlimits:\n  # time_multiplier: 5\n  time_safety_margin: 2\n  memory: 1024   # MiB\n\
        validator_flags: float_tolerance 1e-6\n#validation: default\n";
    let package = valid(&all(&[&OLD, &CASES, &[("problem.yaml", yaml)]]));
    assert_eq!((package.problem.version, package.problem.limits.memory), (Version::Legacy, 1024));
    assert_eq!(package.problem.validator_flags, ["float_tolerance", "1e-6"]);
}

#[test]
fn a_legacy_package_with_names_in_several_languages() {
    let yaml = "name:\n  sv: Udda\n  en: Odd\nauthor: Somebody\nlicense: cc by-sa\n";
    let more = [
        ("problem.yaml", yaml),
        ("problem_statement/problem.sv.tex", "\\problemname{Udda}\n"),
        ("problem_statement/problem.en.tex", "\\problemname{Odd}\n"),
        ("problem_statement/figure.png", "x"),
    ];
    let package = valid(&all(&[&OLD[1..], &CASES, &more]));
    assert_eq!(package.problem.names.get("sv").map(String::as_str), Some("Udda"));
    assert_eq!(package.problem.names.len(), 2);
}

#[test]
fn a_legacy_package_with_a_statement_in_markdown() {
    let more = [
        ("problem.yaml", "name: Odd\nlicense: cc0\nrights_owner: The jury\n"),
        ("problem_statement/problem.sv.md", "Udda\n"),
    ];
    let package = valid(&all(&[&OLD[1..], &CASES, &more]));
    assert!(
        package.findings.iter().any(|finding| finding.rule == "statement-form"),
        "{:?}",
        package.findings
    );
}

#[test]
fn files_that_lie_about() {
    let more = [
        ("problem.yaml", "name: Odd\nlicense: cc0\nrights_owner: The jury\n"),
        (".timelimit", "3\n"),
        (".gitignore", "*.pyc\n"),
        ("domjudge-problem.ini", "timelimit='3'\n"),
        ("README.md", "Notes.\n"),
        ("Makefile", "all:\n"),
        ("generators/generate.py", "x\n"),
        ("solutions/slides.tex", "x\n"),
        ("input_validators/README", "Notes.\n"),
        ("submissions/accepted/__pycache__/solution.cpython-311.pyc", "x"),
        ("submissions/slow_but_right/other.cpp", "x\n"),
        ("data/secret/2.desc", "the second\n"),
        ("data/secret/2.hint", "look\n"),
        ("data/secret/make.sh", "x\n"),
        ("data/secret/.DS_Store", "x"),
    ];
    let package = valid(&all(&[&OLD, &CASES, &more]));
    assert_eq!((package.cases.len(), package.submissions.len(), package.input_validators.len()), (2, 2, 1));
    assert_eq!(package.cases.last().unwrap().hint.as_deref(), Some("look"));
    assert_eq!(judged(&package, &[("sample/1", "AC"), ("secret/2", "WA")]), "WA");
}

#[test]
fn strange_names_that_are_allowed() {
    let more = [
        ("problem.yaml", "name: Odd\nlicense: public domain\n"),
        ("data/secret/0.in", "0\n"),
        ("data/secret/0.ans", "0\n"),
        ("data/secret/10-n.100_k.2.in", "5\n"),
        ("data/secret/10-n.100_k.2.ans", "5\n"),
        ("data/secret/in.in", "6\n"),
        ("data/secret/in.ans", "6\n"),
        ("data/secret/ANS.in", "7\n"),
        ("data/secret/ANS.ans", "7\n"),
        ("submissions/accepted/O-n.log-n_2.cpp", "x\n"),
        ("submissions/accepted/Solution.JAVA.java", "x\n"),
        ("submissions/accepted/many.parts/Main.java", "x\n"),
        ("submissions/accepted/many.parts/Other.java", "x\n"),
    ];
    let package = valid(&all(&[&OLD, &CASES, &more]));
    let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
    for name in ["secret/0", "secret/10-n.100_k.2", "secret/in", "secret/ANS"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let folder = package.submissions.iter().find(|one| one.path == "accepted/many.parts").unwrap();
    assert_eq!((folder.program.language(), folder.program.entry_point()), (Some("java"), "Main".to_owned()));
}

#[test]
fn windows_was_here() {
    let more = [
        (
            "problem.yaml",
            "\u{feff}name: Odd\r\nvalidation: custom\r\nvalidator_flags: one two\r\nlicense: cc0\r\nrights_owner: me\r\n",
        ),
        ("data/testdata.yaml", "on_reject: continue\r\noutput_validator_flags: three\r\n"),
        ("output_validators/check.py", "x\r\n"),
    ];
    let package = read(&all(&[&OLD, &CASES, &more]));
    // The byte order mark is reported and ignored.
    assert_eq!(errors(&package), ["byte-order-mark"]);
    assert_eq!(package.problem.names.get("en").map(String::as_str), Some("Odd"));
    assert_eq!(package.cases[0].output_validator_args, ["one", "two", "three"]);
    assert!(package.findings.iter().any(|finding| finding.rule == "line-ends"));
}

#[test]
fn groups_in_groups_with_everything_said_everywhere() {
    let more = [
        (
            "problem.yaml",
            "name: Odd\ntype: scoring\nvalidation: custom score\ngrading:\n  objective: max\n  show_test_data_groups: yes\nvalidator_flags: a\nlicense: cc0\nrights_owner: me\n",
        ),
        ("output_validators/check/validate.cpp", "x\n"),
        ("output_validators/check/validate.h", "x\n"),
        ("graders/points.py", "x\n"),
        ("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n"),
        ("data/sample/testdata.yaml", "on_reject: continue\ngrader_flags: ''\naccept_score: 0\nrange: 0 0\n"),
        ("data/secret/testdata.yaml", "grader_flags: sum\noutput_validator_flags: b\n"),
        (
            "data/secret/group1/testdata.yaml",
            "on_reject: break\ngrader_flags: min\naccept_score: '40'\nrange: 0 40\noutput_validator_flags: c\n",
        ),
        (
            "data/secret/group2/testdata.yaml",
            "grading: custom\ngrader_flags: --anything 5\nrange: -inf +inf\naccept_score: 2.5\nreject_score: -1\n",
        ),
        ("data/secret/group2/deeper/testdata.yaml", "grading: default\ngrader_flags: always_accept max\n"),
        ("data/secret/group1/1.in", "1\n"),
        ("data/secret/group1/1.ans", "1\n"),
        ("data/secret/group1/2.in", "-> ../2.in"),
        ("data/secret/group1/2.ans", "-> ../2.ans"),
        ("data/secret/group2/3.in", "3\n"),
        ("data/secret/group2/3.ans", "3\n"),
        ("data/secret/group2/deeper/4.in", "4\n"),
        ("data/secret/group2/deeper/4.ans", "4\n"),
    ];
    let package = read(&all(&[&OLD, &CASES, &more]));
    assert_eq!(errors(&package), [""; 0], "{:#?}", package.findings);
    let args = |name: &str| {
        package.cases.iter().find(|case| case.name == name).unwrap().output_validator_args.clone()
    };
    assert_eq!(args("sample/1"), ["a"]);
    assert_eq!(args("secret/2"), ["a", "b"]);
    assert_eq!(args("secret/group1/2"), ["a", "c"]);
    assert_eq!(args("secret/group2/deeper/4"), ["a", "b"]);
    let Rules::Grader(rules) = &package.groups[package.group("secret/group2").unwrap()].rules else {
        panic!()
    };
    assert!(rules.custom && rules.grader_flags == ["--anything", "5"] && rules.range == (None, None));
    // Cases and groups are judged in the order of their names.
    let secret = &package.groups[package.group("secret").unwrap()];
    assert!(matches!(secret.children[..], [Child::Case(_), Child::Group(_), Child::Group(_)]), "{secret:?}");
    let everything: Vec<(&str, &str)> = package.cases.iter().map(|case| (case.name.as_str(), "AC")).collect();
    assert!(judged(&package, &everything).starts_with("AC "), "{}", judged(&package, &everything));
}

#[test]
fn an_interactive_problem_whose_samples_are_conversations() {
    let more = [
        ("problem.yaml", "name: Odd\nvalidation: custom interactive\nlicense: cc0\nrights_owner: me\n"),
        ("output_validators/talk/build", "x\n"),
        ("output_validators/talk/talk.c", "x\n"),
        ("data/sample/1.interaction", "<5\n>6\n"),
        ("data/sample/2.interaction", "<7\n>8\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", ""),
    ];
    let mut entries: Vec<(String, Entry)> = all(&[&OLD, &more])
        .into_iter()
        .map(|(path, text)| {
            let executable = Some(path.ends_with("/build"));
            (path.to_owned(), Entry::File(File { bytes: text.as_bytes().to_vec(), executable }))
        })
        .collect();
    entries.sort_by(|(a, _), (b, _)| b.cmp(a));
    let package = Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), "odd").unwrap();
    assert_eq!(errors(&package), [""; 0], "{:#?}", package.findings);
    assert_eq!((package.cases.len(), package.problem.kind.interactive), (1, true));
    assert_eq!(package.output_validators[0].form, Form::Scripts { build: true });
}

#[test]
fn an_icpc_package_with_its_old_habits() {
    let more = [
        (
            "problem.yaml",
            "problem_format_version: legacy-icpc\nname: 'Odd: a problem'\nuuid: 5CA6BA5B-36D5-4EFF-8AA7-D967CBC4375E\nsource: Regionals\nauthor: A, B\nlicense: unknown\nvalidator_flags: case_sensitive space_change_sensitive\n",
        ),
        ("input_format_validators/old.py", "x\n"),
        ("problem_statement/problem.en.pdf", "%PDF\n"),
        ("output_validators/.gitkeep", ""),
        ("submissions/run_time_error/crash.kt", "fun main() {}\n"),
        ("submissions/wrong_answer/WA.java", "class WA {}\n"),
    ];
    let package = valid(&all(&[&OLD[1..], &CASES, &more]));
    assert_eq!((package.problem.version, package.cases.len()), (Version::LegacyIcpc, 2));
    let entry =
        |path: &str| package.submissions.iter().find(|one| one.path == path).unwrap().program.entry_point();
    assert_eq!(
        (entry("run_time_error/crash.kt"), entry("wrong_answer/WA.java")),
        ("CrashKt".into(), "WA".into())
    );
}

#[test]
fn credits_and_sources_in_every_form() {
    let yaml = "problem_format_version: 2025-09\nname: {en: Odd, de: Seltsam}\nuuid: 5CA6BA5B-36D5-4EFF-8AA7-D967CBC4375E\n\
        version: 1.2\ncredits:\n  authors:\n    - Somebody <somebody@example.com>\n    - name: Else\n      email: else@example.com\n      orcid: 0000-0001-2345-6789\n      kattis: else\n\
        \x20 contributors: One\n  testers: [Two, Three]\n  translators: {de: [Vier]}\n  packagers: Five\n  acknowledgements: [Six, {name: Seven}]\n\
        source:\n  - A Contest\n  - name: Another\n    url: https://example.com\nlicense: cc by-sa\nrights_owner: Somebody\n\
        embargo_until: 2027-01-31T12:00:00Z\nkeywords: [graphs, '2-sat']\nlanguages: [python3, cpp]\n\
        limits:\n  time_limit: 1.5\n  time_resolution: .5\n  time_multipliers: {ac_to_time_limit: 1.5}\n  memory: '512'\n";
    let more = [
        ("problem.yaml", yaml),
        ("statement/problem.de.pdf", "%PDF\n"),
        ("statement/figure.svg", "<svg/>\n"),
        ("solution/solution.en.md", "So.\n"),
    ];
    let package = valid(&all(&[&CURRENT, &CASES, &more]));
    assert_eq!(package.problem.limits.memory, 512);
    assert_eq!(package.problem.languages.as_deref(), Some(&["python3".to_owned(), "cpp".to_owned()][..]));
    let short = "problem_format_version: 2025-09\nname: Odd\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\ncredits: Somebody\nsource: A Contest\nlicense: cc by\nlanguages: all\n";
    let package = valid(&all(&[&CURRENT, &CASES, &[("problem.yaml", short)]]));
    assert_eq!(package.problem.languages, None);
}

const HEAD: &str = "problem_format_version: 2025-09\nname: Odd\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\nlicense: cc0\nrights_owner: me\n";

#[test]
fn samples_with_everything_that_may_be_shown() {
    let more = [
        ("problem.yaml", HEAD),
        ("data/sample/test_group.yaml", "output_validator_args: [case_sensitive]\nfull_feedback: true\n"),
        ("data/sample/2.in", "2\n"),
        ("data/sample/2.ans", "2\n"),
        ("data/sample/2.out", "2\n"),
        ("data/sample/2.png", "x"),
        ("data/sample/2.yaml", "description: shown\nhint: >\n  look\n  twice\n"),
        ("data/sample/3.in", "3\n"),
        ("data/sample/3.ans", "3\n"),
        ("data/sample/3.in.statement", "three\n"),
        ("data/sample/3.in.download", "3\n"),
        ("data/sample/3.ans.statement", "three\n"),
        ("data/sample/3.ans.download", "3\n"),
        ("data/secret/2.files/words.txt", "a\n"),
        ("data/secret/2.files/folder/deep.txt", "b\n"),
        ("data/invalid_input/empty.in", ""),
        ("data/invalid_input/deep/also.in", "x\n"),
    ];
    let package = valid(&all(&[&CURRENT, &CASES, &more]));
    assert_eq!((package.cases.len(), package.validator_cases.len()), (4, 2));
    let case = |name: &str| package.cases.iter().find(|case| case.name == name).unwrap();
    assert_eq!(case("sample/2").hint.as_deref().map(str::trim), Some("look twice"));
    assert_eq!(case("sample/3").output_validator_args, ["case_sensitive"]);
    assert_eq!(case("secret/2").files.len(), 2);
}

#[test]
fn answers_are_handed_in() {
    let yaml = format!("{HEAD}type: [submit-answer, scoring]\n");
    let more = [
        ("problem.yaml", yaml.as_str()),
        ("output_validator/__main__.py", "x\n"),
        ("output_validator/rules/__init__.py", ""),
        ("submissions/accepted/best/2.out", "2\n"),
        ("submissions/wrong_answer/empty/1.ans", "\n"),
    ];
    let package = valid(&all(&[&CURRENT[..2], &CASES, &more]));
    assert_eq!(package.submissions.len(), 2);
    assert!(package.submissions.iter().all(|one| one.program.form == Form::Unknown));
    assert_eq!(package.output_validators[0].files.len(), 2);
}

#[test]
fn scores_that_have_no_bound_and_expectations_with_patterns() {
    let yaml = format!("{HEAD}type: scoring\n");
    let more = [
        ("problem.yaml", yaml.as_str()),
        ("output_validator/score.cpp", "x\n"),
        ("data/secret/test_group.yaml", "max_score: unbounded\nscore_aggregation: sum\n"),
        (
            "submissions/submissions.yaml",
            "\
            accepted/*: &any\n  permitted: [AC]\n  score: [0, 1000]\n\
            'rejected/{none,few}.py':\n  required: [WA, TLE]\n  message: ''\n  authors: [Somebody]\n\
            'greedy':\n  permitted: [AC, WA]\n  score: 5\n  use_for_time_limit: false\n\
            greedy/g.py:\n  secret:\n    permitted: [AC, WA]\n  'sample/*':\n    required: AC\n",
        ),
        ("submissions/rejected/none.py", "x\n"),
        ("submissions/greedy/g.py", "x\n"),
    ];
    let package = valid(&all(&[&CURRENT, &CASES, &more]));
    assert_eq!(package.max_score(), None);
    assert_eq!(judged(&package, &[("sample/1", "AC"), ("secret/2", "s:12.5")]), "AC 25/2");
}

#[test]
fn links_that_turn_round_end() {
    let more = [
        ("problem.yaml", HEAD),
        ("data/secret/3.in", "-> 4.in"),
        ("data/secret/4.in", "-> 3.in"),
        ("data/secret/5.in", "-> 2.in"),
        ("data/secret/5.ans", "-> ../sample/../secret/2.ans"),
        ("attachments/all", "-> ../attachments"),
        ("submissions/accepted/copy.py", "-> solution.py"),
    ];
    let package = read(&all(&[&CURRENT, &CASES, &more]));
    let errors = errors(&package);
    assert!(errors.contains(&"link") && errors.iter().all(|rule| *rule == "link"), "{:#?}", package.findings);
    let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["sample/1", "secret/2", "secret/5"]);
    assert_eq!(package.submissions.len(), 2);
}
