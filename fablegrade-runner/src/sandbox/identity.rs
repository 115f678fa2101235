//! The host user that a case runs as.

use super::trouble::Trouble;
use crate::cancel::Cancel;
use std::collections::BTreeSet;
use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The number of reserved ids: the base is the group, and each of the others can be a case's user.
const SLOTS: u32 = 4096;

/// The user who runs the cases.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    /// Started by root: each case runs as a separate user that no other process uses. These users share a
    /// group.
    Slots { base: u32, taken: Arc<Mutex<BTreeSet<u32>>> },
    /// Otherwise: cases run as this process's user, one after another.
    Own { turns: Arc<Turns> },
}

/// Runs that take turns.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    taken: Mutex<bool>,
    free: Condvar,
}

/// The turn of a run, which ends when this is dropped; `None` if runs do not take turns.
#[derive(Debug)]
pub(crate) struct Turn<'a>(Option<&'a Turns>);

/// The interval between checks whether a run that waits for its turn was cancelled.
const LOOK: Duration = Duration::from_millis(20);

impl Turns {
    /// Waits until no other run has its turn; `None` if one of the tokens was cancelled before.
    fn wait(&self, cancels: &[&Cancel]) -> Option<Turn<'_>> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if cancels.iter().any(|cancel| cancel.is_cancelled()) {
                return None;
            }
            if !*taken {
                *taken = true;
                return Some(Turn(Some(self)));
            }
            taken = self.free.wait_timeout(taken, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(turns) = self.0 {
            *turns.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
            turns.free.notify_one();
        }
    }
}

/// A user that is reserved for one case.
#[derive(Debug)]
pub(crate) struct ReservedUser {
    pub(crate) user: u32,
    taken: Arc<Mutex<BTreeSet<u32>>>,
    /// An abstract socket name can be bound once in a network namespace. It is released when the socket is
    /// closed, at the latest when the process ends.
    _lock: UnixDatagram,
}

impl Drop for ReservedUser {
    fn drop(&mut self) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.user);
    }
}

impl Identity {
    pub(crate) fn own() -> Self {
        Self::Own { turns: Arc::default() }
    }

    /// Waits for the turn of a run; there are no turns if each case has a separate user. Returns `None` if one of
    /// the tokens was cancelled before.
    pub(crate) fn turn(&self, cancels: &[&Cancel]) -> Option<Turn<'_>> {
        match self {
            Self::Own { turns } => turns.wait(cancels),
            Self::Slots { .. } if cancels.iter().any(|cancel| cancel.is_cancelled()) => None,
            Self::Slots { .. } => Some(Turn(None)),
        }
    }

    pub(crate) fn detect(effective_user: u32) -> Self {
        if effective_user != 0 {
            return Self::own();
        }
        // The first base is far above the ids that distributions, containers and directory services assign.
        // The others are for containers that map fewer ids.
        let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        let mapped = |user: u64| {
            map.lines().any(|line| {
                let mut fields = line.split_ascii_whitespace().filter_map(|field| field.parse::<u64>().ok());
                matches!((fields.next(), fields.nth(1)), (Some(first), Some(count)) if first <= user && user - first < count)
            })
        };
        // If none of them is mapped, root of this namespace is usually an ordinary user outside it.
        let bases = [1_900_000_000, 61_000, 30_000];
        let Some(base) = bases.into_iter().find(|base| mapped(u64::from(base + SLOTS))) else {
            return Self::own();
        };
        Self::Slots { base, taken: Arc::default() }
    }

    /// Returns the group that can read the files shown to the sandbox.
    pub(crate) fn group(&self) -> Option<u32> {
        match self {
            Self::Slots { base, .. } => Some(*base),
            Self::Own { .. } => None,
        }
    }

    /// Reserves a user that no other runner in this network namespace can reserve; `None` if cases run as
    /// this process's user. Containers with separate network namespaces share no name that could be reserved.
    pub(crate) fn reserve_user(&self) -> Result<Option<ReservedUser>, Trouble> {
        let Self::Slots { base, taken } = self else { return Ok(None) };
        for user in base + 1..base + SLOTS {
            if !taken.lock().unwrap_or_else(PoisonError::into_inner).insert(user) {
                continue;
            }
            let lock = SocketAddr::from_abstract_name(format!("fablegrade-user-{user}"))
                .and_then(|name| UnixDatagram::bind_addr(&name));
            match lock {
                Ok(lock) => return Ok(Some(ReservedUser { user, taken: Arc::clone(taken), _lock: lock })),
                Err(_) => taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&user),
            };
        }
        Err(Trouble::UsersTaken { first: *base })
    }
}

#[cfg(test)]
mod tests {
    use super::{Cancel, Identity};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    #[test]
    fn a_run_that_waits_for_its_turn_can_be_cancelled() {
        let identity = Identity::own();
        let (idle, cancel) = (Cancel::new(), Cancel::new());
        let turn = identity.turn(&[&idle]);
        assert!(turn.is_some());
        let begun = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                cancel.cancel();
            });
            assert!(identity.turn(&[&idle, &cancel]).is_none());
        });
        assert!(begun.elapsed() >= Duration::from_millis(50));
        drop(turn);
        assert!(identity.turn(&[&cancel]).is_none() && identity.turn(&[&idle]).is_some());
        let slots = Identity::Slots { base: 0, taken: std::sync::Arc::default() };
        assert!(slots.turn(&[&idle, &cancel]).is_none() && slots.turn(&[&idle]).is_some());
    }

    #[test]
    fn turns_do_not_overlap() {
        let (identity, idle, running) = (Identity::own(), Cancel::new(), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let turn = identity.turn(&[&idle]);
                        assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                        running.fetch_sub(1, Ordering::SeqCst);
                        drop(turn);
                    }
                });
            }
        });
    }
}
