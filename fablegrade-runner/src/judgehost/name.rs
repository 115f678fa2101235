//! Names of runs: each is unique, and shows whether its run can still be alive.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::sandbox::owner;

const PREFIX: &str = "fgjh";
/// Replaces the boot ID if the host does not report one.
const UNKNOWN_BOOT: &str = "00000000";

/// A name `fgjh-BOOT-SECONDS-OWNER`: the boot of the host, the start time, and the owner's process with a
/// number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunName {
    text: String,
    boot: String,
    started: Duration,
}

/// Returns eight hexadecimal digits that change with every boot of this host and differ between hosts;
/// [`UNKNOWN_BOOT`] if the host does not report its boot ID.
fn boot() -> &'static str {
    static BOOT: OnceLock<String> = OnceLock::new();
    BOOT.get_or_init(|| {
        let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let digits: String = id.chars().filter(char::is_ascii_hexdigit).take(8).collect();
        if digits.len() == 8 { digits } else { UNKNOWN_BOOT.into() }
    })
}

impl RunName {
    pub(super) fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let prefix = format!("{PREFIX}-{}-{:x}", boot(), now.as_secs());
        let text = owner::name(&prefix, NUMBER.fetch_add(1, Ordering::Relaxed));
        Self { text, boot: boot().to_owned(), started: Duration::from_secs(now.as_secs()) }
    }

    /// Parses a name; `None` if it has another form.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut fields = text.strip_prefix(PREFIX)?.strip_prefix('-')?.splitn(3, '-');
        let (boot, started) = (fields.next()?, u64::from_str_radix(fields.next()?, 16).ok()?);
        fields.next()?;
        Some(Self { text: text.to_owned(), boot: boot.to_owned(), started: Duration::from_secs(started) })
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the run is dead. If it was started since this host's boot and in this pid namespace,
    /// its process must have ended. Any other run must be older than `age`, because its process is not
    /// visible: it can be on another host or in another container of this host.
    pub(super) fn is_dead(&self, now: Duration, age: Duration) -> bool {
        if self.boot == boot() && self.boot != UNKNOWN_BOOT && owner::is_visible(&self.text, PREFIX) {
            return owner::is_gone(&self.text, PREFIX);
        }
        now.saturating_sub(self.started) > age
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, RunName, boot};

    #[test]
    fn names_differ_and_a_living_run_is_never_dead() {
        let (one, two) = (RunName::new(), RunName::new());
        assert_ne!(one, two);
        let read = RunName::parse(one.as_str()).unwrap();
        assert_eq!(read, one);
        assert!(!read.is_dead(Duration::MAX, Duration::ZERO), "this process lives");
    }

    #[test]
    fn a_run_of_an_ended_process_is_dead_at_once_and_one_of_another_host_by_its_age() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let own = RunName::new();
        let dead = own.as_str().replace(&format!("-{}-", std::process::id()), &format!("-{}-", child.id()));
        assert!(RunName::parse(&dead).unwrap().is_dead(own.started, Duration::MAX));
        let other = own.as_str().replacen(boot(), "fffffff0", 1);
        let other = RunName::parse(&other).unwrap();
        let hour = Duration::from_secs(3_600);
        assert!(!other.is_dead(own.started + hour, hour * 2));
        assert!(other.is_dead(own.started + hour * 3, hour * 2));
        // Another pid namespace of this host: its processes are not visible.
        let fields: Vec<&str> = own.as_str().split('-').collect();
        let [prefix, boot, seconds, namespace, rest @ ..] = &fields[..] else { panic!("{fields:?}") };
        let namespace: u64 = namespace.parse().unwrap();
        let hidden = format!("{prefix}-{boot}-{seconds}-{}-{}", namespace + 1, rest.join("-"));
        let hidden = RunName::parse(&hidden).unwrap();
        assert!(!hidden.is_dead(own.started + hour, hour * 2));
        assert!(hidden.is_dead(own.started + hour * 3, hour * 2));
        assert!(!hidden.is_dead(own.started + hour * 3, Duration::MAX));
        for name in ["", "fgjh", "fgjh-12", "fgjh-12-xyz-3", "other-1-2-3"] {
            assert_eq!(RunName::parse(name), None, "{name}");
        }
    }
}
