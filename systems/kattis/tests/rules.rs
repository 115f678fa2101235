//! Tests of rules of the three versions that the other files in this folder do not cover.
#![allow(clippy::unwrap_used, clippy::panic)]

mod outcomes;

use std::time::Duration;

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::Package;
use fablegrade_kattis::data::{Group, Rules, ValidatorArgs};
use fablegrade_kattis::job::{Job, JobId, Outcome, Outcomes, Party, Pass, Source};
use fablegrade_kattis::judge::{JudgeOptions, Judging};
use fablegrade_kattis::limit::{Measured, time_limit};
use fablegrade_kattis::validation::ValidatorChecks;
use fablegrade_kattis::verify;
use fablegrade_public::{Decimal, End, Severity};
use outcomes::{LIMIT, NEW, package, ran, run, told, validated, with_cases};

/// Returns the rules that a package breaks, with their severities.
fn found(package: &Package) -> Vec<(Severity, &'static str)> {
    package.findings.iter().map(|finding| (finding.severity, finding.rule)).collect()
}

fn has(package: &Package, severity: Severity, rule: &str) -> bool {
    found(package).iter().any(|(known, name)| *known == severity && *name == rule)
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn current(more: &str) -> &'static str {
    leaked(format!("{NEW}{more}\n"))
}

#[test]
fn names_of_packages_files_and_folders() {
    let named = |name: &str| {
        let entries = [(
            "problem.yaml".to_owned(),
            Entry::File(File { bytes: b"name: X\n".to_vec(), executable: None }),
        )];
        Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), name).unwrap()
    };
    assert!(!has(&named("abc1"), Severity::Warning, "package-name"));
    for name in ["Abc", "a-b", "a_b", "ä", ""] {
        assert!(has(&named(name), Severity::Warning, "package-name"), "{name}");
    }
    let long = |length: usize| format!("data/secret/{}.in", "x".repeat(length - 3));
    for (version, yaml, rule, severity) in [
        ("legacy", "name: X\n", "file-name", Severity::Error),
        ("2025-09", NEW, "ignored-name", Severity::Warning),
    ] {
        for (path, wrong) in [
            (long(255), false),
            (long(256), true),
            ("data/secret/a.b-c_d.in".to_owned(), false),
            ("data/secret/a b.in".to_owned(), true),
            ("data/secret/ä.in".to_owned(), true),
            ("data/secret/+1.in".to_owned(), true),
        ] {
            let package = package(&[("problem.yaml", yaml), (&path, "1\n")]);
            assert_eq!(has(&package, severity, rule), wrong, "{version} {path}: {:?}", found(&package));
        }
    }
    // In the legacy versions, a file name has at least two characters, and letters or digits at both ends.
    for (path, wrong) in [
        ("attachments/a", true),
        ("attachments/ab", false),
        ("attachments/_ab", true),
        ("attachments/ab-", true),
        ("data/secret/1/01.in", false),
    ] {
        let yaml = ("problem.yaml", "problem_format_version: legacy-icpc\nname: X\n");
        let package = package(&[yaml, (path, "1\n")]);
        assert_eq!(has(&package, Severity::Error, "file-name"), wrong, "{path}: {:?}", found(&package));
    }
    // Files with ignored names do not count, so `secret/-2` is not a case.
    let package = with_cases(&[("problem.yaml", NEW)], &["secret/1", "secret/-2"]);
    assert_eq!(package.cases.len(), 1);
}

#[test]
fn texts_of_a_package() {
    let with = |path: &str, bytes: &[u8]| {
        let mut files: Vec<(String, Vec<u8>)> = vec![("problem.yaml".into(), NEW.into())];
        files.push((path.to_owned(), bytes.to_vec()));
        let entries =
            files.into_iter().map(|(path, bytes)| (path, Entry::File(File { bytes, executable: None })));
        Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), "x").unwrap()
    };
    for path in ["data/secret/1.in", "data/secret/1.ans", "statement/problem.en.md"] {
        assert!(has(&with(path, b"\xef\xbb\xbf1\n"), Severity::Error, "byte-order-mark"), "{path}");
        assert!(has(&with(path, b"1\r\n"), Severity::Warning, "line-ends"), "{path}");
        assert!(has(&with(path, b"\xff\n"), Severity::Error, "invalid-utf8"), "{path}");
        let fine = with(path, "ä\n".as_bytes());
        assert!(
            !found(&fine)
                .iter()
                .any(|(_, rule)| ["byte-order-mark", "line-ends", "invalid-utf8"].contains(rule))
        );
    }
    // Attachments may have any content.
    assert!(!has(&with("attachments/picture.in", b"\xff\r\n"), Severity::Error, "invalid-utf8"));
}

#[test]
fn links_within_a_package_share_cases() {
    let text = |path: &str, text: &str| {
        (path.to_owned(), Entry::File(File { bytes: text.as_bytes().to_vec(), executable: None }))
    };
    let link = |path: &str, to: &str| (path.to_owned(), Entry::SymbolicLink(to.to_owned()));
    let entries = vec![
        text("problem.yaml", "name: X\ntype: scoring\n"),
        text("data/secret/a/01.in", "1\n"),
        text("data/secret/a/01.ans", "1\n"),
        link("data/secret/b/01.in", "../a/01.in"),
        link("data/secret/b/01.ans", "../a/01.ans"),
        link("data/secret/c", "b"),
    ];
    let mut limits = FileLimits::default();
    limits.follow_links = true;
    let package = Package::read(Files::from_entries(entries, limits).unwrap(), "x").unwrap();
    assert!(!has(&package, Severity::Error, "link"), "{:?}", package.findings);
    let names: Vec<&str> = package.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["secret/a/01", "secret/b/01", "secret/c/01"]);
    assert!(package.cases.iter().all(|case| package.bytes(&case.input) == b"1\n"));
}

#[test]
fn limits_are_the_typical_ones_unless_they_are_set() {
    let read = |yaml: &str| package(&[("problem.yaml", yaml)]).problem.limits;
    for yaml in ["name: X\n", NEW] {
        let limits = read(yaml);
        assert_eq!((limits.memory, limits.output, limits.code), (2048, 8, 128));
        assert_eq!((limits.compilation_time, limits.compilation_memory), (60, 2048));
        assert_eq!(
            (limits.validation_time, limits.validation_memory, limits.validation_output),
            (60, 2048, 8)
        );
    }
    let set = "limits: {memory: 512, output: 1, code: 64, compilation_time: 9, compilation_memory: 300, \
        validation_time: 8, validation_memory: 200, validation_output: 3";
    for yaml in [
        leaked(format!("name: X\n{set}, time_multiplier: 4, time_safety_margin: 1.5}}\n")),
        current(&format!(
            "{set}, \
        time_multipliers: {{ac_to_time_limit: 4, time_limit_to_tle: 1.5}}, time_resolution: 0.5, time_limit: 3}}"
        )),
    ] {
        let limits = read(yaml);
        assert_eq!((limits.memory, limits.output, limits.code), (512, 1, 64));
        assert_eq!((limits.compilation_time, limits.compilation_memory), (9, 300));
        assert_eq!((limits.validation_time, limits.validation_memory, limits.validation_output), (8, 200, 3));
        assert_eq!(limits.ac_to_time_limit, Decimal::from(4));
        assert_eq!(limits.time_limit_to_tle, Decimal::new(15, -1));
    }
    assert_eq!(read(current("limits: {time_limit: 3}")).time_limit, Some(Decimal::from(3)));
    assert_eq!(read(current("type: multi-pass\nlimits: {validation_passes: 7}")).validation_passes, 7);
}

#[test]
fn limits_out_of_range() {
    for (limit, rule) in [
        ("memory: 0", "out-of-range"),
        ("memory: -1", "out-of-range"),
        ("memory: 1.5", "fractional-limit"),
        ("memory: much", "wrong-type"),
        ("memory: 9999999999999", "out-of-range"),
        ("time_limit: -1", "out-of-range"),
        ("time_limit: 86401", "out-of-range"),
        ("time_resolution: 0", "out-of-range"),
        ("time_resolution: 1e-30", "out-of-range"),
        ("time_resolution: 1e30", "out-of-range"),
        ("time_multipliers: {ac_to_time_limit: 1e30}", "out-of-range"),
        ("time_multipliers: {time_limit_to_tle: 1001}", "out-of-range"),
        ("validation_passes: 1", "out-of-range"),
        ("validation_passes: 10001", "out-of-range"),
    ] {
        let package =
            package(&[("problem.yaml", current(&format!("type: multi-pass\nlimits: {{{limit}}}")))]);
        assert!(has(&package, Severity::Error, rule), "{limit}: {:?}", found(&package));
    }
    for limit in ["time_multiplier: 1e300", "time_safety_margin: 1001"] {
        let package = package(&[("problem.yaml", leaked(format!("name: X\nlimits: {{{limit}}}\n")))]);
        assert!(has(&package, Severity::Error, "out-of-range"), "{limit}: {:?}", found(&package));
    }
}

#[test]
fn the_limit_of_code_is_about_the_authors_own_files() {
    let code = |kibibytes: usize, more: usize| leaked("#".repeat((kibibytes << 10) + more));
    let judged = |source: &str, included: &str| {
        let files = [
            ("problem.yaml", current("limits: {code: 2}")),
            ("submissions/accepted/a.py", source),
            ("include/python3/driver.py", included),
        ];
        let package = with_cases(&files, &["secret/1"]);
        let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
        (has(&package, Severity::Error, "code-limit"), told(&run(&judging, &[("secret/1", "AC")]).0))
    };
    assert_eq!(judged(code(2, 0), "x\n"), (false, "AC".into()));
    assert_eq!(judged(code(2, 1), "x\n"), (true, "CE".into()));
    assert_eq!(judged("x\n", code(9, 0)), (false, "AC".into()));
    // The limit applies to the total size of several files.
    let package = with_cases(&[("problem.yaml", current("limits: {code: 2}"))], &["secret/1"]);
    let file = |bytes: usize| File { bytes: vec![b'#'; bytes], executable: None };
    for (bytes, verdict) in [(1024, "AC"), (1025, "CE")] {
        let files = vec![("main.py".to_owned(), file(1024)), ("other.py".to_owned(), file(bytes))];
        let submission = package.submission("team", files);
        let judging = Judging::new(&package, &submission, JudgeOptions::new(LIMIT));
        assert_eq!(told(&run(&judging, &[("secret/1", "AC")]).0), verdict, "{bytes}");
    }
}

#[test]
fn names_of_constants_are_as_long_as_they_are_replaced() {
    let rules = |name: &str, variant: &str| {
        let yaml = current(&format!("constants: {{{name}: {{value: 7, {variant}: 8}}}}"));
        let package = package(&[("problem.yaml", yaml)]);
        package.findings.iter().filter(|found| found.rule == "constant-name").count()
    };
    assert_eq!(rules(&"n".repeat(294), "t"), 0);
    assert_eq!(rules(&"n".repeat(295), "t"), 1);
    assert_eq!(rules(&"n".repeat(297), "t"), 1);
}

#[test]
fn constants_reach_every_text_but_data_and_metadata() {
    let yaml = current("constants: {n: 7, words: {value: a b, tex: 'a\\,b'}}\nsource: '{{n}}'");
    let files = [
        ("problem.yaml", yaml),
        ("statement/problem.en.md", "{{n}} {{words.tex}}\n"),
        ("input_validators/v.py", "{{n}}\n"),
        ("output_validator/w.py", "{{n}} {{words}}\n"),
        ("include/python3/driver.py", "{{n}} {{unknown}}\n"),
        ("submissions/accepted/a.py", "{{n}}{{words.tex}}\n"),
        ("data/secret/test_group.yaml", "output_validator_args: ['{{n}}', '{{m}}']\n"),
        ("data/secret/9.in", "{{n}}\n"),
        ("data/secret/9.ans", "{{n}}\n"),
    ];
    let package = package(&files);
    let text = |program: &fablegrade_kattis::program::Program, path: &str| {
        let (_, file) = program.files.iter().find(|(known, _)| known == path).unwrap();
        String::from_utf8(file.bytes.clone()).unwrap()
    };
    assert_eq!(text(&package.input_validators[0], "v.py"), "7\n");
    assert_eq!(text(&package.output_validators[0], "w.py"), "7 a b\n");
    let submission = &package.submissions[0].program;
    assert_eq!(text(submission, "a.py"), "7a\\,b\n");
    assert_eq!(text(submission, "driver.py"), "7 {{unknown}}\n");
    assert_eq!(package.cases[0].output_validator_args, ["7", "{{m}}"]);
    assert_eq!(
        (package.bytes("data/secret/9.in"), package.bytes("data/secret/9.ans")),
        (&b"{{n}}\n"[..], &b"{{n}}\n"[..])
    );
}

fn graded(group: &Group) -> &fablegrade_kattis::data::GraderRules {
    let Rules::Grader(rules) = &group.rules else { panic!("{group:?}") };
    rules
}

#[test]
fn keys_of_testdata_are_inherited_one_by_one() {
    let all = "on_reject: continue\ngrading: custom\ngrader_flags: one two\ninput_validator_flags: in\n\
        output_validator_flags: out\naccept_score: 5\nreject_score: 1\nrange: -1 9\n";
    let files = [
        ("problem.yaml", "name: X\ntype: scoring\nvalidation: custom\n"),
        ("graders/g.py", "x\n"),
        ("output_validators/v.py", "x\n"),
        ("data/testdata.yaml", all),
        ("data/secret/a/testdata.yaml", "accept_score: 7\n"),
        ("data/secret/a/b/testdata.yaml", "output_validator_flags: other\non_reject: break\n"),
    ];
    let package = with_cases(&files, &["secret/a/b/1", "secret/c/1"]);
    let group = |path: &str| graded(&package.groups[package.group(path).unwrap()]);
    let (root, changed, deep, beside) =
        (group(""), group("secret/a"), group("secret/a/b"), group("secret/c"));
    assert_eq!(beside, root);
    assert_eq!((root.breaks, root.custom, root.grader_flags.len()), (false, true, 2));
    assert_eq!(root.input_validator_flags, ValidatorArgs::All(vec!["in".into()]));
    assert_eq!((root.accept_score.to_string(), root.reject_score.to_string()), ("5".into(), "1".into()));
    assert_eq!(
        root.range.0.as_ref().zip(root.range.1.as_ref()).map(|(a, b)| format!("{a} {b}")).as_deref(),
        Some("-1 9")
    );
    assert_eq!(changed.accept_score.to_string(), "7");
    assert_eq!(
        (changed.reject_score.clone(), &changed.output_validator_flags),
        (root.reject_score.clone(), &root.output_validator_flags)
    );
    assert_eq!((deep.accept_score.to_string(), deep.breaks), ("7".into(), true));
    assert_eq!(deep.output_validator_flags, ["other"]);
    assert_eq!(package.cases[0].output_validator_args, ["other"]);
}

#[test]
fn keys_of_a_case_are_inherited_from_its_group() {
    let files = [
        ("problem.yaml", NEW),
        ("output_validator/w.py", "x\n"),
        (
            "data/secret/test_group.yaml",
            "args: [a]\noutput_validator_args: [b]\ninput_validator_args: {v: [c]}\nfull_feedback: true\n",
        ),
        ("data/secret/2.yaml", "args: [d, e]\nhint: look\ndescription: the second\n"),
        (
            "data/secret/3.yaml",
            "input_validator_args: [f]\noutput_validator_args: []\nfull_feedback: false\n",
        ),
    ];
    let package = with_cases(&files, &["sample/1", "secret/1", "secret/2", "secret/3"]);
    assert!(package.findings.iter().all(|finding| finding.rule != "unknown-key"), "{:?}", package.findings);
    let case = |name: &str| package.cases.iter().find(|case| case.name == name).unwrap();
    assert_eq!((case("sample/1").args.len(), case("sample/1").full_feedback), (0, true));
    assert_eq!(
        (case("secret/1").args.as_slice(), case("secret/1").full_feedback),
        (&["a".to_owned()][..], true)
    );
    assert_eq!(case("secret/2").args, ["d", "e"]);
    assert_eq!(case("secret/2").output_validator_args, ["b"]);
    assert_eq!(case("secret/2").input_validator_args.of("v"), ["c"]);
    assert_eq!(
        case("secret/2").hint.as_deref().zip(case("secret/2").description.as_deref()),
        Some(("look", "the second"))
    );
    assert_eq!(case("secret/3").input_validator_args.of("v"), ["f"]);
    assert!(case("secret/3").output_validator_args.is_empty() && !case("secret/3").full_feedback);
}

#[test]
fn keys_of_the_other_version_are_refused() {
    for key in ["on_reject: break", "grading: default", "grader_flags: min", "accept_score: 5", "range: 0 1"]
    {
        let package =
            with_cases(&[("problem.yaml", NEW), ("data/secret/test_group.yaml", key)], &["secret/1"]);
        assert!(has(&package, Severity::Error, "unknown-key"), "{key}");
    }
    for key in [
        "max_score: 5",
        "score_aggregation: sum",
        "require_pass: sample",
        "args: [a]",
        "input_validator_args: [a]",
    ] {
        let package =
            with_cases(&[("problem.yaml", "name: X\n"), ("data/testdata.yaml", key)], &["secret/1"]);
        assert!(has(&package, Severity::Error, "unknown-key"), "{key}");
    }
}

/// Returns the arguments of the input validators for every case.
fn input_arguments(package: &Package) -> Vec<Vec<String>> {
    let checks = ValidatorChecks::new(package);
    let built: Outcomes =
        (0..checks.programs().len()).map(|at| (JobId::Build(at), Outcome::Built(Ok(())))).collect();
    let jobs = checks.next(&built);
    let on_cases = jobs.iter().filter_map(|(_, job)| match job {
        Job::ValidateInput(job)
            if package.cases.iter().any(|case| package.bytes(&case.input) == &*job.input) =>
        {
            Some(job.args.clone())
        }
        _ => None,
    });
    on_cases.collect()
}

#[test]
fn arguments_of_input_validators() {
    let legacy = [("problem.yaml", "name: X\n"), ("data/testdata.yaml", "input_validator_flags: --n  5\n")];
    assert_eq!(input_arguments(&with_cases(&legacy, &["secret/1"])), [["--n", "5"]]);
    let current = [
        ("problem.yaml", NEW),
        ("data/secret/test_group.yaml", "input_validator_args: [--n, '5 6']\nargs: [x]\n"),
    ];
    // The arguments of the submission follow those of the validator.
    assert_eq!(input_arguments(&with_cases(&current, &["secret/1"])), [["--n", "5 6", "x"]]);
    let named = [
        ("problem.yaml", NEW),
        ("data/secret/test_group.yaml", "input_validator_args: {other: [a]}\n"),
        ("input_validators/other.py", "x\n"),
    ];
    assert_eq!(input_arguments(&with_cases(&named, &["secret/1"])), [vec!["a".to_owned()], Vec::new()]);
}

#[test]
fn an_interaction_may_have_several_passes() {
    let files = [
        ("problem.yaml", current("type: [interactive, multi-pass]\nlimits: {validation_passes: 3}")),
        ("output_validator/w.py", "x\n"),
    ];
    let package = with_cases(&files, &["secret/1"]);
    assert!(package.problem.kind.interactive && package.problem.kind.multi_pass);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    let built: Outcomes = (0..2).map(|at| (JobId::Build(at), Outcome::Built(Ok(())))).collect();
    let jobs = judging.next(&built);
    let Some((_, Job::Run(job))) = jobs.first() else { panic!("{jobs:?}") };
    assert_eq!((job.interactive, job.passes), (true, 3));
    let pass =
        |millis, validator, first| Pass::new(Some(ran(End::Exited(0), millis)), vec![validator]).first(first);
    let next = || validated(42, &[("nextpass.in", "2\n")]);
    for (passes, verdict) in [
        (vec![pass(10, next(), Party::Submission), pass(10, validated(42, &[]), Party::Validator)], "AC"),
        (vec![pass(10, next(), Party::Submission), pass(10, validated(43, &[]), Party::Validator)], "WA"),
        (vec![pass(10, next(), Party::Submission), pass(1100, validated(42, &[]), Party::Submission)], "TLE"),
        (vec![pass(10, next(), Party::Submission); 3], "JE"),
    ] {
        let mut outcomes = built.clone();
        outcomes.insert(JobId::Case(0), Outcome::Ran(passes.clone()));
        assert_eq!(told(&judging.conclude(&outcomes, LIMIT)), verdict, "{passes:?}");
    }
}

/// Returns the time limit if each submission took this number of milliseconds on its only case.
fn limit_of(package: &Package, times: &[(&str, u64)]) -> fablegrade_kattis::limit::TimeLimit {
    let minute = Duration::from_secs(60);
    let judged: Vec<_> = times
        .iter()
        .map(|(path, millis)| {
            let submission = package.submissions.iter().find(|one| one.path == *path).unwrap();
            let judging = Judging::new(package, submission, JudgeOptions::new(minute));
            let pass = Pass::new(Some(ran(End::Exited(0), *millis)), vec![validated(42, &[])]);
            let outcomes = Outcomes::from([
                (JobId::Build(0), Outcome::Built(Ok(()))),
                (JobId::Case(0), Outcome::Ran(vec![pass])),
            ]);
            (submission, judging.conclude(&outcomes, minute))
        })
        .collect();
    let measured: Vec<Measured<'_>> =
        judged.iter().map(|(submission, judgement)| Measured { submission, judgement }).collect();
    time_limit(package, &measured)
}

#[test]
fn use_for_time_limit_overrides() {
    let of = |said: &str| {
        let rules = format!("accepted/b.py: {{use_for_time_limit: {said}, permitted: [AC, TLE]}}\n");
        let files = [
            ("problem.yaml", NEW),
            ("submissions/accepted/b.py", "x\n"),
            ("submissions/submissions.yaml", leaked(rules)),
        ];
        let package = with_cases(&files, &["secret/1"]);
        let limit = limit_of(&package, &[("accepted/a.py", 100), ("accepted/b.py", 2600)]);
        (limit.limit.as_secs(), limit.errors.len())
    };
    // The folder `accepted` makes it a lower bound anyway.
    assert_eq!(of("lower"), (6, 0));
    let of = |folder: &str, said: &str| {
        let rules = format!("{folder}: {{use_for_time_limit: {said}}}\n");
        let path = leaked(format!("submissions/{folder}/b.py"));
        let files = [("problem.yaml", NEW), (path, "x\n"), ("submissions/submissions.yaml", leaked(rules))];
        let package = with_cases(&files, &["secret/1"]);
        let limit = limit_of(&package, &[("accepted/a.py", 100), (&format!("{folder}/b.py"), 2600)]);
        (limit.limit.as_secs(), limit.errors.len())
    };
    assert_eq!(of("mixed", "true"), (1, 0), "nothing is expected of it");
    assert_eq!(of("mixed", "lower"), (6, 0));
    assert_eq!(of("wrong_answer", "true"), (6, 0));
    assert_eq!(of("wrong_answer", "false"), (1, 0));
    assert_eq!(of("mixed", "upper"), (1, 0));
    assert_eq!(of("time_limit_exceeded", "true"), (1, 0));
    // Without a lower bound, no time limit can be derived.
    let none =
        [("problem.yaml", NEW), ("submissions/submissions.yaml", "accepted: {use_for_time_limit: false}\n")];
    let package = with_cases(&none, &["secret/1"]);
    assert!(has(&package, Severity::Error, "no-lower-bound"), "{:?}", found(&package));
    // The fastest upper bound must be slow enough.
    let late = [("problem.yaml", NEW), ("submissions/time_limit_exceeded/b.py", "x\n")];
    let package = with_cases(&late, &["secret/1"]);
    let limit = limit_of(&package, &[("accepted/a.py", 900), ("time_limit_exceeded/b.py", 2900)]);
    assert_eq!((limit.limit.as_secs(), limit.errors.len()), (2, 1));
}

#[test]
fn languages_and_entry_points() {
    let read = |files: &[(&str, &str)]| {
        let paths: Vec<String> =
            files.iter().map(|(name, _)| format!("submissions/accepted/s/{name}")).collect();
        let mut all = vec![("problem.yaml", NEW)];
        all.extend(paths.iter().map(String::as_str).zip(files.iter().map(|(_, text)| *text)));
        let package = package(&all);
        let program = &package.submissions.iter().find(|one| one.path == "accepted/s").unwrap().program;
        (program.language().unwrap_or("none"), program.entry_point())
    };
    for (files, language, entry) in [
        (&["a.cpp", "b.cpp", "c.h"][..], "cpp", "a.cpp"),
        (&["a.c", "b.cpp"], "cpp", "a.c"),
        (&["b.py", "a.py"], "python3", "a.py"),
        (&["a.py", "Main.py"], "python3", "Main.py"),
        (&["a.py", "main.py", "Main.py"], "python3", "main.py"),
        (&["a.py", "b.py", "c.cpp"], "python3", "a.py"),
        (&["a.py", "b.cpp"], "none", "a.py"),
        (&["Fast.java", "Helper.java"], "java", "Fast"),
        (&["Fast.java", "Main.java"], "java", "Main"),
        (&["fast.kt"], "kotlin", "FastKt"),
        (&["data.txt", "only.rs"], "rust", "only.rs"),
    ] {
        let files: Vec<(&str, &str)> = files.iter().map(|name| (*name, "x\n")).collect();
        assert_eq!(read(&files), (language, entry.to_owned()), "{files:?}");
    }
    assert_eq!(read(&[("a.py", "#!/usr/bin/env python2\n")]).0, "python2");
}

#[test]
fn includes_overwrite_files_of_the_same_name() {
    let files = [
        ("problem.yaml", NEW),
        ("include/default/data.txt", "of all\n"),
        ("include/default/both.txt", "of all\n"),
        ("include/python3/both.txt", "of the language\n"),
        ("include/python3/a.py", "of the jury\n"),
        ("include/cpp/other.h", "x\n"),
    ];
    let package = package(&files);
    let program = &package.submissions[0].program;
    let files: Vec<(&str, &str)> = program
        .files
        .iter()
        .map(|(path, file)| (path.as_str(), std::str::from_utf8(&file.bytes).unwrap().trim()))
        .collect();
    assert_eq!(files, [("a.py", "of the jury"), ("both.txt", "of the language"), ("data.txt", "of all")]);
}

#[test]
fn attachments_and_generators_are_never_run() {
    let files = [
        ("problem.yaml", NEW),
        ("generators/generate.py", "x\n"),
        ("generators/generators.yaml", "solution: /submissions/accepted/a.py\ndata: {secret: {data: {}}}\n"),
        ("attachments/helper.py", "x\n"),
        ("output_visualizer/show.py", "x\n"),
        ("input_visualizer/show.py", "x\n"),
    ];
    let package = with_cases(&files, &["secret/1"]);
    assert!(
        !found(&package)
            .iter()
            .any(|(severity, rule)| *severity == Severity::Error && *rule != "no-statement"),
        "{:?}",
        package.findings
    );
    let checks = ValidatorChecks::new(&package);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    for program in checks.programs().iter().chain(judging.programs()) {
        let known =
            ["input_validators/", "submissions/"].iter().any(|folder| program.path.starts_with(folder));
        assert!(known && program.files.iter().all(|(path, _)| path != "helper.py"), "{}", program.path);
    }
}

#[test]
fn submissions_yaml() {
    // Returns the unmet expectations about a submission with these outcomes on its two cases.
    let unmet = |folder: &str, rules: &str, words: [&str; 2]| {
        let path = leaked(format!("submissions/{folder}/s.py"));
        let files = [
            ("problem.yaml", current("type: scoring")),
            ("output_validator/w.py", "x\n"),
            (path, "x\n"),
            ("submissions/submissions.yaml", leaked(rules.to_owned())),
        ];
        let package = with_cases(&files, &["secret/1", "secret/2"]);
        assert!(!has(&package, Severity::Error, "unknown-key"), "{rules}: {:?}", package.findings);
        let submission = package.submissions.iter().find(|one| one.path.starts_with(folder)).unwrap();
        let judging = Judging::new(&package, submission, JudgeOptions::new(LIMIT).all_cases());
        let (judgement, _) = run(&judging, &[("secret/1", words[0]), ("secret/2", words[1])]);
        let limit = time_limit(&package, &[]);
        verify::check(&package, submission, &judgement, &judgement, &limit).unmet
    };
    for (folder, rules, words, met) in [
        // A key that is the folder's name replaces the default expectation; a pattern adds to it.
        ("wrong_answer", "{}", ["AC", "AC"], false),
        ("wrong_answer", "wrong_answer: {permitted: [AC]}", ["AC", "AC"], false),
        ("wrong_answer", "wrong_answer: {permitted: [AC], required: [AC]}", ["AC", "AC"], true),
        ("wrong_answer", "wrong_answer/*: {permitted: [AC, WA], required: [AC]}", ["AC", "AC"], false),
        ("wrong_answer", "wrong_answer/*: {permitted: [AC, WA], required: [AC]}", ["AC", "WA"], true),
        ("mine", "'{mine,other}/s.*': {permitted: [AC]}", ["AC", "WA"], false),
        ("mine", "mine: {permitted: AC}", ["AC", "AC"], true),
        ("mine", "mine/s.py: {score: 50}", ["AC", "WA"], true),
        ("mine", "mine/s.py: {score: [51, 100]}", ["AC", "WA"], false),
        ("mine", "mine/s.py: {secret/1: {permitted: [WA]}}", ["WA", "AC"], true),
        ("mine", "mine/s.py: {secret/1: {permitted: [WA]}}", ["AC", "WA"], false),
        ("mine", "mine/s.py: {'secret/*': {required: [WA]}}", ["AC", "AC"], false),
        ("mine", "mine/s.py: {secret: {required: [WA]}}", ["AC", "WA"], true),
        ("mine", "mine/s.py: {message: too small}", ["AC", "WA"], false),
    ] {
        let unmet = unmet(folder, rules, words);
        assert_eq!(unmet.is_empty(), met, "{folder} {rules} {words:?}: {unmet:?}");
    }
    // A message must occur in the validator's judge message on at least one case.
    let files = [
        ("problem.yaml", NEW),
        ("output_validator/w.py", "x\n"),
        ("submissions/mine/s.py", "x\n"),
        ("submissions/submissions.yaml", "mine/s.py: {message: too small, secret/1: {message: small}}\n"),
    ];
    let package = with_cases(&files, &["secret/1", "secret/2"]);
    let submission = package.submissions.iter().find(|one| one.path == "mine/s.py").unwrap();
    let judging = Judging::new(&package, submission, JudgeOptions::new(LIMIT).all_cases());
    for (said, unmet) in
        [(["it is too small.", ""], 0), (["", "it is too small"], 1), (["Too small", "x"], 1), (["", ""], 2)]
    {
        let mut outcomes: Outcomes = (0..2).map(|at| (JobId::Build(at), Outcome::Built(Ok(())))).collect();
        for (at, text) in said.into_iter().enumerate() {
            let validator = validated(43, &[("judgemessage.txt", text)]);
            outcomes.insert(
                JobId::Case(at),
                Outcome::Ran(vec![Pass::new(Some(ran(End::Exited(0), 10)), vec![validator])]),
            );
        }
        let judgement = judging.conclude(&outcomes, LIMIT);
        let limit = time_limit(&package, &[]);
        let found = verify::check(&package, submission, &judgement, &judgement, &limit).unmet;
        assert_eq!(found.len(), unmet, "{said:?}: {found:?}");
    }
    // The language and the entry point in `submissions.yaml` are used.
    let files = [
        ("problem.yaml", NEW),
        ("submissions/mine/s/one.py", "x\n"),
        ("submissions/mine/s/two.py", "x\n"),
        ("submissions/mine/t/code.txt", "x\n"),
        ("submissions/submissions.yaml", "mine/s: {entrypoint: two.py}\nmine/t: {language: cpp}\n"),
    ];
    let package = outcomes::package(&files);
    let program = |path: &str| &package.submissions.iter().find(|one| one.path == path).unwrap().program;
    assert_eq!(program("mine/s").entry_point(), "two.py");
    assert_eq!(program("mine/t").language(), Some("cpp"));
}

#[test]
fn outputs_that_must_be_accepted() {
    let files = [
        ("problem.yaml", NEW),
        ("output_validator/w.py", "x\n"),
        ("data/valid_output/a.in", "1\n"),
        ("data/valid_output/a.ans", "1\n"),
        ("data/valid_output/a.out", "01\n"),
        ("data/valid_output/b.in", "1\n"),
    ];
    let package = with_cases(&files, &["secret/1"]);
    assert!(has(&package, Severity::Error, "no-answer"), "the second one is incomplete");
    let checks = ValidatorChecks::new(&package);
    let mut outcomes: Outcomes =
        (0..checks.programs().len()).map(|at| (JobId::Build(at), Outcome::Built(Ok(())))).collect();
    for (id, job) in checks.next(&outcomes) {
        let outcome = match job {
            Job::ValidateOutput(job) => {
                let code = if &*job.output == b"01\n" { 43 } else { 42 };
                Outcome::Ran(vec![Pass::new(None, vec![validated(code, &[])])])
            }
            _ => Outcome::Validated(validated(42, &[])),
        };
        outcomes.insert(id, outcome);
    }
    let rules: Vec<&str> = checks.conclude(&outcomes).iter().map(|finding| finding.rule).collect();
    assert!(rules.contains(&"valid-output-rejected"), "{rules:?}");
    // Interactive problems have no outputs to validate.
    let yaml = ("problem.yaml", current("type: interactive"));
    let more: Vec<(&str, &str)> = std::iter::once(yaml).chain(files.into_iter().skip(1)).collect();
    assert!(has(&with_cases(&more, &["secret/1"]), Severity::Warning, "interactive-output"));
}

#[test]
fn remarks_about_data() {
    let yaml = ("problem.yaml", "name: X\n");
    let same = package(&[
        yaml,
        ("data/secret/01.in", "1\n"),
        ("data/secret/01.ans", "1\n"),
        ("data/secret/02.in", "1\n"),
        ("data/secret/02.ans", "1\n"),
    ]);
    assert!(has(&same, Severity::Info, "same-input"));
    let order = with_cases(&[yaml], &["secret/2", "secret/10"]);
    assert!(has(&order, Severity::Info, "natural-order"));
    assert!(!has(&with_cases(&[yaml], &["secret/02", "secret/10"]), Severity::Info, "natural-order"));
    let large = leaked("1\n".repeat((50 << 20) + 1));
    assert!(has(
        &package(&[yaml, ("data/secret/01.in", large), ("data/secret/01.ans", "1\n")]),
        Severity::Warning,
        "large-file"
    ));
    let talk = ("problem.yaml", "name: X\nvalidation: custom interactive\n");
    let validator = ("output_validators/w.py", "x\n");
    assert!(has(&with_cases(&[talk, validator], &["sample/1"]), Severity::Warning, "no-interaction"));
    let shown = ("data/sample/1.interaction", ">1\n<2\n");
    assert!(!has(&with_cases(&[talk, validator, shown], &["sample/1"]), Severity::Warning, "no-interaction"));
    let url = package(&[("problem.yaml", "name: X\nsource_url: https://example.com\n")]);
    assert!(has(&url, Severity::Error, "source-url"));
}
