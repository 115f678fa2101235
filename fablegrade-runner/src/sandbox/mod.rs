//! The sandbox: runs a [`Job`], returns an [`Outcome`], and removes everything that the job wrote.

mod bare;
mod bubblewrap;
mod cgroup;
mod conclusion;
mod copies;
pub(crate) mod frames;
mod identity;
mod job;
pub(crate) mod owner;
mod pair;
mod places;
#[allow(dead_code, reason = "each of the two ends uses its part")]
mod protocol;
mod run;
mod seccomp;
mod self_test;
mod self_test_record;
mod spawn;
mod stream;
mod syscalls;
mod tree;
mod trouble;

pub(crate) use bubblewrap::COPIED_FILES;
pub(crate) use job::mebibytes;
pub use job::{Collect, Collected, End, GivenFile, Job, Limits, MemoryLevel, Outcome, Visible};
pub use pair::{Conversation, Ended, Exchange, PairOutcome, Side, Transcript};
pub use places::Places;
pub use self_test::Probe;
pub(crate) use syscalls::read_whole;

use bubblewrap::{Hardening, Layout};
use cgroup::Tree;
use identity::{Identity, ReservedUser};
use self_test_record::SelfTestDigest;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use trouble::Trouble;

use crate::error::Error;

const INIT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fablegrade-init"));
const PROBE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fablegrade-probe"));

/// Options for finding the parts of a sandbox.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SandboxOptions {
    /// Path of the bubblewrap program; if absent, /usr/bin, /usr/local/bin, /bin and PATH are searched.
    pub bubblewrap: Option<PathBuf>,
    /// A writable control group (version 2) in which to create groups; if absent, one is searched for.
    pub cgroup: Option<PathBuf>,
    /// Do not use control groups; memory and CPU time are then measured approximately.
    pub approximate_memory: bool,
    /// Run programs without any isolation. The outcomes of cases record this.
    pub unsandboxed: bool,
    /// Refuse to run anything if the kernel does not count memory and CPU time.
    pub require_exact: bool,
    /// A folder for records of passed self-tests; only this user may be able to write to it. Later sandboxes skip the
    /// self-test until the machine restarts or anything that the test depends on changes. If absent, every newly opened
    /// sandbox is tested.
    pub self_test_records: Option<PathBuf>,
}

/// A prepared sandbox, in which many threads can run jobs.
#[derive(Debug)]
pub struct Sandbox {
    bubblewrap: PathBuf,
    /// `None` if isolation is switched off.
    layout: Option<Layout>,
    init: OwnedFd,
    filter: OwnedFd,
    tree: Option<Tree>,
    without_tree: Vec<String>,
    /// True if this process may read the memory use and wait states of programs in `/proc`.
    inspects: bool,
    identity: Identity,
    processors: u32,
    /// The path of the record of a passed self-test.
    self_test_record: Option<PathBuf>,
}

fn find_bubblewrap(wanted: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(path) = wanted {
        return if path.is_file() {
            Ok(path.to_owned())
        } else {
            Err(Error::BubblewrapNotThere(path.to_owned()))
        };
    }
    let search = std::env::var_os("PATH").unwrap_or_default();
    ["/usr/bin", "/usr/local/bin", "/bin"]
        .iter()
        .map(PathBuf::from)
        .chain(std::env::split_paths(&search).filter(|folder| folder.is_absolute()))
        .map(|folder| folder.join("bwrap"))
        .find(|path| path.is_file())
        .ok_or(Error::BubblewrapMissing)
}

impl Sandbox {
    /// Finds the parts of the sandbox and tests them with probes. The self-test is skipped if there is a record of a
    /// passed one, or if isolation is switched off.
    pub fn open(options: &SandboxOptions) -> Result<Self, Error> {
        if INIT.is_empty() {
            return Err(Error::Unsupported);
        }
        // Writing a file beyond this limit would end this process (SIGXFSZ).
        let allowed = syscalls::file_size_limit();
        if allowed < FILE_BYTES {
            return Err(Error::FileLimit { allowed, needed: FILE_BYTES });
        }
        owner::sweep(&std::env::temp_dir(), "fablegrade-");
        owner::end_processes(|name| owner::is_gone(name, run::NAME));
        let bare = options.unsandboxed;
        let (tree, mut without_tree) = if options.approximate_memory {
            (None, vec!["control groups were switched off by an option".to_owned()])
        } else {
            match cgroup::detect(options.cgroup.as_deref()) {
                Ok(tree) => (Some(tree), Vec::new()),
                Err(reasons) => (None, reasons.iter().map(ToString::to_string).collect()),
            }
        };
        if options.require_exact && tree.is_none() {
            return Err(Error::Inexact(without_tree));
        }
        let identity = identity(options);
        let inspects = identity.group().is_none()
            || tree::may_inspect(&std::fs::read_to_string("/proc/self/status").unwrap_or_default());
        if tree.is_none() && !inspects {
            without_tree.push(tree::NOT_INSPECTED.to_owned());
        }
        let filter = seccomp::filter()?;
        let mut sandbox = Self {
            bubblewrap: if bare {
                PathBuf::from("the program")
            } else {
                find_bubblewrap(options.bubblewrap.as_deref())?
            },
            layout: None,
            init: in_memory("init", INIT, 0o555)?,
            filter: in_memory("filter", &filter, 0o444)?,
            tree,
            without_tree,
            inspects,
            identity,
            processors: std::thread::available_parallelism().map_or(1, |count| count.get() as u32),
            self_test_record: None,
        };
        if !bare {
            sandbox.choose_hardening(options, &filter)?;
        }
        Ok(sandbox)
    }

    /// Chooses which program completes the isolation: the one with a recorded self-test, otherwise the first that
    /// passes the test now.
    fn choose_hardening(&mut self, options: &SandboxOptions, filter: &[u8]) -> Result<(), Error> {
        let choices = [Hardening::FirstProcess, Hardening::Bubblewrap].map(|hardening| {
            let layout = Layout::detect(hardening);
            let record = options
                .self_test_records
                .as_deref()
                .map(|folder| self.self_test_digest(&layout, filter).record_path(folder));
            (layout, record)
        });
        let recorded =
            choices.iter().find(|(_, record)| record.as_deref().is_some_and(self_test_record::exists));
        if let Some((layout, record)) = recorded.cloned() {
            (self.layout, self.self_test_record) = (Some(layout), record);
            return Ok(());
        }
        let mut tested = Ok(());
        for (layout, record) in choices {
            (self.layout, self.self_test_record) = (Some(layout), record);
            tested = self.test().map(|_| ());
            if tested.is_ok() {
                break;
            }
        }
        tested
    }

    /// Returns a digest of everything that a self-test depends on.
    fn self_test_digest(&self, layout: &Layout, filter: &[u8]) -> SelfTestDigest {
        let mut all = SelfTestDigest::default();
        all.add(env!("CARGO_PKG_VERSION").as_bytes());
        for part in [INIT, PROBE, filter] {
            all.add(part);
        }
        layout.words().for_each(|word| all.add(word.as_encoded_bytes()));
        all.add_program(&self.bubblewrap);
        all.add(format!("{:?} {}", self.tree, self.identity.group().is_some()).as_bytes());
        all.add_host();
        all
    }

    /// Runs one job; blocks until its last process has ended.
    pub fn run(&self, job: &Job) -> Outcome {
        if self.layout.is_some() {
            return run::run(self, job);
        }
        match bare::Moved::new(job) {
            Ok(moved) => run::run(self, &moved.job),
            Err(error) => Outcome::trouble(&Trouble::WorkFolder(error)),
        }
    }

    /// Runs two jobs at once in separate sandboxes. Each reads the other's standard output. Blocks until the
    /// last process of both has ended.
    pub fn run_pair(&self, left: &Job, right: &Job, conversation: &Conversation<'_>) -> PairOutcome {
        if self.layout.is_some() {
            return pair::run(self, left, right, conversation);
        }
        match (bare::Moved::new(left), bare::Moved::new(right)) {
            (Ok(left), Ok(right)) => pair::run(self, &left.job, &right.job, conversation),
            (Err(error), _) | (_, Err(error)) => PairOutcome::trouble(&Trouble::WorkFolder(error)),
        }
    }

    /// Runs the self-test even if there is a record of a passed one. Returns the tested properties. If isolation is
    /// switched off, there are none.
    pub fn test(&self) -> Result<Vec<Probe>, Error> {
        if self.layout.is_none() {
            return Ok(Vec::new());
        }
        let tested = self_test::run(self);
        match (&tested, &self.self_test_record) {
            (Ok(_), Some(record)) => self_test_record::write(record),
            (Err(_), Some(record)) => self_test_record::remove(record),
            _ => {}
        }
        tested
    }

    /// Returns the precision with which the memory limit is enforced on this host.
    pub fn memory_level(&self) -> MemoryLevel {
        self.tree.as_ref().map_or(MemoryLevel::Approximate, Tree::level)
    }

    /// Returns the reasons why memory is measured approximately, and further inaccuracies on this host; empty if the
    /// kernel counts memory.
    pub fn why_approximate(&self) -> &[String] {
        &self.without_tree
    }

    /// Returns the reason why a deadlock of two programs is not detected; `None` if it is.
    pub fn why_deadlocks_undetected(&self) -> Option<&'static str> {
        (!self.inspects).then_some(tree::WAITING_NOT_SEEN)
    }

    /// Returns whether programs are isolated; false only with [`SandboxOptions::unsandboxed`].
    pub fn isolates(&self) -> bool {
        self.layout.is_some()
    }

    /// Returns the bubblewrap program in use; `None` if isolation is switched off.
    pub fn bubblewrap(&self) -> Option<&Path> {
        self.layout.as_ref().map(|_| self.bubblewrap.as_path())
    }

    /// Returns the number of jobs that may run at once.
    pub fn slots(&self) -> usize {
        match self.identity {
            Identity::Slots { .. } => self.processors as usize,
            Identity::Own { .. } => 1,
        }
    }

    /// Returns the host group that must be able to read the files shown to jobs; `None` if jobs run as this
    /// process's user.
    pub(crate) fn group(&self) -> Option<u32> {
        self.identity.group()
    }

    fn reserve_user(&self) -> Result<Option<ReservedUser>, Trouble> {
        self.identity.reserve_user()
    }

    /// Returns the limit on each process's data, in bytes; `None` if the kernel counts memory. It is a
    /// backstop: the sum of all processes is also watched.
    fn data_limit(&self, limits: &Limits) -> Option<u64> {
        self.tree.is_none().then(|| data_of_a_process(limits))
    }
}

/// Returns the limit on each process's data in bytes if the kernel does not count memory.
fn data_of_a_process(limits: &Limits) -> u64 {
    // A thread's whole stack counts as data. By default it is as large as the main thread's stack limit; if
    // that is unlimited, the C library chooses the size.
    let stack = if limits.stack == Limits::UNLIMITED { STACK_OF_A_THREAD } else { limits.stack };
    let stacks = stack.saturating_mul(u64::from(limits.processes));
    let memory = limits.memory.saturating_add(limits.memory / 16);
    memory.saturating_add(limits.reserve).saturating_add(stacks)
}

/// Returns a read-only file in memory.
fn in_memory(name: &str, content: &[u8], mode: u32) -> Result<OwnedFd, Error> {
    let memory = syscalls::sealed_memory(name, content, mode);
    memory.and_then(|memory| syscalls::reopen(&memory)).map_err(Error::Memory)
}

/// The size assumed for a thread's stack if the main thread's stack has no limit.
const STACK_OF_A_THREAD: u64 = 8 << 20;

/// The largest file that a runner may have to write: a compiled program.
const FILE_BYTES: u64 = 64 << 20;

/// Returns the identity that cases run under with these options.
fn identity(options: &SandboxOptions) -> Identity {
    if options.unsandboxed { Identity::own() } else { Identity::detect(syscalls::effective_user()) }
}

/// Returns the group that must be able to read the files shown to jobs; it is known before a sandbox is
/// opened.
pub(crate) fn reading_group(options: &SandboxOptions) -> Option<u32> {
    identity(options).group()
}

/// Creates a folder for temporary files that only this user and the sandbox's group can enter.
pub(crate) fn private_folder(purpose: &str, group: Option<u32>) -> std::io::Result<PathBuf> {
    use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let parent = std::env::temp_dir();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(owner::name(&format!("fablegrade-{purpose}"), number));
        match std::fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => {
                if let Some(group) = group {
                    syscalls::give_to_group(&path, group)?;
                    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o750))?;
                }
                return Ok(path);
            }
            // Left behind by an earlier process with the same id.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Creates a folder for lasting files that only this user and the sandbox's group can enter. A folder that
/// already exists must belong to this user.
pub(crate) fn shared_folder(path: &Path, group: Option<u32>) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let about = std::fs::symlink_metadata(path)?;
    if !about.is_dir() || about.uid() != user() {
        return Err(std::io::Error::other("it is not a folder of this user"));
    }
    if let Some(group) = group {
        syscalls::give_to_group(path, group)?;
    }
    let mode = if group.is_some() { 0o750 } else { 0o700 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

/// Creates the parent folders of `path` below `folder` with [`shared_folder`]; the separator is `/`.
pub(crate) fn shared_parents(folder: &Path, path: &str, group: Option<u32>) -> std::io::Result<()> {
    path.match_indices('/')
        .try_for_each(|(end, _)| shared_folder(&folder.join(path.get(..end).unwrap_or_default()), group))
}

/// Returns the boot ID, which changes when the machine restarts; empty if it is unknown.
pub(crate) fn boot() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Returns the effective user id of this process.
pub(crate) fn user() -> u32 {
    syscalls::effective_user()
}

/// Creates a file that the sandbox can read.
pub(crate) fn show_file(
    path: &Path,
    content: &[u8],
    executable: bool,
    group: Option<u32>,
) -> std::io::Result<()> {
    use std::io::Write as _;
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(content)?;
    if let Some(group) = group {
        syscalls::give_to_group(path, group)?;
    }
    let mode = if executable { 0o550 } else { 0o440 };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use super::{Limits, data_of_a_process, mebibytes};
    use std::time::Duration;

    #[test]
    fn the_largest_limits_do_not_overflow() {
        for memory in [u64::MAX, u64::MAX - u64::MAX / 17] {
            let limits = Limits { memory, stack: u64::MAX - 1, ..Limits::default() };
            assert_eq!(data_of_a_process(&limits), u64::MAX);
        }
        assert_eq!((mebibytes(3), mebibytes(u64::MAX / 2)), (3 << 20, u64::MAX));
        assert_eq!(Limits::usual_wall(Duration::from_secs(2)), Duration::from_secs(5));
        assert_eq!(Limits::usual_wall(Duration::MAX), Duration::MAX);
    }
}
