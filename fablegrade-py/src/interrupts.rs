//! Handles Ctrl-C and reports progress while native code runs. The interpreter itself checks for signals only
//! on its main thread, between instructions of Python code.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;

use crate::validators::take_raised;

/// The interval at which signals are checked.
const TICK: Duration = Duration::from_millis(25);
/// The minimum time between two calls of `progress`.
const REPORTED: Duration = Duration::from_millis(100);

/// A caller's `progress(done, total)`.
struct Progress {
    call: Py<PyAny>,
    total: Option<usize>,
    next: Instant,
}

/// Checks for signals and reports progress during work that does not hold the interpreter's lock.
pub(crate) struct Watch {
    /// The interpreter's main thread, if it made this watch. No other thread may wait for the lock here: the
    /// main thread could hold the lock while it waits for that thread.
    main: Option<ThreadId>,
    /// The number of answers in finished rounds.
    before: usize,
    progress: Option<Progress>,
}

impl Watch {
    pub(crate) fn new(py: Python<'_>) -> PyResult<Self> {
        let threading = py.import(intern!(py, "threading"))?;
        let here = threading.call_method0(intern!(py, "current_thread"))?;
        let is_main = here.is(&threading.call_method0(intern!(py, "main_thread"))?);
        let main = is_main.then(|| thread::current().id());
        Ok(Self { main, before: 0, progress: None })
    }

    /// Creates a watch that also calls `progress(done, total)` from time to time.
    ///
    /// The watch must stay on the calling thread: only that thread may wait for the interpreter's lock.
    pub(crate) fn reporting(
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        total: Option<usize>,
    ) -> PyResult<Self> {
        let mut watch = Self::new(py)?;
        if let Some(call) = progress {
            if !call.is_callable() {
                return Err(PyTypeError::new_err("`progress` is a function of (done, total), or None"));
            }
            watch.progress =
                Some(Progress { call: call.clone().unbind(), total, next: Instant::now() + REPORTED });
        }
        Ok(watch)
    }

    /// Begins a round after `done` answers.
    pub(crate) fn after(&mut self, done: usize) {
        self.before = done;
    }

    /// Runs a round of work, and returns its result. `work` counts its finished answers in `done`, and must end
    /// soon after `stopped` is set.
    ///
    /// # Errors
    /// An exception of a signal handler or of `progress`, which stops the work; otherwise an exception of a validator.
    pub(crate) fn run<T: Send>(
        &mut self,
        done: &AtomicUsize,
        stopped: &AtomicBool,
        work: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        if self.progress.is_none() && self.main != Some(thread::current().id()) {
            let done = work();
            return take_raised().map_or(Ok(done), Err);
        }
        Python::attach(|py| {
            let tick = || self.report(py, done.load(Ordering::Relaxed));
            interruptible(py, tick, || stopped.store(true, Ordering::Relaxed), work)
        })
    }

    /// Calls `progress` if enough time has passed since the last call. `done` answers of this round are finished.
    fn report(&mut self, py: Python<'_>, done: usize) -> PyResult<()> {
        let now = Instant::now();
        let Some(progress) = self.progress.as_mut().filter(|progress| now >= progress.next) else {
            return Ok(());
        };
        progress.next = now + REPORTED;
        progress.call.call1(py, (self.before + done, progress.total)).map(drop)
    }

    /// Reports to `progress` that all answers are done.
    pub(crate) fn finish(self, py: Python<'_>, done: usize) -> PyResult<()> {
        match self.progress {
            Some(progress) => progress.call.call1(py, (done, done)).map(drop),
            None => Ok(()),
        }
    }
}

/// Runs `work` on a separate thread while this one checks for signals and calls `tick`. After Ctrl-C, or an error from
/// `tick`, it calls `stop` and waits for the work to end.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    mut tick: impl FnMut() -> PyResult<()>,
    stop: impl FnOnce(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (send, mut ended) = channel();
        let worker = scope.spawn(move || {
            // After an interrupt, nothing reads the answer.
            let _ = send.send((work(), take_raised()));
        });
        let failure = loop {
            let (answer, again) = py.detach(move || (ended.recv_timeout(TICK), ended));
            ended = again;
            match answer {
                Ok((_, Some(raised))) => return Err(raised),
                Ok((answer, None)) => return tick().map(|()| answer),
                Err(RecvTimeoutError::Disconnected) => {
                    break PyRuntimeError::new_err("internal error; please report it");
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = py.check_signals().and_then(|()| tick()) {
                        break interrupt;
                    }
                }
            }
        };
        stop();
        // Releases the lock, because the work can need it for a validator that is written in Python.
        let _ = py.detach(|| worker.join());
        Err(failure)
    })
}
