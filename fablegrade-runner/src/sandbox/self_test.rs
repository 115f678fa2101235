//! The self-test of the sandbox: probes that are run in the same way as submissions. They try forbidden
//! actions, exceed limits, or read the state of their process. If one fails, nothing is run.

use super::{End, Job, Limits, Outcome, PROBE, Sandbox, Visible};
use crate::cancel::Cancel;
use crate::error::Error;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One tested property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Short name, used in messages.
    pub name: &'static str,
    /// The protection that is in effect if the probe passes.
    pub holds: &'static str,
}

/// A private temporary folder on the host, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn make(sandbox: &Sandbox) -> Result<Self, Error> {
        let cannot = |source| Error::SelfTestSetup { what: "temporary folder", source };
        let path = super::private_folder("self-test", sandbox.group()).map_err(cannot)?;
        let folder = Self(path);
        let probe = folder.0.join("probe");
        super::show_file(&probe, PROBE, true, sandbox.group()).map_err(cannot)?;
        fs::write(folder.0.join("canary"), "canary of the host").map_err(cannot)?;
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn job(folder: &Path, words: &[&str]) -> Job {
    Job {
        command: std::iter::once("/box/probe").chain(words.iter().copied()).map(str::to_owned).collect(),
        environment: Vec::new(),
        directory: "/tmp".to_owned(),
        shown: Some(folder.to_owned()),
        visible: Visible::default(),
        input: Vec::new(),
        files: Vec::new(),
        channel: false,
        collect: None,
        cancel: Cancel::default(),
        limits: Limits {
            // Generous: only a failing sandbox or a very slow machine takes so long.
            cpu: Duration::from_secs(20),
            wall: Duration::from_secs(40),
            memory: 32 << 20,
            // Without control groups, this tests that the sum is watched, not that one large block is
            // refused.
            reserve: 128 << 20,
            processes: 16,
            ..Limits::default()
        },
    }
}

fn line<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| Some(line.strip_prefix(name)?.trim()))
}

/// Returns help for the usual causes of a sandbox that does not start; empty if none is recognised.
fn usual_causes(cause: &str) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let mut help = String::new();
    if read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns").trim() == "1" {
        help.push_str(
            "; AppArmor restricts user namespaces on this host (Ubuntu 23.10 and later): install an AppArmor profile \
             with `userns` for bwrap, or set kernel.apparmor_restrict_unprivileged_userns=0",
        );
    }
    if read("/proc/sys/kernel/unprivileged_userns_clone").trim() == "0" {
        help.push_str("; user namespaces are switched off: set kernel.unprivileged_userns_clone=1");
    }
    if read("/proc/sys/user/max_user_namespaces").trim() == "0" {
        help.push_str("; user namespaces are switched off: set user.max_user_namespaces above 0");
    }
    if cause.contains("ENOSPC") || cause.contains("No space left on device") {
        help.push_str(
            "; no more user namespaces are allowed here: raise user.max_user_namespaces, here or outside",
        );
    }
    let in_container = Path::new("/.dockerenv").exists() || Path::new("/run/.containerenv").exists();
    if in_container && (cause.contains("not permitted") || cause.contains("denied")) {
        help.push_str(
            "; this is a container whose seccomp or AppArmor profile forbids namespaces or mounts: start it with a \
             profile that allows them (Docker: `--security-opt seccomp=unconfined --security-opt \
             apparmor=unconfined --security-opt systempaths=unconfined`)",
        );
    }
    help
}

/// An observation that contradicts the expected protection.
struct Miss(String);

type Check = fn(&Outcome) -> Result<(), Miss>;

fn seen(outcome: &Outcome) -> Miss {
    let output = String::from_utf8_lossy(outcome.output.get(..200).unwrap_or(&outcome.output)).into_owned();
    Miss(format!("{:?}, {output:?}", outcome.end))
}

fn refused(outcome: &Outcome) -> Result<(), Miss> {
    let output = String::from_utf8_lossy(&outcome.output);
    let number = output.trim().strip_prefix("refused ").and_then(|number| number.parse::<u32>().ok());
    if outcome.end == End::Exited(0) && number.is_some_and(|number| number > 0) {
        Ok(())
    } else {
        Err(seen(outcome))
    }
}

fn status(outcome: &Outcome) -> Result<(), Miss> {
    let text = String::from_utf8_lossy(&outcome.output);
    for (name, wanted) in [
        ("NoNewPrivs:", "1"),
        ("Seccomp:", "2"),
        ("CapEff:", "0000000000000000"),
        ("CapPrm:", "0000000000000000"),
        ("CapBnd:", "0000000000000000"),
        ("CapAmb:", "0000000000000000"),
    ] {
        if line(&text, name) != Some(wanted) {
            return Err(Miss(format!("{name} is {:?} instead of {wanted}", line(&text, name))));
        }
    }
    if line(&text, "Uid:").is_some_and(|ids| ids.split_ascii_whitespace().all(|id| id == "1000")) {
        Ok(())
    } else {
        Err(Miss(format!("Uid: is {:?}", line(&text, "Uid:"))))
    }
}

fn few_forks(outcome: &Outcome) -> Result<(), Miss> {
    let output = String::from_utf8_lossy(&outcome.output);
    let count = output.trim().strip_prefix("forked ").and_then(|count| count.parse::<u32>().ok());
    // 16 including the probe itself; older kernels also count two processes outside the sandbox.
    if count.is_some_and(|count| (8..=18).contains(&count)) { Ok(()) } else { Err(seen(outcome)) }
}

fn ended(wanted: &End, outcome: &Outcome) -> Result<(), Miss> {
    if outcome.end == *wanted { Ok(()) } else { Err(seen(outcome)) }
}

/// Runs the probes one after another, until one fails.
pub(crate) fn run(sandbox: &Sandbox) -> Result<Vec<Probe>, Error> {
    let folder = Folder::make(sandbox)?;
    let listener = TcpListener::bind("127.0.0.1:0")
        .map_err(|source| Error::SelfTestSetup { what: "listener", source })?;
    let port = listener.local_addr().map(|address| address.port()).unwrap_or_default().to_string();
    let canary = folder.0.join("canary").to_string_lossy().into_owned();
    let plain = |words: &[&str]| job(&folder.0, words);
    let short = |words: &[&str]| {
        let mut job = job(&folder.0, words);
        job.limits.wall = Duration::from_millis(100);
        job
    };
    let probes: [(&'static str, &'static str, Job, Check); 12] = [
        (
            "authentic-result",
            "only the sandbox's own first process reports how a program ended",
            plain(&["e"]),
            |o| ended(&End::Exited(7), o),
        ),
        ("host-files", "files of the host cannot be read", plain(&["read", &canary]), refused),
        (
            "network",
            "the host's network, its own loopback included, cannot be reached",
            plain(&["connect", &port]),
            refused,
        ),
        (
            "privileges",
            "no capability, no new privileges, system calls filtered",
            plain(&["read", "/proc/self/status"]),
            status,
        ),
        (
            "machine",
            "information from the kernel about the whole machine is hidden",
            plain(&["read", "/proc/cmdline"]),
            refused,
        ),
        ("watching", "files opened by other programs cannot be watched", plain(&["inotify"]), refused),
        ("first-process", "the first process cannot be limited by a program", plain(&["limit"]), refused),
        ("namespaces", "no further namespace can be made", plain(&["unshare"]), refused),
        ("processes", "the number of processes is limited", plain(&["fork", "100"]), few_forks),
        (
            "memory",
            "a program that uses twice the allowed memory is stopped and reported as such",
            plain(&["memory", "64"]),
            |o| ended(&End::MemoryExceeded, o),
        ),
        ("clock", "a program that sleeps is stopped", short(&["sleep"]), |o| ended(&End::Timeout, o)),
        ("output", "endless output is stopped", plain(&["write"]), |o| ended(&End::OutputLimit, o)),
    ];
    let mut passed = Vec::new();
    for (name, holds, job, check) in probes {
        let outcome = sandbox.run(&job);
        if let End::Trouble(cause) = &outcome.end {
            let help = usual_causes(cause);
            return Err(Error::SelfTest { probe: name, failed: String::new(), seen: cause.clone(), help });
        }
        check(&outcome).map_err(|Miss(seen)| {
            let help = usual_causes(&seen);
            Error::SelfTest { probe: name, failed: format!(" failed ({holds})"), seen, help }
        })?;
        passed.push(Probe { name, holds });
    }
    Ok(passed)
}
