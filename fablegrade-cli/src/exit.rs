//! Exit codes and failures.

use std::io;

use fablegrade_core::Error;

/// An exit code. Documented in `docs/cli.md` and under `--help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success; for checks: valid, equal, accepted.
    Done = 0,
    /// An invalid document, or a negative result.
    Negative = 1,
    /// Invalid usage.
    Usage = 2,
    /// A file or program could not be read, written or started.
    Io = 3,
    /// No result: undecided, or a program could not be run.
    Undecided = 4,
}

/// The exit codes as `--help` shows them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  success; for checks: valid, equal, accepted
  1  an invalid document, or a negative result (lint errors, different, rejected, changed; for
     `verify`, any verdict but correct)
  2  invalid usage; for `import`, also no question found
  3  a file could not be read or written, or a tool could not be started
  4  no result: undecided, or a submitted program could not be run; for `regrade`, no result
     changed, but a line could not be graded";

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid documents: their names, and all findings about them.
    Invalid(Vec<(String, Error)>),
    /// Invalid usage, with a message.
    Usage(String),
    /// Something could not be read, written or started: a message, and the cause.
    Io(String, io::Error),
    /// Standard output was closed by its reader; the command ends quietly.
    Closed,
}

impl Failure {
    /// Returns the exit code of this failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Invalid(..) => Exit::Negative,
            Self::Usage(_) => Exit::Usage,
            Self::Io(..) => Exit::Io,
            Self::Closed => Exit::Done,
        }
    }

    /// Creates a failure about one invalid document.
    pub(crate) fn invalid(name: impl Into<String>, error: Error) -> Self {
        Self::Invalid(vec![(name.into(), error)])
    }

    /// Creates the failure for an error in writing to standard output. A closed pipe is not an error.
    pub(crate) fn write(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Io("cannot write to standard output".into(), error)
    }
}

impl From<io::Error> for Failure {
    /// Converts an error in writing to standard output, for `?`. Errors about files are [`Failure::Io`] with
    /// the name of the file, and writing to [standard error](crate::console::StandardError) does not fail.
    fn from(error: io::Error) -> Self {
        Self::write(error)
    }
}
