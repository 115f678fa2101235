//! The argument list for bubblewrap: everything that a submission can see is named here.

use super::job::Job;
use super::syscalls;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Descriptors that bubblewrap and the first process inherit.
pub(crate) struct Inherited<'a> {
    pub(crate) program: RawFd,
    pub(crate) filter: RawFd,
    pub(crate) control: RawFd,
    pub(crate) channel: Option<RawFd>,
    pub(crate) own: &'a OwnFiles,
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

/// Read-only parts of the host that compilers need: programs, libraries, and the two files that name libraries and
/// chosen versions. A distribution that keeps `/bin` apart from `/usr/bin` shows it too.
const ROOTS: &[&str] = &["/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"];
const ETC: &[&str] = &["/etc/alternatives", "/etc/ld.so.cache"];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What `/proc` tells of the whole machine: who it is, and counters that one case could move and another read. Their
/// contents are hidden; processes, `cpuinfo`, `filesystems`, `version` stay.
const MACHINE_FILES: &[&str] = &[
    "bootconfig",
    "buddyinfo",
    "cgroups",
    "cmdline",
    "config.gz",
    "diskstats",
    "interrupts",
    "key-users",
    "keys",
    "latency_stats",
    "loadavg",
    "locks",
    "mdstat",
    "meminfo",
    "modules",
    "partitions",
    "sched_debug",
    "schedstat",
    "softirqs",
    "stat",
    "swaps",
    "timer_stats",
    "uptime",
    "vmstat",
    "zoneinfo",
];
const MACHINE_FOLDERS: &[&str] =
    &["acpi", "asound", "bus", "driver", "fs", "irq", "pressure", "scsi", "sys", "tty"];

/// The most files of `/box` that are copied, and their bytes together.
pub(crate) const COPIED_FILES: usize = 256;
const COPIED_BYTES: u64 = 64 << 20;

/// What does not change from run to run, found once.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    fixed: Vec<OsString>,
    system: Vec<OsString>,
}

/// The files of `/box`.
pub(crate) enum OwnFiles {
    /// Copied into the sandbox: their paths below `/box`, whether they may be executed, and descriptors. No other job
    /// has these files, so nothing can be told by them, and no path of the host is in the list of mounts.
    Copied(Vec<(PathBuf, bool, OwnedFd)>),
    /// Too many or too large to be copied.
    Mounted(PathBuf),
    None,
}

impl OwnFiles {
    pub(crate) fn open(shown: Option<&Path>) -> io::Result<Self> {
        let Some(shown) = shown else { return Ok(Self::None) };
        let (mut files, mut bytes) = (Vec::new(), 0);
        let mut left = vec![PathBuf::new()];
        while let Some(folder) = left.pop() {
            for entry in fs::read_dir(shown.join(&folder))? {
                let entry = entry?;
                let (about, path) = (entry.metadata()?, folder.join(entry.file_name()));
                if about.is_dir() {
                    left.push(path);
                    continue;
                }
                bytes += about.len();
                if !about.is_file() || files.len() == COPIED_FILES || bytes > COPIED_BYTES {
                    return Ok(Self::Mounted(shown.to_owned()));
                }
                let file = syscalls::moved_up(fs::File::open(entry.path())?.into())?;
                files.push((path, about.permissions().mode() & 0o100 != 0, file));
            }
        }
        Ok(Self::Copied(files))
    }

    pub(crate) fn descriptors(&self) -> impl Iterator<Item = &OwnedFd> {
        let files = match self {
            Self::Copied(files) => files.as_slice(),
            _ => &[],
        };
        files.iter().map(|(_, _, file)| file)
    }

    fn arguments(&self, to: &mut Vec<OsString>) {
        match self {
            Self::Copied(files) => {
                to.extend(["--dir".into(), "/box".into()]);
                for (path, executable, file) in files {
                    let mode = if *executable { "0555" } else { "0444" };
                    to.extend(["--perms".into(), mode.into(), "--file".into()]);
                    to.extend([file.as_raw_fd().to_string().into(), Path::new("/box").join(path).into()]);
                }
            }
            Self::Mounted(folder) => to.extend(["--ro-bind".into(), folder.into(), "/box".into()]),
            Self::None => {}
        }
    }
}

impl Layout {
    pub(crate) fn detect() -> Self {
        let mut fixed: Vec<OsString> = NAMESPACES.iter().map(OsString::from).collect();
        let mut add = |words: &[&str]| fixed.extend(words.iter().map(OsString::from));
        add(&["--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]);
        add(&["--proc", "/proc"]);
        for name in MACHINE_FILES {
            let path = format!("/proc/{name}");
            // What only root may read on the host, nobody can read in the sandbox.
            if fs::metadata(&path).is_ok_and(|about| about.permissions().mode() & 0o004 != 0) {
                add(&["--ro-bind", "/dev/null", &path]);
            }
        }
        for name in MACHINE_FOLDERS {
            let path = format!("/proc/{name}");
            if Path::new(&path).is_dir() {
                add(&["--perms", "0555", "--size", "4096", "--tmpfs", &path, "--remount-ro", &path]);
            }
        }
        for device in DEVICES {
            add(&["--dev-bind", device, device]);
        }
        add(&["--symlink", "/proc/self/fd", "/dev/fd", "--symlink", "/proc/self/fd/0", "/dev/stdin"]);
        add(&["--symlink", "/proc/self/fd/1", "/dev/stdout", "--symlink", "/proc/self/fd/2", "/dev/stderr"]);
        // One place to write, so that one size bounds everything.
        add(&["--symlink", "/tmp", "/dev/shm", "--symlink", "/tmp", "/var/tmp"]);
        let mut system: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| system.extend(words.iter().map(OsString::from));
        add(&["--ro-bind", "/usr", "/usr"]);
        for root in ROOTS {
            match fs::read_link(root) {
                Ok(target) => add(&["--symlink", &target.to_string_lossy(), root]),
                Err(_) if Path::new(root).is_dir() => add(&["--ro-bind", root, root]),
                Err(_) => {}
            }
        }
        for file in ETC.iter().filter(|file| Path::new(file).exists()) {
            add(&["--ro-bind", file, file]);
        }
        Self { fixed, system }
    }

    /// The whole list without the program's name. The command line of bubblewrap is visible on the host; it holds
    /// nothing of the submission.
    pub(crate) fn arguments(&self, job: &Job, inherited: &Inherited<'_>) -> Vec<OsString> {
        let mut all = self.fixed.clone();
        if job.visible.system {
            all.extend(self.system.iter().cloned());
        }
        job.visible.places.arguments(job.visible.system, &mut all);
        inherited.own.arguments(&mut all);
        let mut add = |words: &[&dyn AsRef<std::ffi::OsStr>]| {
            all.extend(words.iter().map(|word| word.as_ref().to_owned()));
        };
        add(&[&"--seccomp", &inherited.filter.to_string()]);
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
