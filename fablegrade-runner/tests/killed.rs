//! A runner that is killed in the middle of its work: its programs end with it, and the next runner cleans
//! up.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod stage;

use fablegrade_core::view::code::Language;
use fablegrade_runner::sandbox::MemoryLevel;
use fablegrade_runner::{Cancel, RunnerOptions};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const VICTIM: &str = "FABLEGRADE_TEST_VICTIM";

/// Polls for up to a minute, which suffices under any load.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::yield_now();
    }
}

/// Returns the folders that a process made: control groups and temporary folders.
fn made_by(pid: u32) -> Vec<PathBuf> {
    let own = format!("-{pid}-");
    let mut found = Vec::new();
    let mut places = vec![PathBuf::from("/sys/fs/cgroup"), std::env::temp_dir()];
    while let Some(place) = places.pop() {
        for entry in fs::read_dir(&place).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            if name.starts_with("fablegrade-") && name.contains(&own) {
                found.push(entry.path());
            } else if place.starts_with("/sys") {
                places.push(entry.path());
            }
        }
    }
    found
}

/// Runs programs that sleep, until this process is killed.
fn be_the_victim(cache: &str) -> ! {
    let mut options = RunnerOptions::default();
    options.cache = Some(PathBuf::from(cache));
    options.sandbox.approximate_memory = std::env::var_os("FABLEGRADE_TEST_APPROXIMATE").is_some();
    let runner = fablegrade_runner::Runner::with_options(&options);
    assert_eq!(runner.trouble(), None);
    let mut sleeps = stage::case("sleep");
    sleeps.time_ms = 600_000;
    let source = "import time\nif input() == 'sleep': time.sleep(600)\nelse: print('fast')";
    let cases = vec![stage::case("fast"), sleeps.clone(), sleeps];
    runner.run(&stage::plan(Language::Python, source, None, cases), |_| {
        println!("STARTED");
    });
    panic!("nobody killed this process");
}

fn victim(cache: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_killed_runner_leaves_nothing_for_long", "--ignored", "--nocapture"])
        .env(VICTIM, cache)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.contains("STARTED")), "the first case ends");
    child
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_killed_runner_leaves_nothing_for_long() {
    if let Ok(cache) = std::env::var(VICTIM) {
        be_the_victim(&cache);
    }
    let cache = std::env::temp_dir().join(format!("fablegrade-test-victim-{}", std::process::id()));
    let mut child = victim(&cache);
    let id = child.id();
    until("a program sleeps", || {
        stage::descendants(id).iter().any(|pid| {
            fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with("python"))
        })
    });
    let start = stage::started(id).unwrap();
    let programs: Vec<(u32, Option<String>)> =
        stage::descendants(id).into_iter().map(|pid| (pid, stage::started(pid))).collect();
    let aside = std::env::temp_dir().join(format!(
        "fablegrade-compile-{}-{id}-{start}-0",
        fs::metadata("/proc/self/ns/pid").unwrap().ino()
    ));
    fs::create_dir_all(aside.join("sources")).unwrap();

    // Another runner starts and works while the first one is alive; it must not touch the first one's files.
    let before = made_by(id);
    let runner = stage::runner();
    let counted = runner.sandbox().unwrap().memory_level() != MemoryLevel::Approximate;
    assert!(!counted || before.len() > 1, "groups of the living one: {before:?}");
    assert!(before.iter().all(|folder| folder.exists()) && before.contains(&aside));
    assert!(programs.iter().any(|(pid, start)| start.is_some() && stage::started(*pid) == *start));

    child.kill().unwrap();
    child.wait().unwrap();
    until("its programs end with it", || {
        programs.iter().all(|(pid, start)| start.is_none() || stage::started(*pid) != *start)
    });
    assert!(made_by(id).contains(&aside), "a killed runner cannot clear up itself");

    let next = stage::runner();
    assert_eq!(made_by(id), Vec::<PathBuf>::new(), "the next one does");
    let done = stage::one(&next, Language::Python, "print('next')", None, stage::case(""));
    assert_eq!(done.stdout, b"next\n");
    fs::remove_dir_all(cache).unwrap();
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_is_given_up_or_killed_before_its_sandbox_is_ready_leaves_nothing() {
    let runner = stage::runner();
    let sleeps = stage::plan(Language::Python, "import time; time.sleep(60)", None, vec![stage::case("")]);
    runner.run(&stage::plan(Language::Python, "", None, vec![stage::case("")]), |_| ());
    for at in 0..60u64 {
        let cancel = Cancel::new();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| runner.run_until(&sleeps, &cancel, |_| ()));
            let begun = Instant::now();
            until("bubblewrap is there", || !stage::descendants(std::process::id()).is_empty());
            while begun.elapsed() < Duration::from_micros(at * 100) {
                std::thread::yield_now();
            }
            cancel.cancel();
            running.join().unwrap();
        });
    }
    until("nothing is left", || stage::sandboxed_processes().is_empty());
}
