//! The outcome of a run, determined from its measurements.

use super::job::{End, Outcome};
use super::run::{Run, Stopped};
use std::time::Duration;

const SIGNAL_KILL: i32 = 9;

fn signal_of(status: i32) -> i32 {
    status & 0x7f
}

/// Returns the exit code in a `wait` status; `None` if a signal ended the program.
pub(super) fn exit_code(status: i32) -> Option<i32> {
    (signal_of(status) == 0).then_some(status >> 8 & 0xff)
}

impl Run<'_> {
    /// Returns the outcome; if several ends apply, the first one tested below wins.
    pub(super) fn conclude(self) -> Outcome {
        let (sandbox, job) = (self.sandbox, self.job);
        let limits = &job.limits;
        let ended = self.ended.map(|(ended, _)| ended);
        let told = ended.map_or(0, |ended| ended.own_microseconds + ended.orphan_microseconds);
        let cpu = self.cpu.max(Duration::from_micros(told));
        let counted = sandbox.tree.is_some();
        let memory = if counted {
            self.memory
        } else {
            self.memory.max(ended.map_or(0, |ended| ended.resident_kib) << 10)
        };
        let failed = ended.is_some_and(|ended| ended.status != 0);
        // A program that was refused memory is assumed to hold at least 95 % of the limit.
        let near_the_limit = memory >= limits.memory / 100 * 95 && (!counted || self.counters.at_limit > 0);
        let stopped = self.stopped.map(|(why, _)| why);
        let wrote_too_much = self.streams.over() || self.wrote_too_much;
        let exceeded = self.counters.oom_kills > 0 || stopped == Some(Stopped::Memory);
        // A program that forks without end is refused each new process, but the kernel frees its copies late.
        // Thousands of refused forks fill the group's memory, although the program holds little.
        let crowd = counted && self.memory_at_process_limit.is_some_and(|held| held < limits.memory / 2);
        let end = if let Some(cause) = self.trouble {
            End::Trouble(cause)
        } else if stopped == Some(Stopped::Cancelled) {
            End::Cancelled
        } else if !crowd && (exceeded || (failed && near_the_limit)) {
            End::MemoryExceeded
        } else if stopped == Some(Stopped::Time) || cpu > limits.cpu {
            End::Timeout
        } else if wrote_too_much || stopped == Some(Stopped::Output) || self.names > limits.names {
            End::OutputLimit
        } else if exceeded {
            End::Signalled(SIGNAL_KILL)
        } else if let Some(code) = self.not_started {
            End::NotStarted(code)
        } else if let Some(ended) = ended {
            exit_code(ended.status).map_or(End::Signalled(signal_of(ended.status)), End::Exited)
        } else if self.started.is_some() && self.killed_inside {
            // The runner did not kill the first process, so the program has ended its own sandbox.
            End::Signalled(SIGNAL_KILL)
        } else if self.started.is_some() {
            End::Trouble("the first process of the sandbox ended without a result".to_owned())
        } else {
            let said = String::from_utf8_lossy(&self.streams.errors.kept)
                .trim()
                .chars()
                .take(400)
                .collect::<String>();
            let said = if said.is_empty() { "it printed nothing".to_owned() } else { said };
            End::Trouble(format!("bubblewrap did not set up the sandbox: {said}"))
        };
        let wall = match (self.started, self.ended_at, self.stopped) {
            (Some(from), Some((.., to)), _) | (Some(from), None, Some((_, to))) => {
                to.saturating_duration_since(from)
            }
            _ => Duration::ZERO,
        };
        let spoken = self.streams.output.as_ref().map_or(0, |output| output.seen) + self.streams.errors.seen;
        let written = spoken as u64 + self.files.saturating_sub(self.given);
        let mut output = self.streams.output.map(|output| output.kept).unwrap_or_default();
        output.truncate(limits.output);
        let wanted = match (&end, &job.collect) {
            (End::Exited(0), Some(_)) => true,
            (End::Exited(_) | End::Signalled(_), Some(collect)) => collect.always,
            _ => false,
        };
        Outcome {
            end,
            output,
            errors: self.streams.errors.kept,
            channel: self.streams.channel.map(|channel| channel.kept).unwrap_or_default(),
            collected: if wanted { self.collected } else { Vec::new() },
            passed_over: self.passed_over,
            written,
            cpu,
            wall,
            memory,
        }
    }
}
