//! What the integration tests share: a runner whose cache is thrown away, and plans of one case.
#![allow(dead_code, unreachable_pub)]

use fablegrade_core::view::code::{Harness, HarnessMode, Language, Limits, Visibility};
use fablegrade_core::{CaseOutcome, ExecutionPlan, PlannedCase, Secret};
use fablegrade_runner::{Runner, RunnerOptions};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// A runner with a cache folder of its own.
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

/// The sandbox must stand: these tests never pass by not running.
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
