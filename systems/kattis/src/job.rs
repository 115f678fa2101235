//! Jobs for a host, and their outcomes, as plain data. A job runs one program, or a submission with its validators.
//!
//! A plan (a [`Source`]) provides [`Job`]s by [`JobId`]. A host runs them in sandboxes, in any order and several at the
//! same time, and returns one [`Outcome`] per job. Programs of a package are no more trusted than submissions: all of
//! them run in the sandbox within the limits of their job.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use fablegrade_files::File;
use fablegrade_public::outcome::End;

use crate::Version;
use crate::default_validator::Comparison;
use crate::program::Program;

/// Exit code of a validator that accepts.
pub const ACCEPT: i32 = 42;
/// Exit code of an output validator or static validator that rejects.
pub const REJECT: i32 = 43;

/// The id of a job. A sequential host runs the jobs in the order of [`Source::next`], which can differ from the order
/// of the ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobId {
    /// Builds the program with this index in the plan.
    Build(usize),
    /// Validates an input or an existing output; holds the index of the check in the plan.
    Check(usize),
    /// Runs the static validator for the group with this index.
    Static(usize),
    /// Runs the submission on the case with this index, or validates the answer submitted for it.
    Case(usize),
    /// Runs the custom grader for the group with this index.
    Grade(usize),
}

/// One job to run. Programs are indices into the plan's list of [`Program`]s; a host builds each program once.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Job<'p> {
    /// Compiles a program, or runs its `build` script. Outcome: [`Outcome::Built`].
    Build(BuildJob<'p>),
    /// `VALIDATOR args < input`. Outcome: [`Outcome::Validated`].
    ValidateInput(InputJob<'p>),
    /// Validates an existing output. Outcome: [`Outcome::Ran`] with one pass without a submission.
    ValidateOutput(OutputJob<'p>),
    /// `VALIDATOR language entry_point feedback_dir/ args`, with the submission's files as the working directory.
    /// Outcome: [`Outcome::Validated`].
    ValidateStatic(StaticJob),
    /// Runs a submission on a case and validates its output, in one or several passes, or interactively. Outcome:
    /// [`Outcome::Ran`].
    Run(RunJob<'p>),
    /// `GRADER args < stdin`. Outcome: [`Outcome::Graded`].
    Grade(GradeJob),
}

/// Limits of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessLimits {
    /// CPU time after which it is killed.
    pub cpu: Duration,
    /// Wall-clock time after which it is killed.
    pub wall: Duration,
    /// Maximum memory in MiB. The stack has no separate limit.
    pub memory_mib: u64,
    /// Maximum size in bytes of standard output, of standard error, and of written files; for validators, also of the
    /// feedback folder. Limits on their sum are checked later with [`Ran::written`].
    pub output_bytes: u64,
}

impl ProcessLimits {
    /// Creates limits with a wall-clock time of twice the CPU time plus one second.
    pub fn new(cpu: Duration, memory_mib: u64, output_bytes: u64) -> Self {
        Self { cpu, wall: cpu * 2 + Duration::from_secs(1), memory_mib, output_bytes }
    }
}

/// A job that builds a program.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildJob<'p> {
    /// The program.
    pub program: usize,
    /// Its files, and the way it is built.
    pub source: &'p Program,
    /// Limits of the compiler or the `build` script.
    pub limits: ProcessLimits,
}

/// A job that runs an input validator.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InputJob<'p> {
    /// The validator.
    pub program: usize,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its standard input.
    pub input: Cow<'p, [u8]>,
    /// Files of the case (`NAME.files/`), copied next to the validator's own files.
    pub files: Vec<(&'p str, &'p File)>,
    /// Its limits.
    pub limits: ProcessLimits,
}

/// A job that validates an output without a submission.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OutputJob<'p> {
    /// The validation.
    pub validation: Validation,
    /// The input file.
    pub input: Cow<'p, [u8]>,
    /// The answer file.
    pub answer: Cow<'p, [u8]>,
    /// The output under test.
    pub output: Cow<'p, [u8]>,
    /// Limits of each validator.
    pub limits: ProcessLimits,
}

/// A job that runs a static validator.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StaticJob {
    /// The validator.
    pub program: usize,
    /// The submission whose files are its working directory.
    pub submission: usize,
    /// Code of the submission's language, such as `cpp`.
    pub language: String,
    /// Entry point of the submission.
    pub entry_point: String,
    /// Additional arguments.
    pub args: Vec<String>,
    /// Its limits.
    pub limits: ProcessLimits,
}

/// A job that runs a submission on a case.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RunJob<'p> {
    /// The submission.
    pub submission: usize,
    /// Its arguments.
    pub args: Vec<String>,
    /// The input file. Only the validator gets it if the problem is interactive.
    pub input: Cow<'p, [u8]>,
    /// The answer file; for validators only.
    pub answer: Cow<'p, [u8]>,
    /// Files of the case (`NAME.files/`), copied into the submission's working directory after compiling; they
    /// overwrite existing files.
    pub files: Vec<(&'p str, &'p File)>,
    /// Whether the submission may write into its working directory.
    pub may_write: bool,
    /// The validation of the output.
    pub validation: Validation,
    /// Whether submission and validator run at the same time, with pipes between them in both directions.
    pub interactive: bool,
    /// Maximum number of passes; 1 unless the problem is multi-pass. Another pass follows if [`Pass::next_input`]
    /// returns an input.
    pub passes: u32,
    /// Limits of the submission in each pass.
    pub limits: ProcessLimits,
    /// Limits of each validator in each pass.
    pub validator_limits: ProcessLimits,
}

/// A job that runs a grader.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GradeJob {
    /// The grader.
    pub program: usize,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its standard input: one line `VERDICT SCORE` per child.
    pub stdin: String,
    /// Its limits.
    pub limits: ProcessLimits,
}

/// The validation of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Validation {
    /// The default validator: call [`Comparison::validate`] instead of running a program.
    Default(Comparison),
    /// Programs, run as `VALIDATOR input answer feedback_dir/ args < output`, one after another until one does not
    /// accept. Only legacy packages have several.
    Custom(Vec<ValidatorCall>),
}

impl Validation {
    /// Returns the validation of an output. `validators` are indices into the programs; with `only`, just the validator
    /// with this name is run. Without validators, the default validator is used.
    pub(crate) fn new(
        version: Version,
        programs: &[Program],
        validators: &[usize],
        only: Option<&str>,
        args: &[String],
    ) -> Self {
        if validators.is_empty() {
            // Invalid arguments are findings of the package; the comparison then uses none.
            return Self::Default(Comparison::from_args(args, version).unwrap_or_default());
        }
        let named = |at: &usize| {
            only.is_none_or(|only| programs.get(*at).is_some_and(|program| program.name() == only))
        };
        let call = |program: usize| ValidatorCall { program, args: args.to_vec() };
        Self::Custom(validators.iter().copied().filter(named).map(call).collect())
    }
}

/// A call of an output validator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatorCall {
    /// The validator.
    pub program: usize,
    /// Arguments after the feedback folder.
    pub args: Vec<String>,
}

/// The way a process ended, and the resources that it used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ran {
    /// The way it ended.
    pub end: End,
    /// CPU time.
    pub cpu: Duration,
    /// Wall-clock time.
    pub wall: Duration,
    /// Peak memory in KiB, if it was measured.
    pub memory_kib: Option<u64>,
    /// Bytes of standard output, standard error and files together.
    pub written: u64,
    /// Beginning of standard error.
    pub stderr: Vec<u8>,
}

impl Ran {
    /// Creates the result of a process that ended in this way and used no resources.
    pub fn new(end: End) -> Self {
        Self {
            end,
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
            memory_kib: None,
            written: 0,
            stderr: Vec::new(),
        }
    }

    /// Sets the CPU time.
    #[must_use]
    pub fn with_cpu(mut self, cpu: Duration) -> Self {
        self.cpu = cpu;
        self
    }
}

/// The feedback folder that a validator left. Its size is bounded, it has only regular files, and links are not
/// followed.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Feedback {
    /// Files by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The reason why files were left out: too large, too many, or not a regular file.
    pub refused: Option<String>,
}

impl Feedback {
    /// Maximum total size of all files, in bytes.
    pub const BYTES: u64 = 8 << 20;
    /// Maximum number of files.
    pub const FILES: usize = 100;

    /// Creates a feedback folder with these files.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        Self { files: files.into_iter().collect(), refused: None }
    }

    /// Sets the reason why files were left out.
    #[must_use]
    pub fn refused(mut self, why: impl Into<String>) -> Self {
        self.refused = Some(why.into());
        self
    }

    /// Returns a file.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// Returns a file as text for display, without trailing white space.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|bytes| String::from_utf8_lossy(bytes).trim_end().to_owned())
    }
}

impl std::fmt::Debug for Feedback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.files.iter().map(|(name, bytes)| (name, bytes.len())).collect();
        f.debug_struct("Feedback").field("files", &names).field("refused", &self.refused).finish()
    }
}

/// The result of running a validator.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validated {
    /// The way it ended, and the resources that it used.
    pub ran: Ran,
    /// The files that it left, whatever its exit code. Empty for input validators.
    pub feedback: Feedback,
}

impl Validated {
    /// Creates the result of a validator.
    pub fn new(ran: Ran, feedback: Feedback) -> Self {
        Self { ran, feedback }
    }

    /// Returns whether it exited with [`ACCEPT`].
    pub fn accepted(&self) -> bool {
        self.ran.end == End::Exited(ACCEPT)
    }

    /// Returns whether it exited with [`REJECT`].
    pub fn rejected(&self) -> bool {
        self.ran.end == End::Exited(REJECT)
    }
}

/// One side of an interaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Party {
    /// The submission.
    Submission,
    /// The output validator.
    Validator,
}

/// One run of a submission with the validation of its output.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pass {
    /// The result of the submission; `None` for [`Job::ValidateOutput`].
    pub submission: Option<Ran>,
    /// The results of the validators that were run, in the order of the job. Unless the problem is interactive, no
    /// validator is run after a submission that did not exit with 0 within its limits.
    pub validators: Vec<Validated>,
    /// Interactive: the party that ended first; `None` if neither ended by itself.
    pub first: Option<Party>,
    /// Interactive: whether both were waiting for each other and were stopped.
    pub deadlock: bool,
    /// Beginning of the submission's standard output, for reports.
    pub output: Vec<u8>,
    /// Interactive: beginning of the conversation, with `>` for lines from the submission and `<` for lines from the
    /// validator.
    pub transcript: Vec<u8>,
}

impl Pass {
    /// Creates a pass without interaction.
    pub fn new(submission: Option<Ran>, validators: Vec<Validated>) -> Self {
        Self {
            submission,
            validators,
            first: None,
            deadlock: false,
            output: Vec::new(),
            transcript: Vec::new(),
        }
    }

    /// Sets the party that ended first.
    #[must_use]
    pub fn first(mut self, party: Party) -> Self {
        self.first = Some(party);
        self
    }

    /// Returns the input of the next pass, if the validator accepted and wrote `nextpass.in`, and the submission
    /// exited successfully.
    ///
    /// A host runs another pass with this input if fewer than [`RunJob::passes`] are done. First, it removes
    /// `nextpass.in` from the feedback folder; all other files stay.
    pub fn next_input(&self) -> Option<&[u8]> {
        let well = self.submission.as_ref().is_none_or(|ran| ran.end == End::Exited(0));
        let last = self.validators.last().filter(|last| last.accepted() && well)?;
        last.feedback.get("nextpass.in")
    }
}

/// The outcome of a [`Job`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// A program was built, or could not be built.
    Built(Result<(), BuildFailure>),
    /// A validator was run.
    Validated(Validated),
    /// A submission was run: its passes in order.
    Ran(Vec<Pass>),
    /// A grader was run: its end and its standard output.
    Graded(Ran, Vec<u8>),
    /// The host could not run the job, which does not count against the program.
    Failed(String),
}

/// The reason why a program was not built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildFailure {
    /// It does not compile; holds the compiler's message.
    Compile(String),
    /// This host has no tools for its language; holds what is missing.
    Unsupported(String),
}

/// The outcomes of a plan's jobs so far.
pub type Outcomes = BTreeMap<JobId, Outcome>;

/// The maximum number of jobs that a source returns at once, so the work for all jobs of a plan is not quadratic.
pub const JOBS_AT_ONCE: usize = 256;

/// A source of jobs. The outcomes so far determine the next jobs.
pub trait Source {
    /// Returns the programs to which the jobs refer by index.
    fn programs(&self) -> &[Program];

    /// Returns the jobs whose outcomes are needed and that can be run now, in the order of a sequential host. Empty if
    /// no further outcome is needed.
    ///
    /// Returns only the first [`JOBS_AT_ONCE`] of many jobs, because a host asks again after each outcome.
    ///
    /// A host may run any number of them at the same time, and should start with the first ones. Later jobs can turn
    /// out to be unnecessary; their outcomes are then ignored.
    fn next(&self, outcomes: &Outcomes) -> Vec<(JobId, Job<'_>)>;
}
