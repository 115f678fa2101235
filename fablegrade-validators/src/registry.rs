//! The host of this process: the standard validators and those that the program registers.
//!
//! Bindings use it: their callers register a validator once and grade in many places.

use std::sync::{Arc, PoisonError, RwLock};

use fablegrade_core::{Host, StateValidator};

static HOST: RwLock<Option<Arc<Host>>> = RwLock::new(None);

/// Returns the host of this process. A question that was compiled before a registration keeps its validator.
pub fn host() -> Arc<Host> {
    if let Some(host) = HOST.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
        return Arc::clone(host);
    }
    let mut place = HOST.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(place.get_or_insert_with(|| Arc::new(crate::standard())))
}

/// Registers a validator in this process; it replaces one with the same name.
///
/// # Errors
/// When the name is not 1 to 64 lower-case letters, digits or `_`.
pub fn register(name: &str, validator: Arc<dyn StateValidator>) -> Result<(), InvalidName> {
    if !Host::is_name(name) {
        return Err(InvalidName);
    }
    let known = host();
    let mut place = HOST.write().unwrap_or_else(PoisonError::into_inner);
    let before = place.take();
    let host = Host::clone(before.as_ref().unwrap_or(&known)).with_shared(name, validator);
    *place = Some(Arc::new(host));
    // A replaced validator is dropped without the lock, because its destructor can use the registry.
    drop(place);
    drop(before);
    Ok(())
}

/// An invalid name of a validator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidName;

impl std::fmt::Display for InvalidName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a validator's name has 1 to 64 lower-case letters, digits or `_`")
    }
}

impl std::error::Error for InvalidName {}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use crate::foreign::{Foreign, ForeignValidator};

    /// Uses the registry when it is dropped.
    struct Last;

    impl Foreign for Last {
        fn ask(&self, _: &str) -> Result<String, String> {
            Ok(r#"{"score":1}"#.to_owned())
        }
    }

    impl Drop for Last {
        fn drop(&mut self) {
            host();
        }
    }

    #[test]
    fn a_replaced_validator_can_use_the_registry_when_it_is_dropped() {
        let (send, done) = channel();
        std::thread::spawn(move || {
            for _ in 0..2 {
                register("last", Arc::new(ForeignValidator::new(Last, "[]").unwrap())).unwrap();
            }
            send.send(())
        });
        done.recv_timeout(Duration::from_secs(60)).unwrap();
    }
}
