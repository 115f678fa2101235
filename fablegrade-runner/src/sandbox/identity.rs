//! The host user that a case runs as.

use super::trouble::Trouble;
use std::collections::BTreeSet;
use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of users that are tried before giving up.
const SLOTS: u32 = 4096;

/// The user who runs the cases.
#[derive(Debug, Clone)]
pub(crate) enum Identity {
    /// Started by root: each case runs as a separate user that nothing else uses; these users share a group.
    Slots { base: u32, taken: Arc<Mutex<BTreeSet<u32>>> },
    /// Started by an ordinary user: cases run as that user, one after another.
    Own { run_lock: Arc<Mutex<()>> },
}

/// A user held for one case.
#[derive(Debug)]
pub(crate) struct ReservedUser {
    pub(crate) user: u32,
    taken: Arc<Mutex<BTreeSet<u32>>>,
    /// An abstract socket name belongs to one process on the host and is released when that process ends.
    _lock: UnixDatagram,
}

impl Drop for ReservedUser {
    fn drop(&mut self) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.user);
    }
}

impl Identity {
    pub(crate) fn own() -> Self {
        Self::Own { run_lock: Arc::default() }
    }

    pub(crate) fn detect(effective_user: u32) -> Self {
        if effective_user != 0 {
            return Self::own();
        }
        // Far above the ids that distributions, containers and directory services assign. In a container that
        // maps few ids, the highest part of the map.
        let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        let mapped = |user: u64| {
            map.lines().any(|line| {
                let mut fields = line.split_ascii_whitespace().filter_map(|field| field.parse::<u64>().ok());
                matches!((fields.next(), fields.nth(1)), (Some(first), Some(count)) if first <= user && user - first < count)
            })
        };
        // If not even these are mapped, root of this namespace is an ordinary user outside it.
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

    /// Reserves a user that no other case on this host runs as; `None` for an ordinary user.
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
