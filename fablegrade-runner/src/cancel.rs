//! Ends what is running from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token that ends the runs it was given to. Clones are the same token; it cannot be used again once cancelled.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends every run that has this token, within some twenty milliseconds and the time that the kernel needs to end its
    /// processes. Cases that were running or had not begun are [`End::Skipped`](fablegrade_core::End::Skipped).
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Returns whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
