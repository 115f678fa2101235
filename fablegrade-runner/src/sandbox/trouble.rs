//! Failures of the sandbox.

use std::io;
use std::path::PathBuf;

/// The reasons why a run cannot begin; none is the program's fault.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("a NUL byte in the command or the environment")]
    NulInOrder,
    #[error("the command is longer than a start order can carry")]
    LongOrder,
    #[error("all users from {first} on are taken by other runs")]
    UsersTaken { first: u32 },
    #[error("no descriptors for a run: {0}")]
    Descriptors(#[source] io::Error),
    #[error("the files of a program cannot be opened: {0}")]
    Files(#[source] io::Error),
    #[error("no folder to work in: {0}")]
    WorkFolder(#[source] io::Error),
    #[error("{} cannot be started: {source}", program.display())]
    NotStarted { program: PathBuf, source: io::Error },
}

/// The reasons why control groups cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoGroups {
    #[error("control groups v2 are not mounted")]
    NoVersion2,
    #[error("control groups v2: the group of this process is not visible below {}", place.display())]
    Elsewhere { place: PathBuf },
    #[error("control groups v1 with memory, pids and cpuacct are not mounted")]
    NoVersion1,
    #[error("control groups v2: {} cannot be read: {why}", place.display())]
    Unreadable { place: PathBuf, why: String },
    #[error("control groups v2: the {controller} controller is not available in {}", place.display())]
    NoController { place: PathBuf, controller: &'static str },
    #[error(
        "control groups v2: memory and pids cannot be handed down in {}: {why} (the group must be writable and hold no \
         process but this one; with systemd: `Delegate=yes`)",
        place.display()
    )]
    NotHandedDown { place: PathBuf, why: String },
    #[error("control groups v{version} cannot be used: {why}")]
    Unusable { version: u8, why: String },
}
