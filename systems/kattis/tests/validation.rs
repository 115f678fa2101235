//! The jobs that check validators, and the findings that follow from outcomes. No validator is run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::Package;
use fablegrade_kattis::job::{
    BuildFailure, Feedback, JOBS_AT_ONCE, Job, JobId, Outcome, Outcomes, Pass, Ran, Source as _, Validated,
    Validation,
};
use fablegrade_kattis::validation::ValidatorChecks;
use fablegrade_public::Severity;
use fablegrade_public::outcome::End;

const CURRENT: &str = "problem_format_version: 2025-09\nname: X\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\nlicense: cc0\nrights_owner: me\n";

/// Returns a package with one sample and one secret case, changed by `more`.
fn package(yaml: &str, more: &[(&str, &str)]) -> Package {
    let mut files = BTreeMap::from([
        ("problem.yaml", yaml),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "2\n"),
        ("data/secret/1.in", "5\n"),
        ("data/secret/1.ans", "10\n"),
        ("input_validators/number.py", "pass"),
        ("submissions/accepted/a.py", "print(2 * int(input()))"),
    ]);
    files.extend(more.iter().copied());
    let entries = files.into_iter().map(|(path, text)| {
        (path.to_owned(), Entry::File(File { bytes: text.as_bytes().to_vec(), executable: None }))
    });
    Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), "x").unwrap()
}

#[test]
fn many_checks_are_given_in_parts() {
    let cases: Vec<(String, String)> = (10..400)
        .flat_map(|at| {
            [
                (format!("data/secret/{at}.in"), at.to_string()),
                (format!("data/secret/{at}.ans"), "1\n".into()),
            ]
        })
        .collect();
    let cases: Vec<(&str, &str)> = cases.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let package = package(CURRENT, &cases);
    let checks = ValidatorChecks::new(&package);
    let mut outcomes = Outcomes::new();
    let mut parts = Vec::new();
    loop {
        let jobs = checks.next(&outcomes);
        if jobs.is_empty() {
            break;
        }
        parts.push(jobs.len());
        outcomes.extend(jobs.into_iter().map(|(id, job)| match job {
            Job::Build(_) => (id, Outcome::Built(Ok(()))),
            _ => (id, Outcome::Validated(validated(42))),
        }));
    }
    assert_eq!(parts.iter().sum::<usize>(), checks.len() + 1);
    assert!(parts.len() > 3 && parts.iter().all(|part| *part <= JOBS_AT_ONCE), "{parts:?}");
}

fn validated(code: i32) -> Validated {
    Validated::new(Ran::new(End::Exited(code)), Feedback::default())
}

/// Answers all jobs and returns the findings. `input` gives the exit code of input validators, and `output` the end of
/// output validators.
fn findings(
    package: &Package,
    input: impl Fn(&str, &[String]) -> i32,
    output: impl Fn(&str) -> End,
) -> Vec<(Severity, &'static str, String)> {
    let checks = ValidatorChecks::new(package);
    let mut outcomes = Outcomes::new();
    loop {
        let wanted = checks.next(&outcomes);
        if wanted.is_empty() {
            break;
        }
        let answers: Vec<(JobId, Outcome)> = wanted
            .into_iter()
            .map(|(id, job)| {
                let outcome = match job {
                    Job::Build(_) => Outcome::Built(Ok(())),
                    Job::ValidateInput(job) => {
                        Outcome::Validated(validated(input(&String::from_utf8_lossy(&job.input), &job.args)))
                    }
                    Job::ValidateOutput(job) => {
                        let one = match &job.validation {
                            Validation::Default(comparison) => comparison.validate(&job.answer, &job.output),
                            Validation::Custom(_) => Validated::new(
                                Ran::new(output(&String::from_utf8_lossy(&job.output))),
                                Feedback::default(),
                            ),
                        };
                        Outcome::Ran(vec![Pass::new(None, vec![one])])
                    }
                    other => panic!("{other:?}"),
                };
                (id, outcome)
            })
            .collect();
        outcomes.extend(answers);
    }
    let found = checks.conclude(&outcomes);
    found.into_iter().map(|one| (one.severity, one.rule, one.message)).collect()
}

fn strict(input: &str, _: &[String]) -> i32 {
    let number = input.strip_suffix('\n').is_some_and(|text| {
        (1..4).contains(&text.len())
            && !text.starts_with('0')
            && text.bytes().all(|byte| byte.is_ascii_digit())
    });
    if number { 42 } else { 43 }
}

fn exited(code: i32) -> End {
    End::Exited(code)
}

#[test]
fn validators_that_do_their_work_have_no_finding() {
    let legacy = "name: X\nlicense: cc0\nrights_owner: me\n";
    for yaml in [CURRENT, legacy] {
        assert_eq!(findings(&package(yaml, &[]), strict, |_| exited(42)), []);
    }
    let custom = package(CURRENT, &[("output_validator/v.py", "pass")]);
    let output = |text: &str| exited(if text == "2\n" || text == "10\n" { 42 } else { 43 });
    assert_eq!(findings(&custom, strict, output), []);
}

#[test]
fn input_validators_see_every_input_junk_and_altered_inputs() {
    let rules = |found: &[(Severity, &'static str, String)]| -> Vec<_> {
        found.iter().map(|(severity, rule, _)| (*severity, *rule)).collect()
    };
    let none = findings(&package(CURRENT, &[]), |_, _| 43, |_| exited(42));
    assert_eq!(rules(&none), [(Severity::Error, "input-rejected"); 2], "{none:?}");
    assert!(none.iter().any(|(.., message)| message.contains("data/secret/1.in")), "{none:?}");
    let all = findings(&package(CURRENT, &[]), |_, _| 42, |_| exited(42));
    let count = |rule: &str| all.iter().filter(|(_, known, _)| *known == rule).count();
    assert_eq!((count("junk-accepted"), count("altered-input-accepted")), (4, 5), "{all:?}");
    assert!(all.iter().all(|(severity, ..)| *severity == Severity::Warning), "{all:?}");
    // A validator that crashes on junk has rejected it; its exit code for real inputs must be 42.
    let crashes = findings(&package(CURRENT, &[]), |text, args| strict(text, args) % 42, |_| exited(42));
    assert_eq!(rules(&crashes), [(Severity::Error, "input-rejected"); 2], "{crashes:?}");
}

#[test]
fn one_of_several_input_validators_may_reject_junk() {
    let two = package(
        CURRENT,
        &[
            ("input_validators/second.py", "pass"),
            ("data/secret/1.yaml", "input_validator_args:\n  second: [lenient]\n"),
        ],
    );
    let by_args = |text: &str, args: &[String]| if args == ["lenient"] { 42 } else { strict(text, args) };
    assert_eq!(findings(&two, by_args, |_| exited(42)), []);
}

#[test]
fn declared_junk_is_an_error_when_accepted() {
    let declared =
        package(CURRENT, &[("data/invalid_input/zero.in", "0\n"), ("data/invalid_input/real.in", "7\n")]);
    let found = findings(&declared, strict, |_| exited(42));
    let [(severity, rule, message)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((*severity, *rule), (Severity::Error, "invalid-input-accepted"));
    assert!(message.contains("real.in"), "{message}");
    let outputs = |folder: &'static str| {
        let path = |ending| -> &'static str { format!("data/{folder}/a.{ending}").leak() };
        package(CURRENT, &[(path("in"), "5\n"), (path("ans"), "10\n"), (path("out"), "10\n")])
    };
    let found = findings(&outputs("invalid_output"), strict, |_| exited(42));
    assert_eq!(found.iter().map(|one| one.1).collect::<Vec<_>>(), ["invalid-output-accepted"], "{found:?}");
    assert_eq!(findings(&outputs("valid_output"), strict, |_| exited(42)), []);
}

#[test]
fn answers_are_validated_and_rejected_ones_are_told_by_where_they_are() {
    let custom = package(CURRENT, &[("output_validator/v.py", "pass")]);
    let found = findings(&custom, strict, |_| exited(43));
    let found: Vec<_> = found.iter().map(|(severity, rule, _)| (*severity, *rule)).collect();
    let rejected = "answer-rejected";
    assert_eq!(found, [(Severity::Error, rejected), (Severity::Warning, rejected)]);
    let odd = findings(&custom, strict, |_| exited(42));
    assert!(odd.iter().all(|(severity, rule, _)| (*severity, *rule) == (Severity::Warning, "junk-output")));
    assert_eq!(odd.len(), 4);
}

#[test]
fn only_the_validator_that_the_flags_name_checks_the_outputs_of_a_group() {
    let yaml = "name: X\nlicense: cc0\nrights_owner: me\nvalidation: custom\n";
    let files = [
        ("output_validators/a.py", "pass"),
        ("output_validators/b.py", "pass"),
        ("data/testdata.yaml", "output_validator_flags: {name: a, flags: ''}\n"),
    ];
    let package = package(yaml, &files);
    let checks = ValidatorChecks::new(&package);
    let names: Vec<&str> = checks.programs().iter().map(|program| program.name()).collect();
    let a = names.iter().position(|name| *name == "a").unwrap();
    let mut outcomes = Outcomes::new();
    for (id, _) in checks.next(&outcomes) {
        outcomes.insert(id, Outcome::Built(Ok(())));
    }
    let mut outputs = 0;
    for (_, job) in checks.next(&outcomes) {
        if let Job::ValidateOutput(job) = job {
            let Validation::Custom(calls) = job.validation else { panic!("the default validator") };
            assert_eq!(calls.iter().map(|call| call.program).collect::<Vec<_>>(), [a]);
            outputs += 1;
        }
    }
    assert!(outputs > 2);
}

#[test]
fn an_output_validator_must_decide_whatever_the_output_is() {
    let custom = package(CURRENT, &[("output_validator/v.py", "pass")]);
    for end in [End::Exited(0), End::Exited(1), End::Signalled(11), End::Timeout, End::MemoryExceeded] {
        let found = findings(&custom, strict, |text| match text {
            "2\n" | "10\n" => exited(42),
            "" => end.clone(),
            _ => exited(43),
        });
        let [(Severity::Error, "junk-output", message)] = found.as_slice() else {
            panic!("{end:?}: {found:?}")
        };
        assert!(message.contains("an empty file"), "{message}");
    }
}

#[test]
fn grammars_of_checktestdata_are_validators() {
    let grammar = ("input_validators/grammar.ctd", "# one digit\nINT(1,{{most}}) NEWLINE\n");
    let yaml = format!("{CURRENT}constants: {{most: 9}}\n");
    // The program accepts all inputs, so only the grammar can refuse one.
    let found = |more: &[(&str, &str)]| {
        findings(&package(&yaml, &[&[grammar], more].concat()), |_, _| 42, |_| End::Exited(42))
    };
    assert_eq!(found(&[]), [], "junk and altered inputs are refused");
    let wrong = found(&[("data/secret/2.in", "10\n"), ("data/secret/2.ans", "20\n")]);
    let [(Severity::Error, "input-rejected", message)] = wrong.as_slice() else { panic!("{wrong:?}") };
    assert!(
        message.contains("grammar.ctd refuses it: line 1, byte 1: expected a number from 1 to 9"),
        "{message}"
    );
    let invalid = found(&[("data/invalid_input/1.in", "3\n")]);
    assert_eq!(invalid.iter().map(|one| one.1).collect::<Vec<_>>(), ["invalid-input-accepted"]);
    let no_grammar = package(&yaml, &[("input_validators/grammar.ctd", "NEWLINE\nNUMBER")]);
    let errors: Vec<_> = no_grammar.findings.iter().filter(|one| one.rule == "grammar").collect();
    assert!(errors.len() == 1 && errors[0].message.contains("grammar.ctd:2"), "{errors:?}");
}

#[test]
fn what_could_not_be_built_or_run_is_told_once() {
    let checked = package(CURRENT, &[("input_validators/grammar.viva", "{ n; [ n > 0 ]; }")]);
    let checks = ValidatorChecks::new(&checked);
    for (outcome, rule) in [
        (Outcome::Built(Err(BuildFailure::Compile("line 1".into()))), "does-not-compile"),
        (Outcome::Built(Err(BuildFailure::Unsupported("no python".into()))), "no-tools"),
        (Outcome::Failed("no sandbox".into()), "not-run"),
    ] {
        let outcomes = Outcomes::from([(JobId::Build(0), outcome)]);
        assert!(
            checks.next(&outcomes).iter().all(|(_, job)| !matches!(job, Job::ValidateInput(_))),
            "a validator that is not there is not asked"
        );
        let found = checks.conclude(&outcomes);
        let rules: Vec<_> = found.iter().map(|one| (one.severity, one.rule)).collect();
        // The grammar is not run, and this is reported.
        assert_eq!(rules, [(Severity::Warning, "not-run"), (Severity::Error, rule)], "{found:?}");
        assert!(found[0].message.contains("grammar.viva"), "{found:?}");
    }
}
