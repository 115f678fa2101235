//! The results of running a plan, as a host reports them.

use crate::hook::Phase;

/// The result of running a whole plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The reason why the evaluation could not be completed; `None` if it was.
    pub failure: Option<Failure>,
    /// The outcomes of the started containers, in the order in which they were started.
    pub containers: Vec<ContainerOutcome>,
    /// The outcomes of pre- and post-hooks and of failed periodic hooks, in the order in which they ended.
    pub hooks: Vec<HookOutcome>,
    /// The result files: those named `rubric_*.json` directly in the `/out` of a container.
    pub results: Vec<ResultFile>,
}

impl Outcome {
    /// Creates an empty outcome.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a result file of a container.
    #[must_use]
    pub fn with_result(mut self, container_id: &str, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.results.push(ResultFile {
            container_id: container_id.into(),
            name: name.into(),
            content: ResultContent::File(bytes.into()),
        });
        self
    }

    /// Adds the outcome of a hook.
    #[must_use]
    pub fn with_hook(mut self, container_id: &str, phase: Phase, name: &str, end: HookEnd) -> Self {
        self.hooks.push(HookOutcome {
            container_id: container_id.into(),
            phase,
            name: name.into(),
            end,
            millis: 0,
        });
        self
    }

    /// Records why the evaluation could not be completed.
    #[must_use]
    pub fn with_failure(mut self, failure: Failure) -> Self {
        self.failure = Some(failure);
        self
    }
}

/// The reason why an evaluation could not be completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The stage that failed.
    pub stage: Stage,
    /// The container concerned, if any.
    pub container_id: Option<String>,
    /// A description for the operator and the author.
    pub message: String,
}

/// A stage at which an evaluation can fail. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// An image could not be built.
    Build,
    /// The engine failed.
    Engine,
    /// A condition of a dependency did not hold in time, or can no longer hold.
    Dependency,
    /// A container did not become ready.
    Startup,
    /// A pre-hook failed.
    PreHook,
    /// The evaluation exceeded its time limit.
    TotalTime,
    /// The evaluation was interrupted.
    Interrupted,
}

impl Stage {
    /// All stages, with their words in JSON.
    pub const WORDS: &'static [(&'static str, Self)] = &[
        ("build", Self::Build),
        ("engine", Self::Engine),
        ("dependency", Self::Dependency),
        ("startup", Self::Startup),
        ("pre-hook", Self::PreHook),
        ("total-time", Self::TotalTime),
        ("interrupted", Self::Interrupted),
    ];

    /// Returns the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Engine => "engine",
            Self::Dependency => "dependency",
            Self::Startup => "startup",
            Self::PreHook => "pre-hook",
            Self::TotalTime => "total-time",
            Self::Interrupted => "interrupted",
        }
    }
}

/// The outcome of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerOutcome {
    /// The container.
    pub container_id: String,
    /// The way it ended.
    pub end: ContainerEnd,
}

/// The way a container ended. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContainerEnd {
    /// It was still running when the evaluation was over.
    Running,
    /// It exited by itself.
    Exited(i64),
    /// The kernel ended it because of its memory limit.
    OutOfMemory,
    /// It was stopped because its time had expired.
    TimedOut,
    /// It was stopped because another container exited.
    Terminated,
    /// It was stopped because it exceeded its disk limit.
    OutOfDisk,
}

impl ContainerEnd {
    /// Returns a human-readable description.
    pub fn describe(self) -> String {
        match self {
            Self::Running => "ran to the end".into(),
            Self::Exited(code) => format!("exited with {code}"),
            Self::OutOfMemory => "was out of memory".into(),
            Self::TimedOut => "ran out of time".into(),
            Self::Terminated => "was terminated".into(),
            Self::OutOfDisk => "exceeded its disk limit".into(),
        }
    }
}

/// The outcome of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookOutcome {
    /// The container in which it ran.
    pub container_id: String,
    /// The phase.
    pub phase: Phase,
    /// The file name.
    pub name: String,
    /// The way it ended.
    pub end: HookEnd,
    /// Its duration in milliseconds.
    pub millis: u64,
}

/// The way a hook ended. Not `#[non_exhaustive]`, so matches need no wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookEnd {
    /// It exited.
    Exited(i64),
    /// It exceeded its time limit.
    TimedOut,
    /// It was not started or failed while the container's own processes had reached the process limit.
    NoProcessLeft,
    /// It was not started, for this reason.
    NotRun(String),
}

impl HookEnd {
    /// Returns whether the hook succeeded.
    pub fn is_good(&self) -> bool {
        *self == Self::Exited(0)
    }

    /// Returns a human-readable description.
    pub fn describe(&self) -> String {
        match self {
            Self::Exited(code) => format!("exited with {code}"),
            Self::TimedOut => "ran out of time".into(),
            Self::NoProcessLeft => {
                "failed while the programs in its container had used up its processes".into()
            }
            Self::NotRun(why) => format!("was not run: {why}"),
        }
    }
}

/// A result file that a container wrote.
#[derive(Clone, PartialEq, Eq)]
pub struct ResultFile {
    /// The container that wrote it.
    pub container_id: String,
    /// File name in `/out`.
    pub name: String,
    /// The content at its path.
    pub content: ResultContent,
}

/// The content at the path of a result file.
#[derive(Clone, PartialEq, Eq)]
pub enum ResultContent {
    /// The content of a file, up to the maximum size.
    File(Vec<u8>),
    /// A link, a folder or something else that is not a file.
    NoFile,
}

impl std::fmt::Debug for ResultFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.content {
            ResultContent::File(bytes) => {
                write!(f, "{}:/out/{} ({} bytes)", self.container_id, self.name, bytes.len())
            }
            ResultContent::NoFile => write!(f, "{}:/out/{} (no file)", self.container_id, self.name),
        }
    }
}
