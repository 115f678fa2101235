//! Shared parts of the integration tests: a runner with a temporary cache, and plans of one case.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use fablegrade_core::view::code::{Harness, HarnessMode, Language, Limits, Visibility};
use fablegrade_core::{CaseOutcome, ExecutionPlan, PlannedCase, Secret};
use fablegrade_runner::{Runner, RunnerOptions};
use std::io::Write as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A runner with its own cache folder.
pub(crate) struct Staged {
    runner: Runner,
    cache: PathBuf,
}

impl Deref for Staged {
    type Target = Runner;

    fn deref(&self) -> &Runner {
        &self.runner
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.cache);
    }
}

pub(crate) fn staged(mut options: RunnerOptions) -> Staged {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let cache = std::env::temp_dir().join(format!("fablegrade-test-cache-{}-{number}", std::process::id()));
    options.cache = Some(cache.clone());
    if std::env::var_os("FABLEGRADE_TEST_APPROXIMATE").is_some() {
        options.sandbox.approximate_memory = true;
    }
    Staged { runner: Runner::with_options(&options), cache }
}

/// Returns a runner with a sandbox; panics if there is no sandbox.
pub(crate) fn runner() -> Staged {
    let runner = staged(RunnerOptions::default());
    assert_eq!(runner.trouble(), None);
    runner
}

pub(crate) fn case(input: &str) -> PlannedCase {
    PlannedCase {
        suite: "suite".to_owned(),
        case_index: 0,
        visibility: Visibility::Public,
        input: Secret::new(input.to_owned()),
        time_ms: 2000,
    }
}

pub(crate) fn plan(
    language: Language,
    source: &str,
    function: Option<&str>,
    cases: Vec<PlannedCase>,
) -> ExecutionPlan {
    let mode = if function.is_some() { HarnessMode::Function } else { HarnessMode::StdinStdout };
    ExecutionPlan {
        language,
        source: source.to_owned(),
        harness: Harness { mode, function_name: function.map(str::to_owned) },
        limits: Limits { memory_mb: 64, ..Limits::default() },
        cases,
    }
}

pub(crate) fn one(
    runner: &Runner,
    language: Language,
    source: &str,
    function: Option<&str>,
    case: PlannedCase,
) -> CaseOutcome {
    let plan = plan(language, source, function, vec![case]);
    let mut seen = 0;
    let mut outcomes = runner.run(&plan, |_| seen += 1);
    assert_eq!((seen, outcomes.len()), (1, 1));
    outcomes.remove(0)
}

pub(crate) fn call(
    runner: &Runner,
    language: Language,
    source: &str,
    name: &str,
    arguments: &str,
) -> CaseOutcome {
    one(runner, language, source, Some(name), case(arguments))
}

/// Returns the parent of a process, whether it runs in a pid namespace below ours, and its user.
fn parent(pid: u32) -> Option<(u32, bool, u32)> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let words = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    // A zombie has ended, and only waits to be reaped by the process that adopts orphans on this machine.
    if words("State:")?.first()? == "Z" {
        return None;
    }
    let user = words("Uid:")?.first()?.parse().ok()?;
    Some((words("PPid:")?.first()?.parse().ok()?, words("NSpid:")?.len() > 1, user))
}

/// Lets this process adopt the orphans among its descendants. Otherwise the first process of the machine
/// adopts them, and their origin is lost.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
pub(crate) fn take_orphans() {
    // SAFETY: sets a flag of this process; no pointers are passed.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }, 0);
    TAKES_ORPHANS.store(true, Ordering::Relaxed);
}

static TAKES_ORPHANS: AtomicBool = AtomicBool::new(false);

/// Returns whether a process belongs to a sandbox that this process started, or to an orphaned sandbox.
fn is_left(pid: u32) -> bool {
    let own = std::process::id();
    let user = |pid: u32| parent(pid).map_or(0, |(.., user)| user);
    // Processes of other containers have other users.
    let stranger = user(pid) < 1_900_000_000 && (user(pid) == 0 || user(pid) != user(own));
    let mut at = pid;
    while let Some((above, nested, _)) = parent(at) {
        if !nested {
            // The parent is bubblewrap outside the sandbox, or the process that adopts orphans: this process
            // or the first process.
            let orphan = !TAKES_ORPHANS.load(Ordering::Relaxed) && !stranger && (at == 1 || above == 1);
            return at != pid && (at == own || above == own || orphan);
        }
        at = above;
    }
    false
}

/// Returns the processes that a run should have ended. If [`take_orphans`] was called before the first run,
/// only those of this process's sandboxes count; otherwise, orphans of every runner on this machine count
/// too.
pub(crate) fn sandboxed_processes() -> Vec<String> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let left = pids.filter(|pid| is_left(*pid));
    left.map(|pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default()).collect()
}

pub(crate) fn is_root() -> bool {
    parent(std::process::id()).unwrap().2 == 0
}

/// Lets every user of the host read a folder and its contents.
pub(crate) fn open_to_all(folder: &Path) {
    let done = Command::new("chmod").args(["-R", "a+rX"]).arg(folder).status().unwrap();
    assert!(done.success());
}

/// Runs this program's ignored tests again, with these arguments, as an unprivileged user of the host.
pub(crate) fn run_as_ordinary_user(words: &[&str], environment: &[(&str, &Path)]) {
    let folder = std::env::temp_dir().join(format!("fablegrade-ordinary-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("tests");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    open_to_all(&folder);
    let done = Command::new("setpriv")
        .args(["--reuid=61899", "--regid=61899", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"])
        .arg(&program)
        .arg("--ignored")
        .args(words)
        .current_dir("/")
        .env("HOME", "/nonexistent")
        .env("PATH", "/usr/bin:/bin")
        .envs(environment.iter().copied())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    std::io::stdout().write_all(said.as_bytes()).unwrap();
    assert!(done.status.success());
    assert!(!said.contains(" 0 passed"), "no test ran as an ordinary user");
}

/// Returns the fields of `/proc/PID/stat` after the name, beginning with the state.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.split_whitespace().map(str::to_owned).collect())
}

/// Returns the start time of a living process.
pub(crate) fn started(pid: u32) -> Option<String> {
    stat(pid).filter(|fields| fields[0] != "Z").map(|fields| fields[19].clone())
}

/// Returns the descendants of a process.
pub(crate) fn descendants(pid: u32) -> Vec<u32> {
    let all: Vec<(u32, u32)> = std::fs::read_dir("/proc")
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
