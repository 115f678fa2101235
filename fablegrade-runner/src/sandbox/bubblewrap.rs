//! The argument list for bubblewrap: everything that a submission can see is in it.

use super::job::{GivenFile, Job};
use super::protocol::{MACHINE_FILES, MACHINE_FOLDERS};
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

/// Read-only parts of the host that compilers need: programs, libraries, and the two files that name libraries and
/// chosen versions. A distribution that keeps `/bin` apart from `/usr/bin` shows it too.
const ROOTS: &[&str] = &["/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"];
const ETC: &[&str] = &["/etc/alternatives", "/etc/ld.so.cache"];
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// A program's own files, and the folder that it can write to.
const OWN: &str = "/box";
const SPACE: &str = "/tmp";

/// The maximum number of files of `/box` that are copied, and of their bytes together.
pub(crate) const COPIED_FILES: usize = 256;
const COPIED_BYTES: u64 = 64 << 20;

/// The program that does the last steps of closing a sandbox: hides what `/proc` reveals about the machine, forbids
/// further user namespaces, gives up privileges, installs the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// The first process, with few calls. On some hosts bubblewrap can make a namespace, but the program that it starts
    /// has no privileges in it.
    FirstProcess,
    /// bubblewrap, by its options.
    Bubblewrap,
}

/// The privileges that the first process needs for that.
const PRIVILEGES: &[&str] = &["CAP_SYS_ADMIN", "CAP_SYS_RESOURCE", "CAP_SETPCAP"];

/// The parts that do not change from run to run, found once.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    closing: Closing,
    fixed: Vec<OsString>,
    system: Vec<OsString>,
}

/// A file that is copied into the sandbox: its place, whether it may be executed, its bytes.
type Copied = (PathBuf, bool, OwnedFd);

/// The files of `/box` and those that a job is given. No other job has them, so no information can pass through them,
/// and no path of the host is in the list of mounts.
#[derive(Default)]
pub(crate) struct OwnFiles {
    copied: Vec<Copied>,
    /// Mounted as `/box` if it is too large to copy.
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
                let why =
                    format!("{}: the program has too many files to put one beside them", path.display());
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

    /// Collects the arguments for the folders within or outside of the folder that programs can write to.
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

/// Returns the files of the folder as they are in `/box`; `None`: too many, too large, or not only files.
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
        // What only root may read on the host cannot be read in the sandbox.
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
    pub(crate) fn detect(closing: Closing) -> Self {
        let mut fixed: Vec<OsString> = NAMESPACES.iter().map(OsString::from).collect();
        let mut add = |words: &[&str]| fixed.extend(words.iter().map(OsString::from));
        add(&["--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]);
        add(&["--proc", "/proc"]);
        match closing {
            Closing::FirstProcess => PRIVILEGES.iter().for_each(|name| add(&["--cap-add", name])),
            Closing::Bubblewrap => {
                add(&["--disable-userns"]);
                hide_the_machine(&mut add);
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
        Self { closing, fixed, system }
    }

    pub(crate) fn is_closed_by_bubblewrap(&self) -> bool {
        self.closing == Closing::Bubblewrap
    }

    /// Returns the arguments that are the same for each run.
    pub(crate) fn words(&self) -> impl Iterator<Item = &OsString> {
        self.fixed.iter().chain(&self.system)
    }

    /// Returns the whole list without the program's name. The command line of bubblewrap is visible on the host; it
    /// holds nothing of the submission.
    pub(crate) fn arguments(&self, job: &Job, inherited: &Inherited<'_>) -> Vec<OsString> {
        let mut all = self.fixed.clone();
        if job.visible.system {
            all.extend(self.system.iter().cloned());
        }
        job.visible.places.arguments(job.visible.system, &mut all);
        inherited.own.arguments(false, &mut all);
        let size = job.limits.files.max(4096).to_string();
        // A tmpfs of size 0 would be one without limit.
        all.extend(["--size", &size, "--tmpfs", SPACE].map(OsString::from));
        inherited.own.arguments(true, &mut all);
        let mut add = |words: &[&dyn AsRef<std::ffi::OsStr>]| {
            all.extend(words.iter().map(|word| word.as_ref().to_owned()));
        };
        let filter = inherited.filter.to_string();
        if self.closing == Closing::Bubblewrap {
            add(&[&"--seccomp", &filter, &"--remount-ro", &"/"]);
        }
        add(&[&"--chdir", &SPACE, &"--"]);
        add(&[&format!("/proc/self/fd/{}", inherited.program), &inherited.control.to_string()]);
        add(&[&inherited.channel.map_or("-".to_owned(), |channel| channel.to_string())]);
        if self.closing == Closing::FirstProcess {
            add(&[&filter]);
        }
        all
    }
}
