//! Small packages, and outcomes that are written as words, for tests that depend only on
//! outcomes.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::job::{Feedback, Job, JobId, Outcome, Outcomes, Pass, Ran, Source, Validated};
use fablegrade_kattis::judge::{JudgeOptions, Judgement, Judging};
use fablegrade_kattis::{Package, Verdict};
use fablegrade_public::End;

pub(crate) const LIMIT: Duration = Duration::from_secs(1);

pub(crate) fn package(files: &[(&str, &str)]) -> Package {
    let base = [("input_validators/v.py", "x\n"), ("submissions/accepted/a.py", "x\n")];
    let base = base.iter().filter(|(path, _)| files.iter().all(|(known, _)| known != path));
    let entries = base.chain(files).map(|(path, text)| {
        ((*path).to_owned(), Entry::File(File { bytes: text.as_bytes().to_vec(), executable: None }))
    });
    Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), "x").unwrap()
}

/// Returns a package with these cases below `data/`.
pub(crate) fn with_cases<'a>(files: &[(&'a str, &'a str)], cases: &[&str]) -> Package {
    let paths: Vec<(String, String)> =
        cases.iter().map(|case| (format!("data/{case}.in"), format!("data/{case}.ans"))).collect();
    let mut all: Vec<(&str, &str)> = files.to_vec();
    for (at, (input, answer)) in paths.iter().enumerate() {
        all.push((input, ["1\n", "2\n", "3\n", "4\n", "5\n", "6\n", "7\n", "8\n"][at % 8]));
        all.push((answer, "1\n"));
    }
    package(&all)
}

pub(crate) const NEW: &str =
    "problem_format_version: 2025-09\nname: X\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\n";

pub(crate) fn ran(end: End, millis: u64) -> Ran {
    Ran::new(end).with_cpu(Duration::from_millis(millis))
}

pub(crate) fn validated(code: i32, files: &[(&str, &str)]) -> Validated {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    Validated::new(Ran::new(End::Exited(code)), Feedback::new(files))
}

/// Returns the outcome for `AC`, `WA`, `TLE`, `RTE`, `JE`; for `s:TEXT` (accepted) and `ws:TEXT` (rejected), with that
/// `score.txt`; or for `m:TEXT` (accepted), with that `score_multiplier.txt`.
pub(crate) fn outcome(word: &str) -> Outcome {
    let accepted =
        |files: &[(&str, &str)]| vec![Pass::new(Some(ran(End::Exited(0), 10)), vec![validated(42, files)])];
    Outcome::Ran(match word {
        "AC" => accepted(&[]),
        "WA" => vec![Pass::new(Some(ran(End::Exited(0), 10)), vec![validated(43, &[])])],
        "TLE" => vec![Pass::new(Some(ran(End::Timeout, 1100)), vec![])],
        "RTE" => vec![Pass::new(Some(ran(End::Exited(1), 10)), vec![])],
        "JE" => vec![Pass::new(Some(ran(End::Exited(0), 10)), vec![validated(0, &[])])],
        other => match other.split_once(':') {
            Some(("s", text)) => accepted(&[("score.txt", text)]),
            Some(("m", text)) => accepted(&[("score_multiplier.txt", text)]),
            Some(("ws", text)) => {
                let validators = vec![validated(43, &[("score.txt", text)])];
                vec![Pass::new(Some(ran(End::Exited(0), 10)), validators)]
            }
            _ => panic!("{other}"),
        },
    })
}

/// Answers jobs with the words in `answers`, by case name, until no other job can be answered. Also returns the cases
/// and the inputs of graders, in order.
pub(crate) fn run(judging: &Judging<'_>, answers: &[(&str, &str)]) -> (Judgement, Vec<String>) {
    let package = judging.package();
    let mut outcomes = Outcomes::new();
    let mut order = Vec::new();
    loop {
        let next = judging.next(&outcomes);
        let answered = next.into_iter().find_map(|(id, job)| {
            let outcome = match (&id, &job) {
                (JobId::Build(_), _) => Some(Outcome::Built(Ok(()))),
                (JobId::Case(at), _) => {
                    let name = &package.cases[*at].name;
                    let word = answers.iter().find(|(known, _)| known == name).map(|(_, word)| *word);
                    order.extend(word.map(|_| name.clone()));
                    word.map(outcome)
                }
                (JobId::Static(at), _) => {
                    let name = format!("static {}", package.groups[*at].path);
                    let word = answers.iter().find(|(known, _)| *known == name).map(|(_, word)| *word)?;
                    let Outcome::Ran(passes) = outcome(word) else { return None };
                    Some(Outcome::Validated(passes[0].validators[0].clone()))
                }
                (JobId::Grade(_), Job::Grade(job)) => {
                    order.push(format!("grade {}", job.stdin.replace('\n', ";")));
                    Some(Outcome::Graded(Ran::new(End::Exited(0)), b"AC 7\n".to_vec()))
                }
                _ => None,
            };
            Some((id, outcome?))
        });
        let Some((id, outcome)) = answered else { break };
        outcomes.insert(id, outcome);
    }
    (judging.conclude(&outcomes, LIMIT), order)
}

pub(crate) fn judge(package: &Package, answers: &[(&str, &str)]) -> String {
    let (judgement, _) =
        run(&Judging::new(package, &package.submissions[0], JudgeOptions::new(LIMIT)), answers);
    told(&judgement)
}

pub(crate) fn told(judgement: &Judgement) -> String {
    let verdict = judgement.verdict.map_or("-", Verdict::as_str);
    match (&judgement.score, &judgement.bounds) {
        (Some(score), _) => format!("{verdict} {score}"),
        (None, Some((least, most))) => {
            let most = most.as_ref().map_or_else(|| "inf".to_owned(), ToString::to_string);
            format!("{verdict} {least}..{most}")
        }
        (None, None) => verdict.to_owned(),
    }
}
