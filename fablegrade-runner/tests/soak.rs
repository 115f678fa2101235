//! Hundreds of runs (as many as `FABLEGRADE_SOAK` says) that end in every way leave nothing behind. In a process of its
//! own, so that nothing else moves the figures.
#![cfg(all(target_os = "linux", feature = "sandbox-tests"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::End;
use fablegrade_core::view::code::Language;
use std::fs;
use std::path::PathBuf;

/// What could pile up: descriptors, mounts, control groups, temporary files, processes.
fn piles() -> [usize; 5] {
    let lines = |path: &str| fs::read_to_string(path).unwrap().lines().count();
    // Folders and groups bear the number of their process.
    let own = format!("-{}-", std::process::id());
    let mut groups = 0;
    let mut folders = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name().to_string_lossy().into_owned();
                groups += usize::from(name.starts_with("fablegrade-") && name.contains(&own));
                folders.push(entry.path());
            }
        }
    }
    let temporary = fs::read_dir(std::env::temp_dir()).unwrap().flatten().filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        name.starts_with("fablegrade-")
            && name.contains(&own)
            && !name.contains("-test-")
            && !name.contains("-bwrap-")
    });
    let temporary = temporary.count();
    let children = fs::read_dir("/proc/self/task").unwrap().flatten().map(|task| {
        let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        list.split_whitespace().count()
    });
    [
        fs::read_dir("/proc/self/fd").unwrap().count(),
        lines("/proc/self/mountinfo"),
        groups,
        temporary,
        children.sum(),
    ]
}

#[test]
fn many_runs_leave_nothing_behind() {
    let rounds: usize =
        std::env::var("FABLEGRADE_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let runner = stage::runner();
    let source = include_str!("soak.c");
    let words = ["", "fork", "orphan", "write", "kill", "temporary", "crash", "", "memory", "spin"];
    let cases = |count: usize| {
        let case = |at: usize| {
            let mut case = stage::case(&format!("{}\n", words[at % words.len()]));
            (case.case_index, case.time_ms) = (at as u32, 30);
            case
        };
        (0..count).map(case).collect::<Vec<_>>()
    };
    let plan = |count| stage::plan(Language::C, source, None, cases(count));
    runner.run(&plan(20), |_| ());
    let before = piles();
    for round in 0..rounds.div_ceil(100) {
        for (outcome, word) in runner.run(&plan(100), |_| ()).into_iter().zip(words.iter().cycle()) {
            let right = match *word {
                "write" => outcome.end == End::OutputLimit,
                "kill" => outcome.end == End::Signalled(9),
                "crash" => outcome.end == End::Signalled(6),
                // The time may be over before the memory is.
                "memory" => matches!(outcome.end, End::MemoryExceeded | End::Timeout),
                "spin" => outcome.end == End::Timeout,
                _ => outcome.end == End::Exited(0),
            };
            assert!(right, "round {round}, {word}: {outcome:?}");
        }
    }
    assert_eq!(piles(), before, "descriptors, mounts, control groups, temporary files, children");
}
