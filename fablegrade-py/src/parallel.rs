//! Rows on several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::interrupts::Watch;

/// Rows that a thread takes at a time.
const TAKEN: usize = 16;

/// Computes rows on several threads (0: one for each core), in order; `None` when the watch has ended it.
pub(crate) fn parallel<T: Send>(
    rows: usize,
    workers: usize,
    watch: &mut Watch,
    compute: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = if workers == 0 { cores() } else { workers }.min(rows.div_ceil(TAKEN)).max(1);
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let finished = AtomicUsize::new(0);
    // `stop` looks for signals and tells how far it is, which only the calling thread can.
    let take = |mut stop: Option<&mut Watch>| {
        let mut done: Vec<(usize, Vec<T>)> = Vec::new();
        loop {
            let start = next.fetch_add(TAKEN, Ordering::Relaxed);
            if start >= rows {
                return done;
            }
            let mut part = Vec::with_capacity(TAKEN);
            for row in start..rows.min(start + TAKEN) {
                if stop.as_mut().is_some_and(|watch| watch.is_interrupted(finished.load(Ordering::Relaxed))) {
                    stopped.store(true, Ordering::Relaxed);
                }
                if stopped.load(Ordering::Relaxed) {
                    return done;
                }
                part.push(compute(row));
            }
            finished.fetch_add(part.len(), Ordering::Relaxed);
            done.push((start, part));
        }
    };
    let mut all: Vec<(usize, Vec<T>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..workers).map(|_| scope.spawn(|| take(None))).collect();
        let mut all = take(Some(watch));
        for thread in threads {
            match thread.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    if stopped.load(Ordering::Relaxed) {
        return None;
    }
    all.sort_by_key(|(start, _)| *start);
    Some(all.into_iter().flat_map(|(_, rows)| rows).collect())
}
