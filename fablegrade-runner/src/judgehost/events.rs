//! Progress events of a run.

use std::fmt;

use fablegrade_judgehost::{ContainerEnd, HookEnd, Phase};

/// A step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// Killed runs of this host left something behind on the engine.
    LeftBehind {
        /// The number of runs.
        runs: usize,
    },
    /// An image is being built.
    Building {
        /// The container of the image.
        container_id: String,
        /// The builder's last complete line.
        line: String,
    },
    /// An image is ready.
    Built {
        /// The container of the image.
        container_id: String,
        /// True if the image existed before.
        kept: bool,
    },
    /// A container waits for another container.
    Waiting {
        /// The container that waits.
        container_id: String,
        /// The container that it waits for.
        for_container: String,
        /// The condition that it waits for.
        condition: &'static str,
    },
    /// A container was started.
    Started {
        /// The container.
        container_id: String,
    },
    /// A container is ready.
    Ready {
        /// The container.
        container_id: String,
    },
    /// A container ended before the run did.
    Ended {
        /// The container.
        container_id: String,
        /// The end of the container.
        end: ContainerEnd,
    },
    /// The program of a container ended, and the container stays for its hooks.
    ProgramEnded {
        /// The container.
        container_id: String,
        /// The end of the program.
        end: ContainerEnd,
    },
    /// A hook was started.
    HookStarted {
        /// The container.
        container_id: String,
        /// The phase.
        phase: Phase,
        /// The file name of the hook.
        name: String,
    },
    /// A hook ended or was skipped. Periodic hooks that the end of their container cut off are not reported.
    HookEnded {
        /// The container.
        container_id: String,
        /// The phase.
        phase: Phase,
        /// The file name of the hook.
        name: String,
        /// The end of the hook.
        end: HookEnd,
        /// The duration in milliseconds.
        millis: u64,
    },
    /// The hooks have ended, and a container is expected to end by itself.
    Awaiting {
        /// The container.
        container_id: String,
    },
    /// The engine does not report the sizes of its volumes, so their sizes are not checked.
    VolumesUnmeasured,
    /// Results are being collected.
    Collecting,
    /// Everything is being removed.
    Cleaning,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftBehind { runs } => {
                write!(
                    f,
                    "{runs} earlier run(s) were killed and left containers or images: `judgehost clean` removes them"
                )
            }
            Self::Building { container_id, line } => write!(f, "building {container_id}: {line}"),
            Self::Built { container_id, kept: false } => write!(f, "built {container_id}"),
            Self::Built { container_id, kept: true } => write!(f, "{container_id} was built before"),
            Self::Waiting { container_id, for_container, condition } => {
                write!(f, "{container_id} waits for {for_container}: {condition}")
            }
            Self::Started { container_id } => write!(f, "started {container_id}"),
            Self::Ready { container_id } => write!(f, "{container_id} is ready"),
            Self::Ended { container_id, end } => write!(f, "{container_id} {}", end.describe()),
            Self::ProgramEnded { container_id, end } => {
                write!(
                    f,
                    "the program of {container_id} {}; the container stays for its hooks",
                    end.describe()
                )
            }
            Self::HookStarted { container_id, phase, name } => {
                write!(f, "running {container_id}/hooks/{}/{name}", phase.as_str())
            }
            Self::HookEnded { container_id, phase, name, end, .. } => {
                write!(f, "{container_id}/hooks/{}/{name} {}", phase.as_str(), end.describe())
            }
            Self::Awaiting { container_id } => write!(f, "waiting for the end of {container_id}"),
            Self::VolumesUnmeasured => f.write_str(
                "the engine does not report the sizes of its volumes: what is written to them is not checked",
            ),
            Self::Collecting => f.write_str("collecting results"),
            Self::Cleaning => f.write_str("cleaning up"),
        }
    }
}
