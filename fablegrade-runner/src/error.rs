//! Reasons why a runner cannot be created.

use std::io;
use std::path::PathBuf;

/// The reason why no program can be run on this host, or why a language table cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Sandboxes are built for Linux on x86-64 and 64-bit ARM only.
    #[error("sandboxes are built for Linux on x86-64 and 64-bit ARM only")]
    Unsupported,
    /// bubblewrap is not at the given path.
    #[error("bubblewrap is not at {}", .0.display())]
    BubblewrapNotThere(PathBuf),
    /// bubblewrap was not found.
    #[error("bubblewrap is not installed (Debian, Ubuntu, Fedora, Arch: the package `bubblewrap`)")]
    BubblewrapMissing,
    /// The file size limit is too small for compiled programs and inputs.
    #[error("files may have at most {allowed} bytes here; raise the limit (`ulimit -f`) to {needed} or more")]
    FileLimit {
        /// The current limit, in bytes.
        allowed: u64,
        /// The lowest sufficient limit, in bytes.
        needed: u64,
    },
    /// Exact limits were required, but the kernel of this host does not count memory and CPU time.
    #[error("exact memory limits are required, but on this host they are approximate: {}", .0.join("; "))]
    Inexact(Vec<String>),
    /// A file in memory cannot be made.
    #[error("a file in memory cannot be made: {0}")]
    Memory(#[source] io::Error),
    /// The system call filter cannot be built.
    #[error("the system call filter cannot be built: {0}")]
    Filter(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A part of the self-test cannot be set up.
    #[error("no {what} for the self-test: {source}")]
    SelfTestSetup {
        /// The missing part.
        what: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The sandbox failed its self-test.
    #[error("self-test `{probe}`{failed}: {seen}{help}")]
    SelfTest {
        /// The name of the probe.
        probe: &'static str,
        /// The expectation, if the probe ran and observed something else.
        failed: String,
        /// The observation.
        seen: String,
        /// Usual causes; empty if none is recognised.
        help: String,
    },
    /// The folder for compiled programs cannot be used.
    #[error("the cache folder {} cannot be used: {source}", folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A language table is not a JSON document of the right form.
    #[error("the language table cannot be read: {0}; its form is that of `languages.json`")]
    Languages(#[from] serde_json::Error),
}
