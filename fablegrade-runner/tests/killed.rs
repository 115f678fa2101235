//! A runner that is killed in the middle of its work: its programs end with it, and the next one clears up.
#![cfg(all(target_os = "linux", feature = "sandbox-tests"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod stage;

use fablegrade_core::view::code::Language;
use fablegrade_runner::RunnerOptions;
use fablegrade_runner::sandbox::MemoryLevel;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const VICTIM: &str = "FABLEGRADE_TEST_VICTIM";

/// Fields of `/proc/PID/stat` after the name, from the state on.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// When a living process was started.
fn started(pid: u32) -> Option<String> {
    stat(pid).filter(|fields| fields[0] != "Z").map(|fields| fields[19].clone())
}

fn below(pid: u32) -> Vec<u32> {
    let all: Vec<(u32, u32)> = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter_map(|one| Some((one, stat(one)?[1].parse().ok()?)))
        .collect();
    let mut found = vec![pid];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(all.iter().filter(|(_, of)| *of == parent).map(|(one, _)| *one));
        at += 1;
    }
    found.remove(0);
    found
}

/// Looks again and again; a minute is far beyond any load.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::yield_now();
    }
}

/// Folders of this process's making: control groups and temporary ones.
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

/// Runs programs that sleep until it is killed.
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
        .args(["--exact", "a_killed_runner_leaves_nothing_for_long", "--nocapture"])
        .env(VICTIM, cache)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.contains("STARTED")), "the first case ends");
    child
}

#[test]
fn a_killed_runner_leaves_nothing_for_long() {
    if let Ok(cache) = std::env::var(VICTIM) {
        be_the_victim(&cache);
    }
    let cache = std::env::temp_dir().join(format!("fablegrade-test-victim-{}", std::process::id()));
    let mut child = victim(&cache);
    let id = child.id();
    until("a program sleeps", || {
        below(id).iter().any(|pid| {
            fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with("python"))
        })
    });
    let start = started(id).unwrap();
    let programs: Vec<(u32, Option<String>)> = below(id).into_iter().map(|pid| (pid, started(pid))).collect();
    let aside = std::env::temp_dir().join(format!(
        "fablegrade-compile-{}-{id}-{start}-0",
        fs::metadata("/proc/self/ns/pid").unwrap().ino()
    ));
    fs::create_dir_all(aside.join("sources")).unwrap();

    // Another runner starts and works while this one lives: nothing of it is touched.
    let before = made_by(id);
    let runner = stage::runner();
    let counted = runner.sandbox().unwrap().memory_level() != MemoryLevel::Approximate;
    assert!(!counted || before.len() > 1, "groups of the living one: {before:?}");
    assert!(before.iter().all(|folder| folder.exists()) && before.contains(&aside));
    assert!(programs.iter().any(|(pid, start)| start.is_some() && started(*pid) == *start));

    child.kill().unwrap();
    child.wait().unwrap();
    until("its programs end with it", || {
        programs.iter().all(|(pid, start)| start.is_none() || started(*pid) != *start)
    });
    assert!(made_by(id).contains(&aside), "a killed runner cannot clear up itself");

    let next = stage::runner();
    assert_eq!(made_by(id), Vec::<PathBuf>::new(), "the next one does");
    let done = stage::one(&next, Language::Python, "print('next')", None, stage::case(""));
    assert_eq!(done.stdout, b"next\n");
    fs::remove_dir_all(cache).unwrap();
}
