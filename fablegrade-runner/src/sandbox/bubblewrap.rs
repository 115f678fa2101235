//! The argument list for bubblewrap: everything that a submission can see is named here.

use super::job::Job;
use std::ffi::OsString;
use std::os::fd::RawFd;
use std::path::Path;

/// Descriptors that bubblewrap and the first process inherit.
pub(crate) struct Inherited {
    pub(crate) program: RawFd,
    pub(crate) filter: RawFd,
    pub(crate) control: RawFd,
    pub(crate) channel: Option<RawFd>,
}

const NAMESPACES: &[&str] = &[
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--disable-userns",
    "--die-with-parent",
    "--new-session",
    "--as-pid-1",
    "--clearenv",
];

/// Read-only parts of the host that programs and tool chains need: programs, libraries, and the two files that
/// name libraries and chosen versions. A distribution that keeps `/bin` apart from `/usr/bin` shows it too.
const ROOTS: &[&str] = &["/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"];
const ETC: &[&str] = &["/etc/alternatives", "/etc/ld.so.cache"];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What does not change from run to run, found once.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    fixed: Vec<OsString>,
}

impl Layout {
    pub(crate) fn detect() -> Self {
        let mut fixed: Vec<OsString> = NAMESPACES.iter().map(OsString::from).collect();
        let mut add = |words: &[&str]| fixed.extend(words.iter().map(OsString::from));
        add(&["--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]);
        add(&["--ro-bind", "/usr", "/usr"]);
        for root in ROOTS {
            match std::fs::read_link(root) {
                Ok(target) => add(&["--symlink", &target.to_string_lossy(), root]),
                Err(_) if Path::new(root).is_dir() => add(&["--ro-bind", root, root]),
                Err(_) => {}
            }
        }
        for file in ETC.iter().filter(|file| Path::new(file).exists()) {
            add(&["--ro-bind", file, file]);
        }
        add(&["--proc", "/proc"]);
        for device in DEVICES {
            add(&["--dev-bind", device, device]);
        }
        add(&["--symlink", "/proc/self/fd", "/dev/fd", "--symlink", "/proc/self/fd/0", "/dev/stdin"]);
        add(&["--symlink", "/proc/self/fd/1", "/dev/stdout", "--symlink", "/proc/self/fd/2", "/dev/stderr"]);
        // One place to write, so that one size bounds everything.
        add(&["--symlink", "/tmp", "/dev/shm", "--symlink", "/tmp", "/var/tmp"]);
        Self { fixed }
    }

    /// The whole list without the program's name. The command line of bubblewrap is visible on the host; it holds
    /// nothing of the submission.
    pub(crate) fn arguments(&self, job: &Job, inherited: &Inherited) -> Vec<OsString> {
        let mut all = self.fixed.clone();
        let mut add = |words: &[&dyn AsRef<std::ffi::OsStr>]| {
            all.extend(words.iter().map(|word| word.as_ref().to_owned()));
        };
        add(&[&"--seccomp", &inherited.filter.to_string()]);
        for path in &job.read_only {
            if path.exists() {
                add(&[&"--ro-bind", path, path]);
            }
        }
        if let Some(shown) = &job.shown {
            add(&[&"--ro-bind", shown, &"/box"]);
        }
        // A tmpfs of size 0 would be one without limit.
        add(&[&"--size", &job.limits.files.max(4096).to_string(), &"--tmpfs", &"/tmp"]);
        add(&[&"--remount-ro", &"/", &"--chdir", &"/tmp", &"--"]);
        add(&[&format!("/proc/self/fd/{}", inherited.program), &inherited.control.to_string()]);
        if let Some(channel) = inherited.channel {
            add(&[&channel.to_string()]);
        }
        all
    }
}
