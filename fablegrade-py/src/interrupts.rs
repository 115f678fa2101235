//! Ctrl-C while native code runs: the interpreter looks for signals on its main thread alone, between lines of Python.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;

/// How long work goes on before signals are looked for.
const TICK: Duration = Duration::from_millis(25);
/// Answers between two readings of the clock, which takes a good part of the time of a short answer.
const ANSWERS: u32 = 8;

/// Looks for signals during work that does not hold the interpreter's lock.
pub(crate) struct Watch {
    /// The interpreter's main thread, if it made this. No other one may wait for the lock: the main thread could hold it
    /// while it waits for that one.
    main: Option<ThreadId>,
    next: Instant,
    answers: u32,
}

impl Watch {
    pub(crate) fn new(py: Python<'_>) -> PyResult<Self> {
        let threading = py.import(intern!(py, "threading"))?;
        let here = threading.call_method0(intern!(py, "current_thread"))?;
        let is_main = here.is(&threading.call_method0(intern!(py, "main_thread"))?);
        Ok(Self { main: is_main.then(|| thread::current().id()), next: Instant::now() + TICK, answers: 0 })
    }

    /// Counts an answer; whether Ctrl-C was pressed. Then the work ends, and [`interrupted`] is its error.
    pub(crate) fn is_interrupted(&mut self) -> bool {
        self.answers += 1;
        if self.answers < ANSWERS {
            return false;
        }
        self.answers = 0;
        let now = Instant::now();
        if now < self.next || self.main != Some(thread::current().id()) {
            return false;
        }
        self.next = now + TICK;
        Python::attach(|py| {
            let signal = py.check_signals().is_err();
            if signal {
                // Looking has cleared it, and only the caller can raise it.
                let again = py.import(intern!(py, "_thread"));
                let _ = again.and_then(|thread| thread.call_method0(intern!(py, "interrupt_main")));
            }
            signal
        })
    }
}

/// The error of work that a [`Watch`] has ended.
pub(crate) fn interrupted(py: Python<'_>) -> PyErr {
    py.check_signals().err().unwrap_or_else(|| PyKeyboardInterrupt::new_err(()))
}

/// Runs `work` on a thread of its own while this one looks for signals. After Ctrl-C `stop` is called, and the work is
/// waited for.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: impl FnOnce(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (send, mut ended) = channel();
        let worker = scope.spawn(move || {
            // Nobody listens after an interrupt.
            let _ = send.send(work());
        });
        let failure = loop {
            let (answer, again) = py.detach(move || (ended.recv_timeout(TICK), ended));
            ended = again;
            match answer {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => {
                    break PyRuntimeError::new_err("internal error; please report it");
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = py.check_signals() {
                        break interrupt;
                    }
                }
            }
        };
        stop();
        // The work may need the interpreter, for a validator that is written in Python.
        let _ = py.detach(|| worker.join());
        Err(failure)
    })
}
