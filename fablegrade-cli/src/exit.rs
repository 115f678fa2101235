//! How a command ends: exit codes and the failures behind them.

use std::io;
use std::process::ExitCode;

use fablegrade_core::Error;

/// What the exit code says. Documented in `docs/cli.md` and under `--help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, and where the command answers a question, the answer is yes.
    Done = 0,
    /// A document was refused, or the answer is no.
    Refused = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Something could not be read, written or started.
    Io = 3,
    /// There is no answer: undecided, or the host could not run what had to be run.
    Undecided = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The exit codes as `--help` shows them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  done; where a question is asked, the answer is yes
  1  a document was refused, or the answer is no (lint errors, not equal, not accepted, not valid)
  2  the command line makes no sense
  3  something could not be read, written or started
  4  no answer: undecided, or the host could not run what had to be run";

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Documents were refused: their names for the user, and every finding.
    Refused(Vec<(String, Error)>),
    /// The command line makes no sense: what is wrong, and a way out.
    Usage(String),
    /// Something could not be read, written or started: what, and why.
    Io(String, io::Error),
    /// Whoever read our output has gone: the command ends quietly.
    Closed,
}

impl Failure {
    /// The exit code of this failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Refused(..) => Exit::Refused,
            Self::Usage(_) => Exit::Usage,
            Self::Io(..) => Exit::Io,
            Self::Closed => Exit::Done,
        }
    }

    /// One document was refused.
    pub(crate) fn refused(name: impl Into<String>, error: Error) -> Self {
        Self::Refused(vec![(name.into(), error)])
    }

    /// A failed write to standard output: a closed pipe is no error.
    pub(crate) fn write(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Io("cannot write to standard output".into(), error)
    }
}

impl From<io::Error> for Failure {
    /// For `?` on writes to the console; other errors name what they are about.
    fn from(error: io::Error) -> Self {
        Self::write(error)
    }
}
