//! Handles Ctrl-C and reports progress while native code runs. The interpreter itself checks for signals only
//! on its main thread, between instructions of Python code.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;

/// The interval at which signals are checked.
const TICK: Duration = Duration::from_millis(25);
/// The minimum time between two calls of `progress`.
const REPORTED: Duration = Duration::from_millis(100);
/// The number of answers between two readings of the clock: reading it takes long relative to a short answer.
const ANSWERS: u32 = 8;

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
    next: Instant,
    answers: u32,
    /// The number of answers in finished rounds.
    before: usize,
    progress: Option<Progress>,
    /// The exception that `progress` raised.
    raised: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new(py: Python<'_>) -> PyResult<Self> {
        let threading = py.import(intern!(py, "threading"))?;
        let here = threading.call_method0(intern!(py, "current_thread"))?;
        let is_main = here.is(&threading.call_method0(intern!(py, "main_thread"))?);
        let main = is_main.then(|| thread::current().id());
        Ok(Self { main, next: Instant::now() + TICK, answers: 0, before: 0, progress: None, raised: None })
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

    /// Counts an answer, and returns whether the work must stop. `done` answers of this round are finished.
    ///
    /// It must stop if Ctrl-C was pressed or `progress` raised an exception; [`Watch::failure`] returns that
    /// error. Both are checked only from time to time.
    pub(crate) fn is_interrupted(&mut self, done: usize) -> bool {
        self.answers += 1;
        if self.answers < ANSWERS {
            return false;
        }
        self.answers = 0;
        let now = Instant::now();
        if let Some(progress) = self.progress.as_mut().filter(|progress| now >= progress.next) {
            progress.next = now + REPORTED;
            if let Err(raised) =
                Python::attach(|py| progress.call.call1(py, (self.before + done, progress.total)))
            {
                self.raised = Some(raised);
                return true;
            }
        }
        if now < self.next || self.main != Some(thread::current().id()) {
            return false;
        }
        self.next = now + TICK;
        Python::attach(|py| {
            let signal = py.check_signals().is_err();
            if signal {
                // The check has cleared the signal, but only the caller can raise the exception, so the
                // signal is set again.
                let again = py.import(intern!(py, "_thread"));
                let _ = again.and_then(|thread| thread.call_method0(intern!(py, "interrupt_main")));
            }
            signal
        })
    }

    /// Reports to `progress` that all answers are done.
    pub(crate) fn finish(self, py: Python<'_>, done: usize) -> PyResult<()> {
        match self.progress {
            Some(progress) => progress.call.call1(py, (done, done)).map(drop),
            None => Ok(()),
        }
    }

    /// Returns the error of work that was stopped.
    pub(crate) fn failure(self, py: Python<'_>) -> PyErr {
        let signal = || py.check_signals().err().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()));
        self.raised.unwrap_or_else(signal)
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
            // After an interrupt, the answer has no receiver.
            let _ = send.send(work());
        });
        let failure = loop {
            let (answer, again) = py.detach(move || (ended.recv_timeout(TICK), ended));
            ended = again;
            match answer {
                Ok(answer) => return tick().map(|()| answer),
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
