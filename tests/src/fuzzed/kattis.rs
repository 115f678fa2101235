//! Fuzzes contest problem packages: reads a package, plans its runs, generates their outcomes, and concludes.

use fablegrade_core::outcome::End;
use fablegrade_judgehost::{Entry, File, FileLimits, Files};
use fablegrade_kattis::job::{Feedback, Job, JobId, Outcome, Outcomes, Pass, Ran, Source, Validated};
use fablegrade_kattis::judge::{JudgeOptions, Judging};
use fablegrade_kattis::validation::ValidatorChecks;
use fablegrade_kattis::{Package, Verdict, Version};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(1);

/// The input is a list of files, each after a line `--- PATH`. A package is refused with findings, or read, planned and
/// concluded. Without a judge error, the score of a run lies within the bounds that were given while it was incomplete.
/// In version 2025-09 it is at most the greatest score of the package.
pub fn kattis(data: &[u8]) {
    let mut entries: Vec<(String, Entry)> = Vec::new();
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        if let Some(path) = line.strip_prefix(b"--- ") {
            let path = String::from_utf8_lossy(path).trim().to_owned();
            entries.push((path, Entry::File(File { bytes: Vec::new(), executable: None })));
        } else if let Some((_, Entry::File(file))) = entries.last_mut() {
            file.bytes.extend_from_slice(line);
        }
    }
    let mut limits = FileLimits::default();
    (limits.bytes, limits.entries) = (1 << 16, 200);
    let Ok(files) = Files::from_entries(entries, limits) else { return };
    let package = match Package::read(files, "fuzzed") {
        Err(error) => {
            assert!(!error.findings().is_empty());
            return;
        }
        Ok(package) => package,
    };
    for finding in &package.findings {
        assert!(!finding.message.is_empty() && !finding.help.is_empty(), "{finding:?}");
    }
    let seed =
        data.iter().fold(data.len(), |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(*byte)));
    let checks = ValidatorChecks::new(&package);
    let outcomes = answered(&checks, seed, |_| ());
    checks.conclude(&outcomes);
    for submission in package.submissions.iter().take(3) {
        let judging = Judging::new(&package, submission, JudgeOptions::new(LIMIT));
        let mut told = Vec::new();
        let outcomes = answered(&judging, seed, |outcomes| {
            let partial = judging.conclude(outcomes, LIMIT);
            told.extend(partial.bounds);
        });
        let judgement = judging.conclude(&outcomes, LIMIT);
        // A judge error ends a run with score 0, which can be below the bounds.
        let Some(score) = judgement.score.filter(|_| judgement.verdict != Some(Verdict::JudgeError)) else {
            continue;
        };
        for (least, most) in told {
            assert!(
                least <= score && most.as_ref().is_none_or(|most| score <= *most),
                "{least} {score} {most:?}"
            );
        }
        if package.problem.version == Version::V2025_09
            && let Some(max) = package.max_score()
        {
            assert!(score <= max, "{score} of {max}");
        }
    }
}

/// Generates outcomes until no job remains, at most 60. Calls `look` with all outcomes so far after each.
fn answered(source: &impl Source, seed: usize, mut look: impl FnMut(&Outcomes)) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for step in 0..60 {
        let Some((id, job)) = source.next(&outcomes).into_iter().next() else { break };
        let chance = seed.wrapping_add(step).wrapping_mul(2_654_435_761) >> 7;
        let outcome = outcome(&id, &job, chance);
        outcomes.insert(id, outcome);
        look(&outcomes);
    }
    outcomes
}

fn outcome(id: &JobId, job: &Job<'_>, chance: usize) -> Outcome {
    const FILES: [(&str, &[u8]); 6] = [
        ("score.txt", b"1"),
        ("score.txt", b"-1"),
        ("score_multiplier.txt", b"0.5"),
        ("score_multiplier.txt", b"7"),
        ("score.txt", b"nan"),
        ("judgemessage.txt", b"\xff"),
    ];
    let code = [42, 42, 42, 43, 0][chance % 5];
    let files = FILES.get(chance / 5 % 12).map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
    let validated = Validated::new(Ran::new(End::Exited(code)), Feedback::new(files));
    match (id, job) {
        (JobId::Build(_), _) => Outcome::Built(Ok(())),
        (JobId::Grade(_), _) => Outcome::Graded(
            Ran::new(End::Exited(0)),
            [&b"AC 7\n"[..], b"WA 0", b"AC 1e9999", b""][chance % 4].to_vec(),
        ),
        (JobId::Static(_), _) | (_, Job::ValidateInput(_)) => Outcome::Validated(validated),
        _ => {
            let end = [End::Exited(0), End::Exited(0), End::Exited(0), End::Timeout, End::Signalled(11)];
            let ran = Ran::new(end[chance / 60 % 5].clone()).with_cpu(LIMIT / 2);
            Outcome::Ran(vec![Pass::new(Some(ran), vec![validated])])
        }
    }
}
