//! Hundreds of runs that end in various ways leave nothing behind, and neither do runs whose processes are
//! killed at random. `FABLEGRADE_SOAK` sets the number of runs. These tests are a separate program, so other
//! tests do not change the counts.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod stage;

use fablegrade_core::view::code::Language;
use fablegrade_core::{End, ExecutionPlan};
use fablegrade_runner::{Cancel, Runner};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Allows one test at a time, because the second test kills descendants of this process.
static ALONE: Mutex<()> = Mutex::new(());

/// Counts resources that could accumulate: descriptors, mounts, control groups, temporary files, processes.
fn piles() -> [usize; 5] {
    let lines = |path: &str| fs::read_to_string(path).unwrap().lines().count();
    // The names of folders and groups contain the id of their process.
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

fn rounds() -> usize {
    std::env::var("FABLEGRADE_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

const WORDS: [&str; 10] = ["", "fork", "orphan", "write", "kill", "temporary", "crash", "", "memory", "spin"];

fn plan(count: usize) -> ExecutionPlan {
    let case = |at: usize| {
        let mut case = stage::case(&format!("{}\n", WORDS[at % WORDS.len()]));
        (case.case_index, case.time_ms) = (at as u32, 30);
        case
    };
    stage::plan(Language::C, include_str!("soak.c"), None, (0..count).map(case).collect())
}

fn is_right(word: &str, end: &End) -> bool {
    match word {
        "write" => *end == End::OutputLimit,
        "kill" => *end == End::Signalled(9),
        "crash" => *end == End::Signalled(6),
        // The time limit can be reached before the memory limit.
        "memory" => matches!(end, End::MemoryExceeded | End::Timeout),
        "spin" => *end == End::Timeout,
        _ => *end == End::Exited(0),
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn many_runs_leave_nothing_behind() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let runner = stage::runner();
    runner.run(&plan(20), |_| ());
    let before = piles();
    for round in 0..rounds().div_ceil(100) {
        for (outcome, word) in runner.run(&plan(100), |_| ()).into_iter().zip(WORDS.iter().cycle()) {
            assert!(is_right(word, &outcome.end), "round {round}, {word}: {outcome:?}");
        }
    }
    assert_eq!(piles(), before, "descriptors, mounts, control groups, temporary files, children");
}

/// Returns the memory of this process in KiB.
fn resident_kib() -> i64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Pseudo-random numbers, which are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// Kills a random descendant of this process in about one of ten runs, until `over` is set. Returns the
/// number of kills.
fn kill_at_random(runner: &Runner, over: &AtomicBool) -> usize {
    let mut shell = Command::new("sh")
        .args(["-c", "while read pid; do kill -9 $pid 2>/dev/null; done"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut orders = shell.stdin.take().unwrap();
    let (mut dice, mut kills) = (Dice(0x2545_f491_4f6c_dd1d), 0);
    let mut next = 0;
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_micros(500 + dice.below(3000) as u64));
        let runs = runner.counters().runs;
        if runs < next {
            continue;
        }
        next = runs + dice.below(20) as u64;
        let mut found = stage::descendants(std::process::id());
        found.retain(|pid| *pid != shell.id());
        if !found.is_empty() {
            writeln!(orders, "{}", found[dice.below(found.len())]).unwrap();
            kills += 1;
        }
    }
    drop(orders);
    shell.wait().unwrap();
    kills
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn runs_that_are_killed_at_random_leave_nothing_behind_and_cost_no_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let runner = stage::runner();
    runner.run(&plan(20), |_| ());
    let before = piles();
    let rounds = rounds().div_ceil(50);
    let over = AtomicBool::new(false);
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut ended, mut skipped, mut wrong, mut kib) = (0, 0, 0, Vec::new());
    let kills = std::thread::scope(|scope| {
        let killer = scope.spawn(|| kill_at_random(&runner, &over));
        for round in 0..rounds {
            let (cancel, seen) = (Cancel::new(), dice.below(150));
            let mut left = seen;
            let outcomes = runner.run_until(&plan(50), &cancel, |_| {
                left = left.saturating_sub(1);
                // Some runs are cancelled in the middle.
                if left == 0 && seen < 50 {
                    cancel.cancel();
                }
            });
            for (outcome, word) in outcomes.iter().zip(WORDS.iter().cycle()) {
                match &outcome.end {
                    End::Skipped => skipped += 1,
                    end => (ended, wrong) = (ended + 1, wrong + usize::from(!is_right(word, end))),
                }
            }
            kib.push(resident_kib());
            if round % 20 == 19 {
                println!("{ended} runs, {skipped} given up, {wrong} ended by kills; {} KiB", kib[round]);
            }
        }
        over.store(true, Ordering::Relaxed);
        killer.join().unwrap()
    });
    println!(
        "{ended} runs, {skipped} given up, {kills} kills, {wrong} ended by them; memory {} KiB, then {} KiB",
        kib[kib.len() / 4],
        kib[kib.len() - 1]
    );
    assert!(ended > 0 && kills > 0, "{kills} kills");
    assert!(wrong <= 3 * kills, "{wrong} runs were ended by {kills} kills");
    let grown = kib[kib.len() - 1] - kib[kib.len() / 4];
    assert!(grown < 4096, "the memory of the runner grows: {kib:?}");
    // The killed processes have no effect on later runs.
    for (outcome, word) in runner.run(&plan(20), |_| ()).into_iter().zip(WORDS.iter().cycle()) {
        assert!(is_right(word, &outcome.end), "{word}: {outcome:?}");
    }
    assert_eq!(piles(), before, "descriptors, mounts, control groups, temporary files, children");
    assert_eq!(stage::sandboxed_processes(), [""; 0]);
}
