//! The argument list for bubblewrap, which determines the file system that a submission sees.

use super::job::{GivenFile, Job};
use super::protocol::{DEVICES, MACHINE_FILES, MACHINE_FOLDERS};
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
    "--die-with-parent",
    "--new-session",
    "--as-pid-1",
    "--clearenv",
];

/// Read-only parts of the host that are visible together with `/usr`: folders of programs and libraries, often links
/// into `/usr`, and the entries of `/etc` that name libraries and alternatives.
const ROOTS: &[&str] = &["/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"];
const ETC: &[&str] = &["/etc/alternatives", "/etc/ld.so.cache"];

/// A program's own files, and the folder that it can write to.
const OWN: &str = "/box";
const SPACE: &str = "/tmp";

/// Limits on the `/box` files that are copied: their number, and their total size in bytes.
pub(crate) const COPIED_FILES: usize = 256;
const COPIED_BYTES: u64 = 64 << 20;

/// The program that completes the isolation. It hides what `/proc` reveals about the machine, forbids further user
/// namespaces, gives up privileges, and installs the system call filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hardening {
    /// The first process, which needs fewer system calls than bubblewrap. On some hosts it has no privileges
    /// in the namespace that bubblewrap creates.
    FirstProcess,
    /// bubblewrap itself, through its options.
    Bubblewrap,
}

/// The capabilities that the first process needs to complete the isolation.
const PRIVILEGES: &[&str] = &["CAP_SYS_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP"];

/// The arguments that do not depend on the job. `system` is used only by jobs that see all of `/usr`.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    hardening: Hardening,
    fixed: Vec<OsString>,
    system: Vec<OsString>,
}

/// A file that is copied into the sandbox: its path there, whether it is executable, and its descriptor.
type Copied = (PathBuf, bool, OwnedFd);

/// The files of `/box` and a job's given files. Copies are private to the job, so no other job can read
/// information from them, and the list of mounts reveals no path of the host.
#[derive(Default)]
pub(crate) struct OwnFiles {
    copied: Vec<Copied>,
    /// The folder that is mounted as `/box` because it cannot be copied.
    mounted: Option<PathBuf>,
}

impl OwnFiles {
    pub(crate) fn open(shown: Option<&Path>, given: &[GivenFile]) -> io::Result<Self> {
        let mut files = Self::default();
        if let Some(shown) = shown {
            match copied(shown)? {
                Some(copied) => files.copied = copied,
                None => files.mounted = Some(shown.to_owned()),
            }
        }
        for file in given {
            let path = file.checked_path()?;
            if files.mounted.is_some() && path.starts_with(OWN) {
                let why = format!(
                    "{}: the program's folder cannot be copied (too many or too large files, or links), so no file can be added",
                    path.display()
                );
                return Err(io::Error::other(why));
            }
            files.copied.retain(|(known, ..)| known != path);
            let memory = syscalls::sealed_memory("file", &file.content, 0o444)?;
            let memory = syscalls::moved_up(syscalls::reopen(&memory)?)?;
            files.copied.push((path.to_owned(), file.executable, memory));
        }
        Ok(files)
    }

    pub(crate) fn descriptors(&self) -> impl Iterator<Item = &OwnedFd> {
        self.copied.iter().map(|(_, _, file)| file)
    }

    /// Appends the arguments for the files inside the writable folder if `writable` is true, otherwise those for all
    /// other files.
    fn arguments(&self, writable: bool, to: &mut Vec<OsString>) {
        if !writable {
            match &self.mounted {
                Some(folder) => to.extend(["--ro-bind".into(), folder.into(), OWN.into()]),
                None => to.extend(["--dir".into(), OWN.into()]),
            }
        }
        for (path, executable, file) in
            self.copied.iter().filter(|(path, ..)| path.starts_with(SPACE) == writable)
        {
            let mode = match (executable, writable) {
                (true, true) => "0755",
                (false, true) => "0644",
                (true, false) => "0555",
                (false, false) => "0444",
            };
            to.extend(["--perms".into(), mode.into(), "--file".into()]);
            to.extend([file.as_raw_fd().to_string().into(), path.into()]);
        }
    }
}

/// Opens the files of the folder for copying into `/box`. Returns `None` if they are too many or too large,
/// or if one is not a regular file.
fn copied(shown: &Path) -> io::Result<Option<Vec<Copied>>> {
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
                return Ok(None);
            }
            let file = syscalls::moved_up(fs::File::open(entry.path())?.into())?;
            files.push((Path::new(OWN).join(path), about.permissions().mode() & 0o100 != 0, file));
        }
    }
    Ok(Some(files))
}

fn hide_the_machine(add: &mut impl FnMut(&[&str])) {
    for name in MACHINE_FILES {
        let path = format!("/proc/{name}");
        // A file that only root can read on the host is unreadable in the sandbox anyway.
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
}

impl Layout {
    pub(crate) fn detect(hardening: Hardening) -> Self {
        let mut fixed: Vec<OsString> = NAMESPACES.iter().map(OsString::from).collect();
        let mut add = |words: &[&str]| fixed.extend(words.iter().map(OsString::from));
        add(&["--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]);
        add(&["--proc", "/proc"]);
        match hardening {
            Hardening::FirstProcess => PRIVILEGES.iter().for_each(|name| add(&["--cap-add", name])),
            Hardening::Bubblewrap => {
                add(&["--disable-userns"]);
                hide_the_machine(&mut add);
            }
        }
        for device in DEVICES {
            add(&["--dev-bind", device, device]);
        }
        add(&["--symlink", "/proc/self/fd", "/dev/fd", "--symlink", "/proc/self/fd/0", "/dev/stdin"]);
        add(&["--symlink", "/proc/self/fd/1", "/dev/stdout", "--symlink", "/proc/self/fd/2", "/dev/stderr"]);
        // With a single writable folder, one size limit bounds everything.
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
        Self { hardening, fixed, system }
    }

    pub(crate) fn is_hardened_by_bubblewrap(&self) -> bool {
        self.hardening == Hardening::Bubblewrap
    }

    /// Returns the arguments that do not depend on the job.
    pub(crate) fn words(&self) -> impl Iterator<Item = &OsString> {
        self.fixed.iter().chain(&self.system)
    }

    /// Returns the complete argument list without the program's name. bubblewrap's command line is visible on
    /// the host; of the submission, it contains only file names.
    pub(crate) fn arguments(&self, job: &Job, inherited: &Inherited<'_>) -> Vec<OsString> {
        let mut all = self.fixed.clone();
        if job.visible.system {
            all.extend(self.system.iter().cloned());
        }
        job.visible.places.arguments(job.visible.system, &mut all);
        inherited.own.arguments(false, &mut all);
        let size = job.limits.files.max(4096).to_string();
        // A tmpfs of size 0 would be unlimited.
        all.extend(["--size", &size, "--tmpfs", SPACE].map(OsString::from));
        inherited.own.arguments(true, &mut all);
        let mut add = |words: &[&dyn AsRef<std::ffi::OsStr>]| {
            all.extend(words.iter().map(|word| word.as_ref().to_owned()));
        };
        let filter = inherited.filter.to_string();
        if self.hardening == Hardening::Bubblewrap {
            add(&[&"--seccomp", &filter, &"--remount-ro", &"/"]);
        }
        add(&[&"--chdir", &SPACE, &"--"]);
        add(&[&format!("/proc/self/fd/{}", inherited.program), &inherited.control.to_string()]);
        add(&[&inherited.channel.map_or("-".to_owned(), |channel| channel.to_string())]);
        if self.hardening == Hardening::FirstProcess {
            add(&[&filter]);
        }
        all
    }
}
