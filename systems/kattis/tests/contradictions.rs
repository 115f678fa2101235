//! The behaviour of Fablegrade where specifications and tools contradict each other, by the rows of the table in
//! `docs/kattis.md`. Tests of the other rows are in the other files of this folder and in the runner.
#![allow(clippy::unwrap_used)]

mod outcomes;

use fablegrade_kattis::Package;
use fablegrade_kattis::job::{Job, JobId, Outcome, Outcomes, Pass, Source, Validation};
use fablegrade_kattis::judge::{JudgeOptions, Judging};
use fablegrade_kattis::verify;
use fablegrade_public::{End, Severity};
use outcomes::{LIMIT, NEW, judge, outcome, ran, run, told, validated, with_cases};

const CUSTOM: &str = "name: X\ntype: scoring\nvalidation: custom\n";
const VALIDATOR: (&str, &str) = ("output_validators/v.py", "x\n");

/// Returns the first result of `look` for the jobs that follow the builds.
fn with_job<T>(package: &Package, look: impl Fn(&Job<'_>) -> Option<T>) -> T {
    let judging = Judging::new(package, &package.submissions[0], JudgeOptions::new(LIMIT));
    let mut built = Outcomes::new();
    for (id, _) in judging.next(&built) {
        built.insert(id, Outcome::Built(Ok(())));
    }
    judging.next(&built).iter().find_map(|(_, job)| look(job)).unwrap()
}

/// Returns the arguments of the output validators that are run on the first case.
fn calls(package: &Package) -> Vec<Vec<String>> {
    with_job(package, |job| match job {
        Job::Run(job) => match &job.validation {
            Validation::Custom(calls) => Some(calls.iter().map(|call| call.args.clone()).collect()),
            Validation::Default(_) => None,
        },
        _ => None,
    })
}

#[test]
fn custom_score_without_a_score_file_is_the_accept_score() {
    let yaml = ("problem.yaml", "name: X\ntype: scoring\nvalidation: custom score\n");
    let rules = ("data/testdata.yaml", "accept_score: 7\n");
    let package = with_cases(&[yaml, rules, VALIDATOR], &["secret/1", "secret/2"]);
    assert_eq!(judge(&package, &[("secret/1", "AC"), ("secret/2", "s:2")]), "AC 9");
}

#[test]
fn a_score_file_counts_without_custom_score() {
    let package = with_cases(&[("problem.yaml", CUSTOM), VALIDATOR], &["secret/1"]);
    assert_eq!(judge(&package, &[("secret/1", "s:2.5")]), "AC 5/2");
    // A pass-fail problem has no scores.
    let yaml = ("problem.yaml", "name: X\nvalidation: custom\n");
    let package = with_cases(&[yaml, VALIDATOR], &["secret/1"]);
    for score in ["s:2.5", "s:1 2", "s:-1"] {
        assert_eq!(judge(&package, &[("secret/1", score)]), "AC");
    }
}

#[test]
fn all_output_validators_of_a_legacy_package_are_run() {
    let yaml = ("problem.yaml", "name: X\nvalidation: custom\n");
    let package = with_cases(&[yaml, VALIDATOR, ("output_validators/w.py", "x\n")], &["secret/1"]);
    assert_eq!(calls(&package).len(), 2);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    for (codes, verdict) in [([42, 42], "AC"), ([42, 43], "WA"), ([42, 1], "JE")] {
        let mut outcomes: Outcomes =
            (0..3).map(|program| (JobId::Build(program), Outcome::Built(Ok(())))).collect();
        let validators = codes.map(|code| validated(code, &[])).to_vec();
        let pass = Pass::new(Some(ran(End::Exited(0), 10)), validators);
        outcomes.insert(JobId::Case(0), Outcome::Ran(vec![pass]));
        let told = told(&judging.conclude(&outcomes, LIMIT));
        assert_eq!(told.split(' ').next(), Some(verdict), "{codes:?}");
    }
}

#[test]
fn flags_of_groups_are_added_to_those_of_the_problem_and_a_map_names_one_validator() {
    let yaml = ("problem.yaml", "name: X\nvalidation: custom\nvalidator_flags: one  two\n");
    let group = ("data/secret/testdata.yaml", "output_validator_flags: three\n");
    assert_eq!(calls(&with_cases(&[yaml, group, VALIDATOR], &["secret/1"])), [["one", "two", "three"]]);
    let map = ("data/secret/testdata.yaml", "output_validator_flags: {name: w, flags: three}\n");
    let package = with_cases(&[yaml, map, VALIDATOR, ("output_validators/w.py", "x\n")], &["secret/1"]);
    assert_eq!(calls(&package).len(), 1);
}

#[test]
fn graders_and_expectations_take_limits_of_memory_and_output_for_crashes() {
    let files = [
        ("problem.yaml", "name: X\ntype: scoring\n"),
        ("data/testdata.yaml", "on_reject: continue\ngrading: custom\n"),
        ("graders/g.py", "x\n"),
        ("data/secret/testdata.yaml", "grading: default\n"),
    ];
    let package = with_cases(&files, &["secret/1"]);
    for end in [End::MemoryExceeded, End::OutputLimit] {
        let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
        let mut outcomes: Outcomes =
            (0..2).map(|program| (JobId::Build(program), Outcome::Built(Ok(())))).collect();
        outcomes.insert(JobId::Case(0), Outcome::Ran(vec![Pass::new(Some(ran(end, 10)), Vec::new())]));
        let jobs = judging.next(&outcomes);
        let Some((_, Job::Grade(job))) = jobs.first() else { unreachable!("the grader is next") };
        assert_eq!(job.stdin, "RTE 0\n");
    }
}

/// Returns the unmet expectations about a submission of a folder whose cases have these outcomes.
fn unmet(folder: &str, words: [&str; 2]) -> Vec<String> {
    let path = format!("submissions/{folder}/s.py");
    let yaml = ("problem.yaml", "name: X\n");
    let rules = ("data/testdata.yaml", "on_reject: continue\n");
    let package = with_cases(&[yaml, rules, (&path, "x\n")], &["secret/1", "secret/2"]);
    let submission = package.submissions.iter().find(|one| one.path.starts_with(folder)).unwrap();
    let judging = Judging::new(&package, submission, JudgeOptions::new(LIMIT).all_cases());
    let (judgement, _) = run(&judging, &[("secret/1", words[0]), ("secret/2", words[1])]);
    let limit = fablegrade_kattis::limit::time_limit(&package, &[]);
    verify::check(&package, submission, &judgement, &judgement, &limit).unmet
}

#[test]
fn legacy_folders_are_about_the_verdicts_of_cases() {
    // It exceeds the time limit on one case. The wrong answer on the other case is allowed.
    assert!(unmet("time_limit_exceeded", ["WA", "TLE"]).is_empty());
    assert!(!unmet("time_limit_exceeded", ["RTE", "TLE"]).is_empty());
    assert!(!unmet("time_limit_exceeded", ["WA", "AC"]).is_empty());
    assert!(!unmet("wrong_answer", ["WA", "TLE"]).is_empty());
    assert!(!unmet("wrong_answer", ["WA", "RTE"]).is_empty());
    assert!(unmet("wrong_answer", ["AC", "WA"]).is_empty());
    assert!(unmet("run_time_error", ["WA", "RTE"]).is_empty());
}

#[test]
fn legacy_multi_pass_is_read_with_a_warning() {
    let yaml = ("problem.yaml", "name: X\nvalidation: custom multi-pass\n");
    let package = with_cases(&[yaml, VALIDATOR], &["secret/1"]);
    assert!(package.problem.kind.multi_pass);
    let told = package.findings.iter().find(|finding| finding.message.contains("multi-pass")).unwrap();
    assert_eq!(told.severity, Severity::Warning);
}

#[test]
fn a_submission_writes_files_where_its_version_lets_it() {
    let may_write = |yaml: &str| {
        let package = with_cases(&[("problem.yaml", yaml)], &["secret/1"]);
        with_job(&package, |job| if let Job::Run(job) = job { Some(job.may_write) } else { None })
    };
    let allowed = format!("{NEW}allow_file_writing: true\n");
    assert_eq!([may_write("name: X\n"), may_write(NEW), may_write(&allowed)], [true, false, true]);
}

#[test]
fn output_errors_and_files_count_together_in_the_current_version() {
    let verdict = |yaml: &str, written: u64| {
        let package = with_cases(&[("problem.yaml", yaml)], &["secret/1"]);
        let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
        let mut outcomes = Outcomes::from([(JobId::Build(0), Outcome::Built(Ok(())))]);
        let mut much = ran(End::Exited(0), 10);
        much.written = written;
        outcomes.insert(JobId::Case(0), Outcome::Ran(vec![Pass::new(Some(much), vec![validated(42, &[])])]));
        told(&judging.conclude(&outcomes, LIMIT))
    };
    let bounded = format!("{NEW}limits: {{output: 1}}\n");
    assert_eq!([verdict(&bounded, 1 << 20), verdict(&bounded, (1 << 20) + 1)], ["AC", "OLE"]);
    assert_eq!(verdict("name: X\nlimits: {output: 1}\n", (1 << 20) + 1), "AC");
}

#[test]
fn a_submission_that_waits_for_ever_takes_no_time() {
    let yaml = ("problem.yaml", "name: X\nvalidation: custom interactive\n");
    let package = with_cases(&[yaml, VALIDATOR], &["secret/1"]);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    let mut outcomes: Outcomes =
        (0..2).map(|program| (JobId::Build(program), Outcome::Built(Ok(())))).collect();
    let mut pass = Pass::new(Some(ran(End::Timeout, 10)), vec![validated(42, &[])]);
    pass.deadlock = true;
    outcomes.insert(JobId::Case(0), Outcome::Ran(vec![pass]));
    let judgement = judging.conclude(&outcomes, LIMIT);
    assert_eq!((told(&judgement).as_str(), judgement.time.as_millis()), ("TLE", 10));
    // Without a deadlock, a timeout counts as at least the time limit.
    let Outcome::Ran(passes) = outcome("TLE") else { unreachable!() };
    outcomes.insert(JobId::Case(0), Outcome::Ran(passes));
    assert!(judging.conclude(&outcomes, LIMIT).time >= LIMIT);
}
