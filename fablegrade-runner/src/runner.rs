//! Runs a plan: compiles once, then runs every case in a fresh sandbox, public cases first, several at a
//! time.

use crate::cancel::Cancel;
use crate::compile::{self, Cache, Failure, Ready};
use crate::counters::{Counters, Counts};
use crate::error::Error;
use crate::languages::{Languages, Toolchain, ToolchainError};
use crate::resident::Resident;
use crate::sandbox::{
    self, Conversation, Job, Limits, MemoryLevel, PairOutcome, Sandbox, SandboxOptions, mebibytes,
};
use crate::trace;
use fablegrade_core::request::Given;
use fablegrade_core::view::code::{HarnessMode, Visibility};
use fablegrade_core::{CaseOutcome, Context, End, ExecutionPlan, Grader, Marked, PlannedCase};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

/// Options for setting up a [`Runner`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunnerOptions {
    /// Options for finding the parts of the sandbox.
    pub sandbox: SandboxOptions,
    /// The table of languages.
    pub languages: Languages,
    /// The folder for compiled programs; if absent, `/var/cache/fablegrade` or a folder in the user's cache
    /// folder.
    pub cache: Option<PathBuf>,
    /// The size of that folder, in bytes, above which the least recently used programs are removed. Programs
    /// that were used within the last hour are kept up to twice that size, or 256 MiB.
    pub cache_bytes: u64,
    /// CPU time of a compiler; the wall-clock limit is twice that plus one second.
    pub compile_time: Duration,
    /// The number of cases that run at once, at most [`Sandbox::slots`], which is also the default.
    pub parallel: Option<usize>,
    /// Start no further case of a suite after a case that did not exit with code 0.
    pub stop_suite: bool,
    /// Memory limit of programs in MiB; overrides the limits of questions.
    pub memory_mb: Option<u32>,
    /// Limit on the standard output of a case in KiB; overrides the limits of questions.
    pub output_kb: Option<u32>,
}

impl Default for RunnerOptions {
    fn default() -> Self {
        Self {
            sandbox: SandboxOptions::default(),
            languages: Languages::built_in(),
            cache: None,
            cache_bytes: 1 << 30,
            compile_time: Duration::from_secs(30),
            parallel: None,
            stop_suite: false,
            memory_mb: None,
            output_kb: None,
        }
    }
}

/// The next step, chosen by the callback of [`Runner::run`]; `()` means [`Step::Continue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Continue.
    Continue,
    /// Start no further case of this outcome's suite.
    SkipSuite,
    /// Start no further cases.
    Stop,
}

impl From<()> for Step {
    fn from((): ()) -> Self {
        Self::Continue
    }
}

/// The maximum size of standard error that is kept for all cases together, in bytes.
const ERRORS_KEPT: usize = 16 << 20;
/// The maximum size of the standard output and the returned values of all cases together, in bytes; they are
/// kept until the last case has ended.
const OUTPUT_KEPT: usize = 256 << 20;

/// A graded answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Graded {
    /// The result for the learner and the explanation for the author.
    pub marked: Marked,
    /// The reason why programs could not be run, for the operator; the result does not contain it.
    pub trouble: Option<String>,
}

/// Opens the parts of a runner, the cache first, because it also contains the records of passed self-tests.
fn open(options: &RunnerOptions) -> (Result<Sandbox, Error>, Result<Cache, Error>) {
    let group = sandbox::reading_group(&options.sandbox);
    let cache = Cache::open(options.cache.as_deref(), group, options.cache_bytes, options.compile_time);
    let mut sandbox = options.sandbox.clone();
    if sandbox.self_test_records.is_none() {
        sandbox.self_test_records = cache.as_ref().ok().map(|cache| cache.root().to_owned());
    }
    (Sandbox::open(&sandbox), cache)
}

/// Runs plans. Create a runner once and reuse it: creating it can test the sandbox, and it keeps the
/// toolchains it has found.
#[derive(Debug)]
pub struct Runner {
    sandbox: Result<Sandbox, Error>,
    languages: Languages,
    /// Each toolchain is found when its language is first used.
    toolchains: BTreeMap<String, OnceLock<Result<Toolchain, ToolchainError>>>,
    cache: Result<Cache, Error>,
    /// The first error of the sandbox or the cache, as text.
    trouble: Option<String>,
    pub(crate) resident: Resident,
    parallel: usize,
    stop_suite: bool,
    memory_mb: Option<u32>,
    output_kb: Option<u32>,
    /// The reason why the sandbox is no longer trusted; the next run tests the sandbox again.
    broken: Mutex<Option<String>>,
    counts: Counts,
}

impl Runner {
    /// Creates a runner with default options.
    pub fn detect() -> Self {
        Self::with_options(&RunnerOptions::default())
    }

    /// Creates a runner. This never fails: without a sandbox or a cache, every case becomes
    /// [`End::SandboxError`] with the cause, which [`Runner::trouble`] reports beforehand.
    /// [`Runner::try_new`] returns the error instead.
    pub fn with_options(options: &RunnerOptions) -> Self {
        let (sandbox, cache) = open(options);
        Self::of(options, sandbox, cache)
    }

    /// Creates a runner whose sandbox is ready.
    ///
    /// # Errors
    /// The reason why no program can be run on this host, such as a missing part, a sandbox that fails its
    /// self-test, or a folder that cannot be used.
    pub fn try_new(options: &RunnerOptions) -> Result<Self, Error> {
        let (sandbox, cache) = open(options);
        Ok(Self::of(options, Ok(sandbox?), Ok(cache?)))
    }

    fn of(options: &RunnerOptions, sandbox: Result<Sandbox, Error>, cache: Result<Cache, Error>) -> Self {
        let slots = sandbox.as_ref().map_or(1, Sandbox::slots);
        let error = sandbox.as_ref().err().or(cache.as_ref().err());
        Self {
            trouble: error.map(ToString::to_string),
            resident: Resident::new(cache.as_ref().ok().map(Cache::root)),
            cache,
            toolchains: options.languages.0.keys().map(|name| (name.clone(), OnceLock::new())).collect(),
            languages: options.languages.clone(),
            parallel: options.parallel.unwrap_or(slots).clamp(1, slots.max(1)),
            stop_suite: options.stop_suite,
            memory_mb: options.memory_mb,
            output_kb: options.output_kb,
            broken: Mutex::default(),
            counts: Counts::default(),
            sandbox,
        }
    }

    pub(crate) fn toolchain(&self, language: &str) -> Result<&Toolchain, ToolchainError> {
        let (Some(found), Some(row)) = (self.toolchains.get(language), self.languages.0.get(language)) else {
            return Err(ToolchainError::Unlisted);
        };
        let sandbox = self.sandbox.as_ref().ok();
        let group = sandbox.and_then(Sandbox::group);
        let found = found.get_or_init(|| {
            let mut found = Toolchain::find(row, group.is_some())?;
            if sandbox.is_some_and(Sandbox::isolates) {
                found.check_runs_in_sandbox()?;
                if !found.running.system {
                    found.copy_folders(group);
                }
            }
            Ok(found)
        });
        found.as_ref().map_err(Clone::clone)
    }

    /// Returns the reason why no program can be run on this host, if there is one.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// Returns the cause that [`Runner::trouble`] reports, as an error.
    pub fn error(&self) -> Option<&Error> {
        self.sandbox.as_ref().err().or(self.cache.as_ref().err())
    }

    /// Returns the sandbox, if there is one.
    pub fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.as_ref().ok()
    }

    /// Returns the toolchain of each language, or the reason why it was not found.
    pub fn toolchains(&self) -> impl Iterator<Item = (&str, Result<&Toolchain, ToolchainError>)> {
        self.toolchains.keys().map(|language| (language.as_str(), self.toolchain(language)))
    }

    /// Returns the number of cases that run at once.
    pub fn parallel(&self) -> usize {
        self.parallel
    }

    /// Returns the isolation of programs on this host, which the outcomes of programs record.
    pub fn isolation(&self) -> String {
        match &self.sandbox {
            Err(_) => "none available".to_owned(),
            Ok(sandbox) if !sandbox.isolates() => "unsandboxed".to_owned(),
            Ok(sandbox) => format!("bubblewrap, {} memory", sandbox.memory_level().name()),
        }
    }

    /// Returns a warning for the operator if this process runs as root, but memory limits are only
    /// approximate; `None` if isolation is switched off or no program can be run.
    pub fn warning(&self) -> Option<String> {
        let sandbox = self.sandbox.as_ref().ok()?;
        let unexpected =
            sandbox.isolates() && sandbox.memory_level() == MemoryLevel::Approximate && sandbox::user() == 0;
        unexpected.then(|| format!("memory limits are approximate: {}", sandbox.why_approximate().join("; ")))
    }

    /// Returns the plan with the limits of this host.
    fn limited<'p>(&self, plan: &'p ExecutionPlan) -> Cow<'p, ExecutionPlan> {
        if self.memory_mb.is_none() && self.output_kb.is_none() {
            return Cow::Borrowed(plan);
        }
        let mut plan = plan.clone();
        plan.limits.memory_mb = self.memory_mb.unwrap_or(plan.limits.memory_mb);
        plan.limits.output_kb = self.output_kb.unwrap_or(plan.limits.output_kb);
        Cow::Owned(plan)
    }

    /// Plans, runs and grades one answer. An answer that needs no program is graded without running anything.
    /// `on_outcome` is called as in [`Runner::run`].
    ///
    /// # Errors
    /// [`fablegrade_core::ErrorKind::Mismatch`] at `/attempt/problemVersionId` for an attempt at another version;
    /// nothing is run.
    pub fn grade<S: Into<Step>>(
        &self,
        grader: &Grader,
        given: &Given,
        context: &Context,
        on_outcome: impl FnMut(&CaseOutcome) -> S,
    ) -> Result<Graded, fablegrade_core::Error> {
        self.grade_until(grader, given, context, &Cancel::new(), on_outcome)
    }

    /// Works like [`Runner::grade`], until the token is cancelled: cases that have not ended by then are
    /// [`End::Skipped`].
    ///
    /// # Errors
    /// Those of [`Runner::grade`].
    pub fn grade_until<S: Into<Step>>(
        &self,
        grader: &Grader,
        given: &Given,
        context: &Context,
        cancel: &Cancel,
        on_outcome: impl FnMut(&CaseOutcome) -> S,
    ) -> Result<Graded, fablegrade_core::Error> {
        let mut input = given.input().with_context(context).with_explanation();
        // An attempt at another version is refused before its program is run.
        grader.check_version(&input).map_err(|error| error.within("/attempt"))?;
        let plan = grader.plan(given.submission());
        let outcomes = plan.map(|plan| self.run_until(&plan, cancel, on_outcome));
        let trouble = outcomes.iter().flatten().find_map(|outcome| match &outcome.end {
            End::SandboxError(cause) => Some(cause.clone()),
            _ => None,
        });
        if let Some(outcomes) = &outcomes {
            input = input.with_outcomes(outcomes);
        }
        // The outcomes are those of the plan, so there is no other error.
        let marked = grader.grade_with(&input)?;
        Ok(Graded { marked, trouble })
    }

    /// Compiles the submission and runs its cases; blocks until all are done. Returns one outcome per case in
    /// the plan's order; cases that were never started are [`End::Skipped`]. `on_outcome` is called on this
    /// thread for each outcome as it arrives, but not for cases that were never started.
    ///
    /// If the submission cannot be compiled, no case is started and all outcomes have the same end.
    /// `on_outcome` is then called for each of them, until it returns [`Step::Stop`].
    pub fn run<S: Into<Step>>(
        &self,
        plan: &ExecutionPlan,
        on_outcome: impl FnMut(&CaseOutcome) -> S,
    ) -> Vec<CaseOutcome> {
        self.run_until(plan, &Cancel::new(), on_outcome)
    }

    /// Works like [`Runner::run`], until the token is cancelled: cases that have not ended by then are
    /// [`End::Skipped`].
    pub fn run_until<S: Into<Step>>(
        &self,
        plan: &ExecutionPlan,
        cancel: &Cancel,
        mut on_outcome: impl FnMut(&CaseOutcome) -> S,
    ) -> Vec<CaseOutcome> {
        let plan = &*self.limited(plan);
        let stamp = self.isolation();
        let ready = self.ready(plan, cancel);
        let (toolchain, ready) = match ready {
            Ok(parts) => parts,
            Err(failure) => {
                let end = match failure {
                    Failure::Compile(message) => End::CompileError(message),
                    Failure::Sandbox(cause) => End::SandboxError(cause),
                    Failure::Cancelled => End::Skipped,
                };
                let outcome = |case: &PlannedCase| {
                    let mut outcome = CaseOutcome::new(case.suite.clone(), case.case_index, end.clone());
                    outcome.isolation = Some(stamp.clone());
                    outcome
                };
                let all: Vec<CaseOutcome> = plan.cases.iter().map(outcome).collect();
                for outcome in &all {
                    if on_outcome(outcome).into() == Step::Stop {
                        break;
                    }
                }
                return all;
            }
        };
        let work = Work { runner: self, toolchain, ready: &ready, plan, stamp: &stamp, cancel };
        let (mut errors_kept, mut output_kept) = (0, 0);
        let mut outcomes: BTreeMap<usize, CaseOutcome> = BTreeMap::new();
        let stopped = AtomicBool::new(false);
        let skipped: Mutex<BTreeSet<&str>> = Mutex::default();
        // Public cases, whose output the learner sees, never run at the same time as hidden cases, whose
        // input is secret.
        for public in [true, false] {
            let phase = plan.cases.iter().enumerate();
            let phase: Vec<(usize, &PlannedCase)> =
                phase.filter(|(_, case)| (case.visibility == Visibility::Public) == public).collect();
            let next = AtomicUsize::new(0);
            let (sender, receiver) = mpsc::channel();
            std::thread::scope(|scope| {
                for _ in 0..self.parallel.min(phase.len()) {
                    let sender = sender.clone();
                    let (phase, next, stopped, skipped, work) = (&phase, &next, &stopped, &skipped, &work);
                    scope.spawn(move || {
                        while let Some((at, case)) = phase.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let skip = stopped.load(Ordering::Relaxed)
                                || cancel.is_cancelled()
                                || skipped
                                    .lock()
                                    .unwrap_or_else(PoisonError::into_inner)
                                    .contains(case.suite.as_str());
                            if !skip && sender.send((*at, work.case(case))).is_err() {
                                return;
                            }
                        }
                    });
                }
                drop(sender);
                while let Ok((at, mut outcome)) = receiver.recv() {
                    bound_output(&mut outcome, &mut output_kept, OUTPUT_KEPT);
                    let mut step = on_outcome(&outcome).into();
                    if self.stop_suite && outcome.end != End::Exited(0) && step == Step::Continue {
                        step = Step::SkipSuite;
                    }
                    match (step, plan.cases.get(at)) {
                        (Step::SkipSuite, Some(case)) => {
                            skipped.lock().unwrap_or_else(PoisonError::into_inner).insert(&case.suite);
                        }
                        (Step::Stop, _) => stopped.store(true, Ordering::Relaxed),
                        _ => {}
                    }
                    // The callback has received standard error. The total size that is kept is bounded, even
                    // over thousands of cases.
                    errors_kept += outcome.stderr.len();
                    if errors_kept > ERRORS_KEPT {
                        outcome.stderr = Vec::new();
                    }
                    outcomes.insert(at, outcome);
                }
            });
        }
        let skipped =
            |case: &PlannedCase| CaseOutcome::new(case.suite.clone(), case.case_index, End::Skipped);
        let all = plan.cases.iter().enumerate();
        all.map(|(at, case)| outcomes.remove(&at).unwrap_or_else(|| skipped(case))).collect()
    }

    /// Builds a program that reads standard input; its compiler can include the texts in `beside`.
    #[cfg(feature = "terry")]
    pub(crate) fn build_program(
        &self,
        language: &str,
        source: &str,
        beside: &[(String, String)],
    ) -> Result<(&Toolchain, Ready), Failure> {
        let host = |cause: &Error| Failure::Sandbox(cause.to_string());
        let sandbox = self.sandbox.as_ref().map_err(host)?;
        let cache = self.cache.as_ref().map_err(host)?;
        let toolchain =
            self.toolchain(language).map_err(|why| Failure::Sandbox(format!("{language}: {why}")))?;
        let mut prepared = crate::harness::prepare(language, source, None)?;
        for (name, text) in beside {
            if !prepared.files.iter().any(|(known, _)| known == name) {
                prepared.files.push((name.clone(), text.clone().into_bytes()));
            }
        }
        let cancel = Cancel::new();
        let built = cache.build(sandbox, toolchain, prepared, None, &cancel);
        if let Err(Failure::Compile(_)) = &built {
            cache.prove(sandbox, toolchain, language, false, &cancel)?;
        }
        Ok((toolchain, built?))
    }

    /// Runs one job. After trouble with the sandbox, repeats the job if the sandbox still passes its
    /// self-test.
    pub fn run_job(&self, job: &Job) -> sandbox::Outcome {
        let _span = trace::run(1);
        let _running = self.counts.begin(1);
        let troubled = |done: &sandbox::Outcome| matches!(done.end, sandbox::End::Trouble(_));
        let done =
            self.steadily(|sandbox| sandbox.run(job), troubled, |cause| sandbox::Outcome::trouble(&cause));
        self.note(&done);
        done
    }

    /// Runs two communicating jobs, as [`Sandbox::run_pair`] does. After trouble with the sandbox, repeats
    /// both if the sandbox still passes its self-test.
    pub fn run_pair(&self, left: &Job, right: &Job, conversation: &Conversation<'_>) -> PairOutcome {
        let _span = trace::run(2);
        let _running = self.counts.begin(2);
        let troubled = |done: &PairOutcome| {
            [&done.left, &done.right].iter().any(|done| matches!(done.end, sandbox::End::Trouble(_)))
        };
        let run = |sandbox: &Sandbox| sandbox.run_pair(left, right, conversation);
        let done = self.steadily(run, troubled, |cause| PairOutcome::trouble(&cause));
        [&done.left, &done.right].into_iter().for_each(|done| self.note(done));
        done
    }

    fn note(&self, done: &sandbox::Outcome) {
        self.counts.add(done);
        trace::ended(done);
    }

    /// Returns the current counters of this runner, for metrics. This is cheap.
    pub fn counters(&self) -> Counters {
        let (compiled, from_cache) = self.cache.as_ref().map_or((0, 0), Cache::counts);
        self.counts.now(compiled, from_cache)
    }

    fn steadily<T>(
        &self,
        run: impl Fn(&Sandbox) -> T,
        troubled: impl Fn(&T) -> bool,
        refused: impl Fn(String) -> T,
    ) -> T {
        let sandbox = match &self.sandbox {
            Ok(sandbox) => sandbox,
            Err(cause) => return refused(cause.to_string()),
        };
        let broken = || self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        let attempt = || {
            let cause = broken().clone();
            cause.map_or_else(|| run(sandbox), &refused)
        };
        let done = attempt();
        if !troubled(&done) {
            return done;
        }
        let mut broken = broken();
        *broken = sandbox.test().err().map(|error| error.to_string());
        drop(broken);
        attempt()
    }

    pub(crate) fn cache(&self) -> Result<&Cache, &Error> {
        self.cache.as_ref()
    }

    fn ready(&self, plan: &ExecutionPlan, cancel: &Cancel) -> Result<(&Toolchain, Ready), Failure> {
        let host = |cause: &Error| Failure::Sandbox(cause.to_string());
        let language = plan.language.as_str();
        if function(plan).is_some() {
            for case in &plan.cases {
                if let Some(why) = crate::inexpressible(language, case.input.expose()) {
                    return Err(Failure::Sandbox(format!(
                        "{why}; the question should not offer this language"
                    )));
                }
            }
        }
        let sandbox = self.sandbox.as_ref().map_err(host)?;
        let cache = self.cache.as_ref().map_err(host)?;
        let toolchain =
            self.toolchain(language).map_err(|why| Failure::Sandbox(format!("{language}: {why}")))?;
        let compile = || cache.compile(sandbox, toolchain, language, &plan.source, function(plan), cancel);
        let ready = match compile() {
            // Once more, if the sandbox still passes its self-test.
            Err(Failure::Sandbox(_)) => {
                sandbox.test().map_err(|error| Failure::Sandbox(error.to_string()))?;
                compile()?
            }
            done => done?,
        };
        self.resident.keep(language, &toolchain.running.places);
        Ok((toolchain, ready))
    }
}

/// Converts the end of a program to the core's type.
pub(crate) fn told(end: sandbox::End, job: &Job) -> End {
    match end {
        sandbox::End::Exited(code) => End::Exited(code),
        sandbox::End::Signalled(signal) => End::Signalled(signal),
        sandbox::End::Timeout => End::Timeout,
        sandbox::End::MemoryExceeded => End::MemoryExceeded,
        sandbox::End::OutputLimit => End::OutputLimit,
        sandbox::End::NotStarted(code) => {
            let error = std::io::Error::from_raw_os_error(code);
            // A missing interpreter is the host's fault.
            let compiled = job.command.first().is_some_and(|program| program.starts_with("/box/"));
            if compiled && is_unfit(code) {
                End::CompileError(format!("the compiled program cannot be started: {error}"))
            } else {
                End::SandboxError(format!("the program cannot be started: {error}"))
            }
        }
        sandbox::End::Cancelled => End::Skipped,
        sandbox::End::Trouble(cause) => End::SandboxError(cause),
    }
}

/// Returns whether a program was not started because its file is unsuitable. Other errors, such as a lack of
/// memory or of processes, are the host's.
pub(crate) fn is_unfit(error: i32) -> bool {
    [libc::ENOEXEC, libc::EACCES, libc::ENOENT, libc::ELIBBAD, libc::EINVAL].contains(&error)
}

/// Counts the output of a case, and drops it if the total of all cases would exceed `most` bytes. An exit or
/// a signal then becomes [`End::OutputLimit`]; other ends remain.
fn bound_output(outcome: &mut CaseOutcome, kept: &mut usize, most: usize) {
    let size = outcome.stdout.len() + outcome.returned.as_ref().map_or(0, Vec::len);
    if kept.saturating_add(size) <= most {
        *kept += size;
        return;
    }
    (outcome.stdout, outcome.returned) = (Vec::new(), None);
    if matches!(outcome.end, End::Exited(_) | End::Signalled(_)) {
        outcome.end = End::OutputLimit;
    }
}

/// The data that all cases of a plan share.
struct Work<'a> {
    runner: &'a Runner,
    toolchain: &'a Toolchain,
    ready: &'a Ready,
    plan: &'a ExecutionPlan,
    stamp: &'a str,
    cancel: &'a Cancel,
}

impl Work<'_> {
    fn case(&self, case: &PlannedCase) -> CaseOutcome {
        let job = match self.job(case) {
            Ok(job) => job,
            Err(cause) => {
                let cause = End::SandboxError(format!("cannot read /dev/urandom: {cause}"));
                return CaseOutcome::new(case.suite.clone(), case.case_index, cause);
            }
        };
        compile::touch(&self.ready.folder);
        let done = self.runner.run_job(&job);
        let end = told(done.end, &job);
        let mut outcome = CaseOutcome::new(case.suite.clone(), case.case_index, end);
        outcome.stdout = done.output;
        outcome.stderr = done.errors;
        outcome.returned = function(self.plan).and_then(|_| framed(&job.input, done.channel));
        outcome.isolation = Some(self.stamp.to_owned());
        if !matches!(outcome.end, End::SandboxError(_) | End::Skipped) {
            outcome.time_ms = Some(done.cpu.as_millis() as u64);
            outcome.memory_kb = Some(done.memory >> 10);
        }
        outcome
    }

    fn job(&self, case: &PlannedCase) -> std::io::Result<Job> {
        let row = &self.toolchain.row;
        let function = function(self.plan).is_some();
        let memory_mb = u64::from(self.plan.limits.memory_mb).saturating_add(row.memory_mb);
        let mut words = self.ready.words.clone();
        words.insert("memory".to_owned(), memory_mb.to_string());
        let template = if function { row.run_function.as_ref().unwrap_or(&row.run) } else { &row.run };
        let output = self.plan.limits.output_kb as usize * 1024;
        let cpu = Duration::from_millis(case.time_ms.into());
        let mut input = Vec::new();
        if function {
            input.extend_from_slice(tag()?.as_bytes());
            input.push(b'\n');
        }
        input.extend_from_slice(case.input.expose().as_bytes());
        Ok(Job {
            command: compile::command(template, self.toolchain, &words),
            environment: compile::environment(&[&row.environment]),
            shown: Some(self.ready.folder.clone()),
            visible: self.toolchain.running.clone(),
            directory: "/tmp".to_owned(),
            input,
            files: Vec::new(),
            channel: function,
            collect: None,
            cancel: self.cancel.clone(),
            limits: Limits {
                cpu,
                wall: Limits::usual_wall(cpu),
                memory: mebibytes(memory_mb),
                reserve: mebibytes(row.reserve_mb),
                stack: mebibytes(row.stack_mb.unwrap_or(memory_mb.max(16))),
                processes: row.processes.unwrap_or(64),
                output,
                channel: output + 64,
                ..Limits::default()
            },
        })
    }
}

/// Returns the entry function; `None` if the program reads standard input.
fn function(plan: &ExecutionPlan) -> Option<&str> {
    match plan.harness.mode {
        HarnessMode::Function => plan.harness.function_name.as_deref().or(Some("")),
        HarnessMode::StdinStdout => None,
    }
}

/// Returns the tag with which a result's frame begins; each case has a new one, which no program can guess.
fn tag() -> std::io::Result<String> {
    use std::io::Read as _;
    let mut bytes = [0u8; 12];
    std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes))?;
    Ok(bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")))
}

/// Returns the value if the result channel contains exactly one frame: `tag value \n`.
pub(crate) fn framed(input: &[u8], channel: Vec<u8>) -> Option<Vec<u8>> {
    let tag = input.split(|byte| *byte == b'\n').next()?;
    let value = channel.strip_prefix(tag)?.strip_prefix(b" ")?.strip_suffix(b"\n")?;
    (!value.contains(&b'\n')).then(|| value.to_vec())
}

#[cfg(test)]
mod tests {
    use super::{bound_output, framed, is_unfit};
    use fablegrade_core::{CaseOutcome, End};

    #[test]
    fn output_beyond_that_of_all_cases_changes_only_an_end_of_the_program_itself() {
        let mut kept = 0;
        let mut bounded = |end: End, stdout: usize, returned: Option<usize>| {
            let mut outcome = CaseOutcome::new("suite".to_owned(), 0, end);
            outcome.stdout = vec![b'x'; stdout];
            outcome.returned = returned.map(|size| vec![b'1'; size]);
            bound_output(&mut outcome, &mut kept, 100);
            (outcome.end, outcome.stdout.len(), outcome.returned.map(|value| value.len()))
        };
        assert_eq!(bounded(End::Exited(0), 40, Some(40)), (End::Exited(0), 40, Some(40)));
        for (end, wanted) in [
            (End::Exited(0), End::OutputLimit),
            (End::Signalled(9), End::OutputLimit),
            (End::Timeout, End::Timeout),
            (End::MemoryExceeded, End::MemoryExceeded),
            (End::SandboxError(String::new()), End::SandboxError(String::new())),
            (End::Skipped, End::Skipped),
        ] {
            assert_eq!(bounded(end.clone(), 21, None), (wanted.clone(), 0, None));
            assert_eq!(bounded(end, 1, Some(20)), (wanted, 0, None));
        }
        assert_eq!(bounded(End::Exited(0), 20, None), (End::Exited(0), 20, None));
    }

    #[test]
    fn only_a_file_that_is_no_program_is_the_learners_fault() {
        assert!([libc::ENOEXEC, libc::EACCES, libc::ENOENT].into_iter().all(is_unfit));
        assert!(![libc::ENOMEM, libc::EAGAIN, libc::EMFILE, libc::E2BIG].into_iter().any(is_unfit));
    }

    #[test]
    fn a_result_is_exactly_one_frame_with_the_right_tag() {
        let value = |channel: &[u8]| framed(b"abc\n[1]", channel.to_vec());
        assert_eq!(value(b"abc [1,2]\n"), Some(b"[1,2]".to_vec()));
        for wrong in [&b""[..], b"abc 1", b"xyz 1\n", b"abc 1\nabc 2\n", b"1\nabc 2\n"] {
            assert_eq!(value(wrong), None);
        }
    }
}
