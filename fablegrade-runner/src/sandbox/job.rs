//! Jobs for the sandbox and their outcomes: plain data, independent of questions and verdicts.

use super::places::Places;
use crate::cancel::Cancel;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// One program to run in a fresh sandbox.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments, as seen inside the sandbox.
    pub command: Vec<String>,
    /// The whole environment of the program.
    pub environment: Vec<(String, String)>,
    /// Host directory whose files appear in `/box`. Up to 256 files of 64 MiB in total are copied into the
    /// sandbox, so no two jobs share them. A larger directory, or one with links or special files, is mounted
    /// read-only.
    pub shown: Option<PathBuf>,
    /// Further parts of the host that the program sees, read-only.
    pub visible: Visible,
    /// Further files that are copied into the sandbox; a file in `/box` replaces one with the same path.
    pub files: Vec<GivenFile>,
    /// The working directory of the program. The program can write only to `/tmp`.
    pub directory: String,
    /// Standard input.
    pub input: Vec<u8>,
    /// Gives the program descriptor 3, whose bytes are returned in [`Outcome::channel`].
    pub channel: bool,
    /// Directory inside the sandbox whose regular files are returned.
    pub collect: Option<Collect>,
    /// Ends the run when it is cancelled.
    pub cancel: Cancel,
    /// Limits of the program.
    pub limits: Limits,
}

/// A file that a program finds in its sandbox.
#[derive(Debug, Clone)]
pub struct GivenFile {
    /// An absolute path of at least two parts, without `.` and `..`. Programs can change files below `/tmp`.
    pub path: String,
    /// The bytes of the file.
    pub content: Arc<[u8]>,
    /// True if the file is executable.
    pub executable: bool,
}

impl GivenFile {
    /// Returns the path; an error unless it is absolute, without `.` and `..`, and at least two levels deep.
    pub(crate) fn checked_path(&self) -> io::Result<&Path> {
        let parts = self.path.strip_prefix('/').into_iter().flat_map(|path| path.split('/'));
        let well_formed = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
        if parts.clone().count() < 2 || !parts.clone().all(well_formed) {
            return Err(io::Error::other(format!("{:?} is not a path for a file in a sandbox", self.path)));
        }
        Ok(Path::new(&self.path))
    }
}

/// The part of the host's file system that a program sees, read-only, in addition to its own files.
#[derive(Debug, Clone, Default)]
pub struct Visible {
    /// True to show all of `/usr`, and the entries of `/etc` that name libraries and alternatives.
    pub system: bool,
    /// Single files and directories, with the links that lead to them.
    pub places: Arc<Places>,
}

impl Visible {
    /// Returns the view of all of `/usr`, for compilers and unknown programs.
    pub fn system() -> Self {
        Self { system: true, places: Arc::default() }
    }

    /// Shows what another program sees too.
    #[cfg(feature = "terry")]
    pub(crate) fn add(&mut self, other: &Self) {
        self.system |= other.system;
        Arc::make_mut(&mut self.places).add(&other.places);
    }
}

/// The files to return after a run, and limits on them.
#[derive(Debug, Clone)]
pub struct Collect {
    /// Directory inside the sandbox, created before the program starts. If the paths of its folders have more
    /// than 256 KiB in all, the run ends as [`End::OutputLimit`].
    pub directory: String,
    /// The maximum total size of the files, in bytes.
    pub bytes: usize,
    /// The maximum number of files, including those that are passed over.
    pub files: usize,
    /// True to collect after any exit code or signal, not only after exit code 0.
    pub always: bool,
}

/// Limits of a program. Sizes are in bytes.
#[derive(Debug, Clone)]
pub struct Limits {
    /// CPU time of all processes together.
    pub cpu: Duration,
    /// Wall-clock time, from the start of the program.
    pub wall: Duration,
    /// Memory of all processes and of the files they wrote.
    pub memory: u64,
    /// Address space that a language's runtime reserves for data without touching it. Used only if memory
    /// cannot be counted exactly.
    pub reserve: u64,
    /// Stack of the main thread; [`Limits::UNLIMITED`] means as much as the memory limit allows.
    pub stack: u64,
    /// The maximum number of processes and threads at once.
    pub processes: u32,
    /// The total size of all files in `/tmp`.
    pub files: u64,
    /// The maximum number of names in `/tmp`.
    pub names: u64,
    /// The size limit of one file.
    pub file: u64,
    /// Standard output; one byte more ends the run.
    pub output: usize,
    /// The size of standard error that is kept.
    pub errors_kept: usize,
    /// Standard error; one byte more ends the run.
    pub errors: usize,
    /// The result channel; one byte more ends the run.
    pub channel: usize,
}

impl Limits {
    /// The value of [`Limits::stack`] for a stack that is bounded only by the memory.
    pub const UNLIMITED: u64 = u64::MAX;

    /// Returns the usual wall-clock limit: twice the CPU time plus one second, or [`Duration::MAX`] if that
    /// overflows.
    pub(crate) fn usual_wall(cpu: Duration) -> Duration {
        cpu.saturating_mul(2).saturating_add(Duration::from_secs(1))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            cpu: Duration::from_secs(2),
            wall: Duration::from_secs(5),
            memory: 128 << 20,
            reserve: 0,
            stack: 64 << 20,
            processes: 64,
            files: 32 << 20,
            names: 4096,
            file: 32 << 20,
            output: 64 << 10,
            errors_kept: 64 << 10,
            errors: 256 << 10,
            channel: 64 << 10,
        }
    }
}

/// The end of a run as measured, not as the program reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The program ended with this exit code.
    Exited(i32),
    /// The program was ended by this signal, and not because of a limit.
    Signalled(i32),
    /// More CPU time or wall-clock time than allowed.
    Timeout,
    /// More memory than allowed.
    MemoryExceeded,
    /// More output, error output, bytes in the result channel, file names or collected files than allowed.
    OutputLimit,
    /// [`Job::cancel`] was cancelled, or the program that this one was connected to has ended.
    Cancelled,
    /// The program could not be started (the system's error number).
    NotStarted(i32),
    /// The sandbox failed; the program cannot be judged.
    Trouble(String),
}

impl End {
    /// Returns one word for logs and metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exited(0) => "exited",
            Self::Exited(_) => "failed",
            Self::Signalled(_) => "signalled",
            Self::Timeout => "timeout",
            Self::MemoryExceeded => "memory_exceeded",
            Self::OutputLimit => "output_limit",
            Self::Cancelled => "cancelled",
            Self::NotStarted(_) => "not_started",
            Self::Trouble(_) => "trouble",
        }
    }
}

/// A file that the program left in the collected directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// Path below the directory, without empty parts, `.` or `..`.
    pub path: String,
    /// True if the file is executable.
    pub executable: bool,
    /// The bytes of the file.
    pub content: Vec<u8>,
}

/// Returns a size in MiB as bytes, or [`u64::MAX`] if that overflows.
pub(crate) fn mebibytes(count: u64) -> u64 {
    count.saturating_mul(1 << 20)
}

/// The precision with which the memory limit is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryLevel {
    /// Counted by the kernel for all processes together (control groups, version 2).
    CgroupV2,
    /// Counted by the kernel for all processes together (control groups, version 1).
    CgroupV1,
    /// Each process's data is limited, and the sum of their memory is checked every few milliseconds. A fast
    /// program can exceed the limit.
    Approximate,
}

impl MemoryLevel {
    /// Returns the word used in stamps and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::CgroupV2 => "cgroup-v2",
            Self::CgroupV1 => "cgroup-v1",
            Self::Approximate => "approximate",
        }
    }
}

/// The result of a job.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The end of the run.
    pub end: End,
    /// Standard output, at most [`Limits::output`] bytes; empty if another program has read it.
    pub output: Vec<u8>,
    /// The first [`Limits::errors_kept`] bytes of standard error.
    pub errors: Vec<u8>,
    /// The bytes that the program wrote to descriptor 3.
    pub channel: Vec<u8>,
    /// The collected files.
    pub collected: Vec<Collected>,
    /// The number of links, pipes, other special files, and files without a path in UTF-8; they were not collected.
    pub passed_over: usize,
    /// The number of bytes that the program wrote to standard output and standard error, plus the size of the
    /// files in `/tmp` when they were last measured, less their size before the program started. Without
    /// isolation, files are not measured.
    pub written: u64,
    /// CPU time of all processes.
    pub cpu: Duration,
    /// Wall-clock time from the start of the program to its end.
    pub wall: Duration,
    /// Peak memory in bytes: the control group's count, or the largest sum observed.
    pub memory: u64,
}

impl Outcome {
    pub(crate) fn trouble(cause: &impl std::fmt::Display) -> Self {
        Self::not_begun(End::Trouble(cause.to_string()))
    }

    /// The outcome of a run that was cancelled before it began.
    pub(crate) fn cancelled() -> Self {
        Self::not_begun(End::Cancelled)
    }

    fn not_begun(end: End) -> Self {
        Self {
            end,
            output: Vec::new(),
            errors: Vec::new(),
            channel: Vec::new(),
            collected: Vec::new(),
            passed_over: 0,
            written: 0,
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
            memory: 0,
        }
    }
}
