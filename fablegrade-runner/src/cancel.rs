//! Cancels runs from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token that cancels the runs it was passed to. Clones share their state; a cancelled token cannot be
/// reused.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends every run with this token, within about twenty milliseconds plus the time that the kernel needs
    /// to end its processes. Cases that were running or had not started are
    /// [`End::Skipped`](fablegrade_core::End::Skipped).
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Returns whether the token was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
