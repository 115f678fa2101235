//! The start of a built program: its command, its environment, and the visible part of the host.

use crate::cancel::Cancel;
use crate::compile;
use crate::languages::Toolchain;
use crate::sandbox::{Job, Limits, Visible, mebibytes};
use std::path::Path;

/// A command with the environment and limits that its language needs.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The command; `{memory}` is still to be replaced.
    pub(crate) command: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) visible: Visible,
    memory_mb: u64,
    reserve_mb: u64,
    stack_mb: Option<u64>,
    processes: u32,
}

impl Launch {
    /// Creates the launch of an executable file about which nothing is known.
    pub(crate) fn of_executable(command: String) -> Self {
        Self {
            command: vec![command],
            environment: compile::environment(&[]),
            visible: Visible::system(),
            memory_mb: 0,
            // The file can be a script for any interpreter.
            reserve_mb: 1024,
            stack_mb: None,
            processes: 64,
        }
    }

    #[cfg(feature = "terry")]
    pub(crate) fn of_source(toolchain: &Toolchain, ready: &compile::Ready) -> Self {
        Self::of(toolchain, compile::command(&toolchain.row.run, toolchain, &ready.words))
    }

    /// Creates the launch of a command of a language.
    pub(crate) fn of(toolchain: &Toolchain, command: Vec<String>) -> Self {
        let row = &toolchain.row;
        Self {
            command,
            environment: compile::environment(&[&row.environment]),
            visible: toolchain.running.clone(),
            memory_mb: row.memory_mb,
            reserve_mb: row.reserve_mb,
            stack_mb: row.stack_mb,
            processes: row.processes.unwrap_or(64),
        }
    }

    /// Lets the program start another one of this toolchain: shows what that needs, and adds the limits of its
    /// runtime.
    #[cfg(feature = "terry")]
    pub(crate) fn add_toolchain(&mut self, toolchain: &Toolchain) {
        let row = &toolchain.row;
        self.visible.add(&toolchain.running);
        self.memory_mb = self.memory_mb.saturating_add(row.memory_mb);
        // This is a limit on each process.
        self.reserve_mb = self.reserve_mb.max(row.reserve_mb);
        self.processes = self.processes.max(row.processes.unwrap_or_default());
    }

    /// Returns a job whose memory limit is `memory_mb` (MiB) plus the memory that the runtime needs. Other
    /// limits are those of the language, or the defaults.
    pub(crate) fn job(&self, arguments: Vec<String>, shown: &Path, memory_mb: u64) -> Job {
        let memory_mb = memory_mb.saturating_add(self.memory_mb);
        let mut command: Vec<String> =
            self.command.iter().map(|word| word.replace("{memory}", &memory_mb.to_string())).collect();
        command.extend(arguments);
        Job {
            command,
            environment: self.environment.clone(),
            shown: Some(shown.to_owned()),
            visible: self.visible.clone(),
            files: Vec::new(),
            directory: "/tmp".to_owned(),
            input: Vec::new(),
            channel: false,
            collect: None,
            cancel: Cancel::default(),
            limits: Limits {
                memory: mebibytes(memory_mb),
                reserve: mebibytes(self.reserve_mb),
                stack: mebibytes(self.stack_mb.unwrap_or(memory_mb.clamp(16, 256))),
                processes: self.processes,
                ..Limits::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Launch;
    use std::path::Path;

    #[test]
    fn a_job_takes_any_amount_of_memory() {
        let mut launch = Launch::of_executable("/box/run".to_owned());
        launch.memory_mb = 100;
        let job = launch.job(Vec::new(), Path::new("/x"), u64::MAX);
        assert_eq!((job.limits.memory, job.limits.stack), (u64::MAX, 256 << 20));
        assert_eq!(launch.job(Vec::new(), Path::new("/x"), 28).limits.memory, 128 << 20);
    }
}
