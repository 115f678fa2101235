//! Reasons why a runner cannot be made.

use std::io;
use std::path::PathBuf;

/// The reason why nothing can be run here, or a table of languages cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Sandboxes are built for Linux on x86-64 and 64-bit ARM only.
    #[error("sandboxes are built for Linux on x86-64 and 64-bit ARM only")]
    Unsupported,
    /// bubblewrap is not where it was said to be.
    #[error("bubblewrap is not at {}", .0.display())]
    BubblewrapNotThere(PathBuf),
    /// bubblewrap was not found.
    #[error("bubblewrap is not installed (Debian, Ubuntu, Fedora, Arch: the package `bubblewrap`)")]
    BubblewrapMissing,
    /// Files may not be as large here as compiled programs and inputs are.
    #[error("files may have at most {allowed} bytes here; raise the limit (`ulimit -f`) to {needed} or more")]
    FileLimit {
        /// The greatest value allowed.
        allowed: u64,
        /// The value needed.
        needed: u64,
    },
    /// Exact limits were demanded, and the kernel does not count here.
    #[error("exact limits of memory are required, and here they are approximate: {}", .0.join("; "))]
    Inexact(Vec<String>),
    /// A file in memory cannot be made.
    #[error("a file in memory cannot be made: {0}")]
    Memory(#[source] io::Error),
    /// The filter of system calls cannot be built.
    #[error("the system call filter cannot be built: {0}")]
    Filter(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A part of the self-test cannot be set up.
    #[error("no {what} for the self-test: {source}")]
    SelfTestSetup {
        /// The missing part.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// The sandbox does not hold: the probe that showed it, what it saw, and the usual causes on such a host.
    #[error("self-test `{probe}`{failed}: {seen}{help}")]
    SelfTest {
        /// Its name.
        probe: &'static str,
        /// The expectation, when the probe ran and saw otherwise.
        failed: String,
        /// The observation.
        seen: String,
        /// Usual causes; empty when none is known.
        help: String,
    },
    /// The folder of compiled programs cannot be used.
    #[error("the cache folder {} cannot be used: {source}", folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A table of languages is not a JSON document of the right form.
    #[error("the table of languages cannot be read: {0}; its form is that of `languages.json`")]
    Languages(#[from] serde_json::Error),
}
