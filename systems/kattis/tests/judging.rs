//! Verdicts, scores, partial runs and limits, computed only from outcomes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod outcomes;

use std::time::Duration;

use fablegrade_kattis::expectation::Submission;
use fablegrade_kattis::job::{Job, JobId, Outcome, Outcomes, Party, Pass, Source};
use fablegrade_kattis::judge::{JudgeOptions, Judgement, Judging};
use fablegrade_kattis::limit::{Measured, time_limit};
use fablegrade_kattis::verify;
use fablegrade_kattis::{Package, Verdict};
use fablegrade_public::End;
use outcomes::{LIMIT, NEW, judge, ran, run, told, validated, with_cases};

#[test]
fn pass_fail_stops_where_the_result_is_certain() {
    let package = with_cases(&[("problem.yaml", NEW)], &["sample/1", "secret/1", "secret/2"]);
    let submission = &package.submissions[0];
    let answers = [("sample/1", "AC"), ("secret/1", "WA"), ("secret/2", "RTE")];
    let (judgement, order) = run(&Judging::new(&package, submission, JudgeOptions::new(LIMIT)), &answers);
    assert_eq!((told(&judgement).as_str(), order.len()), ("WA", 2));
    let (judgement, order) =
        run(&Judging::new(&package, submission, JudgeOptions::new(LIMIT).all_cases()), &answers);
    assert_eq!((told(&judgement).as_str(), order.len()), ("WA", 3));
    assert_eq!(judge(&package, &[("sample/1", "AC"), ("secret/1", "AC")]), "-");
    assert_eq!(judge(&package, &[("sample/1", "AC"), ("secret/1", "AC"), ("secret/2", "AC")]), "AC");
    assert_eq!(judge(&package, &[("sample/1", "AC"), ("secret/1", "AC"), ("secret/2", "JE")]), "JE");
}

/// Returns all orders of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, last| {
        let with_last = |order: Vec<usize>| {
            (0..=last).map(move |at| {
                let mut longer = order.clone();
                longer.insert(at, last);
                longer
            })
        };
        orders.into_iter().flat_map(with_last).collect()
    })
}

#[test]
fn the_first_failure_decides_whatever_ends_first() {
    let rules = "static_validation_score: pass-fail\n";
    let files = [
        ("problem.yaml", NEW),
        ("static_validator/s.py", "x\n"),
        ("data/secret/a/test_group.yaml", "{}\n"),
        ("data/secret/b/test_group.yaml", rules),
    ];
    let package = with_cases(&files, &["secret/a/1", "secret/a/2", "secret/b/1"]);
    let b = package.groups.iter().position(|group| group.path == "secret/b").unwrap();
    let ids = [JobId::Case(0), JobId::Case(1), JobId::Static(b), JobId::Case(2)];
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    for (words, expected) in [
        (["AC", "AC", "AC", "AC"], "AC"),
        (["AC", "AC", "WA", "RTE"], "WA"),
        (["AC", "TLE", "WA", "AC"], "TLE"),
        (["RTE", "TLE", "WA", "AC"], "RTE"),
        (["RTE", "AC", "JE", "AC"], "RTE"),
        (["AC", "TLE", "AC", "JE"], "TLE"),
        (["AC", "JE", "WA", "AC"], "JE"),
        (["AC", "AC", "JE", "WA"], "JE"),
        (["TLE", "JE", "JE", "JE"], "TLE"),
    ] {
        let answer = |at: usize| match (ids[at], outcomes::outcome(words[at])) {
            (JobId::Static(_), Outcome::Ran(passes)) => Outcome::Validated(passes[0].validators[0].clone()),
            (_, outcome) => outcome,
        };
        for order in orders(ids.len()) {
            let mut outcomes = Outcomes::new();
            loop {
                let next: Vec<JobId> = judging.next(&outcomes).into_iter().map(|(id, _)| id).collect();
                let Some(first) = next.first() else { break };
                assert_eq!(judging.conclude(&outcomes, LIMIT).verdict, None, "{words:?} {order:?}");
                match order.iter().find(|at| next.contains(&ids[**at])) {
                    Some(at) => outcomes.insert(ids[*at], answer(*at)),
                    None => outcomes.insert(*first, Outcome::Built(Ok(()))),
                };
            }
            assert_eq!(told(&judging.conclude(&outcomes, LIMIT)), expected, "{words:?} {order:?}");
            // Jobs that were still running then end, too.
            outcomes.extend((0..ids.len()).map(|at| (ids[at], answer(at))));
            assert_eq!(told(&judging.conclude(&outcomes, LIMIT)), expected, "{words:?} {order:?}");
        }
    }
}

fn scoring(groups: &[(&'static str, &'static str)], cases: &[&str], custom: bool) -> Package {
    let yaml: &'static str = Box::leak(format!("{NEW}type: scoring\n").into_boxed_str());
    let mut files = vec![("problem.yaml", yaml)];
    files.extend(groups);
    if custom {
        files.push(("output_validator/v.py", "x\n"));
    }
    with_cases(&files, cases)
}

#[test]
fn scores_of_2025_09() {
    let secret = "data/secret/test_group.yaml";
    let cases = ["secret/1", "secret/2", "secret/3"];
    let of = |rules: &'static str, words: [&str; 3]| {
        let package = scoring(&[(secret, rules)], &cases, true);
        judge(&package, &cases.iter().copied().zip(words).collect::<Vec<_>>())
    };
    for (rules, words, expected) in [
        ("{}", ["AC", "AC", "AC"], "AC 100"),
        ("{}", ["AC", "WA", "AC"], "WA 200/3"),
        ("{}", ["AC", "m:0.5", "m:1e-1"], "AC 160/3"),
        ("{}", ["s:33.333333333333333333", "AC", "WA"], "WA 199999999999999999999/3000000000000000000"),
        ("{}", ["s:34", "AC", "AC"], "JE 0"),
        ("{}", ["s:-1", "AC", "AC"], "JE 0"),
        ("{}", ["s:1 2", "AC", "AC"], "JE 0"),
        ("{}", ["m:1.5", "AC", "AC"], "JE 0"),
        ("{}", ["ws:1", "AC", "AC"], "JE 0"),
        ("score_aggregation: min", ["AC", "m:0.25", "AC"], "AC 25"),
        ("score_aggregation: min", ["AC", "WA", "AC"], "WA 0"),
        ("score_aggregation: pass-fail", ["AC", "AC", "AC"], "AC 100"),
        ("score_aggregation: pass-fail", ["AC", "TLE", "AC"], "TLE 0"),
        ("score_aggregation: pass-fail", ["AC", "m:0.5", "AC"], "JE 0"),
        ("max_score: unbounded", ["s:1000", "s:0.5", "s:0"], "AC 2001/2"),
        ("max_score: unbounded", ["s:1000", "AC", "s:0"], "JE 0"),
        ("max_score: unbounded", ["s:1000", "m:1", "s:0"], "JE 0"),
        ("{max_score: unbounded, score_aggregation: min}", ["s:3", "s:5", "s:4"], "AC 3"),
        ("{max_score: 10}", ["AC", "RTE", "WA"], "RTE 10/3"),
    ] {
        assert_eq!(of(rules, words), expected, "{rules} {words:?}");
    }
}

#[test]
fn groups_that_require_others_and_static_cases() {
    let groups = [
        ("static_validator/s.py", "x\n"),
        ("data/secret/test_group.yaml", "max_score: 100\n"),
        ("data/secret/a/test_group.yaml", "max_score: 30\nrequire_pass: sample\n"),
        (
            "data/secret/b/test_group.yaml",
            "max_score: 40\nscore_aggregation: sum\nrequire_pass: [secret/a]\nstatic_validation_score: 10\n",
        ),
        ("data/secret/c/test_group.yaml", "max_score: 30\nscore_aggregation: min\n"),
    ];
    let cases = ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2", "secret/c/1"];
    let package = scoring(&groups, &cases, true);
    let errors =
        package.findings.iter().filter(|finding| finding.severity == fablegrade_public::Severity::Error);
    assert_eq!(errors.map(|finding| finding.rule).collect::<Vec<_>>(), ["no-statement"]);
    let all = |words: [&'static str; 6], statics: &'static str| {
        let mut answers: Vec<(&str, &str)> = cases.iter().copied().zip(words).collect();
        answers.push(("static secret/b", statics));
        let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
        let (judgement, order) = run(&judging, &answers);
        (told(&judgement), order.len())
    };
    assert_eq!(all(["AC"; 6], "AC"), ("AC 100".into(), 6));
    assert_eq!(all(["AC"; 6], "s:5"), ("AC 95".into(), 6));
    assert_eq!(all(["AC"; 6], "WA"), ("WA 90".into(), 6));
    // The sample fails, so `a` is skipped, and `b` because of `a`; `c` is run.
    assert_eq!(all(["WA", "AC", "AC", "AC", "AC", "AC"], "AC"), ("WA 30".into(), 2));
    // `a` fails, so `b` is skipped.
    assert_eq!(all(["AC", "AC", "TLE", "AC", "AC", "m:0.5"], "AC"), ("TLE 15".into(), 4));
}

#[test]
fn the_static_case_of_secret_counts_beside_its_groups() {
    for (rules, group, rejected, partial) in [
        ("score_aggregation: pass-fail\nstatic_validation_score: pass-fail\n", 50, "WA 0", "- 0..100"),
        ("score_aggregation: sum\nstatic_validation_score: 50\n", 25, "WA 50", "- 50..100"),
        ("score_aggregation: min\nstatic_validation_score: 100\n", 100, "WA 0", "- 0..100"),
    ] {
        let group: &'static str = Box::leak(format!("max_score: {group}\n").into_boxed_str());
        let groups = [
            ("static_validator/s.py", "x\n"),
            ("data/secret/test_group.yaml", rules),
            ("data/secret/a/test_group.yaml", group),
            ("data/secret/b/test_group.yaml", group),
        ];
        let cases = ["secret/a/1", "secret/b/1"];
        let package = scoring(&groups, &cases, false);
        let of = |statics: Option<&'static str>, all: &str| {
            let mut answers: Vec<(&str, &str)> = cases.iter().map(|case| (*case, all)).collect();
            answers.extend(statics.map(|word| ("static secret", word)));
            judge(&package, &answers)
        };
        assert_eq!(of(Some("WA"), "AC"), rejected, "{rules}");
        assert_eq!(of(None, "AC"), partial, "{rules}");
        assert_eq!(of(Some("AC"), "AC"), "AC 100", "{rules}");
        assert_eq!(of(Some("JE"), "AC"), "JE 0", "{rules}");
    }
}

#[test]
fn a_static_score_above_the_maximum_leaves_nothing_for_the_cases() {
    let rules = "max_score: 10\nstatic_validation_score: 30\n";
    let files = [("static_validator/s.py", "x\n"), ("data/secret/test_group.yaml", rules)];
    let package = scoring(&files, &["secret/1"], false);
    assert!(package.findings.iter().any(|finding| finding.rule == "static-score"));
    assert_eq!(judge(&package, &[("secret/1", "AC"), ("static secret", "WA")]), "WA 0");
    let group = ("data/secret/a/test_group.yaml", "max_score: 80\n");
    let rules = ("data/secret/test_group.yaml", "static_validation_score: 30\n");
    let package = scoring(&[files[0], group, rules], &["secret/a/1"], false);
    assert!(package.findings.iter().any(|finding| finding.rule == "score-exceeds-max"));
}

#[test]
fn submitted_answers_are_not_code() {
    let yaml: &'static str =
        Box::leak(format!("{NEW}type: submit-answer\nlimits: {{code: 1}}\n").into_boxed_str());
    let answer = "1\n".repeat(1_000);
    let answer = ("submissions/accepted/best/1.out", answer.as_str());
    let package = with_cases(&[("problem.yaml", yaml), answer], &["secret/1"]);
    assert!(package.findings.iter().all(|finding| finding.rule != "code-limit"));
    let best = package.submissions.iter().find(|one| one.path == "accepted/best").unwrap();
    let (judgement, _) = run(&Judging::new(&package, best, JudgeOptions::new(LIMIT)), &[("secret/1", "AC")]);
    assert_eq!(told(&judgement), "AC");
}

#[test]
fn a_partial_run_says_what_is_certain() {
    let groups = [
        ("data/secret/a/test_group.yaml", "max_score: 60\n"),
        ("data/secret/b/test_group.yaml", "max_score: 40\nscore_aggregation: sum\n"),
    ];
    let package = scoring(&groups, &["secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2"], false);
    for (answers, expected) in [
        (vec![], "- 0..100"),
        (vec![("secret/a/1", "AC")], "- 0..100"),
        (vec![("secret/a/1", "WA")], "- 0..40"),
        (vec![("secret/a/1", "AC"), ("secret/a/2", "AC")], "- 60..100"),
        (vec![("secret/a/1", "AC"), ("secret/a/2", "AC"), ("secret/b/2", "WA")], "- 60..80"),
        (
            vec![("secret/a/1", "AC"), ("secret/a/2", "AC"), ("secret/b/1", "AC"), ("secret/b/2", "WA")],
            "WA 80",
        ),
    ] {
        assert_eq!(judge(&package, &answers), expected, "{answers:?}");
    }
}

#[test]
fn the_legacy_tree() {
    let yaml = ("problem.yaml", "name: X\ntype: scoring\n");
    let root = "data/testdata.yaml";
    let cases = ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1"];
    let of = |groups: &[(&'static str, &'static str)], words: [&str; 4]| {
        let files: Vec<(&str, &str)> = [yaml].iter().chain(groups).copied().collect();
        let package = with_cases(&files, &cases);
        let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
        let answers: Vec<(&str, &str)> = cases.iter().copied().zip(words).collect();
        let (judgement, order) = run(&judging, &answers);
        (told(&judgement), order.join(" "))
    };
    let everything = "sample/1 secret/a/1 secret/a/2 secret/b/1";
    // By default, all scores are added, and the first failure ends the run.
    assert_eq!(of(&[], ["AC"; 4]), ("AC 4".into(), everything.into()));
    assert_eq!(of(&[], ["AC", "WA", "AC", "AC"]), ("WA 0".into(), "sample/1 secret/a/1".into()));
    // Keys are inherited separately.
    let onwards = [
        (root, "on_reject: continue\ngrader_flags: ignore_sample\naccept_score: 10\n"),
        ("data/sample/testdata.yaml", "grader_flags: sum\n"),
        ("data/secret/testdata.yaml", "grader_flags: accept_if_any_accepted\n"),
        ("data/secret/a/testdata.yaml", "on_reject: break\ngrader_flags: min\n"),
    ];
    assert_eq!(of(&onwards, ["WA", "AC", "AC", "AC"]), ("AC 20".into(), everything.into()));
    assert_eq!(
        of(&onwards, ["AC", "RTE", "AC", "AC"]),
        ("AC 10".into(), "sample/1 secret/a/1 secret/b/1".into())
    );
    assert_eq!(of(&onwards, ["AC", "RTE", "AC", "TLE"]).0, "RTE 0");
    // The score of a group that is not accepted is ignored in its parent.
    let partial = [
        (root, "on_reject: continue\ngrader_flags: ignore_sample\naccept_score: 10\n"),
        ("data/sample/testdata.yaml", "grader_flags: sum\n"),
        ("data/secret/testdata.yaml", "grader_flags: first_error accept_if_any_accepted\n"),
        ("data/secret/a/testdata.yaml", "grader_flags: sum\n"),
        ("data/secret/b/testdata.yaml", "grader_flags: sum\naccept_score: 20\n"),
    ];
    assert_eq!(of(&partial, ["AC", "AC", "WA", "AC"]).0, "AC 20");
    // A sample that is ignored does not end the run.
    let breaks = [
        (root, "grader_flags: ignore_sample\n"),
        ("data/sample/testdata.yaml", "grader_flags: ''\n"),
        ("data/secret/testdata.yaml", "grader_flags: ''\n"),
    ];
    assert_eq!(of(&breaks, ["WA", "AC", "AC", "AC"]), ("AC 3".into(), everything.into()));
    assert_eq!(of(&breaks, ["WA", "WA", "AC", "AC"]), ("WA 0".into(), "sample/1 secret/a/1".into()));
    // Validators give scores to accepted and rejected cases.
    let custom =
        [(root, "on_reject: continue\ngrader_flags: always_accept\n"), ("output_validators/v.py", "x\n")];
    assert_eq!(of(&custom, ["s:1", "s:2.5", "ws:1", "AC"]).0, "AC 11/2");
    // A judge error of one case is the result of the whole run.
    assert_eq!(of(&custom, ["AC", "JE", "AC", "AC"]).0, "JE 0");
    // A score outside `range` is a judge error.
    assert_eq!(of(&[(root, "range: 0 3\n")], ["AC"; 4]).0, "JE 0");
    // The package contains its own grader.
    let graders = [
        (root, "grading: custom\n"),
        ("graders/g.py", "x\n"),
        ("data/secret/testdata.yaml", "grading: default\n"),
        ("data/sample/testdata.yaml", "grading: default\n"),
    ];
    let (result, order) = of(&graders, ["AC"; 4]);
    assert_eq!((result.as_str(), order.ends_with("grade AC 1;AC 3;")), ("AC 7", true), "{order}");
}

/// Returns the verdict of one pass of an interactive problem.
fn interaction(version: &'static str, pass: Pass) -> &'static str {
    let old = ("problem.yaml", "name: X\nvalidation: custom interactive\n");
    let new: (&str, &str) = ("problem.yaml", Box::leak(format!("{NEW}type: interactive\n").into_boxed_str()));
    let (yaml, validator) =
        if version == "legacy" { (old, "output_validators/v.py") } else { (new, "output_validator/v.py") };
    let package = with_cases(&[yaml, (validator, "x\n")], &["secret/1"]);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    let mut outcomes = Outcomes::new();
    for (id, _) in judging.next(&outcomes) {
        outcomes.insert(id, Outcome::Built(Ok(())));
    }
    outcomes.insert(JobId::Case(0), Outcome::Ran(vec![pass]));
    judging.conclude(&outcomes, LIMIT).verdict.map_or("-", Verdict::as_str)
}

#[test]
fn blame_in_an_interaction() {
    use Party::{Submission as S, Validator as V};
    let pass = |end: End, millis, code, first: Option<Party>| {
        let pass = Pass::new(Some(ran(end, millis)), vec![validated(code, &[])]);
        first.map_or(pass.clone(), |first| pass.first(first))
    };
    for (given, both) in [
        (pass(End::Exited(0), 10, 42, Some(V)), "AC"),
        (pass(End::Exited(0), 10, 43, Some(S)), "WA"),
        (pass(End::Exited(1), 10, 43, Some(V)), "WA"),
        (pass(End::Signalled(13), 10, 43, Some(V)), "WA"),
        (pass(End::Skipped, 10, 43, Some(V)), "WA"),
        (pass(End::Timeout, 1100, 43, Some(V)), "WA"),
        (pass(End::Exited(1), 10, 43, Some(S)), "RTE"),
        (pass(End::Exited(1), 10, 42, Some(S)), "RTE"),
        (pass(End::Timeout, 1100, 42, Some(S)), "TLE"),
        (pass(End::Exited(0), 1100, 42, Some(S)), "TLE"),
        (pass(End::OutputLimit, 10, 42, Some(S)), "OLE"),
        (pass(End::Exited(0), 10, 1, Some(V)), "JE"),
        (pass(End::Exited(1), 10, 0, Some(S)), "JE"),
    ] {
        for version in ["legacy", "2025-09"] {
            assert_eq!(interaction(version, given.clone()), both, "{version} {given:?}");
        }
    }
    let mut deadlock = pass(End::Timeout, 10, 42, None);
    deadlock.deadlock = true;
    assert_eq!([interaction("legacy", deadlock.clone()), interaction("2025-09", deadlock)], ["TLE", "JE"]);
}

#[test]
fn passes() {
    let yaml: &'static str = Box::leak(format!("{NEW}type: multi-pass\n").into_boxed_str());
    let package = with_cases(&[("problem.yaml", yaml), ("output_validator/v.py", "x\n")], &["secret/1"]);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    let mut built = Outcomes::new();
    for (id, _) in judging.next(&built) {
        built.insert(id, Outcome::Built(Ok(())));
    }
    let (_, job) = judging.next(&built).remove(0);
    assert!(matches!(job, Job::Run(job) if job.passes == 2));
    let next = || validated(42, &[("nextpass.in", "2\n")]);
    let pass = |millis, validator| Pass::new(Some(ran(End::Exited(0), millis)), vec![validator]);
    for (given, verdict, millis) in [
        (vec![pass(10, validated(42, &[]))], "AC", 10),
        (vec![pass(300, next()), pass(20, validated(42, &[]))], "AC", 300),
        (vec![pass(10, next()), pass(20, validated(43, &[]))], "WA", 20),
        (vec![pass(10, next()), pass(20, next())], "JE", 20),
        (vec![pass(10, validated(43, &[("nextpass.in", "2\n")]))], "JE", 10),
        (vec![pass(10, next()), pass(1500, validated(42, &[]))], "TLE", 1500),
    ] {
        let mut outcomes = built.clone();
        outcomes.insert(JobId::Case(0), Outcome::Ran(given));
        let judgement = judging.conclude(&outcomes, LIMIT);
        assert_eq!(judgement.verdict.map_or("-", Verdict::as_str), verdict);
        assert_eq!(judgement.time, Duration::from_millis(millis));
    }
}

#[test]
fn what_cannot_be_built() {
    use fablegrade_kattis::job::BuildFailure::{Compile, Unsupported};
    let package = with_cases(&[("problem.yaml", NEW), ("output_validator/v.py", "x\n")], &["secret/1"]);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    for (program, failure, verdict) in [
        (0, Compile("no".into()), Verdict::CompileError),
        (0, Unsupported("no".into()), Verdict::JudgeError),
        (1, Compile("no".into()), Verdict::JudgeError),
    ] {
        let outcomes = Outcomes::from([(JobId::Build(program), Outcome::Built(Err(failure)))]);
        assert_eq!(judging.conclude(&outcomes, LIMIT).verdict, Some(verdict));
        assert!(judging.next(&outcomes).is_empty());
    }
}

fn measured(
    package: &Package,
    times: &[(&str, u64, End)],
) -> (fablegrade_kattis::limit::TimeLimit, Vec<String>) {
    let judged: Vec<(&Submission, Judging<'_>, Outcomes)> = times
        .iter()
        .map(|(path, millis, end)| {
            let submission = package.submissions.iter().find(|one| one.path == *path).unwrap();
            let judging = Judging::new(package, submission, JudgeOptions::new(Duration::from_secs(60)));
            let mut outcomes = Outcomes::from([(JobId::Build(0), Outcome::Built(Ok(())))]);
            let validators = if *end == End::Exited(0) { vec![validated(42, &[])] } else { vec![] };
            let pass = Pass::new(Some(ran(end.clone(), *millis)), validators);
            outcomes.insert(JobId::Case(0), Outcome::Ran(vec![pass]));
            (submission, judging, outcomes)
        })
        .collect();
    let late: Vec<Judgement> = judged
        .iter()
        .map(|(_, judging, outcomes)| judging.conclude(outcomes, Duration::from_secs(60)))
        .collect();
    let all: Vec<Measured<'_>> = judged
        .iter()
        .zip(&late)
        .map(|((submission, ..), judgement)| Measured { submission, judgement })
        .collect();
    let limit = time_limit(package, &all);
    let unmet = judged.iter().flat_map(|(submission, judging, outcomes)| {
        let at_limit = judging.conclude(outcomes, limit.limit);
        let at_safety = judging.conclude(outcomes, limit.safety);
        verify::check(package, submission, &at_limit, &at_safety, &limit).unmet
    });
    let unmet = unmet.collect();
    (limit, unmet)
}

#[test]
fn time_limits_of_both_versions() {
    let ok = End::Exited(0);
    let slow = ("submissions/time_limit_exceeded/s.py", "x\n");
    let legacy = with_cases(&[("problem.yaml", "name: X\n"), slow], &["secret/1"]);
    for (millis, seconds) in [(0, 1), (100, 1), (200, 1), (201, 2), (1000, 5), (1001, 6)] {
        let (limit, _) = measured(&legacy, &[("accepted/a.py", millis, ok.clone())]);
        assert_eq!(
            (limit.limit, limit.safety),
            (Duration::from_secs(seconds), Duration::from_secs(2 * seconds)),
            "{millis}"
        );
    }
    let new = |limits: &str| {
        let yaml: &'static str = Box::leak(format!("{NEW}limits: {limits}\n").into_boxed_str());
        with_cases(&[("problem.yaml", yaml), slow], &["secret/1"])
    };
    for (limits, accepted, too_slow, expected, errors) in [
        ("{}", 100, 9000, 1000, 0),
        ("{}", 501, 9000, 2000, 0),
        ("{time_resolution: 0.1}", 120, 9000, 300, 0),
        ("{time_multipliers: {ac_to_time_limit: 3}}", 400, 9000, 2000, 0),
        // The upper bound is violated: 1 s * 1.5 is more than 1.4 s.
        ("{}", 100, 1400, 1000, 1),
        ("{}", 100, 1500, 1000, 0),
        ("{time_limit: 1.25}", 100, 9000, 1250, 0),
        ("{time_limit: 1.25}", 626, 9000, 1250, 1),
        ("{time_limit: 5}", 100, 7000, 5000, 1),
    ] {
        let package = new(limits);
        let times =
            [("accepted/a.py", accepted, ok.clone()), ("time_limit_exceeded/s.py", too_slow, ok.clone())];
        let (limit, _) = measured(&package, &times);
        assert_eq!(limit.limit, Duration::from_millis(expected), "{limits} {accepted}");
        assert_eq!(limit.errors.len(), errors, "{limits}: {:?}", limit.errors);
    }
}

#[test]
fn expectations_of_both_versions() {
    let ok = End::Exited(0);
    let fast = ("accepted/a.py", 10, ok.clone());
    for (yaml, folder, end, millis, met) in [
        ("name: X\n", "wrong_answer", End::Exited(0), 10, false),
        ("name: X\n", "run_time_error", End::Exited(1), 10, true),
        ("name: X\n", "run_time_error", End::Exited(0), 10, false),
        ("name: X\n", "time_limit_exceeded", End::Exited(0), 1500, true),
        ("name: X\n", "time_limit_exceeded", End::Exited(0), 900, false),
        ("name: X\n", "time_limit_exceeded", End::Exited(1), 10, false),
        (NEW, "rejected", End::Exited(1), 10, true),
        (NEW, "rejected", End::Exited(0), 10, false),
        (NEW, "run_time_error", End::MemoryExceeded, 10, true),
        (NEW, "brute_force", End::Exited(0), 10, false),
        (NEW, "brute_force", End::Signalled(11), 10, true),
        (NEW, "time_limit_exceeded", End::Exited(0), 5000, true),
    ] {
        let path = format!("submissions/{folder}/s.py");
        let package = with_cases(&[("problem.yaml", yaml), (&path, "x\n")], &["secret/1"]);
        let name = format!("{folder}/s.py");
        let (_, unmet) = measured(&package, &[fast.clone(), (&name, millis, end.clone())]);
        assert_eq!(unmet.is_empty(), met, "{folder} {end:?} {millis}: {unmet:?}");
    }
}

#[test]
fn outcomes_as_json() {
    let package = with_cases(&[("problem.yaml", NEW)], &["secret/1", "secret/2"]);
    let judging = Judging::new(&package, &package.submissions[0], JudgeOptions::new(LIMIT));
    let told = |text: &str| {
        fablegrade_kattis::line::conclude(&judging, text.as_bytes(), LIMIT)
            .map(|judgement| judgement.verdict.map_or("-", Verdict::as_str))
            .map_err(|error| (error.rule(), error.pointer().to_owned()))
    };
    assert_eq!(told("{}"), Ok("-"));
    assert_eq!(told(r#"{"compileError": "no"}"#), Ok("CE"));
    let both =
        |second: &str| format!(r#"{{"cases": {{"secret/1": [{{"output": "1"}}], "secret/2": [{second}]}}}}"#);
    assert_eq!(told(&both(r#"{"output": " 1 \n", "timeMs": 1000}"#)), Ok("AC"));
    assert_eq!(told(&both(r#"{"output": "1", "timeMs": 1001}"#)), Ok("TLE"));
    assert_eq!(told(&both(r#"{"output": "2"}"#)), Ok("WA"));
    assert_eq!(told(&both(r#"{"end": "signalled", "signal": 11}"#)), Ok("RTE"));
    assert_eq!(told(r#"{"cases": {"secret/9": [{}]}}"#), Err(("unknown-name", "/cases/secret~19".into())));
    assert_eq!(
        told(r#"{"cases": {"secret/1": [{"colour": 1}]}}"#).unwrap_err().1,
        "/cases/secret~11/0/colour"
    );
}
