//! terry tasks: runs managers and solutions in the sandbox, for one evaluation or thousands.
//!
//! ```no_run
//! use fablegrade_runner::Runner;
//! use fablegrade_runner::terry::{TaskOptions, TaskRunner};
//! use fablegrade_terry::folder::Folder;
//! use fablegrade_terry::task::Task;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let place = std::path::Path::new("poldo");
//! let (task, _) = Task::from_yaml(&std::fs::read(place.join("task.yaml"))?)?;
//! let folder = Folder::new(fablegrade_runner::terry::read_folder(place)?.entries);
//! let runner = std::sync::Arc::new(Runner::detect());
//! let host = TaskRunner::prepare(&runner, place, &folder, &TaskOptions::default())?;
//! let solutions = vec![host.solution(place, &folder.solutions()[0])?];
//! for run in host.test(&task, &solutions, &[1, 2, 3], |_| ()) {
//!     println!("{} {:?}", run.seed, run.concluded.map(|judged| judged.points.to_string()));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A manager starts in `/box`, where it sees the contents of `managers/` read-only, including the official
//! `solution.OS.ARCH`, which is built if necessary and possible. The validator and the checker also get the
//! input, and the checker gets the output file. Managers can write to `/tmp`. A solution sees only its own
//! program and its input.

mod examine;
mod fuzz;
mod listing;
mod stage;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use fablegrade_core::End;
use fablegrade_terry::evaluation::{Failure, File, Judged, Plan, Role, Step, StepOutcome};
use fablegrade_terry::folder::{Folder, Preference, Program};
use fablegrade_terry::platform::Platform;
use fablegrade_terry::task::Task;

pub use fuzz::Fuzzed;
pub use listing::{Listing, read_folder};
pub use stage::Solution;

use crate::runner::Runner;
use stage::Stage;

/// Limits of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramLimits {
    /// CPU time; the wall-clock limit is twice that plus one second.
    pub cpu: Duration,
    /// Memory in MiB.
    pub memory_mb: u64,
}

/// Options for running a task.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TaskOptions {
    /// The preferred form of managers: executables or sources.
    pub prefer: Preference,
    /// Limits of generator, validator and checker; 20 s and 1 GiB by default.
    pub managers: ProgramLimits,
    /// Limits of solutions; 20 s and 1 GiB by default. terry itself has no limits, because contestants run
    /// solutions on their own machines.
    pub solutions: ProgramLimits,
    /// The number of programs that run at once, at most as many as the runner allows, which is the default.
    pub parallel: Option<usize>,
}

impl Default for TaskOptions {
    fn default() -> Self {
        let limits = ProgramLimits { cpu: Duration::from_secs(20), memory_mb: 1024 };
        Self { prefer: Preference::default(), managers: limits, solutions: limits, parallel: None }
    }
}

/// A task that is ready to run: its managers are complete and built. Dropping it removes its temporary files.
#[derive(Debug)]
pub struct TaskRunner {
    runner: Arc<Runner>,
    stage: Stage,
    options: TaskOptions,
    validator: bool,
    official: bool,
}

/// CPU time and memory of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measure {
    /// The program.
    pub role: Role,
    /// The CPU time in milliseconds.
    pub time_ms: Option<u64>,
    /// The memory in KiB.
    pub memory_kb: Option<u64>,
}

/// The result of one solution on one seed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TestRun {
    /// Index of the solution in the list that was tested.
    pub solution: usize,
    /// The seed.
    pub seed: u32,
    /// The conclusion of the evaluation, or its failure.
    pub concluded: Result<Judged, Failure>,
    /// Measurements of the steps that were run, generator first. For each seed, the generator and the
    /// validator are run once for all solutions.
    pub measures: Vec<Measure>,
}

impl TestRun {
    /// Returns the solution's time and memory, if it was run.
    pub fn solutions_measure(&self) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.role == Role::Solution)
    }
}

/// An input file, with the outcomes of the steps that made and validated it.
#[derive(Debug, Clone)]
struct Made {
    input: Vec<u8>,
    outcomes: Vec<StepOutcome>,
}

/// Returns the time and memory of each step.
fn measures(plan: &Plan, outcomes: &[StepOutcome]) -> Vec<Measure> {
    plan.steps
        .iter()
        .zip(outcomes)
        .map(|(step, outcome)| Measure {
            role: step.role,
            time_ms: outcome.time_ms,
            memory_kb: outcome.memory_kb,
        })
        .collect()
}

impl TaskRunner {
    /// Copies and builds the managers for this platform.
    ///
    /// # Errors
    /// A manager cannot be built or does not exist for this platform, or the host cannot run programs.
    pub fn prepare(
        runner: &Arc<Runner>,
        place: &Path,
        folder: &Folder,
        options: &TaskOptions,
    ) -> Result<Self, Failure> {
        Self::prepare_for(runner, place, folder, options, &[Role::Generator, Role::Validator, Role::Checker])
    }

    /// Works like [`TaskRunner::prepare`], but for only some of the managers.
    ///
    /// # Errors
    /// Those of [`TaskRunner::prepare`].
    pub fn prepare_for(
        runner: &Arc<Runner>,
        place: &Path,
        folder: &Folder,
        options: &TaskOptions,
        roles: &[Role],
    ) -> Result<Self, Failure> {
        let platform = Platform::current().ok_or_else(|| Failure::Host {
            role: Role::Generator,
            cause: "terry has no name for this platform".to_owned(),
        })?;
        let stage = Stage::prepare(runner, place, folder, options.prefer, &platform, roles)?;
        Ok(Self {
            runner: Arc::clone(runner),
            validator: folder.has(Role::Validator),
            official: folder.program(Role::Solution, &platform, options.prefer).is_some(),
            stage,
            options: options.clone(),
        })
    }

    /// Prepares a solution to be run.
    ///
    /// # Errors
    /// The solution cannot be built, or the host cannot build it.
    pub fn solution(&self, place: &Path, program: &Program) -> Result<Solution, Failure> {
        Solution::prepare(&self.runner, place, program)
    }

    /// Returns whether the task has an official solution that can be started on this host.
    pub fn has_official_solution(&self) -> bool {
        self.official
    }

    /// Runs the steps of a plan until one fails; blocks. `input` and `output` are the files that exist
    /// already.
    pub fn run(
        &self,
        plan: &Plan,
        input: Option<&[u8]>,
        output: Option<&[u8]>,
        solution: Option<&Solution>,
    ) -> Vec<StepOutcome> {
        let mut files = (input.map(<[u8]>::to_vec), output.map(<[u8]>::to_vec));
        let mut outcomes = Vec::new();
        for step in &plan.steps {
            let (input, output) =
                (files.0.as_deref().unwrap_or_default(), files.1.as_deref().unwrap_or_default());
            let outcome = self.step(step, input, output, solution);
            let failed = step.check(&outcome).is_err();
            match step.makes {
                Some(File::Input) => files.0 = Some(outcome.stdout.clone()),
                Some(File::Output) => files.1 = Some(outcome.stdout.clone()),
                None => {}
            }
            outcomes.push(outcome);
            if failed {
                break;
            }
        }
        outcomes
    }

    /// Makes the input of a seed.
    ///
    /// # Errors
    /// The generator fails, or the validator does not accept the input.
    pub fn input(&self, seed: u32) -> Result<Vec<u8>, Failure> {
        let plan = Plan::input(seed, self.validator);
        let made = self.make(&plan);
        plan.steps.iter().zip(&made.outcomes).try_for_each(|(step, outcome)| step.check(outcome))?;
        Ok(made.input)
    }

    /// Judges an output file with the checker.
    ///
    /// # Errors
    /// The checker fails, or its output is not a result.
    pub fn grade(&self, task: &Task, input: &[u8], output: &[u8]) -> Result<Judged, Failure> {
        self.grade_measured(task, input, output).0
    }

    fn grade_measured(
        &self,
        task: &Task,
        input: &[u8],
        output: &[u8],
    ) -> (Result<Judged, Failure>, Vec<Measure>) {
        let plan = Plan::grade();
        let outcomes = self.run(&plan, Some(input), Some(output), None);
        (plan.conclude(&outcomes, task), measures(&plan, &outcomes))
    }

    fn make(&self, plan: &Plan) -> Made {
        let mut outcomes = self.run(plan, None, None, None);
        let input =
            outcomes.first_mut().map(|outcome| std::mem::take(&mut outcome.stdout)).unwrap_or_default();
        Made { input, outcomes }
    }

    fn step(&self, step: &Step, input: &[u8], output: &[u8], solution: Option<&Solution>) -> StepOutcome {
        match (step.role, solution) {
            (Role::Solution, Some(solution)) => solution.run(&self.runner, input, &self.options.solutions),
            (Role::Solution, None) => {
                StepOutcome::new(End::SandboxError("no solution was given".to_owned()), "")
            }
            _ => self.stage.run(&self.runner, step, input, output, &self.options.managers),
        }
    }

    /// Returns the number of programs that run at once.
    fn parallel(&self) -> usize {
        self.options.parallel.unwrap_or(usize::MAX).clamp(1, self.runner.parallel())
    }

    /// Tests every solution on every seed, several at a time; blocks until all are done. `on_run` is called
    /// for each run as it ends, on this thread. The results are ordered by seed, then by solution.
    pub fn test(
        &self,
        task: &Task,
        solutions: &[Solution],
        seeds: &[u32],
        on_run: impl FnMut(&TestRun),
    ) -> Vec<TestRun> {
        let inputs: Vec<Mutex<Shared>> =
            seeds.iter().map(|_| Mutex::new(Shared::new(solutions.len()))).collect();
        self.each(seeds.len() * solutions.len(), on_run, |at| {
            let (seed_at, solution_at) = (at / solutions.len(), at % solutions.len());
            let (seed, solution) = (*seeds.get(seed_at)?, solutions.get(solution_at)?);
            let shared = inputs.get(seed_at)?;
            let plan = Plan::test(seed, self.validator);
            let making = Plan::input(seed, self.validator);
            let made = Shared::get(shared, || self.make(&making));
            let mut outcomes = made.outcomes.clone();
            let failed =
                making.steps.iter().zip(&outcomes).any(|(step, outcome)| step.check(outcome).is_err());
            if !failed {
                let rest: Vec<Step> = plan.steps.iter().skip(making.steps.len()).cloned().collect();
                let mut later = Plan::grade();
                later.steps = rest;
                outcomes.extend(self.run(&later, Some(&made.input), None, Some(solution)));
            }
            drop(made);
            Shared::done(shared);
            let concluded = plan.conclude(&outcomes, task);
            Some(TestRun { solution: solution_at, seed, concluded, measures: measures(&plan, &outcomes) })
        })
    }

    /// Performs `count` pieces of work, several at a time. Returns the results in order.
    fn each<T: Send>(
        &self,
        count: usize,
        mut on_done: impl FnMut(&T),
        work: impl Fn(usize) -> Option<T> + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        let mut done: Vec<Option<T>> = (0..count).map(|_| None).collect();
        std::thread::scope(|scope| {
            for _ in 0..self.parallel().min(count) {
                let (sender, next, work) = (sender.clone(), &next, &work);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        if at >= count || sender.send((at, work(at))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            while let Ok((at, result)) = receiver.recv() {
                result.as_ref().into_iter().for_each(&mut on_done);
                if let Some(place) = done.get_mut(at) {
                    *place = result;
                }
            }
        });
        done.into_iter().flatten().collect()
    }
}

/// The input of a seed, made by the first run that needs it and freed by the last.
struct Shared {
    made: Option<Arc<Made>>,
    waiting: usize,
}

impl Shared {
    fn new(waiting: usize) -> Self {
        Self { made: None, waiting }
    }

    fn get(shared: &Mutex<Self>, make: impl FnOnce() -> Made) -> Arc<Made> {
        let mut this = shared.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(this.made.get_or_insert_with(|| Arc::new(make())))
    }

    fn done(shared: &Mutex<Self>) {
        let mut this = shared.lock().unwrap_or_else(PoisonError::into_inner);
        this.waiting = this.waiting.saturating_sub(1);
        if this.waiting == 0 {
            this.made = None;
        }
    }
}

/// Draws distinct seeds from the system's randomness, at most 1,048,576.
///
/// # Errors
/// The system provides no randomness.
pub fn draw_seeds(count: usize) -> std::io::Result<Vec<u32>> {
    use std::collections::BTreeSet;
    use std::io::Read as _;
    let mut source = std::fs::File::open("/dev/urandom")?;
    let mut seen = BTreeSet::new();
    let mut seeds = Vec::new();
    // Far fewer than all possible seeds, so this ends soon.
    while seeds.len() < count.min(1 << 20) {
        let mut bytes = [0; 4];
        source.read_exact(&mut bytes)?;
        let seed = u32::from_le_bytes(bytes) % fablegrade_terry::evaluation::SEED_BOUND;
        if seen.insert(seed) {
            seeds.push(seed);
        }
    }
    Ok(seeds)
}
