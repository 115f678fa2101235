//! Counters of a runner, for a host's metrics.

use crate::sandbox::{End, Outcome};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counters of a runner since its creation. They only grow, except for `running`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// The number of programs that are running now, not counting compilers.
    pub running: u64,
    /// The number of ended runs, including those that failed because of the host. A repeated run counts once.
    pub runs: u64,
    /// The number of runs that exceeded a time limit.
    pub timeouts: u64,
    /// The number of runs that exceeded their memory limit.
    pub memory_exceeded: u64,
    /// The number of runs that exceeded their output limit.
    pub output_limit: u64,
    /// The number of runs that failed because of the host.
    pub troubles: u64,
    /// The total CPU time of the runs, not counting compilers.
    pub cpu: Duration,
    /// The number of compilations, including failed ones.
    pub compiled: u64,
    /// The number of times that a compiled program was found in the cache.
    pub from_cache: u64,
}

/// The counters of a runner, written from many threads.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    running: AtomicU64,
    runs: AtomicU64,
    timeouts: AtomicU64,
    memory_exceeded: AtomicU64,
    output_limit: AtomicU64,
    troubles: AtomicU64,
    cpu_microseconds: AtomicU64,
}

/// Counts programs as running until it is dropped.
pub(crate) struct Running<'a>(&'a Counts, u64);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(self.1, Ordering::Relaxed);
    }
}

fn one_more(count: &AtomicU64) {
    count.fetch_add(1, Ordering::Relaxed);
}

impl Counts {
    pub(crate) fn begin(&self, programs: u64) -> Running<'_> {
        self.running.fetch_add(programs, Ordering::Relaxed);
        Running(self, programs)
    }

    pub(crate) fn add(&self, done: &Outcome) {
        one_more(&self.runs);
        let microseconds = u64::try_from(done.cpu.as_micros()).unwrap_or(u64::MAX);
        self.cpu_microseconds.fetch_add(microseconds, Ordering::Relaxed);
        match &done.end {
            End::Timeout => one_more(&self.timeouts),
            End::MemoryExceeded => one_more(&self.memory_exceeded),
            End::OutputLimit => one_more(&self.output_limit),
            End::Trouble(_) => one_more(&self.troubles),
            End::Exited(_) | End::Signalled(_) | End::Cancelled | End::NotStarted(_) => {}
        }
    }

    pub(crate) fn now(&self, compiled: u64, from_cache: u64) -> Counters {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Counters {
            running: read(&self.running),
            runs: read(&self.runs),
            timeouts: read(&self.timeouts),
            memory_exceeded: read(&self.memory_exceeded),
            output_limit: read(&self.output_limit),
            troubles: read(&self.troubles),
            cpu: Duration::from_micros(read(&self.cpu_microseconds)),
            compiled,
            from_cache,
        }
    }
}
