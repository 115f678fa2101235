//! Checks of the names and paths in a package.

use std::net::IpAddr;

pub use fablegrade_files::{PathProblem, absolute_path as container_path, relative_path as package_path};

/// Returns whether `text` is a problem id: `^[a-z][a-z0-9-]{2,63}$`.
pub fn is_problem_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    (3..=64).contains(&bytes.len())
        && bytes[0].is_ascii_lowercase()
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}

/// Returns whether `text` is the id of a container, rubric or submission package: `^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`.
pub fn is_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=64).contains(&bytes.len())
        && bytes[0].is_ascii_alphabetic()
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Returns whether `text` is a name of an environment variable that every shell can read:
/// `^[A-Za-z_][A-Za-z0-9_]{0,254}$`.
pub fn is_variable(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=255).contains(&bytes.len())
        && !bytes[0].is_ascii_digit()
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Returns whether `text` is a name that a container engine accepts for a volume or network:
/// `^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$`.
pub fn is_engine_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=128).contains(&bytes.len())
        && bytes[0].is_ascii_alphanumeric()
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Returns whether `text` is an IPv4 or IPv6 address.
pub fn is_address(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

/// The names of the Linux kernel's capabilities without `CAP_`, and `ALL`.
const CAPABILITIES: [&str; 42] = [
    "ALL",
    "AUDIT_CONTROL",
    "AUDIT_READ",
    "AUDIT_WRITE",
    "BLOCK_SUSPEND",
    "BPF",
    "CHECKPOINT_RESTORE",
    "CHOWN",
    "DAC_OVERRIDE",
    "DAC_READ_SEARCH",
    "FOWNER",
    "FSETID",
    "IPC_LOCK",
    "IPC_OWNER",
    "KILL",
    "LEASE",
    "LINUX_IMMUTABLE",
    "MAC_ADMIN",
    "MAC_OVERRIDE",
    "MKNOD",
    "NET_ADMIN",
    "NET_BIND_SERVICE",
    "NET_BROADCAST",
    "NET_RAW",
    "PERFMON",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYSLOG",
    "SYS_ADMIN",
    "SYS_BOOT",
    "SYS_CHROOT",
    "SYS_MODULE",
    "SYS_NICE",
    "SYS_PACCT",
    "SYS_PTRACE",
    "SYS_RAWIO",
    "SYS_RESOURCE",
    "SYS_TIME",
    "SYS_TTY_CONFIG",
    "WAKE_ALARM",
];

/// The capabilities that engines grant by default, so a configuration may always add them.
pub(crate) const ORDINARY_CAPABILITIES: [&str; 14] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "NET_RAW",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];

/// Returns the capability that `text` names, in the form `NET_RAW`. The text can have any case, with or without `CAP_`.
pub fn capability(text: &str) -> Option<&'static str> {
    let upper = text.to_ascii_uppercase();
    let bare = upper.strip_prefix("CAP_").unwrap_or(&upper);
    CAPABILITIES.into_iter().find(|known| *known == bare)
}

/// Returns whether `path` is `folder` or is below it. Both must be in the form that [`package_path`] or
/// [`container_path`] returns.
pub fn is_within(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
