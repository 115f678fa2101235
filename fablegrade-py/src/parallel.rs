//! Computes rows on several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interrupts::Watch;
use crate::validators::{has_raised, keep_raised, take_raised};

/// The number of rows that a thread takes at a time.
const TAKEN: usize = 16;

/// The maximum number of threads that a caller can request.
const MOST_THREADS: usize = 256;

/// Returns the number of threads for a caller's `workers`; 0 means one per core.
///
/// # Errors
/// If `workers` is negative.
pub(crate) fn threads(workers: isize) -> PyResult<usize> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match usize::try_from(workers) {
        Ok(0) => Ok(cores()),
        Ok(workers) => Ok(workers.min(MOST_THREADS)),
        Err(_) => Err(PyValueError::new_err(format!(
            "`workers` is a number of threads, or 0 for one per core, found {workers}"
        ))),
    }
}

/// Computes rows on several threads and returns them in order.
///
/// # Errors
/// The same as for [`Watch::run`].
pub(crate) fn parallel<T: Send>(
    rows: usize,
    threads: usize,
    watch: &mut Watch,
    compute: impl Fn(usize) -> T + Sync,
) -> PyResult<Vec<T>> {
    let mut states = vec![(); threads.min(rows.div_ceil(TAKEN)).max(1)];
    parallel_with(rows, &mut states, watch, |(), row| compute(row))
}

/// Works like [`parallel`], with at most one thread per state; each thread has its own state.
pub(crate) fn parallel_with<S: Send, T: Send>(
    rows: usize,
    states: &mut [S],
    watch: &mut Watch,
    compute: impl Fn(&mut S, usize) -> T + Sync,
) -> PyResult<Vec<T>> {
    let needed = states.len().min(rows.div_ceil(TAKEN));
    let Some((first, others)) = states[..needed].split_first_mut() else { return Ok(Vec::new()) };
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let finished = AtomicUsize::new(0);
    let take = |state: &mut S| {
        let mut done: Vec<(usize, Vec<T>)> = Vec::new();
        loop {
            let start = next.fetch_add(TAKEN, Ordering::Relaxed);
            if start >= rows {
                return done;
            }
            let mut part = Vec::with_capacity(TAKEN);
            for row in start..rows.min(start + TAKEN) {
                if stopped.load(Ordering::Relaxed) {
                    return done;
                }
                part.push(compute(state, row));
                if has_raised() {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
            finished.fetch_add(part.len(), Ordering::Relaxed);
            done.push((start, part));
        }
    };
    let mut all: Vec<(usize, Vec<T>)> = watch.run(&finished, &stopped, || {
        std::thread::scope(|scope| {
            let take = &take;
            let threads: Vec<_> =
                others.iter_mut().map(|state| scope.spawn(move || (take(state), take_raised()))).collect();
            let mut all = take(first);
            for thread in threads {
                match thread.join() {
                    Ok((done, raised)) => {
                        all.extend(done);
                        keep_raised(raised);
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    })?;
    all.sort_by_key(|(start, _)| *start);
    Ok(all.into_iter().flat_map(|(_, rows)| rows).collect())
}
